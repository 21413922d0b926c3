//! Handles of values, how simple ones are made, and what is known of each at once.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::error::TooLarge;
use crate::number::Dyadic;
use crate::plain::Plain;
use crate::store::{MOST_DEPTH, Store};
use crate::thermograph::Thermograph;

/// A value among those of one [`Values`], where equal handles mean equal values. It has no meaning for
/// another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(pub(crate) u32);

impl Value {
    /// Nothing: the game in which nobody can move. It has the same handle everywhere.
    pub const ZERO: Value = Value(0);

    /// Its number among the values of its [`Values`].
    pub fn index(self) -> u32 {
        self.0
    }
}

/// Who wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Left, whoever begins.
    Left,
    /// Right, whoever begins.
    Right,
    /// Who begins.
    Next,
    /// Who does not begin.
    Previous,
}

impl Class {
    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Class::Left => "Left wins",
            Class::Right => "Right wins",
            Class::Next => "who begins wins",
            Class::Previous => "who begins loses",
        }
    }
}

/// Values in canonical form, each stored once, with sums and comparisons that were needed before.
#[derive(Clone, Debug)]
pub struct Values {
    pub(crate) store: Store,
    pub(crate) sums: FxHashMap<u64, Value>,
    pub(crate) orders: FxHashMap<u64, bool>,
    pub(crate) below: FxHashMap<Value, bool>,
    pub(crate) above: FxHashMap<Value, bool>,
    pub(crate) thermographs: FxHashMap<Value, Arc<Thermograph>>,
    /// What the thermographs take.
    pub(crate) heat_bytes: usize,
    pub(crate) weights: FxHashMap<Value, Value>,
    steps: u64,
}

/// Memory for values if nothing is said.
const USUAL_LIMIT: usize = 1 << 30;

impl Default for Values {
    fn default() -> Values {
        Values::new()
    }
}

impl Values {
    /// Only zero, with room for a gigabyte.
    pub fn new() -> Values {
        Values::with_limit(USUAL_LIMIT)
    }

    /// Only zero, with room for about `bytes`. Half of it is for forms, the rest for sums and
    /// comparisons, which are forgotten when it is full.
    pub fn with_limit(bytes: usize) -> Values {
        // Zero always fits, whatever the limit is.
        let mut store = Store::new(usize::MAX);
        let _ = store.plain(Plain::default());
        store.set_limit(bytes / 2);
        Values {
            store,
            sums: FxHashMap::default(),
            orders: FxHashMap::default(),
            below: FxHashMap::default(),
            above: FxHashMap::default(),
            thermographs: FxHashMap::default(),
            heat_bytes: 0,
            weights: FxHashMap::default(),
            steps: u64::MAX,
        }
    }

    /// Only zero, with the same room.
    pub(crate) fn emptied(&self) -> Values {
        Values::with_limit(self.store.limit().saturating_mul(2))
    }

    /// From now on at most so many steps, each the sum or the comparison of two forms. What takes
    /// more is refused with [`TooLarge::Steps`]. Without a budget there is no bound.
    pub fn set_budget(&mut self, steps: u64) {
        self.steps = steps;
    }

    /// How many steps are left.
    pub fn budget(&self) -> u64 {
        self.steps
    }

    /// How many values are stored.
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Never: zero is always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// About how much memory is used.
    pub fn bytes(&self) -> usize {
        self.store.bytes() + self.bytes_of_caches()
    }

    fn bytes_of_caches(&self) -> usize {
        self.sums.capacity() * (size_of::<(u64, Value)>() + 1)
            + self.orders.capacity() * (size_of::<(u64, bool)>() + 1)
            + self.heat_bytes
            + self.weights.capacity() * (size_of::<(Value, Value)>() + 1)
            + (self.below.capacity() + self.above.capacity()) * (size_of::<(Value, bool)>() + 1)
    }

    /// Forgets sums, comparisons, thermographs and weights, which are found again when needed. Values stay what they are.
    pub fn forget(&mut self) {
        self.sums = FxHashMap::default();
        self.orders = FxHashMap::default();
        self.below = FxHashMap::default();
        self.above = FxHashMap::default();
        self.thermographs = FxHashMap::default();
        self.heat_bytes = 0;
        self.weights = FxHashMap::default();
    }

    /// Makes room in the caches, if they are full.
    pub(crate) fn make_room(&mut self) {
        if self.bytes_of_caches() > self.store.limit() {
            self.forget();
        }
    }

    /// Pays for one step.
    pub(crate) fn step(&mut self) -> Result<(), TooLarge> {
        self.steps = self.steps.checked_sub(1).ok_or(TooLarge::Steps)?;
        Ok(())
    }

    /// Nothing.
    pub fn zero(&self) -> Value {
        Value::ZERO
    }

    /// A whole number.
    pub fn integer(&mut self, n: i64) -> Result<Value, TooLarge> {
        self.number(Dyadic::new(n, 0)?)
    }

    /// A number.
    pub fn number(&mut self, number: Dyadic) -> Result<Value, TooLarge> {
        self.plain(Plain::from_number(number))
    }

    /// The heap `*n`: `*0` is zero and `*1` is star.
    pub fn nimber(&mut self, n: u32) -> Result<Value, TooLarge> {
        self.plain(Plain { nim: n, ..Plain::default() })
    }

    /// `n` times up, and downs if `n` is negative.
    pub fn up(&mut self, n: i32) -> Result<Value, TooLarge> {
        self.plain(Plain { ups: n, ..Plain::default() })
    }

    /// The sum of a number, ups and a nimber.
    pub fn plain(&mut self, plain: Plain) -> Result<Value, TooLarge> {
        self.store.plain(plain)
    }

    /// The parts of a value that is the sum of a number, ups and a nimber.
    pub fn as_plain(&self, value: Value) -> Option<Plain> {
        self.store.node(value).plain()
    }

    /// The number that the value is, if it is one.
    pub fn as_number(&self, value: Value) -> Option<Dyadic> {
        self.as_plain(value)?.as_number()
    }

    /// The size of the nim heap that the value is, if it is one.
    pub fn as_nimber(&self, value: Value) -> Option<u32> {
        let plain = self.as_plain(value)?;
        (plain == Plain { nim: plain.nim, ..Plain::default() }).then_some(plain.nim)
    }

    /// The number at which play stops if Left begins.
    pub fn left_stop(&self, value: Value) -> Dyadic {
        self.store.node(value).left_stop().number
    }

    /// The number at which play stops if Right begins.
    pub fn right_stop(&self, value: Value) -> Dyadic {
        self.store.node(value).right_stop().number
    }

    /// The day on which the value is born: how many moves its canonical form can last.
    pub fn birthday(&self, value: Value) -> u64 {
        self.store.node(value).birthday
    }

    /// Does it lie between all positive and all negative numbers?
    pub fn is_infinitesimal(&self, value: Value) -> bool {
        let zero = Dyadic::ZERO;
        self.left_stop(value) == zero && self.right_stop(value) == zero
    }

    /// Can, all the way down, both players move or neither? Such values are infinitesimal.
    pub fn is_all_small(&self, value: Value) -> bool {
        self.store.node(value).all_small
    }

    /// Left's options in the canonical form. Those of a plain value are written down when it is
    /// asked for the first time, which fails for long ones.
    pub fn left(&mut self, value: Value) -> Result<&[Value], TooLarge> {
        self.expand(value)?;
        Ok(self.store.options(value, false))
    }

    /// Right's options in the canonical form; see [`Values::left`].
    pub fn right(&mut self, value: Value) -> Result<&[Value], TooLarge> {
        self.expand(value)?;
        Ok(self.store.options(value, true))
    }

    /// Who wins.
    pub fn outcome(&self, value: Value) -> Class {
        let node = self.store.node(value);
        let (left, right) = node.stops();
        let zero = Dyadic::ZERO;
        let at_most_zero = (left.number, left.right_moves) <= (zero, false);
        let at_least_zero = (right.number, right.right_moves) >= (zero, true);
        match (at_most_zero, at_least_zero) {
            (true, true) => Class::Previous,
            (true, false) => Class::Right,
            (false, true) => Class::Left,
            (false, false) => Class::Next,
        }
    }

    /// Writes down the options of a plain value.
    pub(crate) fn expand(&mut self, value: Value) -> Result<(), TooLarge> {
        let node = self.store.node(value);
        let (Some(plain), true) = (node.plain(), node.is_folded()) else { return Ok(()) };
        if node.depth > MOST_DEPTH {
            return Err(TooLarge::Depth);
        }
        let (left, right) = match plain.as_number() {
            Some(number) => self.options_of_number(number)?,
            None if plain.ups < 0 => {
                let (left, right) = self.options_of_ups(plain.negative())?;
                let turn = |values: &mut Values, side: Vec<Plain>| {
                    side.into_iter().map(|p| values.plain(p.negative())).collect()
                };
                let swapped: Result<Vec<Value>, TooLarge> = turn(self, right);
                (swapped?, turn(self, left)?)
            }
            None => {
                let (left, right) = self.options_of_ups(plain)?;
                let write = |values: &mut Values, side: Vec<Plain>| {
                    side.into_iter().map(|p| values.plain(p)).collect()
                };
                let written: Result<Vec<Value>, TooLarge> = write(self, left);
                (written?, write(self, right)?)
            }
        };
        self.store.set_options(value, &left, &right)
    }

    fn options_of_number(&mut self, number: Dyadic) -> Result<(Vec<Value>, Vec<Value>), TooLarge> {
        let step = number.step();
        let whole = number.as_whole();
        let mut side = |has: bool, neighbour: Result<Dyadic, TooLarge>| match has {
            false => Ok(vec![]),
            true => Ok(vec![self.number(neighbour?)?]),
        };
        let left = side(whole.is_none_or(|n| n > 0), number.minus(step))?;
        let right = side(whole.is_none_or(|n| n < 0), number.plus(step))?;
        Ok((left, right))
    }

    /// The options of a plain value with at least no ups, which is not a number.
    fn options_of_ups(&self, plain: Plain) -> Result<(Vec<Plain>, Vec<Plain>), TooLarge> {
        let number = Plain::from_number(plain.number);
        let star = Plain { nim: 1, ..number };
        Ok(match (plain.ups, plain.nim) {
            (0, nim) => {
                let side: Vec<Plain> = (0..nim).map(|nim| Plain { nim, ..number }).collect();
                (side.clone(), side)
            }
            (1, 1) => (vec![number, star], vec![number]),
            (ups, nim) => (vec![number], vec![Plain { ups: ups - 1, nim: nim ^ 1, ..number }]),
        })
    }
}
