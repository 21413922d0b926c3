//! What stands in messages: a line of JSON that says what it is, and behind it the bytes of the caller.

use std::time::Duration;

use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// What is solved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolveInfo {
    /// Its name: letters, digits, `-` and `_`.
    pub id: String,
    /// The version of the program. Workers of another one are refused.
    pub version: String,
    /// For people: the text of the job, for example.
    pub title: String,
}

/// Who works.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerInfo {
    /// The version of the program.
    pub version: String,
    /// For people: the name of the machine, for example.
    pub name: String,
    /// How many jobs it works on at once.
    pub cores: u32,
}

/// What a coordinator and its workers agree on. It is written down with the solve, so that all know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// A coordinator that does not renew its lease for so long may be replaced.
    pub lease: Duration,
    /// A job whose worker says nothing for so long is given to another one.
    pub ack_wait: Duration,
    /// A handler that does not report for so long hangs: its job is given to another worker.
    pub stall: Duration,
    /// A job that was handed out so often without a result has failed.
    pub attempts: u32,
    /// The most bytes of a job.
    pub max_job: usize,
    /// The most bytes of a result.
    pub max_result: usize,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(15),
            ack_wait: Duration::from_secs(30),
            stall: Duration::from_secs(300),
            attempts: 10,
            max_job: 256 << 10,
            max_result: 256 << 20,
        }
    }
}

/// What the bucket says about a solve that is not finished.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Live {
    pub(crate) info: SolveInfo,
    pub(crate) terms: Terms,
    pub(crate) epoch: u64,
    /// Tells two solves of one name apart.
    pub(crate) nonce: String,
    pub(crate) banned: Vec<String>,
}

/// What the bucket says about the coordinator.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Lease {
    pub(crate) owner: String,
    pub(crate) epoch: u64,
    /// The owner has let go of it.
    pub(crate) released: bool,
}

/// What the bucket says about a finished solve.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Finished {
    pub(crate) info: SolveInfo,
    pub(crate) outcome: serde_json::Value,
}

/// The line before a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct JobHead {
    pub(crate) epoch: u64,
    pub(crate) job: u64,
    pub(crate) attempt: u64,
    pub(crate) digest: u64,
}

/// The line before a result.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ResultHead {
    #[serde(flatten)]
    pub(crate) job: JobHead,
    pub(crate) worker: String,
    pub(crate) version: String,
    pub(crate) nonce: String,
    pub(crate) kind: ResultKind,
}

/// What the bytes of a result are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ResultKind {
    /// The result.
    Done,
    /// The name of the object that holds the result.
    Stored,
    /// A message.
    Failed,
}

/// The line before news of a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct NewsHead {
    pub(crate) worker: String,
    pub(crate) info: WorkerInfo,
    pub(crate) news: News,
}

/// What workers tell besides results.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum News {
    /// I am here.
    Hello,
    /// I leave.
    Bye,
    /// I cannot work on this solve.
    Refuse(String),
    /// I begin with a job.
    Started(JobHead),
    /// The bytes are a partial result.
    Partial(JobHead),
}

/// What a coordinator tells workers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Control {
    /// Nobody wants this job any more.
    Cancel {
        /// Of this epoch.
        epoch: u64,
        /// In this epoch no two messages have the same one.
        attempt: u64,
    },
    /// This worker's results are ignored.
    Ban {
        /// The worker.
        worker: String,
        /// Why.
        reason: String,
    },
    /// The solve is finished.
    Over,
    /// All say hello now.
    Roll,
}

/// The longest head that is read.
const MAX_HEAD: usize = 8 << 10;

/// A line and the bytes behind it.
pub(crate) fn pack(head: &impl Serialize, payload: &[u8]) -> Bytes {
    // The types above have text keys and no failing parts, so there is always a line.
    let mut bytes = serde_json::to_vec(head).unwrap_or_default();
    bytes.push(b'\n');
    bytes.extend_from_slice(payload);
    bytes.into()
}

/// The line and the bytes behind it, if the line is one that we know.
pub(crate) fn unpack<T: DeserializeOwned>(message: &Bytes) -> Option<(T, Bytes)> {
    let end = message.iter().take(MAX_HEAD).position(|&byte| byte == b'\n')?;
    let head = serde_json::from_slice(&message[..end]).ok()?;
    Some((head, message.slice(end + 1..)))
}

/// A value of the bucket.
pub(crate) fn value(value: &impl Serialize) -> Bytes {
    serde_json::to_vec(value).unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_back_and_broken_ones_are_not() {
        let job = JobHead { epoch: 1, job: u64::MAX, attempt: 2, digest: 3 };
        let head = ResultHead {
            job,
            worker: "w".into(),
            version: "1".into(),
            nonce: "n".into(),
            kind: ResultKind::Done,
        };
        let message = pack(&head, b"a\nb");
        let (back, payload) = unpack::<ResultHead>(&message).unwrap();
        assert_eq!(
            (back.job.job, back.kind, payload.as_ref()),
            (u64::MAX, ResultKind::Done, &b"a\nb"[..])
        );
        for broken in [&b""[..], b"\n", b"{}\n", b"no line", &message[..10], &[0xff; 20_000]] {
            assert!(unpack::<ResultHead>(&Bytes::copy_from_slice(broken)).is_none());
        }
    }
}
