//! The arena of forms: each is stored once.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use crate::error::TooLarge;
use crate::number::Dyadic;
use crate::plain::Plain;
use crate::stop::Stop;
use crate::values::Value;

/// How deeply forms may be nested. Recursions over pairs of forms are at most twice as deep, which
/// fits into the stack of any thread.
pub(crate) const MOST_DEPTH: u32 = 500;

/// How many options one side of a form may have.
pub(crate) const MOST_OPTIONS: usize = 1 << 16;

/// No value is known yet.
const NONE: u32 = u32::MAX;

/// What is needed of a value to find out whether it is plain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Number,
    /// A number with ups or a nimber.
    Plain,
    Form,
}

/// What is stored of a value, small enough for one line of the processor's cache.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    left_number: i64,
    right_number: i64,
    /// The day on which it is born.
    pub(crate) birthday: u64,
    /// The parts of a plain value besides its number, which is its left stop.
    ups: i32,
    nim: u32,
    /// Where the options of its canonical form stand. Those of plain values are written down when
    /// asked for: before that there are [`NONE`].
    start: u32,
    middle: u32,
    end: u32,
    negative: u32,
    /// How deeply it is nested; numbers are flat.
    pub(crate) depth: u32,
    left_exponent: u8,
    right_exponent: u8,
    shape: Shape,
    /// At the left stop, and at the right one: is it Right who has to move?
    right_moves: [bool; 2],
    /// Can the players always move, or neither of them?
    pub(crate) all_small: bool,
}

impl Node {
    fn new(shape: Shape, stops: (Stop, Stop)) -> Node {
        let (left, right) = stops;
        Node {
            left_number: left.number.numerator(),
            right_number: right.number.numerator(),
            birthday: 0,
            ups: 0,
            nim: 0,
            start: NONE,
            middle: NONE,
            end: NONE,
            negative: NONE,
            depth: 0,
            left_exponent: left.number.exponent() as u8,
            right_exponent: right.number.exponent() as u8,
            shape,
            right_moves: [left.right_moves, right.right_moves],
            all_small: false,
        }
    }

    /// The parts of the value if it needs no options.
    pub(crate) fn plain(&self) -> Option<Plain> {
        let number = || self.left_stop().number;
        (self.shape != Shape::Form).then(|| Plain {
            number: number(),
            ups: self.ups,
            nim: self.nim,
        })
    }

    pub(crate) fn is_number(&self) -> bool {
        self.shape == Shape::Number
    }

    /// Where play stops if Left begins.
    pub(crate) fn left_stop(&self) -> Stop {
        let number = Dyadic::from_parts(self.left_number, self.left_exponent);
        Stop { number, right_moves: self.right_moves[0] }
    }

    /// Where play stops if Right begins.
    pub(crate) fn right_stop(&self) -> Stop {
        let number = Dyadic::from_parts(self.right_number, self.right_exponent);
        Stop { number, right_moves: self.right_moves[1] }
    }

    pub(crate) fn stops(&self) -> (Stop, Stop) {
        (self.left_stop(), self.right_stop())
    }

    /// Are its options not written down yet?
    pub(crate) fn is_folded(&self) -> bool {
        self.start == NONE
    }
}

/// All forms, and the indices that find them again.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    nodes: Vec<Node>,
    pool: Vec<Value>,
    plain: FxHashMap<Plain, Value>,
    /// Open addressing: numbers of nodes with options, [`NONE`] where there is none.
    slots: Vec<u32>,
    forms: usize,
    limit: usize,
}

impl Store {
    pub(crate) fn new(limit: usize) -> Store {
        Store {
            nodes: vec![],
            pool: vec![],
            plain: FxHashMap::default(),
            slots: vec![NONE; 64],
            forms: 0,
            limit,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    pub(crate) fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
    }

    pub(crate) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.pool.capacity() * size_of::<Value>()
            + self.slots.len() * size_of::<u32>()
            + self.plain.capacity() * (size_of::<(Plain, Value)>() + 1)
    }

    pub(crate) fn node(&self, value: Value) -> &Node {
        &self.nodes[value.0 as usize]
    }

    pub(crate) fn negative(&self, value: Value) -> Option<Value> {
        let negative = self.node(value).negative;
        (negative != NONE).then_some(Value(negative))
    }

    /// Notes that two values are each other's negative.
    pub(crate) fn pair(&mut self, a: Value, b: Value) {
        self.nodes[a.0 as usize].negative = b.0;
        self.nodes[b.0 as usize].negative = a.0;
    }

    fn check_room(&self, more: usize) -> Result<(), TooLarge> {
        // What is in use counts here, not what is set aside for growth.
        let used = self.nodes.len() * (size_of::<Node>() + size_of::<u32>() * 2)
            + (self.pool.len() + more) * size_of::<Value>();
        let full = used > self.limit || self.nodes.len() >= NONE as usize - 1;
        if full || self.pool.len() + more >= NONE as usize {
            return Err(TooLarge::Forms);
        }
        Ok(())
    }

    /// The value of a plain sum.
    pub(crate) fn plain(&mut self, plain: Plain) -> Result<Value, TooLarge> {
        if let Some(&value) = self.plain.get(&plain) {
            return Ok(value);
        }
        if plain.ups == i32::MIN {
            return Err(TooLarge::Number);
        }
        self.check_room(0)?;
        let value = Value(self.nodes.len() as u32);
        let shape = if plain.as_number().is_some() { Shape::Number } else { Shape::Plain };
        self.nodes.push(Node {
            birthday: plain.birthday(),
            ups: plain.ups,
            nim: plain.nim,
            depth: plain.depth_of_rest().min(u64::from(u32::MAX)) as u32,
            all_small: plain.number == Dyadic::ZERO,
            ..Node::new(shape, plain.stops())
        });
        self.plain.insert(plain, value);
        Ok(value)
    }

    /// The options of a value on one side. Empty if those of a plain value are not written down.
    pub(crate) fn options(&self, value: Value, right: bool) -> &[Value] {
        let node = self.node(value);
        if node.is_folded() {
            return &[];
        }
        match right {
            false => &self.pool[node.start as usize..node.middle as usize],
            true => &self.pool[node.middle as usize..node.end as usize],
        }
    }

    /// Writes options down: where they begin, where the right ones begin, and where they end.
    fn write(&mut self, left: &[Value], right: &[Value]) -> Result<[u32; 3], TooLarge> {
        if left.len().max(right.len()) > MOST_OPTIONS {
            return Err(TooLarge::Options);
        }
        self.check_room(left.len() + right.len())?;
        let start = self.pool.len() as u32;
        self.pool.extend_from_slice(left);
        let middle = self.pool.len() as u32;
        self.pool.extend_from_slice(right);
        Ok([start, middle, self.pool.len() as u32])
    }

    /// Writes down the options of a plain value.
    pub(crate) fn set_options(
        &mut self,
        value: Value,
        left: &[Value],
        right: &[Value],
    ) -> Result<(), TooLarge> {
        let [start, middle, end] = self.write(left, right)?;
        let node = &mut self.nodes[value.0 as usize];
        (node.start, node.middle, node.end) = (start, middle, end);
        Ok(())
    }

    /// The value with these options, which are canonical, sorted and make no plain value.
    pub(crate) fn form(
        &mut self,
        left: &[Value],
        right: &[Value],
        stops: (Stop, Stop),
    ) -> Result<Value, TooLarge> {
        let mut slot = self.slot(left, right);
        if self.slots[slot] != NONE {
            return Ok(Value(self.slots[slot]));
        }
        let both = || left.iter().chain(right).map(|&v| self.node(v));
        let depth = 1 + both().map(|node| node.depth).max().unwrap_or(0);
        if depth > MOST_DEPTH {
            return Err(TooLarge::Depth);
        }
        let birthday = 1 + both().map(|node| node.birthday).max().unwrap_or(0);
        let all_small = !left.is_empty() && !right.is_empty() && both().all(|node| node.all_small);
        let [start, middle, end] = self.write(left, right)?;
        let value = Value(self.nodes.len() as u32);
        self.nodes.push(Node {
            birthday,
            depth,
            all_small,
            start,
            middle,
            end,
            ..Node::new(Shape::Form, stops)
        });
        self.forms += 1;
        if self.forms * 2 > self.slots.len() {
            self.grow();
            slot = self.slot(left, right);
        }
        self.slots[slot] = value.0;
        Ok(value)
    }

    /// Where the form stands in the index, or where it belongs.
    fn slot(&self, left: &[Value], right: &[Value]) -> usize {
        let mut hasher = FxHasher::default();
        left.hash(&mut hasher);
        right.hash(&mut hasher);
        let mask = self.slots.len() - 1;
        let mut slot = hasher.finish() as usize & mask;
        loop {
            let found = self.slots[slot];
            let same = |v: Value| self.options(v, false) == left && self.options(v, true) == right;
            if found == NONE || same(Value(found)) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let old = std::mem::take(&mut self.slots);
        self.slots = vec![NONE; old.len() * 2];
        for number in old.into_iter().filter(|&number| number != NONE) {
            let value = Value(number);
            let slot = self.slot(self.options(value, false), self.options(value, true));
            self.slots[slot] = number;
        }
    }
}
