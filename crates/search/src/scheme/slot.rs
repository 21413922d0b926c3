//! What a scheme says of itself to be chosen by its word, and values of any scheme in one form.

use foregone_model::Outcome;

use super::{AnyScheme, Scheme};
use crate::leaves::Init;

/// A value of any scheme. Which one is known from elsewhere.
///
/// Searches are compiled for every game, and for each scheme that they are to be fast with. For
/// the others they are compiled once, with values of this form.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slot {
    /// A sum, a chance or a score.
    pub number: f64,
    /// A count.
    pub count: u32,
    /// Two small numbers.
    pub pair: [u16; 2],
}

foregone_model::stored!(Slot { number, count, pair });

/// A scheme with a word of its own.
pub trait Listed: Scheme<Value: Into<Slot> + From<Slot>> + Copy + Default + PartialEq {
    /// The word by which it is chosen.
    const WORD: &'static str;

    /// What it is, in a few words.
    const ABOUT: &'static str;

    /// Where the values of its leaves may come from, the best choice first.
    const LEAVES: &'static [Init];

    /// Its options, to be read and to be set. Those that are not the default are part of its text:
    /// `mcts(exploration=0.4)`.
    fn options(&mut self) -> Vec<(&'static str, OptionValue<'_>)> {
        Vec::new()
    }

    /// The scheme of inner searches where it guides the outer one and no other is named.
    fn inner(self) -> AnyScheme;

    /// The scheme for a space with this best outcome.
    fn for_best(self, _best: Outcome) -> Self {
        self
    }

    /// Whether it looks at which moves do well in random plays.
    fn wants_labels(self) -> bool {
        false
    }

    /// A key as a number, after another one that comes first.
    fn pair_key(key: Self::Key) -> (i8, f64);
}

/// An option of a scheme.
#[derive(Debug)]
pub enum OptionValue<'a> {
    /// A finite number, at least the second one if there is one.
    Number(&'a mut f64, Option<f64>),
    /// `yes` or `no`.
    Switch(&'a mut bool),
    /// One of two words: the first stands for no, the second for yes.
    Choice(&'a mut bool, [&'static str; 2]),
}

impl From<f64> for Slot {
    fn from(number: f64) -> Slot {
        Slot { number, ..Slot::default() }
    }
}

impl From<Slot> for f64 {
    fn from(slot: Slot) -> f64 {
        slot.number
    }
}
