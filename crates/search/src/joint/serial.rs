//! Approximations: both players move in turn after all, in some order, and alpha-beta does the
//! rest.
//!
//! After A. Saffidine, *Solving Games and All That* (2013), section 5.2.2, with A. Kovarsky and M.
//! Buro, *Heuristic search applied to abstract combat games* (2005): maxmin and minmax bound the
//! Nash value (Proposition 35), RAB and Alt lie between them as well (Proposition 36).

use std::ops::Range;

use foregone_model::{Joint, Rng, Side};

use super::{JointReport, Moves, Pair, Root, Walk};
use crate::report::{Limits, StopReason, Watch};

/// Who moves first where both players have a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Max: a lower bound of the value.
    Maxmin,
    /// Min: an upper bound of the value.
    Minmax,
    /// Max and Min in turn, on the way down.
    Alt,
    /// Who moved last before: Alt′.
    AltLast,
    /// By lot, the mean over many searches: Random Alpha-Beta.
    Rab,
    /// By lot, in one search: RAB′.
    RabOnce,
}

/// How many searches RAB takes the mean of.
const ROUNDS: u32 = 16;

/// What `start` is worth in this order of moves, and what both sides play first.
pub fn serial<J: Joint>(
    game: &J,
    start: &J::State,
    policy: Policy,
    seed: u64,
    limits: Limits,
    watch: &mut dyn Watch<Pair<J>>,
) -> JointReport<J::Move> {
    let mut search = Search { walk: Walk::new(game, limits, watch), policy, rng: Rng::new(seed) };
    search.walk.counts.plain.nodes += 1;
    if let Some(payoff) = game.payoff(start) {
        return search.walk.report(start, Ok((payoff as f64, Root::default())));
    }
    match search.rounds(start) {
        Err(stop) => search.walk.report(start, Err(stop)),
        Ok((value, pair)) => {
            let report = search.walk.report(start, Ok((value, Root::default())));
            JointReport { max: vec![(pair.0, 1.0)], min: vec![(pair.1, 1.0)], ..report }
        }
    }
}

struct Search<'a, J: Joint> {
    walk: Walk<'a, J>,
    policy: Policy,
    rng: Rng,
}

impl<J: Joint> Search<'_, J> {
    fn rounds(&mut self, start: &J::State) -> Result<(f64, Pair<J>), StopReason> {
        if self.policy != Policy::Rab {
            return self.whole(start, None);
        }
        // The move with the highest total at the root is chosen, for either side.
        let moves = self.walk.open(start);
        let mut totals = [vec![0.0; moves.rows], vec![0.0; moves.columns]];
        let mut sum = 0.0;
        for _ in 0..ROUNDS {
            for (side, totals) in [Side::Max, Side::Min].into_iter().zip(&mut totals) {
                for (at, total) in totals.iter_mut().enumerate() {
                    let (value, _) = self.whole(start, Some((side, at)))?;
                    *total += value;
                }
            }
            sum += self.whole(start, None)?.0;
        }
        let [max, min] = totals.map(|totals| totals.into_iter().enumerate());
        let best = max.fold((0, f64::NEG_INFINITY), |a, b| if b.1 > a.1 { b } else { a }).0;
        let least = min.fold((0, f64::INFINITY), |a, b| if b.1 < a.1 { b } else { a }).0;
        let pair = (
            self.walk.moves[moves.first + best],
            self.walk.moves[moves.first + moves.rows + least],
        );
        self.walk.close(moves);
        Ok((sum / f64::from(ROUNDS), pair))
    }

    /// One search of everything; with `only`, that side has no other move at the root.
    fn whole(
        &mut self,
        start: &J::State,
        only: Option<(Side, usize)>,
    ) -> Result<(f64, Pair<J>), StopReason> {
        let moves = self.walk.open(start);
        self.walk.expand(0)?;
        let (value, (row, column)) =
            self.choose(start, moves, Side::Max, only, f64::NEG_INFINITY, f64::INFINITY)?;
        let min = self.walk.moves[moves.first + moves.rows + column];
        let pair = (self.walk.moves[moves.first + row], min);
        self.walk.close(moves);
        Ok((value, pair))
    }

    /// Who moves first, where the policy's turn is at `turn`.
    fn first(&mut self, turn: Side, moves: Moves) -> Side {
        if moves.rows == 1 || moves.columns == 1 {
            return Side::Max;
        }
        match self.policy {
            Policy::Maxmin => Side::Max,
            Policy::Minmax => Side::Min,
            Policy::Alt | Policy::AltLast => turn,
            Policy::Rab | Policy::RabOnce => {
                if self.rng.below(2) == 0 {
                    Side::Max
                } else {
                    Side::Min
                }
            }
        }
    }

    /// Where the policy's turn is below a position in which `first` moved first.
    fn turn(&self, turn: Side, first: Side, moves: Moves) -> Side {
        match (self.policy, moves.rows > 1, moves.columns > 1) {
            (_, true, true) => first.other(),
            // Only Alt′ looks at who moved alone.
            (Policy::AltLast, true, false) => Side::Max,
            (Policy::AltLast, false, true) => Side::Min,
            _ => turn,
        }
    }

    fn value(
        &mut self,
        s: &J::State,
        turn: Side,
        alpha: f64,
        beta: f64,
    ) -> Result<f64, StopReason> {
        if let Some(payoff) = self.walk.game.payoff(s) {
            return Ok(payoff as f64);
        }
        self.walk.expand(0)?;
        let moves = self.walk.open(s);
        let found = self.choose(s, moves, turn, None, alpha, beta);
        self.walk.close(moves);
        Ok(found?.0)
    }

    /// The value of a position whose moves are open, and the places of the moves that reach it.
    fn choose(
        &mut self,
        s: &J::State,
        moves: Moves,
        turn: Side,
        only: Option<(Side, usize)>,
        alpha: f64,
        beta: f64,
    ) -> Result<(f64, (usize, usize)), StopReason> {
        let first = self.first(turn, moves);
        let below = self.turn(turn, first, moves);
        let some = |side: Side, all: usize| match only {
            Some((only, at)) if only == side => at..at + 1,
            _ => 0..all,
        };
        let places = (some(Side::Max, moves.rows), some(Side::Min, moves.columns));
        alpha_beta(self, first, places, alpha, beta, |this, row, column, low, high| {
            let next = this.walk.after(s, moves, row, column);
            this.value(&next, below, low, high)
        })
    }
}

/// Alpha-beta over the moves of who is first and the replies of the other side, by the places of
/// rows and columns. The value, exact between alpha and beta, and the places that reach it.
pub(super) fn alpha_beta<C>(
    context: &mut C,
    first: Side,
    (rows, columns): (Range<usize>, Range<usize>),
    alpha: f64,
    beta: f64,
    mut value: impl FnMut(&mut C, usize, usize, f64, f64) -> Result<f64, StopReason>,
) -> Result<(f64, (usize, usize)), StopReason> {
    // With the eyes of who moves first: signs are turned round for Min.
    let max_first = first == Side::Max;
    let (low, high) = if max_first { (alpha, beta) } else { (-beta, -alpha) };
    let (lines, replies) = if max_first { (rows, columns) } else { (columns, rows) };
    let mut best = (f64::NEG_INFINITY, (0, 0));
    for line in lines {
        let mut worst = (f64::INFINITY, (0, 0));
        for reply in replies.clone() {
            let (below, above) = (best.0.max(low), worst.0.min(high));
            let (place, found) = if max_first {
                ((line, reply), value(context, line, reply, below, above)?)
            } else {
                ((reply, line), -value(context, reply, line, -above, -below)?)
            };
            if found < worst.0 {
                worst = (found, place);
            }
            if worst.0 <= best.0.max(low) {
                break;
            }
        }
        if worst.0 > best.0 {
            best = worst;
        }
        if best.0 >= high {
            break;
        }
    }
    Ok((if max_first { best.0 } else { -best.0 }, best.1))
}
