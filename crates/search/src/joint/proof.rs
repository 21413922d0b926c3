//! The strategies that a certificate needs: for either side, what it plays in every position that
//! its own moves and any moves of the other side lead to.
//!
//! They are made by backward induction with a table, whatever search found the value: a search
//! that prunes does not know the strategies of positions that it left out, and the other side may
//! go there. First in fractions, which prove the value exactly; where these grow too long, in
//! floating point, which prove it up to the rounding.

use std::collections::HashSet;

use foregone_model::certificate::{Arithmetic, MOST_WEIGHT, Mixed, rounding_for};
use foregone_model::number::gcd;
use foregone_model::ratio::{Big, bits};
use foregone_model::{Fraction, Joint, Ratio, Side};

use super::{Pair, Table, Walk, induce, table_bytes};
use crate::matrix::{ExactMatrix, Solver, solve_exact};
use crate::report::{Limits, StopReason, Watch};
use crate::table::Quick;

/// The strategies of Max and Min from a position.
pub struct Strategies<S, M> {
    /// Max's.
    pub max: Mixed<S, M>,
    /// Min's.
    pub min: Mixed<S, M>,
}

/// Fractions whose two parts have more bits together are given up: a value of Goofspiel with six
/// cards has 66, with seven 1,003.
const LONGEST_FRACTION: usize = 320;

/// Positions whose values are computed in fractions at most: a few seconds.
const MOST_EXACT: u64 = 60_000;

/// The strategies from `start`, which is not over, exact where that is not too long.
pub fn strategies<J: Joint>(
    game: &J,
    start: &J::State,
    limits: Limits,
    watch: &mut dyn Watch<Pair<J>>,
) -> Result<Strategies<J::State, J::Move>, StopReason> {
    let mut exact = Exact { walk: Walk::new(game, limits, watch), values: Table::default() };
    match exact.value(start) {
        Ok(Some(_)) => {
            let Exact { mut walk, values } = exact;
            let mut plan = |s: &J::State, rows, columns, next: &[J::State]| {
                let payoff = |t: &J::State| match game.payoff(t) {
                    Some(payoff) => Ratio::from(payoff),
                    // Every position below the start has its value.
                    None => values.get(t).cloned().unwrap_or(Ratio::ZERO),
                };
                let payoffs: Vec<Ratio> = next.iter().map(payoff).collect();
                let matrix = ExactMatrix::from_ratios(rows, columns, &payoffs);
                let nash = matrix.map(|matrix| solve_exact(&matrix));
                debug_assert!(nash.is_ok(), "{s:?} has moves");
                nash.map_or_else(
                    |_| Default::default(),
                    |nash| (whole_weights(&nash.max), whole_weights(&nash.min)),
                )
            };
            both(&mut walk, start, Arithmetic::Exact, &mut plan)
        }
        Ok(None) => {
            // The table of fractions is in nobody's way any more.
            let Exact { walk: Walk { watch, .. }, values } = exact;
            drop(values);
            let Some(watch) = watch else { return Err(StopReason::Interrupted) };
            let values = induce::values(game, start, limits, &mut *watch)?;
            let mut walk = Walk::new(game, limits, watch);
            let mut solver = Solver::default();
            let mut payoffs = Vec::new();
            let mut plan = |_: &J::State, _, columns, next: &[J::State]| {
                payoffs.clear();
                payoffs.extend(next.iter().map(|t| match game.payoff(t) {
                    Some(payoff) => payoff as f64,
                    None => values.get(t).copied().unwrap_or(0.0),
                }));
                solver.solve(columns, &payoffs);
                (rounded_weights(solver.max()), rounded_weights(solver.min()))
            };
            both(&mut walk, start, Arithmetic::Rounded(rounding_for(game)), &mut plan)
        }
        Err(reason) => Err(reason),
    }
}

/// Backward induction in fractions.
struct Exact<'a, J: Joint> {
    walk: Walk<'a, J>,
    values: Table<J::State, Ratio>,
}

impl<J: Joint> Exact<'_, J> {
    /// The value of a position that is not over, or nothing if fractions grow too long.
    fn value(&mut self, s: &J::State) -> Result<Option<Ratio>, StopReason> {
        if let Some(value) = self.values.get(s) {
            return Ok(Some(value.clone()));
        }
        // Long fractions have some more bytes, on the heap.
        let bytes = table_bytes(&self.values);
        self.walk.expand(bytes)?;
        if self.walk.counts.plain.expansions > MOST_EXACT {
            return Ok(None);
        }
        let moves = self.walk.open(s);
        let mut payoffs = Vec::with_capacity(moves.rows * moves.columns);
        for row in 0..moves.rows {
            for column in 0..moves.columns {
                let next = self.walk.after(s, moves, row, column);
                match self.walk.game.payoff(&next) {
                    Some(payoff) => payoffs.push(Ratio::from(payoff)),
                    None => match self.value(&next)? {
                        Some(value) => payoffs.push(value),
                        None => return Ok(None),
                    },
                }
            }
        }
        self.walk.close(moves);
        let Ok(matrix) = ExactMatrix::from_ratios(moves.rows, moves.columns, &payoffs) else {
            return Ok(None);
        };
        let value = solve_exact(&matrix).value;
        if bits(&value) > LONGEST_FRACTION {
            return Ok(None);
        }
        self.values.insert(s.clone(), value.clone());
        Ok(Some(value))
    }
}

/// Probabilities as whole numbers in the same proportions.
fn whole_weights(probabilities: &[Ratio]) -> Vec<Big> {
    let mut common = Big::ONE;
    for p in probabilities {
        common = &common / gcd(&common, &p.den()) * p.den();
    }
    probabilities.iter().map(|p| p.numerator() * (&common / p.den())).collect()
}

/// Probabilities as whole numbers that sum up to half of what the checker takes, or nearly so.
/// What is almost never played is not played: it would lead to many more positions.
fn rounded_weights(probabilities: &[f64]) -> Vec<Big> {
    let all = (MOST_WEIGHT / 2) as f64;
    let weight = |&p: &f64| if p < 1e-13 { Big::ZERO } else { Big::from((p * all) as u64) };
    let mut weights: Vec<Big> = probabilities.iter().map(weight).collect();
    let mut played = weights.iter_mut().filter(|weight| !weight.is_zero());
    if let (Some(only), None) = (played.next(), played.next()) {
        *only = Big::ONE;
    }
    weights
}

/// What both sides play: weights of Max's moves and of Min's.
type Weights = (Vec<Big>, Vec<Big>);

/// Tells what is played in a position, from the numbers of moves and the positions that pairs of
/// moves lead to.
type Plan<'a, J> =
    dyn FnMut(&<J as Joint>::State, usize, usize, &[<J as Joint>::State]) -> Weights + 'a;

/// The lines of both strategies.
fn both<J: Joint>(
    walk: &mut Walk<'_, J>,
    start: &J::State,
    arithmetic: Arithmetic,
    plan: &mut Plan<'_, J>,
) -> Result<Strategies<J::State, J::Move>, StopReason> {
    let mut bytes = 0;
    let mut one = |prover| {
        let strategy = Mixed { prover, arithmetic, lines: Vec::new() };
        let mut lines = Lines { seen: HashSet::default(), strategy, bytes };
        lines.add(walk, start, plan)?;
        bytes = lines.bytes;
        Ok(lines.strategy)
    };
    Ok(Strategies { max: one(Side::Max)?, min: one(Side::Min)? })
}

/// A strategy while it is made.
struct Lines<J: Joint> {
    seen: HashSet<J::State, Quick>,
    strategy: Mixed<J::State, J::Move>,
    /// What the lines of this strategy and of one before it take, about.
    bytes: u64,
}

impl<J: Joint> Lines<J> {
    /// Appends the lines for a position that is not over, behind those for what it leads to.
    fn add(
        &mut self,
        walk: &mut Walk<'_, J>,
        s: &J::State,
        plan: &mut Plan<'_, J>,
    ) -> Result<(), StopReason> {
        if !self.seen.insert(s.clone()) {
            return Ok(());
        }
        let bytes = self.bytes;
        walk.pass(|| bytes)?;
        let moves = walk.open(s);
        let mut next = Vec::with_capacity(moves.rows * moves.columns);
        for row in 0..moves.rows {
            for column in 0..moves.columns {
                next.push(walk.next(s, moves, row, column));
            }
        }
        let (of_max, of_min) = plan(s, moves.rows, moves.columns, &next);
        let prover = self.strategy.prover;
        let (first, weights) = match prover {
            Side::Max => (moves.first, of_max),
            Side::Min => (moves.first + moves.rows, of_min),
        };
        let played = |at: usize| match prover {
            Side::Max => !weights[at / moves.columns].is_zero(),
            Side::Min => !weights[at % moves.columns].is_zero(),
        };
        for (at, t) in next.iter().enumerate() {
            if played(at) && walk.game.payoff(t).is_none() {
                self.add(walk, t, plan)?;
            }
        }
        let own = walk.moves[first..].iter().copied().zip(weights);
        let mixed: Vec<(J::Move, Big)> = own.filter(|(_, weight)| !weight.is_zero()).collect();
        walk.close(moves);
        // The line, its mixture, and the position once more in the set.
        let line = size_of::<(J::State, Vec<(J::Move, Big)>, J::State)>() + 1;
        self.bytes += (line + mixed.capacity() * size_of::<(J::Move, Big)>()) as u64;
        self.strategy.lines.push((s.clone(), mixed));
        Ok(())
    }
}
