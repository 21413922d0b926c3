//! Clobber (M. H. Albert, J. P. Grossman, R. J. Nowakowski and D. Wolfe, 2001).
//!
//! The board begins full of stones, black and white like the squares of a chess board. A player moves
//! one of the own stones onto a stone of the opponent beside it, which is taken away. Who cannot move
//! loses. Nothing ever moves onto an empty cell, so a cell that is empty and one that is blocked are
//! the same.
//!
//! In the impartial game either player may move stones of either colour, each onto the other one.

use foregone_model::scene::Scene;
use foregone_model::{
    Agent, Character, Game, Guide, NormalPlay, Notation, Outcome, Side, TextError, Turn,
};

use crate::board::{Grid, Word, sort_by_rank};
use crate::options::Options;
use crate::picture::stone;
use crate::placement::State;
use crate::registry::{Entry, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "clobber",
    "ROWSxCOLUMNS[,impartial] (4x5)",
    "Move a stone onto an enemy stone beside it, which is taken; a player who cannot move loses",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let (size, impartial) = options.size_and_word((4, 5), IMPARTIAL)?;
    let (rows, cols) = size;
    Ok(match options.fits_64(size, |rows, cols| rows * cols)? {
        true => Opened::normal_play(Clobber::<u64>::new(rows, cols, impartial), Clobber::scene),
        false => Opened::normal_play(Clobber::<u128>::new(rows, cols, impartial), Clobber::scene),
    })
}

/// The option that makes the game impartial.
const IMPARTIAL: &str = "impartial";

/// Clobber on a rectangular board.
#[derive(Clone, Debug)]
pub struct Clobber<W> {
    grid: Grid<W>,
    impartial: bool,
}

/// A move from one cell to the one beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    from: u8,
    to: u8,
}

foregone_model::stored!(Step { from, to });

/// Whose stones are whose.
const COLOURS: [&str; 2] = ["black", "white"];
/// In the impartial game the stones belong to nobody.
const SIDES: [&str; 2] = ["left", "right"];

/// Blocked cells are empty ones.
const SYMBOLS: [char; 4] = ['.', 'x', 'o', '#'];

impl<W: Word> Clobber<W> {
    /// A board of this size; it must fit into the word.
    pub fn new(rows: u32, cols: u32, impartial: bool) -> Clobber<W> {
        Clobber { grid: Grid::new(rows, cols), impartial }
    }

    fn names(&self) -> [&'static str; 2] {
        if self.impartial { SIDES } else { COLOURS }
    }

    /// The stones that this side may move and those that it may take, for each colour that it moves.
    #[inline]
    fn armies(&self, s: &State<W>, side: Side) -> impl Iterator<Item = [W; 2]> + use<W> {
        let (own, enemy) = (s.stones[side.index()], s.stones[side.other().index()]);
        let fair = self.impartial;
        std::iter::once([own, enemy]).chain(fair.then_some([enemy, own]))
    }

    /// Appends the moves of these stones onto those.
    #[inline]
    fn steps(&self, own: W, enemy: W, out: &mut Vec<Step>) {
        let grid = &self.grid;
        let mut way = |targets: W, from: &dyn Fn(u32) -> u32| {
            let targets = (targets & enemy).cells();
            out.extend(targets.map(|to| Step { from: from(to) as u8, to: to as u8 }));
        };
        way(grid.north(own), &|to| to - grid.cols);
        way(grid.south(own), &|to| to + grid.cols);
        way(grid.east(own), &|to| to - 1);
        way(grid.west(own), &|to| to + 1);
    }

    /// How many moves these stones have onto those.
    #[inline]
    fn count(&self, own: W, enemy: W) -> u32 {
        let grid = &self.grid;
        let ways = [grid.north(own), grid.south(own), grid.east(own), grid.west(own)];
        ways.iter().map(|&targets| (targets & enemy).count()).sum()
    }

    /// The stones after a move.
    #[inline]
    fn moved(&self, stones: [W; 2], m: Step) -> [W; 2] {
        let (from, to) = (W::bit(u32::from(m.from)), W::bit(u32::from(m.to)));
        let mover = usize::from(stones[1].has(u32::from(m.from)));
        let mut after = stones.map(|stones| stones & !(from | to));
        after[mover] = after[mover] | to;
        after
    }

    /// The least image of a part: in the impartial game colours may be exchanged, too.
    fn least(&self, [black, white]: [W; 2]) -> [W; 2] {
        let image = self.grid.least_in_corner([black, white], true);
        match self.impartial {
            true => image.min(self.grid.least_in_corner([white, black], true)),
            false => image,
        }
    }
}

impl<W: Word> Game for Clobber<W> {
    type State = State<W>;
    type Move = Step;

    /// A checkerboard with a black stone on a1.
    fn start(&self) -> State<W> {
        let Grid { rows, cols, full, .. } = self.grid;
        let black = (0..rows * cols).filter(|cell| (cell / cols + cell % cols) % 2 == 0);
        let black = black.fold(W::ZERO, |set, cell| set | W::bit(cell));
        State { stones: [black, full & !black], turn: Side::Max }
    }

    #[inline]
    fn turn(&self, s: &State<W>) -> Turn {
        // Where one of two stones can take the other, that one can take the first.
        let [black, white] = s.stones;
        let over = (self.grid.around(black) & white).is_empty();
        if over { Turn::Over } else { Turn::Agent(s.turn.agent()) }
    }

    #[inline]
    fn moves(&self, s: &State<W>, agent: Agent, out: &mut Vec<Step>) {
        // The order is the same for both, which makes no difference to searches.
        for [own, enemy] in self.armies(s, Side::of(agent)) {
            self.steps(own, enemy, out);
        }
    }

    #[inline]
    fn play(&self, s: &mut State<W>, agent: Agent, m: Step) {
        s.stones = self.moved(s.stones, m);
        s.turn = Side::of(agent).other();
    }

    #[inline]
    fn outcome(&self, s: &State<W>) -> Outcome {
        s.won_by_last()
    }
}

impl<W: Word> Guide for Clobber<W> {
    type Packed = [W; 2];

    foregone_model::stored_by_parts!();

    fn character(&self) -> Character {
        if self.impartial { Character::Plain } else { Character::MobileAndOrdered }
    }

    /// Who is to move follows from the number of stones in all positions of one search.
    #[inline]
    fn pack(&self, s: &State<W>) -> [W; 2] {
        s.stones
    }

    #[inline]
    fn mobility(&self, s: &State<W>, agent: Agent) -> u32 {
        self.armies(s, Side::of(agent)).map(|[own, enemy]| self.count(own, enemy)).sum()
    }

    #[inline]
    fn canonical(&self, s: &State<W>) -> State<W> {
        State { stones: self.grid.least_image(s.stones), turn: s.turn }
    }

    /// Moves that leave few moves come first: a stone that nobody can take any more is out of play, and
    /// both have as many moves as there are pairs of stones of two colours.
    fn order(&self, s: &State<W>, _agent: Agent, moves: &mut [Step]) {
        sort_by_rank(moves, |m| {
            let [black, white] = self.moved(s.stones, m);
            -(self.count(black, white) as i16)
        });
    }
}

impl<W: Word> Clobber<W> {
    /// A picture of a position.
    fn scene(&self, s: &State<W>) -> Scene {
        self.grid.squares(|cell| stone(s.symbol(cell)))
    }
}

impl<W: Word> Notation for Clobber<W> {
    fn name(&self) -> String {
        let Grid { rows, cols, .. } = self.grid;
        let kind = if self.impartial { format!(",{IMPARTIAL}") } else { String::new() };
        format!("clobber:{rows}x{cols}{kind}")
    }

    fn players(&self) -> [&str; 2] {
        self.names()
    }

    fn write_move(&self, _s: &State<W>, m: Step, out: &mut String) {
        self.grid.write_cell(u32::from(m.from), out);
        self.grid.write_cell(u32::from(m.to), out);
    }

    fn parse_move(&self, _s: &State<W>, text: &str) -> Option<Step> {
        let (from, rest) = self.grid.parse_cell(text)?;
        let to = self.grid.parse_whole_cell(rest)?;
        let beside = self.grid.around(W::bit(from)).has(to);
        beside.then_some(Step { from: from as u8, to: to as u8 })
    }

    fn write_position(&self, s: &State<W>, out: &mut String) {
        s.write(self.grid.rows_from_top(), &self.names(), out);
    }

    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        let (sets, mover) = self.grid.read_rows(text, &SYMBOLS, &self.names())?;
        let turn = [Side::Max, Side::Min][mover];
        Ok(State { stones: [sets[1], sets[2]], turn })
    }

    fn draw(&self, s: &State<W>) -> String {
        self.grid.draw(|c| s.symbol(c))
    }
}

impl<W: Word> NormalPlay for Clobber<W> {
    fn with_turn(&self, s: &State<W>, side: Side) -> State<W> {
        State { turn: side, ..*s }
    }

    /// Connected stones, if there are some of both colours.
    fn split(&self, s: &State<W>, out: &mut Vec<State<W>>) {
        let [black, white] = s.stones;
        let mut rest = black | white;
        while !rest.is_empty() {
            let part = self.grid.flood(W::bit(rest.lowest()), rest);
            rest = rest & !part;
            let stones = [black & part, white & part];
            if !stones.contains(&W::ZERO) {
                out.push(State { stones: self.least(stones), turn: Side::Max });
            }
        }
    }

    /// Black stones for white ones.
    fn negative(&self, part: &State<W>) -> Option<State<W>> {
        let [black, white] = part.stones;
        Some(State { stones: self.least([white, black]), turn: Side::Max })
    }

    fn impartial(&self) -> bool {
        self.impartial
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::Rng;

    use super::*;
    use crate::normal_play_testing as normal_play;
    use crate::testing::{self, COLUMNS, DIAGONAL, ROWS};

    /// Stones, holes and blocked cells thrown at random.
    fn random<W: Word>(game: &Clobber<W>, rng: &mut Rng) -> State<W> {
        let mut text = String::new();
        game.grid.write_rows(|_| '?', &mut text);
        let symbol = |c| if c == '?' { SYMBOLS[rng.below(4) as usize] } else { c };
        let rows: String = text.chars().map(symbol).collect();
        let player = game.names()[rng.below(2) as usize];
        game.read_position(&format!("{rows} {player}")).unwrap()
    }

    #[test]
    fn parts_add_up() {
        let mut rng = Rng::new(1);
        for (rows, cols) in [(1, 9), (9, 1), (3, 3), (3, 4), (4, 5)] {
            for impartial in [false, true] {
                let game = Clobber::<u64>::new(rows, cols, impartial);
                normal_play::laws_hold(&game, 3);
                let positions: Vec<State<u64>> = (0..30).map(|_| random(&game, &mut rng)).collect();
                normal_play::laws(&game, &positions);
            }
        }
        normal_play::laws_hold(&Clobber::<u64>::new(8, 8, false), 1);
        normal_play::laws_hold(&Clobber::<u128>::new(9, 10, true), 1);
    }

    #[test]
    fn texts_round_trip() {
        for impartial in [false, true] {
            testing::texts_round_trip(&Clobber::<u64>::new(3, 5, impartial), 20);
            testing::nonsense_is_refused(&Clobber::<u64>::new(4, 4, impartial));
        }
        testing::texts_round_trip(&Clobber::<u128>::new(9, 11, false), 3);
    }

    #[test]
    fn blocked_cells_are_empty() {
        let game = Clobber::<u64>::new(2, 3, false);
        let s = game.read_position("x#o/.ox white").unwrap();
        assert_eq!(game.position_text(&s), "x.o/.ox white");
        let mut names = testing::ordered_names(&game, &s);
        names.sort();
        assert_eq!(names, ["b1c1", "c2c1"]);
        let impartial = Clobber::<u64>::new(2, 3, true);
        let s = impartial.read_position("x#o/.ox right").unwrap();
        assert_eq!(testing::ordered_names(&impartial, &s).len(), 4);
    }

    #[test]
    fn both_words_play_the_same_game() {
        for (rows, cols) in [(1, 12), (5, 5), (8, 8)] {
            let one = Clobber::<u64>::new(rows, cols, false);
            testing::same_game(&one, &Clobber::<u128>::new(rows, cols, false), 3);
        }
    }

    #[test]
    fn images_are_alike() {
        for impartial in [false, true] {
            let game = Clobber::<u64>::new(3, 4, impartial);
            testing::images_are_alike(&game, 20, &[COLUMNS, ROWS], 4, true);
            let game = Clobber::<u64>::new(3, 3, impartial);
            testing::images_are_alike(&game, 20, &[COLUMNS, ROWS, DIAGONAL], 8, true);
        }
    }
}
