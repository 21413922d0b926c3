//! Solvers of games that are more than a choice between two sides: joint moves, chance, many players.

use std::fmt;
use std::str::FromStr;

use foregone_model::TextError;

use crate::error::Error;
use crate::expected::ExpectedSolver;
use crate::job::Job;
use crate::joint::JointSolver;
use crate::many::ManySolver;

/// How a game is solved that schemes and drivers do not take. Its text is that of the solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solver {
    /// Players who move at the same time.
    Joint(JointSolver),
    /// Games with chance.
    Expected(ExpectedSolver),
    /// Many players.
    Many(ManySolver),
}

impl Solver {
    /// All of them, with their default options.
    pub fn all() -> Vec<Solver> {
        let joint = JointSolver::all().into_iter().map(Solver::Joint);
        let expected = ExpectedSolver::ALL.map(Solver::Expected);
        joint.chain(expected).chain(ManySolver::ALL.map(Solver::Many)).collect()
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Solver::Joint(solver) => solver.word(),
            Solver::Expected(solver) => solver.word(),
            Solver::Many(solver) => solver.word(),
        }
    }

    /// What it is, in a few words.
    pub fn about(self) -> &'static str {
        match self {
            Solver::Joint(solver) => solver.about(),
            Solver::Expected(solver) => solver.about(),
            Solver::Many(solver) => solver.about(),
        }
    }

    /// What it is for.
    pub fn purpose(self) -> &'static str {
        match self {
            Solver::Joint(_) => "players who move at the same time",
            Solver::Expected(_) => "games with chance",
            Solver::Many(_) => "players who move in turn, without chance",
        }
    }
}

impl fmt::Display for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Solver::Joint(solver) => solver.fmt(f),
            Solver::Expected(solver) => solver.fmt(f),
            Solver::Many(solver) => solver.fmt(f),
        }
    }
}

impl FromStr for Solver {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Solver, TextError> {
        let word = text.split('(').next().unwrap_or_default();
        let named = Solver::all().into_iter().find(|s| s.word().eq_ignore_ascii_case(word));
        match named {
            Some(Solver::Joint(_)) => text.parse().map(Solver::Joint),
            Some(Solver::Expected(_)) => text.parse().map(Solver::Expected),
            Some(Solver::Many(_)) => text.parse().map(Solver::Many),
            None => {
                let choices = Solver::all().into_iter().map(|s| s.word().to_owned()).collect();
                let message = format!("`{word}` is not a solver");
                Err(TextError::new(message, 0..word.len()).with_choices(choices))
            }
        }
    }
}

impl Job {
    /// The solver of this job, if it names one of the right kind.
    pub(crate) fn solver_of<S>(
        &self,
        game: &str,
        kind: impl Fn(Solver) -> Option<S>,
        words: &[&str],
    ) -> Result<Option<S>, Error> {
        let Some(named) = self.solver else { return Ok(None) };
        match kind(named) {
            Some(solver) => Ok(Some(solver)),
            None => {
                let message =
                    format!("`{}` is for {}, not for {game}", named.word(), named.purpose());
                Err(Error::input(message).help(format!("for {game}: {}", words.join(", "))))
            }
        }
    }
}
