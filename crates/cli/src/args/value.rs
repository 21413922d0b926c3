//! What `value` is told.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::values::{bytes, duration};

/// What `value` is told.
#[derive(Clone, Debug, Args)]
pub struct ValueArgs {
    /// A game, `name` or `name:options`, or a line for the calculator: `{3|1} + *2`; lines from
    /// standard input when not given
    #[arg(value_name = "GAME or LINE", allow_hyphen_values = true)]
    pub first: Option<String>,
    /// More lines for the calculator
    #[arg(value_name = "LINE")]
    pub lines: Vec<String>,
    /// The position: the game's own text or `moves:a1,b2,…` [default: the start]
    #[arg(long, short, value_name = "P")]
    pub position: Option<String>,
    /// List all moves, with what each is worth and what becomes of it in the canonical form
    #[arg(long)]
    pub all_moves: bool,
    /// Write the proof, two certificates, to this file
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// Draw the thermograph to this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Print JSON and nothing else
    #[arg(long)]
    pub json: bool,
    /// Stop after this time: 500ms, 60s, 10m, 1h30m
    #[arg(long, value_parser = duration, allow_negative_numbers = true)]
    pub time: Option<Duration>,
    /// Hold at most this many bytes: 500M, 4G [default: three quarters of what is free]
    #[arg(long, value_parser = bytes, allow_negative_numbers = true)]
    pub memory: Option<u64>,
}
