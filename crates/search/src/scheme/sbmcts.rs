//! Score bounded Monte Carlo tree search: the scheme `sbmcts`.
//!
//! T. Cazenave and A. Saffidine, *Score bounded Monte-Carlo tree search* (2010), in the form of
//! *Solving Games and All That*, equations 3.11 to 3.16: random plays, and bounds of the score
//! that they never contradict. A child that cannot improve on what its parent is known to be
//! worth, nor on the relevancy bounds of the path, is never followed (the cuts of section 4.3).
//! Bounds also bias the selection: γ times the bound that the side on turn is sure of and δ times
//! the one it may hope for are added to a child's mean. With RAVE (section 2.3 of A. Saffidine,
//! *Some Improvements for Monte-Carlo Tree Search*, 2010) a child that was hardly tried is judged
//! by how well moves like the one to it do in all random plays.

use foregone_model::{Outcome, Side};

use super::blind::Range;
use super::mcts::{labelled, secure};
use super::{AnyScheme, Found, Listed, Mcts, OptionValue, Pp, Scheme, Slot};
use crate::leaves::{Init, Leaf};

/// The scheme of score bounded MCTS for a space whose best outcome is `best`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sbmcts {
    /// The best outcome.
    pub best: Outcome,
    /// The constant before the square root of the UCB formula.
    pub exploration: f64,
    /// The weight of the bound that the side on turn is sure of.
    pub gamma: f64,
    /// The weight of the bound that the side on turn may hope for.
    pub delta: f64,
    /// Whether bounds that do not meet are looked at: they cut what cannot matter. Without cuts
    /// this is an MCTS Solver for many outcomes: a child is left alone when it is solved.
    pub cuts: bool,
    /// After so many playouts a child's own mean weighs as much as that of its label. 0: labels
    /// weigh nothing.
    pub rave: f64,
    /// Whether a playout adds one node, and not all children of a leaf at once.
    pub one_node: bool,
}

/// What random plays and bounds say (3.11).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The sum of what the plays were worth, between 0 and 1 each.
    pub reward: f64,
    /// How many there were.
    pub playouts: u32,
    /// The bounds.
    pub range: Range,
}

foregone_model::stored!(Sample { reward, playouts, range });

impl From<Sample> for Slot {
    fn from(v: Sample) -> Slot {
        Slot { number: v.reward, count: v.playouts, ..v.range.into() }
    }
}

impl From<Slot> for Sample {
    fn from(slot: Slot) -> Sample {
        Sample { reward: slot.number, playouts: slot.count, range: slot.into() }
    }
}

impl Default for Sbmcts {
    fn default() -> Sbmcts {
        Sbmcts::PLAIN
    }
}

impl Listed for Sbmcts {
    const WORD: &'static str = "sbmcts";
    const ABOUT: &'static str = "score bounded Monte Carlo tree search";
    const LEAVES: &'static [Init] = &[Init::Playout, Init::Evaluation];

    fn options(&mut self) -> Vec<(&'static str, OptionValue<'_>)> {
        vec![
            ("exploration", OptionValue::Number(&mut self.exploration, Some(0.0))),
            ("gamma", OptionValue::Number(&mut self.gamma, None)),
            ("delta", OptionValue::Number(&mut self.delta, None)),
            ("cuts", OptionValue::Switch(&mut self.cuts)),
            ("rave", OptionValue::Number(&mut self.rave, Some(0.0))),
            ("expand", OptionValue::Choice(&mut self.one_node, Mcts::EXPAND)),
        ]
    }

    fn inner(self) -> AnyScheme {
        Mcts { exploration: self.exploration, ..Mcts::PLAIN }.into()
    }

    fn for_best(self, best: Outcome) -> Sbmcts {
        Sbmcts { best, ..self }
    }

    fn wants_labels(self) -> bool {
        self.rave > 0.0
    }

    fn pair_key((matters, key): (bool, f64)) -> (i8, f64) {
        (i8::from(matters), key)
    }
}

impl Sbmcts {
    /// No bias and no labels, for two outcomes.
    pub const PLAIN: Sbmcts = Sbmcts {
        best: Outcome::WIN,
        exploration: Mcts::EXPLORATION,
        gamma: 0.0,
        delta: 0.0,
        cuts: true,
        rave: 0.0,
        one_node: false,
    };

    /// A bound as a part of the scale.
    fn part(&self, o: Outcome) -> f64 {
        f64::from(o.0) / f64::from(self.best.0)
    }
}

impl Scheme for Sbmcts {
    type Value = Sample;
    /// Whether the child can matter, then the upper confidence bound (3.12).
    type Key = (bool, f64);
    /// The simple way: playouts are counted along the path on which they were made.
    fn shares(&self) -> bool {
        false
    }

    fn many(&self) -> bool {
        true
    }

    /// A playout (3.14), or an evaluation.
    fn leaf<L: Leaf>(&self, leaf: &mut L) -> Sample {
        let best = leaf.best();
        let reward = match leaf.init() {
            Init::Playout => leaf.play().map_or(0.5, |o| f64::from(o.0) / f64::from(best.0)),
            _ => leaf.chance(),
        };
        Sample { reward, playouts: 1, range: Range { low: Outcome(0), high: best } }
    }

    fn of_chance(&self, chance: f64) -> Sample {
        let range = Range { low: Outcome(0), high: self.best };
        Sample { reward: chance, playouts: 1, range }
    }

    fn chance(&self, v: Sample) -> f64 {
        if v.playouts == 0 { 0.5 } else { v.reward / f64::from(v.playouts) }
    }

    fn one_node(&self) -> bool {
        self.one_node
    }

    fn unseen(&self) -> Sample {
        let range = Range { low: Outcome(0), high: self.best };
        Sample { reward: 0.0, playouts: 0, range }
    }

    fn is_unseen(&self, v: Sample) -> bool {
        v.playouts == 0
    }

    fn counted(&self, before: Sample, proved: Sample, played: Sample) -> Sample {
        Sample {
            reward: before.reward + played.reward,
            playouts: before.playouts.saturating_add(played.playouts),
            range: proved.range,
        }
    }

    fn take(&self, found: &[Found], _at: usize) -> Sample {
        let chance = |f: &Found| match *f {
            Found::Solved(Outcome::WIN) => Pp::open(1.0),
            Found::Solved(_) => Pp::open(0.0),
            Found::Open { chance, .. } => chance,
        };
        let reward = found.iter().map(chance).sum::<f64>() / found.len() as f64;
        Sample { reward, playouts: 1, range: Range::found(found) }
    }

    fn text(&self, v: Sample) -> String {
        if v.range.low == v.range.high {
            return v.range.text();
        }
        format!("{:.3} of {} in {}", self.chance(v), v.playouts, v.range.text())
    }

    fn solved(&self, outcome: Outcome) -> Sample {
        let range = Range { low: outcome, high: outcome };
        Sample { reward: self.part(outcome), playouts: 1, range }
    }

    #[inline]
    fn outcome(&self, v: Sample) -> Option<Outcome> {
        (v.range.low == v.range.high).then_some(v.range.low)
    }

    #[inline]
    fn bounds(&self, v: Sample) -> (Outcome, Outcome) {
        (v.range.low, v.range.high)
    }

    #[inline]
    fn within(&self, v: Sample, low: Outcome, high: Outcome) -> Sample {
        Sample { range: v.range.within(low, high), ..v }
    }

    #[inline]
    fn labelled(&self, v: Sample, mean: f64) -> Sample {
        Sample { reward: labelled(self.rave, v.reward, v.playouts, mean), ..v }
    }

    #[inline]
    fn key(&self, side: Side, context: Sample, v: Sample) -> (bool, f64) {
        if v.playouts == 0 {
            // What was not looked at comes first.
            return (true, f64::INFINITY);
        }
        let count = f64::from(v.playouts);
        let mean = v.reward / count;
        let bonus = self.exploration * (f64::from(context.playouts.max(1)).ln() / count).sqrt();
        let (low, high) = (self.part(v.range.low), self.part(v.range.high));
        let open = v.range.low < v.range.high;
        match side {
            Side::Max => {
                let matters = if self.cuts { v.range.high > context.range.low } else { open };
                (matters, mean + self.gamma * low + self.delta * high + bonus)
            }
            Side::Min => {
                let matters = if self.cuts { v.range.low < context.range.high } else { open };
                (matters, bonus - mean - self.gamma * high - self.delta * low)
            }
        }
    }

    /// The secure child, within what is known for certain.
    fn worth(&self, side: Side, _context: Sample, v: Sample) -> (bool, f64) {
        let (low, high) = (self.part(v.range.low), self.part(v.range.high));
        let (least, most) = if side == Side::Max { (low, high) } else { (1.0 - high, 1.0 - low) };
        (true, secure(side, v.reward, v.playouts).clamp(least, most))
    }

    #[inline]
    fn update(&self, side: Side, children: impl Iterator<Item = Sample>) -> Sample {
        let (mut reward, mut playouts, mut open) = (0.0, 0u32, false);
        let ranges = children.map(|v| {
            reward += v.reward;
            playouts = playouts.saturating_add(v.playouts);
            open |= v.range.low < v.range.high;
            v.range
        });
        let mut range = Range::of(side, ranges);
        if !self.cuts && open {
            // One child that could not be better is enough, else all must be known.
            let (least, most) = (Outcome(0), self.best);
            let decided = match side {
                Side::Max => range.low == most,
                Side::Min => range.high == least,
            };
            if !decided {
                range = Range { low: least, high: most };
            }
        }
        Sample { reward, playouts, range }
    }
}
