//! What a tree gives back when memory runs out.

use foregone_model::{Outcome, Side, Space};

use super::Search;
use crate::scheme::Scheme;

/// The first child of a node whose children were given back.
const GIVEN_BACK: u32 = u32::MAX;

impl<Sp: Space, S: Scheme, const K: usize> Search<'_, Sp, S, K> {
    /// Gives back what cannot matter any more: below nodes that are solved or that lie outside
    /// the relevancy bounds nothing is kept but the proofs of their bounds.
    pub(super) fn collect(&mut self) {
        // Step 1: the nodes to keep. Those whose children are not kept become leaves.
        // A bit a node: this runs when memory is short.
        let mut keep = vec![0u64; self.nodes.len().div_ceil(64)];
        keep[0] = 1;
        let root = self.bounds(0);
        let mut todo = vec![(0usize, root, true)];
        while let Some((at, (low, high), relevant)) = todo.pop() {
            let node = self.nodes[at];
            if node.is_leaf() {
                continue;
            }
            let (own_low, own_high) = self.bounds(at);
            let relevant = relevant && own_low < own_high && low < high;
            // What proves the bounds of a node: of the side that chooses one child, of the other
            // side all.
            let (for_one, for_all) = match node.side() {
                Side::Max => (own_low > Outcome(0), own_high < self.best),
                Side::Min => (own_high < self.best, own_low > Outcome(0)),
            };
            if !relevant && !for_one && !for_all {
                self.give_back(at);
                continue;
            }
            let mut one = for_one;
            let children = self.children(at);
            // It may have a node that counts them.
            keep[node.first as usize / 64] |= 1 << (node.first % 64);
            for child in children {
                keep[child / 64] |= 1 << (child % 64);
                let (child_low, child_high) = self.bounds(child);
                let proves = match node.side() {
                    Side::Max => child_low >= own_low,
                    Side::Min => child_high <= own_high,
                };
                let needed = relevant || for_all || (one && proves && self.backed(child));
                if needed {
                    one &= !proves;
                    todo.push((child, (low.max(child_low), high.min(child_high)), relevant));
                } else {
                    self.give_back(child);
                }
            }
        }
        // Step 2: they move together. Children lie behind their parents, so places are known
        // before they are needed.
        let mut before = Vec::with_capacity(keep.len());
        let mut next = 0u32;
        for word in &keep {
            before.push(next);
            next += word.count_ones();
        }
        let kept = |at: usize| keep[at / 64] >> (at % 64) & 1 == 1;
        let place =
            |at: usize| before[at / 64] + (keep[at / 64] & ((1 << (at % 64)) - 1)).count_ones();
        let width = self.width();
        for at in 0..self.nodes.len() {
            if kept(at) {
                let to = place(at) as usize;
                let mut node = self.nodes[at];
                if !node.is_leaf() {
                    node.first = place(node.first as usize);
                }
                self.nodes[to] = node;
                self.values.copy_within(at * width..(at + 1) * width, to * width);
            }
        }
        self.nodes.truncate(next as usize);
        self.values.truncate(next as usize * width);
        self.back_to_root();
    }

    /// Makes a leaf of a node that is never expanded again.
    fn give_back(&mut self, at: usize) {
        let node = &mut self.nodes[at];
        if !node.is_leaf() {
            (node.packed, node.first) = (node.side().index() as u16, GIVEN_BACK);
        }
    }

    /// Whether what is known of a node can be shown: it was known at once, or has children to
    /// show it by.
    pub(super) fn backed(&self, node: usize) -> bool {
        self.nodes[node].first != GIVEN_BACK
    }
}
