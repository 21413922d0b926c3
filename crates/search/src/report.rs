//! What a search is allowed, what it tells while it runs, and what it returns.

use std::fmt;
use std::ops::ControlFlow;

use foregone_model::{Outcome, WeakSolution};

/// What a search may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Nodes it may create.
    pub nodes: u64,
    /// Bytes it may hold.
    pub bytes: u64,
}

impl Limits {
    /// No limits.
    pub const NONE: Limits = Limits { nodes: u64::MAX, bytes: u64::MAX };
}

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// It has the answer.
    Solved,
    /// It created as many nodes as it may.
    Nodes,
    /// It holds as many bytes as it may.
    Memory,
    /// The watch ended it: out of time.
    Time,
    /// The watch ended it: somebody asked for that.
    Interrupted,
}

impl StopReason {
    /// One word for it.
    pub fn word(self) -> &'static str {
        match self {
            StopReason::Solved => "solved",
            StopReason::Nodes => "nodes",
            StopReason::Memory => "memory",
            StopReason::Time => "time",
            StopReason::Interrupted => "interrupted",
        }
    }
}

/// What a search did so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// States whose successors were looked at.
    pub expansions: u64,
    /// States that were created.
    pub nodes: u64,
    /// Random plays.
    pub playouts: u64,
    /// The most bytes held at a time.
    pub peak_bytes: u64,
}

/// Where a search stands.
pub struct Progress<'a, M> {
    /// What it did so far.
    pub counts: Counts,
    /// What it knows of the root.
    pub root: &'a dyn fmt::Display,
    /// The first steps on the way from the root to where it works, at most [`SHOWN`].
    pub line: &'a [M],
}

/// No more steps are shown of a running search: on a long way, listing all of them each time would
/// take longer than the search.
pub const SHOWN: usize = 64;

/// Looks at a running search and may end it. It is called now and then, some hundred expansions
/// apart.
pub trait Watch<M> {
    /// Called with where the search stands.
    fn tick(&mut self, progress: &Progress<'_, M>) -> ControlFlow<StopReason>;
}

/// A watch that lets a search run.
impl<M> Watch<M> for () {
    fn tick(&mut self, _progress: &Progress<'_, M>) -> ControlFlow<StopReason> {
        ControlFlow::Continue(())
    }
}

/// What a search returns.
#[derive(Clone, Debug)]
pub struct Report<M> {
    /// Why it stopped.
    pub stop: StopReason,
    /// The outcomes of the space between which the value of the root lies, both included.
    pub bounds: (Outcome, Outcome),
    /// The weak solutions behind the bounds.
    pub solutions: Vec<Solution<M>>,
    /// What the search would play from here, as far as it looked.
    pub line: Vec<M>,
    /// All first steps or all plays by which Max wins, where that was asked. If the search stopped
    /// early there may be more.
    pub found: Vec<Vec<M>>,
    /// What the cheapest proof costs, where the scheme counts that.
    pub cost: Option<u64>,
    /// What it did.
    pub counts: Counts,
}

/// Why a bound holds: Max reaches at least this outcome, or Min keeps it below.
#[derive(Clone, Debug)]
pub struct Solution<M> {
    /// The outcome that Max reaches or misses.
    pub at_least: Outcome,
    /// How.
    pub weak: WeakSolution<M>,
}

impl<M> Report<M> {
    /// The value of the root, if it was found.
    pub fn value(&self) -> Option<Outcome> {
        (self.bounds.0 == self.bounds.1).then_some(self.bounds.0)
    }
}
