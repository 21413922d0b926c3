//! The program `foregone`: words in, text, JSON and pictures out. What it does is done by the
//! library `foregone`.
//!
//! A program with games of its own:
//!
//! ```no_run
#![doc = include_str!("../examples/own_games.rs")]
//! ```

pub mod args;
mod attended;
pub mod bench;
mod budget;
mod check;
mod checkpoint;
#[cfg(feature = "cluster")]
mod cluster;
#[cfg(not(feature = "cluster"))]
#[path = "no_cluster.rs"]
mod cluster;
pub mod combat;
mod commands;
mod compare;
mod draw;
mod gdl;
mod ggp;
mod list;
mod matches;
mod matrix;
mod memory;
mod play;
mod plot;
mod program;
mod proof_files;
mod report;
pub mod reproduce;
mod resume;
mod screen;
#[cfg(feature = "serve")]
mod serve;
#[cfg(not(feature = "serve"))]
#[path = "no_serve.rs"]
mod serve;
mod signals;
mod table;
mod tables;
mod to_job;
mod value;
mod verify;

pub use compare::{cross, plot_svg, some_search};
pub use gdl::check_json as gdl_check_json;
pub use memory::memory_to_use;
pub use program::{Program, execute, run, run_words};
pub use report::exit_code_of;
pub use to_job::{Drawing, check_job, drawing_of, solve_job};
