//! A network of gates out of the clauses without variables (propositional networks, Schkufza, Love
//! and Genesereth 2008), as an and-inverter graph (Kuehlmann and others, 2002): every gate is an
//! *and* of two values, each perhaps inverted, and equal gates are one. The same few machine
//! instructions then evaluate every gate, for as many states at once as a word has bits.
//!
//! Facts that depend on each other, such as connections on a board, are computed in a loop: they
//! are false at first and grow until none changes. Stratification keeps negations out of loops.

use rustc_hash::FxHashMap;

mod build;
mod gates;

/// A value of the network, perhaps inverted: twice the number of its slot, plus one if inverted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Signal(pub(crate) u32);

impl Signal {
    pub(crate) const FALSE: Signal = Signal(0);
    pub(crate) const TRUE: Signal = Signal(1);

    pub(crate) fn of(slot: usize) -> Signal {
        Signal(slot as u32 * 2)
    }

    pub(crate) fn slot(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn not(self) -> Signal {
        Signal(self.0 ^ 1)
    }

    /// The values of the signal in all lanes.
    #[inline(always)]
    pub(crate) fn read<const W: usize>(self, values: &[[u64; W]]) -> [u64; W] {
        let invert = 0u64.wrapping_sub(u64::from(self.0 & 1));
        values[self.slot()].map(|word| word ^ invert)
    }

    /// Whether the signal is true in a lane.
    pub(crate) fn holds(self, values: &[[u64; 1]], lane: u32) -> bool {
        self.read(values)[0] >> lane & 1 == 1
    }
}

/// What fills a slot.
#[derive(Clone, Copy, Debug)]
enum Slot {
    /// An input: a fact of the state, a move, or a fact of a loop.
    Input,
    /// The *and* of two signals.
    And(Signal, Signal),
    /// Stores a signal into a slot of a loop.
    Store(usize, Signal),
}

/// A step of evaluation: `to = a & b`; the lowest bit of `to` says that this is the end of a round
/// for a fact of a loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Op {
    pub(crate) to: u32,
    pub(crate) a: Signal,
    pub(crate) b: Signal,
}

/// Steps in their order: once, or until nothing changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) is_loop: bool,
}

/// The steps that some outputs need.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slice {
    pub(crate) ops: Vec<Op>,
    pub(crate) segments: Vec<Segment>,
    /// Facts of loops: false at first.
    pub(crate) cleared: Vec<u32>,
    /// The facts of the state that are looked at.
    pub(crate) facts: Vec<u32>,
}

/// A game as gates. Slot 0 is false; then come the facts of the state, then the moves.
#[derive(Debug)]
pub(crate) struct Network {
    slots: Vec<Slot>,
    /// Slots of loops: from, to.
    loops: Vec<(usize, usize)>,
    /// For a fact of a loop, what it is stored from.
    stored: FxHashMap<usize, Signal>,
    /// The term of each fact of the state.
    pub(crate) facts: Vec<u32>,
    /// The facts of the initial state.
    pub(crate) initial: Vec<usize>,
    /// The moves of each role: their terms and the slots they have as inputs, in the order in which
    /// they are listed.
    pub(crate) moves: Vec<Vec<(u32, usize)>>,
    /// Whether each of these moves is legal.
    pub(crate) legal: Vec<Vec<Signal>>,
    /// The goals of each role: what it gets, and when. No number: none that GDL allows.
    pub(crate) goals: Vec<Vec<(Option<i32>, Signal)>>,
    /// The role that is chance: nobody asks what it gets.
    pub(crate) chance: Option<usize>,
    pub(crate) terminal: Signal,
    /// For each fact of the state, whether it holds next.
    pub(crate) next: Vec<Signal>,
}

impl Network {
    /// What a role gets in a lane: none if the rules do not say, or say two things.
    pub(crate) fn goal(&self, role: usize, values: &[[u64; 1]], lane: u32) -> Option<i32> {
        let mut holding = self.goals[role].iter().filter(|g| g.1.holds(values, lane));
        match (holding.next(), holding.next()) {
            (Some(&(goal, _)), None) => goal,
            _ => None,
        }
    }

    pub(crate) fn slots(&self) -> usize {
        self.slots.len()
    }

    /// The steps that give these signals their values, but for those that are done already.
    pub(crate) fn slice(&self, outputs: &[Signal], done: &[bool]) -> (Slice, Vec<bool>) {
        let mut needed = vec![false; self.slots.len()];
        let mut todo: Vec<usize> = outputs.iter().map(|s| s.slot()).collect();
        while let Some(slot) = todo.pop() {
            if done.get(slot).copied().unwrap_or(false)
                || std::mem::replace(&mut needed[slot], true)
            {
                continue;
            }
            match self.slots[slot] {
                Slot::And(a, b) => todo.extend([a.slot(), b.slot()]),
                Slot::Input | Slot::Store(..) => {
                    todo.extend(self.stored.get(&slot).map(|s| s.slot()))
                }
            }
        }
        let mut slice = Slice::default();
        let mut loops = self.loops.iter().peekable();
        let mut from = 0;
        let close = |slice: &mut Slice, from: &mut usize, is_loop: bool| {
            let to = slice.ops.len();
            if to > *from {
                slice.segments.push(Segment { from: *from, to, is_loop });
            }
            *from = to;
        };
        for slot in 0..self.slots.len() {
            while let Some(&&(begin, end)) = loops.peek() {
                if slot == begin {
                    close(&mut slice, &mut from, false);
                }
                if slot < end {
                    break;
                }
                close(&mut slice, &mut from, true);
                loops.next();
            }
            match self.slots[slot] {
                Slot::And(a, b) if needed[slot] => {
                    slice.ops.push(Op { to: slot as u32 * 2, a, b });
                }
                Slot::Store(to, value) if needed[to] => {
                    slice.ops.push(Op { to: to as u32 * 2 + 1, a: value, b: Signal::TRUE });
                }
                _ => {}
            }
        }
        let in_loop = loops.next().is_some();
        close(&mut slice, &mut from, in_loop);
        slice.cleared = self.stored.keys().filter(|&&s| needed[s]).map(|&s| s as u32).collect();
        slice.cleared.sort_unstable();
        let facts = (0..self.facts.len()).filter(|&f| needed[1 + f]);
        slice.facts = facts.map(|f| f as u32).collect();
        let mut all = needed;
        for (n, flag) in all.iter_mut().enumerate() {
            *flag |= done.get(n).copied().unwrap_or(false);
        }
        (slice, all)
    }
}
