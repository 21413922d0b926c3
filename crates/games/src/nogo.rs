//! NoGo (made known by the Banff workshop on combinatorial game theory, 2011).
//!
//! Black, who moves first, and White place stones on the points of a Go board. A move may capture
//! nothing and may not be suicide: after it every block has a liberty. A player who cannot move
//! loses.
//!
//! A point where a player may not move stays so for as long as it is empty: it is the last liberty of
//! a block, and a block can only grow at its liberties. So a point where neither may move is a liberty
//! for ever, and blocks beside it divide the board into parts. In the text of a part such a stone is
//! `X` or `O`, such a point `*`, and what is off the board `#`.

use foregone_model::{Agent, Character, Game, NormalPlay, Outcome, Rng, Side, TextError};

use crate::board::{Grid, Word, sort_by_rank};
use crate::options::Options;
use crate::registry::{Entry, GameError, Opened};
use crate::stones::{self, Rule, State, StoneGame, View};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "nogo",
    "ROWSxCOLUMNS (4x4)",
    "Black and White place stones and may never capture; a player who cannot move loses",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let (rows, cols) = options.size((4, 4))?;
    Ok(match options.fits_64((rows, cols), |rows, cols| rows * cols)? {
        true => Opened::normal_play(NoGo::<u64>::new(rows, cols), NoGo::scene),
        false => Opened::normal_play(NoGo::<u128>::new(rows, cols), NoGo::scene),
    })
}

/// NoGo on a rectangular board.
pub type NoGo<W> = StoneGame<NoCapture, W>;

/// Every block keeps a liberty.
#[derive(Clone, Debug)]
pub struct NoCapture;

impl<W: Word> Rule<W> for NoCapture {
    const NAME: &'static str = "nogo";
    const FIXED: bool = true;
    const CHARACTER: Character = Character::Mobile;

    /// Every stone takes liberties away: a fifth of the claims is not worth the time.
    const ON_CELLS: bool = false;

    /// Points next to an empty point, so no suicide, and next to no enemy stone that could be down
    /// to its last liberty.
    #[inline]
    fn plain(grid: &Grid<W>, view: &View<W>) -> W {
        let weak = view.enemy & !view.sturdy_enemies(grid);
        view.empty & grid.around(view.empty) & !grid.around(weak)
    }

    #[inline]
    fn legal(grid: &Grid<W>, view: &View<W>, cell: u32) -> bool {
        !view.captures(grid, cell) && !view.suicide(grid, cell)
    }

    fn check(grid: &Grid<W>, s: &State<W>) -> Result<(), TextError> {
        let View { own, enemy, empty, safe } = View::of(grid, s, s.turn.agent());
        let choked = |stones| stones::choked(grid, stones, empty, safe);
        match choked(own).or_else(|| choked(enemy)) {
            None => Ok(()),
            Some(cell) => Err(stones::choked_error(grid, cell, "and in NoGo every block has one")),
        }
    }

    /// By the points that are left to play: own ones less the opponent's, as in Domineering.
    fn order(game: &NoGo<W>, s: &State<W>, agent: Agent, moves: &mut [u8]) {
        // What is illegal stays so: only points that are open now are tested.
        let sides = [agent, Side::of(agent).other().agent()];
        let open = sides.map(|a| game.places(s, a));
        sort_by_rank(moves, |m| {
            let mut after = *s;
            after.place(agent, u32::from(m));
            let [own, other] =
                [0, 1].map(|i| game.places_among(&after, sides[i], open[i]).count() as i16);
            own - other
        });
    }

    fn playout(game: &NoGo<W>, mut s: State<W>, rng: &mut Rng) -> Option<Outcome> {
        // What is illegal stays so: each player's points are tested when they are drawn, and those
        // that fail are never drawn again.
        let grid = &game.grid;
        let mut open = [grid.full; 2];
        loop {
            let agent = s.turn.agent();
            let view = View::of(grid, &s, agent);
            let mut points = open[s.turn.index()] & view.empty;
            let cell = loop {
                if points.is_empty() {
                    return Some(game.outcome(&s));
                }
                let cell = points.pick(rng);
                if NoCapture::legal(grid, &view, cell) {
                    break cell;
                }
                points = points ^ W::bit(cell);
            };
            open[s.turn.index()] = points;
            s.place(agent, cell);
        }
    }
}

impl<W: Word> NormalPlay for NoGo<W> {
    fn with_turn(&self, s: &State<W>, side: Side) -> State<W> {
        State { turn: side, ..*s }
    }

    /// Points where somebody may move are connected by each other and by blocks that could lose their
    /// last liberty, but not by blocks of both colours that touch. All that a part knows of others are stones beside a liberty that stays, and those
    /// that are connected with such stones, if only by an eye: a point for one player alone, with nothing
    /// around it that could change.
    fn split(&self, s: &State<W>, out: &mut Vec<State<W>>) {
        let grid = &self.grid;
        let [black, white] = [Agent(0), Agent(1)].map(|agent| self.places(s, agent));
        let View { own, enemy, empty, .. } = View::of(grid, s, Agent(0));
        let open = black | white;
        let liberties = (empty & !open) | s.lasting();
        let only = [black & !white, white & !black];
        let from = [own, enemy].map(|stones| (stones & s.fixed) | liberties);
        let mut lasting = [W::ZERO; 2];
        loop {
            let next = [(0, own, enemy), (1, enemy, own)].map(|(i, stones, others)| {
                let eyes = only[i] & !grid.around(open | (others & !lasting[1 - i]));
                grid.flood(from[i], from[i] | stones | eyes) & stones
            });
            if next == lasting {
                break;
            }
            lasting = next;
        }
        let mortal = [own & !lasting[0], enemy & !lasting[1]];
        let mut rest = open;
        while !rest.is_empty() {
            let part = connected(grid, W::bit(rest.lowest()), mortal.map(|stones| stones | open));
            rest = rest & !part;
            let beside = |points: W| grid.around(part & points);
            let safe = [
                beside(black) & (lasting[0] | liberties),
                beside(white) & (lasting[1] | liberties),
            ];
            out.push(self.part([0, 1].map(|i| (mortal[i] & part) | safe[i]), part));
        }
    }

    fn negative(&self, part: &State<W>) -> Option<State<W>> {
        let [black, white] = part.stones;
        Some(self.part([white, black], self.grid.full & !part.fixed))
    }
}

impl<W: Word> NoGo<W> {
    /// These stones in a normal place, of which only those on `points` take part in the game.
    fn part(&self, stones: [W; 2], points: W) -> State<W> {
        let grid = &self.grid;
        let [black, white] = stones;
        let sets = match grid.rows == 1 || grid.cols == 1 {
            true => shortened([black, white, points]),
            false => [black, white, points],
        };
        let [black, white, points] = grid.least_in_corner(sets, true);
        State { stones: [black, white], fixed: grid.full & !points, turn: Side::Max }
    }
}

/// The points that are connected with a seed by steps within one of two sets each.
fn connected<W: Word>(grid: &Grid<W>, seed: W, sets: [W; 2]) -> W {
    let mut part = seed;
    loop {
        let next = sets.iter().fold(part, |next, &set| next | (grid.around(part & set) & set));
        if next == part {
            return part;
        }
        part = next;
    }
}

/// Blocks of a single line as one stone each: how long they are makes no difference.
fn shortened<W: Word>(sets: [W; 3]) -> [W; 3] {
    let kind = |cell: u32| sets.map(|set| set.has(cell));
    let (mut short, mut length, mut last) = ([W::ZERO; 3], 0, [false; 3]);
    for cell in (sets[0] | sets[1] | sets[2]).cells() {
        let now = kind(cell);
        let stone = now == [true, false, true] || now == [false, true, true];
        if !(stone && now == last) {
            for (set, _) in short.iter_mut().zip(now).filter(|(_, is)| *is) {
                *set = *set | W::bit(length);
            }
            length += 1;
        }
        last = now;
    }
    short
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use foregone_model::{Guide as _, Notation as _, Turn};

    use super::*;
    use crate::normal_play_testing::{laws, laws_hold, random_positions};
    use crate::stones::PLAYERS;
    use crate::stones::testing::Slow;
    use crate::testing::{self, COLUMNS, DIAGONAL, ROWS};

    #[test]
    fn small_boards_have_their_known_winners() {
        // The winner table of T. Cazenave's lecture on solving games, row by row.
        for (rows, winners) in [(1, "2112111111"), (2, "112211"), (3, "1212")] {
            for (cols, winner) in (1..).zip(winners.chars()) {
                let game: NoGo<u64> = NoGo::new(rows, cols);
                let value = testing::solve(&game, &game.start(), &mut HashMap::new());
                assert_eq!(value == Outcome::WIN, winner == '1', "{}", game.name());
            }
        }
    }

    fn agrees_with_the_slow_board(game: &NoGo<u64>, slow: &Slow, s: &State<u64>) {
        for (agent, symbol) in [(Agent(0), 'x'), (Agent(1), 'o')] {
            let expected = slow.legal(symbol, |captures, suicide| !captures && !suicide);
            let mut moves = Vec::new();
            game.moves(s, agent, &mut moves);
            assert_eq!(moves, expected, "{}", game.position_text(s));
            assert_eq!(game.mobility(s, agent) as usize, expected.len());
            if s.turn.agent() == agent {
                let over = game.turn(s) == Turn::Over;
                assert_eq!(over, expected.is_empty(), "{}", game.position_text(s));
            }
        }
    }

    #[test]
    fn moves_agree_with_a_board_without_bits() {
        let mut rng = Rng::new(1);
        for (rows, cols) in [(1, 1), (1, 9), (9, 1), (2, 3), (4, 4), (5, 6), (8, 8)] {
            let game: NoGo<u64> = NoGo::new(rows, cols);
            for _ in 0..30 {
                for s in testing::random_play(&game, &mut rng) {
                    let slow = Slow::read(&game.position_text(&s));
                    agrees_with_the_slow_board(&game, &slow, &s);
                }
            }
            for i in 0..1000 {
                let mut slow = Slow::random(rows as usize, cols as usize, &mut rng);
                if i % 3 == 0 {
                    slow.fix(&mut rng);
                }
                let read = game.read_position(&slow.text(PLAYERS[i % 2]));
                assert_eq!(read.is_err(), slow.has_choked('x') || slow.has_choked('o'));
                if let Ok(s) = read {
                    agrees_with_the_slow_board(&game, &slow, &s);
                }
            }
        }
    }

    #[test]
    fn parts_add_up() {
        for (rows, cols, plays) in [(1, 12, 40), (14, 1, 40), (2, 6, 30), (4, 4, 40), (4, 5, 30)] {
            laws_hold(&NoGo::<u64>::new(rows, cols), plays);
        }
        laws_hold(&NoGo::<u128>::new(7, 10), 2);
    }

    #[test]
    fn parts_of_typed_positions_add_up() {
        let mut rng = Rng::new(5);
        for (rows, cols) in [(1, 11), (4, 4), (3, 6), (5, 5)] {
            let game: NoGo<u64> = NoGo::new(rows, cols);
            let mut positions = Vec::new();
            for i in 0..2000 {
                let mut slow = Slow::random(rows as usize, cols as usize, &mut rng);
                if i % 2 == 0 {
                    slow.fix(&mut rng);
                }
                positions.extend(game.read_position(&slow.text(PLAYERS[i % 2])));
            }
            assert!(positions.len() > 300, "{}", positions.len());
            laws(&game, &positions);
        }
    }

    #[test]
    fn parts_are_worth_what_they_are_part_of() {
        // The laws speak of one move; this is the whole game, beside parts put side by side.
        let game: NoGo<u64> = NoGo::new(3, 4);
        let mut memo = HashMap::new();
        let positions = random_positions(&game, 60, &mut Rng::new(9));
        for s in positions.into_iter().filter(|s| s.free(game.grid.full).count() < 8) {
            let mut parts = Vec::new();
            game.split(&s, &mut parts);
            for side in [Side::Max, Side::Min] {
                let value = testing::solve(&game, &game.with_turn(&s, side), &mut memo);
                let won = wins(&game, &mut parts.clone(), side);
                let winner = if won { side } else { side.other() };
                assert_eq!(value == Outcome::WIN, winner == Side::Max, "{s:?}");
            }
        }
    }

    /// Whether who is to move wins a sum of parts.
    fn wins(game: &NoGo<u64>, parts: &mut Vec<State<u64>>, side: Side) -> bool {
        (0..parts.len()).any(|i| {
            let part = parts[i];
            testing::next_states(game, &part, side.agent()).into_iter().any(|next| {
                parts[i] = next;
                let won = !wins(game, parts, side.other());
                parts[i] = part;
                won
            })
        })
    }

    #[test]
    fn stones_with_a_lasting_liberty_divide_the_board() {
        let split = |rows, cols, text: &str| {
            let game: NoGo<u64> = NoGo::new(rows, cols);
            let mut parts = Vec::new();
            game.split(&game.read_position(text).unwrap(), &mut parts);
            let mut texts: Vec<String> = parts.iter().map(|p| game.position_text(p)).collect();
            texts.sort();
            texts
        };
        assert_eq!(split(1, 8, "..xxx.o. black"), ["..x.o.## black"]);
        assert_eq!(split(1, 8, "..xxx.oo black"), ["X..##### black"]);
        assert_eq!(split(1, 7, "..xoo.. black"), ["o..#### black", "x..#### black"]);
        assert_eq!(split(1, 9, "..xo.ox.. black"), ["x..###### black"; 2]);
        assert_eq!(split(1, 8, "..x.x.oo black"), ["X..##### black", "X.X##### black"]);
        assert_eq!(split(1, 5, "..... black"), ["..... black"]);
    }

    #[test]
    fn texts_round_trip() {
        for (rows, cols) in [(1, 5), (4, 4), (7, 9)] {
            testing::texts_round_trip(&NoGo::<u128>::new(rows, cols), 20);
        }
        testing::nonsense_is_refused(&NoGo::<u64>::new(5, 5));
    }

    #[test]
    fn a_choked_stone_is_shown() {
        let game: NoGo<u64> = NoGo::new(2, 3);
        let error = game.read_position("x../ox. black").unwrap_err();
        assert_eq!(error.span, 4..5);
        assert!(error.message.starts_with("the stone at a1 has no liberty"));
    }

    #[test]
    fn both_words_play_the_same_game() {
        for (rows, cols) in [(1, 12), (5, 5), (8, 8)] {
            testing::same_game(&NoGo::<u64>::new(rows, cols), &NoGo::<u128>::new(rows, cols), 20);
        }
    }

    #[test]
    fn images_are_alike() {
        let (upright, square) = ([COLUMNS, ROWS], [COLUMNS, ROWS, DIAGONAL]);
        for (rows, cols, most) in [(1, 6, 2), (3, 4, 4), (5, 6, 4)] {
            let solved = rows * cols <= 12;
            let game = NoGo::<u64>::new(rows, cols);
            testing::images_are_alike(&game, 30, &upright, most, solved);
            let game = NoGo::<u128>::new(rows, cols);
            testing::images_are_alike(&game, 30, &upright, most, solved);
        }
        for side in [3, 5, 8] {
            let game = NoGo::<u64>::new(side, side);
            testing::images_are_alike(&game, 20, &square, 8, side == 3);
            let game = NoGo::<u128>::new(side, side);
            testing::images_are_alike(&game, 20, &square, 8, side == 3);
        }
        testing::images_are_alike(&NoGo::<u128>::new(11, 11), 3, &square, 8, false);
    }

    #[test]
    fn moves_are_ordered_by_mobility() {
        testing::orders_by_mobility(&NoGo::<u64>::new(4, 5), 20);
        testing::orders_by_mobility(&NoGo::<u128>::new(9, 9), 3);
    }

    #[test]
    fn playouts_are_uniform() {
        for (rows, cols) in [(1, 9), (3, 4)] {
            testing::playouts_are_uniform(&NoGo::<u64>::new(rows, cols), 4);
        }
    }
}
