//! Depth first search with a table and move ordering (`alphabeta`).
//!
//! Alpha-beta (D. Knuth and R. Moore, 1975) where there are two outcomes: a move that reaches the
//! better one cuts off all others, and no bounds are left to narrow. Plain depth first, or by
//! iterative deepening with a third value for what lies beyond the horizon. Moves are tried in
//! this order: the move of the table, two killer moves (S. Akl and M. Newborn, 1977), then by the
//! history heuristic (J. Schaeffer, 1983), by the game's own ordering, or by how often each move
//! won in random plays (T. Cazenave, *Solving Games*, 2018: Monte Carlo move ordering).
//!
//! **Cycles** (the graph history interaction, M. Campbell 1985; A. Kishimoto and M. Müller 2004).
//! A result may rest on a repetition of a state of the path. It then depends on that path, and is
//! not put into the table; it becomes a fact where the search returns to the state that was
//! repeated. See [`Frame::rests_on`].

use std::hash::BuildHasher;
use std::ops::ControlFlow;

use foregone_model::{Look, Outcome, Rng, Side, Space};

use super::tree::over;
use crate::proof::{Again, Fact, Recall, extract};
use crate::report::{Counts, Limits, Progress, Report, StopReason, Watch};
use crate::table::{Quick, Table};

/// How `alphabeta` orders moves and walks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// What comes after the table's move and the killers.
    pub by: OrderBy,
    /// Whether the search deepens step by step instead of going to the end at once.
    pub deepen: bool,
    /// The seed of random plays.
    pub seed: u64,
}

/// What moves are ordered by, behind the table's move and the killers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderBy {
    /// Nothing: the order of the rules.
    Rules,
    /// The game's own ordering, then the order of the rules.
    Game,
    /// The moves that cut off most often come first.
    History,
    /// The moves that won most often in this many random plays come first.
    MonteCarlo(u32),
}

const TICK: u64 = 1024;
/// Moves are told apart by their hash in the history; a collision mixes two of them up.
const SLOTS: usize = 1 << 10;
/// A result that rests on no state of the path.
const FREE: u32 = u32::MAX;

/// What is known of a state, for Max: -1 lost, 1 won, 0 not within the horizon.
type Three = i8;

fn three(outcome: Outcome) -> Three {
    if outcome == Outcome::WIN { 1 } else { -1 }
}

fn best_of(side: Side) -> Three {
    if side == Side::Max { 1 } else { -1 }
}

/// An entry of the table.
#[derive(Clone, Copy)]
struct Entry<M> {
    value: Three,
    /// How deep an unsolved state was searched.
    depth: u16,
    /// When it was found out.
    when: u32,
    best: Option<M>,
}

/// One choice of the path.
struct Frame<S, M> {
    state: S,
    side: Side,
    /// Where its steps begin in the common list, and which one is being tried.
    first: usize,
    current: usize,
    /// The lowest place on the path that the results of its children rest on.
    rests_on: u32,
    /// Some child lies beyond the horizon.
    open: bool,
    depth: u16,
    work: u64,
    best: Option<M>,
}

/// A value and the lowest place on the path that it rests on.
type Result = (Three, u32);

struct Search<'a, Sp: Space> {
    space: &'a Sp,
    order: Order,
    table: Table<Sp::State, Entry<Sp::Step>>,
    path: Vec<Frame<Sp::State, Sp::Step>>,
    steps: Vec<Sp::Step>,
    killers: Vec<[Option<Sp::Step>; 2]>,
    history: [Vec<u32>; 2],
    scratch: Vec<(u32, Sp::Step)>,
    facts: u32,
    counts: Counts,
}

/// Searches until the root is solved or the limits or the watch end it. The proof is found by a
/// second walk, which may take `proof_nodes` nodes where the table has forgotten.
pub fn alphabeta<Sp: Space>(
    space: &Sp,
    order: Order,
    limits: Limits,
    proof_nodes: u64,
    watch: &mut impl Watch<Sp::Step>,
) -> Report<Sp::Step> {
    let root = space.root();
    if let Look::Over(o) = space.look_at_root(&root) {
        return over(o);
    }
    // The path and the proof need a little besides the table.
    let table_bytes = limits.bytes / 8 * 7;
    let mut search = Search {
        space,
        order,
        // In a space with cycles a proof needs to know what was proved before what.
        table: Table::new(table_bytes, space.repetition().is_some()),
        path: Vec::new(),
        steps: Vec::new(),
        killers: Vec::new(),
        history: [vec![0; SLOTS], vec![0; SLOTS]],
        scratch: Vec::new(),
        facts: 0,
        counts: Counts::default(),
    };
    if let OrderBy::MonteCarlo(plays) = order.by {
        search.sample(plays);
    }
    let found = search.solve(root, limits, watch);
    let (stop, value) = match found {
        Ok(outcome) => (StopReason::Solved, Some(outcome)),
        Err(reason) => (reason, None),
    };
    let counts =
        Counts { peak_bytes: search.counts.peak_bytes.max(search.bytes()), ..search.counts };
    let solution = value.and_then(|outcome| {
        let nodes = search.counts.nodes.saturating_add(proof_nodes);
        let limits = Limits { nodes, ..limits };
        extract(space, outcome, &mut Again { search, outcome, limits, watch })
    });
    Report { stop, value, solution, line: Vec::new(), counts }
}

impl<Sp: Space> Search<'_, Sp> {
    /// The value of a state that is a choice.
    fn solve(
        &mut self,
        root: Sp::State,
        limits: Limits,
        watch: &mut impl Watch<Sp::Step>,
    ) -> std::result::Result<Outcome, StopReason> {
        let mut depth = if self.order.deepen { 1 } else { u16::MAX };
        loop {
            self.path.clear();
            self.steps.clear();
            match self.run(root.clone(), depth, limits, watch)? {
                1 => return Ok(Outcome::WIN),
                -1 => return Ok(Outcome::LOSS),
                _ => depth = depth.saturating_add(1),
            }
        }
    }

    fn run(
        &mut self,
        root: Sp::State,
        depth: u16,
        limits: Limits,
        watch: &mut impl Watch<Sp::Step>,
    ) -> std::result::Result<Three, StopReason> {
        let (mut state, mut depth) = (root, depth);
        loop {
            // Step 1: into a state. A choice goes on with its first step.
            let mut result = loop {
                if self.counts.nodes >= limits.nodes {
                    return Err(StopReason::Nodes);
                }
                match self.enter(state, depth) {
                    Some(result) => break result,
                    None => (state, depth) = self.next_state(),
                }
                if self.counts.expansions.is_multiple_of(TICK) {
                    self.look_around(watch)?;
                }
            };
            // Step 2: back up as long as states are decided by it.
            (state, depth) = loop {
                match self.leave(result) {
                    Up::Next => break self.next_state(),
                    Up::Decided(r) => result = r,
                    Up::Root => return Ok(result.0),
                }
            };
        }
    }

    /// Visits a state. Its value, or nothing when it is a choice: then it ends the path.
    fn enter(&mut self, state: Sp::State, depth: u16) -> Option<Result> {
        self.counts.nodes += 1;
        if let Some(outcome) = self.space.repetition()
            && let Some(place) = self.path.iter().position(|f| f.state == state)
        {
            return Some((three(outcome), place as u32));
        }
        let looked = match self.path.is_empty() {
            true => self.space.look_at_root(&state),
            false => self.space.look(&state),
        };
        let side = match looked {
            Look::Over(outcome) => return Some((three(outcome), FREE)),
            Look::Choice(side) => side,
        };
        // The search goes on from the position that stands for all images, so that the moves of
        // the table are moves of the position at hand.
        let state = self.space.key(&state);
        let known = self.table.get(&state).copied();
        if let Some(entry) = known
            && (entry.value != 0 || entry.depth >= depth)
        {
            return Some((entry.value, FREE));
        }
        if depth == 0 {
            return Some((0, FREE));
        }
        self.counts.expansions += 1;
        let first = self.steps.len();
        self.space.steps(&state, side, &mut self.steps);
        self.sort(&state, side, first, known.and_then(|e| e.best));
        let work = self.counts.nodes;
        self.path.push(Frame {
            state,
            side,
            first,
            current: first,
            rests_on: FREE,
            open: false,
            depth,
            work,
            best: None,
        });
        None
    }

    /// Puts the most promising steps first.
    fn sort(&mut self, state: &Sp::State, side: Side, first: usize, best: Option<Sp::Step>) {
        match self.order.by {
            OrderBy::Rules => {}
            OrderBy::Game => self.space.order(state, side, &mut self.steps[first..]),
            OrderBy::History | OrderBy::MonteCarlo(_) => {
                let history = &self.history[side.index()];
                self.scratch.clear();
                let scored = |&step: &Sp::Step| (u32::MAX - history[slot(step)], step);
                self.scratch.extend(self.steps[first..].iter().map(scored));
                self.scratch.sort_by_key(|&(score, _)| score);
                for (to, &(_, step)) in self.steps[first..].iter_mut().zip(&self.scratch) {
                    *to = step;
                }
            }
        }
        let killers = self.killers.get(self.path.len()).copied().unwrap_or_default();
        // The last one brought to the front is the first one tried.
        for step in [killers[1], killers[0], best].into_iter().flatten() {
            if let Some(i) = self.steps[first..].iter().position(|&s| s == step) {
                self.steps[first..=first + i].rotate_right(1);
            }
        }
    }

    /// The state behind the current step of the last choice, and how deep to look into it.
    fn next_state(&self) -> (Sp::State, u16) {
        let frame = &self.path[self.path.len() - 1];
        let mut next = frame.state.clone();
        self.space.take(&mut next, frame.side, self.steps[frame.current]);
        let depth = if frame.depth == u16::MAX { u16::MAX } else { frame.depth - 1 };
        (next, depth)
    }

    /// Tells the last choice what its current step is worth.
    fn leave(&mut self, (value, rests_on): Result) -> Up {
        let place = self.path.len().wrapping_sub(1) as u32;
        let Some(frame) = self.path.last_mut() else { return Up::Root };
        let step = self.steps[frame.current];
        let good = value == best_of(frame.side);
        let result = if good {
            frame.best = Some(step);
            frame.rests_on = rests_on;
            value
        } else {
            frame.open |= value == 0;
            frame.rests_on = frame.rests_on.min(rests_on);
            if frame.current + 1 < self.steps.len() {
                frame.current += 1;
                return Up::Next;
            }
            if frame.open { 0 } else { -best_of(frame.side) }
        };
        if let Some(frame) = self.path.pop() {
            if good {
                self.remember(frame.side, step);
            }
            self.steps.truncate(frame.first);
            let work = self.counts.nodes - frame.work;
            // What rests on this very state, or on states behind it, holds on every path.
            if frame.rests_on >= place {
                self.facts += 1;
                let (depth, best) = (frame.depth, frame.best);
                let entry = Entry { value: result, depth, when: self.facts, best };
                self.table.put(frame.state, entry, work + 1);
                return Up::Decided((result, FREE));
            }
            return Up::Decided((result, frame.rests_on));
        }
        Up::Root
    }

    /// A step that cut off is a killer at its depth, and has a history.
    fn remember(&mut self, side: Side, step: Sp::Step) {
        let place = self.path.len();
        if self.killers.len() <= place {
            self.killers.resize(place + 1, [None, None]);
        }
        let killers = &mut self.killers[place];
        if killers[0] != Some(step) {
            killers[1] = killers[0];
            killers[0] = Some(step);
        }
        if self.order.by == OrderBy::History {
            let score = &mut self.history[side.index()][slot(step)];
            *score = score.saturating_add(1);
        }
    }

    /// Random plays from the root: how often each side won with each of its steps.
    fn sample(&mut self, plays: u32) {
        let mut rng = Rng::new(self.order.seed);
        let mut tried = [vec![0u32; SLOTS], vec![0u32; SLOTS]];
        let mut won = tried.clone();
        let mut steps = Vec::new();
        let mut played = Vec::new();
        for _ in 0..plays {
            let mut state = self.space.root();
            played.clear();
            let outcome = loop {
                match self.space.look(&state) {
                    Look::Over(outcome) => break Some(outcome),
                    Look::Choice(_) if played.len() > 1000 => break None,
                    Look::Choice(side) => {
                        steps.clear();
                        self.space.steps(&state, side, &mut steps);
                        let step = steps[rng.below(steps.len() as u32) as usize];
                        self.space.take(&mut state, side, step);
                        played.push((side, slot(step)));
                    }
                }
            };
            self.counts.playouts += 1;
            let Some(outcome) = outcome else { continue };
            for &(side, slot) in &played {
                tried[side.index()][slot] += 1;
                won[side.index()][slot] += u32::from(three(outcome) == best_of(side));
            }
        }
        for side in [0, 1] {
            for slot in 0..SLOTS {
                let share = u64::from(won[side][slot]) * 1_000_000;
                self.history[side][slot] = (share / u64::from(tried[side][slot].max(1))) as u32;
            }
        }
    }

    fn bytes(&self) -> u64 {
        self.table.bytes()
            + (self.path.capacity() * size_of::<Frame<Sp::State, Sp::Step>>()
                + self.steps.capacity() * size_of::<Sp::Step>()) as u64
    }

    fn look_around(
        &mut self,
        watch: &mut impl Watch<Sp::Step>,
    ) -> std::result::Result<(), StopReason> {
        self.counts.peak_bytes = self.counts.peak_bytes.max(self.bytes());
        let line: Vec<Sp::Step> = self.path.iter().map(|f| self.steps[f.current]).collect();
        let progress = Progress { counts: self.counts, root: &"depth first", line: &line };
        match watch.tick(&progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(reason) => Err(reason),
        }
    }
}

fn slot<M: std::hash::Hash>(step: M) -> usize {
    Quick::default().hash_one(step) as usize & (SLOTS - 1)
}

/// Where a search goes after a state is decided.
enum Up {
    Next,
    Decided(Result),
    Root,
}

impl<Sp: Space> Recall<Sp> for Search<'_, Sp> {
    fn recall(&self, key: &Sp::State) -> Option<Fact<Sp::Step>> {
        let entry = self.table.get(key).filter(|e| e.value != 0)?;
        let outcome = if entry.value > 0 { Outcome::WIN } else { Outcome::LOSS };
        Some(Fact { outcome, when: u64::from(entry.when), best: entry.best })
    }

    fn again(
        &mut self,
        s: Sp::State,
        limits: Limits,
        watch: &mut impl Watch<Sp::Step>,
    ) -> Option<Fact<Sp::Step>> {
        let outcome = self.solve(s, limits, watch).ok()?;
        Some(Fact { outcome, when: u64::from(self.facts), best: None })
    }
}
