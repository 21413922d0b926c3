//! Workers that are threads of this process.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use foregone_model::Space;

use super::{Done, LeafJob, Looked, News};
use crate::report::{Counts, StopReason};

/// The watch of the search waits no longer than this.
const GLANCE: Duration = Duration::from_millis(20);

/// Where threads find jobs and leave results.
pub(crate) struct Counter<Sp: Space> {
    state: Mutex<Piles<Sp>>,
    jobs: Condvar,
    news: Condvar,
    /// The search is over, and jobs are to end.
    over: AtomicBool,
}

struct Piles<Sp: Space> {
    jobs: VecDeque<(LeafJob<Sp::State>, u64)>,
    news: Vec<News<Sp::Step>>,
    counts: Counts,
}

impl<Sp: Space> Counter<Sp> {
    pub(crate) fn new() -> Counter<Sp> {
        let piles = Piles { jobs: VecDeque::new(), news: Vec::new(), counts: Counts::default() };
        Counter {
            state: Mutex::new(piles),
            jobs: Condvar::new(),
            news: Condvar::new(),
            over: AtomicBool::new(false),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Piles<Sp>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether jobs are to end.
    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Ends all jobs.
    pub(crate) fn close(&self) {
        self.over.store(true, Ordering::Relaxed);
        let _held = self.lock();
        self.jobs.notify_all();
    }

    /// A job, as soon as there is one; nothing when the search is over.
    pub(crate) fn take(&self) -> Option<(LeafJob<Sp::State>, u64)> {
        let mut piles = self.lock();
        loop {
            if self.is_over() {
                return None;
            }
            if let Some(job) = piles.jobs.pop_front() {
                return Some(job);
            }
            piles = self.jobs.wait(piles).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Tells what came of a job.
    pub(crate) fn tell(&self, leaf: u32, looked: Option<Looked<Sp::Step>>) {
        let mut piles = self.lock();
        let news = match looked {
            None => News::Lost { leaf },
            Some(Looked { bounds, children, parts, counts }) => {
                piles.counts.expansions += counts.expansions;
                piles.counts.nodes += counts.nodes;
                piles.counts.playouts += counts.playouts;
                piles.counts.peak_bytes = piles.counts.peak_bytes.max(counts.peak_bytes);
                News::Done(Done { leaf, bounds, children, parts })
            }
        };
        piles.news.push(news);
        self.news.notify_one();
    }

    pub(crate) fn submit(&self, job: LeafJob<Sp::State>, nodes: u64) {
        self.lock().jobs.push_back((job, nodes));
        self.jobs.notify_one();
    }

    pub(crate) fn wait(&self, news: &mut Vec<News<Sp::Step>>) {
        let mut piles = self.lock();
        if piles.news.is_empty() {
            let waited = self.news.wait_timeout(piles, GLANCE);
            piles = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        news.append(&mut piles.news);
        // A thread that panicked brings nothing any more.
        if self.is_over() {
            news.push(News::Stop(StopReason::Interrupted));
        }
    }

    pub(crate) fn counts(&self) -> Counts {
        self.lock().counts
    }

    /// Goes on counting from here.
    pub(crate) fn count_from(&self, counts: Counts) {
        self.lock().counts = counts;
    }
}

/// Closes the counter when its thread panics: who waits there would wait for ever.
pub(crate) struct Guard<'c, Sp: Space>(pub(crate) &'c Counter<Sp>);

impl<Sp: Space> Drop for Guard<'_, Sp> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.close();
            self.0.news.notify_all();
        }
    }
}
