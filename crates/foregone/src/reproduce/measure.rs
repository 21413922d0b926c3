//! Runs the searches of an experiment.

use std::collections::BTreeMap;
use std::time::Duration;

use clap::Parser;
use foregone_games::registry::{Visitor, with_game};
use foregone_model::{Guide, Notation, Outcome};
use foregone_search::StopReason;
use foregone_search::report::Counts;

use super::definition::{Cell, Measure};
use crate::args::{BudgetArgs, Cli, Command, SolveArgs};
use crate::failure::Failure;
use crate::job::Job;
use crate::print::grouped;
use crate::session;

/// What a search found and took.
#[derive(Clone, Debug)]
pub struct Found {
    /// The value's name, if the search came to its end.
    pub value: Option<String>,
    /// The outcomes between which the value lies, both included.
    pub bounds: (Outcome, Outcome),
    /// Whether it found out what it was asked.
    pub solved: bool,
    /// What it did.
    pub counts: Counts,
    /// How long it searched and made its proof. The replay of the proof is not in it: the seeds'
    /// programs had none.
    pub time: Duration,
}

/// Why an experiment ends early.
#[derive(Debug)]
pub enum Ended {
    /// Somebody pressed Ctrl-C.
    Interrupted,
    /// An answer is wrong, or the experiment is.
    Failed(Failure),
}

impl From<Failure> for Ended {
    fn from(failure: Failure) -> Ended {
        Ended::Failed(failure)
    }
}

/// Runs searches with one budget, and each of them once.
pub struct Runner {
    budget: BudgetArgs,
    found: BTreeMap<String, Found>,
}

impl Runner {
    /// Searches with this budget each.
    pub fn new(budget: BudgetArgs) -> Runner {
        Runner { budget, found: BTreeMap::new() }
    }

    /// One search by the words behind `solve`.
    pub fn solve(&self, words: &str) -> Result<Found, Ended> {
        let args = SolveArgs { budget: self.budget.clone(), ..read(words)? };
        let game = args.game.clone();
        with_game(&game, Solve(args)).map_err(|e| Failure::game(&game, e))?
    }

    /// One search whose value is known, made at most once.
    fn known(&mut self, words: &str, value: Option<&str>) -> Result<Found, Ended> {
        if let Some(found) = self.found.get(words) {
            return Ok(found.clone());
        }
        let found = self.solve(words)?;
        if let (Some(found), Some(right)) = (&found.value, value)
            && found != right
        {
            let message = format!("`foregone solve {words}` gave {found}, expected {right}");
            return Err(wrong(message).into());
        }
        self.found.insert(words.to_owned(), found.clone());
        Ok(found)
    }

    /// What is measured in a cell, as text.
    pub fn cell(&mut self, cell: &Cell) -> Result<String, Ended> {
        let value = cell.value.as_deref();
        let first = self.known(&cell.words[0], value)?;
        let open = if first.value.is_some() { "" } else { "> " };
        Ok(match cell.measure {
            Measure::Expansions => format!("{open}{}", grouped(first.counts.expansions)),
            Measure::Nodes => format!("{open}{}", grouped(first.counts.nodes)),
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
                let second = self.known(&cell.words[1], value)?;
                let open = if second.value.is_some() { "" } else { "> " };
                let ratio = second.counts.nodes as f64 / first.counts.nodes.max(1) as f64;
                format!("{open}{ratio:.2}")
            }
        })
    }
}

/// Reads the words behind `solve`.
pub(super) fn read(words: &str) -> Result<SolveArgs, Failure> {
    let line = format!("foregone solve {words}");
    match Cli::try_parse_from(line.split_whitespace()) {
        Ok(Cli { command: Command::Solve(args) }) => Ok(args),
        _ => Err(Failure::input(format!("`{line}` is no command"))),
    }
}

/// Runs a job.
pub(super) fn found<G: Guide + Notation>(game: &G, job: &Job<G::State>) -> Result<Found, Ended> {
    if session::interrupted() {
        return Err(Ended::Interrupted);
    }
    let answer = session::solve(game, job, true)?;
    if answer.stop == StopReason::Interrupted {
        return Err(Ended::Interrupted);
    }
    let value = match answer.bounds {
        (low, high) if answer.solved() && low == high => Some(game.scale().name(low).to_owned()),
        _ => None,
    };
    Ok(Found {
        value,
        bounds: answer.bounds,
        solved: answer.solved(),
        counts: answer.counts,
        time: answer.time.saturating_sub(answer.check_time),
    })
}

/// An answer that is known to be wrong.
pub(super) fn wrong(message: String) -> Failure {
    Failure::proof(message).help("this is a defect of foregone, or of the experiment's file")
}

/// Seconds with as many digits as mean something.
pub(super) fn seconds(time: Duration) -> String {
    match time.as_secs_f64() {
        s if s < 100.0 => format!("{s:.2}"),
        s => grouped(s.round() as u64),
    }
}

struct Solve(SolveArgs);

impl Visitor for Solve {
    type Output = Result<Found, Ended>;

    fn visit<G: Guide + Notation>(self, game: G) -> Self::Output {
        found(&game, &Job::new(&game, &self.0)?)
    }
}
