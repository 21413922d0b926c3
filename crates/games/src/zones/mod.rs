//! What games tell a search by threats: which cells a move changes, where a player can counter, and
//! which moves threaten something. The rules stand elsewhere; nothing here decides who wins.

use foregone_model::Zone;

use crate::board::Word;

pub(crate) mod connections;
pub(crate) mod liberties;
pub(crate) mod lines;

/// These cells as a zone.
pub(crate) fn zone_of<W: Word>(cells: W) -> Zone {
    Zone::of(cells.cells())
}
