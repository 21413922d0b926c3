//! Moves as chess players write them: Standard Algebraic Notation.

use cozy_chess::{BitBoard, Board, Move, Piece};

/// The letters of pieces in English, and their figurines.
const PIECES: [(Piece, char, char); 5] = [
    (Piece::King, 'K', '♔'),
    (Piece::Queen, 'Q', '♕'),
    (Piece::Rook, 'R', '♖'),
    (Piece::Bishop, 'B', '♗'),
    (Piece::Knight, 'N', '♘'),
];

/// The letter of a piece; a pawn has none.
fn letter(piece: Piece) -> Option<char> {
    PIECES.iter().find(|p| p.0 == piece).map(|p| p.1)
}

/// A legal move of the side to move, with `+` for check and `#` for mate.
pub(super) fn written(board: &Board, m: Move) -> String {
    let side = board.side_to_move();
    let piece = board.piece_on(m.from).unwrap_or(Piece::Pawn);
    let mut out = String::new();
    if board.colors(side).has(m.to) {
        // The rules let a castling king take its own rook.
        out.push_str(if m.to.file() > m.from.file() { "O-O" } else { "O-O-O" });
    } else {
        let pawn = piece == Piece::Pawn;
        // A pawn that changes its file takes, be it in passing.
        let takes = board.colors(!side).has(m.to) || pawn && m.from.file() != m.to.file();
        out.extend(letter(piece));
        match pawn {
            true if takes => out.push_str(&m.from.file().to_string()),
            true => {}
            false => out.push_str(&told_apart(board, piece, m)),
        }
        if takes {
            out.push('x');
        }
        out.push_str(&m.to.to_string());
        if let Some(letter) = m.promotion.and_then(letter) {
            out.extend(['=', letter]);
        }
    }
    let mut after = board.clone();
    after.play_unchecked(m);
    if !after.checkers().is_empty() {
        out.push(if after.generate_moves(|_| true) { '+' } else { '#' });
    }
    out
}

/// What tells the piece apart from others of its kind that may go to the same square: its file, its
/// rank, or both.
fn told_apart(board: &Board, piece: Piece, m: Move) -> String {
    let mut others = BitBoard::EMPTY;
    let alike = board.colored_pieces(board.side_to_move(), piece) & !m.from.bitboard();
    board.generate_moves_for(alike, |moves| {
        if moves.to.has(m.to) {
            others |= moves.from.bitboard();
        }
        false
    });
    let (file, rank) = (m.from.file(), m.from.rank());
    match () {
        () if others.is_empty() => String::new(),
        () if (others & file.bitboard()).is_empty() => file.to_string(),
        () if (others & rank.bitboard()).is_empty() => rank.to_string(),
        () => m.from.to_string(),
    }
}

/// What a person typed, with letters for figurines, and without the signs of praise. Nothing if it
/// has other signs than those of moves.
pub(super) fn plain(text: &str) -> Option<String> {
    let text = text.trim_end_matches(['!', '?']);
    let letter = |c: char| PIECES.iter().find(|p| p.2 == c).map_or(c, |p| p.1);
    let plain: String = text.chars().map(letter).collect();
    let castles = plain.starts_with("0-0");
    plain.is_ascii().then(|| if castles { plain.replace('0', "O") } else { plain })
}

/// The coordinates in long algebraic notation: `Ng1-f3` is `g1f3`.
pub(super) fn coordinates(plain: &str) -> String {
    let moved = plain.trim_end_matches(['+', '#']);
    let moved = moved.strip_prefix(|c: char| PIECES.iter().any(|p| p.1 == c)).unwrap_or(moved);
    moved.chars().filter(|c| !"-x=".contains(*c)).map(|c| c.to_ascii_lowercase()).collect()
}
