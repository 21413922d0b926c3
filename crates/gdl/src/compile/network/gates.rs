//! Gates: an *and* of two signals each, equal ones kept once, and sums of products in as few of
//! them as simple means find.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::{Signal, Slot};

/// The steps that making a network may take.
pub(super) const MAX_WORK: u64 = 500_000_000;

/// Products of more factors than this are not taken apart further.
const MAX_FACTORS: usize = 12;

/// Gates, as they are added.
pub(super) struct Gates {
    pub(super) slots: Vec<Slot>,
    known: FxHashMap<(Signal, Signal), usize>,
    /// The moves of each role, by slot.
    pub(super) moves: Vec<Vec<Signal>>,
    /// The steps taken so far.
    pub(super) work: u64,
}

impl Gates {
    /// No gates yet; slot 0 is false.
    pub(super) fn new(roles: usize) -> Gates {
        let (known, moves) = (FxHashMap::default(), vec![Vec::new(); roles]);
        Gates { slots: vec![Slot::Input], known, moves, work: 0 }
    }

    pub(super) fn input(&mut self) -> usize {
        self.slots.push(Slot::Input);
        self.slots.len() - 1
    }

    fn and(&mut self, a: Signal, b: Signal) -> Signal {
        let (a, b) = (a.min(b), a.max(b));
        if a == Signal::FALSE || a == b.not() {
            return Signal::FALSE;
        }
        if a == Signal::TRUE || a == b {
            return b;
        }
        // An input of the other gate, or the inverse of one.
        for (x, y) in [(a, b), (b, a)] {
            if let Slot::And(p, q) = self.slots[x.slot()] {
                let inverted = x.0 & 1 == 1;
                if !inverted && (y == p || y == q) {
                    return x;
                }
                if !inverted && (y == p.not() || y == q.not()) {
                    return Signal::FALSE;
                }
                if inverted && (y == p.not() || y == q.not()) {
                    return y;
                }
                if inverted && y == p {
                    return self.and(y, q.not());
                }
                if inverted && y == q {
                    return self.and(y, p.not());
                }
            }
        }
        if let Some(&slot) = self.known.get(&(a, b)) {
            return Signal::of(slot);
        }
        let slot = self.slots.len();
        self.slots.push(Slot::And(a, b));
        self.known.insert((a, b), slot);
        Signal::of(slot)
    }

    /// Adds the signals that a signal is the *and* of.
    fn factors(&mut self, signal: Signal, out: &mut Vec<Signal>) {
        // A stack of its own: an *and* of a hundred thousand values is as many gates deep.
        let mut todo = vec![signal];
        while let Some(signal) = todo.pop() {
            self.work += 1;
            match self.slots[signal.slot()] {
                Slot::And(a, b) if signal.0 & 1 == 0 && out.len() < MAX_FACTORS => {
                    todo.extend([b, a]);
                }
                _ if signal == Signal::TRUE => {}
                _ => out.push(signal),
            }
        }
    }

    /// The factors of the *and* of signals, in order; none if it is false.
    pub(super) fn product(&mut self, signals: impl Iterator<Item = Signal>) -> Option<Vec<Signal>> {
        let mut out = Vec::new();
        signals.for_each(|s| self.factors(s, &mut out));
        out.sort_unstable();
        out.dedup();
        let clash = out.windows(2).any(|w| w[0] == w[1].not());
        (!clash && out.first() != Some(&Signal::FALSE)).then_some(out)
    }

    /// The *or* of products. What several of them have in common is taken out of them: the clauses
    /// that carry a fact from one state to the next, one for each move that leaves it alone, are
    /// one gate then, and an *or* of moves.
    pub(super) fn sum(&mut self, mut products: Vec<Vec<Signal>>) -> Signal {
        products.sort_unstable();
        products.dedup();
        if products.iter().any(Vec::is_empty) {
            return Signal::TRUE;
        }
        let mut parts = Vec::new();
        let mut counts: FxHashMap<Signal, u32> = FxHashMap::default();
        for product in products.iter().filter(|p| p.len() > 1) {
            product.iter().for_each(|&s| *counts.entry(s).or_default() += 1);
        }
        loop {
            // Whoever made this reach the limit refuses the network as a whole.
            self.work += counts.len() as u64 + products.len() as u64;
            if self.work > MAX_WORK {
                break;
            }
            // The most frequent factor; of equals the first, so that networks are always the same.
            let best = counts.iter().filter(|c| *c.1 > 1).max_by_key(|c| (*c.1, Reverse(*c.0)));
            let Some((&factor, _)) = best else { break };
            let has = |p: &Vec<Signal>| p.len() > 1 && p.binary_search(&factor).is_ok();
            let (with, rest): (Vec<_>, Vec<_>) = products.into_iter().partition(has);
            products = rest;
            for product in &with {
                for signal in product {
                    counts.entry(*signal).and_modify(|n| *n -= 1);
                }
            }
            let without = |mut p: Vec<Signal>| {
                p.retain(|&s| s != factor);
                p
            };
            let inner = self.sum(with.into_iter().map(without).collect());
            parts.push(self.and(factor, inner));
        }
        for product in products {
            let signal = product.into_iter().fold(Signal::TRUE, |all, s| self.and(all, s));
            parts.push(signal);
        }
        self.any(parts)
    }

    /// The *or* of signals as they are. Each role makes one move: one of many of its moves is made
    /// if none of the few others is.
    fn any(&mut self, mut signals: Vec<Signal>) -> Signal {
        signals.sort_unstable();
        signals.dedup();
        for role in 0..self.moves.len() {
            if signals.len() * 2 <= self.moves[role].len() {
                continue;
            }
            let all = self.moves[role].clone();
            let mut is_move = |s: &&Signal| all.binary_search(s).is_ok();
            let made: Vec<Signal> = signals.iter().filter(&mut is_move).copied().collect();
            if made.len() * 2 > all.len() {
                signals.retain(|s| made.binary_search(s).is_err());
                let others = all.iter().filter(|s| made.binary_search(s).is_err());
                let others: Vec<Signal> = others.copied().collect();
                let other = self.plain_or(&others);
                signals.push(other.not());
            }
        }
        signals.sort_unstable();
        self.plain_or(&signals)
    }

    fn plain_or(&mut self, signals: &[Signal]) -> Signal {
        signals.iter().fold(Signal::TRUE, |all, s| self.and(all, s.not())).not()
    }
}
