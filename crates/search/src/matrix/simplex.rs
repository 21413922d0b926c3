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

use super::pure::Grid;

/// Numbers below this one are taken for rounding errors.
pub(super) const NOTHING: f64 = 1e-11;

/// A linear program for some rows and columns of a matrix, solved. Its memory is used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    rows: Vec<usize>,
    columns: Vec<usize>,
    low: f64,
    range: f64,
    tableau: Tableau,
}

impl Program {
    /// Solves the part of the matrix with these rows and columns, whose payoffs are not all equal.
    pub(super) fn solve(&mut self, grid: &Grid<'_, f64>, rows: &[usize], columns: &[usize]) {
        let (low, high) = rows.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |bounds, &i| {
            let cells = columns.iter().map(|&j| *grid.at(i, j));
            cells.fold(bounds, |(low, high), x| (x.min(low), x.max(high)))
        });
        let range = high - low;
        (self.low, self.range) = (low, range);
        self.rows.clear();
        self.rows.extend(rows);
        self.columns.clear();
        self.columns.extend(columns);

        let (m, n) = (rows.len(), columns.len());
        let width = n + 1;
        let Tableau { cells, basic, other, .. } = &mut self.tableau;
        cells.clear();
        for &i in rows {
            cells.extend(columns.iter().map(|&j| 1.0 + (*grid.at(i, j) - low) / range));
            cells.push(1.0);
        }
        cells.resize((m + 1) * width - 1, -1.0);
        cells.push(0.0);
        // Variable j < n is the weight of column j, variable n + i is what row i leaves over.
        basic.clear();
        basic.extend(n..n + m);
        other.clear();
        other.extend(0..n);
        self.tableau.width = width;
        self.tableau.run();
    }

    /// The rows that are played, with their places in the tableau.
    fn played_rows(&self) -> impl Iterator<Item = (usize, usize)> {
        let n = self.columns.len();
        let other = self.tableau.other.iter().enumerate();
        other.filter(move |(_, v)| **v >= n).map(move |(at, v)| (at, self.rows[v - n]))
    }

    /// The columns that are played, with their places in the tableau.
    fn played_columns(&self) -> impl Iterator<Item = (usize, usize)> {
        let n = self.columns.len();
        let basic = self.tableau.basic.iter().enumerate();
        basic.filter(move |(_, v)| **v < n).map(|(at, v)| (at, self.columns[*v]))
    }

    /// Writes the strategies of Max and Min that stand in the tableau.
    pub(super) fn strategies(&self, max: &mut [f64], min: &mut [f64]) {
        let (m, n, width) = (self.rows.len(), self.columns.len(), self.tableau.width);
        let cells = &self.tableau.cells;
        probabilities(max, self.played_rows().map(|(at, row)| (row, cells[m * width + at])));
        let weight = |(at, column)| (column, cells[at * width + n]);
        probabilities(min, self.played_columns().map(weight));
    }

    /// Writes the strategies that make the other side indifferent among what it plays, from the
    /// payoffs themselves: the tableau may have been spoilt by small pivots on the way.
    /// Elimination with the largest pivots leaves little residue even where the equations nearly
    /// depend on each other, and residue is what the gap measures.
    pub(super) fn polished(
        &self,
        grid: &Grid<'_, f64>,
        max: &mut [f64],
        min: &mut [f64],
    ) -> Option<()> {
        let rows: Vec<usize> = self.played_rows().map(|(_, row)| row).collect();
        let columns: Vec<usize> = self.played_columns().map(|(_, column)| column).collect();
        let payoff = |i: usize, j: usize| 1.0 + (*grid.at(i, j) - self.low) / self.range;
        let by_rows = rows.iter().flat_map(|&i| columns.iter().map(move |&j| payoff(i, j)));
        let by_columns = columns.iter().flat_map(|&j| rows.iter().map(move |&i| payoff(i, j)));
        let of_min = indifferent(columns.len(), by_rows.collect())?;
        let of_max = indifferent(rows.len(), by_columns.collect())?;
        probabilities(max, rows.into_iter().zip(of_max));
        probabilities(min, columns.into_iter().zip(of_min));
        Some(())
    }
}

/// The weights with which every row of a square sums up to one, if the square is not singular.
fn indifferent(n: usize, mut cells: Vec<f64>) -> Option<Vec<f64>> {
    let mut sums = vec![1.0; n];
    for k in 0..n {
        let pivot =
            (k..n).max_by(|&a, &b| cells[a * n + k].abs().total_cmp(&cells[b * n + k].abs()))?;
        if cells[pivot * n + k] == 0.0 {
            return None;
        }
        if pivot > k {
            let (above, below) = cells.split_at_mut(pivot * n);
            above[k * n..][..n].swap_with_slice(&mut below[..n]);
            sums.swap(k, pivot);
        }
        let (above, below) = cells.split_at_mut((k + 1) * n);
        let top = &above[k * n..];
        for (i, row) in below.chunks_exact_mut(n).enumerate() {
            let times = row[k] / top[k];
            row.iter_mut().zip(top).skip(k).for_each(|(x, y)| *x -= times * y);
            sums[k + 1 + i] -= times * sums[k];
        }
    }
    for k in (0..n).rev() {
        let row = &cells[k * n..][..n];
        let known: f64 = (k + 1..n).map(|j| row[j] * sums[j]).sum();
        sums[k] = (sums[k] - known) / row[k];
    }
    Some(sums)
}

/// Weights of some moves to probabilities of all of them.
fn probabilities(all: &mut [f64], weights: impl Iterator<Item = (usize, f64)>) {
    all.fill(0.0);
    let mut sum = 0.0;
    for (at, weight) in weights {
        // What is a little below zero was rounded.
        all[at] = weight.max(0.0);
        sum += all[at];
    }
    if sum > 0.0 && sum.is_finite() {
        all.iter_mut().for_each(|w| *w /= sum);
    } else {
        // Rounding has destroyed everything. Some strategy is better than none: the gap tells.
        all.fill(0.0);
        all[0] = 1.0;
    }
}

/// One row for each basic variable and the objective below; one column for each other variable and
/// the right hand side after them.
#[derive(Clone, Debug, Default)]
pub(super) struct Tableau {
    pub(super) width: usize,
    pub(super) cells: Vec<f64>,
    pub(super) basic: Vec<usize>,
    pub(super) other: Vec<usize>,
}

impl Tableau {
    /// Goes on until nothing can be gained; whether there is a bound to what can be gained.
    pub(super) fn run(&mut self) -> bool {
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
            let Some(column) = column else { return true };
            // 2. Which one leaves: the first that would become negative.
            let Some((row, step)) = self.leaving(column) else { return false };
            idle = if step > NOTHING { 0 } else { idle + 1 };
            // 3. They change places.
            self.pivot(row, column);
        }
        true
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

    pub(super) fn pivot(&mut self, row: usize, column: usize) {
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
