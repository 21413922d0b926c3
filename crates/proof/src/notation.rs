//! The text of a game: how its positions and moves are written, read and drawn.
//!
//! Kept apart from [`Game`] so that rules stay rules. A position's text and a move's text are
//! part of a certificate, so reading back what was written must give the same thing.

use std::fmt;
use std::ops::Range;

use crate::game::{Agent, Atom, Game, Side};
use crate::normal_play::Summand;

/// A text that could not be read: what is wrong, and where in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// What is wrong and what was expected.
    pub message: String,
    /// The bytes of the text at fault.
    pub span: Range<usize>,
    /// Words that would have been right here; the nearest one is worth suggesting.
    pub choices: Vec<String>,
}

impl TextError {
    /// An error about this part of the text.
    pub fn new(message: impl Into<String>, span: Range<usize>) -> TextError {
        TextError { message: message.into(), span, choices: Vec::new() }
    }

    /// The same error with the words that would have been right.
    pub fn with_choices(mut self, choices: Vec<String>) -> TextError {
        self.choices = choices;
        self
    }

    /// The same error for a text in which this one begins at byte `offset`.
    pub fn shifted(mut self, offset: usize) -> TextError {
        self.span = self.span.start + offset..self.span.end + offset;
        self
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for TextError {}

/// Which rules a certificate speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The version of the game's rules: a change of their meaning is a new one.
    pub version: u32,
    /// The SHA-256 digest of the file that the rules were read from, in hexadecimal digits.
    pub digest: Option<String>,
}

impl Default for Rules {
    /// The first version, built in.
    fn default() -> Rules {
        Rules { version: 1, digest: None }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.digest {
            None => write!(f, "{}", self.version),
            Some(digest) => write!(f, "{} sha256:{digest}", self.version),
        }
    }
}

/// How a game's positions and moves are written.
pub trait Notation: Game {
    /// The game and its options, as one types it: `domineering:6x6`.
    fn name(&self) -> String;

    /// The names of Max and Min.
    fn players(&self) -> [&str; 2];

    /// The name of an agent. The first two of a game of two are [`Notation::players`].
    fn agent_name(&self, agent: Agent) -> &str {
        if agent == Agent::CHANCE {
            return "chance";
        }
        self.players()[Side::of(agent).index()]
    }

    /// The propositions that formulas can use beside those of every game: how each is written,
    /// and what it means.
    fn atoms(&self) -> &[(&'static str, &'static str)] {
        &[]
    }

    /// The proposition that `text` means, written as [`Notation::atoms`] lists them, if the game
    /// has it. Must not panic.
    fn read_atom(&self, _text: &str) -> Option<Atom> {
        None
    }

    /// Whether Max plays alone. Min then has a name, because certificates call by it who holds
    /// that more cannot be reached, but Min never moves; the outcomes are Max's points.
    fn one_player(&self) -> bool {
        false
    }

    /// Appends the text of a move that is legal in `s`: no white space, no colon.
    fn write_move(&self, s: &Self::State, m: Self::Move, out: &mut String);

    /// The move that `text` means in `s`, whether it is legal or not. Must not panic.
    fn parse_move(&self, s: &Self::State, text: &str) -> Option<Self::Move>;

    /// The move that a person means by `text`, who may write it in other ways, too. Certificates
    /// have one text for a move.
    fn parse_typed(&self, s: &Self::State, text: &str) -> Option<Self::Move> {
        self.parse_move(s, text)
    }

    /// The same for a move of an agent that may not be on turn.
    fn write_move_of(&self, s: &Self::State, _agent: Agent, m: Self::Move, out: &mut String) {
        self.write_move(s, m, out);
    }

    /// The move of this agent that `text` means, for an agent that may not be on turn.
    fn parse_move_of(&self, s: &Self::State, _agent: Agent, text: &str) -> Option<Self::Move> {
        self.parse_move(s, text)
    }

    /// What is asked of the positions, where that is part of the game: a formula, and the name of
    /// the agent that it calls A.
    fn question(&self) -> Option<(String, String)> {
        None
    }

    /// Appends the text of a position, on one line.
    fn write_position(&self, s: &Self::State, out: &mut String);

    /// Reads what [`Notation::write_position`] wrote, or what a person would type. The position
    /// read must be one that the rules can work with; it need not be reachable.
    fn read_position(&self, text: &str) -> Result<Self::State, TextError>;

    /// A drawing of the position for a person, ending in a newline, who is to move not included.
    fn draw(&self, s: &Self::State) -> String {
        self.position_text(s) + "\n"
    }

    /// The version of the rules, and what the file says that they were read from.
    fn rules(&self) -> Rules {
        Rules::default()
    }

    /// The same game by rules that share nothing with these, where it has such: its certificates
    /// are checked by them, so that a mistake in these rules cannot prove anything.
    fn independent_rules(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// What adds and takes apart positions, where the game is one under normal play: then a proof may
    /// speak of the parts of a position.
    fn summand(&self) -> Option<&dyn Summand<Self::State>> {
        None
    }

    /// The text of a move.
    fn move_text(&self, s: &Self::State, m: Self::Move) -> String {
        let mut out = String::new();
        self.write_move(s, m, &mut out);
        out
    }

    /// The text of a position.
    fn position_text(&self, s: &Self::State) -> String {
        let mut out = String::new();
        self.write_position(s, &mut out);
        out
    }
}
