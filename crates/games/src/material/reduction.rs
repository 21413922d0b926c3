//! How much smaller tables get by material symmetry: all positions with so many elements, and those that
//! are left when materials that are alike have one table.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::Material;
use crate::dark_chess_ending::{ByKind, Pieces};
use crate::dominoes::{ByBone, ByValue};

/// What a relation between materials leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// How many classes of materials there are.
    pub classes: u64,
    /// How many positions there are, of one material for each class.
    pub positions: u64,
}

/// Positions of Chinese dark chess with all pieces face up, at least one of each colour, on the board of
/// 32 cells. Who is to move is not counted, and neither mirror images nor colours are exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DarkChessCount {
    /// All of them.
    pub total: u64,
    /// Where a graph has an element for each kind of piece that says how many there are.
    pub by_kind: Left,
    /// Where it has one for each piece, and pieces that can change places are not told apart.
    pub by_piece: Left,
}

/// How many ways there are to put so many different pieces on the board of 32 cells.
fn placements(pieces: u32) -> u64 {
    (0..u64::from(pieces)).map(|placed| 32 - placed).product()
}

/// Counts positions with so many pieces, at most 8.
pub fn dark_chess(pieces: u32) -> DarkChessCount {
    let all = placements(pieces);
    let factorial = |n: u8| (1..=u64::from(n)).product::<u64>();
    let mut total = 0;
    // How many positions a material has is the same for all of its class.
    let (mut by_kind, mut by_piece) = (HashMap::new(), HashMap::new());
    for material in Pieces::all(pieces) {
        let positions = all / material.multiplicities().map(factorial).product::<u64>();
        total += positions;
        by_kind.insert(ByKind(&material).canonical().form, positions);
        let canonical = material.canonical();
        let positions = all / canonical.automorphisms();
        by_piece.insert(canonical.form, positions);
    }
    let left =
        |of: HashMap<Vec<u8>, u64>| Left { classes: of.len() as u64, positions: of.values().sum() };
    DarkChessCount { total, by_kind: left(by_kind), by_piece: left(by_piece) }
}

/// Positions of dominoes with two open hands, none empty, and a line of which only the ends are known: a
/// pair of numbers that may also be a bone in hand. There are the 28 bones up to double six.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DominoesCount {
    /// All of them.
    pub total: u64,
    /// Where bones are the elements of a graph, as in the slides. That is not sound: a table made by it
    /// would hold wrong values.
    pub by_bone: BoneClasses,
    /// Where numbers are the elements: those that can be renamed.
    pub by_value: BoneClasses,
    /// Positions up to renaming, the hands and the line included.
    pub renamed: u64,
}

/// What a relation between sets of bones leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoneClasses {
    /// Classes of sets of as many bones as there are elements: one of them is the line.
    pub sets: u64,
    /// Classes of sets of one bone less, with one of them marked: the line is the same.
    pub marked: u64,
    /// How many positions there are, of one set for each class.
    pub positions: u64,
}

/// The numbers on bones, and how many bones there are.
const NUMBERS: u32 = 7;
const BONES: u64 = 28;

type Bones = Vec<(u32, u32)>;
type Held = Vec<(u32, u32, u8)>;

/// One of all sets of so many bones that are alike by renaming numbers.
fn sets_of_bones(count: u32) -> Vec<Bones> {
    let mut sets: Vec<Bones> = vec![Vec::new()];
    for _ in 0..count {
        // Every set has one of the smaller sets in it, and what is alike stays so with one bone more.
        let mut found = BTreeMap::new();
        for set in &sets {
            for bone in (0..NUMBERS).flat_map(|low| (low..NUMBERS).map(move |high| (low, high))) {
                if !set.contains(&bone) {
                    let larger: Bones = set.iter().copied().chain([bone]).collect();
                    let held = larger.iter().map(|&(low, high)| (low, high, 1)).collect();
                    found.entry(value_form(held)).or_insert(larger);
                }
            }
        }
        sets = found.into_values().collect();
    }
    sets
}

fn value_form(held: Held) -> Vec<u8> {
    ByValue::new(NUMBERS, held).canonical().form
}

fn bone_form(held: Held) -> Vec<u8> {
    ByBone::new(held).canonical().form
}

/// Counts positions with so many elements, the line included: from 3 to 6.
pub fn dominoes(elements: u32) -> DominoesCount {
    let in_hand = elements - 1;
    let splits = (1u64 << in_hand) - 2;
    let choices = (0..u64::from(in_hand)).fold(1, |n, k| n * (BONES - k) / (k + 1));
    let sets = sets_of_bones(elements);
    let smaller = sets_of_bones(in_hand);
    let with_mark = |set: &Bones, mark: usize| {
        let bit = |at: usize| if at == mark { 2 } else { 1 };
        set.iter().enumerate().map(|(at, &(low, high))| (low, high, bit(at))).collect::<Held>()
    };
    let classes = |form: fn(Held) -> Vec<u8>| {
        let plain = sets.iter().map(|set| form(with_mark(set, usize::MAX)));
        let marks = smaller.iter().flat_map(|set| (0..set.len()).map(move |mark| (set, mark)));
        let marked = marks.map(|(set, mark)| form(with_mark(set, mark)));
        let sets = plain.collect::<HashSet<_>>().len() as u64;
        let marked = marked.collect::<HashSet<_>>().len() as u64;
        let positions = splits * (u64::from(elements) * sets + marked);
        BoneClasses { sets, marked, positions }
    };
    // Bones and a line of their own, or the ends of the line are those of a bone.
    let mut renamed = HashSet::new();
    for (set, apart) in sets.iter().map(|s| (s, true)).chain(smaller.iter().map(|s| (s, false))) {
        for line in 0..set.len() {
            let hands = set.len() - usize::from(apart);
            for split in 1..(1u32 << hands) - 1 {
                renamed.insert(value_form(dealt(set, line, apart, split)));
            }
        }
    }
    DominoesCount {
        total: BONES * choices * splits,
        by_bone: classes(bone_form),
        by_value: classes(value_form),
        renamed: renamed.len() as u64,
    }
}

/// Bones with who holds them: one bit of `split` for each that is in a hand. One of them is the line, or, if it
/// is not `apart`, has the same numbers as the line.
fn dealt(set: &Bones, line: usize, apart: bool, split: u32) -> Held {
    let mut next = 0;
    let mut held = Held::new();
    for (at, &(low, high)) in set.iter().enumerate() {
        let mut bits = if at == line { 4 } else { 0 };
        if at != line || !apart {
            bits |= 1 + (split >> next & 1) as u8;
            next += 1;
        }
        held.push((low, high, bits));
    }
    held
}
