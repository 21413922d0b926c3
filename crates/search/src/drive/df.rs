//! Depth first search with thresholds (`df`): df-pn for the scheme `pn`, and the same for `pp`.
//!
//! After A. Nagai (2002): proof number search as a depth first search with thresholds, so that it
//! needs a table of any size instead of a tree in memory. It stays below a child as long as that
//! child is the preferred one, and a little longer, which saves coming back. Ours: how long is the
//! scheme's ([`Thresholds`]), so that other schemes than proof numbers can be searched so; the
//! values of the children of the path are kept on the path, so that a small table costs time but
//! never progress; and results that rest on a repetition stay out of the table as in `alphabeta`.
//!
//! With more than two outcomes the scheme is multized as in `tree` (Definition 20): the search
//! works at the question about an outcome that the root finds most attractive until another one
//! is. All questions share the table, and where a neighbour's answer settles one it is taken.

use std::io;
use std::ops::ControlFlow;

use foregone_model::{Look, Outcome, Side, Space};

use super::tree::{bounds, focus, over};
use crate::leaves::Leaves;
use crate::proof::{Fact, Recall, solutions};
use crate::report::{
    Counts, Limits, Plain, Progress, Report, RootMove, SHOWN, StopReason, View, Watch,
};
use crate::saved::{Proving, Reader, Writer, get_proving, refused};
use crate::scheme::Thresholds;
use crate::table::{Held, OnPath, Table};

mod inside;
mod threads;

pub use inside::DfInside;
pub use threads::{Team, df_by_threads};

mod saved;

const TICK: u64 = 16;
/// A question that was left so often is worked at until it is answered. What rests on a repetition
/// is forgotten when a question is left, so a search in a space with cycles could go from one to
/// the other for ever.
const PATIENCE: u32 = 128;
/// A result that rests on no state of the path.
const FREE: u32 = u32::MAX;

/// What the table holds of a position and a question.
#[derive(Clone, Copy)]
pub(crate) struct Entry<V> {
    value: V,
    /// When it was found out.
    when: u32,
}

/// A child of a state of the path.
#[derive(Clone, Copy)]
struct Child<M, V> {
    step: M,
    value: V,
    /// The lowest place on the path that a solved value rests on.
    rests_on: u32,
}

/// One choice of the path.
struct Frame<S, P, B> {
    state: S,
    key: P,
    side: Side,
    /// Where its children begin in the common list, and which one is being searched.
    first: usize,
    current: usize,
    /// It is left when its value reaches these.
    bounds: B,
    work: u64,
}

/// A child that is a choice, and where the table would hold it.
struct Open<S, P> {
    child: usize,
    state: S,
    side: Side,
    key: P,
    place: usize,
}

struct Search<'a, Sp: Space, S: Thresholds> {
    space: &'a Sp,
    scheme: &'a S,
    leaves: &'a mut Leaves,
    table: Held<'a, Sp::Packed, Entry<S::Value>, u16>,
    path: Vec<Frame<Sp::State, Sp::Packed, S::Bounds>>,
    on_path: OnPath<Sp::State>,
    children: Vec<Child<Sp::Step, S::Value>>,
    steps: Vec<Sp::Step>,
    open: Vec<Open<Sp::State, Sp::Packed>>,
    /// The question at hand: whether Max reaches more than the outcome with this number.
    question: u16,
    facts: u32,
    root: S::Value,
    /// What is known of each question at the root, and how often it was left.
    values: Vec<S::Value>,
    left: Vec<u32>,
    /// Why the search stopped and what it did by then, once it is over and its proof is made.
    over: Option<(StopReason, Counts)>,
    /// The outcomes between which the value of the root lies, by the questions that are answered.
    bounds: (Outcome, Outcome),
    counts: Counts,
}

/// Searches until the root is solved or the limits or the watch end it. The proof is found by a
/// second walk, which may take `proof_nodes` nodes where the table has forgotten.
pub fn df<Sp: Space, S: Thresholds>(
    space: &Sp,
    scheme: &S,
    leaves: &mut Leaves,
    limits: Limits,
    proof_nodes: u64,
    watch: &mut dyn Watch<Sp::Step>,
) -> Report<Sp::Step> {
    let root = space.root();
    let side = match space.look_at_root(&root) {
        Look::Over(o) => return over(space, o),
        Look::Choice(side) => side,
    };
    // What is known of each question at the root.
    let questions = usize::from(space.best().0);
    let values: Vec<S::Value> =
        (0..questions).map(|at| leaves.value(scheme, space, &root, side, at)).collect();
    // The path and the proof need a little besides the table. In a space with cycles a proof needs
    // to know what was proved before what.
    let table = Held::Own(Table::new(limits.bytes / 8 * 7, space.repeats()));
    let mut search = Search::new(space, scheme, leaves, table);
    search.root = values[0];
    search.values = values;
    search.left = vec![0; questions];
    let mut proving = Proving::new();
    let restored = watch.saved().map(|mut from| {
        let from = &mut Reader::new(&mut from);
        search.restore_from(from)?;
        if search.over.is_some() {
            proving = get_proving(from, space)?;
        }
        Some(())
    });
    if let Some(None) = restored {
        return refused(space, watch);
    }
    let (stop, counts) = match search.over {
        Some(over) => over,
        None => {
            let stop = search.run(&root, limits, watch);
            search.counts.playouts = search.leaves.counts().playouts;
            let peak_bytes = search.counts.peak_bytes.max(search.bytes());
            (stop, Counts { peak_bytes, ..search.counts })
        }
    };
    search.over = Some((stop, counts));
    let bounds = bounds(scheme, &search.values);
    let cost = (S::SHAPED && bounds.0 == bounds.1).then(|| scheme.price(search.values[0]));
    let nodes = counts.nodes.saturating_add(proof_nodes);
    let limits = Limits { nodes, ..limits };
    let (solutions, line) = solutions(space, search, bounds, limits, watch, proving);
    Report { stop, bounds, solutions, line, found: Vec::new(), cost, counts }
}

/// Appends the steps of a choice, but for those that are known to lose without a look.
fn list<Sp: Space>(space: &Sp, s: &Sp::State, side: Side, steps: &mut Vec<Sp::Step>) {
    let first = steps.len();
    if space.leaves_out() {
        space.promising(s, side, steps);
    }
    // Of a root that is lost nothing is left.
    if steps.len() == first {
        space.steps(s, side, steps);
    }
}

impl<'a, Sp: Space, S: Thresholds> Search<'a, Sp, S> {
    fn new(
        space: &'a Sp,
        scheme: &'a S,
        leaves: &'a mut Leaves,
        table: Held<'a, Sp::Packed, Entry<S::Value>, u16>,
    ) -> Search<'a, Sp, S> {
        Search {
            space,
            scheme,
            leaves,
            table,
            path: Vec::new(),
            on_path: OnPath::new(),
            children: Vec::new(),
            steps: Vec::new(),
            open: Vec::new(),
            question: 0,
            facts: 0,
            root: scheme.of_chance(0.5),
            values: Vec::new(),
            left: Vec::new(),
            over: None,
            bounds: (Outcome(0), space.best()),
            counts: Counts::default(),
        }
    }

    /// Works at the questions about the root, one after the other, until all are answered.
    fn run(
        &mut self,
        root: &Sp::State,
        limits: Limits,
        watch: &mut dyn Watch<Sp::Step>,
    ) -> StopReason {
        let scheme = self.scheme;
        loop {
            self.bounds = bounds(scheme, &self.values);
            if self.bounds.0 == self.bounds.1 {
                return StopReason::Solved;
            }
            // A search that was read back is in the middle of a question.
            let (at, worked) = if self.path.is_empty() {
                let at = focus(scheme, &self.values, |_| true);
                let priority = |(i, &v): (usize, &S::Value)| {
                    (i != at && scheme.outcome(v).is_none()).then(|| scheme.priority(v))
                };
                let rival = self.values.iter().enumerate().filter_map(priority).reduce(f64::max);
                let rival = rival.filter(|_| self.left[at] < PATIENCE);
                self.left[at] += 1;
                (at, self.solve(root.clone(), at as u16, rival, limits, watch))
            } else {
                (usize::from(self.question), self.work(limits, watch))
            };
            match worked {
                Ok(value) => self.values[at] = value,
                Err(reason) => return reason,
            }
            // What Max reaches settles the questions below, what it misses those above.
            if let Some(outcome) = scheme.outcome(self.values[at]) {
                let settled = match outcome {
                    Outcome::WIN => 0..at,
                    _ => at + 1..self.values.len(),
                };
                self.values[settled].fill(scheme.solved(outcome));
            }
        }
    }

    /// Works at a question about a state that is a choice until it is answered or less attractive
    /// than its rival. The value that the state has then.
    fn solve(
        &mut self,
        root: Sp::State,
        question: u16,
        rival: Option<f64>,
        limits: Limits,
        watch: &mut dyn Watch<Sp::Step>,
    ) -> Result<S::Value, StopReason> {
        self.path.clear();
        self.on_path.clear();
        self.children.clear();
        self.question = question;
        let Look::Choice(side) = self.space.look_at_root(&root) else {
            return Err(StopReason::Solved);
        };
        self.push(root, side, S::UNBOUNDED);
        if let Some(rival) = rival {
            self.path[0].bounds = self.scheme.bounds_of_root(self.update().0, rival);
        }
        self.work(limits, watch)
    }

    /// Works at the path until its first choice is left.
    fn work(
        &mut self,
        limits: Limits,
        watch: &mut dyn Watch<Sp::Step>,
    ) -> Result<S::Value, StopReason> {
        loop {
            // Step 1: the value of the last choice, from its children.
            let (value, rests_on) = self.update();
            if self.path.len() == 1 {
                self.root = value;
            }
            let frame = &self.path[self.path.len() - 1];
            let solved = self.scheme.outcome(value).is_some();
            if solved || self.scheme.reached(value, frame.bounds) {
                // Step 2: back to the choice above, which learns it.
                if self.table.is_crowded() {
                    self.make_room(watch)?;
                }
                self.pop(value, rests_on);
                let Some(above) = self.path.last() else {
                    return Ok(value);
                };
                let place = self.path.len() as u32;
                let child = &mut self.children[above.current];
                child.value = value;
                // What rests on the state just left, or on states behind it, rests on nothing.
                child.rests_on = if rests_on >= place { FREE } else { rests_on };
            } else {
                // Step 3: into the preferred child.
                self.descend(value);
            }
            if self.counts.nodes >= limits.nodes {
                self.ending(watch);
                return Err(StopReason::Nodes);
            }
            if self.counts.expansions.is_multiple_of(TICK) {
                self.look_around(limits, watch)?;
            }
        }
    }

    #[inline]
    fn key(&self, s: &Sp::State) -> Sp::Packed {
        self.space.pack(&self.space.key(s))
    }

    /// What a state that does not come up again is to the question at hand.
    #[inline]
    fn look(&self, s: &Sp::State) -> Look {
        let (low, high) = (Outcome(self.question), Outcome(self.question + 1));
        self.space.look_within(s, low, high)
    }

    /// What the table knows of a position that it holds, if it does, in this place.
    #[inline]
    fn known(&self, place: usize, key: &Sp::Packed) -> Option<S::Value> {
        let found = self.table.get_at(place, key, self.question).map(|entry| entry.value);
        // In a space with cycles a proof must know what was there before what, question by
        // question.
        if self.space.best() == Outcome::WIN || self.space.repeats() {
            return found;
        }
        found.filter(|&v| self.scheme.outcome(v).is_some()).or_else(|| {
            let above = self.table.get(key, self.question + 1);
            let below = self.question.checked_sub(1).and_then(|q| self.table.get(key, q));
            let settles = |entry: Option<Entry<S::Value>>, outcome: Outcome| {
                let solved = |e: &Entry<S::Value>| self.scheme.outcome(e.value) == Some(outcome);
                entry.filter(solved).map(|e| e.value)
            };
            settles(above, Outcome::WIN).or(settles(below, Outcome::LOSS)).or(found)
        })
    }

    /// Adds a choice to the path, with what is known of its children.
    fn push(&mut self, state: Sp::State, side: Side, bounds: S::Bounds) {
        self.counts.expansions += 1;
        let work = self.counts.nodes;
        let first = self.children.len();
        self.steps.clear();
        list(self.space, &state, side, &mut self.steps);
        let key = self.key(&state);
        let repeats = self.space.repeats();
        let at = usize::from(self.question);
        self.open.clear();
        for i in 0..self.steps.len() {
            let step = self.steps[i];
            let mut next = state.clone();
            self.space.take(&mut next, side, step);
            self.counts.nodes += 1;
            let mut rests_on = FREE;
            let path = &self.path;
            let repeated = match next == state {
                _ if !repeats => None,
                true => Some(path.len()),
                false => self.on_path.find(&next, path.len(), |at| &path[at].state),
            };
            let value = match (repeated, self.look(&next)) {
                (Some(place), _) => {
                    rests_on = place as u32;
                    self.scheme.solved_at(self.space.repetition(&next), at)
                }
                (None, Look::Over(outcome)) if S::SHAPED => {
                    self.scheme.end(outcome, self.space.shape(&next))
                }
                (None, Look::Over(outcome)) => self.scheme.solved_at(outcome, at),
                (None, Look::Choice(side)) => {
                    let key = self.key(&next);
                    let place = self.table.place_of(&key, self.question);
                    self.open.push(Open { child: first + i, state: next, side, key, place });
                    self.root
                }
            };
            self.children.push(Child { step, value, rests_on });
        }
        // A loop of its own, and a short one: so the machine waits for all of them at once.
        self.table.fetch(self.open.iter().map(|open| open.place));
        for i in 0..self.open.len() {
            let open = &self.open[i];
            self.children[open.child].value = match self.known(open.place, &open.key) {
                Some(value) => value,
                None => {
                    self.leaves.another();
                    self.leaves.value(self.scheme, self.space, &open.state, open.side, at)
                }
            };
        }
        self.path.push(Frame { state, key, side, first, current: first, bounds, work });
    }

    /// The value of the last choice, and what it rests on if it is solved.
    fn update(&self) -> (S::Value, u32) {
        let frame = &self.path[self.path.len() - 1];
        let children = &self.children[frame.first..];
        let shape = if S::SHAPED { self.space.shape(&frame.state) } else { 0 };
        let value = self.scheme.update_of(shape, frame.side, children.iter().map(|c| c.value));
        let good = if frame.side == Side::Max { Outcome::WIN } else { Outcome::LOSS };
        let rests_on = match self.scheme.outcome(value) {
            None => FREE,
            // One good child is enough: the one that rests on the least.
            Some(o) if o == good => {
                let fine = children.iter().filter(|c| self.scheme.outcome(c.value) == Some(o));
                fine.map(|c| c.rests_on).max().unwrap_or(FREE)
            }
            Some(_) => children.iter().map(|c| c.rests_on).min().unwrap_or(FREE),
        };
        (value, rests_on)
    }

    /// Leaves the last choice. Facts, and values that only guide, go into the table.
    fn pop(&mut self, value: S::Value, rests_on: u32) {
        let Some(frame) = self.path.pop() else { return };
        self.on_path.left(&frame.state, self.path.len());
        self.children.truncate(frame.first);
        let place = self.path.len() as u32;
        if rests_on >= place {
            self.facts += 1;
            let entry = Entry { value, when: self.facts };
            let work = self.counts.nodes - frame.work;
            self.table.put(frame.key, self.question, entry, work);
        }
    }

    /// Into the child that the side on turn prefers, with bounds that let it be left when another
    /// one becomes better or the choice itself is to be left.
    fn descend(&mut self, value: S::Value) {
        let at = self.path.len() - 1;
        let frame = &self.path[at];
        let (side, mut state) = (frame.side, frame.state.clone());
        let children = &self.children[frame.first..];
        let key = |child: &Child<Sp::Step, S::Value>| self.scheme.key(side, value, child.value);
        let (mut best, mut best_key) = (0, key(&children[0]));
        for (i, child) in children.iter().enumerate().skip(1) {
            let key = key(child);
            if key > best_key {
                (best, best_key) = (i, key);
            }
        }
        let values = children.iter().map(|c| c.value);
        let bounds = self.scheme.bounds_of_child(side, frame.bounds, values, best);
        let best = frame.first + best;
        self.space.take(&mut state, side, self.children[best].step);
        self.path[at].current = best;
        // Another path may have solved it meanwhile. A fact keeps the time at which it was found:
        // a proof must know what was there before what.
        let key = self.key(&state);
        let place = self.table.place_of(&key, self.question);
        if let Some(known) = self.known(place, &key)
            && self.scheme.outcome(known).is_some()
        {
            self.children[best].value = known;
        } else if let Look::Choice(side) = self.look(&state) {
            self.push(state, side, bounds);
        }
    }

    /// What makes a fact better than another one for a proof: its cost, or its time.
    fn rank(&self, entry: &Entry<S::Value>) -> u64 {
        if S::SHAPED { self.scheme.price(entry.value) } else { u64::from(entry.when) }
    }

    fn bytes(&self) -> u64 {
        let frame = size_of::<Frame<Sp::State, Sp::Packed, S::Bounds>>();
        let child = size_of::<Child<Sp::Step, S::Value>>();
        let path = self.path.capacity() * frame + self.children.capacity() * child;
        self.table.bytes() + self.on_path.bytes() + path as u64
    }

    /// Says that the search stops, where that ends it: a search for a proof may be one of many.
    #[cold]
    fn ending(&self, watch: &mut dyn Watch<Sp::Step>) {
        if self.over.is_none() {
            watch.ending(&Progress::new(self.counts, self));
        }
    }

    /// Makes the table larger, unless the search is to end.
    #[cold]
    fn make_room(&mut self, watch: &mut dyn Watch<Sp::Step>) -> Result<(), StopReason> {
        let (counts, view) = (self.counts, Plain { text: "making room", bounds: self.bounds });
        let mut going = ControlFlow::Continue(());
        self.table.grow(&mut || {
            going = watch.tick(&Progress::new(counts, &view));
            going.is_continue()
        });
        match going {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(reason) => Err(reason),
        }
    }

    fn look_around(
        &mut self,
        limits: Limits,
        watch: &mut dyn Watch<Sp::Step>,
    ) -> Result<(), StopReason> {
        self.table.rest();
        let bytes = self.bytes();
        self.counts.peak_bytes = self.counts.peak_bytes.max(bytes);
        // The table keeps to its part. The path of a long play may not.
        if bytes >= limits.bytes && bytes - self.table.bytes() >= limits.bytes / 8 {
            self.ending(watch);
            return Err(StopReason::Memory);
        }
        self.counts.playouts = self.leaves.counts().playouts;
        match watch.tick(&Progress::new(self.counts, self)) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(reason) => Err(reason),
        }
    }
}

impl<Sp: Space, S: Thresholds> View<Sp::Step> for Search<'_, Sp, S> {
    fn bounds(&self) -> (Outcome, Outcome) {
        self.bounds
    }

    fn root_text(&self) -> String {
        self.scheme.text(self.root)
    }

    fn line(&self) -> Vec<Sp::Step> {
        let above = &self.path[..self.path.len().saturating_sub(1)];
        above.iter().take(SHOWN).map(|f| self.children[f.current].step).collect()
    }

    /// What is known of the question at hand.
    fn root_moves(&self) -> Vec<RootMove<Sp::Step>> {
        let Some(root) = self.path.first() else { return Vec::new() };
        let end = self.path.get(1).map_or(self.children.len(), |next| next.first);
        let shown = |child: &Child<Sp::Step, S::Value>| {
            let bounds = match self.scheme.outcome(child.value) {
                Some(Outcome::WIN) => (Outcome(self.question + 1), self.space.best()),
                Some(_) => (Outcome(0), Outcome(self.question)),
                None => (Outcome(0), self.space.best()),
            };
            RootMove { step: child.step, bounds, value: self.scheme.text(child.value) }
        };
        self.children[root.first..end].iter().map(shown).collect()
    }

    fn save(&self, out: &mut Writer<'_>) -> io::Result<bool> {
        self.save_to(out)
    }
}

impl<Sp: Space, S: Thresholds> Recall<Sp> for Search<'_, Sp, S> {
    fn recall(&self, key: &Sp::State, at_least: Outcome) -> Option<Fact<Sp::Step>> {
        let key = self.space.pack(key);
        let question = at_least.0 - 1;
        let fact = |about: u16| {
            let entry = self.table.get(&key, about)?;
            let outcome = self.scheme.outcome(entry.value)?;
            Some(Fact { outcome, when: self.rank(&entry), best: None })
        };
        if let Some(fact) = fact(question) {
            return Some(fact);
        }
        if self.space.repeats() {
            return None;
        }
        // What another question's answer says, as the search itself may have used it.
        let above = (question + 1..self.space.best().0).filter_map(fact);
        let below = (0..question).filter_map(fact);
        above
            .filter(|f| f.outcome == Outcome::WIN)
            .chain(below.filter(|f| f.outcome == Outcome::LOSS))
            .next()
    }

    fn takes_cheapest(&self) -> bool {
        S::SHAPED
    }

    fn price_of_end(&self, s: &Sp::State, outcome: Outcome) -> u64 {
        self.scheme.price(self.scheme.end(outcome, self.space.shape(s)))
    }

    fn again(
        &mut self,
        s: Sp::State,
        at_least: Outcome,
        limits: Limits,
        watch: &mut dyn Watch<Sp::Step>,
    ) -> Option<Fact<Sp::Step>> {
        let value = self.solve(s, at_least.0 - 1, None, limits, watch).ok()?;
        let outcome = self.scheme.outcome(value)?;
        let when = self.rank(&Entry { value, when: self.facts });
        Some(Fact { outcome, when, best: None })
    }
}
