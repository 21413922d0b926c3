//! Several threads search a space together: the answer is that of one, limits hold for all of them,
//! and whoever ends one ends all.

use std::collections::HashMap;
use std::ops::ControlFlow;

use foregone_model::{Agent, Game, Goal, Guide, Outcome, Scale, Side, Turn};
use foregone_search::drive::{Find, Order, OrderBy, Walk, alphabeta};
use foregone_search::{Limits, Progress, Report, StopReason, Watch};

/// Four moves in each state, which lead to the same states again and again; an outcome that looks
/// random after so many moves.
struct Net {
    seed: u64,
    length: u32,
    /// There are so many states after each number of moves.
    width: u64,
    /// Rules that fail: after so many moves, in every such state.
    fails_at: Option<u32>,
}

impl Net {
    fn new(seed: u64, length: u32, width: u64) -> Net {
        Net { seed, length, width, fails_at: None }
    }
}

fn mixed(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (word ^ (word >> 31)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 7
}

impl Game for Net {
    type State = (u64, u32);
    type Move = u8;

    fn scale(&self) -> Scale {
        Scale::numbers((0..5).collect())
    }

    fn start(&self) -> (u64, u32) {
        (self.seed % self.width, 0)
    }

    fn turn(&self, s: &(u64, u32)) -> Turn {
        if s.1 == self.length { Turn::Over } else { Turn::Agent(Agent((s.1 % 2) as u8)) }
    }

    fn moves(&self, s: &(u64, u32), _agent: Agent, out: &mut Vec<u8>) {
        assert!(self.fails_at.is_none_or(|at| s.1 < at), "the rules fail");
        out.extend([0, 1, 2, 3]);
    }

    fn play(&self, s: &mut (u64, u32), _agent: Agent, m: u8) {
        *s = (mixed(s.0 * 4 + u64::from(m) + self.seed) % self.width, s.1 + 1);
    }

    fn outcome(&self, s: &(u64, u32)) -> Outcome {
        // Some of the five, others in other games.
        let some = 1 + self.seed % 5;
        Outcome((mixed(s.0 + self.seed) % some + self.seed / 5 % (6 - some)) as u16)
    }
}

impl Guide for Net {
    type Packed = (u64, u32);

    fn pack(&self, s: &(u64, u32)) -> (u64, u32) {
        *s
    }
}

/// The value of a state, by minimax.
fn value(game: &Net, s: (u64, u32), known: &mut HashMap<(u64, u32), Outcome>) -> Outcome {
    let Turn::Agent(agent) = game.turn(&s) else { return game.outcome(&s) };
    if let Some(&value) = known.get(&s) {
        return value;
    }
    let mut best = None;
    for m in 0..4 {
        let mut next = s;
        game.play(&mut next, agent, m);
        let behind = value(game, next, known);
        let better = |best| if agent == Agent(0) { behind > best } else { behind < best };
        if best.is_none_or(better) {
            best = Some(behind);
        }
    }
    let best = best.unwrap_or(Outcome(0));
    known.insert(s, best);
    best
}

fn solve(
    game: &Net,
    (by, walk, threads): (OrderBy, Walk, usize),
    limits: Limits,
    watch: &mut dyn Watch<u8>,
) -> Report<u8> {
    let goal = Goal::within(game, game.start(), (Outcome(0), game.scale().best()), Side::Min);
    let order = Order { by, walk, seed: 0, find: Find::One, threads };
    alphabeta(&goal, order, limits, u64::MAX, watch)
}

const ORDERS: [OrderBy; 4] =
    [OrderBy::Rules, OrderBy::Game, OrderBy::History, OrderBy::MonteCarlo(50)];

#[test]
fn threads_change_no_value() {
    let mut seen = [0; 5];
    for seed in 0..30 {
        let game = Net::new(seed, 7 + (seed % 4) as u32, 300);
        let expected = value(&game, game.start(), &mut HashMap::new());
        seen[usize::from(expected.0)] += 1;
        for by in ORDERS {
            for walk in [Walk::Full, Walk::Null, Walk::Minimax] {
                for threads in [1, 2, 4] {
                    // A table that is too small at times: entries are given up.
                    let bytes = if seed % 3 == 0 { 1 << 15 } else { 1 << 24 };
                    let limits = Limits { bytes, ..Limits::NONE };
                    let report = solve(&game, (by, walk, threads), limits, &mut ());
                    let place = format!("{by:?} {walk:?} {threads} threads, seed {seed}");
                    assert_eq!(report.value(), Some(expected), "{place}");
                    // What is reached, and what is missed, has a proof.
                    let claims = usize::from(expected.0 > 0) + usize::from(expected.0 < 4);
                    if bytes > 1 << 20 {
                        assert_eq!(report.solutions.len(), claims, "{place}");
                    }
                }
            }
        }
    }
    assert!(seen.iter().filter(|&&n| n > 1).count() >= 4, "{seen:?}");
}

#[test]
fn one_thread_does_the_same_each_time_and_more_than_one_do_less_than_as_many_times_that() {
    let game = Net::new(4, 24, 4000);
    let nodes = |threads: usize| {
        let way = (OrderBy::Rules, Walk::Null, threads);
        solve(&game, way, Limits { bytes: 1 << 26, ..Limits::NONE }, &mut ()).counts.nodes
    };
    let one = nodes(1);
    assert_eq!(one, nodes(1));
    let two = nodes(2);
    assert!(one > 50_000 && two < one / 10 * 18, "{one} nodes by one thread, {two} by two");
}

#[test]
fn threads_keep_to_a_common_limit_of_nodes() {
    let game = Net::new(4, 40, 1 << 40);
    for nodes in [1, 100, 5000, 100_000] {
        for threads in [2, 3, 4] {
            let way = (OrderBy::Rules, Walk::Full, threads);
            let report = solve(&game, way, Limits { nodes, bytes: 1 << 24 }, &mut ());
            assert_eq!((report.stop, report.value()), (StopReason::Nodes, None));
            let most = nodes + threads as u64;
            assert!(report.counts.nodes <= most, "{} of {nodes}", report.counts.nodes);
            // What is handed out and not used is little.
            assert!(report.counts.nodes + 4096 >= nodes, "{} of {nodes}", report.counts.nodes);
        }
    }
}

/// Ends a search when it has so many nodes.
struct Until(u64, u64);

impl Watch<u8> for Until {
    fn tick(&mut self, progress: &Progress<'_, u8>) -> ControlFlow<StopReason> {
        self.1 = progress.counts.nodes;
        if self.1 < self.0 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(StopReason::Time)
        }
    }
}

#[test]
fn who_ends_the_first_thread_ends_all() {
    let game = Net::new(4, 40, 1 << 40);
    for threads in [1, 2, 4] {
        let mut watch = Until(50_000, 0);
        let limits = Limits { bytes: 1 << 24, ..Limits::NONE };
        let report = solve(&game, (OrderBy::Rules, Walk::Null, threads), limits, &mut watch);
        assert_eq!((report.stop, report.value()), (StopReason::Time, None));
        // The watch saw what the others did, too.
        assert!(watch.1 >= 50_000 && report.counts.nodes >= watch.1, "{}", report.counts.nodes);
    }
}

#[test]
fn rules_that_fail_in_a_thread_fail_in_the_caller() {
    for threads in [2, 4] {
        let game = Net { fails_at: Some(12), ..Net::new(4, 30, 1 << 20) };
        let limits = Limits { bytes: 1 << 24, ..Limits::NONE };
        let run = || solve(&game, (OrderBy::Rules, Walk::Full, threads), limits, &mut ());
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).unwrap_err();
        let text = panic.downcast_ref::<&str>().copied();
        assert_eq!(text, Some("the rules fail"));
    }
}
