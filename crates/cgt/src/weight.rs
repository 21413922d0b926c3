//! Atomic weights: about how many ups an all-small game is worth.
//!
//! The weight of G is {weights of left options, less 2 | weights of right options, plus 2}, unless
//! more than one whole number fits there. Then it is the largest of these if G is above the remote
//! star, the smallest if it is below, and 0 if neither: *Winning Ways*, chapter 8.

use crate::error::TooLarge;
use crate::number::Dyadic;
use crate::stop::Stop;
use crate::values::{Value, Values};

impl Values {
    /// The atomic weight of an all-small game; None for others. It is a value, mostly a whole number.
    /// The weight of a sum is the sum of the weights, and who is ahead by two or more wins.
    pub fn atomic_weight(&mut self, value: Value) -> Result<Option<Value>, TooLarge> {
        match self.is_all_small(value) {
            true => self.weight(value).map(Some),
            false => Ok(None),
        }
    }

    fn weight(&mut self, value: Value) -> Result<Value, TooLarge> {
        if let Some(plain) = self.as_plain(value) {
            return self.integer(i64::from(plain.ups));
        }
        if let Some(&known) = self.weights.get(&value) {
            return Ok(known);
        }
        self.step()?;
        let mut sides = [vec![], vec![]];
        for (right, side) in [false, true].into_iter().zip(&mut sides) {
            let two = self.integer(if right { 2 } else { -2 })?;
            for i in 0..self.store.options(value, right).len() {
                let option = self.store.options(value, right)[i];
                let weight = self.weight(option)?;
                side.push(self.add(weight, two)?);
            }
        }
        let [left, right] = sides;
        let low = left.iter().map(|&v| self.store.node(v).right_stop()).max();
        let high = right.iter().map(|&v| self.store.node(v).left_stop()).min();
        let form = self.canonical(left, right)?;
        let whole = self.as_number(form).is_some_and(|number| number.as_whole().is_some());
        let weight = match (whole, low, high) {
            (true, Some(low), Some(high)) => {
                let heap = self.remote_star(value)?;
                let weight = if self.le(heap, value)? {
                    largest(high)
                } else if self.le(value, heap)? {
                    -largest(low.negative())
                } else {
                    Dyadic::ZERO
                };
                self.number(weight)?
            }
            _ => form,
        };
        if self.weights.len() == self.weights.capacity() {
            self.make_room();
        }
        self.weights.insert(value, weight);
        Ok(weight)
    }

    /// A nimber larger than all that occur in a game.
    fn remote_star(&mut self, value: Value) -> Result<Value, TooLarge> {
        let mut most = 0;
        let mut seen = rustc_hash::FxHashSet::default();
        let mut ahead = vec![value];
        while let Some(value) = ahead.pop() {
            if !seen.insert(value) {
                continue;
            }
            match self.as_plain(value) {
                // Going down the ups, the nimber's last bit changes.
                Some(plain) => most = most.max(plain.nim | u32::from(plain.ups != 0)),
                None => {
                    for right in [false, true] {
                        ahead.extend_from_slice(self.store.options(value, right));
                    }
                }
            }
        }
        self.nimber(most.saturating_add(1))
    }
}

/// The largest whole number that is not at least a game with this left stop.
fn largest(high: Stop) -> Dyadic {
    let floor = high.number.floor();
    let reached = high.number.as_whole().is_some() && !high.right_moves;
    Dyadic::whole(if reached { floor - 1 } else { floor })
}
