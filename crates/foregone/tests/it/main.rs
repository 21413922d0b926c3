//! Tests of the whole: games, searches, certificates and the program together.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod attack;
mod check;
mod cli;
mod combat;
mod common;
mod corpus;
mod every_game;
mod fuzz;
mod gdl;
mod hostile;
mod joint;
mod matrix;
mod mutations;
mod outcomes;
mod parts;
mod random_games;
mod readme;
mod reproduce;
mod second_checker;
