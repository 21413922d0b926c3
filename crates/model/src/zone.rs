//! Sets of cells: what a proof changes or looks at.
//!
//! Relevance zones are those of T. Cazenave's lecture on solving games: the cells that a search of
//! threats changed or tested. A reply that touches none of them leaves the threats as they were.

use std::ops::{BitOr, BitOrAssign};

/// A set of cells of a board, as a game numbers them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Zone([u64; WORDS]);

const WORDS: usize = 6;

impl Zone {
    /// No cell.
    pub const NONE: Zone = Zone([0; WORDS]);
    /// All cells.
    pub const ALL: Zone = Zone([u64::MAX; WORDS]);
    /// How many cells a board may have: a Go board fits.
    pub const CELLS: u32 = 64 * WORDS as u32;

    /// One cell. What lies beyond the last one stands for all: a zone may be too large, never too
    /// small.
    #[inline]
    pub fn cell(cell: u32) -> Zone {
        let mut zone = Zone::NONE;
        match zone.0.get_mut(cell as usize / 64) {
            Some(word) => *word = 1 << (cell % 64),
            None => return Zone::ALL,
        }
        zone
    }

    /// These cells.
    pub fn of(cells: impl IntoIterator<Item = u32>) -> Zone {
        cells.into_iter().fold(Zone::NONE, |zone, cell| zone | Zone::cell(cell))
    }

    /// Whether a cell is in both.
    #[inline]
    pub fn meets(&self, other: &Zone) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Whether the cell is in the zone.
    pub fn has(&self, cell: u32) -> bool {
        self.meets(&Zone::cell(cell))
    }
}

impl BitOr for Zone {
    type Output = Zone;

    #[inline]
    fn bitor(mut self, other: Zone) -> Zone {
        self |= other;
        self
    }
}

impl BitOrAssign for Zone {
    #[inline]
    fn bitor_assign(&mut self, other: Zone) {
        for (word, more) in self.0.iter_mut().zip(other.0) {
            *word |= more;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Zone;

    #[test]
    fn zones_are_sets_that_err_on_the_large_side() {
        let zone = Zone::of([0, 63, 64, 383]);
        for cell in 0..Zone::CELLS {
            assert_eq!(zone.has(cell), [0, 63, 64, 383].contains(&cell), "{cell}");
        }
        assert!(!zone.meets(&Zone::of([1, 200])) && zone.meets(&Zone::of([1, 64])));
        assert_eq!(zone | Zone::NONE, zone);
        assert_eq!(Zone::cell(384), Zone::ALL);
    }
}
