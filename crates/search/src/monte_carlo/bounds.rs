//! What is certain, whatever the playouts say.
//!
//! Score bounds (T. Cazenave and A. Saffidine, *Score bounded Monte-Carlo tree search*, 2010; section
//! 4.3 of the thesis of 2010). A move that was not tried may lead anywhere: the dummy child of a node
//! that is not fully expanded. Of chance only that counts which holds whatever happens.

use foregone_model::{Agent, Guide, Turn};

use super::{MonteCarlo, Node, Score};

impl<G: Guide> MonteCarlo<'_, G> {
    /// Tells what is certain of a node at the end of the path to the nodes above it.
    pub(super) fn tell_bounds(&mut self, node: u32) {
        let Node { low, high, .. } = self.nodes[node as usize];
        if !self.solves || (low == 0 && high == self.payoffs.best_rank()) {
            return;
        }
        if self.links.is_none() {
            for i in (0..self.path.len()).rev() {
                if !self.rebound(self.path[i].0) {
                    return;
                }
            }
            return;
        }
        let mut changed = vec![node];
        let mut above = Vec::new();
        while let Some(node) = changed.pop() {
            above.clear();
            if let Some(links) = &self.links {
                above.extend(links.edges_into(node).map(|edge| links.origin(edge)));
            }
            for &node in &above {
                if self.rebound(node) {
                    changed.push(node);
                }
            }
        }
    }

    /// Makes the bounds of a node out of those of the nodes below it; whether they changed. Moves that
    /// cannot be better than what the mover is sure of are not followed any more.
    pub(super) fn rebound(&mut self, at: u32) -> bool {
        let best = self.payoffs.best_rank();
        let node = self.nodes[at as usize];
        let edges = node.first as usize..(node.first + node.count) as usize;
        let is_max = node.turn == Turn::Agent(Agent::FIRST);
        let is_chance = node.turn == Turn::Chance;
        let (mut low, mut high) = match (is_chance, is_max) {
            (true, _) => (best, 0),
            (false, true) => (0, 0),
            (false, false) => (best, best),
        };
        for edge in &self.edges[edges.clone()] {
            let (l, h) = match self.nodes.get(edge.to as usize) {
                Some(end) => (end.low, end.high),
                None => (0, best),
            };
            (low, high) = match (is_chance, is_max) {
                (true, _) => (low.min(l), high.max(h)),
                (false, true) => (low.max(l), high.max(h)),
                (false, false) => (low.min(l), high.min(h)),
            };
        }
        (low, high) = (low.max(node.low), high.min(node.high));
        for at in edges {
            let Some(end) = self.nodes.get(self.edges[at].to as usize) else { continue };
            let useless = if is_max { end.high <= low } else { end.low >= high };
            if useless && !is_chance {
                self.edges[at].cut = true;
                self.scores[at] = Score { mean: f32::NEG_INFINITY, spread: 0.0 };
            }
        }
        (self.nodes[at as usize].low, self.nodes[at as usize].high) = (low, high);
        (low, high) != (node.low, node.high)
    }
}
