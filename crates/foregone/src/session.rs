//! Runs a job: asks the question, one claim after the other, and replays every certificate
//! before anything is said.

use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use foregone_model::certificate::{self, CheckError, Proved, Reader};
use foregone_model::{
    Claim, Endless, Game, Goal, Guide, Notation, Outcome, Side, Turn, WeakSolution,
};
use foregone_search::drive::{Nested, alphabeta, dag, df, dfs, tree};
use foregone_search::report::Counts;
use foregone_search::scheme::{Blind, Mcts, MinMax, Pn, Pp, Sbmcts};
use foregone_search::{Inform, Leaves, Limits, Progress, Report, Scheme, StopReason, Watch};

use crate::failure::Failure;
use crate::guidance::{Base, Guidance, SchemeChoice};
use crate::job::{Budget, Job, Outcomes, Question};
use crate::verify::Trust;

/// Set when somebody pressed Ctrl-C.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Lets Ctrl-C end a search instead of the program. A second Ctrl-C ends the program.
pub fn catch_interrupts() {
    // Without a handler Ctrl-C still works, it only loses what was found.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
}

/// Whether somebody pressed Ctrl-C.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// What was found out about a position.
#[derive(Clone, Debug)]
pub struct Answer<M> {
    /// Why the search stopped.
    pub stop: StopReason,
    /// The outcomes between which the value lies, both included.
    pub bounds: (Outcome, Outcome),
    /// Neither side can force anything, and the rules give endless play no outcome.
    pub undetermined: bool,
    /// What both sides would play.
    pub line: Vec<M>,
    /// All first moves, or all plays, that were asked for.
    pub found: Vec<Vec<M>>,
    /// Whether those are all.
    pub found_all: bool,
    /// What the cheapest proof costs, where that was asked.
    pub cost: Option<u64>,
    /// The last proof, if it was to be kept.
    pub solution: Option<WeakSolution<M>>,
    /// What the searches did.
    pub counts: Counts,
    /// How long it took.
    pub time: Duration,
    /// How long replaying the certificates took.
    pub check_time: Duration,
    /// The certificates, one behind the other, each of them replayed.
    pub certificates: String,
    /// How many claims they hold.
    pub claims: u64,
    /// How many of those rest on static knowledge whose reason was confirmed.
    pub by_reason: u64,
    /// How many rest on static knowledge that was only recomputed, which is not a proof.
    pub recomputed: u64,
    /// The names of that knowledge.
    pub recomputed_names: BTreeSet<String>,
    /// Whether every part of the answer has its certificate. A driver that forgets may find that
    /// making one takes too long.
    pub proved: bool,
}

impl<M> Answer<M> {
    /// Whether the question is answered.
    pub fn solved(&self) -> bool {
        self.stop == StopReason::Solved
    }
}

/// How many nodes a driver that forgets may visit to make a certificate that nobody asked for:
/// some ten seconds.
pub(crate) const CHEAP_PROOF: u64 = 20_000_000;

/// One question whether Max reaches an outcome, answered.
enum Verdict {
    Reached,
    NotReached,
    Undetermined,
}

/// How a question is searched: the view of the game, limits, what a second walk for the proof may
/// take, and who watches.
pub type Run<'a, 'g, G> = dyn Fn(
        &Goal<'g, G>,
        Limits,
        u64,
        &mut dyn Watch<<G as Game>::Move>,
        &(dyn Fn() -> Option<StopReason> + Sync),
    ) -> Report<<G as Game>::Move>
    + 'a;

/// How certificates in a text are replayed.
pub type Replay<'a> = dyn Fn(&[u8], &mut Trust) -> Result<Vec<Proved>, CheckError> + 'a;

struct Session<'a, G: Notation> {
    game: &'a G,
    run: &'a Run<'a, 'a, G>,
    replay: &'a Replay<'a>,
    job: &'a Job<G::State>,
    clock: Instant,
    screen: Screen,
    answer: Answer<G::Move>,
    kept: Vec<Kept>,
    /// Whether the last search's proofs hold without a word about endless play.
    strict: bool,
}

/// A certificate that was replayed.
struct Kept {
    /// Who proves, and whether endless play is enough.
    kind: (Side, bool),
    text: String,
    claims: u64,
    by_reason: u64,
    recomputed: u64,
    recomputed_names: BTreeSet<String>,
}

/// Solves a job. With `show`, a terminal sees a live line of progress.
pub fn solve<G: Guide + Notation>(
    game: &G,
    job: &Job<G::State>,
    show: bool,
) -> Result<Answer<G::Move>, Failure> {
    let search: &Run<'_, '_, G> = &|goal, limits, proof_nodes, watch, stop_check| {
        run(goal, job.guidance, &job.budget, limits, proof_nodes, watch, stop_check)
    };
    solve_by(game, job, show, search, &|text, trust| {
        replay(text, |header, reader| certificate::check(game, header, reader, trust))
    })
}

/// Replays the certificates in a text, each by this checker.
pub(crate) fn replay<'t>(
    text: &'t [u8],
    mut check: impl FnMut(&certificate::Header, &mut Reader<&'t [u8]>) -> Result<Proved, CheckError>,
) -> Result<Vec<Proved>, CheckError> {
    let mut reader = Reader::new(text);
    let mut proved = Vec::new();
    while let Some(header) = reader.header()? {
        proved.push(check(&header, &mut reader)?);
    }
    Ok(proved)
}

/// Solves a job by searches of one's own, whatever its guidance says.
pub fn solve_by<'a, G: Guide + Notation>(
    game: &'a G,
    job: &'a Job<G::State>,
    show: bool,
    run: &'a Run<'a, 'a, G>,
    replay: &'a Replay<'a>,
) -> Result<Answer<G::Move>, Failure> {
    let best = game.scale().best();
    let mut session = Session {
        game,
        run,
        replay,
        job,
        clock: Instant::now(),
        screen: Screen::new(show),
        kept: Vec::new(),
        strict: false,
        answer: Answer {
            stop: StopReason::Solved,
            bounds: (Outcome(0), best),
            undetermined: false,
            line: Vec::new(),
            found: Vec::new(),
            found_all: true,
            cost: None,
            solution: None,
            counts: Counts::default(),
            time: Duration::ZERO,
            check_time: Duration::ZERO,
            certificates: String::new(),
            claims: 0,
            by_reason: 0,
            recomputed: 0,
            recomputed_names: BTreeSet::new(),
            proved: true,
        },
    };
    let asked = match job.question {
        Question::AtLeast(outcome) => session.ask(outcome).map(|_| ()),
        Question::Value => session.value(),
    };
    session.screen.clear();
    let mut answer = session.answer;
    for kept in session.kept {
        answer.claims += kept.claims;
        answer.by_reason += kept.by_reason;
        answer.recomputed += kept.recomputed;
        answer.recomputed_names.extend(kept.recomputed_names);
        answer.certificates.push_str(&kept.text);
    }
    match asked {
        Ok(()) => {}
        Err(Stopped::Early(reason)) => answer.stop = reason,
        Err(Stopped::Failed(failure)) => return Err(failure),
    }
    answer.time = session.clock.elapsed();
    if let Some(peak) = peak_bytes_of_process() {
        answer.counts.peak_bytes = peak;
    }
    Ok(answer)
}

/// Why there is no verdict.
enum Stopped {
    Early(StopReason),
    Failed(Failure),
}

impl<G: Guide + Notation> Session<'_, G> {
    /// The value. A search that tells more than two outcomes apart is asked once; others are asked
    /// one two-outcome question after the other, each halving the outcomes left.
    fn value(&mut self) -> Result<(), Stopped> {
        if self.job.guidance.many_outcomes() && self.game.endless() != Endless::Undetermined {
            let window = self.job.window.unwrap_or(self.answer.bounds);
            let (low, high) = self.search(window, Side::Min)?;
            // The edges of a window bound nothing: the value may lie behind them.
            if low > window.0 {
                self.answer.bounds.0 = low;
            }
            if high < window.1 {
                self.answer.bounds.1 = high;
            }
            return Ok(());
        }
        let mut doubled = 1;
        while self.answer.bounds.0 < self.answer.bounds.1 {
            let (low, high) = (self.answer.bounds.0.0, self.answer.bounds.1.0);
            let middle = (low + high).div_ceil(2);
            let at_least = match self.job.outcomes {
                Outcomes::Dichotomic => middle,
                Outcomes::Iterative => low + 1,
                // Until some outcome is out of reach.
                Outcomes::Doubling if high == self.game.scale().best().0 => doubled.min(high),
                Outcomes::Doubling => middle,
            };
            doubled = doubled.saturating_mul(2);
            if let Verdict::Undetermined = self.ask(Outcome(at_least))? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether Max reaches at least this outcome. Where the rules leave endless play open, it
    /// takes two searches to tell what Max can force from what Min can force, unless the proof of
    /// the first has no loops.
    fn ask(&mut self, at_least: Outcome) -> Result<Verdict, Stopped> {
        let window = (Outcome(at_least.0 - 1), at_least);
        let mut reached = self.search(window, Side::Min)?.0 == at_least;
        if self.game.endless() == Endless::Undetermined && !reached && !self.strict {
            reached = self.search(window, Side::Max)?.0 == at_least;
            if reached {
                self.answer.undetermined = true;
                return Ok(Verdict::Undetermined);
            }
        }
        if reached {
            self.answer.bounds.0 = self.answer.bounds.0.max(at_least);
            Ok(Verdict::Reached)
        } else {
            self.answer.bounds.1 = self.answer.bounds.1.min(window.0);
            Ok(Verdict::NotReached)
        }
    }

    /// A certificate for a claim, replayed: what is checked is the very text that a file would hold.
    fn written(
        &self,
        solution: &WeakSolution<G::Move>,
        claim: Claim,
    ) -> Result<(certificate::Written, Kept), Failure> {
        let written = certificate::write(self.game, &self.job.start, claim, solution);
        let mut trust = Trust::everything();
        let proved = (self.replay)(written.text.as_bytes(), &mut trust);
        let mut proved = proved.map_err(|e| refused(&self.game.name(), &e))?;
        match (proved.pop(), proved.is_empty()) {
            (Some(proved), true) if proved.claim == claim => {
                let kept = Kept {
                    kind: (claim.prover, claim.or_endless),
                    text: String::new(),
                    claims: proved.claims,
                    by_reason: proved.by_reason,
                    recomputed: proved.recomputed,
                    recomputed_names: trust.recomputed,
                };
                Ok((written, kept))
            }
            _ => Err(Failure::proof("the certificate proves something else than was asked")),
        }
    }

    /// One search for the outcome between these two that Max reaches, and the replay of its
    /// certificates. The bounds that it found.
    fn search(
        &mut self,
        window: (Outcome, Outcome),
        open: Side,
    ) -> Result<(Outcome, Outcome), Stopped> {
        // Step 1: the search, with what is left of the budget.
        let goal = Goal::within(self.game, self.job.start.clone(), window, open)
            .with_knowledge(self.job.knowledge)
            .with_symmetry(self.job.symmetry);
        let used = &self.answer.counts;
        let nodes = self.job.budget.limits.nodes.saturating_sub(used.nodes);
        let limits = Limits { nodes, ..self.job.budget.limits };
        let mut watch = Eye {
            game: self.game,
            start: &self.job.start,
            clock: self.clock,
            time: self.job.budget.time,
            playouts: self.job.budget.playouts,
            before: *used,
            screen: &mut self.screen,
        };
        let proof_nodes = if self.job.proof.is_some() { u64::MAX } else { CHEAP_PROOF };
        let (clock, time) = (self.clock, self.job.budget.time);
        let stop_check = || stopped(clock, time);
        let report = (self.run)(&goal, limits, proof_nodes, &mut watch, &stop_check);
        let counts = &mut self.answer.counts;
        counts.expansions += report.counts.expansions;
        counts.nodes += report.counts.nodes;
        counts.playouts += report.counts.playouts;
        counts.peak_bytes = counts.peak_bytes.max(report.counts.peak_bytes);
        if let Some(violation) = self.game.rules_violation() {
            return Err(Stopped::Failed(rules_failure(&self.game.name(), &violation)));
        }
        let bounds =
            (Outcome(window.0.0 + report.bounds.0.0), Outcome(window.0.0 + report.bounds.1.0));
        if self.kept.is_empty() {
            self.answer.line = report.line;
        }
        self.answer.found = report.found;
        self.answer.found_all = report.stop == StopReason::Solved;
        self.answer.cost = report.cost;
        let mover = match self.game.turn(&self.job.start) {
            Turn::Agent(agent) => Some(Side::of(agent)),
            Turn::Over => None,
        };

        // Step 2: the certificates, one for each bound that the scale does not give.
        let clock = Instant::now();
        self.strict = !report.solutions.is_empty();
        let wanted = usize::from(bounds.0 > window.0) + usize::from(bounds.1 < window.1);
        self.answer.proved &= report.solutions.len() == wanted;
        for solution in report.solutions {
            let claim = goal.claim(solution.weak.prover, solution.at_least);
            // Where the rules leave endless play open, a proof without loops needs no such words;
            // the checker decides whether this one has some.
            let without_loops = Claim { or_endless: false, ..claim };
            let attempt = match claim.or_endless {
                true => self.written(&solution.weak, without_loops).ok(),
                false => None,
            };
            self.strict &= attempt.is_some() || !claim.or_endless;
            let (written, kept) = match attempt {
                Some(attempt) => attempt,
                None => self.written(&solution.weak, claim).map_err(Stopped::Failed)?,
            };
            let counts = &mut self.answer.counts;
            counts.peak_bytes = counts.peak_bytes.max(written.peak_bytes);
            // What the side to move forces shows its move; the other side's proof answers all.
            if self.answer.line.is_empty() || mover == Some(solution.weak.prover) {
                self.answer.line = solution.weak.line(self.game, &self.job.start);
            }
            // A claim of the same kind asked more, so the earlier one says nothing any more.
            self.kept.retain(|earlier| earlier.kind != kept.kind);
            if self.job.keeps_solution {
                self.answer.solution = Some(solution.weak);
            }
            self.kept.push(Kept { text: written.text, ..kept });
        }
        self.answer.check_time += clock.elapsed();
        if bounds.0 < bounds.1 {
            // Half an answer is an answer. The edges of the window themselves bound nothing.
            if bounds.0 > window.0 {
                self.answer.bounds.0 = self.answer.bounds.0.max(bounds.0);
            }
            if bounds.1 < window.1 {
                self.answer.bounds.1 = self.answer.bounds.1.min(bounds.1);
            }
            return Err(Stopped::Early(report.stop));
        }
        Ok(bounds)
    }
}

/// The rules turned out not to be those of a game that can be asked this.
pub(crate) fn rules_failure(game: &str, violation: &str) -> Failure {
    Failure::input(format!("{game} can't be solved: {violation}"))
}

/// The certificate of an answer was refused: the rules are at fault, or we are.
pub(crate) fn refused(game: &str, error: &CheckError) -> Failure {
    if error.rules_broken {
        return rules_failure(game, &error.problem);
    }
    Failure::proof(format!("the certificate of this answer was refused: {error}"))
        .help("this is a defect of foregone: the answer is not to be trusted")
}

/// Where a game meets a scheme and a driver.
fn run<G: Guide + Notation>(
    goal: &Goal<'_, G>,
    guidance: Guidance,
    budget: &Budget,
    limits: Limits,
    proof_nodes: u64,
    watch: &mut dyn Watch<G::Move>,
    stop_check: &(dyn Fn() -> Option<StopReason> + Sync),
) -> Report<G::Move> {
    let (scheme, init) = match guidance {
        Guidance::Dfs => return dfs(goal, limits, watch),
        Guidance::AlphaBeta(order) => return alphabeta(goal, order, limits, proof_nodes, watch),
        Guidance::Df(scheme, init) => {
            let leaves = &mut Leaves::new(init, budget.seed);
            return match scheme {
                SchemeChoice::Two(Base::Pp) | SchemeChoice::Mo(Base::Pp) => {
                    df(goal, &Pp, leaves, limits, proof_nodes, watch)
                }
                // `pick` lets no scheme through that has no thresholds.
                _ => df(goal, &Pn, leaves, limits, proof_nodes, watch),
            };
        }
        Guidance::Squared(outer, inner, init) => {
            let nested = &mut Nested::new(inner.inner(), init, budget.seed, limits, stop_check)
                .with_threads(budget.threads as usize);
            return match outer {
                SchemeChoice::Two(base) | SchemeChoice::Mo(base) => match base {
                    Base::MinMax => tree(goal, &MinMax, nested, limits, watch),
                    Base::Pn => tree(goal, &Pn, nested, limits, watch),
                    Base::Pp => tree(goal, &Pp, nested, limits, watch),
                    Base::Mcts(exploration) => {
                        tree(goal, &Mcts { exploration }, nested, limits, watch)
                    }
                },
                SchemeChoice::Blind => tree(goal, &Blind, nested, limits, watch),
                SchemeChoice::Sbmcts(scheme) => {
                    let scheme = Sbmcts { best: goal.best(), ..scheme };
                    tree(goal, &scheme, nested, limits, watch)
                }
            };
        }
        Guidance::Tree(scheme, init) | Guidance::Dag(scheme, init) => (scheme, init),
    };
    let labels = matches!(scheme, SchemeChoice::Sbmcts(scheme) if scheme.rave > 0.0);
    let leaves = &mut Leaves::new(init, budget.seed).with_labels(labels);
    match scheme {
        SchemeChoice::Two(base) | SchemeChoice::Mo(base) => match base {
            Base::MinMax => best_first(goal, &MinMax, leaves, guidance, limits, watch),
            Base::Pn => best_first(goal, &Pn, leaves, guidance, limits, watch),
            Base::Pp => best_first(goal, &Pp, leaves, guidance, limits, watch),
            Base::Mcts(exploration) => {
                best_first(goal, &Mcts { exploration }, leaves, guidance, limits, watch)
            }
        },
        SchemeChoice::Blind => best_first(goal, &Blind, leaves, guidance, limits, watch),
        SchemeChoice::Sbmcts(scheme) => {
            let scheme = Sbmcts { best: goal.best(), ..scheme };
            best_first(goal, &scheme, leaves, guidance, limits, watch)
        }
    }
}

/// Any scheme with any driver that takes one.
fn best_first<'g, G: Guide + Notation, S: Scheme>(
    goal: &Goal<'g, G>,
    scheme: &S,
    leaves: &mut impl Inform<Goal<'g, G>, S>,
    guidance: Guidance,
    limits: Limits,
    watch: &mut dyn Watch<G::Move>,
) -> Report<G::Move> {
    match guidance {
        Guidance::Dag(..) => dag(goal, scheme, leaves, limits, watch),
        _ => tree(goal, scheme, leaves, limits, watch),
    }
}

/// Whether a search is to end: Ctrl-C, or the time is over.
pub(crate) fn stopped(clock: Instant, time: Option<Duration>) -> Option<StopReason> {
    if interrupted() {
        return Some(StopReason::Interrupted);
    }
    time.is_some_and(|limit| clock.elapsed() >= limit).then_some(StopReason::Time)
}

/// Watches a search: the clock, Ctrl-C, and a live line on a terminal.
struct Eye<'a, G: Game> {
    game: &'a G,
    start: &'a G::State,
    clock: Instant,
    time: Option<Duration>,
    playouts: Option<u64>,
    /// What earlier searches of the same job did.
    before: Counts,
    screen: &'a mut Screen,
}

impl<G: Notation> Watch<G::Move> for Eye<'_, G> {
    fn tick(&mut self, progress: &Progress<'_, G::Move>) -> ControlFlow<StopReason> {
        if let Some(reason) = stopped(self.clock, self.time) {
            return ControlFlow::Break(reason);
        }
        let playouts = self.before.playouts + progress.counts.playouts;
        if self.playouts.is_some_and(|limit| playouts >= limit) {
            // Each of them made a node.
            return ControlFlow::Break(StopReason::Nodes);
        }
        let elapsed = self.clock.elapsed();
        if self.screen.due(elapsed) {
            let nodes = self.before.nodes + progress.counts.nodes;
            let seconds = elapsed.as_secs_f64();
            let line = format!(
                "{seconds:.0} s  {} nodes  {}/s  {}  {}  {}",
                short(nodes as f64),
                short(nodes as f64 / seconds),
                bytes_text(progress.counts.peak_bytes),
                progress.root,
                moves_text(self.game, self.start, progress.line, 8).join(" "),
            );
            self.screen.show(&line);
        }
        ControlFlow::Continue(())
    }
}

/// The live line. It is drawn on standard error, if that is a terminal.
pub(crate) struct Screen {
    on: bool,
    last: Duration,
    drawn: bool,
}

impl Screen {
    pub(crate) fn new(show: bool) -> Screen {
        let on = show && std::io::stderr().is_terminal();
        Screen { on, last: Duration::ZERO, drawn: false }
    }

    pub(crate) fn due(&mut self, now: Duration) -> bool {
        let due = self.on && now >= self.last + Duration::from_millis(200);
        if due {
            self.last = now;
        }
        due
    }

    pub(crate) fn show(&mut self, line: &str) {
        let width = terminal_width();
        let cut: String = line.chars().take(width.saturating_sub(1)).collect();
        let mut err = std::io::stderr();
        let _ = write!(err, "\r\x1b[K{cut}").and_then(|()| err.flush());
        self.drawn = true;
    }

    pub(crate) fn clear(&mut self) {
        if self.drawn {
            let mut err = std::io::stderr();
            let _ = write!(err, "\r\x1b[K").and_then(|()| err.flush());
        }
    }
}

/// The width that the shell tells, or the usual one.
fn terminal_width() -> usize {
    std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok()).unwrap_or(80)
}

/// The texts of moves played from a state, at most so many.
pub fn moves_text<G: Notation>(
    game: &G,
    start: &G::State,
    moves: &[G::Move],
    most: usize,
) -> Vec<String> {
    let mut s = start.clone();
    let mut texts = Vec::new();
    for &m in moves.iter().take(most) {
        let Turn::Agent(agent) = game.turn(&s) else {
            break;
        };
        // A search that takes mirror images as one may name a move of an image.
        let mut legal = Vec::new();
        game.moves(&s, agent, &mut legal);
        if !legal.contains(&m) {
            break;
        }
        texts.push(game.move_text(&s, m));
        game.play(&mut s, agent, m);
    }
    texts
}

/// 12.3M and the like.
pub fn short(n: f64) -> String {
    match n {
        n if n >= 1e9 => format!("{:.1}G", n / 1e9),
        n if n >= 1e6 => format!("{:.1}M", n / 1e6),
        n if n >= 1e4 => format!("{:.1}k", n / 1e3),
        n => format!("{n:.0}"),
    }
}

/// 1.5 GB and the like.
pub fn bytes_text(n: u64) -> String {
    match n as f64 {
        n if n >= 1e9 => format!("{:.1} GB", n / 1e9),
        n if n >= 1e6 => format!("{:.0} MB", n / 1e6),
        n => format!("{:.0} kB", n / 1e3),
    }
}

/// The number of kilobytes behind a key of a file of the proc file system.
fn kilobytes(file: &str, key: &str) -> Option<u64> {
    let text = std::fs::read_to_string(Path::new(file)).ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix(key))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// The most memory that the process held, as the operating system sees it, where it tells.
pub fn peak_bytes_of_process() -> Option<u64> {
    kilobytes("/proc/self/status", "VmHWM:").map(|k| k * 1024)
}

/// The memory that the process holds, as the operating system sees it, where it tells.
pub fn bytes_of_process() -> Option<u64> {
    kilobytes("/proc/self/status", "VmRSS:").map(|k| k * 1024)
}

/// Three quarters of the memory that is free; a modest guess where the system does not tell.
pub fn memory_to_use() -> u64 {
    kilobytes("/proc/meminfo", "MemAvailable:").map_or(2 << 30, |k| k * 1024 / 4 * 3)
}
