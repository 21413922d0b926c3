//! The text of positions and moves.

use foregone_model::number::counted;
use foregone_model::{Notation, Side, TextError};

use super::{Act, COLS, DobutsuShogi, HELD, KINDS, Kind, Piece, ROWS, SQUARES, State, last_row};
use crate::board::{Grid, as_written, read_cells, read_mover};

const PLAYERS: [&str; 2] = ["sente", "gote"];

/// The symbols of squares: nothing, Sente's pieces, Gote's.
const SYMBOLS: [char; 11] = ['.', 'L', 'G', 'E', 'C', 'H', 'l', 'g', 'e', 'c', 'h'];

/// The letter of a kind.
pub(super) fn letter(kind: Kind) -> char {
    match kind {
        Kind::Lion => 'L',
        Kind::Giraffe => 'G',
        Kind::Elephant => 'E',
        Kind::Chick => 'C',
        Kind::Hen => 'H',
    }
}

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Lion => "lion",
        Kind::Giraffe => "giraffe",
        Kind::Elephant => "elephant",
        Kind::Chick => "chick",
        Kind::Hen => "hen",
    }
}

pub(super) fn symbol(there: Option<Piece>) -> char {
    match there {
        None => '.',
        Some(Piece { kind, side: Side::Max }) => letter(kind),
        Some(Piece { kind, side: Side::Min }) => letter(kind).to_ascii_lowercase(),
    }
}

pub(super) fn grid() -> Grid<u64> {
    Grid::new(ROWS as u32, COLS as u32)
}

/// What both hold: `-` if that is nothing.
pub(super) fn hands(s: &State) -> String {
    let mut text = String::new();
    for side in [Side::Max, Side::Min] {
        for (kind, count) in HELD.into_iter().zip(s.hands[side.index()]) {
            let symbol = symbol(Some(Piece { kind, side }));
            text.extend(std::iter::repeat_n(symbol, count.into()));
        }
    }
    if text.is_empty() { "-".to_owned() } else { text }
}

impl Notation for DobutsuShogi {
    fn name(&self) -> String {
        format!("dobutsu-shogi:{}", self.letters())
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    /// `b2-b3`, `b2xb3` for a capture, with a `+` behind it where a chick becomes a hen; `C*b2` drops.
    fn write_move(&self, s: &State, m: super::Act, out: &mut String) {
        match m {
            Act::Drop { kind, to } => {
                out.push(letter(kind));
                out.push('*');
                grid().write_cell(to.into(), out);
            }
            Act::Step { from, to } => {
                grid().write_cell(from.into(), out);
                out.push(if s.board[usize::from(to)].is_some() { 'x' } else { '-' });
                grid().write_cell(to.into(), out);
                let promoted = |piece: Piece| {
                    piece.kind == Kind::Chick && usize::from(to) / COLS == last_row(piece.side)
                };
                if s.board[usize::from(from)].is_some_and(promoted) {
                    out.push('+');
                }
            }
        }
    }

    fn parse_move(&self, s: &State, text: &str) -> Option<Act> {
        let m = match text.split_once('*') {
            Some((word, to)) => {
                let kind = HELD.into_iter().find(|&kind| word.chars().eq([letter(kind)]))?;
                Act::Drop { kind, to: grid().parse_whole_cell(to)? as u8 }
            }
            None => {
                let (from, rest) = grid().parse_cell(text)?;
                let (to, _) = grid().parse_cell(rest.get(1..)?)?;
                Act::Step { from: from as u8, to: to as u8 }
            }
        };
        // One text a move.
        (self.move_text(s, m) == text).then_some(m)
    }

    /// The `+` may be left out.
    fn parse_typed(&self, s: &State, text: &str) -> Option<Act> {
        self.parse_move(s, text).or_else(|| self.parse_move(s, &format!("{text}+")))
    }

    fn write_position(&self, s: &State, out: &mut String) {
        grid().write_rows(|cell| symbol(s.board[cell as usize]), out);
        out.push(' ');
        out.push_str(&hands(s));
        out.push(' ');
        out.push_str(PLAYERS[s.turn.index()]);
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let (rest, mover) = read_mover(text, &PLAYERS)?;
        let Some((rows, held)) = rest.split_once(' ') else {
            let message =
                "between the board and who is to move stands what both hold: `-`, or `Cg`";
            return Err(TextError::new(message, rest.len()..rest.len()));
        };
        let turn = [Side::Max, Side::Min][mover];
        let mut s = State { board: [None; SQUARES], hands: [[0; 3]; 2], turn };
        let cells = read_cells(rows, &[COLS; ROWS], &SYMBOLS)?;
        for (at, &found) in cells.iter().enumerate() {
            let square = (ROWS - 1 - at / COLS) * COLS + at % COLS;
            let side = if found > KINDS.len() { Side::Min } else { Side::Max };
            s.board[square] =
                (found > 0).then(|| Piece { kind: KINDS[(found - 1) % KINDS.len()], side });
        }
        for (at, c) in held.char_indices().filter(|_| held != "-") {
            let Some(place) = HELD.iter().position(|&kind| letter(kind) == c.to_ascii_uppercase())
            else {
                let start = rows.len() + 1 + at;
                let message = format!("`{c}` is not a piece that is held, expected `GEC` or `gec`");
                return Err(TextError::new(message, start..start + c.len_utf8()));
            };
            let side = if c.is_ascii_uppercase() { Side::Max } else { Side::Min };
            s.hands[side.index()][place] += 1;
        }
        self.check(&s).map_err(|message| TextError::new(message, 0..rest.len()))?;
        as_written(self, s, text)
    }

    fn draw(&self, s: &State) -> String {
        let board = grid().draw(|cell| symbol(s.board[cell as usize]));
        match hands(s) {
            held if held == "-" => board,
            held => format!("{board}in hand: {held}\n"),
        }
    }
}

impl DobutsuShogi {
    /// Whether this is a position: two pieces of each kind, and the lions.
    fn check(&self, s: &State) -> Result<(), String> {
        for (place, &kind) in HELD.iter().enumerate() {
            let is_one =
                |there: &&Option<Piece>| there.is_some_and(|p| p.kind.held() == Some(place));
            let found = s.board.iter().filter(is_one).count()
                + s.hands.iter().map(|hand| usize::from(hand[place])).sum::<usize>();
            let expected = if self.kinds[place] { 2 } else { 0 };
            if found != expected {
                let hens = if kind == Kind::Chick { ", hens counted" } else { "" };
                let [found, expected] = [found, expected].map(|n| counted(n as u64, name(kind)));
                return Err(format!(
                    "there are {found} on the board and in the hands{hens}, expected {expected}"
                ));
            }
        }
        let lions =
            |side| s.board.iter().filter(|&&p| p == Some(Piece { kind: Kind::Lion, side })).count();
        match (lions(s.turn), lions(s.turn.other())) {
            (1, 1) | (0, 1) => Ok(()),
            (1, 0) => {
                Err("the lion of who is not to move is missing: it was caught before".to_owned())
            }
            _ => Err("each side has one lion, unless it was caught with the last move".to_owned()),
        }
    }
}
