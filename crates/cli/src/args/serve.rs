//! What `serve` is told.

use std::time::Duration;

use clap::Args;

use super::values::{bytes, duration, port, whole};

/// What `serve` is told.
#[derive(Clone, Debug, Args)]
pub struct ServeArgs {
    /// The port to listen on; 0 takes a free one
    #[arg(long, value_name = "N", default_value_t = 7117, value_parser = port)]
    #[arg(allow_negative_numbers = true)]
    pub port: u16,
    /// The address to listen on; 0.0.0.0 lets other machines in, if they have the token
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub host: String,
    /// Ask for a token on this machine, too: others may use it
    #[arg(long)]
    pub token: bool,
    /// Start the browser
    #[arg(long)]
    pub open: bool,
    /// Searches at a time; the others wait [default: one for each core, 2 to 8]
    #[arg(long, value_name = "N", value_parser = whole::<1, 64>, allow_negative_numbers = true)]
    pub jobs: Option<u32>,
    /// The time that a search may take
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = duration)]
    #[arg(allow_negative_numbers = true)]
    pub job_time: Duration,
    /// The memory that a search may hold: 500M, 2G [default: its part of what is free, 4G at most]
    #[arg(long, value_name = "BYTES", value_parser = bytes, allow_negative_numbers = true)]
    pub job_memory: Option<u64>,
    /// Print one JSON object instead of the line with the address
    #[arg(long)]
    pub json: bool,
}
