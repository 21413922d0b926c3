//! What a watch sees of a running search: bounds of the root, and its moves with what is known of
//! each of them.

use std::ops::ControlFlow;

use foregone_model::{Agent, Game, Goal, Guide, Outcome, Scale, Side, Turn};
use foregone_search::{Guidance, Progress, RootMove, Run, StopReason, Watch, search};

/// Three moves in each state, and an outcome that looks random after so many, but for the last of
/// the first moves, which loses: bounds of one move would be wrong for another.
struct Dice(u32);

impl Game for Dice {
    type State = (u64, u32);
    type Move = u8;

    fn scale(&self) -> Scale {
        Scale::three()
    }

    fn start(&self) -> (u64, u32) {
        (5, 0)
    }

    fn turn(&self, s: &(u64, u32)) -> Turn {
        if s.1 == self.0 { Turn::Over } else { Turn::Agent(Agent((s.1 % 2) as u8)) }
    }

    fn moves(&self, _s: &(u64, u32), _agent: Agent, out: &mut Vec<u8>) {
        out.extend([0, 1, 2]);
    }

    fn play(&self, s: &mut (u64, u32), _agent: Agent, m: u8) {
        // The lowest bits tell the first move.
        let first = if s.1 == 0 { u64::from(m) } else { s.0 & 3 };
        let word = (s.0 ^ u64::from(m)).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = word.wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(29);
        *s = (word & !3 | first, s.1 + 1);
    }

    fn outcome(&self, s: &(u64, u32)) -> Outcome {
        if s.0 & 3 == 2 { Outcome(0) } else { Outcome(((s.0 >> 8) % 3) as u16) }
    }
}

impl Guide for Dice {
    type Packed = (u64, u32);

    fn pack(&self, s: &(u64, u32)) -> (u64, u32) {
        *s
    }
}

/// The value of a state, by minimax.
fn value(game: &Dice, s: (u64, u32)) -> Outcome {
    let behind = (0..3).map(|m| {
        let mut next = s;
        game.play(&mut next, Agent(0), m);
        value(game, next)
    });
    let found = match game.turn(&s) {
        Turn::Agent(Agent(0)) => behind.max(),
        Turn::Agent(_) => behind.min(),
        _ => None,
    };
    found.unwrap_or_else(|| game.outcome(&s))
}

/// Checks all that it is shown.
struct Checks {
    /// The best outcome, and the values of the root and of its moves.
    best: Outcome,
    root: Outcome,
    values: [Outcome; 3],
    ticks: u32,
    /// The last moves that were shown.
    last: Vec<RootMove<u8>>,
    /// How many bounds of moves were shown that say something.
    narrowed: u32,
}

impl Watch<u8> for Checks {
    fn tick(&mut self, progress: &Progress<'_, u8>) -> ControlFlow<StopReason> {
        if ["proof", "making room"].contains(&progress.root_text().as_str()) {
            return ControlFlow::Continue(());
        }
        let holds = |(low, high): (Outcome, Outcome), v: Outcome| low <= v && v <= high;
        assert!(holds(progress.bounds(), self.root), "{:?}", progress.bounds());
        let moves = progress.root_moves();
        assert_eq!(moves.iter().map(|m| m.step).collect::<Vec<u8>>(), [0, 1, 2]);
        for (m, &v) in moves.iter().zip(&self.values) {
            assert!(holds(m.bounds, v), "{m:?} is {v:?}");
            self.narrowed += u32::from(m.bounds != (Outcome(0), self.best));
        }
        assert!(progress.line().iter().all(|&m| m < 3));
        self.ticks += 1;
        self.last = moves;
        ControlFlow::Continue(())
    }
}

fn watched(guidance: &str) -> Checks {
    let game = Dice(13);
    let behind = |m: u8| {
        let mut next = game.start();
        game.play(&mut next, Agent(0), m);
        value(&game, next)
    };
    let values = [behind(0), behind(1), behind(2)];
    let root = value(&game, game.start());
    let guidance: Guidance = guidance.parse().expect("a guidance");
    // Those for two outcomes are asked whether Max reaches the middle one.
    let two = |o: Outcome| Outcome(u16::from(o.0 >= 1));
    let (goal, root, values) = match guidance.many_outcomes() {
        true => {
            (Goal::within(&game, game.start(), (Outcome(0), Outcome(2)), Side::Min), root, values)
        }
        false => {
            (Goal::new(&game, game.start(), Outcome(1), Side::Min), two(root), values.map(two))
        }
    };
    let mut checks =
        Checks { best: goal.best(), root, values, ticks: 0, last: Vec::new(), narrowed: 0 };
    let report = search(&goal, &guidance, Run::new(&mut checks));
    assert_eq!(report.value(), Some(root), "{guidance}");
    assert!(checks.ticks > 1, "{guidance}: {} ticks", checks.ticks);
    checks
}

#[test]
fn best_first_searches_show_the_moves_of_the_root_with_their_values() {
    for guidance in ["tree pn one", "dag pn one", "squared pn one", "df pn one", "tree mo(pn) one"]
    {
        let checks = watched(guidance);
        for m in &checks.last {
            let numbers: Vec<&str> = m.value.split('/').collect();
            let is_number = |n: &&str| *n == "∞" || n.parse::<u32>().is_ok();
            assert!(numbers.len() == 2 && numbers.iter().all(is_number), "{guidance}: {m:?}");
        }
    }
    for guidance in ["tree pp half", "tree blind one", "dag sbmcts playout", "tree mcts playout"] {
        assert!(watched(guidance).last.iter().all(|m| !m.value.is_empty()), "{guidance}");
    }
}

#[test]
fn bounds_of_moves_are_shown_before_the_root_is_solved() {
    let all = [
        "tree mo(pn) one",
        "dag mo(pp) half",
        "squared mo(pn) one",
        "df mo(pn) one",
        "alphabeta(order=rules,walk=full)",
    ];
    let shown = all.map(|guidance| (guidance, watched(guidance).narrowed));
    assert!(shown.iter().all(|&(_, narrowed)| narrowed > 0), "{shown:?}");
    // A search that deepens proves nothing before its last round.
    watched("alphabeta(order=rules,walk=deepen)");
}
