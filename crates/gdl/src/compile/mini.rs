//! Desugaring to mini-GDL (thesis *Game Description Language Compilation*, section 3.3): bodies in
//! disjunctive normal form, one clause for each of its parts, and no equality.
//!
//! GDL's only equality is `(not (distinct a b))`: it is decomposed and substituted as the thesis
//! does. Ours: where the normal form would have more than [`MAX_PARTS`] parts, an `or` becomes a
//! relation of its own; so does what stands below a `not` and has variables that nothing else
//! binds, for it means that there are no such values.

use std::collections::{HashMap, HashSet};

use super::Refusal;
use super::clause::{Atom, Clause, Literal, Pattern};
use crate::kif::{Symbol, Symbols};
use crate::rules::{self, Formula, Program, Term};
use crate::stop::StopCheck;

/// Disjunctive normal forms of more parts than this are not written out.
const MAX_PARTS: usize = 64;

/// Substitutions of one variable after the other end, but a term could grow without end.
const MAX_EQUATIONS: usize = 1000;

/// Clauses of more names are not made by substitution: each one could double the size.
const MAX_SYMBOLS: usize = 5000;

/// Parts of bodies that are looked at, again and again where an `or` inside of others becomes a
/// relation.
const MAX_WORK: usize = 2_000_000;

/// The clauses of mini-GDL, and the names with those that were added.
pub(crate) fn desugar(
    program: &Program,
    stop: &StopCheck,
) -> Result<(Vec<Clause>, Symbols), Refusal> {
    let symbols = program.symbols.clone();
    let mut desugarer = Desugarer { symbols, clauses: Vec::new(), work: 0, stop };
    for rule in &program.rules {
        let mut scope = Scope::default();
        let head = scope.atom(&rule.head);
        let outside: Vec<Symbol> = {
            let mut names = Vec::new();
            rule.head.args.iter().for_each(|t| t.variables(&mut |v| names.push(v.name)));
            names
        };
        desugarer.rule(head, &rule.body, &outside, &mut scope)?;
    }
    Ok((desugarer.clauses, desugarer.symbols))
}

struct Desugarer<'a> {
    symbols: Symbols,
    clauses: Vec<Clause>,
    work: usize,
    stop: &'a StopCheck,
}

/// The numbers of a rule's variables.
#[derive(Default)]
struct Scope(Vec<Symbol>);

impl Scope {
    fn number(&mut self, name: Symbol) -> u32 {
        let found = self.0.iter().position(|&v| v == name);
        found.unwrap_or_else(|| {
            self.0.push(name);
            self.0.len() - 1
        }) as u32
    }

    fn term(&mut self, term: &Term) -> Pattern {
        if term.is_variable {
            return Pattern::Variable(self.number(term.name));
        }
        Pattern::Function(term.name, term.args.iter().map(|t| self.term(t)).collect())
    }

    fn atom(&mut self, atom: &rules::Atom) -> Atom {
        Atom { name: atom.name, args: atom.args.iter().map(|t| self.term(t)).collect() }
    }
}

/// A conjunction on its way to a clause.
#[derive(Clone, Default)]
struct Part {
    literals: Vec<Literal>,
    equal: Vec<(Pattern, Pattern)>,
}

impl Desugarer<'_> {
    fn rule(
        &mut self,
        head: Atom,
        body: &[rules::Literal],
        outside: &[Symbol],
        scope: &mut Scope,
    ) -> Result<(), Refusal> {
        let bound = binds(body);
        let mut names = outside.to_vec();
        body.iter().for_each(|l| names_of(l, &mut names));
        let mut uses: HashMap<Symbol, usize> = HashMap::new();
        names.into_iter().for_each(|v| *uses.entry(v).or_default() += 1);
        let context = Context { bound: bound.into_iter().collect(), uses: &uses };
        let mut parts = vec![Part::default()];
        for literal in body {
            let choices = self.formula(literal, false, &context, scope)?;
            parts = self.product(parts, choices, literal, &context, scope)?;
        }
        for part in parts {
            if let Some(clause) = without_equality(&head, part)? {
                let clause = clause.numbered();
                safe(&clause)?;
                self.clauses.push(clause);
            }
        }
        Ok(())
    }

    /// Every part with every choice; an `or` with too many choices becomes a relation.
    fn product(
        &mut self,
        parts: Vec<Part>,
        choices: Vec<Part>,
        literal: &rules::Literal,
        context: &Context<'_>,
        scope: &mut Scope,
    ) -> Result<Vec<Part>, Refusal> {
        let choices = if choices.len() > 1 && parts.len() * choices.len() > MAX_PARTS {
            vec![Part {
                literals: vec![self.relation(literal, false, context, scope)?],
                equal: Vec::new(),
            }]
        } else {
            choices
        };
        let mut out = Vec::with_capacity(parts.len() * choices.len());
        for part in &parts {
            for choice in &choices {
                let mut both = part.clone();
                both.literals.extend(choice.literals.iter().cloned());
                both.equal.extend(choice.equal.iter().cloned());
                out.push(both);
            }
        }
        Ok(out)
    }

    /// The disjunctive normal form of a part of a body, or of its negation.
    fn formula(
        &mut self,
        literal: &rules::Literal,
        negated: bool,
        context: &Context<'_>,
        scope: &mut Scope,
    ) -> Result<Vec<Part>, Refusal> {
        self.work += 1;
        if self.work > MAX_WORK {
            return Err(Refusal::Large("the body of a rule"));
        }
        self.stop.check_at(self.work as u64)?;
        let one = |l: Literal| vec![Part { literals: vec![l], equal: Vec::new() }];
        let has_unbound = {
            let mut names = Vec::new();
            names_of(literal, &mut names);
            names.iter().any(|v| !context.bound.contains(v))
        };
        Ok(match (&literal.formula, negated) {
            (Formula::Atom(atom), false) => one(Literal::Holds(scope.atom(atom))),
            (Formula::Distinct(a, b), false) => one(Literal::Differ(scope.term(a), scope.term(b))),
            (Formula::Distinct(a, b), true) => {
                vec![Part { literals: Vec::new(), equal: vec![(scope.term(a), scope.term(b))] }]
            }
            // Variables that nothing binds: there are no such values.
            (_, true) if has_unbound => one(self.relation(literal, true, context, scope)?),
            (Formula::Atom(atom), true) => one(Literal::Fails(scope.atom(atom))),
            (Formula::Not(inner), _) => self.formula(inner, !negated, context, scope)?,
            (Formula::And(parts), false) | (Formula::Or(parts), true) => {
                let mut out = vec![Part::default()];
                for part in parts {
                    let choices = self.formula(part, negated, context, scope)?;
                    if out.len() * choices.len() > MAX_PARTS {
                        return Ok(one(self.relation(literal, negated, context, scope)?));
                    }
                    out = self.product(out, choices, part, context, scope)?;
                }
                out
            }
            (Formula::Or(parts), false) | (Formula::And(parts), true) => {
                let mut out = Vec::new();
                for part in parts {
                    // A part of an `or` may use what it binds itself.
                    let mut bound = context.bound.clone();
                    bound.extend(binds(std::slice::from_ref(part)).iter().filter(|_| !negated));
                    let context = Context { bound, uses: context.uses };
                    out.extend(self.formula(part, negated, &context, scope)?);
                }
                out
            }
        })
    }

    /// A relation of its own for a part of a body, with the variables that the rest of the rule
    /// shares, as a literal.
    fn relation(
        &mut self,
        literal: &rules::Literal,
        negated: bool,
        context: &Context<'_>,
        scope: &mut Scope,
    ) -> Result<Literal, Refusal> {
        let mut names = Vec::new();
        names_of(literal, &mut names);
        let mut shared = names.clone();
        shared.sort_unstable();
        shared.dedup();
        let inside = |v: Symbol| names.iter().filter(|&&n| n == v).count();
        shared.retain(|v| match negated {
            true => context.bound.contains(v),
            false => context.uses.get(v).is_some_and(|&uses| uses > inside(*v)),
        });
        let name = self.symbols.fresh("part");
        // One rule for each part of an `or`; the parts of an `and` are one body, so that whatever
        // is too large in it becomes a relation, and not the whole once more.
        let bodies: Vec<&[rules::Literal]> = match &literal.formula {
            Formula::Or(parts) => parts.iter().map(std::slice::from_ref).collect(),
            Formula::And(parts) => vec![parts],
            _ => vec![std::slice::from_ref(literal)],
        };
        for body in bodies {
            let mut inner = Scope::default();
            let args = shared.iter().map(|&v| Pattern::Variable(inner.number(v))).collect();
            self.rule(Atom { name, args }, body, &shared, &mut inner)?;
        }
        let args = shared.iter().map(|&v| Pattern::Variable(scope.number(v))).collect();
        let atom = Atom { name, args };
        Ok(if negated { Literal::Fails(atom) } else { Literal::Holds(atom) })
    }
}

/// What a part of a body may know about the rest of its rule.
struct Context<'a> {
    /// The variables that a positive literal binds.
    bound: HashSet<Symbol>,
    /// How often a variable is in the rule.
    uses: &'a HashMap<Symbol, usize>,
}

/// The variables that are bound once a body holds. The plain interpreter has its own way to find
/// them: what checks the compiler may not share its mistakes.
fn binds(body: &[rules::Literal]) -> HashSet<Symbol> {
    let mut out = HashSet::new();
    for literal in body {
        let mut names = Vec::new();
        match &literal.formula {
            Formula::Atom(_) => names_of(literal, &mut names),
            Formula::And(parts) => names.extend(binds(parts)),
            // Those that every part binds.
            Formula::Or(parts) => {
                let each: Vec<HashSet<Symbol>> =
                    parts.iter().map(|p| binds(std::slice::from_ref(p))).collect();
                let first = each.first().into_iter().flatten();
                names.extend(first.filter(|v| each.iter().all(|part| part.contains(*v))));
            }
            Formula::Not(_) | Formula::Distinct(..) => {}
        }
        out.extend(names);
    }
    out
}

fn names_of(literal: &rules::Literal, out: &mut Vec<Symbol>) {
    match &literal.formula {
        Formula::Atom(atom) => {
            atom.args.iter().for_each(|t| t.variables(&mut |v| out.push(v.name)));
        }
        Formula::Distinct(a, b) => {
            [a, b].iter().for_each(|t| t.variables(&mut |v| out.push(v.name)));
        }
        Formula::Not(inner) => names_of(inner, out),
        Formula::Or(parts) | Formula::And(parts) => parts.iter().for_each(|p| names_of(p, out)),
    }
}

/// Substitutes and decomposes equalities until there are none; nothing if they cannot hold.
fn without_equality(head: &Atom, part: Part) -> Result<Option<Clause>, Refusal> {
    let mut clause = Clause { head: head.clone(), body: part.literals };
    let mut equal = part.equal;
    let mut rounds = 0;
    while let Some((a, b)) = equal.pop() {
        rounds += 1;
        if rounds > MAX_EQUATIONS {
            return Err(Refusal::Large("an equality between terms"));
        }
        let (variable, term) = match (a, b) {
            (Pattern::Function(f, x), Pattern::Function(g, y)) => {
                if f != g || x.len() != y.len() {
                    return Ok(None);
                }
                equal.extend(x.into_iter().zip(y));
                continue;
            }
            (Pattern::Variable(v), term) | (term, Pattern::Variable(v)) => (v, term),
        };
        if term == Pattern::Variable(variable) {
            continue;
        }
        // A term is never a part of itself.
        if term.contains(variable) {
            return Ok(None);
        }
        let mut replace = |v| if v == variable { term.clone() } else { Pattern::Variable(v) };
        for pair in &mut equal {
            *pair = (pair.0.map(&mut replace), pair.1.map(&mut replace));
        }
        clause.head.args.iter_mut().for_each(|a| *a = a.map(&mut replace));
        clause.body.iter_mut().for_each(|l| *l = l.map(&mut replace));
        let mut size = 0;
        equal.iter().for_each(|(a, b)| size += a.size() + b.size());
        clause.head.args.iter().for_each(|a| size += a.size());
        clause.body.iter().for_each(|l| size += l.size());
        if size > MAX_SYMBOLS {
            return Err(Refusal::Large("an equality between terms"));
        }
    }
    Ok(Some(clause))
}

/// Every variable is in a positive literal of the body.
fn safe(clause: &Clause) -> Result<(), Refusal> {
    let bound = super::clause::variables_of(clause.body.iter().filter(|l| l.is_positive()));
    let mut ok = true;
    clause.head.args.iter().for_each(|a| a.variables(&mut |v| ok &= bound.contains(&v)));
    clause.body.iter().for_each(|l| l.variables(&mut |v| ok &= bound.contains(&v)));
    if ok { Ok(()) } else { Err(Refusal::Unsafe) }
}
