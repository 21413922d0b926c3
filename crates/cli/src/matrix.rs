//! `foregone matrix`: the Nash value of a payoff matrix, and strategies that reach it.

use std::path::Path;

use foregone::Error;
use foregone::text::counted;
use foregone_model::Ratio;
use foregone_search::matrix::{ExactMatrix, check, solve, solve_exact};
use serde_json::json;

use crate::program::Program;
use crate::report::read_file;

/// Fractions of larger matrices grow so long that solving them exactly takes minutes.
const LARGEST_EXACT: usize = 40;

/// What was found: between which numbers the value lies, and who plays what how often.
struct Found {
    low: String,
    high: String,
    max: Vec<String>,
    min: Vec<String>,
    /// The value and the strategies are fractions, and no error is left.
    exact: bool,
}

/// Solves the matrix in a file.
pub(crate) fn run(program: &mut Program<'_>, path: &Path, as_json: bool) -> Result<u8, Error> {
    let shown = path.display().to_string();
    let text = read_file(path)?;
    let wrong = |e| Error::in_file(&shown, &text, e, foregone_games::matrix::looks_right);
    let matrix = ExactMatrix::read(&text).map_err(wrong)?;
    let found = found(&matrix)?;
    if as_json {
        let object = json!({
            "file": shown, "rows": matrix.rows(), "columns": matrix.columns(),
            "bounds": [found.low, found.high], "max": found.max, "min": found.min,
            "exact": found.exact, "checked": true,
        });
        program.say(&(object.to_string() + "\n"));
        return Ok(0);
    }
    let value = match found.exact {
        true => format!("value {}", found.low),
        false => format!("value between {} and {}", found.low, found.high),
    };
    let [rows, columns] = [matrix.rows(), matrix.columns()].map(|n| n as u64);
    let size = format!("{}, {}", counted(rows, "row"), counted(columns, "column"));
    let mut text = format!("{shown}, {size}: {value} for the row player.\n");
    for (who, strategy) in [("rows", &found.max), ("columns", &found.min)] {
        text.push_str(&format!("  {who:<8} {}\n", played(strategy)));
    }
    text.push_str("  checked  by the best response to each strategy, in exact arithmetic\n");
    program.say(&text);
    Ok(0)
}

/// Solves a matrix and checks the strategies, which share no code with the check.
fn found(matrix: &ExactMatrix) -> Result<Found, Error> {
    let wrong = |e: String| {
        Error::proof(format!("the strategies of this answer were refused: {e}"))
            .help("this is a defect of foregone: the answer is not to be trusted")
    };
    let texts = |strategy: &[Ratio]| strategy.iter().map(Ratio::to_string).collect::<Vec<_>>();
    if matrix.rows().min(matrix.columns()) <= LARGEST_EXACT {
        let nash = solve_exact(matrix);
        let (low, high) = check(matrix, &nash.max, &nash.min).map_err(|e| wrong(e.to_string()))?;
        if low != high || low != nash.value {
            return Err(wrong(format!("they show {low} and {high}, not {}", nash.value)));
        }
        let (max, min) = (texts(&nash.max), texts(&nash.min));
        return Ok(Found { low: low.to_string(), high: high.to_string(), max, min, exact: true });
    }
    let rounded =
        matrix.rounded().map_err(|e| Error::input(format!("the payoffs are too large: {e}")))?;
    let nash = solve(&rounded);
    let (low, high) = (rounded.best_column(&nash.max).1, rounded.best_row(&nash.min).1);
    let texts = |strategy: &[f64]| strategy.iter().map(f64::to_string).collect();
    let (max, min) = (texts(&nash.max), texts(&nash.min));
    Ok(Found { low: low.to_string(), high: high.to_string(), max, min, exact: false })
}

/// A strategy in words: the moves that are played, counted from 1, and how often.
fn played(strategy: &[String]) -> String {
    let parts = strategy.iter().enumerate().filter(|(_, p)| *p != "0");
    let parts: Vec<String> = parts.map(|(i, p)| format!("{}: {p}", i + 1)).collect();
    parts.join(", ")
}
