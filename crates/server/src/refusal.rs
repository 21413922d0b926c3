//! Requests that are not answered: a status, and what is wrong in words.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use foregone_desk::{Failure, FailureKind};

/// Why a request is not answered.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    failure: Failure,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, failure: Failure) -> Refusal {
        Refusal { status, failure }
    }

    /// Too much goes on at a time.
    pub(crate) fn busy(message: &str) -> Refusal {
        let failure = Failure::limit(message).help("ask again in a moment");
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, failure)
    }

    /// It has more bytes than are taken.
    pub(crate) fn too_large(most: u64) -> Refusal {
        let failure = Failure::limit(format!("at most {most} bytes are taken here"));
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, failure)
    }

    /// It did not arrive.
    pub(crate) fn late() -> Refusal {
        let failure = Failure::limit("the request did not arrive in time");
        Refusal::new(StatusCode::REQUEST_TIMEOUT, failure)
    }

    /// Something broke that must not break.
    pub(crate) fn broken(what: &str) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, broken(what))
    }
}

/// What is said where this program has a mistake.
pub(crate) fn broken(what: &str) -> Failure {
    Failure::new(FailureKind::Stopped, format!("it broke down: {what}"))
        .help("that is a mistake of the program; other work goes on")
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Refusal {
        let status = match failure.kind {
            FailureKind::Input => StatusCode::BAD_REQUEST,
            FailureKind::Proof => StatusCode::UNPROCESSABLE_ENTITY,
            FailureKind::Stopped => StatusCode::CONFLICT,
            FailureKind::Limit => StatusCode::PAYLOAD_TOO_LARGE,
            FailureKind::Gone => StatusCode::NOT_FOUND,
        };
        Refusal { status, failure }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = serde_json::json!({ "failure": self.failure }).to_string();
        let mut response = json(body);
        *response.status_mut() = self.status;
        response
    }
}

/// An answer in JSON.
pub(crate) fn json(text: String) -> Response {
    let mut response = Response::new(Body::from(text));
    let kind = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}
