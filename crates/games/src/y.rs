//! Y (Claude Shannon, in the 1950s; independently Craige Schensted and Charles Titus).
//!
//! Black, who moves first, and White place stones in turn on the empty cells of a triangle of
//! hexagons. Who connects all three sides with one group wins. One of them always does.
//!
//! Whether stones connect the three sides is found by micro-reduction (Schensted): a board of
//! side n becomes one of side n - 1 in which each cell stands for three cells that touch one
//! another and goes to who has two of them. That keeps the winner, and on bits it is a handful of
//! operations a step.

use foregone_model::{Agent, Game, Guide, Notation, OffTurn, Outcome, Rng, Side, TextError, Turn};

use crate::board::{self, Mirror, Word, least, random_subset, sort_by_rank};
use crate::y_reduction;

/// Y on a triangle. The cell at place `i` of row `r`, both counted from 0 at the top, is bit
/// `r * side + i`: half of a square, so that the same shifts work in every row.
#[derive(Clone, Debug)]
pub struct Y<W> {
    side: u32,
    full: W,
    /// Two mirrors that together make all symmetries: one reverses the rows, the other the lines
    /// that run down to the left.
    mirrors: [Mirror<W>; 2],
}

/// The stones of Black and White and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    stones: [W; 2],
    turn: Side,
}

const PLAYERS: [&str; 2] = ["black", "white"];
const SYMBOLS: [char; 3] = ['.', 'x', 'o'];

impl<W: Word> State<W> {
    fn symbol(&self, cell: u32) -> char {
        match self.stones.map(|w| w.has(cell)) {
            [false, false] => SYMBOLS[0],
            [true, _] => SYMBOLS[1],
            _ => SYMBOLS[2],
        }
    }
}

impl<W: Word> Y<W> {
    /// A board of this side; its square must fit into the word.
    pub fn new(side: u32) -> Y<W> {
        let fits = (1..=y_reduction::MAX_SIDE).contains(&side) && side * side <= W::BITS;
        assert!(fits, "the board fits its word");
        let full = (0..side).fold(W::ZERO, |w, r| w | (W::first(r + 1) << (r * side)));
        let mirrors = [
            Mirror::new(1, (0..side).map(|r| (r * side, r + 1))),
            Mirror::new(side, (0..side).map(|i| (i * side + i, side - i))),
        ];
        Y { side, full, mirrors }
    }

    #[inline]
    fn free(&self, s: &State<W>) -> W {
        self.full & !(s.stones[0] | s.stones[1])
    }

    /// Whether a group of these stones touches all three sides. Cells without one count as the
    /// other player's, so that the board reduced is a full one.
    #[inline]
    fn connects(&self, stones: W) -> bool {
        let mut x = stones;
        for _ in 1..self.side {
            let left = x >> self.side;
            let right = left >> 1;
            x = (x & (left | right)) | (left & right);
        }
        x.has(0)
    }

    /// The rows from the top, each with its cells.
    fn rows(&self) -> impl Iterator<Item = std::ops::Range<u32>> {
        let side = self.side;
        (0..side).map(move |r| r * side..r * side + r + 1)
    }
}

impl<W: Word> Game for Y<W> {
    type State = State<W>;
    /// The cell of the stone.
    type Move = u8;

    fn start(&self) -> State<W> {
        State { stones: [W::ZERO; 2], turn: Side::Max }
    }

    fn off_turn(&self) -> OffTurn {
        OffTurn::Moves
    }

    #[inline]
    fn turn(&self, s: &State<W>) -> Turn {
        // Only who moved last can have connected. A full board has a winner, so whoever is to
        // move has an empty cell.
        if self.connects(s.stones[s.turn.other().index()]) {
            Turn::Over
        } else {
            Turn::Agent(s.turn.agent())
        }
    }

    #[inline]
    fn moves(&self, s: &State<W>, _agent: Agent, out: &mut Vec<u8>) {
        out.extend(self.free(s).cells().map(|c| c as u8));
    }

    #[inline]
    fn play(&self, s: &mut State<W>, agent: Agent, m: u8) {
        let side = Side::of(agent);
        s.stones[side.index()] = s.stones[side.index()] | W::bit(u32::from(m));
        s.turn = side.other();
    }

    #[inline]
    fn outcome(&self, s: &State<W>) -> Outcome {
        // Who moved last has connected.
        if s.turn == Side::Max { Outcome::LOSS } else { Outcome::WIN }
    }
}

impl<W: Word> Guide for Y<W> {
    type Packed = [W; 2];

    /// Who is to move follows from the number of stones in all positions of one search.
    #[inline]
    fn pack(&self, s: &State<W>) -> [W; 2] {
        s.stones
    }

    #[inline]
    fn mobility(&self, s: &State<W>, _agent: Agent) -> u32 {
        self.free(s).count()
    }

    /// The six symmetries of a triangle, made of two mirrors: none, one, the other, …
    #[inline]
    fn canonical(&self, s: &State<W>) -> State<W> {
        let [rows, lines] = &self.mirrors;
        let mut one = [s.stones; 2];
        rows.apply(&mut one[1]);
        let mut two = one;
        lines.apply(two.as_flattened_mut());
        let mut three = two;
        rows.apply(three.as_flattened_mut());
        let images = [one[0], one[1], two[0], two[1], three[0], three[1]];
        State { stones: least(images), turn: s.turn }
    }

    /// The cells first on which the evaluation hangs most. On side 5 a plain search then visits
    /// a fifth of the nodes that it visits with central cells first, and rather fewer than with
    /// moves sorted by the evaluation after each of them, which costs twice as much there and
    /// six times as much on side 11.
    fn order(&self, s: &State<W>, _agent: Agent, moves: &mut [u8]) {
        let influence = y_reduction::influence(self.side, s.stones[0], s.stones[1]);
        sort_by_rank(moves, |m| {
            let place = y_reduction::place(self.side, u32::from(m));
            // More than 8 is possible on a large board in theory only, and is cut off.
            (influence[place] * 4096.0) as i16
        });
    }

    fn evaluate(&self, s: &State<W>) -> Option<f64> {
        Some(y_reduction::evaluate(self.side, s.stones[0], s.stones[1]))
    }

    fn evaluates(&self) -> bool {
        true
    }

    /// A connection stays one whatever is played after it: as in Hex, the board is filled to the
    /// end and looked at once.
    fn playout(&self, s: State<W>, rng: &mut Rng) -> Option<Outcome> {
        let free = self.free(&s);
        let moves = free.count();
        let black = match s.turn {
            Side::Max => moves.div_ceil(2),
            Side::Min => moves / 2,
        };
        let stones = s.stones[0] | random_subset(free, moves, black, self.side * self.side, rng);
        Some(if self.connects(stones) { Outcome::WIN } else { Outcome::LOSS })
    }
}

impl<W: Word> Notation for Y<W> {
    fn name(&self) -> String {
        format!("y:{}", self.side)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn write_move(&self, _s: &State<W>, m: u8, out: &mut String) {
        board::write_cell(u32::from(m) / self.side, u32::from(m) % self.side, out);
    }

    fn parse_move(&self, _s: &State<W>, text: &str) -> Option<u8> {
        let (row, place, rest) = board::parse_cell(text)?;
        let fits = rest.is_empty() && row < self.side && place <= row;
        fits.then(|| (row * self.side + place) as u8)
    }

    fn write_position(&self, s: &State<W>, out: &mut String) {
        for row in self.rows() {
            out.push_str(if row.start > 0 { "/" } else { "" });
            out.extend(row.map(|cell| s.symbol(cell)));
        }
        out.push(' ');
        out.push_str(PLAYERS[s.turn.index()]);
    }

    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        let lengths: Vec<usize> = (1..=self.side as usize).collect();
        let (symbols, mover) = board::read_rows(text, &lengths, &SYMBOLS, &PLAYERS)?;
        let mut stones = [W::ZERO; 2];
        for (cell, &symbol) in self.rows().flatten().zip(&symbols) {
            if symbol > 0 {
                stones[symbol - 1] = stones[symbol - 1] | W::bit(cell);
            }
        }
        if self.connects(stones[mover]) {
            let who = PLAYERS[mover];
            let message = format!("{who} has connected and cannot be to move");
            return Err(TextError::new(message, 0..text.len() - who.len() - 1));
        }
        Ok(State { stones, turn: [Side::Max, Side::Min][mover] })
    }

    fn draw(&self, s: &State<W>) -> String {
        let mut out = String::new();
        for (r, row) in self.rows().enumerate() {
            out.push_str(&format!("{:>3} {}", r + 1, " ".repeat(self.side as usize - r)));
            for cell in row {
                out.push(s.symbol(cell));
                out.push(' ');
            }
            out.truncate(out.trim_end().len());
            out.push('\n');
        }
        // A letter names a line of cells that runs down to the left.
        out.push_str("    ");
        for place in 0..self.side {
            out.push(' ');
            board::write_column(place, &mut out);
        }
        out.push('\n');
        out
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::HashMap;

    use foregone_model::Typed as _;
    use foregone_model::guide::plain_playout;

    use super::*;
    use crate::testing::{self, COLUMNS, THIRD};

    fn next_states<W: Word>(game: &Y<W>, s: &State<W>, agent: Agent) -> Vec<State<W>> {
        let mut moves = Vec::new();
        game.moves(s, agent, &mut moves);
        let play = |&m: &u8| {
            let mut next = *s;
            game.play(&mut next, agent, m);
            next
        };
        moves.iter().map(play).collect()
    }

    fn max_wins(game: &Y<u64>, s: &State<u64>, memo: &mut HashMap<State<u64>, bool>) -> bool {
        if let Some(&known) = memo.get(s) {
            return known;
        }
        let wins = match game.turn(s) {
            Turn::Over => game.outcome(s) == Outcome::WIN,
            Turn::Agent(agent) => {
                let good = Side::of(agent) == Side::Max;
                let mut next = next_states(game, s, agent).into_iter();
                next.any(|n| max_wins(game, &n, memo) == good) == good
            }
        };
        memo.insert(*s, wins);
        wins
    }

    /// The exact chance that Max wins under random play.
    fn chance(game: &Y<u64>, s: &State<u64>, memo: &mut HashMap<State<u64>, f64>) -> f64 {
        if let Some(&known) = memo.get(s) {
            return known;
        }
        let chance = match game.turn(s) {
            Turn::Over => f64::from(game.outcome(s).0),
            Turn::Agent(agent) => {
                let next = next_states(game, s, agent);
                let sum: f64 = next.iter().map(|n| chance(game, n, memo)).sum();
                sum / next.len() as f64
            }
        };
        memo.insert(*s, chance);
        chance
    }

    /// The rule in so many words: whether a chain of the set touches all three sides.
    pub(crate) fn connects_slowly(side: u32, set: impl Fn(u32) -> bool) -> bool {
        let n = side as i32;
        let mut seen = vec![false; (side * side) as usize];
        for row in 0..n {
            // Every winning chain has a cell on the left side.
            let mut stack = vec![(row, 0)];
            let mut touched = [false; 3];
            while let Some((r, c)) = stack.pop() {
                if !(0..n).contains(&r) || !(0..=r).contains(&c) {
                    continue;
                }
                let i = r as u32 * side + c as u32;
                if !set(i) || seen[i as usize] {
                    continue;
                }
                seen[i as usize] = true;
                for (touched, at) in touched.iter_mut().zip([c == 0, c == r, r == n - 1]) {
                    *touched |= at;
                }
                for (dr, dc) in [(0, 1), (0, -1), (-1, -1), (-1, 0), (1, 0), (1, 1)] {
                    stack.push((r + dr, c + dc));
                }
            }
            if touched == [true; 3] {
                return true;
            }
        }
        false
    }

    #[test]
    fn the_first_player_wins() {
        for side in 1..=4 {
            let game = Y::new(side);
            assert!(max_wins(&game, &game.start(), &mut HashMap::new()), "{side}");
        }
    }

    #[test]
    fn connections_are_found() {
        fn check<W: Word>(sides: std::ops::RangeInclusive<u32>) {
            let mut rng = Rng::new(11);
            for side in sides {
                let game: Y<W> = Y::new(side);
                for _ in 0..1000 {
                    let density = rng.below(101);
                    let black = game
                        .full
                        .cells()
                        .filter(|_| rng.below(100) < density)
                        .fold(W::ZERO, |w, c| w | W::bit(c));
                    let white = game.full & !black;
                    let [by_black, by_white] = [black, white].map(|stones| {
                        let slow = connects_slowly(side, |c| stones.has(c));
                        assert_eq!(game.connects(stones), slow, "{side} {stones:?}");
                        slow
                    });
                    assert!(by_black != by_white, "a full board has one winner");
                }
            }
        }
        check::<u64>(1..=8);
        check::<u128>(1..=11);
    }

    #[test]
    fn random_plays_are_read_back() {
        fn check<W: Word>(side: u32, rng: &mut Rng) {
            let game: Y<W> = Y::new(side);
            let mut s = game.start();
            loop {
                let text = game.position_text(&s);
                assert_eq!(game.read_position(&text), Ok(s), "{text}");
                let over = s.stones.map(|w| connects_slowly(side, |c| w.has(c)));
                assert_eq!(game.turn(&s) == Turn::Over, over != [false; 2], "{text}");
                let Turn::Agent(agent) = game.turn(&s) else {
                    let winner = if over[0] { Outcome::WIN } else { Outcome::LOSS };
                    assert_eq!(game.outcome(&s), winner);
                    break;
                };
                let chance = game.evaluate(&s).unwrap();
                assert!(0.0 < chance && chance < 1.0, "{text}: {chance}");
                let mut moves = Vec::new();
                game.moves(&s, agent, &mut moves);
                assert!(moves.is_sorted() && !moves.is_empty());
                for &m in &moves {
                    let name = game.move_text(&s, m);
                    assert_eq!(game.read_move(&s, &name), Ok(m), "{name}");
                }
                let m = moves[rng.below(moves.len() as u32) as usize];
                game.play(&mut s, agent, m);
            }
        }
        let mut rng = Rng::new(5);
        for _ in 0..10 {
            (1..=8).for_each(|side| check::<u64>(side, &mut rng));
            (1..=11).for_each(|side| check::<u128>(side, &mut rng));
        }
    }

    #[test]
    fn both_words_play_the_same_game() {
        let mut rng = Rng::new(6);
        for side in 1..=8 {
            let (small, large): (Y<u64>, Y<u128>) = (Y::new(side), Y::new(side));
            for _ in 0..50 {
                let (mut s, mut l) = (small.start(), large.start());
                loop {
                    assert_eq!(small.position_text(&s), large.position_text(&l));
                    assert_eq!(small.draw(&s), large.draw(&l));
                    assert_eq!(small.evaluate(&s), large.evaluate(&l));
                    let seed = rng.bits();
                    assert_eq!(
                        small.playout(s, &mut Rng::new(seed)),
                        large.playout(l, &mut Rng::new(seed))
                    );
                    let turn = small.turn(&s);
                    assert_eq!(turn, large.turn(&l));
                    let Turn::Agent(agent) = turn else {
                        assert_eq!(small.outcome(&s), large.outcome(&l));
                        break;
                    };
                    let (mut moves, mut others) = (Vec::new(), Vec::new());
                    small.moves(&s, agent, &mut moves);
                    large.moves(&l, agent, &mut others);
                    assert_eq!(moves, others);
                    let m = moves[rng.below(moves.len() as u32) as usize];
                    small.play(&mut s, agent, m);
                    large.play(&mut l, agent, m);
                }
            }
        }
    }

    #[test]
    fn playouts_have_the_chances_of_random_play() {
        let mut rng = Rng::new(8);
        for text in [
            "./.. black",
            "./../... black",
            "./.x/... white",
            "x/.o/..x white",
            "x/xo/x.. white",
            "./../.../.... black",
            "o/../.x./.... black",
            "./.x/o../.... black",
            "./.x/.o./..../..x.. white",
            "./../.xo/..../o...x black",
        ] {
            let side = text.split('/').count() as u32;
            let game: Y<u64> = Y::new(side);
            let s = game.read_position(text).unwrap();
            let p = chance(&game, &s, &mut HashMap::new());
            for fast in [true, false] {
                let n = if fast { 200_000 } else { 50_000 };
                let mut wins = 0;
                for _ in 0..n {
                    let end = if fast {
                        game.playout(s, &mut rng)
                    } else {
                        plain_playout(&game, s, &mut rng)
                    };
                    wins += u32::from(end.unwrap().0);
                }
                let sigma = (p * (1.0 - p) / f64::from(n)).sqrt();
                let off = (f64::from(wins) / f64::from(n) - p).abs();
                assert!(off <= 5.0 * sigma + 1e-9, "{text}: {wins} against {p}");
            }
        }
    }

    #[test]
    fn images_are_alike() {
        for (side, most) in [(1, 1), (2, 6), (4, 6), (5, 6), (7, 6), (8, 6)] {
            let images = [COLUMNS, THIRD];
            testing::images_are_alike(&Y::<u64>::new(side), 20, &images, most, side <= 4);
            testing::images_are_alike(&Y::<u128>::new(side), 20, &images, most, side <= 4);
        }
        testing::images_are_alike(&Y::<u128>::new(11), 5, &[COLUMNS, THIRD], 6, false);
    }

    #[test]
    fn decisive_cells_come_first() {
        let game: Y<u64> = Y::new(4);
        let names = testing::ordered_names(&game, &game.start());
        assert_eq!(names[0], "b3");
        assert_eq!(names[7..], ["a1", "a4", "d4"]);
        // Black connects the three sides there.
        let s = game.read_position("./.x/x.o/.xo. black").unwrap();
        assert_eq!(testing::ordered_names(&game, &s)[0], "b3");
    }

    #[test]
    fn the_top_is_row_one() {
        let game: Y<u64> = Y::new(3);
        let s = game.read_position_or_moves("moves:a1,b2,c3").unwrap();
        assert_eq!(game.position_text(&s), "x/.o/..x white");
        let drawing = "  1    x\n  2   . o\n  3  . . x\n     a b c\n";
        assert_eq!(game.draw(&s), drawing);
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game: Y<u64> = Y::new(3);
        for text in [
            "",
            " ",
            "./../...",
            "./../... green",
            "./.. black",
            "./../.... black",
            "./../..é black",
            "…/…/… black",
            "é ö",
            // Black and White have connected when they are to move.
            "x/x./x.. black",
            "./../xxx black",
            "./.o/oo. white",
        ] {
            assert!(game.read_position(text).is_err(), "{text}");
        }
        for (text, outcome) in [("x/x./x.. white", Outcome::WIN), ("./.o/oo. black", Outcome::LOSS)]
        {
            let s = game.read_position(text).unwrap();
            assert_eq!(game.turn(&s), Turn::Over);
            assert_eq!(game.outcome(&s), outcome);
        }
        for text in ["", "b1", "d3", "a4", "a0", "é1", "a1b", "a", "a99999999999"] {
            assert_eq!(game.parse_move(&game.start(), text), None, "{text}");
        }
    }
}
