//! What requests may use.

use std::time::Duration;

use foregone::Job;
use serde::Serialize;

use crate::failure::Failure;
use crate::games::Texts;

/// What work may use at most. A page is told, so that it can say so before it asks.
#[derive(Clone, Debug, Serialize)]
pub struct Limits {
    /// Seconds that work may take, pauses not counted.
    pub seconds: f64,
    /// Bytes that a search may hold.
    pub bytes: u64,
    /// Work at a time.
    pub jobs: usize,
    /// Bytes of a certificate.
    pub certificate: u64,
    /// Whether work that has used its budget waits to be told to go on.
    pub pauses: bool,
    /// Bytes of all certificates that are kept.
    #[serde(skip)]
    pub all_certificates: u64,
    /// How long opening a game may take.
    #[serde(skip)]
    pub opening: Duration,
    /// How long looking for a position in a proof may take.
    #[serde(skip)]
    pub finding: Duration,
}

impl Default for Limits {
    /// What suits one person's laptop.
    fn default() -> Limits {
        Limits {
            seconds: 600.0,
            bytes: 2 << 30,
            jobs: 4,
            certificate: 1 << 30,
            pauses: true,
            all_certificates: 2 << 30,
            opening: Duration::from_secs(20),
            finding: Duration::from_secs(20),
        }
    }
}

/// Texts of rules of all files of a request together, in bytes.
const MOST_TEXT: usize = 2 << 20;
/// Files of a request.
const MOST_FILES: usize = 16;

impl Limits {
    /// Refuses more text than rules have.
    pub(crate) fn check_texts(&self, texts: &Texts) -> Result<(), Failure> {
        let bytes: usize = texts.iter().map(|(path, text)| path.len() + text.len()).sum();
        if bytes > MOST_TEXT || texts.len() > MOST_FILES {
            return Err(Failure::limit(format!(
                "a request has at most {MOST_FILES} files of rules with {MOST_TEXT} bytes together"
            )));
        }
        Ok(())
    }

    /// A job within these limits. What is left open gets all that there is.
    pub(crate) fn bounded(&self, mut job: Job) -> Result<Job, Failure> {
        if job.tables.is_some() {
            return Err(Failure::input("`tables` names a folder, and none is opened here"));
        }
        let time = Duration::from_secs_f64(self.seconds);
        job.budget.time = Some(job.budget.time.map_or(time, |asked| asked.min(time)));
        job.budget.memory = Some(job.budget.memory.map_or(self.bytes, |n| n.min(self.bytes)));
        job.budget.threads = 1;
        Ok(job)
    }
}
