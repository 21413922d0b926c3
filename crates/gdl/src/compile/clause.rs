//! Clauses: the language that the steps of the compiler share.
//!
//! A clause is a rule without `or`, `and`, equality and nested `not`: a head and literals. Its
//! variables are numbered from 0, and its text is KIF again, so that each step can be shown.

use crate::kif::{Symbol, Symbols};
use crate::rules::Relation;

/// A term with variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Pattern {
    /// A variable of the clause.
    Variable(u32),
    /// A function of terms; a constant is one of none.
    Function(Symbol, Vec<Pattern>),
}

impl Pattern {
    /// Calls `f` with every variable, from left to right.
    pub(crate) fn variables(&self, f: &mut impl FnMut(u32)) {
        match self {
            Pattern::Variable(v) => f(*v),
            Pattern::Function(_, args) => args.iter().for_each(|a| a.variables(f)),
        }
    }

    /// The same term with another one for each variable.
    pub(crate) fn map(&self, f: &mut impl FnMut(u32) -> Pattern) -> Pattern {
        match self {
            Pattern::Variable(v) => f(*v),
            Pattern::Function(name, args) => {
                Pattern::Function(*name, args.iter().map(|a| a.map(f)).collect())
            }
        }
    }

    /// How many names are in this term.
    pub(crate) fn size(&self) -> usize {
        match self {
            Pattern::Variable(_) => 1,
            Pattern::Function(_, args) => 1 + args.iter().map(Pattern::size).sum::<usize>(),
        }
    }

    /// Whether the variable is in this term.
    pub(crate) fn contains(&self, variable: u32) -> bool {
        let mut found = false;
        self.variables(&mut |v| found |= v == variable);
        found
    }

    fn write(&self, symbols: &Symbols, out: &mut String) {
        match self {
            Pattern::Variable(v) => out.push_str(&format!("?{}", variable_name(*v))),
            Pattern::Function(name, args) if args.is_empty() => out.push_str(symbols.name(*name)),
            Pattern::Function(name, args) => write_list(*name, args, symbols, out),
        }
    }
}

/// Variables are `?a` to `?z`, then `?a1` and so on.
fn variable_name(v: u32) -> String {
    let letter = char::from(b'a' + (v % 26) as u8);
    if v < 26 { letter.to_string() } else { format!("{letter}{}", v / 26) }
}

fn write_list(name: Symbol, args: &[Pattern], symbols: &Symbols, out: &mut String) {
    out.push('(');
    out.push_str(symbols.name(name));
    for arg in args {
        out.push(' ');
        arg.write(symbols, out);
    }
    out.push(')');
}

/// A relation of terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Atom {
    pub(crate) name: Symbol,
    pub(crate) args: Vec<Pattern>,
}

impl Atom {
    pub(crate) fn relation(&self) -> Relation {
        Relation { name: self.name, arity: self.args.len() }
    }

    fn write(&self, symbols: &Symbols, out: &mut String) {
        if self.args.is_empty() {
            out.push_str(symbols.name(self.name));
        } else {
            write_list(self.name, &self.args, symbols, out);
        }
    }
}

/// A part of a body.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Literal {
    /// The atom holds.
    Holds(Atom),
    /// The atom does not hold; all its variables are in positive literals.
    Fails(Atom),
    /// The terms differ.
    Differ(Pattern, Pattern),
}

impl Literal {
    pub(crate) fn variables(&self, f: &mut impl FnMut(u32)) {
        match self {
            Literal::Holds(atom) | Literal::Fails(atom) => {
                atom.args.iter().for_each(|a| a.variables(f));
            }
            Literal::Differ(a, b) => {
                a.variables(f);
                b.variables(f);
            }
        }
    }

    /// How many names are in its terms.
    pub(crate) fn size(&self) -> usize {
        match self {
            Literal::Holds(atom) | Literal::Fails(atom) => {
                atom.args.iter().map(Pattern::size).sum()
            }
            Literal::Differ(a, b) => a.size() + b.size(),
        }
    }

    /// The atom that is asked for, if one is.
    pub(crate) fn atom(&self) -> Option<&Atom> {
        match self {
            Literal::Holds(atom) | Literal::Fails(atom) => Some(atom),
            Literal::Differ(..) => None,
        }
    }

    pub(crate) fn is_positive(&self) -> bool {
        matches!(self, Literal::Holds(_))
    }

    pub(crate) fn map(&self, f: &mut impl FnMut(u32) -> Pattern) -> Literal {
        let mut atom =
            |a: &Atom| Atom { name: a.name, args: a.args.iter().map(|t| t.map(f)).collect() };
        match self {
            Literal::Holds(a) => Literal::Holds(atom(a)),
            Literal::Fails(a) => Literal::Fails(atom(a)),
            Literal::Differ(a, b) => Literal::Differ(a.map(f), b.map(f)),
        }
    }

    pub(crate) fn write(&self, symbols: &Symbols, out: &mut String) {
        match self {
            Literal::Holds(atom) => atom.write(symbols, out),
            Literal::Fails(atom) => {
                out.push_str("(not ");
                atom.write(symbols, out);
                out.push(')');
            }
            Literal::Differ(a, b) => {
                out.push_str("(distinct ");
                a.write(symbols, out);
                out.push(' ');
                b.write(symbols, out);
                out.push(')');
            }
        }
    }
}

/// A rule, or a fact where the body is empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Clause {
    pub(crate) head: Atom,
    pub(crate) body: Vec<Literal>,
}

impl Clause {
    /// The same clause with its variables numbered in the order in which they come up, body first.
    pub(crate) fn numbered(&self) -> Clause {
        let mut order: Vec<u32> = Vec::new();
        let mut note = |v| {
            if !order.contains(&v) {
                order.push(v);
            }
        };
        self.body.iter().for_each(|l| l.variables(&mut note));
        self.head.args.iter().for_each(|a| a.variables(&mut note));
        let number = |v| order.iter().position(|&o| o == v).unwrap_or(0) as u32;
        let mut rename = |v| Pattern::Variable(number(v));
        let args = self.head.args.iter().map(|a| a.map(&mut rename)).collect();
        let body = self.body.iter().map(|l| l.map(&mut rename)).collect();
        Clause { head: Atom { name: self.head.name, args }, body }
    }

    /// The clause as KIF.
    pub(crate) fn text(&self, symbols: &Symbols) -> String {
        let mut out = String::new();
        if self.body.is_empty() {
            self.head.write(symbols, &mut out);
            return out;
        }
        out.push_str("(<= ");
        self.head.write(symbols, &mut out);
        for literal in &self.body {
            out.push(' ');
            literal.write(symbols, &mut out);
        }
        out.push(')');
        out
    }
}

/// The variables of a list of literals, each once, in their order.
pub(crate) fn variables_of<'a>(literals: impl IntoIterator<Item = &'a Literal>) -> Vec<u32> {
    let mut out = Vec::new();
    for literal in literals {
        literal.variables(&mut |v| {
            if !out.contains(&v) {
                out.push(v);
            }
        });
    }
    out
}
