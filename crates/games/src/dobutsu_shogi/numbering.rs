//! Numbers for all positions.
//!
//! There are three classes. `over` has one number for all positions that are over with a lion caught
//! or brought home: who is to move there has lost, or has won where the players are exchanged. `catch`
//! has one number for all positions in which the lion of the other side can be caught at once: they
//! are won with the next move, whatever else stands there. Everything else is in `whole`. T. Tanaka's
//! analysis stops at positions of the first two classes, too: it calls them final. So what is in
//! `whole` is what he calls not final, whether it can be reached from the start or not: 121,134,668
//! positions, of which moves within the class reach 99,485,568, as he counts.
//!
//! In `whole` who is to move is Sente: other positions stand there with the board turned round. A
//! position and its mirror image share a number. It is made of fields: the squares of both lions,
//! then for giraffes, elephants and chicks where both of them are. Both lions are never next to each
//! other there, Sente's is not in the last row and Gote's not in the first one. The numbers of
//! positions with as many pieces of each kind on the board stand together. Squares of a kind are
//! counted among those that are left, so there are no two numbers for one arrangement; but both
//! mirror images have numbers where both lions are in the middle column, and arrangements with a
//! lion that can be caught have some. These are holes.

use foregone_model::{Class, Indexed, Place, Side};

use super::{COLS, DobutsuShogi, KINDS, Kind, Piece, SQUARES, State};

/// Who is to move has lost.
pub(super) const OVER: Class = Class(0);
/// Who is to move catches the lion.
pub(super) const CATCH: Class = Class(1);
/// All other positions.
pub(super) const WHOLE: Class = Class(2);

/// A set of squares.
pub(super) type Set = u16;

const EVERYWHERE: Set = (1 << SQUARES) - 1;
pub(super) const FIRST_ROW: Set = (1 << COLS) - 1;
pub(super) const LAST_ROW: Set = FIRST_ROW << (SQUARES - COLS);
const LEFT: Set = 0b001_001_001_001;

pub(super) const LION: usize = Kind::Lion as usize;
pub(super) const CHICK: usize = Kind::Chick as usize;
pub(super) const HEN: usize = Kind::Hen as usize;

/// The squares that a piece reaches, by owner, kind and square; owner 0 moves up. The pieces of an
/// owner and kind that reach a square stand on the squares that the same kind of the other owner
/// reaches from there.
pub(super) static REACH: [[[Set; SQUARES]; KINDS.len()]; 2] = reach();

const fn reach() -> [[[Set; SQUARES]; KINDS.len()]; 2] {
    // Columns to the right and rows ahead, for each kind.
    const WAYS: [&[(i32, i32)]; KINDS.len()] = [
        &[(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)],
        &[(-1, 0), (1, 0), (0, -1), (0, 1)],
        &[(-1, -1), (-1, 1), (1, -1), (1, 1)],
        &[(0, 1)],
        &[(-1, 0), (1, 0), (0, -1), (0, 1), (-1, 1), (1, 1)],
    ];
    let mut table = [[[0; SQUARES]; KINDS.len()]; 2];
    let mut square = 0;
    while square < SQUARES {
        let mut kind = 0;
        while kind < KINDS.len() {
            let mut way = 0;
            while way < WAYS[kind].len() {
                let (right, ahead) = WAYS[kind][way];
                let mut owner = 0;
                while owner < 2 {
                    let up = if owner == 0 { ahead } else { -ahead };
                    let (col, row) = ((square % COLS) as i32 + right, (square / COLS) as i32 + up);
                    if 0 <= col && col < COLS as i32 && 0 <= row && row < (SQUARES / COLS) as i32 {
                        table[owner][kind][square] |= 1 << (row * COLS as i32 + col);
                    }
                    owner += 1;
                }
                way += 1;
            }
            kind += 1;
        }
        square += 1;
    }
    table
}

/// A position as who is to move sees it: both lions are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board {
    /// The pieces of who is to move, and of the other side, by kind.
    pub(super) men: [[Set; KINDS.len()]; 2],
    /// What both hold.
    pub(super) hands: [[u8; 3]; 2],
}

impl Board {
    /// That of a position; nothing if a lion was caught.
    pub(super) fn of(s: &State) -> Option<Board> {
        let turned = s.turn == Side::Min;
        let mut board = Board { men: [[0; KINDS.len()]; 2], hands: s.hands };
        if turned {
            board.hands.swap(0, 1);
        }
        for (square, piece) in s.board.iter().enumerate() {
            let Some(piece) = piece else { continue };
            let square = if turned { SQUARES - 1 - square } else { square };
            board.men[usize::from(piece.side != s.turn)][piece.kind as usize] |= 1 << square;
        }
        (board.men[0][LION] != 0 && board.men[1][LION] != 0).then_some(board)
    }

    /// The position with Sente to move.
    pub(super) fn state(&self) -> State {
        let mut s = State { board: [None; SQUARES], hands: self.hands, turn: Side::Max };
        for (men, side) in self.men.iter().zip([Side::Max, Side::Min]) {
            for (&set, kind) in men.iter().zip(KINDS) {
                for square in squares(set) {
                    s.board[square] = Some(Piece { kind, side });
                }
            }
        }
        s
    }

    /// As the other side sees it.
    #[inline]
    pub(super) fn turned(&self) -> Board {
        let turn = |men: [Set; KINDS.len()]| men.map(|set| set.reverse_bits() >> 4);
        let [own, other] = self.men;
        Board { men: [turn(other), turn(own)], hands: [self.hands[1], self.hands[0]] }
    }

    /// Left and right exchanged.
    #[inline]
    fn mirrored(&self) -> Board {
        let mirror = |set: Set| (set & LEFT) << 2 | set & LEFT << 1 | set >> 2 & LEFT;
        Board { men: self.men.map(|men| men.map(mirror)), ..*self }
    }

    /// The square of an owner's lion.
    #[inline]
    pub(super) fn lion(&self, owner: usize) -> usize {
        self.men[owner][LION].trailing_zeros() as usize % 16
    }

    /// The pieces of an owner that reach a square.
    #[inline]
    pub(super) fn attackers(&self, owner: usize, square: usize) -> Set {
        let reach = &REACH[1 - owner];
        let own = self.men[owner].iter().zip(reach);
        own.fold(0, |found, (&men, reach)| found | men & reach[square])
    }

    /// All pieces of an owner.
    #[inline]
    pub(super) fn all(&self, owner: usize) -> Set {
        self.men[owner].iter().fold(0, |all, &men| all | men)
    }
}

/// The squares of a set.
#[inline]
pub(super) fn squares(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (square < SQUARES).then_some(square)
    })
}

/// The square of a set that has so many others below it.
#[inline]
fn nth(mut set: Set, n: u32) -> u32 {
    for _ in 0..n {
        set &= set.wrapping_sub(1);
    }
    set.trailing_zeros()
}

/// The pairs of numbers, the smaller one first, in their order: those with the smaller second number
/// come first.
static PAIRS: [(u8, u8); 45] = {
    let mut pairs = [(0, 0); 45];
    let (mut at, mut second) = (0, 1);
    while second < 10 {
        let mut first = 0;
        while first < second {
            pairs[at] = (first, second);
            at += 1;
            first += 1;
        }
        second += 1;
    }
    pairs
};

/// In how many ways the two pieces of a kind can be placed if so many of them are on the board, which
/// has so many squares left for them, and each of them has so many forms there, owners included.
fn ways(on_board: usize, left: u32, forms: u32) -> u32 {
    match on_board {
        0 => 3,
        1 => left * forms * 2,
        _ => left * (left - 1) / 2 * forms * forms,
    }
}

/// Positions with as many pieces of each kind on the board.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    /// The first number.
    first: u32,
    /// How many of the two giraffes, elephants and chicks are on the board.
    on_board: [usize; 3],
    /// In how many ways each kind can be placed.
    ways: [u32; 3],
}

/// How positions are numbered.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    /// The squares of both lions.
    lions: Vec<(u8, u8)>,
    /// The number of such a pair, by both squares, where they are one.
    lion_number: [[Option<u8>; SQUARES]; SQUARES],
    /// The blocks, by number.
    blocks: Vec<Block>,
    /// The block by how many giraffes, elephants and chicks are on the board, in base 3.
    block_of: [usize; 27],
    size: u32,
}

/// The forms of a giraffe, an elephant and a chick: two owners, and a chick may be a hen.
const FORMS: [u32; 3] = [2, 2, 4];

impl Numbering {
    pub(super) fn new(kinds: [bool; 3]) -> Numbering {
        let (mut lions, mut lion_number) = (Vec::new(), [[None; SQUARES]; SQUARES]);
        for (own, numbers) in lion_number.iter_mut().enumerate().take(SQUARES - COLS) {
            for (other, number) in numbers.iter_mut().enumerate().skip(COLS) {
                let apart = own != other && REACH[0][LION][own] >> other & 1 == 0;
                // Of two mirror images this one.
                let chosen = (own % COLS).cmp(&1).then((other % COLS).cmp(&1)).is_le();
                if apart && chosen {
                    *number = Some(lions.len() as u8);
                    lions.push((own as u8, other as u8));
                }
            }
        }
        let mut numbering =
            Numbering { lions, lion_number, blocks: Vec::new(), block_of: [0; 27], size: 0 };
        // Large blocks first: they are found first.
        for counts in (0..27).rev() {
            let on_board = [counts / 9, counts / 3 % 3, counts % 3];
            if on_board.iter().zip(kinds).any(|(&n, there)| n > 0 && !there) {
                continue;
            }
            let (mut left, mut all) = (SQUARES as u32 - 2, [1; 3]);
            for kind in (0..3).filter(|&kind| kinds[kind]) {
                all[kind] = ways(on_board[kind], left, FORMS[kind]);
                left -= on_board[kind] as u32;
            }
            let first = numbering.size;
            numbering.block_of[counts] = numbering.blocks.len();
            numbering.blocks.push(Block { first, on_board, ways: all });
            numbering.size += numbering.lions.len() as u32 * all.iter().product::<u32>();
        }
        numbering
    }

    pub(super) fn size(&self) -> u64 {
        self.size.into()
    }

    /// The number of a position of the class [`WHOLE`].
    #[inline]
    pub(super) fn number(&self, board: &Board) -> u64 {
        let column = |owner| board.lion(owner) % COLS;
        match column(0).cmp(&1).then(column(1).cmp(&1)) {
            std::cmp::Ordering::Less => self.number_so(board),
            std::cmp::Ordering::Greater => self.number_so(&board.mirrored()),
            std::cmp::Ordering::Equal => {
                self.number_so(board).min(self.number_so(&board.mirrored()))
            }
        }
        .into()
    }

    /// The number of this one of two mirror images.
    #[inline]
    fn number_so(&self, board: &Board) -> u32 {
        let lions = self.lion_number[board.lion(0)][board.lion(1)];
        debug_assert!(lions.is_some(), "{board:?} is not in the class");
        let mut left = EVERYWHERE & !(board.men[0][LION] | board.men[1][LION]);
        let (mut counts, mut fields) = (0, [0; 3]);
        for (at, field) in fields.iter_mut().enumerate() {
            // Giraffes, elephants and chicks are the kinds 1 to 3.
            let [own, other] = board.men.map(|men| men[at + 1]);
            let hens = if at == 2 { [board.men[0][HEN], board.men[1][HEN]] } else { [0; 2] };
            let (theirs, promoted) = (other | hens[1], hens[0] | hens[1]);
            let all = own | theirs | promoted;
            let form = |square: u32| {
                let owner = u32::from(theirs >> square & 1);
                if at == 2 { 2 * owner + u32::from(promoted >> square & 1) } else { owner }
            };
            let rank = |square: u32| (left & ((1 << square) - 1)).count_ones();
            let first = all.trailing_zeros();
            *field = match all.count_ones() {
                0 => u32::from(board.hands[1][at]),
                1 => {
                    let held_by = u32::from(board.hands[1][at]);
                    (rank(first) * FORMS[at] + form(first)) * 2 + held_by
                }
                _ => {
                    let second = 15 - all.leading_zeros();
                    let (i, j) = (rank(first), rank(second));
                    let pair = j * (j - 1) / 2 + i;
                    (pair * FORMS[at] + form(first)) * FORMS[at] + form(second)
                }
            };
            counts = 3 * counts + all.count_ones() as usize;
            left &= !all;
        }
        let block = &self.blocks[self.block_of[counts]];
        let [g, e, c] = block.ways;
        let lions = u32::from(lions.unwrap_or(0));
        block.first + ((lions * g + fields[0]) * e + fields[1]) * c + fields[2]
    }

    /// The arrangement of a number, which may be a hole.
    #[inline]
    fn arrangement(&self, number: u64) -> Board {
        let number = number as u32;
        let last = self.blocks.iter().position(|block| block.first > number);
        let block = &self.blocks[last.unwrap_or(self.blocks.len()) - 1];
        let rest = number - block.first;
        let [g, e, c] = block.ways;
        let (rest, chicks) = (rest / c, rest % c);
        let (rest, elephants) = (rest / e, rest % e);
        let (lions, giraffes) = (rest / g, rest % g);
        let (own, other) = self.lions[lions as usize];
        let mut board = Board { men: [[0; KINDS.len()]; 2], hands: [[0; 3]; 2] };
        board.men[0][LION] = 1 << own;
        board.men[1][LION] = 1 << other;
        let mut left = EVERYWHERE & !(board.men[0][LION] | board.men[1][LION]);
        for (at, field) in [giraffes, elephants, chicks].into_iter().enumerate() {
            let forms = FORMS[at];
            let mut put = |square: u32, form: u32| {
                let (owner, hen) = if at == 2 { (form / 2, form % 2) } else { (form, 0) };
                board.men[owner as usize][at + 1 + hen as usize] |= 1 << square;
                1 << square
            };
            let taken: Set = match block.on_board[at] {
                // A kind that is not in the game has one way.
                0 if block.ways[at] == 1 => 0,
                0 => {
                    board.hands[0][at] = 2 - field as u8;
                    board.hands[1][at] = field as u8;
                    0
                }
                1 => {
                    board.hands[(field % 2) as usize][at] = 1;
                    put(nth(left, field / 2 / forms), field / 2 % forms)
                }
                _ => {
                    let (i, j) = PAIRS[(field / forms / forms) as usize];
                    let (first, second) = (nth(left, i.into()), nth(left, j.into()));
                    put(first, field / forms % forms) | put(second, field % forms)
                }
            };
            left &= !taken;
        }
        board
    }

    /// The position of a number of the class [`WHOLE`]; nothing if it is a hole.
    #[inline]
    pub(super) fn board(&self, number: u64) -> Option<Board> {
        if number >= self.size() {
            return None;
        }
        let board = self.arrangement(number);
        if board.attackers(0, board.lion(1)) != 0 {
            return None;
        }
        // Where both lions are in the middle, the smaller number counts.
        let middle = board.lion(0) % COLS == 1 && board.lion(1) % COLS == 1;
        let smaller = middle && u64::from(self.number_so(&board.mirrored())) < number;
        (!smaller).then_some(board)
    }
}

impl DobutsuShogi {
    /// The position that stands for all that are over: Gote's lion has caught Sente's, and Gote holds
    /// everything else.
    fn over(&self) -> State {
        let mut s = State { board: [None; SQUARES], hands: [[0; 3]; 2], turn: Side::Max };
        s.board[SQUARES - 2] = Some(Piece { kind: Kind::Lion, side: Side::Min });
        s.hands[1] = self.kinds.map(|there| if there { 2 } else { 0 });
        s
    }

    /// The position that stands for all in which the lion can be caught: Gote's has walked home, and
    /// Sente's is beside it, so all moves end the game. Sente holds everything else.
    fn catch(&self) -> State {
        let mut s = State { board: [None; SQUARES], hands: [[0; 3]; 2], turn: Side::Max };
        s.board[0] = Some(Piece { kind: Kind::Lion, side: Side::Min });
        s.board[1] = Some(Piece { kind: Kind::Lion, side: Side::Max });
        s.hands[0] = self.kinds.map(|there| if there { 2 } else { 0 });
        s
    }
}

impl Indexed for DobutsuShogi {
    fn class_name(&self, class: Class) -> String {
        let name = match class {
            OVER => "over",
            CATCH => "catch",
            WHOLE => "whole",
            _ => "none",
        };
        name.to_owned()
    }

    fn size(&self, class: Class) -> u64 {
        match class {
            OVER | CATCH => 1,
            WHOLE => self.numbering.size(),
            _ => 0,
        }
    }

    fn leads_to(&self, class: Class) -> Vec<Class> {
        match class {
            WHOLE => vec![OVER, CATCH],
            CATCH => vec![OVER],
            _ => Vec::new(),
        }
    }

    fn place(&self, s: &State) -> Option<Place> {
        let flip = s.turn == Side::Min;
        let over = |mover_lost: bool| Place { flip: flip == mover_lost, ..Place::new(OVER, 0) };
        // A lion was caught: that of who is to move.
        let Some(board) = Board::of(s) else { return Some(over(true)) };
        if board.men[0][LION] & LAST_ROW != 0 {
            return Some(over(false));
        }
        if board.attackers(0, board.lion(1)) != 0 {
            return Some(Place { flip, ..Place::new(CATCH, 0) });
        }
        if board.men[1][LION] & FIRST_ROW != 0 {
            return Some(over(true));
        }
        Some(Place { flip, ..Place::new(WHOLE, self.numbering.number(&board)) })
    }

    fn position(&self, class: Class, index: u64) -> Option<State> {
        match (class, index) {
            (OVER, 0) => Some(self.over()),
            (CATCH, 0) => Some(self.catch()),
            (WHOLE, _) => self.numbering.board(index).map(|board| board.state()),
            _ => None,
        }
    }
}
