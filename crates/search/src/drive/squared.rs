//! A search inside a search (`squared`): PN², PP², and any scheme over any other.
//!
//! After D. M. Breuker, *Memory versus search in games* (1998), and section 2.6 of *Solving Games
//! and All That*: a leaf of the outer tree is expanded by an inner search. The children of its root
//! become the children of the leaf, with the values that they have there; the rest of the inner
//! tree is forgotten. So the memory is that of a small tree, and what is known is what a large tree
//! knows.
//!
//! Ours: what an inner search proves goes into a table of a fixed size, and no later search proves
//! it again. Inner searches overlap for the most part, and in most games positions come up in many
//! ways. Where positions can come up again on a path, what is proved may rest on that path, and
//! there is no table.
//!
//! With several threads the best brothers of a leaf are expanded with it, in the manner of
//! job-level search (I.-C. Wu et al. 2010; A. Saffidine, N. Jouandeau and T. Cazenave, *Solving
//! Breakthrough with race patterns and job-level proof number search*, 2011). What the inner
//! searches learn is put together afterwards, in the order of the leaves, so that the same number
//! of threads always does the same.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use foregone_model::{Look, Outcome, Side, Space, WeakSolution};

use super::tree::{probe, prove, tree, width};
use crate::inform::{Inform, Init, Leaves, States};
use crate::proof::{Proved, extract};
use crate::report::{Counts, Limits, Progress, StopReason, Watch};
use crate::scheme::{Blind, Effort, Mcts, MinMax, Pn, Pp, Range, Sample, Sbmcts, Scheme, Tally};
use crate::table::{Quick, Table};

/// How many nodes an inner search may create when the outer tree has so many.
///
/// Breuker's are as large as the outer tree. Then the first ones are tiny, and the misleading
/// values that they leave behind cost several times what larger ones would have; the last ones are
/// so large that most of their nodes are wasted, since the outer tree changes its mind too rarely.
/// A few thousand from the beginning on solve boards of all sizes with the fewest nodes
/// (experiments/README.md).
fn inner_size(outer: u64) -> u64 {
    (4 * outer.isqrt()).max(4096)
}

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
pub type StopCheck<'a> = &'a (dyn Fn() -> Option<StopReason> + Sync);

/// Values leaves by inner searches. With the driver `tree` it makes the driver `squared`.
pub struct Nested<'a, Sp: Space> {
    inner: Inner,
    init: Init,
    seed: u64,
    threads: usize,
    /// What all inner searches together may create.
    nodes: u64,
    stop_check: StopCheck<'a>,
    facts: Facts<Sp>,
    counts: Counts,
}

/// Bounds of the values of states.
struct Facts<Sp: Space>(Table<Sp::Packed, (Outcome, Outcome)>);

impl<Sp: Space> Facts<Sp> {
    #[inline]
    fn known(&self, space: &Sp, state: &Sp::State) -> Option<(Outcome, Outcome)> {
        match space.repetition() {
            Some(_) => None,
            None => self.0.get(&space.pack(&space.key(state)), ()).copied(),
        }
    }

    fn learn(&mut self, (packed, (low, high), work): Learned<Sp>) {
        let bounds = match self.0.get(&packed, ()) {
            Some(&(least, most)) => (low.max(least), high.min(most)),
            None => (low, high),
        };
        self.0.put(packed, (), bounds, work);
    }
}

/// A state, bounds of its value, and the work that they took.
type Learned<Sp> = (<Sp as Space>::Packed, (Outcome, Outcome), u64);

/// What an inner search values its leaves by: it knows what the others proved.
struct Within<'f, Sp: Space> {
    leaves: Leaves,
    facts: &'f Facts<Sp>,
    /// What it proved itself, in that order and by state.
    learned: Vec<Learned<Sp>>,
    own: HashMap<Sp::Packed, (Outcome, Outcome), Quick>,
}

impl<Sp: Space, S: Scheme> Inform<Sp, S> for Within<'_, Sp>
where
    Leaves: Inform<Sp, S>,
{
    const LEARNS: bool = true;

    #[inline]
    fn leaf(&mut self, space: &Sp, state: &Sp::State, side: Side, at: usize) -> S::Value {
        self.leaves.leaf(space, state, side, at)
    }

    #[inline]
    fn known(&self, space: &Sp, state: &Sp::State) -> Option<(Outcome, Outcome)> {
        if space.repetition().is_some() {
            return None;
        }
        let packed = space.pack(&space.key(state));
        self.own.get(&packed).or_else(|| self.facts.0.get(&packed, ())).copied()
    }

    #[inline]
    fn learn(&mut self, space: &Sp, state: &Sp::State, bounds: (Outcome, Outcome), work: u64) {
        if space.repetition().is_none() {
            let packed = space.pack(&space.key(state));
            self.own.insert(packed.clone(), bounds);
            self.learned.push((packed, bounds, work));
        }
    }

    fn plays(&self) -> bool {
        Inform::<Sp, S>::plays(&self.leaves)
    }

    fn counts(&self) -> Counts {
        Inform::<Sp, S>::counts(&self.leaves)
    }
}

/// Ends an inner search when the stop check says so.
struct StopWatch<'a>(StopCheck<'a>);

impl<M> Watch<M> for StopWatch<'_> {
    fn tick(&mut self, _progress: &Progress<'_, M>) -> ControlFlow<StopReason> {
        (self.0)().map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }
}

/// Evaluates an expression for the scheme of the inner searches; `$open` makes what is found of
/// its values that are not solved.
macro_rules! with_inner {
    ($inner:expr, |$scheme:ident, $open:ident| $body:expr) => {
        match $inner {
            Inner::MinMax => {
                let ($scheme, $open) = (&MinMax, Found::Score);
                $body
            }
            Inner::Pn => {
                let ($scheme, $open) = (&Pn, Found::Effort);
                $body
            }
            Inner::Pp => {
                let ($scheme, $open) = (&Pp, Found::Chance);
                $body
            }
            Inner::Mcts(exploration) => {
                let ($scheme, $open) = (&Mcts { exploration }, Found::Tally);
                $body
            }
        }
    };
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

impl<'a, Sp: Space> Nested<'a, Sp> {
    /// Inner searches by this scheme, their leaves valued in this way. Together they keep to the
    /// limits; half of the bytes are for what they learn.
    pub fn new(
        inner: Inner,
        init: Init,
        seed: u64,
        limits: Limits,
        stop_check: StopCheck<'a>,
    ) -> Nested<'a, Sp> {
        Nested {
            inner,
            init,
            seed,
            threads: 1,
            nodes: limits.nodes,
            stop_check,
            facts: Facts(Table::new(limits.bytes / 2, false)),
            counts: Counts::default(),
        }
    }

    /// The same, shared among so many threads.
    pub fn with_threads(self, threads: usize) -> Nested<'a, Sp> {
        Nested { threads: threads.max(1), ..self }
    }

    /// What an inner search values its leaves by. Every one has random numbers of its own,
    /// whichever thread runs it.
    fn within(&self, number: u64) -> Within<'_, Sp> {
        let seed = self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Within {
            leaves: Leaves::new(self.init, seed),
            facts: &self.facts,
            learned: Vec::new(),
            own: HashMap::default(),
        }
    }

    fn search(&self, space: &Sp, at: (Sp::State, Side), nodes: u64, number: u64) -> Inside<Sp> {
        let mut within = self.within(number);
        let limits = Limits { nodes, ..Limits::NONE };
        let (found, counts) = with_inner!(self.inner, |scheme, open| {
            let watch = &mut StopWatch(self.stop_check);
            let (run, counts) = probe(space, at, scheme, &mut within, limits, watch);
            let found = |values: &Vec<_>| {
                let found = |&v| scheme.outcome(v).map_or(open(v), Found::Solved);
                values.iter().map(found).collect()
            };
            (run.iter().map(found).collect(), counts)
        });
        Inside { found, counts, learned: within.learned }
    }

    /// A proof that is one tree. What inner searches proved in a space with cycles rests on the
    /// paths that led to them, so it is proved once more as a whole, if it fits.
    fn proof_of_tree(&self, question: &Sp, bytes: u64) -> Option<WeakSolution<Sp::Step>> {
        let mut leaves = Leaves::new(self.init, self.seed);
        let limits = Limits { bytes, ..Limits::NONE };
        let watch = &mut StopWatch(self.stop_check);
        let report = with_inner!(self.inner, |scheme, _open| {
            tree(question, scheme, &mut leaves, limits, watch)
        });
        report.solutions.into_iter().next().map(|s| s.weak)
    }

    /// The inner searches of several leaves, in the order of the leaves: what each of them found
    /// for the children of the leaf, and for each child for every question about an outcome; and
    /// the same for what follows where only one child is open.
    fn search_all(
        &mut self,
        space: &Sp,
        leaves: &[(Sp::State, Side)],
        nodes: u64,
    ) -> Vec<Vec<Vec<Found>>> {
        let left = self.nodes.saturating_sub(self.counts.nodes) / leaves.len().max(1) as u64;
        let nodes = inner_size(nodes).min(left.max(1));
        let first = self.counts.expansions;
        let this = &*self;
        let one = |i: usize| this.search(space, leaves[i].clone(), nodes, first + i as u64);
        let threads = this.threads.min(leaves.len());
        // Handing work to threads costs more than a tiny search.
        let inside: Vec<Inside<Sp>> = if threads < 2 || nodes < 1000 {
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
            let mut all: Vec<(usize, Inside<Sp>)> = std::thread::scope(|scope| {
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
            all.into_iter().map(|(_, inside)| inside).collect()
        };
        // Here: how many inner searches there were.
        self.counts.expansions += inside.len() as u64;
        let mut all = Vec::with_capacity(inside.len());
        for Inside { found, counts, learned } in inside {
            self.counts.nodes += counts.nodes;
            self.counts.playouts += counts.playouts;
            let at_once = counts.peak_bytes * threads.max(1) as u64 + self.facts.0.bytes();
            self.counts.peak_bytes = self.counts.peak_bytes.max(at_once);
            for fact in learned {
                self.facts.learn(fact);
            }
            all.push(found);
        }
        all
    }
}

/// What an inner search found about each question, what it did, and what it proved on the way.
struct Inside<Sp: Space> {
    found: Vec<Vec<Found>>,
    counts: Counts,
    learned: Vec<Learned<Sp>>,
}

/// A finished search as a judge of what is proved: states of the outer tree, the table, and
/// searches where it has forgotten.
struct Judge<'n, 'a, Sp: Space> {
    nested: &'n mut Nested<'a, Sp>,
    proved: States<Sp>,
    at_least: Outcome,
    outcome: Outcome,
}

impl<Sp: Space> Proved<Sp> for Judge<'_, '_, Sp> {
    fn when(&mut self, question: &Sp, s: &Sp::State) -> Option<u64> {
        let learned = || {
            let (low, high) = self.nested.facts.known(question, s)?;
            let holds = match self.outcome {
                Outcome::WIN => low >= self.at_least,
                _ => high < self.at_least,
            };
            holds.then_some(0)
        };
        if self.proved.contains(s) { Some(0) } else { learned() }
    }

    fn goes_on(&mut self) -> bool {
        (self.nested.stop_check)().is_none()
    }

    /// Makes sure that some step is known to be proved. Where the table has forgotten all of them,
    /// it is the state itself that was proved, so it is what is searched.
    fn hint(&mut self, question: &Sp, s: &Sp::State) -> Option<Sp::Step> {
        let Look::Choice(side) = question.look_at_root(s) else { return None };
        let mut steps = Vec::new();
        question.steps(s, side, &mut steps);
        let is_proved = |&step: &Sp::Step| {
            let mut next = s.clone();
            question.take(&mut next, side, step);
            match question.look(&next) {
                Look::Over(o) => o == self.outcome,
                Look::Choice(_) => self.when(question, &next).is_some(),
            }
        };
        let found = steps.into_iter().find(is_proved);
        if found.is_none() {
            let nested = &*self.nested;
            let mut leaves = Leaves::new(nested.init, nested.seed);
            let watch: &mut dyn Watch<Sp::Step> = &mut StopWatch(nested.stop_check);
            with_inner!(nested.inner, |scheme, _open| {
                let at = (s.clone(), side);
                prove(question, at, scheme, &mut leaves, watch, &mut self.proved);
            });
        }
        found
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
        impl<Sp: Space> Inform<Sp, $scheme> for Nested<'_, Sp> {
            const SEARCHES: bool = true;
            const LEARNS: bool = true;

            /// Only the root is valued so, and it is expanded at once.
            fn leaf(
                &mut self,
                space: &Sp,
                _state: &Sp::State,
                _side: Side,
                at: usize,
            ) -> <$scheme as Scheme>::Value {
                $make.take(&vec![Found::Chance(0.5); usize::from(space.best().0)], at)
            }

            fn at_once(&self) -> usize {
                self.threads
            }

            fn children(
                &mut self,
                space: &Sp,
                leaves: &[(Sp::State, Side)],
                nodes: u64,
            ) -> Vec<Vec<Vec<<$scheme as Scheme>::Value>>> {
                let questions = usize::from(space.best().0);
                let width = width::<Sp, $scheme>(space);
                let of_child =
                    |found: &[Found]| (0..width).map(|at| $make.take(found, at)).collect();
                let of_choice = |found: Vec<Found>| {
                    found
                        .chunks(questions)
                        .flat_map(|f: &[Found]| -> Vec<_> { of_child(f) })
                        .collect()
                };
                let of_leaf = |run: Vec<Vec<Found>>| run.into_iter().map(of_choice).collect();
                self.search_all(space, leaves, nodes).into_iter().map(of_leaf).collect()
            }

            fn known(&self, space: &Sp, state: &Sp::State) -> Option<(Outcome, Outcome)> {
                self.facts.known(space, state)
            }

            fn learn(
                &mut self,
                space: &Sp,
                state: &Sp::State,
                bounds: (Outcome, Outcome),
                _work: u64,
            ) {
                if space.repetition().is_none() {
                    // A node of the outer tree stands for more work than any inner search.
                    self.facts.learn((space.pack(&space.key(state)), bounds, u64::MAX));
                }
            }

            fn proof(
                &mut self,
                question: &Sp,
                at_least: Outcome,
                outcome: Outcome,
                proved: States<Sp>,
                bytes: u64,
            ) -> Option<WeakSolution<Sp::Step>> {
                if question.repetition().is_some() {
                    return self.proof_of_tree(question, bytes);
                }
                let mut judge = Judge { nested: self, proved, at_least, outcome };
                extract(question, outcome, &mut judge, bytes)
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
informs!(Sbmcts, Sbmcts::PLAIN);
