//! Graphs: one node a position, found by a hash, and the edges that lead to each.

use std::hash::Hash;

use crate::chunks::Chunks;
use crate::table::Index;

use super::NONE;

/// What a graph has beyond a tree.
pub(super) struct Links<K> {
    /// The position of each node.
    positions: Chunks<K>,
    index: Index,
    nodes: Vec<In>,
    edges: Vec<From>,
}

#[derive(Clone, Copy)]
struct In {
    /// One of the edges that lead here.
    first: u32,
    /// More than that of every node with an edge to this one.
    level: u32,
    /// The playout that was here last, by number.
    visited: u64,
}

#[derive(Clone, Copy)]
struct From {
    node: u32,
    /// Another edge that leads to the same node.
    next: u32,
}

impl<K: Clone + Eq + Hash> Links<K> {
    pub(super) fn new() -> Links<K> {
        Links {
            positions: Chunks::new(),
            index: Index::new(),
            nodes: Vec::new(),
            edges: Vec::new(),
        }
    }

    /// The node of a position.
    #[inline]
    pub(super) fn find(&self, position: &K) -> Option<u32> {
        self.index.find(Index::hash(position), |node| self.positions.at(node, 0) == position)
    }

    /// Adds the node that comes next.
    pub(super) fn add_node(&mut self, position: K, level: u32) {
        self.index.reserve(self.positions.len() + 1, &self.positions);
        self.index.add(Index::hash(&position), self.positions.len() as u32);
        self.positions.push(position);
        self.nodes.push(In { first: NONE, level, visited: 0 });
    }

    /// Adds the edge that comes next, which begins at this node.
    pub(super) fn add_edge(&mut self, from: u32) {
        self.edges.push(From { node: from, next: NONE });
    }

    /// Gives an edge its end.
    pub(super) fn link(&mut self, edge: u32, to: u32) {
        self.edges[edge as usize].next = self.nodes[to as usize].first;
        self.nodes[to as usize].first = edge;
    }

    #[inline]
    pub(super) fn level(&self, node: u32) -> u32 {
        self.nodes[node as usize].level
    }

    #[inline]
    pub(super) fn origin(&self, edge: u32) -> u32 {
        self.edges[edge as usize].node
    }

    /// The edges that lead to a node.
    pub(super) fn edges_into(&self, node: u32) -> impl Iterator<Item = u32> {
        let some = |edge: u32| (edge != NONE).then_some(edge);
        std::iter::successors(some(self.nodes[node as usize].first), move |&edge| {
            some(self.edges[edge as usize].next)
        })
    }

    /// Puts a node at this level or a deeper one, and everything below it accordingly.
    pub(super) fn raise(&mut self, node: u32, level: u32, children: impl Fn(u32, &mut Vec<u32>)) {
        if self.nodes[node as usize].level >= level {
            return;
        }
        self.nodes[node as usize].level = level;
        let mut open = vec![node];
        let mut ends = Vec::new();
        while let Some(node) = open.pop() {
            let level = self.level(node) + 1;
            ends.clear();
            children(node, &mut ends);
            for &end in &ends {
                if self.level(end) < level {
                    self.nodes[end as usize].level = level;
                    open.push(end);
                }
            }
        }
    }

    /// Says that a playout has been at a node; whether it was there for the first time. Playouts
    /// count from 1.
    pub(super) fn visit(&mut self, node: u32, playout: u64) -> bool {
        std::mem::replace(&mut self.nodes[node as usize].visited, playout) != playout
    }

    /// Keeps these nodes, in this order, without their edges.
    pub(super) fn keep(&mut self, kept: &[u32]) {
        let mut links = Links::new();
        for &node in kept {
            links.add_node(self.positions.at(node, 0).clone(), self.level(node));
        }
        *self = links;
    }

    pub(super) const BYTES_OF_NODE: usize = size_of::<In>() + size_of::<K>();
    pub(super) const BYTES_OF_EDGE: usize = size_of::<From>();

    pub(super) fn bytes_of_index(&self) -> u64 {
        self.index.bytes()
    }

    /// The same once there are so many nodes.
    pub(super) fn bytes_of_index_of(&self, nodes: usize) -> u64 {
        self.index.bytes() + self.index.growth(nodes)
    }
}
