//! Information schemes: what a node of a best first search knows (Definition 5).
//!
//! To add a scheme: a file here, a line in this list, its leaf values in `inform.rs`, its word
//! and options in the `foregone` crate. The laws of Definition 7 are tested for every scheme in
//! `tests/laws.rs`.

use std::fmt;

use foregone_model::{Outcome, Side};

mod mcts;
mod minmax;
mod pn;
mod pp;

pub use mcts::{Mcts, Tally};
pub use minmax::MinMax;
pub use pn::{Effort, Pn};
pub use pp::Pp;

/// An information scheme (Definition 5) for two outcomes.
///
/// Where the thesis has a total preorder of values for each player and context, this has a key:
/// a value with a higher key is preferred. Any total preorder can be written so, and a key is
/// computed once for a child instead of once for a comparison.
///
/// A scheme must be well formed (Definition 7, equations 2.10 to 2.14): solved values are never
/// preferred by the side they are bad for, and an update is solved exactly when its children
/// justify it.
pub trait Scheme {
    /// An information value. It sits in every node, so it is small.
    type Value: Copy + PartialEq + fmt::Debug + fmt::Display;
    /// How much a value is preferred.
    type Key: Copy + PartialOrd;

    /// Whether a changed value is worth telling to all parents of a shared node at once. Solved
    /// values always are.
    const SHARES: bool = true;

    /// The value of a solved state.
    fn solved(&self, outcome: Outcome) -> Self::Value;

    /// The outcome that a value stands for, if it is solved: the sets of top and bottom values.
    fn outcome(&self, value: Self::Value) -> Option<Outcome>;

    /// How much `side` prefers to go on with a child of this value, `context` being the value of
    /// its parent.
    fn key(&self, side: Side, context: Self::Value, value: Self::Value) -> Self::Key;

    /// The value of a choice of `side` from the values of its children; there is at least one.
    fn update(&self, side: Side, children: impl Iterator<Item = Self::Value>) -> Self::Value;
}
