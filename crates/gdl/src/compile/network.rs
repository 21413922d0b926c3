//! A network of gates out of the clauses without variables (propositional networks, Schkufza, Love
//! and Genesereth 2008), as an and-inverter graph (Kuehlmann and others, 2002): every gate is an
//! *and* of two values, each perhaps inverted, and equal gates are one. The same few machine
//! instructions then evaluate every gate, for as many states at once as a word has bits.
//!
//! Facts that depend on each other, such as connections on a board, are computed in a loop: they
//! are false at first and grow until none changes. Stratification keeps negations out of loops.

use std::cmp::Reverse;

use super::Refusal;
use super::engine::Row;
use super::ground::Grounded;
use crate::graph::components;
use crate::hash::FxMap;
use crate::kif::Symbol;

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
    stored: FxMap<usize, Signal>,
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
    pub(crate) terminal: Signal,
    /// For each fact of the state, whether it holds next.
    pub(crate) next: Vec<Signal>,
}

struct Builder {
    slots: Vec<Slot>,
    gates: FxMap<(Signal, Signal), usize>,
    /// The moves of each role, by slot.
    moves: Vec<Vec<Signal>>,
    /// What was done so far.
    work: u64,
}

impl Builder {
    fn input(&mut self) -> usize {
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
        if let Some(&slot) = self.gates.get(&(a, b)) {
            return Signal::of(slot);
        }
        let slot = self.slots.len();
        self.slots.push(Slot::And(a, b));
        self.gates.insert((a, b), slot);
        Signal::of(slot)
    }

    /// Adds the signals that a signal is the *and* of.
    fn factors(&mut self, signal: Signal, out: &mut Vec<Signal>) {
        // A stack of its own: an *and* of a hundred thousand values is as many gates deep.
        let mut todo = vec![signal];
        while let Some(signal) = todo.pop() {
            self.work += 1;
            match self.slots[signal.slot()] {
                Slot::And(a, b) if signal.0 & 1 == 0 && out.len() < MOST_FACTORS => {
                    todo.extend([b, a]);
                }
                _ if signal == Signal::TRUE => {}
                _ => out.push(signal),
            }
        }
    }

    /// The factors of the *and* of signals, in order; none if it is false.
    fn product(&mut self, signals: impl Iterator<Item = Signal>) -> Option<Vec<Signal>> {
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
    fn sum(&mut self, mut products: Vec<Vec<Signal>>) -> Signal {
        products.sort_unstable();
        products.dedup();
        if products.iter().any(Vec::is_empty) {
            return Signal::TRUE;
        }
        let mut parts = Vec::new();
        let mut counts: FxMap<Signal, u32> = FxMap::default();
        for product in products.iter().filter(|p| p.len() > 1) {
            product.iter().for_each(|&s| *counts.entry(s).or_default() += 1);
        }
        loop {
            // Whoever made this reach the limit refuses the network as a whole.
            self.work += counts.len() as u64 + products.len() as u64;
            if self.work > MOST_WORK {
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

/// Steps in making a network.
const MOST_WORK: u64 = 500_000_000;

/// Steps that evaluating a loop may take if every round changes one fact only.
const MOST_ROUNDS: usize = 1_000_000_000;

/// Products of more factors than this are not taken apart further.
const MOST_FACTORS: usize = 12;

impl Network {
    /// The network of these clauses. `text` is the text of a term: facts and moves are in the
    /// order of their texts.
    pub(crate) fn new(
        ground: &Grounded,
        roles: &[u32],
        text: impl Fn(u32) -> String,
    ) -> Result<Network, Refusal> {
        let tables = &ground.engine.tables;
        // Every fact of a relation that changes is an atom.
        let mut offset = vec![0usize; tables.len() + 1];
        for (t, table) in tables.iter().enumerate() {
            let own = ground.engine.program.kept[t].shape.is_none();
            let count = if own && ground.changes[t] { table.count() } else { 0 };
            offset[t + 1] = offset[t] + count;
        }
        let atoms = offset[tables.len()];
        let atom = |row: Row| offset[row.table as usize] + row.row as usize;
        let table = |name, arity| ground.table(name, arity);
        let (truth, does) = (table(Symbol::TRUE, 1), table(Symbol::DOES, 2));

        let (gates, of_roles) = (FxMap::default(), vec![Vec::new(); roles.len()]);
        let mut builder = Builder { slots: vec![Slot::Input], gates, moves: of_roles, work: 0 };
        let mut signal = vec![Signal::FALSE; atoms];
        let mut is_input = vec![false; atoms];
        let (mut facts, mut moves) = (Vec::new(), vec![Vec::new(); roles.len()]);
        if let Some(t) = truth {
            let mut rows: Vec<usize> = (0..tables[t].count()).collect();
            rows.sort_by_cached_key(|&row| text(tables[t].row(row)[0]));
            for row in rows {
                facts.push(tables[t].row(row)[0]);
                signal[offset[t] + row] = Signal::of(builder.input());
                is_input[offset[t] + row] = true;
            }
        }
        if let Some(t) = does {
            let mut rows: Vec<usize> = (0..tables[t].count()).collect();
            rows.sort_by_cached_key(|&row| text(tables[t].row(row)[1]));
            for row in rows {
                let slot = builder.input();
                signal[offset[t] + row] = Signal::of(slot);
                is_input[offset[t] + row] = true;
                let [role, term] = tables[t].row(row) else { continue };
                if let Some(n) = roles.iter().position(|r| r == role) {
                    moves[n].push((*term, slot));
                    builder.moves[n].push(Signal::of(slot));
                }
            }
        }

        // Instances by head, and the literals of each: an atom, negated or not.
        let mut begin = vec![0u32; atoms + 1];
        for instance in &ground.instances {
            begin[atom(instance.head) + 1] += 1;
        }
        for n in 0..atoms {
            begin[n + 1] += begin[n];
        }
        let mut fill = begin.clone();
        let mut by_head = vec![[NOTHING; 3]; ground.instances.len()];
        for instance in &ground.instances {
            let place = &mut fill[atom(instance.head)];
            let mut literals = [NOTHING; 3];
            for (n, row) in instance.holds.iter().enumerate() {
                if let Some(row) = row {
                    literals[n] = atom(*row) as u32 * 2;
                }
            }
            // A body has two literals at most.
            let fails = ground.fails(instance).into_iter().rev().flatten();
            for (n, row) in fails.enumerate() {
                literals[2 - n] = atom(row) as u32 * 2 + 1;
            }
            by_head[*place as usize] = literals;
            *place += 1;
        }
        let of = |n: usize| &by_head[begin[n] as usize..begin[n + 1] as usize];
        let edge = |node: usize, n: usize| {
            let rows = of(node);
            (n < rows.len() * 3).then(|| match rows[n / 3][n % 3] {
                // No literal: an edge that changes nothing.
                NOTHING => node,
                literal => (literal >> 1) as usize,
            })
        };
        let component = components(atoms, edge);
        let mut order: Vec<u32> = (0..atoms as u32).collect();
        order.sort_by_key(|&n| component[n as usize]);

        let mut loops = Vec::new();
        let mut stored = FxMap::default();
        let mut at = 0;
        while at < order.len() {
            let first = order[at] as usize;
            let mut end = at + 1;
            while end < order.len() && component[order[end] as usize] == component[first] {
                end += 1;
            }
            let members = &order[at..end];
            at = end;
            let itself =
                of(first).iter().flatten().any(|&l| l != NOTHING && (l >> 1) as usize == first);
            let cyclic = members.len() > 1 || itself;
            let knot = |&m: &u32| {
                let mut literals = of(m as usize).iter().flatten().filter(|&&l| l != NOTHING);
                literals.any(|l| l & 1 == 1 && component[(l >> 1) as usize] == component[first])
            };
            if cyclic && members.iter().any(knot) {
                return Err(Refusal::Unstratified);
            }
            let mut fed = Vec::new();
            if cyclic {
                for &member in members {
                    let slot = builder.input();
                    fed.push(slot);
                    signal[member as usize] = Signal::of(slot);
                }
            }
            let from = builder.slots.len();
            for (n, &member) in members.iter().enumerate() {
                let member = member as usize;
                if is_input[member] {
                    continue;
                }
                let mut products = Vec::new();
                for literals in of(member) {
                    let literals = literals.iter().filter(|&&l| l != NOTHING);
                    let signals = literals.map(|l| Signal(signal[(l >> 1) as usize].0 ^ (l & 1)));
                    products.extend(builder.product(signals));
                }
                let value = builder.sum(products);
                if cyclic {
                    builder.slots.push(Slot::Store(fed[n], value));
                    stored.insert(fed[n], value);
                } else {
                    signal[member] = value;
                }
            }
            if cyclic {
                let to = builder.slots.len();
                if (to - from).saturating_mul(members.len()) > MOST_ROUNDS {
                    return Err(Refusal::Large("a loop of facts"));
                }
                loops.push((from, to));
            }
            if builder.work > MOST_WORK {
                return Err(Refusal::Large("the network of gates"));
            }
        }

        let value = |name, row: &[u32]| -> Signal {
            let Some(t) = table(name, row.len()) else { return Signal::FALSE };
            match tables[t].find(row) {
                Some(row) => signal[offset[t] + row as usize],
                None => Signal::FALSE,
            }
        };
        let next = facts.iter().map(|&f| value(Symbol::NEXT, &[f])).collect();
        let legal = (moves.iter().zip(roles))
            .map(|(moves, &role)| {
                moves.iter().map(|&(m, _)| value(Symbol::LEGAL, &[role, m])).collect()
            })
            .collect();
        let mut goals = vec![Vec::new(); roles.len()];
        if let Some(t) = table(Symbol::GOAL, 2) {
            for row in 0..tables[t].count() {
                let [role, goal] = tables[t].row(row) else { continue };
                if let Some(n) = roles.iter().position(|r| r == role) {
                    let signal = signal[offset[t] + row];
                    if signal != Signal::FALSE {
                        goals[n].push((text(*goal).parse().ok(), signal));
                    }
                }
            }
        }
        let mut initial = Vec::new();
        if let Some(t) = table(Symbol::INIT, 1) {
            let number: FxMap<u32, usize> =
                facts.iter().enumerate().map(|(n, &f)| (f, n)).collect();
            for row in 0..tables[t].count() {
                initial.extend(number.get(&tables[t].row(row)[0]));
            }
        }
        let terminal = value(Symbol::TERMINAL, &[]);
        let slots = builder.slots;
        Ok(Network { slots, loops, stored, facts, initial, moves, legal, goals, terminal, next })
    }

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

/// No literal.
const NOTHING: u32 = u32::MAX;
