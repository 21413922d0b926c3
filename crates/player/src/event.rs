//! What happens to a player, a line each: the program prints them.

use std::fmt;

use foregone_model::number::counted;

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// Somebody asked how the player is.
    Info {
        /// Whether a match runs.
        busy: bool,
    },
    /// Rules came in advance.
    Preview,
    /// A match began.
    Start {
        /// The match.
        id: String,
        /// The role to play.
        role: String,
    },
    /// A move was made.
    Play {
        /// The move.
        action: String,
        /// Random plays since the last move.
        plays: u64,
        /// Positions in the tree.
        nodes: usize,
        /// The goal that the move is sure of, …
        low: u8,
        /// … and the goal that it cannot exceed.
        high: u8,
    },
    /// A match ended.
    Stop {
        /// The match.
        id: String,
        /// The goal reached, if the last moves led to the end of the game.
        goal: Option<i32>,
    },
    /// A match was broken off.
    Abort {
        /// The match.
        id: String,
    },
    /// Nothing was heard of a match for long.
    GivenUp {
        /// The match.
        id: String,
    },
    /// A message was about another match than the one that runs, or about none.
    Busy,
    /// A message made no sense.
    Bad {
        /// Why.
        reason: String,
    },
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Info { busy: false } => f.write_str("info: available"),
            Event::Info { busy: true } => f.write_str("info: busy"),
            Event::Preview => f.write_str("preview"),
            Event::Start { id, role } => write!(f, "start {id} as {role}"),
            Event::Play { action, plays, nodes, low, high } => {
                let (plays, nodes) = (counted(*plays, "play"), counted(*nodes as u64, "node"));
                write!(f, "play: {action}, {plays}, {nodes}, value {low}..{high}")
            }
            Event::Stop { id, goal: Some(goal) } => write!(f, "stop {id}: goal {goal}"),
            Event::Stop { id, goal: None } => write!(f, "stop {id}"),
            Event::Abort { id } => write!(f, "abort {id}"),
            Event::GivenUp { id } => write!(f, "gave up {id}: no message for too long"),
            Event::Busy => f.write_str("busy: this message is not for the running match"),
            Event::Bad { reason } => write!(f, "bad message: {reason}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_a_line() {
        let action = "(mark 2 2)".to_owned();
        let play = Event::Play { action, plays: 1_012_345, nodes: 999, low: 50, high: 100 };
        let line = "play: (mark 2 2), 1,012,345 plays, 999 nodes, value 50..100";
        assert_eq!(play.to_string(), line);
    }
}
