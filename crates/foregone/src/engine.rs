//! The engine: a list of games, a clock and a way to read files, to which jobs are given.

use std::io::BufRead;
use std::sync::Arc;

use foregone_games::files::{Files, StopCheck};
use foregone_games::registry::{self, Entry, GAMES, GameError};

use crate::answer::Finished;
use crate::certify::Archive;
use crate::crew::SharedCrew;
use crate::error::Error;
use crate::game::{AnyGame, Replayed};
use crate::job::Job;
use crate::observe::{Cancel, Clock, Context, NoClock, Observer};
use crate::trust::Trust;
use crate::verify::{self, Refused};

/// Runs jobs. Several may run at a time, each with an observer and a token of its own.
#[derive(Clone)]
pub struct Engine {
    games: Vec<Entry>,
    open: Vec<AnyGame>,
    files: Files,
    clock: Arc<dyn Clock>,
    crew: Option<SharedCrew>,
    archive: Option<Arc<dyn Archive>>,
}

#[cfg(not(target_family = "wasm"))]
impl Default for Engine {
    /// The games here, the files on the disk and the clock of the operating system.
    fn default() -> Engine {
        Engine::new(Files::from_disk(), crate::observe::SystemClock::new())
    }
}

impl Engine {
    /// The games here, with these files and this clock.
    pub fn new(files: Files, clock: impl Clock + 'static) -> Engine {
        Engine {
            games: GAMES.to_vec(),
            open: Vec::new(),
            files,
            clock: Arc::new(clock),
            crew: None,
            archive: None,
        }
    }

    /// The games here, without files and without a clock: budgets of time do not end a job.
    pub fn bare() -> Engine {
        Engine::new(Files::from_memory::<String, String>([]), NoClock)
    }

    /// The same with more games. One that has the name of another takes its place.
    pub fn with_games(mut self, games: impl IntoIterator<Item = Entry>) -> Engine {
        for game in games {
            self.games.retain(|other| other.name != game.name);
            self.games.push(game);
        }
        self.games.sort_by_key(|game| game.name);
        self
    }

    /// The same with a game that is open already. It is found by its name in full, which then means no
    /// other game.
    pub fn with_open(mut self, game: AnyGame) -> Engine {
        self.open.retain(|other| other.name() != game.name());
        self.open.push(game);
        self
    }

    /// The games, in the order of their names.
    pub fn games(&self) -> &[Entry] {
        &self.games
    }

    /// The same, which gives up opening a game as soon as this says so.
    pub fn with_stop(mut self, stop: StopCheck) -> Engine {
        self.files.stop = stop;
        self
    }

    /// The same, whose searches of games in turn and of formulas are spread over this crew.
    pub fn with_crew(mut self, crew: SharedCrew) -> Engine {
        self.crew = Some(crew);
        self
    }

    /// The same, whose certificates of games in turn and of formulas are kept there.
    pub fn with_archive(mut self, archive: Arc<dyn Archive>) -> Engine {
        self.archive = Some(archive);
        self
    }

    /// The same without a crew.
    pub fn without_crew(mut self) -> Engine {
        self.crew = None;
        self
    }

    /// The same with these files.
    pub fn with_files(mut self, files: Files) -> Engine {
        self.files = files;
        self
    }

    /// A smaller game than this one, solved within seconds, where the list of games names one.
    pub fn quick_example(&self, game: &str) -> Option<&'static str> {
        registry::find(&self.games, game).ok().and_then(|entry| entry.quick)
    }

    /// How files are found.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// The clock.
    pub fn clock(&self) -> &dyn Clock {
        &*self.clock
    }

    /// Opens a game: `name` or `name:options`.
    pub fn open(&self, game: &str) -> Result<AnyGame, Error> {
        self.open_from(&self.files, game).map_err(|e| Error::game(game, e))
    }

    /// The same, its file looked for where one says.
    pub fn open_from(&self, files: &Files, game: &str) -> Result<AnyGame, GameError> {
        match self.open.iter().find(|open| open.name() == game) {
            Some(open) => Ok(open.clone()),
            None => registry::open_among(&self.games, files, game).map(AnyGame::from),
        }
    }

    /// What a person should know about the rules of a game before an answer, a line each.
    pub fn warnings(&self, game: &str) -> Vec<String> {
        self.warnings_from(&self.files, game)
    }

    /// The same, its file looked for where one says.
    pub fn warnings_from(&self, files: &Files, game: &str) -> Vec<String> {
        registry::warnings_among(&self.games, files, game)
    }

    /// Runs a job: opens its game, asks its question, and replays every proof before it returns.
    pub fn run(
        &self,
        job: &Job,
        observer: &mut dyn Observer,
        cancel: &Cancel,
    ) -> Result<Finished, Error> {
        self.run_on(&self.open(&job.game)?, job, observer, cancel)
    }

    /// Runs a job about a game that is open already, whatever game it names.
    pub fn run_on(
        &self,
        game: &AnyGame,
        job: &Job,
        observer: &mut dyn Observer,
        cancel: &Cancel,
    ) -> Result<Finished, Error> {
        let crew = self.crew.as_deref();
        let archive = self.archive.as_deref();
        game.run(job, &mut Context { clock: &*self.clock, observer, cancel, crew, archive })
    }

    /// Replays all certificates of a text. Files are those of the engine.
    pub fn verify(
        &self,
        text: &mut dyn BufRead,
        trust: &mut Trust<'_>,
    ) -> Result<Vec<Replayed>, Refused> {
        self.verify_from(&self.files, text, trust, &mut |_| {})
    }

    /// The same, files looked for where one says; `warn` hears what is wrong with rules that can
    /// still be played.
    pub fn verify_from(
        &self,
        files: &Files,
        text: &mut dyn BufRead,
        trust: &mut Trust<'_>,
        warn: &mut dyn FnMut(&str),
    ) -> Result<Vec<Replayed>, Refused> {
        verify::verify(self, text, files, trust, warn)
    }
}
