use foregone_gdl::machine::State;
use foregone_gdl::{Machine, Move};
use foregone_model::Rng;

use super::{Advice, Bounds, Limits, MoveError, Tree};
use crate::test_games::{MAZE, RPS, THREE, TICTACTOE, after};

/// Thinks for a role, for at most this many steps, and returns the move and how many it took.
fn think(machine: &mut Machine, tree: &mut Tree, role: usize, steps: u32) -> (Advice, u32) {
    let mut rng = Rng::new(1);
    let mut taken = 0;
    let goes_on = |_: &mut Tree| {
        taken += 1;
        taken <= steps
    };
    tree.think(machine, role, &mut rng, goes_on).unwrap();
    (tree.best(role).unwrap(), taken)
}

const WIN: &str = "(mark 1 1), noop | noop, (mark 2 1) | (mark 1 2), noop | noop, (mark 2 2)";

#[test]
fn a_win_in_one_is_found_and_proven() {
    let (mut machine, mut tree) = after(TICTACTOE, Limits::default(), WIN);
    let (advice, steps) = think(&mut machine, &mut tree, 0, 200);
    assert_eq!(machine.show(advice.action), "(mark 1 3)");
    assert_eq!((advice.low, advice.high), (100, 100));
    assert!(tree.is_settled(0) && steps <= 10, "{steps}");
    // The proof is for one side only until the sum of goals says that it is for both.
    assert_eq!(tree.nodes[0].bounds[1].low, 0);
}

#[test]
fn a_win_in_three_is_proven() {
    // Corner and opposite corner against an edge: x threatens twice.
    let moves = "(mark 1 1), noop | noop, (mark 1 2) | (mark 2 2), noop | noop, (mark 3 3)";
    let (mut machine, mut tree) = after(TICTACTOE, Limits::default(), moves);
    let (advice, steps) = think(&mut machine, &mut tree, 0, 2000);
    assert_eq!((advice.low, advice.high), (100, 100), "after {steps} steps");
    let action = machine.show(advice.action);
    assert!(["(mark 2 1)", "(mark 3 1)"].contains(&action.as_str()), "{action}");
}

#[test]
fn a_trap_of_two_plies_is_avoided() {
    // o must block at 1 3; every other move loses at once.
    let moves = "(mark 1 1), noop | noop, (mark 2 2) | (mark 1 2), noop";
    let (mut machine, mut tree) = after(TICTACTOE, Limits::default(), moves);
    let (advice, _) = think(&mut machine, &mut tree, 1, 400);
    assert_eq!(machine.show(advice.action), "(mark 1 3)");
    for choice in tree.nodes[0].choices[1].iter().filter(|c| c.action != advice.action) {
        assert_eq!(tree.upper(choice.bounds), 0, "{}", machine.show(choice.action));
    }
}

#[test]
fn a_drawn_end_is_proven_from_both_sides() {
    let moves = "(mark 1 1), noop | noop, (mark 2 2) | (mark 3 3), noop | noop, (mark 1 2) | \
                 (mark 3 2), noop | noop, (mark 3 1)";
    let (mut machine, mut tree) = after(TICTACTOE, Limits::default(), moves);
    let (advice, _) = think(&mut machine, &mut tree, 0, 2000);
    assert_eq!(machine.show(advice.action), "(mark 1 3)");
    assert_eq!((advice.low, advice.high), (50, 50));
    assert!(tree.sum.is_constant());
}

#[test]
fn a_maze_is_solved() {
    let (mut machine, mut tree) = after(MAZE, Limits::default(), "");
    let mut path = Vec::new();
    while !tree.is_end() {
        let (advice, _) = think(&mut machine, &mut tree, 0, 3000);
        assert_eq!(advice.low, 100, "after {path:?}");
        path.push(machine.show(advice.action));
        tree.advance(&mut machine, &[advice.action]).unwrap();
    }
    assert_eq!(tree.goals(), [Some(100)]);
    assert_eq!(path.len(), 9, "{path:?}");
}

#[test]
fn the_subtree_is_kept_after_a_move() {
    let (mut machine, mut tree) = after(TICTACTOE, Limits::default(), "");
    think(&mut machine, &mut tree, 0, 300);
    let root = &tree.nodes[0];
    let (joint, child) = root.children[0];
    let picks = [joint as usize, 0];
    let (moves, visits) = (root.moves(&picks), tree.nodes[child as usize].visits);
    let below = 1 + tree.nodes[child as usize].children.len();
    tree.advance(&mut machine, &moves).unwrap();
    assert_eq!(tree.nodes[0].visits, visits);
    assert!(visits > 1 && tree.nodes() >= below, "{visits} visits");
    // All that is left is below the root, each node once.
    let children = tree.nodes.iter().flat_map(|n| n.children.iter().map(|c| c.1));
    let mut children: Vec<u32> = children.collect();
    children.sort_unstable();
    assert_eq!(children, (1..tree.nodes() as u32).collect::<Vec<_>>());
}

#[test]
fn hands_are_mixed_and_no_pure_one_is_proven() {
    let (mut machine, mut tree) = after(RPS, Limits::default(), "rock, rock | rock, rock");
    let mut rng = Rng::new(1);
    for _ in 0..600 {
        tree.step(&mut machine, &mut rng).unwrap();
    }
    // Named first, a hand is beaten; named last, it beats: nothing is settled.
    assert_eq!(tree.nodes[0].bounds[0], Bounds { low: 40, cap: 60, high: 60 });
    assert!(!tree.is_settled(0));
    let mut counts = [0; 3];
    for _ in 0..300 {
        let action = tree.choose(0, &mut rng).unwrap().action;
        counts[tree.legal(0).iter().position(|&m| m == action).unwrap()] += 1;
    }
    assert!(counts.iter().all(|&n| n > 50), "{counts:?}");
}

#[test]
fn three_players_are_paranoid_and_legal() {
    // Two stones: ben takes both.
    let three = "(take 2), noop, noop | noop, (take 2), noop | noop, noop, (take 2)";
    let two = format!("{three} | (take 1), noop, noop");
    let (mut machine, mut tree) = after(THREE, Limits::default(), &two);
    let (advice, _) = think(&mut machine, &mut tree, 1, 100);
    assert_eq!((machine.show(advice.action).as_str(), advice.low), ("(take 2)", 100));
    // Three stones: if anna takes two, ben has to take the last one. If she takes one, ben is sure
    // of a win and looks no further: what else he may do stays open.
    let (mut machine, mut tree) = after(THREE, Limits::default(), three);
    let (advice, _) = think(&mut machine, &mut tree, 0, 500);
    assert_eq!(machine.show(advice.action), "(take 1)");
    let by_hand = [("(take 1)", 0, 100), ("(take 2)", 0, 0)];
    for (choice, (text, low, high)) in tree.nodes[0].choices[0].iter().zip(by_hand) {
        assert_eq!(machine.show(choice.action), text);
        assert_eq!((choice.bounds.low, choice.bounds.high), (low, high), "{text}");
    }
    assert!(!tree.sum.is_constant());
}

#[test]
fn a_full_tree_stays_as_large_as_it_is() {
    let limits = Limits { nodes: 20, ..Limits::default() };
    let (mut machine, mut tree) = after(TICTACTOE, limits, "");
    let (advice, _) = think(&mut machine, &mut tree, 0, 100);
    assert_eq!(tree.nodes(), 20);
    assert_eq!(tree.nodes[0].visits, 100);
    assert!(tree.is_complete() && tree.legal(0).contains(&advice.action));
    let tight = Limits { bytes: 10_000, ..Limits::default() };
    let (mut machine, mut tree) = after(TICTACTOE, tight, "");
    think(&mut machine, &mut tree, 0, 100);
    assert!((2..50).contains(&tree.nodes()), "{}", tree.nodes());
}

#[test]
fn wrong_moves_change_nothing() {
    let (mut machine, mut tree) = after(TICTACTOE, Limits::default(), "(mark 1 1), noop");
    let joint = |machine: &mut Machine, texts: &[&str]| {
        texts.iter().map(|t| machine.read(t).unwrap()).collect::<Vec<_>>()
    };
    let taken = joint(&mut machine, &["noop", "(mark 1 1)"]);
    let illegal = MoveError::Illegal { role: 1 };
    assert_eq!(tree.advance(&mut machine, &taken), Err(illegal));
    let few = joint(&mut machine, &["noop"]);
    let count = MoveError::Count { given: 1, roles: 2 };
    assert_eq!(tree.advance(&mut machine, &few), Err(count));
    assert_eq!(tree.legal(1).len(), 8);
}

#[test]
fn the_same_seed_gives_the_same_tree() {
    let grow = || {
        let (mut machine, mut tree) = after(RPS, Limits::default(), "");
        let mut rng = Rng::new(5);
        (0..300).for_each(|_| tree.step(&mut machine, &mut rng).unwrap());
        let visits: Vec<u32> = tree.nodes.iter().map(|n| n.visits).collect();
        (visits, tree.best(0))
    };
    assert_eq!(grow(), grow());
}

/// The bounds of each role at a state when everything is known, written out from their definitions.
fn exact(machine: &mut Machine, state: &State) -> Vec<Bounds> {
    let view = machine.view(state).unwrap();
    if view.terminal {
        return view.goals.iter().map(|g| Bounds::exact(g.unwrap())).collect();
    }
    let mut joints: Vec<Vec<Move>> = vec![Vec::new()];
    for legal in &view.legal {
        let longer = |j: &Vec<Move>| {
            let j = j.clone();
            legal.iter().map(move |&m| [j.clone(), vec![m]].concat())
        };
        joints = joints.iter().flat_map(longer).collect();
    }
    let mut below = Vec::new();
    for joint in joints {
        let next = machine.next(state, &joint).unwrap();
        below.push((joint, exact(machine, &next)));
    }
    let of_role = |role: usize| {
        let high = below.iter().map(|(_, b)| b[role].high).max().unwrap();
        let mine = |m: Move| below.iter().filter(move |(j, _)| j[role] == m);
        let least = |&m: &Move| mine(m).map(|(_, b)| b[role].low).min().unwrap();
        let low = view.legal[role].iter().map(least).max().unwrap();
        let same = |a: &[Move], b: &[Move]| (0..a.len()).all(|r| r == role || a[r] == b[r]);
        let most = |j: &Vec<Move>| {
            let answers = below.iter().filter(|(k, _)| same(j, k));
            answers.map(|(_, b)| b[role].cap).max().unwrap()
        };
        let cap = below.iter().map(|(j, _)| most(j)).min().unwrap();
        Bounds { low, cap, high }
    };
    (0..view.legal.len()).map(of_role).collect()
}

#[test]
fn bounds_hold_at_every_node() {
    let late = "(mark 1 1), noop | noop, (mark 2 2) | (mark 3 3), noop | noop, (mark 1 2)";
    let stones = "(take 1), noop, noop | noop, (take 2), noop";
    // Some with few steps: then much is missing that a bound must not rest on.
    let games = [
        (TICTACTOE, late, 3000),
        (TICTACTOE, late, 30),
        (RPS, "rock, rock | rock, rock", 300),
        (RPS, "rock, paper", 2000),
        (RPS, "", 50),
        (THREE, stones, 400),
        (MAZE, "(go north) | (go east) | (go south) | grab | (go north)", 300),
    ];
    for (rules, moves, steps) in games {
        let (mut machine, mut tree) = after(rules, Limits::default(), moves);
        let mut rng = Rng::new(2);
        let mut known = 0;
        for batch in 0..5 {
            for _ in 0..steps / 5 {
                tree.step(&mut machine, &mut rng).unwrap();
            }
            // All nodes once, and the root on the way.
            let count = if batch == 4 { tree.nodes() } else { 1 };
            for node in &tree.nodes[..count] {
                for (found, exact) in node.bounds.iter().zip(exact(&mut machine, &node.state)) {
                    let holds = found.low <= exact.low
                        && found.cap >= exact.cap
                        && found.high >= exact.high
                        && found.low <= found.cap
                        && found.cap <= found.high;
                    assert!(holds, "{found:?} for {exact:?} in {:?}", machine.facts(&node.state));
                    known += usize::from(*found == exact);
                }
            }
        }
        assert!(known > tree.nodes() / 4, "{known} of {} are exact", tree.nodes());
    }
}

#[test]
fn others_are_not_against_us_where_they_gain_nothing() {
    // Ben can give anna nothing, or both of them much. Alone she is sure of ten.
    let rules = "(role anna) (role ben) (init (at start))
        (<= (legal anna safe) (true (at start))) (<= (legal anna trust) (true (at start)))
        (<= (legal ben noop) (true (at start))) (<= (legal anna noop) (true (at asked)))
        (<= (legal ben give) (true (at asked))) (<= (legal ben take) (true (at asked)))
        (<= (next (at asked)) (does anna trust)) (<= (next (at alone)) (does anna safe))
        (<= (next (at given)) (does ben give)) (<= (next (at taken)) (does ben take))
        (<= terminal (true (at alone))) (<= terminal (true (at given)))
        (<= terminal (true (at taken)))
        (<= (goal ?r 10) (role ?r) (true (at alone)))
        (<= (goal ?r 90) (role ?r) (true (at given)))
        (<= (goal anna 0) (true (at taken))) (<= (goal ben 50) (true (at taken)))";
    let (mut machine, mut tree) = after(rules, Limits::default(), "");
    let (advice, _) = think(&mut machine, &mut tree, 0, 300);
    assert_eq!(machine.show(advice.action), "trust");
    assert_eq!((advice.low, advice.high), (0, 90), "ben may still take all");
}
