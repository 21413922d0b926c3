//! `df` on several threads: an outer tree whose leaves are searched by `df`, with one table for all
//! threads.
//!
//! After J. Pawlewicz and R. Hayward, *Scalable parallel DFPN search* (2013): the upper part of the
//! space is a tree in memory, in which a leaf that is being searched counts as lost for who chose it,
//! and below it searches with a budget share a table.

use std::io;

use foregone_model::{Look, Outcome, Side, Space};

use super::inside::{DfInside, Shared};
use super::{Entry, Search, bounds, over};
use crate::drive::jobs::{
    Counter, Guard, InnerNodes, Inside, LeafJob, News, OpenLeaf, Order, Outer, Workers, run_jobs,
};
use crate::drive::squared::StopCheck;
use crate::leaves::{Init, Leaves};
use crate::proof::solutions;
use crate::report::{Counts, Limits, Report, StopReason, Watch};
use crate::saved::{Proving, Reader, Writer, get_proving, refused};
use crate::scheme::{AnyScheme, Thresholds};
use crate::table::SharedTable;

/// The nodes of a job. The outer tree does not see when two ways lead to one position, so most of the
/// work is to be done inside jobs: with 20,000 nodes each, `hex:5` took four times the nodes of one
/// thread.
const JOB: u64 = 1_000_000;

/// What several threads need beside a space and a scheme.
#[derive(Clone, Copy)]
pub struct Team<'a> {
    /// How many threads.
    pub threads: usize,
    /// How many nodes a job may create; nothing: as many as is usual.
    pub inner_nodes: Option<u64>,
    /// Where the values of leaves come from.
    pub init: Init,
    /// The seed of random plays.
    pub seed: u64,
    /// Asked by jobs, from any thread.
    pub stop_check: StopCheck<'a>,
}

/// Searches until the root is solved or the limits or the watch end it. There must be no cycles in
/// the space, as the table of several threads does not tell what was proved first.
pub fn df_by_threads<Sp: Space, S: Thresholds + Into<AnyScheme> + Copy + Sync>(
    space: &Sp,
    scheme: &S,
    team: Team<'_>,
    limits: Limits,
    proof_nodes: u64,
    watch: &mut dyn Watch<Sp::Step>,
) -> Report<Sp::Step>
where
    S::Value: Send + Sync,
{
    let root = space.root();
    let side = match space.look_at_root(&root) {
        Look::Over(outcome) => return over(space, outcome),
        Look::Choice(side) => side,
    };
    let table: Shared<Sp, S> = SharedTable::new(limits.bytes / 8 * 7, false);
    let counter = Counter::<Sp>::new();
    let any: AnyScheme = (*scheme).into();
    // Step 1: a tree of the root and its children, or what was written down.
    let begun = begin(space, scheme, &any, team, (root, side), (&table, &counter), watch);
    let (ended, proving) = match begun {
        None => return refused(space, watch),
        Some(Begun::Proof(found, proving)) => (found, proving),
        Some(Begun::Search(outer)) => {
            // Step 2: jobs by threads.
            let inner = InnerNodes::Fixed(team.inner_nodes.unwrap_or(JOB));
            let ended =
                by_jobs(space, scheme, team, (&table, &counter), watch, |workers, watch| {
                    run_jobs(outer, inner, limits, workers, watch)
                });
            let (bounds, stop, counts) = (ended.bounds(), ended.stop, ended.counts);
            (Finding { bounds, stop, line: ended.line(), counts }, Proving::new())
        }
    };
    // Step 3: the proof, by a second walk.
    let Finding { bounds, stop, line, mut counts } = ended;
    let leaves = &mut Leaves::new(team.init, team.seed);
    let mut search = DfInside::sharing(space, scheme, leaves, &table, true).into_search();
    counts.peak_bytes = counts.peak_bytes.max(search.bytes());
    search.stand_for(stop, counts, bounds);
    let limits = Limits { nodes: proof_nodes, ..limits };
    let (solutions, remembered) = solutions(space, search, bounds, limits, watch, proving);
    let line = if bounds.0 < bounds.1 { line } else { remembered };
    Report { stop, bounds, solutions, line, found: Vec::new(), cost: None, counts }
}

/// What the jobs found.
struct Finding<M> {
    bounds: (Outcome, Outcome),
    stop: StopReason,
    line: Vec<M>,
    counts: Counts,
}

/// Where a search by threads begins.
enum Begun<'a, Sp: Space> {
    /// With this outer tree.
    Search(Outer<'a, Sp>),
    /// With a proof that was being made.
    Proof(Finding<Sp::Step>, Proving<Sp::Step>),
}

/// The beginning of a search, or what was written down of it. Nothing if that is damaged.
fn begin<'a, Sp: Space, S: Thresholds>(
    space: &'a Sp,
    scheme: &S,
    any: &'a AnyScheme,
    team: Team<'_>,
    (root, side): (Sp::State, Side),
    (table, counter): (&Shared<Sp, S>, &Counter<Sp>),
    watch: &mut dyn Watch<Sp::Step>,
) -> Option<Begun<'a, Sp>> {
    let leaves = &mut Leaves::new(team.init, team.seed);
    let inner_leaves = &mut Leaves::new(team.init, team.seed);
    let inside = DfInside::sharing(space, scheme, inner_leaves, table, true);
    let mut search = inside.into_search();
    let Some(mut from) = watch.saved() else {
        return Some(Begun::Search(Outer::new(space, root, side, any, leaves, &|_| None)));
    };
    let from = &mut Reader::new(&mut from);
    if let Some((stop, counts)) = from.get::<Option<(StopReason, Counts)>>()? {
        search.restore_rest(Some((stop, counts)), from)?;
        let bounds = bounds(scheme, &search.values);
        let found = Finding { bounds, stop, line: Vec::new(), counts };
        return Some(Begun::Proof(found, get_proving(from, space)?));
    }
    counter.count_from(from.get()?);
    search.restore_table(from)?;
    let mut outer = Outer::new(space, root, side, any, leaves, &|_| None);
    outer.restore(from)?;
    Some(Begun::Search(outer))
}

/// Lets threads work for who hands out leaves.
fn by_jobs<Sp: Space, S: Thresholds + Sync, R>(
    space: &Sp,
    scheme: &S,
    team: Team<'_>,
    (table, counter): (&Shared<Sp, S>, &Counter<Sp>),
    watch: &mut dyn Watch<Sp::Step>,
    lead: impl FnOnce(&mut dyn Workers<Sp>, &mut dyn Watch<Sp::Step>) -> R,
) -> R
where
    S::Value: Send + Sync,
{
    let stop = || match counter.is_over() {
        true => Some(StopReason::Interrupted),
        false => (team.stop_check)(),
    };
    let work = |thread: usize| {
        let _guard = Guard(counter);
        let seed = team.seed ^ (thread as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let leaves = &mut Leaves::new(team.init, seed);
        let mut inside = DfInside::sharing(space, scheme, leaves, table, thread == 1);
        while let Some((job, nodes)) = inside.away(|| counter.take()) {
            let order = Order { nodes, slices: 1, parts: false, partial: &mut |_| {}, stop: &stop };
            let looked = inside.look(&job, order);
            counter.tell(job.leaf, looked);
        }
    };
    std::thread::scope(|scope| {
        for thread in 1..=team.threads {
            let work = &work;
            scope.spawn(move || work(thread));
        }
        let leaves = &mut Leaves::new(team.init, team.seed);
        let inside = DfInside::sharing(space, scheme, leaves, table, false);
        let mut workers = Threads { counter, inside, threads: team.threads };
        let led = lead(&mut workers, watch);
        counter.close();
        led
    })
}

/// Threads, as who holds the outer tree sees them.
struct Threads<'c, 'a, Sp: Space, S: Thresholds> {
    counter: &'c Counter<Sp>,
    /// A hold on the table.
    inside: DfInside<'a, Sp, S>,
    threads: usize,
}

impl<Sp: Space, S: Thresholds> Workers<Sp> for Threads<'_, '_, Sp, S> {
    fn places(&mut self) -> usize {
        self.threads
    }

    fn submit(&mut self, job: LeafJob<Sp::State>, nodes: u64) {
        self.counter.submit(job, nodes);
    }

    fn wait(&mut self, _leaf: &OpenLeaf<'_, Sp>, news: &mut Vec<News<Sp::Step>>) {
        let counter = self.counter;
        self.inside.away(|| counter.wait(news));
    }

    fn known(&self, state: &Sp::State) -> Option<(Outcome, Outcome)> {
        self.inside.known(state)
    }

    fn learn(&mut self, state: &Sp::State, bounds: (Outcome, Outcome)) {
        self.inside.learn(state, bounds);
    }

    fn counts(&self) -> Counts {
        self.counter.counts()
    }

    fn save(&self, out: &mut Writer<'_>) -> io::Result<bool> {
        out.put(&self.counter.counts())?;
        self.inside.save_table(out)?;
        Ok(true)
    }
}

impl<Sp: Space, S: Thresholds> Search<'_, Sp, S> {
    /// Stands for a search that ended so, whose proof is made.
    fn stand_for(&mut self, stop: StopReason, counts: Counts, (low, high): (Outcome, Outcome)) {
        (self.over, self.bounds) = (Some((stop, counts)), (low, high));
        let value = |question: u16| match question {
            _ if question < low.0 => self.scheme.solved(Outcome::WIN),
            _ if question >= high.0 => self.scheme.solved(Outcome::LOSS),
            _ => self.root,
        };
        self.values = (0..self.space.best().0).map(value).collect();
        self.left = vec![0; self.values.len()];
    }
}

impl<Sp: Space, S: Thresholds> DfInside<'_, Sp, S> {
    fn save_table(&self, out: &mut Writer<'_>) -> io::Result<()> {
        self.search.save_table(out)
    }

    /// Puts what the outer tree proved of a state into the table.
    fn learn(&mut self, state: &Sp::State, (low, high): (Outcome, Outcome)) {
        let search = self.search();
        let key = search.key(state);
        for question in 0..search.space.best().0 {
            let outcome = match question {
                _ if question < low.0 => Outcome::WIN,
                _ if question >= high.0 => Outcome::LOSS,
                _ => continue,
            };
            search.facts += 1;
            let entry = Entry { value: search.scheme.solved(outcome), when: search.facts };
            search.table.put(key.clone(), question, entry, u64::MAX);
        }
    }
}
