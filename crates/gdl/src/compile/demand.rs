//! Demand: only facts that a question needs are derived. The thesis names it as future work; this is
//! the magic sets transformation (Bancilhon and others 1986) in the form of Tekle and Liu (2010).
//!
//! A relation that is asked with some arguments given becomes a relation of its own, whose clauses
//! begin with a fact that says for which arguments it is asked; what stands before it in a body says
//! so. Relations that never change are left alone: they are computed once and for all.
//!
//! The transformation can tie a knot through a negation where there was none. Then the question is
//! answered without it.

use std::collections::{HashMap, HashSet};

use super::clause::{Atom, Clause, Literal, Pattern, variables_of};
use super::strata::{Level, Strata};
use crate::kif::Symbols;
use crate::rules::Relation;

/// A relation asked in more ways than this is derived as a whole.
const MOST_WAYS: usize = 4;

/// Clauses that are made before the question is answered without demand: each round makes all of
/// them anew.
const MOST_CLAUSES: usize = 1_000_000;

/// Which arguments are given.
type Way = Vec<bool>;

/// The clauses that answer what `root` holds for, whole, with names of their own but for `root`;
/// none if finding them takes too long.
pub(crate) fn demanded(
    clauses: &[Clause],
    strata: &Strata,
    root: Relation,
    symbols: &mut Symbols,
) -> Option<Vec<Clause>> {
    let mut made = 0;
    let mut by_head: HashMap<Relation, Vec<&Clause>> = HashMap::new();
    for clause in clauses {
        by_head.entry(clause.head.relation()).or_default().push(clause);
    }
    let mut whole = HashSet::from([root]);
    loop {
        let mut demand = Demand {
            by_head: &by_head,
            strata,
            whole: &whole,
            ways: HashMap::new(),
            names: HashMap::new(),
            todo: Vec::new(),
            symbols,
            root,
            out: Vec::new(),
        };
        let free = vec![false; root.arity];
        demand.name(root, &free);
        while let Some((relation, way)) = demand.todo.pop() {
            demand.relation(relation, &way);
            if made + demand.out.len() > MOST_CLAUSES {
                return None;
            }
        }
        made += demand.out.len();
        // Asked as a whole somewhere, or in many ways: then everywhere as a whole.
        let all = |(_, ways): &(&Relation, &Vec<Way>)| {
            ways.len() > MOST_WAYS || (ways.len() > 1 && ways.iter().any(|w| !w.contains(&true)))
        };
        let more: Vec<Relation> = demand.ways.iter().filter(all).map(|(&r, _)| r).collect();
        let (out, before) = (demand.out, whole.len());
        whole.extend(more);
        if whole.len() == before {
            return Some(out);
        }
    }
}

struct Demand<'a> {
    by_head: &'a HashMap<Relation, Vec<&'a Clause>>,
    strata: &'a Strata,
    /// Relations that are asked as a whole.
    whole: &'a HashSet<Relation>,
    ways: HashMap<Relation, Vec<Way>>,
    /// The new names of a relation asked in a way: of itself, and of what it is asked for.
    names: HashMap<(Relation, Way), (crate::kif::Symbol, crate::kif::Symbol)>,
    todo: Vec<(Relation, Way)>,
    symbols: &'a mut Symbols,
    root: Relation,
    out: Vec<Clause>,
}

impl Demand<'_> {
    fn name(&mut self, relation: Relation, way: &Way) -> (crate::kif::Symbol, crate::kif::Symbol) {
        let key = (relation, way.clone());
        if let Some(&names) = self.names.get(&key) {
            return names;
        }
        let word = self.symbols.name(relation.name).to_owned();
        let itself = match relation == self.root {
            true => relation.name,
            false => self.symbols.fresh(&word),
        };
        let names = (itself, self.symbols.fresh(&format!("ask_{word}")));
        self.names.insert(key, names);
        self.ways.entry(relation).or_default().push(way.clone());
        self.todo.push((relation, way.clone()));
        names
    }

    /// Whether a relation is derived anew for every state.
    fn is_derived(&self, relation: Relation) -> bool {
        self.by_head.contains_key(&relation) && self.strata.level(relation) != Level::Static
    }

    fn relation(&mut self, relation: Relation, way: &Way) {
        let (name, asked) = self.name(relation, way);
        for &clause in self.by_head.get(&relation).into_iter().flatten() {
            let mut body: Vec<Literal> = Vec::new();
            let mut bound: Vec<u32> = Vec::new();
            if way.contains(&true) {
                let given = clause.head.args.iter().zip(way).filter(|(_, given)| **given);
                let args: Vec<Pattern> = given.map(|(a, _)| a.clone()).collect();
                args.iter().for_each(|a| a.variables(&mut |v| bound.push(v)));
                body.push(Literal::Holds(Atom { name: asked, args }));
            }
            let mut left: Vec<&Literal> = clause.body.iter().collect();
            while !left.is_empty() {
                // Tests as soon as they can be made; then the author's order.
                let ready = |l: &&Literal| {
                    variables_of([*l]).iter().all(|v| bound.contains(v)) && !l.is_positive()
                };
                let next = left.iter().position(ready);
                let next = next.or_else(|| left.iter().position(|l| l.is_positive())).unwrap_or(0);
                let literal = left.remove(next);
                let literal = self.literal(literal, &bound, &body);
                literal.variables(&mut |v| bound.push(v));
                body.push(literal);
            }
            let head = Atom { name, args: clause.head.args.clone() };
            self.out.push(Clause { head, body }.numbered());
        }
    }

    /// The literal with the name of the way it is asked in; what it is asked for follows from what
    /// stands before it.
    fn literal(&mut self, literal: &Literal, bound: &[u32], before: &[Literal]) -> Literal {
        let Some(atom) = literal.atom().filter(|a| self.is_derived(a.relation())) else {
            return literal.clone();
        };
        let given = |a: &Pattern| {
            let mut all = true;
            a.variables(&mut |v| all &= bound.contains(&v));
            all
        };
        let way: Way = match self.whole.contains(&atom.relation()) {
            true => vec![false; atom.args.len()],
            false => atom.args.iter().map(given).collect(),
        };
        let (name, asked) = self.name(atom.relation(), &way);
        if way.contains(&true) {
            let args = atom.args.iter().zip(&way).filter(|(_, given)| **given);
            let head = Atom { name: asked, args: args.map(|(a, _)| a.clone()).collect() };
            let clause = Clause { head, body: before.to_vec() }.numbered();
            if !clause.body.contains(&Literal::Holds(clause.head.clone())) {
                self.out.push(clause);
            }
        }
        let atom = Atom { name, args: atom.args.clone() };
        if literal.is_positive() { Literal::Holds(atom) } else { Literal::Fails(atom) }
    }
}
