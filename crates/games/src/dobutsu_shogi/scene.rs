//! The picture of a position.

use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{Notation as _, Side};

use super::notation::{grid, letter};
use super::{DobutsuShogi, HELD, State};

impl DobutsuShogi {
    /// A picture of a position. What both hold stands below it.
    pub(super) fn scene(&self, s: &State) -> Scene {
        let mut scene = grid().squares(|cell| {
            let piece = s.board[cell as usize]?;
            let paint = if piece.side == Side::Max { Paint::Blue } else { Paint::Red };
            Some((Glyph::Figure(letter(piece.kind).to_string()), paint))
        });
        for (player, hand) in self.players().into_iter().zip(s.hands) {
            let held = HELD.into_iter().zip(hand);
            let held: String =
                held.map(|(kind, n)| letter(kind).to_string().repeat(n.into())).collect();
            if !held.is_empty() {
                scene.notes.push(format!("{player} holds {held}"));
            }
        }
        scene
    }
}
