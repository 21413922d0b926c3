//! Workers in virtual time: the same outer tree and the same messages, without a network.
//!
//! Every job is really done, by an [`Assistant`] of its worker, and takes as long in virtual time as its
//! nodes take at the speed that one states. So what grows with the number of workers is seen before there
//! are so many: how much faster, how much work in vain, how many messages. Faults are drawn by a seed:
//! results that get lost, come late, come twice, or are wrong, and workers that die. The same seed gives
//! the same run.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use foregone_model::Rng;
use serde::{Deserialize, Serialize};

use super::{Assistant, Crew, CrewNews, Setup, SharedCrew};
use crate::error::Error;
use crate::observe::NoClock;

/// What is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cluster {
    /// How many workers.
    pub workers: usize,
    /// The nodes that a worker creates in a second.
    pub speed: f64,
    /// How long a message takes, in seconds.
    pub latency: f64,
    /// How long the coordinator works on a message, in seconds.
    pub coordinator: f64,
    /// After so many seconds a job whose result did not come is handed out again.
    pub patience: f64,
    /// The bytes of a worker's tables.
    pub bytes: u64,
    /// What goes wrong.
    pub faults: Faults,
    /// The seed of what goes wrong, and of how much the speeds of workers differ.
    pub seed: u64,
}

impl Default for Cluster {
    fn default() -> Cluster {
        Cluster {
            workers: 1,
            speed: 5e6,
            latency: 1e-3,
            coordinator: 2e-4,
            patience: 30.0,
            bytes: 64 << 20,
            faults: Faults::default(),
            seed: 0,
        }
    }
}

/// How often what goes wrong, as chances from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Faults {
    /// A result gets lost.
    pub lost: f64,
    /// A result takes ten times as long.
    pub late: f64,
    /// A result comes twice.
    pub double: f64,
    /// A result is changed on its way, or by a worker that lies.
    pub wrong: f64,
    /// A worker dies over a job. Another one comes after a while.
    pub dead: f64,
}

/// What happened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// How long it took, in virtual seconds.
    pub seconds: f64,
    /// How long workers worked, all together.
    pub busy_seconds: f64,
    /// Jobs that were handed out, those that were handed out again among them.
    pub jobs: u64,
    /// Nodes that were created.
    pub nodes: u64,
    /// Messages, both ways.
    pub messages: u64,
    /// Results that were refused.
    pub refused: u64,
    /// Faults that were drawn.
    pub faults: u64,
}

/// A simulated crew, and where its tally is kept.
pub fn crew(setup: Setup, cluster: Cluster) -> (SharedCrew, Arc<Mutex<Tally>>) {
    let tally = Arc::new(Mutex::new(Tally::default()));
    let simulated = Simulated {
        setup,
        cluster,
        rng: Rng::new(cluster.seed),
        now: 0.0,
        workers: (0..cluster.workers).map(|_| None).collect(),
        free: (0..cluster.workers).rev().collect(),
        queue: VecDeque::new(),
        tasks: BTreeMap::new(),
        events: BinaryHeap::new(),
        results: BTreeMap::new(),
        made: 0,
        tally: Arc::clone(&tally),
    };
    let boxed: Box<dyn Crew> = Box::new(simulated);
    (Arc::new(Mutex::new(boxed)), tally)
}

/// When something happens, in nanoseconds, and its number: times that are equal keep their order.
type When = (u64, u64);

enum Happens {
    /// A result arrives.
    Result { number: u64, worker: usize, bytes: Vec<u8> },
    /// A worker has nothing to do, or comes.
    Free { worker: usize },
    /// A job is handed out again.
    Again { number: u64 },
}

struct Simulated {
    setup: Setup,
    cluster: Cluster,
    rng: Rng,
    now: f64,
    /// Made when they get their first job.
    workers: Vec<Option<Assistant>>,
    free: Vec<usize>,
    queue: VecDeque<u64>,
    tasks: BTreeMap<u64, Vec<u8>>,
    events: BinaryHeap<Reverse<When>>,
    results: BTreeMap<When, Happens>,
    made: u64,
    tally: Arc<Mutex<Tally>>,
}

impl Simulated {
    fn tally(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn at(&mut self, seconds: f64, happens: Happens) {
        self.made += 1;
        let when = ((seconds * 1e9) as u64, self.made);
        self.events.push(Reverse(when));
        self.results.insert(when, happens);
    }

    /// Draws a fault.
    fn drawn(&mut self, chance: f64) -> bool {
        let drawn = f64::from(self.rng.below(1 << 30)) < chance * f64::from(1 << 30);
        if drawn {
            self.tally().faults += 1;
        }
        drawn
    }

    fn assistant(&mut self, worker: usize) -> Result<&mut Assistant, Error> {
        let made = match self.workers[worker].take() {
            Some(made) => made,
            None => Assistant::new(self.setup.clone(), self.cluster.bytes, NoClock)?,
        };
        Ok(self.workers[worker].insert(made))
    }

    /// Gives jobs to workers that have none, and works them off.
    fn hand_out(&mut self) {
        while let (Some(&worker), Some(&number)) = (self.free.last(), self.queue.front()) {
            self.queue.pop_front();
            let Some(task) = self.tasks.get(&number).cloned() else { continue };
            self.free.pop();
            let done = self.assistant(worker).map_err(|e| e.to_string());
            let done = done.and_then(|own| own.work(&task, &mut |_| false));
            let bytes = done.unwrap_or_default();
            self.worked(number, worker, bytes);
        }
    }

    /// What comes of a job, and when.
    fn worked(&mut self, number: u64, worker: usize, mut bytes: Vec<u8>) {
        let nodes = super::message::nodes_of(&bytes);
        // Machines are not all the same.
        let speed = self.cluster.speed * (0.8 + 0.4 * f64::from(self.rng.below(1000)) / 1000.0);
        let took = nodes as f64 / speed;
        let Cluster { latency, patience, faults, .. } = self.cluster;
        let begins = self.now + latency;
        let mut tally = self.tally();
        tally.jobs += 1;
        tally.nodes += nodes;
        tally.messages += 2;
        tally.busy_seconds += took;
        drop(tally);
        let mut arrives = begins + took + latency;
        if self.drawn(faults.dead) {
            self.workers[worker] = None;
            self.at(begins + took + 2.0 * patience, Happens::Free { worker });
            self.at(begins + took + patience, Happens::Again { number });
            return;
        }
        self.at(begins + took, Happens::Free { worker });
        if self.drawn(faults.lost) {
            self.at(arrives + patience, Happens::Again { number });
            return;
        }
        if self.drawn(faults.late) {
            arrives += 9.0 * took + patience;
        }
        if self.drawn(faults.wrong) {
            self.damage(&mut bytes);
        }
        if self.drawn(faults.double) {
            let bytes = bytes.clone();
            self.at(arrives + latency, Happens::Result { number, worker, bytes });
        }
        self.at(arrives, Happens::Result { number, worker, bytes });
    }

    /// Changes a result: some bytes, its end, or what it claims to prove.
    fn damage(&mut self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        let length = bytes.len() as u32;
        match self.rng.below(4) {
            0 => bytes.truncate(self.rng.below(length) as usize),
            1 => super::message::swap_provers(bytes),
            _ => {
                for _ in 0..=self.rng.below(4) {
                    bytes[self.rng.below(length) as usize] ^= 1 << self.rng.below(8);
                }
            }
        }
    }
}

impl Crew for Simulated {
    fn places(&mut self) -> usize {
        self.cluster.workers
    }

    fn submit(&mut self, number: u64, task: Vec<u8>) {
        self.now += self.cluster.coordinator;
        self.tasks.insert(number, task);
        self.queue.push_back(number);
    }

    fn wait(&mut self, _within: Duration) -> Vec<CrewNews> {
        self.hand_out();
        let Some(Reverse(when)) = self.events.pop() else { return Vec::new() };
        self.now = self.now.max(when.0 as f64 * 1e-9);
        let mut news = Vec::new();
        match self.results.remove(&when) {
            Some(Happens::Free { worker }) => self.free.push(worker),
            Some(Happens::Again { number }) if self.tasks.contains_key(&number) => {
                self.queue.push_back(number);
            }
            Some(Happens::Result { number, worker, bytes }) => {
                self.now += self.cluster.coordinator;
                let worker = worker.to_string();
                news.push(CrewNews::Done { number, worker, bytes });
            }
            Some(Happens::Again { .. }) | None => {}
        }
        self.tally().seconds = self.now;
        news
    }

    fn cancel(&mut self, number: u64) {
        self.tasks.remove(&number);
    }

    fn refuse(&mut self, worker: &str, _why: &str) {
        self.tally().refused += 1;
        // Another one takes its place, who knows nothing yet.
        if let Some(worker) = worker.parse().ok().and_then(|at: usize| self.workers.get_mut(at)) {
            *worker = None;
        }
    }

    fn keep(&mut self, number: u64, _bytes: &[u8]) {
        self.tasks.remove(&number);
    }

    fn kept(&mut self, _search: u32) -> Vec<(u64, Vec<u8>)> {
        Vec::new()
    }
}
