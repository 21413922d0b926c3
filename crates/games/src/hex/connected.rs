//! What Hex knows of connections: its board as a graph.

use super::Hex;
use crate::board::Word;
use crate::connection::{Board, Connections};

impl<W: Word> Hex<W> {
    /// What is known of connections on this board.
    pub(super) fn connections(&self) -> &Connections<W> {
        self.connections.get_or_init(|| Connections::new(self.graph()))
    }

    /// The cells, which of them touch, and the borders of Red and Blue.
    fn graph(&self) -> Board<W> {
        let cells = self.size * self.size;
        let touching = (0..cells).map(|cell| self.touching(W::bit(cell))).collect();
        let mut order: Vec<u8> = (0..cells as u8).collect();
        order.sort_by_key(|&cell| -self.nearness[usize::from(cell)]);
        let borders = [0, 1].map(|side| vec![self.from[side], self.goal[side]]);
        Board { size: cells, full: self.full, touching, borders, order }
    }
}
