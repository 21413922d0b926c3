//! Solutions as bytes, for results that travel, and the check of those that arrive.
//!
//! A line is a number: its kind, and which step of the state or which line is meant. Steps are counted in
//! the order of the space, so that both ends need nothing but the rules. Bytes from elsewhere are never
//! believed: every line is checked as it is read. The answer as a whole has a certificate all the same,
//! which the checker of `proof` replays.

use foregone_model::{Line, Look, Outcome, Side, Space, WeakSolution};

use super::Done;

/// A walk through a solution, line by line: the states that the next lines are about, the next one last.
struct Walk<'a, Sp: Space> {
    space: &'a Sp,
    todo: Vec<Sp::State>,
    steps: Vec<Sp::Step>,
    first: bool,
}

impl<'a, Sp: Space> Walk<'a, Sp> {
    fn new(space: &'a Sp, state: Sp::State) -> Walk<'a, Sp> {
        Walk { space, todo: vec![state], steps: Vec::new(), first: true }
    }

    /// The state of the next line, with its steps; nothing at the end, and no side where it is final.
    fn next(&mut self) -> Option<(Sp::State, Option<Side>)> {
        let state = self.todo.pop()?;
        let looked = match std::mem::take(&mut self.first) {
            true => self.space.look_at_root(&state),
            false => self.space.look(&state),
        };
        self.steps.clear();
        match looked {
            Look::Over(_) => Some((state, None)),
            Look::Choice(side) => {
                self.space.steps(&state, side, &mut self.steps);
                Some((state, Some(side)))
            }
        }
    }

    fn take(&mut self, state: &Sp::State, side: Side, step: Sp::Step) {
        let mut next = state.clone();
        self.space.take(&mut next, side, step);
        self.todo.push(next);
    }

    fn take_all(&mut self, state: &Sp::State, side: Side) {
        for i in (0..self.steps.len()).rev() {
            self.take(state, side, self.steps[i]);
        }
    }
}

const OVER: u64 = 0;
const REPLIES: u64 = 1;
const REPEATS: u64 = 2;
const PLAYS: u64 = 3;
const SAME: u64 = 4;
const KINDS: u64 = 5;

fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn get(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0u64;
    for at in 0..10 {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f).checked_shl(7 * at)?;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// A solution about a state of a space of two outcomes, as bytes. Nothing if it is not one about this
/// state.
pub fn encode<Sp: Space>(
    space: &Sp,
    state: Sp::State,
    weak: &WeakSolution<Sp::Step>,
) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(weak.lines.len() * 2);
    let mut walk = Walk::new(space, state);
    for line in &weak.lines {
        let (state, side) = walk.next()?;
        match (*line, side) {
            (Line::Over, _) => put(&mut out, OVER),
            (Line::Repeats, _) => put(&mut out, REPEATS),
            (Line::Same(line), _) => put(&mut out, SAME + KINDS * u64::from(line)),
            (Line::Plays(step), Some(side)) => {
                let at = walk.steps.iter().position(|&s| s == step)? as u64;
                put(&mut out, PLAYS + KINDS * at);
                walk.take(&state, side, step);
            }
            (Line::Replies(_), Some(side)) => {
                put(&mut out, REPLIES);
                walk.take_all(&state, side);
            }
            (Line::Plays(_) | Line::Replies(_), None) => return None,
        }
    }
    walk.todo.is_empty().then_some(out)
}

/// A choice whose block is not complete.
struct Open<S> {
    state: S,
    line: u32,
    /// The states behind it that no line was about yet, the next one last.
    rest: Vec<S>,
}

/// The solution about a state of a space of two outcomes that bytes mean, checked line by line. Nothing if
/// they mean none, or one that does not hold.
pub fn decode<Sp: Space>(
    space: &Sp,
    state: Sp::State,
    prover: Side,
    mut bytes: &[u8],
) -> Option<WeakSolution<Sp::Step>> {
    let meets = |outcome: Outcome| (outcome == Outcome::WIN) == (prover == Side::Max);
    let mut lines = Vec::new();
    // For each line its state, and whether its block is complete.
    let mut told: Vec<(Sp::Packed, bool)> = Vec::new();
    let mut open: Vec<Open<Sp::State>> = Vec::new();
    let (mut next, mut waiting, mut steps) = (Some(state), 0, Vec::new());
    while let Some(state) = next.take() {
        // Each state that waits needs a byte at least: a few bytes must not make billions of them.
        if waiting > bytes.len() {
            return None;
        }
        let (line, packed) = (lines.len(), space.pack(&state));
        let looked = if line == 0 { space.look_at_root(&state) } else { space.look(&state) };
        let number = get(&mut bytes)?;
        let which = usize::try_from(number / KINDS).ok()?;
        let endless = || space.repeats() && meets(space.repetition(&state));
        let mut rest = Vec::new();
        lines.push(match (number % KINDS, looked) {
            (OVER, Look::Over(outcome)) if which == 0 && meets(outcome) => Line::Over,
            (REPEATS, _)
                if which == 0 && endless() && open.iter().any(|above| above.state == state) =>
            {
                Line::Repeats
            }
            (SAME, _) => {
                let (same, complete) = told.get(which)?;
                if *same != packed || !complete && !endless() {
                    return None;
                }
                Line::Same(which as u32)
            }
            (PLAYS, Look::Choice(side)) if side == prover => {
                steps.clear();
                space.steps(&state, side, &mut steps);
                let step = *steps.get(which)?;
                rest.push(behind(space, &state, side, step));
                Line::Plays(step)
            }
            (REPLIES, Look::Choice(side)) if side != prover && which == 0 => {
                steps.clear();
                space.steps(&state, side, &mut steps);
                rest.extend(steps.iter().rev().map(|&step| behind(space, &state, side, step)));
                Line::Replies(steps.len() as u32)
            }
            _ => return None,
        });
        told.push((packed, false));
        waiting += rest.len();
        open.push(Open { state, line: line as u32, rest });
        // The next state that waits; choices behind which none does are complete.
        while let Some(last) = open.last_mut() {
            next = last.rest.pop();
            if next.is_some() {
                waiting -= 1;
                break;
            }
            told[last.line as usize].1 = true;
            open.pop();
        }
    }
    bytes.is_empty().then_some(WeakSolution { prover, lines })
}

fn behind<Sp: Space>(space: &Sp, state: &Sp::State, side: Side, step: Sp::Step) -> Sp::State {
    let mut next = state.clone();
    space.take(&mut next, side, step);
    next
}

/// The state at the end of a way, and who chooses there; nothing if there is no such way.
pub fn follow<Sp: Space>(space: &Sp, path: &[u32]) -> Option<(Sp::State, Side)> {
    let mut walk = Walk::new(space, space.root());
    for &at in path {
        let (state, side) = walk.next()?;
        let step = *walk.steps.get(at as usize)?;
        walk.take(&state, side?, step);
    }
    let (state, side) = walk.next()?;
    Some((state, side?))
}

/// The state behind a step.
pub fn child<Sp: Space>(space: &Sp, state: &Sp::State, side: Side, at: u32) -> Option<Sp::State> {
    let mut steps = Vec::new();
    space.steps(state, side, &mut steps);
    let mut next = state.clone();
    space.take(&mut next, side, *steps.get(at as usize)?);
    Some(next)
}

/// How many children a state has.
pub fn children<Sp: Space>(space: &Sp, state: &Sp::State, side: Side) -> usize {
    let mut steps = Vec::new();
    space.steps(state, side, &mut steps);
    steps.len()
}

impl<M> Done<M> {
    /// A result that says nothing yet.
    pub fn open(leaf: u32, best: Outcome) -> Done<M> {
        Done { leaf, bounds: (Outcome(0), best), children: Vec::new(), parts: Vec::new() }
    }
}
