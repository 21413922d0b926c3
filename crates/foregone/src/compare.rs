//! Searches beside one another: games or positions x schemes x drivers x seeds, each search a job,
//! and whether their answers agree.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use foregone_games::registry::Opened;
use foregone_model::{Agent, Game};
use foregone_search::{DriverSpec, SchemeSpec, joint::Driver};
use serde::{Deserialize, Serialize};

use crate::answer::{Answer, Finished, Status, UNDETERMINED};
use crate::engine::Engine;
use crate::error::{Error, ErrorKind};
use crate::expected::ExpectedSolver;
use crate::game::AnyGame;
use crate::guidance::pick;
use crate::job::{Job, Question};
use crate::joint::JointSolver;
use crate::observe::{Cancel, Event, Observer, Stop, Work};
use crate::scale::{Ranking, agent_called};
use crate::solver::Solver;

/// What is to be compared: everything with everything. Schemes and drivers are named by their
/// texts; where none is named, each game gets its usual one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cross {
    /// Games, each with a position.
    pub subjects: Vec<(String, String)>,
    /// Schemes of games in turn, and solvers of joint moves.
    pub schemes: Vec<String>,
    /// Drivers.
    pub drivers: Vec<String>,
    /// Seeds of everything random.
    pub seeds: Vec<u64>,
    /// How often each search is made: times differ, counts do not.
    pub repeat: u32,
    /// What all searches have in common: the question, the budget of each, and so on.
    pub job: Job,
}

impl Default for Cross {
    /// Nothing, with one seed, once.
    fn default() -> Cross {
        Cross {
            subjects: Vec::new(),
            schemes: Vec::new(),
            drivers: Vec::new(),
            seeds: vec![0],
            repeat: 1,
            job: Job::default(),
        }
    }
}

/// A search that was not made, as its parts do not go together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Misfit {
    /// The search: `mcts + df`.
    pub search: String,
    /// Why.
    pub why: String,
}

/// One search, and what it took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The game, in full.
    pub game: String,
    /// The position, in full.
    pub position: String,
    /// The question.
    pub question: String,
    /// The scheme or the solver, with its options, where the driver takes one.
    pub scheme: Option<String>,
    /// The driver, with its options.
    pub driver: String,
    /// The seed of everything random.
    pub seed: u64,
    /// The number of the repetition, from 1 on.
    pub repetition: u32,
    /// Whether the question is answered.
    pub status: Status,
    /// Why the search stopped.
    pub stop: Stop,
    /// The value, if it is known.
    pub value: Option<String>,
    /// The outcomes between which the value lies, both included.
    pub bounds: [String; 2],
    /// States whose successors were looked at.
    pub expansions: u64,
    /// States that were created.
    pub nodes: u64,
    /// Random plays.
    pub playouts: u64,
    /// How long it took, without the replay of proofs.
    pub seconds: f64,
    /// The most bytes that the search held at a time.
    pub peak_bytes: u64,
}

/// The middle of what several runs took. A run that was stopped would have taken more.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Median {
    /// The number in the middle.
    pub value: f64,
    /// Whether the true one is larger, as the run in the middle was stopped.
    pub at_least: bool,
}

/// All runs of one search about one position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The game, in full.
    pub game: String,
    /// The position, in full.
    pub position: String,
    /// The scheme or the solver, with its options, where the driver takes one.
    pub scheme: Option<String>,
    /// The driver, with its options.
    pub driver: String,
    /// How many runs there were.
    pub runs: u32,
    /// How many of them have the answer.
    pub solved: u32,
    /// Why the first of the others stopped.
    pub stop: Option<Stop>,
    /// The value, if a run found it.
    pub value: Option<String>,
    /// The narrowest bounds of a run.
    pub bounds: [String; 2],
    /// States whose successors were looked at.
    pub expansions: Median,
    /// States that were created.
    pub nodes: Median,
    /// Random plays.
    pub playouts: Median,
    /// How long it took, without the replay of proofs.
    pub seconds: Median,
    /// The most bytes that the search held at a time.
    pub peak_bytes: Median,
}

impl Row {
    /// The search: `pn + dag`.
    pub fn search(&self) -> String {
        search_name(self.scheme.as_deref(), Some(&self.driver))
    }
}

/// What a comparison gave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// A line for each search about each position, in the order in which they were asked for.
    pub rows: Vec<Row>,
    /// Every run.
    pub runs: Vec<Run>,
    /// Searches that were not made, each once.
    pub misfits: Vec<Misfit>,
    /// Answers that cannot both be true, or whose proof was refused: a defect, told in a sentence
    /// each. There should never be one.
    pub contradictions: Vec<String>,
    /// Whether it was cancelled before all searches were made.
    pub interrupted: bool,
}

/// A scheme and a driver in one text.
fn search_name(scheme: Option<&str>, driver: Option<&str>) -> String {
    [scheme, driver].into_iter().flatten().collect::<Vec<_>>().join(" + ")
}

impl Cross {
    /// The jobs, one run each, and what does not go together.
    pub fn jobs(&self, engine: &Engine) -> Result<(Vec<Job>, Vec<Misfit>), Error> {
        let (mut jobs, mut misfits) = (Vec::new(), Vec::new());
        for (game, position) in &self.subjects {
            let opened = engine.open(game)?;
            // A position that cannot be read should fail before the hours, not behind them.
            opened.show(position)?;
            let common = Job { game: game.clone(), position: position.clone(), ..self.job.clone() };
            for job in self.searches(&opened, &common, &mut misfits)? {
                for &seed in &self.seeds {
                    jobs.extend((0..self.repeat.max(1)).map(|_| Job { seed, ..job.clone() }));
                }
            }
        }
        misfits.sort();
        misfits.dedup();
        Ok((jobs, misfits))
    }

    /// The searches of a position, each once.
    fn searches(
        &self,
        game: &AnyGame,
        common: &Job,
        misfits: &mut Vec<Misfit>,
    ) -> Result<Vec<Job>, Error> {
        let mut searches: Vec<Job> = Vec::new();
        for scheme in choices(&self.schemes) {
            for driver in choices(&self.drivers) {
                match job_of(game, common, scheme, driver)? {
                    Ok(job) if searches.contains(&job) => {}
                    Ok(job) => searches.push(job),
                    Err(why) => misfits.push(Misfit { search: search_name(scheme, driver), why }),
                }
            }
        }
        Ok(searches)
    }
}

/// What was named, or one choice that is left open.
fn choices(named: &[String]) -> Vec<Option<&str>> {
    match named {
        [] => vec![None],
        named => named.iter().map(|name| Some(name.as_str())).collect(),
    }
}

/// The job of a search, or why its parts do not go together. An error is a word that means nothing.
fn job_of(
    game: &AnyGame,
    common: &Job,
    scheme: Option<&str>,
    driver: Option<&str>,
) -> Result<Result<Job, String>, Error> {
    let turn: Option<Result<SchemeSpec, _>> = scheme.map(str::parse);
    let solver: Option<Result<Solver, _>> = scheme.map(str::parse);
    if let (Some(text), Some(Err(e)), Some(Err(_))) = (scheme, &turn, &solver) {
        return Err(Error::text("scheme", text, e.clone()));
    }
    let driver: Option<DriverSpec> = match driver {
        Some(text) => Some(text.parse().map_err(|e| Error::text("driver", text, e))?),
        None => None,
    };
    Ok(match game.opened() {
        Opened::InTurn(erased) if erased.has_chance() => {
            let solver = match solver.transpose() {
                Ok(None) => Some(ExpectedSolver::Iterate),
                Ok(Some(Solver::Expected(solver))) => Some(solver),
                Ok(Some(_)) | Err(_) => None,
            };
            let none = || "it is not for games with chance".to_owned();
            let walked = solver.ok_or_else(none).and_then(|solver| {
                let table = match driver {
                    None => return Ok(solver),
                    Some(DriverSpec::Tree) => Some(false),
                    Some(DriverSpec::Dag) => Some(true),
                    Some(_) => None,
                };
                let none = || format!("`{}` of chance has no such driver", solver.word());
                table.and_then(|table| solver.with_table(table)).ok_or_else(none)
            });
            walked.map(|s| Job { solver: Some(Solver::Expected(s)), ..common.clone() })
        }
        Opened::InTurn(erased) => match turn.transpose() {
            // Drivers without a scheme are compared once, whatever schemes are named.
            _ if driver.is_some_and(|driver| !driver.takes_scheme()) => {
                Ok(Job { driver, ..common.clone() })
            }
            Err(_) if matches!(solver, Some(Ok(Solver::Many(_)))) => {
                Err("it answers another question".to_owned())
            }
            Err(_) => Err("it is not for players who choose in turn".to_owned()),
            Ok(scheme) => {
                let job = Job { scheme, driver, ..common.clone() };
                pick(erased, &job).map(|_| job).map_err(|error| error.message)
            }
        },
        Opened::Joint(_) => match solver.transpose() {
            Err(_) | Ok(Some(Solver::Expected(_) | Solver::Many(_))) => {
                Err("it is for players who move in turn".to_owned())
            }
            Ok(solver) => {
                let solver = match solver {
                    Some(Solver::Joint(solver)) => solver,
                    Some(_) | None => JointSolver::default(),
                };
                let walked = match driver {
                    None => Some(solver),
                    Some(DriverSpec::Tree) => solver.by(Driver::Tree),
                    Some(DriverSpec::Dag) => solver.by(Driver::Dag),
                    Some(_) => None,
                };
                let none = || format!("`{}` of joint moves has no such driver", solver.word());
                walked
                    .map(|s| Job { solver: Some(Solver::Joint(s)), ..common.clone() })
                    .ok_or_else(none)
            }
        },
    })
}

/// Makes all searches, so many side by side, and compares what they found. The observer hears of
/// each search that is done; of the one that runs only if there is one at a time.
pub fn compare(
    engine: &Engine,
    cross: &Cross,
    threads: usize,
    observer: &mut dyn Observer,
    cancel: &Cancel,
) -> Result<Comparison, Error> {
    let (jobs, misfits) = cross.jobs(engine)?;
    let mut told = Told { began: engine.clock().now(), done: 0, of: jobs.len() };
    let mut finished: Vec<Option<Result<Finished, Error>>> = jobs.iter().map(|_| None).collect();
    if threads <= 1 || cfg!(target_family = "wasm") {
        let mut games = Games::default();
        for (job, place) in jobs.iter().zip(&mut finished) {
            told.tell(engine, observer);
            *place = games.run(engine, job, observer, cancel);
            told.done += 1;
        }
    } else {
        run_side_by_side(engine, &jobs, threads, cancel, |at, one| {
            finished[at] = one;
            told.done += 1;
            told.tell(engine, observer);
        });
    }
    let mut comparison = Comparison { misfits, ..Comparison::default() };
    let repeat = cross.repeat.max(1) as usize;
    comparison.collect(engine, &jobs, (cross.seeds.len().max(1), repeat), finished)?;
    comparison.interrupted |= cancel.is_cancelled();
    observer.event(&Event::Done {
        stop: if comparison.interrupted { Stop::Interrupted } else { Stop::Solved },
    });
    Ok(comparison)
}

/// How many searches are done.
struct Told {
    began: std::time::Duration,
    done: usize,
    of: usize,
}

impl Told {
    fn tell(&self, engine: &Engine, observer: &mut dyn Observer) {
        observer.event(&Event::Working {
            work: Work::Comparing,
            seconds: engine.clock().now().saturating_sub(self.began).as_secs_f64(),
            done: self.done as u64,
            share: self.done as f64 / self.of.max(1) as f64,
        });
    }
}

/// The games that one thread has open. Each thread opens its own, so that none waits for another.
#[derive(Default)]
struct Games(BTreeMap<String, AnyGame>);

impl Games {
    /// A game, opened once.
    fn open(&mut self, engine: &Engine, game: &str) -> Result<&AnyGame, Error> {
        use std::collections::btree_map::Entry;
        Ok(match self.0.entry(game.to_owned()) {
            Entry::Occupied(open) => open.into_mut(),
            Entry::Vacant(place) => place.insert(engine.open(game)?),
        })
    }

    /// Runs a job; nothing if it was cancelled.
    fn run(
        &mut self,
        engine: &Engine,
        job: &Job,
        observer: &mut dyn Observer,
        cancel: &Cancel,
    ) -> Option<Result<Finished, Error>> {
        if cancel.is_cancelled() {
            return None;
        }
        let game = match self.open(engine, &job.game) {
            Ok(game) => game,
            Err(error) => return Some(Err(error)),
        };
        let finished = engine.run_on(game, job, observer, cancel);
        let stopped = |f: &Finished| f.answer.stop() == Stop::Interrupted;
        if finished.as_ref().is_ok_and(stopped) { None } else { Some(finished) }
    }
}

/// Runs jobs in threads of their own; `done` hears of each in the order in which they end.
fn run_side_by_side(
    engine: &Engine,
    jobs: &[Job],
    threads: usize,
    cancel: &Cancel,
    mut done: impl FnMut(usize, Option<Result<Finished, Error>>),
) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads.min(jobs.len()) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let mut games = Games::default();
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(at) else { break };
                    let one = games.run(engine, job, &mut (), cancel);
                    if sender.send((at, one)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (at, one) in receiver {
            done(at, one);
        }
    });
}

impl Comparison {
    /// Takes in what the jobs gave: for each search one for each seed and repetition.
    fn collect(
        &mut self,
        engine: &Engine,
        jobs: &[Job],
        (seeds, repeat): (usize, usize),
        finished: Vec<Option<Result<Finished, Error>>>,
    ) -> Result<(), Error> {
        let mut games = Games::default();
        let mut finished = finished.into_iter();
        // Of each position, all runs: whatever the search, they must agree.
        let mut subjects: Vec<(Scaled, Vec<usize>)> = Vec::new();
        for of_search in jobs.chunks(seeds * repeat) {
            let first = self.runs.len();
            for (at, (job, one)) in of_search.iter().zip(&mut finished).enumerate() {
                match one {
                    None => self.interrupted = true,
                    Some(Ok(finished)) => {
                        self.runs.push(run_of(job, &finished, (at % repeat) as u32 + 1));
                    }
                    Some(Err(error)) => self.failed(job, &error),
                }
            }
            if self.runs.len() == first {
                continue;
            }
            let scaled = Scaled::of(games.open(engine, &of_search[0].game)?, &of_search[0])?;
            self.rows.push(row_of(&self.runs[first..], &scaled));
            let new = &self.runs[first];
            let same = |(_, members): &&mut (Scaled, Vec<usize>)| {
                let one = &self.runs[members[0]];
                (&one.game, &one.position) == (&new.game, &new.position)
            };
            match subjects.iter_mut().find(same) {
                Some((_, members)) => members.extend(first..self.runs.len()),
                None => subjects.push((scaled, (first..self.runs.len()).collect())),
            }
        }
        self.misfits.sort();
        self.misfits.dedup();
        for (scaled, members) in subjects {
            let runs: Vec<&Run> = members.iter().map(|&at| &self.runs[at]).collect();
            self.contradictions.extend(contradiction(&runs, &scaled));
        }
        Ok(())
    }

    /// Takes in a job that has no answer.
    fn failed(&mut self, job: &Job, error: &Error) {
        let [scheme, driver] =
            [job.scheme.map(|s| s.to_string()), job.driver.map(|d| d.to_string())];
        let search = search_name(scheme.as_deref(), driver.as_deref());
        match error.kind {
            ErrorKind::Proof => {
                self.contradictions.push(format!("{} by {search}: {error}", job.game))
            }
            ErrorKind::Stopped => self.interrupted = true,
            // Rules that a driver does not take, such as those with chance.
            ErrorKind::Input => self.misfits.push(Misfit { search, why: error.to_string() }),
        }
    }
}

/// The outcomes of a game as numbers that can be compared.
enum Scaled {
    Outcomes(Box<Ranking>),
    Points,
}

impl Scaled {
    fn of(game: &AnyGame, job: &Job) -> Result<Scaled, Error> {
        Ok(match game.opened() {
            Opened::InTurn(game) if job.question != Question::Nash => {
                let max = match &job.player {
                    Some(name) => agent_called(game, name, "player")?,
                    None => Agent::FIRST,
                };
                Scaled::Outcomes(Box::new(Ranking::new(game, max)))
            }
            _ => Scaled::Points,
        })
    }

    /// What a run says of the value: at least and at most.
    fn bounds(&self, run: &Run) -> [f64; 2] {
        let number = |text: &String, unknown: f64| match self {
            Scaled::Outcomes(ranking) => {
                ranking.find(text).map_or(unknown, |rank| f64::from(rank.0))
            }
            Scaled::Points => text.parse().unwrap_or(unknown),
        };
        let [low, high] = &run.bounds;
        [number(low, f64::NEG_INFINITY), number(high, f64::INFINITY)]
    }

    /// By how much two values may differ and be the same: points are rounded, outcomes are not.
    fn tolerance(&self) -> f64 {
        match self {
            Scaled::Outcomes(_) => 0.0,
            Scaled::Points => 1e-6,
        }
    }
}

/// Two runs that cannot both be right, if there are.
fn contradiction(runs: &[&Run], scaled: &Scaled) -> Option<String> {
    let says = |run: &Run| {
        let search = search_name(run.scheme.as_deref(), Some(&run.driver));
        let said = match &run.value {
            Some(value) => value.clone(),
            None => format!("between {} and {}", run.bounds[0], run.bounds[1]),
        };
        format!("{search} (seed {}) says {said}", run.seed)
    };
    let against = |a: &Run, b: &Run| {
        format!("{}, position {}: {}, but {}", a.game, a.position, says(a), says(b))
    };
    let open = |run: &&&Run| run.value.as_deref() == Some(UNDETERMINED);
    let closed = |run: &&&Run| run.value.is_some() && !open(run);
    if let (Some(a), Some(b)) = (runs.iter().find(open), runs.iter().find(closed)) {
        return Some(against(a, b));
    }
    let bounded: Vec<&&Run> = runs.iter().filter(|run| !open(run)).collect();
    let by = |at: usize| {
        move |a: &&&&Run, b: &&&&Run| scaled.bounds(a)[at].total_cmp(&scaled.bounds(b)[at])
    };
    let (highest, lowest) = (bounded.iter().max_by(by(0))?, bounded.iter().min_by(by(1))?);
    let apart = scaled.bounds(highest)[0] > scaled.bounds(lowest)[1] + scaled.tolerance();
    apart.then(|| against(highest, lowest))
}

/// What a job took.
fn run_of(job: &Job, finished: &Finished, repetition: u32) -> Run {
    let answer = &finished.answer;
    let mut run = Run {
        game: String::new(),
        position: String::new(),
        question: String::new(),
        scheme: job.scheme.map(|scheme| scheme.to_string()),
        driver: job.driver.map(|driver| driver.to_string()).unwrap_or_default(),
        seed: job.seed,
        repetition,
        status: Status::of(answer.solved()),
        stop: answer.stop(),
        value: answer.value().map(str::to_owned),
        bounds: [String::new(), String::new()],
        expansions: 0,
        nodes: answer.nodes(),
        playouts: 0,
        seconds: finished.search_time().as_secs_f64(),
        peak_bytes: 0,
    };
    match answer {
        Answer::Turn(a) => {
            (run.game, run.position) = (a.game.clone(), a.position.clone());
            (run.question, run.bounds) = (a.question.clone(), a.bounds.clone());
            (run.expansions, run.playouts, run.peak_bytes) =
                (a.expansions, a.playouts, a.peak_bytes);
            run.scheme = run.scheme.or_else(|| a.scheme.clone());
            run.driver = job.driver.map_or_else(|| a.driver.clone(), |driver| driver.to_string());
        }
        Answer::Joint(a) => {
            (run.game, run.position) = (a.game.clone(), a.position.clone());
            (run.question, run.bounds) = (a.question.clone(), a.bounds.clone());
            (run.expansions, run.peak_bytes) = (a.expansions, a.peak_bytes);
            (run.scheme, run.driver) = (Some(a.scheme.clone()), a.driver.clone());
        }
        Answer::Expected(a) => {
            (run.game, run.position) = (a.game.clone(), a.position.clone());
            (run.question, run.bounds) = (a.question.clone(), a.bounds.clone());
            (run.expansions, run.playouts, run.peak_bytes) =
                (a.expansions, a.playouts, a.peak_bytes);
            (run.scheme, run.driver) = (Some(a.scheme.clone()), a.driver.clone());
        }
        Answer::Many(a) => {
            (run.game, run.position) = (a.game.clone(), a.position.clone());
            (run.question, run.expansions) = (a.question.clone(), a.expansions);
            run.peak_bytes = a.peak_bytes;
            (run.scheme, run.driver) = (Some(a.scheme.clone()), a.driver.clone());
        }
        Answer::Formula(a) => {
            (run.game, run.position) = (a.game.clone(), a.position.clone());
            (run.question, run.peak_bytes) = (a.formula.clone(), a.peak_bytes);
            run.driver = a.algorithm.clone();
        }
    }
    run
}

/// The runs of one search, summed up.
fn row_of(runs: &[Run], scaled: &Scaled) -> Row {
    let first = &runs[0];
    let solved = |run: &&Run| run.status == Status::Solved;
    let tightest = |at: usize| {
        let by = |a: &&Run, b: &&Run| scaled.bounds(a)[at].total_cmp(&scaled.bounds(b)[at]);
        let best = if at == 0 { runs.iter().max_by(by) } else { runs.iter().min_by(by) };
        best.map_or_else(String::new, |run| run.bounds[at].clone())
    };
    let median = |of: &dyn Fn(&Run) -> f64| {
        median(runs.iter().map(|run| (run.status == Status::Solved, of(run))).collect())
    };
    Row {
        game: first.game.clone(),
        position: first.position.clone(),
        scheme: first.scheme.clone(),
        driver: first.driver.clone(),
        runs: runs.len() as u32,
        solved: runs.iter().filter(solved).count() as u32,
        stop: runs.iter().find(|run| !solved(run)).map(|run| run.stop),
        value: runs.iter().find_map(|run| run.value.clone()),
        bounds: [tightest(0), tightest(1)],
        expansions: median(&|run| run.expansions as f64),
        nodes: median(&|run| run.nodes as f64),
        playouts: median(&|run| run.playouts as f64),
        seconds: median(&|run| run.seconds),
        peak_bytes: median(&|run| run.peak_bytes as f64),
    }
}

/// The middle of numbers, each with whether it is all there was to count. What was cut short is
/// larger than everything that was not.
fn median(mut numbers: Vec<(bool, f64)>) -> Median {
    numbers.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.total_cmp(&b.1)));
    let at = |i: usize| numbers.get(i).copied().unwrap_or((true, 0.0));
    let (low, high) = (at(numbers.len().saturating_sub(1) / 2), at(numbers.len() / 2));
    match (low.0, high.0) {
        (true, true) => Median { value: (low.1 + high.1) / 2.0, at_least: false },
        // Half of the runs ended: the middle lies behind the last of them.
        (true, false) => Median { value: low.1, at_least: true },
        _ => Median { value: low.1, at_least: true },
    }
}
