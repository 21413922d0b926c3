//! Payoff matrices: what a move is worth that both players choose at the same time.
//!
//! Max chooses a row, Min a column, and Min pays Max what stands there. By the minimax theorem of
//! J. von Neumann (1928) such a game has a value: Max has a mixed strategy that gets at least that
//! much, Min has one that pays at most that much. *Solving Games and All That* (chapter 5) needs
//! it at every state of a game with simultaneous moves.
//!
//! Two solvers share the work. [`solve`] is in floating point and quick; [`solve_exact`] is in
//! fractions. A floating point answer is never taken on trust: its duality gap is measured by best
//! responses, and where that is too wide the matrix is solved again exactly. [`check`] tells from
//! strategies alone between which bounds the value lies, and shares no code with the solvers.

use std::fmt;

mod check;
mod exact;
mod mixture;
mod pure;
mod read;
mod simplex;
#[cfg(test)]
mod tests;

pub use check::{StrategyError, check};
pub use exact::{ExactMatrix, ExactNash, solve_exact};
pub use mixture::Mixtures;

use foregone_model::{Fraction, Ratio};
use pure::Grid;

/// A payoff matrix: what Min pays Max, for each row of Max and each column of Min. It is never
/// empty, and its payoffs are finite.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    columns: usize,
    payoffs: Vec<f64>,
}

/// Why numbers are not a payoff matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixError {
    /// There is no row, or no column.
    Empty,
    /// Rows times columns is not the number of payoffs.
    Shape {
        /// How many payoffs there are.
        found: usize,
    },
    /// A payoff is not a number, or its size is above [`Matrix::LARGEST`].
    Payoff {
        /// Its row, from 0 on.
        row: usize,
        /// Its column, from 0 on.
        column: usize,
    },
    /// The common denominator is 0.
    Denominator,
}

impl fmt::Display for MatrixError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatrixError::Empty => write!(f, "a matrix needs at least one row and one column"),
            MatrixError::Shape { found } => {
                write!(f, "{found} payoffs do not fill the rows and columns of the matrix")
            }
            MatrixError::Payoff { row, column } => write!(
                f,
                "row {}, column {}: the payoff is not a number of at most {:e}",
                row + 1,
                column + 1,
                Matrix::LARGEST
            ),
            MatrixError::Denominator => write!(f, "the common denominator is 0"),
        }
    }
}

impl std::error::Error for MatrixError {}

/// Whether so many payoffs fill a matrix.
fn fits(rows: usize, columns: usize, found: usize) -> Result<(), MatrixError> {
    if rows == 0 || columns == 0 {
        return Err(MatrixError::Empty);
    }
    if rows.checked_mul(columns) != Some(found) {
        return Err(MatrixError::Shape { found });
    }
    Ok(())
}

impl Matrix {
    /// Payoffs are not larger than this, so that sums and differences of them stay finite.
    pub const LARGEST: f64 = 1e300;

    /// A matrix from its payoffs, row by row.
    pub fn new(rows: usize, columns: usize, payoffs: Vec<f64>) -> Result<Matrix, MatrixError> {
        fits(rows, columns, payoffs.len())?;
        // Written so that what is not a number is refused, too.
        let good = |x: &f64| x.abs() <= Matrix::LARGEST;
        match payoffs.iter().position(|x| !good(x)) {
            Some(at) => Err(MatrixError::Payoff { row: at / columns, column: at % columns }),
            None => Ok(Matrix { columns, payoffs }),
        }
    }

    /// How many moves Max has.
    pub fn rows(&self) -> usize {
        self.payoffs.len() / self.columns
    }

    /// How many moves Min has.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The payoffs of a row.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.payoffs[row * self.columns..][..self.columns]
    }

    /// What Min pays Max for this row and this column.
    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.row(row)[column]
    }

    /// The same matrix in fractions: every floating point number is one.
    pub fn exact(&self) -> ExactMatrix {
        let ratio = |&x: &f64| Ratio::from_f64(x).unwrap_or(Ratio::ZERO);
        ExactMatrix::of(self.columns, &self.payoffs.iter().map(ratio).collect::<Vec<_>>())
    }

    /// The best row against a strategy of Min, and what Min pays then.
    pub fn best_row(&self, min: &[f64]) -> (usize, f64) {
        self.grid().best_row(min)
    }

    /// The best column against a strategy of Max, and what Max gets then.
    pub fn best_column(&self, max: &[f64]) -> (usize, f64) {
        self.grid().best_column(max, &mut Vec::new())
    }

    fn grid(&self) -> Grid<'_, f64> {
        Grid { columns: self.columns, payoffs: &self.payoffs }
    }
}

/// A value and strategies that reach it, up to the gap.
#[derive(Clone, Debug, PartialEq)]
pub struct Nash {
    /// What the game is worth to Max: the middle between what the two strategies guarantee.
    pub value: f64,
    /// How often Max plays each row.
    pub max: Vec<f64>,
    /// How often Min plays each column.
    pub min: Vec<f64>,
    /// The duality gap: by how much what Min may have to pay is above what Max gets for sure. The
    /// true value is no further than this from `value`, up to the rounding of one sum.
    pub gap: f64,
}

/// A gap is too wide above this part of the range of the payoffs that it is made of.
const TOLERANCE: f64 = 1e-9;

/// Dominated rows and columns are looked for in matrices of so many payoffs. Measured on random
/// games: at 3 x 3 it saves time, at 5 x 5 it costs some.
const FEW: usize = 16;

/// Exact pivoting is tried up to so many rows or columns, whichever are fewer. It takes a quarter
/// of a second there, and seconds at 60 x 60: beyond, the gap has to speak for itself.
const EXACT_SIDE: usize = 40;

/// The value of a matrix, and optimal strategies, in floating point. See [`Nash::gap`] for how
/// good they are.
pub fn solve(matrix: &Matrix) -> Nash {
    let mut solver = Solver::default();
    let (value, gap) = solver.solve(matrix.columns, &matrix.payoffs);
    Nash { value, max: solver.max, min: solver.min, gap }
}

/// Solves matrices, one after the other, in memory that is used again: a search meets millions.
#[derive(Clone, Debug, Default)]
pub struct Solver {
    max: Vec<f64>,
    min: Vec<f64>,
    rows: Vec<usize>,
    columns: Vec<usize>,
    means: Vec<f64>,
    program: simplex::Program,
}

impl Solver {
    /// How often Max plays each row of the matrix that was solved last.
    pub fn max(&self) -> &[f64] {
        &self.max
    }

    /// How often Min plays each column of the matrix that was solved last.
    pub fn min(&self) -> &[f64] {
        &self.min
    }

    /// The value of a matrix that is not empty, given row by row, and whether both sides reach it
    /// without mixing. The strategies are written only where they mix.
    pub fn value(&mut self, columns: usize, payoffs: &[f64]) -> (f64, bool) {
        let (least, most) = pure_bounds(columns, payoffs, &mut self.means);
        if least >= most { (least, true) } else { (self.solve(columns, payoffs).0, false) }
    }

    /// The value of a matrix that is not empty, given row by row, and the duality gap of the
    /// strategies that then stand in [`Solver::max`] and [`Solver::min`].
    pub fn solve(&mut self, columns: usize, payoffs: &[f64]) -> (f64, f64) {
        let grid = Grid { columns, payoffs };
        let (value, gap, narrow) = self.in_floats(&grid);
        if narrow || grid.rows().min(columns) > EXACT_SIDE {
            return (value, gap);
        }
        let exact = solve_exact(&Matrix { columns, payoffs: payoffs.to_vec() }.exact());
        self.max = exact.max.iter().map(Ratio::as_f64).collect();
        self.min = exact.min.iter().map(Ratio::as_f64).collect();
        let (_, gap, _) = self.measure(&grid);
        (exact.value.as_f64(), gap)
    }

    /// The same, as good as floating point can do it, and whether that is good enough.
    fn in_floats(&mut self, grid: &Grid<'_, f64>) -> (f64, f64, bool) {
        let (rows, columns) = (grid.rows(), grid.columns);
        self.max.clear();
        self.max.resize(rows, 0.0);
        self.min.clear();
        self.min.resize(columns, 0.0);

        // 1. A saddle point: most positions of many games have one.
        if let Some((row, column)) = grid.saddle() {
            self.max[row] = 1.0;
            self.min[column] = 1.0;
            return (grid.payoffs[row * columns + column], 0.0, true);
        }

        // 2. Dominated rows and columns are not played. In a large matrix, looking for them takes
        // longer than the linear program.
        self.rows.clear();
        self.rows.extend(0..rows);
        self.columns.clear();
        self.columns.extend(0..columns);
        if rows * columns <= FEW {
            grid.undominated(&mut self.rows, &mut self.columns);
        }

        // 3. Two by two has a formula.
        if let (&[i, k], &[j, l]) = (&self.rows[..], &self.columns[..]) {
            let cells = [(i, j), (i, l), (k, j), (k, l)].map(|(i, j)| *grid.at(i, j));
            ([self.max[i], self.max[k]], [self.min[j], self.min[l]]) = two_by_two(cells);
            return self.measure(grid);
        }

        // 4. Everything else is a linear program.
        self.program.solve(grid, &self.rows, &self.columns);
        self.program.strategies(&mut self.max, &mut self.min);
        let (value, gap, narrow) = self.measure(grid);
        if narrow {
            return (value, gap, true);
        }

        // 5. What is not good enough is polished.
        let rough = (self.max.clone(), self.min.clone());
        if self.program.polished(grid, &mut self.max, &mut self.min).is_some() {
            let polished = self.measure(grid);
            if polished.1 < gap {
                return polished;
            }
        }
        (self.max, self.min) = rough;
        (value, gap, false)
    }

    /// The middle between what the two strategies guarantee, the gap between those bounds, and
    /// whether it is narrow.
    fn measure(&mut self, grid: &Grid<'_, f64>) -> (f64, f64, bool) {
        let (column, least) = grid.best_column(&self.max, &mut self.means);
        let (row, most) = grid.best_row(&self.min);
        // Rounding may put the bounds in the wrong order, by a hair.
        let gap = (most - least).max(0.0);
        // Narrow beside the payoffs that the bounds are made of. Others do not count: a huge fine
        // for what nobody does must not hide an error in what they do.
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut count = |x: f64| (low, high) = (x.min(low), x.max(high));
        let (max, min) = (&self.max, &self.min);
        (0..min.len()).filter(|&j| min[j] > 0.0).for_each(|j| count(*grid.at(row, j)));
        (0..max.len()).filter(|&i| max[i] > 0.0).for_each(|i| count(*grid.at(i, column)));
        (0.5 * least + 0.5 * most, gap, gap <= TOLERANCE * (high - low))
    }
}

/// What Max gets at least and what Min pays at most by a move that is not mixed: Max's best row
/// and Min's best column (Proposition 35). `most` is scratch.
pub fn pure_bounds(columns: usize, payoffs: &[f64], most: &mut Vec<f64>) -> (f64, f64) {
    most.clear();
    most.resize(columns, f64::NEG_INFINITY);
    let mut maxmin = f64::NEG_INFINITY;
    for row in payoffs.chunks_exact(columns) {
        let mut least = f64::INFINITY;
        for (x, most) in row.iter().zip(most.iter_mut()) {
            least = if *x < least { *x } else { least };
            *most = if *x > *most { *x } else { *most };
        }
        maxmin = maxmin.max(least);
    }
    (maxmin, most.iter().copied().fold(f64::INFINITY, f64::min))
}

/// How often the rows and the columns are played where there is no saddle point.
fn two_by_two([a, b, c, d]: [f64; 4]) -> ([f64; 2], [f64; 2]) {
    // Without a saddle point both differences of a sum have the same sign: nothing cancels, and
    // even a tiny weight is right to the last bit but a few.
    let part = |x: f64, y: f64| [x / (x + y), y / (x + y)];
    (part(d - c, a - b), part(d - b, a - c))
}
