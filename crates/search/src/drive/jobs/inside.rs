//! The search of a leaf, as a worker does it.

use std::ops::ControlFlow;

use foregone_model::{Outcome, Side, Space};

use super::{LeafJob, Part};
use crate::drive::squared::StopCheck;
use crate::drive::tree::look_into;
use crate::leaves::{Init, Leaves};
use crate::report::{Counts, Limits, Progress, StopReason, Watch};
use crate::scheme::{AnyScheme, Effort, Found};

/// What a worker found about a leaf.
#[derive(Clone, Debug)]
pub struct Looked<M> {
    /// What was proved of its value.
    pub bounds: (Outcome, Outcome),
    /// What is known of its children, in the order of the steps, for each question about an outcome.
    /// Nothing if the question at hand is answered.
    pub children: Vec<Vec<Found>>,
    /// Proofs of what is solved, where they are wanted.
    pub parts: Vec<Part<M>>,
    /// What it took.
    pub counts: Counts,
}

/// What a worker is told beside the leaf.
pub struct Order<'a> {
    /// How many nodes it may create.
    pub nodes: u64,
    /// In how many slices: after each but the last it tells what it knows.
    pub slices: u64,
    /// Whether proofs are wanted: who takes the result does not share the worker's memory.
    pub parts: bool,
    /// Hears now and then what is known of each question about the leaf.
    pub partial: &'a mut dyn FnMut(&[Found]),
    /// Says when to end early.
    pub stop: StopCheck<'a>,
}

/// A search of leaves. It may remember what earlier ones found out.
pub trait Inside<Sp: Space> {
    /// Looks into a leaf; nothing if it was stopped.
    fn look(&mut self, job: &LeafJob<Sp::State>, order: Order<'_>) -> Option<Looked<Sp::Step>>;
}

/// Ends a search when the stop check says so.
pub(crate) struct StopWatch<'a>(pub(crate) StopCheck<'a>);

impl<M> Watch<M> for StopWatch<'_> {
    fn tick(&mut self, _progress: &Progress<'_, M>) -> ControlFlow<StopReason> {
        (self.0)().map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }
}

/// Looks into leaves by trees, each of its own: PN² and its like.
pub struct TreeInside<'a, Sp> {
    /// The space.
    pub space: &'a Sp,
    /// The scheme, which is for two outcomes.
    pub scheme: AnyScheme,
    /// Where the values of its leaves come from.
    pub init: Init,
    /// The seed of random plays.
    pub seed: u64,
    /// The bytes that a tree may take.
    pub bytes: u64,
}

impl<Sp: Space> Inside<Sp> for TreeInside<'_, Sp> {
    fn look(&mut self, job: &LeafJob<Sp::State>, order: Order<'_>) -> Option<Looked<Sp::Step>> {
        let seed = self.seed ^ u64::from(job.leaf).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let leaves = &mut Leaves::new(self.init, seed);
        let limits = Limits { nodes: order.nodes, bytes: self.bytes };
        let at = (job.state.clone(), job.side);
        look_into(self.space, at, &self.scheme, leaves, None, limits, order)
    }
}

/// What is said of a child that is solved, where its proof cannot stand alone.
pub(crate) fn nearly(outcome: Outcome) -> Found {
    let (proof, disproof) = if outcome == Outcome::WIN { (1, 1_000_000) } else { (1_000_000, 1) };
    let chance = if outcome == Outcome::WIN { 0.999 } else { 0.001 };
    Found::Open { chance, effort: Some(Effort { proof, disproof }) }
}

/// The bounds that an answer to a question means.
pub(crate) fn bounds_of(question: u16, outcome: Outcome, best: Outcome) -> (Outcome, Outcome) {
    match outcome {
        Outcome::WIN => (Outcome(question + 1), best),
        _ => (Outcome(0), Outcome(question)),
    }
}

/// Who proves an answer to a question.
pub(crate) fn prover_of(outcome: Outcome) -> Side {
    if outcome == Outcome::WIN { Side::Max } else { Side::Min }
}
