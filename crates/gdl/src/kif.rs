//! The reader of KIF, the prefix notation in which rulesheets are written (Genesereth and Fikes,
//! *Knowledge Interchange Format*, 1992), as far as GDL uses it.
//!
//! ```text
//! text = {tree}
//! tree = NAME | "?" NAME | "(" {tree} ")"
//! ```
//!
//! `;` begins a comment that lasts to the end of its line. Upper and lower case mean the same: real
//! rulesheets mix them, and one spelling is kept, the lower one. A name is anything else between
//! blanks and brackets, as real rulesheets name relations `<` or `+`; invisible characters are
//! refused, because names are printed. Reading needs no recursion, and brackets are limited in
//! depth, so that whatever walks the trees may recurse.

use std::collections::HashMap;
use std::ops::Range;

use foregone_model::TextError;

/// Brackets inside brackets beyond this number are refused; real rulesheets stay below 15.
pub const DEEPEST: usize = 100;

/// Texts of more bytes are refused; real rulesheets stay below half a million.
pub const MAX_BYTES: usize = 4 << 20;

/// Names of more bytes are refused: messages quote them.
pub const LONGEST_NAME: usize = 1000;

/// A name, by its number in [`Symbols`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub(crate) u32);

/// The names with a meaning of their own. Every table of symbols begins with them.
macro_rules! keywords {
    ($($name:ident = $number:literal, $text:literal;)*) => {
        impl Symbol {
            $(#[doc = concat!("The word `", $text, "`.")] pub const $name: Symbol = Symbol($number);)*
        }
        const KEYWORDS: &[&str] = &[$($text),*];
    };
}

keywords! {
    RULE = 0, "<=";
    ROLE = 1, "role";
    INIT = 2, "init";
    TRUE = 3, "true";
    DOES = 4, "does";
    NEXT = 5, "next";
    LEGAL = 6, "legal";
    GOAL = 7, "goal";
    TERMINAL = 8, "terminal";
    NOT = 9, "not";
    OR = 10, "or";
    AND = 11, "and";
    DISTINCT = 12, "distinct";
    SEES = 13, "sees";
    RANDOM = 14, "random";
}

/// All names of a text, numbered.
#[derive(Clone, Debug)]
pub struct Symbols {
    names: Vec<String>,
    numbers: HashMap<String, Symbol>,
    /// How many names were generated from each word.
    made: HashMap<String, u32>,
}

impl Default for Symbols {
    fn default() -> Symbols {
        let mut symbols =
            Symbols { names: Vec::new(), numbers: HashMap::new(), made: HashMap::new() };
        for word in KEYWORDS {
            symbols.intern(word);
        }
        symbols
    }
}

impl Symbols {
    /// The symbol of a name, in whatever case it is written. A variable's name keeps its `?`.
    pub fn intern(&mut self, name: &str) -> Symbol {
        let name = name.to_lowercase();
        if let Some(&symbol) = self.numbers.get(&name) {
            return symbol;
        }
        let symbol = Symbol(self.names.len() as u32);
        self.names.push(name.clone());
        self.numbers.insert(name, symbol);
        symbol
    }

    /// A name that is not used yet: the word and a number.
    pub(crate) fn fresh(&mut self, word: &str) -> Symbol {
        let mut number = self.made.get(word).copied().unwrap_or(0);
        loop {
            number += 1;
            let name = format!("{word}_{number}");
            if !self.numbers.contains_key(&name) {
                self.made.insert(word.to_owned(), number);
                return self.intern(&name);
            }
        }
    }

    /// The name of a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.names.get(symbol.0 as usize).map_or("", String::as_str)
    }

    /// Whether this is the name of a variable.
    pub fn is_variable(&self, symbol: Symbol) -> bool {
        self.name(symbol).starts_with('?')
    }
}

/// A name or a list, with its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// What it is.
    pub shape: Shape,
    /// The bytes of the text where it is.
    pub span: Range<usize>,
}

/// What a tree is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A name or a variable.
    Name(Symbol),
    /// Trees between brackets.
    List(Vec<Tree>),
}

/// Reads a text into its trees, from left to right. New names are added to `symbols`.
pub fn read(text: &str, symbols: &mut Symbols) -> Result<Vec<Tree>, TextError> {
    if text.len() > MAX_BYTES {
        let message = format!("the text has more than {MAX_BYTES} bytes");
        return Err(TextError::new(message, 0..0));
    }
    // The lists that are still open, each with the place of its bracket.
    let mut open: Vec<(usize, Vec<Tree>)> = Vec::new();
    let mut done: Vec<Tree> = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let start = at;
        at += c.len_utf8();
        // A byte order mark is a blank: editors put it before the first bracket.
        if c.is_whitespace() || c == '\u{feff}' {
            continue;
        }
        let shape = match c {
            ';' => {
                at = text[at..].find(['\n', '\r']).map_or(text.len(), |n| at + n);
                continue;
            }
            '(' => {
                if open.len() == DEEPEST {
                    let message = format!("brackets are nested deeper than {DEEPEST}");
                    return Err(TextError::new(message, start..at));
                }
                open.push((start, Vec::new()));
                continue;
            }
            ')' => match open.pop() {
                Some((bracket, list)) => Tree { shape: Shape::List(list), span: bracket..at },
                None => return Err(TextError::new("`)` has no matching `(`", start..at)),
            },
            _ => {
                let end = text[at..].find(|c: char| c.is_whitespace() || "();".contains(c));
                at = end.map_or(text.len(), |n| at + n);
                let symbol = name(&text[start..at], symbols);
                let symbol = symbol.map_err(|message| TextError::new(message, start..at))?;
                Tree { shape: Shape::Name(symbol), span: start..at }
            }
        };
        open.last_mut().map_or(&mut done, |(_, list)| list).push(shape);
    }
    match open.last() {
        Some(&(bracket, _)) => Err(TextError::new("`(` is never closed", bracket..bracket + 1)),
        None => Ok(done),
    }
}

/// The symbol of a name; the error says why there cannot be such a name.
fn name(text: &str, symbols: &mut Symbols) -> Result<Symbol, String> {
    if text.len() > LONGEST_NAME {
        return Err(format!("a name has more than {LONGEST_NAME} bytes"));
    }
    match text.chars().find(|&c| is_hidden(c)) {
        Some(c) => Err(format!("a name has an invisible character, U+{:04X}", c as u32)),
        None => Ok(symbols.intern(text)),
    }
}

/// Whether a character is a control or a format character (Unicode's categories Cc and Cf): a
/// terminal would obey it instead of showing it.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}'
            | '\u{890}'..='\u{891}' | '\u{8e2}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e007f}')
}

/// The line and the column of a byte of a text, both from 1; columns count characters.
pub fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let mut end = byte.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = &text[..end];
    let line_start = before.rfind('\n').map_or(0, |n| n + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(trees: &[Tree], symbols: &Symbols) -> String {
        let one = |t: &Tree| match &t.shape {
            Shape::Name(s) => symbols.name(*s).to_owned(),
            Shape::List(list) => format!("({})", shown(list, symbols)),
        };
        trees.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn cases_are_one_and_comments_are_blanks() {
        let mut symbols = Symbols::default();
        let text = "(ROLE White);a comment (\n(<=(next(F ?X))(true (f ?x)))p;end";
        let trees = read(text, &mut symbols).unwrap();
        assert_eq!(shown(&trees, &symbols), "(role white) (<= (next (f ?x)) (true (f ?x))) p");
        assert_eq!(&text[trees[1].span.clone()], "(<=(next(F ?X))(true (f ?x)))");
    }

    #[test]
    fn the_keywords_have_their_numbers() {
        let mut symbols = Symbols::default();
        for (number, word) in KEYWORDS.iter().enumerate() {
            assert_eq!(symbols.intern(word), Symbol(number as u32));
        }
        assert_eq!(symbols.name(Symbol::RANDOM), "random");
        assert_eq!(symbols.intern("Terminal"), Symbol::TERMINAL);
    }

    #[test]
    fn brackets_must_match_and_may_not_be_too_deep() {
        let mut symbols = Symbols::default();
        assert_eq!(read("(a) b)", &mut symbols).unwrap_err().span, 5..6);
        assert_eq!(read("(a (b)", &mut symbols).unwrap_err().span, 0..1);
        let deep = "(".repeat(DEEPEST + 1);
        assert_eq!(read(&deep, &mut symbols).unwrap_err().span, DEEPEST..DEEPEST + 1);
    }

    #[test]
    fn what_cannot_be_printed_or_is_too_long_is_refused() {
        let mut symbols = Symbols::default();
        for bad in ["(role a\u{1b}[31m)", "(role a\u{202e})", "(role a\u{7})", "(role a\u{feff}b)"]
        {
            let error = read(bad, &mut symbols).unwrap_err();
            assert_eq!(error.span.start, 6, "{bad:?}");
            assert!(error.message.contains("invisible"), "{error}");
            assert!(!error.message.contains(is_hidden), "{error}");
        }
        assert!(read("(role \u{feff} ä+ω)", &mut symbols).is_ok());
        let long = "a".repeat(LONGEST_NAME + 1);
        assert_eq!(read(&long, &mut symbols).unwrap_err().span, 0..LONGEST_NAME + 1);
        assert!(read(&long[1..], &mut symbols).is_ok());
        let large = " ".repeat(MAX_BYTES + 1);
        assert!(read(&large, &mut symbols).unwrap_err().message.contains("4194304"));
        assert!(read(&large[1..], &mut symbols).is_ok());
    }

    #[test]
    fn bytes_have_lines_and_columns() {
        assert_eq!(line_and_column("ab\nüc\n", 0), (1, 1));
        assert_eq!(line_and_column("ab\nüc\n", 5), (2, 2));
        assert_eq!(line_and_column("ab\nüc\n", 4), (2, 1), "the middle of a character");
        assert_eq!(line_and_column("ab\nüc\n", 99), (3, 1));
    }
}
