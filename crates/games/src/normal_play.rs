//! Games under normal play whose type was forgotten, so that any of them can be added.

use foregone_model::{NormalPlay, Side};

use crate::held::AnyState;

/// What is asked of a game that can be added to others ([`NormalPlay`]) behind its back.
pub trait AnyNormalPlay: Send + Sync {
    /// The same position with this side to move.
    fn with_turn(&self, s: &AnyState, side: Side) -> AnyState;
    /// Appends positions, Max to move, whose sum is `s` ([`NormalPlay::split`]).
    fn split(&self, s: &AnyState, out: &mut Vec<AnyState>);
    /// The negative of a part ([`NormalPlay::negative`]).
    fn negative(&self, part: &AnyState) -> Option<AnyState>;
    /// Whether both sides have the same moves in every position.
    fn impartial(&self) -> bool;
}

impl<G: NormalPlay + Send + 'static> AnyNormalPlay for G {
    fn with_turn(&self, s: &AnyState, side: Side) -> AnyState {
        AnyState::new(NormalPlay::with_turn(self, s.get(), side))
    }

    fn split(&self, s: &AnyState, out: &mut Vec<AnyState>) {
        let mut parts = Vec::new();
        NormalPlay::split(self, s.get(), &mut parts);
        out.extend(parts.into_iter().map(AnyState::new));
    }

    fn negative(&self, part: &AnyState) -> Option<AnyState> {
        NormalPlay::negative(self, part.get()).map(AnyState::new)
    }

    fn impartial(&self) -> bool {
        NormalPlay::impartial(self)
    }
}
