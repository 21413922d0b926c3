//! What one reads to believe a proof: the rules' interface, the questions, the certificates and
//! the checker. No search, no input or output, no unsafe code, and no dependencies but one: whole
//! numbers of any size, which stand behind [`ratio`] and nowhere else.
//!
//! Allis's three ways of solving a game, as *Solving Games and All That* defines them (Remark 4):
//!
//! * **ultra-weakly**: it is known whether the start is won or lost, and no more. That is an
//!   [`Claim`] without anything behind it.
//! * **weakly**: a *weak solution* containing the start was exhibited (Definition 3): a set of
//!   states closed under one good move of the prover and all moves of the opponent. That is a
//!   [`WeakSolution`]; written down it is a certificate.
//! * **strongly**: a partition of all states was exhibited (Definition 4): a `StrongSolution` of
//!   the search crate.

pub mod certificate;
pub mod formula;
pub mod game;
pub mod guide;
pub mod joint;
pub mod notation;
pub mod ratio;
pub mod solution;
pub mod space;

pub use game::{Agent, Atom, Endless, Game, Known, OffTurn, Outcome, Reach, Scale, Side, Turn};
pub use guide::{Guide, Rng};
pub use joint::{Joint, JointNotation, Sequential};
pub use notation::{Notation, TextError};
pub use ratio::Ratio;
pub use solution::{Line, WeakSolution};
pub use space::{Claim, Goal, Look, Space};
