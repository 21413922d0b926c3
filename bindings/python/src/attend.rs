//! Work that Python waits for: it runs in a thread of its own, without Python's lock, and who waits looks
//! after Ctrl-C and tells of progress.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use foregone::{Cancel, Event, Observer};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::error::defect;
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
        own.iter().for_each(Own::forgive);
        let (done, interrupted) = once(py, listener, own, &work)?;
        // A game whose plays turned out to go round is asked anew, with that in mind.
        let mut anew = false;
        own.iter().for_each(|own| anew |= own.begins_anew());
        match done {
            _ if anew && !interrupted => {}
            Some(done) => return Ok((done, interrupted)),
            None => return Err(defect("the search broke down")),
        }
    }
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
                work(&mut Teller { told: listens.then_some(told) }, cancel)
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
    if let Some(error) = own.iter().find_map(Own::fault) {
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
