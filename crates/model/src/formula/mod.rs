//! Formulas: Multi-agent Modal Logic K over the states of a game.
//!
//! After A. Saffidine and T. Cazenave, *A General Multi-Agent Modal Logic K Framework for Game
//! Tree Search*, and chapter 4 of *Solving Games and All That* (Definitions 21 to 25). An atom is
//! a proposition about a state; `<A> f` (◇) says that agent A has a move to a state where `f`
//! holds, `[A] f` (□) that all its moves lead to such states.
//!
//! Ours: negations are pushed down to the atoms when a formula is read, so that a formula is made
//! of literals, ∧, ∨, □ and ◇ only, and equal subformulas are one. Then `n` of `omega(n)` costs
//! a few nodes for each step, however often they come up.

mod check;
mod concepts;
mod parse;
mod read;

use std::collections::HashMap;

pub use check::{Check, Point, Queries, STEP_BY_STEP, Step};
pub use concepts::{CONCEPTS, Concept, library};
pub use read::{Language, Part, ReadError, Reading, one_line};

use crate::game::{Agent, Atom, Outcome, Reach};

/// A subformula, as its place in the [`Formula`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(pub u32);

impl Id {
    /// The formula that never holds.
    pub const FALSE: Id = Id(0);
    /// The formula that always holds.
    pub const TRUE: Id = Id(1);

    /// What is left of □ (which then holds) or ◇ (which does not) for an agent without moves.
    pub(crate) fn stuck(agent: Agent, holds: bool) -> Id {
        Id(2 + 2 * u32::from(agent.0) + u32::from(holds))
    }
}

/// What can be asked about a state without moving.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Proposition {
    /// `w`: the state is final and won by this agent, which is A.
    Won(Agent),
    /// `l`: the state is final and not won by this agent, which is A.
    Lost(Agent),
    /// The state is final and nobody has won.
    Draw,
    /// The state is final.
    Over,
    /// It is this agent's turn.
    Turn(Agent),
    /// The state is final with at least this outcome for the first player.
    AtLeast(Outcome),
    /// One of the game's own.
    Game(Atom),
}

/// The shape of a subformula. Its parts come before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// Never, or always.
    Constant(bool),
    /// Never, or always, since this agent has no move.
    Stuck(Agent, bool),
    /// A proposition, or its negation.
    Literal(Proposition, bool),
    /// Both hold.
    And(Id, Id),
    /// At least one holds.
    Or(Id, Id),
    /// All moves of the agent lead to states where it holds.
    Box(Agent, Id),
    /// The agent has a move to a state where it holds.
    Diamond(Agent, Id),
}

/// A formula that was read, for a game and for one of its agents as A.
#[derive(Clone, Debug)]
pub struct Formula {
    nodes: Vec<Node>,
    /// For each node what must be reached for it to hold, where that is known: A has won, after at
    /// most so many moves of its own and of others.
    ends: Vec<Option<(u32, u32)>>,
    /// For each node whether it is a path.
    paths: Vec<bool>,
    numbers: HashMap<Node, Id>,
    /// For each node the name of the class of formulas that it is, if it has one: `omega(2)`.
    names: HashMap<Id, String>,
    /// The texts of the literals.
    texts: HashMap<Proposition, String>,
    /// The whole formula.
    pub root: Id,
    /// Who is A.
    pub protagonist: Agent,
    /// How many agents there are.
    pub agents: u8,
}

impl Formula {
    fn new(protagonist: Agent, agents: u8) -> Formula {
        let mut formula = Formula {
            nodes: Vec::new(),
            ends: Vec::new(),
            paths: Vec::new(),
            numbers: HashMap::new(),
            names: HashMap::new(),
            texts: HashMap::new(),
            root: Id::FALSE,
            protagonist,
            agents,
        };
        formula.add(Node::Constant(false));
        formula.add(Node::Constant(true));
        for agent in 0..agents {
            formula.add(Node::Stuck(Agent(agent), false));
            formula.add(Node::Stuck(Agent(agent), true));
        }
        formula
    }

    /// The number of a node, which may be simpler than what was asked for.
    fn add(&mut self, node: Node) -> Id {
        let simpler = match node {
            Node::And(Id::TRUE, f) | Node::And(f, Id::TRUE) => Some(f),
            Node::Or(Id::FALSE, f) | Node::Or(f, Id::FALSE) => Some(f),
            Node::And(Id::FALSE, _) | Node::And(_, Id::FALSE) => Some(Id::FALSE),
            Node::Or(Id::TRUE, _) | Node::Or(_, Id::TRUE) => Some(Id::TRUE),
            _ => None,
        };
        if let Some(f) = simpler {
            return f;
        }
        if let Some(&id) = self.numbers.get(&node) {
            return id;
        }
        let id = Id(self.nodes.len() as u32);
        self.nodes.push(node);
        self.ends.push(self.end_of_new(node));
        self.paths.push(self.path_of_new(node));
        self.numbers.insert(node, id);
        id
    }

    /// What must be reached for a subformula to hold in a state that is not over, however the
    /// agents play: A has won.
    #[inline]
    pub fn end(&self, id: Id) -> Option<Reach> {
        let (own, others) = self.ends[id.0 as usize]?;
        let helped = self.is_path(id);
        Some(Reach { agent: self.protagonist, own, others, helped })
    }

    fn end_of_new(&self, node: Node) -> Option<(u32, u32)> {
        let end = |id: Id| self.ends[id.0 as usize];
        let one_more = |(own, others): (u32, u32), agent: Agent| match agent == self.protagonist {
            true => (own + 1, others),
            false => (own, others + 1),
        };
        match node {
            Node::Literal(Proposition::Won(agent), true) if agent == self.protagonist => {
                Some((0, 0))
            }
            Node::Constant(_) | Node::Stuck(..) | Node::Literal(..) => None,
            // Both are needed, so either says something; the one with fewer moves says more.
            Node::And(a, b) => match (end(a), end(b)) {
                (Some(a), Some(b)) => Some(if a.0 + a.1 <= b.0 + b.1 { a } else { b }),
                (a, b) => a.or(b),
            },
            Node::Or(a, b) => {
                let ((own, others), (own2, others2)) = (end(a)?, end(b)?);
                Some((own.max(own2), others.max(others2)))
            }
            Node::Diamond(agent, f) => Some(one_more(end(f)?, agent)),
            // A has no moves where it has lost, so that everything holds after all of them.
            Node::Box(agent, _) if agent == self.protagonist => None,
            Node::Box(agent, f) => Some(one_more(end(f)?, agent)),
        }
    }

    /// The shape of a subformula.
    #[inline]
    pub fn node(&self, id: Id) -> Node {
        self.nodes[id.0 as usize]
    }

    /// How many different subformulas there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the formula has no parts: never, there are two constants at least.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The class that a subformula is a member of, where it has a name: `omega(2)`.
    pub fn name_of(&self, id: Id) -> Option<&str> {
        self.names.get(&id).map(String::as_str)
    }

    /// All subformulas that are members of classes, with their names.
    pub fn classes(&self) -> impl Iterator<Item = (Id, &str)> {
        self.names.iter().map(|(&id, name)| (id, name.as_str()))
    }

    /// The agent Bi, who moves i places after A; B is B1.
    pub fn opponent(&self, i: u8) -> Agent {
        Agent((self.protagonist.0 + i) % self.agents)
    }

    /// The letter of an agent in this formula: A, B, or B1, B2 and so on.
    pub fn letter(&self, agent: Agent) -> String {
        let place = (agent.0 + self.agents - self.protagonist.0) % self.agents;
        match (place, self.agents) {
            (0, _) => "A".to_owned(),
            (_, 2) => "B".to_owned(),
            (i, _) => format!("B{i}"),
        }
    }

    /// Whether only one's own or helping moves come up below: then a proof is a line of play.
    #[inline]
    pub fn is_path(&self, id: Id) -> bool {
        self.paths[id.0 as usize]
    }

    fn path_of_new(&self, node: Node) -> bool {
        match node {
            Node::Constant(_) | Node::Stuck(..) | Node::Literal(..) => true,
            Node::And(a, b) => {
                self.is_literal(a) && self.is_path(b) || self.is_literal(b) && self.is_path(a)
            }
            Node::Or(a, b) => self.is_path(a) && self.is_path(b),
            Node::Diamond(_, f) => self.is_path(f),
            Node::Box(..) => false,
        }
    }

    /// Whether a subformula can be answered without moving and without a choice.
    pub fn is_literal(&self, id: Id) -> bool {
        matches!(self.node(id), Node::Constant(_) | Node::Literal(..))
    }

    /// The formula on one line, with the classes that it uses by their names below the first
    /// level; `expand` writes those out, too, as long as there is room for so many characters.
    pub fn text(&self, id: Id, expand: bool, room: usize) -> String {
        let mut out = String::new();
        self.write(id, 0, expand, true, room, &mut out);
        out
    }

    fn write(&self, id: Id, level: u8, expand: bool, top: bool, room: usize, out: &mut String) {
        if out.len() > room {
            if !out.ends_with('…') {
                out.push('…');
            }
            return;
        }
        if let Some(name) = self.name_of(id).filter(|_| !top && !expand) {
            out.push_str(name);
            return;
        }
        let binary = |own: u8, a: Id, b: Id, sign: &str, out: &mut String| {
            let open = own < level;
            if open {
                out.push('(');
            }
            self.write(a, own, expand, false, room, out);
            out.push_str(sign);
            self.write(b, own, expand, false, room, out);
            if open {
                out.push(')');
            }
        };
        match self.node(id) {
            Node::Constant(value) | Node::Stuck(_, value) => {
                out.push_str(if value { "true" } else { "false" })
            }
            Node::Literal(p, holds) => {
                if !holds {
                    out.push('!');
                }
                out.push_str(self.texts.get(&p).map_or("?", String::as_str));
            }
            Node::And(a, b) => binary(2, a, b, " & ", out),
            Node::Or(a, b) => binary(1, a, b, " | ", out),
            Node::Box(agent, f) => {
                out.push_str(&format!("[{}]", self.letter(agent)));
                self.write(f, 3, expand, false, room, out);
            }
            Node::Diamond(agent, f) => {
                out.push_str(&format!("<{}>", self.letter(agent)));
                self.write(f, 3, expand, false, room, out);
            }
        }
    }
}
