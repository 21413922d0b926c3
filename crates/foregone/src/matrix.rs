//! Payoff matrices: the Nash value, and strategies that reach it.

use foregone_model::Ratio;
use foregone_search::matrix::{ExactMatrix, check, solve, solve_exact};

use crate::error::Error;

/// Fractions of larger matrices grow so long that solving them exactly takes minutes.
const LARGEST_EXACT: usize = 40;

/// What was found: between which numbers the value lies, and who plays what how often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The row player gets at least this.
    pub low: String,
    /// The row player gets at most this.
    pub high: String,
    /// How often the row player plays each row.
    pub max: Vec<String>,
    /// How often the column player plays each column.
    pub min: Vec<String>,
    /// The value and the strategies are fractions, and no error is left.
    pub exact: bool,
}

/// Solves a matrix and checks the strategies, which share no code with the check.
pub fn found(matrix: &ExactMatrix) -> Result<Found, Error> {
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

/// What was found, as `foregone matrix --json` prints it, but for the file.
pub fn json(matrix: &ExactMatrix, found: &Found) -> serde_json::Value {
    serde_json::json!({
        "rows": matrix.rows(), "columns": matrix.columns(), "bounds": [found.low, found.high],
        "max": found.max, "min": found.min, "exact": found.exact, "checked": true,
    })
}
