//! Depth first proof number search (`df`): df-pn.
//!
//! After A. Nagai (2002): proof number search as a depth first search with thresholds, so that it
//! needs a table of any size instead of a tree in memory. It stays below a child as long as that
//! child is the most proving one; with the 1 + ε trick (J. Pawlewicz and Ł. Lew, 2007) a little
//! longer, which saves coming back. Ours: the numbers of the children of the path are kept on the
//! path, so that a small table costs time but never progress, and results that rest on a
//! repetition stay out of the table as in `alphabeta`.

use std::ops::ControlFlow;

use foregone_model::{Look, Outcome, Side, Space};

use super::tree::over;
use crate::inform::Inform;
use crate::proof::{Again, Fact, Recall, extract};
use crate::report::{Counts, Limits, Progress, Report, StopReason, Watch};
use crate::scheme::{Effort, Pn, Scheme};
use crate::table::Table;

const TICK: u64 = 1024;
/// A result that rests on no state of the path.
const FREE: u32 = u32::MAX;
/// The 1 + ε trick: a child keeps the lead until it is a quarter worse than the second.
const EPSILON: u64 = 4;

/// What the table holds of a position.
#[derive(Clone, Copy)]
struct Entry {
    effort: Effort,
    /// When it was found out.
    when: u32,
}

/// A child of a state of the path.
#[derive(Clone, Copy)]
struct Child<M> {
    step: M,
    effort: Effort,
    /// The lowest place on the path that a solved value rests on.
    rests_on: u32,
}

/// One choice of the path.
struct Frame<S, P> {
    state: S,
    key: P,
    side: Side,
    /// Where its children begin in the common list, and which one is being searched.
    first: usize,
    current: usize,
    /// It is left when a number reaches these.
    proof: u32,
    disproof: u32,
    work: u64,
}

struct Search<'a, Sp: Space, I> {
    space: &'a Sp,
    inform: &'a mut I,
    table: Table<Sp::Packed, Entry>,
    path: Vec<Frame<Sp::State, Sp::Packed>>,
    children: Vec<Child<Sp::Step>>,
    steps: Vec<Sp::Step>,
    facts: u32,
    root: Effort,
    counts: Counts,
}

/// Searches until the root is solved or the limits or the watch end it. The proof is found by a
/// second walk, which may take `proof_nodes` nodes where the table has forgotten.
pub fn df<Sp: Space>(
    space: &Sp,
    inform: &mut impl Inform<Sp, Pn>,
    limits: Limits,
    proof_nodes: u64,
    watch: &mut dyn Watch<Sp::Step>,
) -> Report<Sp::Step> {
    let root = space.root();
    if let Look::Over(o) = space.look_at_root(&root) {
        return over(space, o);
    }
    let mut search = Search {
        space,
        inform,
        // The path and the proof need a little besides the table. In a space with cycles a proof
        // needs to know what was proved before what.
        table: Table::new(limits.bytes / 8 * 7, space.repetition().is_some()),
        path: Vec::new(),
        children: Vec::new(),
        steps: Vec::new(),
        facts: 0,
        root: Effort { proof: 1, disproof: 1 },
        counts: Counts::default(),
    };
    let (stop, value) = match search.solve(root, limits, watch) {
        Ok(outcome) => (StopReason::Solved, Some(outcome)),
        Err(reason) => (reason, None),
    };
    search.counts.playouts = search.inform.counts().playouts;
    let counts =
        Counts { peak_bytes: search.counts.peak_bytes.max(search.bytes()), ..search.counts };
    let solution = value.and_then(|outcome| {
        let nodes = search.counts.nodes.saturating_add(proof_nodes);
        let limits = Limits { nodes, ..limits };
        let at_least = Outcome::WIN;
        let mut again = Again { search, at_least, outcome, limits, watch };
        extract(space, outcome, &mut again, limits.bytes)
    });
    Report::of_two(stop, value, solution, Vec::new(), counts)
}

impl<Sp: Space, I: Inform<Sp, Pn>> Search<'_, Sp, I> {
    fn solve(
        &mut self,
        root: Sp::State,
        limits: Limits,
        watch: &mut dyn Watch<Sp::Step>,
    ) -> Result<Outcome, StopReason> {
        self.path.clear();
        self.children.clear();
        let Look::Choice(side) = self.space.look_at_root(&root) else {
            return Err(StopReason::Solved);
        };
        self.push(root, side, u32::MAX, u32::MAX);
        loop {
            // Step 1: the numbers of the last choice, from its children.
            let (effort, rests_on) = self.update();
            if self.path.len() == 1 {
                self.root = effort;
            }
            let frame = &self.path[self.path.len() - 1];
            if effort.proof >= frame.proof || effort.disproof >= frame.disproof {
                // Step 2: back to the choice above, which learns them.
                self.pop(effort, rests_on);
                let Some(above) = self.path.last() else {
                    return Pn.outcome(effort).ok_or(StopReason::Solved);
                };
                let place = self.path.len() as u32;
                let child = &mut self.children[above.current];
                child.effort = effort;
                // What rests on the state just left, or on states behind it, rests on nothing.
                child.rests_on = if rests_on >= place { FREE } else { rests_on };
            } else {
                // Step 3: into the most proving child.
                self.descend(effort);
            }
            if self.counts.nodes >= limits.nodes {
                return Err(StopReason::Nodes);
            }
            if self.counts.expansions.is_multiple_of(TICK) {
                self.look_around(watch)?;
            }
        }
    }

    #[inline]
    fn key(&self, s: &Sp::State) -> Sp::Packed {
        self.space.pack(&self.space.key(s))
    }

    /// Adds a choice to the path, with what is known of its children.
    fn push(&mut self, state: Sp::State, side: Side, proof: u32, disproof: u32) {
        self.counts.expansions += 1;
        let work = self.counts.nodes;
        let first = self.children.len();
        self.steps.clear();
        self.space.steps(&state, side, &mut self.steps);
        let key = self.key(&state);
        let repetition = self.space.repetition();
        for i in 0..self.steps.len() {
            let step = self.steps[i];
            let mut next = state.clone();
            self.space.take(&mut next, side, step);
            self.counts.nodes += 1;
            let mut rests_on = FREE;
            let repeated = repetition.and_then(|outcome| {
                let place = match next == state {
                    true => Some(self.path.len()),
                    false => self.path.iter().position(|f| f.state == next),
                };
                place.map(|place| (outcome, place))
            });
            let effort = match (repeated, self.space.look(&next)) {
                (Some((outcome, place)), _) => {
                    rests_on = place as u32;
                    Pn.solved(outcome)
                }
                (None, Look::Over(outcome)) => Pn.solved(outcome),
                (None, Look::Choice(side)) => match self.table.get(&self.key(&next)) {
                    Some(entry) => entry.effort,
                    None => self.inform.leaf(self.space, &next, side, 0),
                },
            };
            self.children.push(Child { step, effort, rests_on });
        }
        self.path.push(Frame { state, key, side, first, current: first, proof, disproof, work });
    }

    /// The numbers of the last choice, and what they rest on if they are solved.
    fn update(&self) -> (Effort, u32) {
        let frame = &self.path[self.path.len() - 1];
        let children = &self.children[frame.first..];
        let effort = Pn.update(frame.side, children.iter().map(|c| c.effort));
        let good = if frame.side == Side::Max { Outcome::WIN } else { Outcome::LOSS };
        let rests_on = match Pn.outcome(effort) {
            None => FREE,
            // One good child is enough: the one that rests on the least.
            Some(o) if o == good => {
                let fine = children.iter().filter(|c| Pn.outcome(c.effort) == Some(o));
                fine.map(|c| c.rests_on).max().unwrap_or(FREE)
            }
            Some(_) => children.iter().map(|c| c.rests_on).min().unwrap_or(FREE),
        };
        (effort, rests_on)
    }

    /// Leaves the last choice. Facts, and numbers that only guide, go into the table.
    fn pop(&mut self, effort: Effort, rests_on: u32) {
        let Some(frame) = self.path.pop() else { return };
        self.children.truncate(frame.first);
        let place = self.path.len() as u32;
        if rests_on >= place {
            self.facts += 1;
            let entry = Entry { effort, when: self.facts };
            self.table.put(frame.key, entry, self.counts.nodes - frame.work);
        }
    }

    /// Into the child that is cheapest for the side on turn, with thresholds that let it be left
    /// when another one becomes cheaper or the choice itself is to be left.
    fn descend(&mut self, effort: Effort) {
        let at = self.path.len() - 1;
        let frame = &self.path[at];
        let own = |e: Effort| if frame.side == Side::Max { e.proof } else { e.disproof };
        let other = |e: Effort| if frame.side == Side::Max { e.disproof } else { e.proof };
        let (mut best, mut second) = (frame.first, u32::MAX);
        for i in frame.first + 1..self.children.len() {
            if own(self.children[i].effort) < own(self.children[best].effort) {
                second = own(self.children[best].effort);
                best = i;
            } else {
                second = second.min(own(self.children[i].effort));
            }
        }
        let limit = Effort { proof: frame.proof, disproof: frame.disproof };
        let second = u64::from(second);
        let lead = (second + 1).max(second + second / EPSILON).min(u64::from(u32::MAX)) as u32;
        let own_limit = own(limit).min(lead);
        let rest = u64::from(other(effort))
            - u64::from(other(self.children[best].effort)).min(u64::from(other(effort)));
        let other_limit = match other(limit) {
            u32::MAX => u32::MAX,
            n => u64::from(n).saturating_sub(rest).max(1) as u32,
        };
        let (side, mut state) = (frame.side, frame.state.clone());
        let (proof, disproof) = match side {
            Side::Max => (own_limit, other_limit),
            Side::Min => (other_limit, own_limit),
        };
        self.space.take(&mut state, side, self.children[best].step);
        self.path[at].current = best;
        // Another path may have solved it meanwhile. A fact keeps the time at which it was found:
        // a proof must know what was there before what.
        if let Some(entry) = self.table.get(&self.key(&state))
            && Pn.outcome(entry.effort).is_some()
        {
            self.children[best].effort = entry.effort;
        } else if let Look::Choice(side) = self.space.look(&state) {
            self.push(state, side, proof, disproof);
        }
    }

    fn bytes(&self) -> u64 {
        self.table.bytes()
            + (self.path.capacity() * size_of::<Frame<Sp::State, Sp::Packed>>()
                + self.children.capacity() * size_of::<Child<Sp::Step>>()) as u64
    }

    fn look_around(&mut self, watch: &mut dyn Watch<Sp::Step>) -> Result<(), StopReason> {
        self.counts.peak_bytes = self.counts.peak_bytes.max(self.bytes());
        self.counts.playouts = self.inform.counts().playouts;
        let above = &self.path[..self.path.len().saturating_sub(1)];
        let line: Vec<Sp::Step> = above.iter().map(|f| self.children[f.current].step).collect();
        let progress = Progress { counts: self.counts, root: &self.root, line: &line };
        match watch.tick(&progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(reason) => Err(reason),
        }
    }
}

impl<Sp: Space, I: Inform<Sp, Pn>> Recall<Sp> for Search<'_, Sp, I> {
    fn recall(&self, key: &Sp::State, _at_least: Outcome) -> Option<Fact<Sp::Step>> {
        let entry = self.table.get(&self.space.pack(key))?;
        let outcome = Pn.outcome(entry.effort)?;
        Some(Fact { outcome, when: u64::from(entry.when), best: None })
    }

    fn again(
        &mut self,
        s: Sp::State,
        _at_least: Outcome,
        limits: Limits,
        watch: &mut dyn Watch<Sp::Step>,
    ) -> Option<Fact<Sp::Step>> {
        let outcome = self.solve(s, limits, watch).ok()?;
        Some(Fact { outcome, when: u64::from(self.facts), best: None })
    }
}
