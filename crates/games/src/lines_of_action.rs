//! Lines of Action (Claude Soucie, about 1960; Sid Sackson, *A Gamut of Games*, 1969).
//!
//! Black, who moves first, has pieces along the top and the bottom of a square board, White along
//! the left and the right; the corners are empty. A piece goes in a straight line in one of the eight
//! directions, exactly as many squares as there are pieces of either colour on that line, itself
//! included. It may jump over own pieces, not over the opponent's, and captures an opponent's piece
//! by landing on it. Who has all own pieces connected, along edges or corners of squares, wins; one
//! piece alone is connected.
//!
//! Books differ in the rest. These are the rules of the Computer Olympiads: a move that connects both
//! sides at once is a draw, who cannot move passes, and repetition is a draw. So endless play is a
//! draw here: what a side can force is the same as with a draw by the third repetition.

use foregone_model::scene::{Paint, Scene};
use foregone_model::{
    Agent, Endless, Game, Guide, Notation, OffTurn, Outcome, Scale, Side, TextError, Turn,
};

use crate::board::{Grid, Word, sort_by_rank};
use crate::options::Options;
use crate::picture::stone;
use crate::registry::{Entry, GameError, Opened};
use crate::stones::PLAYERS;

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry {
    quick: Some("lines-of-action:4"),
    ..Entry::in_turn(
        "lines-of-action",
        "SIZE (6)",
        "Move as many squares as the line has pieces; whoever connects all own pieces wins",
        open,
    )
};

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let size = options.number(6, 3, MAX_SIZE)?;
    Ok(Opened::pictured(LinesOfAction::new(size), LinesOfAction::scene))
}

/// The largest side of a board, that of the usual one.
pub const MAX_SIZE: u32 = 8;

/// Lines of Action on a square board.
#[derive(Clone, Debug)]
pub struct LinesOfAction {
    grid: Grid<u64>,
    /// For each square the lines through it: its row, its column and two diagonals.
    lines: Vec<[u64; 4]>,
    /// For each square and direction the squares on the way, from the nearest to the edge. Directions
    /// `i` and `i + 4` lie on line `i`.
    ways: Vec<[Vec<Landing>; 8]>,
    /// How near each square is to the centre.
    nearness: Vec<i16>,
}

/// A square that a piece may land on.
#[derive(Clone, Copy, Debug)]
struct Landing {
    to: u8,
    /// The squares before it.
    between: u64,
}

/// The pieces and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Black's and White's.
    pieces: [u64; 2],
    turn: Side,
}

foregone_model::stored!(State { pieces, turn });

/// The squares from which and to which a piece goes.
type FromTo = (u8, u8);

/// A pass, for who cannot move.
const PASS: FromTo = (u8::MAX, u8::MAX);
const PASS_WORD: &str = "pass";

const SYMBOLS: [char; 3] = ['.', 'x', 'o'];
const DRAW: Outcome = Outcome(1);
const WIN: Outcome = Outcome(2);

/// Up and to the right, for each direction.
const DIRECTIONS: [(i32, i32); 8] =
    [(0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)];

impl LinesOfAction {
    /// A board of this size.
    pub fn new(size: u32) -> LinesOfAction {
        assert!((3..=MAX_SIZE).contains(&size), "boards have sides of 3 to 8");
        let n = size as i32;
        let way = |cell: u32, (up, right): (i32, i32)| {
            let (row, col) = ((cell / size) as i32, (cell % size) as i32);
            let mut way = Vec::new();
            let mut between = 0;
            for step in 1..n {
                let (row, col) = (row + step * up, col + step * right);
                if !(0..n).contains(&row) || !(0..n).contains(&col) {
                    break;
                }
                let to = (row * n + col) as u8;
                way.push(Landing { to, between });
                between |= 1 << to;
            }
            way
        };
        let ways: Vec<[Vec<Landing>; 8]> =
            (0..size * size).map(|cell| DIRECTIONS.map(|towards| way(cell, towards))).collect();
        let line = |cell: usize, line: usize| {
            let both = [line, line + 4].into_iter().flat_map(|way| &ways[cell][way]);
            both.fold(1 << cell, |set, landing| set | 1 << landing.to)
        };
        let nearness = |cell: u32| {
            let [r, c] = [cell / size, cell % size].map(|i| 2 * i as i16 - (size as i16 - 1));
            -(r * r + c * c)
        };
        LinesOfAction {
            grid: Grid::new(size, size),
            lines: (0..ways.len()).map(|cell| [0, 1, 2, 3].map(|n| line(cell, n))).collect(),
            nearness: (0..size * size).map(nearness).collect(),
            ways,
        }
    }

    /// Whether all these pieces are connected.
    #[inline]
    fn connected(&self, pieces: u64) -> bool {
        let mut group = pieces & pieces.wrapping_neg();
        loop {
            let row = group | self.grid.east(group) | self.grid.west(group);
            let next = (row | self.grid.north(row) | self.grid.south(row)) & pieces;
            if next == group {
                return group == pieces;
            }
            group = next;
        }
    }

    /// Calls `f` with every move of a side but a pass.
    #[inline]
    fn each_move(&self, s: &State, side: Side, mut f: impl FnMut(FromTo)) {
        let own = s.pieces[side.index()];
        let others = s.pieces[side.other().index()];
        for from in own.cells() {
            let counts = self.lines[from as usize].map(|line| (line & (own | others)).count());
            for (direction, way) in self.ways[from as usize].iter().enumerate() {
                let steps = counts[direction % 4] as usize;
                if let Some(&Landing { to, between }) = way.get(steps - 1)
                    && between & others == 0
                    && !own.has(u32::from(to))
                {
                    f((from as u8, to));
                }
            }
        }
    }

    fn symbol(s: &State, cell: u32) -> char {
        match s.pieces.map(|own| own.has(cell)) {
            [true, _] => SYMBOLS[1],
            [_, true] => SYMBOLS[2],
            _ => SYMBOLS[0],
        }
    }
}

impl Game for LinesOfAction {
    type State = State;
    type Move = FromTo;

    fn scale(&self) -> Scale {
        Scale::three()
    }

    fn endless(&self) -> Endless {
        Endless::Scores(DRAW)
    }

    fn start(&self) -> State {
        let corners = self.grid.left | self.grid.right;
        let level = (self.grid.full & !self.grid.north(self.grid.full))
            | (self.grid.full & !self.grid.south(self.grid.full));
        State { pieces: [level & !corners, corners & !level], turn: Side::Max }
    }

    fn off_turn(&self) -> OffTurn {
        OffTurn::Moves
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        match s.pieces.iter().any(|&own| self.connected(own)) {
            true => Turn::Over,
            false => Turn::Agent(s.turn.agent()),
        }
    }

    #[inline]
    fn moves(&self, s: &State, agent: Agent, out: &mut Vec<FromTo>) {
        let before = out.len();
        self.each_move(s, Side::of(agent), |m| out.push(m));
        if out.len() == before {
            out.push(PASS);
        }
    }

    #[inline]
    fn play(&self, s: &mut State, agent: Agent, m: FromTo) {
        let side = Side::of(agent);
        if m != PASS {
            let (from, to) = (1u64 << m.0, 1u64 << m.1);
            let own = side.index();
            s.pieces[own] = (s.pieces[own] & !from) | to;
            s.pieces[1 - own] &= !to;
        }
        s.turn = side.other();
    }

    #[inline]
    fn outcome(&self, s: &State) -> Outcome {
        match s.pieces.map(|own| self.connected(own)) {
            [true, false] => WIN,
            [false, true] => Outcome::LOSS,
            _ => DRAW,
        }
    }
}

impl Guide for LinesOfAction {
    type Packed = [u64; 2];

    foregone_model::stored_by_parts!();

    const PACKS_TURN: bool = true;

    /// No square has two pieces, and the board is never full, so that the two complements are not a
    /// position with Black to move.
    #[inline]
    fn pack(&self, s: &State) -> [u64; 2] {
        match s.turn {
            Side::Max => s.pieces,
            Side::Min => s.pieces.map(|own| !own),
        }
    }

    #[inline]
    fn mobility(&self, s: &State, agent: Agent) -> u32 {
        let mut count = 0;
        self.each_move(s, Side::of(agent), |_| count += 1);
        count.max(1)
    }

    #[inline]
    fn canonical(&self, s: &State) -> State {
        State { pieces: self.grid.least_image(s.pieces), turn: s.turn }
    }

    /// Towards the centre first, where pieces are nearer to one another.
    fn order(&self, _s: &State, _agent: Agent, moves: &mut [FromTo]) {
        sort_by_rank(moves, |m| match m {
            PASS => 0,
            (from, to) => self.nearness[usize::from(to)] - self.nearness[usize::from(from)],
        });
    }

    fn move_class(&self, _s: &State, _agent: Agent, m: FromTo) -> Option<u16> {
        Some(u16::from(m.0 & 63) * 64 + u16::from(m.1 & 63))
    }
}

impl LinesOfAction {
    /// A picture of a position.
    fn scene(&self, s: &State) -> Scene {
        let light = |row: u32, col: u32| [Paint::Dark, Paint::Light][(row + col) as usize % 2];
        self.grid.painted(light, |cell| stone(LinesOfAction::symbol(s, cell)))
    }
}

impl Notation for LinesOfAction {
    fn name(&self) -> String {
        format!("lines-of-action:{}", self.grid.cols)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    /// `b1-b3`, or `b1xa2` for a capture.
    fn write_move(&self, s: &State, m: FromTo, out: &mut String) {
        if m == PASS {
            return out.push_str(PASS_WORD);
        }
        self.grid.write_cell(u32::from(m.0), out);
        out.push(sign(s, m.1));
        self.grid.write_cell(u32::from(m.1), out);
    }

    fn parse_move(&self, s: &State, text: &str) -> Option<FromTo> {
        if text == PASS_WORD {
            return Some(PASS);
        }
        let (from, rest) = self.grid.parse_cell(text)?;
        let (to, end) = self.grid.parse_cell(rest.get(1..)?)?;
        let m = (from as u8, to as u8);
        (end.is_empty() && from != to && rest.starts_with(sign(s, m.1))).then_some(m)
    }

    fn write_position(&self, s: &State, out: &mut String) {
        self.grid.write_rows(|cell| LinesOfAction::symbol(s, cell), out);
        out.push(' ');
        out.push_str(PLAYERS[s.turn.index()]);
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let (sets, mover) = self.grid.read_rows(text, &SYMBOLS, &PLAYERS)?;
        let s = State { pieces: [sets[1], sets[2]], turn: [Side::Max, Side::Min][mover] };
        let board = 0..text.rfind(' ').unwrap_or(text.len());
        for (own, name) in s.pieces.iter().zip(PLAYERS) {
            // Who has one piece left has won, so the last piece is never captured.
            if own.is_empty() {
                return Err(TextError::new(format!("{name} has no pieces"), board));
            }
        }
        if s.pieces[0] | s.pieces[1] == self.grid.full {
            return Err(TextError::new("a full board cannot come up", board));
        }
        Ok(s)
    }

    fn draw(&self, s: &State) -> String {
        self.grid.draw(|cell| LinesOfAction::symbol(s, cell))
    }
}

/// What stands between the squares of a move: a piece on its target is captured.
fn sign(s: &State, to: u8) -> char {
    let taken = s.pieces[0] | s.pieces[1];
    if taken.has(u32::from(to)) { 'x' } else { '-' }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashMap};

    use foregone_model::{Rng, Typed as _};

    use super::*;
    use crate::testing::{self, COLUMNS, DIAGONAL, ROWS};

    type At = (i32, i32);

    /// The rules in so many words, square by square.
    struct Slow {
        size: i32,
        board: HashMap<At, Side>,
    }

    impl Slow {
        fn new(game: &LinesOfAction, s: &State) -> Slow {
            let size = game.grid.cols as i32;
            let at = |cell: u32| (cell as i32 / size, cell as i32 % size);
            let both = [Side::Max, Side::Min].into_iter();
            let pieces = both
                .flat_map(|side| s.pieces[side.index()].cells().map(move |cell| (at(cell), side)));
            Slow { size, board: pieces.collect() }
        }

        fn moves(&self, side: Side) -> BTreeSet<FromTo> {
            let mut out = BTreeSet::new();
            let own = self.board.iter().filter(|piece| *piece.1 == side);
            for (&(r, c), _) in own {
                for (up, right) in DIRECTIONS {
                    let on_line = |n: &i32| self.board.contains_key(&(r + n * up, c + n * right));
                    let count = (-self.size..=self.size).filter(on_line).count() as i32;
                    let to = (r + count * up, c + count * right);
                    let inside = [to.0, to.1].iter().all(|i| (0..self.size).contains(i));
                    let jumped = (1..count).map(|n| self.board.get(&(r + n * up, c + n * right)));
                    let blocked = jumped.flatten().any(|&piece| piece != side);
                    if inside && !blocked && self.board.get(&to) != Some(&side) {
                        out.insert(((r * self.size + c) as u8, (to.0 * self.size + to.1) as u8));
                    }
                }
            }
            out
        }

        fn connected(&self, side: Side) -> bool {
            let own = self.board.iter().filter(|piece| *piece.1 == side).map(|piece| *piece.0);
            let own: Vec<At> = own.collect();
            let mut reached = vec![own[0]];
            let mut next = 0;
            while next < reached.len() {
                let (r, c) = reached[next];
                next += 1;
                for &at in &own {
                    let touches = (at.0 - r).abs() <= 1 && (at.1 - c).abs() <= 1;
                    if touches && !reached.contains(&at) {
                        reached.push(at);
                    }
                }
            }
            reached.len() == own.len()
        }
    }

    /// A random play, given up after some moves.
    fn some_play(game: &LinesOfAction, rng: &mut Rng) -> Vec<State> {
        let mut states = vec![game.start()];
        while states.len() < 200 {
            let mut s = states[states.len() - 1];
            let Some(agent) = game.turn(&s).mover() else { break };
            let mut moves = Vec::new();
            game.moves(&s, agent, &mut moves);
            game.play(&mut s, agent, moves[rng.below(moves.len() as u32) as usize]);
            states.push(s);
        }
        states
    }

    #[test]
    fn moves_and_ends_follow_the_rules_in_words() {
        let mut rng = Rng::new(1);
        for size in 3..=MAX_SIZE {
            let game = LinesOfAction::new(size);
            for _ in 0..40 {
                for s in some_play(&game, &mut rng) {
                    let (slow, text) = (Slow::new(&game, &s), game.position_text(&s));
                    let connected = [Side::Max, Side::Min].map(|side| slow.connected(side));
                    assert_eq!(game.turn(&s) == Turn::Over, connected != [false; 2], "{text}");
                    if connected != [false; 2] {
                        let expected = match connected {
                            [true, true] => DRAW,
                            [true, false] => WIN,
                            _ => Outcome::LOSS,
                        };
                        assert_eq!(game.outcome(&s), expected, "{text}");
                        continue;
                    }
                    for side in [Side::Max, Side::Min] {
                        let mut moves = Vec::new();
                        game.moves(&s, side.agent(), &mut moves);
                        assert_eq!(game.mobility(&s, side.agent()) as usize, moves.len());
                        moves.retain(|&m| m != PASS);
                        let count = moves.len();
                        let moves: BTreeSet<FromTo> = moves.into_iter().collect();
                        assert_eq!((moves.len(), &moves), (count, &slow.moves(side)), "{text}");
                    }
                }
            }
        }
    }

    #[test]
    fn plays_are_counted() {
        // The counts of problems/oracle.py; those of the largest board are OpenSpiel's, too.
        let counts: [(u32, &[u64]); 5] = [
            (3, &[4, 16, 40, 108, 132, 208, 428, 976]),
            (4, &[12, 120, 1012, 7460, 54_700]),
            (5, &[18, 280, 4164, 56_108]),
            (6, &[24, 524, 11_440]),
            (8, &[36, 1244, 44_952]),
        ];
        for (size, counts) in counts {
            let game = LinesOfAction::new(size);
            for (depth, &count) in (1..).zip(counts) {
                assert_eq!(testing::perft(&game, &game.start(), depth), count, "{size} {depth}");
            }
        }
    }

    #[test]
    fn the_smallest_board_has_its_value() {
        let game = LinesOfAction::new(3);
        assert_eq!(testing::solve_with_loops(&game, &game.start()), Outcome::LOSS);
    }

    #[test]
    fn who_connects_both_sides_at_once_has_a_draw() {
        let game = LinesOfAction::new(4);
        // The capture on b1 leaves White with one piece, and brings Black together.
        let s = game.read_position("..../o..x/x.../.o.. black").unwrap();
        let m = game.parse_move(&s, "d3xb1").unwrap();
        let mut moves = Vec::new();
        game.moves(&s, Agent(0), &mut moves);
        assert!(moves.contains(&m), "{moves:?}");
        let mut end = s;
        game.play(&mut end, Agent(0), m);
        assert_eq!((game.turn(&end), game.outcome(&end)), (Turn::Over, DRAW));
        assert_eq!(game.endless(), Endless::Scores(DRAW));
    }

    #[test]
    fn who_cannot_move_passes() {
        let game = LinesOfAction::new(4);
        let s = game.read_position("o.o./.x.x/oooo/.... black").unwrap();
        let mut moves = Vec::new();
        game.moves(&s, s.turn.agent(), &mut moves);
        assert_eq!(moves, [PASS]);
        assert_eq!(game.parse_move(&s, "pass"), Some(PASS));
        let mut next = s;
        game.play(&mut next, s.turn.agent(), PASS);
        assert_eq!((next.pieces, next.turn), (s.pieces, s.turn.other()));
    }

    #[test]
    fn texts_are_read_back() {
        let mut rng = Rng::new(3);
        for size in 3..=MAX_SIZE {
            let game = LinesOfAction::new(size);
            for s in some_play(&game, &mut rng) {
                let text = game.position_text(&s);
                assert_eq!(game.read_position(&text).as_ref(), Ok(&s), "{text}");
                let Some(agent) = game.turn(&s).mover() else { continue };
                let mut moves = Vec::new();
                game.moves(&s, agent, &mut moves);
                for m in moves {
                    let name = game.move_text(&s, m);
                    assert_eq!(game.parse_move(&s, &name), Some(m), "{text} {name}");
                }
            }
        }
        let game = LinesOfAction::new(4);
        testing::nonsense_is_refused(&game);
        for text in ["..../..../..../xx.x black", "xxxx/xxxx/oooo/oooo black"] {
            assert!(game.read_position(text).is_err(), "{text}");
        }
        for text in ["a1-a1", "b1xb3", "b1-a2", "b1b3", "passes"] {
            assert_eq!(game.parse_move(&game.start(), text), None, "{text}");
        }
        assert_eq!(game.draw(&game.start()).lines().next(), Some("  4  . x x ."));
    }

    /// Images of a position stand for one another, and keep moves and ends.
    #[test]
    fn images_are_alike() {
        testing::images_are_alike(&LinesOfAction::new(3), 20, &[COLUMNS, ROWS, DIAGONAL], 8, false);
        testing::images_are_alike(&LinesOfAction::new(4), 5, &[COLUMNS, ROWS, DIAGONAL], 8, false);
    }

    #[test]
    fn packed_positions_tell_who_is_to_move() {
        let game = LinesOfAction::new(8);
        let s = game.start();
        let other = State { turn: Side::Min, ..s };
        assert_ne!(game.pack(&s), game.pack(&other));
        assert!(game.read_position_or_moves("moves:b1-b3,a2-c2").is_ok());
        assert!(game.read_position_or_moves("moves:b1-b4").is_err(), "two pieces, three squares");
    }
}
