//! Small battles of a real-time strategy game: both sides choose at the same time, and what they
//! choose takes time.
//!
//! After *Solving Games and All That*, sections 5.1.3, 5.2.2 and 5.4 and Appendix A, which presents
//! the work of D. Churchill, A. Saffidine and M. Buro, *Fast heuristic search for RTS game combat
//! scenarios* (2012). The parts, from the rules up:
//!
//! - [`mod@unit`] and [`state`]: who fights and what a side may do;
//! - [`script`]: the seven fixed ways to fight;
//! - [`evaluate`]: how good a state is;
//! - [`abcd`]: alpha-beta search for moves that take time, with [`moves`] and [`table`];
//! - [`scenario`] and [`battle`]: armies, battles and tournaments.
//!
//! Nothing here proves anything: battles are played by estimates, in real time.

pub mod abcd;
pub mod battle;
pub mod evaluate;
pub mod moves;
pub mod scenario;
pub mod script;
pub mod settings;
pub mod state;
pub mod table;
pub mod unit;

mod words;

pub use abcd::{Decision, Searcher};
pub use battle::{Battle, Player, Record, Tally, tournament};
pub use scenario::{Army, Scenario};
pub use script::Script;
pub use settings::{Evaluation, Policy, Settings};
pub use state::{Action, Direction, Move, State, Unit};
pub use unit::Kind;
