//! Monte Carlo search for a move: UCT, and UCD on graphs.
//!
//! L. Kocsis and C. Szepesvári, *Bandit based Monte-Carlo planning* (2006); on graphs A. Saffidine,
//! T. Cazenave and J. Méhat, *UCD: upper confidence bound for rooted directed acyclic graphs* (2010),
//! as in chapter 5 of A. Saffidine, *Some Improvements for Monte-Carlo Tree Search* (2010). A playout
//! adds one node. What playouts were worth is kept at edges, for the player who moves along them, so
//! any number of players will do. Chance moves by its weights.
//!
//! The schemes `mcts` and `sbmcts` prove; this plays. It also backs up what is certain (section 4.3 of
//! the same thesis), so that it plays solved positions well, but writes no proof.
//!
//! | file | what it is about |
//! |---|---|
//! | `options.rs` | options, and their text |
//! | `payoff.rs` | what outcomes are worth |
//! | `descent.rs` | one playout: selection, expansion, random play |
//! | `backup.rs` | what a playout changes on its way, and on other ways |
//! | `links.rs` | positions and edges into them, in graphs |
//! | `adapted.rs` | adapted scores (UCD) |
//! | `bounds.rs` | what is certain |
//! | `rave.rs` | moves that do well wherever they are made |

mod adapted;
mod backup;
mod bounds;
mod descent;
mod links;
mod options;
mod payoff;
mod rave;
#[cfg(test)]
mod tests;

use std::fmt;

use foregone_model::{Agent, Endless, Guide, Outcome, Rng, Turn};

use adapted::Adapted;
use links::Links;
pub use options::{Depth, Graph, Options};
use payoff::Payoffs;
use rave::Rave;

/// No node, or no edge.
const NONE: u32 = u32::MAX;
/// The root stands first.
const ROOT: u32 = 0;

/// A position in the tree.
#[derive(Clone, Copy)]
struct Node {
    /// The first of its edges, which stand side by side.
    first: u32,
    /// How many there are. 0: it was not come back to yet, or is final.
    count: u32,
    /// How many of them were tried: those that stand first, unless RAVE or chance chooses.
    tried: u32,
    /// Playouts through its edges, or what is taken for their number (p in the UCB formula).
    playouts: f64,
    turn: Turn,
    /// Of a final position.
    outcome: Outcome,
    /// What the first agent reaches at least and at most, by rank.
    low: u16,
    high: u16,
}

/// A move in a node.
#[derive(Clone, Copy)]
struct Edge<M> {
    step: M,
    to: u32,
    playouts: u32,
    /// Nothing behind it can be better than what the mover is sure of.
    cut: bool,
    /// What the playouts were worth to the mover together.
    sum: f64,
}

/// What selection looks at, apart from the rest so that the moves of a node lie close together.
#[derive(Clone, Copy)]
struct Score {
    mean: f32,
    /// What the logarithm under the root is divided by, as one over its root.
    spread: f32,
}

/// Why a search does not go with a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsuited(String);

impl fmt::Display for Unsuited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unsuited {}

/// What is known of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeReport<M> {
    /// The move.
    pub step: M,
    /// Playouts through it.
    pub playouts: u32,
    /// What they were worth on average to who makes the move, from 0 to 1; 0.5 without any.
    pub mean: f64,
    /// What it leads to, if that is certain.
    pub solved: Option<Outcome>,
}

/// A Monte Carlo search from one position, which can move along with a play.
pub struct MonteCarlo<'g, G: Guide> {
    game: &'g G,
    options: Options,
    payoffs: Payoffs,
    /// Whether certain results are backed up: asked for, and outcomes have one order.
    solves: bool,
    /// Exploration constants by agent, chance last; payoffs are not scaled to 1.
    exploration: Vec<f64>,
    /// The roots of logarithms of small numbers.
    roots: Vec<f64>,
    rng: Rng,
    root: G::State,
    nodes: Vec<Node>,
    edges: Vec<Edge<G::Move>>,
    scores: Vec<Score>,
    links: Option<Links<G::Packed>>,
    adapted: Option<Adapted>,
    rave: Option<Rave>,
    /// The nodes and edges of the playout that is being made.
    path: Vec<(u32, u32)>,
    moves: Vec<G::Move>,
    /// Playouts since the beginning.
    made: u64,
}

/// So many logarithms are kept.
const ROOTS: usize = 1 << 12;

impl<'g, G: Guide> MonteCarlo<'g, G> {
    /// A search from `start`. The seed decides all that is random.
    pub fn new(
        game: &'g G,
        start: &G::State,
        options: Options,
        seed: u64,
    ) -> Result<MonteCarlo<'g, G>, Unsuited> {
        let payoffs = Payoffs::new(game);
        let is_graph = options.graph != Graph::Tree;
        if is_graph && game.endless() != Endless::Impossible {
            let message = format!(
                "positions can come up again in this game, and `{options}` takes no cycles: try `uct`"
            );
            return Err(Unsuited(message));
        }
        let adapted = match options.graph {
            Graph::Ucd(depths) => Some(Adapted::new(depths, options.prior_at_nodes)),
            Graph::Tree | Graph::UpdateAll => None,
        };
        if !payoffs.opposed && adapted.as_ref().is_some_and(Adapted::looks_below) {
            let message = format!(
                "`{options}` takes one player, or two of whom one wins what the other loses: \
                 try `ucd(0,0,0)` or `uct`"
            );
            return Err(Unsuited(message));
        }
        let mut exploration: Vec<f64> =
            payoffs.best.iter().map(|best| options.exploration * best).collect();
        exploration.push(0.0);
        let mut search = MonteCarlo {
            solves: options.solve && payoffs.opposed,
            exploration,
            roots: (0..ROOTS).map(|n| (n.max(1) as f64).ln().sqrt()).collect(),
            rng: Rng::new(seed),
            root: start.clone(),
            nodes: Vec::new(),
            edges: Vec::new(),
            scores: Vec::new(),
            links: is_graph.then(Links::new),
            adapted,
            rave: options.rave.map(|weight| Rave::new(weight, usize::from(game.agents()))),
            path: Vec::new(),
            moves: Vec::new(),
            made: 0,
            game,
            options,
            payoffs,
        };
        search.plant();
        Ok(search)
    }

    /// Begins anew at another position, as a new search would. What is known of the game's outcomes
    /// is kept: with many of them it takes longer to find out than a short search.
    pub fn restart(&mut self, start: &G::State, seed: u64) {
        self.root = start.clone();
        self.rng = Rng::new(seed);
        self.made = 0;
        self.plant();
    }

    /// Begins a tree that has a root and nothing else.
    fn plant(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.scores.clear();
        if let Some(links) = &mut self.links {
            *links = Links::new();
        }
        if let Some(adapted) = &mut self.adapted {
            adapted.clear();
        }
        if let Some(rave) = &mut self.rave {
            rave.clear();
        }
        let root = self.root.clone();
        self.add_node(&root, 0);
        self.forget_knowledge_of_root();
    }

    /// The position that moves are asked for is never taken as known: a move is wanted.
    fn forget_knowledge_of_root(&mut self) {
        if self.nodes[0].turn != Turn::Over {
            (self.nodes[0].low, self.nodes[0].high) = (0, self.payoffs.best_rank());
            if self.nodes[0].count > 0 && self.solves {
                for edge in self.nodes[0].first..self.nodes[0].first + self.nodes[0].count {
                    self.uncut(edge);
                }
                self.rebound(ROOT);
            }
        }
    }

    /// Makes up to so many playouts, and says how many. It makes fewer only where more are of no use:
    /// the game is over, or what can be reached is certain. Whoever wants to stop by a clock asks for
    /// a few at a time.
    pub fn run(&mut self, playouts: u64) -> u64 {
        for done in 0..playouts {
            if self.is_decided() || self.made >= u64::from(u32::MAX) {
                return done;
            }
            self.playout();
            self.made += 1;
        }
        playouts
    }

    /// Whether more playouts are of no use.
    pub fn is_decided(&self) -> bool {
        let root = &self.nodes[0];
        root.turn == Turn::Over || (self.solves && root.low == root.high)
    }

    /// The position that the search is about.
    pub fn position(&self) -> &G::State {
        &self.root
    }

    /// The options of the search.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Playouts since the search began.
    pub fn playouts(&self) -> u64 {
        self.made
    }

    /// Nodes in memory.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// What the players reach from here, if that is certain.
    pub fn solved(&self) -> Option<Outcome> {
        self.is_decided().then(|| match self.nodes[0].turn {
            Turn::Over => self.nodes[0].outcome,
            _ => self.payoffs.of_rank(self.nodes[0].low),
        })
    }

    /// The moves of the position, in the order of the rules.
    pub fn edges(&self) -> Vec<EdgeReport<G::Move>> {
        let Some(agent) = self.nodes[0].turn.mover() else { return Vec::new() };
        let mut moves = Vec::new();
        self.game.moves(&self.root, agent, &mut moves);
        let edges = self.edges_of(ROOT);
        let report = |step| {
            let edge = edges.iter().find(|edge| edge.step == step);
            let (playouts, sum) = edge.map_or((0, 0.0), |edge| (edge.playouts, edge.sum));
            let mean = match playouts {
                0 => 0.5,
                n => sum / f64::from(n) / self.payoffs.best[usize::from(viewer(agent).0)],
            };
            let solved = edge.and_then(|edge| {
                let node = self.nodes.get(edge.to as usize)?;
                let certain = match node.turn {
                    Turn::Over => return Some(node.outcome),
                    _ => self.solves && node.low == node.high,
                };
                certain.then(|| self.payoffs.of_rank(node.low))
            });
            EdgeReport { step, playouts, mean, solved }
        };
        moves.into_iter().map(report).collect()
    }

    /// The move to make: the one with the most playouts, or one that leads to a certain result that is
    /// as good as its mean. Chance and final positions have none.
    pub fn best(&self) -> Option<G::Move> {
        let root = self.nodes[0];
        let Turn::Agent(agent) = root.turn else { return None };
        let worth = |edge: &EdgeReport<G::Move>| match edge.solved {
            Some(outcome) if self.solves => {
                self.payoffs.of(Some(outcome), agent) / self.payoffs.best[usize::from(agent.0)]
            }
            _ => edge.mean,
        };
        let edges = self.edges();
        let is_certain = |edge: &&EdgeReport<G::Move>| self.solves && edge.solved.is_some();
        let mut best: Option<&EdgeReport<G::Move>> = None;
        for edge in edges.iter().filter(|edge| !is_certain(edge)) {
            let key = |edge: &EdgeReport<G::Move>| (edge.playouts, edge.mean);
            if best.is_none_or(|best| key(edge) > key(best)) {
                best = Some(edge);
            }
        }
        let mut certain: Option<&EdgeReport<G::Move>> = None;
        for edge in edges.iter().filter(is_certain) {
            if certain.is_none_or(|best| worth(edge) > worth(best)) {
                certain = Some(edge);
            }
        }
        let chosen = match (best, certain) {
            (Some(open), Some(certain)) => {
                let decided = self.is_decided() || open.playouts == 0;
                if decided || worth(certain) >= worth(open) { certain } else { open }
            }
            (open, certain) => certain.or(open)?,
        };
        Some(chosen.step)
    }

    /// Makes a move of the position and goes on from there. What was found out below it is kept, and
    /// the rest is given back.
    pub fn advance(&mut self, m: G::Move) {
        let Some(agent) = self.nodes[0].turn.mover() else { return };
        let to = self.edges_of(ROOT).iter().find(|edge| edge.step == m).map(|edge| edge.to);
        self.game.play(&mut self.root, agent, m);
        match to {
            Some(to) if to != NONE => self.keep_below(to),
            _ => self.plant(),
        }
    }

    /// Keeps a node, which becomes the root, and all that can be reached from it.
    fn keep_below(&mut self, root: u32) {
        let mut numbers = vec![NONE; self.nodes.len()];
        numbers[root as usize] = ROOT;
        // In the order of their new numbers.
        let mut kept = vec![root];
        let mut edges = Vec::new();
        let mut at = 0;
        while at < kept.len() {
            let node = self.nodes[kept[at] as usize];
            for edge in node.first..node.first + node.count {
                edges.push(edge);
                let to = self.edges[edge as usize].to;
                if to != NONE && numbers[to as usize] == NONE {
                    numbers[to as usize] = kept.len() as u32;
                    kept.push(to);
                }
            }
            at += 1;
        }
        let mut first = 0;
        let nodes = kept.iter().map(|&node| {
            let node = Node { first, ..self.nodes[node as usize] };
            first += node.count;
            node
        });
        let nodes: Vec<Node> = nodes.collect();
        self.nodes = nodes;
        let moved = edges.iter().map(|&edge| {
            let edge = self.edges[edge as usize];
            let to = if edge.to == NONE { NONE } else { numbers[edge.to as usize] };
            Edge { to, ..edge }
        });
        self.edges = moved.collect();
        self.scores = rows(&self.scores, 1, &edges);
        if let Some(adapted) = &mut self.adapted {
            adapted.keep(&kept, &edges);
        }
        if let Some(rave) = &mut self.rave {
            rave.keep(&edges);
        }
        if let Some(links) = &mut self.links {
            links.keep(&kept);
            for (from, node) in self.nodes.iter().enumerate() {
                for edge in node.first..node.first + node.count {
                    links.add_edge(from as u32);
                    let to = self.edges[edge as usize].to;
                    if to != NONE {
                        links.link(edge, to);
                    }
                }
            }
        }
        self.forget_knowledge_of_root();
    }

    #[inline]
    fn edges_of(&self, node: u32) -> &[Edge<G::Move>] {
        let Node { first, count, .. } = self.nodes[node as usize];
        &self.edges[first as usize..][..count as usize]
    }

    /// The bytes that the search takes.
    pub fn bytes(&self) -> u64 {
        let index = self.links.as_ref().map_or(0, Links::bytes_of_index);
        self.bytes_of(self.nodes.capacity(), self.edges.capacity()) + index
    }

    /// The bytes of so many nodes and edges, wherever something is kept for them: all lists grow
    /// together.
    fn bytes_of(&self, nodes: usize, edges: usize) -> u64 {
        let mut node = size_of::<Node>();
        let mut edge = size_of::<Edge<G::Move>>() + size_of::<Score>();
        if self.links.is_some() {
            node += Links::<G::Packed>::BYTES_OF_NODE;
            edge += Links::<G::Packed>::BYTES_OF_EDGE;
        }
        if let Some(adapted) = &self.adapted {
            node += adapted.bytes_of_node();
            edge += adapted.bytes_of_edge();
        }
        if self.rave.is_some() {
            edge += Rave::BYTES_OF_EDGE;
        }
        (nodes * node + edges * edge) as u64
    }

    /// Whether another node fits, and so many edges, and numbers are not used up.
    fn has_room(&self, edges: usize) -> bool {
        let grown = |length: usize, capacity: usize| {
            // While a list is moved, the old one stands beside the new one.
            if length > capacity { capacity + 2 * length } else { capacity }
        };
        let (nodes, edges) = (self.nodes.len() + 1, self.edges.len() + edges);
        let index = self.links.as_ref().map_or(0, |links| links.bytes_of_index_of(nodes));
        let bytes =
            self.bytes_of(grown(nodes, self.nodes.capacity()), grown(edges, self.edges.capacity()));
        bytes + index <= self.options.most_bytes && edges < NONE as usize
    }
}

/// Whose payoffs count where this agent moves: chance wants nothing, and gets the first one's.
#[inline]
fn viewer(agent: Agent) -> Agent {
    if agent == Agent::CHANCE { Agent::FIRST } else { agent }
}

/// These rows of a list, in this order.
fn rows<T: Copy>(list: &[T], width: usize, rows: &[u32]) -> Vec<T> {
    rows.iter().flat_map(|&row| list[row as usize * width..][..width].iter().copied()).collect()
}
