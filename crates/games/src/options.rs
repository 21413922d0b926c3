//! The options behind a game's name: sizes and lists of numbers, with errors that show the place.

use foregone_model::TextError;

use crate::files::Files;

/// The text behind the colon, if there is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options<'t> {
    text: Option<&'t str>,
    /// Where the text begins in what the person typed.
    shift: usize,
    /// Where files are looked for.
    pub(crate) files: &'t Files,
}

impl<'t> Options<'t> {
    /// Splits `name:options`.
    pub(crate) fn split(spec: &'t str, files: &'t Files) -> (&'t str, Options<'t>) {
        match spec.split_once(':') {
            Some((name, text)) => {
                (name, Options { text: Some(text), shift: name.len() + 1, files })
            }
            None => (spec, Options { text: None, shift: spec.len(), files }),
        }
    }

    /// The text itself.
    pub(crate) fn text(&self) -> Option<&'t str> {
        self.text
    }

    /// An error about all of the options.
    pub(crate) fn error(&self, message: impl Into<String>) -> TextError {
        TextError::new(message, self.shift..self.shift + self.text.map_or(0, str::len))
    }

    /// No options at all.
    pub(crate) fn none(&self) -> Result<(), TextError> {
        match self.text {
            None => Ok(()),
            Some(_) => Err(self.error("this game has no options")),
        }
    }

    /// `ROWSxCOLUMNS`, both at least 1.
    pub(crate) fn size(&self, default: (u32, u32)) -> Result<(u32, u32), TextError> {
        self.text.map_or(Ok(default), |text| size(text, self.shift, default))
    }

    /// One number.
    pub(crate) fn number(&self, default: u32, low: u32, high: u32) -> Result<u32, TextError> {
        self.text.map_or(Ok(default), |text| number(text, self.shift, low, high))
    }

    /// So many numbers between commas, each with its default, its least and its greatest value.
    /// Those that are left out at the end have their default.
    pub(crate) fn numbers<const N: usize>(
        &self,
        forms: [(u32, u32, u32); N],
    ) -> Result<[u32; N], TextError> {
        self.at_most(N)?;
        numbers(&self.words(), forms)
    }

    /// `ROWSxCOLUMNS` and then numbers, as in [`Options::numbers`].
    pub(crate) fn size_and_numbers<const N: usize>(
        &self,
        default: (u32, u32),
        forms: [(u32, u32, u32); N],
    ) -> Result<((u32, u32), [u32; N]), TextError> {
        let words = self.words();
        self.at_most(N + 1)?;
        match words.split_first() {
            None => Ok((default, numbers(&[], forms)?)),
            Some((&(word, at), rest)) => Ok((size(word, at, default)?, numbers(rest, forms)?)),
        }
    }

    /// Not more words than a game has options.
    fn at_most(&self, most: usize) -> Result<(), TextError> {
        let found = self.words().len();
        if found > most {
            return Err(self.error(format!("there are {found} options, this game has {most}")));
        }
        Ok(())
    }

    /// The words between commas, each with its place.
    pub(crate) fn words(&self) -> Vec<(&'t str, usize)> {
        let mut at = self.shift;
        let mut words = Vec::new();
        for word in self.text.into_iter().flat_map(|t| t.split(',')) {
            words.push((word, at));
            at += word.len() + 1;
        }
        words
    }

    /// Whether a board of this many bits fits 64 of them; an error when it does not fit 128.
    pub(crate) fn fits_64(&self, bits: u32) -> Result<bool, TextError> {
        if bits > 128 {
            return Err(self.error(format!(
                "this board needs {bits} bits, and boards of more than 128 are not supported"
            )));
        }
        Ok(bits <= 64)
    }
}

/// `ROWSxCOLUMNS`; `at` is its place in what the person typed.
pub(crate) fn size(text: &str, at: usize, default: (u32, u32)) -> Result<(u32, u32), TextError> {
    let Some((rows, cols)) = text.split_once('x') else {
        let message = format!(
            "`{text}` is not a board size, expected ROWSxCOLUMNS such as {}x{}",
            default.0, default.1
        );
        return Err(TextError::new(message, at..at + text.len()));
    };
    Ok((number(rows, at, 1, 128)?, number(cols, at + rows.len() + 1, 1, 128)?))
}

/// Numbers, each with its default, its least and its greatest value.
fn numbers<const N: usize>(
    words: &[(&str, usize)],
    forms: [(u32, u32, u32); N],
) -> Result<[u32; N], TextError> {
    let mut numbers = forms.map(|(default, _, _)| default);
    for ((n, &(word, at)), (_, low, high)) in numbers.iter_mut().zip(words).zip(forms) {
        *n = number(word, at, low, high)?;
    }
    Ok(numbers)
}

/// A whole number between bounds; `at` is its place in what the person typed.
pub(crate) fn number(text: &str, at: usize, low: u32, high: u32) -> Result<u32, TextError> {
    let span = at..at + text.len();
    match text.parse::<u32>() {
        Ok(n) if (low..=high).contains(&n) => Ok(n),
        Ok(n) => {
            Err(TextError::new(format!("{n} is out of range, expected {low} to {high}"), span))
        }
        Err(_) => {
            Err(TextError::new(format!("`{text}` is not a number, expected {low} to {high}"), span))
        }
    }
}
