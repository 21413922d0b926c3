//! Runs a job about a game in turn: asks the question, one claim after the other, and replays
//! every certificate before anything is said.

use std::collections::BTreeSet;
use std::io::BufRead;

use foregone_model::certificate::{self, CheckError, Manner, Proved, Reader};
use foregone_model::{
    Agent, Claim, Endless, Game, Goal, Guide, Notation, Outcome, Side, Turn, WeakSolution,
};
use foregone_search::report::Counts;
use foregone_search::{DriverSpec, Guidance, Limits, Report, StopReason, Watch};

use crate::answer::{Answer, Finished, Status, TurnAnswer, UNDETERMINED};
use crate::certify::{Certified, Material, ProofText, ProofTexts, certify};
use crate::draw;
use crate::error::Error;
use crate::job::{Job, Outcomes, Proof};
use crate::line::{self, Lines, Strategy, Wanted, line_nodes};
use crate::moves;
use crate::observe::{Context, Event, Meter, Pace, stopped};
use crate::scale::Ranking;
use crate::task::{Findings, Part, Task};
use crate::trust::Trust;
use crate::watch::{Ends, ProgressWatch, StopWatch};

/// How many nodes a driver that forgets may visit to make a certificate that nobody asked for:
/// some ten seconds.
pub(crate) const CHEAP_PROOF: u64 = 20_000_000;

/// One question whether Max reaches an outcome, answered.
enum Verdict {
    Reached,
    NotReached,
    Undetermined,
}

/// What a search is handed besides its space.
pub(crate) struct Turnkey<'a, M> {
    pub(crate) limits: Limits,
    /// What a second walk for the proof may take.
    pub(crate) proof_nodes: u64,
    pub(crate) watch: &'a mut dyn Watch<M>,
    pub(crate) stop_check: &'a (dyn Fn() -> Option<StopReason> + Sync),
    /// Whether it is a small search beside the answer, which is not worth sending away.
    pub(crate) aside: bool,
}

/// How a question is searched.
pub(crate) type Run<'a, 'g, G> =
    dyn Fn(&Goal<'g, G>, Turnkey<'_, <G as Game>::Move>) -> Report<<G as Game>::Move> + 'a;

/// How certificates in a text are replayed.
pub(crate) type Replay<'a> =
    dyn Fn(&mut dyn BufRead, &mut Trust) -> Result<Vec<Proved>, CheckError> + 'a;

struct Session<'a, 'g, 'c, G: Notation> {
    game: &'g G,
    run: &'a Run<'a, 'g, G>,
    replay: &'a Replay<'a>,
    task: &'a Task<G::State>,
    context: &'a mut Context<'c>,
    part: Part,
    /// The best outcome for Max.
    best: Outcome,
    pace: Pace,
    findings: Findings<G::Move>,
    /// What Max and Min do to reach what is claimed for them.
    strategies: [Option<Strategy<G::Move>>; 2],
    kept: Vec<Kept<'c>>,
    /// Whether the last search's proofs hold without a word about endless play.
    strict: bool,
}

/// A certificate that was replayed.
struct Kept<'a> {
    /// Who proves, and whether endless play is enough.
    kind: (Side, bool),
    text: ProofText<'a>,
    claims: u64,
    connections: u64,
    parts: u64,
    by_reason: u64,
    recomputed: u64,
    recomputed_names: BTreeSet<String>,
}

/// Runs a job about this game, whatever game it names, guided as it says.
pub fn solve<G: Guide + Notation>(
    game: &G,
    job: &Job,
    context: &mut Context<'_>,
) -> Result<Finished, Error> {
    let guidance = crate::guidance::pick(game, job)?;
    solve_guided(game, job, guidance, context, &shared_search(guidance, job))
}

/// The search that a guidance names.
pub(crate) fn shared_search<'g, G: Guide + 'g>(
    guidance: Guidance,
    job: &Job,
) -> impl Fn(&Goal<'g, G>, Turnkey<'_, G::Move>) -> Report<G::Move> + 'static {
    let (seed, threads, inner_nodes) =
        (job.seed, job.budget.threads as usize, job.budget.inner_nodes);
    move |goal, key| {
        let run = foregone_search::Run {
            limits: key.limits,
            proof_nodes: key.proof_nodes,
            seed,
            threads,
            inner_nodes,
            find: foregone_search::drive::Find::One,
            stop_check: key.stop_check,
            watch: key.watch,
        };
        foregone_search::search(goal, &guidance, run)
    }
}

/// The same by a search of one's own, which is what the guidance says.
pub(crate) fn solve_guided<'g, G: Guide + Notation>(
    game: &'g G,
    job: &Job,
    guidance: Guidance,
    context: &mut Context<'_>,
    run: &Run<'_, 'g, G>,
) -> Result<Finished, Error> {
    if game.has_chance() {
        let driver = guidance.driver().word();
        return Err(Error::input(format!(
            "the driver `{driver}` does not take chance, and {} has it",
            game.name()
        )));
    }
    can_be_kept(game, job, context)?;
    if context.observer.checkpoints().is_some()
        && let driver @ (DriverSpec::Lambda(_) | DriverSpec::Own(_)) = guidance.driver()
    {
        let message = format!("searches by `{}` can't be kept in checkpoints", driver.word());
        return Err(Error::input(message)
            .help("leave out --checkpoint, or name another driver: `--driver df`"));
    }
    let max = match &job.player {
        None => Agent::FIRST,
        Some(name) if game.one_player() => {
            return Err(Error::input(format!(
                "{} has one player, and `{name}` can't be another",
                game.name()
            )));
        }
        Some(name) => crate::scale::agent_called(game, name, "player")?,
    };
    let ranking = Ranking::new(game, max);
    let task = Task::new(game, job, guidance, &ranking, max)?;
    context.observer.event(&Event::Started {
        game: game.name(),
        position: game.position_text(&task.start),
        question: ranking.question_text(task.at_least),
        scheme: guidance.scheme().map(|scheme| scheme.word()),
        driver: guidance.driver().word().to_owned(),
    });
    let replay: &Replay<'_> = &|text, trust| {
        replay(text, |header, reader| certificate::check(game, header, reader, trust))
    };
    let part = Part::whole(game, &task, context);
    let mut findings = work_off(game, &task, part, context, run, replay)?;
    let moves = match job.moves {
        true => Some(moves::values(game, &task, &mut findings, context, run, replay)?),
        false => None,
    };
    context.observer.event(&Event::Done { stop: findings.stop.into() });
    let drawings = findings.solution.take().map(|halves| {
        draw::drawings(game, &task.start, |claim| ranking.name(claim.at_least), &halves)
    });
    let mut answer = turn_answer(game, job, &task, &ranking, guidance, &findings);
    answer.moves = moves;
    let ProofTexts { held, archived } = findings.certificate();
    Ok(Finished {
        certificate: held,
        archived,
        check_time: findings.check_time,
        drawings,
        answer: Answer::Turn(answer),
    })
}

/// Refuses a job whose searches can't be kept in checkpoints, where some are wanted.
pub(crate) fn can_be_kept<G: Guide + Notation>(
    game: &G,
    job: &Job,
    context: &mut Context<'_>,
) -> Result<(), Error> {
    if context.observer.checkpoints().is_none() {
        return Ok(());
    }
    if !game.stores() {
        let message = format!("searches of {} can't be kept in checkpoints", game.name());
        return Err(Error::input(message)
            .help("its states can't be written as bytes: see `Guide::stores` in the library"));
    }
    if job.budget.threads > 1 && game.endless() != Endless::Impossible {
        let message = format!(
            "positions of {} can come up again: there, searches by several threads can't be kept in \
             checkpoints",
            game.name()
        );
        return Err(Error::input(message).help("leave out --threads, or --checkpoint"));
    }
    Ok(())
}

fn turn_answer<G: Notation>(
    game: &G,
    job: &Job,
    task: &Task<G::State>,
    ranking: &Ranking,
    guidance: Guidance,
    findings: &Findings<G::Move>,
) -> TurnAnswer {
    let name = |o: Outcome| ranking.name(o);
    let (low, high) = findings.bounds;
    let value = match findings.undetermined {
        true => Some(UNDETERMINED.to_owned()),
        false => (low == high).then(|| name(low)),
    };
    let line = moves_text(game, &task.start, &findings.line, usize::MAX);
    let decided = findings.solved() && !findings.undetermined;
    let counts = &findings.counts;
    TurnAnswer {
        game: game.name(),
        position: game.position_text(&task.start),
        question: ranking.question_text(task.at_least),
        estimate_of: None,
        player: (task.max != Agent::FIRST).then(|| game.agent_name(task.max).to_owned()),
        scheme: guidance.scheme().map(|scheme| scheme.word()),
        driver: guidance.driver().word().to_owned(),
        status: Status::of(findings.solved()),
        value,
        winner: ranking.winner(game, findings.bounds).filter(|_| !findings.undetermined),
        bounds: [name(low), name(high)],
        holds: task.at_least.filter(|_| decided).map(|o| low >= o),
        best_move: line.first().cloned(),
        line,
        line_end: findings.line_end,
        moves: None,
        expansions: counts.expansions,
        nodes: counts.nodes,
        playouts: counts.playouts,
        seconds: findings.time.as_secs_f64(),
        peak_bytes: counts.peak_bytes,
        seed: job.seed,
        stop: findings.stop.into(),
        threats: match guidance.driver() {
            DriverSpec::Lambda(threats) => Some(threats.order),
            _ => None,
        },
        proof: findings.proof(),
    }
}

/// Replays the certificates in a text, each by this checker.
pub(crate) fn replay<'t>(
    text: &'t mut dyn BufRead,
    mut check: impl FnMut(
        &certificate::Header,
        &mut Reader<&'t mut dyn BufRead>,
    ) -> Result<Proved, CheckError>,
) -> Result<Vec<Proved>, CheckError> {
    let mut reader = Reader::new(text);
    let mut proved = Vec::new();
    while let Some(header) = reader.header()? {
        proved.push(check(&header, &mut reader)?);
    }
    Ok(proved)
}

/// Works off a task by searches of one's own.
pub(crate) fn solve_by<'g, G: Guide + Notation>(
    game: &'g G,
    task: &Task<G::State>,
    context: &mut Context<'_>,
    run: &Run<'_, 'g, G>,
    replay: &Replay<'_>,
) -> Result<Findings<G::Move>, Error> {
    let part = Part::whole(game, task, context);
    let findings = work_off(game, task, part, context, run, replay)?;
    context.observer.event(&Event::Done { stop: findings.stop.into() });
    Ok(findings)
}

/// Works off a part of a job.
pub(crate) fn work_off<'g, G: Guide + Notation>(
    game: &'g G,
    task: &Task<G::State>,
    part: Part,
    context: &mut Context<'_>,
    run: &Run<'_, 'g, G>,
    replay: &Replay<'_>,
) -> Result<Findings<G::Move>, Error> {
    let mut session = Session {
        game,
        run,
        replay,
        task,
        part,
        best: Ranking::new(game, task.max).best(),
        pace: Pace::new(context.observer),
        context,
        strategies: [None, None],
        kept: Vec::new(),
        strict: false,
        findings: Findings::new(part),
    };
    let asked = match task.at_least {
        Some(outcome) => session.ask(outcome).map(|_| ()),
        None => session.value(),
    };
    if asked.is_ok() && task.wants_line && !task.keeps_strategies {
        session.principal_variation();
    }
    let Session { mut findings, kept, context, strategies, .. } = session;
    if task.keeps_strategies {
        findings.strategies = strategies;
    }
    let mut names = BTreeSet::new();
    let summary = &mut findings.summary;
    for kept in kept {
        summary.claims += kept.claims;
        summary.connections += kept.connections;
        summary.parts += kept.parts;
        summary.by_reason += kept.by_reason;
        summary.recomputed += kept.recomputed;
        names.extend(kept.recomputed_names);
        findings.certificates.push(kept.text);
    }
    summary.known = summary.by_reason + summary.recomputed;
    summary.recomputed_names = names.into_iter().collect();
    summary.proved = summary.recomputed == 0;
    summary.checked = true;
    match asked {
        Ok(()) => {}
        Err(Stopped::Early(reason)) => findings.stop = reason,
        Err(Stopped::Failed(error)) => return Err(*error),
    }
    findings.time = context.clock.now().saturating_sub(part.began);
    Ok(findings)
}

/// Why there is no verdict.
enum Stopped {
    Early(StopReason),
    Failed(Box<Error>),
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Stopped {
        Stopped::Failed(Box::new(error))
    }
}

impl<'g, 'c, G: Guide + Notation> Session<'_, 'g, 'c, G> {
    /// The value. A search that tells more than two outcomes apart is asked once; others are asked
    /// one two-outcome question after the other, each halving the outcomes left.
    fn value(&mut self) -> Result<(), Stopped> {
        if self.findings.bounds.0 == self.findings.bounds.1 {
            return Ok(());
        }
        if self.task.many_outcomes && self.game.endless() != Endless::Undetermined {
            let window = self.task.window.unwrap_or(self.findings.bounds);
            let (low, high) = self.search(window, Side::Min)?;
            // The edges of a window bound nothing: the value may lie behind them.
            if low > window.0 {
                self.findings.bounds.0 = low;
            }
            if high < window.1 {
                self.findings.bounds.1 = high;
            }
            return Ok(());
        }
        let mut doubled = 1;
        while self.findings.bounds.0 < self.findings.bounds.1 {
            let (low, high) = (self.findings.bounds.0.0, self.findings.bounds.1.0);
            let middle = (low + high).div_ceil(2);
            let at_least = match self.task.outcomes {
                Outcomes::Dichotomic => middle,
                Outcomes::Iterative => low + 1,
                // Until some outcome is out of reach.
                Outcomes::Doubling if high == self.best.0 => doubled.min(high),
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
                self.must_be_proved()?;
                self.findings.undetermined = true;
                return Ok(Verdict::Undetermined);
            }
        }
        if reached {
            self.findings.bounds.0 = self.findings.bounds.0.max(at_least);
            Ok(Verdict::Reached)
        } else {
            self.findings.bounds.1 = self.findings.bounds.1.min(window.0);
            Ok(Verdict::NotReached)
        }
    }

    /// Refuses an answer without a proof that rests on a checkpoint, where the proof was asked for: whatever
    /// stands in a file that was forged, no wrong answer is to come of it.
    fn must_be_proved(&mut self) -> Result<(), Stopped> {
        let wanted = matches!(self.task.proof, Proof::Always | Proof::Drawn);
        let resumed = self.context.observer.checkpoints().is_some_and(|c| c.is_resumed());
        let (clock, cancel) = (self.context.clock, self.context.cancel);
        let ends = stopped(clock, cancel, self.part.began, self.task.budget.time).is_some();
        if wanted && resumed && !ends && !self.findings.proved {
            let message = "what came of the checkpoint can't be proved, so it is no answer";
            return Err(Error::proof(message)
                .help("more --memory may help; or the file holds what no search of this job wrote")
                .into());
        }
        Ok(())
    }

    /// A certificate for a claim, replayed. Nothing if the job is to end before, or if it can't be kept.
    fn written(
        &mut self,
        solution: &WeakSolution<G::Move>,
        claim: Claim,
    ) -> Result<Option<(Kept<'c>, u64)>, Error> {
        let mut meter = Meter {
            clock: self.context.clock,
            cancel: self.context.cancel,
            began: self.part.began,
            time: self.task.budget.time,
            pace: &mut self.pace,
            observer: self.context.observer,
        };
        let (archive, threads) = (self.context.archive, self.task.budget.threads);
        let (game, start) = (self.game, &self.task.start);
        let manner = Manner { covers: self.task.cover };
        let material = Material { game, start, claim, solution, manner };
        let mut trust = Trust::everything();
        let made = certify(&material, archive, threads, &mut meter, |text| {
            (self.replay)(text, &mut trust)
        });
        let made = made.map_err(|e| refused(&self.game.name(), &e))?;
        let Some(Certified { text, mut proved, peak_bytes }) = made else { return Ok(None) };
        match (proved.pop(), proved.is_empty()) {
            (Some(proved), true) if proved.claim == claim => {
                let kept = Kept {
                    kind: (claim.prover, claim.or_endless),
                    text,
                    claims: proved.claims,
                    connections: proved.connections,
                    parts: proved.parts,
                    by_reason: proved.by_reason,
                    recomputed: proved.recomputed,
                    recomputed_names: trust.recomputed,
                };
                Ok(Some((kept, peak_bytes)))
            }
            _ => Err(Error::proof("the certificate proves something else than was asked")),
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
        let goal = Goal::within(self.game, self.task.start.clone(), window, open)
            .with_max(self.task.max)
            .with_knowledge(self.task.knowledge)
            .with_symmetry(self.task.symmetry);
        self.end_keeping();
        let known = match self.context.observer.checkpoints() {
            Some(checkpoints) => checkpoints.report(self.game, goal.best()),
            None => None,
        };
        let report = match known {
            Some(report) => report,
            None => {
                let (report, ended) = self.run_on(&goal, window);
                let missing = goal.claims(report.bounds).count() > report.solutions.len();
                self.note(&report, ended, missing)?;
                report
            }
        };
        let counts = &mut self.findings.counts;
        counts.expansions += report.counts.expansions;
        counts.nodes += report.counts.nodes;
        counts.playouts += report.counts.playouts;
        counts.peak_bytes = counts.peak_bytes.max(report.counts.peak_bytes);
        if let Some(violation) = self.game.rules_violation() {
            return Err(rules_error(&self.game.name(), &violation).into());
        }
        let bounds =
            (Outcome(window.0.0 + report.bounds.0.0), Outcome(window.0.0 + report.bounds.1.0));
        self.findings.found = report.found;
        self.findings.found_all = report.stop == StopReason::Solved;
        self.findings.cost = report.cost;
        for claim in goal.claims(report.bounds) {
            let remembered = Strategy::remembered(claim, report.line.clone());
            self.strategies[claim.prover.index()] = Some(remembered);
        }
        if report.bounds.0 < report.bounds.1 {
            self.findings.line = report.line;
        }

        // Step 2: the certificates, one for each bound that the scale does not give.
        if self.task.proof == Proof::Never {
            (self.findings.proved, self.strict) = (false, false);
            for solution in report.solutions {
                self.keep_strategy(
                    goal.claim(solution.weak.prover, solution.at_least),
                    solution.weak,
                );
            }
            return self.narrowed(window, bounds, report.stop);
        }
        let wanted = usize::from(bounds.0 > window.0) + usize::from(bounds.1 < window.1);
        self.findings.proved &= report.solutions.len() == wanted;
        self.strict = !report.solutions.is_empty();
        self.certify(&goal, report.solutions)?;
        if report.stop == StopReason::Solved {
            self.must_be_proved()?;
        }
        self.narrowed(window, bounds, report.stop)
    }

    /// Keeps nothing any more if the job is to end before its next search: what was cut short by then may
    /// have led to another one.
    fn end_keeping(&mut self) {
        let (clock, cancel) = (self.context.clock, self.context.cancel);
        if stopped(clock, cancel, self.part.began, self.task.budget.time).is_some()
            && let Some(checkpoints) = self.context.observer.checkpoints()
        {
            checkpoints.keep_done();
            checkpoints.close();
        }
    }

    /// Notes that a search is done, where checkpoints are kept. One that was ended while its proof was made
    /// has an answer, and is not done.
    fn note(
        &mut self,
        report: &Report<G::Move>,
        ended: bool,
        missing: bool,
    ) -> Result<(), Stopped> {
        let (clock, cancel) = (self.context.clock, self.context.cancel);
        let ends = stopped(clock, cancel, self.part.began, self.task.budget.time).is_some();
        let Some(checkpoints) = self.context.observer.checkpoints() else { return Ok(()) };
        if let Some(problem) = checkpoints.problem() {
            return Err(problem.into());
        }
        if report.stop != StopReason::Solved || ended || ends && missing {
            checkpoints.close();
        } else {
            checkpoints.done(self.game, Some(report).filter(|_| !self.task.asks_more));
        }
        Ok(())
    }

    /// What a search that found these bounds is worth.
    fn narrowed(
        &mut self,
        window: (Outcome, Outcome),
        bounds: (Outcome, Outcome),
        stop: StopReason,
    ) -> Result<(Outcome, Outcome), Stopped> {
        if bounds.0 < bounds.1 {
            // Half an answer is an answer. The edges of the window themselves bound nothing.
            if bounds.0 > window.0 {
                self.findings.bounds.0 = self.findings.bounds.0.max(bounds.0);
            }
            if bounds.1 < window.1 {
                self.findings.bounds.1 = self.findings.bounds.1.min(bounds.1);
            }
            return Err(Stopped::Early(stop));
        }
        Ok(bounds)
    }

    /// A proof that the line goes by.
    fn keep_strategy(&mut self, claim: Claim, solution: WeakSolution<G::Move>) {
        if !self.task.wants_line {
            return;
        }
        self.strategies[claim.prover.index()] = Some(Strategy::proof(claim, solution));
    }

    /// The line that the strategies make. Searches for more of it are not counted: they are not
    /// behind the answer.
    fn principal_variation(&mut self) {
        let Session { game, run, task, context, part, findings, strategies, .. } = self;
        let (clock, cancel) = (context.clock, context.cancel);
        let stop_check = || stopped(clock, cancel, part.began, task.budget.time);
        let bytes = task.budget.limits().bytes;
        let mut search = |s: &G::State, wanted: Wanted| {
            if !task.extends_line {
                return (None, 0);
            }
            let (window, open) = line::question(wanted.claim);
            let goal = Goal::within(*game, s.clone(), window, open)
                .with_max(task.max)
                .with_knowledge(wanted.knowledge)
                .with_symmetry(task.symmetry);
            let report = run(
                &goal,
                Turnkey {
                    limits: Limits { nodes: wanted.nodes, bytes },
                    proof_nodes: wanted.nodes,
                    watch: &mut StopWatch(&stop_check),
                    stop_check: &stop_check,
                    aside: true,
                },
            );
            let solution = report.solutions.into_iter().map(|solution| solution.weak);
            let own = solution.into_iter().find(|weak| weak.prover == wanted.claim.prover);
            (own, report.counts.nodes)
        };
        let mut lines = Lines {
            game: *game,
            max: task.max,
            knowledge: task.knowledge,
            nodes: line_nodes(findings.counts.nodes),
            search: &mut search,
        };
        (findings.line, findings.line_end) = lines.play(&task.start, std::mem::take(strategies));
    }

    /// Runs the search under the eyes of the observer. Its report, and whether it was told to end.
    fn run_on(
        &mut self,
        goal: &Goal<'g, G>,
        window: (Outcome, Outcome),
    ) -> (Report<G::Move>, bool) {
        let (before, own) = (self.part.before, self.findings.counts);
        let used = Counts {
            expansions: before.expansions + own.expansions,
            nodes: before.nodes + own.nodes,
            playouts: before.playouts + own.playouts,
            peak_bytes: before.peak_bytes.max(own.peak_bytes),
        };
        let budget = &self.task.budget;
        let nodes = budget.limits().nodes.saturating_sub(used.nodes);
        let limits = Limits { nodes, ..budget.limits() };
        let (clock, cancel) = (self.context.clock, self.context.cancel);
        let (began, time) = (self.part.began, budget.time);
        let mut watch = ProgressWatch {
            game: self.game,
            start: &self.task.start,
            max: self.task.max,
            window,
            clock,
            cancel,
            began,
            budget,
            before: used,
            pace: &mut self.pace,
            observer: self.context.observer,
            ends: Ends::Not,
        };
        let proof_nodes = match self.task.proof {
            Proof::Never => 0,
            Proof::IfCheap => CHEAP_PROOF,
            Proof::Always | Proof::Drawn => u64::MAX,
        };
        let stop_check = || stopped(clock, cancel, began, time);
        let key = Turnkey {
            limits,
            proof_nodes,
            watch: &mut watch,
            stop_check: &stop_check,
            aside: false,
        };
        let report = (self.run)(goal, key);
        (report, matches!(watch.ends, Ends::Did))
    }

    /// A solution that goes on to the end where tables said how it ends. Nothing if that takes too long.
    fn played_on(
        &mut self,
        solution: &WeakSolution<G::Move>,
        claim: Claim,
    ) -> Option<WeakSolution<G::Move>> {
        let most = match self.task.proof {
            Proof::IfCheap | Proof::Never => CHEAP_PROOF,
            // A line of a certificate takes some forty bytes, and its state more than that.
            Proof::Always | Proof::Drawn => self.task.budget.limits().bytes / 200,
        };
        let (clock, cancel) = (self.context.clock, self.context.cancel);
        let (began, time) = (self.part.began, self.task.budget.time);
        let mut goes_on = |_| stopped(clock, cancel, began, time).is_none();
        foregone_model::played_on(self.game, &self.task.start, claim, solution, most, &mut goes_on)
    }

    /// Writes and replays a certificate for each solution of a search.
    fn certify(
        &mut self,
        goal: &Goal<'_, G>,
        solutions: Vec<foregone_search::report::Solution<G::Move>>,
    ) -> Result<(), Stopped> {
        let clock = self.context.clock.now();
        if !solutions.is_empty() {
            self.context.observer.event(&Event::ProofStarted);
        }
        for mut solution in solutions {
            // A search that goes on from a file that was forged may hand over anything.
            if self.context.observer.checkpoints().is_some() && !solution.weak.is_whole() {
                return Err(Error::proof("the checkpoint led to a proof that is none").into());
            }
            let claim = goal.claim(solution.weak.prover, solution.at_least);
            if self.game.has_tables() {
                match self.played_on(&solution.weak, claim) {
                    Some(weak) => solution.weak = weak,
                    None => {
                        (self.findings.proved, self.strict) = (false, false);
                        break;
                    }
                }
            }
            // Where the rules leave endless play open, a proof without loops needs no such words;
            // the checker decides whether this one has some.
            let without_loops = Claim { or_endless: false, ..claim };
            let attempt = match claim.or_endless {
                true => self.written(&solution.weak, without_loops).ok(),
                false => None,
            };
            self.strict &= attempt.is_some() || !claim.or_endless;
            let attempt = match attempt {
                Some(attempt) => attempt,
                None => self.written(&solution.weak, claim)?,
            };
            let Some((kept, peak_bytes)) = attempt else {
                // An answer without a proof is an answer, and says so. That there are no loops is
                // not known without one.
                (self.findings.proved, self.strict) = (false, !claim.or_endless);
                break;
            };
            self.context.observer.event(&Event::ProofChecked { claims: kept.claims });
            let counts = &mut self.findings.counts;
            counts.peak_bytes = counts.peak_bytes.max(peak_bytes);
            // A claim of the same kind asked more, so the earlier one says nothing any more.
            let (said, others) = self.kept.drain(..).partition(|earlier| earlier.kind == kept.kind);
            self.kept = others;
            Vec::into_iter(said).for_each(|earlier: Kept<'_>| earlier.text.discard());
            if self.task.proof == Proof::Drawn {
                let claim = Claim { or_endless: kept.kind.1, ..claim };
                let halves = self.findings.solution.get_or_insert_default();
                draw::add_half(halves, claim, solution.weak.clone());
            }
            self.keep_strategy(claim, solution.weak);
            self.kept.push(kept);
        }
        self.findings.check_time += self.context.clock.now().saturating_sub(clock);
        Ok(())
    }
}

/// The rules turned out not to be those of a game that can be asked this.
pub(crate) fn rules_error(game: &str, violation: &str) -> Error {
    Error::input(format!("{game} can't be solved: {violation}"))
}

/// The certificate of an answer was refused: the rules are at fault, or we are.
pub(crate) fn refused(game: &str, error: &CheckError) -> Error {
    if error.rules_broken {
        return rules_error(game, &error.problem);
    }
    Error::proof(format!("the certificate of this answer was refused: {error}"))
        .help("this is a defect of foregone: the answer is not to be trusted")
}

/// The texts of moves played from a state, at most so many.
pub(crate) fn moves_text<G: Notation>(
    game: &G,
    start: &G::State,
    moves: &[G::Move],
    most: usize,
) -> Vec<String> {
    let mut s = start.clone();
    let mut texts = Vec::new();
    for &m in moves.iter().take(most) {
        let agent = match game.turn(&s) {
            Turn::Agent(agent) => agent,
            Turn::Chance => Agent::CHANCE,
            Turn::Over => break,
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
