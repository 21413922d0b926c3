//! What goes round in circles, where it depends on the position what endless play is worth.
//!
//! When no leaf is left to expand, everything that a side can force to its end is solved. An open node
//! then has open children, and those of a component that no other open node follows can only go round
//! in it. They are worth what a repetition there is worth, and what leads to them may be solved then.

use foregone_model::Space;

use super::{NONE, Search};
use crate::components::components;
use crate::scheme::Scheme;

impl<Sp: Space, S: Scheme> Search<'_, Sp, S> {
    /// Solves nodes that go round in circles, and what follows from it. False if all open nodes are
    /// worth the same, so that there is nothing to tell apart. The path has the root alone.
    pub(super) fn settle_circles(&mut self) -> bool {
        let open_children = |node: u32, out: &mut Vec<u32>| {
            let children = self.edges_of(node).iter().map(|edge| edge.child);
            out.extend(children.filter(|&child| self.open(child)));
        };
        let all = components(self.nodes.len(), self.open(0).then_some(0), open_children);
        let worth = |node: &u32| self.space.repetition(&self.states[*node]);
        let mut worths = all.iter().flatten().map(worth);
        let first = worths.next();
        if worths.all(|o| Some(o) == first) {
            return false;
        }
        let mut component = vec![0; self.nodes.len()];
        for (at, nodes) in (1..).zip(&all) {
            nodes.iter().for_each(|&node| component[node as usize] = at);
        }
        let mut children = Vec::new();
        let mut last = |nodes: &Vec<u32>| {
            nodes.iter().all(|&node| {
                children.clear();
                open_children(node, &mut children);
                let own = component[node as usize];
                !children.is_empty()
                    && children.iter().all(|&child| component[child as usize] == own)
            })
        };
        let circles: Vec<u32> = all.iter().filter(|nodes| last(nodes)).flatten().copied().collect();
        for &node in &circles {
            self.solve_as_repeated(node);
        }
        self.propagate(true);
        !circles.is_empty()
    }

    /// Gives a node what a repetition is worth in the question at hand, within what is known of it.
    fn solve_as_repeated(&mut self, node: u32) {
        let (at, before) = (self.focus, self.bounds(node));
        let mut outcome = self.space.repetition(&self.states[node]);
        if self.scheme.many() {
            outcome = outcome.clamp(before.0, before.1);
        }
        self.values.row_mut(node)[at] = self.scheme.solved_at(outcome, at);
        let after = self.bounds(node);
        self.proved += 1;
        if before.0 != after.0 {
            self.nodes[node].proved[0] = self.proved;
        }
        if before.1 != after.1 {
            self.nodes[node].proved[1] = self.proved;
        }
        let mut link = self.nodes[node].parents;
        while link != NONE {
            let parent = self.links[link];
            self.enqueue(parent.parent);
            link = parent.next;
        }
    }
}
