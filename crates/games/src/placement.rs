//! Placing stones: what the games share in which two players put stones on empty cells in turn, and
//! no stone ever moves or leaves the board.

use std::ops::Range;

use foregone_model::{Agent, Outcome, Rng, Side, TextError};

use crate::board::{Word, random_subset, read_board, write_board};

/// The stones of Max, who moves first, and of Min, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    pub(crate) stones: [W; 2],
    pub(crate) turn: Side,
}

foregone_model::stored!(State<W: Word> { stones, turn });

const SYMBOLS: [char; 3] = ['.', 'x', 'o'];

impl<W: Word> State<W> {
    /// The stones of Max and of Min.
    pub fn stones(&self) -> [W; 2] {
        self.stones
    }

    /// The empty board.
    pub(crate) fn start() -> State<W> {
        State { stones: [W::ZERO; 2], turn: Side::Max }
    }

    /// The cells of a board without a stone.
    #[inline]
    pub(crate) fn free(&self, board: W) -> W {
        board & !(self.stones[0] | self.stones[1])
    }

    /// Appends all cells of a board without a stone.
    #[inline]
    pub(crate) fn moves(&self, board: W, out: &mut Vec<u8>) {
        out.extend(self.free(board).cells().map(|c| c as u8));
    }

    /// Puts a stone of `agent` on an empty cell. The other player moves next.
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

    /// The stones of the player who moved last.
    #[inline]
    pub(crate) fn of_last(&self) -> W {
        self.stones[self.turn.other().index()]
    }

    /// The stones of this side and those of the other one, as a net has them: by the numbers of their
    /// cells.
    pub(crate) fn seen_by(&self, side: Side, number: impl Fn(u32) -> u32) -> [u128; 2] {
        let set = |side: Side| {
            self.stones[side.index()].cells().fold(0, |set, cell| set | 1 << number(cell))
        };
        [set(side), set(side.other())]
    }

    /// The outcome of a game of two outcomes that the player who moved last has won.
    #[inline]
    pub(crate) fn won_by_last(&self) -> Outcome {
        match self.turn {
            Side::Max => Outcome::LOSS,
            Side::Min => Outcome::WIN,
        }
    }

    /// The stones of Max on a board that random play has filled: a uniformly random set of the
    /// empty cells, of the size that taking turns gives. All cells are below `cells`.
    #[inline(always)]
    pub(crate) fn fill(&self, board: W, cells: u32, rng: &mut Rng) -> W {
        let free = self.free(board);
        let moves = free.count();
        let max = match self.turn {
            Side::Max => moves.div_ceil(2),
            Side::Min => moves / 2,
        };
        self.stones[0] | random_subset(free, moves, max, cells, rng)
    }

    /// How a cell is written.
    pub(crate) fn symbol(&self, cell: u32) -> char {
        match self.stones.map(|w| w.has(cell)) {
            [false, false] => SYMBOLS[0],
            [true, _] => SYMBOLS[1],
            _ => SYMBOLS[2],
        }
    }

    /// Appends the rows of a board, top first, and who is to move.
    pub(crate) fn write(
        &self,
        rows: impl Iterator<Item = Range<u32>>,
        players: &[&str; 2],
        out: &mut String,
    ) {
        write_board(rows, |cell| self.symbol(cell), out);
        out.push(' ');
        out.push_str(players[self.turn.index()]);
    }

    /// Reads what [`State::write`] wrote.
    pub(crate) fn read(
        text: &str,
        rows: impl Iterator<Item = Range<u32>>,
        players: &[&str; 2],
    ) -> Result<State<W>, TextError> {
        let (sets, mover) = read_board(text, rows, &SYMBOLS, players)?;
        Ok(State { stones: [sets[1], sets[2]], turn: [Side::Max, Side::Min][mover] })
    }

    /// The error that the player to move has already won, in a position that [`State::read`] has
    /// read; `what` says how.
    pub(crate) fn over_before(&self, text: &str, players: &[&str; 2], what: &str) -> TextError {
        let who = players[self.turn.index()];
        let message = format!("{who} has {what} and cannot be to move: the game was over before");
        TextError::new(message, 0..text.rfind(' ').unwrap_or(text.len()))
    }
}
