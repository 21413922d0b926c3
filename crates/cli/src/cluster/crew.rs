//! A crew behind a NATS server.

use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use foregone::Stop;
use foregone::crew::{Crew, CrewNews};
use foregone::tables::TableCrew;
use foregone_cluster::{ClusterError, Coordinator, Event};

use super::{SharedView, View};
use crate::commands::warn;

/// Results are put into the store so often, or when so many bytes have come.
const FLUSH: Duration = Duration::from_secs(2);
const FLUSH_BYTES: usize = 8 << 20;
/// How often the status is told.
const TELL: Duration = Duration::from_secs(2);
/// After so many failures in a row nothing is to be hoped for.
const FAILURES: u32 = 200;
/// News are taken in bundles.
const BUNDLE: usize = 256;

pub(super) struct NatsCrew {
    coordinator: Arc<Coordinator>,
    view: SharedView,
    /// Results that count and are not in the store yet.
    pending: Vec<u8>,
    /// Whether the server may forget results, once these are there.
    taken: bool,
    flushed: Instant,
    /// How many blobs of results there are.
    blobs: u32,
    /// What an earlier coordinator kept, once it was asked for.
    kept: Option<Vec<(u64, Vec<u8>)>>,
    told: Instant,
    done_when_told: u64,
    failures: u32,
}

/// How often something is asked of a server that does not answer.
const TRIES: u32 = 30;

/// Asks a server for something, again and again while it does not answer, unless that is to end.
pub(super) fn patiently<T>(
    ask: impl Fn() -> Result<T, ClusterError>,
    mut ended: impl FnMut() -> bool,
) -> Result<T, String> {
    let mut tries = 0;
    loop {
        tries += 1;
        match ask() {
            Ok(found) => return Ok(found),
            Err(
                error @ (ClusterError::NoBlob { .. }
                | ClusterError::TooLarge { .. }
                | ClusterError::LeaseLost { .. }),
            ) => return Err(error.to_string()),
            Err(error) if tries >= TRIES || ended() => return Err(error.to_string()),
            Err(_) => std::thread::sleep(Duration::from_secs(1)),
        }
    }
}

fn blob(at: u32) -> String {
    format!("results-{at:08}")
}

impl NatsCrew {
    pub(super) fn new(coordinator: Arc<Coordinator>, view: SharedView) -> NatsCrew {
        let now = Instant::now();
        NatsCrew {
            coordinator,
            view,
            pending: Vec::new(),
            taken: false,
            flushed: now,
            blobs: 0,
            kept: None,
            told: now,
            done_when_told: 0,
            failures: 0,
        }
    }

    fn view(&self) -> MutexGuard<'_, View> {
        self.view.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts results into the store. Only then the server may forget them.
    fn flush(&mut self) {
        self.flushed = Instant::now();
        if !std::mem::take(&mut self.taken) {
            return;
        }
        if self.pending.is_empty() {
            return self.coordinator.commit();
        }
        let bytes = std::mem::take(&mut self.pending);
        match self.coordinator.put_blob(&blob(self.blobs), bytes.clone()) {
            Ok(()) => {
                self.blobs += 1;
                self.coordinator.commit();
            }
            Err(error) => {
                // They stay here, and it is tried again.
                warn(&format!("results can't be kept: {error}"));
                (self.pending, self.taken) = (bytes, true);
            }
        }
    }

    /// What an earlier coordinator put into the store.
    fn read_kept(&mut self) -> Vec<(u64, Vec<u8>)> {
        let mut kept = Vec::new();
        while let Ok(bytes) = self.coordinator.get_blob(&blob(self.blobs)) {
            self.blobs += 1;
            let mut rest = &bytes[..];
            while let Some((number, more)) = rest.split_first_chunk::<8>()
                && let Some((length, more)) = more.split_first_chunk::<8>()
                && let Some((result, more)) =
                    more.split_at_checked(u64::from_le_bytes(*length) as usize)
            {
                kept.push((u64::from_le_bytes(*number), result.to_vec()));
                rest = more;
            }
        }
        kept
    }

    /// Asks the server for something, a few times if it does not answer.
    fn patiently<T>(
        &self,
        ask: impl Fn(&Coordinator) -> Result<T, ClusterError>,
    ) -> Result<T, String> {
        patiently(|| ask(&self.coordinator), || false)
    }

    fn tell(&mut self) {
        let since = self.told.elapsed();
        if since < TELL {
            return;
        }
        self.told = Instant::now();
        let mut view = self.view();
        view.jobs_per_second = (view.jobs_done - self.done_when_told) as f64 / since.as_secs_f64();
        let (done, status) = (view.jobs_done, view.json());
        drop(view);
        self.done_when_told = done;
        // Who asks for it next time sees more.
        let _ = self.coordinator.publish_status(status);
    }

    fn heard(&mut self, event: Event) -> Option<CrewNews> {
        match event {
            Event::Partial { job, payload, .. } if !payload.is_empty() => {
                Some(CrewNews::Partial { number: job, bytes: payload })
            }
            Event::Done { job, worker, payload } => {
                self.failures = 0;
                Some(CrewNews::Done { number: job, worker, bytes: payload })
            }
            Event::Failed { job, worker, message } => {
                self.failures += 1;
                self.view().jobs_lost += 1;
                if self.failures >= FAILURES {
                    warn(&format!("no job comes to an end: {message} (the last one by {worker})"));
                    return Some(CrewNews::Stop(Stop::Interrupted));
                }
                Some(CrewNews::Lost { number: job })
            }
            Event::Joined { worker, info } => {
                self.view().workers.insert(worker, info.cores);
                None
            }
            Event::Left { worker } => {
                self.view().workers.remove(&worker);
                None
            }
            Event::Refused { worker, message } => {
                warn(&format!("the worker {worker} can't take part: {message}"));
                None
            }
            Event::CancelRequested => {
                self.view().cancelled = true;
                warn("somebody asked for the end of this solve");
                Some(CrewNews::Stop(Stop::Interrupted))
            }
            Event::LeaseLost => {
                warn("another coordinator has taken over this solve");
                Some(CrewNews::Stop(Stop::Interrupted))
            }
            Event::Disconnected => {
                warn("the connection to the server is lost; it is tried again");
                None
            }
            Event::Reconnected => {
                warn("the connection to the server is back");
                None
            }
            Event::Trouble { message } => {
                warn(&message);
                None
            }
            Event::Started { .. } | Event::Partial { .. } => None,
        }
    }
}

impl Crew for NatsCrew {
    fn places(&mut self) -> usize {
        let cores: u32 = self.view().workers.values().sum();
        // A few more than there are cores, so that nobody waits for a message.
        (cores + cores / 4 + 1) as usize
    }

    fn submit(&mut self, number: u64, task: Vec<u8>) {
        if let Err(error) = self.coordinator.submit(number, task) {
            warn(&format!("a job can't be handed out: {error}"));
        }
    }

    fn wait(&mut self, within: Duration) -> Vec<CrewNews> {
        // Before anything new is heard: what is forgotten then was taken by now.
        if self.flushed.elapsed() >= FLUSH || self.pending.len() >= FLUSH_BYTES {
            self.flush();
        }
        let mut news = Vec::new();
        let mut patience = within;
        while news.len() < BUNDLE
            && let Some(event) = self.coordinator.next(patience)
        {
            news.extend(self.heard(event));
            patience = Duration::ZERO;
        }
        self.tell();
        news
    }

    fn cancel(&mut self, number: u64) {
        self.coordinator.cancel_job(number);
    }

    fn refuse(&mut self, worker: &str, why: &str) {
        warn(&format!("the worker {worker} is shut out: it sent {why}"));
        self.coordinator.ban(worker, why);
        let mut view = self.view();
        view.refused.push(format!("{worker}: {why}"));
        view.workers.remove(worker);
    }

    fn keep(&mut self, number: u64, bytes: &[u8]) {
        self.taken = true;
        self.view().jobs_done += 1;
        if bytes.is_empty() {
            // It is kept elsewhere.
            return;
        }
        self.pending.extend(number.to_le_bytes());
        self.pending.extend((bytes.len() as u64).to_le_bytes());
        self.pending.extend(bytes);
    }

    fn kept(&mut self, search: u32) -> Vec<(u64, Vec<u8>)> {
        let kept = match self.kept.take() {
            Some(kept) => kept,
            None => self.read_kept(),
        };
        let (of_search, others) =
            kept.into_iter().partition(|(number, _)| (number >> 32) as u32 == search);
        self.kept = Some(others);
        of_search
    }
}

impl TableCrew for NatsCrew {
    fn offer(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), String> {
        self.patiently(|coordinator| coordinator.put_blob(name, bytes.clone()))
    }

    fn withdraw(&mut self, name: &str) {
        // What stays goes when the solve is over.
        let _ = self.coordinator.drop_blob(name);
    }

    fn collect(&mut self, worker: &str, name: &str, most: usize) -> Result<Vec<u8>, String> {
        self.patiently(|coordinator| coordinator.get_work(worker, name, most))
    }

    fn discard(&mut self, worker: &str, name: &str) {
        let _ = self.coordinator.drop_work(worker, name);
    }
}

impl Drop for NatsCrew {
    fn drop(&mut self) {
        self.flush();
    }
}
