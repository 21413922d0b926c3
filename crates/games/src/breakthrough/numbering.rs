//! Numbers for all positions of small boards, reachable or not.
//!
//! A class is a number of pieces of both sides, neither of whom has more than at the start. White is who
//! has more, and White moves where both have as many: other positions stand in the tables with
//! players exchanged and the board turned round. A position and its mirror image share a number, so
//! the other one is a hole. Pieces only go ahead, so nobody stands on the own far row: then the game
//! is over. All positions that are over because of that, or as a side has no piece, share one number
//! in a class of their own, in which White has lost.
//!
//! A number is made of fields: who moves, White's pieces in the first row, those in the middle rows,
//! and Black's, counted among the squares that are left. Positions with as many white pieces in the
//! first row stand together.

use foregone_model::tabled::{PlainMoves, Unmove, with_all_below};
use foregone_model::{
    Class, ClassMoves, Indexed, Node, Notation as _, Outcome, Place, Side, Step, Tabled, TextError,
};

use super::{Breakthrough, State};
use crate::board::Word as _;

/// White has lost.
const OVER: Class = Class(0);

/// How many numbers a class may have, and all that are asked for together.
const MOST: u64 = 1 << 32;

/// The number of sets of k among n things, by n and k; the largest number stands for all above it.
static CHOOSE: [[u64; 65]; 65] = {
    let mut table = [[0u64; 65]; 65];
    let mut n = 0;
    while n < 65 {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1].saturating_add(table[n - 1][k]);
            k += 1;
        }
        n += 1;
    }
    table
};

fn choose(n: u32, k: u32) -> u64 {
    CHOOSE[n as usize][k as usize]
}

/// The number of a set of cells among all sets of as many, each cell counted among those of `room`.
fn number_of(set: u64, room: u64) -> u64 {
    let ranks = set.cells().map(|cell| (room & u64::first(cell)).count());
    ranks.zip(1..).map(|(rank, k)| choose(rank, k)).sum()
}

/// The set of so many cells of `room` that has this number.
fn set_of(mut number: u64, count: u32, room: u64) -> u64 {
    let (mut set, mut rank) = (0, room.count());
    for k in (1..=count).rev() {
        while rank > 0 && choose(rank - 1, k) > number {
            rank -= 1;
        }
        rank = rank.saturating_sub(1);
        number -= choose(rank, k);
        set |= u64::bit(room.nth(rank));
    }
    set
}

/// The pieces of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Material {
    /// Those of White, who has as many as Black or more.
    white: u32,
    black: u32,
}

impl Material {
    fn class(self) -> Class {
        Class(u64::from(self.white) << 8 | u64::from(self.black))
    }

    /// How many sides may be to move in the tables.
    fn sides(self) -> u64 {
        if self.white == self.black { 1 } else { 2 }
    }
}

impl Breakthrough<u64> {
    fn cells(&self) -> u32 {
        self.grid.rows * self.grid.cols
    }

    /// The material of a class; nothing if there is no such class.
    fn material(&self, class: Class) -> Option<Material> {
        let material = Material { white: (class.0 >> 8) as u32, black: (class.0 & 255) as u32 };
        let possible = (1..=material.white).contains(&material.black)
            && material.white <= 2 * self.grid.cols
            && material.class() == class;
        (possible && self.numbers(material) <= MOST).then_some(material)
    }

    /// In how many ways so many white pieces stand in the first row, the others in the middle, and the
    /// black ones elsewhere.
    fn block(&self, material: Material, home: u32) -> [u64; 3] {
        let ahead = material.white - home;
        let (cols, all) = (self.grid.cols, self.cells());
        if ahead > all - 2 * cols {
            return [0; 3];
        }
        [
            choose(cols, home),
            choose(all - 2 * cols, ahead),
            choose(all - cols - ahead, material.black),
        ]
    }

    /// How many numbers there are for each side to move.
    fn half(&self, material: Material) -> u64 {
        let homes = 0..=material.white.min(self.grid.cols);
        let ways = |home| self.block(material, home).into_iter().fold(1, u64::saturating_mul);
        homes.map(ways).fold(0, u64::saturating_add)
    }

    fn numbers(&self, material: Material) -> u64 {
        self.half(material).saturating_mul(material.sides())
    }

    /// The squares of the first row, and those that are neither there nor in the last row.
    fn rooms(&self) -> [u64; 2] {
        let home = u64::first(self.grid.cols);
        [home, self.grid.full & !(self.far[0] | self.far[1])]
    }

    /// The number of pieces within the numbers of one side to move.
    fn number(&self, material: Material, [white, black]: [u64; 2]) -> u64 {
        let [home, middle] = self.rooms();
        let count = (white & home).count();
        let before = (0..count).map(|home| self.block(material, home).iter().product::<u64>());
        let first: u64 = before.sum();
        let [_, ahead, other] = self.block(material, count);
        let left = (middle | self.far[0]) & !white;
        let white = number_of(white & home, home) * ahead + number_of(white & middle, middle);
        first + white * other + number_of(black, left)
    }

    /// The pieces of a number within those of one side to move.
    fn pieces(&self, material: Material, mut number: u64) -> [u64; 2] {
        let [home, middle] = self.rooms();
        let mut count = 0;
        loop {
            let ways: u64 = self.block(material, count).iter().product();
            if number < ways {
                break;
            }
            number -= ways;
            count += 1;
        }
        let [_, ahead, other] = self.block(material, count);
        let white = set_of(number / other / ahead, count, home)
            | set_of(number / other % ahead, material.white - count, middle);
        let left = (middle | self.far[0]) & !white;
        [white, set_of(number % other, material.black, left)]
    }

    /// The same pieces with left and right exchanged.
    fn mirrored(&self, mut pieces: [u64; 2]) -> [u64; 2] {
        self.grid.mirror_columns(&mut pieces);
        pieces
    }

    /// Where a position stands that is not over because of where pieces are.
    fn located(&self, s: &State<u64>) -> Option<Place> {
        let [white, black] = s.pieces.map(u64::count);
        let flip = black > white || black == white && s.turn == Side::Min;
        let turn = |set: u64| set.reversed() >> (u64::BITS - self.cells());
        let [own, other] = s.pieces;
        let (pieces, turn) = match flip {
            true => ([turn(other), turn(own)], s.turn.other()),
            false => (s.pieces, s.turn),
        };
        let material = Material { white: white.max(black), black: white.min(black) };
        self.material(material.class())?;
        let number = self.number(material, pieces);
        let number = number.min(self.number(material, self.mirrored(pieces)));
        let index = turn.index() as u64 * self.half(material) + number;
        Some(Place { flip, ..Place::new(material.class(), index) })
    }

    /// The position of a number; nothing if it is a hole.
    fn found(&self, material: Material, half: u64, index: u64) -> Option<State<u64>> {
        if index >= half * material.sides() {
            return None;
        }
        let pieces = self.pieces(material, index % half);
        let mirrored = self.number(material, self.mirrored(pieces));
        let turn = if index < half { Side::Max } else { Side::Min };
        (mirrored >= index % half).then_some(State { pieces, turn })
    }
}

impl Indexed for Breakthrough<u64> {
    fn class_name(&self, class: Class) -> String {
        match self.material(class) {
            Some(material) => format!("{}-{}", material.white, material.black),
            None => "over".to_owned(),
        }
    }

    fn size(&self, class: Class) -> u64 {
        match class {
            OVER => 1,
            _ => self.material(class).map_or(0, |material| self.numbers(material)),
        }
    }

    fn leads_to(&self, class: Class) -> Vec<Class> {
        let Some(Material { white, black }) = self.material(class) else { return Vec::new() };
        let mut below = vec![OVER];
        let captured = [(white - 1, black), (white, black - 1)];
        for (one, other) in captured.into_iter().filter(|&(one, other)| one > 0 && other > 0) {
            below.push(Material { white: one.max(other), black: one.min(other) }.class());
        }
        below.dedup();
        below
    }

    fn place(&self, s: &State<u64>) -> Option<Place> {
        match self.winner(s) {
            Some(winner) => Some(Place { flip: winner == Side::Max, ..Place::new(OVER, 0) }),
            None => self.located(s),
        }
    }

    fn position(&self, class: Class, index: u64) -> Option<State<u64>> {
        if (class, index) == (OVER, 0) {
            // A black piece has arrived in the corner.
            return Some(State { pieces: [u64::bit(self.grid.cols), 1], turn: Side::Max });
        }
        let material = self.material(class)?;
        self.found(material, self.half(material), index)
    }
}

impl Tabled for Breakthrough<u64> {
    fn wanted(&self, text: &str) -> Result<Vec<Class>, TextError> {
        let error = |message: String| Err(TextError::new(message, 0..text.len()));
        let most = 2 * self.grid.cols;
        let side = |text: &str| text.parse().ok().filter(|n| (1..=most).contains(n));
        let (one, other): (u32, u32) = match text.split_once('-') {
            None if text.is_empty() => (most, most),
            None if text == "over" => return Ok(vec![OVER]),
            None => return error("classes are called `3-2`: three pieces against two".to_owned()),
            Some((one, other)) => match side(one).zip(side(other)) {
                Some(sides) => sides,
                None => return error(format!("each side has 1 to {most} pieces")),
            },
        };
        let top = Material { white: one.max(other), black: one.min(other) };
        let below = (1..=top.white).flat_map(|white| {
            (1..=white.min(top.black)).map(move |black| Material { white, black })
        });
        let numbers = below.map(|m| self.numbers(m)).fold(0, u64::saturating_add);
        if numbers > MOST {
            let (name, Material { white, black }) = (self.name(), top);
            return error(format!(
                "the tables of {name} with {white} pieces against {black}, and with fewer, have more \
                 than {MOST} numbers: ask for those with few pieces, as `3-2`"
            ));
        }
        Ok(with_all_below(self, &[top.class()]))
    }

    fn class_moves(&self, class: Class) -> Box<dyn ClassMoves + '_> {
        match self.material(class) {
            Some(material) => {
                let (half, below) = (self.half(material), self.leads_to(class));
                Box::new(Moves { game: self, material, half, below })
            }
            None => Box::new(PlainMoves::new(self, class)),
        }
    }
}

/// The moves of a class, and those taken back.
struct Moves<'g> {
    game: &'g Breakthrough<u64>,
    material: Material,
    half: u64,
    below: Vec<Class>,
}

impl Moves<'_> {
    /// Where a move leads that is not over.
    fn step(&self, next: &State<u64>) -> Option<Step> {
        let place = self.game.located(next)?;
        let slot = match place.class == self.material.class() {
            true => 0,
            false => 1 + self.below.iter().position(|&below| below == place.class)?,
        };
        Some(Step { slot: slot as u16, flip: place.flip, shift: 0, index: place.index })
    }
}

impl ClassMoves for Moves<'_> {
    fn size(&self) -> u64 {
        self.half * self.material.sides()
    }

    fn look(&self, index: u64, out: &mut Vec<Step>) -> Node {
        let Some(s) = self.game.found(self.material, self.half, index) else { return Node::Hole };
        let (own, other) = (s.turn.index(), s.turn.other().index());
        let (grid, far) = (&self.game.grid, self.game.far[own]);
        let (mut any, mut wins) = (false, false);
        for from in s.pieces[own].cells().map(u64::bit) {
            let ahead = if s.turn == Side::Max { grid.north(from) } else { grid.south(from) };
            let targets = ahead & !s.pieces[other] | grid.west(ahead) | grid.east(ahead);
            for to in (targets & !s.pieces[own]).cells().map(u64::bit) {
                any = true;
                let mut pieces = s.pieces;
                pieces[own] ^= from | to;
                pieces[other] &= !to;
                if to & far != 0 || pieces[other] == 0 {
                    wins = true;
                } else {
                    out.extend(self.step(&State { pieces, turn: s.turn.other() }));
                }
            }
        }
        if wins {
            out.push(Step { slot: 1, flip: s.turn == Side::Max, shift: 0, index: 0 });
        }
        match any {
            true => Node::Choice(s.turn),
            // Who cannot move has lost.
            false => Node::Over(if s.turn == Side::Max { Outcome::LOSS } else { Outcome::WIN }),
        }
    }

    fn mover(&self, index: u64) -> Side {
        if index < self.half { Side::Max } else { Side::Min }
    }

    fn takes_back(&self) -> bool {
        true
    }

    fn predecessors(&self, index: u64, out: &mut Vec<Unmove>) {
        let Some(s) = self.game.found(self.material, self.half, index) else { return };
        let (grid, mover) = (&self.game.grid, s.turn.other());
        let empty = grid.full & !(s.pieces[0] | s.pieces[1]);
        for to in s.pieces[mover.index()].cells().map(u64::bit) {
            let back = if mover == Side::Max { grid.south(to) } else { grid.north(to) };
            let sources = (back | grid.west(back) | grid.east(back)) & empty;
            for from in sources.cells().map(u64::bit) {
                let mut pieces = s.pieces;
                pieces[mover.index()] ^= from | to;
                if let Some(before) = self.game.located(&State { pieces, turn: mover }) {
                    out.push(Unmove { index: before.index, flip: before.flip });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
