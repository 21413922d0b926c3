//! A second opinion on `mate-reach`: a mate that is too far away even if both sides help.
//!
//! A certificate may rest on the claim that A cannot have mated after at most so many moves of its
//! own and so many of B. This file confirms such claims. It shares nothing with the code that finds
//! them, and it does not search for the mate: it asks what the board must look like after the last
//! move, and shows by counting moves that it cannot come to look so. The claim needs no words
//! beside it.
//!
//! The sides may move in any order, since formulas ask agents out of turn; a side never moves
//! while the other king is in check. So, if A mates, this is what there is at the end:
//!
//! 1. The king of B stands on some square `k`, to which it walked. The king of A is not beside it.
//! 2. Each square beside `k` is seen by a man of A, or a man of B stands on it.
//! 3. A man of A sees `k`, and did not before the last move, which was A's. So it has moved, or
//!    it is a rook, bishop or queen, not beside `k`, and something has left its line.
//!
//! Nobody castles, so that a move is a move of one man, and each man that is not where it stands
//! now has used at least the moves that it needs on an empty board. Men that have not moved see at
//! most what they would see on an empty board, and a man that was taken sees nothing. `Board` keeps
//! the two conditions that this rests on: each side has a king, and who is not to move is not in
//! check.
//!
//! When one move of A is left, lines and answers to the check matter more than counting. Then the
//! moves are tried by the rules: all of A; or, if B has one move, too, and counting does not tell,
//! those of B and after each of them those of A.

use std::sync::OnceLock;

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Rank, Square, get_between_rays, get_bishop_rays,
    get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_rays,
};

/// With more moves than this for either side nothing is confirmed.
const MOST: usize = 5;

/// After so many steps it is open whether there may be a mate, so nothing is confirmed.
const PATIENCE: u32 = 4000;

/// Whether `side` cannot have mated after at most `own` moves of its own and `others` of the other
/// side, whoever moves when and even if both help. False if the position is over, or in doubt.
pub fn confirms(board: &Board, side: Color, own: u32, others: u32, reason: &str) -> bool {
    if !reason.is_empty() || !sound(board) || !board.generate_moves(|_| true) {
        return false;
    }
    if own == 0 {
        // The last move of a mate is the mater's.
        return true;
    }
    if (own, others) == (1, 0) {
        return !mates_at_once(board, side);
    }
    let castles = |side: Color| {
        let rights = board.castle_rights(side);
        rights.short.is_some() || rights.long.is_some()
    };
    if castles(side) || castles(!side) || own as usize > MOST || others as usize > MOST {
        return false;
    }
    Men::new(board, side).too_far(own as usize, others as usize)
        || (own, others) == (1, 1) && !mates_after_one(board, side)
}

/// Whether there are kings, apart, and the one that is not on turn is not in check: what `Board`
/// promises of every board that was read, or played to by the rules.
fn sound(board: &Board) -> bool {
    let us = board.side_to_move();
    let king = |side: Color| board.colored_pieces(side, Piece::King).next_square();
    let (Some(our), Some(their)) = (king(us), king(!us)) else { return false };
    let unseen = |piece: Piece| {
        let men = board.colored_pieces(us, piece) & seen_from(piece, us, their);
        men.into_iter().all(|from| !(get_between_rays(from, their) & board.occupied()).is_empty())
    };
    !get_king_moves(our).has(their) && Piece::ALL.into_iter().all(unseen)
}

/// The board with this side to move. A side that is not on turn moves as after a null move.
fn on_turn(board: &Board, side: Color) -> Option<Board> {
    if board.side_to_move() == side { Some(board.clone()) } else { board.null_move() }
}

/// Whether this side has a move that mates, by the rules.
fn mates_at_once(board: &Board, side: Color) -> bool {
    let Some(board) = on_turn(board, side) else { return false };
    let k = board.king(!side);
    let lines = get_rook_rays(k) | get_bishop_rays(k);
    board.generate_moves(|moves| {
        // A move gives check from where it goes, or by what it leaves; castling and taking in
        // passing do more.
        let more = lines.has(moves.from) || matches!(moves.piece, Piece::King | Piece::Pawn);
        moves.into_iter().any(|m: Move| {
            (more || sees(moves.piece, side, m.to).has(k)) && {
                let mut next = board.clone();
                next.play_unchecked(m);
                !next.checkers().is_empty() && !next.generate_moves(|_| true)
            }
        })
    })
}

/// Whether this side has a move that mates, now or after a move of the other side.
fn mates_after_one(board: &Board, side: Color) -> bool {
    if mates_at_once(board, side) {
        return true;
    }
    let Some(board) = on_turn(board, !side) else { return false };
    board.generate_moves(|moves| {
        moves.into_iter().any(|m| {
            let mut next = board.clone();
            next.play_unchecked(m);
            !Men::new(&next, side).too_far(1, 0) && mates_at_once(&next, side)
        })
    })
}

/// What a man sees on an empty board.
#[inline]
fn sees(piece: Piece, side: Color, from: Square) -> BitBoard {
    match piece {
        Piece::Pawn => get_pawn_attacks(from, side),
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_rays(from),
        Piece::Rook => get_rook_rays(from),
        Piece::Queen => get_bishop_rays(from) | get_rook_rays(from),
        Piece::King => get_king_moves(from),
    }
}

/// From where a man would see a square on an empty board.
#[inline]
fn seen_from(piece: Piece, side: Color, to: Square) -> BitBoard {
    // Only pawns do not look back.
    sees(piece, if piece == Piece::Pawn { !side } else { side }, to)
}

/// For each number of moves the squares to which it takes so many, and not fewer, but at least one.
type Walk = [BitBoard; MOST + 1];

/// Where men can go on an empty board.
struct Walks {
    /// By piece and square; pawns are elsewhere.
    pieces: [[Walk; 64]; 6],
    /// By colour and square: as a pawn, and as the queen or the knight that it becomes. Rooks and
    /// bishops see and go less than queens.
    pawns: [[[Walk; 3]; 64]; 2],
    /// How many squares beside a king a piece sees at most.
    widest: [u32; 6],
}

const FORMS: [Piece; 3] = [Piece::Pawn, Piece::Queen, Piece::Knight];

impl Walks {
    fn get() -> &'static Walks {
        static WALKS: OnceLock<Box<Walks>> = OnceLock::new();
        WALKS.get_or_init(Walks::new)
    }

    fn new() -> Box<Walks> {
        let none = [BitBoard::EMPTY; MOST + 1];
        let mut walks = Box::new(Walks {
            pieces: [[none; 64]; 6],
            pawns: [[[none; 3]; 64]; 2],
            widest: [0; 6],
        });
        let spread = |piece: Piece, squares: BitBoard| {
            squares.into_iter().fold(BitBoard::EMPTY, |all, s| all | sees(piece, Color::White, s))
        };
        for piece in Piece::ALL {
            for from in Square::ALL {
                for k in Square::ALL {
                    let seen = sees(piece, Color::White, from) & get_king_moves(k);
                    let widest = &mut walks.widest[piece as usize];
                    *widest = seen.len().max(*widest);
                }
                let (mut all, mut last) = (BitBoard::EMPTY, from.bitboard());
                for c in 1..=MOST {
                    last = spread(piece, last) & !all;
                    all |= last;
                    walks.pieces[piece as usize][from as usize][c] = last;
                }
            }
        }
        for side in [Color::White, Color::Black] {
            for from in Square::ALL {
                walks.pawns[side as usize][from as usize] = pawn_walks(side, from);
            }
        }
        walks
    }
}

/// Where a pawn can go, and what it becomes, if it may take everywhere.
fn pawn_walks(side: Color, from: Square) -> [Walk; 3] {
    let ahead = if side == Color::White { 1 } else { -1 };
    let steps = |s: Square| {
        let mut to = get_pawn_attacks(s, side);
        to |= s.try_offset(0, ahead).map_or(BitBoard::EMPTY, Square::bitboard);
        if s.rank() == Rank::Second.relative_to(side) {
            to |= s.try_offset(0, 2 * ahead).map_or(BitBoard::EMPTY, Square::bitboard);
        }
        to
    };
    let end = Rank::Eighth.relative_to(side).bitboard();
    let mut walks = [[BitBoard::EMPTY; MOST + 1]; 3];
    let mut all = [BitBoard::EMPTY; 3];
    let mut last = [from.bitboard(), BitBoard::EMPTY, BitBoard::EMPTY];
    for c in 1..=MOST {
        let to = last[0].into_iter().fold(BitBoard::EMPTY, |all, s| all | steps(s));
        last[0] = to & !end & !all[0];
        for (form, piece) in [(1, Piece::Queen), (2, Piece::Knight)] {
            let on = last[form].into_iter().fold(BitBoard::EMPTY, |a, s| a | sees(piece, side, s));
            last[form] = (on | to & end) & !all[form];
        }
        for (form, walk) in walks.iter_mut().enumerate() {
            all[form] |= last[form];
            walk[c] = last[form];
        }
    }
    walks
}

/// A man of A, where it stands now.
#[derive(Clone, Copy)]
struct Man {
    piece: Piece,
    square: Square,
    sees: BitBoard,
}

/// The men of both sides.
struct Men<'a> {
    board: &'a Board,
    side: Color,
    /// Those of A.
    list: [Man; 16],
    len: usize,
    steps: u32,
}

/// What is known about the end: men that have moved, and what is left of the moves.
#[derive(Clone, Copy)]
struct Sketch {
    k: Square,
    /// Men of A that have moved, by their numbers, and men that have not.
    moved: u16,
    stays: u16,
    /// Where those are in the end.
    ours: BitBoard,
    /// What those see.
    seen: BitBoard,
    check: bool,
    /// Men of B that have not moved, but for its king.
    theirs: BitBoard,
    /// Where other men of B are in the end.
    blocks: BitBoard,
    own: usize,
    others: usize,
}

impl<'a> Men<'a> {
    fn new(board: &'a Board, side: Color) -> Men<'a> {
        let nobody = Man { piece: Piece::King, square: Square::A1, sees: BitBoard::EMPTY };
        let mut men = Men { board, side, list: [nobody; 16], len: 0, steps: 0 };
        for piece in Piece::ALL {
            for square in board.colored_pieces(side, piece) {
                if let Some(man) = men.list.get_mut(men.len) {
                    *man = Man { piece, square, sees: sees(piece, side, square) };
                    men.len += 1;
                }
            }
        }
        men
    }

    /// Whether no end with a mate can come about by so many moves.
    fn too_far(mut self, own: usize, others: usize) -> bool {
        let walks = Walks::get();
        let (side, king) = (self.side, self.board.king(!self.side));
        if self.board.colors(side).len() as usize != self.len {
            return false;
        }
        let men = &self.list[..self.len];
        let seen = men.iter().fold(BitBoard::EMPTY, |all, man| all | man.sees);
        let widest = men.iter().map(|man| {
            let pawn = &walks.pawns[side as usize][man.square as usize];
            let promoted =
                man.piece == Piece::Pawn && pawn[1][1..=own].iter().any(|w| !w.is_empty());
            walks.widest[if promoted { Piece::Queen } else { man.piece } as usize]
        });
        let widest = widest.max().unwrap_or(8);
        let theirs = self.board.colors(!side) ^ king.bitboard();
        for far in 0..=others {
            let ring = match far {
                0 => king.bitboard(),
                _ => walks.pieces[Piece::King as usize][king as usize][far] & !king.bitboard(),
            };
            for k in ring {
                let open = get_king_moves(k) & !seen & !theirs;
                if open.len() as usize > others - far + own * widest as usize {
                    continue;
                }
                let sketch = Sketch {
                    k,
                    moved: 0,
                    stays: 0,
                    ours: BitBoard::EMPTY,
                    seen: BitBoard::EMPTY,
                    check: false,
                    theirs,
                    blocks: BitBoard::EMPTY,
                    own,
                    others: others - far,
                };
                if self.possible(&sketch) {
                    return false;
                }
            }
        }
        true
    }

    /// Whether the sketch may be completed to a mate. What is at fault first is put right in all
    /// ways there are.
    fn possible(&mut self, sketch: &Sketch) -> bool {
        self.steps += 1;
        if self.steps > PATIENCE {
            return true;
        }
        let k = sketch.k;
        let near = get_king_moves(k);
        let mut seen = sketch.seen;
        // Nobody is where somebody else is.
        let gone = k.bitboard() | sketch.ours | sketch.blocks;
        let mut beside = None;
        for (i, man) in self.list[..self.len].iter().enumerate() {
            if sketch.moved >> i & 1 == 0 {
                if !gone.has(man.square) {
                    seen |= man.sees;
                }
                if man.piece == Piece::King && (near | k.bitboard()).has(man.square) {
                    beside = Some(i);
                }
            }
        }
        if let Some(i) = beside {
            return self.moves_to(sketch, i, None);
        }
        if !sketch.check {
            return self.gives_check(sketch);
        }
        let open = near & !seen & !(sketch.theirs & !sketch.ours) & !sketch.blocks;
        let Some(flight) = open.next_square() else { return true };
        if sketch.own == 0 && open.len() as usize > sketch.others {
            return false;
        }
        sketch.own > 0 && (0..self.len).any(|i| self.moves_to(sketch, i, Some(flight)))
            || sketch.others > 0 && !sketch.ours.has(flight) && self.blocks(sketch, flight)
    }

    /// Whether the sketch may be completed after this man of A has moved to where it sees the
    /// target.
    fn moves_to(&mut self, sketch: &Sketch, i: usize, target: Option<Square>) -> bool {
        if (sketch.moved | sketch.stays) >> i & 1 != 0 {
            return false;
        }
        let walks = Walks::get();
        let Man { piece, square, .. } = self.list[i];
        let (k, side) = (sketch.k, self.side);
        for c in 1..=sketch.own {
            let forms: &[(Piece, BitBoard)] = &match piece {
                Piece::Pawn => {
                    let pawn = &walks.pawns[side as usize][square as usize];
                    [(FORMS[0], pawn[0][c]), (FORMS[1], pawn[1][c]), (FORMS[2], pawn[2][c])]
                }
                _ => {
                    let to = walks.pieces[piece as usize][square as usize][c];
                    [(piece, to), (piece, BitBoard::EMPTY), (piece, BitBoard::EMPTY)]
                }
            };
            for &(piece, to) in forms {
                let mut to = to & !k.bitboard();
                if let Some(target) = target {
                    to &= seen_from(piece, side, target);
                }
                if piece == Piece::King {
                    to &= !get_king_moves(k);
                }
                for to in to {
                    let sight = sees(piece, side, to);
                    let next = Sketch {
                        moved: sketch.moved | 1 << i,
                        ours: sketch.ours | to.bitboard(),
                        seen: sketch.seen | sight,
                        check: sketch.check || piece != Piece::King && sight.has(k),
                        own: sketch.own - c,
                        ..*sketch
                    };
                    if self.possible(&next) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Whether the sketch may be completed to one with a check.
    fn gives_check(&mut self, sketch: &Sketch) -> bool {
        let (k, side) = (sketch.k, self.side);
        if sketch.own == 0 && sketch.moved == 0 {
            return false;
        }
        for i in 0..self.len {
            let Man { piece, square, sees } = self.list[i];
            if piece == Piece::King || sketch.moved >> i & 1 != 0 {
                continue;
            }
            if self.moves_to(sketch, i, Some(k)) {
                return true;
            }
            let line = matches!(piece, Piece::Bishop | Piece::Rook | Piece::Queen);
            if !line || !sees.has(k) || get_king_moves(k).has(square) {
                continue;
            }
            // Another man has left the line, or has taken a pawn there in passing.
            let next = Sketch { check: true, stays: 1 << i, ..*sketch };
            if sketch.own == 1 && sketch.moved == 0 {
                let fifth = Rank::Fifth.relative_to(side).bitboard();
                let leavers = get_between_rays(square, k)
                    | self.board.colored_pieces(side, Piece::Pawn) & fifth;
                let leaves = (0..self.len)
                    .any(|j| leavers.has(self.list[j].square) && self.moves_to(&next, j, None));
                if leaves {
                    return true;
                }
            } else if self.possible(&next) {
                return true;
            }
        }
        false
    }

    /// Whether the sketch may be completed after a man of B has gone to this square.
    fn blocks(&mut self, sketch: &Sketch, square: Square) -> bool {
        let walks = Walks::get();
        let (board, side) = (self.board, !self.side);
        sketch.theirs.into_iter().any(|from| {
            let moves = (1..=sketch.others).find(|&c| match board.piece_on(from) {
                Some(Piece::Pawn) => {
                    let pawn = &walks.pawns[side as usize][from as usize];
                    (pawn[0][c] | pawn[1][c] | pawn[2][c]).has(square)
                }
                Some(piece) => walks.pieces[piece as usize][from as usize][c].has(square),
                None => true,
            });
            moves.is_some_and(|c| {
                self.possible(&Sketch {
                    theirs: sketch.theirs ^ from.bitboard(),
                    blocks: sketch.blocks | square.bitboard(),
                    others: sketch.others - c,
                    ..*sketch
                })
            })
        })
    }
}

#[cfg(test)]
mod tests;
