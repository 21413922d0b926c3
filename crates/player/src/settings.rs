//! What can be set about a player.

use std::time::Duration;

use crate::search::Limits;

/// How much of a clock is kept back. Sending a move takes time, too, and a late move is an illegal
/// one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// At least this much is kept back, …
    pub margin: Duration,
    /// … and at least this many hundredths of the clock.
    pub percent: u32,
}

impl Default for Clock {
    fn default() -> Clock {
        Clock { margin: Duration::from_millis(500), percent: 10 }
    }
}

impl Clock {
    /// How long to think, and when to answer at the latest, both from the arrival of the message.
    /// Half of what is kept back waits for a thought that does not end in time. A clock that is
    /// shorter than the margin is used by a quarter.
    pub fn plan(&self, clock: Duration) -> (Duration, Duration) {
        let kept = self.margin.max(clock / 100 * self.percent.min(100));
        let think = clock.saturating_sub(kept).max(clock / 4);
        (think, think + (clock - think) / 2)
    }
}

/// What can be set about a player.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The name in the answer to INFO: a word of KIF, without blanks and brackets.
    pub name: String,
    /// How much of the clock is kept back.
    pub clock: Clock,
    /// Where the random numbers of every match begin.
    pub seed: u64,
    /// How large a tree may grow.
    pub limits: Limits,
    /// Whether to go on thinking between an answer and the next message.
    pub ponder: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            name: "foregone".to_owned(),
            clock: Clock::default(),
            seed: 1,
            limits: Limits::default(),
            ponder: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_margin_is_kept_and_short_clocks_are_still_used() {
        let clock = Clock::default();
        let plan = |ms| {
            let (think, answer) = clock.plan(Duration::from_millis(ms));
            (think.as_millis(), answer.as_millis())
        };
        assert_eq!(plan(30_000), (27_000, 28_500), "a tenth");
        assert_eq!(plan(1_000), (500, 750), "half a second");
        assert_eq!(plan(400), (100, 250), "a quarter");
        assert_eq!(plan(0), (0, 0));
    }
}
