//! Games with chance, and opponents who are known: what a player gets on average, with strategies that
//! were checked.

mod opponent;
mod script;
mod solver;

use std::time::Duration;

use foregone_model::certificate::{
    CheckError, Plan, ProvedExpected, Reader, check_expected, write_expected_while,
};
use foregone_model::number::read_number;
use foregone_model::{Agent, Endless, Fraction, Guide, Notation, Ratio, Side, Turn, Typed};
use foregone_search::chance::{
    Expectation, ExpectedReport, Graph, Plans, WalkOptions, best_first, plans, walk,
};
use foregone_search::report::Counts;
use foregone_search::{Limits, StopReason};

use crate::answer::{
    Answer, ExpectedAnswer, ExpectedMove, Finished, ProofSummary, Status, ValueIs,
};
use crate::error::Error;
use crate::job::{Job, Proof, Question};
use crate::joint::decimal;
use crate::observe::{Context, Event, Meter, Pace};
use crate::session::{CHEAP_PROOF, refused, rules_error};
use crate::solver::Solver;
use crate::watch::{CountWatch, Ends};

pub use opponent::Opponents;
pub use solver::{ExpectedSolver, USUAL_SAMPLES};

/// A value that strategies of both sides show.
#[derive(Clone, Debug)]
struct Shown {
    low: Ratio,
    high: Ratio,
    /// The claims of Max's certificate and of Min's.
    claims: [u64; 2],
}

/// What was found.
struct Findings<M> {
    report: ExpectedReport<M>,
    shown: Option<Shown>,
    moves: Option<Vec<ExpectedMove>>,
    certificates: String,
    check_time: Duration,
}

/// Runs a job about a game with chance, or about an opponent who is known.
pub fn solve<G: Guide + Notation>(
    game: &G,
    job: &Job,
    context: &mut Context<'_>,
) -> Result<Finished, Error> {
    // 1. What is asked.
    if job.question != Question::Value {
        let text = job.question.to_string();
        let what = if game.has_chance() { "a game with chance" } else { "a known opponent" };
        return Err(Error::input(format!("`{text}` is not a question about {what}"))
            .at("question", &text, 0..text.len())
            .help("the question is `value`: what a player gets on average"));
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
    let start = game
        .read_position_or_moves(&job.position)
        .map_err(|e| Error::text("position", &job.position, e))?;
    let opponents: Option<Opponents> = job.opponent.as_deref().map(str::parse).transpose()?;
    let known =
        opponents.as_ref().map(|all| all.known(game, max, &job.opponent_proof)).transpose()?;
    let too_far = || Error::input(format!("the scores of {} are too far apart", game.name()));
    let mut of = Expectation::new(game, max).ok_or_else(too_far)?;
    if let Some(text) = &job.contempt {
        of = of.with_draw(draw_worth(text)?).ok_or_else(|| {
            Error::input(format!("{} has no draws that contempt could be for", game.name()))
                .help("it is for games of loss, draw and win")
        })?;
    }
    if let Some(known) = &known {
        of = of.against(known);
    }
    let solver = pick(game, job)?;
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
    let (clock, cancel) = (context.clock, context.cancel);
    let observer = &mut *context.observer;
    let ends = Ends::Not;
    let mut watch = CountWatch { clock, cancel, began, budget: &job.budget, pace, observer, ends };
    let findings = Asking { of: &of, max, start: &start, job }.search(solver, &mut watch)?;
    if let Some(violation) = game.rules_violation() {
        return Err(rules_error(&game.name(), &violation));
    }
    context.observer.event(&Event::Done { stop: findings.report.stop.into() });

    // 3. The answer.
    let seconds = clock.now().saturating_sub(began).as_secs_f64();
    let answer = Asking { of: &of, max, start: &start, job }.answer(solver, &findings, seconds);
    Ok(Finished {
        certificate: findings.certificates,
        archived: Vec::new(),
        check_time: findings.check_time,
        drawings: None,
        answer: Answer::Expected(answer),
    })
}

/// What a draw is worth if it is this much less than half a point.
fn draw_worth(contempt: &str) -> Result<(u32, u32), Error> {
    let wrong = || {
        Error::input(format!("`{contempt}` is not a fraction from -1/2 to 1/2")).at(
            "contempt",
            contempt,
            0..contempt.len(),
        )
    };
    let less = read_number(contempt).map_err(|_| wrong())?;
    let draw = Ratio::new(1, 2).ok_or_else(wrong)? - less;
    let text = draw.to_string();
    let (a, b) = text.split_once('/').unwrap_or((&text, "1"));
    let parts = (a.parse().map_err(|_| wrong())?, b.parse().map_err(|_| wrong())?);
    if parts.0 > parts.1 || parts.1 > 1_000_000 { Err(wrong()) } else { Ok(parts) }
}

/// The solver of a job; where it names none, the one that takes every game.
fn pick<G: Notation>(game: &G, job: &Job) -> Result<ExpectedSolver, Error> {
    let words = ExpectedSolver::ALL.map(ExpectedSolver::word);
    let expected = |solver| match solver {
        Solver::Expected(solver) => Some(solver),
        _ => None,
    };
    let named = job.solver_of(&game.name(), expected, &words)?;
    let solver = named.unwrap_or(ExpectedSolver::Iterate);
    if game.endless() != Endless::Impossible && !solver.takes_loops() {
        let message = format!("positions of {} can come up again", game.name());
        return Err(Error::input(format!("{message}, and `{}` would not end", solver.word()))
            .help("`iterate` takes such games"));
    }
    Ok(solver)
}

/// What is asked of a position.
struct Asking<'a, 'g, G: Notation> {
    of: &'a Expectation<'g, G>,
    max: Agent,
    start: &'a G::State,
    job: &'a Job,
}

impl<G: Guide + Notation> Asking<'_, '_, G> {
    fn search(
        &self,
        solver: ExpectedSolver,
        watch: &mut CountWatch<'_>,
    ) -> Result<Findings<G::Move>, Error> {
        let (of, start, limits) = (self.of, self.start, self.job.budget.limits());
        let mut graph = None;
        let report = match solver {
            ExpectedSolver::Iterate => match Graph::build(of, start, limits, watch) {
                Ok(built) => {
                    let report = built.report(watch);
                    graph = Some(built);
                    report
                }
                Err((stop, counts)) => self.unknown(stop, counts),
            },
            ExpectedSolver::Walk { by, table } => {
                walk(of, start, WalkOptions::new(by, table), limits, watch)
            }
            ExpectedSolver::Sample(sampled) => {
                walk(of, start, WalkOptions::sampled(sampled, self.job.seed), limits, watch)
            }
            ExpectedSolver::Bounds => best_first(of, start, limits, watch),
        };
        let certificates = String::new();
        let check_time = Duration::ZERO;
        let mut findings = Findings { report, shown: None, moves: None, certificates, check_time };
        let solved = findings.report.stop == StopReason::Solved && solver.exact();
        if solved && self.job.proof != Proof::Never {
            watch.observer.event(&Event::ProofStarted);
            let began = watch.clock.now();
            self.prove(graph, &mut findings, watch)?;
            findings.check_time = watch.clock.now().saturating_sub(began);
        }
        Ok(findings)
    }

    fn unknown(&self, stop: StopReason, counts: Counts) -> ExpectedReport<G::Move> {
        ExpectedReport { stop, bounds: self.of.range(), value: None, best: None, counts }
    }

    /// Makes the strategies of both sides and replays their certificates.
    fn prove(
        &self,
        graph: Option<Graph<G>>,
        findings: &mut Findings<G::Move>,
        watch: &mut CountWatch<'_>,
    ) -> Result<(), Error> {
        let most = match self.job.proof {
            Proof::IfCheap | Proof::Never => CHEAP_PROOF,
            Proof::Always | Proof::Drawn => u64::MAX,
        };
        let limits = Limits { nodes: most, ..self.job.budget.limits() };
        let graph = match graph {
            Some(graph) => graph,
            None => match Graph::build(self.of, self.start, limits, watch) {
                Ok(graph) => graph,
                // An answer without a proof is an answer, and says so.
                Err(_) => return Ok(()),
            },
        };
        let Ok(plans) = plans(self.of, &graph, watch) else { return Ok(()) };
        let Some((shown, text)) = self.show(&plans, 0, watch)? else { return Ok(()) };
        self.agree(&shown, findings.report.value)?;
        findings.certificates.push_str(&text);
        findings.shown = Some(shown);
        if self.job.moves {
            findings.moves = self.moves(&plans, findings, watch)?;
        }
        Ok(())
    }

    /// What the search found is what the strategies show.
    fn agree(&self, shown: &Shown, value: Option<f64>) -> Result<(), Error> {
        let (low, high) = (shown.low.as_f64(), shown.high.as_f64());
        let (least, most) = self.of.range();
        let unit = self.of.worth.unit() as f64;
        let near = 1e-6 * (most - least) / unit;
        let value = value.map_or(low, |value| value / unit);
        if shown.low > shown.high || value < low - near || value > high + near {
            return Err(Error::proof(format!(
                "the search found {value}, but strategies show {} to {}",
                shown.low, shown.high
            ))
            .help("this is a defect of foregone: the answer is not to be trusted"));
        }
        Ok(())
    }

    /// The bounds of a position's value by strategies whose certificates were replayed, and their text.
    fn show(
        &self,
        plans: &Plans<'_, '_, G>,
        node: u32,
        watch: &mut CountWatch<'_>,
    ) -> Result<Option<(Shown, String)>, Error> {
        // The best response to a known opponent has one certificate.
        let sides: &[Side] = match self.of.opponent {
            None => &[Side::Max, Side::Min],
            Some(_) => &[Side::Max],
        };
        let mut text = String::new();
        let mut found = Vec::new();
        for &side in sides {
            let Ok(Some(plan)) = plans.plan(side, node, watch) else { return Ok(None) };
            let certified = self.certify(plans.state(node), &plan, &mut watch.meter())?;
            let Some((proved, written)) = certified else { return Ok(None) };
            watch.observer.event(&Event::ProofChecked { claims: proved.claims });
            text.push_str(&written);
            found.push(proved);
        }
        let claims = [found[0].claims, found.get(1).map_or(0, |proved| proved.claims)];
        let high = found.last().map_or_else(|| found[0].bound.clone(), |p| p.bound.clone());
        Ok(Some((Shown { low: found[0].bound.clone(), high, claims }, text)))
    }

    /// The certificate of a strategy, replayed from its text; nothing if the job is to end before.
    fn certify(
        &self,
        start: &G::State,
        plan: &Plan<G::State, G::Move>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<(ProvedExpected, String)>, Error> {
        let game = self.of.game;
        let goes_on = &mut |done, all| meter.writes(done, all);
        let written = write_expected_while(game, self.max, start, plan, goes_on);
        let Some(written) = written else { return Ok(None) };
        let refuse = |e: CheckError| refused(&game.name(), &e);
        let proved = meter.replay(written.text.as_bytes(), |text| {
            let mut reader = Reader::new(text);
            let header = reader.header()?.ok_or_else(|| CheckError::new(0, "it is empty"))?;
            check_expected(game, &header, &mut reader)
        });
        let Some(proved) = proved.map_err(refuse)? else { return Ok(None) };
        let meant = (plan.prover, plan.opponent_known, &plan.bound);
        if (proved.prover, proved.opponent_known, &proved.bound) != meant {
            return Err(refuse(CheckError::new(0, "it proves something else")));
        }
        Ok(Some((proved, written.text)))
    }

    /// What each move of the position is worth, each with certificates of its own.
    fn moves(
        &self,
        plans: &Plans<'_, '_, G>,
        findings: &mut Findings<G::Move>,
        watch: &mut CountWatch<'_>,
    ) -> Result<Option<Vec<ExpectedMove>>, Error> {
        let game = self.of.game;
        let turn = game.turn(self.start);
        let root = plans.root_moves();
        // Only chance has weights.
        let weight = |m: G::Move| match turn {
            Turn::Chance => game.weight(self.start, m),
            Turn::Agent(_) | Turn::Over => 1,
        };
        let total: u64 = root.iter().map(|&(m, _)| weight(m)).sum();
        let mut moves = Vec::new();
        let mut worths = Vec::new();
        for (m, node) in root {
            let Some((shown, text)) = self.show(plans, node, watch)? else { return Ok(None) };
            findings.certificates.push_str(&text);
            if let Some(whole) = &mut findings.shown {
                whole.claims[0] += shown.claims[0];
                whole.claims[1] += shown.claims[1];
            }
            let chance = || Ratio::lowest(weight(m).into(), total.into());
            moves.push(ExpectedMove {
                text: game.move_text(self.start, m),
                value: self.met(&shown).then(|| value_text(&shown)),
                bounds: [shown.low.to_string(), shown.high.to_string()],
                best: None,
                chance: (turn == Turn::Chance).then(|| chance().to_string()),
                proved: true,
            });
            worths.push(shown);
        }
        let side = match turn {
            Turn::Agent(agent) if agent == self.max => Side::Max,
            Turn::Agent(_) if self.of.opponent.is_none() => Side::Min,
            _ => return Ok(Some(moves)),
        };
        // What a move is worth to its side at least and at most. Values this close together are one.
        let near = self.near();
        let to_side = |shown: &Shown| match side {
            Side::Max => (shown.low.as_f64(), shown.high.as_f64()),
            Side::Min => (-shown.high.as_f64(), -shown.low.as_f64()),
        };
        let sure = worths.iter().map(|shown| to_side(shown).0).fold(f64::MIN, f64::max);
        let hoped = worths.iter().map(|shown| to_side(shown).1).fold(f64::MIN, f64::max);
        for (answer, shown) in moves.iter_mut().zip(&worths) {
            let (low, high) = to_side(shown);
            answer.best = match (low >= hoped - near, high < sure - near) {
                (true, _) => Some(true),
                (_, true) => Some(false),
                _ => None,
            };
        }
        Ok(Some(moves))
    }

    /// Values that are no further apart count as one.
    fn near(&self) -> f64 {
        let (least, most) = self.of.range();
        1e-9 * (most - least) / self.of.worth.unit() as f64
    }

    /// Whether the bounds of a value meet.
    fn met(&self, shown: &Shown) -> bool {
        (&shown.high - &shown.low).as_f64() <= self.near()
    }

    fn answer(
        &self,
        solver: ExpectedSolver,
        findings: &Findings<G::Move>,
        seconds: f64,
    ) -> ExpectedAnswer {
        let (game, job) = (self.of.game, self.job);
        let Findings { report, shown, .. } = findings;
        let unit = self.of.worth.unit() as f64;
        let met = shown.as_ref().is_none_or(|shown| self.met(shown));
        let solved =
            report.stop == StopReason::Solved && solver.exact() && report.value.is_some() && met;
        let bounds = match shown {
            Some(shown) => [shown.low.to_string(), shown.high.to_string()],
            None => [report.bounds.0, report.bounds.1].map(|bound| decimal(bound / unit)),
        };
        let found = report.value.map(|value| value / unit);
        let words = game.scale().scores().is_none();
        ExpectedAnswer {
            game: game.name(),
            position: game.position_text(self.start),
            question: Question::Value.to_string(),
            player: game.agent_name(self.max).to_owned(),
            opponent: job.opponent.clone(),
            draw: self.of.draw.map(|(a, b)| match b {
                1 => a.to_string(),
                _ => format!("{a}/{b}"),
            }),
            value_is: match words && game.scale().best().0 == 1 && self.of.worth.range() == (0, 1) {
                true => ValueIs::ChanceToWin,
                false => ValueIs::Points,
            },
            scheme: solver.to_string(),
            driver: solver.driver().to_owned(),
            status: Status::of(solved),
            value: match shown {
                Some(shown) if solved => Some(value_text(shown)),
                Some(_) => None,
                None => found.filter(|_| solved).map(decimal),
            },
            bounds,
            error: shown.as_ref().map(|shown| (&shown.high - &shown.low).as_f64()),
            approximation: found.filter(|_| !solver.exact()),
            best_move: report.best.map(|m| game.move_text(self.start, m)),
            moves: findings.moves.clone(),
            expansions: report.counts.expansions,
            nodes: report.counts.nodes,
            playouts: report.counts.playouts,
            seconds,
            peak_bytes: report.counts.peak_bytes,
            seed: job.seed,
            stop: report.stop.into(),
            proof: shown.as_ref().map(|shown| ProofSummary {
                claims: shown.claims[0] + shown.claims[1],
                by_side: self.of.opponent.is_none().then_some(shown.claims),
                proved: true,
                checked: true,
                ..ProofSummary::default()
            }),
        }
    }
}

/// The value in words: a fraction, or a decimal number with as many digits as are proved.
fn value_text(shown: &Shown) -> String {
    if shown.low == shown.high {
        return shown.low.to_string();
    }
    let (low, high) = (shown.low.as_f64(), shown.high.as_f64());
    let digits = (-(high - low).log10()).floor().clamp(0.0, 12.0) as usize;
    format!("{:.digits$}", 0.5 * (low + high))
}
