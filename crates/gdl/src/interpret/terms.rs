//! Ground terms, each kept once: two terms are equal exactly if their numbers are (hash consing,
//! Ershov 1958).

use std::fmt;

use foregone_model::TextError;
use rustc_hash::FxHashMap;

use super::MAX_STATE;
use crate::kif::{self, Shape, Symbol, Symbols, Tree};

/// Functions of functions beyond this depth are refused: only a rulesheet that never ends gets
/// there, and whatever walks a term may recurse.
pub(crate) const DEEPEST_TERM: u32 = 1000;

/// Terms of more names are refused: equal parts are kept once, but written each time.
pub(crate) const LARGEST_TERM: u32 = 10_000;

/// More terms than this are refused: an interpreter keeps them all.
pub(crate) const MAX_TERMS: usize = 4_000_000;

/// A term without variables, by its number in the interpreter that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ground(pub(crate) u32);

/// What is more than the interpreter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Functions of functions.
    Depth,
    /// Names in one term.
    Names,
    /// Terms in all.
    Terms,
    /// Answers to one question: so many.
    Answers(u64),
    /// Names in the facts of one state, or in the moves of one role.
    State,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Depth => write!(f, "a term deeper than {DEEPEST_TERM}"),
            Limit::Names => write!(f, "a term of more than {LARGEST_TERM} names"),
            Limit::Terms => write!(f, "a game of more than {MAX_TERMS} terms"),
            Limit::Answers(most) => write!(f, "a question with more than {most} answers"),
            Limit::State => write!(f, "a state with more than {MAX_STATE} names"),
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    name: Symbol,
    first: u32,
    arity: u32,
    depth: u32,
    size: u32,
}

/// All ground terms of an interpreter.
#[derive(Clone, Debug, Default)]
pub(crate) struct Terms {
    nodes: Vec<Node>,
    args: Vec<u32>,
    /// The number of a term by its name's number and its arguments.
    numbers: FxHashMap<Box<[u32]>, u32>,
    scratch: Vec<u32>,
}

impl Terms {
    /// The term of this name and these arguments; the error says what would be too large.
    pub(crate) fn make(&mut self, name: Symbol, args: &[u32]) -> Result<u32, Limit> {
        self.scratch.clear();
        self.scratch.push(name.0);
        self.scratch.extend_from_slice(args);
        if let Some(&number) = self.numbers.get(self.scratch.as_slice()) {
            return Ok(number);
        }
        let depth = args.iter().map(|&a| self.nodes[a as usize].depth + 1).max().unwrap_or(0);
        // No sum overflows: arguments are few, and each is small.
        let size = 1 + args.iter().map(|&a| self.nodes[a as usize].size).sum::<u32>();
        if depth > DEEPEST_TERM {
            return Err(Limit::Depth);
        }
        if size > LARGEST_TERM {
            return Err(Limit::Names);
        }
        if self.nodes.len() >= MAX_TERMS {
            return Err(Limit::Terms);
        }
        let number = self.nodes.len() as u32;
        let first = self.args.len() as u32;
        self.args.extend_from_slice(args);
        self.nodes.push(Node { name, first, arity: args.len() as u32, depth, size });
        self.numbers.insert(self.scratch.as_slice().into(), number);
        Ok(number)
    }

    /// How many names are in a term.
    pub(crate) fn size(&self, term: u32) -> usize {
        self.nodes[term as usize].size as usize
    }

    /// The term's name.
    pub(crate) fn name(&self, term: u32) -> Symbol {
        self.nodes[term as usize].name
    }

    /// The term's arguments.
    pub(crate) fn args(&self, term: u32) -> &[u32] {
        let node = self.nodes[term as usize];
        &self.args[node.first as usize..(node.first + node.arity) as usize]
    }

    /// Writes the term.
    pub(crate) fn write(&self, term: u32, symbols: &Symbols, out: &mut String) {
        let args = self.args(term);
        if args.is_empty() {
            out.push_str(symbols.name(self.name(term)));
            return;
        }
        out.push('(');
        out.push_str(symbols.name(self.name(term)));
        for &arg in args {
            out.push(' ');
            self.write(arg, symbols, out);
        }
        out.push(')');
    }

    /// Reads a text that is one term without variables.
    pub(crate) fn read(&mut self, text: &str, symbols: &mut Symbols) -> Result<u32, TextError> {
        let trees = kif::read(text, symbols)?;
        match trees.as_slice() {
            [tree] => self.of_tree(tree, symbols),
            _ => Err(TextError::new("expected one term", 0..text.len())),
        }
    }

    fn of_tree(&mut self, tree: &Tree, symbols: &Symbols) -> Result<u32, TextError> {
        let wrong = |message: &str| TextError::new(message, tree.span.clone());
        let (name, args) = match &tree.shape {
            Shape::Name(name) => (*name, [].as_slice()),
            Shape::List(list) => match list.split_first() {
                Some((Tree { shape: Shape::Name(name), .. }, args)) => (*name, args),
                _ => return Err(wrong("expected a name after `(`")),
            },
        };
        if symbols.is_variable(name) {
            return Err(wrong("a variable is not allowed here"));
        }
        let args = args.iter().map(|t| self.of_tree(t, symbols)).collect::<Result<Vec<_>, _>>()?;
        self.make(name, &args).map_err(|limit| wrong(&format!("there is {limit}")))
    }
}
