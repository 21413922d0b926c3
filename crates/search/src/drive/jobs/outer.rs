//! The outer tree of a job-level search: which leaf is looked into next, and what came of it.
//!
//! Nothing here waits, sends or starts a thread: it is the same for threads, machines and simulated
//! workers.

use foregone_model::{Line, Look, Outcome, Side, Space, WeakSolution};

use super::{Done, Part};
use crate::drive::nest::States;
use crate::drive::tree::{bounds, focus, narrowed};
use crate::leaves::Leaves;
use crate::report::{RootMove, SHOWN, View};
use crate::scheme::{AnyScheme, Found, Scheme, Slot};

const NONE: u32 = u32::MAX;

/// What was proved of a state elsewhere: bounds of its value.
type Known<'a, Sp> = dyn Fn(&<Sp as Space>::State) -> Option<(Outcome, Outcome)> + 'a;
/// The value of a child with this number, for a question.
type Valued<'a, Sp> = dyn FnMut(usize, &<Sp as Space>::State, Side, usize) -> Slot + 'a;
/// Hears what was proved of a state.
type Tell<'a, Sp> = dyn FnMut(&<Sp as Space>::State, (Outcome, Outcome)) + 'a;

/// A state of the outer tree. It is small beside the jobs below it, so states are kept.
pub(super) struct Node<Sp: Space> {
    parent: u32,
    /// The first child, and how many there are. None: a leaf, or an end.
    pub(super) first: u32,
    pub(super) count: u32,
    side: Side,
    /// How it was reached from its parent.
    step: Option<Sp::Step>,
    state: Sp::State,
    kind: Kind,
    /// What jobs proved of its value.
    pub(super) proved: (Outcome, Outcome),
    /// Proofs that came with the results of jobs.
    pub(super) parts: Vec<Part<Sp::Step>>,
}

/// What a state of the outer tree is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A choice, open or solved.
    Choice,
    /// A job is under way there.
    Running,
    /// The game is over, or as good as over.
    End,
    /// The state stands above it already.
    Again,
}

/// The outer tree. A node has a value for each question, by any scheme, and a second one as it is
/// seen while jobs run: a leaf that is being looked into counts as lost for who chose it, so that
/// the next descent goes elsewhere (the virtual loss of job-level proof number search).
pub(crate) struct Outer<'a, Sp: Space> {
    pub(super) space: &'a Sp,
    pub(super) scheme: &'a AnyScheme,
    pub(super) best: Outcome,
    width: usize,
    pub(super) nodes: Vec<Node<Sp>>,
    pub(super) values: Vec<Slot>,
    pub(super) seen: Vec<Slot>,
    steps: Vec<Sp::Step>,
    /// Nodes of which more is proved than was told.
    untold: Vec<u32>,
    /// The leaf that was handed out last, for who wants to see where the search is.
    last: u32,
    pub(super) expansions: u64,
}

/// A leaf that a job looks into.
#[derive(Clone, Debug)]
pub struct LeafJob<S> {
    /// The number of the leaf: results come back under it.
    pub leaf: u32,
    /// The way to it from the root: which of the steps was taken in each state.
    pub path: Vec<u32>,
    /// The state.
    pub state: S,
    /// Who chooses there.
    pub side: Side,
    /// The question that is worked at: whether Max reaches more than so many outcomes up the
    /// scale.
    pub question: u16,
}

impl<'a, Sp: Space> Outer<'a, Sp> {
    /// A tree of the root and its children, valued as leaves are.
    pub(crate) fn new(
        space: &'a Sp,
        root: Sp::State,
        side: Side,
        scheme: &'a AnyScheme,
        leaves: &mut Leaves,
        known: &Known<'_, Sp>,
    ) -> Outer<'a, Sp> {
        let width = crate::drive::tree::width(space, scheme);
        let mut outer = Outer {
            space,
            scheme,
            best: space.best(),
            width,
            nodes: vec![Node {
                parent: NONE,
                first: 0,
                count: 0,
                side,
                step: None,
                state: root,
                kind: Kind::Choice,
                proved: (Outcome(0), space.best()),
                parts: Vec::new(),
            }],
            values: Vec::new(),
            seen: Vec::new(),
            steps: Vec::new(),
            untold: Vec::new(),
            last: 0,
            expansions: 0,
        };
        let mut row: Vec<Slot> = Vec::new();
        for at in 0..width {
            row.push(leaves.value(scheme, space, &outer.nodes[0].state, side, at));
        }
        outer.values.extend(&row);
        outer.seen.extend(&row);
        outer.grow(0, known, &mut |_, child, child_side, at| {
            leaves.value(scheme, space, child, child_side, at)
        });
        outer.update(0);
        outer
    }

    pub(super) fn row(&self, node: u32) -> std::ops::Range<usize> {
        let at = node as usize * self.width;
        at..at + self.width
    }

    pub(super) fn bounds(&self, node: u32) -> (Outcome, Outcome) {
        bounds(self.scheme, &self.values[self.row(node)])
    }

    pub(super) fn solved(&self, node: u32) -> bool {
        let (low, high) = self.bounds(node);
        low == high
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.nodes.capacity() * size_of::<Node<Sp>>()
            + (self.values.capacity() + self.seen.capacity()) * size_of::<Slot>()) as u64
    }

    /// The leaf that is worth a job now, and is marked so; nothing if every way leads to a job that
    /// is under way.
    pub(super) fn next_leaf(&mut self) -> Option<LeafJob<Sp::State>> {
        let (low, high) = bounds(self.scheme, &self.seen[self.row(0)]);
        if low == high {
            return None;
        }
        let question = focus(self.scheme, &self.seen[self.row(0)], |_| true);
        let mut at = 0;
        while self.nodes[at as usize].count > 0 {
            at = self.best_child(at, question)?;
        }
        let node = &mut self.nodes[at as usize];
        if node.kind != Kind::Choice {
            return None;
        }
        node.kind = Kind::Running;
        self.last = at;
        let leaf = LeafJob {
            leaf: at,
            path: Vec::new(),
            state: node.state.clone(),
            side: node.side,
            question: question as u16,
        };
        // Lost for who chose it.
        let chose = match node.parent {
            NONE => node.side,
            parent => self.nodes[parent as usize].side,
        };
        let lost = if chose == Side::Max { Outcome(0) } else { self.best };
        for i in 0..self.width {
            self.seen[at as usize * self.width + i] = self.scheme.solved_at(lost, i);
        }
        self.update_above(at);
        Some(LeafJob { path: self.path_to(at), ..leaf })
    }

    /// The way from the root to a node: which of the steps was taken in each state.
    fn path_to(&self, mut node: u32) -> Vec<u32> {
        let mut path = Vec::new();
        while let Some(parent) = self.nodes.get(self.nodes[node as usize].parent as usize) {
            path.push(node - parent.first);
            node = self.nodes[node as usize].parent;
        }
        path.reverse();
        path
    }

    fn best_child(&self, parent: u32, question: usize) -> Option<u32> {
        let node = &self.nodes[parent as usize];
        let value = |child: u32| self.seen[child as usize * self.width + question];
        let mut context = value(parent);
        if self.scheme.many() {
            let (low, high) = bounds(self.scheme, &self.seen[self.row(parent)]);
            context = self.scheme.within(context, low, high);
        }
        let mut best = None;
        for child in node.first..node.first + node.count {
            let (low, high) = self.scheme.bounds(value(child));
            if low == high {
                continue;
            }
            let key = self.scheme.key(node.side, context, value(child));
            if best.is_none_or(|(k, _)| key > k) {
                best = Some((key, child));
            }
        }
        best.map(|(_, child)| child)
    }

    /// What a job that is still under way knows of its leaf: a value for each question. It moves the
    /// numbers above, but the leaf stays marked.
    pub(super) fn partial(&mut self, leaf: u32, found: &[Found]) {
        if !self.is_running(leaf) {
            return;
        }
        for at in 0..self.width {
            // What is solved is told by the end of the job, with its proof.
            if let Some(Found::Open { .. }) = found.get(at) {
                self.values[leaf as usize * self.width + at] = self.scheme.take(found, at);
            }
        }
        self.update_above(leaf);
    }

    /// A job came to nothing: its leaf is free again.
    pub(super) fn release(&mut self, leaf: u32) {
        if self.is_running(leaf) {
            self.nodes[leaf as usize].kind = Kind::Choice;
            for i in self.row(leaf) {
                self.seen[i] = self.values[i];
            }
            self.update_above(leaf);
        }
    }

    /// What a job found.
    pub(super) fn finish(&mut self, done: Done<Sp::Step>, known: &Known<'_, Sp>) {
        let Done { leaf, bounds, children, parts } = done;
        if !self.is_open_leaf(leaf) {
            return;
        }
        self.nodes[leaf as usize].kind = Kind::Choice;
        let (scheme, open) = (self.scheme, bounds.0 < bounds.1);
        if open && !children.is_empty() {
            self.grow(leaf, known, &mut |child, _, _, at| match children.get(child) {
                Some(found) => scheme.take(found, at),
                None => scheme.of_chance(0.5),
            });
        }
        self.narrow(leaf, bounds);
        for part in parts {
            let count = self.nodes[leaf as usize].count;
            let node = match part.child {
                None => leaf,
                Some(child) if child < count => self.nodes[leaf as usize].first + child,
                Some(_) => continue,
            };
            let reached = part.weak.prover == Side::Max;
            let (low, high) = match reached {
                true => (part.at_least, self.best),
                false => (Outcome(0), Outcome(part.at_least.0 - 1)),
            };
            self.nodes[node as usize].parts.push(part);
            self.narrow(node, (low, high));
        }
        if self.nodes[leaf as usize].count > 0 {
            self.update(leaf);
        }
        self.update_above(leaf);
    }

    /// Whether a job about this leaf means something: there may be results of jobs that this tree did not
    /// hand out, when a search goes on that was begun elsewhere.
    fn is_open_leaf(&self, leaf: u32) -> bool {
        self.nodes.get(leaf as usize).is_some_and(|node| {
            node.count == 0 && matches!(node.kind, Kind::Running | Kind::Choice)
        })
    }

    /// Whether a job about this leaf is under way.
    pub(super) fn is_running(&self, leaf: u32) -> bool {
        self.nodes.get(leaf as usize).is_some_and(|node| node.kind == Kind::Running)
    }

    /// The state of a leaf that is open, and who chooses there.
    pub(super) fn open_leaf(&self, leaf: u32) -> Option<(&Sp::State, Side)> {
        let node = self.nodes.get(leaf as usize).filter(|_| self.is_open_leaf(leaf))?;
        Some((&node.state, node.side))
    }

    /// Notes what was proved of a node, whose value is then what it is without jobs.
    fn narrow(&mut self, node: u32, (low, high): (Outcome, Outcome)) {
        let proved = &mut self.nodes[node as usize].proved;
        *proved = (proved.0.max(low), proved.1.min(high));
        let (low, high) = *proved;
        for (at, i) in self.row(node).enumerate() {
            self.values[i] = narrowed(self.scheme, self.values[i], at, low, high);
            self.seen[i] = self.values[i];
        }
    }

    /// Gives a leaf its children. Those that are open are valued by `value`, which is asked about the
    /// child with this number for each question.
    pub(super) fn grow(&mut self, leaf: u32, known: &Known<'_, Sp>, value: &mut Valued<'_, Sp>) {
        self.expansions += 1;
        let (state, side) =
            (self.nodes[leaf as usize].state.clone(), self.nodes[leaf as usize].side);
        self.steps.clear();
        self.space.steps(&state, side, &mut self.steps);
        let first = self.nodes.len() as u32;
        for i in 0..self.steps.len() {
            let step = self.steps[i];
            let mut next = state.clone();
            self.space.take(&mut next, side, step);
            let (mut kind, mut next_side) = (Kind::End, side);
            let (low, high) = match (self.above(leaf, &next), self.space.look(&next)) {
                (true, _) => {
                    kind = Kind::Again;
                    let worth = self.space.repetition(&next);
                    (worth, worth)
                }
                (false, Look::Over(outcome)) => (outcome, outcome),
                (false, Look::Choice(chooses)) => {
                    (kind, next_side) = (Kind::Choice, chooses);
                    let (low, high) = self.space.bounds(&next);
                    let (least, most) = known(&next).unwrap_or((Outcome(0), self.best));
                    (low.max(least), high.min(most))
                }
            };
            for at in 0..self.width {
                let value = match kind {
                    _ if low == high => self.scheme.solved_at(low, at),
                    _ => {
                        let value = value(i, &next, next_side, at);
                        narrowed(self.scheme, value, at, low, high)
                    }
                };
                self.values.push(value);
                self.seen.push(value);
            }
            self.nodes.push(Node {
                parent: leaf,
                first: 0,
                count: 0,
                side: next_side,
                step: Some(step),
                state: next,
                kind,
                proved: (low, high),
                parts: Vec::new(),
            });
        }
        let node = &mut self.nodes[leaf as usize];
        (node.first, node.count) = (first, self.steps.len() as u32);
    }

    /// Whether a state stands on the way to a node, that node included, in a space with cycles.
    fn above(&self, node: u32, state: &Sp::State) -> bool {
        let mut at = if self.space.repeats() { node } else { NONE };
        while at != NONE && self.nodes[at as usize].state != *state {
            at = self.nodes[at as usize].parent;
        }
        at != NONE
    }

    /// The values of a node from those of its children; whether something changed.
    fn update(&mut self, node: u32) -> bool {
        let Node { first, count, side, proved: (low, high), .. } = self.nodes[node as usize];
        let (width, mut changed) = (self.width, false);
        let before = self.bounds(node);
        let shape = match AnyScheme::SHAPED {
            true => self.space.shape(&self.nodes[node as usize].state),
            false => 0,
        };
        for at in 0..width {
            let children = |values: &[Slot]| -> Slot {
                let of = (first..first + count).map(|c| values[c as usize * width + at]);
                narrowed(self.scheme, self.scheme.update_of(shape, side, of), at, low, high)
            };
            let (value, seen) = (children(&self.values), children(&self.seen));
            let i = node as usize * width + at;
            changed |= self.values[i] != value || self.seen[i] != seen;
            (self.values[i], self.seen[i]) = (value, seen);
        }
        if self.bounds(node) != before {
            self.untold.push(node);
        }
        changed
    }

    /// Tells what the tree has proved of its states since this was asked last.
    pub(super) fn tell_proved(&mut self, tell: &mut Tell<'_, Sp>) {
        for node in std::mem::take(&mut self.untold) {
            tell(&self.nodes[node as usize].state, self.bounds(node));
        }
    }

    /// Updates what stands above a node, as far as it changes.
    fn update_above(&mut self, node: u32) {
        let mut at = self.nodes[node as usize].parent;
        while at != NONE && self.update(at) {
            at = self.nodes[at as usize].parent;
        }
    }

    /// Walks through what proves that the prover reaches (Max) or keeps Max from (Min) an outcome, in
    /// the order of a certificate. Nothing where a node has neither children nor a proof that show it.
    pub(super) fn assemble(
        &self,
        at_least: Outcome,
        prover: Side,
    ) -> Option<WeakSolution<Sp::Step>> {
        let holds = |node: u32| {
            let (low, high) = self.bounds(node);
            if prover == Side::Max { low >= at_least } else { high < at_least }
        };
        let mut lines: Vec<Line<Sp::Step>> = Vec::new();
        let mut todo = vec![0];
        while let Some(at) = todo.pop() {
            let node = &self.nodes[at as usize];
            let proves = |part: &&Part<Sp::Step>| {
                part.weak.prover == prover
                    && (part.at_least == at_least
                        || (part.at_least > at_least) == (prover == Side::Max))
            };
            if let Some(part) = node.parts.iter().find(proves) {
                let offset = lines.len() as u32;
                lines.extend(part.weak.lines.iter().map(|line| match *line {
                    Line::Same(line) => Line::Same(line + offset),
                    line => line,
                }));
                continue;
            }
            match node.kind {
                Kind::End => lines.push(Line::Over),
                Kind::Again => lines.push(Line::Repeats),
                _ if node.count == 0 => return None,
                _ if node.side == prover => {
                    let mut good = (node.first..node.first + node.count).filter(|&c| holds(c));
                    let child = good.next()?;
                    lines.push(Line::Plays(self.nodes[child as usize].step?));
                    todo.push(child);
                }
                _ => {
                    lines.push(Line::Replies(node.count));
                    todo.extend((node.first..node.first + node.count).rev());
                }
            }
        }
        Some(WeakSolution { prover, lines })
    }

    /// All states of which it is proved that the prover reaches this outcome, or keeps Max from it.
    pub(super) fn proved(&self, at_least: Outcome, prover: Side) -> States<Sp> {
        let holds = |at: &u32| {
            let (low, high) = self.bounds(*at);
            if prover == Side::Max { low >= at_least } else { high < at_least }
        };
        let nodes = (0..self.nodes.len() as u32).filter(holds);
        nodes.map(|at| self.nodes[at as usize].state.clone()).collect()
    }

    /// What both sides would play if the search ended now.
    pub(super) fn best_line(&self) -> Vec<Sp::Step> {
        let question = focus(self.scheme, &self.values[self.row(0)], |_| true);
        let (mut line, mut at) = (Vec::new(), 0);
        while self.nodes[at as usize].count > 0 {
            let node = &self.nodes[at as usize];
            let context = self.values[at as usize * self.width + question];
            let worth = |child: u32| {
                let value = self.values[child as usize * self.width + question];
                self.scheme.worth(node.side, context, value)
            };
            let mut best = node.first;
            for child in node.first + 1..node.first + node.count {
                if worth(child) > worth(best) {
                    best = child;
                }
            }
            line.extend(self.nodes[best as usize].step);
            at = best;
        }
        line
    }
}

impl<Sp: Space> View<Sp::Step> for Outer<'_, Sp> {
    fn bounds(&self) -> (Outcome, Outcome) {
        Outer::bounds(self, 0)
    }

    fn root_text(&self) -> String {
        let question = focus(self.scheme, &self.values[self.row(0)], |_| true);
        self.scheme.text(self.values[question])
    }

    fn line(&self) -> Vec<Sp::Step> {
        let (mut line, mut at) = (Vec::new(), self.last);
        while let Some(step) = self.nodes[at as usize].step {
            line.push(step);
            at = self.nodes[at as usize].parent;
        }
        line.reverse();
        line.truncate(SHOWN);
        line
    }

    fn root_moves(&self) -> Vec<RootMove<Sp::Step>> {
        let question = focus(self.scheme, &self.values[self.row(0)], |_| true);
        let root = &self.nodes[0];
        let shown = |child: u32| {
            let value = self.values[child as usize * self.width + question];
            let step = self.nodes[child as usize].step?;
            Some(RootMove {
                step,
                bounds: Outer::bounds(self, child),
                value: self.scheme.text(value),
            })
        };
        (root.first..root.first + root.count).filter_map(shown).collect()
    }
}
