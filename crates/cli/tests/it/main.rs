//! Tests of the program as a person meets it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod attack;
mod check;
mod checkpoints;
mod cli;
mod cluster;
#[cfg(feature = "cluster")]
mod cluster_tables;
mod combat;
mod common;
mod compare;
mod draw;
mod expected;
mod fuzz;
mod gdl;
#[path = "../../../foregone/tests/it/inputs.rs"]
mod inputs;
mod joint;
#[path = "../../../foregone/tests/it/liar.rs"]
mod liar;
mod links;
mod many;
mod matrix;
mod moves;
mod outcomes;
mod parts;
mod play;
mod problems;
mod process;
mod readme;
mod reproduce;
mod runs;
#[path = "../../../foregone/tests/it/seal.rs"]
mod seal;
mod second_checker;
mod tables;
mod untrue;
mod value;
mod words;
