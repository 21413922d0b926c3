//! Checkpoints, logs, and `resume`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::{NotationArgs, bytes, count, duration};

/// How a job that takes long is kept and told of.
#[derive(Clone, Debug, Default, Args)]
pub struct KeepArgs {
    /// Keep checkpoints here, each minute or --every 10m, for `foregone resume`
    #[arg(long, value_name = "FILE", conflicts_with = "cluster")]
    pub checkpoint: Option<PathBuf>,
    /// How far apart checkpoints are: 30s, 10m [default: 60s]
    #[arg(long, hide = true, value_name = "TIME", value_parser = duration)]
    pub every: Option<Duration>,
    /// Write how far it is to this file, a line a minute
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
}

/// What `resume` is told.
#[derive(Clone, Debug, Args)]
pub struct ResumeArgs {
    /// The checkpoint
    pub file: PathBuf,
    /// Keep the next checkpoints in this file instead
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// How far apart checkpoints are: 30s, 10m [default: as before]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub every: Option<Duration>,
    /// Write how far it is to this file: a line a minute, or as often as `--progress 10s` says
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Write the certificate to this file, as a drawing if it ends in .svg or .dot; `-` is
    /// standard output [default: as before]
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// Stop after this time, counted from now: 500ms, 60s, 10m, 1h30m [default: never]
    #[arg(long, value_parser = duration, allow_negative_numbers = true)]
    pub time: Option<Duration>,
    /// Stop after this many nodes, those before the break included: 500k, 10M, 1e9 [default: never]
    #[arg(long, value_parser = count, allow_negative_numbers = true)]
    pub nodes: Option<u64>,
    /// Hold at most this many bytes: 500M, 4G [default: as before]
    #[arg(long, value_parser = bytes, allow_negative_numbers = true)]
    pub memory: Option<u64>,
    /// How moves are written.
    #[command(flatten)]
    pub notation: NotationArgs,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub json: bool,
}
