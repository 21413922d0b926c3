//! max^n: every player goes for its own score.
//!
//! After C. A. Luckhardt and K. B. Irani, *An Algorithmic Solution of N-Person Games* (1986), with
//! the prunings of R. E. Korf, *Multi-Player Alpha-Beta Pruning* (1991):
//!
//! * *direct*: who moves has what it can get at most, so its other moves do not matter;
//! * *shallow*: who moves has so much that the player before it gets no more here than it already
//!   has elsewhere, so this position will not be chosen.
//!
//! Korf's bounds come from a bound of the sum of all scores. Here they come from the outcomes
//! themselves: what a player gets at most, where another one gets at least so much. That is never
//! weaker, and needs no sum. Deep pruning, by what players further up have, is wrong for more than
//! two of them.
//!
//! Ties decide: of equally good moves the first one in the order of the rules stays. A position
//! that was cut is never better than what its predecessor has, so the result with pruning is that
//! without, tie for tie. Mirror images are not taken as one, since their moves come in another
//! order.
//!
//! Positions are remembered in a table. One that comes up again while it is still open is a cycle,
//! for which backward induction has no value: the search says so and ends.

use std::collections::HashMap;
use std::ops::ControlFlow;

use foregone_model::{Agent, Game, Outcome, Turn};

use crate::report::{Counts, Limits, Plain, Progress, StopReason, Watch};
use crate::table::Quick;

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended<S> {
    /// The position comes to this outcome.
    Solved(Outcome),
    /// It was ended before.
    Early(StopReason),
    /// This position came up again on its own way: it has no value by backward induction.
    Repeats(S),
}

/// What a search returns.
#[derive(Clone, Debug)]
pub struct ManyReport<G: Game> {
    /// How it ended.
    pub ended: Ended<G::State>,
    /// What is played from the start to the end of the game.
    pub line: Vec<G::Move>,
    /// Without pruning, every position that was met and is not over, and what is played there, each
    /// behind all that it leads to: what a certificate needs.
    pub lines: Vec<(G::State, G::Move)>,
    /// What it did.
    pub counts: Counts,
}

/// What `start` comes to by max^n, with pruning or without. The game has no chance.
pub fn maxn<G: Game>(
    game: &G,
    start: &G::State,
    prune: bool,
    limits: Limits,
    watch: &mut dyn Watch<G::Move>,
) -> ManyReport<G> {
    assert!(!game.has_chance(), "max^n has no place for chance");
    let scores = Scores::new(game);
    let table = HashMap::default();
    let mut search = Search {
        game,
        scores,
        prune,
        limits,
        watch,
        counts: Counts::default(),
        table,
        frames: Vec::new(),
        moves: Vec::new(),
        solved: 0,
    };
    let ended = match search.run(start) {
        Ok(outcome) => Ended::Solved(outcome),
        Err(Stopped::Early(reason)) => Ended::Early(reason),
        Err(Stopped::Repeats(s)) => Ended::Repeats(*s),
    };
    search.weigh();
    let counts = search.counts;
    let (mut line, mut lines) = (Vec::new(), Vec::new());
    if let Ended::Solved(_) = ended {
        line = search.line(start);
        if !prune {
            lines = search.into_lines();
        }
    }
    ManyReport { ended, line, lines, counts }
}

/// The scores of all outcomes, as ranks: the number of different scores below.
struct Scores {
    /// For each agent the rank of each outcome.
    ranks: Vec<Vec<u16>>,
    /// For each two agents, by the rank that the second one gets at least: the rank that the first
    /// one gets at most.
    most: Vec<Vec<Vec<u16>>>,
}

impl Scores {
    fn new<G: Game>(game: &G) -> Scores {
        let outcomes = || (0..=game.scale().best().0).map(Outcome);
        let ranks: Vec<Vec<u16>> = (0..game.agents())
            .map(|agent| {
                let scores: Vec<i64> = outcomes().map(|o| game.score(o, Agent(agent))).collect();
                let mut different = scores.clone();
                different.sort_unstable();
                different.dedup();
                let rank = |score: &i64| different.partition_point(|d| d < score) as u16;
                scores.iter().map(rank).collect()
            })
            .collect();
        let most = |first: &Vec<u16>, second: &Vec<u16>| {
            let top = second.iter().max().copied().unwrap_or(0);
            let mut most = vec![0; usize::from(top) + 1];
            for (&of_first, &of_second) in first.iter().zip(second) {
                let place = &mut most[usize::from(of_second)];
                *place = of_first.max(*place);
            }
            // Who gets a rank or more may get any above it.
            for rank in (1..most.len()).rev() {
                most[rank - 1] = most[rank].max(most[rank - 1]);
            }
            most
        };
        let most = ranks.iter().map(|a| ranks.iter().map(|b| most(a, b)).collect()).collect();
        Scores { ranks, most }
    }

    fn rank(&self, agent: Agent, outcome: Outcome) -> u16 {
        self.ranks[usize::from(agent.0)][usize::from(outcome.0)]
    }

    /// What `agent` gets at most where `other` gets at least this.
    fn most(&self, agent: Agent, other: Agent, rank: u16) -> u16 {
        self.most[usize::from(agent.0)][usize::from(other.0)][usize::from(rank)]
    }
}

/// What is known of a position.
enum Known<M> {
    /// It is being looked at: it stands on the way to where the search works.
    Open,
    /// It comes to this outcome by this move; the number counts positions in the order in which
    /// they were solved.
    Solved(Outcome, M, u64),
    /// Who moves gets at least this rank; no more was needed.
    Cut(u16),
}

/// A position that is being looked at.
struct Frame<G: Game> {
    state: G::State,
    agent: Agent,
    /// Its moves are those of [`Search::moves`] from here on.
    first: usize,
    /// How many of them were tried.
    tried: usize,
    best: Option<(Outcome, G::Move)>,
    /// Who moved before, and the rank that it has elsewhere.
    before: Option<(Agent, u16)>,
}

enum Stopped<S> {
    Early(StopReason),
    Repeats(Box<S>),
}

struct Search<'a, G: Game> {
    game: &'a G,
    scores: Scores,
    prune: bool,
    limits: Limits,
    watch: &'a mut dyn Watch<G::Move>,
    counts: Counts,
    table: HashMap<G::State, Known<G::Move>, Quick>,
    frames: Vec<Frame<G>>,
    /// The moves of all open positions, one position above the other.
    moves: Vec<G::Move>,
    solved: u64,
}

/// What a position was found to be worth: an outcome, or nothing that its predecessor would choose.
type Found = Option<Outcome>;

/// How many positions pass between two looks at the clock.
const TICK: u64 = 1 << 4;

impl<G: Game> Search<'_, G> {
    fn run(&mut self, start: &G::State) -> Result<Outcome, Stopped<G::State>> {
        let mut found = self.enter(start.clone(), None)?;
        while let Some(frame) = self.frames.last_mut() {
            // 1. What the last move led to, if it was looked at.
            if let Some(value) = found {
                let m = self.moves[frame.first + frame.tried - 1];
                if let Some(outcome) = value
                    && frame.best.is_none_or(|(best, _)| {
                        let rank = |o| self.scores.rank(frame.agent, o);
                        rank(outcome) > rank(best)
                    })
                {
                    frame.best = Some((outcome, m));
                }
            }
            // 2. Whether that is enough.
            if let Some(value) = self.done() {
                found = Some(value);
                continue;
            }
            // 3. The next move.
            found = self.step()?;
        }
        match found.flatten() {
            Some(outcome) => Ok(outcome),
            // The start has nobody before it, so it is never cut.
            None => panic!("who is to move has no moves, which rules must not say"),
        }
    }

    /// Looks at a position: what it is worth, if that can be told at once; otherwise it is opened.
    fn enter(
        &mut self,
        state: G::State,
        before: Option<(Agent, u16)>,
    ) -> Result<Option<Found>, Stopped<G::State>> {
        self.counts.nodes += 1;
        let agent = match self.game.turn(&state) {
            Turn::Over => return Ok(Some(Some(self.game.outcome(&state)))),
            Turn::Agent(agent) => agent,
            Turn::Chance => panic!("chance is to move, in a game that says it has none"),
        };
        match self.table.get(&state) {
            Some(Known::Open) => return Err(Stopped::Repeats(Box::new(state))),
            Some(&Known::Solved(outcome, ..)) => return Ok(Some(Some(outcome))),
            Some(&Known::Cut(rank)) if self.cuts(agent, rank, before) => return Ok(Some(None)),
            Some(Known::Cut(_)) | None => {}
        }
        self.pass()?;
        self.counts.expansions += 1;
        self.table.insert(state.clone(), Known::Open);
        let first = self.moves.len();
        self.game.moves(&state, agent, &mut self.moves);
        self.frames.push(Frame { state, agent, first, tried: 0, best: None, before });
        Ok(None)
    }

    /// Whether `agent`, who moves and gets at least this rank, makes a position one that who moved
    /// before will not choose.
    fn cuts(&self, agent: Agent, rank: u16, before: Option<(Agent, u16)>) -> bool {
        self.prune && before.is_some_and(|(other, has)| has >= self.scores.most(other, agent, rank))
    }

    /// Closes the last open position if nothing more has to be looked at there.
    fn done(&mut self) -> Option<Found> {
        let frame = self.frames.last()?;
        let rank = frame.best.map(|(outcome, _)| self.scores.rank(frame.agent, outcome));
        let tried_all = frame.first + frame.tried == self.moves.len();
        let direct = |rank| self.prune && rank == self.scores.most(frame.agent, frame.agent, 0);
        let solved = tried_all || rank.is_some_and(direct);
        let cut = !solved && rank.is_some_and(|rank| self.cuts(frame.agent, rank, frame.before));
        if !solved && !cut {
            return None;
        }
        let frame = self.frames.pop()?;
        self.moves.truncate(frame.first);
        let (known, found) = match frame.best {
            Some((outcome, m)) if !cut => {
                self.solved += 1;
                (Known::Solved(outcome, m, self.solved), Some(outcome))
            }
            _ => (Known::Cut(rank.unwrap_or(0)), None),
        };
        self.table.insert(frame.state, known);
        Some(found)
    }

    /// Makes the next move of the last open position.
    fn step(&mut self) -> Result<Option<Found>, Stopped<G::State>> {
        let Some(frame) = self.frames.last_mut() else { return Ok(None) };
        let m = self.moves[frame.first + frame.tried];
        frame.tried += 1;
        let mut next = frame.state.clone();
        self.game.play(&mut next, frame.agent, m);
        let (agent, best) = (frame.agent, frame.best);
        let before = best.map(|(outcome, _)| (agent, self.scores.rank(agent, outcome)));
        self.enter(next, before)
    }

    /// Ends the search where it is time for that.
    fn pass(&mut self) -> Result<(), Stopped<G::State>> {
        if self.counts.nodes > self.limits.nodes {
            return Err(Stopped::Early(StopReason::Nodes));
        }
        if !self.counts.expansions.is_multiple_of(TICK) {
            return Ok(());
        }
        self.weigh();
        if self.counts.peak_bytes > self.limits.bytes {
            return Err(Stopped::Early(StopReason::Memory));
        }
        let view = Plain { text: "", bounds: (Outcome(0), self.game.scale().best()) };
        match self.watch.tick(&Progress::new(self.counts, &view)) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(reason) => Err(Stopped::Early(reason)),
        }
    }

    /// Notes how many bytes are held.
    fn weigh(&mut self) {
        let entry = std::mem::size_of::<(G::State, Known<G::Move>)>() + 1;
        let bytes = self.table.capacity() * 8 / 7 * entry
            + self.frames.capacity() * std::mem::size_of::<Frame<G>>()
            + self.moves.capacity() * std::mem::size_of::<G::Move>();
        self.counts.peak_bytes = self.counts.peak_bytes.max(bytes as u64);
    }

    /// What is played from `start`: what is chosen is never cut, so the table has all of it.
    fn line(&self, start: &G::State) -> Vec<G::Move> {
        let (mut s, mut line) = (start.clone(), Vec::new());
        while let (Turn::Agent(agent), Some(&Known::Solved(_, m, _))) =
            (self.game.turn(&s), self.table.get(&s))
        {
            self.game.play(&mut s, agent, m);
            line.push(m);
        }
        line
    }

    /// Every solved position and what is played there, in the order in which they were solved.
    fn into_lines(self) -> Vec<(G::State, G::Move)> {
        let mut lines: Vec<(u64, G::State, G::Move)> = self
            .table
            .into_iter()
            .filter_map(|(s, known)| match known {
                Known::Solved(_, m, at) => Some((at, s, m)),
                Known::Open | Known::Cut(_) => None,
            })
            .collect();
        lines.sort_unstable_by_key(|&(at, ..)| at);
        lines.into_iter().map(|(_, s, m)| (s, m)).collect()
    }
}
