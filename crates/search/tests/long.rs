//! Long plays and wide choices: what a search does grows with their length and width, not with the
//! square. Nothing is timed; a game and a scheme that count what they are asked end a search that
//! asks too much.

use std::cell::Cell;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use foregone_model::{
    Agent, Endless, Game, Goal, Guide, Line, Look, Outcome, Scale, Side, Space, Turn, WeakSolution,
};
use foregone_search::drive::{
    Find, Inner, Order, OrderBy, Walk, alphabeta, dag, df, dfs, squared, tree,
};
use foregone_search::report::SHOWN;
use foregone_search::scheme::{AnyScheme, Blind, Effort, Mcts, MinMax, Pn, Pp, Sbmcts};
use foregone_search::{Init, Leaves, Limits, Progress, Report, Scheme, StopReason, Watch};

const LONG: u32 = 200_000;

/// How far behind the end of the chain the last state of a detour is.
const DETOUR: u32 = 12;

/// What a chain of states is like.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// One move in each state, Max's and Min's in turn.
    Plain,
    /// Before it, a move that loses at once.
    Exits,
    /// Before Max's, a move that loses some moves later; before Min's, one to a state in which
    /// Max has such a move and one that wins.
    Detours,
    /// The same where all moves are Max's.
    Alone,
    /// In the last state Max may go back to the first one.
    Circle,
    /// No chain: a first state with so many moves, of which the last one wins.
    Wide,
    /// The same, with Min to move, and all of them win.
    WideForMin,
}

/// A game that is a chain, and counts what it is asked.
struct Chain {
    length: u32,
    kind: Kind,
    outcomes: u16,
    asked: Counter,
}

/// A number that may not grow beyond a limit.
struct Counter {
    count: AtomicU64,
    most: u64,
}

impl Counter {
    fn new(most: u64) -> Counter {
        Counter { count: AtomicU64::new(0), most }
    }

    fn add(&self, n: u64) {
        let count = self.count.fetch_add(n, Ordering::Relaxed) + n;
        assert!(count <= self.most, "more than {} is not in proportion to the length", self.most);
    }
}

impl Chain {
    fn new(length: u32, kind: Kind) -> Chain {
        // Some random plays from near the start are allowed, up to a hundred thousand moves each.
        let asked = Counter::new(100 * u64::from(length) + 300 * 3 * 100_000);
        Chain { length, kind, outcomes: 2, asked }
    }

    fn side(&self, s: u32) -> Side {
        match self.kind {
            Kind::WideForMin => Side::Min,
            Kind::Alone => Side::Max,
            _ if s.is_multiple_of(2) => Side::Max,
            _ => Side::Min,
        }
    }

    fn is_wide(&self) -> bool {
        matches!(self.kind, Kind::Wide | Kind::WideForMin)
    }
}

/// A state that counts how often it is compared with another one.
#[derive(Clone, Copy, Debug, Eq)]
struct State(u32);

thread_local! {
    static COMPARED: Cell<u64> = const { Cell::new(0) };
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        let compared = COMPARED.get() + 1;
        COMPARED.set(compared);
        assert!(compared <= 100 * u64::from(LONG), "too many comparisons for the length");
        self.0 == other.0
    }
}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.hash(hasher);
    }
}

impl Game for Chain {
    type State = State;
    type Move = u32;

    fn scale(&self) -> Scale {
        if self.outcomes == 2 { Scale::two() } else { Scale::three() }
    }

    fn endless(&self) -> Endless {
        if self.kind == Kind::Circle { Endless::Undetermined } else { Endless::Impossible }
    }

    fn start(&self) -> State {
        State(0)
    }

    fn turn(&self, &State(s): &State) -> Turn {
        self.asked.add(1);
        let over = if self.is_wide() { s > 0 } else { (self.length..self.length + 3).contains(&s) };
        if over { Turn::Over } else { Turn::Agent(self.side(s).agent()) }
    }

    fn moves(&self, &State(s): &State, _agent: Agent, out: &mut Vec<u32>) {
        self.asked.add(1);
        if self.is_wide() {
            return out.extend(1..=self.length);
        }
        match (self.kind, self.side(s)) {
            (Kind::Exits, Side::Max) => out.push(self.length + 1),
            (Kind::Exits, Side::Min) => out.push(self.length),
            (Kind::Detours | Kind::Alone, _) if s == self.length + DETOUR => {
                return out.push(self.length + 1);
            }
            (Kind::Detours | Kind::Alone, Side::Max) if s < self.length => {
                out.push(self.length + 3)
            }
            (Kind::Detours, Side::Min) if s < self.length => out.push(self.length + DETOUR + 2),
            (Kind::Detours, _) if s == self.length + DETOUR + 2 => {
                return out.extend([self.length + 3, self.length + 2]);
            }
            (Kind::Circle, _) if s + 1 == self.length => out.push(0),
            _ => {}
        }
        out.push(s + 1);
    }

    fn play(&self, s: &mut State, _agent: Agent, m: u32) {
        self.asked.add(1);
        *s = State(m);
    }

    fn outcome(&self, &State(s): &State) -> Outcome {
        let won = s == self.length || s == self.length + 2 || self.kind == Kind::WideForMin;
        Outcome(if won { self.outcomes - 1 } else { 0 })
    }
}

impl Guide for Chain {
    type Packed = u32;

    fn pack(&self, &State(s): &State) -> u32 {
        s
    }
}

/// All ways to search, by name. The schemes of the last ones tell many outcomes apart.
const TWO_OUTCOMES: [&str; 17] = [
    "tree minmax",
    "tree pn",
    "tree pp",
    "tree mcts",
    "dag minmax",
    "dag pn",
    "dag pp",
    "dag mcts",
    "squared minmax",
    "squared pn",
    "squared pp",
    "squared mcts",
    "dfs",
    "alphabeta",
    "deepening",
    "df pn",
    "df pp",
];
const MANY_OUTCOMES: [&str; 9] = [
    "tree blind",
    "tree sbmcts",
    "tree pn",
    "dag blind",
    "dag sbmcts",
    "dag pn",
    "squared blind",
    "alphabeta",
    "df pn",
];

fn search(goal: &Goal<'_, Chain>, way: &str) -> Report<u32> {
    // A search at a leaf tells of many expansions at once.
    let often = if way.starts_with("squared") { u64::MAX } else { 16_384 };
    let watch: &mut dyn Watch<u32> = &mut Shown { often, last: 0 };
    let limits = Limits { nodes: u64::MAX, bytes: 1 << 28 };
    let constant = &mut Leaves::new(Init::One, 0);
    let plays = &mut Leaves::new(Init::Playout, 0);
    let stop_check = || None;
    let inner = |scheme| Inner {
        scheme,
        init: Init::One,
        seed: 0,
        threads: 1,
        inner_nodes: None,
        stop_check: &stop_check,
    };
    let mcts = Mcts::PLAIN;
    let sbmcts = Sbmcts { best: goal.best(), ..Sbmcts::PLAIN };
    let walk = if way == "deepening" { Walk::Deepen } else { Walk::Full };
    let order = Order { by: OrderBy::Rules, walk, seed: 0, find: Find::One, threads: 1 };
    match way {
        "tree minmax" => tree(goal, &MinMax, constant, limits, watch),
        "tree pn" => tree(goal, &Pn, constant, limits, watch),
        "tree pp" => tree(goal, &Pp, constant, limits, watch),
        "tree mcts" => tree(goal, &mcts, plays, limits, watch),
        "tree blind" => tree(goal, &Blind, constant, limits, watch),
        "tree sbmcts" => tree(goal, &sbmcts, plays, limits, watch),
        "dag minmax" => dag(goal, &MinMax, constant, limits, watch),
        "dag pn" => dag(goal, &Pn, constant, limits, watch),
        "dag pp" => dag(goal, &Pp, constant, limits, watch),
        "dag mcts" => dag(goal, &mcts, plays, limits, watch),
        "dag blind" => dag(goal, &Blind, constant, limits, watch),
        "dag sbmcts" => dag(goal, &sbmcts, plays, limits, watch),
        _ if way.starts_with("squared ") => {
            let outer: AnyScheme = way["squared ".len()..].parse().expect("a scheme");
            squared(goal, &outer, inner(outer.inner()), limits, watch)
        }
        "dfs" => dfs(goal, limits, watch),
        "alphabeta" | "deepening" => alphabeta(goal, order, limits, u64::MAX, watch),
        "df pn" => df(goal, &Pn, constant, limits, u64::MAX, watch),
        "df pp" => df(goal, &Pp, constant, limits, u64::MAX, watch),
        _ => panic!("{way}"),
    }
}

/// A watch that sees to it that it is asked often enough, and that not too much is shown.
struct Shown {
    often: u64,
    last: u64,
}

impl Watch<u32> for Shown {
    fn tick(&mut self, progress: &Progress<'_, u32>) -> ControlFlow<StopReason> {
        assert!(progress.line().len() <= SHOWN);
        let expansions = progress.counts.expansions;
        assert!(
            expansions.saturating_sub(self.last) <= self.often,
            "the watch waits too long: {expansions} after {}",
            self.last
        );
        self.last = self.last.max(expansions);
        ControlFlow::Continue(())
    }
}

/// Whether the lines of a solution prove that their side reaches or prevents an outcome.
fn proves(game: &Chain, weak: &WeakSolution<u32>, at_least: Outcome) -> bool {
    let mut todo = vec![game.start()];
    let mut states: HashMap<u32, State> = HashMap::new();
    let mut moves = Vec::new();
    for (number, line) in weak.lines.iter().enumerate() {
        let Some(mut s) = todo.pop() else { return false };
        moves.clear();
        let side = match game.turn(&s) {
            Turn::Chance => unreachable!("no chance here"),
            Turn::Over => None,
            Turn::Agent(agent) => {
                game.moves(&s, agent, &mut moves);
                Some(Side::of(agent))
            }
        };
        states.insert(number as u32, s);
        let good = match *line {
            Line::Over => {
                let reached = game.outcome(&s) >= at_least;
                side.is_none() && reached == (weak.prover == Side::Max)
            }
            Line::Plays(m) => {
                game.play(&mut s, Agent(0), m);
                todo.push(s);
                side == Some(weak.prover) && moves.contains(&m)
            }
            Line::Replies(n) => {
                todo.extend(moves.iter().rev().map(|&m| State(m)));
                side == Some(weak.prover.other()) && n as usize == moves.len()
            }
            Line::Same(earlier) => earlier < number as u32 && states[&earlier] == s,
            Line::Repeats => false,
        };
        if !good {
            return false;
        }
    }
    todo.is_empty()
}

/// Max wins the game, by this way to search, with a proof and a line of this length.
fn is_won(game: &Chain, way: &str, length: usize) {
    COMPARED.set(0);
    let best = game.scale().best();
    let goal = Goal::within(game, game.start(), (Outcome(0), best), Side::Min);
    let report = search(&goal, way);
    let name = format!("{way} on {:?}", game.kind);
    assert_eq!((report.stop, report.value()), (StopReason::Solved, Some(best)), "{name}");
    let [solution] = &report.solutions[..] else { panic!("{name}: no proof") };
    assert!(proves(game, &solution.weak, solution.at_least), "{name}: no proof");
    let line = solution.weak.clone().line(game, &game.start());
    assert_eq!(line.len(), length, "{name}");
}

#[test]
fn a_chain_costs_every_search_its_length() {
    for way in TWO_OUTCOMES {
        is_won(&Chain::new(LONG, Kind::Plain), way, LONG as usize);
    }
}

#[test]
fn a_chain_with_bad_moves_costs_its_length() {
    // Playouts go up to the root each time: that is what Monte Carlo tree search is.
    for way in TWO_OUTCOMES.iter().filter(|way| !way.ends_with("mcts")) {
        is_won(&Chain::new(LONG, Kind::Exits), way, LONG as usize);
    }
}

#[test]
fn what_was_tried_in_vain_is_not_in_a_proof() {
    for way in ["dfs", "alphabeta"] {
        is_won(&Chain::new(LONG, Kind::Detours), way, LONG as usize + 1);
        is_won(&Chain::new(LONG, Kind::Alone), way, LONG as usize);
    }
    let game = Chain::new(LONG, Kind::Detours);
    let goal = Goal::new(&game, game.start(), Outcome::WIN, Side::Min);
    // A line for each state, and two more where Min leaves the chain.
    let report = search(&goal, "dfs");
    assert_eq!(report.solutions[0].weak.lines.len(), 2 * LONG as usize + 1);
}

#[test]
fn a_long_circle_costs_its_length() {
    for way in TWO_OUTCOMES {
        is_won(&Chain::new(LONG + 1, Kind::Circle), way, LONG as usize + 1);
    }
}

#[test]
fn a_chain_with_many_outcomes_costs_its_length() {
    for way in MANY_OUTCOMES {
        is_won(&Chain { outcomes: 3, ..Chain::new(LONG, Kind::Plain) }, way, LONG as usize);
    }
}

#[test]
fn a_state_may_have_any_number_of_moves() {
    for width in [32_766, 32_767, 32_768, 40_000, 65_536, 100_000] {
        for kind in [Kind::Wide, Kind::WideForMin] {
            for way in TWO_OUTCOMES {
                is_won(&Chain::new(width, kind), way, 1);
            }
            for way in MANY_OUTCOMES {
                is_won(&Chain { outcomes: 3, ..Chain::new(width, kind) }, way, 1);
            }
        }
    }
}

#[test]
fn wide_states_survive_when_a_tree_gives_memory_back() {
    let game = Wide { many: 12, width: 40_000 };
    let goal = Goal::new(&game, START, Outcome::WIN, Side::Min);
    let mut leaves = Leaves::new(Init::One, 0);
    let whole = tree(&goal, &Pn, &mut leaves, Limits::NONE, &mut ());
    let limits = Limits { nodes: u64::MAX, bytes: whole.counts.peak_bytes / 4 * 3 };
    let report = tree(&goal, &Pn, &mut leaves, limits, &mut ());
    assert_eq!((report.stop, report.value()), (StopReason::Solved, Some(Outcome::WIN)));
    assert_eq!(report.counts.nodes, whole.counts.nodes);
    assert_eq!(report.solutions[0].weak, whole.solutions[0].weak);
}

/// Min chooses one of some states. In each of them Max chooses among many that are lost, some of
/// them one move later, and a last one that is won one move later.
struct Wide {
    many: u32,
    width: u32,
}

const START: u32 = 0;
const WON: u32 = 1;
/// From here on, states are lost.
const LOST: u32 = 1_000_000;
/// From here on, Min has many moves that win for it, and in the last one of these states none.
const LAST: u32 = 2_000_000;
const LATER: u32 = 200;

impl Game for Wide {
    type State = u32;
    type Move = u32;

    fn start(&self) -> u32 {
        START
    }

    fn turn(&self, s: &u32) -> Turn {
        match *s {
            START | LAST.. => Turn::Agent(Agent(1)),
            WON | LOST..LAST => Turn::Over,
            _ => Turn::Agent(Agent(0)),
        }
    }

    fn moves(&self, s: &u32, _agent: Agent, out: &mut Vec<u32>) {
        match *s {
            START => out.extend(10..10 + self.many),
            LAST.. if s - LAST == LATER => out.push(WON),
            LAST.. => out.extend(LOST..LOST + self.width / LATER),
            _ => {
                out.extend(LOST..LOST + self.width);
                out.extend(LAST..=LAST + LATER);
            }
        }
    }

    fn play(&self, s: &mut u32, _agent: Agent, m: u32) {
        *s = m;
    }

    fn outcome(&self, s: &u32) -> Outcome {
        if *s == WON { Outcome::WIN } else { Outcome::LOSS }
    }
}

impl Guide for Wide {
    type Packed = u32;

    fn pack(&self, s: &u32) -> u32 {
        *s
    }
}

/// Proof numbers that count how often they are compared and computed.
struct Counting(Counter);

impl Scheme for Counting {
    type Value = Effort;
    type Key = <Pn as Scheme>::Key;

    fn of_chance(&self, _chance: f64) -> Effort {
        Effort { proof: 1, disproof: 1 }
    }

    fn chance(&self, _value: Effort) -> f64 {
        0.5
    }

    fn text(&self, value: Effort) -> String {
        Pn.text(value)
    }

    fn solved(&self, outcome: Outcome) -> Effort {
        Pn.solved(outcome)
    }

    fn outcome(&self, value: Effort) -> Option<Outcome> {
        Pn.outcome(value)
    }

    fn key(&self, side: Side, context: Effort, value: Effort) -> Self::Key {
        self.0.add(1);
        Pn.key(side, context, value)
    }

    fn update(&self, side: Side, children: impl Iterator<Item = Effort>) -> Effort {
        self.0.add(1);
        Pn.update(side, children)
    }
}

#[test]
fn a_descent_begins_where_the_last_one_ended() {
    for kind in [Kind::Plain, Kind::Exits, Kind::Circle] {
        let game = Chain::new(LONG + 1, kind);
        let goal = Goal::new(&game, game.start(), Outcome::WIN, Side::Min);
        for way in ["tree", "dag"] {
            let scheme = Counting(Counter::new(20 * u64::from(LONG)));
            let mut leaves = Leaves::new(Init::One, 0);
            let report = match way {
                "tree" => tree(&goal, &scheme, &mut leaves, Limits::NONE, &mut ()),
                _ => dag(&goal, &scheme, &mut leaves, Limits::NONE, &mut ()),
            };
            assert_eq!(report.value(), Some(Outcome::WIN), "{way} on {kind:?}");
        }
    }
}

#[test]
fn all_plays_that_win_are_listed_however_long() {
    struct Alone(u32);
    impl Game for Alone {
        type State = u32;
        type Move = bool;
        fn start(&self) -> u32 {
            0
        }
        fn turn(&self, s: &u32) -> Turn {
            if *s > self.0 { Turn::Over } else { Turn::Agent(Agent(0)) }
        }
        fn moves(&self, s: &u32, _agent: Agent, out: &mut Vec<bool>) {
            out.push(true);
            if *s == self.0 {
                out.push(false);
            }
        }
        fn play(&self, s: &mut u32, _agent: Agent, m: bool) {
            *s += if m { 1 } else { 2 };
        }
        fn outcome(&self, _s: &u32) -> Outcome {
            Outcome::WIN
        }
    }
    impl Guide for Alone {
        type Packed = u32;
        fn pack(&self, s: &u32) -> u32 {
            *s
        }
    }
    let game = Alone(LONG);
    let goal = Goal::new(&game, game.start(), Outcome::WIN, Side::Min);
    let order =
        Order { by: OrderBy::Rules, walk: Walk::Full, seed: 0, find: Find::Lines, threads: 1 };
    let limits = Limits { bytes: 1 << 28, ..Limits::NONE };
    let report = alphabeta(&goal, order, limits, u64::MAX, &mut ());
    assert_eq!(report.found.iter().map(Vec::len).collect::<Vec<_>>(), [LONG as usize + 1; 2]);
    assert_eq!(goal.look(&LONG), Look::Choice(Side::Max));
}

#[test]
fn a_path_that_does_not_fit_into_memory_ends_a_search() {
    for way in ["dfs", "alphabeta", "df pn"] {
        let game = Chain::new(LONG, Kind::Plain);
        let goal = Goal::new(&game, game.start(), Outcome::WIN, Side::Min);
        let limits = Limits { bytes: 1 << 20, ..Limits::NONE };
        let order =
            Order { by: OrderBy::Rules, walk: Walk::Full, seed: 0, find: Find::One, threads: 1 };
        let report = match way {
            "dfs" => dfs(&goal, limits, &mut ()),
            "alphabeta" => alphabeta(&goal, order, limits, u64::MAX, &mut ()),
            _ => df(&goal, &Pn, &mut Leaves::new(Init::One, 0), limits, u64::MAX, &mut ()),
        };
        assert_eq!(report.stop, StopReason::Memory, "{way}");
        assert!(report.counts.peak_bytes < 3 << 20, "{way}: {}", report.counts.peak_bytes);
    }
}
