//! Formulas: Multi-agent Modal Logic K over the states of a game.
//!
//! After A. Saffidine and T. Cazenave, *A General Multi-Agent Modal Logic K Framework for Game
//! Tree Search*, and chapter 4 of *Solving Games and All That* (Definitions 21 to 25). An atom is
//! a proposition about a state; `<A> f` (◇) says that agent A has a move to a state where `f`
//! holds, `[A] f` (□) that all its moves lead to such states.
//!
//! Ours: negations are pushed down to the atoms when a formula is read, so that a formula is made
//! of literals, ∧, ∨, □ and ◇ only, and equal subformulas are one. Then `n` of `omega(n)` costs
//! a few nodes for each step, however often they come up.
//!
//! `parse.rs` has the grammar, `library.rs` and `read.rs` say what texts mean, `node.rs` has the
//! formula and `check.rs` the evaluation game.

mod check;
mod library;
mod node;
mod parse;
mod read;

pub use check::{Check, KEYS, Point, STEP_BY_STEP, Step};
pub use library::LIBRARY;
pub use node::{Formula, Id, Node, Proposition, Value};
pub use parse::PROPOSITIONS;
pub use read::{Language, name_is_usable, read, statements};
