//! What Col and Snort share: players colour the cells of a board in turn, and stones that are there
//! forbid colours to their neighbours.

use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{
    Agent, Character, Game, Guide, NormalPlay, Notation, Outcome, Side, TextError, Turn,
};

use crate::board::{Grid, Word, sort_by_rank};
use crate::options::Options;
use crate::picture::Stand;
use crate::registry::{GameError, Opened};

/// What a stone forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forbids {
    /// Its own colour beside it: Col.
    Own,
    /// The other colour beside it: Snort.
    Other,
}

/// Opens one of the two games.
pub(crate) fn open(options: &Options<'_>, forbids: Forbids) -> Result<Opened, GameError> {
    let (rows, cols) = options.size((4, 4))?;
    Ok(match options.fits_64((rows, cols), |rows, cols| rows * cols)? {
        true => Opened::normal_play(Colouring::<u64>::new(rows, cols, forbids), Colouring::scene),
        false => Opened::normal_play(Colouring::<u128>::new(rows, cols, forbids), Colouring::scene),
    })
}

/// Col or Snort on a rectangular board.
#[derive(Clone, Debug)]
pub struct Colouring<W> {
    grid: Grid<W>,
    forbids: Forbids,
}

/// What is on the cells, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    /// Three binary digits for each cell: the place of its symbol in [`SYMBOLS`].
    digits: [W; 3],
    turn: Side,
}

foregone_model::stored!(State<W: Word> { digits, turn });

const PLAYERS: [&str; 2] = ["black", "white"];

/// A free cell, stones of Black and of White, a blocked cell, then free cells that are tinted: only
/// Black may play on `b`, only White on `w`. The digits of what has no symbol do not come up.
const SYMBOLS: [char; 7] = ['.', 'x', 'o', '#', '?', 'b', 'w'];
const READ: [char; 6] = ['.', 'x', 'o', '#', 'b', 'w'];

impl<W: Word> State<W> {
    /// The stones of a side.
    #[inline]
    fn stones(&self, side: Side) -> W {
        let [one, two, tinted] = self.digits;
        match side {
            Side::Max => one & !two & !tinted,
            Side::Min => two & !one & !tinted,
        }
    }

    /// Free cells that are not tinted against a side.
    #[inline]
    fn free(&self, full: W, side: Side) -> W {
        let [one, two, tinted] = self.digits;
        let own = if side == Side::Max { one } else { two };
        full & (!(one | two | tinted) | (own & tinted))
    }

    fn symbol(&self, cell: u32) -> char {
        let [one, two, tinted] = self.digits.map(|digit| usize::from(digit.has(cell)));
        SYMBOLS[one + 2 * two + 4 * tinted]
    }
}

impl<W: Word> Colouring<W> {
    /// A board of this size; it must fit into the word.
    pub fn new(rows: u32, cols: u32, forbids: Forbids) -> Colouring<W> {
        Colouring { grid: Grid::new(rows, cols), forbids }
    }

    /// The cells that a side may colour.
    #[inline]
    fn places(&self, s: &State<W>, side: Side) -> W {
        let strict = match self.forbids {
            Forbids::Own => s.stones(side),
            Forbids::Other => s.stones(side.other()),
        };
        s.free(self.grid.full, side) & !self.grid.around(strict)
    }

    /// A part: cells that Black may colour, and White. It has no stones, but tinted cells.
    fn part(&self, [black, white]: [W; 2]) -> State<W> {
        let [black, white] = self.grid.least_in_corner([black, white], true);
        let full = self.grid.full;
        State { digits: [full & !white, full & !black, black ^ white], turn: Side::Max }
    }

    fn placed(&self, s: &State<W>, side: Side, cell: u32) -> [W; 3] {
        let stone = W::bit(cell);
        let mut digits = s.digits.map(|digit| digit & !stone);
        digits[side.index()] = digits[side.index()] | stone;
        digits
    }
}

impl<W: Word> Game for Colouring<W> {
    type State = State<W>;
    /// The cell.
    type Move = u8;

    fn start(&self) -> State<W> {
        State { digits: [W::ZERO; 3], turn: Side::Max }
    }

    #[inline]
    fn turn(&self, s: &State<W>) -> Turn {
        if self.places(s, s.turn).is_empty() { Turn::Over } else { Turn::Agent(s.turn.agent()) }
    }

    #[inline]
    fn moves(&self, s: &State<W>, agent: Agent, out: &mut Vec<u8>) {
        out.extend(self.places(s, Side::of(agent)).cells().map(|cell| cell as u8));
    }

    #[inline]
    fn play(&self, s: &mut State<W>, agent: Agent, m: u8) {
        let side = Side::of(agent);
        *s = State { digits: self.placed(s, side, u32::from(m)), turn: side.other() };
    }

    #[inline]
    fn outcome(&self, s: &State<W>) -> Outcome {
        if s.turn == Side::Max { Outcome::LOSS } else { Outcome::WIN }
    }
}

impl<W: Word> Guide for Colouring<W> {
    type Packed = [W; 3];

    foregone_model::stored_by_parts!();

    fn character(&self) -> Character {
        Character::MobileAndOrdered
    }

    /// Who is to move follows from the number of stones in all positions of one search.
    #[inline]
    fn pack(&self, s: &State<W>) -> [W; 3] {
        s.digits
    }

    #[inline]
    fn mobility(&self, s: &State<W>, agent: Agent) -> u32 {
        self.places(s, Side::of(agent)).count()
    }

    #[inline]
    fn canonical(&self, s: &State<W>) -> State<W> {
        State { digits: self.grid.least_image(s.digits), turn: s.turn }
    }

    /// By the cells that are left to play, own ones less the opponent's.
    fn order(&self, s: &State<W>, agent: Agent, moves: &mut [u8]) {
        let side = Side::of(agent);
        sort_by_rank(moves, |m| {
            let digits = self.placed(s, side, u32::from(m));
            let after = State { digits, turn: side.other() };
            let [own, other] =
                [side, side.other()].map(|side| self.places(&after, side).count() as i16);
            own - other
        });
    }
}

impl<W: Word> Colouring<W> {
    /// A picture of a position.
    fn scene(&self, s: &State<W>) -> Scene {
        let mut scene = self.grid.squares(|cell| -> Stand {
            Some(match s.symbol(cell) {
                'x' => (Glyph::Disc, Paint::Black),
                'o' => (Glyph::Disc, Paint::White),
                '#' => (Glyph::Block, Paint::Wall),
                _ => return None,
            })
        });
        // Cells on which only one player may play have its colour, whatever the reason.
        let [black, white] = [Side::Max, Side::Min].map(|side| self.places(s, side));
        for cell in (black ^ white).cells() {
            let paint = if black.has(cell) { Paint::Dark } else { Paint::Light };
            scene.cells[cell as usize].paint = paint;
        }
        scene
    }
}

impl<W: Word> Notation for Colouring<W> {
    fn name(&self) -> String {
        let name = if self.forbids == Forbids::Own { "col" } else { "snort" };
        format!("{name}:{}x{}", self.grid.rows, self.grid.cols)
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
        self.grid.write_rows(|cell| s.symbol(cell), out);
        out.push(' ');
        out.push_str(PLAYERS[s.turn.index()]);
    }

    /// Whether stones could have come to where they are does not matter: beside a stone nobody can
    /// play who is forbidden to.
    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        let (sets, mover) = self.grid.read_rows(text, &READ, &PLAYERS)?;
        let [x, o, blocked, black, white] = [1, 2, 3, 4, 5].map(|symbol: usize| sets[symbol]);
        let digits = [x | blocked | black, o | blocked | white, black | white];
        Ok(State { digits, turn: [Side::Max, Side::Min][mover] })
    }

    fn draw(&self, s: &State<W>) -> String {
        self.grid.draw(|cell| s.symbol(cell))
    }
}

impl<W: Word> NormalPlay for Colouring<W> {
    fn with_turn(&self, s: &State<W>, side: Side) -> State<W> {
        State { turn: side, ..*s }
    }

    /// Cells that can still be coloured, connected where colouring one can forbid something on the
    /// other.
    fn split(&self, s: &State<W>, out: &mut Vec<State<W>>) {
        let grid = &self.grid;
        let [black, white] = [Side::Max, Side::Min].map(|side| self.places(s, side));
        let mut rest = black | white;
        while !rest.is_empty() {
            let mut part = W::bit(rest.lowest());
            loop {
                let [one, two] = [black, white].map(|cells| grid.around(part & cells));
                let reached = match self.forbids {
                    Forbids::Own => (one & black) | (two & white),
                    Forbids::Other => (one & white) | (two & black),
                };
                if (reached & !part).is_empty() {
                    break;
                }
                part = part | reached;
            }
            rest = rest & !part;
            out.push(self.part([black & part, white & part]));
        }
    }

    /// What Black may colour White may, and the other way round.
    fn negative(&self, part: &State<W>) -> Option<State<W>> {
        let [black, white] = [Side::Max, Side::Min].map(|side| self.places(part, side));
        Some(self.part([white, black]))
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::Rng;

    use super::*;
    use crate::normal_play_testing as normal_play;
    use crate::testing::{self, COLUMNS, DIAGONAL, ROWS};

    const BOTH: [Forbids; 2] = [Forbids::Own, Forbids::Other];

    /// Everything thrown at random.
    fn random<W: Word>(game: &Colouring<W>, rng: &mut Rng) -> State<W> {
        let mut text = String::new();
        game.grid.write_rows(|_| '?', &mut text);
        let symbol = |c| match c {
            '?' => READ[rng.below(12) as usize % 8 % READ.len()],
            _ => c,
        };
        let rows: String = text.chars().map(symbol).collect();
        game.read_position(&format!("{rows} white")).unwrap()
    }

    #[test]
    fn parts_add_up() {
        let mut rng = Rng::new(3);
        for forbids in BOTH {
            for (rows, cols) in [(1, 9), (9, 1), (3, 3), (3, 4), (5, 5)] {
                let game = Colouring::<u64>::new(rows, cols, forbids);
                normal_play::laws_hold(&game, 3);
                let positions: Vec<State<u64>> = (0..40).map(|_| random(&game, &mut rng)).collect();
                normal_play::laws(&game, &positions);
            }
            normal_play::laws_hold(&Colouring::<u64>::new(8, 8, forbids), 1);
            normal_play::laws_hold(&Colouring::<u128>::new(8, 9, forbids), 1);
        }
    }

    #[test]
    fn stones_and_tints_forbid() {
        let moves = |forbids, text: &str| {
            let game = Colouring::<u64>::new(2, 3, forbids);
            let s = game.read_position(text).unwrap();
            let mut names = testing::ordered_names(&game, &s);
            names.sort();
            names.join(" ")
        };
        assert_eq!(moves(Forbids::Own, "x../.#b black"), "c1 c2");
        assert_eq!(moves(Forbids::Own, "x../.#b white"), "a1 b2 c2");
        assert_eq!(moves(Forbids::Other, "x../.#b black"), "a1 b2 c1 c2");
        assert_eq!(moves(Forbids::Other, "x../.#w white"), "c1 c2");
    }

    #[test]
    fn texts_round_trip() {
        for forbids in BOTH {
            testing::texts_round_trip(&Colouring::<u64>::new(4, 5, forbids), 10);
            testing::nonsense_is_refused(&Colouring::<u64>::new(3, 4, forbids));
            testing::texts_round_trip(&Colouring::<u128>::new(9, 9, forbids), 3);
        }
    }

    #[test]
    fn images_are_alike() {
        for forbids in BOTH {
            let game = Colouring::<u64>::new(3, 4, forbids);
            testing::images_are_alike(&game, 20, &[COLUMNS, ROWS], 4, true);
            let game = Colouring::<u64>::new(3, 3, forbids);
            testing::images_are_alike(&game, 20, &[COLUMNS, ROWS, DIAGONAL], 8, true);
        }
    }
}
