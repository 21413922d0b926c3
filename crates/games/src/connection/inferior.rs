//! Cells that no side needs, and pairs of cells that one side has for certain.
//!
//! After R. Hayward, J. van Rijswijck and others (dead and captured cells, 2003 to 2009). Theirs are
//! found by patterns of a cell's surroundings. Ours: one test on the graph instead of a list of
//! patterns, which sees whole chains; `foregone_proof::connection` has the same statement in code of
//! its own, and says why it is sound.

use super::{Board, Stones};
use crate::board::Word;

/// Whether `side` can do without `cell`, which the opponent has or will have: any two of its
/// neighbours that are open to the side, borders included, touch each other, or a chain that both
/// touch.
fn unneeded<W: Word>(board: &Board<W>, own: W, closed: W, cell: u32, side: usize) -> bool {
    let (open, borders) = (board.touching[cell as usize] & !closed, &board.borders[side]);
    let on = |set: W| {
        let touched = borders.iter().enumerate().filter(|(_, b)| !(**b & set).is_empty());
        touched.fold(0u8, |bits, (k, _)| bits | 1 << k)
    };
    // What the chains around the cell touch: cells, and borders.
    let (mut reach, mut touches, mut chains) = ([W::ZERO; 8], [0u8; 8], 0);
    let mut left = open & own;
    while !left.is_empty() {
        let chain = board.chain(W::bit(left.lowest()), own);
        (reach[chains], touches[chains]) = (board.around(chain), on(chain));
        chains += 1;
        left = left & !chain;
    }
    let here = on(W::bit(cell));
    let mut beside = 0u8;
    if board.borders_join() {
        // A border is a chain then, or part of one.
        for (k, &border) in borders.iter().enumerate() {
            let mut known = (0..chains).filter(|&i| touches[i] >> k & 1 == 1).peekable();
            if here >> k & 1 == 1 && known.peek().is_none() {
                (reach[chains], touches[chains]) = (border, 1 << k);
                chains += 1;
                continue;
            }
            known.for_each(|i| reach[i] = reach[i] | border);
        }
    } else {
        beside = here;
    }
    let (reach, touches) = (&reach[..chains], &touches[..chains]);
    for (i, &a) in touches.iter().enumerate() {
        let joined = |&b: &u8| board.borders_join() && a & b != 0;
        if a & beside != beside || !touches[i + 1..].iter().all(joined) {
            return false;
        }
    }
    // Two borders are joined by the cell alone.
    if chains == 0 && beside.count_ones() > 1 {
        return false;
    }
    let empty = open & !own;
    for u in empty.cells() {
        if reach.iter().any(|r| !r.has(u)) || beside & !on(W::bit(u)) != 0 && chains == 0 {
            return false;
        }
        let others = empty & !board.touching[u as usize] & !W::bit(u);
        if chains == 0 && others.cells().any(|v| v > u) {
            return false;
        }
    }
    true
}

/// Whether `side` has both of two empty cells: whichever the opponent takes, the side takes the other
/// one and can do without the first.
fn captures<W: Word>(board: &Board<W>, own: W, closed: W, [a, b]: [u32; 2], side: usize) -> bool {
    let (a_bit, b_bit) = (W::bit(a), W::bit(b));
    unneeded(board, own | b_bit, closed | a_bit, a, side)
        && unneeded(board, own | a_bit, closed | b_bit, b, side)
}

/// Takes dead cells out of the game and gives captured pairs to who has them, until nothing changes.
/// The pairs are told in the order in which they were found.
pub(super) fn fill<W: Word>(
    board: &Board<W>,
    stones: &mut Stones<W>,
    mut told: impl FnMut(usize, [u32; 2]),
) {
    loop {
        let before = *stones;
        for cell in stones.empty(board).cells() {
            // A cell that one side can do without is of no use to the other one.
            if unneeded(board, stones.of[0], stones.closed_to(0), cell, 0)
                || unneeded(board, stones.of[1], stones.closed_to(1), cell, 1)
            {
                stones.dead = stones.dead | W::bit(cell);
            }
        }
        for a in stones.empty(board).cells() {
            let partner = |stones: &Stones<W>| {
                let near = board.touching[a as usize] & stones.empty(board);
                let pairs = near.cells().filter(|&b| b > a);
                let mut both = pairs.flat_map(|b| [(b, 0), (b, 1)]);
                both.find(|&(b, side)| {
                    captures(board, stones.of[side], stones.closed_to(side), [a, b], side)
                })
            };
            if stones.empty(board).has(a)
                && let Some((b, side)) = partner(stones)
            {
                stones.of[side] = stones.of[side] | W::bit(a) | W::bit(b);
                told(side, [a, b]);
            }
        }
        if *stones == before {
            return;
        }
    }
}

/// The moves of a set that another move of the set makes pointless for `side`: that one captures or
/// kills the cell, so it does all that the move there would do.
pub(super) fn dominated<W: Word>(board: &Board<W>, stones: &Stones<W>, moves: W, side: usize) -> W {
    let mut pointless = W::ZERO;
    let closed = stones.closed_to(side);
    for a in moves.cells() {
        if pointless.has(a) {
            continue;
        }
        let own = stones.of[side] | W::bit(a);
        let empty = stones.empty(board) & !W::bit(a);
        for y in (board.touching[a as usize] & moves & !pointless).cells() {
            let mut near = (board.touching[y as usize] & empty).cells();
            if unneeded(board, own, closed, y, side)
                || near.any(|z| captures(board, own, closed, [y, z], side))
            {
                pointless = pointless | W::bit(y);
            }
        }
    }
    pointless
}
