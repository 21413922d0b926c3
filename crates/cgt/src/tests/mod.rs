//! Laws of values, known values, and limits.

mod hostile;
mod known;
mod laws;
mod limits;
mod notation;
