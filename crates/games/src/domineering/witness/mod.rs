//! Whether a cut of the board shows that a player wins Domineering: the check of `safe-moves`.
//!
//! This file shares nothing with the one that finds cuts. Who wants to believe a proof reads this
//! one. It looks at the prover as Vertical: for Horizontal rows and columns change places.
//!
//! **What a reason says.** How to cut the board into strips: in pairs of rows, from the first row
//! on. What is not a pair is written: `t` three rows, `s` a single row, each with a number before it
//! if there are pairs between. So `2ts` is two pairs, three rows, a single row, and pairs for the
//! rest. With `/` each part of the board that does not touch the others has a cut of its own, in the
//! order of their first cells, row by row; what is missing at the end are pairs: `/t` is pairs in
//! the first part, and in the second one three rows first. A strip of three rows that is wider than
//! six columns is cut once more, between the first two columns that leave no more than six on
//! either side and that no flat domino can cross; there must be such a place.
//!
//! **Why that shows a win.** Left is Vertical, the prover; Right is Horizontal.
//!
//! 1. A flat domino always lies in a single strip, so cutting takes moves from Left alone. She
//!    plays as if these moves were not allowed, and so the board is worth at least the sum of the
//!    strips: if she wins the sum, she wins the board.
//! 2. `G >= H` means that Left, moving second, wins `G - H`. If `G >= H` and `G' >= H'` then
//!    `G + G' >= H + H'`, and who wins `H` as Left wins `G`, moving first as well as second (J. H.
//!    Conway, *On Numbers and Games*, 1976, chapters 0 and 7).
//! 3. For each strip a table has a number `x` and at most two switches `± y` such that the strip is
//!    worth at least their sum. `Best` says how these are found: by playing.
//! 4. Numbers add up. A switch is its own negative, so two equal ones are worth nothing together.
//!    Who wins a number plus switches that differ is found by playing, too.

use std::sync::{LazyLock, OnceLock};

use foregone_model::{Outcome, Side};

/// The longest line of strips. Boards have no more cells.
const MOST_LINES: usize = 128;

/// The widest strip of one or two rows.
const WIDEST: usize = 10;

/// The widest strip of three rows.
const NARROW: usize = 6;

/// Numbers are counted in sixteenths.
const UNIT: i16 = 16;

/// The sizes of switches, in sixteenths. Left takes `± y` and has a number `y`, or Right takes it
/// and Left has `- y`.
const SIZES: [i16; 7] = [0, 4, 8, 12, 16, 20, 24];

/// Beyond all numbers that come up.
const FAR: i16 = 1 << 12;

/// Whether the reason shows that the prover wins. `is_free` tells of a row and a column whether
/// nothing covers that cell. The answer is right for every set of free cells, also if the game is
/// over.
pub fn confirms(
    [rows, cols]: [u32; 2],
    is_free: impl Fn(u32, u32) -> bool,
    to_move: Side,
    prover: Side,
    at_least: Outcome,
    reason: &str,
) -> bool {
    let (lines, width) = if prover == Side::Max { (rows, cols) } else { (cols, rows) };
    let fits = (1..=WIDEST as u32).contains(&width) && lines <= MOST_LINES as u32;
    if at_least != Outcome::WIN || !fits {
        return false;
    }
    let mut board = [0; MOST_LINES];
    let board = &mut board[..lines as usize];
    for (line, cells) in (0..).zip(board.iter_mut()) {
        for place in 0..width {
            let free =
                if prover == Side::Max { is_free(line, place) } else { is_free(place, line) };
            *cells |= u32::from(free) << place;
        }
    }
    let width = width as usize;
    let worth = if reason.contains('/') {
        of_parts(board, width, reason)
    } else {
        of_strips(board, width, width, reason)
    };
    worth.is_some_and(|worth| worth.wins(to_move == prover))
}

/// A number in sixteenths and a set of switches, bit `i` for `± SIZES[i]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Worth {
    number: i32,
    switches: u8,
}

impl Worth {
    const ZERO: Worth = Worth { number: 0, switches: 0 };

    fn plus(self, other: Worth) -> Worth {
        Worth { number: self.number + other.number, switches: self.switches ^ other.switches }
    }

    /// Whether Left wins, moving first or second.
    fn wins(self, first: bool) -> bool {
        // With `- x` beside the switches, which is the number.
        let best = SWITCHES[usize::from(self.switches)];
        -self.number <= i32::from(if first { best.first } else { best.second })
    }
}

/// The sum of the strips into which a word cuts these lines, `columns` wide. `width` is that of the
/// whole board: no more tables are made than it needs.
fn of_strips(mut lines: &[u32], columns: usize, width: usize, word: &str) -> Option<Worth> {
    let mut sum = Worth::ZERO;
    let mut pairs = 0;
    for letter in word.bytes() {
        if letter.is_ascii_digit() {
            pairs = 10 * pairs + usize::from(letter - b'0');
            if !(1..=MOST_LINES).contains(&pairs) {
                return None;
            }
            continue;
        }
        for _ in 0..std::mem::take(&mut pairs) {
            sum = sum.plus(of_next(2, &mut lines, columns, width)?);
        }
        let height = match letter {
            b's' => 1,
            b't' => 3,
            _ => return None,
        };
        sum = sum.plus(of_next(height, &mut lines, columns, width)?);
    }
    // The rest in pairs, and a single line if one is left.
    while !lines.is_empty() {
        sum = sum.plus(of_next(lines.len().min(2), &mut lines, columns, width)?);
    }
    // A number stands before a letter.
    (pairs == 0).then_some(sum)
}

/// What the next strip of so many lines is worth, which is then behind us.
fn of_next(height: usize, lines: &mut &[u32], columns: usize, width: usize) -> Option<Worth> {
    let (strip, rest) = lines.split_at_checked(height)?;
    *lines = rest;
    match *strip {
        [a] => Some(table(2, width)?.get(a)),
        [a, b] => Some(table(2, width)?.get(a | b << width)),
        [a, b, c] => of_three([a, b, c], columns, width),
        _ => None,
    }
}

/// What three lines are worth, in one piece or in two.
fn of_three(lines: [u32; 3], columns: usize, width: usize) -> Option<Worth> {
    let narrow = width.min(NARROW);
    let piece = |from: usize, to: usize| {
        let [a, b, c] = lines.map(|line| line >> from & ((1 << (to - from)) - 1));
        Some(table(3, narrow)?.get(a | b << narrow | c << (2 * narrow)))
    };
    if columns <= narrow {
        return piece(0, columns);
    }
    let crossed = |at: usize| lines.iter().any(|line| line >> (at - 1) & 3 == 3);
    let cut = (columns - narrow..=narrow).find(|&at| !crossed(at))?;
    Some(piece(0, cut)?.plus(piece(cut, columns)?))
}

/// The sum of the parts of the board, each cut by its own word. The board is used up.
fn of_parts(board: &mut [u32], width: usize, reason: &str) -> Option<Worth> {
    let mut words = reason.split('/');
    let mut sum = Worth::ZERO;
    while let Some(start) = board.iter().position(|&line| line != 0) {
        // Step 1: from its first cell on, all cells that touch.
        let mut part = [0; MOST_LINES];
        part[start] = board[start] & board[start].wrapping_neg();
        let mut grows = true;
        while grows {
            grows = false;
            for line in start..board.len() {
                let mut near = part[line] | part[line] << 1 | part[line] >> 1;
                near |= if line > 0 { part[line - 1] } else { 0 };
                near |= if line + 1 < board.len() { part[line + 1] } else { 0 };
                let more = near & board[line];
                grows |= more != part[line];
                part[line] = more;
            }
        }
        // Step 2: away from the board and into the corner.
        let mut columns = 0;
        let mut lines = 0;
        for line in start..board.len() {
            board[line] &= !part[line];
            columns |= part[line];
            lines += usize::from(part[line] != 0);
        }
        let part = &mut part[start..start + lines];
        for line in part.iter_mut() {
            *line >>= columns.trailing_zeros();
        }
        columns >>= columns.trailing_zeros();
        // Step 3: nobody can use a single cell, and no word is spent on it.
        if lines > 1 || columns > 1 {
            let columns = columns.ilog2() as usize + 1;
            sum = sum.plus(of_strips(part, columns, width, words.next().unwrap_or(""))?);
        }
    }
    words.all(str::is_empty).then_some(sum)
}

/// Which numbers `x`, in sixteenths, are small enough for Left to win a game `G - x`.
///
/// If Left wins with some `x`, she wins with a smaller one, which is better for her. So the largest
/// say it all. They follow from those after each move. Left's moves in `G` alone let her win, when
/// she begins, with every `x` up to the best that a move leaves for her as second; Right's moves
/// let her win, when he begins, with every `x` up to the worst that a move leaves for her as first.
/// Besides, both may move in `x`: Left to a simpler number above `x`, Right to a simpler one below.
/// Let `a` and `b` be the two without such moves.
///
/// * If `a >= b` they change nothing. Left wins no `x > a` by moving to a number above, since as
///   second she wins none above `b`. Right wins no `x <= b` by moving to one below, since as first
///   she wins all up to `a`.
/// * If `a < b`, take the simplest `x` with `a < x <= b`, so that nobody can move to another one in
///   between. Left, to begin, loses: by a move in `G` since `x > a`, and by a move in `x` since that
///   leads above `b`. Right loses alike. So whoever begins `G - x` loses, that is, `G = x`, and for
///   other numbers the larger one wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Best {
    /// If Left moves first, with numbers up to this one.
    first: i16,
    /// If Left moves second.
    second: i16,
}

impl Best {
    /// From what moves in the game alone leave: `a` as `first` and `b` as `second`.
    fn settled(self) -> Best {
        if self.first >= self.second {
            return self;
        }
        // Down the tree of all numbers: 0, then the integers, then halves of what is left.
        let (mut below, mut above) = (None, None);
        let mut x = 0;
        loop {
            if x <= self.first {
                below = Some(x);
                x = above.map_or(x + UNIT, |above: i16| (x + above) / 2);
            } else if x > self.second {
                above = Some(x);
                x = below.map_or(x - UNIT, |below: i16| (x + below) / 2);
            } else {
                return Best { first: x - 1, second: x };
            }
        }
    }
}

/// For each set of switches, played in every order.
static SWITCHES: LazyLock<[Best; 1 << SIZES.len()]> = LazyLock::new(|| {
    let mut table = [Best { first: 0, second: 0 }; 1 << SIZES.len()];
    for set in 0..table.len() {
        let mut best = Best { first: -FAR, second: FAR };
        for (i, size) in SIZES.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1) {
            let without = table[set & !(1 << i)];
            best.first = best.first.max(without.second + size);
            best.second = best.second.min(without.first - size);
        }
        table[set] = best.settled();
    }
    table
});

/// What each strip of some size is worth to Left at least, by its free cells: the first row in the
/// lowest bits. Number and switches of an entry are packed into 16 bits.
struct Table(Vec<i16>);

impl Table {
    fn get(&self, free: u32) -> Worth {
        let packed = i32::from(self.0[free as usize]);
        Worth { number: packed >> 8, switches: packed as u8 }
    }
}

/// The table for strips of two or three rows, if there is one. Made when it is first needed, a third
/// of a second for the widest.
fn table(rows: usize, width: usize) -> Option<&'static Table> {
    static PAIRS: [OnceLock<Table>; WIDEST] = [const { OnceLock::new() }; WIDEST];
    static THREES: [OnceLock<Table>; NARROW] = [const { OnceLock::new() }; NARROW];
    let tables: &[OnceLock<Table>] = if rows == 2 { &PAIRS } else { &THREES };
    let table = tables.get(width.checked_sub(1)?)?;
    Some(table.get_or_init(|| Table(best_worths(rows, width))))
}

/// A strip alone, and with one switch of each size: [`SIZES`] with nothing before them.
const LANES: usize = 1 + SIZES.len();

/// [`Best`] for each of these.
#[derive(Clone, Copy)]
struct Lanes {
    first: [i16; LANES],
    second: [i16; LANES],
}

/// For each strip the largest number such that the strip is worth at least this number and at most
/// two switches; among those with the same number, the fewest and smallest switches.
fn best_worths(rows: usize, width: usize) -> Vec<i16> {
    let one = with_switch(rows, width, None);
    let pack = |number: i16, switches: i16| number << 8 | switches;
    let mut worths: Vec<i16> = Vec::with_capacity(one.len());
    for lanes in &one {
        let mut best = pack(lanes.second[0], 0);
        for i in 0..SIZES.len() {
            if lanes.second[i + 1] > best >> 8 {
                best = pack(lanes.second[i + 1], 1 << i);
            }
        }
        worths.push(best);
    }
    for i in 1..SIZES.len() {
        let two = with_switch(rows, width, Some((i, &one)));
        for (best, lanes) in worths.iter_mut().zip(&two) {
            for j in 0..i {
                if lanes.second[j + 1] > *best >> 8 {
                    *best = pack(lanes.second[j + 1], 1 << i | 1 << j);
                }
            }
        }
    }
    worths
}

/// Plays all strips of some size, alone and with one switch; all of them with another switch added,
/// if there is one: its place in [`SIZES`], and the same without it. Then only the lanes of smaller
/// switches are filled in.
///
/// A strip is worth at least `x` and some switches if `G - x` is won by Left as second, where `G` is
/// the strip and the switches, since a switch is its own negative.
fn with_switch(rows: usize, width: usize, added: Option<(usize, &[Lanes])>) -> Vec<Lanes> {
    let lanes = added.map_or(LANES, |(i, _)| i + 1);
    let last_column = (0..rows).fold(0, |cells, row| cells | 1 << (row * width + width - 1));
    let mut table: Vec<Lanes> = Vec::with_capacity(1 << (rows * width));
    // Each domino covers cells, and the set of those that are left is a smaller number.
    for free in 0..1usize << (rows * width) {
        // The lower cells of upright dominoes, and the left ones of flat ones.
        let (mut upright, mut flat) = (free & free >> width, free & free >> 1 & !last_column);
        let used = upright | upright << width | flat | flat << 1;
        if used != free {
            // Without the cells that nobody can use it is the same.
            table.push(table[used]);
            continue;
        }
        let mut best = Lanes { first: [-FAR; LANES], second: [FAR; LANES] };
        while upright != 0 {
            let lower = upright & upright.wrapping_neg();
            let after = &table[free & !(lower | lower << width)];
            for lane in 0..LANES {
                best.first[lane] = best.first[lane].max(after.second[lane]);
            }
            upright &= !lower;
        }
        while flat != 0 {
            let left = flat & flat.wrapping_neg();
            let after = &table[free & !(left | left << 1)];
            for lane in 0..LANES {
                best.second[lane] = best.second[lane].min(after.first[lane]);
            }
            flat &= !left;
        }
        if let Some((i, without)) = added {
            let after = &without[free];
            for lane in 0..LANES {
                best.first[lane] = best.first[lane].max(after.second[lane] + SIZES[i]);
                best.second[lane] = best.second[lane].min(after.first[lane] - SIZES[i]);
            }
        }
        for lane in 0..lanes {
            // Lane 0 comes first: it is what the others are without their switch.
            if lane > 0 {
                let size = SIZES[lane - 1];
                best.first[lane] = best.first[lane].max(best.second[0] + size);
                best.second[lane] = best.second[lane].min(best.first[0] - size);
            }
            let settled = Best { first: best.first[lane], second: best.second[lane] }.settled();
            (best.first[lane], best.second[lane]) = (settled.first, settled.second);
        }
        table.push(best);
    }
    table
}

#[cfg(test)]
mod tests;
