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
//! With several threads the inner searches are jobs of a job-level search (`jobs`), and the table of
//! what they proved is shared by all of them.

use std::collections::HashMap;
use std::io;

use foregone_model::{Line, Look, Outcome, Side, Space, WeakSolution};

use super::jobs::{InnerNodes, StopWatch};
use super::nest::{Nest, States};
use super::tree::{outer_tree, probe, prove, tree};
use crate::leaves::{Init, Leaves};
use crate::proof::{Proved, extract};
use crate::report::{Counts, Limits, Report, StopReason, Watch};
use crate::saved::{Reader, Writer};
use crate::scheme::{AnyScheme, Found};
use crate::table::{Held, Quick, Table};

mod saved;
mod threads;

/// How many nodes an inner search may create at least, when nobody says ([`InnerNodes::Growing`]).
///
/// Breuker's are as large as the outer tree. Then the first ones are tiny, and the misleading
/// values that they leave behind cost several times what larger ones would have; the last ones are
/// so large that most of their nodes are wasted, since the outer tree changes its mind too rarely.
/// A few thousand from the beginning on solve boards of all sizes with the fewest nodes
/// (experiments/README.md).
const LEAST: u64 = 4096;

/// Says why inner searches are to end, when they are.
pub type StopCheck<'a> = &'a (dyn Fn() -> Option<StopReason> + Sync);

/// How leaves are looked into.
#[derive(Clone, Copy)]
pub struct Inner<'a> {
    /// The scheme of the inner searches.
    pub scheme: AnyScheme,
    /// Where the values of their leaves come from.
    pub init: Init,
    /// The seed of random plays.
    pub seed: u64,
    /// How many threads share the inner searches. With one, none is started.
    pub threads: usize,
    /// How many nodes each of them may create; nothing: more as the outer tree grows.
    pub inner_nodes: Option<u64>,
    /// Asked by inner searches, from any thread.
    pub stop_check: StopCheck<'a>,
}

/// Searches by inner searches until the root is solved or the limits or the watch end it. They
/// keep to the limits together; half of the bytes are for what the inner ones learn.
pub fn squared<Sp: Space>(
    space: &Sp,
    outer: &AnyScheme,
    inner: Inner<'_>,
    limits: Limits,
    watch: &mut dyn Watch<Sp::Step>,
) -> Report<Sp::Step> {
    if inner.threads > 1 {
        return threads::squared_by_threads(space, outer, inner, limits, watch);
    }
    let facts = Facts(Held::Own(Table::new(limits.bytes / 2, false)));
    let nested = &mut Nested::new(inner, limits.nodes, facts);
    nested.whole = watch.keeps();
    // The outer search takes its values from inner ones, and needs no leaves.
    let leaves = &mut Leaves::new(inner.init, inner.seed);
    outer_tree(space, outer, leaves, nested, limits, watch)
}

/// Values leaves by inner searches. With the driver `tree` it makes the driver `squared`.
struct Nested<'a, Sp: Space> {
    inner: Inner<'a>,
    /// How large they are.
    size: InnerNodes,
    /// What all inner searches together may create.
    nodes: u64,
    facts: Facts<'a, Sp>,
    counts: Counts,
    /// Inner searches are not left half done: what is written down is to be what a search without a
    /// break would have.
    whole: bool,
}

/// Bounds of the values of states.
struct Facts<'a, Sp: Space>(Held<'a, Sp::Packed, (Outcome, Outcome)>);

impl<Sp: Space> Facts<'_, Sp> {
    #[inline]
    fn known(&self, space: &Sp, state: &Sp::State) -> Option<(Outcome, Outcome)> {
        match space.repeats() {
            true => None,
            false => self.0.get(&space.pack(&space.key(state)), ()),
        }
    }

    fn learn(&mut self, (packed, (low, high), work): Learned<Sp>) {
        let bounds = match self.0.get(&packed, ()) {
            Some((least, most)) => (low.max(least), high.min(most)),
            None => (low, high),
        };
        self.0.put(packed, (), bounds, work);
    }
}

/// A state, bounds of its value, and the work that they took.
type Learned<Sp> = (<Sp as Space>::Packed, (Outcome, Outcome), u64);

/// What an inner search shares with the others: it knows what they proved.
struct Within<'f, 'a, Sp: Space> {
    facts: &'f Facts<'a, Sp>,
    /// What it proved itself, in that order and by state.
    learned: Vec<Learned<Sp>>,
    own: HashMap<Sp::Packed, (Outcome, Outcome), Quick>,
}

impl<Sp: Space> Nest<Sp> for Within<'_, '_, Sp> {
    fn searches(&self) -> bool {
        false
    }

    fn known(&self, space: &Sp, state: &Sp::State) -> Option<(Outcome, Outcome)> {
        if space.repeats() {
            return None;
        }
        let packed = space.pack(&space.key(state));
        self.own.get(&packed).copied().or_else(|| self.facts.0.get(&packed, ()))
    }

    fn learn(&mut self, space: &Sp, state: &Sp::State, bounds: (Outcome, Outcome), work: u64) {
        if !space.repeats() {
            let packed = space.pack(&space.key(state));
            self.own.insert(packed.clone(), bounds);
            self.learned.push((packed, bounds, work));
        }
    }
}

/// Evaluates an expression for the scheme of the inner searches. They are most of the work, so
/// those that `tree` is compiled for have arms of their own.
macro_rules! with_scheme {
    ($any:expr, $scheme:ident => $body:expr) => {
        match $any {
            AnyScheme::Pn($scheme) => $body,
            AnyScheme::Pp($scheme) => $body,
            $scheme => $body,
        }
    };
}

impl InnerNodes {
    /// A size that is fixed, or grows with the outer tree.
    pub(super) fn or_growing(nodes: Option<u64>) -> InnerNodes {
        nodes.map_or(InnerNodes::Growing(LEAST), InnerNodes::Fixed)
    }
}

impl<'a, Sp: Space> Nested<'a, Sp> {
    fn new(inner: Inner<'a>, nodes: u64, facts: Facts<'a, Sp>) -> Nested<'a, Sp> {
        let size = InnerNodes::or_growing(inner.inner_nodes);
        Nested { inner, size, nodes, facts, counts: Counts::default(), whole: false }
    }

    fn search(&self, space: &Sp, at: (Sp::State, Side), nodes: u64, number: u64) -> Inside<Sp> {
        // Every one has random numbers of its own, whichever thread runs it.
        let seed = self.inner.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let leaves = &mut Leaves::new(self.inner.init, seed);
        let mut within =
            Within { facts: &self.facts, learned: Vec::new(), own: HashMap::default() };
        let limits = Limits { nodes, ..Limits::NONE };
        let watch = &mut StopWatch(if self.whole { &|| None } else { self.inner.stop_check });
        let (found, counts) = with_scheme!(self.inner.scheme, scheme => {
            probe(space, at, &scheme, leaves, &mut within, limits, watch)
        });
        Inside { found, counts, learned: within.learned }
    }

    /// A proof that is one tree. What inner searches proved in a space with cycles rests on the
    /// paths that led to them, so it is proved once more as a whole, if it fits.
    fn proof_of_tree(&self, question: &Sp, bytes: u64) -> Option<WeakSolution<Sp::Step>> {
        let leaves = &mut Leaves::new(self.inner.init, self.inner.seed);
        let limits = Limits { bytes, ..Limits::NONE };
        let watch = &mut StopWatch(self.inner.stop_check);
        let report = with_scheme!(self.inner.scheme, scheme => {
            tree(question, &scheme, leaves, limits, watch)
        });
        report.solutions.into_iter().next().map(|s| s.weak)
    }

    /// The inner search of a leaf: what it found for the children of the leaf, and for each child for
    /// every question about an outcome; and the same for what follows where only one child is open.
    fn search_leaf(
        &mut self,
        space: &Sp,
        leaf: (Sp::State, Side),
        outer_nodes: u64,
    ) -> Vec<Vec<Found>> {
        let left = self.nodes.saturating_sub(self.counts.nodes);
        let nodes = self.size.size(outer_nodes).min(left.max(1));
        let Inside { found, counts, learned } =
            self.search(space, leaf, nodes, self.counts.expansions);
        // Here: how many inner searches there were.
        self.counts.expansions += 1;
        self.counts.nodes += counts.nodes;
        self.counts.playouts += counts.playouts;
        let at_once = counts.peak_bytes + self.facts.0.bytes();
        self.counts.peak_bytes = self.counts.peak_bytes.max(at_once);
        for fact in learned {
            self.facts.learn(fact);
        }
        found
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
    fn when(&mut self, question: &Sp, s: &Sp::State, _so_far: &[Line<Sp::Step>]) -> Option<u64> {
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

    fn goes_on(&mut self, _so_far: &[Line<Sp::Step>]) -> bool {
        (self.nested.inner.stop_check)().is_none()
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
                Look::Choice(_) => self.when(question, &next, &[]).is_some(),
            }
        };
        let found = steps.into_iter().find(is_proved);
        if found.is_none() {
            let inner = &self.nested.inner;
            let leaves = &mut Leaves::new(inner.init, inner.seed);
            let watch: &mut dyn Watch<Sp::Step> = &mut StopWatch(inner.stop_check);
            let at = (s.clone(), side);
            with_scheme!(inner.scheme, scheme => {
                prove(question, at, &scheme, leaves, watch, &mut self.proved);
            });
        }
        found
    }
}

use with_scheme;

impl<Sp: Space> Nest<Sp> for Nested<'_, Sp> {
    fn searches(&self) -> bool {
        true
    }

    fn children(&mut self, space: &Sp, leaf: (Sp::State, Side), nodes: u64) -> Vec<Vec<Found>> {
        self.search_leaf(space, leaf, nodes)
    }

    fn known(&self, space: &Sp, state: &Sp::State) -> Option<(Outcome, Outcome)> {
        self.facts.known(space, state)
    }

    fn learn(&mut self, space: &Sp, state: &Sp::State, bounds: (Outcome, Outcome), _work: u64) {
        if !space.repeats() {
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
        if question.repeats() {
            return self.proof_of_tree(question, bytes);
        }
        let mut judge = Judge { nested: self, proved, at_least, outcome };
        extract(question, outcome, &mut judge, bytes, Vec::new())
    }

    fn counts(&self) -> Counts {
        self.counts
    }

    fn saves(&self) -> bool {
        true
    }

    fn save(&self, space: &Sp, out: &mut Writer<'_>) -> io::Result<()> {
        self.save_to(space, out)
    }

    fn restore(&mut self, space: &Sp, from: &mut Reader<'_>) -> Option<()> {
        self.restore_from(space, from)
    }
}
