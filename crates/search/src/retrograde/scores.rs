//! Ends that are scores. Positions are decided in the order of what they are worth more or less than
//! endless play, the largest gains first; within one gain in the order of their distances to other
//! classes, after which the score is known.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering::Relaxed};

use foregone_model::cell::{HOLE, Layout, OPEN};
use foregone_model::table::Entry;
use foregone_model::{Node, Outcome, Side};

use super::{BAND, BuildWatch, Built, Cell, Marks, Problem, Scratch, Stage, Step, in_slices};

/// In place of a distance: the position is not decided, and this is the best that the moves to other
/// classes give who moves there.
const TENTATIVE: u16 = 255;

/// In a cell: the position is not decided, and no move leads to another class. No entry has it.
const NO_OFFER: u16 = 0xffff;

/// What a cell says. Gains are those of Max over endless play.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Says {
    Hole,
    /// Not decided, and other classes give nothing.
    Inside,
    /// Not decided, with the best that other classes give.
    Offered(i32),
    /// Decided, in so many moves.
    Gain(i32, u32),
}

#[inline]
fn for_side(gain: i32, side: Side) -> i32 {
    if side == Side::Max { gain } else { -gain }
}

/// Works out the cells of a class, from this stage on.
pub(super) fn build(
    problem: &Problem<'_>,
    cells: &[AtomicU16],
    from: Stage,
    watch: &dyn BuildWatch,
) -> Built {
    let (Layout::Scores(least), Some(open)) = (problem.layout, problem.open) else {
        unreachable!("scores have a layout of their own, and endless play has one of them");
    };
    let marks = Marks::new(problem.moves.size());
    let too_far = AtomicBool::new(false);
    Scores { problem, cells, watch, least, open, marks, too_far }.build(from)
}

struct Scores<'a> {
    problem: &'a Problem<'a>,
    cells: &'a [AtomicU16],
    watch: &'a dyn BuildWatch,
    least: Outcome,
    open: Outcome,
    marks: Marks,
    too_far: AtomicBool,
}

impl Scores<'_> {
    fn build(&self, from: Stage) -> Built {
        let size = self.problem.moves.size();
        // Step 1: what is seen at once, or by the moves to other classes.
        let mut start = match from {
            Stage::Looking(at) => {
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
                Some(self.largest_gain())
            }
            Stage::Deciding { gain, .. } => Some(i32::from(gain)),
            Stage::Closing => None,
            Stage::Done => return Built::Done,
        };
        // Step 2: backwards, one gain after the other.
        while let Some(gain) = start.filter(|&gain| gain > 0) {
            if !self.decide(gain) {
                return self.ended();
            }
            start = Some(gain - 1);
        }
        // Step 3: what is not decided is open.
        if !self.watch.reached(Stage::Closing)
            || !self.each(0..size, |_| true, |part, _| self.close(part))
        {
            return self.ended();
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
        if self.too_far.load(Relaxed) { Built::TooNarrow } else { Built::Stopped }
    }

    #[inline]
    fn says(&self, cell: u16) -> Says {
        match cell {
            HOLE => return Says::Hole,
            OPEN => return Says::Offered(0),
            NO_OFFER => return Says::Inside,
            _ => {}
        }
        let (above, distance) = ((cell - 2) / 256, (cell - 2) % 256);
        let gain = i32::from(self.least.0 + above) - i32::from(self.open.0);
        if distance == TENTATIVE { Says::Offered(gain) } else { Says::Gain(gain, distance.into()) }
    }

    #[inline]
    fn at(&self, index: u64) -> Says {
        self.says(self.cells[index as usize].get())
    }

    fn outcome(&self, gain: i32) -> Outcome {
        Outcome((i32::from(self.open.0) + gain) as u16)
    }

    /// Writes a decision. False if there is no room.
    fn write(&self, index: u64, gain: i32, distance: u32) -> bool {
        match self.problem.layout.cell(self.outcome(gain), distance) {
            Some(cell) => {
                self.cells[index as usize].set(cell);
                self.marks.add(index, distance);
                true
            }
            None => {
                self.too_far.store(true, Relaxed);
                false
            }
        }
    }

    /// What a move to another class gains.
    #[inline]
    fn exit(&self, step: &Step) -> i32 {
        let below = &self.problem.below[usize::from(step.slot) - 1];
        let there = match (below.layout.entry(below.cells.get(step.index)), below.open) {
            (Entry::Forced(o, _), _) | (Entry::Open, Some(o)) => o,
            (Entry::Open | Entry::Hole, _) => panic!("a move leads to a hole"),
        };
        let (there, best) = (i32::from(there.0), i32::from(self.problem.best.0));
        let there = if step.flip { best - there } else { there };
        there + i32::from(step.shift) - i32::from(self.open.0)
    }

    /// Looks at positions for the first time.
    fn look(&self, part: Range<u64>, scratch: &mut Scratch) -> bool {
        for index in part {
            scratch.steps.clear();
            let (node, within) = self.problem.moves.exits(index, &mut scratch.steps);
            let (mover, gain) = match node {
                Node::Hole => {
                    self.cells[index as usize].set(HOLE);
                    continue;
                }
                Node::Over(o) => (None, Some(i32::from(o.0) - i32::from(self.open.0))),
                Node::Choice(side) => {
                    let gains = scratch.steps.iter().map(|step| for_side(self.exit(step), side));
                    (Some(side), gains.max().map(|gain| for_side(gain, side)))
                }
            };
            let written = match (mover, gain) {
                (_, Some(0)) => {
                    self.cells[index as usize].set(OPEN);
                    true
                }
                (_, None) => {
                    self.cells[index as usize].set(NO_OFFER);
                    true
                }
                (None, Some(gain)) => self.write(index, gain, 0),
                (Some(_), Some(gain)) if !within => self.write(index, gain, 1),
                (Some(_), Some(gain)) => {
                    // An offer is written like a decision, with its own distance.
                    let above = self.outcome(gain).0.checked_sub(self.least.0);
                    let above = above.filter(|&above| above < 255);
                    match above {
                        Some(above) => {
                            self.cells[index as usize].set(2 + above * 256 + TENTATIVE);
                            true
                        }
                        None => {
                            self.too_far.store(true, Relaxed);
                            false
                        }
                    }
                }
            };
            if !written {
                return false;
            }
        }
        true
    }

    /// The largest gain that stands in the cells: nothing larger can be forced.
    fn largest_gain(&self) -> i32 {
        let gains = self.cells.iter().map(|cell| match self.says(cell.get()) {
            Says::Offered(gain) | Says::Gain(gain, _) => gain.abs(),
            Says::Hole | Says::Inside => 0,
        });
        gains.max().unwrap_or(0)
    }

    /// Finds all positions from which a side gains just this. Work that is taken up again begins with the
    /// first distance: what is decided is found again.
    fn decide(&self, gain: i32) -> bool {
        let size = self.problem.moves.size();
        self.marks.clear();
        // Step 1: offers of other classes, and what is decided already.
        if !self.each(0..size, |_| true, |part, scratch| self.take_offers(part, gain, scratch)) {
            return false;
        }
        // Step 2: one distance after the other.
        let mut distance = 0;
        while distance <= self.marks.last() {
            let stage = Stage::Deciding { gain: gain as u16, distance };
            if !self.watch.reached(stage) {
                return false;
            }
            let wants = |slice| self.marks.has(slice, distance);
            if !self.each(0..size, wants, |part, s| self.go_back(part, gain, distance, s)) {
                return false;
            }
            distance += 1;
        }
        true
    }

    fn take_offers(&self, part: Range<u64>, gain: i32, scratch: &mut Scratch) -> bool {
        for index in part {
            let written = match self.at(index) {
                Says::Gain(g, distance) if g.abs() == gain => {
                    self.marks.add(index, distance);
                    true
                }
                Says::Offered(g) if g.abs() == gain => {
                    let winner = if g > 0 { Side::Max } else { Side::Min };
                    match self.problem.moves.mover(index) == winner {
                        true => self.write(index, g, 1),
                        // The best offer is a bad one: is all the rest as bad?
                        false => self.try_loss(index, winner, gain, 0, g, &mut scratch.steps),
                    }
                }
                _ => true,
            };
            if !written {
                return false;
            }
        }
        true
    }

    /// Takes moves back from the positions with this gain at this distance.
    fn go_back(&self, part: Range<u64>, gain: i32, distance: u32, scratch: &mut Scratch) -> bool {
        // A gain that has no cell is no position's.
        let cell = |gain: i32| {
            let outcome = u16::try_from(i32::from(self.open.0) + gain).ok().map(Outcome);
            outcome.and_then(|o| self.problem.layout.cell(o, distance)).unwrap_or(HOLE)
        };
        let here = [cell(gain), cell(-gain)];
        let mut unmoves = std::mem::take(&mut scratch.unmoves);
        let mut written = true;
        for index in part {
            let cell = self.cells[index as usize].get();
            if cell == HOLE || cell != here[0] && cell != here[1] {
                continue;
            }
            let winner = if cell == here[0] { Side::Max } else { Side::Min };
            unmoves.clear();
            self.problem.moves.predecessors(index, &mut unmoves);
            // A loop of its own, and a short one: so the machine waits for all of them at once.
            let decided = |index: u64| match self.at(index) {
                Says::Gain(..) | Says::Hole => true,
                Says::Inside | Says::Offered(_) => false,
            };
            unmoves.retain(|before| !decided(before.index));
            for before in &unmoves {
                let winner = if before.flip { winner.other() } else { winner };
                let mover = self.problem.moves.mover(before.index);
                written &= match (self.at(before.index), mover == winner) {
                    // One comes several times, or another thread was here.
                    (Says::Gain(..) | Says::Hole, _) => true,
                    (_, true) => self.write(before.index, for_side(gain, winner), distance + 1),
                    (Says::Inside, false) => {
                        let worst = for_side(i32::MAX, winner);
                        let steps = &mut scratch.steps;
                        self.try_loss(before.index, winner, gain, distance, worst, steps)
                    }
                    (Says::Offered(offer), false) => {
                        let steps = &mut scratch.steps;
                        self.try_loss(before.index, winner, gain, distance, offer, steps)
                    }
                };
            }
            if !written {
                break;
            }
        }
        scratch.unmoves = unmoves;
        written
    }

    /// Writes that `winner` gains just this if no move of the other side gives less: neither the best
    /// of those to other classes, which is `offer`, nor any within the class. Positions of the class with
    /// just this gain count if they are decided up to this distance.
    fn try_loss(
        &self,
        index: u64,
        winner: Side,
        gain: i32,
        distance: u32,
        offer: i32,
        steps: &mut Vec<Step>,
    ) -> bool {
        if for_side(offer, winner) < gain {
            return true;
        }
        let mut latest = 0;
        let lost = self.problem.moves.within(index, steps, &mut |next, flip| {
            let Says::Gain(found, moves) = self.at(next) else { return false };
            let found = for_side(if flip { -found } else { found }, winner);
            if found == gain {
                latest = latest.max(moves);
            }
            found > gain || found == gain && moves <= distance
        });
        !lost || self.write(index, for_side(gain, winner), latest + 1)
    }

    /// Makes what is not decided open.
    fn close(&self, part: Range<u64>) -> bool {
        for index in part {
            if let Says::Offered(_) | Says::Inside = self.at(index) {
                self.cells[index as usize].set(OPEN);
            }
        }
        true
    }
}
