//! Sums and negatives.

use crate::error::TooLarge;
use crate::order::key;
use crate::plain::Plain;
use crate::stop::Stop;
use crate::values::{Value, Values};

impl Values {
    /// The sum: who moves, moves in one of the two.
    pub fn add(&mut self, a: Value, b: Value) -> Result<Value, TooLarge> {
        // Sums are the same in either order.
        let (a, b) = (a.min(b), a.max(b));
        if a == Value::ZERO {
            return Ok(b);
        }
        if self.store.negative(a) == Some(b) {
            return Ok(Value::ZERO);
        }
        let plain = (self.as_plain(a), self.as_plain(b));
        if let (Some(a), Some(b)) = plain {
            let ups = a.ups.checked_add(b.ups).ok_or(TooLarge::Number)?;
            let number = a.number.plus(b.number)?;
            return self.plain(Plain { number, ups, nim: a.nim ^ b.nim });
        }
        let key = key(a, b);
        if let Some(&known) = self.sums.get(&key) {
            return Ok(known);
        }
        self.step()?;
        let number = |plain: Option<Plain>| plain.is_some_and(|p| p.as_number().is_some());
        let sum = match (number(plain.0), number(plain.1)) {
            (true, _) => self.translate(b, a)?,
            (_, true) => self.translate(a, b)?,
            _ => self.add_by_options(a, b)?,
        };
        if self.sums.len() == self.sums.capacity() {
            self.make_room();
        }
        self.sums.insert(key, sum);
        Ok(sum)
    }

    /// The difference.
    pub fn subtract(&mut self, a: Value, b: Value) -> Result<Value, TooLarge> {
        let b = self.neg(b)?;
        self.add(a, b)
    }

    /// The sum of `n` copies, of its negative if `n` is below zero.
    pub fn multiple(&mut self, n: i64, value: Value) -> Result<Value, TooLarge> {
        let mut power = if n < 0 { self.neg(value)? } else { value };
        let mut left = n.unsigned_abs();
        let mut sum = Value::ZERO;
        // As in Russian multiplication: doubles are added where the bit is set.
        while left > 0 {
            if left & 1 == 1 {
                sum = self.add(sum, power)?;
            }
            left >>= 1;
            if left > 0 {
                power = self.add(power, power)?;
            }
        }
        Ok(sum)
    }

    fn add_by_options(&mut self, a: Value, b: Value) -> Result<Value, TooLarge> {
        self.expand(a)?;
        self.expand(b)?;
        let mut sides = [vec![], vec![]];
        for (right, side) in [false, true].into_iter().zip(&mut sides) {
            for (moved, stays) in [(a, b), (b, a)] {
                for i in 0..self.store.options(moved, right).len() {
                    let option = self.store.options(moved, right)[i];
                    side.push(self.add(option, stays)?);
                }
            }
        }
        let [left, right] = sides;
        self.canonical(left, right)
    }

    /// The sum with a number, which nobody moves in as long as there is something else: the canonical
    /// form of x + G is that of G with x added to each option (the number translation theorem).
    fn translate(&mut self, value: Value, number: Value) -> Result<Value, TooLarge> {
        let Some(by) = self.as_number(number) else { return Ok(value) };
        let mut sides = [vec![], vec![]];
        for (right, side) in [false, true].into_iter().zip(&mut sides) {
            for i in 0..self.store.options(value, right).len() {
                let option = self.store.options(value, right)[i];
                side.push(self.add(option, number)?);
            }
        }
        let node = self.store.node(value);
        let (left_stop, right_stop) = node.stops();
        let moved = |stop: Stop| Ok(Stop { number: stop.number.plus(by)?, ..stop });
        let stops = (moved(left_stop)?, moved(right_stop)?);
        let [left, right] = sides;
        self.intern(left, right, stops)
    }

    /// The negative: the players change places.
    pub fn neg(&mut self, value: Value) -> Result<Value, TooLarge> {
        if let Some(known) = self.store.negative(value) {
            return Ok(known);
        }
        let negative = match self.as_plain(value) {
            Some(plain) => self.plain(plain.negative())?,
            None => {
                self.step()?;
                let mut sides = [vec![], vec![]];
                for (right, side) in [true, false].into_iter().zip(&mut sides) {
                    for i in 0..self.store.options(value, right).len() {
                        let option = self.store.options(value, right)[i];
                        side.push(self.neg(option)?);
                    }
                }
                let node = self.store.node(value);
                let stops = (node.right_stop().negative(), node.left_stop().negative());
                let [left, right] = sides;
                self.intern(left, right, stops)?
            }
        };
        self.store.pair(value, negative);
        Ok(negative)
    }
}
