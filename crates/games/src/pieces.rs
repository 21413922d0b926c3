//! Positions of games under normal play in which the pieces of two players stand on the cells of a
//! rectangle, some of which may be blocked, and how such a position is divided into parts.

use foregone_model::{Side, TextError};

use crate::board::{Grid, Word};

/// Who is to move, in games with stones.
pub(crate) const PLAYERS: [&str; 2] = ["black", "white"];

/// The pieces of Max and of Min, the cells that are blocked, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    pub(crate) pieces: [W; 2],
    pub(crate) blocked: W,
    pub(crate) turn: Side,
}

foregone_model::stored!(State<W: Word> { pieces, blocked, turn });

const SYMBOLS: [char; 4] = ['.', 'x', 'o', '#'];

impl<W: Word> State<W> {
    /// These pieces, nothing blocked, Max to move.
    pub(crate) fn of(pieces: [W; 2]) -> State<W> {
        State { pieces, blocked: W::ZERO, turn: Side::Max }
    }

    /// The cells with a piece on them.
    #[inline]
    pub(crate) fn taken(&self) -> W {
        self.pieces[0] | self.pieces[1]
    }

    /// The cells that are neither taken nor blocked.
    #[inline]
    pub(crate) fn empty(&self, grid: &Grid<W>) -> W {
        grid.full & !(self.taken() | self.blocked)
    }

    /// How a cell is written.
    pub(crate) fn symbol(&self, cell: u32) -> char {
        let sets = [self.pieces[0], self.pieces[1], self.blocked];
        SYMBOLS[sets.iter().position(|set| set.has(cell)).map_or(0, |i| i + 1)]
    }

    /// Appends the rows, the highest first, and who is to move.
    pub(crate) fn write(&self, grid: &Grid<W>, players: [&str; 2], out: &mut String) {
        grid.write_rows(|cell| self.symbol(cell), out);
        out.push(' ');
        out.push_str(players[self.turn.index()]);
    }

    /// Reads what [`State::write`] wrote.
    pub(crate) fn read(
        grid: &Grid<W>,
        text: &str,
        players: [&str; 2],
    ) -> Result<State<W>, TextError> {
        let (sets, mover) = grid.read_rows(text, &SYMBOLS, &players)?;
        let turn = [Side::Max, Side::Min][mover];
        Ok(State { pieces: [sets[1], sets[2]], blocked: sets[3], turn })
    }

    /// What is on these cells, all others blocked, in a normal place; with `turns`, turned by a quarter
    /// if that is less.
    pub(crate) fn part(&self, grid: &Grid<W>, cells: W, turns: bool) -> State<W> {
        let [max, min] = self.pieces.map(|set| set & cells);
        let [max, min, cells] = grid.least_in_corner([max, min, cells], turns);
        State { pieces: [max, min], blocked: grid.full & !cells, turn: Side::Max }
    }

    /// A part with the pieces of both players exchanged, in a normal place.
    pub(crate) fn exchanged(&self, grid: &Grid<W>, turns: bool) -> State<W> {
        let [max, min] = self.pieces;
        let exchanged = State { pieces: [min, max], ..*self };
        exchanged.part(grid, grid.full & !self.blocked, turns)
    }
}

/// A direction along the lines of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    North,
    South,
    East,
    West,
}

impl Step {
    pub(crate) const ALL: [Step; 4] = [Step::North, Step::South, Step::East, Step::West];

    /// The opposite direction.
    pub(crate) fn back(self) -> Step {
        match self {
            Step::North => Step::South,
            Step::South => Step::North,
            Step::East => Step::West,
            Step::West => Step::East,
        }
    }
}

/// The first cells of all lines of `length` cells in a direction that some play could use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines<W> {
    pub(crate) from: W,
    pub(crate) step: Step,
    pub(crate) length: u32,
}

impl<W: Word> Lines<W> {
    /// All cells of those lines of which a cell is among these.
    fn touched(&self, grid: &Grid<W>, cells: W) -> W {
        let (mut back, mut from) = (cells, W::ZERO);
        for _ in 0..self.length {
            from = from | (back & self.from);
            back = grid.step(back, self.step.back());
        }
        let mut all = from;
        for _ in 1..self.length {
            from = grid.step(from, self.step);
            all = all | from;
        }
        all
    }
}

/// Appends parts whose cells are connected by lines that some play could use. Nothing else in a
/// position matters.
pub(crate) fn split_by_lines<W: Word>(
    grid: &Grid<W>,
    s: &State<W>,
    lines: &[Lines<W>],
    mut push: impl FnMut(&State<W>, W),
) {
    let mut rest = lines.iter().fold(W::ZERO, |all, lines| all | lines.from);
    while !rest.is_empty() {
        let mut part = W::bit(rest.lowest());
        loop {
            let next = lines.iter().fold(part, |part, lines| part | lines.touched(grid, part));
            if next == part {
                break;
            }
            part = next;
        }
        rest = rest & !part;
        push(s, part);
    }
}

impl<W: Word> Grid<W> {
    /// The cells one step further.
    #[inline]
    pub(crate) fn step(&self, x: W, step: Step) -> W {
        match step {
            Step::North => self.north(x),
            Step::South => self.south(x),
            Step::East => self.east(x),
            Step::West => self.west(x),
        }
    }

    /// Some sets with rows and columns exchanged, if there is room for that.
    pub(crate) fn transposed<const K: usize>(&self, sets: [W; K]) -> Option<[W; K]> {
        let mut images = [W::ZERO; K];
        for (set, image) in sets.iter().zip(&mut images) {
            for cell in set.cells() {
                let (row, col) = (cell / self.cols, cell % self.cols);
                if col >= self.rows || row >= self.cols {
                    return None;
                }
                *image = *image | W::bit(col * self.cols + row);
            }
        }
        Some(images)
    }

    /// The cells that share an edge or a corner with one of these, and these.
    #[inline]
    pub(crate) fn near(&self, x: W) -> W {
        let row = x | self.east(x) | self.west(x);
        row | self.north(row) | self.south(row)
    }

    /// The cells of `within` that are connected to `seed` by edges and corners.
    pub(crate) fn flood_near(&self, seed: W, within: W) -> W {
        let mut block = seed;
        loop {
            let next = self.near(block) & within;
            if next == block {
                return block;
            }
            block = next;
        }
    }

    /// The cells that a piece reaches from `from` in a straight line over free cells, in the eight
    /// directions of a queen.
    pub(crate) fn queen(&self, from: W, free: W) -> W {
        let mut reached = W::ZERO;
        for direction in 0..8 {
            let mut at = from;
            loop {
                at = match direction {
                    0 => self.north(at),
                    1 => self.south(at),
                    2 => self.east(at),
                    3 => self.west(at),
                    4 => self.north(self.east(at)),
                    5 => self.north(self.west(at)),
                    6 => self.south(self.east(at)),
                    _ => self.south(self.west(at)),
                } & free;
                if at.is_empty() {
                    break;
                }
                reached = reached | at;
            }
        }
        reached
    }
}
