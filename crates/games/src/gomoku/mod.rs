//! Gomoku, five in a row (an old Japanese pastime; its forms without forbidden moves).
//!
//! Black, who moves first, and White place stones of their colour in turn on the empty cells of
//! a square board. Who first has enough of them in an unbroken row, a column or a diagonal, or
//! more than enough, wins; a full board without such a line is a draw. With `exact` only lines of
//! just that length win, as in the usual game of today.

use foregone_model::{Agent, Atom, Claim, Game, OffTurn, Outcome, Scale, Side, TextError, Turn};

use crate::board::{Grid, Word};
use crate::options::Options;
pub use crate::placement::State;
use crate::registry::{Entry, GameError, Opened};
use crate::wide::{Quad, Wide};
use crate::zones::lines;

mod guide;
mod notation;
pub mod space;
pub mod threats;
pub mod witness;

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry {
    quick: Some("gomoku:4,4"),
    ..Entry::in_turn(
        "gomoku",
        "SIZE[,LENGTH[,exact]] (7,5)",
        "Place stones; LENGTH in a row, a column or a diagonal win, a full board is a draw",
        open,
    )
    .knowing(&[space::FOURS])
};

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let (size, length, exact) = read_options(options)?;
    Ok(match size * size {
        0..=64 => opened::<u64>(size, length, exact),
        65..=128 => opened::<u128>(size, length, exact),
        129..=256 => opened::<Quad>(size, length, exact),
        _ => opened::<Wide>(size, length, exact),
    })
}

fn opened<W: Word>(size: u32, length: u32, exact: bool) -> Opened {
    let game = Gomoku::<W>::new(size, length);
    Opened::pictured(if exact { game.exactly() } else { game }, Gomoku::scene)
}

/// The size, the length, which is the usual one, or the size where it is less, and whether longer
/// lines do not win.
fn read_options(options: &Options<'_>) -> Result<(u32, u32, bool), TextError> {
    let values = options.values();
    let size = values.first().map_or(Ok(7), |value| value.number(SHORTEST, LARGEST))?;
    let length = match values.get(1) {
        None => USUAL.min(size),
        Some(value) => value.number(SHORTEST, LARGEST)?,
    };
    if length > size {
        let message = format!("a line of {length} does not fit on a board of {size}x{size}");
        return Err(options.error(message));
    }
    let exact = match values.get(2) {
        None => false,
        Some(value) if value.text == EXACT => true,
        Some(value) => {
            let message = format!("`{}` is not a rule, expected {EXACT} or nothing", value.text);
            return Err(value.not_among(&[EXACT], message));
        }
    };
    if values.len() > 3 {
        return Err(options.error("there are at most three options: SIZE,LENGTH,exact"));
    }
    Ok((size, length, exact))
}

/// The word of the rule that lines that are too long do not win.
const EXACT: &str = "exact";
/// The largest side of a board.
pub(crate) const LARGEST: u32 = 19;
/// The shortest line that wins, and the smallest side of a board.
pub(crate) const SHORTEST: u32 = 3;
/// The line that wins where nothing else is said and the board is large enough.
pub(crate) const USUAL: u32 = 5;

/// Gomoku on a square board.
#[derive(Clone, Debug)]
pub struct Gomoku<W> {
    pub(crate) grid: Grid<W>,
    /// How many in a row win.
    pub(crate) length: u32,
    /// More in a row do not win.
    exact: bool,
    /// Where a line of the winning length can end.
    ends: Ends<W>,
    /// How near each cell is to the centre.
    pub(crate) nearness: Vec<i16>,
    /// The four directions in which lines run.
    directions: [threats::Direction<W>; 4],
    /// All lines of the winning length.
    lines: Vec<W>,
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
        assert!((SHORTEST..=LARGEST).contains(&size), "boards have sides of 3 to 19");
        assert!((SHORTEST..=size).contains(&length), "a line fits on the board");
        let grid = Grid::new(size, size);
        Gomoku {
            grid,
            length,
            exact: false,
            ends: ends(&grid, length),
            nearness: (0..size * size).map(|cell| nearness(size, cell)).collect(),
            directions: threats::directions(size, length),
            lines: lines::all(&grid, length),
        }
    }

    /// The same game in which lines that are too long do not win.
    pub fn exactly(self) -> Gomoku<W> {
        Gomoku { exact: true, ..self }
    }

    /// Whether these stones hold a line that wins.
    #[inline]
    pub(crate) fn lined(&self, stones: W) -> bool {
        if self.exact { self.has_exact_line(stones) } else { self.has_line(stones) }
    }

    /// Whether enough of these stones stand in an unbroken line.
    #[inline]
    fn has_line(&self, stones: W) -> bool {
        let [row, column, rising, falling] = self.tops(stones, self.length, self.ends);
        !(row | column | rising | falling).is_empty()
    }

    /// The same for lines of no more.
    #[inline]
    fn has_exact_line(&self, stones: W) -> bool {
        let strides = self.strides();
        let tops = self.tops(stones, self.length, self.ends);
        // A longer line has the ends of two runs next to each other.
        strides
            .iter()
            .zip(tops)
            .any(|(&stride, x)| !(x & !(x << stride) & !(x >> stride)).is_empty())
    }

    /// How far apart as bits are neighbours in a row, a column, and diagonals that rise and fall.
    #[inline]
    fn strides(&self) -> [u32; 4] {
        let width = self.grid.cols;
        [1, width, width + 1, width - 1]
    }

    /// The highest cells of unbroken lines of so many of these stones, for each of the strides;
    /// `ends` are those of the length.
    #[inline]
    fn tops(&self, stones: W, length: u32, ends: Ends<W>) -> [W; 4] {
        let [one, up, rising, falling] = self.strides();
        [
            runs(stones, one, length) & ends.rising,
            runs(stones, up, length),
            runs(stones, rising, length) & ends.rising,
            runs(stones, falling, length) & ends.falling,
        ]
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
    type Move = u16;

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
    fn moves(&self, s: &State<W>, _agent: Agent, out: &mut Vec<u16>) {
        out.extend(s.free(self.grid.full).cells().map(|c| c as u16));
    }

    #[inline]
    fn play(&self, s: &mut State<W>, agent: Agent, m: u16) {
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
        self.tops(stones, length, ends(&self.grid, length)).iter().any(|tops| !tops.is_empty())
    }

    fn confirms(&self, s: &State<W>, claim: Claim, rule: &str, reason: &str) -> bool {
        let board = witness::Board { size: self.grid.cols, length: self.length, exact: self.exact };
        rule == witness::FOURS && board.confirms(s.stones, s.turn, claim, reason)
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod threat_tests;
