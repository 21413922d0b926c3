//! Words that name things: scripts, units, policies.

use std::ops::Range;

use foregone_model::TextError;

/// The thing that `word` names, or an error that points at the word and lists what there is.
pub(crate) fn look_up<T: Copy>(
    what: &str,
    word: &str,
    span: Range<usize>,
    all: &[T],
    name: impl Fn(T) -> &'static str,
) -> Result<T, TextError> {
    all.iter().copied().find(|&t| name(t).eq_ignore_ascii_case(word)).ok_or_else(|| {
        let choices = all.iter().map(|&t| name(t).to_owned()).collect();
        let message = format!("there is no {what} called `{word}`");
        TextError::new(message, span).with_choices(choices)
    })
}
