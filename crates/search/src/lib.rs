//! Searches: information schemes, drivers, and what they report.
//!
//! The heart of *Solving Games and All That* (A. Saffidine, 2013): a best first search is a
//! generic driver guided by an *information scheme* (Definitions 5 to 8, Algorithm 2). Schemes
//! live in [`scheme`], drivers in [`drive`]; any scheme works with any driver.
//!
//! There is no clock here, no printing, and no game's name. A search reports through
//! [`Watch`] and returns a [`Report`] that always says why it stopped.

pub mod chance;
mod chunks;
mod components;
pub mod drive;
pub mod joint;
pub mod leaves;
pub mod lookahead;
pub mod many;
pub mod matrix;
pub mod monte_carlo;
mod plays;
mod proof;
pub mod report;
pub mod retrograde;
pub mod saved;
pub mod scheme;
pub mod spec;
pub mod strong;
mod table;

pub use leaves::{Init, Leaf, Leaves};
pub use lookahead::Lookahead;
pub use monte_carlo::MonteCarlo;
pub use report::{Limits, Progress, Report, RootMove, StopReason, Watch};
pub use scheme::Scheme;
pub use spec::{DriverSpec, Guidance, Run, SchemeSpec, all_guidances, search};
