//! Best first search over a tree in memory (`tree`).
//!
//! Algorithm 2 of *Solving Games and All That* with the current-node enhancement of L. V. Allis
//! (1994): after an update the search goes on where the values stopped changing. Nodes lie in
//! one arena, the children of a node side by side; they hold no states, the path does. With the
//! scheme `pn` this is PNS, with `pp` PP, with `mcts` MCTS Solver.

use foregone_model::{Line, Look, Outcome, Side, Space, WeakSolution};

use crate::inform::Inform;
use crate::report::{Counts, Limits, Progress, Report, Solution, StopReason, Watch};
use crate::scheme::Scheme;

/// A node. `step` leads to it from its parent.
#[derive(Clone, Copy)]
struct Node<V, M> {
    value: V,
    /// The index of the first child.
    first: u32,
    /// Who chooses, in the lowest bit, and the number of children. None: a leaf.
    packed: u16,
    step: M,
}

impl<V, M> Node<V, M> {
    #[inline]
    fn leaf(value: V, side: Side, step: M) -> Node<V, M> {
        Node { value, first: 0, packed: side.index() as u16, step }
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
pub fn node_bytes<Sp: Space, S: Scheme>(_space: &Sp, _scheme: &S) -> usize {
    size_of::<Node<S::Value, Sp::Step>>()
}

/// The watch is asked after this many expansions.
const TICK: u64 = 256;

/// One state of the path.
struct At<S> {
    node: u32,
    state: S,
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
        counts: Counts { nodes: 1, ..Counts::default() },
    }
}

/// Adds the lines of a solution that was found elsewhere.
fn append<M: Copy>(lines: &mut Vec<Line<M>>, inner: &[Line<M>]) {
    let shift = lines.len() as u32;
    lines.extend(inner.iter().map(|&line| match line {
        Line::Same(earlier) => Line::Same(earlier + shift),
        line => line,
    }));
}

struct Search<'a, Sp: Space, S: Scheme> {
    space: &'a Sp,
    scheme: &'a S,
    nodes: Vec<Node<S::Value, Sp::Step>>,
    path: Vec<At<Sp::State>>,
    steps: Vec<Sp::Step>,
    counts: Counts,
}

/// Searches until the root is solved or the limits or the watch end it.
pub fn tree<Sp: Space, S: Scheme>(
    space: &Sp,
    scheme: &S,
    inform: &mut impl Inform<Sp, S>,
    limits: Limits,
    watch: &mut impl Watch<Sp::Step>,
) -> Report<Sp::Step> {
    let root = space.root();
    match space.look_at_root(&root) {
        Look::Over(outcome) => over(space, outcome),
        Look::Choice(side) => {
            let mut search = Search::new(space, root, side, scheme, inform);
            let stop = search.run(inform, limits, watch);
            search.report(stop, inform)
        }
    }
}

/// A search inside another one: what it knows of a choice of `side` after so much work, and what
/// it did.
pub(super) fn probe<Sp: Space, S: Scheme>(
    space: &Sp,
    (state, side): (Sp::State, Side),
    scheme: &S,
    inform: &mut impl Inform<Sp, S>,
    limits: Limits,
    watch: &mut impl Watch<Sp::Step>,
) -> (S::Value, Counts) {
    let mut search = Search::new(space, state, side, scheme, inform);
    search.run(inform, limits, watch);
    let counts = search.counts_now(inform);
    (search.nodes[0].value, counts)
}

/// The weak solution of a choice of `side` that a search inside another one found to be solved.
pub(super) fn prove<Sp: Space, S: Scheme>(
    space: &Sp,
    (state, side): (Sp::State, Side),
    scheme: &S,
    inform: &mut impl Inform<Sp, S>,
    watch: &mut impl Watch<Sp::Step>,
) -> Option<WeakSolution<Sp::Step>> {
    let mut search = Search::new(space, state, side, scheme, inform);
    let stop = search.run(inform, Limits::NONE, watch);
    search.report(stop, inform).solutions.pop().map(|s| s.weak)
}

impl<'a, Sp: Space, S: Scheme> Search<'a, Sp, S> {
    fn new(
        space: &'a Sp,
        root: Sp::State,
        side: Side,
        scheme: &'a S,
        inform: &mut impl Inform<Sp, S>,
    ) -> Search<'a, Sp, S> {
        let mut steps = Vec::new();
        space.steps(&root, side, &mut steps);
        let value = inform.leaf(space, &root, side);
        // The root has no step that led to it; any one will do.
        let nodes = vec![Node::leaf(value, side, steps[0])];
        let counts = Counts { nodes: 1, ..Counts::default() };
        Search { space, scheme, nodes, path: vec![At { node: 0, state: root }], steps, counts }
    }

    fn run<I: Inform<Sp, S>>(
        &mut self,
        inform: &mut I,
        limits: Limits,
        watch: &mut impl Watch<Sp::Step>,
    ) -> StopReason {
        let node_bytes = size_of::<Node<S::Value, Sp::Step>>() as u64;
        let most = (limits.bytes / node_bytes).min(u64::from(u32::MAX));
        while self.scheme.outcome(self.nodes[0].value).is_none() {
            // Step 1: down to the most interesting leaf.
            self.descend();
            // Step 2: its children, each with a value.
            self.extend(inform);
            // Step 3: up as long as values change.
            self.backpropagate();
            // Step 4: is there anything left to use?
            let (mut created, mut held) = (self.nodes.len() as u64, self.nodes.len() as u64);
            if I::BATCH {
                created += inform.counts().nodes;
                held += inform.counts().peak_bytes / node_bytes;
            }
            if created >= limits.nodes || held >= most {
                if self.scheme.outcome(self.nodes[0].value).is_some() {
                    break;
                }
                let out_of_nodes = created >= limits.nodes;
                return if out_of_nodes { StopReason::Nodes } else { StopReason::Memory };
            }
            // Valuing a batch of leaves takes long, and the watch should not wait for hundreds.
            if I::BATCH || self.counts.expansions.is_multiple_of(TICK) {
                let line: Vec<Sp::Step> =
                    self.path[1..].iter().map(|at| self.nodes[at.node as usize].step).collect();
                let counts = self.counts_now(inform);
                let progress = Progress { counts, root: &self.nodes[0].value, line: &line };
                if let std::ops::ControlFlow::Break(reason) = watch.tick(&progress) {
                    return reason;
                }
            }
        }
        StopReason::Solved
    }

    /// From the end of the path to a leaf, each time to the child with the highest key.
    #[inline(always)]
    fn descend(&mut self) {
        let mut at = self.path.len() - 1;
        loop {
            let node = self.nodes[self.path[at].node as usize];
            if node.count() == 0 {
                return;
            }
            let side = node.side();
            let best = match side {
                Side::Max => self.best_child(Side::Max, node),
                Side::Min => self.best_child(Side::Min, node),
            };
            let mut state = self.path[at].state.clone();
            self.space.take(&mut state, side, self.nodes[best].step);
            self.path.push(At { node: best as u32, state });
            at += 1;
        }
    }

    /// The first of the children with the highest key. Called with a constant side, so that the
    /// loop is compiled for it.
    #[inline(always)]
    fn best_child(&self, side: Side, node: Node<S::Value, Sp::Step>) -> usize {
        let children = &self.nodes[node.children()];
        let mut best = 0;
        let mut best_key = self.scheme.key(side, node.value, children[0].value);
        for (i, child) in children.iter().enumerate().skip(1) {
            let key = self.scheme.key(side, node.value, child.value);
            if key > best_key {
                (best, best_key) = (i, key);
            }
        }
        node.first as usize + best
    }

    /// Gives the leaf at the end of the path its children.
    #[inline(always)]
    fn extend<I: Inform<Sp, S>>(&mut self, inform: &mut I) {
        let leaf = &self.path[self.path.len() - 1];
        let side = self.nodes[leaf.node as usize].side();
        self.steps.clear();
        self.space.steps(&leaf.state, side, &mut self.steps);
        let first = self.nodes.len();
        if I::BATCH {
            return self.extend_by_batch(inform, side);
        }
        let repetition = self.space.repetition();
        for &step in &self.steps {
            let mut state = leaf.state.clone();
            self.space.take(&mut state, side, step);
            let repeated = repetition.filter(|_| self.path.iter().any(|at| at.state == state));
            let node = match (repeated, self.space.look(&state)) {
                (Some(o), _) | (None, Look::Over(o)) => {
                    Node::leaf(self.scheme.solved(o), Side::Max, step)
                }
                (None, Look::Choice(side)) => {
                    Node::leaf(inform.leaf(self.space, &state, side), side, step)
                }
            };
            self.nodes.push(node);
        }
        let node = &mut self.nodes[leaf.node as usize];
        node.first = first as u32;
        node.packed = (self.steps.len() as u16) << 1 | side.index() as u16;
        self.counts.expansions += 1;
        self.counts.nodes += self.steps.len() as u64;
    }

    /// The same for leaves that are valued all at once.
    fn extend_by_batch<I: Inform<Sp, S>>(&mut self, inform: &mut I, side: Side) {
        let leaf = &self.path[self.path.len() - 1];
        let first = self.nodes.len();
        let repetition = self.space.repetition();
        let mut open = Vec::new();
        let mut places = Vec::new();
        for &step in &self.steps {
            let mut state = leaf.state.clone();
            self.space.take(&mut state, side, step);
            let repeated = repetition.filter(|_| self.path.iter().any(|at| at.state == state));
            let (value, side) = match (repeated, self.space.look(&state)) {
                (Some(o), _) | (None, Look::Over(o)) => (self.scheme.solved(o), Side::Max),
                (None, Look::Choice(side)) => {
                    places.push(self.nodes.len());
                    open.push((state, side));
                    // A value to be replaced below.
                    (self.scheme.solved(Outcome::LOSS), side)
                }
            };
            self.nodes.push(Node::leaf(value, side, step));
        }
        let mut values = Vec::with_capacity(open.len());
        inform.batch(self.space, &open, self.nodes.len() as u64, &mut values);
        for (place, value) in places.into_iter().zip(values) {
            self.nodes[place].value = value;
        }
        let node = &mut self.nodes[leaf.node as usize];
        node.first = first as u32;
        node.packed = (self.steps.len() as u16) << 1 | side.index() as u16;
        self.counts.expansions += 1;
        self.counts.nodes += self.steps.len() as u64;
    }

    /// Updates the path from its end up to where a value does not change, and cuts it there.
    #[inline(always)]
    fn backpropagate(&mut self) {
        loop {
            let at = self.path[self.path.len() - 1].node as usize;
            let node = self.nodes[at];
            let children = self.nodes[node.children()].iter().map(|c| c.value);
            let value = match node.side() {
                Side::Max => self.scheme.update(Side::Max, children),
                Side::Min => self.scheme.update(Side::Min, children),
            };
            if value == node.value {
                return;
            }
            self.nodes[at].value = value;
            if self.path.len() == 1 {
                return;
            }
            self.path.pop();
        }
    }

    fn counts_now(&self, inform: &impl Inform<Sp, S>) -> Counts {
        let inner = inform.counts();
        let bytes = self.nodes.len() * size_of::<Node<S::Value, Sp::Step>>()
            + self.path.capacity() * size_of::<At<Sp::State>>()
            + self.steps.capacity() * size_of::<Sp::Step>();
        Counts {
            expansions: self.counts.expansions,
            nodes: self.counts.nodes + inner.nodes,
            playouts: inner.playouts,
            peak_bytes: bytes as u64 + inner.peak_bytes,
        }
    }

    fn report(mut self, stop: StopReason, inform: &mut impl Inform<Sp, S>) -> Report<Sp::Step> {
        let value = self.scheme.outcome(self.nodes[0].value);
        let mut counts = self.counts_now(inform);
        let solution = value.map(|o| self.solution(o, inform));
        let line = match &solution {
            Some(_) => Vec::new(),
            None => {
                self.path.truncate(1);
                self.descend();
                self.path[1..].iter().map(|at| self.nodes[at.node as usize].step).collect()
            }
        };
        if let Some(s) = &solution {
            counts.peak_bytes += (s.lines.capacity() * size_of::<Line<Sp::Step>>()) as u64;
        }
        Report::of_two(stop, value, solution, line, counts)
    }

    /// The weak solution inside the tree, in pre-order.
    fn solution(
        &self,
        outcome: Outcome,
        inform: &mut impl Inform<Sp, S>,
    ) -> WeakSolution<Sp::Step> {
        let prover = if outcome == Outcome::WIN { Side::Max } else { Side::Min };
        let mut lines = Vec::new();
        let mut todo = vec![(0usize, self.path[0].state.clone())];
        while let Some((at, state)) = todo.pop() {
            let node = &self.nodes[at];
            let side = node.side();
            let child = |i: usize| {
                let mut next = state.clone();
                self.space.take(&mut next, side, self.nodes[i].step);
                (i, next)
            };
            if node.count() == 0 {
                match self.space.look(&state) {
                    Look::Over(_) => lines.push(Line::Over),
                    // A leaf that was solved when it was valued, or one that repeats the path.
                    Look::Choice(_) => match inform.solution(self.space, &state, outcome) {
                        Some(inner) => append(&mut lines, &inner.lines),
                        None => lines.push(Line::Repeats),
                    },
                }
            } else if side == prover {
                let proved = |i: &usize| self.scheme.outcome(self.nodes[*i].value) == Some(outcome);
                if let Some(i) = node.children().find(proved) {
                    lines.push(Line::Plays(self.nodes[i].step));
                    todo.push(child(i));
                }
            } else {
                lines.push(Line::Meets(node.count() as u32));
                todo.extend(node.children().rev().map(child));
            }
        }
        WeakSolution { prover, lines }
    }
}
