//! EinStein würfelt nicht! (I. Althöfer, 2004).
//!
//! Both have numbered stones in opposite corners of a square board: Red at the upper left, Blue at the
//! lower right. A player rolls a die and moves the stone of that number one square towards the other
//! corner: Red to the right, down, or both, Blue to the left, up, or both. If the stone is gone, the
//! player moves the next higher or the next lower one that is left. Whatever stands on the square is
//! removed, be it a stone of one's own. Who reaches the opposite corner or takes the last stone of
//! the other one has won. A single stone does not roll: hence the name.
//!
//! Numbers of the die that mean the same are one move of chance, as heavy as there are numbers: with
//! the stones 2 and 5, a 3 is what is written for 3 and 4.
//!
//! Players may arrange their stones as they like. Here both begin with 1 6 3 / 5 2 / 4 from their own
//! corner, as Red does in the example of the published rules, or 1 2 / 3 with three stones; any other
//! arrangement can be typed.

use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{Agent, Game, Guide, Notation, Outcome, Side, TextError, Turn};

use crate::board::{Grid, parse_cell, read_cells, read_mover, write_cell};
use crate::options::Options;
use crate::picture::die;
use crate::registry::{Entry, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry {
    quick: Some("einstein:3"),
    ..Entry::in_turn(
        "einstein",
        "SIZE[,STONES] (5,6)",
        "Roll a die, move that stone to the far corner; reach it or take all stones to win",
        open,
    )
};

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let values = options.values();
    let size = values.first().map_or(Ok(5), |value| value.number(3, 5))?;
    let stones = match values.get(1) {
        None => {
            if size == 5 {
                6
            } else {
                3
            }
        }
        Some(value) => match value.number(1, 6)? {
            n @ (1 | 3) => n,
            6 if size > 3 => 6,
            6 => return Err(GameError::Spec(value.error("six stones need a board of 4 or 5"))),
            n => {
                let message = format!("{n} stones are not a triangle: expected 1, 3 or 6");
                return Err(GameError::Spec(value.error(message)));
            }
        },
    };
    if values.len() > 2 {
        let message = "there are at most two options: SIZE,STONES";
        return Err(GameError::Spec(options.error(message)));
    }
    Ok(Opened::pictured(Einstein::new(size, stones), Einstein::scene))
}

/// A board and a number of stones.
#[derive(Clone, Debug)]
pub struct Einstein {
    size: u32,
    stones: u32,
}

/// All stones, the player on turn and the die in one word: five bits for the cell of each stone, those
/// of Red first, then a bit for the player and three for the die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State(u64);

foregone_model::stored!(State(word));

/// How many stones a side has at most.
const MOST: u32 = 6;
/// Bits of a cell.
const BITS: u32 = 5;
/// The cell of a stone that is gone.
const GONE: u32 = 31;
/// The lowest and the highest bit of every cell.
const LOW: u64 = 0x0084_2108_4210_8421;
const HIGH: u64 = LOW << (BITS - 1);
/// The cells of Red's stones, and of all.
const RED: u64 = (1 << (BITS * MOST)) - 1;
const ALL: u64 = (1 << (2 * BITS * MOST)) - 1;
const TURN: u32 = 60;
const DIE: u32 = 61;

const PLAYERS: [&str; 2] = ["red", "blue"];
/// Stones as they are written: Red's are numbers, Blue's are letters.
const SYMBOLS: [char; 13] = ['.', '1', '2', '3', '4', '5', '6', 'a', 'b', 'c', 'd', 'e', 'f'];
/// The stones from the corner on, row by row.
const SIX: [&[u32]; 3] = [&[1, 6, 3], &[5, 2], &[4]];
const THREE: [&[u32]; 2] = [&[1, 2], &[3]];

/// Moves of chance: behind those of all stones, a stone has a multiple of 32.
const ROLLS: u8 = 224;

impl State {
    /// The cell of a stone, by its place among all; or that it is gone.
    #[inline]
    fn cell(self, stone: u32) -> u32 {
        (self.0 >> (stone * BITS)) as u32 & GONE
    }

    #[inline]
    fn set(&mut self, stone: u32, cell: u32) {
        let at = stone * BITS;
        self.0 = self.0 & !(u64::from(GONE) << at) | u64::from(cell) << at;
    }

    #[inline]
    fn side(self) -> Side {
        if self.0 >> TURN & 1 == 0 { Side::Max } else { Side::Min }
    }

    /// The number of the die; none when it is to be rolled.
    #[inline]
    fn die(self) -> u32 {
        (self.0 >> DIE) as u32
    }

    #[inline]
    fn set_die(&mut self, die: u32) {
        self.0 = self.0 & !(7 << DIE) | u64::from(die) << DIE;
    }

    /// For each stone that stands on a cell, the highest of its bits.
    #[inline]
    fn on(self, cell: u32) -> u64 {
        let differ = self.0 ^ (LOW * u64::from(cell));
        let low = !HIGH & ALL;
        !(((differ & low) + low) | differ) & HIGH & ALL
    }

    /// For each stone of a side that is left, a bit at its number less one.
    #[inline]
    fn left(self, side: Side) -> u32 {
        let first = MOST * side.index() as u32;
        (0..MOST).fold(0, |set, i| set | u32::from(self.cell(first + i) != GONE) << i)
    }
}

/// The stones out of `left` that may move after this number of the die: one, or two.
#[inline]
fn choices(left: u32, die: u32) -> u32 {
    let this = 1 << (die - 1);
    if left & this != 0 {
        return this;
    }
    let (lower, higher) = (left & (this - 1), left & !(this - 1));
    let below = if lower == 0 { 0 } else { 1 << lower.ilog2() };
    below | higher & higher.wrapping_neg()
}

impl Einstein {
    /// A board of 3 to 5 squares a side and 1, 3 or 6 stones each.
    pub fn new(size: u32, stones: u32) -> Einstein {
        let fits = (3..=5).contains(&size) && ([1, 3].contains(&stones) || stones == 6 && size > 3);
        assert!(fits, "a board that the stones fit on");
        Einstein { size, stones }
    }

    fn cells(&self) -> u32 {
        self.size * self.size
    }

    /// The number that is written for all numbers of the die that mean the same.
    #[inline]
    fn written(left: u32, die: u32) -> u32 {
        let stones = choices(left, die);
        // The number of the only stone to move, or the first one above the lower stone.
        stones.trailing_zeros() + if stones.is_power_of_two() { 1 } else { 2 }
    }

    /// The die for the player on turn: none is rolled for a single stone.
    #[inline]
    fn settle(&self, s: &mut State) {
        let left = s.left(s.side());
        s.set_die(if left.is_power_of_two() { left.ilog2() + 1 } else { 0 });
    }

    /// Who has won, if it is over.
    #[inline]
    fn winner(&self, s: &State) -> Option<Side> {
        let blue = ALL & !RED;
        if s.on(self.cells() - 1) & RED != 0 || s.0 & blue == blue {
            Some(Side::Max)
        } else if s.on(0) & blue != 0 || s.0 & RED == RED {
            Some(Side::Min)
        } else {
            None
        }
    }

    /// The cells that a stone of a side can go to.
    #[inline]
    fn steps(&self, side: Side, cell: u32) -> impl Iterator<Item = u32> + use<> {
        let (size, last) = (self.size, self.cells() - 1);
        // Blue's steps are Red's with the board turned round.
        let seen = if side == Side::Max { cell } else { last - cell };
        let (right, down) = (seen % size + 1 < size, seen / size + 1 < size);
        let steps = [(right, 1), (down, size), (right && down, size + 1)];
        steps.into_iter().filter(|(can, _)| *can).map(move |(_, step)| match side {
            Side::Max => cell + step,
            Side::Min => cell - step,
        })
    }

    fn symbol(&self, s: &State, cell: u32) -> char {
        let stone = (0..2 * MOST).find(|&stone| s.cell(stone) == cell);
        stone.map_or('.', |stone| SYMBOLS[stone as usize + 1])
    }

    fn name_of(&self, cell: u32, out: &mut String) {
        write_cell(self.size - 1 - cell / self.size, cell % self.size, out);
    }

    /// The numbers of the die that are written for what the player on turn may roll.
    #[inline]
    fn faces(&self, s: &State) -> impl Iterator<Item = u32> + use<> {
        let left = s.left(s.side());
        (1..=self.stones).filter(move |&n| left != 0 && Einstein::written(left, n) == n)
    }
}

impl Game for Einstein {
    type State = State;
    /// A stone of the player on turn times 32 and the cell that it goes to; or a number of the die
    /// behind `ROLLS`.
    type Move = u8;

    fn start(&self) -> State {
        let mut s = State(ALL);
        let rows: &[&[u32]] = match self.stones {
            6 => &SIX,
            3 => &THREE,
            _ => &[&[1]],
        };
        for (row, numbers) in (0..).zip(rows) {
            for (col, number) in (0..).zip(*numbers) {
                let cell = row * self.size + col;
                s.set(number - 1, cell);
                s.set(MOST + number - 1, self.cells() - 1 - cell);
            }
        }
        self.settle(&mut s);
        s
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        if self.winner(s).is_some() {
            Turn::Over
        } else if s.die() == 0 {
            Turn::Chance
        } else {
            Turn::Agent(s.side().agent())
        }
    }

    #[inline]
    fn moves(&self, s: &State, _agent: Agent, out: &mut Vec<u8>) {
        let (side, die) = (s.side(), s.die());
        if die == 0 {
            return out.extend(self.faces(s).map(|n| ROLLS + n as u8));
        }
        let mut stones = choices(s.left(side), die);
        while stones != 0 {
            let stone = stones.trailing_zeros();
            stones &= stones - 1;
            let cell = s.cell(MOST * side.index() as u32 + stone);
            out.extend(self.steps(side, cell).map(|to| (stone * 32 + to) as u8));
        }
    }

    #[inline]
    fn play(&self, s: &mut State, _agent: Agent, m: u8) {
        if m > ROLLS {
            return s.set_die(u32::from(m - ROLLS));
        }
        let (stone, to) = (u32::from(m) / 32, u32::from(m) % 32);
        // A stone that stands there gets all bits of its cell: it is gone.
        s.0 |= (s.on(to) >> (BITS - 1)) * u64::from(GONE);
        s.set(MOST * s.side().index() as u32 + stone, to);
        s.0 ^= 1 << TURN;
        self.settle(s);
    }

    #[inline]
    fn outcome(&self, s: &State) -> Outcome {
        if self.winner(s) == Some(Side::Max) { Outcome::WIN } else { Outcome::LOSS }
    }

    fn has_chance(&self) -> bool {
        true
    }

    /// How many numbers of the die mean the same.
    #[inline]
    fn weight(&self, s: &State, m: u8) -> u64 {
        let left = s.left(s.side());
        let this = choices(left, u32::from(m - ROLLS));
        (1..=self.stones).filter(|&n| choices(left, n) == this).count() as u64
    }
}

impl Guide for Einstein {
    type Packed = Self::State;

    foregone_model::stored_by_parts!();

    #[inline]
    fn pack(&self, s: &Self::State) -> Self::State {
        *s
    }
}

impl Einstein {
    /// A picture of a position.
    fn scene(&self, s: &State) -> Scene {
        let (size, last) = (self.size, self.size - 1);
        let grid: Grid<u64> = Grid::new(size, size);
        let corner = |row: u32, col: u32| match (row, col) {
            (0, c) if c == last => Paint::PaleRed,
            (r, 0) if r == last => Paint::PaleBlue,
            _ => Paint::Plain,
        };
        let mut scene = grid.painted(corner, |cell| {
            // The grid counts rows from the bottom.
            let (row, col) = (cell / size, cell % size);
            let symbol = self.symbol(s, (last - row) * size + col);
            let place = SYMBOLS.iter().position(|&c| c == symbol).filter(|&p| p > 0)? as u32 - 1;
            let paint = if place < MOST { Paint::Red } else { Paint::Blue };
            Some((Glyph::Figure((place % MOST + 1).to_string()), paint))
        });
        if let Turn::Agent(agent) = self.turn(s) {
            let mut moves = Vec::new();
            self.moves(s, agent, &mut moves);
            // The grid counts rows from the bottom.
            let place = |cell: u32| ((last - cell / size) * size + cell % size) as usize;
            for m in moves {
                let from = s.cell(MOST * s.side().index() as u32 + u32::from(m) / 32);
                let way = [place(from), place(u32::from(m) % 32)];
                scene.touch(self.agent_name(agent), self.move_text(s, m), way, true);
            }
        }
        let shown = (s.die() > 0).then(|| s.die());
        let faces = self.faces(s).map(|n| n.to_string());
        die(&mut scene, "die", [f64::from(size) + 0.4, f64::from(last) / 2.0], shown, faces);
        scene
    }
}

impl Notation for Einstein {
    fn name(&self) -> String {
        format!("einstein:{},{}", self.size, self.stones)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    /// The stone and where it goes, `2-b3`; of the die, its number.
    fn write_move(&self, _s: &State, m: u8, out: &mut String) {
        if m > ROLLS {
            out.push_str(&(m - ROLLS).to_string());
        } else {
            out.push_str(&format!("{}-", m / 32 + 1));
            self.name_of(u32::from(m % 32), out);
        }
    }

    fn parse_move(&self, _s: &State, text: &str) -> Option<u8> {
        let number = |text: &str| (1..=self.stones).find(|n| n.to_string() == text);
        let Some((stone, cell)) = text.split_once('-') else {
            return number(text).map(|n| ROLLS + n as u8);
        };
        let (row, col, rest) = parse_cell(cell)?;
        let inside = row < self.size && col < self.size && rest.is_empty();
        let to = inside.then(|| (self.size - 1 - row) * self.size + col)?;
        Some(((number(stone)? - 1) * 32 + to) as u8)
    }

    /// Every number of the die is taken for the one that is written for it.
    fn parse_typed(&self, s: &State, text: &str) -> Option<u8> {
        let m = self.parse_move(s, text)?;
        let left = s.left(s.side());
        Some(match m > ROLLS && left != 0 {
            true => ROLLS + Einstein::written(left, u32::from(m - ROLLS)) as u8,
            false => m,
        })
    }

    /// The rows from the top, Red's stones as numbers and Blue's as letters, and who is to move with
    /// which number of the die: `12./3../..a red-rolls`, `… blue-2`.
    fn write_position(&self, s: &State, out: &mut String) {
        for cell in 0..self.cells() {
            if cell > 0 && cell % self.size == 0 {
                out.push('/');
            }
            out.push(self.symbol(s, cell));
        }
        out.push_str(&format!(" {}-", PLAYERS[s.side().index()]));
        match s.die() {
            0 => out.push_str("rolls"),
            die => out.push_str(&die.to_string()),
        }
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let dice =
            || ["rolls".to_owned()].into_iter().chain((1..=self.stones).map(|n| n.to_string()));
        let movers: Vec<String> =
            PLAYERS.iter().flat_map(|p| dice().map(move |d| format!("{p}-{d}"))).collect();
        let movers: Vec<&str> = movers.iter().map(String::as_str).collect();
        let (board, mover) = read_mover(text, &movers)?;
        let faces = self.stones as usize + 1;
        let symbols: Vec<char> = (0..13)
            .filter(|i| *i == 0 || (*i - 1) % 6 < self.stones as usize)
            .map(|i| SYMBOLS[i])
            .collect();
        let cells = read_cells(board, &vec![self.size as usize; self.size as usize], &symbols)?;
        let mut s = State(ALL);
        for (cell, symbol) in (0..).zip(cells) {
            let symbol = symbols[symbol];
            let Some(stone) = SYMBOLS.iter().position(|&c| c == symbol).filter(|&p| p > 0) else {
                continue;
            };
            let stone = stone as u32 - 1;
            if s.cell(stone) != GONE {
                let at = (cell + cell / self.size) as usize;
                let message = format!("there is a second stone `{symbol}`");
                return Err(TextError::new(message, at..at + 1));
            }
            s.set(stone, cell);
        }
        let (red, blue) = (s.left(Side::Max), s.left(Side::Min));
        let both = s.on(self.cells() - 1) & RED != 0 && s.on(0) & !RED != 0;
        if red | blue == 0 || both {
            let message = match both {
                true => "both players have reached the far corner",
                false => "there are no stones",
            };
            return Err(TextError::new(message, 0..board.len()));
        }
        if mover >= faces {
            s.0 |= 1 << TURN;
        }
        self.settle(&mut s);
        let (left, typed) = (s.left(s.side()), (mover % faces) as u32);
        if typed > 0 && left != 0 {
            s.set_die(Einstein::written(left, typed));
        }
        Ok(s)
    }

    fn draw(&self, s: &State) -> String {
        let grid: Grid<u64> = Grid::new(self.size, self.size);
        let mut out = grid.draw(|cell| {
            let (row, col) = (cell / self.size, cell % self.size);
            self.symbol(s, (self.size - 1 - row) * self.size + col)
        });
        match s.die() {
            0 => out.push_str("the die rolls\n"),
            die => out.push_str(&format!("die {die}\n")),
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use foregone_model::Rng;

    use super::*;
    use crate::{chance_testing, testing};

    #[test]
    fn positions_keep_the_laws_of_chance() {
        for (size, stones) in [(3, 1), (3, 3), (4, 3), (4, 6), (5, 1), (5, 3), (5, 6)] {
            let game = Einstein::new(size, stones);
            if stones > 1 {
                chance_testing::laws(&game, 30);
            }
            testing::texts_round_trip(&game, 5);
        }
    }

    #[test]
    fn stones_stand_in_their_corners() {
        let start = |size, stones| {
            let game = Einstein::new(size, stones);
            game.position_text(&game.start())
        };
        assert_eq!(start(5, 6), "163../52.../4...d/...be/..cfa red-rolls");
        assert_eq!(start(4, 3), "12../3.../...c/..ba red-rolls");
        assert_eq!(start(3, 3), "12./3.c/.ba red-rolls");
        assert_eq!(start(3, 1), "1../.../..a red-1");
    }

    #[test]
    fn the_next_stones_move_for_one_that_is_gone() {
        let game = Einstein::new(5, 6);
        let board = |mover: &str| format!("2..../5..../...../....b/....a {mover}");
        let moves = |mover: &str| chance_testing::listed(&game, &board(mover));
        assert_eq!(moves("red-rolls"), "2x2 3x2 5x2");
        assert_eq!(moves("blue-rolls"), "1x1 2x5");
        assert_eq!(moves("red-1"), "2-b5 2-a4 2-b4");
        assert_eq!(moves("red-4"), "2-b5 2-a4 2-b4 5-b4 5-a3 5-b3");
        assert_eq!(moves("red-6"), "5-b4 5-a3 5-b3");
        assert_eq!(moves("blue-1"), "1-d1 1-e2 1-d2");
        let read = |text: &str| game.position_text(&game.read_position(text).unwrap());
        assert_eq!(read(&board("red-4")), board("red-3"));
        // A single stone does not roll.
        assert_eq!(
            read("2..../...../...../...../....a red-rolls"),
            "2..../...../...../...../....a red-2"
        );
        let s = game.read_position(&board("red-rolls")).unwrap();
        assert_eq!(game.parse_typed(&s, "4"), game.parse_move(&s, "3"));
        assert_eq!(game.parse_typed(&s, "1"), game.parse_move(&s, "2"));
    }

    #[test]
    fn stones_take_and_corners_win() {
        let game = Einstein::new(3, 3);
        let play = |position: &str, word: &str| chance_testing::after(&game, position, word);
        let end = |position: &str, word: &str| chance_testing::end(&game, position, word);
        // One's own stone is taken, and what is left rolls no more.
        assert_eq!(play("12./..c/.ba red-1", "1-b3"), ".1./..c/.ba blue-rolls");
        assert_eq!(play(".1./..c/.ba blue-3", "3-c3"), ".1c/.../.ba red-1");
        assert_eq!(end("1../..2/..c red-2", "2-c1"), "win");
        assert_eq!(end("3../.a./... blue-1", "1-a3"), "loss");
        assert_eq!(end(".3./.a./... red-3", "3-b2"), "win");
    }

    #[test]
    fn mistakes_show_their_place() {
        let cases = [
            ("12./3.c/.ba", 11..11),
            ("12./3.c/.ba red", 12..15),
            ("12./3.c/.ba red-4", 12..17),
            ("12./3.c red-1", 0..7),
            ("14./3.c/.ba red-1", 1..2),
            ("12./3.c/.b1 red-1", 10..11),
            ("12./3.c/.bd red-1", 10..11),
            (".../.../... red-1", 0..11),
            ("a../.../..1 red-1", 0..11),
        ];
        chance_testing::mistakes_show_their_place(&Einstein::new(3, 3), &cases);
    }

    /// Plain rules: cells of the stones, every number of the die for itself, a roll before each move.
    #[derive(Clone, PartialEq, Eq, Hash)]
    struct Plain {
        stones: [Vec<Option<(i32, i32)>>; 2],
        side: usize,
    }

    fn plain_value(size: i32, s: &Plain, memo: &mut HashMap<Plain, f64>) -> f64 {
        let corners = [(size - 1, size - 1), (0, 0)];
        for (side, corner) in corners.into_iter().enumerate() {
            let there = s.stones[side].contains(&Some(corner));
            if there || s.stones[1 - side].iter().all(Option::is_none) {
                return 1.0 - side as f64;
            }
        }
        if let Some(&known) = memo.get(s) {
            return known;
        }
        let (own, sign) = (&s.stones[s.side], 1 - 2 * s.side as i32);
        let mut sum = 0.0;
        for face in 0..own.len() {
            let mut may = vec![face];
            if own[face].is_none() {
                may = (0..face).rev().find(|&i| own[i].is_some()).into_iter().collect();
                may.extend((face + 1..own.len()).find(|&i| own[i].is_some()));
            }
            let mut values = Vec::new();
            for stone in may {
                let (row, col) = own[stone].unwrap();
                for (down, right) in [(0, 1), (1, 0), (1, 1)] {
                    let to = (row + sign * down, col + sign * right);
                    if to.0 < 0 || to.1 < 0 || to.0 >= size || to.1 >= size {
                        continue;
                    }
                    let mut next = s.clone();
                    let all = next.stones.iter_mut().flatten();
                    all.filter(|c| **c == Some(to)).for_each(|c| *c = None);
                    next.stones[s.side][stone] = Some(to);
                    next.side = 1 - s.side;
                    values.push(plain_value(size, &next, memo));
                }
            }
            sum += match s.side {
                0 => values.into_iter().fold(f64::MIN, f64::max),
                _ => values.into_iter().fold(f64::MAX, f64::min),
            };
        }
        memo.insert(s.clone(), sum / own.len() as f64);
        sum / own.len() as f64
    }

    fn plain(game: &Einstein, s: &State) -> Plain {
        let size = game.size;
        let place = |stone: u32| match s.cell(stone) {
            GONE => None,
            cell => Some(((cell / size) as i32, (cell % size) as i32)),
        };
        let stones = [0, MOST].map(|first| (first..first + game.stones).map(place).collect());
        Plain { stones, side: s.side().index() }
    }

    #[test]
    fn values_are_those_of_plain_rules() {
        let game = Einstein::new(3, 3);
        let (mut memo, mut exact) = (HashMap::new(), HashMap::new());
        let mut rng = Rng::new(2);
        let mut compared = 0;
        for _ in 0..60 {
            for s in testing::random_play(&game, &mut rng) {
                // Plain positions stand before the roll.
                if s.die() == 0 || s.left(s.side()).is_power_of_two() {
                    let value = chance_testing::expected(&game, &s, &mut exact).to_f64().value();
                    let plain = plain_value(3, &plain(&game, &s), &mut memo);
                    assert!((value - plain).abs() < 1e-12, "{}", game.position_text(&s));
                    compared += 1;
                }
            }
        }
        assert!(compared > 200, "{compared}");
        assert_eq!(chance_testing::value_at_start(&game), "170/243");
        assert_eq!(chance_testing::value_at_start(&Einstein::new(3, 1)), "1");
    }

    #[test]
    fn moves_are_counted() {
        let count = |size, stones, depth| {
            let game = Einstein::new(size, stones);
            testing::perft(&game, &game.start(), depth)
        };
        assert_eq!([1, 2, 3, 4, 5, 6].map(|n| count(5, 6, n)), [6, 18, 108, 324, 1926, 6111]);
        assert_eq!([1, 2, 3, 4, 5, 6].map(|n| count(3, 3, n)), [3, 9, 26, 81, 223, 650]);
    }
}
