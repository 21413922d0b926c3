//! One playout: down the tree, one new node, and a random play from there.

use foregone_model::guide::draw;
use foregone_model::{Agent, Guide, Outcome, Turn};

use super::{Edge, MonteCarlo, NONE, Node, ROOT, Score};

/// Where positions can come up again, a descent may go round in circles: this is where it ends.
const DEEPEST: usize = 2000;

impl<G: Guide> MonteCarlo<'_, G> {
    /// Makes a playout. The root is not decided.
    pub(super) fn playout(&mut self) {
        self.path.clear();
        if let Some(rave) = &mut self.rave {
            rave.begin();
        }
        let outcome = self.descend();
        self.back_up(outcome);
    }

    /// What the playout is worth: nothing if it did not end.
    fn descend(&mut self) -> Option<Outcome> {
        let mut state = self.root.clone();
        let mut at = ROOT;
        loop {
            let node = self.nodes[at as usize];
            let Some(agent) = node.turn.mover() else { return Some(node.outcome) };
            if self.solves && node.low == node.high {
                // Only chance leads to what is certain.
                return Some(self.payoffs.of_rank(node.low));
            }
            let fits = node.count > 0 || self.add_edges(at, agent, &state);
            if !fits || self.path.len() >= DEEPEST {
                return self.play(state);
            }
            let edge = self.choose(at, agent, &state);
            self.game.play(&mut state, agent, self.edges[edge as usize].step);
            self.path.push((at, edge));
            match self.edges[edge as usize].to {
                NONE => match self.arrive(edge, &state) {
                    // A transposition: on from there.
                    Some(known) => at = known,
                    None => return self.value_of_new(state),
                },
                to => at = to,
            }
        }
    }

    /// The outcome of the state that the descent ended in, by a random play unless it is over.
    fn value_of_new(&mut self, state: G::State) -> Option<Outcome> {
        match self.game.turn(&state) {
            Turn::Over => Some(self.game.outcome(&state)),
            _ => self.play(state),
        }
    }

    fn play(&mut self, state: G::State) -> Option<Outcome> {
        match &mut self.rave {
            Some(rave) => rave.play(self.game, state, &mut self.rng),
            None => self.game.playout(state, &mut self.rng),
        }
    }

    /// Gives an edge its end. If that is a node which was there already, it is told.
    #[inline]
    fn arrive(&mut self, edge: u32, state: &G::State) -> Option<u32> {
        let from = self.path[self.path.len() - 1].0;
        let known = match &self.links {
            Some(links) => links.find(&self.game.pack(state)),
            None => None,
        };
        let to = match known {
            Some(to) => to,
            None if !self.has_room(0) => return None,
            None => self.add_node(state, self.links.as_ref().map_or(0, |l| l.level(from) + 1)),
        };
        self.edges[edge as usize].to = to;
        if let Some(links) = &mut self.links {
            links.link(edge, to);
            let (nodes, edges) = (&self.nodes, &self.edges);
            links.raise(to, links.level(from) + 1, |node, out| {
                let Node { first, count, .. } = nodes[node as usize];
                let edges = &edges[first as usize..][..count as usize];
                out.extend(edges.iter().map(|edge| edge.to).filter(|&to| to != NONE));
            });
        }
        self.tell_bounds(to);
        known
    }

    /// Adds a node without edges.
    pub(super) fn add_node(&mut self, state: &G::State, level: u32) -> u32 {
        let turn = self.game.turn(state);
        let (mut low, mut high) = (0, self.payoffs.best_rank());
        let mut outcome = Outcome(0);
        if turn == Turn::Over {
            outcome = self.game.outcome(state);
            low = self.payoffs.rank(outcome);
            high = low;
        } else if self.solves
            && let Some(known) = self.game.known(state)
        {
            low = self.payoffs.rank(known.at_least);
            high = self.payoffs.rank(known.at_most);
        }
        let node = Node { first: 0, count: 0, tried: 0, playouts: 0.0, turn, outcome, low, high };
        self.nodes.push(node);
        if let Some(links) = &mut self.links {
            links.add_node(self.game.pack(state), level);
        }
        if let Some(adapted) = &mut self.adapted {
            adapted.add_node();
        }
        self.nodes.len() as u32 - 1
    }

    /// Gives a node its edges. They have no ends yet. Whether they fit.
    #[inline(never)]
    fn add_edges(&mut self, at: u32, agent: Agent, state: &G::State) -> bool {
        self.moves.clear();
        self.game.moves(state, agent, &mut self.moves);
        if !self.has_room(self.moves.len()) {
            return false;
        }
        let first = self.edges.len() as u32;
        for &step in &self.moves {
            self.edges.push(Edge { step, to: NONE, playouts: 0, cut: false, sum: 0.0 });
            self.scores.push(Score { mean: 0.0, spread: 0.0 });
            if let Some(links) = &mut self.links {
                links.add_edge(at);
            }
            if let Some(adapted) = &mut self.adapted {
                adapted.add_edge();
            }
            if let Some(rave) = &mut self.rave {
                rave.add_edge(self.game, state, agent, step);
            }
        }
        let node = &mut self.nodes[at as usize];
        (node.first, node.count) = (first, self.moves.len() as u32);
        true
    }

    /// The edge to follow.
    #[inline]
    fn choose(&mut self, at: u32, agent: Agent, state: &G::State) -> u32 {
        let node = self.nodes[at as usize];
        if node.turn == Turn::Chance {
            return self.draw(&node, state);
        }
        let factor = self.exploration[usize::from(agent.0)] * self.root_of_logarithm(node.playouts);
        if let Some(rave) = &self.rave {
            let best = self.payoffs.best[usize::from(agent.0)];
            return rave.select(&node, &self.edges, &self.scores, factor, best, &mut self.rng);
        }
        if node.tried < node.count {
            return self.try_another(at, &node);
        }
        // The sum is made in the narrow type: it ranks moves, and moves of a node lie close together.
        let scores = &self.scores[node.first as usize..][..node.count as usize];
        let factor = factor as f32;
        let (mut best, mut best_value) = (0, f32::NEG_INFINITY);
        for (i, score) in scores.iter().enumerate() {
            let value = score.mean + factor * score.spread;
            if value > best_value {
                (best, best_value) = (i, value);
            }
        }
        node.first + best as u32
    }

    /// One of the moves that were not tried, each as likely as the others.
    fn try_another(&mut self, at: u32, node: &Node) -> u32 {
        let chosen = node.tried + self.rng.below(node.count - node.tried);
        let place = node.first + node.tried;
        // Only the move is there to be exchanged: nothing is known of those that were not tried.
        let (a, b) = (place as usize, (node.first + chosen) as usize);
        let step = self.edges[a].step;
        self.edges[a].step = self.edges[b].step;
        self.edges[b].step = step;
        self.nodes[at as usize].tried += 1;
        place
    }

    fn draw(&mut self, node: &Node, state: &G::State) -> u32 {
        let edges = &self.edges[node.first as usize..][..node.count as usize];
        self.moves.clear();
        self.moves.extend(edges.iter().map(|edge| edge.step));
        let step = draw(self.game, state, &self.moves, &mut self.rng);
        let place = self.moves.iter().position(|&m| m == step);
        node.first + place.unwrap_or(0) as u32
    }

    /// The square root of the logarithm of a number of playouts, at least 1.
    #[inline]
    pub(super) fn root_of_logarithm(&self, playouts: f64) -> f64 {
        match self.roots.get(playouts as usize) {
            Some(&root) => root,
            None => playouts.ln().sqrt(),
        }
    }
}
