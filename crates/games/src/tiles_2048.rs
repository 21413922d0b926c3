//! 2048 on a small board (G. Cirulli, 2014).
//!
//! One player pushes all tiles to one side. Tiles of the same number that meet become one of their sum,
//! each tile once a push. Then chance puts a tile on an empty cell, all cells equally often: a 2 nine
//! times out of ten, or a 4. The game begins with two such tiles. It is over when a tile has the target,
//! or when no push changes anything; the outcome is the largest tile.

use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{Agent, Game, Guide, Notation, Outcome, Scale, Side, TextError, Turn};

use crate::board::{Grid, as_written, read_mover};
use crate::options::{Options, Value};
use crate::registry::{Entry, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "2048",
    "ROWSxCOLUMNS[,TARGET] (2x2,32)",
    "One player pushes tiles together, chance adds a 2 or a 4; the score is the largest tile",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let values = options.values();
    if values.len() > 2 {
        let message = "there are at most two options: ROWSxCOLUMNS,TARGET";
        return Err(GameError::Spec(options.error(message)));
    }
    let size = values.first().map_or(Ok((2, 2)), |value| value.size((2, 2)))?;
    options.check_cells(size, 2, MOST_CELLS)?;
    // On n cells no tile is larger than 2^(n + 1): 4, 4, 8, 16, … fill the board.
    let largest = 1 << (size.0 * size.1 + 1).min(MOST_POWER);
    let target = match values.get(1) {
        None => largest.min(32),
        Some(value) => match value.number(8, largest)? {
            n if n.is_power_of_two() => n,
            n => return Err(GameError::Spec(value.error(format!("{n} is not a power of two")))),
        },
    };
    Ok(Opened::pictured(Tiles::new(size.0, size.1, target), Tiles::scene))
}

/// The most cells of a board.
pub const MOST_CELLS: u32 = 16;
/// The power of the largest tile: four bits hold it.
const MOST_POWER: u32 = 15;

/// A board and a target.
#[derive(Clone, Debug)]
pub struct Tiles {
    grid: Grid<u64>,
    /// The power of the target.
    target: u32,
}

/// The power of the tile on each cell, four bits each, and how many tiles chance adds before the player
/// moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    cells: u64,
    adds: u8,
}

foregone_model::stored!(State { cells, adds });

/// There is nobody on the other side.
const PLAYERS: [&str; 2] = ["player", "nobody"];
/// Who is to move: the player, or chance with so many tiles.
const MOVERS: [&str; 3] = ["player", "tile", "two-tiles"];
const PUSHES: [&str; 4] = ["left", "right", "up", "down"];
/// Tiles of chance come behind this: a cell times two, and whether it is a 4.
const ADDS: u8 = 4;

impl State {
    #[inline]
    fn at(self, cell: u32) -> u32 {
        (self.cells >> (4 * cell)) as u32 & 15
    }

    #[inline]
    fn put(&mut self, cell: u32, power: u32) {
        self.cells = self.cells & !(15 << (4 * cell)) | u64::from(power) << (4 * cell);
    }
}

impl Tiles {
    /// A board of 2 to 16 cells, and a target that is a power of two of at least 8.
    pub fn new(rows: u32, cols: u32, target: u32) -> Tiles {
        assert!(
            rows * cols <= MOST_CELLS && target >= 8 && target.is_power_of_two(),
            "tiles that fit"
        );
        Tiles { grid: Grid::new(rows, cols), target: target.ilog2() }
    }

    fn cells(&self) -> u32 {
        self.grid.rows * self.grid.cols
    }

    /// The power of the largest tile.
    #[inline]
    fn largest(&self, s: &State) -> u32 {
        (0..self.cells()).map(|cell| s.at(cell)).max().unwrap_or(0)
    }

    /// The cells of a line in the direction of a push, the one that tiles go to first.
    #[inline]
    fn line(&self, push: u8, line: u32) -> impl Iterator<Item = u32> + use<> {
        let Grid { rows, cols, .. } = self.grid;
        let length = if push < 2 { cols } else { rows };
        (0..length).map(move |i| match push {
            0 => line * cols + i,
            1 => line * cols + cols - 1 - i,
            2 => (rows - 1 - i) * cols + line,
            _ => i * cols + line,
        })
    }

    /// The board after a push, which may have changed nothing.
    fn pushed(&self, s: &State, push: u8) -> State {
        let mut next = State { cells: 0, adds: s.adds };
        let lines = if push < 2 { self.grid.rows } else { self.grid.cols };
        for line in 0..lines {
            let mut free = self.line(push, line);
            // The last tile put down that may still become one with the next, and its cell.
            let mut last: Option<(u32, u32)> = None;
            for cell in self.line(push, line) {
                let power = s.at(cell);
                match last {
                    _ if power == 0 => {}
                    Some((to, same)) if same == power => {
                        next.put(to, power + 1);
                        last = None;
                    }
                    _ => {
                        if let Some(to) = free.next() {
                            next.put(to, power);
                            last = Some((to, power));
                        }
                    }
                }
            }
        }
        next
    }

    fn can_push(&self, s: &State) -> bool {
        (0..4).any(|push| self.pushed(s, push) != *s)
    }

    fn number(power: u32) -> u32 {
        1 << power
    }

    fn word(&self, s: &State, cell: u32) -> String {
        match s.at(cell) {
            0 => ".".to_owned(),
            power => Tiles::number(power).to_string(),
        }
    }
}

impl Game for Tiles {
    type State = State;
    /// A push, or behind `ADDS` a tile of chance.
    type Move = u8;

    /// The largest tile: 2, 4, … up to the target.
    fn scale(&self) -> Scale {
        Scale::numbers((1..=self.target).map(|power| i64::from(Tiles::number(power))).collect())
    }

    fn start(&self) -> State {
        State { cells: 0, adds: 2 }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        if s.adds > 0 {
            Turn::Chance
        } else if self.largest(s) >= self.target || !self.can_push(s) {
            Turn::Over
        } else {
            Turn::Agent(Side::Max.agent())
        }
    }

    #[inline]
    fn moves(&self, s: &State, _agent: Agent, out: &mut Vec<u8>) {
        if s.adds == 0 {
            return out.extend((0..4).filter(|&push| self.pushed(s, push) != *s));
        }
        for cell in (0..self.cells()).filter(|&cell| s.at(cell) == 0) {
            out.extend([0, 1].map(|four| ADDS + 2 * cell as u8 + four));
        }
    }

    #[inline]
    fn play(&self, s: &mut State, _agent: Agent, m: u8) {
        match m.checked_sub(ADDS) {
            Some(tile) => {
                s.put(u32::from(tile / 2), u32::from(1 + tile % 2));
                s.adds -= 1;
            }
            None => {
                *s = self.pushed(s, m);
                // With the target on the board nothing is added.
                s.adds = u8::from(self.largest(s) < self.target);
            }
        }
    }

    #[inline]
    fn outcome(&self, s: &State) -> Outcome {
        Outcome(self.largest(s).clamp(1, self.target) as u16 - 1)
    }

    fn has_chance(&self) -> bool {
        true
    }

    #[inline]
    fn weight(&self, _s: &State, m: u8) -> u64 {
        if m.wrapping_sub(ADDS).is_multiple_of(2) { 9 } else { 1 }
    }
}

impl Guide for Tiles {
    type Packed = Self::State;

    foregone_model::stored_by_parts!();

    #[inline]
    fn pack(&self, s: &Self::State) -> Self::State {
        *s
    }
}

impl Tiles {
    /// A picture of a position.
    fn scene(&self, s: &State) -> Scene {
        const PAINTS: [Paint; 4] = [Paint::Light, Paint::Wood, Paint::Yellow, Paint::Orange];
        let paint = |row: u32, col: u32| match s.at(row * self.grid.cols + col) {
            0 => Paint::Plain,
            power => PAINTS[(power as usize - 1).min(3)],
        };
        let mut scene = self.grid.painted(paint, |cell| {
            let tile = s.at(cell) > 0;
            tile.then(|| (Glyph::Word(self.word(s, cell)), Paint::Ink))
        });
        // A push touches the cells that tiles go to.
        for (push, word) in (0..).zip(PUSHES) {
            let lines = if push < 2 { self.grid.rows } else { self.grid.cols };
            let edge = (0..lines).filter_map(|line| self.line(push, line).next());
            scene.touch(PLAYERS[0], word, edge.map(|cell| cell as usize), false);
        }
        scene
    }
}

impl Notation for Tiles {
    fn name(&self) -> String {
        let Grid { rows, cols, .. } = self.grid;
        format!("2048:{rows}x{cols},{}", Tiles::number(self.target))
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn one_player(&self) -> bool {
        true
    }

    /// `left`, `right`, `up`, `down`; a tile of chance is `a1=2`.
    fn write_move(&self, _s: &State, m: u8, out: &mut String) {
        match m.checked_sub(ADDS) {
            None => out.push_str(PUSHES[usize::from(m)]),
            Some(tile) => {
                self.grid.write_cell(u32::from(tile / 2), out);
                out.push_str(["=2", "=4"][usize::from(tile % 2)]);
            }
        }
    }

    fn parse_move(&self, _s: &State, text: &str) -> Option<u8> {
        if let Some(push) = PUSHES.iter().position(|&push| push == text) {
            return Some(push as u8);
        }
        let (cell, rest) = self.grid.parse_cell(text)?;
        let four = ["=2", "=4"].iter().position(|&tile| tile == rest)?;
        Some(ADDS + 2 * cell as u8 + four as u8)
    }

    /// The rows from the top, tiles between commas, and who is to move: `2,./4,2 tile`.
    fn write_position(&self, s: &State, out: &mut String) {
        for (i, row) in self.grid.rows_from_top().enumerate() {
            out.push_str(if i > 0 { "/" } else { "" });
            let words: Vec<String> = row.map(|cell| self.word(s, cell)).collect();
            out.push_str(&words.join(","));
        }
        out.push(' ');
        out.push_str(MOVERS[usize::from(s.adds)]);
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let (board, mover) = read_mover(text, &MOVERS)?;
        let mut s = State { cells: 0, adds: mover as u8 };
        let rows = Value { text: board, at: 0 }.split('/');
        let Grid { rows: height, cols, .. } = self.grid;
        if rows.len() != height as usize {
            let message = format!("expected {height} rows separated by `/`, found {}", rows.len());
            return Err(TextError::new(message, 0..board.len()));
        }
        for (row, cells) in rows.iter().zip(self.grid.rows_from_top()) {
            let words = row.split(',');
            if words.len() != cols as usize {
                return Err(
                    row.error(format!("this row has {} cells, expected {cols}", words.len()))
                );
            }
            for (word, cell) in words.iter().zip(cells) {
                if word.text == "." {
                    continue;
                }
                match word.number(2, Tiles::number(self.target))? {
                    n if n.is_power_of_two() => s.put(cell, n.ilog2()),
                    n => return Err(word.error(format!("{n} is not a power of two"))),
                }
            }
        }
        let free = (0..self.cells()).filter(|&cell| s.at(cell) == 0).count();
        let full = self.largest(&s) >= self.target;
        if free < usize::from(s.adds) || full && s.adds > 0 || s.cells == 0 && s.adds < 2 {
            let message = match s.cells {
                0 => "an empty board gets two tiles first",
                _ if full => "the target is there: nothing is added",
                _ => "there is no room for another tile",
            };
            return Err(TextError::new(message, board.len() + 1..text.len()));
        }
        as_written(self, s, text)
    }

    fn draw(&self, s: &State) -> String {
        let longest = self.word(&State { cells: self.target.into(), adds: 0 }, 0).len();
        let mut out = String::new();
        for (row, cells) in (1..=self.grid.rows).rev().zip(self.grid.rows_from_top()) {
            out.push_str(&format!("{row:>3} "));
            for cell in cells {
                out.push_str(&format!(" {:>longest$}", self.word(s, cell)));
            }
            out.push('\n');
        }
        out.push_str("    ");
        for col in 0..self.grid.cols {
            let mut name = String::new();
            crate::board::write_column(col, &mut name);
            out.push_str(&format!(" {name:>longest$}"));
        }
        out.push('\n');
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance_testing::{after, end, laws, listed, value_at_start};
    use crate::{chance_testing, testing};

    #[test]
    fn positions_keep_the_laws_of_chance() {
        for (rows, cols, target) in [(1, 2, 8), (2, 2, 32), (2, 3, 16), (4, 4, 2048), (1, 16, 8)] {
            laws(&Tiles::new(rows, cols, target), 10);
        }
        let cases = [
            ("2,2/.,.", 7..7),
            ("2,2 player", 0..3),
            ("2,2,2/.,. player", 0..5),
            ("2,3/.,. player", 2..3),
            ("2,64/.,. player", 2..4),
            ("2,4/4,2 tile", 8..12),
            ("32,4/.,2 tile", 9..13),
            (".,./.,. tile", 8..12),
            ("2,02/.,. player", 0..15),
        ];
        chance_testing::mistakes_show_their_place(&Tiles::new(2, 2, 32), &cases);
    }

    #[test]
    fn tiles_are_pushed_together_once() {
        let game = Tiles::new(1, 4, 32);
        for (row, left, right) in [
            ("2,2,2,2", "4,4,.,.", ".,.,4,4"),
            ("2,.,2,4", "4,4,.,.", ".,.,4,4"),
            ("4,2,2,.", "4,4,.,.", ".,.,4,4"),
            ("2,2,2,.", "4,2,.,.", ".,.,2,4"),
            (".,.,.,8", "8,.,.,.", ""),
            ("2,4,2,.", "", ".,2,4,2"),
        ] {
            let legal = listed(&game, &format!("{row} player"));
            for (push, result) in [("left", left), ("right", right)] {
                assert_eq!(legal.contains(push), !result.is_empty(), "{row} {push}");
                if !result.is_empty() {
                    let found = after(&game, &format!("{row} player"), push);
                    assert_eq!(found, format!("{result} tile"), "{row} {push}");
                }
            }
        }
        let game = Tiles::new(2, 2, 32);
        assert_eq!(after(&game, "2,4/2,. player", "up"), "4,4/.,. tile");
        assert_eq!(after(&game, "2,4/2,. player", "down"), ".,./4,4 tile");
        assert_eq!(after(&game, "2,4/2,. player", "right a1=2"), "2,4/2,2 player");
    }

    #[test]
    fn chance_adds_tiles_and_the_target_ends_it() {
        let game = Tiles::new(2, 2, 16);
        assert_eq!(listed(&game, "2,4/.,8 tile"), "a1=2x9 a1=4x1");
        assert_eq!(after(&game, ".,./.,. two-tiles", "a1=2 b2=4"), ".,4/2,. player");
        assert_eq!(end(&game, "8,8/2,. player", "left"), "16");
        assert_eq!(end(&game, "2,4/8,. tile", "b1=2"), "8");
        // Full, but a push still changes it.
        assert_eq!(listed(&game, "2,4/8,4 player"), "up down");
        let counts = [1, 2, 3, 4].map(|n| testing::perft(&game, &game.start(), n));
        assert_eq!(counts, [8, 48, 128, 576]);
    }

    /// The values of problems/chance.py.
    #[test]
    fn boards_are_worth_what_they_were() {
        for (rows, cols, target, value) in [
            (1, 2, 8, "1091/250"),
            (1, 3, 16, "16647831/2500000"),
            (2, 2, 8, "8"),
            (2, 2, 16, "1570009003/100000000"),
        ] {
            assert_eq!(value_at_start(&Tiles::new(rows, cols, target)), value, "{rows}x{cols}");
        }
    }
}
