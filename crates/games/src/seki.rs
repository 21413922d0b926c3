//! Seki with two shared liberties (after T. Cazenave and A. Saffidine, *Score bounded Monte-Carlo
//! tree search*, 2010).
//!
//! A fight of the game of Go and nothing around it. Black, who moves first, and White each have
//! one string; each has outside liberties of its own, and two liberties are shared. A move fills
//! any empty liberty, the opponent's, a shared one or one's own, or passes. A string without
//! liberties is captured and its owner loses. Filling that would leave one's own string without
//! liberties while the opponent's still has some is illegal. Two passes in a row are a draw: the
//! strings live together, in seki.

use foregone_model::scene::{Anchor, Glyph, Paint, Scene};
use foregone_model::{Agent, Game, Guide, Notation, Outcome, Scale, Side, TextError, Turn};

use crate::board::{Word, read_rows, sort_by_rank};
use crate::options::Options;
use crate::registry::{Entry, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "seki",
    "BLACK,WHITE (3,3)",
    "Fill liberties, own, shared or the opponent's, or pass; capture wins, two passes draw",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let form = (3, 0, MOST_LIBERTIES);
    let [black, white] = options.numbers([form, form])?;
    Ok(Opened::pictured(Seki::new(black, white), Seki::scene))
}

/// How many outside liberties a string can have.
pub const MOST_LIBERTIES: u32 = 20;

const SHARED: u32 = 2;

/// A seki problem.
#[derive(Clone, Debug)]
pub struct Seki {
    /// The outside liberties of Black and White.
    outside: [u32; 2],
    /// The points of Black's outside liberties, of the shared ones and of White's.
    groups: [u64; 3],
}

/// The empty liberties, how many passes came last, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    empty: u64,
    passes: u8,
    turn: Side,
}

foregone_model::stored!(State { empty, passes, turn });

/// A pass; other moves are points.
const PASS: u8 = u8::MAX;

const PLAYERS: [&str; 2] = ["black", "white"];
/// Who is to move after no pass, one and two.
const MOVERS: [&str; 6] = [
    "black",
    "white",
    "black-after-pass",
    "white-after-pass",
    "black-after-passes",
    "white-after-passes",
];
const SYMBOLS: [char; 2] = ['.', '#'];
/// The first letters of the names of points: Black's outside liberties, shared, White's.
const LETTERS: [char; 3] = ['b', 's', 'w'];
const DRAW: Outcome = Outcome(1);
const WIN: Outcome = Outcome(2);

impl Seki {
    /// So many outside liberties for Black's string and for White's, at most [`MOST_LIBERTIES`].
    pub fn new(black: u32, white: u32) -> Seki {
        assert!(black.max(white) <= MOST_LIBERTIES, "the liberties fit the word");
        let shared = u64::first(SHARED) << black;
        let groups = [u64::first(black), shared, u64::first(white) << (black + SHARED)];
        Seki { outside: [black, white], groups }
    }

    /// The empty liberties of a side's string among these.
    #[inline]
    fn liberties(&self, empty: u64, side: Side) -> u64 {
        empty & (self.groups[1] | self.groups[2 * side.index()])
    }

    /// The points that a side may fill.
    #[inline]
    fn places(&self, s: &State, side: Side) -> u64 {
        let [own, other] = [side, side.other()].map(|side| self.liberties(s.empty, side));
        if own.count() > 1 {
            s.empty
        } else if other.count() == 1 {
            // The last liberty of the opponent captures, even if it is the own last one too.
            s.empty & (other | !own)
        } else {
            s.empty & !own
        }
    }

    fn symbol(&self, s: &State, point: u32) -> char {
        SYMBOLS[usize::from(!s.empty.has(point))]
    }

    /// The group of a point, and its number there.
    fn name_of(&self, point: u32) -> (usize, u32) {
        let group = self.groups.iter().position(|g| g.has(point)).unwrap_or(0);
        (group, point - self.groups[group].trailing_zeros() + 1)
    }

    fn lengths(&self) -> [usize; 3] {
        self.groups.map(|g| g.count() as usize)
    }
}

impl Game for Seki {
    type State = State;
    type Move = u8;

    fn scale(&self) -> Scale {
        Scale::three()
    }

    fn start(&self) -> State {
        State {
            empty: self.groups[0] | self.groups[1] | self.groups[2],
            passes: 0,
            turn: Side::Max,
        }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        // Who moved last has a liberty or has captured, so that only the other can be captured.
        if s.passes == 2 || self.liberties(s.empty, s.turn) == 0 {
            Turn::Over
        } else {
            Turn::Agent(s.turn.agent())
        }
    }

    #[inline]
    fn moves(&self, s: &State, agent: Agent, out: &mut Vec<u8>) {
        out.extend(self.places(s, Side::of(agent)).cells().map(|point| point as u8));
        out.push(PASS);
    }

    #[inline]
    fn play(&self, s: &mut State, agent: Agent, m: u8) {
        if m == PASS {
            s.passes += 1;
        } else {
            s.empty &= !(1 << m);
            s.passes = 0;
        }
        s.turn = Side::of(agent).other();
    }

    #[inline]
    fn outcome(&self, s: &State) -> Outcome {
        match (self.liberties(s.empty, s.turn), s.turn) {
            (0, Side::Max) => Outcome::LOSS,
            (0, Side::Min) => WIN,
            _ => DRAW,
        }
    }
}

impl Guide for Seki {
    type Packed = Self::State;

    foregone_model::stored_by_parts!();

    #[inline]
    fn pack(&self, s: &Self::State) -> Self::State {
        *s
    }

    #[inline]
    fn mobility(&self, s: &State, agent: Agent) -> u32 {
        self.places(s, Side::of(agent)).count() + 1
    }

    /// Which of a group's liberties are filled does not matter, only how many.
    #[inline]
    fn canonical(&self, s: &State) -> State {
        let empty = self.groups.iter().fold(0, |empty, &group| {
            let first = if group == 0 { 0 } else { group.trailing_zeros() };
            empty | u64::first((s.empty & group).count()) << first
        });
        State { empty, ..*s }
    }

    /// The opponent's outside liberties, then shared ones, then to pass, own liberties last.
    fn order(&self, _s: &State, agent: Agent, moves: &mut [u8]) {
        let own = self.groups[2 * Side::of(agent).index()];
        sort_by_rank(moves, |m| match u32::from(m) {
            _ if m == PASS => 1,
            point if own.has(point) => 0,
            point if self.groups[1].has(point) => 2,
            _ => 3,
        });
    }
}

impl Seki {
    /// A picture of a position: the liberties, filled or not.
    fn scene(&self, s: &State) -> Scene {
        let mut scene = Scene::new();
        for (row, (group, name)) in self.groups.iter().zip(["black", "shared", "white"]).enumerate()
        {
            let y = row as f64 * 1.25;
            scene.anchored([-0.8, y], name, 0.36, Anchor::End, Paint::Ink);
            for point in group.cells() {
                let (_, number) = self.name_of(point);
                let place = [f64::from(number - 1), y];
                let cell = scene.square(format!("{}{number}", LETTERS[row]), place, Paint::Plain);
                if !s.empty.has(point) {
                    scene.piece(cell, Glyph::Block, Paint::Wall);
                }
            }
        }
        scene
    }
}

impl Notation for Seki {
    fn name(&self) -> String {
        format!("seki:{},{}", self.outside[0], self.outside[1])
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    /// `b1` fills the first of Black's outside liberties, `s1` a shared one, `w1` one of White's.
    fn write_move(&self, _s: &State, m: u8, out: &mut String) {
        if m == PASS {
            return out.push_str("pass");
        }
        let (group, number) = self.name_of(u32::from(m));
        out.push_str(&format!("{}{number}", LETTERS[group]));
    }

    fn parse_move(&self, s: &State, text: &str) -> Option<u8> {
        let points = self.groups[0] | self.groups[1] | self.groups[2];
        let all = points.cells().map(|point| point as u8).chain([PASS]);
        all.into_iter().find(|&m| self.move_text(s, m) == text)
    }

    /// Black's outside liberties, the shared ones and White's, `#` for a filled one.
    fn write_position(&self, s: &State, out: &mut String) {
        for (i, group) in self.groups.iter().enumerate() {
            if i > 0 {
                out.push('/');
            }
            out.extend(group.cells().map(|point| self.symbol(s, point)));
        }
        out.push(' ');
        out.push_str(MOVERS[2 * usize::from(s.passes) + s.turn.index()]);
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let (cells, mover) = read_rows(text, &self.lengths(), &SYMBOLS, &MOVERS)?;
        let empty = (0..).zip(&cells).filter(|&(_, &symbol)| symbol == 0);
        let s = State {
            empty: empty.fold(0, |set, (point, _)| set | 1 << point),
            passes: (mover / 2) as u8,
            turn: [Side::Max, Side::Min][mover % 2],
        };
        let [own, other] = [s.turn, s.turn.other()].map(|side| self.liberties(s.empty, side));
        let [turn, last] = [s.turn, s.turn.other()].map(|side| PLAYERS[side.index()]);
        let message = if s.passes > 0 && (own == 0 || other == 0) {
            "a string has no liberty: the game was over before any pass".to_owned()
        } else if own != 0 && other == 0 {
            format!("{last}, who moved last, has no liberty, and that is illegal while {turn} has")
        } else {
            return Ok(s);
        };
        Err(TextError::new(message, 0..text.len() - MOVERS[mover].len() - 1))
    }

    fn draw(&self, s: &State) -> String {
        let mut out = String::new();
        for (group, name) in self.groups.iter().zip(["black", "shared", "white"]) {
            out.push_str(&format!("{name:<7}"));
            for point in group.cells() {
                out.push(' ');
                out.push(self.symbol(s, point));
            }
            out.push('\n');
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::Typed as _;
    use std::collections::HashMap;

    use super::*;
    use crate::testing::{self, Image};

    #[test]
    fn the_table_of_sekis_is_right() {
        // A. Saffidine, Some Improvements for Monte-Carlo Tree Search, table 4.3: rows are White's
        // outside liberties, the columns Black's.
        let table = ["DWWWWW", "DDWWWW", "LDDWWW", "LLDDWW", "LLLDDW", "LLLLDD"];
        for (white, row) in (1..).zip(table) {
            for (black, value) in (1..).zip(row.chars()) {
                let game = Seki::new(black, white);
                let found = testing::solve(&game, &game.start(), &mut HashMap::new());
                let name = game.scale().name(found).to_uppercase();
                assert!(name.starts_with(value), "{}: {name}", game.name());
            }
        }
    }

    #[test]
    fn a_capture_comes_before_suicide() {
        let game = Seki::new(1, 1);
        for (text, moves) in [
            ("./../. black", "b1 s1 s2 w1 pass"),
            // Filling the only liberty of both captures; filling the own last one alone does not.
            ("#/.#/# black", "s1 pass"),
            ("#/.#/. black", "w1 pass"),
            ("./##/. white", "b1 pass"),
            ("#/../# white-after-pass", "s1 s2 pass"),
        ] {
            let s = game.read_position(text).unwrap();
            let mut found = Vec::new();
            game.moves(&s, s.turn.agent(), &mut found);
            let names: Vec<String> = found.iter().map(|&m| game.move_text(&s, m)).collect();
            assert_eq!(names.join(" "), moves, "{text}");
        }
        let mut s = game.read_position("#/.#/# black").unwrap();
        let capture = game.read_move(&s, "s1").unwrap();
        game.play(&mut s, Agent(0), capture);
        assert_eq!((game.turn(&s), game.outcome(&s)), (Turn::Over, WIN));
    }

    #[test]
    fn two_passes_are_a_draw() {
        let game = Seki::new(1, 2);
        let s = game.read_position_or_moves("moves:pass,pass").unwrap();
        assert_eq!(game.position_text(&s), "./../.. black-after-passes");
        assert_eq!((game.turn(&s), game.outcome(&s)), (Turn::Over, DRAW));
        let s = game.read_position_or_moves("moves:pass,w1,pass").unwrap();
        assert_eq!(game.position_text(&s), "./../#. white-after-pass");
    }

    #[test]
    fn texts_round_trip() {
        for (black, white) in [(0, 0), (3, 3), (20, 20), (0, 5)] {
            testing::texts_round_trip(&Seki::new(black, white), 50);
        }
        testing::nonsense_is_refused(&Seki::new(3, 4));
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = Seki::new(1, 1);
        for (text, span) in [
            ("#/##/. white", 0..6),
            ("#/##/. black-after-pass", 0..6),
            ("./##/# white-after-passes", 0..6),
            ("./..", 4..4),
            ("./../. blue", 7..11),
            ("./.x/. black", 3..4),
        ] {
            assert_eq!(game.read_position(text).unwrap_err().span, span, "{text}");
        }
        // White has just been captured by a move that took the last shared liberty.
        assert!(game.read_position("#/##/# white").is_ok());
    }

    /// A row with its first two points exchanged, and one with all of them moved on.
    fn exchanged(row: &[char]) -> Vec<char> {
        row.iter().take(2).rev().chain(row.iter().skip(2)).copied().collect()
    }

    fn moved_on(row: &[char]) -> Vec<char> {
        row.iter().cycle().skip(1).take(row.len()).copied().collect()
    }

    #[test]
    fn images_are_alike() {
        fn changed(rows: &[Vec<char>], at: usize, by: fn(&[char]) -> Vec<char>) -> Vec<Vec<char>> {
            let mut rows = rows.to_vec();
            rows[at] = by(&rows[at]);
            rows
        }
        let images: [Image; 5] = [
            |rows| changed(rows, 0, exchanged),
            |rows| changed(rows, 0, moved_on),
            |rows| changed(rows, 1, exchanged),
            |rows| changed(rows, 2, exchanged),
            |rows| changed(rows, 2, moved_on),
        ];
        // One of three, one of two and one of three points filled.
        testing::images_are_alike(&Seki::new(3, 3), 100, &images, 18, true);
        testing::images_are_alike(&Seki::new(1, 2), 50, &images, 4, true);
    }

    #[test]
    fn outside_liberties_come_first() {
        let game = Seki::new(1, 1);
        assert_eq!(testing::ordered_names(&game, &game.start()), ["w1", "s1", "s2", "pass", "b1"]);
    }
}
