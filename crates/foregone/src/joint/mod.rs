//! Games in which both players move at the same time: from words to a job, from a job to an answer
//! whose strategies were checked.

use std::collections::HashMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use foregone_games::erased::Erased;
use foregone_games::files::Files;
use foregone_games::joint_registry::{
    JointVisitor, is_joint, is_joint_from, with_joint, with_joint_from,
};
use foregone_games::registry::{GameError, erased};
use foregone_model::certificate::{
    self, Arithmetic, CheckError, Mixed, Reader, check_mixed, guarantee, write_mixed,
};
use foregone_model::{
    Claim, Fraction, Game, Guide, Joint, JointNotation, JointTyped, Line, Notation, Outcome, Ratio,
    Sequential, Side, Turn, WeakSolution,
};
use foregone_search::joint::{
    Cells, Driver, JointCounts, JointReport, Pair, Policy, Smab, induce, oracle, proof, sequence,
    serial, smab,
};
use foregone_search::{Limits, Progress, StopReason, Watch};

use crate::args::{CellsWord, DriverWord, SchemeWord, SolveArgs};
use crate::failure::Failure;
use crate::guidance::word;
use crate::job::Budget;
use crate::run::say;
use crate::session::{
    CHEAP_PROOF, Screen, bytes_text, peak_bytes_of_process, refused, replay as replay_text,
    rules_failure, short, stopped,
};
use crate::verify::Trust;

mod commands;
mod print;

pub(crate) use commands::{describe, perft, replay, show};

/// Hands a visitor a game for joint moves: one of them, or a game in turn seen as one.
pub(crate) fn with_any<V: JointVisitor>(spec: &str, visitor: V) -> Result<V::Output, Failure> {
    if is_joint(spec) {
        return with_joint(spec, visitor).map_err(|e| Failure::game(spec, e));
    }
    Ok(visitor.visit(in_turn(spec)?))
}

/// A game in turn, seen as one with joint moves.
fn in_turn(spec: &str) -> Result<Sequential<Erased>, Failure> {
    let game = erased(spec).map_err(|e| Failure::game(spec, e))?;
    let name = game.name();
    Sequential::new(game).ok_or_else(|| {
        Failure::input(format!(
            "positions of {name} can come up again, or it has not two players: joint moves are \
             solved in games of two players that end"
        ))
    })
}

/// The game with joint moves that a certificate names, if it is one.
pub(crate) fn with_named<V: JointVisitor>(
    files: &Files,
    spec: &str,
    visitor: V,
) -> Result<Option<V::Output>, GameError> {
    match is_joint_from(files, spec) {
        true => with_joint_from(files, spec, visitor).map(Some),
        false => Ok(None),
    }
}

/// How a value is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Backward induction.
    Induce(Driver),
    /// Simultaneous Move Alpha-Beta.
    Smab(Smab),
    /// Double oracle, with or without what the game sees at a glance.
    Oracle(Driver, bool),
    /// The sequence form.
    Sequence,
    /// An approximation.
    Serial(Policy),
}

/// Early bound skipping when nothing is said: measured on Goofspiel, `experiments/README.md`.
pub const USUAL_SKIP: usize = 4;

impl How {
    /// Whether it finds the value itself.
    pub fn exact(self) -> bool {
        !matches!(self, How::Serial(_))
    }

    /// Runs it.
    pub fn run<J: Joint>(
        self,
        game: &J,
        start: &J::State,
        seed: u64,
        limits: Limits,
        watch: &mut dyn Watch<Pair<J>>,
    ) -> JointReport<J::Move> {
        match self {
            How::Induce(driver) => induce(game, start, driver, limits, watch),
            How::Smab(how) => smab(game, start, how, limits, watch),
            How::Oracle(driver, knowledge) => oracle(game, start, driver, knowledge, limits, watch),
            How::Sequence => sequence(game, start, limits, watch),
            How::Serial(policy) => serial(game, start, policy, seed, limits, watch),
        }
    }
}

/// What to solve and how.
struct JointJob<S> {
    start: S,
    how: How,
    scheme: SchemeWord,
    driver: DriverWord,
    budget: Budget,
    proof: Option<PathBuf>,
}

/// What was found.
struct JointAnswer {
    stop: StopReason,
    /// What the search found, in points.
    value: Option<f64>,
    /// Between which numbers the value lies, in points, as far as strategies show it.
    proved: Option<(Ratio, Ratio)>,
    /// What both sides play at the root, and how often: fractions where they are exact.
    strategies: [Vec<(String, String)>; 2],
    counts: JointCounts,
    time: Duration,
    certificates: String,
    claims: [u64; 2],
}

/// Runs `solve`.
pub(crate) fn solve(args: SolveArgs, out: &mut dyn Write) -> Result<u8, Failure> {
    let spec = args.game.clone();
    if is_joint(&spec) {
        return with_joint(&spec, Solve { args, out }).map_err(|e| Failure::game(&spec, e))?;
    }
    solve_game(&in_turn(&spec)?, &args, out, &certify_in_turn)
}

/// The certificate of a strategy, what it guarantees, and how many claims were replayed.
struct Certified {
    text: String,
    bound: Ratio,
    claims: u64,
}

/// How a certificate is written and replayed.
type Certify<'a, J> = dyn Fn(
        &J,
        &<J as Joint>::State,
        &Mixed<<J as Joint>::State, <J as Joint>::Move>,
    ) -> Result<Certified, Failure>
    + 'a;

struct Solve<'a> {
    args: SolveArgs,
    out: &'a mut dyn Write,
}

impl JointVisitor for Solve<'_> {
    type Output = Result<u8, Failure>;

    fn visit<J: JointNotation>(self, game: J) -> Result<u8, Failure> {
        solve_game(&game, &self.args, self.out, &certify)
    }
}

fn solve_game<J: JointNotation>(
    game: &J,
    args: &SolveArgs,
    out: &mut dyn Write,
    certify: &Certify<'_, J>,
) -> Result<u8, Failure> {
    let job = JointJob::new(game, args)?;
    let answer = job.answer(game, !args.json, certify)?;
    if let Some(violation) = game.rules_violation() {
        return Err(rules_failure(&game.name(), &violation));
    }
    if let Some(path) = &job.proof
        && answer.proved.is_some()
    {
        std::fs::write(path, &answer.certificates).map_err(|e| {
            Failure::input(format!("the file {} can't be written: {e}", path.display()))
        })?;
    }
    let text = match args.json {
        true => print::json(game, &job, &answer)?,
        false => print::text(game, &job, &answer),
    };
    say(out, &text);
    Ok(match (answer.stop, job.how.exact()) {
        (StopReason::Solved, true) => 0,
        (StopReason::Solved, false) => crate::run::exit_code(StopReason::Nodes),
        (stop, _) => crate::run::exit_code(stop),
    })
}

impl<S> JointJob<S> {
    /// Makes a job for this game out of words.
    fn new<J: JointNotation<State = S>>(
        game: &J,
        args: &SolveArgs,
    ) -> Result<JointJob<S>, Failure> {
        if let Some(text) = args.question.as_deref().filter(|q| *q != "value") {
            let message = format!("`{text}` is not a question about joint moves");
            return Err(Failure::input(message)
                .at("question", text, 0..text.len())
                .help("their strategies are mixed: the question is `value`"));
        }
        let start = game
            .read_position_or_moves(&args.position)
            .map_err(|e| Failure::text("position", &args.position, e))?;
        let scheme = args.scheme.unwrap_or(SchemeWord::Bi);
        let others = [
            (args.init.is_some(), "--init"),
            (args.outcomes.is_some(), "--outcomes"),
            (args.exploration.is_some(), "--exploration"),
            (args.gamma.is_some(), "--gamma"),
            (args.delta.is_some(), "--delta"),
            (args.no_cuts, "--no-cuts"),
            (args.rave.is_some(), "--rave"),
            (args.inner.is_some(), "--inner"),
            (args.order.is_some(), "--order"),
            (args.walk.is_some(), "--walk"),
            (args.skip.is_some() && scheme != SchemeWord::Smab, "--skip"),
            (args.cells.is_some() && scheme != SchemeWord::Smab, "--cells"),
        ];
        if let Some((_, option)) = others.into_iter().find(|(given, _)| *given) {
            let message = format!("`{option}` does not go with `--scheme {}`", word(scheme));
            return Err(Failure::input(message));
        }
        let (how, driver) = how(args, scheme)?;
        let budget = args.budget.budget();
        Ok(JointJob { start, how, scheme, driver, budget, proof: args.proof.clone() })
    }

    /// Searches, makes the strategies, and replays their certificates.
    fn answer<J: JointNotation<State = S>>(
        &self,
        game: &J,
        show: bool,
        certify: &Certify<'_, J>,
    ) -> Result<JointAnswer, Failure> {
        // 1. The search.
        let clock = Instant::now();
        let mut eye = Eye { clock, time: self.budget.time, screen: Screen::new(show) };
        let report =
            self.how.run(game, &self.start, self.budget.seed, self.budget.limits, &mut eye);
        let unit = game.unit() as f64;
        let mut answer = JointAnswer {
            stop: report.stop,
            value: report.value.map(|value| value / unit),
            proved: None,
            strategies: [
                rounded(game, &self.start, Side::Max, &report.max),
                rounded(game, &self.start, Side::Min, &report.min),
            ],
            counts: report.counts,
            time: Duration::ZERO,
            certificates: String::new(),
            claims: [0, 0],
        };

        // 2. The strategies of all positions that matter, and their certificates.
        if report.stop == StopReason::Solved && self.how.exact() {
            self.prove(game, &mut answer, &mut eye, certify)?;
        }
        eye.screen.clear();
        answer.time = clock.elapsed();
        if let Some(peak) = peak_bytes_of_process() {
            answer.counts.plain.peak_bytes = peak;
        }
        Ok(answer)
    }

    fn prove<J: JointNotation<State = S>>(
        &self,
        game: &J,
        answer: &mut JointAnswer,
        eye: &mut Eye,
        certify: &Certify<'_, J>,
    ) -> Result<(), Failure> {
        let most = if self.proof.is_some() { u64::MAX } else { CHEAP_PROOF };
        let limits = Limits { nodes: most, ..self.budget.limits };
        let strategies = match game.payoff(&self.start) {
            Some(_) => None,
            None => match proof::strategies(game, &self.start, limits, eye) {
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
            let certified = certify(game, &self.start, strategy)?;
            answer.certificates.push_str(&certified.text);
            answer.claims[side.index()] = certified.claims;
            if let Some((s, mix)) = strategy.lines.last() {
                answer.strategies[side.index()] = print::mixture(game, s, side, mix);
            }
            bounds.push(certified.bound);
        }
        let [low, high] = &bounds[..] else { return Ok(()) };
        // 3. What the search found is what the strategies show.
        let (low_high, range) = ((low.as_f64(), high.as_f64()), game.range());
        let nothing = 1e-6 * (range.1 - range.0) as f64 / game.unit() as f64;
        let value = answer.value.unwrap_or(low_high.0);
        if low > high || value < low_high.0 - nothing || value > low_high.1 + nothing {
            return Err(Failure::proof(format!(
                "the search found {value}, but strategies show {low} to {high}"
            ))
            .help("this is a defect of foregone: the answer is not to be trusted"));
        }
        answer.proved = Some((low.clone(), high.clone()));
        Ok(())
    }
}

/// What one search found and took, without any proof: the seeds' programs had none.
pub(crate) struct Measured {
    /// The game and the position.
    pub(crate) of: String,
    /// The value in points, if the search came to its end.
    pub(crate) value: Option<f64>,
    /// What it did. The bytes are those of its tables.
    pub(crate) counts: JointCounts,
    /// How long it took.
    pub(crate) time: Duration,
}

/// Runs a search by the words behind `solve`.
pub(crate) fn measure(args: &SolveArgs) -> Result<Measured, Failure> {
    struct Measure<'a>(&'a SolveArgs);

    impl JointVisitor for Measure<'_> {
        type Output = Result<Measured, Failure>;

        fn visit<J: JointNotation>(self, game: J) -> Self::Output {
            let job = JointJob::new(&game, self.0)?;
            let clock = Instant::now();
            let mut eye = Eye { clock, time: job.budget.time, screen: Screen::new(false) };
            let limits = job.budget.limits;
            let report = job.how.run(&game, &job.start, job.budget.seed, limits, &mut eye);
            Ok(Measured {
                of: format!("{} {}", game.name(), game.position_text(&job.start)),
                value: report.value.map(|value| value / game.unit() as f64),
                counts: report.counts,
                time: clock.elapsed(),
            })
        }
    }

    with_any(&args.game, Measure(args))?
}

/// Which search the words mean, and with which driver.
fn how(args: &SolveArgs, scheme: SchemeWord) -> Result<(How, DriverWord), Failure> {
    use SchemeWord as S;
    let both: &[DriverWord] = &[DriverWord::Tree, DriverWord::Dag];
    let tree = &both[..1];
    let policy = match scheme {
        S::Bi | S::Smab | S::DoubleOracle | S::Sequence => None,
        S::Maxmin => Some(Policy::Maxmin),
        S::Minmax => Some(Policy::Minmax),
        S::Alt => Some(Policy::Alt),
        S::AltLast => Some(Policy::AltLast),
        S::Rab => Some(Policy::Rab),
        S::RabOnce => Some(Policy::RabOnce),
        other => {
            let message = format!("`--scheme {}` is for players who move in turn", word(other));
            let help = "for joint moves: bi, smab, do, sequence, or to approximate maxmin, minmax, \
                        alt, alt-last, rab, rab-once";
            return Err(Failure::input(message).help(help));
        }
    };
    let takes = if policy.is_some() || scheme == S::Sequence { tree } else { both };
    let driver = args.driver.unwrap_or(takes[takes.len() - 1]);
    if !takes.contains(&driver) {
        let message = format!(
            "`--driver {}` does not go with `--scheme {}` of joint moves",
            word(driver),
            word(scheme)
        );
        let names: Vec<String> = takes.iter().map(|&d| word(d)).collect();
        return Err(Failure::input(message).help(format!("one of {}", names.join(", "))));
    }
    let of = if driver == DriverWord::Tree { Driver::Tree } else { Driver::Dag };
    let knowledge = !args.no_knowledge;
    let how = match (scheme, policy) {
        (_, Some(policy)) => How::Serial(policy),
        (S::Smab, _) => How::Smab(Smab {
            driver: of,
            cells: match args.cells {
                Some(CellsWord::Lexicographic) => Cells::Lexicographic,
                None | Some(CellsWord::LShaped) => Cells::LShaped,
            },
            skip: args.skip.unwrap_or(USUAL_SKIP),
            knowledge,
        }),
        (S::DoubleOracle, _) => How::Oracle(of, knowledge),
        (S::Sequence, _) => How::Sequence,
        _ => How::Induce(of),
    };
    Ok((how, driver))
}

/// The certificate of a strategy, replayed from its text.
fn certify<J: JointNotation>(
    game: &J,
    start: &J::State,
    strategy: &Mixed<J::State, J::Move>,
) -> Result<Certified, Failure> {
    let refuse = |e: CheckError| refused(&game.name(), &e);
    let written = write_mixed(game, start, strategy).map_err(|e| refuse(CheckError::new(0, e)))?;
    let mut reader = Reader::new(written.text.as_bytes());
    let header = reader.header().map_err(refuse)?;
    let header = header.ok_or_else(|| refuse(CheckError::new(0, "it is empty")))?;
    let proved = check_mixed(game, &header, &mut reader).map_err(refuse)?;
    Ok(Certified { text: written.text, bound: proved.bound, claims: proved.claims })
}

/// The certificate of a strategy of a game in turn: one of the game itself, since no move is mixed
/// with another.
fn certify_in_turn<G: Guide + Notation>(
    sequential: &Sequential<G>,
    start: &G::State,
    strategy: &Mixed<G::State, Option<G::Move>>,
) -> Result<Certified, Failure> {
    let game = sequential.game();
    let refuse = |e: CheckError| refused(&game.name(), &e);
    let bound = guarantee(sequential, start, strategy);
    let bound = bound.map_err(|e| refuse(CheckError::new(0, e)))?;
    let worth = sequential.outcome_worth(&bound);
    let worth = worth.ok_or_else(|| refuse(CheckError::new(0, "the value is not an outcome")))?;
    let prover = strategy.prover;
    let at_least = match prover {
        Side::Max => worth,
        Side::Min => Outcome(worth.0 + 1),
    };
    if at_least == Outcome(0) || at_least > game.scale().best() {
        // The ends of the scale need no proof.
        return Ok(Certified { text: String::new(), bound, claims: 0 });
    }
    let claim = Claim { prover, at_least, or_endless: false };
    let solution = pure(game, start, strategy);
    let written = certificate::write(game, start, claim, &solution);
    let proved = replay_text(written.text.as_bytes(), |header, reader| {
        certificate::check(game, header, reader, &mut Trust::default())
    });
    match proved.map_err(refuse)?.as_slice() {
        [proved] if proved.claim == claim => {
            Ok(Certified { text: written.text, bound, claims: proved.claims })
        }
        _ => Err(refuse(CheckError::new(0, "it proves something else"))),
    }
}

/// A strategy that mixes nothing, as a weak solution.
fn pure<G: Game>(
    game: &G,
    start: &G::State,
    strategy: &Mixed<G::State, Option<G::Move>>,
) -> WeakSolution<G::Move> {
    let chosen: HashMap<&G::State, G::Move> = strategy
        .lines
        .iter()
        .filter_map(|(s, mix)| Some((s, mix.iter().find_map(|(m, _)| *m)?)))
        .collect();
    let mut lines = Vec::new();
    let mut seen: HashMap<G::State, u32> = HashMap::new();
    let mut moves = Vec::new();
    let mut todo = vec![start.clone()];
    while let Some(mut s) = todo.pop() {
        let agent = match game.turn(&s) {
            Turn::Agent(agent) => agent,
            Turn::Over => {
                lines.push(Line::Over);
                continue;
            }
        };
        if let Some(&line) = seen.get(&s) {
            lines.push(Line::Same(line));
            continue;
        }
        seen.insert(s.clone(), lines.len() as u32);
        match chosen.get(&s) {
            Some(&m) if Side::of(agent) == strategy.prover => {
                lines.push(Line::Plays(m));
                game.play(&mut s, agent, m);
                todo.push(s);
            }
            _ => {
                moves.clear();
                game.moves(&s, agent, &mut moves);
                lines.push(Line::Replies(moves.len() as u32));
                for &m in moves.iter().rev() {
                    let mut next = s.clone();
                    game.play(&mut next, agent, m);
                    todo.push(next);
                }
            }
        }
    }
    WeakSolution { prover: strategy.prover, lines }
}

/// A strategy of the search, in floating point.
fn rounded<J: JointNotation>(
    game: &J,
    s: &J::State,
    side: Side,
    mix: &[(J::Move, f64)],
) -> Vec<(String, String)> {
    let one = |&(m, p): &(J::Move, f64)| (game.move_text(s, side, m), print::decimal(p));
    mix.iter().map(one).collect()
}

/// Watches a search: the clock, Ctrl-C, and a live line on a terminal.
struct Eye {
    clock: Instant,
    time: Option<Duration>,
    screen: Screen,
}

impl<M> Watch<M> for Eye {
    fn tick(&mut self, progress: &Progress<'_, M>) -> ControlFlow<StopReason> {
        if let Some(reason) = stopped(self.clock, self.time) {
            return ControlFlow::Break(reason);
        }
        let elapsed = self.clock.elapsed();
        if self.screen.due(elapsed) {
            let (seconds, nodes) = (elapsed.as_secs_f64(), progress.counts.nodes as f64);
            self.screen.show(&format!(
                "{seconds:.0} s  {} nodes  {}/s  {}",
                short(nodes),
                short(nodes / seconds),
                bytes_text(progress.counts.peak_bytes),
            ));
        }
        ControlFlow::Continue(())
    }
}
