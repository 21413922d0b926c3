//! What positions of games under normal play are worth, and what each of their moves is good for.

use foregone_cgt::{Judged, TooLarge, Value, Values};
use foregone_model::{Side, sums};

use super::arena::{Arena, Id, SLICE_STEPS, moves_of};
use crate::erased::{AnyMove, AnyState, Erased};

/// A value with more options than this, all written out, is too large for a proof.
const MOST_WRITTEN: u32 = 2_000;

/// What a position is worth.
#[derive(Clone, Debug)]
pub struct Worth {
    /// Its value.
    pub value: Value,
    /// The moves of Left and of Right, in the order of the game, judged.
    pub moves: [Vec<(AnyMove, Judged)>; 2],
}

/// Finds out what positions of one game are worth, and remembers their parts.
#[derive(Debug)]
pub struct Appraiser<'g> {
    game: &'g Erased,
    arena: Arena,
}

impl<'g> Appraiser<'g> {
    /// Of a game under normal play, whose values take at most so many bytes. Nothing of other games.
    pub fn new(game: &'g Erased, bytes: u64) -> Option<Appraiser<'g>> {
        game.parts()?;
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        Some(Appraiser { game, arena: Arena::with_limit(game, bytes) })
    }

    /// What a position is worth, whoever is to move. `goes_on` is asked now and then whether to go on,
    /// with the bytes that are held; if not, [`TooLarge::Steps`] is the answer.
    pub fn worth(
        &mut self,
        s: &AnyState,
        goes_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Worth, TooLarge> {
        let value = self.sum_of(s, goes_on)?;
        let mut moves = [Vec::new(), Vec::new()];
        let mut options = [Vec::new(), Vec::new()];
        for side in [Side::Max, Side::Min] {
            for (m, next) in moves_of(self.game, s, side) {
                options[side.index()].push(self.sum_of(&next, goes_on)?);
                moves[side.index()].push(m);
            }
        }
        let [left, right] = &options;
        let judged = self.arithmetic(goes_on, |values| values.judge(left, right))?;
        let [left, right] = moves;
        let with =
            |moves: Vec<AnyMove>, judged: Vec<Judged>| moves.into_iter().zip(judged).collect();
        Ok(Worth { value, moves: [with(left, judged.left), with(right, judged.right)] })
    }

    /// What the parts of a position are worth together.
    fn sum_of(
        &mut self,
        s: &AnyState,
        goes_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Value, TooLarge> {
        let mut ids: Vec<Id> = Vec::new();
        self.arena.split(self.game, s, &mut ids);
        let mut sum = Value::ZERO;
        for id in ids {
            let value = self.arena.patiently(self.game, id, goes_on)?;
            sum = self.arithmetic(goes_on, |values| values.add(sum, value))?;
        }
        Ok(sum)
    }

    /// Something that is done with values, however long it takes.
    pub fn arithmetic<T>(
        &mut self,
        goes_on: &mut dyn FnMut(u64) -> bool,
        mut done: impl FnMut(&mut Values) -> Result<T, TooLarge>,
    ) -> Result<T, TooLarge> {
        let mut steps = SLICE_STEPS;
        loop {
            self.arena.values.set_budget(steps);
            match done(&mut self.arena.values) {
                Err(TooLarge::Steps) if goes_on(self.arena.bytes()) => {}
                result => return result,
            }
            steps = steps.saturating_mul(2);
        }
    }

    /// The values that were found.
    pub fn values(&self) -> &Values {
        &self.arena.values
    }

    /// The negative of a value as a game to be added: Left wins the sum with it as second player if a
    /// position is worth as much or more. Nothing where it is too large for that.
    pub fn negative(&mut self, value: Value) -> Option<sums::Value> {
        self.arena.values.set_budget(SLICE_STEPS);
        let negative = self.arena.values.neg(value).ok()?;
        if self.arena.weight(negative) > MOST_WRITTEN {
            return None;
        }
        self.arena.written(negative)
    }
}
