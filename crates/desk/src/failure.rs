//! What a page is told when a request can't be answered.

use foregone::{Error, ErrorKind, Place};
use foregone_explorer::BookError;
use serde::Serialize;

/// What kind of thing is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// The input: a game, a position, a question, a request that can't be read.
    Input,
    /// A certificate.
    Proof,
    /// Nothing: it was given up.
    Stopped,
    /// It would take more than is allowed here.
    Limit,
    /// What it speaks of is not here any more, or never was.
    Gone,
}

/// Why a request is not answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// What kind of thing is wrong.
    pub kind: FailureKind,
    /// What is wrong.
    pub message: String,
    /// What would be right, where that is known.
    pub help: Option<String>,
    /// The place in a text at which it is wrong.
    pub place: Option<Box<Place>>,
}

impl Failure {
    /// Something wrong, as a plain message.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Failure {
        Failure { kind, message: message.into(), help: None, place: None }
    }

    /// Wrong input.
    pub fn input(message: impl Into<String>) -> Failure {
        Failure::new(FailureKind::Input, message)
    }

    /// More than is allowed.
    pub fn limit(message: impl Into<String>) -> Failure {
        Failure::new(FailureKind::Limit, message)
    }

    /// Something that is not here.
    pub fn gone(message: impl Into<String>) -> Failure {
        Failure::new(FailureKind::Gone, message)
    }

    /// The same with a hint.
    pub fn help(self, help: impl Into<String>) -> Failure {
        Failure { help: Some(help.into()), ..self }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let kind = match error.kind {
            ErrorKind::Input => FailureKind::Input,
            ErrorKind::Proof => FailureKind::Proof,
            ErrorKind::Stopped => FailureKind::Stopped,
        };
        Failure { kind, message: error.message, help: error.help, place: error.place }
    }
}

impl From<BookError> for Failure {
    fn from(error: BookError) -> Failure {
        let kind = match &error {
            BookError::Input(_) | BookError::OtherGame(_) => FailureKind::Input,
            BookError::Line { .. } | BookError::Unreadable(_) => FailureKind::Proof,
            // Who asks again a little later is answered.
            BookError::NotYet => FailureKind::Limit,
        };
        Failure::new(kind, error.to_string())
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Failure {
        Failure::input(format!("the request can't be read: {error}"))
    }
}
