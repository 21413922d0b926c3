//! The program `foregone`: words in, text, JSON and pictures out. What it does is done by the
//! library `foregone`.
//!
//! A program with games of its own:
//!
//! ```no_run
#![doc = include_str!("../examples/own_games.rs")]
//! ```

pub mod args;
pub mod bench;
mod check;
pub mod combat;
mod commands;
mod gdl;
mod matrix;
mod memory;
pub mod print;
mod print_joint;
mod program;
mod report;
pub mod reproduce;
mod screen;
mod to_job;
mod verify;

pub use program::{Program, execute, run};
pub use report::exit_code_of;
pub use to_job::solve_job;
