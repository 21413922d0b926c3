//! What a running search shows of itself.

use std::io;

use foregone_model::{Look, Outcome, Side, Space};

use super::{Bounds, Search, Stamp, Walk};
use crate::report::{RootMove, SHOWN, View};
use crate::saved::Writer;

impl<Sp: Space, W: Stamp> View<Sp::Step> for Search<'_, Sp, W> {
    fn bounds(&self) -> (Outcome, Outcome) {
        self.bounds
    }

    fn root_text(&self) -> String {
        "depth first".to_owned()
    }

    fn line(&self) -> Vec<Sp::Step> {
        self.path.iter().take(SHOWN).map(|f| self.steps[f.current]).collect()
    }

    /// What the table has of the moves. Those that are not finished have no bounds of their own.
    fn root_moves(&self) -> Vec<RootMove<Sp::Step>> {
        let root = self.space.root();
        let Look::Choice(side) = self.space.look_at_root(&root) else { return Vec::new() };
        let mut steps = Vec::new();
        self.space.steps(&root, side, &mut steps);
        let shown = |step| {
            let bounds = self.bounds_behind(root.clone(), side, step);
            RootMove { step, bounds, value: String::new() }
        };
        steps.into_iter().map(shown).collect()
    }

    fn save(&self, out: &mut Writer<'_>) -> io::Result<bool> {
        self.save_to(out)
    }
}

impl<Sp: Space, W: Stamp> Search<'_, Sp, W> {
    /// What is known of the state behind a step.
    fn bounds_behind(
        &self,
        mut state: Sp::State,
        mut side: Side,
        step: Sp::Step,
    ) -> (Outcome, Outcome) {
        let mut next = Some(step);
        // Forced steps are taken without being remembered.
        while let Some(step) = next {
            self.space.take(&mut state, side, step);
            side = match self.space.look(&state) {
                Look::Over(outcome) => return (outcome, outcome),
                Look::Choice(side) => side,
            };
            next = if self.follows_forced() { self.space.forced(&state, side) } else { None };
        }
        let packed = self.space.pack(&self.space.key(&state));
        match (self.table.get(&packed, ()).map(|entry| entry.bounds), self.order.walk) {
            (None, _) => (Outcome(0), self.space.best()),
            // Half of what is counted in steps of two; what lies beyond the horizon is open.
            (Some(Bounds(low, high)), Walk::Deepen) => {
                (Outcome(low / 2), Outcome(high.div_ceil(2)))
            }
            (Some(Bounds(low, high)), _) => (Outcome(low), Outcome(high)),
        }
    }
}
