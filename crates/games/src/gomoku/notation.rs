//! How positions and moves are written, read and drawn.

use foregone_model::scene::Scene;
use foregone_model::{Atom, Notation, TextError};

use super::{Gomoku, State};
use crate::board::Word;
use crate::picture::stone;
use crate::stones::PLAYERS;

impl<W: Word> Gomoku<W> {
    /// A picture of a position.
    pub(super) fn scene(&self, s: &State<W>) -> Scene {
        self.grid.points(|cell| stone(s.symbol(cell)))
    }
}

impl<W: Word> Notation for Gomoku<W> {
    fn name(&self) -> String {
        let exact = if self.exact { ",exact" } else { "" };
        format!("gomoku:{},{}{exact}", self.grid.cols, self.length)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn atoms(&self) -> &[(&'static str, &'static str)] {
        &[("line(COLOUR,N)", "black or white has N stones or more in an unbroken line")]
    }

    fn read_atom(&self, text: &str) -> Option<Atom> {
        let (colour, length) = text.strip_prefix("line(")?.strip_suffix(')')?.split_once(',')?;
        let colour = PLAYERS.iter().position(|&p| p == colour.trim())?;
        let length: u32 = length.trim().parse().ok()?;
        let fits = (1..=self.grid.cols).contains(&length);
        fits.then_some(Atom(2 * length + colour as u32))
    }

    fn write_move(&self, _s: &State<W>, m: u16, out: &mut String) {
        self.grid.write_cell(u32::from(m), out);
    }

    fn parse_move(&self, _s: &State<W>, text: &str) -> Option<u16> {
        self.grid.parse_whole_cell(text).map(|cell| cell as u16)
    }

    fn write_position(&self, s: &State<W>, out: &mut String) {
        s.write(self.grid.rows_from_top(), &PLAYERS, out);
    }

    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        let s = State::read(text, self.grid.rows_from_top(), &PLAYERS)?;
        if self.lined(s.stones[s.turn.index()]) {
            return Err(s.over_before(text, &PLAYERS, "a line"));
        }
        Ok(s)
    }

    fn draw(&self, s: &State<W>) -> String {
        self.grid.draw(|c| s.symbol(c))
    }
}
