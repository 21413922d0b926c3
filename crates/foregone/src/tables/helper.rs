//! Who builds classes that somebody else hands out.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use foregone_games::erased::Erased;
use foregone_games::files::Files;
use foregone_tables::TableFile;

use super::build::{Plan, Step, make};
use super::make::{Maker, Shared, aside};
use super::share::{NotReceived, Piece, TableSetup, TableStore, Task, cell_bytes, most_bytes};
use super::table::Shelf;
use super::{BuildSettings, Folder, Numbering, io_error, layouts, tabled_game};
use crate::engine::Engine;
use crate::error::Error;
use crate::observe::Clock;

/// How often it is looked whether a job is to end.
const GLANCE: Duration = Duration::from_millis(20);

/// Builds classes of one game for somebody else, in a folder of its own. Files there are named by the
/// game's own numbering, whatever a job says; tables that were fetched stay for later jobs.
pub struct TableHelper {
    game: Erased,
    engine: Engine,
    settings: BuildSettings,
    /// The most bytes that the cells of a class may take on the disk.
    disk: u64,
    plan: Plan,
    numbering: Option<Numbering>,
}

impl TableHelper {
    /// Begins to work, in the folder of these settings, which is its own. Nothing is read but what the
    /// setup holds.
    pub fn new(
        setup: TableSetup,
        settings: BuildSettings,
        disk: u64,
        clock: impl Clock + 'static,
    ) -> Result<TableHelper, Error> {
        let TableSetup { game, classes, files } = setup;
        let engine = Engine::new(Files::from_memory(files), clock);
        let game = engine.open(&game)?.in_turn_game()?.clone();
        tabled_game(&game)?;
        let numbering = game.tables().is_some().then(|| Numbering::Own(game.clone()));
        let plan = Plan::new(numbering.as_ref(), &classes)?;
        Ok(TableHelper { game, engine, settings, disk, plan, numbering })
    }

    /// Builds the class that a task names, and leaves its file in the store. `told` is called now and then
    /// as long as the work moves, and says whether to stop. Nothing comes of it if it is stopped, or if the
    /// task makes no sense; the error says which.
    pub fn work(
        &mut self,
        task: &[u8],
        store: &mut dyn TableStore,
        told: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<u8>, String> {
        let task: Task =
            serde_json::from_slice(task).map_err(|e| format!("a task that can't be read: {e}"))?;
        let at = self.step(&task)?;
        let folder = Folder::new(&self.settings.dir, &self.game);
        let made = fs::create_dir_all(&folder.path);
        made.map_err(|e| io_error(&folder.path, "made", &e).to_string())?;
        for (&below, piece) in self.plan.steps[at].below.iter().zip(&task.below) {
            self.fetch(&self.plan.steps[below], piece, &folder, store)?;
            if told() {
                return Err(STOPPED.to_owned());
            }
        }
        let path = folder.table(&self.plan.steps[at].name);
        if !path.exists() {
            self.build(at, &folder, told)?;
        }
        let piece = Piece::of(&TableFile::open(&path).map_err(|e| e.to_string())?);
        piece.send(&path, |name, bytes| {
            if told() {
                return Err(STOPPED.to_owned());
            }
            store.put(name, bytes)
        })?;
        if self.game.tables().is_none() {
            // Nothing else rests on a list, which may be long.
            self.numbering = None;
        }
        serde_json::to_vec(&piece).map_err(|e| e.to_string())
    }

    /// The step of a task: one of the plan, with all that it rests on, and not too large for this disk.
    fn step(&self, task: &Task) -> Result<usize, String> {
        let steps = &self.plan.steps;
        let at = steps.iter().position(|step| step.name == task.class);
        let at = at.ok_or("a task about no class of this game")?;
        let below = steps[at].below.iter().map(|&below| &steps[below].name);
        if !below.eq(task.below.iter().map(|piece| &piece.class)) {
            return Err("a task that rests on other classes than its moves lead to".to_owned());
        }
        let bytes = cell_bytes(&steps[at], self.planes(&steps[at]));
        if bytes > self.disk {
            let (name, disk) = (&steps[at].name, self.disk);
            return Err(format!(
                "{name} may take {bytes} bytes on the disk, and {disk} are allowed"
            ));
        }
        Ok(at)
    }

    fn planes(&self, step: &Step) -> usize {
        let tabled = self.numbering.as_ref().map(Numbering::get);
        tabled.map_or(0, |tabled| layouts(&self.game, tabled, step.class).len())
    }

    /// Makes sure that a table is here which others rest on.
    fn fetch(
        &self,
        step: &Step,
        piece: &Piece,
        folder: &Folder,
        store: &mut dyn TableStore,
    ) -> Result<(), String> {
        let path = folder.table(&step.name);
        if TableFile::open(&path).is_ok_and(|file| Piece::of(&file) == *piece) {
            return Ok(());
        }
        if piece.bytes > most_bytes(&self.game, step, self.planes(step), self.settings.memory) {
            return Err(format!("the table of {} has too many bytes", step.name));
        }
        let received = piece.receive(&path, |name, most| store.get(name, most));
        let file = received.map_err(|problem| match problem {
            NotReceived::Here(error) => error.to_string(),
            NotReceived::There(message) => message,
        })?;
        file.keep().map_err(|e| e.to_string())?;
        match TableFile::open(&path).map(|file| Piece::of(&file)) {
            Ok(found) if found == *piece => Ok(()),
            Ok(_) => Err(format!("the table of {} is not the one that the task names", step.name)),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Builds a class.
    fn build(
        &mut self,
        at: usize,
        folder: &Folder,
        told: &mut dyn FnMut() -> bool,
    ) -> Result<(), String> {
        let TableHelper { game, engine, settings, plan, numbering, .. } = self;
        let shared = &Shared::default();
        let (clock, step) = (engine.clock(), &plan.steps[at]);
        let maker = Maker { game, settings, clock, shared, folder };
        let mut seen = 0;
        let mut tell = || {
            // Work that does not move says nothing, so that others see that it hangs.
            let moved = shared.moved.load(Relaxed);
            if moved != std::mem::replace(&mut seen, moved) && told() {
                shared.stop.store(true, Relaxed);
            }
        };
        let made = aside(GLANCE, &mut tell, || {
            let mut shelf = Shelf::new(game, folder, settings.memory / 2);
            make(&maker, step, numbering, &mut shelf, [0.0, 1.0])
        });
        match made {
            Ok(Some(_)) => Ok(()),
            Ok(None) => Err(STOPPED.to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Where it works.
    pub fn folder(&self) -> &PathBuf {
        &self.settings.dir
    }
}

const STOPPED: &str = "stopped";
