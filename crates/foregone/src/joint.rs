//! Games in which both players move at the same time: a job in, an answer out whose strategies
//! were checked.

use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::str::FromStr;
use std::time::Duration;

use foregone_games::erased::Erased;
use foregone_model::certificate::{
    self, Arithmetic, CheckError, Mixed, Reader, check_mixed, guarantee_while, write_mixed_while,
};
use foregone_model::ratio::Big;
use foregone_model::{
    Agent, Claim, Fraction, Guide, Joint, JointNotation, JointTyped, Notation, Outcome, Ratio,
    Sequential, Side, TextError,
};
use foregone_search::joint::saved::save_report;
use foregone_search::joint::{
    Cells, Driver, JointCounts, JointReport, Pair, Policy, Smab, induce, oracle, proof, pure,
    sequence, serial, smab,
};
use foregone_search::report::View;
use foregone_search::saved::Writer;
use foregone_search::{Limits, Progress, StopReason, Watch};

use crate::answer::{Answer, Finished, JointAnswer, ProofSummary, Status};
use crate::error::Error;
use crate::job::{Job, Proof, Question};
use crate::observe::{Context, Event, Meter, Pace};
use crate::session::{CHEAP_PROOF, refused, replay as replay_text, rules_error};
use crate::solver::Solver;
use crate::trust::Trust;
use crate::watch::{CountWatch, Ends};

/// A game in turn, seen as one with joint moves.
pub(crate) fn in_turn(game: &Erased) -> Result<Sequential<Erased>, Error> {
    Sequential::new(game.clone()).ok_or_else(|| {
        Error::input(format!(
            "positions of {} can come up again, or it has not two players: joint moves are solved \
             in games of two players that end",
            game.name()
        ))
    })
}

/// How a game with joint moves is solved.
///
/// Its text is its word, with options that are not the default: `bi`, `bi(tree)`,
/// `smab(skip=2,cells=lexicographic)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointSolver {
    /// Backward induction.
    Induce(Driver),
    /// Simultaneous Move Alpha-Beta.
    Smab {
        /// How positions are walked.
        driver: Driver,
        /// The order in which pairs of moves are looked at.
        cells: Cells,
        /// No bounds are computed before so many rows and columns are filled.
        skip: usize,
    },
    /// Double oracle.
    Oracle(Driver),
    /// The sequence form.
    Sequence,
    /// An approximation.
    Serial(Policy),
}

/// Early bound skipping when nothing is said: measured on Goofspiel, `experiments/README.md`.
pub const USUAL_SKIP: usize = 4;

impl Default for JointSolver {
    fn default() -> JointSolver {
        JointSolver::Induce(Driver::Dag)
    }
}

impl JointSolver {
    /// All of them, with their default options.
    pub fn all() -> [JointSolver; 10] {
        [
            JointSolver::Induce(Driver::Dag),
            JointSolver::Smab { driver: Driver::Dag, cells: Cells::LShaped, skip: USUAL_SKIP },
            JointSolver::Oracle(Driver::Dag),
            JointSolver::Sequence,
            JointSolver::Serial(Policy::Maxmin),
            JointSolver::Serial(Policy::Minmax),
            JointSolver::Serial(Policy::Alt),
            JointSolver::Serial(Policy::AltLast),
            JointSolver::Serial(Policy::Rab),
            JointSolver::Serial(Policy::RabOnce),
        ]
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            JointSolver::Induce(_) => "bi",
            JointSolver::Smab { .. } => "smab",
            JointSolver::Oracle(_) => "do",
            JointSolver::Sequence => "sequence",
            JointSolver::Serial(Policy::Maxmin) => "maxmin",
            JointSolver::Serial(Policy::Minmax) => "minmax",
            JointSolver::Serial(Policy::Alt) => "alt",
            JointSolver::Serial(Policy::AltLast) => "alt-last",
            JointSolver::Serial(Policy::Rab) => "rab",
            JointSolver::Serial(Policy::RabOnce) => "rab-once",
        }
    }

    /// What it is, in a few words.
    pub fn about(self) -> &'static str {
        match self {
            JointSolver::Induce(_) => "joint moves: backward induction",
            JointSolver::Smab { .. } => "joint moves: Simultaneous Move Alpha-Beta",
            JointSolver::Oracle(_) => "joint moves: double oracle with alpha-beta bounds",
            JointSolver::Sequence => "joint moves: the sequence form, one linear program",
            JointSolver::Serial(Policy::Maxmin) => "joint moves, approximated: Max moves first",
            JointSolver::Serial(Policy::Minmax) => "joint moves, approximated: Min moves first",
            JointSolver::Serial(Policy::Alt) => {
                "joint moves, approximated: both move first in turn"
            }
            JointSolver::Serial(Policy::AltLast) => {
                "joint moves, approximated: who moved last moves first"
            }
            JointSolver::Serial(Policy::Rab) => {
                "joint moves, approximated: lots are drawn, the mean of many searches"
            }
            JointSolver::Serial(Policy::RabOnce) => {
                "joint moves, approximated: lots are drawn, one search"
            }
        }
    }

    /// The word of its driver.
    pub fn driver(self) -> &'static str {
        match self {
            JointSolver::Induce(driver)
            | JointSolver::Oracle(driver)
            | JointSolver::Smab { driver, .. } => match driver {
                Driver::Tree => "tree",
                Driver::Dag => "dag",
            },
            JointSolver::Sequence | JointSolver::Serial(_) => "tree",
        }
    }

    /// The same by this driver, if it takes it.
    pub fn by(self, of: Driver) -> Option<JointSolver> {
        match self {
            JointSolver::Induce(_) => Some(JointSolver::Induce(of)),
            JointSolver::Oracle(_) => Some(JointSolver::Oracle(of)),
            JointSolver::Smab { cells, skip, .. } => {
                Some(JointSolver::Smab { driver: of, cells, skip })
            }
            JointSolver::Sequence | JointSolver::Serial(_) => (of == Driver::Tree).then_some(self),
        }
    }

    /// Whether it finds the value itself.
    pub fn exact(self) -> bool {
        !matches!(self, JointSolver::Serial(_))
    }

    /// Runs it.
    fn run<J: JointNotation>(
        self,
        game: &J,
        start: &J::State,
        job: &Job,
        watch: &mut dyn Watch<Pair<J>>,
    ) -> JointReport<J::Move> {
        let (limits, knowledge) = (job.budget.limits(), job.knowledge);
        match self {
            JointSolver::Induce(driver) => induce(game, start, driver, limits, watch),
            JointSolver::Smab { driver, cells, skip } => {
                smab(game, start, Smab { driver, cells, skip, knowledge }, limits, watch)
            }
            JointSolver::Oracle(driver) => oracle(game, start, driver, knowledge, limits, watch),
            JointSolver::Sequence => sequence(game, start, limits, watch),
            JointSolver::Serial(policy) => serial(game, start, policy, job.seed, limits, watch),
        }
    }
}

impl fmt::Display for JointSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut options = Vec::new();
        if let JointSolver::Induce(Driver::Tree)
        | JointSolver::Oracle(Driver::Tree)
        | JointSolver::Smab { driver: Driver::Tree, .. } = self
        {
            options.push("tree".to_owned());
        }
        if let JointSolver::Smab { cells, skip, .. } = *self {
            if skip != USUAL_SKIP {
                options.push(format!("skip={skip}"));
            }
            match cells {
                Cells::LShaped => {}
                Cells::Lexicographic => options.push("cells=lexicographic".to_owned()),
            }
        }
        match options.is_empty() {
            true => f.write_str(self.word()),
            false => write!(f, "{}({})", self.word(), options.join(",")),
        }
    }
}

impl FromStr for JointSolver {
    type Err = TextError;

    fn from_str(text: &str) -> Result<JointSolver, TextError> {
        let (word, options) = match text.strip_suffix(')').and_then(|t| t.split_once('(')) {
            Some((word, options)) => (word, Some(options)),
            None => (text, None),
        };
        let Some(mut solver) =
            JointSolver::all().into_iter().find(|s| s.word().eq_ignore_ascii_case(word))
        else {
            let choices = JointSolver::all().map(|solver| solver.word().to_owned());
            let message = format!("`{word}` is not a solver of joint moves");
            return Err(TextError::new(message, 0..word.len()).with_choices(choices.to_vec()));
        };
        let mut at = word.len() + 1;
        for option in options.into_iter().flat_map(|options| options.split(',')) {
            let wrong = || {
                let message = format!("`{option}` is not an option of {word}");
                let choices = ["tree", "dag", "skip=4", "cells=lexicographic", "cells=l-shaped"];
                TextError::new(message, at..at + option.len())
                    .with_choices(choices.map(str::to_owned).to_vec())
            };
            match (&mut solver, option.split_once('=')) {
                (_, None) => {
                    let driver = match option {
                        "tree" => Driver::Tree,
                        "dag" => Driver::Dag,
                        _ => return Err(wrong()),
                    };
                    solver = solver.by(driver).ok_or_else(wrong)?;
                }
                (JointSolver::Smab { skip, .. }, Some(("skip", number))) => {
                    *skip = number.parse().map_err(|_| wrong())?;
                }
                (JointSolver::Smab { cells, .. }, Some(("cells", word))) => {
                    *cells = match word {
                        "lexicographic" => Cells::Lexicographic,
                        "l-shaped" => Cells::LShaped,
                        _ => return Err(wrong()),
                    };
                }
                _ => return Err(wrong()),
            }
            at += option.len() + 1;
        }
        Ok(solver)
    }
}

/// What was found.
struct Findings {
    stop: StopReason,
    /// What the search found, in points.
    value: Option<f64>,
    /// Between which numbers the value lies, in points, as far as strategies show it.
    proved: Option<(Ratio, Ratio)>,
    /// What both sides play at the root, and how often: fractions where they are exact.
    strategies: [Vec<(String, String)>; 2],
    counts: JointCounts,
    certificates: String,
    claims: [u64; 2],
    check_time: Duration,
}

/// The certificate of a strategy, what it guarantees, and how many claims were replayed.
struct Certified {
    text: String,
    bound: Ratio,
    claims: u64,
}

/// How a certificate is written and replayed; nothing if the job is to end before.
type Certify<'a, J> = dyn Fn(
        &J,
        &<J as Joint>::State,
        &Mixed<<J as Joint>::State, <J as Joint>::Move>,
        &mut Meter<'_>,
    ) -> Result<Option<Certified>, Error>
    + 'a;

/// Runs a job about this game with joint moves.
pub fn solve<J: JointNotation>(
    game: &J,
    job: &Job,
    context: &mut Context<'_>,
) -> Result<Finished, Error> {
    solve_certified(game, job, context, &certify)
}

/// Runs a job about a game in turn by the methods of joint moves.
pub(crate) fn solve_in_turn(
    game: &Erased,
    job: &Job,
    context: &mut Context<'_>,
) -> Result<Finished, Error> {
    solve_certified(&in_turn(game)?, job, context, &certify_in_turn)
}

fn solve_certified<J: JointNotation>(
    game: &J,
    job: &Job,
    context: &mut Context<'_>,
    certify: &Certify<'_, J>,
) -> Result<Finished, Error> {
    // 1. What is asked.
    match &job.question {
        Question::Value | Question::Nash => {}
        other @ (Question::Win | Question::AtLeast(_) | Question::Formula(_)) => {
            let text = other.to_string();
            return Err(Error::input(format!("`{text}` is not a question about joint moves"))
                .at("question", &text, 0..text.len())
                .help("their strategies are mixed: the question is `value`"));
        }
    }
    let start = game
        .read_position_or_moves(&job.position)
        .map_err(|e| Error::text("position", &job.position, e))?;
    let words = JointSolver::all().map(JointSolver::word);
    let joint = |solver| match solver {
        Solver::Joint(solver) => Some(solver),
        _ => None,
    };
    let solver = job.solver_of(&game.name(), joint, &words)?.unwrap_or_default();
    context.observer.event(&Event::Started {
        game: game.name(),
        position: game.position_text(&start),
        question: Question::Value.to_string(),
        scheme: Some(solver.word().to_owned()),
        driver: solver.driver().to_owned(),
    });

    // 2. The search, the strategies, and the replay of their certificates.
    let began = context.clock.now();
    let pace = Pace::new(context.observer);
    let Context { clock, cancel, .. } = *context;
    let observer = &mut *context.observer;
    let ends = Ends::Not;
    let mut watch = CountWatch { clock, cancel, began, budget: &job.budget, pace, observer, ends };
    let findings = search(game, &start, solver, job, &mut watch, certify)?;
    if let Some(violation) = game.rules_violation() {
        return Err(rules_error(&game.name(), &violation));
    }
    context.observer.event(&Event::Done { stop: findings.stop.into() });

    // 3. The answer.
    let seconds = clock.now().saturating_sub(began).as_secs_f64();
    let answer = joint_answer(game, &start, solver, job, &findings, seconds);
    Ok(Finished {
        certificate: findings.certificates,
        archived: Vec::new(),
        check_time: findings.check_time,
        drawings: None,
        answer: Answer::Joint(answer),
    })
}

fn joint_answer<J: JointNotation>(
    game: &J,
    start: &J::State,
    solver: JointSolver,
    job: &Job,
    findings: &Findings,
    seconds: f64,
) -> JointAnswer {
    let solved = findings.stop == StopReason::Solved && solver.exact();
    let counts = &findings.counts;
    let [max, min] = findings.claims;
    JointAnswer {
        game: game.name(),
        position: game.position_text(start),
        question: Question::Value.to_string(),
        scheme: solver.word().to_owned(),
        driver: solver.driver().to_owned(),
        status: Status::of(solved),
        value: value(findings).filter(|_| solved),
        winner: winner(game, findings),
        bounds: bounds(game, solver, findings),
        holds: None,
        approximation: findings.value.filter(|_| !solver.exact()),
        error: error(findings),
        strategies: findings.strategies.clone().map(crate::answer::Strategy),
        best_move: None,
        line: Vec::new(),
        expansions: counts.plain.expansions,
        nodes: counts.plain.nodes,
        playouts: 0,
        lp_calls: counts.lp_calls,
        pure: counts.pure,
        seconds,
        peak_bytes: counts.plain.peak_bytes,
        seed: job.seed,
        stop: findings.stop.into(),
        proof: findings.proved.is_some().then(|| ProofSummary {
            claims: max + min,
            by_side: Some([max, min]),
            proved: true,
            checked: true,
            ..ProofSummary::default()
        }),
    }
}

/// Searches, makes the strategies, and replays their certificates.
fn search<J: JointNotation>(
    game: &J,
    start: &J::State,
    solver: JointSolver,
    job: &Job,
    watch: &mut CountWatch<'_>,
    certify: &Certify<'_, J>,
) -> Result<Findings, Error> {
    let report = solver.run(game, start, job, watch);
    if let Some(checkpoints) = watch.observer.checkpoints()
        && let Some(problem) = checkpoints.problem()
    {
        return Err(problem);
    }
    let unit = game.unit() as f64;
    let mut findings = Findings {
        stop: report.stop,
        value: report.value.map(|value| value / unit),
        proved: None,
        strategies: [
            rounded(game, start, Side::Max, &report.max),
            rounded(game, start, Side::Min, &report.min),
        ],
        counts: report.counts,
        certificates: String::new(),
        claims: [0, 0],
        check_time: Duration::ZERO,
    };
    if report.stop == StopReason::Solved && solver.exact() && job.proof != Proof::Never {
        watch.observer.event(&Event::ProofStarted);
        let clock = watch.clock.now();
        let over = Over { game, start, report: &report };
        prove(over, job, &mut findings, watch, certify)?;
        findings.check_time = watch.clock.now().saturating_sub(clock);
    }
    Ok(findings)
}

/// A search that is over, as what a checkpoint holds while its strategies are made.
#[derive(Clone, Copy)]
struct Over<'a, J: JointNotation> {
    game: &'a J,
    start: &'a J::State,
    report: &'a JointReport<J::Move>,
}

impl<J: JointNotation> View<Pair<J>> for Over<'_, J> {
    fn bounds(&self) -> (Outcome, Outcome) {
        (Outcome(0), Outcome(u16::MAX))
    }

    fn save(&self, out: &mut Writer<'_>) -> io::Result<bool> {
        save_report(self.game, self.start, self.report, out).map(|()| true)
    }
}

/// Watches the strategies being made.
struct Making<'a, 'w, J: JointNotation> {
    over: Over<'a, J>,
    watch: &'a mut CountWatch<'w>,
}

impl<J: JointNotation> Watch<Pair<J>> for Making<'_, '_, J> {
    fn tick(&mut self, progress: &Progress<'_, Pair<J>>) -> ControlFlow<StopReason> {
        self.watch.tick(&Progress::new(progress.counts, &self.over))
    }
}

fn prove<J: JointNotation>(
    over: Over<'_, J>,
    job: &Job,
    findings: &mut Findings,
    watch: &mut CountWatch<'_>,
    certify: &Certify<'_, J>,
) -> Result<(), Error> {
    let Over { game, start, .. } = over;
    let most = match job.proof {
        Proof::IfCheap | Proof::Never => CHEAP_PROOF,
        Proof::Always | Proof::Drawn => u64::MAX,
    };
    let limits = Limits { nodes: most, ..job.budget.limits() };
    let strategies = match game.payoff(start) {
        Some(_) => None,
        None => match proof::strategies(game, start, limits, &mut Making { over, watch }) {
            Ok(strategies) => Some(strategies),
            // An answer without a proof is an answer, and says so.
            Err(_) => return Ok(()),
        },
    };
    let mut bounds = Vec::new();
    for side in [Side::Max, Side::Min] {
        // Where the game is over, nobody plays anything.
        let over = Mixed { prover: side, arithmetic: Arithmetic::Exact, lines: Vec::new() };
        let strategy = match (&strategies, side) {
            (None, _) => &over,
            (Some(both), Side::Max) => &both.max,
            (Some(both), Side::Min) => &both.min,
        };
        let mut meter = watch.meter();
        let Some(certified) = certify(game, start, strategy, &mut meter)? else { return Ok(()) };
        watch.observer.event(&Event::ProofChecked { claims: certified.claims });
        findings.certificates.push_str(&certified.text);
        findings.claims[side.index()] = certified.claims;
        if let Some((s, mix)) = strategy.lines.last() {
            findings.strategies[side.index()] = mixture(game, s, side, mix);
        }
        bounds.push(certified.bound);
    }
    let [low, high] = &bounds[..] else { return Ok(()) };
    // What the search found is what the strategies show.
    let (low_high, range) = ((low.as_f64(), high.as_f64()), game.range());
    let nothing = 1e-6 * (range.1 - range.0) as f64 / game.unit() as f64;
    let value = findings.value.unwrap_or(low_high.0);
    if low > high || value < low_high.0 - nothing || value > low_high.1 + nothing {
        return Err(Error::proof(format!(
            "the search found {value}, but strategies show {low} to {high}"
        ))
        .help("this is a defect of foregone: the answer is not to be trusted"));
    }
    findings.proved = Some((low.clone(), high.clone()));
    Ok(())
}

/// The certificate of a strategy, replayed from its text.
fn certify<J: JointNotation>(
    game: &J,
    start: &J::State,
    strategy: &Mixed<J::State, J::Move>,
    meter: &mut Meter<'_>,
) -> Result<Option<Certified>, Error> {
    let refuse = |e: CheckError| refused(&game.name(), &e);
    let written =
        write_mixed_while(game, start, strategy, &mut |done, all| meter.writes(done, all));
    let Some(written) = written.map_err(|e| refuse(CheckError::new(0, e)))? else {
        return Ok(None);
    };
    let proved = meter.replay(written.text.as_bytes(), |text| {
        let mut reader = Reader::new(text);
        let header = reader.header()?.ok_or_else(|| CheckError::new(0, "it is empty"))?;
        check_mixed(game, &header, &mut reader)
    });
    let Some(proved) = proved.map_err(refuse)? else { return Ok(None) };
    let certified = Certified { text: written.text, bound: proved.bound, claims: proved.claims };
    Ok(Some(certified))
}

/// The certificate of a strategy of a game in turn: one of the game itself, since no move is mixed
/// with another.
fn certify_in_turn<G: Guide + Notation>(
    sequential: &Sequential<G>,
    start: &G::State,
    strategy: &Mixed<G::State, Option<G::Move>>,
    meter: &mut Meter<'_>,
) -> Result<Option<Certified>, Error> {
    let game = sequential.game();
    let refuse = |e: CheckError| refused(&game.name(), &e);
    let bound =
        guarantee_while(sequential, start, strategy, &mut |done, all| meter.writes(done, all));
    let Some(bound) = bound.map_err(|e| refuse(CheckError::new(0, e)))? else { return Ok(None) };
    let worth = sequential.outcome_worth(&bound);
    let worth = worth.ok_or_else(|| refuse(CheckError::new(0, "the value is not an outcome")))?;
    let prover = strategy.prover;
    let at_least = match prover {
        Side::Max => worth,
        Side::Min => Outcome(worth.0 + 1),
    };
    if at_least == Outcome(0) || at_least > game.scale().best() {
        // The ends of the scale need no proof.
        return Ok(Some(Certified { text: String::new(), bound, claims: 0 }));
    }
    let claim = Claim { max: Agent::FIRST, prover, at_least, or_endless: false };
    let solution = pure(game, start, strategy);
    let written = certificate::write_while(game, start, claim, &solution, &mut |done, all| {
        meter.writes(done, all)
    });
    let Some(written) = written else { return Ok(None) };
    let proved = meter.replay(written.text.as_bytes(), |text| {
        replay_text(text, |header, reader| {
            certificate::check(game, header, reader, &mut Trust::default())
        })
    });
    let Some(proved) = proved.map_err(refuse)? else { return Ok(None) };
    match proved.as_slice() {
        [proved] if proved.claim == claim => {
            Ok(Some(Certified { text: written.text, bound, claims: proved.claims }))
        }
        _ => Err(refuse(CheckError::new(0, "it proves something else"))),
    }
}

/// A strategy of the search, in floating point.
fn rounded<J: JointNotation>(
    game: &J,
    s: &J::State,
    side: Side,
    mix: &[(J::Move, f64)],
) -> Vec<(String, String)> {
    let one = |&(m, p): &(J::Move, f64)| (game.move_text(s, side, m), decimal(p));
    mix.iter().map(one).collect()
}

/// A number for people: short, and never more digits than there are.
pub fn decimal(x: f64) -> String {
    let text = format!("{x:.12}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text.is_empty() || text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A mixture of moves with its weights as fractions of their sum.
fn mixture<J: JointNotation>(
    game: &J,
    s: &J::State,
    side: Side,
    mix: &[(J::Move, Big)],
) -> Vec<(String, String)> {
    let sum = mix.iter().fold(Big::ZERO, |sum, (_, weight)| sum + weight);
    let part = |weight: &Big| Ratio::lowest(weight.clone(), sum.clone()).to_string();
    mix.iter().map(|(m, weight)| (game.move_text(s, side, *m), part(weight))).collect()
}

/// The bounds of the value, in points: proved ones, or those that the search leaves.
fn bounds<J: JointNotation>(game: &J, solver: JointSolver, findings: &Findings) -> [String; 2] {
    if let Some((low, high)) = &findings.proved {
        return [low.to_string(), high.to_string()];
    }
    let unit = game.unit() as f64;
    let (low, high) = game.range();
    let (mut low, mut high) = (decimal(low as f64 / unit), decimal(high as f64 / unit));
    match (solver, findings.value) {
        (JointSolver::Serial(Policy::Maxmin), Some(value)) => low = decimal(value),
        (JointSolver::Serial(Policy::Minmax), Some(value)) => high = decimal(value),
        (JointSolver::Serial(_), _) | (_, None) => {}
        (_, Some(value)) => (low, high) = (decimal(value), decimal(value)),
    }
    [low, high]
}

/// By how much the value may be off, if strategies show it.
fn error(findings: &Findings) -> Option<f64> {
    findings.proved.as_ref().map(|(low, high)| (high - low).as_f64())
}

/// The value in words: a fraction, or a decimal number that lies between the proved bounds.
fn value(findings: &Findings) -> Option<String> {
    match &findings.proved {
        Some((low, high)) if low == high => Some(low.to_string()),
        Some((low, high)) => Some(decimal(0.5 * low.as_f64() + 0.5 * high.as_f64())),
        None => findings.value.map(decimal),
    }
}

/// Who is sure of the best payoff that there is.
fn winner<J: JointNotation>(game: &J, findings: &Findings) -> Option<String> {
    let (low, high) = findings.proved.as_ref()?;
    let (least, most) = game.range();
    let points = |payoff| Ratio::new(payoff, game.unit());
    let side = if least == most {
        return None;
    } else if Some(low) == points(most).as_ref() {
        Side::Max
    } else if Some(high) == points(least).as_ref() {
        Side::Min
    } else {
        return None;
    };
    Some(game.players()[side.index()].to_owned())
}
