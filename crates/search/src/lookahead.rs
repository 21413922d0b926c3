//! Looks some moves ahead and judges what it sees there by the game's own estimate
//! ([`Guide::evaluate`]): alpha-beta for who has to move and cannot solve the position.
//!
//! D. Knuth and R. Moore, *An analysis of alpha-beta pruning* (1975), in the form of principal
//! variation search (T. Marsland, 1982), deeper and deeper, with a table, killer moves and the history
//! heuristic (J. Schaeffer, 1989). It proves nothing: estimates are guesses, and its table forgets.

use std::cmp::Reverse;

use foregone_model::{Agent, Endless, Guide, Outcome, Side, Turn};

use crate::plays::{LABELS, label_of};
use crate::table::Index;

/// A win at once; every move before it costs one.
const WON: i32 = 1_000_000;
/// From here on a value is that of an end of the game.
const ENDS: i32 = WON - 10_000;
/// Estimates are between minus this and this.
const SURE: f64 = 10_000.0;
/// Nobody looks further.
const DEEPEST: u32 = 200;
/// The entries of the table, as a power of two.
const TABLE: u32 = 18;
/// How many nodes lie between two questions whether to stop.
const PAUSE: u64 = 256;

/// What was found out about a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foresight<M> {
    /// The move to make.
    pub best: M,
    /// What share of the points the mover expects, from 0 to 1.
    pub expects: f64,
    /// How many moves it looked ahead.
    pub depth: u32,
    /// Whether everything behind the position was seen: looking further is of no use.
    pub complete: bool,
    /// The positions that it looked at.
    pub nodes: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Exact,
    Least,
    Most,
}

#[derive(Clone)]
struct Entry<K, M> {
    key: K,
    agent: Agent,
    depth: u32,
    bound: Bound,
    value: i32,
    /// Whether it rests on an estimate.
    estimated: bool,
    best: M,
}

/// A search that looks ahead, kept from move to move for its table.
pub struct Lookahead<'g, G: Guide> {
    game: &'g G,
    best_outcome: f64,
    table: Vec<Option<Entry<G::Packed, G::Move>>>,
    history: Vec<u32>,
    killers: Vec<[Option<G::Move>; 2]>,
    nodes: u64,
    limit: u64,
    stopped: bool,
    /// Whether some line was judged by an estimate.
    estimated: bool,
}

impl<'g, G: Guide> Lookahead<'g, G> {
    /// A search in a game of two players, or nothing where the game does not evaluate, has chance, or
    /// has more players.
    pub fn new(game: &'g G) -> Option<Lookahead<'g, G>> {
        let start = game.start();
        let judged = game.turn(&start) == Turn::Over || game.evaluate(&start).is_some();
        if !judged || game.has_chance() || game.agents() != 2 {
            return None;
        }
        let best_outcome = f64::from(game.scale().best().0);
        Some(Lookahead {
            game,
            best_outcome,
            table: vec![None; 1 << TABLE],
            history: vec![0; 2 * LABELS],
            killers: vec![[None; 2]; DEEPEST as usize + 1],
            nodes: 0,
            limit: u64::MAX,
            stopped: false,
            estimated: false,
        })
    }

    /// The best move of a position that is not over, found by looking at most so far ahead at so many
    /// positions at most, as long as `goes_on` says so. Nothing if there was no time for one.
    pub fn choose(
        &mut self,
        s: &G::State,
        depth: u32,
        nodes: u64,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Option<Foresight<G::Move>> {
        let Turn::Agent(agent) = self.game.turn(s) else { return None };
        (self.nodes, self.limit, self.stopped) = (0, nodes, false);
        self.history.iter_mut().for_each(|count| *count /= 8);
        self.killers.fill([None; 2]);
        let mut moves = Vec::new();
        self.game.in_order(s, agent, &mut moves);
        let mut found = None;
        for depth in 1..=depth.clamp(1, DEEPEST) {
            self.estimated = false;
            let Some((place, value)) = self.root(s, agent, &moves, depth, goes_on) else { break };
            // The best move is looked at first in the next round.
            moves[..=place].rotate_right(1);
            let complete = !self.estimated || value.abs() >= ENDS;
            found = Some(Foresight {
                best: moves[0],
                expects: 0.5 + 0.5 * f64::from(value.clamp(-SURE as i32, SURE as i32)) / SURE,
                depth,
                complete,
                nodes: self.nodes,
            });
            if complete {
                break;
            }
        }
        found.map(|found| Foresight { nodes: self.nodes, ..found })
    }

    /// The best of the moves of the root, and what it is worth; nothing if it was stopped before the
    /// first one was judged. What was found out about the first ones counts.
    fn root(
        &mut self,
        s: &G::State,
        agent: Agent,
        moves: &[G::Move],
        depth: u32,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Option<(usize, i32)> {
        let (mut best, mut alpha) = (None, -WON - 1);
        for (place, &m) in moves.iter().enumerate() {
            let mut next = s.clone();
            self.game.play(&mut next, agent, m);
            let value = self.behind(&next, agent, depth, (alpha, WON + 1), 1, place > 0, goes_on);
            if self.stopped {
                return best;
            }
            if value > alpha {
                (best, alpha) = (Some((place, value)), value);
            }
        }
        best
    }

    /// What a position is worth to `agent`, who has just moved there.
    #[allow(clippy::too_many_arguments, reason = "a window, a depth and a place in the search")]
    fn behind(
        &mut self,
        next: &G::State,
        agent: Agent,
        depth: u32,
        (alpha, beta): (i32, i32),
        ply: u32,
        narrow: bool,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> i32 {
        // Who moves twice in a row sees things the same way.
        let mut ask = |search: &mut Self, low: i32, high: i32| match search.game.turn(next) {
            Turn::Agent(mover) if mover == agent => {
                search.value(next, depth - 1, (low, high), ply, goes_on)
            }
            Turn::Over => {
                let end = search.end(search.game.outcome(next), ply);
                if Side::of(agent) == Side::Max { end } else { -end }
            }
            _ => -search.value(next, depth - 1, (-high, -low), ply, goes_on),
        };
        if narrow {
            // Step 1: is it better than the best so far? Mostly it is not.
            let value = ask(self, alpha, alpha + 1);
            if value <= alpha || value >= beta || self.stopped {
                return value;
            }
        }
        ask(self, alpha, beta)
    }

    /// What an outcome is worth to the first agent after so many moves: more than any estimate, unless
    /// it lies in the middle.
    fn end(&self, outcome: Outcome, ply: u32) -> i32 {
        let place = 2.0 * f64::from(outcome.0) / self.best_outcome - 1.0;
        // Of two wins the higher is better, and then the sooner.
        let size = WON - 9_000 + (place.abs() * 8_000.0) as i32 - ply as i32;
        if place > 0.0 {
            size
        } else if place < 0.0 {
            -size
        } else {
            0
        }
    }

    /// What a position that is not over is worth to who is to move.
    fn value(
        &mut self,
        s: &G::State,
        depth: u32,
        (mut alpha, beta): (i32, i32),
        ply: u32,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> i32 {
        let Turn::Agent(agent) = self.game.turn(s) else { return 0 };
        let sign = if Side::of(agent) == Side::Max { 1 } else { -1 };
        // Step 1: whether to go on.
        self.nodes += 1;
        if self.nodes >= self.limit || (self.nodes.is_multiple_of(PAUSE) && !goes_on()) {
            self.stopped = true;
        }
        if self.stopped {
            return 0;
        }
        // Step 2: what is known, or estimated at the edge of what is looked at.
        if let Some(known) = self.game.known(s)
            && known.at_least == known.at_most
        {
            return sign * self.end(known.at_least, ply + 1);
        }
        if ply >= DEEPEST {
            self.estimated = true;
            return match self.game.endless_from(s) {
                Endless::Scores(outcome) => sign * self.end(outcome, 0),
                Endless::Impossible | Endless::Undetermined => 0,
            };
        }
        if depth == 0 {
            self.estimated = true;
            let chances = self.game.evaluate(s).unwrap_or(0.5);
            return sign * ((2.0 * chances - 1.0) * (SURE - 1.0)) as i32;
        }
        // Step 3: what the table remembers.
        let key = self.game.pack(s);
        let slot = (Index::hash(&key).wrapping_add(u32::from(agent.0)) as usize) % self.table.len();
        let mut first = None;
        if let Some(entry) = &self.table[slot]
            && entry.agent == agent
            && entry.key == key
        {
            first = Some(entry.best);
            let decides = match entry.bound {
                Bound::Exact => true,
                Bound::Least => entry.value >= beta,
                Bound::Most => entry.value <= alpha,
            };
            if (entry.depth >= depth || !entry.estimated) && decides {
                self.estimated |= entry.estimated;
                return entry.value;
            }
        }
        // Step 4: the moves, the most promising first.
        let estimated = std::mem::replace(&mut self.estimated, false);
        let moves = self.sorted(s, agent, ply, first);
        let (mut best, mut most, low) = (moves[0], i32::MIN, alpha);
        for (place, &m) in moves.iter().enumerate() {
            let mut next = s.clone();
            self.game.play(&mut next, agent, m);
            let narrow = place > 0;
            let value = self.behind(&next, agent, depth, (alpha, beta), ply + 1, narrow, goes_on);
            if self.stopped {
                return 0;
            }
            if value > most {
                (best, most) = (m, value);
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                self.praise(s, agent, m, depth, ply);
                break;
            }
        }
        let own = self.estimated;
        self.estimated |= estimated;
        // Step 5: remember. Ends are so many moves away from here, not from the root: they are left
        // out.
        if most.abs() < ENDS {
            let bound = match most {
                value if value >= beta => Bound::Least,
                value if value > low => Bound::Exact,
                _ => Bound::Most,
            };
            self.table[slot] =
                Some(Entry { key, agent, depth, bound, value: most, estimated: own, best });
        }
        most
    }

    /// The moves of a position: the table's, killers, and the others by their history; among equals as
    /// the game orders them.
    fn sorted(&self, s: &G::State, agent: Agent, ply: u32, first: Option<G::Move>) -> Vec<G::Move> {
        let mut moves = Vec::with_capacity(32);
        self.game.promising(s, agent, &mut moves);
        if moves.is_empty() {
            // All of them lose at once.
            self.game.moves(s, agent, &mut moves);
        }
        let killers = self.killers[ply as usize];
        moves.sort_by_cached_key(|&m| {
            let rank = match m {
                _ if first == Some(m) => u32::MAX,
                _ if killers[0] == Some(m) => u32::MAX - 1,
                _ if killers[1] == Some(m) => u32::MAX - 2,
                _ => self.history[self.class(s, agent, m)],
            };
            Reverse(rank)
        });
        moves
    }

    fn class(&self, s: &G::State, agent: Agent, m: G::Move) -> usize {
        let label = label_of(self.game.move_class(s, agent, m), m);
        Side::of(agent).index() * LABELS + label
    }

    /// Remembers a move that was too good for the other side.
    fn praise(&mut self, s: &G::State, agent: Agent, m: G::Move, depth: u32, ply: u32) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
        let class = self.class(s, agent, m);
        self.history[class] = self.history[class].saturating_add(depth * depth);
    }
}
