//! Jobs and results between one coordinator and many workers, over NATS JetStream.
//!
//! This crate knows no game and no search: a job is a number and some bytes, a result is some bytes.
//! A [`Coordinator`] hands out jobs of one solve and reads results; any number of [`Worker`]s, on any
//! number of machines, take them. Both may be killed at any time, and so may the server.
//!
//! | what | where it is kept |
//! |---|---|
//! | jobs | a work queue, a stream of its own for every epoch; a message is gone once it is acknowledged |
//! | results | a stream that the coordinator reads in order and cuts off behind itself |
//! | who coordinates, what is solved, how far it is | a key-value bucket |
//! | setup, checkpoints, parts of proofs, large results | the object store |
//! | who works, beginnings, partial results, calls to stop | plain messages, which may get lost |
//!
//! Jobs must be idempotent: when in doubt, a job is handed out again. The coordinator hands on one result of
//! each job and drops the others.
//!
//! All functions here are synchronous. A runtime in threads of its own does the waiting.

mod blobs;
mod connect;
mod coordinator;
mod error;
mod link;
pub mod metrics;
mod names;
mod observe;
mod runtime;
mod wire;
mod worker;

pub use connect::Connect;
pub use coordinator::{Commit, Coordinator, Event, Options};
pub use error::ClusterError;
pub use observe::{Phase, SolveStatus, list, remove, request_cancel, status};
pub use wire::{SolveInfo, Terms, WorkerInfo};
pub use worker::{Handler, Note, Store, Worker, WorkerOptions};

/// What functions of this crate return.
pub type Result<T> = std::result::Result<T, ClusterError>;
