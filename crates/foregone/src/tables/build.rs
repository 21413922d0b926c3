//! Building tables: class by class, each behind all that it leads to, here or by a crew elsewhere.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use foregone_games::erased::Erased;
use foregone_model::{Class, Notation};
use serde::Serialize;

use super::elsewhere::Elsewhere;
use super::journal::Journal;
use super::make::{Maker, Shared, aside};
use super::share::TableCrew;
use super::table::Shelf;
use super::{Folder, Numbering, io_error, layouts, listed, open_file, tabled_game, wanted};
use crate::error::Error;
use crate::game::AnyGame;
use crate::observe::{Context, Event, Work};

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

/// A class to build.
pub(super) struct Step {
    pub(super) class: Class,
    pub(super) name: String,
    /// How many numbers it has; none as long as its positions are not listed.
    pub(super) size: u64,
    /// The steps that it rests on, all of them before it.
    pub(super) below: Vec<usize>,
}

/// The classes to build, each behind all that it leads to.
pub(super) struct Plan {
    pub(super) steps: Vec<Step>,
}

impl Plan {
    /// The classes that a person means, with all that they lead to. Positions that have no numbering are
    /// those of one class.
    pub(super) fn new(numbering: Option<&Numbering>, text: &str) -> Result<Plan, Error> {
        let Some(numbering) = numbering else {
            listed::wanted(text).map_err(|e| Error::text("class", text, e))?;
            let (class, name) = (listed::CLASS, listed::NAME.to_owned());
            return Ok(Plan { steps: vec![Step { class, name, size: 0, below: Vec::new() }] });
        };
        let tabled = numbering.get();
        let classes = wanted(tabled, text)?;
        let place: HashMap<Class, usize> =
            classes.iter().enumerate().map(|(at, &class)| (class, at)).collect();
        let step = |&class: &Class| Step {
            class,
            name: tabled.class_name(class),
            size: tabled.size(class),
            below: tabled.leads_to(class).iter().map(|below| place[below]).collect(),
        };
        Ok(Plan { steps: classes.iter().map(step).collect() })
    }

    /// How many numbers all classes have.
    pub(super) fn size(&self) -> u64 {
        self.steps.iter().map(|step| step.size).sum()
    }
}

/// Who makes the tables of classes.
pub(super) trait Makers {
    /// Begins with the class of this step. All that it rests on are in the folder.
    fn begin(&mut self, at: usize, context: &mut Context<'_>) -> Result<(), Error>;

    /// A class whose table is in the folder now, and can be relied on; nothing if the work was ended.
    fn next(&mut self, context: &mut Context<'_>) -> Result<Option<Made>, Error>;
}

/// A class whose table was made.
pub(super) struct Made {
    pub(super) at: usize,
    pub(super) seconds: f64,
    /// Whether work was taken up that another run had begun.
    pub(super) resumed: bool,
}

/// What is built, and where.
pub(super) struct Site<'a> {
    pub(super) game: &'a Erased,
    pub(super) settings: &'a BuildSettings,
    pub(super) folder: &'a Folder,
    pub(super) plan: &'a Plan,
    /// When the work began.
    pub(super) began: Duration,
}

/// Builds the tables of the classes that a person means, with all that they lead to. Those that are
/// there stay as they are; work that was begun is taken up.
pub fn build(
    game: &AnyGame,
    classes: &str,
    settings: &BuildSettings,
    context: &mut Context<'_>,
) -> Result<BuildAnswer, Error> {
    build_by(game, classes, settings, None, context)
}

/// The same by a crew, if there is one: each class is a job. What comes from the crew is verified entry by
/// entry before it is kept and other classes rest on it.
pub fn build_by(
    game: &AnyGame,
    classes: &str,
    settings: &BuildSettings,
    crew: Option<&mut dyn TableCrew>,
    context: &mut Context<'_>,
) -> Result<BuildAnswer, Error> {
    let game = game.in_turn_game()?;
    tabled_game(game)?;
    let began = context.clock.now();
    let folder = &Folder::new(&settings.dir, game);
    let numbering = Numbering::of_files(game, folder)?;
    let plan = &Plan::new(numbering.as_ref(), classes)?;
    fs::create_dir_all(&folder.path).map_err(|e| io_error(&folder.path, "made", &e))?;
    let site = Site { game, settings, folder, plan, began };
    let there = site.there(numbering.as_ref())?;
    let (tables, complete) = match crew {
        Some(crew) => site.run(there, &mut Elsewhere::new(&site, numbering, crew), context)?,
        None => site.run(there, &mut Here::new(&site, numbering), context)?,
    };
    let seconds = context.clock.now().saturating_sub(began).as_secs_f64();
    Ok(BuildAnswer { game: game.name(), tables, complete, seconds })
}

impl Site<'_> {
    /// The tables that are there.
    fn there(&self, numbering: Option<&Numbering>) -> Result<Vec<Option<BuiltTable>>, Error> {
        let there = |step: &Step| {
            if !self.folder.table(&step.name).exists() {
                return Ok(None);
            }
            if let Some(numbering) = numbering {
                // A process that was killed may have left these.
                let planes = layouts(self.game, numbering.get(), step.class).len();
                Journal::open(self.folder, self.game, &step.name, step.size).remove(planes);
            }
            self.built(step, None).map(Some)
        };
        self.plan.steps.iter().map(there).collect()
    }

    /// A table of the folder, and how it was made if it was.
    fn built(&self, step: &Step, made: Option<&Made>) -> Result<BuiltTable, Error> {
        let path = self.folder.table(&step.name);
        let file = open_file(&path, self.game, &step.name)?;
        Ok(BuiltTable {
            class: step.name.clone(),
            file: path.display().to_string(),
            numbers: file.header().size,
            positions: file.header().counts.iter().map(|(_, count)| count).sum(),
            bytes: file.bytes(),
            seconds: made.map(|made| made.seconds),
            resumed: made.is_some_and(|made| made.resumed),
        })
    }

    /// Has all classes made that are not there, each as soon as those are there that it rests on. Says
    /// whether all of them are there now.
    fn run(
        &self,
        mut built: Vec<Option<BuiltTable>>,
        makers: &mut dyn Makers,
        context: &mut Context<'_>,
    ) -> Result<(Vec<BuiltTable>, bool), Error> {
        let mut waiting: BTreeSet<usize> =
            (0..built.len()).filter(|&at| built[at].is_none()).collect();
        while built.iter().any(Option::is_none) {
            let is_ready =
                |at: &usize| self.plan.steps[*at].below.iter().all(|&b| built[b].is_some());
            let ready: Vec<usize> = waiting.iter().copied().filter(is_ready).collect();
            for at in ready {
                waiting.remove(&at);
                makers.begin(at, context)?;
            }
            match makers.next(context)? {
                Some(made) => {
                    built[made.at] = Some(self.built(&self.plan.steps[made.at], Some(&made))?);
                }
                None => break,
            }
        }
        let complete = built.iter().all(Option::is_some);
        Ok((built.into_iter().flatten().collect(), complete))
    }

    /// Says how far the work is.
    pub(super) fn tell(&self, done: u64, share: f64, context: &mut Context<'_>) {
        let seconds = context.clock.now().saturating_sub(self.began).as_secs_f64();
        context.observer.event(&Event::Working { work: Work::Building, seconds, done, share });
    }
}

/// Makes tables in this process, one after the other.
struct Here<'a> {
    site: &'a Site<'a>,
    numbering: Option<Numbering>,
    /// The tables that are finished.
    shelf: Shelf<'a>,
    shared: Shared,
    queue: BTreeSet<usize>,
}

impl<'a> Here<'a> {
    fn new(site: &'a Site<'a>, numbering: Option<Numbering>) -> Here<'a> {
        let shelf = Shelf::new(site.game, site.folder, site.settings.memory / 2);
        Here { site, numbering, shelf, shared: Shared::default(), queue: BTreeSet::new() }
    }
}

impl Makers for Here<'_> {
    fn begin(&mut self, at: usize, _context: &mut Context<'_>) -> Result<(), Error> {
        self.queue.insert(at);
        Ok(())
    }

    fn next(&mut self, context: &mut Context<'_>) -> Result<Option<Made>, Error> {
        let Some(at) = self.queue.pop_first() else { return Ok(None) };
        let Here { site, numbering, shelf, shared, .. } = self;
        let (plan, clock, shared) = (site.plan, context.clock, &*shared);
        let before: u64 = plan.steps[..at].iter().map(|step| step.size).sum();
        let part = [before, before + plan.steps[at].size]
            .map(|done| done as f64 / plan.size().max(1) as f64);
        let began = clock.now();
        let work = || {
            let Site { game, settings, folder, .. } = *site;
            let maker = Maker { game, settings, clock, shared, folder };
            make(&maker, &plan.steps[at], numbering, shelf, part)
        };
        let wait = context.observer.every().unwrap_or(Duration::from_millis(100));
        let wait = wait.clamp(Duration::from_millis(10), Duration::from_millis(200));
        let mut tell = || {
            if context.cancel.is_cancelled() {
                shared.stop.store(true, Relaxed);
            }
            let share = f64::from_bits(shared.share.load(Relaxed));
            site.tell(shared.done.load(Relaxed), share, context);
        };
        let resumed = aside(wait, &mut tell, work)?;
        shared.share.store(part[1].to_bits(), Relaxed);
        let seconds = clock.now().saturating_sub(began).as_secs_f64();
        Ok(resumed.map(|resumed| Made { at, seconds, resumed }))
    }
}

/// Makes the table of a class from those of a shelf. Positions without a numbering are listed first. Says
/// whether work was taken up; nothing if it was ended.
pub(super) fn make(
    maker: &Maker<'_>,
    step: &Step,
    numbering: &mut Option<Numbering>,
    shelf: &mut Shelf<'_>,
    part: [f64; 2],
) -> Result<Option<bool>, Error> {
    if numbering.is_none() {
        *numbering = maker.listed()?;
    }
    let Some(numbering) = numbering else { return Ok(None) };
    let tabled = numbering.get();
    let below = shelf.get(tabled, &tabled.leads_to(step.class))?;
    maker.make(numbering, step.class, &below, part)
}
