//! What searches need beyond the rules: guides, spaces, questions, solutions, and writers of
//! certificates. Nothing here is believed: what one reads to believe an answer is the crate
//! `foregone-proof`, whose names are here, too.
//!
//! Allis's three ways of solving a game, as *Solving Games and All That* defines them (Remark 4):
//!
//! * **ultra-weakly**: it is known whether the start is won or lost, and no more. That is a
//!   [`Claim`] without anything behind it.
//! * **weakly**: a *weak solution* containing the start was exhibited (Definition 3): a set of
//!   states closed under one good move of the prover and all moves of the opponent. That is a
//!   [`WeakSolution`]; written down it is a certificate.
//! * **strongly**: a partition of all states was exhibited (Definition 4): a `StrongSolution` of
//!   the search crate.

use sha2::Digest as _;

mod by_table;
pub mod cell;
mod cover;
pub mod formula;
pub mod guide;
pub mod number;
pub mod rows;
pub mod scene;
mod sequential;
pub mod solution;
pub mod space;
pub mod stored;
pub mod tabled;
mod typed;
mod write;
mod write_covered;
mod write_expected;
mod write_many;
mod write_mixed;
pub mod zone;

/// Certificates: their format and checkers are those of `foregone-proof`, their writers stand here.
pub mod certificate {
    pub use foregone_proof::certificate::*;

    pub use crate::write::{Manner, Written, Wrote, write, write_to, write_while};
    pub use crate::write_expected::{Plan, PlanLine, PlanMove, write_expected_while};
    pub use crate::write_many::write_scores_while;
    pub use crate::write_mixed::{
        Mixed, guarantee_while, rounding_for, write_mixed, write_mixed_while,
    };
}

pub use foregone_proof::{
    Agent, Atom, Claim, Class, Endless, Game, Indexed, Joint, JointNotation, Net, NormalPlay,
    Notation, OffTurn, Outcome, Place, Ratio, Reach, Rules, Scale, Side, Summand, TextError, Turn,
    Viewpoint, sums,
};
/// Rules that were read from a text: the first version, named by the text's SHA-256 digest.
pub fn rules_of_text(text: &str) -> Rules {
    let digest = sha2::Sha256::digest(text.as_bytes());
    let digest = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    Rules { version: 1, digest: Some(digest) }
}

pub use by_table::played_on;
pub use foregone_proof::{connection, game, indexed, joint, notation, ratio, table};
pub use guide::{Character, Effort, Guide, Known, OwnFound, OwnSearch, Rng, TableMove};
pub use number::Fraction;
pub use scene::Scene;
pub use sequential::Sequential;
pub use solution::{Follower, Line, Says, WeakSolution};
pub use space::{Goal, GoalTerms, Look, Space};
pub use tabled::{ClassMoves, Node, PlainMoves, Step, Tabled};
pub use typed::{JointTyped, Typed};
pub use zone::Zone;
