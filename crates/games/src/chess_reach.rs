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

use std::sync::{Mutex, OnceLock, PoisonError};

use cozy_chess::{
    BitBoard, Board, Color, Piece, Rank, Square, get_between_rays, get_bishop_moves,
    get_king_moves, get_knight_moves, get_line_rays, get_pawn_attacks, get_rook_moves,
};

/// The name of the rule.
pub const RULE: &str = "mate-reach";

/// With more moves than this for either side nothing is said.
const MOST: usize = 5;

/// A set of guarded squares around a king: a bit for each square beside it, and one for its own.
type Mask = u16;

const FLIGHTS: Mask = 0xff;
const CHECK: Mask = 0x100;
/// An A king next to the king of B: this cannot be.
const NEVER: Mask = 0x8000;

/// What stands on a square, as far as its moves go: the pieces but pawns in the order of
/// `Piece`, then white and black pawns.
const KINDS: usize = 7;
const KNIGHT: usize = Piece::Knight as usize - 1;
const QUEEN: usize = Piece::Queen as usize - 1;
const KING: usize = Piece::King as usize - 1;

#[inline]
fn kind(piece: Piece, side: Color) -> usize {
    if piece == Piece::Pawn { 5 + side as usize } else { piece as usize - 1 }
}

/// For each number of moves the squares that can be reached by at most so many.
type Reach = [BitBoard; MOST + 1];

struct Tables {
    /// By kind, its square and the king's square: what is guarded, on an empty board.
    zones: Vec<Mask>,
    /// By kind and square. Pawns become queens or knights and go on.
    reach: Vec<Reach>,
    /// The same for white and black pawns as long as they are pawns, for the queens that they
    /// become, and for the knights.
    pawns: Vec<[Reach; 3]>,
    /// The squares at each distance of kings.
    rings: Vec<Reach>,
    /// What is off the board around a king.
    edges: [Mask; 64],
    /// By kind, its square and the king's square: what it can guard after how many moves. Found
    /// when it is needed first.
    choices: Vec<OnceLock<Box<[Choice]>>>,
}

/// What can be guarded, after so many moves.
type Choice = (u8, Mask);

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(Tables::new)
}

/// The squares beside `k` among these, as a mask.
#[inline]
fn around(k: Square, squares: BitBoard) -> Mask {
    // With `k` turned to the second square of the second row its neighbours are in three rows.
    // Those that would come from the other side of the board are not neighbours.
    let x = (squares & get_king_moves(k)).0.rotate_right((k as u32).wrapping_sub(9) & 63);
    ((x & 7) | (x >> 5 & 8) | (x >> 6 & 0x10) | (x >> 11 & 0xe0)) as Mask
}

/// The squares that are attacked, among these pieces.
#[inline]
fn attacks(kind: usize, from: Square, occupied: BitBoard) -> BitBoard {
    match kind {
        0 => get_knight_moves(from),
        1 => get_bishop_moves(from, occupied),
        2 => get_rook_moves(from, occupied),
        3 => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
        4 => get_king_moves(from),
        5 => get_pawn_attacks(from, Color::White),
        _ => get_pawn_attacks(from, Color::Black),
    }
}

/// The squares that a side attacks.
fn attacked(a: &Placement, occupied: BitBoard) -> BitBoard {
    pieces(a).fold(BitBoard::EMPTY, |all, (kind, from)| all | attacks(kind, from, occupied))
}

/// The squares that a pawn may step to from here, over nothing of these.
#[inline]
fn pushes(side: Color, from: Square, occupied: BitBoard) -> BitBoard {
    let up = |s: Square| s.try_offset(0, if side == Color::White { 1 } else { -1 });
    let mut steps = BitBoard::EMPTY;
    if let Some(one) = up(from).filter(|&s| !occupied.has(s)) {
        steps |= one.bitboard();
        if from.rank() == Rank::Second.relative_to(side)
            && let Some(two) = up(one).filter(|&s| !occupied.has(s))
        {
            steps |= two.bitboard();
        }
    }
    steps
}

impl Tables {
    fn new() -> Tables {
        let empty = BitBoard::EMPTY;
        let mut zones = Vec::with_capacity(KINDS * 64 * 64);
        for kind in 0..KINDS {
            for from in Square::ALL {
                let attacked = attacks(kind, from, empty);
                zones.extend(Square::ALL.iter().map(|&k| {
                    if kind == KING && (from == k || get_king_moves(k).has(from)) {
                        NEVER
                    } else if from == k {
                        // It was taken, and guards nothing.
                        0
                    } else {
                        around(k, attacked) | if attacked.has(k) { CHECK } else { 0 }
                    }
                }));
            }
        }
        let spread = |kind: usize, squares: BitBoard| {
            squares.into_iter().fold(squares, |all, s| all | attacks(kind, s, empty))
        };
        let mut reach = Vec::with_capacity(KINDS * 64);
        for kind in 0..5 {
            for from in Square::ALL {
                let mut squares = [from.bitboard(); MOST + 1];
                for c in 0..MOST {
                    squares[c + 1] = spread(kind, squares[c]);
                }
                reach.push(squares);
            }
        }
        let mut pawns = Vec::with_capacity(128);
        for side in [Color::White, Color::Black] {
            let last = Rank::Eighth.relative_to(side).bitboard();
            for from in Square::ALL {
                let mut squares = [[empty; MOST + 1]; 3];
                squares[0][0] = from.bitboard();
                for c in 0..MOST {
                    let steps = squares[0][c].into_iter().fold(squares[0][c], |all, s| {
                        all | get_pawn_attacks(s, side) | pushes(side, s, empty)
                    });
                    squares[0][c + 1] = steps & !last;
                    squares[1][c + 1] = spread(QUEEN, squares[1][c]) | steps & last;
                    squares[2][c + 1] = spread(KNIGHT, squares[2][c]) | steps & last;
                }
                let all = |c: usize| squares[0][c] | squares[1][c] | squares[2][c];
                reach.push(std::array::from_fn(all));
                pawns.push(squares);
            }
        }
        let rings = Square::ALL.map(|k| {
            let within = &reach[KING * 64 + k as usize];
            std::array::from_fn(|d| if d == 0 { within[0] } else { within[d] & !within[d - 1] })
        });
        let edges = Square::ALL.map(|k| FLIGHTS & !around(k, BitBoard::FULL));
        let choices = std::iter::repeat_with(OnceLock::new).take(KINDS * 64 * 64).collect();
        Tables { zones, reach, pawns, rings: rings.to_vec(), edges, choices }
    }

    /// What one piece can guard around `k`, by the number of moves.
    fn choices_of(&self, kind: usize, from: Square, k: Square) -> Box<[Choice]> {
        let mut choices = Vec::new();
        // Who has not moved gives check only on a line that was left.
        let still = self.zone(kind, from, k);
        let line = (1..=QUEEN).contains(&kind) && !get_king_moves(k).has(from);
        if still != NEVER {
            choices.push((0, if line { still } else { still & !CHECK }));
            // But it may come back.
            if kind <= KING {
                add(&mut choices, (2, still));
            }
        }
        let mut fill = |kind: usize, reach: &Reach| {
            for c in 1..=MOST {
                for to in reach[c] & !reach[c - 1] {
                    let zone = self.zone(kind, to, k);
                    if zone != NEVER {
                        add(&mut choices, (c as u8, zone));
                    }
                }
            }
        };
        if kind <= KING {
            fill(kind, &self.reach[kind * 64 + from as usize]);
        } else {
            let [pawn, queen, knight] = &self.pawns[(kind - 5) * 64 + from as usize];
            fill(kind, pawn);
            // A queen guards what a rook or a bishop would.
            fill(QUEEN, queen);
            fill(KNIGHT, knight);
        }
        choices.sort_by_key(|c| c.0);
        choices.into()
    }

    #[inline]
    fn zone(&self, kind: usize, from: Square, k: Square) -> Mask {
        self.zones[(kind * 64 + from as usize) * 64 + k as usize]
    }
}

/// Where the pieces of one side stand: three bits that number the kinds, and the side.
type Placement = ([u64; 3], Color);

fn placement(board: &Board, side: Color) -> Placement {
    let own = board.colors(side);
    let of = |a: Piece, b: Piece, c: Piece| {
        ((board.pieces(a) | board.pieces(b) | board.pieces(c)) & own).0
    };
    let planes = [
        of(Piece::Pawn, Piece::Bishop, Piece::Queen),
        of(Piece::Knight, Piece::Bishop, Piece::King),
        of(Piece::Rook, Piece::Queen, Piece::King),
    ];
    (planes, side)
}

/// The pieces of a placement.
fn pieces(&(planes, side): &Placement) -> impl Iterator<Item = (usize, Square)> {
    BitBoard(planes[0] | planes[1] | planes[2]).into_iter().map(move |square| {
        let bit = |plane: u64| (plane >> square as u32 & 1) as usize;
        let piece = match bit(planes[0]) | bit(planes[1]) << 1 | bit(planes[2]) << 2 {
            1 => Piece::Pawn,
            2 => Piece::Knight,
            3 => Piece::Bishop,
            4 => Piece::Rook,
            5 => Piece::Queen,
            _ => Piece::King,
        };
        (kind(piece, side), square)
    })
}

/// Adds to a list of which no member is as good as another: guards no more, after no fewer moves.
fn add(list: &mut Vec<Choice>, (moves, mask): Choice) {
    if list.iter().any(|&(c, m)| c <= moves && m & mask == mask) {
        return;
    }
    list.retain(|&(c, m)| c < moves || m & mask != m);
    list.push((moves, mask));
}

/// What the pieces of A can guard around `k` after at most `own` moves, on an empty board: sets
/// with a check, none inside another.
fn guards(a: &Placement, own: usize, k: Square) -> Vec<Choice> {
    let tables = tables();
    let (mut list, mut next) = (vec![(0, tables.edges[k as usize])], Vec::new());
    for (kind, from) in pieces(a) {
        let place = (kind * 64 + from as usize) * 64 + k as usize;
        let choices = tables.choices[place].get_or_init(|| tables.choices_of(kind, from, k));
        for &(moves, zone) in choices.iter().take_while(|c| usize::from(c.0) <= own) {
            for &(before, mask) in &list {
                if usize::from(before + moves) <= own {
                    add(&mut next, (before + moves, mask | zone));
                }
            }
        }
        std::mem::swap(&mut list, &mut next);
        next.clear();
    }
    for &(_, mask) in list.iter().filter(|c| c.1 & CHECK != 0) {
        add(&mut next, (0, mask));
    }
    next
}

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

/// What the pieces of one side can guard, for one placement.
struct Entry {
    a: Placement,
    /// The moves that A has; none stands for the last one as `Last` sees it.
    own: usize,
    /// Where the king cannot be mated at all, as far as that was found out.
    never: BitBoard,
    /// By the king's square: where its list begins, or 0.
    starts: [u32; 64],
    /// Lists, each after its length.
    lists: Vec<Mask>,
}

impl Entry {
    fn list(&mut self, board: &Board, k: Square) -> &[Mask] {
        let mut start = self.starts[k as usize] as usize;
        if start == 0 {
            let list = match self.own {
                0 => Last::guards(&self.a, board, k),
                own => guards(&self.a, own, k),
            };
            start = self.lists.len();
            self.starts[k as usize] = start as u32;
            if list.is_empty() {
                self.never |= k.bitboard();
            }
            self.lists.push(list.len() as Mask);
            self.lists.extend(list.iter().map(|c| c.1));
        }
        let len = usize::from(self.lists[start]);
        &self.lists[start + 1..start + 1 + len]
    }
}

/// Placements that are remembered. Each has one place, and the last one there stays.
const PLACES: usize = 1 << 13;

/// What was found out about placements.
pub struct Memory(Box<[Mutex<Option<Box<Entry>>>]>);

impl Default for Memory {
    fn default() -> Memory {
        Memory((0..PLACES).map(|_| Mutex::default()).collect())
    }
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Memory")
    }
}

impl Memory {
    fn with<T>(&self, a: Placement, own: usize, f: impl FnOnce(&mut Entry) -> T) -> T {
        let mut hash = a.1 as u64 | (own as u64) << 1;
        for plane in a.0 {
            hash = (hash.rotate_left(23) ^ plane).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        let place = &self.0[(hash >> 32) as usize % PLACES];
        let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = place.get_or_insert_with(|| {
            Box::new(Entry { a, own, never: BitBoard::EMPTY, starts: [0; 64], lists: vec![0] })
        });
        if entry.a != a || entry.own != own {
            (entry.a, entry.own) = (a, own);
            entry.never = BitBoard::EMPTY;
            entry.starts = [0; 64];
            entry.lists.truncate(1);
        }
        f(entry)
    }
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
mod tests {
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
                let (low, high) =
                    (at.saturating_sub(spread as usize), (at + spread as usize).min(7));
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
}
