//! One new node a playout, in the schemes that prove.

use foregone_model::{Agent, Game, Goal, Guide, Outcome, Scale, Side, Turn};
use foregone_search::{Guidance, Limits, Run, StopReason, search};

/// Players in turn add 1 or 2 to a number; who makes it the last one gets as many points as the
/// other player's ones.
struct Adding {
    last: u8,
}

impl Game for Adding {
    type State = (u8, u8);
    type Move = u8;

    fn scale(&self) -> Scale {
        Scale::numbers((0..=i64::from(self.last)).collect())
    }

    fn start(&self) -> (u8, u8) {
        (0, 0)
    }

    fn turn(&self, &(number, moves): &(u8, u8)) -> Turn {
        if number >= self.last { Turn::Over } else { Turn::Agent(Agent(moves % 2)) }
    }

    fn moves(&self, _s: &(u8, u8), _agent: Agent, out: &mut Vec<u8>) {
        out.extend([1, 2]);
    }

    fn play(&self, s: &mut (u8, u8), _agent: Agent, m: u8) {
        *s = (s.0 + m, s.1 + 1);
    }

    fn outcome(&self, &(number, moves): &(u8, u8)) -> Outcome {
        Outcome(u16::from(number.min(self.last)) * u16::from(moves % 2))
    }
}

impl Guide for Adding {
    type Packed = (u8, u8);

    fn pack(&self, s: &(u8, u8)) -> (u8, u8) {
        *s
    }
}

fn guidance(text: &str) -> Guidance {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn a_playout_adds_one_node() {
    let game = Adding { last: 60 };
    let schemes = ["mcts(E)", "mo(mcts(E))", "sbmcts(E)", "sbmcts(rave=5,cuts=no,E)"];
    for scheme in schemes.map(|scheme| scheme.replace('E', "expand=one")) {
        let space = Goal::within(&game, game.start(), (Outcome(0), Outcome(60)), Side::Min);
        let watch = &mut ();
        let limits = Limits { nodes: 500, ..Limits::NONE };
        let run = Run { limits, ..Run::new(watch) };
        let report = search(&space, &guidance(&format!("tree {scheme}")), run);
        assert_eq!(report.stop, StopReason::Nodes, "{scheme}");
        // No end is that near: every node, the root's among them, has a playout of its own.
        assert_eq!((report.counts.nodes, report.counts.playouts), (500, 500), "{scheme}");
    }
}

/// What was not tried may be anything: the same values as with all children at once.
#[test]
fn values_are_the_same() {
    for last in 1..=12 {
        let game = Adding { last };
        let space =
            || Goal::within(&game, game.start(), (Outcome(0), Outcome(u16::from(last))), Side::Min);
        let value = |text: &str| search(&space(), &guidance(text), Run::new(&mut ())).value();
        let right = value("tree mo(pn)");
        assert!(right.is_some());
        for text in [
            "tree mo(mcts(expand=one))",
            "tree mo(mcts(expand=one,rave=10))",
            "tree sbmcts(expand=one)",
            "tree sbmcts(expand=one,cuts=no,rave=10)",
            "tree sbmcts(expand=one,delta=10000)",
            "dag sbmcts(rave=10)",
            "dag mo(mcts(rave=10))",
        ] {
            assert_eq!(value(text), right, "{last}: {text}");
        }
    }
}
