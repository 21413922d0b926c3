//! Formulas as texts for people.

use std::collections::BTreeSet;

use foregone_proof::Agent;
use foregone_proof::formula::{Formula, Id, Node, Value};

/// Formulas inside formulas beyond this number are not written out.
const DEEPEST: u32 = 300;
/// A parameter of a class is written by at most about so many characters.
const ARGUMENT: usize = 40;

/// What people want to see of a formula.
pub trait Text {
    /// The formula on one line, with the classes that it uses by their names below the first
    /// level; `expand` writes those out, too, as long as there is room for so many characters.
    fn text(&self, id: Id, expand: bool, room: usize) -> String;

    /// The class that a subformula is a member of, where it has a name: `omega(2)`.
    fn name_of(&self, id: Id) -> Option<String>;

    /// All subformulas that are members of classes, with their names, the whole first.
    fn classes(&self) -> Vec<(Id, String)>;

    /// The letter of an agent in this formula: A, B, or B1, B2 and so on.
    fn letter(&self, agent: Agent) -> String;

    /// Whether only one's own or helping moves come up below: then a proof is a line of play.
    fn is_path(&self, id: Id) -> bool;
}

impl Text for Formula {
    fn text(&self, id: Id, expand: bool, room: usize) -> String {
        let mut writer = Writer { formula: self, expand, room, depth: 0, out: String::new() };
        writer.write(id, 0, true);
        writer.out
    }

    fn name_of(&self, id: Id) -> Option<String> {
        let room = usize::MAX;
        let mut writer =
            Writer { formula: self, expand: false, room, depth: 0, out: String::new() };
        writer.name(id).then_some(writer.out)
    }

    fn classes(&self) -> Vec<(Id, String)> {
        let below = reachable(self, self.root);
        below.into_iter().rev().filter_map(|id| Some((id, self.name_of(id)?))).collect()
    }

    fn letter(&self, agent: Agent) -> String {
        let place = (agent.0 + self.agents - self.protagonist.0) % self.agents;
        match (place, self.agents) {
            (0, _) => "A".to_owned(),
            (_, 2) => "B".to_owned(),
            (i, _) => format!("B{i}"),
        }
    }

    fn is_path(&self, id: Id) -> bool {
        reachable(self, id).into_iter().all(|id| match self.node(id) {
            Node::And(a, b) => self.is_literal(a) || self.is_literal(b),
            Node::Box(..) => false,
            _ => true,
        })
    }
}

/// A subformula and all its parts.
fn reachable(formula: &Formula, id: Id) -> BTreeSet<Id> {
    let (mut found, mut open) = (BTreeSet::from([id]), vec![id]);
    while let Some(id) = open.pop() {
        let parts = match formula.node(id) {
            Node::And(a, b) | Node::Or(a, b) => vec![a, b],
            Node::Box(_, f) | Node::Diamond(_, f) => vec![f],
            Node::Constant(_) | Node::Stuck(..) | Node::Literal(..) => Vec::new(),
        };
        open.extend(parts.into_iter().filter(|&part| found.insert(part)));
    }
    found
}

struct Writer<'f> {
    formula: &'f Formula,
    expand: bool,
    room: usize,
    depth: u32,
    out: String,
}

impl Writer<'_> {
    /// Writes the name of a class, if the subformula has one.
    fn name(&mut self, id: Id) -> bool {
        let (class, not) = match self.formula.classes.get(&id) {
            Some(class) => (class, ""),
            None if self.formula.is_literal(id) => return false,
            None => match self.formula.classes.get(&id.negated()) {
                Some(class) => (class, "!"),
                None => return false,
            },
        };
        self.out.extend([not, class.0.as_str()]);
        let room = self.room;
        for (i, argument) in class.1.iter().enumerate() {
            self.out.push(if i == 0 { '(' } else { ',' });
            match *argument {
                Value::Number(n) => self.out.push_str(&n.to_string()),
                Value::Formula(id) => {
                    self.room = room.min(self.out.len() + ARGUMENT);
                    self.write(id, 0, true);
                    self.room = room;
                }
            }
        }
        if !class.1.is_empty() {
            self.out.push(')');
        }
        true
    }

    fn write(&mut self, id: Id, level: u8, top: bool) {
        if self.out.len() > self.room || self.depth > DEEPEST {
            if !self.out.ends_with('…') {
                self.out.push('…');
            }
            return;
        }
        self.depth += 1;
        if top || self.expand || !self.name(id) {
            self.write_out(id, level);
        }
        self.depth -= 1;
    }

    fn write_out(&mut self, id: Id, level: u8) {
        match self.formula.node(id) {
            Node::Constant(value) | Node::Stuck(_, value) => self.out.push_str(&value.to_string()),
            Node::Literal(p, holds) => {
                let written = self.formula.written.get(&p).map_or("?", String::as_str);
                self.out.extend([if holds { "" } else { "!" }, written]);
            }
            Node::And(a, b) => self.two(2, level, " & ", a, b),
            Node::Or(a, b) => self.two(1, level, " | ", a, b),
            Node::Box(agent, f) => {
                self.out.push_str(&format!("[{}]", self.formula.letter(agent)));
                self.write(f, 3, false);
            }
            Node::Diamond(agent, f) => {
                self.out.push_str(&format!("<{}>", self.formula.letter(agent)));
                self.write(f, 3, false);
            }
        }
    }

    fn two(&mut self, own: u8, level: u8, sign: &str, a: Id, b: Id) {
        let (open, close) = if own < level { ("(", ")") } else { ("", "") };
        self.out.push_str(open);
        self.write(a, own, false);
        // What is cut off needs no end.
        if self.out.len() <= self.room {
            self.out.push_str(sign);
            self.write(b, own, false);
            self.out.push_str(close);
        }
    }
}
