//! What GDL requires of a rulesheet (Love et al. 2006, definitions 13 to 17; the keywords' places
//! as table 3.1 of the thesis *Game Description Language Compilation* gives them). Every broken
//! requirement is reported, not only the first, in the order of the text.
//!
//! Ours: in the recursion restriction, a variable inside a function counts as the specification
//! counts an argument, because `(true (cell ?x ?y))` bounds `?x` as well as `(cell ?x ?y)` would.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use foregone_model::number::counted;

use crate::graph::Graph;
use crate::kif::Symbol;
use crate::rules::{Atom, Formula, Literal, Program, Rule, Term};

/// Which requirement is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProblemKind {
    /// A variable that no positive literal binds.
    Safety,
    /// Recursion through a negation.
    Stratification,
    /// Recursion that may build new terms without end.
    Recursion,
    /// A name with two numbers of arguments, or a keyword with the wrong one.
    Arity,
    /// A keyword where it may not be used.
    Place,
    /// A relation that depends on what it may not depend on.
    Dependence,
    /// Something that every game needs is missing.
    Missing,
    /// A goal that is not a number from 0 to 100.
    Goal,
    /// Text that was read leniently.
    Form,
}

/// A broken requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Which requirement.
    pub kind: ProblemKind,
    /// What is wrong.
    pub message: String,
    /// Where, as bytes of the text; see [`crate::line_and_column`].
    pub span: Range<usize>,
    /// Whether it makes the meaning of the rules ambiguous, so that nothing can be proved about
    /// them.
    pub is_ambiguous: bool,
}

impl Problem {
    /// The message and its place in the text of the rulesheet.
    pub fn describe(&self, text: &str) -> String {
        let ambiguous =
            if self.is_ambiguous { "; the meaning of the rules is ambiguous" } else { "" };
        match self.kind {
            ProblemKind::Missing => format!("{}{ambiguous}", self.message),
            _ => {
                let (line, column) = crate::line_and_column(text, self.span.start);
                format!("line {line}, column {column}: {}{ambiguous}", self.message)
            }
        }
    }
}

impl ProblemKind {
    /// Whether a broken requirement of this kind makes the meaning of the rules ambiguous.
    fn is_ambiguous(self) -> bool {
        match self {
            // A model that is found is the least one, and one that is not found is not asked.
            ProblemKind::Recursion => false,
            // Relations of one name and different numbers of arguments are different ones.
            ProblemKind::Arity => false,
            // Relations may depend on their own negation where no fact does: `(goal ?r 0)` on there
            // being no `(goal ?r 100)`. Then all ways to read negation agree, and where a fact
            // does, the plain interpreter faults when it is asked.
            ProblemKind::Stratification => false,
            ProblemKind::Safety
            | ProblemKind::Place
            | ProblemKind::Dependence
            | ProblemKind::Missing
            | ProblemKind::Goal
            | ProblemKind::Form => true,
        }
    }
}

/// All problems of a rulesheet, by their place. None: it satisfies GDL (or GDL-II).
pub fn check(program: &Program) -> Vec<Problem> {
    let graph = Graph::new(program);
    let gdl2 = program.is_gdl2();
    let mut checker = Checker { program, graph, gdl2, problems: Vec::new() };
    checker.arities();
    checker.missing();
    checker.dependences();
    for rule in &program.rules {
        checker.places(rule);
        checker.safety(rule);
        checker.recursion(rule);
    }
    checker.stratification();
    checker.forms();
    let mut problems = checker.problems;
    problems.sort_by(|a, b| {
        (a.span.start, a.span.end, a.kind).cmp(&(b.span.start, b.span.end, b.kind))
    });
    problems.dedup();
    problems
}

struct Checker<'a> {
    program: &'a Program,
    graph: Graph,
    gdl2: bool,
    problems: Vec<Problem>,
}

/// The keywords that are relations, and their numbers of arguments.
const KEYWORDS: [(Symbol, usize); 8] = [
    (Symbol::ROLE, 1),
    (Symbol::INIT, 1),
    (Symbol::TRUE, 1),
    (Symbol::DOES, 2),
    (Symbol::NEXT, 1),
    (Symbol::LEGAL, 2),
    (Symbol::GOAL, 2),
    (Symbol::TERMINAL, 0),
];

impl Checker<'_> {
    fn name(&self, symbol: Symbol) -> &str {
        self.program.symbols.name(symbol)
    }

    fn report(&mut self, kind: ProblemKind, span: &Range<usize>, message: String) {
        let is_ambiguous = kind.is_ambiguous();
        self.problems.push(Problem { kind, message, span: span.clone(), is_ambiguous });
    }

    /// Every name has one number of arguments as a relation, and one as a function.
    fn arities(&mut self) {
        let program = self.program;
        let mut relations: HashMap<Symbol, usize> = HashMap::from(KEYWORDS);
        let mut functions: HashMap<Symbol, usize> = HashMap::new();
        // One report for each pair of a name and a wrong number is enough.
        let mut wrong: HashMap<(Symbol, usize, bool), (Range<usize>, usize)> = HashMap::new();
        if self.gdl2 {
            relations.insert(Symbol::SEES, 2);
        }
        let mut note = |name, arity, span: &Range<usize>, is_relation: bool| {
            let known = if is_relation { &mut relations } else { &mut functions };
            let first = *known.entry(name).or_insert(arity);
            if first != arity {
                wrong.entry((name, arity, is_relation)).or_insert((span.clone(), first));
            }
        };
        for rule in &program.rules {
            let mut atom = |atom: &Atom| {
                note(atom.name, atom.args.len(), &atom.span, true);
                atom.args.iter().for_each(|t| functions_of(t, &mut note));
            };
            atom(&rule.head);
            rule.atoms(&mut |a, _| atom(a));
            distincts(&rule.body, &mut |a, b| {
                functions_of(a, &mut note);
                functions_of(b, &mut note);
            });
        }
        for ((name, arity, is_relation), (span, first)) in wrong {
            let what = if is_relation { "relation" } else { "function" };
            let keyword = KEYWORDS.iter().any(|k| k.0 == name) || name == Symbol::SEES;
            let name = self.name(name);
            let expected = if keyword { "but takes" } else { "but elsewhere" };
            let arguments = counted(arity as u64, "argument");
            let message = format!("the {what} `{name}` has {arguments} here, {expected} {first}");
            self.report(ProblemKind::Arity, &span, message);
            // A keyword with a wrong number of arguments says nothing, and was meant to.
            if let Some(problem) = self.problems.last_mut() {
                problem.is_ambiguous = is_relation && keyword;
            }
        }
    }

    fn missing(&mut self) {
        let heads = |name: Symbol| self.program.rules.iter().any(|r| r.head.name == name);
        let wanted = [Symbol::ROLE, Symbol::LEGAL, Symbol::GOAL, Symbol::TERMINAL];
        let missing: Vec<Symbol> = wanted.into_iter().filter(|&w| !heads(w)).collect();
        for word in missing {
            let message = format!("a game needs `{}`, and there is none", self.name(word));
            self.report(ProblemKind::Missing, &(0..0), message);
        }
    }

    /// `init` does not look at states, and only `next` and `sees` look at moves.
    fn dependences(&mut self) {
        let forbidden: [(Symbol, &[Symbol]); 4] = [
            (
                Symbol::INIT,
                &[Symbol::TRUE, Symbol::DOES, Symbol::NEXT, Symbol::LEGAL, Symbol::GOAL],
            ),
            (Symbol::LEGAL, &[Symbol::DOES]),
            (Symbol::GOAL, &[Symbol::DOES]),
            (Symbol::TERMINAL, &[Symbol::DOES]),
        ];
        for (word, sources) in forbidden {
            let named = |name: Symbol| self.graph.named(name);
            let reached = self.graph.reached(named(word));
            let met: Vec<Symbol> =
                sources.iter().copied().filter(|&s| named(s).any(|n| reached[n])).collect();
            let Some(first) = self.program.rules.iter().find(|r| r.head.name == word) else {
                continue;
            };
            for source in met {
                let (word, source) = (self.name(word), self.name(source));
                let message = format!("`{word}` must not depend on `{source}`");
                self.report(ProblemKind::Dependence, &first.head.span, message);
            }
        }
    }

    fn places(&mut self, rule: &Rule) {
        let head = &rule.head;
        match head.name {
            Symbol::TRUE | Symbol::DOES | Symbol::DISTINCT => {
                let message = format!("`{}` may only be used in bodies", self.name(head.name));
                self.report(ProblemKind::Place, &head.span, message);
            }
            Symbol::ROLE if !rule.body.is_empty() => {
                let message = "roles are facts: a rule cannot define one".to_owned();
                self.report(ProblemKind::Place, &head.span, message);
            }
            Symbol::ROLE if head.args.iter().any(|t| t.is_variable || !t.args.is_empty()) => {
                self.report(ProblemKind::Place, &head.span, "a role is a constant".to_owned());
            }
            Symbol::GOAL if head.args.len() == 2 && head.args[1].is_ground() => {
                let value = &head.args[1];
                let number = self.name(value.name).parse::<u32>().ok().filter(|&n| n <= 100);
                if number.is_none() || !value.args.is_empty() {
                    let message = "a goal is a number from 0 to 100".to_owned();
                    self.report(ProblemKind::Goal, &value.span, message);
                }
            }
            _ => {}
        }
        let gdl2 = self.gdl2;
        rule.atoms(&mut |atom, _| {
            let only_head = [Symbol::INIT, Symbol::NEXT];
            if only_head.contains(&atom.name) || (gdl2 && atom.name == Symbol::SEES) {
                let message = format!("`{}` may only be used in heads", self.name(atom.name));
                self.report(ProblemKind::Place, &atom.span, message);
            }
        });
    }

    /// Every variable of the head, of a negative literal and of a `distinct` is in a positive
    /// literal of the body.
    fn safety(&mut self, rule: &Rule) {
        let bound = binds(&rule.body);
        for arg in &rule.head.args {
            self.unbound(arg, &bound, "the head");
        }
        self.safe_body(&rule.body, &bound);
    }

    fn safe_body(&mut self, body: &[Literal], bound: &HashSet<Symbol>) {
        for literal in body {
            match &literal.formula {
                Formula::Atom(_) => {}
                Formula::Distinct(a, b) => {
                    self.unbound(a, bound, "`distinct`");
                    self.unbound(b, bound, "`distinct`");
                }
                Formula::Not(inner) => terms(inner, &mut |term| {
                    self.unbound(term, bound, "`not`");
                }),
                Formula::And(parts) => self.safe_body(parts, bound),
                // A part of an `or` may use what it binds itself.
                Formula::Or(parts) => {
                    for part in parts {
                        let part = std::slice::from_ref(part);
                        let mut more = binds(part);
                        more.extend(bound);
                        self.safe_body(part, &more);
                    }
                }
            }
        }
    }

    fn unbound(&mut self, term: &Term, bound: &HashSet<Symbol>, place: &str) {
        let mut found = Vec::new();
        term.variables(&mut |v| {
            if !bound.contains(&v.name) {
                found.push(v);
            }
        });
        for variable in found {
            let name = self.name(variable.name);
            let message = format!("`{name}` of {place} is not in any positive literal of the body");
            self.report(ProblemKind::Safety, &variable.span, message);
        }
    }

    /// Each argument of a relation that calls itself comes from the head or from relations that do
    /// not call it.
    fn recursion(&mut self, rule: &Rule) {
        let head = rule.head.relation();
        let mut bound: HashSet<Symbol> = HashSet::new();
        rule.atoms(&mut |atom, negative| {
            if !negative && !self.graph.in_cycle(head, atom.relation()) {
                let args = atom.args.iter();
                args.for_each(|t| t.variables(&mut |v| bound.extend([v.name])));
            }
        });
        rule.atoms(&mut |atom, negative| {
            if negative || !self.graph.in_cycle(head, atom.relation()) {
                return;
            }
            for arg in &atom.args {
                let mut free = false;
                arg.variables(&mut |v| free |= !bound.contains(&v.name));
                if free && !rule.head.args.iter().any(|h| h.same(arg)) {
                    let message = format!(
                        "`{}` calls itself with an argument that is bound neither by the head \
                         nor by another relation",
                        self.name(head.name)
                    );
                    self.report(ProblemKind::Recursion, &arg.span, message);
                }
            }
        });
    }

    fn stratification(&mut self) {
        let mut found = Vec::new();
        for (from, edges) in self.graph.edges.iter().enumerate() {
            for edge in edges {
                if edge.negative && self.graph.component[from] == self.graph.component[edge.to] {
                    let head = self.name(self.graph.relations[from].name);
                    let message = format!("`{head}` depends on its own negation here");
                    found.push((edge.span.clone(), message));
                }
            }
        }
        for (span, message) in found {
            self.report(ProblemKind::Stratification, &span, message);
        }
    }

    fn forms(&mut self) {
        for note in &self.program.notes {
            self.report(ProblemKind::Form, &note.span, note.message.clone());
        }
        for rule in &self.program.rules {
            let name = self.name(rule.head.name);
            if name.contains([',', ':', '%']) || name == "." || name.starts_with("<-") {
                let message = format!("`{name}` looks like Prolog: rules are `(<= head body)`");
                self.report(ProblemKind::Form, &rule.head.span, message);
            }
        }
    }
}

fn functions_of(term: &Term, f: &mut impl FnMut(Symbol, usize, &Range<usize>, bool)) {
    if !term.is_variable {
        f(term.name, term.args.len(), &term.span, false);
    }
    term.args.iter().for_each(|t| functions_of(t, f));
}

fn distincts<'a>(body: &'a [Literal], f: &mut impl FnMut(&'a Term, &'a Term)) {
    for literal in body {
        match &literal.formula {
            Formula::Atom(_) => {}
            Formula::Distinct(a, b) => f(a, b),
            Formula::Not(inner) => distincts(std::slice::from_ref(inner), f),
            Formula::Or(parts) | Formula::And(parts) => distincts(parts, f),
        }
    }
}

fn terms<'a>(literal: &'a Literal, f: &mut impl FnMut(&'a Term)) {
    match &literal.formula {
        Formula::Atom(atom) => atom.args.iter().for_each(f),
        Formula::Distinct(a, b) => [a, b].into_iter().for_each(f),
        Formula::Not(inner) => terms(inner, f),
        Formula::Or(parts) | Formula::And(parts) => parts.iter().for_each(|p| terms(p, f)),
    }
}

/// The variables that are bound once a body holds: those of positive atoms, and of an `or` those
/// that each part binds.
pub(crate) fn binds(body: &[Literal]) -> HashSet<Symbol> {
    let mut out = HashSet::new();
    for literal in body {
        match &literal.formula {
            Formula::Atom(atom) => {
                let mut add = |v: &Term| out.extend([v.name]);
                atom.args.iter().for_each(|t| t.variables(&mut add));
            }
            Formula::And(parts) => out.extend(binds(parts)),
            Formula::Or(parts) => {
                let mut parts = parts.iter().map(|p| binds(std::slice::from_ref(p)));
                let first = parts.next().unwrap_or_default();
                out.extend(parts.fold(first, |mut common, part| {
                    common.retain(|v| part.contains(v));
                    common
                }));
            }
            Formula::Not(_) | Formula::Distinct(..) => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A whole game; each test adds what is wrong.
    const GAME: &str = "(role a) (init (at 1)) (succ 1 2) (legal a go) (goal a 100)
        (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (does a go)) (<= terminal (true (at 2)))
        (<= (far ?x ?z) (succ ?x ?y) (far ?y ?z)) (<= (far ?x ?y) (succ ?x ?y))";

    #[test]
    fn a_right_game_has_no_problems() {
        assert_eq!(check(&Program::read(GAME).unwrap()), []);
    }

    #[test]
    fn each_demand_is_checked() {
        for (more, kind, place) in [
            ("(<= (p ?x) (succ ?y ?z))", ProblemKind::Safety, "?x"),
            ("(<= p (not (succ ?y 1)))", ProblemKind::Safety, "?y"),
            ("(<= p (succ ?x ?x) (distinct ?x ?w))", ProblemKind::Safety, "?w"),
            ("(<= (p ?v) (or (succ ?v 1) (true (at 1))))", ProblemKind::Safety, "?v"),
            ("(succ ?u 7)", ProblemKind::Safety, "?u"),
            ("(<= p (not q)) (<= q p)", ProblemKind::Stratification, "q"),
            ("(<= (n (s ?x)) (n ?x))", ProblemKind::Recursion, "?x"),
            ("(<= p (succ 1))", ProblemKind::Arity, "(succ 1)"),
            ("(<= p (true (at 1 7)))", ProblemKind::Arity, "(at 1 7)"),
            ("(<= (goal a) (true (at 1)))", ProblemKind::Arity, "(goal a)"),
            ("(<= (role b) (true (at 1)))", ProblemKind::Place, "(role b)"),
            ("(role (b 1))", ProblemKind::Place, "(role (b 1))"),
            ("(<= p (init (at 1)))", ProblemKind::Place, "(init (at 1))"),
            ("(<= p (next (at 1)))", ProblemKind::Place, "(next (at 1))"),
            ("(distinct 1 2)", ProblemKind::Place, "(distinct 1 2)"),
            ("(does a stay)", ProblemKind::Place, "(does a stay)"),
            ("(<= (true (at 7)) (succ 1 2))", ProblemKind::Place, "(true (at 7))"),
            ("(<= terminal (p a)) (<= (p ?r) (does ?r go))", ProblemKind::Dependence, "terminal"),
            ("(<= (init (at 7)) (true (at 1)))", ProblemKind::Dependence, "(init (at 1))"),
            ("(goal a 101)", ProblemKind::Goal, "101"),
            ("(goal a much)", ProblemKind::Goal, "much"),
            ("(<= p not terminal)", ProblemKind::Form, "not"),
            ("(not (succ 7 7))", ProblemKind::Form, "(not (succ 7 7))"),
            ("p(x):-q(x).", ProblemKind::Form, ":-q"),
        ] {
            let text = format!("{GAME} {more}");
            let problems = check(&Program::read(&text).unwrap());
            let hit = problems.iter().any(|p| p.kind == kind && &text[p.span.clone()] == place);
            assert!(hit, "{more}: {problems:?}");
        }
    }

    #[test]
    fn all_problems_are_reported_and_what_is_missing() {
        let problems = check(&Program::read("(<= (p ?x)) (<= (p ?x ?y) q)").unwrap());
        let count = |kind| problems.iter().filter(|p| p.kind == kind).count();
        assert_eq!(count(ProblemKind::Safety), 3);
        assert_eq!(count(ProblemKind::Missing), 4);
        assert_eq!(count(ProblemKind::Arity), 1);
    }
}
