//! What a hunt tells a search by threats.

use foregone_model::{Side, Zone};

use super::{GoCapture, PASS, State};
use crate::board::Word;
use crate::stones::View;
use crate::zones::{liberties, zone_of};

/// The point of a stone and those of the stones that it takes. A pass changes nothing.
pub(super) fn touched<W: Word>(game: &GoCapture<W>, s: &State<W>, side: Side, m: u16) -> Zone {
    match m {
        PASS => Zone::NONE,
        point => Zone::cell(u32::from(point)) | zone_of(game.taken(s, side, u32::from(point))),
    }
}

/// For the hunted side the liberties of its block, where it gains more of them, and those of blocks of
/// the hunter's that it can take in time. What a hunter can do about an escape is not told.
pub(super) fn counters<W: Word>(game: &GoCapture<W>, s: &State<W>, side: Side, moves: u32) -> Zone {
    if side != game.hunted {
        return Zone::ALL;
    }
    let View { enemy, empty, .. } = game.view(s, side);
    let (_, own) = game.block(s);
    zone_of(own | liberties::few(&game.grid, enemy, empty, moves + 1))
}
