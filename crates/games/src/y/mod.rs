//! Y (Claude Shannon, in the 1950s; independently Craige Schensted and Charles Titus).
//!
//! Black, who moves first, and White place stones in turn on the empty cells of a triangle of
//! hexagons. Who connects all three sides with one group wins. One of them always does.
//!
//! Whether stones connect the three sides is found by micro-reduction (Schensted): a board of
//! side n becomes one of side n - 1 in which each cell stands for three cells that touch one
//! another and goes to who has two of them. That keeps the winner, and on bits it is a handful of
//! operations a step.

use std::ops::Range;
use std::sync::OnceLock;

use foregone_model::scene::{Paint, Scene};
use foregone_model::{
    Agent, Game, Guide, Net, Notation, OffTurn, Outcome, Rng, Side, TextError, Turn, Zone,
};

use crate::board::{self, Mirror, Word, least, sort_by_rank};
use crate::connection::{Connections, guided_by_connections};
use crate::options::Options;
use crate::picture::{column_name, hexagons, number_rows, stone};
pub use crate::placement::State;
use crate::registry::{Entry, GameError, Opened};

mod connected;
pub mod reduction;

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "y",
    "SIDE (5)",
    "Place stones on a triangle; the first to connect all three sides wins",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let side = options.number(5, 1, reduction::MAX_SIDE)?;
    Ok(match options.fits_64((side, side), |rows, cols| rows * cols)? {
        true => Opened::pictured(Y::<u64>::new(side), Y::scene),
        false => Opened::pictured(Y::<u128>::new(side), Y::scene),
    })
}

/// Y on a triangle. The cell at place `i` of row `r`, both counted from 0 at the top, is bit
/// `r * side + i`: half of a square, so that the same shifts work in every row.
#[derive(Clone, Debug)]
pub struct Y<W> {
    side: u32,
    full: W,
    /// Two mirrors that together make all symmetries: one reverses the rows, the other the lines
    /// that run down to the left.
    mirrors: [Mirror<W>; 2],
    connections: OnceLock<Connections<W>>,
}

const PLAYERS: [&str; 2] = ["black", "white"];

impl<W: Word> Y<W> {
    /// A board of this side; its square must fit into the word.
    pub fn new(side: u32) -> Y<W> {
        let fits = (1..=reduction::MAX_SIDE).contains(&side) && side * side <= W::BITS;
        assert!(fits, "the board fits its word");
        let full = (0..side).fold(W::ZERO, |w, r| w | (W::first(r + 1) << (r * side)));
        let mirrors = [
            Mirror::new(1, (0..side).map(|r| (r * side, r + 1))),
            Mirror::new(side, (0..side).map(|i| (i * side + i, side - i))),
        ];
        Y { side, full, mirrors, connections: OnceLock::new() }
    }

    /// Whether a group of these stones touches all three sides. Cells without one count as the
    /// other player's, so that the board reduced is a full one.
    #[inline]
    fn connects(&self, stones: W) -> bool {
        let mut x = stones;
        for _ in 1..self.side {
            let left = x >> self.side;
            let right = left >> 1;
            x = (x & (left | right)) | (left & right);
        }
        x.has(0)
    }

    /// The rows from the top, each with its cells.
    fn rows(&self) -> impl Iterator<Item = Range<u32>> + use<W> {
        let side = self.side;
        (0..side).map(move |r| r * side..r * side + r + 1)
    }
}

impl<W: Word> Game for Y<W> {
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
        if self.connects(s.of_last()) { Turn::Over } else { Turn::Agent(s.turn.agent()) }
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
        let mut net = Net::new(self.full.cells().map(|m| self.move_text(s, m as u8)).collect(), 3);
        // Cells of the net are numbered without the half of the square that is not there.
        let number = |cell: u32| {
            let row = cell / self.side;
            row * (row + 1) / 2 + cell % self.side
        };
        for cell in self.full.cells() {
            let (row, place, at) = (cell / self.side, cell % self.side, number(cell) as usize);
            for (terminal, touches) in
                [place == 0, place == row, row + 1 == self.side].into_iter().enumerate()
            {
                if touches {
                    net.link(at, net.cells.len() + terminal);
                }
            }
            // To the left, and both up: all neighbours, each once.
            if place > 0 {
                net.link(at, at - 1);
                net.link(at, number(cell - self.side - 1) as usize);
            }
            if place < row {
                net.link(at, number(cell - self.side) as usize);
            }
        }
        [net.own, net.taken] = s.seen_by(side, number);
        Some(net)
    }
}

impl<W: Word> Guide for Y<W> {
    type Packed = [W; 2];

    foregone_model::stored_by_parts!();

    guided_by_connections!();

    fn on_cells(&self) -> bool {
        true
    }

    /// Who is to move follows from the number of stones in all positions of one search.
    #[inline]
    fn pack(&self, s: &State<W>) -> [W; 2] {
        s.stones
    }

    #[inline]
    fn mobility(&self, s: &State<W>, _agent: Agent) -> u32 {
        s.free(self.full).count()
    }

    /// The six symmetries of a triangle, made of two mirrors: none, one, the other, …
    #[inline]
    fn canonical(&self, s: &State<W>) -> State<W> {
        let [rows, lines] = &self.mirrors;
        let mut one = [s.stones; 2];
        rows.apply(&mut one[1]);
        let mut two = one;
        lines.apply(two.as_flattened_mut());
        let mut three = two;
        rows.apply(three.as_flattened_mut());
        let images = [one[0], one[1], two[0], two[1], three[0], three[1]];
        State { stones: least(images), turn: s.turn }
    }

    /// The cells first on which the evaluation hangs most. On side 5 a plain search then visits
    /// a fifth of the nodes that it visits with central cells first, and rather fewer than with
    /// moves sorted by the evaluation after each of them, which costs twice as much there and
    /// six times as much on side 11.
    fn order(&self, s: &State<W>, _agent: Agent, moves: &mut [u8]) {
        let influence = reduction::influence(self.side, s.stones[0], s.stones[1]);
        sort_by_rank(moves, |m| {
            let place = reduction::place(self.side, u32::from(m));
            // More than 8 is possible on a large board in theory only, and is cut off.
            (influence[place] * 4096.0) as i16
        });
    }

    fn finishing(&self, s: &State<W>, agent: Agent, out: &mut Vec<u8>) {
        let own = s.stones[Side::of(agent).index()];
        let connecting = s.free(self.full).cells().filter(|&c| self.connects(own | W::bit(c)));
        out.extend(connecting.map(|cell| cell as u8));
    }

    fn touched(&self, _s: &State<W>, _agent: Agent, m: u8) -> Option<Zone> {
        Some(Zone::cell(u32::from(m)))
    }

    /// As in Hex, who connects only is in the other one's way.
    fn counters(&self, _s: &State<W>, _agent: Agent, _moves: u32) -> Zone {
        Zone::NONE
    }

    fn evaluate(&self, s: &State<W>) -> Option<f64> {
        Some(reduction::evaluate(self.side, s.stones[0], s.stones[1]))
    }

    fn evaluates(&self) -> bool {
        true
    }

    fn prefers_evaluation(&self) -> bool {
        true
    }

    /// A connection stays one whatever is played after it: as in Hex, the board is filled to the
    /// end and looked at once.
    fn playout(&self, s: State<W>, rng: &mut Rng) -> Option<Outcome> {
        let black = s.fill(self.full, self.side * self.side, rng);
        Some(if self.connects(black) { Outcome::WIN } else { Outcome::LOSS })
    }
}

impl<W: Word> Y<W> {
    /// A picture of a position.
    fn scene(&self, s: &State<W>) -> Scene {
        let indents = (0..self.side as i32).map(|row| -row);
        let mut scene = hexagons(indents.zip(self.rows()), |cell| stone(s.symbol(cell)));
        number_rows(&mut scene, (0..self.side as usize).map(|row| row * (row + 1) / 2));
        // A letter names a line of cells that runs down to the left.
        let last = scene.cells.len() - self.side as usize;
        for place in 0..self.side {
            let [x, y] = scene.cells[last + place as usize].at;
            scene.label([x, y + 0.85], column_name(place), 0.34, Paint::Faint);
        }
        scene
    }
}

impl<W: Word> Notation for Y<W> {
    fn name(&self) -> String {
        format!("y:{}", self.side)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn write_move(&self, _s: &State<W>, m: u8, out: &mut String) {
        board::write_cell(u32::from(m) / self.side, u32::from(m) % self.side, out);
    }

    fn parse_move(&self, _s: &State<W>, text: &str) -> Option<u8> {
        let (row, place, rest) = board::parse_cell(text)?;
        let fits = rest.is_empty() && row < self.side && place <= row;
        fits.then(|| (row * self.side + place) as u8)
    }

    fn write_position(&self, s: &State<W>, out: &mut String) {
        s.write(self.rows(), &PLAYERS, out);
    }

    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        let s = State::read(text, self.rows(), &PLAYERS)?;
        if self.connects(s.stones[s.turn.index()]) {
            return Err(s.over_before(text, &PLAYERS, "connected"));
        }
        Ok(s)
    }

    fn draw(&self, s: &State<W>) -> String {
        let mut out = String::new();
        for (r, row) in self.rows().enumerate() {
            out.push_str(&format!("{:>3} {}", r + 1, " ".repeat(self.side as usize - r)));
            for cell in row {
                out.push(s.symbol(cell));
                out.push(' ');
            }
            out.truncate(out.trim_end().len());
            out.push('\n');
        }
        // A letter names a line of cells that runs down to the left.
        out.push_str("    ");
        for place in 0..self.side {
            out.push(' ');
            board::write_column(place, &mut out);
        }
        out.push('\n');
        out
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::HashMap;

    use foregone_model::Typed as _;

    use super::*;
    use crate::testing::{self, COLUMNS, THIRD};

    /// The rule in so many words: whether a chain of the set touches all three sides.
    pub(crate) fn connects_slowly(side: u32, set: impl Fn(u32) -> bool) -> bool {
        let n = side as i32;
        let mut seen = vec![false; (side * side) as usize];
        for row in 0..n {
            // Every winning chain has a cell on the left side.
            let mut stack = vec![(row, 0)];
            let mut touched = [false; 3];
            while let Some((r, c)) = stack.pop() {
                if !(0..n).contains(&r) || !(0..=r).contains(&c) {
                    continue;
                }
                let i = r as u32 * side + c as u32;
                if !set(i) || seen[i as usize] {
                    continue;
                }
                seen[i as usize] = true;
                for (touched, at) in touched.iter_mut().zip([c == 0, c == r, r == n - 1]) {
                    *touched |= at;
                }
                for (dr, dc) in [(0, 1), (0, -1), (-1, -1), (-1, 0), (1, 0), (1, 1)] {
                    stack.push((r + dr, c + dc));
                }
            }
            if touched == [true; 3] {
                return true;
            }
        }
        false
    }

    #[test]
    fn the_first_player_wins() {
        for side in 1..=4 {
            let game: Y<u64> = Y::new(side);
            let value = testing::solve(&game, &game.start(), &mut HashMap::new());
            assert_eq!(value, Outcome::WIN, "{side}");
        }
    }

    #[test]
    fn connections_are_found() {
        fn check<W: Word>(sides: std::ops::RangeInclusive<u32>) {
            let mut rng = Rng::new(11);
            for side in sides {
                let game: Y<W> = Y::new(side);
                for _ in 0..1000 {
                    let density = rng.below(101);
                    let black = game
                        .full
                        .cells()
                        .filter(|_| rng.below(100) < density)
                        .fold(W::ZERO, |w, c| w | W::bit(c));
                    let white = game.full & !black;
                    let [by_black, by_white] = [black, white].map(|stones| {
                        let slow = connects_slowly(side, |c| stones.has(c));
                        assert_eq!(game.connects(stones), slow, "{side} {stones:?}");
                        slow
                    });
                    assert!(by_black != by_white, "a full board has one winner");
                }
            }
        }
        check::<u64>(1..=8);
        check::<u128>(1..=11);
    }

    #[test]
    fn plays_end_with_a_connection() {
        fn check<W: Word>(side: u32, rng: &mut Rng) {
            let game: Y<W> = Y::new(side);
            for s in testing::random_play(&game, rng) {
                let over = s.stones.map(|w| connects_slowly(side, |c| w.has(c)));
                let text = game.position_text(&s);
                assert_eq!(game.turn(&s) == Turn::Over, over != [false; 2], "{text}");
                let mut moves = Vec::new();
                game.moves(&s, s.turn.agent(), &mut moves);
                assert!(moves.is_sorted(), "{text}");
                if over != [false; 2] {
                    assert_eq!(game.outcome(&s) == Outcome::WIN, over[0], "{text}");
                } else {
                    let chance = game.evaluate(&s).unwrap();
                    assert!(0.0 < chance && chance < 1.0, "{text}: {chance}");
                }
            }
            testing::texts_round_trip(&game, 1);
        }
        let mut rng = Rng::new(5);
        for _ in 0..10 {
            (1..=8).for_each(|side| check::<u64>(side, &mut rng));
            (1..=11).for_each(|side| check::<u128>(side, &mut rng));
        }
    }

    #[test]
    fn both_words_play_the_same_game() {
        for side in 1..=8 {
            testing::same_game(&Y::<u64>::new(side), &Y::<u128>::new(side), 50);
        }
    }

    #[test]
    fn playouts_have_the_chances_of_random_play() {
        for text in [
            "./.. black",
            "./../... black",
            "./.x/... white",
            "x/.o/..x white",
            "x/xo/x.. white",
            "./../.../.... black",
            "o/../.x./.... black",
            "./.x/o../.... black",
            "./.x/.o./..../..x.. white",
            "./../.xo/..../o...x black",
        ] {
            let game: Y<u64> = Y::new(text.split('/').count() as u32);
            testing::playouts_have_exact_chances(&game, text);
        }
    }

    #[test]
    fn images_are_alike() {
        for (side, most) in [(1, 1), (2, 6), (4, 6), (5, 6), (7, 6), (8, 6)] {
            let images = [COLUMNS, THIRD];
            testing::images_are_alike(&Y::<u64>::new(side), 20, &images, most, side <= 4);
            testing::images_are_alike(&Y::<u128>::new(side), 20, &images, most, side <= 4);
        }
        testing::images_are_alike(&Y::<u128>::new(11), 5, &[COLUMNS, THIRD], 6, false);
    }

    #[test]
    fn decisive_cells_come_first() {
        let game: Y<u64> = Y::new(4);
        let names = testing::ordered_names(&game, &game.start());
        assert_eq!(names[0], "b3");
        assert_eq!(names[7..], ["a1", "a4", "d4"]);
        // Black connects the three sides there.
        let s = game.read_position("./.x/x.o/.xo. black").unwrap();
        assert_eq!(testing::ordered_names(&game, &s)[0], "b3");
    }

    #[test]
    fn the_top_is_row_one() {
        let game: Y<u64> = Y::new(3);
        let s = game.read_position_or_moves("moves:a1,b2,c3").unwrap();
        assert_eq!(game.position_text(&s), "x/.o/..x white");
        let drawing = "  1    x\n  2   . o\n  3  . . x\n     a b c\n";
        assert_eq!(game.draw(&s), drawing);
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game: Y<u64> = Y::new(3);
        for text in [
            "",
            " ",
            "./../...",
            "./../... green",
            "./.. black",
            "./../.... black",
            "./../..é black",
            "…/…/… black",
            "é ö",
            // Black and White have connected when they are to move.
            "x/x./x.. black",
            "./../xxx black",
            "./.o/oo. white",
        ] {
            assert!(game.read_position(text).is_err(), "{text}");
        }
        for (text, outcome) in [("x/x./x.. white", Outcome::WIN), ("./.o/oo. black", Outcome::LOSS)]
        {
            let s = game.read_position(text).unwrap();
            assert_eq!(game.turn(&s), Turn::Over);
            assert_eq!(game.outcome(&s), outcome);
        }
        for text in ["", "b1", "d3", "a4", "a0", "é1", "a1b", "a", "a99999999999"] {
            assert_eq!(game.parse_move(&game.start(), text), None, "{text}");
        }
    }
}
