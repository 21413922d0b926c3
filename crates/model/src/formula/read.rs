//! Reading formulas and definitions of classes of formulas.
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

use super::{Formula, Id, Node, Proposition, concepts};
use crate::game::{Agent, Atom, Scale};
use crate::notation::{Notation, TextError};

/// A formula with more different parts than this is refused: its definition does not end.
const MOST_PARTS: usize = 1 << 20;
/// Calls inside calls beyond this number are refused, for the same reason.
const DEEPEST: u32 = 500;
/// A row of more parts than this between `&` or `|` is refused.
const LONGEST_ROW: u32 = 500;
/// Brackets inside brackets beyond this number are refused.
const DEEPEST_BRACKETS: u32 = 200;

/// Which of the texts an error is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The definitions.
    Definitions,
    /// The formula.
    Formula,
    /// The library of concepts, which is right: an error here is about how it was called.
    Library,
}

/// A formula or a definition that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// Which text.
    pub part: Part,
    /// What is wrong, and where.
    pub error: TextError,
}

/// How a game reads its propositions.
type ReadAtom<'g> = dyn Fn(&str) -> Option<Atom> + 'g;

/// What formulas about a game are made of.
pub struct Language<'g> {
    agents: Vec<String>,
    scale: Scale,
    forms: Vec<String>,
    read_atom: Box<ReadAtom<'g>>,
}

impl<'g> Language<'g> {
    /// The agents and propositions of a game.
    pub fn of<G: Notation>(game: &'g G) -> Language<'g> {
        let names = (0..game.agents()).map(|a| game.agent_name(Agent(a)).to_owned());
        Language {
            agents: names.collect(),
            scale: game.scale(),
            forms: game.atoms().iter().map(|a| a.0.to_owned()).collect(),
            read_atom: Box::new(|text| game.read_atom(text)),
        }
    }
}

/// What was asked of a position, in words.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'t> {
    /// The formula, or a chess stipulation.
    pub text: &'t str,
    /// Definitions of the asker's own.
    pub definitions: &'t str,
    /// Who is A, if that was said.
    pub protagonist: Option<Agent>,
    /// Whose turn it is.
    pub turn: Agent,
}

impl Reading<'_> {
    /// Reads the formula. A is the side to move, unless the formula begins with a class in which
    /// B is.
    pub fn read(&self, language: &Language<'_>) -> Result<Formula, ReadError> {
        // Step 1: the definitions. One's own hide those of the library.
        let mut book = Book { below: Some(library()), ..Book::default() };
        book.names_in(self.definitions);
        book.names_in(self.text);
        book.add(Part::Definitions, self.definitions, false)?;
        // Step 2: the formula.
        let stipulation = stipulation(self.text);
        let text = stipulation.as_deref().unwrap_or(self.text);
        let body = match book.add(Part::Formula, text, true)? {
            Some(body) => body,
            None => {
                let error = TextError::new("there is no formula here", 0..self.text.len());
                return Err(ReadError { part: Part::Formula, error });
            }
        };
        // Step 3: who is who.
        let agents = language.agents.len() as u8;
        let others_turn = book.begins_with_b(&body);
        let protagonist = self.protagonist.unwrap_or(match others_turn {
            // With more than two agents B is B1, who moves before all other opponents.
            true => Agent((self.turn.0 + agents - 1) % agents),
            false => self.turn,
        });
        // Step 4: all classes written out.
        let mut builder = Builder {
            language,
            book: &book,
            formula: Formula::new(protagonist, agents),
            known: HashMap::new(),
            depth: 0,
        };
        let env = Env { part: Part::Formula, values: Vec::new() };
        builder.formula.root = builder.build(&body, &env, true)?;
        Ok(builder.formula)
    }
}

/// Definitions and a formula as one line: the form in which a certificate holds them.
pub fn one_line(definitions: &str, text: &str) -> String {
    let plain = |text: &str| {
        let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
        let joined = lines.collect::<Vec<_>>().join(" ");
        joined.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let definitions = plain(definitions);
    match definitions.trim_end_matches([';', ' ']) {
        "" => plain(text),
        some => format!("{some}; {}", plain(text)),
    }
}

/// The formula that a chess problemist's stipulation means: `#3`, `h#2`, `h#2.5`, `s#2`.
fn stipulation(text: &str) -> Option<String> {
    let text = text.trim();
    let (kind, number) = text.split_once('#')?;
    let (whole, half) = match number.strip_suffix(".5") {
        Some(whole) => (whole, true),
        None => (number, false),
    };
    let n: u32 = whole.parse().ok()?;
    match (kind, half) {
        ("", false) => Some(format!("omega({n})")),
        ("h", false) => Some(format!("helpmate({n})")),
        ("h", true) => Some(format!("<A>helpmate({n})")),
        ("s", false) => Some(format!("selfmate({n})")),
        _ => None,
    }
}

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
enum Sum {
    Number(i64),
    Name(String, Range<usize>),
    Two(char, Box<Sum>, Box<Sum>),
}

#[derive(Clone, Debug)]
enum Argument {
    Sum(Sum),
    Formula(Tree),
}

#[derive(Clone, Debug)]
enum Who {
    One(String),
    /// B with a number.
    Place(Sum),
    Every,
    Some,
}

#[derive(Clone, Debug)]
enum Tree {
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
enum Pattern {
    Number(i64),
    Name(String),
}

#[derive(Clone, Debug)]
struct Clause {
    part: Part,
    patterns: Vec<Pattern>,
    when: Option<(Sum, &'static str, Sum)>,
    body: Tree,
}

/// The library, read once.
fn library() -> &'static Book {
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
struct Book {
    /// Definitions that those here hide.
    below: Option<&'static Book>,
    /// What is defined anywhere, so that `name(…)` is known to be a class before it is read.
    names: HashSet<String>,
    clauses: HashMap<String, Vec<Clause>>,
    from_b: HashSet<String>,
}

impl Book {
    fn names(&self, name: &str) -> bool {
        self.names.contains(name) || self.below.is_some_and(|b| b.names.contains(name))
    }

    fn clauses(&self, name: &str) -> Option<&[Clause]> {
        let own = self.clauses.get(name).map(Vec::as_slice);
        own.or_else(|| self.below.and_then(|b| b.clauses(name)))
    }

    fn is_from_b(&self, name: &str) -> bool {
        match self.clauses.contains_key(name) {
            true => self.from_b.contains(name),
            false => self.below.is_some_and(|b| b.is_from_b(name)),
        }
    }

    /// The names of all classes, in order.
    fn classes(&self) -> Vec<String> {
        let below = self.below.into_iter().flat_map(|b| b.clauses.keys());
        let mut all: Vec<String> = self.clauses.keys().chain(below).cloned().collect();
        all.sort();
        all.dedup();
        all
    }

    fn names_in(&mut self, text: &str) {
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
    fn add(&mut self, part: Part, text: &str, formula: bool) -> Result<Option<Tree>, ReadError> {
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
    fn begins_with_b(&self, tree: &Tree) -> bool {
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

/// What a parameter stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Value {
    Number(i64),
    /// A formula, and its negation.
    Formula(Id, Id),
}

/// The parameters of the clause at hand, and which text it stands in.
struct Env {
    part: Part,
    values: Vec<(String, Value)>,
}

impl Env {
    fn get(&self, name: &str) -> Option<Value> {
        self.values.iter().rev().find(|(n, _)| n == name).map(|(_, v)| *v)
    }
}

/// A class with its arguments, and whether it or its negation is meant.
type Call = (String, Vec<Value>, bool);

/// Writes classes out, the negations at the literals.
struct Builder<'b, 'g> {
    language: &'b Language<'g>,
    book: &'b Book,
    formula: Formula,
    known: HashMap<Call, Id>,
    depth: u32,
}

impl Builder<'_, '_> {
    fn build(&mut self, tree: &Tree, env: &Env, positive: bool) -> Result<Id, ReadError> {
        let fail = |error| ReadError { part: env.part, error };
        if self.formula.len() > MOST_PARTS {
            let error = TextError::new("the formula is too large: does it end?", 0..0);
            return Err(fail(error));
        }
        Ok(match tree {
            Tree::Not(f) => self.build(f, env, !positive)?,
            Tree::And(a, b) | Tree::Or(a, b) => {
                let parts = (self.build(a, env, positive)?, self.build(b, env, positive)?);
                self.two(matches!(tree, Tree::And(..)) == positive, parts.0, parts.1)
            }
            Tree::Box(who, place, f) | Tree::Diamond(who, place, f) => {
                let is_box = matches!(tree, Tree::Box(..)) == positive;
                let inside = self.build(f, env, positive)?;
                // Every opponent, or some: the negation of one is the other.
                let all = match who {
                    Who::Every => positive,
                    Who::Some => !positive,
                    _ => {
                        let agent = self.agent(who, place, env).map_err(fail)?;
                        return Ok(self.modal(is_box, agent, inside));
                    }
                };
                let mut whole = if all { Id::TRUE } else { Id::FALSE };
                for i in 1..self.formula.agents {
                    let agent = self.formula.opponent(i);
                    let one = self.modal(is_box, agent, inside);
                    whole = self.two(all, whole, one);
                }
                whole
            }
            Tree::Written(text, place) => self.literal(text, place, env.part, positive)?,
            Tree::Name(name, arguments, place) => {
                if arguments.is_empty() {
                    match env.get(name) {
                        Some(Value::Formula(yes, no)) => {
                            return Ok(if positive { yes } else { no });
                        }
                        Some(Value::Number(_)) => {
                            let message = format!("`{name}` is a number, not a formula");
                            return Err(fail(TextError::new(message, place.clone())));
                        }
                        None => {}
                    }
                    if self.book.clauses(name).is_none() {
                        return self.literal(name, place, env.part, positive);
                    }
                }
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    values.push(self.value(argument, env)?);
                }
                self.call(name, values, place, env.part, positive)?
            }
        })
    }

    fn two(&mut self, and: bool, a: Id, b: Id) -> Id {
        self.formula.add(if and { Node::And(a, b) } else { Node::Or(a, b) })
    }

    fn modal(&mut self, is_box: bool, agent: Agent, inside: Id) -> Id {
        let node = if is_box { Node::Box(agent, inside) } else { Node::Diamond(agent, inside) };
        self.formula.add(node)
    }

    fn value(&mut self, argument: &Argument, env: &Env) -> Result<Value, ReadError> {
        let fail = |error| ReadError { part: env.part, error };
        match argument {
            Argument::Sum(Sum::Name(name, place))
                if !matches!(env.get(name), Some(Value::Number(_))) && name != "k" =>
            {
                let tree = Tree::Name(name.clone(), Vec::new(), place.clone());
                Ok(Value::Formula(self.build(&tree, env, true)?, self.build(&tree, env, false)?))
            }
            Argument::Sum(sum) => Ok(Value::Number(self.number(sum, env).map_err(fail)?)),
            Argument::Formula(tree) => {
                Ok(Value::Formula(self.build(tree, env, true)?, self.build(tree, env, false)?))
            }
        }
    }

    fn number(&self, sum: &Sum, env: &Env) -> Result<i64, TextError> {
        match sum {
            Sum::Number(n) => Ok(*n),
            Sum::Name(name, place) => match env.get(name) {
                Some(Value::Number(n)) => Ok(n),
                None if name == "k" => Ok(i64::from(self.formula.agents) - 1),
                Some(_) => {
                    let message = format!("`{name}` is a formula, not a number");
                    Err(TextError::new(message, place.clone()))
                }
                None => {
                    let message = format!("there is no parameter called `{name}`");
                    let names = env.values.iter().map(|(n, _)| n.clone()).collect();
                    Err(TextError::new(message, place.clone()).with_choices(names))
                }
            },
            Sum::Two(sign, a, b) => {
                let (a, b) = (self.number(a, env)?, self.number(b, env)?);
                Ok(match sign {
                    '+' => a.saturating_add(b),
                    '-' => a.saturating_sub(b),
                    _ => a.saturating_mul(b),
                })
            }
        }
    }

    fn agent(&self, who: &Who, place: &Range<usize>, env: &Env) -> Result<Agent, TextError> {
        let opponents = self.formula.agents - 1;
        let numbered = |i: i64| match u8::try_from(i) {
            Ok(i) if (1..=opponents).contains(&i) => Ok(self.formula.opponent(i)),
            _ => {
                let message = format!("there is no opponent B{i}: there are {opponents}");
                Err(TextError::new(message, place.clone()))
            }
        };
        let name = match who {
            Who::Place(sum) => return numbered(self.number(sum, env)?),
            Who::One(name) => name,
            Who::Every | Who::Some => return Ok(self.formula.opponent(1)),
        };
        if name == "A" {
            return Ok(self.formula.protagonist);
        }
        if let Some(i) = name.strip_prefix('B')
            && (i.is_empty() || i.bytes().all(|b| b.is_ascii_digit()))
        {
            return numbered(if i.is_empty() { 1 } else { i.parse().unwrap_or(i64::MAX) });
        }
        let agents = &self.language.agents;
        match agents.iter().position(|a| a.eq_ignore_ascii_case(name)) {
            Some(i) => Ok(Agent(i as u8)),
            None => {
                let mut choices = agents.clone();
                choices.extend(["A".to_owned(), "B".to_owned()]);
                let message = format!("`{name}` is no agent of this game");
                Err(TextError::new(message, place.clone()).with_choices(choices))
            }
        }
    }

    fn call(
        &mut self,
        name: &str,
        values: Vec<Value>,
        place: &Range<usize>,
        part: Part,
        positive: bool,
    ) -> Result<Id, ReadError> {
        let fail =
            |message: String| ReadError { part, error: TextError::new(message, place.clone()) };
        let key = (name.to_owned(), values, positive);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(fail(format!(
                "`{name}` goes more than {DEEPEST} calls deep: does it end?"
            )));
        }
        let shown: Vec<String> = key.1.iter().map(|v| self.shown(*v)).collect();
        let shown = match shown.is_empty() {
            true => name.to_owned(),
            false => format!("{name}({})", shown.join(",")),
        };
        let book = self.book;
        for clause in book.clauses(name).unwrap_or_default() {
            let Some(env) = self.fits(clause, &key.1)? else { continue };
            let id = self.build(&clause.body, &env, positive).map_err(|mut e| {
                // What went wrong inside the library is shown at the call.
                if e.part == Part::Library {
                    e = fail(e.error.message.clone());
                }
                e
            })?;
            if positive {
                self.formula.names.entry(id).or_insert(shown);
            } else if !self.formula.is_literal(id) {
                self.formula.names.entry(id).or_insert(format!("!{shown}"));
            }
            self.depth -= 1;
            self.known.insert(key, id);
            return Ok(id);
        }
        let forms = concepts::CONCEPTS.iter().find(|c| c.form.split('(').next() == Some(name));
        let hint = forms.map_or(String::new(), |c| format!("; it is written {}", c.form));
        Err(fail(format!("no clause of `{name}` fits `{shown}`{hint}")))
    }

    fn shown(&self, value: Value) -> String {
        match value {
            Value::Number(n) => n.to_string(),
            Value::Formula(id, _) => self.formula.text(id, false, 40),
        }
    }

    fn fits(&self, clause: &Clause, values: &[Value]) -> Result<Option<Env>, ReadError> {
        if clause.patterns.len() != values.len() {
            return Ok(None);
        }
        let mut env = Env { part: clause.part, values: Vec::new() };
        for (pattern, &value) in clause.patterns.iter().zip(values) {
            match (pattern, value) {
                (Pattern::Number(n), Value::Number(m)) if *n == m => {}
                (Pattern::Number(_), _) => return Ok(None),
                // A parameter that counts down never goes below zero: that would be endless.
                (Pattern::Name(_), Value::Number(m)) if m < 0 => return Ok(None),
                (Pattern::Name(name), value) => env.values.push((name.clone(), value)),
            }
        }
        if let Some((left, sign, right)) = &clause.when {
            let number = |sum| {
                self.number(sum, &env).map_err(|error| ReadError { part: clause.part, error })
            };
            let (left, right) = (number(left)?, number(right)?);
            let holds = match *sign {
                "<" => left < right,
                ">" => left > right,
                _ => left == right,
            };
            if !holds {
                return Ok(None);
            }
        }
        Ok(Some(env))
    }

    fn literal(
        &mut self,
        text: &str,
        place: &Range<usize>,
        part: Part,
        positive: bool,
    ) -> Result<Id, ReadError> {
        let a = self.formula.protagonist;
        let inside = |word: &str| {
            text.strip_prefix(word)
                .and_then(|t| t.strip_prefix('('))
                .and_then(|t| t.strip_suffix(')'))
        };
        let agents = &self.language.agents;
        let agent = |name: &str| match name {
            "A" => Some(a),
            "B" => Some(self.formula.opponent(1)),
            _ => agents.iter().position(|n| n.eq_ignore_ascii_case(name)).map(|i| Agent(i as u8)),
        };
        let own = match text {
            "true" => return Ok(if positive { Id::TRUE } else { Id::FALSE }),
            "false" => return Ok(if positive { Id::FALSE } else { Id::TRUE }),
            "w" => Some(Proposition::Won(a)),
            "l" => Some(Proposition::Lost(a)),
            "draw" => Some(Proposition::Draw),
            "over" => Some(Proposition::Over),
            _ => None,
        };
        let found = own
            .or_else(|| (self.language.read_atom)(text).map(Proposition::Game))
            .or_else(|| inside("turn").and_then(agent).map(Proposition::Turn))
            .or_else(|| inside("won").and_then(agent).map(Proposition::Won))
            .or_else(|| {
                let name = inside("atleast")?;
                self.language.scale.find(name).map(Proposition::AtLeast)
            });
        let Some(found) = found else {
            let name = text.split('(').next().unwrap_or(text);
            let mut choices: Vec<String> = ["w", "l", "draw", "over", "true", "false"]
                .into_iter()
                .chain(["turn(AGENT)", "won(AGENT)", "atleast(OUTCOME)"])
                .map(str::to_owned)
                .collect();
            choices.extend(self.language.forms.iter().cloned());
            choices.extend(self.book.classes());
            let message = match choices.iter().find(|c| c.split('(').next() == Some(name)) {
                Some(form) if form.contains('(') => format!("`{text}` is not of the form {form}"),
                _ => format!("there is no proposition or class called `{name}`"),
            };
            let error = TextError::new(message, place.start..place.start + name.len());
            return Err(ReadError { part, error: error.with_choices(choices) });
        };
        self.formula.texts.entry(found).or_insert_with(|| text.to_owned());
        Ok(self.formula.add(Node::Literal(found, positive)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_has_no_mistakes() {
        let text = concepts::library();
        let mut book = Book::default();
        book.names_in(&text);
        assert_eq!(book.add(Part::Library, &text, false).map(|_| ()), Ok(()));
        for concept in concepts::CONCEPTS {
            let name = concept.form.split('(').next().unwrap_or_default();
            assert!(library().clauses(name).is_some(), "{name}");
        }
        assert!(library().is_from_b("helpmate") && !library().is_from_b("omega"));
    }

    #[test]
    fn stipulations_are_formulas() {
        let read = |text| stipulation(text);
        assert_eq!(read("#3").as_deref(), Some("omega(3)"));
        assert_eq!(read(" h#2 ").as_deref(), Some("helpmate(2)"));
        assert_eq!(read("h#2.5").as_deref(), Some("<A>helpmate(2)"));
        assert_eq!(read("s#2").as_deref(), Some("selfmate(2)"));
        for text in ["#", "#-1", "r#2", "#2.5", "s#1.5", "h#x", "omega(2)"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn definitions_become_one_line() {
        let text = "// mine\ndef f(0) = w // at once\n\ndef f(n) =\n  <A> f(n-1);\n";
        assert_eq!(one_line(text, " f(2)"), "def f(0) = w def f(n) = <A> f(n-1); f(2)");
        assert_eq!(one_line("", "w  &\nw"), "w & w");
    }
}
