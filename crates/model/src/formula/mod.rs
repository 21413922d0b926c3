//! What helps searches and people with formulas, which `foregone-proof` reads and evaluates: guides
//! of searches, texts, the concepts of the library in words, and what a person types.

mod concepts;
mod guide;
mod stipulation;
mod text;
mod typed;

pub use foregone_proof::formula::*;

pub use concepts::{CONCEPTS, Concept};
pub use guide::{Asked, Queries};
pub use stipulation::{Play, Stipulation};
pub use text::Text;
pub use typed::{Part, ReadError, Reading, canonical};
