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
//! The clauses of a definition are tried in their order. `∧ ∨ ¬ → ◇_A □_A` may be written for
//! `& | ! -> <A> [A]`; `//` begins a comment.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::OnceLock;

use super::concepts;
use super::read::{Part, ReadError};
use crate::notation::TextError;

/// A row of more parts than this between `&` or `|` is refused.
const LONGEST_ROW: u32 = 500;
/// Brackets inside brackets beyond this number are refused.
const DEEPEST_BRACKETS: u32 = 200;

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Name(String),
    Number(i64),
    /// An agent between `<` and `>` or `[` and `]`, with its place.
    Diamond(String, Range<usize>),
    Box(String, Range<usize>),
    /// Anything else, by its plain spelling.
    Sign(&'static str),
}

#[derive(Clone, Debug)]
struct Lexed {
    token: Token,
    span: Range<usize>,
}

/// Cuts a text into tokens. `<` opens an agent, but in a test behind `when` it compares numbers.
fn lex(text: &str) -> Result<Vec<Lexed>, TextError> {
    let mut out: Vec<Lexed> = Vec::new();
    let (mut at, mut test) = (0, false);
    while let Some(c) = text[at..].chars().next() {
        let start = at;
        let rest = &text[at..];
        at += c.len_utf8();
        if c.is_whitespace() {
            continue;
        }
        if rest.starts_with("//") {
            at = text[start..].find('\n').map_or(text.len(), |n| start + n);
            continue;
        }
        let token = if c.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            at = start + end;
            let digits = &rest[..end];
            let number: i64 = digits.parse().ok().filter(|&n| n <= 1_000_000).ok_or_else(|| {
                TextError::new(format!("`{digits}` is too large a number"), start..at)
            })?;
            Token::Number(number)
        } else if c.is_alphabetic() || c == '_' {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
            at = start + end.unwrap_or(rest.len());
            Token::Name(text[start..at].to_owned())
        } else if c == '◇' || c == '□' {
            let open = if text[at..].starts_with('_') { at + 1 } else { at };
            let end = text[open..].find(|c: char| !(c.is_alphanumeric()));
            at = open + end.unwrap_or(text.len() - open);
            if text[at..].starts_with(['*', '?']) {
                at += 1;
            } else if text[at..].starts_with('(') && &text[open..at] == "B" {
                at = text[at..].find(')').map_or(text.len(), |n| at + n + 1);
            }
            let agent = text[open..at].to_owned();
            if agent.is_empty() {
                let message = format!("`{c}` wants an agent behind it: `{c}_A`");
                return Err(TextError::new(message, start..at));
            }
            if c == '◇' { Token::Diamond(agent, open..at) } else { Token::Box(agent, open..at) }
        } else if (c == '<' && !test) || c == '[' {
            let close = if c == '<' { '>' } else { ']' };
            let Some(length) = text[at..].find(close) else {
                let message = format!("`{c}` is never closed by `{close}`");
                return Err(TextError::new(message, start..start + 1));
            };
            let inside = &text[at..at + length];
            let lead = inside.len() - inside.trim_start().len();
            let place = at + lead..at + lead + inside.trim().len();
            let agent = inside.trim().to_owned();
            at += length + 1;
            if agent.is_empty() {
                let message = format!("`{c}{close}` wants an agent inside: `{c}A{close}`");
                return Err(TextError::new(message, start..at));
            }
            if c == '<' { Token::Diamond(agent, place) } else { Token::Box(agent, place) }
        } else {
            let signs: [(&str, &str); 24] = [
                ("->", "->"),
                ("=>", "->"),
                ("→", "->"),
                ("&&", "&"),
                ("||", "|"),
                ("&", "&"),
                ("∧", "&"),
                ("|", "|"),
                ("∨", "|"),
                ("!", "!"),
                ("¬", "!"),
                ("~", "!"),
                ("(", "("),
                (")", ")"),
                (",", ","),
                (";", ";"),
                ("=", "="),
                ("<", "<"),
                (">", ">"),
                ("+", "+"),
                ("-", "-"),
                ("−", "-"),
                ("*", "*"),
                (".", "."),
            ];
            let Some((spelling, plain)) = signs.iter().find(|(s, _)| rest.starts_with(s)) else {
                let message = format!("`{c}` has no meaning in a formula");
                return Err(TextError::new(message, start..at));
            };
            at = start + spelling.len();
            Token::Sign(plain)
        };
        match &token {
            Token::Name(name) if name == "when" => test = true,
            Token::Sign("=" | ";") => test = false,
            _ => {}
        }
        out.push(Lexed { token, span: start..at });
    }
    Ok(out)
}

/// An expression that is a number.
#[derive(Clone, Debug)]
pub(super) enum Sum {
    Number(i64),
    Name(String, Range<usize>),
    Two(char, Box<Sum>, Box<Sum>),
}

#[derive(Clone, Debug)]
pub(super) enum Argument {
    Sum(Sum),
    Formula(Tree),
}

#[derive(Clone, Debug)]
pub(super) enum Who {
    One(String),
    /// B with a number.
    Place(Sum),
    Every,
    Some,
}

#[derive(Clone, Debug)]
pub(super) enum Tree {
    Name(String, Vec<Argument>, Range<usize>),
    /// A proposition of the game that is written with arguments, as it was written.
    Written(String, Range<usize>),
    Not(Box<Tree>),
    And(Box<Tree>, Box<Tree>),
    Or(Box<Tree>, Box<Tree>),
    Box(Who, Range<usize>, Box<Tree>),
    Diamond(Who, Range<usize>, Box<Tree>),
}

#[derive(Clone, Debug)]
pub(super) enum Pattern {
    Number(i64),
    Name(String),
}

#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub(super) part: Part,
    pub(super) patterns: Vec<Pattern>,
    pub(super) when: Option<(Sum, &'static str, Sum)>,
    pub(super) body: Tree,
}

/// The library, read once.
pub(super) fn library() -> &'static Book {
    static LIBRARY: OnceLock<Book> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let text = concepts::library();
        let mut book = Book::default();
        book.names_in(&text);
        // A test reads it: it has no mistakes.
        let _ = book.add(Part::Library, &text, false);
        book
    })
}

/// All definitions.
#[derive(Default)]
pub(super) struct Book {
    /// Definitions that those here hide.
    pub(super) below: Option<&'static Book>,
    /// What is defined anywhere, so that `name(…)` is known to be a class before it is read.
    pub(super) names: HashSet<String>,
    pub(super) clauses: HashMap<String, Vec<Clause>>,
    pub(super) from_b: HashSet<String>,
}

impl Book {
    fn names(&self, name: &str) -> bool {
        self.names.contains(name) || self.below.is_some_and(|b| b.names.contains(name))
    }

    pub(super) fn clauses(&self, name: &str) -> Option<&[Clause]> {
        let own = self.clauses.get(name).map(Vec::as_slice);
        own.or_else(|| self.below.and_then(|b| b.clauses(name)))
    }

    pub(super) fn is_from_b(&self, name: &str) -> bool {
        match self.clauses.contains_key(name) {
            true => self.from_b.contains(name),
            false => self.below.is_some_and(|b| b.is_from_b(name)),
        }
    }

    /// The names of all classes, in order.
    pub(super) fn classes(&self) -> Vec<String> {
        let below = self.below.into_iter().flat_map(|b| b.clauses.keys());
        let mut all: Vec<String> = self.clauses.keys().chain(below).cloned().collect();
        all.sort();
        all.dedup();
        all
    }

    pub(super) fn names_in(&mut self, text: &str) {
        let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        while let Some(word) = words.next() {
            if word == "def"
                && let Some(name) = words.next()
            {
                self.names.insert(name.to_owned());
            }
        }
    }

    /// Reads definitions, and a formula at the end if one is allowed.
    pub(super) fn add(
        &mut self,
        part: Part,
        text: &str,
        formula: bool,
    ) -> Result<Option<Tree>, ReadError> {
        let fail = |error| ReadError { part, error };
        let tokens = lex(text).map_err(fail)?;
        let mut parser = Parser { text, tokens: &tokens, at: 0, depth: 0, book: self };
        let mut found = Vec::new();
        let mut body = None;
        while parser.at < tokens.len() {
            if parser.take(";") {
                continue;
            }
            if parser.word("from") || parser.word("def") {
                found.push(parser.definition(part).map_err(fail)?);
            } else if formula {
                body = Some(parser.formula().map_err(fail)?);
                if parser.at < tokens.len() && !parser.take(";") {
                    return Err(fail(parser.unexpected("the end of the formula")));
                }
                if parser.at < tokens.len() {
                    return Err(fail(parser.unexpected("nothing behind the formula")));
                }
            } else {
                return Err(fail(parser.unexpected("`def NAME(…) = …`")));
            }
        }
        for (name, from_b, clause) in found {
            if from_b {
                self.from_b.insert(name.clone());
            }
            self.clauses.entry(name).or_default().push(clause);
        }
        Ok(body)
    }

    /// Whether a class in which B moves first is named.
    pub(super) fn begins_with_b(&self, tree: &Tree) -> bool {
        match tree {
            Tree::Name(name, ..) => self.is_from_b(name),
            Tree::Written(..) => false,
            Tree::Not(f) => self.begins_with_b(f),
            Tree::And(a, b) | Tree::Or(a, b) => self.begins_with_b(a) || self.begins_with_b(b),
            Tree::Box(..) | Tree::Diamond(..) => false,
        }
    }
}

struct Parser<'t> {
    text: &'t str,
    tokens: &'t [Lexed],
    at: usize,
    depth: u32,
    book: &'t Book,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|l| &l.token)
    }

    fn span(&self) -> Range<usize> {
        let end = self.text.len();
        self.tokens.get(self.at).map_or(end..end, |l| l.span.clone())
    }

    fn word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token::Name(n)) if n == word)
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Sign(s)) if *s == sign);
        self.at += usize::from(found);
        found
    }

    fn need(&mut self, sign: &str) -> Result<(), TextError> {
        if self.take(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    fn name(&mut self, what: &str) -> Result<String, TextError> {
        match self.peek() {
            Some(Token::Name(name)) => {
                let name = name.clone();
                self.at += 1;
                Ok(name)
            }
            _ => Err(self.unexpected(what)),
        }
    }

    fn unexpected(&self, wanted: &str) -> TextError {
        let span = self.span();
        let message = match self.text.get(span.clone()) {
            Some(word) if !word.is_empty() => format!("expected {wanted}, found `{word}`"),
            _ => format!("expected {wanted}, but the text ends here"),
        };
        TextError::new(message, span)
    }

    fn definition(&mut self, part: Part) -> Result<(String, bool, Clause), TextError> {
        let from_b = self.word("from");
        if from_b {
            self.at += 1;
            if !self.word("B") {
                return Err(self.unexpected("`B`"));
            }
            self.at += 1;
            if !self.word("def") {
                return Err(self.unexpected("`def`"));
            }
        }
        self.at += 1;
        let name = self.name("the name of a class of formulas")?;
        let mut patterns = Vec::new();
        if self.take("(") {
            loop {
                match self.peek() {
                    Some(&Token::Number(n)) => {
                        self.at += 1;
                        patterns.push(Pattern::Number(n));
                    }
                    _ => patterns.push(Pattern::Name(self.name("a parameter or a number")?)),
                }
                if !self.take(",") {
                    break;
                }
            }
            self.need(")")?;
        }
        let mut when = None;
        if self.word("when") {
            self.at += 1;
            let left = self.sum()?;
            let sign = match self.peek() {
                Some(Token::Sign(s @ ("<" | "=" | ">"))) => *s,
                _ => return Err(self.unexpected("`<`, `=` or `>`")),
            };
            self.at += 1;
            when = Some((left, sign, self.sum()?));
        }
        self.need("=")?;
        let body = self.formula()?;
        Ok((name, from_b, Clause { part, patterns, when, body }))
    }

    fn sum(&mut self) -> Result<Sum, TextError> {
        let mut left = self.product()?;
        let mut parts = 1;
        loop {
            let sign = match self.peek() {
                Some(Token::Sign("+")) => '+',
                Some(Token::Sign("-")) => '-',
                _ => return Ok(left),
            };
            self.at += 1;
            self.one_more(&mut parts)?;
            left = Sum::Two(sign, Box::new(left), Box::new(self.product()?));
        }
    }

    fn product(&mut self) -> Result<Sum, TextError> {
        let mut left = self.factor()?;
        let mut parts = 1;
        while self.take("*") {
            self.one_more(&mut parts)?;
            left = Sum::Two('*', Box::new(left), Box::new(self.factor()?));
        }
        Ok(left)
    }

    fn factor(&mut self) -> Result<Sum, TextError> {
        let span = self.span();
        match self.peek() {
            Some(&Token::Number(n)) => {
                self.at += 1;
                Ok(Sum::Number(n))
            }
            Some(Token::Name(name)) => {
                let name = name.clone();
                self.at += 1;
                Ok(Sum::Name(name, span))
            }
            Some(Token::Sign("(")) => {
                self.deeper()?;
                self.at += 1;
                let sum = self.sum()?;
                self.need(")")?;
                self.depth -= 1;
                Ok(sum)
            }
            _ => Err(self.unexpected("a number")),
        }
    }

    fn deeper(&mut self) -> Result<(), TextError> {
        self.depth += 1;
        if self.depth > DEEPEST_BRACKETS {
            return Err(TextError::new("too many brackets inside each other", self.span()));
        }
        Ok(())
    }

    fn one_more(&self, parts: &mut u32) -> Result<(), TextError> {
        *parts += 1;
        match *parts > LONGEST_ROW {
            true => Err(TextError::new("too many parts in a row", self.span())),
            false => Ok(()),
        }
    }

    fn formula(&mut self) -> Result<Tree, TextError> {
        self.deeper()?;
        let left = self.or()?;
        let whole = match self.take("->") {
            true => Tree::Or(Box::new(Tree::Not(Box::new(left))), Box::new(self.formula()?)),
            false => left,
        };
        self.depth -= 1;
        Ok(whole)
    }

    fn or(&mut self) -> Result<Tree, TextError> {
        let mut left = self.and()?;
        let mut parts = 1;
        while self.take("|") {
            self.one_more(&mut parts)?;
            left = Tree::Or(Box::new(left), Box::new(self.and()?));
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Tree, TextError> {
        let mut left = self.unary()?;
        let mut parts = 1;
        while self.take("&") {
            self.one_more(&mut parts)?;
            left = Tree::And(Box::new(left), Box::new(self.unary()?));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Tree, TextError> {
        self.deeper()?;
        let tree = match self.peek() {
            Some(Token::Sign("!")) => {
                self.at += 1;
                Tree::Not(Box::new(self.unary()?))
            }
            Some(Token::Diamond(agent, place)) => {
                let (who, place) = (self.who(agent, place.clone())?, place.clone());
                self.at += 1;
                Tree::Diamond(who, place, Box::new(self.unary()?))
            }
            Some(Token::Box(agent, place)) => {
                let (who, place) = (self.who(agent, place.clone())?, place.clone());
                self.at += 1;
                Tree::Box(who, place, Box::new(self.unary()?))
            }
            _ => self.primary()?,
        };
        self.depth -= 1;
        Ok(tree)
    }

    fn who(&self, agent: &str, place: Range<usize>) -> Result<Who, TextError> {
        let inside = agent.strip_prefix("B(").and_then(|rest| rest.strip_suffix(')'));
        match (agent, inside) {
            ("B*", _) => Ok(Who::Every),
            ("B?", _) => Ok(Who::Some),
            (_, Some(inside)) => {
                let shift = |e: TextError| e.shifted(place.start + 2);
                let tokens = lex(inside).map_err(shift)?;
                let book = self.book;
                let mut parser =
                    Parser { text: inside, tokens: &tokens, at: 0, depth: self.depth, book };
                let sum = parser.sum().map_err(shift)?;
                if parser.at < tokens.len() {
                    return Err(shift(parser.unexpected("`)`")));
                }
                Ok(Who::Place(sum))
            }
            _ => Ok(Who::One(agent.to_owned())),
        }
    }

    fn primary(&mut self) -> Result<Tree, TextError> {
        if self.take("(") {
            let inside = self.formula()?;
            self.need(")")?;
            return Ok(inside);
        }
        let span = self.span();
        let name = self.name("a formula")?;
        if !matches!(self.peek(), Some(Token::Sign("("))) {
            return Ok(Tree::Name(name, Vec::new(), span));
        }
        if !self.book.names(&name) {
            // A proposition of the game: what stands in its brackets is the game's own language.
            let mut open = 0;
            while let Some(token) = self.peek() {
                match token {
                    Token::Sign("(") => open += 1,
                    Token::Sign(")") => open -= 1,
                    _ => {}
                }
                self.at += 1;
                if open == 0 {
                    let whole = span.start..self.tokens[self.at - 1].span.end;
                    let written = self.text[whole.clone()].split_whitespace().collect();
                    return Ok(Tree::Written(written, whole));
                }
            }
            return Err(TextError::new(format!("`{name}(` is never closed by `)`"), span));
        }
        self.need("(")?;
        let mut arguments = Vec::new();
        loop {
            arguments.push(self.argument()?);
            if !self.take(",") {
                break;
            }
        }
        self.need(")")?;
        let whole = span.start..self.tokens[self.at - 1].span.end;
        Ok(Tree::Name(name, arguments, whole))
    }

    /// A number where that is possible, a formula otherwise.
    fn argument(&mut self) -> Result<Argument, TextError> {
        let (at, depth) = (self.at, self.depth);
        if let Ok(sum) = self.sum()
            && matches!(self.peek(), Some(Token::Sign("," | ")")))
        {
            return Ok(Argument::Sum(sum));
        }
        (self.at, self.depth) = (at, depth);
        Ok(Argument::Formula(self.formula()?))
    }
}
