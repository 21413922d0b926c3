//! Tests of the library: games, searches, certificates and jobs together.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod cgt_data;
mod checkpoints;
mod chess_tables;
mod common;
mod compare;
mod corpus;
mod crew;
mod defaults;
mod endless;
mod every_game;
mod expected;
mod formulas;
mod fuzz;
mod hostile;
mod inputs;
mod jobs;
mod joint;
mod lambda;
mod liar;
mod lines;
mod many;
mod moves;
mod mutations;
mod outcomes;
mod own_game;
mod pictures;
mod play;
mod player;
mod problems;
mod random_games;
mod seal;
mod tables;
mod tables_by_crew;
mod tables_whole;
mod threads;
mod threats;
mod two_jobs;
