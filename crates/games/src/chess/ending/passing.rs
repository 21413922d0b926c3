//! Rows of positions where a pawn may be taken in passing: one place each.

use cozy_chess::{Color, Piece};
use foregone_model::rows::{Exit, Plane, RowMoves as _};

use super::attacks::{ahead, attackers, beside, between, bit, second_rank, squares};
use super::numbering::{PAIRS, lowest, pair_number, room};
use super::placer::{MEN, Spot};
use super::rows::{Frame, Rows};

/// The pawn that may be taken in passing, and the first of those beside it.
type Pair = [u8; 2];

impl Rows {
    /// How many rows there are.
    pub(super) fn passing_rows(&self) -> u64 {
        let rest: u64 = self.rest.iter().map(|man| room(man.1) as u64).product();
        if self.passing { 2 * self.kings.len() as u64 * PAIRS * rest } else { 0 }
    }

    /// The row of a position where the pawn at `end` may be taken in passing.
    pub(super) fn passing_row(&self, spot: &Spot, end: u8) -> u64 {
        let pair = self.pair(spot, end);
        let [taken, taker] = pair.map(|square| u64::from(square % 8));
        let kings = spot.side as u64 * self.kings.len() as u64 + u64::from(self.seen(spot).place);
        let start = kings * PAIRS + pair_number(taken, taker);
        let mut rest = [0; MEN];
        let others = spot.men[..=self.last].iter().filter(|square| !pair.contains(square));
        for (to, &square) in rest.iter_mut().zip(others) {
            *to = square;
        }
        // Men of one kind stand in order.
        for man in 1..self.rest.len() {
            if self.rest[man] == self.rest[man - 1] && rest[man] < rest[man - 1] {
                rest.swap(man, man - 1);
            }
        }
        let squares = self.rest.iter().zip(rest);
        self.ordinary
            + squares.fold(start, |row, (&(_, kind), square)| {
                row * room(kind) as u64 + u64::from(square) - lowest(kind) as u64
            })
    }

    fn pair(&self, spot: &Spot, end: u8) -> Pair {
        [end, (self.pawns(spot, spot.side) & beside(end)).trailing_zeros() as u8]
    }

    fn pawns(&self, spot: &Spot, color: Color) -> u64 {
        let men = self.men.iter().zip(spot.men).filter(|(man, _)| **man == (color, Piece::Pawn));
        men.fold(0, |set, (_, square)| set | bit(square))
    }

    fn occupied(&self, spot: &Spot) -> u64 {
        let men = spot.kings.iter().chain(&spot.men[..=self.last]);
        men.fold(0, |set, &square| set | bit(square))
    }

    /// Reads a row. Nothing if it has no position.
    pub(super) fn passing(&self, row: u64) -> Option<(Spot, Pair)> {
        let mut number = row - self.ordinary;
        let mut rest = [0; MEN];
        for (man, &(_, kind)) in self.rest.iter().enumerate().rev() {
            rest[man] = (number % room(kind) as u64) as u8 + lowest(kind) as u8;
            number /= room(kind) as u64;
        }
        let (pair, number) = ((number % PAIRS) as u8, number / PAIRS);
        let places = self.kings.len() as u64;
        let side = if number < places { Color::White } else { Color::Black };
        let (white, black) = self.kings[(number % places) as usize];
        let fifth = if side == Color::White { 32 } else { 24 };
        let (left, right) = (fifth + pair / 2, fifth + pair / 2 + 1);
        let [taken, taker] = if pair % 2 == 1 { [left, right] } else { [right, left] };
        // The two pawns come before others of their kind.
        let mut squares = rest.into_iter();
        let mut spot = Spot { side, kings: [white as u8, black as u8], men: [0; MEN] };
        for (man, &kind) in self.men.iter().enumerate() {
            let first = man == 0 || self.men[man - 1] != kind;
            spot.men[man] = match kind {
                (color, Piece::Pawn) if first => {
                    if color == side {
                        taker
                    } else {
                        taken
                    }
                }
                _ => squares.next()?,
            };
        }
        let exists = self.passing_row(&spot, taken) == row && self.is_passing(&spot, taken);
        exists.then_some((spot, [taken, taker]))
    }

    /// Whether the pawn at `end` may have gone two squares, and may be taken in passing now.
    fn is_passing(&self, spot: &Spot, end: u8) -> bool {
        let over = ahead(end, spot.side);
        let start = ahead(over, spot.side);
        let occupied = self.occupied(spot);
        let at = bit(spot.men[self.last]);
        if occupied & (bit(over) | bit(start)) != 0
            || occupied.count_ones() as usize != self.men.len() + 2
            || self.positions(self.row(spot)) & at == 0
        {
            return false;
        }
        // A check comes from the pawn, or from behind the square that it has left.
        let king = spot.kings[spot.side as usize];
        let checked_so = self.men.iter().zip(spot.men).all(|(&(color, kind), from)| {
            color == spot.side
                || from == end
                || attackers(kind, color, king, occupied) & bit(from) == 0
                || between(from, king) & bit(start) != 0
        });
        checked_so && self.takers(spot, end) != 0
    }

    /// The pawns that may take the one at `end` in passing, which has gone two squares.
    pub(super) fn takers(&self, spot: &Spot, end: u8) -> u64 {
        if !self.passing {
            return 0;
        }
        let side = spot.side;
        let pawns = self.pawns(spot, side) & beside(end);
        if pawns == 0 {
            return 0;
        }
        let king = spot.kings[side as usize];
        let (all, to) = (self.occupied(spot), ahead(end, side));
        let mut found = 0;
        for taker in squares(pawns) {
            let occupied = all & !bit(end) & !bit(taker) | bit(to);
            let checked = self.men.iter().zip(spot.men).any(|(&(color, kind), from)| {
                color != side
                    && from != end
                    && attackers(kind, color, king, occupied) & bit(from) != 0
            });
            found |= if checked { 0 } else { bit(taker) };
        }
        found
    }

    /// The squares of the last man, among these, for which a pawn that is another man and has gone two
    /// squares may be taken in passing.
    pub(super) fn may_pass(&self, after: &Spot, man: usize, set: u64) -> u64 {
        if !self.passing {
            return 0;
        }
        let taker = (after.side, Piece::Pawn);
        let beside = beside(after.men[man]);
        let others = self.men[..self.last].iter().zip(after.men);
        let near = others.into_iter().any(|(&man, at)| man == taker && beside & bit(at) != 0);
        let set = match (near, self.men[self.last] == taker) {
            (true, _) => set,
            (false, true) => set & beside,
            (false, false) => 0,
        };
        let mut spot = *after;
        let mut passes = |at: &u8| {
            spot.men[self.last] = *at;
            self.takers(&spot, after.men[man]) != 0
        };
        squares(set).filter(|at| passes(at)).fold(0, |found, at| found | bit(at))
    }

    /// Which of these squares of the last man allow another man to go two squares, to be taken in passing
    /// in a position of the plane.
    pub(super) fn leading_to_passing(&self, frame: &Frame, set: u64, plane: &Plane) -> u64 {
        let side = frame.spot.side;
        let mut found = 0;
        for man in (0..self.last).filter(|&man| self.men[man] == (side, Piece::Pawn)) {
            let from = frame.spot.men[man];
            if second_rank(side) & bit(from) == 0 {
                continue;
            }
            let one = ahead(from, side);
            let two = ahead(one, side);
            let way = bit(one) | bit(two);
            if frame.occupied & way != 0 {
                continue;
            }
            let mut after = Spot { side: !side, ..frame.spot };
            after.men[man] = two;
            for at in squares(self.may_pass(&after, man, set & !way)) {
                after.men[self.last] = at;
                if plane.get(self.passing_row(&after, two)) != 0 {
                    found |= bit(at);
                }
            }
        }
        found
    }

    /// Takes back the two squares that a pawn has gone.
    pub(super) fn add_before_passing(&self, row: u64, within: &Plane, out: &Plane) {
        let Some((spot, [end, _])) = self.passing(row) else { return };
        let mut earlier = Spot { side: !spot.side, ..spot };
        let start = ahead(ahead(end, spot.side), spot.side);
        for square in &mut earlier.men[..=self.last] {
            *square = if *square == end { start } else { *square };
        }
        self.add(self.row(&earlier), bit(earlier.men[self.last]), within, out);
    }

    /// Adds positions of an ordinary row, and those with the same men where a pawn may be taken in
    /// passing: they have all moves of the others.
    pub(super) fn add(&self, row: u64, set: u64, within: &Plane, out: &Plane) {
        out.add(row, set & within.get(row));
        if !self.passing || set == 0 {
            return;
        }
        let Some(frame) = self.frame(row) else { return };
        // Two men on one square would be taken for others.
        let set = set & self.room(&frame);
        let mut spot = frame.spot;
        let fifth = if spot.side == Color::White { 0xff << 32 } else { 0xff << 24 };
        for man in (0..=self.last).filter(|&man| self.men[man] == (!spot.side, Piece::Pawn)) {
            let places = match man == self.last {
                true => set & fifth,
                false if fifth & bit(spot.men[man]) == 0 => 0,
                false => self.may_pass(&spot, man, set),
            };
            for at in squares(places) {
                spot.men[self.last] = at;
                let end = spot.men[man];
                if self.takers(&spot, end) != 0 {
                    let row = self.passing_row(&spot, end);
                    out.add(row, within.get(row));
                }
            }
        }
    }

    /// The moves to other classes.
    pub(super) fn exits_in_passing(&self, row: u64, visit: &mut dyn FnMut(Exit)) {
        let Some((spot, [end, _])) = self.passing(row) else { return };
        let at = bit(spot.men[self.last]);
        self.exits(self.row(&spot), at, &mut |exit| visit(Exit { positions: 1, ..exit }));
        let side = spot.side;
        let man_at = |square| spot.men[..=self.last].iter().position(|&at| at == square);
        let mut after = Spot { side: !side, ..spot };
        for taker in squares(self.takers(&spot, end)) {
            let (Some(taken), Some(man)) = (man_at(end), man_at(taker)) else { continue };
            after.men[man] = ahead(end, side);
            self.exit(&after, Some(taken), None, 1, visit);
            after.men[man] = taker;
        }
    }
}
