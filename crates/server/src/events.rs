//! Events of work as a stream that a browser's `EventSource` reads.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use futures_util::stream::unfold;
use tokio::time::timeout;

use crate::mailbox::{Found, Listening, Mailbox};

/// A sign of life: a comment, which readers skip.
const ALIVE: Bytes = Bytes::from_static(b":\n\n");

/// A reader, who has seen everything up to a number.
struct Reader {
    listening: Listening,
    seen: u64,
    silence: Duration,
}

impl Reader {
    /// What comes next; nothing after the last event.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let mailbox = Arc::clone(&self.listening.0);
            // It counts from here on: what is told between the look and the wait is not missed.
            let told = mailbox.told();
            match mailbox.after(self.seen) {
                Found::Events(events, last) => {
                    self.seen = last;
                    return Some(events);
                }
                Found::End => return None,
                Found::Nothing => {
                    if timeout(self.silence, told).await.is_err() {
                        return Some(ALIVE);
                    }
                }
            }
        }
    }
}

/// The stream of events from where a reader has left it.
pub(crate) fn stream(mailbox: &Arc<Mailbox>, headers: &HeaderMap, silence: Duration) -> Response {
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    let seen = last.and_then(|number| number.trim().parse().ok()).unwrap_or(0);
    let reader = Reader { listening: Listening::new(mailbox), seen, silence };
    let events = unfold(reader, |mut reader| async {
        let next = reader.next().await?;
        Some((Ok::<_, Infallible>(next), reader))
    });
    let mut response = Response::new(Body::from_stream(events));
    let kind = HeaderValue::from_static("text/event-stream");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}
