//! Drivers: how a space is walked.
//!
//! To add a driver: a function here in a file of its own, its word in the `foregone` crate. The
//! corpus and the random games of `tests/` run every driver with every scheme.

mod alphabeta;
mod dag;
mod df;
mod dfs;
mod squared;
mod tree;

pub use alphabeta::{Find, Order, OrderBy, Walk, alphabeta};
pub use dag::dag;
pub use df::df;
pub use dfs::dfs;
pub use squared::{Inner, Nested, StopCheck};
pub use tree::{node_bytes, tree};
