//! The facade: a game, a question, a scheme and a driver make a job; a session runs it; the
//! answer carries a certificate that was replayed.
//!
//! This crate is the only place where a game meets a scheme.

pub mod args;
pub mod bench;
pub mod check;
pub mod combat;
pub mod draw;
pub mod failure;
pub mod gdl;
pub mod guidance;
pub mod job;
pub mod joint;
pub mod matrix;
pub mod print;
pub mod reproduce;
pub mod run;
pub mod session;
pub mod verify;
