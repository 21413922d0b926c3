//! Depth first search with a table and move ordering (`alphabeta`).
//!
//! Minimax (Algorithm 4) and alpha-beta (Algorithm 5 of *Solving Games and All That*; D. Knuth
//! and R. Moore, 1975) over any number of outcomes: with the full window, or by null windows that
//! halve the outcomes left. Plain depth first, or by iterative deepening with a third value for
//! what lies beyond the horizon. Moves are tried in this order: the move of the table, then by
//! the game's own ordering; or two killer moves (S. Akl and M. Newborn, 1977), then by the history
//! heuristic (J. Schaeffer, 1983) or by how often each move won in random plays (T. Cazenave,
//! *Solving Games*, 2018: Monte Carlo move ordering).
//!
//! **Cycles** (the graph history interaction, M. Campbell 1985; A. Kishimoto and M. Müller 2004).
//! A result may rest on a repetition of a state of the path. It then depends on that path, and is
//! not put into the table; it becomes a fact where the search returns to the state that was
//! repeated. See `Frame::rests_on`.
//!
//! Several threads search a space without cycles together: see `crew`.

use std::ops::ControlFlow;

use foregone_model::stored::Stored;
use foregone_model::{Look, Outcome, Side, Space};

use self::crew::{Crew, Member};
use super::tree::over;
use crate::plays::LABELS;
use crate::proof::{claims, solutions};
use crate::report::{Counts, Limits, Plain, Progress, Report, Solution, StopReason, Watch};
use crate::saved::{Proving, Reader, WithProof, get_proving, refused};
use crate::table::{Held, OnPath, SharedTable, Table};

mod crew;
mod find;
mod order;
mod recall;
mod saved;
mod view;

/// How `alphabeta` orders moves and walks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// What comes after the table's move.
    pub by: OrderBy,
    /// How it goes through a space.
    pub walk: Walk,
    /// The seed of random plays.
    pub seed: u64,
    /// What is to be found besides the answer, where Max chooses first.
    pub find: Find,
    /// How many threads search together, where they can: for one proof, to the end at once, in a
    /// space without cycles. With one, none is started.
    pub threads: usize,
}

/// What is to be found where Max can win a space of two outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Find {
    /// A proof.
    One,
    /// All first steps that win.
    Keys,
    /// All plays that win, where Min never chooses.
    Lines,
}

/// How `alphabeta` goes through a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// Every move of every state that is not in the table: minimax.
    Minimax,
    /// To the end at once, for all outcomes.
    Full,
    /// To the end at once, each time for two halves of the outcomes.
    Null,
    /// Deepening step by step. For a space of two outcomes.
    Deepen,
}

/// What moves are ordered by, behind the table's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderBy {
    /// Killer moves, then the order of the rules.
    Rules,
    /// The game's own ordering, then the order of the rules.
    Game,
    /// Killer moves, then those that were better than others most often.
    History,
    /// Killer moves, then those that won most often in this many random plays.
    MonteCarlo(u32),
}

const TICK: u64 = 16;
/// How deep a search that deepens goes step by step.
const DEEP: u16 = 128;
/// A result that rests on no state of the path.
const FREE: [u32; 2] = [u32::MAX; 2];

/// What is known of a state, for Max: the outcome. A search that deepens counts in steps of two
/// and has a value between lost and won for what lies beyond the horizon.
type Value = u16;
const BEYOND: Value = 1;

/// Bounds of the value of a state: it is at least the first and at most the second.
#[derive(Clone, Copy)]
struct Bounds(Value, Value);

/// An entry of the table.
#[derive(Clone, Copy)]
struct Entry<M, W> {
    bounds: Bounds,
    stamp: W,
    best: Option<M>,
}

/// What an entry remembers besides: nothing, or when either bound was found out and how deep an
/// unsolved state was searched. Only cycles and horizons need that, and entries are to be small.
trait Stamp: Copy + Send + Stored {
    fn new(when: [u32; 2], depth: u16) -> Self;
    fn when(self) -> [u32; 2];
    fn depth(self) -> u16;
}

impl Stamp for () {
    fn new(_when: [u32; 2], _depth: u16) {}

    fn when(self) -> [u32; 2] {
        [0; 2]
    }

    fn depth(self) -> u16 {
        u16::MAX
    }
}

impl Stamp for ([u32; 2], u16) {
    fn new(when: [u32; 2], depth: u16) -> Self {
        (when, depth)
    }

    fn when(self) -> [u32; 2] {
        self.0
    }

    fn depth(self) -> u16 {
        self.1
    }
}

/// One choice of the path.
struct Frame<Sp: Space, W> {
    state: Sp::State,
    packed: Sp::Packed,
    side: Side,
    /// Values at or below the first or at or above the second need not be told apart. As the
    /// frame was entered, and as they are now.
    window: Bounds,
    left: Bounds,
    /// The best value so far for the side on turn, and its step.
    value: Option<Value>,
    best: Option<Sp::Step>,
    /// Where its steps begin in the common list, and which one is being tried.
    first: usize,
    current: usize,
    /// The lowest places on the path that its value rests on, as a lower and as an upper bound.
    rests_on: Rests,
    depth: u16,
    work: u64,
    /// What the table said when it was entered.
    known: Option<Entry<Sp::Step, W>>,
}

/// The lowest places on the path that a value rests on, as a lower and as an upper bound.
type Rests = [u32; 2];

/// A value, which may be a bound if it lies outside the window, and what it rests on.
type Result = (Value, Rests);

struct Search<'a, Sp: Space, W> {
    space: &'a Sp,
    order: Order,
    table: Held<'a, Sp::Packed, Entry<Sp::Step, W>>,
    /// There while several threads search.
    crew: Option<Member<'a>>,
    path: Vec<Frame<Sp, W>>,
    on_path: OnPath<Sp::State>,
    steps: Vec<Sp::Step>,
    killers: Vec<[Option<Sp::Step>; 2]>,
    history: [Vec<i32>; 2],
    scratch: Vec<(i32, Sp::Step)>,
    /// Where the table holds the states behind the steps of a choice.
    places: Vec<(usize, Sp::Packed)>,
    facts: u32,
    /// The outcomes between which the value of the root lies.
    bounds: (Outcome, Outcome),
    counts: Counts,
    /// How deep the walk at hand goes.
    depth: u16,
    /// What was found out about the states that were asked about, and how much of that was told to who
    /// asks again after a break.
    answers: Vec<(Outcome, Outcome)>,
    told: usize,
    /// The path was read back, and the next walk goes on with it.
    goes_on: bool,
    /// What the search did, once it is over and its proof is made.
    over: Option<Counts>,
}

/// What is asked about states of a space of two outcomes when its root is solved. All questions share
/// the table of the search.
pub trait Oracle<S, M> {
    /// Whether Max wins a state.
    fn wins(&mut self, state: &S) -> std::result::Result<bool, StopReason>;

    /// All plays from a state by which Max wins, as [`Find::Lines`] has them.
    fn lines(&mut self, state: &S) -> std::result::Result<Vec<Vec<M>>, StopReason>;
}

/// Who asks it, and is told what was found ([`Order::find`]).
pub type Explore<'a, S, M> = dyn FnMut(&[Vec<M>], &mut dyn Oracle<S, M>) + 'a;

/// A search, as an oracle.
struct Asked<'a, 's, Sp: Space, W> {
    search: &'a mut Search<'s, Sp, W>,
    limits: Limits,
    watch: &'a mut dyn Watch<Sp::Step>,
}

impl<Sp: Space, W: Stamp> Oracle<Sp::State, Sp::Step> for Asked<'_, '_, Sp, W> {
    fn wins(&mut self, state: &Sp::State) -> std::result::Result<bool, StopReason> {
        self.search.wins(state, self.limits, self.watch)
    }

    fn lines(&mut self, state: &Sp::State) -> std::result::Result<Vec<Vec<Sp::Step>>, StopReason> {
        let mut found = Vec::new();
        self.search.find(state, Find::Lines, &mut found, self.limits, self.watch)?;
        Ok(found)
    }
}

/// Searches until the root is solved or the limits or the watch end it. The proof is found by a
/// second walk, which may take `proof_nodes` nodes where the table has forgotten.
pub fn alphabeta<Sp: Space>(
    space: &Sp,
    order: Order,
    limits: Limits,
    proof_nodes: u64,
    watch: &mut dyn Watch<Sp::Step>,
) -> Report<Sp::Step> {
    alphabeta_exploring(space, order, limits, proof_nodes, watch, &mut |_, _| {})
}

/// The same, and when the root is solved `explore` may ask about other states of the space, which
/// has two outcomes.
pub fn alphabeta_exploring<Sp: Space>(
    space: &Sp,
    order: Order,
    limits: Limits,
    proof_nodes: u64,
    watch: &mut dyn Watch<Sp::Step>,
    explore: &mut Explore<'_, Sp::State, Sp::Step>,
) -> Report<Sp::Step> {
    if space.repeats() || order.walk == Walk::Deepen {
        search::<Sp, ([u32; 2], u16)>(space, order, limits, proof_nodes, watch, explore)
    } else {
        search::<Sp, ()>(space, order, limits, proof_nodes, watch, explore)
    }
}

fn search<Sp: Space, W: Stamp>(
    space: &Sp,
    order: Order,
    limits: Limits,
    proof_nodes: u64,
    watch: &mut dyn Watch<Sp::Step>,
    explore: &mut Explore<'_, Sp::State, Sp::Step>,
) -> Report<Sp::Step> {
    let root = space.root();
    let find = match space.look_at_root(&root) {
        Look::Over(o) => return over(space, o),
        Look::Choice(_) if space.best() == Outcome::WIN => {
            find::can_be_found(space, &root, order.find)
        }
        Look::Choice(_) => Find::One,
    };
    // The path and the proof need a little besides the table. In a space with cycles a proof needs to
    // know what was proved before what.
    let table_bytes = limits.bytes / 8 * 7;
    let (shared, crew);
    let (table, crew) = if find == Find::One && can_share(space, order) {
        shared = SharedTable::new(table_bytes, false);
        crew = Crew::new(order.threads, limits.nodes);
        (Held::Shared(shared.handle(true)), Some(&crew))
    } else {
        (Held::Own(Table::new(table_bytes, space.repeats())), None)
    };
    let mut search: Search<'_, Sp, W> = Search::new(space, order, table);
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
    let mut bounds = (Outcome(0), space.best());
    let mut stop = StopReason::Solved;
    if let OrderBy::MonteCarlo(plays) = order.by
        && restored.is_none()
        && let Err(reason) = search.sample(plays, watch)
    {
        stop = reason;
    }
    let mut found = Vec::new();
    if find != Find::One && stop == StopReason::Solved {
        let whole = search.find(&root, find, &mut found, limits, watch);
        if found.len() < find::MOST_LINES
            && let Err(reason) = whole
        {
            stop = reason;
        }
        // A play that was found is an answer, and so is a search in vain.
        bounds = match (found.is_empty(), stop) {
            (false, _) => (Outcome::WIN, Outcome::WIN),
            (true, StopReason::Solved) => (Outcome::LOSS, Outcome::LOSS),
            (true, _) => bounds,
        };
    }
    while bounds.0 < bounds.1 && stop == StopReason::Solved && find == Find::One {
        let window = window_of(order.walk, bounds);
        let found = match crew {
            Some(crew) => search.solve_together(crew, &root, window, limits, watch),
            None => search.solve(&root, window, limits, watch),
        };
        match found {
            Ok((low, high)) => bounds = (bounds.0.max(low), bounds.1.min(high)),
            Err(reason) => stop = reason,
        }
        search.bounds = bounds;
    }
    if stop == StopReason::Solved && space.best() == Outcome::WIN {
        explore(&found, &mut Asked { search: &mut search, limits, watch });
    }
    let counts = search.over.unwrap_or_else(|| Counts {
        peak_bytes: search.counts.peak_bytes.max(search.bytes()),
        ..search.counts
    });
    search.over = Some(counts);
    if space.repeats() && space.best() > Outcome::WIN {
        // The table tells when a bound was found, but a bound that was raised since looks younger
        // than what rests on the lower one. Proofs of two outcomes have no such past.
        let mut solutions = Vec::new();
        for (at_least, _) in claims(space.best(), bounds) {
            let threshold = space.threshold(at_least);
            let two = self::search::<Sp, W>(
                &threshold,
                order,
                limits,
                proof_nodes,
                &mut Around { search: &search, space, watch },
                &mut |_, _| {},
            );
            let weak = two.solutions.into_iter().map(|s| s.weak);
            solutions.extend(weak.map(|weak| Solution { at_least, weak }));
        }
        return Report { stop, bounds, solutions, line: Vec::new(), found, cost: None, counts };
    }
    let nodes = counts.nodes.saturating_add(proof_nodes);
    let limits = Limits { nodes, ..limits };
    let (solutions, line) = solutions(space, search, bounds, limits, watch, proving);
    Report { stop, bounds, solutions, line, found, cost: None, counts }
}

/// Whether several threads search together.
fn can_share<Sp: Space>(space: &Sp, order: Order) -> bool {
    let to_the_end = matches!(order.walk, Walk::Full | Walk::Null);
    order.threads > 1 && to_the_end && !space.repeats() && !cfg!(target_family = "wasm")
}

/// Shows a watch a search that makes a proof of a finished one. That is what can be written down: the
/// proof begins anew.
struct Around<'a, 's, Sp: Space, W> {
    search: &'a Search<'s, Sp, W>,
    space: &'a Sp,
    watch: &'a mut dyn Watch<Sp::Step>,
}

impl<Sp: Space, W: Stamp> Watch<Sp::Step> for Around<'_, '_, Sp, W> {
    fn tick(&mut self, progress: &Progress<'_, Sp::Step>) -> ControlFlow<StopReason> {
        let (space, bounds) = (self.space, progress.bounds());
        let view = WithProof { space, search: self.search, bounds, done: (0, &[]), lines: &[] };
        self.watch.tick(&Progress::new(progress.counts, &view))
    }
}

/// The outcomes that the next walk tells apart.
fn window_of(walk: Walk, (low, high): (Outcome, Outcome)) -> (Outcome, Outcome) {
    match walk {
        Walk::Null => {
            let middle = (low.0 + high.0).div_ceil(2);
            (Outcome(middle - 1), Outcome(middle))
        }
        _ => (low, high),
    }
}

impl<'a, Sp: Space, W: Stamp> Search<'a, Sp, W> {
    fn new(
        space: &'a Sp,
        order: Order,
        table: Held<'a, Sp::Packed, Entry<Sp::Step, W>>,
    ) -> Search<'a, Sp, W> {
        Search {
            space,
            order,
            table,
            crew: None,
            path: Vec::new(),
            on_path: OnPath::new(),
            steps: Vec::new(),
            killers: Vec::new(),
            history: [vec![0; LABELS], vec![0; LABELS]],
            scratch: Vec::new(),
            places: Vec::new(),
            facts: 0,
            bounds: (Outcome(0), space.best()),
            counts: Counts::default(),
            depth: 0,
            answers: Vec::new(),
            told: 0,
            goes_on: false,
            over: None,
        }
    }

    /// Bounds of the value of a state that is a choice, if values outside the window need not be
    /// told apart.
    fn solve(
        &mut self,
        root: &Sp::State,
        (low, high): (Outcome, Outcome),
        limits: Limits,
        watch: &mut dyn Watch<Sp::Step>,
    ) -> std::result::Result<(Outcome, Outcome), StopReason> {
        if let Some(answer) = self.answer_of_before() {
            return Ok(answer);
        }
        let deepen = self.order.walk == Walk::Deepen;
        let window = Bounds(self.rank(low), self.rank(high));
        let goes_on = std::mem::take(&mut self.goes_on);
        if !goes_on {
            self.depth = if deepen { 1 } else { u16::MAX };
        }
        let mut start = if goes_on { None } else { Some(root.clone()) };
        loop {
            if start.is_some() {
                self.forget_path();
            }
            let value = self.run(start, window, self.depth, limits, watch)?;
            if deepen && value == BEYOND {
                // A step deeper each time, but where a play is long by a part of its length: it
                // would cost the square of it.
                let more = if self.depth < DEEP { 1 } else { self.depth / 16 };
                self.depth = self.depth.saturating_add(more);
                start = Some(root.clone());
                continue;
            }
            let value = Outcome(if deepen { value / 2 } else { value });
            let answer = self.bounds_by(value, (low, high));
            self.note_answer(answer);
            return Ok(answer);
        }
    }

    /// What was found out before a break, for who asks again.
    fn answer_of_before(&mut self) -> Option<(Outcome, Outcome)> {
        let answer = self.answers.get(self.told).copied();
        self.told += usize::from(answer.is_some());
        answer
    }

    /// Notes what was found out.
    fn note_answer(&mut self, answer: (Outcome, Outcome)) {
        if self.over.is_none() {
            self.answers.push(answer);
            self.told = self.answers.len();
        }
    }

    /// What all threads did that search together.
    fn counts_of_all(&self) -> Counts {
        self.crew.as_ref().map_or(self.counts, |member| member.all(self.counts))
    }

    fn forget_path(&mut self) {
        self.path.clear();
        self.on_path.clear();
        self.steps.clear();
    }

    /// What the result of a search says if values outside the window are not told apart.
    fn bounds_by(&self, value: Outcome, (low, high): (Outcome, Outcome)) -> (Outcome, Outcome) {
        if value <= low {
            (Outcome(0), value)
        } else if value >= high {
            (value, self.space.best())
        } else {
            (value, value)
        }
    }

    /// Whether forced steps are taken without looking at the table. In a space with cycles a proof
    /// needs every state in the table, with its time; and a horizon counts every step.
    #[inline]
    fn follows_forced(&self) -> bool {
        self.order.by != OrderBy::Rules && self.order.walk != Walk::Deepen && !self.space.repeats()
    }

    #[inline]
    fn rank(&self, o: Outcome) -> Value {
        if self.order.walk == Walk::Deepen { o.0 * 2 } else { o.0 }
    }

    /// Walks from a state, or goes on with a walk that was read back.
    fn run(
        &mut self,
        root: Option<Sp::State>,
        window: Bounds,
        depth: u16,
        limits: Limits,
        watch: &mut dyn Watch<Sp::Step>,
    ) -> std::result::Result<Value, StopReason> {
        let (mut state, mut window, mut depth) = match root {
            Some(root) => (root, window, depth),
            None => self.next_state(),
        };
        // Threads that search together ask for their first nodes, too.
        let mut nodes = if self.crew.is_some() { self.counts.nodes } else { limits.nodes };
        loop {
            // Step 1: into a state. A choice goes on with its first step.
            let mut result = loop {
                if self.counts.nodes >= nodes {
                    nodes = match &mut self.crew {
                        Some(member) => member.more_nodes(self.counts),
                        None => Err(StopReason::Nodes),
                    }
                    .inspect_err(|_| self.ending(watch))?;
                }
                match self.enter(state, window, depth) {
                    Some(result) => break result,
                    None => (state, window, depth) = self.next_state(),
                }
                if self.counts.expansions.is_multiple_of(TICK) {
                    self.look_around(limits, watch)?;
                    if let Some(result) = self.overtaken() {
                        break result;
                    }
                }
            };
            // Step 2: back up as long as states are decided by it.
            (state, window, depth) = loop {
                if self.table.is_crowded() {
                    self.make_room(watch)?;
                }
                match self.leave(result) {
                    Up::Next => break self.next_state(),
                    Up::Decided(r) => result = r,
                    Up::Root => return Ok(result.0),
                }
            };
        }
    }

    /// Visits a state. Its value, or nothing when it is a choice: then it ends the path.
    #[inline]
    fn enter(&mut self, mut state: Sp::State, window: Bounds, depth: u16) -> Option<Result> {
        self.counts.nodes += 1;
        if self.space.repeats()
            && let path = &self.path
            && let Some(place) = self.on_path.find(&state, path.len(), |at| &path[at].state)
        {
            return Some((self.rank(self.space.repetition(&state)), [place as u32; 2]));
        }
        let deepen = self.order.walk == Walk::Deepen;
        let looked = if self.path.is_empty() {
            self.space.look_at_root(&state)
        } else if deepen {
            self.space.look(&state)
        } else {
            self.space.look_within(&state, Outcome(window.0), Outcome(window.1))
        };
        let mut side = match looked {
            Look::Over(outcome) => return Some((self.rank(outcome), FREE)),
            Look::Choice(side) => side,
        };
        // A choice of one step is worth what is behind it, and need not be remembered.
        if self.follows_forced() && !self.path.is_empty() {
            while let Some(step) = self.space.forced(&state, side) {
                self.space.take(&mut state, side, step);
                self.counts.nodes += 1;
                match self.space.look_within(&state, Outcome(window.0), Outcome(window.1)) {
                    Look::Over(outcome) => return Some((outcome.0, FREE)),
                    Look::Choice(next) => side = next,
                }
            }
        }
        if !deepen && self.space.every_move_ends(&state) {
            return Some((self.glance(&state, side), FREE));
        }
        // The search goes on from the position that stands for all images, so that the moves of
        // the table are moves of the position at hand.
        let state = self.space.key(&state);
        let packed = self.space.pack(&state);
        let known = self.table.get(&packed, ());
        let mut left = window;
        if let Some(Entry { bounds: Bounds(low, high), stamp, .. }) = known {
            // Bounds that are facts hold at any depth.
            let low = if low != BEYOND || !deepen || stamp.depth() >= depth { low } else { 0 };
            let high = if high != BEYOND || !deepen || stamp.depth() >= depth { high } else { 2 };
            if low >= window.1 || low == high {
                return Some((low, FREE));
            }
            if high <= window.0 {
                return Some((high, FREE));
            }
            left = Bounds(low.max(window.0), high.min(window.1));
        }
        if depth == 0 {
            return Some((BEYOND, FREE));
        }
        self.counts.expansions += 1;
        let first = self.steps.len();
        self.sort(&state, side, first, known.and_then(|e| e.best));
        let frame = Frame {
            state,
            packed,
            side,
            window: left,
            left,
            value: None,
            best: None,
            first,
            current: first,
            rests_on: FREE,
            depth,
            work: self.counts.nodes,
            known,
        };
        // In a space with cycles a proof needs every state in the table, with its time.
        if !deepen
            && !self.space.repeats()
            && let Some(value) = self.foreseen(&frame)
        {
            self.steps.truncate(first);
            return Some((value, FREE));
        }
        self.path.push(frame);
        None
    }

    /// The value of a state behind which there are final states only: looking at them is quicker
    /// than remembering it.
    #[inline]
    fn glance(&mut self, state: &Sp::State, side: Side) -> Value {
        let first = self.steps.len();
        self.counts.expansions += 1;
        match self.order.by {
            OrderBy::Rules => self.space.steps(state, side, &mut self.steps),
            _ => self.space.promising(state, side, &mut self.steps),
        }
        let (worst, best) = match side {
            Side::Max => (0, self.rank(self.space.best())),
            Side::Min => (self.rank(self.space.best()), 0),
        };
        let mut value = worst;
        for i in first..self.steps.len() {
            let mut next = state.clone();
            self.space.take(&mut next, side, self.steps[i]);
            self.counts.nodes += 1;
            if let Look::Over(outcome) = self.space.look(&next) {
                let outcome = self.rank(outcome);
                value = if side == Side::Max { value.max(outcome) } else { value.min(outcome) };
            }
            if value == best {
                break;
            }
        }
        self.steps.truncate(first);
        value
    }

    /// The value of a step that cuts off, if the table already knows one (enhanced transposition
    /// cutoff, A. Plaat and others, 1996). Looking at all of them pays twice: what is not known is
    /// then near when it is searched.
    #[inline]
    fn foreseen(&mut self, frame: &Frame<Sp, W>) -> Option<Value> {
        self.places.clear();
        for &step in &self.steps[frame.first..] {
            let mut next = frame.state.clone();
            self.space.take(&mut next, frame.side, step);
            let packed = self.space.pack(&self.space.key(&next));
            self.places.push((self.table.place_of(&packed, ()), packed));
        }
        // A loop of its own, and a short one: so the machine waits for all of them at once.
        self.table.fetch(self.places.iter().map(|(place, _)| *place));
        for (place, packed) in &self.places {
            if let Some(entry) = self.table.get_at(*place, packed, ()) {
                let Bounds(low, high) = entry.bounds;
                match frame.side {
                    Side::Max if low >= frame.window.1 => return Some(low),
                    Side::Min if high <= frame.window.0 => return Some(high),
                    _ => {}
                }
            }
        }
        None
    }

    /// The state behind the current step of the last choice, what of it is wanted, and how deep to
    /// look into it.
    #[inline]
    fn next_state(&mut self) -> (Sp::State, Bounds, u16) {
        if self.crew.is_some() {
            self.pick();
        }
        let frame = &self.path[self.path.len() - 1];
        let mut next = frame.state.clone();
        self.space.take(&mut next, frame.side, self.steps[frame.current]);
        let depth = if frame.depth == u16::MAX { u16::MAX } else { frame.depth - 1 };
        (next, frame.left, depth)
    }

    /// Tells the last choice what its current step is worth.
    #[inline]
    fn leave(&mut self, (value, rests_on): Result) -> Up {
        let place = self.path.len().wrapping_sub(1) as u32;
        let Some(frame) = self.path.last_mut() else { return Up::Root };
        if let Some(member) = &mut self.crew {
            member.done(place as usize);
        }
        let step = self.steps[frame.current];
        let max = frame.side == Side::Max;
        let Bounds(low, high) = frame.window;
        let cut = if max { value >= high } else { value <= low };
        // That the side on turn reaches its value rests on the step that does; that it reaches no
        // more rests on all steps.
        let (own, other) = if max { (0, 1) } else { (1, 0) };
        frame.rests_on[other] = frame.rests_on[other].min(rests_on[other]);
        if frame.value == Some(value) {
            frame.rests_on[own] = frame.rests_on[own].max(rests_on[own]);
        }
        if frame.value.is_none_or(|v| if max { value > v } else { value < v }) {
            frame.value = Some(value);
            frame.rests_on[own] = rests_on[own];
            let told_apart = if max { value > low } else { value < high };
            if told_apart {
                frame.best = Some(step);
            }
        }
        if !cut || self.order.walk == Walk::Minimax {
            if self.order.walk != Walk::Minimax {
                match frame.side {
                    Side::Max => frame.left.0 = frame.left.0.max(value),
                    Side::Min => frame.left.1 = frame.left.1.min(value),
                }
            }
            if frame.current + 1 < self.steps.len() {
                frame.current += 1;
                return Up::Next;
            }
        }
        let Some(frame) = self.path.pop() else { return Up::Root };
        self.on_path.left(&frame.state, self.path.len());
        if let Some(member) = &mut self.crew {
            member.learn(place as usize, self.counts.nodes - frame.work);
        }
        let value = frame.value.unwrap_or(value);
        if frame.best.is_some() {
            self.remember(&frame);
        }
        self.steps.truncate(frame.first);
        // What rests on this very state, or on states behind it, holds on every path.
        let free = frame.rests_on.map(|rests_on| rests_on >= place);
        let rests_on = frame.rests_on.map(|r| if r >= place { u32::MAX } else { r });
        self.note(frame, value, free);
        Up::Decided((value, rests_on))
    }

    /// Puts what was found out into the table.
    #[inline]
    fn note(&mut self, frame: Frame<Sp, W>, value: Value, free: [bool; 2]) {
        // A search that left early knows one bound; one that tried everything knows the other,
        // and both if the value lies inside the window.
        let low = value > frame.window.0 && free[0];
        let high = value < frame.window.1 && free[1];
        if !low && !high {
            return;
        }
        self.facts += 1;
        let top = self.rank(self.space.best());
        let found = Bounds(if low { value } else { 0 }, if high { value } else { top });
        let mut bounds = found;
        let mut when = [self.facts; 2];
        if let Some(known) = frame.known {
            // Bounds that rest on a horizon do not mix with those of another one.
            let same = known.stamp.depth() == frame.depth;
            let deepen = self.order.walk == Walk::Deepen;
            let holds = |v: Value| same || !deepen || v != BEYOND;
            if known.bounds.0 >= found.0 && holds(known.bounds.0) {
                (bounds.0, when[0]) = (known.bounds.0, known.stamp.when()[0]);
            }
            if known.bounds.1 <= found.1 && holds(known.bounds.1) {
                (bounds.1, when[1]) = (known.bounds.1, known.stamp.when()[1]);
            }
        }
        let best = frame.best.or(frame.known.and_then(|e| e.best));
        let entry = Entry { bounds, stamp: W::new(when, frame.depth), best };
        self.table.put(frame.packed, (), entry, self.counts.nodes - frame.work + 1);
    }

    /// Says that the search stops, where that ends it: a search for a proof may be one of many.
    #[cold]
    fn ending(&self, watch: &mut dyn Watch<Sp::Step>) {
        if self.over.is_none() {
            watch.ending(&Progress::new(self.counts_of_all(), self));
        }
    }

    /// Makes the table larger, unless the search is to end.
    #[cold]
    fn make_room(
        &mut self,
        watch: &mut dyn Watch<Sp::Step>,
    ) -> std::result::Result<(), StopReason> {
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

    fn bytes(&self) -> u64 {
        self.table.bytes()
            + self.on_path.bytes()
            + (self.path.capacity() * size_of::<Frame<Sp, W>>()
                + self.steps.capacity() * size_of::<Sp::Step>()) as u64
    }

    fn look_around(
        &mut self,
        limits: Limits,
        watch: &mut dyn Watch<Sp::Step>,
    ) -> std::result::Result<(), StopReason> {
        let bytes = self.bytes();
        self.counts.peak_bytes = self.counts.peak_bytes.max(bytes);
        // The table keeps to its part. The path of a long play may not.
        let own = bytes - self.table.bytes();
        let (mut part, mut counts) = (limits.bytes / 8, self.counts);
        if let Some(member) = &self.crew {
            if member.is_over() {
                return Err(StopReason::Interrupted);
            }
            (part, counts) = (member.part_of(part), member.all(counts));
            self.table.rest();
        }
        if bytes >= limits.bytes && own >= part {
            self.ending(watch);
            return Err(StopReason::Memory);
        }
        match watch.tick(&Progress::new(counts, self)) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(reason) => Err(reason),
        }
    }
}

/// The promising steps, or all of them where all of them lose: a value is a value.
#[inline]
fn promising<Sp: Space>(space: &Sp, s: &Sp::State, side: Side, steps: &mut Vec<Sp::Step>) {
    let first = steps.len();
    space.promising(s, side, steps);
    if steps.len() == first {
        space.steps(s, side, steps);
    }
}

/// Where a search goes after a state is decided.
enum Up {
    Next,
    Decided(Result),
    Root,
}
