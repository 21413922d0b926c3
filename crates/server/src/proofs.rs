//! Certificates: how they arrive, how they leave, and their indexes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use foregone_desk::{Desk, Failure, FailureKind};
use futures_util::StreamExt;
use futures_util::stream::unfold;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, timeout, timeout_at};

use crate::Shared;
use crate::refusal::{Refusal, json};
use crate::short::Weight;

/// Uploads at a time, and how long one may take.
const UPLOADS: usize = 4;
const LONGEST_UPLOAD: Duration = Duration::from_secs(600);
/// Indexes that are made at a time.
const INDEXES: usize = 2;
/// Bytes of a certificate between two looks whether its index is still wanted.
const PIECE: u64 = 8 << 20;
/// Bytes that are sent at a time.
const SENT: usize = 256 << 10;

/// Reads a body of at most so many bytes. Each piece must arrive in time, and so must all of it.
pub(crate) async fn collected(
    body: Body,
    most: u64,
    piece: Duration,
    all: Duration,
    mut take: impl FnMut(u64) -> Result<(), Refusal>,
) -> Result<Vec<u8>, Refusal> {
    let until = Instant::now() + all;
    let mut pieces = body.into_data_stream();
    let mut bytes = Vec::new();
    loop {
        let within = until.min(Instant::now() + piece);
        let Ok(next) = timeout_at(within, pieces.next()).await else {
            return Err(Refusal::late());
        };
        match next {
            None => return Ok(bytes),
            Some(Err(_)) => {
                let failure = Failure::input("the request broke off");
                return Err(Refusal::new(StatusCode::BAD_REQUEST, failure));
            }
            Some(Ok(next)) => {
                if (bytes.len() + next.len()) as u64 > most {
                    return Err(Refusal::too_large(most));
                }
                take(next.len() as u64)?;
                bytes.extend_from_slice(&next);
            }
        }
    }
}

/// How many bytes a request says that it has.
pub(crate) fn announced(headers: &HeaderMap) -> u64 {
    let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    length.and_then(|length| length.parse().ok()).unwrap_or(0)
}

/// Bytes of bodies that arrive at a time: each is bounded, and so are all of them together.
pub(crate) struct Arriving {
    held: AtomicU64,
    most: u64,
}

/// Bytes of one that arrives.
pub(crate) struct Held<'a> {
    all: &'a Arriving,
    bytes: u64,
}

impl Arriving {
    pub(crate) fn new(most: u64) -> Arriving {
        Arriving { held: AtomicU64::new(0), most }
    }

    pub(crate) fn hold(&self) -> Held<'_> {
        Held { all: self, bytes: 0 }
    }
}

impl Held<'_> {
    pub(crate) fn take(&mut self, bytes: u64) -> Result<(), Refusal> {
        let before = self.all.held.fetch_add(bytes, Ordering::Relaxed);
        self.bytes += bytes;
        match before + bytes > self.all.most {
            true => Err(Refusal::busy("too many bytes arrive at a time")),
            false => Ok(()),
        }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.all.held.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Uploads that go on: a few at a time.
pub(crate) struct Uploads {
    places: Semaphore,
    arriving: Arriving,
}

impl Uploads {
    pub(crate) fn new(most: u64) -> Uploads {
        Uploads { places: Semaphore::new(UPLOADS), arriving: Arriving::new(most) }
    }
}

/// Takes a certificate.
pub(crate) async fn upload(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Refusal> {
    let (most, patience) = (shared.desk.limits().certificate, shared.patience.arrival);
    if announced(&headers) > most {
        return Err(Refusal::too_large(most));
    }
    let place = timeout(patience, shared.uploads.places.acquire()).await;
    let Ok(Ok(_place)) = place else { return Err(Refusal::busy("too many uploads at a time")) };
    let mut held = shared.uploads.arriving.hold();
    let text = collected(body, most, patience, LONGEST_UPLOAD, |bytes| held.take(bytes)).await?;
    if text.is_empty() {
        return Err(Failure::new(FailureKind::Proof, "the file is empty").into());
    }
    let desk = Arc::clone(&shared.desk);
    // Others may have to make room, and that takes a moment.
    let handle = shared.short.run(Weight::Usual, move || desk.keep(Arc::new(text))).await??;
    shared.indexer.index(handle.proof.clone());
    let answer = serde_json::to_string(&handle).map_err(Failure::from)?;
    Ok(json(answer))
}

/// The text of a certificate, piece by piece.
pub(crate) async fn download(
    State(shared): State<Arc<Shared>>,
    Path(proof): Path<String>,
) -> Result<Response, Refusal> {
    let text = shared.desk.text_of(&proof)?;
    let bytes = text.len();
    let pieces = unfold((text, 0u64), |(text, at)| async move {
        let mut piece = vec![0; SENT];
        let read = match text.read_at(at, &mut piece) {
            Ok(0) => return None,
            Ok(read) => read,
            Err(error) => return Some((Err(error), (text, u64::MAX))),
        };
        piece.truncate(read);
        Some((Ok(Bytes::from(piece)), (text, at + read as u64)))
    });
    let mut response = Response::new(Body::from_stream(pieces));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes));
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    headers.insert(header::CONTENT_TYPE, kind);
    let saved = HeaderValue::from_static("attachment; filename=\"proof.txt\"");
    headers.insert(header::CONTENT_DISPOSITION, saved);
    Ok(response)
}

/// Makes indexes of certificates, so that large ones can be walked through.
pub(crate) struct Indexer {
    desk: Arc<Desk>,
    closing: Arc<AtomicBool>,
    places: Arc<Semaphore>,
    runtime: Handle,
}

impl Indexer {
    pub(crate) fn new(desk: &Arc<Desk>, closing: &Arc<AtomicBool>, runtime: &Handle) -> Indexer {
        Indexer {
            desk: Arc::clone(desk),
            closing: Arc::clone(closing),
            places: Arc::new(Semaphore::new(INDEXES)),
            runtime: runtime.clone(),
        }
    }

    /// Makes the index of a certificate in the background. It is given up when the certificate is not
    /// kept any more, or can't be read on; what stands before can be seen then.
    pub(crate) fn index(&self, proof: String) {
        let (desk, closing) = (Arc::clone(&self.desk), Arc::clone(&self.closing));
        let places = Arc::clone(&self.places);
        self.runtime.spawn(async move {
            let Ok(_place) = places.acquire_owned().await else { return };
            let made = spawn_blocking(move || {
                while !closing.load(Ordering::Relaxed)
                    && desk
                        .book(&proof)
                        .is_ok_and(|book| matches!(book.index_more(PIECE), Ok(false)))
                {
                }
            });
            // Whoever asks about the proof is told what is wrong with it.
            let _ = made.await;
        });
    }
}
