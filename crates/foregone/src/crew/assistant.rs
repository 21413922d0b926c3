//! Who looks into leaves that somebody else handed out.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use foregone_games::erased::Erased;
use foregone_games::files::Files;
use foregone_games::registry::Opened;
use foregone_model::formula::Check;
use foregone_model::{Game, Guide, Notation, Outcome, Space, Typed};
use foregone_search::drive::jobs::{LeafJob, Order, wire};
use foregone_search::scheme::{Found, Pn};
use foregone_search::{DriverSpec, Guidance, Init, Leaves, SchemeSpec, StopReason};

use super::Setup;
use super::message::{self, Task, Terms};
use crate::engine::Engine;
use crate::error::Error;
use crate::formula::formula_of;
use crate::guidance::pick_for_crew;
use crate::job::{Job, Question};
use crate::observe::Clock;
use crate::specialised::{Serve, serve_erased};

/// After each of so many slices a job tells what it knows.
const SLICES: u64 = 8;
/// How often it is looked whether a job is to end.
const GLANCE: Duration = Duration::from_millis(20);
/// Tables of so many questions are kept at a time.
const TABLES: usize = 2;
/// A way from the root that is longer belongs to no search.
const LONGEST: usize = 100_000;

/// Looks into leaves for one solve. What it learns about a question stays in a table until the solve is
/// over, so that later leaves take less.
pub struct Assistant {
    game: Erased,
    job: Job,
    bytes: u64,
    /// One thread for each question, with its table, the latest last.
    desks: Vec<(Terms, Sender<Request>)>,
}

/// A task for the thread of a question.
struct Request {
    task: Task,
    signs: Arc<Signs>,
    replies: Sender<Reply>,
}

/// What passes between who waits for a search and the search.
#[derive(Default)]
struct Signs {
    stop: AtomicBool,
    /// Grows as long as the search moves.
    moved: AtomicU64,
}

enum Reply {
    Partial(Vec<u8>),
    Done(Result<Vec<u8>, String>),
}

impl Assistant {
    /// Begins to work for a solve, with tables of so many bytes together. Nothing is read but what the
    /// setup holds.
    pub fn new(setup: Setup, bytes: u64, clock: impl Clock + 'static) -> Result<Assistant, Error> {
        let Setup { job, files } = setup;
        if job.tables.is_some() {
            return Err(Error::input("a solve by workers does not ask tables"));
        }
        job.check()?;
        let engine = Engine::new(Files::from_memory(files), clock);
        match engine.open(&job.game)?.opened() {
            Opened::InTurn(game) if !game.has_chance() => {
                Ok(Assistant { game: game.clone(), job, bytes, desks: Vec::new() })
            }
            _ => Err(Error::input("workers are for games in turn without chance")),
        }
    }

    /// Works on a task. `told` is called now and then as long as the search moves: with what is known so
    /// far, or with nothing; it says whether to stop. Nothing comes of it if it is stopped, or if the task
    /// makes no sense; the error says which.
    pub fn work(
        &mut self,
        task: &[u8],
        told: &mut dyn FnMut(Option<Vec<u8>>) -> bool,
    ) -> Result<Vec<u8>, String> {
        let task: Task =
            serde_json::from_slice(task).map_err(|e| format!("a task that can't be read: {e}"))?;
        if task.path.len() > LONGEST {
            return Err("a task about a place that is too far away".to_owned());
        }
        let terms = task.terms.clone();
        let worked = self.work_at(&terms, task, told);
        if worked.is_none() {
            // Its thread has ended: the next task about this question gets another one.
            self.desks.retain(|(known, _)| *known != terms);
        }
        worked.unwrap_or_else(|| Err("the thread of this question has ended".to_owned()))
    }

    fn work_at(
        &mut self,
        terms: &Terms,
        task: Task,
        told: &mut dyn FnMut(Option<Vec<u8>>) -> bool,
    ) -> Option<Result<Vec<u8>, String>> {
        let (replies, inbox) = channel();
        let signs = Arc::new(Signs::default());
        let request = Request { signs: Arc::clone(&signs), replies, task };
        self.desk(terms).send(request).ok()?;
        let mut seen = 0;
        loop {
            let told = match inbox.recv_timeout(GLANCE) {
                Ok(Reply::Partial(bytes)) => told(Some(bytes)),
                Ok(Reply::Done(result)) => return Some(result),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {
                    // A search that does not move says nothing, so that others see that it hangs.
                    let moved = signs.moved.load(Ordering::Relaxed);
                    moved != std::mem::replace(&mut seen, moved) && told(None)
                }
            };
            if told {
                signs.stop.store(true, Ordering::Relaxed);
            }
        }
    }

    /// The thread of a question.
    fn desk(&mut self, terms: &Terms) -> Sender<Request> {
        if let Some(at) = self.desks.iter().position(|(known, _)| known == terms) {
            let desk = self.desks.remove(at);
            self.desks.push(desk);
        } else {
            if self.desks.len() >= TABLES {
                self.desks.remove(0);
            }
            let (sender, inbox) = channel();
            let (game, job, terms_) = (self.game.clone(), self.job.clone(), terms.clone());
            let bytes = self.bytes / TABLES as u64;
            std::thread::spawn(move || {
                let desk = Desk { job, terms: terms_, bytes, inbox };
                match desk.job.question.clone() {
                    // Searches of formulas are compiled for any game together.
                    Question::Formula(text) => desk.answer(|| desk.serve_formula(&game, &text)),
                    _ => serve_erased(&game, &desk),
                }
            });
            self.desks.push((terms.clone(), sender));
        }
        self.desks[self.desks.len() - 1].1.clone()
    }
}

/// What the thread of a question does.
struct Desk {
    job: Job,
    terms: Terms,
    bytes: u64,
    inbox: Receiver<Request>,
}

impl Serve for &Desk {
    fn serve<G: Guide + Notation + Send + 'static>(self, game: &G) {
        self.answer(|| self.serve_game(game));
    }
}

impl Desk {
    /// Works, or says of each task why it can't.
    fn answer(&self, work: impl FnOnce() -> Result<(), String>) {
        if let Err(problem) = work() {
            for request in &self.inbox {
                let _ = request.replies.send(Reply::Done(Err(problem.clone())));
            }
        }
    }

    fn serve_game<G: Guide + Notation>(&self, game: &G) -> Result<(), String> {
        let guidance = pick_for_crew(game, &self.job).map_err(|e| e.to_string())?;
        let start = self.terms.start.as_deref().ok_or("a task without a position")?;
        let root = game.read_position(start).map_err(|e| e.message)?;
        let goal = self.terms.goal(game, root).ok_or("a task that asks nothing of this game")?;
        self.look_into(&goal, guidance);
        Ok(())
    }

    fn serve_formula<G: Guide + Notation>(&self, game: &G, text: &str) -> Result<(), String> {
        let job = &self.job;
        let start = game.read_position_or_moves(&job.position).map_err(|e| e.message)?;
        let player = job.player.as_deref();
        let formula = formula_of(game, &start, text, &job.definitions, player);
        let check = Check::new(game, formula.map_err(|e| e.to_string())?);
        let root = check.ask(start);
        let goal = self.terms.goal(&check, root).ok_or("a task that asks nothing of this game")?;
        self.look_into(&goal, of_formulas());
        Ok(())
    }

    /// Works on leaves as they come.
    fn look_into<Sp: Space>(&self, space: &Sp, guidance: Guidance) {
        let seed = self.job.seed;
        let leaves = &mut Leaves::new(guidance.leaves().unwrap_or(Init::One), seed);
        let mut inside = guidance.inside(space, leaves, seed, self.bytes);
        for request in &self.inbox {
            let Request { task, signs, replies } = request;
            let mut result = || {
                let (state, side) =
                    wire::follow(space, &task.path).ok_or("a task about no place of this game")?;
                if Outcome(task.question) >= space.best() {
                    return Err("a task about no outcome of this game");
                }
                let question = task.question;
                let path = Vec::new();
                let job = LeafJob { leaf: 0, path, state: state.clone(), side, question };
                let ended = || {
                    signs.moved.fetch_add(1, Ordering::Relaxed);
                    signs.stop.load(Ordering::Relaxed).then_some(StopReason::Interrupted)
                };
                let order = Order {
                    nodes: task.nodes.max(1),
                    slices: SLICES,
                    parts: true,
                    partial: &mut |found: &[Found]| {
                        let _ = replies.send(Reply::Partial(message::write_partial(found)));
                    },
                    stop: &ended,
                };
                let looked = inside.look(&job, order).ok_or("stopped")?;
                message::write(space, (&state, side), &looked).ok_or("a proof that is none")
            };
            let _ = replies.send(Reply::Done(result().map_err(str::to_owned)));
        }
    }
}

/// What guides searches of formulas by a crew: depth first proof number search.
pub(crate) fn of_formulas() -> Guidance {
    let pn = Some(SchemeSpec::new(Pn));
    Guidance::new(DriverSpec::Df, pn, None).unwrap_or_else(|e| panic!("{e}"))
}
