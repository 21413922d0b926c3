//! Several threads search one state together.
//!
//! In the manner of ABDADA (J.-C. Weill, *The ABDADA Distributed Minimax Search Algorithm*, 1996) in
//! the simple form of T. Kerrigan (*Simplified ABDADA*, 2014): every thread does the whole search, and
//! they share the table. Behind the first step of a choice, a step whose state another thread is
//! searching is put off once, to the end of the list; mostly its value is in the table by then. Ours:
//! only states that are much work are marked, by what states at their depth took so far; and a thread
//! that works behind a state which another one has decided meanwhile comes back at once.
//!
//! What a thread takes from the table is true whoever put it there, so the answer does not depend on
//! how many there are, nor on who is first.

use std::hash::BuildHasher;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::ScopedJoinHandle;

use foregone_model::{Outcome, Space};

use super::{Bounds, Entry, FREE, Frame, Result, Search, Stamp, Value};
use crate::report::{Counts, Limits, StopReason, Watch};
use crate::table::{Held, Quick, SharedTable};

/// How many marks there are. A thread marks one state for each choice of its path.
const MARKS: usize = 1 << 12;
/// Threads ask for so many nodes at a time, so that a limit holds for all of them together.
const BATCH: u64 = 1 << 10;
/// Marking a state is worth its while when states at its depth took so many nodes.
const MUCH: u64 = 64;
/// How many times a thread looks around until it looks whether others were quicker.
const SELDOM: u32 = 32;

/// How a search ended, or why it stopped.
type Ended = std::result::Result<Value, StopReason>;

/// What the threads share besides the table.
pub(super) struct Crew {
    /// One of them has the answer, or they are to end.
    over: AtomicBool,
    ended: Mutex<Option<Ended>>,
    /// States that are being searched: a part of their hash, or 0.
    marks: Box<[AtomicU64]>,
    /// Nodes that were handed out, and those that may be.
    handed: AtomicU64,
    nodes: u64,
    /// What all but the first thread did, as far as they told.
    told: [AtomicU64; 2],
    threads: usize,
}

impl Crew {
    /// A crew of so many threads that may take so many nodes.
    pub(super) fn new(threads: usize, nodes: u64) -> Crew {
        Crew {
            over: AtomicBool::new(false),
            ended: Mutex::new(None),
            marks: (0..MARKS).map(|_| AtomicU64::new(0)).collect(),
            handed: AtomicU64::new(0),
            nodes,
            told: [AtomicU64::new(0), AtomicU64::new(0)],
            threads,
        }
    }

    /// Makes ready for a search, after so many nodes.
    fn begin(&self, nodes: u64) {
        self.over.store(false, Ordering::Relaxed);
        *self.ended.lock().unwrap_or_else(PoisonError::into_inner) = None;
        // Who was ended left its marks.
        self.marks.iter().for_each(|mark| mark.store(0, Ordering::Relaxed));
        self.handed.store(nodes, Ordering::Relaxed);
        self.told.iter().for_each(|told| told.store(0, Ordering::Relaxed));
    }

    /// Says how one of the threads ended. The others end then, unless it ran out of nodes: they may
    /// have some.
    fn end(&self, ended: Ended, first: bool) {
        if !first && ended == Err(StopReason::Nodes) {
            return;
        }
        let mut all = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        // An answer is worth more than a reason, and the first reason is the true one.
        if all.is_none_or(|so_far| so_far.is_err() && ended.is_ok()) {
            *all = Some(ended);
        }
        self.over.store(true, Ordering::Relaxed);
    }

    /// Hands out some nodes. None are left if it is 0.
    fn hand_out(&self) -> u64 {
        let before = self.handed.fetch_add(BATCH, Ordering::Relaxed);
        self.nodes.saturating_sub(before).min(BATCH)
    }
}

/// Ends the others if a thread panics: nobody else would.
struct Alarm<'c>(&'c Crew);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.over.store(true, Ordering::Relaxed);
        }
    }
}

/// One thread of a crew.
pub(super) struct Member<'c> {
    crew: &'c Crew,
    first: bool,
    /// For each choice of the path.
    choices: Vec<Choice>,
    /// What states took, by their depth.
    took: Vec<u64>,
    /// What it told the others of.
    told: Counts,
    looks: u32,
}

/// What a thread does at a choice.
#[derive(Clone, Copy, Default)]
struct Choice {
    /// The mark of the state that it is searching, or 0.
    mark: u64,
    /// Where the steps begin that were put off.
    put_off: usize,
}

impl<'c> Member<'c> {
    pub(super) fn new(crew: &'c Crew, first: bool) -> Member<'c> {
        let (choices, took) = (Vec::new(), Vec::new());
        Member { crew, first, choices, took, told: Counts::default(), looks: 0 }
    }

    /// Whether it is to end.
    pub(super) fn is_over(&self) -> bool {
        self.crew.over.load(Ordering::Relaxed)
    }

    /// Its part of bytes that all of them may use.
    pub(super) fn part_of(&self, bytes: u64) -> u64 {
        bytes / self.crew.threads as u64
    }

    /// What all of them did, as far as it is known, where this one did so much.
    pub(super) fn all(&self, own: Counts) -> Counts {
        let [nodes, expansions] = [0, 1].map(|i| self.crew.told[i].load(Ordering::Relaxed));
        Counts { nodes: own.nodes + nodes, expansions: own.expansions + expansions, ..own }
    }

    /// How many nodes it may have, now that it has had this many.
    pub(super) fn more_nodes(&mut self, own: Counts) -> std::result::Result<u64, StopReason> {
        if !self.first {
            let done = [own.nodes - self.told.nodes, own.expansions - self.told.expansions];
            for (told, done) in self.crew.told.iter().zip(done) {
                told.fetch_add(done, Ordering::Relaxed);
            }
            self.told = own;
        }
        match self.crew.hand_out() {
            0 => Err(StopReason::Nodes),
            more => Ok(own.nodes + more),
        }
    }

    #[inline]
    fn choice(&mut self, depth: usize) -> &mut Choice {
        if self.choices.len() <= depth {
            self.choices.resize(depth + 1, Choice::default());
        }
        &mut self.choices[depth]
    }

    /// Whether states behind the choice at this depth are marked. At first all of them are.
    #[inline]
    fn marks(&self, depth: usize) -> bool {
        self.took.get(depth).is_none_or(|&took| took >= MUCH)
    }

    /// Learns what the choice at this depth took.
    #[inline]
    pub(super) fn learn(&mut self, depth: usize, took: u64) {
        if self.took.len() <= depth {
            self.took.resize(depth + 1, MUCH * 16);
        }
        let mean = &mut self.took[depth];
        *mean = (*mean * 15).saturating_add(took.min(MUCH * 64)) / 16;
    }

    /// Says that the state behind the choice at this depth is no longer searched.
    #[inline]
    pub(super) fn done(&mut self, depth: usize) {
        if let Some(choice) = self.choices.get_mut(depth)
            && choice.mark != 0
        {
            let mark = std::mem::take(&mut choice.mark);
            let place = &self.crew.marks[place_of(mark)];
            if place.load(Ordering::Relaxed) == mark {
                place.store(0, Ordering::Relaxed);
            }
        }
    }
}

#[inline]
fn place_of(mark: u64) -> usize {
    (mark >> 32) as usize % MARKS
}

impl<'a, Sp: Space, W: Stamp> Search<'a, Sp, W> {
    /// The mark of the state behind a step of the last choice.
    fn mark_of(&self, step: Sp::Step) -> u64 {
        let frame = &self.path[self.path.len() - 1];
        let mut next = frame.state.clone();
        self.space.take(&mut next, frame.side, step);
        Quick::default().hash_one(self.space.pack(&self.space.key(&next))) | 1
    }

    /// Chooses the step of the last choice that is tried next, and marks its state.
    pub(super) fn pick(&mut self) {
        let depth = self.path.len() - 1;
        let (first, current) = (self.path[depth].first, self.path[depth].current);
        let last = self.steps.len();
        let Some(member) = &mut self.crew else { return };
        if !member.marks(depth) {
            // What was put off while states were marked stays where it is.
            *member.choice(depth) = Choice { mark: 0, put_off: last };
            return;
        }
        let crew = member.crew;
        if current == first {
            member.choice(depth).put_off = last;
        }
        let mut put_off = member.choice(depth).put_off.min(last);
        let mark = loop {
            let mark = self.mark_of(self.steps[current]);
            // The first step is searched by everybody, and so is what was put off.
            let busy = current > first
                && current < put_off
                && crew.marks[place_of(mark)].load(Ordering::Relaxed) == mark;
            if !busy {
                break mark;
            }
            self.steps[current..].rotate_left(1);
            put_off -= 1;
        };
        crew.marks[place_of(mark)].store(mark, Ordering::Relaxed);
        if let Some(member) = &mut self.crew {
            *member.choice(depth) = Choice { mark, put_off };
        }
    }

    /// The value of a choice of the path that another thread has decided meanwhile. The path ends
    /// before it then.
    pub(super) fn overtaken(&mut self) -> Option<Result> {
        let member = self.crew.as_mut()?;
        member.looks += 1;
        if !member.looks.is_multiple_of(SELDOM) {
            return None;
        }
        let decided = |frame: &Frame<Sp, W>| {
            let Bounds(low, high) = self.table.get(&frame.packed, ())?.bounds;
            let Bounds(least, most) = frame.window;
            if low >= most || low == high { Some(low) } else { (high <= least).then_some(high) }
        };
        let found = self.path.iter().enumerate().find_map(|(at, f)| decided(f).map(|v| (at, v)));
        let (at, value) = found?;
        for depth in at..self.path.len() {
            member.done(depth);
        }
        self.steps.truncate(self.path[at].first);
        self.path.truncate(at);
        Some((value, FREE))
    }

    /// The same as `solve` for one window, by all threads of a crew. What they share is in the table.
    pub(super) fn solve_together(
        &mut self,
        crew: &'a Crew,
        root: &Sp::State,
        (low, high): (Outcome, Outcome),
        limits: Limits,
        watch: &mut dyn Watch<Sp::Step>,
    ) -> std::result::Result<(Outcome, Outcome), StopReason> {
        if let Some(answer) = self.answer_of_before() {
            return Ok(answer);
        }
        let window = Bounds(self.rank(low), self.rank(high));
        let value = match &self.table {
            Held::Shared(handle) => {
                let table = handle.table();
                self.run_together(crew, table, root, window, limits, watch)?
            }
            Held::Own(_) => return self.solve(root, (low, high), limits, watch),
        };
        let answer = self.bounds_by(Outcome(value), (low, high));
        self.note_answer(answer);
        Ok(answer)
    }

    fn run_together(
        &mut self,
        crew: &'a Crew,
        table: &'a SharedTable<Sp::Packed, Entry<Sp::Step, W>>,
        root: &Sp::State,
        window: Bounds,
        limits: Limits,
        watch: &mut dyn Watch<Sp::Step>,
    ) -> Ended {
        crew.begin(self.counts.nodes);
        let (space, order, bounds) = (self.space, self.order, self.bounds);
        let (history, killers) = (self.history.clone(), self.killers.clone());
        let help = || {
            let _alarm = Alarm(crew);
            let table = Held::Shared(table.handle(false));
            let mut search: Search<'_, Sp, W> = Search::new(space, order, table);
            search.crew = Some(Member::new(crew, false));
            (search.history, search.killers) = (history.clone(), killers.clone());
            search.bounds = bounds;
            crew.end(search.run(Some(root.clone()), window, u16::MAX, limits, &mut ()), false);
            let own_bytes = search.counts.peak_bytes.max(search.bytes()) - search.table.bytes();
            Counts { peak_bytes: own_bytes, ..search.counts }
        };
        self.forget_path();
        self.crew = Some(Member::new(crew, true));
        let (own, others) = std::thread::scope(|scope| {
            let others: Vec<_> = (1..order.threads).map(|_| scope.spawn(help)).collect();
            let run = || self.run(Some(root.clone()), window, u16::MAX, limits, watch);
            let own = catch_unwind(AssertUnwindSafe(run));
            match own {
                Ok(ended) => crew.end(ended, true),
                Err(_) => crew.over.store(true, Ordering::Relaxed),
            }
            // Whoever makes the table larger waits for this thread, too.
            let join = || others.into_iter().map(ScopedJoinHandle::join).collect::<Vec<_>>();
            (own, self.table.away(join))
        });
        self.crew = None;
        for done in others {
            let done = done.unwrap_or_else(|panic| resume_unwind(panic));
            self.counts.nodes += done.nodes;
            self.counts.expansions += done.expansions;
            self.counts.peak_bytes += done.peak_bytes;
        }
        if let Err(panic) = own {
            resume_unwind(panic);
        }
        let ended = crew.ended.lock().unwrap_or_else(PoisonError::into_inner);
        ended.unwrap_or(Err(StopReason::Interrupted))
    }
}
