//! Moves in terms of numbers, and moves taken back.

use foregone_model::tabled::Unmove;
use foregone_model::{Class, ClassMoves, Node, Outcome, Side, Step, Tabled, TextError};

use super::DobutsuShogi;
use super::numbering::{
    Board, CATCH, CHICK, FIRST_ROW, HEN, LAST_ROW, LION, Numbering, OVER, REACH, Set, WHOLE,
    squares,
};
use super::{COLS, KINDS, SQUARES};

impl Tabled for DobutsuShogi {
    fn wanted(&self, text: &str) -> Result<Vec<Class>, TextError> {
        match text {
            "" | "whole" => Ok(vec![OVER, CATCH, WHOLE]),
            "catch" => Ok(vec![OVER, CATCH]),
            "over" => Ok(vec![OVER]),
            _ => {
                let message = "the classes are `whole`, and `catch` and `over`, which it leads to";
                let choices = ["whole", "catch", "over"].map(str::to_owned).to_vec();
                Err(TextError::new(message, 0..text.len()).with_choices(choices))
            }
        }
    }

    fn class_moves(&self, class: Class) -> Box<dyn ClassMoves + '_> {
        match class {
            WHOLE => Box::new(WholeMoves(&self.numbering)),
            _ => Box::new(foregone_model::tabled::PlainMoves::new(self, class)),
        }
    }
}

/// The moves of the class `whole`. Sente moves everywhere, and after every move the players are
/// exchanged.
struct WholeMoves<'g>(&'g Numbering);

/// Where moves lead.
#[derive(Default)]
struct Leads {
    /// To a lion that is home.
    home: bool,
    /// To a position in which the lion is caught.
    caught: bool,
    /// To a position of the class.
    within: bool,
}

impl Leads {
    fn node(&self) -> Node {
        match self.home || self.caught || self.within {
            true => Node::Choice(Side::Max),
            // Who cannot move has lost.
            false => Node::Over(Outcome(0)),
        }
    }

    /// The moves to other classes, by their places in [`foregone_model::Indexed::leads_to`].
    fn exits(&self, out: &mut Vec<Step>) {
        for (leads, slot) in [(self.home, 1), (self.caught, 2)] {
            if leads {
                out.push(Step { slot, flip: true, shift: 0, index: 0 });
            }
        }
    }
}

/// Where the moves of a position lead; hands over those that stay in the class, as they are seen by who
/// made the move.
#[inline]
fn each_move(board: &Board, mut within: impl FnMut(Board)) -> Leads {
    let mut leads = Leads::default();
    let [own, other] = [board.all(0), board.all(1)];
    let attackers = board.attackers(1, board.lion(0));
    for (kind, reach) in REACH[0].iter().enumerate() {
        for from in squares(board.men[0][kind]) {
            for to in squares(reach[from] & !own) {
                let at: Set = 1 << to;
                let safe = match kind {
                    // The lion itself hides nothing: no piece moves further than a square.
                    LION => board.attackers(1, to) & !at == 0,
                    _ => attackers & !at == 0,
                };
                if !safe {
                    leads.caught = true;
                    continue;
                }
                if kind == LION && at & LAST_ROW != 0 {
                    leads.home = true;
                    continue;
                }
                leads.within = true;
                let mut next = *board;
                next.men[0][kind] ^= 1 << from;
                let becomes = if kind == CHICK && at & LAST_ROW != 0 { HEN } else { kind };
                next.men[0][becomes] |= at;
                if other & at != 0 {
                    capture(&mut next, at);
                }
                within(next);
            }
        }
    }
    let empty = ((1 << SQUARES) - 1) & !(own | other);
    for held in (0..3).filter(|&held| board.hands[0][held] > 0) {
        if attackers != 0 {
            leads.caught = true;
            break;
        }
        for to in squares(empty) {
            leads.within = true;
            let mut next = *board;
            next.hands[0][held] -= 1;
            next.men[0][held + 1] |= 1 << to;
            within(next);
        }
    }
    leads
}

/// Takes what the other side has on a square into the own hand. It is not the lion.
#[inline]
fn capture(board: &mut Board, at: Set) {
    for kind in 1..KINDS.len() {
        if board.men[1][kind] & at != 0 {
            board.men[1][kind] ^= at;
            board.hands[0][(kind - 1).min(2)] += 1;
        }
    }
}

impl ClassMoves for WholeMoves<'_> {
    fn size(&self) -> u64 {
        self.0.size()
    }

    fn look(&self, index: u64, out: &mut Vec<Step>) -> Node {
        let Some(board) = self.0.board(index) else { return Node::Hole };
        let leads = each_move(&board, |next| {
            let index = self.0.number(&next.turned());
            out.push(Step { slot: 0, flip: true, shift: 0, index });
        });
        leads.exits(out);
        leads.node()
    }

    fn exits(&self, index: u64, out: &mut Vec<Step>) -> (Node, bool) {
        let Some(board) = self.0.board(index) else { return (Node::Hole, false) };
        let leads = each_move(&board, |_| {});
        leads.exits(out);
        (leads.node(), leads.within)
    }

    fn mover(&self, _index: u64) -> Side {
        Side::Max
    }

    fn takes_back(&self) -> bool {
        true
    }

    fn predecessors(&self, index: u64, out: &mut Vec<Unmove>) {
        let Some(board) = self.0.board(index) else { return };
        each_unmove(&board, |before| {
            out.push(Unmove { index: self.0.number(&before.turned()), flip: true });
        });
    }
}

/// Takes back the moves of the other side that lead here within the class, and hands over the
/// positions before them, seen from the same side as this one.
#[inline]
fn each_unmove(board: &Board, mut before: impl FnMut(Board)) {
    let lion = board.lion(0);
    // Before the move nothing attacked the lion.
    let attackers = board.attackers(1, lion);
    let empty = ((1 << SQUARES) - 1) & !(board.all(0) | board.all(1));
    for kind in 0..KINDS.len() {
        for to in squares(board.men[1][kind]) {
            let at: Set = 1 << to;
            if attackers & !at != 0 {
                continue;
            }
            let mut without = *board;
            without.men[1][kind] ^= at;
            // A piece that was dropped.
            if (1..=CHICK).contains(&kind) {
                let mut dropped = without;
                dropped.hands[1][kind - 1] += 1;
                before(dropped);
            }
            // A piece that moved, and was a chick before if it is a hen that has just got there.
            let goes_back = |was: usize| match was {
                CHICK if at & FIRST_ROW != 0 && kind == CHICK => 0,
                // Who is to move before the move has no lion that is home.
                LION => REACH[0][LION][to] & empty & !FIRST_ROW,
                _ => REACH[0][was][to] & empty,
            };
            let hatched = kind == HEN && at & FIRST_ROW != 0;
            for was in [Some(kind), hatched.then_some(CHICK)].into_iter().flatten() {
                for from in squares(goes_back(was) & !REACH[0][was][lion]) {
                    let mut moved = without;
                    moved.men[1][was] |= 1 << from;
                    give_back(&moved, at, &mut before);
                }
            }
        }
    }
}

/// The position with nothing on a square that a piece has left backwards, and those with what it may
/// have captured there.
#[inline]
fn give_back(moved: &Board, at: Set, before: &mut impl FnMut(Board)) {
    before(*moved);
    for kind in 1..KINDS.len() {
        let held = (kind - 1).min(2);
        if moved.hands[1][held] > 0 {
            let mut captured = *moved;
            captured.hands[1][held] -= 1;
            captured.men[0][kind] |= at;
            before(captured);
        }
    }
}

const _: () = assert!(COLS == 3 && SQUARES == 12, "what is mirrored and turned is this board");
