//! Depth first search (`dfs`): Algorithm 1 of *Solving Games and All That*.
//!
//! The path is kept by hand instead of by recursion, so that long games do not overflow a stack.
//! It needs no scheme. The proof is built on the way: a block of lines stands for each state of
//! the path, and what was tried in vain is dropped when a better move is found.

use std::ops::ControlFlow;

use foregone_model::{Line, Look, Outcome, Side, Space, WeakSolution};

use crate::report::{Counts, Limits, Progress, Report, Solution, StopReason, Watch};

/// The watch is asked after this many expansions.
const TICK: u64 = 1024;

/// One choice of the path.
struct Frame<S> {
    state: S,
    side: Side,
    /// Where its steps begin in the common list, and which one is being tried.
    first: usize,
    current: usize,
    /// Its line, and the first line of the step being tried.
    line: usize,
    child_line: usize,
}

struct Search<'a, Sp: Space> {
    space: &'a Sp,
    path: Vec<Frame<Sp::State>>,
    steps: Vec<Sp::Step>,
    lines: Vec<Line<Sp::Step>>,
    counts: Counts,
}

/// Searches until the root is solved or the limits or the watch end it.
pub fn dfs<Sp: Space>(
    space: &Sp,
    limits: Limits,
    watch: &mut dyn Watch<Sp::Step>,
) -> Report<Sp::Step> {
    let mut search = Search {
        space,
        path: Vec::new(),
        steps: Vec::new(),
        lines: Vec::new(),
        counts: Counts::default(),
    };
    let (stop, value) = match search.run(limits, watch) {
        Ok(outcome) => (StopReason::Solved, Some(outcome)),
        Err(reason) => (reason, None),
    };
    let Search { lines, counts, .. } = search;
    let solution = value.map(|o| {
        let prover = if o == Outcome::WIN { Side::Max } else { Side::Min };
        WeakSolution { prover, lines }
    });
    let bounds = value.map_or((Outcome::LOSS, Outcome::WIN), |o| (o, o));
    let solutions = solution.map(|weak| Solution { at_least: Outcome::WIN, weak });
    let solutions = solutions.into_iter().collect();
    Report { stop, bounds, solutions, line: Vec::new(), found: Vec::new(), cost: None, counts }
}

impl<Sp: Space> Search<'_, Sp> {
    fn run(
        &mut self,
        limits: Limits,
        watch: &mut dyn Watch<Sp::Step>,
    ) -> Result<Outcome, StopReason> {
        let mut state = self.space.root();
        loop {
            // Step 1: into a state. A choice goes on with its first step.
            let mut outcome = loop {
                if self.counts.nodes >= limits.nodes {
                    return Err(StopReason::Nodes);
                }
                match self.enter(state) {
                    Some(outcome) => break outcome,
                    None => state = self.first_step(),
                }
                if self.counts.expansions.is_multiple_of(TICK) {
                    self.look_around(limits, watch)?;
                }
            };
            // Step 2: back up as long as states are decided by it.
            state = loop {
                match self.leave(outcome) {
                    Up::Next(state) => break state,
                    Up::Decided(o) => outcome = o,
                    Up::Root => return Ok(outcome),
                }
            };
        }
    }

    /// Visits a state. Its outcome, or nothing when it is a choice: then it ends the path.
    fn enter(&mut self, state: Sp::State) -> Option<Outcome> {
        self.counts.nodes += 1;
        if let Some(outcome) = self.space.repetition()
            && self.path.iter().any(|f| f.state == state)
        {
            self.lines.push(Line::Repeats);
            return Some(outcome);
        }
        let looked = match self.path.is_empty() {
            true => self.space.look_at_root(&state),
            false => self.space.look(&state),
        };
        match looked {
            Look::Over(outcome) => {
                self.lines.push(Line::Over);
                Some(outcome)
            }
            Look::Choice(side) => {
                self.counts.expansions += 1;
                let first = self.steps.len();
                self.space.steps(&state, side, &mut self.steps);
                let line = self.lines.len();
                self.lines.push(Line::Meets((self.steps.len() - first) as u32));
                let child_line = line + 1;
                self.path.push(Frame { state, side, first, current: first, line, child_line });
                None
            }
        }
    }

    /// The state behind the current step of the last choice.
    fn first_step(&self) -> Sp::State {
        let frame = &self.path[self.path.len() - 1];
        let mut next = frame.state.clone();
        self.space.take(&mut next, frame.side, self.steps[frame.current]);
        next
    }

    /// Tells the last choice what its current step is worth.
    fn leave(&mut self, outcome: Outcome) -> Up<Sp::State> {
        let Some(frame) = self.path.last_mut() else {
            return Up::Root;
        };
        let good = (outcome == Outcome::WIN) == (frame.side == Side::Max);
        if good {
            // The lines of the steps tried before prove nothing any more.
            self.lines.drain(frame.line + 1..frame.child_line);
            self.lines[frame.line] = Line::Plays(self.steps[frame.current]);
        } else if frame.current + 1 < self.steps.len() {
            frame.current += 1;
            frame.child_line = self.lines.len();
            return Up::Next(self.first_step());
        }
        self.steps.truncate(frame.first);
        self.path.pop();
        Up::Decided(outcome)
    }

    fn look_around(
        &mut self,
        limits: Limits,
        watch: &mut dyn Watch<Sp::Step>,
    ) -> Result<(), StopReason> {
        let bytes = self.lines.capacity() * size_of::<Line<Sp::Step>>()
            + self.path.capacity() * size_of::<Frame<Sp::State>>()
            + self.steps.capacity() * size_of::<Sp::Step>();
        self.counts.peak_bytes = self.counts.peak_bytes.max(bytes as u64);
        if bytes as u64 >= limits.bytes {
            return Err(StopReason::Memory);
        }
        let line: Vec<Sp::Step> = self.path.iter().map(|f| self.steps[f.current]).collect();
        let progress = Progress { counts: self.counts, root: &"depth first", line: &line };
        match watch.tick(&progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(reason) => Err(reason),
        }
    }
}

/// Where a search goes after a state is decided.
enum Up<S> {
    /// To another state of the same choice.
    Next(S),
    /// The choice is decided too.
    Decided(Outcome),
    /// There is no choice above.
    Root,
}
