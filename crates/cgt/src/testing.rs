//! What tests share: random numbers, and games as trees, without canonical forms.

use std::rc::Rc;

use crate::{TooLarge, Value, Values};

/// A small generator: the same seed, the same numbers.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }
}

/// A game, written out to its last move.
pub(crate) struct Tree {
    pub(crate) left: Vec<Rc<Tree>>,
    pub(crate) right: Vec<Rc<Tree>>,
}

impl Tree {
    /// A random game that lasts at most `depth` moves, with at most `width` options a side.
    pub(crate) fn random(random: &mut Random, depth: usize, width: usize) -> Rc<Tree> {
        let side = |random: &mut Random| match depth {
            0 => vec![],
            _ => {
                let count = random.below(width + 1);
                (0..count).map(|_| Tree::random(random, depth - 1, width)).collect()
            }
        };
        let left = side(random);
        Rc::new(Tree { left, right: side(random) })
    }

    /// The game with the players exchanged.
    pub(crate) fn negative(&self) -> Rc<Tree> {
        let turn = |side: &[Rc<Tree>]| side.iter().map(|tree| tree.negative()).collect();
        Rc::new(Tree { left: turn(&self.right), right: turn(&self.left) })
    }

    pub(crate) fn value(&self, values: &mut Values) -> Result<Value, TooLarge> {
        let left: Result<Vec<Value>, _> = self.left.iter().map(|t| t.value(values)).collect();
        let right: Result<Vec<Value>, _> = self.right.iter().map(|t| t.value(values)).collect();
        values.form(&left?, &right?)
    }
}

/// Does the player who begins win the sum?
pub(crate) fn wins(sum: &[Rc<Tree>], right: bool) -> bool {
    (0..sum.len()).any(|i| {
        let moves = if right { &sum[i].right } else { &sum[i].left };
        moves.iter().any(|to| {
            let mut next = sum.to_vec();
            next[i] = to.clone();
            !wins(&next, !right)
        })
    })
}

/// Is `a` at least `b`? It is if Right, who begins, loses the difference.
pub(crate) fn at_least(a: &Rc<Tree>, b: &Rc<Tree>) -> bool {
    !wins(&[a.clone(), b.negative()], true)
}

/// A random value that lasts about `depth` moves: smaller ones are combined by forms and sums.
pub(crate) fn random_value(
    values: &mut Values,
    random: &mut Random,
    depth: usize,
) -> Result<Value, TooLarge> {
    if depth == 0 || random.below(5) == 0 {
        return match random.below(5) {
            0 => values.integer(random.below(7) as i64 - 3),
            1 => values.nimber(random.below(4) as u32),
            2 => values.up(random.below(5) as i32 - 2),
            3 => values.number(crate::Dyadic::new(random.below(17) as i64 - 8, 2)?),
            _ => Ok(Value::ZERO),
        };
    }
    let side = |values: &mut Values, random: &mut Random| {
        let count = 1 + random.below(2);
        (0..count)
            .map(|_| random_value(values, random, depth - 1))
            .collect::<Result<Vec<Value>, TooLarge>>()
    };
    let left = side(values, random)?;
    let right = side(values, random)?;
    values.form(&left, &right)
}
