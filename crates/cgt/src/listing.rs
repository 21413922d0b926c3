//! Values as lines of text in which each form stands once, to be kept and read again.
//!
//! ```text
//! foregone-values 1
//! 0
//! 2
//! #1|#0
//! roots #2 #0
//! ```
//!
//! Each line is a plain value or a form, whose options are lines before it, counted from 0. The last
//! line names the values that were asked for. [`Values::text`] may be exponentially longer.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::TooLarge;
use crate::read::{Answer, evaluate_plain};
use crate::values::{Value, Values};

/// The first line.
const HEAD: &str = "foregone-values 1";

/// What is wrong in a listing, and in which of its lines, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListingError {
    /// What is wrong.
    pub message: String,
    /// The line.
    pub line: usize,
}

impl std::fmt::Display for ListingError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ListingError {}

impl Values {
    /// These values, and all that their forms are made of.
    pub fn listing(&self, roots: &[Value]) -> Result<String, TooLarge> {
        let mut seen: FxHashSet<Value> = FxHashSet::default();
        let mut ahead = roots.to_vec();
        while let Some(value) = ahead.pop() {
            if seen.insert(value) && self.as_plain(value).is_none() {
                ahead.extend_from_slice(self.store.options(value, false));
                ahead.extend_from_slice(self.store.options(value, true));
            }
        }
        // Options are stored before the forms that have them.
        let mut order: Vec<Value> = seen.into_iter().collect();
        order.sort_unstable();
        let places: FxHashMap<Value, usize> = order.iter().copied().zip(0..).collect();
        let list = |side: &[Value], between: &str| {
            let names: Vec<String> = side.iter().map(|v| format!("#{}", places[v])).collect();
            names.join(between)
        };
        let mut text = format!("{HEAD}\n");
        for &value in &order {
            match self.as_plain(value) {
                Some(_) => text += &self.text(value)?,
                None => {
                    text += &list(self.store.options(value, false), ",");
                    text.push('|');
                    text += &list(self.store.options(value, true), ",");
                }
            }
            text.push('\n');
        }
        Ok(text + "roots " + &list(roots, " ") + "\n")
    }

    /// Reads what [`Values::listing`] wrote: the values of its last line. Each form is made anew, and
    /// has to be canonical, so what is read is as sound as what is computed here.
    pub fn read_listing(&mut self, text: &str) -> Result<Vec<Value>, ListingError> {
        let mut known = vec![];
        let mut roots = None;
        for (at, line) in text.lines().enumerate() {
            let wrong = |message: String| ListingError { message, line: at + 1 };
            if at == 0 {
                if line != HEAD {
                    return Err(wrong(format!("a listing begins with `{HEAD}`")));
                }
            } else if roots.is_some() {
                return Err(wrong("nothing follows the roots".into()));
            } else if let Some(list) = line.strip_prefix("roots") {
                roots = Some(places(list, ' ', &known).map_err(wrong)?);
            } else {
                known.push(self.read_line(line, &known).map_err(wrong)?);
            }
        }
        let line = text.lines().count() + 1;
        roots.ok_or_else(|| ListingError { message: "the roots are missing".into(), line })
    }

    fn read_line(&mut self, line: &str, known: &[Value]) -> Result<Value, String> {
        let Some((left, right)) = line.split_once('|') else {
            return match evaluate_plain(self, line).map_err(|it| it.message)? {
                Answer::Value(value) if self.as_plain(value).is_some() => Ok(value),
                _ => Err("this is neither a plain value nor a form".into()),
            };
        };
        let mut left = places(left, ',', known)?;
        let mut right = places(right, ',', known)?;
        let form = self.form(&left, &right).map_err(|it| it.to_string())?;
        left.sort_unstable();
        right.sort_unstable();
        let canonical = self.as_plain(form).is_none()
            && self.store.options(form, false) == left
            && self.store.options(form, true) == right;
        if canonical { Ok(form) } else { Err("this form is not canonical".into()) }
    }
}

/// The values of lines.
fn places(list: &str, between: char, known: &[Value]) -> Result<Vec<Value>, String> {
    let names = list.split(between).filter(|name| !name.is_empty());
    names
        .map(|name| {
            let place = name.strip_prefix('#').and_then(|place| place.parse::<usize>().ok());
            let value = place.and_then(|place| known.get(place));
            let shown: String = name.chars().take(30).collect();
            value.copied().ok_or_else(|| format!("`{shown}` is no line before this one"))
        })
        .collect()
}
