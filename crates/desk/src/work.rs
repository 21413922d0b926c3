//! Long work: searches, replays, comparisons. It tells what happens, it can be ended, and a search that
//! has used its budget may wait until it is given more.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use foregone::compare::{Comparison, Cross, compare};
use foregone::model::Scene;
use foregone::model::formula::Stipulation;
use foregone::play::Known;
use foregone::problem::written::Style;
use foregone::text::{Layout, headline, proved_text};
use foregone::{
    Answer, Cancel, Clock, Engine, Event, Finished, Job, Observer, Refused, Trust, Watched,
};
use serde::{Deserialize, Serialize};

use crate::Desk;
use crate::choose::Choose;
use crate::failure::Failure;
use crate::games::{Texts, while_opening};
use crate::proofs::{ProofHandle, TextReader};

/// Long work.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "work", rename_all = "kebab-case")]
pub enum Work {
    /// A question about a position.
    Solve {
        /// The question.
        job: Box<Job>,
        /// Rules that it needs.
        #[serde(default)]
        files: Texts,
    },
    /// A replay of a certificate that is kept.
    Verify {
        /// Its name.
        proof: String,
        /// Whether nothing but the rules is believed.
        #[serde(default)]
        strict: bool,
        /// Rules that it needs.
        #[serde(default)]
        files: Texts,
    },
    /// Searches side by side.
    Compare {
        /// Which.
        cross: Box<Cross>,
        /// Rules that they need.
        #[serde(default)]
        files: Texts,
    },
    /// A move.
    Choose(Choose),
    /// The values of several positions.
    Values {
        /// The game.
        game: String,
        /// Rules that it needs.
        #[serde(default)]
        files: Texts,
        /// The positions.
        positions: Vec<String>,
    },
}

/// What work tells.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum WorkEvent {
    /// What the library tells.
    Told(Event),
    /// What is told here.
    Own(OwnEvent),
}

/// What is told beside what the library tells. The last one of any work is among these.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum OwnEvent {
    /// It waits for others.
    Queued {
        /// How many.
        ahead: usize,
    },
    /// The budget is used up, and the search waits.
    Paused {
        /// Seconds that it took so far.
        seconds: f64,
        /// Bytes that it holds.
        bytes: u64,
        /// What is used up: `time` or `memory`.
        why: &'static str,
    },
    /// It goes on.
    Resumed,
    /// The answer to a question, or what was found until it was stopped.
    Solved {
        /// The answer.
        answer: Box<Answer>,
        /// The position with what the answer says on it.
        scene: Option<Box<Scene>>,
        /// The proof, if there is one.
        proof: Option<ProofHandle>,
        /// The answer in a sentence, and the solution of a problem as problemists print it.
        text: String,
    },
    /// Every certificate of a file was replayed.
    Verified {
        /// What each shows.
        sentences: Vec<String>,
        /// Claims of all.
        claims: u64,
        /// How long it took.
        seconds: f64,
        /// Whether nothing but the rules was believed.
        strict: bool,
    },
    /// A certificate was refused.
    Refused {
        /// The line.
        line: Option<u64>,
        /// What is wrong.
        problem: String,
        /// What may help.
        help: Option<String>,
    },
    /// Searches were compared.
    Compared {
        /// What that gave.
        comparison: Box<Comparison>,
    },
    /// A move was chosen.
    Chosen(Chosen),
    /// The value of one of several positions.
    Valued {
        /// The position.
        position: String,
        /// Its value, if it was found.
        value: Option<String>,
        /// Who wins, if somebody does.
        winner: Option<String>,
        /// Whether that was proved.
        proved: bool,
    },
    /// All positions have had their turn.
    AllValued,
    /// There is no answer.
    Failed {
        /// Why.
        failure: Failure,
    },
}

/// A move that the machine chose.
#[derive(Clone, Debug, Serialize)]
pub struct Chosen {
    /// The move.
    #[serde(rename = "move")]
    pub(crate) text: String,
    /// The same as people who know the game write it.
    pub(crate) san: Option<String>,
    /// What a proof says of the position before it.
    pub(crate) known: Option<Known>,
    /// The share of the points that the mover expects.
    pub(crate) expects: Option<f64>,
    /// How it was chosen.
    pub(crate) note: String,
}

/// What is added to a budget.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct More {
    /// So many seconds.
    pub seconds: f64,
    /// So many bytes.
    #[serde(default)]
    pub bytes: u64,
}

/// Hears of work. It may be slow: who runs work hands in one that never waits for a network.
pub trait Listener {
    /// Something happened.
    fn event(&mut self, event: WorkEvent);

    /// Waits until the budget is raised; nothing if the work is to end. Only called where
    /// [`Limits::pauses`](crate::Limits::pauses).
    fn more(&mut self) -> Option<More>;
}

/// Positions whose values are asked at a time.
const MOST_POSITIONS: usize = 500;
/// Nodes and seconds for each of them.
const NODES_OF_ONE: u64 = 1_000_000;
const SECONDS_OF_ONE: u64 = 3;
/// Searches of a comparison.
const MOST_SEARCHES: usize = 400;

impl Desk {
    /// Does work. The last event that the listener hears says how it ended.
    pub fn work(&self, work: Work, listener: &mut dyn Listener, cancel: &Cancel) {
        let mut hearing = Hearing::new(self, listener, cancel);
        let last = match work {
            Work::Solve { job, files } => self.solve(*job, &files, &mut hearing, cancel),
            Work::Verify { proof, strict, files } => {
                self.verify(&proof, strict, &files, &mut hearing, cancel)
            }
            Work::Compare { cross, files } => self.compare(*cross, &files, &mut hearing, cancel),
            Work::Choose(choose) => self.choose(choose, &mut hearing, cancel).map(OwnEvent::Chosen),
            Work::Values { game, files, positions } => {
                self.values(&game, &files, &positions, &mut hearing, cancel)
            }
        };
        let last = last.unwrap_or_else(|failure| OwnEvent::Failed { failure });
        listener.event(WorkEvent::Own(last));
    }

    fn solve(
        &self,
        job: Job,
        files: &Texts,
        hearing: &mut Hearing<'_>,
        cancel: &Cancel,
    ) -> Result<OwnEvent, Failure> {
        let mut job = self.limits.bounded(job)?;
        let token = cancel.clone();
        let open = self.open(&job.game, files, move || token.is_cancelled())?;
        if self.limits.pauses {
            hearing.allow(&mut job, &self.limits);
        }
        let engine = hearing.engine(files);
        let Finished { answer, certificate, .. } =
            engine.run_on(&open.game, &job, hearing, cancel)?;
        let shown = open.game.show(&job.position)?;
        let text = match &answer {
            Answer::Formula(formula) => match &formula.problem {
                Some(problem) => {
                    let stipulation = Stipulation::read(&formula.formula);
                    let layout = Layout { style: Style::San, stipulation };
                    let solution = layout.text(problem, job.variations);
                    format!("{}\n\n{solution}", headline(&shown, &answer))
                }
                None => headline(&shown, &answer),
            },
            _ => headline(&shown, &answer),
        };
        let scene = open.game.scene_with(&job.position, &answer).ok().map(Box::new);
        let proof = match certificate.is_empty() {
            true => None,
            false => Some(self.keep(Arc::new(certificate))?),
        };
        Ok(OwnEvent::Solved { answer: Box::new(answer), scene, proof, text })
    }

    fn verify(
        &self,
        proof: &str,
        strict: bool,
        files: &Texts,
        hearing: &mut Hearing<'_>,
        cancel: &Cancel,
    ) -> Result<OwnEvent, Failure> {
        self.limits.check_texts(files)?;
        let text = self.text_of(proof)?;
        let (bytes, most) = (text.len().max(1), Duration::from_secs_f64(self.limits.seconds));
        let token = cancel.clone();
        let (stop, _opening) = while_opening(&self.clock, most, move || token.is_cancelled());
        let engine = hearing.engine_with(files, stop);
        let began = engine.clock().now();
        let mut late = false;
        let mut last = Duration::ZERO;
        let mut goes_on = |read: u64| {
            let elapsed = engine.clock().now().saturating_sub(began);
            if elapsed >= last + PACE {
                last = elapsed;
                let (seconds, share) = (elapsed.as_secs_f64(), read as f64 / bytes as f64);
                let work = foregone::Work::Checking;
                hearing.event(&Event::Working { work, seconds, done: read, share });
            }
            late |= elapsed > most;
            !late && !cancel.is_cancelled()
        };
        let reader = std::io::BufReader::with_capacity(1 << 16, TextReader::new(text));
        let mut watched = Watched::new(reader, &mut goes_on);
        let mut trust = Trust { rules_only: strict, ..Trust::default() };
        let replayed = engine.verify_from(engine.files(), &mut watched, &mut trust, &mut |_| {});
        if watched.stopped() {
            let why = if late { "time" } else { "somebody" };
            return Err(Failure::limit(format!("the replay was ended by {why}")));
        }
        match replayed {
            Ok(proved) => Ok(OwnEvent::Verified {
                sentences: proved_sentences(&proved, &trust),
                claims: proved.iter().map(foregone::Replayed::claims).sum(),
                seconds: engine.clock().now().saturating_sub(began).as_secs_f64(),
                strict,
            }),
            Err(Refused::Certificate(error)) => {
                let knows = !strict && error.problem.contains("static knowledge");
                let help = "`foregone verify --expand` proves what knowledge says by a search";
                Ok(OwnEvent::Refused {
                    line: Some(error.line),
                    problem: error.problem,
                    help: knows.then(|| help.to_owned()),
                })
            }
            Err(Refused::Game(error)) => Ok(OwnEvent::Refused {
                line: None,
                problem: error.message,
                help: Some(error.help.unwrap_or_else(|| {
                    "drop the file with its rules together with the certificate".to_owned()
                })),
            }),
        }
    }

    fn compare(
        &self,
        mut cross: Cross,
        files: &Texts,
        hearing: &mut Hearing<'_>,
        cancel: &Cancel,
    ) -> Result<OwnEvent, Failure> {
        self.limits.check_texts(files)?;
        let count = |list: usize| list.max(1);
        let searches = cross.subjects.len()
            * count(cross.schemes.len())
            * count(cross.drivers.len())
            * count(cross.seeds.len())
            * count(cross.repeat as usize);
        if searches > MOST_SEARCHES {
            return Err(Failure::limit(format!(
                "these are {searches} searches, and {MOST_SEARCHES} are compared at most"
            )));
        }
        cross.job = self.limits.bounded(cross.job)?;
        let most = Duration::from_secs_f64(self.limits.seconds);
        let token = cancel.clone();
        let (stop, _opening) = while_opening(&self.clock, most, move || token.is_cancelled());
        let engine = hearing.engine_with(files, stop);
        hearing.end_after(most);
        let comparison = compare(&engine, &cross, 1, hearing, cancel)?;
        Ok(OwnEvent::Compared { comparison: Box::new(comparison) })
    }

    fn values(
        &self,
        game: &str,
        files: &Texts,
        positions: &[String],
        hearing: &mut Hearing<'_>,
        cancel: &Cancel,
    ) -> Result<OwnEvent, Failure> {
        if positions.len() > MOST_POSITIONS {
            return Err(Failure::limit(format!("at most {MOST_POSITIONS} positions at a time")));
        }
        let token = cancel.clone();
        let open = self.open(game, files, move || token.is_cancelled())?;
        let engine = hearing.engine(files);
        let mut common = self.limits.bounded(Job::new(game))?;
        common.budget.nodes = Some(NODES_OF_ONE);
        common.budget.time = Some(Duration::from_secs(SECONDS_OF_ONE));
        let began = engine.clock().now();
        for position in positions {
            if engine.clock().now().saturating_sub(began).as_secs_f64() > self.limits.seconds {
                return Err(Failure::limit("the time for all positions together is over"));
            }
            if cancel.is_cancelled() {
                return Err(Failure::new(crate::FailureKind::Stopped, "it was stopped"));
            }
            let job = common.clone().at(position);
            let answer = engine.run_on(&open.game, &job, &mut (), cancel)?.answer;
            let winner = match &answer {
                Answer::Turn(answer) => answer.winner.clone(),
                _ => None,
            };
            hearing.tell(OwnEvent::Valued {
                position: position.clone(),
                value: answer.value().map(str::to_owned),
                winner,
                proved: answer.proof().is_some_and(|proof| proof.proved),
            });
        }
        Ok(OwnEvent::AllValued)
    }
}

/// What each certificate shows, the first ones of many.
fn proved_sentences(proved: &[foregone::Replayed], trust: &Trust<'_>) -> Vec<String> {
    const MOST: usize = 200;
    let told = proved.iter().take(MOST).map(|one| proved_text(one, &trust.recomputed));
    let more = proved.len().saturating_sub(MOST);
    told.chain((more > 0).then(|| format!("and {more} more"))).collect()
}

/// How often work tells how far it is.
const PACE: Duration = Duration::from_millis(100);

/// A clock that stands still while work is paused.
struct Pausing {
    clock: Arc<dyn Clock>,
    /// Nanoseconds of all pauses.
    paused: AtomicU64,
}

impl Clock for Pausing {
    fn now(&self) -> Duration {
        let paused = Duration::from_nanos(self.paused.load(Ordering::Relaxed));
        self.clock.now().saturating_sub(paused)
    }
}

/// What may be used before work pauses.
struct Allowed {
    seconds: f64,
    bytes: u64,
    most: (f64, u64),
}

/// Passes on what the library tells, and pauses work whose budget is used up.
pub(crate) struct Hearing<'a> {
    listener: &'a mut dyn Listener,
    cancel: &'a Cancel,
    clock: Arc<Pausing>,
    allowed: Option<Allowed>,
    /// When work of many parts is over, whatever its parts may take.
    deadline: Option<Duration>,
}

impl<'a> Hearing<'a> {
    fn new(desk: &Desk, listener: &'a mut dyn Listener, cancel: &'a Cancel) -> Hearing<'a> {
        let clock = Pausing { clock: Arc::clone(&desk.clock), paused: AtomicU64::new(0) };
        Hearing { listener, cancel, clock: Arc::new(clock), allowed: None, deadline: None }
    }

    /// Lets a job pause when it has used what it asked for. It ends at the limits.
    fn allow(&mut self, job: &mut Job, limits: &crate::Limits) {
        let most = (limits.seconds, limits.bytes);
        let budget = &mut job.budget;
        self.allowed = Some(Allowed {
            seconds: budget.time.map_or(most.0, |time| time.as_secs_f64()),
            bytes: budget.memory.unwrap_or(most.1),
            most,
        });
        budget.time = Some(Duration::from_secs_f64(most.0));
        budget.memory = Some(most.1);
    }

    /// Ends the work after so long.
    fn end_after(&mut self, most: Duration) {
        self.deadline = Some(self.clock.now() + most);
    }

    /// An engine by whose clock pauses take no time.
    pub(crate) fn engine(&self, files: &Texts) -> Engine {
        self.engine_with(files, foregone::games::files::StopCheck::NEVER)
    }

    fn engine_with(&self, files: &Texts, stop: foregone::games::files::StopCheck) -> Engine {
        let clock: Arc<dyn Clock> = Arc::clone(&self.clock) as Arc<dyn Clock>;
        crate::games::engine(&clock, files, stop)
    }

    fn tell(&mut self, event: OwnEvent) {
        self.listener.event(WorkEvent::Own(event));
    }

    /// Waits where more was used than is allowed.
    fn pause(&mut self, seconds: f64, bytes: u64) {
        let Some(allowed) = &mut self.allowed else { return };
        let why = match (seconds >= allowed.seconds, bytes >= allowed.bytes) {
            (true, _) if allowed.seconds < allowed.most.0 => "time",
            (_, true) if allowed.bytes < allowed.most.1 => "memory",
            _ => return,
        };
        self.listener.event(WorkEvent::Own(OwnEvent::Paused { seconds, bytes, why }));
        let began = self.clock.clock.now();
        let more = self.listener.more();
        let waited = self.clock.clock.now().saturating_sub(began);
        let waited = u64::try_from(waited.as_nanos()).unwrap_or(u64::MAX);
        self.clock.paused.fetch_add(waited, Ordering::Relaxed);
        match more {
            None => {
                self.cancel.cancel();
            }
            Some(more) => {
                // What is allowed grows from what is used, or else it would pause at once again.
                let grown = allowed.seconds.max(seconds) + more.seconds.max(0.1);
                allowed.seconds = grown.min(allowed.most.0);
                let grown = allowed.bytes.max(bytes).saturating_add(more.bytes);
                allowed.bytes = grown.min(allowed.most.1);
                self.listener.event(WorkEvent::Own(OwnEvent::Resumed));
            }
        }
    }
}

impl Observer for Hearing<'_> {
    fn event(&mut self, event: &Event) {
        self.listener.event(WorkEvent::Told(event.clone()));
        if self.deadline.is_some_and(|end| self.clock.now() > end) {
            self.cancel.cancel();
        }
        match event {
            Event::Progress(progress) => self.pause(progress.seconds, progress.bytes),
            Event::Working { seconds, .. } => self.pause(*seconds, 0),
            _ => {}
        }
    }

    fn every(&self) -> Option<Duration> {
        Some(PACE)
    }
}
