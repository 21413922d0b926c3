//! The texts of schemes, drivers and leaves, read and written.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use foregone_model::TextError;

use super::{DriverSpec, Guidance, SchemeSpec};
use crate::drive::{OrderBy, Threats, Walk};
use crate::leaves::Init;
use crate::scheme::{AnyScheme, OptionValue, Scheme};

impl Init {
    /// All of them.
    pub const ALL: [Init; 6] =
        [Init::One, Init::Half, Init::Zero, Init::Mobility, Init::Evaluation, Init::Playout];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Init::One => "one",
            Init::Half => "half",
            Init::Zero => "zero",
            Init::Mobility => "mobility",
            Init::Evaluation => "evaluation",
            Init::Playout => "playout",
        }
    }
}

impl OrderBy {
    /// How many random plays moves are ordered by when nobody says.
    pub const PLAYS: u32 = 100_000;

    /// All of them.
    pub const ALL: [OrderBy; 4] =
        [OrderBy::Rules, OrderBy::Game, OrderBy::History, OrderBy::MonteCarlo(OrderBy::PLAYS)];

    /// Its word, without the number of plays.
    pub fn word(self) -> &'static str {
        match self {
            OrderBy::Rules => "rules",
            OrderBy::Game => "game",
            OrderBy::History => "history",
            OrderBy::MonteCarlo(_) => "montecarlo",
        }
    }
}

impl Walk {
    /// All of them.
    pub const ALL: [Walk; 4] = [Walk::Null, Walk::Full, Walk::Deepen, Walk::Minimax];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Walk::Minimax => "minimax",
            Walk::Full => "full",
            Walk::Null => "null",
            Walk::Deepen => "deepen",
        }
    }
}

/// The one of these with this word.
pub(crate) fn one_of<T: Copy>(
    what: &str,
    part: Part<'_>,
    all: &[T],
    word: impl Fn(T) -> String,
) -> Result<T, TextError> {
    let found = all.iter().copied().find(|&value| word(value).eq_ignore_ascii_case(part.text));
    found.ok_or_else(|| {
        let choices = all.iter().map(|&value| word(value)).collect();
        part.error(format!("`{}` is not {what}", part.text)).with_choices(choices)
    })
}

impl fmt::Display for Init {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Init {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Init, TextError> {
        one_of("a value of leaves", Part::whole(text), &Init::ALL, |init| init.word().to_owned())
    }
}

impl fmt::Display for Walk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Walk {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Walk, TextError> {
        read_walk(Part::whole(text))
    }
}

fn read_walk(part: Part<'_>) -> Result<Walk, TextError> {
    one_of("a walk", part, &Walk::ALL, |walk| walk.word().to_owned())
}

fn read_order(part: Part<'_>) -> Result<OrderBy, TextError> {
    one_of("an order of moves", part, &OrderBy::ALL, |order| order.word().to_owned())
}

/// The largest order of threats.
fn read_threats(part: Part<'_>) -> Result<u32, TextError> {
    let order = part.text.parse().ok().filter(|order| *order <= Threats::LARGEST);
    let most = Threats::LARGEST;
    order.ok_or_else(|| part.error(format!("`{}` is not an order from 0 to {most}", part.text)))
}

impl FromStr for OrderBy {
    type Err = TextError;

    /// Its word; the number of random plays is the default.
    fn from_str(text: &str) -> Result<OrderBy, TextError> {
        read_order(Part::whole(text))
    }
}

/// A part of a text, and where it begins.
#[derive(Clone, Copy)]
pub(crate) struct Part<'t> {
    pub(crate) text: &'t str,
    start: usize,
}

/// A word, and what stands in brackets behind it: `word(key=value,key=value)`.
pub(crate) struct Call<'t> {
    pub(crate) word: Part<'t>,
    pub(crate) arguments: Vec<Part<'t>>,
}

impl<'t> Part<'t> {
    pub(crate) fn whole(text: &'t str) -> Part<'t> {
        Part { text, start: 0 }
    }

    pub(crate) fn span(self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    pub(crate) fn error(self, message: impl Into<String>) -> TextError {
        TextError::new(message, self.span())
    }

    /// The part of it from one byte to another.
    fn part(self, range: Range<usize>) -> Part<'t> {
        Part { text: &self.text[range.clone()], start: self.start + range.start }
    }

    /// The word and its arguments.
    pub(crate) fn call(self) -> Result<Call<'t>, TextError> {
        let Some(open) = self.text.find('(') else {
            return Ok(Call { word: self, arguments: Vec::new() });
        };
        let end = self.text.len();
        if !self.text.ends_with(')') {
            return Err(self.error(format!("`{}` has a bracket that is not closed", self.text)));
        }
        let inside = self.part(open + 1..end - 1);
        let (mut depth, mut first, mut arguments) = (0i32, 0, Vec::new());
        for (at, c) in inside.text.char_indices() {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                ',' if depth == 0 => {
                    arguments.push(inside.part(first..at));
                    first = at + 1;
                }
                _ => {}
            }
            if depth < 0 {
                break;
            }
        }
        if depth != 0 {
            return Err(self.error(format!("the brackets of `{}` do not match", self.text)));
        }
        arguments.push(inside.part(first..inside.text.len()));
        Ok(Call { word: self.part(0..open), arguments })
    }

    /// Key and value of an argument.
    pub(crate) fn pair(self, keys: &[&str]) -> Result<(Part<'t>, Part<'t>), TextError> {
        let choices = || keys.iter().map(|key| format!("{key}=")).collect();
        let Some(equals) = self.text.find('=') else {
            let message = format!("`{}` is not an option with a value", self.text);
            return Err(self.error(message).with_choices(choices()));
        };
        let key = self.part(0..equals);
        if !keys.contains(&key.text) {
            let message = format!("`{}` is not an option here", key.text);
            return Err(key.error(message).with_choices(choices()));
        }
        Ok((key, self.part(equals + 1..self.text.len())))
    }
}

/// Whether a number may be set.
pub(crate) fn check_number(number: f64, least: Option<f64>) -> Result<(), String> {
    match least {
        _ if !number.is_finite() => Err(format!("`{number}` is not a finite number")),
        Some(least) if number < least => Err(format!("`{number}` is less than {least}")),
        _ => Ok(()),
    }
}

/// Refuses options that were set to what they cannot be.
pub(super) fn check_options(mut scheme: AnyScheme) -> Result<(), TextError> {
    let length = SchemeSpec::new(scheme).to_string().len();
    for (name, option) in scheme.options() {
        if let OptionValue::Number(number, least) = option {
            check_number(*number, least)
                .map_err(|message| TextError::new(format!("{name}: {message}"), 0..length))?;
        }
    }
    Ok(())
}

fn set(option: OptionValue<'_>, value: Part<'_>) -> Result<(), TextError> {
    match option {
        OptionValue::Number(number, least) => {
            let parsed: f64 = value
                .text
                .parse()
                .map_err(|_| value.error(format!("`{}` is not a number", value.text)))?;
            check_number(parsed, least).map_err(|message| value.error(message))?;
            *number = parsed;
        }
        OptionValue::Switch(switch) => {
            *switch = one_of("yes or no", value, &[true, false], |on| yes_or_no(on).to_owned())?;
        }
        OptionValue::Choice(second, words) => {
            let what = format!("{} or {}", words[0], words[1]);
            let word = |second| words[usize::from(second)].to_owned();
            *second = one_of(&what, value, &[false, true], word)?;
        }
    }
    Ok(())
}

pub(crate) fn yes_or_no(on: bool) -> &'static str {
    if on { "yes" } else { "no" }
}

/// A listed scheme with its options.
fn read_scheme(part: Part<'_>) -> Result<AnyScheme, TextError> {
    let Call { word, arguments } = part.call()?;
    let mut scheme =
        one_of("a scheme", word, &AnyScheme::all(), |scheme| scheme.word().to_owned())?;
    let names: Vec<&str> = scheme.options().into_iter().map(|(name, _)| name).collect();
    for argument in arguments {
        let (key, value) = argument.pair(&names)?;
        let option = scheme.options().into_iter().find(|(name, _)| *name == key.text);
        if let Some((_, option)) = option {
            set(option, value)?;
        }
    }
    Ok(scheme)
}

impl FromStr for AnyScheme {
    type Err = TextError;

    fn from_str(text: &str) -> Result<AnyScheme, TextError> {
        read_scheme(Part::whole(text))
    }
}

impl FromStr for SchemeSpec {
    type Err = TextError;

    fn from_str(text: &str) -> Result<SchemeSpec, TextError> {
        let part = Part::whole(text);
        let Call { word, arguments } = part.call()?;
        if DriverSpec::ALL.iter().any(|driver| driver.word().eq_ignore_ascii_case(word.text)) {
            return Err(word.error(format!("`{}` is a driver, not a scheme", word.text)));
        }
        if word.text.eq_ignore_ascii_case("mo") {
            let [inside] = arguments[..] else {
                return Err(part.error("`mo` takes one scheme in brackets"));
            };
            let scheme = read_scheme(inside)?;
            if scheme.many() {
                let message = format!("`{}` tells many outcomes apart already", scheme.word());
                return Err(inside.error(message).with_choices(words_of_two()));
            }
            return Ok(SchemeSpec::mo(scheme));
        }
        read_scheme(part).map(SchemeSpec::new).map_err(|error| {
            // Whoever gets the word wrong may have wanted a multized one.
            if error.choices == words_of_all() {
                let all = SchemeSpec::all().into_iter().map(SchemeSpec::word).collect();
                return error.with_choices(all);
            }
            error
        })
    }
}

fn words_of_all() -> Vec<String> {
    AnyScheme::all().into_iter().map(|scheme| scheme.word().to_owned()).collect()
}

fn words_of_two() -> Vec<String> {
    let two = AnyScheme::all().into_iter().filter(|scheme| !scheme.many());
    two.map(|scheme| scheme.word().to_owned()).collect()
}

/// Writes a word with options behind it.
pub(crate) fn write_call(
    f: &mut fmt::Formatter<'_>,
    word: &str,
    options: &[(&str, String)],
) -> fmt::Result {
    f.write_str(word)?;
    for (i, (key, value)) in options.iter().enumerate() {
        write!(f, "{}{key}={value}", if i == 0 { "(" } else { "," })?;
    }
    if options.is_empty() { Ok(()) } else { f.write_str(")") }
}

impl fmt::Display for AnyScheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut scheme, mut plain) = (*self, self.plain());
        let text = |option: OptionValue<'_>| match option {
            OptionValue::Number(number, _) => number.to_string(),
            OptionValue::Switch(on) => yes_or_no(*on).to_owned(),
            OptionValue::Choice(second, words) => words[usize::from(*second)].to_owned(),
        };
        let usual: Vec<String> = plain.options().into_iter().map(|(_, o)| text(o)).collect();
        let now = scheme.options().into_iter().map(|(name, o)| (name, text(o)));
        let changed = now.zip(usual).filter(|((_, now), usual)| now != usual);
        let options: Vec<(&str, String)> = changed.map(|(option, _)| option).collect();
        write_call(f, self.word(), &options)
    }
}

impl fmt::Display for SchemeSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.multized { write!(f, "mo({})", self.scheme) } else { self.scheme.fmt(f) }
    }
}

impl fmt::Display for DriverSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut options = Vec::new();
        match *self {
            DriverSpec::Tree
            | DriverSpec::Dag
            | DriverSpec::Dfs
            | DriverSpec::Df
            | DriverSpec::Own(_) => {}
            DriverSpec::Lambda(Threats { order, zones }) => {
                if order != Threats::ORDER {
                    options.push(("order", order.to_string()));
                }
                if !zones {
                    options.push(("zones", yes_or_no(false).to_owned()));
                }
            }
            DriverSpec::Squared { inner } => {
                options.extend(inner.map(|scheme| ("inner", scheme.to_string())));
            }
            DriverSpec::AlphaBeta { by, walk } => {
                if by != OrderBy::Game {
                    options.push(("order", by.word().to_owned()));
                }
                if walk != Walk::Null {
                    options.push(("walk", walk.word().to_owned()));
                }
                if let OrderBy::MonteCarlo(plays) = by
                    && plays != OrderBy::PLAYS
                {
                    options.push(("plays", plays.to_string()));
                }
            }
        }
        write_call(f, self.word(), &options)
    }
}

impl FromStr for DriverSpec {
    type Err = TextError;

    fn from_str(text: &str) -> Result<DriverSpec, TextError> {
        let Call { word, arguments } = Part::whole(text).call()?;
        let schemes = words_of_all().into_iter().chain(["mo".to_owned()]);
        if schemes.into_iter().any(|scheme| scheme.eq_ignore_ascii_case(word.text)) {
            return Err(word.error(format!("`{}` is a scheme, not a driver", word.text)));
        }
        let mut driver =
            one_of("a driver", word, &DriverSpec::ALL, |driver| driver.word().to_owned())?;
        let keys: &[&str] = match driver {
            DriverSpec::Tree
            | DriverSpec::Dag
            | DriverSpec::Dfs
            | DriverSpec::Df
            | DriverSpec::Own(_) => &[],
            DriverSpec::Squared { .. } => &["inner"],
            DriverSpec::AlphaBeta { .. } => &["order", "walk", "plays"],
            DriverSpec::Lambda(_) => &["order", "zones"],
        };
        for argument in arguments {
            let (key, value) = argument.pair(keys)?;
            match (&mut driver, key.text) {
                (DriverSpec::Squared { inner }, _) => *inner = Some(read_scheme(value)?),
                (DriverSpec::Lambda(threats), "order") => threats.order = read_threats(value)?,
                (DriverSpec::Lambda(threats), _) => {
                    threats.zones =
                        one_of("yes or no", value, &[true, false], |on| yes_or_no(on).to_owned())?;
                }
                (DriverSpec::AlphaBeta { by, .. }, "order") => *by = read_order(value)?,
                (DriverSpec::AlphaBeta { walk, .. }, "walk") => *walk = read_walk(value)?,
                (DriverSpec::AlphaBeta { by: OrderBy::MonteCarlo(plays), .. }, _) => {
                    let wrong = |_| value.error(format!("`{}` is not a number", value.text));
                    *plays = value.text.parse().map_err(wrong)?;
                }
                _ => {
                    let message = format!("`{}` goes with order=montecarlo", argument.text);
                    return Err(argument.error(message));
                }
            }
        }
        Ok(driver)
    }
}

impl fmt::Display for Guidance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.driver().fmt(f)?;
        if let Some(scheme) = self.scheme() {
            write!(f, " {scheme}")?;
        }
        if let Some(leaves) = self.leaves() {
            write!(f, " {leaves}")?;
        }
        Ok(())
    }
}

impl FromStr for Guidance {
    type Err = TextError;

    /// A driver, then a scheme and leaves where they are named: `dag pn mobility`.
    fn from_str(text: &str) -> Result<Guidance, TextError> {
        let start = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
        let words: Vec<(&str, usize)> =
            text.split_whitespace().map(|word| (word, start(word))).collect();
        let whole = Part::whole(text);
        let read = |at: usize| words.get(at).copied();
        let Some((driver, at)) = read(0) else {
            let choices = DriverSpec::ALL.map(|driver| driver.word().to_owned()).to_vec();
            return Err(whole.error("a driver is missing").with_choices(choices));
        };
        let driver = driver.parse().map_err(|error: TextError| error.shifted(at))?;
        let scheme = match read(1) {
            Some((word, at)) => Some(word.parse().map_err(|error: TextError| error.shifted(at))?),
            None => None,
        };
        let leaves = match read(2) {
            Some((word, at)) => Some(word.parse().map_err(|error: TextError| error.shifted(at))?),
            None => None,
        };
        if let Some((word, at)) = read(3) {
            let message = format!("`{word}` is more than a driver, a scheme and leaves");
            return Err(TextError::new(message, at..at + word.len()));
        }
        Guidance::new(driver, scheme, leaves)
            .map_err(|error| TextError { span: whole.span(), ..error })
    }
}
