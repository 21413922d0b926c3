//! What a person is told when something is wrong: the word at fault, its place, what was expected,
//! and the nearest right word.

use std::ops::Range;

use foregone_games::registry::GameError;
use foregone_model::TextError;
use foregone_model::certificate::shown;

/// What kind of thing is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The input: a game, a position, a question, a file.
    Input,
    /// A certificate, which was refused.
    Proof,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// What kind of thing is wrong.
    pub kind: ErrorKind,
    /// What is wrong.
    pub message: String,
    /// What would be right, where that is known.
    pub help: Option<String>,
    /// The place in a text at which it is wrong.
    pub place: Option<Box<Place>>,
}

/// A place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which text: `position`, `formula`, the path of a file.
    pub name: String,
    /// The text.
    pub text: String,
    /// The bytes at fault.
    pub span: Range<usize>,
}

impl Error {
    /// Wrong input, as a plain message.
    pub fn input(message: impl Into<String>) -> Error {
        Error { kind: ErrorKind::Input, message: message.into(), help: None, place: None }
    }

    /// A certificate that was refused.
    pub fn proof(message: impl Into<String>) -> Error {
        Error { kind: ErrorKind::Proof, ..Error::input(message) }
    }

    /// The same, saying first where it happened.
    pub fn before(mut self, place: &str) -> Error {
        self.message = format!("{place}: {}", self.message);
        self
    }

    /// The same with a hint.
    pub fn help(mut self, help: impl Into<String>) -> Error {
        self.help = Some(help.into()).filter(|help: &String| !help.is_empty());
        self
    }

    /// The same, showing a place in a text.
    pub fn at(mut self, name: &str, text: &str, span: Range<usize>) -> Error {
        let (name, text) = (name.to_owned(), text.to_owned());
        self.place = Some(Box::new(Place { name, text, span }));
        self
    }

    /// An error in a text that a person typed or wrote; `name` says which text.
    pub fn text(name: &str, text: &str, error: TextError) -> Error {
        let word = text.get(error.span.clone()).unwrap_or_default();
        let help = suggest(word, &error.choices);
        Error { help, ..Error::input(error.message).at(name, text, error.span) }
    }

    /// An error in a file; `looks_right` says whether a line of it looks like one of such a file.
    /// What stands in any other file is not shown.
    pub fn in_file(
        path: &str,
        text: &str,
        error: TextError,
        looks_right: fn(&str) -> bool,
    ) -> Error {
        match text.lines().any(looks_right) {
            true => Error::text(path, text, error),
            false => Error::input(format!("no line of {path} looks like one of such a file")),
        }
    }

    /// A game that could not be built.
    pub fn game(spec: &str, error: GameError) -> Error {
        match error {
            GameError::Spec(error) => Error::text("game", spec, error),
            GameError::File { path, text, error } => Error::text(&path, &text, error),
            GameError::OtherFile { path } => {
                Error::input(format!("no line of {} looks like one of such a game", shown(&path)))
                    .help(format!("what stands behind the colon of `{spec}` must name its file"))
            }
            GameError::OtherRules { wanted, found } => Error::proof(format!(
                "the proof is about rules sha256:{wanted}, and the file has sha256:{found}"
            )),
            GameError::Unreadable { path, error } => {
                Error::input(format!("the file {} can't be read: {error}", shown(&path)))
            }
        }
    }
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
