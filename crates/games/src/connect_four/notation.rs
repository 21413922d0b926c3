//! How positions and moves of Connect Four are written, read and drawn.

use foregone_model::scene::{Paint, Scene};
use foregone_model::{Game, Notation, Side, TextError, Typed as _};

use super::{ConnectFour, PLAYERS, State};
use crate::board::{Word, read_rows};
use crate::picture::{column_name, discs};

pub(super) const SYMBOLS: [char; 3] = ['.', 'x', 'o'];

impl<W: Word> ConnectFour<W> {
    pub(super) fn symbol(&self, s: &State<W>, row: u32, col: u32) -> char {
        let cell = col * (self.rows + 1) + row;
        match (s.own.has(cell), s.other.has(cell)) {
            (true, _) => SYMBOLS[1 + s.turn.index()],
            (_, true) => SYMBOLS[1 + s.turn.other().index()],
            _ => SYMBOLS[0],
        }
    }

    /// A game written as its columns, one digit a move, as the field writes it: `35333571`.
    fn read_columns(&self, text: &str) -> Result<State<W>, TextError> {
        let mut s = self.start();
        for at in 0..text.len() {
            let m = self.read_move(&s, &text[at..at + 1]).map_err(|e| e.shifted(at))?;
            let agent = s.turn.agent();
            self.play(&mut s, agent, m);
        }
        Ok(s)
    }
}

impl<W: Word> ConnectFour<W> {
    /// A picture of a position.
    pub(super) fn scene(&self, s: &State<W>) -> Scene {
        let mut scene = Scene::new();
        let at = |row: u32, col: u32| [f64::from(col), f64::from(self.rows - 1 - row)];
        let mut landings = Vec::new();
        for row in 0..self.rows {
            for col in 0..self.cols {
                let name = format!("{}{}", column_name(col), row + 1);
                let cell = scene.square(name, at(row, col), Paint::Frame);
                match discs(self.symbol(s, row, col), [Paint::Red, Paint::Yellow]) {
                    Some((glyph, paint)) => scene.piece(cell, glyph, paint),
                    None => scene.dot(at(row, col), 0.38, Paint::Plain),
                }
                if self.landing(s).has(col * (self.rows + 1) + row) {
                    landings.push((col, cell));
                }
            }
        }
        for (col, cell) in landings {
            scene.touch(PLAYERS[s.turn.index()], (col + 1).to_string(), [cell], false);
        }
        for col in 0..self.cols {
            let place = [f64::from(col), f64::from(self.rows) - 0.22];
            scene.label(place, (col + 1).to_string(), 0.34, Paint::Faint);
        }
        scene
    }
}

impl<W: Word> Notation for ConnectFour<W> {
    fn name(&self) -> String {
        format!("connect-four:{}x{}", self.rows, self.cols)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn write_move(&self, _s: &State<W>, m: u8, out: &mut String) {
        out.push_str(&(m + 1).to_string());
    }

    fn parse_move(&self, _s: &State<W>, text: &str) -> Option<u8> {
        let col: u8 = text.parse().ok().filter(|c| (1..=self.cols).contains(&u32::from(*c)))?;
        (text.as_bytes()[0].is_ascii_digit() && text.as_bytes()[0] != b'0').then_some(col - 1)
    }

    fn write_position(&self, s: &State<W>, out: &mut String) {
        for row in (0..self.rows).rev() {
            out.extend((0..self.cols).map(|col| self.symbol(s, row, col)));
            out.push(if row > 0 { '/' } else { ' ' });
        }
        out.push_str(PLAYERS[s.turn.index()]);
    }

    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
            return self.read_columns(text);
        }
        let lengths = vec![self.cols as usize; self.rows as usize];
        let (cells, mover) = read_rows(text, &lengths, &SYMBOLS, &PLAYERS)?;
        let mut stones = [W::ZERO; 2];
        for (i, &symbol) in cells.iter().enumerate() {
            let (row, col) = (self.rows - 1 - i as u32 / self.cols, i as u32 % self.cols);
            if symbol > 0 {
                let stone = W::bit(col * (self.rows + 1) + row);
                stones[symbol - 1] = stones[symbol - 1] | stone;
            }
        }
        let turn = [Side::Max, Side::Min][mover];
        let s = State { own: stones[mover], other: stones[1 - mover], turn };
        let error = |message: &str| Err(TextError::new(message, 0..text.len()));
        let all = s.own | s.other;
        if !(((all >> 1) & self.lines.full) & !all).is_empty() {
            return error("a stone hangs in the air");
        }
        let ahead = stones[0].count() as i64 - stones[1].count() as i64;
        if ahead != mover as i64 {
            return error("the numbers of stones do not match the player to move");
        }
        if self.lines.four(s.own) {
            return error("the player to move has four in a line already");
        }
        Ok(s)
    }

    fn draw(&self, s: &State<W>) -> String {
        let mut out = String::new();
        for row in (0..self.rows).rev() {
            for col in 0..self.cols {
                out.push_str(&format!(" {:>2}", self.symbol(s, row, col)));
            }
            out.push('\n');
        }
        for col in 1..=self.cols {
            out.push_str(&format!(" {col:>2}"));
        }
        out.push('\n');
        out
    }
}
