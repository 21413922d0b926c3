//! Cells: numbers of one or two bytes.

use std::sync::atomic::{AtomicU8, AtomicU16, Ordering};

/// How many bytes a cell has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    /// One byte.
    One,
    /// Two bytes.
    Two,
}

impl Width {
    /// The number of bytes.
    pub fn bytes(self) -> u64 {
        match self {
            Width::One => 1,
            Width::Two => 2,
        }
    }
}

/// Cells that several threads may change at once.
#[derive(Clone, Copy, Debug)]
pub enum Cells<'a> {
    /// Of one byte.
    One(&'a [AtomicU8]),
    /// Of two bytes.
    Two(&'a [AtomicU16]),
}

impl Cells<'_> {
    /// How many there are.
    pub fn len(self) -> usize {
        match self {
            Cells::One(cells) => cells.len(),
            Cells::Two(cells) => cells.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// How wide they are.
    pub fn width(self) -> Width {
        match self {
            Cells::One(_) => Width::One,
            Cells::Two(_) => Width::Two,
        }
    }

    /// Copies the cells from a number on, as many as `into` has.
    pub(crate) fn copy(self, from: usize, into: &mut [u16]) {
        match self {
            Cells::One(cells) => {
                for (to, cell) in into.iter_mut().zip(&cells[from..]) {
                    *to = u16::from(cell.load(Ordering::Relaxed));
                }
            }
            Cells::Two(cells) => {
                for (to, cell) in into.iter_mut().zip(&cells[from..]) {
                    *to = cell.load(Ordering::Relaxed);
                }
            }
        }
    }

    /// Stores cells from a number on.
    pub(crate) fn store(self, from: usize, cells: &[u16]) {
        match self {
            Cells::One(all) => {
                for (to, &cell) in all[from..].iter().zip(cells) {
                    to.store(cell as u8, Ordering::Relaxed);
                }
            }
            Cells::Two(all) => {
                for (to, &cell) in all[from..].iter().zip(cells) {
                    to.store(cell, Ordering::Relaxed);
                }
            }
        }
    }
}

/// A plane in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loaded {
    /// Cells of one byte.
    One(Vec<u8>),
    /// Cells of two bytes.
    Two(Vec<u16>),
}

impl Loaded {
    /// A cell.
    ///
    /// # Panics
    ///
    /// If there is no such cell.
    #[inline]
    pub fn get(&self, index: u64) -> u16 {
        match self {
            Loaded::One(cells) => u16::from(cells[index as usize]),
            Loaded::Two(cells) => cells[index as usize],
        }
    }
}
