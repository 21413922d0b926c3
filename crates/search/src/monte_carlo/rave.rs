//! RAVE: an edge that was hardly tried is judged by how its move did wherever it was made later.
//!
//! S. Gelly and D. Silver, *Combining online and offline knowledge in UCT* (2007): moves of playouts
//! that went through a node count for the edges of that node with the same label, be they made in the
//! tree or in the random play behind it. Moves that were never tried are judged so as well: not all
//! moves of a node are tried before one is tried twice.

use foregone_model::{Agent, Guide, Outcome, Rng, Turn};

use super::{Edge, Node, Score};
use crate::plays::{LABELS, label_of};

/// What is known of moves by their labels.
pub(super) struct Rave {
    /// After so many playouts an edge's own mean weighs as much as the other one.
    weight: f64,
    /// A row an edge.
    edges: Vec<Later>,
    /// The playout in which an agent last made a move of a label: a row of labels an agent.
    seen: Vec<u32>,
    playout: u32,
    /// The labels of the random play.
    played: Vec<(Agent, u16)>,
}

#[derive(Clone, Copy)]
struct Later {
    label: u16,
    playouts: u32,
    sum: f64,
}

impl Rave {
    pub(super) const BYTES_OF_EDGE: usize = size_of::<Later>();

    pub(super) fn new(weight: f64, agents: usize) -> Rave {
        let seen = vec![0; agents * LABELS];
        Rave { weight, edges: Vec::new(), seen, playout: 0, played: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        self.edges.clear();
    }

    /// Keeps these edges, in this order.
    pub(super) fn keep(&mut self, edges: &[u32]) {
        self.edges = super::rows(&self.edges, 1, edges);
    }

    pub(super) fn add_edge<G: Guide>(
        &mut self,
        game: &G,
        state: &G::State,
        agent: Agent,
        step: G::Move,
    ) {
        let label = match agent {
            Agent::CHANCE => 0,
            _ => label_of(game.move_class(state, agent, step), step) as u16,
        };
        self.edges.push(Later { label, playouts: 0, sum: 0.0 });
    }

    /// Says that a playout begins.
    pub(super) fn begin(&mut self) {
        self.playout = self.playout.wrapping_add(1);
        self.played.clear();
    }

    /// A random play that remembers its moves.
    pub(super) fn play<G: Guide>(
        &mut self,
        game: &G,
        state: G::State,
        rng: &mut Rng,
    ) -> Option<Outcome> {
        let played = &mut self.played;
        game.playout_told(state, rng, &mut |state, agent, m| {
            let label = label_of(game.move_class(state, agent, m), m);
            played.push((agent, label as u16));
        })
    }

    /// Counts a playout for the edges of the nodes on its way.
    pub(super) fn count(
        &mut self,
        path: &[(u32, u32)],
        nodes: &[Node],
        payoff: impl Fn(Agent) -> f64,
    ) {
        let row = |agent: Agent| usize::from(agent.0) * LABELS;
        for &(agent, label) in &self.played {
            self.seen[row(agent) + usize::from(label)] = self.playout;
        }
        for &(node, edge) in path.iter().rev() {
            let node = &nodes[node as usize];
            let Turn::Agent(agent) = node.turn else { continue };
            let seen = &mut self.seen[row(agent)..][..LABELS];
            seen[usize::from(self.edges[edge as usize].label)] = self.playout;
            let worth = payoff(agent);
            for later in &mut self.edges[node.first as usize..][..node.count as usize] {
                if seen[usize::from(later.label)] == self.playout {
                    later.playouts += 1;
                    later.sum += worth;
                }
            }
        }
    }

    /// The edge with the highest value, where `factor` stands before the spread and payoffs are at
    /// most `best`.
    pub(super) fn select<M>(
        &self,
        node: &Node,
        edges: &[Edge<M>],
        scores: &[Score],
        factor: f64,
        best: f64,
        rng: &mut Rng,
    ) -> u32 {
        let (first, count) = (node.first as usize, node.count as usize);
        let start = rng.below(node.count) as usize;
        let (mut chosen, mut most) = (first + start, f64::NEG_INFINITY);
        // Among equals chance decides: they are looked at from any place on.
        for at in (start..count).chain(0..start).map(|i| first + i) {
            let (edge, score, later) = (&edges[at], &scores[at], &self.edges[at]);
            let label_mean = (later.playouts > 0).then(|| later.sum / f64::from(later.playouts));
            let value = match (edge.playouts, label_mean) {
                (0, mean) => mean.unwrap_or(best) + factor,
                (_, None) => f64::from(score.mean) + factor * f64::from(score.spread),
                (playouts, Some(mean)) => {
                    let beta = (self.weight / (3.0 * f64::from(playouts) + self.weight)).sqrt();
                    let own = f64::from(score.mean) + factor * f64::from(score.spread);
                    own + beta * (mean - f64::from(score.mean))
                }
            };
            if value > most && !edge.cut {
                (chosen, most) = (at, value);
            }
        }
        chosen as u32
    }
}
