//! What is proven about goals: the bounds of score bounded MCTS (Cazenave and Saffidine 2010) for
//! any number of roles and for joint moves.
//!
//! For a role r, a joint move is a move m of r and a move of everybody else, together o. From the
//! children (m, o) of a node:
//!
//! * `low`, the pessimistic bound: max over m of min over o. Role r makes sure of this much by
//!   moves that it names first, whatever the others do, together or not;
//! * `cap`: min over o of max over m. The others together can keep r to this much, so r cannot
//!   make sure of more by any strategy, mixed ones included. Where one role decides, both are the
//!   same, and where two roles decide at once they are the bounds of simultaneous alpha-beta
//!   (Saffidine, Finnsson and Buro 2012);
//! * `high`: max over m and o. No play at all gives r more.
//!
//! A joint move without a child counts as 0 from below and 100 from above. `low` and `high` hold in
//! every game. `cap` says what r gets only if the others want r to get little: in games of two
//! roles whose goals add up to the same (`sum.rs`) it is the optimistic bound, elsewhere `high` is.
//! With three roles or more, `low` is the paranoid value, and a move is left out only if nobody
//! could make it good.

use super::{Node, Tree};

/// What is proven about a role's goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The role can make sure of this much.
    pub low: u8,
    /// The role cannot make sure of more, if all others are against it.
    pub cap: u8,
    /// The role cannot get more.
    pub high: u8,
}

impl Default for Bounds {
    /// Nothing is proven.
    fn default() -> Bounds {
        Bounds { low: 0, cap: 100, high: 100 }
    }
}

impl Bounds {
    /// The bounds of a goal that is reached. Goals of GDL are numbers from 0 to 100.
    pub fn exact(goal: i32) -> Bounds {
        let goal = goal.clamp(0, 100) as u8;
        Bounds { low: goal, cap: goal, high: goal }
    }
}

impl Tree {
    /// The bound from above that counts in this game.
    pub(super) fn upper(&self, bounds: Bounds) -> u8 {
        if self.sum.is_constant() { bounds.cap } else { bounds.high }
    }

    /// Takes the bounds of a node and of its moves from its children. Says whether the bounds of
    /// the node changed.
    pub(super) fn back_up(&mut self, at: usize) -> bool {
        let node = &self.nodes[at];
        let Some(joints) = node.joints else { return false };
        let mut stride = joints;
        let mut found = Vec::new();
        for (role, moves) in node.choices.iter().enumerate() {
            stride /= moves.len() as u64;
            found.push(self.of_role(node, role, stride, joints));
        }
        let node = &mut self.nodes[at];
        let mut changed = false;
        for (role, (bounds, of_moves)) in found.into_iter().enumerate() {
            changed |= node.bounds[role] != bounds;
            node.bounds[role] = bounds;
            for (choice, bounds) in node.choices[role].iter_mut().zip(of_moves) {
                choice.bounds = bounds;
            }
        }
        changed
    }

    /// The bounds of a role at a node, and of each of its moves there. `stride` is by how much the
    /// number of a joint move grows with the number of the role's move.
    fn of_role(&self, node: &Node, role: usize, stride: u64, joints: u64) -> (Bounds, Vec<Bounds>) {
        let count = node.choices[role].len();
        // Joint moves with the same move of this role.
        let others = joints / count as u64;
        let mut seen = vec![0u64; count];
        let mut of_moves = vec![Bounds { low: 100, cap: 0, high: 0 }; count];
        let mut caps: Vec<(u64, u8)> = Vec::with_capacity(node.children.len());
        for &(joint, child) in &node.children {
            let bounds = self.nodes[child as usize].bounds[role];
            let pick = joint / stride % count as u64;
            caps.push((joint - pick * stride, bounds.cap));
            let pick = pick as usize;
            seen[pick] += 1;
            let of_move = &mut of_moves[pick];
            of_move.low = of_move.low.min(bounds.low);
            of_move.cap = of_move.cap.max(bounds.cap);
            of_move.high = of_move.high.max(bounds.high);
        }
        for (bounds, seen) in of_moves.iter_mut().zip(seen) {
            if seen < others {
                *bounds = Bounds::default();
            }
        }
        // What the others do comes first here: only moves that all answers of the role are known
        // to can cap it.
        caps.sort_unstable();
        let replies = caps.chunk_by(|a, b| a.0 == b.0).filter(|r| r.len() == count);
        let cap = replies.filter_map(|r| r.iter().map(|c| c.1).max()).min();
        let low = of_moves.iter().map(|b| b.low).max();
        let high = of_moves.iter().map(|b| b.high).max();
        let bounds =
            Bounds { low: low.unwrap_or(0), cap: cap.unwrap_or(100), high: high.unwrap_or(100) };
        (bounds, of_moves)
    }
}
