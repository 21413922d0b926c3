//! Endings of Chinese dark chess: all pieces lie face up, and chance has no part any more.
//!
//! Pieces move and take as in [`crate::dark_chess`]. Who has no piece or no move left has lost, and
//! play without end is a draw. A game begins with Red's general against two soldiers that hunt it; any
//! other position can be typed, with pieces out of one set: a general, five soldiers, and two of all
//! others a side.

use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{
    Agent, Endless, Game, Guide, Notation, Outcome, Scale, Side, TextError, Turn,
};

use self::numbering::Images;
use crate::board::{Grid, Word as _};
use crate::dark_chess::pieces::{
    Colour, EMPTY, FIRST_PIECE, KINDS, LETTERS, SET, SYMBOLS, piece, visit_piece,
};
use crate::options::Options;
use crate::registry::{Entry, GameError, Opened};

mod classes;
mod numbering;
mod quick;

pub use classes::{ByKind, Pieces};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "dark-chess-ending",
    "ROWSxCOLUMNS (4x8)",
    "Dark chess with all pieces face up: take what ranks no higher; who cannot move loses",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let size = options.size((4, 8))?;
    options.check_cells(size, 2, MOST_CELLS)?;
    Ok(Opened::tabled(DarkChessEnding::new(size.0, size.1), DarkChessEnding::scene))
}

/// The most cells of a board.
pub const MOST_CELLS: u32 = 32;

/// A board for endings.
#[derive(Clone, Debug)]
pub struct DarkChessEnding {
    grid: Grid<u64>,
    images: Images,
}

/// What lies on the cells, and who is to move: Red is Max.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Four bits for each cell: nothing or a piece.
    cells: [u64; 2],
    turn: Side,
}

foregone_model::stored!(State { cells, turn });

const PLAYERS: [&str; 2] = ["red", "black"];
/// What cells can show, by what they hold; nothing lies face down.
const SHOWN: [char; 15] = {
    let mut shown = ['.'; 15];
    let mut at = 1;
    while at < shown.len() {
        shown[at] = SYMBOLS[at + 1];
        at += 1;
    }
    shown
};

const LOSS: Outcome = Outcome(0);
const DRAW: Outcome = Outcome(1);
const WIN: Outcome = Outcome(2);

/// The side of a colour.
#[inline]
fn side(colour: Colour) -> Side {
    match colour {
        Colour::Red => Side::Max,
        Colour::Black => Side::Min,
    }
}

/// What a cell holds that has a piece of this kind and of the side's colour.
#[inline]
fn code(side: usize, kind: usize) -> u32 {
    FIRST_PIECE + (side * KINDS + kind) as u32
}

impl State {
    fn empty(turn: Side) -> State {
        State { cells: [0; 2], turn }
    }

    #[inline]
    fn at(&self, cell: u32) -> u32 {
        (self.cells[cell as usize / 16] >> (4 * (cell % 16))) as u32 & 15
    }

    #[inline]
    fn put(&mut self, cell: u32, code: u32) {
        let (word, shift) = (&mut self.cells[cell as usize / 16], 4 * (cell % 16));
        *word = *word & !(15 << shift) | u64::from(code) << shift;
    }

    /// The pieces: each cell and what it holds.
    #[inline]
    fn pieces(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        (0..2).zip(self.cells).flat_map(|(half, word)| {
            let pairs = word | word >> 1;
            let mut taken = (pairs | pairs >> 2) & 0x1111_1111_1111_1111;
            std::iter::from_fn(move || {
                let at = (taken != 0).then(|| taken.trailing_zeros())?;
                taken &= taken - 1;
                Some((16 * half + at / 4, (word >> at) as u32 & 15))
            })
        })
    }
}

impl DarkChessEnding {
    /// A board of so many rows and columns, at most [`MOST_CELLS`] cells.
    pub fn new(rows: u32, cols: u32) -> DarkChessEnding {
        assert!(rows * cols <= MOST_CELLS, "the cells fit the words");
        let grid = Grid::new(rows, cols);
        DarkChessEnding { images: Images::new(&grid), grid }
    }

    fn cells(&self) -> u32 {
        self.grid.rows * self.grid.cols
    }

    /// Shows the moves of a side to `see` until it says that it has seen enough.
    #[inline]
    fn visit(&self, s: &State, mover: Side, mut see: impl FnMut(u16) -> bool) -> bool {
        s.pieces().any(|(from, code)| match piece(code) {
            Some(own) if side(own.1) == mover => {
                let to_move = |to: u32| (from << 5 | to) as u16;
                visit_piece(&self.grid, |cell| s.at(cell), from, own, |to| see(to_move(to)))
            }
            _ => false,
        })
    }

    /// Who has lost, if it is over.
    fn loser(&self, s: &State) -> Option<Side> {
        let lives = |of: Side| {
            s.pieces().any(|(_, code)| piece(code).is_some_and(|(_, colour)| side(colour) == of))
        };
        let gone = [Side::Max, Side::Min].into_iter().find(|&of| !lives(of));
        gone.or_else(|| (!self.visit(s, s.turn, |_| true)).then_some(s.turn))
    }
}

impl Game for DarkChessEnding {
    type State = State;
    /// The cell that a piece leaves times 32 and the one that it comes to.
    type Move = u16;

    fn scale(&self) -> Scale {
        Scale::three()
    }

    fn endless(&self) -> Endless {
        Endless::Scores(DRAW)
    }

    fn start(&self) -> State {
        let (general, soldier) = (code(0, KINDS - 1), code(1, 0));
        let mut s = State::empty(Side::Max);
        s.put(0, general);
        let last = self.cells() - 1;
        for cell in last.saturating_sub(1).max(1)..=last {
            s.put(cell, soldier);
        }
        s
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        match self.loser(s) {
            Some(_) => Turn::Over,
            None => Turn::Agent(s.turn.agent()),
        }
    }

    #[inline]
    fn moves(&self, s: &State, agent: Agent, out: &mut Vec<u16>) {
        self.visit(s, Side::of(agent), |m| {
            out.push(m);
            false
        });
    }

    #[inline]
    fn play(&self, s: &mut State, agent: Agent, m: u16) {
        let (from, to) = (u32::from(m >> 5), u32::from(m & 31));
        s.put(to, s.at(from));
        s.put(from, EMPTY);
        s.turn = Side::of(agent).other();
    }

    fn outcome(&self, s: &State) -> Outcome {
        match self.loser(s) {
            Some(Side::Max) => LOSS,
            Some(Side::Min) => WIN,
            None => DRAW,
        }
    }
}

impl Guide for DarkChessEnding {
    type Packed = Self::State;

    foregone_model::stored_by_parts!();

    #[inline]
    fn pack(&self, s: &Self::State) -> Self::State {
        *s
    }
}

impl DarkChessEnding {
    /// A picture of a position.
    fn scene(&self, s: &State) -> Scene {
        self.grid.painted(
            |_, _| Paint::Wood,
            |cell| {
                let (_, colour) = piece(s.at(cell))?;
                let paint = match colour {
                    Colour::Red => Paint::Red,
                    Colour::Black => Paint::Black,
                };
                let letter = SYMBOLS[s.at(cell) as usize].to_ascii_uppercase();
                Some((Glyph::Figure(letter.to_string()), paint))
            },
        )
    }
}

impl Notation for DarkChessEnding {
    fn name(&self) -> String {
        format!("dark-chess-ending:{}x{}", self.grid.rows, self.grid.cols)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn write_move(&self, _s: &State, m: u16, out: &mut String) {
        self.grid.write_cell((m >> 5).into(), out);
        out.push('-');
        self.grid.write_cell((m & 31).into(), out);
    }

    fn parse_move(&self, _s: &State, text: &str) -> Option<u16> {
        let (from, to) = text.split_once('-')?;
        let [from, to] = [from, to].map(|cell| self.grid.parse_whole_cell(cell));
        Some((from? << 5 | to?) as u16)
    }

    /// The rows from the top, Red in capital letters, and who is to move: `K../.pp red`.
    fn write_position(&self, s: &State, out: &mut String) {
        self.grid.write_rows(|cell| SYMBOLS[s.at(cell) as usize], out);
        out.push(' ');
        out.push_str(PLAYERS[s.turn.index()]);
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let (sets, mover) = self.grid.read_rows(text, &SHOWN, &PLAYERS)?;
        let mut s = State::empty([Side::Max, Side::Min][mover]);
        let board = 0..text.len() - PLAYERS[mover].len() - 1;
        for (code, set) in (FIRST_PIECE..).zip(&sets[1..]) {
            let Some((kind, colour)) = piece(code) else { continue };
            let (most, letter) = (SET[kind as usize], LETTERS[kind as usize]);
            if set.count() > most {
                let who = PLAYERS[side(colour).index()];
                let message = format!("{who} has too many {letter}: a set has {most}");
                return Err(TextError::new(message, board));
            }
            set.cells().for_each(|cell| s.put(cell, code));
        }
        match s.cells {
            [0, 0] => Err(TextError::new("there are no pieces", board)),
            _ => Ok(s),
        }
    }

    fn draw(&self, s: &State) -> String {
        self.grid.draw(|cell| SYMBOLS[s.at(cell) as usize])
    }
}

#[cfg(test)]
mod tests;
