//! Searches: information schemes, drivers, and what they report.
//!
//! The heart of *Solving Games and All That* (A. Saffidine, 2013): a best first search is a
//! generic driver guided by an *information scheme* (Definitions 5 to 8, Algorithm 2). Schemes
//! live in [`scheme`], drivers in [`drive`]; any scheme works with any driver.
//!
//! There is no clock here, no printing, and no game's name. A search reports through
//! [`Watch`] and returns a [`Report`] that always says why it stopped.

mod chunks;
pub mod drive;
pub mod inform;
pub mod joint;
pub mod matrix;
mod plays;
mod proof;
pub mod report;
pub mod scheme;
pub mod strong;
mod table;

pub use inform::{Inform, Init, Least, Leaves};
pub use report::{Limits, Progress, Report, StopReason, Watch};
pub use scheme::Scheme;
