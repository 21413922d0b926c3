//! Adapted scores: what lies below an edge counts for it, on whatever way it was found out.
//!
//! Section 5.3 of the thesis of 2010. With n(e) and μ(e) the number and the mean of the payoffs of an
//! edge, n'(e) and μ'(e) those of before its end had children, and c(e) the edges out of its end:
//!
//! ```text
//! μ_0(e) = μ(e)    μ_d(e) = (μ'(e) n'(e) + Σ μ_{d-1}(f) n(f)) / (n'(e) + Σ n(f))    f in c(e)
//! n_0(e) = n(e)    n_d(e) = n'(e) + Σ n_{d-1}(f)
//! p_d(e) = Σ n_d(f) over e and its siblings
//! u(e) = μ_{d1}(e) + C sqrt(ln p_{d2}(e) / n_{d3}(e))
//! ```
//!
//! The recursion would look at everything below an edge. Here every node keeps the sums over its own
//! edges, and every edge its part in them. When a playout has changed edges, the sums above them are
//! put right, the deepest first, along all edges that lead there and as far up as something changes.
//! A mean n(e) times is written as (the sum of payoffs) n(e) / (n' + Σ n), so that without
//! transpositions all sums are whole numbers, and the search is that of plain UCT bit for bit.

use std::collections::BinaryHeap;

use foregone_model::{Agent, Guide, Outcome};

use super::links::Links;
use super::{Depth, MonteCarlo, NONE, Node, ROOT, Score, rows, viewer};

/// The payoffs of before there were children.
#[derive(Clone, Copy, Default)]
struct Prior {
    playouts: u32,
    /// At an edge: for its mover. At a node: for the first agent.
    sum: f64,
}

/// The sums of nodes and the parts of edges in them.
///
/// A row begins with Σ μ_k(f) n(f) for k below d1, or for all depths at once; behind them stand
/// Σ n_k(f) from k = 0, as far as it is looked at, and that of all depths at once.
pub(super) struct Adapted {
    depths: [Depth; 3],
    prior_at_nodes: bool,
    /// How many sums of means there are.
    means: usize,
    /// How many sums of numbers of one depth.
    counts: usize,
    /// So many of these are looked at from above.
    shown: usize,
    width: usize,
    sums: Vec<f64>,
    parts: Vec<f64>,
    priors: Vec<Prior>,
    /// Whether what is seen from above has changed.
    changed: Vec<bool>,
    /// Nodes to look at, with their levels.
    queue: BinaryHeap<(u32, u32)>,
    /// A row, and edges, while they are needed.
    row: Vec<f64>,
    above: Vec<u32>,
}

impl Adapted {
    pub(super) fn new(depths: [Depth; 3], prior_at_nodes: bool) -> Adapted {
        let levels = |depth| match depth {
            Depth::Levels(levels) => usize::from(levels),
            Depth::All => 0,
        };
        let [d1, d2, d3] = depths;
        let means = if d1 == Depth::All { 1 } else { levels(d1) };
        let of_means = usize::from(means > 0);
        let shown = of_means.max(levels(d2)).max(levels(d3));
        let counts = shown.max(levels(d2) + 1);
        let deep = usize::from(d2 == Depth::All || d3 == Depth::All);
        Adapted {
            depths,
            prior_at_nodes,
            means,
            counts,
            shown,
            width: means + counts + deep,
            sums: Vec::new(),
            parts: Vec::new(),
            priors: Vec::new(),
            changed: Vec::new(),
            queue: BinaryHeap::new(),
            row: Vec::new(),
            above: Vec::new(),
        }
    }

    /// Whether means are made of those of other edges.
    pub(super) fn looks_below(&self) -> bool {
        self.means > 0
    }

    pub(super) fn clear(&mut self) {
        self.sums.clear();
        self.parts.clear();
        self.priors.clear();
        self.changed.clear();
    }

    pub(super) fn add_node(&mut self) {
        self.sums.resize(self.sums.len() + self.width, 0.0);
        self.changed.push(false);
        if self.prior_at_nodes {
            self.priors.push(Prior::default());
        }
    }

    pub(super) fn add_edge(&mut self) {
        self.parts.resize(self.parts.len() + self.width, 0.0);
        if !self.prior_at_nodes {
            self.priors.push(Prior::default());
        }
    }

    /// Keeps these nodes and edges, in this order.
    pub(super) fn keep(&mut self, nodes: &[u32], edges: &[u32]) {
        self.sums = rows(&self.sums, self.width, nodes);
        self.parts = rows(&self.parts, self.width, edges);
        self.priors = rows(&self.priors, 1, if self.prior_at_nodes { nodes } else { edges });
        self.changed.truncate(nodes.len());
    }

    pub(super) fn bytes_of_edge(&self) -> usize {
        let prior = if self.prior_at_nodes { 0 } else { size_of::<Prior>() };
        self.width * size_of::<f64>() + prior
    }

    pub(super) fn bytes_of_node(&self) -> usize {
        let prior = if self.prior_at_nodes { size_of::<Prior>() } else { 0 };
        self.width * size_of::<f64>() + size_of::<bool>() + prior
    }

    /// The sums of a node and the parts of these edges.
    #[cfg(test)]
    pub(super) fn rows_of(&self, node: u32, edges: &[u32]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let parts = edges.iter().map(|&edge| rows(&self.parts, self.width, &[edge]));
        (rows(&self.sums, self.width, &[node]), parts.collect())
    }

    /// The sum over the edges of a node of n_d; for d out of the depths of the search.
    fn count(&self, node: u32, depth: Depth) -> f64 {
        let row = &self.sums[node as usize * self.width..][self.means..self.width];
        match depth {
            Depth::Levels(levels) => row[usize::from(levels)],
            Depth::All => row[self.counts],
        }
    }
}

/// An edge as its scores are made.
struct Seen {
    playouts: f64,
    sum: f64,
    prior: f64,
    prior_sum: f64,
    /// Where the row of its end begins, if it has one.
    end: Option<usize>,
    /// What both players get together, if another one moves at the end of the edge.
    turned: Option<f64>,
}

impl Adapted {
    /// Makes the row of an edge, and gives its score.
    fn make_row(&mut self, edge: &Seen) -> Score {
        let below = |slot: usize| edge.end.map_or(0.0, |end| self.sums[end + slot]);
        let playouts_below = below(self.means);
        let mean_below = |slot: usize| {
            let sum = below(slot);
            edge.turned.map_or(sum, |both| playouts_below * both - sum)
        };
        let weight = edge.prior + playouts_below;
        let share = edge.playouts / weight;
        let mut row = std::mem::take(&mut self.row);
        row.clear();
        let mean = if self.depths[0] == Depth::All {
            let sum = edge.prior_sum + mean_below(0);
            row.push(sum * share);
            sum / weight
        } else {
            // The one that is looked for here is looked at from there as the next one.
            let (mut part, mut mean) = (edge.sum, edge.sum / edge.playouts);
            for slot in 0..self.means {
                row.push(part);
                let sum = edge.prior_sum + mean_below(slot);
                (part, mean) = (sum * share, sum / weight);
            }
            mean
        };
        let mut count = edge.playouts;
        let mut playouts = edge.playouts;
        for slot in 0..self.counts {
            row.push(count);
            count = edge.prior + below(self.means + slot);
            if self.depths[2] == Depth::Levels(slot as u8 + 1) {
                playouts = count;
            }
        }
        if self.width > self.means + self.counts {
            let count = edge.prior + below(self.means + self.counts);
            row.push(count);
            if self.depths[2] == Depth::All {
                playouts = count;
            }
        }
        self.row = row;
        Score::new(mean, playouts)
    }

    /// Gives an edge its new row; whether the sums of its origin change for who looks from above.
    fn put_row(&mut self, edge: u32, origin: u32) -> bool {
        let Adapted { width, means, counts, shown, .. } = *self;
        let part = &mut self.parts[edge as usize * width..][..width];
        let sums = &mut self.sums[origin as usize * width..][..width];
        let mut seen = false;
        for (slot, &new) in self.row.iter().enumerate() {
            let old = std::mem::replace(&mut part[slot], new);
            if old != new {
                sums[slot] += new - old;
                seen |= slot < means + shown || slot == means + counts;
            }
        }
        seen
    }
}

impl<G: Guide> MonteCarlo<'_, G> {
    /// Counts the playout for the edges of its path, and puts right all scores that it changes.
    pub(super) fn update_adapted(&mut self, outcome: Option<Outcome>) {
        let Some(&(_, last)) = self.path.last() else { return };
        for i in 0..self.path.len() {
            let (node, edge) = self.path[i];
            self.count(node, edge, outcome);
        }
        let (Some(mut adapted), Some(links)) = (self.adapted.take(), self.links.take()) else {
            return;
        };
        self.count_prior(&mut adapted, outcome);
        for &(_, edge) in &self.path {
            let to = self.edges[edge as usize].to;
            if to != NONE {
                adapted.queue.push((links.level(to), to));
            }
        }
        let mut on_path = self.path.len();
        if self.edges[last as usize].to == NONE {
            on_path -= 1;
            self.refresh(&mut adapted, &links, last);
        }
        let mut before = NONE;
        while let Some((_, node)) = adapted.queue.pop() {
            if node == before {
                continue;
            }
            before = node;
            let mut above = std::mem::take(&mut adapted.above);
            above.clear();
            if on_path > 0 && self.edges[self.path[on_path - 1].1 as usize].to == node {
                on_path -= 1;
                above.push(self.path[on_path].1);
            }
            if std::mem::replace(&mut adapted.changed[node as usize], false) {
                above.clear();
                above.extend(links.edges_into(node));
            }
            for &edge in &above {
                self.refresh(&mut adapted, &links, edge);
            }
            adapted.above = above;
        }
        // Nothing looks at the root from above.
        adapted.changed[ROOT as usize] = false;
        (self.adapted, self.links) = (Some(adapted), Some(links));
    }

    /// The payoff is one of before there were children for the last edge.
    fn count_prior(&mut self, adapted: &mut Adapted, outcome: Option<Outcome>) {
        let Some(&(from, last)) = self.path.last() else { return };
        let to = self.edges[last as usize].to;
        let Some(agent) = self.nodes[from as usize].turn.mover() else { return };
        let (at, agent) = match adapted.prior_at_nodes {
            true if to == NONE => return,
            true => {
                adapted.changed[to as usize] = true;
                (to, Agent::FIRST)
            }
            false => (last, viewer(agent)),
        };
        let prior = &mut adapted.priors[at as usize];
        prior.playouts += 1;
        prior.sum += self.payoffs.of(outcome, agent);
    }

    /// Makes the row and the score of an edge anew.
    fn refresh(&mut self, adapted: &mut Adapted, links: &Links<G::Packed>, edge: u32) {
        let origin = links.origin(edge);
        let score = adapted.make_row(&self.seen(adapted, origin, edge));
        if !self.edges[edge as usize].cut {
            self.scores[edge as usize] = score;
        }
        if adapted.put_row(edge, origin) && origin != ROOT {
            adapted.changed[origin as usize] = true;
            adapted.queue.push((links.level(origin), origin));
        }
        self.nodes[origin as usize].playouts = adapted.count(origin, adapted.depths[1]);
    }

    /// What the score of an edge is made of.
    fn seen(&self, adapted: &Adapted, origin: u32, edge: u32) -> Seen {
        let number = edge as usize;
        let edge = &self.edges[number];
        let view = |node: &Node| node.turn.mover().map(viewer);
        let mover = view(&self.nodes[origin as usize]);
        let both = self.payoffs.best[0];
        let (playouts, sum) = (f64::from(edge.playouts), edge.sum);
        let Some(end) = self.nodes.get(edge.to as usize) else {
            return Seen {
                playouts,
                sum,
                prior: playouts,
                prior_sum: sum,
                end: None,
                turned: None,
            };
        };
        let at = if adapted.prior_at_nodes { edge.to as usize } else { number };
        let Prior { playouts: prior, sum: mut prior_sum } = adapted.priors[at];
        if adapted.prior_at_nodes && mover != Some(Agent::FIRST) {
            prior_sum = f64::from(prior) * both - prior_sum;
        }
        Seen {
            playouts,
            sum,
            prior: f64::from(prior),
            prior_sum,
            end: Some(edge.to as usize * adapted.width),
            turned: (view(end) != mover).then_some(both),
        }
    }

    /// Makes the score of an edge anew, when nothing else has changed.
    pub(super) fn rescore_adapted(&mut self, edge: u32) {
        let (Some(mut adapted), Some(links)) = (self.adapted.take(), self.links.take()) else {
            return;
        };
        self.refresh(&mut adapted, &links, edge);
        adapted.queue.clear();
        (self.adapted, self.links) = (Some(adapted), Some(links));
    }
}
