//! Values that need no options: a number, some ups, and a nimber.

use std::cmp::Ordering;

use crate::number::Dyadic;
use crate::stop::Stop;

/// The sum of a number, `ups` times up, and the nimber `*nim`. Most values of small games are of this
/// kind, and they are added and compared without a look at any option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Plain {
    /// The number.
    pub number: Dyadic,
    /// How many ups; downs are negative.
    pub ups: i32,
    /// The nimber; 0 is none and 1 is star.
    pub nim: u32,
}

impl Plain {
    /// A number alone.
    pub const fn from_number(number: Dyadic) -> Plain {
        Plain { number, ups: 0, nim: 0 }
    }

    /// The number, if there is nothing else.
    pub fn as_number(self) -> Option<Dyadic> {
        (self.ups == 0 && self.nim == 0).then_some(self.number)
    }

    /// The negative. The least count of ups has none and is kept out by who makes values.
    pub(crate) fn negative(self) -> Plain {
        Plain { number: -self.number, ups: self.ups.saturating_neg(), nim: self.nim }
    }

    /// Is the part without the number at least zero?
    fn rest_is_at_least_zero(self) -> bool {
        match self.ups {
            ups if ups > 1 => true,
            // Up is confused with star, and larger than any other nimber.
            1 => self.nim != 1,
            0 => self.nim == 0,
            _ => false,
        }
    }

    /// Is it at most the other?
    pub(crate) fn at_most(self, other: Plain) -> bool {
        match self.number.cmp(&other.number) {
            Ordering::Less => true,
            Ordering::Greater => false,
            Ordering::Equal => Plain {
                number: Dyadic::ZERO,
                ups: other.ups.saturating_sub(self.ups),
                nim: self.nim ^ other.nim,
            }
            .rest_is_at_least_zero(),
        }
    }

    /// Where play from it stops if Left begins, and if Right begins.
    pub(crate) fn stops(self) -> (Stop, Stop) {
        let rest = Plain { number: Dyadic::ZERO, ..self };
        let stop = |right_moves| Stop { number: self.number, right_moves };
        (stop(!rest.negative().rest_is_at_least_zero()), stop(rest.rest_is_at_least_zero()))
    }

    /// The day on which it is born.
    pub(crate) fn birthday(self) -> u64 {
        self.number.birthday() + self.depth_of_rest()
    }

    /// How many moves the part without the number can last.
    pub(crate) fn depth_of_rest(self) -> u64 {
        // The chain {0|...} leads down to a nimber, star once more in between.
        let ups = self.ups.unsigned_abs();
        let nim = self.nim ^ (ups & 1);
        u64::from(ups) + u64::from(if ups > 0 { nim.max(1) } else { self.nim })
    }
}
