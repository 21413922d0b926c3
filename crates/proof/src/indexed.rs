//! Numbers for positions: what a table of all positions of a game rests on, beside the rules.

use crate::game::{Game, Outcome};

/// A class of positions that have one table: a material of chess, a number of seeds. Its number
/// means something to its game only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Class(pub u64);

/// Where a position stands in the tables of its game, and how what is true of the position there
/// is true of this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The class.
    pub class: Class,
    /// The number in the class.
    pub index: u64,
    /// Whether the players are exchanged in the table: then its worst outcome is the best one here.
    pub flip: bool,
    /// By how many outcomes of the scale this position is better for the first agent than the one in
    /// the table, after players were exchanged: seeds that were captured before, say.
    pub shift: i32,
}

impl Place {
    /// The position of this number itself.
    pub fn new(class: Class, index: u64) -> Place {
        Place { class, index, flip: false, shift: 0 }
    }

    /// The outcome of the position, if this is the outcome of the one in the table, and `best` is
    /// the best outcome of the scale. Nothing if that is beyond the scale: then the numbering is
    /// wrong.
    pub fn outcome(&self, o: Outcome, best: Outcome) -> Option<Outcome> {
        let o = if self.flip { best.0.checked_sub(o.0)? } else { o.0 };
        let shifted = i32::from(o) + self.shift;
        u16::try_from(shifted).ok().map(Outcome).filter(|&o| o <= best)
    }
}

/// A game whose positions have numbers, class by class.
///
/// Mirror images, and positions with the players exchanged, may share a number; what they share is
/// then part of what one must believe. Where numbers are scores, moves lead to classes of the same
/// or of smaller numbers only, and moves within a class shift nothing.
pub trait Indexed: Game {
    /// The name of a class, as a person types it: one word of letters, digits and `-`.
    fn class_name(&self, class: Class) -> String;

    /// How many numbers a class has: 0, 1, … up to this, some of which may be holes.
    fn size(&self, class: Class) -> u64;

    /// The classes that moves from positions of this class lead to, without itself, each once.
    fn leads_to(&self, class: Class) -> Vec<Class>;

    /// Where a position stands; nothing if it is in no class.
    fn place(&self, s: &Self::State) -> Option<Place>;

    /// The position of a number; nothing if it is a hole. Its place is that number, neither
    /// flipped nor shifted.
    fn position(&self, class: Class, index: u64) -> Option<Self::State>;

    /// The worst and the best outcome that positions of a class (those that are in the table) may
    /// have, and the outcomes between them may be their values, too.
    fn outcomes(&self, _class: Class) -> (Outcome, Outcome) {
        (Outcome(0), self.scale().best())
    }
}
