//! Where play stops.

use crate::number::Dyadic;

/// The number at which alternate play arrives, and who would have to move there. Left likes a larger
/// number, and among equal ones the one at which Right has to move: that is the order of stops.
///
/// With G's left stop L and right stop R in this order, and any number x, G <= x if and only if
/// L is at most x with Left to move, and G >= x if and only if R is at least x with Right to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Stop {
    pub(crate) number: Dyadic,
    pub(crate) right_moves: bool,
}

impl Stop {
    /// What the other side sees, from behind the mirror.
    pub(crate) fn negative(self) -> Stop {
        Stop { number: -self.number, right_moves: !self.right_moves }
    }
}
