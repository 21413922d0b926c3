//! What a search inside another one, or around others, shares with them.

use std::collections::HashSet;
use std::io;

use foregone_model::{Outcome, Side, Space, WeakSolution};

use crate::report::Counts;
use crate::saved::{Reader, Writer};
use crate::scheme::Found;

/// A set of states.
pub(super) type States<Sp> = HashSet<<Sp as Space>::State>;

/// What a search shares with those inside it or around it. Behind `dyn`, so that `tree` is not
/// compiled for each kind.
pub(super) trait Nest<Sp: Space> {
    /// Whether it values the children of leaves by searches of its own.
    fn searches(&self) -> bool;

    /// What was proved of a state elsewhere: bounds of its value.
    fn known(&self, space: &Sp, state: &Sp::State) -> Option<(Outcome, Outcome)>;

    /// Remembers bounds of the value of a state, which took so much work.
    fn learn(&mut self, space: &Sp, state: &Sp::State, bounds: (Outcome, Outcome), work: u64);

    /// What is known of the children of a leaf, in the order of the steps and of the questions about
    /// outcomes, for a search that has this many nodes. Where only one of the children is open, what
    /// is known of its children may follow, and so on.
    fn children(&mut self, _space: &Sp, _leaf: (Sp::State, Side), _nodes: u64) -> Vec<Vec<Found>> {
        Vec::new()
    }

    /// The proof of the answer to a question about an outcome, where the search itself proved
    /// these states and the rest was learned.
    fn proof(
        &mut self,
        _question: &Sp,
        _at_least: Outcome,
        _outcome: Outcome,
        _proved: States<Sp>,
        _bytes: u64,
    ) -> Option<WeakSolution<Sp::Step>> {
        None
    }

    /// What its searches did.
    fn counts(&self) -> Counts {
        Counts::default()
    }

    /// Whether it can be written down.
    fn saves(&self) -> bool {
        false
    }

    /// Writes down what it holds.
    fn save(&self, _space: &Sp, _out: &mut Writer<'_>) -> io::Result<()> {
        Ok(())
    }

    /// Reads that back. Nothing if it is damaged.
    fn restore(&mut self, _space: &Sp, _from: &mut Reader<'_>) -> Option<()> {
        None
    }
}
