//! The thread that thinks for a match. It owns the machine and the tree, and everything that may
//! take long is done there, reading the rules for the machine included: whoever answers the game
//! manager waits at a [`ReplySlot`] until the answer is there or the clock runs out, and then takes
//! what lies there.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use foregone_gdl::{Machine, MachineError, Program};
use foregone_model::Rng;

use crate::event::Event;
use crate::search::{Advice, MoveError, Tree};
use crate::settings::Settings;

/// A lock whose holder panicked is still a lock: what it holds is replaced as a whole.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A move as it is written, and what speaks for it.
#[derive(Clone, Debug)]
pub(crate) struct Suggestion {
    pub(crate) action: String,
    pub(crate) low: u8,
    pub(crate) high: u8,
    pub(crate) plays: u64,
    pub(crate) nodes: usize,
}

/// What was found so far for a message.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    pub(crate) suggestion: Option<Suggestion>,
    pub(crate) problem: Option<String>,
    is_done: bool,
}

/// Where the worker leaves what it finds for one message.
#[derive(Debug, Default)]
pub(crate) struct ReplySlot {
    found: Mutex<Found>,
    change: Condvar,
}

impl ReplySlot {
    fn suggest(&self, suggestion: Suggestion) {
        lock(&self.found).suggestion = Some(suggestion);
    }

    fn done(&self, problem: Option<String>) {
        let mut found = lock(&self.found);
        found.is_done = true;
        found.problem = problem.or(found.problem.take());
        self.change.notify_all();
    }

    /// Waits until the worker is done with the message, but not longer than this.
    pub(crate) fn wait(&self, until: Instant) -> Found {
        let mut found = lock(&self.found);
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if found.is_done || left.is_zero() {
                return found.clone();
            }
            let waited = self.change.wait_timeout(found, left);
            found = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// Finishes a reply when it is dropped, by a panic as well, so that nobody waits in vain.
struct FinishOnDrop(Arc<ReplySlot>);

impl Drop for FinishOnDrop {
    fn drop(&mut self) {
        self.0.done(None);
    }
}

/// What a worker is asked to do.
pub(crate) enum Job {
    /// Make moves, then think.
    Play { moves: Option<Vec<String>>, until: Instant, reply: Arc<ReplySlot>, ticket: u64 },
    /// Make the last moves, and say how the match ended.
    Stop { moves: Option<Vec<String>> },
}

/// What a worker and the player share.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    /// The number of the newest message. Thinking about an older one ends at once.
    pub(crate) newest: AtomicU64,
}

/// Counts the workers that are still there.
pub(crate) struct WorkerPermit(Arc<AtomicUsize>);

impl WorkerPermit {
    /// One more worker, if there are fewer than this many.
    pub(crate) fn join(count: &Arc<AtomicUsize>, most: usize) -> Option<WorkerPermit> {
        let join = |n| (n < most).then_some(n + 1);
        count.fetch_update(Ordering::SeqCst, Ordering::SeqCst, join).ok()?;
        Some(WorkerPermit(Arc::clone(count)))
    }
}

impl Drop for WorkerPermit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// All that a worker begins with.
pub(crate) struct Worker {
    pub(crate) id: String,
    pub(crate) program: Program,
    pub(crate) role: usize,
    pub(crate) settings: Settings,
    pub(crate) shared: Arc<Shared>,
    pub(crate) jobs: Receiver<Job>,
    pub(crate) log: Arc<dyn Fn(&Event) + Send + Sync>,
    /// The play clock.
    pub(crate) play: Duration,
    /// How long to think on without a message.
    pub(crate) patience: Duration,
    /// Held until the worker is gone: only then another may take its place.
    pub(crate) _permit: WorkerPermit,
}

/// A game that is being played.
struct Game {
    machine: Machine,
    tree: Tree,
    role: usize,
    rng: Rng,
    pace: Pace,
    /// Thinking met a fault of the rules: what is known is all there will be.
    is_faulty: bool,
}

/// How long random plays may be. A step of the search cannot be interrupted, so in a slow game they
/// have to be short. They begin short, and are twice as long after each quick step, so that no step
/// takes much longer than the one before.
struct Pace {
    /// A step should not take longer.
    most: Duration,
    longest: u32,
    last: Instant,
    /// Even the shortest plays take too long.
    is_slow: bool,
}

impl Pace {
    /// Takes the time of a step.
    fn keep(&mut self, tree: &mut Tree) {
        let now = Instant::now();
        let time = now - self.last;
        self.last = now;
        let longest = tree.longest();
        self.is_slow = time > self.most && longest <= SHORTEST;
        if time > self.most {
            tree.set_longest((longest / 2).max(SHORTEST));
        } else if time < self.most / 4 {
            tree.set_longest(longest.saturating_mul(2).min(self.longest));
        }
    }
}

/// Suggestions are renewed this often.
const RENEW: Duration = Duration::from_millis(20);
/// Random plays may always have this many moves.
const SHORTEST: u32 = 8;

impl Worker {
    /// Builds the machine, thinks until the start clock says stop, and then does as it is asked.
    pub(crate) fn run(self, until: Instant, reply: Arc<ReplySlot>) {
        let first = FinishOnDrop(reply);
        let mut game = match self.begin() {
            Ok(game) => game,
            Err(problem) => return first.0.done(Some(problem)),
        };
        self.ponder(&mut game, 0, until);
        drop(first);
        let mut ticket = 0;
        loop {
            // Not in a game so slow that the next message would have to wait.
            if self.settings.ponder && !game.pace.is_slow {
                self.ponder(&mut game, ticket, Instant::now() + self.patience);
            }
            // The player hangs up when the match is over.
            let Ok(job) = self.jobs.recv() else { break };
            match job {
                Job::Play { moves, until, reply, ticket: new } => {
                    ticket = new;
                    let reply = FinishOnDrop(reply);
                    match game.advance(moves.as_deref()) {
                        Ok(()) => self.answer(&mut game, ticket, until, &reply.0),
                        Err(problem) => reply.0.done(Some(problem)),
                    }
                }
                Job::Stop { moves } => {
                    let ended = game.advance(moves.as_deref()).is_ok();
                    let goal = game.tree.goals().get(self.role).copied().flatten();
                    let goal = if ended { goal } else { None };
                    (self.log)(&Event::Stop { id: self.id.clone(), goal });
                    break;
                }
            }
        }
    }

    fn begin(&self) -> Result<Game, String> {
        let failed = |error: MachineError| format!("the rules are not those of a game: {error}");
        let mut machine = Machine::new(&self.program, None).map_err(failed)?;
        let mut tree = Tree::new(&mut machine, self.settings.limits).map_err(failed)?;
        if tree.is_end() {
            return Err("the rules are not those of a game: it is over, or stuck, from the start"
                .to_owned());
        }
        let rng = Rng::new(self.settings.seed);
        let longest = self.settings.limits.longest;
        let most = self.settings.clock.plan(self.play).0 / 8;
        let pace = Pace { most, longest, last: Instant::now(), is_slow: false };
        tree.set_longest(SHORTEST.min(longest));
        Ok(Game { machine, tree, role: self.role, rng, pace, is_faulty: false })
    }

    fn answer(&self, game: &mut Game, ticket: u64, until: Instant, reply: &ReplySlot) {
        if game.tree.is_end() {
            return reply.done(Some("the game is over".to_owned()));
        }
        // A legal move first: whatever happens now, there is an answer.
        game.suggest(reply);
        self.think(game, ticket, until, reply);
        if let Some(advice) = game.tree.choose(game.role, &mut game.rng) {
            reply.suggest(game.written(advice));
        }
    }

    /// Thinks about the move that is asked for, until it is settled or time is up.
    fn think(&self, game: &mut Game, ticket: u64, until: Instant, reply: &ReplySlot) {
        let role = game.role;
        let mut renewed = Instant::now();
        game.pace.last = renewed;
        while !game.tree.is_settled(role) && self.goes_on(game, ticket, until) {
            game.step();
            if game.pace.last - renewed > RENEW {
                renewed = game.pace.last;
                game.suggest(reply);
            }
        }
    }

    /// Thinks although no move is asked for: during the start clock, and between messages. A move
    /// that is settled does not end that, as later moves are chosen from the tree below.
    fn ponder(&self, game: &mut Game, ticket: u64, until: Instant) {
        game.pace.last = Instant::now();
        let is_won = |tree: &Tree| tree.bounds(self.role).low == 100;
        while !game.tree.is_complete() && !is_won(&game.tree) && self.goes_on(game, ticket, until) {
            game.step();
        }
    }

    fn goes_on(&self, game: &Game, ticket: u64, until: Instant) -> bool {
        !game.is_faulty
            && game.pace.last < until
            && self.shared.newest.load(Ordering::SeqCst) == ticket
    }
}

impl Game {
    fn advance(&mut self, moves: Option<&[String]>) -> Result<(), String> {
        let Some(texts) = moves else { return Ok(()) };
        let mut moves = Vec::new();
        for text in texts {
            let read = self.machine.read(text);
            moves.push(read.map_err(|e| format!("`{text}` is not a move: {e}"))?);
        }
        self.tree.advance(&mut self.machine, &moves).map_err(|problem| match problem {
            MoveError::Illegal { role } => {
                format!("`{}` is not legal for {}", texts[role], self.machine.roles()[role])
            }
            other => other.to_string(),
        })
    }

    fn step(&mut self) {
        self.is_faulty = self.tree.step(&mut self.machine, &mut self.rng).is_err();
        self.pace.keep(&mut self.tree);
    }

    /// Puts the best move so far into a reply.
    fn suggest(&self, reply: &ReplySlot) {
        if let Some(advice) = self.tree.best(self.role) {
            reply.suggest(self.written(advice));
        }
    }

    fn written(&self, advice: Advice) -> Suggestion {
        let Advice { action, low, high, .. } = advice;
        let (action, tree) = (self.machine.show(action), &self.tree);
        Suggestion { action, low, high, plays: tree.plays(), nodes: tree.nodes() }
    }
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_desk_is_not_waited_at_for_longer_than_the_clock_allows() {
        let reply = Arc::<ReplySlot>::default();
        let begin = Instant::now();
        let found = reply.wait(begin + Duration::from_millis(50));
        assert!(found.suggestion.is_none() && found.problem.is_none());
        assert!(begin.elapsed() >= Duration::from_millis(50));
        // A worker that panics finishes its reply.
        let leave = FinishOnDrop(Arc::clone(&reply));
        let panicked = std::thread::spawn(move || {
            let _leave = leave;
            panic!("on purpose");
        });
        reply.wait(begin + Duration::from_secs(60));
        assert!(panicked.join().is_err() && begin.elapsed() < Duration::from_secs(30));
    }
}
