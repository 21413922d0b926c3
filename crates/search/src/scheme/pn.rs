//! Proof numbers: the effort that a proof or a disproof would still take.
//!
//! After L. V. Allis, M. van der Meulen and H. J. van den Herik, *Proof-number search* (1994), in
//! the form of *Solving Games and All That*, equations 2.15 to 2.17. Ours: numbers saturate one
//! below infinity, so that a sum never looks solved.

use std::fmt;

use foregone_model::{Outcome, Side};

use super::{Scheme, Thresholds};

/// The scheme of proof number search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pn;

/// Proof and disproof number (2.15).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The effort to prove.
    pub proof: u32,
    /// The effort to disprove.
    pub disproof: u32,
}

const INFINITE: u32 = u32::MAX;

impl Effort {
    const WON: Effort = Effort { proof: 0, disproof: INFINITE };
    const LOST: Effort = Effort { proof: INFINITE, disproof: 0 };

    /// The effort seen from `side`: first what that side needs, then what the other needs.
    #[inline]
    fn seen_by(self, side: Side) -> (u32, u32) {
        match side {
            Side::Max => (self.proof, self.disproof),
            Side::Min => (self.disproof, self.proof),
        }
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |n: u32| {
            if n == INFINITE { "∞".to_owned() } else { n.to_string() }
        };
        write!(f, "pn {} dn {}", number(self.proof), number(self.disproof))
    }
}

impl Scheme for Pn {
    type Value = Effort;
    type Key = u32;

    fn solved(&self, outcome: Outcome) -> Effort {
        if outcome == Outcome::WIN { Effort::WON } else { Effort::LOST }
    }

    #[inline]
    fn outcome(&self, v: Effort) -> Option<Outcome> {
        match v {
            Effort::WON => Some(Outcome::WIN),
            Effort::LOST => Some(Outcome::LOSS),
            _ => None,
        }
    }

    /// The least effort, to prove or to disprove (3.22).
    fn priority(&self, v: Effort) -> f64 {
        -(f64::from(v.proof) + f64::from(v.disproof))
    }

    /// Fewer is better (2.16).
    #[inline]
    fn key(&self, side: Side, _context: Effort, v: Effort) -> u32 {
        INFINITE - v.seen_by(side).0
    }

    /// The minimum of what the side on turn needs, the sum of what the other needs (2.17).
    #[inline(always)]
    fn update(&self, side: Side, children: impl Iterator<Item = Effort>) -> Effort {
        let mut least = INFINITE;
        let mut sum = 0u64;
        for v in children {
            let (own, other) = v.seen_by(side);
            least = least.min(own);
            sum += u64::from(other);
        }
        let sum = match least {
            0 => INFINITE,
            _ => sum.min(u64::from(INFINITE - 1)) as u32,
        };
        match side {
            Side::Max => Effort { proof: least, disproof: sum },
            Side::Min => Effort { proof: sum, disproof: least },
        }
    }
}

/// Proof numbers for λ-search on formulas (the footnote of Table 4.13): the effort for both parts
/// of a conjunction is that for the harder one, since a threat and the tree that it holds up have
/// much in common. After K. Yoshizoe, A. Kishimoto and M. Müller (2007).
#[derive(Clone, Debug)]
pub struct LambdaPn {
    /// Which shapes of choices are ∧ or ∨.
    pub parts: Vec<bool>,
}

impl Scheme for LambdaPn {
    type Value = Effort;
    type Key = u32;

    const SHAPED: bool = true;

    fn solved(&self, outcome: Outcome) -> Effort {
        Pn.solved(outcome)
    }

    fn outcome(&self, v: Effort) -> Option<Outcome> {
        Pn.outcome(v)
    }

    fn priority(&self, v: Effort) -> f64 {
        Pn.priority(v)
    }

    #[inline]
    fn key(&self, side: Side, context: Effort, v: Effort) -> u32 {
        Pn.key(side, context, v)
    }

    fn update(&self, side: Side, children: impl Iterator<Item = Effort>) -> Effort {
        Pn.update(side, children)
    }

    #[inline]
    fn update_of(&self, shape: u32, side: Side, children: impl Iterator<Item = Effort>) -> Effort {
        if !self.parts[shape as usize] {
            return Pn.update(side, children);
        }
        let (mut least, mut most) = (INFINITE, 0);
        for v in children {
            let (own, other) = v.seen_by(side);
            least = least.min(own);
            most = most.max(other);
        }
        match side {
            Side::Max => Effort { proof: least, disproof: most },
            Side::Min => Effort { proof: most, disproof: least },
        }
    }
}

/// The 1 + ε trick: a child keeps the lead until it is a quarter worse than the second.
const EPSILON: u64 = 4;

/// The thresholds of df-pn (A. Nagai, 2002), with the 1 + ε trick of J. Pawlewicz and Ł. Lew
/// (2007).
impl Thresholds for Pn {
    /// A number that is reached.
    type Bounds = Effort;

    const UNBOUNDED: Effort = Effort { proof: INFINITE, disproof: INFINITE };

    #[inline]
    fn reached(&self, v: Effort, bounds: Effort) -> bool {
        v.proof >= bounds.proof || v.disproof >= bounds.disproof
    }

    /// The priority is the sum of both numbers, so either may grow by what the sum may.
    fn bounds_of_root(&self, v: Effort, rival: f64) -> Effort {
        let sum = u64::from(v.proof) + u64::from(v.disproof);
        let most = (-rival as u64).max(sum);
        let more = most + most / EPSILON + 1 - sum;
        let grown = |n: u32| (u64::from(n) + more).min(u64::from(INFINITE)) as u32;
        Effort { proof: grown(v.proof), disproof: grown(v.disproof) }
    }

    fn bounds_of_child(
        &self,
        side: Side,
        bounds: Effort,
        children: impl Iterator<Item = Effort>,
        best: usize,
    ) -> Effort {
        let (own_bound, other_bound) = bounds.seen_by(side);
        let mut second = INFINITE;
        let mut rest = 0u64;
        for (i, v) in children.enumerate() {
            let (own, other) = v.seen_by(side);
            if i != best {
                second = second.min(own);
                rest += u64::from(other);
            }
        }
        let second = u64::from(second);
        let lead = (second + 1).max(second + second / EPSILON).min(u64::from(INFINITE)) as u32;
        let own = own_bound.min(lead);
        let other = match other_bound {
            INFINITE => INFINITE,
            n => u64::from(n).saturating_sub(rest).max(1) as u32,
        };
        match side {
            Side::Max => Effort { proof: own, disproof: other },
            Side::Min => Effort { proof: other, disproof: own },
        }
    }
}
