//! Searches inside others: what a search at a leaf tells, and how the outer tree grows by it.

use foregone_model::{Outcome, Side, Space, WeakSolution};

use super::{At, Nest, Search, States};
use crate::drive::jobs::{Looked, Order, Part, StopWatch, nearly};
use crate::leaves::Leaves;
use crate::proof::claims;
use crate::report::{Counts, Limits, StopReason, Watch};
use crate::scheme::{Found, Scheme};

/// A run of choices this long in which only one child is open is handed on as a whole.
const LONG_RUN: usize = 64;

/// A search inside another one: what it knows of the children of a choice of `side` after so much
/// work, in the order of the steps, and what it did. Where the search can go on in one child only,
/// and in one child of that and so on for a long way, the children of all of these follow.
pub(in crate::drive) fn probe<Sp: Space, S: Scheme>(
    space: &Sp,
    (state, side): (Sp::State, Side),
    scheme: &S,
    leaves: &mut Leaves,
    nest: &mut dyn Nest<Sp>,
    limits: Limits,
    watch: &mut dyn Watch<Sp::Step>,
) -> (Vec<Vec<Found>>, Counts) {
    let mut search = Search::<Sp, S, 0>::new(space, state, side, scheme, leaves, Some(nest));
    search.run(limits, watch);
    let (mut at, mut run) = (0, vec![search.values_of_children(0)]);
    while let Some(only) = search.only_open(at)
        && !search.nodes[only].is_leaf()
    {
        run.push(search.values_of_children(only));
        at = only;
    }
    if run.len() < LONG_RUN {
        run.truncate(1);
    }
    (run, search.counts_now())
}

/// The search of a leaf of a job-level search: what it knows of the children and, where that is wanted,
/// how it is proved. It tells what it knows in between.
pub(in crate::drive) fn look_into<'a, Sp: Space, S: Scheme>(
    space: &'a Sp,
    (state, side): (Sp::State, Side),
    scheme: &'a S,
    leaves: &'a mut Leaves,
    nest: Option<&'a mut (dyn Nest<Sp> + 'a)>,
    limits: Limits,
    order: Order<'_>,
) -> Option<Looked<Sp::Step>> {
    let Order { nodes, slices, parts, partial, stop } = order;
    let mut search = Search::<Sp, S, 0>::new(space, state, side, scheme, leaves, nest);
    let watch: &mut dyn Watch<Sp::Step> = &mut StopWatch(stop);
    for slice in 1..=slices {
        let limits = Limits { nodes: (nodes * slice / slices).max(1), ..limits };
        match search.run(limits, watch) {
            StopReason::Solved | StopReason::Memory | StopReason::Orders => break,
            StopReason::Nodes => partial(&search.found(0)),
            StopReason::Time | StopReason::Interrupted => return None,
        }
    }
    search.back_to_root();
    let bounds = search.bounds(0);
    let mut looked =
        Looked { bounds, children: Vec::new(), parts: Vec::new(), counts: search.counts_now() };
    if bounds.0 < bounds.1 {
        looked.children = search.children(0).map(|child| search.found(child)).collect();
    }
    if parts {
        search.add_parts(&mut looked);
    }
    Some(looked)
}

/// Searches a choice of `side` in a space of two outcomes to its end, and adds the states of the
/// solution to those that are proved.
pub(in crate::drive) fn prove<Sp: Space, S: Scheme>(
    space: &Sp,
    (state, side): (Sp::State, Side),
    scheme: &S,
    leaves: &mut Leaves,
    watch: &mut dyn Watch<Sp::Step>,
    proved: &mut States<Sp>,
) {
    let mut search = Search::<Sp, S, 0>::new(space, state, side, scheme, leaves, None);
    search.run(Limits::NONE, watch);
    search.back_to_root();
    for (at_least, prover) in claims(search.best, search.bounds(0)) {
        search.walk(at_least, prover, &mut |state, _| {
            proved.insert(state.clone());
        });
    }
}

impl<Sp: Space, S: Scheme, const K: usize> Search<'_, Sp, S, K> {
    /// What is known of each question about a node.
    fn found(&self, node: usize) -> Vec<Found> {
        self.values_of(node).iter().map(|&value| Found::of(self.scheme, value)).collect()
    }

    /// Adds the proofs of what is solved: the root's, or those of its children. In a space with cycles
    /// what was found of a child may rest on its parent: it then counts as open.
    fn add_parts(&self, looked: &mut Looked<Sp::Step>) {
        let root = &self.path[0].state;
        let part = |child: Option<u32>, node: usize, state: Sp::State| {
            claims(self.best, self.bounds(node)).map(move |(at_least, prover)| {
                let mut lines = Vec::new();
                self.walk_from((node, state.clone()), at_least, prover, &mut |_, line| {
                    lines.push(line);
                });
                Part { child, at_least, weak: WeakSolution { prover, lines } }
            })
        };
        if looked.bounds.0 == looked.bounds.1 || self.space.repeats() {
            looked.parts.extend(part(None, 0, root.clone()));
            for found in looked.children.iter_mut().flatten() {
                if let Found::Solved(outcome) = *found {
                    *found = nearly(outcome);
                }
            }
            return;
        }
        for (i, node) in self.children(0).enumerate() {
            if !self.nodes[node].is_leaf() {
                let mut state = root.clone();
                self.space.take(&mut state, self.nodes[0].side(), self.nodes[node].step);
                looked.parts.extend(part(Some(i as u32), node, state));
            }
        }
    }

    fn values_of_children(&self, node: usize) -> Vec<Found> {
        let (children, width) = (self.children(node), self.width());
        let values = &self.values[children.start * width..children.end * width];
        values.iter().map(|&value| Found::of(self.scheme, value)).collect()
    }

    /// Tells what is known now of a node whose bounds were these before.
    #[inline(never)]
    pub(super) fn learn(
        &mut self,
        node: usize,
        place: usize,
        before: (Outcome, Outcome),
        work: u64,
    ) {
        let bounds = self.bounds(node);
        if bounds != before
            && let Some(nest) = &mut self.nest
        {
            nest.learn(self.space, &self.path[place].state, bounds, work);
        }
    }

    /// The same for a node beside the path.
    fn learn_of(&mut self, node: usize, state: &Sp::State) {
        let bounds = self.bounds(node);
        if let Some(nest) = &mut self.nest {
            nest.learn(self.space, state, bounds, u64::MAX);
        }
    }

    /// The values of children, from what a search of another scheme found of each question about
    /// each of them.
    fn taken(&self, found: &[Found]) -> Vec<S::Value> {
        let of_child =
            |found: &[Found]| (0..self.width()).map(|at| self.scheme.take(found, at)).collect();
        let questions = usize::from(self.best.0);
        found.chunks(questions).flat_map(|found| -> Vec<S::Value> { of_child(found) }).collect()
    }

    /// The child that is not solved, if there is one such child.
    fn only_open(&self, node: usize) -> Option<usize> {
        let mut open = self.children(node).filter(|&child| !self.solved(child));
        open.next().filter(|_| open.next().is_none())
    }

    /// Gives the leaf at the end of the path its children, valued by a search.
    #[inline(never)]
    pub(super) fn extend_by_searches(&mut self) {
        let end = self.path.len() - 1;
        let (leaf, state) = (self.path[end].node as usize, self.path[end].state.clone());
        let nodes = self.nodes.len() as u64;
        let found = match &mut self.nest {
            Some(nest) => {
                nest.children(self.space, (state.clone(), self.nodes[leaf].side()), nodes)
            }
            None => Vec::new(),
        };
        self.grow_by(leaf, &state, end, &found[0]);
        self.grow_run(&found[1..]);
    }

    /// Gives a leaf its children with the values that a search found.
    #[inline(never)]
    fn grow_by(&mut self, leaf: usize, state: &Sp::State, place: usize, found: &[Found]) {
        let given = self.taken(found);
        self.grow(leaf, state, place, &given);
    }

    /// Gives the only open child of the leaf that ends the path its children, and so on: the search
    /// that valued them has seen that there is no other way.
    fn grow_run(&mut self, run: &[Vec<Found>]) {
        let end = self.path.len();
        for found in run {
            let last = &self.path[self.path.len() - 1];
            let (parent, mut state) = (last.node as usize, last.state.clone());
            let Some(child) = self.only_open(parent) else { break };
            self.space.take(&mut state, self.nodes[parent].side(), self.nodes[child].step);
            let place = self.path.len();
            self.grow_by(child, &state, place, found);
            self.path.push(At { node: child as u32, state, low: Outcome(0), high: self.best });
        }
        while self.path.len() > end {
            let last = &self.path[self.path.len() - 1];
            let (node, state) = (last.node as usize, last.state.clone());
            let before = self.bounds(node);
            if self.update(node, self.shape(&state)) && self.bounds(node) != before {
                self.learn_of(node, &state);
            }
            self.up();
        }
    }
}
