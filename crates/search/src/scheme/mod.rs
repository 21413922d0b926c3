//! Information schemes: what a node of a best first search knows (Definition 5).
//!
//! To add a scheme: a file here that implements [`Scheme`] and [`Listed`], and a line in the list
//! in `list.rs`. The laws of Definition 7 are tested for every scheme in `tests/laws.rs`. With
//! [`Thresholds`] and a line in the second list the driver `df` takes it too.

use std::fmt;

use foregone_model::stored::Stored;
use foregone_model::{Outcome, Side};

use crate::leaves::Leaf;

mod blind;
mod list;
mod mcts;
mod minmax;
mod mps;
mod pn;
mod pp;
mod sbmcts;
mod slot;

pub use blind::{Blind, Range};
pub use list::{AnyScheme, DepthFirst};
pub use mcts::{Mcts, Tally};
pub use minmax::MinMax;
pub use mps::{Cost, Mps, Price};
pub use pn::{Effort, LambdaPn, Pn};
pub use pp::Pp;
pub use sbmcts::{Sample, Sbmcts};
pub use slot::{Listed, OptionValue, Slot};

/// An information scheme: for two outcomes (Definition 5), which a search multizes where there
/// are more (Definition 20), or for many outcomes at once (Definition 14).
///
/// Where the thesis has a total preorder of values for each player and context, this has a key:
/// a value with a higher key is preferred. Any total preorder can be written so, and a key is
/// computed once for a child instead of once for a comparison.
///
/// A scheme must be well formed (Definition 7, equations 2.10 to 2.14; Definition 16): solved
/// values are never preferred by the side they are bad for, and an update is solved exactly when
/// its children justify it.
pub trait Scheme {
    /// An information value. It sits in every node, so it is small.
    type Value: Copy + PartialEq + fmt::Debug + Stored;
    /// How much a value is preferred.
    type Key: Copy + PartialOrd;

    /// Whether a changed value is worth telling to all parents of a shared node at once. Solved
    /// values always are.
    #[inline]
    fn shares(&self) -> bool {
        true
    }

    /// Whether one value tells many outcomes apart.
    #[inline]
    fn many(&self) -> bool {
        false
    }

    /// Whether searches are compiled for this scheme with one value a node, too. That is faster,
    /// and costs building time for every game.
    const COMPILED_FOR_ONE: bool = false;

    /// Whether the shape of a choice or of an end matters (`Space::shape`).
    const SHAPED: bool = false;

    /// The value of a final state of this shape.
    #[inline(always)]
    fn end(&self, outcome: Outcome, _shape: u32) -> Self::Value {
        self.solved(outcome)
    }

    /// The value of a choice of this shape, from the values of its children.
    #[inline(always)]
    fn update_of(
        &self,
        _shape: u32,
        side: Side,
        children: impl Iterator<Item = Self::Value>,
    ) -> Self::Value {
        self.update(side, children)
    }

    /// What the proof behind a solved value costs, where proofs differ in cost: of several the
    /// cheapest is wanted.
    fn price(&self, _value: Self::Value) -> u64 {
        0
    }

    /// Whether a playout adds one node, and not all children of a leaf at once: children that were
    /// not looked at then have [`Scheme::unseen`].
    #[inline]
    fn one_node(&self) -> bool {
        false
    }

    /// The value of a child that was not looked at, in searches that add one node a playout. Nothing
    /// is known of it: the dummy child of section 4.3 of the master thesis of 2010.
    fn unseen(&self) -> Self::Value {
        self.of_chance(0.5)
    }

    /// Whether a child was not looked at.
    #[inline]
    fn is_unseen(&self, _value: Self::Value) -> bool {
        false
    }

    /// In searches that add one node a playout, the value of a choice after one more: as many playouts
    /// as `before` and that of `played`, and `proved` as its children tell it.
    #[inline]
    fn counted(
        &self,
        _before: Self::Value,
        proved: Self::Value,
        _played: Self::Value,
    ) -> Self::Value {
        proved
    }

    /// The value of a new leaf (ζ of Definition 8). A leaf that is not final never gets a solved
    /// value here, so that every information function is consistent and informative.
    #[inline]
    fn leaf<L: Leaf>(&self, leaf: &mut L) -> Self::Value {
        let chance = leaf.chance();
        self.of_chance(chance)
    }

    /// A value that is not solved, where nothing is known but an estimate of Max's chances.
    fn of_chance(&self, chance: f64) -> Self::Value;

    /// An estimate of Max's chances by a value that is not solved, from 0 to 1.
    fn chance(&self, value: Self::Value) -> f64;

    /// A value that is not solved as proof numbers, if that is what it is.
    fn effort(&self, _value: Self::Value) -> Option<Effort> {
        None
    }

    /// What a search of another scheme found, as a value of this one: `found` has what is known
    /// of each question about an outcome, and the value is about the question with this number.
    fn take(&self, found: &[Found], at: usize) -> Self::Value {
        match found[at] {
            Found::Solved(outcome) => self.solved(outcome),
            Found::Open { chance, .. } => self.of_chance(chance),
        }
    }

    /// A value as a short text.
    fn text(&self, value: Self::Value) -> String;

    /// The value of a solved state.
    fn solved(&self, outcome: Outcome) -> Self::Value;

    /// The outcome that a value stands for, if it is solved: the sets of top and bottom values.
    fn outcome(&self, value: Self::Value) -> Option<Outcome>;

    /// The pessimistic and the optimistic bound of a value (Definition 18).
    #[inline(always)]
    fn bounds(&self, value: Self::Value) -> (Outcome, Outcome) {
        self.outcome(value).map_or((Outcome::LOSS, Outcome::WIN), |o| (o, o))
    }

    /// The value of a solved state for the question with this number: whether Max reaches more
    /// than that many outcomes up the scale.
    #[inline(always)]
    fn solved_at(&self, outcome: Outcome, at: usize) -> Self::Value {
        if self.many() {
            return self.solved(outcome);
        }
        self.solved(if usize::from(outcome.0) > at { Outcome::WIN } else { Outcome::LOSS })
    }

    /// How attractive a question is whose value at the root is this one, which is not solved: the
    /// priority relation of Definition 19.
    fn priority(&self, _value: Self::Value) -> f64 {
        0.0
    }

    /// For schemes of many outcomes: a value of which only what lies between these bounds
    /// matters, or is possible.
    #[inline(always)]
    fn within(&self, value: Self::Value, _low: Outcome, _high: Outcome) -> Self::Value {
        value
    }

    /// For schemes that look at the labels of steps: a value whose step has a label with this mean
    /// for Max.
    #[inline(always)]
    fn labelled(&self, value: Self::Value, _mean: f64) -> Self::Value {
        value
    }

    /// How much `side` prefers to go on with a child of this value, `context` being the value of
    /// its parent.
    fn key(&self, side: Side, context: Self::Value, value: Self::Value) -> Self::Key;

    /// How much `side` would like to play to a child of this value if the search ended now. What
    /// is worth looking into is not always worth playing.
    #[inline]
    fn worth(&self, side: Side, context: Self::Value, value: Self::Value) -> Self::Key {
        self.key(side, context, value)
    }

    /// The value of a choice of `side` from the values of its children; there is at least one.
    fn update(&self, side: Side, children: impl Iterator<Item = Self::Value>) -> Self::Value;
}

/// What a search of any scheme knows of a question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Found {
    /// The answer.
    Solved(Outcome),
    /// How it looks.
    Open {
        /// Max's chances; never certain.
        chance: f64,
        /// Proof numbers, where the search had some.
        effort: Option<Effort>,
    },
}

impl Found {
    /// What a value of a scheme says.
    pub fn of<S: Scheme>(scheme: &S, value: S::Value) -> Found {
        match scheme.outcome(value) {
            Some(outcome) => Found::Solved(outcome),
            None => {
                Found::Open { chance: Pp::open(scheme.chance(value)), effort: scheme.effort(value) }
            }
        }
    }
}

/// A scheme that can be searched depth first: it tells how long to stay below a child.
pub trait Thresholds: Scheme {
    /// What the value of a choice may reach before the choice is left.
    type Bounds: Copy + Stored;

    /// The bounds of the root, which is left only when it is solved.
    const UNBOUNDED: Self::Bounds;

    /// Whether a value that is not solved has reached the bounds.
    fn reached(&self, value: Self::Value, bounds: Self::Bounds) -> bool;

    /// The bounds of a root with this value, if another question about it has this priority
    /// ([`Scheme::priority`]): it is left when that is more attractive by a little. The value is
    /// within them.
    fn bounds_of_root(&self, value: Self::Value, rival: f64) -> Self::Bounds;

    /// The bounds of the child that a choice of `side` prefers, from those of the choice: it is
    /// left when another child is better, and better by a little, since coming back costs more
    /// than staying too long; and when the choice is to be left. The value that the child has now
    /// is within them.
    fn bounds_of_child(
        &self,
        side: Side,
        bounds: Self::Bounds,
        children: impl Iterator<Item = Self::Value>,
        best: usize,
    ) -> Self::Bounds;
}
