//! Work that Python waits for: it runs in a thread of its own, without Python's lock, and who waits looks
//! after Ctrl-C and tells of progress.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use foregone::{Cancel, Event, Observer};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::error::{broken, defect};
use crate::own::Own;

/// How far apart signals are looked at.
const PERIOD: Duration = Duration::from_millis(50);

/// The stack of a search. Those that go deep have more than Python's threads give.
const STACK: usize = 256 << 20;

/// Tells who waits what happened, as JSON, if anybody listens.
pub(crate) struct Teller {
    told: Option<Sender<String>>,
}

impl Observer for Teller {
    fn event(&mut self, event: &Event) {
        if let Some(told) = &self.told
            && let Ok(text) = serde_json::to_string(event)
        {
            // Who does not listen any more is about to end the job.
            let _ = told.send(text);
        }
    }

    fn every(&self) -> Option<Duration> {
        self.told.is_some().then_some(Duration::from_millis(100))
    }
}

impl Teller {
    /// Tells something that is not an event of the library.
    pub(crate) fn tell(&self, text: String) {
        if let Some(told) = &self.told {
            let _ = told.send(text);
        }
    }
}

/// Does the work and returns what comes of it, and whether Ctrl-C ended it. `listener` is called with events;
/// what it raises ends the work and is raised. `own` are the games that are written in Python: what they raise
/// is raised, too.
pub(crate) fn attend<T: Send>(
    py: Python<'_>,
    listener: Option<&Py<PyAny>>,
    own: &[Own],
    work: impl Fn(&mut Teller, &Cancel) -> T + Sync,
) -> PyResult<(T, bool)> {
    loop {
        begin(py, own)?;
        let done = once(py, listener, own, &work);
        // What was found while a game broke down does not count, and its fault is raised. Without one, its plays
        // turned out to go round, and it is asked anew, with that in mind.
        let fault = own.iter().find_map(Own::fault);
        let mut counts = true;
        own.iter().for_each(|own| counts &= own.end_run());
        let (done, interrupted) = done?;
        match (fault, done) {
            (Some(fault), _) => return Err(fault),
            (None, _) if !counts && !interrupted => {}
            (None, Some(done)) if counts => return Ok((done, interrupted)),
            (None, _) if interrupted => return Err(PyKeyboardInterrupt::new_err(())),
            (None, _) => return Err(defect("the search broke down")),
        }
    }
}

/// How often it is tried to begin with a game, and how far apart.
const TRIES: u32 = 500;
const APART: Duration = Duration::from_millis(10);

/// Begins to ask games. One that broke down elsewhere is waited for, but not for ever: who waits may be called
/// by the work that it waits for.
pub(crate) fn begin(py: Python<'_>, own: &[Own]) -> PyResult<()> {
    for (at, one) in own.iter().enumerate() {
        let mut tries = 0;
        while !one.begin() {
            tries += 1;
            if tries > TRIES {
                own[..at].iter().for_each(|begun| {
                    begun.end_run();
                });
                let broken =
                    || broken(py, "the game broke down elsewhere, and is still asked there");
                return Err(one.fault().unwrap_or_else(broken));
            }
            py.detach(|| std::thread::sleep(APART));
        }
    }
    Ok(())
}

/// Does the work once. Nothing comes of it if it broke down.
fn once<T: Send>(
    py: Python<'_>,
    listener: Option<&Py<PyAny>>,
    own: &[Own],
    work: &(impl Fn(&mut Teller, &Cancel) -> T + Sync),
) -> PyResult<(Option<T>, bool)> {
    let cancel = &Cancel::new();
    let listens = listener.is_some();
    let (done, interrupted, raised) = py.detach(|| {
        std::thread::scope(|scope| {
            let (told, heard) = mpsc::channel();
            let worker = std::thread::Builder::new().stack_size(STACK);
            let worker = worker.spawn_scoped(scope, move || {
                // The sender that is left over tells by its end that the work is done.
                let _ends = told.clone();
                let mut teller = Teller { told: listens.then_some(told) };
                match own.is_empty() {
                    true => work(&mut teller, cancel),
                    // Python makes itself known to a thread when it enters, and forgets it when it leaves: as long
                    // as it has entered once and waits, to enter again costs little.
                    false => Python::attach(|py| py.detach(|| work(&mut teller, cancel))),
                }
            });
            let Ok(worker) = worker else { return (None, false, None) };
            let mut watch = Watch { listener, cancel, interrupted: false, raised: None };
            let mut looked = Instant::now();
            loop {
                match heard.recv_timeout(PERIOD.saturating_sub(looked.elapsed())) {
                    Ok(text) => watch.hear(&text),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if looked.elapsed() >= PERIOD {
                    looked = Instant::now();
                    watch.look(own);
                }
            }
            (worker.join().ok(), watch.interrupted, watch.raised)
        })
    });
    if let Some(error) = raised {
        return Err(error);
    }
    Ok((done, interrupted))
}

/// Who waits.
struct Watch<'a> {
    listener: Option<&'a Py<PyAny>>,
    cancel: &'a Cancel,
    interrupted: bool,
    raised: Option<PyErr>,
}

impl Watch<'_> {
    /// Passes an event on.
    fn hear(&mut self, text: &str) {
        if let (Some(listener), None) = (self.listener, &self.raised)
            && let Err(error) = Python::attach(|py| listener.call1(py, (text,)).map(|_| ()))
        {
            self.end(error);
        }
    }

    /// Looks whether a signal came, and whether a game broke down.
    fn look(&mut self, own: &[Own]) {
        if own.iter().any(Own::is_broken) {
            self.cancel.cancel();
        }
        if let Err(error) = Python::attach(|py| py.check_signals()) {
            self.end(error);
        }
    }

    /// The first Ctrl-C ends the job, which then tells what it found. All else is raised.
    fn end(&mut self, error: PyErr) {
        let asked = self.cancel.cancel();
        let key = Python::attach(|py| error.is_instance_of::<PyKeyboardInterrupt>(py));
        if key && !asked && !self.interrupted {
            self.interrupted = true;
        } else {
            self.raised = self.raised.take().or(Some(error));
        }
    }
}
