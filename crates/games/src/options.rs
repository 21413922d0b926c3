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

    /// `ROWSxCOLUMNS`, and whether this word follows.
    pub fn size_and_word(
        &self,
        default: (u32, u32),
        word: &str,
    ) -> Result<((u32, u32), bool), TextError> {
        self.at_most(2)?;
        let values = self.values();
        let size = values.first().map_or(Ok(default), |size| size.size(default))?;
        match values.get(1) {
            None => Ok((size, false)),
            Some(value) if value.text == word => Ok((size, true)),
            Some(value) => {
                let message = format!("`{}` is not an option here, expected `{word}`", value.text);
                Err(value.not_among(&[word], message))
            }
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
        if path.is_empty() {
            let message = format!("this game needs a file: {}FILE", self.spec);
            return Err(GameError::Spec(self.error(message)));
        }
        let text = self.files.read(path)?;
        read(self.spec, &text).map_err(|error| match text.lines().any(looks_right) {
            true => GameError::File { path: path.to_owned(), text, error },
            false => GameError::OtherFile { path: path.to_owned() },
        })
    }

    /// The values between commas.
    pub fn values(&self) -> Vec<Value<'t>> {
        self.whole().map_or_else(Vec::new, |whole| whole.split(','))
    }

    /// Refuses a board whose number of cells is not within bounds.
    pub fn check_cells(
        &self,
        (rows, cols): (u32, u32),
        least: u32,
        most: u32,
    ) -> Result<(), TextError> {
        match rows * cols {
            n if n < least => {
                Err(self
                    .error(format!("a board of {rows}x{cols} is too small: {n} of {least} cells")))
            }
            n if n > most => Err(self.too_large((rows, cols), |rows, cols| rows * cols <= most)),
            _ => Ok(()),
        }
    }

    /// Whether a board fits 64 bits; an error when it does not fit 128. `bits` tells how many a
    /// board of so many rows and columns takes.
    pub fn fits_64(
        &self,
        (rows, cols): (u32, u32),
        bits: fn(u32, u32) -> u32,
    ) -> Result<bool, TextError> {
        match bits(rows, cols) {
            0..=64 => Ok(true),
            65..=128 => Ok(false),
            _ => Err(self.too_large((rows, cols), |rows, cols| bits(rows, cols) <= 128)),
        }
    }

    /// An error about a board that is too large, with the largest ones that fit.
    fn too_large(&self, (rows, cols): (u32, u32), fits: impl Fn(u32, u32) -> bool) -> TextError {
        let most = |fits: &dyn Fn(u32) -> bool| (1..=128).take_while(|&n| fits(n)).last();
        let mut sizes: Vec<String> =
            most(&|n| fits(n, n)).map(|n| format!("{n}x{n}")).into_iter().collect();
        // Who asked for a long board wants to know how long it may be.
        if rows != cols {
            sizes.extend(most(&|n| fits(rows, n)).map(|n| format!("{rows}x{n}")));
            sizes.extend(most(&|n| fits(n, cols)).map(|n| format!("{n}x{cols}")));
        }
        sizes.dedup();
        let sizes = sizes.join(" or ");
        self.error(format!("a board of {rows}x{cols} is too large: at most {sizes}"))
    }

    /// The options as one value.
    fn whole(&self) -> Option<Value<'t>> {
        self.text.map(|text| Value { text, at: self.start })
    }

    /// Refuses more values than a game has options.
    fn at_most(&self, most: usize) -> Result<(), TextError> {
        let found = self.values().len();
        if found > most {
            let options = if most == 1 { "one option" } else { &format!("{most} options") };
            return Err(self.error(format!("there are {found} values, this game has {options}")));
        }
        Ok(())
    }
}

/// One value among the options, or a part of another text that people type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value<'t> {
    /// What it says.
    pub text: &'t str,
    /// Where it begins in what was typed.
    pub at: usize,
}

impl<'t> Value<'t> {
    /// The parts between separators, each with its place.
    pub fn split(&self, separator: char) -> Vec<Value<'t>> {
        let mut at = self.at;
        let mut parts = Vec::new();
        for text in self.text.split(separator) {
            parts.push(Value { text, at });
            at += text.len() + separator.len_utf8();
        }
        parts
    }

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
        let Some((rows, cols)) = self.text.split_once(['x', 'X', '×']) else {
            return Err(self.error(format!(
                "`{}` is not a board size, expected ROWSxCOLUMNS such as {}x{}",
                self.text, default.0, default.1
            )));
        };
        let cols = Value { text: cols, at: self.at + self.text.len() - cols.len() };
        let rows = Value { text: rows, at: self.at };
        Ok((rows.number(1, 128)?, cols.number(1, 128)?))
    }

    /// A whole number between bounds.
    pub fn number(&self, low: u32, high: u32) -> Result<u32, TextError> {
        let text = self.text;
        let whole = text.strip_prefix('-').unwrap_or(text);
        Err(self.error(match text.parse::<u32>() {
            Ok(n) if (low..=high).contains(&n) => return Ok(n),
            Ok(n) if n < low => format!("{n} is too small: it must be at least {low}"),
            Ok(n) => format!("{n} is too large: it must be at most {high}"),
            Err(_) if twice(text) => {
                let side = &text[..text.len() / 2];
                format!("`{text}` is not one number: for a board of {text} type {side}")
            }
            Err(_) if text.is_empty() => {
                format!("a number is missing: expected one from {low} to {high}")
            }
            Err(_) if !whole.bytes().all(|c| c.is_ascii_digit()) || whole.is_empty() => {
                format!("`{text}` is not a whole number from {low} to {high}")
            }
            Err(_) if whole == text => format!("{text} is too large: it must be at most {high}"),
            Err(_) => format!("{text} is too small: it must be at least {low}"),
        }))
    }
}

/// Whether a text is the size of a square board, as `5x5` is.
fn twice(text: &str) -> bool {
    let number = |side: &str| side.parse::<u32>().is_ok();
    text.split_once('x').is_some_and(|(rows, cols)| rows == cols && number(rows))
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
