//! Games of many players: every player's score by max^n, one player against all others, and the best
//! reply, with certificates that were replayed.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use foregone_games::best_reply::BestReply;
use foregone_games::erased::Erased;
use foregone_model::certificate::{
    CheckError, Reader, check_scores, scores_of, write_scores_while,
};
use foregone_model::{Agent, Notation, Outcome, TextError, Turn, Typed};
use foregone_search::many::{Ended, ManyReport, maxn};
use foregone_search::{Limits, StopReason};

use crate::answer::{Answer, Finished, ManyAnswer, PlayerScore, ProofSummary, Status};
use crate::error::Error;
use crate::job::{Job, Proof, Question};
use crate::observe::{Context, Event, Pace};
use crate::session::{CHEAP_PROOF, moves_text, refused, rules_error};
use crate::solver::Solver;
use crate::specialised;
use crate::watch::{CountWatch, Ends};

/// How a game of many players is solved. Games of two are such games, too.
///
/// Its text is its word, with options that are not the default: `maxn`, `maxn(prune=no)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ManySolver {
    /// max^n: everybody goes for its own score.
    Maxn {
        /// Whether positions are left out that change nothing.
        prune: bool,
    },
    /// One player against all others: the question that schemes and drivers answer.
    Paranoid,
    /// The same in another game, in which the others together make one move in each round.
    BestReply,
}

impl ManySolver {
    /// All of them, with their default options.
    pub const ALL: [ManySolver; 3] =
        [ManySolver::Maxn { prune: true }, ManySolver::Paranoid, ManySolver::BestReply];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            ManySolver::Maxn { .. } => "maxn",
            ManySolver::Paranoid => "paranoid",
            ManySolver::BestReply => "best-reply",
        }
    }

    /// Whether it asks what one player can force, which schemes and drivers find out.
    pub fn guided(self) -> bool {
        matches!(self, ManySolver::Paranoid | ManySolver::BestReply)
    }

    /// What it is, in a few words.
    pub fn about(self) -> &'static str {
        match self {
            ManySolver::Maxn { .. } => "many players: everybody goes for its own score",
            ManySolver::Paranoid => "many players: one against all others",
            ManySolver::BestReply => {
                "many players, an estimate: one of the others replies to each move"
            }
        }
    }
}

impl fmt::Display for ManySolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())?;
        f.write_str(if *self == (ManySolver::Maxn { prune: false }) { "(prune=no)" } else { "" })
    }
}

impl FromStr for ManySolver {
    type Err = TextError;

    fn from_str(text: &str) -> Result<ManySolver, TextError> {
        let (word, options) = match text.strip_suffix(')').and_then(|t| t.split_once('(')) {
            Some((word, options)) => (word, Some(options)),
            None => (text, None),
        };
        let named = ManySolver::ALL.into_iter().find(|s| s.word().eq_ignore_ascii_case(word));
        match (named, options) {
            (Some(solver), None) => Ok(solver),
            (Some(ManySolver::Maxn { .. }), Some("prune=no")) => {
                Ok(ManySolver::Maxn { prune: false })
            }
            (Some(ManySolver::Maxn { .. }), Some("prune=yes")) => {
                Ok(ManySolver::Maxn { prune: true })
            }
            (Some(solver), Some(options)) => {
                let at = word.len() + 1;
                let message = format!("`{options}` is not an option of {}", solver.word());
                let choices = match solver {
                    ManySolver::Maxn { .. } => vec!["prune=no".to_owned(), "prune=yes".to_owned()],
                    ManySolver::Paranoid | ManySolver::BestReply => Vec::new(),
                };
                Err(TextError::new(message, at..at + options.len()).with_choices(choices))
            }
            (None, _) => {
                let choices = ManySolver::ALL.map(|solver| solver.word().to_owned());
                let message = format!("`{word}` is not a solver of many players");
                Err(TextError::new(message, 0..word.len()).with_choices(choices.to_vec()))
            }
        }
    }
}

/// Runs a job about a game in turn by the one of these solvers that it names.
pub(crate) fn solve(
    game: &Erased,
    job: &Job,
    context: &mut Context<'_>,
) -> Result<Finished, Error> {
    let of_many = |solver| match solver {
        Solver::Many(solver) => Some(solver),
        _ => None,
    };
    let words = ManySolver::ALL.map(ManySolver::word);
    let named = job.solver_of(&game.name(), of_many, &words)?;
    let solver = named.unwrap_or(ManySolver::Paranoid);
    let one_against_all =
        ["player", "moves", "scheme", "driver", "leaves", "outcomes", "window", "solver"];
    match solver {
        ManySolver::Maxn { prune } => {
            job.only("max^n", &["solver"])?;
            solve_maxn(game, prune, job, context)
        }
        ManySolver::Paranoid => {
            job.only("one player against all others", &one_against_all)?;
            specialised::solve_erased(game, &Job { solver: None, ..job.clone() }, context)
        }
        ManySolver::BestReply => {
            job.only("best-reply", &one_against_all)?;
            best_reply(game, job, context)
        }
    }
}

/// Solves the game that best-reply makes of this one, and says of which game that is an estimate.
fn best_reply(game: &Erased, job: &Job, context: &mut Context<'_>) -> Result<Finished, Error> {
    let hero = match &job.player {
        None => Agent::FIRST,
        Some(name) => crate::scale::agent_called(game, name, "player")?,
    };
    let start = game
        .read_position_or_moves(&job.position)
        .map_err(|e| Error::text("position", &job.position, e))?;
    let derived = BestReply::new(game.clone(), hero).map_err(Error::input)?;
    let position = derived.position_text(&derived.at(start));
    let job = Job { position, player: None, solver: None, ..job.clone() };
    let mut finished = specialised::solve_erased(&Erased::new(derived), &job, context)?;
    if let Answer::Turn(answer) = &mut finished.answer {
        answer.estimate_of = Some(game.name());
        answer.player = (hero != Agent::FIRST).then(|| game.agent_name(hero).to_owned());
    }
    Ok(finished)
}

/// What was found by max^n.
struct Findings<G: Notation> {
    report: ManyReport<G>,
    certificate: String,
    claims: Option<u64>,
    /// Whether positions come up again where pruning did not look.
    repeats: bool,
    check_time: Duration,
}

/// Runs a job about every player's score by max^n.
pub fn solve_maxn<G: Notation>(
    game: &G,
    prune: bool,
    job: &Job,
    context: &mut Context<'_>,
) -> Result<Finished, Error> {
    // 1. What is asked.
    if job.question != Question::Value {
        let text = job.question.to_string();
        return Err(Error::input(format!("`{text}` is not a question about every player's score"))
            .at("question", &text, 0..text.len())
            .help("of max^n the question is `value`"));
    }
    if game.has_chance() {
        return Err(Error::input(format!(
            "max^n does not take chance, and {} has it",
            game.name()
        )));
    }
    let start = game
        .read_position_or_moves(&job.position)
        .map_err(|e| Error::text("position", &job.position, e))?;
    let solver = ManySolver::Maxn { prune };
    context.observer.event(&Event::Started {
        game: game.name(),
        position: game.position_text(&start),
        question: Question::Value.to_string(),
        scheme: Some(solver.to_string()),
        driver: DRIVER.to_owned(),
    });

    // 2. The search, and the replay of the certificate.
    let began = context.clock.now();
    let pace = Pace::new(context.observer);
    let (clock, cancel) = (context.clock, context.cancel);
    let observer = &mut *context.observer;
    let ends = Ends::Not;
    let mut watch = CountWatch { clock, cancel, began, budget: &job.budget, pace, observer, ends };
    let findings = search(game, &start, prune, job, &mut watch)?;
    if let Some(violation) = game.rules_violation() {
        return Err(rules_error(&game.name(), &violation));
    }
    let stop = match &findings.report.ended {
        Ended::Solved(_) => StopReason::Solved,
        Ended::Early(reason) => *reason,
        Ended::Repeats(s) => return Err(repeats(game, s)),
    };
    context.observer.event(&Event::Done { stop: stop.into() });

    // 3. The answer.
    let seconds = clock.now().saturating_sub(began).as_secs_f64();
    let answer = answer(game, &start, solver, job, &findings, stop, seconds);
    Ok(Finished {
        certificate: findings.certificate,
        archived: Vec::new(),
        check_time: findings.check_time,
        drawings: None,
        answer: Answer::Many(answer),
    })
}

/// How max^n walks through positions: with a table.
const DRIVER: &str = "dag";

/// Why a game in which this position comes up again has no scores by max^n.
fn repeats<G: Notation>(game: &G, s: &G::State) -> Error {
    Error::input(format!(
        "positions of {} come up again, such as {}, and max^n goes back from the end of every play: \
         it has no value for plays that need not end",
        game.name(),
        game.position_text(s)
    ))
    .help("`paranoid` asks what one player can force, and takes such games")
}

fn search<G: Notation>(
    game: &G,
    start: &G::State,
    prune: bool,
    job: &Job,
    watch: &mut CountWatch<'_>,
) -> Result<Findings<G>, Error> {
    let mut report = maxn(game, start, prune, job.budget.limits(), watch);
    let (certificate, check_time) = (String::new(), Duration::ZERO);
    let lines = std::mem::take(&mut report.lines);
    let ended = report.ended.clone();
    let mut findings = Findings { report, certificate, claims: None, repeats: false, check_time };
    let Ended::Solved(outcome) = ended else { return Ok(findings) };
    if job.proof == Proof::Never || game.rules_violation().is_some() {
        return Ok(findings);
    }
    watch.observer.event(&Event::ProofStarted);
    let began = watch.clock.now();
    // A search that prunes does not know every position that a certificate needs.
    let lines = match prune {
        true => every_position(game, start, outcome, job, watch, &mut findings)?,
        false => Some(lines),
    };
    if let Some(lines) = lines {
        certify(game, start, outcome, &lines, watch, &mut findings)?;
    }
    findings.check_time = watch.clock.now().saturating_sub(began);
    Ok(findings)
}

/// A position and what is played there, for every position.
type Lines<G> = Vec<(<G as foregone_model::Game>::State, <G as foregone_model::Game>::Move)>;

/// What is played in every position, by a search without pruning; nothing where that takes too long.
fn every_position<G: Notation>(
    game: &G,
    start: &G::State,
    outcome: Outcome,
    job: &Job,
    watch: &mut CountWatch<'_>,
    findings: &mut Findings<G>,
) -> Result<Option<Lines<G>>, Error> {
    let most = match job.proof {
        Proof::IfCheap | Proof::Never => CHEAP_PROOF,
        Proof::Always | Proof::Drawn => u64::MAX,
    };
    let limits = Limits { nodes: most, ..job.budget.limits() };
    let whole = maxn(game, start, false, limits, watch);
    let counts = &mut findings.report.counts;
    counts.peak_bytes = counts.peak_bytes.max(whole.counts.peak_bytes);
    match whole.ended {
        Ended::Solved(found) if found == outcome => Ok(Some(whole.lines)),
        Ended::Solved(found) => Err(Error::proof(format!(
            "with pruning the scores are {:?}, without {:?}",
            scores_of(game, outcome),
            scores_of(game, found)
        ))
        .help("this is a defect of foregone: the answer is not to be trusted")),
        // An answer without a proof is an answer, and says so.
        Ended::Early(_) => Ok(None),
        Ended::Repeats(_) => {
            findings.repeats = true;
            Ok(None)
        }
    }
}

/// Writes the certificate and replays it from its text.
fn certify<G: Notation>(
    game: &G,
    start: &G::State,
    outcome: Outcome,
    lines: &[(G::State, G::Move)],
    watch: &mut CountWatch<'_>,
    findings: &mut Findings<G>,
) -> Result<(), Error> {
    let mut meter = watch.meter();
    let written =
        write_scores_while(game, start, outcome, lines, &mut |done, all| meter.writes(done, all));
    let Some(written) = written else { return Ok(()) };
    let proved = meter.replay(written.text.as_bytes(), |text| {
        let mut reader = Reader::new(text);
        let header = reader.header()?.ok_or_else(|| CheckError::new(0, "it is empty"))?;
        check_scores(game, &header, &mut reader)
    });
    let Some(proved) = proved.map_err(|e| refused(&game.name(), &e))? else { return Ok(()) };
    let scores: Vec<i64> = proved.scores.iter().map(|(_, score)| *score).collect();
    if scores != scores_of(game, outcome) {
        return Err(Error::proof("the certificate proves something else than was asked"));
    }
    watch.observer.event(&Event::ProofChecked { claims: proved.claims });
    let counts = &mut findings.report.counts;
    counts.peak_bytes = counts.peak_bytes.max(written.peak_bytes);
    (findings.certificate, findings.claims) = (written.text, Some(proved.claims));
    Ok(())
}

fn answer<G: Notation>(
    game: &G,
    start: &G::State,
    solver: ManySolver,
    job: &Job,
    findings: &Findings<G>,
    stop: StopReason,
    seconds: f64,
) -> ManyAnswer {
    let report = &findings.report;
    let outcome = match report.ended {
        Ended::Solved(outcome) => Some(outcome),
        Ended::Early(_) | Ended::Repeats(_) => None,
    };
    let scores = outcome.map_or_else(Vec::new, |outcome| scores_of(game, outcome));
    let one = |(agent, &score): (u8, &i64)| PlayerScore {
        player: game.agent_name(Agent(agent)).to_owned(),
        score,
    };
    // Who plays alone has nobody else to have a score.
    let players = if game.one_player() { 1 } else { scores.len() };
    let line = moves_text(game, start, &report.line, usize::MAX);
    let numbers: Vec<String> = scores.iter().take(players).map(i64::to_string).collect();
    let counts = &report.counts;
    ManyAnswer {
        game: game.name(),
        position: game.position_text(start),
        question: Question::Value.to_string(),
        scheme: solver.to_string(),
        driver: DRIVER.to_owned(),
        status: Status::of(outcome.is_some()),
        to_move: match game.turn(start) {
            Turn::Agent(agent) => Some(game.agent_name(agent).to_owned()),
            Turn::Chance | Turn::Over => None,
        },
        value: outcome.map(|_| numbers.join("/")),
        outcome: outcome.map(|outcome| game.scale().name(outcome).to_owned()),
        scores: (0..).zip(&scores).take(players).map(one).collect(),
        ties: TIES.to_owned(),
        best_move: line.first().cloned(),
        line,
        expansions: counts.expansions,
        nodes: counts.nodes,
        playouts: 0,
        seconds,
        peak_bytes: counts.peak_bytes,
        seed: job.seed,
        stop: stop.into(),
        repeats: findings.repeats,
        proof: findings.claims.map(|claims| ProofSummary {
            claims,
            proved: true,
            checked: true,
            ..ProofSummary::default()
        }),
    }
}

/// How ties are broken: of equally good moves the first one in the order of the rules.
const TIES: &str = "first-best";
