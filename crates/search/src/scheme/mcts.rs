//! Monte Carlo tree search that also proves: MCTS Solver.
//!
//! After R. Coulom (2006), L. Kocsis and C. Szepesvári's UCT (2006), and M. Winands, Y. Björnsson
//! and J.-T. Saito, *Monte-Carlo tree search solver* (2008), in the form of *Solving Games and
//! All That*, equations 2.19 to 2.22: a leaf that is expanded gets all its children, each with a
//! playout (or an evaluation: MCTS-E, Remark 6). With `expand=one` a playout adds one node, as in A.
//! Saffidine, *Some Improvements for Monte-Carlo Tree Search* (2010): all moves of a node are tried
//! once before one is tried again, and a node counts its own first playout, too.

use foregone_model::{Outcome, Side};

use super::{AnyScheme, Listed, OptionValue, Scheme, Slot};
use crate::leaves::Init;

/// The scheme of MCTS Solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mcts {
    /// The constant before the square root of the UCB formula.
    pub exploration: f64,
    /// After so many playouts a child's own mean weighs as much as that of its label. 0: labels
    /// weigh nothing.
    pub rave: f64,
    /// Whether a playout adds one node, and not all children of a leaf at once.
    pub one_node: bool,
}

impl Mcts {
    /// The thesis' constant: the root of two (2.20).
    pub const EXPLORATION: f64 = std::f64::consts::SQRT_2;
    /// All children at once, and no labels.
    pub const PLAIN: Mcts = Mcts { exploration: Mcts::EXPLORATION, rave: 0.0, one_node: false };
    /// What stands behind `expand=`.
    pub(super) const EXPAND: [&'static str; 2] = ["all", "one"];
}

/// Wins, playouts and whether the node is solved (2.19).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tally {
    /// The sum of what the playouts were worth.
    pub reward: f64,
    /// How many there were.
    pub playouts: u32,
    /// 0: lost, 1: not solved, 2: won.
    pub status: u8,
}

foregone_model::stored!(Tally { reward, playouts, status });

impl Tally {
    /// The value of a leaf after one playout or one evaluation.
    pub fn leaf(reward: f64) -> Tally {
        Tally { reward, playouts: 1, status: 1 }
    }
}

impl From<Tally> for Slot {
    fn from(v: Tally) -> Slot {
        Slot { number: v.reward, count: v.playouts, pair: [u16::from(v.status), 0] }
    }
}

impl From<Slot> for Tally {
    fn from(slot: Slot) -> Tally {
        Tally { reward: slot.number, playouts: slot.count, status: slot.pair[0] as u8 }
    }
}

impl Default for Mcts {
    fn default() -> Mcts {
        Mcts::PLAIN
    }
}

impl Listed for Mcts {
    const WORD: &'static str = "mcts";
    const ABOUT: &'static str = "Monte Carlo tree search that proves";
    const LEAVES: &'static [Init] = &[Init::Playout, Init::Evaluation];

    fn options(&mut self) -> Vec<(&'static str, OptionValue<'_>)> {
        vec![
            ("exploration", OptionValue::Number(&mut self.exploration, Some(0.0))),
            ("rave", OptionValue::Number(&mut self.rave, Some(0.0))),
            ("expand", OptionValue::Choice(&mut self.one_node, Mcts::EXPAND)),
        ]
    }

    fn inner(self) -> AnyScheme {
        Mcts { exploration: self.exploration, ..Mcts::PLAIN }.into()
    }

    fn wants_labels(self) -> bool {
        self.rave > 0.0
    }

    fn pair_key(key: (i8, f64)) -> (i8, f64) {
        key
    }
}

impl Scheme for Mcts {
    type Value = Tally;
    /// First the solution status, then the upper confidence bound (2.20).
    type Key = (i8, f64);
    /// The simple way: playouts are counted along the path on which they were made.
    fn shares(&self) -> bool {
        false
    }

    /// A playout (2.21), or an evaluation (MCTS-E).
    #[inline]
    fn of_chance(&self, chance: f64) -> Tally {
        Tally::leaf(chance)
    }

    fn chance(&self, v: Tally) -> f64 {
        if v.playouts == 0 { 0.5 } else { v.reward / f64::from(v.playouts) }
    }

    fn one_node(&self) -> bool {
        self.one_node
    }

    fn unseen(&self) -> Tally {
        Tally { reward: 0.0, playouts: 0, status: 1 }
    }

    fn is_unseen(&self, v: Tally) -> bool {
        v.playouts == 0
    }

    fn counted(&self, before: Tally, proved: Tally, played: Tally) -> Tally {
        Tally {
            reward: before.reward + played.reward,
            playouts: before.playouts.saturating_add(played.playouts),
            status: proved.status,
        }
    }

    #[inline]
    fn labelled(&self, v: Tally, mean: f64) -> Tally {
        Tally { reward: labelled(self.rave, v.reward, v.playouts, mean), ..v }
    }

    fn text(&self, v: Tally) -> String {
        match self.outcome(v) {
            Some(Outcome::WIN) => "won".to_owned(),
            Some(_) => "lost".to_owned(),
            None => format!("{:.3} of {}", self.chance(v), v.playouts),
        }
    }

    fn solved(&self, outcome: Outcome) -> Tally {
        match outcome {
            Outcome::WIN => Tally { reward: 1.0, playouts: 1, status: 2 },
            _ => Tally { reward: 0.0, playouts: 1, status: 0 },
        }
    }

    #[inline]
    fn outcome(&self, v: Tally) -> Option<Outcome> {
        match v.status {
            2 => Some(Outcome::WIN),
            0 => Some(Outcome::LOSS),
            _ => None,
        }
    }

    /// What is nearly decided comes first. Ours.
    fn priority(&self, v: Tally) -> f64 {
        (v.reward / f64::from(v.playouts) - 0.5).abs()
    }

    #[inline]
    fn key(&self, side: Side, context: Tally, v: Tally) -> (i8, f64) {
        if v.playouts == 0 {
            // What was not looked at comes first.
            return (if side == Side::Max { 1 } else { -1 }, f64::INFINITY);
        }
        let count = f64::from(v.playouts);
        let mean = v.reward / count;
        let bonus = self.exploration * (f64::from(context.playouts.max(1)).ln() / count).sqrt();
        match side {
            Side::Max => (v.status as i8, mean + bonus),
            Side::Min => (-(v.status as i8), bonus - mean),
        }
    }

    /// The secure child.
    fn worth(&self, side: Side, _context: Tally, v: Tally) -> (i8, f64) {
        let worth = secure(side, v.reward, v.playouts);
        (if side == Side::Max { v.status as i8 } else { -(v.status as i8) }, worth)
    }

    #[inline]
    fn update(&self, side: Side, children: impl Iterator<Item = Tally>) -> Tally {
        let mut sum = Tally { reward: 0.0, playouts: 0, status: [0, 2][side.index()] };
        for v in children {
            sum.reward += v.reward;
            sum.playouts = sum.playouts.saturating_add(v.playouts);
            sum.status = match side {
                Side::Max => sum.status.max(v.status),
                Side::Min => sum.status.min(v.status),
            };
        }
        sum
    }
}

/// The RAVE value, as the sum of so many playouts: (1 - β) times the mean of a child and β times that
/// of its label, where β falls from 1 to 0 as playouts are made (the schedule of S. Gelly and D.
/// Silver, 2007).
#[inline]
pub(super) fn labelled(rave: f64, reward: f64, playouts: u32, mean: f64) -> f64 {
    let count = f64::from(playouts);
    let beta = (rave / (3.0 * count + rave)).sqrt();
    (1.0 - beta) * reward + beta * mean * count
}

/// What a side can count on after so many playouts: the mean less what chance may have added to
/// it (the secure child of G. Chaslot and others, *Progressive strategies for Monte-Carlo tree
/// search*, 2008).
pub(super) fn secure(side: Side, reward: f64, playouts: u32) -> f64 {
    if playouts == 0 {
        return f64::NEG_INFINITY;
    }
    let count = f64::from(playouts);
    let mean = if side == Side::Max { reward / count } else { 1.0 - reward / count };
    mean - 1.0 / count.sqrt()
}
