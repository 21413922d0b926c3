//! Best first search over a graph in memory (`dag`): one node a position.
//!
//! Algorithm 2 of *Solving Games and All That* with transpositions (M. Schijf, L. V. Allis and
//! J. Uiterwijk, *Proof-number search and transpositions*, 1994): with `pn` this is PNT, with
//! `pp` PPT, with `mcts` the simple way. A child that several parents share counts for each of
//! them. A changed value goes up to all parents, the deepest first, so that each ancestor is
//! updated once where all paths to a position have the same length.
//!
//! **Cycles.** Where positions can come up again, a node stands for a position and not for a
//! path, and what a side can force does not depend on the path: it is the least fixpoint of
//! equations 2.7 to 2.9. Solved values are such facts, so the graph history interaction does not
//! arise. Values that are not solved only guide: they go up along the path alone, since going
//! round a cycle they would grow for ever. When no leaf is left to expand, what is not solved by
//! then can only go round in circles, and is worth what a repetition is worth.

use std::collections::HashMap;
use std::ops::ControlFlow;

use foregone_model::{Look, Outcome, Side, Space};

use super::tree::{bounds, focus, narrowed, over, width};
use crate::inform::Inform;
use crate::proof::{Proved, claims, extract};
use crate::report::{Counts, Limits, Progress, Report, Solution, StopReason, Watch};
use crate::scheme::Scheme;
use crate::table::Quick;

#[derive(Clone, Copy)]
struct Node {
    /// Where its edges begin, and how many there are. None: a leaf.
    first: u32,
    count: u16,
    side: Side,
    queued: bool,
    /// How far it is from the root, by the path on which it was found.
    level: u32,
    /// The first of its links to parents.
    parents: u32,
    /// When its bounds were last raised or lowered.
    proved: [u32; 2],
}

#[derive(Clone, Copy)]
struct Edge<M> {
    child: u32,
    step: M,
}

/// A link to a parent, and the next one.
#[derive(Clone, Copy)]
struct Link {
    parent: u32,
    next: u32,
}

const NONE: u32 = u32::MAX;
const TICK: u64 = 256;

struct At<S> {
    node: u32,
    state: S,
}

struct Search<'a, Sp: Space, S: Scheme> {
    space: &'a Sp,
    scheme: &'a S,
    best: Outcome,
    /// How many values a node holds, as in `tree`.
    width: usize,
    nodes: Vec<Node>,
    values: Vec<S::Value>,
    /// The question that the root finds most attractive, of those that have a leaf to expand.
    focus: usize,
    /// Questions without one.
    closed: Vec<bool>,
    edges: Vec<Edge<Sp::Step>>,
    links: Vec<Link>,
    table: HashMap<Sp::State, u32, Quick>,
    root: Sp::State,
    path: Vec<At<Sp::State>>,
    steps: Vec<Sp::Step>,
    /// Nodes to update, by level, and the deepest level that may have some.
    pending: Vec<Vec<u32>>,
    deepest: usize,
    proved: u32,
    /// In spaces with cycles: in which descent each node was seen last, and the current one.
    seen: Vec<u32>,
    descent: u32,
    counts: Counts,
}

/// Searches until the root is solved or the limits or the watch end it.
pub fn dag<Sp: Space, S: Scheme>(
    space: &Sp,
    scheme: &S,
    inform: &mut impl Inform<Sp, S>,
    limits: Limits,
    watch: &mut dyn Watch<Sp::Step>,
) -> Report<Sp::Step> {
    let root = space.key(&space.root());
    let side = match space.look_at_root(&root) {
        Look::Over(o) => return over(space, o),
        Look::Choice(side) => side,
    };
    let mut search = Search {
        space,
        scheme,
        best: space.best(),
        width: width::<Sp, S>(space),
        nodes: Vec::new(),
        values: Vec::new(),
        focus: 0,
        closed: Vec::new(),
        edges: Vec::new(),
        links: Vec::new(),
        table: HashMap::default(),
        root: root.clone(),
        path: Vec::new(),
        steps: Vec::new(),
        pending: Vec::new(),
        deepest: 0,
        proved: 0,
        seen: Vec::new(),
        descent: 0,
        counts: Counts::default(),
    };
    search.values.extend((0..search.width).map(|at| inform.leaf(space, &root, side, at)));
    search.add(root.clone(), side, 0);
    search.path.push(At { node: 0, state: root });
    let stop = search.run(inform, limits, watch);
    search.counts.playouts = inform.counts().playouts;
    search.report(stop, limits, watch)
}

impl<Sp: Space, S: Scheme> Search<'_, Sp, S> {
    fn run(
        &mut self,
        inform: &mut impl Inform<Sp, S>,
        limits: Limits,
        watch: &mut dyn Watch<Sp::Step>,
    ) -> StopReason {
        let cyclic = self.space.repetition().is_some();
        while !self.solved(0) {
            // Step 1: down to the most interesting leaf.
            self.find_focus();
            self.path.truncate(1);
            if cyclic {
                if !self.descend_around_cycles() {
                    self.closed.resize(self.width, false);
                    self.closed[self.focus] = true;
                    self.path.push(At { node: 0, state: self.root.clone() });
                    if self
                        .closed
                        .iter()
                        .zip(self.values_of(0))
                        .all(|(&closed, &v)| closed || self.scheme.outcome(v).is_some())
                    {
                        return StopReason::Solved;
                    }
                    continue;
                }
            } else {
                self.descend();
            }
            // Step 2: its children, old and new.
            self.extend(inform);
            // Step 3: up to all parents.
            self.propagate(cyclic);
            // Step 4: is there anything left to use?
            let bytes = self.bytes();
            self.counts.peak_bytes = self.counts.peak_bytes.max(bytes);
            let full = self.nodes.len() as u64 >= u64::from(NONE) || bytes >= limits.bytes;
            if self.counts.nodes >= limits.nodes || full {
                if self.solved(0) {
                    break;
                }
                return if full { StopReason::Memory } else { StopReason::Nodes };
            }
            if self.counts.expansions.is_multiple_of(TICK) {
                self.counts.playouts = inform.counts().playouts;
                let line = self.line();
                let root = self.values[self.focus];
                let progress = Progress { counts: self.counts, root: &root, line: &line };
                if let ControlFlow::Break(reason) = watch.tick(&progress) {
                    return reason;
                }
            }
        }
        StopReason::Solved
    }

    #[inline]
    fn values_of(&self, node: u32) -> &[S::Value] {
        &self.values[node as usize * self.width..][..self.width]
    }

    #[inline]
    fn bounds(&self, node: u32) -> (Outcome, Outcome) {
        bounds(self.scheme, self.values_of(node))
    }

    #[inline]
    fn solved(&self, node: u32) -> bool {
        let (low, high) = self.bounds(node);
        low == high
    }

    fn find_focus(&mut self) {
        let open = |at: usize| !self.closed.get(at).copied().unwrap_or(false);
        self.focus = focus(self.scheme, self.values_of(0), open);
    }

    /// Adds a node whose values were just added.
    fn add(&mut self, state: Sp::State, side: Side, level: u32) -> u32 {
        let number = self.nodes.len() as u32;
        self.nodes.push(Node {
            first: 0,
            count: 0,
            side,
            queued: false,
            level,
            parents: NONE,
            // What is known at once rests on nothing.
            proved: [0; 2],
        });
        self.table.insert(state, number);
        self.counts.nodes += 1;
        number
    }

    #[inline]
    fn edges_of(&self, node: u32) -> &[Edge<Sp::Step>] {
        let node = &self.nodes[node as usize];
        &self.edges[node.first as usize..node.first as usize + usize::from(node.count)]
    }

    /// The edge to the child with the highest key among those that `fits`.
    #[inline]
    fn best_edge(&self, at: u32, fits: impl Fn(u32) -> bool) -> Option<Edge<Sp::Step>> {
        self.best_edge_by(at, fits, |side, context, value| self.scheme.key(side, context, value))
    }

    #[inline]
    fn best_edge_by(
        &self,
        at: u32,
        fits: impl Fn(u32) -> bool,
        rate: impl Fn(Side, S::Value, S::Value) -> S::Key,
    ) -> Option<Edge<Sp::Step>> {
        let node = &self.nodes[at as usize];
        let mut context = self.values_of(at)[self.focus];
        if S::MANY {
            // A node has many parents: what matters is told by its own bounds alone.
            let (low, high) = self.bounds(at);
            context = self.scheme.within(context, low, high);
        }
        let mut best: Option<(S::Key, Edge<Sp::Step>)> = None;
        for &edge in self.edges_of(at) {
            if fits(edge.child) {
                let value = self.values_of(edge.child)[self.focus];
                let key = rate(node.side, context, value);
                if best.is_none_or(|(k, _)| key > k) {
                    best = Some((key, edge));
                }
            }
        }
        best.map(|(_, edge)| edge)
    }

    #[inline]
    fn follow(&mut self, edge: Edge<Sp::Step>) {
        let last = &self.path[self.path.len() - 1];
        let mut state = last.state.clone();
        self.space.take(&mut state, self.nodes[last.node as usize].side, edge.step);
        let state = self.space.key(&state);
        self.path.push(At { node: edge.child, state });
    }

    #[inline]
    fn descend(&mut self) {
        while let Some(edge) = self.best_edge(self.path[self.path.len() - 1].node, |_| true) {
            self.follow(edge);
        }
    }

    /// Down to a leaf without visiting a position twice, turning back where that leads nowhere.
    /// Whether there was one.
    fn descend_around_cycles(&mut self) -> bool {
        self.descent += 1;
        self.seen.resize(self.nodes.len(), 0);
        while let Some(last) = self.path.last() {
            let at = last.node;
            self.seen[at as usize] = self.descent;
            if self.nodes[at as usize].count == 0 {
                return true;
            }
            let open = |child: u32| self.seen[child as usize] != self.descent && self.open(child);
            match self.best_edge(at, open) {
                Some(edge) => self.follow(edge),
                None => {
                    self.path.pop();
                }
            }
        }
        false
    }

    /// Gives the leaf at the end of the path its edges.
    fn extend(&mut self, inform: &mut impl Inform<Sp, S>) {
        let end = self.path.len() - 1;
        let At { node: leaf, state } = &self.path[end];
        let (leaf, state) = (*leaf, state.clone());
        let Node { side, level, .. } = self.nodes[leaf as usize];
        self.steps.clear();
        self.space.steps(&state, side, &mut self.steps);
        let first = self.edges.len() as u32;
        for i in 0..self.steps.len() {
            let step = self.steps[i];
            let mut next = state.clone();
            self.space.take(&mut next, side, step);
            let next = self.space.key(&next);
            let child = match self.table.get(&next) {
                Some(&child) => child,
                None => match self.space.look(&next) {
                    Look::Over(o) => {
                        let scheme = self.scheme;
                        self.values.extend((0..self.width).map(|at| scheme.solved_at(o, at)));
                        self.add(next, Side::Max, level + 1)
                    }
                    Look::Choice(side) => {
                        let (low, high) = match self.best {
                            Outcome::WIN => (Outcome::LOSS, Outcome::WIN),
                            _ => self.space.bounds(&next),
                        };
                        for at in 0..self.width {
                            let value = inform.leaf(self.space, &next, side, at);
                            self.values.push(narrowed(self.scheme, value, at, low, high));
                        }
                        self.add(next, side, level + 1)
                    }
                },
            };
            self.edges.push(Edge { child, step });
            let next = self.nodes[child as usize].parents;
            self.nodes[child as usize].parents = self.links.len() as u32;
            self.links.push(Link { parent: leaf, next });
        }
        let node = &mut self.nodes[leaf as usize];
        node.first = first;
        node.count = self.steps.len() as u16;
        self.counts.expansions += 1;
    }

    /// Updates the leaf that was expanded and whatever changes above it.
    fn propagate(&mut self, cyclic: bool) {
        // Whether a change that solves nothing goes to all parents, or along the path only.
        let share = S::SHARES && !cyclic;
        self.enqueue(self.path[self.path.len() - 1].node);
        let mut on_path = self.path.len() - 1;
        loop {
            let Some(at) = self.pending[self.deepest].pop() else {
                if self.deepest == 0 {
                    return;
                }
                self.deepest -= 1;
                continue;
            };
            let node = self.nodes[at as usize];
            self.nodes[at as usize].queued = false;
            let before = self.bounds(at);
            if before.0 == before.1 || !self.update(at) {
                continue;
            }
            let after = self.bounds(at);
            let proved = before != after;
            if proved {
                self.proved += 1;
                if before.0 != after.0 {
                    self.nodes[at as usize].proved[0] = self.proved;
                }
                if before.1 != after.1 {
                    self.nodes[at as usize].proved[1] = self.proved;
                }
            }
            if share || proved {
                let mut link = node.parents;
                while link != NONE {
                    let Link { parent, next } = self.links[link as usize];
                    self.enqueue(parent);
                    link = next;
                }
            }
            if !share && on_path > 0 && self.path[on_path].node == at {
                on_path -= 1;
                self.enqueue(self.path[on_path].node);
            }
        }
    }

    /// The values of a node from those of its children; whether they changed.
    #[inline]
    fn update(&mut self, at: u32) -> bool {
        let side = self.nodes[at as usize].side;
        let mut changed = false;
        for i in 0..self.width {
            let old = self.values_of(at)[i];
            let children = self.edges_of(at).iter().map(|e| self.values_of(e.child)[i]);
            let value = match side {
                Side::Max => self.scheme.update(Side::Max, children),
                Side::Min => self.scheme.update(Side::Min, children),
            };
            // What is proved stays: other facts may rest on it.
            let (low, high) = self.scheme.bounds(old);
            if low < high && value != old {
                self.values[at as usize * self.width + i] = value;
                changed = true;
            }
        }
        changed
    }

    /// Whether a node may be worth a descent: the question at hand is open there.
    #[inline]
    fn open(&self, node: u32) -> bool {
        let (low, high) = self.scheme.bounds(self.values_of(node)[self.focus]);
        low < high
    }

    #[inline]
    fn enqueue(&mut self, at: u32) {
        let node = &mut self.nodes[at as usize];
        // A leaf has no children to be updated from.
        if node.queued || node.count == 0 {
            return;
        }
        node.queued = true;
        let level = node.level as usize;
        if self.pending.len() <= level {
            self.pending.resize_with(level + 1, Vec::new);
        }
        self.pending[level].push(at);
        self.deepest = self.deepest.max(level);
    }

    fn bytes(&self) -> u64 {
        let entry = size_of::<(Sp::State, u32)>() + 1;
        (self.nodes.len() * (size_of::<Node>() + self.width * size_of::<S::Value>())
            + self.edges.len() * size_of::<Edge<Sp::Step>>()
            + self.links.len() * size_of::<Link>()
            + self.table.capacity() * entry * 8 / 7) as u64
    }

    /// The steps of the path. With mirror images taken as one they may not fit together.
    fn line(&self) -> Vec<Sp::Step> {
        let step = |pair: &[At<Sp::State>]| {
            self.edges_of(pair[0].node).iter().find(|e| e.child == pair[1].node).map(|e| e.step)
        };
        self.path.windows(2).map_while(step).collect()
    }

    fn report(
        mut self,
        stop: StopReason,
        limits: Limits,
        watch: &mut dyn Watch<Sp::Step>,
    ) -> Report<Sp::Step> {
        let mut bounds = self.bounds(0);
        let circles = stop == StopReason::Solved && bounds.0 < bounds.1;
        if circles && let Some(o) = self.space.repetition() {
            // Nothing was left to expand: what is still open goes round in circles.
            let value = o.clamp(bounds.0, bounds.1);
            bounds = (value, value);
        }
        let mut solutions = Vec::new();
        for (at_least, prover) in claims(self.best, bounds) {
            let outcome = if prover == Side::Max { Outcome::WIN } else { Outcome::LOSS };
            let mut graph = Graph { search: &self, at_least, outcome, watch };
            let threshold = self.space.threshold(at_least);
            let weak = extract(&threshold, outcome, &mut graph, limits.bytes);
            solutions.extend(weak.map(|weak| Solution { at_least, weak }));
        }
        let line = if solutions.is_empty() {
            // What both sides would play if the search ended now.
            self.path.truncate(1);
            let worth = |side, context, value| self.scheme.worth(side, context, value);
            if self.space.repetition().is_none() {
                while let Some(edge) =
                    self.best_edge_by(self.path[self.path.len() - 1].node, |_| true, worth)
                {
                    self.follow(edge);
                }
            }
            self.line()
        } else {
            Vec::new()
        };
        Report { stop, bounds, solutions, line, found: Vec::new(), cost: None, counts: self.counts }
    }
}

/// The finished graph as a judge of what is proved.
struct Graph<'a, 'b, Sp: Space, S: Scheme> {
    search: &'a Search<'b, Sp, S>,
    at_least: Outcome,
    outcome: Outcome,
    watch: &'a mut dyn Watch<Sp::Step>,
}

impl<Sp: Space, S: Scheme> Proved<Sp> for Graph<'_, '_, Sp, S> {
    fn goes_on(&mut self) -> bool {
        let progress = Progress { counts: self.search.counts, root: &"proof", line: &[] };
        self.watch.tick(&progress).is_continue()
    }

    fn when(&mut self, space: &Sp, s: &Sp::State) -> Option<u64> {
        let node = *self.search.table.get(&space.key(s))?;
        let (low, high) = self.search.bounds(node);
        let proved = self.search.nodes[node as usize].proved;
        if low >= self.at_least || high < self.at_least {
            let reached = low >= self.at_least;
            let time = proved[usize::from(!reached)];
            return (reached == (self.outcome == Outcome::WIN)).then_some(u64::from(time));
        }
        // What is not solved counts where the search ended for want of leaves.
        (space.repetition() == Some(self.outcome)).then_some(u64::MAX)
    }
}
