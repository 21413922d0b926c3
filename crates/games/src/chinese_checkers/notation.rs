//! How positions and moves of Chinese checkers are written, read and drawn.

use foregone_model::number::counted;
use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{Agent, Atom, Notation, TextError};
use std::ops::Range;

use super::{ATOM_STEP, ATOMS, ChineseCheckers, FromTo, MOST, NAMES, PASS, SYMBOLS, State};
use crate::board;
use crate::board::Word;
use crate::picture::{hexagons, number_rows};

/// The colours of the players.
const PAINTS: [Paint; MOST] =
    [Paint::Red, Paint::Green, Paint::Blue, Paint::Yellow, Paint::Orange, Paint::Violet];

impl<W: Word> ChineseCheckers<W> {
    /// A picture of a position.
    pub(super) fn scene(&self, s: &State<W>) -> Scene {
        let mut first = 0;
        let rows: Vec<(i32, Range<u32>)> = self
            .rows
            .iter()
            .map(|&(indent, length)| {
                first += length;
                (indent as i32, first - length..first)
            })
            .collect();
        let mut scene = hexagons(rows.clone(), |cell| {
            let player = s.pieces.iter().position(|own| own.has(cell))?;
            Some((Glyph::Disc, PAINTS[player]))
        });
        number_rows(&mut scene, rows.iter().map(|(_, cells)| cells.start as usize));
        scene
    }
}

impl<W: Word> Notation for ChineseCheckers<W> {
    fn name(&self) -> String {
        format!("chinese-checkers:{},{}", self.size, self.players)
    }

    fn players(&self) -> [&str; 2] {
        [NAMES[0], if self.players == 2 { NAMES[1] } else { "others" }]
    }

    fn agent_name(&self, agent: Agent) -> &str {
        NAMES[usize::from(agent.0)]
    }

    fn atoms(&self) -> &[(&'static str, &'static str)] {
        &ATOMS
    }

    fn read_atom(&self, text: &str) -> Option<Atom> {
        let mut all = (0..self.players).flat_map(|p| (1..=self.pieces()).map(move |n| (p, n)));
        let (player, number) = all.find(|&(p, n)| text == format!("home({},{n})", NAMES[p]))?;
        Some(Atom(player as u32 * ATOM_STEP + number))
    }

    /// `a1b2`: from the first cell of the first row from the top to the second of the second.
    fn write_move(&self, _s: &State<W>, m: FromTo, out: &mut String) {
        if m == PASS {
            return out.push_str("pass");
        }
        for cell in [m.0, m.1] {
            let (row, column) = self.place(u32::from(cell));
            board::write_cell(row, column, out);
        }
    }

    fn parse_move(&self, _s: &State<W>, text: &str) -> Option<FromTo> {
        if text == "pass" {
            return Some(PASS);
        }
        let (from, rest) = self.parse_cell(text)?;
        let (to, rest) = self.parse_cell(rest)?;
        (rest.is_empty() && from != to).then_some((from, to))
    }

    /// The rows from the top, only cells of the star, then who is to move.
    fn write_position(&self, s: &State<W>, out: &mut String) {
        let mut cells = 0..;
        for (row, &(_, length)) in self.rows.iter().enumerate() {
            if row > 0 {
                out.push('/');
            }
            out.extend(cells.by_ref().take(length as usize).map(|cell| s.symbol(cell)));
        }
        out.push(' ');
        out.push_str(NAMES[usize::from(s.turn)]);
    }

    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        let lengths: Vec<usize> = self.rows.iter().map(|&(_, length)| length as usize).collect();
        let symbols = &SYMBOLS[..=self.players];
        let (cells, mover) = board::read_rows(text, &lengths, symbols, &NAMES[..self.players])?;
        let mut pieces = [W::ZERO; MOST];
        for (cell, &symbol) in (0..).zip(&cells) {
            if symbol > 0 {
                pieces[symbol - 1] = pieces[symbol - 1] | W::bit(cell);
            }
        }
        for (own, name) in pieces.iter().zip(&NAMES[..self.players]) {
            if own.count() != self.pieces() {
                let message = format!(
                    "{name} has {}, and in {} every player has {}",
                    counted(own.count().into(), "piece"),
                    self.name(),
                    self.pieces()
                );
                let board = text.rfind(' ').unwrap_or(text.len());
                return Err(TextError::new(message, 0..board));
            }
        }
        Ok(State { pieces, turn: mover as u8 })
    }

    fn draw(&self, s: &State<W>) -> String {
        let mut out = String::new();
        let mut cells = 0..;
        for (row, &(indent, length)) in self.rows.iter().enumerate() {
            out.push_str(&format!("{:>3}  ", row + 1));
            out.extend((0..indent).map(|_| ' '));
            for cell in cells.by_ref().take(length as usize) {
                out.push(' ');
                out.push(s.symbol(cell));
            }
            out.push('\n');
        }
        out
    }
}
