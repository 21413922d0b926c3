//! What becomes of each move of a game in its canonical form.

use crate::error::TooLarge;
use crate::values::{Value, Values};

/// What becomes of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fate {
    /// It is in the canonical form.
    Kept,
    /// An option before it has the same value: the one with this number.
    Repeated(usize),
    /// The option with this number is at least as good.
    Dominated(usize),
    /// The other player can answer it with this value, which is at least as good for him as the
    /// game was: so it counts as what the first player can move to from there.
    Reversible(Value),
}

/// An option and what it is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Judged {
    /// The option.
    pub value: Value,
    /// What becomes of it.
    pub fate: Fate,
    /// Is it a best move at the temperature of the game? At that tax, moving there and passing come
    /// to the same. Who plays such a move in the hottest part of a sum is never far from the best.
    pub hot: bool,
}

/// A game and its options, judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The value of the game.
    pub value: Value,
    /// Left's options, in the given order.
    pub left: Vec<Judged>,
    /// Right's options, in the given order.
    pub right: Vec<Judged>,
}

impl Values {
    /// The value of the game with these options, as [`Values::form`] finds it, and what becomes of
    /// each option.
    pub fn judge(&mut self, left: &[Value], right: &[Value]) -> Result<Judgement, TooLarge> {
        let value = self.form(left, right)?;
        Ok(Judgement {
            value,
            left: self.judge_side(value, left, false)?,
            right: self.judge_side(value, right, true)?,
        })
    }

    fn judge_side(
        &mut self,
        game: Value,
        side: &[Value],
        right: bool,
    ) -> Result<Vec<Judged>, TooLarge> {
        let mut judged = vec![];
        for (i, &value) in side.iter().enumerate() {
            let fate = self.fate(game, side, i, right)?;
            judged.push(Judged { value, fate, hot: self.is_hot(game, value, right)? });
        }
        Ok(judged)
    }

    fn fate(
        &mut self,
        game: Value,
        side: &[Value],
        i: usize,
        right: bool,
    ) -> Result<Fate, TooLarge> {
        let option = side[i];
        if let Some(first) = side[..i].iter().position(|&other| other == option) {
            return Ok(Fate::Repeated(first));
        }
        let mut better = None;
        for (j, &other) in side.iter().enumerate() {
            let (low, high) = if right { (other, option) } else { (option, other) };
            if other == option || !self.le(low, high)? {
                continue;
            }
            // Of several better ones a best one is told: it is dominated by none of the others.
            let best = match better {
                None => true,
                Some(k) => {
                    let (low, high) = if right { (other, side[k]) } else { (side[k], other) };
                    low != high && self.le(low, high)?
                }
            };
            if best {
                better = Some(j);
            }
        }
        if let Some(j) = better {
            return Ok(Fate::Dominated(j));
        }
        self.expand(option)?;
        for j in 0..self.store.options(option, !right).len() {
            let answer = self.store.options(option, !right)[j];
            let (low, high) = if right { (game, answer) } else { (answer, game) };
            if self.le(low, high)? {
                return Ok(Fate::Reversible(answer));
            }
        }
        Ok(Fate::Kept)
    }

    /// Does the option's scaffold reach the foot of the mast?
    fn is_hot(&mut self, game: Value, option: Value, right: bool) -> Result<bool, TooLarge> {
        let of_game = self.thermograph(game)?;
        let of_option = self.thermograph(option)?;
        let (mean, temperature) = (of_game.mean(), of_game.temperature());
        Ok(match right {
            false => of_option.right.at(temperature)?.minus(temperature)? >= mean,
            true => of_option.left.at(temperature)?.plus(temperature)? <= mean,
        })
    }
}
