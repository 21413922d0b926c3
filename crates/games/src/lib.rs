//! Rules only: one file a game, its notation, and the list of games.
//!
//! A rules file knows no algorithm. Estimates that guide a search stand in files of their own
//! (`y_reduction.rs`).

pub mod atari_go;
pub mod bidding_tic_tac_toe;
pub mod board;
pub mod breakthrough;
pub mod breakthrough_races;
pub mod breakthrough_witness;
pub mod chess;
mod chess_fen;
pub mod chess_reach;
pub mod chess_reach_witness;
#[cfg(test)]
mod chess_reach_witness_tests;
pub mod chinese_checkers;
pub mod connect_four;
pub mod connect_four_threats;
pub mod connect_four_witness;
pub mod domineering;
pub mod domineering_bounds;
pub mod domineering_reason;
pub mod domineering_witness;
pub mod erased;
pub mod erased_joint;
pub mod explicit;
pub mod files;
pub mod go_capture;
pub mod gomoku;
pub mod goofspiel;
mod held;
pub mod hex;
pub mod joint_file;
pub mod joint_registry;
#[cfg(test)]
mod joint_testing;
pub mod kalah;
pub mod kalah_bounds;
pub mod kalah_witness;
pub mod left_right;
pub mod matrix;
pub mod nim;
pub mod nogo;
mod options;
pub mod oshi_zumo;
pub mod othello;
mod payoffs;
pub mod pursuit;
pub mod race;
pub mod random_joint;
pub mod registry;
mod rulesheet;
pub mod same_game;
pub mod same_game_bounds;
pub mod same_game_witness;
mod scores;
pub mod seki;
pub mod semeai;
mod sgf;
pub mod stones;
#[cfg(test)]
mod testing;
pub mod tic_tac_toe;
pub mod tron;
pub mod wide;
pub mod woodpush;
pub mod y;
pub mod y_reduction;
