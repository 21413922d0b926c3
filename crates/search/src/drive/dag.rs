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

use super::tree::over;
use crate::inform::Inform;
use crate::proof::{Proved, extract};
use crate::report::{Counts, Limits, Progress, Report, StopReason, Watch};
use crate::scheme::Scheme;
use crate::table::Quick;

#[derive(Clone, Copy)]
struct Node<V> {
    value: V,
    /// Where its edges begin, and how many there are. None: a leaf.
    first: u32,
    count: u16,
    side: Side,
    queued: bool,
    /// How far it is from the root, by the path on which it was found.
    level: u32,
    /// The first of its links to parents.
    parents: u32,
    /// When it was solved.
    solved: u32,
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
    nodes: Vec<Node<S::Value>>,
    edges: Vec<Edge<Sp::Step>>,
    links: Vec<Link>,
    table: HashMap<Sp::State, u32, Quick>,
    path: Vec<At<Sp::State>>,
    steps: Vec<Sp::Step>,
    /// Nodes to update, by level, and the deepest level that may have some.
    pending: Vec<Vec<u32>>,
    deepest: usize,
    solved: u32,
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
    watch: &mut impl Watch<Sp::Step>,
) -> Report<Sp::Step> {
    let root = space.key(&space.root());
    let side = match space.look_at_root(&root) {
        Look::Over(o) => return over(space, o),
        Look::Choice(side) => side,
    };
    let mut search = Search {
        space,
        scheme,
        nodes: Vec::new(),
        edges: Vec::new(),
        links: Vec::new(),
        table: HashMap::default(),
        path: Vec::new(),
        steps: Vec::new(),
        pending: Vec::new(),
        deepest: 0,
        solved: 0,
        seen: Vec::new(),
        descent: 0,
        counts: Counts::default(),
    };
    let value = inform.leaf(space, &root, side);
    search.add(root.clone(), value, side, 0);
    search.path.push(At { node: 0, state: root });
    let stop = search.run(inform, limits, watch);
    search.counts.playouts = inform.counts().playouts;
    search.report(stop)
}

impl<Sp: Space, S: Scheme> Search<'_, Sp, S> {
    fn run(
        &mut self,
        inform: &mut impl Inform<Sp, S>,
        limits: Limits,
        watch: &mut impl Watch<Sp::Step>,
    ) -> StopReason {
        let cyclic = self.space.repetition().is_some();
        while self.scheme.outcome(self.nodes[0].value).is_none() {
            // Step 1: down to the most interesting leaf.
            self.path.truncate(1);
            if cyclic {
                if !self.descend_around_cycles() {
                    return StopReason::Solved;
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
                if self.scheme.outcome(self.nodes[0].value).is_some() {
                    break;
                }
                return if full { StopReason::Memory } else { StopReason::Nodes };
            }
            if self.counts.expansions.is_multiple_of(TICK) {
                self.counts.playouts = inform.counts().playouts;
                let line = self.line();
                let root = self.nodes[0].value;
                let progress = Progress { counts: self.counts, root: &root, line: &line };
                if let ControlFlow::Break(reason) = watch.tick(&progress) {
                    return reason;
                }
            }
        }
        StopReason::Solved
    }

    fn add(&mut self, state: Sp::State, value: S::Value, side: Side, level: u32) -> u32 {
        let number = self.nodes.len() as u32;
        self.nodes.push(Node {
            value,
            first: 0,
            count: 0,
            side,
            queued: false,
            level,
            parents: NONE,
            solved: 0,
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
        let node = &self.nodes[at as usize];
        let mut best: Option<(S::Key, Edge<Sp::Step>)> = None;
        for &edge in self.edges_of(at) {
            if fits(edge.child) {
                let value = self.nodes[edge.child as usize].value;
                let key = self.scheme.key(node.side, node.value, value);
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
            let open = |child: u32| {
                self.seen[child as usize] != self.descent
                    && self.scheme.outcome(self.nodes[child as usize].value).is_none()
            };
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
                        let child = self.add(next, self.scheme.solved(o), Side::Max, level + 1);
                        // A final state rests on nothing.
                        self.nodes[child as usize].solved = 0;
                        child
                    }
                    Look::Choice(side) => {
                        let value = inform.leaf(self.space, &next, side);
                        self.add(next, value, side, level + 1)
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
            if self.scheme.outcome(node.value).is_some() {
                continue;
            }
            let children = self.edges_of(at).iter().map(|e| self.nodes[e.child as usize].value);
            let value = match node.side {
                Side::Max => self.scheme.update(Side::Max, children),
                Side::Min => self.scheme.update(Side::Min, children),
            };
            if value == node.value {
                continue;
            }
            self.nodes[at as usize].value = value;
            let solved = self.scheme.outcome(value).is_some();
            if solved {
                self.solved += 1;
                self.nodes[at as usize].solved = self.solved;
            }
            if share || solved {
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
        (self.nodes.len() * size_of::<Node<S::Value>>()
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

    fn report(mut self, stop: StopReason) -> Report<Sp::Step> {
        let found = self.scheme.outcome(self.nodes[0].value);
        let value = match stop {
            // Nothing was left to expand: the root goes round in circles.
            StopReason::Solved => found.or(self.space.repetition()),
            _ => found,
        };
        let solution = value.and_then(|outcome| {
            let mut graph = Graph { search: &self, outcome };
            extract(self.space, outcome, &mut graph)
        });
        let line = match value {
            Some(_) => Vec::new(),
            None => {
                self.path.truncate(1);
                if self.space.repetition().is_none() {
                    self.descend();
                }
                self.line()
            }
        };
        Report::of_two(stop, value, solution, line, self.counts)
    }
}

/// The finished graph as a judge of what is proved.
struct Graph<'a, 'b, Sp: Space, S: Scheme> {
    search: &'a Search<'b, Sp, S>,
    outcome: Outcome,
}

impl<Sp: Space, S: Scheme> Proved<Sp> for Graph<'_, '_, Sp, S> {
    fn when(&mut self, space: &Sp, s: &Sp::State) -> Option<u64> {
        let node = &self.search.nodes[*self.search.table.get(&space.key(s))? as usize];
        match self.search.scheme.outcome(node.value) {
            Some(o) => (o == self.outcome).then_some(u64::from(node.solved)),
            // What is not solved counts where the search ended for want of leaves.
            None if space.repetition() == Some(self.outcome) => Some(u64::MAX),
            None => None,
        }
    }
}
