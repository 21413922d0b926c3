//! Dyadic rationals: the numbers among short games.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Neg;

use crate::TooLarge;

/// A whole number over a power of two, in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Dyadic {
    num: i64,
    exp: u8,
}

/// The largest exponent of a denominator.
const MOST_HALVINGS: u32 = 62;

impl Dyadic {
    /// Nothing.
    pub const ZERO: Dyadic = Dyadic { num: 0, exp: 0 };
    /// One.
    pub const ONE: Dyadic = Dyadic { num: 1, exp: 0 };

    /// A whole number. The least of all 64-bit numbers has no negative and becomes the next one.
    pub const fn whole(num: i64) -> Dyadic {
        Dyadic { num: if num == i64::MIN { -i64::MAX } else { num }, exp: 0 }
    }

    /// `num` over 2 to the power of `exp`.
    pub fn new(num: i64, exp: u32) -> Result<Dyadic, TooLarge> {
        Dyadic::reduced(i128::from(num), exp)
    }

    /// A number in lowest terms by its parts.
    pub(crate) fn from_parts(num: i64, exp: u8) -> Dyadic {
        Dyadic { num, exp }
    }

    fn reduced(mut num: i128, mut exp: u32) -> Result<Dyadic, TooLarge> {
        let spare = num.trailing_zeros().min(exp);
        num >>= spare;
        exp -= spare;
        if num == 0 {
            return Ok(Dyadic::ZERO);
        }
        let num = i64::try_from(num).map_err(|_| TooLarge::Number)?;
        // The negative of every number is a number.
        if exp > MOST_HALVINGS || num == i64::MIN {
            return Err(TooLarge::Number);
        }
        Ok(Dyadic { num, exp: exp as u8 })
    }

    /// The numerator, in lowest terms.
    pub fn numerator(self) -> i64 {
        self.num
    }

    /// The exponent of the denominator, in lowest terms.
    pub fn exponent(self) -> u32 {
        u32::from(self.exp)
    }

    /// The number if it is whole.
    pub fn as_whole(self) -> Option<i64> {
        (self.exp == 0).then_some(self.num)
    }

    /// The largest whole number that is not larger.
    pub fn floor(self) -> i64 {
        self.num >> self.exp
    }

    /// The nearest floating-point number.
    pub fn to_f64(self) -> f64 {
        self.num as f64 / (1u64 << self.exp) as f64
    }

    /// The sum.
    pub fn plus(self, other: Dyadic) -> Result<Dyadic, TooLarge> {
        if (self.exp, other.exp) == (0, 0) {
            let sum = self.num.checked_add(other.num).filter(|&sum| sum != i64::MIN);
            return sum.map(Dyadic::whole).ok_or(TooLarge::Number);
        }
        let exp = self.exp.max(other.exp);
        let scaled = |d: Dyadic| i128::from(d.num) << (exp - d.exp);
        Dyadic::reduced(scaled(self) + scaled(other), u32::from(exp))
    }

    /// The difference.
    pub fn minus(self, other: Dyadic) -> Result<Dyadic, TooLarge> {
        self.plus(-other)
    }

    /// Its distance from zero.
    pub fn abs(self) -> Dyadic {
        Dyadic { num: self.num.abs(), ..self }
    }

    /// Half of it.
    pub fn half(self) -> Result<Dyadic, TooLarge> {
        Dyadic::new(self.num, u32::from(self.exp) + 1)
    }

    /// The day on which it is born.
    pub(crate) fn birthday(self) -> u64 {
        let size = self.num.unsigned_abs();
        let whole = size >> self.exp;
        if self.exp == 0 { whole } else { whole + 1 + u64::from(self.exp) }
    }

    /// The step to its neighbours of the day before: {x - s|x + s} is x, if x is not whole.
    pub(crate) fn step(self) -> Dyadic {
        Dyadic { num: 1, exp: self.exp }
    }

    /// The simplest number between two bounds, each with whether it may be reached itself, if there
    /// is one. Without a bound there is none on that side. The simplest number is the whole one of
    /// the least size, or else the one of the smallest denominator.
    pub(crate) fn simplest(
        low: Option<(Dyadic, bool)>,
        high: Option<(Dyadic, bool)>,
    ) -> Result<Option<Dyadic>, TooLarge> {
        let fits = |x: Dyadic| {
            let above = low.is_none_or(|(low, closed)| x > low || closed && x == low);
            let below = high.is_none_or(|(high, closed)| x < high || closed && x == high);
            above && below
        };
        if fits(Dyadic::ZERO) {
            return Ok(Some(Dyadic::ZERO));
        }
        // Step 1: the whole number nearest to zero is next to a bound.
        let near = |bound: Option<(Dyadic, bool)>| bound.map_or(0, |(bound, _)| bound.floor());
        let (a, b) = (near(low), near(high));
        let mut whole: Vec<i64> = vec![];
        for n in [a, b] {
            whole.extend([n.checked_sub(1), Some(n), n.checked_add(1)].into_iter().flatten());
        }
        whole.sort_by_key(|n| n.unsigned_abs());
        if let Some(n) = whole.into_iter().find(|&n| fits(Dyadic::whole(n))) {
            return Ok(Some(Dyadic::whole(n)));
        }
        // Step 2: the first halving that has a point between them. Both bounds lie between two
        // whole numbers, or there is nothing between them.
        let (Some((low, _)), Some((high, _))) = (low, high) else {
            return Err(TooLarge::Number);
        };
        if low > high || low == high && !fits(low) {
            return Ok(None);
        }
        for exp in 1..=MOST_HALVINGS.min(u32::from(low.exp.max(high.exp)) + 1) {
            // The point of this denominator at or below the lower bound, and the one behind it.
            let shifted = match u32::from(low.exp) >= exp {
                true => i128::from(low.num) >> (u32::from(low.exp) - exp),
                false => i128::from(low.num) << (exp - u32::from(low.exp)),
            };
            for num in shifted..=shifted + 1 {
                let x = Dyadic::reduced(num, exp)?;
                if fits(x) {
                    return Ok(Some(x));
                }
            }
        }
        // There is a number, but its denominator is too large.
        Err(TooLarge::Number)
    }
}

impl Neg for Dyadic {
    type Output = Dyadic;

    fn neg(self) -> Dyadic {
        Dyadic { num: -self.num, ..self }
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Dyadic) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Dyadic) -> Ordering {
        if self.exp == other.exp {
            return self.num.cmp(&other.num);
        }
        let scaled = |a: Dyadic, b: Dyadic| i128::from(a.num) << b.exp;
        scaled(*self, *other).cmp(&scaled(*other, *self))
    }
}

impl fmt::Display for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exp {
            0 => write!(f, "{}", self.num),
            exp => write!(f, "{}/{}", self.num, 1u64 << exp),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn d(num: i64, exp: u32) -> Dyadic {
        Dyadic::new(num, exp).unwrap()
    }

    #[test]
    fn arithmetic_is_in_lowest_terms() {
        assert_eq!(d(1, 1).plus(d(1, 1)), Ok(Dyadic::ONE));
        assert_eq!(d(3, 2).minus(d(1, 1)), Ok(d(1, 2)));
        assert_eq!(d(-6, 2).to_string(), "-3/2");
        assert_eq!(d(-3, 1).floor(), -2);
        assert!(d(1, 1) > d(1, 2) && d(-1, 1) < Dyadic::ZERO);
        assert_eq!(Dyadic::whole(i64::MAX).plus(Dyadic::ONE), Err(TooLarge::Number));
        assert_eq!(Dyadic::new(1, 63), Err(TooLarge::Number));
        assert_eq!(-Dyadic::whole(i64::MIN), Dyadic::whole(i64::MAX));
        assert_eq!([d(0, 0), d(-3, 0), d(1, 1), d(-3, 2)].map(Dyadic::birthday), [0, 3, 2, 3]);
    }

    #[test]
    fn the_simplest_number_is_the_first_born() {
        let open = |num, exp| Some((d(num, exp), false));
        let closed = |num, exp| Some((d(num, exp), true));
        for (low, high, expected) in [
            (None, None, Some(d(0, 0))),
            (open(0, 0), open(1, 0), Some(d(1, 1))),
            (open(1, 1), None, Some(d(1, 0))),
            (open(5, 1), None, Some(d(3, 0))),
            (None, open(-7, 1), Some(d(-4, 0))),
            (open(1, 2), open(1, 0), Some(d(1, 1))),
            (open(3, 3), open(1, 1), Some(d(7, 4))),
            (open(-3, 0), open(5, 0), Some(d(0, 0))),
            (open(0, 0), open(0, 0), None),
            (closed(0, 0), closed(0, 0), Some(d(0, 0))),
            (closed(3, 2), closed(3, 2), Some(d(3, 2))),
            (open(1, 0), closed(2, 0), Some(d(2, 0))),
            (open(1, 0), open(1, 1), None),
            (closed(5, 3), open(6, 3), Some(d(5, 3))),
            (open(-2, 0), open(-1, 0), Some(d(-3, 1))),
        ] {
            assert_eq!(Dyadic::simplest(low, high), Ok(expected), "{low:?} {high:?}");
        }
        assert_eq!(Dyadic::simplest(open(0, 0), open(1, 62)), Err(TooLarge::Number));
    }
}
