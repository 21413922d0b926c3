//! Rules of games in which both players move at the same time.
//!
//! After A. Saffidine, *Solving Games and All That* (2013), chapter 5: a stacked-matrix game is a
//! transition system whose transitions are labelled by pairs of moves (Definition 39), with a
//! number at its final states (Definition 40). The transition relation has no cycles (section
//! 5.1.1), so every state is worth something, but reaching that may need chance: a state's matrix
//! of payoffs has a value by von Neumann's theorem, and its strategies are mixed.
//!
//! A state in which only one player has a choice is the case where the other one has one move.

use std::fmt::Debug;
use std::hash::Hash;

use crate::game::Side;
use crate::notation::{Rules, TextError};

/// Rules of a two-player zero-sum game with joint moves. No play is endless.
pub trait Joint: Sync {
    /// A position.
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;
    /// A move of one player.
    type Move: Copy + Eq + Hash + Debug + Send + Sync;

    /// Payoffs are whole numbers, of which so many make one point.
    fn unit(&self) -> i64 {
        1
    }

    /// The least and the largest payoff that there are.
    fn range(&self) -> (i64, i64);

    /// The starting position.
    fn start(&self) -> Self::State;

    /// What Max gets in `s`, if it is over.
    fn payoff(&self, s: &Self::State) -> Option<i64>;

    /// Appends the moves of a side, in a fixed order: at least one where `s` is not over.
    fn moves(&self, s: &Self::State, side: Side, out: &mut Vec<Self::Move>);

    /// Plays one of Max's moves and one of Min's, at the same time.
    fn play(&self, s: &mut Self::State, max: Self::Move, min: Self::Move);

    /// Bounds of the value of `s` that can be seen without a search (section 5.3.4). They must be
    /// right, but no certificate rests on them.
    fn bounds(&self, _s: &Self::State) -> (i64, i64) {
        self.range()
    }

    /// What was found wrong with the rules while states were looked at; see
    /// [`crate::Game::rules_violation`].
    fn rules_violation(&self) -> Option<String> {
        None
    }
}

/// How a game with joint moves is written. The texts are part of certificates, so reading back
/// what was written must give the same thing.
pub trait JointNotation: Joint {
    /// The game and its options, as one types it: `goofspiel:6`.
    fn name(&self) -> String;

    /// The names of Max and Min.
    fn players(&self) -> [&str; 2];

    /// Appends the text of a legal move of a side: no white space, no comma, no slash.
    fn write_move(&self, s: &Self::State, side: Side, m: Self::Move, out: &mut String);

    /// The move of this side that `text` means, whether it is legal or not. Must not panic.
    fn parse_move(&self, s: &Self::State, side: Side, text: &str) -> Option<Self::Move>;

    /// Appends the text of a position, on one line.
    fn write_position(&self, s: &Self::State, out: &mut String);

    /// Reads what [`JointNotation::write_position`] wrote, or what a person would type. The rules
    /// must be able to work with it.
    fn read_position(&self, text: &str) -> Result<Self::State, TextError>;

    /// A drawing of the position for a person, ending in a newline.
    fn draw(&self, s: &Self::State) -> String;

    /// The version of the rules, and what the file says that they were read from.
    fn rules(&self) -> Rules {
        Rules::default()
    }

    /// The same game by rules that share nothing with these; see
    /// [`crate::Notation::independent_rules`].
    fn independent_rules(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// The text of a move.
    fn move_text(&self, s: &Self::State, side: Side, m: Self::Move) -> String {
        let mut out = String::new();
        self.write_move(s, side, m, &mut out);
        out
    }

    /// The text of a position.
    fn position_text(&self, s: &Self::State) -> String {
        let mut out = String::new();
        self.write_position(s, &mut out);
        out
    }
}
