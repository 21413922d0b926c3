//! Checks the reasons that certificates give for what is known of Breakthrough.
//!
//! `race-pattern COLUMN`: a piece in this column, the *runner*, reaches the far row, whatever the
//! enemy does, and before the enemy reaches its own. Its player moves nothing else. Every piece in
//! the column with four moves to go or less is tried. This file looks at squares near the runner,
//! one by one, and uses nothing of what finds the runners.
//!
//! Rows are counted as the runner sees them: on row 0 it has arrived, on row 1 it has one move to
//! go. The runner goes to lower rows and enemy pieces to higher ones, one row a move each. So:
//!
//! * **The race.** If the runner is on row n and it is its turn, it arrives before the enemy has
//!   made n moves. If it is the enemy's turn, before the enemy has made n + 1. So nobody can be
//!   there first if each enemy piece has at least so many moves to go.
//! * **Row 0** is never entered by the enemy.
//! * **Row 1** is entered by the enemy from row 0 only. A square of row 1 is *safe* if no enemy
//!   piece stands diagonally in front of it, on row 0. It is safe for ever, then: the runner
//!   cannot be captured there, and arrives with its next move. There is always a diagonal to take,
//!   as the board has two columns and no piece of its own stands on row 0.
//! * **Row 2.** A square of row 2 is *good* if a runner there whose turn it is wins, now or later.
//!   It is if a safe square lies diagonally in front that does not hold a piece of its own: an
//!   enemy piece that comes there is captured. It is, too, if the square straight in front is
//!   safe and empty and no enemy piece stands behind it on row 0: nobody can ever come there.
//! * **Row 3, its turn.** The runner wins by a step to a good square of row 2 on which the enemy
//!   cannot capture at once.
//! * **Row 3, the enemy's turn.** The enemy must not capture the runner, and whatever one move it
//!   makes, a step as above must be left. Good squares stay good. So the enemy can only spoil
//!   a step by entering row 1 diagonally in front of where it leads to, or, if it is a step
//!   straight ahead, by entering that very square. These squares are tried one by one.
//! * **Row 4, its turn.** The runner steps to row 3, and then the enemy moves.
//!
//! Pieces of the runner's own side stay where they are or are captured; then an enemy piece has
//! entered their square. The runner never steps onto one of them.

use foregone_model::{Outcome, Side};

use crate::board::Word;

/// A position in plain data.
#[derive(Clone, Copy, Debug)]
pub struct Position<W> {
    /// How many rows the board has.
    pub rows: u32,
    /// How many columns the board has.
    pub cols: u32,
    /// White's pieces, which move upward, and Black's. Bit `row * cols + col` is a square, both
    /// counted from 0 and from the bottom left.
    pub pieces: [W; 2],
    /// Who is to move; White is Max.
    pub turn: Side,
}

/// Whether the reason shows that Max reaches at least this outcome, if Max is the prover, or that
/// Min keeps Max below it. Outcomes are 0 for a loss of Max and 1 for a win. Of a game that is
/// over nothing is confirmed.
pub fn confirms<W: Word>(
    position: &Position<W>,
    prover: Side,
    at_least: Outcome,
    rule: &str,
    reason: &str,
) -> bool {
    let enough = match prover {
        Side::Max => at_least.0 <= 1,
        Side::Min => at_least.0 > 0,
    };
    if rule != "race-pattern" || !enough {
        return false;
    }
    let Some(view) = View::new(position, prover) else { return false };
    let Some(col) = column(reason) else { return false };
    (1..=MOST_MOVES).any(|row| {
        let runner = Square { row, col };
        view.own(runner) && view.wins(runner, position.turn == prover)
    })
}

/// The most moves that a runner has to go.
const MOST_MOVES: i32 = 4;

/// The number of a column, counted from 0: a is the first, z the 26th, aa the next.
fn column(name: &str) -> Option<i32> {
    let letters = name.as_bytes();
    if !(1..=2).contains(&letters.len()) || !letters.iter().all(u8::is_ascii_lowercase) {
        return None;
    }
    Some(letters.iter().fold(0, |n, letter| 26 * n + i32::from(letter - b'a' + 1)) - 1)
}

/// A square as the runner sees it: the moves that it has to go from there, and the column. It may
/// lie outside of the board.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Square {
    row: i32,
    col: i32,
}

impl Square {
    /// The square so many columns to the right in the next row of the runner.
    fn ahead(self, right: i32) -> Square {
        Square { row: self.row - 1, col: self.col + right }
    }
}

/// The board as the runner sees it.
struct View<W> {
    rows: i32,
    cols: i32,
    /// Whether the runner moves upward.
    up: bool,
    own: W,
    enemy: W,
}

impl<W: Word> View<W> {
    /// Nothing if the game is over, or if the pieces are none that can stand on such a board.
    fn new(position: &Position<W>, prover: Side) -> Option<View<W>> {
        let &Position { rows, cols, pieces, .. } = position;
        let squares = rows.checked_mul(cols).filter(|&n| n <= W::BITS)?;
        let [own, enemy] = [pieces[prover.index()], pieces[prover.other().index()]];
        let outside = (own | enemy) & !W::first(squares);
        let sound = outside.is_empty() && (own & enemy).is_empty();
        // With two columns, the foremost piece of a player always has a move.
        if !sound || rows < 2 || cols < 2 || enemy.is_empty() {
            return None;
        }
        let (rows, cols) = (rows as i32, cols as i32);
        let view = View { rows, cols, up: prover == Side::Max, own, enemy };
        let arrived = (own & view.row(0)) | (enemy & view.row(rows - 1));
        arrived.is_empty().then_some(view)
    }

    /// The squares of a row of the board.
    fn row(&self, row: i32) -> W {
        let row = if self.up { self.rows - 1 - row } else { row };
        W::first(self.cols as u32) << (row * self.cols) as u32
    }

    fn on_board(&self, at: Square) -> bool {
        (0..self.rows).contains(&at.row) && (0..self.cols).contains(&at.col)
    }

    fn holds(&self, pieces: W, at: Square) -> bool {
        let row = if self.up { self.rows - 1 - at.row } else { at.row };
        self.on_board(at) && pieces.has((row * self.cols + at.col) as u32)
    }

    /// Whether a piece of the runner's side stands there.
    fn own(&self, at: Square) -> bool {
        self.holds(self.own, at)
    }

    fn enemy(&self, at: Square) -> bool {
        self.holds(self.enemy, at)
    }

    /// Whether the enemy could capture a piece there, with one move.
    fn attacked(&self, at: Square) -> bool {
        self.enemy(at.ahead(-1)) || self.enemy(at.ahead(1))
    }

    /// Whether the enemy can move to this square.
    fn enemy_can_enter(&self, at: Square) -> bool {
        let diagonally = self.attacked(at) && !self.enemy(at);
        let straight = self.enemy(at.ahead(0)) && !self.enemy(at) && !self.own(at);
        self.on_board(at) && (diagonally || straight)
    }

    /// Whether the runner may step from a square to the one so many columns to the right ahead.
    fn can_step(&self, from: Square, right: i32) -> bool {
        let to = from.ahead(right);
        self.on_board(to) && !self.own(to) && (right != 0 || !self.enemy(to))
    }

    /// Whether the runner may step from here to a square of which `ok` holds.
    fn way(&self, from: Square, ok: impl Fn(Square) -> bool) -> bool {
        (-1..=1).any(|right| self.can_step(from, right) && ok(from.ahead(right)))
    }

    /// Whether some enemy piece has at most so many moves to go, which is not there yet.
    fn enemy_within(&self, moves: i32) -> bool {
        let first = (self.rows - 1 - moves).max(0);
        (first..self.rows - 1).any(|row| !(self.enemy & self.row(row)).is_empty())
    }

    /// Whether the runner comes through from here.
    fn wins(&self, runner: Square, its_turn: bool) -> bool {
        let enemy_moves = if its_turn { runner.row - 1 } else { runner.row };
        if self.enemy_within(enemy_moves) {
            return false;
        }
        match (runner.row, its_turn) {
            (1, true) => self.way(runner, |_| true),
            (2, true) => self.way(runner, |to| self.is_safe(to)),
            (3, true) => self.way(runner, |to| self.is_good(to) && !self.attacked(to)),
            (4, true) => self.way(runner, |to| self.can_wait_on_row_3(to)),
            (1, false) => self.is_safe(runner),
            (2, false) => self.is_good(runner) && !self.attacked(runner),
            (3, false) => self.can_wait_on_row_3(runner),
            _ => false,
        }
    }

    /// A square of row 1 on which the enemy can never capture.
    fn is_safe(&self, at: Square) -> bool {
        !self.attacked(at)
    }

    /// A square of row 2 from where a runner wins whose turn it is, now or later.
    fn is_good(&self, at: Square) -> bool {
        (-1..=1).any(|right| {
            let to = at.ahead(right);
            let open = right != 0 || !self.enemy(to.ahead(0));
            self.can_step(at, right) && self.is_safe(to) && open
        })
    }

    /// Whether a runner on this square of row 3 wins, though it is the enemy's turn.
    fn can_wait_on_row_3(&self, at: Square) -> bool {
        let step = |right: i32| {
            let to = at.ahead(right);
            self.can_step(at, right) && self.is_good(to) && !self.attacked(to)
        };
        let steps = [-1, 0, 1].map(|right| (right, step(right)));
        let spoils = |entered: Square, right: i32| {
            let to = at.ahead(right);
            entered == to || entered == to.ahead(-1) || entered == to.ahead(1)
        };
        let one_left_if = |entered: Square| {
            steps.iter().any(|&(right, possible)| possible && !spoils(entered, right))
        };
        let row_1 = (-2..=2).map(|right| at.ahead(0).ahead(right));
        let row_2 = at.ahead(0);
        !self.attacked(at)
            && steps.iter().any(|&(_, possible)| possible)
            && row_1.chain([row_2]).all(|to| !self.enemy_can_enter(to) || one_left_if(to))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use foregone_model::{Game, Notation, Rng, Turn};

    use super::*;
    use crate::board::{Grid, write_column};
    use crate::breakthrough::races::{self, RULE};
    use crate::breakthrough::{Breakthrough, State};
    use crate::testing;

    /// One board, and what was confirmed on it.
    struct Trial<W> {
        game: Breakthrough<W>,
        grid: Grid<W>,
        far: [W; 2],
        /// The names of all columns.
        columns: Vec<String>,
        memo: HashMap<State<W>, Outcome>,
        /// Positions with a reason of the finder.
        found: usize,
        /// Claims confirmed by any reason.
        confirmed: usize,
    }

    /// Texts that name no column of a board, or not as they should.
    const BAD: [&str; 13] =
        ["", " ", "a ", " a", "3", "a1", "A", "zz", "zzz", "é", "a b", "a\u{301}", "`"];

    impl<W: Word> Trial<W> {
        fn new(rows: u32, cols: u32) -> Trial<W> {
            let row = W::first(cols);
            let name = |col: u32| {
                let mut name = String::new();
                write_column(col, &mut name);
                name
            };
            Trial {
                game: Breakthrough::new(rows, cols),
                grid: Grid::new(rows, cols),
                far: [row << ((rows - 1) * cols), row],
                columns: (0..cols).map(name).collect(),
                memo: HashMap::new(),
                found: 0,
                confirmed: 0,
            }
        }

        /// The position on a board whose first square is `a1`.
        fn plain(&self, board: &[char], turn: Side) -> Position<W> {
            let mut pieces = [W::ZERO; 2];
            for (cell, &symbol) in board.iter().enumerate() {
                if let Some(who) = "wb".find(symbol) {
                    pieces[who] = pieces[who] | W::bit(cell as u32);
                }
            }
            Position { rows: self.grid.rows, cols: self.grid.cols, pieces, turn }
        }

        /// The game's state, if such pieces are a position at all.
        fn state(&self, board: &[char], turn: Side) -> Option<State<W>> {
            let rows: Vec<String> = board
                .chunks(self.grid.cols as usize)
                .rev()
                .map(|row| row.iter().collect())
                .collect();
            let text = format!("{} {}", rows.join("/"), ["white", "black"][turn.index()]);
            self.game.read_position(&text).ok()
        }

        /// The reason of the finder is confirmed, whatever is confirmed is true, and the finder
        /// finds as much. With `solved` truth is found by trying everything.
        fn check(&mut self, board: &[char], turn: Side, solved: bool) {
            let position = self.plain(board, turn);
            let s = self.state(board, turn).filter(|s| self.game.turn(s) != Turn::Over);
            let winner =
                s.as_ref().and_then(|_| races::winner(&self.grid, self.far, position.pieces, turn));
            let found = winner.and_then(|winner| {
                let reason = races::reason(&self.grid, self.far, position.pieces, turn);
                Some((winner, reason?))
            });
            assert_eq!(found.is_some(), winner.is_some());
            let told = |what: &str| format!("{what} {board:?} {turn:?}");
            if let Some((winner, reason)) = &found {
                self.found += 1;
                assert!(confirms(&position, *winner, Outcome(1), RULE, reason), "{}", told(reason));
            }
            for prover in [Side::Max, Side::Min] {
                for column in &self.columns {
                    if !confirms(&position, prover, Outcome(1), RULE, column) {
                        continue;
                    }
                    self.confirmed += 1;
                    assert_eq!(winner, Some(prover), "{}", told(column));
                    if solved && let Some(s) = &s {
                        let value = testing::solve(&self.game, s, &mut self.memo);
                        assert_eq!(value.0 == 1, prover == Side::Max, "{}", told(column));
                    }
                    // Max always reaches the worst outcome, and never one above the best.
                    for (at_least, max, min) in [(0, true, false), (2, false, true)] {
                        let said = confirms(&position, prover, Outcome(at_least), RULE, column);
                        assert_eq!(said, if prover == Side::Max { max } else { min });
                    }
                    assert!(!confirms(&position, prover, Outcome(1), "race", column));
                }
            }
        }
    }

    /// Every placement of at most `most` pieces for each player, far rows included, with both
    /// players to move.
    fn all_placements(rows: u32, cols: u32, most: usize) -> Trial<u64> {
        let mut trial = Trial::new(rows, cols);
        let cells = (rows * cols) as usize;
        let mut stack = vec![Vec::new()];
        while let Some(board) = stack.pop() {
            if board.len() == cells {
                for turn in [Side::Max, Side::Min] {
                    trial.check(&board, turn, true);
                }
                continue;
            }
            for piece in ['.', 'w', 'b'] {
                let count = board.iter().filter(|&&p| p == piece).count();
                if piece == '.' || count < most {
                    stack.push([&board[..], &[piece]].concat());
                }
            }
        }
        trial
    }

    #[test]
    fn what_is_confirmed_is_true_on_all_placements() {
        for (rows, cols, most) in [
            (4, 2, 8),
            (5, 2, 3),
            (6, 2, 3),
            (7, 2, 2),
            (4, 3, 3),
            (5, 3, 2),
            (6, 3, 2),
            (4, 4, 2),
            (5, 4, 2),
        ] {
            let trial = all_placements(rows, cols, most);
            assert!(trial.found > 1000 && trial.confirmed >= trial.found, "{rows}x{cols}");
        }
        // A piece in a single column cannot pass.
        let trial = all_placements(5, 1, 5);
        assert_eq!((trial.found, trial.confirmed), (0, 0));
    }

    #[test]
    fn what_is_confirmed_is_true_of_scattered_pieces() {
        let mut rng = Rng::new(12);
        for (rows, cols, most) in [(6, 5, 3), (8, 4, 2), (5, 6, 3), (4, 7, 4)] {
            let mut trial = Trial::<u64>::new(rows, cols);
            for _ in 0..600 {
                let mut board = vec!['.'; (rows * cols) as usize];
                for piece in ['w', 'b'] {
                    for _ in 0..=rng.below(most) {
                        board[rng.below(rows * cols) as usize] = piece;
                    }
                }
                let turn = [Side::Max, Side::Min][rng.below(2) as usize];
                trial.memo.clear();
                trial.check(&board, turn, true);
            }
            assert!(trial.found > 100, "{rows}x{cols}: {}", trial.found);
        }
    }

    #[test]
    fn the_finder_and_its_check_agree_on_crowded_boards() {
        fn agree<W: Word>(rows: u32, cols: u32, rng: &mut Rng) {
            let mut trial = Trial::<W>::new(rows, cols);
            for _ in 0..3000 {
                let empty = rng.below(12);
                let mut board = vec!['.'; (rows * cols) as usize];
                for (cell, symbol) in board.iter_mut().enumerate() {
                    let row = cell as u32 / cols;
                    *symbol = match rng.below(2 + empty) {
                        0 if row + 1 < rows => 'w',
                        1 if row > 0 => 'b',
                        _ => '.',
                    };
                }
                for turn in [Side::Max, Side::Min] {
                    trial.check(&board, turn, false);
                }
            }
            assert!(trial.found > 1000, "{rows}x{cols}: {}", trial.found);
        }
        let mut rng = Rng::new(13);
        agree::<u64>(8, 8, &mut rng);
        agree::<u64>(6, 6, &mut rng);
        agree::<u64>(4, 9, &mut rng);
        agree::<u128>(10, 3, &mut rng);
        agree::<u128>(9, 9, &mut rng);
        agree::<u128>(4, 32, &mut rng);
    }

    #[test]
    fn any_text_and_any_pieces_are_read_without_harm() {
        let mut rng = Rng::new(14);
        for _ in 0..20_000 {
            let [rows, cols] = [rng.below(20), rng.below(20)];
            let white = rng.bits() & rng.bits();
            let black = rng.bits() & rng.bits() & !white;
            let pieces = [white, if rng.below(2) == 0 { black } else { black | 1 }];
            let turn = [Side::Max, Side::Min][rng.below(2) as usize];
            let position = Position { rows, cols, pieces, turn };
            for prover in [Side::Max, Side::Min] {
                for text in BAD {
                    assert!(!confirms(&position, prover, Outcome(1), RULE, text), "{text}");
                }
                let outside = (white | black).checked_shr(rows * cols).is_none_or(|x| x > 0);
                if (pieces[0] & pieces[1]) != 0 || (rows * cols != 64 && outside) {
                    assert!(!confirms(&position, prover, Outcome(1), RULE, "a"));
                }
            }
        }
        // White arrives at the far row next, if nothing stands where something else does.
        let [a3, b2, c4] = [1u64 << 6, 1 << 4, 1 << 11];
        for (white, black, fine) in [(a3, c4, true), (a3 | b2, c4, true), (a3 | b2, c4 | b2, false)]
        {
            let position = Position { rows: 4, cols: 3, pieces: [white, black], turn: Side::Max };
            assert_eq!(confirms(&position, Side::Max, Outcome(1), RULE, "a"), fine);
        }
        let huge = Position { rows: u32::MAX, cols: u32::MAX, pieces: [1u64, 2], turn: Side::Max };
        assert!(!confirms(&huge, Side::Max, Outcome(1), RULE, "a"));
    }
}
