//! What can go wrong, said so that a person knows what to do.

use thiserror::Error;

/// Why something did not happen. No text of it holds a secret.
#[derive(Debug, Clone, Error)]
pub enum ClusterError {
    /// The address cannot be read.
    #[error(
        "{url:?} is no address of a server: {reason}; write nats://HOST:PORT or tls://HOST:PORT"
    )]
    BadUrl {
        /// The address, without secrets.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Nobody listens there, or it is no NATS server.
    #[error("no server answers at {url} ({reason}): start one with `nats-server -js`")]
    NoServer {
        /// The address, without secrets.
        url: String,
        /// What the network said.
        reason: String,
    },
    /// The server wants other credentials.
    #[error(
        "the server at {url} does not let us in with {with}: set FOREGONE_NATS_TOKEN, FOREGONE_NATS_USER and \
         FOREGONE_NATS_PASSWORD, FOREGONE_NATS_NKEY or FOREGONE_NATS_CREDS"
    )]
    Refused {
        /// The address, without secrets.
        url: String,
        /// The kind of credentials that were tried.
        with: String,
    },
    /// Encryption could not be agreed on.
    #[error("no encrypted connection to {url}: {reason}")]
    Tls {
        /// The address, without secrets.
        url: String,
        /// What went wrong.
        reason: String,
    },
    /// A file of credentials or certificates cannot be used.
    #[error("cannot use {path}: {reason}")]
    SecretFile {
        /// The file.
        path: String,
        /// Why not; nothing of its content.
        reason: String,
    },
    /// The server has no JetStream.
    #[error("the server at {url} runs without JetStream: start it with `nats-server -js`")]
    NoJetStream {
        /// The address, without secrets.
        url: String,
    },
    /// The name cannot be part of a subject.
    #[error("{id:?} cannot name a solve: letters, digits, `-` and `_`, at most 64")]
    BadId {
        /// The name.
        id: String,
    },
    /// There is such a solve already.
    #[error("a solve named {id} is there already: choose another name, or take it over")]
    Exists {
        /// Its name.
        id: String,
    },
    /// There is no such solve.
    #[error("there is no solve named {id} on this server")]
    NoSuchSolve {
        /// Its name.
        id: String,
    },
    /// Another coordinator is at work.
    #[error("the solve {id} has a coordinator that is alive ({owner}): stop that one first")]
    CoordinatorAlive {
        /// The name of the solve.
        id: String,
        /// Who it is.
        owner: String,
    },
    /// Another coordinator has taken over.
    #[error("another coordinator has taken over the solve {id}; this one stops")]
    LeaseLost {
        /// The name of the solve.
        id: String,
    },
    /// The lease could not be renewed for too long to be sure of it.
    #[error(
        "the lease of the solve {id} could not be renewed for {seconds} s; waiting for the server"
    )]
    LeaseInDoubt {
        /// The name of the solve.
        id: String,
        /// Since when.
        seconds: u64,
    },
    /// Something is larger than may be sent.
    #[error("{what} has {size} bytes, and at most {limit} are allowed")]
    TooLarge {
        /// What it is.
        what: String,
        /// How large it is.
        size: usize,
        /// How large it may be.
        limit: usize,
    },
    /// More jobs wait than the coordinator wants to hold.
    #[error("{limit} jobs are open already: take results first")]
    TooManyJobs {
        /// The limit.
        limit: usize,
    },
    /// A job of this number is open, with another content.
    #[error("job {job} is open already with another content: cancel it first")]
    JobTaken {
        /// The number.
        job: u64,
    },
    /// The server has no room.
    #[error(
        "the server has no room for {what} ({reason}): give JetStream a larger store or remove old solves"
    )]
    StoreFull {
        /// What should have been stored.
        what: String,
        /// What the server said.
        reason: String,
    },
    /// There is no such blob.
    #[error("the object store has no {name:?}")]
    NoBlob {
        /// Its name.
        name: String,
    },
    /// Nothing came in time.
    #[error("{what} took longer than {seconds} s")]
    Timeout {
        /// What was tried.
        what: String,
        /// How long it was waited for.
        seconds: u64,
    },
    /// Anything else that the server or the connection says.
    #[error("{what}: {reason}")]
    Server {
        /// What was tried.
        what: String,
        /// What came back.
        reason: String,
    },
}

impl ClusterError {
    /// An answer of the server to something that was tried. A full store is told apart by its text, as error codes
    /// are not handed on by every call of the client.
    pub(crate) fn server(what: impl Into<String>, reason: impl std::fmt::Display) -> Self {
        let (what, reason) = (what.into(), reason.to_string());
        let low = reason.to_lowercase();
        let full = [
            "insufficient",
            "maximum bytes",
            "resource limits exceeded",
            "no space left",
            "storage exceeded",
        ];
        match full.iter().any(|words| low.contains(words)) {
            true => Self::StoreFull { what, reason },
            false => Self::Server { what, reason },
        }
    }
}
