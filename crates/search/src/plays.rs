//! Random plays that tell which moves were made.
//!
//! Moves that do the same thing in different positions carry the same label. What is known of a
//! label is how well its moves did in random plays: the all-moves-as-first heuristic (B. Brügmann
//! 1993; D. Helmbold and A. Parker-Wood, 2009). `alphabeta` orders moves by it (T. Cazenave,
//! *Solving Games*, 2018: Monte Carlo move ordering), `sbmcts` mixes it into means (RAVE, S. Gelly
//! and D. Silver, 2007).

use std::hash::{BuildHasher, Hash};
use std::io;

use foregone_model::{Look, Outcome, Rng, Side, Space};

use crate::saved::{Reader, Writer};
use crate::table::Quick;

/// Labels are told apart by their hash; a collision mixes two of them up.
pub(crate) const LABELS: usize = 1 << 10;
/// Plays longer than this are given up.
const LONGEST: usize = 1000;

/// The label of a step.
#[inline]
pub(crate) fn label<Sp: Space>(space: &Sp, state: &Sp::State, side: Side, step: Sp::Step) -> usize {
    label_of(space.move_class(state, side, step), step)
}

/// The label of a step of this class, if it has one.
#[inline]
pub(crate) fn label_of(class: Option<u16>, step: impl Hash) -> usize {
    let label = match class {
        Some(class) => usize::from(class),
        None => Quick::default().hash_one(step) as usize,
    };
    label & (LABELS - 1)
}

/// How well labels did, for either side.
#[derive(Clone, Debug)]
pub(crate) struct Labels {
    /// How many plays had the label, and the sum of what Max got in them, from 0 to 1 each.
    sums: [Vec<(u32, f64)>; 2],
    /// The labels of the steps that led to where the play begins, then those of the last play.
    played: Vec<(Side, usize)>,
    /// How many of them led there.
    led: usize,
}

impl Labels {
    pub(crate) fn new() -> Labels {
        Labels {
            sums: [vec![(0, 0.0); LABELS], vec![(0, 0.0); LABELS]],
            played: Vec::new(),
            led: 0,
        }
    }

    /// What Max got on average where `side` made a move of this label, if it ever did.
    #[inline]
    pub(crate) fn mean(&self, side: Side, label: usize) -> Option<f64> {
        let (plays, sum) = self.sums[side.index()][label];
        (plays > 0).then(|| sum / f64::from(plays))
    }

    /// Says which steps lead to where the next plays begin, by adding one to so many that are known.
    #[inline]
    pub(crate) fn lead(&mut self, known: usize, side: Side, label: usize) {
        self.played.truncate(known);
        self.played.push((side, label));
        self.led = known + 1;
    }

    /// Writes down how well labels did. The steps that lead to a play are told anew before it.
    pub(crate) fn save(&self, out: &mut Writer<'_>) -> io::Result<()> {
        self.sums.iter().flatten().try_for_each(|sum| out.put(sum))
    }

    /// Reads that back.
    pub(crate) fn restore(&mut self, from: &mut Reader<'_>) -> Option<()> {
        for sum in self.sums.iter_mut().flatten() {
            *sum = from.get()?;
        }
        Some(())
    }

    /// A random play and its outcome, if it ended. The steps that led to where it begins count as
    /// its own: they are edges that the playout went through.
    pub(crate) fn play<Sp: Space>(
        &mut self,
        space: &Sp,
        mut state: Sp::State,
        rng: &mut Rng,
    ) -> Option<Outcome> {
        self.played.truncate(self.led);
        let mut steps = Vec::new();
        let outcome = loop {
            match space.look(&state) {
                Look::Over(outcome) => break outcome,
                Look::Choice(_) if self.played.len() - self.led > LONGEST => return None,
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

#[cfg(test)]
mod tests {
    use super::Labels;
    use foregone_model::{Agent, Game, Goal, Guide, Outcome, Rng, Side, Turn};

    /// Two moves each from the same three, and the first player wins.
    struct Short;

    impl Game for Short {
        type State = u8;
        type Move = u8;

        fn start(&self) -> u8 {
            0
        }

        fn turn(&self, s: &u8) -> Turn {
            if *s == 4 { Turn::Over } else { Turn::Agent(Agent(s % 2)) }
        }

        fn moves(&self, _s: &u8, _agent: Agent, out: &mut Vec<u8>) {
            out.extend([0, 1, 2]);
        }

        fn play(&self, s: &mut u8, _agent: Agent, _m: u8) {
            *s += 1;
        }

        fn outcome(&self, _s: &u8) -> Outcome {
            Outcome::WIN
        }
    }

    impl Guide for Short {
        type Packed = u8;

        fn pack(&self, s: &u8) -> u8 {
            *s
        }
    }

    /// A playout goes through the edges of the descent as well as through those of the random play.
    #[test]
    fn the_steps_of_the_descent_count() {
        let space = Goal::new(&Short, 0, Outcome::WIN, Side::Min);
        let (mut labels, mut rng) = (Labels::new(), Rng::new(1));
        let counts = |labels: &Labels, side: Side| {
            labels.sums[side.index()].iter().map(|&(plays, _)| plays).sum::<u32>()
        };
        labels.play(&space, 0, &mut rng);
        assert_eq!([Side::Max, Side::Min].map(|side| counts(&labels, side)), [2, 2]);
        // Down two steps, then plays of two more; the second of them behind another second step.
        labels.lead(0, Side::Max, 700);
        labels.lead(1, Side::Min, 701);
        labels.play(&space, 2, &mut rng);
        labels.lead(1, Side::Min, 702);
        labels.play(&space, 2, &mut rng);
        assert_eq!([Side::Max, Side::Min].map(|side| counts(&labels, side)), [6, 6]);
        let plays = |side: Side, label: usize| labels.sums[side.index()][label].0;
        assert_eq!(
            [plays(Side::Max, 700), plays(Side::Min, 701), plays(Side::Min, 702)],
            [2, 1, 1]
        );
        assert_eq!(labels.mean(Side::Max, 700), Some(1.0));
    }
}
