//! Moves of endings to other classes, by rows: what takes, and what promotes.

use cozy_chess::{Color, Piece};
use foregone_model::rows::Exit;

use super::attacks::{ahead, attackers, attacks, between, bit, seventh_rank, squares};
use super::placer::{Placer, Spot};
use super::rows::{Frame, PROMOTIONS, Rows};

impl Rows {
    /// All moves to other classes of positions of a row, for these squares of the last man.
    pub(super) fn ordinary_exits(&self, frame: &Frame, set: u64, visit: &mut dyn FnMut(Exit)) {
        let side = frame.spot.side;
        self.king_takes(frame, set, visit);
        for man in (0..self.last).filter(|&man| self.men[man].0 == side) {
            self.man_takes(frame, man, set, visit);
        }
        if self.men[self.last].0 == side {
            self.last_takes(frame, set, visit);
        }
        for (man, _) in self.men.iter().enumerate().filter(|m| *m.1 == (side, Piece::Pawn)) {
            self.pawn_promotes(frame, man, set, visit);
        }
    }

    /// The men of the side that does not move, but for the last, on these squares.
    fn others(&self, frame: &Frame, on: u64) -> impl Iterator<Item = (usize, u8)> {
        let (side, men) = (frame.spot.side, frame.spot.men);
        (0..self.last)
            .filter(move |&man| self.men[man].0 != side && on & bit(men[man]) != 0)
            .map(move |man| (man, men[man]))
    }

    fn king_takes(&self, frame: &Frame, set: u64, visit: &mut dyn FnMut(Exit)) {
        let side = frame.spot.side;
        let near = attacks(Piece::King, side, frame.spot.kings[side as usize], 0);
        let mut after = Spot { side: !side, ..frame.spot };
        for (taken, at) in self.others(frame, near) {
            after.kings[side as usize] = at;
            self.exits_of_row(&after, self.after(Some(taken), None), set, visit);
        }
        if self.men[self.last].0 != side {
            for at in squares(near & set) {
                after.kings[side as usize] = at;
                self.exit(&after, Some(self.last), None, bit(at), visit);
            }
        }
    }

    fn man_takes(&self, frame: &Frame, man: usize, set: u64, visit: &mut dyn FnMut(Exit)) {
        let ((side, kind), from) = (self.men[man], frame.spot.men[man]);
        let reach = attacks(kind, side, from, frame.occupied);
        let promotes = kind == Piece::Pawn && seventh_rank(side) & bit(from) != 0;
        let mut after = Spot { side: !side, ..frame.spot };
        for (taken, at) in self.others(frame, reach) {
            after.men[man] = at;
            let allowed = set & !between(from, at);
            for kind in kinds(promotes) {
                let placer = self.after(Some(taken), kind.map(|kind| (man, kind)));
                self.exits_of_row(&after, placer, allowed, visit);
            }
        }
        if self.men[self.last].0 != side && reach & set != 0 {
            for kind in kinds(promotes) {
                let placer = self.after(Some(self.last), kind.map(|kind| (man, kind)));
                if let Some(placer) = placer
                    && let Some(line) = placer.line(&after, man)
                {
                    for at in squares(reach & set) {
                        visit(exit_to(placer, &after, line.number(at), bit(at)));
                    }
                }
            }
        }
    }

    fn last_takes(&self, frame: &Frame, set: u64, visit: &mut dyn FnMut(Exit)) {
        let (side, kind) = self.men[self.last];
        let mut after = Spot { side: !side, ..frame.spot };
        for (taken, at) in self.others(frame, !0) {
            let from = attackers(kind, side, at, frame.occupied) & set;
            if from == 0 {
                continue;
            }
            after.men[self.last] = at;
            let promotes = kind == Piece::Pawn && seventh_rank(side) & from != 0;
            for kind in kinds(promotes) {
                self.exit(&after, Some(taken), kind.map(|kind| (self.last, kind)), from, visit);
            }
        }
    }

    /// A pawn goes ahead.
    fn pawn_promotes(&self, frame: &Frame, man: usize, set: u64, visit: &mut dyn FnMut(Exit)) {
        let side = self.men[man].0;
        let last = man == self.last;
        let mut after = Spot { side: !side, ..frame.spot };
        for from in squares(seventh_rank(side) & if last { set } else { bit(after.men[man]) }) {
            let to = ahead(from, side);
            if frame.occupied & bit(to) != 0 {
                continue;
            }
            after.men[man] = to;
            for kind in 0..PROMOTIONS.len() {
                match last {
                    true => self.exit(&after, None, Some((man, kind)), bit(from), visit),
                    false => {
                        let placer = self.after(None, Some((man, kind)));
                        self.exits_of_row(&after, placer, set & !bit(to), visit);
                    }
                }
            }
        }
    }

    /// The same move of all these positions of a row.
    fn exits_of_row(
        &self,
        after: &Spot,
        placer: Option<&Placer>,
        set: u64,
        visit: &mut dyn FnMut(Exit),
    ) {
        if let Some(placer) = placer
            && let Some(line) = placer.line(after, self.last)
        {
            for at in squares(set) {
                visit(exit_to(placer, after, line.number(at), bit(at)));
            }
        }
    }

    /// A move of these positions that leads to one.
    pub(super) fn exit(
        &self,
        after: &Spot,
        taken: Option<usize>,
        promoted: Option<(usize, usize)>,
        positions: u64,
        visit: &mut dyn FnMut(Exit),
    ) {
        if let Some(placer) = self.after(taken, promoted)
            && let Some(index) = placer.number(after)
        {
            visit(exit_to(placer, after, index, positions));
        }
    }
}

/// What a pawn may become, if it is promoted.
fn kinds(promotes: bool) -> impl Iterator<Item = Option<usize>> {
    let count = if promotes { PROMOTIONS.len() } else { 1 };
    (0..count).map(move |kind| promotes.then_some(kind))
}

fn exit_to(placer: &Placer, after: &Spot, index: u64, positions: u64) -> Exit {
    let to_move: Color = after.side;
    Exit { positions, slot: placer.slot, index, mover: placer.side(!to_move, to_move) }
}
