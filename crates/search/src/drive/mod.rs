//! Drivers: how a space is walked.
//!
//! To add a driver: a function here in a file of its own, its word and its line in `spec.rs`. The
//! corpus and the random games of `tests/` run every driver with every scheme.

mod alphabeta;
mod dag;
mod df;
mod dfs;
pub mod jobs;
mod lambda;
mod nest;
mod own;
mod squared;
mod tree;

pub use alphabeta::{Explore, Find, Oracle, Order, OrderBy, Walk, alphabeta, alphabeta_exploring};
pub use dag::dag;
pub use df::{DfInside, Team, df, df_by_threads};
pub use dfs::dfs;
pub use lambda::{Threats, lambda, lambda_told};
pub use own::own;
pub use squared::{Inner, StopCheck, squared};
pub use tree::{node_bytes, tree};
