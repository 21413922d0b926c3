//! Players that judge: Monte Carlo search, and looking ahead by the game's own estimate. Before they
//! do, a search may try to solve the position with a part of what they may use; its proof says what to play then, now
//! and later.

use foregone_games::breakthrough::Breakthrough;
use foregone_games::connect_four::ConnectFour;
use foregone_games::erased::{AnyState, Erased};
use foregone_games::hex::Hex;
use foregone_games::othello::Othello;
use foregone_model::{Agent, Game, Guide, Notation, Outcome, Side};
use foregone_search::Lookahead;
use foregone_search::monte_carlo::{MonteCarlo, Options};

use super::player::{Judge, SearchPlayer, Thinker};
use super::prove::{Proven, attempt};
use super::seat::{Choice, MoveBudget, Place, Seat};
use crate::error::Error;
use crate::job::{Budget, Question};
use crate::observe::{Context, stopped};
use crate::scale::own_scores;

/// Playouts between two looks at the clock.
const CHUNK: u64 = 32;
/// How many nodes of a proof take about as long as one playout, where playouts are what is counted.
const NODES_A_PLAYOUT: f64 = 4.0;

/// What chooses where nothing is proved.
trait Judging: Send {
    /// The number of the move to make.
    fn judge(&mut self, limit: &Limit<'_>) -> Choice;

    /// Somebody made the move of this number.
    fn follow(&mut self, number: usize);
}

/// What a judgement may take.
struct Limit<'a> {
    playouts: u64,
    nodes: u64,
    goes_on: &'a dyn Fn() -> bool,
}

/// Seats a player that judges.
pub(super) fn seat<'g>(
    thinker: &Thinker,
    game: &'g Erased,
    start: &AnyState,
    seed: u64,
) -> Result<Box<dyn Seat + 'g>, Error> {
    Ok(Box::new(ThinkingSeat {
        thinker: thinker.clone(),
        judge: judge(thinker, game, start, seed)?,
        place: Place::new(game, start),
        proven: None,
        seed,
    }))
}

fn judge<'g>(
    thinker: &Thinker,
    game: &'g Erased,
    start: &AnyState,
    seed: u64,
) -> Result<Box<dyn Judging + 'g>, Error> {
    let position = game.position_text(start);
    // Searches are compiled alone for games in which calls through a table of functions show.
    if let Some(game) = game.get::<ConnectFour<u64>>() {
        judge_of(thinker, game, &position, seed)
    } else if let Some(game) = game.get::<Hex<u64>>() {
        judge_of(thinker, game, &position, seed)
    } else if let Some(game) = game.get::<Breakthrough<u64>>() {
        judge_of(thinker, game, &position, seed)
    } else if let Some(game) = game.get::<Othello>() {
        judge_of(thinker, game, &position, seed)
    } else {
        judge_of(thinker, game, &position, seed)
    }
}

fn judge_of<'g, G: Guide + Notation>(
    thinker: &Thinker,
    game: &'g G,
    position: &str,
    seed: u64,
) -> Result<Box<dyn Judging + 'g>, Error> {
    let start = game.read_position(position).map_err(|e| Error::text("position", position, e))?;
    match thinker.judge {
        Judge::MonteCarlo(options) => {
            let search = MonteCarlo::new(game, &start, options, seed);
            let search = search.map_err(|e| Error::input(e.to_string()))?;
            Ok(Box::new(MonteCarloJudge { game, search, keep: thinker.keep, options, seed }))
        }
        Judge::Estimate { depth } => {
            let search = Lookahead::new(game).ok_or_else(|| {
                let message = format!(
                    "`estimate` takes games of two players without chance that evaluate positions, \
                     and {} is none",
                    game.name()
                );
                Error::input(message)
            })?;
            Ok(Box::new(EstimateJudge { game, search, state: start, depth }))
        }
    }
}

struct MonteCarloJudge<'g, G: Guide> {
    game: &'g G,
    search: MonteCarlo<'g, G>,
    keep: bool,
    options: Options,
    seed: u64,
}

impl<G: Guide> Judging for MonteCarloJudge<'_, G> {
    fn judge(&mut self, limit: &Limit<'_>) -> Choice {
        let mut made = 0;
        // One chunk is made in any case: without playouts there is no opinion.
        while made < limit.playouts {
            let wanted = CHUNK.min(limit.playouts - made);
            let done = self.search.run(wanted);
            made += done;
            if done < wanted || !(limit.goes_on)() {
                break;
            }
        }
        let best = self.search.best();
        let edges = self.search.edges();
        let number = edges.iter().position(|edge| Some(edge.step) == best);
        Choice {
            playouts: made,
            expects: number.map(|number| edges[number].mean),
            ..Choice::of(number.unwrap_or(0))
        }
    }

    fn follow(&mut self, number: usize) {
        let mut moves = Vec::new();
        let s = self.search.position();
        let Some(agent) = self.game.turn(s).mover() else { return };
        self.game.moves(s, agent, &mut moves);
        if self.keep {
            self.search.advance(moves[number]);
            return;
        }
        let mut next = s.clone();
        self.game.play(&mut next, agent, moves[number]);
        self.seed = self.seed.wrapping_add(1);
        // It went with the game before, so it does now.
        if let Ok(search) = MonteCarlo::new(self.game, &next, self.options, self.seed) {
            self.search = search;
        }
    }
}

struct EstimateJudge<'g, G: Guide> {
    game: &'g G,
    search: Lookahead<'g, G>,
    state: G::State,
    depth: Option<u32>,
}

impl<G: Guide> Judging for EstimateJudge<'_, G> {
    fn judge(&mut self, limit: &Limit<'_>) -> Choice {
        let depth = self.depth.unwrap_or(u32::MAX);
        let found = self.search.choose(&self.state, depth, limit.nodes, &mut || (limit.goes_on)());
        let mut moves = Vec::new();
        if let Some(agent) = self.game.turn(&self.state).mover() {
            self.game.moves(&self.state, agent, &mut moves);
        }
        let Some(found) = found else { return Choice::of(0) };
        let number = moves.iter().position(|&m| m == found.best).unwrap_or(0);
        Choice { nodes: found.nodes, expects: Some(found.expects), ..Choice::of(number) }
    }

    fn follow(&mut self, number: usize) {
        let mut moves = Vec::new();
        let Some(agent) = self.game.turn(&self.state).mover() else { return };
        self.game.moves(&self.state, agent, &mut moves);
        self.game.play(&mut self.state, agent, moves[number]);
    }
}

/// A player that tries to prove, and judges where it can't.
struct ThinkingSeat<'g> {
    thinker: Thinker,
    judge: Box<dyn Judging + 'g>,
    place: Place<'g>,
    proven: Option<Proven>,
    seed: u64,
}

impl Seat for ThinkingSeat<'_> {
    fn choose(&mut self, budget: &MoveBudget, context: &mut Context<'_>) -> Result<Choice, Error> {
        let (clock, cancel, began) = (context.clock, context.cancel, context.clock.now());
        let (agent, moves) = self.place.moves();
        // Where every player has a score of its own, a proof for one says nothing of the next.
        if own_scores(self.place.game) {
            self.proven = None;
        }
        // Step 1: no choice, or a proof that was found earlier.
        if let Some(choice) = self.proven.as_ref().and_then(Proven::best) {
            return Ok(choice);
        }
        if moves.len() == 1 {
            return Ok(Choice::of(0));
        }
        // Step 2: a proof, with a part of what may be used.
        let counted = self.thinker.playouts.or(budget.playouts);
        let Tried { known, number, settled, nodes } =
            self.prove(agent, budget, counted, context)?;
        if let Some(number) = number.filter(|_| settled) {
            return Ok(Choice { known, nodes, ..Choice::of(number) });
        }
        // Step 3: a move that keeps what is proved, unless everything is lost anyway.
        let number = number.or_else(|| self.proven.as_ref().and_then(Proven::number));
        if let Some(number) = number.filter(|_| !self.is_lost(known.as_ref(), agent)) {
            return Ok(Choice { known, nodes, ..Choice::of(number) });
        }
        // Step 4: a judgement, with the rest.
        let goes_on = || stopped(clock, cancel, began, budget.time).is_none();
        let limit = Limit {
            // A playout makes a node.
            playouts: counted.or(budget.nodes).unwrap_or(u64::MAX),
            nodes: budget.nodes.or(counted).unwrap_or(u64::MAX),
            goes_on: &goes_on,
        };
        let choice = self.judge.judge(&limit);
        Ok(Choice { known, nodes: nodes + choice.nodes, ..choice })
    }

    fn follow(&mut self, number: usize) {
        self.place.follow(number);
        self.judge.follow(number);
        if let Some(proven) = &mut self.proven {
            proven.follow(number);
        }
    }
}

/// What came of trying to prove something.
#[derive(Default)]
struct Tried {
    known: Option<super::Known>,
    /// The move that a proof says.
    number: Option<usize>,
    /// Whether nothing better is to be found.
    settled: bool,
    nodes: u64,
}

impl ThinkingSeat<'_> {
    /// The search that proves. Searches that keep a table whatever it costs are not for milliseconds.
    fn search(&self) -> SearchPlayer {
        SearchPlayer { driver: self.thinker.driver, ..SearchPlayer::default() }
    }

    /// Tries to prove something to play by.
    fn prove(
        &mut self,
        agent: Option<Agent>,
        budget: &MoveBudget,
        counted: Option<u64>,
        context: &mut Context<'_>,
    ) -> Result<Tried, Error> {
        let (game, share) = (self.place.game, self.thinker.prove);
        let mut tried = Tried::default();
        if share == 0.0 || game.has_chance() {
            return Ok(tried);
        }
        let began = context.clock.now();
        let mut job = self.search().job(game.position_text(&self.place.state));
        job.seed = self.seed.wrapping_add(self.place.plies);
        let time = budget.time.map(|time| time.mul_f64(share));
        let nodes = match (counted, budget.nodes) {
            (Some(n), _) => Some((n as f64 * NODES_A_PLAYOUT * share).ceil() as u64),
            (None, nodes) => nodes.map(|n| (n as f64 * share).ceil() as u64),
        };
        for (question, of_value) in self.questions(agent) {
            job.question = question;
            let spent = context.clock.now().saturating_sub(began);
            let left = time.map(|time| time.saturating_sub(spent));
            let memory = budget.memory;
            job.budget = Budget { time: left, nodes, memory, ..Budget::default() };
            let mut found = attempt(game, &job, context)?;
            tried.nodes += found.counts.nodes;
            let solved = found.plan.is_some();
            let (known, number) = (found.known.clone(), found.number);
            // A question about a win that is answered by no says too little to play by.
            let useful = of_value || found.nothing_better;
            if let Some(proven) = Proven::of(&mut found).filter(|_| useful) {
                self.proven = Some(proven);
                let settled = found.nothing_better;
                tried = Tried { known, number, settled, nodes: tried.nodes };
            }
            if !solved {
                break;
            }
        }
        Ok(tried)
    }

    /// What is asked of a proof, one after the other, and whether it is the value: of many scores it is
    /// first asked whether it is a win.
    fn questions(&self, agent: Option<Agent>) -> Vec<(Question, bool)> {
        let game = self.place.game;
        let scale = game.scale();
        let value = (Question::Value, true);
        let two = game.agents() == 2 && !game.one_player();
        // Only scores with a sign tell who is ahead.
        let signed = |scores: &&[i64]| scores.len() > 3 && scores[0] < 0 && two;
        let Some(scores) = scale.scores().filter(signed) else {
            return vec![value];
        };
        // The first outcome that is good for the first player, or not good for the other one.
        let edge = match agent.map(Side::of) {
            Some(Side::Min) => scores.iter().position(|&score| score >= 0),
            _ => scores.iter().position(|&score| score > 0),
        };
        match edge.filter(|&edge| edge > 0) {
            Some(edge) => {
                let name = scale.name(Outcome(edge as u16)).to_owned();
                vec![(Question::AtLeast(name), false), value]
            }
            None => vec![value],
        }
    }

    /// Whether it is proved that somebody else wins.
    fn is_lost(&self, known: Option<&super::Known>, agent: Option<Agent>) -> bool {
        let name = agent.map(|agent| self.place.game.agent_name(agent));
        known
            .is_some_and(|known| known.winner.as_deref().is_some_and(|winner| Some(winner) != name))
    }
}
