//! How pieces move, worked out once for all positions.

use std::sync::OnceLock;

use cozy_chess::{
    BitBoard, Board, Color, Piece, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_moves,
};

/// With more moves than this for either side nothing is said.
pub(super) const MOST: usize = 5;

/// A set of guarded squares around a king: a bit for each square beside it, and one for its own.
pub(super) type Mask = u16;

pub(super) const FLIGHTS: Mask = 0xff;
pub(super) const CHECK: Mask = 0x100;
/// An A king next to the king of B: this cannot be.
pub(super) const NEVER: Mask = 0x8000;

/// What stands on a square, as far as its moves go: the pieces but pawns in the order of
/// `Piece`, then white and black pawns.
pub(super) const KINDS: usize = 7;
pub(super) const KNIGHT: usize = Piece::Knight as usize - 1;
pub(super) const QUEEN: usize = Piece::Queen as usize - 1;
pub(super) const KING: usize = Piece::King as usize - 1;

#[inline]
pub(super) fn kind(piece: Piece, side: Color) -> usize {
    if piece == Piece::Pawn { 5 + side as usize } else { piece as usize - 1 }
}

/// For each number of moves the squares that can be reached by at most so many.
pub(super) type Reach = [BitBoard; MOST + 1];

pub(super) struct Tables {
    /// By kind, its square and the king's square: what is guarded, on an empty board.
    pub(super) zones: Vec<Mask>,
    /// By kind and square. Pawns become queens or knights and go on.
    pub(super) reach: Vec<Reach>,
    /// The same for white and black pawns as long as they are pawns, for the queens that they
    /// become, and for the knights.
    pub(super) pawns: Vec<[Reach; 3]>,
    /// The squares at each distance of kings.
    pub(super) rings: Vec<Reach>,
    /// What is off the board around a king.
    pub(super) edges: [Mask; 64],
    /// By kind, its square and the king's square: what it can guard after how many moves. Found
    /// when it is needed first.
    pub(super) choices: Vec<OnceLock<Box<[Choice]>>>,
}

/// What can be guarded, after so many moves.
pub(super) type Choice = (u8, Mask);

pub(super) fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(Tables::new)
}

/// The squares beside `k` among these, as a mask.
#[inline]
pub(super) fn around(k: Square, squares: BitBoard) -> Mask {
    // With `k` turned to the second square of the second row its neighbours are in three rows.
    // Those that would come from the other side of the board are not neighbours.
    let x = (squares & get_king_moves(k)).0.rotate_right((k as u32).wrapping_sub(9) & 63);
    ((x & 7) | (x >> 5 & 8) | (x >> 6 & 0x10) | (x >> 11 & 0xe0)) as Mask
}

/// The squares that are attacked, among these pieces.
#[inline]
pub(super) fn attacks(kind: usize, from: Square, occupied: BitBoard) -> BitBoard {
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
pub(super) fn attacked(a: &Placement, occupied: BitBoard) -> BitBoard {
    pieces(a).fold(BitBoard::EMPTY, |all, (kind, from)| all | attacks(kind, from, occupied))
}

/// The squares that a pawn may step to from here, over nothing of these.
#[inline]
pub(super) fn pushes(side: Color, from: Square, occupied: BitBoard) -> BitBoard {
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
    pub(super) fn choices_of(&self, kind: usize, from: Square, k: Square) -> Box<[Choice]> {
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
    pub(super) fn zone(&self, kind: usize, from: Square, k: Square) -> Mask {
        self.zones[(kind * 64 + from as usize) * 64 + k as usize]
    }
}

/// Where the pieces of one side stand: three bits that number the kinds, and the side.
pub(super) type Placement = ([u64; 3], Color);

pub(super) fn placement(board: &Board, side: Color) -> Placement {
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
pub(super) fn pieces(&(planes, side): &Placement) -> impl Iterator<Item = (usize, Square)> {
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
pub(super) fn add(list: &mut Vec<Choice>, (moves, mask): Choice) {
    if list.iter().any(|&(c, m)| c <= moves && m & mask == mask) {
        return;
    }
    list.retain(|&(c, m)| c < moves || m & mask != m);
    list.push((moves, mask));
}

/// What the pieces of A can guard around `k` after at most `own` moves, on an empty board: sets
/// with a check, none inside another.
pub(super) fn guards(a: &Placement, own: usize, k: Square) -> Vec<Choice> {
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
