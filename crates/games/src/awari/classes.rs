//! The tables of Awari: a class for each number of seeds on the board.
//!
//! In the table nothing was captured, and South is to move: seeds captured before shift the score, and
//! who moves is exchanged. Moves that capture lead to classes of fewer seeds.

use foregone_model::tabled::{Unmove, with_all_below};
use foregone_model::{
    Class, ClassMoves, Indexed, Node, Outcome, Place, Side, Step, Tabled, TextError,
};

use super::{Awari, GrandSlam};
use crate::mancala::numbering::{Numbering, Ring};
use crate::mancala::{MOST_PITS, State, classes_up_to};

impl Indexed for Awari {
    fn class_name(&self, class: Class) -> String {
        class.0.to_string()
    }

    fn size(&self, class: Class) -> u64 {
        self.numbering.size(class.0 as u32)
    }

    /// A pit gives two seeds or three.
    fn leads_to(&self, class: Class) -> Vec<Class> {
        (2..=(3 * self.pits as u64).min(class.0)).map(|taken| Class(class.0 - taken)).collect()
    }

    fn place(&self, s: &State) -> Option<Place> {
        let class = Class(s.on_board().into());
        let index = self.numbering.index(&s.ring(self.pits), 0);
        Some(Place { class, index, flip: s.turn == Side::Min, shift: s.ahead() })
    }

    fn position(&self, class: Class, index: u64) -> Option<State> {
        let ring = self.numbering.ring(class.0 as u32, index);
        Some(State::of_ring(&ring, self.pits))
    }

    fn outcomes(&self, class: Class) -> (Outcome, Outcome) {
        let seeds = class.0 as i32;
        (self.scores().outcome(-seeds), self.scores().outcome(seeds))
    }
}

impl Tabled for Awari {
    fn wanted(&self, text: &str) -> Result<Vec<Class>, TextError> {
        let most = classes_up_to(&self.numbering, self.total(), text)?;
        let classes: Vec<Class> = (0..=most.into()).map(Class).collect();
        Ok(with_all_below(self, &classes))
    }

    fn class_moves(&self, class: Class) -> Box<dyn ClassMoves + '_> {
        let seeds = class.0 as u32;
        let end = self.outcomes(class).0;
        Box::new(Seeds { numbering: &self.numbering, pits: self.pits, slam: self.slam, seeds, end })
    }
}

/// The moves of a class on a ring of pits, those of who is to move first.
struct Seeds<'g> {
    numbering: &'g Numbering,
    pits: usize,
    slam: GrandSlam,
    seeds: u32,
    /// What is left goes to the opponent.
    end: Outcome,
}

impl Seeds<'_> {
    /// Sows a pit. Where the last seed fell.
    #[inline]
    fn sow(&self, ring: &mut Ring, from: usize) -> usize {
        let all = 2 * self.pits;
        let (mut hand, mut at) = (std::mem::take(&mut ring[from]), from);
        while hand > 0 {
            at = if at + 1 == all { 0 } else { at + 1 };
            if at != from {
                ring[at] += 1;
                hand -= 1;
            }
        }
        at
    }

    /// The pits, and how many seeds they hold, from which seeds are captured on a ring that was sown up
    /// to `last`: from the first one up to the last. None if there are none, or if they are all of the
    /// opponent's, where that captures nothing.
    #[inline]
    fn captured(&self, ring: &Ring, last: usize) -> (usize, u32) {
        let (mut first, mut taken) = (last + 1, 0);
        while first > self.pits && matches!(ring[first - 1], 2 | 3) {
            first -= 1;
            taken += u32::from(ring[first]);
        }
        if taken > 0 && self.slam == GrandSlam::TakesNothing {
            let row = &ring[self.pits..2 * self.pits];
            let all: u32 = row.iter().map(|&seeds| u32::from(seeds)).sum();
            if all == taken {
                return (last + 1, 0);
            }
        }
        (first, taken)
    }

    #[inline]
    fn opponent_is_empty(&self, ring: &Ring) -> bool {
        ring[self.pits..2 * self.pits].iter().all(|&seeds| seeds == 0)
    }

    /// The ring after a move, from the same side, and how many seeds were captured.
    #[inline]
    fn after(&self, ring: &Ring, from: usize) -> (Ring, u32) {
        let mut next = *ring;
        let last = self.sow(&mut next, from);
        let (first, taken) = self.captured(&next, last);
        if taken > 0 {
            next[first..=last].fill(0);
        }
        (next, taken)
    }

    /// The pits that may be played, as a set.
    #[inline]
    fn playable(&self, ring: &Ring) -> u32 {
        let pits = 0..self.pits;
        let filled = pits.clone().fold(0, |set, pit| set | u32::from(ring[pit] > 0) << pit);
        let feeds = |pit: usize| usize::from(ring[pit]) + pit >= self.pits;
        let wanted = if self.slam == GrandSlam::Forbidden {
            let fits = |&pit: &usize| {
                filled >> pit & 1 == 1 && !self.opponent_is_empty(&self.after(ring, pit).0)
            };
            pits.filter(fits).fold(0, |set, pit| set | 1 << pit)
        } else if self.opponent_is_empty(ring) {
            pits.filter(|&pit| ring[pit] > 0 && feeds(pit)).fold(0, |set, pit| set | 1 << pit)
        } else {
            filled
        };
        if wanted == 0 { filled } else { wanted }
    }

    /// Hands the moves of a number to `visit`: the ring after it, from the same side, and how many
    /// seeds were captured; until it says to stop. Nothing if there is no move.
    #[inline]
    fn each(&self, index: u64, mut visit: impl FnMut(&Ring, u32) -> bool) -> Option<bool> {
        let ring = self.numbering.ring(self.seeds, index);
        let mut left = self.playable(&ring);
        if left == 0 {
            return None;
        }
        while left != 0 {
            let pit = left.trailing_zeros() as usize;
            left &= left - 1;
            let (next, taken) = self.after(&ring, pit);
            if !visit(&next, taken) {
                return Some(false);
            }
        }
        Some(true)
    }

    #[inline]
    fn step(&self, next: &Ring, taken: u32) -> Step {
        let index = self.numbering.index(next, self.pits);
        // Two seeds lead to the first of the other classes.
        let slot = taken.saturating_sub(1) as u16;
        Step { slot, flip: true, shift: taken as i16, index }
    }
}

impl ClassMoves for Seeds<'_> {
    fn size(&self) -> u64 {
        self.numbering.size(self.seeds)
    }

    fn look(&self, index: u64, out: &mut Vec<Step>) -> Node {
        let moved = self.each(index, |next, taken| {
            out.push(self.step(next, taken));
            true
        });
        moved.map_or(Node::Over(self.end), |_| Node::Choice(Side::Max))
    }

    fn exits(&self, index: u64, out: &mut Vec<Step>) -> (Node, bool) {
        let mut within = false;
        let moved = self.each(index, |next, taken| {
            match taken {
                0 => within = true,
                _ => out.push(self.step(next, taken)),
            }
            true
        });
        (moved.map_or(Node::Over(self.end), |_| Node::Choice(Side::Max)), within)
    }

    fn within(
        &self,
        index: u64,
        _steps: &mut Vec<Step>,
        visit: &mut dyn FnMut(u64, bool) -> bool,
    ) -> bool {
        let all = self.each(index, |next, taken| {
            taken > 0 || visit(self.numbering.index(next, self.pits), true)
        });
        all.unwrap_or(true)
    }

    fn mover(&self, _index: u64) -> Side {
        Side::Max
    }

    fn takes_back(&self) -> bool {
        true
    }

    /// The seeds of an empty pit of the opponent's are taken up again: one from the next pit, one from
    /// that behind it, and so on, as long as there are some.
    fn predecessors(&self, index: u64, out: &mut Vec<Unmove>) {
        let mut ring = self.numbering.ring(self.seeds, index);
        let all = 2 * self.pits;
        // From the side of who moved.
        ring[..all].rotate_left(self.pits);
        let was_fed = !self.opponent_is_empty(&ring);
        for from in (0..self.pits).filter(|&from| ring[from] == 0) {
            let (mut before, mut at) = (ring, from);
            loop {
                at = if at + 1 == all { 0 } else { at + 1 };
                if at == from {
                    continue;
                }
                if before[at] == 0 {
                    break;
                }
                before[at] -= 1;
                before[from] += 1;
                // The last seed fell here.
                if self.captured(&ring, at).1 > 0 {
                    continue;
                }
                // Who had no seeds, and got none, would have got some if that could be.
                if was_fed || self.playable(&before) >> from & 1 == 1 {
                    out.push(Unmove { index: self.numbering.index(&before, 0), flip: true });
                }
            }
        }
    }
}

const _: () = assert!(MOST_PITS <= 32, "a set of pits fits");
