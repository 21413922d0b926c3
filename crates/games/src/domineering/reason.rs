//! The reason behind the static knowledge of Domineering, in words: where the board is cut.
//!
//! The search asks `domineering_bounds.rs` many times and forgets the cuts. When a certificate is
//! written they are found again here, and replaced by others that are shorter to write.

use super::bounds::{Board, NEAR, Value};
use crate::board::{Grid, Word};

/// The cut behind what [`mover_wins`](crate::domineering::bounds::mover_wins) tells, as words of a
/// certificate.
///
/// A cut is in pairs of rows, from the first row on. What is not a pair is written: `t` three rows,
/// `s` a single one, a number before it for the pairs between. So `2ts` is two pairs, three rows, a
/// single row, and pairs again. With `/` between them these are cuts of the parts of the board in
/// the order of their first cells; what is missing at the end are pairs. For Horizontal rows are
/// columns.
pub fn reason<W: Word>(grid: &Grid<W>, free: W, vertical_moves: bool) -> Option<String> {
    let bit = |r, c| ((free >> (r * grid.cols + c)).low() & 1) as u32;
    let row = |r| (0..grid.cols).fold(0, |row, c| row | bit(r, c) << c);
    let column = |c| (0..grid.rows).fold(0, |column, r| column | bit(r, c) << r);
    cut(grid.cols, grid.rows, row, vertical_moves)
        .or_else(|| cut(grid.rows, grid.cols, column, !vertical_moves))
}

/// The cut by which Vertical wins, moving first or second, where the rule says so.
fn cut(width: u32, rows: u32, row: impl Fn(u32) -> u32, first: bool) -> Option<String> {
    let board = Board::new(width, first)?;
    let mut pieces: Vec<Piece> = Vec::new();
    let whole = board.sum(Value::ZERO, width, rows, &row, &mut |r, row, height| {
        Piece::note(&mut pieces, r, row, height);
    });
    if whole.left(first) > 0 {
        let words = shortened(&board, &pieces, |_| width);
        return words.into_iter().next();
    }
    if whole.left(first) < -NEAR {
        return None;
    }
    pieces.clear();
    let parts = board.all_parts(rows, row, &mut |r, row, height| {
        Piece::note(&mut pieces, r, row, height);
    })?;
    if parts.left(first) <= 0 {
        return None;
    }
    let mut words = shortened(&board, &pieces, Piece::width);
    while words.last().is_some_and(String::is_empty) {
        words.pop();
    }
    let end = if words.len() < 2 { "/" } else { "" };
    Some(words.join("/") + end)
}

/// Rows that are cut into strips together, and for each the height of the strip that ends with it.
struct Piece {
    rows: Vec<u32>,
    heights: Vec<u8>,
}

impl Piece {
    fn note(pieces: &mut Vec<Piece>, r: u32, row: u32, height: u8) {
        if r == 0 {
            pieces.push(Piece { rows: Vec::new(), heights: Vec::new() });
        }
        if let Some(piece) = pieces.last_mut() {
            piece.rows.push(row);
            piece.heights.push(height);
        }
    }

    fn width(&self) -> u32 {
        self.rows.iter().fold(0, |all, row| all | row).ilog2() + 1
    }

    /// The heights of the strips, without the pairs at the end.
    fn cut(&self) -> Vec<u8> {
        let mut cut = Vec::new();
        let mut rows = self.heights.len();
        while rows > 0 {
            cut.push(self.heights[rows - 1]);
            rows -= usize::from(self.heights[rows - 1]);
        }
        cut.reverse();
        // What is left of a pair is a single row.
        cut.pop_if(|height| *height == 1);
        while cut.pop_if(|height| *height == 2).is_some() {}
        cut
    }

    /// Cuts whose words are short.
    fn short_cuts(&self) -> impl Iterator<Item = Vec<u8>> {
        let after_pairs = |pairs: usize| {
            [3, 1].map(|height| (0..pairs).map(|_| 2).chain([height]).collect::<Vec<u8>>())
        };
        let two = [[3, 3], [3, 1], [1, 3], [1, 1]].map(|cut| cut.to_vec());
        let few = [Vec::new()].into_iter().chain(after_pairs(0)).chain(two);
        few.chain((1..self.rows.len() / 2).flat_map(after_pairs))
    }
}

/// The word of [`reason`] for a cut.
fn word_of(cut: &[u8]) -> String {
    let mut word = String::new();
    let mut pairs = 0;
    for &height in cut {
        if height == 2 {
            pairs += 1;
            continue;
        }
        if pairs > 0 {
            word.push_str(&pairs.to_string());
            pairs = 0;
        }
        word.push(if height == 3 { 't' } else { 's' });
    }
    word
}

/// For each piece the word of a cut, so that Vertical wins by all of them: those that were found,
/// or shorter ones that do as well.
fn shortened(board: &Board, pieces: &[Piece], width: impl Fn(&Piece) -> u32) -> Vec<String> {
    let worth = |piece: &Piece, cut: &[u8]| worth_by(board, width(piece), &piece.rows, cut);
    let mut cuts: Vec<Vec<u8>> = pieces.iter().map(Piece::cut).collect();
    for (i, piece) in pieces.iter().enumerate() {
        let others = pieces.iter().zip(&cuts).enumerate().filter(|&(j, _)| j != i);
        let others: Option<Value> = others
            .map(|(_, (other, cut))| worth(other, cut))
            .try_fold(Value::ZERO, |sum, worth| Some(sum.plus(worth?)));
        let wins = |cut: &Vec<u8>| {
            let sum = others.zip(worth(piece, cut)).map(|(sum, worth)| sum.plus(worth));
            sum.is_some_and(|sum| sum.left(board.first) > 0)
        };
        if let Some(cut) = piece.short_cuts().find(wins)
            && word_of(&cut).len() < word_of(&cuts[i]).len()
        {
            cuts[i] = cut;
        }
    }
    cuts.iter().map(|cut| word_of(cut)).collect()
}

/// What rows are worth when they are cut at these heights and then in pairs.
fn worth_by(board: &Board, wide: u32, mut rows: &[u32], cut: &[u8]) -> Option<Value> {
    let mut sum = Value::ZERO;
    let mut heights = cut.iter();
    while !rows.is_empty() {
        let height = heights.next().map_or(2.min(rows.len()), |&height| usize::from(height));
        let (strip, rest) = rows.split_at_checked(height)?;
        sum = sum.plus(match *strip {
            [a, b, c] => board.triple(wide, [a, b, c])?,
            [a, b] => board.pairs.worth(a | b << board.width),
            _ => board.pairs.worth(strip[0]),
        });
        rows = rest;
    }
    heights.next().is_none().then_some(sum)
}
