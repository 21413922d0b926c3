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
    // Here the rows follow one another without gaps.
    let place = |cell: u32| (cell / side * (cell / side + 1) / 2 + cell % side) as usize;
    max.cells().for_each(|c| chances[place(c)] = 1.0);
    min.cells().for_each(|c| chances[place(c)] = 0.0);
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

/// The chance that two or three of three independent events happen.
#[inline]
fn majority(a: f64, b: f64, c: f64) -> f64 {
    let both = b * c;
    a * (b + c - 2.0 * both) + both
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
