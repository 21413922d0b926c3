//! Backward induction: the value of a position is that of the matrix of its successors' values.
//!
//! After A. Saffidine, *Solving Games and All That* (2013), section 5.2.1 and Table 5.3. Depth
//! first; with a table, a position that comes up again is not searched again.

use foregone_model::Joint;

use super::{Driver, JointReport, Pair, Root, Table, Walk, table_bytes};
use crate::report::{Limits, StopReason, Watch};

/// The value of `start` by looking at everything below it.
pub fn induce<J: Joint>(
    game: &J,
    start: &J::State,
    driver: Driver,
    limits: Limits,
    watch: &mut dyn Watch<Pair<J>>,
) -> JointReport<J::Move> {
    let table = (driver == Driver::Dag).then(Table::default);
    let mut induction =
        Induction { walk: Walk::new(game, limits, watch), table, payoffs: Vec::new() };
    let found = induction.root(start);
    induction.walk.weigh(induction.table.as_ref().map_or(0, table_bytes));
    induction.walk.report(start, found)
}

/// The values of all positions below `start`, `start` included, that are not over.
pub(super) fn values<'a, J: Joint>(
    game: &'a J,
    start: &J::State,
    limits: Limits,
    watch: &'a mut dyn Watch<Pair<J>>,
) -> Result<Table<J::State, f64>, StopReason> {
    let walk = Walk::new(game, limits, watch);
    let mut induction = Induction { walk, table: Some(Table::default()), payoffs: Vec::new() };
    induction.root(start)?;
    Ok(induction.table.unwrap_or_default())
}

struct Induction<'a, J: Joint> {
    walk: Walk<'a, J>,
    table: Option<Table<J::State, f64>>,
    /// The matrices of all open positions, one above the other.
    payoffs: Vec<f64>,
}

impl<J: Joint> Induction<'_, J> {
    fn root(&mut self, start: &J::State) -> Result<(f64, Root), StopReason> {
        self.walk.counts.plain.nodes += 1;
        if let Some(payoff) = self.walk.game.payoff(start) {
            return Ok((payoff as f64, Root::default()));
        }
        let value = self.value(start, true)?;
        let moves = self.walk.open(start);
        self.walk.close(moves);
        Ok((value, Root::whole(moves.columns, std::mem::take(&mut self.payoffs))))
    }

    /// The value of a position that is not over; its matrix is left on the pile if it is to be kept.
    fn value(&mut self, s: &J::State, keep: bool) -> Result<f64, StopReason> {
        let bytes = self.table.as_ref().map_or(0, table_bytes);
        self.walk.expand(bytes)?;
        let moves = self.walk.open(s);
        let first = self.payoffs.len();
        for row in 0..moves.rows {
            for column in 0..moves.columns {
                let next = self.walk.after(s, moves, row, column);
                let value = match self.walk.game.payoff(&next) {
                    Some(payoff) => payoff as f64,
                    None => match self.table.as_ref().and_then(|table| table.get(&next)) {
                        Some(value) => *value,
                        None => self.value(&next, false)?,
                    },
                };
                self.payoffs.push(value);
            }
        }
        self.walk.close(moves);
        let value = self.walk.nash(moves.columns, &self.payoffs[first..]);
        if !keep {
            self.payoffs.truncate(first);
        }
        if let Some(table) = &mut self.table {
            table.insert(s.clone(), value);
        }
        Ok(value)
    }
}
