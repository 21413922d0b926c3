//! Laws of values, known values, and limits.

mod heat;
mod hostile;
mod known;
mod laws;
mod limits;
mod listing;
mod notation;
mod octal;
mod pictures;
