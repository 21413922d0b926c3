//! What is wrong, as exceptions of Python.

use foregone::{Error, ErrorKind, Refused};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Their classes, by the names that Python has for them.
mod classes {
    use pyo3::exceptions::PyValueError;

    pyo3::create_exception!(
        foregone,
        Error,
        PyValueError,
        "Something is wrong with what was asked.\n\n\
         `kind` is \"input\", \"proof\", \"rules\" or \"stopped\"; `place` says where in which text (a dict with \
         name, line, column and word) or is None; `help` is what would be right, where that is known, or None."
    );
    pyo3::create_exception!(
        foregone,
        ProofError,
        Error,
        "A certificate was refused. `line` is the line at fault, where there is one."
    );
    pyo3::create_exception!(
        foregone,
        RulesError,
        Error,
        "A game that is written in Python breaks its own rules."
    );
}

pub(crate) use classes::{Error as ForegoneError, ProofError, RulesError};

/// An error of the library as an exception.
pub(crate) fn raised(py: Python<'_>, error: &Error) -> PyErr {
    let text = match &error.help {
        Some(help) => format!("{}; {help}", error.message),
        None => error.message.clone(),
    };
    let exception = match error.kind {
        ErrorKind::Proof => ProofError::new_err(text),
        ErrorKind::Input | ErrorKind::Stopped => ForegoneError::new_err(text),
    };
    let kind = match error.kind {
        ErrorKind::Input => "input",
        ErrorKind::Proof => "proof",
        ErrorKind::Stopped => "stopped",
    };
    let place = error.place.as_ref().map(|place| {
        let (line, column) = place.line_and_column();
        let word = place.text.get(place.span.clone()).unwrap_or_default();
        (place.name.clone(), line, column, word.to_owned())
    });
    match told(py, &exception, kind, &error.message, place, error.help.as_deref(), None) {
        Ok(()) => exception,
        Err(other) => other,
    }
}

/// A certificate that was refused, as an exception.
pub(crate) fn refused(py: Python<'_>, refused: &Refused) -> PyErr {
    match refused {
        Refused::Game(error) => raised(py, error),
        Refused::Certificate(error) => {
            let text = error.to_string();
            let exception = ProofError::new_err(text.clone());
            match told(py, &exception, "proof", &text, None, None, Some(error.line)) {
                Ok(()) => exception,
                Err(other) => other,
            }
        }
    }
}

/// A game of Python's that breaks its own rules, as an exception.
pub(crate) fn broken(py: Python<'_>, message: &str) -> PyErr {
    let exception = RulesError::new_err(message.to_owned());
    match told(py, &exception, "rules", message, None, None, None) {
        Ok(()) => exception,
        Err(other) => other,
    }
}

type At = (String, usize, usize, String);

/// Writes the parts of an error to its exception.
fn told(
    py: Python<'_>,
    exception: &PyErr,
    kind: &str,
    message: &str,
    place: Option<At>,
    help: Option<&str>,
    line: Option<u64>,
) -> PyResult<()> {
    let value = exception.value(py);
    value.setattr("kind", kind)?;
    value.setattr("message", message)?;
    value.setattr("help", help)?;
    value.setattr("line", line)?;
    let place = match place {
        None => None,
        Some((name, line, column, word)) => {
            let dict = PyDict::new(py);
            dict.set_item("name", name)?;
            dict.set_item("line", line)?;
            dict.set_item("column", column)?;
            dict.set_item("word", word)?;
            Some(dict)
        }
    };
    value.setattr("place", place)
}

/// What only a defect of ours can bring about.
pub(crate) fn defect(what: &str) -> PyErr {
    PyRuntimeError::new_err(format!("{what}: this is a defect of foregone"))
}
