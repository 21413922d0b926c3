//! Battle sheep (F. Scapini), also called splits, from herds that already stand.
//!
//! Herds stand on a board whose cells touch six others: the four beside it, the one above and to the
//! right, and the one below and to the left. A move splits a herd of one's own: any number of its sheep,
//! but not all, run in one of six directions as far as they can, over empty cells only. A player who
//! cannot move loses.

use foregone_model::number::counted;
use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{
    Agent, Character, Game, Guide, NormalPlay, Notation, Outcome, Side, TextError, Turn,
};

use crate::board::{Grid, read_mover};
use crate::options::Options;
use crate::registry::{Entry, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "sheep",
    "ROWSxCOLUMNS[,SHEEP] (4x4,4)",
    "Split a herd, whose part runs as far as it can; a player who cannot move loses",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let ((rows, cols), [sheep]) =
        options.size_and_numbers((4, 4), [(4, 1, u32::from(MOST_SHEEP))])?;
    options.check_cells((rows, cols), 1, MOST_CELLS as u32)?;
    Ok(Opened::normal_play(Sheep::new(rows, cols, sheep as u8), Sheep::scene))
}

const MOST_CELLS: usize = 64;

/// How many sheep a herd has at most.
pub const MOST_SHEEP: u8 = 50;

/// Battle sheep on a board of rows that are shifted against each other, from one herd each in opposite
/// corners.
#[derive(Clone, Debug)]
pub struct Sheep {
    grid: Grid<u64>,
    sheep: i8,
}

/// The herds, those of Min as negative numbers, the cells that are blocked, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    herds: [i8; MOST_CELLS],
    blocked: u64,
    turn: Side,
}

foregone_model::stored!(State { herds, blocked, turn });

/// So many sheep of a herd run to a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Run {
    from: u8,
    to: u8,
    sheep: u8,
}

foregone_model::stored!(Run { from, to, sheep });

const PLAYERS: [&str; 2] = ["black", "white"];

/// Rows and columns to the next cell in each of the six directions, row 1 below.
const DIRECTIONS: [(i32, i32); 6] = [(1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1)];

impl Sheep {
    /// A board of this size, of at most 64 cells, with so many sheep a player, at most [`MOST_SHEEP`].
    pub fn new(rows: u32, cols: u32, sheep: u8) -> Sheep {
        assert!((1..=MOST_SHEEP).contains(&sheep), "a number of sheep that fits");
        Sheep { grid: Grid::new(rows, cols), sheep: sheep as i8 }
    }

    fn cells(&self) -> usize {
        (self.grid.rows * self.grid.cols) as usize
    }

    /// The cell beside another one, if it is on the board.
    fn beside(&self, cell: usize, (up, right): (i32, i32)) -> Option<usize> {
        let (rows, cols) = (self.grid.rows as i32, self.grid.cols as i32);
        let (row, col) = (cell as i32 / cols + up, cell as i32 % cols + right);
        let inside = (0..rows).contains(&row) && (0..cols).contains(&col);
        inside.then_some((row * cols + col) as usize)
    }

    fn is_empty(s: &State, cell: usize) -> bool {
        s.herds[cell] == 0 && !s.blocked.has_cell(cell)
    }

    /// Where sheep come to that run from a cell in a direction, if they can.
    fn end(&self, s: &State, from: usize, direction: (i32, i32)) -> Option<usize> {
        let next = |at| self.beside(at, direction).filter(|&cell| Self::is_empty(s, cell));
        std::iter::successors(next(from), |&at| next(at)).last()
    }

    /// Calls for all moves of an agent.
    fn runs(&self, s: &State, agent: Agent, mut each: impl FnMut(Run)) {
        for from in 0..self.cells() {
            let herd = s.herds[from];
            if Side::of(agent) == Side::Max && herd < 2 || Side::of(agent) == Side::Min && herd > -2
            {
                continue;
            }
            for to in DIRECTIONS.iter().filter_map(|&way| self.end(s, from, way)) {
                for sheep in 1..herd.unsigned_abs() {
                    each(Run { from: from as u8, to: to as u8, sheep });
                }
            }
        }
    }

    fn can_move(&self, s: &State, agent: Agent) -> bool {
        let mut any = false;
        self.runs(s, agent, |_| any = true);
        any
    }

    /// Cells that hold an empty cell or a herd that can still be split.
    fn open(&self, s: &State) -> u64 {
        let open = |&cell: &usize| s.herds[cell].abs() != 1 && !s.blocked.has_cell(cell);
        (0..self.cells()).filter(open).fold(0, |set, cell| set | 1 << cell)
    }

    /// What stands on these cells, in a normal place. Turned by half, and with rows and columns exchanged
    /// if there is room for that, it is the same.
    fn part(&self, s: &State, cells: u64) -> State {
        let (rows, cols) = (self.grid.rows as i32, self.grid.cols as i32);
        let mut least: Option<State> = None;
        for image in 0..4 {
            let placed: Vec<(i32, i32, i8)> = (0..self.cells())
                .filter(|&cell| cells.has_cell(cell))
                .map(|cell| {
                    let (row, col) = (cell as i32 / cols, cell as i32 % cols);
                    let (row, col) = if image & 1 == 0 { (row, col) } else { (-row, -col) };
                    let (row, col) = if image & 2 == 0 { (row, col) } else { (col, row) };
                    (row, col, s.herds[cell])
                })
                .collect();
            let low = placed.iter().map(|&(row, _, _)| row).min().unwrap_or(0);
            let left = placed.iter().map(|&(_, col, _)| col).min().unwrap_or(0);
            if placed.iter().any(|&(row, col, _)| row - low >= rows || col - left >= cols) {
                continue;
            }
            let mut part =
                State { herds: [0; MOST_CELLS], blocked: self.grid.full, turn: Side::Max };
            for (row, col, herd) in placed {
                let cell = ((row - low) * cols + col - left) as usize;
                part.herds[cell] = herd;
                part.blocked &= !(1 << cell);
            }
            let key = |s: &State| (s.herds, s.blocked);
            if least.as_ref().is_none_or(|least| key(&part) < key(least)) {
                least = Some(part);
            }
        }
        least.unwrap_or(*s)
    }

    fn word(s: &State, cell: usize) -> String {
        match s.herds[cell] {
            0 if s.blocked.has_cell(cell) => "#".to_owned(),
            0 => ".".to_owned(),
            herd => herd.to_string(),
        }
    }

    /// A picture of a position: rows of hexagons, each half a cell to the left of the one below.
    fn scene(&self, s: &State) -> Scene {
        const ROW: f64 = 0.866_025_403_784_438_6;
        let mut scene = Scene::new();
        for cell in 0..self.cells() {
            let (row, col) = (cell as u32 / self.grid.cols, cell as u32 % self.grid.cols);
            let down = f64::from(self.grid.rows - 1 - row);
            let at = [f64::from(col) + down / 2.0, down * ROW];
            let mut name = String::new();
            self.grid.write_cell(cell as u32, &mut name);
            let blocked = s.blocked.has_cell(cell);
            let number = scene.hexagon(name, at, if blocked { Paint::Wall } else { Paint::Plain });
            let herd = s.herds[cell];
            if herd != 0 {
                let paint = if herd > 0 { Paint::Blue } else { Paint::Red };
                scene.piece(number, Glyph::Word(herd.to_string()), paint);
            }
        }
        self.runs(s, s.turn.agent(), |m| {
            let cells = [usize::from(m.from), usize::from(m.to)];
            scene.touch(PLAYERS[s.turn.index()], self.move_text(s, m), cells, true);
        });
        scene
    }
}

/// Sets of cells in a word.
trait HasCell {
    fn has_cell(self, cell: usize) -> bool;
}

impl HasCell for u64 {
    fn has_cell(self, cell: usize) -> bool {
        self >> cell & 1 != 0
    }
}

impl Game for Sheep {
    type State = State;
    type Move = Run;

    /// Max's herd stands on the first cell, Min's on the last.
    fn start(&self) -> State {
        let mut herds = [0; MOST_CELLS];
        herds[self.cells() - 1] = -self.sheep;
        herds[0] = self.sheep;
        State { herds, blocked: 0, turn: Side::Max }
    }

    fn turn(&self, s: &State) -> Turn {
        let agent = s.turn.agent();
        if self.can_move(s, agent) { Turn::Agent(agent) } else { Turn::Over }
    }

    fn moves(&self, s: &State, agent: Agent, out: &mut Vec<Run>) {
        self.runs(s, agent, |m| out.push(m));
    }

    fn play(&self, s: &mut State, agent: Agent, m: Run) {
        let side = Side::of(agent);
        let sheep = if side == Side::Max { m.sheep as i8 } else { -(m.sheep as i8) };
        s.herds[usize::from(m.from)] -= sheep;
        s.herds[usize::from(m.to)] += sheep;
        s.turn = side.other();
    }

    fn outcome(&self, s: &State) -> Outcome {
        if s.turn == Side::Max { Outcome::LOSS } else { Outcome::WIN }
    }
}

impl Guide for Sheep {
    type Packed = [i8; MOST_CELLS];

    foregone_model::stored_by_parts!();

    fn character(&self) -> Character {
        Character::Mobile
    }

    /// Who is to move follows from the number of herds in all positions of one search.
    fn pack(&self, s: &State) -> [i8; MOST_CELLS] {
        s.herds
    }

    fn mobility(&self, s: &State, agent: Agent) -> u32 {
        let mut count = 0;
        self.runs(s, agent, |_| count += 1);
        count
    }
}

impl Notation for Sheep {
    fn name(&self) -> String {
        format!("sheep:{}x{},{}", self.grid.rows, self.grid.cols, self.sheep)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn write_move(&self, _s: &State, m: Run, out: &mut String) {
        self.grid.write_cell(u32::from(m.from), out);
        out.push('-');
        self.grid.write_cell(u32::from(m.to), out);
        out.push_str(&format!("-{}", m.sheep));
    }

    fn parse_move(&self, s: &State, text: &str) -> Option<Run> {
        let (from, rest) = self.grid.parse_cell(text)?;
        let (to, rest) = self.grid.parse_cell(rest.strip_prefix('-')?)?;
        let sheep = rest.strip_prefix('-')?.parse().ok()?;
        let m = Run { from: from as u8, to: to as u8, sheep };
        // One text a move: no signs, no leading zeros.
        (self.move_text(s, m) == text).then_some(m)
    }

    fn write_position(&self, s: &State, out: &mut String) {
        for (i, row) in self.grid.rows_from_top().enumerate() {
            if i > 0 {
                out.push('/');
            }
            let words: Vec<String> = row.map(|cell| Self::word(s, cell as usize)).collect();
            out.push_str(&words.join(","));
        }
        out.push(' ');
        out.push_str(PLAYERS[s.turn.index()]);
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let (board, mover) = read_mover(text, &PLAYERS)?;
        let mut s =
            State { herds: [0; MOST_CELLS], blocked: 0, turn: [Side::Max, Side::Min][mover] };
        let rows: Vec<&str> = board.split('/').collect();
        if rows.len() != self.grid.rows as usize {
            let expected = counted(u64::from(self.grid.rows), "row");
            let message = format!("expected {expected} separated by `/`, found {}", rows.len());
            return Err(TextError::new(message, 0..board.len()));
        }
        let mut at = 0;
        for (row, cells) in rows.into_iter().zip(self.grid.rows_from_top()) {
            let words: Vec<&str> = row.split(',').collect();
            if words.len() != cells.len() {
                let expected = counted(cells.len() as u64, "cell");
                let message =
                    format!("this row has {}, expected {expected} separated by `,`", words.len());
                return Err(TextError::new(message, at..at + row.len()));
            }
            for (word, cell) in words.into_iter().zip(cells) {
                let cell = cell as usize;
                match word {
                    "." => {}
                    "#" => s.blocked |= 1 << cell,
                    _ => s.herds[cell] = Self::herd(word, at)?,
                }
                at += word.len() + 1;
            }
        }
        Ok(s)
    }

    fn draw(&self, s: &State) -> String {
        let mut out = String::new();
        for (down, row) in self.grid.rows_from_top().enumerate() {
            let number = self.grid.rows as usize - down;
            out.push_str(&format!("{number:>3} {}", "  ".repeat(down)));
            for cell in row {
                out.push_str(&format!("{:>4}", Self::word(s, cell as usize)));
            }
            out.push('\n');
        }
        out
    }
}

impl Sheep {
    /// The herd that a word of a position says; the word stands at this place.
    fn herd(word: &str, at: usize) -> Result<i8, TextError> {
        let fits = |n: &i8| *n != 0 && n.unsigned_abs() <= MOST_SHEEP && n.to_string() == word;
        word.parse().ok().filter(fits).ok_or_else(|| {
            let message = format!(
                "`{word}` is not a cell of this game, expected `.`, `#`, or a number of sheep up to \
                 {MOST_SHEEP}, below 0 for white"
            );
            TextError::new(message, at..at + word.len())
        })
    }
}

impl NormalPlay for Sheep {
    fn with_turn(&self, s: &State, side: Side) -> State {
        State { turn: side, ..*s }
    }

    /// Cells that touch each other, without single sheep, which only block their cell.
    fn split(&self, s: &State, out: &mut Vec<State>) {
        let mut rest = self.open(s);
        while rest != 0 {
            let mut part = rest & rest.wrapping_neg();
            let mut todo = vec![rest.trailing_zeros() as usize];
            while let Some(cell) = todo.pop() {
                for next in DIRECTIONS.iter().filter_map(|&way| self.beside(cell, way)) {
                    if rest.has_cell(next) && !part.has_cell(next) {
                        part |= 1 << next;
                        todo.push(next);
                    }
                }
            }
            rest &= !part;
            let cells = || (0..self.cells()).filter(|&cell| part.has_cell(cell));
            if cells().any(|cell| s.herds[cell] != 0) && cells().any(|cell| s.herds[cell] == 0) {
                out.push(self.part(s, part));
            }
        }
    }

    fn negative(&self, part: &State) -> Option<State> {
        let negative = State { herds: part.herds.map(|herd| -herd), ..*part };
        Some(self.part(&negative, self.grid.full & !part.blocked))
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::{Rng, Typed};

    use super::*;
    use crate::normal_play_testing::{laws, laws_hold};
    use crate::testing;

    #[test]
    fn parts_add_up() {
        laws_hold(&Sheep::new(4, 4, 6), 10);
        laws_hold(&Sheep::new(2, 7, 9), 5);
        let mut rng = Rng::new(2);
        for (rows, cols) in [(1, 7), (4, 4), (3, 5), (6, 4)] {
            let game = Sheep::new(rows, cols, 1);
            let random = |rng: &mut Rng| {
                let mut cell = || [".", ".", "#", "#", "1", "-1", "3", "-2"][rng.below(8) as usize];
                let mut row = || (0..cols).map(|_| cell()).collect::<Vec<_>>().join(",");
                let rows: Vec<String> = (0..rows).map(|_| row()).collect();
                game.read_position(&format!("{} black", rows.join("/"))).unwrap()
            };
            laws(&game, &(0..300).map(|_| random(&mut rng)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn sheep_run_in_six_directions_as_far_as_they_can() {
        let game = Sheep::new(5, 5, 1);
        let s =
            game.read_position(".,.,.,.,./.,.,.,.,./.,.,2,.,-1/#,.,.,.,./.,.,.,.,. black").unwrap();
        let mut moves = Vec::new();
        game.moves(&s, Agent(0), &mut moves);
        let texts: Vec<String> = moves.iter().map(|&m| game.move_text(&s, m)).collect();
        assert_eq!(texts, ["c3-c5-1", "c3-e5-1", "c3-d3-1", "c3-c1-1", "c3-a1-1", "c3-a3-1"]);
        assert!(game.read_move(&s, "c3-c4-1").is_err());
        assert!(game.read_move(&s, "c3-c5-2").is_err());
    }

    #[test]
    fn texts_round_trip() {
        testing::texts_round_trip(&Sheep::new(4, 4, 4), 20);
        testing::texts_round_trip(&Sheep::new(8, 8, 12), 2);
    }

    #[test]
    fn wrong_positions_are_refused() {
        let game = Sheep::new(1, 3, 2);
        for (text, at) in [
            ("2,. black", 0..3),
            ("2,.,./.,.,. black", 0..11),
            ("2,x,. black", 2..3),
            ("2,+1,. black", 2..4),
            ("2,.,51 black", 4..6),
            ("2,.,0 black", 4..5),
        ] {
            assert_eq!(game.read_position(text).unwrap_err().span, at, "{text}");
        }
    }
}
