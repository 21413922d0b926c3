//! The player: it answers the messages of the GGP protocol, one match at a time, as the players of
//! ggp-base do: what is not for the match that runs is answered `busy`.
//!
//! Ours: a START with the name of the match that runs starts it again, because a manager that sends
//! it has forgotten the old one; and a match without messages is given up after ten clocks.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use foregone_gdl::Program;

use crate::event::Event;
use crate::message::{BadMessage, Message};
use crate::settings::Settings;
use crate::worker::{Job, ReplySlot, Shared, Suggestion, Worker, WorkerPermit, lock};

/// A player of games.
pub struct Player {
    settings: Settings,
    slot: Mutex<Option<Match>>,
    workers: Arc<AtomicUsize>,
    log: Arc<dyn Fn(&Event) + Send + Sync>,
}

/// The match that runs.
struct Match {
    id: String,
    play: Duration,
    jobs: Sender<Job>,
    shared: Arc<Shared>,
    /// When the last message arrived, and how long to wait for the next one.
    last_heard: Instant,
    patience: Duration,
}

impl Drop for Match {
    fn drop(&mut self) {
        // Whatever the worker thinks about is of no use now; then it finds that nobody asks.
        self.shared.newest.fetch_add(1, Ordering::SeqCst);
    }
}

impl Match {
    fn is(&self, id: &str) -> bool {
        self.id.eq_ignore_ascii_case(id)
    }
}

/// A worker ends when its machine gives it time to. More of them than this are not started: a
/// manager that starts and aborts slow games would fill the memory.
const WORKERS: usize = 4;
/// A match is given up after this many of its longer clock, and some seconds, without a message. A
/// manager that lives sends one each play clock; and a manager that died must not block the player.
const PATIENCE: u32 = 10;
const SOME_SECONDS: Duration = Duration::from_secs(10);

const BUSY: &str = "busy";

impl Player {
    /// A player that waits for messages.
    pub fn new(settings: Settings) -> Player {
        let (slot, workers) = (Mutex::new(None), Arc::default());
        Player { settings, slot, workers, log: Arc::new(|_| {}) }
    }

    /// The same player, which tells this function of everything that happens. It may be called by
    /// several threads at once.
    pub fn with_log(mut self, log: impl Fn(&Event) + Send + Sync + 'static) -> Player {
        self.log = Arc::new(log);
        self
    }

    /// The answer to a message that has just arrived. It takes as long as the message's clock
    /// allows.
    pub fn answer(&self, message: &str) -> Result<String, BadMessage> {
        self.answer_since(message, Instant::now())
    }

    /// The answer to a message that arrived at this time.
    pub fn answer_since(&self, message: &str, received: Instant) -> Result<String, BadMessage> {
        let answer = Message::read(message).and_then(|message| self.handle(message, received));
        match &answer {
            Ok(answer) if answer == BUSY => (self.log)(&Event::Busy),
            Ok(_) => {}
            Err(bad) => (self.log)(&Event::Bad { reason: bad.reason.clone() }),
        }
        answer
    }

    fn handle(&self, message: Message, received: Instant) -> Result<String, BadMessage> {
        match message {
            Message::Info => Ok(self.info()),
            Message::Preview { rules, .. } => self.preview(&rules),
            Message::Start { id, role, rules, start, play } => {
                self.start(id, &role, &rules, (start, play), received)
            }
            Message::Play { id, moves } => self.play(&id, moves, received),
            Message::Stop { id, moves } => {
                let Some(ended) = self.take(&id) else { return Ok(BUSY.to_owned()) };
                // The worker makes the last moves and says how the match ended.
                ended.shared.newest.fetch_add(1, Ordering::SeqCst);
                if ended.jobs.send(Job::Stop { moves }).is_err() {
                    (self.log)(&Event::Stop { id, goal: None });
                }
                Ok("done".to_owned())
            }
            Message::Abort { id } => {
                let Some(_aborted) = self.take(&id) else { return Ok(BUSY.to_owned()) };
                (self.log)(&Event::Abort { id });
                Ok("aborted".to_owned())
            }
        }
    }

    fn info(&self) -> String {
        let busy = self.with_match(|slot| slot.is_some());
        (self.log)(&Event::Info { busy });
        let status = if busy { "busy" } else { "available" };
        format!("((name {}) (status {status}))", self.settings.name)
    }

    fn preview(&self, rules: &str) -> Result<String, BadMessage> {
        if self.with_match(|slot| slot.is_some()) {
            return Ok(BUSY.to_owned());
        }
        read_rules(rules)?;
        (self.log)(&Event::Preview);
        Ok("ready".to_owned())
    }

    fn start(
        &self,
        id: String,
        role: &str,
        rules: &str,
        (start, play): (Duration, Duration),
        received: Instant,
    ) -> Result<String, BadMessage> {
        if self.with_match(|slot| slot.as_ref().is_some_and(|m| !m.is(&id))) {
            return Ok(BUSY.to_owned());
        }
        let program = read_rules(rules)?;
        let roles = program.roles();
        let number = roles.iter().position(|&r| program.symbols.name(r) == role);
        let number = number.ok_or_else(|| BadMessage::new(format!("there is no role `{role}`")))?;
        let (think, answer) = self.settings.clock.plan(start);
        let reply = Arc::<ReplySlot>::default();
        let shared = Arc::<Shared>::default();
        let begun = self.with_match(|slot| {
            // Another START may have come since.
            if slot.as_ref().is_some_and(|m| !m.is(&id)) {
                return false;
            }
            *slot = None;
            let Some(permit) = WorkerPermit::join(&self.workers, WORKERS) else { return false };
            let patience = start.max(play) * PATIENCE + SOME_SECONDS;
            let (jobs, receiver) = mpsc::channel();
            let worker = Worker {
                id: id.clone(),
                program,
                role: number,
                settings: self.settings.clone(),
                shared: Arc::clone(&shared),
                jobs: receiver,
                log: Arc::clone(&self.log),
                play,
                patience,
                _permit: permit,
            };
            let for_worker = Arc::clone(&reply);
            let thread = thread::Builder::new().name("worker".to_owned());
            if thread.spawn(move || worker.run(received + think, for_worker)).is_err() {
                return false;
            }
            let (id, shared) = (id.clone(), Arc::clone(&shared));
            *slot = Some(Match { id, play, jobs, shared, last_heard: received, patience });
            true
        });
        if !begun {
            return Ok(BUSY.to_owned());
        }
        (self.log)(&Event::Start { id, role: role.to_owned() });
        match reply.wait(received + answer).problem {
            None => Ok("ready".to_owned()),
            Some(problem) => {
                // No match after all, unless a newer one took the place.
                self.with_match(|slot| {
                    slot.take_if(|m| Arc::ptr_eq(&m.shared, &shared));
                });
                Err(BadMessage::new(problem))
            }
        }
    }

    fn play(
        &self,
        id: &str,
        moves: Option<Vec<String>>,
        received: Instant,
    ) -> Result<String, BadMessage> {
        let reply = Arc::<ReplySlot>::default();
        let asked = self.with_match(|slot| {
            let running = slot.as_mut().filter(|m| m.is(id))?;
            running.last_heard = received;
            let ticket = running.shared.newest.fetch_add(1, Ordering::SeqCst) + 1;
            let (think, answer) = self.settings.clock.plan(running.play);
            let job =
                Job::Play { moves, until: received + think, reply: Arc::clone(&reply), ticket };
            Some(running.jobs.send(job).map(|()| received + answer))
        });
        let until = match asked {
            None => return Ok(BUSY.to_owned()),
            // The worker is gone: it met a rule that it could not survive.
            Some(Err(_)) => return Err(BadMessage::new("the match cannot go on")),
            Some(Ok(until)) => until,
        };
        let found = reply.wait(until);
        if let Some(problem) = found.problem {
            return Err(BadMessage::new(problem));
        }
        let Some(Suggestion { action, low, high, plays, nodes }) = found.suggestion else {
            // Not even the legal moves are known in time. This is what ggp-base says then.
            return Ok("nil".to_owned());
        };
        (self.log)(&Event::Play { action: action.clone(), plays, nodes, low, high });
        Ok(action)
    }

    /// Ends the match of this name.
    fn take(&self, id: &str) -> Option<Match> {
        self.with_match(|slot| slot.take_if(|m| m.is(id)))
    }

    /// Looks at the match that runs, after giving up one that nobody plays any more.
    fn with_match<T>(&self, f: impl FnOnce(&mut Option<Match>) -> T) -> T {
        let mut slot = lock(&self.slot);
        let given_up = slot.take_if(|m| m.last_heard.elapsed() > m.patience);
        let result = f(&mut slot);
        drop(slot);
        if let Some(ended) = given_up {
            (self.log)(&Event::GivenUp { id: ended.id.clone() });
        }
        result
    }
}

fn read_rules(rules: &str) -> Result<Program, BadMessage> {
    let program = Program::read(rules).map_err(|e| {
        let (line, column) = foregone_gdl::line_and_column(rules, e.span.start);
        BadMessage::new(format!("line {line}, column {column} of the rules: {e}"))
    })?;
    if program.is_gdl2() {
        return Err(BadMessage::new(
            "games with hidden information or chance (GDL-II) are not supported",
        ));
    }
    Ok(program)
}

#[cfg(test)]
mod tests;
