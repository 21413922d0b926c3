//! Games written in the Game Description Language (GDL) of Love, Hinrichs and Genesereth (2006),
//! the language of general game playing: a rulesheet is a logic program that says which moves are
//! legal, what comes next, when the game ends and who gets what.
//!
//! * [`kif`] reads the text into trees of symbols, each with its place;
//! * [`mod@file`] reads the text out of a file;
//! * [`rules`] makes facts and rules of the trees;
//! * [`mod@check`] lists every requirement of GDL that a rulesheet breaks;
//! * [`compile`] makes a program of the rules that is fast to run: a network of gates, or clauses
//!   for forward chaining;
//! * [`interpret`] answers questions about states by plain tabled resolution. It is the reference:
//!   slow, short, and sharing nothing with any faster way to run a rulesheet;
//! * [`machine`] is one interface to all of these ways to run a rulesheet;
//! * [`game`] makes a game for the solvers of it;
//! * [`play`] plays at random, to see whether a rulesheet can be played;
//! * [`trace`] writes playouts, one line per state, to compare interpreters by.
//!
//! ```
//! use foregone_gdl::{Interpreter, Program};
//!
//! let text = "(role you) (init (at 1)) (succ 1 2)
//!             (<= (legal you go) (true (at 1)))
//!             (<= (next (at ?y)) (does you go) (true (at ?x)) (succ ?x ?y))
//!             (<= terminal (true (at 2)))
//!             (goal you 100)";
//! let program = Program::read(text)?;
//! assert!(foregone_gdl::check(&program).is_empty());
//! let mut game = Interpreter::new(&program);
//! let start = game.initial()?;
//! let go = game.legal(&start, 0)?[0];
//! let end = game.next(&start, &[go])?;
//! assert!(game.terminal(&end)?);
//! assert_eq!(game.goal(&end, 0)?, Some(100));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod check;
pub mod compile;
pub mod file;
pub mod game;

mod graph;
pub mod interpret;
pub mod kif;
pub mod machine;
pub mod play;
pub mod rules;
mod stop;
pub mod trace;

pub use check::{Problem, check};
pub use compile::{Limits, Refusal, Step, Steps};
pub use game::{JointSheet, Kind, LoadError, Loaded, Sheet, move_word};
pub use interpret::Ground;
pub use interpret::{Fault, Interpreter};
pub use kif::{Symbol, Symbols, line_and_column};
pub use machine::{Backend, Machine, MachineError, Move, State, Tally, View};
pub use rules::Program;
pub use stop::StopCheck;
