//! What games with joint moves are worth, by trying everything: for tests.

use std::collections::HashMap;

use foregone_model::Joint;

use crate::testing::joint_moves;

/// The value of a position in points: backward induction over all positions below it.
pub(crate) fn joint_value<J: Joint>(
    game: &J,
    s: &J::State,
    memo: &mut HashMap<J::State, f64>,
) -> f64 {
    if let Some(payoff) = game.payoff(s) {
        return payoff as f64 / game.unit() as f64;
    }
    if let Some(&known) = memo.get(s) {
        return known;
    }
    let mut matrix: Vec<Vec<f64>> = Vec::new();
    let mut row_of = None;
    for (max, _, next) in joint_moves(game, s) {
        if row_of != Some(max) {
            row_of = Some(max);
            matrix.push(Vec::new());
        }
        let value = joint_value(game, &next, memo);
        matrix.last_mut().unwrap().push(value);
    }
    let value = matrix_value(&matrix);
    memo.insert(s.clone(), value);
    value
}

/// The value at the start.
pub(crate) fn value_at_start<J: Joint>(game: &J) -> f64 {
    joint_value(game, &game.start(), &mut HashMap::new())
}

/// The value of a matrix: the saddle point if there is one, otherwise Dantzig's simplex method
/// with Bland's rule.
pub(crate) fn matrix_value(matrix: &[Vec<f64>]) -> f64 {
    let (rows, columns) = (matrix.len(), matrix[0].len());
    let least = |row: &Vec<f64>| row.iter().copied().fold(f64::INFINITY, f64::min);
    let most = |c: usize| matrix.iter().map(|row| row[c]).fold(f64::NEG_INFINITY, f64::max);
    let maxmin = matrix.iter().map(least).fold(f64::NEG_INFINITY, f64::max);
    let minmax = (0..columns).map(most).fold(f64::INFINITY, f64::min);
    if minmax - maxmin < 1e-9 {
        return maxmin;
    }
    // All payoffs are made positive, v is then the value: the largest sum of y with A y <= 1 is
    // 1 / v.
    let shift = 1.0 - matrix.iter().map(least).fold(f64::INFINITY, f64::min);
    let width = columns + rows + 1;
    let mut table = vec![vec![0.0; width]; rows + 1];
    for r in 0..rows {
        for c in 0..columns {
            table[r][c] = matrix[r][c] + shift;
        }
        table[r][columns + r] = 1.0;
        table[r][width - 1] = 1.0;
    }
    table[rows][..columns].fill(-1.0);
    let mut basis: Vec<usize> = (columns..columns + rows).collect();
    while let Some(enter) = (0..width - 1).find(|&c| table[rows][c] < -1e-10) {
        let ratio = |r: usize| table[r][width - 1] / table[r][enter];
        let leave = (0..rows)
            .filter(|&r| table[r][enter] > 1e-10)
            .min_by(|&a, &b| ratio(a).total_cmp(&ratio(b)).then(basis[a].cmp(&basis[b])))
            .unwrap();
        let pivot = table[leave][enter];
        table[leave].iter_mut().for_each(|x| *x /= pivot);
        let pivot_row = table[leave].clone();
        for (r, row) in table.iter_mut().enumerate() {
            let factor = row[enter];
            if r != leave && factor != 0.0 {
                row.iter_mut().zip(&pivot_row).for_each(|(x, p)| *x -= factor * p);
            }
        }
        basis[leave] = enter;
    }
    1.0 / table[rows][width - 1] - shift
}

/// Whether two values are the same but for rounding.
pub(crate) fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}

#[test]
fn matrices_have_their_values() {
    for (matrix, value) in [
        (vec![vec![0.0, -1.0, 1.0], vec![1.0, 0.0, -1.0], vec![-1.0, 1.0, 0.0]], 0.0),
        (vec![vec![10.0, 0.0], vec![0.0, 10.0]], 5.0),
        (vec![vec![3.0, -1.0], vec![-2.0, 1.0]], 1.0 / 7.0),
        (vec![vec![6.0, 1.0, 0.0], vec![3.0, 3.0, 3.0], vec![0.0, 1.0, 6.0]], 3.0),
    ] {
        assert!(close(matrix_value(&matrix), value), "{matrix:?}");
    }
}
