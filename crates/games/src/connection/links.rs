//! Connections between pairs of cells, chains and borders, by the rules *and* and *or*.
//!
//! After V. Anshelevich, *A hierarchical approach to computer Hex* (2002): two strong links that share
//! an end and nothing else make a strong link if that end is a chain, and a weak one if it is an empty
//! cell; weak links with no cell common to all make a strong one. Ours: links are worked through from
//! the smallest carrier up; between two empty cells only small carriers are kept, which costs little
//! strength and saves most of the work; and for boards with three borders, links of one cell or
//! chain to all of them are joined.

use super::Board;
use crate::board::Word;

/// How many links are kept between two ends, and how large.
const MOST_STRONG: usize = 10;
const MOST_WEAK: usize = 25;
/// The same between the two borders of a player: all of them shrink the must-play region.
const MOST_ACROSS: usize = 100;
/// The largest carrier of a link between two empty cells.
const LARGEST_BETWEEN_CELLS: u32 = 4;
/// How many weak links are put together by *or* at most, and how many results one new link may have.
const OR_WIDTH: usize = 4;
const OR_RESULTS: usize = 4;
const OR_TRIES: usize = 30;

/// Why a link holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Origin {
    /// Its ends touch.
    Touch,
    /// Two links that share an end.
    And(u32, u32),
    /// Weak links, a range of [`Links::members`].
    Or(u32, u32),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Link<W> {
    pub(super) ends: [u8; 2],
    pub(super) carrier: W,
    pub(super) origin: Origin,
}

/// A connection of all borders of a player: links that have one end in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal<W> {
    pub(super) carrier: W,
    pub(super) parts: [u32; 3],
    pub(super) count: usize,
}

/// A link as the lists of a pair of ends hold it.
type Held<W> = (W, u32);

/// All links of one player that were found in a position. Buffers are kept from one to the next.
#[derive(Debug)]
pub(super) struct Links<W> {
    /// The number of nodes: cells, then borders.
    nodes: usize,
    borders: usize,
    borders_join: bool,
    pub(super) all: Vec<Link<W>>,
    pub(super) members: Vec<u32>,
    strong: Vec<Vec<Held<W>>>,
    weak: Vec<Vec<Held<W>>>,
    touched: Vec<usize>,
    /// Strong links that are still to be combined with others, by the size of their carriers.
    waiting: Vec<Vec<u32>>,
    smallest: usize,
    /// The nodes that each node has strong links to.
    partners: Vec<u128>,
    /// The nodes that stand for chains and borders.
    chains: u128,
    /// The node of the chain that each border belongs to.
    border_nodes: [u8; 3],
    /// For each cell with a stone, the node of its chain.
    pub(super) chain_of: Vec<u8>,
    combined: Vec<(W, Vec<u32>)>,
}

impl<W: Word> Links<W> {
    pub(super) fn new(board: &Board<W>) -> Links<W> {
        let borders = board.borders[0].len();
        let nodes = board.size as usize + borders;
        Links {
            nodes,
            borders,
            borders_join: board.borders_join(),
            all: Vec::new(),
            members: Vec::new(),
            strong: vec![Vec::new(); nodes * nodes],
            weak: vec![Vec::new(); nodes * nodes],
            touched: Vec::new(),
            waiting: vec![Vec::new(); board.size as usize + 1],
            smallest: 0,
            partners: vec![0; nodes],
            chains: 0,
            border_nodes: [0; 3],
            chain_of: vec![0; board.size as usize],
            combined: Vec::new(),
        }
    }

    #[inline]
    fn pair(&self, a: u8, b: u8) -> usize {
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        usize::from(low) * self.nodes + usize::from(high)
    }

    /// Whether a node is a chain or a border.
    #[inline]
    pub(super) fn is_chain(&self, node: u8) -> bool {
        self.chains >> node & 1 == 1
    }

    /// The cell of a node that is an empty cell, as a set; nothing for chains.
    #[inline]
    fn cell(&self, node: u8) -> W {
        if self.is_chain(node) { W::ZERO } else { W::bit(u32::from(node)) }
    }

    /// Finds the links of the player of `side`, who has the stones `own`; `closed` is closed to it.
    pub(super) fn find(&mut self, board: &Board<W>, own: W, closed: W, side: usize) {
        self.clear();
        self.find_chains(board, own, closed, side);
        while let Some(id) = self.next() {
            let Link { ends: [a, b], carrier, .. } = self.all[id as usize];
            let pair = self.pair(a, b);
            // A smaller one may have taken its place meanwhile.
            if self.strong[pair].iter().any(|held| held.1 == id) {
                self.combine(id, carrier, a, b);
                self.combine(id, carrier, b, a);
            }
        }
    }

    fn clear(&mut self) {
        for &pair in &self.touched {
            self.strong[pair].clear();
            self.weak[pair].clear();
        }
        self.touched.clear();
        self.all.clear();
        self.members.clear();
        self.waiting.iter_mut().for_each(Vec::clear);
        self.smallest = 0;
        self.partners.fill(0);
        self.chains = 0;
    }

    /// Chains, and the links of what touches.
    fn find_chains(&mut self, board: &Board<W>, own: W, closed: W, side: usize) {
        let empty = board.full & !(own | closed);
        let mut touches: Vec<(u8, W)> = Vec::new();
        let mut left = own;
        for k in 0..self.borders {
            let node = board.size as u8 + k as u8;
            let border = board.borders[side][k];
            self.border_nodes[k] = node;
            self.chains |= 1 << node;
            if !self.borders_join {
                touches.push((node, border & empty));
                continue;
            }
            let chain = board.chain(border & own, own);
            if k > 0 && !(chain & board.borders[side][0]).is_empty() {
                self.border_nodes[k] = self.border_nodes[0];
                continue;
            }
            self.name(chain, node);
            left = left & !chain;
            touches.push((node, (board.around(chain) | border) & empty));
        }
        while !left.is_empty() {
            let first = left.lowest();
            let chain = board.chain(W::bit(first), own);
            self.name(chain, first as u8);
            self.chains |= 1 << first;
            left = left & !chain;
            touches.push((first as u8, board.around(chain) & empty));
            let separate = if self.borders_join { 0 } else { self.borders };
            for k in 0..separate {
                if !(chain & board.borders[side][k]).is_empty() {
                    let ends = [first as u8, self.border_nodes[k]];
                    self.add_strong(ends, W::ZERO, Origin::Touch);
                }
            }
        }
        for (node, cells) in touches {
            for cell in cells.cells() {
                self.add_strong([node, cell as u8], W::ZERO, Origin::Touch);
            }
        }
        for a in empty.cells() {
            for b in (board.touching[a as usize] & empty).cells().filter(|&b| b > a) {
                self.add_strong([a as u8, b as u8], W::ZERO, Origin::Touch);
            }
        }
    }

    fn name(&mut self, chain: W, node: u8) {
        for cell in chain.cells() {
            self.chain_of[cell as usize] = node;
        }
    }

    /// The strong link with the smallest carrier of those that wait.
    fn next(&mut self) -> Option<u32> {
        while let Some(list) = self.waiting.get_mut(self.smallest) {
            if let Some(id) = list.pop() {
                return Some(id);
            }
            self.smallest += 1;
        }
        None
    }

    /// Puts a strong link from `x` to `z` together with all that begin at `z`.
    fn combine(&mut self, id: u32, carrier: W, z: u8, x: u8) {
        if !self.borders_join && usize::from(z) + self.borders >= self.nodes {
            return;
        }
        let (through, x_cell) = (self.cell(z), self.cell(x));
        let over_chain = self.is_chain(z);
        let mut others = self.partners[usize::from(z)] & !(1u128 << x);
        // Most would be too large between two cells.
        let least = carrier.count() + u32::from(!over_chain);
        if least > LARGEST_BETWEEN_CELLS && !self.is_chain(x) {
            others &= self.chains;
        }
        while others != 0 {
            let y = others.trailing_zeros() as u8;
            others &= others - 1;
            if !(carrier & self.cell(y)).is_empty() {
                continue;
            }
            let pair = self.pair(z, y);
            let mut at = 0;
            while let Some(&(other, other_id)) = self.strong[pair].get(at) {
                at += 1;
                if !(other & (carrier | x_cell)).is_empty() {
                    continue;
                }
                let (both, origin) = (carrier | other, Origin::And(id, other_id));
                if over_chain {
                    self.add_strong([x, y], both, origin);
                } else {
                    self.add_weak([x, y], both | through, origin);
                }
            }
        }
    }

    fn add_strong(&mut self, ends: [u8; 2], carrier: W, origin: Origin) {
        let size = carrier.count();
        let [a, b] = ends;
        let between_cells = (self.chains >> a | self.chains >> b) & 1 == 0;
        if size > LARGEST_BETWEEN_CELLS && between_cells {
            return;
        }
        let pair = self.pair(a, b);
        if self.strong[pair].iter().any(|held| (held.0 & !carrier).is_empty()) {
            return;
        }
        self.touch(pair);
        self.strong[pair].retain(|held| !(carrier & !held.0).is_empty());
        self.weak[pair].retain(|held| !(carrier & !held.0).is_empty());
        if !make_room(&mut self.strong[pair], MOST_STRONG, size) {
            return;
        }
        let id = self.all.len() as u32;
        self.all.push(Link { ends, carrier, origin });
        self.strong[pair].push((carrier, id));
        self.partners[usize::from(a)] |= 1 << b;
        self.partners[usize::from(b)] |= 1 << a;
        self.waiting[size as usize].push(id);
        self.smallest = self.smallest.min(size as usize);
    }

    fn add_weak(&mut self, ends: [u8; 2], carrier: W, origin: Origin) {
        let [a, b] = ends;
        let size = carrier.count();
        let between_cells = (self.chains >> a | self.chains >> b) & 1 == 0;
        if size > LARGEST_BETWEEN_CELLS && between_cells {
            return;
        }
        let pair = self.pair(a, b);
        let has_smaller = |list: &[Held<W>]| list.iter().any(|h| (h.0 & !carrier).is_empty());
        if has_smaller(&self.strong[pair]) || has_smaller(&self.weak[pair]) {
            return;
        }
        self.touch(pair);
        self.weak[pair].retain(|held| !(carrier & !held.0).is_empty());
        let across = usize::from(a.min(b)) + self.borders >= self.nodes;
        let most = if across { MOST_ACROSS } else { MOST_WEAK };
        if !make_room(&mut self.weak[pair], most, size) {
            return;
        }
        let id = self.all.len() as u32;
        self.all.push(Link { ends, carrier, origin });
        self.weak[pair].push((carrier, id));
        self.put_together(ends, pair);
    }

    #[inline]
    fn touch(&mut self, pair: usize) {
        if self.strong[pair].is_empty() && self.weak[pair].is_empty() {
            self.touched.push(pair);
        }
    }

    /// The rule *or* for the newest weak link of a pair.
    fn put_together(&mut self, ends: [u8; 2], pair: usize) {
        let list = &self.weak[pair];
        let common = list.iter().fold(!W::ZERO, |w, held| w & held.0);
        let Some((&(carrier, id), older)) = list.split_last() else { return };
        if !common.is_empty() || older.is_empty() {
            return;
        }
        let mut found = std::mem::take(&mut self.combined);
        found.clear();
        let mut chosen = vec![id];
        disjoint(older, (carrier, carrier), &mut chosen, &mut found);
        found.sort_by_key(|(union, _)| union.count());
        for (union, members) in found.drain(..).take(OR_RESULTS) {
            let first = self.members.len() as u32;
            self.members.extend_from_slice(&members);
            let origin = Origin::Or(first, self.members.len() as u32);
            self.add_strong(ends, union, origin);
        }
        self.combined = found;
    }

    /// The connections of all borders: the strong ones, smallest first, and the weak ones.
    pub(super) fn goals(&self) -> (Vec<Goal<W>>, Vec<Goal<W>>) {
        let (mut strong, mut weak) = (Vec::new(), Vec::new());
        match self.border_nodes[..self.borders] {
            [a, b] if a == b => strong.push(Goal { carrier: W::ZERO, parts: [0; 3], count: 0 }),
            [a, b] => {
                let pair = self.pair(a, b);
                let goal = |held: &Held<W>| Goal { carrier: held.0, parts: [held.1; 3], count: 1 };
                strong.extend(self.strong[pair].iter().map(goal));
                weak.extend(self.weak[pair].iter().map(goal));
            }
            _ => self.join_three(&mut strong, &mut weak),
        }
        strong.sort_by_key(|g| g.carrier.count());
        weak.sort_by_key(|g| g.carrier.count());
        (strong, weak)
    }

    /// Links from one cell or chain to all three borders.
    fn join_three(&self, strong: &mut Vec<Goal<W>>, weak: &mut Vec<Goal<W>>) {
        for z in 0..(self.nodes - self.borders) as u8 {
            if self.partners[usize::from(z)] == 0 {
                continue;
            }
            let (chain, cell) = (self.is_chain(z), self.cell(z));
            // At most one of the links may be weak, and only over a chain.
            for soft in 0..=if chain { self.borders } else { 0 } {
                let list = |k: usize| {
                    let pair = self.pair(z, self.border_nodes[k]);
                    if k + 1 == soft { &self.weak[pair] } else { &self.strong[pair] }
                };
                let kind = if chain && soft == 0 { &mut *strong } else { &mut *weak };
                for &(a, a_id) in list(0) {
                    for &(b, b_id) in list(1).iter().filter(|(b, _)| (*b & a).is_empty()) {
                        for &(c, c_id) in list(2).iter().filter(|(c, _)| (*c & (a | b)).is_empty())
                        {
                            let carrier = a | b | c | cell;
                            keep_least(kind, Goal { carrier, parts: [a_id, b_id, c_id], count: 3 });
                        }
                    }
                }
            }
        }
        // Weak ones without a common cell make a strong one; the caller sees that by itself.
        weak.retain(|w| !strong.iter().any(|s| (s.carrier & !w.carrier).is_empty()));
    }
}

/// Adds a goal unless one with fewer cells is there.
fn keep_least<W: Word>(goals: &mut Vec<Goal<W>>, goal: Goal<W>) {
    if goals.iter().any(|g| (g.carrier & !goal.carrier).is_empty()) {
        return;
    }
    goals.retain(|g| !(goal.carrier & !g.carrier).is_empty());
    if goals.len() < MOST_ACROSS {
        goals.push(goal);
    }
}

/// Makes room in a list that is full for something of this size, if it holds something larger.
fn make_room<W: Word>(list: &mut Vec<Held<W>>, most: usize, size: u32) -> bool {
    if list.len() < most {
        return true;
    }
    let sizes = list.iter().enumerate().map(|(i, held)| (held.0.count(), i));
    match sizes.max() {
        Some((largest, i)) if largest > size => {
            list.swap_remove(i);
            true
        }
        _ => false,
    }
}

/// Sets of weak links that have no cell in common, each a step closer to that.
fn disjoint<W: Word>(
    list: &[Held<W>],
    (common, union): (W, W),
    chosen: &mut Vec<u32>,
    found: &mut Vec<(W, Vec<u32>)>,
) {
    for (i, &(carrier, id)) in list.iter().enumerate() {
        if found.len() >= OR_TRIES {
            return;
        }
        let rest = common & carrier;
        if rest == common {
            continue;
        }
        chosen.push(id);
        if rest.is_empty() {
            found.push((union | carrier, chosen.clone()));
        } else if chosen.len() < OR_WIDTH {
            disjoint(&list[i + 1..], (rest, union | carrier), chosen, found);
        }
        chosen.pop();
    }
}

impl<W: Word> Links<W> {
    /// A move that makes a weak connection of all borders a strong one.
    pub(super) fn key_of(&self, goal: &Goal<W>) -> u32 {
        let parts = &goal.parts[..goal.count];
        let links = parts.iter().map(|&part| &self.all[part as usize]);
        let own = links.clone().find_map(|link| match link.origin {
            Origin::And(a, b) => {
                let [a, b] = [a, b].map(|id| self.all[id as usize].ends);
                let shared = a.into_iter().find(|end| b.contains(end) && !self.is_chain(*end));
                shared.map(u32::from)
            }
            Origin::Touch | Origin::Or(..) => None,
        });
        // Links of one cell to all borders: the cell itself.
        let cells = links.flat_map(|link| link.ends).find(|&end| !self.is_chain(end));
        let joined = cells.map(u32::from).filter(|_| goal.count > 1);
        joined.or(own).unwrap_or_else(|| goal.carrier.lowest())
    }

    /// The nodes that have strong links, with those that they have them to.
    pub(super) fn linked(&self) -> Vec<(u8, u128)> {
        let nodes = self.partners.iter().enumerate();
        nodes.filter(|(_, set)| **set != 0).map(|(node, &set)| (node as u8, set)).collect()
    }

    /// The border that a node is, or is joined to.
    pub(super) fn border_of(&self, node: u8) -> Option<usize> {
        self.border_nodes[..self.borders].iter().position(|&border| border == node)
    }

    /// How a node is written: a cell of its chain, or a border.
    pub(super) fn name_of(&self, node: u8, name: &dyn Fn(u32) -> String) -> String {
        match usize::from(node).checked_sub(self.nodes - self.borders) {
            Some(border) => format!("@{}", border + 1),
            None => name(u32::from(node)),
        }
    }
}
