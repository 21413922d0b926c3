//! Words for boards that do not fit 128 bits: four times 64 for sides up to 16, and six times, enough
//! for the 361 points of a board of 19 x 19.

use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

use foregone_model::stored::Stored;

use crate::board::Word;

/// A set of up to 64 times so many cells, the lowest ones in the first part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Words<const PARTS: usize>([u64; PARTS]);

/// Up to 256 cells.
pub type Quad = Words<4>;
/// Up to 384 cells.
pub type Wide = Words<6>;

impl<const PARTS: usize> Stored for Words<PARTS> {
    #[inline]
    fn store(&self, out: &mut Vec<u8>) {
        self.0.store(out);
    }

    #[inline]
    fn restore(from: &mut &[u8]) -> Option<Self> {
        Stored::restore(from).map(Words)
    }
}

impl<const PARTS: usize> Words<PARTS> {
    #[inline]
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        let mut parts = self.0;
        for (part, &other) in parts.iter_mut().zip(&other.0) {
            *part = f(*part, other);
        }
        Words(parts)
    }
}

impl<const PARTS: usize> From<u64> for Words<PARTS> {
    fn from(low: u64) -> Self {
        let mut parts = [0; PARTS];
        parts[0] = low;
        Words(parts)
    }
}

impl<const PARTS: usize> Not for Words<PARTS> {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Words(self.0.map(|part| !part))
    }
}

impl<const PARTS: usize> BitAnd for Words<PARTS> {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}

impl<const PARTS: usize> BitOr for Words<PARTS> {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
}

impl<const PARTS: usize> BitXor for Words<PARTS> {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
}

impl<const PARTS: usize> Shl<u32> for Words<PARTS> {
    type Output = Self;
    #[inline]
    fn shl(self, n: u32) -> Self {
        debug_assert!(n < Self::BITS, "a shift stays within the word");
        let (whole, bits) = ((n / 64) as usize, n % 64);
        let mut parts = [0; PARTS];
        for (from, &part) in self.0[..PARTS - whole].iter().enumerate() {
            let to = from + whole;
            parts[to] |= part << bits;
            // A shift by all 64 bits is not defined, and would bring nothing.
            if bits > 0 && to + 1 < PARTS {
                parts[to + 1] = part >> (64 - bits);
            }
        }
        Words(parts)
    }
}

impl<const PARTS: usize> Shr<u32> for Words<PARTS> {
    type Output = Self;
    #[inline]
    fn shr(self, n: u32) -> Self {
        debug_assert!(n < Self::BITS, "a shift stays within the word");
        let (whole, bits) = ((n / 64) as usize, n % 64);
        let mut parts = [0; PARTS];
        for i in whole..PARTS {
            let to = i - whole;
            parts[to] = self.0[i] >> bits;
            if bits > 0 && i + 1 < PARTS {
                parts[to] |= self.0[i + 1] << (64 - bits);
            }
        }
        Words(parts)
    }
}

impl<const PARTS: usize> Word for Words<PARTS> {
    const BITS: u32 = 64 * PARTS as u32;
    const ZERO: Self = Words([0; PARTS]);

    #[inline]
    fn bit(cell: u32) -> Self {
        let mut parts = [0; PARTS];
        parts[(cell / 64) as usize] = 1 << (cell % 64);
        Words(parts)
    }

    #[inline]
    fn has(self, cell: u32) -> bool {
        self.0[(cell / 64) as usize] >> (cell % 64) & 1 == 1
    }

    #[inline]
    fn count(self) -> u32 {
        self.0.iter().map(|part| part.count_ones()).sum()
    }

    #[inline]
    fn lowest(self) -> u32 {
        let first = self.0.iter().position(|&part| part != 0).unwrap_or(PARTS - 1);
        64 * first as u32 + self.0[first].trailing_zeros()
    }

    #[inline]
    fn without_lowest(self) -> Self {
        let mut parts = self.0;
        if let Some(part) = parts.iter_mut().find(|part| **part != 0) {
            *part &= *part - 1;
        }
        Words(parts)
    }

    #[inline]
    fn plus(self, other: Self) -> Self {
        let mut parts = self.0;
        let mut carry = false;
        for (part, &other) in parts.iter_mut().zip(&other.0) {
            let (sum, one) = part.overflowing_add(other);
            let (sum, two) = sum.overflowing_add(u64::from(carry));
            *part = sum;
            carry = one | two;
        }
        Words(parts)
    }

    #[inline]
    fn reversed(self) -> Self {
        let mut parts = self.0.map(u64::reverse_bits);
        parts.reverse();
        Words(parts)
    }

    #[inline]
    fn low(self) -> u64 {
        self.0[0]
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::Rng;

    use super::*;
    use crate::board::Grid;

    fn random(rng: &mut Rng) -> Wide {
        Words([0; 6].map(|_: u64| if rng.below(3) == 0 { rng.bits() } else { 0 }))
    }

    /// The set with each cell moved, one by one.
    fn moved(set: Wide, to: impl Fn(u32) -> Option<u32>) -> Wide {
        (0..Wide::BITS)
            .filter(|&cell| set.has(cell))
            .filter_map(to)
            .fold(Wide::ZERO, |w, cell| w | Wide::bit(cell))
    }

    #[test]
    fn everything_agrees_with_going_cell_by_cell() {
        let mut rng = Rng::new(1);
        for round in 0..400 {
            let (x, y) = (random(&mut rng), random(&mut rng));
            let n = if round < 20 { 32 * (round % 12) } else { rng.below(Wide::BITS) };
            assert_eq!(x << n, moved(x, |c| (c + n < Wide::BITS).then(|| c + n)));
            assert_eq!(x >> n, moved(x, |c| c.checked_sub(n)));
            assert_eq!(x.reversed(), moved(x, |c| Some(Wide::BITS - 1 - c)));
            let cells: Vec<u32> = (0..Wide::BITS).filter(|&c| x.has(c)).collect();
            assert_eq!(x.cells().collect::<Vec<_>>(), cells);
            assert_eq!((x.count() as usize, x.is_empty()), (cells.len(), cells.is_empty()));
            for c in 0..Wide::BITS {
                assert_eq!((x & y).has(c), x.has(c) & y.has(c));
                assert_eq!((x | y).has(c), x.has(c) | y.has(c));
                assert_eq!((x ^ y).has(c), x.has(c) ^ y.has(c));
                assert_eq!((!x).has(c), !x.has(c));
            }
            assert_eq!(Wide::first(n), moved(!Wide::ZERO, |c| (c < n).then_some(c)));
            assert_eq!(x.plus(y), y.plus(x));
            // A number and its complement are all ones together; one more is nothing.
            assert_eq!(x.plus(!x), !Wide::ZERO);
            assert_eq!(x.plus(!x).plus(Wide::bit(0)), Wide::ZERO);
            assert_eq!(Wide::from(x.low()), x & Wide::first(64));
        }
    }

    #[test]
    fn the_largest_grid_keeps_its_edges() {
        for (rows, cols) in [(19, 19), (13, 19), (19, 2), (18, 18)] {
            let grid: Grid<Wide> = Grid::new(rows, cols);
            for cell in 0..rows * cols {
                let (r, c) = (cell / cols, cell % cols);
                let at = |ok: bool, r: u32, c: u32| {
                    if ok { Wide::bit(r * cols + c) } else { Wide::ZERO }
                };
                let x = Wide::bit(cell);
                let north = at(r + 1 < rows, r + 1, c);
                let south = at(r > 0, r.wrapping_sub(1) % rows, c);
                let east = at(c + 1 < cols, r, c + 1);
                let west = at(c > 0, r, c.wrapping_sub(1) % cols);
                assert_eq!(grid.around(x), north | south | east | west);
                let mut images = [x; 2];
                grid.mirror_columns(&mut images[1..]);
                assert_eq!(images[1], at(true, r, cols - 1 - c));
                if rows == cols {
                    grid.transpose(&mut images[..1]);
                    assert_eq!(images[0], at(true, c, r));
                }
            }
        }
    }
}
