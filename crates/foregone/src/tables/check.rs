//! Verifying tables: the files are whole, and every entry is what the rules make it.

use std::path::Path;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use foregone_games::erased::{AnyTabled, Erased};
use foregone_model::table::{Entries, Entry, TableError};
use foregone_model::{Class, Notation};
use foregone_tables::{FileError, Problem};
use serde::Serialize;

use super::lookup::no_tables;
use super::table::{Plane, Shelf, Table};
use super::{Folder, Numbering, unreadable, wanted};
use crate::error::Error;
use crate::game::AnyGame;
use crate::observe::{Context, Event, Work};

/// What was verified.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckAnswer {
    /// The game.
    pub game: String,
    /// The tables, each behind all that it rests on.
    pub tables: Vec<CheckedTable>,
    /// Whether all of them were verified.
    pub complete: bool,
    /// How long it took.
    pub seconds: f64,
}

/// A table that was verified.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckedTable {
    /// The class.
    pub class: String,
    /// The file.
    pub file: String,
    /// How many positions were checked.
    pub positions: u64,
    /// The digest of the file.
    pub digest: String,
}

/// Verifies the tables of the classes that a person means, with all that they rest on, by the trusted
/// checker, with about so many bytes for their cells. A table that is wrong is an error.
pub fn check(
    game: &AnyGame,
    dir: &Path,
    classes: &str,
    threads: usize,
    memory: u64,
    context: &mut Context<'_>,
) -> Result<CheckAnswer, Error> {
    let game = game.in_turn_game()?;
    super::tabled_game(game)?;
    let folder = Folder::new(dir, game);
    let numbering = Numbering::of_files(game, &folder)?.ok_or_else(|| no_tables(game, dir))?;
    let numbering = match numbering {
        Numbering::Listed(listed) => {
            let read = listed.in_memory(u64::MAX).map_err(damaged)?;
            Numbering::Listed(Arc::new(read))
        }
        own => own,
    };
    let tabled = numbering.get();
    let began = context.clock.now();
    let mut answer =
        CheckAnswer { game: game.name(), tables: Vec::new(), complete: false, seconds: 0.0 };
    let classes = wanted(tabled, classes)?;
    let all: u64 = classes.iter().map(|&class| tabled.size(class)).sum();
    let mut before = 0;
    let mut shelf = Shelf::new(game, &folder, memory);
    for &class in &classes {
        // Step 1: the table and those that it rests on, whole.
        let mut needed = vec![class];
        needed.extend(tabled.leads_to(class));
        for &class in &needed {
            folder.has_table(game, &tabled.class_name(class))?;
        }
        let tables = shelf.get(tabled, &needed).map_err(as_proof)?;
        let table = &*tables[0];
        // Step 2: every entry.
        let progress = Progress { before, all, began };
        let checked = check_table(game, tabled, &tables, threads, progress, context)?;
        let Some(positions) = checked else { return Ok(answer) };
        before += table.size();
        answer.tables.push(CheckedTable {
            class: table.file.header().class.clone(),
            file: table.file.path().display().to_string(),
            positions,
            digest: table.file.digest().to_owned(),
        });
    }
    answer.complete = true;
    answer.seconds = context.clock.now().saturating_sub(began).as_secs_f64();
    Ok(answer)
}

/// How far the work is of which a table is a part: so many numbers of all tables were checked before.
#[derive(Clone, Copy)]
pub(super) struct Progress {
    pub(super) before: u64,
    pub(super) all: u64,
    /// When it began.
    pub(super) began: Duration,
}

/// Verifies the first of these tables by the trusted checker; the others are those that it leads to. Says
/// how many positions there are; nothing if it was ended.
pub(super) fn check_table(
    game: &Erased,
    tabled: &dyn AnyTabled,
    tables: &[Arc<Table>],
    threads: usize,
    progress: Progress,
    context: &mut Context<'_>,
) -> Result<Option<u64>, Error> {
    let table = &*tables[0];
    table.file.check().map_err(damaged)?;
    let cells: Vec<&[Plane]> =
        tables.iter().map(|t| t.load()).collect::<Result<_, _>>().map_err(damaged)?;
    let mut positions = 0;
    for plane in 0..table.planes.len() {
        let checker = Checker { tabled, tables, cells: &cells, plane, threads };
        match checker.check(progress, context) {
            Ok(Some(found)) => positions = found,
            Ok(None) => return Ok(None),
            Err(error) => return Err(refused(game, tabled, table, &error)),
        }
    }
    Ok(Some(positions))
}

/// What is wrong with a file is wrong with the proof that it is.
pub(super) fn as_proof(error: Error) -> Error {
    Error { kind: crate::ErrorKind::Proof, ..error }
}

/// The same of the error of a file, unless the machine is at fault.
pub(super) fn damaged(error: FileError) -> Error {
    match &error.problem {
        Problem::Io(_) => unreadable(error),
        _ => as_proof(unreadable(error)),
    }
}

fn refused(game: &Erased, tabled: &dyn AnyTabled, table: &Table, error: &TableError) -> Error {
    let position = tabled.position(error.class, error.index);
    let position = position.map(|s| format!(" ({})", game.position_text(&s))).unwrap_or_default();
    Error::proof(format!(
        "{} is wrong at number {}{position}: {}",
        table.file.path().display(),
        error.index,
        error.problem
    ))
}

/// One plane of one table.
struct Checker<'a> {
    tabled: &'a dyn AnyTabled,
    /// The table, and those that it leads to.
    tables: &'a [Arc<Table>],
    cells: &'a [&'a [Plane]],
    plane: usize,
    threads: usize,
}

impl Entries for Checker<'_> {
    fn entry(&self, class: Class, index: u64) -> Result<Entry, String> {
        let at = self.tables.iter().position(|table| table.class == class);
        let missing =
            || format!("a move leads to {}, which has no table", self.tabled.class_name(class));
        let at = at.ok_or_else(missing)?;
        let table = &self.tables[at];
        if index >= table.size() {
            return Err("a move leads to a number that the class does not have".to_owned());
        }
        Ok(table.planes[self.plane].1.entry(self.cells[at][self.plane].get(index)))
    }
}

/// How many numbers a thread checks at a time.
const SLICE: u64 = 1 << 12;

impl Checker<'_> {
    /// Checks all entries. Says how many positions there are; nothing if it was ended.
    fn check(
        &self,
        Progress { before, all, began }: Progress,
        context: &mut Context<'_>,
    ) -> Result<Option<u64>, TableError> {
        let table = &*self.tables[0];
        let size = table.size();
        let (next, positions) = (AtomicU64::new(0), AtomicU64::new(0));
        let stop = AtomicBool::new(false);
        let wrong: Mutex<Option<TableError>> = Mutex::new(None);
        let window = table.planes[self.plane].0;
        let run = || {
            while !stop.load(Relaxed) {
                let start = next.fetch_add(SLICE, Relaxed);
                if start >= size {
                    break;
                }
                let range = start..(start + SLICE).min(size);
                match self.tabled.verify(table.class, window, self, range) {
                    Ok(found) => {
                        positions.fetch_add(found, Relaxed);
                    }
                    Err(error) => {
                        stop.store(true, Relaxed);
                        if let Ok(mut wrong) = wrong.lock() {
                            // The first one is told, whichever thread is quicker.
                            let earlier = wrong.as_ref().is_none_or(|w| error.index < w.index);
                            if earlier {
                                *wrong = Some(error);
                            }
                        }
                    }
                }
            }
        };
        let (send, receive) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                let (send, run) = (send.clone(), &run);
                scope.spawn(move || {
                    run();
                    let _ = send.send(());
                });
            }
            drop(send);
            loop {
                match receive.recv_timeout(Duration::from_millis(100)) {
                    Ok(()) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                    Err(RecvTimeoutError::Timeout) => {
                        if context.cancel.is_cancelled() {
                            stop.store(true, Relaxed);
                        }
                        let done = before + next.load(Relaxed).min(size);
                        let seconds = context.clock.now().saturating_sub(began).as_secs_f64();
                        let share = done as f64 / all.max(1) as f64;
                        let work = Work::Verifying;
                        context.observer.event(&Event::Working { work, seconds, done, share });
                    }
                }
            }
        });
        if let Ok(Some(error)) = wrong.into_inner() {
            return Err(error);
        }
        Ok((!context.cancel.is_cancelled()).then(|| positions.into_inner()))
    }
}
