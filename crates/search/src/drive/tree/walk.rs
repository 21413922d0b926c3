//! What a tree has to show: a line of play, and the weak solutions inside it.

use std::io;

use foregone_model::{Line, Look, Outcome, Side, Space};

use super::Search;
use crate::report::{RootMove, SHOWN, View};
use crate::saved::Writer;
use crate::scheme::Scheme;

/// Takes a state and its line.
type Visit<'a, Sp> = &'a mut dyn FnMut(&<Sp as Space>::State, Line<<Sp as Space>::Step>);

impl<Sp: Space, S: Scheme, const K: usize> Search<'_, Sp, S, K> {
    /// What both sides would play if the search ended now.
    pub(super) fn best_line(&self) -> Vec<Sp::Step> {
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
    pub(super) fn walk(&self, at_least: Outcome, prover: Side, visit: Visit<'_, Sp>) {
        self.walk_from((0, self.path[0].state.clone()), at_least, prover, visit);
    }

    /// The same for what stands below a node.
    pub(super) fn walk_from(
        &self,
        start: (usize, Sp::State),
        at_least: Outcome,
        prover: Side,
        visit: Visit<'_, Sp>,
    ) {
        let question = self.space.threshold(at_least);
        let top = start.0;
        let mut todo = vec![start];
        while let Some((at, state)) = todo.pop() {
            let node = &self.nodes[at];
            let side = node.side();
            let child = |i: usize| {
                let mut next = state.clone();
                self.space.take(&mut next, side, self.nodes[i].step);
                (i, next)
            };
            // The root is never taken as known: who asks wants to see a move.
            if at != top && matches!(question.look(&state), Look::Over(_)) {
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

impl<Sp: Space, S: Scheme, const K: usize> View<Sp::Step> for Search<'_, Sp, S, K> {
    fn bounds(&self) -> (Outcome, Outcome) {
        Search::bounds(self, 0)
    }

    fn root_text(&self) -> String {
        self.scheme.text(self.values[self.focus])
    }

    fn line(&self) -> Vec<Sp::Step> {
        let shown = self.path[1..].iter().take(SHOWN);
        shown.map(|at| self.nodes[at.node as usize].step).collect()
    }

    fn root_moves(&self) -> Vec<RootMove<Sp::Step>> {
        let shown = |child: usize| RootMove {
            step: self.nodes[child].step,
            bounds: Search::bounds(self, child),
            value: self.scheme.text(self.values_of(child)[self.focus]),
        };
        self.children(0).map(shown).collect()
    }

    fn save(&self, out: &mut Writer<'_>) -> io::Result<bool> {
        self.save_to(out)
    }
}
