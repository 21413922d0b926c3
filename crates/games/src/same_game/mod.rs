//! SameGame (Kuniaki Moribe, *Chain Shot!*, 1985).
//!
//! One player. Cells of one colour that touch along edges are a group. A move removes a group of
//! n cells, at least two, and scores (n - 2)² points. What is above falls down; columns that
//! become empty are closed by those to the right of them. The game is over when no group has two
//! cells. The usual bonus of 1000 points for clearing the board is left out: it would only stretch
//! the scale. The board is filled at random, each cell with each colour alike, from a seed.
//!
//! The cells of a column lie together, so that falling is a shift. The number of a cell's colour is
//! spread over three sets of cells, one for each of its binary digits.

use foregone_model::{Agent, Claim, Game, Outcome, Rng, Scale, Side, Turn};

use crate::board::{Grid, Word};
use crate::options::Options;
use crate::registry::{Entry, GameError, Opened};
use crate::scores::points;

pub mod bounds;
mod guide;
mod notation;
pub mod witness;

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "same-game",
    "ROWSxCOLUMNS,COLOURS,SEED (4x4,3,1)",
    "One player removes groups of one colour; n cells score (n - 2) squared",
    open,
)
.knowing(&[bounds::RULE]);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let forms = [(3, 1, MOST_COLOURS), (1, 0, u32::MAX)];
    let ((rows, cols), [colours, seed]) = options.size_and_numbers((4, 4), forms)?;
    Ok(match options.fits_64((rows, cols), |rows, cols| rows * cols)? {
        true => Opened::pictured(SameGame::<u64>::new(rows, cols, colours, seed), SameGame::scene),
        false => {
            Opened::pictured(SameGame::<u128>::new(rows, cols, colours, seed), SameGame::scene)
        }
    })
}

/// How many colours there can be: numbers of three binary digits, 0 stands for an empty cell.
pub const MOST_COLOURS: u32 = 7;

/// SameGame on a board that a seed has filled.
#[derive(Clone, Debug)]
pub struct SameGame<W> {
    /// The board as one sees it: for names and drawings.
    upright: Grid<W>,
    /// The same board lying on its side: its rows are the columns, so that up is `east` and right
    /// is `north`.
    lying: Grid<W>,
    colours: u32,
    seed: u32,
    start: State<W>,
    /// No play can score more than the starting board allows.
    most: u32,
}

/// What is left on the board, and the points so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    /// The binary digits of the colours.
    digits: [W; 3],
    score: u16,
}

foregone_model::stored!(State<W: Word> { digits, score });

/// There is nobody on the other side.
const PLAYERS: [&str; 2] = ["player", "nobody"];

const SYMBOLS: [char; 8] = ['.', '1', '2', '3', '4', '5', '6', '7'];

impl<W: Word> State<W> {
    /// The cells that are not empty.
    #[inline]
    fn taken(&self) -> W {
        self.digits[0] | self.digits[1] | self.digits[2]
    }

    /// The cells of a colour.
    #[inline]
    fn of_colour(&self, colour: u32) -> W {
        let mut cells = self.taken();
        for (i, &digit) in self.digits.iter().enumerate() {
            cells = cells & if colour >> i & 1 == 1 { digit } else { !digit };
        }
        cells
    }

    #[inline]
    fn colour_at(&self, cell: u32) -> u32 {
        (0..).zip(&self.digits).fold(0, |n, (i, digit)| n | u32::from(digit.has(cell)) << i)
    }

    fn set(&mut self, cell: u32, colour: u32) {
        for (i, digit) in self.digits.iter_mut().enumerate() {
            if colour >> i & 1 == 1 {
                *digit = *digit | W::bit(cell);
            }
        }
    }
}

/// The points for a group.
#[inline]
pub(crate) fn points_for(cells: u32) -> u32 {
    cells.saturating_sub(2).pow(2)
}

impl<W: Word> SameGame<W> {
    /// A board of this size, which must fit into the word, with one to [`MOST_COLOURS`] colours.
    pub fn new(rows: u32, cols: u32, colours: u32, seed: u32) -> SameGame<W> {
        assert!((1..=MOST_COLOURS).contains(&colours), "a number of colours that fits");
        let mut game = SameGame {
            upright: Grid::new(rows, cols),
            lying: Grid::new(cols, rows),
            colours,
            seed,
            start: State { digits: [W::ZERO; 3], score: 0 },
            most: 0,
        };
        let mut rng = Rng::new(u64::from(seed));
        // In the order in which one reads: the top row first.
        for row in (0..rows).rev() {
            for col in 0..cols {
                game.start.set(col * rows + row, 1 + rng.below(colours));
            }
        }
        game.most = bounds::most_points(game.counts(&game.start));
        game
    }

    /// How many cells each colour has.
    #[inline]
    fn counts(&self, s: &State<W>) -> impl Iterator<Item = u32> {
        (1..=self.colours).map(move |colour| s.of_colour(colour).count())
    }

    /// The groups of at least two cells, in the order of their lowest cells.
    #[inline]
    fn groups(&self, s: &State<W>) -> impl Iterator<Item = W> {
        let mut rest = s.taken();
        std::iter::from_fn(move || {
            while !rest.is_empty() {
                let group = self.group(s, rest.lowest());
                rest = rest & !group;
                if group.count() >= 2 {
                    return Some(group);
                }
            }
            None
        })
    }

    /// The group of a cell that is not empty.
    #[inline]
    fn group(&self, s: &State<W>, cell: u32) -> W {
        self.lying.flood(W::bit(cell), s.of_colour(s.colour_at(cell)))
    }

    /// Whether two cells of one colour touch.
    #[inline]
    fn has_group(&self, s: &State<W>) -> bool {
        let touches = |next: fn(&Grid<W>, W) -> W| {
            let both = s.taken() & next(&self.lying, s.taken());
            let differ = s.digits.iter().fold(W::ZERO, |w, &d| w | (d ^ next(&self.lying, d)));
            !(both & !differ).is_empty()
        };
        touches(Grid::north) || touches(Grid::east)
    }

    /// The cells of a column.
    #[inline]
    fn column(&self, col: u32) -> W {
        let rows = self.upright.rows;
        W::first((col + 1) * rows) & !W::first(col * rows)
    }

    /// Takes cells away; the others fall down and close ranks.
    fn remove(&self, s: &mut State<W>, group: W) {
        let rows = self.upright.rows;
        // From the top, so that nothing of the group falls before it is gone.
        let mut rest = group;
        while !rest.is_empty() {
            let cell = W::BITS - 1 - rest.reversed().lowest();
            rest = rest ^ W::bit(cell);
            let from = self.column(cell / rows) & !W::first(cell);
            for digit in &mut s.digits {
                *digit = (*digit & !from) | ((*digit & (from ^ W::bit(cell))) >> 1);
            }
        }
        for col in (0..self.upright.cols - 1).rev() {
            if (s.taken() & self.column(col)).is_empty() {
                let before = W::first(col * rows);
                for digit in &mut s.digits {
                    *digit = (*digit & before) | ((*digit >> rows) & !before);
                }
            }
        }
    }

    /// The same board with its colours numbered in the order of their lowest cells.
    fn renumbered(&self, s: &State<W>) -> [W; 3] {
        let mut next = State { digits: [W::ZERO; 3], score: 0 };
        let mut rest = s.taken();
        for colour in 1..=self.colours {
            if rest.is_empty() {
                break;
            }
            let cells = s.of_colour(s.colour_at(rest.lowest()));
            rest = rest & !cells;
            for (i, digit) in next.digits.iter_mut().enumerate() {
                if colour >> i & 1 == 1 {
                    *digit = *digit | cells;
                }
            }
        }
        next.digits
    }

    /// The cell of the lying board where an upright one has this one.
    fn laid(&self, cell: u32) -> u32 {
        cell % self.upright.cols * self.upright.rows + cell / self.upright.cols
    }

    fn symbol(&self, s: &State<W>, upright_cell: u32) -> char {
        SYMBOLS[s.colour_at(self.laid(upright_cell)) as usize]
    }

    /// The place in a position's text of the cell in this column and row.
    fn place(&self, col: u32, row: u32) -> usize {
        ((self.upright.rows - 1 - row) * (self.upright.cols + 1) + col) as usize
    }
}

impl<W: Word> Game for SameGame<W> {
    type State = State<W>;
    /// The lowest cell of the leftmost column of the group.
    type Move = u8;

    fn scale(&self) -> Scale {
        points(self.most.max(1))
    }

    fn start(&self) -> State<W> {
        self.start
    }

    #[inline]
    fn turn(&self, s: &State<W>) -> Turn {
        if self.has_group(s) { Turn::Agent(Side::Max.agent()) } else { Turn::Over }
    }

    #[inline]
    fn moves(&self, s: &State<W>, _agent: Agent, out: &mut Vec<u8>) {
        out.extend(self.groups(s).map(|group| group.lowest() as u8));
    }

    #[inline]
    fn play(&self, s: &mut State<W>, _agent: Agent, m: u8) {
        let group = self.group(s, u32::from(m));
        s.score += points_for(group.count()) as u16;
        self.remove(s, group);
    }

    #[inline]
    fn outcome(&self, s: &State<W>) -> Outcome {
        Outcome(s.score)
    }

    fn confirms(&self, s: &State<W>, claim: Claim, rule: &str, reason: &str) -> bool {
        let Claim { prover, at_least, .. } = claim;
        let cells = (0..self.upright.rows * self.upright.cols).map(|cell| s.colour_at(cell));
        rule == bounds::RULE && witness::confirms(cells, s.score, prover, at_least, reason)
    }
}

#[cfg(test)]
mod tests;
