//! Checks the reasons that certificates give for what is known of Connect Four.
//!
//! This file plays nothing out and uses nothing of what finds the reasons. It looks at the lines
//! of four of the board, one by one. Cells are bits: that of row `r` in column `c`, both counted
//! from 0 and from the bottom left, is `c * (rows + 1) + r`. The bit above a column is never set.
//!
//! `threats COLUMN`: the player to move completes four in this column.
//!
//! `threats`: the player to move completes four nowhere, and whichever column that player moves
//! in, the opponent then completes four: in another column, or in the same one just above.
//!
//! `follow-up A-B … C`: one player, the *follower*, keeps to a plan (*claimeven* and *baseinverse*
//! of V. Allis, 1988), the other one, the *leader*, does what it likes. The columns that are named
//! are those with an odd number of empty cells: pairs of them, and one, `C`, that the follower
//! moves in at once. So there is a `C` if and only if it is the follower's turn. From then on:
//!
//! * Whenever the leader is to move, every column has an even number of empty cells, but for the
//!   pairs that nobody has moved in yet, whose columns both have an odd number.
//! * If the leader moves in a column of such a pair, the follower moves in the other one. Else the
//!   follower moves just above the leader. Either is possible, and the rule above holds again.
//!
//! So the follower always has a move when it needs one. Count the cells of a column from the top,
//! beginning with 1. Then the leader never gets
//!
//! * a cell with an odd number, but for the lowest empty cell of a column that is named: the
//!   leader enters a column with an even number of empty cells, and the follower comes next;
//! * the lowest empty cell of `C`;
//! * the lowest empty cells of both columns of a pair.
//!
//! Call the first two kinds, with the stones that the follower has, the follower's *sure* cells.
//! If every line of four holds a sure cell or both cells of a pair, then the leader never
//! completes four, and the follower does not lose. If some line of four has sure cells only, the
//! follower wins: the leader never ends the game, so it ends when the follower has completed four,
//! or when the board is full, and then the follower has all its sure cells, that line included.

use foregone_model::{Outcome, Side};

use crate::board::Word;

/// What is looked up for each board.
#[derive(Clone, Debug)]
pub struct Board<W> {
    /// How far apart as bits are two neighbours of a row.
    height: u32,
    /// All cells.
    cells: W,
    /// The lowest cells of the columns.
    bottom: W,
    /// The cells with an odd number, counted from the top of their column, beginning with 1.
    odd: W,
    /// The cells of each column.
    columns: Vec<W>,
    /// Every four cells in a line.
    lines: Vec<W>,
    /// For each bit the lines that it is in: each without that bit, three cells. All bits stand
    /// for no line.
    through: Vec<[W; MOST_LINES]>,
}

/// The most lines that a cell is in: four in each of four directions.
const MOST_LINES: usize = 16;

/// The most pairs of columns that a reason may name. A board of 128 bits has 64 columns at most.
const MOST_PAIRS: usize = 32;

impl<W: Word> Board<W> {
    /// A board of this size; `cols * (rows + 1)` bits must fit into the word, and `rows + 3`.
    pub fn new(rows: u32, cols: u32) -> Board<W> {
        let cell = |row: u32, col: u32| W::bit(col * (rows + 1) + row);
        let mut board = Board {
            height: rows + 1,
            cells: W::ZERO,
            bottom: W::ZERO,
            odd: W::ZERO,
            columns: vec![W::ZERO; cols as usize],
            lines: Vec::new(),
            through: vec![[!W::ZERO; MOST_LINES]; (cols * (rows + 1)) as usize],
        };
        for col in 0..cols {
            for row in 0..rows {
                let here = cell(row, col);
                board.cells = board.cells | here;
                board.columns[col as usize] = board.columns[col as usize] | here;
                if row == 0 {
                    board.bottom = board.bottom | here;
                }
                if (rows - row) % 2 == 1 {
                    board.odd = board.odd | here;
                }
                // Up, to the right, and both diagonals to the right.
                let (up, right) = (row + 3 < rows, col + 3 < cols);
                let mut line = |cell_at: &dyn Fn(u32) -> W| {
                    board.lines.push(cell_at(0) | cell_at(1) | cell_at(2) | cell_at(3));
                };
                if up {
                    line(&|i| cell(row + i, col));
                }
                if right {
                    line(&|i| cell(row, col + i));
                }
                if up && right {
                    line(&|i| cell(row + i, col + i));
                }
                if row >= 3 && right {
                    line(&|i| cell(row - i, col + i));
                }
            }
        }
        for (cell, through) in board.through.iter_mut().enumerate() {
            let cell = W::bit(cell as u32);
            let lines = board.lines.iter().filter(|&&line| !(line & cell).is_empty());
            for (entry, &line) in through.iter_mut().zip(lines) {
                *entry = line & !cell;
            }
        }
        board
    }

    /// Whether the reason shows that Max reaches at least this outcome, if Max is the prover, or
    /// that Min keeps Max below it. Outcomes are 0 for a loss of Max, 1 for a draw, 2 for a win.
    /// `stones` are Max's and Min's. Of a game that is over nothing is confirmed.
    pub fn confirms(
        &self,
        stones: [W; 2],
        turn: Side,
        prover: Side,
        at_least: Outcome,
        rule: &str,
        reason: &str,
    ) -> bool {
        let Some(landing) = self.landing(stones) else { return false };
        // Only who moved last can have won.
        if self.has_four(stones[turn.other().index()]) {
            return false;
        }
        let own = stones[prover.index()];
        let other = stones[prover.other().index()];
        // What a win and a draw of the prover are worth to Max.
        let (win, draw) = if prover == Side::Max { (2, 1) } else { (0, 1) };
        let enough = |value: u16| match prover {
            Side::Max => value >= at_least.0,
            Side::Min => value < at_least.0,
        };
        if rule == "threats" {
            enough(win)
                && if turn == prover {
                    self.wins_now(own, landing, reason)
                } else {
                    reason.is_empty() && self.wins_next(own, other, landing)
                }
        } else if rule == "follow-up" {
            let plan = self.follows(own, other, landing, turn == prover, reason);
            plan.is_some_and(|wins| enough(draw) || (wins && enough(win)))
        } else {
            false
        }
    }

    /// The cells that a stone would fall on, one in each open column. Nothing if there is none, or
    /// if these stones cannot stand so: two in one cell, outside of the board, or in the air.
    #[inline]
    fn landing(&self, [max, min]: [W; 2]) -> Option<W> {
        let taken = max | min;
        // Cells on the floor or on a stone.
        let carried = ((taken << 1) | self.bottom) & self.cells;
        let landing = carried & !taken;
        let sound = (max & min).is_empty() && (taken & !carried).is_empty();
        (sound && !landing.is_empty()).then_some(landing)
    }

    /// The landing cell of a column that is written as a number, counted from 1.
    #[inline]
    fn landing_in(&self, landing: W, column: &str) -> Option<W> {
        let digits = column.as_bytes();
        if digits.is_empty() || digits.len() > 3 || digits[0] == b'0' {
            return None;
        }
        let mut number = 0usize;
        for digit in digits {
            if !digit.is_ascii_digit() {
                return None;
            }
            number = 10 * number + usize::from(digit - b'0');
        }
        let cell = landing & *self.columns.get(number - 1)?;
        (!cell.is_empty()).then_some(cell)
    }

    /// Whether four of these stones stand in a line.
    #[inline]
    fn has_four(&self, stones: W) -> bool {
        // The bits above the columns keep lines from going on in another column.
        let height = self.height;
        [1, height - 1, height, height + 1].iter().any(|&step| {
            let two = stones & (stones >> step);
            !(two & (two >> step >> step)).is_empty()
        })
    }

    /// Whether one more stone in this cell makes four in a line.
    #[inline]
    fn completes(&self, stones: W, cell: u32) -> bool {
        let empty = !stones;
        let complete = |found, three: &W| found | (*three & empty).is_empty();
        self.through[cell as usize].iter().fold(false, complete)
    }

    /// `threats COLUMN`: the prover is to move and completes four in this column.
    #[inline]
    fn wins_now(&self, own: W, landing: W, column: &str) -> bool {
        self.landing_in(landing, column).is_some_and(|cell| self.completes(own, cell.lowest()))
    }

    /// `threats`: the other one is to move and cannot keep the prover from completing four next.
    fn wins_next(&self, own: W, other: W, landing: W) -> bool {
        let near = landing | ((landing << 1) & self.cells);
        let one = |missing: W| missing.without_lowest().is_empty();
        // The cells among these that complete four for the prover.
        let mut wins = W::ZERO;
        for &line in &self.lines {
            if (line & !(own | near)).is_empty() && one(line & !own) {
                wins = wins | (line & !own);
            }
            if (line & !(other | landing)).is_empty() && one(line & !other) {
                return false;
            }
        }
        landing.cells().all(|cell| {
            let elsewhere = wins & landing & !W::bit(cell);
            !elsewhere.is_empty() || wins.has(cell + 1)
        })
    }

    /// `follow-up A-B … C`: whether the prover, who follows, wins. Nothing if the plan fails or is
    /// none.
    fn follows(&self, own: W, other: W, landing: W, moves: bool, reason: &str) -> Option<bool> {
        // The lowest empty cells of the columns with an odd number of empty cells that are still
        // to be named; the cell that the follower takes at once; and the pairs.
        let mut left = landing & self.odd;
        let mut first = W::ZERO;
        let mut pairs = [W::ZERO; MOST_PAIRS];
        let mut count = 0;
        let mut take = |column: &str| {
            let cell = self.landing_in(left, column)?;
            left = left & !cell;
            Some(cell)
        };
        for word in reason.split(' ').filter(|_| !reason.is_empty()) {
            if let Some((a, b)) = word.split_once('-') {
                *pairs.get_mut(count)? = take(a)? | take(b)?;
                count += 1;
            } else if moves && first.is_empty() {
                first = take(word)?;
            } else {
                return None;
            }
        }
        if !left.is_empty() || moves == first.is_empty() {
            return None;
        }
        let pairs = &pairs[..count];
        let empty = self.cells & !(own | other);
        let sure = own | first | (empty & self.odd & !landing);
        let mut wins = false;
        for &line in &self.lines {
            wins |= (line & !sure).is_empty();
            let safe = !(line & sure).is_empty() || pairs.iter().any(|&p| (p & !line).is_empty());
            if !safe {
                return None;
            }
        }
        Some(wins)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use foregone_model::{Agent, Game, Guide, Known, Notation, Rng, Turn};

    use super::*;
    use crate::connect_four::{ConnectFour, State};
    use crate::testing;

    const CLAIMS: [(Side, Outcome); 8] = [
        (Side::Max, Outcome(0)),
        (Side::Max, Outcome(1)),
        (Side::Max, Outcome(2)),
        (Side::Max, Outcome(3)),
        (Side::Min, Outcome(0)),
        (Side::Min, Outcome(1)),
        (Side::Min, Outcome(2)),
        (Side::Min, Outcome(3)),
    ];

    /// Those of them that are neither always true nor always false.
    const MIDDLE: [usize; 4] = [1, 2, 5, 6];

    /// Whether a claim is true of a position of which so much is known.
    fn holds((prover, at_least): (Side, Outcome), known: Known) -> bool {
        match prover {
            Side::Max => known.at_least >= at_least,
            Side::Min => known.at_most < at_least,
        }
    }

    /// One board, and how often something was confirmed on it.
    struct Trial<W> {
        rows: u32,
        cols: u32,
        game: ConnectFour<W>,
        board: Board<W>,
        rng: Rng,
        /// Finder's reasons, by rule.
        found: HashMap<&'static str, usize>,
        /// Claims confirmed by other reasons.
        others: usize,
    }

    /// A number that looks random, for some stones.
    fn mixed<W: Word>([max, min]: [W; 2]) -> u64 {
        Rng::new(max.low() ^ min.low().rotate_left(32)).bits()
    }

    impl<W: Word> Trial<W> {
        fn new(rows: u32, cols: u32) -> Trial<W> {
            Trial {
                rows,
                cols,
                game: ConnectFour::new(rows, cols),
                board: Board::new(rows, cols),
                // Set anew for each position.
                rng: Rng::new(0),
                found: HashMap::new(),
                others: 0,
            }
        }

        /// The stones of both and who is to move, read from the text of the position.
        fn plain(&self, s: &State<W>) -> ([W; 2], Side) {
            let text = self.game.position_text(s);
            let (rows, mover) = text.split_once(' ').unwrap();
            let mut stones = [W::ZERO; 2];
            for (row, symbols) in rows.rsplit('/').enumerate() {
                for (col, symbol) in symbols.chars().enumerate() {
                    if let Some(who) = "xo".find(symbol) {
                        let cell = W::bit(col as u32 * (self.rows + 1) + row as u32);
                        stones[who] = stones[who] | cell;
                    }
                }
            }
            (stones, if mover == "red" { Side::Max } else { Side::Min })
        }

        /// A reason that looks like one.
        fn any_reason(&mut self) -> String {
            let mut columns: Vec<u32> = (1..=self.cols).collect();
            for i in 0..columns.len() {
                let j = self.rng.below(self.cols) as usize;
                columns.swap(i, j);
            }
            let words: Vec<String> = columns
                .chunks(2)
                .take(self.rng.below(4) as usize)
                .map(|pair| match pair {
                    [a, b] if self.rng.below(4) > 0 => format!("{a}-{b}"),
                    _ => pair[0].to_string(),
                })
                .collect();
            words.join(" ")
        }

        /// The reason with one character changed, missing or doubled.
        fn damaged(&mut self, reason: &str) -> String {
            let mut chars: Vec<char> = reason.chars().collect();
            let at = self.rng.below(chars.len() as u32 + 1) as usize;
            let new = b"0123456789- x"[self.rng.below(13) as usize] as char;
            match self.rng.below(3) {
                0 if at < chars.len() => chars[at] = new,
                1 if at < chars.len() => _ = chars.remove(at),
                _ => chars.insert(at, new),
            }
            chars.into_iter().collect()
        }

        /// The reason that the finder gives is confirmed, and whatever is confirmed is true.
        fn check(&mut self, s: &State<W>, value: Option<Outcome>) {
            let (stones, turn) = self.plain(s);
            // Positions come in any order out of a map, and each has its own reasons.
            self.rng = Rng::new(mixed(stones));
            let over = self.game.turn(s) == Turn::Over;
            let mut reasons: Vec<String> = (0..3).map(|_| self.any_reason()).collect();
            reasons.extend([String::new(), (1 + self.rng.below(self.cols)).to_string()]);
            if !over && let Some(known) = self.game.known(s) {
                let reason = self.game.stated_reason(s).unwrap();
                for (prover, at_least) in CLAIMS {
                    // A bound at the end of the scale says nothing that needs a reason.
                    let said = holds((prover, at_least), known)
                        && !(prover == Side::Max && known.at_least.0 == 0)
                        && !(prover == Side::Min && known.at_most.0 == 2);
                    let confirmed =
                        self.board.confirms(stones, turn, prover, at_least, known.by, &reason);
                    // Nobody goes beyond the ends of the scale.
                    let never = [(Side::Max, 3), (Side::Min, 0)].contains(&(prover, at_least.0));
                    assert!(
                        (confirmed || !said) && !(confirmed && never),
                        "{known:?} `{reason}`\n{}",
                        self.game.draw(s)
                    );
                }
                *self.found.entry(known.by).or_default() += 1;
                reasons.extend([self.damaged(&reason), self.damaged(&reason), reason]);
            }
            let truth = value.map(|v| Known { at_least: v, at_most: v, by: "" });
            for (reason, (prover, at_least)) in
                reasons.iter().flat_map(|reason| MIDDLE.map(|claim| (reason, CLAIMS[claim])))
            {
                for rule in ["threats", "follow-up"] {
                    if !self.board.confirms(stones, turn, prover, at_least, rule, reason) {
                        continue;
                    }
                    let told = format!(
                        "{prover:?} {at_least:?} by {rule} `{reason}`\n{}",
                        self.game.draw(s)
                    );
                    assert!(!over, "{told}");
                    assert!(truth.is_none_or(|truth| holds((prover, at_least), truth)), "{told}");
                    self.others += 1;
                }
            }
        }

        /// All positions that can come up.
        fn positions(&self) -> HashSet<State<W>> {
            let mut seen = HashSet::from([self.game.start()]);
            let mut stack = vec![self.game.start()];
            while let Some(s) = stack.pop() {
                let Some(agent) = self.game.turn(&s).mover() else { continue };
                let mut moves = Vec::new();
                self.game.moves(&s, agent, &mut moves);
                for m in moves {
                    let mut next = s;
                    self.game.play(&mut next, agent, m);
                    if seen.insert(next) {
                        stack.push(next);
                    }
                }
            }
            seen
        }
    }

    #[test]
    fn what_is_confirmed_is_true_in_every_position_of_small_boards() {
        for (rows, cols) in [(4, 4), (2, 6), (3, 5), (6, 3), (5, 3), (2, 7), (4, 2), (1, 8)] {
            let mut trial = Trial::<u64>::new(rows, cols);
            let mut memo = HashMap::new();
            for s in trial.positions() {
                let value = testing::solve(&trial.game, &s, &mut memo);
                trial.check(&s, Some(value));
            }
            let found = |rule| *trial.found.get(rule).unwrap_or(&0);
            if (rows, cols) == (4, 4) {
                assert!(found("threats") > 1000 && found("follow-up") > 1000);
                assert!(trial.others > 10_000);
            }
        }
    }

    #[test]
    fn what_is_confirmed_is_true_where_one_player_moved_more_often() {
        for (rows, cols, plays) in [(4, 4, 100), (3, 5, 100), (5, 4, 20), (2, 8, 60)] {
            let mut trial = Trial::<u128>::new(rows, cols);
            let mut rng = Rng::new(2);
            let mut memo = HashMap::new();
            for _ in 0..plays {
                let mut s = trial.game.start();
                let mut moved = [0; 2];
                while trial.game.turn(&s) != Turn::Over {
                    let agent = Agent(rng.below(2) as u8);
                    let mut moves = Vec::new();
                    trial.game.moves(&s, agent, &mut moves);
                    let m = moves[rng.below(moves.len() as u32) as usize];
                    trial.game.play(&mut s, agent, m);
                    moved[usize::from(agent.0)] += 1;
                    if moved[0] + moved[1] > 4 {
                        let value = testing::solve(&trial.game, &s, &mut memo);
                        trial.check(&s, Some(value));
                    }
                }
            }
            assert!(trial.found.len() == 2 && trial.others > 100, "{rows}x{cols}");
        }
    }

    #[test]
    fn what_is_confirmed_is_true_in_the_second_half_of_larger_boards() {
        for (rows, cols, stones) in [(6, 7, 28), (5, 6, 16), (4, 6, 12), (5, 5, 12)] {
            let mut trial = Trial::<u64>::new(rows, cols);
            let mut rng = Rng::new(2);
            for _ in 0..40 {
                let play = testing::random_play(&trial.game, &mut rng);
                let Some(s) = play.get(stones) else { continue };
                let mut memo = HashMap::new();
                testing::solve(&trial.game, s, &mut memo);
                let all = memo.len() as u64;
                for (s, &value) in &memo {
                    if mixed(trial.plain(s).0) % all < 1000 {
                        trial.check(s, Some(value));
                    }
                }
            }
            assert!(trial.found.values().all(|&n| n > 100), "{rows}x{cols}: {:?}", trial.found);
        }
    }

    #[test]
    fn the_reasons_of_the_finder_are_confirmed_on_boards_of_all_sizes() {
        for (rows, cols) in [(6, 7), (7, 8), (10, 10), (1, 64), (2, 42), (8, 9), (61, 1), (30, 4)] {
            let mut trial = Trial::<u128>::new(rows, cols);
            let mut rng = Rng::new(2);
            for _ in 0..60 {
                for s in testing::random_play(&trial.game, &mut rng) {
                    trial.check(&s, None);
                }
            }
            assert!(cols == 1 || !trial.found.is_empty(), "{rows}x{cols}");
        }
    }

    /// Confirmed for some claim.
    fn any(board: &Board<u64>, stones: [u64; 2], turn: Side, rule: &str, reason: &str) -> bool {
        CLAIMS
            .iter()
            .any(|&(prover, at_least)| board.confirms(stones, turn, prover, at_least, rule, reason))
    }

    #[test]
    fn stones_that_cannot_stand_so_confirm_nothing() {
        let board: Board<u64> = Board::new(4, 4);
        // Three in the lowest row, and the fourth cell free.
        let three = 1 | 1 << 5 | 1 << 10;
        assert!(any(&board, [three, 0], Side::Max, "threats", "4"));
        assert!(!any(&board, [three, 1], Side::Max, "threats", "4"), "two stones in a cell");
        assert!(!any(&board, [three, 1 << 2], Side::Max, "threats", "4"), "a stone in the air");
        assert!(!any(&board, [three, 1 << 4], Side::Max, "threats", "4"), "above a column");
        assert!(!any(&board, [three, 1 << 20], Side::Max, "threats", "4"), "beside the board");
        assert!(!any(&board, [three, u64::MAX], Side::Max, "threats", "4"));
        let mut rng = Rng::new(5);
        for _ in 0..100_000 {
            let stones = [rng.bits() & rng.bits(), rng.bits() & rng.bits()];
            assert!(!any(&board, stones, Side::Max, "threats", ""));
            assert!(!any(&board, stones, Side::Min, "follow-up", "1-2 3-4"));
        }
    }

    #[test]
    fn another_rule_confirms_nothing() {
        let board: Board<u64> = Board::new(4, 4);
        let three = 1 | 1 << 5 | 1 << 10;
        assert!(any(&board, [three, 0], Side::Max, "threats", "4"));
        for rule in ["", "threat", "threats ", "Threats", "follow-up", "race-pattern"] {
            assert!(!any(&board, [three, 0], Side::Max, rule, "4"), "{rule}");
        }
    }

    #[test]
    fn shifted_stones_have_four_where_a_line_does() {
        let mut rng = Rng::new(7);
        for (rows, cols) in [(1, 7), (2, 9), (3, 6), (4, 4), (6, 7), (9, 3), (29, 2), (61, 1)] {
            let board: Board<u64> = Board::new(rows, cols);
            for _ in 0..2000 {
                let stones = (rng.bits() | rng.bits()) & board.cells;
                let four = board.lines.iter().any(|&line| (line & !stones).is_empty());
                assert_eq!(board.has_four(stones), four, "{rows}x{cols}");
            }
        }
    }

    #[test]
    fn any_text_is_read_without_harm() {
        let mut rng = Rng::new(6);
        let board: Board<u64> = Board::new(6, 7);
        let game: ConnectFour<u64> = ConnectFour::new(6, 7);
        let trial: Trial<u64> = Trial::new(6, 7);
        let many = "1-2 ".repeat(100);
        let texts = ["é", "1-", "-1", "--", "1-é", " ", "1  2", "4 ", " 4", "04", "+4", "0", "256"];
        let long = ["4294967296", "18446744073709551617", "4\0", "４", &many, "4-4-4"];
        for s in testing::random_play(&game, &mut rng) {
            let (stones, turn) = trial.plain(&s);
            for text in texts.iter().chain(&long) {
                assert!(!any(&board, stones, turn, "threats", text), "{text}");
                assert!(!any(&board, stones, turn, "follow-up", text), "{text}");
            }
        }
    }
}
