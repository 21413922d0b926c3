//! Tests of the program as a person meets it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod attack;
mod check;
mod cli;
mod combat;
mod common;
mod fuzz;
mod gdl;
#[path = "../../../foregone/tests/it/inputs.rs"]
mod inputs;
mod joint;
mod matrix;
mod outcomes;
mod parts;
mod process;
mod readme;
mod reproduce;
#[path = "../../../foregone/tests/it/seal.rs"]
mod seal;
mod second_checker;
