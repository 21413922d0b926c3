//! `df` as the search of leaves in a job-level search: what one job finds out, the table keeps for the
//! next one.

use foregone_model::{Look, Outcome, Space};

use super::{Entry, FREE, Search};
use crate::drive::jobs::{
    Inside, LeafJob, Looked, Order, Part, StopWatch, bounds_of, nearly, prover_of,
};
use crate::leaves::Leaves;
use crate::proof::solution_of;
use crate::report::{Counts, Limits, StopReason, Watch};
use crate::scheme::{Found, Thresholds};
use crate::table::{Held, Table};

/// A proof may take so many times the nodes of a job where the table has forgotten it.
const PROOF: u64 = 2;

/// The table of searches by `df`.
pub(crate) type Shared<Sp, S> = crate::table::SharedTable<
    <Sp as Space>::Packed,
    Entry<<S as crate::scheme::Scheme>::Value>,
    u16,
>;

/// Looks into leaves by `df`, with one table for all of them.
pub struct DfInside<'a, Sp: Space, S: Thresholds> {
    pub(super) search: Search<'a, Sp, S>,
}

impl<'a, Sp: Space, S: Thresholds> DfInside<'a, Sp, S> {
    /// With a table of its own, of so many bytes.
    pub fn new(space: &'a Sp, scheme: &'a S, leaves: &'a mut Leaves, bytes: u64) -> Self {
        let table = Held::Own(Table::new(bytes, space.repeats()));
        DfInside { search: Search::new(space, scheme, leaves, table) }
    }

    /// With a table that other threads have handles on, too. There must be no cycles: what is proved
    /// first would not be known.
    pub(crate) fn sharing(
        space: &'a Sp,
        scheme: &'a S,
        leaves: &'a mut Leaves,
        table: &'a Shared<Sp, S>,
        leads: bool,
    ) -> Self {
        let table = Held::Shared(table.handle(leads));
        DfInside { search: Search::new(space, scheme, leaves, table) }
    }

    /// Waits for something, the table being free meanwhile to be made larger.
    pub(crate) fn away<R>(&mut self, work: impl FnOnce() -> R) -> R {
        match &mut self.search.table {
            Held::Own(_) => work(),
            Held::Shared(table) => table.away(work),
        }
    }

    /// What the table says of a state.
    pub(crate) fn known(&self, state: &Sp::State) -> Option<(Outcome, Outcome)> {
        self.search.known_bounds(state)
    }

    pub(super) fn search(&mut self) -> &mut Search<'a, Sp, S> {
        &mut self.search
    }

    /// The search behind it, for a proof.
    pub(super) fn into_search(self) -> Search<'a, Sp, S> {
        self.search
    }
}

impl<Sp: Space, S: Thresholds> Inside<Sp> for DfInside<'_, Sp, S> {
    fn look(&mut self, job: &LeafJob<Sp::State>, order: Order<'_>) -> Option<Looked<Sp::Step>> {
        self.search.look_into(job, order)
    }
}

impl<Sp: Space, S: Thresholds> Search<'_, Sp, S> {
    /// Works at a leaf. Its children are told with what is known of them then.
    fn look_into(
        &mut self,
        job: &LeafJob<Sp::State>,
        order: Order<'_>,
    ) -> Option<Looked<Sp::Step>> {
        let Order { nodes, slices, parts, partial, stop } = order;
        let (before, best) = (self.counts, self.space.best());
        let watch: &mut dyn Watch<Sp::Step> = &mut StopWatch(stop);
        let mut looked = Looked {
            bounds: (Outcome(0), best),
            children: Vec::new(),
            parts: Vec::new(),
            counts: Counts::default(),
        };
        for slice in 1..=slices {
            let most = before.nodes + (nodes * slice / slices).max(1);
            let limits = Limits { nodes: most, ..Limits::NONE };
            match self.solve(job.state.clone(), job.question, None, limits, watch) {
                Ok(value) => {
                    let outcome = self.scheme.outcome(value)?;
                    if !parts {
                        looked.bounds = bounds_of(job.question, outcome, best);
                        break;
                    }
                    let most = nodes.saturating_mul(PROOF);
                    match self.part(None, job, outcome, most, watch) {
                        Some(part) => looked.parts.push(part),
                        // The table has forgotten too much. What is below is smaller.
                        None if stop().is_some() => return None,
                        None => self.tell_remembered(job, &mut looked),
                    }
                    break;
                }
                Err(StopReason::Nodes) => {
                    self.unwind();
                    if slice < slices {
                        partial(&self.found_of(&job.state, job.side, self.update().0));
                    } else {
                        let most = parts.then_some(nodes.saturating_mul(PROOF));
                        self.tell_children(&mut looked, most, watch);
                    }
                    let (value, rests_on) = self.update();
                    self.pop(value, rests_on);
                }
                Err(_) => {
                    self.unwind();
                    return None;
                }
            }
        }
        let counts = self.counts;
        looked.counts = Counts {
            expansions: counts.expansions - before.expansions,
            nodes: counts.nodes - before.nodes,
            playouts: self.leaves.counts().playouts - before.playouts,
            peak_bytes: self.bytes(),
        };
        self.counts.playouts = self.leaves.counts().playouts;
        Some(looked)
    }

    /// Goes back to the first choice of the path. What was found out on the way is kept.
    fn unwind(&mut self) {
        while self.path.len() > 1 {
            let (value, rests_on) = self.update();
            self.pop(value, rests_on);
            let place = self.path.len() as u32;
            if let Some(above) = self.path.last() {
                let child = &mut self.children[above.current];
                child.value = value;
                child.rests_on = if rests_on >= place { FREE } else { rests_on };
            }
        }
    }

    /// What is known of the children of the only choice on the path.
    fn tell_children(
        &mut self,
        looked: &mut Looked<Sp::Step>,
        parts: Option<u64>,
        watch: &mut dyn Watch<Sp::Step>,
    ) {
        let (state, side) = (self.path[0].state.clone(), self.path[0].side);
        let children = self.children.clone();
        let question = self.question;
        for (i, child) in children.iter().enumerate() {
            let mut next = state.clone();
            self.space.take(&mut next, side, child.step);
            let Look::Choice(side) = self.space.look(&next) else {
                // Who grows the outer tree sees for itself what it is worth.
                let questions = usize::from(self.space.best().0);
                looked.children.push(vec![nearly(Outcome::LOSS); questions]);
                continue;
            };
            let mut found = self.found_of(&next, side, child.value);
            if let Found::Solved(outcome) = found[usize::from(question)] {
                let stands = child.rests_on == FREE;
                if !stands {
                    found[usize::from(question)] = nearly(outcome);
                } else if let Some(most) = parts {
                    let root = std::mem::take(&mut self.path);
                    let kept = std::mem::take(&mut self.children);
                    let child = LeafJob { leaf: 0, path: Vec::new(), state: next, side, question };
                    let part = self.part(Some(i as u32), &child, outcome, most, watch);
                    (self.path, self.children, self.question) = (root, kept, question);
                    match part {
                        Some(part) => looked.parts.push(part),
                        None => found[usize::from(question)] = nearly(outcome),
                    }
                }
            }
            looked.children.push(found);
        }
    }

    /// What is known of each question about a state, that at hand having this value.
    fn found_of(
        &mut self,
        state: &Sp::State,
        side: foregone_model::Side,
        value: S::Value,
    ) -> Vec<Found> {
        let key = self.key(state);
        let found = |at: u16| {
            let value = match self.table.get(&key, at) {
                _ if at == self.question => value,
                // An answer to another question comes with its proof when that is worked at.
                Some(entry) if self.scheme.outcome(entry.value).is_none() => entry.value,
                _ => self.leaves.value(self.scheme, self.space, state, side, usize::from(at)),
            };
            Found::of(self.scheme, value)
        };
        (0..self.space.best().0).map(found).collect()
    }

    /// What the table remembers of the children of a leaf that is solved, but can't be proved as a whole.
    fn tell_remembered(&mut self, job: &LeafJob<Sp::State>, looked: &mut Looked<Sp::Step>) {
        let (mut steps, at) = (Vec::new(), usize::from(job.question));
        self.space.steps(&job.state, job.side, &mut steps);
        self.question = job.question;
        for step in steps {
            let mut next = job.state.clone();
            self.space.take(&mut next, job.side, step);
            let key = self.key(&next);
            let value = match (self.space.look(&next), self.table.get(&key, job.question)) {
                (Look::Over(outcome), _) => self.scheme.solved_at(outcome, at),
                (_, Some(entry)) => entry.value,
                (Look::Choice(side), None) => {
                    self.leaves.value(self.scheme, self.space, &next, side, at)
                }
            };
            let mut found = self.found_of(&next, job.side, value);
            if let Found::Solved(outcome) = found[at] {
                found[at] = nearly(outcome);
            }
            looked.children.push(found);
        }
    }

    /// The proof of an answer, for which so many nodes may be created where the table has forgotten.
    fn part(
        &mut self,
        child: Option<u32>,
        job: &LeafJob<Sp::State>,
        outcome: Outcome,
        nodes: u64,
        watch: &mut dyn Watch<Sp::Step>,
    ) -> Option<Part<Sp::Step>> {
        let (space, at_least) = (self.space, Outcome(job.question + 1));
        let limits = Limits { nodes: self.counts.nodes.saturating_add(nodes), ..Limits::NONE };
        let claim = (at_least, prover_of(outcome));
        let weak = solution_of(space, self, job.state.clone(), claim, limits, watch)?;
        Some(Part { child, at_least, weak })
    }

    /// What the table says of a state.
    fn known_bounds(&self, state: &Sp::State) -> Option<(Outcome, Outcome)> {
        if self.space.repeats() {
            return None;
        }
        let (key, best) = (self.key(state), self.space.best());
        let (mut low, mut high) = (Outcome(0), best);
        for question in 0..best.0 {
            let Some(entry) = self.table.get(&key, question) else { continue };
            if let Some(outcome) = self.scheme.outcome(entry.value) {
                let (least, most) = bounds_of(question, outcome, best);
                (low, high) = (low.max(least), high.min(most));
            }
        }
        Some((low, high))
    }
}
