//! A position of stones on a Go board, some points of which may take no part in the game.

use std::ops::Range;

use foregone_model::{Agent, Outcome, Side, TextError};

use super::PLAYERS;
use crate::board::{Word, read_board, write_board};

/// The stones of Black, who moves first, and of White, and who is to move. No move changes what is
/// fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    pub(crate) stones: [W; 2],
    /// Points that take no part in the game. Without a stone they are off the board. With one they hold
    /// a stone that always has a liberty somewhere else. With both they are empty and stay so: a liberty
    /// of all that is around.
    pub(crate) fixed: W,
    pub(crate) turn: Side,
}

foregone_model::stored!(State<W: Word> { stones, fixed, turn });

/// What comes behind the third takes no part in the game.
const SYMBOLS: [char; 7] = ['.', 'x', 'o', '#', 'X', 'O', '*'];

impl<W: Word> State<W> {
    /// The empty board.
    pub(crate) fn start() -> State<W> {
        State { stones: [W::ZERO; 2], fixed: W::ZERO, turn: Side::Max }
    }

    /// The points of a board where a stone may come to stand.
    #[inline]
    pub(crate) fn free(&self, board: W) -> W {
        board & !(self.stones[0] | self.stones[1] | self.fixed)
    }

    /// The empty points where no stone will ever stand.
    #[inline]
    pub(crate) fn lasting(&self) -> W {
        self.stones[0] & self.stones[1]
    }

    /// Puts a stone of `agent` on an empty point. The other player moves next.
    #[inline]
    pub(crate) fn place(&mut self, agent: Agent, cell: u32) {
        let side = Side::of(agent);
        // No array index here: the compiler then keeps the stones in registers.
        match side {
            Side::Max => self.stones[0] = self.stones[0] | W::bit(cell),
            Side::Min => self.stones[1] = self.stones[1] | W::bit(cell),
        }
        self.turn = side.other();
    }

    /// The outcome of a game that the player who moved last has won.
    #[inline]
    pub(crate) fn won_by_last(&self) -> Outcome {
        match self.turn {
            Side::Max => Outcome::LOSS,
            Side::Min => Outcome::WIN,
        }
    }

    /// How a point is written.
    pub(crate) fn symbol(&self, cell: u32) -> char {
        let stone = match self.stones.map(|w| w.has(cell)) {
            [false, false] => 0,
            [true, false] => 1,
            [false, true] => 2,
            [true, true] => 3,
        };
        SYMBOLS[if self.fixed.has(cell) { stone + 3 } else { stone }]
    }

    /// Appends the rows of a board, top first, and who is to move.
    pub(crate) fn write(&self, rows: impl Iterator<Item = Range<u32>>, out: &mut String) {
        write_board(rows, |cell| self.symbol(cell), out);
        out.push(' ');
        out.push_str(PLAYERS[self.turn.index()]);
    }

    /// Reads what [`State::write`] wrote; `fixed` tells whether some points may take no part.
    pub(crate) fn read(
        text: &str,
        rows: impl Iterator<Item = Range<u32>>,
        fixed: bool,
    ) -> Result<State<W>, TextError> {
        let symbols = if fixed { &SYMBOLS[..] } else { &SYMBOLS[..3] };
        let (sets, mover) = read_board::<W>(text, rows, symbols, &PLAYERS)?;
        let set = |i: usize| sets.get(i).copied().unwrap_or(W::ZERO);
        let stones = [1, 2].map(|i| set(i) | set(i + 3) | set(6));
        let fixed = set(3) | set(4) | set(5) | set(6);
        Ok(State { stones, fixed, turn: [Side::Max, Side::Min][mover] })
    }
}
