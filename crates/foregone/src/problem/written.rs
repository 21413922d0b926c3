//! Moves of chess in the notations that people like: what an answer holds, coordinates and Standard
//! Algebraic Notation, has all that is needed.

use super::Ply;

/// How moves are written for people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// As people who know the game write them: in chess Standard Algebraic Notation.
    #[default]
    San,
    /// The same with pictures of the pieces.
    Figurine,
    /// Long algebraic notation: `Ng1-f3`.
    Long,
    /// As certificates have them.
    Coordinates,
}

const LETTERS: [(char, char); 5] = [('K', '♔'), ('Q', '♕'), ('R', '♖'), ('B', '♗'), ('N', '♘')];

impl Ply {
    /// The move in a style. Games that have one text for a move have it in every style.
    pub fn written(&self, style: Style) -> String {
        let Some(san) = &self.san else { return self.text.clone() };
        match style {
            Style::Coordinates => self.text.clone(),
            Style::San => san.clone(),
            Style::Figurine => {
                let sign = |c: char| LETTERS.iter().find(|l| l.0 == c).map_or(c, |l| l.1);
                san.chars().map(sign).collect()
            }
            Style::Long => self.long(san),
        }
    }

    /// Long algebraic notation: the coordinates say where from and where to, the rest is in the short
    /// form.
    fn long(&self, san: &str) -> String {
        let (Some(from), Some(to)) = (self.text.get(..2), self.text.get(2..4)) else {
            return san.to_owned();
        };
        if san.starts_with('O') {
            return san.to_owned();
        }
        let piece = san.chars().next().filter(|c| LETTERS.iter().any(|l| l.0 == *c));
        let sign = if san.contains('x') { 'x' } else { '-' };
        // What stands behind the square: what a pawn becomes, check and mate.
        let end = san.rfind(to).map_or("", |at| &san[at + to.len()..]);
        let mut out = String::from_iter(piece);
        out.push_str(from);
        out.push(sign);
        out.push_str(to);
        out.push_str(end);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_style_is_made_of_two_texts() {
        for (text, san, figurine, long) in [
            ("g1f3", "Nf3", "♘f3", "Ng1-f3"),
            ("e2e4", "e4", "e4", "e2-e4"),
            ("e4d5", "exd5+", "exd5+", "e4xd5+"),
            ("b7a8n", "bxa8=N#", "bxa8=♘#", "b7xa8=N#"),
            ("e1g1", "O-O", "O-O", "O-O"),
            ("e8c8", "O-O-O+", "O-O-O+", "O-O-O+"),
            ("a1a6", "R1xa6#", "♖1xa6#", "Ra1xa6#"),
            ("a4a1", "Qa4a1", "♕a4a1", "Qa4-a1"),
        ] {
            let ply = Ply { text: text.to_owned(), san: Some(san.to_owned()) };
            assert_eq!(ply.written(Style::San), san);
            assert_eq!(ply.written(Style::Figurine), figurine);
            assert_eq!(ply.written(Style::Long), long);
            assert_eq!(ply.written(Style::Coordinates), text);
        }
        let plain = Ply { text: "2-1".to_owned(), san: None };
        for style in [Style::San, Style::Figurine, Style::Long, Style::Coordinates] {
            assert_eq!(plain.written(style), "2-1");
        }
    }
}
