//! A general game player: a game manager sends the rules of a game in GDL and asks for moves, by
//! the GGP protocol over HTTP (Genesereth and Thielscher, *General Game Playing*, 2014, chapter 3).
//!
//! * [`message`] reads the messages of the protocol;
//! * [`player`] answers them and keeps the clock;
//! * [`http`] takes them from sockets;
//! * [`client`] sends them, for who manages games;
//! * [`search`] chooses moves: Monte Carlo tree search on joint moves with proven bounds.
//!
//! ```
//! use foregone_player::{Player, Settings};
//!
//! let player = Player::new(Settings::default());
//! assert_eq!(player.answer("( INFO )")?, "((name foregone) (status available))");
//! assert_eq!(player.answer("(play nobody nil)")?, "busy");
//! assert!(player.answer("(dance)").is_err());
//! # Ok::<(), foregone_player::BadMessage>(())
//! ```

pub mod client;
mod event;
pub mod http;
pub mod message;
pub mod player;
pub mod search;
mod settings;
mod worker;

#[cfg(test)]
mod test_games;

pub use client::Client;
pub use event::Event;
pub use http::serve;
pub use message::{BadMessage, Message};
pub use player::Player;
pub use settings::{Clock, Settings};
