//! Static knowledge of Domineering: strips of two rows, added up.
//!
//! Counting moves that the opponent cannot take away, against the moves that the opponent can
//! have at most, is D. Breuker, J. Uiterwijk and J. van den Herik's (*Solving 8 × 8 Domineering*,
//! 2000) and N. Bullock's (*Domineering: solving large combinatorial search spaces*, 2002, the
//! program Obsequi: safe, protective and vulnerable areas). Tables of values from combinatorial
//! game theory for parts of a board are J. Uiterwijk and M. Barton's (*New results for
//! Domineering from combinatorial game theory endgame databases*, 2015). What is ours is how the
//! two are brought together, without finding the parts of the board:
//!
//! * Let Vertical give up the dominoes that would lie across some of the lines between rows.
//!   Flat dominoes never do, so the board falls apart into strips of one, two or three rows, and
//!   Vertical is worse off: the board is worth at least the sum of the strips.
//! * A table tells of every strip of two rows, and of every narrow one of three, a number `x` and
//!   up to two switches `± y` such that the strip is worth at least their sum (J. H. Conway, *On
//!   Numbers and Games*, 1976). The table holds the best such sum, by induction over all strips.
//!   So a safe move counts 1, a protective area `± 1`, and so on, without any case being named. A
//!   single row is a number of moves for Horizontal.
//! * A wide strip of three rows is narrow enough when it can be cut between two columns without
//!   cutting a flat domino.
//! * Sums of numbers and switches are easy: equal switches cancel, the players take the others in
//!   turn, the largest first, and then the number decides.
//! * Which lines to give up is found row by row, and when little is missing once more for each
//!   part of the board that does not touch the others.
//!
//! For Horizontal the board is turned over its diagonal.
//!
//! `domineering_reason.rs` states which lines were given up; `domineering_witness.rs` checks that the
//! strips win.

use std::sync::OnceLock;

use crate::board::{Grid, Word};

/// The name of the rule.
pub const RULE: &str = "safe-moves";

/// The widest strip of two rows that has a table, of `4^MAX_WIDTH` entries.
pub(crate) const MAX_WIDTH: u32 = 10;

/// The width of the strips of three rows in their table of `8^NARROW` entries.
pub(crate) const NARROW: u32 = 6;

/// Numbers are counted in these parts of a move. Finer ones do not come up.
const UNIT: i32 = 16;

/// Switches `± y` have one of these sizes; `± 0` is the game `*`. A set of them is a mask, since
/// equal switches cancel.
const SIZES: [i32; 7] = [0, 4, 8, 12, 16, 20, 24];

/// A number and a set of switches: the number times 256, plus the mask of the switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value(i32);

impl Value {
    pub(crate) const ZERO: Value = Value(0);

    fn new(number: i32, switches: u8) -> Value {
        Value(number << 8 | i32::from(switches))
    }

    #[inline]
    pub(crate) fn number(self) -> i32 {
        self.0 >> 8
    }

    #[inline]
    pub(crate) fn switches(self) -> usize {
        (self.0 & 255) as usize
    }

    #[inline]
    pub(crate) fn plus(self, other: Value) -> Value {
        Value(((self.0 & !255) + (other.0 & !255)) | ((self.0 ^ other.0) & 255))
    }

    /// What is left when both have taken the switches in turn, twice; one more when whoever took
    /// no switch first is to move then. The player with this value wins when it is positive.
    #[inline]
    pub(crate) fn left(self, first: bool) -> i32 {
        let taken = i32::from(TAKEN[self.switches()]);
        if first { 2 * self.number() + taken } else { 2 * self.number() + 1 - taken }
    }
}

/// For each set of switches what taking them in turn, the largest first, leaves to who starts,
/// twice; one more when the other is to move afterwards.
static TAKEN: [i16; 256] = {
    let mut taken = [0; 256];
    let mut mask = 0;
    while mask < 256 {
        let mut i = SIZES.len();
        let mut mine = true;
        while i > 0 {
            i -= 1;
            if mask >> i & 1 == 1 {
                taken[mask] += (if mine { 2 * SIZES[i] } else { -2 * SIZES[i] }) as i16;
                mine = !mine;
            }
        }
        if !mine {
            taken[mask] += 1;
        }
        mask += 1;
    }
    taken
};

/// For each set of free cells of a strip, the lowest row in the low bits, what it is worth to
/// Vertical at least.
pub(crate) struct Strips(Box<[i16]>);

/// For which numbers `x` Vertical wins a game minus `x`, moving second and moving first: those
/// with `2 x` below these.
#[derive(Clone, Copy)]
struct Wins {
    second: i16,
    first: i16,
}

/// Beyond all numbers.
const FAR: i16 = 1 << 12;

impl Wins {
    /// From the best over the options of Vertical and of Horizontal. By the number avoidance
    /// theorem nobody needs to move in `x`, unless the game is itself a number; and by the
    /// simplicity theorem it is one when any number is won by neither first player, the simplest
    /// of those.
    fn new(second: i16, first: i16) -> Wins {
        if first >= second {
            return Wins { second, first };
        }
        let x = 2 * simplest((first + 1).div_euclid(2), (second - 1).div_euclid(2));
        Wins { second: x + 1, first: x }
    }

    /// The largest number that Vertical can do without and win moving second.
    fn number(self) -> i32 {
        i32::from((self.second - 1).div_euclid(2))
    }
}

/// The simplest number in an interval: 0, else the integer nearest to 0, else the one with the
/// least denominator.
fn simplest(least: i16, most: i16) -> i16 {
    if least <= 0 && most >= 0 {
        return 0;
    }
    if most < 0 {
        return -simplest(-most, -least);
    }
    let mut step = UNIT as i16;
    loop {
        let x = (least + step - 1).div_euclid(step) * step;
        if x <= most {
            return x;
        }
        assert!(step > 1, "numbers are counted finely enough");
        step /= 2;
    }
}

impl Strips {
    /// The table for strips of two rows of this width.
    #[inline]
    pub(crate) fn pairs(width: u32) -> Option<&'static Strips> {
        static TABLES: [OnceLock<Strips>; MAX_WIDTH as usize] =
            [const { OnceLock::new() }; MAX_WIDTH as usize];
        let table = TABLES.get(width as usize - 1)?;
        Some(table.get_or_init(|| Strips::new(2, width)))
    }

    /// The table for strips of three rows of this width, which is not above [`NARROW`]. The
    /// widest takes a tenth of a second to make, and small boards do without it.
    #[inline]
    pub(crate) fn triples(width: u32) -> &'static Strips {
        static TABLES: [OnceLock<Strips>; NARROW as usize] =
            [const { OnceLock::new() }; NARROW as usize];
        TABLES[width as usize - 1].get_or_init(|| Strips::new(3, width))
    }

    #[inline]
    pub(crate) fn worth(&self, free: u32) -> Value {
        Value(i32::from(self.0[free as usize]))
    }

    fn new(rows: u32, width: u32) -> Strips {
        // Without a switch, with one, and with two that differ: each rests on those before it.
        let none = with_switches(rows, width, &[]);
        let mut best: Vec<Value> = none.iter().map(|w| Value::new(w.number(), 0)).collect();
        let mut take = |table: &[Wins], switches: u8| {
            for (best, wins) in best.iter_mut().zip(table) {
                if wins.number() > best.number() {
                    *best = Value::new(wins.number(), switches);
                }
            }
        };
        let one: Vec<Vec<Wins>> =
            SIZES.iter().map(|&y| with_switches(rows, width, &[(y, &none)])).collect();
        for (i, table) in one.iter().enumerate() {
            take(table, 1 << i);
        }
        for i in 0..SIZES.len() {
            for j in 0..i {
                let without = [(SIZES[i], &one[j]), (SIZES[j], &one[i])];
                take(&with_switches(rows, width, &without), 1 << i | 1 << j);
            }
        }
        let packed = |value: Value| i16::try_from(value.0).expect("a strip is worth few moves");
        Strips(best.into_iter().map(packed).collect())
    }
}

/// Who wins each strip plus some switches minus a number. For each switch: its size, and the
/// same question without it.
fn with_switches(rows: u32, width: u32, switches: &[(i32, &Vec<Wins>)]) -> Vec<Wins> {
    let row = u32::MAX >> (32 - width);
    let not_last = (0..rows).fold(0, |cells, r| cells | (row >> 1) << (r * width));
    let mut table: Vec<Wins> = Vec::with_capacity(1 << (rows * width));
    // A move leaves fewer free cells, and that is a smaller number.
    for free in 0..1u32 << (rows * width) {
        let (mut second, mut first) = (FAR, -FAR);
        for &(size, without) in switches {
            second = second.min(without[free as usize].first - 2 * size as i16);
            first = first.max(without[free as usize].second + 2 * size as i16);
        }
        for cell in u64::from(free & free >> width).cells() {
            let left = free & !(1 << cell | 1 << (cell + width));
            first = first.max(table[left as usize].second);
        }
        for cell in u64::from(free & free >> 1 & not_last).cells() {
            let left = free & !(3 << cell);
            second = second.min(table[left as usize].first);
        }
        table.push(Wins::new(second, first));
    }
    table
}

/// Whether the player to move wins, if the rule can tell. `free` are the cells that nothing
/// covers.
pub fn mover_wins<W: Word>(grid: &Grid<W>, free: W, vertical_moves: bool) -> Option<bool> {
    if vertical(grid, free, vertical_moves).is_some_and(|left| left > 0) {
        Some(vertical_moves)
    } else if horizontal(grid, free, !vertical_moves).is_some_and(|left| left > 0) {
        Some(!vertical_moves)
    } else {
        None
    }
}

/// Whether the rule says that this player wins, who has just moved.
#[inline]
pub fn has_won<W: Word>(grid: &Grid<W>, free: W, vertical_moved: bool) -> bool {
    let left =
        if vertical_moved { vertical(grid, free, false) } else { horizontal(grid, free, false) };
    left.is_some_and(|left| left > 0)
}

/// By how much Vertical is ahead, in 32nds of a move: how little is missing until
/// [`mover_wins`] says that Vertical wins, less the same for Horizontal. This is an estimate
/// only; 0 when the board is too large for the rule.
pub fn balance<W: Word>(grid: &Grid<W>, free: W, vertical_moves: bool) -> i32 {
    let vertical = vertical(grid, free, vertical_moves);
    let horizontal = horizontal(grid, free, !vertical_moves);
    vertical.zip(horizontal).map_or(0, |(vertical, horizontal)| vertical - horizontal)
}

/// What Vertical has left for sure, moving first or second.
#[inline]
fn vertical<W: Word>(grid: &Grid<W>, free: W, first: bool) -> Option<i32> {
    let row = u64::MAX >> (64 - grid.cols.min(MAX_WIDTH));
    let row = |r| ((free >> (r * grid.cols)).low() & row) as u32;
    left(grid.cols, grid.rows, row, first)
}

/// What Horizontal has left for sure, moving first or second.
#[inline]
fn horizontal<W: Word>(grid: &Grid<W>, free: W, first: bool) -> Option<i32> {
    if grid.rows.max(grid.cols) <= 8 {
        let turned = turned(grid, free);
        left(grid.rows, grid.cols, |c| (turned >> (8 * c) & 255) as u32, first)
    } else {
        let bit = |r, c| ((free >> (r * grid.cols + c)).low() & 1) as u32;
        let column = |c| (0..grid.rows).fold(0, |column, r| column | bit(r, c) << r);
        left(grid.rows, grid.cols, column, first)
    }
}

/// The columns of a board of at most 8 rows and columns, 8 bits each.
#[inline]
fn turned<W: Word>(grid: &Grid<W>, cells: W) -> u64 {
    let row = u64::MAX >> (64 - grid.cols);
    let mut x = 0;
    for r in 0..grid.rows {
        x |= ((cells >> (r * grid.cols)).low() & row) << (8 * r);
    }
    // Exchanges the two corners off the diagonal, of ever larger squares (H. Warren, Hacker's
    // Delight, 7-3).
    for (shift, corner) in
        [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)]
    {
        let t = (x ^ x >> shift) & corner;
        x ^= t ^ t << shift;
    }
    x
}

/// How much may be missing, in 32nds of a move, for a closer look to be worth its while.
pub(crate) const NEAR: i32 = UNIT;

/// What is left of the best sum of strips, for rows of free cells, or nothing if they are too
/// wide.
#[inline]
fn left(width: u32, rows: u32, row: impl Fn(u32) -> u32, first: bool) -> Option<i32> {
    let board = Board::new(width, first)?;
    let mut forget = |_, _, _| ();
    let whole = board.sum(Value::ZERO, width, rows, &row, &mut forget).left(first);
    if !(-NEAR..=0).contains(&whole) {
        return Some(whole);
    }
    let parts = board.all_parts(rows, row, &mut forget);
    Some(parts.map_or(whole, |parts| whole.max(parts.left(first))))
}

/// What is the same for all strips of a board.
pub(crate) struct Board {
    /// For strips of one and two rows.
    pub(crate) pairs: &'static Strips,
    triples: &'static Strips,
    /// The width of strips of three rows.
    narrow: u32,
    pub(crate) width: u32,
    /// Whether Vertical moves first.
    pub(crate) first: bool,
}

impl Board {
    /// Nothing if the rows are too wide.
    #[inline]
    pub(crate) fn new(width: u32, first: bool) -> Option<Board> {
        let (pairs, narrow) = (Strips::pairs(width)?, width.min(NARROW));
        Some(Board { pairs, triples: Strips::triples(narrow), narrow, width, first })
    }

    /// The best sum of strips for some rows, of which at most `wide` columns are free, added to
    /// what there is already. `note` hears of each row, and of the height of the strip that is best
    /// to end with it.
    #[inline]
    pub(crate) fn sum(
        &self,
        start: Value,
        wide: u32,
        rows: u32,
        row: impl Fn(u32) -> u32,
        note: &mut impl FnMut(u32, u32, u8),
    ) -> Value {
        let (mut lowest, mut below) = (0, 0);
        // The best sums of all rows but the last three, the last two and the last one.
        let mut sums = [start; 3];
        for r in 0..rows {
            let this = row(r);
            let mut best = sums[2].plus(self.pairs.worth(this));
            let mut most = best.left(self.first);
            let mut height = 1;
            let mut offer = |sum: Value, rows: u8| {
                let left = sum.left(self.first);
                if left > most {
                    (best, most, height) = (sum, left, rows);
                }
            };
            // A strip is better than its rows only if Vertical can use the lines in it.
            if this & below != 0 {
                offer(sums[1].plus(self.pairs.worth(below | this << self.width)), 2);
                if below & lowest != 0
                    && let Some(worth) = self.triple(wide, [lowest, below, this])
                {
                    offer(sums[0].plus(worth), 3);
                }
            }
            note(r, this, height);
            sums = [sums[1], sums[2], best];
            (lowest, below) = (below, this);
        }
        sums[2]
    }

    /// The sum of the parts of a board that do not touch, each cut into strips in its own way, or
    /// nothing if the board is too large.
    #[inline]
    pub(crate) fn all_parts(
        &self,
        rows: u32,
        row: impl Fn(u32) -> u32,
        note: &mut impl FnMut(u32, u32, u8),
    ) -> Option<Value> {
        match self.width.max(rows) {
            0..=8 => Some(self.parts::<u64, 8>(rows, row, note)),
            9..=11 => Some(self.parts::<u128, 11>(rows, row, note)),
            _ => None,
        }
    }

    /// The same for a board of at most `SIDE` rows and columns; the word fits them all.
    fn parts<W: Word, const SIDE: u32>(
        &self,
        rows: u32,
        row: impl Fn(u32) -> u32,
        note: &mut impl FnMut(u32, u32, u8),
    ) -> Value {
        let first = (0..SIDE).fold(W::ZERO, |column, r| column | W::bit(SIDE * r));
        let last = first << (SIDE - 1);
        let around = |x: W| (x & !last) << 1 | (x & !first) >> 1 | x << SIDE | x >> SIDE;
        let row_of = |x: W, r: u32| ((x >> (SIDE * r)).low() & ((1 << SIDE) - 1)) as u32;
        let cells =
            (0..rows).fold(W::ZERO, |all, r| all | W::from(u64::from(row(r))) << (SIDE * r));
        let mut total = Value::ZERO;
        // Nobody can use a single cell.
        let mut rest = cells & around(cells);
        while !rest.is_empty() {
            let mut part = W::bit(rest.lowest());
            loop {
                let more = part | (around(part) & rest);
                if more == part {
                    break;
                }
                part = more;
            }
            rest = rest & !part;
            // Into the corner: there a strip is as narrow as can be.
            part = part >> (part.lowest() / SIDE * SIDE);
            let columns = (0..SIDE).fold(0, |columns, r| columns | row_of(part, r));
            part = part >> columns.trailing_zeros();
            let wide = columns.ilog2() - columns.trailing_zeros() + 1;
            let rows = (0..SIDE).take_while(|&r| row_of(part, r) != 0).count() as u32;
            total = self.sum(total, wide, rows, |r| row_of(part, r), note);
        }
        total
    }

    /// What three rows are worth, if they are narrow or can be cut.
    #[inline]
    pub(crate) fn triple(&self, width: u32, rows: [u32; 3]) -> Option<Value> {
        let narrow = (1 << self.narrow) - 1;
        let piece = |from: u32, columns: u32| {
            let [a, b, c] = rows.map(|row| row >> from & columns);
            self.triples.worth(a | b << self.narrow | c << (2 * self.narrow))
        };
        if width <= self.narrow {
            return Some(piece(0, narrow));
        }
        // Bit c: a flat domino can lie on the columns c and c + 1.
        let crossed = rows.iter().fold(0, |all, row| all | (row & row >> 1));
        // Both pieces must be narrow.
        let cuts = !crossed & narrow & u32::MAX << (width - self.narrow - 1);
        if cuts == 0 {
            return None;
        }
        let cut = cuts.trailing_zeros() + 1;
        Some(piece(0, (1 << cut) - 1).plus(piece(cut, narrow)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use foregone_model::Rng;

    use super::*;

    /// For every set of free cells, whether Vertical and Horizontal win, moving first.
    fn solved(rows: u32, cols: u32) -> Vec<[bool; 2]> {
        let grid: Grid<u64> = Grid::new(rows, cols);
        let mut table: Vec<[bool; 2]> = Vec::with_capacity(1 << (rows * cols));
        for free in 0..1u64 << (rows * cols) {
            let upright = free & grid.south(free);
            let flat = free & grid.west(free);
            let left = |domino: u64| (free & !domino) as usize;
            table.push([
                upright.cells().any(|c| !table[left(1 << c | 1 << (c + cols))][1]),
                flat.cells().any(|c| !table[left(3 << c)][0]),
            ]);
        }
        table
    }

    /// Compares with trying everything; counts the positions that the rule tells of.
    fn agrees(rows: u32, cols: u32, told_percent: usize) {
        let (small, large): (Grid<u64>, Grid<u128>) =
            (Grid::new(rows, cols), Grid::new(rows, cols));
        let mut told = 0;
        let table = solved(rows, cols);
        for (free, wins) in table.iter().enumerate() {
            for (mover, &wins) in wins.iter().enumerate() {
                let found = mover_wins(&small, free as u64, mover == 0);
                assert_eq!(mover_wins(&large, free as u128, mover == 0), found);
                assert_eq!(has_won(&small, free as u64, mover != 0), found == Some(false));
                if let Some(found) = found {
                    assert_eq!(found, wins, "{rows}x{cols}: {free:b}, mover {mover}");
                    told += 1;
                }
            }
        }
        let all = 2 * table.len();
        assert!(told * 100 >= all * told_percent, "{rows}x{cols}: {told} of {all}");
    }

    #[test]
    fn agrees_with_trying_everything_on_all_positions() {
        for (rows, cols, told_percent) in [
            (4, 4, 95),
            (5, 3, 95),
            (3, 5, 95),
            (2, 8, 95),
            (8, 2, 95),
            (2, 7, 95),
            (7, 2, 95),
            (3, 4, 95),
            (4, 3, 95),
            (1, 8, 99),
            (8, 1, 99),
            (6, 3, 95),
            (2, 9, 95),
            (9, 2, 95),
        ] {
            agrees(rows, cols, told_percent);
        }
    }

    #[test]
    fn large_boards_are_left_alone() {
        for (rows, cols) in [(11, 11), (10, 12), (11, 10)] {
            let grid: Grid<u128> = Grid::new(rows, cols);
            assert_eq!(mover_wins(&grid, grid.full, true), None);
            assert_eq!(balance(&grid, grid.full, true), 0);
        }
        // One side is narrow: that player alone can be seen to win.
        for (rows, cols, winner) in [(64, 1, true), (1, 64, false), (16, 3, true), (3, 16, false)] {
            let grid: Grid<u64> = Grid::new(rows, cols);
            assert_eq!(mover_wins(&grid, grid.full, true), Some(winner), "{rows}x{cols}");
            assert_eq!(balance(&grid, grid.full, true), 0);
        }
    }

    #[test]
    fn all_tables_can_be_made() {
        for width in 1..=MAX_WIDTH {
            let pairs = Strips::pairs(width).unwrap();
            // One row is what Horizontal can place on it.
            for row in 0..1u32 << width {
                let runs = (0..width).fold((0, 0), |(run, dominoes), c| {
                    let run = if row >> c & 1 == 1 { run + 1 } else { 0 };
                    (run, dominoes + i32::from(run > 0 && run % 2 == 0))
                });
                assert_eq!(pairs.worth(row), Value::new(-runs.1 * UNIT, 0));
                assert_eq!(pairs.worth(row << width), Value::new(-runs.1 * UNIT, 0));
            }
        }
        // A square of four cells is `± 1`, and so is a protective area.
        assert_eq!(Strips::pairs(2).unwrap().worth(0b1111), Value::new(0, 1 << 4));
    }

    #[test]
    fn agrees_with_trying_everything_on_random_positions() {
        let mut rng = Rng::new(9);
        let wide = [(4, 9), (9, 4), (3, 10), (10, 3), (3, 11), (11, 3)];
        for (rows, cols) in [(6, 5), (5, 6), (4, 8), (8, 4), (5, 7)].into_iter().chain(wide) {
            let grid: Grid<u64> = Grid::new(rows, cols);
            let mut memo = HashMap::new();
            let mut told = 0;
            for i in 0..200 {
                // Three cells of four are free, or one of two.
                let free = (rng.bits() | if i % 2 == 0 { rng.bits() } else { 0 }) & grid.full;
                for vertical in [true, false] {
                    if let Some(found) = mover_wins(&grid, free, vertical) {
                        let wins = solve(&grid, free, vertical, &mut memo);
                        assert_eq!(found, wins, "{rows}x{cols}: {free:b}, vertical {vertical}");
                        told += 1;
                    }
                }
            }
            assert!(told > 250, "{rows}x{cols}: {told} of 400");
        }
    }

    fn solve(
        grid: &Grid<u64>,
        free: u64,
        vertical: bool,
        memo: &mut HashMap<(u64, bool), bool>,
    ) -> bool {
        if let Some(&wins) = memo.get(&(free, vertical)) {
            return wins;
        }
        let places = if vertical { free & grid.south(free) } else { free & grid.west(free) };
        let wins = places.cells().any(|c| {
            let domino = if vertical { 1 << c | 1 << (c + grid.cols) } else { 3 << c };
            !solve(grid, free & !domino, !vertical, memo)
        });
        memo.insert((free, vertical), wins);
        wins
    }

    #[test]
    fn boards_are_solved_at_once() {
        // Vertical, who moves first, wins these empty boards (Breuker et al., table 2), or not.
        for (rows, cols, wins) in
            [(6, 6, true), (8, 7, true), (7, 6, false), (8, 9, true), (9, 8, false)]
        {
            let grid: Grid<u128> = Grid::new(rows, cols);
            assert_eq!(mover_wins(&grid, grid.full, true), Some(wins), "{rows}x{cols}");
        }
    }
}
