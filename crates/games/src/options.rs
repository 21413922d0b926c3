//! The options behind a game's name: sizes, numbers, words and files. Errors show the place in what
//! was typed.

use foregone_model::TextError;

use crate::files::Files;
use crate::registry::GameError;

/// What was typed to name a game: `name`, or `name:options`.
#[derive(Clone, Copy, Debug)]
pub struct Options<'t> {
    spec: &'t str,
    /// What follows the colon, if there is one.
    text: Option<&'t str>,
    /// Where it begins in `spec`.
    start: usize,
    files: &'t Files,
}

impl<'t> Options<'t> {
    /// Splits `name` or `name:options`. Files that the options name are found by `files`.
    pub fn new(spec: &'t str, files: &'t Files) -> Options<'t> {
        match spec.split_once(':') {
            Some((name, text)) => Options { spec, text: Some(text), start: name.len() + 1, files },
            None => Options { spec, text: None, start: spec.len(), files },
        }
    }

    /// All that was typed.
    pub fn spec(&self) -> &'t str {
        self.spec
    }

    /// The name of the game.
    pub fn name(&self) -> &'t str {
        self.spec.split_once(':').map_or(self.spec, |(name, _)| name)
    }

    /// The text behind the colon, if there is one.
    pub fn text(&self) -> Option<&'t str> {
        self.text
    }

    /// How files are found.
    pub fn files(&self) -> &'t Files {
        self.files
    }

    /// An error about all of the options.
    pub fn error(&self, message: impl Into<String>) -> TextError {
        TextError::new(message, self.start..self.start + self.text.map_or(0, str::len))
    }

    /// An error about a part of what was typed.
    pub fn error_about(&self, part: &str, message: impl Into<String>) -> TextError {
        let at = self.spec.rfind(part).unwrap_or(0);
        TextError::new(message, at..at + part.len())
    }

    /// Refuses any options.
    pub fn none(&self) -> Result<(), TextError> {
        match self.text {
            None => Ok(()),
            Some(_) => Err(self.error("this game has no options")),
        }
    }

    /// `ROWSxCOLUMNS`, each from 1 to 128.
    pub fn size(&self, default: (u32, u32)) -> Result<(u32, u32), TextError> {
        self.whole().map_or(Ok(default), |value| value.size(default))
    }

    /// One number between bounds.
    pub fn number(&self, default: u32, low: u32, high: u32) -> Result<u32, TextError> {
        self.whole().map_or(Ok(default), |value| value.number(low, high))
    }

    /// Numbers between commas, each with its default, its least and its greatest value. Those left
    /// out at the end have their default.
    pub fn numbers<const N: usize>(
        &self,
        forms: [(u32, u32, u32); N],
    ) -> Result<[u32; N], TextError> {
        self.at_most(N)?;
        numbers(&self.values(), forms)
    }

    /// `ROWSxCOLUMNS` and then numbers, as in [`Options::numbers`].
    pub fn size_and_numbers<const N: usize>(
        &self,
        default: (u32, u32),
        forms: [(u32, u32, u32); N],
    ) -> Result<((u32, u32), [u32; N]), TextError> {
        self.at_most(N + 1)?;
        match self.values().split_first() {
            None => Ok((default, numbers(&[], forms)?)),
            Some((first, rest)) => Ok((first.size(default)?, numbers(rest, forms)?)),
        }
    }

    /// A game that stands in a file: the options are its path, and its name is what was typed.
    /// `read` gets that name and the text. A file none of whose lines `looks_right` is something
    /// else, and is not shown.
    pub fn file<G>(
        &self,
        looks_right: fn(&str) -> bool,
        read: impl FnOnce(&str, &str) -> Result<G, TextError>,
    ) -> Result<G, GameError> {
        let Some(path) = self.text else {
            let message = format!("this game needs a file: {}:FILE", self.spec);
            return Err(GameError::Spec(self.error(message)));
        };
        let text = self.files.read(path)?;
        read(self.spec, &text).map_err(|error| match text.lines().any(looks_right) {
            true => GameError::File { path: path.to_owned(), text, error },
            false => GameError::OtherFile { path: path.to_owned() },
        })
    }

    /// The values between commas.
    pub fn values(&self) -> Vec<Value<'t>> {
        let mut at = self.start;
        let mut values = Vec::new();
        for text in self.text.into_iter().flat_map(|t| t.split(',')) {
            values.push(Value { text, at });
            at += text.len() + 1;
        }
        values
    }

    /// Refuses a board whose number of cells is not within bounds.
    pub fn check_cells(
        &self,
        (rows, cols): (u32, u32),
        least: u32,
        most: u32,
    ) -> Result<(), TextError> {
        if (least..=most).contains(&(rows * cols)) {
            return Ok(());
        }
        let message = format!("a board has {least} to {most} cells, not {}", rows * cols);
        Err(self.error(message))
    }

    /// Whether a board of this many bits fits 64 of them; an error when it does not fit 128.
    pub fn fits_64(&self, bits: u32) -> Result<bool, TextError> {
        if bits > 128 {
            return Err(self.error(format!(
                "this board needs {bits} bits, and boards of more than 128 are not supported"
            )));
        }
        Ok(bits <= 64)
    }

    /// The options as one value.
    fn whole(&self) -> Option<Value<'t>> {
        self.text.map(|text| Value { text, at: self.start })
    }

    /// Refuses more values than a game has options.
    fn at_most(&self, most: usize) -> Result<(), TextError> {
        let found = self.values().len();
        if found > most {
            return Err(self.error(format!("there are {found} options, this game has {most}")));
        }
        Ok(())
    }
}

/// One value among the options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value<'t> {
    /// What it says.
    pub text: &'t str,
    /// Where it begins in what was typed.
    pub at: usize,
}

impl Value<'_> {
    /// An error about this value.
    pub fn error(&self, message: impl Into<String>) -> TextError {
        TextError::new(message, self.at..self.at + self.text.len())
    }

    /// An error about this value, with the words that would have been right.
    pub fn not_among(&self, choices: &[&str], message: impl Into<String>) -> TextError {
        self.error(message).with_choices(choices.iter().map(|&c| c.to_owned()).collect())
    }

    /// `ROWSxCOLUMNS`, each from 1 to 128. The default is shown as an example.
    pub fn size(&self, default: (u32, u32)) -> Result<(u32, u32), TextError> {
        let Some((rows, cols)) = self.text.split_once('x') else {
            return Err(self.error(format!(
                "`{}` is not a board size, expected ROWSxCOLUMNS such as {}x{}",
                self.text, default.0, default.1
            )));
        };
        let cols = Value { text: cols, at: self.at + rows.len() + 1 };
        let rows = Value { text: rows, at: self.at };
        Ok((rows.number(1, 128)?, cols.number(1, 128)?))
    }

    /// A whole number between bounds.
    pub fn number(&self, low: u32, high: u32) -> Result<u32, TextError> {
        let text = self.text;
        match text.parse::<u32>() {
            Ok(n) if (low..=high).contains(&n) => Ok(n),
            Ok(n) => Err(self.error(format!("{n} is out of range, expected {low} to {high}"))),
            Err(_) => {
                Err(self.error(format!("`{text}` is not a number, expected {low} to {high}")))
            }
        }
    }
}

/// Numbers, each with its default, its least and its greatest value.
fn numbers<const N: usize>(
    values: &[Value<'_>],
    forms: [(u32, u32, u32); N],
) -> Result<[u32; N], TextError> {
    let mut numbers = forms.map(|(default, _, _)| default);
    for ((n, value), (_, low, high)) in numbers.iter_mut().zip(values).zip(forms) {
        *n = value.number(low, high)?;
    }
    Ok(numbers)
}
