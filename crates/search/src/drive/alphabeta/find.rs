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
}

impl<Sp: Space, W: Stamp> Search<'_, Sp, W> {
    /// All first steps, or all plays, by which Max wins from a state in which it chooses. All
    /// searches share the table. The way is kept by hand: plays may be long.
    pub(super) fn find(
        &mut self,
        root: &Sp::State,
        found: &mut Vec<Vec<Sp::Step>>,
        limits: Limits,
        watch: &mut dyn Watch<Sp::Step>,
    ) -> std::result::Result<(), StopReason> {
        let mut play: Vec<Sp::Step> = Vec::new();
        let mut bytes = 0;
        let mut open = vec![self.choice(root.clone())];
        while let Some(choice) = open.last_mut() {
            let Some(step) = choice.steps.next() else {
                open.pop();
                play.pop();
                continue;
            };
            if found.len() >= MOST_LINES {
                return Err(StopReason::Nodes);
            }
            let mut next = choice.state.clone();
            self.space.take(&mut next, Side::Max, step);
            play.push(step);
            let wins = match self.space.look(&next) {
                Look::Over(outcome) => outcome == Outcome::WIN,
                Look::Choice(side) => {
                    let window = (Outcome::LOSS, Outcome::WIN);
                    let (low, _) = self.solve(&next, window, limits, watch)?;
                    if low == Outcome::WIN && self.order.find == Find::Lines && side == Side::Max {
                        open.push(self.choice(next));
                        continue;
                    }
                    low == Outcome::WIN
                }
            };
            if wins {
                found.push(play.clone());
                bytes += size_of_val(play.as_slice()) as u64;
                if bytes >= limits.bytes {
                    return Err(StopReason::Memory);
                }
            }
            play.pop();
        }
        Ok(())
    }

    /// A choice of Max and its steps.
    fn choice(&self, state: Sp::State) -> Choice<Sp> {
        let mut steps = Vec::new();
        promising(self.space, &state, Side::Max, &mut steps);
        Choice { state, steps: steps.into_iter() }
    }
}
