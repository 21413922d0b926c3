//! Cooling, heating and overheating, and Norton's product.
//!
//! Each of them is worked out option by option. What is heated or multiplied is the canonical form;
//! Norton's product and cooling would give the same for any other form.

use rustc_hash::FxHashMap;

use crate::error::TooLarge;
use crate::number::Dyadic;
use crate::values::{Value, Values};

/// Results for the positions of one game.
type Known = FxHashMap<Value, Value>;

impl Values {
    /// The game cooled by t: each move costs its player t, as long as there is something to gain.
    /// Above its temperature it is its mean. Below -1 nothing is cooled: that is taken as -1.
    pub fn cool(&mut self, value: Value, by: Dyadic) -> Result<Value, TooLarge> {
        let by = by.max(Dyadic::whole(-1));
        let tax = self.number(-by)?;
        self.cooled(value, by, tax, &mut Known::default())
    }

    fn cooled(
        &mut self,
        value: Value,
        by: Dyadic,
        tax: Value,
        known: &mut Known,
    ) -> Result<Value, TooLarge> {
        if let Some(&done) = known.get(&value) {
            return Ok(done);
        }
        let thermograph = self.thermograph(value)?;
        let whole = self.as_number(value).is_some_and(|number| number.as_whole().is_some());
        let cooled = if whole || by > thermograph.temperature() {
            self.number(thermograph.mean())?
        } else {
            let back = self.neg(tax)?;
            self.by_options(value, [tax, back], &mut |values, option| {
                values.cooled(option, by, tax, known)
            })?
        };
        known.insert(value, cooled);
        Ok(cooled)
    }

    /// A form of what becomes of the options, with something added on each side.
    fn by_options(
        &mut self,
        value: Value,
        added: [Value; 2],
        work: &mut dyn FnMut(&mut Values, Value) -> Result<Value, TooLarge>,
    ) -> Result<Value, TooLarge> {
        self.step()?;
        self.expand(value)?;
        let mut sides = [vec![], vec![]];
        for ((right, added), side) in [false, true].into_iter().zip(added).zip(&mut sides) {
            for i in 0..self.store.options(value, right).len() {
                let option = self.store.options(value, right)[i];
                let done = work(self, option)?;
                side.push(self.add(done, added)?);
            }
        }
        let [left, right] = sides;
        self.canonical(left, right)
    }

    /// The game heated by `by`: each move earns that much. Numbers stay what they are. Cooling takes
    /// heating by a number back.
    pub fn heat(&mut self, value: Value, by: Value) -> Result<Value, TooLarge> {
        let back = self.neg(by)?;
        self.heated(value, [by, back], &mut Known::default())
    }

    fn heated(
        &mut self,
        value: Value,
        tax: [Value; 2],
        known: &mut Known,
    ) -> Result<Value, TooLarge> {
        if self.as_number(value).is_some() {
            return Ok(value);
        }
        if let Some(&done) = known.get(&value) {
            return Ok(done);
        }
        let heated =
            self.by_options(value, tax, &mut |values, option| values.heated(option, tax, known))?;
        known.insert(value, heated);
        Ok(heated)
    }

    /// The game overheated from `from` to `by`: whole numbers n become n copies of `from`, and each
    /// other move earns `by`.
    pub fn overheat(&mut self, value: Value, from: Value, by: Value) -> Result<Value, TooLarge> {
        let back = self.neg(by)?;
        self.overheated(value, from, [by, back], &mut Known::default())
    }

    fn overheated(
        &mut self,
        value: Value,
        from: Value,
        tax: [Value; 2],
        known: &mut Known,
    ) -> Result<Value, TooLarge> {
        if let Some(n) = self.as_number(value).and_then(Dyadic::as_whole) {
            return self.multiple(n, from);
        }
        if let Some(&done) = known.get(&value) {
            return Ok(done);
        }
        let heated = self.by_options(value, tax, &mut |values, option| {
            values.overheated(option, from, tax, known)
        })?;
        known.insert(value, heated);
        Ok(heated)
    }

    /// Norton's product G.U with a unit U, which has to be positive; None if it is not. Whole numbers
    /// n become n copies of U, and whoever moves in G gains U and one incentive of U besides.
    pub fn norton(&mut self, value: Value, unit: Value) -> Result<Option<Value>, TooLarge> {
        if unit == Value::ZERO || !self.le(Value::ZERO, unit)? {
            return Ok(None);
        }
        self.expand(unit)?;
        let mut gains = vec![];
        for right in [false, true] {
            for i in 0..self.store.options(unit, right).len() {
                let option = self.store.options(unit, right)[i];
                // U + (U' - U) for Left's incentives, U + (U - U') for Right's.
                gains.push(match right {
                    false => option,
                    true => {
                        let double = self.add(unit, unit)?;
                        self.subtract(double, option)?
                    }
                });
            }
        }
        let gains = self.maximal(gains)?;
        self.multiplied(value, unit, &gains, &mut Known::default()).map(Some)
    }

    /// Those of the values that are at most no other.
    fn maximal(&mut self, mut values: Vec<Value>) -> Result<Vec<Value>, TooLarge> {
        self.drop_dominated(&mut values, false)?;
        Ok(values)
    }

    fn multiplied(
        &mut self,
        value: Value,
        unit: Value,
        gains: &[Value],
        known: &mut Known,
    ) -> Result<Value, TooLarge> {
        if let Some(n) = self.as_number(value).and_then(Dyadic::as_whole) {
            return self.multiple(n, unit);
        }
        if let Some(&done) = known.get(&value) {
            return Ok(done);
        }
        self.step()?;
        self.expand(value)?;
        let mut sides = [vec![], vec![]];
        for (right, side) in [false, true].into_iter().zip(&mut sides) {
            for i in 0..self.store.options(value, right).len() {
                let option = self.store.options(value, right)[i];
                let done = self.multiplied(option, unit, gains, known)?;
                for &gain in gains {
                    side.push(match right {
                        false => self.add(done, gain)?,
                        true => self.subtract(done, gain)?,
                    });
                }
            }
        }
        let [left, right] = sides;
        let product = self.canonical(left, right)?;
        known.insert(value, product);
        Ok(product)
    }
}
