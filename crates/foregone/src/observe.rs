//! What a job tells while it runs, and how it is ended.
//!
//! Nothing here prints, and nothing is global: a clock is handed in, an observer hears of one job,
//! and a token cancels one job.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use foregone_search::StopReason;
use serde::{Deserialize, Serialize};

use crate::answer::MoveAnswer;
use crate::checkpoint::Checkpoints;

/// Ends a job from elsewhere: another thread, a handler of Ctrl-C, a server whose client left.
/// Clones belong to the same job.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A token for a job.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Ends the job as soon as it looks. Returns whether that was asked before.
    pub fn cancel(&self) -> bool {
        self.0.swap(true, Ordering::Relaxed)
    }

    /// The flag behind it, for handlers of signals, which may do no more than set one.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// Whether the job is to end.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A clock. Searches have none; who runs a job hands one in, so that jobs run in a browser, too.
pub trait Clock: Send + Sync {
    /// The time since some fixed moment.
    fn now(&self) -> Duration;
}

/// The clock of the operating system.
#[cfg(not(target_family = "wasm"))]
#[derive(Clone, Copy, Debug)]
pub struct SystemClock(std::time::Instant);

#[cfg(not(target_family = "wasm"))]
impl SystemClock {
    /// A clock that counts from now on.
    pub fn new() -> SystemClock {
        SystemClock(std::time::Instant::now())
    }
}

#[cfg(not(target_family = "wasm"))]
impl Default for SystemClock {
    fn default() -> SystemClock {
        SystemClock::new()
    }
}

#[cfg(not(target_family = "wasm"))]
impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A clock that stands still: budgets of time never end a job.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoClock;

impl Clock for NoClock {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

/// Something that happened to a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The job was understood, and its search begins.
    Started {
        /// The game, in full.
        game: String,
        /// The position, in full.
        position: String,
        /// The question.
        question: String,
        /// The scheme, where the driver takes one.
        scheme: Option<String>,
        /// The driver or the algorithm.
        driver: String,
    },
    /// Where the search stands.
    Progress(Progress),
    /// Where the values of all moves are asked: the search of the position behind one of them begins. What
    /// is told of progress from here on speaks of that position.
    MoveStarted {
        /// The move.
        #[serde(rename = "move")]
        text: String,
    },
    /// Where the values of all moves are asked: what was found out about one of them. Which of them is the
    /// best, and how far the end is, comes with the answer.
    MoveValued {
        /// The move and its value.
        value: MoveAnswer,
    },
    /// A search ended, and the proof of what it found is being made.
    ProofStarted,
    /// How far work has come that is not a search.
    Working {
        /// Which.
        work: Work,
        /// Seconds since the job began.
        seconds: f64,
        /// How much is done, in what this work counts.
        done: u64,
        /// Which part of all of it that is, from 0 to 1; an estimate where all of it is not known.
        share: f64,
    },
    /// A certificate was replayed by the checker.
    ProofChecked {
        /// How many claims it has.
        claims: u64,
    },
    /// The job is over.
    Done {
        /// Why.
        stop: Stop,
    },
}

/// Work that is not a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Work {
    /// A certificate is written: lines, each of them twice.
    Writing,
    /// A certificate is replayed by the checker: bytes of its text.
    Checking,
    /// Sequences of moves are counted.
    Counting,
    /// Searches are compared: searches.
    Comparing,
    /// Tables are built: numbers of positions that were looked at.
    Building,
    /// Tables are verified: numbers of positions.
    Verifying,
}

/// Where a search stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Seconds since the job began.
    pub seconds: f64,
    /// States whose successors were looked at.
    pub expansions: u64,
    /// States that were created.
    pub nodes: u64,
    /// Random plays.
    pub playouts: u64,
    /// Bytes that the search holds.
    pub bytes: u64,
    /// The outcomes between which the value lies.
    pub bounds: [String; 2],
    /// What the scheme knows of the root, in its own words.
    pub root: String,
    /// The first moves on the way to where the search works.
    pub line: Vec<String>,
    /// The moves of the root, each with what is known of it now.
    pub moves: Vec<MoveValue>,
}

/// What is known of a move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveValue {
    /// The move.
    pub text: String,
    /// What the scheme knows of the position behind it, in its own words.
    pub value: String,
    /// The outcomes between which the value of that position lies.
    pub bounds: [String; 2],
}

/// Why a job ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// It has the answer.
    Solved,
    /// It created as many nodes as it may.
    Nodes,
    /// It holds as many bytes as it may.
    Memory,
    /// Its time was over.
    Time,
    /// It was cancelled.
    Interrupted,
    /// There are no wins by threats up to the largest order, and it looked for nothing else.
    Orders,
}

impl Stop {
    /// One word for it.
    pub fn word(self) -> &'static str {
        match self {
            Stop::Solved => "solved",
            Stop::Nodes => "nodes",
            Stop::Memory => "memory",
            Stop::Time => "time",
            Stop::Interrupted => "interrupted",
            Stop::Orders => "orders",
        }
    }
}

impl From<StopReason> for Stop {
    fn from(reason: StopReason) -> Stop {
        match reason {
            StopReason::Solved => Stop::Solved,
            StopReason::Nodes => Stop::Nodes,
            StopReason::Memory => Stop::Memory,
            StopReason::Time => Stop::Time,
            StopReason::Interrupted => Stop::Interrupted,
            StopReason::Orders => Stop::Orders,
        }
    }
}

/// Hears of a job while it runs.
pub trait Observer {
    /// Called with what happened.
    fn event(&mut self, event: &Event);

    /// How far apart it wants to hear of progress; nothing if never.
    fn every(&self) -> Option<Duration> {
        Some(Duration::from_millis(200))
    }

    /// The checkpoints of the job, if some are to be kept.
    fn checkpoints(&mut self) -> Option<&mut Checkpoints> {
        None
    }
}

/// An observer that does not listen.
impl Observer for () {
    fn event(&mut self, _event: &Event) {}

    fn every(&self) -> Option<Duration> {
        None
    }
}

/// Any function of an event is an observer.
impl<F: FnMut(&Event)> Observer for F {
    fn event(&mut self, event: &Event) {
        self(event);
    }
}

/// What a running job needs from outside.
pub struct Context<'a> {
    /// The clock.
    pub clock: &'a dyn Clock,
    /// Who hears of it.
    pub observer: &'a mut dyn Observer,
    /// What ends it.
    pub cancel: &'a Cancel,
    /// Who looks into leaves elsewhere, if somebody does.
    pub crew: Option<&'a std::sync::Mutex<Box<dyn crate::crew::Crew>>>,
    /// Where certificates are kept; nothing: in memory.
    pub archive: Option<&'a dyn crate::certify::Archive>,
}

impl<'a> Context<'a> {
    /// Without a crew, certificates being kept in memory.
    pub fn new(
        clock: &'a dyn Clock,
        observer: &'a mut dyn Observer,
        cancel: &'a Cancel,
    ) -> Context<'a> {
        Context { clock, observer, cancel, crew: None, archive: None }
    }
}

/// Whether a job is to end: it was cancelled, or its time is over.
pub(crate) fn stopped(
    clock: &dyn Clock,
    cancel: &Cancel,
    began: Duration,
    time: Option<Duration>,
) -> Option<StopReason> {
    stopped_after(clock.now().saturating_sub(began), cancel, time)
}

/// The same for who has just looked at the clock: that is most of what it costs.
pub(crate) fn stopped_after(
    elapsed: Duration,
    cancel: &Cancel,
    time: Option<Duration>,
) -> Option<StopReason> {
    if cancel.is_cancelled() {
        return Some(StopReason::Interrupted);
    }
    time.is_some_and(|limit| elapsed >= limit).then_some(StopReason::Time)
}

/// When an observer hears of progress next.
pub(crate) struct Pace {
    every: Option<Duration>,
    last: Duration,
}

impl Pace {
    pub(crate) fn new(observer: &dyn Observer) -> Pace {
        Pace { every: observer.every(), last: Duration::ZERO }
    }

    pub(crate) fn due(&mut self, elapsed: Duration) -> bool {
        let due = self.every.is_some_and(|every| elapsed >= self.last + every);
        if due {
            self.last = elapsed;
        }
        due
    }
}

/// What work that is not a search needs from outside: whether it is to end, and who hears of it.
pub(crate) struct Meter<'a> {
    pub(crate) clock: &'a dyn Clock,
    pub(crate) cancel: &'a Cancel,
    pub(crate) began: Duration,
    pub(crate) time: Option<Duration>,
    pub(crate) pace: &'a mut Pace,
    pub(crate) observer: &'a mut dyn Observer,
}

impl Meter<'_> {
    /// Why the work is to end, if it is. Otherwise who observes it hears how far it is, if that is
    /// due.
    pub(crate) fn stopped(&mut self, work: Work, done: u64, share: f64) -> Option<StopReason> {
        let elapsed = self.clock.now().saturating_sub(self.began);
        let stopped = stopped_after(elapsed, self.cancel, self.time);
        if let Some(checkpoints) = self.observer.checkpoints()
            && (stopped.is_some() || checkpoints.due(elapsed))
        {
            checkpoints.keep_done();
            if stopped.is_some() {
                checkpoints.close();
            }
        }
        if stopped.is_some() {
            return stopped;
        }
        if self.pace.due(elapsed) {
            let seconds = elapsed.as_secs_f64();
            self.observer.event(&Event::Working { work, seconds, done, share });
        }
        None
    }
}
