//! Outcomes as Python gives them, and the scale that they make.

use std::collections::HashMap;

use foregone::model::{Outcome, Scale};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};

/// An outcome.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Value {
    /// A word.
    Word(String),
    /// A fraction in lowest terms, the denominator behind it.
    Number(i64, i64),
    /// A score for each player.
    Scores(Vec<i64>),
}

/// Reads a number: a whole one, a fraction, or a float, which is a fraction of two.
pub(crate) fn number(value: &Bound<'_, PyAny>) -> PyResult<(i64, i64)> {
    if value.is_instance_of::<PyBool>() {
        return Err(PyTypeError::new_err("it is a truth value, not a number"));
    }
    let ratio = match value.call_method0("as_integer_ratio") {
        Ok(ratio) => ratio,
        Err(_) => (value.getattr("numerator")?, value.getattr("denominator")?)
            .into_pyobject(value.py())?
            .into_any(),
    };
    let ratio: Result<(i64, i64), _> = ratio.extract();
    ratio.map_err(|_| PyTypeError::new_err("it has more digits than 64 bits hold"))
}

impl Value {
    /// Reads an outcome.
    pub(crate) fn read(value: &Bound<'_, PyAny>) -> PyResult<Value> {
        if let Ok(word) = value.cast::<PyString>() {
            return Ok(Value::Word(word.to_string()));
        }
        if let Ok((numerator, denominator)) = number(value) {
            return Ok(Value::Number(numerator, denominator));
        }
        let wrong =
            |_| PyTypeError::new_err("it is not a word, a number or a score for each player");
        let mut scores = Vec::new();
        for score in value.try_iter().map_err(wrong)? {
            match number(&score?) {
                Ok((score, 1)) => scores.push(score),
                _ => return Err(PyTypeError::new_err("scores are whole numbers")),
            }
        }
        Ok(Value::Scores(scores))
    }

    /// As people write it.
    pub(crate) fn text(&self) -> String {
        match self {
            Value::Word(word) => format!("`{word}`"),
            Value::Number(n, 1) => n.to_string(),
            Value::Number(n, d) => format!("{n}/{d}"),
            Value::Scores(scores) => name(scores),
        }
    }
}

fn name(scores: &[i64]) -> String {
    scores.iter().map(i64::to_string).collect::<Vec<_>>().join("/")
}

/// The outcomes of a game, each with a number, in the order in which they came up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Values {
    list: Vec<Value>,
    numbers: HashMap<Value, u32>,
}

impl Values {
    /// The number of an outcome, if it is one.
    pub(crate) fn find(&self, value: &Value) -> Option<u32> {
        self.numbers.get(value).copied()
    }

    /// The same; one that is new is added.
    pub(crate) fn add(&mut self, value: Value) -> u32 {
        if let Some(number) = self.find(&value) {
            return number;
        }
        let number = self.list.len() as u32;
        self.list.push(value.clone());
        self.numbers.insert(value, number);
        number
    }

    /// All of them.
    pub(crate) fn list(&self) -> &[Value] {
        &self.list
    }
}

/// The outcomes of a game whose players move in turn, as the library has them.
#[derive(Clone, Debug)]
pub(crate) struct Ends {
    /// The scale.
    pub(crate) scale: Scale,
    /// Where each of the values stands in it.
    order: Vec<Outcome>,
    /// The scores of each outcome, where each player has one of its own.
    scores: Option<Vec<Vec<i64>>>,
}

/// More outcomes than this have no numbers.
const MOST: usize = 1 << 16;

impl Ends {
    /// The outcomes of so many players; words in the order in which they stand.
    pub(crate) fn new(values: &Values, players: usize) -> Result<Ends, String> {
        let list = values.list();
        if list.len() >= MOST {
            return Err(format!("there are {} outcomes, and {MOST} are too many", list.len()));
        }
        match list.first() {
            None => Err("there is no outcome".to_owned()),
            Some(Value::Word(_)) if players > 2 => {
                Err("of more than two players, an outcome is a score for each of them".to_owned())
            }
            Some(Value::Word(_)) => Ends::of_words(list),
            Some(Value::Number(..)) if players > 2 => {
                Err("of more than two players, an outcome is a score for each of them".to_owned())
            }
            Some(Value::Number(..)) => Ends::of_numbers(list),
            Some(Value::Scores(_)) => Ends::of_scores(list, players),
        }
    }

    fn of_words(list: &[Value]) -> Result<Ends, String> {
        let word = |value: &Value| match value {
            Value::Word(word) if word.chars().any(|c| c.is_whitespace() || c.is_control()) => {
                Err(format!("the outcome `{word}` has a blank in it"))
            }
            Value::Word(word) if word.is_empty() => Err("an outcome has no letters".to_owned()),
            Value::Word(word) => Ok(word.clone()),
            other => Err(format!("some outcomes are words, and {} is none", other.text())),
        };
        let words: Vec<String> = list.iter().map(word).collect::<Result<_, _>>()?;
        if words.len() < 2 {
            return Err("there must be at least two outcomes".to_owned());
        }
        let order = (0..words.len() as u16).map(Outcome).collect();
        Ok(Ends { scale: Scale::words(words), order, scores: None })
    }

    fn of_numbers(list: &[Value]) -> Result<Ends, String> {
        let number = |value: &Value| match value {
            Value::Number(n, 1) if *n > i64::MIN => Ok(*n),
            Value::Number(..) => Err(format!(
                "the outcome {} is not a whole number: multiply all of them, or let players move at the \
                 same time",
                value.text()
            )),
            other => Err(format!("some outcomes are numbers, and {} is none", other.text())),
        };
        let numbers: Vec<i64> = list.iter().map(number).collect::<Result<_, _>>()?;
        let mut rising = numbers.clone();
        rising.sort_unstable();
        // A scale has at least two outcomes.
        if let [only] = rising[..] {
            rising.push(only.checked_add(1).ok_or("the outcome is too large")?);
        }
        let place = |n: &i64| Outcome(rising.partition_point(|r| r < n) as u16);
        let order = numbers.iter().map(place).collect();
        Ok(Ends { scale: Scale::numbers(rising), order, scores: None })
    }

    fn of_scores(list: &[Value], players: usize) -> Result<Ends, String> {
        let scores = |value: &Value| match value {
            Value::Scores(scores) if scores.len() == players => Ok(scores.clone()),
            Value::Scores(scores) => {
                Err(format!("the outcome {} has not as many scores as players", name(scores)))
            }
            other => Err(format!("some outcomes are scores, and {} is none", other.text())),
        };
        let all: Vec<Vec<i64>> = list.iter().map(scores).collect::<Result<_, _>>()?;
        let mut rising = all.clone();
        rising.sort();
        if let [only] = &rising[..] {
            let more = only.iter().map(|n| n.checked_add(1)).collect::<Option<Vec<i64>>>();
            rising.push(more.ok_or("the scores are too large")?);
        }
        let place = |scores: &Vec<i64>| Outcome(rising.partition_point(|r| r < scores) as u16);
        let order = all.iter().map(place).collect();
        let names = rising.iter().map(|scores| name(scores)).collect();
        Ok(Ends { scale: Scale::words(names), order, scores: Some(rising) })
    }

    /// The outcome of a value, by its number.
    pub(crate) fn outcome(&self, number: u32) -> Outcome {
        self.order.get(number as usize).copied().unwrap_or(Outcome(0))
    }

    /// Every player's score with an outcome, where each has one of its own.
    pub(crate) fn scores(&self, outcome: Outcome) -> Option<&[i64]> {
        self.scores.as_ref()?.get(usize::from(outcome.0)).map(Vec::as_slice)
    }
}

/// The payoffs of a game whose players move at the same time, over one denominator.
#[derive(Clone, Debug)]
pub(crate) struct Payoffs {
    /// So many make one point.
    pub(crate) unit: i64,
    /// The least and the largest.
    pub(crate) range: (i64, i64),
    /// That of each value, by its number.
    pub(crate) list: Vec<i64>,
}

/// Payoffs stay below this, so that sums of some of them fit 64 bits.
const LARGEST: i128 = 1 << 40;

impl Payoffs {
    /// Those of some values.
    pub(crate) fn new(values: &Values) -> Result<Payoffs, String> {
        let number = |value: &Value| match value {
            Value::Number(n, d) => Ok((i128::from(*n), i128::from(*d))),
            other => Err(format!(
                "where players move at the same time an outcome is what the first one gets, and {} is not \
                 a number",
                other.text()
            )),
        };
        let numbers: Vec<(i128, i128)> =
            values.list().iter().map(number).collect::<Result<_, _>>()?;
        let mut unit: i128 = 1;
        for (_, d) in &numbers {
            unit = unit / gcd(unit, *d) * d;
            if unit >= LARGEST {
                return Err("the outcomes have no common denominator below 2^40".to_owned());
            }
        }
        let mut list = Vec::new();
        for (n, d) in numbers {
            let payoff = n.checked_mul(unit / d).filter(|p| p.abs() < LARGEST);
            let payoff = payoff.ok_or("an outcome is too large, or has too many digits")?;
            list.push(payoff as i64);
        }
        let low = list.iter().min().copied().ok_or("there is no outcome")?;
        let high = list.iter().max().copied().unwrap_or(low);
        // Without two payoffs there would be nothing to find out.
        let high = if low == high { high + 1 } else { high };
        Ok(Payoffs { unit: unit as i64, range: (low, high), list })
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}
