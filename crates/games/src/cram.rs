//! Cram (S. Golomb and others; M. Gardner, 1974): Domineering in which everybody may place everything.
//!
//! A player covers two free cells that share an edge with a domino. Who cannot move loses.

use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{Agent, Game, Guide, NormalPlay, Notation, Outcome, Side, TextError, Turn};

use crate::board::{Grid, Word};
use crate::options::Options;
use crate::registry::{Entry, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "cram",
    "ROWSxCOLUMNS (4x5)",
    "Place a domino on any two free cells side by side; a player who cannot move loses",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let (rows, cols) = options.size((4, 5))?;
    Ok(match options.fits_64((rows, cols), |rows, cols| rows * cols)? {
        true => Opened::normal_play(Cram::<u64>::new(rows, cols), Cram::scene),
        false => Opened::normal_play(Cram::<u128>::new(rows, cols), Cram::scene),
    })
}

/// Cram on a rectangular board.
#[derive(Clone, Debug)]
pub struct Cram<W> {
    grid: Grid<W>,
}

/// The covered cells and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    covered: W,
    turn: Side,
}

foregone_model::stored!(State<W: Word> { covered, turn });

const PLAYERS: [&str; 2] = ["left", "right"];

impl<W: Word> Cram<W> {
    /// A board of this size; it must fit into the word.
    pub fn new(rows: u32, cols: u32) -> Cram<W> {
        Cram { grid: Grid::new(rows, cols) }
    }

    /// The lower or left cells of all dominoes that can be placed flat, and upright.
    #[inline]
    fn places(&self, s: &State<W>) -> [W; 2] {
        let free = self.grid.full & !s.covered;
        [free & self.grid.west(free), free & self.grid.south(free)]
    }

    #[inline]
    fn domino(&self, m: u8) -> W {
        let cell = W::bit(u32::from(m / 2));
        cell | if m.is_multiple_of(2) { self.grid.east(cell) } else { self.grid.north(cell) }
    }
}

impl<W: Word> Game for Cram<W> {
    type State = State<W>;
    /// Twice the lower or left cell of the domino, and 1 more if it stands upright.
    type Move = u8;

    fn start(&self) -> State<W> {
        State { covered: W::ZERO, turn: Side::Max }
    }

    #[inline]
    fn turn(&self, s: &State<W>) -> Turn {
        let [flat, upright] = self.places(s);
        if (flat | upright).is_empty() { Turn::Over } else { Turn::Agent(s.turn.agent()) }
    }

    #[inline]
    fn moves(&self, s: &State<W>, _agent: Agent, out: &mut Vec<u8>) {
        let [flat, upright] = self.places(s);
        out.extend(flat.cells().map(|cell| cell as u8 * 2));
        out.extend(upright.cells().map(|cell| cell as u8 * 2 + 1));
    }

    #[inline]
    fn play(&self, s: &mut State<W>, agent: Agent, m: u8) {
        s.covered = s.covered | self.domino(m);
        s.turn = Side::of(agent).other();
    }

    #[inline]
    fn outcome(&self, s: &State<W>) -> Outcome {
        if s.turn == Side::Max { Outcome::LOSS } else { Outcome::WIN }
    }
}

impl<W: Word> Guide for Cram<W> {
    type Packed = W;

    foregone_model::stored_by_parts!();

    /// Who is to move follows from the number of dominoes in all positions of one search.
    #[inline]
    fn pack(&self, s: &State<W>) -> W {
        s.covered
    }

    #[inline]
    fn mobility(&self, s: &State<W>, _agent: Agent) -> u32 {
        self.places(s).iter().map(|places| places.count()).sum()
    }

    #[inline]
    fn canonical(&self, s: &State<W>) -> State<W> {
        let [covered] = self.grid.least_image([s.covered]);
        State { covered, turn: s.turn }
    }
}

impl<W: Word> Cram<W> {
    /// A picture of a position.
    fn scene(&self, s: &State<W>) -> Scene {
        let mut scene =
            self.grid.squares(|cell| s.covered.has(cell).then_some((Glyph::Block, Paint::Wall)));
        let mut moves = Vec::new();
        self.moves(s, s.turn.agent(), &mut moves);
        for m in moves {
            let cells = self.domino(m).cells().map(|c| c as usize);
            scene.touch(PLAYERS[s.turn.index()], self.move_text(s, m), cells, false);
        }
        scene
    }
}

impl<W: Word> Notation for Cram<W> {
    fn name(&self) -> String {
        format!("cram:{}x{}", self.grid.rows, self.grid.cols)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn write_move(&self, _s: &State<W>, m: u8, out: &mut String) {
        for cell in self.domino(m).cells() {
            self.grid.write_cell(cell, out);
        }
    }

    fn parse_move(&self, _s: &State<W>, text: &str) -> Option<u8> {
        let (cell, rest) = self.grid.parse_cell(text)?;
        let other = self.grid.parse_whole_cell(rest)?;
        let whole = W::bit(cell) | W::bit(other);
        let ways = [cell as u8 * 2, cell as u8 * 2 + 1];
        ways.into_iter().find(|&m| cell < other && self.domino(m) == whole)
    }

    fn write_position(&self, s: &State<W>, out: &mut String) {
        self.grid.write_rows(|c| if s.covered.has(c) { '#' } else { '.' }, out);
        out.push(' ');
        out.push_str(PLAYERS[s.turn.index()]);
    }

    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        let (sets, mover) = self.grid.read_rows(text, &['.', '#'], &PLAYERS)?;
        Ok(State { covered: sets[1], turn: [Side::Max, Side::Min][mover] })
    }

    fn draw(&self, s: &State<W>) -> String {
        self.grid.draw(|c| if s.covered.has(c) { '#' } else { '.' })
    }
}

impl<W: Word> NormalPlay for Cram<W> {
    fn with_turn(&self, s: &State<W>, side: Side) -> State<W> {
        State { turn: side, ..*s }
    }

    /// Connected free cells, without those that no domino can cover.
    fn split(&self, s: &State<W>, out: &mut Vec<State<W>>) {
        let grid = &self.grid;
        let mut free = grid.full & !s.covered;
        while !free.is_empty() {
            let part = grid.flood(W::bit(free.lowest()), free);
            free = free & !part;
            if part.count() > 1 {
                let [cells] = grid.least_in_corner([part], true);
                out.push(State { covered: grid.full & !cells, turn: Side::Max });
            }
        }
    }

    fn negative(&self, part: &State<W>) -> Option<State<W>> {
        Some(*part)
    }

    fn impartial(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::Rng;

    use super::*;
    use crate::normal_play_testing as normal_play;
    use crate::testing::{self, COLUMNS, DIAGONAL, ROWS};

    #[test]
    fn parts_add_up() {
        let mut rng = Rng::new(2);
        for (rows, cols) in [(1, 7), (7, 1), (3, 3), (4, 5), (8, 8)] {
            let game = Cram::<u64>::new(rows, cols);
            normal_play::laws_hold(&game, 3);
            // Any cells may be blocked.
            let random = |rng: &mut Rng| rng.bits() & game.grid.full;
            let blocked = (0..30).map(|_| State { covered: random(&mut rng), turn: Side::Min });
            normal_play::laws(&game, &blocked.collect::<Vec<_>>());
        }
        normal_play::laws_hold(&Cram::<u128>::new(9, 14), 1);
    }

    #[test]
    fn texts_round_trip() {
        for (rows, cols) in [(1, 64), (5, 6), (8, 8)] {
            testing::texts_round_trip(&Cram::<u64>::new(rows, cols), 5);
        }
        testing::texts_round_trip(&Cram::<u128>::new(1, 128), 3);
        testing::nonsense_is_refused(&Cram::<u64>::new(4, 4));
    }

    #[test]
    fn images_are_alike() {
        testing::images_are_alike(&Cram::<u64>::new(3, 4), 20, &[COLUMNS, ROWS], 4, true);
        let images = [COLUMNS, ROWS, DIAGONAL];
        testing::images_are_alike(&Cram::<u64>::new(4, 4), 20, &images, 8, true);
    }
}
