//! A search of a job about a game in turn, watched.

use std::io::Read;
use std::ops::ControlFlow;
use std::time::Duration;

use foregone_model::{Agent, Game, Notation, Outcome};
use foregone_search::report::Counts;
use foregone_search::{Progress, StopReason, Watch};

use crate::job::Budget;
use crate::observe::{Cancel, Clock, Event, Meter, MoveValue, Observer, Pace, stopped_after};
use crate::scale::Ranking;
use crate::session::moves_text;

/// Watches a search for its job: the budget, the token that cancels it, and who observes it.
pub(crate) struct ProgressWatch<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) start: &'a G::State,
    pub(crate) max: Agent,
    pub(crate) window: (Outcome, Outcome),
    pub(crate) clock: &'a dyn Clock,
    pub(crate) cancel: &'a Cancel,
    pub(crate) began: Duration,
    pub(crate) budget: &'a Budget,
    /// What earlier searches of the same job did.
    pub(crate) before: Counts,
    pub(crate) pace: &'a mut Pace,
    pub(crate) observer: &'a mut dyn Observer,
    pub(crate) ends: Ends,
}

/// Whether a search is to end.
#[derive(Clone, Copy)]
pub(crate) enum Ends {
    Not,
    /// Since then; it could not be written down yet.
    Since(Duration),
    Did,
}

impl<G: Notation> Watch<G::Move> for ProgressWatch<'_, G> {
    fn tick(&mut self, progress: &Progress<'_, G::Move>) -> ControlFlow<StopReason> {
        let elapsed = self.clock.now().saturating_sub(self.began);
        let mut stop = stopped_after(elapsed, self.cancel, self.budget.time);
        let playouts = self.before.playouts + progress.counts.playouts;
        if stop.is_none() && self.budget.playouts.is_some_and(|limit| playouts >= limit) {
            // Each of them made a node.
            stop = Some(StopReason::Nodes);
        }
        if !self.ends.keep(self.observer, progress, elapsed, stop.is_some()) {
            return ControlFlow::Continue(());
        }
        if let Some(reason) = stop {
            return ControlFlow::Break(reason);
        }
        if self.pace.due(elapsed) {
            let event = Event::Progress(self.event(progress, elapsed));
            self.observer.event(&event);
        }
        ControlFlow::Continue(())
    }

    fn ending(&mut self, progress: &Progress<'_, G::Move>) {
        self.ends.last(self.observer, progress);
    }

    fn proving(&mut self, progress: &Progress<'_, G::Move>) {
        if let Some(checkpoints) = self.observer.checkpoints() {
            checkpoints.keep(progress, false);
        }
    }

    fn keeps(&mut self) -> bool {
        self.observer.checkpoints().is_some()
    }

    fn saved(&mut self) -> Option<Box<dyn Read + '_>> {
        let state = self.observer.checkpoints()?.state()?;
        Some(state)
    }

    fn unreadable(&mut self) {
        if let Some(checkpoints) = self.observer.checkpoints() {
            checkpoints.unreadable();
        }
    }
}

/// How long a search that is to end may go on until it can be written down.
const GRACE: Duration = Duration::from_secs(10);

impl Ends {
    /// Keeps a checkpoint if one is due, or if the search is to end. False if it can't be written just
    /// now and should go on for a moment: a table is being made larger, say.
    fn keep<M>(
        &mut self,
        observer: &mut dyn Observer,
        progress: &Progress<'_, M>,
        elapsed: Duration,
        ends: bool,
    ) -> bool {
        let Some(checkpoints) = observer.checkpoints() else { return true };
        match (ends, *self) {
            (false, _) => {
                if checkpoints.due(elapsed) {
                    checkpoints.keep(progress, false);
                }
                true
            }
            // What comes after the end is not a search that could go on.
            (true, Ends::Did) => true,
            (true, Ends::Not | Ends::Since(_)) => {
                let since = match *self {
                    Ends::Since(since) => since,
                    _ => elapsed,
                };
                let late = elapsed >= since + GRACE;
                let done = checkpoints.keep(progress, late) || late;
                *self = if done { Ends::Did } else { Ends::Since(since) };
                done
            }
        }
    }

    /// Keeps a checkpoint of a search that may not use more.
    fn last<M>(&mut self, observer: &mut dyn Observer, progress: &Progress<'_, M>) {
        if let (Some(checkpoints), Ends::Not) = (observer.checkpoints(), *self) {
            checkpoints.keep(progress, true);
            *self = Ends::Did;
        }
    }
}

impl<G: Notation> ProgressWatch<'_, G> {
    fn event(
        &self,
        progress: &Progress<'_, G::Move>,
        elapsed: Duration,
    ) -> crate::observe::Progress {
        let ranking = Ranking::new(self.game, self.max);
        let (lowest, highest) = self.window;
        let place = |o: Outcome| Outcome(lowest.0 + o.0);
        // The edges of the window bound nothing: the value may lie behind them.
        let names = |(low, high): (Outcome, Outcome)| {
            let low = Some(place(low)).filter(|&low| low > lowest).unwrap_or(Outcome(0));
            let high = Some(place(high)).filter(|&high| high < highest).unwrap_or(ranking.best());
            [ranking.name(low), ranking.name(high)]
        };
        let known = |m: foregone_search::RootMove<G::Move>| MoveValue {
            text: self.game.move_text(self.start, m.step),
            value: m.value,
            bounds: names(m.bounds),
        };
        crate::observe::Progress {
            seconds: elapsed.as_secs_f64(),
            expansions: self.before.expansions + progress.counts.expansions,
            nodes: self.before.nodes + progress.counts.nodes,
            playouts: self.before.playouts + progress.counts.playouts,
            bytes: progress.counts.peak_bytes,
            bounds: names(progress.bounds()),
            root: progress.root_text(),
            line: moves_text(self.game, self.start, &progress.line(), usize::MAX),
            moves: progress.root_moves().into_iter().map(known).collect(),
        }
    }
}

/// The same for searches that have no line and no values of moves to tell.
pub(crate) struct CountWatch<'a> {
    pub(crate) clock: &'a dyn Clock,
    pub(crate) cancel: &'a Cancel,
    pub(crate) began: Duration,
    pub(crate) budget: &'a Budget,
    pub(crate) pace: Pace,
    pub(crate) observer: &'a mut dyn Observer,
    pub(crate) ends: Ends,
}

impl CountWatch<'_> {
    pub(crate) fn meter(&mut self) -> Meter<'_> {
        Meter {
            clock: self.clock,
            cancel: self.cancel,
            began: self.began,
            time: self.budget.time,
            pace: &mut self.pace,
            observer: self.observer,
        }
    }
}

impl<M> Watch<M> for CountWatch<'_> {
    fn ending(&mut self, progress: &Progress<'_, M>) {
        self.ends.last(self.observer, progress);
    }

    fn saved(&mut self) -> Option<Box<dyn Read + '_>> {
        let state = self.observer.checkpoints()?.state()?;
        Some(state)
    }

    fn unreadable(&mut self) {
        if let Some(checkpoints) = self.observer.checkpoints() {
            checkpoints.unreadable();
        }
    }

    fn tick(&mut self, progress: &Progress<'_, M>) -> ControlFlow<StopReason> {
        let elapsed = self.clock.now().saturating_sub(self.began);
        let stop = stopped_after(elapsed, self.cancel, self.budget.time);
        if !self.ends.keep(self.observer, progress, elapsed, stop.is_some()) {
            return ControlFlow::Continue(());
        }
        if let Some(reason) = stop {
            return ControlFlow::Break(reason);
        }
        if self.pace.due(elapsed) {
            self.observer.event(&Event::Progress(crate::observe::Progress {
                seconds: elapsed.as_secs_f64(),
                expansions: progress.counts.expansions,
                nodes: progress.counts.nodes,
                bytes: progress.counts.peak_bytes,
                ..crate::observe::Progress::default()
            }));
        }
        ControlFlow::Continue(())
    }
}

/// Watches a search that nobody observes.
pub(crate) struct StopWatch<'a>(pub(crate) &'a dyn Fn() -> Option<StopReason>);

impl<M> Watch<M> for StopWatch<'_> {
    fn tick(&mut self, _progress: &Progress<'_, M>) -> ControlFlow<StopReason> {
        match (self.0)() {
            Some(reason) => ControlFlow::Break(reason),
            None => ControlFlow::Continue(()),
        }
    }
}
