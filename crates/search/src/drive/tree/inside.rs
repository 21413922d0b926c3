//! Searches inside others: what a search at a leaf tells, and how the outer tree grows by it.

use foregone_model::{Outcome, Side, Space};

use super::{At, Nest, Search, States};
use crate::leaves::Leaves;
use crate::proof::claims;
use crate::report::{Counts, Limits, Watch};
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

    /// Gives the leaf at the end of the path its children, valued by searches, and where several
    /// can be looked into at once the best of its brothers, too.
    #[inline(never)]
    pub(super) fn extend_by_searches(&mut self) {
        let end = self.path.len() - 1;
        let mut leaves = vec![(self.path[end].node as usize, self.path[end].state.clone())];
        let at_once = self.nest.as_ref().map_or(1, |nest| nest.at_once());
        if at_once > 1 && end > 0 {
            leaves.extend(self.brothers(end, at_once - 1));
        }
        let sides = |(node, state): &(usize, Sp::State)| (state.clone(), self.nodes[*node].side());
        let at: Vec<(Sp::State, Side)> = leaves.iter().map(sides).collect();
        let nodes = self.nodes.len() as u64;
        let found = match &mut self.nest {
            Some(nest) => nest.children(self.space, &at, nodes),
            None => Vec::new(),
        };
        for ((leaf, state), run) in leaves.iter().zip(&found) {
            self.grow_by(*leaf, state, end, &run[0]);
        }
        if leaves.len() == 1 {
            self.grow_run(&found[0][1..]);
        }
        for (leaf, state) in leaves.iter().skip(1) {
            let before = self.bounds(*leaf);
            if self.update(*leaf, self.shape(state)) && self.bounds(*leaf) != before {
                self.learn_of(*leaf, state);
            }
        }
        if leaves.len() > 1 {
            // Whether the leaf changed or not, its parent has new values to look at.
            self.update(leaves[0].0, self.shape(&leaves[0].1));
            self.learn_of(leaves[0].0, &leaves[0].1);
            self.up();
        }
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

    /// The best leaves beside the one that ends the path.
    fn brothers(&self, end: usize, most: usize) -> Vec<(usize, Sp::State)> {
        let parent = self.path[end - 1].node as usize;
        let (width, side) = (self.width(), self.nodes[parent].side());
        let context = self.values[parent * width + self.focus];
        let open = |&i: &usize| {
            i != self.path[end].node as usize && self.nodes[i].is_leaf() && !self.solved(i)
        };
        let key = |i: usize| self.scheme.key(side, context, self.values[i * width + self.focus]);
        let mut open: Vec<usize> = self.children(parent).filter(open).collect();
        open.sort_by(|&a, &b| key(b).partial_cmp(&key(a)).unwrap_or(std::cmp::Ordering::Equal));
        let state = |i: usize| {
            let mut state = self.path[end - 1].state.clone();
            self.space.take(&mut state, side, self.nodes[i].step);
            (i, state)
        };
        open.into_iter().take(most).map(state).collect()
    }
}
