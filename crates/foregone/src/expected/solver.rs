//! How a game with chance is solved, in words.

use std::fmt;
use std::str::FromStr;

use foregone_model::TextError;
use foregone_search::chance::{Sampled, Walk};

/// How a game with chance is solved.
///
/// Its text is its word, with options that are not the default: `star2`, `star1(tree)`,
/// `mcms(samples=20,by=star1)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedSolver {
    /// All of the game's graph, component by component: value iteration where positions come up again.
    Iterate,
    /// Depth first: expectimax, Star1 or Star2.
    Walk {
        /// What is cut.
        by: Walk,
        /// Whether positions are remembered.
        table: bool,
    },
    /// The same on a few outcomes of each chance node, drawn at random.
    Sample(Sampled),
    /// Best first, by bounds of the expected value.
    Bounds,
}

/// Outcomes that `mcms` draws at a chance node when nothing is said.
pub const USUAL_SAMPLES: u32 = 10;

impl ExpectedSolver {
    /// All of them, with their default options.
    pub const ALL: [ExpectedSolver; 6] = [
        ExpectedSolver::Iterate,
        ExpectedSolver::Walk { by: Walk::Expectimax, table: true },
        ExpectedSolver::Walk { by: Walk::Star1, table: true },
        ExpectedSolver::Walk { by: Walk::Star2, table: true },
        ExpectedSolver::Sample(Sampled { by: Walk::Star1, samples: USUAL_SAMPLES, plies: None }),
        ExpectedSolver::Bounds,
    ];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            ExpectedSolver::Iterate => "iterate",
            ExpectedSolver::Walk { by, .. } => by.word(),
            ExpectedSolver::Sample(_) => "mcms",
            ExpectedSolver::Bounds => "bounds",
        }
    }

    /// What it is, in a few words.
    pub fn about(self) -> &'static str {
        match self {
            ExpectedSolver::Iterate => {
                "chance: every position, value iteration where they come up again"
            }
            ExpectedSolver::Walk { by: Walk::Expectimax, .. } => "chance: expectimax with a table",
            ExpectedSolver::Walk { by: Walk::Star1, .. } => {
                "chance: Star1, windows at chance nodes"
            }
            ExpectedSolver::Walk { by: Walk::Star2, .. } => "chance: Star2, probes before windows",
            ExpectedSolver::Sample(_) => "chance, approximated: Monte Carlo *-minimax search",
            ExpectedSolver::Bounds => "chance: best first, by bounds of the expected value",
        }
    }

    /// The word of its driver.
    pub fn driver(self) -> &'static str {
        match self {
            ExpectedSolver::Iterate | ExpectedSolver::Bounds => "dag",
            ExpectedSolver::Walk { table: true, .. } => "dag",
            ExpectedSolver::Walk { table: false, .. } | ExpectedSolver::Sample(_) => "tree",
        }
    }

    /// The same with positions remembered (`dag`) or not (`tree`), if it can be.
    pub fn with_table(self, table: bool) -> Option<ExpectedSolver> {
        match self {
            ExpectedSolver::Walk { by, .. } => Some(ExpectedSolver::Walk { by, table }),
            ExpectedSolver::Iterate | ExpectedSolver::Bounds => table.then_some(self),
            ExpectedSolver::Sample(_) => (!table).then_some(self),
        }
    }

    /// Whether it finds the value itself.
    pub fn exact(self) -> bool {
        !matches!(self, ExpectedSolver::Sample(_))
    }

    /// Whether positions may come up again.
    pub fn takes_loops(self) -> bool {
        matches!(self, ExpectedSolver::Iterate)
    }
}

impl fmt::Display for ExpectedSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut options = Vec::new();
        match *self {
            ExpectedSolver::Walk { table: false, .. } => options.push("tree".to_owned()),
            ExpectedSolver::Sample(Sampled { by, samples, plies }) => {
                if samples != USUAL_SAMPLES {
                    options.push(format!("samples={samples}"));
                }
                if by != Walk::Star1 {
                    options.push(format!("by={}", by.word()));
                }
                options.extend(plies.map(|plies| format!("plies={plies}")));
            }
            ExpectedSolver::Walk { table: true, .. }
            | ExpectedSolver::Iterate
            | ExpectedSolver::Bounds => {}
        }
        match options.is_empty() {
            true => f.write_str(self.word()),
            false => write!(f, "{}({})", self.word(), options.join(",")),
        }
    }
}

impl FromStr for ExpectedSolver {
    type Err = TextError;

    fn from_str(text: &str) -> Result<ExpectedSolver, TextError> {
        let (word, options) = match text.strip_suffix(')').and_then(|t| t.split_once('(')) {
            Some((word, options)) => (word, Some(options)),
            None => (text, None),
        };
        let named = ExpectedSolver::ALL.into_iter().find(|s| s.word().eq_ignore_ascii_case(word));
        let Some(mut solver) = named else {
            let choices = ExpectedSolver::ALL.map(|solver| solver.word().to_owned());
            let message = format!("`{word}` is not a solver of games with chance");
            return Err(TextError::new(message, 0..word.len()).with_choices(choices.to_vec()));
        };
        let mut at = word.len() + 1;
        for option in options.into_iter().flat_map(|options| options.split(',')) {
            let wrong = || {
                let message = format!("`{option}` is not an option of {word}");
                let choices = ["tree", "dag", "samples=10", "by=star1", "by=star2", "plies=4"];
                TextError::new(message, at..at + option.len())
                    .with_choices(choices.map(str::to_owned).to_vec())
            };
            match (&mut solver, option.split_once('=')) {
                (_, None) if option == "tree" || option == "dag" => {
                    solver = solver.with_table(option == "dag").ok_or_else(wrong)?;
                }
                (ExpectedSolver::Sample(sampled), Some(("samples", number))) => {
                    let number = number.parse().ok().filter(|n| (1..=1_000_000).contains(n));
                    sampled.samples = number.ok_or_else(wrong)?;
                }
                (ExpectedSolver::Sample(sampled), Some(("plies", number))) => {
                    let number = number.parse().ok().filter(|n| *n > 0);
                    sampled.plies = Some(number.ok_or_else(wrong)?);
                }
                (ExpectedSolver::Sample(sampled), Some(("by", word))) => {
                    let by = Walk::ALL.into_iter().find(|walk| walk.word() == word);
                    sampled.by = by.ok_or_else(wrong)?;
                }
                _ => return Err(wrong()),
            }
            at += option.len() + 1;
        }
        Ok(solver)
    }
}
