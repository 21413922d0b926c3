//! Strata (Apt, Blair and Walker 1988): a relation lies above those that it negates and not below
//! those that it uses, so that a negation is asked when its relation is complete. And levels: what
//! never changes, what changes with the state, what depends on the moves too.

use std::collections::HashMap;

use super::Refusal;
use super::clause::{Clause, Literal};
use crate::kif::Symbol;
use crate::rules::Relation;
use crate::stop::StopCheck;

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

/// Literals that are looked at, all of them in every round.
const MAX_WORK: usize = 300_000_000;

impl Strata {
    pub(crate) fn new(clauses: &[Clause], stop: &StopCheck) -> Result<Strata, Refusal> {
        // Numbers instead of relations: the rounds may be many.
        let (mut relations, mut numbers) = (Vec::new(), HashMap::new());
        for clause in clauses {
            for atom in clause.body.iter().filter_map(Literal::atom).chain([&clause.head]) {
                let next = relations.len();
                if *numbers.entry(atom.relation()).or_insert(next) == next {
                    relations.push(atom.relation());
                }
            }
        }
        let most = relations.len();
        let own = |relation: &Relation| match (relation.name, relation.arity) {
            (Symbol::TRUE | Symbol::NEXT, 1) => Level::State,
            // What a machine is asked for is asked of every state, even if it never changes.
            (Symbol::LEGAL | Symbol::GOAL, 2) | (Symbol::TERMINAL, 0) => Level::State,
            (Symbol::DOES, 2) => Level::Moves,
            _ => Level::Static,
        };
        let number = |relation: Relation| numbers.get(&relation).copied().unwrap_or(0);
        let edges: Vec<(usize, Vec<(usize, usize)>)> = clauses
            .iter()
            .map(|clause| {
                let edge = |l: &Literal| {
                    l.atom().map(|a| (number(a.relation()), usize::from(!l.is_positive())))
                };
                (number(clause.head.relation()), clause.body.iter().filter_map(edge).collect())
            })
            .collect();
        let mut high = vec![0; most];
        let mut above: Vec<Level> = relations.iter().map(own).collect();
        let work = edges.iter().map(|e| 1 + e.1.len()).sum::<usize>().max(1);
        // Each round raises something; a stratum above the number of relations means a cycle
        // through a negation, or above one.
        for _ in 0..MAX_WORK / work {
            stop.check()?;
            let mut changed = false;
            for (head, body) in &edges {
                let before = (high[*head], above[*head]);
                for &(below, negated) in body {
                    high[*head] = high[*head].max(high[below] + negated).min(most + 1);
                    above[*head] = above[*head].max(above[below]);
                }
                changed |= before != (high[*head], above[*head]);
            }
            if !changed {
                let stratum = relations.iter().copied().zip(high).collect();
                let level = relations.into_iter().zip(above).collect();
                return Ok(Strata { stratum, level, most });
            }
        }
        Err(Refusal::Large("the strata of the relations"))
    }

    pub(crate) fn stratum(&self, relation: Relation) -> usize {
        self.stratum.get(&relation).copied().unwrap_or(0)
    }

    /// Whether the relation depends on a negation of itself, or on a relation that does. Its facts
    /// may still be in order: `(goal ?r 0)` may depend on the negation of `(goal ?r 100)`.
    pub(crate) fn in_negative_cycle(&self, relation: Relation) -> bool {
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
