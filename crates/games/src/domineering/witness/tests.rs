//! Reasons against play by the rules and nothing else.

use std::collections::HashMap;

use foregone_model::Rng;

use super::*;
use crate::board::{Grid, Word};
use crate::domineering::bounds::{self, MAX_WIDTH, Strips, mover_wins};
use crate::domineering::reason;

/// A strip, minus a number, plus switches: played by the rules of each, with nothing else.
struct Literal {
    cells: usize,
    width: usize,
    memo: HashMap<(usize, i16, Vec<i16>, bool), bool>,
}

impl Literal {
    fn new(rows: usize, width: usize) -> Literal {
        Literal { cells: rows * width, width, memo: HashMap::new() }
    }

    /// Whether the player to move wins.
    fn wins(&mut self, free: usize, number: i16, switches: &[i16], left: bool) -> bool {
        let key = (free, number, switches.to_vec(), left);
        if let Some(&wins) = self.memo.get(&key) {
            return wins;
        }
        let mut after: Vec<(usize, i16, Vec<i16>)> = Vec::new();
        for cell in 0..self.cells {
            let next = if left { cell + self.width } else { cell + 1 };
            let domino = 1 << cell | 1 << next;
            let fits = if left { next < self.cells } else { next % self.width != 0 };
            if fits && free & domino == domino {
                after.push((free & !domino, number, switches.to_vec()));
            }
        }
        for (i, &size) in switches.iter().enumerate() {
            let mut rest = switches.to_vec();
            rest.remove(i);
            // Beside `- number`.
            after.push((free, if left { number - size } else { number + size }, rest));
        }
        // A move in `- number` is one to a number that the other player could move to in it.
        let integer = number % UNIT == 0;
        let finest = if integer { UNIT } else { number & -number };
        if !integer || (if left { number < 0 } else { number > 0 }) {
            let moved = if left { number + finest } else { number - finest };
            after.push((free, moved, switches.to_vec()));
        }
        let wins = after.iter().any(|(free, x, rest)| !self.wins(*free, *x, rest, !left));
        self.memo.insert(key, wins);
        wins
    }

    fn agrees(&mut self, free: usize, switches: &[i16], best: Best) {
        let most = UNIT * 4;
        for x in -most..=most {
            let context = (free, x, switches);
            assert_eq!(self.wins(free, x, switches, true), x <= best.first, "{context:?}");
            assert_eq!(!self.wins(free, x, switches, false), x <= best.second, "{context:?}");
        }
    }
}

#[test]
fn strips_are_worth_what_play_says() {
    for (rows, width) in [(2, 1), (2, 2), (2, 3), (3, 1), (3, 2)] {
        let mut literal = Literal::new(rows, width);
        let at = |lanes: &Lanes, lane: usize| Best {
            first: lanes.first[lane],
            second: lanes.second[lane],
        };
        let one = with_switch(rows, width, None);
        for (free, lanes) in one.iter().enumerate() {
            literal.agrees(free, &[], at(lanes, 0));
            for (i, &size) in SIZES.iter().enumerate() {
                literal.agrees(free, &[size], at(lanes, i + 1));
            }
        }
        for (i, &large) in SIZES.iter().enumerate().skip(1) {
            let two = with_switch(rows, width, Some((i, &one)));
            for (free, lanes) in two.iter().enumerate() {
                for (j, &small) in SIZES[..i].iter().enumerate() {
                    literal.agrees(free, &[small, large], at(lanes, j + 1));
                }
            }
        }
    }
}

#[test]
fn switches_are_worth_what_play_says() {
    let mut literal = Literal::new(1, 1);
    for (set, &best) in SWITCHES.iter().enumerate() {
        let sizes: Vec<i16> =
            (0..SIZES.len()).filter(|i| set >> i & 1 == 1).map(|i| SIZES[i]).collect();
        literal.agrees(0, &sizes, best);
    }
    // Two equal switches are worth nothing, beside any others.
    for y in SIZES {
        for z in SIZES {
            let best = SWITCHES[1 << SIZES.iter().position(|&size| size == z).unwrap()];
            literal.agrees(0, &[y, y, z], best);
        }
    }
}

#[test]
fn the_finder_has_the_same_tables() {
    let same = |mine: &Table, theirs: &Strips, cells: u32| {
        for free in 0..1u32 << cells {
            let (mine, theirs) = (mine.get(free), theirs.worth(free));
            let theirs = (theirs.number(), theirs.switches());
            assert_eq!((mine.number, usize::from(mine.switches)), theirs, "{free:b}");
        }
    };
    for width in 1..=MAX_WIDTH {
        let theirs = Strips::pairs(width).unwrap();
        same(table(2, width as usize).unwrap(), theirs, 2 * width);
    }
    for width in 1..=bounds::NARROW {
        same(table(3, width as usize).unwrap(), Strips::triples(width), 3 * width);
    }
}

const SIDES: [Side; 2] = [Side::Max, Side::Min];

fn confirmed<W: Word>(grid: &Grid<W>, free: W, to_move: Side, prover: Side, reason: &str) -> bool {
    let is_free = |r, c| free.has(r * grid.cols + c);
    confirms([grid.rows, grid.cols], is_free, to_move, prover, Outcome::WIN, reason)
}

/// The winner that the finder tells of, and why; it must be confirmed.
fn told<W: Word>(grid: &Grid<W>, free: W, to_move: Side) -> Option<(Side, String)> {
    let wins = mover_wins(grid, free, to_move == Side::Max);
    let reason = reason::reason(grid, free, to_move == Side::Max);
    assert_eq!(wins.is_some(), reason.is_some(), "{free:?}");
    let (wins, reason) = wins.zip(reason)?;
    let winner = if wins { to_move } else { to_move.other() };
    let context = (grid.rows, grid.cols, free, to_move, &reason);
    assert!(confirmed(grid, free, to_move, winner, &reason), "{context:?}");
    assert!(!confirmed(grid, free, to_move, winner.other(), &reason), "{context:?}");
    assert!(reason.bytes().all(|byte| b"st/0123456789".contains(&byte)), "{context:?}");
    Some((winner, reason))
}

/// Something like a reason, or another one with something changed.
fn odd_reason(rng: &mut Rng, reason: &str) -> String {
    const LETTERS: [char; 12] = ['s', 't', 's', 't', '/', '1', '2', '3', '0', '9', ' ', '\u{b1}'];
    let mut letters: Vec<char> = if rng.below(2) == 0 { "" } else { reason }.chars().collect();
    for _ in 0..rng.below(5) {
        let common = if rng.below(8) == 0 { LETTERS.len() } else { 8 };
        let letter = LETTERS[rng.below(common as u32) as usize];
        let at = rng.below(letters.len() as u32 + 1) as usize;
        match rng.below(4) {
            0 if at < letters.len() => letters[at] = letter,
            1 if at < letters.len() => drop(letters.remove(at)),
            _ => letters.insert(at, letter),
        }
    }
    letters.into_iter().collect()
}

/// Whether the player to move wins.
fn solve(grid: &Grid<u64>, free: u64, side: Side, memo: &mut Memo) -> bool {
    if let Some(&wins) = memo.get(&(free, side)) {
        return wins;
    }
    let apart = if side == Side::Max { grid.cols } else { 1 };
    let places = if side == Side::Max { free & grid.south(free) } else { free & grid.west(free) };
    let wins = places.cells().any(|c| {
        let after = free & !(1 << c | 1 << (c + apart));
        !solve(grid, after, side.other(), memo)
    });
    memo.insert((free, side), wins);
    wins
}

type Memo = HashMap<(u64, Side), bool>;

/// Tries reasons of all kinds in a position. Counts how many were confirmed.
fn try_all(grid: &Grid<u64>, free: u64, memo: &mut Memo, rng: &mut Rng) -> usize {
    let mut count = 0;
    for to_move in SIDES {
        let wins = solve(grid, free, to_move, memo);
        let winner = if wins { to_move } else { to_move.other() };
        let mut reasons: Vec<String> = ["", "t", "s", "/"].map(str::to_owned).to_vec();
        if let Some((told, reason)) = told(grid, free, to_move) {
            assert_eq!(told, winner, "{free:b}");
            reasons.push(odd_reason(rng, &reason));
            reasons.push(reason);
        }
        reasons.push(odd_reason(rng, ""));
        for reason in &reasons {
            for prover in SIDES {
                if confirmed(grid, free, to_move, prover, reason) {
                    let context = (grid.rows, grid.cols, to_move, reason);
                    assert_eq!(prover, winner, "{free:b} {context:?}");
                    count += 1;
                }
            }
        }
    }
    count
}

#[test]
fn what_is_confirmed_is_true_in_all_small_positions() {
    let mut rng = Rng::new(4);
    for (rows, cols) in [
        (1, 1),
        (1, 9),
        (9, 1),
        (2, 2),
        (2, 6),
        (6, 2),
        (3, 3),
        (3, 4),
        (4, 3),
        (3, 5),
        (5, 3),
        (7, 2),
        (2, 7),
    ] {
        let grid: Grid<u64> = Grid::new(rows, cols);
        let mut memo = HashMap::new();
        let mut count = 0;
        for free in 0..=grid.full {
            count += try_all(&grid, free, &mut memo, &mut rng);
        }
        assert!(count as u64 > 4 * grid.full, "{rows}x{cols}: {count}");
    }
}

#[test]
fn what_is_confirmed_is_true_in_random_positions() {
    let mut rng = Rng::new(6);
    for (rows, cols) in [(5, 5), (4, 7), (7, 4), (6, 5), (3, 8), (8, 3), (3, 11), (11, 3)] {
        let grid: Grid<u64> = Grid::new(rows, cols);
        let mut memo = HashMap::new();
        let mut count = 0;
        for i in 0..120 {
            // Three cells of four are free, or one of two.
            let free = (rng.bits() | if i % 2 == 0 { rng.bits() } else { 0 }) & grid.full;
            count += try_all(&grid, free, &mut memo, &mut rng);
        }
        assert!(count > 500, "{rows}x{cols}: {count}");
    }
}

/// Positions of random plays, and of no play at all.
fn check_shape<W: Word>(rows: u32, cols: u32, rng: &mut Rng) -> [usize; 2] {
    let grid: Grid<W> = Grid::new(rows, cols);
    let mut count = [0, 0];
    for i in 0..60 {
        let mut random = || W::from(rng.bits()) << (W::BITS - 64) ^ W::from(rng.bits());
        let mut free = grid.full;
        if i % 4 == 0 {
            free = free & (random() | random());
        }
        let mut to_move = SIDES[i / 4 % 2];
        loop {
            if let Some((_, reason)) = told(&grid, free, to_move) {
                count[usize::from(reason.contains('/'))] += 1;
            }
            let (places, apart) = match to_move {
                Side::Max => (free & grid.south(free), cols),
                Side::Min => (free & grid.west(free), 1),
            };
            if places.is_empty() {
                break;
            }
            let cell = places.pick(rng);
            free = free & !(W::bit(cell) | W::bit(cell + apart));
            to_move = to_move.other();
        }
    }
    count
}

#[test]
fn what_the_finder_tells_is_confirmed() {
    let mut rng = Rng::new(8);
    let small = [(8, 8), (7, 8), (6, 6), (3, 16), (16, 3), (64, 1), (1, 64), (32, 2), (6, 10)];
    let mut counts: Vec<[usize; 2]> = Vec::new();
    for (rows, cols) in small {
        counts.push(check_shape::<u64>(rows, cols, &mut rng));
        counts.push(check_shape::<u128>(rows, cols, &mut rng));
    }
    for (rows, cols) in
        [(10, 10), (8, 9), (9, 8), (9, 11), (11, 9), (42, 3), (3, 42), (128, 1), (12, 10)]
    {
        counts.push(check_shape::<u128>(rows, cols, &mut rng));
    }
    assert!(counts.iter().all(|count| count[0] > 60), "{counts:?}");
    assert!(counts.iter().map(|count| count[1]).sum::<usize>() > 500, "{counts:?}");
}

#[test]
fn reasons_that_say_nothing_are_refused() {
    // Only Vertical can move.
    let win = |outcome, sizes, reason: &str| {
        let is_free = |_, c| c % 2 == 0;
        confirms(sizes, is_free, Side::Min, Side::Max, outcome, reason)
    };
    for reason in ["", "/", "s", "1s", "ss", "ssss", "t", "ts", "s/s", "/1s", "///"] {
        assert!(win(Outcome::WIN, [4, 3], reason), "{reason:?}");
    }
    for outcome in [Outcome::LOSS, Outcome(2), Outcome(u16::MAX)] {
        assert!(!win(outcome, [4, 3], ""), "{outcome:?}");
    }
    let (long, number) = ("s".repeat(100_000), "9".repeat(1000));
    let slashes = "/".repeat(1000) + "s";
    for reason in [
        "2", "3t", "1", "0t", "00", "01s", "x", " ", "s ", " s", "S", "-1s", "1.s", "tt", "sssss",
        "//s", "s//s", "\u{b1}", "\u{661}s", "99t", "129s", "\0", "\n", &long, &number, &slashes,
    ] {
        assert!(!win(Outcome::WIN, [4, 3], reason), "{reason:?}");
    }
    // Boards of any size, even of none.
    for sizes in [[0, 0], [0, 3], [3, 0], [200, 1], [u32::MAX, 1], [5, 11], [5, u32::MAX]] {
        for reason in ["", "/", "t", "2s/t"] {
            let empty = win(Outcome::WIN, sizes, reason);
            assert!(!empty || sizes == [0, 3] && reason.len() < 2, "{sizes:?} {reason}");
        }
    }
}

#[test]
fn strips_that_are_too_wide_need_a_place_to_cut() {
    let free = |text: &str| -> Vec<Vec<bool>> {
        text.split('/').map(|row| row.chars().map(|c| c == '.').collect()).collect()
    };
    let wins = |text: &str, reason: &str| {
        let rows = free(text);
        let sizes = [rows.len() as u32, rows[0].len() as u32];
        let is_free = |r: u32, c: u32| rows[r as usize][c as usize];
        confirms(sizes, is_free, Side::Min, Side::Max, Outcome::WIN, reason)
    };
    // Vertical has moves to spare in the first two rows. Below them flat dominoes lie across each
    // place where both sides would be narrow enough, or across all of them but one.
    let spare = ".#.#.#.#/.#.#.#.#";
    let crossed = format!("{spare}/...#.#.#/.#...#.#/.#.#...#");
    assert!(wins(&crossed, "") && !wins(&crossed, "1t"));
    let open = format!("{spare}/.#.#.#.#/.#...#.#/.#.#...#");
    assert!(wins(&open, "") && wins(&open, "1t"));
    // A part that is narrow need not be cut.
    let narrow = format!("##.##.##/#......#/##.##.##/########/{spare}");
    assert!(wins(&narrow, "t/") && !wins(&narrow, "t"));
}
