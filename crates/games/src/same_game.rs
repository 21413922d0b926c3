//! SameGame (Kuniaki Moribe, *Chain Shot!*, 1985).
//!
//! One player. Cells of one colour that touch along edges are a group. A move removes a group of
//! n cells, at least two, and scores (n - 2)² points. What is above falls down; columns that
//! become empty are closed by those to the right of them. The game is over when no group has two
//! cells. The usual bonus of 1000 points for clearing the board is left out: it would only stretch
//! the scale. The board is filled at random, each cell with each colour alike, from a seed.
//!
//! The cells of a column lie together, so that falling is a shift. The number of a cell's colour is
//! spread over three sets of cells, one for each of its binary digits.

use foregone_model::{
    Agent, Claim, Game, Guide, Known, Notation, Outcome, Rng, Scale, Side, TextError, Turn,
};

use crate::board::{Grid, Word, least, read_cells, sort_by_rank};
use crate::scores::points;
use crate::{same_game_bounds, same_game_witness};

/// How many colours there can be: numbers of three binary digits, 0 stands for an empty cell.
pub const MOST_COLOURS: u32 = 7;

/// SameGame on a board that a seed has filled.
#[derive(Clone, Debug)]
pub struct SameGame<W> {
    /// The board as one sees it: for names and drawings.
    upright: Grid<W>,
    /// The same board lying on its side: its rows are the columns, so that up is `east` and right
    /// is `north`.
    lying: Grid<W>,
    colours: u32,
    seed: u32,
    start: State<W>,
    /// More than the board of the start allows nobody can score.
    most: u32,
}

/// What is left on the board, and the points so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    /// The binary digits of the colours.
    digits: [W; 3],
    score: u16,
}

/// There is nobody on the other side.
const PLAYERS: [&str; 2] = ["player", "nobody"];

const SYMBOLS: [char; 8] = ['.', '1', '2', '3', '4', '5', '6', '7'];

impl<W: Word> State<W> {
    /// The cells that are not empty.
    #[inline]
    fn taken(&self) -> W {
        self.digits[0] | self.digits[1] | self.digits[2]
    }

    /// The cells of a colour.
    #[inline]
    fn of_colour(&self, colour: u32) -> W {
        let mut cells = self.taken();
        for (i, &digit) in self.digits.iter().enumerate() {
            cells = cells & if colour >> i & 1 == 1 { digit } else { !digit };
        }
        cells
    }

    #[inline]
    fn colour_at(&self, cell: u32) -> u32 {
        (0..).zip(&self.digits).fold(0, |n, (i, digit)| n | u32::from(digit.has(cell)) << i)
    }

    fn set(&mut self, cell: u32, colour: u32) {
        for (i, digit) in self.digits.iter_mut().enumerate() {
            if colour >> i & 1 == 1 {
                *digit = *digit | W::bit(cell);
            }
        }
    }
}

/// The points for a group.
#[inline]
pub(crate) fn points_for(cells: u32) -> u32 {
    cells.saturating_sub(2).pow(2)
}

impl<W: Word> SameGame<W> {
    /// A board of this size, which must fit into the word, with one to [`MOST_COLOURS`] colours.
    pub fn new(rows: u32, cols: u32, colours: u32, seed: u32) -> SameGame<W> {
        assert!((1..=MOST_COLOURS).contains(&colours), "a number of colours that fits");
        let mut game = SameGame {
            upright: Grid::new(rows, cols),
            lying: Grid::new(cols, rows),
            colours,
            seed,
            start: State { digits: [W::ZERO; 3], score: 0 },
            most: 0,
        };
        let mut rng = Rng::new(u64::from(seed));
        // In the order in which one reads: the top row first.
        for row in (0..rows).rev() {
            for col in 0..cols {
                game.start.set(col * rows + row, 1 + rng.below(colours));
            }
        }
        game.most = same_game_bounds::most_points(game.counts(&game.start));
        game
    }

    /// How many cells each colour has.
    #[inline]
    fn counts(&self, s: &State<W>) -> impl Iterator<Item = u32> {
        (1..=self.colours).map(move |colour| s.of_colour(colour).count())
    }

    /// The groups of at least two cells, in the order of their lowest cells.
    #[inline]
    fn groups(&self, s: &State<W>) -> impl Iterator<Item = W> {
        let mut rest = s.taken();
        std::iter::from_fn(move || {
            while !rest.is_empty() {
                let group = self.group(s, rest.lowest());
                rest = rest & !group;
                if group.count() >= 2 {
                    return Some(group);
                }
            }
            None
        })
    }

    /// The group of a cell that is not empty.
    #[inline]
    fn group(&self, s: &State<W>, cell: u32) -> W {
        self.lying.flood(W::bit(cell), s.of_colour(s.colour_at(cell)))
    }

    /// Whether two cells of one colour touch.
    #[inline]
    fn has_group(&self, s: &State<W>) -> bool {
        let touches = |next: fn(&Grid<W>, W) -> W| {
            let both = s.taken() & next(&self.lying, s.taken());
            let differ = s.digits.iter().fold(W::ZERO, |w, &d| w | (d ^ next(&self.lying, d)));
            !(both & !differ).is_empty()
        };
        touches(Grid::north) || touches(Grid::east)
    }

    /// The cells of a column.
    #[inline]
    fn column(&self, col: u32) -> W {
        let rows = self.upright.rows;
        W::first((col + 1) * rows) & !W::first(col * rows)
    }

    /// Takes cells away; the others fall down and close ranks.
    fn remove(&self, s: &mut State<W>, group: W) {
        let rows = self.upright.rows;
        // From the top, so that nothing of the group falls before it is gone.
        let mut rest = group;
        while !rest.is_empty() {
            let cell = W::BITS - 1 - rest.reversed().lowest();
            rest = rest ^ W::bit(cell);
            let from = self.column(cell / rows) & !W::first(cell);
            for digit in &mut s.digits {
                *digit = (*digit & !from) | ((*digit & (from ^ W::bit(cell))) >> 1);
            }
        }
        for col in (0..self.upright.cols - 1).rev() {
            if (s.taken() & self.column(col)).is_empty() {
                let before = W::first(col * rows);
                for digit in &mut s.digits {
                    *digit = (*digit & before) | ((*digit >> rows) & !before);
                }
            }
        }
    }

    /// The same board with its colours numbered in the order of their lowest cells.
    fn renumbered(&self, s: &State<W>) -> [W; 3] {
        let mut next = State { digits: [W::ZERO; 3], score: 0 };
        let mut rest = s.taken();
        for colour in 1..=self.colours {
            if rest.is_empty() {
                break;
            }
            let cells = s.of_colour(s.colour_at(rest.lowest()));
            rest = rest & !cells;
            for (i, digit) in next.digits.iter_mut().enumerate() {
                if colour >> i & 1 == 1 {
                    *digit = *digit | cells;
                }
            }
        }
        next.digits
    }

    /// The cell of the lying board where an upright one has this one.
    fn laid(&self, cell: u32) -> u32 {
        cell % self.upright.cols * self.upright.rows + cell / self.upright.cols
    }

    fn symbol(&self, s: &State<W>, upright_cell: u32) -> char {
        SYMBOLS[s.colour_at(self.laid(upright_cell)) as usize]
    }

    /// The place in a position's text of the cell in this column and row.
    fn place(&self, col: u32, row: u32) -> usize {
        ((self.upright.rows - 1 - row) * (self.upright.cols + 1) + col) as usize
    }
}

impl<W: Word> Game for SameGame<W> {
    type State = State<W>;
    /// The lowest cell of the leftmost column of the group.
    type Move = u8;

    fn scale(&self) -> Scale {
        points(self.most.max(1))
    }

    fn start(&self) -> State<W> {
        self.start
    }

    #[inline]
    fn turn(&self, s: &State<W>) -> Turn {
        if self.has_group(s) { Turn::Agent(Side::Max.agent()) } else { Turn::Over }
    }

    #[inline]
    fn moves(&self, s: &State<W>, _agent: Agent, out: &mut Vec<u8>) {
        out.extend(self.groups(s).map(|group| group.lowest() as u8));
    }

    #[inline]
    fn play(&self, s: &mut State<W>, _agent: Agent, m: u8) {
        let group = self.group(s, u32::from(m));
        s.score += points_for(group.count()) as u16;
        self.remove(s, group);
    }

    #[inline]
    fn outcome(&self, s: &State<W>) -> Outcome {
        Outcome(s.score)
    }

    fn confirms(&self, s: &State<W>, claim: Claim, rule: &str, reason: &str) -> bool {
        let Claim { prover, at_least, .. } = claim;
        let cells = (0..self.upright.rows * self.upright.cols).map(|cell| s.colour_at(cell));
        rule == same_game_bounds::RULE
            && same_game_witness::confirms(cells, s.score, prover, at_least, reason)
    }
}

impl<W: Word> Guide for SameGame<W> {
    type Packed = Self::State;

    #[inline]
    fn pack(&self, s: &Self::State) -> Self::State {
        *s
    }

    #[inline]
    fn known(&self, s: &State<W>) -> Option<Known> {
        let more = same_game_bounds::most_points(self.counts(s)) as u16;
        Some(Known {
            at_least: Outcome(s.score),
            at_most: Outcome(s.score + more),
            by: same_game_bounds::RULE,
        })
    }

    #[inline]
    fn mobility(&self, s: &State<W>, _agent: Agent) -> u32 {
        self.groups(s).count() as u32
    }

    /// Which colour is which does not matter, nor which side is left: empty columns are closed
    /// from either side alike.
    fn canonical(&self, s: &State<W>) -> State<W> {
        let taken = s.taken();
        if taken.is_empty() {
            return *s;
        }
        let rows = self.upright.rows;
        let used = (W::BITS - 1 - taken.reversed().lowest()) / rows + 1;
        let mut mirrored = *s;
        self.lying.mirror_rows(&mut mirrored.digits);
        mirrored.digits = mirrored.digits.map(|d| d >> ((self.upright.cols - used) * rows));
        let digits = least([self.renumbered(s), self.renumbered(&mirrored)]);
        State { digits, score: s.score }
    }

    /// By what stays within reach: the points that all cells of a colour would make in one group,
    /// less those that are lost by taking the group now.
    fn order(&self, s: &State<W>, _agent: Agent, moves: &mut [u8]) {
        sort_by_rank(moves, |m| {
            let all = s.of_colour(s.colour_at(u32::from(m))).count();
            let group = self.group(s, u32::from(m)).count();
            let lost = points_for(all) - points_for(group) - points_for(all - group);
            -(lost as i16)
        });
    }
}

impl<W: Word> Notation for SameGame<W> {
    fn name(&self) -> String {
        let Grid { rows, cols, .. } = self.upright;
        format!("same-game:{rows}x{cols},{},{}", self.colours, self.seed)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn one_player(&self) -> bool {
        true
    }

    fn write_move(&self, _s: &State<W>, m: u8, out: &mut String) {
        let (col, row) = (u32::from(m) / self.upright.rows, u32::from(m) % self.upright.rows);
        self.upright.write_cell(row * self.upright.cols + col, out);
    }

    fn parse_move(&self, _s: &State<W>, text: &str) -> Option<u8> {
        let (cell, rest) = self.upright.parse_cell(text)?;
        rest.is_empty().then(|| self.laid(cell) as u8)
    }

    /// The rows, the highest first, and the points so far.
    fn write_position(&self, s: &State<W>, out: &mut String) {
        self.upright.write_rows(|cell| self.symbol(s, cell), out);
        out.push_str(&format!(" {}", s.score));
    }

    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        let Some((board, score)) = text.rsplit_once(' ') else {
            let message = "a position ends with a space and the points so far";
            return Err(TextError::new(message, text.len()..text.len()));
        };
        let symbols = &SYMBOLS[..=self.colours as usize];
        let cells = read_cells(board, &self.upright.row_lengths(), symbols)?;
        let Grid { rows, cols, .. } = self.upright;
        let mut s = State { digits: [W::ZERO; 3], score: 0 };
        for (i, &colour) in (0..).zip(&cells) {
            s.set(i % cols * rows + (rows - 1 - i / cols), colour as u32);
        }
        let taken = s.taken();
        for cell in taken.cells() {
            let (col, row) = (cell / rows, cell % rows);
            let message = if row > 0 && !taken.has(cell - 1) {
                "there is nothing below this cell, it would have fallen down"
            } else if col > 0 && row == 0 && !taken.has(cell - rows) {
                "the column to the left of this one is empty, it would have been closed"
            } else {
                continue;
            };
            let at = self.place(col, row);
            return Err(TextError::new(message, at..at + 1));
        }
        let more = same_game_bounds::most_points(self.counts(&s));
        let most = self.most.checked_sub(more).ok_or_else(|| {
            let message = format!(
                "this board may bring {more} points, more than the {} of the board of {}",
                self.most,
                self.name()
            );
            TextError::new(message, 0..board.len())
        })?;
        // One text a position: no signs, no leading zeros.
        let number = score.parse::<u16>().ok().filter(|n| n.to_string() == score);
        s.score = number.filter(|&n| u32::from(n) <= most).ok_or_else(|| {
            let message =
                format!("`{score}` cannot be the points so far, expected 0 to {most} here");
            TextError::new(message, board.len() + 1..text.len())
        })?;
        Ok(s)
    }

    fn draw(&self, s: &State<W>) -> String {
        let mut out = self.upright.draw(|cell| self.symbol(s, cell));
        out.push_str(&format!("score {}\n", s.score));
        out
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::Typed as _;
    use std::collections::HashMap;

    use super::*;
    use crate::testing::{self, Image};

    /// The rules once more: columns as lists, from left to right and from below.
    #[derive(Clone, Debug, PartialEq)]
    struct Slow(Vec<Vec<char>>);

    impl Slow {
        fn read(text: &str) -> Slow {
            let rows: Vec<Vec<char>> = text
                .split(' ')
                .next()
                .unwrap()
                .split('/')
                .rev()
                .map(|row| row.chars().collect())
                .collect();
            let column = |c: usize| rows.iter().map(|r| r[c]).filter(|&x| x != '.').collect();
            let mut columns: Vec<Vec<char>> = (0..rows[0].len()).map(column).collect();
            columns.retain(|c| !c.is_empty());
            Slow(columns)
        }

        fn group(&self, start: (usize, usize)) -> Vec<(usize, usize)> {
            let at = |(c, r): (usize, usize)| self.0.get(c).and_then(|col| col.get(r));
            let mut group = vec![start];
            let mut next = 0;
            while next < group.len() {
                let (c, r) = group[next];
                next += 1;
                for cell in [(c + 1, r), (c.wrapping_sub(1), r), (c, r + 1), (c, r.wrapping_sub(1))]
                {
                    if at(cell).is_some() && at(cell) == at(start) && !group.contains(&cell) {
                        group.push(cell);
                    }
                }
            }
            group.sort();
            group
        }

        fn without(&self, group: &[(usize, usize)]) -> Slow {
            let keep = |c: usize| {
                let column = self.0[c].iter().enumerate();
                column.filter(|&(r, _)| !group.contains(&(c, r))).map(|(_, &x)| x).collect()
            };
            let mut columns: Vec<Vec<char>> = (0..self.0.len()).map(keep).collect();
            columns.retain(|c| !c.is_empty());
            Slow(columns)
        }

        /// The lowest cells of the groups that can be taken, and the groups.
        fn moves(&self) -> Vec<(String, Vec<(usize, usize)>)> {
            let mut moves = Vec::new();
            for (c, column) in self.0.iter().enumerate() {
                for r in 0..column.len() {
                    let group = self.group((c, r));
                    if group[0] == (c, r) && group.len() >= 2 {
                        moves.push((format!("{}{}", (b'a' + c as u8) as char, r + 1), group));
                    }
                }
            }
            moves
        }
    }

    #[test]
    fn plays_agree_with_a_board_without_bits() {
        let mut rng = Rng::new(1);
        for (rows, cols, colours) in
            [(1, 1, 1), (1, 9, 2), (9, 1, 2), (4, 4, 3), (5, 7, 7), (8, 8, 2), (2, 26, 3)]
        {
            for seed in 0..10 {
                let game = SameGame::<u64>::new(rows, cols, colours, seed);
                let mut s = game.start();
                let mut slow = Slow::read(&game.position_text(&s));
                let mut score = 0;
                loop {
                    let moves = slow.moves();
                    assert_eq!(game.turn(&s) == Turn::Over, moves.is_empty(), "{s:?}");
                    if moves.is_empty() {
                        break;
                    }
                    let mut found = Vec::new();
                    game.moves(&s, Agent(0), &mut found);
                    let names: Vec<String> = found.iter().map(|&m| game.move_text(&s, m)).collect();
                    let expected: Vec<&String> = moves.iter().map(|(name, _)| name).collect();
                    assert_eq!(names.iter().collect::<Vec<_>>(), expected);
                    let pick = rng.below(moves.len() as u32) as usize;
                    game.play(&mut s, Agent(0), found[pick]);
                    slow = slow.without(&moves[pick].1);
                    score += (moves[pick].1.len() - 2).pow(2);
                    assert_eq!(Slow::read(&game.position_text(&s)), slow);
                    assert_eq!(usize::from(s.score), score);
                }
            }
        }
    }

    #[test]
    fn a_board_and_its_play() {
        let game = SameGame::<u64>::new(4, 4, 3, 1);
        assert_eq!(game.position_text(&game.start()), "2332/2332/1322/2221 0");
        // The lowest cells, two columns of which reach up to the right: seven in all.
        let s = game.read_position_or_moves("moves:a1").unwrap();
        assert_eq!(game.position_text(&s), "..../23../233./1331 25");
        assert_eq!(game.draw(&s).lines().last(), Some("score 25"));
        // The threes fall and the last column moves up.
        let s = game.read_position_or_moves("moves:a1,b1").unwrap();
        assert_eq!(game.position_text(&s), "..../2.../2.../11.. 34");
    }

    #[test]
    fn small_boards_by_hand() {
        let game = SameGame::<u64>::new(3, 3, 2, 1);
        for (board, value) in [
            // The twos in the middle go first, and the ones close ranks: six of them.
            ("1.1/121/121 0", "16"),
            ("11./22./11. 0", "4"),
            ("1../2../1.. 0", "0"),
            ("1../1../1.. 3", "4"),
        ] {
            let s = game.read_position(board).unwrap();
            let found = testing::solve(&game, &s, &mut HashMap::new());
            assert_eq!(game.scale().name(found), value, "{board}");
        }
    }

    #[test]
    fn texts_round_trip() {
        for (rows, cols, colours) in [(1, 1, 1), (4, 4, 3), (8, 8, 5), (3, 12, 7)] {
            testing::texts_round_trip(&SameGame::<u64>::new(rows, cols, colours, 7), 20);
        }
        testing::texts_round_trip(&SameGame::<u128>::new(10, 12, 5, 7), 5);
        testing::nonsense_is_refused(&SameGame::<u64>::new(3, 4, 3, 2));
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = SameGame::<u64>::new(2, 3, 2, 1);
        for (text, span) in [
            ("1../... 0", 0..1),
            ("1.../.1. 0", 0..4),
            (".../.12 0", 5..6),
            (".../1.2 0", 6..7),
            (".../123 0", 6..7),
            (".../112 x", 8..9),
            (".../112 00", 8..10),
            (".../112 9", 8..9),
            ("111/111 0", 0..7),
            (".../112", 7..7),
        ] {
            assert_eq!(game.read_position(text).unwrap_err().span, span, "{text}");
        }
    }

    #[test]
    fn both_words_play_the_same_game() {
        for (rows, cols) in [(4, 4), (8, 8), (1, 40)] {
            let one = SameGame::<u64>::new(rows, cols, 3, 5);
            testing::same_game(&one, &SameGame::<u128>::new(rows, cols, 3, 5), 20);
        }
    }

    #[test]
    fn images_are_alike() {
        // Mirrored, and moved to the left where empty columns have come.
        const MIRRORED: Image = |rows| {
            let empty = rows[rows.len() - 1].iter().filter(|&&c| c == '.').count();
            let mirror = |row: &Vec<char>| {
                let mut row: Vec<char> = row.iter().rev().copied().collect();
                row.rotate_left(empty);
                row
            };
            rows.iter().map(mirror).collect()
        };
        fn renamed(rows: &[Vec<char>], to: &str) -> Vec<Vec<char>> {
            let name = |&c: &char| match c.to_digit(10) {
                Some(colour) => to.chars().nth(colour as usize - 1).unwrap(),
                None => c,
            };
            rows.iter().map(|row| row.iter().map(name).collect()).collect()
        }
        let two: [Image; 2] = [MIRRORED, |rows| renamed(rows, "21")];
        let three: [Image; 3] =
            [MIRRORED, |rows| renamed(rows, "213"), |rows| renamed(rows, "231")];
        for seed in 0..4 {
            let game = SameGame::<u64>::new(3, 4, 2, seed);
            testing::images_are_alike(&game, 20, &two, 4, true);
            let game = SameGame::<u64>::new(4, 4, 3, seed);
            testing::images_are_alike(&game, 20, &three, 12, true);
        }
        testing::images_are_alike(&SameGame::<u64>::new(8, 8, 3, 1), 5, &three, 12, false);
        testing::images_are_alike(&SameGame::<u128>::new(9, 14, 3, 1), 3, &three, 12, false);
    }
}
