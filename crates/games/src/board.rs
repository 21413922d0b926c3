//! Boards as bits: words of 64 or 128 bits, rectangular grids on them, and their text.

use std::cmp::Reverse;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

use foregone_model::{Rng, TextError};

/// A machine word used as a set of cells. Implemented by `u64` and `u128`, and for the largest
/// boards by [`Wide`](crate::wide::Wide): a game is generic over it, so that small boards pay for
/// small words only.
pub trait Word:
    Copy
    + Eq
    + Ord
    + Hash
    + Debug
    + From<u64>
    + Send
    + Sync
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + 'static
{
    /// How many cells fit.
    const BITS: u32;
    /// The empty set.
    const ZERO: Self;

    /// The set of this one cell.
    fn bit(cell: u32) -> Self;
    /// How many cells are in the set.
    fn count(self) -> u32;
    /// The lowest cell of a set that is not empty.
    fn lowest(self) -> u32;
    /// The set without its lowest cell.
    fn without_lowest(self) -> Self;
    /// The sum of the two words as numbers: carries run through columns of set bits.
    fn plus(self, other: Self) -> Self;
    /// The bits in reverse order: the highest becomes the lowest.
    fn reversed(self) -> Self;
    /// The cells `0..64`.
    fn low(self) -> u64;

    /// Whether the set is empty.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::ZERO
    }
    /// Whether the cell is in the set.
    #[inline]
    fn has(self, cell: u32) -> bool {
        !(self & Self::bit(cell)).is_empty()
    }
    /// The cells `0..n`.
    #[inline]
    fn first(n: u32) -> Self {
        if n == Self::BITS { !Self::ZERO } else { !(!Self::ZERO << n) }
    }
    /// The cells in rising order.
    #[inline]
    fn cells(self) -> Cells<Self> {
        Cells(self)
    }
    /// The `n`-th cell of the set, counted from 0; there must be one.
    #[inline]
    fn nth(mut self, n: u32) -> u32 {
        for _ in 0..n {
            self = self.without_lowest();
        }
        self.lowest()
    }
    /// A cell of the set, each with the same chance; there must be one.
    #[inline]
    fn pick(self, rng: &mut Rng) -> u32 {
        self.nth(rng.below(self.count()))
    }
}

macro_rules! word {
    ($t:ty) => {
        impl Word for $t {
            const BITS: u32 = <$t>::BITS;
            const ZERO: $t = 0;
            #[inline]
            fn bit(cell: u32) -> $t {
                1 << cell
            }
            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline]
            fn without_lowest(self) -> $t {
                self & self.wrapping_sub(1)
            }
            #[inline]
            fn plus(self, other: $t) -> $t {
                self.wrapping_add(other)
            }
            #[inline]
            fn reversed(self) -> $t {
                self.reverse_bits()
            }
            #[inline]
            fn low(self) -> u64 {
                self as u64
            }
        }
    };
}
word!(u64);
word!(u128);

/// Iterates over the cells of a set, lowest first.
#[derive(Clone, Copy, Debug)]
pub struct Cells<W>(W);

impl<W: Word> Iterator for Cells<W> {
    type Item = u32;
    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.0.is_empty() {
            return None;
        }
        let cell = self.0.lowest();
        self.0 = self.0.without_lowest();
        Some(cell)
    }
}

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

    /// The lengths of the rows, for [`read_rows`].
    pub fn row_lengths(&self) -> Vec<usize> {
        vec![self.cols as usize; self.rows as usize]
    }

    /// Appends the rows, the highest first, separated by `/`.
    pub fn write_rows(&self, symbol: impl Fn(u32) -> char, out: &mut String) {
        for row in (0..self.rows).rev() {
            for col in 0..self.cols {
                out.push(symbol(row * self.cols + col));
            }
            if row > 0 {
                out.push('/');
            }
        }
    }

    /// Reads what `write_rows` wrote, then a space and who is to move: for each symbol the set
    /// of its cells, and the place of the mover in `movers`.
    pub fn read_rows(
        &self,
        text: &str,
        symbols: &[char],
        movers: &[&str],
    ) -> Result<(Vec<W>, usize), TextError> {
        let (cells, mover) = read_rows(text, &self.row_lengths(), symbols, movers)?;
        let mut sets = vec![W::ZERO; symbols.len()];
        for (i, &symbol) in cells.iter().enumerate() {
            let (row, col) = (i as u32 / self.cols, i as u32 % self.cols);
            let cell = (self.rows - 1 - row) * self.cols + col;
            sets[symbol] = sets[symbol] | W::bit(cell);
        }
        Ok((sets, mover))
    }
}

/// Appends the letters of a column: a … z, then aa, ab, …
pub fn write_column(col: u32, out: &mut String) {
    if col >= 26 {
        out.push((b'a' + (col / 26 - 1) as u8) as char);
    }
    out.push((b'a' + (col % 26) as u8) as char);
}

/// Appends `a1` for row 0 and column 0, and so on.
pub fn write_cell(row: u32, col: u32, out: &mut String) {
    write_column(col, out);
    let row = row + 1;
    if row >= 100 {
        out.push((b'0' + (row / 100) as u8) as char);
    }
    if row >= 10 {
        out.push((b'0' + (row / 10 % 10) as u8) as char);
    }
    out.push((b'0' + (row % 10) as u8) as char);
}

/// Reads `a1` from the front of a text: row, column and the rest. One name a cell: no capital
/// letters, no leading zeros.
pub fn parse_cell(text: &str) -> Option<(u32, u32, &str)> {
    let letters = text.bytes().take_while(u8::is_ascii_lowercase).count();
    let digits = text[letters..].bytes().take_while(u8::is_ascii_digit).count();
    if !(1..=2).contains(&letters) || !(1..=3).contains(&digits) {
        return None;
    }
    let column = text[..letters].bytes().fold(0, |n, b| n * 26 + u32::from(b - b'a' + 1)) - 1;
    let number = &text[letters..letters + digits];
    if number.starts_with('0') {
        return None;
    }
    Some((number.parse::<u32>().ok()? - 1, column, &text[letters + digits..]))
}

/// Reads rows of symbols separated by `/`, then a space and the name of the player to move.
/// Returns the index of each cell's symbol, in reading order, and the index of the player.
pub fn read_rows(
    text: &str,
    lengths: &[usize],
    symbols: &[char],
    movers: &[&str],
) -> Result<(Vec<usize>, usize), TextError> {
    let (board, player) = read_mover(text, movers)?;
    Ok((read_cells(board, lengths, symbols)?, player))
}

/// Reads rows of symbols separated by `/`. Returns the index of each cell's symbol, in reading
/// order.
pub fn read_cells(
    board: &str,
    lengths: &[usize],
    symbols: &[char],
) -> Result<Vec<usize>, TextError> {
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != lengths.len() {
        let message =
            format!("expected {} rows separated by `/`, found {}", lengths.len(), rows.len());
        return Err(TextError::new(message, 0..board.len()));
    }
    let mut cells = Vec::new();
    let mut offset = 0;
    for (row, &length) in rows.iter().zip(lengths) {
        let found = row.chars().count();
        if found != length {
            let message = format!("this row has {found} cells, expected {length}");
            return Err(TextError::new(message, offset..offset + row.len()));
        }
        for (at, c) in row.char_indices() {
            let Some(symbol) = symbols.iter().position(|&s| s == c) else {
                let known: String = symbols.iter().collect();
                let message =
                    format!("`{c}` is not a cell of this game, expected one of `{known}`");
                return Err(TextError::new(message, offset + at..offset + at + c.len_utf8()));
            };
            cells.push(symbol);
        }
        offset += row.len() + 1;
    }
    Ok(cells)
}

/// Splits `… PLAYER` at the last space: what stands before it, and the index of the player.
pub fn read_mover<'t>(text: &'t str, movers: &[&str]) -> Result<(&'t str, usize), TextError> {
    let Some((rest, mover)) = text.rsplit_once(' ') else {
        let message = format!("a position ends with a space and who is to move: {}", list(movers));
        return Err(TextError::new(message, text.len()..text.len()));
    };
    let Some(player) = movers.iter().position(|&m| m == mover) else {
        let message = format!("`{mover}` is nobody to move, expected {}", list(movers));
        let choices = movers.iter().map(|&m| m.to_owned()).collect();
        return Err(TextError::new(message, rest.len() + 1..text.len()).with_choices(choices));
    };
    Ok((rest, player))
}

fn list(words: &[&str]) -> String {
    words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(" or ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_keeps_its_edges() {
        fn shifts<W: Word>() {
            for (rows, cols) in [(1, 1), (1, 20), (20, 1), (3, 4), (8, 8)] {
                let grid: Grid<W> = Grid::new(rows, cols);
                for cell in 0..rows * cols {
                    let (r, c) = (cell / cols, cell % cols);
                    let at = |ok: bool, cell: i64| if ok { W::bit(cell as u32) } else { W::ZERO };
                    let (x, i, w) = (W::bit(cell), i64::from(cell), i64::from(cols));
                    assert_eq!(grid.north(x), at(r + 1 < rows, i + w));
                    assert_eq!(grid.south(x), at(r > 0, i - w));
                    assert_eq!(grid.east(x), at(c + 1 < cols, i + 1));
                    assert_eq!(grid.west(x), at(c > 0, i - 1));
                }
            }
        }
        shifts::<u64>();
        shifts::<u128>();
    }

    /// The set with each cell moved, one by one.
    fn moved<W: Word>(grid: &Grid<W>, set: W, to: impl Fn(u32, u32) -> (u32, u32)) -> W {
        set.cells().fold(W::ZERO, |w, cell| {
            let (row, col) = to(cell / grid.cols, cell % grid.cols);
            w | W::bit(row * grid.cols + col)
        })
    }

    #[test]
    fn mirror_images_agree_with_moving_cell_by_cell() {
        fn check<W: Word>(rng: &mut Rng) {
            for rows in 1..=W::BITS {
                for cols in 1..=W::BITS / rows {
                    let grid: Grid<W> = Grid::new(rows, cols);
                    for _ in 0..5 {
                        let bits = W::from(rng.bits()) << (W::BITS / 2) ^ W::from(rng.bits());
                        let set = bits & grid.full;
                        let by_columns = moved(&grid, set, |r, c| (r, cols - 1 - c));
                        let by_rows = moved(&grid, set, |r, c| (rows - 1 - r, c));
                        let by_both = moved(&grid, by_rows, |r, c| (r, cols - 1 - c));
                        let mut sets = [set; 2];
                        grid.mirror_columns(&mut sets);
                        assert_eq!(sets, [by_columns; 2], "{rows}x{cols}");
                        let mut sets = [set; 2];
                        grid.mirror_rows(&mut sets);
                        assert_eq!(sets, [by_rows; 2], "{rows}x{cols}");
                        let mut images = vec![set, by_columns, by_rows, by_both];
                        let least = images.iter().copied().min().unwrap();
                        assert_eq!(grid.least_upright([set]), [least]);
                        if rows == cols {
                            let mut sets = [set; 2];
                            grid.transpose(&mut sets);
                            assert_eq!(sets, [moved(&grid, set, |r, c| (c, r)); 2], "{rows}");
                            images.extend(
                                images.clone().iter().map(|&x| moved(&grid, x, |r, c| (c, r))),
                            );
                        }
                        // A second set decides among images whose first sets are equal.
                        let pairs = images.iter().map(|&x| [W::ZERO, x]);
                        assert_eq!(grid.least_image([W::ZERO, set]), pairs.min().unwrap());
                    }
                }
            }
        }
        let mut rng = Rng::new(2);
        check::<u64>(&mut rng);
        check::<u128>(&mut rng);
    }

    #[test]
    fn moves_of_one_rank_keep_their_order() {
        let mut rng = Rng::new(3);
        for n in 0..=200u8 {
            let mut moves: Vec<u8> = (0..n).collect();
            let ranks: Vec<i16> = moves.iter().map(|_| rng.below(7) as i16 - 3).collect();
            sort_by_rank(&mut moves, |m| ranks[usize::from(m)]);
            let key = |m: u8| (-ranks[usize::from(m)], m);
            assert!(moves.windows(2).all(|w| key(w[0]) < key(w[1])));
        }
    }

    #[test]
    fn cell_names_round_trip() {
        for row in 0..128 {
            for col in 0..128 {
                let mut name = String::new();
                write_cell(row, col, &mut name);
                assert_eq!(parse_cell(&name), Some((row, col, "")), "{name}");
            }
        }
        for bad in ["", "a", "1", "a0", "a01", "A1", "aaa1", "a1000", "é1"] {
            assert_eq!(parse_cell(bad), None, "{bad}");
        }
    }
}
