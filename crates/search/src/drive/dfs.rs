//! Depth first search (`dfs`): Algorithm 1 of *Solving Games and All That*.
//!
//! The path is kept by hand instead of by recursion, so that long games do not overflow a stack.
//! It needs no scheme. The proof is built on the way: a block of lines stands for each state of
//! the path. What was tried in vain is skipped when a better move is found, and dropped when it is
//! half of all: dropping it at once would move the rest of a long play at each of its states.

use std::io;
use std::ops::ControlFlow;

use foregone_model::{Line, Look, Outcome, Side, Space, WeakSolution};

use crate::report::{
    Counts, Limits, Progress, Report, RootMove, SHOWN, Solution, StopReason, View, Watch,
};
use crate::saved::{Reader, Writer, refused};
use crate::table::OnPath;

mod saved;

/// The watch is asked after this many expansions.
const TICK: u64 = 16;

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
    /// How many lines were skipped before the frame and before the step being tried.
    skipped: [usize; 2],
}

struct Search<'a, Sp: Space> {
    space: &'a Sp,
    path: Vec<Frame<Sp::State>>,
    steps: Vec<Sp::Step>,
    /// `Same(n)` skips what stands before line `n`.
    lines: Vec<Line<Sp::Step>>,
    /// How many lines are skipped.
    skipped: usize,
    on_path: OnPath<Sp::State>,
    counts: Counts,
}

/// Fewer lines are not worth the work of dropping them.
const FEW: usize = 4096;

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
        skipped: 0,
        on_path: OnPath::new(),
        counts: Counts::default(),
    };
    let restored = watch.saved().map(|mut from| search.restore_from(&mut Reader::new(&mut from)));
    if let Some(None) = restored {
        return refused(space, watch);
    }
    let (stop, value) = match search.run(limits, watch) {
        Ok(outcome) => (StopReason::Solved, Some(outcome)),
        Err(reason) => (reason, None),
    };
    search.drop_skipped();
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
        let mut state = match self.path.is_empty() {
            true => self.space.root(),
            false => self.first_step(),
        };
        loop {
            // Step 1: into a state. A choice goes on with its first step.
            let mut outcome = loop {
                if self.counts.nodes >= limits.nodes {
                    watch.ending(&Progress::new(self.counts, self));
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
        if self.space.repeats()
            && let path = &self.path
            && self.on_path.find(&state, path.len(), |at| &path[at].state).is_some()
        {
            self.lines.push(Line::Repeats);
            return Some(self.space.repetition(&state));
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
                self.lines.push(Line::Replies((self.steps.len() - first) as u32));
                let child_line = line + 1;
                let skipped = [self.skipped; 2];
                let current = first;
                self.path.push(Frame { state, side, first, current, line, child_line, skipped });
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
            let tried = frame.child_line - (frame.line + 1);
            if tried > 0 {
                self.lines[frame.line + 1] = Line::Same(frame.child_line as u32);
                self.skipped += tried - (frame.skipped[1] - frame.skipped[0]);
            }
            self.lines[frame.line] = Line::Plays(self.steps[frame.current]);
        } else if frame.current + 1 < self.steps.len() {
            frame.current += 1;
            frame.child_line = self.lines.len();
            frame.skipped[1] = self.skipped;
            return Up::Next(self.first_step());
        }
        self.steps.truncate(frame.first);
        if let Some(frame) = self.path.pop() {
            self.on_path.left(&frame.state, self.path.len());
        }
        if self.skipped > FEW && self.skipped > self.lines.len() / 2 {
            self.drop_skipped();
        }
        Up::Decided(outcome)
    }

    /// Drops the lines that are skipped.
    fn drop_skipped(&mut self) {
        // The step that a frame tries begins where the next frame does, but for the last frame.
        let tried = self.path.last().map(|frame| frame.child_line);
        let (mut from, mut to, mut frame, mut last) = (0, 0, 0, None);
        while from < self.lines.len() {
            if let Line::Same(next) = self.lines[from] {
                from = next as usize;
                continue;
            }
            if let Some(frame_here) = self.path.get_mut(frame)
                && frame_here.line == from
            {
                frame_here.line = to;
                frame += 1;
            } else if tried == Some(from) {
                last = Some(to);
            }
            self.lines[to] = self.lines[from];
            (from, to) = (from + 1, to + 1);
        }
        self.lines.truncate(to);
        self.skipped = 0;
        let mut child_line = last.unwrap_or(to);
        for frame in self.path.iter_mut().rev() {
            frame.child_line = child_line;
            frame.skipped = [0; 2];
            child_line = frame.line;
        }
    }

    fn look_around(
        &mut self,
        limits: Limits,
        watch: &mut dyn Watch<Sp::Step>,
    ) -> Result<(), StopReason> {
        let bytes = self.on_path.bytes() as usize
            + self.lines.capacity() * size_of::<Line<Sp::Step>>()
            + self.path.capacity() * size_of::<Frame<Sp::State>>()
            + self.steps.capacity() * size_of::<Sp::Step>();
        self.counts.peak_bytes = self.counts.peak_bytes.max(bytes as u64);
        // Lines are counted in 32 bits.
        if bytes as u64 >= limits.bytes || self.lines.len() > u32::MAX as usize / 2 {
            watch.ending(&Progress::new(self.counts, self));
            return Err(StopReason::Memory);
        }
        match watch.tick(&Progress::new(self.counts, self)) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(reason) => Err(reason),
        }
    }
}

impl<Sp: Space> View<Sp::Step> for Search<'_, Sp> {
    fn bounds(&self) -> (Outcome, Outcome) {
        (Outcome::LOSS, Outcome::WIN)
    }

    fn root_text(&self) -> String {
        "depth first".to_owned()
    }

    fn line(&self) -> Vec<Sp::Step> {
        self.path.iter().take(SHOWN).map(|f| self.steps[f.current]).collect()
    }

    /// The moves before the one being tried were bad for who chooses.
    fn root_moves(&self) -> Vec<RootMove<Sp::Step>> {
        let Some(root) = self.path.first() else { return Vec::new() };
        let end = self.path.get(1).map_or(self.steps.len(), |next| next.first);
        let bad = if root.side == Side::Max { Outcome::LOSS } else { Outcome::WIN };
        let shown = |at: usize| {
            let bounds = if at < root.current { (bad, bad) } else { View::bounds(self) };
            RootMove { step: self.steps[at], bounds, value: String::new() }
        };
        (root.first..end).map(shown).collect()
    }

    fn save(&self, out: &mut Writer<'_>) -> io::Result<bool> {
        self.save_to(out)
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
