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

use foregone_model::{Agent, Atom, Endless, Game, Guide, OffTurn, Outcome, Scale, Turn};

use crate::board::{self, Word, sort_by_rank};
use crate::options::Options;
use crate::registry::{Entry, GameError, Opened};

mod notation;

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "chinese-checkers",
    "SIZE,PLAYERS (1,3)",
    "2, 3, 4 or 6 players step and hop across a star; the first to fill the opposite point wins",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let [size, players] = options.numbers([(1, 1, MOST_SIZE), (3, 2, 6)])?;
    if !PLAYERS.contains(&players) {
        let message = format!("a star seats two, three, four or six players, not {players}");
        return Err(GameError::Spec(options.error(message)));
    }
    Ok(match options.fits_64((size, size), |size, _| ChineseCheckers::<u64>::cells(size))? {
        true => {
            Opened::pictured(ChineseCheckers::<u64>::new(size, players), ChineseCheckers::scene)
        }
        false => {
            Opened::pictured(ChineseCheckers::<u128>::new(size, players), ChineseCheckers::scene)
        }
    })
}

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

foregone_model::stored!(State<W: Word> { pieces, turn });

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
        Scale::words(others.chain(&["nobody", NAMES[0]]).map(|&name| name.to_owned()).collect())
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

    fn score(&self, outcome: Outcome, agent: Agent) -> i64 {
        let nobody = outcome == Outcome(self.players as u16 - 1);
        if nobody { 0 } else { i64::from(self.won(outcome, agent)) * 2 - 1 }
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

    foregone_model::stored_by_parts!();

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

#[cfg(test)]
mod tests;
