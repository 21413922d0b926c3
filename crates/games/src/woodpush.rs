//! Woodpush (made to study forbidden repetition; T. Cazenave and R. J. Nowakowski, *Retrograde
//! analysis of Woodpush*, 2011).
//!
//! On a strip of squares Left, who moves first, has pieces on the leftmost squares and moves to
//! the right; Right has as many on the rightmost ones and moves to the left. A piece slides to
//! the next empty square ahead, jumping over whatever is between, or off the board. A piece with
//! an opponent's piece directly behind it can instead push: it goes one square back, and the
//! unbroken row of pieces behind it goes with it, the last one possibly off the board. A push may
//! not recreate the position before the opponent's last move. The game ends when one side has no
//! piece; the other scores the moves that it could still make alone, a step from square to square
//! or off the board being one. Play without end scores 0.

use foregone_model::number::counted;
use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{
    Agent, Endless, Game, Guide, Notation, Outcome, Scale, Side, TextError, Turn,
};

use crate::board::{Word, read_cells, read_mover, sort_by_rank};
use crate::options::Options;
use crate::picture::strip;
use crate::registry::{Entry, GameError, Opened};
use crate::scores::Scores;

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "woodpush",
    "SQUARES,PIECES (8,3)",
    "Slide off the strip or push back; the last on the board scores the moves left to it",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let [squares, pieces] = options.numbers([(8, 2, LONGEST), (3, 1, LONGEST / 2)])?;
    if 2 * pieces > squares {
        let pieces = counted(pieces.into(), "piece");
        let message = format!("{pieces} on each side do not fit on {squares} squares");
        return Err(GameError::Spec(options.error(message)));
    }
    Ok(Opened::pictured(Woodpush::new(squares, pieces), Woodpush::scene))
}

/// The longest strip.
pub const LONGEST: u32 = 32;

/// Woodpush on a strip.
#[derive(Clone, Debug)]
pub struct Woodpush {
    squares: u32,
    /// How many each side has.
    pieces: u32,
    scores: Scores,
}

/// The pieces, who is to move, and the push that is forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Left's and Right's: bit 0 is the leftmost square.
    pieces: [u32; 2],
    turn: Side,
    /// The square of the piece whose push would recreate the position before the last move, or
    /// [`NONE`]. It is all of the past that the rules look at, so that plays which lead to one
    /// position by different ways mostly lead to one state.
    forbidden: u8,
}

foregone_model::stored!(State { pieces, turn, forbidden });

const NONE: u8 = u8::MAX;

/// What the piece on a square does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// It goes ahead.
    Slide(u8),
    /// It goes back.
    Push(u8),
}

foregone_model::stored!(
    enum Act {
        Slide(square),
        Push(square),
    }
);

const PLAYERS: [&str; 2] = ["left", "right"];
const SYMBOLS: [char; 3] = ['.', 'l', 'r'];

impl State {
    fn symbol(&self, square: u32) -> char {
        let [left, right] = self.pieces.map(|p| (p >> square & 1) as usize);
        SYMBOLS[left + 2 * right]
    }
}

impl Woodpush {
    /// A strip of at most [`LONGEST`] squares with so many pieces on either side, at least one,
    /// which must fit.
    pub fn new(squares: u32, pieces: u32) -> Woodpush {
        assert!(pieces > 0 && 2 * pieces <= squares && squares <= LONGEST, "the pieces fit");
        let most = (0..pieces).map(|i| squares - i).sum::<u32>() as i32;
        Woodpush { squares, pieces, scores: Scores { most, step: 1 } }
    }

    /// The squares of the strip.
    #[inline]
    fn strip(&self) -> u32 {
        u32::MAX >> (LONGEST - self.squares)
    }

    /// The pieces of `side` with an opponent's piece directly behind them.
    #[inline]
    fn pushers(&self, s: &State, side: Side) -> u32 {
        let [left, right] = s.pieces;
        let backed = match side {
            Side::Max => left & right << 1,
            Side::Min => right & left >> 1,
        };
        if side == s.turn && s.forbidden != NONE { backed & !(1 << s.forbidden) } else { backed }
    }

    /// Where the piece on this square slides to; nothing if off the board.
    #[inline]
    fn landing(&self, pieces: [u32; 2], side: Side, from: u32) -> Option<u32> {
        let empty = self.strip() & !(pieces[0] | pieces[1]);
        match side {
            Side::Max => (empty >> from != 0).then(|| from + (empty >> from).trailing_zeros()),
            Side::Min => (empty & below(from)).checked_ilog2(),
        }
    }

    /// The pieces after the one on this square has pushed.
    #[inline]
    fn pushed(&self, pieces: [u32; 2], side: Side, from: u32) -> [u32; 2] {
        let empty = !(pieces[0] | pieces[1]);
        match side {
            Side::Max => {
                // From the square above the next empty one, or from the first.
                let start = (empty & below(from)).checked_ilog2().map_or(0, |e| e + 1);
                let row = below(from + 1) & !below(start);
                pieces.map(|p| p & !row | (p & row) >> 1)
            }
            Side::Min => {
                let length = (empty & self.strip() & !below(from)).trailing_zeros();
                let row = below(length.min(self.squares)) & !below(from);
                pieces.map(|p| (p & !row | (p & row) << 1) & self.strip())
            }
        }
    }

    /// The pieces after a move.
    #[inline]
    fn moved(&self, mut pieces: [u32; 2], side: Side, m: Act) -> [u32; 2] {
        match m {
            Act::Push(from) => self.pushed(pieces, side, u32::from(from)),
            Act::Slide(from) => {
                let to = self.landing(pieces, side, u32::from(from));
                pieces[side.index()] &= !(1 << from);
                pieces[side.index()] |= to.map_or(0, |to| 1 << to);
                pieces
            }
        }
    }

    /// The moves that both sides could still make alone, Left's less Right's.
    #[inline]
    fn balance(&self, [left, right]: [u32; 2]) -> i32 {
        let lefts: u32 = u64::from(left).cells().map(|i| self.squares - i).sum();
        let rights: u32 = u64::from(right).cells().map(|i| i + 1).sum();
        lefts as i32 - rights as i32
    }
}

/// The squares below this one; there can be [`LONGEST`].
#[inline]
fn below(square: u32) -> u32 {
    if square >= LONGEST { u32::MAX } else { (1 << square) - 1 }
}

impl Game for Woodpush {
    type State = State;
    type Move = Act;

    fn scale(&self) -> Scale {
        self.scores.scale()
    }

    fn endless(&self) -> Endless {
        Endless::Scores(self.scores.outcome(0))
    }

    fn start(&self) -> State {
        let left = below(self.pieces);
        let pieces = [left, left << (self.squares - self.pieces)];
        State { pieces, turn: Side::Max, forbidden: NONE }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        // Every piece can slide.
        if s.pieces.contains(&0) { Turn::Over } else { Turn::Agent(s.turn.agent()) }
    }

    #[inline]
    fn moves(&self, s: &State, agent: Agent, out: &mut Vec<Act>) {
        let side = Side::of(agent);
        let slides = u64::from(s.pieces[side.index()]).cells();
        out.extend(slides.map(|from| Act::Slide(from as u8)));
        let pushes = u64::from(self.pushers(s, side)).cells();
        out.extend(pushes.map(|from| Act::Push(from as u8)));
    }

    #[inline]
    fn play(&self, s: &mut State, agent: Agent, m: Act) {
        let side = Side::of(agent);
        let before = s.pieces;
        *s = State { pieces: self.moved(before, side, m), turn: side.other(), forbidden: NONE };
        // A slide takes a piece ahead and the answering push would take pieces the same way, so
        // that only pushes are ever undone. No two pushes lead to the same pieces: the square
        // that the pusher leaves differs.
        if let Act::Push(_) = m {
            let undoes = |&from: &u32| self.pushed(s.pieces, s.turn, from) == before;
            let undo = u64::from(self.pushers(s, s.turn)).cells().find(undoes);
            s.forbidden = undo.map_or(NONE, |from| from as u8);
        }
    }

    #[inline]
    fn outcome(&self, s: &State) -> Outcome {
        self.scores.outcome(self.balance(s.pieces))
    }
}

impl Guide for Woodpush {
    type Packed = Self::State;

    foregone_model::stored_by_parts!();

    #[inline]
    fn pack(&self, s: &Self::State) -> Self::State {
        *s
    }

    #[inline]
    fn mobility(&self, s: &State, agent: Agent) -> u32 {
        let side = Side::of(agent);
        s.pieces[side.index()].count_ones() + self.pushers(s, side).count_ones()
    }

    /// By the moves that are left to both sides, were they alone: own ones less the opponent's.
    fn order(&self, s: &State, agent: Agent, moves: &mut [Act]) {
        let side = Side::of(agent);
        sort_by_rank(moves, |m| {
            let balance = self.balance(self.moved(s.pieces, side, m)) as i16;
            if side == Side::Max { balance } else { -balance }
        });
    }
}

impl Woodpush {
    /// A picture of a position.
    fn scene(&self, s: &State) -> Scene {
        strip(self.squares, |square| match s.symbol(square) {
            'l' => Some((Glyph::Figure("▶".to_owned()), Paint::Blue)),
            'r' => Some((Glyph::Figure("◀".to_owned()), Paint::Red)),
            _ => None,
        })
    }
}

impl Notation for Woodpush {
    fn name(&self) -> String {
        format!("woodpush:{},{}", self.squares, self.pieces)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    /// `3-5` and `3-off` slide, `push3` pushes. Squares are counted from 1 at the left.
    fn write_move(&self, s: &State, m: Act, out: &mut String) {
        match m {
            Act::Push(from) => out.push_str(&format!("push{}", from + 1)),
            Act::Slide(from) => {
                // Only one side has a piece there.
                let right = s.pieces[1] >> from & 1 == 1;
                let side = if right { Side::Min } else { Side::Max };
                match self.landing(s.pieces, side, u32::from(from)) {
                    Some(to) => out.push_str(&format!("{}-{}", from + 1, to + 1)),
                    None => out.push_str(&format!("{}-off", from + 1)),
                }
            }
        }
    }

    fn parse_move(&self, s: &State, text: &str) -> Option<Act> {
        let square = |word: &str| {
            let number = word.parse::<u8>().ok()?;
            (1..=self.squares).contains(&u32::from(number)).then(|| number - 1)
        };
        let m = match text.strip_prefix("push") {
            Some(word) => Act::Push(square(word)?),
            None => Act::Slide(square(text.split_once('-')?.0)?),
        };
        // One text a move: no signs, no leading zeros, and no other square to slide to.
        (self.move_text(s, m) == text).then_some(m)
    }

    /// The squares, then the push that is forbidden if there is one, then who is to move:
    /// `.lr.r no-push2 left`.
    fn write_position(&self, s: &State, out: &mut String) {
        out.extend((0..self.squares).map(|i| s.symbol(i)));
        out.push(' ');
        if s.forbidden != NONE {
            out.push_str(&format!("no-push{} ", s.forbidden + 1));
        }
        out.push_str(PLAYERS[s.turn.index()]);
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let (rest, mover) = read_mover(text, &PLAYERS)?;
        let (strip, word) = match rest.split_once(' ') {
            Some((strip, word)) => (strip, Some(word)),
            None => (rest, None),
        };
        let cells = read_cells(strip, &[self.squares as usize], &SYMBOLS)?;
        let of = |symbol: usize| {
            let squares = cells.iter().enumerate().filter(|&(_, &c)| c == symbol);
            squares.fold(0, |set, (i, _)| set | 1 << i)
        };
        let turn = [Side::Max, Side::Min][mover];
        let mut s = State { pieces: [of(1), of(2)], turn, forbidden: NONE };
        for (pieces, player) in s.pieces.iter().zip(PLAYERS) {
            let count = pieces.count_ones();
            if count > self.pieces {
                let message = format!(
                    "{player} has {}, and in {} a side has at most {}",
                    counted(count.into(), "piece"),
                    self.name(),
                    self.pieces
                );
                return Err(TextError::new(message, 0..strip.len()));
            }
        }
        if s.pieces == [0, 0] {
            let message = "there are no pieces: the game ends while some are left";
            return Err(TextError::new(message, 0..strip.len()));
        }
        if let Some(word) = word {
            let pushers = u64::from(self.pushers(&s, turn));
            let name = |square: u32| format!("no-push{}", square + 1);
            match pushers.cells().find(|&square| name(square) == word) {
                Some(square) => s.forbidden = square as u8,
                None => {
                    let message = format!(
                        "`{word}` does not name a push of {} that could be forbidden here",
                        PLAYERS[mover]
                    );
                    let choices = pushers.cells().map(name).collect();
                    let span = strip.len() + 1..rest.len();
                    return Err(TextError::new(message, span).with_choices(choices));
                }
            }
        }
        Ok(s)
    }

    fn draw(&self, s: &State) -> String {
        let mut out = String::new();
        for square in 0..self.squares {
            out.push_str(&format!("{:>3}", s.symbol(square)));
        }
        out.push('\n');
        for square in 0..self.squares {
            out.push_str(&format!("{:>3}", square + 1));
        }
        out.push('\n');
        if s.forbidden != NONE {
            out.push_str(&format!("push{} would repeat the position\n", s.forbidden + 1));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::Rng;
    use foregone_model::Typed as _;

    use super::*;
    use crate::testing;

    fn value(game: &Woodpush) -> String {
        game.scale().name(testing::solve_with_loops(game, &game.start())).to_owned()
    }

    #[test]
    fn starting_positions_have_their_values() {
        for (squares, pieces, expected) in [(6, 2, "-1"), (8, 3, "+3"), (13, 2, "+4")] {
            assert_eq!(value(&Woodpush::new(squares, pieces)), expected, "{squares},{pieces}");
        }
    }

    #[test]
    fn move_sequences_are_counted() {
        let counts = |squares, pieces, depth| {
            let game = Woodpush::new(squares, pieces);
            (1..=depth).map(|d| testing::perft(&game, &game.start(), d)).collect::<Vec<_>>()
        };
        // A. Saffidine, Solving Games and All That, section 3.8.2: 99 positions after 4 moves.
        assert_eq!(counts(8, 3, 5), [3, 9, 27, 99, 384]);
        assert_eq!(counts(13, 2, 8), [2, 4, 8, 16, 32, 64, 128, 256]);
    }

    /// The rules once more, with pieces in a list and the whole position before the last move.
    #[derive(Clone, PartialEq)]
    struct Slow {
        squares: Vec<char>,
        before: Option<Vec<char>>,
    }

    impl Slow {
        /// The squares ahead of one, the nearest first, for a side.
        fn ahead(&self, side: char, from: usize) -> Vec<usize> {
            if side == 'l' {
                (from + 1..self.squares.len()).collect()
            } else {
                (0..from).rev().collect()
            }
        }

        /// Names of moves, and the squares after them.
        fn moves(&self, side: char) -> Vec<(String, Vec<char>)> {
            let other = if side == 'l' { 'r' } else { 'l' };
            let mut moves = Vec::new();
            for from in (0..self.squares.len()).filter(|&i| self.squares[i] == side) {
                let mut after = self.squares.clone();
                after[from] = '.';
                match self.ahead(side, from).into_iter().find(|&i| self.squares[i] == '.') {
                    Some(to) => {
                        after[to] = side;
                        moves.push((format!("{}-{}", from + 1, to + 1), after));
                    }
                    None => moves.push((format!("{}-off", from + 1), after)),
                }
                let behind = self.ahead(other, from);
                if behind.first().is_none_or(|&i| self.squares[i] != other) {
                    continue;
                }
                let mut after = self.squares.clone();
                after[from] = '.';
                let mut piece = side;
                for to in behind {
                    piece = std::mem::replace(&mut after[to], piece);
                    if piece == '.' {
                        break;
                    }
                }
                if self.before.as_ref() != Some(&after) {
                    moves.push((format!("push{}", from + 1), after));
                }
            }
            moves.sort();
            moves
        }
    }

    #[test]
    fn moves_agree_with_a_board_without_bits() {
        let mut rng = Rng::new(1);
        let mut forbidden = 0;
        for (squares, pieces) in [(2, 1), (3, 1), (6, 2), (6, 3), (8, 3), (13, 2), (32, 16)] {
            let game = Woodpush::new(squares, pieces);
            for _ in 0..200 {
                let mut s = game.start();
                let strip = |s: &State| (0..squares).map(|i| s.symbol(i)).collect::<Vec<_>>();
                let mut slow = Slow { squares: strip(&s), before: None };
                for _ in 0..300 {
                    let Some(agent) = game.turn(&s).mover() else {
                        break;
                    };
                    let mut moves = Vec::new();
                    game.moves(&s, agent, &mut moves);
                    let mut named: Vec<_> =
                        moves.iter().map(|&m| (game.move_text(&s, m), m)).collect();
                    named.sort_by(|a, b| a.0.cmp(&b.0));
                    let expected = slow.moves(['l', 'r'][usize::from(agent.0)]);
                    let names = |(name, _): &(String, _)| name.clone();
                    let found: Vec<String> = named.iter().map(|(name, _)| name.clone()).collect();
                    let text = game.position_text(&s);
                    assert_eq!(found, expected.iter().map(names).collect::<Vec<_>>(), "{text}");
                    forbidden += u32::from(s.forbidden != NONE);
                    let pick = rng.below(named.len() as u32) as usize;
                    game.play(&mut s, agent, named[pick].1);
                    assert_eq!(strip(&s), expected[pick].1, "{text} {}", named[pick].0);
                    let before = std::mem::replace(&mut slow.squares, expected[pick].1.clone());
                    slow.before = Some(before);
                }
            }
        }
        assert!(forbidden > 100, "{forbidden}");
    }

    #[test]
    fn a_push_is_not_undone_at_once() {
        let game = Woodpush::new(6, 2);
        // What was pushed off the board does not come back: nothing to forbid.
        let mut s = game.read_position("rl..r. left").unwrap();
        let push = game.read_move(&s, "push2").unwrap();
        game.play(&mut s, Agent(0), push);
        assert_eq!(game.position_text(&s), "l...r. right");
        let mut s = game.read_position("r.lrl. right").unwrap();
        let push = game.read_move(&s, "push4").unwrap();
        game.play(&mut s, Agent(1), push);
        assert_eq!(game.position_text(&s), "r.l.rl no-push6 left");
        let error = game.read_move(&s, "push6").unwrap_err();
        assert!(!error.choices.contains(&"push6".to_owned()));
        assert!(game.draw(&s).ends_with("push6 would repeat the position\n"));
    }

    #[test]
    fn what_is_left_is_the_score() {
        let game = Woodpush::new(8, 3);
        for (text, score) in [
            ("l......l left", "+9"),
            ("......ll right", "+3"),
            ("r.r..... left", "-4"),
            ("lll..... left", "+21"),
            (".....rrr right", "-21"),
        ] {
            let s = game.read_position(text).unwrap();
            assert_eq!(game.turn(&s), Turn::Over, "{text}");
            assert_eq!(game.scale().name(game.outcome(&s)), score, "{text}");
        }
    }

    #[test]
    fn texts_round_trip() {
        for (squares, pieces) in [(2, 1), (6, 2), (8, 3), (32, 5)] {
            testing::texts_round_trip(&Woodpush::new(squares, pieces), 30);
        }
        testing::nonsense_is_refused(&Woodpush::new(8, 3));
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = Woodpush::new(6, 2);
        for (text, span) in [
            ("l.l.lr left", 0..6),
            ("...... left", 0..6),
            ("l....r. left", 0..7),
            ("l.x..r left", 2..3),
            ("l....r no-push1 left", 7..15),
            (".rl..r no-push03 left", 7..16),
            (".rl..r no-push3 right", 7..15),
            (".rl..r  left", 7..7),
            ("l....r up", 7..9),
        ] {
            assert_eq!(game.read_position(text).unwrap_err().span, span, "{text}");
        }
    }

    #[test]
    fn order_changes_only_the_order() {
        testing::images_are_alike(&Woodpush::new(8, 3), 30, &[], 1, false);
        let game = Woodpush::new(6, 2);
        let s = game.read_position(".rl.rl left").unwrap();
        assert_eq!(testing::ordered_names(&game, &s)[..2], ["push3", "push6"]);
    }
}
