//! Matrix games in fractions: pivoting in whole numbers.
//!
//! After J. Edmonds, *Systems of distinct representatives and linear algebra* (1967), and E. H.
//! Bareiss (1968): all cells of a tableau share one denominator, the last pivot, and a step of the
//! simplex method needs only one division for each cell, which leaves no remainder. Every cell is
//! a minor of the matrix, so numbers grow no more than they must. The linear program is the one of
//! `simplex.rs`.
//!
//! Ours: cells are 64 bits wide as long as they fit, since then all products fit in 128, and every
//! result is checked; when one does not fit, the whole is done again in numbers of any size.

use std::cmp::Ordering;

use super::pure::Grid;
use super::{Matrix, MatrixError, fits};
use foregone_model::Fraction;
use foregone_model::number::gcd;
use foregone_model::ratio::{Big, Ratio};

/// A payoff matrix in fractions: whole numbers over one common denominator. It is never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExactMatrix {
    columns: usize,
    numerators: Vec<Big>,
    /// Positive.
    denominator: Big,
}

impl ExactMatrix {
    /// A matrix from numerators, row by row, and the denominator of all of them.
    pub fn new(
        rows: usize,
        columns: usize,
        numerators: &[i64],
        denominator: i64,
    ) -> Result<ExactMatrix, MatrixError> {
        fits(rows, columns, numerators.len())?;
        let sign = match denominator.cmp(&0) {
            Ordering::Less => Big::NEG_ONE,
            Ordering::Equal => return Err(MatrixError::Denominator),
            Ordering::Greater => Big::ONE,
        };
        let numerators = numerators.iter().map(|&n| &sign * Big::from(n)).collect();
        Ok(ExactMatrix { columns, numerators, denominator: sign * Big::from(denominator) })
    }

    /// A matrix from its payoffs, row by row.
    pub fn from_ratios(
        rows: usize,
        columns: usize,
        payoffs: &[Ratio],
    ) -> Result<ExactMatrix, MatrixError> {
        fits(rows, columns, payoffs.len())?;
        Ok(ExactMatrix::of(columns, payoffs))
    }

    /// A matrix from payoffs that fill it.
    pub(super) fn of(columns: usize, payoffs: &[Ratio]) -> ExactMatrix {
        let mut common = Big::ONE;
        for own in &payoffs.iter().map(Ratio::den).collect::<Vec<_>>() {
            common = own / gcd(&common, own) * common;
        }
        let numerator = |x: &Ratio| x.numerator() * (&common / x.den());
        let numerators = payoffs.iter().map(numerator).collect();
        ExactMatrix { columns, numerators, denominator: common }
    }

    /// How many moves Max has.
    pub fn rows(&self) -> usize {
        self.numerators.len() / self.columns
    }

    /// How many moves Min has.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// What Min pays Max for this row and this column.
    pub fn at(&self, row: usize, column: usize) -> Ratio {
        Ratio::lowest(self.numerator(row, column).clone(), self.denominator.clone())
    }

    fn numerator(&self, row: usize, column: usize) -> &Big {
        &self.numerators[row * self.columns..][..self.columns][column]
    }

    /// The matrix in floating point, if its payoffs are not too large for that.
    pub fn rounded(&self) -> Result<Matrix, MatrixError> {
        let (rows, columns) = (self.rows(), self.columns);
        let cells = (0..rows).flat_map(|i| (0..columns).map(move |j| self.at(i, j).as_f64()));
        Matrix::new(rows, columns, cells.collect())
    }
}

/// The value and optimal strategies, exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExactNash {
    /// What the game is worth to Max.
    pub value: Ratio,
    /// How often Max plays each row.
    pub max: Vec<Ratio>,
    /// How often Min plays each column.
    pub min: Vec<Ratio>,
}

/// The value of a matrix, and optimal strategies, without any rounding.
pub fn solve_exact(matrix: &ExactMatrix) -> ExactNash {
    let mut max = vec![Ratio::ZERO; matrix.rows()];
    let mut min = vec![Ratio::ZERO; matrix.columns];
    let grid = Grid { columns: matrix.columns, payoffs: &matrix.numerators };

    // 1. A saddle point.
    if let Some((row, column)) = grid.saddle() {
        max[row] = Ratio::ONE;
        min[column] = Ratio::ONE;
        return ExactNash { value: matrix.at(row, column), max, min };
    }

    // 2. What is not dominated, as small positive numbers: neither adding a number to all payoffs
    // nor dividing all by one changes who plays what.
    let mut rows: Vec<usize> = (0..matrix.rows()).collect();
    let mut columns: Vec<usize> = (0..matrix.columns).collect();
    grid.undominated(&mut rows, &mut columns);
    let part = || rows.iter().flat_map(|&i| columns.iter().map(move |&j| matrix.numerator(i, j)));
    let least = part().min().cloned().unwrap_or(Big::ZERO);
    let unit = part().fold(Big::ZERO, |unit, x| gcd(&unit, &(x - &least)));
    let payoffs: Vec<Big> = part().map(|x| (x - &least) / &unit + Big::ONE).collect();

    // 3. Small numbers if they do, else large ones, which always do.
    let small = || {
        let payoffs: Result<Vec<i64>, _> = payoffs.iter().map(i64::try_from).collect();
        optimum(columns.len(), payoffs.ok()?)
    };
    let Some(best) = small().or_else(|| optimum(columns.len(), payoffs.clone())) else {
        unreachable!("numbers of any size do not overflow")
    };

    // 4. Weights to probabilities, and the value back to the payoffs as they were.
    for (i, weight) in best.max {
        max[rows[i]] = Ratio::lowest(weight, best.sum.clone());
    }
    for (j, weight) in best.min {
        min[columns[j]] = Ratio::lowest(weight, best.sum.clone());
    }
    let numerator = (least - &unit) * &best.sum + unit * best.divisor;
    let value = Ratio::lowest(numerator, best.sum * &matrix.denominator);
    ExactNash { value, max, min }
}

/// The optimum of a linear program, everything over the same divisor.
struct Optimum {
    max: Vec<(usize, Big)>,
    min: Vec<(usize, Big)>,
    sum: Big,
    divisor: Big,
}

/// What pivoting asks of whole numbers. Each answer is missing if it does not fit.
trait Whole: Ord + Clone + Into<Big> {
    fn small(n: i8) -> Self;
    fn negated(&self) -> Option<Self>;
    /// (self * a - b * c) / by, which is a whole number.
    fn cross(&self, a: &Self, b: &Self, c: &Self, by: &Self) -> Option<Self>;
    /// How a * b compares with c * d.
    fn compare(a: &Self, b: &Self, c: &Self, d: &Self) -> Ordering;
}

impl Whole for i64 {
    fn small(n: i8) -> i64 {
        n.into()
    }

    fn negated(&self) -> Option<i64> {
        self.checked_neg()
    }

    #[inline]
    fn cross(&self, a: &i64, b: &i64, c: &i64, by: &i64) -> Option<i64> {
        let product = |x: &i64, y: &i64| i128::from(*x) * i128::from(*y);
        let whole = product(self, a).checked_sub(product(b, c))?;
        // Most numbers are small, and dividing 64 bits is much quicker.
        match i64::try_from(whole) {
            Ok(whole) => whole.checked_div(*by),
            Err(_) => i64::try_from(whole / i128::from(*by)).ok(),
        }
    }

    fn compare(a: &i64, b: &i64, c: &i64, d: &i64) -> Ordering {
        (i128::from(*a) * i128::from(*b)).cmp(&(i128::from(*c) * i128::from(*d)))
    }
}

impl Whole for Big {
    fn small(n: i8) -> Big {
        n.into()
    }

    fn negated(&self) -> Option<Big> {
        Some(-self)
    }

    fn cross(&self, a: &Big, b: &Big, c: &Big, by: &Big) -> Option<Big> {
        Some((self * a - b * c) / by)
    }

    fn compare(a: &Big, b: &Big, c: &Big, d: &Big) -> Ordering {
        (a * b).cmp(&(c * d))
    }
}

/// Solves a matrix of positive payoffs, unless a number does not fit.
fn optimum<T: Whole>(columns: usize, payoffs: Vec<T>) -> Option<Optimum> {
    let rows = payoffs.len() / columns;
    let width = columns + 1;
    let mut cells = Vec::with_capacity((rows + 1) * width);
    let mut payoffs = payoffs.into_iter();
    for _ in 0..rows {
        cells.extend(payoffs.by_ref().take(columns));
        cells.push(T::small(1));
    }
    cells.resize((rows + 1) * width - 1, T::small(-1));
    cells.push(T::small(0));
    let mut tableau = Tableau {
        width,
        cells,
        divisor: T::small(1),
        basic: (columns..columns + rows).collect(),
        other: (0..columns).collect(),
    };
    tableau.run()?;

    let cell = |row: usize, column: usize| tableau.cells[row * width + column].clone().into();
    let basic = tableau.basic.iter().enumerate().filter(|(_, v)| **v < columns);
    let other = tableau.other.iter().enumerate().filter(|(_, v)| **v >= columns);
    Some(Optimum {
        min: basic.map(|(r, &variable)| (variable, cell(r, columns))).collect(),
        max: other.map(|(c, &variable)| (variable - columns, cell(rows, c))).collect(),
        sum: cell(rows, columns),
        divisor: tableau.divisor.clone().into(),
    })
}

/// As in `simplex.rs`, with cells that are all to be divided by `divisor`, which is positive.
struct Tableau<T> {
    width: usize,
    cells: Vec<T>,
    divisor: T,
    basic: Vec<usize>,
    other: Vec<usize>,
}

impl<T: Whole> Tableau<T> {
    /// Pivots until no column improves the sum, or a number does not fit.
    ///
    /// It ends: a step either makes the sum larger, so that its basis never comes back, or it is
    /// idle. After a few idle ones the rule of Bland holds until there is progress, and it never
    /// idles in a circle.
    fn run(&mut self) -> Option<()> {
        let (m, n) = (self.basic.len(), self.other.len());
        let zero = T::small(0);
        let mut idle = 0;
        loop {
            let costs = &self.cells[m * self.width..][..n];
            let open = (0..n).filter(|&j| costs[j] < zero);
            let column = if idle > m + n {
                open.min_by_key(|&j| self.other[j])
            } else {
                open.min_by_key(|&j| &costs[j])
            };
            let Some(column) = column else { return Some(()) };
            let row = self.leaving(column)?;
            idle = if self.cells[row * self.width + n] > zero { 0 } else { idle + 1 };
            self.pivot(row, column)?;
        }
    }

    /// The row with the least ratio, among equals the first variable's. There is one: payoffs are
    /// positive, so the sum cannot grow for ever.
    fn leaving(&self, column: usize) -> Option<usize> {
        let zero = T::small(0);
        let cell = |row: usize, column: usize| &self.cells[row * self.width + column];
        let last = self.width - 1;
        let rows = (0..self.basic.len()).filter(|&row| *cell(row, column) > zero);
        rows.min_by(|&a, &b| {
            T::compare(cell(a, last), cell(b, column), cell(b, last), cell(a, column))
                .then_with(|| self.basic[a].cmp(&self.basic[b]))
        })
    }

    fn pivot(&mut self, row: usize, column: usize) -> Option<()> {
        let width = self.width;
        let (above, rest) = self.cells.split_at_mut(row * width);
        let (pivot, below) = rest.split_at_mut(width);
        let by = std::mem::replace(&mut self.divisor, pivot[column].clone());
        for other in above.chunks_exact_mut(width).chain(below.chunks_exact_mut(width)) {
            let times = other[column].clone();
            for (j, x) in other.iter_mut().enumerate() {
                *x = match j == column {
                    true => times.negated()?,
                    false => x.cross(&self.divisor, &times, &pivot[j], &by)?,
                };
            }
        }
        pivot[column] = by;
        std::mem::swap(&mut self.basic[row], &mut self.other[column]);
        Some(())
    }
}

/// Whether a matrix of positive payoffs is solved without large numbers.
#[cfg(test)]
pub(super) fn fits_in_small_numbers(columns: usize, payoffs: &[i64]) -> bool {
    optimum(columns, payoffs.to_vec()).is_some()
}

/// Whether small and large numbers give the same optimum.
#[cfg(test)]
pub(super) fn both_agree(columns: usize, payoffs: &[i64]) -> bool {
    let large: Vec<Big> = payoffs.iter().map(|&n| n.into()).collect();
    match (optimum(columns, payoffs.to_vec()), optimum(columns, large)) {
        (Some(a), Some(b)) => (a.max, a.min, a.sum, a.divisor) == (b.max, b.min, b.sum, b.divisor),
        _ => false,
    }
}
