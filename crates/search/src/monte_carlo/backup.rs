//! What a playout changes: edges on its way, or all edges that lead to where it began.

use foregone_model::{Guide, Outcome};

use super::{Graph, MonteCarlo, NONE, Score, viewer};

impl<G: Guide> MonteCarlo<'_, G> {
    /// Counts the playout that went along the path.
    #[inline]
    pub(super) fn back_up(&mut self, outcome: Option<Outcome>) {
        if let Some(rave) = &mut self.rave {
            rave.count(&self.path, &self.nodes, |agent| self.payoffs.of(outcome, agent));
        }
        match self.options.graph {
            Graph::Tree => {
                for i in 0..self.path.len() {
                    let (node, edge) = self.path[i];
                    self.count(node, edge, outcome);
                    self.rescore(edge);
                }
            }
            Graph::UpdateAll => self.update_all(outcome),
            Graph::Ucd(_) => self.update_adapted(outcome),
        }
    }

    /// One more playout for an edge out of this node.
    #[inline]
    pub(super) fn count(&mut self, node: u32, edge: u32, outcome: Option<Outcome>) {
        let node = &mut self.nodes[node as usize];
        let edge = &mut self.edges[edge as usize];
        if let Some(agent) = node.turn.mover() {
            node.playouts += 1.0;
            edge.playouts += 1;
            edge.sum += self.payoffs.of(outcome, viewer(agent));
        }
    }

    /// The score of an edge by its own playouts.
    #[inline]
    fn rescore(&mut self, edge: u32) {
        let at = edge as usize;
        let edge = &self.edges[at];
        if !edge.cut {
            let playouts = f64::from(edge.playouts);
            self.scores[at] = Score::new(edge.sum / playouts, playouts);
        }
    }

    /// Every edge that leads to the last node, on whatever way, is counted once.
    fn update_all(&mut self, outcome: Option<Outcome>) {
        let Some(&(from, last)) = self.path.last() else { return };
        let mut start = self.edges[last as usize].to;
        if start == NONE {
            // There was no room for a node.
            self.count(from, last, outcome);
            self.rescore(last);
            start = from;
        }
        let playout = self.made + 1;
        let (mut open, mut above) = (vec![start], Vec::new());
        while let Some(node) = open.pop() {
            let Some(links) = &mut self.links else { return };
            above.clear();
            above.extend(links.edges_into(node).map(|edge| (links.origin(edge), edge)));
            for &(from, _) in &above {
                if links.visit(from, playout) {
                    open.push(from);
                }
            }
            for &(from, edge) in &above {
                self.count(from, edge, outcome);
                self.rescore(edge);
            }
        }
    }

    /// Makes the scores of edges that were cut anew: what cut them does not hold any more.
    pub(super) fn uncut(&mut self, edge: u32) {
        if std::mem::replace(&mut self.edges[edge as usize].cut, false) {
            match &self.adapted {
                Some(_) => self.rescore_adapted(edge),
                None => self.rescore(edge),
            }
        }
    }
}

impl Score {
    /// Of this mean, and so many playouts.
    #[inline]
    pub(super) fn new(mean: f64, playouts: f64) -> Score {
        Score { mean: mean as f32, spread: (1.0 / playouts.sqrt()) as f32 }
    }
}
