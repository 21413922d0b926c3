//! Static knowledge of chess: a mate that is too far away even if both sides help.
//!
//! The idea is that of Popeye's intelligent mode (T. Maeder, S. Hoening, N. Geissler and others):
//! in a helpmate few moves are left to bring the king that is mated, what guards its flights and
//! what blocks them into place, so that most positions can be given up by counting moves. Popeye
//! lists the mates first and then looks for ways to them. Here instead each position is tested,
//! by a relaxation as in planning: what makes mate hard is left out, and what cannot be reached
//! even then cannot be reached at all. A is the side that mates, B the one that is mated.
//!
//! * In the end the king of B stands on some square `k`. An A piece attacks `k`, and each square
//!   beside `k` is off the board, attacked by A, or taken by a B piece. Whether the check can be
//!   met in another way is left out.
//! * Pieces move as on an empty board; pawns may take everywhere. The moves of A's pieces together
//!   are at most those A has, and so for B, whose king has to walk to `k` and whose blocking
//!   pieces to their squares. Different pieces block different squares, so their moves add up.
//! * Who is not to move is not in check. So the check comes with the last move, and a piece that
//!   has never moved gives it only on a line that something else has left.
//! * When A has one move left and B at most one, most pieces stand where they will stand in the
//!   end. Then lines are not those of an empty board, and who can meet the check does: see `Last`.
//!
//! What A's pieces can guard around a square depends on nothing but where they stand, and B has
//! most of the moves in between; so it is remembered.

use cozy_chess::{
    BitBoard, Board, Color, Piece, Rank, Square, get_between_rays, get_bishop_moves,
    get_king_moves, get_knight_moves, get_line_rays, get_pawn_attacks, get_rook_moves,
};

use self::memory::Entry;
use self::tables::{
    CHECK, Choice, FLIGHTS, KING, KNIGHT, MOST, Mask, Placement, QUEEN, Reach, add, around,
    attacked, attacks, kind, pieces, placement, pushes, tables,
};

mod memory;
mod tables;

pub use memory::Memory;

/// The name of the rule.
pub const RULE: &str = "mate-reach";

/// The last move, when A has one left and B at most one.
///
/// All A pieces but one stand where they will stand in the end, and of the B pieces all but one:
/// lines end at them. A piece that the last move of B takes leaves its taker behind, which is as
/// much in the way, unless it is the king on `k`.
struct Last<'a> {
    a: &'a Placement,
    /// For the kinds of B's pieces.
    board: &'a Board,
    k: Square,
    /// B pieces that stay where they are. The last move of A may take one.
    them: BitBoard,
    /// Where another B piece may come to stand, and be taken.
    roam: BitBoard,
    /// The kind of that piece.
    mover: usize,
}

impl Last<'_> {
    /// Whether the test accepts what is guarded after some move of A that gives check. All of
    /// `need` must be guarded, but for one square of `may`.
    fn any(&self, need: Mask, may: Mask, mut test: impl FnMut(Mask, &After) -> bool) -> bool {
        let k = self.k;
        let mut list = [(0, k); 16];
        // What each guards at most: pieces of its own side may still leave a line.
        let mut most = [0; 16];
        let mut len = 0;
        let (mut own, mut king) = (BitBoard::EMPTY, BitBoard::EMPTY);
        // Lines to `k`.
        let mut lines = BitBoard::EMPTY;
        for (kind, from) in pieces(self.a).filter(|&(_, from)| from != k) {
            list[len] = (kind, from);
            let attacked = attacks(kind, from, self.them);
            most[len] = around(k, attacked);
            len += 1;
            own |= from.bitboard();
            if kind == KING {
                king = from.bitboard();
            }
            if (1..=QUEEN).contains(&kind) && attacked.has(k) {
                lines |= get_between_rays(from, k);
            }
        }
        let list = &list[..len];
        let near = get_king_moves(k);
        let in_the_way = own | self.them | k.bitboard();
        let side = self.a.1;
        let last_rank = Rank::Eighth.relative_to(side).bitboard();
        let edge = tables().edges[k as usize];
        let free = !((own & !self.roam) | king | k.bitboard());
        let takes = free & (self.them | self.roam);
        for (i, &(kind, from)) in list.iter().enumerate() {
            if kind != KING && !(king & near).is_empty() {
                continue;
            }
            let mut to = match kind {
                KING => get_king_moves(from) & free & !near,
                5.. => pushes(side, from, in_the_way) | get_pawn_attacks(from, side) & takes,
                _ => attacks(kind, from, in_the_way) & free,
            };
            let opens = lines.has(from);
            if kind < KING && !opens {
                to &= attacks(kind, k, in_the_way);
            }
            if to.is_empty() {
                continue;
            }
            let others = most[..len].iter().enumerate().filter(|&(j, _)| j != i);
            let others = others.fold(edge, |all, (_, m)| all | m);
            for to in to {
                // A pawn that takes may do so in passing, and leaves two squares.
                let taking = kind > KING && to.file() != from.file();
                let opens = opens || taking && self.roam.has(to);
                let occupied = (own ^ from.bitboard()) | to.bitboard() | self.them;
                let becomes: &[usize] = match kind > KING && last_rank.has(to) {
                    true => &[QUEEN, KNIGHT],
                    false => &[kind],
                };
                for &kind in becomes {
                    let mut guarded = attacks(kind, to, occupied);
                    let mut checkers = BitBoard::EMPTY;
                    if guarded.has(k) {
                        checkers = to.bitboard();
                    } else if !opens {
                        continue;
                    }
                    if !all_but_one(need & !(others | around(k, guarded)), may) {
                        continue;
                    }
                    for &(kind, square) in list {
                        if square != from && square != to {
                            let more = attacks(kind, square, occupied);
                            if (1..=QUEEN).contains(&kind) && more.has(k) {
                                checkers |= square.bitboard();
                            }
                            guarded |= more;
                        }
                    }
                    if checkers.is_empty() {
                        continue;
                    }
                    let king = if kind == KING { to.bitboard() } else { king };
                    let after = After { list, from, to, kind, occupied, checkers, king };
                    if test(around(k, guarded) | edge | CHECK, &after) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// What A can guard, whatever B's pieces do.
    fn guards(a: &Placement, board: &Board, k: Square) -> Vec<Choice> {
        let mut list = Vec::new();
        let last = Last { a, board, k, them: BitBoard::EMPTY, roam: BitBoard::FULL, mover: KING };
        last.any(0, 0, |mask, _| {
            add(&mut list, (0, mask));
            false
        });
        list
    }

    /// Whether there may be a mate on `k`: the B piece that moves may block one flight.
    fn mates(&self) -> bool {
        let may = around(self.k, self.roam);
        self.any(FLIGHTS & !around(self.k, self.them), may, |mask, after| {
            let them = self.them & !after.to.bitboard();
            let open = FLIGHTS & !mask & !around(self.k, them);
            if !all_but_one(open, may) {
                return false;
            }
            // The piece that moved stands on the flight that nothing else covers, if there is one.
            let block = self.roam & get_king_moves(self.k);
            let mut block = block.into_iter().filter(|b| around(self.k, b.bitboard()) == open);
            match block.next() {
                Some(block) => {
                    !self.parried(them, block.bitboard(), after) && !self.meets(block, after)
                }
                None => !self.parried(them, self.roam, after),
            }
        })
    }

    /// Whether the B piece that moved last, and blocks a flight, can meet the check.
    fn meets(&self, block: Square, after: &After) -> bool {
        let Some(checker) = after.checkers.next_square().filter(|_| after.checkers.len() == 1)
        else {
            return false;
        };
        // No other line of A goes through it: that would be another check.
        let between = get_between_rays(checker, self.k);
        let attacked = attacks(self.mover, block, after.occupied | self.k.bitboard());
        let to = if self.mover > KING { after.checkers } else { between | after.checkers };
        block == after.to || between.has(block) || !(attacked & to).is_empty()
    }

    /// The same when a B piece, but not the king, may still move. It moves on the board as it
    /// stands.
    fn mates_after_a_move(&self) -> bool {
        let Last { a, board, k, them, .. } = *self;
        let side = !a.1;
        let on_turn = board.side_to_move() == side;
        let checkers = if on_turn { board.checkers() } else { BitBoard::EMPTY };
        let pinned = if on_turn { board.pinned() } else { BitBoard::EMPTY };
        // Who is in check has to do something about it.
        let answers = match (checkers.next_square(), checkers.len()) {
            (Some(checker), 1) => checkers | get_between_rays(checker, k),
            (Some(_), _) => BitBoard::EMPTY,
            // It may also be that B does not move at all.
            (None, _) if self.mates() => return true,
            (None, _) => BitBoard::FULL,
        };
        them.into_iter().any(|from| {
            let mover = kind(board.piece_on(from).unwrap_or(Piece::Pawn), side);
            let to = match mover > KING {
                true => {
                    pushes(side, from, board.occupied())
                        | get_pawn_attacks(from, side) & board.colors(a.1)
                }
                false => attacks(mover, from, board.occupied()),
            };
            let line = if pinned.has(from) { get_line_rays(k, from) } else { BitBoard::FULL };
            let roam = to & !them & answers & line;
            !roam.is_empty() && Last { them: them ^ from.bitboard(), roam, mover, ..*self }.mates()
        })
    }

    /// Whether the move of A is not legal, or the check can be met by a capture or from between,
    /// by B pieces that have not moved. The one that has is in nobody's way for A; for B it may be.
    fn parried(&self, them: BitBoard, roam: BitBoard, after: &After) -> bool {
        let occupied = after.occupied | self.k.bitboard();
        let of = |piece: Piece| self.board.pieces(piece) & them;
        let queens = of(Piece::Queen);
        let straight = of(Piece::Rook) | queens;
        let diagonal = of(Piece::Bishop) | queens;
        let movers = |to: Square| {
            let sliders = (get_rook_moves(to, occupied) & straight)
                | (get_bishop_moves(to, occupied) & diagonal);
            let free = |&from: &Square| (get_between_rays(from, to) & roam).is_empty();
            let sliders: BitBoard = sliders.into_iter().filter(free).collect();
            sliders | get_knight_moves(to) & of(Piece::Knight)
        };
        let takers = |at: Square| movers(at) | get_pawn_attacks(at, self.a.1) & of(Piece::Pawn);
        if after.king.into_iter().any(|king| !takers(king).is_empty()) {
            return true;
        }
        let Some(checker) = after.checkers.next_square().filter(|_| after.checkers.len() == 1)
        else {
            return false;
        };
        let between = get_between_rays(checker, self.k);
        let helpers = between.into_iter().fold(takers(checker), |all, to| all | movers(to));
        helpers.into_iter().any(|from| !self.pinned(from, after))
    }

    /// Whether a B piece may stand between a line of A and the king.
    fn pinned(&self, from: Square, after: &After) -> bool {
        let occupied = after.occupied ^ from.bitboard();
        after.list.iter().any(|&(kind, square)| {
            let (kind, square) = match square == after.from {
                true => (after.kind, after.to),
                false => (kind, square),
            };
            let before = !after.checkers.has(square);
            before && (1..=QUEEN).contains(&kind) && attacks(kind, square, occupied).has(self.k)
        })
    }
}

/// Whether nothing is open, or one square that may be.
#[inline]
fn all_but_one(open: Mask, may: Mask) -> bool {
    open == 0 || open & (open - 1) == 0 && open & may != 0
}

/// The position after the last move of A.
struct After<'a> {
    /// A's pieces before it.
    list: &'a [(usize, Square)],
    from: Square,
    to: Square,
    /// What moved, or what it became.
    kind: usize,
    /// All pieces but the king of B, and but the one that moved last for B.
    occupied: BitBoard,
    checkers: BitBoard,
    king: BitBoard,
}

/// Whether a pawn may be taken in passing, now or, by `side`, after a move of the other side: then
/// a piece goes that nothing replaces.
#[inline]
fn passing(board: &Board, side: Color, others: usize) -> bool {
    let taken_on = |square: Square, by: Color| {
        !(get_pawn_attacks(square, !by) & board.colored_pieces(by, Piece::Pawn)).is_empty()
    };
    let sixth = |file, by: Color| Square::new(file, Rank::Sixth.relative_to(by));
    let mover = board.side_to_move();
    let now = board.en_passant().is_some_and(|file| taken_on(sixth(file, mover), mover));
    let home = Rank::Seventh.relative_to(side).bitboard();
    let next = board.colored_pieces(!side, Piece::Pawn) & home;
    now || others > 0 && next.into_iter().any(|from| taken_on(sixth(from.file(), side), side))
}

/// Whether `side` cannot have mated after at most so many moves of its own and of the other side,
/// even if both help. The position is not over.
#[inline]
pub fn out_of_reach(memory: &Memory, board: &Board, side: Color, own: u32, others: u32) -> bool {
    let (own, others) = (own as usize, others as usize);
    if own == 0 {
        // The other side cannot mate itself.
        return true;
    }
    let castles = |side: Color| {
        let rights = board.castle_rights(side);
        rights.short.is_some() || rights.long.is_some()
    };
    // Castling moves two pieces, the king by two squares.
    if castles(side) || others > 0 && castles(!side) {
        return false;
    }
    if own > MOST || others > MOST || board.colors(side).len() > 16 {
        return false;
    }
    let own = if own == 1 && others <= 1 && !passing(board, side, others) { 0 } else { own };
    if own == 0 && others == 0 {
        // Nothing but the last move is left, and it can be tried as quickly as looked up.
        let k = board.king(!side);
        let them = board.colors(!side) ^ k.bitboard();
        let a = &placement(board, side);
        return !Last { a, board, k, them, roam: BitBoard::EMPTY, mover: KING }.mates();
    }
    memory.with(placement(board, side), own, |entry| !near(board, side, others, entry))
}

/// Whether different pieces can block all these flights by so many moves together.
fn assigned<'t>(
    flights: Mask,
    k: Square,
    pieces: BitBoard,
    left: usize,
    reach_of: &impl Fn(Square) -> &'t Reach,
) -> bool {
    if flights == 0 {
        return true;
    }
    let first = flights & flights.wrapping_neg();
    let rest = flights ^ first;
    pieces.into_iter().any(|from| {
        let reach = reach_of(from);
        (0..=left)
            .find(|&c| around(k, reach[c]) & first != 0)
            .is_some_and(|c| assigned(rest, k, pieces ^ from.bitboard(), left - c, reach_of))
    })
}

/// Whether mate may be near enough.
fn near(board: &Board, side: Color, others: usize, entry: &mut Entry) -> bool {
    let tables = tables();
    let king = board.king(!side);
    let them = board.colors(!side) ^ king.bitboard();
    let reach_of = |from: Square| {
        let piece = board.piece_on(from).unwrap_or(Piece::Pawn);
        &tables.reach[kind(piece, !side) * 64 + from as usize]
    };
    // For each number of moves the squares that B can block by so many.
    let mut blocks = [them; MOST + 1];
    for piece in Piece::ALL {
        for from in board.pieces(piece) & them {
            let reach = &tables.reach[kind(piece, !side) * 64 + from as usize];
            for c in 1..=others {
                blocks[c] |= reach[c];
            }
        }
    }
    let last = entry.own == 0;
    let blockers = them.len();
    for d in 0..=others {
        let left = others - d;
        let mut ring = tables.rings[king as usize][d] & !entry.never;
        if last && d == 1 {
            // The next move is the last one of B, from the board as it stands.
            ring &= !them & !attacked(&entry.a, board.occupied() ^ king.bitboard());
        }
        for k in ring {
            let open = around(k, !blocks[left]);
            let reachable = entry.list(board, k).iter().any(|&mask| {
                let flights = FLIGHTS & !mask;
                if flights & open != 0 || flights.count_ones() > blockers {
                    return false;
                }
                // A flight that takes c moves to block is open for 0, 1, ... c - 1 moves.
                let open = |c: usize| (flights & around(k, !blocks[c])).count_ones() as usize;
                (0..left).map(open).sum::<usize>() <= left
                    && (flights.count_ones() < 2
                        || assigned(flights, k, them, left, &|from: Square| reach_of(from)))
            });
            if !reachable {
                continue;
            }
            if !last {
                return true;
            }
            let last = Last { a: &entry.a, board, k, them, roam: BitBoard::EMPTY, mover: KING };
            let mates = match left {
                0 => last.mates(),
                _ => last.mates_after_a_move(),
            };
            if mates {
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests;
