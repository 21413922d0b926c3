//! Hex and Y: who connects wins, and no stone ever leaves the board.
//!
//! A proof that somebody connects rests on the cells that it plays on, and on nothing else: stones of
//! the other player on other cells are in nobody's way, and that player connects only by being in the
//! way. So there are no counters.

use crate::board::Word;

/// The empty cells that join a block at one side with a block at the other one: those after which a
/// connection stands. `grow` adds the neighbours of cells, and `from` and `goal` are the cells at the
/// two sides.
pub(crate) fn joining<W: Word>(own: W, empty: W, (from, goal): (W, W), grow: impl Fn(W) -> W) -> W {
    let reach = |edge: W| {
        let mut block = edge & own;
        loop {
            let next = block | (grow(block) & own);
            if next == block {
                return edge | grow(block);
            }
            block = next;
        }
    };
    reach(from) & reach(goal) & empty
}
