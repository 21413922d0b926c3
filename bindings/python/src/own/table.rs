//! The positions of a game that is written in Python: each is asked once, and has a number from then on.
//!
//! Python's lock is never waited for while the lock of the table is held, so that neither can wait for the
//! other.

use pyo3::prelude::*;

/// A position that is not known, or a move that was not tried.
pub(crate) const NONE: u32 = u32::MAX;

/// What a position is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Nobody has asked.
    New,
    /// It is over, with the outcome of this number.
    Over(u32),
    /// This player moves.
    Player(u8),
    /// Chance moves.
    Chance,
    /// Both players move at the same time.
    Both,
}

/// The moves of a position.
pub(crate) struct Moves {
    /// Those of who is to move; of both players, where they move at the same time.
    pub(crate) lists: [Vec<Py<PyAny>>; 2],
    /// How often chance makes each of them, where it moves.
    pub(crate) weights: Vec<u64>,
    /// Where each leads to, or each pair.
    pub(crate) to: Vec<u32>,
    /// How they are written, once somebody asked.
    pub(crate) texts: Option<[Vec<String>; 2]>,
}

impl Moves {
    /// The place of a move, or of a pair of moves.
    pub(crate) fn place(&self, first: u32, second: u32) -> usize {
        first as usize * self.lists[1].len().max(1) + second as usize
    }
}

/// A position.
pub(crate) struct Node {
    pub(crate) state: Py<PyAny>,
    pub(crate) kind: Kind,
    pub(crate) moves: Option<Moves>,
    /// A position from which a move leads here, and the move's place; none of the start.
    pub(crate) from: Option<(u32, u32)>,
    /// As long as no play goes round: more than that of every position from which a move leads here.
    pub(crate) level: u32,
}

/// Notes that a move leads from a position to another one, and says whether a play can go round since.
///
/// After the usual way to keep a topological order: a level that is too low is raised, with all behind it. In
/// most games positions that meet have the same number of moves behind them, and nothing is to be done.
pub(crate) fn link(nodes: &mut [Node], from: u32, place: usize, to: u32) -> bool {
    let level = nodes[from as usize].level;
    if let Some(moves) = &mut nodes[from as usize].moves {
        moves.to[place] = to;
    }
    let mut raise = vec![(to, level + 1)];
    let mut raised = Vec::new();
    while let Some((at, least)) = raise.pop() {
        if at == from {
            // Levels mean nothing on a round, and others stay as they were.
            for (at, level) in raised.into_iter().rev() {
                let node: &mut Node = &mut nodes[at as usize];
                node.level = level;
            }
            return true;
        }
        let node = &mut nodes[at as usize];
        if node.level >= least {
            continue;
        }
        raised.push((at, node.level));
        node.level = least;
        let behind = node.moves.iter().flat_map(|moves| &moves.to);
        raise.extend(behind.filter(|&&to| to != NONE).map(|&to| (to, least + 1)));
    }
    false
}
