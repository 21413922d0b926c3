//! Rules only: a file or a folder for each game, with its notation, and the list of games.
//!
//! A rules file knows no algorithm. Estimates that guide a search stand in files of their own
//! (`y/reduction.rs`).

pub mod amazons;
pub mod atari_go;
pub mod awari;
pub mod bear_off;
pub mod best_reply;
pub mod bidding_tic_tac_toe;
pub mod board;
pub mod breakthrough;
pub mod cant_stop;
#[cfg(test)]
mod chance_testing;
pub mod chess;
pub mod chinese_checkers;
pub mod clobber;
pub mod col;
pub mod colouring;
pub mod connect6;
pub mod connect_four;
pub mod connection;
pub mod cram;
pub mod dark_chess;
pub mod dark_chess_ending;
pub mod dice_race;
pub mod dobutsu_shogi;
pub mod domineering;
pub mod domineering_three;
pub mod dominoes;
pub mod einstein;
pub mod elephants;
pub mod erased;
pub mod erased_joint;
pub mod explicit;
pub mod files;
pub mod fission;
pub mod go_capture;
pub mod gomoku;
pub mod goofspiel;
pub mod hackenbush;
pub mod havannah;
mod held;
pub mod hex;
pub mod joint_file;
#[cfg(test)]
mod joint_testing;
pub mod kalah;
pub mod kayles;
pub mod konane;
pub mod left_right;
pub mod lines_of_action;
pub mod mancala;
pub mod material;
pub mod matrix;
pub mod nim;
pub mod nogo;
#[cfg(test)]
mod normal_play_testing;
pub mod numbered;
pub mod octal;
pub mod options;
pub mod oshi_zumo;
pub mod othello;
mod payoffs;
pub mod phutball;
mod picture;
pub mod pieces;
pub mod pig;
pub mod placement;
pub mod pursuit;
pub mod race;
pub mod random_chance;
pub mod random_joint;
pub mod registry;
mod rulesheet;
pub mod same_game;
mod scores;
pub mod seki;
pub mod semeai;
pub mod sheep;
pub mod snort;
pub mod stones;
pub mod sum;
#[cfg(test)]
mod table_testing;
#[cfg(test)]
mod testing;
pub mod tic_tac_toe;
pub mod tiles_2048;
pub mod toads_and_frogs;
pub mod toppling_dominoes;
pub mod tron;
pub mod value;
pub mod wide;
pub mod woodpush;
pub mod y;
mod zones;
