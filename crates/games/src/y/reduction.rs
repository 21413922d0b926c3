//! Evaluation of Y by reduction.
//!
//! The idea is J. van Rijswijck's (*Search and evaluation in Hex*, 2002).
//! Every cell has a probability of being Max's in the end. A board of side n becomes one
//! of side n - 1, in which each cell stands for three cells that touch one another and is Max's
//! when two of them are. The winner of a full board stays the same, so what is left in the last
//! cell is an estimate of Max's chances: an exact one, were the cells of one step independent.

use crate::board::Word;

/// The longest side of a board: its square fits into 128 bits.
pub const MAX_SIDE: u32 = 11;

const MAX_CELLS: usize = (MAX_SIDE * (MAX_SIDE + 1) / 2) as usize;

/// What is left between an estimate and certainty.
const MARGIN: f64 = f64::EPSILON;

/// An estimate in (0, 1) of Max's chances with these stones on a board of this side, for a
/// position that is not over. The cell at place `i` of row `r` is bit `r * side + i`.
pub fn evaluate<W: Word>(side: u32, max: W, min: W) -> f64 {
    let mut chances = [0.5; MAX_CELLS];
    max.cells().for_each(|c| chances[place(side, c)] = 1.0);
    min.cells().for_each(|c| chances[place(side, c)] = 0.0);
    // Rounding may reach a bound that the exact value does not.
    reduce(side, &mut chances).clamp(MARGIN, 1.0 - MARGIN)
}

/// The value of the last cell, when each cell has this chance of being Max's.
fn reduce(side: u32, chances: &mut [f64; MAX_CELLS]) -> f64 {
    for smaller in (1..side as usize).rev() {
        let mut start = 0;
        for length in 1..=smaller {
            // Each cell with the two below it.
            let (above, below) = chances[start..].split_at_mut(length);
            for (a, pair) in above.iter_mut().zip(below[..=length].windows(2)) {
                *a = majority(*a, pair[0], pair[1]);
            }
            start += length;
        }
    }
    chances[0]
}

/// How much the estimate hangs on each cell: its derivative by the chance that the cell is
/// Max's, for the cell at the place that [`place`] tells. Large means that either side wants it.
///
/// The derivatives of all cells together cost as much as a few estimates: the boards are reduced
/// once, and then the last cell's part in itself, which is 1, is handed back to larger and larger
/// boards (reverse accumulation).
pub fn influence<W: Word>(side: u32, max: W, min: W) -> [f64; MAX_CELLS] {
    let side = side as usize;
    // The boards of side 1, 2, … one behind the other.
    let mut boards = [0.5; ALL_CELLS];
    let whole = &mut boards[cells_below(side)..];
    max.cells().for_each(|c| whole[place(side as u32, c)] = 1.0);
    min.cells().for_each(|c| whole[place(side as u32, c)] = 0.0);
    for smaller in (1..side).rev() {
        let (small, large) = boards.split_at_mut(cells_below(smaller + 1));
        let small = &mut small[cells_below(smaller)..];
        for_each_three(smaller, |a, b, c| small[a] = majority(large[a], large[b], large[c]));
    }
    let mut parts = [0.0; ALL_CELLS];
    parts[0] = 1.0;
    for smaller in 1..side {
        let (small, large) = parts.split_at_mut(cells_below(smaller + 1));
        let small = &small[cells_below(smaller)..];
        let chances = &boards[cells_below(smaller + 1)..];
        for_each_three(smaller, |a, b, c| {
            large[a] += small[a] * one_of(chances[b], chances[c]);
            large[b] += small[a] * one_of(chances[a], chances[c]);
            large[c] += small[a] * one_of(chances[a], chances[b]);
        });
    }
    let mut influence = [0.0; MAX_CELLS];
    let cells = side * (side + 1) / 2;
    influence[..cells].copy_from_slice(&parts[cells_below(side)..][..cells]);
    influence
}

/// How many cells all boards have that are smaller than this one.
const fn cells_below(side: usize) -> usize {
    (side - 1) * side * (side + 1) / 6
}

const ALL_CELLS: usize = cells_below(MAX_SIDE as usize + 1);

/// The place of a cell among all cells, row by row without gaps.
#[inline]
pub fn place(side: u32, cell: u32) -> usize {
    let row = cell / side;
    (row * (row + 1) / 2 + cell % side) as usize
}

/// Calls `f` with each cell of a board of this side as a part of the next larger board, and with
/// the two cells below it there. The cell has the same place on both boards.
#[inline]
fn for_each_three(side: usize, mut f: impl FnMut(usize, usize, usize)) {
    let mut a = 0;
    for length in 1..=side {
        for _ in 0..length {
            f(a, a + length, a + length + 1);
            a += 1;
        }
    }
}

/// The chance that just one of two independent events happens: by how much a third one changes
/// the chance of a majority.
#[inline]
fn one_of(b: f64, c: f64) -> f64 {
    b + c - 2.0 * (b * c)
}

/// The chance that two or three of three independent events happen.
#[inline]
fn majority(a: f64, b: f64, c: f64) -> f64 {
    a * one_of(b, c) + b * c
}

#[cfg(test)]
mod tests {
    use foregone_model::Rng;

    use super::*;
    use crate::y::tests::connects_slowly;

    fn board(side: u32) -> u128 {
        (0..side).fold(0, |w, r| w | u128::first(r + 1) << (r * side))
    }

    /// Some stones of both sides.
    fn random_position(side: u32, rng: &mut Rng) -> [u128; 2] {
        let mut stones = [0; 2];
        for cell in board(side).cells() {
            if let Some(own) = stones.get_mut(rng.below(4) as usize) {
                *own |= u128::bit(cell);
            }
        }
        stones
    }

    #[test]
    fn the_empty_board_is_even() {
        for side in 1..=MAX_SIDE {
            assert_eq!(evaluate(side, 0u128, 0u128), 0.5, "{side}");
        }
    }

    #[test]
    fn a_full_board_has_the_value_of_its_winner() {
        fn check(side: u32, max: u128) {
            let mut chances = [0.0; MAX_CELLS];
            for (chance, cell) in chances.iter_mut().zip(board(side).cells()) {
                *chance = f64::from(u8::from(max.has(cell)));
            }
            let winner = f64::from(u8::from(connects_slowly(side, |c| max.has(c))));
            assert_eq!(reduce(side, &mut chances), winner, "{side} {max:b}");
            let inside = evaluate(side, max, board(side) & !max);
            assert!(0.0 < inside && inside < 1.0 && (inside - winner).abs() < 1e-12);
        }
        for side in 1..=5 {
            // All subsets of the board, by counting in its bits.
            let mut max = 0u128;
            loop {
                check(side, max);
                max = max.wrapping_sub(board(side)) & board(side);
                if max == 0 {
                    break;
                }
            }
        }
        let mut rng = Rng::new(4);
        for side in 6..=MAX_SIDE {
            for _ in 0..500 {
                let coins = u128::from(rng.bits()) << 64 | u128::from(rng.bits());
                check(side, coins & board(side));
            }
        }
    }

    #[test]
    fn small_boards_by_hand() {
        // One stone of three: the other side needs both of the other cells.
        assert_eq!(evaluate(2, 0b001u64, 0), 0.75);
        assert_eq!(evaluate(2, 0, 0b0100u64), 0.25);
        assert_eq!(evaluate(2, 0b001u64, 0b1000), 0.5);
        assert_eq!(evaluate(1, 0u64, 0), 0.5);
    }

    #[test]
    fn influence_is_the_derivative() {
        let mut rng = Rng::new(7);
        for side in 1..=MAX_SIDE {
            for _ in 0..20 {
                let [max, min] = random_position(side, &mut rng);
                let influence = influence(side, max, min);
                let mut chances = [0.5; MAX_CELLS];
                max.cells().for_each(|c| chances[place(side, c)] = 1.0);
                min.cells().for_each(|c| chances[place(side, c)] = 0.0);
                for cell in board(side).cells() {
                    let at = place(side, cell);
                    let shifted = |by: f64| {
                        let mut chances = chances;
                        chances[at] += by;
                        reduce(side, &mut chances)
                    };
                    let slope = (shifted(1e-5) - shifted(-1e-5)) / 2e-5;
                    assert!((influence[at] - slope).abs() < 1e-6, "{side} {cell}");
                }
            }
        }
    }

    #[test]
    fn the_other_colours_have_the_other_chances() {
        let mut rng = Rng::new(5);
        for side in 1..=MAX_SIDE {
            for _ in 0..100 {
                let [max, min] = random_position(side, &mut rng);
                let sum = evaluate(side, max, min) + evaluate(side, min, max);
                assert!((sum - 1.0).abs() < 1e-9, "{side}: {sum}");
            }
        }
    }

    #[test]
    fn a_turned_or_mirrored_board_has_the_same_value() {
        let mut rng = Rng::new(6);
        for side in 1..=MAX_SIDE {
            let turn = |r: u32, c: u32| (side - 1 - c, r - c);
            let mirror = |r: u32, c: u32| (r, r - c);
            let moved = |set: u128, to: &dyn Fn(u32, u32) -> (u32, u32)| {
                let mut out = 0;
                for r in 0..side {
                    for c in 0..=r {
                        let (tr, tc) = to(r, c);
                        if set.has(r * side + c) {
                            out |= u128::bit(tr * side + tc);
                        }
                    }
                }
                out
            };
            for _ in 0..100 {
                let [max, min] = random_position(side, &mut rng);
                let value = evaluate(side, max, min);
                for to in [&turn as &dyn Fn(u32, u32) -> (u32, u32), &mirror] {
                    let other = evaluate(side, moved(max, to), moved(min, to));
                    assert!((value - other).abs() < 1e-9, "{side}: {value} {other}");
                }
            }
        }
    }
}
