//! Fission (R. J. Nowakowski's collection of games on grids).
//!
//! A stone belongs to nobody. Left splits one into two that stand above and below its cell, Right into
//! two to the left and right of it; both cells must be empty. A player who cannot move loses.

use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{
    Agent, Character, Game, Guide, NormalPlay, Notation, Outcome, Side, TextError, Turn,
};

use crate::board::{Grid, Word};
use crate::options::Options;
use crate::pieces::{Lines, State, Step, split_by_lines};
use crate::registry::{Entry, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "fission",
    "ROWSxCOLUMNS (5x5)",
    "Split a stone in two, upright or flat, onto empty cells; a player who cannot move loses",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let (rows, cols) = options.size((5, 5))?;
    Ok(match options.fits_64((rows, cols), |rows, cols| rows * cols)? {
        true => Opened::normal_play(Fission::<u64>::new(rows, cols), Fission::scene),
        false => Opened::normal_play(Fission::<u128>::new(rows, cols), Fission::scene),
    })
}

/// Fission on a rectangular board, from one stone in its middle.
#[derive(Clone, Debug)]
pub struct Fission<W> {
    grid: Grid<W>,
}

const PLAYERS: [&str; 2] = ["left", "right"];

/// The two directions in which a player splits stones.
fn ways(side: Side) -> [Step; 2] {
    match side {
        Side::Max => [Step::North, Step::South],
        Side::Min => [Step::East, Step::West],
    }
}

impl<W: Word> Fission<W> {
    /// A board of this size; it must fit into the word.
    pub fn new(rows: u32, cols: u32) -> Fission<W> {
        Fission { grid: Grid::new(rows, cols) }
    }

    /// The cells that have a cell of the set on both sides.
    fn between(&self, set: W, side: Side) -> W {
        let [one, other] = ways(side).map(|step| self.grid.step(set, step));
        one & other
    }

    /// The stones that an agent can split.
    fn places(&self, s: &State<W>, agent: Agent) -> W {
        s.taken() & self.between(s.empty(&self.grid), Side::of(agent))
    }

    /// The lines of three cells in which a stone could ever be split.
    fn lines(&self, s: &State<W>) -> [Lines<W>; 2] {
        let (mut stones, mut empty) = (s.taken(), s.empty(&self.grid));
        loop {
            let [upright, flat] =
                [Side::Max, Side::Min].map(|side| stones & self.between(empty, side));
            let lines = [(upright, Step::South, Step::North), (flat, Step::West, Step::East)].map(
                |(middle, back, step)| Lines {
                    from: self.grid.step(middle, back),
                    step,
                    length: 3,
                },
            );
            let ends = [(upright, Side::Max), (flat, Side::Min)]
                .into_iter()
                .flat_map(|(middle, side)| ways(side).map(|step| self.grid.step(middle, step)))
                .fold(W::ZERO, |all, set| all | set);
            let next = (stones | ends, empty | upright | flat);
            if next == (stones, empty) {
                return lines;
            }
            (stones, empty) = next;
        }
    }

    /// A picture of a position.
    fn scene(&self, s: &State<W>) -> Scene {
        let mut scene = self.grid.squares(|cell| match s.symbol(cell) {
            '#' => Some((Glyph::Block, Paint::Wall)),
            'x' => Some((Glyph::Disc, Paint::Orange)),
            _ => None,
        });
        let mut moves = Vec::new();
        self.moves(s, s.turn.agent(), &mut moves);
        for m in moves {
            let stone = W::bit(u32::from(m));
            let ends = ways(s.turn).map(|step| self.grid.step(stone, step).lowest() as usize);
            let cells = [usize::from(m), ends[0], ends[1]];
            scene.touch(PLAYERS[s.turn.index()], self.move_text(s, m), cells, false);
        }
        scene
    }
}

impl<W: Word> Game for Fission<W> {
    type State = State<W>;
    /// The stone that is split.
    type Move = u8;

    fn start(&self) -> State<W> {
        let Grid { rows, cols, .. } = self.grid;
        State::of([W::bit((rows - 1) / 2 * cols + (cols - 1) / 2), W::ZERO])
    }

    fn turn(&self, s: &State<W>) -> Turn {
        let agent = s.turn.agent();
        if self.places(s, agent).is_empty() { Turn::Over } else { Turn::Agent(agent) }
    }

    fn moves(&self, s: &State<W>, agent: Agent, out: &mut Vec<u8>) {
        out.extend(self.places(s, agent).cells().map(|c| c as u8));
    }

    fn play(&self, s: &mut State<W>, agent: Agent, m: u8) {
        let stone = W::bit(u32::from(m));
        let [one, other] = ways(Side::of(agent)).map(|step| self.grid.step(stone, step));
        s.pieces[0] = (s.pieces[0] & !stone) | one | other;
        s.turn = Side::of(agent).other();
    }

    fn outcome(&self, s: &State<W>) -> Outcome {
        if s.turn == Side::Max { Outcome::LOSS } else { Outcome::WIN }
    }
}

impl<W: Word> Guide for Fission<W> {
    type Packed = [W; 2];

    foregone_model::stored_by_parts!();

    fn character(&self) -> Character {
        Character::Mobile
    }

    /// Who is to move follows from the number of stones in all positions of one search.
    fn pack(&self, s: &State<W>) -> [W; 2] {
        [s.pieces[0], s.blocked]
    }

    fn mobility(&self, s: &State<W>, agent: Agent) -> u32 {
        self.places(s, agent).count()
    }

    /// Mirrors along the edges only: turning the board by a quarter would exchange the players.
    fn canonical(&self, s: &State<W>) -> State<W> {
        let [stones, blocked] = self.grid.least_upright([s.pieces[0], s.blocked]);
        State { pieces: [stones, W::ZERO], blocked, turn: s.turn }
    }
}

impl<W: Word> Notation for Fission<W> {
    fn name(&self) -> String {
        format!("fission:{}x{}", self.grid.rows, self.grid.cols)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn write_move(&self, _s: &State<W>, m: u8, out: &mut String) {
        self.grid.write_cell(u32::from(m), out);
    }

    fn parse_move(&self, _s: &State<W>, text: &str) -> Option<u8> {
        self.grid.parse_whole_cell(text).map(|cell| cell as u8)
    }

    fn write_position(&self, s: &State<W>, out: &mut String) {
        s.write(&self.grid, PLAYERS, out);
    }

    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        let (sets, mover) = self.grid.read_rows(text, &['.', 'x', '#'], &PLAYERS)?;
        let turn = [Side::Max, Side::Min][mover];
        Ok(State { pieces: [sets[1], W::ZERO], blocked: sets[2], turn })
    }

    fn draw(&self, s: &State<W>) -> String {
        self.grid.draw(|cell| s.symbol(cell))
    }
}

impl<W: Word> NormalPlay for Fission<W> {
    fn with_turn(&self, s: &State<W>, side: Side) -> State<W> {
        State { turn: side, ..*s }
    }

    /// By the lines of three cells in which a stone could ever be split.
    fn split(&self, s: &State<W>, out: &mut Vec<State<W>>) {
        split_by_lines(&self.grid, s, &self.lines(s), |s, cells| {
            out.push(s.part(&self.grid, cells, false));
        });
    }

    /// Rows and columns are exchanged, if there is room for that.
    fn negative(&self, part: &State<W>) -> Option<State<W>> {
        let cells = self.grid.full & !part.blocked;
        let [stones, cells] = self.grid.transposed([part.pieces[0], cells])?;
        Some(State::of([stones, W::ZERO]).part(&self.grid, cells, false))
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::Rng;

    use super::*;
    use crate::normal_play_testing::{laws, laws_hold};
    use crate::testing::{self, COLUMNS, ROWS};

    #[test]
    fn parts_add_up() {
        laws_hold(&Fission::<u64>::new(6, 6), 10);
        laws_hold(&Fission::<u128>::new(9, 9), 1);
        let mut rng = Rng::new(2);
        for (rows, cols) in [(4, 4), (3, 7), (6, 6)] {
            let game = Fission::<u64>::new(rows, cols);
            let random = |rng: &mut Rng| {
                let mut cell = |_| [".", ".", ".", "x", "#"][rng.below(5) as usize];
                let rows: Vec<String> =
                    (0..rows).map(|_| (0..cols).map(&mut cell).collect()).collect();
                game.read_position(&format!("{} left", rows.join("/"))).unwrap()
            };
            laws(&game, &(0..300).map(|_| random(&mut rng)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn stones_that_never_meet_are_apart() {
        let game = Fission::<u64>::new(3, 5);
        let mut parts = Vec::new();
        // A stone beside the edge and a wall is never split.
        game.split(&game.read_position("..#.#/x.#x./.x#.# left").unwrap(), &mut parts);
        let texts: Vec<String> = parts.iter().map(|part| game.position_text(part)).collect();
        assert_eq!(texts, [".####/x####/.#### left"; 2]);
    }

    #[test]
    fn texts_round_trip() {
        testing::texts_round_trip(&Fission::<u64>::new(5, 5), 20);
        testing::texts_round_trip(&Fission::<u128>::new(9, 9), 2);
        testing::nonsense_is_refused(&Fission::<u64>::new(5, 5));
    }

    #[test]
    fn images_are_alike() {
        testing::images_are_alike(&Fission::<u64>::new(5, 5), 10, &[COLUMNS, ROWS], 4, true);
    }
}
