//! One new node a playout, for schemes that want it (`expand=one`).
//!
//! The first expansion of a leaf makes room for all its children. They are unseen until a playout gets
//! there, and count as nodes only then.

use foregone_model::{Look, Side, Space};

use super::{At, Node, Search, WIDE, narrowed};
use crate::scheme::Scheme;

impl<Sp: Space, S: Scheme, const K: usize> Search<'_, Sp, S, K> {
    /// Looks at one more position, below the leaf at the end of the path, and counts its playout all
    /// the way up.
    pub(super) fn add_one(&mut self) {
        let leaf = self.path[self.path.len() - 1].node as usize;
        if !self.scheme.is_unseen(self.values_of(leaf)[0]) {
            self.make_children(leaf);
            self.descend();
        }
        self.see();
        self.count_up();
    }

    /// Gives a leaf children of which nothing is known.
    fn make_children(&mut self, leaf: usize) {
        let side = self.nodes[leaf].side();
        self.steps.clear();
        self.space.steps(&self.path[self.path.len() - 1].state, side, &mut self.steps);
        let (width, count) = (self.width(), self.steps.len());
        let first = self.nodes.len();
        let unseen = self.scheme.unseen();
        if count >= WIDE {
            // A node that only counts, as in `grow`.
            self.nodes.push(Node { first: count as u32, ..Node::leaf(side, self.steps[0]) });
            self.values.extend(std::iter::repeat_n(unseen, width));
        }
        for i in 0..count {
            // Who chooses there is not known yet.
            self.nodes.push(Node::leaf(Side::Max, self.steps[i]));
            self.values.extend(std::iter::repeat_n(unseen, width));
        }
        let node = &mut self.nodes[leaf];
        node.first = first as u32;
        node.packed = (count.min(WIDE) as u16) << 1 | side.index() as u16;
        self.counts.expansions += 1;
    }

    /// Gives the child at the end of the path its value.
    fn see(&mut self) {
        let (end, width) = (self.path.len() - 1, self.width());
        self.lead_to(end);
        let At { node, ref state, .. } = self.path[end];
        let (node, state) = (node as usize, state.clone());
        let path = &self.path;
        let repeated = (self.space.repeats()
            && self.on_path.find(&state, end, |at| &path[at].state).is_some())
        .then(|| self.space.repetition(&state));
        match (repeated, self.space.look(&state)) {
            (Some(o), _) | (None, Look::Over(o)) => {
                for at in 0..width {
                    self.values[node * width + at] = self.scheme.solved_at(o, at);
                }
            }
            (None, Look::Choice(side)) => {
                let (low, high) = self.space.bounds(&state);
                for at in 0..width {
                    let value = self.leaves.value(self.scheme, self.space, &state, side, at);
                    self.values[node * width + at] = narrowed(self.scheme, value, at, low, high);
                }
                self.nodes[node].packed = side.index() as u16;
            }
        }
        self.counts.nodes += 1;
    }

    /// Counts the playout of the node at the end of the path for all nodes above it.
    fn count_up(&mut self) {
        let (end, width) = (self.path.len() - 1, self.width());
        let played = self.path[end].node as usize * width;
        while self.path.len() > 1 {
            self.up();
            let node = self.path[self.path.len() - 1].node as usize;
            let before = node * width;
            for i in 0..width {
                let old = self.values[before + i];
                let children = self.children(node);
                let values = &self.values[children.start * width..children.end * width];
                let side = self.nodes[node].side();
                let proved = self.updated(0, side, values[i..].iter().step_by(width).copied());
                let played = self.values[played + i];
                self.values[before + i] = self.scheme.counted(old, proved, played);
            }
        }
        self.find_focus();
    }
}
