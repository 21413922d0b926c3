//! Proof numbers: the effort that a proof or a disproof would still take.
//!
//! After L. V. Allis, M. van der Meulen and H. J. van den Herik, *Proof-number search* (1994), in
//! the form of *Solving Games and All That*, equations 2.15 to 2.17. Ours: numbers saturate one
//! below infinity, so that a sum never looks solved.

use foregone_model::{Outcome, Side};

use super::{AnyScheme, Found, Listed, Scheme, Slot, Thresholds};
use crate::leaves::{Init, Leaf};

/// The scheme of proof number search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pn;

/// Proof and disproof number (2.15).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The effort to prove.
    pub proof: u32,
    /// The effort to disprove.
    pub disproof: u32,
}

foregone_model::stored!(Effort { proof, disproof });

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

impl From<Effort> for Slot {
    fn from(v: Effort) -> Slot {
        Slot { number: f64::from(v.disproof), count: v.proof, ..Slot::default() }
    }
}

impl From<Slot> for Effort {
    fn from(slot: Slot) -> Effort {
        Effort { proof: slot.count, disproof: slot.number as u32 }
    }
}

impl Listed for Pn {
    const WORD: &'static str = "pn";
    const ABOUT: &'static str = "proof numbers";
    const LEAVES: &'static [Init] = &[Init::Mobility, Init::One];

    fn inner(self) -> AnyScheme {
        self.into()
    }

    fn pair_key(key: u32) -> (i8, f64) {
        (0, f64::from(key))
    }
}

impl Scheme for Pn {
    type Value = Effort;
    type Key = u32;
    const COMPILED_FOR_ONE: bool = true;

    /// One and one (2.18), or the moves that a disproof (at a Max choice) or a proof (at a Min
    /// choice) must answer at least.
    #[inline]
    fn leaf<L: Leaf>(&self, leaf: &mut L) -> Effort {
        let side = leaf.side();
        let moves = match leaf.init() {
            Init::Mobility => leaf.mobility(side).max(1),
            _ => 1,
        };
        match side {
            Side::Max => Effort { proof: 1, disproof: moves },
            Side::Min => Effort { proof: moves, disproof: 1 },
        }
    }

    /// The rarer a win looks, the more effort it seems to take.
    fn of_chance(&self, chance: f64) -> Effort {
        let effort = |p: f64| (1.0 / p).clamp(1.0, 1e6) as u32;
        Effort { proof: effort(chance), disproof: effort(1.0 - chance) }
    }

    fn chance(&self, v: Effort) -> f64 {
        f64::from(v.disproof) / (f64::from(v.proof) + f64::from(v.disproof))
    }

    fn effort(&self, v: Effort) -> Option<Effort> {
        Some(v)
    }

    fn take(&self, found: &[Found], at: usize) -> Effort {
        match found[at] {
            Found::Solved(outcome) => self.solved(outcome),
            Found::Open { effort: Some(effort), .. } => effort,
            Found::Open { chance, effort: None } => self.of_chance(chance),
        }
    }

    /// Proof number and disproof number.
    fn text(&self, v: Effort) -> String {
        let number = |n: u32| if n == INFINITE { "∞".to_owned() } else { n.to_string() };
        format!("{}/{}", number(v.proof), number(v.disproof))
    }

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
            if own == 0 {
                return match side {
                    Side::Max => Effort::WON,
                    Side::Min => Effort::LOST,
                };
            }
            least = least.min(own);
            sum += u64::from(other);
        }
        let sum = sum.min(u64::from(INFINITE - 1)) as u32;
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

    #[inline]
    fn leaf<L: Leaf>(&self, leaf: &mut L) -> Effort {
        Pn.leaf(leaf)
    }

    fn of_chance(&self, chance: f64) -> Effort {
        Pn.of_chance(chance)
    }

    fn chance(&self, v: Effort) -> f64 {
        Pn.chance(v)
    }

    fn text(&self, v: Effort) -> String {
        Pn.text(v)
    }

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
