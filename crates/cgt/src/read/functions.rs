//! Functions by name, and the nearest right word to a wrong one.

use std::ops::RangeInclusive;

use crate::error::TooLarge;
use crate::number::Dyadic;
use crate::read::calculator::Answer;
use crate::values::{Value, Values};

/// A function of values.
pub(crate) struct Function {
    name: &'static str,
    /// How it is used, and what it is.
    pub(crate) usage: &'static str,
    about: &'static str,
    /// How many values it takes.
    pub(crate) takes: RangeInclusive<usize>,
    pub(crate) work: fn(&mut Values, &[Value]) -> Result<Answer, Refusal>,
}

/// Why a function does not take a value.
pub(crate) enum Refusal {
    TooLarge(TooLarge),
    Unfit(&'static str),
}

impl From<TooLarge> for Refusal {
    fn from(why: TooLarge) -> Refusal {
        Refusal::TooLarge(why)
    }
}

/// All functions, by name.
const FUNCTIONS: [Function; 14] = [
    Function {
        name: "atomic_weight",
        usage: "atomic_weight(G)",
        about: "atomic_weight(G): about how many ups an all-small G is worth",
        takes: 1..=1,
        work: |values, taken| {
            let weight = values.atomic_weight(taken[0])?;
            let weight =
                weight.ok_or(Refusal::Unfit("only all-small games have atomic weights"))?;
            Ok(Answer::Value(weight))
        },
    },
    Function {
        name: "birthday",
        usage: "birthday(G)",
        about: "birthday(G): the day on which G is born",
        takes: 1..=1,
        work: |values, taken| {
            let day = i64::try_from(values.birthday(taken[0])).map_err(|_| TooLarge::Number)?;
            Ok(Answer::Number(Dyadic::whole(day)))
        },
    },
    Function {
        name: "cool",
        usage: "cool(G,t)",
        about: "cool(G,t): G cooled by the number t, at least -1",
        takes: 2..=2,
        work: |values, taken| {
            let by = values.as_number(taken[1]).filter(|&by| by >= Dyadic::whole(-1));
            let by = by.ok_or(Refusal::Unfit("games are cooled by numbers from -1 on"))?;
            Ok(Answer::Value(values.cool(taken[0], by)?))
        },
    },
    Function {
        name: "heat",
        usage: "heat(G,t)",
        about: "heat(G,t): G heated by t",
        takes: 2..=2,
        work: |values, taken| Ok(Answer::Value(values.heat(taken[0], taken[1])?)),
    },
    Function {
        name: "help",
        usage: "help()",
        about: "help(): this list",
        takes: 0..=0,
        work: |_, _| Ok(Answer::Words(FUNCTIONS.iter().map(|it| it.about).collect())),
    },
    Function {
        name: "left_stop",
        usage: "left_stop(G)",
        about: "left_stop(G): the number at which play stops if Left begins",
        takes: 1..=1,
        work: |values, taken| Ok(Answer::Number(values.left_stop(taken[0]))),
    },
    Function {
        name: "mean",
        usage: "mean(G)",
        about: "mean(G): the mean of many copies of G",
        takes: 1..=1,
        work: |values, taken| Ok(Answer::Number(values.mean(taken[0])?)),
    },
    Function {
        name: "nim",
        usage: "nim(a,b,…)",
        about: "nim(a,b,…): heaps of a, b, … stones",
        takes: 1..=MOST_TAKEN,
        work: |values, taken| {
            let mut sum = 0;
            for &heap in taken {
                let number = values.as_number(heap).and_then(Dyadic::as_whole);
                let heap = number.and_then(|n| u32::try_from(n).ok());
                sum ^= heap.ok_or(Refusal::Unfit("heaps are whole numbers from 0 below 2^32"))?;
            }
            Ok(Answer::Value(values.nimber(sum)?))
        },
    },
    Function {
        name: "norton",
        usage: "norton(G,U)",
        about: "norton(G,U): Norton's product of G with a positive U",
        takes: 2..=2,
        work: |values, taken| {
            let product = values.norton(taken[0], taken[1])?;
            let product =
                product.ok_or(Refusal::Unfit("the unit of Norton's product is positive"))?;
            Ok(Answer::Value(product))
        },
    },
    Function {
        name: "outcome",
        usage: "outcome(G)",
        about: "outcome(G): who wins",
        takes: 1..=1,
        work: |values, taken| Ok(Answer::Class(values.outcome(taken[0]))),
    },
    Function {
        name: "overheat",
        usage: "overheat(G,s,t)",
        about: "overheat(G,s,t): G overheated from s to t",
        takes: 3..=3,
        work: |values, taken| Ok(Answer::Value(values.overheat(taken[0], taken[1], taken[2])?)),
    },
    Function {
        name: "right_stop",
        usage: "right_stop(G)",
        about: "right_stop(G): the number at which play stops if Right begins",
        takes: 1..=1,
        work: |values, taken| Ok(Answer::Number(values.right_stop(taken[0]))),
    },
    Function {
        name: "temperature",
        usage: "temperature(G)",
        about: "temperature(G): what a move in G is worth",
        takes: 1..=1,
        work: |values, taken| Ok(Answer::Number(values.temperature(taken[0])?)),
    },
    Function {
        name: "thermograph",
        usage: "thermograph(G)",
        about: "thermograph(G): the corners of both walls",
        takes: 1..=1,
        work: |values, taken| Ok(Answer::Thermograph(values.thermograph(taken[0])?)),
    },
];

/// How many values a function takes if there is no other bound.
const MOST_TAKEN: usize = 1 << 12;

pub(crate) fn function(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

/// What is said about an unknown word: the nearest of the words that could have been meant.
pub(crate) fn unknown<'a>(name: &str, variables: impl Iterator<Item = &'a str>) -> String {
    let shown: String = name.chars().take(30).collect();
    let word = variables
        .map(|word| (word, ""))
        .chain(FUNCTIONS.iter().map(|function| (function.name, "(…)")))
        .map(|(word, after)| (distance(name, word), word, after))
        .filter(|&(far, word, _)| far <= 1 + word.chars().count() / 4)
        .min();
    match word {
        Some((0, word, after)) => format!("`{shown}` is a function: write `{word}{after}`"),
        Some((_, word, after)) => {
            format!("`{shown}` means nothing here; did you mean `{word}{after}`?")
        }
        None => format!("`{shown}` means nothing here; `help()` lists the functions"),
    }
}

/// How many letters must be changed, left out or put in.
fn distance(a: &str, b: &str) -> usize {
    // Names that are much longer are far away.
    let a: Vec<char> = a.chars().take(40).collect();
    let b: Vec<char> = b.chars().take(40).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = corner + usize::from(x != y);
            corner = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}
