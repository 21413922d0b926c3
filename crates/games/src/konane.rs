//! Kōnane, the checkers of Hawaii.
//!
//! The board is full of stones of both colours in turn, but for two that are gone from its middle. A
//! move takes one stone over a stone of the other player beside it to the empty cell behind that one,
//! which is taken off; it may go on in the same direction. A player who cannot move loses.

use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{
    Agent, Character, Game, Guide, NormalPlay, Notation, Outcome, Side, TextError, Turn,
};

use crate::board::{Grid, Word};
use crate::options::Options;
use crate::picture::stone;
use crate::pieces::{Lines, PLAYERS, State, Step, split_by_lines};
use crate::registry::{Entry, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "konane",
    "ROWSxCOLUMNS (5x5)",
    "Jump over stones of the other player and take them off; a player who cannot move loses",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let (rows, cols) = options.size((5, 5))?;
    Ok(match options.fits_64((rows, cols), |rows, cols| rows * cols)? {
        true => Opened::normal_play(Konane::<u64>::new(rows, cols), Konane::scene),
        false => Opened::normal_play(Konane::<u128>::new(rows, cols), Konane::scene),
    })
}

/// Kōnane on a rectangular board.
#[derive(Clone, Debug)]
pub struct Konane<W> {
    grid: Grid<W>,
}

/// Where a stone starts, and where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Jump {
    from: u8,
    to: u8,
}

foregone_model::stored!(Jump { from, to });

impl<W: Word> Konane<W> {
    /// A board of this size; it must fit into the word.
    pub fn new(rows: u32, cols: u32) -> Konane<W> {
        Konane { grid: Grid::new(rows, cols) }
    }

    /// The cells two steps on, and those one step on.
    fn ahead(&self, set: W, step: Step) -> [W; 2] {
        let next = self.grid.step(set, step);
        [next, self.grid.step(next, step)]
    }

    /// The stones of `own` that can jump over one of `other` to an empty cell, in this direction.
    fn jumpers(&self, own: W, other: W, empty: W, step: Step) -> W {
        let over = other & self.grid.step(empty, step.back());
        own & self.grid.step(over, step.back())
    }

    /// Calls for all jumps of an agent.
    fn jumps(&self, s: &State<W>, agent: Agent, mut each: impl FnMut(Jump)) {
        let side = Side::of(agent);
        let (own, other) = (s.pieces[side.index()], s.pieces[side.other().index()]);
        let empty = s.empty(&self.grid);
        let jumpers = Step::ALL.map(|step| self.jumpers(own, other, empty, step));
        for from in jumpers.into_iter().fold(W::ZERO, |all, set| all | set).cells() {
            for (step, jumpers) in Step::ALL.into_iter().zip(jumpers) {
                let mut at = W::bit(from) & jumpers;
                while !at.is_empty() {
                    let [over, to] = self.ahead(at, step);
                    if (over & other).is_empty() || (to & empty).is_empty() {
                        break;
                    }
                    each(Jump { from: from as u8, to: to.lowest() as u8 });
                    at = to;
                }
            }
        }
    }

    /// The cells from one to another one in the same row or column, without the first.
    fn way(&self, m: Jump) -> W {
        let (from, to) = (W::bit(u32::from(m.from)), W::bit(u32::from(m.to)));
        let same_row = u32::from(m.from) / self.grid.cols == u32::from(m.to) / self.grid.cols;
        let step = match (same_row, m.from < m.to) {
            (true, true) => Step::East,
            (true, false) => Step::West,
            (false, true) => Step::North,
            (false, false) => Step::South,
        };
        let (mut at, mut way) = (from, W::ZERO);
        while at != to && !at.is_empty() {
            at = self.grid.step(at, step);
            way = way | at;
        }
        way
    }

    /// The lines of three cells along which a stone could ever jump.
    fn lines(&self, s: &State<W>) -> [Lines<W>; 8] {
        let (mut pieces, mut empty) = (s.pieces, s.empty(&self.grid));
        loop {
            let (mut next, mut left) = (pieces, empty);
            let mut at = 0;
            let mut lines = [Lines { from: W::ZERO, step: Step::East, length: 3 }; 8];
            for step in Step::ALL {
                for side in 0..2 {
                    let from = self.jumpers(pieces[side], pieces[1 - side], empty, step);
                    let [over, to] = self.ahead(from, step);
                    next[side] = next[side] | to;
                    left = left | from | over;
                    lines[at] = Lines { from, step, length: 3 };
                    at += 1;
                }
            }
            if (next, left) == (pieces, empty) {
                return lines;
            }
            (pieces, empty) = (next, left);
        }
    }

    /// A picture of a position.
    fn scene(&self, s: &State<W>) -> Scene {
        let mut scene = self.grid.squares(|cell| match s.symbol(cell) {
            '#' => Some((Glyph::Block, Paint::Wall)),
            symbol => stone(symbol),
        });
        let mut moves = Vec::new();
        self.moves(s, s.turn.agent(), &mut moves);
        for m in moves {
            let cells = [m.from, m.to].map(usize::from);
            scene.touch(PLAYERS[s.turn.index()], self.move_text(s, m), cells, true);
        }
        scene
    }
}

impl<W: Word> Game for Konane<W> {
    type State = State<W>;
    type Move = Jump;

    /// Black's stones stand on a1 and every second cell from there. The middle cell, or the one below
    /// and to the left of the middle, is empty, and so is the next one in its row, or in its column.
    fn start(&self) -> State<W> {
        let Grid { rows, cols, full, .. } = self.grid;
        let dark = (0..rows * cols).filter(|cell| (cell / cols + cell % cols) % 2 == 0);
        let dark = dark.fold(W::ZERO, |set, cell| set | W::bit(cell));
        let middle = W::bit((rows - 1) / 2 * cols + (cols - 1) / 2);
        let beside = if cols > 1 { self.grid.east(middle) } else { self.grid.north(middle) };
        State::of([dark, full & !dark].map(|set| set & !(middle | beside)))
    }

    fn turn(&self, s: &State<W>) -> Turn {
        let (own, other) = (s.pieces[s.turn.index()], s.pieces[s.turn.other().index()]);
        let empty = s.empty(&self.grid);
        let jumps = |&step: &Step| !self.jumpers(own, other, empty, step).is_empty();
        match Step::ALL.iter().any(jumps) {
            true => Turn::Agent(s.turn.agent()),
            false => Turn::Over,
        }
    }

    fn moves(&self, s: &State<W>, agent: Agent, out: &mut Vec<Jump>) {
        self.jumps(s, agent, |m| out.push(m));
    }

    fn play(&self, s: &mut State<W>, agent: Agent, m: Jump) {
        let side = Side::of(agent);
        let way = self.way(m);
        let own = &mut s.pieces[side.index()];
        *own = (*own & !W::bit(u32::from(m.from))) | W::bit(u32::from(m.to));
        let other = &mut s.pieces[side.other().index()];
        *other = *other & !way;
        s.turn = side.other();
    }

    fn outcome(&self, s: &State<W>) -> Outcome {
        if s.turn == Side::Max { Outcome::LOSS } else { Outcome::WIN }
    }
}

impl<W: Word> Guide for Konane<W> {
    type Packed = State<W>;

    foregone_model::stored_by_parts!();

    fn character(&self) -> Character {
        Character::Mobile
    }

    fn pack(&self, s: &State<W>) -> State<W> {
        *s
    }

    fn mobility(&self, s: &State<W>, agent: Agent) -> u32 {
        let mut count = 0;
        self.jumps(s, agent, |_| count += 1);
        count
    }

    fn canonical(&self, s: &State<W>) -> State<W> {
        let [max, min, blocked] = self.grid.least_image([s.pieces[0], s.pieces[1], s.blocked]);
        State { pieces: [max, min], blocked, turn: s.turn }
    }
}

impl<W: Word> Notation for Konane<W> {
    fn name(&self) -> String {
        format!("konane:{}x{}", self.grid.rows, self.grid.cols)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn write_move(&self, _s: &State<W>, m: Jump, out: &mut String) {
        self.grid.write_cell(u32::from(m.from), out);
        out.push('-');
        self.grid.write_cell(u32::from(m.to), out);
    }

    fn parse_move(&self, _s: &State<W>, text: &str) -> Option<Jump> {
        let (from, rest) = self.grid.parse_cell(text)?;
        let to = self.grid.parse_whole_cell(rest.strip_prefix('-')?)?;
        Some(Jump { from: from as u8, to: to as u8 })
    }

    fn write_position(&self, s: &State<W>, out: &mut String) {
        s.write(&self.grid, PLAYERS, out);
    }

    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        State::read(&self.grid, text, PLAYERS)
    }

    fn draw(&self, s: &State<W>) -> String {
        self.grid.draw(|cell| s.symbol(cell))
    }
}

impl<W: Word> NormalPlay for Konane<W> {
    fn with_turn(&self, s: &State<W>, side: Side) -> State<W> {
        State { turn: side, ..*s }
    }

    /// By the lines of three cells along which a stone could ever jump.
    fn split(&self, s: &State<W>, out: &mut Vec<State<W>>) {
        split_by_lines(&self.grid, s, &self.lines(s), |s, cells| {
            out.push(s.part(&self.grid, cells, true));
        });
    }

    fn negative(&self, part: &State<W>) -> Option<State<W>> {
        Some(part.exchanged(&self.grid, true))
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::Rng;

    use super::*;
    use crate::normal_play_testing::{laws, laws_hold};
    use crate::testing::{self, COLUMNS, DIAGONAL, ROWS};

    #[test]
    fn parts_add_up() {
        laws_hold(&Konane::<u64>::new(6, 6), 20);
        laws_hold(&Konane::<u128>::new(9, 9), 2);
        let mut rng = Rng::new(2);
        for (rows, cols) in [(1, 12), (4, 4), (3, 7), (6, 6)] {
            let game = Konane::<u64>::new(rows, cols);
            let random = |rng: &mut Rng| {
                let mut cell = |_| [".", "x", "o", ".", "#"][rng.below(5) as usize];
                let rows: Vec<String> =
                    (0..rows).map(|_| (0..cols).map(&mut cell).collect()).collect();
                game.read_position(&format!("{} black", rows.join("/"))).unwrap()
            };
            laws(&game, &(0..300).map(|_| random(&mut rng)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn stones_that_never_meet_are_apart() {
        let game = Konane::<u64>::new(1, 9);
        let mut parts = Vec::new();
        game.split(&game.read_position("xo.o.#.ox black").unwrap(), &mut parts);
        let texts: Vec<String> = parts.iter().map(|part| game.position_text(part)).collect();
        assert_eq!(texts, ["xo.o.#### black", "xo.###### black"]);
        let moves = |text: &str| {
            let s = game.read_position(text).unwrap();
            let mut moves = Vec::new();
            game.moves(&s, s.turn.agent(), &mut moves);
            moves.into_iter().map(|m| game.move_text(&s, m)).collect::<Vec<_>>()
        };
        assert_eq!(moves("xo.o.#.ox black"), ["a1-c1", "a1-e1", "i1-g1"]);
        assert_eq!(moves("xo.o.#.ox white"), [""; 0]);
    }

    #[test]
    fn it_begins_with_two_stones_gone() {
        let game = Konane::<u64>::new(4, 4);
        assert_eq!(game.position_text(&game.start()), "oxox/xoxo/o..x/xoxo black");
    }

    #[test]
    fn texts_round_trip() {
        testing::texts_round_trip(&Konane::<u64>::new(6, 6), 20);
        testing::texts_round_trip(&Konane::<u128>::new(9, 9), 2);
        testing::nonsense_is_refused(&Konane::<u64>::new(5, 5));
    }

    #[test]
    fn images_are_alike() {
        let square = [COLUMNS, ROWS, DIAGONAL];
        testing::images_are_alike(&Konane::<u64>::new(5, 5), 10, &square, 8, true);
        testing::images_are_alike(&Konane::<u64>::new(4, 5), 10, &square[..2], 4, true);
    }
}
