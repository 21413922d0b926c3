//! Strata (Apt, Blair and Walker 1988): a relation lies above those that it negates and not below
//! those that it uses, so that a negation is asked when its relation is complete. And levels: what
//! never changes, what changes with the state, what depends on the moves too.

use std::collections::HashMap;

use super::clause::{Clause, Literal};
use crate::kif::Symbol;
use crate::rules::Relation;

/// How much a relation depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// Always the same: computed once.
    Static,
    /// On the state.
    State,
    /// On the state and the moves.
    Moves,
}

/// The stratum and the level of every relation.
#[derive(Debug)]
pub(crate) struct Strata {
    stratum: HashMap<Relation, usize>,
    level: HashMap<Relation, Level>,
    most: usize,
}

impl Strata {
    pub(crate) fn new(clauses: &[Clause]) -> Strata {
        let (mut stratum, mut level) = (HashMap::new(), HashMap::new());
        for clause in clauses {
            for atom in clause.body.iter().filter_map(Literal::atom).chain([&clause.head]) {
                stratum.insert(atom.relation(), 0usize);
                level.insert(atom.relation(), Level::Static);
            }
        }
        for (relation, level) in &mut level {
            *level = match (relation.name, relation.arity) {
                (Symbol::TRUE | Symbol::NEXT, 1) => Level::State,
                // What a machine is asked for is asked of every state, even if it never changes.
                (Symbol::LEGAL | Symbol::GOAL, 2) | (Symbol::TERMINAL, 0) => Level::State,
                (Symbol::DOES, 2) => Level::Moves,
                _ => Level::Static,
            };
        }
        let most = stratum.len();
        // Each round raises something; a stratum above the number of relations means a cycle through
        // a negation, or above one.
        loop {
            let mut changed = false;
            for clause in clauses {
                let head = clause.head.relation();
                let (mut high, mut above) = (stratum[&head], level[&head]);
                for literal in &clause.body {
                    let Some(atom) = literal.atom() else { continue };
                    let below = stratum[&atom.relation()];
                    high = high.max(below + usize::from(!literal.is_positive()));
                    above = above.max(level[&atom.relation()]);
                }
                high = high.min(most + 1);
                changed |= high != stratum[&head] || above != level[&head];
                stratum.insert(head, high);
                level.insert(head, above);
            }
            if !changed {
                return Strata { stratum, level, most };
            }
        }
    }

    pub(crate) fn stratum(&self, relation: Relation) -> usize {
        self.stratum.get(&relation).copied().unwrap_or(0)
    }

    /// Whether the relation depends on a negation of itself, or on a relation that does. Its facts
    /// may still be in order: `(goal ?r 0)` may depend on the negation of `(goal ?r 100)`.
    pub(crate) fn in_knot(&self, relation: Relation) -> bool {
        self.stratum(relation) > self.most
    }

    pub(crate) fn level(&self, relation: Relation) -> Level {
        self.level.get(&relation).copied().unwrap_or(Level::Static)
    }

    pub(crate) fn count(&self) -> usize {
        self.stratum.values().max().map_or(1, |&s| s + 1)
    }

    /// The relations with their strata, in the order of strata and names' numbers.
    pub(crate) fn relations(&self) -> Vec<(usize, Relation)> {
        let mut all: Vec<(usize, Relation)> = self.stratum.iter().map(|(&r, &s)| (s, r)).collect();
        all.sort_unstable();
        all
    }
}
