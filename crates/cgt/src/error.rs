//! Why a value is refused.

use std::error::Error;
use std::fmt;

/// A value, or the work for it, is larger than what is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TooLarge {
    /// A number does not fit into a 64-bit numerator over at most 2^62.
    Number,
    /// The forms need more memory than [`crate::Values::with_limit`] allows.
    Forms,
    /// The steps given by [`crate::Values::set_budget`] are used up.
    Steps,
    /// A form has too many options to write them all down.
    Options,
    /// A form is nested too deeply.
    Depth,
    /// A text is too long, or a value has too long a text.
    Text,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TooLarge::Number => "a number is too large, or its denominator is",
            TooLarge::Forms => "the values need more memory than they may have",
            TooLarge::Steps => "the value takes more steps than it may",
            TooLarge::Options => "a value has too many options",
            TooLarge::Depth => "a value is nested too deeply",
            TooLarge::Text => "a text is too long",
        })
    }
}

impl Error for TooLarge {}
