//! What a finished search remembers, for its proof.

use foregone_model::{Look, Outcome, Side, Space};

use super::{BEYOND, Bounds, OrderBy, Search, Stamp, Walk, promising};
use crate::proof::{Fact, Recall};
use crate::report::{Limits, Watch};

impl<Sp: Space, W: Stamp> Recall<Sp> for Search<'_, Sp, W> {
    fn recall(&self, key: &Sp::State, at_least: Outcome) -> Option<Fact<Sp::Step>> {
        let mut key = key.clone();
        let mut forced = None;
        // What the search did not remember is told by what is behind it.
        while self.follows_forced()
            && let Look::Choice(side) = self.space.look(&key)
            && let Some(step) = self.space.forced(&key, side)
        {
            forced = forced.or(Some(step));
            self.space.take(&mut key, side, step);
            let window = (Outcome(at_least.0 - 1), at_least);
            if let Look::Over(o) = self.space.look_within(&key, window.0, window.1) {
                let outcome = if o >= at_least { Outcome::WIN } else { Outcome::LOSS };
                return Some(Fact { outcome, when: 0, best: forced });
            }
            key = self.space.key(&key);
        }
        let entry = self.table.get(&self.space.pack(&key), ())?;
        let Bounds(low, high) = entry.bounds;
        let beyond = self.order.walk == Walk::Deepen && high == BEYOND;
        let outcome = match self.rank(at_least) {
            rank if low >= rank => Outcome::WIN,
            rank if high < rank && !beyond => Outcome::LOSS,
            _ => return None,
        };
        if forced.is_some() {
            return Some(Fact { outcome, when: 0, best: forced });
        }
        let when = u64::from(entry.stamp.when()[usize::from(outcome == Outcome::LOSS)]);
        Some(Fact { outcome, when, best: entry.best })
    }

    fn list(&mut self, space: &Sp, s: &Sp::State, side: Side, steps: &mut Vec<Sp::Step>) {
        match self.order.by {
            OrderBy::Game => promising(space, s, side, steps),
            _ => space.steps(s, side, steps),
        }
    }

    fn again(
        &mut self,
        s: Sp::State,
        at_least: Outcome,
        limits: Limits,
        watch: &mut dyn Watch<Sp::Step>,
    ) -> Option<Fact<Sp::Step>> {
        let window = (Outcome(at_least.0 - 1), at_least);
        let (low, _) = self.solve(&s, window, limits, watch).ok()?;
        let outcome = if low >= at_least { Outcome::WIN } else { Outcome::LOSS };
        Some(Fact { outcome, when: u64::from(self.facts), best: None })
    }
}
