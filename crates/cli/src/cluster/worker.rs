//! `foregone worker`: looks into leaves and builds tables for whoever asks on a server.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use foregone::crew::Assistant;
use foregone::tables::{BuildSettings, TableHelper, TableStore};
use foregone::{Cancel, Error, SystemClock};
use foregone_cluster::{
    Connect, Handler, Note, SolveInfo, Store, Worker, WorkerInfo, WorkerOptions,
};

use super::crew::patiently;
use super::scratch::Scratch;
use super::{Assignment, VERSION, failed};
use crate::args::WorkerArgs;
use crate::memory;
use crate::program::Program;
use crate::signals;

/// One thread of a worker.
struct Hand {
    helpers: BTreeMap<String, Helper>,
    bytes: u64,
    disk: u64,
    scratch: Arc<Scratch>,
    /// Which thread it is.
    number: u32,
}

/// What a thread does for one solve.
enum Helper {
    Leaves(Box<Assistant>),
    Tables(Box<TableHelper>),
}

impl Hand {
    fn helper(&self, solve: &SolveInfo, setup: &[u8]) -> Result<Helper, String> {
        let setup: Assignment =
            serde_json::from_slice(setup).map_err(|e| format!("the job can't be read: {e}"))?;
        match setup {
            Assignment::Leaves(setup) => Assistant::new(*setup, self.bytes, SystemClock::new())
                .map(|assistant| Helper::Leaves(Box::new(assistant)))
                .map_err(|e| e.to_string()),
            Assignment::Tables(setup) => {
                // Names of solves are plain letters.
                let dir = self.scratch.folder()?.join(format!("{}-{}", self.number, solve.id));
                let settings =
                    BuildSettings { dir, memory: self.bytes, ..BuildSettings::default() };
                TableHelper::new(setup, settings, self.disk, SystemClock::new())
                    .map(|helper| Helper::Tables(Box::new(helper)))
                    .map_err(|e| e.to_string())
            }
        }
    }
}

impl Handler for Hand {
    fn setup(&mut self, solve: &SolveInfo, setup: &[u8]) -> Result<(), String> {
        let helper = self.helper(solve, setup)?;
        self.helpers.insert(solve.id.clone(), helper);
        Ok(())
    }

    fn work(
        &mut self,
        solve: &str,
        payload: &[u8],
        store: &Store<'_>,
        report: &mut dyn FnMut(Vec<u8>),
        stop: &AtomicBool,
    ) -> Result<Vec<u8>, String> {
        let helper =
            self.helpers.get_mut(solve).ok_or_else(|| format!("{solve} was not set up"))?;
        let stopped = || stop.load(Ordering::Relaxed);
        match helper {
            Helper::Leaves(assistant) => assistant.work(payload, &mut |told| {
                report(told.unwrap_or_default());
                stopped()
            }),
            Helper::Tables(helper) => {
                let report = RefCell::new(report);
                let moves = || {
                    report.borrow_mut()(Vec::new());
                    stopped()
                };
                helper.work(payload, &mut Parts { store, ended: &moves }, &mut || moves())
            }
        }
    }

    fn forget(&mut self, solve: &str) {
        if let Some(Helper::Tables(helper)) = self.helpers.remove(solve) {
            let _ = std::fs::remove_dir_all(helper.folder());
        }
    }
}

/// Parts of tables on the server. While it does not answer, the work is still alive.
struct Parts<'a> {
    store: &'a Store<'a>,
    ended: &'a dyn Fn() -> bool,
}

impl TableStore for Parts<'_> {
    fn get(&mut self, name: &str, most: usize) -> Result<Vec<u8>, String> {
        let found = patiently(|| self.store.get(name, most), self.ended)?;
        found.ok_or_else(|| format!("{name} is not on the server"))
    }

    fn put(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), String> {
        patiently(|| self.store.put(name, bytes.clone()), self.ended)
    }
}

/// Works until it is stopped.
pub(crate) fn run(program: &mut Program<'_>, args: &WorkerArgs) -> Result<u8, Error> {
    program.catch_interrupts();
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get() as u32);
    let threads = args.threads.unwrap_or(cores);
    let bytes = args.memory.unwrap_or_else(memory::memory_to_use) / u64::from(threads);
    let name = args.name.clone().unwrap_or_else(machine);
    let mut options =
        WorkerOptions::new(WorkerInfo { version: VERSION.to_owned(), name, cores: threads });
    options.log = Arc::new(|note| crate::screen::say(&words(&note)));
    let ended = Arc::clone(&options.stop);
    watch(program.cancel.clone(), ended);
    let scratch = Arc::new(Scratch::default());
    let hand = |number| {
        let scratch = Arc::clone(&scratch);
        Hand { helpers: BTreeMap::new(), bytes, disk: args.disk, scratch, number }
    };
    let hands = (0..threads).map(hand).collect();
    let ran = Worker::run(&Connect::from_environment(&args.url), options, hands);
    scratch.remove();
    ran.map_err(failed)?;
    Ok(if signals::caught() { signals::exit_code() } else { 0 })
}

/// Ends the worker when a signal came.
fn watch(cancel: Cancel, ended: Arc<AtomicBool>) {
    std::thread::spawn(move || {
        while !cancel.is_cancelled() {
            std::thread::sleep(Duration::from_millis(50));
        }
        ended.store(true, Ordering::Relaxed);
    });
}

/// The name of this machine, where the system tells.
pub(super) fn machine() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    match name.trim() {
        "" => "worker".to_owned(),
        name => name.to_owned(),
    }
}

fn words(note: &Note) -> String {
    match note {
        Note::Connected { url, worker } => format!("{worker} works for {url}"),
        Note::Waiting { reason } => format!("waiting for the server: {reason}"),
        Note::Joined { solve } => format!("{}: {}", solve.id, solve.title),
        Note::Refused { solve, message } => format!("{solve}: not taken part in: {message}"),
        Note::Over { solve } => format!("{solve}: over"),
        Note::Hangs { solve, job } => format!("{solve}: job {job} hangs and is left to others"),
        Note::Failed { solve, job, message } => format!("{solve}: job {job}: {message}"),
    }
}
