//! Best first search of games with chance.
//!
//! An information scheme for expected values: a node knows between which numbers its value lies. At a
//! choice the bounds are the best of the children's, at a chance node their mean. The most promising
//! child of Max is the one that may be worth most, of Min the one that may be worth least, and of
//! chance the one that adds most to the width of the mean. One node stands for a position, and what is
//! learned goes up to all of its parents. The bounds always hold, so the search may end at any time.

use std::collections::{BinaryHeap, HashMap};

use foregone_model::{Guide, Side};

use super::{Decides, Effort, Expectation, ExpectedReport, Look};
use crate::report::{Limits, StopReason, Watch};
use crate::table::Quick;

/// Bounds that are no further apart than this part of the range have met.
const MET: f64 = 1e-13;

/// The value of `start` by best first search, in a game whose positions do not come up again.
pub fn best_first<G: Guide>(
    of: &Expectation<'_, G>,
    start: &G::State,
    limits: Limits,
    watch: &mut dyn Watch<G::Move>,
) -> ExpectedReport<G::Move> {
    let (least, most) = of.range();
    let mut search = Search {
        of,
        nodes: Vec::new(),
        numbers: HashMap::default(),
        near: MET * (most - least),
        effort: Effort::new(limits, watch),
    };
    search.number(start.clone(), 0);
    let stop = search.run();
    let root = &search.nodes[0];
    let best = match root.decides {
        Some(Decides::Side(side)) => root.children.iter().copied().reduce(|a, b| {
            let (low_a, high_a) = search.bounds(a.to);
            let (low_b, high_b) = search.bounds(b.to);
            let better = match side {
                Side::Max => (low_b, high_b) > (low_a, high_a),
                Side::Min => (high_b, low_b) < (high_a, low_a),
            };
            if better { b } else { a }
        }),
        Some(Decides::Chance) | None => None,
    };
    ExpectedReport {
        stop,
        bounds: (root.low, root.high),
        value: (stop == StopReason::Solved).then_some(0.5 * (root.low + root.high)),
        best: best.map(|edge| edge.m),
        counts: search.effort.counts,
    }
}

struct Search<'a, 'g, G: Guide> {
    of: &'a Expectation<'g, G>,
    nodes: Vec<Node<G>>,
    numbers: HashMap<G::State, u32, Quick>,
    near: f64,
    effort: Effort<'a, G::Move>,
}

struct Node<G: Guide> {
    state: G::State,
    /// Who decides; nobody where it is over.
    decides: Option<Decides>,
    low: f64,
    high: f64,
    /// The longest way to here that was seen: what changes is handed up from the deepest nodes first.
    depth: u32,
    children: Vec<Edge<G::Move>>,
    parents: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Edge<M> {
    m: M,
    part: f64,
    to: u32,
}

impl<G: Guide> Search<'_, '_, G> {
    fn bounds(&self, node: u32) -> (f64, f64) {
        let node = &self.nodes[node as usize];
        (node.low, node.high)
    }

    /// The number of a position, which gets a node if it has none.
    fn number(&mut self, state: G::State, depth: u32) -> u32 {
        if let Some(&number) = self.numbers.get(&state) {
            let node = &mut self.nodes[number as usize];
            node.depth = node.depth.max(depth);
            return number;
        }
        let number = self.nodes.len() as u32;
        let (least, most) = self.of.range();
        let (decides, low, high) = match self.of.look(&state) {
            Look::Over(value) => (None, value, value),
            Look::Open(decides, _) => (Some(decides), least, most),
        };
        self.numbers.insert(state.clone(), number);
        let (children, parents) = (Vec::new(), Vec::new());
        self.nodes.push(Node { state, decides, low, high, depth, children, parents });
        self.effort.counts.nodes += 1;
        number
    }

    fn run(&mut self) -> StopReason {
        while self.nodes[0].high - self.nodes[0].low > self.near {
            let bytes = self.nodes.len() * (std::mem::size_of::<Node<G>>() + 96);
            if let Err(stop) = self.effort.expand(|| bytes as u64) {
                return stop;
            }
            let leaf = self.descend();
            self.open(leaf);
            self.hand_up(leaf);
        }
        StopReason::Solved
    }

    /// The leaf that the most promising children lead to.
    fn descend(&self) -> u32 {
        let mut at = 0;
        loop {
            let node = &self.nodes[at as usize];
            // Where bounds have met there is nothing to find out.
            let open = |edge: &&Edge<G::Move>| {
                let (low, high) = self.bounds(edge.to);
                high - low > 0.0
            };
            let better = |a: &Edge<G::Move>, b: &Edge<G::Move>| {
                let ((low_a, high_a), (low_b, high_b)) = (self.bounds(a.to), self.bounds(b.to));
                match node.decides {
                    Some(Decides::Side(Side::Max)) => (high_b, low_b) > (high_a, low_a),
                    Some(Decides::Side(Side::Min)) => (low_b, high_b) < (low_a, high_a),
                    _ => b.part * (high_b - low_b) > a.part * (high_a - low_a),
                }
            };
            let best =
                node.children.iter().filter(open).reduce(|a, b| if better(a, b) { b } else { a });
            match best {
                Some(edge) => at = edge.to,
                None => return at,
            }
        }
    }

    /// Gives a leaf its children.
    fn open(&mut self, leaf: u32) {
        let Node { state, depth, .. } = &self.nodes[leaf as usize];
        let (state, depth) = (state.clone(), *depth);
        let Look::Open(decides, agent) = self.of.look(&state) else { return };
        let (mut moves, mut weights) = (Vec::new(), Vec::new());
        self.of.game.moves(&state, agent, &mut moves);
        match decides {
            Decides::Chance => self.of.weigh(&state, agent, &moves, &mut weights),
            Decides::Side(_) => weights.resize(moves.len(), 1),
        }
        let total = weights.iter().sum::<u64>() as f64;
        let mut children = Vec::with_capacity(moves.len());
        for (&m, &weight) in moves.iter().zip(&weights).filter(|(_, weight)| **weight > 0) {
            let mut next = state.clone();
            self.of.game.play(&mut next, agent, m);
            let to = self.number(next, depth + 1);
            self.nodes[to as usize].parents.push(leaf);
            children.push(Edge { m, part: weight as f64 / total, to });
        }
        self.nodes[leaf as usize].children = children;
    }

    /// Computes the bounds of a node again, and of its parents if they changed.
    fn hand_up(&mut self, from: u32) {
        let mut todo = BinaryHeap::from([(self.nodes[from as usize].depth, from)]);
        while let Some((depth, at)) = todo.pop() {
            while todo.peek() == Some(&(depth, at)) {
                todo.pop();
            }
            let node = &self.nodes[at as usize];
            let all = node.children.iter().map(|edge| (edge.part, self.bounds(edge.to)));
            let (low, high) = match node.decides {
                None => continue,
                Some(Decides::Side(Side::Max)) => all
                    .map(|(_, bounds)| bounds)
                    .fold((f64::MIN, f64::MIN), |(l, h), (low, high)| (l.max(low), h.max(high))),
                Some(Decides::Side(Side::Min)) => all
                    .map(|(_, bounds)| bounds)
                    .fold((f64::MAX, f64::MAX), |(l, h), (low, high)| (l.min(low), h.min(high))),
                Some(Decides::Chance) => all.fold((0.0, 0.0), |(l, h), (part, (low, high))| {
                    (l + part * low, h + part * high)
                }),
            };
            // Rounding is not to make bounds worse, or pass each other.
            let (low, high) = (low.max(node.low), high.min(node.high).max(low.max(node.low)));
            if (low, high) == (node.low, node.high) {
                continue;
            }
            let node = &mut self.nodes[at as usize];
            (node.low, node.high) = if high - low <= self.near * 1e-2 {
                let middle = 0.5 * (low + high);
                (middle, middle)
            } else {
                (low, high)
            };
            for &parent in &self.nodes[at as usize].parents {
                todo.push((self.nodes[parent as usize].depth, parent));
            }
        }
    }
}
