//! Texts in, values out: the words of a line, what they mean together, and functions by name.

mod calculator;
mod functions;
mod parse;
mod words;

pub use calculator::{Answer, Calculator};

use std::error::Error;
use std::fmt;
use std::ops::Range;

use crate::values::{Value, Values};

/// What is wrong in a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// What is wrong, with the word in question, and with the nearest right one if there is one.
    pub message: String,
    /// The bytes of the text that it is about.
    pub span: Range<usize>,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for ReadError {}

/// What a text means that has no variables.
pub(crate) fn evaluate_plain(values: &mut Values, text: &str) -> Result<Answer, ReadError> {
    parse::evaluate(values, &Default::default(), text)
}

impl Values {
    /// The value that a text means: all that [`Values::text`] writes, and sums, differences, multiples
    /// and functions of it, as [`Calculator`] explains.
    pub fn read(&mut self, text: &str) -> Result<Value, ReadError> {
        match evaluate_plain(self, text)? {
            Answer::Value(value) => Ok(value),
            Answer::Number(number) => self
                .number(number)
                .map_err(|it| ReadError { message: it.to_string(), span: 0..text.len() }),
            _ => Err(ReadError { message: "this is no value".into(), span: 0..text.len() }),
        }
    }
}
