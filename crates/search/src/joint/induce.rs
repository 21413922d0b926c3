//! Backward induction: the value of a position is that of the matrix of its successors' values.
//!
//! After A. Saffidine, *Solving Games and All That* (2013), section 5.2.1 and Table 5.3. Depth
//! first; with a table, a position that comes up again is not searched again.

use std::io;
use std::ops::ControlFlow;

use foregone_model::{Joint, JointNotation, Outcome};

use super::saved::{self, Saved};
use super::{Driver, JointReport, Pair, Root, Table, Walk, table_bytes};
use crate::report::{Limits, Progress, StopReason, View, Watch};
use crate::saved::{Reader, Writer};

/// The value of `start` by looking at everything below it.
pub fn induce<J: JointNotation>(
    game: &J,
    start: &J::State,
    driver: Driver,
    limits: Limits,
    watch: &mut dyn Watch<Pair<J>>,
) -> JointReport<J::Move> {
    let mut table = (driver == Driver::Dag).then(Table::default);
    let restored = watch.saved().map(|mut from| {
        let from = &mut Reader::new(&mut from);
        saved::restore(game, start, from, table.as_mut())
    });
    let before = match restored {
        None => Default::default(),
        Some(Some(Saved::Running(counts))) => counts,
        Some(Some(Saved::Over(report))) => return report,
        Some(None) => {
            watch.unreadable();
            let (stop, counts) = (StopReason::Interrupted, Default::default());
            return JointReport { stop, value: None, max: Vec::new(), min: Vec::new(), counts };
        }
    };
    let mut walk = Walk::new(game, limits, watch);
    walk.counts = before;
    let save: Save<J> = |induction, out| {
        let Some(table) = &induction.table else { return Ok(false) };
        // The positions that are open are looked at anew.
        let mut counts = induction.walk.counts;
        counts.plain.expansions -= u64::from(induction.walk.depth) + 1;
        counts.plain.nodes -= induction.again + 1;
        saved::save(induction.walk.game, counts, table, out)?;
        Ok(true)
    };
    let (payoffs, again) = (Vec::new(), 0);
    let mut induction = Induction { walk, table, payoffs, again, save: Some(save) };
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
    let (table, payoffs) = (Some(Table::default()), Vec::new());
    let mut induction = Induction { walk, table, payoffs, again: 0, save: None };
    induction.root(start)?;
    Ok(induction.table.unwrap_or_default())
}

struct Induction<'a, J: Joint> {
    walk: Walk<'a, J>,
    table: Option<Table<J::State, f64>>,
    /// The matrices of all open positions, one above the other.
    payoffs: Vec<f64>,
    /// How many nodes below open positions were counted.
    again: u64,
    /// How it is written down, if it can be.
    save: Option<Save<J>>,
}

/// Writes an induction down.
type Save<J> = fn(&Induction<'_, J>, &mut Writer<'_>) -> io::Result<bool>;

impl<J: Joint> View<Pair<J>> for Induction<'_, J> {
    fn bounds(&self) -> (Outcome, Outcome) {
        (Outcome(0), Outcome(u16::MAX))
    }

    fn save(&self, out: &mut Writer<'_>) -> io::Result<bool> {
        self.save.map_or(Ok(false), |save| save(self, out))
    }
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

    /// Counts an expansion, and ends the search where it is time for that.
    #[inline]
    fn expand(&mut self) -> Result<(), StopReason> {
        let bytes = self.table.as_ref().map_or(0, table_bytes);
        self.walk.counts.plain.expansions += 1;
        self.walk.passed += 1;
        if self.walk.is_due() {
            self.walk.weigh(bytes);
            if bytes > self.walk.limits.bytes {
                return Err(self.ending(StopReason::Memory));
            }
            // The watch sees the whole induction, so it stands apart for a moment.
            let watch = self.walk.watch.take();
            let ticked = watch.map(|watch| {
                let ticked = watch.tick(&Progress::new(self.walk.counts.plain, self));
                (watch, ticked)
            });
            if let Some((watch, ticked)) = ticked {
                self.walk.watch = Some(watch);
                if let ControlFlow::Break(reason) = ticked {
                    return Err(reason);
                }
            }
        }
        self.walk.within().map_err(|reason| self.ending(reason))
    }

    /// Says why the search stops.
    #[cold]
    fn ending(&mut self, reason: StopReason) -> StopReason {
        if let Some(watch) = self.walk.watch.take() {
            watch.ending(&Progress::new(self.walk.counts.plain, self));
            self.walk.watch = Some(watch);
        }
        reason
    }

    /// The value of a position that is not over; its matrix is left on the pile if it is to be kept.
    fn value(&mut self, s: &J::State, keep: bool) -> Result<f64, StopReason> {
        self.expand()?;
        let moves = self.walk.open(s);
        let first = self.payoffs.len();
        for row in 0..moves.rows {
            for column in 0..moves.columns {
                let next = self.walk.after(s, moves, row, column);
                self.again += 1;
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
        self.again -= (moves.rows * moves.columns) as u64;
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
