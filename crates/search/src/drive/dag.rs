//! Best first search over a graph in memory (`dag`): one node a position.
//!
//! Algorithm 2 of *Solving Games and All That* with transpositions (M. Schijf, L. V. Allis and
//! J. Uiterwijk, *Proof-number search and transpositions*, 1994): with `pn` this is PNT, with
//! `pp` PPT, with `mcts` the simple way. A child that several parents share counts for each of
//! them. A changed value goes up to all parents, the deepest first, so that each ancestor is
//! updated once where all paths to a position have the same length. As in `tree` the next descent
//! begins where it can first differ from the last one: at the first choice of the path of which
//! something changed. So a long play does not cost the square of its length.
//!
//! **Cycles.** Where positions can come up again, a node stands for a position and not for a
//! path, and what a side can force does not depend on the path: it is the least fixpoint of
//! equations 2.7 to 2.9. Solved values are such facts, so the graph history interaction does not
//! arise. Values that are not solved only guide: they go up along the path alone, since going
//! round a cycle they would grow for ever. When no leaf is left to expand, what is not solved by
//! then can only go round in circles, and is worth what a repetition is worth; see `circles` for
//! where that is not the same everywhere.

use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use foregone_model::{Line, Look, Outcome, Side, Space};

use super::tree::{DEEP, bounds, focus, narrowed, over, width};
use crate::chunks::{Chunks, Runs};
use crate::leaves::Leaves;
use crate::proof::{Proved, claims, extract};
use crate::report::{
    Counts, Limits, Progress, Report, RootMove, SHOWN, Solution, StopReason, View, Watch,
};
use crate::saved::{Proving, Reader, WithProof, get_proving, refused};
use crate::scheme::Scheme;
use crate::table::Index;

mod circles;
mod saved;

use self::saved::{Over, Running};

#[derive(Clone, Copy)]
struct Node {
    /// Where its edges begin.
    first: u32,
    /// Who chooses, in the lowest bit, whether it waits for an update, and how many edges there
    /// are. None: a leaf.
    packed: u32,
    /// How far it is from the root, by the path on which it was found.
    level: u32,
    /// The first of its links to parents.
    parents: u32,
    /// When its bounds were last raised or lowered.
    proved: [u32; 2],
    /// Where it stands on the path, if the path has it there, or that it is a dead end.
    place: u32,
}

/// The bit of a node that waits for an update.
const QUEUED: u32 = 2;

impl Node {
    #[inline]
    fn side(&self) -> Side {
        if self.packed & 1 == 0 { Side::Max } else { Side::Min }
    }

    #[inline]
    fn count(&self) -> usize {
        (self.packed >> 2) as usize
    }
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
const TICK: u64 = 16;

/// The place of a node from which no leaf can be reached, as long as the path stays.
const DEAD: u32 = u32::MAX - 1;
/// So many nodes, edges or links can be told apart.
const MOST: u64 = DEAD as u64;
/// A node has at most so many edges: two bits are for something else.
const WIDEST: usize = 1 << 30;

/// A node of the path.
#[derive(Clone, Copy)]
struct At {
    node: u32,
    /// How many dead ends had been found before it was chosen.
    dead: u32,
}

struct Search<'a, Sp: Space, S: Scheme> {
    space: &'a Sp,
    scheme: &'a S,
    best: Outcome,
    /// How many values a node holds, as in `tree`.
    width: usize,
    nodes: Chunks<Node>,
    values: Chunks<S::Value>,
    /// The values of a new node.
    row: Vec<S::Value>,
    /// The question that the root finds most attractive, of those that have a leaf to expand.
    focus: usize,
    /// Questions without one.
    closed: Vec<bool>,
    edges: Runs<Edge<Sp::Step>>,
    /// The edges of a node that is being expanded.
    new_edges: Vec<Edge<Sp::Step>>,
    links: Chunks<Link>,
    /// The positions of the nodes, and how they are found.
    states: Chunks<Sp::State>,
    index: Index,
    path: Vec<At>,
    /// In spaces with cycles: the dead ends.
    dead: Vec<u32>,
    steps: Vec<Sp::Step>,
    /// Nodes to update: their level, a number that grows, and which node. The deepest comes first,
    /// of one level the last.
    pending: BinaryHeap<(u32, u32, u32)>,
    queued: u32,
    proved: u32,
    counts: Counts,
}

/// Searches until the root is solved or the limits or the watch end it.
pub fn dag<Sp: Space, S: Scheme>(
    space: &Sp,
    scheme: &S,
    leaves: &mut Leaves,
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
        width: width(space, scheme),
        nodes: Chunks::new(),
        values: Chunks::of_width(width(space, scheme)),
        row: Vec::new(),
        focus: 0,
        closed: Vec::new(),
        edges: Runs::new(),
        new_edges: Vec::new(),
        links: Chunks::new(),
        states: Chunks::new(),
        index: Index::new(),
        path: Vec::new(),
        dead: Vec::new(),
        steps: Vec::new(),
        pending: BinaryHeap::new(),
        queued: 0,
        proved: 0,
        counts: Counts::default(),
    };
    search
        .values
        .push_row((0..search.width).map(|at| leaves.value(scheme, space, &root, side, at)));
    let hash = Index::hash(&root);
    search.add(root, hash, side, 0);
    search.path.push(At { node: 0, dead: 0 });
    let mut proving = Proving::new();
    let restored = watch.saved().map(|mut from| {
        let from = &mut Reader::new(&mut from);
        let over = search.restore_from(from, leaves)?;
        if over.is_some() {
            proving = get_proving(from, space)?;
        }
        Some(over)
    });
    let stop = match restored {
        Some(None) => return refused(space, watch),
        Some(Some(Some(stop))) => stop,
        Some(Some(None)) | None => {
            let stop = search.run(leaves, limits, watch);
            search.counts.playouts = leaves.counts().playouts;
            stop
        }
    };
    search.report(stop, limits, watch, proving)
}

/// Rules that deny that positions come up again led back to one: a defect of theirs, by which values
/// would chase each other for ever.
#[cold]
fn untold_cycle() -> ! {
    panic!("a position came up again, in a game that says that none can (`Game::endless`)")
}

impl<Sp: Space, S: Scheme> Search<'_, Sp, S> {
    fn run(
        &mut self,
        leaves: &mut Leaves,
        limits: Limits,
        watch: &mut dyn Watch<Sp::Step>,
    ) -> StopReason {
        let cyclic = self.space.repeats();
        self.find_focus();
        while !self.solved(0) {
            // Step 1: down to the most interesting leaf.
            if cyclic {
                if !self.descend_around_cycles(leaves) {
                    self.revive(0);
                    self.follow(0);
                    if self.settle_circles() {
                        self.find_focus();
                        continue;
                    }
                    self.closed.resize(self.width, false);
                    self.closed[self.focus] = true;
                    if self
                        .closed
                        .iter()
                        .zip(self.values_of(0))
                        .all(|(&closed, &v)| closed || self.scheme.outcome(v).is_some())
                    {
                        return StopReason::Solved;
                    }
                    self.find_focus();
                    continue;
                }
            } else {
                self.descend(leaves);
            }
            // Step 2: its children, old and new.
            if !self.extend(leaves, limits.bytes) {
                watch.ending(&Progress::new(self.counts, &Running { search: self, leaves }));
                return StopReason::Memory;
            }
            // Step 3: up to all parents. What is above the first choice with news stays.
            let first = self.propagate(cyclic);
            self.cut(first);
            if first == 0 {
                self.find_focus();
            }
            // Step 4: is there anything left to use?
            let bytes = self.bytes();
            self.counts.peak_bytes = self.counts.peak_bytes.max(bytes);
            let full = bytes >= limits.bytes;
            if self.counts.nodes >= limits.nodes || full {
                if self.solved(0) {
                    break;
                }
                watch.ending(&Progress::new(self.counts, &Running { search: self, leaves }));
                return if full { StopReason::Memory } else { StopReason::Nodes };
            }
            if self.counts.expansions.is_multiple_of(TICK) {
                self.counts.playouts = leaves.counts().playouts;
                let running = Running { search: self, leaves };
                if let ControlFlow::Break(reason) =
                    watch.tick(&Progress::new(self.counts, &running))
                {
                    return reason;
                }
            }
        }
        StopReason::Solved
    }

    #[inline]
    fn values_of(&self, node: u32) -> &[S::Value] {
        self.values.row(node)
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

    /// Adds a node whose values were just added. The index has room for it.
    fn add(&mut self, state: Sp::State, hash: u32, side: Side, level: u32) -> u32 {
        let number = self.nodes.len() as u32;
        self.nodes.push(Node {
            first: 0,
            packed: side.index() as u32,
            level,
            parents: NONE,
            // What is known at once rests on nothing.
            proved: [0; 2],
            place: 0,
        });
        self.states.push(state);
        self.index.add(hash, number);
        self.counts.nodes += 1;
        number
    }

    /// The node of a position.
    #[inline]
    fn node_of(&self, state: &Sp::State, hash: u32) -> Option<u32> {
        self.index.find(hash, |number| self.states[number] == *state)
    }

    #[inline]
    fn edges_of(&self, node: u32) -> &[Edge<Sp::Step>] {
        let node = &self.nodes[node];
        self.edges.get(node.first, node.count())
    }

    /// The value of a node for a question.
    #[inline]
    fn value(&self, node: u32, question: usize) -> S::Value {
        *self.values.at(node, question)
    }

    /// The edge to the child with the highest key among those that `fits`.
    #[inline]
    fn best_edge(
        &self,
        at: u32,
        leaves: &Leaves,
        fits: impl Fn(u32) -> bool,
    ) -> Option<Edge<Sp::Step>> {
        let state = leaves.labels().then(|| &self.states[at]);
        self.best_edge_by(at, fits, |side, context, mut value, step| {
            let mean = state.and_then(|state| leaves.label(self.space, state, side, step));
            if let Some(mean) = mean {
                value = self.scheme.labelled(value, mean);
            }
            self.scheme.key(side, context, value)
        })
    }

    #[inline]
    fn best_edge_by(
        &self,
        at: u32,
        fits: impl Fn(u32) -> bool,
        rate: impl Fn(Side, S::Value, S::Value, Sp::Step) -> S::Key,
    ) -> Option<Edge<Sp::Step>> {
        let node = &self.nodes[at];
        let mut context = self.value(at, self.focus);
        if self.scheme.many() {
            // A node has many parents: what matters is told by its own bounds alone.
            let (low, high) = self.bounds(at);
            context = self.scheme.within(context, low, high);
        }
        let mut best: Option<(S::Key, &Edge<Sp::Step>)> = None;
        for edge in self.edges_of(at) {
            if fits(edge.child) {
                let value = self.value(edge.child, self.focus);
                let key = rate(node.side(), context, value, edge.step);
                if best.is_none_or(|(k, _)| key > k) {
                    best = Some((key, edge));
                }
            }
        }
        best.map(|(_, edge)| *edge)
    }

    #[inline]
    fn follow(&mut self, node: u32) {
        self.nodes[node].place = self.path.len() as u32;
        self.path.push(At { node, dead: self.dead.len() as u32 });
    }

    /// Where a node stands on the path.
    #[inline]
    fn place(&self, node: u32) -> Option<usize> {
        let place = self.nodes[node].place as usize;
        self.path.get(place).is_some_and(|at| at.node == node).then_some(place)
    }

    /// Cuts the path behind this place. Dead ends that were found further down may be none now.
    fn cut(&mut self, place: usize) {
        if let Some(&At { dead, .. }) = self.path.get(place + 1) {
            self.path.truncate(place + 1);
            self.revive(dead as usize);
        }
        if place == 0 {
            self.revive(0);
        }
    }

    /// Forgets all but the first dead ends.
    fn revive(&mut self, keep: usize) {
        for node in self.dead.drain(keep..) {
            self.nodes[node].place = NONE;
        }
    }

    #[inline]
    fn descend(&mut self, leaves: &Leaves) {
        while let Some(edge) = self.best_edge(self.path[self.path.len() - 1].node, leaves, |_| true)
        {
            self.follow(edge.child);
            if self.path.len() > self.nodes.len() {
                untold_cycle();
            }
        }
    }

    /// Down to a leaf without visiting a position twice, turning back where that leads nowhere.
    /// Whether there was one.
    fn descend_around_cycles(&mut self, leaves: &Leaves) -> bool {
        while let Some(&At { node: at, .. }) = self.path.last() {
            if self.nodes[at].count() == 0 {
                return true;
            }
            let seen = |child: u32| self.nodes[child].place == DEAD || self.place(child).is_some();
            match self.best_edge(at, leaves, |child| self.open(child) && !seen(child)) {
                Some(edge) => self.follow(edge.child),
                None => {
                    self.path.pop();
                    self.nodes[at].place = DEAD;
                    self.dead.push(at);
                }
            }
        }
        false
    }

    /// Tells the leaves which steps lead to the end of the path, where labels are looked at.
    fn lead_to_leaf(&self, leaves: &mut Leaves) {
        if !leaves.labels() {
            return;
        }
        for (at, pair) in self.path.windows(2).enumerate() {
            let node = pair[0].node;
            let edge = self.edges_of(node).iter().find(|edge| edge.child == pair[1].node);
            if let Some(edge) = edge {
                let (state, side) = (&self.states[node], self.nodes[node].side());
                leaves.lead(self.space, at, state, side, edge.step);
            }
        }
    }

    /// Gives the leaf at the end of the path its edges; not when they would take more than so many
    /// bytes.
    fn extend(&mut self, leaves: &mut Leaves, most: u64) -> bool {
        let leaf = self.path[self.path.len() - 1].node;
        let state = self.states[leaf].clone();
        let (side, level) = (self.nodes[leaf].side(), self.nodes[leaf].level);
        self.steps.clear();
        self.space.steps(&state, side, &mut self.steps);
        let nodes = self.nodes.len() + self.steps.len();
        let growth = self.index.growth(nodes);
        let too_many = nodes as u64 >= MOST
            || self.edges.next_end() >= MOST
            || (self.links.len() + self.steps.len()) as u64 >= MOST
            || self.steps.len() >= WIDEST;
        if too_many || growth > 0 && self.bytes() + growth >= most {
            return false;
        }
        self.index.reserve(nodes, &self.states);
        let inherits = self.steps.len() == 1 && level >= DEEP && leaves.plays();
        self.new_edges.clear();
        self.lead_to_leaf(leaves);
        for i in 0..self.steps.len() {
            let step = self.steps[i];
            let mut next = state.clone();
            self.space.take(&mut next, side, step);
            if leaves.labels() {
                leaves.lead(self.space, self.path.len() - 1, &state, side, step);
            }
            let next = self.space.key(&next);
            let hash = Index::hash(&next);
            let child = match self.node_of(&next, hash) {
                Some(child) => child,
                None => match self.space.look(&next) {
                    Look::Over(o) => {
                        let scheme = self.scheme;
                        self.values.push_row((0..self.width).map(|at| scheme.solved_at(o, at)));
                        self.add(next, hash, Side::Max, level + 1)
                    }
                    Look::Choice(side) => {
                        let (low, high) = match self.best {
                            Outcome::WIN => (Outcome::LOSS, Outcome::WIN),
                            _ => self.space.bounds(&next),
                        };
                        for at in 0..self.width {
                            let value = match inherits {
                                true => self.value(leaf, at),
                                false => leaves.value(self.scheme, self.space, &next, side, at),
                            };
                            self.row.push(narrowed(self.scheme, value, at, low, high));
                        }
                        self.values.push_row(self.row.drain(..));
                        self.add(next, hash, side, level + 1)
                    }
                },
            };
            self.new_edges.push(Edge { child, step });
            let next = self.nodes[child].parents;
            self.nodes[child].parents = self.links.len() as u32;
            self.links.push(Link { parent: leaf, next });
        }
        let first = self.edges.push(&self.new_edges);
        let node = &mut self.nodes[leaf];
        node.first = first;
        node.packed |= (self.steps.len() as u32) << 2;
        self.counts.expansions += 1;
        true
    }

    /// Updates the leaf that was expanded and whatever changes above it. The place of the first
    /// choice of the path that may choose otherwise now.
    fn propagate(&mut self, cyclic: bool) -> usize {
        // Whether a change that solves nothing goes to all parents, or along the path only.
        let share = self.scheme.shares() && !cyclic;
        let mut on_path = self.path.len() - 1;
        let mut first = on_path;
        self.queued = 0;
        self.enqueue(self.path[on_path].node);
        let mut updates = 0;
        while let Some((_, _, at)) = self.pending.pop() {
            updates += 1;
            if !cyclic && updates > 1000 * self.nodes.len() {
                untold_cycle();
            }
            let node = self.nodes[at];
            self.nodes[at].packed &= !QUEUED;
            first = first.min(self.place(at).unwrap_or(first));
            let before = self.bounds(at);
            if before.0 == before.1 || !self.update(at) {
                continue;
            }
            let after = self.bounds(at);
            let proved = before != after;
            if proved {
                self.proved += 1;
                if before.0 != after.0 {
                    self.nodes[at].proved[0] = self.proved;
                }
                if before.1 != after.1 {
                    self.nodes[at].proved[1] = self.proved;
                }
            }
            let mut link = node.parents;
            while link != NONE {
                let Link { parent, next } = self.links[link];
                if share || proved {
                    self.enqueue(parent);
                } else {
                    // It is not updated, but it sees another value.
                    first = first.min(self.place(parent).unwrap_or(first));
                }
                link = next;
            }
            if !share && on_path > 0 && self.path[on_path].node == at {
                on_path -= 1;
                self.enqueue(self.path[on_path].node);
            }
        }
        first
    }

    /// The values of a node from those of its children; whether they changed.
    #[inline]
    fn update(&mut self, at: u32) -> bool {
        let side = self.nodes[at].side();
        let mut changed = false;
        for i in 0..self.width {
            let old = self.value(at, i);
            let children = self.edges_of(at).iter().map(|e| self.value(e.child, i));
            let value = match side {
                Side::Max => self.scheme.update(Side::Max, children),
                Side::Min => self.scheme.update(Side::Min, children),
            };
            // What is proved stays: other facts may rest on it.
            let (low, high) = self.scheme.bounds(old);
            if low < high && value != old {
                self.values.row_mut(at)[i] = value;
                changed = true;
            }
        }
        changed
    }

    /// Whether a node may be worth a descent: the question at hand is open there.
    #[inline]
    fn open(&self, node: u32) -> bool {
        let (low, high) = self.scheme.bounds(self.value(node, self.focus));
        low < high
    }

    #[inline]
    fn enqueue(&mut self, at: u32) {
        let node = &mut self.nodes[at];
        // A leaf has no children to be updated from.
        if node.packed & QUEUED != 0 || node.count() == 0 {
            return;
        }
        node.packed |= QUEUED;
        self.queued += 1;
        self.pending.push((node.level, self.queued, at));
    }

    fn bytes(&self) -> u64 {
        let bytes = self.nodes.bytes()
            + self.values.bytes()
            + self.states.bytes()
            + self.edges.bytes()
            + self.links.bytes()
            + self.path.capacity() * size_of::<At>()
            + self.dead.capacity() * size_of::<u32>()
            + self.pending.capacity() * size_of::<(u32, u32, u32)>();
        bytes as u64 + self.index.bytes()
    }

    /// The first steps of the path. With mirror images taken as one they may not fit together.
    fn steps_of_path(&self, most: usize) -> Vec<Sp::Step> {
        let step = |pair: &[At]| {
            self.edges_of(pair[0].node).iter().find(|e| e.child == pair[1].node).map(|e| e.step)
        };
        self.path.windows(2).take(most).map_while(step).collect()
    }

    fn report(
        mut self,
        stop: StopReason,
        limits: Limits,
        watch: &mut dyn Watch<Sp::Step>,
        begun: Proving<Sp::Step>,
    ) -> Report<Sp::Step> {
        let mut bounds = self.bounds(0);
        let circles = stop == StopReason::Solved && bounds.0 < bounds.1;
        if circles && self.space.repeats() {
            // Nothing was left to expand: what is still open goes round in circles.
            let value = self.space.repetition(&self.states[0]).clamp(bounds.0, bounds.1);
            bounds = (value, value);
        }
        // The proof needs room, and no way up.
        self.links = Chunks::new();
        let Proving { mut tried, done: mut solutions, mut lines } = begun;
        for (at_least, prover) in claims(self.best, bounds).skip(tried) {
            let outcome = if prover == Side::Max { Outcome::WIN } else { Outcome::LOSS };
            let done = (tried, &solutions[..]);
            let mut graph = Graph { search: &self, stop, at_least, outcome, done, watch };
            let (threshold, begun) = (self.space.threshold(at_least), std::mem::take(&mut lines));
            let weak = extract(&threshold, outcome, &mut graph, limits.bytes, begun);
            solutions.extend(weak.map(|weak| Solution { at_least, weak }));
            tried += 1;
        }
        let line = if bounds.0 < bounds.1 {
            // What both sides would play if the search ended now.
            self.path.truncate(1);
            let worth = |side, context, value, _| self.scheme.worth(side, context, value);
            if !self.space.repeats() {
                while let Some(edge) =
                    self.best_edge_by(self.path[self.path.len() - 1].node, |_| true, worth)
                {
                    self.follow(edge.child);
                }
            }
            self.steps_of_path(usize::MAX)
        } else {
            Vec::new()
        };
        Report { stop, bounds, solutions, line, found: Vec::new(), cost: None, counts: self.counts }
    }
}

impl<Sp: Space, S: Scheme> View<Sp::Step> for Search<'_, Sp, S> {
    fn bounds(&self) -> (Outcome, Outcome) {
        Search::bounds(self, 0)
    }

    fn root_text(&self) -> String {
        self.scheme.text(self.values_of(0)[self.focus])
    }

    fn line(&self) -> Vec<Sp::Step> {
        self.steps_of_path(SHOWN)
    }

    fn root_moves(&self) -> Vec<RootMove<Sp::Step>> {
        // The first node may stand for a mirror image of the root, with other steps.
        let root = self.space.root();
        let side = self.nodes[0].side();
        let mut steps = Vec::new();
        self.space.steps(&root, side, &mut steps);
        let shown = |step: Sp::Step| {
            let mut next = root.clone();
            self.space.take(&mut next, side, step);
            let next = self.space.key(&next);
            let node = self.node_of(&next, Index::hash(&next))?;
            let value = self.scheme.text(self.values_of(node)[self.focus]);
            Some(RootMove { step, bounds: Search::bounds(self, node), value })
        };
        steps.into_iter().filter_map(shown).collect()
    }
}

/// The finished graph as a judge of what is proved.
struct Graph<'a, 'b, Sp: Space, S: Scheme> {
    search: &'a Search<'b, Sp, S>,
    stop: StopReason,
    at_least: Outcome,
    outcome: Outcome,
    /// What was proved before.
    done: (usize, &'a [Solution<Sp::Step>]),
    watch: &'a mut dyn Watch<Sp::Step>,
}

impl<Sp: Space, S: Scheme> Proved<Sp> for Graph<'_, '_, Sp, S> {
    fn goes_on(&mut self, lines: &[Line<Sp::Step>]) -> bool {
        let (space, bounds) = (self.search.space, self.search.bounds(0));
        let search = &Over { search: self.search, stop: self.stop };
        let view = WithProof { space, search, bounds, done: self.done, lines };
        self.watch.tick(&Progress::new(self.search.counts, &view)).is_continue()
    }

    fn when(&mut self, space: &Sp, s: &Sp::State, _so_far: &[Line<Sp::Step>]) -> Option<u64> {
        let key = space.key(s);
        let node = self.search.node_of(&key, Index::hash(&key))?;
        let (low, high) = self.search.bounds(node);
        let proved = self.search.nodes[node].proved;
        if low >= self.at_least || high < self.at_least {
            let reached = low >= self.at_least;
            let time = proved[usize::from(!reached)];
            return (reached == (self.outcome == Outcome::WIN)).then_some(u64::from(time));
        }
        // What is not solved counts where the search ended for want of leaves.
        (space.repeats() && space.repetition(s) == self.outcome).then_some(u64::MAX)
    }
}
