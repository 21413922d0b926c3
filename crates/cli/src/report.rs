//! Errors on a terminal: the place in the text is shown.

use std::ffi::OsString;
use std::io::Read;
use std::ops::Range;
use std::path::Path;

use crate::program::UNDECIDED;
use clap::error::{ContextKind, ContextValue};
use foregone::games::files::{FromDisk, MOST_BYTES, read_text};
use foregone::games::registry::GAMES;
use foregone::model::certificate::shown;
use foregone::{Error, ErrorKind, plain};
use miette::{Diagnostic, NamedSource, SourceSpan};
use serde::Serialize;

/// Exit code for wrong input.
pub(crate) const BAD_INPUT: u8 = 2;
/// Exit code for a certificate that was refused.
pub(crate) const PROOF_REJECTED: u8 = 3;

/// The exit code for an error.
pub fn exit_code_of(error: &Error) -> u8 {
    match error.kind {
        ErrorKind::Input => BAD_INPUT,
        ErrorKind::Proof => PROOF_REJECTED,
        ErrorKind::Stopped => match crate::signals::caught() {
            true => crate::signals::exit_code(),
            false => UNDECIDED,
        },
    }
}

/// An error as a terminal shows it.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("{message}")]
struct Failure {
    message: String,
    #[help]
    help: Option<String>,
    #[source_code]
    source_text: Option<NamedSource<String>>,
    #[label]
    place: Option<SourceSpan>,
}

/// An error as a terminal shows it.
pub(crate) fn report(error: Error) -> miette::Report {
    let (mut source_text, mut place) = (None, None);
    if let Some(at) = error.place {
        let (name, text, span) = excerpt(&at.name, &at.text, at.span);
        source_text = Some(NamedSource::new(shown(&name), harmless(&text)));
        place = Some(SourceSpan::from(span));
    }
    miette::Report::new(Failure { message: error.message, help: error.help, source_text, place })
}

/// An error as programs read it.
#[derive(Serialize)]
pub(crate) struct Reported<'a> {
    /// The line of a list of questions that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<usize>,
    pub(crate) error: &'a Error,
}

impl Reported<'_> {
    /// One object on a line. Texts and numbers can always be written.
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

/// What is wrong with the words of the command line.
pub(crate) fn of_words(error: &clap::Error) -> Error {
    let text = error.render().to_string();
    let mut parts = text.split("\n\n");
    let message = parts.next().unwrap_or_default();
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let tips = parts.filter_map(|part| part.trim().strip_prefix("tip: "));
    Error::input(message.split_whitespace().collect::<Vec<_>>().join(" "))
        .help(tips.collect::<Vec<_>>().join("; "))
}

/// The same for who has no command line: the place is the word that an option was given.
pub(crate) fn of_named_words(error: &clap::Error) -> Error {
    let told = of_words(error);
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let option = text(ContextKind::InvalidArg).map(|option| {
        option.split([' ', '=', '[']).next().unwrap_or_default().trim_start_matches('-')
    });
    match (option, text(ContextKind::InvalidValue)) {
        (Some(option), Some(word)) => told.at(option, word, 0..word.len()),
        (Some(option), None) => told.at("options", option, 0..option.len()),
        (None, _) => told,
    }
}

/// Adds a hint where the options of a game stand behind a blank instead of a colon.
pub(crate) fn hint(error: &mut clap::Error, words: &[OsString]) {
    if error.kind() != clap::error::ErrorKind::UnknownArgument {
        return;
    }
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg) else { return };
    let words = words.iter().map(|word| word.to_string_lossy().into_owned());
    let mut before = words.take_while(|w| w != word).collect::<Vec<_>>();
    if let (false, Some(game)) = (word.starts_with('-'), before.pop())
        && GAMES.iter().any(|entry| entry.name.eq_ignore_ascii_case(&game))
    {
        let tip = format!("the options of a game stand behind a colon: '{game}:{word}'");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
}

/// The word for standard input or output in the place of a file.
pub(crate) const STANDARD: &str = "-";

/// The text of a regular file that is not too large, or of standard input.
pub(crate) fn read_file(path: &Path) -> Result<String, Error> {
    if path == Path::new(STANDARD) {
        let mut text = String::new();
        let read = std::io::stdin().take(MOST_BYTES + 1).read_to_string(&mut text);
        let size =
            read.map_err(|e| Error::input(format!("standard input can't be read: {}", plain(&e))))?;
        return match size as u64 > MOST_BYTES {
            true => Err(Error::input(format!("standard input has more than {MOST_BYTES} bytes"))),
            false => Ok(text),
        };
    }
    read_text(&FromDisk, path, MOST_BYTES).map_err(|e| unreadable(path, &e))
}

/// A file that can't be read, and why.
pub(crate) fn unreadable(path: &Path, error: &std::io::Error) -> Error {
    Error::input(format!("the file {} can't be read: {}", path.display(), plain(error)))
}

/// A file that can't be written, and why.
pub(crate) fn unwritable(path: &Path, error: &std::io::Error) -> Error {
    Error::input(format!("the file {} can't be written: {}", path.display(), plain(error)))
}

/// Writes a file.
pub(crate) fn write_file(path: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(path, text).map_err(|e| unwritable(path, &e))
}

/// A text of the same length in which nothing is left that a terminal would obey.
pub(crate) fn harmless(text: &str) -> String {
    let plain = |c: char| !c.is_control() || c == '\n' || c == '\t';
    text.chars()
        .flat_map(|c| {
            std::iter::repeat_n(
                if plain(c) { c } else { '?' },
                if plain(c) { 1 } else { c.len_utf8() },
            )
        })
        .collect()
}

/// Longer lines are not shown as a whole: they would be broken, and the place hard to see.
const LONGEST_SHOWN: usize = 100;
/// What is shown before and behind the place of a mistake in such a line.
const AROUND: usize = 40;
/// The sign for what is not shown.
const MORE: &str = "…";

/// A text to show, its name, and a place in it: where the line there is long, only what stands
/// around the place, and the name says where that is.
fn excerpt(name: &str, text: &str, span: Range<usize>) -> (String, String, Range<usize>) {
    let Some((before, rest)) = text.split_at_checked(span.start) else {
        return (name.to_owned(), text.to_owned(), span);
    };
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let end = rest.find('\n').map_or(text.len(), |at| span.start + at);
    if end - start <= LONGEST_SHOWN && span.len() <= LONGEST_SHOWN {
        return (name.to_owned(), text.to_owned(), span);
    }
    let mut from = span.start.saturating_sub(AROUND).max(start);
    let mut shown = span.end.min(span.start + LONGEST_SHOWN).min(end);
    let mut to = (shown + AROUND).min(end);
    // Places between letters only.
    for at in [&mut from, &mut shown, &mut to] {
        while !text.is_char_boundary(*at) {
            *at -= 1;
        }
    }
    let (line, column) = (before.matches('\n').count() + 1, before[start..].chars().count() + 1);
    let name = format!("{name}, line {line}, column {column}");
    let [left, right] = [from > start, to < end].map(|cut| if cut { MORE } else { "" });
    let shift = left.len() + span.start - from;
    let cut = format!("{left}{}{right}", &text[from..to]);
    (name, cut, shift..shift + (shown - span.start))
}
