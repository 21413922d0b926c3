//! Tic-tac-toe.
//!
//! X, who moves first, and O mark the cells of a 3 x 3 board in turn. Who first has three marks
//! in a row, a column or a diagonal wins; a full board without such a line is a draw.

use foregone_model::scene::Scene;
use foregone_model::{
    Agent, Game, Guide, Notation, OffTurn, Outcome, Rng, Scale, Side, TextError, Turn, Zone,
};

use crate::board::{Grid, Word};
use crate::options::Options;
use crate::picture::noughts;
use crate::placement;
use crate::registry::{Entry, GameError, Opened};
use crate::zones::{lines, zone_of};

/// How the game is listed and opened.
pub const ENTRY: Entry =
    Entry::in_turn("tic-tac-toe", "", "Three in a line win, a full board is a draw", open);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    options.none()?;
    Ok(Opened::pictured(TicTacToe::new(), TicTacToe::scene))
}

/// Tic-tac-toe.
#[derive(Clone, Debug)]
pub struct TicTacToe {
    grid: Grid<u64>,
}

/// The marks of X and O as sets of cells, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    marks: [u16; 2],
    turn: Side,
}

foregone_model::stored!(State { marks, turn });

const PLAYERS: [&str; 2] = ["x", "o"];
const DRAW: Outcome = Outcome(1);
const WIN: Outcome = Outcome(2);

/// All cells.
pub(crate) const FULL: u16 = 0b111_111_111;
/// The rows, the columns and the diagonals.
pub(crate) const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

/// One bit for each set of cells: whether it holds a line.
const LINED: [u64; 8] = {
    let mut table = [0; 8];
    let mut set = 0;
    while set <= FULL {
        let mut i = 0;
        while i < LINES.len() {
            if set & LINES[i] == LINES[i] {
                table[(set >> 6) as usize] |= 1 << (set & 63);
            }
            i += 1;
        }
        set += 1;
    }
    table
};

/// The cells of each set in rising order: random plays pick the `n`-th one without a loop.
const NTH: [[u8; 9]; 512] = {
    let mut table = [[0; 9]; 512];
    let mut set = 0;
    while set < 512 {
        let (mut cell, mut n) = (0, 0);
        while cell < 9 {
            if set >> cell & 1 == 1 {
                table[set][n] = cell;
                n += 1;
            }
            cell += 1;
        }
        set += 1;
    }
    table
};

/// Whether a set of cells holds a line.
#[inline]
pub(crate) fn lined(marks: u16) -> bool {
    LINED[usize::from(marks >> 6) & 7] >> (marks & 63) & 1 == 1
}

/// The cells of lines that `agent` can fill within so many moves.
fn within(s: &State, agent: Agent, moves: u32) -> u64 {
    let side = Side::of(agent);
    let [own, other] = [side, side.other()].map(|side| u64::from(s.marks[side.index()]));
    lines::within(&LINES.map(u64::from), own, other, moves)
}

impl State {
    #[inline]
    fn free(&self) -> u16 {
        FULL & !(self.marks[0] | self.marks[1])
    }

    /// The marks as stones, for their text.
    fn stones(&self) -> placement::State<u64> {
        placement::State { stones: self.marks.map(u64::from), turn: self.turn }
    }
}

impl TicTacToe {
    /// The game on its 3 x 3 board.
    pub fn new() -> TicTacToe {
        TicTacToe { grid: Grid::new(3, 3) }
    }
}

impl Default for TicTacToe {
    fn default() -> TicTacToe {
        TicTacToe::new()
    }
}

impl Game for TicTacToe {
    type State = State;
    /// The cell that is marked.
    type Move = u8;

    fn scale(&self) -> Scale {
        Scale::three()
    }

    fn start(&self) -> State {
        State { marks: [0; 2], turn: Side::Max }
    }

    fn off_turn(&self) -> OffTurn {
        OffTurn::Moves
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        // Only who moved last can have a line.
        if s.free() == 0 || lined(s.marks[s.turn.other().index()]) {
            Turn::Over
        } else {
            Turn::Agent(s.turn.agent())
        }
    }

    #[inline]
    fn moves(&self, s: &State, _agent: Agent, out: &mut Vec<u8>) {
        out.extend(u64::from(s.free()).cells().map(|c| c as u8));
    }

    #[inline]
    fn play(&self, s: &mut State, agent: Agent, m: u8) {
        let side = Side::of(agent);
        s.marks[side.index()] |= 1 << m;
        s.turn = side.other();
    }

    #[inline]
    fn outcome(&self, s: &State) -> Outcome {
        match s.turn.other() {
            last if !lined(s.marks[last.index()]) => DRAW,
            Side::Max => WIN,
            Side::Min => Outcome::LOSS,
        }
    }
}

impl Guide for TicTacToe {
    type Packed = Self::State;

    foregone_model::stored_by_parts!();

    #[inline]
    fn pack(&self, s: &Self::State) -> Self::State {
        *s
    }

    #[inline]
    fn mobility(&self, s: &State, _agent: Agent) -> u32 {
        s.free().count_ones()
    }

    fn finishing(&self, s: &State, agent: Agent, out: &mut Vec<u8>) {
        out.extend(within(s, agent, 1).cells().map(|cell| cell as u8));
    }

    fn touched(&self, _s: &State, _agent: Agent, m: u8) -> Option<Zone> {
        Some(Zone::cell(u32::from(m)))
    }

    fn counters(&self, s: &State, agent: Agent, moves: u32) -> Zone {
        zone_of(within(s, agent, moves))
    }

    fn playout(&self, mut s: State, rng: &mut Rng) -> Option<Outcome> {
        // One random number is enough for all nine moves: it is a fraction, each draw takes the
        // whole part of a multiple of it and leaves the rest to the next. The bias is below
        // 9! / 2^64.
        let mut fraction = rng.bits();
        let mut free = s.free();
        let mut count = free.count_ones();
        while count > 0 && !lined(s.marks[s.turn.other().index()]) {
            let product = u128::from(fraction) * u128::from(count);
            fraction = product as u64;
            let cell = NTH[usize::from(free)][(product >> 64) as usize];
            let agent = s.turn.agent();
            self.play(&mut s, agent, cell);
            free &= !(1 << cell);
            count -= 1;
        }
        Some(self.outcome(&s))
    }
}

impl TicTacToe {
    /// A picture of a position.
    fn scene(&self, s: &State) -> Scene {
        self.grid.squares(|cell| noughts(s.stones().symbol(cell)))
    }
}

impl Notation for TicTacToe {
    fn name(&self) -> String {
        "tic-tac-toe".to_owned()
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn write_move(&self, _s: &State, m: u8, out: &mut String) {
        self.grid.write_cell(u32::from(m), out);
    }

    fn parse_move(&self, _s: &State, text: &str) -> Option<u8> {
        self.grid.parse_whole_cell(text).map(|cell| cell as u8)
    }

    fn write_position(&self, s: &State, out: &mut String) {
        s.stones().write(self.grid.rows_from_top(), &PLAYERS, out);
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let read = placement::State::read(text, self.grid.rows_from_top(), &PLAYERS)?;
        let s = State { marks: read.stones.map(|set: u64| set as u16), turn: read.turn };
        let mover = s.turn.index();
        let [x, o] = s.marks.map(u16::count_ones);
        if x != o + mover as u32 {
            let message = format!(
                "{x} marks of x and {o} of o do not fit {} to move: x moves first and they \
                 take turns",
                PLAYERS[mover]
            );
            return Err(TextError::new(message, 0..text.len()));
        }
        if lined(s.marks[mover]) {
            return Err(read.over_before(text, &PLAYERS, "a line"));
        }
        Ok(s)
    }

    fn draw(&self, s: &State) -> String {
        self.grid.draw(|c| s.stones().symbol(c))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use foregone_model::Typed as _;

    use super::*;
    use crate::testing;

    fn count_games(game: &TicTacToe, s: &State, ends: &mut [u32; 3]) {
        match game.turn(s) {
            Turn::Over => ends[usize::from(game.outcome(s).0)] += 1,
            Turn::Chance => unreachable!("there is no chance in it"),
            Turn::Agent(agent) => {
                for next in testing::next_states(game, s, agent) {
                    count_games(game, &next, ends);
                }
            }
        }
    }

    #[test]
    fn the_value_is_a_draw() {
        let game = TicTacToe::new();
        let value = testing::solve(&game, &game.start(), &mut HashMap::new());
        assert_eq!(game.scale().name(value), "draw");
    }

    #[test]
    fn all_games_are_counted() {
        let game = TicTacToe::new();
        let mut ends = [0; 3];
        count_games(&game, &game.start(), &mut ends);
        assert_eq!(ends, [77_904, 46_080, 131_184]);
        assert_eq!(ends.iter().sum::<u32>(), 255_168);
    }

    #[test]
    fn the_tables_are_right() {
        for set in 0..=FULL {
            let line = LINES.iter().any(|l| set & l == *l);
            assert_eq!(lined(set), line, "{set:b}");
            for (n, cell) in u64::from(set).cells().enumerate() {
                assert_eq!(u32::from(NTH[usize::from(set)][n]), cell);
            }
        }
    }

    #[test]
    fn playouts_have_the_chances_of_random_play() {
        let game = TicTacToe::new();
        for text in [
            ".../.../... x",
            ".../.x./... o",
            "x../.../..o x",
            ".o./xx./... o",
            "xo./ox./... x",
            "xox/oxo/... x",
            "xox/oxo/oxx o",
        ] {
            testing::playouts_have_exact_chances(&game, text);
        }
    }

    #[test]
    fn every_position_is_read_back() {
        fn visit(game: &TicTacToe, s: &State, seen: &mut HashMap<State, ()>) {
            if seen.insert(*s, ()).is_some() {
                return;
            }
            let text = game.position_text(s);
            assert_eq!(game.read_position(&text), Ok(*s), "{text}");
            let Some(agent) = game.turn(s).mover() else {
                return;
            };
            let mut moves = Vec::new();
            game.moves(s, agent, &mut moves);
            assert_eq!(game.mobility(s, agent) as usize, moves.len());
            for m in moves {
                let name = game.move_text(s, m);
                assert_eq!(game.read_move(s, &name), Ok(m), "{name}");
                let mut next = *s;
                game.play(&mut next, agent, m);
                visit(game, &next, seen);
            }
        }
        let game = TicTacToe::new();
        let mut seen = HashMap::new();
        visit(&game, &game.start(), &mut seen);
        // The number of positions that play can reach.
        assert_eq!(seen.len(), 5478);
    }

    #[test]
    fn row_one_is_at_the_bottom() {
        let game = TicTacToe::new();
        let s = game.read_position_or_moves("moves:a1,b3").unwrap();
        assert_eq!(game.position_text(&s), ".o./.../x.. x");
        let drawing = "  3  . o .\n  2  . . .\n  1  x . .\n     a b c\n";
        assert_eq!(game.draw(&s), drawing);
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = TicTacToe::new();
        for text in [
            "",
            " ",
            ".../.../...",
            ".../.../... z",
            ".../.../... o",
            "x../.../... x",
            "xx./o../... x",
            "o../.../... o",
            ".../... x",
            ".../.../.... x",
            ".../.../..é x",
            "…/…/… x",
            "xxx/ooo/... x",
            "xxx/oo./o.. x",
            "ooo/xx./xx. o",
            "é ö",
        ] {
            assert!(game.read_position(text).is_err(), "{text}");
        }
        for text in ["", "d1", "a4", "a0", "é1", "a1b", "a", "a99999999999"] {
            assert_eq!(game.parse_move(&game.start(), text), None, "{text}");
        }
    }
}
