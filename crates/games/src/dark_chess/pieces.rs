//! The pieces of Chinese dark chess, what they take and how they move: the same face up and among pieces
//! that lie face down.

use crate::board::Grid;

/// How many kinds of pieces there are.
pub(crate) const KINDS: usize = 7;
/// The kinds, the lowest rank first: soldier, cannon, horse, chariot, elephant, advisor, general.
pub(crate) const LETTERS: [char; KINDS] = ['P', 'C', 'H', 'R', 'E', 'A', 'K'];
/// How many of each kind a side has in a whole set.
pub(crate) const SET: [u32; KINDS] = [5, 2, 2, 2, 2, 2, 1];
const SOLDIER: u32 = 0;
const CANNON: u32 = 1;
const GENERAL: u32 = 6;

/// The colour of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Colour {
    Red,
    Black,
}

foregone_model::stored!(
    enum Colour {
        Red,
        Black,
    }
);

/// What a cell holds, as a number below 16: nothing, a piece that lies face down, or a piece.
pub(crate) const EMPTY: u32 = 0;
pub(crate) const HIDDEN: u32 = 1;
/// Pieces come behind these two: the kinds of Red, then those of Black.
pub(crate) const FIRST_PIECE: u32 = 2;

pub(crate) const SYMBOLS: [char; 16] =
    ['.', '?', 'P', 'C', 'H', 'R', 'E', 'A', 'K', 'p', 'c', 'h', 'r', 'e', 'a', 'k'];

impl Colour {
    pub(crate) fn other(self) -> Colour {
        match self {
            Colour::Red => Colour::Black,
            Colour::Black => Colour::Red,
        }
    }
}

/// The kind and the colour of what lies face up on a cell.
#[inline]
pub(crate) fn piece(code: u32) -> Option<(u32, Colour)> {
    let piece = code.checked_sub(FIRST_PIECE)?;
    let colour = if piece < KINDS as u32 { Colour::Red } else { Colour::Black };
    Some((piece % KINDS as u32, colour))
}

/// Whether a piece takes another one beside it, by their kinds.
#[inline]
pub(crate) fn takes(own: u32, other: u32) -> bool {
    match (own, other) {
        (CANNON, _) | (GENERAL, SOLDIER) => false,
        (SOLDIER, GENERAL) => true,
        _ => own >= other,
    }
}

/// Whether a piece takes any other one over exactly one piece between them, by its kind.
#[inline]
pub(crate) fn jumps(own: u32) -> bool {
    own == CANNON
}

/// The cells in each of four directions from a cell: a step, and how many cells there are.
#[inline]
pub(crate) fn ways(grid: &Grid<u64>, from: u32) -> [(i32, u32); 4] {
    let Grid { rows, cols, .. } = *grid;
    let (row, col) = (from / cols, from % cols);
    let up = cols as i32;
    [(1, cols - 1 - col), (-1, col), (up, rows - 1 - row), (-up, row)]
}

/// Shows the cells that a piece can move to, by its kind and colour, to `see` until it says that it has
/// seen enough. `at` tells what a cell holds.
#[inline]
pub(crate) fn visit_piece(
    grid: &Grid<u64>,
    at: impl Fn(u32) -> u32,
    from: u32,
    (kind, own): (u32, Colour),
    mut see: impl FnMut(u32) -> bool,
) -> bool {
    let enemy = |to: u32| {
        let found = piece(at(to));
        found.filter(|&(_, colour)| colour != own).map(|(kind, _)| kind)
    };
    ways(grid, from).into_iter().any(|(step, length)| {
        let cell = |n: u32| (from as i32 + step * n as i32) as u32;
        if length == 0 {
            return false;
        }
        let beside = cell(1);
        let free = at(beside) == EMPTY;
        if (free || enemy(beside).is_some_and(|other| takes(kind, other))) && see(beside) {
            return true;
        }
        if !jumps(kind) {
            return false;
        }
        // The second piece on the way, if it can be taken.
        let mut pieces = (1..=length).map(cell).filter(|&c| at(c) != EMPTY);
        pieces.nth(1).is_some_and(|to| enemy(to).is_some() && see(to))
    })
}
