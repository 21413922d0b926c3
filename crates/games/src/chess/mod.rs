//! Chess, by the rules of the crate `cozy-chess`.
//!
//! A position is what decides about moves: the board, the turn, castling rights and the
//! en-passant file where a pawn may take in passing. Mate wins, stalemate is a draw, and so is
//! endless play; moves are not counted, so there is no draw by the fifty-move rule, as in chess
//! problems.
//!
//! `chess:series` is chess for series movers, in which a side makes several moves in a row: a side
//! that is not in check and has no move is not stalemated, but passes. The other side may go on.
//!
//! Formulas may ask either side to move in any position. A side that is asked out of turn moves
//! as after a null move; while the other king is in check it can only pass, since any move would
//! leave a position that cannot be.

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Rank, Square, get_between_rays, get_bishop_moves,
    get_bishop_rays, get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
    get_rook_rays,
};
use foregone_model::{Agent, Atom, Endless, Game, OffTurn, Outcome, Reach, Scale, Turn};

use self::reach::Memory;
use crate::options::Options;
use crate::registry::{Entry, GameError, Opened};

mod ending;
mod fen;
mod guide;
mod notation;
pub mod reach;
pub mod reach_witness;
mod san;
mod scene;
mod twin;

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry {
    quick: None,
    ..Entry::in_turn(
        "chess",
        "series: who has no move and is not in check passes, for problems that are series movers",
        "Mate wins, stalemate is a draw; a position is a FEN",
        open,
    )
    .knowing(&[reach::RULE])
};

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    match options.text() {
        None => Ok(Opened::tabled(Chess::new(), Chess::scene)),
        Some(SERIES) => Ok(Opened::pictured(Chess::series(), Chess::scene)),
        Some(_) => Err(options.error("the only option is `series`").into()),
    }
}

/// The option for series movers.
const SERIES: &str = "series";

/// Chess.
#[derive(Debug, Default)]
pub struct Chess {
    memory: Memory,
    /// Whether a side without a move passes instead of being stalemated.
    series: bool,
}

impl Chess {
    /// The rules.
    pub fn new() -> Chess {
        Chess::default()
    }

    /// The rules for series movers.
    pub fn series() -> Chess {
        Chess { series: true, ..Chess::default() }
    }

    /// Whether these are the rules for series movers.
    pub fn is_series(&self) -> bool {
        self.series
    }

    /// Whether the side to move can only pass.
    fn only_passes(&self, board: &Board) -> bool {
        self.series && board.checkers().is_empty() && !board.generate_moves(|_| true)
    }
}

/// To pass, where that is all that can be done: the king stays.
fn pass(board: &Board) -> Move {
    let king = board.king(board.side_to_move());
    Move { from: king, to: king, promotion: None }
}

/// Whether a move is to pass.
fn is_pass(m: Move) -> bool {
    m.from == m.to
}

/// A position. The move counters of the board stand still.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State(Board);

const PLAYERS: [&str; 2] = ["white", "black"];
const DRAW: Outcome = Outcome(1);
const WIN: Outcome = Outcome(2);

fn color(agent: Agent) -> Color {
    if agent.0 == 0 { Color::White } else { Color::Black }
}

fn agent(color: Color) -> Agent {
    Agent(color as u8)
}

impl State {
    fn new(board: Board) -> State {
        let mut board = fen::settled(board);
        board.set_halfmove_clock(0);
        board.set_fullmove_number(1);
        State(board)
    }

    /// The board with this side to move, unless the other is in check.
    fn for_side(&self, side: Color) -> Option<Board> {
        if self.0.side_to_move() == side { Some(self.0.clone()) } else { self.0.null_move() }
    }
}

/// Appends the moves of a board that pass a test, which sees the piece, too.
#[inline]
fn list(board: &Board, out: &mut Vec<Move>, keep: impl Fn(Piece, Move) -> bool) {
    board.generate_moves(|moves| {
        out.extend(moves.into_iter().filter(|&m| keep(moves.piece, m)));
        false
    });
}

/// The squares from which pieces of the side to move check the other king.
struct Checks {
    pawns: BitBoard,
    knights: BitBoard,
    bishops: BitBoard,
    rooks: BitBoard,
    /// Pieces that open a line when they move.
    openers: BitBoard,
    en_passant: Option<Square>,
    own: BitBoard,
}

impl Checks {
    fn new(board: &Board) -> Checks {
        let side = board.side_to_move();
        let king = board.king(!side);
        let occupied = board.occupied();
        let own = board.colors(side);
        let diagonal = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
        let straight = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
        let sliders = own & ((get_bishop_rays(king) & diagonal) | (get_rook_rays(king) & straight));
        let mut openers = BitBoard::EMPTY;
        for slider in sliders {
            let between = get_between_rays(slider, king) & occupied;
            if between.len() == 1 {
                openers |= between & own;
            }
        }
        Checks {
            pawns: get_pawn_attacks(king, !side),
            knights: get_knight_moves(king),
            bishops: get_bishop_moves(king, occupied),
            rooks: get_rook_moves(king, occupied),
            openers,
            en_passant: board.en_passant().map(|f| Square::new(f, Rank::Sixth.relative_to(side))),
            own,
        }
    }

    /// Whether a move may give check. Promotions, castling and en passant change more than two
    /// squares or what stands on them, and always may.
    #[inline]
    fn may(&self, piece: Piece, m: Move) -> bool {
        if self.openers.has(m.from) || m.promotion.is_some() {
            return true;
        }
        match piece {
            Piece::Pawn => self.pawns.has(m.to) || self.en_passant == Some(m.to),
            Piece::Knight => self.knights.has(m.to),
            Piece::Bishop => self.bishops.has(m.to),
            Piece::Rook => self.rooks.has(m.to),
            Piece::Queen => self.bishops.has(m.to) || self.rooks.has(m.to),
            Piece::King => self.own.has(m.to),
        }
    }
}

impl Game for Chess {
    type State = State;
    type Move = Move;

    fn scale(&self) -> Scale {
        Scale::three()
    }

    fn endless(&self) -> Endless {
        Endless::Scores(DRAW)
    }

    fn start(&self) -> State {
        State::new(Board::default())
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        if s.0.generate_moves(|_| true) || self.only_passes(&s.0) {
            Turn::Agent(agent(s.0.side_to_move()))
        } else {
            Turn::Over
        }
    }

    #[inline]
    fn moves(&self, s: &State, agent: Agent, out: &mut Vec<Move>) {
        if s.0.side_to_move() == color(agent) {
            let before = out.len();
            list(&s.0, out, |_, _| true);
            if out.len() == before && self.only_passes(&s.0) {
                out.push(pass(&s.0));
            }
        } else if let Some(board) = s.0.null_move() {
            list(&board, out, |_, _| true);
        }
    }

    #[inline]
    fn play(&self, s: &mut State, agent: Agent, m: Move) {
        if s.0.side_to_move() != color(agent)
            && let Some(board) = s.0.null_move()
        {
            s.0 = board;
        }
        match is_pass(m) {
            true => s.0 = s.0.null_move().unwrap_or_else(|| s.0.clone()),
            false => s.0.play_unchecked(m),
        }
        if s.0.en_passant().is_some() {
            s.0 = fen::settled(s.0.clone());
        }
        s.0.set_halfmove_clock(0);
        s.0.set_fullmove_number(1);
    }

    fn outcome(&self, s: &State) -> Outcome {
        match (s.0.checkers().is_empty(), s.0.side_to_move()) {
            (true, _) => DRAW,
            (false, Color::White) => Outcome(0),
            (false, Color::Black) => WIN,
        }
    }

    fn off_turn(&self) -> OffTurn {
        OffTurn::Moves
    }

    #[inline]
    fn won(&self, outcome: Outcome, agent: Agent) -> bool {
        outcome == if agent.0 == 0 { WIN } else { Outcome(0) }
    }

    fn holds(&self, s: &State, atom: Atom) -> bool {
        match Proposition::of(atom) {
            Proposition::Check => !s.0.checkers().is_empty(),
            Proposition::Mate => !s.0.checkers().is_empty() && self.turn(s) == Turn::Over,
            Proposition::Stalemate => s.0.checkers().is_empty() && !s.0.generate_moves(|_| true),
            Proposition::Captured(side, piece) => s.0.colored_pieces(side, piece).is_empty(),
            Proposition::On(side, piece, square) => s.0.colored_pieces(side, piece).has(square),
            Proposition::Attacked(side, piece) => attacked(&s.0, side, piece),
        }
    }

    fn confirms_out_of_reach(&self, s: &State, end: Reach, rule: &str, reason: &str) -> bool {
        let Reach { agent, own, others, .. } = end;
        rule == reach::RULE
            && !self.only_passes(&s.0)
            && reach_witness::confirms(&s.0, color(agent), own, others, reason)
    }
}

/// Whether some piece of this kind could be taken, pins left out of account.
fn attacked(board: &Board, side: Color, piece: Piece) -> bool {
    let (occupied, them) = (board.occupied(), board.colors(!side));
    board.colored_pieces(side, piece).into_iter().any(|square| {
        let diagonal = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
        let straight = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
        let from = (get_bishop_moves(square, occupied) & diagonal)
            | (get_rook_moves(square, occupied) & straight)
            | (get_knight_moves(square) & board.pieces(Piece::Knight))
            | (get_king_moves(square) & board.pieces(Piece::King))
            | (get_pawn_attacks(square, side) & board.pieces(Piece::Pawn));
        !(from & them).is_empty()
    })
}

/// The propositions of chess.
enum Proposition {
    Check,
    Mate,
    Stalemate,
    Captured(Color, Piece),
    On(Color, Piece, Square),
    Attacked(Color, Piece),
}

impl Proposition {
    /// Kind, colour, piece and square, a byte each.
    fn atom(&self) -> Atom {
        let code = |kind: u32, side: Color, piece: Piece, square: u32| {
            Atom(kind | (side as u32) << 8 | (piece as u32) << 16 | square << 24)
        };
        match *self {
            Proposition::Check => Atom(0),
            Proposition::Mate => Atom(1),
            Proposition::Stalemate => Atom(2),
            Proposition::Captured(side, piece) => code(3, side, piece, 0),
            Proposition::On(side, piece, square) => code(4, side, piece, square as u32),
            Proposition::Attacked(side, piece) => code(5, side, piece, 0),
        }
    }

    fn of(atom: Atom) -> Proposition {
        let [kind, side, piece, square] = atom.0.to_le_bytes();
        let side = Color::index(usize::from(side & 1));
        let piece = Piece::index(usize::from(piece % 6));
        match kind {
            0 => Proposition::Check,
            1 => Proposition::Mate,
            2 => Proposition::Stalemate,
            3 => Proposition::Captured(side, piece),
            4 => Proposition::On(side, piece, Square::index(usize::from(square % 64))),
            _ => Proposition::Attacked(side, piece),
        }
    }
}

#[cfg(test)]
mod tests;
