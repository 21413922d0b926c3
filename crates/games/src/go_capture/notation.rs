//! How hunts and their moves are written, read and drawn.

use std::ops::Range;

use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{Atom, Notation, Side, TextError};

use super::{ATARI, CAPTURED, GONE, GoCapture, NOWHERE, PASS, PASS_NAME, SYMBOLS, State};
use crate::board::Word;
use crate::picture::stone;
use crate::stones::{PLAYERS, View};
use crate::{board, stones};

impl<W: Word> GoCapture<W> {
    /// A picture of a position: a ring marks the target.
    pub(super) fn scene(&self, s: &State<W>) -> Scene {
        let mut scene = self.grid.points(|cell| stone(self.symbol(s, cell).to_ascii_lowercase()));
        for cell in (0..self.grid.rows * self.grid.cols).map(|cell| cell as usize) {
            match self.symbol(s, cell as u32) {
                'X' => scene.piece(cell, Glyph::Ring, Paint::White),
                'O' => scene.piece(cell, Glyph::Ring, Paint::Black),
                '*' => scene.piece(cell, Glyph::Cross, Paint::Ink),
                _ => {}
            }
        }
        scene
    }
}

impl<W: Word> Notation for GoCapture<W> {
    fn name(&self) -> String {
        self.named(self.grid.rows, self.grid.cols, self.hunted)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn atoms(&self) -> &[(&'static str, &'static str)] {
        &[
            ("captured", "the target is gone"),
            ("atari", "the target's block has one liberty"),
            ("liberties(N)", "the target's block has at most N liberties, or is gone"),
        ]
    }

    fn read_atom(&self, text: &str) -> Option<Atom> {
        match text {
            "captured" => Some(CAPTURED),
            "atari" => Some(ATARI),
            _ => {
                let number = text.strip_prefix("liberties(")?.strip_suffix(')')?;
                let most: u32 = number.trim().parse().ok()?;
                (most <= self.grid.rows * self.grid.cols).then_some(Atom(most))
            }
        }
    }

    fn write_move(&self, _s: &State<W>, m: u16, out: &mut String) {
        if m == PASS {
            out.push_str(PASS_NAME);
        } else {
            self.grid.write_cell(u32::from(m), out);
        }
    }

    fn parse_move(&self, _s: &State<W>, text: &str) -> Option<u16> {
        if text == PASS_NAME { Some(PASS) } else { self.point(text) }
    }

    /// The rows with the target as a capital letter, who is to move, and the ko, if there is one:
    /// `.xo./xO.o/.xo. black ko:c2`.
    fn write_position(&self, s: &State<W>, out: &mut String) {
        self.grid.write_rows(|c| self.symbol(s, c), out);
        out.push(' ');
        out.push_str(PLAYERS[s.turn.index()]);
        if s.ko != NOWHERE {
            out.push_str(" ko:");
            self.grid.write_cell(u32::from(s.ko), out);
        }
    }

    /// Reads a game record in SGF as well: `(;…)@C4`, where C4 is the target as Go programs name
    /// points, `(;…)@C4#28` for the position before move 28, and `sgf:FILE@C4#28`.
    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        if text.starts_with('(') || text.starts_with("sgf:") {
            self.read_record(text)
        } else {
            self.read_rows(text)
        }
    }

    fn draw(&self, s: &State<W>) -> String {
        self.grid.draw(|c| self.symbol(s, c))
    }
}

impl<W: Word> GoCapture<W> {
    fn symbol(&self, s: &State<W>, cell: u32) -> char {
        let stone = match s.stones.map(|w| w.has(cell)) {
            [false, false] if cell == u32::from(s.target) => GONE,
            [false, false] => 0,
            [true, _] => 1,
            _ => 2,
        };
        let target = (1..=2).contains(&stone) && cell == u32::from(s.target);
        SYMBOLS[stone + if target { 2 } else { 0 }]
    }

    /// Blocks without liberties, a target that is not there and a ko that is not one are refused.
    /// `place` says where in the text a point stands.
    pub(super) fn check(
        &self,
        s: &State<W>,
        place: impl Fn(u32) -> Range<usize>,
        ko_at: Range<usize>,
    ) -> Result<(), TextError> {
        let View { own, enemy, empty, .. } = self.view(s, s.turn);
        for stones in [own, enemy] {
            if let Some(cell) = stones::choked(&self.grid, stones, empty, W::ZERO) {
                let message =
                    format!("the stone at {} has no liberty: it is captured", self.cell(cell));
                return Err(TextError::new(message, place(cell)));
            }
        }
        if s.ko == NOWHERE {
            return Ok(());
        }
        let ko = u32::from(s.ko);
        let closed = (self.grid.around(W::bit(ko)) & !enemy).is_empty();
        if !empty.has(ko) || !closed || self.taken(s, s.turn, ko).count() != 1 {
            let message = format!(
                "{} is not a ko: a stone of {} there would not recapture a single stone",
                self.cell(ko),
                PLAYERS[s.turn.index()]
            );
            return Err(TextError::new(message, ko_at));
        }
        Ok(())
    }

    fn cell(&self, cell: u32) -> String {
        let mut name = String::new();
        self.grid.write_cell(cell, &mut name);
        name
    }

    fn read_rows(&self, text: &str) -> Result<State<W>, TextError> {
        let (board, ko) = match text.rsplit_once(' ') {
            Some((board, word)) if word.starts_with("ko:") => (board, Some(word)),
            _ => (text, None),
        };
        let (sets, mover) = self.grid.read_rows(board, &SYMBOLS, &PLAYERS)?;
        let turn = if mover == 0 { Side::Max } else { Side::Min };
        let rows = board.rfind(' ').unwrap_or(board.len());
        let marked = sets[3] | sets[4] | sets[GONE];
        let hunter = sets[3 + self.hunted.other().index()];
        if marked.count() != 1 || !hunter.is_empty() {
            let colour = PLAYERS[self.hunted.index()];
            let symbol = SYMBOLS[3 + self.hunted.index()];
            let message = format!(
                "one stone of {colour} must be marked as the target by `{symbol}`, or by `*` where \
                 it was captured"
            );
            return Err(TextError::new(message, 0..rows));
        }
        let mut s = State {
            stones: [sets[1] | sets[3], sets[2] | sets[4]],
            turn,
            target: marked.lowest() as u16,
            ko: NOWHERE,
        };
        let ko_at = (board.len() + 1).min(text.len())..text.len();
        if let Some(word) = ko {
            let Some(point) = self.point(&word["ko:".len()..]) else {
                let message = "expected `ko:` and a point of the board";
                return Err(TextError::new(message, ko_at));
            };
            s.ko = point;
        }
        let place = |cell: u32| {
            let (row, col) = (cell / self.grid.cols, cell % self.grid.cols);
            let at = ((self.grid.rows - 1 - row) * (self.grid.cols + 1) + col) as usize;
            at..at + 1
        };
        self.check(&s, place, ko_at)?;
        Ok(s)
    }

    pub(super) fn named(&self, rows: u32, cols: u32, hunted: Side) -> String {
        let wide = if self.wide { ",wide" } else { "" };
        format!("go-capture:{rows}x{cols},{},{}{wide}", self.escape, PLAYERS[hunted.index()])
    }

    fn point(&self, text: &str) -> Option<u16> {
        let (row, col, rest) = board::parse_cell(text)?;
        let fits = rest.is_empty() && row < self.grid.rows && col < self.grid.cols;
        fits.then(|| (row * self.grid.cols + col) as u16)
    }
}
