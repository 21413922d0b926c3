//! What a search is allowed, what it tells while it runs, and what it returns.

use std::io::{self, Read};
use std::ops::ControlFlow;

use foregone_model::{Outcome, WeakSolution};

use crate::saved::Writer;

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
    /// It looked for wins by threats only, and there are none up to the largest order.
    Orders,
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
            StopReason::Orders => "orders",
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

/// Where a search stands. What takes work to tell is told on demand, so that a watch that does
/// not ask costs nothing.
pub struct Progress<'a, M> {
    /// What the search did so far.
    pub counts: Counts,
    view: &'a dyn View<M>,
}

/// A running search, seen from outside.
pub trait View<M> {
    /// The outcomes of the space between which the value of the root is known to lie.
    fn bounds(&self) -> (Outcome, Outcome);

    /// What the search makes of the root, as a short text. Empty where there is nothing to tell.
    fn root_text(&self) -> String {
        String::new()
    }

    /// The first steps on the way from the root to where the search works, at most [`SHOWN`].
    fn line(&self) -> Vec<M> {
        Vec::new()
    }

    /// The moves of the root, in the order of the search, as far as it looked at them.
    fn root_moves(&self) -> Vec<RootMove<M>> {
        Vec::new()
    }

    /// Writes the search down, so that it can go on from here ([`Watch::saved`]). False if it can't
    /// just now, or never; nothing was written then.
    fn save(&self, _out: &mut Writer<'_>) -> io::Result<bool> {
        Ok(false)
    }
}

/// A move of the root and what the search knows of it so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootMove<M> {
    /// The move.
    pub step: M,
    /// The outcomes of the space between which its value is known to lie.
    pub bounds: (Outcome, Outcome),
    /// What the search makes of it, as a short text: `12/7` for proof numbers. Empty if it did
    /// not look at it yet.
    pub value: String,
}

impl<'a, M> Progress<'a, M> {
    /// The progress of a search that is seen through `view`.
    pub fn new(counts: Counts, view: &'a dyn View<M>) -> Progress<'a, M> {
        Progress { counts, view }
    }

    /// The outcomes of the space between which the value of the root is known to lie.
    pub fn bounds(&self) -> (Outcome, Outcome) {
        self.view.bounds()
    }

    /// What the search makes of the root, as a short text.
    pub fn root_text(&self) -> String {
        self.view.root_text()
    }

    /// The first steps on the way from the root to where the search works, at most [`SHOWN`].
    pub fn line(&self) -> Vec<M> {
        self.view.line()
    }

    /// The moves of the root, each with what is known of it so far. A search that makes a proof
    /// of its answer, or room in its table, shows none.
    pub fn root_moves(&self) -> Vec<RootMove<M>> {
        self.view.root_moves()
    }

    /// Writes the search down, so that it can go on from here ([`Watch::saved`]). False if it can't
    /// just now, or never; nothing was written then.
    pub fn save(&self, out: &mut Writer<'_>) -> io::Result<bool> {
        self.view.save(out)
    }

    pub(crate) fn view(&self) -> &'a dyn View<M> {
        self.view
    }
}

/// A view of work that has no root moves to show: this text, and these bounds.
pub(crate) struct Plain {
    pub(crate) text: &'static str,
    pub(crate) bounds: (Outcome, Outcome),
}

impl<M> View<M> for Plain {
    fn bounds(&self) -> (Outcome, Outcome) {
        self.bounds
    }

    fn root_text(&self) -> String {
        self.text.to_owned()
    }
}

/// No more steps are shown of a running search: on a long way, listing all of them each time would
/// take longer than the search.
pub const SHOWN: usize = 64;

/// Looks at a running search and may end it. It is called now and then, some dozen expansions apart:
/// searches of rules that take milliseconds a state are to end in time, too.
pub trait Watch<M> {
    /// Called with where the search stands.
    fn tick(&mut self, progress: &Progress<'_, M>) -> ControlFlow<StopReason>;

    /// Called when the search is about to stop because it may not use more.
    fn ending(&mut self, _progress: &Progress<'_, M>) {}

    /// Called when the search is over and makes a proof, which can't be written down while it is made.
    fn proving(&mut self, _progress: &Progress<'_, M>) {}

    /// Whether it may ask the search to write itself down.
    fn keeps(&mut self) -> bool {
        false
    }

    /// What a search wrote down ([`Progress::save`]), if this one is to go on from there. Asked once,
    /// when a search begins.
    fn saved(&mut self) -> Option<Box<dyn Read + '_>> {
        None
    }

    /// Says that a search could not go on from what was saved: it was damaged, or is of another
    /// search. The report that follows says nothing.
    fn unreadable(&mut self) {}
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
    /// Of a search that is not done, what it would play from here. Of one that is, a play that its
    /// table shows to be best for both sides, as far as it remembers; a proof tells more.
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
