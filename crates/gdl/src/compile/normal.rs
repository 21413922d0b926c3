//! Decomposition to normal-GDL (thesis *Game Description Language Compilation*, section 3.3,
//! algorithms 3.1 and 3.2, after Liu and Stoller 2009): at most two literals in a body, and every
//! clause safe.
//!
//! Beyond the thesis, which keeps the author's order but for negations: literals are joined in the
//! order in which the fewest variables have to be carried along, as databases order joins; a test
//! is taken as soon as its variables are bound; a variable that stands in one literal only is
//! dropped before the join; and equal pairs of literals, in whatever rules they stand, share one
//! new relation. Author's order decides between equals.

use std::collections::HashMap;

use super::Refusal;
use super::clause::{Atom, Clause, Literal, Pattern, variables_of};
use crate::kif::{Symbol, Symbols};
use crate::stop::{StopCheck, Stopped};

/// What finding the order of literals may take, for all clauses together.
const MAX_WORK: usize = 3_000_000_000;

/// The clauses of normal-GDL.
pub(crate) fn decompose(
    clauses: &[Clause],
    symbols: &mut Symbols,
    stop: &StopCheck,
) -> Result<Vec<Clause>, Refusal> {
    let mut decomposer = Decomposer { symbols, known: HashMap::new(), out: Vec::new(), stop };
    let mut work = 0usize;
    for clause in clauses {
        // Each literal begins an order once, in which the next one is looked for among the others,
        // by the variables that those behind it still need.
        let (literals, variables) = (clause.body.len(), variables_of(&clause.body).len());
        let each = variables.saturating_mul(literals).saturating_add(1);
        work = work.saturating_add(literals.saturating_pow(3).saturating_mul(each) / 6);
        if work > MAX_WORK {
            return Err(Refusal::Large("the body of a rule"));
        }
        decomposer.clause(clause)?;
    }
    Ok(decomposer.out)
}

struct Decomposer<'a> {
    symbols: &'a mut Symbols,
    /// The new relation of literals that were seen before.
    known: HashMap<Clause, Symbol>,
    out: Vec<Clause>,
    stop: &'a StopCheck,
}

impl Decomposer<'_> {
    fn clause(&mut self, clause: &Clause) -> Result<(), Stopped> {
        let mut outside = Vec::new();
        clause.head.args.iter().for_each(|a| a.variables(&mut |v| outside.push(v)));
        let mut body = clause.body.clone();
        if body.len() > 1 {
            for n in 0..body.len() {
                let mut elsewhere = outside.clone();
                let others = body.iter().enumerate().filter(|(m, _)| *m != n);
                others.for_each(|(_, l)| l.variables(&mut |v| elsewhere.push(v)));
                let variables = variables_of([&body[n]]);
                if body[n].is_positive() && variables.iter().any(|v| !elsewhere.contains(v)) {
                    body[n] = self.new_relation(vec![body[n].clone()], &elsewhere);
                }
            }
        }
        let mut body = ordered(body, &outside, self.stop)?;
        while body.len() > 2 {
            let rest = body.split_off(2);
            let mut elsewhere = outside.clone();
            rest.iter().for_each(|l| l.variables(&mut |v| elsewhere.push(v)));
            body = vec![self.new_relation(body, &elsewhere)];
            body.extend(rest);
        }
        self.out.push(Clause { head: clause.head.clone(), body }.numbered());
        Ok(())
    }

    /// A relation that holds when these literals do, of their variables that stand elsewhere.
    fn new_relation(&mut self, body: Vec<Literal>, elsewhere: &[u32]) -> Literal {
        let mut kept = variables_of(&body);
        kept.retain(|v| elsewhere.contains(v));
        let args: Vec<Pattern> = kept.iter().map(|&v| Pattern::Variable(v)).collect();
        // The name is the same for all until it is known that the relation is new.
        let head = Atom { name: Symbol::RULE, args: args.clone() };
        let mut new = Clause { head, body }.numbered();
        let name = match self.known.get(&new) {
            Some(&name) => name,
            None => {
                let name = self.symbols.fresh("new");
                self.known.insert(new.clone(), name);
                new.head.name = name;
                self.out.push(new);
                name
            }
        };
        Literal::Holds(Atom { name, args })
    }
}

/// The literals in the order in which they are joined: the cheapest of those that begin with one
/// literal each and go on with what carries the fewest variables along.
fn ordered(body: Vec<Literal>, outside: &[u32], stop: &StopCheck) -> Result<Vec<Literal>, Stopped> {
    if body.len() < 2 {
        return Ok(body);
    }
    let variables: Vec<Vec<u32>> = body.iter().map(|l| variables_of([l])).collect();
    let mut best: Option<(f64, Vec<usize>)> = None;
    for start in (0..body.len()).filter(|&n| body[n].is_positive()) {
        stop.check()?;
        let found = order_from(start, &body, &variables, outside);
        if best.as_ref().is_none_or(|best| found.0.total_cmp(&best.0).is_lt()) {
            best = Some(found);
        }
    }
    Ok(match best {
        Some((_, order)) => order.into_iter().map(|n| body[n].clone()).collect(),
        None => body,
    })
}

/// How many values a variable is taken to have.
const VALUES: f64 = 8.0;

fn order_from(
    start: usize,
    body: &[Literal],
    variables: &[Vec<u32>],
    outside: &[u32],
) -> (f64, Vec<usize>) {
    let mut order = vec![start];
    let mut bound = variables[start].clone();
    let mut left: Vec<usize> = (0..body.len()).filter(|&n| n != start).collect();
    let mut cost = VALUES.powi(bound.len() as i32);
    while !left.is_empty() {
        // What has to be carried along if `n` is joined next.
        let carried = |n: usize| {
            let needed = |v: &&u32| {
                outside.contains(v) || left.iter().any(|&m| m != n && variables[m].contains(v))
            };
            let more = variables[n].iter().filter(|v| !bound.contains(v));
            bound.iter().chain(more).filter(needed).count()
        };
        let rank = |n: usize| {
            let all = variables[n].iter().all(|v| bound.contains(v));
            let shares = bound.is_empty() || variables[n].iter().any(|v| bound.contains(v));
            match body[n].is_positive() {
                _ if all => (0, 0, n),
                true if shares => (1, carried(n), n),
                true => (2, carried(n), n),
                // Its variables are bound later: it is safe.
                false => (3, 0, n),
            }
        };
        let next = left.iter().copied().min_by_key(|&n| rank(n)).unwrap_or(start);
        left.retain(|&n| n != next);
        for v in &variables[next] {
            if !bound.contains(v) {
                bound.push(*v);
            }
        }
        cost += VALUES.powi(bound.len() as i32);
        bound.retain(|v| outside.contains(v) || left.iter().any(|&m| variables[m].contains(v)));
        order.push(next);
    }
    (cost, order)
}
