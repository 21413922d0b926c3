//! Values of short partizan games: what a game without draws, loops and chance is worth in a sum.
//!
//! After J. H. Conway, *On Numbers and Games*; E. R. Berlekamp, J. H. Conway and R. K. Guy, *Winning
//! Ways*; and A. N. Siegel, *Combinatorial Game Theory*. The player who cannot move loses, and two
//! games are equal if no sum with a third tells them apart. Every value has one smallest form; it is
//! what [`Values`] stores, once each, so equal values are equal handles.
//!
//! ```
//! use foregone_cgt::{Class, Values};
//!
//! let mut values = Values::new();
//! let one = values.integer(1)?;
//! let minus_one = values.integer(-1)?;
//! let switch = values.form(&[one], &[minus_one])?;
//! assert_eq!(values.outcome(switch), Class::Next);
//! assert_eq!(values.add(switch, switch)?, values.zero());
//! # Ok::<(), foregone_cgt::TooLarge>(())
//! ```
//!
//! What there is:
//!
//! - [`Values`]: forms, sums, order, stops, birthdays; [`Values::thermograph`], [`Values::cool`],
//!   [`Values::heat`], [`Values::norton`], [`Values::atomic_weight`]; [`Values::judge`] for the moves of
//!   a position; [`Values::text`] and [`Values::read`]; [`Values::listing`] to keep them;
//! - [`Calculator`]: lines of text with variables, comparisons and functions;
//! - [`octal`]: Grundy values of octal games, and proofs of their periods.
//!
//! All work has limits: memory ([`Values::with_limit`]), steps ([`Values::set_budget`]), the size of
//! numbers, the number of options, depth. What goes beyond is refused with [`TooLarge`].
//!
//! Nothing here proves anything: what is proved about a position by its value is proved again by a
//! certificate that knows no values.

mod canonical;
mod error;
mod heat;
mod listing;
mod moves;
mod number;
pub mod octal;
mod order;
mod picture;
mod plain;
mod read;
mod stop;
mod store;
mod sum;
mod text;
mod thermograph;
mod values;
mod weight;

pub use error::TooLarge;
pub use listing::ListingError;
pub use moves::{Fate, Judged, Judgement};
pub use number::Dyadic;
pub use plain::Plain;
pub use read::{Answer, Calculator, ReadError};
pub use thermograph::{Corner, Thermograph, Wall};
pub use values::{Class, Value, Values};

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
