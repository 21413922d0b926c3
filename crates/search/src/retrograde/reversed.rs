//! Moves taken back in a class that cannot do it by itself: all moves within it, in memory.

use foregone_model::Side;
use foregone_model::tabled::{ClassMoves, Node, Step, Unmove};

/// A class with the reverse of all moves within it.
pub struct Reversed<'a> {
    moves: &'a dyn ClassMoves,
    /// Where the moves to each number begin.
    first: Vec<u32>,
    /// Where they come from, twice the number, and one more if the players are exchanged.
    from: Vec<u32>,
}

impl<'a> Reversed<'a> {
    /// How many bytes a move within the class takes, and a number.
    const BYTES: u64 = 4;

    /// Goes through all moves of a class, twice. Nothing if they do not fit into so many bytes, or if
    /// `goes_on`, which is told how many numbers were looked at, ends it.
    pub fn new(
        moves: &'a dyn ClassMoves,
        bytes: u64,
        goes_on: &mut dyn FnMut(u64) -> bool,
    ) -> Option<Reversed<'a>> {
        let size = moves.size();
        if size >= u64::from(u32::MAX) / 2 || size * Self::BYTES > bytes {
            return None;
        }
        let mut steps: Vec<Step> = Vec::new();
        let mut first = vec![0u32; size as usize + 1];
        let most = (bytes / Self::BYTES - size).min(u32::MAX.into());
        let mut count = 0u64;
        for index in 0..size {
            steps.clear();
            moves.look(index, &mut steps);
            for step in steps.iter().filter(|step| step.slot == 0) {
                first[step.index as usize + 1] += 1;
                count += 1;
            }
            if count > most || index % 4096 == 4095 && !goes_on(4096) {
                return None;
            }
        }
        for at in 1..first.len() {
            first[at] += first[at - 1];
        }
        let mut from = vec![0u32; count as usize];
        // Filled from behind, so that each number's own place moves to its beginning.
        let mut end: Vec<u32> = first[1..].to_vec();
        for index in (0..size).rev() {
            steps.clear();
            moves.look(index, &mut steps);
            for step in steps.iter().filter(|step| step.slot == 0) {
                let at = &mut end[step.index as usize];
                *at -= 1;
                from[*at as usize] = index as u32 * 2 + u32::from(step.flip);
            }
            if index % 4096 == 4095 && !goes_on(4096) {
                return None;
            }
        }
        Some(Reversed { moves, first, from })
    }
}

impl ClassMoves for Reversed<'_> {
    fn size(&self) -> u64 {
        self.moves.size()
    }

    fn look(&self, index: u64, out: &mut Vec<Step>) -> Node {
        self.moves.look(index, out)
    }

    fn exits(&self, index: u64, out: &mut Vec<Step>) -> (Node, bool) {
        self.moves.exits(index, out)
    }

    fn node(&self, index: u64) -> Node {
        self.moves.node(index)
    }

    fn mover(&self, index: u64) -> Side {
        self.moves.mover(index)
    }

    fn takes_back(&self) -> bool {
        true
    }

    fn predecessors(&self, index: u64, out: &mut Vec<Unmove>) {
        let [first, end] = [index, index + 1].map(|at| self.first[at as usize] as usize);
        out.extend(
            self.from[first..end]
                .iter()
                .map(|&code| Unmove { index: u64::from(code / 2), flip: code % 2 == 1 }),
        );
    }
}
