//! NoGo (made known by the Banff workshop on combinatorial game theory, 2011).
//!
//! Black, who moves first, and White place stones on the points of a Go board. A move may capture
//! nothing and may not be suicide: after it every block has a liberty. A player who cannot move
//! loses.

use foregone_model::{Agent, Character, Game, Outcome, Rng, Side, TextError};

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
        true => Opened::pictured(NoGo::<u64>::new(rows, cols), NoGo::scene),
        false => Opened::pictured(NoGo::<u128>::new(rows, cols), NoGo::scene),
    })
}

/// NoGo on a rectangular board.
pub type NoGo<W> = StoneGame<NoCapture, W>;

/// Every block keeps a liberty.
#[derive(Clone, Debug)]
pub struct NoCapture;

impl<W: Word> Rule<W> for NoCapture {
    const NAME: &'static str = "nogo";
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
        let View { own, enemy, empty } = View::of(grid, s, s.turn.agent());
        let choked = |stones| stones::choked(grid, stones, empty);
        match choked(own).or_else(|| choked(enemy)) {
            None => Ok(()),
            Some(cell) => Err(stones::choked_error(grid, cell, "and in NoGo every block has one")),
        }
    }

    /// By the points that are left to play: own ones less the opponent's, as in Domineering.
    fn order(game: &NoGo<W>, s: &State<W>, agent: Agent, moves: &mut [u8]) {
        // What is illegal stays so (see `playout`): only points that are open now are tested.
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
        // A point that is illegal for a player stays so for as long as it is empty: it is the
        // last liberty of a block, and a block can only grow at its liberties. So each player's
        // points are tested when they are drawn, and those that fail are never drawn again.
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

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use foregone_model::{Guide as _, Notation as _, Turn};

    use super::*;
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
                let slow = Slow::random(rows as usize, cols as usize, &mut rng);
                let read = game.read_position(&slow.text(PLAYERS[i % 2]));
                assert_eq!(read.is_err(), slow.has_choked('x') || slow.has_choked('o'));
                if let Ok(s) = read {
                    agrees_with_the_slow_board(&game, &slow, &s);
                }
            }
        }
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
