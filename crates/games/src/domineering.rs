//! Domineering (Göran Andersson, made known by M. Gardner, 1974).
//!
//! Vertical, who moves first, places dominoes upright; Horizontal places them flat. Who cannot
//! move loses.

use foregone_model::{Agent, Game, Guide, Known, Notation, Outcome, Rng, Side, TextError, Turn};

use crate::board::{Grid, Word, sort_by_rank};
use crate::domineering_bounds;

/// Domineering on a rectangular board.
#[derive(Clone, Debug)]
pub struct Domineering<W> {
    grid: Grid<W>,
}

/// The covered cells and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    covered: W,
    turn: Side,
}

const PLAYERS: [&str; 2] = ["vertical", "horizontal"];

impl<W: Word> Domineering<W> {
    /// A board of this size; it must fit into the word.
    pub fn new(rows: u32, cols: u32) -> Domineering<W> {
        Domineering { grid: Grid::new(rows, cols) }
    }

    /// The lower or left cells of the dominoes that `agent` can place.
    #[inline]
    fn places(&self, s: &State<W>, agent: Agent) -> W {
        let free = self.grid.full & !s.covered;
        match Side::of(agent) {
            Side::Max => free & self.grid.south(free),
            Side::Min => free & self.grid.west(free),
        }
    }

    #[inline]
    fn domino(&self, agent: Agent, cell: u32) -> W {
        let lower = W::bit(cell);
        match Side::of(agent) {
            Side::Max => lower | self.grid.north(lower),
            Side::Min => lower | self.grid.east(lower),
        }
    }
}

impl<W: Word> Game for Domineering<W> {
    type State = State<W>;
    /// The lower or left cell of the domino: who places it says how it lies.
    type Move = u8;

    fn start(&self) -> State<W> {
        State { covered: W::ZERO, turn: Side::Max }
    }

    #[inline]
    fn turn(&self, s: &State<W>) -> Turn {
        let agent = s.turn.agent();
        if self.places(s, agent).is_empty() { Turn::Over } else { Turn::Agent(agent) }
    }

    #[inline]
    fn moves(&self, s: &State<W>, agent: Agent, out: &mut Vec<u8>) {
        out.extend(self.places(s, agent).cells().map(|c| c as u8));
    }

    #[inline]
    fn play(&self, s: &mut State<W>, agent: Agent, m: u8) {
        s.covered = s.covered | self.domino(agent, u32::from(m));
        s.turn = Side::of(agent).other();
    }

    #[inline]
    fn outcome(&self, s: &State<W>) -> Outcome {
        if s.turn == Side::Max { Outcome::LOSS } else { Outcome::WIN }
    }

    #[inline]
    fn known(&self, s: &State<W>) -> Option<Known> {
        let free = self.grid.full & !s.covered;
        let max_moves = s.turn == Side::Max;
        let wins = domineering_bounds::mover_wins(&self.grid, free, max_moves)?;
        let known = if wins == max_moves { Known::won } else { Known::lost };
        Some(known(domineering_bounds::RULE))
    }
}

impl<W: Word> Guide for Domineering<W> {
    type Packed = Self::State;

    #[inline]
    fn pack(&self, s: &Self::State) -> Self::State {
        *s
    }

    #[inline]
    fn mobility(&self, s: &State<W>, agent: Agent) -> u32 {
        self.places(s, agent).count()
    }

    /// Mirrors along the edges only: turning the board by a quarter would exchange the players.
    #[inline]
    fn canonical(&self, s: &State<W>) -> State<W> {
        let [covered] = self.grid.least_upright([s.covered]);
        State { covered, turn: s.turn }
    }

    /// By the dominoes that can still be placed after the move: own ones less the opponent's. Who
    /// runs out of them first loses.
    fn order(&self, s: &State<W>, agent: Agent, moves: &mut [u8]) {
        let other = Side::of(agent).other().agent();
        sort_by_rank(moves, |m| {
            let after =
                State { covered: s.covered | self.domino(agent, u32::from(m)), turn: s.turn };
            self.places(&after, agent).count() as i16 - self.places(&after, other).count() as i16
        });
    }

    fn playout(&self, mut s: State<W>, rng: &mut Rng) -> Option<Outcome> {
        loop {
            let agent = s.turn.agent();
            let places = self.places(&s, agent);
            if places.is_empty() {
                return Some(self.outcome(&s));
            }
            self.play(&mut s, agent, places.pick(rng) as u8);
        }
    }
}

impl<W: Word> Notation for Domineering<W> {
    fn name(&self) -> String {
        format!("domineering:{}x{}", self.grid.rows, self.grid.cols)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn write_move(&self, s: &State<W>, m: u8, out: &mut String) {
        for cell in self.domino(s.turn.agent(), u32::from(m)).cells() {
            self.grid.write_cell(cell, out);
        }
    }

    fn parse_move(&self, s: &State<W>, text: &str) -> Option<u8> {
        let (cell, rest) = self.grid.parse_cell(text)?;
        let (other, rest) = self.grid.parse_cell(rest)?;
        let whole = W::bit(cell) | W::bit(other);
        let fits = rest.is_empty() && cell < other && whole == self.domino(s.turn.agent(), cell);
        fits.then_some(cell as u8)
    }

    fn write_position(&self, s: &State<W>, out: &mut String) {
        self.grid.write_rows(|c| if s.covered.has(c) { '#' } else { '.' }, out);
        out.push(' ');
        out.push_str(PLAYERS[s.turn.index()]);
    }

    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        let (sets, mover) = self.grid.read_rows(text, &['.', '#'], &PLAYERS)?;
        let turn = if mover == 0 { Side::Max } else { Side::Min };
        Ok(State { covered: sets[1], turn })
    }

    fn draw(&self, s: &State<W>) -> String {
        self.grid.draw(|c| if s.covered.has(c) { '#' } else { '.' })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{self, COLUMNS, ROWS};

    #[test]
    fn images_are_alike() {
        for (rows, cols, most) in [(2, 6, 4), (4, 4, 4), (3, 5, 4), (8, 8, 4)] {
            let solved = rows * cols <= 16;
            let images = [COLUMNS, ROWS];
            let game = Domineering::<u64>::new(rows, cols);
            testing::images_are_alike(&game, 30, &images, most, solved);
            let game = Domineering::<u128>::new(rows, cols);
            testing::images_are_alike(&game, 30, &images, most, solved);
        }
        testing::images_are_alike(&Domineering::<u128>::new(9, 11), 10, &[COLUMNS, ROWS], 4, false);
    }

    #[test]
    fn moves_are_ordered_by_mobility() {
        testing::orders_by_mobility(&Domineering::<u64>::new(5, 6), 20);
        testing::orders_by_mobility(&Domineering::<u128>::new(9, 9), 5);
    }
}
