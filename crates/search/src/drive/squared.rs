//! A search inside a search (`squared`): PN², PP², and any scheme over any other.
//!
//! After D. M. Breuker, *Memory versus search in games* (1998), and section 2.6 of *Solving Games
//! and All That*: the value of a leaf of the outer tree is that of the root of an inner tree, as
//! large as the outer one, which is then forgotten. Trees of a size are worth what trees of the
//! square of that size would be.
//!
//! The inner searches of one expansion do not depend on each other, so threads may share them, in
//! the manner of job-level search (I.-C. Wu et al. 2010; A. Saffidine, N. Jouandeau and
//! T. Cazenave, *Solving Breakthrough with race patterns and job-level proof number search*,
//! 2011). Their number changes nothing but the time.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use foregone_model::{Look, Outcome, Side, Space, WeakSolution};

use super::tree::{probe, prove};
use crate::inform::{Inform, Init, Leaves};
use crate::report::{Counts, Limits, Progress, StopReason, Watch};
use crate::scheme::{Blind, Effort, Mcts, MinMax, Pn, Pp, Range, Sample, Sbmcts, Scheme, Tally};

/// An inner search may always create this many nodes: at the beginning the outer tree is tiny.
const LEAST: u64 = 64;

/// The scheme of the inner searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Inner {
    /// Best first minimax.
    MinMax,
    /// Proof numbers.
    Pn,
    /// Product propagation.
    Pp,
    /// MCTS Solver with this exploration constant.
    Mcts(f64),
}

/// Says why inner searches are to end, when they are.
pub type Bell<'a> = &'a (dyn Fn() -> Option<StopReason> + Sync);

/// Values leaves by inner searches. With the driver `tree` it makes the driver `squared`.
pub struct Nested<'a> {
    inner: Inner,
    init: Init,
    seed: u64,
    threads: usize,
    /// What all inner searches together may create.
    nodes: u64,
    bell: Bell<'a>,
    /// What the last inner search found, for a leaf that is asked about outcome by outcome.
    last: Vec<Found>,
    counts: Counts,
}

/// An inner search that hears the bell.
struct Hears<'a>(Bell<'a>);

impl<M> Watch<M> for Hears<'_> {
    fn tick(&mut self, _progress: &Progress<'_, M>) -> ControlFlow<StopReason> {
        (self.0)().map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }
}

/// What an inner search knows of its root.
#[derive(Clone, Copy)]
enum Found {
    Solved(Outcome),
    Effort(Effort),
    /// A chance by product propagation.
    Chance(f64),
    Tally(Tally),
    /// A value of best first minimax: around zero.
    Score(f64),
}

impl<'a> Nested<'a> {
    /// Inner searches by this scheme, their leaves valued in this way. They may create so many
    /// nodes together.
    pub fn new(inner: Inner, init: Init, seed: u64, nodes: u64, bell: Bell<'a>) -> Nested<'a> {
        Nested {
            inner,
            init,
            seed,
            threads: 1,
            nodes,
            bell,
            last: Vec::new(),
            counts: Counts::default(),
        }
    }

    /// The same, shared among so many threads.
    pub fn with_threads(self, threads: usize) -> Nested<'a> {
        Nested { threads: threads.max(1), ..self }
    }

    /// Every inner search has random numbers of its own, whichever thread runs it.
    fn leaves(&self, number: u64) -> Leaves {
        Leaves::new(self.init, self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn search<Sp: Space>(
        &self,
        space: &Sp,
        at: (Sp::State, Side),
        nodes: u64,
        number: u64,
    ) -> (Vec<Found>, Counts) {
        fn run<Sp: Space, S: Scheme>(
            space: &Sp,
            at: (Sp::State, Side),
            scheme: &S,
            leaves: &mut impl Inform<Sp, S>,
            (nodes, bell): (u64, Bell<'_>),
            open: impl Fn(S::Value) -> Found,
        ) -> (Vec<Found>, Counts) {
            let limits = Limits { nodes, ..Limits::NONE };
            let (values, counts) = probe(space, at, scheme, leaves, limits, &mut Hears(bell));
            let found = |&v: &S::Value| scheme.outcome(v).map_or_else(|| open(v), Found::Solved);
            (values.iter().map(found).collect(), counts)
        }
        let mut leaves = self.leaves(number);
        let leaves = &mut leaves;
        let most = (nodes, self.bell);
        match self.inner {
            Inner::MinMax => run(space, at, &MinMax, leaves, most, Found::Score),
            Inner::Pn => run(space, at, &Pn, leaves, most, Found::Effort),
            Inner::Pp => run(space, at, &Pp, leaves, most, Found::Chance),
            Inner::Mcts(exploration) => {
                run(space, at, &Mcts { exploration }, leaves, most, Found::Tally)
            }
        }
    }

    /// The inner searches of several leaves, in the order of the leaves: what each of them found
    /// for every question about an outcome.
    fn search_all<Sp: Space>(
        &mut self,
        space: &Sp,
        leaves: &[(Sp::State, Side)],
        nodes: u64,
    ) -> Vec<Vec<Found>> {
        let left = self.nodes.saturating_sub(self.counts.nodes) / leaves.len().max(1) as u64;
        let nodes = nodes.max(LEAST).min(left.max(1));
        let first = self.counts.expansions;
        let this = &*self;
        let one = |i: usize| this.search(space, leaves[i].clone(), nodes, first + i as u64);
        let threads = this.threads.min(leaves.len());
        // Handing work to threads costs more than a tiny search.
        let found: Vec<(Vec<Found>, Counts)> = if threads < 2 || nodes < 1000 {
            (0..leaves.len()).map(one).collect()
        } else {
            let next = AtomicUsize::new(0);
            let work = || {
                let mut done = Vec::new();
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= leaves.len() {
                        return done;
                    }
                    done.push((i, one(i)));
                }
            };
            let mut all: Vec<(usize, (Vec<Found>, Counts))> = std::thread::scope(|scope| {
                let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
                let mut all = work();
                for thread in others {
                    match thread.join() {
                        Ok(done) => all.extend(done),
                        Err(panic) => std::panic::resume_unwind(panic),
                    }
                }
                all
            });
            all.sort_by_key(|(i, _)| *i);
            all.into_iter().map(|(_, found)| found).collect()
        };
        for (_, counts) in &found {
            self.counts.nodes += counts.nodes;
            self.counts.playouts += counts.playouts;
            let at_once = counts.peak_bytes * threads.max(1) as u64;
            self.counts.peak_bytes = self.counts.peak_bytes.max(at_once);
        }
        // Here: how many inner searches there were.
        self.counts.expansions += found.len() as u64;
        found.into_iter().map(|(found, _)| found).collect()
    }

    /// The solution of a leaf that an inner search solved: the search once more, to its end.
    fn prove<Sp: Space>(
        &self,
        space: &Sp,
        state: &Sp::State,
        outcome: Outcome,
    ) -> Option<WeakSolution<Sp::Step>> {
        // The leaf may be the root of the outer search, which is never taken as known.
        let Look::Choice(side) = space.look_at_root(state) else { return None };
        let at = (state.clone(), side);
        let mut leaves = self.leaves(0);
        let leaves = &mut leaves;
        let watch: &mut dyn Watch<Sp::Step> = &mut Hears(self.bell);
        let solution = match self.inner {
            Inner::MinMax => prove(space, at, &MinMax, leaves, watch),
            Inner::Pn => prove(space, at, &Pn, leaves, watch),
            Inner::Pp => prove(space, at, &Pp, leaves, watch),
            Inner::Mcts(exploration) => prove(space, at, &Mcts { exploration }, leaves, watch),
        };
        let prover = if outcome == Outcome::WIN { Side::Max } else { Side::Min };
        solution.filter(|s| s.prover == prover)
    }
}

/// How a scheme takes what an inner search of another scheme found about the question with this
/// number, or about all of them.
trait Take: Scheme {
    fn take(&self, found: &[Found], at: usize) -> Self::Value;
}

/// The bounds that solved questions make.
fn range(found: &[Found]) -> Range {
    let count = |outcome| {
        found.iter().filter(|f| matches!(f, Found::Solved(o) if *o == outcome)).count() as u16
    };
    let high = found.len() as u16 - count(Outcome::LOSS);
    Range { low: Outcome(count(Outcome::WIN)), high: Outcome(high) }
}

impl Take for Blind {
    fn take(&self, found: &[Found], _at: usize) -> Range {
        range(found)
    }
}

impl Take for Sbmcts {
    fn take(&self, found: &[Found], _at: usize) -> Sample {
        let reward = found.iter().map(|&f| chance(f)).sum::<f64>() / found.len() as f64;
        Sample { reward, playouts: 1, range: range(found) }
    }
}

/// Max's chances by what an inner search found; never certain.
fn chance(found: Found) -> f64 {
    let chance = match found {
        Found::Solved(Outcome::WIN) => 1.0,
        Found::Solved(_) => 0.0,
        Found::Effort(e) => f64::from(e.disproof) / (f64::from(e.proof) + f64::from(e.disproof)),
        Found::Chance(p) => p,
        Found::Tally(t) => t.reward / f64::from(t.playouts),
        Found::Score(v) => v + 0.5,
    };
    Pp::open(chance)
}

impl Take for Pn {
    fn take(&self, found: &[Found], at: usize) -> Effort {
        match found[at] {
            Found::Solved(o) => self.solved(o),
            Found::Effort(e) => e,
            // The rarer a win looks, the more effort it seems to take.
            other => {
                let p = chance(other);
                let effort = |p: f64| (1.0 / p).clamp(1.0, 1e6) as u32;
                Effort { proof: effort(p), disproof: effort(1.0 - p) }
            }
        }
    }
}

impl Take for Pp {
    fn take(&self, found: &[Found], at: usize) -> f64 {
        match found[at] {
            Found::Solved(o) => self.solved(o),
            other => chance(other),
        }
    }
}

impl Take for Mcts {
    fn take(&self, found: &[Found], at: usize) -> Tally {
        match found[at] {
            Found::Solved(o) => self.solved(o),
            other => Tally::leaf(chance(other)),
        }
    }
}

impl Take for MinMax {
    fn take(&self, found: &[Found], at: usize) -> f64 {
        match found[at] {
            Found::Solved(o) => self.solved(o),
            other => chance(other) - 0.5,
        }
    }
}

macro_rules! informs {
    ($scheme:ty, $make:expr) => {
        impl<Sp: Space> Inform<Sp, $scheme> for Nested<'_> {
            const BATCH: bool = true;

            fn leaf(
                &mut self,
                space: &Sp,
                state: &Sp::State,
                side: Side,
                at: usize,
            ) -> <$scheme as Scheme>::Value {
                if at == 0 {
                    let mut found = self.search_all(space, &[(state.clone(), side)], LEAST);
                    self.last = found.swap_remove(0);
                }
                $make.take(&self.last, at)
            }

            fn batch(
                &mut self,
                space: &Sp,
                leaves: &[(Sp::State, Side)],
                nodes: u64,
                width: usize,
                out: &mut Vec<<$scheme as Scheme>::Value>,
            ) {
                for found in self.search_all(space, leaves, nodes) {
                    out.extend((0..width).map(|at| $make.take(&found, at)));
                }
            }

            fn solution(
                &mut self,
                space: &Sp,
                state: &Sp::State,
                outcome: Outcome,
            ) -> Option<WeakSolution<Sp::Step>> {
                self.prove(space, state, outcome)
            }

            fn counts(&self) -> Counts {
                self.counts
            }
        }
    };
}
informs!(Pn, Pn);
informs!(Pp, Pp);
informs!(Mcts, Mcts { exploration: Mcts::EXPLORATION });
informs!(MinMax, MinMax);
informs!(Blind, Blind);
informs!(
    Sbmcts,
    Sbmcts { best: Outcome::WIN, exploration: Mcts::EXPLORATION, gamma: 0.0, delta: 0.0 }
);
