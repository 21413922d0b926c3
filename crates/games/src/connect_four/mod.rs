//! Connect Four (Howard Wexler and Ned Strongin, 1974).
//!
//! Red, who moves first, and Yellow drop stones into columns, which fill from below. Four in a
//! line, in any direction, win; a full board is a draw.
//!
//! The bits of a column lie together with one empty bit above them, so that shifting never joins
//! two columns and adding finds the lowest free cells (J. Tromp, Fhourstones).

use foregone_model::{Agent, Claim, Game, OffTurn, Outcome, Scale, Side, Turn};

use self::threats::Position;
use crate::board::{Mirror, Word};
use crate::options::Options;
use crate::registry::{Entry, GameError, Opened};

mod guide;
mod notation;
pub mod threats;
pub mod witness;

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry {
    quick: Some("connect-four:5x5"),
    ..Entry::in_turn(
        "connect-four",
        "ROWSxCOLUMNS (6x7)",
        "Drop stones into columns; four in a line win, a full board is a draw",
        open,
    )
    .knowing(&[threats::THREATS, threats::FOLLOW_UP])
};

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let (rows, cols) = options.size((6, 7))?;
    Ok(match options.fits_64((rows, cols), ConnectFour::<u64>::bits)? {
        true => Opened::pictured(ConnectFour::<u64>::new(rows, cols), ConnectFour::scene),
        false => Opened::pictured(ConnectFour::<u128>::new(rows, cols), ConnectFour::scene),
    })
}

/// Connect Four on a board of any size.
#[derive(Clone, Debug)]
pub struct ConnectFour<W> {
    rows: u32,
    cols: u32,
    /// The lowest cell of each column.
    bottom: W,
    lines: Lines<W>,
    /// The cells of each column.
    columns: Vec<W>,
    /// Exchanges left and right.
    mirror: Mirror<W>,
    /// What confirms reasons of static knowledge.
    witness: witness::Board<W>,
}

/// The stones of the player to move and of the other one, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    own: W,
    other: W,
    turn: Side,
}

foregone_model::stored!(State<W: Word> { own, other, turn });

/// Lines of four on a board.
#[derive(Clone, Debug)]
pub(crate) struct Lines<W> {
    /// How far apart as bits are two neighbours of a row.
    pub(crate) height: u32,
    /// All cells, without the empty ones above the columns.
    pub(crate) full: W,
    /// Every second cell of every column, the uppermost included.
    pub(crate) odd: W,
}

impl<W: Word> Lines<W> {
    /// Whether four of these stones stand in a line.
    #[inline]
    pub(crate) fn four(&self, x: W) -> bool {
        let line = |d: u32| {
            let pairs = x & (x >> d);
            pairs & (pairs >> (2 * d))
        };
        let height = self.height;
        !(line(1) | line(height - 1) | line(height) | line(height + 1)).is_empty()
    }

    /// The cells that make four in a line with three of these stones, cells that are not empty
    /// included.
    #[inline]
    pub(crate) fn completing(&self, x: W) -> W {
        let line = |d: u32| {
            // In steps of one cell: three at once may be more than the word is wide.
            let (up, down) = (x << d, x >> d);
            let (up_two, down_two) = (up & (up << d), down & (down >> d));
            (up_two & (up << d << d))
                | (up_two & down)
                | (up & down_two)
                | (down_two & (down >> d >> d))
        };
        let height = self.height;
        (line(1) | line(height - 1) | line(height) | line(height + 1)) & self.full
    }
}

const PLAYERS: [&str; 2] = ["red", "yellow"];
pub(crate) const LOSS: Outcome = Outcome(0);
pub(crate) const DRAW: Outcome = Outcome(1);
pub(crate) const WIN: Outcome = Outcome(2);

impl<W: Word> ConnectFour<W> {
    /// How many bits a board of this size needs: columns with the empty bit above them, and room
    /// to shift by two columns when lines are looked for.
    pub fn bits(rows: u32, cols: u32) -> u32 {
        ((rows + 1) * cols).max(2 * (rows + 2) + 1)
    }

    /// A board of this size, which must fit into the word.
    pub fn new(rows: u32, cols: u32) -> ConnectFour<W> {
        assert!(Self::bits(rows, cols) <= W::BITS, "the board fits its word");
        let bottom = (0..cols).fold(W::ZERO, |w, c| w | W::bit(c * (rows + 1)));
        let columns: Vec<W> = (0..cols).map(|c| W::first(rows) << (c * (rows + 1))).collect();
        let full = columns.iter().fold(W::ZERO, |w, &c| w | c);
        let mirror = Mirror::new(rows + 1, (0..rows).map(|r| (r, cols)));
        let height = rows + 1;
        let odd_rows = (0..rows).rev().step_by(2).fold(W::ZERO, |w, r| w | W::bit(r));
        let odd = (0..cols).fold(W::ZERO, |w, c| w | (odd_rows << (c * height)));
        let lines = Lines { height, full, odd };
        let witness = witness::Board::new(rows, cols);
        ConnectFour { rows, cols, bottom, lines, columns, mirror, witness }
    }

    /// The cell onto which a stone would fall, in each column that is not full.
    #[inline]
    fn landing(&self, s: &State<W>) -> W {
        (s.own | s.other).plus(self.bottom) & self.lines.full
    }

    fn position(&self, s: &State<W>) -> Position<W> {
        Position { own: s.own, other: s.other, turn: s.turn, landing: self.landing(s) }
    }

    /// Why static knowledge says what it says of a state, in the words that stand behind the name
    /// of the rule. `connect_four_witness` checks them.
    pub(crate) fn stated_reason(&self, s: &State<W>) -> Option<String> {
        threats::reason(&self.lines, &self.position(s))
    }

    /// How many empty cells then complete four, and among equals the central ones first (P. Pons,
    /// *Solving Connect 4: how to build a perfect AI*).
    #[inline]
    fn rank(&self, [own, other]: [W; 2], stone: W, m: u8) -> i16 {
        let empty = self.lines.full & !(own | other | stone);
        let threats = (self.lines.completing(own | stone) & empty).count();
        // Twice the distance to the edge, less than 128 as the columns are 64 at most.
        let centre = (2 * u32::from(m) + 1).min(2 * (self.cols - u32::from(m)) - 1);
        (threats * 128 + centre) as i16
    }

    /// The stones of an agent and those of the other.
    #[inline]
    fn seen_by(&self, s: &State<W>, agent: Agent) -> [W; 2] {
        if agent == s.turn.agent() { [s.own, s.other] } else { [s.other, s.own] }
    }

    /// Whether the player who moved last has won. The other cannot have.
    #[inline]
    fn just_won(&self, s: &State<W>) -> bool {
        self.lines.four(s.other)
    }
}

impl<W: Word> Game for ConnectFour<W> {
    type State = State<W>;
    /// The column, counted from 0.
    type Move = u8;

    fn scale(&self) -> Scale {
        Scale::three()
    }

    fn start(&self) -> State<W> {
        State { own: W::ZERO, other: W::ZERO, turn: Side::Max }
    }

    fn off_turn(&self) -> OffTurn {
        OffTurn::Moves
    }

    #[inline]
    fn turn(&self, s: &State<W>) -> Turn {
        if self.just_won(s) || self.landing(s).is_empty() {
            Turn::Over
        } else {
            Turn::Agent(s.turn.agent())
        }
    }

    #[inline]
    fn moves(&self, s: &State<W>, _agent: Agent, out: &mut Vec<u8>) {
        let landing = self.landing(s);
        let open = |(c, column): (usize, &W)| (!(landing & *column).is_empty()).then_some(c as u8);
        out.extend(self.columns.iter().enumerate().filter_map(open));
    }

    #[inline]
    fn play(&self, s: &mut State<W>, agent: Agent, m: u8) {
        let stone = self.landing(s) & self.columns[usize::from(m)];
        let side = Side::of(agent);
        let (own, other) = if side == s.turn { (s.own, s.other) } else { (s.other, s.own) };
        *s = State { own: other, other: own | stone, turn: side.other() };
    }

    #[inline]
    fn outcome(&self, s: &State<W>) -> Outcome {
        match (self.just_won(s), s.turn) {
            (true, Side::Min) => WIN,
            (true, Side::Max) => LOSS,
            (false, _) => DRAW,
        }
    }

    fn confirms(&self, s: &State<W>, claim: Claim, rule: &str, reason: &str) -> bool {
        let stones = match s.turn {
            Side::Max => [s.own, s.other],
            Side::Min => [s.other, s.own],
        };
        let Claim { prover, at_least, .. } = claim;
        self.witness.confirms(stones, s.turn, prover, at_least, rule, reason)
    }
}

#[cfg(test)]
mod tests;
