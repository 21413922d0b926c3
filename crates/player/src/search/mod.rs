//! Monte Carlo tree search on joint moves, with proven bounds.
//!
//! A node keeps statistics for each role and each of its moves, and each role follows its own by
//! UCT (Kocsis and Szepesvári 2006): decoupled UCT (Finnsson and Björnsson 2008), which plays games
//! of one role, of many, and of simultaneous moves alike. A new node is worth what random plays
//! from it come to. One call of [`Machine::playouts`] is one visit however many plays it makes,
//! because a back end may make many at once.
//!
//! Proven values (`bounds.rs`) follow MCTS-Solver (Winands, Björnsson and Saito 2008) and score
//! bounded MCTS (Cazenave and Saffidine 2010). A role does not try moves that cannot give more
//! than it is already sure of, and means are held between the bounds.
//!
//! Ours: the bounds for games of any number of roles, and what to do at the root (`choose.rs`).
//! The tree is a tree: a position reached in two ways is two nodes, so a proof always gets
//! shorter when it is followed.

use foregone_gdl::machine::State;
use foregone_gdl::{Backend, Machine, MachineError, Move};
use foregone_model::Rng;
use thiserror::Error;

mod bounds;
mod choose;
mod sum;
#[cfg(test)]
mod tests;

pub use self::bounds::Bounds;
pub use self::choose::Advice;
use self::sum::Sum;

/// How large a tree may grow. Then it stays as it is, and leaves are visited again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Nodes of a tree.
    pub nodes: usize,
    /// Bytes of a tree, about: states differ in size from game to game.
    pub bytes: usize,
    /// Random plays to ask for at each new node.
    pub plays: u64,
    /// Moves of a random play before it is given up.
    pub longest: u32,
    /// How much UCT explores.
    pub exploration: f64,
}

/// Random plays that a network of gates makes in one go.
const AT_A_TIME: u64 = 32;

impl Default for Limits {
    fn default() -> Limits {
        Limits { nodes: 2_000_000, bytes: 1 << 30, plays: 1, longest: 10_000, exploration: 0.7 }
    }
}

/// Why moves could not be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveError {
    /// There is not one move for each role.
    #[error("{given} moves for {roles} roles")]
    Count {
        /// The moves.
        given: usize,
        /// The roles.
        roles: usize,
    },
    /// The move of this role, by its number, is not legal.
    #[error("not a legal move of role {role}")]
    Illegal {
        /// The role.
        role: usize,
    },
    /// The rules gave no answer.
    #[error("the rules gave no answer: {0}")]
    Machine(#[from] MachineError),
}

/// A move of a role at a node.
#[derive(Clone, Debug)]
struct Choice {
    action: Move,
    visits: u32,
    sum: f64,
    bounds: Bounds,
}

impl Choice {
    fn mean(&self) -> f64 {
        self.sum / f64::from(self.visits.max(1))
    }
}

#[derive(Debug)]
struct Node {
    state: State,
    /// The moves of each role; none at the end of the game.
    choices: Vec<Vec<Choice>>,
    bounds: Vec<Bounds>,
    visits: u32,
    /// How many joint moves there are; none if they are too many to be numbered. Then there are no
    /// children: random plays are all that is left.
    joints: Option<u64>,
    /// By the number of the joint move, in order.
    children: Vec<(u64, u32)>,
    /// Whether the rules end here. A state without a move for some role ends here as well.
    is_end: bool,
    goals: Vec<Option<i32>>,
}

impl Node {
    fn new(machine: &mut Machine, state: State) -> Result<Node, MachineError> {
        let view = machine.view(&state)?;
        let is_end = view.terminal || view.stuck();
        let choice = |action| Choice { action, visits: 0, sum: 0.0, bounds: Bounds::default() };
        let choices: Vec<Vec<Choice>> = match is_end {
            true => Vec::new(),
            false => view.legal.into_iter().map(|l| l.into_iter().map(choice).collect()).collect(),
        };
        let mut joints = Some(1u64);
        for moves in &choices {
            joints = joints.and_then(|j| j.checked_mul(moves.len() as u64));
        }
        let mut bounds = vec![Bounds::default(); machine.roles().len()];
        for (bound, goal) in bounds.iter_mut().zip(&view.goals) {
            // A goal that is not defined stays unknown.
            if let Some(goal) = goal {
                *bound = Bounds::exact(*goal);
            }
        }
        let children = Vec::new();
        Ok(Node { state, choices, bounds, visits: 0, joints, children, is_end, goals: view.goals })
    }

    fn joint(&self, picks: &[usize]) -> u64 {
        let digits = self.choices.iter().zip(picks);
        digits.fold(0u64, |n, (moves, &pick)| {
            n.wrapping_mul(moves.len() as u64).wrapping_add(pick as u64)
        })
    }

    fn child(&self, joint: u64) -> Option<usize> {
        let at = self.children.binary_search_by_key(&joint, |c| c.0).ok()?;
        Some(self.children[at].1 as usize)
    }

    fn moves(&self, picks: &[usize]) -> Vec<Move> {
        self.choices.iter().zip(picks).map(|(moves, &pick)| moves[pick].action).collect()
    }

    /// How many roles have more than one move.
    fn deciders(&self) -> usize {
        self.choices.iter().filter(|moves| moves.len() > 1).count()
    }
}

/// A search tree. Its states and moves belong to the machine that it was made with.
#[derive(Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    roles: usize,
    limits: Limits,
    sum: Sum,
    plays: u64,
}

impl Tree {
    /// The tree of a new game: its first state.
    pub fn new(machine: &mut Machine, limits: Limits) -> Result<Tree, MachineError> {
        let state = machine.initial()?;
        let facts = machine.facts(&state).len();
        let root = Node::new(machine, state)?;
        // A rough account: a word for each fact, a choice for each move, and what holds them.
        let moves: usize = root.choices.iter().map(Vec::len).sum();
        let roles = machine.roles().len();
        let bytes = 8 * facts + size_of::<Choice>() * moves + 48 * roles + size_of::<Node>() + 64;
        let nodes = limits.nodes.min(limits.bytes / bytes).clamp(1, u32::MAX as usize - 1);
        let limits = Limits { nodes, ..limits };
        Ok(Tree { nodes: vec![root], roles, limits, sum: Sum::new(roles), plays: 0 })
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// How many random plays were made below the root since it became the root.
    pub fn plays(&self) -> u64 {
        self.plays
    }

    /// Whether the game is over, or cannot go on.
    pub fn is_end(&self) -> bool {
        self.nodes[0].is_end
    }

    /// What is proven about a role's goal at the root.
    pub fn bounds(&self, role: usize) -> Bounds {
        self.nodes[0].bounds.get(role).copied().unwrap_or_default()
    }

    /// Whether more steps teach nothing, or too little: everything is known, or the tree is full.
    pub fn is_complete(&self) -> bool {
        self.nodes.len() >= self.limits.nodes || self.known(0).is_some()
    }

    /// What each role gets at the end of the game.
    pub fn goals(&self) -> &[Option<i32>] {
        &self.nodes[0].goals
    }

    /// The legal moves of a role at the root.
    pub fn legal(&self, role: usize) -> Vec<Move> {
        let moves = self.nodes[0].choices.get(role);
        moves.map(|m| m.iter().map(|c| c.action).collect()).unwrap_or_default()
    }

    /// How many moves a random play may have from now on. A slow game has no time for long ones.
    pub fn set_longest(&mut self, longest: u32) {
        self.limits.longest = longest;
    }

    /// How many moves a random play may have.
    pub fn longest(&self) -> u32 {
        self.limits.longest
    }

    /// Steps until the root's move is settled for a role or the caller says stop. It is asked
    /// before every step.
    pub fn think(
        &mut self,
        machine: &mut Machine,
        role: usize,
        rng: &mut Rng,
        mut goes_on: impl FnMut(&mut Tree) -> bool,
    ) -> Result<(), MachineError> {
        while !self.is_settled(role) && goes_on(self) {
            self.step(machine, rng)?;
        }
        Ok(())
    }

    /// One visit: down the tree, one new node, random plays from it, and back.
    pub fn step(&mut self, machine: &mut Machine, rng: &mut Rng) -> Result<(), MachineError> {
        let mut path: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut at = 0;
        let mut is_new = false;
        let values = loop {
            // 1. Selection, until a leaf or a node with nothing left to learn.
            if let Some(values) = self.known(at) {
                break values;
            }
            let node = &self.nodes[at];
            let picks = self.select(node, rng);
            let joint = node.joint(&picks);
            let child = node.child(joint);
            let (moves, is_numbered) = (node.moves(&picks), node.joints.is_some());
            path.push((at, picks));
            if let Some(child) = child {
                at = child;
                continue;
            }
            // 2. Expansion.
            let state = machine.next(&self.nodes[at].state, &moves)?;
            if self.nodes.len() >= self.limits.nodes || !is_numbered {
                break self.simulate(machine, &state, rng)?;
            }
            let node = Node::new(machine, state)?;
            let child = self.nodes.len();
            let siblings = &mut self.nodes[at].children;
            let place = siblings.partition_point(|c| c.0 < joint);
            siblings.insert(place, (joint, child as u32));
            if node.is_end {
                self.sum.end(&node.goals);
            }
            self.nodes.push(node);
            (at, is_new) = (child, true);
            // 3. Simulation.
            if let Some(values) = self.known(at) {
                break values;
            }
            let state = self.nodes[at].state.clone();
            break self.simulate(machine, &state, rng)?;
        };
        // 4. Backpropagation, of bounds as long as they change.
        self.nodes[at].visits += 1;
        let mut changed = is_new;
        for (parent, picks) in path.into_iter().rev() {
            changed = changed && self.back_up(parent);
            let node = &mut self.nodes[parent];
            // The leaf was counted above when random plays began below it.
            node.visits += u32::from(parent != at);
            for ((moves, pick), value) in node.choices.iter_mut().zip(picks).zip(&values) {
                moves[pick].visits += 1;
                moves[pick].sum += value;
            }
        }
        Ok(())
    }

    /// The values at a node where nothing is left to learn.
    fn known(&self, at: usize) -> Option<Vec<f64>> {
        let node = &self.nodes[at];
        let is_known = |b: &Bounds| b.low == self.upper(*b);
        if node.bounds.iter().all(is_known) {
            return Some(node.bounds.iter().map(|b| f64::from(b.low)).collect());
        }
        node.is_end.then(|| self.even())
    }

    /// What everyone gets of a play without a result: nothing alone, an even share with others.
    fn even(&self) -> Vec<f64> {
        let share = if self.roles == 1 { 0.0 } else { 100.0 / self.roles as f64 };
        vec![share; self.roles]
    }

    /// What random plays from a state come to.
    fn simulate(
        &mut self,
        machine: &mut Machine,
        state: &State,
        rng: &mut Rng,
    ) -> Result<Vec<f64>, MachineError> {
        // A network of gates plays many games at a time for little more than one.
        let plays = match machine.backend() {
            Backend::Gates => self.limits.plays.max(AT_A_TIME),
            _ => self.limits.plays.max(1),
        };
        let tally = machine.playouts(state, plays, self.limits.longest, rng)?;
        self.plays += tally.plays + tally.lost;
        if tally.plays == 0 {
            return Ok(self.even());
        }
        self.sum.plays(&tally);
        let plays = tally.plays as f64;
        Ok(tally.goals.iter().map(|goal| (goal / plays).clamp(0.0, 100.0)).collect())
    }

    /// Makes moves, one for each role, in the order of the roles. What is known below stays known;
    /// the rest is forgotten. If they cannot be made, nothing changes.
    pub fn advance(&mut self, machine: &mut Machine, moves: &[Move]) -> Result<(), MoveError> {
        let root = &self.nodes[0];
        if moves.len() != self.roles {
            return Err(MoveError::Count { given: moves.len(), roles: self.roles });
        }
        let mut picks = Vec::new();
        for (role, &action) in moves.iter().enumerate() {
            let choices = root.choices.get(role).map_or(&[][..], Vec::as_slice);
            let pick = choices.iter().position(|c| c.action == action);
            picks.push(pick.ok_or(MoveError::Illegal { role })?);
        }
        let child = root.joints.and_then(|_| root.child(root.joint(&picks)));
        match child {
            Some(child) => self.keep_below(child),
            None => {
                let state = machine.next(&root.state, moves)?;
                self.nodes = vec![Node::new(machine, state)?];
            }
        }
        self.plays = 0;
        Ok(())
    }

    /// Makes a node the root, and forgets what is not below it.
    fn keep_below(&mut self, child: usize) {
        let mut old: Vec<Option<Node>> =
            std::mem::take(&mut self.nodes).into_iter().map(Some).collect();
        let mut queue = vec![child];
        let mut at = 0;
        while at < queue.len() {
            // Every node is the child of one other, so it is there to be taken.
            if let Some(mut node) = old[queue[at]].take() {
                for (_, child) in &mut node.children {
                    queue.push(*child as usize);
                    *child = (queue.len() - 1) as u32;
                }
                self.nodes.push(node);
            }
            at += 1;
        }
    }
}
