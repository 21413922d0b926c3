//! `squared` on several threads: the inner searches are jobs of a job-level search.

use std::io;

use foregone_model::{Look, Outcome, Side, Space};

use super::{Facts, Inner, Nested, with_scheme};
use crate::drive::jobs::{
    Counter, Guard, InnerNodes, LeafJob, Looked, News, OpenLeaf, Order, Outer, Workers, assembled,
    run_jobs,
};
use crate::drive::nest::Nest;
use crate::drive::tree::{look_into, over};
use crate::leaves::Leaves;
use crate::proof::claims;
use crate::report::{Counts, Limits, Report, Solution, StopReason, Watch};
use crate::saved::{Reader, Writer, refused};
use crate::scheme::AnyScheme;
use crate::table::{Held, SharedTable};

/// What several threads know together.
type Known<Sp> = SharedTable<<Sp as Space>::Packed, (Outcome, Outcome)>;

/// Searches until the root is solved or the limits or the watch end it.
pub(super) fn squared_by_threads<Sp: Space>(
    space: &Sp,
    outer: &AnyScheme,
    inner: Inner<'_>,
    limits: Limits,
    watch: &mut dyn Watch<Sp::Step>,
) -> Report<Sp::Step> {
    let root = space.root();
    let side = match space.look_at_root(&root) {
        Look::Over(outcome) => return over(space, outcome),
        Look::Choice(side) => side,
    };
    let table: Known<Sp> = SharedTable::new(limits.bytes / 2, false);
    let counter = Counter::<Sp>::new();
    let stop = || match counter.is_over() {
        true => Some(StopReason::Interrupted),
        false => (inner.stop_check)(),
    };
    let bytes = limits.bytes / 4 / inner.threads as u64;
    let work = || {
        let _guard = Guard(&counter);
        let mut facts = Facts(Held::Shared(table.handle(false)));
        while let Some((job, nodes)) = away(&mut facts, || counter.take()) {
            let limits = Limits { nodes, bytes };
            let order = Order {
                nodes,
                slices: 1,
                // Where there are cycles, nothing is known but what stands in the trees.
                parts: space.repeats(),
                partial: &mut |_| {},
                stop: &stop,
            };
            counter.tell(job.leaf, look(space, inner, &mut facts, &job, limits, order));
        }
    };
    // What was written down, or a tree of the root and its children.
    let leaves = &mut Leaves::new(inner.init, inner.seed);
    let mut tree = Outer::new(space, root, side, outer, leaves, &|_| None);
    let restored = watch.saved().map(|mut from| {
        let from = &mut Reader::new(&mut from);
        // It was not over.
        from.get::<Option<(StopReason, Counts)>>()?.is_none().then_some(())?;
        counter.count_from(from.get()?);
        Facts(Held::Shared(table.handle(true))).restore_from(space, from)?;
        tree.restore(from)
    });
    if let Some(None) = restored {
        return refused(space, watch);
    }
    let ended = std::thread::scope(|scope| {
        for _ in 0..inner.threads {
            scope.spawn(work);
        }
        let facts = Facts(Held::Shared(table.handle(true)));
        let mut workers = Threads { space, counter: &counter, facts, threads: inner.threads };
        let size = InnerNodes::or_growing(inner.inner_nodes);
        let ended = run_jobs(tree, size, limits, &mut workers, watch);
        counter.close();
        ended
    });
    if space.repeats() {
        return assembled(space, &ended);
    }
    let bounds = ended.bounds();
    let facts = Facts(Held::Shared(table.handle(true)));
    let mut nested = Nested::new(inner, limits.nodes, facts);
    let solution = |(at_least, prover)| {
        let outcome = if prover == Side::Max { Outcome::WIN } else { Outcome::LOSS };
        let (question, proved) = (space.threshold(at_least), ended.proved(at_least, prover));
        let weak = nested.proof(&question, at_least, outcome, proved, limits.bytes)?;
        Some(Solution { at_least, weak })
    };
    let solutions = claims(space.best(), bounds).filter_map(solution).collect();
    let (stop, line, counts) = (ended.stop, ended.line(), ended.counts);
    Report { stop, bounds, solutions, line, found: Vec::new(), cost: None, counts }
}

/// The search of one leaf.
fn look<Sp: Space>(
    space: &Sp,
    inner: Inner<'_>,
    facts: &mut Facts<'_, Sp>,
    job: &LeafJob<Sp::State>,
    limits: Limits,
    order: Order<'_>,
) -> Option<Looked<Sp::Step>> {
    let seed = inner.seed ^ u64::from(job.leaf).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let leaves = &mut Leaves::new(inner.init, seed);
    let at = (job.state.clone(), job.side);
    facts.0.rest();
    if facts.0.is_crowded() {
        facts.0.grow(&mut || true);
    }
    with_scheme!(inner.scheme, scheme => {
        look_into(space, at, &scheme, leaves, Some(facts), limits, order)
    })
}

fn away<Sp: Space, R>(facts: &mut Facts<'_, Sp>, work: impl FnOnce() -> R) -> R {
    match &mut facts.0 {
        Held::Own(_) => work(),
        Held::Shared(table) => table.away(work),
    }
}

/// What one search proves, all others know at once.
impl<Sp: Space> Nest<Sp> for Facts<'_, Sp> {
    fn searches(&self) -> bool {
        false
    }

    fn known(&self, space: &Sp, state: &Sp::State) -> Option<(Outcome, Outcome)> {
        Facts::known(self, space, state)
    }

    fn learn(&mut self, space: &Sp, state: &Sp::State, bounds: (Outcome, Outcome), work: u64) {
        if !space.repeats() {
            Facts::learn(self, (space.pack(&space.key(state)), bounds, work));
        }
    }
}

/// Threads, as who holds the outer tree sees them.
struct Threads<'c, 'a, Sp: Space> {
    space: &'a Sp,
    counter: &'c Counter<Sp>,
    facts: Facts<'a, Sp>,
    threads: usize,
}

impl<Sp: Space> Workers<Sp> for Threads<'_, '_, Sp> {
    fn places(&mut self) -> usize {
        self.threads
    }

    fn submit(&mut self, job: LeafJob<Sp::State>, nodes: u64) {
        self.counter.submit(job, nodes);
    }

    fn wait(&mut self, _leaf: &OpenLeaf<'_, Sp>, news: &mut Vec<News<Sp::Step>>) {
        let counter = self.counter;
        away(&mut self.facts, || counter.wait(news));
        if self.facts.0.is_crowded() {
            self.facts.0.grow(&mut || true);
        }
    }

    fn known(&self, state: &Sp::State) -> Option<(Outcome, Outcome)> {
        self.facts.known(self.space, state)
    }

    fn learn(&mut self, state: &Sp::State, bounds: (Outcome, Outcome)) {
        // A node of the outer tree stands for more work than any job.
        Nest::learn(&mut self.facts, self.space, state, bounds, u64::MAX);
    }

    fn counts(&self) -> Counts {
        let counts = self.counter.counts();
        let peak_bytes = counts.peak_bytes * self.threads as u64 + self.facts.0.bytes();
        Counts { peak_bytes, ..counts }
    }

    fn save(&self, out: &mut Writer<'_>) -> io::Result<bool> {
        out.put(&self.counter.counts())?;
        self.facts.save_to(self.space, out)?;
        Ok(true)
    }
}
