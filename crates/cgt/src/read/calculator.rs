//! A calculator with variables.

use std::sync::Arc;

use crate::error::TooLarge;
use crate::number::Dyadic;
use crate::read::parse::{Variables, assignment, evaluate, is_name};
use crate::read::{ReadError, functions};
use crate::thermograph::Thermograph;
use crate::values::{Class, Value, Values};

/// What a line means.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// A value.
    Value(Value),
    /// A number that is no game: a mean, a temperature, a stop, a birthday.
    Number(Dyadic),
    /// Whether a comparison holds.
    Truth(bool),
    /// Who wins.
    Class(Class),
    /// Both walls of a game.
    Thermograph(Arc<Thermograph>),
    /// From now on a name means a value.
    Let(String, Value),
    /// What functions there are.
    Words(Vec<&'static str>),
}

/// Reads lines such as `{3|1} + *2 - ^`, `G = ±1`, `G + G == 0` or `birthday(3.G)`, and works them out.
///
/// All notation of [`Values::text`] is read. Beyond it:
///
/// - `+`, `-`, parentheses; `3.G` for multiples, as `*` is star; `^^`, `↑`, `⇑`, `↓`, `⇓`, `−`, `·`;
///   `+-G` for `±G` where a value may begin;
/// - `>=`, `<=`, `>`, `<`, `==`, `!=`, and `<>` for "confused with";
/// - `NAME = …` gives a value a name; names begin with a letter and are no word of the notation;
/// - functions; `help()` lists them.
#[derive(Clone, Debug)]
pub struct Calculator {
    values: Values,
    variables: Variables,
    steps: u64,
}

/// How many steps a line may take if nothing is said: about a second or two.
const USUAL_STEPS: u64 = 3_000_000;

/// How many variables there may be.
const MOST_VARIABLES: usize = 10_000;

impl Default for Calculator {
    fn default() -> Calculator {
        Calculator::new(Values::new())
    }
}

impl Calculator {
    /// A calculator without variables.
    pub fn new(values: Values) -> Calculator {
        Calculator { values, variables: Variables::new(), steps: USUAL_STEPS }
    }

    /// From now on a line takes at most so many steps.
    pub fn set_steps(&mut self, steps: u64) {
        self.steps = steps;
    }

    /// The values that answers are among.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// The values, to work with them or to make more.
    pub fn values_mut(&mut self) -> &mut Values {
        &mut self.values
    }

    /// The variables, by name.
    pub fn variables(&self) -> impl Iterator<Item = (&str, Value)> {
        self.variables.iter().map(|(name, &value)| (name.as_str(), value))
    }

    /// Forgets all values but those of variables, when memory is full. Values that were answered
    /// before lose their meaning.
    pub fn clean(&mut self) -> Result<(), TooLarge> {
        let roots: Vec<Value> = self.variables.values().copied().collect();
        let listing = self.values.listing(&roots)?;
        let mut fresh = self.values.emptied();
        // What was written by values is read by values, unless it takes too much.
        let kept = fresh.read_listing(&listing).map_err(|_| TooLarge::Forms)?;
        fresh.set_budget(self.values.budget());
        self.values = fresh;
        for (variable, value) in self.variables.values_mut().zip(kept) {
            *variable = value;
        }
        Ok(())
    }

    /// Gives a value a name, as `NAME = …` does.
    pub fn set(&mut self, name: &str, value: Value) -> Result<(), ReadError> {
        let refused = |message| ReadError { message, span: 0..name.len() };
        if !is_name(name) {
            let shown: String = name.chars().take(30).collect();
            return Err(refused(format!("`{shown}` is no name for a variable")));
        }
        if functions::function(name).is_some() {
            return Err(refused(format!("`{name}` is a function; choose another name")));
        }
        if self.variables.len() >= MOST_VARIABLES && !self.variables.contains_key(name) {
            return Err(refused(format!("there are {MOST_VARIABLES} variables already")));
        }
        self.variables.insert(name.into(), value);
        Ok(())
    }

    /// What a line means. A line that is refused changes nothing.
    pub fn evaluate(&mut self, line: &str) -> Result<Answer, ReadError> {
        let Some((name, place, rest)) = assignment(line) else { return self.work_out(line) };
        let answer = self.work_out(&line[rest..]).map_err(|error| {
            let span = error.span.start + rest..error.span.end + rest;
            ReadError { span, ..error }
        })?;
        let refused = |message: String, span| ReadError { message, span };
        let value = match answer {
            Answer::Value(value) => value,
            Answer::Number(number) => {
                let value = self.values.number(number);
                value.map_err(|why| refused(why.to_string(), rest..line.len()))?
            }
            _ => return Err(refused("only values have names".into(), rest..line.len())),
        };
        self.set(&name, value).map_err(|error| refused(error.message, place))?;
        Ok(Answer::Let(name, value))
    }

    fn work_out(&mut self, text: &str) -> Result<Answer, ReadError> {
        let before = self.values.budget();
        self.values.set_budget(before.min(self.steps));
        let given = self.values.budget();
        let answer = evaluate(&mut self.values, &self.variables, text);
        // Who set a budget of his own pays from it.
        self.values.set_budget(before - (given - self.values.budget()));
        answer
    }

    /// An answer as text.
    pub fn text(&self, answer: &Answer) -> Result<String, TooLarge> {
        Ok(match answer {
            Answer::Value(value) => self.values.text(*value)?,
            Answer::Number(number) => number.to_string(),
            Answer::Truth(truth) => (if *truth { "yes" } else { "no" }).into(),
            Answer::Class(class) => class.text().into(),
            Answer::Thermograph(thermograph) => thermograph.to_string(),
            Answer::Let(name, value) => format!("{name} = {}", self.values.text(*value)?),
            Answer::Words(words) => words.join("\n"),
        })
    }
}
