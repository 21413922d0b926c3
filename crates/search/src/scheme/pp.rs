//! Product propagation: the chance of a win, as if the children were independent.
//!
//! After D. Stern, R. Herbrich and T. Graepel, *Learning to solve game trees* (2007), in the form
//! of *Solving Games and All That*, equations 2.23 to 2.26. Ours: products that round to 0 or 1
//! are moved back into the open interval, since only children that are solved may solve a node
//! (2.14; plain floating point breaks it on large trees).

use foregone_model::{Outcome, Side};

use super::{AnyScheme, Listed, Scheme, Thresholds};
use crate::leaves::Init;

/// The scheme of product propagation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pp;

impl Pp {
    /// The smallest value that is not solved.
    const LEAST: f64 = f64::MIN_POSITIVE;
    /// The greatest value that is not solved.
    const GREATEST: f64 = 1.0 - f64::EPSILON / 2.0;

    /// A chance as a value that is not solved, however near to 0 or 1 it is.
    #[inline]
    pub fn open(chance: f64) -> f64 {
        chance.clamp(Self::LEAST, Self::GREATEST)
    }
}

impl Listed for Pp {
    const WORD: &'static str = "pp";
    const ABOUT: &'static str = "product propagation";
    const LEAVES: &'static [Init] = &[Init::Mobility, Init::Evaluation, Init::Half, Init::Playout];

    fn inner(self) -> AnyScheme {
        self.into()
    }

    fn pair_key(key: f64) -> (i8, f64) {
        (0, key)
    }
}

impl Scheme for Pp {
    type Value = f64;
    type Key = f64;
    const COMPILED_FOR_ONE: bool = true;

    /// One half (2.25), or a chance between 0 and 1.
    #[inline]
    fn of_chance(&self, chance: f64) -> f64 {
        Pp::open(chance)
    }

    fn chance(&self, v: f64) -> f64 {
        v
    }

    fn text(&self, v: f64) -> String {
        format!("{v:.3}")
    }

    fn solved(&self, outcome: Outcome) -> f64 {
        if outcome == Outcome::WIN { 1.0 } else { 0.0 }
    }

    #[inline]
    fn outcome(&self, v: f64) -> Option<Outcome> {
        if v == 1.0 {
            Some(Outcome::WIN)
        } else if v == 0.0 {
            Some(Outcome::LOSS)
        } else {
            None
        }
    }

    /// What is nearly decided comes first, as the least effort does for proof numbers. Ours.
    fn priority(&self, v: f64) -> f64 {
        (v - 0.5).abs()
    }

    /// Max prefers high chances, Min low ones (2.26).
    #[inline]
    fn key(&self, side: Side, _context: f64, v: f64) -> f64 {
        match side {
            Side::Max => v,
            Side::Min => -v,
        }
    }

    /// The chance that some child is won, or that all are (2.24).
    #[inline(always)]
    fn update(&self, side: Side, children: impl Iterator<Item = f64>) -> f64 {
        let mut product = 1.0;
        match side {
            Side::Max => {
                let mut best = 0.0f64;
                for v in children {
                    product *= 1.0 - v;
                    best = best.max(v);
                }
                if best == 1.0 || best == 0.0 { best } else { Self::open(1.0 - product) }
            }
            Side::Min => {
                let mut worst = 1.0f64;
                for v in children {
                    product *= v;
                    worst = worst.min(v);
                }
                if worst == 1.0 || worst == 0.0 { worst } else { Self::open(product) }
            }
        }
    }
}

/// A child keeps the lead until its odds are twice as bad as those of the second. With less the
/// search comes back too often, with much more it is no best first search any more: from 1.25 to
/// 2 little changes, 4 costs three times the nodes on some boards.
const SLACK: f64 = 2.0;

/// Ours, after the thresholds of df-pn: a choice is left when its chance is so low or so high
/// that some choice above has a better child.
impl Thresholds for Pp {
    /// A low and a high chance that are reached.
    type Bounds = (f64, f64);

    const UNBOUNDED: (f64, f64) = (0.0, 1.0);

    #[inline]
    fn reached(&self, v: f64, (low, high): (f64, f64)) -> bool {
        v <= low || v >= high
    }

    /// The priority is how far from one half the chance is.
    fn bounds_of_root(&self, v: f64, rival: f64) -> (f64, f64) {
        let away = rival / SLACK;
        let (low, high) = (0.5 + away, 0.5 - away);
        if v > low {
            (low, 1.0)
        } else if v < high {
            (0.0, high)
        } else {
            Pp::UNBOUNDED
        }
    }

    fn bounds_of_child(
        &self,
        side: Side,
        (low, high): (f64, f64),
        children: impl Iterator<Item = f64>,
        best: usize,
    ) -> (f64, f64) {
        // The value of the best child, the second best, and the chance of all but the best.
        let (mut now, mut second, mut rest) = match side {
            Side::Max => (0.5, 0.0f64, 0.0),
            Side::Min => (0.5, 1.0f64, 1.0),
        };
        for (i, v) in children.enumerate() {
            match side {
                _ if i == best => now = v,
                Side::Max => {
                    second = second.max(v);
                    rest += v * (1.0 - rest);
                }
                Side::Min => {
                    second = second.min(v);
                    rest *= v;
                }
            }
        }
        // The chance that the child needs for the choice to have this one.
        let needed = |v: f64| match side {
            Side::Max => (v - rest) / (1.0 - rest),
            Side::Min => v / rest,
        };
        let times = |v: f64, factor: f64| {
            let odds = factor * v / (1.0 - v);
            if odds.is_finite() { odds / (1.0 + odds) } else { 1.0 }
        };
        // A bound that is reached already is none: then rounding stands between the child and
        // what was to follow, and leaving it again would change nothing.
        let lows = [needed(low), if side == Side::Max { times(second, 1.0 / SLACK) } else { 0.0 }];
        let highs = [needed(high), if side == Side::Min { times(second, SLACK) } else { 1.0 }];
        let low = lows.into_iter().filter(|&low| low < now).fold(0.0, f64::max);
        let high = highs.into_iter().filter(|&high| high > now).fold(1.0, f64::min);
        (low, high)
    }
}
