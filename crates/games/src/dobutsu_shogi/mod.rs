//! Dobutsu shogi, "Let's catch the lion!" (Madoka Kitao and Maiko Fujita, 2008).
//!
//! Sente, who moves first, has the lower row of a board of three columns and four rows, Gote the upper
//! one: an elephant, a lion and a giraffe, and a chick ahead of the lion. A piece moves one square,
//! and captures what stands there: the lion any way, the giraffe along rows and columns, the elephant
//! along diagonals, the chick straight ahead. A chick that moves to the last row becomes a hen, which
//! moves like a lion but not diagonally back. What was captured goes to the captor's hand, a hen as a
//! chick, and may be dropped on any empty square instead of a move, a chick as a chick even on the
//! last row. Who catches the lion wins. So does who moves the lion to the last row and does not have it
//! caught by the very next move ("try"). Play without end is a draw, as the third repetition is at
//! the board.
//!
//! What the rules of the box leave open: a try on a square that the opponent does not reach wins at
//! once; on one that it reaches, the opponent catches the lion with the next move, or has lost. No
//! move is forbidden because the lion could be caught after it. Who cannot move has lost; T. Tanaka
//! found that this does not come up in a play from the start.
//!
//! Published: T. Tanaka, *An Analysis of a Board Game "Doubutsu Shogi"*, IPSJ SIG Technical Report, 2009
//! (in Japanese), as quoted in github.com/brianhliou/dobutsu-shogi: 1,567,925,964 arrangements with
//! Sente to move; 246,803,167 positions that can be reached, mirror images and exchanged players
//! counted once, 99,485,568 of them not final; the start is lost for Sente in 78 moves, and no win
//! takes more than 173. Final are the positions in which a lion can be caught, and those after a
//! try that succeeded. So a try takes one move more there than here, where the game is over with it.
//! By the rules as they are here the same source counts 213,993,386 positions that can be reached,
//! again with 78 and 173 moves. The numbers of the first moves that can be made one after the other
//! (`problems/dobutsu-shogi.toml`) are those of github.com/WandererXII/scalashogi.
//!
//! With fewer kinds of pieces the game is small enough for tests of everything.

use foregone_model::{Agent, Endless, Game, Outcome, Scale, Side, TextError, Turn};

use crate::options::Options;
use crate::registry::{Entry, GameError, Opened};

mod guide;
mod notation;
mod numbering;
mod scene;
mod tabled;
#[cfg(test)]
mod tests;

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry {
    quick: Some("dobutsu-shogi:LC"),
    ..Entry::in_turn(
        "dobutsu-shogi",
        "PIECES (LGEC)",
        "Lion, giraffe, elephant, chick; captured pieces are dropped; catch the lion, or walk it home",
        open,
    )
};

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let game = DobutsuShogi::with_pieces(options.text().unwrap_or(ALL)).ok_or_else(|| {
        let message = "the pieces are L with some of G, E and C, in this order: LGEC, or LC";
        let choices = ["LGEC", "LGE", "LGC", "LEC", "LG", "LE", "LC", "L"];
        let error: TextError = options.error(message);
        error.with_choices(choices.map(str::to_owned).to_vec())
    })?;
    Ok(Opened::tabled(game, DobutsuShogi::scene))
}

/// The letters of all pieces that a game begins with.
const ALL: &str = "LGEC";

/// Columns of the board.
const COLS: usize = 3;
/// Rows of the board.
const ROWS: usize = 4;
/// Squares of the board: a1 is 0, b1 is 1, and so on up to c4.
const SQUARES: usize = COLS * ROWS;

/// The kinds of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Any way.
    Lion,
    /// Along rows and columns.
    Giraffe,
    /// Along diagonals.
    Elephant,
    /// Straight ahead.
    Chick,
    /// Any way but diagonally back.
    Hen,
}

foregone_model::stored!(
    enum Kind {
        Lion,
        Giraffe,
        Elephant,
        Chick,
        Hen,
    }
);

/// All kinds, in the order of their values.
const KINDS: [Kind; 5] = [Kind::Lion, Kind::Giraffe, Kind::Elephant, Kind::Chick, Kind::Hen];

/// The kinds that may be in a hand, in the order of [`State`].
const HELD: [Kind; 3] = [Kind::Giraffe, Kind::Elephant, Kind::Chick];

impl Kind {
    /// Its place in a hand; nothing for the lion. A hen is a chick there.
    fn held(self) -> Option<usize> {
        match self {
            Kind::Lion => None,
            Kind::Giraffe => Some(0),
            Kind::Elephant => Some(1),
            Kind::Chick | Kind::Hen => Some(2),
        }
    }

    /// Whether it may go so many columns to the right and so many rows ahead, each -1, 0 or 1.
    fn goes(self, right: i32, ahead: i32) -> bool {
        let straight = (right == 0) != (ahead == 0);
        let diagonal = right != 0 && ahead != 0;
        match self {
            Kind::Lion => straight || diagonal,
            Kind::Giraffe => straight,
            Kind::Elephant => diagonal,
            Kind::Chick => right == 0 && ahead == 1,
            Kind::Hen => straight || diagonal && ahead == 1,
        }
    }
}

/// A piece on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    kind: Kind,
    side: Side,
}

foregone_model::stored!(Piece { kind, side });

/// The board, the hands and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    board: [Option<Piece>; SQUARES],
    /// How many giraffes, elephants and chicks Sente and Gote hold.
    hands: [[u8; 3]; 2],
    turn: Side,
}

foregone_model::stored!(State { board, hands, turn });

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// From one square to another.
    Step {
        /// The first square.
        from: u8,
        /// The second one.
        to: u8,
    },
    /// A piece from the hand.
    Drop {
        /// What is dropped.
        kind: Kind,
        /// Where.
        to: u8,
    },
}

foregone_model::stored!(enum Act { Step { from, to }, Drop { kind, to } });

/// Dobutsu shogi, with all pieces or with fewer.
#[derive(Clone, Debug)]
pub struct DobutsuShogi {
    /// Which of [`HELD`] there are.
    kinds: [bool; 3],
    numbering: numbering::Numbering,
}

impl Default for DobutsuShogi {
    fn default() -> DobutsuShogi {
        DobutsuShogi::of_kinds([true; 3])
    }
}

/// The row that a side moves its lion and its chicks to.
fn last_row(side: Side) -> usize {
    match side {
        Side::Max => ROWS - 1,
        Side::Min => 0,
    }
}

impl DobutsuShogi {
    fn of_kinds(kinds: [bool; 3]) -> DobutsuShogi {
        DobutsuShogi { kinds, numbering: numbering::Numbering::new(kinds) }
    }

    /// The game with the pieces of these letters: `LGEC`, or fewer in the same order.
    pub fn with_pieces(letters: &str) -> Option<DobutsuShogi> {
        let kinds = ['G', 'E', 'C'].map(|letter| letters.contains(letter));
        let game = DobutsuShogi::of_kinds(kinds);
        (game.letters() == letters).then_some(game)
    }

    /// The letters of the pieces that the game begins with.
    fn letters(&self) -> String {
        let there = |&letter: &char| match HELD.iter().position(|&k| notation::letter(k) == letter)
        {
            Some(at) => self.kinds[at],
            None => true,
        };
        ALL.chars().filter(there).collect()
    }

    /// The squares that a piece on a square reaches.
    fn reached(&self, piece: Piece, from: usize) -> impl Iterator<Item = usize> {
        let (row, col) = ((from / COLS) as i32, (from % COLS) as i32);
        (0..SQUARES).filter(move |to| {
            let (up, right) = ((to / COLS) as i32 - row, (to % COLS) as i32 - col);
            let ahead = if piece.side == Side::Max { up } else { -up };
            (-1..=1).contains(&right) && (-1..=1).contains(&ahead) && piece.kind.goes(right, ahead)
        })
    }

    /// Where the lion of a side stands.
    fn lion(&self, s: &State, side: Side) -> Option<usize> {
        s.board.iter().position(|&there| there == Some(Piece { kind: Kind::Lion, side }))
    }

    /// Whether `side` has a piece that reaches this square.
    fn attacks(&self, s: &State, side: Side, square: usize) -> bool {
        let mut own = (0..SQUARES).filter_map(|from| s.board[from].map(|piece| (from, piece)));
        own.any(|(from, piece)| {
            piece.side == side && self.reached(piece, from).any(|to| to == square)
        })
    }

    /// Who has won, if the game is over.
    fn winner(&self, s: &State) -> Option<Side> {
        let (mover, other) = (s.turn, s.turn.other());
        let (Some(own), Some(theirs)) = (self.lion(s, mover), self.lion(s, other)) else {
            // It was caught with the last move.
            return Some(if self.lion(s, other).is_some() { other } else { mover });
        };
        let has_tried = |side, lion| lion / COLS == last_row(side);
        // The lion went there with the mover's last move, and was not caught.
        if has_tried(mover, own) {
            return Some(mover);
        }
        let lost = has_tried(other, theirs) && !self.attacks(s, mover, theirs);
        (lost || !self.can_move(s, mover)).then_some(other)
    }

    /// The squares that a piece on a square can move to.
    fn steps(&self, s: &State, piece: Piece, from: usize) -> impl Iterator<Item = usize> {
        let board = s.board;
        self.reached(piece, from).filter(move |&to| board[to].is_none_or(|p| p.side != piece.side))
    }

    fn can_move(&self, s: &State, side: Side) -> bool {
        // There are more squares than pieces, so what is held can be dropped.
        let holds = s.hands[side.index()] != [0; 3];
        let moves = |(from, there): (usize, &Option<Piece>)| {
            let own = there.filter(|piece| piece.side == side);
            own.is_some_and(|piece| self.steps(s, piece, from).next().is_some())
        };
        holds || s.board.iter().enumerate().any(moves)
    }
}

impl Game for DobutsuShogi {
    type State = State;
    type Move = Act;

    fn scale(&self) -> Scale {
        Scale::three()
    }

    fn endless(&self) -> Endless {
        Endless::Scores(Outcome(1))
    }

    fn start(&self) -> State {
        let mut s = State { board: [None; SQUARES], hands: [[0; 3]; 2], turn: Side::Max };
        let places = [(0, Kind::Elephant), (1, Kind::Lion), (2, Kind::Giraffe), (4, Kind::Chick)];
        for (square, kind) in places {
            if kind.held().is_none_or(|held| self.kinds[held]) {
                s.board[square] = Some(Piece { kind, side: Side::Max });
                s.board[SQUARES - 1 - square] = Some(Piece { kind, side: Side::Min });
            }
        }
        s
    }

    fn turn(&self, s: &State) -> Turn {
        match self.winner(s) {
            Some(_) => Turn::Over,
            None => Turn::Agent(s.turn.agent()),
        }
    }

    fn moves(&self, s: &State, agent: Agent, out: &mut Vec<Act>) {
        let side = Side::of(agent);
        for (from, &there) in s.board.iter().enumerate() {
            let Some(piece) = there.filter(|piece| piece.side == side) else { continue };
            let steps = self.steps(s, piece, from);
            out.extend(steps.map(|to| Act::Step { from: from as u8, to: to as u8 }));
        }
        for (kind, _) in HELD.into_iter().zip(s.hands[side.index()]).filter(|&(_, held)| held > 0) {
            let empty = (0..SQUARES).filter(|&to| s.board[to].is_none());
            out.extend(empty.map(|to| Act::Drop { kind, to: to as u8 }));
        }
    }

    fn play(&self, s: &mut State, agent: Agent, m: Act) {
        let side = Side::of(agent);
        let hand = &mut s.hands[side.index()];
        match m {
            Act::Drop { kind, to } => {
                if let Some(held) = kind.held() {
                    hand[held] -= 1;
                }
                s.board[usize::from(to)] = Some(Piece { kind, side });
            }
            Act::Step { from, to } => {
                let (from, to) = (usize::from(from), usize::from(to));
                let Some(mut piece) = s.board[from].take() else { return };
                if piece.kind == Kind::Chick && to / COLS == last_row(side) {
                    piece.kind = Kind::Hen;
                }
                let captured = s.board[to].replace(piece);
                if let Some(held) = captured.and_then(|piece| piece.kind.held()) {
                    hand[held] += 1;
                }
            }
        }
        s.turn = side.other();
    }

    fn outcome(&self, s: &State) -> Outcome {
        match self.winner(s) {
            Some(Side::Max) => Outcome(2),
            Some(Side::Min) => Outcome(0),
            None => Outcome(1),
        }
    }
}
