//! Chinese Checkers (Stern-Halma, Ravensburger, 1892, after Halma by George Howard Monks, 1883).
//!
//! Two, three, four or six players cross a star: a hexagon with a triangle, a point, on each of
//! its sides. The pieces of a player fill one point at first and want to fill the opposite one. A
//! move takes one piece to an empty cell next to it, or over a piece of any colour next to it to
//! the empty cell behind, and on over others as long as it likes. Nobody is captured. Who cannot
//! move passes. Who after a move of its own finds its goal full, with at least one piece of its
//! own there, has won: a piece that stays at home to block does not help. Play can go on for ever;
//! nobody wins then.
//!
//! The first player is Max and all others are Min, so that what Max can force is what it can
//! force against a coalition: the paranoid question (N. Sturtevant and R. Korf, 2000). As any
//! player can be asked to move at any time, formulas can also let one opponent at a time answer
//! (M. Schadd and M. Winands, *Best Reply Search for Multiplayer Games*, 2011).

use foregone_model::{
    Agent, Atom, Endless, Game, Guide, Notation, OffTurn, Outcome, Scale, TextError, Turn,
};

use crate::board::{self, Word, sort_by_rank};

/// The greatest size, that of the usual board of 121 cells.
pub const MOST_SIZE: u32 = 4;

/// How many can play.
pub const PLAYERS: [u32; 4] = [2, 3, 4, 6];

/// Places for players: one for each point of the star.
const MOST: usize = 6;

const NAMES: [&str; MOST] = ["red", "green", "blue", "yellow", "orange", "violet"];
/// An empty cell, then the pieces of the players.
const SYMBOLS: [char; MOST + 1] = ['.', 'r', 'g', 'b', 'y', 'o', 'v'];
const ATOMS: [(&str, &str); 1] =
    [("home(PLAYER,N)", "PLAYER has at least N pieces in the point that it wants to fill")];
/// An atom is a player times this and a number of pieces, of which there are at most ten.
const ATOM_STEP: u32 = 16;

/// Chinese Checkers.
///
/// A cell has three coordinates that add up to 0. With the size `n`, the star is two triangles:
/// the cells without a coordinate below `-n`, and those without one above `n`. The third
/// coordinate is the row, counted downwards from the middle one; the first grows to the right in
/// a row. Cells are numbered in reading order.
#[derive(Clone, Debug)]
pub struct ChineseCheckers<W> {
    size: u32,
    players: usize,
    /// Where each row begins on a page, in half cells from the left, and how many cells it has.
    rows: Vec<(u32, u32)>,
    /// The cells next to each cell.
    steps: Vec<W>,
    /// For each cell the cells next to it that have one behind them, and those behind.
    hops: Vec<Vec<(u8, u8)>>,
    /// For each player the point where it begins, and the one that it wants to fill.
    homes: [W; MOST],
    goals: [W; MOST],
    /// For each player how far across the board each cell is.
    progress: Vec<Vec<i16>>,
}

/// The pieces of each player, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    pieces: [W; MOST],
    turn: u8,
}

impl<W: Word> State<W> {
    #[inline]
    fn occupied(&self) -> W {
        self.pieces.iter().fold(W::ZERO, |all, &own| all | own)
    }

    fn symbol(&self, cell: u32) -> char {
        SYMBOLS[self.pieces.iter().position(|own| own.has(cell)).map_or(0, |player| player + 1)]
    }
}

/// The cells from which and to which a piece goes.
type FromTo = (u8, u8);

/// A pass, for who cannot move.
const PASS: FromTo = (u8::MAX, u8::MAX);

/// The six directions.
const AROUND: [[i32; 3]; 6] =
    [[1, -1, 0], [-1, 1, 0], [1, 0, -1], [-1, 0, 1], [0, 1, -1], [0, -1, 1]];

/// How far a cell is towards a point, of which there are six, clockwise from the top.
fn towards(point: usize, [right, left, down]: [i32; 3]) -> i32 {
    [-down, right, -left, down, -right, left][point]
}

/// The cells of the star in reading order.
fn star(size: i32) -> Vec<[i32; 3]> {
    let mut cells = Vec::new();
    for down in -2 * size..=2 * size {
        for right in -2 * size..=2 * size {
            let cell = [right, -right - down, down];
            if cell.iter().all(|&c| c >= -size) || cell.iter().all(|&c| c <= size) {
                cells.push(cell);
            }
        }
    }
    cells
}

impl<W: Word> ChineseCheckers<W> {
    /// How many cells a star has.
    pub fn cells(size: u32) -> u32 {
        6 * size * (size + 1) + 1
    }

    /// A star whose points have sides of this many cells, up to [`MOST_SIZE`]; its cells must fit
    /// into the word. The number of players is one of [`PLAYERS`].
    pub fn new(size: u32, players: u32) -> ChineseCheckers<W> {
        assert!((1..=MOST_SIZE).contains(&size), "there is such a board");
        assert!(ChineseCheckers::<W>::cells(size) <= W::BITS, "the board fits its word");
        // Everybody sits opposite another one, but for three, who sit at every second point.
        let points: &[usize] = match players {
            2 => &[0, 3],
            3 => &[0, 2, 4],
            4 => &[0, 1, 3, 4],
            6 => &[0, 1, 2, 3, 4, 5],
            _ => panic!("two, three, four or six can play"),
        };
        let n = size as i32;
        let cells = star(n);
        let find = |cell: [i32; 3]| cells.iter().position(|&c| c == cell).map(|i| i as u8);
        let beside = |cell: [i32; 3], by: [i32; 3]| [0, 1, 2].map(|i| cell[i] + by[i]);
        let steps = |&cell: &[i32; 3]| {
            let next = AROUND.iter().filter_map(|&by| find(beside(cell, by)));
            next.fold(W::ZERO, |set, c| set | W::bit(u32::from(c)))
        };
        let hops = |&cell: &[i32; 3]| {
            let hop = |&by: &[i32; 3]| {
                let over = beside(cell, by);
                Some((find(over)?, find(beside(over, by))?))
            };
            AROUND.iter().filter_map(hop).collect()
        };
        let point = |point: usize| {
            let inside = (0..).zip(&cells).filter(|&(_, &cell)| towards(point, cell) > n);
            inside.fold(W::ZERO, |set, (i, _)| set | W::bit(i))
        };
        let row = |down: i32| {
            let mut row = cells.iter().filter(|cell| cell[2] == down).peekable();
            let first = row.peek().map_or(0, |[right, left, _]| right - left);
            ((3 * n + first) as u32, row.count() as u32)
        };
        let (mut homes, mut goals) = ([W::ZERO; MOST], [W::ZERO; MOST]);
        for (player, &at) in points.iter().enumerate() {
            homes[player] = point(at);
            goals[player] = point((at + 3) % 6);
        }
        let progress =
            |&at: &usize| cells.iter().map(|&cell| towards((at + 3) % 6, cell) as i16).collect();
        ChineseCheckers {
            size,
            players: points.len(),
            rows: (-2 * n..=2 * n).map(row).collect(),
            steps: cells.iter().map(steps).collect(),
            hops: cells.iter().map(hops).collect(),
            homes,
            goals,
            progress: points.iter().map(progress).collect(),
        }
    }

    /// How many pieces a player has.
    fn pieces(&self) -> u32 {
        self.homes[0].count()
    }

    /// The cells that the piece on `from` can go to.
    #[inline]
    fn landings(&self, occupied: W, from: u32) -> W {
        // The piece is in the hand: it does not hop over itself.
        let start = W::bit(from);
        let others = occupied & !start;
        let mut reached = start;
        let mut todo = start;
        while !todo.is_empty() {
            let cell = todo.lowest();
            todo = todo.without_lowest();
            for &(over, to) in &self.hops[cell as usize] {
                let to = W::bit(u32::from(to));
                if others.has(u32::from(over)) && ((others | reached) & to).is_empty() {
                    reached = reached | to;
                    todo = todo | to;
                }
            }
        }
        (reached | (self.steps[from as usize] & !others)) & !start
    }

    /// Whether a player's goal is full and one of the pieces there is its own.
    #[inline]
    fn fills(&self, s: &State<W>, player: usize) -> bool {
        let goal = self.goals[player];
        !(goal & s.pieces[player]).is_empty() && (goal & !s.occupied()).is_empty()
    }

    /// Who moved last, as it seems from whose turn it is.
    #[inline]
    fn last(&self, s: &State<W>) -> usize {
        (usize::from(s.turn) + self.players - 1) % self.players
    }

    /// The row of a cell and its place there.
    fn place(&self, cell: u32) -> (u32, u32) {
        let mut first = 0;
        for (row, &(_, length)) in (0..).zip(&self.rows) {
            if cell < first + length {
                return (row, cell - first);
            }
            first += length;
        }
        (0, 0)
    }

    /// Reads the name of a cell from the front of a text: the cell and the rest.
    fn parse_cell<'t>(&self, text: &'t str) -> Option<(u8, &'t str)> {
        let (row, column, rest) = board::parse_cell(text)?;
        let &(_, length) = self.rows.get(row as usize)?;
        let first: u32 = self.rows[..row as usize].iter().map(|&(_, length)| length).sum();
        (column < length).then(|| ((first + column) as u8, rest))
    }
}

impl<W: Word> Game for ChineseCheckers<W> {
    type State = State<W>;
    type Move = FromTo;

    /// Who wins. To the first player all others are the same, but an outcome must tell them
    /// apart; which of them comes first means nothing.
    fn scale(&self) -> Scale {
        let others = NAMES[1..self.players].iter();
        Scale::named(others.chain(&["nobody", NAMES[0]]).map(|&name| name.to_owned()).collect())
    }

    fn endless(&self) -> Endless {
        Endless::Scores(Outcome(self.players as u16 - 1))
    }

    fn start(&self) -> State<W> {
        State { pieces: self.homes, turn: 0 }
    }

    fn agents(&self) -> u8 {
        self.players as u8
    }

    fn off_turn(&self) -> OffTurn {
        OffTurn::Moves
    }

    #[inline]
    fn turn(&self, s: &State<W>) -> Turn {
        if self.fills(s, self.last(s)) { Turn::Over } else { Turn::Agent(Agent(s.turn)) }
    }

    #[inline]
    fn moves(&self, s: &State<W>, agent: Agent, out: &mut Vec<FromTo>) {
        let occupied = s.occupied();
        let before = out.len();
        for from in s.pieces[usize::from(agent.0)].cells() {
            let landings = self.landings(occupied, from).cells();
            out.extend(landings.map(|to| (from as u8, to as u8)));
        }
        if out.len() == before {
            out.push(PASS);
        }
    }

    #[inline]
    fn play(&self, s: &mut State<W>, agent: Agent, m: FromTo) {
        if m != PASS {
            let own = &mut s.pieces[usize::from(agent.0)];
            *own = (*own & !W::bit(u32::from(m.0))) | W::bit(u32::from(m.1));
        }
        s.turn = (agent.0 + 1) % self.players as u8;
    }

    #[inline]
    fn outcome(&self, s: &State<W>) -> Outcome {
        match self.last(s) {
            0 => Outcome(self.players as u16),
            player => Outcome(player as u16 - 1),
        }
    }

    fn won(&self, outcome: Outcome, agent: Agent) -> bool {
        match agent.0 {
            0 => outcome == Outcome(self.players as u16),
            player => outcome == Outcome(u16::from(player) - 1),
        }
    }

    fn holds(&self, s: &State<W>, atom: Atom) -> bool {
        let player = (atom.0 / ATOM_STEP) as usize % MOST;
        (s.pieces[player] & self.goals[player]).count() >= atom.0 % ATOM_STEP
    }
}

impl<W: Word> Guide for ChineseCheckers<W> {
    type Packed = [W; 3];

    /// The binary digits of the number of whose piece is on a cell, the players counted from 1.
    /// No board needs the three highest bits of the word; they tell who is to move.
    #[inline]
    fn pack(&self, s: &State<W>) -> [W; 3] {
        let [a, b, c, d, e, f] = s.pieces;
        let turn = W::from(u64::from(s.turn)) << (W::BITS - 3);
        [a | c | e | turn, b | c | f, d | e | f]
    }

    #[inline]
    fn mobility(&self, s: &State<W>, agent: Agent) -> u32 {
        let occupied = s.occupied();
        let own = s.pieces[usize::from(agent.0)].cells();
        own.map(|from| self.landings(occupied, from).count()).sum::<u32>().max(1)
    }

    /// The longest way towards the goal first.
    fn order(&self, _s: &State<W>, agent: Agent, moves: &mut [FromTo]) {
        let progress = &self.progress[usize::from(agent.0)];
        sort_by_rank(moves, |m| {
            if m == PASS { 0 } else { progress[usize::from(m.1)] - progress[usize::from(m.0)] }
        });
    }
}

impl<W: Word> Notation for ChineseCheckers<W> {
    fn name(&self) -> String {
        format!("chinese-checkers:{},{}", self.size, self.players)
    }

    fn players(&self) -> [&str; 2] {
        [NAMES[0], if self.players == 2 { NAMES[1] } else { "others" }]
    }

    fn agent_name(&self, agent: Agent) -> &str {
        NAMES[usize::from(agent.0)]
    }

    fn atoms(&self) -> &[(&'static str, &'static str)] {
        &ATOMS
    }

    fn read_atom(&self, text: &str) -> Option<Atom> {
        let mut all = (0..self.players).flat_map(|p| (1..=self.pieces()).map(move |n| (p, n)));
        let (player, number) = all.find(|&(p, n)| text == format!("home({},{n})", NAMES[p]))?;
        Some(Atom(player as u32 * ATOM_STEP + number))
    }

    /// `a1b2`: from the first cell of the first row from the top to the second of the second.
    fn write_move(&self, _s: &State<W>, m: FromTo, out: &mut String) {
        if m == PASS {
            return out.push_str("pass");
        }
        for cell in [m.0, m.1] {
            let (row, column) = self.place(u32::from(cell));
            board::write_cell(row, column, out);
        }
    }

    fn parse_move(&self, _s: &State<W>, text: &str) -> Option<FromTo> {
        if text == "pass" {
            return Some(PASS);
        }
        let (from, rest) = self.parse_cell(text)?;
        let (to, rest) = self.parse_cell(rest)?;
        (rest.is_empty() && from != to).then_some((from, to))
    }

    /// The rows from the top, only cells of the star, then who is to move.
    fn write_position(&self, s: &State<W>, out: &mut String) {
        let mut cells = 0..;
        for (row, &(_, length)) in self.rows.iter().enumerate() {
            if row > 0 {
                out.push('/');
            }
            out.extend(cells.by_ref().take(length as usize).map(|cell| s.symbol(cell)));
        }
        out.push(' ');
        out.push_str(NAMES[usize::from(s.turn)]);
    }

    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        let lengths: Vec<usize> = self.rows.iter().map(|&(_, length)| length as usize).collect();
        let symbols = &SYMBOLS[..=self.players];
        let (cells, mover) = board::read_rows(text, &lengths, symbols, &NAMES[..self.players])?;
        let mut pieces = [W::ZERO; MOST];
        for (cell, &symbol) in (0..).zip(&cells) {
            if symbol > 0 {
                pieces[symbol - 1] = pieces[symbol - 1] | W::bit(cell);
            }
        }
        for (own, name) in pieces.iter().zip(&NAMES[..self.players]) {
            if own.count() != self.pieces() {
                let message = format!(
                    "{name} has {} pieces, and in {} everybody has {}",
                    own.count(),
                    self.name(),
                    self.pieces()
                );
                let board = text.rfind(' ').unwrap_or(text.len());
                return Err(TextError::new(message, 0..board));
            }
        }
        Ok(State { pieces, turn: mover as u8 })
    }

    fn draw(&self, s: &State<W>) -> String {
        let mut out = String::new();
        let mut cells = 0..;
        for (row, &(indent, length)) in self.rows.iter().enumerate() {
            out.push_str(&format!("{:>3}  ", row + 1));
            out.extend((0..indent).map(|_| ' '));
            for cell in cells.by_ref().take(length as usize) {
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
    use foregone_model::Typed as _;
    use std::collections::{BTreeMap, BTreeSet, HashMap};

    use foregone_model::Rng;

    use super::*;
    use crate::registry::{Visitor, with_game};
    use crate::testing;

    /// The rules in so many words, on a page: a cell is its distance from the middle line, in
    /// half cells, and its row from the top. Nothing here looks at the tables of the game.
    struct Page {
        size: i32,
        /// What stands on each cell.
        marks: BTreeMap<(i32, i32), char>,
        mover: String,
    }

    const NEAR: [(i32, i32); 6] = [(-2, 0), (2, 0), (-1, -1), (1, -1), (-1, 1), (1, 1)];

    impl Page {
        fn cells(size: i32) -> Vec<(i32, i32)> {
            let rows = (0..=4 * size).flat_map(|y| (-3 * size..=3 * size).map(move |x| (x, y)));
            // A triangle with its tip at the top, and one with its tip at the bottom.
            let upright = |x: i32, y: i32| y <= 3 * size && x.abs() <= y;
            let hanging = |x: i32, y: i32| y >= size && x.abs() <= 4 * size - y;
            rows.filter(|&(x, y)| (x + y) % 2 == 0 && (upright(x, y) || hanging(x, y))).collect()
        }

        fn read(size: i32, text: &str) -> Page {
            let (rows, mover) = text.split_once(' ').unwrap();
            let marks: Vec<char> = rows.chars().filter(|&c| c != '/').collect();
            let cells = Page::cells(size);
            assert_eq!(cells.len(), marks.len());
            Page { size, marks: cells.into_iter().zip(marks).collect(), mover: mover.to_owned() }
        }

        /// The number of the point that a cell is in, clockwise from the top.
        fn point(size: i32, (x, y): (i32, i32)) -> Option<usize> {
            [y < size, x > y, x > 4 * size - y, y > 3 * size, -x > 4 * size - y, -x > y]
                .into_iter()
                .position(|inside| inside)
        }

        /// Where a player begins.
        fn seat(players: usize, player: usize) -> usize {
            match players {
                2 => 3 * player,
                3 => 2 * player,
                4 => [0, 1, 3, 4][player],
                _ => player,
            }
        }

        fn empty(&self, cell: (i32, i32)) -> bool {
            self.marks.get(&cell) == Some(&'.')
        }

        fn hop(&self, from: (i32, i32), reached: &mut BTreeSet<(i32, i32)>) {
            for (dx, dy) in NEAR {
                let (over, to) = ((from.0 + dx, from.1 + dy), (from.0 + 2 * dx, from.1 + 2 * dy));
                let piece = self.marks.contains_key(&over) && !self.empty(over);
                if piece && self.empty(to) && reached.insert(to) {
                    self.hop(to, reached);
                }
            }
        }

        /// The cells from which and to which a player can go.
        fn moves(&mut self, mark: char) -> BTreeSet<((i32, i32), (i32, i32))> {
            let own: Vec<_> =
                self.marks.keys().filter(|c| self.marks[c] == mark).copied().collect();
            let mut moves = BTreeSet::new();
            for from in own {
                self.marks.insert(from, '.');
                let mut reached: BTreeSet<_> =
                    NEAR.iter().map(|(dx, dy)| (from.0 + dx, from.1 + dy)).collect();
                reached.retain(|&c| self.empty(c));
                self.hop(from, &mut reached);
                reached.remove(&from);
                self.marks.insert(from, mark);
                moves.extend(reached.into_iter().map(|to| (from, to)));
            }
            moves
        }

        fn fills(&self, players: usize, player: usize) -> bool {
            let goal = (Page::seat(players, player) + 3) % 6;
            let inside: Vec<char> = self
                .marks
                .iter()
                .filter(|&(&cell, _)| Page::point(self.size, cell) == Some(goal))
                .map(|(_, &mark)| mark)
                .collect();
            inside.contains(&SYMBOLS[player + 1]) && !inside.contains(&'.')
        }
    }

    fn moves<W: Word>(game: &ChineseCheckers<W>, s: &State<W>, agent: u8) -> Vec<FromTo> {
        let mut moves = Vec::new();
        game.moves(s, Agent(agent), &mut moves);
        moves
    }

    fn names<W: Word>(game: &ChineseCheckers<W>, s: &State<W>, agent: u8) -> String {
        let names: Vec<String> =
            moves(game, s, agent).iter().map(|&m| game.move_text(s, m)).collect();
        names.join(" ")
    }

    /// The states of one random play, cut off after so many: larger boards take for ever.
    fn some_play<W: Word>(game: &ChineseCheckers<W>, longest: u32, rng: &mut Rng) -> Vec<State<W>> {
        let mut states = vec![game.start()];
        for _ in 0..longest {
            let mut s = states[states.len() - 1];
            let Turn::Agent(agent) = game.turn(&s) else {
                break;
            };
            let mut moves = moves(game, &s, agent.0);
            // Mostly ahead, so that pieces meet and goals are reached.
            let likely = moves.len() as u32;
            game.order(&s, agent, &mut moves);
            let pick = rng.below(likely).min(rng.below(likely));
            game.play(&mut s, agent, moves[pick as usize]);
            states.push(s);
        }
        states
    }

    #[test]
    fn the_star_is_the_one_on_a_page() {
        for (size, count) in [(1, 13), (2, 37), (3, 73), (4, 121)] {
            let game: ChineseCheckers<u128> = ChineseCheckers::new(size, 6);
            let cells = Page::cells(size as i32);
            assert_eq!((cells.len(), ChineseCheckers::<u128>::cells(size)), (count, count as u32));
            let find = |x, y| cells.iter().position(|&c| c == (x, y)).map(|i| i as u32);
            for (cell, &(x, y)) in (0..).zip(&cells) {
                let near: BTreeSet<u32> =
                    NEAR.iter().filter_map(|(dx, dy)| find(x + dx, y + dy)).collect();
                let steps: BTreeSet<u32> = game.steps[cell as usize].cells().collect();
                assert_eq!(steps, near, "{size} {x} {y}");
                let behind: BTreeSet<(u8, u8)> = NEAR
                    .iter()
                    .filter_map(|(dx, dy)| {
                        Some((find(x + dx, y + dy)? as u8, find(x + 2 * dx, y + 2 * dy)? as u8))
                    })
                    .collect();
                assert_eq!(
                    game.hops[cell as usize].iter().copied().collect::<BTreeSet<_>>(),
                    behind
                );
                let home = Page::point(size as i32, (x, y));
                assert_eq!(game.homes.iter().position(|home| home.has(cell)), home);
                let (row, column) = game.place(cell);
                let (indent, _) = game.rows[row as usize];
                assert_eq!((row as i32, (indent + 2 * column) as i32), (y, x + 3 * size as i32));
            }
            assert!(game.homes.iter().all(|home| home.count() == size * (size + 1) / 2));
            // The middle has six neighbours and the six tips have two each.
            assert_eq!(game.steps[cells.len() / 2].count(), 6);
            assert_eq!(game.steps.iter().filter(|near| near.count() == 2).count(), 6);
        }
    }

    #[test]
    fn opposite_points_are_goals() {
        for players in PLAYERS {
            let game: ChineseCheckers<u64> = ChineseCheckers::new(2, players);
            let all: ChineseCheckers<u64> = ChineseCheckers::new(2, 6);
            for player in 0..players as usize {
                let seat = Page::seat(players as usize, player);
                assert_eq!(game.homes[player], all.homes[seat]);
                assert_eq!(game.goals[player], all.homes[(seat + 3) % 6]);
            }
            assert!(game.homes[players as usize..].iter().all(|home| home.is_empty()));
        }
    }

    #[test]
    fn openings_are_those_counted_by_hand() {
        // The first row of pieces steps, each to two cells, and the second hops over it, each to
        // two cells. On the usual board these are the well-known 14 moves.
        for size in 1..=MOST_SIZE {
            for players in PLAYERS {
                let game: ChineseCheckers<u128> = ChineseCheckers::new(size, players);
                for agent in 0..game.agents() {
                    let count = moves(&game, &game.start(), agent).len() as u32;
                    assert_eq!(count, 4 * size - 2, "{} {agent}", game.name());
                }
            }
        }
        let game: ChineseCheckers<u64> = ChineseCheckers::new(2, 2);
        assert_eq!(names(&game, &game.start(), 0), "a1c3 a1e3 a2c3 a2d3 b2d3 b2e3");
        assert_eq!(names(&game, &game.start(), 1), "a8c7 a8d7 b8d7 b8e7 a9c7 a9e7");
        assert_eq!(testing::perft(&game, &game.start(), 2), 36);
        let game: ChineseCheckers<u64> = ChineseCheckers::new(1, 3);
        assert_eq!(names(&game, &game.start(), 0), "a1b2 a1c2");
        assert_eq!(names(&game, &game.start(), 1), "d4c3 d4c4");
        assert_eq!(names(&game, &game.start(), 2), "a4a3 a4b4");
    }

    #[test]
    fn sequences_of_moves_are_counted() {
        // By problems/oracle.py, which knows nothing of this file.
        fn check<W: Word>(size: u32, players: u32, counts: &[u64]) {
            let game: ChineseCheckers<W> = ChineseCheckers::new(size, players);
            for (depth, &count) in (1..).zip(counts) {
                let found = testing::perft(&game, &game.start(), depth);
                assert_eq!(found, count, "{} {depth}", game.name());
            }
        }
        check::<u64>(1, 2, &[2, 4, 20, 100, 384, 1422, 6002]);
        check::<u64>(1, 3, &[2, 4, 8, 40, 199, 958, 3385]);
        check::<u64>(1, 4, &[2, 4, 8, 19, 92, 448, 2150]);
        check::<u64>(1, 6, &[2, 4, 7, 16, 25, 28, 105, 457, 1825]);
        check::<u64>(2, 2, &[6, 36, 396, 4356]);
        check::<u64>(2, 3, &[6, 36, 216, 2388]);
        check::<u128>(2, 6, &[6, 37, 236, 1534, 10080]);
        check::<u128>(3, 3, &[10, 100, 1000, 18000]);
        check::<u128>(4, 2, &[14, 196, 4760]);
        // And from the middle of a play, where pieces have met.
        let game: ChineseCheckers<u64> = ChineseCheckers::new(2, 3);
        let play = "moves:a1c3,f7e7,a6b6,c3b4,e7b8,a7c3,b2e3,f6f7,c3c7,a2b2,b8a8,b7a6,b4b3,g7f6,\
                    c7b7,e3d4,f6e6";
        let s = game.read_position_or_moves(play).unwrap();
        let counts = [1, 2, 3].map(|depth| testing::perft(&game, &s, depth));
        assert_eq!(counts, [10, 140, 1909]);
    }

    #[test]
    fn hops_go_on_in_any_direction() {
        let game: ChineseCheckers<u64> = ChineseCheckers::new(2, 2);
        let s = game.read_position("r/r./......./..gr../...../..gg../......./../. red").unwrap();
        // From the tip over a2 to c3 and over c4 to c5, from there down over c6 or d6, and up
        // again over d4. The step to b2 is the only one, and it ends the move.
        let tip: Vec<String> = moves(&game, &s, 0)
            .iter()
            .filter(|m| m.0 == 0)
            .map(|&m| game.move_text(&s, m))
            .collect();
        assert_eq!(tip, ["a1b2", "a1c3", "a1e3", "a1c5", "a1c7", "a1e7"]);
    }

    #[test]
    fn the_page_agrees() {
        fn check<W: Word>(size: u32, players: u32, plays: u32, rng: &mut Rng) -> u32 {
            let game: ChineseCheckers<W> = ChineseCheckers::new(size, players);
            let cells = Page::cells(size as i32);
            let mut ended = 0;
            for _ in 0..plays {
                for s in some_play(&game, 150, rng) {
                    let text = game.position_text(&s);
                    let mut page = Page::read(size as i32, &text);
                    let mover = NAMES.iter().position(|&n| n == page.mover).unwrap();
                    let last = (mover + players as usize - 1) % players as usize;
                    assert_eq!(
                        game.turn(&s) == Turn::Over,
                        page.fills(players as usize, last),
                        "{text}"
                    );
                    if game.turn(&s) == Turn::Over {
                        let outcome = game.outcome(&s);
                        assert_eq!(game.scale().name(outcome), NAMES[last], "{text}");
                        for agent in 0..game.agents() {
                            let won = usize::from(agent) == last;
                            assert_eq!(game.won(outcome, Agent(agent)), won, "{text}");
                        }
                        ended += 1;
                        continue;
                    }
                    assert_eq!(game.turn(&s), Turn::Agent(Agent(mover as u8)), "{text}");
                    for agent in 0..game.agents() {
                        let found = moves(&game, &s, agent);
                        assert_eq!(game.mobility(&s, Agent(agent)) as usize, found.len());
                        assert!(found.is_sorted(), "{text}");
                        let slow = page.moves(SYMBOLS[usize::from(agent) + 1]);
                        if found == [PASS] {
                            assert!(slow.is_empty(), "{text}");
                            continue;
                        }
                        let place = |cell: u8| cells[usize::from(cell)];
                        let fast: BTreeSet<_> =
                            found.iter().map(|&(from, to)| (place(from), place(to))).collect();
                        assert_eq!(fast.len(), found.len(), "{text}");
                        assert_eq!(fast, slow, "{text} {}", NAMES[usize::from(agent)]);
                    }
                }
            }
            ended
        }
        let mut rng = Rng::new(8);
        for players in PLAYERS {
            assert!(check::<u64>(1, players, 60, &mut rng) > 50, "{players}");
            check::<u64>(2, players, 15, &mut rng);
            check::<u128>(2, players, 3, &mut rng);
            check::<u128>(3, players, 4, &mut rng);
            check::<u128>(4, players, 2, &mut rng);
        }
    }

    #[test]
    fn a_full_goal_with_an_own_piece_wins() {
        let game: ChineseCheckers<u64> = ChineseCheckers::new(2, 2);
        // Two of green's pieces stay at home. Red enters between them and has won.
        let mut s =
            game.read_position("r/../......./r...../g..../....../...r.../.g/g red").unwrap();
        let enter = game.read_move(&s, "d7a8").unwrap();
        game.play(&mut s, Agent(0), enter);
        assert_eq!(game.position_text(&s), "r/../......./r...../g..../....../......./rg/g green");
        assert_eq!((game.turn(&s), game.outcome(&s)), (Turn::Over, Outcome(2)));
        assert_eq!(game.scale().name(Outcome(2)), "red");
        // The same pieces with red to move: green came back to block, and red wins by any move
        // that leaves its goal full, but not before it has moved.
        let mut s =
            game.read_position("r/../......./r...../g..../....../......./rg/g red").unwrap();
        assert_eq!(game.turn(&s), Turn::Agent(Agent(0)));
        let elsewhere = game.read_move(&s, "a1a2").unwrap();
        game.play(&mut s, Agent(0), elsewhere);
        assert_eq!((game.turn(&s), game.outcome(&s)), (Turn::Over, Outcome(2)));
        // A goal that is full of the opponent's pieces alone is no win, whoever came last.
        let s = game.read_position("r/rr/......./....../...../....../......./gg/g green").unwrap();
        assert_eq!(game.turn(&s), Turn::Agent(Agent(1)));
        assert_eq!(game.turn(&game.start()), Turn::Agent(Agent(0)));
        // Green fills the top.
        let s = game.read_position("g/gg/......./r...../...../....../...r.../r./. red").unwrap();
        assert_eq!((game.turn(&s), game.outcome(&s)), (Turn::Over, Outcome(0)));
    }

    #[test]
    fn who_cannot_move_passes() {
        let game: ChineseCheckers<u64> = ChineseCheckers::new(1, 6);
        let mut s = game.read_position("r/.gb./y.o/.v../. red").unwrap();
        assert_eq!(names(&game, &s, 0), "pass");
        assert_eq!(game.mobility(&s, Agent(0)), 1);
        let pieces = s.pieces;
        let pass = game.read_move(&s, "pass").unwrap();
        game.play(&mut s, Agent(0), pass);
        assert_eq!((s.pieces, game.turn(&s)), (pieces, Turn::Agent(Agent(1))));
        // Who can move must.
        assert!(game.read_move(&s, "pass").is_err());
    }

    #[test]
    fn anybody_can_be_asked() {
        let game: ChineseCheckers<u64> = ChineseCheckers::new(1, 3);
        assert_eq!((game.agents(), game.off_turn()), (3, OffTurn::Moves));
        let mut s = game.start();
        // Blue answers red, and red is to move again: green has been left out.
        let first = moves(&game, &s, 0)[0];
        game.play(&mut s, Agent(0), first);
        assert_eq!(game.turn(&s), Turn::Agent(Agent(1)));
        let answer = moves(&game, &s, 2)[0];
        game.play(&mut s, Agent(2), answer);
        assert_eq!(game.position_text(&s), "./.r../b../...g/. red");
        assert_eq!(game.turn(&s), Turn::Agent(Agent(0)));
        // Green moves in red's place, then it is blue's turn. Its goal is the upper left point.
        let s = game.read_position("./.r../gb./..../. red").unwrap();
        let mut won = s;
        game.play(&mut won, Agent(1), game.parse_move(&s, "a3a2").unwrap());
        assert_eq!((game.turn(&won), game.outcome(&won)), (Turn::Over, Outcome(0)));
        assert!(game.won(Outcome(0), Agent(1)) && !game.won(Outcome(0), Agent(2)));
    }

    #[test]
    fn outcomes_are_winners() {
        let game: ChineseCheckers<u64> = ChineseCheckers::new(1, 4);
        let scale = game.scale();
        let all: Vec<&str> = scale.names().collect();
        assert_eq!(all, ["green", "blue", "yellow", "nobody", "red"]);
        assert_eq!(game.endless(), Endless::Scores(Outcome(3)));
        for (outcome, name) in (0..).zip(all) {
            for agent in 0..4 {
                let winner = game.agent_name(Agent(agent)) == name;
                assert_eq!(game.won(Outcome(outcome), Agent(agent)), winner, "{name} {agent}");
            }
        }
        assert_eq!(game.players(), ["red", "others"]);
        let two: ChineseCheckers<u64> = ChineseCheckers::new(1, 2);
        assert_eq!(two.players(), ["red", "green"]);
    }

    #[test]
    fn what_the_first_player_can_force() {
        // Alone against all the others red loses; problems/oracle.py agrees.
        for (players, value) in [(2, "red"), (3, "green"), (4, "green")] {
            let game: ChineseCheckers<u64> = ChineseCheckers::new(1, players);
            let found = testing::solve_with_loops(&game, &game.start());
            assert_eq!(game.scale().name(found), value, "{players}");
        }
    }

    #[test]
    fn atoms_count_pieces_at_the_goal() {
        let game: ChineseCheckers<u64> = ChineseCheckers::new(2, 2);
        let s = game.read_position("g/../......./r...../g..../....../......./rg/r red").unwrap();
        for (text, holds) in [
            ("home(red,1)", true),
            ("home(red,2)", true),
            ("home(red,3)", false),
            ("home(green,1)", true),
            ("home(green,2)", false),
        ] {
            let atom = game.read_atom(text).unwrap();
            assert_eq!(game.holds(&s, atom), holds, "{text}");
        }
        for text in
            ["", "home", "home()", "home(red)", "home(red,0)", "home(red,4)", "home(red,01)"]
                .iter()
                .chain(&[
                    "home(blue,1)",
                    "home(red,+1)",
                    "home(é,1)",
                    "home(red,1",
                    "home(red,99999999)",
                ])
        {
            assert_eq!(game.read_atom(text), None, "{text}");
        }
        assert_eq!(game.atoms()[0].0, "home(PLAYER,N)");
        // The largest board has a number for every atom.
        let game: ChineseCheckers<u128> = ChineseCheckers::new(4, 6);
        let mut seen = BTreeSet::new();
        for name in NAMES {
            for n in 1..=10 {
                assert!(seen.insert(game.read_atom(&format!("home({name},{n})")).unwrap().0));
            }
        }
        assert!(seen.iter().all(|&atom| !game.holds(&game.start(), Atom(atom))));
    }

    #[test]
    fn texts_round_trip() {
        for players in PLAYERS {
            testing::texts_round_trip(&ChineseCheckers::<u64>::new(1, players), 20);
            testing::nonsense_is_refused(&ChineseCheckers::<u64>::new(1, players));
            testing::nonsense_is_refused(&ChineseCheckers::<u64>::new(2, players));
            testing::nonsense_is_refused(&ChineseCheckers::<u128>::new(4, players));
        }
        let mut rng = Rng::new(9);
        for (size, players) in [(2, 3), (3, 4), (4, 6), (4, 2)] {
            let game: ChineseCheckers<u128> = ChineseCheckers::new(size, players);
            for s in some_play(&game, 200, &mut rng) {
                let text = game.position_text(&s);
                assert_eq!(game.read_position(&text), Ok(s), "{text}");
                for agent in 0..game.agents() {
                    for m in moves(&game, &s, agent) {
                        assert_eq!(game.parse_move(&s, &game.move_text(&s, m)), Some(m), "{text}");
                    }
                }
            }
        }
    }

    #[test]
    fn wrong_positions_are_refused() {
        let game: ChineseCheckers<u64> = ChineseCheckers::new(1, 3);
        assert_eq!(game.position_text(&game.start()), "r/..../.../b..g/. red");
        for (text, span) in [
            ("r/..../.../b..g/. yellow", 18..24),
            ("r/..../.../b..g/.", 17..17),
            ("r/..../../b..g/. red", 7..9),
            ("r/..../.../b..g red", 0..15),
            ("r/..../.../b..y/. red", 14..15),
            ("r/..../.../b..r/. red", 0..17),
            ("r/..../.../b.../. red", 0..17),
            ("r/.g../.../b..g/. red", 0..17),
        ] {
            assert_eq!(game.read_position(text).unwrap_err().span, span, "{text}");
        }
        for text in ["a1", "a1b1", "b1a1", "a1e2", "a1b2c3", "a1b6", "a1 b2", "PASS", "a01b2"] {
            assert_eq!(game.parse_move(&game.start(), text), None, "{text}");
        }
    }

    #[test]
    fn tables_tell_positions_apart() {
        fn check<W: Word>(size: u32, players: u32, rng: &mut Rng) {
            let game: ChineseCheckers<W> = ChineseCheckers::new(size, players);
            let mut seen = HashMap::new();
            for _ in 0..10 {
                for mut s in some_play(&game, 100, rng) {
                    for turn in 0..game.agents() {
                        s.turn = turn;
                        assert_eq!(*seen.entry(game.pack(&s)).or_insert(s), s);
                    }
                }
            }
        }
        let mut rng = Rng::new(10);
        for players in PLAYERS {
            check::<u64>(1, players, &mut rng);
            check::<u64>(2, players, &mut rng);
            check::<u128>(4, players, &mut rng);
        }
    }

    #[test]
    fn long_hops_come_first() {
        let game: ChineseCheckers<u64> = ChineseCheckers::new(2, 2);
        let s = game.start();
        let order = testing::ordered_names(&game, &s);
        assert_eq!(order, ["a1c3", "a1e3", "a2c3", "a2d3", "b2d3", "b2e3"]);
        let mut back = moves(&game, &s, 1);
        game.order(&s, Agent(1), &mut back);
        assert_eq!(game.move_text(&s, back[0]), "a9c7");
    }

    #[test]
    fn the_star_is_drawn() {
        let game: ChineseCheckers<u64> = ChineseCheckers::new(1, 6);
        let lines = ["  1      r", "  2   v . . g", "  3    . . .", "  4   o . . b", "  5      y"];
        assert_eq!(game.draw(&game.start()), lines.join("\n") + "\n");
    }

    struct Name;

    impl Visitor for Name {
        type Output = String;

        fn visit<G: Guide + Notation>(self, game: G) -> String {
            game.name()
        }
    }

    #[test]
    fn options_are_size_and_players() {
        for (spec, name) in [
            ("chinese-checkers", "chinese-checkers:1,3"),
            ("chinese-checkers:2", "chinese-checkers:2,3"),
            ("chinese-checkers:4,6", "chinese-checkers:4,6"),
        ] {
            assert_eq!(with_game(spec, Name).unwrap(), name);
        }
        for options in ["0", "5", "1,1", "1,5", "1,7", "", "1,", "1,2,3", "x"] {
            assert!(with_game(&format!("chinese-checkers:{options}"), Name).is_err(), "{options}");
        }
    }
}
