//! Col (Colin Vout, in J. H. Conway, *On Numbers and Games*, 1976).
//!
//! Black, who moves first, and White put stones on the cells of a board, a cell at a time. No two
//! stones of one colour may lie side by side. Who cannot move loses. See [`crate::colouring`].

use crate::colouring::{self, Forbids};
use crate::registry::Entry;

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "col",
    "ROWSxCOLUMNS (4x4)",
    "Place stones, none beside one of its own colour; a player who cannot move loses",
    |options| colouring::open(options, Forbids::Own),
);
