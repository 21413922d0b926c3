//! Which hands are alike.

use super::{State, halves};
use crate::board::Word as _;
use crate::material::{Interactions, Material};

/// Edges for what holds a bone: a player, the other one, or the line as its ends.
const FIRST: u8 = 1;
const SECOND: u8 = 2;
const LINE: u8 = 4;

/// The numbers on the bones, as elements: a bone is an edge between its halves, a double one from a number
/// to itself. Two positions are alike if the numbers can be renamed, which is all that play knows of
/// them, as long as pips are not counted.
#[derive(Clone, Debug)]
pub struct ByValue {
    numbers: u32,
    bones: Vec<(u32, u32, u8)>,
}

/// The bones and the line as elements, each labelled as double or not, and by who holds it; two interact if
/// they have a number in common. **Positions that are alike by this need not be worth the same**: three bones
/// that touch each other may have one number in common or three. This is what the slides count. No value
/// is ever taken from it.
#[derive(Clone, Debug)]
pub struct ByBone {
    bones: Vec<(u32, u32, u8)>,
}

fn held(s: &State) -> Vec<(u32, u32, u8)> {
    let mut bones = Vec::new();
    for (hand, holder) in s.hands.into_iter().zip([FIRST, SECOND]) {
        bones.extend(hand.cells().map(halves).map(|(low, high)| (low, high, holder)));
    }
    if s.begun() {
        bones.push((s.ends[0].into(), s.ends[1].into(), LINE));
    }
    bones
}

impl ByValue {
    /// Bones by their halves, each with bits that tell it from others, over the numbers below this one.
    pub fn new(numbers: u32, bones: Vec<(u32, u32, u8)>) -> ByValue {
        ByValue { numbers, bones }
    }

    /// Those of a position with numbers up to `spots`.
    pub fn of(s: &State, spots: u32) -> ByValue {
        ByValue::new(spots + 1, held(s))
    }
}

impl ByBone {
    /// Bones by their halves, each with bits that tell it from others.
    pub fn new(bones: Vec<(u32, u32, u8)>) -> ByBone {
        ByBone { bones }
    }

    /// Those of a position.
    pub fn of(s: &State) -> ByBone {
        ByBone::new(held(s))
    }
}

impl Material for ByValue {
    fn interactions(&self) -> Interactions {
        let mut graph = Interactions::new(vec![0; self.numbers as usize]);
        for &(low, high, holder) in &self.bones {
            graph.connect(low as usize, high as usize, holder);
            if low != high {
                graph.connect(high as usize, low as usize, holder);
            }
        }
        graph
    }
}

impl Material for ByBone {
    fn interactions(&self) -> Interactions {
        let label = |&(low, high, holder): &(u32, u32, u8)| holder << 1 | u8::from(low == high);
        let mut graph = Interactions::new(self.bones.iter().map(label).collect());
        for (a, &(low, high, _)) in self.bones.iter().enumerate() {
            for (b, &(other_low, other_high, _)) in self.bones.iter().enumerate() {
                if a != b && [other_low, other_high].iter().any(|half| [low, high].contains(half)) {
                    graph.connect(a, b, 1);
                }
            }
        }
        graph
    }
}
