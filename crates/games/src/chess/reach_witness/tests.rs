//! Whether what `chess_reach_witness` confirms is true, by trying everything; and how much of what
//! `chess_reach` finds it confirms.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use cozy_chess::{
    Board, BoardBuilder, CastleRights, Color, File, Move, Piece, Rank, Square, get_king_moves,
};
use foregone_model::Rng;

use super::confirms;
use crate::chess::reach::{Memory, out_of_reach};

fn board(fen: &str) -> Board {
    Board::from_fen(&format!("{fen} 0 1"), false).unwrap()
}

fn moves(board: &Board) -> Vec<Move> {
    let mut all = Vec::new();
    board.generate_moves(|moves| {
        all.extend(moves);
        false
    });
    all
}

fn over(board: &Board) -> bool {
    !board.generate_moves(|_| true)
}

/// How many questions were asked, how many of them have a mate, how many were confirmed, and how
/// many positions were over.
#[derive(Debug, Default)]
struct Counts {
    asked: u64,
    mates: u64,
    confirmed: u64,
    over: u64,
}

/// Tries everything, and asks at every position on the way.
struct Trial {
    counts: Counts,
    /// Whether sides may also move out of turn, as formulas may ask them to.
    any_order: bool,
}

impl Trial {
    /// Whether `side` can have mated after at most so many moves of each.
    fn mates(&mut self, board: &Board, side: Color, own: u32, others: u32) -> bool {
        if over(board) {
            self.counts.over += 1;
            for (own, others) in [(own, others), (0, 0), (1, 0), (1, 1), (2, 2)] {
                let confirmed = confirms(board, side, own, others, "");
                assert!(!confirmed, "{board} is over: {side} {own} {others}");
            }
            if !board.checkers().is_empty() {
                return board.side_to_move() != side;
            }
        }
        let mut found = false;
        for mover in [side, !side] {
            if own == 0 || mover != side && others == 0 {
                continue;
            }
            let on_turn = board.side_to_move() == mover;
            let from = if on_turn { Some(board.clone()) } else { board.null_move() };
            let Some(from) = from.filter(|_| on_turn || self.any_order) else { continue };
            let left = if mover == side { (own - 1, others) } else { (own, others - 1) };
            for m in moves(&from) {
                let mut next = from.clone();
                next.play_unchecked(m);
                found |= self.mates(&next, side, left.0, left.1);
            }
        }
        let confirmed = confirms(board, side, own, others, "");
        if found {
            // Who may make more moves need not make them.
            for (own, others) in [(own, others + 1), (own + 1, others), (own + 1, others + 1)] {
                let confirmed = confirms(board, side, own, others, "");
                assert!(!confirmed, "{board}: {side} mates by {own} {others}");
            }
        }
        assert!(!(found && confirmed), "{board}: {side} mates by {own} {others}");
        self.counts.asked += 1;
        self.counts.mates += u64::from(found);
        self.counts.confirmed += u64::from(confirmed);
        found
    }
}

/// A position of the kings and a few more men. Men are near the black king, and pawns far ahead,
/// since mates are what the test is about.
fn random(rng: &mut Rng, more: u32) -> Option<Board> {
    let mut builder = BoardBuilder::empty();
    let king = match rng.below(4) {
        0 => Square::E8,
        1 => Square::index(rng.below(8) as usize),
        2 => Square::H8,
        _ => Square::index(rng.below(64) as usize),
    };
    builder.board[king as usize] = Some((Piece::King, Color::Black));
    for i in 0..=more {
        let side = if i == 0 || rng.below(5) < 3 { Color::White } else { Color::Black };
        let piece = match i {
            0 => Piece::King,
            _ => Piece::index([0, 0, 1, 2, 3, 4][rng.below(6) as usize]),
        };
        let spread = 2 + rng.below(4) as usize;
        let mut near = |at: usize| {
            let (low, high) = (at.saturating_sub(spread), (at + spread).min(7));
            low + rng.below((high - low + 1) as u32) as usize
        };
        let (file, rank) = (near(king.file() as usize), near(king.rank() as usize));
        let square = rank * 8 + file;
        if builder.board[square].is_some() || piece == Piece::Pawn && (rank == 0 || rank == 7) {
            return None;
        }
        builder.board[square] = Some((piece, side));
    }
    builder.side_to_move = if rng.below(2) == 0 { Color::White } else { Color::Black };
    if rng.below(4) == 0 {
        pawns_side_by_side(&mut builder, rng)?;
    }
    if rng.below(2) == 0 {
        // The same with colours exchanged, so that both mate.
        let board = builder.board;
        for square in Square::ALL {
            let turned = square.flip_rank() as usize;
            builder.board[turned] = board[square as usize].map(|(p, c)| (p, !c));
        }
        builder.side_to_move = !builder.side_to_move;
        builder.en_passant = builder.en_passant.map(Square::flip_rank);
    }
    if rng.below(3) == 0 {
        allow_castling(&mut builder);
    }
    let board = builder.build().ok()?;
    (!get_king_moves(board.king(Color::White)).has(board.king(Color::Black))).then_some(board)
}

/// A white pawn beside which a black one may step, or has just stepped.
fn pawns_side_by_side(builder: &mut BoardBuilder, rng: &mut Rng) -> Option<()> {
    let file = rng.below(7) as usize;
    let (white, black) = if rng.below(2) == 0 { (file, file + 1) } else { (file + 1, file) };
    let stepped = builder.side_to_move == Color::White;
    let (to, from) = if stepped { (4, 6) } else { (6, 4) };
    let free = |rank: usize, file: usize| builder.board[rank * 8 + file].is_none();
    if !free(4, white) || !free(to, black) || !free(from, black) || !free(5, black) {
        return None;
    }
    builder.board[4 * 8 + white] = Some((Piece::Pawn, Color::White));
    builder.board[to * 8 + black] = Some((Piece::Pawn, Color::Black));
    builder.en_passant = stepped.then(|| Square::index(5 * 8 + black));
    Some(())
}

/// All castling rights that there may be.
fn allow_castling(builder: &mut BoardBuilder) {
    for side in [Color::White, Color::Black] {
        let home = |file: File| Square::new(file, Rank::First.relative_to(side)) as usize;
        if builder.board[home(File::E)] == Some((Piece::King, side)) {
            let rook = |file: File| {
                (builder.board[home(file)] == Some((Piece::Rook, side))).then_some(file)
            };
            let rights = CastleRights { short: rook(File::H), long: rook(File::A) };
            builder.castle_rights[side as usize] = rights;
        }
    }
}

/// A position before this one, by a move of the side that is not to move, in which that side or,
/// out of turn, the other is to move.
fn taken_back(rng: &mut Rng, board: &Board, any_order: bool) -> Option<Board> {
    let side = !board.side_to_move();
    let mut men = board.colors(side).into_iter();
    let to = men.nth(rng.below(board.colors(side).len()) as usize)?;
    let now = BoardBuilder::from_board(board);
    let mut builder = now.clone();
    builder.side_to_move = side;
    builder.en_passant = None;
    // Pawns and what they became come from a step or two behind.
    let behind = (1 + rng.below(2) as i8) * if side == Color::White { -1 } else { 1 };
    let from = match rng.below(2) {
        0 => to.try_offset(rng.below(3) as i8 - 1, behind)?,
        _ => Square::index(rng.below(64) as usize),
    };
    builder.board[to as usize] = None;
    builder.board[from as usize].is_none().then_some(())?;
    let (piece, _) = now.board[to as usize]?;
    let seventh = Rank::Seventh.relative_to(side);
    let becomes = to.rank() == Rank::Eighth.relative_to(side)
        && from.rank() == seventh
        && ![Piece::King, Piece::Pawn].contains(&piece)
        && rng.below(4) > 0;
    let before = if becomes { Piece::Pawn } else { piece };
    builder.board[from as usize] = Some((before, side));
    if before == Piece::Pawn && from.file() != to.file() && rng.below(2) == 0 {
        // In passing.
        let taken = Square::new(to.file(), from.rank());
        builder.board[taken as usize].is_none().then_some(())?;
        builder.board[taken as usize] = Some((Piece::Pawn, !side));
        builder.en_passant = Some(to);
    } else if from.file() != to.file() && rng.below(3) == 0 {
        builder.board[to as usize] = Some((Piece::index(rng.below(5) as usize), !side));
    }
    let earlier = builder.build().ok()?;
    let m = Move { from, to, promotion: becomes.then_some(piece) };
    let apart = !get_king_moves(earlier.king(side)).has(earlier.king(!side));
    let mut again = earlier.clone();
    (apart && again.try_play(m).is_ok()).then_some(())?;
    let again = BoardBuilder::from_board(&again);
    (again.board == now.board && again.en_passant == now.en_passant).then_some(())?;
    if any_order && rng.below(3) == 0 && builder.en_passant.is_none() {
        builder.side_to_move = !side;
        let waiting = builder.build().ok()?;
        return (waiting.null_move()? == earlier).then_some(waiting);
    }
    Some(earlier)
}

/// Takes mates back, for so many moves; returns how many questions were asked for each number of
/// moves of the side that mates and of the other.
fn take_back(seed: u64, mates: u32, plies: u32) -> BTreeMap<(u32, u32), u64> {
    let mut rng = Rng::new(seed);
    let (mut asked, mut made) = (BTreeMap::new(), 0);
    while made < mates {
        // Where there are few men, each move counts.
        let most = 3 + rng.below(6);
        let more = 1 + rng.below(most);
        let Some(mut board) = random(&mut rng, more) else { continue };
        if !over(&board) || board.checkers().is_empty() {
            continue;
        }
        made += 1;
        let (side, any_order) = (!board.side_to_move(), rng.below(2) == 0);
        let (mut own, mut others) = (0, 0);
        for _ in 0..plies {
            let tries = (0..300).find_map(|_| taken_back(&mut rng, &board, any_order));
            let Some(earlier) = tries else { break };
            let mover = !board.side_to_move();
            board = earlier;
            own += u32::from(mover == side);
            others += u32::from(mover != side);
            for (own, others) in [(own, others), (own + 1, others), (own, others + 1)] {
                let confirmed = confirms(&board, side, own, others, "");
                assert!(!confirmed, "{board}: {side} mates by {own} {others}");
            }
            *asked.entry((own, others)).or_default() += 1;
        }
    }
    asked
}

#[test]
fn a_mate_that_was_taken_back_is_in_reach() {
    let asked = take_back(1, 1500, 7);
    for moves in [(1, 0), (1, 1), (2, 1), (2, 2), (3, 2), (3, 3)] {
        let count = asked.get(&moves).copied().unwrap_or(0);
        assert!(count > 50, "{moves:?}: {count}");
    }
}

/// A random position, or one from which a mate is so many moves away.
fn promising(rng: &mut Rng, men: u32, plies: u32) -> Option<Board> {
    let more = 1 + rng.below(men);
    let board = random(rng, more)?;
    let mate = over(&board) && !board.checkers().is_empty();
    if !mate || rng.below(4) == 0 {
        // Few positions are mates.
        return (rng.below(40) == 0).then_some(board);
    }
    let back = 1 + rng.below(plies);
    (0..back).try_fold(board, |board, _| (0..300).find_map(|_| taken_back(rng, &board, true)))
}

/// Asks about positions with up to so many men besides the kings.
fn compare(seed: u64, any_order: bool, positions: u32, men: u32, own: u32, others: u32) -> Counts {
    let mut rng = Rng::new(seed);
    let mut trial = Trial { counts: Counts::default(), any_order };
    let mut made = 0;
    while made < positions {
        let Some(board) = promising(&mut rng, men, own + others) else { continue };
        made += 1;
        for side in [Color::White, Color::Black] {
            trial.mates(&board, side, own, others);
        }
    }
    trial.counts
}

#[test]
fn what_is_confirmed_has_no_mate() {
    for (any_order, positions, men, own, others) in [
        (true, 2500, 9, 1, 0),
        (false, 500, 8, 1, 1),
        (true, 300, 7, 1, 1),
        (true, 60, 5, 1, 2),
        (false, 60, 5, 2, 1),
        (true, 20, 4, 2, 1),
    ] {
        let counts = compare(1, any_order, positions, men, own, others);
        let enough = counts.mates > 50 && counts.confirmed > 1000 && counts.over > 100;
        assert!(enough, "{own} {others}: {counts:?}");
    }
}

#[test]
#[ignore = "takes minutes"]
fn what_is_confirmed_has_no_mate_at_length() {
    for seed in 2.. {
        let clock = Instant::now();
        for (any_order, positions, men, own, others) in [
            (true, 200_000, 12, 1, 0),
            (true, 12_000, 12, 1, 1),
            (true, 200, 6, 1, 2),
            (false, 500, 7, 2, 1),
            (true, 120, 5, 2, 1),
            (false, 40, 4, 2, 2),
            (true, 4, 2, 2, 2),
            (false, 4, 2, 3, 2),
        ] {
            let counts = compare(seed, any_order, positions, men, own, others);
            println!("{own} {others}, any order {any_order}: {counts:?}");
        }
        println!("taken back: {:?}", take_back(seed, 20_000, 10));
        let seconds = std::env::var("FOREGONE_FUZZ_SECONDS").ok().and_then(|s| s.parse().ok());
        if clock.elapsed() * (seed as u32 - 1) > Duration::from_secs(seconds.unwrap_or(60)) {
            break;
        }
    }
}

/// What was answered wrongly once: a mate in one, and the position after it.
#[test]
fn a_smothered_mate_is_in_reach_and_what_is_over_is_not_judged() {
    let start = board("6rk/6pp/8/4N3/8/8/8/6K1 w - -");
    let mut mated = start.clone();
    mated.play("e5f7".parse().unwrap());
    let stalemated = board("k7/2Q5/8/8/8/8/8/4K3 b - -");
    for own in 0..8 {
        for others in 0..8 {
            assert_eq!(confirms(&start, Color::White, own, others, ""), own == 0);
            for board in [&mated, &stalemated] {
                for side in [Color::White, Color::Black] {
                    assert!(!confirms(board, side, own, others, ""), "{board} {own} {others}");
                }
            }
        }
    }
    // Black cannot mate at once, nor after a move of white.
    assert!(confirms(&start, Color::Black, 1, 0, ""));
    assert!(confirms(&start, Color::Black, 1, 1, ""));
}

#[test]
fn each_part_of_a_mate_takes_moves() {
    let white =
        |fen: &str, own: u32, others: u32| confirms(&board(fen), Color::White, own, others, "");
    // A knight alone; a rook that is far from its king; a pawn that is far from its end.
    assert!(white("7k/8/7N/8/8/8/8/6K1 b - -", 3, 3));
    assert!(white("7k/8/8/8/8/8/8/R5K1 w - -", 2, 1));
    assert!(white("k7/8/1K2P3/8/8/8/8/8 w - -", 1, 0));
    assert!(!white("k7/8/1K2P3/8/8/8/8/8 w - -", 2, 1));
    // A rook blocks from one of two squares.
    assert!(!white("r6k/6pp/7N/8/8/8/8/6K1 b - -", 1, 1));
    assert!(white("7k/r5pp/7N/8/8/8/8/6K1 b - -", 1, 1));
    assert!(!white("7k/r5pp/7N/8/8/8/8/6K1 b - -", 2, 2));
    // A pawn steps twice to block, the king has to leave its place first.
    assert!(!white("3R4/1p4Q1/8/8/2k2P2/4P3/K2n4/8 b - -", 1, 1));
    assert!(!confirms(&board("3K4/1k2r3/p7/8/p7/8/8/8 b - -"), Color::Black, 3, 2, ""));
    // A pawn blocks as what it became.
    assert!(!white("8/8/8/8/4B3/5PKP/6pP/5B1k b - -", 1, 1));
    // By taking in passing, now or later.
    assert!(!white("3R4/4p1B1/8/2rP4/2pk4/5K2/8/8 b - -", 1, 1));
    assert!(!white("5n2/2Kp2B1/4k3/2P5/1pQ5/3B4/8/8 b - -", 1, 1));
    assert!(!white("3R4/6B1/8/2rPp3/2pk4/5K2/8/8 w - e6", 1, 0));
    assert!(white("3R4/6B1/8/2rPp3/2pk4/5K2/8/8 w - -", 1, 0));
    // By castling, and after castling into the mate: two men move at once, a king by two squares.
    assert!(!white("4R3/p7/8/8/8/5k1P/7P/4K2R w K -", 1, 0));
    assert!(!white("4R3/p7/8/8/8/5k1P/7P/4K2R b K -", 1, 1));
    assert!(white("4R3/p7/8/8/8/5k1P/7P/4K2R b - -", 1, 1));
    assert!(!white("4k2r/5p2/8/8/5Rp1/7R/8/3K4 b k -", 1, 1));
    assert!(!white("4k2r/5p2/8/8/5Rp1/7R/8/3K4 b k -", 1, 2));
    assert!(white("4k2r/5p2/8/8/5Rp1/7R/8/3K4 b - -", 1, 2));
    // More moves than anybody counts, and words that nobody asked for.
    assert!(!white("7k/8/7N/8/8/8/8/6K1 b - -", 6, 1) && !white("7k/8/7N/8/8/8/8/6K1 b - -", 1, 6));
    assert!(!white("7k/8/7N/8/8/8/8/6K1 b - -", u32::MAX, u32::MAX));
    assert!(!confirms(&board("7k/8/7N/8/8/8/8/6K1 b - -"), Color::White, 1, 1, "far"));
}

/// Boards that no play leads to, but that the type can hold.
#[test]
fn of_boards_that_cannot_be_nothing_is_said() {
    let touching = board("8/8/8/3kK3/8/8/8/8 w - -");
    let mut taken = touching.clone();
    taken.play_unchecked("e5d5".parse().unwrap());
    // White leaves its king in check.
    let mut exposed = board("4k3/4r3/8/8/8/8/4R3/4K3 w - -");
    exposed.play_unchecked("e2a2".parse().unwrap());
    let mut builder = BoardBuilder::empty();
    for (square, piece, side) in [
        (Square::A1, Piece::King, Color::White),
        (Square::B3, Piece::Knight, Color::Black),
        (Square::C2, Piece::Knight, Color::Black),
        (Square::A8, Piece::Rook, Color::Black),
        (Square::H8, Piece::King, Color::Black),
    ] {
        builder.board[square as usize] = Some((piece, side));
    }
    let thrice = builder.build().unwrap();
    for side in [Color::White, Color::Black] {
        for (own, others) in [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (3, 3)] {
            for board in [&touching, &taken, &exposed] {
                assert!(!confirms(board, side, own, others, ""), "{board} {own} {others}");
            }
            let _ = confirms(&thrice, side, own, others, "");
        }
    }
}

/// What is refused by the finder in one kind of question, and confirmed.
#[derive(Default)]
struct Row {
    asked: u64,
    refused: u64,
    confirmed: u64,
    finding: Duration,
    confirming: Duration,
}

/// Evaluates problems depth first, with the finder at every position.
struct Walk {
    memory: Memory,
    rows: BTreeMap<(u32, u32), Row>,
    /// Positions that are still looked at.
    left: u64,
}

impl Walk {
    fn refused(&mut self, board: &Board, side: Color, own: u32, others: u32) -> bool {
        let row = self.rows.entry((own, others)).or_default();
        row.asked += 1;
        let clock = Instant::now();
        let refused = out_of_reach(&self.memory, board, side, own, others);
        row.finding += clock.elapsed();
        if refused {
            let clock = Instant::now();
            row.confirmed += u64::from(confirms(board, side, own, others, ""));
            row.confirming += clock.elapsed();
            row.refused += 1;
        }
        refused
    }

    /// All lines in which both sides help.
    fn help(&mut self, board: &Board, side: Color, own: u32, others: u32) {
        let mover = board.side_to_move();
        if self.left == 0 || over(board) || own == 0 || mover != side && others == 0 {
            return;
        }
        self.left -= 1;
        if self.refused(board, side, own, others) {
            return;
        }
        let left = if mover == side { (own - 1, others) } else { (own, others - 1) };
        for m in moves(board) {
            let mut next = board.clone();
            next.play_unchecked(m);
            self.help(&next, side, left.0, left.1);
        }
    }

    /// Whether `side` forces mate in so many moves. Knowledge is asked before the last one.
    fn forces(&mut self, board: &Board, side: Color, own: u32) -> bool {
        let attacks = board.side_to_move() == side;
        if over(board) {
            return !attacks && !board.checkers().is_empty();
        }
        if self.left == 0 || own == 0 || own == 1 && attacks && self.refused(board, side, 1, 0) {
            return false;
        }
        self.left -= 1;
        let mut next = moves(board).into_iter().map(|m| {
            let mut next = board.clone();
            next.play_unchecked(m);
            next
        });
        match attacks {
            true => next.any(|next| self.forces(&next, side, own - 1)),
            false => next.all(|next| self.forces(&next, side, own)),
        }
    }

    /// One problem: `#2`, `h#3` or `h#2.5`.
    fn solve(&mut self, board: &Board, problem: &str) {
        let side = board.side_to_move();
        let Some((kind, n)) = problem.split_once('#') else { return };
        let (n, half) = (n.trim_end_matches(".5"), n.ends_with(".5"));
        let Ok(n) = n.parse() else { return };
        match (kind, half) {
            ("h", false) => self.help(board, !side, n, n),
            ("h", true) => self.help(board, side, n + 1, n),
            ("", false) => _ = self.forces(board, side, n),
            _ => {}
        }
    }
}

/// Some problems, of which all leaves must be confirmed: a witness that never speaks is useless.
#[test]
fn what_is_found_is_confirmed() {
    let mut walk = Walk { memory: Memory::default(), rows: BTreeMap::new(), left: 0 };
    for (fen, problem) in [
        ("4R3/8/8/8/1b2K3/8/8/6k1 b - -", "h#2"),
        ("3r4/8/8/8/1b2K3/8/8/RN4k1 b - -", "h#2"),
        ("8/8/3p4/2kP4/8/1P6/4K3/7R w - -", "h#2.5"),
        ("8/8/8/8/8/6k1/4p3/1R2K3 b - -", "h#3"),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - -", "#2"),
        ("6k1/5ppp/1q6/8/8/4Q3/5PPP/3R2K1 w - -", "#2"),
    ] {
        walk.left = 5000;
        walk.solve(&board(fen), problem);
    }
    for (own, others) in [(1, 0), (1, 1), (2, 1), (2, 2)] {
        let row = &walk.rows[&(own, others)];
        assert!(row.refused > 10, "{own} {others}: {}", row.refused);
    }
    for ((own, others), row) in &walk.rows {
        assert_eq!(row.confirmed, row.refused, "{own} {others}");
    }
}

/// The same for the problems that lie beside the project: how much is confirmed, and the time.
#[test]
#[ignore = "measures"]
fn how_much_of_real_problems_is_confirmed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/chess");
    let mut kinds: BTreeMap<String, Walk> = BTreeMap::new();
    for file in ["helpmates.tsv", "direct_mates.tsv"] {
        let Ok(text) = std::fs::read_to_string(folder.join(file)) else {
            println!("skipped: there is no {file} in ../shared/data/chess");
            continue;
        };
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let mut columns = line.split('\t');
            let (Some(fen), Some(problem)) = (columns.next(), columns.next()) else { continue };
            let fields: Vec<&str> = fen.split(' ').take(4).collect();
            let walk = kinds.entry(problem.to_owned()).or_insert_with(|| Walk {
                memory: Memory::default(),
                rows: BTreeMap::new(),
                left: 0,
            });
            walk.left = 200_000;
            walk.solve(&board(&fields.join(" ")), problem);
        }
    }
    for (problem, walk) in &kinds {
        for ((own, others), row) in &walk.rows {
            let mean = |time: Duration, n: u64| time.as_nanos() / u128::from(n.max(1));
            println!(
                "{problem:6} ({own},{others}) asked {:8} refused {:8} confirmed {:8}; ns a call: \
                 finder {:5}, witness {:5}",
                row.asked,
                row.refused,
                row.confirmed,
                mean(row.finding, row.asked),
                mean(row.confirming, row.refused),
            );
        }
    }
}
