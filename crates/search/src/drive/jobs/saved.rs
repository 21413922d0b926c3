//! The outer tree of a job-level search, written down and read back.
//!
//! The rules say what stands behind a leaf, so only the leaves that were expanded are written, in their order,
//! and what is known of each node. Jobs that were under way are handed out again.

use std::io;

use foregone_model::{Outcome, Space};

use super::outer::Outer;
use crate::saved::{Reader, Writer};
use crate::scheme::Scheme;

impl<Sp: Space> Outer<'_, Sp> {
    /// Whether it can be written: proofs that came with results are not.
    pub(super) fn saves(&self) -> bool {
        self.space.stores() && self.nodes.iter().all(|node| node.parts.is_empty())
    }

    pub(super) fn save(&self, out: &mut Writer<'_>) -> io::Result<()> {
        let mut expanded: Vec<u32> = (0..self.nodes.len() as u32).collect();
        expanded.retain(|&at| self.nodes[at as usize].count > 0);
        expanded.sort_by_key(|&at| self.nodes[at as usize].first);
        out.put(&self.expansions)?;
        out.put(&expanded.len())?;
        expanded.iter().try_for_each(|leaf| out.put(leaf))?;
        for (at, node) in self.nodes.iter().enumerate() {
            out.put(&node.proved)?;
            for value in &self.values[self.row(at as u32)] {
                out.put(value)?;
            }
        }
        Ok(())
    }

    /// Grows this tree, of a root and its children, to what was written down. Nothing if that is damaged.
    pub(crate) fn restore(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let expansions = from.get()?;
        for number in 0..from.count(u32::MAX as usize)? {
            let leaf = from.get::<u32>()?;
            if number == 0 {
                // The root has its children already.
                (leaf == 0).then_some(())?;
                continue;
            }
            self.open_leaf(leaf)?;
            let open = self.scheme.of_chance(0.5);
            self.grow(leaf, &|_| None, &mut |_, _, _, _| open);
        }
        self.expansions = expansions;
        for at in 0..self.nodes.len() {
            let (low, high) = from.get::<(Outcome, Outcome)>()?;
            (low <= high && high <= self.best).then_some(())?;
            self.nodes[at].proved = (low, high);
            for i in self.row(at as u32) {
                let value = from.get()?;
                (self.values[i], self.seen[i]) = (value, value);
            }
        }
        Some(())
    }
}
