//! Long work: so much at a time, the rest waits in a row. Each has a thread of its own.

use std::any::Any;
use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use foregone_desk::{
    Desk, Failure, FailureKind, Listener, More, OwnEvent, ProofHandle, Work, WorkEvent,
};

use crate::Patience;
use crate::mailbox::Mailbox;
use crate::proofs::Indexer;
use crate::refusal::{Refusal, broken};

/// Work that waits.
const MOST_WAITING: usize = 64;
/// Work that is paused. What is paused beyond that ends with what it has found.
const MOST_PAUSED: usize = 8;
/// Work that has ended and is kept for who comes back.
const MOST_ENDED: usize = 200;
/// The stack of a search: some walk as deep as a game is long. What is not used costs nothing.
const STACK: usize = 256 << 20;

/// All work.
pub(crate) struct Jobs {
    desk: Arc<Desk>,
    indexer: Arc<Indexer>,
    patience: Patience,
    /// What names of work begin with.
    run: String,
    table: Mutex<Table>,
}

#[derive(Default)]
struct Table {
    next: u64,
    running: usize,
    /// Work that waits to be told to go on. It holds memory, but no place.
    paused: usize,
    waiting: VecDeque<Arc<Mailbox>>,
    all: HashMap<String, Arc<Mailbox>>,
    closed: bool,
}

impl Table {
    /// Tells those who wait how much is before them.
    fn tell_waiting(&self) {
        for (before, mailbox) in self.waiting.iter().enumerate() {
            mailbox.tell(&WorkEvent::Own(OwnEvent::Queued { ahead: before + 1 }));
        }
    }
}

/// Passes events on to a mailbox.
struct Teller<'a> {
    jobs: &'a Arc<Jobs>,
    mailbox: &'a Mailbox,
}

impl Listener for Teller<'_> {
    fn event(&mut self, event: WorkEvent) {
        if let WorkEvent::Own(OwnEvent::Solved { proof: Some(ProofHandle { proof, .. }), .. }) =
            &event
        {
            self.jobs.indexer.index(proof.clone());
        }
        self.mailbox.tell(&event);
    }

    fn more(&mut self) -> Option<More> {
        if !self.jobs.rest() {
            return None;
        }
        let more = self.mailbox.wait_for_more(self.jobs.patience.paused);
        self.jobs.wake();
        more
    }
}

impl Jobs {
    pub(crate) fn new(
        desk: &Arc<Desk>,
        indexer: &Arc<Indexer>,
        patience: Patience,
        run: String,
    ) -> Jobs {
        Jobs {
            desk: Arc::clone(desk),
            indexer: Arc::clone(indexer),
            patience,
            run,
            table: Mutex::default(),
        }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins work, or lets it wait. Returns its name.
    pub(crate) fn begin(self: &Arc<Jobs>, work: Work) -> Result<String, Refusal> {
        let mut table = self.table();
        if table.closed {
            return Err(Refusal::busy("the server ends"));
        }
        let free = table.running < self.desk.limits().jobs.max(1);
        if !free && table.waiting.len() >= MOST_WAITING {
            return Err(Refusal::busy("too much work waits here"));
        }
        table.next += 1;
        let id = format!("{}-{}", self.run, table.next);
        let mailbox = Arc::new(Mailbox::new(id.clone(), work));
        if free {
            if !self.start(Arc::clone(&mailbox)) {
                return Err(Refusal::busy("there is no thread for this work"));
            }
            table.running += 1;
        } else {
            table.waiting.push_back(Arc::clone(&mailbox));
            table.tell_waiting();
        }
        table.all.insert(id.clone(), mailbox);
        Ok(id)
    }

    /// The work of this name.
    pub(crate) fn find(&self, id: &str) -> Result<Arc<Mailbox>, Failure> {
        let found = self.table().all.get(id).cloned();
        found.ok_or_else(|| {
            Failure::gone("this work is not here any more").help("ask the question again")
        })
    }

    /// Begins a thread for work, and for what waits after it.
    fn start(self: &Arc<Jobs>, first: Arc<Mailbox>) -> bool {
        let jobs = Arc::clone(self);
        let thread = thread::Builder::new().name("work".to_owned()).stack_size(STACK);
        thread.spawn(move || jobs.work(first)).is_ok()
    }

    /// Work is paused: what waits may begin in its place. False if too much is paused already.
    fn rest(self: &Arc<Jobs>) -> bool {
        let mut table = self.table();
        if table.paused >= MOST_PAUSED {
            return false;
        }
        table.paused += 1;
        match table.waiting.pop_front() {
            None => table.running -= 1,
            Some(next) => {
                table.tell_waiting();
                if !self.start(Arc::clone(&next)) {
                    table.waiting.push_front(next);
                    table.running -= 1;
                }
            }
        }
        true
    }

    /// Work that was paused goes on, or ends. For a while one more than usual may run.
    fn wake(&self) {
        let mut table = self.table();
        table.paused -= 1;
        table.running += 1;
    }

    /// Does work, and what waits after it.
    fn work(self: &Arc<Jobs>, first: Arc<Mailbox>) {
        let mut next = Some(first);
        while let Some(mailbox) = next {
            self.one(&mailbox);
            next = self.next();
        }
    }

    fn one(self: &Arc<Jobs>, mailbox: &Mailbox) {
        let Some(work) = mailbox.take_work() else { return };
        let done = catch_unwind(AssertUnwindSafe(|| {
            self.desk.work(work, &mut Teller { jobs: self, mailbox }, &mailbox.cancel);
        }));
        if let Err(panic) = done {
            let failure = broken(said(panic.as_ref()));
            mailbox.tell(&WorkEvent::Own(OwnEvent::Failed { failure }));
        }
    }

    fn next(&self) -> Option<Arc<Mailbox>> {
        let mut table = self.table();
        let next = table.waiting.pop_front();
        match &next {
            Some(_) => table.tell_waiting(),
            None => table.running -= 1,
        }
        next
    }

    /// Ends work, whether it runs, is paused or waits.
    pub(crate) fn stop(&self, mailbox: &Mailbox) {
        mailbox.stop();
        let mut table = self.table();
        let waiting = table.waiting.len();
        table.waiting.retain(|other| other.id != mailbox.id);
        if table.waiting.len() < waiting {
            let failure = Failure::new(FailureKind::Stopped, "it was stopped before it began");
            mailbox.tell(&WorkEvent::Own(OwnEvent::Failed { failure }));
            table.tell_waiting();
        }
    }

    /// Ends work that nobody listens to, and forgets what has ended.
    pub(crate) fn sweep(&self) {
        let all: Vec<Arc<Mailbox>> = self.table().all.values().cloned().collect();
        let unheard = all.iter().filter(|mailbox| mailbox.is_unheard(self.patience.unheard));
        for mailbox in unheard.filter(|mailbox| !mailbox.cancel.is_cancelled()) {
            self.stop(mailbox);
        }
        let mut ended: Vec<_> = all.iter().filter_map(|m| Some((m.ended()?, m))).collect();
        ended.sort_by_key(|(when, _)| std::cmp::Reverse(*when));
        let old = ended.iter().enumerate().filter(|(place, (when, _))| {
            *place >= MOST_ENDED || when.elapsed() >= self.patience.ended
        });
        let old: Vec<&str> = old.map(|(_, (_, mailbox))| mailbox.id.as_str()).collect();
        let mut table = self.table();
        for id in old {
            table.all.remove(id);
        }
    }

    /// Ends all work; none begins any more.
    pub(crate) fn close(&self) {
        let mut table = self.table();
        table.closed = true;
        let all: Vec<Arc<Mailbox>> = table.all.values().cloned().collect();
        drop(table);
        for mailbox in all {
            self.stop(&mailbox);
        }
    }

    /// Whether work goes on.
    pub(crate) fn busy(&self) -> bool {
        let table = self.table();
        table.running + table.paused > 0
    }
}

/// What a panic says.
fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or(panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("nobody knows why")
}
