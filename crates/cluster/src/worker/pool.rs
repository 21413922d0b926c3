//! Jobs between the network and the threads that work.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::message::Acker;
use bytes::Bytes;
use tokio::sync::Notify;

use super::Note;
use crate::WorkerInfo;
use crate::names::SolveNames;
use crate::wire::{JobHead, Live, ResultKind};

/// A solve that this worker takes part in.
pub(crate) struct Solve {
    pub(crate) live: Live,
    pub(crate) names: SolveNames,
    pub(crate) setup: Bytes,
    /// No more jobs of it.
    pub(crate) closed: AtomicBool,
}

/// A job to do.
pub(crate) struct Task {
    pub(crate) key: u64,
    pub(crate) solve: Arc<Solve>,
    pub(crate) head: JobHead,
    pub(crate) payload: Bytes,
    pub(crate) stop: Arc<AtomicBool>,
}

/// Where a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Queued,
    /// Its handler was heard of last at this time.
    Running(Instant),
    /// Its result is on its way.
    Sending,
    /// Its handler hangs; others have it now.
    Hung,
    /// Others have it now.
    GivenUp,
}

impl Stage {
    /// Whether others have the job.
    pub(crate) fn others(self) -> bool {
        matches!(self, Self::Hung | Self::GivenUp)
    }
}

/// A job that the server counts as ours.
pub(crate) struct Held {
    pub(crate) solve: Arc<Solve>,
    pub(crate) head: JobHead,
    pub(crate) acker: Arc<Acker>,
    pub(crate) stop: Arc<AtomicBool>,
    pub(crate) stage: Stage,
    pub(crate) since: Instant,
    pub(crate) beaten: Instant,
}

/// What goes out to the server.
pub(crate) enum Outgoing {
    Started {
        solve: Arc<Solve>,
        head: JobHead,
    },
    Partial {
        solve: Arc<Solve>,
        head: JobHead,
        payload: Vec<u8>,
    },
    Result {
        key: u64,
        solve: Arc<Solve>,
        head: JobHead,
        kind: ResultKind,
        payload: Vec<u8>,
    },
    /// Others should do it.
    Back {
        key: u64,
    },
    Refuse {
        solve: Arc<Solve>,
        message: String,
    },
}

pub(crate) struct State {
    queue: VecDeque<Task>,
    pub(crate) held: BTreeMap<u64, Held>,
    pub(crate) solves: BTreeMap<String, Arc<Solve>>,
    /// Solves that we take no jobs of, by nonce.
    pub(crate) refused: BTreeSet<String>,
    /// The last messages that nobody wants any more: nonce, epoch and attempt.
    cancelled: VecDeque<(String, u64, u64)>,
    idle: usize,
    /// Seconds of a job, roughly.
    average: f64,
    keys: u64,
}

impl State {
    /// Nobody wants this job any more. It may come later than this.
    pub(crate) fn cancel(&mut self, nonce: &str, epoch: u64, attempt: u64) {
        for held in self.held.values() {
            if held.head.epoch == epoch
                && held.head.attempt == attempt
                && held.solve.live.nonce == nonce
            {
                held.stop.store(true, Ordering::Release);
            }
        }
        self.cancelled.push_back((nonce.to_owned(), epoch, attempt));
        if self.cancelled.len() > 1000 {
            self.cancelled.pop_front();
        }
    }

    /// Whether nobody wants this job any more.
    pub(crate) fn is_cancelled(&self, solve: &Solve, head: &JobHead) -> bool {
        let same = |(nonce, epoch, attempt): &(String, u64, u64)| {
            *attempt == head.attempt && *epoch == head.epoch && *nonce == solve.live.nonce
        };
        self.cancelled.iter().any(same)
    }

    fn hold(
        &mut self,
        solve: Arc<Solve>,
        head: JobHead,
        acker: Acker,
        stage: Stage,
    ) -> (u64, Arc<AtomicBool>) {
        self.keys += 1;
        let stop = Arc::new(AtomicBool::new(false));
        let (acker, now) = (Arc::new(acker), Instant::now());
        self.held.insert(
            self.keys,
            Held { solve, head, acker, stop: stop.clone(), stage, since: now, beaten: now },
        );
        (self.keys, stop)
    }
}

/// What the threads of a worker share.
pub(crate) struct Pool {
    pub(crate) worker: String,
    pub(crate) info: WorkerInfo,
    slots: usize,
    state: Mutex<State>,
    work: Condvar,
    /// There is room for more jobs, or there may be more solves.
    pub(crate) room: Notify,
    pub(crate) log: Arc<dyn Fn(Note) + Send + Sync>,
    pub(crate) outgoing: tokio::sync::mpsc::Sender<Outgoing>,
    ended: AtomicBool,
}

/// What a thread should do next.
pub(crate) enum Next {
    Work(Task),
    /// Look whether solves are over.
    Look,
    End,
}

/// A worker has so many seconds of work in store, as long as jobs are short.
const STORE: f64 = 0.2;

impl Pool {
    pub(crate) fn new(
        worker: String,
        info: WorkerInfo,
        slots: usize,
        log: Arc<dyn Fn(Note) + Send + Sync>,
        outgoing: tokio::sync::mpsc::Sender<Outgoing>,
    ) -> Self {
        let state = State {
            queue: VecDeque::new(),
            held: BTreeMap::new(),
            solves: BTreeMap::new(),
            refused: BTreeSet::new(),
            cancelled: VecDeque::new(),
            idle: 0,
            average: 1.0,
            keys: 0,
        };
        let (state, work, room) = (Mutex::new(state), Condvar::new(), Notify::new());
        Self {
            worker,
            info,
            slots,
            state,
            work,
            room,
            log,
            outgoing,
            ended: AtomicBool::new(false),
        }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }

    /// The worker ends: all handlers are told to stop.
    pub(crate) fn end(&self) {
        self.ended.store(true, Ordering::Release);
        let mut state = self.state();
        state.queue.clear();
        for held in state.held.values() {
            held.stop.store(true, Ordering::Release);
        }
        self.work.notify_all();
    }

    /// How many more jobs we can use. Jobs that are long are not stored: others may be idle.
    pub(crate) fn demand(&self) -> usize {
        let state = self.state();
        let each = (STORE / state.average.max(1e-6)).min(256.0) as usize;
        let hung = state.held.values().filter(|held| held.stage == Stage::Hung).count();
        (state.idle + each * self.slots.saturating_sub(hung)).saturating_sub(state.queue.len())
    }

    /// A job has come.
    pub(crate) fn add(&self, solve: Arc<Solve>, head: JobHead, payload: Bytes, acker: Acker) {
        let mut state = self.state();
        let (key, stop) = state.hold(solve.clone(), head.clone(), acker, Stage::Queued);
        state.queue.push_back(Task { key, solve, head, payload, stop });
        self.work.notify_one();
    }

    /// A job has come that is not worked on.
    pub(crate) fn hold(&self, solve: Arc<Solve>, head: JobHead, acker: Acker) -> u64 {
        self.state().hold(solve, head, acker, Stage::Sending).0
    }

    /// What the calling thread should do next. It waits a little if there is nothing.
    pub(crate) fn next(&self) -> Next {
        if self.ended() {
            return Next::End;
        }
        let mut state = self.state();
        if state.queue.is_empty() {
            state.idle += 1;
            self.room.notify_one();
            let waited = self.work.wait_timeout(state, Duration::from_millis(300));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            state.idle -= 1;
        }
        while let Some(task) = state.queue.pop_front() {
            let Some(held) = state.held.get_mut(&task.key) else { continue };
            if task.stop.load(Ordering::Acquire) || task.solve.closed.load(Ordering::Acquire) {
                drop(state);
                self.send(Outgoing::Back { key: task.key });
                return Next::Look;
            }
            held.stage = Stage::Running(Instant::now());
            if state.queue.len() < self.slots {
                self.room.notify_one();
            }
            return Next::Work(task);
        }
        if self.ended() { Next::End } else { Next::Look }
    }

    /// The handler of a job has been heard of.
    pub(crate) fn progress(&self, key: u64) {
        if let Some(held) = self.state().held.get_mut(&key)
            && let Stage::Running(heard) = &mut held.stage
        {
            *heard = Instant::now();
        }
    }

    /// The handler of a job is done with it.
    pub(crate) fn finished(&self, key: u64, took: Duration) {
        let mut state = self.state();
        state.average = state.average * 0.8 + took.as_secs_f64() * 0.2;
        if let Some(held) = state.held.get_mut(&key)
            && !held.stage.others()
        {
            held.stage = Stage::Sending;
        }
    }

    /// Hands something to the network. It waits while too much is on its way. For threads that work, not for tasks.
    pub(crate) fn send(&self, outgoing: Outgoing) {
        // The network ends only with the worker.
        let _ = self.outgoing.blocking_send(outgoing);
    }

    /// Hands something to the network that may get lost: it does while too much is on its way.
    pub(crate) fn send_if_room(&self, outgoing: Outgoing) {
        let _ = self.outgoing.try_send(outgoing);
    }

    /// The solve of this name that we take part in.
    pub(crate) fn solve(&self, id: &str) -> Option<Arc<Solve>> {
        self.state().solves.get(id).cloned()
    }

    /// No more jobs of this solve; those that run are stopped.
    pub(crate) fn close(&self, id: &str) -> Option<Arc<Solve>> {
        let mut state = self.state();
        let solve = state.solves.remove(id)?;
        solve.closed.store(true, Ordering::Release);
        for held in state.held.values().filter(|held| held.solve.live.nonce == solve.live.nonce) {
            held.stop.store(true, Ordering::Release);
        }
        Some(solve)
    }
}
