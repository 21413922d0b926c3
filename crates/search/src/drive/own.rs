//! A search of the game's own: by connections (`connections`), by threats (`threats`) or by the parts of a
//! sum (`parts`), for games that have one (`Guide::search_own`).
//!
//! What it looks at are connections or threats, not moves. This asks it, keeps to the limits, and
//! hands over the answer as a weak solution: where the winner is to move, the move that the game
//! names; where the other side is, an answer to every step that is not known to lose at once. Where
//! the game finds nothing, a search by proof numbers goes on.

use foregone_model::{Effort, Line, Look, Outcome, OwnFound, OwnSearch, Side, Space, WeakSolution};

use super::dag;
use super::tree::over;
use crate::leaves::{Init, Leaves};
use crate::report::{Counts, Limits, Plain, Progress, Report, Solution, StopReason, Watch};
use crate::scheme::Pn;

/// Searches until the root is decided or the limits or the watch end it.
pub fn own<Sp: Space>(
    space: &Sp,
    by: OwnSearch,
    limits: Limits,
    watch: &mut dyn Watch<Sp::Step>,
) -> Report<Sp::Step> {
    let root = space.root();
    let side = match space.look_at_root(&root) {
        Look::Over(outcome) => return over(space, outcome),
        Look::Choice(side) => side,
    };
    let mut asking = Asking { space, by, limits, watch, counts: Counts::default(), stop: None };
    let mut lines = Vec::new();
    let proved = match asking.ask(&root) {
        Some(OwnFound::Won(step)) => {
            asking.plays(&root, side, step, &mut lines).then_some((side, vec![step]))
        }
        Some(OwnFound::Lost) => {
            asking.loses(&root, side, &mut lines).then_some((side.other(), Vec::new()))
        }
        Some(OwnFound::Open) | None => None,
    };
    let Asking { counts, stop, .. } = asking;
    let Some((prover, line)) = proved else {
        return match stop {
            Some(stop) => undecided(stop, space.best(), counts),
            None => further(space, counts, limits, watch),
        };
    };
    // The game speaks of wins, and what is better than losing may be less.
    let value = if prover == Side::Max { space.best() } else { Outcome::LOSS };
    let at_least = if prover == Side::Max { value } else { Outcome(1) };
    let weak = WeakSolution { prover, lines };
    Report {
        stop: StopReason::Solved,
        bounds: (value, value),
        solutions: vec![Solution { at_least, weak }],
        line,
        found: Vec::new(),
        cost: None,
        counts,
    }
}

fn undecided<M>(stop: StopReason, best: Outcome, counts: Counts) -> Report<M> {
    let (solutions, line, found) = (Vec::new(), Vec::new(), Vec::new());
    Report { stop, bounds: (Outcome::LOSS, best), solutions, line, found, cost: None, counts }
}

/// Proof numbers, where the game's own search found nothing.
fn further<Sp: Space>(
    space: &Sp,
    used: Counts,
    limits: Limits,
    watch: &mut dyn Watch<Sp::Step>,
) -> Report<Sp::Step> {
    let limits = Limits { nodes: limits.nodes.saturating_sub(used.nodes), ..limits };
    let mut report = dag(space, &Pn, &mut Leaves::new(Init::Mobility, 0), limits, watch);
    report.counts.nodes += used.nodes;
    report.counts.expansions += used.expansions;
    report.counts.peak_bytes = report.counts.peak_bytes.max(used.peak_bytes);
    report
}

/// What asks the game, and why it ended.
struct Asking<'a, 'w, Sp: Space> {
    space: &'a Sp,
    by: OwnSearch,
    limits: Limits,
    watch: &'w mut dyn Watch<Sp::Step>,
    counts: Counts,
    stop: Option<StopReason>,
}

impl<Sp: Space> Asking<'_, '_, Sp> {
    /// Who wins a state that is a choice. Nothing if the search was ended.
    fn ask(&mut self, s: &Sp::State) -> Option<OwnFound<Sp::Step>> {
        let Asking { space, limits, watch, counts, stop, .. } = self;
        let view = Plain { text: "", bounds: (Outcome::LOSS, space.best()) };
        let before = counts.nodes;
        space.search_own(s, &mut |effort: Effort| {
            counts.nodes = before + effort.positions;
            counts.expansions = counts.nodes;
            counts.peak_bytes = counts.peak_bytes.max(effort.bytes);
            let progress = Progress::new(*counts, &view);
            *stop = match (counts.nodes >= limits.nodes, effort.bytes >= limits.bytes) {
                (true, _) => Some(StopReason::Nodes),
                (_, true) => Some(StopReason::Memory),
                _ => None,
            };
            match stop {
                Some(_) => watch.ending(&progress),
                None => *stop = watch.tick(&progress).break_value(),
            }
            stop.is_none()
        })
    }

    /// The lines of a state in which the winner plays this step. Whether all of them are there.
    fn plays(
        &mut self,
        s: &Sp::State,
        side: Side,
        step: Sp::Step,
        lines: &mut Vec<Line<Sp::Step>>,
    ) -> bool {
        lines.push(Line::Plays(step));
        let mut next = s.clone();
        self.space.take(&mut next, side, step);
        match self.space.look_at_root(&next) {
            Look::Over(_) => {
                lines.push(Line::Over);
                true
            }
            Look::Choice(side) => self.loses(&next, side, lines),
        }
    }

    /// The lines of a state in which the side to move has lost. What parts of a sum show takes one.
    fn loses(&mut self, s: &Sp::State, side: Side, lines: &mut Vec<Line<Sp::Step>>) -> bool {
        if self.by == OwnSearch::Parts
            && let Look::Over(outcome) = self.space.look(s)
        {
            lines.push(Line::Over);
            return outcome == self.worst(side);
        }
        self.replies(s, side, lines)
    }

    /// The worst outcome for a side.
    fn worst(&self, side: Side) -> Outcome {
        if side == Side::Max { Outcome::LOSS } else { self.space.best() }
    }

    /// The lines of a state in which the other side is to move: steps that are left out or known to
    /// lose need none, to the others the game has an answer.
    fn replies(&mut self, s: &Sp::State, side: Side, lines: &mut Vec<Line<Sp::Step>>) -> bool {
        let (mut steps, mut good) = (Vec::new(), Vec::new());
        self.space.steps(s, side, &mut steps);
        lines.push(Line::Replies(steps.len() as u32));
        let all = !self.space.leaves_out();
        if !all {
            self.space.promising(s, side, &mut good);
        }
        for step in steps {
            if !all && !good.contains(&step) {
                lines.push(Line::Over);
                continue;
            }
            let mut next = s.clone();
            self.space.take(&mut next, side, step);
            if let Look::Over(outcome) = self.space.look(&next) {
                // A step that saves the other side means that the game was wrong about the win.
                if outcome != self.worst(side) {
                    return false;
                }
                lines.push(Line::Over);
                continue;
            }
            match self.ask(&next) {
                Some(OwnFound::Won(answer)) if self.plays(&next, side.other(), answer, lines) => {}
                _ => return false,
            }
        }
        true
    }
}
