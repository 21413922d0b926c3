//! Matrix games as linear programs, in floating point: a small dense tableau.
//!
//! After G. B. Dantzig, *A proof of the equivalence of the programming problem and the game
//! problem* (1951): with positive payoffs A, Min looks for y >= 0 with Ay <= 1 and the largest
//! sum; the value is one over that sum, and the dual solution is the strategy of Max. The tableau
//! is the condensed one of A. W. Tucker: basic variables are rows, the others are columns.
//!
//! Ours: payoffs are brought between 1 and 2, so that one tolerance fits all matrices; the column
//! with the largest coefficient enters, until steps without progress become many, then the rule
//! of R. G. Bland (1977) until there is progress again. Rounding can still lead astray, so there
//! is a limit, and the caller measures what comes out.

use super::Matrix;

/// Numbers below this one are taken for rounding errors.
const NOTHING: f64 = 1e-11;

/// Solves the part of the matrix with these rows and columns, adds the strategies to `max` and
/// `min` (which are zero), and returns the range of the payoffs in that part.
pub(super) fn solve(
    matrix: &Matrix,
    rows: &[usize],
    columns: &[usize],
    max: &mut [f64],
    min: &mut [f64],
) -> f64 {
    let (low, high) = rows.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |bounds, &i| {
        let row = matrix.row(i);
        columns.iter().fold(bounds, |(low, high), &j| (row[j].min(low), row[j].max(high)))
    });
    let range = high - low;

    let (m, n) = (rows.len(), columns.len());
    let width = n + 1;
    let mut cells = Vec::with_capacity((m + 1) * width);
    for &i in rows {
        let row = matrix.row(i);
        cells.extend(columns.iter().map(|&j| 1.0 + (row[j] - low) / range));
        cells.push(1.0);
    }
    cells.resize((m + 1) * width - 1, -1.0);
    cells.push(0.0);
    let mut tableau = Tableau {
        width,
        cells,
        // Variable j < n is the weight of column j, variable n + i is what row i leaves over.
        basic: (n..n + m).collect(),
        other: (0..n).collect(),
    };
    tableau.run();

    for (r, &variable) in tableau.basic.iter().enumerate() {
        if variable < n {
            min[columns[variable]] = tableau.cells[r * width + n].max(0.0);
        }
    }
    for (j, &variable) in tableau.other.iter().enumerate() {
        if variable >= n {
            max[rows[variable - n]] = tableau.cells[m * width + j].max(0.0);
        }
    }
    normalize(max);
    normalize(min);
    range
}

/// Weights to probabilities.
fn normalize(weights: &mut [f64]) {
    let sum: f64 = weights.iter().sum();
    if sum > 0.0 && sum.is_finite() {
        weights.iter_mut().for_each(|w| *w /= sum);
    } else {
        // Rounding has destroyed everything. Some strategy is better than none: the gap tells.
        weights.fill(0.0);
        weights[0] = 1.0;
    }
}

/// One row for each basic variable and the objective below; one column for each other variable and
/// the right hand side after them.
struct Tableau {
    width: usize,
    cells: Vec<f64>,
    basic: Vec<usize>,
    other: Vec<usize>,
}

impl Tableau {
    fn run(&mut self) {
        let (m, n) = (self.basic.len(), self.other.len());
        let mut idle = 0;
        for _ in 0..20 * (m + n) {
            // 1. Which variable enters.
            let costs = &self.cells[m * self.width..][..n];
            let open = (0..n).filter(|&j| costs[j] < -NOTHING);
            let column = if idle > m + n {
                open.min_by_key(|&j| self.other[j])
            } else {
                open.min_by(|&j, &l| costs[j].total_cmp(&costs[l]))
            };
            let Some(column) = column else { return };
            // 2. Which one leaves: the first that would become negative.
            let Some((row, step)) = self.leaving(column) else { return };
            idle = if step > NOTHING { 0 } else { idle + 1 };
            // 3. They change places.
            self.pivot(row, column);
        }
    }

    /// The row with the least ratio and that ratio; among equals the first variable's.
    fn leaving(&self, column: usize) -> Option<(usize, f64)> {
        let mut best: Option<(usize, f64)> = None;
        for (row, &variable) in self.basic.iter().enumerate() {
            let cells = &self.cells[row * self.width..][..self.width];
            if cells[column] <= NOTHING {
                continue;
            }
            let ratio = cells[self.width - 1] / cells[column];
            let better = best.is_none_or(|(other, least)| {
                ratio < least || ratio == least && variable < self.basic[other]
            });
            if better {
                best = Some((row, ratio));
            }
        }
        best
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let width = self.width;
        let (above, rest) = self.cells.split_at_mut(row * width);
        let (pivot, below) = rest.split_at_mut(width);
        let by = 1.0 / pivot[column];
        pivot[column] = 1.0;
        pivot.iter_mut().for_each(|x| *x *= by);
        for other in above.chunks_exact_mut(width).chain(below.chunks_exact_mut(width)) {
            let times = other[column];
            other[column] = 0.0;
            other.iter_mut().zip(&*pivot).for_each(|(x, y)| *x -= times * y);
        }
        std::mem::swap(&mut self.basic[row], &mut self.other[column]);
    }
}
