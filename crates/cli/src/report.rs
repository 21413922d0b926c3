//! Errors on a terminal: the place in the text is shown.

use std::ops::Range;
use std::path::Path;

use foregone::games::files::{FromDisk, MOST_BYTES, read_text};
use foregone::model::certificate::shown;
use foregone::{Error, ErrorKind};
use miette::{Diagnostic, NamedSource, SourceSpan};

/// Exit code for wrong input.
pub(crate) const BAD_INPUT: u8 = 2;
/// Exit code for a certificate that was refused.
pub(crate) const PROOF_REJECTED: u8 = 3;

/// The exit code for an error.
pub fn exit_code_of(error: &Error) -> u8 {
    match error.kind {
        ErrorKind::Input => BAD_INPUT,
        ErrorKind::Proof => PROOF_REJECTED,
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

/// The text of a regular file that is not too large.
pub(crate) fn read_file(path: &Path) -> Result<String, Error> {
    read_text(&FromDisk, path, MOST_BYTES)
        .map_err(|e| Error::input(format!("the file {} can't be read: {e}", path.display())))
}

/// Writes a file.
pub(crate) fn write_file(path: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(path, text)
        .map_err(|e| Error::input(format!("the file {} can't be written: {e}", path.display())))
}

/// A text of the same length in which nothing is left that a terminal would obey.
fn harmless(text: &str) -> String {
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

/// Longer lines are not shown as a whole. A drawing of more than 65,535 columns would even panic.
const LONGEST_SHOWN: usize = 1000;
/// What is shown before and behind the place of a mistake in such a line.
const AROUND: usize = 40;

/// A text to show, its name, and a place in it: where the line there is very long, only what
/// stands around the place, and the name says where that is.
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
    let (line, column) = (before.matches('\n').count() + 1, span.start - start + 1);
    let name = format!("{name}, line {line}, at byte {column}");
    let shift = span.start - from;
    (name, text[from..to].to_owned(), shift..shift + (shown - span.start))
}
