//! In which order steps are tried, and what is learned for that.

use std::ops::ControlFlow;

use foregone_model::{Rng, Side, Space};

use super::{Frame, OrderBy, Search, Stamp, promising};
use crate::plays::{Labels, label};
use crate::report::{Progress, StopReason, Watch};

impl<Sp: Space, W: Stamp> Search<'_, Sp, W> {
    /// Lists the steps, the most promising first.
    pub(super) fn sort(
        &mut self,
        state: &Sp::State,
        side: Side,
        first: usize,
        best: Option<Sp::Step>,
    ) {
        if self.order.by == OrderBy::Rules {
            self.space.steps(state, side, &mut self.steps);
        } else {
            promising(self.space, state, side, &mut self.steps);
        }
        if let OrderBy::History | OrderBy::MonteCarlo(_) = self.order.by {
            let history = &self.history[side.index()];
            self.scratch.clear();
            let scored = |&step: &Sp::Step| (history[label(self.space, state, side, step)], step);
            self.scratch.extend(self.steps[first..].iter().map(scored));
            // Few moves, mostly in order already: by insertion.
            for i in 0..self.scratch.len() {
                let new = self.scratch[i];
                let mut at = i;
                while at > 0 && self.scratch[at - 1].0 < new.0 {
                    self.scratch[at] = self.scratch[at - 1];
                    at -= 1;
                }
                self.scratch[at] = new;
            }
            for (to, &(_, step)) in self.steps[first..].iter_mut().zip(&self.scratch) {
                *to = step;
            }
        }
        // A game that has an order of its own knows better than moves of other positions.
        let killers = match self.order.by {
            OrderBy::Game => [None; 2],
            _ => self.killers.get(self.path.len()).copied().unwrap_or_default(),
        };
        // The last one brought to the front is the first one tried.
        for step in [killers[1], killers[0], best].into_iter().flatten() {
            if let Some(i) = self.steps[first..].iter().position(|&s| s == step) {
                self.steps[first..=first + i].rotate_right(1);
            }
        }
    }

    /// A step that cut off is a killer at its depth, and has a history.
    pub(super) fn remember(&mut self, frame: &Frame<Sp, W>) {
        let Some(step) = frame.best else { return };
        let place = self.path.len();
        if self.killers.len() <= place {
            self.killers.resize(place + 1, [None, None]);
        }
        let killers = &mut self.killers[place];
        if killers[0] != Some(step) {
            killers[1] = killers[0];
            killers[0] = Some(step);
        }
        if self.order.by == OrderBy::History {
            let history = &mut self.history[frame.side.index()];
            let tried = &self.steps[frame.first..];
            let better = tried.iter().position(|&s| s == step).unwrap_or(0);
            for &worse in &tried[..better] {
                let score = &mut history[label(self.space, &frame.state, frame.side, worse)];
                *score = score.saturating_sub(1);
            }
            let score = &mut history[label(self.space, &frame.state, frame.side, step)];
            *score = score.saturating_add(better as i32);
        }
    }

    /// Random plays from the root: how well each side did with each of its steps.
    pub(super) fn sample(
        &mut self,
        plays: u32,
        watch: &mut dyn Watch<Sp::Step>,
    ) -> Result<(), StopReason> {
        let mut rng = Rng::new(self.order.seed);
        let mut labels = Labels::new();
        for number in 0..plays {
            if number.is_multiple_of(16)
                && let ControlFlow::Break(reason) = watch.tick(&Progress::new(self.counts, self))
            {
                return Err(reason);
            }
            labels.play(self.space, self.space.root(), &mut rng);
        }
        self.counts.playouts += u64::from(plays);
        for side in [Side::Max, Side::Min] {
            for (label, score) in self.history[side.index()].iter_mut().enumerate() {
                let mean =
                    labels.mean(side, label).map(|m| if side == Side::Max { m } else { 1.0 - m });
                *score = (mean.unwrap_or(0.0) * 1_000_000.0) as i32;
            }
        }
        Ok(())
    }
}
