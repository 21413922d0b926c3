//! Runs the searches of an experiment.

use std::collections::BTreeMap;
use std::time::Duration;

use foregone::games::erased::Erased;
use foregone::play::{Match, MatchAnswer, MoveBudget, Player, sit};
use foregone::text::grouped;
use foregone::{Answer, Budget, Error, Finished, Job, Status, Stop};

use super::definition::Measure;
use super::experiment::Cell;
use crate::Program;
use crate::args::BudgetArgs;

/// What a search found and took.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The value's name, if the search came to its end.
    pub(super) value: Option<String>,
    /// The names of the outcomes between which the value lies, both included.
    pub(super) bounds: [String; 2],
    /// Whether it found out what it was asked.
    pub(super) solved: bool,
    /// Whether Max reaches what was asked about.
    pub(super) holds: Option<bool>,
    /// States whose successors were looked at.
    pub(super) expansions: u64,
    /// States that were created.
    pub(super) nodes: u64,
    /// Random plays.
    pub(super) playouts: u64,
    /// How long it searched and made its proof. The replay of the proof is not in it: the programs
    /// of the source papers had none.
    pub(super) time: Duration,
}

/// Why an experiment ends early.
#[derive(Debug)]
pub(super) enum Ended {
    /// Somebody pressed Ctrl-C.
    Interrupted,
    /// An answer is wrong, or the experiment is.
    Failed(Error),
}

impl From<Error> for Ended {
    fn from(error: Error) -> Ended {
        Ended::Failed(error)
    }
}

/// Runs searches with one budget.
pub(super) struct Runner<'p, 'o> {
    program: &'p Program<'o>,
    budget: Budget,
    seed: u64,
    /// What searches of tables found, by their jobs: several cells are about one search.
    found: BTreeMap<String, Found>,
}

impl<'p, 'o> Runner<'p, 'o> {
    /// Searches with this budget each.
    pub(super) fn new(program: &'p Program<'o>, budget: &BudgetArgs) -> Runner<'p, 'o> {
        Runner { program, budget: budget.budget(), seed: budget.seed, found: BTreeMap::new() }
    }

    /// A game whose players move in turn.
    pub(super) fn open(&self, game: &str) -> Result<Erased, Error> {
        let opened = self.program.engine.open(game)?.opened().clone();
        opened.require_in_turn(game).map_err(|e| Error::game(game, e))
    }

    /// A job with the budget and the seed of the experiment. The size of inner searches is the job's own, if it
    /// names one.
    pub(super) fn with_budget(&self, job: Job) -> Job {
        let inner_nodes = job.budget.inner_nodes.or(self.budget.inner_nodes);
        Job { budget: Budget { inner_nodes, ..self.budget }, seed: self.seed, ..job }
    }

    /// Runs a job as it is, with a live line if it is to be shown. Ctrl-C ends the experiment.
    pub(super) fn run(&self, job: &Job, show: bool) -> Result<Finished, Ended> {
        if self.program.cancel.is_cancelled() {
            return Err(Ended::Interrupted);
        }
        let mut screen = self.program.observer(!show).within(job.budget);
        let finished = self.program.engine.run(job, &mut screen, &self.program.cancel)?;
        match finished.answer.stop() {
            Stop::Interrupted => Err(Ended::Interrupted),
            Stop::Solved | Stop::Nodes | Stop::Memory | Stop::Time | Stop::Orders => Ok(finished),
        }
    }

    /// A match from the start of a game, with the budget and the seed of the experiment.
    pub(super) fn match_of(
        &self,
        game: &str,
        players: [Player; 2],
        games: u32,
        playouts: u64,
    ) -> Match {
        let Budget { time, nodes, memory, .. } = self.budget;
        let budget = MoveBudget { time, nodes, memory, playouts: Some(playouts) };
        let game = game.to_owned();
        Match { game, players, games, budget, seed: self.seed, ..Match::default() }
    }

    /// Plays a match.
    pub(super) fn play_match(&self, spec: &Match) -> Result<MatchAnswer, Error> {
        let Program { engine, cancel, .. } = self.program;
        engine.play_match(spec, &sit, &mut |_| {}, cancel)
    }

    /// Runs a job about a game in turn as it is.
    pub(super) fn solve(&self, job: &Job) -> Result<Found, Ended> {
        let finished = self.run(job, true)?;
        let time = finished.search_time();
        let Answer::Turn(answer) = finished.answer else {
            let message = format!("`{job}` is not about the outcome of a game in turn");
            return Err(Error::input(message).into());
        };
        let (solved, undetermined) = (answer.status == Status::Solved, answer.undetermined());
        Ok(Found {
            value: answer.value.filter(|_| solved && !undetermined),
            bounds: answer.bounds,
            solved,
            holds: answer.holds,
            expansions: answer.expansions,
            nodes: answer.nodes,
            playouts: answer.playouts,
            time,
        })
    }

    /// One search whose value is known, made at most once.
    fn known(&mut self, job: &Job, value: Option<&str>) -> Result<Found, Ended> {
        let text = job.to_string();
        if let Some(found) = self.found.get(&text) {
            return Ok(found.clone());
        }
        let found = self.solve(&self.with_budget(job.clone()))?;
        if let (Some(found), Some(right)) = (&found.value, value)
            && found != right
        {
            let message = format!("`{}` gave {found}, expected {right}", command(job));
            return Err(wrong(message).into());
        }
        self.found.insert(text, found.clone());
        Ok(found)
    }

    /// What is measured in a cell, as text.
    pub(super) fn cell(&mut self, cell: &Cell) -> Result<String, Ended> {
        let value = cell.value.as_deref();
        let first = self.known(&cell.jobs[0], value)?;
        let open = if first.value.is_some() { "" } else { "> " };
        Ok(match cell.measure {
            Measure::Expansions => format!("{open}{}", grouped(first.expansions)),
            Measure::Nodes => format!("{open}{}", grouped(first.nodes)),
            Measure::Seconds => format!("{open}{}", seconds(first.time)),
            Measure::Winner => match first.value.as_deref() {
                Some("win") => "1".to_owned(),
                Some("loss") => "2".to_owned(),
                Some(other) => other.to_owned(),
                None => "?".to_owned(),
            },
            // What is not solved depth first has nothing to compare with.
            Measure::SpeedUp if first.value.is_none() => "?".to_owned(),
            Measure::SpeedUp => {
                let second = self.known(&cell.jobs[1], value)?;
                let open = if second.value.is_some() { "" } else { "> " };
                let ratio = second.nodes as f64 / first.nodes.max(1) as f64;
                format!("{open}{ratio:.2}")
            }
        })
    }
}

/// The command that runs a job.
pub(crate) fn command(job: &Job) -> String {
    format!("foregone run '{}'", job.to_string().replace('\'', r"'\''"))
}

/// An answer that is known to be wrong.
pub(super) fn wrong(message: String) -> Error {
    Error::proof(message).help("this is a defect of foregone, or of the experiment's file")
}

/// Seconds with as many digits as mean something.
pub(super) fn seconds(time: Duration) -> String {
    match time.as_secs_f64() {
        s if s < 100.0 => format!("{s:.2}"),
        s => grouped(s.round() as u64),
    }
}
