//! Players that prove: a search solves the position, and its proof says what to play, now and later.
//!
//! A strategy out of a proof is kept as long as the play stays inside it. Where it ends, because
//! static knowledge took its place or a table forgot, the position is searched again.

use foregone_games::erased::{AnyState, Erased};
use foregone_model::certificate;
use foregone_model::{Agent, Game, Guide, Notation, Outcome, Side, Typed, Viewpoint};
use foregone_search::report::Counts;
use foregone_search::{Guidance, Init};

use super::player::SearchPlayer;
use super::seat::{Choice, Known, MoveBudget, Place, Seat};
use crate::error::Error;
use crate::guidance::pick;
use crate::job::{Budget, Job};
use crate::line::Strategy;
use crate::observe::Context;
use crate::scale::{Ranking, own_scores};
use crate::session::{Replay, Run, replay, work_off};
use crate::specialised::{Ask, ask_erased};
use crate::task::{Part, Task};

/// What a search found out about a position, for who is to move there.
pub(super) struct Attempt {
    /// What it would play.
    pub(super) number: Option<usize>,
    /// What a checked proof says.
    pub(super) known: Option<Known>,
    /// How to go on, if the position is solved.
    pub(super) plan: Option<Box<dyn Plan>>,
    /// Whether who is to move gets the best there is, or all that was asked about, so that nobody's
    /// mistake can add to it.
    pub(super) nothing_better: bool,
    pub(super) counts: Counts,
}

/// What both sides do from here on, by a proof.
pub(super) trait Plan: Send {
    /// The move to play here, if the proof says so.
    fn number(&self) -> Option<usize>;

    /// Goes along with a move.
    fn follow(&mut self, number: usize);
}

/// The strategies of both sides, at a place in a play.
struct Kept<G: Game> {
    erased: Erased,
    of: fn(&Erased) -> Option<&G>,
    state: G::State,
    max: Agent,
    strategies: [Option<Strategy<G::Move>>; 2],
}

impl<G: Game> Kept<G> {
    /// The moves here, and whose they are.
    fn moves(&self) -> Option<(Agent, Vec<G::Move>)> {
        let game = (self.of)(&self.erased)?;
        let agent = game.turn(&self.state).mover()?;
        let mut moves = Vec::new();
        game.moves(&self.state, agent, &mut moves);
        Some((agent, moves))
    }
}

impl<G: Game> Plan for Kept<G> {
    fn number(&self) -> Option<usize> {
        let game = (self.of)(&self.erased)?;
        let (agent, moves) = self.moves()?;
        let side = Viewpoint::new(game, self.max).side(agent);
        // Who has nothing to lose plays what resists longest.
        let own = self.strategies[side.index()].is_some();
        let decides = if own { side } else { side.other() };
        self.strategies[decides.index()].as_ref()?.number(&moves, own)
    }

    fn follow(&mut self, number: usize) {
        let Some((agent, moves)) = self.moves() else { return };
        for strategy in self.strategies.iter_mut().flatten() {
            strategy.follow(&moves, number);
        }
        if let Some(game) = (self.of)(&self.erased) {
            game.play(&mut self.state, agent, moves[number]);
        }
    }
}

/// Searches the position of a job, as it says.
pub(super) fn attempt(
    game: &Erased,
    job: &Job,
    context: &mut Context<'_>,
) -> Result<Attempt, Error> {
    ask_erased(game, job, Prove { erased: game, job, context })
}

struct Prove<'a, 'c> {
    erased: &'a Erased,
    job: &'a Job,
    context: &'a mut Context<'c>,
}

impl Ask for Prove<'_, '_> {
    type Found = Attempt;

    fn ask<'g, G: Guide + Notation + Send + 'static>(
        self,
        game: &'g G,
        of: fn(&Erased) -> Option<&G>,
        guidance: Guidance,
        run: &Run<'_, 'g, G>,
    ) -> Result<Attempt, Error> {
        let Prove { erased, job, context } = self;
        // Where players do not just take from each other, it is asked what the mover can force.
        let start = game
            .read_position_or_moves(&job.position)
            .map_err(|e| Error::text("position", &job.position, e))?;
        let max = match game.turn(&start).mover() {
            Some(agent) if own_scores(game) && agent != Agent::CHANCE => agent,
            _ => Agent::FIRST,
        };
        let ranking = Ranking::new(game, max);
        let mut task = Task::new(game, job, guidance, &ranking, max)?;
        task.keeps_strategies = true;
        let replay: &Replay<'_> = &|text, trust| {
            replay(text, |header, reader| certificate::check(game, header, reader, trust))
        };
        let part = Part::whole(game, &task, context);
        let mut findings = work_off(game, &task, part, context, run, replay)?;
        let solved = findings.solved();
        let sure = solved && !findings.undetermined;
        let proved = findings.proof().is_some_and(|proof| proof.proved);
        let known = (sure && proved).then(|| Known {
            value: (findings.bounds.0 == findings.bounds.1)
                .then(|| ranking.name(findings.bounds.0)),
            winner: ranking.winner(game, findings.bounds),
        });
        // Whether the mover gets all that was asked about, or all there is.
        let side =
            game.turn(&task.start).mover().map(|agent| Viewpoint::new(game, max).side(agent));
        let nothing_better = sure
            && match side {
                Some(Side::Max) => findings.bounds.0 >= task.at_least.unwrap_or(ranking.best()),
                Some(Side::Min) => findings.bounds.1 < task.at_least.unwrap_or(Outcome(1)),
                None => false,
            };
        let strategies = std::mem::take(&mut findings.strategies);
        let kept = Kept { erased: erased.clone(), of, state: task.start, max, strategies };
        let first = findings.line.first();
        let number = match solved {
            true => kept.number(),
            false => {
                kept.moves().and_then(|(_, moves)| moves.iter().position(|m| first == Some(m)))
            }
        };
        Ok(Attempt {
            number,
            known,
            plan: solved.then(|| Box::new(kept) as Box<dyn Plan>),
            nothing_better,
            counts: findings.counts,
        })
    }
}

/// The budget of a search for one move. Who plays nothing at random has nodes instead of playouts.
pub(super) fn search_budget(budget: &MoveBudget, plays: bool) -> Budget {
    let playouts = budget.playouts.filter(|_| plays);
    let nodes = budget.nodes.or(budget.playouts.filter(|_| !plays));
    Budget {
        time: budget.time,
        nodes,
        memory: budget.memory,
        playouts,
        threads: 1,
        inner_nodes: None,
    }
}

/// A proof that is kept for later moves.
pub(super) struct Proven {
    plan: Box<dyn Plan>,
    /// What it says as long as the play stays inside, where nobody's mistake can change that.
    known: Option<Known>,
}

impl Proven {
    /// The proof of an attempt, if it has one that was checked.
    pub(super) fn of(attempt: &mut Attempt) -> Option<Proven> {
        let known = attempt.known.clone()?;
        let plan = attempt.plan.take()?;
        Some(Proven { plan, known: Some(known).filter(|_| attempt.nothing_better) })
    }

    pub(super) fn follow(&mut self, number: usize) {
        self.plan.follow(number);
    }

    /// The move to play.
    pub(super) fn number(&self) -> Option<usize> {
        self.plan.number()
    }

    /// The choice by it, if it is the best there can be.
    pub(super) fn best(&self) -> Option<Choice> {
        let known = self.known.clone()?;
        Some(Choice { known: Some(known), ..Choice::of(self.plan.number()?) })
    }
}

/// A search that plays.
pub(super) struct SearchSeat<'g> {
    search: SearchPlayer,
    place: Place<'g>,
    seed: u64,
    proven: Option<Proven>,
}

impl<'g> SearchSeat<'g> {
    pub(super) fn new(
        search: &SearchPlayer,
        game: &'g Erased,
        start: &AnyState,
        seed: u64,
    ) -> SearchSeat<'g> {
        SearchSeat { search: search.clone(), place: Place::new(game, start), seed, proven: None }
    }
}

impl Seat for SearchSeat<'_> {
    fn choose(&mut self, budget: &MoveBudget, context: &mut Context<'_>) -> Result<Choice, Error> {
        // Where every player has a score of its own, a proof for one says nothing of the next.
        if own_scores(self.place.game) {
            self.proven = None;
        }
        // Step 1: a proof that was found earlier. Where the other side may have made a mistake since,
        // there is more to find.
        if let Some(choice) = self.proven.as_ref().and_then(Proven::best) {
            return Ok(choice);
        }
        // Step 2: a search.
        let game = self.place.game;
        let mut job = self.search.job(game.position_text(&self.place.state));
        let plays = pick(game, &job)?.leaves() == Some(Init::Playout);
        job.budget = search_budget(budget, plays);
        job.seed = self.seed.wrapping_add(self.place.plies);
        let mut found = attempt(game, &job, context)?;
        // Step 3: what it found, or else what was proved before.
        let mut number = found.number;
        match Proven::of(&mut found) {
            Some(proven) => self.proven = Some(proven),
            None => number = self.proven.as_ref().and_then(Proven::number).or(number),
        }
        Ok(Choice {
            known: found.known,
            nodes: found.counts.nodes,
            playouts: found.counts.playouts,
            // A search that was stopped before it looked at anything has no opinion.
            ..Choice::of(number.unwrap_or(0))
        })
    }

    fn follow(&mut self, number: usize) {
        self.place.follow(number);
        if let Some(proven) = &mut self.proven {
            proven.follow(number);
        }
    }
}
