//! Product propagation: the chance of a win, as if the children were independent.
//!
//! After D. Stern, R. Herbrich and T. Graepel, *Learning to solve game trees* (2007), in the form
//! of *Solving Games and All That*, equations 2.23 to 2.26. Ours: products that round to 0 or 1
//! are moved back into the open interval, since only children that are solved may solve a node
//! (2.14; plain floating point breaks it on large trees).

use foregone_model::{Outcome, Side};

use super::Scheme;

/// The scheme of product propagation.
#[derive(Clone, Copy, Debug, Default)]
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

impl Scheme for Pp {
    type Value = f64;
    type Key = f64;

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
