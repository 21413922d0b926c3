//! A formula that was read: its subformulas as a list, each after its parts.

use std::collections::HashMap;

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
    pub(super) fn stuck(agent: Agent, holds: bool) -> Id {
        Id(2 + 2 * u32::from(agent.0) + u32::from(holds))
    }

    /// The negation: every subformula stands beside its own.
    #[inline]
    pub fn negated(self) -> Id {
        Id(self.0 ^ 1)
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

impl Node {
    /// What holds exactly where this does not.
    fn negated(self) -> Node {
        match self {
            Node::Constant(value) => Node::Constant(!value),
            Node::Stuck(agent, value) => Node::Stuck(agent, !value),
            Node::Literal(p, holds) => Node::Literal(p, !holds),
            Node::And(a, b) => Node::Or(a.negated(), b.negated()),
            Node::Or(a, b) => Node::And(a.negated(), b.negated()),
            Node::Box(agent, f) => Node::Diamond(agent, f.negated()),
            Node::Diamond(agent, f) => Node::Box(agent, f.negated()),
        }
    }
}

/// What a parameter of a class stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A number.
    Number(i64),
    /// A formula.
    Formula(Id),
}

/// A formula that was read, for a game and for one of its agents as A.
#[derive(Clone, Debug)]
pub struct Formula {
    /// Each with what must be reached for it to hold, where that is known: A has won, after at
    /// most so many moves of its own and of others.
    nodes: Vec<(Node, Option<Reach>)>,
    numbers: HashMap<Node, Id>,
    source: String,
    /// The classes that subformulas are members of, by name and parameters. For people only.
    pub classes: HashMap<Id, (String, Vec<Value>)>,
    /// The texts of the propositions. For people only.
    pub written: HashMap<Proposition, String>,
    /// The whole formula.
    pub root: Id,
    /// Who is A.
    pub protagonist: Agent,
    /// How many agents there are.
    pub agents: u8,
}

impl Formula {
    pub(super) fn new(protagonist: Agent, agents: u8, source: String) -> Formula {
        let mut formula = Formula {
            nodes: Vec::new(),
            numbers: HashMap::new(),
            source,
            classes: HashMap::new(),
            written: HashMap::new(),
            root: Id::FALSE,
            protagonist,
            agents,
        };
        formula.add(Node::Constant(false));
        for agent in 0..agents {
            formula.add(Node::Stuck(Agent(agent), false));
        }
        formula
    }

    /// The number of a node, which may be simpler than what was asked for.
    pub(super) fn add(&mut self, node: Node) -> Id {
        match node {
            Node::And(Id::TRUE, f) | Node::And(f, Id::TRUE) => return f,
            Node::Or(Id::FALSE, f) | Node::Or(f, Id::FALSE) => return f,
            Node::And(Id::FALSE, _) | Node::And(_, Id::FALSE) => return Id::FALSE,
            Node::Or(Id::TRUE, _) | Node::Or(_, Id::TRUE) => return Id::TRUE,
            _ => {}
        }
        if let Some(&id) = self.numbers.get(&node) {
            return id;
        }
        let id = Id(self.nodes.len() as u32);
        for (id, node) in [(id, node), (id.negated(), node.negated())] {
            self.nodes.push((node, self.end_of_new(node)));
            self.numbers.insert(node, id);
        }
        id
    }

    /// What must be reached for a subformula to hold, however the agents play: A has won. In a
    /// state that is over A must have won already.
    #[inline]
    pub fn end(&self, id: Id) -> Option<Reach> {
        self.nodes[id.0 as usize].1
    }

    fn end_of_new(&self, node: Node) -> Option<Reach> {
        let a = self.protagonist;
        match node {
            Node::Literal(Proposition::Won(agent), true) if agent == a => {
                Some(Reach { agent, own: 0, others: 0, helped: true })
            }
            Node::Constant(_) | Node::Stuck(..) | Node::Literal(..) => None,
            // Both are needed, so either says something; the one with fewer moves says more.
            Node::And(f, g) => {
                let ends = [self.end(f), self.end(g)].into_iter().flatten();
                let least = ends.min_by_key(|end| end.own + end.others)?;
                let one = self.is_literal(f) || self.is_literal(g);
                Some(Reach { helped: least.helped && one, ..least })
            }
            Node::Or(f, g) => {
                let (f, g) = (self.end(f)?, self.end(g)?);
                let (own, others) = (f.own.max(g.own), f.others.max(g.others));
                Some(Reach { agent: a, own, others, helped: f.helped && g.helped })
            }
            // A has no moves where it has lost, so that everything holds after all of them. All
            // others have one there, a pass, and in a state that is not over everybody has one.
            Node::Box(agent, _) if agent == a => None,
            Node::Box(agent, f) | Node::Diamond(agent, f) => {
                let end = self.end(f)?;
                let own = u32::from(agent == a);
                let helped = end.helped && matches!(node, Node::Diamond(..));
                Some(Reach { agent: a, own: end.own + own, others: end.others + 1 - own, helped })
            }
        }
    }

    /// The formula that exactly some moves of the first choice lead to where its part holds. They are
    /// asked for at a □ that is no other one, be it equal: the next node. What stands before must
    /// hold, too.
    pub(super) fn keyed(&mut self, id: Id) -> Option<Id> {
        let (before, rest) = match self.node(id) {
            Node::Diamond(agent, f) => {
                let (keys, all) = (Id(self.nodes.len() as u32), Node::Box(agent, f));
                self.nodes.extend([(all, None), (all.negated(), None)]);
                return Some(keys);
            }
            Node::Or(a, b) if self.is_literal(a) => (a.negated(), b),
            Node::And(a, b) => (a, b),
            _ => return None,
        };
        self.keyed(rest).map(|rest| self.add(Node::And(before, rest)))
    }

    /// The shape of a subformula.
    #[inline]
    pub fn node(&self, id: Id) -> Node {
        self.nodes[id.0 as usize].0
    }

    /// How many different subformulas there are, their negations and the constants included.
    #[allow(clippy::len_without_is_empty, reason = "it is never empty")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The whole formula with its definitions, in canonical spelling.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The agent Bi, who moves i places after A; B is B1.
    pub fn opponent(&self, i: u8) -> Agent {
        Agent(((u16::from(self.protagonist.0) + u16::from(i)) % u16::from(self.agents)) as u8)
    }

    /// Whether a subformula can be answered without moving and without a choice.
    pub fn is_literal(&self, id: Id) -> bool {
        matches!(self.node(id), Node::Constant(_) | Node::Literal(..))
    }
}
