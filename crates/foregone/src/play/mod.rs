//! Playing: who chooses moves, one play of a game, and matches of many.
//!
//! A [`Player`] is plain data with a text, such as `random`, `dag pn` or `uct(rave=300)`. It takes a seat
//! ([`sit`]) in a play, hears of every move, and chooses when it is asked, within a
//! [`MoveBudget`]. A [`Course`] is a play while it goes on. A [`Match`] lets two players play many of
//! them.
//!
//! Moves are named by their numbers in the order of the rules here: so a seat may work on the game
//! itself, with searches compiled for it alone, and on states of its own.
//!
//! A further kind of player is a variant of [`Player`], its words in `player.rs`, a [`Seat`] in a file of its own,
//! and a line of [`sit`]. One that needs what the library has not, such as a network, is
//! seated by who has it ([`Seating`]).

mod course;
mod matches;
mod player;
mod prove;
mod record;
mod seat;
mod think;

pub use course::{Course, Made};
pub use matches::{Elo, GameRecord, Match, MatchAnswer, MatchEvent, MatchWatch, Points};
pub use player::{Judge, Player, SearchPlayer, Thinker};
pub use record::{Ending, Format, Meta, format_of, written};
pub use seat::{Choice, Known, MoveBudget, Seat, Seating, in_turn, sit};
