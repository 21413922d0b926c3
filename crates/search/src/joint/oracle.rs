//! Double oracle with alpha-beta bounds: what experts use where matrices are large.
//!
//! After B. Bošanský, V. Lisý, J. Čermák, R. Vítek and M. Pěchouček, *Using Double-Oracle Method and
//! Serialized Alpha-Beta Search for Pruning in Simultaneous Move Games* (IJCAI 2013), and B.
//! Bošanský, V. Lisý, M. Lanctot, J. Čermák and M. Winands, *Algorithms for computing strategies in
//! two-player simultaneous move games* (Artificial Intelligence 237, 2016): a position is first
//! bounded by letting either player move first everywhere; where these bounds differ, its matrix
//! grows from one row and one column by best responses, until there is none better.
//!
//! Ours: written from the papers' text; successors that are over, in the table or bounded by what
//! the game sees at a glance are known before the rest.

use foregone_model::{Joint, Side};

use super::serial::alpha_beta;
use super::{Bounds, Driver, JointReport, Moves, Pair, Root, Table, Walk, remember, table_bytes};
use crate::report::{Limits, StopReason, Watch};

/// The value of `start`; with `knowledge`, what the game sees of positions without a search is used.
pub fn oracle<J: Joint>(
    game: &J,
    start: &J::State,
    driver: Driver,
    knowledge: bool,
    limits: Limits,
    watch: &mut dyn Watch<Pair<J>>,
) -> JointReport<J::Move> {
    let (low, high) = game.range();
    let (low, high) = (low as f64, high as f64);
    let dag = driver == Driver::Dag;
    let mut search = Search {
        walk: Walk::new(game, limits, watch),
        table: dag.then(Table::default),
        pure: [dag.then(Table::default), dag.then(Table::default)],
        low,
        high,
        nothing: NOTHING * (high - low),
        knowledge,
        root: Root::default(),
    };
    search.walk.counts.plain.nodes += 1;
    let found = match game.payoff(start) {
        Some(payoff) => Ok((payoff as f64, Root::default())),
        None => search
            .value(start, low - 1.0, high + 1.0, true)
            .map(|value| (value, std::mem::take(&mut search.root))),
    };
    let bytes = search.bytes();
    search.walk.weigh(bytes);
    search.walk.report(start, found)
}

/// Differences below this part of the range of payoffs are taken for rounding errors.
const NOTHING: f64 = 1e-12;

struct Search<'a, J: Joint> {
    walk: Walk<'a, J>,
    /// Bounds of the values of positions.
    table: Bounds<J>,
    /// Bounds of what positions are worth where Max moves first everywhere, and where Min does.
    pure: [Bounds<J>; 2],
    low: f64,
    high: f64,
    nothing: f64,
    knowledge: bool,
    root: Root,
}

/// The matrix of a position: where cells lead, and bounds of what they are worth.
struct Matrix<S> {
    columns: usize,
    next: Vec<S>,
    least: Vec<f64>,
    most: Vec<f64>,
}

impl<J: Joint> Search<'_, J> {
    fn bytes(&self) -> u64 {
        let of =
            |table: &Option<Table<J::State, (f64, f64)>>| table.as_ref().map_or(0, table_bytes);
        of(&self.table) + of(&self.pure[0]) + of(&self.pure[1])
    }

    /// What a position is worth when `first` moves before the other one, here and in all positions
    /// below: alpha-beta, exact between its bounds.
    fn in_turn(
        &mut self,
        s: &J::State,
        first: Side,
        alpha: f64,
        beta: f64,
    ) -> Result<f64, StopReason> {
        if let Some(payoff) = self.walk.game.payoff(s) {
            return Ok(payoff as f64);
        }
        let known = self.pure[first.index()].as_ref().and_then(|table| table.get(s)).copied();
        let (least, most) = known.unwrap_or((self.low, self.high));
        if least >= beta || least >= most {
            return Ok(least);
        }
        if most <= alpha {
            return Ok(most);
        }
        let bytes = self.bytes();
        self.walk.pass(|| bytes)?;
        let moves = self.walk.open(s);
        let places = (0..moves.rows, 0..moves.columns);
        let found = alpha_beta(self, first, places, alpha, beta, |this, row, column, low, high| {
            let next = this.walk.after(s, moves, row, column);
            this.in_turn(&next, first, low, high)
        });
        self.walk.close(moves);
        let (value, _) = found?;
        let range = (self.low, self.high);
        remember::<J>(&mut self.pure[first.index()], s, range, value, (alpha, beta));
        Ok(value)
    }

    /// At most alpha if the value is at most that, at least beta if it is at least that, and
    /// otherwise the value of a position that is not over.
    fn value(
        &mut self,
        s: &J::State,
        alpha: f64,
        beta: f64,
        is_root: bool,
    ) -> Result<f64, StopReason> {
        let known = self.table.as_ref().and_then(|table| table.get(s)).copied();
        let (mut least, mut most) = known.unwrap_or((self.low, self.high));
        // 1. What players reach who move first, and what they hold the other side to. The root needs
        // its strategies, and so its matrix, anyway.
        if least < most && !is_root {
            let maxmin = self.in_turn(s, Side::Max, alpha, beta)?;
            if maxmin > alpha {
                least = least.max(maxmin);
            }
            let minmax = self.in_turn(s, Side::Min, alpha, beta)?;
            if minmax < beta {
                most = most.min(minmax);
            }
        }
        // 2. The matrix, if that is not enough.
        let enough = least >= beta || most <= alpha || least >= most - self.nothing;
        let value = match (enough, most <= alpha) {
            (true, true) => most,
            (true, false) => least,
            (false, _) => {
                let bytes = self.bytes();
                self.walk.expand(bytes)?;
                let moves = self.walk.open(s);
                let value = self.grow(s, moves, alpha.max(least), beta.min(most), is_root);
                self.walk.close(moves);
                value?
            }
        };
        if let Some(table) = &mut self.table {
            let bounds = table.entry(s.clone()).or_insert((self.low, self.high));
            let exact = value > alpha && value < beta;
            if exact || value >= beta {
                least = least.max(value);
            }
            if exact || value <= alpha {
                most = most.min(value);
            }
            *bounds = (bounds.0.max(least), bounds.1.min(most).max(least));
        }
        Ok(value)
    }

    /// The double oracle: a part of the matrix that grows by best responses.
    fn grow(
        &mut self,
        s: &J::State,
        moves: Moves,
        alpha: f64,
        beta: f64,
        is_root: bool,
    ) -> Result<f64, StopReason> {
        let mut matrix = self.glance(s, moves);
        let (mut rows, mut columns) = (vec![0], vec![0]);
        loop {
            // 1. The value and the strategies of the part.
            let mut part = Vec::with_capacity(rows.len() * columns.len());
            for &row in &rows {
                for &column in &columns {
                    part.push(self.cell(
                        &mut matrix,
                        row,
                        column,
                        self.low - 1.0,
                        self.high + 1.0,
                    )?);
                }
            }
            let (value, _) = self.walk.solver.solve(columns.len(), &part);
            self.walk.counts.lp_calls += u64::from(rows.len() > 1 && columns.len() > 1);
            let max = self.walk.solver.max().to_vec();
            let min = self.walk.solver.min().to_vec();

            // 2. The best response to each.
            let more =
                self.respond(&mut matrix, Side::Max, (moves.rows, &rows), &columns, &min, value)?;
            if more.0 <= alpha {
                return Ok(alpha);
            }
            let less = self.respond(
                &mut matrix,
                Side::Min,
                (moves.columns, &columns),
                &rows,
                &max,
                value,
            )?;
            if less.0 >= beta {
                return Ok(beta);
            }

            // 3. None better: the part has the value of the whole.
            if more.1.is_none() && less.1.is_none() {
                self.walk.counts.pure +=
                    u64::from(max.iter().chain(&min).all(|&w| w == 0.0 || w == 1.0));
                if is_root {
                    self.root = Root { rows, columns, payoffs: part };
                }
                return Ok(value);
            }
            rows.extend(more.1);
            columns.extend(less.1);
        }
    }

    fn glance(&mut self, s: &J::State, moves: Moves) -> Matrix<J::State> {
        let cells = moves.rows * moves.columns;
        let mut matrix = Matrix {
            columns: moves.columns,
            next: Vec::with_capacity(cells),
            least: Vec::with_capacity(cells),
            most: Vec::with_capacity(cells),
        };
        for row in 0..moves.rows {
            for column in 0..moves.columns {
                let next = self.walk.after(s, moves, row, column);
                let (least, most) = self.walk.glance(&next, &self.table, self.knowledge);
                matrix.next.push(next);
                matrix.least.push(least);
                matrix.most.push(most);
            }
        }
        matrix
    }

    /// The value of a cell, exact if it lies between the bounds.
    fn cell(
        &mut self,
        matrix: &mut Matrix<J::State>,
        row: usize,
        column: usize,
        low: f64,
        high: f64,
    ) -> Result<f64, StopReason> {
        let at = row * matrix.columns + column;
        let (least, most) = (matrix.least[at], matrix.most[at]);
        if least >= most || least >= high {
            return Ok(least);
        }
        if most <= low {
            return Ok(most);
        }
        let value = self.value(&matrix.next[at].clone(), low, high, false)?;
        if value > low {
            matrix.least[at] = least.max(value);
        }
        if value < high {
            matrix.most[at] = most.min(value);
        }
        Ok(value)
    }

    /// The best response of a side to a strategy of the other one on `played`, if it is better than
    /// the part's value, among the lines that are not in the part; and what the strategy holds the
    /// side to.
    fn respond(
        &mut self,
        matrix: &mut Matrix<J::State>,
        side: Side,
        (lines, part): (usize, &[usize]),
        played: &[usize],
        weights: &[f64],
        value: f64,
    ) -> Result<(f64, Option<usize>), StopReason> {
        // With the eyes of the side: signs are turned round for Min.
        let sign = if side == Side::Max { 1.0 } else { -1.0 };
        let mut best = (sign * value, None);
        for line in (0..lines).filter(|line| !part.contains(line)) {
            let place = |other: usize| match side {
                Side::Max => (line, other),
                Side::Min => (other, line),
            };
            let mixed = played.iter().copied().zip(weights.iter().copied()).filter(|m| m.1 > 0.0);
            // What the line can bring at most, as far as is known.
            let most = |matrix: &Matrix<J::State>, other: usize| {
                let (row, column) = place(other);
                let at = row * matrix.columns + column;
                if side == Side::Max { matrix.most[at] } else { -matrix.least[at] }
            };
            let hope = |matrix: &Matrix<J::State>| {
                mixed.clone().map(|(other, w)| w * most(matrix, other)).sum::<f64>()
            };
            for (other, weight) in mixed.clone() {
                let sum = hope(matrix);
                if sum <= best.0 + self.nothing {
                    break;
                }
                // Below this the line is no better response.
                let need = most(matrix, other) - (sum - best.0) / weight;
                let (row, column) = place(other);
                match side {
                    Side::Max => self.cell(matrix, row, column, need, self.high + 1.0)?,
                    Side::Min => self.cell(matrix, row, column, self.low - 1.0, -need)?,
                };
            }
            let sum = hope(matrix);
            if sum > best.0 + self.nothing {
                best = (sum, Some(line));
            }
        }
        Ok((sign * best.0, best.1))
    }
}
