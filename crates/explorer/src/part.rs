//! The upper part of a proof as a list of claims, to be drawn.

use crate::data::{NodeKind, PartKind, PartNode};

/// Drawing goes down by recursion, so a part is not deeper than this.
const DEEPEST: u32 = 400;

/// A list that grows in pre-order.
pub(crate) struct Sketch {
    pub(crate) nodes: Vec<PartNode>,
    deepest: u32,
    most: usize,
}

impl Sketch {
    pub(crate) fn new(depth: u32, most: usize) -> Sketch {
        Sketch { nodes: Vec::new(), deepest: depth.min(DEEPEST), most: most.max(1) }
    }

    /// Whether a claim at this depth is left out.
    pub(crate) fn is_full(&self, depth: u32) -> bool {
        depth > self.deepest || self.nodes.len() >= self.most
    }

    /// Leaves claims out. Neighbours that are left out are left out together.
    pub(crate) fn cut(&mut self, parent: Option<usize>, depth: u32, text: String, claims: u64) {
        match self.nodes.last_mut() {
            Some(PartNode { parent: same, kind: PartKind::Cut(n), .. }) if *same == parent => {
                *n += claims;
            }
            _ => self.add(parent, depth, text, PartKind::Cut(claims)),
        }
    }

    pub(crate) fn reference(
        &mut self,
        parent: Option<usize>,
        depth: u32,
        text: String,
        again: bool,
    ) {
        let kind = if again { PartKind::Again } else { PartKind::AsBefore };
        self.add(parent, depth, text, kind);
    }

    /// Adds a claim; its place.
    pub(crate) fn claim(
        &mut self,
        parent: Option<usize>,
        depth: u32,
        text: String,
        kind: NodeKind,
    ) -> usize {
        let kind = match kind {
            NodeKind::Plays => PartKind::Plays,
            NodeKind::Over => PartKind::Over,
            NodeKind::Known => PartKind::Known,
            NodeKind::Same => PartKind::AsBefore,
            NodeKind::Replies
            | NodeKind::Mixes
            | NodeKind::Chance
            | NodeKind::Opponent
            | NodeKind::NotCovered => PartKind::Replies,
        };
        self.add(parent, depth, text, kind);
        self.nodes.len() - 1
    }

    fn add(&mut self, parent: Option<usize>, depth: u32, text: String, kind: PartKind) {
        self.nodes.push(PartNode { parent, depth, text, kind });
    }
}
