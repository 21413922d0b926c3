//! Positions of a class in rows of up to 64: sets of them are words, and what is true of a move is
//! worked out for a whole row at once.
//!
//! Rows need not be those of the numbering. One position may stand at several places: mirror images,
//! say, or two pieces of a kind exchanged. Then moves lead from each of them and to each of them, so
//! that all of them fare alike.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use foregone_proof::Side;

/// A set of positions: a word for each row.
pub struct Plane(Vec<AtomicU64>);

impl Plane {
    /// The empty set.
    pub fn new(rows: u64) -> Plane {
        Plane(std::iter::repeat_with(Default::default).take(rows as usize).collect())
    }

    /// The positions of a row.
    #[inline]
    pub fn get(&self, row: u64) -> u64 {
        self.0[row as usize].load(Relaxed)
    }

    /// Replaces the positions of a row, which no other thread may change meanwhile.
    #[inline]
    pub fn set(&self, row: u64, set: u64) {
        self.0[row as usize].store(set, Relaxed);
    }

    /// Adds positions to a row. Other threads may add some, too.
    #[inline]
    pub fn add(&self, row: u64, set: u64) {
        let word = &self.0[row as usize];
        // Most of them are there already, and to look is much cheaper than to write.
        if set & !word.load(Relaxed) != 0 {
            word.fetch_or(set, Relaxed);
        }
    }
}

/// A move to another class that positions of a row have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit {
    /// The positions.
    pub positions: u64,
    /// 1 for the first class that the class leads to, and so on.
    pub slot: u16,
    /// The number there.
    pub index: u64,
    /// As whom the table there knows the side that moves here.
    pub mover: Side,
}

/// The moves of a class by rows. Moves that the rules do not allow may be among them if they lead to
/// places that are not positions.
pub trait RowMoves: Sync {
    /// How many rows there are.
    fn rows(&self) -> u64;

    /// Who moves in the positions of a row, as the table knows them.
    fn mover(&self, row: u64) -> Side;

    /// The positions of a row.
    fn positions(&self, row: u64) -> u64;

    /// The numbers of positions of a row, each at its place in `out`.
    fn numbers(&self, row: u64, set: u64, out: &mut [u64; 64]);

    /// Which of these are lost by who is to move if there is no move. The others are worth what is
    /// open then.
    fn lost_without_move(&self, row: u64, set: u64) -> u64;

    /// All moves of positions of a row to other classes.
    fn exits(&self, row: u64, set: u64, visit: &mut dyn FnMut(Exit));

    /// Which of these positions have a move within the class to one of `plane`.
    fn leading_to(&self, row: u64, set: u64, plane: &Plane) -> u64;

    /// Adds the positions of `within` from which a move within the class leads to one of these.
    fn add_before(&self, row: u64, set: u64, within: &Plane, out: &Plane);
}
