//! All first steps, or all plays, that win.

use foregone_model::{Look, Outcome, Side, Space};

use super::{Find, Search, Stamp, promising};
use crate::report::{Limits, StopReason, Watch};

/// No more plays than this are listed.
pub(super) const MOST_LINES: usize = 100_000;

/// A choice of Max whose winning steps are being listed.
struct Choice<Sp: Space> {
    state: Sp::State,
    steps: std::vec::IntoIter<Sp::Step>,
    /// How many steps lead there.
    steps_before: usize,
}

/// Where Max chooses next, if anywhere: here, or behind the only step of Min that leads to a choice of
/// Max. All other steps of Min ask for something that must hold besides.
fn next_choice<Sp: Space>(space: &Sp, state: &Sp::State) -> Option<(Option<Sp::Step>, Sp::State)> {
    match space.look_at_root(state) {
        Look::Choice(Side::Max) => Some((None, state.clone())),
        Look::Over(_) => None,
        Look::Choice(Side::Min) => {
            let mut steps = Vec::new();
            space.steps(state, Side::Min, &mut steps);
            let mut choices = steps.into_iter().filter_map(|step| {
                let mut next = state.clone();
                space.take(&mut next, Side::Min, step);
                (space.look(&next) == Look::Choice(Side::Max)).then_some((Some(step), next))
            });
            choices.next().filter(|_| choices.next().is_none())
        }
    }
}

/// What can be found behind a root.
pub(super) fn can_be_found<Sp: Space>(space: &Sp, root: &Sp::State, wanted: Find) -> Find {
    if wanted == Find::One || next_choice(space, root).is_some() { wanted } else { Find::One }
}

impl<Sp: Space, W: Stamp> Search<'_, Sp, W> {
    /// All first steps, or all plays, by which Max wins from a state. All searches share the table.
    /// The way is kept by hand: plays may be long.
    pub(super) fn find(
        &mut self,
        root: &Sp::State,
        wanted: Find,
        found: &mut Vec<Vec<Sp::Step>>,
        limits: Limits,
        watch: &mut dyn Watch<Sp::Step>,
    ) -> std::result::Result<(), StopReason> {
        let mut play: Vec<Sp::Step> = Vec::new();
        let mut bytes = 0;
        let mut open = Vec::new();
        // A choice of Min says that something else must hold, too.
        let asks_more = self.space.look_at_root(root) == Look::Choice(Side::Min);
        if !asks_more || self.wins(root, limits, watch)? {
            open.extend(self.choice(root, &mut play));
        }
        while let Some(choice) = open.last_mut() {
            play.truncate(choice.steps_before);
            let Some(step) = choice.steps.next() else {
                open.pop();
                continue;
            };
            if found.len() >= MOST_LINES {
                return Err(StopReason::Nodes);
            }
            let mut next = choice.state.clone();
            self.space.take(&mut next, Side::Max, step);
            play.push(step);
            if !self.wins(&next, limits, watch)? {
                continue;
            }
            let goes_on = if wanted == Find::Lines { self.choice(&next, &mut play) } else { None };
            if let Some(choice) = goes_on {
                open.push(choice);
                continue;
            }
            found.push(play.clone());
            bytes += size_of_val(play.as_slice()) as u64;
            if bytes >= limits.bytes {
                return Err(StopReason::Memory);
            }
        }
        Ok(())
    }

    /// Whether Max wins a state of a space of two outcomes.
    pub(super) fn wins(
        &mut self,
        state: &Sp::State,
        limits: Limits,
        watch: &mut dyn Watch<Sp::Step>,
    ) -> std::result::Result<bool, StopReason> {
        match self.space.look(state) {
            Look::Over(outcome) => Ok(outcome == Outcome::WIN),
            Look::Choice(_) => {
                let window = (Outcome::LOSS, Outcome::WIN);
                Ok(self.solve(state, window, limits, watch)?.0 == Outcome::WIN)
            }
        }
    }

    /// The next choice of Max and its steps, if there is one. The way there is added to the play.
    fn choice(&self, state: &Sp::State, play: &mut Vec<Sp::Step>) -> Option<Choice<Sp>> {
        let (way, state) = next_choice(self.space, state)?;
        play.extend(way);
        let mut steps = Vec::new();
        promising(self.space, &state, Side::Max, &mut steps);
        Some(Choice { state, steps: steps.into_iter(), steps_before: play.len() })
    }
}
