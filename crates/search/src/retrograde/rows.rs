//! Ends that are words, by rows of positions: what is decided at a distance is a set, and so is what
//! moves taken back lead to.
//!
//! A position is lost when every move within the class leads to one that is won by the other side,
//! that is, when none leads to one that is still open: had it a move to one that is lost, it would be
//! won. So one set is enough to ask.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

use foregone_model::Side;
use foregone_model::cell::{HOLE, OPEN};
use foregone_model::rows::{Plane, RowMoves};

use super::words::{Says, says};
use super::{BuildWatch, Built, Cell, Problem, Stage};

/// How many rows a thread takes at a time.
const CHUNK: u64 = 256;

/// The sets of a build.
pub(super) struct Rows<'a, C> {
    problem: &'a Problem<'a>,
    moves: &'a dyn RowMoves,
    cells: &'a [C],
    watch: &'a dyn BuildWatch,
    /// Positions that are not decided up to the distance that is worked on. Their cells may hold a
    /// larger one.
    open: Plane,
    /// Won or lost by who moves, at the distance that is worked on.
    wins: Plane,
    losses: Plane,
    /// The same at the next distance. What may be lost stands among `next_losses` until it is looked at.
    next_wins: Plane,
    next_losses: Plane,
    /// Positions that cannot be lost, as a move to another class wins or holds.
    safe: Plane,
    /// Positions with moves to other classes that lose.
    exposed: Plane,
    /// For each row the distances of open positions that have one, modulo 64.
    due: Plane,
    /// The largest distance.
    last: AtomicU32,
    too_narrow: AtomicBool,
}

/// What moves to other classes say of the positions of a row.
struct Exits {
    /// Those that have one.
    any: u64,
    wins: u64,
    holds: u64,
    loses: u64,
    /// The soonest win, and the latest loss.
    soonest: [u16; 64],
    latest: [u16; 64],
}

fn places(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        place
    })
}

/// What a cell holds if a side wins in so many moves.
#[inline]
fn cell(winner: Side, distance: u32) -> u32 {
    2 + 2 * distance + winner.index() as u32
}

impl<'a, C: Cell> Rows<'a, C> {
    pub(super) fn new(
        problem: &'a Problem<'a>,
        moves: &'a dyn RowMoves,
        cells: &'a [C],
        watch: &'a dyn BuildWatch,
    ) -> Rows<'a, C> {
        let plane = || Plane::new(moves.rows());
        Rows {
            problem,
            moves,
            cells,
            watch,
            open: plane(),
            wins: plane(),
            losses: plane(),
            next_wins: plane(),
            next_losses: plane(),
            safe: plane(),
            exposed: plane(),
            due: plane(),
            last: AtomicU32::new(0),
            too_narrow: AtomicBool::new(false),
        }
    }

    pub(super) fn build(&self, from: Stage) -> Built {
        let (fresh, mut distance) = match from {
            // The first look is short: it begins anew.
            Stage::Looking(_) => (true, 0),
            Stage::Deciding { distance, .. } => (false, distance),
            Stage::Closing | Stage::Done => return Built::Done,
        };
        // Step 1: which positions there are, what is seen at once or by the moves to other classes.
        let found = self.each(|row| {
            self.open.set(row, self.moves.positions(row));
            true
        });
        if !found || !self.each(|row| self.look(row, fresh)) {
            return self.ended();
        }
        // Step 2: what work that is taken up has decided.
        if !fresh && !self.each(|row| self.take_up(row, distance)) {
            return self.ended();
        }
        // Step 3: backwards, one distance after the other.
        while distance <= self.last.load(Relaxed) {
            if !self.watch.reached(Stage::Deciding { gain: 1, distance }) {
                return Built::Stopped;
            }
            let done = self.each(|row| self.turn_to(row, distance))
                && self.each(|row| self.go_back(row))
                && self.each(|row| self.decide(row, distance));
            if !done {
                return self.ended();
            }
            distance += 1;
        }
        self.watch.reached(Stage::Done);
        Built::Done
    }

    fn ended(&self) -> Built {
        if self.too_narrow.load(Relaxed) { Built::TooNarrow } else { Built::Stopped }
    }

    /// Lets threads work at all rows. False if one of them, or the watch, ended it.
    fn each(&self, work: impl Fn(u64) -> bool + Sync) -> bool {
        let rows = self.moves.rows();
        let (next, stopped) = (AtomicU64::new(0), AtomicBool::new(false));
        let run = || {
            while !stopped.load(Relaxed) {
                let first = next.fetch_add(CHUNK, Relaxed);
                if first >= rows {
                    break;
                }
                let part: Range<u64> = first..(first + CHUNK).min(rows);
                let cells = 64 * (part.end - part.start);
                if !part.into_iter().all(&work) || !self.watch.goes_on(cells) {
                    stopped.store(true, Relaxed);
                }
            }
        };
        // Threads cost more than a few rows do.
        if self.problem.threads <= 1 || rows < 16 * CHUNK {
            run();
        } else {
            std::thread::scope(|scope| {
                for _ in 1..self.problem.threads {
                    scope.spawn(run);
                }
                run();
            });
        }
        !stopped.load(Relaxed)
    }

    /// Writes that a side wins in so many moves. False if there is no room.
    #[inline]
    fn write(&self, number: u64, winner: Side, distance: u32) -> bool {
        let cell = cell(winner, distance);
        if cell > u32::from(C::LARGEST) {
            self.too_narrow.store(true, Relaxed);
            return false;
        }
        self.cells[number as usize].set(cell as u16);
        if self.last.load(Relaxed) < distance {
            self.last.fetch_max(distance, Relaxed);
        }
        true
    }

    /// The same for several positions of a row.
    fn write_all(&self, row: u64, set: u64, winner: Side, distance: u32) -> bool {
        let mut numbers = [0; 64];
        self.moves.numbers(row, set, &mut numbers);
        places(set).all(|place| self.write(numbers[place], winner, distance))
    }

    /// Writes what will be decided at this distance, if nothing comes before.
    fn put_off(&self, row: u64, number: u64, winner: Side, distance: u32) -> bool {
        self.due.set(row, self.due.get(row) | 1 << (distance % 64));
        self.write(number, winner, distance)
    }

    /// What moves to other classes say of these positions.
    fn exits(&self, row: u64, set: u64) -> Exits {
        let mut found =
            Exits { any: 0, wins: 0, holds: 0, loses: 0, soonest: [0; 64], latest: [0; 64] };
        self.moves.exits(row, set, &mut |exit| {
            let below = &self.problem.below[usize::from(exit.slot) - 1];
            match says(below.cells.get(exit.index)) {
                // The rules do not allow the move.
                Says::Hole => return,
                Says::Open => found.holds |= exit.positions,
                Says::Won(winner, distance) if winner == exit.mover => {
                    for place in places(exit.positions) {
                        let first = found.wins >> place & 1 == 0;
                        if first || distance < u32::from(found.soonest[place]) {
                            found.soonest[place] = distance as u16;
                        }
                    }
                    found.wins |= exit.positions;
                }
                Says::Won(_, distance) => {
                    for place in places(exit.positions) {
                        found.latest[place] = found.latest[place].max(distance as u16);
                    }
                    found.loses |= exit.positions;
                }
            }
            found.any |= exit.positions;
        });
        found
    }

    /// Looks at positions for the first time, and writes what is seen unless that was done before.
    fn look(&self, row: u64, fresh: bool) -> bool {
        let set = self.open.get(row);
        if set == 0 {
            return true;
        }
        let exits = self.exits(row, set);
        self.safe.set(row, exits.wins | exits.holds);
        self.exposed.set(row, exits.loses);
        if !fresh {
            return true;
        }
        let stays = self.moves.leading_to(row, set & !exits.wins & !exits.holds, &self.open);
        let without = set & !stays & !exits.any;
        let lost = match without {
            0 => 0,
            _ => self.moves.lost_without_move(row, without),
        };
        let leaves = exits.loses & !stays & !exits.wins & !exits.holds;
        let mover = self.moves.mover(row);
        let mut numbers = [0; 64];
        self.moves.numbers(row, set, &mut numbers);
        places(set).all(|place| {
            let is_in = |set: u64| set >> place & 1 == 1;
            let number = numbers[place];
            if is_in(exits.wins) {
                self.put_off(row, number, mover, u32::from(exits.soonest[place]) + 1)
            } else if is_in(leaves) {
                self.put_off(row, number, mover.other(), u32::from(exits.latest[place]) + 1)
            } else if is_in(lost) {
                self.put_off(row, number, mover.other(), 0)
            } else {
                self.cells[number as usize].set(OPEN);
                true
            }
        })
    }

    /// Finds what was decided below this distance, and what is put off.
    fn take_up(&self, row: u64, distance: u32) -> bool {
        let open = self.open.get(row);
        let (mut decided, mut due) = (0, 0);
        let mut numbers = [0; 64];
        self.moves.numbers(row, open, &mut numbers);
        for place in places(open) {
            if let Says::Won(_, at) = says(self.cells[numbers[place] as usize].get()) {
                if at < distance {
                    decided |= 1 << place;
                } else {
                    due |= 1 << (at % 64);
                    self.last.fetch_max(at, Relaxed);
                }
            }
        }
        self.open.set(row, open & !decided);
        self.due.set(row, due);
        true
    }

    /// Collects what is decided at this distance.
    fn turn_to(&self, row: u64, distance: u32) -> bool {
        let (mut wins, mut losses) = (self.next_wins.get(row), self.next_losses.get(row));
        let (due, bit) = (self.due.get(row), 1 << (distance % 64));
        if due & bit != 0 {
            let set = self.open.get(row) & !wins & !losses;
            let mut numbers = [0; 64];
            self.moves.numbers(row, set, &mut numbers);
            let mover = self.moves.mover(row);
            let [won, lost] = [mover, mover.other()].map(|side| cell(side, distance) as u16);
            let mut later = false;
            for place in places(set) {
                match self.cells[numbers[place] as usize].get() {
                    HOLE | OPEN => {}
                    cell if cell == won => wins |= 1 << place,
                    cell if cell == lost => losses |= 1 << place,
                    cell => later |= (u32::from(cell) - 2) / 2 % 64 == distance % 64,
                }
            }
            if !later {
                self.due.set(row, due & !bit);
            }
        }
        let new = wins | losses;
        if new | self.wins.get(row) | self.losses.get(row) != 0 {
            self.wins.set(row, wins);
            self.losses.set(row, losses);
            self.next_wins.set(row, 0);
            self.next_losses.set(row, 0);
            self.open.set(row, self.open.get(row) & !new);
        }
        true
    }

    /// Takes moves back from what is decided at this distance.
    fn go_back(&self, row: u64) -> bool {
        let (wins, losses) = (self.wins.get(row), self.losses.get(row));
        if losses != 0 {
            self.moves.add_before(row, losses, &self.open, &self.next_wins);
        }
        if wins != 0 {
            self.moves.add_before(row, wins, &self.open, &self.next_losses);
        }
        true
    }

    /// Decides what is decided one move further.
    fn decide(&self, row: u64, distance: u32) -> bool {
        let (wins, maybe) = (self.next_wins.get(row), self.next_losses.get(row));
        if wins | maybe == 0 {
            return true;
        }
        let mover = self.moves.mover(row);
        if wins != 0 && !self.write_all(row, wins, mover, distance + 1) {
            return false;
        }
        let maybe = maybe & !wins & !self.safe.get(row);
        let mut lost = match maybe {
            0 => 0,
            _ => maybe & !self.moves.leading_to(row, maybe, &self.open),
        };
        let exposed = lost & self.exposed.get(row);
        if exposed != 0 {
            // Who loses takes the longest way, and that may be the one to another class.
            let exits = self.exits(row, exposed);
            let mut numbers = [0; 64];
            self.moves.numbers(row, exposed, &mut numbers);
            for place in places(exposed) {
                let latest = u32::from(exits.latest[place]);
                if latest > distance {
                    lost &= !(1 << place);
                    if !self.put_off(row, numbers[place], mover.other(), latest + 1) {
                        return false;
                    }
                }
            }
        }
        self.next_losses.set(row, lost);
        lost == 0 || self.write_all(row, lost, mover.other(), distance + 1)
    }
}
