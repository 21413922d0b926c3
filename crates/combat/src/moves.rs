//! The moves of a side, one after the other, the most promising first (section 5.4.4).
//!
//! A side with eight units can have 12⁸ moves, so they are never listed. First come moves that
//! somebody suggests: the table, then scripts (*scripted move ordering*). Ours is the order of the
//! rest: all moves that differ from the first suggestion of a script in what one unit does, then
//! all others, counted like the digits of a number. Every legal move comes exactly once.

use foregone_model::{Rng, Side};

use crate::script::Script;
use crate::state::{Action, Actions, MAX_UNITS, Move, State};

/// The scripts that are asked for moves. The first is the one that others are varied from.
pub const SUGGESTING: [Script; 4] =
    [Script::NokAv, Script::KitingAv, Script::Closest, Script::Kiting];

/// Suggestions: one from the table, one from each script.
const MAX_GIVEN: usize = 1 + SUGGESTING.len();

/// Where the list is.
#[derive(Clone, Copy, Debug)]
enum Stage {
    /// The move of the table.
    Table(Option<Move>),
    /// The script with this number.
    Scripts(usize),
    /// The unit and the action in which the move differs from the base.
    Single(usize, usize),
    /// All the rest; the digits say where.
    Rest,
}

/// A list of moves that is made while it is read.
#[derive(Clone, Debug)]
pub struct Moves {
    side: Side,
    ordering: bool,
    stage: Stage,
    given: [Move; MAX_GIVEN],
    given_len: usize,
    /// The legal actions of each unit, the one of the base first. Made when suggestions run out.
    legal: [Actions; MAX_UNITS],
    digits: [u8; MAX_UNITS],
}

impl Moves {
    /// The moves of `side`; with `ordering`, suggestions come first, that of the table ahead.
    pub fn new(side: Side, ordering: bool, table: Option<Move>) -> Moves {
        Moves {
            side,
            ordering,
            stage: Stage::Table(table.filter(|_| ordering)),
            given: [[Action::Idle; MAX_UNITS]; MAX_GIVEN],
            given_len: 0,
            legal: [Actions::NONE; MAX_UNITS],
            digits: [0; MAX_UNITS],
        }
    }

    /// Whether a move has not been suggested before.
    #[inline]
    fn is_new(&self, m: &Move) -> bool {
        !self.given[..self.given_len].contains(m)
    }

    #[inline]
    fn give(&mut self, m: Move) -> Move {
        self.given[self.given_len] = m;
        self.given_len += 1;
        m
    }

    /// The next move in the state `s`, which must be the same for every call.
    pub fn next(&mut self, s: &State) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table(suggested) => {
                    self.stage = Stage::Scripts(0);
                    if let Some(m) = suggested.filter(|m| s.is_legal(self.side, m)) {
                        return Some(self.give(m));
                    }
                }
                Stage::Scripts(k) => match SUGGESTING.get(k).filter(|_| self.ordering) {
                    Some(script) => {
                        self.stage = Stage::Scripts(k + 1);
                        let m = script.choose(s, self.side, &mut Rng::new(0));
                        if self.is_new(&m) {
                            return Some(self.give(m));
                        }
                    }
                    None => {
                        self.list_actions(s);
                        self.stage = Stage::Single(0, 1);
                        let base = self.base();
                        if self.is_new(&base) {
                            return Some(base);
                        }
                    }
                },
                Stage::Single(unit, _) if unit == MAX_UNITS => self.stage = Stage::Rest,
                Stage::Single(unit, action) => {
                    let list = self.legal[unit].as_slice();
                    if action >= list.len() {
                        self.stage = Stage::Single(unit + 1, 1);
                        continue;
                    }
                    self.stage = Stage::Single(unit, action + 1);
                    let mut m = self.base();
                    m[unit] = list[action];
                    if self.is_new(&m) {
                        return Some(m);
                    }
                }
                Stage::Rest => {
                    if !self.advance() {
                        return None;
                    }
                    let m = self.current();
                    let differs = self.digits.iter().filter(|&&d| d > 0).count();
                    if differs > 1 && self.is_new(&m) {
                        return Some(m);
                    }
                }
            }
        }
    }

    /// Finds the legal actions of all units and puts those of the base first.
    fn list_actions(&mut self, s: &State) {
        let base = self.ordering.then(|| SUGGESTING[0].choose(s, self.side, &mut Rng::new(0)));
        for (i, _) in s.acting(self.side) {
            self.legal[i] = s.actions(self.side, i);
            let list = self.legal[i].as_mut_slice();
            let first = base.and_then(|b| list.iter().position(|&a| a == b[i]));
            list.swap(0, first.unwrap_or(0));
        }
    }

    /// The first action of every unit.
    #[inline]
    fn base(&self) -> Move {
        self.legal.map(|list| list.as_slice().first().copied().unwrap_or_default())
    }

    /// The move that the digits spell.
    #[inline]
    fn current(&self) -> Move {
        let mut m = [Action::Idle; MAX_UNITS];
        for (i, action) in m.iter_mut().enumerate() {
            *action =
                self.legal[i].as_slice().get(self.digits[i] as usize).copied().unwrap_or_default();
        }
        m
    }

    /// Adds one; false when all digits are back at zero.
    #[inline]
    fn advance(&mut self) -> bool {
        for (digit, list) in self.digits.iter_mut().zip(&self.legal) {
            if usize::from(*digit) + 1 < list.as_slice().len() {
                *digit += 1;
                return true;
            }
            *digit = 0;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use foregone_model::{Rng, Side};

    use super::Moves;
    use crate::script::Script;
    use crate::state::{Action, State, Unit};
    use crate::unit::Kind;

    #[test]
    fn every_legal_move_comes_exactly_once() {
        let mut rng = Rng::new(11);
        let mut seen_many = 0;
        for round in 0..300 {
            let mut army = || -> Vec<Unit> {
                (0..1 + rng.below(3))
                    .map(|_| {
                        let kind = Kind::ALL[rng.below(4) as usize];
                        let mut u = Unit::new(kind, rng.below(150) as i32, rng.below(150) as i32);
                        u.move_at = rng.below(4) / 3;
                        u.attack_at = u.move_at + rng.below(2) * 5;
                        u
                    })
                    .collect()
            };
            let s = State::new(&army(), &army()).unwrap();
            for side in [Side::Max, Side::Min] {
                if !s.can_act(side) {
                    continue;
                }
                let product: usize =
                    s.acting(side).map(|(i, _)| s.actions(side, i).as_slice().len()).product();
                let ordering = round % 3 > 0;
                let mut random = || Script::Random.choose(&s, side, &mut Rng::new(round));
                let mut list = Moves::new(side, ordering, (round % 3 > 1).then(&mut random));
                let mut seen = HashSet::new();
                let mut first = None;
                while let Some(m) = list.next(&s) {
                    assert!(s.is_legal(side, &m));
                    assert!(seen.insert(m), "{m:?} twice");
                    first = first.or(Some(m));
                }
                assert_eq!(seen.len(), product);
                match round % 3 {
                    1 => {
                        let nok = Script::NokAv.choose(&s, side, &mut Rng::new(0));
                        assert_eq!(first, Some(nok));
                    }
                    2 => assert_eq!(first, Some(random())),
                    _ => {}
                }
                seen_many += usize::from(product > 50);
            }
        }
        assert!(seen_many > 50, "{seen_many}");
    }

    #[test]
    fn illegal_suggestions_are_left_out() {
        let s = State::new(&[Unit::new(Kind::Marine, 0, 0)], &[Unit::new(Kind::Marine, 500, 0)])
            .unwrap();
        let mut wrong = [Action::Idle; 8];
        wrong[0] = Action::Attack(0);
        let mut list = Moves::new(Side::Max, true, Some(wrong));
        while let Some(m) = list.next(&s) {
            assert!(s.is_legal(Side::Max, &m));
        }
    }
}
