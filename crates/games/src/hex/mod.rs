//! Hex (Piet Hein, 1942; John Nash, 1948).
//!
//! Red, who moves first, and Blue place stones of their colour in turn on the empty cells of an
//! n x n rhombus of hexagons. Red wins by connecting the top to the bottom, Blue by connecting
//! the left to the right. One of them always does, and a full board has exactly one winner.
//! There is no swap.

use std::ops::Range;
use std::sync::OnceLock;

use foregone_model::guide::Told;
use foregone_model::scene::{Paint, Scene};
use foregone_model::{
    Agent, Character, Game, Guide, Net, Notation, OffTurn, Outcome, Rng, Side, TextError, Turn,
    Zone,
};

use crate::board::{self, Word, least, sort_by_rank};
use crate::connection::{Connections, guided_by_connections};
use crate::options::Options;
use crate::picture::{column_name, discs, hexagons, number_rows, rhombus_borders};
pub use crate::placement::State;
use crate::registry::{Entry, GameError, Opened};
use crate::zones::connections;

mod connected;

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry {
    quick: Some("hex:7"),
    ..Entry::in_turn(
        "hex",
        "SIZE (4)",
        "Place stones on a rhombus; Red connects top and bottom, Blue left and right",
        open,
    )
};

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let size = options.number(4, 1, 11)?;
    Ok(match options.fits_64((size, size), |rows, cols| rows * cols)? {
        true => Opened::pictured(Hex::<u64>::new(size), Hex::scene),
        false => Opened::pictured(Hex::<u128>::new(size), Hex::scene),
    })
}

/// Hex on a square number of cells. The cell in row `r` and column `c`, both counted from the
/// top left, is number `r * size + c`. It touches the cells next to it in its row and column,
/// the one up and to the right, and the one down and to the left.
#[derive(Clone, Debug)]
pub struct Hex<W> {
    size: u32,
    full: W,
    /// The first and the last column.
    left: W,
    right: W,
    /// For Red and Blue: the side that a connection is followed from, and the one it must reach.
    from: [W; 2],
    goal: [W; 2],
    /// How near each cell is to the centre.
    nearness: Vec<i16>,
    connections: OnceLock<Connections<W>>,
}

const PLAYERS: [&str; 2] = ["red", "blue"];

impl<W: Word> Hex<W> {
    /// A board of this size; its square must fit into the word.
    pub fn new(size: u32) -> Hex<W> {
        assert!((1..=11).contains(&size) && size * size <= W::BITS, "the board fits its word");
        let left = (0..size).fold(W::ZERO, |w, r| w | W::bit(r * size));
        let right = left << (size - 1);
        let top = W::first(size);
        Hex {
            size,
            full: W::first(size * size),
            left,
            right,
            from: [top, left],
            goal: [top << (size * (size - 1)), right],
            nearness: (0..size * size).map(|cell| nearness(size, cell)).collect(),
            connections: OnceLock::new(),
        }
    }

    /// The rows from the top, each with its cells.
    fn rows(&self) -> impl Iterator<Item = Range<u32>> + use<W> {
        let size = self.size;
        (0..size).map(move |row| row * size..(row + 1) * size)
    }

    /// The cells that touch one of these, on the board or beyond its last row.
    #[inline]
    fn touching(&self, block: W) -> W {
        let east = (block & !self.right) << 1;
        let west = (block & !self.left) >> 1;
        // Down and to the left is west, then down; up and to the right is east, then up.
        let down = (block | west) << self.size;
        let up = (block | east) >> self.size;
        (east | west | down | up) & self.full
    }

    /// Whether these stones connect the two sides that belong to `side`.
    #[inline]
    fn connects(&self, side: Side, stones: W) -> bool {
        let goal = self.goal[side.index()] & stones;
        let mut block = self.from[side.index()] & stones;
        loop {
            if !(block & goal).is_empty() {
                return true;
            }
            let next = block | (self.touching(block) & stones);
            if next == block {
                return false;
            }
            block = next;
        }
    }
}

/// Less the squared distance to the centre, with axes at an angle of 60 degrees and half a cell
/// as the unit.
fn nearness(size: u32, cell: u32) -> i16 {
    let [r, c] = [cell / size, cell % size].map(|i| 2 * i as i16 - (size as i16 - 1));
    -(r * r + r * c + c * c)
}

impl<W: Word> Game for Hex<W> {
    type State = State<W>;
    /// The cell of the stone.
    type Move = u8;

    fn start(&self) -> State<W> {
        State::start()
    }

    fn off_turn(&self) -> OffTurn {
        OffTurn::Moves
    }

    #[inline]
    fn turn(&self, s: &State<W>) -> Turn {
        // Only who moved last can have connected. A full board has a winner, so whoever is to
        // move has an empty cell.
        let last = s.turn.other();
        if self.connects(last, s.stones[last.index()]) {
            Turn::Over
        } else {
            Turn::Agent(s.turn.agent())
        }
    }

    #[inline]
    fn moves(&self, s: &State<W>, _agent: Agent, out: &mut Vec<u8>) {
        s.moves(self.full, out);
    }

    #[inline]
    fn play(&self, s: &mut State<W>, agent: Agent, m: u8) {
        s.place(agent, u32::from(m));
    }

    #[inline]
    fn outcome(&self, s: &State<W>) -> Outcome {
        // Who moved last has connected.
        s.won_by_last()
    }

    fn net(&self, s: &State<W>, side: Side) -> Option<Net> {
        let names = (0..self.size * self.size).map(|cell| self.move_text(s, cell as u8));
        let mut net = Net::new(names.collect(), 2);
        for cell in self.full.cells() {
            // To the right, down, and down to the left: all neighbours, each once.
            for (leaves, step) in [
                (self.right.has(cell), 1),
                (cell / self.size + 1 == self.size, self.size),
                (cell / self.size + 1 == self.size || self.left.has(cell), self.size - 1),
            ] {
                if !leaves {
                    net.link(cell as usize, (cell + step) as usize);
                }
            }
            for (terminal, edge) in [self.from, self.goal].into_iter().enumerate() {
                if edge[side.index()].has(cell) {
                    net.link(cell as usize, net.cells.len() + terminal);
                }
            }
        }
        [net.own, net.taken] = s.seen_by(side, |cell| cell);
        Some(net)
    }
}

impl<W: Word> Guide for Hex<W> {
    type Packed = [W; 2];

    foregone_model::stored_by_parts!();

    fn on_cells(&self) -> bool {
        true
    }

    fn character(&self) -> Character {
        Character::Large
    }

    guided_by_connections!();

    /// Who is to move follows from the number of stones in all positions of one search.
    #[inline]
    fn pack(&self, s: &State<W>) -> [W; 2] {
        s.stones
    }

    #[inline]
    fn mobility(&self, s: &State<W>, _agent: Agent) -> u32 {
        s.free(self.full).count()
    }

    /// Half a turn is the one symmetry that leaves both players their sides. It reverses the
    /// order of the cells.
    #[inline]
    fn canonical(&self, s: &State<W>) -> State<W> {
        let turned = s.stones.map(|w| w.reversed() >> (W::BITS - self.size * self.size));
        State { stones: least([s.stones, turned]), turn: s.turn }
    }

    /// Central cells first: more connections run through them.
    fn order(&self, _s: &State<W>, _agent: Agent, moves: &mut [u8]) {
        sort_by_rank(moves, |m| self.nearness[usize::from(m)]);
    }

    fn finishing(&self, s: &State<W>, agent: Agent, out: &mut Vec<u8>) {
        let side = Side::of(agent).index();
        let (sides, free) = ((self.from[side], self.goal[side]), s.free(self.full));
        let joining = connections::joining(s.stones[side], free, sides, |x| self.touching(x));
        out.extend(joining.cells().map(|cell| cell as u8));
    }

    fn touched(&self, _s: &State<W>, _agent: Agent, m: u8) -> Option<Zone> {
        Some(Zone::cell(u32::from(m)))
    }

    fn counters(&self, _s: &State<W>, _agent: Agent, _moves: u32) -> Zone {
        Zone::NONE
    }

    /// The cell that is taken.
    #[inline]
    fn move_class(&self, _s: &State<W>, _agent: Agent, m: u8) -> Option<u16> {
        Some(u16::from(m))
    }

    /// The board is filled as for [`Guide::playout`], and who has a cell took it.
    fn playout_told(
        &self,
        s: State<W>,
        rng: &mut Rng,
        told: &mut Told<'_, State<W>, u8>,
    ) -> Option<Outcome> {
        let red = s.fill(self.full, self.size * self.size, rng);
        for cell in s.free(self.full).cells() {
            let side = if red.has(cell) { Side::Max } else { Side::Min };
            told(&s, side.agent(), cell as u8);
        }
        Some(if self.connects(Side::Max, red) { Outcome::WIN } else { Outcome::LOSS })
    }

    /// A connection stays one whatever is played after it, so the board is filled to the end and
    /// looked at once.
    fn playout(&self, s: State<W>, rng: &mut Rng) -> Option<Outcome> {
        let red = s.fill(self.full, self.size * self.size, rng);
        Some(if self.connects(Side::Max, red) { Outcome::WIN } else { Outcome::LOSS })
    }
}

impl<W: Word> Hex<W> {
    /// A picture of a position.
    fn scene(&self, s: &State<W>) -> Scene {
        let size = self.size as usize;
        let mut scene = hexagons((0..).zip(self.rows()), |cell| {
            discs(s.symbol(cell), [Paint::Red, Paint::Blue])
        });
        rhombus_borders(&mut scene, size, Paint::Red, Paint::Blue);
        number_rows(&mut scene, (0..size).map(|row| row * size));
        for col in 0..self.size {
            scene.label([f64::from(col) - 0.4, -0.9], column_name(col), 0.34, Paint::Faint);
        }
        scene
    }
}

impl<W: Word> Notation for Hex<W> {
    fn name(&self) -> String {
        format!("hex:{}", self.size)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn write_move(&self, _s: &State<W>, m: u8, out: &mut String) {
        let cell = u32::from(m);
        board::write_cell(cell / self.size, cell % self.size, out);
    }

    fn parse_move(&self, _s: &State<W>, text: &str) -> Option<u8> {
        let (row, col, rest) = board::parse_cell(text)?;
        let fits = rest.is_empty() && row < self.size && col < self.size;
        fits.then(|| (row * self.size + col) as u8)
    }

    fn write_position(&self, s: &State<W>, out: &mut String) {
        s.write(self.rows(), &PLAYERS, out);
    }

    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        let s = State::read(text, self.rows(), &PLAYERS)?;
        if self.connects(s.turn, s.stones[s.turn.index()]) {
            return Err(s.over_before(text, &PLAYERS, "connected"));
        }
        Ok(s)
    }

    fn draw(&self, s: &State<W>) -> String {
        let mut out = "    ".to_owned();
        for col in 0..self.size {
            out.push(' ');
            board::write_column(col, &mut out);
        }
        out.push('\n');
        for (number, row) in self.rows().enumerate() {
            out.push_str(&format!("{:>3}  {}", number + 1, " ".repeat(number)));
            for cell in row {
                out.push(' ');
                out.push(s.symbol(cell));
            }
            out.push('\n');
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use foregone_model::Typed as _;

    use super::*;
    use crate::testing::{self, COLUMNS, Image, ROWS};

    /// The rule in so many words, cell by cell.
    fn connects_slowly(size: i32, side: Side, has: impl Fn(i32, i32) -> bool) -> bool {
        let inside = |r, c| (0..size).contains(&r) && (0..size).contains(&c);
        let mut seen = vec![false; (size * size) as usize];
        let mut stack: Vec<(i32, i32)> = match side {
            Side::Max => (0..size).map(|c| (0, c)).collect(),
            Side::Min => (0..size).map(|r| (r, 0)).collect(),
        };
        while let Some((r, c)) = stack.pop() {
            if !inside(r, c) || !has(r, c) || seen[(r * size + c) as usize] {
                continue;
            }
            if size - 1 == if side == Side::Max { r } else { c } {
                return true;
            }
            seen[(r * size + c) as usize] = true;
            for (dr, dc) in [(0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1)] {
                stack.push((r + dr, c + dc));
            }
        }
        false
    }

    /// Sets of cells of all densities.
    fn random_set<W: Word>(cells: u32, rng: &mut Rng) -> W {
        let density = rng.below(101);
        (0..cells).filter(|_| rng.below(100) < density).fold(W::ZERO, |w, c| w | W::bit(c))
    }

    #[test]
    fn the_first_player_wins() {
        for size in 1..=3 {
            let game: Hex<u64> = Hex::new(size);
            let value = testing::solve(&game, &game.start(), &mut HashMap::new());
            assert_eq!(value, Outcome::WIN, "{size}");
        }
    }

    #[test]
    fn connections_are_found() {
        fn check<W: Word>(sizes: std::ops::RangeInclusive<u32>) {
            let mut rng = Rng::new(11);
            for size in sizes {
                let game: Hex<W> = Hex::new(size);
                for _ in 0..1000 {
                    let red: W = random_set(size * size, &mut rng);
                    let blue = game.full & !red;
                    let [by_red, by_blue] =
                        [(Side::Max, red), (Side::Min, blue)].map(|(side, stones)| {
                            let has = |r: i32, c| stones.has(r as u32 * size + c as u32);
                            let slow = connects_slowly(size as i32, side, has);
                            assert_eq!(game.connects(side, stones), slow, "{size} {stones:?}");
                            slow
                        });
                    assert!(by_red != by_blue, "a full board has one winner");
                }
            }
        }
        check::<u64>(1..=8);
        check::<u128>(1..=11);
    }

    #[test]
    fn plays_end_with_a_connection() {
        fn check<W: Word>(size: u32, rng: &mut Rng) {
            let game: Hex<W> = Hex::new(size);
            for s in testing::random_play(&game, rng) {
                let over = [Side::Max, Side::Min].map(|side| {
                    let stones = s.stones[side.index()];
                    let has = |r: i32, c| stones.has(r as u32 * size + c as u32);
                    connects_slowly(size as i32, side, has)
                });
                let text = game.position_text(&s);
                assert_eq!(game.turn(&s) == Turn::Over, over != [false; 2], "{text}");
                let mut moves = Vec::new();
                game.moves(&s, s.turn.agent(), &mut moves);
                assert!(moves.is_sorted(), "{text}");
                if over != [false; 2] {
                    assert_eq!(game.outcome(&s) == Outcome::WIN, over[0], "{text}");
                }
            }
            testing::texts_round_trip(&game, 1);
        }
        let mut rng = Rng::new(5);
        for _ in 0..10 {
            (1..=8).for_each(|size| check::<u64>(size, &mut rng));
            (1..=11).for_each(|size| check::<u128>(size, &mut rng));
        }
    }

    #[test]
    fn both_words_play_the_same_game() {
        for size in 1..=8 {
            testing::same_game(&Hex::<u64>::new(size), &Hex::<u128>::new(size), 50);
        }
    }

    #[test]
    fn playouts_have_the_chances_of_random_play() {
        for text in [
            "../.. red",
            ".../.../... red",
            ".../.x./... blue",
            "o../.../..x red",
            "x.o/.../o.x blue",
            ".../ooo/... red",
            ".o./.o./.x. red",
            "..../.xo./..../.... red",
            "x.../.o../..x./.o.. blue",
        ] {
            let game: Hex<u64> = Hex::new(text.find('/').unwrap() as u32);
            testing::playouts_have_exact_chances(&game, text);
        }
    }

    #[test]
    fn images_are_alike() {
        const HALF: Image = |rows| ROWS(&COLUMNS(rows));
        for size in [1, 2, 3, 5, 8] {
            let most = if size == 1 { 1 } else { 2 };
            let solved = size <= 3;
            testing::images_are_alike(&Hex::<u64>::new(size), 20, &[HALF], most, solved);
            testing::images_are_alike(&Hex::<u128>::new(size), 20, &[HALF], most, solved);
        }
        testing::images_are_alike(&Hex::<u128>::new(11), 5, &[HALF], 2, false);
    }

    #[test]
    fn the_centre_comes_first() {
        let game: Hex<u64> = Hex::new(3);
        let names = testing::ordered_names(&game, &game.start());
        assert_eq!(names[0], "b2");
        // The corners at the acute angles touch two cells only.
        assert_eq!(names[7..], ["a1", "c3"]);
    }

    #[test]
    fn a1_is_at_the_top_left() {
        let game: Hex<u64> = Hex::new(3);
        let s = game.read_position_or_moves("moves:a1,c1,b3").unwrap();
        assert_eq!(game.position_text(&s), "x.o/.../.x. blue");
        let drawing = "     a b c\n  1   x . o\n  2    . . .\n  3     . x .\n";
        assert_eq!(game.draw(&s), drawing);
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game: Hex<u64> = Hex::new(3);
        for text in [
            "",
            " ",
            ".../.../...",
            ".../.../... green",
            ".../... red",
            ".../.../.... red",
            ".../.../..é red",
            "…/…/… red",
            "é ö",
            // Red and Blue have connected when they are to move.
            "x../x../x.. red",
            "..x/.x./x.. red",
            ".../ooo/... blue",
            ".oo/.o./o.. blue",
        ] {
            assert!(game.read_position(text).is_err(), "{text}");
        }
        for (text, outcome) in
            [("x../x../x.. blue", Outcome::WIN), (".../ooo/... red", Outcome::LOSS)]
        {
            let s = game.read_position(text).unwrap();
            assert_eq!(game.turn(&s), Turn::Over);
            assert_eq!(game.outcome(&s), outcome);
        }
        // The other diagonal does not touch.
        let s = game.read_position("x../.x./..x blue").unwrap();
        assert_eq!(game.turn(&s), Turn::Agent(Side::Min.agent()));
        for text in ["", "d1", "a4", "a0", "é1", "a1b", "a", "a99999999999"] {
            assert_eq!(game.parse_move(&game.start(), text), None, "{text}");
        }
    }
}
