//! What one can choose about a search, as plain data.

use std::ops::Range;
use std::time::Duration;

use foregone_model::TextError;

use crate::script::Script;
use crate::words::look_up;

/// How leaves are judged (section 5.4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Evaluation {
    /// Life-time damage (5.7).
    Ltd,
    /// Life-time damage with square roots (5.8), which favours even hit points.
    Ltd2,
    /// Both sides fight on by a script.
    Playout,
}

impl Evaluation {
    /// All of them.
    pub const ALL: [Evaluation; 3] = [Evaluation::Ltd, Evaluation::Ltd2, Evaluation::Playout];

    /// Its name, as a user types it.
    pub fn name(self) -> &'static str {
        match self {
            Evaluation::Ltd => "ltd",
            Evaluation::Ltd2 => "ltd2",
            Evaluation::Playout => "playout",
        }
    }

    /// The evaluation of this name. `span` is where the word stands.
    pub fn named(word: &str, span: Range<usize>) -> Result<Evaluation, TextError> {
        look_up("evaluation", word, span, &Evaluation::ALL, Evaluation::name)
    }
}

/// Who chooses first where both sides could (section 5.2.2): the other then answers a move that
/// it should not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Policy {
    /// Alt: the order is reversed from one such state to the next.
    Alternate,
    /// Alt': who acted last chooses first.
    AlternateLast,
    /// RAB: searches with random orders until time is up; root scores are added.
    Random,
    /// RAB': one search with a random order.
    RandomOnce,
    /// Max first, whose value is too low.
    Maxmin,
    /// Min first, whose value is too high.
    Minmax,
}

impl Policy {
    /// All of them.
    pub const ALL: [Policy; 6] = [
        Policy::Alternate,
        Policy::AlternateLast,
        Policy::Random,
        Policy::RandomOnce,
        Policy::Maxmin,
        Policy::Minmax,
    ];

    /// Its name, as a user types it.
    pub fn name(self) -> &'static str {
        match self {
            Policy::Alternate => "alt",
            Policy::AlternateLast => "alt-last",
            Policy::Random => "rab",
            Policy::RandomOnce => "rab-once",
            Policy::Maxmin => "maxmin",
            Policy::Minmax => "minmax",
        }
    }

    /// The policy of this name. `span` is where the word stands.
    pub fn named(word: &str, span: Range<usize>) -> Result<Policy, TextError> {
        look_up("policy", word, span, &Policy::ALL, Policy::name)
    }
}

/// All settings of a search. [`Settings::default`] is the best of the thesis' settings, with
/// 5 ms for a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How leaves are judged.
    pub evaluation: Evaluation,
    /// The script of both sides in playouts.
    pub playout: Script,
    /// Who chooses first.
    pub policy: Policy,
    /// The script that the other side is known to follow, if it is: then the search looks for a
    /// best response to it.
    pub against: Option<Script>,
    /// The time for a decision.
    pub time: Option<Duration>,
    /// The nodes for a decision. The same search with the same limit does the same.
    pub nodes: Option<u64>,
    /// How many moves ahead at most; both moves of a simultaneous choice count. If it is not
    /// given, see [`Settings::deepest`].
    pub depth: Option<u32>,
    /// How many frames ahead at most.
    pub horizon: Option<u32>,
    /// How many moves of a side are tried in a state at most, the most promising first. Not in
    /// the thesis; SparCraft has it. Without it a search of eight units never gets past the
    /// first side's moves.
    pub width: Option<u32>,
    /// Whether scripts and the table suggest which moves to try first.
    pub ordering: bool,
    /// How many states the table remembers; none with 0.
    pub table: usize,
    /// What random orders are drawn from.
    pub seed: u64,
}

/// The deepest that a search goes: its recursion lives on the stack.
pub const DEEPEST: u32 = 64;

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            evaluation: Evaluation::Playout,
            playout: Script::NokAv,
            policy: Policy::Alternate,
            against: None,
            time: Some(Duration::from_millis(5)),
            nodes: None,
            depth: None,
            horizon: None,
            width: Some(20),
            ordering: true,
            table: 1 << 16,
            seed: 1,
        }
    }
}

/// How deep a search with playouts goes by default: one exchange of moves.
///
/// Deeper ones are hardly stronger against other searches and weaker against scripts. They expect
/// the best replies, which scripts do not find, and shun fights that a playout judges rightly.
const ONE_EXCHANGE: u32 = 2;

impl Settings {
    /// The depth at which the search ends: what is asked for, or else one exchange of moves with
    /// playouts, which look ahead themselves, and no limit for static evaluations.
    pub fn deepest(&self) -> u32 {
        let usual = match self.evaluation {
            Evaluation::Playout => ONE_EXCHANGE,
            Evaluation::Ltd | Evaluation::Ltd2 => DEEPEST,
        };
        self.depth.unwrap_or(usual).clamp(1, DEEPEST)
    }
}

#[cfg(test)]
mod tests {
    use super::{Evaluation, Policy};

    #[test]
    fn names_are_read_back() {
        for e in Evaluation::ALL {
            assert_eq!(Evaluation::named(e.name(), 0..0), Ok(e));
        }
        for p in Policy::ALL {
            assert_eq!(Policy::named(p.name(), 0..0), Ok(p));
        }
        assert_eq!(Policy::named("alt'", 4..8).unwrap_err().span, 4..8);
    }
}
