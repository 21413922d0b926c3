//! Rows of cells that need not be of one length, laid end to end in a word.

use std::ops::Range;

use foregone_model::TextError;
use foregone_model::scene::{Paint, Scene};

use super::{Word, parse_cell, read_board, read_sets, write_board, write_cell, write_column};
use crate::picture::Stand;

/// Rows of cells, each beside the next of its row only. The first row is row 1, and stands on top.
#[derive(Clone, Debug)]
pub struct Rows<W> {
    /// The cells of each row.
    ranges: Vec<Range<u32>>,
    /// All cells.
    pub full: W,
    /// The first cells of all rows.
    first: W,
    /// The last cells of all rows.
    last: W,
}

impl<W: Word> Rows<W> {
    /// Rows of these lengths, each at least 1. Together they must fit into the word.
    pub fn new(lengths: impl IntoIterator<Item = u32>) -> Rows<W> {
        let mut end = 0;
        let mut ranges = Vec::new();
        for length in lengths {
            assert!(length > 0, "a row has cells");
            ranges.push(end..end + length);
            end += length;
        }
        assert!(end <= W::BITS, "the rows fit their word");
        let set = |cells: &mut dyn Iterator<Item = u32>| cells.fold(W::ZERO, |s, c| s | W::bit(c));
        Rows {
            full: W::first(end),
            first: set(&mut ranges.iter().map(|row| row.start)),
            last: set(&mut ranges.iter().map(|row| row.end - 1)),
            ranges,
        }
    }

    /// The cells of each row.
    pub fn ranges(&self) -> &[Range<u32>] {
        &self.ranges
    }

    /// The cells behind these, each in its row.
    #[inline]
    pub fn east(&self, x: W) -> W {
        (x & !self.last) << 1
    }

    /// The cells before these, each in its row.
    #[inline]
    pub fn west(&self, x: W) -> W {
        (x & !self.first) >> 1
    }

    /// The runs of cells of a set: those that lie side by side in a row.
    pub fn runs(&self, cells: W) -> Vec<Range<u32>> {
        let starts = cells & !self.east(cells);
        let ends = cells & !self.west(cells);
        starts.cells().zip(ends.cells()).map(|(start, end)| start..end + 1).collect()
    }

    /// Where a part of this length goes: to the beginning of the first row that is long enough.
    pub fn home(&self, length: u32) -> u32 {
        let fits = |row: &&Range<u32>| row.end - row.start >= length;
        self.ranges.iter().find(fits).map_or(0, |row| row.start)
    }

    /// Row and place of a cell.
    fn place(&self, cell: u32) -> (u32, u32) {
        let row = self.ranges.partition_point(|row| row.end <= cell);
        (row as u32, cell - self.ranges[row].start)
    }

    /// Appends the name of a cell: a letter for its place, a number for the row.
    pub fn write_cell(&self, cell: u32, out: &mut String) {
        let (row, place) = self.place(cell);
        write_cell(row, place, out);
    }

    /// Reads the name of a cell from the front of a text; returns the cell and the rest.
    pub fn parse_cell<'t>(&self, text: &'t str) -> Option<(u32, &'t str)> {
        let (row, place, rest) = parse_cell(text)?;
        let row = self.ranges.get(row as usize)?;
        (place < row.end - row.start).then_some((row.start + place, rest))
    }

    /// Appends the rows, separated by `/`.
    pub fn write(&self, symbol: impl Fn(u32) -> char, out: &mut String) {
        write_board(self.ranges.iter().cloned(), symbol, out);
    }

    /// Reads what `write` wrote, then a space and who is to move: for each symbol the set of its cells,
    /// and the place of the mover in `movers`.
    pub fn read(
        &self,
        text: &str,
        symbols: &[char],
        movers: &[&str],
    ) -> Result<(Vec<W>, usize), TextError> {
        read_board(text, self.ranges.iter().cloned(), symbols, movers)
    }

    /// A drawing with letters below and numbers at the side.
    pub fn draw(&self, symbol: impl Fn(u32) -> char) -> String {
        let mut out = String::new();
        for (number, row) in self.ranges.iter().enumerate() {
            out.push_str(&format!("{:>3} ", number + 1));
            for cell in row.clone() {
                out.push(' ');
                out.push(symbol(cell));
            }
            out.push('\n');
        }
        out.push_str("    ");
        for place in 0..self.ranges.iter().map(|row| row.end - row.start).max().unwrap_or(0) {
            // Every letter has the width of a cell.
            let mut name = String::new();
            write_column(place, &mut name);
            out.push(' ');
            out.push_str(&name[name.len() - 1..]);
        }
        out.push('\n');
        out
    }

    /// A picture: squares with what stands on them.
    pub(crate) fn squares(&self, stand: impl Fn(u32) -> Stand) -> Scene {
        const SMALL: f64 = 0.34;
        let mut scene = Scene::new();
        for (number, row) in self.ranges.iter().enumerate() {
            let y = number as f64 * 1.3;
            scene.label([-0.85, y], (number + 1).to_string(), SMALL, Paint::Faint);
            for cell in row.clone() {
                let mut name = String::new();
                self.write_cell(cell, &mut name);
                let at = [f64::from(cell - row.start), y];
                let square = scene.square(name, at, Paint::Plain);
                if let Some((glyph, paint)) = stand(cell) {
                    scene.piece(square, glyph, paint);
                }
            }
        }
        let below = self.ranges.len() as f64 * 1.3 - 0.5;
        for place in 0..self.ranges.iter().map(|row| row.end - row.start).max().unwrap_or(0) {
            let mut name = String::new();
            write_column(place, &mut name);
            scene.label([f64::from(place), below], name, SMALL, Paint::Faint);
        }
        scene
    }
}

/// What is wrong with rows of these lengths, if something is.
pub(crate) fn check(lengths: &[usize]) -> Result<(), String> {
    const MOST: usize = u128::BITS as usize;
    let cells: usize = lengths.iter().sum();
    if lengths.contains(&0) {
        return Err("a row has at least one cell".to_owned());
    }
    if cells > MOST {
        return Err(format!("these rows have {cells} cells in all: at most {MOST} fit"));
    }
    Ok(())
}

/// Rows that were typed as the start of a game: for each symbol the set of its cells.
pub(crate) fn read_start<W: Word>(
    text: &str,
    symbols: &[char],
) -> Result<(Rows<W>, Vec<W>), String> {
    let lengths: Vec<usize> = text.split('/').map(str::len).collect();
    check(&lengths)?;
    let rows = Rows::new(lengths.iter().map(|&length| length as u32));
    let sets = read_sets(text, rows.ranges.iter().cloned(), symbols).map_err(|e| e.message)?;
    Ok((rows, sets))
}
