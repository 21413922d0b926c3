//! Static knowledge of Breakthrough: pieces that cannot be stopped.
//!
//! Race patterns are A. Saffidine, N. Jouandeau and T. Cazenave's (*Solving Breakthrough with
//! race patterns and job-level proof number search*, 2011): a piece near its goal wins when the
//! opponent neither stops it nor is there first, and a pattern around the piece shows that. They
//! have patterns of one to three moves for either player. Here instead of patterns are sets of
//! squares, for all pieces at once, and what is ours is how they are found:
//!
//! * Home rows cannot be entered again. So whether the last two moves of a runner can be stopped
//!   is known for ever from who stands at home now (`ok2`).
//! * With three moves to go and the opponent to move, one move spoils at most one of two
//!   neighbouring ways, and both of two outer ways only by stepping between them.
//! * With more moves to go a runner is only believed to come through on a way that no enemy
//!   piece can reach in time, were all of them to move at once and freely.
//!
//! A player whose turn it is needs one row less: the first move leads to a square from where the
//! second player wins. Nobody is believed to win a race in which the opponent has a piece that is
//! as near, or nearer.

use foregone_model::Side;

use crate::board::{Grid, Word, write_column};

/// The name of the rule.
pub const RULE: &str = "race-pattern";

/// Who wins a race, if that can be decided. `far` are the rows that White and Black want to reach;
/// nobody has reached one, and both have pieces.
#[inline]
pub fn winner<W: Word>(grid: &Grid<W>, far: [W; 2], pieces: [W; 2], turn: Side) -> Option<Side> {
    runners(grid, far, pieces, turn).map(|(side, _)| side)
}

/// Why [`winner`] says so, in the words that stand behind the name of the rule: the column of a
/// piece that wins.
pub fn reason<W: Word>(grid: &Grid<W>, far: [W; 2], pieces: [W; 2], turn: Side) -> Option<String> {
    let (_, runners) = runners(grid, far, pieces, turn)?;
    let mut column = String::new();
    write_column(runners.lowest() % grid.cols, &mut column);
    Some(column)
}

/// Who wins a race, and pieces each of which does so.
#[inline]
fn runners<W: Word>(grid: &Grid<W>, far: [W; 2], pieces: [W; 2], turn: Side) -> Option<(Side, W)> {
    // A single column knows no way around a blocked square.
    if grid.cols == 1 {
        return None;
    }
    let view = |side: Side| View {
        grid,
        up: side == Side::Max,
        own: pieces[side.index()],
        enemy: pieces[side.other().index()],
        far: far[side.index()],
        home: far[side.other().index()],
    };
    let first = view(turn).win_first();
    if !first.is_empty() {
        return Some((turn, first));
    }
    let second = view(turn.other()).win_second();
    (!second.is_empty()).then_some((turn.other(), second))
}

/// The board as one player sees it.
struct View<'g, W> {
    grid: &'g Grid<W>,
    up: bool,
    own: W,
    enemy: W,
    /// The row to reach.
    far: W,
    /// The row that the enemy wants to reach.
    home: W,
}

impl<W: Word> View<'_, W> {
    #[inline]
    fn ahead(&self, x: W) -> W {
        if self.up { self.grid.north(x) } else { self.grid.south(x) }
    }

    #[inline]
    fn back(&self, x: W) -> W {
        if self.up { self.grid.south(x) } else { self.grid.north(x) }
    }

    #[inline]
    fn beside(&self, x: W) -> W {
        self.grid.east(x) | self.grid.west(x)
    }

    /// From where a piece can move onto one of these squares, its own side's pieces apart.
    #[inline]
    fn before(&self, x: W) -> W {
        let x = x & !self.own;
        self.back((x & !self.enemy) | self.beside(x))
    }

    /// Where these enemy pieces can capture.
    #[inline]
    fn attacked(&self, enemy: W) -> W {
        self.beside(self.back(enemy))
    }

    /// Squares of the row before the last where nobody can ever capture.
    #[inline]
    fn ok1(&self) -> W {
        self.back(self.far) & !self.attacked(self.enemy)
    }

    /// Squares two moves from the end from where the last two moves cannot be stopped, if it is
    /// the own turn.
    #[inline]
    fn ok2(&self) -> W {
        let ok1 = self.ok1() & !self.own;
        // Only from straight ahead, at home, could somebody step in the way.
        let clear = ok1 & !self.enemy & !self.back(self.enemy);
        self.back(clear | self.beside(ok1))
    }

    /// Squares three moves from the end from where the rest cannot be stopped, if it is the
    /// enemy's turn.
    #[inline]
    fn ok3(&self, ok2: W) -> W {
        let grid = self.grid;
        let attacked = self.attacked(self.enemy);
        let taken = self.own | self.enemy;
        let next = ok2 & !attacked & !self.own;
        let straight = self.back(next & !self.enemy);
        let (left, right) = (grid.east(self.back(next)), grid.west(self.back(next)));
        // Where the enemy can step to, one and two rows ahead of the runner.
        let steps = (self.back(self.enemy) & !taken) | (attacked & !self.enemy);
        let (blocked, guard) = (self.back(steps), self.back(self.back(steps)));
        let (guard_left, guard_right) = (grid.east(guard), grid.west(guard));
        let lone_left = left & !(guard | grid.east(guard_left));
        let lone_right = right & !(guard | grid.west(guard_right));
        let lone_straight = straight & !(blocked | guard_left | guard_right);
        let two = (straight & (left | right)) | (left & right & !guard);
        (two | lone_left | lone_right | lone_straight) & !attacked
    }

    /// Runners that win, moving first. All are as near, and nearer ones do not win.
    #[inline]
    fn win_first(&self) -> W {
        let mut row = self.back(self.far);
        let runners = self.own & row;
        if !runners.is_empty() {
            return runners;
        }
        // The enemy must not be nearer: each turn of the loop is one row further.
        let mut goal = self.ahead(self.home);
        if !(self.enemy & goal).is_empty() {
            return W::ZERO;
        }
        let attacked = self.attacked(self.enemy);
        row = self.back(row);
        let runners = self.own & row & self.before(self.ok1());
        if !runners.is_empty() {
            return runners;
        }
        goal = self.ahead(goal);
        if !(self.enemy & goal).is_empty() {
            return W::ZERO;
        }
        row = self.back(row);
        let ok2 = self.ok2();
        let runners = self.own & row & self.before(ok2 & !attacked);
        if !runners.is_empty() {
            return runners;
        }
        goal = self.ahead(goal);
        if !(self.enemy & goal).is_empty() {
            return W::ZERO;
        }
        row = self.back(row);
        self.own & row & self.before(self.ok3(ok2))
    }

    /// Runners that win, moving second. All are as near, and nearer ones do not win.
    #[inline]
    fn win_second(&self) -> W {
        let mut goal = self.ahead(self.home);
        if !(self.enemy & goal).is_empty() {
            return W::ZERO;
        }
        let attacked = self.attacked(self.enemy);
        let mut row = self.back(self.far);
        let runners = self.own & row & !attacked;
        if !runners.is_empty() {
            return runners;
        }
        goal = self.ahead(goal);
        if !(self.enemy & goal).is_empty() {
            return W::ZERO;
        }
        row = self.back(row);
        let ok2 = self.ok2();
        let runners = self.own & row & ok2 & !attacked;
        if !runners.is_empty() {
            return runners;
        }
        goal = self.ahead(goal);
        if !(self.enemy & goal).is_empty() {
            return W::ZERO;
        }
        row = self.back(row);
        self.own & row & self.ok3(ok2)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use foregone_model::{Game, Guide, Notation, Outcome, Rng, Turn};

    use super::RULE;
    use crate::breakthrough::{Breakthrough, State};
    use crate::testing;

    type Memo = HashMap<State<u64>, Outcome>;

    /// Compares with trying everything; says whether the rule spoke.
    fn agrees(game: &Breakthrough<u64>, s: &State<u64>, memo: &mut Memo) -> bool {
        if game.turn(s) == Turn::Over {
            return false;
        }
        let Some(known) = game.known(s) else {
            return false;
        };
        let value = testing::solve(game, s, memo);
        let found = (known.at_least, known.at_most, known.by);
        assert_eq!(found, (value, value, RULE), "{}", game.position_text(s));
        true
    }

    /// The text of a position; cell 0 of the board is `a1`.
    fn text(board: &[char], cols: u32, mover: &str) -> String {
        let rows: Vec<String> =
            board.chunks(cols as usize).rev().map(|row| row.iter().collect()).collect();
        format!("{} {mover}", rows.join("/"))
    }

    /// Every placement of at most `most` pieces for each player, with both players to move.
    fn all_placements(rows: u32, cols: u32, most: usize) -> (usize, usize) {
        let game: Breakthrough<u64> = Breakthrough::new(rows, cols);
        let cells = (rows * cols) as usize;
        let (mut told, mut all) = (0, 0);
        let mut memo = Memo::new();
        let mut stack = vec![(0, Vec::new())];
        while let Some((next, placed)) = stack.pop() {
            let count = |piece| placed.iter().filter(|&&(_, p)| p == piece).count();
            if next < cells {
                stack.push((next + 1, placed.clone()));
                for piece in ['w', 'b'] {
                    // Who stands on the far row has won.
                    let far =
                        if piece == 'w' { cells - cols as usize..cells } else { 0..cols as usize };
                    if count(piece) < most && !far.contains(&next) {
                        let mut more = placed.clone();
                        more.push((next, piece));
                        stack.push((next + 1, more));
                    }
                }
                continue;
            }
            if count('w') == 0 || count('b') == 0 {
                continue;
            }
            let mut board = vec!['.'; cells];
            placed.iter().for_each(|&(cell, piece)| board[cell] = piece);
            for mover in ["white", "black"] {
                let s = game.read_position(&text(&board, cols, mover)).unwrap();
                all += 1;
                told += usize::from(agrees(&game, &s, &mut memo));
            }
        }
        (told, all)
    }

    #[test]
    fn agrees_with_trying_everything_on_all_placements() {
        // The most pieces of each player, and the share of positions that the rule tells of.
        for (rows, cols, most, percent) in [
            (4, 2, 6, 75),
            (4, 3, 5, 80),
            (5, 3, 3, 75),
            (4, 4, 3, 80),
            (5, 4, 2, 80),
            (6, 3, 2, 75),
            (6, 2, 3, 70),
            (7, 2, 2, 70),
        ] {
            let (told, all) = all_placements(rows, cols, most);
            assert!(told * 100 >= all * percent, "{rows}x{cols}: {told} of {all}");
        }
    }

    #[test]
    fn agrees_with_trying_everything_on_all_positions_of_the_game() {
        for (rows, cols, percent) in [(4, 3, 90), (5, 3, 80), (4, 4, 90)] {
            let game: Breakthrough<u64> = Breakthrough::new(rows, cols);
            let mut memo = Memo::new();
            let mut seen = HashSet::from([game.start()]);
            let mut stack = vec![game.start()];
            let (mut told, mut all) = (0, 0);
            let mut moves = Vec::new();
            while let Some(s) = stack.pop() {
                let Some(agent) = game.turn(&s).mover() else {
                    continue;
                };
                all += 1;
                told += usize::from(agrees(&game, &s, &mut memo));
                moves.clear();
                game.moves(&s, agent, &mut moves);
                for &m in &moves {
                    let mut t = s;
                    game.play(&mut t, agent, m);
                    if seen.insert(t) {
                        stack.push(t);
                    }
                }
            }
            assert!(told * 100 >= all * percent, "{rows}x{cols}: {told} of {all}");
        }
    }

    #[test]
    fn agrees_with_trying_everything_on_scattered_pieces() {
        let mut rng = Rng::new(11);
        for (rows, cols, most) in [(6, 5, 3), (8, 4, 2), (5, 6, 3)] {
            let game: Breakthrough<u64> = Breakthrough::new(rows, cols);
            let mut told = 0;
            for _ in 0..300 {
                let mut board = vec!['.'; (rows * cols) as usize];
                let cells = (rows - 1) * cols;
                for _ in 0..=rng.below(most) {
                    board[rng.below(cells) as usize] = 'w';
                }
                for _ in 0..=rng.below(most) {
                    let cell = (cols + rng.below(cells)) as usize;
                    // White keeps what it has, lest it has nothing.
                    board[cell] = if board[cell] == 'w' { 'w' } else { 'b' };
                }
                let mover = ["white", "black"][rng.below(2) as usize];
                if board.contains(&'b') {
                    let s = game.read_position(&text(&board, cols, mover)).unwrap();
                    told += usize::from(agrees(&game, &s, &mut Memo::new()));
                }
            }
            assert!(told >= 150, "{rows}x{cols}: {told} of 300");
        }
    }
}
