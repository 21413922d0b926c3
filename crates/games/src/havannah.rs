//! Havannah (Christian Freeling, 1980).
//!
//! White, who moves first, and Black place stones of their colour in turn on the empty cells of a
//! hexagon of hexagons. Who first has a chain of stones that is one of these wins:
//!
//! * a bridge: it connects two of the six corners;
//! * a fork: it connects three of the six sides, corners not counted;
//! * a ring: it goes round at least one cell, whatever stands there, an own stone included.
//!
//! A full board without any of them is a draw. There is no swap.
//!
//! A set of stones holds a ring exactly when a cell without one of them cannot reach the edge of the
//! board over such cells, or a stone has six others around it: if all that a ring encloses are own
//! stones, then each of them has.

use std::ops::Range;

use foregone_model::scene::{Paint, Scene};
use foregone_model::{
    Agent, Character, Game, Guide, Notation, OffTurn, Outcome, Rng, Scale, Side, TextError, Turn,
};

use crate::board::{self, Mirror, Word, least, sort_by_rank};
use crate::options::Options;
use crate::picture::{discs, hexagons, number_rows};
pub use crate::placement::State;
use crate::registry::{Entry, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry {
    quick: Some("havannah:3"),
    ..Entry::in_turn(
        "havannah",
        "SIZE (4)",
        "Place stones on a hexagon; a ring, two corners or three sides that are connected win",
        open,
    )
};

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let size = options.number(4, 2, MAX_SIZE)?;
    Ok(match options.fits_64((size, size), |size, _| width(size) * width(size))? {
        true => Opened::pictured(Havannah::<u64>::new(size), Havannah::scene),
        false => Opened::pictured(Havannah::<u128>::new(size), Havannah::scene),
    })
}

/// The largest side of a board: that of 91 cells.
pub const MAX_SIZE: u32 = 6;

/// The longest row of a board with this side.
fn width(size: u32) -> u32 {
    2 * size - 1
}

/// Havannah on a hexagon. Cells are those of a rhombus as in Hex, two of its corners cut off: the
/// cell in row `r` and column `c` is bit `r * width + c`, and touches the cells next to it in its
/// row and column, the one up and to the right, and the one down and to the left.
#[derive(Clone, Debug)]
pub struct Havannah<W> {
    size: u32,
    full: W,
    /// The first and the last column of the rhombus.
    left: W,
    right: W,
    /// The cells at the edge of the board, its corners, and its sides without corners.
    edge: W,
    corners: W,
    sides: [W; 6],
    /// Two mirrors that together with half a turn make all symmetries: one reverses the rows, the
    /// other exchanges rows and columns.
    mirrors: [Mirror<W>; 2],
    /// How near each cell of the rhombus is to the centre.
    nearness: Vec<i16>,
}

const PLAYERS: [&str; 2] = ["white", "black"];
const DRAW: Outcome = Outcome(1);
const WIN: Outcome = Outcome(2);
/// No ring has fewer stones.
const SMALLEST_RING: u32 = 6;
/// Cells of the largest board.
const MAX_CELLS: usize = 91;

impl<W: Word> Havannah<W> {
    /// A board of this side; the rhombus around it must fit into the word.
    pub fn new(size: u32) -> Havannah<W> {
        let width = width(size);
        assert!((2..=MAX_SIZE).contains(&size) && width * width <= W::BITS, "it fits the word");
        // From the middle, with axes at an angle of 60 degrees; all three coordinates add up to 0.
        let n = size as i32 - 1;
        let coordinates = |cell: u32| {
            let [down, right] = [cell / width, cell % width].map(|i| i as i32 - n);
            [down, right, -down - right]
        };
        let all = || (0..width * width).map(|cell| (cell, coordinates(cell)));
        let cells = |keep: &dyn Fn([i32; 3]) -> bool| {
            all().filter(|&(_, at)| keep(at)).fold(W::ZERO, |set, (cell, _)| set | W::bit(cell))
        };
        let farthest = |at: [i32; 3]| at.map(i32::abs).into_iter().max().unwrap_or(0);
        let inside = |at| farthest(at) <= n;
        // At a corner two coordinates are as large as they can be, on a side one is.
        let at_limit = |at: [i32; 3]| at.iter().filter(|c| c.abs() == n).count();
        let side = |(axis, limit): (usize, i32)| {
            cells(&|at| inside(at) && at_limit(at) == 1 && at[axis] == limit)
        };
        let left = (0..width).fold(W::ZERO, |w, r| w | W::bit(r * width));
        let diagonals = || {
            let first = (0..width).map(|c| (c, c + 1));
            first.chain((1..width).map(|r| (r * width + width - 1, width - r)))
        };
        let rows = rows(size).map(|row| (row.start, row.end - row.start));
        Havannah {
            size,
            full: cells(&inside),
            left,
            right: left << (width - 1),
            edge: cells(&|at| inside(at) && at_limit(at) > 0),
            corners: cells(&|at| inside(at) && at_limit(at) == 2),
            sides: [(0, n), (0, -n), (1, n), (1, -n), (2, n), (2, -n)].map(side),
            mirrors: [Mirror::new(1, rows), Mirror::new(width - 1, diagonals())],
            nearness: all().map(|(_, [a, b, c])| -(a * a + b * b + c * c) as i16).collect(),
        }
    }

    /// The cells that touch one of these, beyond the board, too.
    #[inline]
    fn around(&self, x: W) -> W {
        let width = width(self.size);
        let east = (x & !self.right) << 1;
        let west = (x & !self.left) >> 1;
        // Down and to the left is west, then down; up and to the right is east, then up.
        east | west | ((x | west) << width) | ((x | east) >> width)
    }

    /// The cells of `within` that are connected to `seed` through `within`, `seed` included.
    #[inline]
    fn flood(&self, seed: W, within: W) -> W {
        let mut block = seed;
        loop {
            let next = block | (self.around(block) & within);
            if next == block {
                return block;
            }
            block = next;
        }
    }

    /// Whether these stones hold a bridge, a fork or a ring.
    #[inline]
    fn wins(&self, stones: W) -> bool {
        self.connects(stones) || self.encloses(stones)
    }

    /// Whether a chain of these stones connects two corners or three sides.
    #[inline]
    fn connects(&self, stones: W) -> bool {
        let mut begin = stones & self.edge;
        while !begin.is_empty() {
            let chain = self.flood(W::bit(begin.lowest()), stones);
            let corners = (chain & self.corners).count();
            let sides = self.sides.iter().filter(|&&side| !(chain & side).is_empty()).count();
            if corners >= 2 || sides >= 3 {
                return true;
            }
            begin = begin & !chain;
        }
        false
    }

    /// Whether these stones go round a cell.
    #[inline]
    fn encloses(&self, stones: W) -> bool {
        if stones.count() < SMALLEST_RING {
            return false;
        }
        let others = self.full & !stones;
        if self.flood(others & self.edge, others) != others {
            return true;
        }
        // A stone away from the edge with six stones around it.
        let inner = stones & !self.edge;
        !(inner & !self.around(others)).is_empty()
    }
}

/// The rows of a board from the top, each with its cells.
fn rows(size: u32) -> impl Iterator<Item = Range<u32>> {
    let width = width(size);
    (0..width).map(move |row| {
        let first = (size - 1).saturating_sub(row);
        let last = (3 * (size - 1) - row).min(width - 1);
        row * width + first..row * width + last + 1
    })
}

impl<W: Word> Game for Havannah<W> {
    type State = State<W>;
    /// The cell of the stone.
    type Move = u8;

    fn scale(&self) -> Scale {
        Scale::three()
    }

    fn start(&self) -> State<W> {
        State::start()
    }

    fn off_turn(&self) -> OffTurn {
        OffTurn::Moves
    }

    #[inline]
    fn turn(&self, s: &State<W>) -> Turn {
        // Only who moved last can have won.
        if s.free(self.full).is_empty() || self.wins(s.of_last()) {
            Turn::Over
        } else {
            Turn::Agent(s.turn.agent())
        }
    }

    #[inline]
    fn moves(&self, s: &State<W>, _agent: Agent, out: &mut Vec<u8>) {
        s.moves(self.full, out);
    }

    #[inline]
    fn play(&self, s: &mut State<W>, agent: Agent, m: u8) {
        s.place(agent, u32::from(m));
    }

    #[inline]
    fn outcome(&self, s: &State<W>) -> Outcome {
        match s.turn.other() {
            last if !self.wins(s.stones[last.index()]) => DRAW,
            Side::Max => WIN,
            Side::Min => Outcome::LOSS,
        }
    }
}

impl<W: Word> Guide for Havannah<W> {
    type Packed = [W; 2];

    foregone_model::stored_by_parts!();

    fn on_cells(&self) -> bool {
        true
    }

    fn character(&self) -> Character {
        Character::Large
    }

    /// Colours that are asked out of turn can reach the same stones with either of them to move.
    /// The rhombus has cells beyond the board, which the complements show to be taken.
    #[inline]
    fn pack(&self, s: &State<W>) -> [W; 2] {
        match s.turn {
            Side::Max => s.stones,
            Side::Min => s.stones.map(|w| !w),
        }
    }

    #[inline]
    fn mobility(&self, s: &State<W>, _agent: Agent) -> u32 {
        s.free(self.full).count()
    }

    /// The twelve symmetries of a hexagon: two mirrors make six, and half a turn, which reverses the
    /// order of the cells, as many again.
    #[inline]
    fn canonical(&self, s: &State<W>) -> State<W> {
        let [rows, lines] = &self.mirrors;
        let shift = W::BITS - width(self.size) * width(self.size);
        let turned = s.stones.map(|w| w.reversed() >> shift);
        let mut one = [s.stones, turned, s.stones, turned];
        rows.apply(one[2..].as_flattened_mut());
        let mut two = one;
        lines.apply(two.as_flattened_mut());
        let mut three = two;
        rows.apply(three.as_flattened_mut());
        let [a, b, c, d] = one;
        let [e, f, g, h] = two;
        let [i, j, k, l] = three;
        State { stones: least([a, b, c, d, e, f, g, h, i, j, k, l]), turn: s.turn }
    }

    /// Central cells first.
    fn order(&self, _s: &State<W>, _agent: Agent, moves: &mut [u8]) {
        sort_by_rank(moves, |m| self.nearness[usize::from(m)]);
    }

    fn move_class(&self, _s: &State<W>, _agent: Agent, m: u8) -> Option<u16> {
        Some(u16::from(m))
    }

    /// The empty cells are put into a random order. What wins goes on winning with more stones, so
    /// the first stone that won is found by halving instead of looking after each.
    fn playout(&self, s: State<W>, rng: &mut Rng) -> Option<Outcome> {
        if self.turn(&s) == Turn::Over {
            return Some(self.outcome(&s));
        }
        let mut cells = [0u8; MAX_CELLS];
        let mut count = 0;
        for cell in s.free(self.full).cells() {
            cells[count] = cell as u8;
            count += 1;
        }
        let mut after = [s.stones; MAX_CELLS + 1];
        for n in 0..count {
            let pick = n + rng.below((count - n) as u32) as usize;
            cells.swap(n, pick);
            let mut next = State { stones: after[n], turn: s.turn };
            if n % 2 == 1 {
                next.turn = s.turn.other();
            }
            next.place(next.turn.agent(), u32::from(cells[n]));
            after[n + 1] = next.stones;
        }
        // Nobody has won after `low` stones.
        let (mut low, mut high) = (0, count + 1);
        while high - low > 1 {
            let middle = (low + high) / 2;
            match after[middle].iter().any(|&stones| self.wins(stones)) {
                true => high = middle,
                false => low = middle,
            }
        }
        if high > count {
            return Some(DRAW);
        }
        Some(if self.wins(after[high][0]) { WIN } else { Outcome::LOSS })
    }
}

impl<W: Word> Havannah<W> {
    /// The indents of the rows, in half cells.
    fn indents(&self) -> impl Iterator<Item = u32> + use<W> {
        let middle = self.size - 1;
        (0..width(self.size)).map(move |row| row.abs_diff(middle))
    }

    /// A picture of a position.
    fn scene(&self, s: &State<W>) -> Scene {
        let indents = self.indents().map(|indent| indent as i32);
        let mut scene = hexagons(indents.zip(rows(self.size)), |cell| {
            discs(s.symbol(cell), [Paint::White, Paint::Black])
        });
        let mut first = 0;
        number_rows(
            &mut scene,
            rows(self.size).map(|row| {
                first += row.len();
                first - row.len()
            }),
        );
        scene
    }
}

impl<W: Word> Notation for Havannah<W> {
    fn name(&self) -> String {
        format!("havannah:{}", self.size)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    /// A letter for the place in the row, and the number of the row from the top.
    fn write_move(&self, _s: &State<W>, m: u8, out: &mut String) {
        let row = u32::from(m) / width(self.size);
        let first = rows(self.size).nth(row as usize).map_or(0, |cells| cells.start);
        board::write_cell(row, u32::from(m) - first, out);
    }

    fn parse_move(&self, _s: &State<W>, text: &str) -> Option<u8> {
        let (row, place, rest) = board::parse_cell(text)?;
        let mut cells = rows(self.size).nth(row as usize).filter(|_| rest.is_empty())?;
        cells.nth(place as usize).map(|cell| cell as u8)
    }

    fn write_position(&self, s: &State<W>, out: &mut String) {
        s.write(rows(self.size), &PLAYERS, out);
    }

    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        let s = State::read(text, rows(self.size), &PLAYERS)?;
        if self.wins(s.stones[s.turn.index()]) {
            return Err(s.over_before(text, &PLAYERS, "a bridge, a fork or a ring"));
        }
        Ok(s)
    }

    fn draw(&self, s: &State<W>) -> String {
        let mut out = String::new();
        for (number, (indent, row)) in self.indents().zip(rows(self.size)).enumerate() {
            out.push_str(&format!("{:>3}  {}", number + 1, " ".repeat(indent as usize)));
            for cell in row {
                out.push(' ');
                out.push(s.symbol(cell));
            }
            out.push('\n');
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use foregone_model::Typed as _;

    use super::*;
    use crate::testing::{self, Image};

    /// A cell by its row and column from the middle.
    type At = (i32, i32);

    const AROUND: [At; 6] = [(0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1)];

    /// The rules in so many words, cell by cell.
    struct Slow {
        n: i32,
        stones: Vec<At>,
    }

    impl Slow {
        fn new<W: Word>(size: u32, stones: W) -> Slow {
            let (n, width) = (size as i32 - 1, width(size));
            let at = |cell: u32| ((cell / width) as i32 - n, (cell % width) as i32 - n);
            Slow { n, stones: stones.cells().map(at).collect() }
        }

        fn inside(&self, (r, c): At) -> bool {
            r.abs().max(c.abs()).max((r + c).abs()) <= self.n
        }

        /// The cells that are reached from one over cells that are allowed; those beyond the board
        /// are reached, and not gone on from.
        fn reach(&self, from: At, allowed: impl Fn(At) -> bool) -> Vec<At> {
            let mut seen = vec![from];
            let mut next = 0;
            while next < seen.len() {
                let (r, c) = seen[next];
                next += 1;
                for (dr, dc) in AROUND {
                    let to = (r + dr, c + dc);
                    let goes = self.inside((r, c)) && (!self.inside(to) || allowed(to));
                    if goes && !seen.contains(&to) {
                        seen.push(to);
                    }
                }
            }
            seen
        }

        /// The sides that a cell lies on: two for a corner.
        fn sides(&self, (r, c): At) -> Vec<usize> {
            let limits = [r == self.n, r == -self.n, c == self.n, c == -self.n];
            let third = [r + c == self.n, r + c == -self.n];
            let all = limits.into_iter().chain(third).enumerate();
            all.filter(|side| side.1).map(|side| side.0).collect()
        }

        fn connects(&self) -> bool {
            self.stones.iter().any(|&stone| {
                let chain = self.reach(stone, |to| self.stones.contains(&to));
                let chain = chain.into_iter().filter(|&at| self.inside(at));
                let touched: Vec<Vec<usize>> = chain.map(|at| self.sides(at)).collect();
                let corners = touched.iter().filter(|sides| sides.len() == 2).count();
                let mut sides: Vec<usize> =
                    touched.iter().filter(|s| s.len() == 1).flatten().copied().collect();
                sides.sort_unstable();
                sides.dedup();
                corners >= 2 || sides.len() >= 3
            })
        }

        /// Whether there is a cell from which no way leads off the board over cells without a
        /// stone, whatever stands on the cell itself.
        fn encloses(&self) -> bool {
            let n = self.n;
            let cells = (-n..=n).flat_map(|r| (-n..=n).map(move |c| (r, c)));
            cells.filter(|&at| self.inside(at)).any(|at| {
                let reached = self.reach(at, |to| !self.stones.contains(&to));
                reached.into_iter().all(|to| self.inside(to))
            })
        }
    }

    /// Sets of cells of all densities.
    fn random_set<W: Word>(board: W, rng: &mut Rng) -> W {
        let density = rng.below(101);
        board.cells().filter(|_| rng.below(100) < density).fold(W::ZERO, |w, c| w | W::bit(c))
    }

    #[test]
    fn bridges_forks_and_rings_are_found() {
        fn check<W: Word>(sizes: std::ops::RangeInclusive<u32>) {
            let mut rng = Rng::new(1);
            for size in sizes {
                let game: Havannah<W> = Havannah::new(size);
                assert_eq!(game.full.count(), 3 * size * (size - 1) + 1);
                assert_eq!((game.corners.count(), game.edge.count()), (6, 6 * (size - 1)));
                assert!(game.sides.iter().all(|side| side.count() == size - 2));
                let (mut found, plays) = ([0; 2], 250);
                for _ in 0..plays {
                    let stones = random_set(game.full, &mut rng);
                    let slow = Slow::new(size, stones);
                    let both = [slow.connects(), slow.encloses()];
                    assert_eq!([game.connects(stones), game.encloses(stones)], both, "{stones:?}");
                    (0..2).for_each(|i| found[i] += u32::from(both[i]));
                }
                assert!(found.iter().all(|n| (1..plays).contains(n)), "{size}: {found:?}");
            }
        }
        check::<u64>(2..=4);
        check::<u128>(2..=6);
    }

    #[test]
    fn each_of_the_three_wins() {
        let game: Havannah<u64> = Havannah::new(4);
        for (text, wins) in [
            // Two corners, along a side and across.
            ("xxxx/...../....../......./....../...../.... black", true),
            ("x.../.x.../..x.../...x.../...x../..x../x... black", false),
            ("x.../x..../x...../x....../....../...../.... black", true),
            // Three sides; a corner belongs to none.
            (".x../.x.../.xxxxx/......./....../...../.... black", false),
            (".x../.x.../xxxxxx/......./....../...../.... black", true),
            ("xx../.x.../.xxxx./......./....../...../.... black", false),
            ("x.../.x.../.xxxxx/......./....../...../.... black", false),
            // A ring round an empty cell, a stone of Black, and an own stone.
            ("..../.xx../.x.x../..xx.../....../...../.... black", true),
            ("..../.xx../.xox../..xx.../....../...../.... black", true),
            ("..../.xx../.xxx../..xx.../....../...../.... black", true),
            // One stone of the ring is missing.
            ("..../.xx../.xxx../..x..../....../...../.... black", false),
            ("..../..x../.x.x../..xx.../....../...../.... black", false),
            // A larger one; and one that needs the edge, which does not count.
            ("..../.xxx./.x..x./.x...x./.x..x./.xxx./.... black", true),
            ("x.x./.xx../....../......./....../...../.... black", false),
        ] {
            let s = game.read_position(text).unwrap();
            assert_eq!(game.turn(&s) == Turn::Over, wins, "{text}");
            assert!(!wins || game.outcome(&s) == WIN, "{text}");
        }
    }

    /// Plays of OpenSpiel, its cells named as here: they end with the last move and with the same
    /// winner. 3000 plays of each size from 2 to 6 were compared in the same way.
    #[test]
    fn plays_end_as_in_another_program() {
        for (size, moves, outcome) in [
            (3, "b2,c1,a5,d2,b1,a1,d3,c3,c5,c2,a4,c4,a3", WIN),
            (3, "b4,a5,a4,c5,d3,b5", Outcome::LOSS),
            (4, "d6,e6,b6,d2,a7,c1,d3,f5,a1,c4,d1,c3,d7,b2,d5,a6,c5", WIN),
            (4, "a7,c1,f3,a5,a6,a3,d1,d6,d7,d3,e3,c7,c2,a1,c6,b2,e5,a2,b6,a4", Outcome::LOSS),
            (3, "d4,b4,c2,a4,b3,c5,c3,b1,d3,c1,b5,e3,a1,c4,d2,a2,a3,b2,a5", DRAW),
        ] {
            plays_to::<u64>(size, moves, outcome);
            plays_to::<u128>(size, moves, outcome);
        }
    }

    fn plays_to<W: Word>(size: u32, moves: &str, outcome: Outcome) {
        let game: Havannah<W> = Havannah::new(size);
        let mut s = game.start();
        for name in moves.split(',') {
            let Some(agent) = game.turn(&s).mover() else { panic!("over before {name}: {moves}") };
            let m = game.parse_move(&s, name).unwrap();
            game.play(&mut s, agent, m);
        }
        assert_eq!((game.turn(&s), game.outcome(&s)), (Turn::Over, outcome), "{size}: {moves}");
    }

    /// The value by trying everything, with the rules in so many words.
    fn solve_slowly(size: u32, s: &State<u64>, memo: &mut HashMap<State<u64>, Outcome>) -> Outcome {
        if let Some(&known) = memo.get(s) {
            return known;
        }
        let last = s.turn.other();
        let slow = Slow::new(size, s.stones[last.index()]);
        let best = if s.turn == Side::Max { WIN } else { Outcome::LOSS };
        let game: Havannah<u64> = Havannah::new(size);
        let mut moves = Vec::new();
        game.moves(s, s.turn.agent(), &mut moves);
        let mut value = if s.turn == Side::Max { Outcome::LOSS } else { WIN };
        if slow.connects() || slow.encloses() {
            moves.clear();
        } else if moves.is_empty() {
            value = DRAW;
        }
        for m in moves {
            let mut next = *s;
            next.place(s.turn.agent(), u32::from(m));
            let found = solve_slowly(size, &next, memo);
            value = if s.turn == Side::Max { value.max(found) } else { value.min(found) };
            if value == best {
                break;
            }
        }
        memo.insert(*s, value);
        value
    }

    #[test]
    fn small_boards_have_their_values() {
        let game: Havannah<u64> = Havannah::new(2);
        let mut memo = HashMap::new();
        let mut rng = Rng::new(3);
        assert_eq!(testing::solve(&game, &game.start(), &mut memo), WIN);
        for _ in 0..50 {
            for s in testing::random_play(&game, &mut rng) {
                let slow = solve_slowly(2, &s, &mut HashMap::new());
                assert_eq!(testing::solve(&game, &s, &mut memo), slow);
            }
        }
        // The last stones of plays on the next larger board.
        let game: Havannah<u64> = Havannah::new(3);
        let mut memo = HashMap::new();
        let mut values = [0; 3];
        for _ in 0..40 {
            for s in testing::random_play(&game, &mut rng) {
                if s.free(game.full).count() <= 9 {
                    let value = testing::solve(&game, &s, &mut memo);
                    assert_eq!(value, solve_slowly(3, &s, &mut HashMap::new()));
                    values[usize::from(value.0)] += 1;
                }
            }
        }
        assert!(values[0] > 0 && values[2] > 0, "{values:?}");
    }

    #[test]
    fn plays_are_counted() {
        // The counts of problems/oracle.py.
        let counts: [(u32, &[u64]); 3] = [
            (2, &[7, 42, 210, 600, 1296, 288, 72]),
            (3, &[19, 342, 5814, 93_024, 1_395_360, 19_414_080]),
            (4, &[37, 1332, 46_620]),
        ];
        for (size, counts) in counts {
            let game: Havannah<u64> = Havannah::new(size);
            for (depth, &count) in (1..).zip(counts) {
                assert_eq!(testing::perft(&game, &game.start(), depth), count, "{size} {depth}");
            }
        }
    }

    #[test]
    fn both_words_play_the_same_game() {
        for size in 2..=4 {
            testing::same_game(&Havannah::<u64>::new(size), &Havannah::<u128>::new(size), 30);
        }
    }

    #[test]
    fn texts_are_read_back() {
        for size in 2..=4 {
            testing::texts_round_trip(&Havannah::<u64>::new(size), 5);
        }
        for size in 5..=MAX_SIZE {
            testing::texts_round_trip(&Havannah::<u128>::new(size), 5);
        }
        testing::nonsense_is_refused(&Havannah::<u64>::new(4));
    }

    #[test]
    fn playouts_have_the_chances_of_random_play() {
        for text in [
            "../.../.. white",
            "x./.o./.. white",
            "xo./.x../..o../o.ox/..x white",
            "xo./ox.x/oo.x./..xo/.xo white",
            // Full, and over.
            "xox/oxox/oxxoo/xoxo/oxx black",
        ] {
            let size = text.find('/').unwrap() as u32;
            testing::playouts_have_exact_chances(&Havannah::<u64>::new(size), text);
        }
        testing::playouts_are_uniform(&Havannah::<u64>::new(4), 1);
        testing::playouts_are_uniform(&Havannah::<u128>::new(5), 1);
    }

    #[test]
    fn images_are_alike() {
        /// Left and right exchanged.
        const ROWS: Image = |rows| rows.iter().map(|r| r.iter().rev().copied().collect()).collect();
        /// A sixth of a turn: lines that run down to the right become rows.
        const SIXTH: Image = |rows| {
            let n = rows.len() as i32 / 2;
            let line = |r: i32| {
                let first = (-n).max(-n - r);
                let cells = (first..=n.min(n - r)).map(|c| {
                    // A turn takes the three coordinates to the next, with the other sign.
                    let (row, column) = (-c, r + c);
                    let start = (-n).max(-n - row);
                    rows[(row + n) as usize][(column - start) as usize]
                });
                cells.collect()
            };
            (-n..=n).map(line).collect()
        };
        for size in 2..=4 {
            let game = Havannah::<u64>::new(size);
            testing::images_are_alike(&game, 10, &[ROWS, SIXTH], 12, size == 2);
        }
        testing::images_are_alike(&Havannah::<u128>::new(5), 3, &[ROWS, SIXTH], 12, false);
    }

    #[test]
    fn a1_is_at_the_top_left() {
        let game: Havannah<u64> = Havannah::new(3);
        let s = game.read_position_or_moves("moves:a1,e3,c5").unwrap();
        assert_eq!(game.position_text(&s), "x../..../....o/..../..x black");
        let drawing =
            "  1     x . .\n  2    . . . .\n  3   . . . . o\n  4    . . . .\n  5     . . x\n";
        assert_eq!(game.draw(&s), drawing);
        for text in ["d1", "f3", "a6", "a0", "c5x", ""] {
            assert_eq!(game.parse_move(&s, text), None, "{text}");
        }
        let names = testing::ordered_names(&game, &game.start());
        assert_eq!(names[0], "c3");
        // The player to move has won already.
        assert!(game.read_position("xxx/..../...../..../... white").is_err());
        assert!(game.read_position("xxx/..../...../..../... black").is_ok());
    }
}
