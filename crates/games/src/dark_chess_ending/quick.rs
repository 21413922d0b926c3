//! The moves of a class in terms of numbers, without positions.

use foregone_model::tabled::Unmove;
use foregone_model::{ClassMoves, Indexed as _, Node, Side, Step};

use super::classes::{CLASSES, Seat, Shape, Views};
use super::numbering::{MOST_FIELDS, Sets, finished_place};
use super::{DarkChessEnding, LOSS, WIN};
use crate::board::Word as _;
use crate::dark_chess::pieces::ways;

/// The moves of a class.
pub(super) struct QuickMoves<'g> {
    game: &'g DarkChessEnding,
    shape: &'static Shape,
    size: u64,
    /// The ways to see the class as itself, by fields.
    own: Seat,
    /// Whether a number may be a hole.
    holes: bool,
    /// For each field the fields that its pieces take by steps, and those that they take by jumps.
    steps: [u8; MOST_FIELDS],
    jumps: [u8; MOST_FIELDS],
    /// What is left when a piece of a field is taken, if one can be.
    exits: Vec<Option<Exit>>,
    /// The cells beside each cell.
    beside: Vec<u64>,
}

/// What is left when a piece was taken.
struct Exit {
    slot: u16,
    /// The class, by fields of the one before; nothing if a side has no piece left.
    left: Option<(Seat, &'static Shape)>,
}

/// A position by its fields: who moves, 0 for Red, and the cells of each field.
#[derive(Clone, Copy)]
struct Fields {
    mover: u64,
    sets: Sets,
}

impl<'g> QuickMoves<'g> {
    pub(super) fn new(game: &'g DarkChessEnding, shape: &'static Shape) -> QuickMoves<'g> {
        let fields = 0..shape.fields.len();
        let by_field = |codes: u16| {
            let seen = fields.clone().filter(|&field| shape.codes(field) & codes != 0);
            seen.fold(0, |bits, field| bits | 1 << field)
        };
        let view_by_field = |view: &Vec<u16>| view.iter().map(|&codes| by_field(codes)).collect();
        let seat_by_field = |seat: &Seat| {
            let views = |views: &Views| Views(views.0.iter().map(view_by_field).collect());
            Seat { shape: seat.shape, views: seat.views.each_ref().map(views) }
        };
        let below = game.leads_to(shape.class);
        let exit = |field: usize| {
            let seat = CLASSES.seat(shape.without(field).key());
            let left = seat.map(|seat| (seat_by_field(seat), &CLASSES.shapes[seat.shape]));
            let class = left.as_ref().map_or(finished_place(false).class, |(_, to)| to.class);
            let slot = below.iter().position(|&to| to == class)? as u16 + 1;
            Some(Exit { slot, left })
        };
        let (mut steps, mut jumps) = ([0; MOST_FIELDS], [0; MOST_FIELDS]);
        for own in fields.clone() {
            for other in fields.clone() {
                steps[own] |= u8::from(shape.steps(own, other)) << other;
                jumps[own] |= u8::from(shape.jumps(own, other)) << other;
            }
        }
        let own = seat_by_field(CLASSES.seat_of(shape));
        QuickMoves {
            game,
            shape,
            size: game.numbers(shape),
            holes: own.views[0].0.len() > 1 || game.firsts_have_images(shape),
            own,
            steps,
            jumps,
            exits: fields.clone().map(exit).collect(),
            beside: (0..game.cells()).map(|cell| game.grid.around(u64::bit(cell))).collect(),
        }
    }

    /// The position of a number; nothing if it is a hole.
    #[inline]
    fn decode(&self, index: u64) -> Option<Fields> {
        let (mover, sets) = self.game.sets(self.shape, index);
        let least = || self.game.least(self.shape, mover, &self.own.views[0], &sets);
        (!self.holes || least() == index).then_some(Fields { mover, sets })
    }

    /// The number of a position of a class, and whether colours are exchanged.
    #[inline]
    fn encode(&self, seat: &Seat, shape: &Shape, at: &Fields) -> (u64, bool) {
        let turn = if at.mover == 0 { Side::Max } else { Side::Min };
        let (flip, mover) = seat.flip(shape, turn);
        (self.game.least(shape, mover, &seat.views[usize::from(flip)], &at.sets), flip)
    }

    /// Shows the steps of a colour to empty cells: the field, the cell, and those that it can go to.
    #[inline]
    fn quiet(&self, at: &Fields, colour: u64, mut see: impl FnMut(usize, u32, u64)) {
        let taken = at.sets.iter().fold(0, |taken, set| taken | set);
        for (field, shape) in self.shape.fields.iter().enumerate() {
            if shape.colour as u64 == colour {
                for from in at.sets[field].cells() {
                    see(field, from, self.beside[from as usize] & !taken);
                }
            }
        }
    }

    /// Appends the numbers that steps to empty cells lead to, from here or to here.
    fn steps_of(&self, at: &Fields, colour: u64, mut see: impl FnMut(u64, bool)) {
        self.quiet(at, colour, |field, from, cells| {
            for to in cells.cells() {
                let mut next = Fields { mover: 1 - at.mover, ..*at };
                next.sets[field] ^= u64::bit(from) | u64::bit(to);
                let (index, flip) = self.encode(&self.own, self.shape, &next);
                see(index, flip);
            }
        });
    }

    /// Appends the moves that take something.
    fn captures(&self, at: &Fields, out: &mut Vec<Step>) {
        for (field, shape) in self.shape.fields.iter().enumerate() {
            if shape.colour as u64 != at.mover {
                continue;
            }
            for from in at.sets[field].cells() {
                for other in u64::from(self.steps[field]).cells() {
                    let beside = self.beside[from as usize] & at.sets[other as usize];
                    for to in beside.cells() {
                        self.capture(at, [field, other as usize], [from, to], out);
                    }
                }
                if self.jumps[field] != 0 {
                    self.captures_by_jumps(at, field, from, out);
                }
            }
        }
    }

    fn captures_by_jumps(&self, at: &Fields, field: usize, from: u32, out: &mut Vec<Step>) {
        let taken = at.sets.iter().fold(0, |taken, set| taken | set);
        for (step, length) in ways(&self.game.grid, from) {
            let cells = (1..=length).map(|n| (from as i32 + step * n as i32) as u32);
            let Some(to) = cells.filter(|&cell| taken.has(cell)).nth(1) else { continue };
            let others = u64::from(self.jumps[field]).cells();
            for other in others.filter(|&other| at.sets[other as usize].has(to)) {
                self.capture(at, [field, other as usize], [from, to], out);
            }
        }
    }

    /// Appends the move of a piece of a field that takes one of another field.
    fn capture(
        &self,
        at: &Fields,
        [own, other]: [usize; 2],
        [from, to]: [u32; 2],
        out: &mut Vec<Step>,
    ) {
        let Some(exit) = &self.exits[other] else { return };
        let (index, flip) = match &exit.left {
            None => (0, at.mover == 1),
            Some((seat, shape)) => {
                let mut next = Fields { mover: 1 - at.mover, ..*at };
                next.sets[own] ^= u64::bit(from) | u64::bit(to);
                next.sets[other] ^= u64::bit(to);
                self.encode(seat, shape, &next)
            }
        };
        out.push(Step { slot: exit.slot, flip, shift: 0, index });
    }

    /// What stands at a number, if that many moves were found.
    fn node(at: &Fields, moves: bool) -> Node {
        match (moves, at.mover) {
            (true, 0) => Node::Choice(Side::Max),
            (true, _) => Node::Choice(Side::Min),
            (false, 0) => Node::Over(LOSS),
            (false, _) => Node::Over(WIN),
        }
    }
}

impl ClassMoves for QuickMoves<'_> {
    fn size(&self) -> u64 {
        self.size
    }

    fn look(&self, index: u64, out: &mut Vec<Step>) -> Node {
        let Some(at) = self.decode(index) else { return Node::Hole };
        let before = out.len();
        self.captures(&at, out);
        self.steps_of(&at, at.mover, |index, flip| {
            out.push(Step { slot: 0, flip, shift: 0, index });
        });
        Self::node(&at, out.len() > before)
    }

    fn exits(&self, index: u64, out: &mut Vec<Step>) -> (Node, bool) {
        let Some(at) = self.decode(index) else { return (Node::Hole, false) };
        let before = out.len();
        self.captures(&at, out);
        let mut within = false;
        self.quiet(&at, at.mover, |_, _, cells| within |= cells != 0);
        (Self::node(&at, within || out.len() > before), within)
    }

    fn mover(&self, index: u64) -> Side {
        // The highest digit of a number, and Red where there is no such digit.
        let second = !self.shape.dual && index >= self.size / 2;
        if second { Side::Min } else { Side::Max }
    }

    fn takes_back(&self) -> bool {
        true
    }

    fn predecessors(&self, index: u64, out: &mut Vec<Unmove>) {
        let Some(at) = self.decode(index) else { return };
        // A step to an empty cell can be taken back by the same piece.
        self.steps_of(&at, 1 - at.mover, |index, flip| out.push(Unmove { index, flip }));
    }
}
