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
//! * Let Vertical promise to use each run of free cells of a row in one direction only: together
//!   with the row above it or with the row below it. Flat dominoes lie in one run. So the board
//!   falls apart into strips of two rows, and Vertical, who gave up moves, is worse off: the
//!   board is worth at least the sum of the strips. A run that looks to where nothing is free is
//!   a number of moves for Horizontal and nothing else.
//! * A table tells of every strip of two rows a number `x` and a few switches `± y` such that the
//!   strip is worth at least their sum (*On Numbers and Games*, chapters 7 to 9). The table holds
//!   the best such sum, by induction over all strips, so a safe move counts 1, a protective area
//!   `± 1`, and so on, without any case being named.
//! * Sums of numbers and switches are easy: equal switches cancel, the players take the others in
//!   turn, the largest first, and then the number decides.
//! * Which promise is best is found row by row.
//!
//! For Horizontal the board is turned over its diagonal.

use std::sync::OnceLock;

use crate::board::{Grid, Word};

/// The name of the rule.
pub const RULE: &str = "safe-moves";

/// The widest strip that has a table, of `4^MAX_WIDTH` entries.
const MAX_WIDTH: u32 = 8;

/// Numbers are counted in these parts of a move. Finer ones do not come up.
const UNIT: i32 = 1024;

/// Switches `± y` have one of these sizes. A set of them is a mask of 8 bits, since equal
/// switches cancel.
const SIZES: [i32; 8] =
    [UNIT / 4, UNIT / 2, UNIT * 3 / 4, UNIT, UNIT * 5 / 4, UNIT * 3 / 2, UNIT * 7 / 4, UNIT * 2];

/// A number and a set of switches: the number times 256, plus the mask of the switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Value(i32);

impl Value {
    const ZERO: Value = Value(0);

    fn new(number: i32, switches: u8) -> Value {
        Value(number << 8 | i32::from(switches))
    }

    #[inline]
    fn number(self) -> i32 {
        self.0 >> 8
    }

    #[inline]
    fn switches(self) -> usize {
        (self.0 & 255) as usize
    }

    #[inline]
    fn plus(self, other: Value) -> Value {
        Value(((self.0 & !255) + (other.0 & !255)) | ((self.0 ^ other.0) & 255))
    }

    /// What is left when both have taken the switches in turn, twice; one more when whoever took
    /// no switch first is to move then. The player with this value wins when it is positive.
    #[inline]
    fn left(self, first: bool) -> i32 {
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

/// For each set of free cells of a strip, the lower row in the low bits, what it is worth to
/// Vertical at least.
struct Strips {
    worth: Box<[Value]>,
}

/// For which numbers `x` Vertical wins a game minus `x`, moving second and moving first: those
/// with `2 x` below these.
#[derive(Clone, Copy)]
struct Wins {
    second: i32,
    first: i32,
}

/// Beyond all numbers.
const FAR: i32 = 1 << 28;

impl Wins {
    /// From the best over the options of Vertical and of Horizontal. By the number avoidance
    /// theorem nobody needs to move in `x`, unless the game is itself a number; and by the
    /// simplicity theorem it is one when any number is won by neither first player, the simplest
    /// of those.
    fn new(second: i32, first: i32) -> Wins {
        if first >= second {
            return Wins { second, first };
        }
        let least = (first + 1).div_euclid(2).max(-FAR / 2);
        let most = (second - 1).div_euclid(2).min(FAR / 2);
        let x = 2 * simplest(least, most);
        Wins { second: x + 1, first: x }
    }

    /// The largest number that Vertical can do without and win moving second.
    fn number(self) -> i32 {
        (self.second - 1).div_euclid(2)
    }
}

/// The simplest number in an interval: 0, else the integer nearest to 0, else the one with the
/// least denominator.
fn simplest(least: i32, most: i32) -> i32 {
    if least <= 0 && most >= 0 {
        return 0;
    }
    if most < 0 {
        return -simplest(-most, -least);
    }
    let mut step = UNIT;
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
    /// The table for strips of this width.
    fn of(width: u32) -> Option<&'static Strips> {
        static TABLES: [OnceLock<Strips>; MAX_WIDTH as usize] =
            [const { OnceLock::new() }; MAX_WIDTH as usize];
        let table = TABLES.get(width as usize - 1)?;
        Some(table.get_or_init(|| Strips::new(width)))
    }

    fn new(width: u32) -> Strips {
        // Without a switch, with one, and with two that differ: each rests on those before it.
        let none = with_switches(width, &[]);
        let mut best: Vec<Value> = none.iter().map(|w| Value::new(w.number(), 0)).collect();
        let mut take = |tables: &[Wins], switches: u8| {
            for (best, wins) in best.iter_mut().zip(tables) {
                // A switch is worth its while when it saves more than a shade of a move.
                if wins.number() > best.number() + 1 {
                    *best = Value::new(wins.number(), switches);
                }
            }
        };
        let one: Vec<Vec<Wins>> =
            SIZES.iter().map(|&y| with_switches(width, &[(y, &none)])).collect();
        for (i, table) in one.iter().enumerate() {
            take(table, 1 << i);
        }
        for i in 0..SIZES.len() {
            for j in 0..i {
                let two = with_switches(width, &[(SIZES[i], &one[j]), (SIZES[j], &one[i])]);
                take(&two, 1 << i | 1 << j);
            }
        }
        Strips { worth: best.into_boxed_slice() }
    }
}

/// Who wins each strip plus some switches minus a number. For each switch: its size, and the
/// same question without it.
fn with_switches(width: u32, switches: &[(i32, &Vec<Wins>)]) -> Vec<Wins> {
    let row = u32::MAX >> (32 - width);
    let not_last = row >> 1 | (row >> 1) << width;
    let mut table: Vec<Wins> = Vec::with_capacity(1 << (2 * width));
    // A move leaves fewer free cells, and that is a smaller number.
    for free in 0..1u32 << (2 * width) {
        let (mut second, mut first) = (FAR, -FAR);
        for &(size, without) in switches {
            second = second.min(without[free as usize].first - 2 * size);
            first = first.max(without[free as usize].second + 2 * size);
        }
        for cell in u64::from(free & free >> width & row).cells() {
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

/// How many runs of a row choose their direction by themselves; the others follow the last one.
const CHOICES: usize = 3;

/// Whether the player to move wins, if the rule can tell. `free` are the cells that nothing
/// covers.
pub fn mover_wins<W: Word>(grid: &Grid<W>, free: W, vertical_moves: bool) -> Option<bool> {
    if vertical_wins(grid, free, vertical_moves) {
        Some(vertical_moves)
    } else if horizontal_wins(grid, free, !vertical_moves) {
        Some(!vertical_moves)
    } else {
        None
    }
}

#[inline]
fn vertical_wins<W: Word>(grid: &Grid<W>, free: W, first: bool) -> bool {
    let Some(strips) = Strips::of(grid.cols) else {
        return false;
    };
    let row = u64::MAX >> (64 - grid.cols);
    let row = |r| ((free >> (r * grid.cols)).low() & row) as u32;
    strips.wins(grid.cols, grid.rows, row, first)
}

#[inline]
fn horizontal_wins<W: Word>(grid: &Grid<W>, free: W, first: bool) -> bool {
    let Some(strips) = Strips::of(grid.rows) else {
        return false;
    };
    if grid.cols <= 8 {
        let turned = turned(grid, free);
        let column = |c| (turned >> (8 * c) & 255) as u32;
        strips.wins(grid.rows, grid.cols, column, first)
    } else {
        let bit = |r, c| ((free >> (r * grid.cols + c)).low() & 1) as u32;
        let column = |c| (0..grid.rows).fold(0, |column, r| column | bit(r, c) << r);
        strips.wins(grid.rows, grid.cols, column, first)
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

impl Strips {
    /// Whether Vertical wins, moving first or second, a board of rows of this width.
    ///
    /// Row by row, for each choice of the runs that look up, the best sum of the strips below.
    #[inline]
    fn wins(&self, width: u32, rows: u32, row: impl Fn(u32) -> u32, first: bool) -> bool {
        let mut ways = [(0, Value::ZERO); 1 << CHOICES];
        let mut count = 1;
        let (mut below, mut this) = (0, row(0));
        for r in 1..=rows {
            let above = if r < rows { row(r) } else { 0 };
            let (looks, n) = looks_up(this, below, above);
            let mut next = [(0, Value::ZERO); 1 << CHOICES];
            for (&up, next) in looks[..n].iter().zip(&mut next) {
                let down = (this & !up) << width;
                let sum = |&(under, value): &(u32, Value)| {
                    value.plus(self.worth[(under | down) as usize])
                };
                let mut best = sum(&ways[0]);
                for way in &ways[1..count] {
                    let other = sum(way);
                    if other.left(first) > best.left(first) {
                        best = other;
                    }
                }
                *next = (up, best);
            }
            (ways, count) = (next, n);
            (below, this) = (this, above);
        }
        ways[0].1.left(first) > 0
    }
}

/// The sets of runs of a row that may look up, and how many sets there are.
#[inline]
fn looks_up(this: u32, below: u32, above: u32) -> ([u32; 1 << CHOICES], usize) {
    let mut both = [0; CHOICES];
    let mut count = 0;
    let mut always = 0;
    let mut rest = this;
    while rest != 0 {
        let lowest = rest & rest.wrapping_neg();
        let run = rest & !(rest + lowest);
        rest &= !run;
        // Where Vertical has nothing to lose there is nothing to choose.
        if run & above == 0 {
            continue;
        }
        if run & below == 0 {
            always |= run;
        } else if count < CHOICES {
            both[count] = run;
            count += 1;
        } else {
            both[CHOICES - 1] |= run;
        }
    }
    let mut sets = [always; 1 << CHOICES];
    for (i, &run) in both[..count].iter().enumerate() {
        for set in 0..1 << i {
            sets[set | 1 << i] = sets[set] | run;
        }
    }
    (sets, 1 << count)
}

#[cfg(test)]
mod tests {
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

    #[test]
    fn agrees_with_trying_everything_on_all_positions() {
        for (rows, cols, percent) in [
            (4, 4, 68),
            (5, 3, 68),
            (3, 5, 68),
            (2, 8, 70),
            (8, 2, 70),
            (2, 7, 70),
            (7, 2, 70),
            (3, 4, 70),
            (4, 3, 70),
            (1, 12, 90),
            (12, 1, 90),
        ] {
            let grid: Grid<u64> = Grid::new(rows, cols);
            let mut told = 0;
            let table = solved(rows, cols);
            for (free, wins) in table.iter().enumerate() {
                for (mover, &wins) in wins.iter().enumerate() {
                    if let Some(found) = mover_wins(&grid, free as u64, mover == 0) {
                        assert_eq!(found, wins, "{rows}x{cols}: {free:b}, mover {mover}");
                        told += 1;
                    }
                }
            }
            let least = percent * 2 * table.len() / 100;
            assert!(told >= least, "{rows}x{cols}: {told} of {}", 2 * table.len());
        }
    }
}
