//! What a coordinator remembers, and what it tells its caller.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, mpsc};
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::sync::Notify;

use crate::blobs::Blobs;
use crate::link::Link;
use crate::names::SolveNames;
use crate::wire::{Live, WorkerInfo};
use crate::{ClusterError, Options, Result};

/// What happens in a solve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A worker has begun with a job. It may get lost, and may come more than once for a job.
    Started {
        /// The job.
        job: u64,
        /// Who it is.
        worker: String,
    },
    /// A partial result. It may get lost; it never comes after the result.
    Partial {
        /// The job.
        job: u64,
        /// Whose it is.
        worker: String,
        /// What the handler reported.
        payload: Vec<u8>,
    },
    /// The result of a job: one for every job that was submitted and not cancelled.
    Done {
        /// The job.
        job: u64,
        /// Whose it is.
        worker: String,
        /// What the handler returned.
        payload: Vec<u8>,
    },
    /// The job has no result. It may be submitted again.
    Failed {
        /// The job.
        job: u64,
        /// Who tried it last.
        worker: String,
        /// What went wrong.
        message: String,
    },
    /// A worker is there.
    Joined {
        /// Who it is, in all other events.
        worker: String,
        /// What it says about itself.
        info: WorkerInfo,
    },
    /// A worker has left, or has said nothing for too long.
    Left {
        /// Who it was.
        worker: String,
    },
    /// A worker cannot take part: another version, for example.
    Refused {
        /// Who it is.
        worker: String,
        /// Why.
        message: String,
    },
    /// Somebody asks for the end of this solve.
    CancelRequested,
    /// Another coordinator has taken over: this one can do nothing any more.
    LeaseLost,
    /// The connection is gone; it is tried again all the time.
    Disconnected,
    /// The connection is back.
    Reconnected,
    /// The server does not do something that will be tried again: it has no room, for example.
    Trouble {
        /// What it is.
        message: String,
    },
}

/// A place in the stream of results. The generation counts how often the stream was lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) generation: u64,
    pub(crate) sequence: u64,
}

/// A job without a result.
pub(crate) struct Open {
    pub(crate) digest: u64,
    pub(crate) attempt: u64,
    pub(crate) payload: Bytes,
    /// The server has it, under this number in the queue.
    pub(crate) stored: Option<u64>,
    /// It was not in the queue when that was looked at with results up to this place still to come.
    pub(crate) missed: Option<Place>,
    pub(crate) worker: Option<String>,
}

/// A result of an older epoch that nobody has asked for yet.
pub(crate) struct Stray {
    pub(crate) worker: String,
    pub(crate) payload: Bytes,
}

/// Reading pauses while so many events wait for the caller.
pub(crate) const MAX_WAITING: usize = 20_000;

/// The most bytes of results of older epochs that are kept.
const MAX_STRAY: usize = 256 << 20;

#[derive(Default)]
pub(crate) struct State {
    pub(crate) open: BTreeMap<u64, Open>,
    strays: BTreeMap<(u64, u64), Stray>,
    stray_bytes: usize,
    pub(crate) workers: BTreeMap<String, Instant>,
    pub(crate) banned: BTreeSet<String>,
    pub(crate) refused: BTreeSet<String>,
    /// The last result that was read.
    pub(crate) read: Place,
    /// Results up to here have been taken by the caller.
    pub(crate) taken: Place,
    pub(crate) renewed: Option<Instant>,
    /// Messages in the queue that nobody needs any more. They are removed by number: when messages are removed by
    /// subject, server 2.9 forgets which others are on the way and never hands those out again.
    pub(crate) useless: Vec<u64>,
    /// Attempts that were cancelled on their way to the server.
    pub(crate) cancelled: BTreeSet<u64>,
    /// When trouble was told last.
    trouble: Option<Instant>,
    /// Objects of results, to be removed with them.
    pub(crate) stored: Vec<(Place, String)>,
    attempts: u64,
}

impl State {
    /// A number that no message of this epoch has had.
    pub(crate) fn attempt(&mut self) -> u64 {
        self.attempts += 1;
        self.attempts
    }

    pub(crate) fn keep_stray(&mut self, job: u64, digest: u64, stray: Stray) {
        if self.stray_bytes + stray.payload.len() > MAX_STRAY {
            // The work is lost, not the job: it will be done again.
            return;
        }
        self.stray_bytes += stray.payload.len();
        if let Some(old) = self.strays.insert((job, digest), stray) {
            self.stray_bytes -= old.payload.len();
        }
    }

    pub(crate) fn take_stray(&mut self, job: u64, digest: u64) -> Option<Stray> {
        let stray = self.strays.remove(&(job, digest))?;
        self.stray_bytes -= stray.payload.len();
        Some(stray)
    }
}

/// What all tasks of a coordinator share.
pub(crate) struct Shared {
    pub(crate) link: Link,
    pub(crate) names: SolveNames,
    pub(crate) options: Options,
    pub(crate) live: Mutex<Live>,
    pub(crate) epoch: u64,
    pub(crate) owner: String,
    pub(crate) setup: Bytes,
    state: Mutex<State>,
    events: mpsc::Sender<(Option<Place>, Event)>,
    pub(crate) waiting: AtomicUsize,
    pub(crate) lost: AtomicBool,
    pub(crate) lease_revision: AtomicU64,
    /// Numbers of jobs to publish.
    pub(crate) publish: tokio::sync::mpsc::UnboundedSender<u64>,
    /// The connection came back, or something is missing on the server.
    pub(crate) look: Notify,
    pub(crate) reread: Notify,
}

impl Shared {
    #[expect(clippy::too_many_arguments, reason = "all that a solve begins with")]
    pub(crate) fn new(
        link: Link,
        names: SolveNames,
        options: Options,
        live: Live,
        owner: String,
        setup: Bytes,
        lease_revision: u64,
        events: mpsc::Sender<(Option<Place>, Event)>,
        publish: tokio::sync::mpsc::UnboundedSender<u64>,
    ) -> Self {
        let epoch = live.epoch;
        let state = State {
            banned: live.banned.iter().cloned().collect(),
            renewed: Some(Instant::now()),
            ..State::default()
        };
        Self {
            link,
            names,
            options,
            live: Mutex::new(live),
            epoch,
            owner,
            setup,
            state: Mutex::new(state),
            events,
            waiting: AtomicUsize::new(0),
            lost: AtomicBool::new(false),
            lease_revision: AtomicU64::new(lease_revision),
            publish,
            look: Notify::new(),
            reread: Notify::new(),
        }
    }

    /// A thread that panics while it holds the lock leaves whole entries behind.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// The object store of this solve.
    pub(crate) async fn blobs(&self) -> Result<Blobs<'_>> {
        Blobs::open(&self.link, &self.names, self.options.replicas).await
    }

    pub(crate) fn live(&self) -> MutexGuard<'_, Live> {
        self.live.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    pub(crate) fn tell(&self, event: Event) {
        self.tell_at(None, event);
    }

    pub(crate) fn tell_at(&self, place: Option<Place>, event: Event) {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        // The caller may have gone.
        let _ = self.events.send((place, event));
    }

    /// An event that may get lost: it does while the caller is far behind.
    pub(crate) fn tell_if_room(&self, event: Event) {
        if self.waiting.load(Ordering::Relaxed) < MAX_WAITING {
            self.tell(event);
        }
    }

    /// Trouble, not more often than every few seconds.
    pub(crate) fn trouble(&self, error: &ClusterError) {
        let mut state = self.state();
        if state.trouble.is_none_or(|told| told.elapsed() > Duration::from_secs(5)) {
            state.trouble = Some(Instant::now());
            self.tell(Event::Trouble { message: error.to_string() });
        }
    }

    pub(crate) fn lost(&self) -> bool {
        self.lost.load(Ordering::Acquire)
    }

    /// The lease is gone: says so once.
    pub(crate) fn lose(&self) {
        if !self.lost.swap(true, Ordering::AcqRel) {
            self.tell(Event::LeaseLost);
        }
    }

    /// Whether the lease is surely ours: nobody may take it so soon after it was renewed.
    pub(crate) fn sure(&self) -> Result<()> {
        // Neither lock may be held while the other one is taken.
        let (id, lease) = {
            let live = self.live();
            (live.info.id.clone(), live.terms.lease)
        };
        if self.lost() {
            return Err(ClusterError::LeaseLost { id });
        }
        let age = self.state().renewed.map(|at| at.elapsed()).unwrap_or_default();
        if age < lease {
            Ok(())
        } else {
            Err(ClusterError::LeaseInDoubt { id, seconds: age.as_secs() })
        }
    }

    /// Hands a job out once more, under a new message id.
    pub(crate) fn again(&self, state: &mut State, job: u64) {
        let attempt = state.attempt();
        if let Some(open) = state.open.get_mut(&job) {
            open.attempt = attempt;
            let old = open.stored.take();
            open.missed = None;
            open.worker = None;
            state.useless.extend(old);
            let _ = self.publish.send(job);
        }
    }
}
