//! Job-level search (`jobs`): an outer tree whose leaves are looked into by workers, many at a time.
//!
//! After I.-C. Wu, H.-H. Lin, P.-H. Lin, D.-J. Sun, Y.-C. Chan and B.-T. Chen, *Job-level
//! proof-number search for Connect6* (2010), and A. Saffidine, N. Jouandeau and T. Cazenave, *Solving
//! Breakthrough with race patterns and job-level proof number search* (2011): who holds the outer
//! tree hands out leaves, a job is a search of a leaf with a budget, a leaf that is being looked into
//! is marked so that the next one is chosen elsewhere, and results are taken when they come. Partial
//! results move the numbers of the tree before a job ends.
//!
//! Ours: any scheme and any number of outcomes; the workers stand behind one small trait
//! ([`Workers`]), so that threads (`threads.rs`), machines and a simulation share this code; and
//! threads whose jobs are `df` searches share one table, in the manner of J. Pawlewicz and
//! R. Hayward, *Scalable parallel DFPN search* (2013), so that no work is lost between jobs.

use std::io;
use std::ops::ControlFlow;

use foregone_model::{Look, Outcome, Side, Space, WeakSolution};

use super::nest::States;
use super::tree::over;
use crate::leaves::Leaves;
use crate::proof::claims;
use crate::report::{
    Counts, Limits, Progress, Report, RootMove, Solution, StopReason, View, Watch,
};
use crate::saved::Writer;
use crate::scheme::{AnyScheme, Found};

mod inside;
mod outer;
mod saved;
mod threads;
pub mod wire;

pub use inside::{Inside, Looked, Order, TreeInside};
pub(crate) use inside::{StopWatch, bounds_of, nearly, prover_of};
pub use outer::LeafJob;
pub(crate) use outer::Outer;
pub(crate) use threads::{Counter, Guard};

/// How many nodes the search of a leaf may create.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InnerNodes {
    /// Always so many.
    Fixed(u64),
    /// More as the outer tree grows: this many, or four times the root of its size.
    Growing(u64),
}

impl InnerNodes {
    /// How many it may create when the outer tree has so many.
    pub fn size(self, outer: u64) -> u64 {
        match self {
            InnerNodes::Fixed(nodes) => nodes.max(1),
            InnerNodes::Growing(least) => (4 * outer.isqrt()).max(least),
        }
    }
}

/// A proof that came with the result of a job.
#[derive(Clone, Debug)]
pub struct Part<M> {
    /// Which child of the leaf it is about; nothing: the leaf itself.
    pub child: Option<u32>,
    /// The outcome that Max reaches or misses.
    pub at_least: Outcome,
    /// How.
    pub weak: WeakSolution<M>,
}

/// What a job found.
#[derive(Clone, Debug)]
pub struct Done<M> {
    /// The leaf.
    pub leaf: u32,
    /// What was proved of its value.
    pub bounds: (Outcome, Outcome),
    /// What is known of its children, in the order of the steps, for each question about an outcome.
    /// Nothing where there was no need to look: the leaf or the question at hand is solved.
    pub children: Vec<Vec<Found>>,
    /// Proofs of what is solved, where workers send them.
    pub parts: Vec<Part<M>>,
}

/// What comes from workers.
#[derive(Clone, Debug)]
pub enum News<M> {
    /// What a job that is under way knows of its leaf, for each question about an outcome.
    Partial {
        /// The leaf.
        leaf: u32,
        /// What is known.
        found: Vec<Found>,
    },
    /// A job is done.
    Done(Done<M>),
    /// A job came to nothing, and its leaf is free again.
    Lost {
        /// The leaf.
        leaf: u32,
    },
    /// The search is to end.
    Stop(StopReason),
}

/// Tells the state of a leaf that is open, and who chooses there.
pub type OpenLeaf<'a, Sp> = dyn Fn(u32) -> Option<(<Sp as Space>::State, Side)> + 'a;

/// Who works jobs off.
pub trait Workers<Sp: Space> {
    /// How many jobs may be under way now.
    fn places(&mut self) -> usize;

    /// Takes a job over. What comes of it is told by [`Workers::wait`].
    fn submit(&mut self, job: LeafJob<Sp::State>, nodes: u64);

    /// Waits for news, but not longer than the watch of the search may wait.
    /// `leaf` tells the state of a leaf that is open, and who chooses there.
    fn wait(&mut self, leaf: &OpenLeaf<'_, Sp>, news: &mut Vec<News<Sp::Step>>);

    /// What was proved of a state by any job: bounds of its value.
    fn known(&self, _state: &Sp::State) -> Option<(Outcome, Outcome)> {
        None
    }

    /// Remembers what the outer tree proved of a state.
    fn learn(&mut self, _state: &Sp::State, _bounds: (Outcome, Outcome)) {}

    /// What the jobs did so far.
    fn counts(&self) -> Counts;

    /// Writes down what the jobs found out, beside the outer tree. False if that can't be.
    fn save(&self, _out: &mut Writer<'_>) -> io::Result<bool> {
        Ok(false)
    }
}

/// A search as it is seen from outside: the outer tree, and who works.
struct Seen<'s, 'a, Sp: Space> {
    outer: &'s Outer<'a, Sp>,
    workers: &'s dyn Workers<Sp>,
}

impl<Sp: Space> View<Sp::Step> for Seen<'_, '_, Sp> {
    fn bounds(&self) -> (Outcome, Outcome) {
        self.outer.bounds(0)
    }

    fn root_text(&self) -> String {
        self.outer.root_text()
    }

    fn line(&self) -> Vec<Sp::Step> {
        View::line(self.outer)
    }

    fn root_moves(&self) -> Vec<RootMove<Sp::Step>> {
        self.outer.root_moves()
    }

    fn save(&self, out: &mut Writer<'_>) -> io::Result<bool> {
        Ok(self.outer.saves() && {
            // No proof is being made.
            out.put(&None::<(StopReason, Counts)>)?;
            let saved = self.workers.save(out)?;
            if saved {
                self.outer.save(out)?;
            }
            saved
        })
    }
}

/// The outer tree of a search that ended.
pub(crate) struct Ended<'a, Sp: Space> {
    pub(crate) stop: StopReason,
    pub(crate) counts: Counts,
    outer: Outer<'a, Sp>,
}

impl<Sp: Space> Ended<'_, Sp> {
    pub(crate) fn bounds(&self) -> (Outcome, Outcome) {
        self.outer.bounds(0)
    }

    /// What both sides would play.
    pub(crate) fn line(&self) -> Vec<Sp::Step> {
        match self.outer.solved(0) {
            true => Vec::new(),
            false => self.outer.best_line(),
        }
    }

    /// The states of which the outer tree shows that the prover reaches this outcome, or keeps Max
    /// from it.
    pub(crate) fn proved(&self, at_least: Outcome, prover: Side) -> States<Sp> {
        self.outer.proved(at_least, prover)
    }
}

/// Searches with these workers, who send proofs with their results, until the root is solved or the
/// limits or the watch end it.
pub fn jobs<Sp: Space>(
    space: &Sp,
    scheme: &AnyScheme,
    leaves: &mut Leaves,
    inner: InnerNodes,
    limits: Limits,
    workers: &mut dyn Workers<Sp>,
    watch: &mut dyn Watch<Sp::Step>,
) -> Report<Sp::Step> {
    let root = space.root();
    let side = match space.look_at_root(&root) {
        Look::Over(outcome) => return over(space, outcome),
        Look::Choice(side) => side,
    };
    let outer = Outer::new(space, root, side, scheme, leaves, &|state| workers.known(state));
    assembled(space, &run_jobs(outer, inner, limits, workers, watch))
}

/// What came of a search whose workers sent proofs.
pub(crate) fn assembled<Sp: Space>(space: &Sp, ended: &Ended<'_, Sp>) -> Report<Sp::Step> {
    let bounds = ended.bounds();
    let solution = |(at_least, prover)| {
        ended.outer.assemble(at_least, prover).map(|weak| Solution { at_least, weak })
    };
    let solutions = claims(space.best(), bounds).filter_map(solution).collect();
    let (stop, counts, line) = (ended.stop, ended.counts, ended.line());
    Report { stop, bounds, solutions, line, found: Vec::new(), cost: None, counts }
}

/// The search itself, which goes on with this tree.
pub(crate) fn run_jobs<'a, Sp: Space>(
    outer: Outer<'a, Sp>,
    inner: InnerNodes,
    limits: Limits,
    workers: &mut dyn Workers<Sp>,
    watch: &mut dyn Watch<Sp::Step>,
) -> Ended<'a, Sp> {
    let mut outer = outer;
    let (mut running, mut news) = (0, Vec::new());
    let stop = loop {
        if outer.solved(0) {
            break StopReason::Solved;
        }
        // Step 1: as many leaves as there are workers for.
        while running < workers.places()
            && let Some(job) = outer.next_leaf()
        {
            let left = limits.nodes.saturating_sub(workers.counts().nodes);
            workers.submit(job, inner.size(outer.len() as u64).min(left.max(1)));
            running += 1;
        }
        // Step 2: what came of them.
        let leaf = |leaf: u32| outer.open_leaf(leaf).map(|(state, side)| (state.clone(), side));
        workers.wait(&leaf, &mut news);
        let mut stopped = None;
        for news in news.drain(..) {
            match news {
                News::Partial { leaf, found } => outer.partial(leaf, &found),
                News::Done(done) => {
                    running -= usize::from(outer.is_running(done.leaf));
                    outer.finish(done, &|state| workers.known(state));
                }
                News::Lost { leaf } => {
                    running -= usize::from(outer.is_running(leaf));
                    outer.release(leaf);
                }
                News::Stop(reason) => stopped = Some(reason),
            }
        }
        outer.tell_proved(&mut |state, bounds| workers.learn(state, bounds));
        if outer.solved(0) {
            break StopReason::Solved;
        }
        // Step 3: is there anything left to use?
        if let Some(reason) = stopped {
            break reason;
        }
        let counts = counts(&outer, workers);
        let seen = Seen { outer: &outer, workers };
        let progress = Progress::new(counts, &seen);
        let used = match () {
            () if counts.nodes >= limits.nodes => Some(StopReason::Nodes),
            () if outer.bytes() >= limits.bytes / 8 => Some(StopReason::Memory),
            () => None,
        };
        if let Some(reason) = used {
            watch.ending(&progress);
            break reason;
        }
        if let ControlFlow::Break(reason) = watch.tick(&progress) {
            break reason;
        }
    };
    let counts = counts(&outer, workers);
    Ended { stop, counts, outer }
}

fn counts<Sp: Space>(outer: &Outer<'_, Sp>, workers: &dyn Workers<Sp>) -> Counts {
    let inner = workers.counts();
    Counts {
        expansions: outer.expansions + inner.expansions,
        nodes: outer.len() as u64 + inner.nodes,
        playouts: inner.playouts,
        peak_bytes: outer.bytes() + inner.peak_bytes,
    }
}
