//! Building tables: class by class, each in a work file that survives the process, with a journal of
//! how far it is.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use foregone_games::erased::Erased;
use foregone_model::cell::Layout;
use foregone_model::table::{Entry, Window};
use foregone_model::tabled::ClassMoves;
use foregone_model::{Class, Game, Notation, Outcome};
use foregone_search::retrograde::{self, Below, BuildWatch, Built, Problem, Reversed, Stage};
use foregone_tables::{Cells, Header, Width, WorkFile};
use serde::Serialize;

use super::journal::{Journal, remove};
use super::listed::Listed;
use super::table::{Shelf, Table};
use super::{
    Folder, Numbering, io_error, layouts, open_file, outcome_name, tabled_game, unreadable, wanted,
};
use crate::error::Error;
use crate::game::AnyGame;
use crate::observe::{Clock, Context, Event, Work};

/// How tables are built.
#[derive(Clone, Debug)]
pub struct BuildSettings {
    /// The folder for tables.
    pub dir: PathBuf,
    /// How many threads work.
    pub threads: usize,
    /// How many bytes other tables and lists of moves may take. The cells that are worked on stand in
    /// files that are mapped into memory.
    pub memory: u64,
    /// How far apart in time it is noted how far the work is.
    pub every: Duration,
}

impl Default for BuildSettings {
    /// The folder `tables`, one thread, a gigabyte, and a note every five seconds.
    fn default() -> BuildSettings {
        let every = Duration::from_secs(5);
        BuildSettings { dir: "tables".into(), threads: 1, memory: 1 << 30, every }
    }
}

/// What was built.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BuildAnswer {
    /// The game.
    pub game: String,
    /// The tables, in the order in which they were built.
    pub tables: Vec<BuiltTable>,
    /// Whether all of them are there.
    pub complete: bool,
    /// How long it took.
    pub seconds: f64,
}

/// A table that was built, or was there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BuiltTable {
    /// The class.
    pub class: String,
    /// The file.
    pub file: String,
    /// How many numbers the class has.
    pub numbers: u64,
    /// How many positions it has.
    pub positions: u64,
    /// How many bytes the file has.
    pub bytes: u64,
    /// How long it took, if it was not there.
    pub seconds: Option<f64>,
    /// Whether work was taken up that another run had begun.
    pub resumed: bool,
}

/// Builds the tables of the classes that a person means, with all that they lead to. Those that are
/// there stay as they are; work that was begun is taken up.
pub fn build(
    game: &AnyGame,
    classes: &str,
    settings: &BuildSettings,
    context: &mut Context<'_>,
) -> Result<BuildAnswer, Error> {
    let game = game.in_turn_game()?;
    tabled_game(game)?;
    let began = context.clock.now();
    let shared = Shared::default();
    let (send, receive) = mpsc::channel();
    // The work has a thread of its own, so that this one can tell how far it is.
    let answer = std::thread::scope(|scope| {
        let (clock, shared) = (context.clock, &shared);
        scope.spawn(move || {
            let folder = Folder::new(&settings.dir, game);
            let shelf = Shelf::new(game, &folder, settings.memory / 2);
            let mut builder = Builder { game, settings, clock, shared, folder: &folder, shelf };
            let answer = builder.build(classes);
            // Who waits for it is there until it comes.
            let _ = send.send(answer);
        });
        let wait = context.observer.every().unwrap_or(Duration::from_millis(100));
        loop {
            match receive
                .recv_timeout(wait.clamp(Duration::from_millis(10), Duration::from_millis(200)))
            {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Timeout) => {
                    if context.cancel.is_cancelled() {
                        shared.stop.store(true, Relaxed);
                    }
                    let seconds = context.clock.now().saturating_sub(began).as_secs_f64();
                    let done = shared.done.load(Relaxed);
                    let share = f64::from_bits(shared.share.load(Relaxed));
                    let work = Work::Building;
                    context.observer.event(&Event::Working { work, seconds, done, share });
                }
                Err(RecvTimeoutError::Disconnected) => {
                    panic!("the builder ended without an answer")
                }
            }
        }
    })?;
    let seconds = context.clock.now().saturating_sub(began).as_secs_f64();
    Ok(BuildAnswer { seconds, ..answer })
}

/// What the thread that works and the one that tells of it share.
#[derive(Default)]
struct Shared {
    stop: AtomicBool,
    /// How many cells were looked at.
    done: AtomicU64,
    /// Which part of all work is done, the bits of a floating point number.
    share: AtomicU64,
}

struct Builder<'a> {
    game: &'a Erased,
    settings: &'a BuildSettings,
    clock: &'a dyn Clock,
    shared: &'a Shared,
    folder: &'a Folder,
    /// The tables that are finished.
    shelf: Shelf<'a>,
}

impl Builder<'_> {
    fn build(&mut self, classes: &str) -> Result<BuildAnswer, Error> {
        let folder = self.folder;
        let mut answer = BuildAnswer {
            game: self.game.name(),
            tables: Vec::new(),
            complete: false,
            seconds: 0.0,
        };
        // Step 1: a numbering.
        let numbering = match Numbering::of_files(self.game, folder)? {
            Some(numbering) => numbering,
            None => match self.listed()? {
                Some(listed) => Numbering::Listed(Arc::new(listed)),
                None => return Ok(answer),
            },
        };
        // Step 2: class after class.
        let classes = wanted(numbering.get(), classes)?;
        fs::create_dir_all(&folder.path).map_err(|e| io_error(&folder.path, "made", &e))?;
        let sizes: Vec<u64> = classes.iter().map(|&class| numbering.get().size(class)).collect();
        let all: u64 = sizes.iter().sum();
        let mut before = 0;
        for (&class, size) in classes.iter().zip(&sizes) {
            let part = [before, before + size].map(|done| done as f64 / all.max(1) as f64);
            before += size;
            match self.table(&numbering, class, part)? {
                Some(table) => answer.tables.push(table),
                None => return Ok(answer),
            }
        }
        answer.complete = true;
        Ok(answer)
    }

    /// A list of all positions; nothing if that was ended.
    fn listed(&self) -> Result<Option<Listed>, Error> {
        let bytes = self.settings.memory;
        let mut goes_on = |found| {
            self.shared.done.store(found, Relaxed);
            !self.shared.stop.load(Relaxed)
        };
        match Listed::explore(self.game, bytes, &mut goes_on) {
            Ok(listed) => match self.game.rules_violation() {
                Some(violation) => Err(crate::session::rules_error(&self.game.name(), &violation)),
                None => Ok(Some(listed)),
            },
            Err(problem) => super::not_listed(self.game, bytes, problem).map_or(Ok(None), Err),
        }
    }

    /// The table of a class, whose share of all the work this is. Nothing if it was ended.
    fn table(
        &mut self,
        numbering: &Numbering,
        class: Class,
        part: [f64; 2],
    ) -> Result<Option<BuiltTable>, Error> {
        let (folder, began) = (self.folder, self.clock.now());
        let name = numbering.get().class_name(class);
        let path = folder.table(&name);
        let (there, mut resumed) = (path.exists(), false);
        if there {
            // A process that was killed may have left these.
            Journal::open(folder, self.game, &name, numbering.get().size(class))
                .remove(layouts(self.game, numbering.get(), class).len());
        } else {
            let below = numbering.get().leads_to(class);
            let below = self.shelf.get(numbering.get(), &below)?;
            match self.make(numbering, class, &below, part)? {
                Some(was_resumed) => resumed = was_resumed,
                None => return Ok(None),
            }
        }
        let seconds = self.clock.now().saturating_sub(began).as_secs_f64();
        let file = open_file(&path, self.game, &name)?;
        self.shared.share.store(part[1].to_bits(), Relaxed);
        let positions = file.header().counts.iter().map(|(_, count)| count).sum();
        Ok(Some(BuiltTable {
            class: name,
            file: path.display().to_string(),
            numbers: file.header().size,
            positions,
            bytes: file.bytes(),
            seconds: (!there).then_some(seconds),
            resumed,
        }))
    }

    /// Makes the table of a class. Says whether work was taken up; nothing if it was ended.
    fn make(
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
        let mut goes_on = |_| !self.shared.stop.load(Relaxed);
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
        let header = self.header(tabled, class, &planes, &works, below);
        let cells: Vec<Cells<'_>> = works.iter().map(WorkFile::cells).collect();
        let mut texts = match numbering {
            Numbering::Own(_) => None,
            Numbering::Listed(listed) => listed.texts(),
        };
        let texts = texts.as_mut().map(|texts| texts as &mut dyn Iterator<Item = String>);
        let mut goes_on = |_| !self.shared.stop.load(Relaxed);
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
                builder: self,
                file: &file,
                journal: std::sync::Mutex::new((&mut *journal, self.clock.now())),
                plane,
                width,
                size,
                part,
                failed: std::sync::Mutex::new(None),
            };
            let cells = match file.cells() {
                Cells::One(cells) => retrograde::Cells::One(cells),
                Cells::Two(cells) => retrograde::Cells::Two(cells),
            };
            let built = retrograde::build(problem, cells, stage, &watch);
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

    fn header(
        &self,
        tabled: &dyn foregone_games::erased::AnyTabled,
        class: Class,
        planes: &[(Window, Layout)],
        works: &[WorkFile],
        below: &[Arc<Table>],
    ) -> Header {
        let wide = works.iter().any(|work| matches!(work.cells(), Cells::Two(_)));
        Header {
            game: self.game.name(),
            rules: self.game.rules().to_string(),
            class: tabled.class_name(class),
            size: tabled.size(class),
            width: if wide { Width::Two } else { Width::One },
            planes: planes.iter().map(|(window, _)| (window.low.0, window.high.0)).collect(),
            counts: self.counts(tabled, class, planes, works),
            least: tabled.outcomes(class).0.0,
            rests_on: below
                .iter()
                .map(|b| (b.file.header().class.clone(), b.file.digest().to_owned()))
                .collect(),
            texts: tabled.leads_to(class).is_empty() && self.game.tables().is_none(),
        }
    }

    /// How many positions have which outcome for the first player.
    fn counts(
        &self,
        tabled: &dyn foregone_games::erased::AnyTabled,
        class: Class,
        planes: &[(Window, Layout)],
        works: &[WorkFile],
    ) -> Vec<(String, u64)> {
        let best = self.game.scale().best();
        let mut counts: HashMap<Option<Outcome>, u64> = HashMap::new();
        let opens: Vec<Option<Outcome>> =
            planes.iter().map(|&(window, _)| tabled.open_value(class, window)).collect();
        let mut tally = vec![0u64; 1 << 16];
        if let ([(_, layout)], [work]) = (planes, works) {
            // Cells are counted first: there are few different ones.
            match work.cells() {
                Cells::One(cells) => {
                    cells.iter().for_each(|c| tally[usize::from(c.load(Relaxed))] += 1)
                }
                Cells::Two(cells) => {
                    cells.iter().for_each(|c| tally[usize::from(c.load(Relaxed))] += 1)
                }
            }
            for (cell, &count) in tally.iter().enumerate().filter(|&(_, &count)| count > 0) {
                match layout.entry(cell as u16) {
                    Entry::Hole => {}
                    Entry::Open => *counts.entry(opens[0]).or_default() += count,
                    Entry::Forced(o, _) => *counts.entry(Some(o)).or_default() += count,
                }
            }
        } else {
            for index in 0..tabled.size(class) {
                let cells = works.iter().map(|work| cell(work, index));
                if let Some(worth) = super::lookup::worth(planes, &opens, cells) {
                    let value = (worth.least == worth.most).then_some(worth.least);
                    *counts.entry(value).or_default() += 1;
                }
            }
        }
        let mut named: Vec<(String, u64)> = (0..=best.0)
            .map(Outcome)
            .filter_map(|o| Some((outcome_name(self.game, o), *counts.get(&Some(o))?)))
            .collect();
        named.extend(counts.get(&None).map(|&count| ("not determined".to_owned(), count)));
        named
    }
}

fn cell(work: &WorkFile, index: u64) -> u16 {
    match work.cells() {
        Cells::One(cells) => cells[index as usize].load(Relaxed).into(),
        Cells::Two(cells) => cells[index as usize].load(Relaxed),
    }
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
    builder: &'a Builder<'a>,
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
        self.builder.shared.done.fetch_add(cells, Relaxed);
        !self.builder.shared.stop.load(Relaxed)
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
        self.builder.shared.share.store(share.to_bits(), Relaxed);
        let Ok(mut guard) = self.journal.lock() else { return false };
        let (journal, last) = &mut *guard;
        let now = self.builder.clock.now();
        let due = now.saturating_sub(*last) >= self.builder.settings.every;
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
        !self.builder.shared.stop.load(Relaxed)
    }
}
