//! Runs the searches of an experiment.

use std::collections::BTreeMap;
use std::time::Duration;

use clap::Parser;
use foregone_games::registry::{Visitor, with_game};
use foregone_model::{Guide, Notation};
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
pub(super) struct Found {
    /// The value's name, if the search came to its end.
    pub(super) value: Option<String>,
    /// What it did.
    pub(super) counts: Counts,
    /// How long it searched and made its proof. The replay of the proof is not in it: the seeds'
    /// programs had none.
    pub(super) time: Duration,
}

/// Why an experiment ends early.
#[derive(Debug)]
pub(super) enum Ended {
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
pub(super) struct Runner {
    budget: BudgetArgs,
    found: BTreeMap<String, Found>,
}

impl Runner {
    /// Searches with this budget each.
    pub(super) fn new(budget: BudgetArgs) -> Runner {
        Runner { budget, found: BTreeMap::new() }
    }

    /// One search by the words behind `solve`.
    pub(super) fn solve(&self, words: &str) -> Result<Found, Ended> {
        if session::interrupted() {
            return Err(Ended::Interrupted);
        }
        let line = format!("foregone solve {words}");
        let Ok(Cli { command: Command::Solve(args) }) =
            Cli::try_parse_from(line.split_whitespace())
        else {
            return Err(Failure::input(format!("`{line}` is no command")).into());
        };
        let args = SolveArgs { budget: self.budget.clone(), ..args };
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
    pub(super) fn cell(&mut self, cell: &Cell) -> Result<String, Ended> {
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
        let job = Job::new(&game, &self.0)?;
        let answer = session::solve(&game, &job, true)?;
        if answer.stop == StopReason::Interrupted {
            return Err(Ended::Interrupted);
        }
        let value = match answer.bounds {
            (low, high) if answer.solved() && low == high => {
                Some(game.scale().name(low).to_owned())
            }
            _ => None,
        };
        Ok(Found {
            value,
            counts: answer.counts,
            time: answer.time.saturating_sub(answer.check_time),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runner() -> Runner {
        let (time, nodes, memory) = (None, Some(10_000), None);
        Runner::new(BudgetArgs { time, nodes, memory, threads: 1, seed: 0 })
    }

    fn cell(words: &str, measure: Measure, value: &str) -> Cell {
        Cell {
            words: vec![words.to_owned(), words.to_owned()],
            measure,
            value: Some(value.to_owned()),
            seed: String::new(),
            quick: true,
        }
    }

    #[test]
    fn a_wrong_winner_is_a_failure() {
        let wrong = cell("nim:3 --driver dfs", Measure::Winner, "loss");
        match runner().cell(&wrong) {
            Err(Ended::Failed(failure)) => {
                assert_eq!(failure.code, crate::failure::PROOF_REJECTED);
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_out_of_budget_says_so() {
        let of = |words: &str, measure| runner().cell(&cell(words, measure, "win")).ok();
        let big = "domineering:8x8 --driver alphabeta";
        assert_eq!(of(big, Measure::Winner).as_deref(), Some("?"));
        assert_eq!(of(big, Measure::SpeedUp).as_deref(), Some("?"));
        assert_eq!(of(big, Measure::Nodes).as_deref(), Some("> 10,000"));
        assert_eq!(of("nim:3 --driver dfs", Measure::Winner).as_deref(), Some("1"));
        assert_eq!(of("nim:3 --driver dfs", Measure::SpeedUp).as_deref(), Some("1.00"));
    }
}
