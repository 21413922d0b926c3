//! Connect Four (Howard Wexler and Ned Strongin, 1974).
//!
//! Red, who moves first, and Yellow drop stones into columns, which fill from below. Four in a
//! line, in any direction, win; a full board is a draw.
//!
//! The bits of a column lie together with one empty bit above them, so that shifting never joins
//! two columns and adding finds the lowest free cells (J. Tromp, Fhourstones).

use foregone_model::{
    Agent, Claim, Game, Guide, Known, Notation, OffTurn, Outcome, Rng, Scale, Side, TextError,
    Turn, Typed,
};

use crate::board::{Mirror, Word, least, read_rows, sort_by_rank};
use crate::connect_four_threats::{self, Position, not_losing};
use crate::connect_four_witness;

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
    witness: connect_four_witness::Board<W>,
}

/// The stones of the player to move and of the other one, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    own: W,
    other: W,
    turn: Side,
}

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
const SYMBOLS: [char; 3] = ['.', 'x', 'o'];
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
        let witness = connect_four_witness::Board::new(rows, cols);
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
        connect_four_threats::reason(&self.lines, &self.position(s))
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

    fn symbol(&self, s: &State<W>, row: u32, col: u32) -> char {
        let cell = col * (self.rows + 1) + row;
        match (s.own.has(cell), s.other.has(cell)) {
            (true, _) => SYMBOLS[1 + s.turn.index()],
            (_, true) => SYMBOLS[1 + s.turn.other().index()],
            _ => SYMBOLS[0],
        }
    }

    /// A game written as its columns, one digit a move, as the field writes it: `35333571`.
    fn read_columns(&self, text: &str) -> Result<State<W>, TextError> {
        let mut s = self.start();
        for at in 0..text.len() {
            let m = self.read_move(&s, &text[at..at + 1]).map_err(|e| e.shifted(at))?;
            let agent = s.turn.agent();
            self.play(&mut s, agent, m);
        }
        Ok(s)
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

impl<W: Word> Guide for ConnectFour<W> {
    type Packed = W;

    /// The stones of the player to move added to all stones: a carry never leaves its column, and
    /// the highest bit of a column tells its height. Who is to move follows from the number of
    /// stones in all positions of one search.
    #[inline]
    fn pack(&self, s: &State<W>) -> W {
        (s.own | s.other).plus(self.bottom).plus(s.own)
    }

    #[inline]
    fn known(&self, s: &State<W>) -> Option<Known> {
        connect_four_threats::known(&self.lines, &self.position(s))
    }

    fn reason(&self, s: &State<W>, _claim: Claim, out: &mut String) {
        out.extend(self.stated_reason(s));
    }

    #[inline]
    fn mobility(&self, s: &State<W>, _agent: Agent) -> u32 {
        self.landing(s).count()
    }

    #[inline]
    fn canonical(&self, s: &State<W>) -> State<W> {
        let mut mirrored = [s.own, s.other];
        self.mirror.apply(&mut mirrored);
        let [own, other] = least([[s.own, s.other], mirrored]);
        State { own, other, turn: s.turn }
    }

    /// A move that wins, then one that takes a cell where the opponent would win; last those
    /// that let the opponent win on the cell above. The others by their threats.
    fn order(&self, s: &State<W>, agent: Agent, moves: &mut [u8]) {
        let stones = self.seen_by(s, agent);
        let landing = self.landing(s);
        let [win, lose] = stones.map(|x| self.lines.completing(x));
        sort_by_rank(moves, |m| {
            let stone = landing & self.columns[usize::from(m)];
            if !(stone & win).is_empty() {
                return 30_000;
            }
            let rank = self.rank(stones, stone, m);
            if !(stone & lose).is_empty() {
                rank + 15_000
            } else if !((stone << 1) & lose).is_empty() {
                rank - 15_000
            } else {
                rank
            }
        });
    }

    /// Leaves out what loses at once. Nothing wins at once where the game knows nothing.
    fn promising(&self, s: &State<W>, agent: Agent, out: &mut Vec<u8>) {
        let stones = self.seen_by(s, agent);
        let landing = self.landing(s);
        if !(landing & self.lines.completing(stones[0])).is_empty() {
            return self.in_order(s, agent, out);
        }
        let fine = not_losing(landing, self.lines.completing(stones[1]));
        let first = out.len();
        let open = |(c, column): (usize, &W)| (!(fine & *column).is_empty()).then_some(c as u8);
        out.extend(self.columns.iter().enumerate().filter_map(open));
        sort_by_rank(&mut out[first..], |m| {
            self.rank(stones, landing & self.columns[usize::from(m)], m)
        });
    }

    #[inline]
    fn forced(&self, s: &State<W>, agent: Agent) -> Option<u8> {
        let [own, other] = self.seen_by(s, agent);
        let landing = self.landing(s);
        if !(landing & self.lines.completing(own)).is_empty() {
            return None;
        }
        let fine = not_losing(landing, self.lines.completing(other));
        if fine.is_empty() || !fine.without_lowest().is_empty() {
            return None;
        }
        self.columns.iter().position(|&column| !(fine & column).is_empty()).map(|c| c as u8)
    }

    /// The cell that is taken.
    #[inline]
    fn move_class(&self, s: &State<W>, _agent: Agent, m: u8) -> Option<u16> {
        Some((self.landing(s) & self.columns[usize::from(m)]).lowest() as u16)
    }

    fn playout(&self, mut s: State<W>, rng: &mut Rng) -> Option<Outcome> {
        loop {
            let landing = self.landing(&s);
            if self.just_won(&s) || landing.is_empty() {
                return Some(self.outcome(&s));
            }
            let stone = W::bit(landing.pick(rng));
            s = State { own: s.other, other: s.own | stone, turn: s.turn.other() };
        }
    }
}

impl<W: Word> Notation for ConnectFour<W> {
    fn name(&self) -> String {
        format!("connect-four:{}x{}", self.rows, self.cols)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn write_move(&self, _s: &State<W>, m: u8, out: &mut String) {
        out.push_str(&(m + 1).to_string());
    }

    fn parse_move(&self, _s: &State<W>, text: &str) -> Option<u8> {
        let col: u8 = text.parse().ok().filter(|c| (1..=self.cols).contains(&u32::from(*c)))?;
        (text.as_bytes()[0].is_ascii_digit() && text.as_bytes()[0] != b'0').then_some(col - 1)
    }

    fn write_position(&self, s: &State<W>, out: &mut String) {
        for row in (0..self.rows).rev() {
            out.extend((0..self.cols).map(|col| self.symbol(s, row, col)));
            out.push(if row > 0 { '/' } else { ' ' });
        }
        out.push_str(PLAYERS[s.turn.index()]);
    }

    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
            return self.read_columns(text);
        }
        let lengths = vec![self.cols as usize; self.rows as usize];
        let (cells, mover) = read_rows(text, &lengths, &SYMBOLS, &PLAYERS)?;
        let mut stones = [W::ZERO; 2];
        for (i, &symbol) in cells.iter().enumerate() {
            let (row, col) = (self.rows - 1 - i as u32 / self.cols, i as u32 % self.cols);
            if symbol > 0 {
                let stone = W::bit(col * (self.rows + 1) + row);
                stones[symbol - 1] = stones[symbol - 1] | stone;
            }
        }
        let turn = [Side::Max, Side::Min][mover];
        let s = State { own: stones[mover], other: stones[1 - mover], turn };
        let error = |message: &str| Err(TextError::new(message, 0..text.len()));
        let all = s.own | s.other;
        if !(((all >> 1) & self.lines.full) & !all).is_empty() {
            return error("a stone hangs in the air");
        }
        let ahead = stones[0].count() as i64 - stones[1].count() as i64;
        if ahead != mover as i64 {
            return error("the numbers of stones do not fit who is to move");
        }
        if self.lines.four(s.own) {
            return error("the player to move has four in a line already");
        }
        Ok(s)
    }

    fn draw(&self, s: &State<W>) -> String {
        let mut out = String::new();
        for row in (0..self.rows).rev() {
            for col in 0..self.cols {
                out.push_str(&format!(" {:>2}", self.symbol(s, row, col)));
            }
            out.push('\n');
        }
        for col in 1..=self.cols {
            out.push_str(&format!(" {col:>2}"));
        }
        out.push('\n');
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{self, COLUMNS};

    #[test]
    fn lines_do_not_wrap_around_columns() {
        // Four stones that are neighbours as bits but not on the board.
        let game = ConnectFour::<u64>::new(6, 7);
        let text = "......./......./......./......./o......o/xxx.x.o"; // too long a row
        assert!(game.read_position(&format!("{text} yellow")).is_err());
        for game in [(4u32, 4u32), (5, 4), (1, 5), (4, 1), (6, 7)] {
            let wide = ConnectFour::<u128>::new(game.0, game.1);
            let small = ConnectFour::<u64>::new(game.0, game.1);
            let mut rng = Rng::new(1);
            for _ in 0..200 {
                let (mut a, mut b) = (small.start(), wide.start());
                while let Turn::Agent(agent) = small.turn(&a) {
                    assert_eq!(wide.turn(&b), Turn::Agent(agent));
                    let mut moves = Vec::new();
                    small.moves(&a, agent, &mut moves);
                    let m = moves[rng.below(moves.len() as u32) as usize];
                    small.play(&mut a, agent, m);
                    wide.play(&mut b, agent, m);
                    assert_eq!(small.just_won(&a), slow_win(&small, &a), "{}", small.draw(&a));
                }
                assert_eq!(wide.turn(&b), Turn::Over);
                assert_eq!(small.outcome(&a), wide.outcome(&b));
            }
        }
    }

    #[test]
    fn images_are_alike() {
        for (rows, cols) in [(1, 6), (3, 4), (4, 4), (6, 7), (5, 2), (4, 1)] {
            let most = if cols == 1 { 1 } else { 2 };
            let solved = rows * cols <= 12;
            let game = ConnectFour::<u64>::new(rows, cols);
            testing::images_are_alike(&game, 30, &[COLUMNS], most, solved);
            let game = ConnectFour::<u128>::new(rows, cols);
            testing::images_are_alike(&game, 30, &[COLUMNS], most, solved);
        }
        for (rows, cols) in [(8, 9), (1, 64), (61, 1)] {
            let most = if cols == 1 { 1 } else { 2 };
            let game = ConnectFour::<u128>::new(rows, cols);
            testing::images_are_alike(&game, 10, &[COLUMNS], most, false);
        }
    }

    #[test]
    fn completing_cells_are_those_that_win() {
        let mut rng = Rng::new(2);
        for (rows, cols) in [(1, 7), (4, 4), (6, 7), (9, 3), (29, 2)] {
            let game = ConnectFour::<u64>::new(rows, cols);
            for _ in 0..200 {
                let stones = (rng.bits() & rng.bits()) & game.lines.full;
                for cell in (game.lines.full & !stones).cells() {
                    let new = game.lines.four(stones | u64::bit(cell)) && !game.lines.four(stones);
                    if !game.lines.four(stones) {
                        assert_eq!(game.lines.completing(stones).has(cell), new, "{rows}x{cols}");
                    }
                }
            }
        }
    }

    #[test]
    fn urgent_moves_come_first() {
        let game = ConnectFour::<u64>::new(6, 7);
        assert_eq!(
            testing::ordered_names(&game, &game.start()),
            ["4", "3", "5", "2", "6", "1", "7"]
        );
        let s = game.read_position("112233").unwrap();
        assert_eq!(testing::ordered_names(&game, &s)[0], "4");
        // Red must stop Yellow's three in column 1; nothing wins.
        let s = game.read_position("2171316").unwrap();
        assert_eq!(testing::ordered_names(&game, &s)[0], "1");
    }

    fn slow_win(game: &ConnectFour<u64>, s: &State<u64>) -> bool {
        let who = [SYMBOLS[1], SYMBOLS[2]][s.turn.other().index()];
        let at = |r: i64, c: i64| {
            (0..i64::from(game.rows)).contains(&r)
                && (0..i64::from(game.cols)).contains(&c)
                && game.symbol(s, r as u32, c as u32) == who
        };
        let lines = [(0, 1), (1, 0), (1, 1), (1, -1)];
        (0..i64::from(game.rows)).any(|r| {
            (0..i64::from(game.cols))
                .any(|c| lines.iter().any(|&(dr, dc)| (0..4).all(|k| at(r + k * dr, c + k * dc))))
        })
    }

    #[test]
    fn columns_are_a_position() {
        let game = ConnectFour::<u64>::new(6, 7);
        let by_columns = game.read_position("4453").unwrap();
        let by_moves = game.read_position_or_moves("moves:4,4,5,3").unwrap();
        assert_eq!(by_columns, by_moves);
        let error = game.read_position("44489").unwrap_err();
        assert_eq!(error.span, 3..4);
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = ConnectFour::<u64>::new(4, 4);
        for text in [
            "..../x.../..../.... yellow",
            "..../..../..../x... red",
            "..../..../.o../xxxx red",
            "..../..../..../..../ red",
            "..../..../..../.... green",
            "..../..../..../...",
        ] {
            assert!(game.read_position(text).is_err(), "{text}");
        }
    }
}
