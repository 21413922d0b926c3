//! The scheme of Example 4 of *Solving Games and All That*: real numbers, maximum and minimum.
//!
//! With a heuristic evaluation at the leaves this is a best first minimax search (R. E. Korf and
//! D. M. Chickering, 1996): it always goes on at the end of the line that it thinks best.

use foregone_model::{Outcome, Side};

use super::{AnyScheme, Listed, Scheme};
use crate::leaves::Init;

/// The scheme of best first minimax.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MinMax;

impl Listed for MinMax {
    const WORD: &'static str = "minmax";
    const ABOUT: &'static str = "best first minimax";
    const LEAVES: &'static [Init] = &[Init::Mobility, Init::Evaluation, Init::Zero, Init::Playout];

    fn inner(self) -> AnyScheme {
        self.into()
    }

    fn pair_key(key: f64) -> (i8, f64) {
        (0, key)
    }
}

impl Scheme for MinMax {
    type Value = f64;
    type Key = f64;

    /// Zero where nothing is known; a good position is above it, a bad one below.
    #[inline]
    fn of_chance(&self, chance: f64) -> f64 {
        chance - 0.5
    }

    fn chance(&self, v: f64) -> f64 {
        v + 0.5
    }

    fn text(&self, v: f64) -> String {
        format!("{v:.3}")
    }

    fn solved(&self, outcome: Outcome) -> f64 {
        if outcome == Outcome::WIN { f64::INFINITY } else { f64::NEG_INFINITY }
    }

    #[inline]
    fn outcome(&self, v: f64) -> Option<Outcome> {
        if v == f64::INFINITY {
            Some(Outcome::WIN)
        } else if v == f64::NEG_INFINITY {
            Some(Outcome::LOSS)
        } else {
            None
        }
    }

    /// What is nearly decided comes first. Ours.
    fn priority(&self, v: f64) -> f64 {
        v.abs()
    }

    #[inline]
    fn key(&self, side: Side, _context: f64, v: f64) -> f64 {
        match side {
            Side::Max => v,
            Side::Min => -v,
        }
    }

    #[inline]
    fn update(&self, side: Side, children: impl Iterator<Item = f64>) -> f64 {
        match side {
            Side::Max => children.fold(f64::NEG_INFINITY, f64::max),
            Side::Min => children.fold(f64::INFINITY, f64::min),
        }
    }
}
