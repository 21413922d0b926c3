//! Solves by several machines: a job's leaves, as messages.
//!
//! Who asks a job may hand a [`Crew`] to the engine. Then searches of games in turn, and of formulas, are
//! job-level searches (`foregone_search::drive::jobs`): the outer tree is here, and the leaves are looked
//! into by whoever is behind the crew. Messages are bytes. What carries them is not known here: NATS in
//! the program, a queue with a clock of its own in a simulation.
//!
//! At the other end an [`Assistant`] turns a message into a search and its findings into a message. What
//! it says is solved comes with a solution, and the solution is checked here, line by line, before it
//! counts ([`foregone_search::drive::jobs::wire`]). The answer as a whole has an ordinary certificate.

mod assistant;
mod lead;
mod message;
pub mod simulate;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use assistant::Assistant;
pub(crate) use assistant::of_formulas;
pub(crate) use lead::{search, search_formula};

use crate::job::Job;
use crate::observe::Stop;

/// What an assistant needs to begin: the job, and the texts of the files that its game names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The job.
    pub job: Job,
    /// The texts of files, by the paths that the game names. Nothing is read from a disk.
    pub files: BTreeMap<String, String>,
}

/// What comes from a crew.
#[derive(Clone, Debug)]
pub enum CrewNews {
    /// What a job under way knows of its leaf.
    Partial {
        /// The job.
        number: u64,
        /// What an [`Assistant`] told.
        bytes: Vec<u8>,
    },
    /// A job is done.
    Done {
        /// The job.
        number: u64,
        /// Who did it.
        worker: String,
        /// What an [`Assistant`] returned.
        bytes: Vec<u8>,
    },
    /// A job came to nothing.
    Lost {
        /// The job.
        number: u64,
    },
    /// The search is to end.
    Stop(Stop),
}

/// Who looks into leaves elsewhere.
pub trait Crew: Send {
    /// How many jobs may be under way now.
    fn places(&mut self) -> usize;

    /// Sends a job. Numbers are not used twice, but by a solve that goes on with what another one began.
    fn submit(&mut self, number: u64, task: Vec<u8>);

    /// Waits for news, no longer than so long.
    fn wait(&mut self, within: Duration) -> Vec<CrewNews>;

    /// Nobody wants this job any more.
    fn cancel(&mut self, number: u64);

    /// The result of this worker does not hold: no more is to come from it.
    fn refuse(&mut self, worker: &str, why: &str);

    /// Keeps a result that was checked, in the order in which they came.
    fn keep(&mut self, number: u64, bytes: &[u8]);

    /// The results that were kept of a search with this number, in their order, when a solve goes on that
    /// was begun before.
    fn kept(&mut self, search: u32) -> Vec<(u64, Vec<u8>)>;
}

/// A crew that several parts of a job share.
pub type SharedCrew = Arc<Mutex<Box<dyn Crew>>>;
