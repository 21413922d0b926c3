//! Score bounded Monte Carlo tree search: the scheme `sbmcts`.
//!
//! T. Cazenave and A. Saffidine, *Score bounded Monte-Carlo tree search* (2010), in the form of
//! *Solving Games and All That*, equations 3.11 to 3.16: random plays, and bounds of the score
//! that they never contradict. A child that cannot improve on what its parent is known to be
//! worth, nor on the relevancy bounds of the path, is never followed (the cuts of section 4.3).
//! Bounds also bias the selection: γ times the bound that the side on turn is sure of and δ times
//! the one it may hope for are added to a child's mean.

use std::fmt;

use foregone_model::{Outcome, Side};

use super::Scheme;
use super::blind::Range;

/// The scheme of score bounded MCTS for a space whose best outcome is `best`.
#[derive(Clone, Copy, Debug)]
pub struct Sbmcts {
    /// The best outcome.
    pub best: Outcome,
    /// The constant before the square root of the UCB formula.
    pub exploration: f64,
    /// The weight of the bound that the side on turn is sure of.
    pub gamma: f64,
    /// The weight of the bound that the side on turn may hope for.
    pub delta: f64,
}

/// What random plays and bounds say (3.11).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The sum of what the plays were worth, between 0 and 1 each.
    pub reward: f64,
    /// How many there were.
    pub playouts: u32,
    /// The bounds.
    pub range: Range,
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "mean {:.3} {}", self.reward / f64::from(self.playouts), self.range)
    }
}

impl Sbmcts {
    /// A bound as a part of the scale.
    fn part(&self, o: Outcome) -> f64 {
        f64::from(o.0) / f64::from(self.best.0)
    }
}

impl Scheme for Sbmcts {
    type Value = Sample;
    /// Whether the child can matter, then the upper confidence bound (3.12).
    type Key = (bool, f64);
    /// The simple way: playouts are counted along the path on which they were made.
    const SHARES: bool = false;
    const MANY: bool = true;

    fn solved(&self, outcome: Outcome) -> Sample {
        let range = Range { low: outcome, high: outcome };
        Sample { reward: self.part(outcome), playouts: 1, range }
    }

    #[inline]
    fn outcome(&self, v: Sample) -> Option<Outcome> {
        (v.range.low == v.range.high).then_some(v.range.low)
    }

    #[inline]
    fn bounds(&self, v: Sample) -> (Outcome, Outcome) {
        (v.range.low, v.range.high)
    }

    #[inline]
    fn within(&self, v: Sample, low: Outcome, high: Outcome) -> Sample {
        Sample { range: v.range.within(low, high), ..v }
    }

    #[inline]
    fn key(&self, side: Side, context: Sample, v: Sample) -> (bool, f64) {
        let count = f64::from(v.playouts);
        let mean = v.reward / count;
        let bonus = self.exploration * (f64::from(context.playouts).ln() / count).sqrt();
        let (low, high) = (self.part(v.range.low), self.part(v.range.high));
        match side {
            Side::Max => {
                let matters = v.range.high > context.range.low;
                (matters, mean + self.gamma * low + self.delta * high + bonus)
            }
            Side::Min => {
                let matters = v.range.low < context.range.high;
                (matters, bonus - mean - self.gamma * high - self.delta * low)
            }
        }
    }

    #[inline]
    fn update(&self, side: Side, children: impl Iterator<Item = Sample>) -> Sample {
        let (mut reward, mut playouts) = (0.0, 0u32);
        let ranges = children.map(|v| {
            reward += v.reward;
            playouts = playouts.saturating_add(v.playouts);
            v.range
        });
        let range = Range::of(side, ranges);
        Sample { reward, playouts, range }
    }
}
