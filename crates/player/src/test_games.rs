//! Rulesheets that tests play, and what they do with them.

use foregone_gdl::{Machine, Program};

use crate::search::{Limits, Tree};

pub(crate) const TICTACTOE: &str = include_str!("../tests/games/tictactoe.kif");
pub(crate) const MAZE: &str = include_str!("../tests/games/maze.kif");
pub(crate) const RPS: &str = include_str!("../tests/games/rps.kif");
pub(crate) const THREE: &str = include_str!("../tests/games/three.kif");

/// A machine, and the tree after some joint moves, each written with blanks between the moves and
/// `|` between joint moves.
pub(crate) fn after(rules: &str, limits: Limits, moves: &str) -> (Machine, Tree) {
    let program = Program::read(rules).unwrap();
    let problems = foregone_gdl::check(&program);
    assert!(problems.is_empty(), "{problems:?}");
    let mut machine = Machine::new(&program, None).unwrap();
    let mut tree = Tree::new(&mut machine, limits).unwrap();
    for joint in moves.split('|').filter(|j| !j.trim().is_empty()) {
        let joint: Vec<_> = joint.trim().split(", ").map(|m| machine.read(m).unwrap()).collect();
        tree.advance(&mut machine, &joint).unwrap();
    }
    (machine, tree)
}
