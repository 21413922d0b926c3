//! A job that takes long: what is shown of it, what a log says, and its checkpoints.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use foregone::{Checkpoints, Error, Event, Observer, plain};
use serde_json::json;

use crate::args::ProgressWhen;
use crate::checkpoint::SharedKeeper;
use crate::cluster::{Coordinated, SharedView};
use crate::commands::warn;
use crate::screen::Screen;

/// How far apart lines of a log are.
const MINUTE: Duration = Duration::from_secs(60);

/// A log.
pub(crate) struct Log {
    file: File,
    path: String,
    json: bool,
    every: Duration,
    /// Puts progress into words.
    words: Screen,
    last: Option<f64>,
}

impl Log {
    /// A log in this file, behind what is there.
    pub(crate) fn new(path: &Path, json: bool, progress: ProgressWhen) -> Result<Log, Error> {
        let path_text = path.display().to_string();
        let file =
            File::options().create(true).append(true).open(path).map_err(|e| {
                Error::input(format!("{path_text} can't be written: {}", plain(&e)))
            })?;
        let every = match progress {
            ProgressWhen::Every(time) => time,
            _ => MINUTE,
        };
        let words = Screen::new(ProgressWhen::Never, json);
        Ok(Log { file, path: path_text, json, every, words, last: None })
    }

    /// Whether a line is due after so many seconds.
    fn due(&mut self, seconds: f64) -> bool {
        let due = self.last.is_none_or(|last| seconds >= last + self.every.as_secs_f64());
        if due {
            self.last = Some(seconds);
        }
        due
    }

    fn event(&mut self, event: &Event) {
        self.words.event(event);
        let text = match event {
            Event::Progress(progress) => match self.due(progress.seconds) {
                true => self.words.line(progress),
                false => return,
            },
            Event::Working { seconds, done, share, .. } => match self.due(*seconds) {
                true => self.words.work_line(*seconds, *done, *share),
                false => return,
            },
            Event::Started { game, question, driver, .. } => {
                format!("{game}: {question}, by {driver}")
            }
            Event::Done { stop } => format!("done: {}", stop.word()),
            Event::ProofStarted => "the proof is being made".to_owned(),
            Event::ProofChecked { claims } => format!("a proof of {claims} claims was checked"),
            Event::MoveStarted { text } => format!("the move {text}"),
            Event::MoveValued { .. } => return,
        };
        let object = || serde_json::to_value(event).unwrap_or_default();
        self.line(text, object);
    }

    /// A line: words, or an object with the time of day.
    fn line(&mut self, text: String, object: impl FnOnce() -> serde_json::Value) {
        let line = match self.json {
            false => text,
            true => {
                let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                let mut object = object();
                object["time"] = json!(now.as_secs());
                object.to_string()
            }
        };
        if let Err(error) = writeln!(self.file, "{line}") {
            warn(&format!("the log {} can't be written: {}", self.path, plain(&error)));
        }
    }
}

/// An observer with all of that.
pub(crate) struct Attended {
    pub(crate) screen: Screen,
    pub(crate) log: Option<Log>,
    pub(crate) checkpoints: Option<(Checkpoints, SharedKeeper)>,
    /// What is told of a solve by several machines.
    pub(crate) view: Option<SharedView>,
}

impl Attended {
    /// The same for a solve by several machines.
    pub(crate) fn of_cluster(mut self, coordinated: &Coordinated) -> Attended {
        self.view = Some(std::sync::Arc::clone(&coordinated.view));
        self
    }

    /// Notes progress for who asks how far a solve is. What is shown here has the workers in it.
    fn viewed(&self, event: &Event) -> Option<Event> {
        let Event::Progress(progress) = event else { return None };
        let mut view =
            self.view.as_ref()?.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        view.progress = serde_json::to_value(progress).unwrap_or_default();
        let root = format!("{}  {}", progress.root, view.words());
        Some(Event::Progress(foregone::Progress { root, ..progress.clone() }))
    }

    /// Tells the log of checkpoints that were kept.
    fn news(&mut self) {
        let Some((_, keeper)) = &self.checkpoints else { return };
        let news: Vec<_> = keeper.0.borrow_mut().news.drain(..).collect();
        let Some(log) = &mut self.log else { return };
        for (pause, bytes) in news {
            let seconds = pause.as_secs_f64();
            let text = format!(
                "a checkpoint of {bytes} bytes, for which the search waited {seconds:.3} s"
            );
            log.line(text, || json!({"event": "checkpoint", "bytes": bytes, "pause": seconds}));
        }
    }

    /// Says at the end how to go on, if there is something to go on with.
    pub(crate) fn end(&mut self, answered: bool) {
        self.news();
        self.screen.clear();
        if let Some((_, keeper)) = &self.checkpoints
            && let Some(text) = keeper.0.borrow_mut().end(answered)
        {
            crate::screen::say(&text);
        }
    }
}

impl Observer for Attended {
    fn event(&mut self, event: &Event) {
        let viewed = self.viewed(event);
        let event = viewed.as_ref().unwrap_or(event);
        self.screen.event(event);
        self.news();
        if let Some(log) = &mut self.log {
            log.event(event);
        }
    }

    fn every(&self) -> Option<Duration> {
        let of_log = self.log.as_ref().map(|log| log.every.min(Duration::from_secs(1)));
        let of_log = of_log.or(self.view.as_ref().map(|_| Duration::from_secs(1)));
        match (self.screen.every(), of_log) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    fn checkpoints(&mut self) -> Option<&mut Checkpoints> {
        self.checkpoints.as_mut().map(|(checkpoints, _)| checkpoints)
    }
}
