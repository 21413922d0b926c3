//! Solves by several machines.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::help::{
    CLUSTER_CANCEL_EXAMPLES, CLUSTER_LIST_EXAMPLES, CLUSTER_RESUME_EXAMPLES,
    CLUSTER_STATUS_EXAMPLES,
};
use super::{bytes, count, duration, whole};

/// How a solve is spread.
#[derive(Clone, Debug, Default, Args)]
pub struct ClusterArgs {
    /// Let workers elsewhere do the work, by the NATS server at nats://HOST:4222
    #[arg(long, value_name = "URL")]
    pub cluster: Option<String>,
    /// The name of the solve, for `foregone cluster` [default: one that is not taken]
    #[arg(long, value_name = "NAME", requires = "cluster", hide = true)]
    pub name: Option<String>,
    /// Serve figures for Prometheus at this address: 9100, or HOST:PORT [default host: this machine]
    #[arg(long, value_name = "ADDR", requires = "cluster", hide = true)]
    pub metrics: Option<String>,
    /// Give a job to another worker when its own has been silent for so long; a coordinator may be replaced
    /// after half of it [default: 30s]
    #[arg(long, value_name = "TIME", requires = "cluster", hide = true, value_parser = duration)]
    pub silence: Option<Duration>,
}

/// What `worker` is told.
#[derive(Clone, Debug, Args)]
pub struct WorkerArgs {
    /// The NATS server: nats://HOST:4222, tls://HOST:4222
    pub url: String,
    /// Jobs at a time, each by a thread with a table of its own [default: the cores of this machine]
    #[arg(long, value_parser = whole::<1, 1024>)]
    pub threads: Option<u32>,
    /// Hold at most this many bytes in tables: 500M, 4G [default: three quarters of what is free]
    #[arg(long, value_parser = bytes)]
    pub memory: Option<u64>,
    /// Let the positions of a class of tables take at most this many bytes on the disk, each job
    #[arg(long, value_parser = bytes, default_value = "64G")]
    pub disk: u64,
    /// The name of this worker, for people [default: the name of this machine]
    #[arg(long)]
    pub name: Option<String>,
}

/// What to do with solves on a server.
#[derive(Clone, Debug, Subcommand)]
pub enum ClusterCommand {
    /// List the solves on a server
    #[command(after_help = CLUSTER_LIST_EXAMPLES)]
    List {
        /// The NATS server: nats://HOST:4222
        url: String,
        /// Print one JSON array and nothing else
        #[arg(long)]
        json: bool,
    },
    /// Tell how far a solve is: workers, jobs, moves with their numbers
    #[command(after_help = CLUSTER_STATUS_EXAMPLES)]
    Status {
        /// The NATS server: nats://HOST:4222
        url: String,
        /// The solve [default: the only one]
        name: Option<String>,
        /// Print one JSON object and nothing else
        #[arg(long)]
        json: bool,
    },
    /// End a solve; its coordinator tells what was found
    #[command(after_help = CLUSTER_CANCEL_EXAMPLES)]
    Cancel {
        /// The NATS server: nats://HOST:4222
        url: String,
        /// The solve
        name: String,
    },
    /// Go on with a solve whose coordinator is gone
    #[command(after_help = CLUSTER_RESUME_EXAMPLES)]
    Resume(ClusterResumeArgs),
}

/// What `cluster resume` is told.
#[derive(Clone, Debug, Args)]
pub struct ClusterResumeArgs {
    /// The NATS server: nats://HOST:4222
    pub url: String,
    /// The solve
    pub name: String,
    /// Write the certificate to this file; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// Wait so long for the first coordinator's lease to end: 30s
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub wait: Option<Duration>,
    /// Stop after this time, counted from now [default: no limit]
    #[arg(long, value_parser = duration, allow_negative_numbers = true)]
    pub time: Option<Duration>,
    /// Stop after this many nodes, those before included [default: no limit]
    #[arg(long, value_parser = count, allow_negative_numbers = true)]
    pub nodes: Option<u64>,
    /// Hold at most this many bytes here [default: as before]
    #[arg(long, value_parser = bytes, allow_negative_numbers = true)]
    pub memory: Option<u64>,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub json: bool,
}

/// What `simulate-cluster` is told.
#[derive(Clone, Debug, Args)]
pub struct SimulateArgs {
    /// The job: `GAME KEY=VALUE …`
    #[arg(required = true)]
    pub job: Vec<String>,
    /// Numbers of workers
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,2,4,8,16,32,64")]
    #[arg(value_parser = whole::<1, 65_536>)]
    pub workers: Vec<u32>,
    /// Nodes that a worker creates in a second: 5M
    #[arg(long, value_name = "N", value_parser = some_count, default_value = "5M")]
    pub speed: u64,
    /// How long a message takes: 1ms
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "1ms")]
    pub latency: Duration,
    /// How many messages the coordinator works on in a second
    #[arg(long, value_name = "N", value_parser = some_count, default_value = "5k")]
    pub messages: u64,
    /// Bytes of a worker's tables
    #[arg(long, value_parser = bytes, default_value = "64M")]
    pub memory: u64,
    /// Let so many of 100 results get lost, come late, come twice or be wrong, each, and half as many
    /// workers die
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = whole::<0, 50>)]
    pub faults: u32,
    /// How many seeds to run each with; the answers must all be the same
    #[arg(long, default_value_t = 1, value_parser = whole::<1, 1_000_000>)]
    pub seeds: u32,
    /// Print one JSON array and nothing else
    #[arg(long)]
    pub json: bool,
}

/// A count that is not none.
fn some_count(text: &str) -> Result<u64, String> {
    match count(text)? {
        0 => Err("at least 1 is needed".to_owned()),
        count => Ok(count),
    }
}
