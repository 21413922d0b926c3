//! Bit boards of attacks and steps, and of steps of whole sets taken back.

use cozy_chess::{
    BitBoard, Color, Piece, Square, get_between_rays, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_moves,
};

/// Squares that a pawn may stand on.
pub(super) const PAWN_SQUARES: u64 = 0x00ff_ffff_ffff_ff00;

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

#[inline]
pub(super) fn bit(square: u8) -> u64 {
    1 << square
}

/// The squares of a set.
#[inline]
pub(super) fn squares(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let square = (set != 0).then(|| set.trailing_zeros() as u8);
        set &= set.wrapping_sub(1);
        square
    })
}

/// The squares between two on a line.
#[inline]
pub(super) fn between(from: u8, to: u8) -> u64 {
    get_between_rays(Square::index(from.into()), Square::index(to.into())).0
}

/// The square in front of a pawn. There is one in front of every square that it may stand on.
#[inline]
pub(super) fn ahead(square: u8, color: Color) -> u8 {
    if color == Color::White { square + 8 } else { square - 8 }
}

/// Where pawns start.
pub(super) fn second_rank(color: Color) -> u64 {
    if color == Color::White { 0xff00 } else { 0xff00 << 40 }
}

/// The rank before that of promotion.
pub(super) fn seventh_rank(color: Color) -> u64 {
    second_rank(!color)
}

/// The squares to the left and right of one.
pub(super) fn beside(square: u8) -> u64 {
    (bit(square) & !FILE_A) >> 1 | (bit(square) & !FILE_H) << 1
}

/// What a piece attacks.
#[inline]
pub(super) fn attacks(kind: Piece, color: Color, square: u8, occupied: u64) -> u64 {
    let (square, occupied) = (Square::index(square.into()), BitBoard(occupied));
    match kind {
        Piece::Queen => get_bishop_moves(square, occupied).0 | get_rook_moves(square, occupied).0,
        Piece::Rook => get_rook_moves(square, occupied).0,
        Piece::Bishop => get_bishop_moves(square, occupied).0,
        Piece::Knight => get_knight_moves(square).0,
        Piece::King => get_king_moves(square).0,
        Piece::Pawn => get_pawn_attacks(square, color).0,
    }
}

/// From where a piece attacks this square.
#[inline]
pub(super) fn attackers(kind: Piece, color: Color, square: u8, occupied: u64) -> u64 {
    attacks(kind, !color, square, occupied)
}

/// From where a piece goes to one of these squares, over squares that are empty, and takes nothing.
/// Pawns go one step.
pub(super) fn before(kind: Piece, color: Color, set: u64, empty: u64) -> u64 {
    let few = set.count_ones() <= 4;
    let found = match kind {
        Piece::Pawn if color == Color::White => set >> 8 & PAWN_SQUARES,
        Piece::Pawn => set << 8 & PAWN_SQUARES,
        Piece::Queen | Piece::Rook | Piece::Bishop if few => {
            squares(set).fold(0, |found, square| found | attacks(kind, color, square, !empty))
        }
        Piece::Queen => straight(set, empty) | oblique(set, empty),
        Piece::Rook => straight(set, empty),
        Piece::Bishop => oblique(set, empty),
        Piece::Knight | Piece::King => {
            squares(set).fold(0, |found, square| found | attacks(kind, color, square, 0))
        }
    };
    found & empty
}

fn straight(set: u64, empty: u64) -> u64 {
    ray::<8>(set, empty) | ray::<-8>(set, empty) | ray::<1>(set, empty) | ray::<-1>(set, empty)
}

fn oblique(set: u64, empty: u64) -> u64 {
    ray::<9>(set, empty) | ray::<-9>(set, empty) | ray::<7>(set, empty) | ray::<-7>(set, empty)
}

#[inline]
fn shifted(set: u64, by: i32) -> u64 {
    if by > 0 { set << by } else { set >> -by }
}

/// All empty squares in one direction from any of these, up to the first that is not empty: in three
/// doublings (Kogge and Stone).
#[inline]
fn ray<const BY: i32>(set: u64, empty: u64) -> u64 {
    // What comes over the edge of the board does not count.
    let edge = match BY {
        1 | 9 | -7 => !FILE_A,
        -1 | -9 | 7 => !FILE_H,
        _ => !0,
    };
    let mut free = empty & edge;
    let mut found = set | free & shifted(set, BY);
    free &= shifted(free, BY);
    found |= free & shifted(found, 2 * BY);
    free &= shifted(free, 2 * BY);
    found |= free & shifted(found, 4 * BY);
    shifted(found, BY) & edge & empty
}
