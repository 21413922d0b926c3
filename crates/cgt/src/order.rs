//! The order of values: G <= H if Left, who begins, loses G - H.
//!
//! By Conway's definition: no left option of G is at least H, and no right option of H is at most G.
//! Stops answer most questions before that: G and H are compared with all numbers by them.

use std::cmp::Ordering;

use crate::error::TooLarge;
use crate::stop::Stop;
use crate::values::{Value, Values};

/// A pair of values as a key.
pub(crate) fn key(a: Value, b: Value) -> u64 {
    u64::from(a.0) << 32 | u64::from(b.0)
}

/// Is a game with the stops `a` at most one with the stops `b`? None if they do not tell.
pub(crate) fn by_stops(a: (Stop, Stop), b: (Stop, Stop)) -> Option<bool> {
    if a.0 > b.0 || a.1 > b.1 {
        return Some(false);
    }
    // A number lies between them.
    let between =
        a.0.number < b.1.number || a.0.number == b.1.number && !a.0.right_moves && b.1.right_moves;
    between.then_some(true)
}

impl Values {
    /// Is `a` at most `b`?
    pub fn le(&mut self, a: Value, b: Value) -> Result<bool, TooLarge> {
        if let Some(known) = self.le_at_once(a, b) {
            return Ok(known);
        }
        let key = key(a, b);
        if let Some(&known) = self.orders.get(&key) {
            return Ok(known);
        }
        self.step()?;
        let answer = self.le_by_options(a, b)?;
        if self.orders.len() == self.orders.capacity() {
            self.make_room();
        }
        self.orders.insert(key, answer);
        Ok(answer)
    }

    /// How the two values compare. None if they are confused with each other: then who begins wins
    /// their difference.
    pub fn compare(&mut self, a: Value, b: Value) -> Result<Option<Ordering>, TooLarge> {
        if a == b {
            return Ok(Some(Ordering::Equal));
        }
        // Equal values have equal handles, so not both of these hold.
        Ok(match (self.le(a, b)?, self.le(b, a)?) {
            (true, _) => Some(Ordering::Less),
            (false, true) => Some(Ordering::Greater),
            (false, false) => None,
        })
    }

    fn le_at_once(&self, a: Value, b: Value) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        let (a, b) = (self.store.node(a), self.store.node(b));
        if a.is_number() || b.is_number() {
            // Stops alone decide it.
            return Some(by_stops(a.stops(), b.stops()) != Some(false));
        }
        match (a.plain(), b.plain()) {
            (Some(a), Some(b)) => Some(a.at_most(b)),
            _ => by_stops(a.stops(), b.stops()),
        }
    }

    fn le_by_options(&mut self, a: Value, b: Value) -> Result<bool, TooLarge> {
        self.expand(a)?;
        self.expand(b)?;
        for i in 0..self.store.options(a, false).len() {
            let option = self.store.options(a, false)[i];
            if self.le(b, option)? {
                return Ok(false);
            }
        }
        for i in 0..self.store.options(b, true).len() {
            let option = self.store.options(b, true)[i];
            if self.le(option, a)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
