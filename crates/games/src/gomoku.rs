//! Gomoku, five in a row (an old Japanese pastime; its free form, which knows no forbidden
//! moves).
//!
//! Black, who moves first, and White place stones of their colour in turn on the empty cells of
//! a square board. Who first has enough of them in an unbroken row, a column or a diagonal, or
//! more than enough, wins; a full board without such a line is a draw.

use foregone_model::scene::Scene;
use foregone_model::{
    Agent, Atom, Game, Guide, Notation, OffTurn, Outcome, Rng, Scale, Side, TextError, Turn,
};

use crate::board::{Grid, Word, sort_by_rank};
use crate::options::Options;
use crate::picture::stone;
pub use crate::placement::State;
use crate::registry::{Entry, GameError, Opened};
use crate::stones::PLAYERS;

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry {
    quick: Some("gomoku:4,4"),
    ..Entry::in_turn(
        "gomoku",
        "SIZE[,LENGTH] (7,5)",
        "Place stones; LENGTH in a row, a column or a diagonal win, a full board is a draw",
        open,
    )
};

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let (size, length) = read_options(options)?;
    Ok(match options.fits_64((size, size), |rows, cols| rows * cols)? {
        true => Opened::pictured(Gomoku::<u64>::new(size, length), Gomoku::scene),
        false => Opened::pictured(Gomoku::<u128>::new(size, length), Gomoku::scene),
    })
}

/// The size and the length, which is the usual one, or the size where it is less.
fn read_options(options: &Options<'_>) -> Result<(u32, u32), TextError> {
    let [size, length] = options.numbers([(7, SHORTEST, LARGEST), (USUAL, SHORTEST, LARGEST)])?;
    if length <= size {
        return Ok((size, length));
    }
    if options.values().len() < 2 {
        return Ok((size, size));
    }
    Err(options.error(format!("a line of {length} does not fit on a board of {size}x{size}")))
}

/// The largest side of a board.
pub(crate) const LARGEST: u32 = 11;
/// The shortest line that wins, and the smallest side of a board.
pub(crate) const SHORTEST: u32 = 3;
/// The line that wins where nothing else is said and the board is large enough.
pub(crate) const USUAL: u32 = 5;

/// Gomoku on a square board.
#[derive(Clone, Debug)]
pub struct Gomoku<W> {
    grid: Grid<W>,
    /// How many in a row win.
    length: u32,
    /// Where a line of the winning length can end.
    ends: Ends<W>,
    /// How near each cell is to the centre.
    nearness: Vec<i16>,
}

/// Cells on which a line of some length can end, if the end is its highest cell, for rows and
/// rising diagonals and for falling diagonals.
#[derive(Clone, Copy, Debug)]
struct Ends<W> {
    rising: W,
    falling: W,
}

const DRAW: Outcome = Outcome(1);
const WIN: Outcome = Outcome(2);

impl<W: Word> Gomoku<W> {
    /// A board of this size, and how many in a row win; the square of the size must fit into the
    /// word.
    pub fn new(size: u32, length: u32) -> Gomoku<W> {
        assert!((SHORTEST..=LARGEST).contains(&size), "boards have sides of 3 to 11");
        assert!((SHORTEST..=size).contains(&length), "a line fits on the board");
        let grid = Grid::new(size, size);
        Gomoku {
            grid,
            length,
            ends: ends(&grid, length),
            nearness: (0..size * size).map(|cell| nearness(size, cell)).collect(),
        }
    }

    /// Whether these stones hold a line that wins.
    #[inline]
    fn lined(&self, stones: W) -> bool {
        self.has_line(stones, self.length, self.ends)
    }

    /// Whether so many of these stones stand in an unbroken line; `ends` are those of the length.
    #[inline]
    fn has_line(&self, stones: W, length: u32, ends: Ends<W>) -> bool {
        let width = self.grid.cols;
        let row = runs(stones, 1, length) & ends.rising;
        let rising = runs(stones, width + 1, length) & ends.rising;
        let falling = runs(stones, width - 1, length) & ends.falling;
        !(row | rising | falling | runs(stones, width, length)).is_empty()
    }
}

/// The highest cells of all runs of `length` stones, each `stride` above the one before. A run
/// does not stop at the edge of the board, but goes on in the next row.
#[inline]
fn runs<W: Word>(stones: W, stride: u32, length: u32) -> W {
    let mut runs = stones;
    let mut have = 1;
    // Two runs that follow one another, or overlap, are a longer one.
    while have < length {
        let more = have.min(length - have);
        runs = runs & (runs << (stride * more));
        have += more;
    }
    runs
}

/// A run along a row or to the upper right crossed no edge when as many columns lie to the left
/// of its highest cell as it needs, one to the upper left when they lie to the right of it.
fn ends<W: Word>(grid: &Grid<W>, length: u32) -> Ends<W> {
    let columns = |keep: &dyn Fn(u32) -> bool| {
        (0..grid.rows * grid.cols)
            .filter(|cell| keep(cell % grid.cols))
            .fold(W::ZERO, |w, cell| w | W::bit(cell))
    };
    Ends {
        rising: columns(&|column| column + 1 >= length),
        falling: columns(&|column| column + length <= grid.cols),
    }
}

/// Less the squared distance to the centre, with half a cell as the unit.
fn nearness(size: u32, cell: u32) -> i16 {
    let [r, c] = [cell / size, cell % size].map(|i| 2 * i as i16 - (size as i16 - 1));
    -(r * r + c * c)
}

impl<W: Word> Game for Gomoku<W> {
    type State = State<W>;
    /// The cell of the stone.
    type Move = u8;

    fn scale(&self) -> Scale {
        Scale::three()
    }

    fn start(&self) -> State<W> {
        State::start()
    }

    fn off_turn(&self) -> OffTurn {
        OffTurn::Moves
    }

    #[inline]
    fn turn(&self, s: &State<W>) -> Turn {
        // Only who moved last can have a line.
        if s.free(self.grid.full).is_empty() || self.lined(s.of_last()) {
            Turn::Over
        } else {
            Turn::Agent(s.turn.agent())
        }
    }

    #[inline]
    fn moves(&self, s: &State<W>, _agent: Agent, out: &mut Vec<u8>) {
        s.moves(self.grid.full, out);
    }

    #[inline]
    fn play(&self, s: &mut State<W>, agent: Agent, m: u8) {
        s.place(agent, u32::from(m));
    }

    #[inline]
    fn outcome(&self, s: &State<W>) -> Outcome {
        match s.turn.other() {
            last if !self.lined(s.stones[last.index()]) => DRAW,
            Side::Max => WIN,
            Side::Min => Outcome::LOSS,
        }
    }

    /// The number of an atom is twice the length of the line, and one more for White.
    fn holds(&self, s: &State<W>, Atom(number): Atom) -> bool {
        let length = number / 2;
        let stones = s.stones[(number % 2) as usize];
        self.has_line(stones, length, ends(&self.grid, length))
    }
}

impl<W: Word> Guide for Gomoku<W> {
    type Packed = [W; 2];

    foregone_model::stored_by_parts!();

    /// Colours that are asked out of turn can reach the same stones with either of them to move.
    /// No cell has two stones, so the two complements are not a position with Black to move; full
    /// boards could be mistaken, if no bit is left over, but they are over.
    #[inline]
    fn pack(&self, s: &State<W>) -> [W; 2] {
        match s.turn {
            Side::Max => s.stones,
            Side::Min => s.stones.map(|w| !w),
        }
    }

    #[inline]
    fn mobility(&self, s: &State<W>, _agent: Agent) -> u32 {
        s.free(self.grid.full).count()
    }

    #[inline]
    fn canonical(&self, s: &State<W>) -> State<W> {
        State { stones: self.grid.least_image(s.stones), turn: s.turn }
    }

    /// Central cells first: more lines run through them.
    fn order(&self, _s: &State<W>, _agent: Agent, moves: &mut [u8]) {
        sort_by_rank(moves, |m| self.nearness[usize::from(m)]);
    }

    fn move_class(&self, _s: &State<W>, _agent: Agent, m: u8) -> Option<u16> {
        Some(u16::from(m))
    }

    fn playout(&self, mut s: State<W>, rng: &mut Rng) -> Option<Outcome> {
        let mut free = s.free(self.grid.full);
        while !free.is_empty() && !self.lined(s.of_last()) {
            let cell = free.pick(rng);
            let agent = s.turn.agent();
            self.play(&mut s, agent, cell as u8);
            free = free ^ W::bit(cell);
        }
        Some(self.outcome(&s))
    }
}

impl<W: Word> Gomoku<W> {
    /// A picture of a position.
    fn scene(&self, s: &State<W>) -> Scene {
        self.grid.points(|cell| stone(s.symbol(cell)))
    }
}

impl<W: Word> Notation for Gomoku<W> {
    fn name(&self) -> String {
        format!("gomoku:{},{}", self.grid.cols, self.length)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn atoms(&self) -> &[(&'static str, &'static str)] {
        &[("line(COLOUR,N)", "black or white has N stones or more in an unbroken line")]
    }

    fn read_atom(&self, text: &str) -> Option<Atom> {
        let (colour, length) = text.strip_prefix("line(")?.strip_suffix(')')?.split_once(',')?;
        let colour = PLAYERS.iter().position(|&p| p == colour.trim())?;
        let length: u32 = length.trim().parse().ok()?;
        let fits = (1..=self.grid.cols).contains(&length);
        fits.then_some(Atom(2 * length + colour as u32))
    }

    fn write_move(&self, _s: &State<W>, m: u8, out: &mut String) {
        self.grid.write_cell(u32::from(m), out);
    }

    fn parse_move(&self, _s: &State<W>, text: &str) -> Option<u8> {
        self.grid.parse_whole_cell(text).map(|cell| cell as u8)
    }

    fn write_position(&self, s: &State<W>, out: &mut String) {
        s.write(self.grid.rows_from_top(), &PLAYERS, out);
    }

    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        let s = State::read(text, self.grid.rows_from_top(), &PLAYERS)?;
        if self.lined(s.stones[s.turn.index()]) {
            return Err(s.over_before(text, &PLAYERS, "a line"));
        }
        Ok(s)
    }

    fn draw(&self, s: &State<W>) -> String {
        self.grid.draw(|c| s.symbol(c))
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::Typed as _;
    use std::collections::{HashMap, HashSet};

    use super::*;
    use crate::testing::{self, COLUMNS, DIAGONAL, ROWS};
    use crate::tic_tac_toe::TicTacToe;

    /// The rule in so many words, cell by cell.
    fn lined_slowly(size: u32, length: u32, has: impl Fn(i32, i32) -> bool) -> bool {
        let cells = (0..size * size).map(|c| ((c / size) as i32, (c % size) as i32));
        let inside = |i: i32| (0..size as i32).contains(&i);
        let mut lines = cells.flat_map(|(r, c)| {
            [(0, 1), (1, 0), (1, 1), (1, -1)].map(|(up, right)| {
                (0..length as i32).map(move |i| (r + up * i, c + right * i)).collect::<Vec<_>>()
            })
        });
        lines.any(|line| line.into_iter().all(|(r, c)| inside(r) && inside(c) && has(r, c)))
    }

    /// Sets of cells of all densities.
    fn random_set<W: Word>(cells: u32, rng: &mut Rng) -> W {
        let density = 30 + rng.below(71);
        (0..cells).filter(|_| rng.below(100) < density).fold(W::ZERO, |w, c| w | W::bit(c))
    }

    #[test]
    fn lines_are_found() {
        fn check<W: Word>(sizes: std::ops::RangeInclusive<u32>) {
            let mut rng = Rng::new(1);
            for size in sizes {
                for length in SHORTEST..=size {
                    let game: Gomoku<W> = Gomoku::new(size, length);
                    let mut found = 0;
                    for _ in 0..200 {
                        let stones: W = random_set(size * size, &mut rng);
                        let has = |r: i32, c| stones.has(r as u32 * size + c as u32);
                        let slow = lined_slowly(size, length, has);
                        assert_eq!(game.lined(stones), slow, "{size},{length} {stones:?}");
                        found += u32::from(slow);
                        let s = State { stones: [W::ZERO, stones], turn: Side::Max };
                        for n in 1..=size {
                            let atom = game.read_atom(&format!("line(white,{n})")).unwrap();
                            assert_eq!(game.holds(&s, atom), lined_slowly(size, n, has));
                            let atom = game.read_atom(&format!("line(black,{n})")).unwrap();
                            assert!(!game.holds(&s, atom));
                        }
                    }
                    assert!(found > 0, "{size},{length}");
                    // Each line that there is, alone on the board, and without one of its stones.
                    for cell in 0..size * size {
                        for (stride, fits) in [
                            (1, cell % size + length <= size),
                            (size, cell / size + length <= size),
                            (size + 1, (cell % size).max(cell / size) + length <= size),
                            (size - 1, cell % size + 1 >= length && cell / size + length <= size),
                        ] {
                            if !fits {
                                continue;
                            }
                            let at = |i| W::bit(cell + i * stride);
                            let line = (0..length).fold(W::ZERO, |w, i| w | at(i));
                            assert!(game.lined(line));
                            assert!((0..length).all(|i| !game.lined(line & !at(i))));
                        }
                    }
                }
            }
        }
        check::<u64>(3..=8);
        check::<u128>(3..=11);
    }

    #[test]
    fn the_smallest_board_is_tic_tac_toe() {
        let (one, two) = (Gomoku::<u64>::new(3, 3), TicTacToe::new());
        for depth in 1..=9 {
            let counts = (
                testing::perft(&one, &one.start(), depth),
                testing::perft(&two, &two.start(), depth),
            );
            assert_eq!(counts.0, counts.1);
        }
        let value = testing::solve(&one, &one.start(), &mut HashMap::new());
        assert_eq!(one.scale().name(value), "draw");
    }

    #[test]
    fn small_boards_have_their_values() {
        for (size, length, value) in [(3, 3, "draw"), (4, 3, "win")] {
            let game: Gomoku<u64> = Gomoku::new(size, length);
            let found = testing::solve(&game, &game.start(), &mut HashMap::new());
            assert_eq!(game.scale().name(found), value, "{}", game.name());
        }
        // Two open ends: Black can stop one of them only.
        let game: Gomoku<u64> = Gomoku::new(4, 3);
        let s = game.read_position("..../.oo./..../x..x black").unwrap();
        assert_eq!(testing::solve(&game, &s, &mut HashMap::new()), Outcome::LOSS);
    }

    #[test]
    fn plays_are_counted() {
        // The counts of problems/oracle.py.
        let game: Gomoku<u64> = Gomoku::new(4, 3);
        let s = game.read_position_or_moves("moves:b2,c3,c2,b3,a1").unwrap();
        for (depth, count) in (1..).zip([11, 90, 666, 4032, 20_776]) {
            assert_eq!(testing::perft(&game, &s, depth), count);
        }
    }

    #[test]
    fn more_than_enough_wins_too() {
        let game: Gomoku<u64> = Gomoku::new(7, 5);
        let s = game
            .read_position("xxx.xxx/......./......./......./......./......./ooooo.. black")
            .unwrap();
        assert_eq!((game.turn(&s), game.outcome(&s)), (Turn::Over, Outcome::LOSS));
        let mut s = game
            .read_position("xxx.xxx/......./......./......./......./......./oooo... black")
            .unwrap();
        let m = game.read_move(&s, "d7").unwrap();
        game.play(&mut s, Agent(0), m);
        assert_eq!((game.turn(&s), game.outcome(&s)), (Turn::Over, WIN));
    }

    #[test]
    fn either_colour_can_be_asked() {
        let game: Gomoku<u64> = Gomoku::new(4, 3);
        let mut s = game.start();
        for name in ["b2", "c2", "d2"] {
            assert_ne!(game.turn(&s), Turn::Over);
            let m = game.parse_move(&s, name).unwrap();
            game.play(&mut s, Agent(1), m);
            assert_eq!(s.turn, Side::Max);
        }
        assert_eq!((game.turn(&s), game.outcome(&s)), (Turn::Over, Outcome::LOSS));
        let atom = |text| game.read_atom(text).unwrap();
        assert!(game.holds(&s, atom("line(white,3)")) && !game.holds(&s, atom("line(white,4)")));
        assert!(game.holds(&s, atom("line(white, 1)")) && !game.holds(&s, atom("line(black,1)")));
        for text in ["", "line", "line()", "line(red,3)", "line(black,0)", "line(black,5)", "é(,)"]
        {
            assert_eq!(game.read_atom(text), None, "{text}");
        }
    }

    #[test]
    fn packed_positions_differ() {
        let game: Gomoku<u64> = Gomoku::new(8, 5);
        let (mut states, mut packed) = (HashSet::new(), HashSet::new());
        let mut rng = Rng::new(2);
        for _ in 0..50 {
            for s in testing::random_play(&game, &mut rng) {
                for turn in [Side::Max, Side::Min] {
                    let s = State { turn, ..s };
                    states.insert(s);
                    packed.insert(game.pack(&s));
                }
            }
        }
        assert_eq!(states.len(), packed.len());
    }

    #[test]
    fn texts_round_trip() {
        for (size, length) in [(3, 3), (5, 4), (8, 5), (11, 5)] {
            testing::texts_round_trip(&Gomoku::<u128>::new(size, length), 20);
        }
        testing::nonsense_is_refused(&Gomoku::<u64>::new(5, 4));
        let game: Gomoku<u64> = Gomoku::new(3, 3);
        assert!(game.read_position("xxx/oo./... black").is_err());
        let s = game.read_position_or_moves("moves:a1,b3").unwrap();
        assert_eq!(game.position_text(&s), ".o./.../x.. black");
        assert_eq!(game.draw(&s), "  3  . o .\n  2  . . .\n  1  x . .\n     a b c\n");
    }

    #[test]
    fn both_words_play_the_same_game() {
        for (size, length) in [(3, 3), (5, 4), (8, 6)] {
            let (one, two) = (Gomoku::<u64>::new(size, length), Gomoku::<u128>::new(size, length));
            testing::same_game(&one, &two, 50);
        }
    }

    #[test]
    fn images_are_alike() {
        for (size, length) in [(3, 3), (4, 3), (8, 5)] {
            let images = [COLUMNS, ROWS, DIAGONAL];
            let game = Gomoku::<u64>::new(size, length);
            testing::images_are_alike(&game, 20, &images, 8, size == 3);
            let game = Gomoku::<u128>::new(size, length);
            testing::images_are_alike(&game, 20, &images, 8, false);
        }
        let game = Gomoku::<u128>::new(11, 5);
        testing::images_are_alike(&game, 3, &[COLUMNS, ROWS, DIAGONAL], 8, false);
    }

    #[test]
    fn the_centre_comes_first() {
        let game: Gomoku<u64> = Gomoku::new(3, 3);
        let names = testing::ordered_names(&game, &game.start());
        assert_eq!(names, ["b2", "b1", "a2", "c2", "b3", "a1", "c1", "a3", "c3"]);
    }

    #[test]
    fn playouts_are_uniform() {
        testing::playouts_are_uniform(&Gomoku::<u64>::new(3, 3), 4);
        testing::playouts_are_uniform(&Gomoku::<u64>::new(4, 3), 2);
    }
}
