//! Bounds and nothing else: the scheme `blind`.
//!
//! Example 7 of *Solving Games and All That*, equations 3.1 to 3.4: a value is the best outcome
//! that Max is known to reach and the best one that it may still reach. Max prefers what promises
//! most, Min what threatens least. The thesis counts the second one place further up.

use std::fmt;

use foregone_model::{Outcome, Side};

use super::Scheme;

/// The blind scheme.
#[derive(Clone, Copy, Debug)]
pub struct Blind;

/// Max reaches at least `low` and at most `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The pessimistic bound.
    pub low: Outcome,
    /// The optimistic bound.
    pub high: Outcome,
}

impl Range {
    /// The range of a choice of `side` from those of its children (3.8, 3.9).
    #[inline]
    pub(super) fn of(side: Side, children: impl Iterator<Item = Range>) -> Range {
        let pick = |a: Outcome, b: Outcome| if side == Side::Max { a.max(b) } else { a.min(b) };
        let both =
            |a: Range, b: Range| Range { low: pick(a.low, b.low), high: pick(a.high, b.high) };
        let none = match side {
            Side::Max => Outcome(0),
            Side::Min => Outcome(u16::MAX),
        };
        children.fold(Range { low: none, high: none }, both)
    }

    /// The part between two bounds. What lies outside does not matter to who asks.
    #[inline]
    pub(super) fn within(self, low: Outcome, high: Outcome) -> Range {
        Range { low: self.low.max(low), high: self.high.min(high) }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "from {} to {}", self.low.0, self.high.0)
    }
}

impl Scheme for Blind {
    type Value = Range;
    type Key = i32;
    const MANY: bool = true;

    fn solved(&self, outcome: Outcome) -> Range {
        Range { low: outcome, high: outcome }
    }

    #[inline]
    fn outcome(&self, v: Range) -> Option<Outcome> {
        (v.low == v.high).then_some(v.low)
    }

    #[inline]
    fn bounds(&self, v: Range) -> (Outcome, Outcome) {
        (v.low, v.high)
    }

    #[inline]
    fn within(&self, v: Range, low: Outcome, high: Outcome) -> Range {
        v.within(low, high)
    }

    /// Max is optimistic, Min too (3.2).
    #[inline]
    fn key(&self, side: Side, _context: Range, v: Range) -> i32 {
        match side {
            Side::Max => i32::from(v.high.0),
            Side::Min => -i32::from(v.low.0),
        }
    }

    #[inline]
    fn update(&self, side: Side, children: impl Iterator<Item = Range>) -> Range {
        Range::of(side, children)
    }
}
