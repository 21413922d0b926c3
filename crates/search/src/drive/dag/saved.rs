//! A graph written down and read back.

use std::io;

use foregone_model::Space;
use foregone_model::stored::Stored;

use super::{At, DEAD, Edge, Link, NONE, Node, Search};
use crate::chunks::{Chunks, Runs};
use crate::leaves::Leaves;
use crate::report::{RootMove, StopReason, View};
use crate::saved::{Reader, Writer};
use crate::scheme::Scheme;
use crate::table::Index;

/// A search and what values its leaves: what a watch sees while it runs.
pub(super) struct Running<'a, 'b, Sp: Space, S: Scheme> {
    pub(super) search: &'a Search<'b, Sp, S>,
    pub(super) leaves: &'a Leaves,
}

impl<Sp: Space, S: Scheme> View<Sp::Step> for Running<'_, '_, Sp, S> {
    fn bounds(&self) -> (foregone_model::Outcome, foregone_model::Outcome) {
        View::bounds(self.search)
    }

    fn root_text(&self) -> String {
        self.search.root_text()
    }

    fn line(&self) -> Vec<Sp::Step> {
        View::line(self.search)
    }

    fn root_moves(&self) -> Vec<RootMove<Sp::Step>> {
        self.search.root_moves()
    }

    fn save(&self, out: &mut Writer<'_>) -> io::Result<bool> {
        if !self.search.space.stores() {
            return Ok(false);
        }
        out.put(&None::<StopReason>)?;
        self.leaves.save(out)?;
        self.search.save_to(out)?;
        Ok(true)
    }
}

/// A search that is over, and whose proof is made.
pub(super) struct Over<'a, 'b, Sp: Space, S: Scheme> {
    pub(super) search: &'a Search<'b, Sp, S>,
    pub(super) stop: StopReason,
}

impl<Sp: Space, S: Scheme> View<Sp::Step> for Over<'_, '_, Sp, S> {
    fn bounds(&self) -> (foregone_model::Outcome, foregone_model::Outcome) {
        View::bounds(self.search)
    }

    fn root_text(&self) -> String {
        "proof".to_owned()
    }

    fn line(&self) -> Vec<Sp::Step> {
        Vec::new()
    }

    fn root_moves(&self) -> Vec<RootMove<Sp::Step>> {
        Vec::new()
    }

    fn save(&self, out: &mut Writer<'_>) -> io::Result<bool> {
        if !self.search.space.stores() {
            return Ok(false);
        }
        out.put(&Some(self.stop))?;
        self.search.save_to(out)?;
        Ok(true)
    }
}

impl<Sp: Space, S: Scheme> Search<'_, Sp, S> {
    /// Writes the graph down, between two expansions.
    fn save_to(&self, out: &mut Writer<'_>) -> io::Result<()> {
        out.put(&self.counts)?;
        out.put(&(self.focus, self.proved))?;
        out.put(&self.closed)?;
        out.put(&self.nodes.len())?;
        for (at, node) in (0u32..).zip(self.nodes.iter()) {
            let bytes = out.room()?;
            (node.first, node.packed, node.level, node.parents).store(bytes);
            (node.proved, node.place).store(bytes);
            self.values.row(at).iter().for_each(|value| value.store(bytes));
            self.space.store_state(&self.states[at], bytes);
        }
        out.put(&self.edges.pieces().len())?;
        for piece in self.edges.pieces() {
            out.put(&piece.len())?;
            for edge in piece {
                let bytes = out.room()?;
                edge.child.store(bytes);
                self.space.store_step(edge.step, bytes);
            }
        }
        out.put(&self.links.len())?;
        for link in self.links.iter() {
            out.put(&(link.parent, link.next))?;
        }
        out.put(&self.path.len())?;
        for at in &self.path {
            out.put(&(at.node, at.dead))?;
        }
        out.put(&self.dead)?;
        out.put(&self.index.places())
    }

    /// Goes on from what was written down: why it stopped, if the search is over. Nothing if that is
    /// damaged.
    pub(super) fn restore_from(
        &mut self,
        from: &mut Reader<'_>,
        leaves: &mut Leaves,
    ) -> Option<Option<StopReason>> {
        let over = from.get::<Option<StopReason>>()?;
        if over.is_none() {
            leaves.restore(from)?;
        }
        self.counts = from.get()?;
        (self.focus, self.proved) = from.get()?;
        self.closed = from.get()?;
        self.restore_nodes(from)?;
        self.edges = Runs::new();
        for piece in 0..from.get::<usize>()? {
            if piece > 0 {
                self.edges.add(None);
            }
            for _ in 0..from.get::<usize>()? {
                let child = from.get()?;
                let step = from.next(|bytes| self.space.restore_step(bytes))?;
                self.edges.add(Some(Edge { child, step }));
            }
        }
        self.links = Chunks::new();
        for _ in 0..from.count(NONE as usize)? {
            let (parent, next) = from.get()?;
            self.links.push(Link { parent, next });
        }
        self.path.clear();
        for _ in 0..from.count(self.nodes.len())? {
            let (node, dead) = from.get()?;
            self.path.push(At { node, dead });
        }
        self.dead = from.get()?;
        self.index = Index::of(from.get()?, &self.states)?;
        self.looks_right(over.is_some()).then_some(over)
    }

    fn restore_nodes(&mut self, from: &mut Reader<'_>) -> Option<()> {
        self.nodes = Chunks::new();
        self.values = Chunks::of_width(self.width);
        self.states = Chunks::new();
        for _ in 0..from.count(DEAD as usize)? {
            let (first, packed, level, parents) = from.get()?;
            let (proved, place) = from.get()?;
            self.nodes.push(Node { first, packed, level, parents, proved, place });
            self.row.clear();
            for _ in 0..self.width {
                self.row.push(from.get()?);
            }
            self.values.push_row(self.row.drain(..));
            self.states.push(from.next(|bytes| self.space.restore_state(bytes))?);
        }
        Some(())
    }

    /// Whether all numbers are those of something that is there.
    fn looks_right(&self, over: bool) -> bool {
        let nodes = self.nodes.len();
        let is_node = |number: u32| (number as usize) < nodes;
        let links = self.links.len();
        // Links lead to older ones.
        let link_fits = |(at, link): (usize, &Link)| {
            is_node(link.parent) && (link.next == NONE || (link.next as usize) < at)
        };
        let fits = |node: &Node| {
            let edges = self.edges.find(node.first, node.count());
            (node.count() == 0 || edges.is_some_and(|all| all.iter().all(|e| is_node(e.child))))
                && (over || node.parents == NONE || (node.parents as usize) < links)
        };
        let root = self.space.key(&self.space.root());
        nodes > 0
            && self.states[0] == root
            && self.focus < self.width
            && (self.closed.is_empty() || self.closed.len() == self.width)
            && self.nodes.iter().all(fits)
            && self.links.iter().enumerate().all(link_fits)
            && self.path.first().is_some_and(|at| at.node == 0)
            && self.path.iter().all(|at| is_node(at.node) && at.dead as usize <= self.dead.len())
            && self.dead.iter().all(|&node| is_node(node))
    }
}
