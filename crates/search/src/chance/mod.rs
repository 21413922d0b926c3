//! Searches of games with chance: what Max gets on average if both sides play well.
//!
//! * [`walk()`]: depth first. Expectimax, and Star1 and Star2, which cut at chance nodes (B. Ballard,
//!   1983; T. Hauk, M. Buro and J. Schaeffer, 2004); the same on a few outcomes of each chance node,
//!   drawn at random (M. Lanctot, A. Saffidine, J. Veness, C. Archibald and M. Winands, *Monte Carlo
//!   \*-Minimax Search*, 2013);
//! * [`Graph`]: every position that can be reached, component by component, by value iteration where
//!   positions come up again. It also makes the strategies that certificates need;
//! * [`best_first()`]: best first, by bounds of the expected value, which the best first framework of
//!   A. Saffidine's thesis leaves as future work (chapter 6).
//!
//! An opponent whose moves are known ([`Opponent`]) is one more kind of chance.

use std::ops::ControlFlow;

use foregone_model::certificate::Worth;
use foregone_model::{Agent, Game, Outcome, Side, Turn, Viewpoint};

use crate::report::{Counts, Limits, Plain, Progress, StopReason, Watch};

mod best_first;
mod components;
mod graph;
pub mod opponent;
mod plan;
mod walk;

pub use best_first::best_first;
pub use graph::Graph;
pub use plan::{Plans, plans};
pub use walk::{Sampled, Walk, WalkOptions, walk};

/// A known opponent: how often it makes each of its moves.
pub trait Opponent<G: Game>: Sync {
    /// A weight for each of these moves of `agent` in `s`, some of them above 0; nothing where it does
    /// not know what to play.
    fn weights(&self, game: &G, s: &G::State, agent: Agent, moves: &[G::Move]) -> Option<Vec<u64>>;
}

/// What is asked of a game: what it is worth to an agent, on average.
pub struct Expectation<'g, G: Game> {
    /// The game.
    pub game: &'g G,
    /// Who is Max.
    pub view: Viewpoint,
    /// What the outcomes pay.
    pub worth: Worth,
    /// What a draw is worth, where that is not half a point.
    pub draw: Option<(u32, u32)>,
    /// How Min plays, where that is known.
    pub opponent: Option<&'g dyn Opponent<G>>,
}

/// Who decides in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decides {
    /// A side.
    Side(Side),
    /// Chance, or an opponent whose moves are known.
    Chance,
}

/// What a state is to these searches.
enum Look {
    /// It is over and pays this.
    Over(f64),
    /// This agent's moves lead on.
    Open(Decides, Agent),
}

impl<'g, G: Game> Expectation<'g, G> {
    /// What a game is worth to this agent; nothing if scores are too far apart to be added up.
    pub fn new(game: &'g G, max: Agent) -> Option<Expectation<'g, G>> {
        let worth = Worth::new(game, max)?;
        Some(Expectation {
            game,
            view: Viewpoint::new(game, max),
            worth,
            draw: None,
            opponent: None,
        })
    }

    /// The same where a draw is worth this part of a point; nothing where outcomes are not three words.
    pub fn with_draw(self, draw: (u32, u32)) -> Option<Expectation<'g, G>> {
        let worth = self.worth.with_draw(draw)?;
        Some(Expectation { worth, draw: Some(draw), ..self })
    }

    /// The same against an opponent who is known.
    pub fn against(self, opponent: &'g dyn Opponent<G>) -> Expectation<'g, G> {
        Expectation { opponent: Some(opponent), ..self }
    }

    /// The least and the largest payoff.
    pub fn range(&self) -> (f64, f64) {
        let (least, most) = self.worth.range();
        (least as f64, most as f64)
    }

    #[inline]
    fn look(&self, s: &G::State) -> Look {
        match self.game.turn(s) {
            Turn::Over => Look::Over(self.worth.payoff(self.game.outcome(s)) as f64),
            Turn::Chance => Look::Open(Decides::Chance, Agent::CHANCE),
            Turn::Agent(agent) => match self.view.side(agent) {
                Side::Min if self.opponent.is_some() => Look::Open(Decides::Chance, agent),
                side => Look::Open(Decides::Side(side), agent),
            },
        }
    }

    /// The weights of moves where chance decides. A move of weight 0 is never made.
    fn weigh(&self, s: &G::State, agent: Agent, moves: &[G::Move], out: &mut Vec<u64>) {
        match self.opponent.filter(|_| agent != Agent::CHANCE) {
            None => out.extend(moves.iter().map(|&m| self.game.weight(s, m))),
            Some(opponent) => {
                let weights = opponent.weights(self.game, s, agent, moves);
                // Who does not know what to play does anything.
                out.extend(weights.unwrap_or_else(|| vec![1; moves.len()]));
            }
        }
    }
}

/// What a search for an expected value returns. Numbers are payoffs, in the unit of [`Worth`].
#[derive(Clone, Debug)]
pub struct ExpectedReport<M> {
    /// Why it stopped.
    pub stop: StopReason,
    /// Between which numbers the value lies: equal up to rounding where it was found.
    pub bounds: (f64, f64),
    /// The value, if it was found; what an approximation found.
    pub value: Option<f64>,
    /// The best move of the root, where a side decides there.
    pub best: Option<M>,
    /// What it did.
    pub counts: Counts,
}

/// Numbers are compared up to this part of the range of payoffs: sums of floating point numbers.
const CLOSE: f64 = 1e-12;

/// What a search may use, what it did, and who watches it.
struct Effort<'a, M> {
    limits: Limits,
    watch: &'a mut dyn Watch<M>,
    counts: Counts,
}

/// How many positions pass between two looks at the clock.
const TICK: u64 = 1 << 4;

impl<'a, M> Effort<'a, M> {
    fn new(limits: Limits, watch: &'a mut dyn Watch<M>) -> Effort<'a, M> {
        Effort { limits, watch, counts: Counts::default() }
    }

    /// Counts an expansion, and ends the search where it is time for that.
    #[inline]
    fn expand(&mut self, bytes: impl Fn() -> u64) -> Result<(), StopReason> {
        self.counts.expansions += 1;
        if self.counts.nodes > self.limits.nodes {
            return Err(StopReason::Nodes);
        }
        match self.counts.expansions.is_multiple_of(TICK) {
            true => self.look_up(bytes()),
            false => Ok(()),
        }
    }

    #[cold]
    fn look_up(&mut self, bytes: u64) -> Result<(), StopReason> {
        self.counts.peak_bytes = self.counts.peak_bytes.max(bytes);
        if bytes > self.limits.bytes {
            return Err(StopReason::Memory);
        }
        let view = Plain { text: "", bounds: (Outcome(0), Outcome(u16::MAX)) };
        let progress = Progress::new(self.counts, &view);
        match self.watch.tick(&progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(reason) => Err(reason),
        }
    }
}
