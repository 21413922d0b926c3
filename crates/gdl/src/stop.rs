//! A way out of rules that take too long.

use std::fmt;
use std::sync::Arc;

/// Says whether to give up. It is asked every few thousand steps while a rulesheet is compiled and
/// tried out. This crate has no clock: a caller with a deadline brings one.
///
/// ```
/// use foregone_gdl::{Limits, LoadError, Loaded, StopCheck};
///
/// let text = "(role a) (legal a go) (init x) (<= terminal (not (true x))) (goal a 100)";
/// let stopped = Loaded::with_limits(text, None, Limits::default(), &StopCheck::new(|| true));
/// assert_eq!(stopped.err(), Some(LoadError::Stopped));
/// ```
#[derive(Clone, Default)]
pub struct StopCheck(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl StopCheck {
    /// Never gives up.
    pub const NEVER: StopCheck = StopCheck(None);

    /// Gives up as soon as this function says so.
    pub fn new(should_stop: impl Fn() -> bool + Send + Sync + 'static) -> StopCheck {
        StopCheck(Some(Arc::new(should_stop)))
    }

    /// Asks the function.
    pub(crate) fn check(&self) -> Result<(), Stopped> {
        match &self.0 {
            Some(should_stop) if should_stop() => Err(Stopped),
            _ => Ok(()),
        }
    }

    /// Asks the function once in [`STEPS`] steps, given the number of the step.
    #[inline]
    pub(crate) fn check_at(&self, step: u64) -> Result<(), Stopped> {
        if step.is_multiple_of(STEPS) { self.check() } else { Ok(()) }
    }
}

/// A step takes some ten nanoseconds, and reading a clock about as long.
const STEPS: u64 = 4096;

impl fmt::Debug for StopCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "StopCheck(..)" } else { "StopCheck::NEVER" })
    }
}

/// The stop check said so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;
