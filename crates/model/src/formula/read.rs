//! Reading formulas: texts to the nodes of a [`Formula`].
//!
//! `parse.rs` has the grammar. Here names get their meaning, classes are written out, and negations
//! are pushed down to the literals.

use std::collections::HashMap;
use std::ops::Range;

use super::parse::{Argument, Book, Clause, Pattern, Sum, Tree, Who, library};
use super::{Formula, Id, Node, Proposition, concepts};
use crate::game::{Agent, Atom, Scale};
use crate::notation::{Notation, TextError};

/// A formula with more different parts than this is refused: its definition does not end.
const MOST_PARTS: usize = 1 << 20;
/// Calls inside calls beyond this number are refused, for the same reason.
const DEEPEST: u32 = 500;

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
