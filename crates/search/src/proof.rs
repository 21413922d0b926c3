//! The weak solution behind an answer, found by walking the space again.
//!
//! Drivers that share nodes between paths, take mirror images as one, or forget nodes do not have
//! the solution at hand as a tree. They know, or find out again, which states are proved; this
//! walks from the root along proved states only, each state once.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use foregone_model::{Line, Look, Outcome, Side, Space, WeakSolution};

use crate::report::{Counts, Limits, Progress, Solution, View, Watch};
use crate::saved::{ProofWatch, Proving, WithProof};
use crate::table::Quick;

/// Says whether a state is proved for the prover, and when it was: a higher number is later. In
/// a space with cycles a state must be proved later than what it rests on.
pub(crate) trait Proved<Sp: Space> {
    /// When `s` was proved, if it was. `s` is not final. That may take a search; `so_far` is what is
    /// lost if that is interrupted.
    fn when(&mut self, space: &Sp, s: &Sp::State, so_far: &[Line<Sp::Step>]) -> Option<u64>;

    /// The same, as far as it can be told without a search.
    fn remembered(&mut self, space: &Sp, s: &Sp::State) -> Option<u64> {
        self.when(space, s, &[])
    }

    /// Lists the steps of the prover, those that are likely to be proved first. What is left out
    /// proves nothing.
    fn list(&mut self, space: &Sp, s: &Sp::State, side: Side, steps: &mut Vec<Sp::Step>) {
        space.steps(s, side, steps);
    }

    /// Whether `when` is the cost of a proof, and the cheapest is wanted.
    fn takes_cheapest(&self) -> bool {
        false
    }

    /// The cost of a final state with this outcome.
    fn price_of_end(&self, _s: &Sp::State, _outcome: Outcome) -> u64 {
        0
    }

    /// Whether there is time for more than these lines. Asked now and then.
    fn goes_on(&mut self, so_far: &[Line<Sp::Step>]) -> bool;

    /// A step to try first, where the prover is to choose.
    fn hint(&mut self, _space: &Sp, _s: &Sp::State) -> Option<Sp::Step> {
        None
    }
}

/// The watch is asked after this many lines.
const TICK: usize = 1 << 8;

/// The weak solution for `outcome`, or nothing when some state could not be shown to be proved,
/// or not within the time and so many bytes.
pub(crate) fn extract<Sp: Space>(
    space: &Sp,
    outcome: Outcome,
    proved: &mut dyn Proved<Sp>,
    bytes: u64,
    begun: Vec<Line<Sp::Step>>,
) -> Option<WeakSolution<Sp::Step>> {
    extract_from(space, space.root(), outcome, proved, bytes, begun)
}

/// The same about another state than the root.
pub(crate) fn extract_from<Sp: Space>(
    space: &Sp,
    start: Sp::State,
    outcome: Outcome,
    proved: &mut dyn Proved<Sp>,
    bytes: u64,
    begun: Vec<Line<Sp::Step>>,
) -> Option<WeakSolution<Sp::Step>> {
    let prover = if outcome == Outcome::WIN { Side::Max } else { Side::Min };
    let mut steps = Vec::new();
    let Walked { mut lines, mut seen, mut todo } = Walked::again(space, start, prover, begun);
    while let Some(s) = todo.pop() {
        let Some(s) = s else {
            lines.push(Line::Over);
            continue;
        };
        if lines.len() % TICK == TICK - 1 {
            let held = lines.capacity() * size_of::<Line<Sp::Step>>()
                + seen.capacity() * (size_of::<(Sp::Packed, u32)>() + 1);
            if held as u64 > bytes || !proved.goes_on(&lines) {
                return None;
            }
        }
        let looked = if lines.is_empty() { space.look_at_root(&s) } else { space.look(&s) };
        let Look::Choice(side) = looked else {
            lines.push(Line::Over);
            continue;
        };
        match seen.entry(space.pack(&s)) {
            Entry::Occupied(earlier) => {
                lines.push(Line::Same(*earlier.get()));
                continue;
            }
            Entry::Vacant(new) => {
                new.insert(lines.len() as u32);
            }
        }
        steps.clear();
        let next = |step| {
            let mut next = s.clone();
            space.take(&mut next, side, step);
            next
        };
        if side == prover {
            let hint = proved.hint(space, &s);
            // Mostly the hint is as good as its word. Without cycles that will do.
            if let Some(step) = hint
                && !space.repeats()
                && !proved.takes_cheapest()
                && let child = next(step)
                && is_proved(space, outcome, &child, proved)
            {
                lines.push(Line::Plays(step));
                todo.push(Some(child));
                continue;
            }
            proved.list(space, &s, side, &mut steps);
            if let Some(hint) = hint
                && let Some(i) = steps.iter().position(|&step| step == hint)
            {
                steps.swap(0, i);
            }
            let children: Vec<_> = steps.iter().map(|&step| (step, next(step))).collect();
            // Asking what is remembered is cheap; what was forgotten may take a search.
            let cheap = match proved.takes_cheapest() {
                true => cheapest(space, outcome, &children, proved, &lines),
                false => earliest(space, outcome, &children, |s| proved.remembered(space, s)),
            };
            let found = match cheap {
                Some(found) => Some(found),
                None => earliest(space, outcome, &children, |s| proved.when(space, s, &lines)),
            };
            let (step, child) = found?;
            lines.push(Line::Plays(step));
            todo.push(Some(child));
        } else {
            space.steps(&s, side, &mut steps);
            lines.push(Line::Replies(steps.len() as u32));
            push_replies(space, &s, side, &steps, &mut todo);
        }
    }
    Some(WeakSolution { prover, lines })
}

/// Whether a state is known to be proved without a search.
fn is_proved<Sp: Space>(
    space: &Sp,
    outcome: Outcome,
    s: &Sp::State,
    proved: &mut dyn Proved<Sp>,
) -> bool {
    match space.look(s) {
        Look::Over(o) => o == outcome,
        Look::Choice(_) => proved.remembered(space, s).is_some(),
    }
}

/// Puts the states behind all steps of the prover's opponent on the list of those to come. Steps
/// that are left out where only promising ones are listed need no look: knowledge says that they
/// lose at once.
fn push_replies<Sp: Space>(
    space: &Sp,
    s: &Sp::State,
    side: Side,
    steps: &[Sp::Step],
    todo: &mut Vec<Option<Sp::State>>,
) {
    let mut promising = Vec::new();
    let all = !space.leaves_out();
    if !all {
        space.promising(s, side, &mut promising);
    }
    todo.extend(steps.iter().rev().map(|step| {
        (all || promising.contains(step)).then(|| {
            let mut next = s.clone();
            space.take(&mut next, side, *step);
            next
        })
    }));
}

/// How far a walk is.
struct Walked<Sp: Space> {
    lines: Vec<Line<Sp::Step>>,
    /// The lines of states.
    seen: HashMap<Sp::Packed, u32, Quick>,
    /// The states whose lines come next, the last one first. Nothing is said of those that are known
    /// to be as good as final without a look.
    todo: Vec<Option<Sp::State>>,
}

impl<Sp: Space> Walked<Sp> {
    fn new(start: Sp::State) -> Walked<Sp> {
        Walked { lines: Vec::new(), seen: HashMap::default(), todo: vec![Some(start)] }
    }

    /// A walk that got so far before. What can't be walked is begun anew.
    fn again(space: &Sp, start: Sp::State, prover: Side, begun: Vec<Line<Sp::Step>>) -> Walked<Sp> {
        let mut walked = Walked::new(start.clone());
        let walks = begun.iter().all(|&line| walked.follow(space, prover, line).is_some());
        if walks { walked } else { Walked::new(start) }
    }

    fn follow(&mut self, space: &Sp, prover: Side, line: Line<Sp::Step>) -> Option<()> {
        let Some(s) = self.todo.pop()? else {
            self.lines.push(line);
            return (line == Line::Over).then_some(());
        };
        let number = self.lines.len() as u32;
        let looked = if number == 0 { space.look_at_root(&s) } else { space.look(&s) };
        let Look::Choice(side) = looked else {
            self.lines.push(line);
            return (line == Line::Over).then_some(());
        };
        let mut steps = Vec::new();
        space.steps(&s, side, &mut steps);
        let next = |step| {
            let mut next = s.clone();
            space.take(&mut next, side, step);
            next
        };
        match line {
            Line::Same(known) if self.seen.get(&space.pack(&s)) == Some(&known) => {}
            Line::Plays(step) if side == prover && steps.contains(&step) => {
                self.todo.push(Some(next(step)));
                self.seen.insert(space.pack(&s), number);
            }
            Line::Replies(n) if side != prover && n as usize == steps.len() => {
                push_replies(space, &s, side, &steps, &mut self.todo);
                self.seen.insert(space.pack(&s), number);
            }
            _ => return None,
        }
        self.lines.push(line);
        Some(())
    }
}

/// A step and the state behind it.
type Child<Sp> = (<Sp as Space>::Step, <Sp as Space>::State);

/// The step to the state that was proved first. Without cycles any proved state will do.
fn earliest<Sp: Space>(
    space: &Sp,
    outcome: Outcome,
    children: &[Child<Sp>],
    mut when: impl FnMut(&Sp::State) -> Option<u64>,
) -> Option<Child<Sp>> {
    let acyclic = !space.repeats();
    let mut first: Option<(u64, &Child<Sp>)> = None;
    for child in children {
        let proved = match space.look(&child.1) {
            Look::Over(o) => (o == outcome).then_some(0),
            Look::Choice(_) => when(&child.1),
        };
        if let Some(time) = proved
            && first.is_none_or(|(t, _)| time < t)
        {
            first = Some((time, child));
            if acyclic || time == 0 {
                break;
            }
        }
    }
    first.map(|(_, child)| child.clone())
}

/// The step to the proved state whose proof costs the least.
fn cheapest<Sp: Space>(
    space: &Sp,
    outcome: Outcome,
    children: &[Child<Sp>],
    proved: &mut dyn Proved<Sp>,
    so_far: &[Line<Sp::Step>],
) -> Option<Child<Sp>> {
    let price = |(_, s): &Child<Sp>| match space.look(s) {
        Look::Over(o) => (o == outcome).then(|| proved.price_of_end(s, o)),
        Look::Choice(_) => proved.when(space, s, so_far),
    };
    let prices: Vec<Option<u64>> = children.iter().map(price).collect();
    let best = (0..children.len()).filter(|&i| prices[i].is_some()).min_by_key(|&i| prices[i])?;
    Some(children[best].clone())
}

/// What a search found out about a position.
#[derive(Clone, Copy)]
pub(crate) struct Fact<M> {
    pub(crate) outcome: Outcome,
    pub(crate) when: u64,
    /// The step that proves it, in the position by which it is looked up.
    pub(crate) best: Option<M>,
}

/// A finished search with a table that may have forgotten, and that can search again.
pub(crate) trait Recall<Sp: Space> {
    /// What the table holds of the question whether Max reaches this outcome from a position.
    fn recall(&self, key: &Sp::State, at_least: Outcome) -> Option<Fact<Sp::Step>>;

    /// Lists steps as the search did. Then the proof goes the way of the search, and a step whose
    /// end is known at once is not passed over for one with a long proof.
    fn list(&mut self, space: &Sp, s: &Sp::State, side: Side, steps: &mut Vec<Sp::Step>) {
        space.steps(s, side, steps);
    }

    /// Whether a fact's `when` is the cost of its proof, and the cheapest is wanted.
    fn takes_cheapest(&self) -> bool {
        false
    }

    /// The cost of a final state with this outcome.
    fn price_of_end(&self, _s: &Sp::State, _outcome: Outcome) -> u64 {
        0
    }

    /// Searches a state that is a choice once more.
    fn again(
        &mut self,
        s: Sp::State,
        at_least: Outcome,
        limits: Limits,
        watch: &mut dyn Watch<Sp::Step>,
    ) -> Option<Fact<Sp::Step>>;
}

/// The claims that bounds make: an outcome that Max reaches, and one that it misses.
pub(crate) fn claims(
    best: Outcome,
    (low, high): (Outcome, Outcome),
) -> impl Iterator<Item = (Outcome, Side)> {
    let reached = (low > Outcome(0)).then_some((low, Side::Max));
    let missed = (high < best).then_some((Outcome(high.0 + 1), Side::Min));
    reached.into_iter().chain(missed)
}

/// The weak solutions behind the bounds that a search found, which may search again what it
/// forgot; and the line that it remembers, where one of them is missing.
pub(crate) fn solutions<Sp: Space>(
    space: &Sp,
    mut search: impl Recall<Sp> + View<Sp::Step>,
    bounds: (Outcome, Outcome),
    limits: Limits,
    watch: &mut dyn Watch<Sp::Step>,
    begun: Proving<Sp::Step>,
) -> (Vec<Solution<Sp::Step>>, Vec<Sp::Step>) {
    let (at_least, outcome) = (Outcome(0), Outcome::WIN);
    let Proving { tried, done, mut lines } = begun;
    let search = &mut search;
    let mut again = Again { space, search, at_least, outcome, tried, done, bounds, limits, watch };
    for (at_least, prover) in claims(space.best(), bounds).skip(tried) {
        let outcome = if prover == Side::Max { Outcome::WIN } else { Outcome::LOSS };
        (again.at_least, again.outcome) = (at_least, outcome);
        let (threshold, begun) = (space.threshold(at_least), std::mem::take(&mut lines));
        let weak = extract(&threshold, outcome, &mut again, limits.bytes, begun);
        again.done.extend(weak.map(|weak| Solution { at_least, weak }));
        again.tried += 1;
    }
    let solutions = std::mem::take(&mut again.done);
    let line = match solutions.len() == claims(space.best(), bounds).count() {
        true => Vec::new(),
        false => remembered_line(space, again.search, bounds),
    };
    (solutions, line)
}

/// The weak solution behind what a search found of a state, which may search again what it forgot.
pub(crate) fn solution_of<Sp: Space, R: Recall<Sp> + View<Sp::Step>>(
    space: &Sp,
    search: &mut R,
    state: Sp::State,
    (at_least, prover): (Outcome, Side),
    limits: Limits,
    watch: &mut dyn Watch<Sp::Step>,
) -> Option<WeakSolution<Sp::Step>> {
    let outcome = if prover == Side::Max { Outcome::WIN } else { Outcome::LOSS };
    let bounds = (Outcome(0), space.best());
    let (tried, done) = (0, Vec::new());
    let mut again = Again { space, search, at_least, outcome, tried, done, bounds, limits, watch };
    extract_from(&space.threshold(at_least), state, outcome, &mut again, u64::MAX, Vec::new())
}

/// No longer line is put together out of a table.
const LONGEST_LINE: usize = 4096;

/// A play that the table of a finished search shows to be best for both sides, as far as it
/// remembers: what is shown where there is no proof.
fn remembered_line<Sp: Space>(
    space: &Sp,
    search: &impl Recall<Sp>,
    bounds: (Outcome, Outcome),
) -> Vec<Sp::Step> {
    let claims: Vec<(Outcome, Side)> = claims(space.best(), bounds).collect();
    let mut line = Vec::new();
    if bounds.0 < bounds.1 {
        return line;
    }
    let (mut s, mut since) = (space.root(), [u64::MAX; 2]);
    let mut looked = space.look_at_root(&s);
    while let Look::Choice(side) = looked
        && line.len() < LONGEST_LINE
    {
        // Who has nothing left to gain may play anything; the answer to it must be remembered.
        let own = claims.iter().find(|(_, prover)| *prover == side);
        let Some(&(at_least, prover)) = own.or(claims.first()) else { break };
        let kept = |step: &Sp::Step| {
            let mut next = s.clone();
            space.take(&mut next, side, *step);
            let looked = space.look(&next);
            let when = match looked {
                Look::Over(o) => ((o >= at_least) == (prover == Side::Max)).then_some(0)?,
                Look::Choice(_) => {
                    let fact = search.recall(&space.key(&next), at_least)?;
                    ((fact.outcome == Outcome::WIN) == (prover == Side::Max))
                        .then_some(fact.when)?
                }
            };
            // In a space with cycles a play that goes back in time may come round again.
            let falls = !space.repeats() || when < since[prover.index()];
            falls.then_some((*step, next, looked, when))
        };
        let mut steps = Vec::new();
        space.steps(&s, side, &mut steps);
        let Some((step, next, after, when)) = steps.iter().find_map(kept) else { break };
        since[prover.index()] = when;
        line.push(step);
        (s, looked) = (next, after);
    }
    line
}

/// What a table still holds, and what it forgot, searched again.
struct Again<'w, R, Sp: Space> {
    space: &'w Sp,
    search: &'w mut R,
    /// The question whether Max reaches this outcome, and what was answered.
    at_least: Outcome,
    outcome: Outcome,
    /// How many claims were tried before, and what proves them.
    tried: usize,
    done: Vec<Solution<Sp::Step>>,
    /// What the search found.
    bounds: (Outcome, Outcome),
    limits: Limits,
    watch: &'w mut dyn Watch<Sp::Step>,
}

impl<Sp: Space, R: Recall<Sp> + View<Sp::Step>> Proved<Sp> for Again<'_, R, Sp> {
    fn takes_cheapest(&self) -> bool {
        self.search.takes_cheapest()
    }

    fn price_of_end(&self, s: &Sp::State, outcome: Outcome) -> u64 {
        self.search.price_of_end(s, outcome)
    }

    fn goes_on(&mut self, lines: &[Line<Sp::Step>]) -> bool {
        let (done, bounds) = ((self.tried, &self.done[..]), self.bounds);
        let view = WithProof { space: self.space, search: &*self.search, bounds, done, lines };
        self.watch.tick(&Progress::new(Counts::default(), &view)).is_continue()
    }

    fn when(&mut self, space: &Sp, s: &Sp::State, lines: &[Line<Sp::Step>]) -> Option<u64> {
        let fact = match self.search.recall(&space.key(s), self.at_least) {
            Some(fact) => fact,
            None => {
                let done = (self.tried, &self.done[..]);
                let watch = &mut ProofWatch { space: self.space, done, lines, watch: self.watch };
                self.search.again(s.clone(), self.at_least, self.limits, watch)?
            }
        };
        (fact.outcome == self.outcome).then_some(fact.when)
    }

    fn remembered(&mut self, space: &Sp, s: &Sp::State) -> Option<u64> {
        let fact = self.search.recall(&space.key(s), self.at_least)?;
        (fact.outcome == self.outcome).then_some(fact.when)
    }

    fn list(&mut self, space: &Sp, s: &Sp::State, side: Side, steps: &mut Vec<Sp::Step>) {
        self.search.list(space, s, side, steps);
    }

    fn hint(&mut self, space: &Sp, s: &Sp::State) -> Option<Sp::Step> {
        let key = space.key(s);
        // A step of an image is not a step here.
        if key == *s { self.search.recall(&key, self.at_least)?.best } else { None }
    }
}
