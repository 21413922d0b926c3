//! Machine words as sets of cells.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

use foregone_model::Rng;
use foregone_model::stored::Stored;

/// A machine word used as a set of cells. Implemented by `u64` and `u128`, and for the largest
/// boards by [`Words`](crate::wide::Words): a game is generic over it, so that small boards pay for
/// small words only.
pub trait Word:
    Copy
    + Eq
    + Ord
    + Hash
    + Debug
    + Stored
    + From<u64>
    + Send
    + Sync
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + 'static
{
    /// How many cells fit.
    const BITS: u32;
    /// The empty set.
    const ZERO: Self;

    /// The set of this one cell.
    fn bit(cell: u32) -> Self;
    /// How many cells are in the set.
    fn count(self) -> u32;
    /// The lowest cell of a set that is not empty.
    fn lowest(self) -> u32;
    /// The set without its lowest cell.
    fn without_lowest(self) -> Self;
    /// The sum of the two words as numbers: carries run through columns of set bits.
    fn plus(self, other: Self) -> Self;
    /// The bits in reverse order: the highest becomes the lowest.
    fn reversed(self) -> Self;
    /// The cells `0..64`.
    fn low(self) -> u64;

    /// Whether the set is empty.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::ZERO
    }
    /// Whether the cell is in the set.
    #[inline]
    fn has(self, cell: u32) -> bool {
        !(self & Self::bit(cell)).is_empty()
    }
    /// The cells `0..n`.
    #[inline]
    fn first(n: u32) -> Self {
        if n == Self::BITS { !Self::ZERO } else { !(!Self::ZERO << n) }
    }
    /// The cells in rising order.
    #[inline]
    fn cells(self) -> Cells<Self> {
        Cells(self)
    }
    /// The `n`-th cell of the set, counted from 0; there must be one.
    #[inline]
    fn nth(mut self, n: u32) -> u32 {
        for _ in 0..n {
            self = self.without_lowest();
        }
        self.lowest()
    }
    /// A cell of the set, each with the same chance; there must be one.
    #[inline]
    fn pick(self, rng: &mut Rng) -> u32 {
        self.nth(rng.below(self.count()))
    }
}

macro_rules! word {
    ($t:ty) => {
        impl Word for $t {
            const BITS: u32 = <$t>::BITS;
            const ZERO: $t = 0;
            #[inline]
            fn bit(cell: u32) -> $t {
                1 << cell
            }
            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline]
            fn without_lowest(self) -> $t {
                self & self.wrapping_sub(1)
            }
            #[inline]
            fn plus(self, other: $t) -> $t {
                self.wrapping_add(other)
            }
            #[inline]
            fn reversed(self) -> $t {
                self.reverse_bits()
            }
            #[inline]
            fn low(self) -> u64 {
                self as u64
            }
        }
    };
}

word!(u64);
word!(u128);

/// Iterates over the cells of a set, lowest first.
#[derive(Clone, Copy, Debug)]
pub struct Cells<W>(W);

impl<W: Word> Iterator for Cells<W> {
    type Item = u32;
    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.0.is_empty() {
            return None;
        }
        let cell = self.0.lowest();
        self.0 = self.0.without_lowest();
        Some(cell)
    }
}
