//! Stones on a Go board, for NoGo, Atari-Go and captures: blocks, liberties, captures and suicide.
//!
//! A block is a set of stones of one colour that are connected along the lines of the board; its
//! liberties are the empty points next to it.

use foregone_model::{Agent, Side, TextError};

use crate::board::{Grid, Word};

mod game;
mod state;

pub use game::{Rule, StoneGame};
pub use state::State;

/// Black moves first.
pub(crate) const PLAYERS: [&str; 2] = ["black", "white"];

/// A position as one player sees it.
#[derive(Clone, Copy, Debug)]
pub struct View<W> {
    /// The stones of the player.
    pub own: W,
    /// The stones of the opponent.
    pub enemy: W,
    /// The points where a stone may come to stand.
    pub empty: W,
    /// Where a stone never needs a liberty: fixed stones, and points beside a liberty that stays.
    pub safe: W,
}

impl<W: Word> View<W> {
    /// The position as `agent` sees it.
    #[inline]
    pub(crate) fn of(grid: &Grid<W>, s: &State<W>, agent: Agent) -> View<W> {
        let [black, white] = s.stones;
        let (own, enemy) = match Side::of(agent) {
            Side::Max => (black, white),
            Side::Min => (white, black),
        };
        let empty = s.free(grid.full);
        if s.fixed.is_empty() {
            return View { own, enemy, empty, safe: W::ZERO };
        }
        let lasting = s.lasting();
        let safe = (s.fixed & (own | enemy) & !lasting) | grid.around(lasting);
        View { own: own & !lasting, enemy: enemy & !lasting, empty, safe }
    }

    /// Whether a stone on this empty point takes the last liberty of an enemy block.
    #[inline]
    pub(crate) fn captures(&self, grid: &Grid<W>, cell: u32) -> bool {
        let stone = W::bit(cell);
        let touched = grid.around(stone) & self.enemy;
        !breathe(grid, touched, self.enemy, self.empty ^ stone, self.safe)
    }

    /// Whether a stone on this empty point, if it captures nothing, ends up without liberties.
    #[inline]
    pub(crate) fn suicide(&self, grid: &Grid<W>, cell: u32) -> bool {
        let stone = W::bit(cell);
        !breathe(grid, stone, self.own | stone, self.empty ^ stone, self.safe)
    }

    /// The liberties of the enemy block that has the fewest: of the first one, if there are
    /// several, and nothing when there are no enemy stones.
    #[inline]
    pub(crate) fn fewest_liberties(&self, grid: &Grid<W>) -> Option<W> {
        let mut fewest = None;
        let mut count = u32::MAX;
        let mut rest = self.enemy;
        while !rest.is_empty() {
            let block = grid.flood(W::bit(rest.lowest()), rest);
            let liberties = grid.around(block) & self.empty;
            if liberties.count() < count {
                count = liberties.count();
                fewest = Some(liberties);
            }
            rest = rest & !block;
        }
        fewest
    }

    /// Enemy stones that are seen at a glance to be in a block with two liberties or more.
    #[inline]
    pub(crate) fn sturdy_enemies(&self, grid: &Grid<W>) -> W {
        let (north, south) = (grid.north(self.empty), grid.south(self.empty));
        let (east, west) = (grid.east(self.empty), grid.west(self.empty));
        let (upright, flat) = (north | south, east | west);
        let two = (north & south) | (east & west) | (upright & flat);
        // Neighbours with a liberty each have two together: a grid has no triangles.
        let one = self.enemy & (upright | flat);
        one & (two | grid.around(one))
    }
}

/// Whether each block of `stones` that holds one of `these` has a liberty among `empty` or a stone
/// that is `safe`.
#[inline]
pub(crate) fn breathe<W: Word>(grid: &Grid<W>, these: W, stones: W, empty: W, safe: W) -> bool {
    // All blocks are filled at once from the stones at a liberty, not from `these`: most stones
    // are reached within a step or two.
    let mut alive = stones & (grid.around(empty) | safe);
    while !(these & !alive).is_empty() {
        let next = alive | (grid.around(alive) & stones);
        if next == alive {
            return false;
        }
        alive = next;
    }
    true
}

/// A stone of `stones` whose block has no liberty among `empty` and is not `safe`, if there is one.
pub(crate) fn choked<W: Word>(grid: &Grid<W>, stones: W, empty: W, safe: W) -> Option<u32> {
    stones.cells().find(|&cell| !breathe(grid, W::bit(cell), stones, empty, safe))
}

/// The error that a stone is choked, in a position that [`State::read`] has read.
pub(crate) fn choked_error<W: Word>(grid: &Grid<W>, cell: u32, why: &str) -> TextError {
    let mut message = String::from("the stone at ");
    grid.write_cell(cell, &mut message);
    message.push_str(" has no liberty, ");
    message.push_str(why);
    let (row, col) = (cell / grid.cols, cell % grid.cols);
    let at = ((grid.rows - 1 - row) * (grid.cols + 1) + col) as usize;
    TextError::new(message, at..at + 1)
}

/// A slow second opinion for tests.
#[cfg(test)]
pub(crate) mod testing {
    use foregone_model::Rng;

    /// A board of symbols, without bits: the slow second opinion on blocks and liberties.
    #[derive(Clone)]
    pub(crate) struct Slow(pub(crate) Vec<Vec<char>>);

    impl Slow {
        /// The board of a position's text, row 1 first.
        pub(crate) fn read(text: &str) -> Slow {
            let board = text.split(' ').next().unwrap();
            Slow(board.split('/').rev().map(|r| r.chars().collect()).collect())
        }

        /// The text of the position with this player to move.
        pub(crate) fn text(&self, mover: &str) -> String {
            let rows: Vec<String> = self.0.iter().rev().map(|r| r.iter().collect()).collect();
            format!("{} {mover}", rows.join("/"))
        }

        /// The points in the order of their numbers.
        pub(crate) fn points(&self) -> Vec<(usize, usize)> {
            let cols = self.0[0].len();
            (0..self.0.len() * cols).map(|i| (i / cols, i % cols)).collect()
        }

        /// Whether some block of these stones has no liberty.
        pub(crate) fn has_choked(&self, symbol: char) -> bool {
            self.points().into_iter().any(|(r, c)| self.0[r][c] == symbol && !self.breathes(r, c))
        }

        fn breathes(&self, r: usize, c: usize) -> bool {
            let mut seen = vec![(r, c)];
            let mut next = 0;
            while let Some(&(r, c)) = seen.get(next) {
                next += 1;
                let steps =
                    [(r + 1, c), (r.wrapping_sub(1), c), (r, c + 1), (r, c.wrapping_sub(1))];
                for (r2, c2) in steps {
                    let Some(&there) = self.0.get(r2).and_then(|row| row.get(c2)) else {
                        continue;
                    };
                    if there == '.' || there == '*' || there == self.0[r][c].to_ascii_uppercase() {
                        return true;
                    }
                    if there == self.0[r][c] && !seen.contains(&(r2, c2)) {
                        seen.push((r2, c2));
                    }
                }
            }
            false
        }

        /// The empty points where `symbol` may be put, by a rule that is told whether the stone
        /// captures and whether, leaving captured stones aside, it has no liberty.
        pub(crate) fn legal(&self, symbol: char, rule: impl Fn(bool, bool) -> bool) -> Vec<u8> {
            let enemy = if symbol == 'x' { 'o' } else { 'x' };
            let mut legal = Vec::new();
            for (i, (r, c)) in self.points().into_iter().enumerate() {
                if self.0[r][c] == '.' {
                    let mut after = self.clone();
                    after.0[r][c] = symbol;
                    if rule(after.has_choked(enemy), after.has_choked(symbol)) {
                        legal.push(i as u8);
                    }
                }
            }
            legal
        }

        /// Turns some points into others that take no part in the game.
        pub(crate) fn fix(&mut self, rng: &mut Rng) {
            for point in self.0.iter_mut().flatten() {
                if rng.below(4) == 0 {
                    *point = ['#', '#', 'X', 'O', '*'][rng.below(5) as usize];
                }
            }
        }

        /// Stones thrown at random.
        pub(crate) fn random(rows: usize, cols: usize, rng: &mut Rng) -> Slow {
            let mut board = vec![vec!['.'; cols]; rows];
            // Thin boards and full ones: the share of empty points varies from board to board.
            let filled = rng.below(100);
            for row in &mut board {
                for point in row {
                    if rng.below(100) < filled {
                        *point = if rng.below(2) == 0 { 'x' } else { 'o' };
                    }
                }
            }
            Slow(board)
        }
    }
}
