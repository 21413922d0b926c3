//! How far a job is, on standard error: a live line on a terminal, a line now and then in a log.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use foregone::text::{bytes_text, short};
use foregone::{Budget, Event, Observer, Progress, Work};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::ProgressWhen;

/// How often the live line is drawn.
const LIVE: Duration = Duration::from_millis(200);
/// How often a log gets a line.
const LOG: Duration = Duration::from_secs(60);
/// How often a log is thought of: what takes long is said before the first line.
const GLANCE: Duration = Duration::from_secs(1);

/// Says how far a job is.
pub struct Screen {
    way: Way,
    bar: ProgressBar,
    /// When the last line was shown.
    last: Duration,
    /// The scheme of the search, or its driver.
    scheme: String,
    /// What the search may use.
    budget: Budget,
    /// Which of several searches this is, and how many seconds those before it took.
    which: String,
    before: f64,
    /// The work that is under way, when it began, and how far it was then.
    work: Option<(Work, f64, f64)>,
    /// A smaller game to try, as long as it was not said that this one may take long.
    hint: Option<Hint>,
}

/// What is said of a search that takes long.
struct Hint {
    smaller: Option<String>,
}

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// A line that is drawn again and again.
    Live,
    /// A line each so often, which stays.
    Lines(Duration),
    /// Not at all.
    No,
}

impl Screen {
    /// Shows progress when it is wanted; `json` says that the answer is for a program.
    pub fn new(when: ProgressWhen, json: bool) -> Screen {
        let way = match (when, std::io::stderr().is_terminal()) {
            (ProgressWhen::Never, _) => Way::No,
            (ProgressWhen::Every(time), _) => Way::Lines(time),
            (ProgressWhen::Auto, true) if json => Way::No,
            (ProgressWhen::Auto | ProgressWhen::Always, true) => Way::Live,
            (ProgressWhen::Auto | ProgressWhen::Always, false) => Way::Lines(LOG),
        };
        let target = match way {
            Way::Live => ProgressDrawTarget::stderr(),
            Way::Lines(_) | Way::No => ProgressDrawTarget::hidden(),
        };
        // The line is cut where the terminal ends, so what matters most stands first.
        let style = ProgressStyle::with_template("{wide_msg}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
        Screen {
            way,
            bar: ProgressBar::with_draw_target(None, target).with_style(style),
            last: Duration::ZERO,
            scheme: String::new(),
            budget: Budget::default(),
            which: String::new(),
            before: 0.0,
            work: None,
            hint: None,
        }
    }

    /// The same for a search that may use so much.
    pub(crate) fn within(mut self, budget: Budget) -> Screen {
        self.budget = budget;
        self
    }

    /// The same, which says of a search that it may take long, and what is quicker.
    pub(crate) fn hinting(mut self, smaller: Option<String>) -> Screen {
        // Who set a limit that is near knows when it ends.
        let soon = self.budget.time.is_some_and(|time| time <= PATIENCE);
        self.hint = (!soon && self.way != Way::No).then_some(Hint { smaller });
        self
    }

    /// Whether there is to be a line again.
    pub(crate) fn due(&mut self, now: Duration) -> bool {
        let every = match self.way {
            Way::Live => LIVE,
            Way::Lines(time) => time,
            Way::No => return false,
        };
        let due = now >= self.last + every;
        if due {
            self.last = now;
        }
        due
    }

    /// Shows a line.
    pub(crate) fn show(&self, line: String) {
        match self.way {
            Way::Live => {
                self.bar.set_message(line);
                self.bar.tick();
            }
            Way::Lines(_) => say(&line),
            Way::No => {}
        }
    }

    /// The line on the terminal, for who writes to the terminal meanwhile.
    pub(crate) fn bar(&self) -> ProgressBar {
        self.bar.clone()
    }

    /// Takes the line away.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// A line that stays. A log that cannot be written is no reason to end a search.
pub(crate) fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

impl Observer for Screen {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Started { scheme, driver, .. } => {
                self.scheme = scheme.as_ref().unwrap_or(driver).clone();
                self.work = None;
                // The one before took the line away.
                self.bar.reset();
            }
            Event::Progress(progress) => {
                self.hint(progress);
                if self.due(Duration::from_secs_f64(self.before + progress.seconds)) {
                    self.show(self.line(progress));
                }
            }
            Event::Working { work: Work::Comparing, seconds, done, share } => {
                self.which = format!("search {}: ", done + 1);
                self.before = *seconds;
                self.begin(Work::Comparing, *seconds, *share);
                if self.due(Duration::from_secs_f64(*seconds)) {
                    self.show(self.work_line(*seconds, *done, *share));
                }
            }
            Event::Working { work, seconds, done, share } => {
                self.begin(*work, *seconds, *share);
                if self.due(Duration::from_secs_f64(self.before + *seconds)) {
                    let line = self.work_line(*seconds, *done, *share);
                    self.show(format!("{}{line}", self.which));
                }
            }
            Event::Done { .. } => self.clear(),
            Event::MoveStarted { .. }
            | Event::MoveValued { .. }
            | Event::ProofStarted
            | Event::ProofChecked { .. } => {}
        }
    }

    fn every(&self) -> Option<Duration> {
        match self.way {
            Way::Live => Some(LIVE),
            Way::Lines(time) => Some(time.min(GLANCE)),
            Way::No => None,
        }
    }
}

/// After so long without an answer, a search is said to take long.
const LONG: f64 = 5.0;
/// Whoever waits no longer than this need not be warned.
const PATIENCE: Duration = Duration::from_secs(60);

impl Screen {
    /// Where a search stands, in a line.
    pub(crate) fn line(&self, progress: &Progress) -> String {
        let nodes = progress.nodes as f64;
        let of_time = self.budget.time.map(|t| format!(" of {:.0} s", t.as_secs_f64()));
        let of_nodes = self.budget.nodes.map(|n| format!(" of {}", short(n as f64)));
        let moves: Vec<&str> = progress.line.iter().take(8).map(String::as_str).collect();
        format!(
            "{}{:.0} s{}  {}{} nodes  {}/s  {}  {} {}  {}",
            self.which,
            progress.seconds,
            of_time.unwrap_or_default(),
            short(nodes),
            of_nodes.unwrap_or_default(),
            short(nodes / progress.seconds.max(1e-9)),
            bytes_text(progress.bytes),
            self.scheme,
            progress.root,
            moves.join(" "),
        )
        .trim_end()
        .to_owned()
    }

    /// Notes when work began that is not a search.
    fn begin(&mut self, work: Work, seconds: f64, share: f64) {
        if self.work.is_none_or(|(under_way, ..)| under_way != work) {
            self.work = Some((work, seconds, share));
        }
    }

    /// How far that work is, in a line, and how long it will take.
    pub(crate) fn work_line(&self, seconds: f64, done: u64, share: f64) -> String {
        let Some((work, since, before)) = self.work else { return String::new() };
        let what = match work {
            Work::Writing => "writing the proof".to_owned(),
            Work::Checking => format!("checking the proof, {} read", bytes_text(done)),
            Work::Counting => format!("{} sequences", short(done as f64)),
            Work::Comparing => format!("{done} searches"),
            Work::Building => format!("{} positions looked at", short(done as f64)),
            Work::Verifying => format!("{} positions verified", short(done as f64)),
        };
        let left = (seconds - since) * (1.0 - share) / (share - before);
        let left = match left.is_finite() && left >= 0.0 && seconds - since > 0.5 {
            true => format!(", about {} left", about(left)),
            false => String::new(),
        };
        format!("{seconds:.0} s  {what}, {:.0} %{left}", 100.0 * share)
    }

    /// Says once that a search may take long.
    fn hint(&mut self, progress: &Progress) {
        if progress.seconds < LONG || self.hint.is_none() {
            return;
        }
        let all = progress.moves.len();
        let decided = progress.moves.iter().filter(|m| m.bounds[0] == m.bounds[1]).count();
        // If each of the other first moves takes as long as one did, it is soon over.
        if decided > 0 && progress.seconds * (all as f64 / decided as f64) < 6.0 * LONG {
            return;
        }
        let Some(Hint { smaller }) = self.hint.take() else { return };
        let seen = match all {
            0 => String::new(),
            _ => format!(", and {decided} of {all} first moves decided"),
        };
        let quicker = match smaller {
            Some(game) => format!(" `foregone solve {game}` takes seconds."),
            None => String::new(),
        };
        let text = format!(
            "note: no answer after {:.0} s{seen}: this may take minutes, hours or longer.{quicker} \
             The search goes on; Ctrl-C ends it and tells what was found, and so does --time 60s \
             after a minute.",
            progress.seconds
        );
        self.bar.suspend(|| say(&text));
    }
}

/// A time for people, roughly.
fn about(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.0} h", s / 3600.0),
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.clear();
    }
}
