//! Numbers of positions without boards: where the men stand is known already.

use std::sync::LazyLock;

use cozy_chess::{Color, Piece};
use foregone_model::Side;

use super::numbering::{CHOOSE, Image, KINDS, Kings, Material, PAIRS, lowest, pair_number, room};

/// How many men beside the kings there may be.
pub(super) const MEN: usize = 4;

/// Who moves, and the squares of the kings and of the other men, in an order of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) side: Color,
    pub(super) kings: [u8; 2],
    pub(super) men: [u8; MEN],
}

/// How two kings are seen in the tables.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    /// The number of their place. Too large if they stand side by side.
    pub(super) place: u16,
    pub(super) turn: u8,
    pub(super) diagonal: bool,
    /// Both stand on the diagonal, so that there are two images.
    pub(super) twofold: bool,
}

impl Seen {
    /// Whether the kings can stand there.
    pub(super) fn exists(self) -> bool {
        self.place != u16::MAX
    }

    /// Where a square is seen.
    #[inline]
    pub(super) fn square(self, square: u8) -> u8 {
        let turned = square ^ self.turn;
        if self.diagonal { turned % 8 * 8 + turned / 8 } else { turned }
    }

    /// The other image.
    pub(super) fn mirrored(self) -> Seen {
        Seen { diagonal: !self.diagonal, ..self }
    }

    /// Where a set of squares is seen.
    #[inline]
    pub(super) fn set(self, set: u64) -> u64 {
        let turned = turned(set, self.turn);
        if self.diagonal { transposed(turned) } else { turned }
    }

    /// The set of squares that is seen there.
    #[inline]
    pub(super) fn original(self, set: u64) -> u64 {
        turned(if self.diagonal { transposed(set) } else { set }, self.turn)
    }
}

fn turned(set: u64, turn: u8) -> u64 {
    let set = if turn & 56 == 0 { set } else { set.swap_bytes() };
    if turn & 7 == 0 { set } else { set.swap_bytes().reverse_bits() }
}

/// A set of squares mirrored in the diagonal from a1 to h8.
fn transposed(mut set: u64) -> u64 {
    for (distance, mask) in
        [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)]
    {
        let swap = (set ^ set >> distance) & mask;
        set ^= swap ^ swap << distance;
    }
    set
}

type SeenTable = Vec<Seen>;

static SEEN: [LazyLock<SeenTable>; 2] =
    [LazyLock::new(|| seen_table(false)), LazyLock::new(|| seen_table(true))];

fn seen_table(pawns: bool) -> SeenTable {
    let kings = Kings::with(pawns);
    let seen = |white: usize, black: usize| {
        let image = Image::choose(white, black, pawns, false);
        let [white, black] = [white, black].map(|square| image.square(square));
        let on_diagonal = |square: usize| square / 8 == square % 8;
        Seen {
            place: kings.number[white][black].unwrap_or(u16::MAX),
            turn: image.turn as u8,
            diagonal: image.diagonal,
            twofold: !pawns && on_diagonal(white) && on_diagonal(black),
        }
    };
    (0..64 * 64).map(|kings| seen(kings / 64, kings % 64)).collect()
}

/// How both kings are seen, with pawns on the board or without.
pub(super) fn seen(pawns: bool) -> &'static [Seen] {
    &SEEN[usize::from(pawns)]
}

/// Pieces of one kind and colour: which of the men they are, and what the number of their set counts.
#[derive(Clone, Copy, Default)]
struct Field {
    men: [u8; MEN],
    count: u8,
    low: u8,
    weight: u64,
}

/// The numbering of one class for men in an order that is given.
pub(super) struct Placer {
    /// Where the class stands among those that another one leads to.
    pub(super) slot: u16,
    seen: &'static [Seen],
    places: u64,
    /// Black has more, so that colours are exchanged.
    flip: bool,
    /// Both sides have the same, so that colours are exchanged if Black moves.
    symmetric: bool,
    /// What the places of kings and the side to move count.
    weight: u64,
    /// With colours as they are, and exchanged.
    fields: [Vec<Field>; 2],
}

impl Placer {
    /// For these men, some of which may be gone.
    pub(super) fn new(men: &[Option<(Color, Piece)>], slot: u16) -> Placer {
        let mut material = Material([[0; 5]; 2]);
        for &(color, kind) in men.iter().flatten() {
            material.0[color as usize][kind_number(kind)] += 1;
        }
        let flip = material.black_has_more();
        let material = if flip { material.flipped() } else { material };
        let fields = [false, true].map(|exchanged| {
            let mut fields = Vec::new();
            for (color, kind, count) in material.fields() {
                let color = if exchanged { !color } else { color };
                let mut field = Field { low: lowest(kind) as u8, ..Field::default() };
                for (man, _) in men.iter().enumerate().filter(|m| *m.1 == Some((color, kind))) {
                    field.men[usize::from(field.count)] = man as u8;
                    field.count += 1;
                }
                field.weight = CHOOSE[room(kind)][count];
                fields.push(field);
            }
            let mut weight = 1;
            for field in fields.iter_mut().rev() {
                weight *= std::mem::replace(&mut field.weight, weight);
            }
            fields
        });
        let pawns = men.iter().flatten().any(|&(_, kind)| kind == Piece::Pawn);
        Placer {
            slot,
            seen: seen(pawns),
            places: material.kings().places.len() as u64,
            flip,
            symmetric: material.sides() == 1,
            weight: material.ways(),
            fields,
        }
    }

    fn exchanges(&self, side: Color) -> bool {
        self.flip || self.symmetric && side == Color::Black
    }

    /// As whom the table knows a side, where `to_move` is to move.
    pub(super) fn side(&self, side: Color, to_move: Color) -> Side {
        match (side == Color::White) != self.exchanges(to_move) {
            true => Side::Max,
            false => Side::Min,
        }
    }

    fn seen(&self, spot: &Spot) -> Seen {
        let [white, black] = spot.kings.map(usize::from);
        match self.exchanges(spot.side) {
            false => self.seen[white * 64 + black],
            true => {
                let seen = self.seen[(black ^ 56) * 64 + (white ^ 56)];
                Seen { turn: seen.turn ^ 56, ..seen }
            }
        }
    }

    /// The number of who moves and where the kings stand.
    fn start(&self, spot: &Spot, seen: Seen) -> u64 {
        let side = spot.side as u64 ^ u64::from(self.exchanges(spot.side));
        side * self.places + u64::from(seen.place)
    }

    /// The number of a position. Nothing if the kings stand side by side.
    pub(super) fn number(&self, spot: &Spot) -> Option<u64> {
        let seen = self.seen(spot);
        if !seen.exists() {
            return None;
        }
        let start = self.start(spot, seen) * self.weight;
        let fields = &self.fields[usize::from(self.exchanges(spot.side))];
        let of = |seen: Seen| {
            let number = |field: &Field| field.weight * field.number(&spot.men, seen);
            start + fields.iter().map(number).sum::<u64>()
        };
        let number = of(seen);
        Some(if seen.twofold { number.min(of(seen.mirrored())) } else { number })
    }

    /// The numbers of positions in which one man stands anywhere.
    pub(super) fn line(&self, spot: &Spot, man: usize) -> Option<Line<'_>> {
        let seen = self.seen(spot);
        if !seen.exists() {
            return None;
        }
        let mut line = Line {
            placer: self,
            spot: *spot,
            man,
            seen,
            start: self.start(spot, seen) * self.weight,
            weight: 0,
            low: 0,
            alone: false,
        };
        for field in &self.fields[usize::from(self.exchanges(spot.side))] {
            if field.men[..usize::from(field.count)].contains(&(man as u8)) {
                line.weight = field.weight;
                line.low = field.low;
                line.alone = field.count == 1 && !seen.twofold;
            } else {
                line.start += field.weight * field.number(&spot.men, seen);
            }
        }
        Some(line)
    }

    /// The number, behind all others, of a position where the pawn of who does not move, at `taken`, may
    /// be taken in passing by the one at `taker`. The class has pawns of both sides.
    pub(super) fn passing(&self, spot: &Spot, [taken, taker]: [u8; 2]) -> u64 {
        let seen = self.seen(spot);
        let exchanged = usize::from(self.exchanges(spot.side));
        let [taken, taker] = [taken, taker].map(|square| seen.square(square));
        let pair = pair_number(u64::from(taken % 8), u64::from(taker % 8));
        let mut number = self.start(spot, seen) * PAIRS + pair;
        for field in &self.fields[exchanged] {
            let mut squares = [0; MEN];
            let mut count = 0;
            for &man in &field.men[..usize::from(field.count)] {
                let square = seen.square(spot.men[usize::from(man)]);
                if square != taken && square != taker {
                    squares[count] = square - field.low;
                    count += 1;
                }
            }
            let size = if field.low == 0 { 64 } else { 48 };
            number = number * CHOOSE[size][count] + number_of(&mut squares[..count]);
        }
        let sides = if self.symmetric { 1 } else { 2 };
        sides * self.places * self.weight + number
    }
}

/// The place of a kind among [`KINDS`].
pub(super) fn kind_number(kind: Piece) -> usize {
    KINDS.iter().position(|&k| k == kind).unwrap_or(0)
}

/// The number of a set of squares, in any order.
#[inline]
fn number_of(squares: &mut [u8]) -> u64 {
    match *squares {
        [] => 0,
        [a] => u64::from(a),
        [a, b] => u64::from(a.min(b)) + CHOOSE[usize::from(a.max(b))][2],
        _ => {
            squares.sort_unstable();
            let counted = squares.iter().zip(1..);
            counted.map(|(&square, k)| CHOOSE[usize::from(square)][k]).sum()
        }
    }
}

impl Field {
    /// The number of the set of squares where the men are seen.
    #[inline]
    fn number(&self, men: &[u8; MEN], seen: Seen) -> u64 {
        let count = usize::from(self.count);
        let mut squares = [0; MEN];
        for (square, &man) in squares.iter_mut().zip(&self.men[..count]) {
            *square = seen.square(men[usize::from(man)]).wrapping_sub(self.low);
        }
        number_of(&mut squares[..count])
    }
}

/// Numbers of positions that differ in the square of one man.
pub(super) struct Line<'a> {
    placer: &'a Placer,
    spot: Spot,
    man: usize,
    seen: Seen,
    start: u64,
    weight: u64,
    low: u8,
    /// No other man has a share in the field, and there is but one image.
    alone: bool,
}

impl Line<'_> {
    /// The number with the man on this square.
    #[inline]
    pub(super) fn number(&self, square: u8) -> u64 {
        if self.alone {
            return self.start + self.weight * u64::from(self.seen.square(square) - self.low);
        }
        self.general(square)
    }

    fn general(&self, square: u8) -> u64 {
        let mut spot = self.spot;
        spot.men[self.man] = square;
        // The kings have a place: the line would not be there otherwise.
        self.placer.number(&spot).unwrap_or(0)
    }
}
