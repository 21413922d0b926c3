//! Checkpoints: a job that outlives its process.
//!
//! A job is a row of searches. A checkpoint holds the reports of those that are done, and the state of
//! the one that runs. A job that is resumed begins anew, takes the reports from there instead of
//! searching, replays their proofs, and goes on with the search that was under way. So nothing
//! but searches has to be written down, and nothing is believed: every certificate is replayed once
//! more.
//!
//! Where the bytes go is not decided here: a [`Keeper`] is handed in.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::time::Duration;

use foregone_model::stored::{Stored, restore_line, store_line};
use foregone_model::{Guide, Outcome, Side, WeakSolution};
use foregone_search::report::Solution;
use foregone_search::saved::{Reader, Writer};
use foregone_search::{Progress, Report, StopReason};

use crate::error::Error;

/// Writes a checkpoint. False if there is nothing to keep: what was written is to be forgotten.
pub type WriteOut<'a> = dyn FnMut(&mut dyn Write) -> io::Result<bool> + 'a;

/// Who keeps checkpoints: a file, a table of a database, a test.
pub trait Keeper {
    /// Whether it is time for one, so long after the job began.
    fn due(&mut self, elapsed: Duration) -> bool;

    /// Keeps what is written, in the place of the checkpoint before. One that can't be kept is no
    /// reason to end a search, so whoever keeps them says what went wrong.
    fn keep(&mut self, write: &mut WriteOut<'_>);
}

/// The checkpoints of one job.
pub struct Checkpoints {
    keeper: Box<dyn Keeper>,
    /// What is left of the reports that are taken instead of searching.
    reports: VecDeque<Vec<u8>>,
    /// What the next search goes on from.
    state: Option<Box<dyn Read>>,
    /// The reports of the searches that are done.
    done: Vec<Vec<u8>>,
    /// How many of them the last checkpoint has, if there is one.
    kept: Option<usize>,
    /// The search that runs was done before, and is made anew: what comes behind it is kept.
    again: bool,
    /// The job is to end, and what it still does is not what it would do otherwise.
    closed: bool,
    problem: Option<Error>,
    /// The job goes on from a file.
    resumed: bool,
}

impl std::fmt::Debug for Checkpoints {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Checkpoints").field("done", &self.done.len()).finish_non_exhaustive()
    }
}

/// No more searches than this are in a checkpoint.
const MOST_SEARCHES: u64 = 1 << 20;

impl Checkpoints {
    /// Those of a job that begins.
    pub fn new(keeper: Box<dyn Keeper>) -> Checkpoints {
        Checkpoints {
            keeper,
            reports: VecDeque::new(),
            state: None,
            done: Vec::new(),
            kept: None,
            again: false,
            closed: false,
            problem: None,
            resumed: false,
        }
    }

    /// Those of a job that goes on from a checkpoint.
    pub fn resumed(keeper: Box<dyn Keeper>, mut from: Box<dyn Read>) -> io::Result<Checkpoints> {
        let mut checkpoints = Checkpoints::new(keeper);
        let mut number = || {
            let mut bytes = [0; 8];
            from.read_exact(&mut bytes).map(|()| u64::from_le_bytes(bytes))
        };
        let damaged = || io::Error::new(io::ErrorKind::InvalidData, "it is damaged");
        let count = Some(number()?).filter(|&n| n <= MOST_SEARCHES).ok_or_else(damaged)?;
        for _ in 0..count {
            let mut length = [0; 8];
            from.read_exact(&mut length)?;
            let length = u64::from_le_bytes(length);
            // A length may be forged, so no room is made before the bytes are there.
            let mut bytes = Vec::new();
            if from.by_ref().take(length).read_to_end(&mut bytes)? as u64 != length {
                return Err(damaged());
            }
            checkpoints.reports.push_back(bytes);
        }
        checkpoints.state = Some(from);
        checkpoints.kept = Some(checkpoints.reports.len());
        checkpoints.resumed = true;
        Ok(checkpoints)
    }

    /// The report of the search that comes next, if it was done before.
    pub(crate) fn report<G: Guide>(&mut self, game: &G, best: Outcome) -> Option<Report<G::Move>> {
        // What is asked of a job that ends is not what was asked before.
        let bytes = if self.closed { None } else { self.reports.pop_front() }?;
        if bytes.is_empty() {
            // One that can't be taken over.
            self.again = true;
            return None;
        }
        let report = read_report(game, &bytes).filter(|report| {
            let (low, high) = report.bounds;
            report.stop == StopReason::Solved && low == high && high <= best
        });
        match report {
            Some(_) => self.done.push(bytes),
            None => self.unreadable(),
        }
        report
    }

    /// What the search that begins goes on from, if it was under way.
    pub(crate) fn state(&mut self) -> Option<Box<dyn Read>> {
        match self.reports.is_empty() && !self.again && !self.closed {
            true => self.state.take().and_then(not_empty),
            false => None,
        }
    }

    /// Notes that a search is done. One that can't be taken over is made anew by who resumes.
    pub(crate) fn done<G: Guide>(&mut self, game: &G, report: Option<&Report<G::Move>>) {
        let mut bytes = Vec::new();
        if let Some(report) = report {
            write_report(game, report, &mut bytes);
        }
        self.done.push(bytes);
        self.again = false;
    }

    /// Says that the job ends: nothing is kept any more.
    pub(crate) fn close(&mut self) {
        self.closed = true;
    }

    /// Whether nothing is to be kept now.
    fn rests(&self) -> bool {
        self.closed || self.again || !self.reports.is_empty()
    }

    /// Whether it is time for a checkpoint.
    #[inline]
    pub(crate) fn due(&mut self, elapsed: Duration) -> bool {
        self.keeper.due(elapsed)
    }

    /// Keeps a checkpoint of the search that runs, and if it is the last one, of the searches before it
    /// where it can't be written just now. Whether the search is in it.
    pub(crate) fn keep<M>(&mut self, progress: &Progress<'_, M>, last: bool) -> bool {
        if self.rests() {
            return true;
        }
        let Checkpoints { keeper, done, kept, .. } = self;
        // An older checkpoint of the search is better than none of it.
        let or_without = last && *kept != Some(done.len());
        let mut saved = false;
        keeper.keep(&mut |out| {
            write_done(done, out)?;
            let mut writer = Writer::new(out);
            saved = progress.save(&mut writer)?;
            writer.flush()?;
            Ok(saved || or_without)
        });
        if saved || or_without {
            *kept = Some(done.len());
        }
        saved
    }

    /// Keeps one between searches, if there is more to keep than before.
    pub(crate) fn keep_done(&mut self) {
        let rests = self.rests();
        let Checkpoints { keeper, done, kept, .. } = self;
        if !rests && *kept != Some(done.len()) {
            keeper.keep(&mut |out| write_done(done, out).map(|()| true));
            *kept = Some(done.len());
        }
    }

    /// Whether what the job says may rest on a file that somebody wrote.
    pub(crate) fn is_resumed(&self) -> bool {
        self.resumed
    }

    /// Notes that a checkpoint is not one of this job.
    pub(crate) fn unreadable(&mut self) {
        self.problem = Some(
            Error::input("the checkpoint does not fit its job: it can't be read back")
                .help("it was written by a program that differs from this one, or is damaged"),
        );
    }

    /// What is wrong with the checkpoint, if something is.
    pub(crate) fn problem(&mut self) -> Option<Error> {
        self.problem.take()
    }
}

/// A reader that has something to read.
fn not_empty(mut from: Box<dyn Read>) -> Option<Box<dyn Read>> {
    let mut first = [0];
    match from.read(&mut first) {
        Ok(1) => Some(Box::new(io::Cursor::new(first).chain(from))),
        _ => None,
    }
}

fn write_done(done: &[Vec<u8>], out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&(done.len() as u64).to_le_bytes())?;
    for report in done {
        out.write_all(&(report.len() as u64).to_le_bytes())?;
        out.write_all(report)?;
    }
    Ok(())
}

fn write_report<G: Guide>(game: &G, report: &Report<G::Move>, out: &mut Vec<u8>) {
    let moves = |moves: &[G::Move], out: &mut Vec<u8>| {
        moves.len().store(out);
        moves.iter().for_each(|&m| game.store_move(m, out));
    };
    (report.stop, report.bounds, report.counts, report.cost).store(out);
    report.solutions.len().store(out);
    for solution in &report.solutions {
        (solution.at_least, solution.weak.prover).store(out);
        solution.weak.lines.len().store(out);
        for line in &solution.weak.lines {
            store_line(line, |m, out| game.store_move(m, out), out);
        }
    }
    moves(&report.line, out);
    report.found.len().store(out);
    report.found.iter().for_each(|play| moves(play, out));
}

fn read_report<G: Guide>(game: &G, mut bytes: &[u8]) -> Option<Report<G::Move>> {
    let mut source = io::Cursor::new(std::mem::take(&mut bytes));
    let from = &mut Reader::new(&mut source);
    let (stop, bounds, counts, cost) = from.get()?;
    let mut solutions = Vec::new();
    for _ in 0..from.get::<usize>()? {
        let (at_least, prover) = from.get::<(Outcome, Side)>()?;
        let mut lines = Vec::new();
        for _ in 0..from.get::<usize>()? {
            lines.push(from.next(|bytes| restore_line(bytes, |m| game.restore_move(m)))?);
        }
        solutions.push(Solution { at_least, weak: WeakSolution { prover, lines } });
    }
    let moves = |from: &mut Reader<'_>| {
        let mut moves = Vec::new();
        for _ in 0..from.get::<usize>()? {
            moves.push(from.next(|bytes| game.restore_move(bytes))?);
        }
        Some(moves)
    };
    let line = moves(from)?;
    let mut found = Vec::new();
    for _ in 0..from.get::<usize>()? {
        found.push(moves(from)?);
    }
    Some(Report { stop, bounds, solutions, line, found, cost, counts })
}
