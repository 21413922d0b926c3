//! Searches of games with joint moves: chapter 5 of *Solving Games and All That* (A. Saffidine,
//! 2013) and what it is compared with.
//!
//! Each of them finds the Nash value of a position, and optimal strategies there:
//!
//! * [`induce()`]: backward induction, every position once (section 5.2.1);
//! * [`smab()`]: alpha-beta for joint moves (Algorithm 10);
//! * [`oracle()`]: double oracle with alpha-beta bounds (Bošanský and others);
//! * [`sequence()`]: the sequence form, all positions in one linear program.
//!
//! [`serial()`] approximates: both players move in turn, in some order. [`proof`] makes the
//! strategies for all positions that a certificate needs.

use std::collections::HashMap;
use std::ops::ControlFlow;

use foregone_model::{Joint, Outcome, Side};

use crate::matrix::Solver;
use crate::report::{Counts, Limits, Plain, Progress, StopReason, Watch};
use crate::table::Quick;

mod induce;
mod oracle;
pub mod proof;
mod pure;
pub mod saved;
mod sequence;
mod serial;
mod smab;

pub use induce::induce;
pub use oracle::oracle;
pub use pure::pure;
pub use sequence::sequence;
pub use serial::{Policy, serial};
pub use smab::{Cells, Smab, smab};

/// Whether positions that come up again are known again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driver {
    /// Every path is a position of its own: nothing is remembered.
    Tree,
    /// A table of all positions that were met.
    Dag,
}

/// What a search with joint moves did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JointCounts {
    /// As in every search. An expansion is a position whose matrix was looked at.
    pub plain: Counts,
    /// Linear programs that were solved.
    pub lp_calls: u64,
    /// Expanded positions whose value both sides reach without mixing.
    pub pure: u64,
}

/// What a search with joint moves returns. Numbers are payoffs, in the game's unit.
#[derive(Clone, Debug)]
pub struct JointReport<M> {
    /// Why it stopped.
    pub stop: StopReason,
    /// The value, if it was found; what an approximation found.
    pub value: Option<f64>,
    /// What Max plays at the root, and how often.
    pub max: Vec<(M, f64)>,
    /// What Min plays at the root, and how often.
    pub min: Vec<(M, f64)>,
    /// What it did.
    pub counts: JointCounts,
}

/// A pair of moves.
pub type Pair<J> = (<J as Joint>::Move, <J as Joint>::Move);

/// What all searches with joint moves carry along.
struct Walk<'a, J: Joint> {
    game: &'a J,
    limits: Limits,
    /// Nothing while it looks at the search.
    watch: Option<&'a mut dyn Watch<Pair<J>>>,
    counts: JointCounts,
    solver: Solver,
    /// How often it was asked whether it is time to end.
    passed: u64,
    /// How many positions are open.
    depth: u32,
    /// The moves of all open positions, Max's and then Min's, one position above the other.
    moves: Vec<J::Move>,
}

/// The moves of a position as places in [`Walk::moves`].
#[derive(Clone, Copy)]
struct Moves {
    first: usize,
    rows: usize,
    columns: usize,
}

/// How many positions pass between two looks at the clock.
const TICK: u64 = 1 << 4;

/// The deepest that a search goes.
const DEEPEST: u32 = 1000;

impl<'a, J: Joint> Walk<'a, J> {
    fn new(game: &'a J, limits: Limits, watch: &'a mut dyn Watch<Pair<J>>) -> Walk<'a, J> {
        Walk {
            game,
            limits,
            watch: Some(watch),
            counts: JointCounts::default(),
            solver: Solver::default(),
            passed: 0,
            depth: 0,
            moves: Vec::new(),
        }
    }

    /// Counts an expansion, and ends the search where it is time for that.
    #[inline]
    fn expand(&mut self, bytes: u64) -> Result<(), StopReason> {
        self.counts.plain.expansions += 1;
        self.pass(|| bytes)
    }

    /// Ends the search where it is time for that.
    #[inline]
    fn pass(&mut self, bytes: impl Fn() -> u64) -> Result<(), StopReason> {
        self.passed += 1;
        if self.is_due() {
            self.look_up(bytes())?;
        }
        self.within()
    }

    /// Whether the watch is to look at it.
    #[inline]
    fn is_due(&self) -> bool {
        self.passed.is_multiple_of(TICK)
    }

    /// Ends the search where it may not use more.
    #[inline]
    fn within(&self) -> Result<(), StopReason> {
        if self.counts.plain.nodes > self.limits.nodes {
            return Err(StopReason::Nodes);
        }
        // These searches live on the stack, which is memory, too.
        if self.depth > DEEPEST {
            return Err(StopReason::Memory);
        }
        Ok(())
    }

    /// Notes how many bytes the tables have.
    fn weigh(&mut self, bytes: u64) {
        let counts = &mut self.counts.plain;
        counts.peak_bytes = counts.peak_bytes.max(bytes);
    }

    #[cold]
    fn look_up(&mut self, bytes: u64) -> Result<(), StopReason> {
        self.weigh(bytes);
        if bytes > self.limits.bytes {
            return Err(StopReason::Memory);
        }
        let view = Plain { text: "", bounds: (Outcome(0), Outcome(u16::MAX)) };
        let progress = Progress::new(self.counts.plain, &view);
        match self.watch.as_mut().map(|watch| watch.tick(&progress)) {
            Some(ControlFlow::Break(reason)) => Err(reason),
            Some(ControlFlow::Continue(())) | None => Ok(()),
        }
    }

    /// Puts the moves of a position on the pile.
    #[inline]
    fn open(&mut self, s: &J::State) -> Moves {
        self.depth += 1;
        let first = self.moves.len();
        self.game.moves(s, Side::Max, &mut self.moves);
        let middle = self.moves.len();
        self.game.moves(s, Side::Min, &mut self.moves);
        Moves { first, rows: middle - first, columns: self.moves.len() - middle }
    }

    /// Takes them off again.
    #[inline]
    fn close(&mut self, moves: Moves) {
        self.depth -= 1;
        self.moves.truncate(moves.first);
    }

    /// The position after a pair of moves, by their places.
    #[inline]
    fn next(&self, s: &J::State, moves: Moves, row: usize, column: usize) -> J::State {
        let mut next = s.clone();
        let max = self.moves[moves.first + row];
        let min = self.moves[moves.first + moves.rows + column];
        self.game.play(&mut next, max, min);
        next
    }

    /// The same, as a node that is counted.
    #[inline]
    fn after(&mut self, s: &J::State, moves: Moves, row: usize, column: usize) -> J::State {
        self.counts.plain.nodes += 1;
        self.next(s, moves, row, column)
    }

    /// Bounds of the value of a position, as far as they are seen without a search: the payoff, what
    /// is remembered, and with `knowledge` what the game sees.
    #[inline]
    fn glance(&self, s: &J::State, known: &Bounds<J>, knowledge: bool) -> (f64, f64) {
        if let Some(payoff) = self.game.payoff(s) {
            return (payoff as f64, payoff as f64);
        }
        let (low, high) = if knowledge { self.game.bounds(s) } else { self.game.range() };
        let (low, high) = (low as f64, high as f64);
        let remembered = known.as_ref().and_then(|table| table.get(s));
        remembered.map_or((low, high), |&(l, h)| (low.max(l), high.min(h)))
    }

    /// The value of a matrix.
    #[inline]
    fn nash(&mut self, columns: usize, payoffs: &[f64]) -> f64 {
        let (value, pure) = self.solver.value(columns, payoffs);
        self.counts.pure += u64::from(pure);
        self.counts.lp_calls += u64::from(!pure);
        value
    }

    /// The report of a search that found the value of the root, and the part of its matrix that
    /// is needed for that.
    fn report(
        mut self,
        start: &J::State,
        found: Result<(f64, Root), StopReason>,
    ) -> JointReport<J::Move> {
        let (value, root) = match found {
            Ok((value, root)) => (value, root),
            Err(stop) => {
                let (max, min) = (Vec::new(), Vec::new());
                return JointReport { stop, value: None, max, min, counts: self.counts };
            }
        };
        let (mut max, mut min) = (Vec::new(), Vec::new());
        if !root.payoffs.is_empty() {
            let moves = self.open(start);
            self.solver.solve(root.columns.len(), &root.payoffs);
            let played = |first: usize, some: &[usize], weights: &[f64]| {
                let all = some.iter().map(|at| self.moves[first + at]);
                all.zip(weights.iter().copied()).filter(|(_, weight)| *weight > 0.0).collect()
            };
            max = played(moves.first, &root.rows, self.solver.max());
            min = played(moves.first + moves.rows, &root.columns, self.solver.min());
        }
        let stop = StopReason::Solved;
        JointReport { stop, value: Some(value), max, min, counts: self.counts }
    }
}

/// The part of the root's matrix that has to be known for its value: some rows, some columns, and
/// the payoffs there. Nothing where the root is over.
#[derive(Default)]
struct Root {
    rows: Vec<usize>,
    columns: Vec<usize>,
    payoffs: Vec<f64>,
}

impl Root {
    fn whole(columns: usize, payoffs: Vec<f64>) -> Root {
        let rows = payoffs.len() / columns;
        Root { rows: (0..rows).collect(), columns: (0..columns).collect(), payoffs }
    }
}

/// A table of positions.
type Table<S, V> = HashMap<S, V, Quick>;

/// Bounds of numbers of positions, if they are kept.
type Bounds<J> = Option<Table<<J as Joint>::State, (f64, f64)>>;

/// Notes what a search with this window found: a value between alpha and beta, or a bound.
fn remember<J: Joint>(
    known: &mut Bounds<J>,
    s: &J::State,
    (low, high): (f64, f64),
    value: f64,
    (alpha, beta): (f64, f64),
) {
    if let Some(table) = known {
        let bounds = table.entry(s.clone()).or_insert((low, high));
        if value > alpha {
            bounds.0 = bounds.0.max(value);
        }
        if value < beta {
            bounds.1 = bounds.1.min(value);
        }
    }
}

/// The bytes of a table: entries, a byte of control each, and the table before it while it grows.
fn table_bytes<S, V>(table: &Table<S, V>) -> u64 {
    let entry = std::mem::size_of::<(S, V)>() + 1;
    // Capacity is seven eighths of the places.
    (table.capacity() * 8 / 7 * entry) as u64
}
