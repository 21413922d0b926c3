//! `foregone table build --cluster`: classes of positions as jobs.

use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use foregone::tables::{self, BuildAnswer, BuildSettings, TableSetup};
use foregone::{AnyGame, Context, Error, Event, Observer};
use foregone_cluster::{ClusterError, Connect, Coordinator, SolveInfo};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::worker::machine;
use super::{
    Assignment, Coordinated, SharedView, VERSION, failed, files_of, options, serve_figures,
};
use crate::args::ClusterArgs;
use crate::commands::warn;
use crate::program::Program;
use crate::screen::Screen;

/// Builds tables by workers elsewhere.
pub(crate) fn build(
    program: &mut Program<'_>,
    (game, text): (&AnyGame, &str),
    classes: &str,
    settings: &BuildSettings,
    args: &ClusterArgs,
    json: bool,
) -> Result<BuildAnswer, Error> {
    let url = args.cluster.as_deref().unwrap_or_default();
    let files = files_of(&program.engine, text)?;
    let setup = TableSetup { game: text.to_owned(), classes: classes.to_owned(), files };
    let coordinated = coordinate(url, &setup, &settings.dir, args)?;
    let (engine, cancel) = (program.engine.clone(), program.cancel.clone());
    let view = Arc::clone(&coordinated.view);
    let mut observer = Told { screen: program.observer(json), view };
    let mut context = Context::new(engine.clock(), &mut observer, &cancel);
    let mut crew = coordinated.crew();
    let answer = tables::build_by(game, classes, settings, Some(&mut crew), &mut context);
    drop((observer, crew));
    end(coordinated, answer.as_ref().ok());
    answer
}

/// Begins, or goes on where another coordinator of the same folder stopped.
fn coordinate(
    url: &str,
    setup: &TableSetup,
    dir: &Path,
    args: &ClusterArgs,
) -> Result<Coordinated, Error> {
    let connect = Connect::from_environment(url);
    let view = SharedView::default();
    let figures =
        args.metrics.as_deref().map(|address| serve_figures(address, &view)).transpose()?;
    let id = args.name.clone().unwrap_or_else(|| name(setup, dir));
    let title = format!("tables of {} {}", setup.game, setup.classes).trim_end().to_owned();
    let info = SolveInfo { id: id.clone(), version: VERSION.to_owned(), title };
    let setup = Assignment::Tables(setup.clone()).to_bytes()?;
    let coordinator =
        match Coordinator::create(&connect, info.clone(), setup.clone(), options(args)) {
            Err(ClusterError::Exists { .. }) => {
                crate::screen::say(&format!(
                    "solve {id} is there: it goes on when nobody else coordinates it"
                ));
                let taken = Coordinator::take_over(&connect, &id, Duration::ZERO, options(args));
                let (coordinator, there, found) = taken.map_err(failed)?;
                if there != info || found != setup {
                    let _ = coordinator.detach();
                    let message = format!("the solve {id} on this server is another one");
                    return Err(Error::input(message).help("choose another --name"));
                }
                coordinator
            }
            created => created.map_err(failed)?,
        };
    Ok(Coordinated::new(coordinator, connect.shown(), id, view, figures))
}

/// The same name for the same command, so that a second run finds what the first one left on the server.
fn name(setup: &TableSetup, dir: &Path) -> String {
    let dir = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
    let dir = std::fs::canonicalize(&dir).unwrap_or(dir);
    let all = json!([setup.game, setup.classes, dir.to_string_lossy(), machine()]).to_string();
    let digest: String =
        Sha256::digest(all).iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let game: String = setup.game.chars().take(24).map(plain).collect();
    format!("tables-{game}-{digest}")
}

/// All tables are there, or somebody asked for the end: nothing is left on the server. Else workers go on with
/// what they have, and the next run takes it.
fn end(coordinated: Coordinated, answer: Option<&BuildAnswer>) {
    let Coordinated { coordinator, view, .. } = coordinated;
    let Ok(coordinator) = Arc::try_unwrap(coordinator) else { return };
    let complete = answer.is_some_and(|answer| answer.complete);
    let cancelled = view.lock().unwrap_or_else(PoisonError::into_inner).cancelled;
    let ended = match complete || cancelled {
        true => {
            let tables = answer.map_or(0, |answer| answer.tables.len());
            coordinator.finish(json!({ "complete": complete, "tables": tables }))
        }
        false => coordinator.detach(),
    };
    if let Err(error) = ended {
        warn(&error.to_string());
    }
}

/// Tells this terminal and the status on the server how far the work is.
struct Told {
    screen: Screen,
    view: SharedView,
}

impl Observer for Told {
    fn event(&mut self, event: &Event) {
        if let Event::Working { .. } = event {
            let mut view = self.view.lock().unwrap_or_else(PoisonError::into_inner);
            view.progress = serde_json::to_value(event).unwrap_or_default();
        }
        self.screen.event(event);
    }

    fn every(&self) -> Option<Duration> {
        self.screen.every()
    }
}
