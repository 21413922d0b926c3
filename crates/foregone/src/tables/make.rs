//! Making the table of one class, in a work file that survives the process, with a journal of how far it
//! is.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use foregone_games::erased::{AnyTabled, Erased};
use foregone_model::cell::Layout;
use foregone_model::table::{Entry, Window};
use foregone_model::tabled::ClassMoves;
use foregone_model::{Class, Game, Notation, Outcome};
use foregone_search::retrograde::{
    self, Below, BuildWatch, Built, Finished, Problem, Reversed, Stage,
};
use foregone_tables::{Cells, Header, Width, WorkFile};

use super::journal::{Journal, remove};
use super::listed::Listed;
use super::table::Table;
use super::{BuildSettings, Folder, Numbering, io_error, layouts, outcome_name, unreadable};
use crate::error::Error;
use crate::observe::Clock;

/// What the thread that works and the one that tells of it share.
#[derive(Default)]
pub(super) struct Shared {
    pub(super) stop: AtomicBool,
    /// How many cells were looked at.
    pub(super) done: AtomicU64,
    /// Grows as long as the work moves.
    pub(super) moved: AtomicU64,
    /// Which part of all work is done, the bits of a floating point number.
    pub(super) share: AtomicU64,
}

impl Shared {
    /// Whether the work is to go on; it has moved.
    fn goes_on(&self) -> bool {
        self.moved.fetch_add(1, Relaxed);
        !self.stop.load(Relaxed)
    }
}

/// Does work in a thread of its own, so that this one can tell how far it is, as often as this.
pub(super) fn aside<T: Send>(
    every: Duration,
    tell: &mut dyn FnMut(),
    work: impl FnOnce() -> T + Send,
) -> T {
    let (send, receive) = mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // Who waits for it is there until it comes.
            let _ = send.send(work());
        });
        loop {
            match receive.recv_timeout(every) {
                Ok(done) => return done,
                Err(RecvTimeoutError::Timeout) => tell(),
                Err(RecvTimeoutError::Disconnected) => {
                    panic!("the builder ended without an answer")
                }
            }
        }
    })
}

/// Makes tables.
pub(super) struct Maker<'a> {
    pub(super) game: &'a Erased,
    pub(super) settings: &'a BuildSettings,
    pub(super) clock: &'a dyn Clock,
    pub(super) shared: &'a Shared,
    pub(super) folder: &'a Folder,
}

impl Maker<'_> {
    /// A list of all positions; nothing if that was ended.
    pub(super) fn listed(&self) -> Result<Option<Numbering>, Error> {
        let bytes = self.settings.memory;
        let mut goes_on = |found| {
            self.shared.done.store(found, Relaxed);
            self.shared.goes_on()
        };
        match Listed::explore(self.game, bytes, &mut goes_on) {
            Ok(listed) => match self.game.rules_violation() {
                Some(violation) => Err(crate::session::rules_error(&self.game.name(), &violation)),
                None => Ok(Some(Numbering::Listed(Arc::new(listed)))),
            },
            Err(problem) => super::not_listed(self.game, bytes, problem).map_or(Ok(None), Err),
        }
    }

    /// Makes the table of a class. Says whether work was taken up; nothing if it was ended.
    pub(super) fn make(
        &self,
        numbering: &Numbering,
        class: Class,
        below: &[Arc<Table>],
        part: [f64; 2],
    ) -> Result<Option<bool>, Error> {
        let (folder, tabled) = (self.folder, numbering.get());
        let (name, size) = (tabled.class_name(class), tabled.size(class));
        let planes = layouts(self.game, tabled, class);
        let mut journal = Journal::open(folder, self.game, &name, size);
        let resumed = journal.begun;
        // Step 1: moves, and moves taken back.
        let own = tabled.class_moves(class);
        let mut goes_on = |_| self.shared.goes_on();
        let reversed = match own.takes_back() || own.by_rows().is_some() {
            true => None,
            false => Reversed::new(&*own, self.settings.memory / 2, &mut goes_on),
        };
        if self.shared.stop.load(Relaxed) {
            return Ok(None);
        }
        let moves: &dyn ClassMoves = reversed.as_ref().map_or(&*own, |reversed| reversed);
        let scores = planes.iter().any(|(_, layout)| matches!(layout, Layout::Scores(_)));
        if scores && !moves.takes_back() {
            let message = format!("the moves of {name} do not fit into memory");
            return Err(Error::input(message).help("allow more memory: --memory"));
        }
        // Step 2: the cells of each window.
        let mut works = Vec::new();
        for (plane, &(window, layout)) in planes.iter().enumerate() {
            let belows: Vec<Below<'_>> =
                below.iter().map(|table| finished(table, plane)).collect::<Result<_, _>>()?;
            let problem = Problem {
                moves,
                layout,
                open: tabled.open_value(class, window),
                best: self.game.scale().best(),
                below: &belows,
                threads: self.settings.threads,
            };
            match self.work(&problem, plane, &mut journal, part)? {
                Some(work) => works.push(work),
                None => return Ok(None),
            }
        }
        // Step 3: the file.
        let cells: Vec<Cells<'_>> = works.iter().map(WorkFile::cells).collect();
        let done: Vec<Finished<'_>> = cells.iter().map(|&cells| shared(cells)).collect();
        let header = header(self.game, tabled, class, &done, below);
        let mut texts = match numbering {
            Numbering::Own(_) => None,
            Numbering::Listed(listed) => listed.texts(),
        };
        let texts = texts.as_mut().map(|texts| texts as &mut dyn Iterator<Item = String>);
        let mut goes_on = |_| self.shared.goes_on();
        let written =
            foregone_tables::write(&folder.table(&name), &header, &cells, texts, &mut goes_on);
        match written.map_err(unreadable)? {
            None => Ok(None),
            Some(_) => {
                drop(works);
                journal.remove(planes.len());
                Ok(Some(resumed))
            }
        }
    }

    /// Works out the cells of a window. Nothing if it was ended.
    fn work(
        &self,
        problem: &Problem<'_>,
        plane: usize,
        journal: &mut Journal,
        part: [f64; 2],
    ) -> Result<Option<WorkFile>, Error> {
        let scores = matches!(problem.layout, Layout::Scores(_));
        let (mut stage, mut width) = journal.of_plane(plane);
        if scores {
            width = Width::Two;
        }
        let size = problem.moves.size();
        // What was noted is of no use without the cells.
        let path = journal.work(plane, width);
        if fs::metadata(&path).map(|file| file.len()).ok() != Some(size * width.bytes()) {
            remove(&path);
            stage = Stage::Looking(0);
        }
        loop {
            let path = journal.work(plane, width);
            let file =
                WorkFile::open(&path, size, width).map_err(|e| io_error(&path, "worked on", &e))?;
            let watch = Watch {
                maker: self,
                file: &file,
                journal: std::sync::Mutex::new((&mut *journal, self.clock.now())),
                plane,
                width,
                size,
                part,
                failed: std::sync::Mutex::new(None),
            };
            let built = retrograde::build(problem, mapped(file.cells()), stage, &watch);
            if let Ok(Some(error)) = watch.failed.into_inner() {
                return Err(error);
            }
            match built {
                Built::Done => {
                    file.flush().map_err(|e| io_error(&path, "saved", &e))?;
                    return Ok(Some(file));
                }
                Built::Stopped => return Ok(None),
                Built::TooNarrow if width == Width::Two => {
                    let message = "a distance is too large for a table";
                    return Err(Error::input(format!("{}: {message}", journal.class)));
                }
                Built::TooNarrow => {
                    stage = journal.stage;
                    widen(&file, &journal.work(plane, Width::Two), size)?;
                    width = Width::Two;
                    journal.write(plane, width, stage)?;
                    drop(file);
                    remove(&path);
                }
            }
        }
    }
}

/// What a table says of itself whose cells are these, a plane each.
pub(super) fn header(
    game: &Erased,
    tabled: &dyn AnyTabled,
    class: Class,
    cells: &[Finished<'_>],
    below: &[Arc<Table>],
) -> Header {
    let planes = layouts(game, tabled, class);
    let wide = |cells: &Finished<'_>| {
        matches!(cells, Finished::Two(_) | Finished::Shared(retrograde::Cells::Two(_)))
    };
    let rests_on =
        |below: &Arc<Table>| (below.file.header().class.clone(), below.file.digest().to_owned());
    Header {
        game: game.name(),
        rules: game.rules().to_string(),
        class: tabled.class_name(class),
        size: tabled.size(class),
        width: if cells.iter().any(wide) { Width::Two } else { Width::One },
        planes: planes.iter().map(|(window, _)| (window.low.0, window.high.0)).collect(),
        counts: counts(game, tabled, class, &planes, cells),
        least: tabled.outcomes(class).0.0,
        rests_on: below.iter().map(rests_on).collect(),
        texts: tabled.leads_to(class).is_empty() && game.tables().is_none(),
    }
}

/// How many positions have which outcome for the first player.
fn counts(
    game: &Erased,
    tabled: &dyn AnyTabled,
    class: Class,
    planes: &[(Window, Layout)],
    cells: &[Finished<'_>],
) -> Vec<(String, u64)> {
    let mut counts: HashMap<Option<Outcome>, u64> = HashMap::new();
    let opens: Vec<Option<Outcome>> =
        planes.iter().map(|&(window, _)| tabled.open_value(class, window)).collect();
    if let ([(_, layout)], [cells]) = (planes, cells) {
        // Cells are counted first: there are few different ones.
        let tally = tally(cells);
        for (cell, &count) in tally.iter().enumerate().filter(|&(_, &count)| count > 0) {
            match layout.entry(cell as u16) {
                Entry::Hole => {}
                Entry::Open => *counts.entry(opens[0]).or_default() += count,
                Entry::Forced(o, _) => *counts.entry(Some(o)).or_default() += count,
            }
        }
    } else {
        for index in 0..tabled.size(class) {
            let cells = cells.iter().map(|cells| cells.get(index));
            if let Some(worth) = super::lookup::worth(planes, &opens, cells) {
                let value = (worth.least == worth.most).then_some(worth.least);
                *counts.entry(value).or_default() += 1;
            }
        }
    }
    let mut named: Vec<(String, u64)> = (0..=game.scale().best().0)
        .map(Outcome)
        .filter_map(|o| Some((outcome_name(game, o), *counts.get(&Some(o))?)))
        .collect();
    named.extend(counts.get(&None).map(|&count| ("not determined".to_owned(), count)));
    named
}

/// How many cells hold which number.
fn tally(cells: &Finished<'_>) -> Vec<u64> {
    let mut tally = vec![0u64; 1 << 16];
    let mut count = |cell: u16| tally[usize::from(cell)] += 1;
    match cells {
        Finished::One(cells) => cells.iter().for_each(|&c| count(c.into())),
        Finished::Two(cells) => cells.iter().for_each(|&c| count(c)),
        Finished::Shared(retrograde::Cells::One(cells)) => {
            cells.iter().for_each(|c| count(c.load(Relaxed).into()));
        }
        Finished::Shared(retrograde::Cells::Two(cells)) => {
            cells.iter().for_each(|c| count(c.load(Relaxed)));
        }
    }
    tally
}

/// Cells of a work file, for who works on them.
fn mapped(cells: Cells<'_>) -> retrograde::Cells<'_> {
    match cells {
        Cells::One(cells) => retrograde::Cells::One(cells),
        Cells::Two(cells) => retrograde::Cells::Two(cells),
    }
}

/// Cells of a work file that are finished.
fn shared(cells: Cells<'_>) -> Finished<'_> {
    Finished::Shared(mapped(cells))
}

/// The same numbers in wider cells.
fn widen(file: &WorkFile, path: &Path, size: u64) -> Result<(), Error> {
    let wide =
        WorkFile::open(path, size, Width::Two).map_err(|e| io_error(path, "worked on", &e))?;
    if let (Cells::One(from), Cells::Two(to)) = (file.cells(), wide.cells()) {
        for (from, to) in from.iter().zip(to) {
            to.store(from.load(Relaxed).into(), Relaxed);
        }
    }
    wide.flush().map_err(|e| io_error(path, "written", &e))
}

/// The cells of a table that is finished, by one window.
fn finished(table: &Table, plane: usize) -> Result<Below<'_>, Error> {
    let cells = table.cells()?[plane].finished();
    Ok(Below { layout: table.planes[plane].1, open: table.opens[plane], cells })
}

/// Hears how far a build is, and notes it.
struct Watch<'a> {
    maker: &'a Maker<'a>,
    file: &'a WorkFile,
    /// With when it was written last.
    journal: std::sync::Mutex<(&'a mut Journal, Duration)>,
    plane: usize,
    width: Width,
    size: u64,
    part: [f64; 2],
    failed: std::sync::Mutex<Option<Error>>,
}

impl BuildWatch for Watch<'_> {
    fn goes_on(&self, cells: u64) -> bool {
        self.maker.shared.done.fetch_add(cells, Relaxed);
        self.maker.shared.goes_on()
    }

    fn reached(&self, stage: Stage) -> bool {
        // How far that is can be told for the first look only; of the rest nobody knows how much
        // there is.
        let share = match stage {
            Stage::Looking(at) => at as f64 / self.size.max(1) as f64 / 2.0,
            Stage::Deciding { distance, .. } => 0.95 - 0.45 / (1.0 + f64::from(distance) / 10.0),
            Stage::Closing | Stage::Done => 0.95,
        };
        let share = self.part[0] + (self.part[1] - self.part[0]) * share;
        self.maker.shared.share.store(share.to_bits(), Relaxed);
        let Ok(mut guard) = self.journal.lock() else { return false };
        let (journal, last) = &mut *guard;
        let now = self.maker.clock.now();
        let due = now.saturating_sub(*last) >= self.maker.settings.every;
        // What is not decided is made open after this: no earlier stage can be taken up then.
        let must = stage == Stage::Closing;
        journal.stage = stage;
        if due || must {
            *last = now;
            let flushed =
                self.file.flush().map_err(|e| io_error(Path::new(&journal.class), "saved", &e));
            if let Err(error) = flushed.and_then(|()| journal.write(self.plane, self.width, stage))
            {
                if let Ok(mut failed) = self.failed.lock() {
                    *failed = Some(error);
                }
                return false;
            }
        }
        self.maker.shared.goes_on()
    }
}
