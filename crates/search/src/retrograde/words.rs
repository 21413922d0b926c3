//! Ends that are words: a win and a loss in so many moves, and the rest, which is open.

use foregone_model::cell::{HOLE, Layout, OPEN};
use foregone_model::{Node, Outcome, Side};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::{
    BAND, BuildWatch, Built, Cell, Marks, Problem, SLICE, Scratch, Stage, Step, in_slices,
};

/// What a cell says: who has forced the better end for itself, and in how many moves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    /// The position does not exist.
    Hole,
    /// Nobody, so far.
    Open,
    /// This side has.
    Won(Side, u32),
}

#[inline]
pub(super) fn says(cell: u16) -> Says {
    match cell {
        HOLE => Says::Hole,
        OPEN => Says::Open,
        _ => {
            let winner = if cell.is_multiple_of(2) { Side::Max } else { Side::Min };
            Says::Won(winner, u32::from(cell - 2) / 2)
        }
    }
}

#[inline]
fn flipped(side: Side, flip: bool) -> Side {
    if flip { side.other() } else { side }
}

pub(super) struct Words<'a, C> {
    problem: &'a Problem<'a>,
    cells: &'a [C],
    watch: &'a dyn BuildWatch,
    marks: Marks,
    too_narrow: AtomicBool,
}

impl<'a, C: Cell> Words<'a, C> {
    pub(super) fn new(
        problem: &'a Problem<'a>,
        cells: &'a [C],
        watch: &'a dyn BuildWatch,
    ) -> Words<'a, C> {
        let marks = Marks::new(problem.moves.size());
        Words { problem, cells, watch, marks, too_narrow: AtomicBool::new(false) }
    }

    pub(super) fn build(&self, from: Stage) -> Built {
        let size = self.problem.moves.size();
        // Step 1: what is seen at once, or by the moves to other classes.
        let mut distance = match from {
            Stage::Looking(at) => {
                self.find_marks(0..at);
                let mut at = at;
                while at < size {
                    let end = size.min(at + BAND);
                    if !self.each(at..end, |_| true, |part, scratch| self.look(part, scratch)) {
                        return self.ended();
                    }
                    at = end;
                    if !self.watch.reached(Stage::Looking(at)) {
                        return Built::Stopped;
                    }
                }
                0
            }
            Stage::Deciding { distance, .. } => {
                self.find_marks(0..size);
                distance
            }
            Stage::Closing | Stage::Done => return Built::Done,
        };
        // Step 2: backwards, one distance after the other.
        let backwards = self.problem.moves.takes_back();
        while backwards && distance <= self.marks.last() {
            if !self.watch.reached(Stage::Deciding { gain: 1, distance }) {
                return Built::Stopped;
            }
            let wants = |slice| self.marks.has(slice, distance);
            if !self.each(0..size, wants, |part, s| self.go_back(part, distance, s)) {
                return self.ended();
            }
            distance += 1;
        }
        // Step 3: or forwards, as long as anything changes.
        let changed = AtomicBool::new(!backwards);
        while changed.swap(false, Relaxed) {
            if !self.watch.reached(Stage::Deciding { gain: 1, distance: 0 }) {
                return Built::Stopped;
            }
            if !self.each(0..size, |_| true, |part, s| self.go_over(part, &changed, s)) {
                return self.ended();
            }
        }
        self.watch.reached(Stage::Done);
        Built::Done
    }

    fn each(
        &self,
        range: Range<u64>,
        wants: impl Fn(u64) -> bool + Sync,
        work: impl Fn(Range<u64>, &mut Scratch) -> bool + Sync,
    ) -> bool {
        in_slices(range, self.problem.threads, self.watch, wants, work)
    }

    fn ended(&self) -> Built {
        if self.too_narrow.load(Relaxed) { Built::TooNarrow } else { Built::Stopped }
    }

    /// The distances that are there already, in work that is taken up again.
    fn find_marks(&self, range: Range<u64>) {
        for index in range {
            if let Says::Won(_, distance) = says(self.cells[index as usize].get()) {
                self.marks.add(index, distance);
            }
        }
    }

    /// Writes that a side wins in so many moves. False if there is no room.
    #[inline]
    fn win(&self, index: u64, winner: Side, distance: u32) -> bool {
        let cell = 2 + 2 * distance + winner.index() as u32;
        if cell > u32::from(C::LARGEST) {
            self.too_narrow.store(true, Relaxed);
            return false;
        }
        self.cells[index as usize].set(cell as u16);
        self.marks.add(index, distance);
        true
    }

    /// What a final outcome says.
    fn end(&self, o: Outcome) -> Says {
        let Layout::Ends(window) = self.problem.layout else { return Says::Open };
        let o = window.clamp(o);
        match (self.problem.open == Some(o), o == window.high) {
            (true, _) => Says::Open,
            (_, true) => Says::Won(Side::Max, 0),
            (_, false) => Says::Won(Side::Min, 0),
        }
    }

    /// What a move to another class leads to, seen from here.
    #[inline]
    fn exit(&self, step: &Step) -> Says {
        let below = &self.problem.below[usize::from(step.slot) - 1];
        match says(below.cells.get(step.index)) {
            Says::Won(winner, distance) => Says::Won(flipped(winner, step.flip), distance),
            other => other,
        }
    }

    /// Looks at positions for the first time.
    fn look(&self, part: Range<u64>, scratch: &mut Scratch) -> bool {
        for index in part {
            scratch.steps.clear();
            let (node, within) = self.problem.moves.exits(index, &mut scratch.steps);
            let found = match node {
                Node::Hole => Says::Hole,
                Node::Over(o) => self.end(o),
                Node::Choice(mover) => self.best_exit(mover, within, &scratch.steps),
            };
            match found {
                Says::Hole => self.cells[index as usize].set(HOLE),
                Says::Open => self.cells[index as usize].set(OPEN),
                Says::Won(winner, distance) => {
                    if !self.win(index, winner, distance) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// What moves to other classes show: a win, or a loss if there are no other moves.
    fn best_exit(&self, mover: Side, within: bool, exits: &[Step]) -> Says {
        let (mut soonest, mut latest, mut open) = (u32::MAX, 0, within);
        for step in exits {
            match self.exit(step) {
                Says::Won(winner, distance) if winner == mover => soonest = soonest.min(distance),
                Says::Won(_, distance) => latest = latest.max(distance),
                Says::Open | Says::Hole => open = true,
            }
        }
        match (soonest, open) {
            (u32::MAX, true) => Says::Open,
            (u32::MAX, false) => Says::Won(mover.other(), latest + 1),
            _ => Says::Won(mover, soonest + 1),
        }
    }

    /// Takes moves back from the positions of this distance.
    fn go_back(&self, part: Range<u64>, distance: u32, scratch: &mut Scratch) -> bool {
        let here = [2 + 2 * distance, 3 + 2 * distance].map(|cell| cell as u16);
        for index in part {
            let cell = self.cells[index as usize].get();
            if cell != here[0] && cell != here[1] {
                continue;
            }
            let winner = if cell == here[0] { Side::Max } else { Side::Min };
            let mut unmoves = std::mem::take(&mut scratch.unmoves);
            unmoves.clear();
            self.problem.moves.predecessors(index, &mut unmoves);
            for before in &unmoves {
                let winner = flipped(winner, before.flip);
                let now = says(self.cells[before.index as usize].get());
                let decided = matches!(now, Says::Won(_, d) if d <= distance + 1);
                if decided {
                    continue;
                }
                let room = if self.problem.moves.mover(before.index) == winner {
                    self.win(before.index, winner, distance + 1)
                } else if now == Says::Open {
                    self.try_loss(before.index, winner, distance, &mut scratch.steps)
                } else {
                    true
                };
                if !room {
                    return false;
                }
            }
            scratch.unmoves = unmoves;
        }
        true
    }

    /// Writes that `winner` wins if it does so after every move of the other side; those within the
    /// class are to be decided up to this distance.
    fn try_loss(&self, index: u64, winner: Side, distance: u32, steps: &mut Vec<Step>) -> bool {
        steps.clear();
        self.problem.moves.look(index, steps);
        let mut latest = distance;
        for step in &*steps {
            let (says, within) = match step.slot {
                0 => match says(self.cells[step.index as usize].get()) {
                    Says::Won(winner, d) => (Says::Won(flipped(winner, step.flip), d), true),
                    other => (other, true),
                },
                _ => (self.exit(step), false),
            };
            match says {
                Says::Won(side, d) if side == winner && (d <= distance || !within) => {
                    latest = latest.max(d);
                }
                _ => return true,
            }
        }
        self.win(index, winner, latest + 1)
    }

    /// Works out positions anew from what their moves lead to. A distance may be too large until those
    /// behind it are right; when nothing changes any more all of them are, as then there is but one
    /// solution.
    fn go_over(&self, part: Range<u64>, changed: &AtomicBool, scratch: &mut Scratch) -> bool {
        for index in part {
            let now = self.cells[index as usize].get();
            if now == HOLE {
                continue;
            }
            scratch.steps.clear();
            let Node::Choice(mover) = self.problem.moves.look(index, &mut scratch.steps) else {
                continue;
            };
            let (mut soonest, mut latest, mut open) = (u32::MAX, 0, false);
            for step in &scratch.steps {
                let found = match step.slot {
                    0 => says(self.cells[step.index as usize].get()),
                    _ => says(self.problem.below[usize::from(step.slot) - 1].cells.get(step.index)),
                };
                match found {
                    Says::Won(winner, d) if flipped(winner, step.flip) == mover => {
                        soonest = soonest.min(d);
                    }
                    Says::Won(_, d) => latest = latest.max(d),
                    Says::Open | Says::Hole => open = true,
                }
            }
            let (winner, distance) = match (soonest, open) {
                (u32::MAX, true) => continue,
                (u32::MAX, false) => (mover.other(), latest + 1),
                _ => (mover, soonest + 1),
            };
            if says(now) != Says::Won(winner, distance) {
                changed.store(true, Relaxed);
                if !self.win(index, winner, distance) {
                    return false;
                }
            }
        }
        true
    }
}

const _: () = assert!(BAND.is_multiple_of(SLICE), "bands are whole slices");
