//! Othello (Goro Hasegawa, 1971, after Reversi, 1883).
//!
//! Black, who moves first, and White place discs. A disc must enclose, in a straight line in any
//! direction, an unbroken row of the opponent's discs between itself and another of one's own; all
//! rows that it encloses are turned over. Who cannot do so passes; when neither can, the game is
//! over. The score is the number of Black's discs less that of White's, and empty cells count for
//! nobody. At the start there are two discs of each colour, crosswise, in the middle of a board
//! with an even number of rows and columns.
//!
//! Rows of discs grow in doubling steps, as carries do in the adder of Kogge and Stone (1973): few
//! are enough for the longest line.

use foregone_model::scene::{Paint, Scene};
use foregone_model::{Agent, Game, Guide, Notation, Outcome, Rng, Scale, Side, TextError, Turn};

use crate::board::{Grid, Word, least, likelihood, sort_by_rank};
use crate::options::Options;
use crate::picture::stone;
use crate::registry::{Entry, GameError, Opened};
use crate::scores::Scores;

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "othello",
    "ROWSxCOLUMNS (4x4)",
    "Enclose rows of discs to turn them over; the score is the difference in discs",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let (rows, cols) = options.size((4, 4))?;
    let fits = |n: u32| n.is_multiple_of(2) && n <= LONGEST;
    if !fits(rows) || !fits(cols) {
        let message = format!("a board has an even number of rows and of columns, up to {LONGEST}");
        return Err(GameError::Spec(options.error(message)));
    }
    Ok(Opened::pictured(Othello::new(rows, cols), Othello::scene))
}

/// The most rows and columns.
pub const LONGEST: u32 = 8;

/// Othello on a rectangular board.
#[derive(Clone, Debug)]
pub struct Othello {
    grid: Grid<u64>,
    ways: [Way; 4],
    corners: u64,
    /// The cells next to a corner.
    near_corners: u64,
    scores: Scores,
}

/// A direction and its opposite: a step is a shift to the left, back it is one to the right.
#[derive(Clone, Copy, Debug)]
struct Way {
    shift: u32,
    /// The cells that a step ahead can arrive at, and those that a step back can.
    ahead: u64,
    back: u64,
}

/// The discs of Black and White, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    discs: [u64; 2],
    turn: Side,
}

foregone_model::stored!(State { discs, turn });

/// A pass; other moves are cells.
const PASS: u8 = u8::MAX;

const PLAYERS: [&str; 2] = ["black", "white"];
const SYMBOLS: [char; 3] = ['.', 'x', 'o'];

/// The cells of `through` that an unbroken row of them reaches from `from`, one step being `step`.
/// No row is longer than [`LONGEST`] less two cells, so that three doublings are enough.
#[inline]
fn rows(from: u64, through: u64, step: impl Fn(u64, u32) -> u64) -> u64 {
    let mut row = through & step(from, 1);
    row |= through & step(row, 1);
    let pairs = through & step(through, 1);
    row |= pairs & step(row, 2);
    row | pairs & step(row, 2)
}

impl Way {
    /// The cells one step beyond the rows of `through` that begin next to `from`, ahead and back.
    #[inline]
    fn beyond(&self, from: u64, through: u64) -> u64 {
        let shift = self.shift;
        let (up, down) = (through & self.ahead, through & self.back);
        let ahead = rows(from, up, |x, n| x << (n * shift));
        let back = rows(from, down, |x, n| x >> (n * shift));
        (ahead << shift & self.ahead) | (back >> shift & self.back)
    }

    /// The rows of `enemy` between a new disc and discs of `own`.
    #[inline]
    fn enclosed(&self, disc: u64, own: u64, enemy: u64) -> u64 {
        let shift = self.shift;
        let (up, down) = (enemy & self.ahead, enemy & self.back);
        let ahead = rows(disc, up, |x, n| x << (n * shift));
        let back = rows(disc, down, |x, n| x >> (n * shift));
        let ends = [ahead << shift & self.ahead & own, back >> shift & self.back & own];
        (if ends[0] != 0 { ahead } else { 0 }) | (if ends[1] != 0 { back } else { 0 })
    }
}

impl Othello {
    /// A board of this size: rows and columns are even numbers up to [`LONGEST`].
    pub fn new(rows: u32, cols: u32) -> Othello {
        let fits = |n: u32| n > 0 && n.is_multiple_of(2) && n <= LONGEST;
        assert!(fits(rows) && fits(cols), "a board with a middle, that fits the word");
        let grid: Grid<u64> = Grid::new(rows, cols);
        let way = |shift: u32, ahead: u64, back: u64| Way { shift, ahead, back };
        let (left, right) = (grid.left, grid.right);
        let all = grid.full;
        let ways = [
            way(1, all & !left, all & !right),
            way(cols, all, all),
            way(cols + 1, all & !left, all & !right),
            way(cols - 1, all & !right, all & !left),
        ];
        let (first, last) = (u64::first(cols), u64::first(cols) << ((rows - 1) * cols));
        let corners = (left | right) & (first | last);
        let sides = corners | grid.east(corners) | grid.west(corners);
        let near = sides | grid.north(sides) | grid.south(sides);
        let scores = Scores { most: (rows * cols) as i32, step: 1 };
        Othello { grid, ways, corners, near_corners: near & !corners, scores }
    }

    /// The cells where a side can place a disc.
    #[inline]
    fn places(&self, s: &State, side: Side) -> u64 {
        let (own, enemy) = (s.discs[side.index()], s.discs[side.other().index()]);
        let beyond = self.ways.iter().fold(0, |cells, way| cells | way.beyond(own, enemy));
        beyond & self.grid.full & !(own | enemy)
    }

    /// The discs that one on this cell turns over.
    #[inline]
    fn turned(&self, s: &State, side: Side, cell: u32) -> u64 {
        let (own, enemy) = (s.discs[side.index()], s.discs[side.other().index()]);
        let disc = u64::bit(cell);
        self.ways.iter().fold(0, |cells, way| cells | way.enclosed(disc, own, enemy))
    }

    fn symbol(&self, s: &State, cell: u32) -> char {
        let [black, white] = s.discs.map(|discs| usize::from(discs.has(cell)));
        SYMBOLS[black + 2 * white]
    }
}

impl Game for Othello {
    type State = State;
    type Move = u8;

    fn scale(&self) -> Scale {
        self.scores.scale()
    }

    fn start(&self) -> State {
        let (row, col) = (self.grid.rows / 2 - 1, self.grid.cols / 2 - 1);
        let cell = |up: u32, right: u32| u64::bit((row + up) * self.grid.cols + col + right);
        let discs = [cell(0, 1) | cell(1, 0), cell(0, 0) | cell(1, 1)];
        State { discs, turn: Side::Max }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        if self.places(s, s.turn) != 0 || self.places(s, s.turn.other()) != 0 {
            Turn::Agent(s.turn.agent())
        } else {
            Turn::Over
        }
    }

    #[inline]
    fn moves(&self, s: &State, agent: Agent, out: &mut Vec<u8>) {
        let places = self.places(s, Side::of(agent));
        if places == 0 {
            out.push(PASS);
        }
        out.extend(places.cells().map(|cell| cell as u8));
    }

    #[inline]
    fn play(&self, s: &mut State, agent: Agent, m: u8) {
        let side = Side::of(agent);
        if m != PASS {
            let turned = self.turned(s, side, u32::from(m));
            s.discs[side.index()] |= turned | u64::bit(u32::from(m));
            s.discs[side.other().index()] &= !turned;
        }
        s.turn = side.other();
    }

    #[inline]
    fn outcome(&self, s: &State) -> Outcome {
        let [black, white] = s.discs.map(|discs| discs.count() as i32);
        self.scores.outcome(black - white)
    }
}

impl Guide for Othello {
    type Packed = Self::State;

    foregone_model::stored_by_parts!();

    #[inline]
    fn pack(&self, s: &Self::State) -> Self::State {
        *s
    }

    #[inline]
    fn mobility(&self, s: &State, agent: Agent) -> u32 {
        // Who cannot place a disc can pass.
        self.places(s, Side::of(agent)).count().max(1)
    }

    /// The least image under the symmetries that keep the middle of the start as it is: a half
    /// turn, and on a square board both diagonals.
    #[inline]
    fn canonical(&self, s: &State) -> State {
        let mut images = [s.discs; 4];
        if self.grid.rows == self.grid.cols {
            self.grid.transpose(images[2..].as_flattened_mut());
        }
        for turned in [1, 3] {
            self.grid.mirror_columns(&mut images[turned]);
            self.grid.mirror_rows(&mut images[turned]);
        }
        State { discs: least(images), turn: s.turn }
    }

    /// Corners first and the cells next to them last; among the others those that leave the
    /// opponent the fewest moves.
    fn order(&self, s: &State, agent: Agent, moves: &mut [u8]) {
        let side = Side::of(agent);
        sort_by_rank(moves, |m| {
            if m == PASS {
                return 0;
            }
            let cell = u32::from(m);
            let mut after = *s;
            self.play(&mut after, agent, m);
            let answers = self.places(&after, side.other()).count() as i16;
            let corner = i16::from(self.corners.has(cell));
            let near = i16::from(self.near_corners.has(cell));
            64 * corner - 4 * near - answers
        });
    }

    /// Moves count most, then corners, then cells next to corners that are still empty, which give them
    /// away; and discs when the board is nearly full.
    fn evaluate(&self, s: &State) -> Option<f64> {
        let [black, white] = s.discs;
        let balance = |x: u64, y: u64| f64::from(x.count()) - f64::from(y.count());
        let moves = balance(self.places(s, Side::Max), self.places(s, Side::Min));
        let corners = balance(black & self.corners, white & self.corners);
        let open = self.corners & !(black | white);
        let sides = open | self.grid.east(open) | self.grid.west(open);
        let near = (sides | self.grid.north(sides) | self.grid.south(sides)) & !self.corners;
        let given = balance(black & near, white & near);
        let empty = (self.grid.full & !(black | white)).count();
        let discs = balance(black, white) / f64::from(empty + 4);
        Some(likelihood((moves + 4.0 * corners - 1.5 * given + discs) / 6.0))
    }

    fn evaluates(&self) -> bool {
        true
    }

    fn playout(&self, mut s: State, rng: &mut Rng) -> Option<Outcome> {
        let mut passed = false;
        loop {
            let places = self.places(&s, s.turn);
            let side = s.turn;
            if places != 0 {
                passed = false;
                self.play(&mut s, side.agent(), places.pick(rng) as u8);
            } else if passed {
                return Some(self.outcome(&s));
            } else {
                passed = true;
                s.turn = side.other();
            }
        }
    }
}

impl Othello {
    /// A picture of a position.
    fn scene(&self, s: &State) -> Scene {
        self.grid.painted(|_, _| Paint::Felt, |cell| stone(self.symbol(s, cell)))
    }
}

impl Notation for Othello {
    fn name(&self) -> String {
        format!("othello:{}x{}", self.grid.rows, self.grid.cols)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn write_move(&self, _s: &State, m: u8, out: &mut String) {
        if m == PASS { out.push_str("pass") } else { self.grid.write_cell(u32::from(m), out) }
    }

    fn parse_move(&self, _s: &State, text: &str) -> Option<u8> {
        if text == "pass" {
            return Some(PASS);
        }
        let (cell, rest) = self.grid.parse_cell(text)?;
        rest.is_empty().then_some(cell as u8)
    }

    fn write_position(&self, s: &State, out: &mut String) {
        self.grid.write_rows(|cell| self.symbol(s, cell), out);
        out.push(' ');
        out.push_str(PLAYERS[s.turn.index()]);
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let (sets, mover) = self.grid.read_rows(text, &SYMBOLS, &PLAYERS)?;
        Ok(State { discs: [sets[1], sets[2]], turn: [Side::Max, Side::Min][mover] })
    }

    fn draw(&self, s: &State) -> String {
        self.grid.draw(|cell| self.symbol(s, cell))
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::Typed as _;
    use std::collections::HashMap;

    use super::*;
    use crate::testing::{self, COLUMNS, DIAGONAL, Image, ROWS};

    #[test]
    fn move_sequences_are_counted() {
        // A. Bik, Perft for Reversi, 2009.
        let game = Othello::new(8, 8);
        let counts: Vec<u64> =
            (1..=8).map(|depth| testing::perft(&game, &game.start(), depth)).collect();
        assert_eq!(counts, [4, 12, 56, 244, 1396, 8200, 55_092, 390_216]);
    }

    #[test]
    fn small_boards_have_their_values() {
        // 4x4 is a win for White by 11 discs to 3.
        for (rows, cols, value) in [(2, 2, "0"), (2, 4, "0"), (6, 2, "0"), (4, 4, "-8")] {
            let game = Othello::new(rows, cols);
            let found = testing::solve(&game, &game.start(), &mut HashMap::new());
            assert_eq!(game.scale().name(found), value, "{}", game.name());
        }
    }

    /// The discs that a new one turns over, cell by cell on a position's text.
    fn slow_turned(rows: &[Vec<char>], own: char, row: usize, col: usize) -> Vec<(usize, usize)> {
        let mut turned = Vec::new();
        if rows[row][col] != '.' {
            return turned;
        }
        for (up, right) in [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)] {
            let mut line = Vec::new();
            let (mut r, mut c) = (row as isize, col as isize);
            loop {
                (r, c) = (r + up, c + right);
                let at = (r as usize, c as usize);
                match rows.get(at.0).and_then(|row| row.get(at.1)) {
                    Some(&disc) if disc == own => break turned.append(&mut line),
                    Some(&disc) if disc != '.' => line.push(at),
                    _ => break,
                }
            }
        }
        turned.sort();
        turned
    }

    fn agrees_with_slow_moves(game: &Othello, s: &State) {
        let text = game.position_text(s);
        let board = text.split(' ').next().unwrap();
        let rows: Vec<Vec<char>> = board.split('/').rev().map(|r| r.chars().collect()).collect();
        for (side, own) in [(Side::Max, 'x'), (Side::Min, 'o')] {
            for cell in 0..game.grid.rows * game.grid.cols {
                let (row, col) = (cell / game.grid.cols, cell % game.grid.cols);
                let turned = slow_turned(&rows, own, row as usize, col as usize);
                let set = turned
                    .iter()
                    .fold(0, |set, &(r, c)| set | u64::bit(r as u32 * game.grid.cols + c as u32));
                assert_eq!(game.places(s, side).has(cell), set != 0, "{text} {cell}");
                if set != 0 {
                    assert_eq!(game.turned(s, side, cell), set, "{text} {cell}");
                }
            }
        }
    }

    #[test]
    fn moves_agree_with_a_board_without_bits() {
        let mut rng = Rng::new(1);
        for (rows, cols) in [(2, 4), (8, 2), (4, 4), (4, 8), (6, 6), (8, 8)] {
            let game = Othello::new(rows, cols);
            for _ in 0..20 {
                for s in testing::random_play(&game, &mut rng) {
                    agrees_with_slow_moves(&game, &s);
                }
            }
            for _ in 0..300 {
                let (a, b, c) = (rng.bits(), rng.bits(), rng.bits());
                let taken = (a | c) & game.grid.full;
                agrees_with_slow_moves(
                    &game,
                    &State { discs: [taken & b, taken & !b], turn: Side::Max },
                );
            }
        }
    }

    #[test]
    fn who_cannot_move_passes() {
        let game = Othello::new(4, 4);
        // Only White can place a disc, at d1.
        let mut s = game.read_position("..../..../..../oxx. black").unwrap();
        assert_eq!(game.turn(&s), Turn::Agent(Agent(0)));
        let pass = game.read_move(&s, "pass").unwrap();
        assert!(game.read_move(&s, "d1").is_err());
        game.play(&mut s, Agent(0), pass);
        assert!(game.read_move(&s, "pass").is_err());
        let place = game.read_move(&s, "d1").unwrap();
        game.play(&mut s, Agent(1), place);
        assert_eq!(game.position_text(&s), "..../..../..../oooo black");
        assert_eq!(game.turn(&s), Turn::Over);
        assert_eq!(game.scale().name(game.outcome(&s)), "-4");
    }

    #[test]
    fn the_first_moves_are_the_usual_ones() {
        let game = Othello::new(8, 8);
        let mut names = testing::ordered_names(&game, &game.start());
        names.sort();
        assert_eq!(names, ["c4", "d3", "e6", "f5"]);
        let drawing = game.draw(&game.start());
        assert_eq!(drawing.lines().nth(3), Some("  5  . . . x o . . ."));
        assert_eq!(drawing.lines().nth(4), Some("  4  . . . o x . . ."));
    }

    #[test]
    fn corners_come_first() {
        let game = Othello::new(4, 4);
        let s = game.read_position("...o/..xx/.x../.... white").unwrap();
        assert_eq!(testing::ordered_names(&game, &s), ["a1", "d2"]);
    }

    #[test]
    fn texts_round_trip() {
        for (rows, cols) in [(2, 2), (2, 8), (4, 4), (6, 8), (8, 8)] {
            testing::texts_round_trip(&Othello::new(rows, cols), 20);
        }
        testing::nonsense_is_refused(&Othello::new(4, 6));
    }

    #[test]
    fn images_are_alike() {
        const HALF_TURN: Image = |rows| ROWS(&COLUMNS(rows));
        for (rows, cols) in [(2, 4), (4, 6), (8, 6)] {
            let game = Othello::new(rows, cols);
            testing::images_are_alike(&game, 20, &[HALF_TURN], 2, rows == 2);
        }
        for side in [4, 6, 8] {
            let game = Othello::new(side, side);
            testing::images_are_alike(&game, 10, &[HALF_TURN, DIAGONAL], 4, false);
        }
    }

    #[test]
    fn playouts_are_uniform() {
        for (rows, cols) in [(2, 6), (4, 4)] {
            testing::playouts_are_uniform(&Othello::new(rows, cols), 2);
        }
    }
}
