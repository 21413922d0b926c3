//! Gomoku and tic-tac-toe: lines of stones, each of which a player needs alone.

use crate::board::{Grid, Word};

/// All lines of a length on a board.
pub(crate) fn all<W: Word>(grid: &Grid<W>, length: u32) -> Vec<W> {
    let (rows, cols, length) = (grid.rows as i32, grid.cols as i32, length as i32);
    let mut lines = Vec::new();
    for (row, col) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
        for (up, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let (top, end) = (row + up * (length - 1), col + right * (length - 1));
            if top < rows && (0..cols).contains(&end) {
                let cells = (0..length).map(|i| (row + up * i) * cols + col + right * i);
                lines.push(cells.fold(W::ZERO, |line, cell| line | W::bit(cell as u32)));
            }
        }
    }
    lines
}

/// The empty cells of lines that `own` can fill with so many stones more: where it can win within so
/// many moves if nobody answers.
pub(crate) fn within<W: Word>(lines: &[W], own: W, other: W, stones: u32) -> W {
    let open = lines.iter().filter(|&&line| (line & other).is_empty());
    let near = open.filter(|&&line| (line & !own).count() <= stones);
    near.fold(W::ZERO, |cells, &line| cells | (line & !own))
}
