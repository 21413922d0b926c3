//! Positions of chess in Forsyth-Edwards Notation (FEN).
//!
//! The rules of `cozy-chess` are wider than those of chess: they castle from anywhere, and their
//! reader fills up or shifts what does not fit. What is read here is a position of ordinary chess,
//! and what is at fault is named with its place.

use cozy_chess::{
    Board, BoardBuilder, Color, FenParseError, Piece, Rank, Square, get_king_moves,
    get_pawn_attacks,
};
use foregone_model::TextError;

/// A text and the error that a part of it gives.
struct Source<'a>(&'a str);

impl Source<'_> {
    fn error(&self, word: &str, message: impl Into<String>) -> TextError {
        // Words are parts of the text, so where they lie tells where they stand.
        let start = (word.as_ptr() as usize).wrapping_sub(self.0.as_ptr() as usize);
        let inside = start <= self.0.len() && word.len() <= self.0.len() - start;
        let span = if inside { start..start + word.len() } else { 0..self.0.len() };
        TextError::new(message, span)
    }
}

/// Reads a board. The last four of its six fields may be missing.
pub(crate) fn read(text: &str) -> Result<Board, TextError> {
    let source = Source(text);
    let fields: Vec<&str> = text.split_whitespace().collect();
    let &[placement, turn, ref rest @ ..] = fields.as_slice() else {
        let message = "a position is a FEN: board, side to move, castling, en passant";
        return Err(source.error(text.trim(), message));
    };
    if let Some(word) = rest.get(4) {
        return Err(source.error(word, "a FEN has six fields, and this would be the seventh"));
    }
    read_placement(&source, placement)?;
    for (word, name) in rest.iter().skip(2).zip(["half-move clock", "number of the move"]) {
        if !word.bytes().all(|b| b.is_ascii_digit()) || word.len() > 5 {
            return Err(source.error(word, format!("the {name} is a number such as 0 or 12")));
        }
    }
    let field = |i: usize| rest.get(i).copied().unwrap_or("-");
    let (castling, en_passant) = (field(0), field(1));
    let board = |castling: &str, en_passant: &str| {
        Board::from_fen(&format!("{placement} {turn} {castling} {en_passant} 0 1"), false)
    };
    let error = |e: FenParseError| match e {
        FenParseError::InvalidSideToMove => {
            source.error(turn, format!("`{turn}`: the side to move is `w` or `b`"))
        }
        FenParseError::InvalidCastlingRights => {
            source.error(castling, "these castling rights do not fit the board")
        }
        FenParseError::InvalidEnPassant => {
            source.error(en_passant, "this en-passant square does not fit the board")
        }
        _ => source.error(
            placement,
            "this is not a possible board: a side has at most 16 pieces, 8 of them pawns, the side \
             that is not to move is not in check, and the other at most twice",
        ),
    };
    let bare = board("-", "-").map_err(error)?;
    if get_king_moves(bare.king(Color::White)).has(bare.king(Color::Black)) {
        return Err(source.error(placement, "the kings stand next to each other"));
    }
    read_castling(&source, &bare, castling)?;
    board(castling, en_passant).map_err(error)
}

/// Looks at the letters and digits of a board.
fn read_placement(source: &Source, placement: &str) -> Result<(), TextError> {
    let ranks: Vec<&str> = placement.split('/').collect();
    if ranks.len() != 8 {
        return Err(source.error(placement, format!("a board has 8 ranks, not {}", ranks.len())));
    }
    for (i, rank) in ranks.iter().enumerate() {
        let (mut files, mut after_digit) = (0, false);
        for (at, letter) in rank.char_indices() {
            let word = &rank[at..at + letter.len_utf8()];
            match letter {
                '1'..='8' if after_digit => {
                    let message = format!("`{letter}` follows another number of free squares");
                    return Err(source.error(word, message));
                }
                '1'..='8' => files += letter as u32 - '0' as u32,
                'p' | 'P' if i == 0 || i == 7 => {
                    let message = format!("`{letter}`: no pawn stands on the first or last rank");
                    return Err(source.error(word, message));
                }
                _ if "pnbrqkPNBRQK".contains(letter) => files += 1,
                _ => {
                    let shown = letter.escape_debug();
                    let message = format!(
                        "`{shown}` is not a piece: they are K Q R B N P, small letters for black"
                    );
                    return Err(source.error(word, message));
                }
            }
            after_digit = letter.is_ascii_digit();
        }
        if files != 8 {
            let number = 8 - i;
            let message = format!("`{rank}`: rank {number} has 8 squares, not {files}");
            return Err(source.error(rank, message));
        }
    }
    for (king, side) in [('K', "white"), ('k', "black")] {
        let count = placement.matches(king).count();
        if count != 1 {
            let message = format!("each side has one king, but {side} has {count}: `{king}`");
            return Err(source.error(placement, message));
        }
    }
    Ok(())
}

/// Looks at castling rights: a king castles from e1 or e8, with a rook in the corner.
fn read_castling(source: &Source, board: &Board, word: &str) -> Result<(), TextError> {
    if word == "-" {
        return Ok(());
    }
    for (at, letter) in word.char_indices() {
        let this = &word[at..at + letter.len_utf8()];
        let (side, king, rook) = match letter {
            'K' => (Color::White, Square::E1, Square::H1),
            'Q' => (Color::White, Square::E1, Square::A1),
            'k' => (Color::Black, Square::E8, Square::H8),
            'q' => (Color::Black, Square::E8, Square::A8),
            _ => {
                let message = format!(
                    "castling rights are `-` or some of KQkq, not `{}`",
                    letter.escape_debug()
                );
                return Err(source.error(this, message));
            }
        };
        if word[..at].contains(letter) {
            return Err(source.error(this, format!("the castling right `{letter}` is given twice")));
        }
        for (square, piece, name) in [(king, Piece::King, "king"), (rook, Piece::Rook, "rook")] {
            if !board.colored_pieces(side, piece).has(square) {
                let side = if side == Color::White { "white" } else { "black" };
                let message =
                    format!("the castling right `{letter}` needs a {side} {name} on {square}");
                return Err(source.error(this, message));
            }
        }
    }
    Ok(())
}

/// The same position with an en-passant square only where a pawn may take: so that one position
/// has one board, and one text.
#[inline]
pub(crate) fn settled(board: Board) -> Board {
    match board.en_passant() {
        None => board,
        Some(_) if takes_in_passing(&board) => board,
        Some(_) => without_en_passant(board),
    }
}

/// Whether the side to move has a legal move that takes in passing.
fn takes_in_passing(board: &Board) -> bool {
    let side = board.side_to_move();
    board.en_passant().is_some_and(|file| {
        let to = Square::new(file, Rank::Sixth.relative_to(side));
        let pawns = get_pawn_attacks(to, !side) & board.colored_pieces(side, Piece::Pawn);
        board.generate_moves_for(pawns, |moves| moves.to.has(to))
    })
}

fn without_en_passant(board: Board) -> Board {
    // Two null moves are much quicker, and almost always possible.
    if let Some(board) = board.null_move().and_then(|b| b.null_move()) {
        return board;
    }
    let mut builder = BoardBuilder::from_board(&board);
    builder.en_passant = None;
    builder.build().unwrap_or(board)
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn boards_that_cannot_be_are_refused() {
        let pieces = "4k3/pppppppp/pnnnnnnp/8/8/8/8/4K3 w - - 0 1";
        for (fen, at, message) in [
            ("kbK5/pp6/1P6/8/8/8/R7 w - - 0 1", 0..21, "8 ranks"),
            ("kbK5/pp6/1P7/8/8/8/8/R7 w - - 0 1", 9..12, "8 squares, not 9"),
            ("8/8/8/8/8/8/8/K7 w - - 0 1", 0..16, "one king, but black has 0"),
            ("k7/8/8/8/8/8/8/K6K w - - 0 1", 0..18, "one king, but white has 2"),
            ("kK6/8/8/8/8/8/8/8 w - - 0 1", 0..17, "next to each other"),
            ("k7/8/8/8/8/8/8/R3K3 w - - 0 1", 0..19, "not in check"),
            ("k7/8/8/8/8/8/8/P3K3 w - - 0 1", 15..16, "no pawn"),
            (pieces, 0..33, "8 of them pawns"),
            ("k7/44/8/8/8/8/8/4K3 w - - 0 1", 4..5, "follows another number"),
            ("k7/08/8/8/8/8/8/4K3 w - - 0 1", 3..4, "`0` is not a piece"),
            ("k7/8/8/8/8/8/8/4é3 w - - 0 1", 16..18, "`é` is not a piece"),
            ("k7/8/8/8/8/8/8/4K3 x - - 0 1", 19..20, "`w` or `b`"),
            ("k7/8/8/8/8/8/8/4K3 W - - 0 1", 19..20, "`w` or `b`"),
            ("k7", 0..2, "a FEN"),
            ("", 0..0, "a FEN"),
            ("k7/8/8/8/8/8/8/4K3 w - - 0 1 2 3", 29..30, "seventh"),
            ("k7/8/8/8/8/8/8/4K3 w - - -1 1", 25..27, "half-move clock"),
            ("k7/8/8/8/8/8/8/4K3 w - - 0 x", 27..28, "number of the move"),
        ] {
            let error = read(fen).unwrap_err();
            assert!(error.message.contains(message), "{fen}: {error}");
            assert_eq!(error.span, at, "{fen}");
        }
    }

    /// Castling is that of ordinary chess. What the rules would read is more.
    #[test]
    fn castling_rights_need_a_king_and_a_rook_at_home() {
        for (fen, at, message) in [
            ("4k3/8/8/8/8/8/8/3K3R w K - 0 1", 23..24, "`K` needs a white king on e1"),
            ("r2k3r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 28..29, "`k` needs a black king on e8"),
            ("r2k3r/8/8/8/8/8/8/R3K2R w q - 0 1", 26..27, "`q` needs a black king on e8"),
            ("4k3/8/8/8/8/8/8/4K1R1 w K - 0 1", 24..25, "`K` needs a white rook on h1"),
            ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", 23..24, "`K` needs a white king on e1"),
            ("4k3/8/8/8/8/8/8/r3K3 w Q - 0 1", 23..24, "`Q` needs a white rook on a1"),
            ("k7/8/8/8/8/8/8/4K3 w K - 0 1", 21..22, "`K` needs a white rook on h1"),
            ("4k3/8/8/8/8/8/8/4K2R w H - 0 1", 23..24, "not `H`"),
            ("4k3/8/8/8/8/8/8/4K2R w K- - 0 1", 24..25, "not `-`"),
            ("4k3/8/8/8/8/8/8/4K2R w Ké - 0 1", 24..26, "not `é`"),
            ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", 24..25, "`K` is given twice"),
        ] {
            let error = read(fen).unwrap_err();
            assert!(error.message.contains(message), "{fen}: {error}");
            assert_eq!(error.span, at, "{fen}");
        }
        for rights in ["K", "Q", "k", "q", "Kq", "kQ", "KQkq", "-"] {
            assert!(read(&format!("r3k2r/8/8/8/8/8/8/R3K2R b {rights} - 0 1")).is_ok());
        }
    }

    #[test]
    fn en_passant_squares_need_a_pawn_that_just_moved() {
        for (fen, at) in [
            // No pawn; the wrong side; not where it jumped; something in its way; not a square.
            ("k7/8/8/8/8/8/8/4K3 b - e3 0 1", 23..25),
            ("4k3/8/8/8/3pP3/8/8/4K3 w - e3 0 1", 27..29),
            ("4k3/8/8/8/3pP3/8/8/4K3 b - e4 0 1", 27..29),
            ("4k3/8/8/8/3pP3/8/4N3/4K3 b - e3 0 1", 29..31),
            ("4k3/8/8/8/3pP3/4N3/8/4K3 b - e3 0 1", 29..31),
            ("4k3/8/8/8/3pP3/8/8/4K3 b - E3 0 1", 27..29),
            ("4k3/8/8/8/3pP3/8/8/4K3 b - e3x 0 1", 27..30),
            // A check that this move of the pawn cannot have given.
            ("4k3/8/5N2/8/3pP3/8/8/4K3 b - e3 0 1", 29..31),
        ] {
            let error = read(fen).unwrap_err();
            assert!(error.message.contains("en-passant"), "{fen}: {error}");
            assert_eq!(error.span, at, "{fen}");
        }
        assert!(read("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1").is_ok());
    }
}
