//! Games that were opened, kept for the next request: compiling a rulesheet takes a while.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use foregone::games::files::{Files, StopCheck};
use foregone::model::rules_of_text;
use foregone::{AnyGame, Clock, Description, Engine, Error};

/// Texts of rules, by the paths that games name.
pub type Texts = BTreeMap<String, String>;

/// So many games are kept.
const MOST_KEPT: usize = 24;

/// A game that was opened.
#[derive(Clone)]
pub(crate) struct Open {
    pub(crate) game: AnyGame,
    pub(crate) about: Arc<Description>,
    pub(crate) warnings: Arc<Vec<String>>,
}

/// Games that were opened, the one asked for last at the end.
#[derive(Default)]
pub(crate) struct Games(Mutex<Vec<(String, Open)>>);

/// An engine that has these files and no others: no path leads to a disk.
pub(crate) fn engine(clock: &Arc<dyn Clock>, texts: &Texts, stop: StopCheck) -> Engine {
    let mut files = Files::from_memory(texts);
    // A certificate may name a folder that its rules once were in.
    files.beside = Some("".into());
    Engine::new(files, Shared(Arc::clone(clock))).with_stop(stop)
}

/// A clock that several engines read.
struct Shared(Arc<dyn Clock>);

impl Clock for Shared {
    fn now(&self) -> Duration {
        self.0.now()
    }
}

impl Games {
    /// Opens a game, or takes it out of those that are open.
    pub(crate) fn open(&self, engine: &Engine, spec: &str, texts: &Texts) -> Result<Open, Error> {
        let key = key(spec, texts);
        if let Ok(mut kept) = self.0.lock()
            && let Some(at) = kept.iter().position(|(other, _)| *other == key)
        {
            let found = kept.remove(at);
            let open = found.1.clone();
            kept.push(found);
            return Ok(open);
        }
        let game = engine.open(spec)?;
        let (about, warnings) = (Arc::new(game.describe()), Arc::new(engine.warnings(spec)));
        let open = Open { game, about, warnings };
        // Rules that were given up half way are not kept: `open` has failed then.
        if let Ok(mut kept) = self.0.lock() {
            if kept.len() >= MOST_KEPT {
                kept.remove(0);
            }
            kept.push((key, open.clone()));
        }
        Ok(open)
    }
}

/// What tells games apart: what was typed, and the digests of the texts that it may be read from.
fn key(spec: &str, texts: &Texts) -> String {
    let mut key = spec.to_owned();
    for (path, text) in texts {
        let digest = rules_of_text(text).digest.unwrap_or_default();
        key.push_str(&format!("\n{path} {digest}"));
    }
    key
}

/// Says when opening a game is to be given up. Once it is done nothing is given up any more: the game
/// may be asked by others later.
pub(crate) struct Opening(Arc<AtomicBool>);

impl Opening {
    pub(crate) fn done(self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A check that ends opening a game after so long, or when somebody says so.
pub(crate) fn while_opening(
    clock: &Arc<dyn Clock>,
    most: Duration,
    cancelled: impl Fn() -> bool + Send + Sync + 'static,
) -> (StopCheck, Opening) {
    let (clock, done) = (Arc::clone(clock), Arc::new(AtomicBool::new(false)));
    let (began, opening) = (clock.now(), Opening(Arc::clone(&done)));
    let stop = StopCheck::new(move || {
        !done.load(Ordering::Relaxed) && (cancelled() || clock.now().saturating_sub(began) > most)
    });
    (stop, opening)
}
