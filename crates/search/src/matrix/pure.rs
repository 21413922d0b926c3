//! What can be seen in a matrix without any arithmetic: saddle points, and rows and columns that
//! nobody needs. Classical; see M. J. Osborne and A. Rubinstein, *A Course in Game Theory* (1994).
//!
//! Payoffs are only compared, so the same code serves floating point numbers and exact ones.

/// A matrix as a list of its rows.
pub(super) struct Grid<'a, T> {
    pub(super) columns: usize,
    pub(super) payoffs: &'a [T],
}

impl<'a, T: PartialOrd> Grid<'a, T> {
    pub(super) fn rows(&self) -> usize {
        self.payoffs.len() / self.columns
    }

    #[inline]
    pub(super) fn at(&self, row: usize, column: usize) -> &'a T {
        &self.payoffs[row * self.columns + column]
    }

    /// A row and a column that are best responses to each other, if there are any: the payoff
    /// there is the least of its row and the largest of its column.
    pub(super) fn saddle(&self) -> Option<(usize, usize)> {
        let least = |row: usize| {
            let cells = &self.payoffs[row * self.columns..][..self.columns];
            cells.iter().reduce(|a, b| if b < a { b } else { a })
        };
        let mut best = (0, least(0)?);
        for row in 1..self.rows() {
            let here = least(row)?;
            if here > best.1 {
                best = (row, here);
            }
        }
        // Saddle points are interchangeable: if there is one, there is one in this row.
        let (row, value) = best;
        let column = (0..self.columns).find(|&j| {
            self.at(row, j) == value && (0..self.rows()).all(|i| self.at(i, j) <= value)
        })?;
        Some((row, column))
    }

    /// Takes dominated rows and columns away from those given, again and again.
    ///
    /// Weak dominance will do, and of two equal rows one goes: an equilibrium of what is left is
    /// one of the whole matrix, since a strategy that was taken away is never a better response
    /// than the one that dominates it. Other equilibria may be lost, the value is not.
    pub(super) fn undominated(&self, rows: &mut Vec<usize>, columns: &mut Vec<usize>) {
        loop {
            let fewer_rows =
                thin(rows, |a, b| columns.iter().all(|&j| self.at(a, j) <= self.at(b, j)));
            let fewer_columns =
                thin(columns, |a, b| rows.iter().all(|&i| self.at(i, a) >= self.at(i, b)));
            if !fewer_rows && !fewer_columns {
                return;
            }
        }
    }
}

impl Grid<'_, f64> {
    /// The best row against a strategy of Min, and what Min pays then.
    pub(super) fn best_row(&self, min: &[f64]) -> (usize, f64) {
        let mean = |row: &[f64]| row.iter().zip(min).map(|(a, q)| a * q).sum::<f64>();
        let rows = self.payoffs.chunks_exact(self.columns).map(mean).enumerate();
        rows.fold((0, f64::NEG_INFINITY), |best, it| if it.1 > best.1 { it } else { best })
    }

    /// The best column against a strategy of Max, and what Max gets then. `means` is scratch.
    pub(super) fn best_column(&self, max: &[f64], means: &mut Vec<f64>) -> (usize, f64) {
        means.clear();
        means.resize(self.columns, 0.0);
        for (row, p) in self.payoffs.chunks_exact(self.columns).zip(max) {
            // Most rows of a large matrix are not played.
            if *p > 0.0 {
                means.iter_mut().zip(row).for_each(|(mean, a)| *mean += a * p);
            }
        }
        let columns = means.iter().copied().enumerate();
        columns.fold((0, f64::INFINITY), |best, it| if it.1 < best.1 { it } else { best })
    }
}

/// Takes away what another one dominates: `worse(a, b)` says that `a` is no better than `b`.
fn thin(list: &mut Vec<usize>, worse: impl Fn(usize, usize) -> bool) -> bool {
    let before = list.len();
    let mut at = 0;
    while at < list.len() {
        let one = list[at];
        if list.iter().any(|&other| other != one && worse(one, other)) {
            list.remove(at);
        } else {
            at += 1;
        }
    }
    list.len() < before
}
