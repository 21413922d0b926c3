//! The moves of endings by rows: all positions that differ in the square of the last man are a row, and
//! its places are the squares of a bit board. A move of another man leads from a whole row to another
//! one, without those places of the last man that stand in its way.
//!
//! A row is numbered by who moves, the place of the kings, and the squares of the other men, one by one.
//! Men of one kind stand in order, but for the last. Where both kings stand on the diagonal, both
//! mirror images have rows, and where both sides have the same men, so have positions with colours
//! exchanged. Positions where a pawn may be taken in passing have rows of one place each, behind all
//! others.

use cozy_chess::{Color, Piece};
use foregone_model::rows::{Exit, Plane, RowMoves};
use foregone_model::{Class, Indexed as _, Side};

use super::attacks::{
    PAWN_SQUARES, ahead, attackers, attacks, before, between, bit, second_rank, squares,
};
use super::numbering::{Material, lowest, room};
use super::placer::{MEN, Placer, Seen, Spot, kind_number, seen};
use crate::chess::Chess;

/// What a pawn becomes.
pub(super) const PROMOTIONS: [Piece; 4] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];

/// The moves of a class.
pub(super) struct Rows {
    pub(super) men: Vec<(Color, Piece)>,
    /// The last man.
    pub(super) last: usize,
    seen: &'static [Seen],
    /// The squares of the kings by the number of their place.
    pub(super) kings: &'static [(usize, usize)],
    /// What the square of each man counts in the number of a row.
    weights: [u64; MEN],
    /// What a place of the kings counts.
    kings_weight: u64,
    /// How many rows there are without those of pawns that may be taken in passing.
    pub(super) ordinary: u64,
    /// Whether pawns may be taken in passing, and the men beside the two pawns then.
    pub(super) passing: bool,
    pub(super) rest: Vec<(Color, Piece)>,
    pub(super) own: Placer,
    /// Where moves to other classes lead, in the order of [`Rows::after`].
    below: Vec<Option<Placer>>,
}

/// A row, read.
pub(super) struct Frame {
    /// Where all but the last man stand.
    pub(super) spot: Spot,
    pub(super) occupied: u64,
    /// The same row with the other side to move.
    turned: u64,
}

impl Rows {
    /// The moves of a class. Nothing if there are but kings, or more men than there is memory for.
    pub(super) fn new(game: &Chess, class: Class) -> Option<Rows> {
        let material = Material::of_class(class)?;
        if !(3..=5).contains(&material.pieces()) {
            return None;
        }
        let list = |material: Material| -> Vec<(Color, Piece)> {
            let of = |(color, kind, count)| std::iter::repeat_n((color, kind), count);
            material.fields().flat_map(of).collect()
        };
        let men = list(material);
        let last = men.len() - 1;
        let pawns = men.iter().any(|man| man.1 == Piece::Pawn);
        let (mut weights, mut kings_weight) = ([0; MEN], 1);
        for man in (0..last).rev() {
            weights[man] = kings_weight;
            kings_weight *= room(men[man].1) as u64;
        }
        let kings = &material.kings().places;
        let passing = material.has_passing();
        let mut rows = Rows {
            last,
            seen: seen(pawns),
            kings,
            weights,
            kings_weight,
            ordinary: 2 * kings.len() as u64 * kings_weight,
            passing,
            rest: if passing { list(material.without_pair()) } else { Vec::new() },
            own: Placer::new(&men.iter().copied().map(Some).collect::<Vec<_>>(), 0),
            below: Vec::new(),
            men,
        };
        rows.below = rows.placers(&game.leads_to(class));
        Some(rows)
    }

    /// Where moves to other classes lead.
    fn placers(&self, classes: &[Class]) -> Vec<Option<Placer>> {
        let mut out = Vec::new();
        for taken in 0..=MEN {
            for promotion in 0..=4 * MEN {
                let mut men: Vec<_> = self.men.iter().copied().map(Some).collect();
                if let Some(Some(man)) = men.get_mut(promotion / 4) {
                    man.1 = PROMOTIONS[promotion % 4];
                }
                if let Some(man) = men.get_mut(taken) {
                    *man = None;
                }
                let mut material = Material([[0; 5]; 2]);
                for &(color, kind) in men.iter().flatten() {
                    material.0[color as usize][kind_number(kind)] += 1;
                }
                let more = material.black_has_more();
                let class = if more { material.flipped() } else { material }.class();
                let slot = classes.iter().position(|&below| Some(below) == class);
                out.push(slot.map(|slot| Placer::new(&men, slot as u16 + 1)));
            }
        }
        out
    }

    /// The class after this man is taken, and this one promoted.
    pub(super) fn after(
        &self,
        taken: Option<usize>,
        promoted: Option<(usize, usize)>,
    ) -> Option<&Placer> {
        let promotion = promoted.map_or(4 * MEN, |(man, kind)| 4 * man + kind);
        self.below[taken.unwrap_or(MEN) * (4 * MEN + 1) + promotion].as_ref()
    }

    /// Reads an ordinary row. Nothing if it has no positions.
    pub(super) fn frame(&self, row: u64) -> Option<Frame> {
        let mut rest = row;
        let mut men = [0; MEN];
        for man in (0..self.last).rev() {
            // Division by a constant is quick.
            (rest, men[man]) = match self.men[man].1 {
                Piece::Pawn => (rest / 48, (rest % 48) as u8 + 8),
                _ => (rest / 64, (rest % 64) as u8),
            };
        }
        let places = self.kings.len() as u64;
        let half = places * self.kings_weight;
        let (side, place, turned) = match rest.checked_sub(places) {
            None => (Color::White, rest, row + half),
            Some(place) => (Color::Black, place, row - half),
        };
        let (white, black) = self.kings[place as usize];
        let mut occupied = bit(white as u8) | bit(black as u8);
        for man in 0..self.last {
            let ordered = !self.follows(man) || men[man] > men[man - 1];
            if occupied & bit(men[man]) != 0 || !ordered {
                return None;
            }
            occupied |= bit(men[man]);
        }
        let spot = Spot { side, kings: [white as u8, black as u8], men };
        Some(Frame { spot, occupied, turned })
    }

    /// Whether a man is of the same kind as the one before.
    fn follows(&self, man: usize) -> bool {
        man > 0 && self.men[man] == self.men[man - 1]
    }

    /// The ordinary row of men that are seen so.
    pub(super) fn row_seen(&self, spot: &Spot, seen: Seen) -> u64 {
        let mut men = spot.men;
        for (man, square) in men[..self.last].iter_mut().enumerate() {
            *square = seen.square(*square) - lowest(self.men[man].1) as u8;
        }
        // Men of one kind stand in order.
        for man in 1..self.last {
            let mut at = man;
            while self.follows(at) && men[at] < men[at - 1] {
                men.swap(at, at - 1);
                at -= 1;
            }
        }
        let start = spot.side as u64 * self.kings.len() as u64 + u64::from(seen.place);
        let squares = men[..self.last].iter().zip(self.weights);
        start * self.kings_weight + squares.map(|(&at, weight)| weight * u64::from(at)).sum::<u64>()
    }

    /// The ordinary row of men that stand as they are seen.
    pub(super) fn row(&self, spot: &Spot) -> u64 {
        self.row_seen(spot, self.seen(spot))
    }

    /// How a position is seen.
    pub(super) fn seen(&self, spot: &Spot) -> Seen {
        self.seen[usize::from(spot.kings[0]) * 64 + usize::from(spot.kings[1])]
    }

    /// The squares where the last man may stand.
    pub(super) fn room(&self, frame: &Frame) -> u64 {
        let room = if self.men[self.last].1 == Piece::Pawn { PAWN_SQUARES } else { !0 };
        room & !frame.occupied
    }

    /// The squares of the last man where this side's king is in check, by one, two and three men at
    /// least.
    fn checks(&self, frame: &Frame, side: Color) -> [u64; 3] {
        let king = frame.spot.kings[side as usize];
        let mut found = [0; 3];
        for (man, &(color, kind)) in self.men.iter().enumerate().filter(|man| man.1.0 != side) {
            let from = attackers(kind, color, king, frame.occupied);
            let set = match man == self.last {
                true => from,
                false if from & bit(frame.spot.men[man]) == 0 => continue,
                // The last man may stand between.
                false => !between(frame.spot.men[man], king),
            };
            found = [found[0] | set, found[1] | found[0] & set, found[2] | found[1] & set];
        }
        found
    }

    /// Moves men of this side, but not the last man, or takes such moves back. Visits the row that it
    /// leads to, how it is seen there, and the squares of the last man that allow it, until the
    /// visitor says that it is enough.
    fn each_step(
        &self,
        frame: &Frame,
        side: Color,
        back: bool,
        visit: &mut impl FnMut(u64, Seen, u64) -> bool,
    ) {
        let mut other = frame.spot;
        other.side = !other.side;
        let same = self.seen(&other);
        let from = frame.spot.kings[side as usize];
        for to in squares(attacks(Piece::King, side, from, 0) & !frame.occupied) {
            other.kings[side as usize] = to;
            let seen = self.seen(&other);
            if !seen.exists() {
                continue;
            }
            if visit(self.row_seen(&other, seen), seen, !0) {
                return;
            }
            let mirrored = seen.mirrored();
            if seen.twofold && visit(self.row_seen(&other, mirrored), mirrored, !0) {
                return;
            }
        }
        other.kings[side as usize] = from;
        for man in (0..self.last).filter(|&man| self.men[man].0 == side) {
            let (kind, from) = (self.men[man].1, frame.spot.men[man]);
            if kind == Piece::Pawn {
                let visit = &mut |spot: &Spot, set| visit(self.row_seen(spot, same), same, set);
                if self.each_pawn_step(frame, man, back, visit) {
                    return;
                }
                continue;
            }
            let alone = !self.follows(man) && (man + 1 == self.last || !self.follows(man + 1));
            let row = frame.turned - self.weights[man] * u64::from(from);
            for to in squares(attacks(kind, side, from, frame.occupied) & !frame.occupied) {
                other.men[man] = to;
                let row = match alone {
                    true => row + self.weights[man] * u64::from(to),
                    false => self.row_seen(&other, same),
                };
                if visit(row, same, !between(from, to)) {
                    return;
                }
            }
            other.men[man] = from;
        }
    }

    /// The same for a pawn. Where it could be taken in passing the move leads elsewhere. Whether it
    /// was enough.
    fn each_pawn_step(
        &self,
        frame: &Frame,
        man: usize,
        back: bool,
        visit: &mut impl FnMut(&Spot, u64) -> bool,
    ) -> bool {
        let color = self.men[man].0;
        let towards = if back { !color } else { color };
        let from = frame.spot.men[man];
        let one = ahead(from, towards);
        let free = PAWN_SQUARES & !frame.occupied;
        if free & bit(one) == 0 {
            return false;
        }
        let mut other = frame.spot;
        other.side = !other.side;
        other.men[man] = one;
        if visit(&other, !0) {
            return true;
        }
        let two = ahead(one, towards);
        let start = if back { two } else { from };
        if second_rank(color) & bit(start) == 0 || free & bit(two) == 0 {
            return false;
        }
        other.men[man] = two;
        let after = if back { &frame.spot } else { &other };
        let set = self.room(frame) & !bit(one);
        visit(&other, set & !self.may_pass(after, man, set))
    }

    /// From which squares the last man goes to one of these. Pawns that go two squares are left out.
    fn before_last(&self, frame: &Frame, set: u64) -> u64 {
        let (color, kind) = self.men[self.last];
        before(kind, color, set, !frame.occupied)
    }

    /// The last man, a pawn that has not moved: where it stands, and after two squares.
    fn double_steps(&self, frame: &Frame) -> impl Iterator<Item = (u8, Spot)> {
        let (color, kind) = self.men[self.last];
        let free = !frame.occupied;
        let ways = second_rank(color) & free;
        let after = Spot { side: !color, ..frame.spot };
        let (one, last) = (if color == Color::White { 8 } else { -8 }, self.last);
        let is_free = move |at: u8, steps: i8| free & bit(at.wrapping_add_signed(one * steps)) != 0;
        squares(if kind == Piece::Pawn { ways } else { 0 })
            .filter(move |&at| is_free(at, 1) && is_free(at, 2))
            .map(move |at| {
                let mut after = after;
                after.men[last] = at.wrapping_add_signed(2 * one);
                (at, after)
            })
    }
}

impl RowMoves for Rows {
    fn rows(&self) -> u64 {
        self.ordinary + self.passing_rows()
    }

    fn mover(&self, row: u64) -> Side {
        let side = match row.checked_sub(self.ordinary) {
            None => row * 2 >= self.ordinary,
            Some(row) => row * 2 >= self.passing_rows(),
        };
        let side = if side { Color::Black } else { Color::White };
        self.own.side(side, side)
    }

    fn positions(&self, row: u64) -> u64 {
        if row >= self.ordinary {
            return u64::from(self.passing(row).is_some());
        }
        let Some(frame) = self.frame(row) else { return 0 };
        let side = frame.spot.side;
        let [in_check, ..] = self.checks(&frame, !side);
        let [.., by_three] = self.checks(&frame, side);
        self.room(&frame) & !in_check & !by_three
    }

    fn numbers(&self, row: u64, set: u64, out: &mut [u64; 64]) {
        if row >= self.ordinary {
            if let Some((spot, pair)) = self.passing(row) {
                out[0] = self.own.passing(&spot, pair);
            }
        } else if let Some(frame) = self.frame(row)
            && let Some(line) = self.own.line(&frame.spot, self.last)
        {
            for at in squares(set) {
                out[usize::from(at)] = line.number(at);
            }
        }
    }

    fn lost_without_move(&self, row: u64, set: u64) -> u64 {
        // A pawn that may be taken in passing is a move.
        match self.frame(row).filter(|_| row < self.ordinary) {
            Some(frame) => set & self.checks(&frame, frame.spot.side)[0],
            None => 0,
        }
    }

    fn exits(&self, row: u64, set: u64, visit: &mut dyn FnMut(Exit)) {
        if row >= self.ordinary {
            if set != 0 {
                self.exits_in_passing(row, visit);
            }
        } else if let Some(frame) = self.frame(row) {
            self.ordinary_exits(&frame, set, visit);
        }
    }

    fn leading_to(&self, row: u64, set: u64, plane: &Plane) -> u64 {
        if row >= self.ordinary {
            let leads = |(spot, _): (Spot, _)| {
                let at = bit(spot.men[self.last]);
                self.leading_to(self.row(&spot), at, plane) == at
            };
            return set & u64::from(self.passing(row).is_some_and(leads));
        }
        let Some(frame) = self.frame(row).filter(|_| set != 0) else { return 0 };
        let side = frame.spot.side;
        let mut found = 0;
        if self.men[self.last].0 == side {
            let next = plane.get(frame.turned);
            found |= self.before_last(&frame, next);
            for (at, after) in self.double_steps(&frame) {
                let end = after.men[self.last];
                let leads = match self.takers(&after, end) {
                    0 => next & bit(end) != 0,
                    _ => plane.get(self.passing_row(&after, end)) != 0,
                };
                found |= if leads { bit(at) } else { 0 };
            }
        }
        if found & set != set {
            self.each_step(&frame, side, false, &mut |row, seen, allowed| {
                found |= seen.original(plane.get(row)) & allowed;
                found & set == set
            });
        }
        if self.passing && found & set != set {
            found |= self.leading_to_passing(&frame, set & !found, plane);
        }
        found & set
    }

    fn add_before(&self, row: u64, set: u64, within: &Plane, out: &Plane) {
        if row >= self.ordinary {
            if set != 0 {
                self.add_before_passing(row, within, out);
            }
            return;
        }
        let Some(frame) = self.frame(row).filter(|_| set != 0) else { return };
        let side = !frame.spot.side;
        if self.men[self.last].0 == side {
            let mut found = self.before_last(&frame, set);
            for (at, after) in self.double_steps(&frame) {
                let end = after.men[self.last];
                if set & bit(end) != 0 && self.takers(&after, end) == 0 {
                    found |= bit(at);
                }
            }
            self.add(frame.turned, found, within, out);
        }
        self.each_step(&frame, side, true, &mut |row, seen, allowed| {
            let found = set & allowed;
            if found != 0 {
                self.add(row, seen.set(found), within, out);
            }
            false
        });
    }
}
