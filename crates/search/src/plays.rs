//! Random plays that tell which moves were made.
//!
//! Moves that do the same thing in different positions carry the same label. What is known of a
//! label is how well its moves did in random plays: the all-moves-as-first heuristic (B. Brügmann
//! 1993; D. Helmbold and A. Parker-Wood, 2009). `alphabeta` orders moves by it (T. Cazenave,
//! *Solving Games*, 2018: Monte Carlo move ordering), `sbmcts` mixes it into means (RAVE, S. Gelly
//! and D. Silver, 2007).

use std::hash::BuildHasher;

use foregone_model::{Look, Outcome, Rng, Side, Space};

use crate::table::Quick;

/// Labels are told apart by their hash; a collision mixes two of them up.
pub(crate) const LABELS: usize = 1 << 10;
/// Plays longer than this are given up.
const LONGEST: usize = 1000;

/// The label of a step.
#[inline]
pub(crate) fn label<Sp: Space>(space: &Sp, state: &Sp::State, side: Side, step: Sp::Step) -> usize {
    match space.move_class(state, side, step) {
        Some(move_class) => usize::from(move_class) & (LABELS - 1),
        None => Quick::default().hash_one(step) as usize & (LABELS - 1),
    }
}

/// How well labels did, for either side.
#[derive(Clone, Debug)]
pub(crate) struct Labels {
    /// How many plays had the label, and the sum of what Max got in them, from 0 to 1 each.
    sums: [Vec<(u32, f64)>; 2],
    /// The labels of the last play.
    played: Vec<(Side, usize)>,
}

impl Labels {
    pub(crate) fn new() -> Labels {
        Labels { sums: [vec![(0, 0.0); LABELS], vec![(0, 0.0); LABELS]], played: Vec::new() }
    }

    /// What Max got on average where `side` made a move of this label, if it ever did.
    #[inline]
    pub(crate) fn mean(&self, side: Side, label: usize) -> Option<f64> {
        let (plays, sum) = self.sums[side.index()][label];
        (plays > 0).then(|| sum / f64::from(plays))
    }

    /// A random play and its outcome, if it ended.
    pub(crate) fn play<Sp: Space>(
        &mut self,
        space: &Sp,
        mut state: Sp::State,
        rng: &mut Rng,
    ) -> Option<Outcome> {
        self.played.clear();
        let mut steps = Vec::new();
        let outcome = loop {
            match space.look(&state) {
                Look::Over(outcome) => break outcome,
                Look::Choice(_) if self.played.len() > LONGEST => return None,
                Look::Choice(side) => {
                    steps.clear();
                    space.steps(&state, side, &mut steps);
                    let step = steps[rng.below(steps.len() as u32) as usize];
                    self.played.push((side, label(space, &state, side, step)));
                    space.take(&mut state, side, step);
                }
            }
        };
        let part = f64::from(outcome.0) / f64::from(space.best().0);
        for &(side, label) in &self.played {
            let (plays, sum) = &mut self.sums[side.index()][label];
            *plays = plays.saturating_add(1);
            *sum += part;
        }
        Some(outcome)
    }
}
