//! What a person is told when something is wrong: the word at fault, its place, what was expected,
//! and the nearest right word.

use std::ops::Range;

use foregone_games::registry::GameError;
use foregone_model::TextError;
use foregone_model::certificate::shown;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// What kind of thing is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// The input: a game, a position, a question, a file.
    Input,
    /// A certificate, which was refused.
    Proof,
    /// Nothing: it was given up before the game was made.
    Stopped,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
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

impl Place {
    /// The line and the column at which it begins, both counted from 1.
    pub fn line_and_column(&self) -> (usize, usize) {
        let before = self.text.get(..self.span.start).unwrap_or(&self.text);
        let line = before.rsplit('\n').next().unwrap_or_default();
        (before.matches('\n').count() + 1, line.chars().count() + 1)
    }
}

/// The text itself may be a long file, which whoever wrote it has.
impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (line, column) = self.line_and_column();
        let mut place = serializer.serialize_struct("Place", 4)?;
        place.serialize_field("name", &self.name)?;
        place.serialize_field("line", &line)?;
        place.serialize_field("column", &column)?;
        place.serialize_field("word", self.text.get(self.span.clone()).unwrap_or_default())?;
        place.end()
    }
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
            false => Error::input(format!("{path} holds something else: no line looks right")),
        }
    }

    /// A game that could not be built.
    pub fn game(spec: &str, error: GameError) -> Error {
        match error {
            GameError::Spec(error) => Error::text("game", spec, error),
            GameError::File { path, text, error } => Error::text(&path, &text, error),
            GameError::OtherFile { path } => {
                let name = spec.split(':').next().unwrap_or_default().to_ascii_lowercase();
                Error::input(format!("{} does not hold a game of `{name}`", shown(&path)))
                    .help(format!("`foregone games {name}` shows how such a file is written"))
            }
            GameError::OtherRules { wanted, found } => Error::proof(format!(
                "the proof is about rules sha256:{wanted}, and the file has sha256:{found}"
            )),
            GameError::Stopped { path } => Error {
                kind: ErrorKind::Stopped,
                ..Error::input(format!("the rules in {} were not read to their end", shown(&path)))
            },
            GameError::Unreadable { path, error } => {
                Error::input(format!("the file {} can't be read: {}", shown(&path), plain(&error)))
            }
        }
    }
}

/// An error of the operating system without its number.
pub fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

/// The nearest of some words, unless it takes changing more than half of it.
pub fn nearest<'c>(word: &str, choices: &'c [String]) -> Option<&'c String> {
    let word = word.to_lowercase();
    // Who leaves out what stands before a colon has the rest right.
    let behind = |c: &&String| c.split_once(':').is_some_and(|(_, c)| c.to_lowercase() == word);
    if let Some(whole) = choices.iter().find(behind).filter(|_| !word.is_empty()) {
        return Some(whole);
    }
    let far = |c: &&String| strsim::damerau_levenshtein(&word, &c.to_lowercase());
    let nearest = choices.iter().min_by_key(far)?;
    let length = nearest.chars().count().max(word.chars().count());
    // Of a short word hardly anything is left with two letters changed.
    let most = if length <= 4 { 1 } else { length / 2 };
    (far(&nearest) <= most).then_some(nearest)
}

/// More words than this are too many for a hint. All games are fewer.
const MOST_SHOWN: usize = 100;

/// The nearest of some words, as a hint; all of them when there are few and none is near.
pub fn suggest(word: &str, choices: &[String]) -> Option<String> {
    if choices.is_empty() {
        return None;
    }
    if let Some(nearest) = nearest(word, choices) {
        return Some(format!("did you mean `{nearest}`?"));
    }
    if let [only] = choices {
        return Some(format!("it can only be `{only}`"));
    }
    let shown: Vec<String> = choices.iter().take(MOST_SHOWN).map(|c| format!("`{c}`")).collect();
    let more = if choices.len() > shown.len() { ", …" } else { "" };
    Some(format!("one of {}{more}", shown.join(", ")))
}
