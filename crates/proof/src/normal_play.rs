//! Games under normal play: a player who cannot move has lost. Such games can be added: in a sum,
//! who is to move picks one of the parts and moves there (J. H. Conway, *On Numbers and Games*, 1976).

use crate::game::Side;
use crate::notation::Notation;

/// Rules under normal play. Both players have moves in a position, whoever is to move there:
///
/// * [`Game::moves`](crate::Game::moves) and `play` work for both agents in every state, those that
///   are over included, and what they answer does not depend on whose turn it is;
/// * a state is over exactly when who is to move has no moves, and then the other side has won;
///   there are two outcomes, two agents and no chance, and no play is endless;
/// * the text of a position ends with a blank and the name of who is to move, and nothing else in it
///   tells whose turn it is. There is no `&` and no `;` in it, no `+` with blanks beside it but in a
///   sum, and it does not begin with `=`.
///
/// Max is Left of the theory, Min is Right.
pub trait NormalPlay: Notation {
    /// The same position with this side to move.
    fn with_turn(&self, s: &Self::State, side: Side) -> Self::State;

    /// Appends positions, Max to move, whose sum is `s`: parts in which no move changes what can be
    /// done in another one. A part in which nobody can move is left out. Parts may be moved to another
    /// place of the board, and replaced by mirror images in which both sides have the same moves as
    /// before, so that parts that are alike are equal.
    fn split(&self, s: &Self::State, out: &mut Vec<Self::State>);

    /// The negative of a part that [`NormalPlay::split`] appends, as it would append it: Left and Right
    /// exchange their moves. Nothing where the board has no such position, or nobody has said what it
    /// is.
    fn negative(&self, _part: &Self::State) -> Option<Self::State> {
        None
    }

    /// Whether both sides have the same moves in every position, and the same positions behind them.
    fn impartial(&self) -> bool {
        false
    }
}

/// What a sum is made of: the same questions about states of a type that was forgotten, or not.
pub trait Summand<S> {
    /// [`NormalPlay::with_turn`].
    fn with_turn(&self, s: &S, side: Side) -> S;
    /// [`NormalPlay::split`].
    fn split(&self, s: &S, out: &mut Vec<S>);
    /// [`NormalPlay::negative`].
    fn negative(&self, part: &S) -> Option<S>;
    /// [`NormalPlay::impartial`].
    fn impartial(&self) -> bool;
}

impl<G: NormalPlay> Summand<G::State> for G {
    fn with_turn(&self, s: &G::State, side: Side) -> G::State {
        NormalPlay::with_turn(self, s, side)
    }

    fn split(&self, s: &G::State, out: &mut Vec<G::State>) {
        NormalPlay::split(self, s, out);
    }

    fn negative(&self, part: &G::State) -> Option<G::State> {
        NormalPlay::negative(self, part)
    }

    fn impartial(&self) -> bool {
        NormalPlay::impartial(self)
    }
}
