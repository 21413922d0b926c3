//! Numbers for positions of dominoes in which blocked games are draws.
//!
//! A class is how many bones the hands have. The player with more bones is the first one in the table,
//! and where both have as many the first one is to move. Of all positions in which numbers are renamed one
//! stands in a list, which is made when the class is asked for: bone after bone is added to what is in the
//! list of smaller hands.
//!
//! Finished positions in which a hand is empty share one number, in a class of its own.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use foregone_model::tabled::with_all_below;
use foregone_model::{Class, Indexed, Place, Tabled, TextError};

use super::{ByValue, Dominoes, NONE, State, bone, bones};
use crate::board::Word as _;
use crate::material::Material as _;
use crate::options::Value;

/// The most bones of a hand in a table.
pub(super) const MOST: u32 = 3;

/// The positions of each class, those in which the first player is to move, in their order.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists(Arc<[[OnceLock<Vec<State>>; MOST as usize + 1]; MOST as usize + 1]>);

/// How many bones the hands of a class have, the larger hand first; nothing if there is no such class.
fn hands_of(class: Class) -> Option<[u32; 2]> {
    let hands = [class.0 / 16, class.0 % 16].map(|hand| hand as u32);
    let [more, less] = hands;
    (class.0 < 256 && more <= MOST && less <= more && less > 0).then_some(hands)
}

pub(super) fn class_of(a: u32, b: u32) -> Class {
    Class(u64::from(16 * a.max(b) + a.min(b)))
}

/// The class of positions in which a hand is empty.
const FINISHED: Class = Class(0);

impl Dominoes {
    /// The position in which numbers are renamed so that it is the same for all that are alike.
    pub(super) fn renamed(&self, s: &State) -> State {
        let canonical = ByValue::of(s, self.spots).canonical();
        let mut to = [0; super::MOST_SPOTS as usize + 1];
        for (new, &old) in (0..).zip(canonical.groups.iter().flatten()) {
            to[old] = new;
        }
        let hand = |hand: u64| {
            let halves = hand.cells().map(super::halves);
            let named = halves.map(|(a, b)| bone(to[a as usize], to[b as usize]));
            named.fold(0, |hand, bone| hand | u64::bit(bone))
        };
        let mut renamed = State { hands: s.hands.map(hand), ..*s };
        if s.begun() {
            renamed.put_ends(to[usize::from(s.ends[0])], to[usize::from(s.ends[1])]);
        }
        renamed
    }

    /// The positions with so many bones in each hand, the first player to move, up to renaming.
    fn list(&self, more: u32, less: u32) -> &[State] {
        self.lists.0[more as usize][less as usize].get_or_init(|| {
            let mut found = HashSet::new();
            if more == 0 {
                for ends in [[NONE; 2], [0, 0], [0, 1]] {
                    found.insert(self.renamed(&State { hands: [0; 2], ends, second: false }));
                }
            } else {
                // One bone less, in the second hand if there is one.
                let (before, hand) = if less > 0 {
                    (self.list(more, less - 1), 1)
                } else {
                    (self.list(more - 1, 0), 0)
                };
                for s in before {
                    let held = s.hands[0] | s.hands[1];
                    for bone in (0..bones(self.spots)).filter(|&bone| !held.has(bone)) {
                        let mut next = *s;
                        next.hands[hand] |= u64::bit(bone);
                        found.insert(self.renamed(&next));
                    }
                }
            }
            let mut list: Vec<State> = found.into_iter().collect();
            list.sort_unstable();
            list
        })
    }
}

impl Indexed for Dominoes {
    fn class_name(&self, class: Class) -> String {
        hands_of(class).map_or("out".to_owned(), |[more, less]| format!("{more}v{less}"))
    }

    fn size(&self, class: Class) -> u64 {
        match hands_of(class) {
            Some([more, less]) if more + less <= bones(self.spots) => {
                let sides = if more == less { 1 } else { 2 };
                sides * self.list(more, less).len() as u64
            }
            _ => u64::from(class == FINISHED),
        }
    }

    fn leads_to(&self, class: Class) -> Vec<Class> {
        let Some([more, less]) = hands_of(class) else { return Vec::new() };
        let below = [(more - 1, less), (more, less - 1)];
        let class = |(a, b)| if a == 0 || b == 0 { FINISHED } else { class_of(a, b) };
        let mut out = below.map(class).to_vec();
        out.sort_unstable();
        out.dedup();
        out
    }

    fn place(&self, s: &State) -> Option<Place> {
        let counts = s.hands.map(|hand| hand.count());
        if !self.draw || counts.iter().any(|&count| count > MOST) {
            return None;
        }
        if counts.contains(&0) {
            // In the table the first player is out.
            return Some(Place { flip: s.hands[0] != 0, ..Place::new(FINISHED, 0) });
        }
        let flip = counts[0] < counts[1] || counts[0] == counts[1] && s.second;
        let [first, second] = s.hands;
        let seen = if flip { [second, first] } else { [first, second] };
        let table = self.renamed(&State { hands: seen, ends: s.ends, second: false });
        let list = self.list(counts[0].max(counts[1]), counts[0].min(counts[1]));
        let number = list.binary_search(&table).ok()? as u64;
        let mover = if s.second != flip { list.len() as u64 } else { 0 };
        Some(Place { flip, ..Place::new(class_of(counts[0], counts[1]), mover + number) })
    }

    fn position(&self, class: Class, index: u64) -> Option<State> {
        if index >= self.size(class) {
            return None;
        }
        let Some([more, less]) = hands_of(class) else {
            return Some(State { hands: [0, 1], ends: [0; 2], second: true });
        };
        let list = self.list(more, less);
        let (number, second) = (index as usize % list.len(), index as usize >= list.len());
        Some(State { second, ..list[number] })
    }
}

/// What to type.
const EXPECTED: &str = "say how many bones: 2v1, say, or 2 for all hands of up to two bones";

impl Tabled for Dominoes {
    fn wanted(&self, text: &str) -> Result<Vec<Class>, TextError> {
        let text = if text.is_empty() { &self.hand.to_string() } else { text };
        if text == "out" {
            return Ok(vec![FINISHED]);
        }
        let words = Value { text, at: 0 }.split('v');
        let hands = words.iter().map(|word| word.number(1, MOST)).collect::<Result<Vec<_>, _>>()?;
        let (more, less) = match hands[..] {
            [both] => (both, both),
            [a, b] => (a, b),
            _ => return Err(TextError::new(EXPECTED, 0..text.len())),
        };
        if more + less > bones(self.spots) {
            let message = format!("there are only {} bones", bones(self.spots));
            return Err(TextError::new(message, 0..text.len()));
        }
        Ok(with_all_below(self, &[class_of(more, less)]))
    }
}
