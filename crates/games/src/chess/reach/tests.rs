//! Tests of what is out of reach.

use cozy_chess::{BitBoard, Board, BoardBuilder, Color, Piece, Rank, Square, get_king_moves};
use foregone_model::Rng;

use super::{FLIGHTS, Memory, around, out_of_reach, tables};

/// How many questions were asked, how many of them have a mate, and how many were refused.
#[derive(Debug, Default)]
struct Counts {
    asked: u64,
    mates: u64,
    refused: u64,
}

/// Whether `side` can have mated after at most so many moves of each, by trying everything.
/// On the way every position with a mate is shown to the test.
fn mates(
    memory: &Memory,
    board: &Board,
    side: Color,
    (own, others): (u32, u32),
    counts: &mut Counts,
) -> bool {
    let mover = board.side_to_move();
    if own == 0 || mover != side && others == 0 {
        return false;
    }
    let left = if mover == side { (own - 1, others) } else { (own, others - 1) };
    let mut found = false;
    board.generate_moves(|moves| {
        for m in moves {
            let mut next = board.clone();
            next.play_unchecked(m);
            found |= match next.generate_moves(|_| true) {
                true => mates(memory, &next, side, left, counts),
                false => mover == side && !next.checkers().is_empty(),
            };
        }
        false
    });
    let refused = out_of_reach(memory, board, side, own, others);
    if found {
        assert!(!refused, "{board} {side} {own} {others}");
        // Who may make more moves need not make them.
        for (own, others) in [(own, others + 1), (own + 1, others), (own + 1, others + 1)] {
            let refused = out_of_reach(memory, board, side, own, others);
            assert!(!refused, "{board} {side} {own} {others}");
        }
    }
    counts.asked += 1;
    counts.mates += u64::from(found);
    counts.refused += u64::from(refused);
    found
}

/// A position of the kings and a few more pieces that can be, and is not over. Pieces are near
/// the black king, and pawns far ahead, since mates are what the test is about.
fn random(rng: &mut Rng, more: u32) -> Option<Board> {
    let mut builder = BoardBuilder::empty();
    let king = Square::index(rng.below(64) as usize);
    builder.board[king as usize] = Some((Piece::King, Color::Black));
    let kinds = [Piece::Pawn, Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook];
    for i in 0..=more {
        let side = if i == 0 || rng.below(2) == 0 { Color::White } else { Color::Black };
        let piece = match (i, rng.below(6)) {
            (0, _) => Piece::King,
            (_, 5) => Piece::Queen,
            (_, n) => kinds[n as usize],
        };
        let spread = 2 + rng.below(4);
        let mut near = |at: usize| {
            let (low, high) = (at.saturating_sub(spread as usize), (at + spread as usize).min(7));
            low + rng.below((high - low + 1) as u32) as usize
        };
        let (file, rank) = (near(king.file() as usize), near(king.rank() as usize));
        let square = Square::index(rank * 8 + file);
        let last = [Rank::First, Rank::Eighth].contains(&square.rank());
        let taken = builder.board[square as usize].is_some();
        if taken || last && piece == Piece::Pawn {
            return None;
        }
        builder.board[square as usize] = Some((piece, side));
    }
    if rng.below(4) == 0 {
        // Two pawns of which one may take the other in passing.
        let file = rng.below(7) as usize;
        let (white, black) = if rng.below(2) == 0 { (0, 1) } else { (1, 0) };
        let at = [4 * 8 + file + white, 6 * 8 + file + black];
        if at.iter().any(|&square| builder.board[square].is_some()) {
            return None;
        }
        builder.board[at[0]] = Some((Piece::Pawn, Color::White));
        builder.board[at[1]] = Some((Piece::Pawn, Color::Black));
    }
    builder.side_to_move = if rng.below(2) == 0 { Color::White } else { Color::Black };
    if rng.below(2) == 0 {
        // The same with colours exchanged, so that both mate.
        let board = builder.board;
        for square in Square::ALL {
            let turned = square.flip_rank() as usize;
            builder.board[turned] = board[square as usize].map(|(p, c)| (p, !c));
        }
    }
    let board = builder.build().ok()?;
    let apart = !get_king_moves(board.king(Color::White)).has(board.king(Color::Black));
    (apart && board.generate_moves(|_| true)).then_some(board)
}

/// Asks about random positions, with up to so many pieces besides the kings, and with so many
/// moves for the side that mates.
fn compare(seed: u64, positions: u32, pieces: u32, own: u32) -> Counts {
    let (memory, mut rng) = (Memory::default(), Rng::new(seed));
    let mut counts = Counts::default();
    let mut made = 0;
    while made < positions {
        let more = 1 + rng.below(pieces);
        let Some(board) = random(&mut rng, more) else { continue };
        made += 1;
        let side = board.side_to_move();
        mates(&memory, &board, side, (own, own - 1), &mut counts);
        mates(&memory, &board, !side, (own, own), &mut counts);
    }
    counts
}

fn refused(fen: &str, side: Color, own: u32, others: u32) -> bool {
    let board = Board::from_fen(&format!("{fen} 0 1"), false).unwrap();
    out_of_reach(&Memory::default(), &board, side, own, others)
}

#[test]
fn squares_around_a_king_have_a_bit_each() {
    for k in Square::ALL {
        let mut all = 0;
        for square in get_king_moves(k) {
            let bit = around(k, square.bitboard());
            assert!(bit.is_power_of_two() && bit & all == 0, "{k} {square}");
            all |= bit;
        }
        assert_eq!(all, around(k, BitBoard::FULL), "{k}");
        assert_eq!(all | tables().edges[k as usize], FLIGHTS, "{k}");
    }
}

#[test]
fn pawns_step_twice_from_home_and_become_queens_or_knights() {
    let pawn = |from: Square| &tables().pawns[from as usize];
    assert!(pawn(Square::E2)[0][1].has(Square::E4) && pawn(Square::E2)[0][1].has(Square::D3));
    assert!(!pawn(Square::E3)[0][1].has(Square::E5));
    // Five moves from home to the last rank, and none of them backward.
    assert!(pawn(Square::E2)[1][4].is_empty() && pawn(Square::E2)[1][5].has(Square::E8));
    assert!(pawn(Square::E7)[0][5] == Square::E7.bitboard());
    assert!(pawn(Square::E7)[2][2].has(Square::D6) && !pawn(Square::E7)[2][1].has(Square::D6));
    let black = &tables().pawns[64 + Square::E7 as usize];
    assert!(black[0][1].has(Square::E5) && black[1][5].has(Square::E1));
}

#[test]
fn a_pawn_mates_when_it_is_promoted() {
    // On the last rank, with the king beside it; and by a knight in a corner.
    assert!(!refused("k7/4P3/1K6/8/8/8/8/8 w - -", Color::White, 1, 0));
    assert!(refused("k7/8/1K2P3/8/8/8/8/8 w - -", Color::White, 1, 0));
    assert!(!refused("k7/8/1K2P3/8/8/8/8/8 w - -", Color::White, 2, 1));
    assert!(!refused("rn6/kpP5/pp6/8/8/8/8/4K3 w - -", Color::White, 1, 0));
}

#[test]
fn pieces_of_its_own_block_a_king() {
    // Smothered, once the rook stands on g8, which it reaches from one of two squares.
    assert!(!refused("6rk/6pp/7N/8/8/8/8/6K1 w - -", Color::White, 1, 0));
    assert!(refused("r6k/6pp/7N/8/8/8/8/6K1 w - -", Color::White, 1, 0));
    assert!(!refused("r6k/6pp/7N/8/8/8/8/6K1 b - -", Color::White, 1, 1));
    assert!(refused("7k/r5pp/7N/8/8/8/8/6K1 b - -", Color::White, 1, 1));
    assert!(!refused("7k/r5pp/7N/8/8/8/8/6K1 b - -", Color::White, 2, 2));
    // Nobody is there to block, and a knight alone does not mate.
    assert!(refused("7k/8/7N/8/8/8/8/6K1 b - -", Color::White, 3, 3));
}

#[test]
fn a_check_that_can_be_met_is_no_mate() {
    let back_rank = |more: &str| format!("6k1/5ppp/8/8/8/8/8/{more} w - -");
    assert!(!refused(&back_rank("R5K1"), Color::White, 1, 0));
    // A rook goes between; one that is not there yet may still leave its line to A.
    assert!(refused("6k1/1r3ppp/8/8/8/8/8/R5K1 w - -", Color::White, 1, 0));
    assert!(refused("6k1/5ppp/8/3b4/8/8/8/R5K1 w - -", Color::White, 1, 0));
    assert!(!refused("6k1/1r3ppp/8/8/8/8/8/R5K1 b - -", Color::White, 1, 1));
}

#[test]
fn a_pawn_mates_by_taking_in_passing() {
    assert!(!refused("3R4/4p1B1/8/2rP4/2pk4/5K2/8/8 b - -", Color::White, 1, 1));
    assert!(!refused("3R4/6B1/8/2rPp3/2pk4/5K2/8/8 w - e6", Color::White, 1, 0));
    // Not if it stood there before.
    assert!(refused("3R4/6B1/8/2rPp3/2pk4/5K2/8/8 w - -", Color::White, 1, 0));
}

#[test]
fn nothing_is_said_where_a_king_may_castle() {
    assert!(refused("8/8/8/8/8/5k2/8/4K2R w - -", Color::White, 1, 0));
    assert!(!refused("8/8/8/8/8/5k2/8/4K2R w K -", Color::White, 1, 0));
}

#[test]
fn what_is_refused_has_no_mate() {
    for (positions, pieces, own) in [(2000, 8, 1), (60, 5, 2)] {
        let counts = compare(1, positions, pieces, own);
        assert!(counts.mates > 100 && counts.refused > 500, "{counts:?}");
    }
}

#[test]
#[ignore = "takes a minute"]
fn what_is_refused_has_no_mate_at_length() {
    for (positions, pieces, own) in [(500_000, 12, 1), (10_000, 7, 2), (150, 3, 3)] {
        println!("{own} moves: {:?}", compare(2, positions, pieces, own));
    }
}
