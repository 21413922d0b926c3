//! Who wins this game, and how do you know?
//!
//! A [`Job`] is a question about a position of a game. [`Engine::run`] returns an [`Answer`] whose
//! proof a small independent checker has replayed. Both are plain data:
//!
//! ```
//! use foregone::{Cancel, Engine, Job};
//!
//! let engine = Engine::default();
//! let job: Job = "domineering:4x4".parse()?;
//! let finished = engine.run(&job, &mut (), &Cancel::new())?;
//! assert_eq!(finished.answer.value(), Some("win"));
//! assert!(finished.answer.proof().is_some_and(|proof| proof.checked));
//! # Ok::<(), foregone::Error>(())
//! ```
//!
//! While a job runs it tells an [`Observer`] what happens, and a [`Cancel`] token ends it. Nothing
//! about a job is global: jobs in one process do not disturb each other. The clock and the files are handed
//! in ([`Engine::new`]), so that the same engine runs in a browser.
//!
//! # A job, step by step
//!
//! ```
#![doc = include_str!("../examples/ask.rs")]
//! ```
//!
//! # A game of your own
//!
//! A game is a type with rules ([`Game`](model::Game)), a notation ([`Notation`](model::Notation))
//! and hints for searches ([`Guide`](model::Guide)), of which there may be none ([`unguided!`]).
//! This is Chomp, solved, its proof written and verified:
//!
//! ```
#![doc = include_str!("../examples/own_game.rs")]
//! ```

mod answer;
mod certify;
mod checkpoint;
pub mod compare;
pub mod crew;
mod draw;
mod engine;
mod error;
pub mod expected;
mod explain;
pub mod formula;
mod game;
mod guidance;
mod job;
pub mod joint;
mod line;
pub mod many;
pub mod matrix;
mod moves;
mod observe;
pub mod picture;
pub mod play;
pub mod problem;
mod scale;
mod scene;
pub mod session;
pub mod solver;
mod specialised;
pub mod tables;
mod task;
pub mod text;
mod tree_picture;
mod trust;
mod verify;
mod watch;
pub mod worth;

pub use answer::{
    Answer, Drawings, ExpectedAnswer, ExpectedMove, Finished, FormulaAnswer, JointAnswer, LineEnd,
    ManyAnswer, MoveAnswer, PlayerScore, ProofSummary, QueryCounts, Status, Strategy, TurnAnswer,
    UNDETERMINED, ValueIs,
};
pub use certify::Archive;
pub use checkpoint::{Checkpoints, Keeper, WriteOut};
pub use draw::{NodeKind, ProofNode, ProofTree};
pub use engine::Engine;
pub use error::{Error, ErrorKind, Place, nearest, plain, suggest};
pub use foregone_cgt as cgt;
pub use foregone_games as games;
pub use foregone_games::registry::{Entry, Opened};
pub use foregone_model as model;
pub use foregone_search as search;
pub use game::{AnyGame, Description, Replayed, Shown, called, end_of_many, perft};
pub use guidance::{default_driver, default_guidance, default_scheme, pick};
pub use job::{Budget, Job, Outcomes, Proof, Question};
#[cfg(not(target_family = "wasm"))]
pub use observe::SystemClock;
pub use observe::{
    Cancel, Clock, Context, Event, MoveValue, NoClock, Observer, Progress, Stop, Work,
};
pub use solver::Solver;
pub use trust::{Expand, Trust};
pub use verify::{Refused, Watched, verified_json};

/// Says that a game has no hints for searches: implements [`Guide`](model::Guide) for its type by
/// the rules alone. With `stored` behind it, its states and moves are
/// [`Stored`](model::stored::Stored), and its searches can be kept in checkpoints.
#[macro_export]
macro_rules! unguided {
    ($game:ty) => {
        $crate::unguided!($game,);
    };
    ($game:ty, stored) => {
        $crate::unguided!($game, $crate::model::stored_by_parts!(););
    };
    ($game:ty, $($stored:tt)*) => {
        impl $crate::model::Guide for $game {
            type Packed = <$game as $crate::model::Game>::State;

            $($stored)*

            fn pack(&self, s: &Self::Packed) -> Self::Packed {
                s.clone()
            }
        }
    };
}
