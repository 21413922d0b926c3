//! What a person is told when the input is wrong: the word at fault, its place, what was
//! expected, and the nearest right word.

use std::ops::Range;
use std::path::Path;

use foregone_games::files::{MOST_BYTES, read_text};
use foregone_games::registry::GameError;
use foregone_model::TextError;
use foregone_model::certificate::shown;
use miette::{Diagnostic, NamedSource, SourceSpan};

/// Something that ends the program with a message.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("{message}")]
pub struct Failure {
    message: String,
    #[help]
    help: Option<String>,
    #[source_code]
    source_text: Option<NamedSource<String>>,
    #[label]
    place: Option<SourceSpan>,
    /// The exit code.
    pub code: u8,
}

/// Exit code for wrong input.
pub const BAD_INPUT: u8 = 2;
/// Exit code for a certificate that was refused.
pub const PROOF_REJECTED: u8 = 3;

impl Failure {
    /// Wrong input, as a plain message.
    pub fn input(message: impl Into<String>) -> Failure {
        Failure {
            message: message.into(),
            help: None,
            source_text: None,
            place: None,
            code: BAD_INPUT,
        }
    }

    /// A certificate that was refused.
    pub fn proof(message: impl Into<String>) -> Failure {
        Failure { code: PROOF_REJECTED, ..Failure::input(message) }
    }

    /// The same, saying first where it happened.
    pub fn before(mut self, place: &str) -> Failure {
        self.message = format!("{place}: {}", self.message);
        self
    }

    /// The same with a hint.
    pub fn help(mut self, help: impl Into<String>) -> Failure {
        self.help = Some(help.into());
        self
    }

    /// The same, showing a place in a text.
    pub fn at(mut self, name: &str, text: &str, span: Range<usize>) -> Failure {
        let (name, text, span) = excerpt(name, text, span);
        let (name, text) = (shown(&name), harmless(&text));
        self.source_text = Some(NamedSource::new(name, text));
        self.place = Some(SourceSpan::from(span));
        self
    }

    /// An error in a text that a person typed or wrote; `name` says which text.
    pub fn text(name: &str, text: &str, error: TextError) -> Failure {
        let word = text.get(error.span.clone()).unwrap_or_default();
        let help = suggest(word, &error.choices);
        let failure = Failure::input(error.message).at(name, text, error.span);
        Failure { help, ..failure }
    }

    /// An error in a file; `looks_right` says whether a line of it looks like one of such a file.
    /// What stands in any other file is not shown.
    pub fn in_file(
        path: &str,
        text: &str,
        error: TextError,
        looks_right: fn(&str) -> bool,
    ) -> Failure {
        match text.lines().any(looks_right) {
            true => Failure::text(path, text, error),
            false => Failure::input(format!("no line of {path} looks like one of such a file")),
        }
    }

    /// A game that could not be built.
    pub fn game(spec: &str, error: GameError) -> Failure {
        match error {
            GameError::Spec(error) => Failure::text("game", spec, error),
            GameError::File { path, text, error } => Failure::text(&path, &text, error),
            GameError::OtherFile { path } => {
                Failure::input(format!("no line of {} looks like one of such a game", shown(&path)))
                    .help(format!("what stands behind the colon of `{spec}` must name its file"))
            }
            GameError::OtherRules { wanted, found } => Failure::proof(format!(
                "the proof is about rules sha256:{wanted}, and the file has sha256:{found}"
            )),
            GameError::Unreadable { path, error } => {
                Failure::input(format!("the file {} can't be read: {error}", shown(&path)))
            }
        }
    }
}

/// The text of a regular file that is not too large.
pub fn read_file(path: &Path) -> Result<String, Failure> {
    read_text(path, MOST_BYTES)
        .map_err(|e| Failure::input(format!("the file {} can't be read: {e}", path.display())))
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

/// The nearest of some words, unless it takes changing more than half of it.
pub fn nearest<'c>(word: &str, choices: &'c [String]) -> Option<&'c String> {
    let far = |c: &&String| strsim::damerau_levenshtein(word, c);
    let nearest = choices.iter().min_by_key(far)?;
    let close = far(&nearest) <= nearest.chars().count().max(word.chars().count()) / 2;
    close.then_some(nearest)
}

/// The nearest of some words, as a hint; all of them when there are few and none is near.
pub fn suggest(word: &str, choices: &[String]) -> Option<String> {
    if choices.is_empty() {
        return None;
    }
    if let Some(nearest) = nearest(word, choices) {
        return Some(format!("did you mean `{nearest}`?"));
    }
    let shown: Vec<String> = choices.iter().take(24).map(|c| format!("`{c}`")).collect();
    let more = if choices.len() > shown.len() { ", …" } else { "" };
    Some(format!("one of {}{more}", shown.join(", ")))
}
