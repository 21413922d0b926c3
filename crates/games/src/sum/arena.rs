//! The parts of positions: each is held once, with its negative, what one can do in it, and its value.

use std::sync::Arc;

use foregone_cgt::{Dyadic, TooLarge, Value, Values};
use foregone_model::{Game, Guide, Side, Summand, sums};
use rustc_hash::FxHashMap;

use super::Sum;
use crate::erased::{AnyMove, AnyState, Erased};
use crate::value::{self, Written};

/// The number of a part.
pub(super) type Id = u32;

/// What is written where a part has no negative.
const NONE: Id = Id::MAX;

/// What may be tried for the value of one part.
#[derive(Clone, Copy, Debug)]
struct Effort {
    /// A part in which both sides together have more moves is not worth a try.
    moves: u32,
    /// So many positions are looked at.
    positions: u32,
    /// So much arithmetic is done.
    steps: u64,
}

/// Most positions of one board have few parts, and values of large ones are complicated.
const BOARD: Effort = Effort { moves: 8, positions: 100, steps: 2_000 };
/// In a sum of games each value saves a search of all others.
const SUM: Effort = Effort { moves: 20, positions: 1_000, steps: 40_000 };
/// Where a proof needs the value.
const PROOF: Effort = Effort { moves: u32::MAX, positions: 100_000, steps: PROOF_STEPS };
/// Between two questions whether to go on.
const SLICE: Effort = Effort { moves: u32::MAX, positions: 20_000, steps: SLICE_STEPS };
/// The same of arithmetic alone.
pub(super) const SLICE_STEPS: u64 = 200_000;
/// So much arithmetic goes into one sum or comparison.
const SUM_STEPS: u64 = 4_000;
/// The same where a proof needs it.
pub(super) const PROOF_STEPS: u64 = 1_000_000;
/// A value whose options, all written out, are more than this is not used in place of its part.
const MOST_WEIGHT: u32 = 60;
/// So many moves may follow each other in a part whose value is looked for.
const DEEPEST: u32 = 500;
/// So many bytes of values are held.
const MOST_BYTES: usize = 1 << 29;

/// The parts that are left behind a move in a part.
pub(super) type Step = Box<[Id]>;

#[derive(Clone, Copy, Debug)]
enum Worth {
    Unasked,
    Is(Value),
    Large,
}

#[derive(Debug)]
struct Part {
    state: AnyState,
    negative: Id,
    steps: [Option<Arc<[Step]>>; 2],
    worth: Worth,
    /// How many moves Left and Right have, once somebody asked.
    moves: Option<[u32; 2]>,
}

/// All parts of a game that came up.
#[derive(Debug)]
pub(super) struct Arena {
    numbers: FxHashMap<AnyState, Id>,
    parts: Vec<Part>,
    pub(super) values: Values,
    weights: FxHashMap<Value, u32>,
    effort: Effort,
    /// How many more positions may be looked at for a value.
    room: u32,
    /// How many positions inside each other are being looked at for a value.
    depth: u32,
    /// Whether parts are asked again whose values took too long.
    patient: bool,
    /// How many steps are held.
    held: u64,
    /// How many values were found.
    valued: u64,
}

impl Arena {
    pub(super) fn new(game: &Erased) -> Arena {
        let sum = game.get::<super::Sum>().is_some();
        Arena {
            effort: if sum { SUM } else { BOARD },
            numbers: FxHashMap::default(),
            parts: Vec::new(),
            values: Values::with_limit(MOST_BYTES),
            weights: FxHashMap::default(),
            room: 0,
            depth: 0,
            patient: false,
            held: 0,
            valued: 0,
        }
    }

    /// The same, whose values take at most so many bytes.
    pub(super) fn with_limit(game: &Erased, bytes: usize) -> Arena {
        Arena { values: Values::with_limit(bytes), ..Arena::new(game) }
    }

    /// About how many bytes are held.
    pub(super) fn bytes(&self) -> u64 {
        let part = size_of::<Part>() + 2 * size_of::<AnyState>() + 8;
        let step = size_of::<Step>() as u64 + 8;
        (self.parts.len() * part) as u64 + self.held * step + self.values.bytes() as u64
    }

    pub(super) fn state(&self, id: Id) -> &AnyState {
        &self.parts[id as usize].state
    }

    /// The negative of a part, if there is one.
    pub(super) fn negative(&self, id: Id) -> Option<Id> {
        Some(self.parts[id as usize].negative).filter(|&id| id != NONE)
    }

    fn push(&mut self, state: AnyState) -> Id {
        let id = self.parts.len() as Id;
        self.numbers.insert(state.clone(), id);
        let steps = [None, None];
        self.parts.push(Part { state, negative: NONE, steps, worth: Worth::Unasked, moves: None });
        id
    }

    /// The number of a part as it was split off.
    fn number(&mut self, summand: &dyn Summand<AnyState>, state: AnyState) -> Id {
        if let Some(&id) = self.numbers.get(&state) {
            return id;
        }
        let negative = summand.negative(&state);
        let id = self.push(state);
        if let Some(negative) = negative {
            let other = match self.numbers.get(&negative) {
                Some(&other) => other,
                None => self.push(negative),
            };
            self.parts[id as usize].negative = other;
            self.parts[other as usize].negative = id;
        }
        id
    }

    /// Appends the parts of a position.
    pub(super) fn split(&mut self, game: &Erased, s: &AnyState, out: &mut Vec<Id>) {
        let Some(summand) = game.parts() else { return };
        let mut states = Vec::new();
        summand.split(s, &mut states);
        out.extend(states.into_iter().map(|state| self.number(summand, state)));
    }

    /// What a side can do in a part, each result once.
    pub(super) fn steps(&mut self, game: &Erased, id: Id, side: Side) -> Arc<[Step]> {
        if let Some(steps) = &self.parts[id as usize].steps[side.index()] {
            return Arc::clone(steps);
        }
        let state = self.parts[id as usize].state.clone();
        let mut steps: Vec<Step> = Vec::new();
        for (_, next) in moves_of(game, &state, side) {
            let mut parts = Vec::new();
            self.split(game, &next, &mut parts);
            parts.sort_unstable();
            if !steps.iter().any(|step| **step == *parts) {
                steps.push(parts.into());
            }
        }
        self.held += steps.iter().map(|step| 1 + step.len() as u64 / 4).sum::<u64>();
        let steps: Arc<[Step]> = steps.into();
        self.parts[id as usize].steps[side.index()] = Some(Arc::clone(&steps));
        steps
    }

    /// How many moves Left and Right have in a part.
    fn moves(&mut self, game: &Erased, id: Id) -> [u32; 2] {
        let Part { state, moves, .. } = &mut self.parts[id as usize];
        *moves.get_or_insert_with(|| {
            [Side::Max, Side::Min].map(|side| game.mobility(state, side.agent()))
        })
    }

    /// By how many moves Left is ahead in a part.
    pub(super) fn ahead(&mut self, game: &Erased, id: Id) -> f32 {
        let [left, right] = self.moves(game, id);
        left as f32 - right as f32
    }

    /// The value of a part if it is small and simple.
    pub(super) fn worth(&mut self, game: &Erased, id: Id) -> Option<Value> {
        match self.parts[id as usize].worth {
            Worth::Is(value) => return self.is_light(value).then_some(value),
            Worth::Large => return None,
            Worth::Unasked => {}
        }
        let moves = self.moves(game, id);
        if (moves[0] + moves[1] <= self.effort.moves || self.is_impartial(game, id))
            && let Ok(value) = self.exact_within(game, id, self.effort)
        {
            return self.is_light(value).then_some(value);
        }
        self.parts[id as usize].worth = Worth::Large;
        None
    }

    /// The value of a part of one whose value was found, however complicated.
    pub(super) fn found(&mut self, game: &Erased, id: Id) -> Option<Value> {
        if let Worth::Is(value) = self.parts[id as usize].worth {
            return Some(value);
        }
        // The value of the whole was that of its negative.
        self.patient = true;
        let value = self.exact_within(game, id, PROOF).ok();
        self.patient = false;
        value
    }

    /// The value of a part, however long it takes. Somebody is asked now and then whether to go on.
    pub(super) fn patiently(
        &mut self,
        game: &Erased,
        id: Id,
        goes_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Value, TooLarge> {
        self.patient = true;
        let mut effort = SLICE;
        let value = loop {
            let before = self.valued;
            match self.exact_within(game, id, effort) {
                Err(TooLarge::Steps) if goes_on(self.bytes()) => {}
                value => break value,
            }
            // What was found is kept. One value that takes more than that gets more.
            if self.valued == before {
                effort.positions = effort.positions.saturating_mul(2);
                effort.steps = effort.steps.saturating_mul(2);
            }
        };
        self.patient = false;
        value
    }

    fn exact_within(&mut self, game: &Erased, id: Id, effort: Effort) -> Result<Value, TooLarge> {
        self.room = effort.positions;
        self.values.set_budget(effort.steps);
        self.exact(game, id)
    }

    fn exact(&mut self, game: &Erased, id: Id) -> Result<Value, TooLarge> {
        match self.parts[id as usize].worth {
            Worth::Is(value) => return Ok(value),
            Worth::Large if !self.patient => return Err(TooLarge::Steps),
            Worth::Large | Worth::Unasked => {}
        }
        self.room = self.room.checked_sub(1).ok_or(TooLarge::Steps)?;
        if let Some(value) = self.written_part(game, id) {
            self.parts[id as usize].worth = Worth::Is(value?);
            return value;
        }
        if self.depth >= DEEPEST {
            return Err(TooLarge::Depth);
        }
        // What the negative is worth is soon said.
        if let Some(negative) = self.negative(id)
            && let Worth::Is(value) = self.parts[negative as usize].worth
        {
            let value = self.values.neg(value)?;
            self.parts[id as usize].worth = Worth::Is(value);
            return Ok(value);
        }
        let mut options = [Vec::new(), Vec::new()];
        for side in [Side::Max, Side::Min] {
            for step in &*self.steps(game, id, side) {
                let mut sum = Value::ZERO;
                for &part in step {
                    self.depth += 1;
                    let value = self.exact(game, part);
                    self.depth -= 1;
                    sum = self.values.add(sum, value?)?;
                }
                options[side.index()].push(sum);
            }
        }
        let value = self.values.form(&options[0], &options[1])?;
        self.parts[id as usize].worth = Worth::Is(value);
        self.valued += 1;
        Ok(value)
    }

    /// The value of a part that is written as one.
    fn written_part(&mut self, game: &Erased, id: Id) -> Option<Result<Value, TooLarge>> {
        let state = self.state(id);
        let value = match (game.get::<Written>(), game.get::<Sum>()) {
            (Some(_), _) => state.get::<value::State>().value().clone(),
            (_, Some(sum)) => sum.written(state.get())?.clone(),
            _ => return None,
        };
        Some(self.read(&value))
    }

    fn read(&mut self, value: &sums::Value) -> Result<Value, TooLarge> {
        match value {
            &sums::Value::Number(n, k) => {
                let number = Dyadic::new(n, k)?;
                self.values.number(number)
            }
            &sums::Value::Heap(size) => self.values.nimber(size),
            sums::Value::Options(left, right) => {
                let mut options = [Vec::new(), Vec::new()];
                for (to, from) in options.iter_mut().zip([left, right]) {
                    for option in from.iter() {
                        to.push(self.read(option)?);
                    }
                }
                self.values.form(&options[0], &options[1])
            }
        }
    }

    /// Whether both sides have the same moves in a part: then its value is a heap of nim.
    fn is_impartial(&self, game: &Erased, id: Id) -> bool {
        match game.get::<Sum>() {
            Some(sum) => sum.is_impartial(self.state(id).get()),
            None => game.parts().is_some_and(Summand::impartial),
        }
    }

    /// Whether a value is simple enough to be used.
    pub(super) fn is_light(&mut self, value: Value) -> bool {
        self.weight(value) <= MOST_WEIGHT
    }

    /// How many options a value has, all written out, up to a limit.
    pub(super) fn weight(&mut self, value: Value) -> u32 {
        const LIMIT: u32 = 1_000_000;
        if self.values.as_number(value).is_some() || self.values.as_nimber(value).is_some() {
            return 1;
        }
        if let Some(&weight) = self.weights.get(&value) {
            return weight;
        }
        let mut weight: u32 = 1;
        for side in [Side::Max, Side::Min] {
            let Ok(options) = self.options(value, side) else { return LIMIT };
            for option in options {
                weight = weight.saturating_add(self.weight(option)).min(LIMIT);
            }
        }
        self.weights.insert(value, weight);
        weight
    }

    /// What a side can move to in a value.
    pub(super) fn options(&mut self, value: Value, side: Side) -> Result<Vec<Value>, TooLarge> {
        Ok(match side {
            Side::Max => self.values.left(value)?.to_vec(),
            Side::Min => self.values.right(value)?.to_vec(),
        })
    }

    /// The sum of two values, if it is soon found.
    pub(super) fn add(&mut self, a: Value, b: Value) -> Option<Value> {
        self.values.set_budget(SUM_STEPS);
        self.values.add(a, b).ok()
    }

    /// The sum of two values in a proof.
    pub(super) fn add_for_proof(&mut self, a: Value, b: Value) -> Option<Value> {
        self.values.set_budget(PROOF_STEPS);
        self.values.add(a, b).ok()
    }

    /// The negative of a value, if there is room for it.
    pub(super) fn neg(&mut self, value: Value) -> Option<Value> {
        self.values.set_budget(SUM_STEPS);
        self.values.neg(value).ok()
    }

    /// The value as it is written in proofs, if it is small enough.
    pub(super) fn written(&mut self, value: Value) -> Option<sums::Value> {
        if let Some(number) = self.values.as_number(value) {
            return sums::Value::number(number.numerator(), number.exponent());
        }
        if let Some(size) = self.values.as_nimber(value) {
            return sums::Value::heap(size);
        }
        let mut options = [Vec::new(), Vec::new()];
        for side in [Side::Max, Side::Min] {
            for option in self.options(value, side).ok()? {
                options[side.index()].push(self.written(option)?);
            }
        }
        let [left, right] = options;
        Some(sums::Value::of(left, right))
    }
}

/// The moves of a side in a position, and the positions behind them.
pub(super) fn moves_of<'g>(
    game: &'g Erased,
    s: &AnyState,
    side: Side,
) -> impl Iterator<Item = (AnyMove, AnyState)> + use<'g> {
    let s = game.parts().map_or_else(|| s.clone(), |summand| summand.with_turn(s, side));
    let mut moves = Vec::new();
    game.moves(&s, side.agent(), &mut moves);
    moves.into_iter().map(move |m| {
        let mut next = s.clone();
        game.play(&mut next, side.agent(), m);
        (m, next)
    })
}
