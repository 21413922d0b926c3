//! The grammar of formulas and of definitions of classes of formulas.
//!
//! ```text
//! formula    = or ["->" formula]
//! or         = and {"|" and}
//! and        = unary {"&" unary}
//! unary      = "!" unary | "<" agent ">" unary | "[" agent "]" unary | primary
//! primary    = "true" | "false" | NAME ["(" argument {"," argument} ")"] | "(" formula ")"
//! agent      = "A" | "B" | "B1" … | "B(" number ")" | "B*" (every) | "B?" (some) | a player
//! definition = ["from" "B"] "def" NAME "(" pattern {"," pattern} ")" ["when" test] "=" formula
//! test       = number ("<" | "=" | ">") number
//! ```
//!
//! Numbers are made of digits, parameters, `k` (how many opponents there are), `+`, `-` and `*`.
//! The clauses of a definition are tried in their order.
//!
//! The library stands before every text, and places are those of both together.
//!
//! What is read becomes code for a stack, operands first, so that nothing that comes later needs
//! recursion, and is spelled again in one way: the canonical text.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use super::library::LIBRARY;
use super::read::{Language, name_is_usable};
use crate::notation::TextError;

/// Texts of more bytes than this are refused.
const LONGEST_TEXT: usize = 50_000;
/// Brackets inside brackets beyond this number are refused.
const DEEPEST_BRACKETS: usize = 200;
/// The largest number that may be written.
const LARGEST_NUMBER: i64 = 1_000_000;

/// Signs of one character; `->` is the only longer one.
const SIGNS: &str = "(),;=<>[]&|!+-*.?";
/// Signs between two operands, the loosest first; from `NUMBERS` on they join numbers.
const LEVELS: [&[&str]; 5] = [&["->"], &["|"], &["&"], &["+", "-"], &["*"]];
const NUMBERS: usize = 3;

/// The propositions of every game.
pub const PROPOSITIONS: [&str; 9] =
    ["w", "l", "draw", "over", "true", "false", "turn(AGENT)", "won(AGENT)", "atleast(OUTCOME)"];
/// Other words with a meaning of their own.
const WORDS: [&str; 6] = ["A", "B", "k", "def", "from", "when"];

pub(super) type Place = Range<usize>;

/// An operation on values.
#[derive(Clone, Debug)]
pub(super) enum Op {
    Number(i64),
    /// The value of this parameter.
    Parameter(usize),
    /// A proposition, or `k`.
    Name(String),
    /// A class with so many parameters.
    Call(String, usize),
    Not,
    /// What a sign between two operands makes of them.
    Two(&'static str),
    /// □ or ◇ of an agent, or else of the opponent whose number is the last operand.
    Modal(bool, Option<String>),
}

/// Operations with the places that they were read from.
pub(super) type Code = Vec<(Op, Place)>;

#[derive(Clone)]
pub(super) struct Clause {
    /// Whether it stands in the library.
    library: bool,
    /// How it is called: `omega(n)`.
    pub(super) head: String,
    /// For each parameter the number that it must be, if it must.
    pub(super) patterns: Vec<Option<i64>>,
    /// What must be 1, if anything is written here.
    pub(super) when: Code,
    pub(super) body: Code,
}

/// What was read.
#[derive(Clone, Default)]
pub(super) struct Book {
    /// The clauses of all definitions.
    pub(super) classes: HashMap<String, Vec<Clause>>,
    /// The formula, if there is one.
    pub(super) formula: Code,
    /// Everything behind the library in canonical spelling: where each statement begins.
    pub(super) statements: Vec<(usize, String)>,
}

/// Reads the library with a text behind it: definitions, and a formula at the end. What names mean
/// in a game matters only to those that are defined.
pub(super) fn parse(language: Option<&Language<'_>>, text: &str) -> Result<Book, TextError> {
    // The library is read once. A test reads it: it has no mistakes.
    static BOOK: OnceLock<Book> = OnceLock::new();
    let library = || parse_behind(0, Parser { text: LIBRARY, ..Parser::default() });
    let book = BOOK.get_or_init(|| library().unwrap_or_default()).clone();
    parse_behind(LIBRARY.len(), Parser { language, text, book, ..Parser::default() })
}

/// Reads what stands behind a place of a text; what stands before it is in the book.
fn parse_behind(start: usize, mut parser: Parser<'_>) -> Result<Book, TextError> {
    let text = parser.text;
    parser.tokens = lex(text, start)?;
    // So that `name(…)` is known to be a class before its definition is read.
    for pair in parser.tokens.windows(2).filter(|pair| text[pair[0].clone()] == *"def") {
        parser.book.classes.entry(text[pair[1].clone()].to_owned()).or_default();
    }
    parser.statements()?;
    Ok(parser.book)
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The places of names, numbers and signs.
fn lex(text: &str, start: usize) -> Result<Vec<Place>, TextError> {
    let length = text.len() - LIBRARY.len();
    if length > LONGEST_TEXT {
        let message = format!("a formula has at most {LONGEST_TEXT} bytes, not {length}");
        return Err(TextError::new(message, LIBRARY.len()..LIBRARY.len()));
    }
    let (mut tokens, mut at) = (Vec::new(), start);
    while let Some(c) = text[at..].chars().next() {
        let (start, rest) = (at, &text[at..]);
        at += match c {
            '0'..='9' => rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()),
            _ if is_name(rest) => {
                rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
            }
            _ if rest.starts_with("->") => 2,
            _ if c.is_whitespace() || SIGNS.contains(c) => c.len_utf8(),
            _ => {
                let message = format!("`{}` has no meaning in a formula", c.escape_debug());
                return Err(TextError::new(message, start..start + c.len_utf8()));
            }
        };
        if !c.is_whitespace() {
            tokens.push(start..at);
        }
    }
    Ok(tokens)
}

#[derive(Default)]
struct Parser<'t> {
    language: Option<&'t Language<'t>>,
    text: &'t str,
    tokens: Vec<Place>,
    at: usize,
    depth: usize,
    /// Whether only numbers are expected.
    numeric: bool,
    /// The parameters of the definition at hand; nothing where a number stands.
    parameters: Vec<&'t str>,
    code: Code,
    /// The statement at hand in canonical spelling.
    spelled: String,
    book: Book,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> &'t str {
        &self.text[self.place()]
    }

    fn place(&self) -> Place {
        let end = self.text.len();
        self.tokens.get(self.at).cloned().unwrap_or(end..end)
    }

    /// Where the token before this one ends.
    fn end(&self) -> usize {
        self.tokens[self.at - 1].end
    }

    fn in_library(&self) -> bool {
        self.place().start < LIBRARY.len()
    }

    /// Takes a token and spells it.
    fn next(&mut self) -> &'t str {
        let token = self.peek();
        match token {
            "&" | "|" | "->" | "=" | "when" => self.spelled.extend([" ", token, " "]),
            "," | "def" | "from" => self.spelled.extend([token, " "]),
            _ => self.spelled.push_str(token),
        }
        self.at += 1;
        token
    }

    fn take(&mut self, token: &str) -> bool {
        self.peek() == token && !self.next().is_empty()
    }

    fn need(&mut self, token: &str) -> Result<(), TextError> {
        if self.take(token) { Ok(()) } else { Err(self.unexpected(&format!("`{token}`"))) }
    }

    fn unexpected(&self, wanted: &str) -> TextError {
        let message = match self.peek() {
            "" => format!("expected {wanted}, but the text ends here"),
            word => format!("expected {wanted}, found `{word}`"),
        };
        TextError::new(message, self.place())
    }

    fn statements(&mut self) -> Result<(), TextError> {
        while self.at < self.tokens.len() {
            let start = self.place().start;
            match self.peek() {
                ";" => self.at += 1,
                _ if !self.book.formula.is_empty() => {
                    return Err(self.unexpected("nothing behind the formula"));
                }
                "from" | "def" => self.definition()?,
                _ => {
                    self.expression(0)?;
                    self.book.formula = std::mem::take(&mut self.code);
                    if !matches!(self.peek(), "" | ";") {
                        return Err(self.unexpected("the end of the formula"));
                    }
                }
            }
            let spelled = std::mem::take(&mut self.spelled);
            if start >= LIBRARY.len() && !spelled.is_empty() {
                self.book.statements.push((start, spelled));
            }
        }
        Ok(())
    }

    fn definition(&mut self) -> Result<(), TextError> {
        // Step 1: its name.
        if self.take("from") {
            self.need("B")?;
            self.spelled.push(' ');
        }
        self.need("def")?;
        let (head, library) = (self.spelled.len(), self.in_library());
        let name = self.new_name("the name of a class of formulas", false)?;
        // Step 2: its parameters.
        let mut patterns = Vec::new();
        if self.take("(") {
            while patterns.is_empty() || self.take(",") {
                let number = self.number()?;
                let parameter = match number {
                    Some(_) => "",
                    None => self.new_name("a parameter or a number", true)?,
                };
                self.parameters.push(parameter);
                patterns.push(number);
            }
            self.need(")")?;
        }
        // Step 3: what it says, and when.
        let head = self.spelled[head..].to_owned();
        let mut when = Vec::new();
        if self.take("when") {
            when = self.sum()?;
            let Some(sign) = ["<", "=", ">"].into_iter().find(|&sign| sign == self.peek()) else {
                return Err(self.unexpected("`<`, `=` or `>`"));
            };
            let place = self.place();
            self.at += 1;
            self.spelled.extend([" ", sign, " "]);
            when.extend(self.sum()?);
            when.push((Op::Two(sign), place));
        }
        self.need("=")?;
        self.expression(0)?;
        self.parameters.clear();
        let body = std::mem::take(&mut self.code);
        let clause = Clause { library, head, patterns, when, body };
        self.book.classes.entry(name.to_owned()).or_default().push(clause);
        Ok(())
    }

    /// A name that means nothing else, so that a text says what it seems to say.
    fn new_name(&mut self, what: &str, parameter: bool) -> Result<&'t str, TextError> {
        let name = self.peek();
        let is = |form: &str| form.split('(').next() == Some(name);
        let game =
            |l: &Language<'_>| l.forms.iter().any(|f| is(f)) || (l.read_atom)(name).is_some();
        // A class of one's own may have the name of a parameter in the library.
        let class = self.book.classes.get(name).filter(|_| !self.in_library());
        let taken = match () {
            () if !is_name(name) => return Err(self.unexpected(what)),
            () if PROPOSITIONS.iter().any(|form| is(form)) => "a proposition",
            () if self.language.is_some_and(game) => "a proposition of this game",
            () if WORDS.contains(&name) => "a word of the language",
            () if !name.is_ascii() => "not made of plain letters, digits and `_`",
            () if parameter && class.is_some() => "a class",
            () if class.is_some_and(|c| c.iter().any(|c| c.library)) => "a class of the library",
            () if self.parameters.contains(&name) => "a parameter already",
            () => return Ok(self.next()),
        };
        let message = format!("`{name}` can't be defined: it is {taken}");
        Err(TextError::new(message, self.place()))
    }

    /// Reads a number, if one stands here.
    fn number(&mut self) -> Result<Option<i64>, TextError> {
        let digits = self.peek();
        if !digits.starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(None);
        }
        let Some(n) = digits.parse().ok().filter(|&n: &i64| n <= LARGEST_NUMBER) else {
            let message = format!("`{digits}` is too large a number: {LARGEST_NUMBER} is the most");
            return Err(TextError::new(message, self.place()));
        };
        self.spelled.push_str(&n.to_string());
        self.at += 1;
        Ok(Some(n))
    }

    /// Code that is a number.
    fn sum(&mut self) -> Result<Code, TextError> {
        let before = self.code.len();
        self.numeric = true;
        self.expression(NUMBERS)?;
        self.numeric = false;
        Ok(self.code.split_off(before))
    }

    fn deeper(&mut self) -> Result<(), TextError> {
        self.depth += 1;
        if self.depth <= DEEPEST_BRACKETS {
            return Ok(());
        }
        let message = format!("more than {DEEPEST_BRACKETS} brackets inside each other");
        Err(TextError::new(message, self.place()))
    }

    /// Operands joined by the signs of this level or of tighter ones.
    fn expression(&mut self, level: usize) -> Result<(), TextError> {
        let Some(signs) = LEVELS.get(level) else { return self.unary() };
        let (start, depth) = (self.place().start, self.depth);
        self.expression(level + 1)?;
        while let Some(sign) = signs.iter().find(|sign| self.take(sign)) {
            if level == 0 {
                self.deeper()?;
            }
            // `->` begins again on its right side.
            self.expression(if level == 0 { 0 } else { level + 1 })?;
            self.depth = depth;
            self.code.push((Op::Two(sign), start..self.end()));
        }
        Ok(())
    }

    /// An operand with the signs before it.
    fn unary(&mut self) -> Result<(), TextError> {
        let mut prefixes: Vec<Code> = Vec::new();
        while !self.numeric {
            let place = self.place();
            match self.peek() {
                "!" if self.take("!") => prefixes.push(vec![(Op::Not, place)]),
                "<" => prefixes.push(self.modal(false, ">")?),
                "[" => prefixes.push(self.modal(true, "]")?),
                _ => break,
            }
            self.deeper()?;
        }
        self.primary()?;
        self.depth -= prefixes.len();
        self.code.extend(prefixes.into_iter().rev().flatten());
        Ok(())
    }

    /// □ or ◇ with its agent.
    fn modal(&mut self, is_box: bool, close: &str) -> Result<Code, TextError> {
        let (opened, open) = (self.place(), self.next());
        let (start, rest) = (self.place().start, &self.tokens[self.at..]);
        let Some(count) = rest.iter().position(|t| self.text[t.clone()] == *close) else {
            let message = format!("`{open}` is never closed by `{close}`");
            return Err(TextError::new(message, opened));
        };
        let (mut code, mut agent) = (Vec::new(), None);
        if count > 1 && self.peek() == "B" && self.text[rest[1].clone()] == *"(" {
            self.next();
            self.need("(")?;
            code = self.sum()?;
            self.need(")")?;
        } else {
            self.at += count;
            let place = start..self.end().max(start);
            let name = &self.text[place.clone()];
            if !name_is_usable(name) && name != "B?" {
                let message = format!("`{open}{close}` wants an agent inside: `{open}A{close}`");
                return Err(TextError::new(message, place));
            }
            self.spelled.push_str(name);
            agent = Some(name.to_owned());
        }
        code.push((Op::Modal(is_box, agent), start..self.end()));
        self.need(close)?;
        Ok(code)
    }

    fn primary(&mut self) -> Result<(), TextError> {
        let (place, name) = (self.place(), self.peek());
        let parameter = self.parameters.iter().position(|p| *p == name);
        if let Some(n) = self.number()? {
            self.code.push((Op::Number(n), place));
        } else if self.take("(") {
            self.deeper()?;
            self.expression(if self.numeric { NUMBERS } else { 0 })?;
            self.depth -= 1;
            self.need(")")?;
        } else if !is_name(name) || matches!(name, "def" | "from" | "when") {
            return Err(self.unexpected(if self.numeric { "a number" } else { "a formula" }));
        } else if self.numeric && parameter.is_none() && name != "k" {
            return Err(TextError::new(format!("there is no parameter called `{name}`"), place));
        } else {
            self.next();
            let op = match parameter {
                Some(i) => Op::Parameter(i),
                None if self.book.classes.contains_key(name) => {
                    Op::Call(name.to_owned(), self.arguments()?)
                }
                None => Op::Name(self.written(name)?),
            };
            self.code.push((op, place.start..self.end()));
        }
        Ok(())
    }

    /// Reads what a class is given, and says how much that is.
    fn arguments(&mut self) -> Result<usize, TextError> {
        let mut count = 0;
        if self.take("(") {
            self.deeper()?;
            while count == 0 || self.take(",") {
                self.expression(0)?;
                count += 1;
            }
            self.depth -= 1;
            self.need(")")?;
        }
        Ok(count)
    }

    /// A proposition: what stands in its brackets is the game's own language.
    fn written(&mut self, name: &str) -> Result<String, TextError> {
        let (mut open, mut text) = (0, name.to_owned());
        while open > 0 || text == name && self.peek() == "(" {
            let token = self.peek();
            if token.is_empty() {
                return Err(self.unexpected("`)`"));
            }
            open += i32::from(token == "(") - i32::from(token == ")");
            text.push_str(token);
            self.spelled.push_str(token);
            self.at += 1;
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_has_no_mistakes() {
        let book = parse(None, LIBRARY).unwrap_or_else(|e| panic!("{e:?}"));
        assert_eq!((book.classes.len(), book.formula.len(), book.statements.len()), (26, 0, 0));
        assert!(book.classes.values().flatten().all(|clause| clause.library));
        assert!(book.classes.values().all(|clauses| !clauses.is_empty()));
        assert!(LIBRARY.ends_with(';'));
    }
}
