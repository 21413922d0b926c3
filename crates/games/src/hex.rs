//! Hex (Piet Hein, 1942; John Nash, 1948).
//!
//! Red, who moves first, and Blue place stones of their colour in turn on the empty cells of an
//! n x n rhombus of hexagons. Red wins by connecting the top to the bottom, Blue by connecting
//! the left to the right. One of them always does, and a full board has exactly one winner.
//! There is no swap.

use foregone_model::{Agent, Game, Guide, Notation, OffTurn, Outcome, Rng, Side, TextError, Turn};

use crate::board::{self, Word, least, random_subset, sort_by_rank};

/// Hex on a square number of cells. The cell in row `r` and column `c`, both counted from the
/// top left, is number `r * size + c`. It touches the cells next to it in its row and column,
/// the one up and to the right, and the one down and to the left.
#[derive(Clone, Debug)]
pub struct Hex<W> {
    size: u32,
    full: W,
    /// The first and the last column.
    left: W,
    right: W,
    /// For Red and Blue: the side that a connection is followed from, and the one it must reach.
    from: [W; 2],
    goal: [W; 2],
    /// How near each cell is to the centre.
    nearness: Vec<i16>,
}

/// The stones of Red and Blue and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    stones: [W; 2],
    turn: Side,
}

const PLAYERS: [&str; 2] = ["red", "blue"];
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

impl<W: Word> Hex<W> {
    /// A board of this size; its square must fit into the word.
    pub fn new(size: u32) -> Hex<W> {
        assert!((1..=11).contains(&size) && size * size <= W::BITS, "the board fits its word");
        let left = (0..size).fold(W::ZERO, |w, r| w | W::bit(r * size));
        let right = left << (size - 1);
        let top = W::first(size);
        Hex {
            size,
            full: W::first(size * size),
            left,
            right,
            from: [top, left],
            goal: [top << (size * (size - 1)), right],
            nearness: (0..size * size).map(|cell| nearness(size, cell)).collect(),
        }
    }

    #[inline]
    fn free(&self, s: &State<W>) -> W {
        self.full & !(s.stones[0] | s.stones[1])
    }

    /// Whether these stones connect the two sides that belong to `side`.
    #[inline]
    fn connects(&self, side: Side, stones: W) -> bool {
        let goal = self.goal[side.index()] & stones;
        let mut block = self.from[side.index()] & stones;
        loop {
            if !(block & goal).is_empty() {
                return true;
            }
            let east = (block & !self.right) << 1;
            let west = (block & !self.left) >> 1;
            // Down and to the left is west, then down; up and to the right is east, then up.
            let down = (block | west) << self.size;
            let up = (block | east) >> self.size;
            let next = block | ((east | west | down | up) & stones);
            if next == block {
                return false;
            }
            block = next;
        }
    }
}

/// Less the squared distance to the centre, with axes at an angle of 60 degrees and half a cell
/// as the unit.
fn nearness(size: u32, cell: u32) -> i16 {
    let [r, c] = [cell / size, cell % size].map(|i| 2 * i as i16 - (size as i16 - 1));
    -(r * r + r * c + c * c)
}

impl<W: Word> Game for Hex<W> {
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
        let last = s.turn.other();
        if self.connects(last, s.stones[last.index()]) {
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
        let own = &mut s.stones[side.index()];
        *own = *own | W::bit(u32::from(m));
        s.turn = side.other();
    }

    #[inline]
    fn outcome(&self, s: &State<W>) -> Outcome {
        // Who moved last has connected.
        match s.turn {
            Side::Max => Outcome::LOSS,
            Side::Min => Outcome::WIN,
        }
    }
}

impl<W: Word> Guide for Hex<W> {
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

    /// Half a turn is the one symmetry that leaves both players their sides. It reverses the
    /// order of the cells.
    #[inline]
    fn canonical(&self, s: &State<W>) -> State<W> {
        let turned = s.stones.map(|w| w.reversed() >> (W::BITS - self.size * self.size));
        State { stones: least([s.stones, turned]), turn: s.turn }
    }

    /// Central cells first: more connections run through them.
    fn order(&self, _s: &State<W>, _agent: Agent, moves: &mut [u8]) {
        sort_by_rank(moves, |m| self.nearness[usize::from(m)]);
    }

    /// A connection stays one whatever is played after it, so the board is filled to the end and
    /// looked at once: after a random play that does not stop at a connection, Red has a
    /// uniformly random set of the empty cells, of the size that taking turns gives.
    fn playout(&self, s: State<W>, rng: &mut Rng) -> Option<Outcome> {
        let free = self.free(&s);
        let moves = free.count();
        let red = match s.turn {
            Side::Max => moves.div_ceil(2),
            Side::Min => moves / 2,
        };
        let stones = s.stones[0] | random_subset(free, moves, red, self.size * self.size, rng);
        Some(if self.connects(Side::Max, stones) { Outcome::WIN } else { Outcome::LOSS })
    }
}

impl<W: Word> Notation for Hex<W> {
    fn name(&self) -> String {
        format!("hex:{}", self.size)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn write_move(&self, _s: &State<W>, m: u8, out: &mut String) {
        let cell = u32::from(m);
        board::write_cell(cell / self.size, cell % self.size, out);
    }

    fn parse_move(&self, _s: &State<W>, text: &str) -> Option<u8> {
        let (row, col, rest) = board::parse_cell(text)?;
        let fits = rest.is_empty() && row < self.size && col < self.size;
        fits.then(|| (row * self.size + col) as u8)
    }

    fn write_position(&self, s: &State<W>, out: &mut String) {
        for row in 0..self.size {
            if row > 0 {
                out.push('/');
            }
            out.extend((0..self.size).map(|col| s.symbol(row * self.size + col)));
        }
        out.push(' ');
        out.push_str(PLAYERS[s.turn.index()]);
    }

    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        let lengths = vec![self.size as usize; self.size as usize];
        let (cells, mover) = board::read_rows(text, &lengths, &SYMBOLS, &PLAYERS)?;
        let mut stones = [W::ZERO; 2];
        for (cell, &symbol) in cells.iter().enumerate() {
            if symbol > 0 {
                stones[symbol - 1] = stones[symbol - 1] | W::bit(cell as u32);
            }
        }
        let turn = if mover == 0 { Side::Max } else { Side::Min };
        if self.connects(turn, stones[mover]) {
            let message = format!(
                "{} has connected and cannot be to move: the game was over before",
                PLAYERS[mover]
            );
            let board = text.rfind(' ').unwrap_or(text.len());
            return Err(TextError::new(message, 0..board));
        }
        Ok(State { stones, turn })
    }

    fn draw(&self, s: &State<W>) -> String {
        let mut out = "    ".to_owned();
        for col in 0..self.size {
            out.push(' ');
            board::write_column(col, &mut out);
        }
        out.push('\n');
        for row in 0..self.size {
            out.push_str(&format!("{:>3}  ", row + 1));
            out.extend((0..row).map(|_| ' '));
            for col in 0..self.size {
                out.push(' ');
                out.push(s.symbol(row * self.size + col));
            }
            out.push('\n');
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::Typed as _;
    use std::collections::HashMap;

    use foregone_model::guide::plain_playout;

    use super::*;
    use crate::testing::{self, COLUMNS, Image, ROWS};

    fn next_states<W: Word>(game: &Hex<W>, s: &State<W>, agent: Agent) -> Vec<State<W>> {
        let mut moves = Vec::new();
        game.moves(s, agent, &mut moves);
        let play = |&m: &u8| {
            let mut next = *s;
            game.play(&mut next, agent, m);
            next
        };
        moves.iter().map(play).collect()
    }

    fn max_wins(game: &Hex<u64>, s: &State<u64>, memo: &mut HashMap<State<u64>, bool>) -> bool {
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
    fn chance(game: &Hex<u64>, s: &State<u64>, memo: &mut HashMap<State<u64>, f64>) -> f64 {
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

    /// The rule in so many words, cell by cell.
    fn connects_slowly(size: i32, side: Side, has: impl Fn(i32, i32) -> bool) -> bool {
        let inside = |r, c| (0..size).contains(&r) && (0..size).contains(&c);
        let mut seen = vec![false; (size * size) as usize];
        let mut stack: Vec<(i32, i32)> = match side {
            Side::Max => (0..size).map(|c| (0, c)).collect(),
            Side::Min => (0..size).map(|r| (r, 0)).collect(),
        };
        while let Some((r, c)) = stack.pop() {
            if !inside(r, c) || !has(r, c) || seen[(r * size + c) as usize] {
                continue;
            }
            if size - 1 == if side == Side::Max { r } else { c } {
                return true;
            }
            seen[(r * size + c) as usize] = true;
            for (dr, dc) in [(0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1)] {
                stack.push((r + dr, c + dc));
            }
        }
        false
    }

    /// Sets of cells of all densities.
    fn random_set<W: Word>(cells: u32, rng: &mut Rng) -> W {
        let density = rng.below(101);
        (0..cells).filter(|_| rng.below(100) < density).fold(W::ZERO, |w, c| w | W::bit(c))
    }

    #[test]
    fn the_first_player_wins() {
        for size in 1..=3 {
            let game = Hex::new(size);
            assert!(max_wins(&game, &game.start(), &mut HashMap::new()), "{size}");
        }
    }

    #[test]
    fn connections_are_found() {
        fn check<W: Word>(sizes: std::ops::RangeInclusive<u32>) {
            let mut rng = Rng::new(11);
            for size in sizes {
                let game: Hex<W> = Hex::new(size);
                for _ in 0..1000 {
                    let red: W = random_set(size * size, &mut rng);
                    let blue = game.full & !red;
                    let [by_red, by_blue] =
                        [(Side::Max, red), (Side::Min, blue)].map(|(side, stones)| {
                            let has = |r: i32, c| stones.has(r as u32 * size + c as u32);
                            let slow = connects_slowly(size as i32, side, has);
                            assert_eq!(game.connects(side, stones), slow, "{size} {stones:?}");
                            slow
                        });
                    assert!(by_red != by_blue, "a full board has one winner");
                }
            }
        }
        check::<u64>(1..=8);
        check::<u128>(1..=11);
    }

    #[test]
    fn random_plays_are_read_back() {
        fn check<W: Word>(size: u32, rng: &mut Rng) {
            let game: Hex<W> = Hex::new(size);
            let mut s = game.start();
            loop {
                let text = game.position_text(&s);
                assert_eq!(game.read_position(&text), Ok(s), "{text}");
                let over = [Side::Max, Side::Min].map(|side| {
                    let stones = s.stones[side.index()];
                    let has = |r: i32, c| stones.has(r as u32 * size + c as u32);
                    connects_slowly(size as i32, side, has)
                });
                assert_eq!(game.turn(&s) == Turn::Over, over != [false; 2], "{text}");
                let Turn::Agent(agent) = game.turn(&s) else {
                    let winner = if over[0] { Outcome::WIN } else { Outcome::LOSS };
                    assert_eq!(game.outcome(&s), winner);
                    break;
                };
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
            (1..=8).for_each(|size| check::<u64>(size, &mut rng));
            (1..=11).for_each(|size| check::<u128>(size, &mut rng));
        }
    }

    #[test]
    fn both_words_play_the_same_game() {
        let mut rng = Rng::new(6);
        for size in 1..=8 {
            let (small, large): (Hex<u64>, Hex<u128>) = (Hex::new(size), Hex::new(size));
            for _ in 0..50 {
                let (mut s, mut l) = (small.start(), large.start());
                loop {
                    assert_eq!(small.position_text(&s), large.position_text(&l));
                    assert_eq!(small.draw(&s), large.draw(&l));
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
            "../.. red",
            ".../.../... red",
            ".../.x./... blue",
            "o../.../..x red",
            "x.o/.../o.x blue",
            ".../ooo/... red",
            ".o./.o./.x. red",
            "..../.xo./..../.... red",
            "x.../.o../..x./.o.. blue",
        ] {
            let game: Hex<u64> = Hex::new(text.find('/').unwrap() as u32);
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
    fn all_subsets_of_a_size_have_the_same_chance() {
        let mut rng = Rng::new(9);
        let whole: u64 = 0b1011_0001_0010;
        for size in 0..=5 {
            let mut found: HashMap<u64, u32> = HashMap::new();
            let n = 20_000;
            for _ in 0..n {
                let set = random_subset(whole, 5, size, 12, &mut rng);
                assert!(set & !whole == 0 && set.count() == size);
                *found.entry(set).or_default() += 1;
            }
            let sets = [1, 5, 10, 10, 5, 1][size as usize];
            assert_eq!(found.len(), sets);
            let p = 1.0 / sets as f64;
            let bound = 5.0 * (p * (1.0 - p) * f64::from(n)).sqrt() + 1e-9;
            for (set, times) in found {
                let off = (f64::from(times) - p * f64::from(n)).abs();
                assert!(off <= bound, "{set:b}: {times}");
            }
        }
    }

    #[test]
    fn cells_of_large_subsets_have_the_same_chance() {
        let mut rng = Rng::new(10);
        let everything = u128::first(121);
        for whole in [everything, everything & !(u128::first(20) << 50), 0x5555 << 90] {
            let count = whole.count();
            for size in [count / 2, count.div_ceil(2), count / 3] {
                let n = 20_000;
                // How often each cell is in the set, and how often each pair of neighbours is.
                let (mut single, mut pair) = ([0u32; 121], [0u32; 121]);
                let cells: Vec<u32> = whole.cells().collect();
                for _ in 0..n {
                    let set = random_subset(whole, count, size, 121, &mut rng);
                    assert!(set & !whole == 0 && set.count() == size);
                    for (i, &c) in cells.iter().enumerate() {
                        single[i] += u32::from(set.has(c));
                        let next = cells[(i + 1) % cells.len()];
                        pair[i] += u32::from(set.has(c) && set.has(next));
                    }
                }
                let p = f64::from(size) / f64::from(count);
                let q = p * f64::from(size - 1) / f64::from(count - 1);
                for (times, p) in [(single, p), (pair, q)] {
                    let bound = 5.0 * (p * (1.0 - p) * f64::from(n)).sqrt();
                    for &t in &times[..cells.len()] {
                        let off = (f64::from(t) - p * f64::from(n)).abs();
                        assert!(off <= bound, "{t} against {}", p * f64::from(n));
                    }
                }
            }
        }
    }

    #[test]
    fn images_are_alike() {
        const HALF: Image = |rows| ROWS(&COLUMNS(rows));
        for size in [1, 2, 3, 5, 8] {
            let most = if size == 1 { 1 } else { 2 };
            let solved = size <= 3;
            testing::images_are_alike(&Hex::<u64>::new(size), 20, &[HALF], most, solved);
            testing::images_are_alike(&Hex::<u128>::new(size), 20, &[HALF], most, solved);
        }
        testing::images_are_alike(&Hex::<u128>::new(11), 5, &[HALF], 2, false);
    }

    #[test]
    fn the_centre_comes_first() {
        let game: Hex<u64> = Hex::new(3);
        let names = testing::ordered_names(&game, &game.start());
        assert_eq!(names[0], "b2");
        // The corners at the acute angles touch two cells only.
        assert_eq!(names[7..], ["a1", "c3"]);
    }

    #[test]
    fn a1_is_at_the_top_left() {
        let game: Hex<u64> = Hex::new(3);
        let s = game.read_position_or_moves("moves:a1,c1,b3").unwrap();
        assert_eq!(game.position_text(&s), "x.o/.../.x. blue");
        let drawing = "     a b c\n  1   x . o\n  2    . . .\n  3     . x .\n";
        assert_eq!(game.draw(&s), drawing);
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game: Hex<u64> = Hex::new(3);
        for text in [
            "",
            " ",
            ".../.../...",
            ".../.../... green",
            ".../... red",
            ".../.../.... red",
            ".../.../..é red",
            "…/…/… red",
            "é ö",
            // Red and Blue have connected when they are to move.
            "x../x../x.. red",
            "..x/.x./x.. red",
            ".../ooo/... blue",
            ".oo/.o./o.. blue",
        ] {
            assert!(game.read_position(text).is_err(), "{text}");
        }
        for (text, outcome) in
            [("x../x../x.. blue", Outcome::WIN), (".../ooo/... red", Outcome::LOSS)]
        {
            let s = game.read_position(text).unwrap();
            assert_eq!(game.turn(&s), Turn::Over);
            assert_eq!(game.outcome(&s), outcome);
        }
        // The other diagonal does not touch.
        let s = game.read_position("x../.x./..x blue").unwrap();
        assert_eq!(game.turn(&s), Turn::Agent(Side::Min.agent()));
        for text in ["", "d1", "a4", "a0", "é1", "a1b", "a", "a99999999999"] {
            assert_eq!(game.parse_move(&game.start(), text), None, "{text}");
        }
    }
}
