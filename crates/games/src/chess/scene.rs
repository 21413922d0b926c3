//! The picture of a chess position.

use cozy_chess::{Color, Piece, Square};
use foregone_model::Scene;
use foregone_model::scene::{Glyph, Paint};

use super::{Chess, State};
use crate::board::Grid;

impl Chess {
    /// A picture of a position. The solid figures are drawn for both sides, so that they look alike
    /// but for their colour.
    pub(super) fn scene(&self, s: &State) -> Scene {
        Grid::<u64>::new(8, 8).checkered(|cell| {
            let square = Square::index(cell as usize);
            let figure = match s.0.piece_on(square)? {
                Piece::King => "♚",
                Piece::Queen => "♛",
                Piece::Rook => "♜",
                Piece::Bishop => "♝",
                Piece::Knight => "♞",
                Piece::Pawn => "♟",
            };
            let white = s.0.color_on(square) == Some(Color::White);
            let paint = if white { Paint::White } else { Paint::Black };
            Some((Glyph::Figure(figure.to_owned()), paint))
        })
    }
}
