//! A tree written down and read back.
//!
//! Nodes are written as they lie in the arena. The states of the path are not: its steps lead to them.

use std::io;

use foregone_model::{Look, Outcome, Space};

use super::{At, Node, Search, WIDE};
use crate::saved::{Reader, Writer};
use crate::scheme::Scheme;

impl<Sp: Space, S: Scheme, const K: usize> Search<'_, Sp, S, K> {
    /// Writes the search down. False if the space, or what is around the tree, can't be written.
    pub(super) fn save_to(&self, out: &mut Writer<'_>) -> io::Result<bool> {
        if !self.space.stores() || self.nest.as_ref().is_some_and(|nest| !nest.saves()) {
            return Ok(false);
        }
        out.put(&self.counts)?;
        self.leaves.save(out)?;
        out.put(&self.nodes.len())?;
        let width = self.width();
        for (node, values) in self.nodes.iter().zip(self.values.chunks_exact(width)) {
            let bytes = out.room()?;
            bytes.extend_from_slice(&node.first.to_le_bytes());
            bytes.extend_from_slice(&node.packed.to_le_bytes());
            self.space.store_step(node.step, bytes);
            values.iter().for_each(|value| foregone_model::stored::Stored::store(value, bytes));
        }
        out.put(&self.path.len())?;
        for at in &self.path {
            out.put(&(at.node, at.low, at.high))?;
        }
        if let Some(nest) = &self.nest {
            nest.save(self.space, out)?;
        }
        Ok(true)
    }

    /// Goes on from what was written down. Nothing if that is damaged.
    pub(super) fn restore_from(&mut self, from: &mut Reader<'_>) -> Option<()> {
        self.counts = from.get()?;
        self.leaves.restore(from)?;
        let count = from.count(u32::MAX as usize)?;
        let width = self.width();
        self.nodes.clear();
        self.values.clear();
        for _ in 0..count {
            let (first, packed) = from.get()?;
            let step = from.next(|bytes| self.space.restore_step(bytes))?;
            self.nodes.push(Node { first, packed, step });
            for _ in 0..width {
                self.values.push(from.get()?);
            }
        }
        self.looks_right().then_some(())?;
        self.restore_path(from)?;
        match &mut self.nest {
            Some(nest) => nest.restore(self.space, from),
            None => Some(()),
        }
    }

    /// Whether children lie behind their parents, and inside the arena.
    fn looks_right(&self) -> bool {
        let inside = |(at, node): (usize, &Node<Sp::Step>)| {
            let (first, count) = (node.first as usize, usize::from(node.packed >> 1));
            let count = match count {
                0 => return true,
                WIDE => match self.nodes.get(first) {
                    Some(counts) => 1 + counts.first as usize,
                    None => return false,
                },
                count => count,
            };
            first > at && first + count <= self.nodes.len()
        };
        !self.nodes.is_empty() && self.nodes.iter().enumerate().all(inside)
    }

    /// The path, whose states are found by playing its steps.
    fn restore_path(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let length = from.count(self.nodes.len())?;
        let mut state = self.space.root();
        self.path.clear();
        let mut steps = Vec::new();
        for place in 0..length {
            let (node, low, high) = from.get::<(u32, Outcome, Outcome)>()?;
            match self.path.last() {
                None if node != 0 => return None,
                None => {}
                Some(parent) => {
                    let parent = parent.node as usize;
                    if !self.children(parent).contains(&(node as usize)) {
                        return None;
                    }
                    let looked = match place {
                        1 => self.space.look_at_root(&state),
                        _ => self.space.look(&state),
                    };
                    let (side, step) = (self.nodes[parent].side(), self.nodes[node as usize].step);
                    if looked != Look::Choice(side) {
                        return None;
                    }
                    steps.clear();
                    self.space.steps(&state, side, &mut steps);
                    if !steps.contains(&step) {
                        return None;
                    }
                    self.space.take(&mut state, side, step);
                }
            }
            self.path.push(At { node, state: state.clone(), low, high });
        }
        (length > 0).then_some(())
    }
}
