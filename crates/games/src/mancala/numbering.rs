//! Numbers for the ways to put so many seeds into pits: the combinatorial number system.
//!
//! The pits stand in the order of sowing, those of the player to move first. Where there are m pits,
//! m − 1 bars stand between them in a row of seeds and bars, and a way to put the seeds is a choice of
//! places for the bars.

use super::{MOST_PITS, MOST_SEEDS};

/// Seeds in pits, the own pits of who is to move first, then the opponent's; each row from its owner's
/// left. Unused pits at the end are empty.
pub type Ring = [u8; 2 * MOST_PITS];

/// Longer than the largest number of seeds, and a power of two.
const WIDTH: usize = 128;

const _: () = assert!((MOST_SEEDS as usize) + 1 < WIDTH, "any number of seeds has a column");

/// The numbering for one number of pits.
#[derive(Clone, Debug)]
pub struct Numbering {
    /// Pits of a side.
    row: usize,
    /// In row i: how many ways there are to put fewer than s seeds into i + 1 pits.
    fewer: Box<[[u64; WIDTH]; 2 * MOST_PITS]>,
}

impl Numbering {
    /// That of so many pits a side, at most [`MOST_PITS`].
    pub fn new(row: usize) -> Numbering {
        assert!((1..=MOST_PITS).contains(&row), "the pits fit");
        let mut fewer = Box::new([[0u64; WIDTH]; 2 * MOST_PITS]);
        for i in 0..2 * MOST_PITS {
            for s in 1..WIDTH {
                let here = if i == 0 { 1 } else { fewer[i - 1][s] };
                // Those with s − 1 seeds, and those with fewer.
                fewer[i][s] = fewer[i][s - 1] + here;
            }
        }
        Numbering { row, fewer }
    }

    /// How many ways there are to put so many seeds into the pits of both sides.
    pub fn size(&self, seeds: u32) -> u64 {
        self.fewer[2 * self.row - 2][seeds as usize + 1]
    }

    /// The number of a ring whose own pits are those from `first` on: 0, or the length of a row where the
    /// opponent is to move.
    #[inline]
    pub fn index(&self, ring: &Ring, first: usize) -> u64 {
        let pits = 2 * self.row;
        let (mut index, mut seeds, mut at) = (0, 0, first);
        for i in 0..pits - 1 {
            seeds += usize::from(ring[at]);
            index += self.fewer[i][seeds % WIDTH];
            at += 1;
            if at == pits {
                at = 0;
            }
        }
        index
    }

    /// The ring of a number, which is below [`Numbering::size`].
    #[inline]
    pub fn ring(&self, seeds: u32, mut index: u64) -> Ring {
        let mut ring = [0; 2 * MOST_PITS];
        let mut seeds = seeds as usize;
        for i in (0..2 * self.row - 1).rev() {
            let (row, mut before) = (&self.fewer[i], seeds);
            while row[before % WIDTH] > index {
                before -= 1;
            }
            index -= row[before % WIDTH];
            ring[i + 1] = (seeds - before) as u8;
            seeds = before;
        }
        ring[0] = seeds as u8;
        ring
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// All ways to put seeds into pits, by trying.
    fn all(pits: usize, seeds: u8) -> Vec<Vec<u8>> {
        match pits {
            0 if seeds == 0 => vec![Vec::new()],
            0 => Vec::new(),
            _ => (0..=seeds)
                .flat_map(|last| {
                    all(pits - 1, seeds - last).into_iter().map(move |mut ring| {
                        ring.push(last);
                        ring
                    })
                })
                .collect(),
        }
    }

    #[test]
    fn every_ring_has_a_number_of_its_own() {
        for (row, most) in [(1, 9), (2, 8), (3, 6), (4, 5), (6, 4)] {
            let numbering = Numbering::new(row);
            for seeds in 0..=most {
                let rings = all(2 * row, seeds);
                assert_eq!(rings.len() as u64, numbering.size(seeds.into()));
                let mut seen = HashSet::new();
                for pits in rings {
                    let mut ring = [0; 2 * MOST_PITS];
                    ring[..pits.len()].copy_from_slice(&pits);
                    let index = numbering.index(&ring, 0);
                    assert!(index < numbering.size(seeds.into()) && seen.insert(index));
                    assert_eq!(numbering.ring(seeds.into(), index), ring);
                    // The same with the players exchanged.
                    let mut turned = ring;
                    turned[..2 * row].rotate_left(row);
                    assert_eq!(numbering.index(&turned, row), index);
                }
            }
        }
    }

    #[test]
    fn sizes_are_binomial_coefficients() {
        let numbering = Numbering::new(6);
        let all: u64 = (0..=48).map(|seeds| numbering.size(seeds)).sum();
        assert_eq!(all, 1_399_358_844_975);
        assert_eq!([1, 10, 24].map(|seeds| numbering.size(seeds)), [12, 352_716, 417_225_900]);
        assert_eq!(Numbering::new(6).size(120), 3_172_596_834_321_200);
    }
}
