//! Numbers for the positions of endings, class by class.
//!
//! A position shares its number with its mirror images, with the one that has colours exchanged, and
//! with all that have other pieces on the same cells which take each other in the same way. The number is
//! made of fields: who moves, then for each group of pieces that can change places the set of their
//! cells, as one of the sets of cells that are left. Of the first group it is one of the sets that
//! mirror images leave. Where that does not decide between images, or between ways to see the pieces,
//! the least number counts, and the others are holes.
//!
//! Finished positions in which a side has no piece share one number, in a class of its own.

use foregone_model::tabled::with_all_below;
use foregone_model::{Class, ClassMoves, Indexed, Place, Side, Tabled, TextError};

use super::classes::{CLASSES, MOST, Pieces, Shape, Views, finished, key_of_code};
use super::quick::QuickMoves;
use super::{DarkChessEnding, MOST_CELLS, State, code};
use crate::board::{Grid, Word as _};
use crate::dark_chess::pieces::{FIRST_PIECE, KINDS, LETTERS, SET};

/// How many pieces the first group of a class may have: there is one of each colour, and it is the
/// smallest.
const MOST_FIRST: usize = MOST as usize / 2;

/// The most groups of pieces.
pub(super) const MOST_FIELDS: usize = MOST as usize;

/// The cells of the pieces of each field.
pub(super) type Sets = [u64; MOST_FIELDS];

/// The number of sets of k among n things, by n and k.
static CHOOSE: [[u64; MOST as usize + 1]; MOST_CELLS as usize + 1] = {
    let mut table = [[0; MOST as usize + 1]; MOST_CELLS as usize + 1];
    let mut n = 0;
    while n < table.len() {
        table[n][0] = 1;
        let mut k = 1;
        while k < table[n].len() && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The number of a set of cells among all sets of as many cells that are not `taken`.
#[inline]
fn number_of_set(set: u64, taken: u64) -> u64 {
    let mut number = 0;
    for (cell, k) in set.cells().zip(1..) {
        let place = cell - (taken & u64::first(cell)).count();
        number += CHOOSE[place as usize][k];
    }
    number
}

/// The set of so many cells out of these that has this number.
fn set_of_number(mut number: u64, count: usize, free: u64) -> u64 {
    let mut set = 0;
    for k in (1..=count).rev() {
        let room = free.count();
        let place = (0..room).rev().find(|&place| CHOOSE[place as usize][k] <= number).unwrap_or(0);
        number -= CHOOSE[place as usize][k];
        set |= u64::bit(free.nth(place));
    }
    set
}

/// The mirror images of a board, and what they leave of the sets of few cells.
#[derive(Clone, Debug)]
pub(super) struct Images {
    /// Where each cell goes, for each image; the first one changes nothing.
    maps: Vec<[u8; MOST_CELLS as usize]>,
    /// By the number of cells, less one.
    firsts: Vec<Firsts>,
}

/// Sets of cells up to mirror images.
#[derive(Clone, Debug)]
struct Firsts {
    /// One of all images each.
    chosen: Vec<u64>,
    /// For each set of so many cells the number of the one that is chosen, and the images that lead to
    /// it, a bit each.
    of: Vec<(u32, u8)>,
}

impl Images {
    pub(super) fn new(grid: &Grid<u64>) -> Images {
        let (rows, cols) = (grid.rows, grid.cols);
        let mut maps = Vec::new();
        for image in 0..if rows == cols { 8 } else { 4 } {
            let mut map = [0; MOST_CELLS as usize];
            for cell in 0..rows * cols {
                let (row, col) = (cell / cols, cell % cols);
                let row = if image & 1 == 0 { row } else { rows - 1 - row };
                let col = if image & 2 == 0 { col } else { cols - 1 - col };
                let (row, col) = if image & 4 == 0 { (row, col) } else { (col, row) };
                map[cell as usize] = (row * cols + col) as u8;
            }
            // On boards of one row or column some images are the same.
            if !maps.contains(&map) {
                maps.push(map);
            }
        }
        let mut images = Images { maps, firsts: Vec::new() };
        let cells = u64::first(rows * cols);
        images.firsts = (1..=MOST_FIRST).map(|count| images.firsts(count, cells)).collect();
        images
    }

    fn firsts(&self, count: usize, cells: u64) -> Firsts {
        let sets = CHOOSE[cells.count() as usize][count];
        let mut firsts = Firsts { chosen: Vec::new(), of: vec![(u32::MAX, 0); sets as usize] };
        for number in 0..sets {
            let set = set_of_number(number, count, cells);
            let images = (0..self.maps.len()).map(|image| (image, self.image(set, image)));
            let least = images.clone().map(|(_, image)| number_of_set(image, 0)).min();
            let least = least.unwrap_or(number);
            if least == number {
                firsts.of[number as usize].0 = firsts.chosen.len() as u32;
                firsts.chosen.push(set);
            }
            let leading = images.filter(|&(_, image)| number_of_set(image, 0) == least);
            let leading = leading.fold(0, |bits, (image, _)| bits | 1 << image);
            firsts.of[number as usize] = (firsts.of[least as usize].0, leading);
        }
        firsts
    }

    #[inline]
    fn image(&self, set: u64, image: usize) -> u64 {
        let map = &self.maps[image];
        set.cells().fold(0, |seen, cell| seen | u64::bit(map[cell as usize].into()))
    }
}

impl Shape {
    /// How many pieces a field has.
    fn count(&self, field: usize) -> usize {
        self.fields[field].kinds.len()
    }
}

impl DarkChessEnding {
    fn firsts(&self, shape: &Shape) -> &Firsts {
        &self.images.firsts[shape.count(0) - 1]
    }

    /// Whether the first field leaves several images for some position.
    pub(super) fn firsts_have_images(&self, shape: &Shape) -> bool {
        self.firsts(shape).of.iter().any(|&(_, images)| images.count_ones() > 1)
    }

    /// How many numbers a class has.
    pub(super) fn numbers(&self, shape: &Shape) -> u64 {
        let sides = if shape.dual { 1 } else { 2 };
        let mut free = self.cells() as usize;
        let mut numbers = sides * self.firsts(shape).chosen.len() as u64;
        for (field, kinds) in shape.fields.iter().map(|field| field.kinds.len()).enumerate() {
            if field > 0 {
                numbers *= CHOOSE[free][kinds];
            }
            free = free.saturating_sub(kinds);
        }
        numbers
    }

    /// The number of a position by the cells of each field, and by who moves in the table, which is 0
    /// for Red or where it is always Red: the least of all images. Only the cells of the first field are
    /// asked for, unless several images are left.
    #[inline]
    pub(super) fn number(&self, shape: &Shape, mover: u64, sets: &Sets) -> u64 {
        let firsts = self.firsts(shape);
        let (first, mut images) = firsts.of[number_of_set(sets[0], 0) as usize];
        let first = mover * firsts.chosen.len() as u64 + u64::from(first);
        let mut least = u64::MAX;
        while images != 0 {
            let image = images.trailing_zeros() as usize;
            images &= images - 1;
            let mut number = first;
            let mut taken = self.images.image(sets[0], image);
            let mut free = self.cells() as usize - shape.count(0);
            for (field, &set) in sets.iter().enumerate().take(shape.fields.len()).skip(1) {
                let set = self.images.image(set, image);
                let count = shape.count(field);
                number = number * CHOOSE[free][count] + number_of_set(set, taken);
                taken |= set;
                free -= count;
            }
            least = least.min(number);
        }
        least
    }

    /// The cells of each field and who moves, by a number; a hole has them, too.
    pub(super) fn sets(&self, shape: &Shape, number: u64) -> (u64, Sets) {
        let firsts = self.firsts(shape);
        let mut digits = [0; MOST_FIELDS];
        let mut rest = number;
        let mut free = shape.fields.iter().map(|field| field.kinds.len()).sum::<usize>();
        free = self.cells() as usize - free;
        for field in (1..shape.fields.len()).rev() {
            let count = shape.count(field);
            free += count;
            let ways = CHOOSE[free][count];
            digits[field] = rest % ways;
            rest /= ways;
        }
        let chosen = firsts.chosen.len() as u64;
        let mut sets = [0; MOST_FIELDS];
        sets[0] = firsts.chosen[(rest % chosen) as usize];
        let mut cells = self.grid.full & !sets[0];
        for field in 1..shape.fields.len() {
            sets[field] = set_of_number(digits[field], shape.count(field), cells);
            cells &= !sets[field];
        }
        (rest / chosen, sets)
    }

    /// The least number among all ways to see the pieces, by the cells of each code or field.
    #[inline]
    pub(super) fn least(&self, shape: &Shape, mover: u64, views: &Views, by: &[u64]) -> u64 {
        let numbers = views.0.iter().map(|view| {
            let mut sets = [0; MOST_FIELDS];
            for (set, &codes) in sets.iter_mut().zip(view) {
                *set = u64::from(codes).cells().fold(0, |set, code| set | by[code as usize]);
            }
            self.number(shape, mover, &sets)
        });
        numbers.min().unwrap_or(u64::MAX)
    }
}

/// The place of positions in which a side has no piece.
pub(super) fn finished_place(red_has_none: bool) -> Place {
    Place { flip: red_has_none, ..Place::new(Class(finished().key()), 0) }
}

impl Indexed for DarkChessEnding {
    fn class_name(&self, class: Class) -> String {
        match CLASSES.shape(class) {
            Some(shape) => shape.material.name(),
            None => finished().name(),
        }
    }

    fn size(&self, class: Class) -> u64 {
        match CLASSES.shape(class) {
            Some(shape) if shape.material.counts().iter().sum::<u32>() <= self.cells() => {
                self.numbers(shape)
            }
            Some(_) => 0,
            None => u64::from(class.0 == finished().key()),
        }
    }

    fn leads_to(&self, class: Class) -> Vec<Class> {
        let Some(shape) = CLASSES.shape(class) else { return Vec::new() };
        let fields = 0..shape.fields.len();
        let taken = fields.clone().filter(|&f| fields.clone().any(|own| shape.takes(own, f)));
        let below = |field: usize| match CLASSES.seat(shape.without(field).key()) {
            Some(seat) => CLASSES.shapes[seat.shape].class,
            None => Class(finished().key()),
        };
        let mut out: Vec<Class> = taken.map(below).collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    fn place(&self, s: &State) -> Option<Place> {
        let mut key = 0;
        let mut by_code = [0; 16];
        for (cell, code) in s.pieces() {
            key += key_of_code(code);
            by_code[code as usize] |= u64::bit(cell);
        }
        let Some(seat) = CLASSES.seat(key) else {
            let lives =
                [0, 1].map(|side| (0..KINDS).any(|kind| by_code[code(side, kind) as usize] != 0));
            return (lives[0] != lives[1]).then(|| finished_place(!lives[0]));
        };
        let shape = &CLASSES.shapes[seat.shape];
        let (flip, mover) = seat.flip(shape, s.turn);
        let index = self.least(shape, mover, &seat.views[usize::from(flip)], &by_code);
        Some(Place { flip, ..Place::new(shape.class, index) })
    }

    fn position(&self, class: Class, index: u64) -> Option<State> {
        let Some(shape) = CLASSES.shape(class) else {
            let mut s = State::empty(Side::Min);
            s.put(0, FIRST_PIECE);
            return (index < self.size(class)).then_some(s);
        };
        if index >= self.size(class) {
            return None;
        }
        let (mover, sets) = self.sets(shape, index);
        let mut s = State::empty(if mover == 0 { Side::Max } else { Side::Min });
        for (field, set) in shape.fields.iter().zip(sets) {
            for (cell, &kind) in set.cells().zip(&field.kinds) {
                s.put(cell, code(field.colour, kind));
            }
        }
        (self.place(&s) == Some(Place::new(class, index))).then_some(s)
    }
}

impl super::classes::Seat {
    /// Whether colours are exchanged in the table, and who moves there: 0 for Red, or where it is
    /// always Red.
    #[inline]
    pub(super) fn flip(&self, shape: &Shape, turn: Side) -> (bool, u64) {
        if shape.dual {
            return (turn == Side::Min, 0);
        }
        let flip = self.views[0].0.is_empty();
        (flip, (turn.index() ^ usize::from(flip)) as u64)
    }
}

/// What to type.
const EXPECTED: &str =
    "say which endings: KPvCP, say, or 3 for all endings with up to three pieces";

impl Tabled for DarkChessEnding {
    fn wanted(&self, text: &str) -> Result<Vec<Class>, TextError> {
        let is_number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let named = match text.parse::<u32>() {
            _ if !is_number => vec![named(text)?],
            Ok(pieces) if (2..=MOST).contains(&pieces) => {
                let few = |shape: &&Shape| shape.material.counts().iter().sum::<u32>() <= pieces;
                CLASSES.shapes.iter().filter(few).map(|shape| shape.class).collect()
            }
            _ => {
                let message = format!("endings have 2 to {MOST} pieces");
                return Err(TextError::new(message, 0..text.len()));
            }
        };
        if let [one] = named[..]
            && self.size(one) == 0
        {
            let message = format!("this board has {} cells", self.cells());
            return Err(TextError::new(message, 0..text.len()));
        }
        let filled = |class: &Class| self.size(*class) > 0;
        Ok(with_all_below(self, &named).into_iter().filter(filled).collect())
    }

    fn class_moves(&self, class: Class) -> Box<dyn ClassMoves + '_> {
        match CLASSES.shape(class) {
            Some(shape) => Box::new(QuickMoves::new(self, shape)),
            None => Box::new(foregone_model::tabled::PlainMoves::new(self, class)),
        }
    }
}

/// The class that a text names: `KPvCP`, or another material that stands in the same table.
fn named(text: &str) -> Result<Class, TextError> {
    let error = |message: String, span| Err(TextError::new(message, span));
    if text.is_empty() {
        return error(EXPECTED.to_owned(), 0..0);
    }
    let (mut counts, mut side) = ([[0; KINDS]; 2], 0);
    for (at, letter) in text.char_indices() {
        let span = at..at + letter.len_utf8();
        let kind = LETTERS.iter().position(|&l| l == letter.to_ascii_uppercase());
        match (letter, kind) {
            ('v' | 'V', _) if side == 0 => side = 1,
            (_, Some(kind)) if u32::from(counts[side][kind]) == SET[kind] => {
                return error(format!("a set has {} of these a side", SET[kind]), span);
            }
            (_, Some(kind)) => counts[side][kind] += 1,
            _ => {
                let shown = letter.escape_debug();
                return error(format!("`{shown}` is not a piece: they are K A E R H C P"), span);
            }
        }
        if Pieces(counts).counts().iter().sum::<u32>() > MOST {
            return error(format!("endings have up to {MOST} pieces"), span);
        }
    }
    let material = Pieces(counts);
    match CLASSES.seat(material.key()) {
        Some(seat) => Ok(CLASSES.shapes[seat.shape].class),
        None if material == finished() && side == 1 => Ok(Class(material.key())),
        None => error(format!("each side has a piece: {EXPECTED}"), 0..text.len()),
    }
}
