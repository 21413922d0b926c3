//! Facts and rules: what the trees of a rulesheet mean.
//!
//! The syntax is that of the GDL specification (Love et al. 2006) as the thesis *Game Description
//! Language Compilation* (chapter 3) presents it: bodies are any nesting of `and`, `or` and `not`.
//! Ours is the tolerance for what real rulesheets contain: `(p)` is `p`, a rule without a body is a
//! fact, and a name alone is a fact. A `not` without brackets is a relation like any other, which
//! never holds, as other reasoners have it; a head `(not …)` says what holds without it and is
//! left out. Both are noted, and [`mod@crate::check`] reports them.

use std::collections::HashSet;
use std::ops::Range;

use foregone_model::TextError;

use crate::kif::{self, Shape, Symbol, Symbols, Tree};

/// A rule with more variables is refused; real rules have at most 26.
pub const MAX_VARIABLES: usize = 256;

/// A rule with more lists in it is refused; real rules have at most 307.
pub const MAX_LISTS: usize = 2000;

/// A rule with more names in it is refused; real rules have at most 700.
pub const MAX_NAMES: usize = 10_000;

/// A relation or function of more arguments is refused; real ones have at most 50.
pub const MAX_ARGUMENTS: usize = 256;

/// A term: a variable, a constant (a function without arguments) or a function of terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The name; a variable's name begins with `?`.
    pub name: Symbol,
    /// The arguments; none for a variable and for a constant.
    pub args: Vec<Term>,
    /// Whether this is a variable.
    pub is_variable: bool,
    /// Where it is.
    pub span: Range<usize>,
}

impl Term {
    /// Calls `f` with every variable in this term, from left to right.
    pub fn variables<'a>(&'a self, f: &mut impl FnMut(&'a Term)) {
        if self.is_variable {
            f(self);
        }
        for arg in &self.args {
            arg.variables(f);
        }
    }

    /// Whether there is no variable in this term.
    pub fn is_ground(&self) -> bool {
        !self.is_variable && self.args.iter().all(Term::is_ground)
    }

    /// Whether this is the same term as another, wherever the two are.
    pub fn same(&self, other: &Term) -> bool {
        self.name == other.name
            && self.args.len() == other.args.len()
            && self.args.iter().zip(&other.args).all(|(a, b)| a.same(b))
    }
}

/// A relation: its name and how many arguments it has. Relations of one name and different numbers
/// of arguments are different; [`mod@crate::check`] reports them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Relation {
    /// The name.
    pub name: Symbol,
    /// The number of arguments.
    pub arity: usize,
}

/// A relation of terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The relation's name.
    pub name: Symbol,
    /// The arguments.
    pub args: Vec<Term>,
    /// Where it is.
    pub span: Range<usize>,
}

impl Atom {
    /// The relation.
    pub fn relation(&self) -> Relation {
        Relation { name: self.name, arity: self.args.len() }
    }
}

/// A part of a rule's body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    /// What it says.
    pub formula: Formula,
    /// Where it is.
    pub span: Range<usize>,
}

/// What a part of a body says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// The atom holds.
    Atom(Atom),
    /// The part does not hold.
    Not(Box<Literal>),
    /// One of the parts holds; an empty `or` never does.
    Or(Vec<Literal>),
    /// All parts hold.
    And(Vec<Literal>),
    /// The two terms differ.
    Distinct(Term, Term),
}

/// A rule; a fact is a rule without a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What holds …
    pub head: Atom,
    /// … when all of this does.
    pub body: Vec<Literal>,
    /// Where it is.
    pub span: Range<usize>,
}

impl Rule {
    /// Calls `f` with every atom of the body, and whether it stands below a `not`. An atom below
    /// two of them still counts as negative: GDL has no double negation.
    pub fn atoms<'a>(&'a self, f: &mut impl FnMut(&'a Atom, bool)) {
        atoms(&self.body, false, f);
    }
}

fn atoms<'a>(body: &'a [Literal], negative: bool, f: &mut impl FnMut(&'a Atom, bool)) {
    for literal in body {
        match &literal.formula {
            Formula::Atom(atom) => f(atom, negative),
            Formula::Not(inner) => atoms(std::slice::from_ref(inner), true, f),
            Formula::Or(parts) | Formula::And(parts) => atoms(parts, negative, f),
            Formula::Distinct(..) => {}
        }
    }
}

/// A rulesheet: its names, and its facts and rules in their order.
#[derive(Clone, Debug)]
pub struct Program {
    /// The names of everything.
    pub symbols: Symbols,
    /// Facts and rules.
    pub rules: Vec<Rule>,
    /// What was read leniently, with its place.
    pub notes: Vec<TextError>,
}

impl Program {
    /// Reads a rulesheet. The error is the first thing that is neither a fact nor a rule; whether
    /// facts and rules make a game is another question, see [`crate::check()`].
    pub fn read(text: &str) -> Result<Program, TextError> {
        let mut symbols = Symbols::default();
        let trees = kif::read(text, &mut symbols)?;
        let mut reader = Reader { symbols: &symbols, notes: Vec::new() };
        let mut rules = Vec::new();
        for tree in &trees {
            rules.extend(reader.rule(tree)?);
        }
        let notes = reader.notes;
        Ok(Program { symbols, rules, notes })
    }

    /// The roles, in the order of the rulesheet. A role that is not a constant is left out,
    /// and so is a second one of the same name.
    pub fn roles(&self) -> Vec<Symbol> {
        let mut roles = Vec::new();
        for rule in &self.rules {
            if rule.head.relation() == (Relation { name: Symbol::ROLE, arity: 1 })
                && rule.body.is_empty()
            {
                let term = &rule.head.args[0];
                if !term.is_variable && term.args.is_empty() && !roles.contains(&term.name) {
                    roles.push(term.name);
                }
            }
        }
        roles
    }

    /// Whether this is a game of GDL-II (Thielscher 2010): players see what `sees` says and no
    /// more, or the role `random` moves by chance.
    pub fn is_gdl2(&self) -> bool {
        self.hidden_information().is_some() || self.chance().is_some()
    }

    /// Where `sees` stands first: players see what it says and no more.
    pub fn hidden_information(&self) -> Option<Range<usize>> {
        let rule = self.rules.iter().find(|rule| rule.head.name == Symbol::SEES)?;
        Some(rule.head.span.clone())
    }

    /// The number of the role `random` among [`Program::roles`]: chance, which makes each of its
    /// legal moves equally often.
    pub fn chance(&self) -> Option<usize> {
        self.roles().iter().position(|&role| role == Symbol::RANDOM)
    }
}

/// How large a rule is.
#[derive(Default)]
struct Size {
    lists: usize,
    names: usize,
    variables: HashSet<Symbol>,
}

impl Size {
    fn add(&mut self, tree: &Tree, symbols: &Symbols) {
        match &tree.shape {
            Shape::Name(name) => {
                self.names += 1;
                if symbols.is_variable(*name) {
                    self.variables.insert(*name);
                }
            }
            Shape::List(list) => {
                self.lists += 1;
                list.iter().for_each(|t| self.add(t, symbols));
            }
        }
    }
}

struct Reader<'a> {
    symbols: &'a Symbols,
    notes: Vec<TextError>,
}

impl Reader<'_> {
    fn rule(&mut self, tree: &Tree) -> Result<Option<Rule>, TextError> {
        let span = tree.span.clone();
        let mut size = Size::default();
        size.add(tree, self.symbols);
        let large = |what: &str, most: usize| {
            let message = format!("a rule has more than {most} {what}");
            Err(TextError::new(message, span.clone()))
        };
        match size {
            Size { lists, .. } if lists > MAX_LISTS => return large("lists in it", MAX_LISTS),
            Size { names, .. } if names > MAX_NAMES => return large("names in it", MAX_NAMES),
            Size { variables, .. } if variables.len() > MAX_VARIABLES => {
                return large("variables", MAX_VARIABLES);
            }
            _ => {}
        }
        if let Shape::List(list) = &tree.shape
            && let Some(Shape::Name(Symbol::RULE)) = list.first().map(|t| &t.shape)
        {
            let Some(head) = list.get(1) else {
                return Err(TextError::new("expected a head after `<=`", span));
            };
            if self.is_negative(head) {
                return Ok(None);
            }
            let head = self.head(head)?;
            let body = self.body(&list[2..])?;
            return Ok(Some(Rule { head, body, span }));
        }
        if self.is_negative(tree) {
            return Ok(None);
        }
        Ok(Some(Rule { head: self.head(tree)?, body: Vec::new(), span }))
    }

    /// Whether a head is `(not …)`; if so, it is noted.
    fn is_negative(&mut self, head: &Tree) -> bool {
        let Shape::List(list) = &head.shape else { return false };
        let negative = list.first().is_some_and(|t| t.shape == Shape::Name(Symbol::NOT));
        if negative {
            let message = "a head cannot be negative: it is ignored";
            self.notes.push(TextError::new(message, head.span.clone()));
        }
        negative
    }

    fn head(&self, tree: &Tree) -> Result<Atom, TextError> {
        let atom = self.atom(tree)?;
        let words = [Symbol::RULE, Symbol::NOT, Symbol::OR, Symbol::AND];
        if words.contains(&atom.name) {
            let name = self.symbols.name(atom.name);
            let message = format!("`{name}` cannot be the head of a rule or a fact");
            return Err(TextError::new(message, atom.span));
        }
        Ok(atom)
    }

    fn atom(&self, tree: &Tree) -> Result<Atom, TextError> {
        let term = self.term(tree)?;
        if term.is_variable {
            let message = "expected a relation here, not a variable";
            return Err(TextError::new(message, term.span));
        }
        Ok(Atom { name: term.name, args: term.args, span: term.span })
    }

    fn term(&self, tree: &Tree) -> Result<Term, TextError> {
        let span = tree.span.clone();
        match &tree.shape {
            Shape::Name(name) => {
                let is_variable = self.symbols.is_variable(*name);
                Ok(Term { name: *name, args: Vec::new(), is_variable, span })
            }
            Shape::List(list) => {
                let Some(first) = list.first() else {
                    return Err(TextError::new("`()` is empty: expected a name", span));
                };
                let Shape::Name(name) = first.shape else {
                    let message = "expected a name after `(`";
                    return Err(TextError::new(message, first.span.clone()));
                };
                if self.symbols.is_variable(name) {
                    let message = "a variable cannot stand for a relation or a function";
                    return Err(TextError::new(message, first.span.clone()));
                }
                if list.len() > MAX_ARGUMENTS + 1 {
                    let message = format!("there are more than {MAX_ARGUMENTS} arguments here");
                    return Err(TextError::new(message, first.span.clone()));
                }
                let args = list[1..].iter().map(|t| self.term(t)).collect::<Result<_, _>>()?;
                Ok(Term { name, args, is_variable: false, span })
            }
        }
    }

    fn body(&mut self, trees: &[Tree]) -> Result<Vec<Literal>, TextError> {
        trees.iter().map(|t| self.literal(t)).collect()
    }

    fn literal(&mut self, tree: &Tree) -> Result<Literal, TextError> {
        let span = tree.span.clone();
        let list = match &tree.shape {
            Shape::List(list) => list.as_slice(),
            Shape::Name(name) => {
                if [Symbol::NOT, Symbol::OR, Symbol::AND, Symbol::DISTINCT].contains(name) {
                    let name = self.symbols.name(*name);
                    let message = format!("`{name}` needs brackets: `({name} …)`");
                    self.notes.push(TextError::new(message, span.clone()));
                }
                let formula = Formula::Atom(self.atom(tree)?);
                return Ok(Literal { formula, span });
            }
        };
        let word = match list.first().map(|t| &t.shape) {
            Some(Shape::Name(name)) => Some(*name),
            _ => None,
        };
        let formula = match (word, list.get(1..).unwrap_or_default()) {
            (Some(Symbol::NOT), [inner]) => Formula::Not(Box::new(self.literal(inner)?)),
            (Some(Symbol::NOT), rest) => {
                let message = format!("`not` takes one part, not {}", rest.len());
                return Err(TextError::new(message, span));
            }
            (Some(Symbol::DISTINCT), [a, b]) => Formula::Distinct(self.term(a)?, self.term(b)?),
            (Some(Symbol::DISTINCT), rest) => {
                let message = format!("`distinct` takes two terms, not {}", rest.len());
                return Err(TextError::new(message, span));
            }
            (Some(Symbol::OR), parts) => Formula::Or(self.body(parts)?),
            (Some(Symbol::AND), parts) => Formula::And(self.body(parts)?),
            (Some(Symbol::RULE), _) => {
                return Err(TextError::new("a rule cannot be inside another rule", span));
            }
            _ => Formula::Atom(self.atom(tree)?),
        };
        Ok(Literal { formula, span })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_forms_are_read_and_noted() {
        let text = "(role (white)) p (not (p (?r))) (<= (not p) q) (<= q) (<= terminal not (boardopen) (and p q) (or))";
        let program = Program::read(text).unwrap();
        assert_eq!(program.rules.len(), 4);
        assert_eq!(program.roles().len(), 1);
        assert!(program.rules[2].body.is_empty());
        let body = &program.rules[3].body;
        assert_eq!(body.len(), 4);
        assert!(matches!(&body[0].formula, Formula::Atom(a) if a.name == Symbol::NOT));
        assert!(matches!(&body[1].formula, Formula::Atom(a) if a.args.is_empty()));
        assert_eq!(body[3].formula, Formula::Or(Vec::new()));
        assert_eq!(program.notes.len(), 3);
    }

    #[test]
    fn what_is_no_rule_is_refused_at_its_place() {
        for (text, span) in [
            ("(<=)", 0..4),
            ("(<= ?x p)", 4..6),
            ("(<= p (not))", 6..11),
            ("(<= p (distinct ?x))", 6..19),
            ("(<= p (?r ?x))", 7..9),
            ("(p ((q)))", 4..7),
            ("(p ())", 3..5),
            ("(or p)", 0..6),
            ("(<= p (<= q r))", 6..14),
        ] {
            assert_eq!(Program::read(text).unwrap_err().span, span, "{text}");
        }
    }

    #[test]
    fn rules_that_are_too_large_are_refused() {
        let many = |n: usize, f: &dyn Fn(usize) -> String| (0..n).map(f).collect::<String>();
        let variables = |n| format!("(<= p {})", many(n, &|i| format!("(q ?x{i})")));
        let lists = |n| format!("(<= p {})", many(n - 1, &|_| "(q)".to_owned()));
        let arguments = |n| format!("(p{})", " x".repeat(n));
        // Ten names in each of the inner lists.
        let names = |n: usize| {
            let full = format!("(q{})", " x".repeat(9)).repeat((n - 3) / 10);
            format!("(<= p (or {full}{}))", " y".repeat((n - 3) % 10))
        };
        type Text<'t> = &'t dyn Fn(usize) -> String;
        let large: [(Text<'_>, usize, &str); 4] = [
            (&variables, MAX_VARIABLES, "256 variables"),
            (&lists, MAX_LISTS, "2000 lists"),
            (&names, MAX_NAMES, "10000 names"),
            (&arguments, MAX_ARGUMENTS, "256 arguments"),
        ];
        for (text, most, said) in large {
            assert!(Program::read(&text(most)).is_ok(), "{said}");
            let error = Program::read(&text(most + 1)).unwrap_err();
            assert!(error.message.contains(said), "{error}");
        }
    }

    #[test]
    fn gdl2_is_recognised() {
        assert!(Program::read("(role random)").unwrap().is_gdl2());
        assert!(Program::read("(<= (sees ?r x) (role ?r))").unwrap().is_gdl2());
        assert!(!Program::read("(role white)").unwrap().is_gdl2());
    }
}
