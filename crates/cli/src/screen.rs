//! The live line: where a search stands, on standard error, if that is a terminal.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use foregone::{Event, Observer, Progress};

use crate::print::{bytes_text, short};

/// Draws the live line.
pub struct Screen {
    on: bool,
    last: Duration,
    drawn: bool,
    /// The scheme of the search, or its driver.
    scheme: String,
}

impl Screen {
    /// A line that is drawn where standard error is a terminal, if it is wanted at all.
    pub fn new(show: bool) -> Screen {
        let on = show && std::io::stderr().is_terminal();
        Screen { on, last: Duration::ZERO, drawn: false, scheme: String::new() }
    }

    /// Whether the line is to be drawn again.
    pub(crate) fn due(&mut self, now: Duration) -> bool {
        let due = self.on && now >= self.last + Duration::from_millis(200);
        if due {
            self.last = now;
        }
        due
    }

    /// Draws the line.
    pub(crate) fn show(&mut self, line: &str) {
        let width = terminal_width();
        let cut: String = line.chars().take(width.saturating_sub(1)).collect();
        let mut err = std::io::stderr();
        let _ = write!(err, "\r\x1b[K{cut}").and_then(|()| err.flush());
        self.drawn = true;
    }

    /// Takes the line away.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.drawn) {
            let mut err = std::io::stderr();
            let _ = write!(err, "\r\x1b[K").and_then(|()| err.flush());
        }
    }
}

impl Observer for Screen {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Started { scheme, driver, .. } => {
                self.scheme = scheme.as_ref().unwrap_or(driver).clone();
            }
            Event::Progress(progress) => {
                let line = self.line(progress);
                self.show(&line);
            }
            Event::ProofStarted if self.on => self.show("the proof is being checked"),
            Event::Done { .. } => self.clear(),
            Event::ProofStarted | Event::ProofChecked { .. } => {}
        }
    }

    fn every(&self) -> Option<Duration> {
        self.on.then_some(Duration::from_millis(200))
    }
}

impl Screen {
    /// Where a search stands, in a line.
    fn line(&self, progress: &Progress) -> String {
        let nodes = progress.nodes as f64;
        let moves: Vec<&str> = progress.line.iter().take(8).map(String::as_str).collect();
        format!(
            "{:.0} s  {} nodes  {}/s  {}  {} {}  {}",
            progress.seconds,
            short(nodes),
            short(nodes / progress.seconds.max(1e-9)),
            bytes_text(progress.bytes),
            self.scheme,
            progress.root,
            moves.join(" "),
        )
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.clear();
    }
}

/// The width that the shell tells, or the usual one.
fn terminal_width() -> usize {
    std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok()).unwrap_or(80)
}
