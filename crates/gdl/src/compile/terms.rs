//! Ground terms of the compiler, each kept once. The plain interpreter has its own: the two share
//! the reader of texts and nothing else, so that neither can hide a mistake of the other.

use foregone_model::TextError;
use rustc_hash::FxHashMap;

use crate::kif::{self, Shape, Symbol, Symbols, Tree};

/// Terms nested deeper than this are refused, because whatever walks them may recurse.
const DEEPEST: u16 = 1000;

/// Terms of more names than this are refused: equal parts are kept once, but written each time.
const LARGEST: u32 = 10_000;

/// More terms than this are refused.
const MOST: usize = 10_000_000;

/// All ground terms of a machine, by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Terms {
    names: Vec<Symbol>,
    /// Where the arguments of a term begin; those of term `n` end where the next ones begin.
    begins: Vec<u32>,
    depths: Vec<u16>,
    /// How many names are in each.
    sizes: Vec<u32>,
    args: Vec<u32>,
    found: FxHashMap<Box<[u32]>, u32>,
    key: Vec<u32>,
}

impl Terms {
    fn set_key(&mut self, name: Symbol, args: &[u32]) {
        self.key.clear();
        self.key.push(name.0);
        self.key.extend_from_slice(args);
    }

    /// The term, if it is there.
    pub(crate) fn find(&mut self, name: Symbol, args: &[u32]) -> Option<u32> {
        self.set_key(name, args);
        self.found.get(self.key.as_slice()).copied()
    }

    /// The term; none if it would be too deep or too large.
    pub(crate) fn make(&mut self, name: Symbol, args: &[u32]) -> Option<u32> {
        if let Some(number) = self.find(name, args) {
            return Some(number);
        }
        let deepest = args.iter().map(|&a| self.depths[a as usize]).max();
        let depth = deepest.map_or(0, |d| d + 1);
        // No sum overflows: arguments are few, and each is small.
        let size = 1 + args.iter().map(|&a| self.sizes[a as usize]).sum::<u32>();
        if depth > DEEPEST || size > LARGEST || self.names.len() >= MOST {
            return None;
        }
        let number = self.names.len() as u32;
        self.names.push(name);
        self.depths.push(depth);
        self.sizes.push(size);
        self.begins.push(self.args.len() as u32);
        self.args.extend_from_slice(args);
        self.found.insert(self.key.as_slice().into(), number);
        Some(number)
    }

    /// How many names are in a term.
    pub(crate) fn size(&self, term: u32) -> usize {
        self.sizes[term as usize] as usize
    }

    pub(crate) fn name(&self, term: u32) -> Symbol {
        self.names[term as usize]
    }

    pub(crate) fn args(&self, term: u32) -> &[u32] {
        let from = self.begins[term as usize] as usize;
        let to = self.begins.get(term as usize + 1).map_or(self.args.len(), |&n| n as usize);
        &self.args[from..to]
    }

    /// The term of a tree, if it is there.
    pub(crate) fn of_tree(&self, tree: &Tree) -> Option<u32> {
        let (name, args): (Symbol, &[Tree]) = match &tree.shape {
            Shape::Name(name) => (*name, &[]),
            Shape::List(list) => match list.split_first() {
                Some((Tree { shape: Shape::Name(name), .. }, args)) => (*name, args),
                _ => return None,
            },
        };
        let mut key = vec![name.0];
        for arg in args {
            key.push(self.of_tree(arg)?);
        }
        self.found.get(key.as_slice()).copied()
    }

    /// The term of a text, made if it is not there.
    pub(crate) fn read(&mut self, text: &str, symbols: &mut Symbols) -> Result<u32, TextError> {
        let trees = kif::read(text, symbols)?;
        match trees.as_slice() {
            [tree] => self.make_tree(tree, symbols),
            _ => Err(TextError::new("expected one term", 0..text.len())),
        }
    }

    fn make_tree(&mut self, tree: &Tree, symbols: &Symbols) -> Result<u32, TextError> {
        let wrong = |message: &str| TextError::new(message, tree.span.clone());
        let (name, args): (Symbol, &[Tree]) = match &tree.shape {
            Shape::Name(name) => (*name, &[]),
            Shape::List(list) => match list.split_first() {
                Some((Tree { shape: Shape::Name(name), .. }, args)) => (*name, args),
                _ => return Err(wrong("expected a name after `(`")),
            },
        };
        if symbols.is_variable(name) {
            return Err(wrong("a variable is not allowed here"));
        }
        let mut numbers = Vec::new();
        for arg in args {
            numbers.push(self.make_tree(arg, symbols)?);
        }
        self.make(name, &numbers).ok_or_else(|| wrong("the term is too large"))
    }

    pub(crate) fn write(&self, term: u32, symbols: &Symbols, out: &mut String) {
        let args = self.args(term);
        let name = symbols.name(self.name(term));
        if args.is_empty() {
            out.push_str(name);
            return;
        }
        out.push('(');
        out.push_str(name);
        for &arg in args {
            out.push(' ');
            self.write(arg, symbols, out);
        }
        out.push(')');
    }
}
