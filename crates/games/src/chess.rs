//! Chess, by the rules of the crate `cozy-chess`.
//!
//! A position is what decides about moves: the board, the turn, castling rights and the
//! en-passant file where a pawn may take in passing. Mate wins, stalemate is a draw, and so is
//! endless play; moves are not counted, so there is no draw by the fifty-move rule, as in chess
//! problems.
//!
//! Formulas may ask either side to move in any position. A side that is asked out of turn moves
//! as after a null move; while the other king is in check it can only pass, since any move would
//! leave a position that cannot be.

use cozy_chess::{
    BitBoard, Board, Color, File, Move, Piece, Rank, Square, get_between_rays, get_bishop_moves,
    get_bishop_rays, get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
    get_rook_rays, util,
};
use foregone_model::{
    Agent, Atom, Endless, Game, Guide, Notation, OffTurn, Outcome, Reach, Scale, TextError, Turn,
};

use crate::chess_fen;
use crate::chess_reach::{self, Memory};
use crate::chess_reach_witness;

/// Chess.
#[derive(Debug, Default)]
pub struct Chess {
    memory: Memory,
}

impl Chess {
    /// The rules.
    pub fn new() -> Chess {
        Chess::default()
    }
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
        let mut board = chess_fen::settled(board);
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
        if s.0.generate_moves(|_| true) {
            Turn::Agent(agent(s.0.side_to_move()))
        } else {
            Turn::Over
        }
    }

    #[inline]
    fn moves(&self, s: &State, agent: Agent, out: &mut Vec<Move>) {
        if s.0.side_to_move() == color(agent) {
            list(&s.0, out, |_, _| true);
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
        s.0.play_unchecked(m);
        if s.0.en_passant().is_some() {
            s.0 = chess_fen::settled(s.0.clone());
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
            Proposition::Stalemate => s.0.checkers().is_empty() && self.turn(s) == Turn::Over,
            Proposition::Captured(side, piece) => s.0.colored_pieces(side, piece).is_empty(),
            Proposition::On(side, piece, square) => s.0.colored_pieces(side, piece).has(square),
            Proposition::Attacked(side, piece) => attacked(&s.0, side, piece),
        }
    }

    fn confirms_out_of_reach(&self, s: &State, end: Reach, rule: &str, reason: &str) -> bool {
        let Reach { agent, own, others, .. } = end;
        rule == chess_reach::RULE
            && chess_reach_witness::confirms(&s.0, color(agent), own, others, reason)
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

impl Guide for Chess {
    /// Three bits that number the kinds of pieces and one for the colour, a board of each; then
    /// the turn, castling rights and the en-passant file.
    type Packed = ([u64; 4], u32);

    const PACKS_TURN: bool = true;

    fn pack(&self, s: &State) -> ([u64; 4], u32) {
        let b = &s.0;
        let of = |piece: Piece| b.pieces(piece).0;
        let planes = [
            of(Piece::Pawn) | of(Piece::Bishop) | of(Piece::Queen),
            of(Piece::Knight) | of(Piece::Bishop) | of(Piece::King),
            of(Piece::Rook) | of(Piece::Queen) | of(Piece::King),
            b.colors(Color::White).0,
        ];
        let side = b.side_to_move();
        let file = |f: Option<File>| f.map_or(8, |f| f as u32);
        let rights = |c: Color| {
            let rights = b.castle_rights(c);
            file(rights.short) | file(rights.long) << 4
        };
        let rest = side as u32
            | rights(Color::White) << 4
            | rights(Color::Black) << 12
            | file(b.en_passant()) << 20;
        (planes, rest)
    }

    #[inline]
    fn out_of_reach(&self, s: &State, end: Reach) -> Option<&'static str> {
        let Reach { agent, own, others, helped } = end;
        // A side that does not help mostly shows by its next move that there is no mate.
        if !helped && (own, others) != (1, 0) {
            return None;
        }
        chess_reach::out_of_reach(&self.memory, &s.0, color(agent), own, others)
            .then_some(chess_reach::RULE)
    }

    fn mobility(&self, s: &State, agent: Agent) -> u32 {
        let mut count = 0;
        if let Some(board) = s.for_side(color(agent)) {
            board.generate_moves(|moves| {
                count += moves.len() as u32;
                false
            });
        }
        count
    }

    /// Checks first, then captures, then what moves near the other king.
    fn order(&self, s: &State, agent: Agent, moves: &mut [Move]) {
        let side = color(agent);
        let Some(board) = s.for_side(side) else { return };
        let checks = Checks::new(&board);
        let them = board.colors(!side);
        let near = get_king_moves(board.king(!side));
        moves.sort_by_cached_key(|m| {
            let piece = board.piece_on(m.from).unwrap_or(Piece::King);
            let check = checks.may(piece, *m);
            let victim = if them.has(m.to) { board.piece_on(m.to) } else { None };
            let gain = victim.map_or(0, |v| 1 + v as i32);
            -(i32::from(check) * 20 + gain * 2 + i32::from(near.has(m.to)))
        });
    }

    /// Only a check can mate.
    fn finishing(&self, s: &State, agent: Agent, out: &mut Vec<Move>) {
        if let Some(board) = s.for_side(color(agent)) {
            let checks = Checks::new(&board);
            list(&board, out, |piece, m| checks.may(piece, m));
        }
    }
}

impl Notation for Chess {
    fn name(&self) -> String {
        "chess".to_owned()
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn atoms(&self) -> &[(&'static str, &'static str)] {
        &[
            ("check", "the side to move is in check"),
            ("mate", "the side to move is mated"),
            ("stalemate", "the side to move is stalemated"),
            ("captured(PIECE)", "there is no such piece: q is a black queen, Q a white one"),
            ("on(PIECE,SQUARE)", "such a piece stands on the square: on(P,e8)"),
            ("attacked(PIECE)", "such a piece stands where the other side could take it"),
        ]
    }

    fn read_atom(&self, text: &str) -> Option<Atom> {
        let piece = |text: &str| {
            let mut letters = text.chars();
            let letter = letters.next().filter(|_| letters.next().is_none())?;
            let side = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            Some((side, Piece::try_from(letter.to_ascii_lowercase()).ok()?))
        };
        let proposition = match text {
            "check" => Proposition::Check,
            "mate" => Proposition::Mate,
            "stalemate" => Proposition::Stalemate,
            _ => {
                let (word, rest) = text.split_once('(')?;
                let inside = rest.strip_suffix(')')?;
                match word {
                    "captured" => piece(inside).map(|(c, p)| Proposition::Captured(c, p))?,
                    "attacked" => piece(inside).map(|(c, p)| Proposition::Attacked(c, p))?,
                    "on" => {
                        let (kind, square) = inside.split_once(',')?;
                        let (side, piece) = piece(kind)?;
                        Proposition::On(side, piece, square.parse().ok()?)
                    }
                    _ => return None,
                }
            }
        };
        Some(proposition.atom())
    }

    /// As the Universal Chess Interface writes moves: a castling king moves two squares.
    fn write_move(&self, s: &State, mut m: Move, out: &mut String) {
        if s.0.color_on(m.from).is_some() && s.0.color_on(m.from) == s.0.color_on(m.to) {
            let file = if m.from.file() < m.to.file() { File::G } else { File::C };
            m.to = Square::new(file, m.to.rank());
        }
        out.push_str(&m.to_string());
    }

    fn parse_move(&self, s: &State, text: &str) -> Option<Move> {
        self.parse_move_of(s, agent(s.0.side_to_move()), text)
    }

    /// People write algebraic notation, too.
    fn parse_typed(&self, s: &State, text: &str) -> Option<Move> {
        let san = || text.is_ascii().then(|| util::parse_san_move(&s.0, text).ok()).flatten();
        self.parse_move(s, text).or_else(san)
    }

    /// Each move has one text, so nothing else is read: not a king that takes its own rook, as
    /// the rules write castling, and not what the rules' own reader passes over.
    fn parse_move_of(&self, s: &State, agent: Agent, text: &str) -> Option<Move> {
        let side = color(agent);
        let board = s.for_side(side)?;
        let mut m = text.parse::<Move>().ok().filter(|m| m.to_string() == text)?;
        if board.colors(side).has(m.from) && board.colors(side).has(m.to) {
            return None;
        }
        let home = Square::new(File::E, Rank::First.relative_to(side));
        if m.from == home && board.king(side) == home && m.to.rank() == home.rank() {
            let rights = board.castle_rights(side);
            let rook = match m.to.file() {
                File::G => rights.short,
                File::C => rights.long,
                _ => None,
            };
            m.to = rook.map_or(m.to, |rook| Square::new(rook, home.rank()));
        }
        Some(m)
    }

    fn write_position(&self, s: &State, out: &mut String) {
        out.push_str(&s.0.to_string());
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        chess_fen::read(text).map(State::new)
    }

    fn draw(&self, s: &State) -> String {
        let mut out = String::new();
        for rank in Rank::ALL.into_iter().rev() {
            out.push_str(&format!("  {} ", rank as u8 + 1));
            for file in File::ALL {
                let square = Square::new(file, rank);
                let letter = match (s.0.piece_on(square), s.0.color_on(square)) {
                    (Some(piece), Some(Color::White)) => char::from(piece).to_ascii_uppercase(),
                    (Some(piece), _) => char::from(piece),
                    _ => '.',
                };
                out.push(' ');
                out.push(letter);
            }
            out.push('\n');
        }
        out.push_str("     a b c d e f g h\n");
        out
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::Rng;
    use foregone_model::Typed as _;

    use super::*;

    fn read(fen: &str) -> State {
        Chess::new().read_position(fen).unwrap()
    }

    /// Positions with castling, promotions and captures in passing.
    const POSITIONS: [&str; 6] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "4k3/P6P/8/3pP3/8/8/p6p/R3K2R w KQ d6 0 1",
        "4R3/8/8/8/1b2K3/8/8/6k1 b - - 0 1",
    ];

    #[test]
    fn texts_read_back() {
        for fen in POSITIONS {
            assert_eq!(Chess::new().position_text(&read(fen)), fen);
        }
    }

    /// Only a check can mate, so a filter may keep nothing but checks, and must keep all of them.
    #[test]
    fn every_check_may_finish() {
        let (game, mut rng) = (Chess::new(), Rng::new(4));
        let (mut checks, mut kept, mut all) = (0, 0, 0);
        for fen in POSITIONS.iter().cycle().take(120) {
            let mut s = read(fen);
            for _ in 0..60 {
                let Turn::Agent(on_turn) = game.turn(&s) else { break };
                for who in [Agent(0), Agent(1)] {
                    let (mut moves, mut finishing) = (Vec::new(), Vec::new());
                    game.moves(&s, who, &mut moves);
                    game.finishing(&s, who, &mut finishing);
                    all += moves.len();
                    kept += finishing.len();
                    for m in moves {
                        let mut next = s.clone();
                        game.play(&mut next, who, m);
                        if !next.0.checkers().is_empty() {
                            checks += 1;
                            let text = game.position_text(&s);
                            assert!(finishing.contains(&m), "{text}: {m}");
                        }
                    }
                }
                let mut moves = Vec::new();
                game.moves(&s, on_turn, &mut moves);
                let m = moves[rng.below(moves.len() as u32) as usize];
                game.play(&mut s, on_turn, m);
            }
        }
        assert!(checks > 5000 && kept * 4 < all, "{checks} {kept} {all}");
    }

    #[test]
    fn each_move_has_one_text() {
        let (game, s) = (Chess::new(), read(POSITIONS[1]));
        // As certificates write it, and a legal one.
        let legal = |s: &State, text: &str| {
            let mut moves = Vec::new();
            game.moves(s, agent(s.0.side_to_move()), &mut moves);
            game.parse_move(s, text).filter(|m| moves.contains(m))
        };
        for (text, castles) in [("e1g1", "e1h1"), ("e1c1", "e1a1"), ("e2a6", "e2a6")] {
            let m = game.read_move(&s, text).unwrap();
            assert_eq!(m.to_string(), castles);
            assert_eq!(game.move_text(&s, m), text);
        }
        // As the rules write castling, as people do, and what their reader passes over.
        let others = ["e1h1", "e1a1", "O-O", "0-0", "Kh1", "Kxh1", "Kg1", "Ke1h1", "e1g1k"];
        for text in others.iter().chain(&["Bxa6", "e2a6k", "e2a6p", "E2A6", "e2a6q", "e2a6 "]) {
            assert_eq!(legal(&s, text), None, "{text}");
        }
        for text in ["e1e2", "e1h1x", "Nz9", "é", "e7e8q", "e1", "e1ég1", ""] {
            assert_eq!(legal(&s, text), None, "{text}");
        }
        // People may type algebraic notation.
        for (text, plain) in [("O-O", "e1g1"), ("Bxa6", "e2a6")] {
            assert_eq!(game.read_move(&s, text).ok(), legal(&s, plain), "{text}");
        }
        let s = read(POSITIONS[4]);
        assert!(legal(&s, "a7a8q").is_some());
        for text in ["a7a8", "a7a8k", "a7a8p", "a7a8qq", "a7a8Q", "a8=Q", "a7a8q#"] {
            assert_eq!(legal(&s, text), None, "{text}");
        }
        // Nor does a side that is not on turn castle otherwise.
        let s = read("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        assert_eq!(game.parse_move_of(&s, Agent(1), "e8h8"), None);
        let castles = game.parse_move_of(&s, Agent(1), "e8g8").unwrap();
        assert_eq!(castles.to_string(), "e8h8");
    }

    /// Whoever gets to a position and however it is written: there is one text, and one state.
    #[test]
    fn each_position_has_one_text() {
        let game = Chess::new();
        for (fen, text) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w qQkK", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
            ("  4k3/8/8/8/8/8/8/4K3\tb -  - 17 99\n", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"),
            // Nobody stands beside the pawn; one does; one does that is pinned.
            ("4k3/8/8/8/4P3/8/8/4K3 b - e3", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"),
            ("4k3/8/8/8/3pP3/8/8/4K3 b - e3", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"),
            ("3k4/8/8/8/3pP3/8/8/3RK3 b - e3", "3k4/8/8/8/3pP3/8/8/3RK3 b - - 0 1"),
            // The king is in check by that pawn, and only in the second it may be taken.
            ("8/8/8/3k4/4P3/8/8/4K3 b - e3", "8/8/8/3k4/4P3/8/8/4K3 b - - 0 1"),
            ("8/8/8/3k4/3pP3/8/8/4K3 b - e3", "8/8/8/3k4/3pP3/8/8/4K3 b - e3 0 1"),
        ] {
            let s = read(fen);
            assert_eq!(game.position_text(&s), text, "{fen}");
            assert_eq!(read(text), s, "{fen}");
            assert_eq!(game.pack(&read(text)), game.pack(&s), "{fen}");
        }
        let mut rng = Rng::new(7);
        let (mut plies, mut passing) = (0, 0);
        for fen in POSITIONS.iter().cycle().take(300) {
            let mut s = read(fen);
            for _ in 0..40 {
                let text = game.position_text(&s);
                assert_eq!(read(&text), s, "{text}");
                let mut moves = Vec::new();
                let who = Agent(u8::from(rng.below(2) == 0));
                game.moves(&s, who, &mut moves);
                if moves.is_empty() {
                    continue;
                }
                let m = moves[rng.below(moves.len() as u32) as usize];
                game.play(&mut s, who, m);
                plies += 1;
                passing += u32::from(s.0.en_passant().is_some());
            }
        }
        assert!(plies > 5000 && passing > 10, "{plies} {passing}");
    }

    #[test]
    fn propositions_say_what_stands_on_the_board() {
        let game = Chess::new();
        let holds = |fen: &str, text: &str| game.holds(&read(fen), game.read_atom(text).unwrap());
        assert!(holds(POSITIONS[2], "captured(q)") && !holds(POSITIONS[0], "captured(q)"));
        assert!(holds(POSITIONS[4], "on(P,a7)") && !holds(POSITIONS[4], "on(P,b7)"));
        assert!(holds(POSITIONS[2], "attacked(P)") && !holds(POSITIONS[0], "attacked(p)"));
        assert!(holds("k6R/8/1K6/8/8/8/8/8 b - - 0 1", "mate"));
        assert!(holds("k7/2Q5/8/8/8/8/8/4K3 b - - 0 1", "stalemate"));
        for text in ["captured()", "captured(x)", "on(P)", "on(P,z9)", "checks", "on(PP,a1)"] {
            assert_eq!(game.read_atom(text), None, "{text}");
        }
    }

    #[test]
    fn who_is_not_on_turn_moves_unless_the_other_is_in_check() {
        let game = Chess::new();
        let count = |fen: &str, agent| {
            let mut moves = Vec::new();
            game.moves(&read(fen), Agent(agent), &mut moves);
            moves.len()
        };
        assert_eq!(count(POSITIONS[0], 1), 20);
        assert_eq!(count("4k3/8/8/8/8/8/8/K3R3 b - - 0 1", 0), 0);
        assert!(count("3k4/8/8/8/8/8/8/K3R3 b - - 0 1", 0) > 10);
    }
}
