//! Boards as bits: words of 64 or 128 bits, rectangular grids on them, and their text.

use std::cmp::Reverse;
use std::ops::Range;

use foregone_model::{Rng, TextError};

pub mod rows;
mod text;
mod word;

pub(crate) use text::as_written;
pub use text::{
    parse_cell, read_board, read_cells, read_mover, read_rows, read_sets, write_board, write_cell,
    write_column,
};
pub use word::{Cells, Word};

/// A set of `size` cells out of `whole`, each such set with the same chance. `whole` holds
/// `count` cells, all below `cells`.
///
/// Fair coins make a set of a random size, and among sets of one size all have the same chance.
/// Adding or removing cells drawn at random keeps that, and near half of `count` few are needed.
#[inline]
pub(crate) fn random_subset<W: Word>(
    whole: W,
    count: u32,
    size: u32,
    cells: u32,
    rng: &mut Rng,
) -> W {
    let mut coins = W::from(rng.bits());
    if cells > 64 {
        coins = coins << 32 << 32 | W::from(rng.bits());
    }
    let mut set = coins & whole;
    let mut have = set.count();
    while have > size {
        set = set ^ W::bit(random_cell(set, have, cells, rng));
        have -= 1;
    }
    while have < size {
        set = set | W::bit(random_cell(whole & !set, count - have, cells, rng));
        have += 1;
    }
    set
}

/// A cell of the set, which has `count` cells below `cells`, each with the same chance.
#[inline]
fn random_cell<W: Word>(set: W, count: u32, cells: u32, rng: &mut Rng) -> u32 {
    // Counting to the n-th cell costs as much as the set is large, drawing until the set is hit
    // as much as it is small.
    if count < 8 {
        return set.nth(rng.below(count));
    }
    loop {
        let cell = rng.below(cells);
        if set.has(cell) {
            return cell;
        }
    }
}

/// A mirror image of sets of cells, found by exchanging bits.
///
/// A mirror reverses the lines that cross it. A line is reversed by exchanging its halves, then
/// the halves of each half, and so on, or the other way round. All lines do so together, and
/// exchanges over the same distance are one step: a square board of side n needs log n steps for
/// a mirror along its edges and n / 2 for one along its diagonal.
#[derive(Clone, Copy, Debug)]
pub struct Mirror<W> {
    /// The first `used` are the steps; an array keeps them next to the board's other masks.
    steps: [Exchange<W>; MOST_STEPS],
    used: usize,
}

/// The diagonals of a square of side 19 take as many; a row of 128 cells takes fewer.
const MOST_STEPS: usize = 10;

/// No line is longer than the largest word.
const LONGEST_LINE: usize = u128::BITS as usize;

/// Each cell of `low` changes places with the cell `distance` above it.
#[derive(Clone, Copy, Debug)]
struct Exchange<W> {
    distance: u32,
    low: W,
}

impl<W: Word> Mirror<W> {
    /// The mirror that reverses these lines, each given by its first cell and its length. The
    /// cells of a line lie `stride` apart, and no cell is on two lines.
    pub fn new(stride: u32, lines: impl IntoIterator<Item = (u32, u32)>) -> Mirror<W> {
        // The lower cells of all exchanges over each distance, counted in cells of a line.
        let mut low = [W::ZERO; LONGEST_LINE / 2 + 1];
        let mut parts: Vec<(u32, u32)> = lines.into_iter().collect();
        while let Some((start, length)) = parts.pop() {
            let (half, apart) = (length / 2, length.div_ceil(2));
            if half > 0 {
                let cells = (0..half).map(|i| W::bit(start + i * stride));
                low[apart as usize] = cells.fold(low[apart as usize], |w, cell| w | cell);
                parts.extend([(start, half), (start + apart * stride, half)]);
            }
        }
        let mut mirror =
            Mirror { steps: [Exchange { distance: 0, low: W::ZERO }; MOST_STEPS], used: 0 };
        for (apart, &low) in low.iter().enumerate().filter(|(_, low)| !low.is_empty()) {
            mirror.steps[mirror.used] = Exchange { distance: apart as u32 * stride, low };
            mirror.used += 1;
        }
        mirror
    }

    /// Replaces each set by its mirror image. Several at once cost little more than one: what
    /// happens to one does not wait for the others.
    #[inline]
    pub fn apply(&self, sets: &mut [W]) {
        for step in &self.steps[..self.used] {
            for set in sets.iter_mut() {
                let differ = (*set ^ (*set >> step.distance)) & step.low;
                *set = *set ^ differ ^ (differ << step.distance);
            }
        }
    }
}

/// The least of several images of a position, each a list of sets, without a branch: which one
/// it is cannot be predicted.
#[inline]
pub(crate) fn least<W: Word, const K: usize, const N: usize>(images: [[W; K]; N]) -> [W; K] {
    let mut least = images;
    // As a tournament: few comparisons have to wait for one another.
    let mut left = N;
    while left > 1 {
        let half = left.div_ceil(2);
        for i in 0..left / 2 {
            let other = least[half + i];
            let mut less = false;
            for (a, b) in other.iter().zip(&least[i]).rev() {
                less = (a < b) | ((a == b) & less);
            }
            for (a, b) in other.iter().zip(&mut least[i]) {
                *b = if less { *a } else { *b };
            }
        }
        left = half;
    }
    least[0]
}

/// The chances of who is ahead by so much, in (0, 1): the logistic function, held off its ends.
pub(crate) fn likelihood(ahead: f64) -> f64 {
    (1.0 / (1.0 + (-ahead).exp())).clamp(0.001, 0.999)
}

/// Sorts moves, the highest rank first; moves of the same rank keep their order. Each rank is
/// computed once, and nothing is allocated unless there are very many moves.
#[inline]
pub(crate) fn sort_by_rank<M: Copy>(moves: &mut [M], mut rank: impl FnMut(M) -> i16) {
    const MANY: usize = 128;
    let Some(&first) = moves.first() else {
        return;
    };
    if moves.len() > MANY {
        return moves.sort_by_cached_key(|&m| Reverse(rank(m)));
    }
    let mut before = [first; MANY];
    before[..moves.len()].copy_from_slice(moves);
    // Numbers with the rank above and the place below: they sort faster than pairs, and no two
    // are equal.
    let mut keys = [0u32; MANY];
    let keys = &mut keys[..moves.len()];
    for (place, (key, &m)) in keys.iter_mut().zip(moves.iter()).enumerate() {
        let falling = (i32::from(i16::MAX) - i32::from(rank(m))) as u32;
        *key = (falling << 16) | place as u32;
    }
    keys.sort_unstable();
    for (m, &key) in moves.iter_mut().zip(keys.iter()) {
        *m = before[key as usize % MANY];
    }
}

/// A rectangular board. Cell 0 is `a1`; cells run along the row first.
#[derive(Clone, Copy, Debug)]
pub struct Grid<W> {
    /// How many rows.
    pub rows: u32,
    /// How many columns.
    pub cols: u32,
    /// All cells.
    pub full: W,
    /// The first column.
    pub left: W,
    /// The last column.
    pub right: W,
    /// The mirror images of [`Grid::mirror_columns`], [`Grid::mirror_rows`] and, on a square
    /// board, [`Grid::transpose`].
    columns: Mirror<W>,
    lines: Mirror<W>,
    diagonal: Option<Mirror<W>>,
}

impl<W: Word> Grid<W> {
    /// A board of this size, which must fit into the word.
    pub fn new(rows: u32, cols: u32) -> Grid<W> {
        assert!(rows * cols <= W::BITS && rows > 0 && cols > 0, "the board fits its word");
        let left = (0..rows).fold(W::ZERO, |w, r| w | W::bit(r * cols));
        // What a transposition reverses are the diagonals of the other direction: they start in
        // the first row or in the last column and run up to the left.
        let diagonals = || {
            let first = (0..cols).map(|c| (c, c + 1));
            first.chain((1..rows).map(|r| (r * cols + cols - 1, rows - r)))
        };
        Grid {
            rows,
            cols,
            full: W::first(rows * cols),
            left,
            right: left << (cols - 1),
            columns: Mirror::new(1, (0..rows).map(|r| (r * cols, cols))),
            lines: Mirror::new(cols, (0..cols).map(|c| (c, rows))),
            diagonal: (rows == cols).then(|| Mirror::new(cols.max(2) - 1, diagonals())),
        }
    }

    /// Replaces each set by its image with the first and last column exchanged, and so on.
    #[inline]
    pub fn mirror_columns(&self, sets: &mut [W]) {
        self.columns.apply(sets);
    }

    /// Replaces each set by its image with the first and last row exchanged, and so on.
    #[inline]
    pub fn mirror_rows(&self, sets: &mut [W]) {
        self.lines.apply(sets);
    }

    /// Replaces each set by its image with rows and columns exchanged. The board must be square.
    #[inline]
    pub fn transpose(&self, sets: &mut [W]) {
        assert!(self.rows == self.cols, "the board is square");
        if let Some(diagonal) = &self.diagonal {
            diagonal.apply(sets);
        }
    }

    /// The least image of a position, given by some sets, under the four symmetries of a
    /// rectangle: columns, rows, both or nothing mirrored.
    #[inline]
    pub fn least_upright<const K: usize>(&self, sets: [W; K]) -> [W; K] {
        let mut images = [sets; 2];
        self.mirror_columns(&mut images[1]);
        let mut turned = images;
        self.mirror_rows(turned.as_flattened_mut());
        least([images[0], images[1], turned[0], turned[1]])
    }

    /// The least image of a position under all symmetries of the board: four, or eight on a
    /// square.
    #[inline]
    pub fn least_image<const K: usize>(&self, sets: [W; K]) -> [W; K] {
        let Some(diagonal) = &self.diagonal else {
            return self.least_upright(sets);
        };
        let mut transposed = [sets; 2];
        diagonal.apply(&mut transposed[1]);
        let mut mirrored = transposed;
        self.mirror_columns(mirrored.as_flattened_mut());
        let mut turned = [transposed, mirrored];
        self.mirror_rows(turned.as_flattened_mut().as_flattened_mut());
        let [a, b] = transposed;
        let [c, d] = mirrored;
        let [[e, f], [g, h]] = turned;
        least([a, b, c, d, e, f, g, h])
    }

    /// Some sets, moved together as far down and to the left as their union allows.
    fn in_corner<const K: usize>(&self, mut sets: [W; K]) -> [W; K] {
        let union = |sets: &[W; K]| sets.iter().fold(W::ZERO, |all, &set| all | set);
        if union(&sets).is_empty() {
            return sets;
        }
        let row = union(&sets).lowest() / self.cols;
        sets = sets.map(|set| set >> (row * self.cols));
        while (union(&sets) & self.left).is_empty() {
            sets = sets.map(|set| self.west(set));
        }
        sets
    }

    /// The least image of some sets that are moved into the corner, under the four symmetries of a
    /// rectangle; with `turns`, those of a square, too, where the board is one. What matters of a part
    /// of a board is its shape, not its place.
    pub fn least_in_corner<const K: usize>(&self, sets: [W; K], turns: bool) -> [W; K] {
        let mut least = self.in_corner(sets);
        let mut image = sets;
        for i in 1..if turns && self.diagonal.is_some() { 8 } else { 4 } {
            match i {
                4 => self.transpose(&mut image),
                _ if i % 2 == 1 => self.mirror_columns(&mut image),
                _ => self.mirror_rows(&mut image),
            }
            least = least.min(self.in_corner(image));
        }
        least
    }

    /// The cells one row up.
    #[inline]
    pub fn north(&self, x: W) -> W {
        // Shifting by the whole width of the word is not defined: a single row has no north.
        if self.rows == 1 { W::ZERO } else { (x << self.cols) & self.full }
    }

    /// The cells one row down.
    #[inline]
    pub fn south(&self, x: W) -> W {
        if self.rows == 1 { W::ZERO } else { x >> self.cols }
    }

    /// The cells one column to the right.
    #[inline]
    pub fn east(&self, x: W) -> W {
        (x & !self.right) << 1
    }

    /// The cells one column to the left.
    #[inline]
    pub fn west(&self, x: W) -> W {
        (x & !self.left) >> 1
    }

    /// The cells that share an edge with one of these.
    #[inline]
    pub fn around(&self, x: W) -> W {
        self.north(x) | self.south(x) | self.east(x) | self.west(x)
    }

    /// The cells of `within` that are connected to `seed` through `within`, `seed` included.
    #[inline]
    pub fn flood(&self, seed: W, within: W) -> W {
        let mut block = seed;
        loop {
            let next = block | (self.around(block) & within);
            if next == block {
                return block;
            }
            block = next;
        }
    }

    /// Appends the name of a cell: a letter for the column, a number for the row.
    pub fn write_cell(&self, cell: u32, out: &mut String) {
        write_cell(cell / self.cols, cell % self.cols, out);
    }

    /// Reads the name of a cell from the front of a text; returns the cell and the rest.
    pub fn parse_cell<'t>(&self, text: &'t str) -> Option<(u32, &'t str)> {
        let (row, col, rest) = parse_cell(text)?;
        (row < self.rows && col < self.cols).then_some((row * self.cols + col, rest))
    }

    /// A drawing with letters below and numbers at the side, row 1 at the bottom.
    pub fn draw(&self, symbol: impl Fn(u32) -> char) -> String {
        let mut out = String::new();
        for row in (0..self.rows).rev() {
            out.push_str(&format!("{:>3} ", row + 1));
            for col in 0..self.cols {
                out.push(' ');
                out.push(symbol(row * self.cols + col));
            }
            out.push('\n');
        }
        out.push_str("    ");
        for col in 0..self.cols {
            out.push(' ');
            write_column(col, &mut out);
        }
        out.push('\n');
        out
    }

    /// The point that is all of a text.
    pub fn parse_whole_cell(&self, text: &str) -> Option<u32> {
        self.parse_cell(text).and_then(|(cell, rest)| rest.is_empty().then_some(cell))
    }

    /// The cells of each row, the highest row first.
    pub fn rows_from_top(&self) -> impl Iterator<Item = Range<u32>> + use<W> {
        let cols = self.cols;
        (0..self.rows).rev().map(move |row| row * cols..(row + 1) * cols)
    }

    /// The lengths of the rows, for [`read_rows`].
    pub fn row_lengths(&self) -> Vec<usize> {
        vec![self.cols as usize; self.rows as usize]
    }

    /// Appends the rows, the highest first, separated by `/`.
    pub fn write_rows(&self, symbol: impl Fn(u32) -> char, out: &mut String) {
        write_board(self.rows_from_top(), symbol, out);
    }

    /// Reads what `write_rows` wrote, then a space and who is to move: for each symbol the set
    /// of its cells, and the place of the mover in `movers`.
    pub fn read_rows(
        &self,
        text: &str,
        symbols: &[char],
        movers: &[&str],
    ) -> Result<(Vec<W>, usize), TextError> {
        read_board(text, self.rows_from_top(), symbols, movers)
    }
}

#[cfg(test)]
mod tests;
