//! Breakthrough (Dan Troyka, 2000).
//!
//! White, who moves first, has two full rows of pieces at the bottom and moves upward; Black has
//! two at the top and moves downward. A piece moves one square: straight ahead onto an empty
//! square, or diagonally ahead onto an empty square or an enemy piece, which it captures. Who
//! reaches the far row or captures every enemy piece wins. Who cannot move, which takes a board
//! of one column, loses.

use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{
    Agent, Character, Claim, Game, Guide, Known, Notation, Outcome, Rng, Side, TextError, Turn,
};

use crate::board::{Grid, Word, least, likelihood, sort_by_rank};
use crate::options::Options;
use crate::registry::{Entry, GameError, Opened};
use witness::Position;

mod numbering;
pub mod races;
pub mod witness;

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "breakthrough",
    "ROWSxCOLUMNS (5x4)",
    "March forward, capture diagonally; reach the far row or capture everything to win",
    open,
)
.knowing(&[races::RULE]);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let (rows, cols) = options.size((5, 4))?;
    if rows < 4 {
        let message = "both sides have two rows of pieces: a board has at least four rows";
        return Err(GameError::Spec(options.error(message)));
    }
    Ok(match options.fits_64((rows, cols), |rows, cols| rows * cols)? {
        true => Opened::tabled(Breakthrough::<u64>::new(rows, cols), Breakthrough::scene),
        false => Opened::pictured(Breakthrough::<u128>::new(rows, cols), Breakthrough::scene),
    })
}

/// Breakthrough on a rectangular board.
#[derive(Clone, Debug)]
pub struct Breakthrough<W> {
    grid: Grid<W>,
    /// The rows that White and Black want to reach.
    far: [W; 2],
}

/// The pieces and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    /// White's and Black's.
    pieces: [W; 2],
    turn: Side,
}

foregone_model::stored!(State<W: Word> { pieces, turn });

/// A move from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    from: u8,
    to: u8,
}

foregone_model::stored!(Step { from, to });

const PLAYERS: [&str; 2] = ["white", "black"];

const SYMBOLS: [char; 3] = ['.', 'w', 'b'];

/// The three ways ahead: straight, to the left and to the right, as seen by White.
const WAYS: [Way; 3] = [Way::Straight, Way::Left, Way::Right];

#[derive(Clone, Copy, Debug)]
enum Way {
    Straight,
    Left,
    Right,
}

impl<W: Word> Breakthrough<W> {
    /// A board of this size; it must fit into the word and have four rows or more, or the
    /// pieces do not fit onto it.
    pub fn new(rows: u32, cols: u32) -> Breakthrough<W> {
        assert!(rows >= 4, "the pieces fit on the board");
        let grid = Grid::new(rows, cols);
        let row = W::first(cols);
        Breakthrough { grid, far: [row << ((rows - 1) * cols), row] }
    }

    /// The squares where `side` can move to, for each of [`WAYS`].
    #[inline]
    fn targets(&self, s: &State<W>, side: Side) -> [W; 3] {
        let own = s.pieces[side.index()];
        let enemy = s.pieces[side.other().index()];
        let ahead = match side {
            Side::Max => self.grid.north(own),
            Side::Min => self.grid.south(own),
        };
        [ahead & !(own | enemy), self.grid.west(ahead) & !own, self.grid.east(ahead) & !own]
    }

    /// The move of `side` that ends on this square.
    #[inline]
    fn step(&self, side: Side, way: Way, to: u32) -> Step {
        let column = match way {
            Way::Straight => to,
            Way::Left => to + 1,
            Way::Right => to - 1,
        };
        let from = match side {
            Side::Max => column - self.grid.cols,
            Side::Min => column + self.grid.cols,
        };
        Step { from: from as u8, to: to as u8 }
    }

    /// Who has reached the far row or captured everything.
    #[inline]
    fn winner(&self, s: &State<W>) -> Option<Side> {
        let [white, black] = s.pieces;
        if !(white & self.far[0]).is_empty() || black.is_empty() {
            Some(Side::Max)
        } else if !(black & self.far[1]).is_empty() || white.is_empty() {
            Some(Side::Min)
        } else {
            None
        }
    }

    fn symbol(&self, s: &State<W>, cell: u32) -> char {
        let [white, black] = s.pieces.map(|pieces| usize::from(pieces.has(cell)));
        SYMBOLS[white + 2 * black]
    }
}

#[inline]
fn won_by(side: Side) -> Outcome {
    match side {
        Side::Max => Outcome::WIN,
        Side::Min => Outcome::LOSS,
    }
}

impl<W: Word> Game for Breakthrough<W> {
    type State = State<W>;
    type Move = Step;

    fn start(&self) -> State<W> {
        let two_rows = W::first(2 * self.grid.cols);
        State {
            pieces: [two_rows, two_rows << ((self.grid.rows - 2) * self.grid.cols)],
            turn: Side::Max,
        }
    }

    #[inline]
    fn turn(&self, s: &State<W>) -> Turn {
        let [straight, left, right] = self.targets(s, s.turn);
        if self.winner(s).is_some() || (straight | left | right).is_empty() {
            Turn::Over
        } else {
            Turn::Agent(s.turn.agent())
        }
    }

    #[inline]
    fn moves(&self, s: &State<W>, agent: Agent, out: &mut Vec<Step>) {
        let side = Side::of(agent);
        for (targets, way) in self.targets(s, side).into_iter().zip(WAYS) {
            out.extend(targets.cells().map(|to| self.step(side, way, to)));
        }
    }

    #[inline]
    fn play(&self, s: &mut State<W>, agent: Agent, m: Step) {
        let side = Side::of(agent);
        let (from, to) = (W::bit(u32::from(m.from)), W::bit(u32::from(m.to)));
        let (own, enemy) = (side.index(), side.other().index());
        s.pieces[own] = s.pieces[own] ^ from ^ to;
        s.pieces[enemy] = s.pieces[enemy] & !to;
        s.turn = side.other();
    }

    #[inline]
    fn outcome(&self, s: &State<W>) -> Outcome {
        won_by(self.winner(s).unwrap_or(s.turn.other()))
    }

    fn confirms(&self, s: &State<W>, claim: Claim, rule: &str, reason: &str) -> bool {
        let Grid { rows, cols, .. } = self.grid;
        let position = Position { rows, cols, pieces: s.pieces, turn: s.turn };
        let Claim { prover, at_least, .. } = claim;
        witness::confirms(&position, prover, at_least, rule, reason)
    }
}

impl<W: Word> Guide for Breakthrough<W> {
    type Packed = Self::State;

    foregone_model::stored_by_parts!();

    fn character(&self) -> Character {
        Character::Large
    }

    #[inline]
    fn pack(&self, s: &Self::State) -> Self::State {
        *s
    }

    #[inline]
    fn known(&self, s: &State<W>) -> Option<Known> {
        let winner = races::winner(&self.grid, self.far, s.pieces, s.turn)?;
        let known = if winner == Side::Max { Known::won } else { Known::lost };
        Some(known(races::RULE))
    }

    fn reason(&self, s: &State<W>, _claim: Claim, out: &mut String) {
        out.extend(races::reason(&self.grid, self.far, s.pieces, s.turn));
    }

    #[inline]
    fn mobility(&self, s: &State<W>, agent: Agent) -> u32 {
        let [straight, left, right] = self.targets(s, Side::of(agent));
        straight.count() + left.count() + right.count()
    }

    #[inline]
    fn canonical(&self, s: &State<W>) -> State<W> {
        let mut mirrored = s.pieces;
        self.grid.mirror_columns(&mut mirrored);
        State { pieces: least([s.pieces, mirrored]), turn: s.turn }
    }

    /// A move that wins at once, then captures, then the rest, each with the most advanced first.
    fn order(&self, s: &State<W>, agent: Agent, moves: &mut [Step]) {
        let side = Side::of(agent);
        let enemy = s.pieces[side.other().index()];
        sort_by_rank(moves, |m| {
            let to = u32::from(m.to);
            let captures = enemy.has(to);
            let wins = self.far[side.index()].has(to) || (captures && enemy.count() == 1);
            let row = (to / self.grid.cols) as i16;
            let advance = if side == Side::Max { row } else { -row };
            advance + i16::from(captures) * 256 + i16::from(wins) * 512
        });
    }

    /// Pieces, the more the further they are; who is to move takes one that nobody protects.
    fn evaluate(&self, s: &State<W>) -> Option<f64> {
        let Grid { rows, cols, .. } = self.grid;
        let row = W::first(cols);
        let mut worth = [0.0; 2];
        for number in 0..rows {
            let cells = row << (number * cols);
            for (side, gone) in [number, rows - 1 - number].into_iter().enumerate() {
                let value = 4.0 + f64::from(gone * gone) / 4.0;
                worth[side] += value * f64::from((s.pieces[side] & cells).count());
            }
        }
        let [mover, waits] = [s.turn.index(), s.turn.other().index()];
        let ahead = [self.grid.north(s.pieces[0]), self.grid.south(s.pieces[1])];
        let reached = ahead.map(|ahead| self.grid.west(ahead) | self.grid.east(ahead));
        let hanging = s.pieces[waits] & reached[mover] & !reached[waits];
        worth[mover] += if hanging.is_empty() { 0.5 } else { 4.0 };
        Some(likelihood((worth[0] - worth[1]) / 8.0))
    }

    fn evaluates(&self) -> bool {
        true
    }

    fn playout(&self, mut s: State<W>, rng: &mut Rng) -> Option<Outcome> {
        if let Some(side) = self.winner(&s) {
            return Some(won_by(side));
        }
        loop {
            let side = s.turn;
            let [straight, left, right] = self.targets(&s, side);
            let (straights, lefts, rights) = (straight.count(), left.count(), right.count());
            let all = straights + lefts + rights;
            if all == 0 {
                return Some(won_by(side.other()));
            }
            let n = rng.below(all);
            let (way, to) = if n < straights {
                (Way::Straight, straight.nth(n))
            } else if n < straights + lefts {
                (Way::Left, left.nth(n - straights))
            } else {
                (Way::Right, right.nth(n - straights - lefts))
            };
            self.play(&mut s, side.agent(), self.step(side, way, to));
            // Who has lost the last piece is found without a move in the next round.
            if self.far[side.index()].has(to) {
                return Some(won_by(side));
            }
        }
    }
}

impl<W: Word> Breakthrough<W> {
    /// A picture of a position.
    fn scene(&self, s: &State<W>) -> Scene {
        self.grid.checkered(|cell| match self.symbol(s, cell) {
            'w' => Some((Glyph::Figure("♟".to_owned()), Paint::White)),
            'b' => Some((Glyph::Figure("♟".to_owned()), Paint::Black)),
            _ => None,
        })
    }
}

impl<W: Word> Notation for Breakthrough<W> {
    fn name(&self) -> String {
        format!("breakthrough:{}x{}", self.grid.rows, self.grid.cols)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn write_move(&self, s: &State<W>, m: Step, out: &mut String) {
        self.grid.write_cell(u32::from(m.from), out);
        out.push(sign(s, m));
        self.grid.write_cell(u32::from(m.to), out);
    }

    fn parse_move(&self, s: &State<W>, text: &str) -> Option<Step> {
        let (from, rest) = self.grid.parse_cell(text)?;
        let (to, end) = self.grid.parse_cell(rest.get(1..)?)?;
        let step = Step { from: from as u8, to: to as u8 };
        (end.is_empty() && rest.starts_with(sign(s, step))).then_some(step)
    }

    fn write_position(&self, s: &State<W>, out: &mut String) {
        self.grid.write_rows(|c| self.symbol(s, c), out);
        out.push(' ');
        out.push_str(PLAYERS[s.turn.index()]);
    }

    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        let (sets, mover) = self.grid.read_rows(text, &SYMBOLS, &PLAYERS)?;
        let s = State {
            pieces: [sets[1], sets[2]],
            turn: if mover == 0 { Side::Max } else { Side::Min },
        };
        let arrived = [0, 1].map(|i| !(s.pieces[i] & self.far[i]).is_empty());
        let message = if arrived == [true, true] {
            "both players have a piece on their far row, so both have won"
        } else if s.pieces == [W::ZERO, W::ZERO] {
            "there are no pieces, so no player can have captured the last one"
        } else {
            return Ok(s);
        };
        let mover = PLAYERS[s.turn.index()];
        Err(TextError::new(message, 0..text.len() - mover.len() - 1))
    }

    fn draw(&self, s: &State<W>) -> String {
        self.grid.draw(|c| self.symbol(s, c))
    }
}

/// What stands between the squares of a move: `x` for a capture, else `-`.
fn sign<W: Word>(s: &State<W>, m: Step) -> char {
    let [white, black] = s.pieces;
    if (white | black).has(u32::from(m.to)) { 'x' } else { '-' }
}

#[cfg(test)]
mod tests {
    use foregone_model::Typed as _;
    use std::collections::HashMap;

    use super::*;
    use crate::testing::{self, COLUMNS};

    #[test]
    fn small_boards_have_their_known_winners() {
        // In a single column White is stuck at once, or Black after White's only move.
        for (rows, cols, value) in [
            (4, 3, Outcome::LOSS),
            (4, 4, Outcome::LOSS),
            (4, 1, Outcome::LOSS),
            (5, 1, Outcome::WIN),
        ] {
            let game: Breakthrough<u64> = Breakthrough::new(rows, cols);
            let found = testing::solve(&game, &game.start(), &mut HashMap::new());
            assert_eq!(found, value, "{}", game.name());
        }
    }

    /// The names of the moves, by looking at every square of a position's text.
    fn slow_moves(text: &str, own: char, enemy: char, up: bool) -> Vec<String> {
        let rows: Vec<Vec<char>> = text
            .split(' ')
            .next()
            .unwrap()
            .split('/')
            .rev()
            .map(|row| row.chars().collect())
            .collect();
        let square = |r: usize, c: usize| format!("{}{}", (b'a' + c as u8) as char, r + 1);
        let mut moves = Vec::new();
        for (r, row) in rows.iter().enumerate() {
            for (c, _) in row.iter().enumerate().filter(|&(_, &piece)| piece == own) {
                let ahead = if up { r + 1 } else { r.wrapping_sub(1) };
                for to in [c, c.wrapping_sub(1), c + 1] {
                    let there = rows.get(ahead).and_then(|row| row.get(to));
                    if there == Some(&'.') {
                        moves.push(format!("{}-{}", square(r, c), square(ahead, to)));
                    } else if there == Some(&enemy) && to != c {
                        moves.push(format!("{}x{}", square(r, c), square(ahead, to)));
                    }
                }
            }
        }
        moves.sort();
        moves
    }

    fn agrees_with_slow_moves(game: &Breakthrough<u64>, s: &State<u64>) {
        let text = game.position_text(s);
        for (agent, own, enemy) in [(Agent(0), 'w', 'b'), (Agent(1), 'b', 'w')] {
            let mut moves = Vec::new();
            game.moves(s, agent, &mut moves);
            assert_eq!(game.mobility(s, agent) as usize, moves.len(), "{text}");
            let mut names: Vec<String> = moves.iter().map(|&m| game.move_text(s, m)).collect();
            names.sort();
            let expected = slow_moves(&text, own, enemy, agent == Agent(0));
            assert_eq!(names, expected, "{text}");
        }
    }

    #[test]
    fn moves_agree_with_a_board_without_bits() {
        let mut rng = Rng::new(1);
        for (rows, cols) in [(4, 1), (5, 2), (4, 7), (6, 6), (8, 8)] {
            let game: Breakthrough<u64> = Breakthrough::new(rows, cols);
            for _ in 0..50 {
                for s in testing::random_play(&game, &mut rng) {
                    if game.turn(&s) != Turn::Over {
                        agrees_with_slow_moves(&game, &s);
                    }
                }
            }
            for _ in 0..500 {
                let mut s = game.start();
                s.pieces = [0, 0];
                for cell in 0..rows * cols {
                    let piece = rng.below(4) as usize;
                    if piece < 2 && !game.far[piece].has(cell) {
                        s.pieces[piece] |= u64::bit(cell);
                    }
                }
                agrees_with_slow_moves(&game, &s);
            }
        }
    }

    #[test]
    fn reaching_the_far_row_or_capturing_everything_wins() {
        let game: Breakthrough<u64> = Breakthrough::new(4, 3);
        for (text, name, value) in [
            ("..b/w../.../... white", "a3-a4", Outcome::WIN),
            ("..b/w../b../... black", "a2-a1", Outcome::LOSS),
            (".../.b./..w/... white", "c2xb3", Outcome::WIN),
            (".../.b./..w/... black", "b3xc2", Outcome::LOSS),
        ] {
            let mut s = game.read_position(text).unwrap();
            let agent = s.turn.agent();
            assert_eq!(game.turn(&s), Turn::Agent(agent), "{text}");
            let m = game.read_move(&s, name).unwrap();
            game.play(&mut s, agent, m);
            assert_eq!(game.turn(&s), Turn::Over, "{text}");
            assert_eq!(game.outcome(&s), value, "{text}");
            assert_eq!(game.playout(s, &mut Rng::new(1)), Some(value), "{text}");
        }
    }

    #[test]
    fn images_are_alike() {
        for (rows, cols) in [(5, 1), (5, 2), (4, 3), (5, 5), (8, 8)] {
            let most = if cols == 1 { 1 } else { 2 };
            let solved = rows * cols <= 12;
            let game = Breakthrough::<u64>::new(rows, cols);
            testing::images_are_alike(&game, 20, &[COLUMNS], most, solved);
            let game = Breakthrough::<u128>::new(rows, cols);
            testing::images_are_alike(&game, 20, &[COLUMNS], most, solved);
        }
        // More moves than are sorted on the stack.
        testing::images_are_alike(&Breakthrough::<u128>::new(4, 32), 2, &[COLUMNS], 2, false);
    }

    #[test]
    fn wins_and_captures_come_first() {
        let game: Breakthrough<u64> = Breakthrough::new(5, 3);
        for (text, names) in [
            ("..b/w../.b./w../... white", ["a4-a5", "a4-b5", "a2xb3"]),
            ("..b/.../.b./w.w/... white", ["c2xb3", "a2xb3", "a2-a3"]),
            ("..b/.../.b./w.w/... black", ["b3xa2", "b3xc2", "b3-b2"]),
        ] {
            let s = game.read_position(text).unwrap();
            assert_eq!(testing::ordered_names(&game, &s)[..3], names, "{text}");
        }
    }

    #[test]
    fn a_capture_is_written_as_one() {
        let game: Breakthrough<u64> = Breakthrough::new(4, 3);
        let s = game.read_position("..b/b../.w./... white").unwrap();
        for name in ["b2-b3", "b2xa3", "b2-c3"] {
            let m = game.read_move(&s, name).unwrap();
            assert_eq!(game.move_text(&s, m), name);
        }
        for name in ["b2xb3", "b2-a3", "b2a3", "b2:a3", "b2×a3", "b2xa3 ", "b2xd3"] {
            assert_eq!(game.parse_move(&s, name), None, "{name}");
        }
        assert!(game.read_move(&s, "b2-b4").is_err());
    }

    #[test]
    fn positions_without_one_winner_are_refused() {
        let game: Breakthrough<u64> = Breakthrough::new(4, 3);
        for text in ["w../.../.../b.. white", ".../.../.../... black"] {
            let error = game.read_position(text).unwrap_err();
            assert_eq!(error.span, 0..15, "{text}");
        }
    }

    #[test]
    fn texts_round_trip() {
        for (rows, cols) in [(4, 1), (5, 4), (8, 8), (4, 30)] {
            testing::texts_round_trip(&Breakthrough::<u128>::new(rows, cols), 20);
        }
        testing::nonsense_is_refused(&Breakthrough::<u64>::new(5, 5));
    }

    #[test]
    fn both_words_play_the_same_game() {
        for (rows, cols) in [(4, 5), (16, 4), (8, 8)] {
            testing::same_game(
                &Breakthrough::<u64>::new(rows, cols),
                &Breakthrough::<u128>::new(rows, cols),
                20,
            );
        }
    }

    #[test]
    fn playouts_are_uniform() {
        for (rows, cols) in [(5, 1), (4, 4), (6, 3)] {
            testing::playouts_are_uniform(&Breakthrough::<u64>::new(rows, cols), 2);
        }
    }
}
