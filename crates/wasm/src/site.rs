//! What a worker knows: a desk with a browser's limits.

use std::sync::Arc;
use std::time::Duration;

use foregone::{Cancel, Clock};
use foregone_desk::{Desk, Failure, Limits, Listener, More, Work, WorkEvent};
use serde_json::json;

use crate::blocks::{Blocks, Source};

/// What a worker is for. A page has one that answers short requests and walks through proofs, and others
/// that work, so that a search keeps nobody waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Answers. Its proofs are files, which take no memory here.
    Answers,
    /// Works. Proofs that it makes are handed to the page at once.
    Work,
}

/// Bytes that a search may hold: the memory of WebAssembly ends at 4 GB, and many browsers end earlier.
const SEARCH_BYTES: u64 = 1_500_000_000;
/// Bytes of a certificate file.
const CERTIFICATE_BYTES: u64 = 4 << 30;
/// Bytes of all proofs that a working worker keeps, the last one aside.
const MADE_BYTES: u64 = 128 << 20;
/// Bytes of a part of a proof.
const PART_BYTES: u64 = 4 << 20;

fn limits(role: Role) -> Limits {
    Limits {
        seconds: 600.0,
        bytes: SEARCH_BYTES,
        jobs: 1,
        certificate: CERTIFICATE_BYTES,
        // Nobody can be heard while work goes on.
        pauses: false,
        all_certificates: match role {
            Role::Answers => u64::MAX / 2,
            Role::Work => MADE_BYTES,
        },
        opening: Duration::from_secs(20),
        finding: Duration::from_secs(20),
    }
}

/// A desk in a browser.
pub struct Site {
    desk: Desk,
}

impl Site {
    /// A desk for a worker of this role.
    pub fn new(clock: impl Clock + 'static, role: Role) -> Site {
        Site { desk: Desk::new(clock, limits(role)) }
    }

    /// Answers a short request, JSON in and out.
    pub fn answer(&self, name: &str, body: &str) -> Result<String, Failure> {
        self.desk.answer(name, body)
    }

    /// Does long work. Each event is told as JSON; the last one says how it ended.
    pub fn work(&self, work: &str, tell: &mut dyn FnMut(String)) {
        match serde_json::from_str::<Work>(work) {
            Ok(work) => self.desk.work(work, &mut Telling(tell), &Cancel::new()),
            Err(error) => {
                let failure = Failure::from(error);
                tell(json!({ "event": "failed", "failure": failure }).to_string());
            }
        }
    }

    /// Opens a certificate, which stays where it is; its handle, as JSON.
    pub fn open(&self, source: impl Source + 'static) -> Result<String, Failure> {
        let handle = self.desk.keep(Arc::new(Blocks::new(source)))?;
        Ok(serde_json::to_string(&handle)?)
    }

    /// Goes on with the index of a proof for about so many bytes; whether it is complete.
    pub fn index_more(&self, proof: &str, bytes: u64) -> Result<bool, Failure> {
        Ok(self.desk.book(proof)?.index_more(bytes)?)
    }

    /// A part of a proof's text from this byte on; nothing behind its end.
    pub fn part(&self, proof: &str, from: u64) -> Result<Vec<u8>, Failure> {
        let text = self.desk.text_of(proof)?;
        let count = text.len().saturating_sub(from).min(PART_BYTES);
        let mut part = vec![0; count as usize];
        let mut filled = 0;
        while filled < part.len() {
            match text.read_at(from + filled as u64, &mut part[filled..]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) => return Err(Failure::gone(error.to_string())),
            }
        }
        part.truncate(filled);
        Ok(part)
    }
}

struct Telling<'a>(&'a mut dyn FnMut(String));

impl Listener for Telling<'_> {
    fn event(&mut self, event: WorkEvent) {
        if let Ok(event) = serde_json::to_string(&event) {
            (self.0)(event);
        }
    }

    fn more(&mut self) -> Option<More> {
        None
    }
}

/// A failure as JSON.
pub(crate) fn written(failure: &Failure) -> String {
    serde_json::to_string(failure).unwrap_or_default()
}
