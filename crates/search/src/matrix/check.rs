//! Whether strategies are as good as they are said to be, by best responses alone.
//!
//! The minimax theorem of J. von Neumann (1928), read as a certificate: what Max gets at least with
//! its strategy, whatever Min answers, is a lower bound of the value; what Min pays at most is an
//! upper bound. Strategies whose bounds meet are optimal, however they were found. There is no
//! linear program here, and nothing of the solvers.

use std::fmt;

use foregone_model::{Fraction, Side};

use super::{ExactMatrix, Ratio};

/// Why a list of numbers is not a strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StrategyError {
    /// It has not one probability for each row or column.
    Length {
        /// Whose strategy it is.
        side: Side,
        /// How many probabilities are needed.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A probability is negative.
    Negative {
        /// Whose strategy it is.
        side: Side,
        /// Its place, from 0 on.
        at: usize,
    },
    /// The probabilities do not sum up to one.
    Sum {
        /// Whose strategy it is.
        side: Side,
        /// What they sum up to.
        sum: Box<Ratio>,
    },
}

impl fmt::Display for StrategyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StrategyError::Length { side, expected, found } => write!(
                f,
                "the strategy of {side:?} has {found} probabilities, but {expected} are needed"
            ),
            StrategyError::Negative { side, at } => {
                write!(f, "probability {} of {side:?} is negative", at + 1)
            }
            StrategyError::Sum { side, sum } => {
                write!(f, "the probabilities of {side:?} sum up to {sum}, not to 1")
            }
        }
    }
}

impl std::error::Error for StrategyError {}

/// What `max` gets at least and what `min` pays at most. The value of the matrix lies between the
/// two bounds; both strategies are optimal exactly if the bounds are equal.
pub fn check(
    matrix: &ExactMatrix,
    max: &[Ratio],
    min: &[Ratio],
) -> Result<(Ratio, Ratio), StrategyError> {
    strategy(Side::Max, max, matrix.rows())?;
    strategy(Side::Min, min, matrix.columns())?;
    let mean = |terms: &mut dyn Iterator<Item = (Ratio, &Ratio)>| {
        terms.fold(Ratio::ZERO, |sum, (payoff, weight)| &sum + &(&payoff * weight))
    };
    let against_max = (0..matrix.columns())
        .map(|j| mean(&mut max.iter().enumerate().map(|(i, p)| (matrix.at(i, j), p))));
    let against_min = (0..matrix.rows())
        .map(|i| mean(&mut min.iter().enumerate().map(|(j, q)| (matrix.at(i, j), q))));
    // A matrix is never empty, and neither is the list of its rows or columns.
    let least = against_max.min().unwrap_or(Ratio::ZERO);
    let most = against_min.max().unwrap_or(Ratio::ZERO);
    Ok((least, most))
}

/// Whether these are probabilities, as many as needed.
fn strategy(side: Side, weights: &[Ratio], expected: usize) -> Result<(), StrategyError> {
    if weights.len() != expected {
        return Err(StrategyError::Length { side, expected, found: weights.len() });
    }
    if let Some(at) = weights.iter().position(|w| w.is_negative()) {
        return Err(StrategyError::Negative { side, at });
    }
    let sum = weights.iter().fold(Ratio::ZERO, |sum, w| &sum + w);
    if sum != Ratio::ONE {
        return Err(StrategyError::Sum { side, sum: Box::new(sum) });
    }
    Ok(())
}
