//! ABCD: Alpha-Beta (Considering Durations), Algorithm 11.
//!
//! A state in which both sides can act is turned into two choices in a row; who chooses first is
//! the policy's business. The first move is kept aside until the second is chosen from the same
//! state (*delayed action effect*), then both take effect together.
//!
//! As in the thesis: iterative deepening, a table, scripted move ordering, playouts at the leaves.
//! Ours: at the root the side that searches chooses first whatever the policy, since it must
//! commit itself; a random order is drawn from the hash of the state and a seed, so that a state
//! met twice is searched alike; the search is fail-soft; and if time runs out, what the unfinished
//! iteration has found counts as soon as it has tried the move that was best before. Where the
//! depth ends between the two moves of a simultaneous choice, Algorithm 11 lets the first take
//! effect alone; that is what static evaluations get here, too, but a playout begins with the
//! second as its script chooses it.

use std::time::Instant;

use foregone_model::{Rng, Side};

use crate::evaluate::{decided, ltd, ltd2, playout};
use crate::moves::Moves;
use crate::script::Script;
use crate::settings::{DEEPEST, Evaluation, Policy, Settings};
use crate::state::{Action, MAX_UNITS, Move, State};
use crate::table::{Bound, Table};

#[cfg(test)]
mod tests;

/// What a search has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What to do.
    pub orders: Move,
    /// The value of that for Max: an estimate, or beyond [`WIN`](crate::evaluate::WIN) when it
    /// sees the end. For [`Policy::Random`] the mean of the searches.
    pub value: i32,
    /// The depth of the last iteration that was finished.
    pub depth: u32,
    /// How many nodes were searched.
    pub nodes: u64,
    /// How many playouts were played to the end.
    pub playouts: u64,
}

/// A search with its table, for one side of one battle at a time.
#[derive(Clone, Debug)]
pub struct Searcher {
    settings: Settings,
    table: Table,
}

/// Time or nodes have run out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TimeOut;

/// The searches of [`Policy::Random`] for one decision, at most: more hardly change a mean.
const MAX_ROUNDS: u32 = 64;

/// The root moves that [`Policy::Random`] compares, at most.
const MAX_COMPARED: u32 = 256;

impl Searcher {
    /// A search with these settings and an empty table.
    pub fn new(settings: Settings) -> Searcher {
        let table = Table::new(settings.table);
        Searcher { settings, table }
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Forgets all that former decisions have found: for a new battle.
    pub fn forget(&mut self) {
        self.table.forget();
    }

    /// What `side` should do in `s`, in which it must be able to act.
    pub fn decide(&mut self, s: &State, side: Side) -> Decision {
        let Settings { policy, time, nodes, .. } = self.settings;
        // Without a limit on time the clock is never read: some platforms have none.
        let start = time.map(|time| (Instant::now(), time));
        let deadline = start.map(|(start, time)| start + time);
        let mut run = Run::new(&self.settings, &mut self.table, s, side);
        run.deadline = deadline;
        run.most_nodes = nodes.unwrap_or(u64::MAX);
        if policy != Policy::Random {
            return run.deepen(s, side);
        }
        // A first search, with a part of what there is, shows how deep one can go.
        run.deadline = start.map(|(start, time)| start + time / 4);
        run.most_nodes = nodes.map_or(u64::MAX, |n| n / 4);
        let first = run.deepen(s, side);
        run.deadline = deadline;
        run.most_nodes = nodes.unwrap_or(u64::MAX);
        run.repeat(s, side, first)
    }

    /// The value for Max of the sequentialised game that is cut at `depth` moves, where the
    /// policy also says who chooses first in `s`; Max does under the alternating ones. Only the
    /// horizon of the settings limits this search, not its time and nodes.
    pub fn value(&mut self, s: &State, depth: u32) -> i32 {
        self.value_within(s, depth, -i32::MAX, i32::MAX)
    }

    fn value_within(&mut self, s: &State, depth: u32, alpha: i32, beta: i32) -> i32 {
        let mut run = Run::new(&self.settings, &mut self.table, s, Side::Max);
        let value = run.abcd(s, depth.min(DEEPEST), None, Side::Max, alpha, beta);
        // Without limits no search is ever cut short.
        value.unwrap_or(0)
    }
}

/// Whom a coin picks for a state in which both sides could choose first.
#[inline]
fn coin(hash: u64, seed: u64) -> Side {
    if Rng::new(hash ^ seed).bits() & 1 == 0 { Side::Max } else { Side::Min }
}

/// Whether `a` is better than `b` for a side.
#[inline]
fn better(side: Side, a: i32, b: i32) -> bool {
    match side {
        Side::Max => a > b,
        Side::Min => a < b,
    }
}

/// The worst value for a side.
#[inline]
fn worst(side: Side) -> i32 {
    match side {
        Side::Max => -i32::MAX,
        Side::Min => i32::MAX,
    }
}

/// One decision while it is searched for.
struct Run<'a> {
    settings: &'a Settings,
    table: &'a mut Table,
    deadline: Option<Instant>,
    most_nodes: u64,
    nodes: u64,
    playouts: u64,
    /// The time from which on states are leaves.
    horizon: u32,
    /// The side that follows a known script, and the script. To know that a side acts at random
    /// is to know nothing: its next move cannot be predicted, and the mean of all is not searched.
    model: Option<(Side, Script)>,
    playout_scripts: [Script; 2],
    /// What the coins of this search are thrown with.
    seed: u64,
    /// Whether the depth has cut something off.
    cut: bool,
}

/// How often a search without playouts looks at the clock, in nodes.
const CLOCK: u64 = 32;

impl<'a> Run<'a> {
    fn new(settings: &'a Settings, table: &'a mut Table, s: &State, side: Side) -> Run<'a> {
        let mut playout_scripts = [settings.playout; 2];
        let model = settings.against.filter(|&script| script != Script::Random);
        let model = model.map(|script| (side.other(), script));
        if let Some((modelled, script)) = model {
            playout_scripts[modelled.index()] = script;
        }
        Run {
            settings,
            table,
            deadline: None,
            most_nodes: u64::MAX,
            nodes: 0,
            playouts: 0,
            horizon: settings.horizon.map_or(u32::MAX, |h| s.time.saturating_add(h)),
            model,
            playout_scripts,
            seed: settings.seed,
            cut: false,
        }
    }

    /// Counts a node and looks whether there is time left for it.
    #[inline]
    fn enter(&mut self) -> Result<(), TimeOut> {
        if self.nodes >= self.most_nodes {
            return Err(TimeOut);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(CLOCK) && self.is_late() { Err(TimeOut) } else { Ok(()) }
    }

    #[inline]
    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|d| Instant::now() >= d)
    }

    /// Searches deeper and deeper until time is up or there is nothing more to see.
    fn deepen(&mut self, s: &State, side: Side) -> Decision {
        let fallback = self.settings.playout.choose(s, side, &mut Rng::new(self.seed));
        let mut best: Option<(Move, i32)> = None;
        let mut finished = 0;
        for depth in 1..=self.settings.deepest() {
            self.cut = false;
            let mut found = None;
            let ended = self.root(s, side, depth, best.map(|b| b.0), &mut found);
            // Unfinished, it still counts if it began with the move that was best before.
            if ended.is_ok() || self.settings.ordering || best.is_none() {
                best = found.or(best);
            }
            if ended.is_err() {
                break;
            }
            finished = depth;
            if !self.cut {
                break;
            }
        }
        let (orders, value) = best.unwrap_or((fallback, 0));
        self.decision(orders, value, finished)
    }

    fn decision(&self, orders: Move, value: i32, depth: u32) -> Decision {
        Decision { orders, value, depth, nodes: self.nodes, playouts: self.playouts }
    }

    /// The best move of `side` at a depth; what is found so far is in `best` all the time.
    fn root(
        &mut self,
        s: &State,
        side: Side,
        depth: u32,
        suggested: Option<Move>,
        best: &mut Option<(Move, i32)>,
    ) -> Result<(), TimeOut> {
        self.enter()?;
        let mut moves = Moves::new(side, self.settings.ordering, suggested);
        let mut tried = 0;
        while tried < self.settings.width.unwrap_or(u32::MAX)
            && let Some(m) = moves.next(s)
        {
            tried += 1;
            let bound = best.map_or(worst(side), |b| b.1);
            let (alpha, beta) = match side {
                Side::Max => (bound, i32::MAX),
                Side::Min => (-i32::MAX, bound),
            };
            let value = self.after(s, depth, None, side, &m, side, alpha, beta)?;
            if best.is_none_or(|b| better(side, value, b.1)) {
                *best = Some((m, value));
            }
        }
        Ok(())
    }

    /// RAB: more searches at the depth that the `first` has finished, each with coins of its
    /// own. The move with the best sum of values wins.
    fn repeat(&mut self, s: &State, side: Side, first: Decision) -> Decision {
        let depth = first.depth.max(1);
        let mut scores: Vec<(Move, i64)> = Vec::new();
        let mut moves = Moves::new(side, self.settings.ordering, Some(first.orders));
        let most = self.settings.width.unwrap_or(MAX_COMPARED).min(MAX_COMPARED);
        while scores.len() < most as usize
            && let Some(m) = moves.next(s)
        {
            scores.push((m, 0));
        }
        let mut values = vec![0; scores.len()];
        let mut rounds = 0;
        'rounds: while rounds < MAX_ROUNDS {
            self.seed = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            for ((m, _), value) in scores.iter().zip(&mut values) {
                let (low, high) = (-i32::MAX, i32::MAX);
                match self.after(s, depth, None, side, m, side, low, high) {
                    Ok(v) => *value = v,
                    // An unfinished round would favour the moves that it has tried.
                    Err(TimeOut) => break 'rounds,
                }
            }
            for (score, &value) in scores.iter_mut().zip(&values) {
                score.1 += i64::from(value);
            }
            rounds += 1;
        }
        let mut best = None;
        for &(m, sum) in scores.iter().filter(|_| rounds > 0) {
            let mean = (sum / i64::from(rounds)) as i32;
            if best.is_none_or(|(_, b)| better(side, mean, b)) {
                best = Some((m, mean));
            }
        }
        let (orders, value) = best.unwrap_or((first.orders, first.value));
        self.decision(orders, value, first.depth)
    }

    /// Algorithm 11: the value for Max, with `pending` the move of the other side that is kept
    /// aside. `leader` is who chooses first at the next simultaneous choice, as far as the path
    /// decides that.
    fn abcd(
        &mut self,
        s: &State,
        depth: u32,
        pending: Option<&Move>,
        leader: Side,
        mut alpha: i32,
        mut beta: i32,
    ) -> Result<i32, TimeOut> {
        self.enter()?;
        // Step 1: ends and leaves.
        if s.over() {
            return Ok(self.estimate(s));
        }
        let hash = s.hash();
        if depth == 0 || s.time >= self.horizon {
            self.cut |= depth == 0;
            return self.leaf(s, hash);
        }
        // Step 2: whose choice it is.
        let side = match (s.can_act(Side::Max), s.can_act(Side::Min)) {
            (true, false) => Side::Max,
            (false, true) => Side::Min,
            _ => match (pending, self.model, self.settings.policy) {
                // The leader then is the side whose move is kept aside.
                (Some(_), _, _) => leader.other(),
                // A script does not look at the other side's move: any order will do.
                (None, Some((modelled, _)), _) => modelled.other(),
                (None, None, Policy::Alternate | Policy::AlternateLast) => leader,
                (None, None, Policy::Random | Policy::RandomOnce) => coin(hash, self.seed),
                (None, None, Policy::Maxmin) => Side::Max,
                (None, None, Policy::Minmax) => Side::Min,
            },
        };
        // Step 3: a side that follows a known script has one move.
        if let Some((_, script)) = self.model.filter(|m| m.0 == side) {
            let m = script.choose(s, side, &mut Rng::new(hash));
            return self.after(s, depth, pending, side, &m, leader, alpha, beta);
        }
        // Step 4: what the table knows.
        let key = self.key(s, hash, pending, leader);
        let mut suggested = None;
        if let Some(entry) = self.table.find(key) {
            if u32::from(entry.depth) >= depth {
                let decides = match entry.bound {
                    Bound::Exact => true,
                    Bound::Least => entry.value >= beta,
                    Bound::Most => entry.value <= alpha,
                };
                if decides {
                    self.cut = true;
                    return Ok(entry.value);
                }
            }
            suggested = Some(entry.best);
        }
        // Step 5: the moves, as long as they can matter.
        let (low, high) = (alpha, beta);
        let mut best = ([Action::Idle; MAX_UNITS], worst(side));
        let mut moves = Moves::new(side, self.settings.ordering, suggested);
        let mut tried = 0;
        while tried < self.settings.width.unwrap_or(u32::MAX)
            && let Some(m) = moves.next(s)
        {
            let value = self.after(s, depth, pending, side, &m, leader, alpha, beta)?;
            if tried == 0 || better(side, value, best.1) {
                best = (m, value);
            }
            tried += 1;
            match side {
                Side::Max => alpha = alpha.max(value),
                Side::Min => beta = beta.min(value),
            }
            if alpha >= beta {
                break;
            }
        }
        // Step 6: remember.
        let bound = match best.1 {
            v if v <= low => Bound::Most,
            v if v >= high => Bound::Least,
            _ => Bound::Exact,
        };
        self.table.store(key, best.1, depth, bound, best.0);
        Ok(best.1)
    }

    /// The value of `s` when `side` plays `m` in it: as a move kept aside where the other side
    /// can act, too, and there is depth left for it; else with its effects.
    #[expect(clippy::too_many_arguments, reason = "the arguments of Algorithm 11 and the move")]
    #[inline]
    fn after(
        &mut self,
        s: &State,
        depth: u32,
        pending: Option<&Move>,
        side: Side,
        m: &Move,
        leader: Side,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, TimeOut> {
        if pending.is_none() && depth != 1 && s.can_act(side.other()) {
            return self.abcd(s, depth - 1, Some(m), side, alpha, beta);
        }
        let mut next = *s;
        if let Some(other) = pending {
            next.give(side.other(), other);
        }
        if pending.is_none() && self.settings.evaluation == Evaluation::Playout {
            // No depth is left for the other side's choice, which the playout makes in its
            // place, from the same state: else these shots would kill before it is made.
            let other = side.other();
            if s.can_act(other) {
                let script = self.playout_scripts[other.index()];
                next.give(other, &script.choose(s, other, &mut Rng::new(0)));
            }
        }
        next.give(side, m);
        next.settle();
        let leader = match self.settings.policy {
            // Who has chosen second, and so acted last, comes first next time.
            Policy::Alternate if pending.is_some() => side,
            Policy::AlternateLast => side,
            Policy::Alternate => leader,
            // Others do not ask: one leader for all, so that the table sees that they are alike.
            _ => Side::Max,
        };
        self.abcd(&next, depth - 1, None, leader, alpha, beta)
    }

    /// What a state is looked up by: all that its value depends on.
    #[inline]
    fn key(&self, s: &State, hash: u64, pending: Option<&Move>, leader: Side) -> u64 {
        let mut word = 1 + leader.index() as u64;
        if let Some(m) = pending {
            let codes = m.iter().fold(0, |w, a| w << 5 | u64::from(a.code()));
            word += (codes + 1) << 2;
        }
        let model = self.model.map_or(0, |(side, _)| 1 + side.index() as u64);
        let left = u64::from(self.horizon.wrapping_sub(s.time));
        let left = if self.horizon == u32::MAX { 0 } else { left + 1 };
        let coins = match self.settings.policy {
            Policy::Random | Policy::RandomOnce => self.seed,
            _ => 0,
        };
        let rest = Rng::new(word ^ coins.rotate_left(17) ^ left << 44 ^ model << 62).bits();
        hash ^ rest
    }

    /// The value of a state that is not searched further. Playouts are remembered.
    #[inline]
    fn leaf(&mut self, s: &State, hash: u64) -> Result<i32, TimeOut> {
        if self.settings.evaluation != Evaluation::Playout {
            return Ok(self.estimate(s));
        }
        let model = self.model.map_or(2, |(side, _)| 3 + side.index() as u64);
        let key = hash ^ Rng::new(model << 59).bits();
        if let Some(entry) = self.table.find(key) {
            return Ok(entry.value);
        }
        let deadline = self.deadline;
        let is_late = || deadline.is_some_and(|d| Instant::now() >= d);
        if is_late() {
            return Err(TimeOut);
        }
        let value =
            playout(*s, self.playout_scripts, &mut Rng::new(hash), is_late).ok_or(TimeOut)?;
        self.playouts += 1;
        self.table.store(key, value, 0, Bound::Exact, [Action::Idle; MAX_UNITS]);
        Ok(value)
    }

    /// The value of a state as it stands.
    #[inline]
    fn estimate(&self, s: &State) -> i32 {
        match self.settings.evaluation {
            Evaluation::Ltd => decided(s, ltd(s)),
            Evaluation::Ltd2 | Evaluation::Playout => decided(s, ltd2(s)),
        }
    }
}
