//! Best first search over a tree in memory (`tree`).
//!
//! Algorithm 2 of *Solving Games and All That* with the current-node enhancement of L. V. Allis
//! (1994): after an update the search goes on where the values stopped changing. With the scheme
//! `pn` this is PNS, with `pp` PP, with `mcts` MCTS Solver.
//!
//! Spaces with more than two outcomes are searched in one run (chapter 3, MOBFS). A scheme for
//! two outcomes is *multized* (Definition 20): a node holds one value for each question "does Max
//! reach at least this outcome?", and each descent follows the question that the root finds most
//! attractive; `mo(pn)` is MOPNS. A scheme for many outcomes holds one value that tells them all.
//! What is proved of a node are its pessimistic and optimistic bounds (Definition 18).
//!
//! Nodes lie in one arena, the children of a node side by side; they hold no states, the path
//! does. When memory runs out, what cannot matter any more (Proposition 18) is given back, all
//! but the proofs of its bounds.

use std::ops::{ControlFlow, Range};

use foregone_model::{Line, Look, Outcome, Side, Space, WeakSolution};

use super::nest::{Nest, States};
use crate::leaves::Leaves;
use crate::proof::claims;
use crate::report::{Counts, Limits, Progress, Report, Solution, StopReason, Watch};
use crate::saved::{Reader, refused};
use crate::scheme::{Found, Scheme};
use crate::table::OnPath;

mod collect;
mod inside;
mod one;
mod saved;
mod walk;

pub(super) use inside::{look_into, probe, prove};

/// A node. `step` leads to it from its parent.
#[derive(Clone, Copy)]
struct Node<M> {
    /// The index of the first child.
    first: u32,
    /// Who chooses, in the lowest bit, and the number of children. None: a leaf. [`WIDE`]: as many
    /// as the node before the first child has as its own first.
    packed: u16,
    step: M,
}

/// More children than a node can count.
const WIDE: usize = u16::MAX as usize >> 1;

impl<M> Node<M> {
    #[inline]
    fn leaf(side: Side, step: M) -> Node<M> {
        Node { first: 0, packed: side.index() as u16, step }
    }

    #[inline]
    fn side(&self) -> Side {
        if self.packed & 1 == 0 { Side::Max } else { Side::Min }
    }

    #[inline]
    fn is_leaf(&self) -> bool {
        self.packed >> 1 == 0
    }
}

/// The bytes of a node for a scheme on a space.
pub fn node_bytes<Sp: Space, S: Scheme>(space: &Sp, scheme: &S) -> usize {
    size_of::<Node<Sp::Step>>() + width(space, scheme) * size_of::<S::Value>()
}

/// How many values a node holds: one, or one for each question about an outcome.
pub(super) fn width<Sp: Space, S: Scheme>(space: &Sp, scheme: &S) -> usize {
    if scheme.many() { 1 } else { usize::from(space.best().0) }
}

/// The watch is asked after this many expansions.
const TICK: u64 = 16;

/// As deep as this, random plays may be long.
pub(super) const DEEP: u32 = 256;

/// One state of the path.
struct At<S> {
    node: u32,
    state: S,
    /// The relevancy bounds: what lies outside them cannot matter for the root. Kept for schemes
    /// that look at them.
    low: Outcome,
    high: Outcome,
}

/// A root that is final needs no search.
pub(super) fn over<Sp: Space>(space: &Sp, outcome: Outcome) -> Report<Sp::Step> {
    let solution = |prover, at_least| Solution {
        at_least: Outcome(at_least),
        weak: WeakSolution { prover, lines: vec![Line::Over] },
    };
    let mut solutions = Vec::new();
    if outcome > Outcome(0) {
        solutions.push(solution(Side::Max, outcome.0));
    }
    if outcome < space.best() {
        solutions.push(solution(Side::Min, outcome.0 + 1));
    }
    Report {
        stop: StopReason::Solved,
        bounds: (outcome, outcome),
        solutions,
        line: Vec::new(),
        found: Vec::new(),
        cost: None,
        counts: Counts { nodes: 1, ..Counts::default() },
    }
}

/// A search. `K` is the number of values of a node if it is known when the program is compiled,
/// and 0 if it is not. Only then can it be a search inside another one, or around others.
struct Search<'a, Sp: Space, S: Scheme, const K: usize> {
    space: &'a Sp,
    scheme: &'a S,
    leaves: &'a mut Leaves,
    nest: Option<&'a mut (dyn Nest<Sp> + 'a)>,
    best: Outcome,
    width: usize,
    nodes: Vec<Node<Sp::Step>>,
    /// The values of the nodes, `width` for each.
    values: Vec<S::Value>,
    path: Vec<At<Sp::State>>,
    on_path: OnPath<Sp::State>,
    /// The question that the root finds most attractive.
    focus: usize,
    steps: Vec<Sp::Step>,
    counts: Counts,
}

/// Searches until the root is solved or the limits or the watch end it.
pub fn tree<Sp: Space, S: Scheme>(
    space: &Sp,
    scheme: &S,
    leaves: &mut Leaves,
    limits: Limits,
    watch: &mut dyn Watch<Sp::Step>,
) -> Report<Sp::Step> {
    let root = space.root();
    let side = match space.look_at_root(&root) {
        Look::Over(outcome) => return over(space, outcome),
        Look::Choice(side) => side,
    };
    if S::COMPILED_FOR_ONE && width(space, scheme) == 1 {
        Search::<Sp, S, 1>::new(space, root, side, scheme, leaves, None).go(limits, watch)
    } else {
        Search::<Sp, S, 0>::new(space, root, side, scheme, leaves, None).go(limits, watch)
    }
}

/// The same, its leaves being valued by searches.
pub(super) fn outer_tree<Sp: Space, S: Scheme>(
    space: &Sp,
    scheme: &S,
    leaves: &mut Leaves,
    nest: &mut dyn Nest<Sp>,
    limits: Limits,
    watch: &mut dyn Watch<Sp::Step>,
) -> Report<Sp::Step> {
    let root = space.root();
    match space.look_at_root(&root) {
        Look::Over(outcome) => over(space, outcome),
        Look::Choice(side) => {
            let search = Search::<Sp, S, 0>::new(space, root, side, scheme, leaves, Some(nest));
            search.go(limits, watch)
        }
    }
}

impl<'a, Sp: Space, S: Scheme, const K: usize> Search<'a, Sp, S, K> {
    fn new(
        space: &'a Sp,
        root: Sp::State,
        side: Side,
        scheme: &'a S,
        leaves: &'a mut Leaves,
        nest: Option<&'a mut (dyn Nest<Sp> + 'a)>,
    ) -> Search<'a, Sp, S, K> {
        let mut steps = Vec::new();
        space.steps(&root, side, &mut steps);
        let (width, best) = (width(space, scheme), space.best());
        let values = if nest.as_ref().is_some_and(|nest| nest.searches()) {
            // Only the root is valued so, and it is expanded at once.
            let unknown = vec![Found::Open { chance: 0.5, effort: None }; usize::from(best.0)];
            (0..width).map(|at| scheme.take(&unknown, at)).collect()
        } else {
            (0..width).map(|at| leaves.value(scheme, space, &root, side, at)).collect()
        };
        let root = At { node: 0, state: root, low: Outcome(0), high: best };
        Search {
            space,
            scheme,
            leaves,
            nest,
            best,
            width,
            // The root has no step that led to it; any one will do.
            nodes: vec![Node::leaf(side, steps[0])],
            values,
            path: vec![root],
            on_path: OnPath::new(),
            focus: 0,
            steps,
            counts: Counts { nodes: 1, ..Counts::default() },
        }
    }

    /// Whether leaves are valued by searches.
    #[inline(always)]
    fn searches(&self) -> bool {
        K == 0 && self.nest.as_ref().is_some_and(|nest| nest.searches())
    }

    /// What was proved of a state elsewhere.
    #[inline(always)]
    fn known(&self, state: &Sp::State) -> Option<(Outcome, Outcome)> {
        if K != 0 {
            return None;
        }
        self.nest.as_ref().and_then(|nest| nest.known(self.space, state))
    }

    #[inline(always)]
    fn width(&self) -> usize {
        if K == 0 { self.width } else { K }
    }

    #[inline(always)]
    fn children(&self, node: usize) -> Range<usize> {
        let node = &self.nodes[node];
        let (first, count) = (node.first as usize, usize::from(node.packed >> 1));
        if count == WIDE { self.many_children(first) } else { first..first + count }
    }

    #[cold]
    fn many_children(&self, before: usize) -> Range<usize> {
        before + 1..before + 1 + self.nodes[before].first as usize
    }

    #[inline(always)]
    fn values_of(&self, node: usize) -> &[S::Value] {
        let width = self.width();
        &self.values[node * width..(node + 1) * width]
    }

    #[inline(always)]
    fn bounds(&self, node: usize) -> (Outcome, Outcome) {
        bounds(self.scheme, self.values_of(node))
    }

    #[inline(always)]
    fn solved(&self, node: usize) -> bool {
        let (low, high) = self.bounds(node);
        low == high
    }

    fn go(mut self, limits: Limits, watch: &mut dyn Watch<Sp::Step>) -> Report<Sp::Step> {
        let restored = watch.saved().map(|mut from| self.restore_from(&mut Reader::new(&mut from)));
        if let Some(None) = restored {
            return refused(self.space, watch);
        }
        let stop = self.run(limits, watch);
        if stop == StopReason::Solved && self.nest.is_some() {
            watch.proving(&Progress::new(self.counts_now(), &self));
        }
        self.report(stop, limits.bytes)
    }

    /// Not inlined, so that it is compiled once for all its callers.
    #[inline(never)]
    fn run(&mut self, limits: Limits, watch: &mut dyn Watch<Sp::Step>) -> StopReason {
        let node_bytes = node_bytes(self.space, self.scheme) as u64;
        let at_bytes = size_of::<At<Sp::State>>() as u64;
        let most = (limits.bytes / node_bytes).min(u64::from(u32::MAX));
        self.find_focus();
        while !self.solved(0) {
            // Step 1: down to the most interesting leaf.
            self.descend();
            if K == 0 && self.scheme.one_node() {
                self.add_one();
            } else {
                // Step 2: its children, each with a value.
                self.extend();
                // Step 3: up as long as values change.
                self.backpropagate();
            }
            // Step 4: is there anything left to use?
            let (mut created, mut held) = (self.counts.nodes, self.nodes.len() as u64);
            // The path of a long play takes as much as its nodes.
            if self.path.len() > DEEP as usize {
                held += (self.path.len() - DEEP as usize) as u64 * at_bytes / node_bytes;
            }
            if K == 0
                && let Some(nest) = &self.nest
            {
                created += nest.counts().nodes;
                held += nest.counts().peak_bytes / node_bytes;
            }
            if created >= limits.nodes && !self.solved(0) {
                watch.ending(&Progress::new(self.counts_now(), self));
                return StopReason::Nodes;
            }
            if held >= most && !self.solved(0) && !self.make_room() {
                watch.ending(&Progress::new(self.counts_now(), self));
                return StopReason::Memory;
            }
            // A search at a leaf takes long, and the watch should not wait for hundreds.
            if (self.searches() || self.counts.expansions.is_multiple_of(TICK))
                && let ControlFlow::Break(reason) =
                    watch.tick(&Progress::new(self.counts_now(), self))
            {
                return reason;
            }
        }
        StopReason::Solved
    }

    /// Gives back what cannot matter any more; whether that was enough to go on.
    #[inline(never)]
    fn make_room(&mut self) -> bool {
        let before = self.nodes.len();
        self.collect();
        // Coming back here after every few nodes would take longer than the search.
        self.nodes.len() <= before / 8 * 7
    }

    #[inline(always)]
    fn find_focus(&mut self) {
        if K != 1 {
            self.focus = focus(self.scheme, self.values_of(0), |_| true);
        }
    }

    /// From the end of the path to a leaf, each time to the child with the highest key.
    #[inline(always)]
    fn descend(&mut self) {
        let mut at = self.path.len() - 1;
        if self.scheme.many() && at == 0 {
            (self.path[0].low, self.path[0].high) = self.bounds(0);
        }
        loop {
            let node = &self.nodes[self.path[at].node as usize];
            if node.is_leaf() {
                return;
            }
            let side = node.side();
            let best = match side {
                Side::Max => self.best_child(Side::Max, at),
                Side::Min => self.best_child(Side::Min, at),
            };
            let mut state = self.path[at].state.clone();
            self.space.take(&mut state, side, self.nodes[best].step);
            let (mut low, mut high) = (Outcome(0), self.best);
            if self.scheme.many() {
                (low, high) = self.bounds(best);
                low = low.max(self.path[at].low);
                high = high.min(self.path[at].high);
            }
            self.path.push(At { node: best as u32, state, low, high });
            at += 1;
        }
    }

    /// The first of the children with the highest key. Called with a constant side, so that the
    /// loop is compiled for it.
    #[inline(always)]
    fn best_child(&self, side: Side, at: usize) -> usize {
        let (width, focus) = (self.width(), if K == 1 { 0 } else { self.focus });
        let At { node: parent, low, high, ref state } = self.path[at];
        let mut context = self.values[parent as usize * width + focus];
        if self.scheme.many() {
            context = self.scheme.within(context, low, high);
        }
        let range = self.children(parent as usize);
        let children = &self.values[range.start * width..range.end * width];
        let key = |i: usize| {
            let mut value = children[i * width + focus];
            if K == 0 && self.leaves.labels() {
                let step = self.nodes[range.start + i].step;
                if let Some(mean) = self.leaves.label(self.space, state, side, step) {
                    value = self.scheme.labelled(value, mean);
                }
            }
            self.scheme.key(side, context, value)
        };
        if K == 1 {
            // The same without looking for the places of values: this is the innermost loop.
            let mut keys =
                children.iter().map(|&value| self.scheme.key(side, context, value)).enumerate();
            let Some(mut best) = keys.next() else { return range.start };
            for (i, key) in keys {
                if key > best.1 {
                    best = (i, key);
                }
            }
            return range.start + best.0;
        }
        let (mut best, mut best_key) = (0, key(0));
        for i in 1..range.len() {
            let key = key(i);
            if key > best_key {
                (best, best_key) = (i, key);
            }
        }
        range.start + best
    }

    /// Gives the leaf at the end of the path its children. If it was solved elsewhere meanwhile,
    /// it needs none, and the path ends before it.
    #[inline(always)]
    fn extend(&mut self) {
        let leaf = &self.path[self.path.len() - 1];
        if self.path.len() > 1
            && let Some((low, high)) = self.known(&leaf.state)
            && low == high
        {
            let (at, width) = (leaf.node as usize, self.width());
            for i in 0..width {
                self.values[at * width + i] = self.scheme.solved_at(low, i);
            }
            self.up();
            return;
        }
        if self.searches() {
            return self.extend_by_searches();
        }
        let end = self.path.len() - 1;
        let At { node, state, .. } = &self.path[end];
        let (node, state) = (*node as usize, state.clone());
        self.grow(node, &state, end, &[]);
    }

    /// Gives a leaf its children. They may be valued already. The states of the path below
    /// `place` lie above it.
    #[inline(always)]
    fn grow(&mut self, leaf: usize, leaf_state: &Sp::State, place: usize, given: &[S::Value]) {
        let side = self.nodes[leaf].side();
        // Taken out of the search, so that its length need not be read again after every write.
        let mut steps = std::mem::take(&mut self.steps);
        steps.clear();
        self.space.steps(leaf_state, side, &mut steps);
        let (first, width, count) = (self.nodes.len(), self.width(), steps.len());
        if count >= WIDE {
            // A node that only counts. Its values are nobody's.
            self.nodes.push(Node { first: count as u32, ..Node::leaf(side, steps[0]) });
            self.values.extend_from_within(leaf * width..(leaf + 1) * width);
        }
        let inherits = count == 1 && place >= DEEP as usize && self.leaves.plays();
        self.lead_to(place);
        let searched = self.searches();
        let repeats = self.space.repeats();
        for (i, &step) in steps.iter().enumerate() {
            let mut state = leaf_state.clone();
            self.space.take(&mut state, side, step);
            if K == 0 && self.leaves.labels() {
                self.leaves.lead(self.space, place, leaf_state, side, step);
            }
            let path = &self.path;
            let repeated = (repeats
                && (state == *leaf_state
                    || self.on_path.find(&state, place, |at| &path[at].state).is_some()))
            .then(|| self.space.repetition(&state));
            let mut looked = self.space.look(&state);
            let mut known = None;
            if K == 0 && self.nest.is_some() && matches!(looked, Look::Choice(_)) {
                known = self.known(&state);
                if let Some((low, high)) = known
                    && low == high
                {
                    looked = Look::Over(low);
                }
            }
            let chooser = match (repeated, looked) {
                (Some(o), _) | (None, Look::Over(o)) => {
                    if S::SHAPED {
                        self.values.push(self.scheme.end(o, self.space.shape(&state)));
                    } else {
                        self.values.extend((0..width).map(|at| self.scheme.solved_at(o, at)));
                    }
                    Side::Max
                }
                (None, Look::Choice(side)) => {
                    if searched {
                        self.values.extend_from_slice(&given[i * width..][..width]);
                    } else if inherits {
                        self.values.extend_from_within(leaf * width..(leaf + 1) * width);
                    } else if width == 1 && !self.scheme.many() {
                        let value = self.leaves.value(self.scheme, self.space, &state, side, 0);
                        self.values.push(value);
                    } else {
                        let (mut low, mut high) = self.space.bounds(&state);
                        if let Some((least, most)) = known {
                            (low, high) = (low.max(least), high.min(most));
                        }
                        for at in 0..width {
                            let value =
                                self.leaves.value(self.scheme, self.space, &state, side, at);
                            self.values.push(narrowed(self.scheme, value, at, low, high));
                        }
                    }
                    side
                }
            };
            self.nodes.push(Node::leaf(chooser, step));
        }
        self.steps = steps;
        let node = &mut self.nodes[leaf];
        node.first = first as u32;
        node.packed = (count.min(WIDE) as u16) << 1 | side.index() as u16;
        self.counts.expansions += 1;
        self.counts.nodes += count as u64;
    }

    /// Tells the leaves which steps lead to this place of the path, where labels are looked at.
    #[inline(always)]
    fn lead_to(&mut self, place: usize) {
        if K == 0 && self.leaves.labels() {
            for at in 0..place {
                let At { node, ref state, .. } = self.path[at];
                let (side, next) = (self.nodes[node as usize].side(), self.path[at + 1].node);
                self.leaves.lead(self.space, at, state, side, self.nodes[next as usize].step);
            }
        }
    }

    /// The shape of a choice, where the scheme looks at it.
    #[inline(always)]
    fn shape(&self, state: &Sp::State) -> u32 {
        if S::SHAPED { self.space.shape(state) } else { 0 }
    }

    /// The values of a node from those of its children; whether they changed.
    #[inline(always)]
    fn update(&mut self, at: usize, shape: u32) -> bool {
        let (side, range, width) = (self.nodes[at].side(), self.children(at), self.width());
        if K == 1 {
            let children = &self.values[range];
            let value = self.updated(shape, side, children.iter().copied());
            return std::mem::replace(&mut self.values[at], value) != value;
        }
        let mut changed = false;
        for i in 0..width {
            let children = &self.values[range.start * width..range.end * width];
            let value = self.updated(shape, side, children[i..].iter().step_by(width).copied());
            let old = &mut self.values[at * width + i];
            changed |= value != *old;
            *old = value;
        }
        changed
    }

    /// The value of a choice. The scheme is called with a constant side, so that its loop is
    /// compiled for each.
    #[inline(always)]
    fn updated(
        &self,
        shape: u32,
        side: Side,
        children: impl Iterator<Item = S::Value>,
    ) -> S::Value {
        match side {
            Side::Max => self.scheme.update_of(shape, Side::Max, children),
            Side::Min => self.scheme.update_of(shape, Side::Min, children),
        }
    }

    /// Updates the path from its end up to where a value does not change, and cuts it there.
    #[inline(always)]
    fn backpropagate(&mut self) {
        let learns = K == 0 && self.nest.is_some();
        loop {
            let at = self.path[self.path.len() - 1].node as usize;
            let before = if learns { self.bounds(at) } else { (Outcome(0), self.best) };
            let shape = self.shape(&self.path[self.path.len() - 1].state);
            if !self.update(at, shape) {
                return;
            }
            if learns {
                // What was created since is not all below it, but most of it is.
                let work = self.nodes.len() as u64 - u64::from(self.nodes[at].first);
                self.learn(at, self.path.len() - 1, before, work);
            }
            if self.path.len() == 1 {
                return self.find_focus();
            }
            self.up();
        }
    }

    /// Shortens the path by a state.
    #[inline(always)]
    fn up(&mut self) {
        if let Some(at) = self.path.pop() {
            self.on_path.left(&at.state, self.path.len());
        }
    }

    /// Makes the path begin anew.
    fn back_to_root(&mut self) {
        self.path.truncate(1);
        self.on_path.clear();
    }

    fn counts_now(&self) -> Counts {
        let inner = match &self.nest {
            Some(nest) => nest.counts(),
            None => Counts::default(),
        };
        let bytes = self.nodes.len() * node_bytes(self.space, self.scheme)
            + self.path.capacity() * size_of::<At<Sp::State>>()
            + self.steps.capacity() * size_of::<Sp::Step>()
            + self.on_path.bytes() as usize;
        Counts {
            expansions: self.counts.expansions,
            nodes: self.counts.nodes + inner.nodes,
            playouts: inner.playouts + self.leaves.counts().playouts,
            peak_bytes: bytes as u64 + inner.peak_bytes,
        }
    }

    fn report(mut self, stop: StopReason, bytes: u64) -> Report<Sp::Step> {
        let bounds = self.bounds(0);
        let mut counts = self.counts_now();
        let mut solutions = Vec::new();
        for (at_least, prover) in claims(self.best, bounds) {
            // In a space with cycles nothing is learned, and the tree has the whole proof but for
            // what inner searches solved.
            let weak = if self.nest.is_some() {
                let mut proved = States::<Sp>::default();
                self.walk(at_least, prover, &mut |state, _| {
                    proved.insert(state.clone());
                });
                let outcome = if prover == Side::Max { Outcome::WIN } else { Outcome::LOSS };
                let question = self.space.threshold(at_least);
                let nest = self.nest.as_mut();
                nest.and_then(|nest| nest.proof(&question, at_least, outcome, proved, bytes))
            } else {
                let mut lines = Vec::new();
                self.walk(at_least, prover, &mut |_, line| lines.push(line));
                Some(WeakSolution { prover, lines })
            };
            let Some(weak) = weak else { continue };
            counts.peak_bytes += (weak.lines.capacity() * size_of::<Line<Sp::Step>>()) as u64;
            solutions.push(Solution { at_least, weak });
        }
        let line = if bounds.0 < bounds.1 { self.best_line() } else { Vec::new() };
        let cost = (S::SHAPED && bounds.0 == bounds.1).then(|| self.scheme.price(self.values[0]));
        Report { stop, bounds, solutions, line, found: Vec::new(), cost, counts }
    }
}

/// Pessimistic and optimistic bound (Definition 18). Of a multized value the questions that are
/// answered by yes, and those that are not answered by no, count up to them.
#[inline(always)]
pub(super) fn bounds<S: Scheme>(scheme: &S, values: &[S::Value]) -> (Outcome, Outcome) {
    let (mut low, mut high) = (0, 0);
    for &value in values {
        let (l, h) = scheme.bounds(value);
        low += l.0;
        high += h.0;
    }
    (Outcome(low), Outcome(high))
}

/// The question that is most attractive to go on with: the attractive outcome of a root with
/// these values (Definition 20, equation 3.21), the higher outcome of two that are equally so.
/// Only some questions may be `askable`.
pub(super) fn focus<S: Scheme>(
    scheme: &S,
    values: &[S::Value],
    askable: impl Fn(usize) -> bool,
) -> usize {
    let mut best: Option<(f64, usize)> = None;
    for (at, &value) in values.iter().enumerate() {
        let (low, high) = scheme.bounds(value);
        if low < high && askable(at) {
            let priority = scheme.priority(value);
            if best.is_none_or(|(p, _)| priority >= p) {
                best = Some((priority, at));
            }
        }
    }
    best.map_or(0, |(_, at)| at)
}

/// A value of a leaf of which the game knows bounds.
#[inline]
pub(super) fn narrowed<S: Scheme>(
    scheme: &S,
    value: S::Value,
    at: usize,
    low: Outcome,
    high: Outcome,
) -> S::Value {
    if scheme.many() {
        return scheme.within(value, low, high);
    }
    let question = at as u16 + 1;
    if question <= low.0 {
        scheme.solved(Outcome::WIN)
    } else if question > high.0 {
        scheme.solved(Outcome::LOSS)
    } else {
        value
    }
}
