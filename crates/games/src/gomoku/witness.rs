//! Checks the reasons that certificates give for what is known of Gomoku.
//!
//! This file plays nothing out and uses nothing of what finds the reasons: it looks along the lines
//! of the board, cell by cell. To *complete* is to place a stone with which a line has as many as win,
//! or more, if more win.
//!
//! `fours A-B … C`: the player to move, called the attacker, places stones on `A`, …, `C`. After each
//! `A` the attacker could complete a line on `B` and nowhere else, and the opponent nowhere: so the
//! opponent's only answer that does not lose at once is to take `B`, and then the list goes on. `C`
//! completes a line; or after it the attacker could complete one on two cells at least, of which the
//! opponent, who completes none, can take one.
//!
//! `fours A B`: the player to move completes nowhere, and the opponent could on `A` and on `B`, two
//! cells, of which the player can take one.

use foregone_model::{Claim, Side};

use crate::board::{Word, parse_cell};

/// The name of the rule.
pub const FOURS: &str = "fours";

/// A square board, and the length of lines that win: exactly that, or at least.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    /// How many rows and columns.
    pub size: u32,
    /// How many stones in a line win.
    pub length: u32,
    /// Whether more do not.
    pub exact: bool,
}

/// Up, to the right, and both diagonals to the right.
const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

impl Board {
    /// Whether the reason shows what is claimed. `stones` are Max's and Min's. Of a game that is over
    /// nothing is confirmed.
    pub fn confirms<W: Word>(
        &self,
        stones: [W; 2],
        turn: Side,
        claim: Claim,
        reason: &str,
    ) -> bool {
        let [max, min] = stones;
        let outside = (self.size * self.size..W::BITS).any(|cell| (max | min).has(cell));
        if outside || !(max & min).is_empty() || stones.iter().any(|&x| self.has_line(x)) {
            return false;
        }
        // A win is the best for Max and the worst for Min.
        let enough = match claim.prover {
            Side::Max => claim.at_least.0 <= 2,
            Side::Min => claim.at_least.0 >= 1,
        };
        let own = stones[claim.prover.index()];
        let other = stones[claim.prover.other().index()];
        enough
            && if claim.prover == turn {
                self.wins_by_list(own, other, reason)
            } else {
                self.wins_on_two(own, other, reason)
            }
    }

    /// `A-B … C`, with `own` to move.
    fn wins_by_list<W: Word>(&self, mut own: W, mut other: W, reason: &str) -> bool {
        let (steps, last) = match reason.rsplit_once(' ') {
            Some((steps, last)) => (Some(steps), last),
            None => (None, reason),
        };
        for step in steps.into_iter().flat_map(|steps| steps.split(' ')) {
            let Some((four, answer)) = step.split_once('-') else { return false };
            let Some(four) = self.empty_cell(own | other, four) else { return false };
            own = own | W::bit(four);
            let Some(answer) = self.empty_cell(own | other, answer) else { return false };
            if self.has_line(own)
                || self.completing(own, other) != [answer]
                || !self.completing(other, own).is_empty()
            {
                return false;
            }
            other = other | W::bit(answer);
        }
        let Some(last) = self.empty_cell(own | other, last) else { return false };
        let after = own | W::bit(last);
        self.completes(own, last)
            || (self.completing(after, other).len() >= 2
                && self.completing(other, after).is_empty())
    }

    /// `A B`, with `other` to move.
    fn wins_on_two<W: Word>(&self, own: W, other: W, reason: &str) -> bool {
        let Some((one, two)) = reason.split_once(' ') else { return false };
        let taken = own | other;
        let (Some(one), Some(two)) = (self.empty_cell(taken, one), self.empty_cell(taken, two))
        else {
            return false;
        };
        one != two
            && self.completes(own, one)
            && self.completes(own, two)
            && self.completing(other, own).is_empty()
    }

    /// The cell of this name, if nothing stands there.
    fn empty_cell<W: Word>(&self, taken: W, name: &str) -> Option<u32> {
        let (row, col, rest) = parse_cell(name)?;
        let cell = row * self.size + col;
        (rest.is_empty() && row < self.size && col < self.size && !taken.has(cell)).then_some(cell)
    }

    /// The empty cells on which these stones complete a line.
    fn completing<W: Word>(&self, stones: W, others: W) -> Vec<u32> {
        let empty = (0..self.size * self.size).filter(|&cell| !(stones | others).has(cell));
        empty.filter(|&cell| self.completes(stones, cell)).collect()
    }

    /// Whether these stones, with one more in a cell, hold a line through it that wins.
    fn completes<W: Word>(&self, stones: W, cell: u32) -> bool {
        let row = (cell / self.size) as i32;
        let col = (cell % self.size) as i32;
        DIRECTIONS.iter().any(|&(up, right)| {
            let ahead = self.run(stones, row, col, up, right);
            let behind = self.run(stones, row, col, -up, -right);
            let line = ahead + 1 + behind;
            line == self.length || (line > self.length && !self.exact)
        })
    }

    /// How many stones follow a cell without a gap.
    fn run<W: Word>(&self, stones: W, row: i32, col: i32, up: i32, right: i32) -> u32 {
        let inside = |i: i32| (0..self.size as i32).contains(&i);
        let (mut row, mut col, mut run) = (row + up, col + right, 0);
        while inside(row) && inside(col) && stones.has(row as u32 * self.size + col as u32) {
            run += 1;
            row += up;
            col += right;
        }
        run
    }

    fn has_line<W: Word>(&self, stones: W) -> bool {
        stones.cells().any(|cell| self.completes(stones & !W::bit(cell), cell))
    }
}
