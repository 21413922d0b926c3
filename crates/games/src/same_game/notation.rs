//! How positions and moves of SameGame are written, read and drawn.

use foregone_model::number::counted;
use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{Notation, TextError};

use super::{PLAYERS, SYMBOLS, SameGame, State, bounds};
use crate::board::{Grid, Word, read_cells};

/// What the colours look like.
const PAINTS: [Paint; 7] = [
    Paint::Red,
    Paint::Blue,
    Paint::Yellow,
    Paint::Green,
    Paint::Orange,
    Paint::Violet,
    Paint::Black,
];

impl<W: Word> SameGame<W> {
    /// A picture of a position.
    pub(super) fn scene(&self, s: &State<W>) -> Scene {
        let Grid { rows, cols, .. } = self.upright;
        let mut scene = self.upright.squares(|cell| match s.colour_at(self.laid(cell)) {
            0 => None,
            colour => Some((Glyph::Block, PAINTS[colour as usize - 1])),
        });
        for group in self.groups(s) {
            // The lowest cell of the leftmost column names the move.
            let upright = |cell: u32| (cell % rows * cols + cell / rows) as usize;
            let text = self.move_text(s, group.lowest() as u8);
            scene.touch(PLAYERS[0], text, group.cells().map(upright), false);
        }
        scene.notes.push(format!("score {}", s.score));
        scene
    }
}

impl<W: Word> Notation for SameGame<W> {
    fn name(&self) -> String {
        let Grid { rows, cols, .. } = self.upright;
        format!("same-game:{rows}x{cols},{},{}", self.colours, self.seed)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn one_player(&self) -> bool {
        true
    }

    fn write_move(&self, _s: &State<W>, m: u8, out: &mut String) {
        let (col, row) = (u32::from(m) / self.upright.rows, u32::from(m) % self.upright.rows);
        self.upright.write_cell(row * self.upright.cols + col, out);
    }

    fn parse_move(&self, _s: &State<W>, text: &str) -> Option<u8> {
        let (cell, rest) = self.upright.parse_cell(text)?;
        rest.is_empty().then(|| self.laid(cell) as u8)
    }

    /// The rows, the highest first, and the points so far.
    fn write_position(&self, s: &State<W>, out: &mut String) {
        self.upright.write_rows(|cell| self.symbol(s, cell), out);
        out.push_str(&format!(" {}", s.score));
    }

    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        let Some((board, score)) = text.rsplit_once(' ') else {
            let message = "a position ends with a space and the points so far";
            return Err(TextError::new(message, text.len()..text.len()));
        };
        let symbols = &SYMBOLS[..=self.colours as usize];
        let cells = read_cells(board, &self.upright.row_lengths(), symbols)?;
        let Grid { rows, cols, .. } = self.upright;
        let mut s = State { digits: [W::ZERO; 3], score: 0 };
        for (i, &colour) in (0..).zip(&cells) {
            s.set(i % cols * rows + (rows - 1 - i / cols), colour as u32);
        }
        let taken = s.taken();
        for cell in taken.cells() {
            let (col, row) = (cell / rows, cell % rows);
            let message = if row > 0 && !taken.has(cell - 1) {
                "there is nothing below this cell: it would have fallen down"
            } else if col > 0 && row == 0 && !taken.has(cell - rows) {
                "the column to the left of this one is empty: the gap would have been closed"
            } else {
                continue;
            };
            let at = self.place(col, row);
            return Err(TextError::new(message, at..at + 1));
        }
        let more = bounds::most_points(self.counts(&s));
        let most = self.most.checked_sub(more).ok_or_else(|| {
            let message = format!(
                "this board may bring {}, more than the {} of the board of {}",
                counted(more.into(), "point"),
                self.most,
                self.name()
            );
            TextError::new(message, 0..board.len())
        })?;
        // One text a position: no signs, no leading zeros.
        let number = score.parse::<u16>().ok().filter(|n| n.to_string() == score);
        s.score = number.filter(|&n| u32::from(n) <= most).ok_or_else(|| {
            let message =
                format!("`{score}` cannot be the points so far, expected 0 to {most} here");
            TextError::new(message, board.len() + 1..text.len())
        })?;
        Ok(s)
    }

    fn draw(&self, s: &State<W>) -> String {
        let mut out = self.upright.draw(|cell| self.symbol(s, cell));
        out.push_str(&format!("score {}\n", s.score));
        out
    }
}
