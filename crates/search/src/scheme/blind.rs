//! Bounds and nothing else: the scheme `blind`.
//!
//! Example 7 of *Solving Games and All That*, equations 3.1 to 3.4: a value is the best outcome
//! that Max is known to reach and the best one that it may still reach. Max prefers what promises
//! most, Min what threatens least. The thesis counts the second one place further up.

use foregone_model::{Outcome, Side};

use super::{AnyScheme, Found, Listed, Pn, Scheme, Slot};
use crate::leaves::{Init, Leaf};

/// The blind scheme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Blind;

/// Max reaches at least `low` and at most `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The pessimistic bound.
    pub low: Outcome,
    /// The optimistic bound.
    pub high: Outcome,
}

foregone_model::stored!(Range { low, high });

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

impl Range {
    /// The range that questions make that are solved.
    pub(super) fn found(found: &[Found]) -> Range {
        let count = |outcome| {
            found.iter().filter(|f| matches!(f, Found::Solved(o) if *o == outcome)).count() as u16
        };
        let high = found.len() as u16 - count(Outcome::LOSS);
        Range { low: Outcome(count(Outcome::WIN)), high: Outcome(high) }
    }

    pub(super) fn text(self) -> String {
        if self.low == self.high {
            return self.low.0.to_string();
        }
        format!("{}..{}", self.low.0, self.high.0)
    }
}

impl From<Range> for Slot {
    fn from(v: Range) -> Slot {
        Slot { pair: [v.low.0, v.high.0], ..Slot::default() }
    }
}

impl From<Slot> for Range {
    fn from(slot: Slot) -> Range {
        Range { low: Outcome(slot.pair[0]), high: Outcome(slot.pair[1]) }
    }
}

impl Listed for Blind {
    const WORD: &'static str = "blind";
    const ABOUT: &'static str = "bounds of the value and nothing else";
    const LEAVES: &'static [Init] = &[Init::One];

    /// Bounds alone do not guide an inner search.
    fn inner(self) -> AnyScheme {
        Pn.into()
    }

    fn pair_key(key: i32) -> (i8, f64) {
        (0, f64::from(key))
    }
}

impl Scheme for Blind {
    type Value = Range;
    type Key = i32;

    fn many(&self) -> bool {
        true
    }

    /// Everything is possible (Proposition 15).
    fn leaf<L: Leaf>(&self, leaf: &mut L) -> Range {
        Range { low: Outcome(0), high: leaf.best() }
    }

    /// A chance is not a bound.
    fn of_chance(&self, _chance: f64) -> Range {
        Range { low: Outcome::LOSS, high: Outcome::WIN }
    }

    fn chance(&self, _v: Range) -> f64 {
        0.5
    }

    fn take(&self, found: &[Found], _at: usize) -> Range {
        Range::found(found)
    }

    fn text(&self, v: Range) -> String {
        v.text()
    }

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
