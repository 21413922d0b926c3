//! What a tree has to show: a line of play, and the weak solutions inside it.

use foregone_model::{Line, Look, Outcome, Side, Space};

use super::Search;
use crate::scheme::Scheme;

impl<Sp: Space, S: Scheme, const K: usize> Search<'_, Sp, S, K> {
    /// What both sides would play if the search ended now.
    pub(super) fn line(&self) -> Vec<Sp::Step> {
        let (mut at, mut line) = (0, Vec::new());
        while !self.nodes[at].is_leaf() {
            let (side, context) = (self.nodes[at].side(), self.values_of(at)[self.focus]);
            let worth = |i: usize| self.scheme.worth(side, context, self.values_of(i)[self.focus]);
            let mut children = self.children(at);
            let Some(mut best) = children.next() else { break };
            for child in children {
                if worth(child) > worth(best) {
                    best = child;
                }
            }
            line.push(self.nodes[best].step);
            at = best;
        }
        line
    }

    /// Goes through the weak solution inside the tree, in pre-order: every state and its line. A
    /// state that was proved elsewhere looks like one that repeats the path.
    pub(super) fn walk(
        &self,
        at_least: Outcome,
        prover: Side,
        mut visit: impl FnMut(&Sp::State, Line<Sp::Step>),
    ) {
        let question = self.space.threshold(at_least);
        let mut todo = vec![(0usize, self.path[0].state.clone())];
        while let Some((at, state)) = todo.pop() {
            let node = &self.nodes[at];
            let side = node.side();
            let child = |i: usize| {
                let mut next = state.clone();
                self.space.take(&mut next, side, self.nodes[i].step);
                (i, next)
            };
            // The root is never taken as known: who asks wants to see a move.
            if at > 0 && matches!(question.look(&state), Look::Over(_)) {
                visit(&state, Line::Over);
            } else if node.is_leaf() {
                visit(&state, Line::Repeats);
            } else if side == prover {
                let proved = |&i: &usize| {
                    let (low, high) = self.bounds(i);
                    let holds = if prover == Side::Max { low >= at_least } else { high < at_least };
                    holds && self.backed(i)
                };
                let cheapest = || {
                    let price = |&i: &usize| self.scheme.price(self.values_of(i)[0]);
                    self.children(at).filter(proved).min_by_key(price)
                };
                let found = if S::SHAPED { cheapest() } else { self.children(at).find(proved) };
                if let Some(i) = found {
                    visit(&state, Line::Plays(self.nodes[i].step));
                    todo.push(child(i));
                }
            } else {
                visit(&state, Line::Replies(self.children(at).len() as u32));
                todo.extend(self.children(at).rev().map(child));
            }
        }
    }
}
