//! What one reads to believe an answer: the interface of rules, claims, formulas, and the
//! checkers of all kinds of certificates. No search, no input or output, no unsafe code, and no
//! dependencies but two: whole numbers and fractions of any size, behind [`ratio`] and nowhere else.
//!
//! To believe a proof one reads this crate and the file with the rules of the game, whose net
//! ([`Game::net`]) belongs to them; where a claim rests on static knowledge, also the file that confirms its reason (`witness.rs` in the
//! folder of its game). `.ci/trusted-base` counts the lines.

pub mod certificate;
pub mod connection;
pub mod formula;
pub mod game;
pub mod indexed;
pub mod joint;
pub mod normal_play;
pub mod notation;
pub mod ratio;
pub mod sums;
pub mod table;

pub use connection::Net;
pub use game::{
    Agent, Atom, Claim, Endless, Game, OffTurn, Outcome, Reach, Scale, Side, Turn, Viewpoint,
};
pub use indexed::{Class, Indexed, Place};
pub use joint::{Joint, JointNotation};
pub use normal_play::{NormalPlay, Summand};
pub use notation::{Notation, Rules, TextError};
pub use ratio::Ratio;
