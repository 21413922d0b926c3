//! Canonical forms: options that are dominated are left out, reversible ones are bypassed.
//!
//! A game whose options leave room for a number is the simplest number there (the simplicity
//! theorem), which stops tell at once. Any other keeps its stops and its value while options are
//! left out or bypassed, so whatever was compared with it once stays compared.

use rustc_hash::FxHashMap;

use crate::error::TooLarge;
use crate::number::Dyadic;
use crate::order::by_stops;
use crate::plain::Plain;
use crate::stop::Stop;
use crate::store::MOST_OPTIONS;
use crate::values::{Value, Values};

/// A larger table costs more to clear than to make.
const CLEARED: usize = 1 << 12;

/// A game by its options, which is not a number and not yet in canonical form.
struct Raw {
    left: Vec<Value>,
    right: Vec<Value>,
    stops: (Stop, Stop),
}

impl Values {
    /// The value of the game in which Left may move to each of `left` and Right to each of `right`.
    pub fn form(&mut self, left: &[Value], right: &[Value]) -> Result<Value, TooLarge> {
        self.canonical(left.to_vec(), right.to_vec())
    }

    pub(crate) fn canonical(
        &mut self,
        left: Vec<Value>,
        right: Vec<Value>,
    ) -> Result<Value, TooLarge> {
        // Step 1: is there room for a number? A left option that reaches x with Left to move is not
        // at least x, so x itself is free; likewise on the right.
        let low = left.iter().map(|&v| self.store.node(v).right_stop()).max();
        let high = right.iter().map(|&v| self.store.node(v).left_stop()).min();
        let number = Dyadic::simplest(
            low.map(|stop| (stop.number, !stop.right_moves)),
            high.map(|stop| (stop.number, stop.right_moves)),
        )?;
        if let Some(number) = number {
            return self.number(number);
        }
        // Without options on one side there is always a number.
        let (Some(low), Some(high)) = (low, high) else { return Ok(Value::ZERO) };
        let mut game = Raw { left, right, stops: (low, high) };
        for map in [&mut self.below, &mut self.above] {
            match map.capacity() > CLEARED {
                true => *map = FxHashMap::default(),
                false => map.clear(),
            }
        }
        // Step 2: the canonical form is what is left.
        self.drop_dominated(&mut game.left, false)?;
        self.drop_dominated(&mut game.right, true)?;
        let bypassed = self.bypass(&mut game, false)? | self.bypass(&mut game, true)?;
        if bypassed {
            self.drop_dominated(&mut game.left, false)?;
            self.drop_dominated(&mut game.right, true)?;
        }
        self.intern(game.left, game.right, game.stops)
    }

    /// The value of a canonical form that is no number.
    pub(crate) fn intern(
        &mut self,
        mut left: Vec<Value>,
        mut right: Vec<Value>,
        stops: (Stop, Stop),
    ) -> Result<Value, TooLarge> {
        if let Some(plain) = self.as_plain_form(&left, &right) {
            return self.plain(plain);
        }
        left.sort_unstable();
        right.sort_unstable();
        self.store.form(&left, &right, stops)
    }

    /// Leaves out options that another one of the side dominates, and repeated ones.
    pub(crate) fn drop_dominated(
        &mut self,
        side: &mut Vec<Value>,
        right: bool,
    ) -> Result<(), TooLarge> {
        side.sort_unstable();
        side.dedup();
        let mut kept: Vec<Value> = Vec::with_capacity(side.len());
        'options: for &option in side.iter() {
            let mut i = 0;
            while i < kept.len() {
                self.step()?;
                let (low, high) = if right { (kept[i], option) } else { (option, kept[i]) };
                if self.le(low, high)? {
                    continue 'options;
                }
                match self.le(high, low)? {
                    true => _ = kept.swap_remove(i),
                    false => i += 1,
                }
            }
            kept.push(option);
        }
        *side = kept;
        Ok(())
    }

    /// Replaces each reversible option of one side by what it reverses through. Was there any?
    fn bypass(&mut self, game: &mut Raw, right: bool) -> Result<bool, TooLarge> {
        let mut any = false;
        let mut i = 0;
        loop {
            let side = if right { &game.right } else { &game.left };
            let Some(&option) = side.get(i) else { return Ok(any) };
            let Some(through) = self.reversal(game, option, right)? else {
                i += 1;
                continue;
            };
            any = true;
            self.expand(through)?;
            let side = if right { &mut game.right } else { &mut game.left };
            side.swap_remove(i);
            for &next in self.store.options(through, right) {
                if !side.contains(&next) {
                    side.push(next);
                }
            }
            if side.len() > MOST_OPTIONS {
                return Err(TooLarge::Options);
            }
        }
    }

    /// The answer of the other side that makes an option no gain.
    fn reversal(
        &mut self,
        game: &Raw,
        option: Value,
        right: bool,
    ) -> Result<Option<Value>, TooLarge> {
        self.expand(option)?;
        for i in 0..self.store.options(option, !right).len() {
            let answer = self.store.options(option, !right)[i];
            let reverses = match right {
                false => self.at_most_game(answer, game)?,
                true => self.at_least_game(answer, game)?,
            };
            if reverses {
                return Ok(Some(answer));
            }
        }
        Ok(None)
    }

    /// Is a value at most the game?
    fn at_most_game(&mut self, value: Value, game: &Raw) -> Result<bool, TooLarge> {
        let node = self.store.node(value);
        let stops = node.stops();
        let number = node.is_number();
        if let Some(known) = by_stops(stops, game.stops).or(number.then_some(true)) {
            return Ok(known);
        }
        if let Some(&known) = self.below.get(&value) {
            return Ok(known);
        }
        self.step()?;
        let answer = self.is_below(value, game)?;
        self.below.insert(value, answer);
        Ok(answer)
    }

    fn is_below(&mut self, value: Value, game: &Raw) -> Result<bool, TooLarge> {
        for &option in &game.right {
            if self.le(option, value)? {
                return Ok(false);
            }
        }
        self.expand(value)?;
        for i in 0..self.store.options(value, false).len() {
            let option = self.store.options(value, false)[i];
            if self.at_least_game(option, game)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Is a value at least the game?
    fn at_least_game(&mut self, value: Value, game: &Raw) -> Result<bool, TooLarge> {
        let node = self.store.node(value);
        let stops = node.stops();
        let number = node.is_number();
        if let Some(known) = by_stops(game.stops, stops).or(number.then_some(true)) {
            return Ok(known);
        }
        if let Some(&known) = self.above.get(&value) {
            return Ok(known);
        }
        self.step()?;
        let answer = self.is_above(value, game)?;
        self.above.insert(value, answer);
        Ok(answer)
    }

    fn is_above(&mut self, value: Value, game: &Raw) -> Result<bool, TooLarge> {
        for &option in &game.left {
            if self.le(value, option)? {
                return Ok(false);
            }
        }
        self.expand(value)?;
        for i in 0..self.store.options(value, true).len() {
            let option = self.store.options(value, true)[i];
            if self.at_most_game(option, game)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The parts of a canonical form that is the sum of a number, ups and a nimber, but no number.
    fn as_plain_form(&self, left: &[Value], right: &[Value]) -> Option<Plain> {
        let number = self.as_plain(*left.first()?)?.number;
        let mut lefts: Vec<Plain> = left.iter().map_while(|&v| self.as_plain(v)).collect();
        let mut rights: Vec<Plain> = right.iter().map_while(|&v| self.as_plain(v)).collect();
        let complete = (lefts.len(), rights.len()) == (left.len(), right.len());
        if !complete || lefts.iter().chain(&rights).any(|plain| plain.number != number) {
            return None;
        }
        lefts.sort_unstable_by_key(|plain| (plain.ups, plain.nim));
        rights.sort_unstable_by_key(|plain| (plain.ups, plain.nim));
        let heap = |side: &[Plain]| (0..).zip(side).all(|(n, p)| (p.ups, p.nim) == (0, n));
        if heap(&lefts) && heap(&rights) {
            let up_star = |ups| Plain { number, ups, nim: 1 };
            match (lefts.len(), rights.len()) {
                (a, b) if a == b => return Some(Plain { number, ups: 0, nim: a as u32 }),
                (2, 1) => return Some(up_star(1)),
                (1, 2) => return Some(up_star(-1)),
                _ => return None,
            }
        }
        let (&[a], &[b]) = (&lefts[..], &rights[..]) else { return None };
        if (a.ups, a.nim) == (0, 0) && b.ups >= 0 {
            Some(Plain { number, ups: b.ups.checked_add(1)?, nim: b.nim ^ 1 })
        } else if (b.ups, b.nim) == (0, 0) && a.ups <= 0 {
            // The least count of ups is kept out.
            Some(Plain {
                number,
                ups: a.ups.checked_sub(1).filter(|&n| n > i32::MIN)?,
                nim: a.nim ^ 1,
            })
        } else {
            None
        }
    }
}
