//! What was found out about positions before.

use std::sync::{Mutex, PoisonError};

use cozy_chess::{BitBoard, Board, Square};

use super::Last;
use super::tables::{Mask, Placement, guards};

/// What the pieces of one side can guard, for one placement.
pub(super) struct Entry {
    pub(super) a: Placement,
    /// The moves that A has; none stands for the last one as `Last` sees it.
    pub(super) own: usize,
    /// Where the king cannot be mated at all, as far as that was found out.
    pub(super) never: BitBoard,
    /// By the king's square: where its list begins, or 0.
    starts: [u32; 64],
    /// Lists, each after its length.
    lists: Vec<Mask>,
}

impl Entry {
    pub(super) fn list(&mut self, board: &Board, k: Square) -> &[Mask] {
        let mut start = self.starts[k as usize] as usize;
        if start == 0 {
            let list = match self.own {
                0 => Last::guards(&self.a, board, k),
                own => guards(&self.a, own, k),
            };
            start = self.lists.len();
            self.starts[k as usize] = start as u32;
            if list.is_empty() {
                self.never |= k.bitboard();
            }
            self.lists.push(list.len() as Mask);
            self.lists.extend(list.iter().map(|c| c.1));
        }
        let len = usize::from(self.lists[start]);
        &self.lists[start + 1..start + 1 + len]
    }
}

/// Placements that are remembered. Each has one place, and the last one there stays.
const PLACES: usize = 1 << 13;

/// What was found out about placements.
pub struct Memory(Box<[Mutex<Option<Box<Entry>>>]>);

impl Default for Memory {
    fn default() -> Memory {
        Memory((0..PLACES).map(|_| Mutex::default()).collect())
    }
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Memory")
    }
}

impl Memory {
    pub(super) fn with<T>(&self, a: Placement, own: usize, f: impl FnOnce(&mut Entry) -> T) -> T {
        let mut hash = a.1 as u64 | (own as u64) << 1;
        for plane in a.0 {
            hash = (hash.rotate_left(23) ^ plane).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        let place = &self.0[(hash >> 32) as usize % PLACES];
        let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = place.get_or_insert_with(|| {
            Box::new(Entry { a, own, never: BitBoard::EMPTY, starts: [0; 64], lists: vec![0] })
        });
        if entry.a != a || entry.own != own {
            (entry.a, entry.own) = (a, own);
            entry.never = BitBoard::EMPTY;
            entry.starts = [0; 64];
            entry.lists.truncate(1);
        }
        f(entry)
    }
}
