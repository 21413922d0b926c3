//! Reading formulas: texts to the nodes of a [`Formula`].
//!
//! `parse.rs` has the grammar. Here names get their meaning, and classes are written out: the code
//! of each class is run once for the same parameters, on a stack of values.

use std::collections::HashMap;

use super::library::LIBRARY;
use super::node::{Formula, Id, Node, Proposition, Value};
use super::parse::{Book, Clause, Code, Op, Place, parse};
use crate::game::{Agent, Atom, Scale};
use crate::notation::{Notation, TextError};

/// A formula with more different parts than this is refused: its definition may not end.
const MOST_PARTS: usize = 100_000;
/// Calls inside calls beyond this number are refused, for the same reason.
const DEEPEST: usize = 500;
/// Reading ends after so many steps, for the same reason.
const MOST_STEPS: usize = 1_000_000;

/// How a game reads its propositions.
type ReadAtom<'g> = dyn Fn(&str) -> Option<Atom> + 'g;

/// What formulas about a game are made of.
pub struct Language<'g> {
    /// The agents, by name.
    pub agents: Vec<String>,
    /// How the game's propositions are written.
    pub forms: Vec<String>,
    scale: Scale,
    has_chance: bool,
    pub(super) read_atom: Box<ReadAtom<'g>>,
}

impl<'g> Language<'g> {
    /// The agents and propositions of a game.
    pub fn of<G: Notation>(game: &'g G) -> Language<'g> {
        let names = (0..game.agents()).map(|a| game.agent_name(Agent(a)).to_owned());
        Language {
            agents: names.collect(),
            forms: game.atoms().iter().map(|a| a.0.to_owned()).collect(),
            scale: game.scale(),
            has_chance: game.has_chance(),
            read_atom: Box::new(|text| game.read_atom(text)),
        }
    }
}

/// Whether a name of an agent, a move or a state can stand in a formula and in a certificate
/// without being taken for something else.
pub fn name_is_usable(name: &str) -> bool {
    let usable =
        |c: char| (c.is_ascii_graphic() && !",;:#=@!?<>[]()|&".contains(c)) || c.is_alphanumeric();
    !name.is_empty() && name.chars().all(usable) && !["stays", "1st", "2nd"].contains(&name)
}

/// The definitions and the formula of a text in one spelling, and where each begins. Joined by `; `
/// they are what is printed and what certificates hold. Reading that gives the same formula.
///
/// The library stands before every text: places are those of both together.
pub fn statements(text: &str) -> Result<Vec<(usize, String)>, TextError> {
    Ok(parse(None, &[LIBRARY, text].concat())?.statements)
}

/// Reads definitions and a formula behind them, for this agent as A. Places of errors are those
/// of the library and the text together, as in [`statements`].
pub fn read(language: &Language<'_>, text: &str, protagonist: Agent) -> Result<Formula, TextError> {
    let text = [LIBRARY, text].concat();
    if language.has_chance {
        let message = "formulas are not asked of games with chance";
        return Err(TextError::new(message, LIBRARY.len()..text.len()));
    }
    let book = parse(Some(language), &text)?;
    if book.formula.is_empty() {
        return Err(TextError::new("there is no formula here", text.len()..text.len()));
    }
    let source: Vec<&str> = book.statements.iter().map(|(_, spelled)| spelled.as_str()).collect();
    let root = Frame { class: "", code: &book.formula, at: 0, arguments: Vec::new() };
    let mut builder = Builder {
        language,
        book: &book,
        text: &text,
        formula: Formula::new(protagonist, language.agents.len() as u8, source.join("; ")),
        known: HashMap::new(),
        frames: vec![root],
        values: Vec::new(),
        steps: 0,
    };
    builder.agents_have_names()?;
    while !builder.frames.is_empty() {
        builder.step().map_err(|error| builder.outside_library(error))?;
    }
    Ok(builder.formula)
}

/// Code that is being run.
struct Frame<'b> {
    /// Whose code it is; nobody's if it is the formula itself.
    class: &'b str,
    code: &'b Code,
    at: usize,
    arguments: Vec<Value>,
}

/// Writes classes out.
struct Builder<'b, 'g> {
    language: &'b Language<'g>,
    book: &'b Book,
    /// The library and the text, for messages.
    text: &'b str,
    formula: Formula,
    /// What calls have led to.
    known: HashMap<(&'b str, Vec<Value>), Id>,
    frames: Vec<Frame<'b>>,
    /// Operands, with the places that they were read from.
    values: Vec<(Value, Place)>,
    steps: usize,
}

impl<'b> Builder<'b, '_> {
    /// What went wrong inside the library is shown where it was called.
    fn outside_library(&self, error: TextError) -> TextError {
        let calls = self.frames.iter().rev().map(|f| &f.code[f.at - 1].1);
        let mut places = std::iter::once(&error.span).chain(calls);
        let place = places.find(|place| place.start >= LIBRARY.len()).cloned();
        TextError::new(error.message, place.unwrap_or_default())
    }

    /// Runs one operation, or ends the code of a class.
    fn step(&mut self) -> Result<(), TextError> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let Some((op, place)) = frame.code.get(frame.at) else { return self.leave() };
        frame.at += 1;
        let value = match op {
            Op::Number(n) => Value::Number(*n),
            Op::Parameter(i) => frame.arguments[*i],
            Op::Call(name, count) => return self.call(name, *count, place),
            Op::Name(name) if name == "k" => Value::Number(i64::from(self.formula.agents) - 1),
            Op::Name(text) => Value::Formula(self.literal(text, place)?),
            Op::Not => Value::Formula(self.id()?.negated()),
            Op::Two(sign @ ("&" | "|" | "->")) => {
                let (b, a) = (self.id()?, self.id()?);
                Value::Formula(self.formula.add(match *sign {
                    "&" => Node::And(a, b),
                    "|" => Node::Or(a, b),
                    _ => Node::Or(a.negated(), b),
                }))
            }
            Op::Two(sign) => Value::Number(joined(sign, self.number()?, self.number()?)),
            Op::Modal(is_box, agent) => {
                let agent = match agent {
                    Some(name) => name.clone(),
                    None => format!("B{}", self.number()?),
                };
                let f = self.id()?;
                Value::Formula(self.modal(*is_box, &agent, f, place)?)
            }
        };
        self.values.push((value, place.clone()));
        self.count(1, place)
    }

    /// So many more steps.
    fn count(&mut self, steps: usize, place: &Place) -> Result<(), TextError> {
        self.steps += steps;
        let message = match self.formula.len() > 2 * MOST_PARTS {
            true => format!("the formula has more than {MOST_PARTS} different parts: does it end?"),
            false if self.steps <= MOST_STEPS => return Ok(()),
            false => format!("the formula takes more than {MOST_STEPS} steps: does it end?"),
        };
        Err(TextError::new(message, place.clone()))
    }

    /// The last operand, which is a formula.
    fn id(&mut self) -> Result<Id, TextError> {
        match self.values.pop() {
            Some((Value::Formula(id), _)) => Ok(id),
            other => Err(self.mistaken(other, "a number, not a formula")),
        }
    }

    /// The last operand, which is a number.
    fn number(&mut self) -> Result<i64, TextError> {
        match self.values.pop() {
            Some((Value::Number(n), _)) => Ok(n),
            other => Err(self.mistaken(other, "a formula, not a number")),
        }
    }

    fn mistaken(&self, operand: Option<(Value, Place)>, what: &str) -> TextError {
        let place = operand.map_or(0..0, |(_, place)| place);
        TextError::new(format!("`{}` is {what}", &self.text[place.clone()]), place)
    }

    /// Begins the code of a class with the last operands, or takes what it was the last time.
    fn call(&mut self, name: &'b str, count: usize, place: &Place) -> Result<(), TextError> {
        let operands = self.values.split_off(self.values.len() - count);
        let key = (name, operands.into_iter().map(|(value, _)| value).collect::<Vec<_>>());
        self.count(1, place)?;
        if let Some(&id) = self.known.get(&key) {
            self.values.push((Value::Formula(id), place.clone()));
            return Ok(());
        }
        let (fail, arguments) = (|message| Err(TextError::new(message, place.clone())), key.1);
        if self.frames.len() > DEEPEST {
            return fail(format!("`{name}` goes more than {DEEPEST} calls deep: does it end?"));
        }
        let clauses = &self.book.classes[name];
        for clause in clauses {
            self.count(1 + clause.when.len(), place)?;
            if self.fits(clause, &arguments) {
                self.frames.push(Frame { class: name, code: &clause.body, at: 0, arguments });
                return Ok(());
            }
        }
        let shown = arguments.iter().map(|value| match value {
            Value::Number(n) => n.to_string(),
            Value::Formula(_) => "…".to_owned(),
        });
        let shown = format!("{name}({})", shown.collect::<Vec<_>>().join(","));
        let shown = shown.trim_end_matches("()");
        let form = clauses.last().map_or("", |clause| &clause.head);
        fail(format!("no clause of `{name}` fits `{shown}`; it is written {form}"))
    }

    /// Ends some code: what it left is its value.
    fn leave(&mut self) -> Result<(), TextError> {
        let id = self.id()?;
        let Some(Frame { class, arguments, .. }) = self.frames.pop() else { return Ok(()) };
        match self.frames.last() {
            None => self.formula.root = id,
            Some(caller) => {
                // Whoever called it takes the value for a part of its own.
                self.values.push((Value::Formula(id), caller.code[caller.at - 1].1.clone()));
                self.formula.classes.entry(id).or_insert((class.to_owned(), arguments.clone()));
                self.known.insert((class, arguments), id);
            }
        }
        Ok(())
    }

    /// Whether a class with these arguments is what this clause says.
    fn fits(&self, clause: &Clause, arguments: &[Value]) -> bool {
        let fits = |(pattern, value): (&Option<i64>, &Value)| match value {
            // A parameter that counts down never goes below zero: that would be endless.
            Value::Number(m) => pattern.map_or(*m >= 0, |n| n == *m),
            Value::Formula(_) => pattern.is_none(),
        };
        clause.patterns.len() == arguments.len()
            && clause.patterns.iter().zip(arguments).all(fits)
            && (clause.when.is_empty() || self.sum(&clause.when, arguments) == Some(1))
    }

    /// What code comes to that is made of numbers, if all parameters in it are numbers.
    fn sum(&self, code: &Code, arguments: &[Value]) -> Option<i64> {
        let mut stack = Vec::new();
        for (op, _) in code {
            let n = match op {
                Op::Number(n) => *n,
                Op::Parameter(i) => match arguments[*i] {
                    Value::Number(n) => n,
                    Value::Formula(_) => return None,
                },
                Op::Two(sign) => joined(sign, stack.pop()?, stack.pop()?),
                Op::Name(name) if name == "k" => i64::from(self.formula.agents) - 1,
                _ => return None,
            };
            stack.push(n);
        }
        stack.pop()
    }

    /// Formulas and certificates name every agent by its name, which must not mean another one.
    fn agents_have_names(&self) -> Result<(), TextError> {
        for (i, name) in self.language.agents.iter().enumerate() {
            if !name_is_usable(name) || name == "B*" || self.agent(name) != Some(Agent(i as u8)) {
                let name = name.escape_debug();
                let message = format!("a formula can't tell which agent of the game `{name}` is");
                return Err(TextError::new(message, 0..0));
            }
        }
        Ok(())
    }

    /// The agent that a formula calls so: A, B, B1, B2 and so on, or by its name.
    fn agent(&self, name: &str) -> Option<Agent> {
        let f = &self.formula;
        let opponent = |i: u8| (1..f.agents).contains(&i).then(|| f.opponent(i));
        let agents = &self.language.agents;
        match name.strip_prefix('B') {
            _ if name == "A" => Some(f.protagonist),
            Some("") => opponent(1),
            Some(i) if i.bytes().all(|b| b.is_ascii_digit()) => i.parse().ok().and_then(opponent),
            _ => agents.iter().position(|a| a.eq_ignore_ascii_case(name)).map(|i| Agent(i as u8)),
        }
    }

    /// □ or ◇ of an agent, or of every opponent, or of some.
    fn modal(&mut self, is_box: bool, name: &str, f: Id, place: &Place) -> Result<Id, TextError> {
        let modal = |agent| if is_box { Node::Box(agent, f) } else { Node::Diamond(agent, f) };
        if let "B*" | "B?" = name {
            let every = name == "B*";
            let mut whole = if every { Id::TRUE } else { Id::FALSE };
            for i in 1..self.formula.agents {
                let one = self.formula.add(modal(self.formula.opponent(i)));
                let both = if every { Node::And(whole, one) } else { Node::Or(whole, one) };
                whole = self.formula.add(both);
            }
            return Ok(whole);
        }
        if let Some(agent) = self.agent(name) {
            return Ok(self.formula.add(modal(agent)));
        }
        let message = match name.strip_prefix('B').is_some_and(|i| i.parse::<i64>().is_ok()) {
            true => format!("there is no opponent {name}, only {}", self.formula.agents - 1),
            false => format!("`{name}` is not an agent of this game"),
        };
        Err(TextError::new(message, place.clone()))
    }

    fn literal(&mut self, text: &str, place: &Place) -> Result<Id, TextError> {
        let a = self.formula.protagonist;
        let (name, inside) = text.split_once('(').unwrap_or((text, ""));
        let found = match (name, inside.strip_suffix(')')) {
            ("true", None) => return Ok(Id::TRUE),
            ("false", None) => return Ok(Id::FALSE),
            ("w", None) => Some(Proposition::Won(a)),
            ("l", None) => Some(Proposition::Lost(a)),
            ("draw", None) => Some(Proposition::Draw),
            ("over", None) => Some(Proposition::Over),
            ("turn", Some(agent)) => self.agent(agent).map(Proposition::Turn),
            ("won", Some(agent)) => self.agent(agent).map(Proposition::Won),
            ("atleast", Some(name)) => self.language.scale.find(name).map(Proposition::AtLeast),
            _ => (self.language.read_atom)(text).map(Proposition::Game),
        };
        if let Some(found) = found {
            self.formula.written.entry(found).or_insert_with(|| text.to_owned());
            return Ok(self.formula.add(Node::Literal(found, true)));
        }
        let message = format!("there is no proposition or class called `{text}`");
        Err(TextError::new(message, place.clone()))
    }
}

/// What a sign makes of two numbers, the last one first; 1 for a comparison that holds.
fn joined(sign: &str, b: i64, a: i64) -> i64 {
    match sign {
        "+" => a.saturating_add(b),
        "-" => a.saturating_sub(b),
        "*" => a.saturating_mul(b),
        "<" => i64::from(a < b),
        ">" => i64::from(a > b),
        _ => i64::from(a == b),
    }
}
