//! NoGo (made known by the Banff workshop on combinatorial game theory, 2011).
//!
//! Black, who moves first, and White place stones on the points of a Go board. A move may capture
//! nothing and may not be suicide: after it every block has a liberty. Who cannot move loses.

use foregone_model::{Agent, Game, Guide, Notation, Outcome, Rng, Side, TextError, Turn};

use crate::board::{Grid, Word, sort_by_rank};
use crate::stones::{self, PLAYERS, State, View};

/// NoGo on a rectangular board.
#[derive(Clone, Debug)]
pub struct NoGo<W> {
    grid: Grid<W>,
}

impl<W: Word> NoGo<W> {
    /// A board of this size; it must fit into the word.
    pub fn new(rows: u32, cols: u32) -> NoGo<W> {
        NoGo { grid: Grid::new(rows, cols) }
    }

    /// Points that are seen at a glance to be legal: next to an empty point, so no suicide, and
    /// next to no enemy stone that could be down to its last liberty.
    #[inline]
    fn plain(&self, view: &View<W>) -> W {
        let weak = view.enemy & !view.sturdy_enemies(&self.grid);
        view.empty & self.grid.around(view.empty) & !self.grid.around(weak)
    }

    #[inline]
    fn legal(&self, view: &View<W>, cell: u32) -> bool {
        !view.captures(&self.grid, cell) && !view.suicide(&self.grid, cell)
    }

    /// The points where `agent` can move.
    #[inline]
    fn places(&self, s: &State<W>, agent: Agent) -> W {
        self.places_among(s, agent, self.grid.full)
    }

    /// Those of some points where `agent` can move.
    #[inline]
    fn places_among(&self, s: &State<W>, agent: Agent, points: W) -> W {
        let view = s.view(&self.grid, agent);
        let plain = self.plain(&view) & points;
        (view.empty & points & !plain)
            .cells()
            .filter(|&cell| self.legal(&view, cell))
            .fold(plain, |places, cell| places | W::bit(cell))
    }
}

impl<W: Word> Game for NoGo<W> {
    type State = State<W>;
    /// The point of the stone.
    type Move = u8;

    fn start(&self) -> State<W> {
        State::start()
    }

    #[inline]
    fn turn(&self, s: &State<W>) -> Turn {
        let agent = s.turn.agent();
        let view = s.view(&self.grid, agent);
        let plain = self.plain(&view);
        if !plain.is_empty() || view.empty.cells().any(|cell| self.legal(&view, cell)) {
            Turn::Agent(agent)
        } else {
            Turn::Over
        }
    }

    #[inline]
    fn moves(&self, s: &State<W>, agent: Agent, out: &mut Vec<u8>) {
        out.extend(self.places(s, agent).cells().map(|c| c as u8));
    }

    #[inline]
    fn play(&self, s: &mut State<W>, agent: Agent, m: u8) {
        s.place(agent, u32::from(m));
    }

    #[inline]
    fn outcome(&self, s: &State<W>) -> Outcome {
        if s.turn == Side::Max { Outcome::LOSS } else { Outcome::WIN }
    }
}

impl<W: Word> Guide for NoGo<W> {
    type Packed = [W; 2];

    /// Who is to move follows from the number of stones in all positions of one search.
    #[inline]
    fn pack(&self, s: &State<W>) -> [W; 2] {
        s.stones()
    }

    #[inline]
    fn mobility(&self, s: &State<W>, agent: Agent) -> u32 {
        self.places(s, agent).count()
    }

    #[inline]
    fn canonical(&self, s: &State<W>) -> State<W> {
        s.canonical(&self.grid)
    }

    /// By the points that are left to play: own ones less the opponent's, as in Domineering.
    fn order(&self, s: &State<W>, agent: Agent, moves: &mut [u8]) {
        // What is illegal stays so (see `playout`): only points that are open now are tested.
        let sides = [agent, Side::of(agent).other().agent()];
        let open = sides.map(|a| self.places(s, a));
        sort_by_rank(moves, |m| {
            let mut after = *s;
            after.place(agent, u32::from(m));
            let [own, other] =
                [0, 1].map(|i| self.places_among(&after, sides[i], open[i]).count() as i16);
            own - other
        });
    }

    fn playout(&self, mut s: State<W>, rng: &mut Rng) -> Option<Outcome> {
        // A point that is illegal for a player stays so for as long as it is empty: it is the
        // last liberty of a block, and a block can only grow at its liberties. So each player's
        // points are tested when they are drawn, and those that fail are never drawn again.
        let mut open = [self.grid.full; 2];
        loop {
            let agent = s.turn.agent();
            let view = s.view(&self.grid, agent);
            let mut points = open[s.turn.index()] & view.empty;
            let cell = loop {
                if points.is_empty() {
                    return Some(self.outcome(&s));
                }
                let cell = points.pick(rng);
                if self.legal(&view, cell) {
                    break cell;
                }
                points = points ^ W::bit(cell);
            };
            open[s.turn.index()] = points;
            s.place(agent, cell);
        }
    }
}

impl<W: Word> Notation for NoGo<W> {
    fn name(&self) -> String {
        format!("nogo:{}x{}", self.grid.rows, self.grid.cols)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn write_move(&self, _s: &State<W>, m: u8, out: &mut String) {
        self.grid.write_cell(u32::from(m), out);
    }

    fn parse_move(&self, _s: &State<W>, text: &str) -> Option<u8> {
        stones::parse_point(&self.grid, text)
    }

    fn write_position(&self, s: &State<W>, out: &mut String) {
        s.write(&self.grid, out);
    }

    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        let s = State::read(&self.grid, text)?;
        let View { own, enemy, empty } = s.view(&self.grid, s.turn.agent());
        let choked = |stones| stones::choked(&self.grid, stones, empty);
        match choked(own).or_else(|| choked(enemy)) {
            None => Ok(s),
            Some(cell) => {
                Err(stones::choked_error(&self.grid, cell, "and in NoGo every block has one"))
            }
        }
    }

    fn draw(&self, s: &State<W>) -> String {
        s.draw(&self.grid)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
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
