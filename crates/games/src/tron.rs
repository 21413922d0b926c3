//! Tron: two light cycles move at the same time and leave walls behind; who crashes loses.
//!
//! A usual test of algorithms for games with joint moves, as in B. Bošanský, V. Lisý, M. Lanctot,
//! J. Čermák and M. Winands, *Algorithms for computing strategies in two-player simultaneous move
//! games* (2016). The cycles start in opposite corners, and each step takes both to a neighbouring
//! cell. A wall, the edge, or both on one cell is a crash; if both crash, it is a draw.
//!
//! To crash where another step is free is never better, so it is not a move; and a state is over as
//! soon as a cycle has no free cell beside it.

use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{Joint, JointNotation, Side, TextError};

use crate::board::{Grid, Word, read_cells};
use crate::options::Options;
use crate::registry::{Entry, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::joint(
    "tron",
    "ROWSxCOLUMNS (5x5)",
    "Two cycles move at once and leave walls; a crash loses, and is a draw if both crash",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let (rows, cols) = options.size((5, 5))?;
    options.check_cells((rows, cols), 2, MOST_CELLS)?;
    Ok(Opened::pictured_joint(Tron::new(rows, cols), Tron::scene))
}

/// The most cells of a board.
pub const MOST_CELLS: u32 = 64;

/// The rules for a size.
#[derive(Clone, Debug)]
pub struct Tron {
    grid: Grid<u64>,
}

/// All cells that are taken, and where the cycles of Max and Min are: on one cell if they crashed
/// into each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Walls {
    taken: u64,
    cycles: [u8; 2],
}

/// A direction, by its place in `DIRECTIONS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step(u8);

const DIRECTIONS: [&str; 4] = ["up", "down", "left", "right"];
/// Free, a wall, the cycles, and both of them.
const SYMBOLS: [char; 5] = ['.', '#', 'r', 'b', '*'];

impl Tron {
    /// The game on a board of at least two cells.
    pub fn new(rows: u32, cols: u32) -> Tron {
        assert!((2..=MOST_CELLS).contains(&(rows * cols)), "the size fits");
        Tron { grid: Grid::new(rows, cols) }
    }

    /// The cell beside a cell in a direction; nothing beyond the edge.
    fn beside(&self, cell: u8, step: Step) -> u64 {
        let cell = 1 << cell;
        match step.0 {
            0 => self.grid.north(cell),
            1 => self.grid.south(cell),
            2 => self.grid.west(cell),
            _ => self.grid.east(cell),
        }
    }
}

impl Walls {
    fn symbol(&self, cell: u32) -> char {
        let place = match self.cycles.map(|c| u32::from(c) == cell) {
            [true, true] => 4,
            [true, false] => 2,
            [false, true] => 3,
            _ => usize::from(self.taken.has(cell)),
        };
        SYMBOLS[place]
    }
}

impl Joint for Tron {
    type State = Walls;
    type Move = Step;

    fn range(&self) -> (i64, i64) {
        (-1, 1)
    }

    fn start(&self) -> Walls {
        let (rows, cols) = (self.grid.rows, self.grid.cols);
        let cycles = [(rows - 1) * cols, cols - 1];
        let taken = u64::bit(cycles[0]) | u64::bit(cycles[1]);
        Walls { taken, cycles: cycles.map(|cell| cell as u8) }
    }

    #[inline]
    fn payoff(&self, s: &Walls) -> Option<i64> {
        let [max, min] = s.cycles;
        if max == min {
            return Some(0);
        }
        let stuck = s.cycles.map(|cell| self.grid.around(1 << cell) & !s.taken == 0);
        (stuck != [false; 2]).then(|| i64::from(stuck[1]) - i64::from(stuck[0]))
    }

    #[inline]
    fn moves(&self, s: &Walls, side: Side, out: &mut Vec<Step>) {
        let cell = s.cycles[side.index()];
        out.extend((0..4).map(Step).filter(|&step| self.beside(cell, step) & !s.taken != 0));
    }

    #[inline]
    fn play(&self, s: &mut Walls, max: Step, min: Step) {
        let next = [self.beside(s.cycles[0], max), self.beside(s.cycles[1], min)];
        s.taken |= next[0] | next[1];
        s.cycles = next.map(|cell| cell.trailing_zeros() as u8);
    }
}

impl Tron {
    /// A picture of a position.
    fn scene(&self, s: &Walls) -> Scene {
        let mut scene = self.grid.squares(|cell| match s.symbol(cell) {
            '.' => None,
            'r' => Some((Glyph::Disc, Paint::Red)),
            'b' => Some((Glyph::Disc, Paint::Blue)),
            '*' => Some((Glyph::Cross, Paint::Ink)),
            _ => Some((Glyph::Block, Paint::Wall)),
        });
        for side in [Side::Max, Side::Min] {
            let from = s.cycles[side.index()];
            let mut moves = Vec::new();
            self.moves(s, side, &mut moves);
            for m in moves {
                let to = self.beside(from, m).lowest() as usize;
                let text = self.move_text(s, side, m);
                scene.touch(self.players()[side.index()], text, [usize::from(from), to], true);
            }
        }
        scene
    }
}

impl JointNotation for Tron {
    fn name(&self) -> String {
        format!("tron:{}x{}", self.grid.rows, self.grid.cols)
    }

    fn players(&self) -> [&str; 2] {
        ["red", "blue"]
    }

    fn write_move(&self, _s: &Walls, _side: Side, m: Step, out: &mut String) {
        out.push_str(DIRECTIONS[usize::from(m.0)]);
    }

    fn parse_move(&self, _s: &Walls, _side: Side, text: &str) -> Option<Step> {
        DIRECTIONS.iter().position(|&word| word == text).map(|place| Step(place as u8))
    }

    /// The rows from the top: `r##/..#/b##`, and `*` for both cycles on one cell.
    fn write_position(&self, s: &Walls, out: &mut String) {
        self.grid.write_rows(|cell| s.symbol(cell), out);
    }

    fn read_position(&self, text: &str) -> Result<Walls, TextError> {
        let cells = read_cells(text, &self.grid.row_lengths(), &SYMBOLS)?;
        let cols = self.grid.cols;
        let mut sets = [0u64; SYMBOLS.len()];
        for (i, &symbol) in cells.iter().enumerate() {
            let (row, col) = (i as u32 / cols, i as u32 % cols);
            sets[symbol] |= u64::bit((self.grid.rows - 1 - row) * cols + col);
        }
        let [free, _, red, blue, both] = sets;
        let counts = [red, blue, both].map(u64::count_ones);
        if ![[1, 1, 0], [0, 0, 1]].contains(&counts) {
            let message = "expected one `r` and one `b`, or one `*` for both";
            return Err(TextError::new(message, 0..text.len()));
        }
        let cycles = [red | both, blue | both].map(|cell| cell.trailing_zeros() as u8);
        Ok(Walls { taken: self.grid.full & !free, cycles })
    }

    fn draw(&self, s: &Walls) -> String {
        self.grid.draw(|cell| s.symbol(cell))
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::JointTyped as _;
    use std::collections::{HashMap, HashSet};

    use super::*;
    use crate::joint_testing::{close, joint_value, value_at_start};
    use crate::testing::{joint_texts_round_trip, joint_tree};

    #[test]
    fn texts_are_read_back() {
        for (rows, cols) in [(4, 4), (3, 5), (1, 2), (1, 7), (7, 1), (8, 8)] {
            joint_texts_round_trip(&Tron::new(rows, cols));
        }
    }

    #[test]
    fn rules_hold() {
        let game = Tron::new(3, 3);
        assert_eq!(game.position_text(&game.start()), "r../.../..b");
        for (moves, text, payoff) in [
            ("right/up", "#r./..b/..#", None),
            ("right/up,right/up", "##*/..#/..#", Some(0)),
            ("down/up,down/up", "#.b/#.#/r.#", None),
            ("right/up,down/left", "##./.*#/..#", Some(0)),
        ] {
            let s = game.read_position_or_moves(&format!("moves:{moves}")).unwrap();
            assert_eq!((game.position_text(&s).as_str(), game.payoff(&s)), (text, payoff));
        }
        // Stuck: red, blue, both.
        for (text, payoff) in
            [("r#./##b/...", -1), ("r.#/.#b/.##", 1), ("r#./##./.#b", -1), ("r#b/###/...", 0)]
        {
            let s = game.read_position(text).unwrap();
            assert_eq!(game.payoff(&s), Some(payoff), "{text}");
        }
        let s = game.read_position("#.r/.../b##").unwrap();
        let error = game.read_move(&s, Side::Max, "right").unwrap_err();
        assert_eq!(error.choices, ["down", "left"]);
    }

    #[test]
    fn small_boards_have_their_values() {
        // Opposite corners: turned by half a turn, the players are exchanged.
        for (rows, cols) in [(1, 2), (1, 3), (1, 4), (2, 2), (2, 3), (3, 3), (3, 4)] {
            assert!(close(value_at_start(&Tron::new(rows, cols)), 0.0), "{rows}x{cols}");
        }
        let mut memo = HashMap::new();
        for ((rows, cols), text, value) in [
            // The longer corridor wins.
            ((1, 7), "..r#b..", 0.0),
            ((1, 7), "...r#b.", 1.0),
            // Red has to go right, and blue is stuck then, wherever it goes.
            ((2, 3), "r../#.b", 1.0),
        ] {
            let game = Tron::new(rows, cols);
            let s = game.read_position(text).unwrap();
            memo.clear();
            assert_eq!(joint_value(&game, &s, &mut memo), value, "{text}");
        }
    }

    #[test]
    fn positions_are_counted() {
        for ((rows, cols), states) in COUNTS {
            let game = Tron::new(rows, cols);
            assert_eq!(joint_tree(&game, &game.start(), Some(&mut HashSet::new())), states);
        }
    }

    const COUNTS: [((u32, u32), u64); 3] = [((2, 2), 1), ((4, 4), 492), ((5, 5), 31_509)];

    #[test]
    fn bad_positions_are_shown() {
        let game = Tron::new(2, 3);
        for (text, span) in [
            ("r..", 0..3),
            ("r.../..b", 0..4),
            ("r../..x", 6..7),
            ("r../...", 0..7),
            ("r.r/..b", 0..7),
            ("r../.*b", 0..7),
        ] {
            assert_eq!(game.read_position(text).unwrap_err().span, span, "{text}");
        }
        for text in ["", "Up", "north", "up "] {
            assert_eq!(game.parse_move(&game.start(), Side::Max, text), None, "{text}");
        }
    }
}
