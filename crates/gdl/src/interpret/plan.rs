//! Rules as the interpreter runs them: variables numbered, ground terms made, and bodies flat.
//!
//! An `or`, and a `not` of more than one atom, become a relation of their own whose arguments are
//! the variables shared with the rest of the rule; that keeps a rule with ten `or`s one rule, where
//! a disjunctive normal form would make a thousand. A body is run in the order of its author, but
//! tests (negations, `distinct`, and what has no free variable) run as soon as their variables are
//! bound, and stored facts that are found by a bound argument before those that are not.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::terms::Terms;
use crate::check::binds;
use crate::kif::Symbol;
use crate::rules::{Formula, Literal, Program, Relation, Term};

/// A term of a rule.
#[derive(Clone, Debug)]
pub(crate) enum Pattern {
    Ground(u32),
    Variable(u32),
    Function(Symbol, Box<[Pattern]>),
}

/// What a literal asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asks {
    /// The rows of a stored relation.
    Stored(usize),
    /// The answers of rules.
    Rules(usize),
    /// Whether two terms differ.
    Distinct,
}

/// A literal of a body, ready to run.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) asks: Asks,
    pub(crate) negated: bool,
    pub(crate) args: Box<[Pattern]>,
    pub(crate) span: Range<usize>,
    /// All its variables.
    variables: Vec<u32>,
    /// Variables that must be bound before it can run.
    needs: Vec<u32>,
}

/// A rule in the order in which it runs when certain arguments of its head are bound.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) head: Arc<[Pattern]>,
    pub(crate) steps: Vec<Step>,
    pub(crate) variables: usize,
    pub(crate) span: Range<usize>,
}

/// What a stored relation holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Source {
    /// Ground facts of the rulesheet.
    Facts(Relation),
    /// `(true (f …))`, by its function and the number of its arguments: rows of the arguments.
    True(Symbol, usize),
    /// `(true ?x)`.
    TrueAny,
    /// `(does ?r (f …))`: rows of the role and the arguments.
    Does(Symbol, usize),
    /// `(does ?r ?x)`.
    DoesAny,
}

/// A relation that rules define.
#[derive(Debug, Default)]
pub(crate) struct Predicate {
    /// 0: always the same; 1: of the state; 2: of the state and the moves.
    pub(crate) level: usize,
    /// The stored relation with its ground facts.
    pub(crate) facts: Option<usize>,
    rules: Vec<Plan>,
    /// Its rules in order, by which arguments are bound.
    plans: FxHashMap<Box<[bool]>, Arc<[Plan]>>,
}

/// All relations of a rulesheet.
#[derive(Debug, Default)]
pub(crate) struct Compiled {
    pub(crate) predicates: Vec<Predicate>,
    pub(crate) numbers: HashMap<Relation, usize>,
    pub(crate) sources: HashMap<Source, usize>,
    /// The number of columns of each stored relation.
    pub(crate) widths: Vec<usize>,
    /// The level of each stored relation.
    levels: Vec<usize>,
    /// Rows of the rulesheet's ground facts.
    pub(crate) facts: Vec<(usize, Box<[u32]>)>,
}

impl Compiled {
    pub(crate) fn new(program: &Program, terms: &mut Terms) -> Compiled {
        let mut compiler = Compiler { out: Compiled::default(), terms };
        // A relation with rules needs resolution; one with ground facts only is a table of rows.
        for rule in &program.rules {
            let ground = rule.head.args.iter().all(Term::is_ground);
            if !rule.body.is_empty() || !ground {
                compiler.predicate(rule.head.relation());
            }
        }
        for rule in &program.rules {
            let relation = rule.head.relation();
            if rule.body.is_empty() && rule.head.args.iter().all(Term::is_ground) {
                let id = compiler.stored(Source::Facts(relation), relation.arity);
                let scope = Scope::default();
                let row = rule.head.args.iter().filter_map(|t| {
                    match compiler.pattern(t, &mut scope.clone()) {
                        Pattern::Ground(g) => Some(g),
                        _ => None,
                    }
                });
                let row = row.collect();
                compiler.out.facts.push((id, row));
                if let Some(&number) = compiler.out.numbers.get(&relation) {
                    compiler.out.predicates[number].facts = Some(id);
                }
                continue;
            }
            let number = compiler.predicate(relation);
            let mut scope = Scope::default();
            let head: Vec<Pattern> =
                rule.head.args.iter().map(|t| compiler.pattern(t, &mut scope)).collect();
            let mut outside = Vec::new();
            rule.head.args.iter().for_each(|t| t.variables(&mut |v| outside.push(v.name)));
            compiler.rule(number, head.into(), &rule.body, &outside, scope, rule.span.clone());
        }
        let mut out = compiler.out;
        out.find_levels();
        out
    }

    /// Gives every relation its level: that of the highest it asks.
    fn find_levels(&mut self) {
        let mut asked_by: Vec<Vec<usize>> = vec![Vec::new(); self.predicates.len()];
        let mut todo: Vec<(usize, usize)> = Vec::new();
        self.levels = vec![0; self.widths.len()];
        for (source, &id) in &self.sources {
            self.levels[id] = match source {
                Source::Facts(_) => 0,
                Source::True(..) | Source::TrueAny => 1,
                Source::Does(..) | Source::DoesAny => 2,
            };
        }
        for (number, predicate) in self.predicates.iter().enumerate() {
            for step in predicate.rules.iter().flat_map(|r| &r.steps) {
                match step.asks {
                    Asks::Rules(other) => asked_by[other].push(number),
                    Asks::Stored(id) => todo.push((number, self.levels[id])),
                    Asks::Distinct => {}
                }
            }
        }
        while let Some((number, level)) = todo.pop() {
            if self.predicates[number].level < level {
                self.predicates[number].level = level;
                todo.extend(asked_by[number].iter().map(|&n| (n, level)));
            }
        }
    }

    /// The rules of a relation in the order for these bound arguments, and how many steps finding
    /// the order took.
    pub(crate) fn plans(&mut self, number: usize, bound: &[bool]) -> (Arc<[Plan]>, u64) {
        if let Some(plans) = self.predicates[number].plans.get(bound) {
            return (plans.clone(), 0);
        }
        let plans: Arc<[Plan]> =
            self.predicates[number].rules.iter().map(|r| self.ordered(r, bound)).collect();
        self.predicates[number].plans.insert(bound.into(), plans.clone());
        let steps = plans.iter().map(|p| (p.steps.len() * p.steps.len()) as u64).sum();
        (plans, steps)
    }

    fn ordered(&self, rule: &Plan, bound_args: &[bool]) -> Plan {
        let mut bound = vec![false; rule.variables];
        for (pattern, &is_bound) in rule.head.iter().zip(bound_args) {
            if is_bound {
                pattern.variables(&mut |v| bound[v as usize] = true);
            }
        }
        let mut left: Vec<&Step> = rule.steps.iter().collect();
        let mut steps = Vec::new();
        while !left.is_empty() {
            let rank = |step: &Step| {
                let all = step.variables.iter().all(|&v| bound[v as usize]);
                let ready = step.needs.iter().all(|&v| bound[v as usize]);
                match step.asks {
                    _ if !ready => 6,
                    Asks::Distinct => 0,
                    Asks::Stored(_) if all || step.negated => 0,
                    Asks::Rules(_) if all || step.negated => 1,
                    // Moves are few.
                    Asks::Stored(id) if self.levels[id] == 2 => 2,
                    Asks::Stored(_) if step.args.iter().any(|p| p.is_bound(&bound)) => 3,
                    _ => 4,
                }
            };
            let best = (0..left.len()).min_by_key(|&n| (rank(left[n]), n)).unwrap_or(0);
            let step = left.remove(best);
            if !step.negated {
                step.variables.iter().for_each(|&v| bound[v as usize] = true);
            }
            steps.push(step.clone());
        }
        Plan { steps, ..rule.clone() }
    }
}

impl Pattern {
    pub(crate) fn variables(&self, f: &mut impl FnMut(u32)) {
        match self {
            Pattern::Ground(_) => {}
            Pattern::Variable(v) => f(*v),
            Pattern::Function(_, args) => args.iter().for_each(|p| p.variables(f)),
        }
    }

    fn is_bound(&self, bound: &[bool]) -> bool {
        let mut all = true;
        self.variables(&mut |v| all &= bound[v as usize]);
        all
    }
}

/// The numbers of a rule's variables.
#[derive(Clone, Default)]
struct Scope(Vec<Symbol>);

impl Scope {
    fn number(&mut self, name: Symbol) -> u32 {
        let found = self.0.iter().position(|&v| v == name);
        found.unwrap_or_else(|| {
            self.0.push(name);
            self.0.len() - 1
        }) as u32
    }
}

struct Compiler<'a> {
    out: Compiled,
    terms: &'a mut Terms,
}

impl Compiler<'_> {
    fn predicate(&mut self, relation: Relation) -> usize {
        let next = self.out.predicates.len();
        let number = *self.out.numbers.entry(relation).or_insert(next);
        if number == next {
            self.out.predicates.push(Predicate::default());
        }
        number
    }

    fn stored(&mut self, source: Source, width: usize) -> usize {
        let next = self.out.widths.len();
        let id = *self.out.sources.entry(source).or_insert(next);
        if id == next {
            self.out.widths.push(width);
        }
        id
    }

    fn pattern(&mut self, term: &Term, scope: &mut Scope) -> Pattern {
        if term.is_variable {
            return Pattern::Variable(scope.number(term.name));
        }
        let args: Vec<Pattern> = term.args.iter().map(|t| self.pattern(t, scope)).collect();
        let ground: Option<Vec<u32>> =
            args.iter().map(|p| if let Pattern::Ground(g) = p { Some(*g) } else { None }).collect();
        match ground.and_then(|g| self.terms.make(term.name, &g).ok()) {
            Some(ground) => Pattern::Ground(ground),
            None => Pattern::Function(term.name, args.into()),
        }
    }

    /// Adds a rule to a relation. `outside` are the variables that stand outside of the body.
    fn rule(
        &mut self,
        number: usize,
        head: Arc<[Pattern]>,
        body: &[Literal],
        outside: &[Symbol],
        mut scope: Scope,
        span: Range<usize>,
    ) {
        let mut flat = Vec::new();
        flatten(body, &mut flat);
        let bound = binds(body);
        // In how many places a variable stands: the literals, and what is outside of the body.
        let mut places: HashMap<Symbol, usize> = HashMap::new();
        let mut count = |mut names: Vec<Symbol>| {
            names.sort_unstable();
            names.dedup();
            names.into_iter().for_each(|v| *places.entry(v).or_default() += 1);
        };
        count(outside.to_vec());
        for literal in &flat {
            let mut names = Vec::new();
            variables_of(literal, &mut names);
            count(names);
        }
        let steps = flat.iter().map(|l| self.step(l, &places, &bound, &mut scope)).collect();
        let plan = Plan { head, steps, variables: scope.0.len(), span };
        self.out.predicates[number].rules.push(plan);
    }

    fn step(
        &mut self,
        literal: &Literal,
        places: &HashMap<Symbol, usize>,
        bound: &HashSet<Symbol>,
        scope: &mut Scope,
    ) -> Step {
        let (literal, negated) = match &literal.formula {
            Formula::Not(inner) => (inner.as_ref(), true),
            _ => (literal, false),
        };
        let mut needed: Vec<Symbol> = Vec::new();
        let (asks, args) = match &literal.formula {
            Formula::Atom(atom) => {
                if negated {
                    variables_of(literal, &mut needed);
                }
                let (asks, terms) = self.asked(atom.relation(), &atom.args);
                (asks, terms.iter().map(|t| self.pattern(t, scope)).collect::<Vec<_>>())
            }
            Formula::Distinct(a, b) if !negated => {
                variables_of(literal, &mut needed);
                (Asks::Distinct, vec![self.pattern(a, scope), self.pattern(b, scope)])
            }
            // A relation of its own, of the variables that the rest of the rule shares.
            _ => {
                let mut shared = Vec::new();
                variables_of(literal, &mut shared);
                shared.retain(|v| places.get(v).is_some_and(|&n| n > 1));
                shared.sort();
                shared.dedup();
                let number = self.out.predicates.len();
                self.out.predicates.push(Predicate::default());
                let parts: &[Literal] = match &literal.formula {
                    Formula::Or(parts) => parts,
                    _ => std::slice::from_ref(literal),
                };
                for part in parts {
                    let mut inner = Scope::default();
                    let head: Vec<Pattern> =
                        shared.iter().map(|&v| Pattern::Variable(inner.number(v))).collect();
                    let part = std::slice::from_ref(part);
                    self.rule(number, head.into(), part, &shared, inner, literal.span.clone());
                }
                let binds_itself = binds(std::slice::from_ref(literal));
                needed = shared.clone();
                if !negated {
                    needed.retain(|v| !binds_itself.contains(v));
                }
                let args = shared.iter().map(|&v| Pattern::Variable(scope.number(v)));
                (Asks::Rules(number), args.collect())
            }
        };
        // A variable of a negation that nothing binds means "for no value": the negation is asked
        // with the variable free.
        if negated {
            needed.retain(|v| bound.contains(v));
        }
        let mut variables = Vec::new();
        args.iter().for_each(|p| p.variables(&mut |v| variables.push(v)));
        let needs = needed.iter().map(|&v| scope.number(v)).collect();
        let span = literal.span.clone();
        Step { asks, negated, args: args.into(), span, variables, needs }
    }

    /// Where a relation's answers come from, and the terms that stand for its columns.
    fn asked<'t>(&mut self, relation: Relation, args: &'t [Term]) -> (Asks, Vec<&'t Term>) {
        let all: Vec<&Term> = args.iter().collect();
        let (source, columns) = match (relation.name, args) {
            (Symbol::TRUE, [term]) if term.is_variable => (Source::TrueAny, all),
            (Symbol::TRUE, [term]) => {
                (Source::True(term.name, term.args.len()), term.args.iter().collect())
            }
            (Symbol::DOES, [_, term]) if term.is_variable => (Source::DoesAny, all),
            (Symbol::DOES, [role, term]) => {
                let columns = std::iter::once(role).chain(&term.args).collect();
                (Source::Does(term.name, term.args.len()), columns)
            }
            _ => match self.out.numbers.get(&relation) {
                Some(&number) => return (Asks::Rules(number), all),
                None => (Source::Facts(relation), all),
            },
        };
        (Asks::Stored(self.stored(source, columns.len())), columns)
    }
}

/// The parts of a conjunction, without `and`s inside.
fn flatten<'a>(body: &'a [Literal], out: &mut Vec<&'a Literal>) {
    for literal in body {
        match &literal.formula {
            Formula::And(parts) => flatten(parts, out),
            _ => out.push(literal),
        }
    }
}

fn variables_of(literal: &Literal, out: &mut Vec<Symbol>) {
    match &literal.formula {
        Formula::Atom(atom) => {
            atom.args.iter().for_each(|t| t.variables(&mut |v| out.push(v.name)));
        }
        Formula::Distinct(a, b) => {
            [a, b].iter().for_each(|t| t.variables(&mut |v| out.push(v.name)))
        }
        Formula::Not(inner) => variables_of(inner, out),
        Formula::Or(parts) | Formula::And(parts) => {
            parts.iter().for_each(|p| variables_of(p, out));
        }
    }
}
