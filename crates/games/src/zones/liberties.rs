//! Atari-Go and captures in Go: who takes a block fills its liberties.

use crate::board::{Grid, Word};

/// The liberties of the blocks of `stones` that have at most so many.
pub(crate) fn few<W: Word>(grid: &Grid<W>, stones: W, empty: W, most: u32) -> W {
    let (mut rest, mut cells) = (stones, W::ZERO);
    while !rest.is_empty() {
        let block = grid.flood(W::bit(rest.lowest()), stones);
        let liberties = grid.around(block) & empty;
        if liberties.count() <= most {
            cells = cells | liberties;
        }
        rest = rest & !block;
    }
    cells
}
