//! Virtual connections: that a side can join its terminals, shown by a derivation that is checked
//! without search. `docs/certificates.md`, section "Connections", has the format.
//!
//! After V. Anshelevich, *A hierarchical approach to computer Hex* (2002): small connections are put
//! together to larger ones by *and* and *or*. Ours are derivations with moves of the prover P in
//! brackets, which write a search tree down, and the lenient reading. Here it is why it is sound; O
//! is the opponent.
//!
//! **Items.** An item is a set of *ends* (nodes; chains of own stones are ends as a whole) and a set
//! of empty cells, its *carrier*, which holds no end. It says that P can join all ends, and any some
//! of them, by stones in the carrier and those on the board, where ends that are empty cells count
//! as P's: if O moves first (strong), or if P does (weak). O may play elsewhere, P answers inside.
//!
//! * *link*: neighbours are joined.
//! * *and*: all ends are joined if each item joins its own to one that they share. O's move is in
//!   one carrier only, as carriers are disjoint, and is answered there. If the shared end is an empty
//!   cell P moves there first: weak. If one item is weak P moves first in that one.
//! * *or*: O's first move is not in all carriers if they have no cell in common (the must-play
//!   region is empty), and P moves first in an item that it missed: strong.
//! * *brackets*: what is strong after a stone of P is weak before it.
//!
//! **Captures.** P does not *need* a cell of O's if its neighbours are joined to each other around
//! it by own stones: it can be left out of every connection, so it is as good as P's. If that is so
//! of `a` when P has `b`, and of `b` when P has `a`, P can answer one by the other, and both are
//! as good as own stones already. Each pair is captured on the board with those before it, so the
//! last one is the first to be left out of a connection. The pairs of a bracket belong to the
//! carrier of its item: P needs them to itself.
//!
//! **Leniency.** The same words are read in many positions, mostly one in which O has a stone more.
//! What does not hold there is *void*: it is no item, and shows nothing, but is counted. The one
//! stone may be in a captured pair; then it is P's turn, and P can answer by the other cell.
//!
//! A strong item with all terminals as ends wins: more stones of P never hurt, so P may as well
//! move. The work is bounded by the words times the square of the board.

use std::collections::HashMap;

/// The name of the rule in certificates.
pub const RULE: &str = "connection";

/// A board of cells that a side wants to join its terminals on. Nodes are the cells, from 0, and the
/// terminals behind them. Sets of nodes are bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Net {
    /// How the game writes the move to each cell: letters and digits, and not digits alone.
    pub cells: Vec<String>,
    /// How many terminals there are. They are the side's own, as if there were stones on them.
    pub terminals: usize,
    /// The neighbours of each node.
    pub neighbours: Vec<u128>,
    /// The cells with stones of the side.
    pub own: u128,
    /// Those with stones of the opponent.
    pub taken: u128,
}

impl Net {
    /// Cells and at least two terminals, together at most 128, without any links or stones.
    pub fn new(cells: Vec<String>, terminals: usize) -> Net {
        let nodes = cells.len() + terminals;
        assert!(terminals >= 2 && nodes <= 128, "a net has two terminals and at most 128 nodes");
        Net { cells, terminals, neighbours: vec![0; nodes], own: 0, taken: 0 }
    }

    /// Makes neighbours of two nodes.
    pub fn link(&mut self, a: usize, b: usize) {
        self.neighbours[a] |= 1 << b;
        self.neighbours[b] |= 1 << a;
    }

    /// The terminals as nodes.
    pub fn goal(&self) -> u128 {
        (self.cells.len()..self.neighbours.len()).fold(0, |set, node| set | 1 << node)
    }

    /// The neighbours of all of these nodes.
    fn near(&self, nodes: u128) -> u128 {
        bits(nodes).fold(0, |set, bit| set | self.neighbours[bit.trailing_zeros() as usize])
    }

    /// The nodes that chains do not run through. One group has to touch all terminals. Where there are
    /// only two, a path from one to the other need not be one through either, and they may join
    /// stones. Where there are more, stones at one side are not a group.
    fn leaves(&self) -> u128 {
        if self.terminals > 2 { self.goal() } else { 0 }
    }

    /// These nodes, and the whole chains of those that are among the own ones, with the terminals that
    /// they touch.
    fn chains(&self, nodes: u128, own: u128) -> u128 {
        let (mut all, mut fresh) = (nodes, nodes & own);
        while fresh != 0 {
            fresh = self.near(fresh & !self.leaves()) & own & !all;
            all |= fresh;
        }
        all
    }

    /// The chain of one node without terminals that it only touches.
    fn chain(&self, node: u128, own: u128) -> u128 {
        self.chains(node, own) & !self.leaves() | node
    }

    /// Whether P, who has `own` and may get any of `empty`, does not need this cell of O's: each two
    /// of its other neighbours are in one chain, beside each other, or beside one chain.
    fn unneeded(&self, cell: u128, own: u128, empty: u128) -> bool {
        let around = self.near(cell) & (own | empty);
        bits(around).all(|node| {
            let chain = self.chain(node, own);
            let beside = chain | self.near(chain);
            let touching = self.chains(beside & own, own);
            around & !(beside | touching | self.near(touching & !self.leaves())) == 0
        })
    }
}

/// The sets of one node each that a set is made of.
fn bits(mut set: u128) -> impl Iterator<Item = u128> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// What is said of some ends.
#[derive(Clone, Copy)]
struct Item {
    ends: u128,
    carrier: u128,
    strong: bool,
}

/// The board of the position, or of a bracket, and what was found there. What is neither own nor
/// empty is O's. A void bracket has no board: nothing holds in it.
struct Context {
    own: u128,
    empty: u128,
    /// The stone of P that opened the bracket.
    stone: u128,
    /// The pairs that were captured.
    reserve: u128,
    /// By their numbers, from 1; void ones are nothing.
    items: Vec<Option<Item>>,
}

impl Context {
    /// Brings the items up to date with a board that has changed. An own stone in a carrier does not
    /// hurt, but one of O's does.
    fn renew(&mut self, net: &Net) {
        let (own, empty) = (self.own, self.empty);
        for slot in &mut self.items {
            *slot = slot.filter(|item| (item.ends | item.carrier) & !(own | empty) == 0);
            if let Some(item) = slot {
                item.carrier &= empty;
                item.ends = net.chains(item.ends, own);
            }
        }
    }

    /// `-CELL`: O may have it.
    fn give(&mut self, net: &Net, cell: u128) {
        if self.empty & cell != 0 {
            self.empty &= !cell;
            self.renew(net);
        }
    }

    /// `CELL&CELL`. `answers` tells whether P is on turn and may answer O's stone in the pair.
    fn capture(&mut self, net: &Net, a: u128, b: u128, answers: &mut bool) {
        let both = a | b;
        let unneeded = |cell| net.unneeded(cell, self.own | both & !cell, self.empty);
        if both & !self.empty == 0 {
            if !unneeded(a) || !unneeded(b) {
                return;
            }
            self.reserve |= both;
        } else {
            let taken = both & !(self.own | self.empty);
            let answered = both & self.empty == both & !taken && taken.is_power_of_two();
            if !*answers || !answered || !unneeded(taken) {
                return;
            }
            *answers = false;
        }
        self.own |= both;
        self.empty &= !both;
        self.renew(net);
    }

    /// `(CELL`: the board after a stone of P.
    fn after(&self, stone: u128) -> Context {
        let (mut own, mut empty) = (0, 0);
        if self.empty & stone != 0 {
            (own, empty) = (self.own | stone, self.empty & !stone);
        }
        Context { own, empty, stone, reserve: 0, items: Vec::new() }
    }

    /// `)`: what the last item of a bracket says on the board around it.
    fn result(&self) -> Option<Item> {
        let item = self.items.last().copied().flatten().filter(|item| item.strong)?;
        let played = self.stone | self.reserve;
        Some(Item { ends: item.ends & !played, carrier: item.carrier | played, strong: false })
    }

    /// `X-Y`.
    fn link(&self, net: &Net, x: u128, y: u128) -> Option<Item> {
        let (from, to) = (net.chain(x, self.own), net.chain(y, self.own));
        let there = (x | y) & !(self.own | self.empty) == 0;
        let joined = (from | net.near(from)) & to != 0;
        let ends = net.chains(from | to, self.own);
        (there && joined).then_some(Item { ends, carrier: 0, strong: true })
    }

    /// `…+…`.
    fn all_of(&self, net: &Net, operands: &[Option<Item>]) -> Option<Item> {
        let (mut ends, mut carrier, mut shared, mut weak) = (0, 0, u128::MAX, 0);
        for operand in operands {
            let item = (*operand)?;
            if carrier & item.carrier != 0 {
                return None;
            }
            ends |= item.ends;
            carrier |= item.carrier;
            shared &= item.ends;
            weak += u32::from(!item.strong);
        }
        if ends & carrier != 0 {
            return None;
        }
        if shared & self.own & !net.leaves() != 0 {
            return (weak <= 1).then_some(Item { ends, carrier, strong: weak == 0 });
        }
        let through = shared & self.empty;
        let item = Item { ends: ends & !through, carrier: carrier | through, strong: false };
        (through.is_power_of_two() && weak == 0).then_some(item)
    }
}

/// `…|…`.
fn any_of(operands: &[Option<Item>]) -> Option<Item> {
    let items = || operands.iter().copied().flatten();
    let strong = items().filter(|item| item.strong);
    if let Some(smallest) = strong.min_by_key(|item| item.carrier.count_ones()) {
        return Some(smallest);
    }
    let must_play = items().fold(u128::MAX, |set, item| set & item.carrier);
    if must_play != 0 {
        return items().next();
    }
    let ends = items().fold(u128::MAX, |set, item| set & item.ends);
    let carrier = items().fold(0, |set, item| set | item.carrier);
    Some(Item { ends, carrier, strong: true })
}

/// A number from 1 on, without a zero in front. A plus sign stands between operands, so none is here.
fn number(digits: &str) -> Option<usize> {
    if digits.starts_with('0') { None } else { digits.parse().ok() }
}

/// A derivation that is being read.
struct Reading<'n> {
    net: &'n Net,
    names: HashMap<&'n str, u128>,
    /// Whether P is on turn, and has not moved yet.
    on_turn: bool,
    context: Context,
    /// The position, and the brackets around the one that is open.
    outer: Vec<Context>,
}

impl<'n> Reading<'n> {
    fn new(net: &'n Net, on_turn: bool) -> Reading<'n> {
        let cells = net.cells.iter().enumerate();
        let names: HashMap<&str, u128> =
            cells.map(|(cell, name)| (name.as_str(), 1 << cell)).collect();
        let all = (0..net.cells.len()).fold(0, |set, cell| set | 1 << cell);
        let (own, empty) = (net.own | net.goal(), all & !(net.own | net.taken));
        let context = Context { own, empty, stone: 0, reserve: 0, items: Vec::new() };
        Reading { net, names, on_turn, context, outer: Vec::new() }
    }

    fn cell(&self, word: &str) -> Option<u128> {
        self.names.get(word).copied()
    }

    fn node(&self, word: &str) -> Option<u128> {
        let Some(digits) = word.strip_prefix('@') else { return self.cell(word) };
        let terminal = number(digits).filter(|&n| n <= self.net.terminals)?;
        Some(1 << (self.net.cells.len() + terminal - 1))
    }

    /// The items that an item is made of, void ones included.
    fn operands(&self, word: &str, between: char) -> Option<Vec<Option<Item>>> {
        let operand = |part: &str| match part.split_once('-') {
            Some((x, y)) => Some(self.context.link(self.net, self.node(x)?, self.node(y)?)),
            None => self.context.items.get(number(part)? - 1).copied(),
        };
        word.split(between).map(operand).collect()
    }

    /// Reads one word. Nothing if it is none.
    fn word(&mut self, word: &str) -> Option<()> {
        if let Some(cell) = word.strip_prefix('-') {
            self.context.give(self.net, self.cell(cell)?);
        } else if let Some((a, b)) = word.split_once('&') {
            let (a, b) = (self.cell(a)?, self.cell(b).filter(|_| a != b)?);
            let answers = if self.outer.is_empty() { &mut self.on_turn } else { &mut false };
            self.context.capture(self.net, a, b, answers);
        } else if let Some(cell) = word.strip_prefix('(') {
            let inner = self.context.after(self.cell(cell)?);
            self.outer.push(std::mem::replace(&mut self.context, inner));
        } else if word == ")" {
            let inner = std::mem::replace(&mut self.context, self.outer.pop()?);
            self.context.items.push(inner.result());
        } else {
            let item = match word.contains('+') {
                true => self.context.all_of(self.net, &self.operands(word, '+')?),
                false => any_of(&self.operands(word, '|')?),
            };
            self.context.items.push(item);
        }
        (self.outer.len() <= self.net.cells.len()).then_some(())
    }

    /// Whether an item of the position joins all terminals, and P can have it.
    fn wins(&self) -> bool {
        let (goal, mut items) = (self.net.goal(), self.context.items.iter().flatten());
        let joins = |item: &Item| item.ends & goal == goal && (item.strong || self.on_turn);
        self.outer.is_empty() && items.any(joins)
    }
}

/// Whether the words show that the side of the net joins its terminals, `on_turn` or not, in a
/// position that is not over.
pub fn shows(net: &Net, on_turn: bool, words: &str) -> bool {
    let mut reading = Reading::new(net, on_turn);
    words.split(' ').all(|word| reading.word(word).is_some()) && reading.wins()
}

#[cfg(test)]
mod tests;
