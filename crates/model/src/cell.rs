//! How the entries of tables are kept: a cell of one or two bytes each.

use foregone_proof::Outcome;
use foregone_proof::table::{Entry, Window};

/// What the numbers in cells mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// The best outcome of a window, the worst, or the one that endless play is worth; with distances
    /// up to 126 in one byte, and up to 32,766 in two.
    Ends(Window),
    /// Outcomes from this one on, up to 254 more, with distances up to 254; in two bytes.
    Scores(Outcome),
}

/// No position has this number.
pub const HOLE: u16 = 0;
/// Nothing is forced.
pub const OPEN: u16 = 1;

impl Layout {
    /// The entry that a cell holds.
    #[inline]
    pub fn entry(self, cell: u16) -> Entry {
        match (self, cell) {
            (_, HOLE) => Entry::Hole,
            (_, OPEN) => Entry::Open,
            (Layout::Ends(window), _) => {
                let outcome = if cell.is_multiple_of(2) { window.high } else { window.low };
                Entry::Forced(outcome, u32::from((cell - 2) / 2))
            }
            (Layout::Scores(least), _) => {
                let (above, distance) = ((cell - 2) / 256, (cell - 2) % 256);
                Entry::Forced(Outcome(least.0.saturating_add(above)), u32::from(distance))
            }
        }
    }

    /// The cell of an outcome at a distance; nothing if there is no room for it.
    #[inline]
    pub fn cell(self, outcome: Outcome, distance: u32) -> Option<u16> {
        match self {
            Layout::Ends(window) => {
                let low = u32::from(outcome == window.low);
                u16::try_from(2 + 2 * distance + low).ok()
            }
            Layout::Scores(least) => {
                let above = outcome.0.checked_sub(least.0).filter(|&above| above < 255)?;
                let distance = u16::try_from(distance).ok().filter(|&d| d < 255)?;
                Some(2 + above * 256 + distance)
            }
        }
    }
}
