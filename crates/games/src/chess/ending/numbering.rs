//! Numbers for the positions of endings, class by class.
//!
//! A class is a material, and the side that has more is White, and White moves where both have the
//! same: any other position stands in the tables with colours exchanged and the board turned upside
//! down. Without pawns, a position shares its number with its seven mirror images; with pawns, with the one from left to
//! right. The number is made of fields: who moves, the squares of both kings, and the squares of all
//! pieces of one kind and colour, as one of the sets of so many squares.
//!
//! Where a pawn may be taken in passing, it and a pawn that may take it are one field, and the
//! numbers come behind those of all other positions.

use std::cmp::Ordering;
use std::sync::LazyLock;

use cozy_chess::{
    BitBoard, Board, BoardBuilder, CastleRights, Color, Piece, Rank, Square, get_king_moves,
};
use foregone_model::{Class, Indexed, Place, Side};

use crate::chess::{Chess, State};

/// How many pieces an ending may have, kings included.
pub(super) const MOST: u32 = 6;

/// The kinds of pieces beside kings, in the order of names and numbers.
pub(super) const KINDS: [Piece; 5] =
    [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];
const PAWN: usize = 4;

/// The ways to stand side by side: the pawn that is taken in passing, and the one that takes it.
pub(super) const PAIRS: u64 = 14;

/// How many pieces of each kind each colour has, kings not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Material(pub(super) [[u8; 5]; 2]);

impl Material {
    /// That of a board.
    fn of(board: &Board) -> Material {
        let mut counts = [[0; 5]; 2];
        for (at, &kind) in KINDS.iter().enumerate() {
            let pieces = board.pieces(kind);
            // Most kinds are not there.
            if !pieces.is_empty() {
                for color in Color::ALL {
                    counts[color as usize][at] = (pieces & board.colors(color)).len() as u8;
                }
            }
        }
        Material(counts)
    }

    /// That of a class: a digit of base 16 for each number of pieces. Nothing if there is no such class.
    pub(super) fn of_class(class: Class) -> Option<Material> {
        let digit = |at: usize| (class.0 >> (4 * (9 - at)) & 15) as u8;
        let material =
            Material([0, 5].map(|first| [0, 1, 2, 3, 4].map(|kind| digit(first + kind))));
        (material.class() == Some(class)).then_some(material)
    }

    /// Its class. Nothing if Black has more, or if there are too many pieces.
    pub(super) fn class(self) -> Option<Class> {
        (self.pieces() <= MOST && !self.black_has_more()).then_some(Class(self.digits()))
    }

    /// All numbers of pieces in one number.
    fn digits(self) -> u64 {
        side_digits(self.0[0]) << 20 | side_digits(self.0[1])
    }

    /// The same with colours exchanged.
    pub(super) fn flipped(self) -> Material {
        Material([self.0[1], self.0[0]])
    }

    /// How many pieces there are, kings included.
    pub(super) fn pieces(self) -> u32 {
        2 + self.0.iter().flatten().map(|&count| u32::from(count)).sum::<u32>()
    }

    /// Whether Black has more: more pieces, or as many and more queens, and so on.
    pub(super) fn black_has_more(self) -> bool {
        let total = |side: [u8; 5]| side.iter().map(|&count| u32::from(count)).sum::<u32>();
        let [white, black] = self.0;
        (total(white), side_digits(white)) < (total(black), side_digits(black))
    }

    /// How many sides may be to move in the tables: one where both have the same.
    pub(super) fn sides(self) -> u64 {
        if side_digits(self.0[0]) == side_digits(self.0[1]) { 1 } else { 2 }
    }

    /// The table of the places of both kings.
    pub(super) fn kings(self) -> &'static Kings {
        Kings::with(self.0[0][PAWN] + self.0[1][PAWN] > 0)
    }

    /// Whether a pawn could be taken in passing.
    pub(super) fn has_passing(self) -> bool {
        self.0[0][PAWN] > 0 && self.0[1][PAWN] > 0
    }

    /// The same without the two pawns that stand side by side where one may be taken in passing.
    pub(super) fn without_pair(self) -> Material {
        let mut rest = self;
        rest.0[0][PAWN] -= 1;
        rest.0[1][PAWN] -= 1;
        rest
    }

    /// The fields of pieces: colour, kind, how many.
    pub(super) fn fields(self) -> impl DoubleEndedIterator<Item = (Color, Piece, usize)> {
        let of = move |c: Color| (0..5).map(move |k| (c, KINDS[k], self.0[c as usize][k].into()));
        of(Color::White).chain(of(Color::Black)).filter(|&(_, _, count)| count > 0)
    }

    /// How many ways there are to place the pieces beside the kings.
    pub(super) fn ways(self) -> u64 {
        self.fields().map(|(_, kind, count)| CHOOSE[room(kind)][count]).product()
    }

    /// How many numbers positions have in which no pawn may be taken in passing.
    pub(super) fn ordinary(self) -> u64 {
        self.sides() * self.kings().places.len() as u64 * self.ways()
    }

    /// Who moves at a number.
    pub(super) fn mover(self, index: u64) -> Side {
        let ordinary = self.ordinary();
        let (index, all) = match index.checked_sub(ordinary) {
            None => (index, ordinary),
            Some(index) => (index, self.passing()),
        };
        let second = self.sides() == 2 && 2 * index >= all;
        if second { Side::Min } else { Side::Max }
    }

    /// How many numbers the others have.
    pub(super) fn passing(self) -> u64 {
        if !self.has_passing() {
            return 0;
        }
        self.sides() * self.kings().places.len() as u64 * PAIRS * self.without_pair().ways()
    }
}

/// The numbers of pieces of one side in one number, which is larger the more queens there are, then
/// the more rooks, and so on.
fn side_digits(counts: [u8; 5]) -> u64 {
    counts.iter().fold(0, |number, &count| number << 4 | u64::from(count))
}

/// How many squares a kind of piece may stand on: those from [`lowest`] on.
pub(super) fn room(kind: Piece) -> usize {
    if kind == Piece::Pawn { 48 } else { 64 }
}

/// The lowest square that a kind of piece may stand on.
pub(super) fn lowest(kind: Piece) -> usize {
    if kind == Piece::Pawn { 8 } else { 0 }
}

/// The number of sets of k among n things, by n and k.
pub(super) static CHOOSE: [[u64; 5]; 65] = {
    let mut table = [[0; 5]; 65];
    let mut n = 0;
    while n < 65 {
        table[n][0] = 1;
        let mut k = 1;
        while k < 5 && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The number of a set of squares among all sets of as many, squares counted from `low`.
fn number_of_set(set: BitBoard, low: usize) -> u64 {
    set.into_iter().zip(1..).map(|(square, k)| CHOOSE[square as usize - low][k]).sum()
}

/// The set of so many squares that has this number.
pub(super) fn set_of_number(mut number: u64, count: usize, low: usize) -> BitBoard {
    let mut set = BitBoard::EMPTY;
    for k in (1..=count).rev() {
        let square = (0..64).rev().find(|&square| CHOOSE[square][k] <= number).unwrap_or(0);
        number -= CHOOSE[square][k];
        set |= Square::index(square + low).bitboard();
    }
    set
}

/// The places of both kings, White's first, up to mirror images.
pub(super) struct Kings {
    pub(super) places: Vec<(usize, usize)>,
    /// The number of a place by both squares, if it is one of them.
    pub(super) number: [[Option<u16>; 64]; 64],
}

pub(super) static WITHOUT_PAWNS: LazyLock<Kings> = LazyLock::new(|| Kings::new(false));
pub(super) static WITH_PAWNS: LazyLock<Kings> = LazyLock::new(|| Kings::new(true));

impl Kings {
    /// The table for positions with pawns, or without.
    pub(super) fn with(pawns: bool) -> &'static Kings {
        if pawns { &WITH_PAWNS } else { &WITHOUT_PAWNS }
    }

    fn new(pawns: bool) -> Kings {
        let mut kings = Kings { places: Vec::new(), number: [[None; 64]; 64] };
        for white in 0..64 {
            for black in 0..64 {
                let next = get_king_moves(Square::index(white)).has(Square::index(black));
                let chosen = Image::choose(white, black, pawns, false).is_nothing();
                if white != black && !next && chosen {
                    kings.number[white][black] = Some(kings.places.len() as u16);
                    kings.places.push((white, black));
                }
            }
        }
        kings
    }
}

/// How a board is seen in the tables: colours exchanged, then turned, then mirrored in the diagonal
/// from a1 to h8.
#[derive(Clone, Copy)]
pub(super) struct Image {
    flip: bool,
    /// What square numbers are XORed with: 7 exchanges left and right, 56 top and bottom.
    pub(super) turn: usize,
    pub(super) diagonal: bool,
}

impl Image {
    /// The image for two squares of kings, colours exchanged or not: White's king stands on the files
    /// a to d, and without pawns in the triangle a1, d1, d4, and Black's not above the diagonal if
    /// White's is on it.
    pub(super) fn choose(white: usize, black: usize, pawns: bool, flip: bool) -> Image {
        let (white, black) = if flip { (black, white) } else { (white, black) };
        let mut image = Image { flip, turn: if flip { 56 } else { 0 }, diagonal: false };
        if image.square(white) % 8 > 3 {
            image.turn ^= 7;
        }
        if !pawns {
            if image.square(white) / 8 > 3 {
                image.turn ^= 56;
            }
            let above = |square: usize| (square / 8).cmp(&(square % 8));
            let order = above(image.square(white)).then(above(image.square(black)));
            image.diagonal = order == Ordering::Greater;
        }
        image
    }

    pub(super) fn square(self, square: usize) -> usize {
        let turned = square ^ self.turn;
        if self.diagonal { turned % 8 * 8 + turned / 8 } else { turned }
    }

    fn is_nothing(self) -> bool {
        !self.flip && self.turn == 0 && !self.diagonal
    }

    fn color(self, color: Color) -> Color {
        if self.flip { !color } else { color }
    }

    /// The pieces of a colour and kind, both as they are in the tables.
    fn pieces(self, board: &Board, color: Color, kind: Piece) -> BitBoard {
        let pieces = board.colored_pieces(self.color(color), kind);
        let squares = pieces.into_iter().map(|square| self.square(square as usize));
        squares.fold(BitBoard::EMPTY, |set, square| set | Square::index(square).bitboard())
    }

    /// The number of a board, of this material in the tables.
    fn number(self, board: &Board, material: Material) -> Option<u64> {
        let king = |c| self.square(board.king(self.color(c)) as usize);
        let kings = material.kings();
        let place = kings.number[king(Color::White)][king(Color::Black)]?;
        let side = self.color(board.side_to_move());
        let mut number = side as u64 * kings.places.len() as u64 + u64::from(place);
        let (mut pair, mut rest) = (BitBoard::EMPTY, material);
        if let Some(file) = board.en_passant() {
            let fifth = Rank::Fifth.relative_to(board.side_to_move());
            let taken = Square::index(self.square(Square::new(file, fifth) as usize));
            let beside = get_king_moves(taken) & taken.rank().bitboard();
            let taker = (beside & self.pieces(board, side, Piece::Pawn)).next_square()?;
            number = number * PAIRS + pair_number(taken as u64 % 8, taker as u64 % 8);
            pair = taken.bitboard() | taker.bitboard();
            rest = material.without_pair();
        }
        for color in Color::ALL {
            for (&kind, count) in KINDS.iter().zip(rest.0[color as usize]) {
                if count > 0 {
                    let set = self.pieces(board, color, kind) - pair;
                    let ways = CHOOSE[room(kind)][usize::from(count)];
                    number = number * ways + number_of_set(set, lowest(kind));
                }
            }
        }
        Some(if pair.is_empty() { number } else { material.ordinary() + number })
    }
}

/// The number of a pair of pawns by their files: the one that is taken, and the one that takes it.
pub(super) fn pair_number(taken: u64, taker: u64) -> u64 {
    2 * taken.min(taker) + u64::from(taker > taken)
}

impl Indexed for Chess {
    fn class_name(&self, class: Class) -> String {
        let Some(material) = Material::of_class(class) else { return "none".to_owned() };
        let mut name = String::new();
        for side in material.0 {
            name.push('K');
            for (kind, count) in KINDS.iter().zip(side) {
                let letter = kind.to_string().to_uppercase();
                name.push_str(&letter.repeat(count.into()));
            }
        }
        name
    }

    fn size(&self, class: Class) -> u64 {
        Material::of_class(class).map_or(0, |material| material.ordinary() + material.passing())
    }

    fn leads_to(&self, class: Class) -> Vec<Class> {
        let Some(material) = Material::of_class(class) else { return Vec::new() };
        let mut out = Vec::new();
        // No pawn is taken where another is promoted.
        let takes = |m: Material, of: usize, kinds: usize| {
            (0..kinds).filter(move |&k| m.0[of][k] > 0).map(move |k| {
                let mut after = m;
                after.0[of][k] -= 1;
                after
            })
        };
        for side in 0..2 {
            out.extend(takes(material, 1 - side, 5));
            if material.0[side][PAWN] > 0 {
                for kind in 0..PAWN {
                    let mut promoted = material;
                    promoted.0[side][PAWN] -= 1;
                    promoted.0[side][kind] += 1;
                    out.push(promoted);
                    out.extend(takes(promoted, 1 - side, PAWN));
                }
            }
        }
        let white_has_more = |m: Material| if m.black_has_more() { m.flipped() } else { m };
        let mut out: Vec<Class> =
            out.into_iter().filter_map(|m| white_has_more(m).class()).collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    fn place(&self, s: &State) -> Option<Place> {
        let board = &s.0;
        let castles = Color::ALL.iter().any(|&c| *board.castle_rights(c) != CastleRights::EMPTY);
        if self.series || castles || board.occupied().len() > MOST {
            return None;
        }
        let material = Material::of(board);
        let black_moves = board.side_to_move() == Color::Black;
        let flip = material.black_has_more() || material.sides() == 1 && black_moves;
        let material = if flip { material.flipped() } else { material };
        let pawns = !board.pieces(Piece::Pawn).is_empty();
        let [white, black] = Color::ALL.map(|c| board.king(c) as usize);
        let image = Image::choose(white, black, pawns, flip);
        let mut index = image.number(board, material)?;
        let on_diagonal = |square| image.square(square) / 8 == image.square(square) % 8;
        if !pawns && on_diagonal(white) && on_diagonal(black) {
            // The other pieces decide between the two images that are left.
            index = index.min(Image { diagonal: true, ..image }.number(board, material)?);
        }
        // There are few pieces, and White has more.
        Some(Place { class: Class(material.digits()), index, flip, shift: 0 })
    }

    fn position(&self, class: Class, index: u64) -> Option<State> {
        let material = Material::of_class(class)?;
        let (ordinary, kings) = (material.ordinary(), material.kings());
        let passing = index >= ordinary;
        let mut rest = if passing { index - ordinary } else { index };
        let mut builder = BoardBuilder::empty();
        let mut put = |square: usize, color, kind| {
            let before = builder.board[square].replace((kind, color));
            before.is_none().then_some(())
        };
        // The last field is read first.
        let fields = if passing { material.without_pair() } else { material };
        for (color, kind, count) in fields.fields().rev() {
            let ways = CHOOSE[room(kind)][count];
            for square in set_of_number(rest % ways, count, lowest(kind)) {
                put(square as usize, color, kind)?;
            }
            rest /= ways;
        }
        let pair = rest % PAIRS;
        if passing {
            rest /= PAIRS;
        }
        let &(white, black) = kings.places.get(rest as usize % kings.places.len())?;
        put(white, Color::White, Piece::King)?;
        put(black, Color::Black, Piece::King)?;
        let side = if rest < kings.places.len() as u64 { Color::White } else { Color::Black };
        if passing {
            let (left, right) = (pair as usize / 2, pair as usize / 2 + 1);
            let (taken, taker) = if pair % 2 == 1 { (left, right) } else { (right, left) };
            let square = |file, rank: Rank| rank.relative_to(side) as usize * 8 + file;
            put(square(taken, Rank::Fifth), !side, Piece::Pawn)?;
            put(square(taker, Rank::Fifth), side, Piece::Pawn)?;
            builder.en_passant = Some(Square::index(square(taken, Rank::Sixth)));
        }
        builder.side_to_move = side;
        let board = builder.build().ok()?;
        // No move gives check with three pieces, and no text of such a position is read.
        let s = (board.checkers().len() < 3).then(|| State::new(board))?;
        // Of all mirror images, and of all ways to name one position, there is one that counts.
        (self.place(&s) == Some(Place::new(class, index))).then_some(s)
    }
}
