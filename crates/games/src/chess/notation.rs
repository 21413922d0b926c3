//! How positions and moves of chess are written and read.

use cozy_chess::{Color, File, Move, Piece, Rank, Square, util};
use foregone_model::{Agent, Atom, Notation, TextError};

use super::{
    Chess, PLAYERS, Proposition, SERIES, State, agent, color, fen, is_pass, pass, san, twin,
};

/// The text of passing.
const PASS: &str = "pass";

impl Chess {
    /// The position that differs from one by these changes: `Kd4-e5`, `-a2`, `+wNb1`, `a1<->b2`.
    pub fn twin(&self, s: &State, edits: &str) -> Result<State, TextError> {
        twin::edited(&s.0, edits).map(State::new)
    }
}

impl Notation for Chess {
    fn name(&self) -> String {
        match self.series {
            false => "chess".to_owned(),
            true => format!("chess:{SERIES}"),
        }
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn atoms(&self) -> &[(&'static str, &'static str)] {
        &[
            ("check", "the side to move is in check"),
            ("mate", "the side to move is mated"),
            ("stalemate", "the side to move is stalemated"),
            ("captured(PIECE)", "there is no such piece: q is a black queen, Q a white one"),
            ("on(PIECE,SQUARE)", "such a piece stands on the square: on(P,e8)"),
            ("attacked(PIECE)", "such a piece stands where the other side could take it"),
        ]
    }

    fn read_atom(&self, text: &str) -> Option<Atom> {
        let piece = |text: &str| {
            let mut letters = text.chars();
            let letter = letters.next().filter(|_| letters.next().is_none())?;
            let side = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            Some((side, Piece::try_from(letter.to_ascii_lowercase()).ok()?))
        };
        let proposition = match text {
            "check" => Proposition::Check,
            "mate" => Proposition::Mate,
            "stalemate" => Proposition::Stalemate,
            _ => {
                let (word, rest) = text.split_once('(')?;
                let inside = rest.strip_suffix(')')?;
                match word {
                    "captured" => piece(inside).map(|(c, p)| Proposition::Captured(c, p))?,
                    "attacked" => piece(inside).map(|(c, p)| Proposition::Attacked(c, p))?,
                    "on" => {
                        let (kind, square) = inside.split_once(',')?;
                        let (side, piece) = piece(kind)?;
                        Proposition::On(side, piece, square.parse().ok()?)
                    }
                    _ => return None,
                }
            }
        };
        Some(proposition.atom())
    }

    /// As the Universal Chess Interface writes moves: a castling king moves two squares.
    fn write_move(&self, s: &State, mut m: Move, out: &mut String) {
        if is_pass(m) {
            return out.push_str(PASS);
        }
        if s.0.color_on(m.from).is_some() && s.0.color_on(m.from) == s.0.color_on(m.to) {
            let file = if m.from.file() < m.to.file() { File::G } else { File::C };
            m.to = Square::new(file, m.to.rank());
        }
        out.push_str(&m.to_string());
    }

    fn parse_move(&self, s: &State, text: &str) -> Option<Move> {
        self.parse_move_of(s, agent(s.0.side_to_move()), text)
    }

    /// People write algebraic notation, too, long or short, with letters or with figurines.
    fn parse_typed(&self, s: &State, text: &str) -> Option<Move> {
        self.parse_move(s, text).or_else(|| {
            let plain = san::plain(text)?;
            let san = util::parse_san_move(&s.0, &plain).ok();
            san.or_else(|| self.parse_move(s, &san::coordinates(&plain)))
        })
    }

    /// Each move has one text, so nothing else is read: not a king that takes its own rook, as
    /// the rules write castling, and not what the rules' own reader passes over.
    fn parse_move_of(&self, s: &State, agent: Agent, text: &str) -> Option<Move> {
        let side = color(agent);
        let board = s.for_side(side)?;
        if text == PASS {
            return Some(pass(&board));
        }
        let mut m = text.parse::<Move>().ok().filter(|m| m.to_string() == text)?;
        if board.colors(side).has(m.from) && board.colors(side).has(m.to) {
            return None;
        }
        let home = Square::new(File::E, Rank::First.relative_to(side));
        if m.from == home && board.king(side) == home && m.to.rank() == home.rank() {
            let rights = board.castle_rights(side);
            let rook = match m.to.file() {
                File::G => rights.short,
                File::C => rights.long,
                _ => None,
            };
            m.to = rook.map_or(m.to, |rook| Square::new(rook, home.rank()));
        }
        Some(m)
    }

    fn write_position(&self, s: &State, out: &mut String) {
        out.push_str(&s.0.to_string());
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        fen::read(text).map(State::new)
    }

    fn draw(&self, s: &State) -> String {
        let mut out = String::new();
        for rank in Rank::ALL.into_iter().rev() {
            out.push_str(&format!("  {} ", rank as u8 + 1));
            for file in File::ALL {
                let square = Square::new(file, rank);
                let letter = match (s.0.piece_on(square), s.0.color_on(square)) {
                    (Some(piece), Some(Color::White)) => char::from(piece).to_ascii_uppercase(),
                    (Some(piece), _) => char::from(piece),
                    _ => '.',
                };
                out.push(' ');
                out.push(letter);
            }
            out.push('\n');
        }
        out.push_str("     a b c d e f g h\n");
        out
    }
}
