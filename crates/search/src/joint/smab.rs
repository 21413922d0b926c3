//! Simultaneous Move Alpha-Beta.
//!
//! After A. Saffidine, H. Finnsson and M. Buro, *Alpha-Beta Pruning for Games with Simultaneous
//! Moves* (AAAI 2012), and A. Saffidine, *Solving Games and All That* (2013), section 5.3:
//! Algorithm 10 with the linear programs of Figures 5.6 to 5.10, the L-shaped order of cells
//! (Figure 5.12) and early bound skipping (section 5.5.1). A move is left out once a mixture of
//! others, or what its player gets elsewhere (alpha or beta), is at least as good.
//!
//! Ours: successors that are over are looked at before any other; a linear program is set up only
//! where no column rules it out and no single move is its answer; and what rows and columns, or
//! mixtures of them, show for the whole position ends it, as in alpha-beta, which the thesis'
//! conditions alone do not do: where only one player has a choice, this is alpha-beta.

use foregone_model::{Joint, Side};

use super::{Bounds, Driver, JointReport, Moves, Pair, Root, Table, Walk, remember, table_bytes};
use crate::matrix::{Mixtures, pure_bounds};
use crate::report::{Limits, StopReason, Watch};

/// In which order the cells of a matrix are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cells {
    /// The first row, the rest of the first column, the rest of the second row, … (Figure 5.12).
    LShaped,
    /// Row by row.
    Lexicographic,
}

/// How SMAB goes about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Smab {
    /// Whether there is a table.
    pub driver: Driver,
    /// The order of cells.
    pub cells: Cells,
    /// Early bound skipping: no bounds are computed by linear programs before so many rows and so
    /// many columns are filled.
    pub skip: usize,
    /// Whether what a game sees of its positions without a search is used.
    pub knowledge: bool,
}

/// The value of `start`.
pub fn smab<J: Joint>(
    game: &J,
    start: &J::State,
    how: Smab,
    limits: Limits,
    watch: &mut dyn Watch<Pair<J>>,
) -> JointReport<J::Move> {
    let (low, high) = game.range();
    let (low, high) = (low as f64, high as f64);
    let range = (high - low).max(f64::MIN_POSITIVE);
    let mut search = Search {
        walk: Walk::new(game, limits, watch),
        how,
        table: (how.driver == Driver::Dag).then(Table::default),
        low,
        high,
        range,
        nothing: NOTHING * range,
        mixtures: Mixtures::default(),
        least: Vec::new(),
        most: Vec::new(),
        next: Vec::new(),
        out: Vec::new(),
        order: Vec::new(),
        part: Vec::new(),
        scratch: Vec::new(),
        root: Root::default(),
    };
    let found = search.root(start);
    let Search { mut walk, table, .. } = search;
    walk.weigh(table.as_ref().map_or(0, table_bytes));
    walk.report(start, found)
}

/// Differences below this part of the range of payoffs are taken for rounding errors.
const NOTHING: f64 = 1e-12;

/// A window as narrow as this part of the range asks on which side of it a value lies.
const NARROW: f64 = 1e-9;

struct Search<'a, J: Joint> {
    walk: Walk<'a, J>,
    how: Smab,
    /// Bounds of the values of positions that were searched.
    table: Bounds<J>,
    low: f64,
    high: f64,
    range: f64,
    nothing: f64,
    mixtures: Mixtures,
    /// For the cells of all open positions, one matrix above the other: the pessimistic bound p,
    /// the optimistic bound o, and where the cell leads.
    least: Vec<f64>,
    most: Vec<f64>,
    next: Vec<J::State>,
    /// Which rows and then which columns are dominated.
    out: Vec<bool>,
    /// The rows and then the columns in the order in which they are looked at.
    order: Vec<usize>,
    part: Vec<f64>,
    scratch: Vec<f64>,
    root: Root,
}

/// An open position: its moves, and where its cells and its rows and columns stand on the piles.
#[derive(Clone, Copy)]
struct Node {
    moves: Moves,
    cells: usize,
    out: usize,
}

impl Node {
    #[inline]
    fn cell(&self, row: usize, column: usize) -> usize {
        self.cells + row * self.moves.columns + column
    }
}

impl<J: Joint> Search<'_, J> {
    fn root(&mut self, start: &J::State) -> Result<(f64, Root), StopReason> {
        self.walk.counts.plain.nodes += 1;
        if let Some(payoff) = self.walk.game.payoff(start) {
            return Ok((payoff as f64, Root::default()));
        }
        let (low, high) = (self.low - self.range, self.high + self.range);
        let value = self.value(start, low, high, true)?;
        Ok((value, std::mem::take(&mut self.root)))
    }

    /// Theorem 8: at most alpha if the value is at most that, at least beta if the value is at
    /// least that, and otherwise the value of a position that is not over.
    fn value(
        &mut self,
        s: &J::State,
        alpha: f64,
        beta: f64,
        is_root: bool,
    ) -> Result<f64, StopReason> {
        let bytes = self.table.as_ref().map_or(0, table_bytes);
        self.walk.expand(bytes)?;
        let node = self.open(s);
        let found = if self.least[node.cells..] == self.most[node.cells..] && !is_root {
            Ok(self.last(node, alpha, beta))
        } else {
            self.sort(node);
            self.search(node, alpha, beta, is_root)
        };
        self.order.truncate(node.out);
        self.walk.close(node.moves);
        self.least.truncate(node.cells);
        self.most.truncate(node.cells);
        self.next.truncate(node.cells);
        self.out.truncate(node.out);
        let value = found?;
        remember::<J>(&mut self.table, s, (self.low, self.high), value, (alpha, beta));
        Ok(value)
    }

    /// The value of a position all of whose successors are known.
    fn last(&mut self, node: Node, alpha: f64, beta: f64) -> f64 {
        let payoffs = &self.least[node.cells..];
        let (least, most) = pure_bounds(node.moves.columns, payoffs, &mut self.scratch);
        if least >= most || least >= beta || most <= alpha {
            self.walk.counts.pure += u64::from(least >= most);
            return if most <= alpha { most } else { least };
        }
        self.walk.nash(node.moves.columns, payoffs)
    }

    /// Puts a position on the piles, with what can be seen of its successors at a glance.
    fn open(&mut self, s: &J::State) -> Node {
        let moves = self.walk.open(s);
        let node = Node { moves, cells: self.least.len(), out: self.out.len() };
        for row in 0..moves.rows {
            for column in 0..moves.columns {
                let next = self.walk.after(s, moves, row, column);
                let (least, most) = self.walk.glance(&next, &self.table, self.how.knowledge);
                self.least.push(least);
                self.most.push(most);
                self.next.push(next);
            }
        }
        self.out.resize(node.out + moves.rows + moves.columns, false);
        node
    }

    /// Puts the moves of a position in order: those first that are best by what is known.
    fn sort(&mut self, node: Node) {
        let (rows, columns) = (node.moves.rows, node.moves.columns);
        self.order.extend(0..rows);
        self.order.extend(0..columns);
        let known = |cell: usize| self.least[cell] + self.most[cell];
        let hopes = &mut self.scratch;
        hopes.clear();
        hopes.extend((0..rows).map(|i| (0..columns).map(|j| -known(node.cell(i, j))).sum::<f64>()));
        hopes.extend((0..columns).map(|j| (0..rows).map(|i| known(node.cell(i, j))).sum::<f64>()));
        let (of_rows, of_columns) = self.order[node.out..].split_at_mut(rows);
        of_rows.sort_by(|&i, &k| hopes[i].total_cmp(&hopes[k]));
        of_columns.sort_by(|&j, &l| hopes[rows + j].total_cmp(&hopes[rows + l]));
    }

    /// Algorithm 10 for a position whose cells stand on the piles.
    fn search(
        &mut self,
        node: Node,
        alpha: f64,
        beta: f64,
        is_root: bool,
    ) -> Result<f64, StopReason> {
        let (rows, columns) = (node.moves.rows, node.moves.columns);
        let mut news = true;
        let mut at = 0;
        while let Some((row, column)) = self.how.cells.nth(at, rows, columns) {
            at += 1;
            let (row, column) = (self.order[node.out + row], self.order[node.out + rows + column]);
            let cell = node.cell(row, column);
            if self.known(cell) || self.row_out(node, row) || self.column_out(node, column) {
                continue;
            }

            // 1. What is known may be enough for the whole position.
            let programs = self.how.skip == 0 || self.filled(node);
            if std::mem::take(&mut news)
                && let Some(value) = self.enough(node, alpha, beta, is_root, programs)
            {
                return Ok(value);
            }

            // 2. How small and how large the cell's value has to be to be of no interest: below,
            // the row is dominated, or the whole column, and so the position, is at most alpha.
            let (mut below, mut above) = (self.low - self.range, self.high + self.range);
            if programs {
                below = self.bound(node, Side::Max, row, column, alpha).unwrap_or(below);
                above = -self.bound(node, Side::Min, row, column, -beta).unwrap_or(-above);
            }
            let others = |i: usize| i != row && !self.row_out(node, i);
            let fails_low = (0..rows)
                .filter(|&i| others(i))
                .all(|i| self.most[node.cell(i, column)] <= alpha + self.nothing);
            let others = |j: usize| j != column && !self.column_out(node, j);
            let fails_high = (0..columns)
                .filter(|&j| others(j))
                .all(|j| self.least[node.cell(row, j)] >= beta - self.nothing);
            let low = if fails_low { below.max(alpha) } else { below };
            let high = if fails_high { above.min(beta) } else { above };

            // 3. The value of the cell, as far as it matters.
            let value = if self.most[cell] <= low + self.nothing {
                self.most[cell]
            } else if self.least[cell] >= high - self.nothing {
                self.least[cell]
            } else {
                let next = self.next[cell].clone();
                let high = if low < high { high } else { low + NARROW * self.range };
                self.value(&next, low, high, false)?
            };

            // 4. What it means.
            news = true;
            if value <= low + self.nothing {
                if fails_low && value <= alpha + self.nothing {
                    return Ok(alpha);
                }
                self.out[node.out + row] = true;
            } else if value >= high - self.nothing {
                if fails_high && value >= beta - self.nothing {
                    return Ok(beta);
                }
                self.out[node.out + rows + column] = true;
            } else {
                self.least[cell] = value;
                self.most[cell] = value;
            }
        }

        // 5. The matrix of what is left.
        Ok(self.rest(node, alpha, beta, is_root))
    }

    /// The value of a position, if bounds of its cells tell it as far as it matters: by single
    /// moves, and by linear programs if these are wanted.
    fn enough(
        &mut self,
        node: Node,
        alpha: f64,
        beta: f64,
        is_root: bool,
        programs: bool,
    ) -> Option<f64> {
        let (least, most) = self.pure(node);
        if least >= beta - self.nothing || least >= most {
            if is_root {
                self.root = self.saddle(node, least);
            }
            return Some(least.clamp(alpha, beta));
        }
        if most <= alpha + self.nothing {
            return Some(alpha);
        }
        if programs && !is_root {
            let (least, most) = self.mixed(node);
            if least >= beta - self.nothing || least >= most - self.nothing {
                return Some(least.clamp(alpha, beta));
            }
            if most <= alpha + self.nothing {
                return Some(alpha);
            }
        }
        None
    }

    /// The value of a position by the rows and columns that are not dominated. The values of their
    /// cells are known.
    fn rest(&mut self, node: Node, alpha: f64, beta: f64, is_root: bool) -> f64 {
        let (rows, columns) = (node.moves.rows, node.moves.columns);
        if (0..rows).all(|i| self.row_out(node, i)) {
            return alpha;
        }
        let left_columns = (0..columns).filter(|&j| !self.column_out(node, j)).count();
        if left_columns == 0 {
            return beta;
        }
        let mut part = std::mem::take(&mut self.part);
        self.gather(node, &mut part, |this, cell| this.least[cell]);
        let value = self.walk.nash(left_columns, &part);
        if is_root {
            let some = |out: &[bool]| (0..out.len()).filter(|&i| !out[i]).collect();
            let (of_rows, of_columns) = self.out[node.out..].split_at(rows);
            self.root =
                Root { rows: some(of_rows), columns: some(of_columns), payoffs: part.clone() };
        }
        self.part = part;
        value.clamp(alpha, beta)
    }

    #[inline]
    fn known(&self, cell: usize) -> bool {
        self.least[cell] >= self.most[cell]
    }

    #[inline]
    fn row_out(&self, node: Node, row: usize) -> bool {
        self.out[node.out + row]
    }

    #[inline]
    fn column_out(&self, node: Node, column: usize) -> bool {
        self.out[node.out + node.moves.rows + column]
    }

    /// The cells of the rows and columns that are not dominated.
    fn gather(&self, node: Node, part: &mut Vec<f64>, of: impl Fn(&Self, usize) -> f64) {
        part.clear();
        for row in (0..node.moves.rows).filter(|&i| !self.row_out(node, i)) {
            for column in (0..node.moves.columns).filter(|&j| !self.column_out(node, j)) {
                part.push(of(self, node.cell(row, column)));
            }
        }
    }

    /// What Max gets at least and Min pays at most by single moves, as far as is known.
    fn pure(&mut self, node: Node) -> (f64, f64) {
        let (rows, columns) = (node.moves.rows, node.moves.columns);
        let (of_rows, of_columns) = self.out[node.out..].split_at(rows);
        let tops = &mut self.scratch;
        tops.clear();
        tops.resize(columns, self.low - self.range);
        let mut maxmin = self.low - self.range;
        for row in (0..rows).filter(|&i| !of_rows[i]) {
            let least = &self.least[node.cell(row, 0)..][..columns];
            let most = &self.most[node.cell(row, 0)..][..columns];
            let mut bottom = self.high + self.range;
            for j in (0..columns).filter(|&j| !of_columns[j]) {
                bottom = if least[j] < bottom { least[j] } else { bottom };
                tops[j] = if most[j] > tops[j] { most[j] } else { tops[j] };
            }
            maxmin = if bottom > maxmin { bottom } else { maxmin };
        }
        let left = (0..columns).filter(|&j| !of_columns[j]).map(|j| tops[j]);
        (maxmin, left.fold(self.high + self.range, |a, b| if b < a { b } else { a }))
    }

    /// The same by mixtures: the values of the matrices of all pessimistic and of all optimistic
    /// bounds.
    fn mixed(&mut self, node: Node) -> (f64, f64) {
        let columns = (0..node.moves.columns).filter(|&j| !self.column_out(node, j)).count();
        let mut part = std::mem::take(&mut self.part);
        self.gather(node, &mut part, |this, cell| this.least[cell]);
        let (least, pure) = self.walk.solver.value(columns, &part);
        self.gather(node, &mut part, |this, cell| this.most[cell]);
        let (most, also_pure) = self.walk.solver.value(columns, &part);
        self.walk.counts.lp_calls += u64::from(!pure) + u64::from(!also_pure);
        self.part = part;
        (least, most)
    }

    /// The row and the column that show a value without mixing.
    fn saddle(&self, node: Node, value: f64) -> Root {
        let (rows, columns) = (node.moves.rows, node.moves.columns);
        let left = |j: &usize| !self.column_out(node, *j);
        let holds = |i: &usize| {
            let cells = (0..columns).filter(left).map(|j| self.least[node.cell(*i, j)]);
            !self.row_out(node, *i) && cells.fold(f64::INFINITY, f64::min) >= value
        };
        let row = (0..rows).find(holds).unwrap_or(0);
        let pays = |j: &usize| {
            let alive = (0..rows).filter(|&i| !self.row_out(node, i));
            alive.map(|i| self.most[node.cell(i, *j)]).fold(f64::NEG_INFINITY, f64::max) <= value
        };
        let column = (0..columns).filter(left).find(pays).unwrap_or(0);
        Root { rows: vec![row], columns: vec![column], payoffs: vec![value] }
    }

    /// Early bound skipping: whether enough rows and columns are filled.
    fn filled(&self, node: Node) -> bool {
        let (rows, columns) = (node.moves.rows, node.moves.columns);
        let row =
            |i: usize| self.row_out(node, i) || (0..columns).all(|j| self.settled(node, i, j));
        let column =
            |j: usize| self.column_out(node, j) || (0..rows).all(|i| self.settled(node, i, j));
        (0..rows).filter(|&i| row(i)).count() >= self.how.skip
            && (0..columns).filter(|&j| column(j)).count() >= self.how.skip
    }

    fn settled(&self, node: Node, row: usize, column: usize) -> bool {
        self.known(node.cell(row, column))
            || self.row_out(node, row)
            || self.column_out(node, column)
    }

    /// Figure 5.9: the largest value of a cell with which its row is still dominated, by what is
    /// known of the other rows and by `elsewhere`, which Max gets without this position. For Min,
    /// Figure 5.10, with rows and columns exchanged and all signs turned round.
    fn bound(
        &mut self,
        node: Node,
        side: Side,
        row: usize,
        column: usize,
        elsewhere: f64,
    ) -> Option<f64> {
        let (own, other, lines, across) = match side {
            Side::Max => (row, column, node.moves.rows, node.moves.columns),
            Side::Min => (column, row, node.moves.columns, node.moves.rows),
        };
        let (own_out, across_out) = match side {
            Side::Max => (node.out, node.out + node.moves.rows),
            Side::Min => (node.out + node.moves.rows, node.out),
        };
        let (low, high) = match side {
            Side::Max => (self.low, self.high),
            Side::Min => (-self.high, -self.low),
        };
        // What a line pays at least, and what it pays at most.
        let least = |i: usize, j: usize| match side {
            Side::Max => self.least[node.cell(i, j)],
            Side::Min => -self.most[node.cell(j, i)],
        };
        let most = |i: usize, j: usize| match side {
            Side::Max => self.most[node.cell(i, j)],
            Side::Min => -self.least[node.cell(j, i)],
        };
        // The artificial line comes last. Below all payoffs it is of no use.
        let elsewhere = (elsewhere >= low).then_some(elsewhere.min(high));
        let pays = |i: usize, j: usize| match elsewhere {
            Some(alpha) if i == lines => alpha,
            _ => least(i, j),
        };
        let end = lines + usize::from(elsewhere.is_some());
        let rivals = || (0..end).filter(|&i| i == lines || i != own && !self.out[own_out + i]);
        let needs = || (0..across).filter(|&j| j != other && !self.out[across_out + j]);

        // 1. No rival gains more than the cell is worth anyway.
        let top = rivals().map(|i| pays(i, other)).fold(f64::NEG_INFINITY, f64::max);
        if top < least(own, other) - self.nothing {
            return None;
        }
        // 2. In some column no rival is good enough.
        let enough = |i: usize, j: usize| pays(i, j) >= most(own, j) - self.nothing;
        if needs().any(|j| !rivals().any(|i| enough(i, j))) {
            return None;
        }
        // 3. A rival that is good enough in all columns, and best in this one.
        let dominating = rivals().filter(|&i| needs().all(|j| enough(i, j)));
        let alone = dominating.map(|i| pays(i, other)).fold(f64::NEG_INFINITY, f64::max);
        if alone >= top {
            return Some(alone);
        }
        // 4. A mixture of rivals.
        let actions: Vec<usize> = rivals().collect();
        let columns: Vec<usize> = needs().collect();
        self.walk.counts.lp_calls += 1;
        let found = self.mixtures.best(
            (low, self.range),
            (actions.len(), columns.len()),
            |i| pays(actions[i], other),
            |i, j| pays(actions[i], columns[j]),
            |j| most(own, columns[j]),
        );
        match found {
            Some(gain) => Some(gain.max(alone)),
            None => (alone > f64::NEG_INFINITY).then_some(alone),
        }
    }
}

impl Cells {
    /// The cell that is looked at after so many others.
    fn nth(self, at: usize, rows: usize, columns: usize) -> Option<(usize, usize)> {
        if at >= rows * columns {
            return None;
        }
        match self {
            Cells::Lexicographic => Some((at / columns, at % columns)),
            Cells::LShaped => {
                let (mut at, mut corner) = (at, 0);
                loop {
                    // A row from the corner on, then the column below it.
                    let (right, down) = (columns - corner, rows - corner - 1);
                    if at < right {
                        return Some((corner, corner + at));
                    }
                    if at < right + down {
                        return Some((corner + 1 + at - right, corner));
                    }
                    at -= right + down;
                    corner += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Cells;

    #[test]
    fn cells_come_in_the_order_of_figure_5_12() {
        let figure = [
            [1, 2, 3, 4, 5],
            [6, 10, 11, 12, 13],
            [7, 14, 17, 18, 19],
            [8, 15, 20, 22, 23],
            [9, 16, 21, 24, 25],
        ];
        for at in 0..25 {
            let (row, column) = Cells::LShaped.nth(at, 5, 5).unwrap();
            assert_eq!(figure[row][column], at + 1);
        }
        assert_eq!(Cells::LShaped.nth(25, 5, 5), None);
        for (rows, columns) in [(1, 4), (4, 1), (2, 3), (3, 2)] {
            for order in [Cells::LShaped, Cells::Lexicographic] {
                let mut all: Vec<_> =
                    (0..rows * columns).filter_map(|at| order.nth(at, rows, columns)).collect();
                all.sort_unstable();
                all.dedup();
                assert_eq!(all.len(), rows * columns, "{order:?} {rows}x{columns}");
            }
        }
    }
}
