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

use foregone_model::{Line, Look, Outcome, Side, Space, WeakSolution};

use crate::inform::{Inform, States};
use crate::proof::claims;
use crate::report::{Counts, Limits, Progress, Report, Solution, StopReason, Watch};
use crate::scheme::Scheme;

/// A node. `step` leads to it from its parent.
#[derive(Clone, Copy)]
struct Node<M> {
    /// The index of the first child.
    first: u32,
    /// Who chooses, in the lowest bit, and the number of children. None: a leaf.
    packed: u16,
    step: M,
}

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
    fn count(&self) -> usize {
        usize::from(self.packed >> 1)
    }

    #[inline]
    fn children(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + self.count()
    }
}

/// The bytes of a node for a scheme on a space.
pub fn node_bytes<Sp: Space, S: Scheme>(space: &Sp, _scheme: &S) -> usize {
    size_of::<Node<Sp::Step>>() + width::<Sp, S>(space) * size_of::<S::Value>()
}

/// How many values a node holds: one, or one for each question about an outcome.
pub(super) fn width<Sp: Space, S: Scheme>(space: &Sp) -> usize {
    if S::MANY { 1 } else { usize::from(space.best().0) }
}

/// The first child of a node whose children were given back.
const GIVEN_BACK: u32 = u32::MAX;

/// The watch is asked after this many expansions.
const TICK: u64 = 256;

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
/// and 0 if it is not.
struct Search<'a, Sp: Space, S: Scheme, const K: usize> {
    space: &'a Sp,
    scheme: &'a S,
    best: Outcome,
    width: usize,
    nodes: Vec<Node<Sp::Step>>,
    /// The values of the nodes, `width` for each.
    values: Vec<S::Value>,
    path: Vec<At<Sp::State>>,
    /// The question that the root finds most attractive.
    focus: usize,
    steps: Vec<Sp::Step>,
    counts: Counts,
}

/// Searches until the root is solved or the limits or the watch end it.
pub fn tree<Sp: Space, S: Scheme, I: Inform<Sp, S>>(
    space: &Sp,
    scheme: &S,
    inform: &mut I,
    limits: Limits,
    watch: &mut dyn Watch<Sp::Step>,
) -> Report<Sp::Step> {
    let root = space.root();
    let side = match space.look_at_root(&root) {
        Look::Over(outcome) => return over(space, outcome),
        Look::Choice(side) => side,
    };
    // Where leaves are searches the width of the outer tree costs nothing.
    if !I::SEARCHES && (S::MANY || width::<Sp, S>(space) == 1) {
        let search = Search::<Sp, S, 1>::new(space, root, side, scheme, inform);
        search.go(inform, limits, watch)
    } else {
        let search = Search::<Sp, S, 0>::new(space, root, side, scheme, inform);
        search.go(inform, limits, watch)
    }
}

/// A search inside another one: what it knows of the children of a choice of `side` after so much
/// work, in the order of the steps, and what it did.
pub(super) fn probe<Sp: Space, S: Scheme>(
    space: &Sp,
    (state, side): (Sp::State, Side),
    scheme: &S,
    inform: &mut impl Inform<Sp, S>,
    limits: Limits,
    watch: &mut dyn Watch<Sp::Step>,
) -> (Vec<S::Value>, Counts) {
    let mut search = Search::<Sp, S, 0>::new(space, state, side, scheme, inform);
    search.run(inform, limits, watch);
    (search.values_of_children(), search.counts_now(inform))
}

/// Searches a choice of `side` in a space of two outcomes to its end, and adds the states of the
/// solution to those that are proved.
pub(super) fn prove<Sp: Space, S: Scheme>(
    space: &Sp,
    (state, side): (Sp::State, Side),
    scheme: &S,
    inform: &mut impl Inform<Sp, S>,
    watch: &mut dyn Watch<Sp::Step>,
    proved: &mut States<Sp>,
) {
    let mut search = Search::<Sp, S, 1>::new(space, state, side, scheme, inform);
    search.run(inform, Limits::NONE, watch);
    search.path.truncate(1);
    for (at_least, prover) in claims(search.best, search.bounds(0)) {
        search.walk(at_least, prover, |state, _| {
            proved.insert(state.clone());
        });
    }
}

impl<'a, Sp: Space, S: Scheme, const K: usize> Search<'a, Sp, S, K> {
    fn new(
        space: &'a Sp,
        root: Sp::State,
        side: Side,
        scheme: &'a S,
        inform: &mut impl Inform<Sp, S>,
    ) -> Search<'a, Sp, S, K> {
        let mut steps = Vec::new();
        space.steps(&root, side, &mut steps);
        let width = width::<Sp, S>(space);
        let values = (0..width).map(|at| inform.leaf(space, &root, side, at)).collect();
        let best = space.best();
        let root = At { node: 0, state: root, low: Outcome(0), high: best };
        Search {
            space,
            scheme,
            best,
            width,
            // The root has no step that led to it; any one will do.
            nodes: vec![Node::leaf(side, steps[0])],
            values,
            path: vec![root],
            focus: 0,
            steps,
            counts: Counts { nodes: 1, ..Counts::default() },
        }
    }

    #[inline(always)]
    fn width(&self) -> usize {
        if K == 0 { self.width } else { K }
    }

    #[inline(always)]
    fn values_of(&self, node: usize) -> &[S::Value] {
        let width = self.width();
        &self.values[node * width..(node + 1) * width]
    }

    /// The values of the children of the root.
    fn values_of_children(&self) -> Vec<S::Value> {
        let (children, width) = (self.nodes[0].children(), self.width());
        self.values[children.start * width..children.end * width].to_vec()
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

    fn go<I: Inform<Sp, S>>(
        mut self,
        inform: &mut I,
        limits: Limits,
        watch: &mut dyn Watch<Sp::Step>,
    ) -> Report<Sp::Step> {
        let stop = self.run(inform, limits, watch);
        self.report(stop, inform, limits.bytes)
    }

    /// Not inlined, so that it is compiled once for all its callers.
    #[inline(never)]
    fn run<I: Inform<Sp, S>>(
        &mut self,
        inform: &mut I,
        limits: Limits,
        watch: &mut dyn Watch<Sp::Step>,
    ) -> StopReason {
        let node_bytes = node_bytes(self.space, self.scheme) as u64;
        let most = (limits.bytes / node_bytes).min(u64::from(u32::MAX));
        self.find_focus();
        while !self.solved(0) {
            // Step 1: down to the most interesting leaf.
            self.descend(inform);
            // Step 2: its children, each with a value.
            self.extend(inform);
            // Step 3: up as long as values change.
            self.backpropagate(inform);
            // Step 4: is there anything left to use?
            let (mut created, mut held) = (self.counts.nodes, self.nodes.len() as u64);
            if I::SEARCHES {
                created += inform.counts().nodes;
                held += inform.counts().peak_bytes / node_bytes;
            }
            if created >= limits.nodes && !self.solved(0) {
                return StopReason::Nodes;
            }
            if held >= most && !self.solved(0) {
                let before = self.nodes.len();
                self.collect();
                // Coming back here after every few nodes would take longer than the search.
                if self.nodes.len() > before / 8 * 7 {
                    return StopReason::Memory;
                }
            }
            // A search at a leaf takes long, and the watch should not wait for hundreds.
            if I::SEARCHES || self.counts.expansions.is_multiple_of(TICK) {
                let line: Vec<Sp::Step> =
                    self.path[1..].iter().map(|at| self.nodes[at.node as usize].step).collect();
                let counts = self.counts_now(inform);
                let progress = Progress { counts, root: &self.values[self.focus], line: &line };
                if let std::ops::ControlFlow::Break(reason) = watch.tick(&progress) {
                    return reason;
                }
            }
        }
        StopReason::Solved
    }

    #[inline(always)]
    fn find_focus(&mut self) {
        if K != 1 {
            self.focus = focus(self.scheme, self.values_of(0), |_| true);
        }
    }

    /// From the end of the path to a leaf, each time to the child with the highest key.
    #[inline(always)]
    fn descend<I: Inform<Sp, S>>(&mut self, inform: &I) {
        let mut at = self.path.len() - 1;
        if S::MANY && at == 0 {
            (self.path[0].low, self.path[0].high) = self.bounds(0);
        }
        loop {
            let node = self.nodes[self.path[at].node as usize];
            if node.count() == 0 {
                return;
            }
            let side = node.side();
            let best = match side {
                Side::Max => self.best_child(inform, Side::Max, at, node),
                Side::Min => self.best_child(inform, Side::Min, at, node),
            };
            let mut state = self.path[at].state.clone();
            self.space.take(&mut state, side, self.nodes[best].step);
            let (mut low, mut high) = (Outcome(0), self.best);
            if S::MANY {
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
    fn best_child<I: Inform<Sp, S>>(
        &self,
        inform: &I,
        side: Side,
        at: usize,
        node: Node<Sp::Step>,
    ) -> usize {
        let (width, focus) = (self.width(), if K == 1 { 0 } else { self.focus });
        let At { node: parent, low, high, ref state } = self.path[at];
        let mut context = self.values[parent as usize * width + focus];
        if S::MANY {
            context = self.scheme.within(context, low, high);
        }
        let children = &self.values[node.first as usize * width..][..node.count() * width];
        let key = |i: usize| {
            let mut value = children[i * width + focus];
            if I::LABELS {
                let step = self.nodes[node.first as usize + i].step;
                if let Some(mean) = inform.label(self.space, state, side, step) {
                    value = self.scheme.labelled(value, mean);
                }
            }
            self.scheme.key(side, context, value)
        };
        let (mut best, mut best_key) = (0, key(0));
        for i in 1..node.count() {
            let key = key(i);
            if key > best_key {
                (best, best_key) = (i, key);
            }
        }
        node.first as usize + best
    }

    /// Gives the leaf at the end of the path its children. If it was solved elsewhere meanwhile,
    /// it needs none, and the path ends before it.
    #[inline(always)]
    fn extend<I: Inform<Sp, S>>(&mut self, inform: &mut I) {
        let leaf = &self.path[self.path.len() - 1];
        if I::LEARNS
            && self.path.len() > 1
            && let Some((low, high)) = inform.known(self.space, &leaf.state)
            && low == high
        {
            let (at, width) = (leaf.node as usize, self.width());
            for i in 0..width {
                self.values[at * width + i] = self.scheme.solved_at(low, i);
            }
            self.path.pop();
            return;
        }
        if I::SEARCHES {
            return self.extend_by_searches(inform);
        }
        let end = self.path.len() - 1;
        let At { node, state, .. } = &self.path[end];
        let (node, state) = (*node as usize, state.clone());
        self.grow(inform, node, &state, end, &[]);
    }

    /// Gives a leaf its children. They may be valued already. The states of the path below
    /// `place` lie above it.
    #[inline(always)]
    fn grow<I: Inform<Sp, S>>(
        &mut self,
        inform: &mut I,
        leaf: usize,
        leaf_state: &Sp::State,
        place: usize,
        given: &[S::Value],
    ) {
        let side = self.nodes[leaf].side();
        self.steps.clear();
        self.space.steps(leaf_state, side, &mut self.steps);
        let (first, width) = (self.nodes.len(), self.width());
        let repetition = self.space.repetition();
        for (i, &step) in self.steps.iter().enumerate() {
            let mut state = leaf_state.clone();
            self.space.take(&mut state, side, step);
            let repeated = repetition.filter(|_| {
                state == *leaf_state || self.path[..place].iter().any(|at| at.state == state)
            });
            let mut looked = self.space.look(&state);
            let mut known = None;
            if I::LEARNS && matches!(looked, Look::Choice(_)) {
                known = inform.known(self.space, &state);
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
                    if I::SEARCHES {
                        self.values.extend_from_slice(&given[i * width..][..width]);
                    } else if K == 1 && !S::MANY {
                        self.values.push(inform.leaf(self.space, &state, side, 0));
                    } else {
                        let (mut low, mut high) = self.space.bounds(&state);
                        if let Some((least, most)) = known {
                            (low, high) = (low.max(least), high.min(most));
                        }
                        for at in 0..width {
                            let value = inform.leaf(self.space, &state, side, at);
                            self.values.push(narrowed(self.scheme, value, at, low, high));
                        }
                    }
                    side
                }
            };
            self.nodes.push(Node::leaf(chooser, step));
        }
        let node = &mut self.nodes[leaf];
        node.first = first as u32;
        node.packed = (self.steps.len() as u16) << 1 | side.index() as u16;
        self.counts.expansions += 1;
        self.counts.nodes += self.steps.len() as u64;
    }

    /// Gives the leaf at the end of the path its children, valued by searches, and where several
    /// can be looked into at once the best of its brothers, too.
    fn extend_by_searches<I: Inform<Sp, S>>(&mut self, inform: &mut I) {
        let end = self.path.len() - 1;
        let mut leaves = vec![(self.path[end].node as usize, self.path[end].state.clone())];
        if inform.at_once() > 1 && end > 0 {
            leaves.extend(self.brothers(end, inform.at_once() - 1));
        }
        let sides = |(node, state): &(usize, Sp::State)| (state.clone(), self.nodes[*node].side());
        let at: Vec<(Sp::State, Side)> = leaves.iter().map(sides).collect();
        let values = inform.children(self.space, &at, self.nodes.len() as u64);
        for ((leaf, state), given) in leaves.iter().zip(&values) {
            self.grow(inform, *leaf, state, end, given);
        }
        for (leaf, state) in leaves.iter().skip(1) {
            let before = self.bounds(*leaf);
            if self.update(*leaf, self.shape(state)) && self.bounds(*leaf) != before {
                inform.learn(self.space, state, self.bounds(*leaf), u64::MAX);
            }
        }
        if leaves.len() > 1 {
            // Whether the leaf changed or not, its parent has new values to look at.
            self.update(leaves[0].0, self.shape(&leaves[0].1));
            let bounds = self.bounds(leaves[0].0);
            inform.learn(self.space, &leaves[0].1, bounds, u64::MAX);
            self.path.pop();
        }
    }

    /// The best leaves beside the one that ends the path.
    fn brothers(&self, end: usize, most: usize) -> Vec<(usize, Sp::State)> {
        let parent = self.nodes[self.path[end - 1].node as usize];
        let (width, side) = (self.width(), parent.side());
        let context = self.values[self.path[end - 1].node as usize * width + self.focus];
        let open = |&i: &usize| {
            i != self.path[end].node as usize && self.nodes[i].count() == 0 && !self.solved(i)
        };
        let key = |i: usize| self.scheme.key(side, context, self.values[i * width + self.focus]);
        let mut open: Vec<usize> = parent.children().filter(open).collect();
        open.sort_by(|&a, &b| key(b).partial_cmp(&key(a)).unwrap_or(std::cmp::Ordering::Equal));
        let state = |i: usize| {
            let mut state = self.path[end - 1].state.clone();
            self.space.take(&mut state, side, self.nodes[i].step);
            (i, state)
        };
        open.into_iter().take(most).map(state).collect()
    }

    /// The shape of a choice, where the scheme looks at it.
    #[inline(always)]
    fn shape(&self, state: &Sp::State) -> u32 {
        if S::SHAPED { self.space.shape(state) } else { 0 }
    }

    /// The values of a node from those of its children; whether they changed.
    #[inline(always)]
    fn update(&mut self, at: usize, shape: u32) -> bool {
        let (node, width) = (self.nodes[at], self.width());
        let mut changed = false;
        for i in 0..width {
            let (first, count) = (node.first as usize, node.count());
            let children = self.values[first * width..][..count * width]
                .iter()
                .skip(i)
                .step_by(width)
                .copied();
            let value = match node.side() {
                Side::Max => self.scheme.update_of(shape, Side::Max, children),
                Side::Min => self.scheme.update_of(shape, Side::Min, children),
            };
            let old = &mut self.values[at * width + i];
            changed |= value != *old;
            *old = value;
        }
        changed
    }

    /// Updates the path from its end up to where a value does not change, and cuts it there.
    #[inline(always)]
    fn backpropagate<I: Inform<Sp, S>>(&mut self, inform: &mut I) {
        loop {
            let at = self.path[self.path.len() - 1].node as usize;
            let before = if I::LEARNS { self.bounds(at) } else { (Outcome(0), self.best) };
            let shape = self.shape(&self.path[self.path.len() - 1].state);
            if !self.update(at, shape) {
                return;
            }
            if I::LEARNS {
                let bounds = self.bounds(at);
                if bounds != before {
                    // What was created since is not all below it, but most of it is.
                    let work = self.nodes.len() as u64 - u64::from(self.nodes[at].first);
                    inform.learn(self.space, &self.path[self.path.len() - 1].state, bounds, work);
                }
            }
            if self.path.len() == 1 {
                return self.find_focus();
            }
            self.path.pop();
        }
    }

    /// Gives back what cannot matter any more: below nodes that are solved or that lie outside
    /// the relevancy bounds nothing is kept but the proofs of their bounds.
    fn collect(&mut self) {
        // Step 1: the nodes to keep. Those whose children are not kept become leaves.
        // A bit a node: this runs when memory is short.
        let mut keep = vec![0u64; self.nodes.len().div_ceil(64)];
        keep[0] = 1;
        let root = self.bounds(0);
        let mut todo = vec![(0usize, root, true)];
        while let Some((at, (low, high), relevant)) = todo.pop() {
            let node = self.nodes[at];
            if node.count() == 0 {
                continue;
            }
            let (own_low, own_high) = self.bounds(at);
            let relevant = relevant && own_low < own_high && low < high;
            // What proves the bounds of a node: of the side that chooses one child, of the other
            // side all.
            let (for_one, for_all) = match node.side() {
                Side::Max => (own_low > Outcome(0), own_high < self.best),
                Side::Min => (own_high < self.best, own_low > Outcome(0)),
            };
            if !relevant && !for_one && !for_all {
                self.give_back(at);
                continue;
            }
            let mut one = for_one;
            for child in node.children() {
                keep[child / 64] |= 1 << (child % 64);
                let (child_low, child_high) = self.bounds(child);
                let proves = match node.side() {
                    Side::Max => child_low >= own_low,
                    Side::Min => child_high <= own_high,
                };
                let needed = relevant || for_all || (one && proves && self.backed(child));
                if needed {
                    one &= !proves;
                    todo.push((child, (low.max(child_low), high.min(child_high)), relevant));
                } else {
                    self.give_back(child);
                }
            }
        }
        // Step 2: they move together. Children lie behind their parents, so places are known
        // before they are needed.
        let mut before = Vec::with_capacity(keep.len());
        let mut next = 0u32;
        for word in &keep {
            before.push(next);
            next += word.count_ones();
        }
        let kept = |at: usize| keep[at / 64] >> (at % 64) & 1 == 1;
        let place =
            |at: usize| before[at / 64] + (keep[at / 64] & ((1 << (at % 64)) - 1)).count_ones();
        let width = self.width();
        for at in 0..self.nodes.len() {
            if kept(at) {
                let to = place(at) as usize;
                let mut node = self.nodes[at];
                if node.count() > 0 {
                    node.first = place(node.first as usize);
                }
                self.nodes[to] = node;
                self.values.copy_within(at * width..(at + 1) * width, to * width);
            }
        }
        self.nodes.truncate(next as usize);
        self.values.truncate(next as usize * width);
        self.path.truncate(1);
    }

    /// Makes a leaf of a node that is never expanded again.
    fn give_back(&mut self, at: usize) {
        let node = &mut self.nodes[at];
        if node.count() > 0 {
            (node.packed, node.first) = (node.side().index() as u16, GIVEN_BACK);
        }
    }

    /// Whether what is known of a node can be shown: it was known at once, or has children to
    /// show it by.
    fn backed(&self, node: usize) -> bool {
        self.nodes[node].first != GIVEN_BACK
    }

    fn counts_now(&self, inform: &impl Inform<Sp, S>) -> Counts {
        let inner = inform.counts();
        let bytes = self.nodes.len() * node_bytes(self.space, self.scheme)
            + self.path.capacity() * size_of::<At<Sp::State>>()
            + self.steps.capacity() * size_of::<Sp::Step>();
        Counts {
            expansions: self.counts.expansions,
            nodes: self.counts.nodes + inner.nodes,
            playouts: inner.playouts,
            peak_bytes: bytes as u64 + inner.peak_bytes,
        }
    }

    fn report<I: Inform<Sp, S>>(
        self,
        stop: StopReason,
        inform: &mut I,
        bytes: u64,
    ) -> Report<Sp::Step> {
        let bounds = self.bounds(0);
        let mut counts = self.counts_now(inform);
        let mut solutions = Vec::new();
        for (at_least, prover) in claims(self.best, bounds) {
            let mut weak = WeakSolution { prover, lines: Vec::new() };
            // In a space with cycles nothing is learned, and the tree has the whole proof but for
            // what inner searches solved.
            if I::LEARNS {
                let outcome = if prover == Side::Max { Outcome::WIN } else { Outcome::LOSS };
                let mut proved = States::<Sp>::default();
                self.walk(at_least, prover, |state, _| {
                    proved.insert(state.clone());
                });
                let question = self.space.threshold(at_least);
                match inform.proof(&question, at_least, outcome, proved, bytes) {
                    Some(found) => weak = found,
                    None => continue,
                }
            } else {
                self.walk(at_least, prover, |_, line| weak.lines.push(line));
            }
            counts.peak_bytes += (weak.lines.capacity() * size_of::<Line<Sp::Step>>()) as u64;
            solutions.push(Solution { at_least, weak });
        }
        let line = if solutions.is_empty() { self.line() } else { Vec::new() };
        let cost = (S::SHAPED && bounds.0 == bounds.1).then(|| self.scheme.price(self.values[0]));
        Report { stop, bounds, solutions, line, found: Vec::new(), cost, counts }
    }

    /// What both sides would play if the search ended now.
    fn line(&self) -> Vec<Sp::Step> {
        let (mut at, mut line) = (0, Vec::new());
        while self.nodes[at].count() > 0 {
            let (side, context) = (self.nodes[at].side(), self.values_of(at)[self.focus]);
            let worth = |i: usize| self.scheme.worth(side, context, self.values_of(i)[self.focus]);
            let mut children = self.nodes[at].children();
            let Some(mut best) = children.next() else { break };
            for child in children {
                if worth(child) > worth(best) {
                    best = child;
                }
            }
            line.push(self.nodes[best].step);
            at = best;
        }
        line
    }

    /// Goes through the weak solution inside the tree, in pre-order: every state and its line. A
    /// state that was proved elsewhere looks like one that repeats the path.
    fn walk(
        &self,
        at_least: Outcome,
        prover: Side,
        mut visit: impl FnMut(&Sp::State, Line<Sp::Step>),
    ) {
        let question = self.space.threshold(at_least);
        let mut todo = vec![(0usize, self.path[0].state.clone())];
        while let Some((at, state)) = todo.pop() {
            let node = &self.nodes[at];
            let side = node.side();
            let child = |i: usize| {
                let mut next = state.clone();
                self.space.take(&mut next, side, self.nodes[i].step);
                (i, next)
            };
            // The root is never taken as known: who asks wants to see a move.
            if at > 0 && matches!(question.look(&state), Look::Over(_)) {
                visit(&state, Line::Over);
            } else if node.count() == 0 {
                visit(&state, Line::Repeats);
            } else if side == prover {
                let proved = |&i: &usize| {
                    let (low, high) = self.bounds(i);
                    let holds = if prover == Side::Max { low >= at_least } else { high < at_least };
                    holds && self.backed(i)
                };
                let cheapest = || {
                    let price = |&i: &usize| self.scheme.price(self.values_of(i)[0]);
                    node.children().filter(proved).min_by_key(price)
                };
                let found = if S::SHAPED { cheapest() } else { node.children().find(proved) };
                if let Some(i) = found {
                    visit(&state, Line::Plays(self.nodes[i].step));
                    todo.push(child(i));
                }
            } else {
                visit(&state, Line::Meets(node.count() as u32));
                todo.extend(node.children().rev().map(child));
            }
        }
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
    if S::MANY {
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
