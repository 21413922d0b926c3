//! Laws of values, known values, and limits.

mod known;
mod laws;
mod limits;
