//! Values of games as positions: one plays in a value as in a board.

use std::fmt;
use std::sync::Arc;

use crate::game::Side;

/// A game that is written out: its options and theirs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// The number `n/2^k`, in lowest terms.
    Number(i64, u32),
    /// A heap of Nim that is not empty.
    Heap(u32),
    /// Other options of Left and of Right, in rising order and none of them twice.
    Options(Arc<[Value]>, Arc<[Value]>),
}

/// A numerator is smaller than two to the power of this in size, and so is a denominator.
pub const NUMBER_BITS: u32 = 40;
/// The largest heap.
pub const LARGEST_HEAP: u32 = 1023;
/// So many braces inside each other can be read.
pub const DEEPEST: u32 = 100;

impl Value {
    /// The value in which nobody can move.
    pub const ZERO: Value = Value::Number(0, 0);

    /// A value by its options, in any order.
    pub fn of(mut left: Vec<Value>, mut right: Vec<Value>) -> Value {
        for options in [&mut left, &mut right] {
            options.sort_unstable();
            options.dedup();
        }
        match left.is_empty() && right.is_empty() {
            true => Value::ZERO,
            false => Value::Options(left.into(), right.into()),
        }
    }

    /// The number `n/2^k`, if it is small enough.
    pub fn number(mut n: i64, mut k: u32) -> Option<Value> {
        while k > 0 && n % 2 == 0 {
            (n, k) = (n / 2, k - 1);
        }
        let fits = n.unsigned_abs() < 1 << NUMBER_BITS && k < NUMBER_BITS;
        fits.then_some(Value::Number(n, k))
    }

    /// The heap of this size, if it is small enough.
    pub fn heap(size: u32) -> Option<Value> {
        match size {
            0 => Some(Value::ZERO),
            _ => (size <= LARGEST_HEAP).then_some(Value::Heap(size)),
        }
    }

    /// What a side can move to.
    pub fn options(&self, side: Side) -> Vec<Value> {
        match (self, side) {
            (&Value::Number(n, 0), Side::Max) => {
                if n > 0 {
                    vec![Value::Number(n - 1, 0)]
                } else {
                    Vec::new()
                }
            }
            (&Value::Number(n, 0), Side::Min) => {
                if n < 0 {
                    vec![Value::Number(n + 1, 0)]
                } else {
                    Vec::new()
                }
            }
            // The numerator is odd, so these are simpler, and as small.
            (&Value::Number(n, k), Side::Max) => Value::number(n - 1, k).into_iter().collect(),
            (&Value::Number(n, k), Side::Min) => Value::number(n + 1, k).into_iter().collect(),
            (&Value::Heap(size), _) => (0..size).filter_map(Value::heap).collect(),
            (Value::Options(left, _), Side::Max) => left.to_vec(),
            (Value::Options(_, right), Side::Min) => right.to_vec(),
        }
    }

    /// How much there is to read in it: itself and all options, written out.
    pub fn size(&self) -> u64 {
        match self {
            Value::Number(..) | Value::Heap(_) => 1,
            Value::Options(left, right) => {
                1 + left.iter().chain(right.iter()).map(Value::size).sum::<u64>()
            }
        }
    }

    /// The value in which Left and Right have exchanged their moves.
    pub fn negative(&self) -> Value {
        let all = |values: &[Value]| values.iter().map(Value::negative).collect();
        match self {
            &Value::Number(n, k) => Value::Number(-n, k),
            &Value::Heap(size) => Value::Heap(size),
            Value::Options(left, right) => Value::of(all(right), all(left)),
        }
    }

    /// Reads what is written by `Display`. Options may stand in any order.
    pub fn read(text: &str) -> Option<Value> {
        let mut reader = Reader { rest: text, depth: 0 };
        let value = reader.value()?;
        reader.rest.is_empty().then_some(value)
    }
}

struct Reader<'a> {
    rest: &'a str,
    depth: u32,
}

impl Reader<'_> {
    fn skip(&mut self, sign: char) -> bool {
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// A number without a sign and without zeros in front.
    fn digits(&mut self) -> Option<i64> {
        let end = self.rest.bytes().position(|b| !b.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        let plain = !digits.starts_with('0') || digits == "0";
        if plain { digits.parse().ok() } else { None }
    }

    fn value(&mut self) -> Option<Value> {
        if self.skip('{') {
            return self.options();
        }
        if self.skip('*') {
            let size = match self.rest.starts_with(|c: char| c.is_ascii_digit()) {
                true => u32::try_from(self.digits()?).ok().filter(|&size| size > 1)?,
                false => 1,
            };
            return Value::heap(size);
        }
        let minus = self.skip('-');
        let n = self.digits()?;
        let denominator = match self.skip('/') {
            true => self.digits().filter(|&digits| digits > 1)?,
            false => 1,
        };
        let k = denominator.trailing_zeros();
        if denominator <= 0 || denominator.count_ones() != 1 || minus && n == 0 {
            return None;
        }
        // In lowest terms, or it is written in another way.
        let n = if minus { -n } else { n };
        Value::number(n, k).filter(|value| *value == Value::Number(n, k))
    }

    fn options(&mut self) -> Option<Value> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let left = self.list('|')?;
        let right = self.list('}')?;
        self.depth -= 1;
        Some(Value::of(left, right))
    }

    fn list(&mut self, end: char) -> Option<Vec<Value>> {
        let mut values = Vec::new();
        if self.skip(end) {
            return Some(values);
        }
        loop {
            values.push(self.value()?);
            if self.skip(end) {
                return Some(values);
            }
            if !self.skip(',') {
                return None;
            }
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(n, 0) => write!(f, "{n}"),
            Value::Number(n, k) => write!(f, "{n}/{}", 1_u64 << k),
            Value::Heap(1) => f.write_str("*"),
            Value::Heap(size) => write!(f, "*{size}"),
            Value::Options(left, right) => {
                let list = |f: &mut fmt::Formatter<'_>, values: &[Value]| {
                    for (i, value) in values.iter().enumerate() {
                        f.write_str(if i == 0 { "" } else { "," })?;
                        value.fmt(f)?;
                    }
                    Ok(())
                };
                f.write_str("{")?;
                list(f, left)?;
                f.write_str("|")?;
                list(f, right)?;
                f.write_str("}")
            }
        }
    }
}
