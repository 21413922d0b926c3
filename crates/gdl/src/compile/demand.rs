//! Demand: only facts that a question needs are derived. The thesis names it as future work; this
//! is the magic sets transformation (Bancilhon and others 1986) in the form of Tekle and Liu
//! (2010).
//!
//! A relation that is asked with some arguments given becomes a relation of its own, whose clauses
//! begin with a fact that says for which arguments it is asked; what stands before it in a body
//! says so. Relations that never change are left alone: they are computed once and for all.
//!
//! The transformation can tie a knot through a negation where there was none. Then the question is
//! answered without it.

use std::collections::{HashMap, HashSet};

use super::clause::{Atom, Clause, Literal, Pattern, variables_of};
use super::strata::{Level, Strata};
use crate::kif::Symbols;
use crate::rules::Relation;
use crate::stop::{StopCheck, Stopped};

/// A relation asked in more adornments than this is derived as a whole.
const MAX_ADORNMENTS: usize = 4;

/// Clauses that are made before the question is answered without demand: each round makes all of
/// them anew.
const MAX_CLAUSES: usize = 1_000_000;

/// Which arguments are given.
type Adornment = Vec<bool>;

/// The clauses that answer what `root` holds for, whole, with names of their own but for `root`;
/// none if finding them takes too long.
pub(crate) fn demanded(
    clauses: &[Clause],
    strata: &Strata,
    root: Relation,
    symbols: &mut Symbols,
    stop: &StopCheck,
) -> Result<Option<Vec<Clause>>, Stopped> {
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
            adornments: HashMap::new(),
            names: HashMap::new(),
            todo: Vec::new(),
            symbols,
            root,
            out: Vec::new(),
        };
        let free = vec![false; root.arity];
        demand.name(root, &free);
        while let Some((relation, adornment)) = demand.todo.pop() {
            demand.relation(relation, &adornment);
            if made + demand.out.len() > MAX_CLAUSES {
                return Ok(None);
            }
            stop.check()?;
        }
        made += demand.out.len();
        // Asked as a whole somewhere, or in many adornments: then everywhere as a whole.
        let all = |(_, adornments): &(&Relation, &Vec<Adornment>)| {
            adornments.len() > MAX_ADORNMENTS
                || (adornments.len() > 1 && adornments.iter().any(|w| !w.contains(&true)))
        };
        let more: Vec<Relation> = demand.adornments.iter().filter(all).map(|(&r, _)| r).collect();
        let (out, before) = (demand.out, whole.len());
        whole.extend(more);
        if whole.len() == before {
            return Ok(Some(out));
        }
    }
}

struct Demand<'a> {
    by_head: &'a HashMap<Relation, Vec<&'a Clause>>,
    strata: &'a Strata,
    /// Relations that are asked as a whole.
    whole: &'a HashSet<Relation>,
    adornments: HashMap<Relation, Vec<Adornment>>,
    /// The new names of a relation with an adornment: of itself, and of what it is asked for.
    names: HashMap<(Relation, Adornment), (crate::kif::Symbol, crate::kif::Symbol)>,
    todo: Vec<(Relation, Adornment)>,
    symbols: &'a mut Symbols,
    root: Relation,
    out: Vec<Clause>,
}

impl Demand<'_> {
    fn name(
        &mut self,
        relation: Relation,
        adornment: &Adornment,
    ) -> (crate::kif::Symbol, crate::kif::Symbol) {
        let key = (relation, adornment.clone());
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
        self.adornments.entry(relation).or_default().push(adornment.clone());
        self.todo.push((relation, adornment.clone()));
        names
    }

    /// Whether a relation is derived again for every state.
    fn is_derived(&self, relation: Relation) -> bool {
        self.by_head.contains_key(&relation) && self.strata.level(relation) != Level::Static
    }

    fn relation(&mut self, relation: Relation, adornment: &Adornment) {
        let (name, asked) = self.name(relation, adornment);
        for &clause in self.by_head.get(&relation).into_iter().flatten() {
            let mut body: Vec<Literal> = Vec::new();
            let mut bound: Vec<u32> = Vec::new();
            if adornment.contains(&true) {
                let given = clause.head.args.iter().zip(adornment).filter(|(_, given)| **given);
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

    /// The literal with the name of its adornment; what it is asked for follows from what
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
        let adornment: Adornment = match self.whole.contains(&atom.relation()) {
            true => vec![false; atom.args.len()],
            false => atom.args.iter().map(given).collect(),
        };
        let (name, asked) = self.name(atom.relation(), &adornment);
        if adornment.contains(&true) {
            let args = atom.args.iter().zip(&adornment).filter(|(_, given)| **given);
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
