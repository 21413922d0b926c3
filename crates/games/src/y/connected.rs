//! What Y knows of connections: its board as a graph.

use super::Y;
use crate::board::Word;
use crate::connection::{Board, Connections};

impl<W: Word> Y<W> {
    /// What is known of connections on this board.
    pub(super) fn connections(&self) -> &Connections<W> {
        self.connections.get_or_init(|| Connections::new(self.graph()))
    }

    /// The cells, which of them touch, and the three borders, which are both players'.
    fn graph(&self) -> Board<W> {
        let side = self.side;
        let cell = |row: i32, place: i32| -> W {
            let inside = (0..side as i32).contains(&row) && (0..=row).contains(&place);
            if inside { W::bit(row as u32 * side + place as u32) } else { W::ZERO }
        };
        let around = [(0, 1), (0, -1), (-1, -1), (-1, 0), (1, 0), (1, 1)];
        let touching = (0..side * side).map(|at| {
            let (row, place) = ((at / side) as i32, (at % side) as i32);
            around.iter().fold(W::ZERO, |w, (dr, dp)| w | cell(row + dr, place + dp))
        });
        let line = |of: &dyn Fn(i32) -> W| (0..side as i32).fold(W::ZERO, |w, i| w | of(i));
        let last = side as i32 - 1;
        let borders = vec![line(&|i| cell(i, 0)), line(&|i| cell(i, i)), line(&|i| cell(last, i))];
        // The cells first on which most hangs.
        let influence = super::reduction::influence(side, W::ZERO, W::ZERO);
        let mut order: Vec<u8> = self.full.cells().map(|cell| cell as u8).collect();
        let weight = |&at: &u8| {
            let place = super::reduction::place(side, u32::from(at));
            (influence[place] * -4096.0) as i32
        };
        order.sort_by_key(weight);
        Board {
            size: side * side,
            full: self.full,
            touching: touching.collect(),
            borders: [borders.clone(), borders],
            order,
        }
    }
}
