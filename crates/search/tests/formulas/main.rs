//! Formulas on random games: every algorithm against the definition of satisfaction, minimal
//! proofs against exhaustive comparison, simulations (Definition 32) and Propositions 31 to 33.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::Cursor;
use std::sync::Mutex;

use foregone_model::certificate::{self, Reader};
use foregone_model::formula::{
    Check, Formula, Id, Language, Node, Point, Proposition, Reading, Step, Text,
};
use foregone_model::{
    Agent, Atom, Endless, Game, Goal, Guide, Line, Notation, OffTurn, Outcome, Rng, Scale, Side,
    TextError, Turn, WeakSolution,
};
use foregone_search::drive::{
    Find, Inner, Order, OrderBy, Walk, alphabeta, df, dfs, squared, tree,
};
use foregone_search::report::Counts;
use foregone_search::scheme::{Cost, LambdaPn, Mcts, Mps, Pn, Pp};
use foregone_search::{Init, Leaves, Limits, Report};

mod classes;
mod simulations;
mod texts;

/// A random automaton (Definition 21): states with labels, and for every agent a list of moves.
/// What is played is written down.
struct Automaton {
    agents: u8,
    states: Vec<Known>,
    played: Mutex<Vec<u16>>,
}

#[derive(Clone)]
struct Known {
    /// Who has won, if the state is final: an agent, or nobody.
    over: Option<Option<u8>>,
    turn: u8,
    labels: u8,
    next: Vec<Vec<u16>>,
}

impl Automaton {
    /// Layers of states; moves go down, so that no play is endless.
    fn random(agents: u8, layers: usize, width: usize, rng: &mut Rng) -> Automaton {
        let mut below = |n: usize| rng.below(n as u32) as usize;
        let mut states = Vec::new();
        for layer in 0..layers {
            let many = if layer == 0 { 1 } else { width };
            for _ in 0..many {
                let last = layer + 1 == layers;
                let over = (layer > 0 && (last || below(5) == 0))
                    .then(|| Some(below(usize::from(agents) + 1) as u8).filter(|&a| a < agents));
                let first = 1 + layer * width;
                let mut moves = || {
                    let count = 1 + below(3);
                    (0..count).map(|_| (first + below(width)) as u16).collect::<Vec<_>>()
                };
                let next = (0..agents).map(|_| if last { Vec::new() } else { moves() }).collect();
                let (turn, labels) = ((layer % usize::from(agents)) as u8, below(4) as u8);
                states.push(Known { over, turn, labels, next });
            }
        }
        Automaton { agents, states, played: Mutex::new(Vec::new()) }
    }

    fn log(&self) -> Vec<u16> {
        std::mem::take(&mut *self.played.lock().unwrap())
    }

    fn at(&self, s: u16) -> &Known {
        &self.states[usize::from(s)]
    }

    /// Plays and writes it down, for searches written out in the tests.
    fn go(&self, s: u16, agent: Agent, m: u8) -> u16 {
        let mut next = s;
        self.play(&mut next, agent, m);
        next
    }
}

impl Game for Automaton {
    type State = u16;
    type Move = u8;

    /// The wins of the others, nobody's, and that of the first.
    fn scale(&self) -> Scale {
        let mut names: Vec<String> = (1..self.agents).map(|a| format!("agent{a}")).collect();
        names.extend(["nobody".to_owned(), "agent0".to_owned()]);
        Scale::words(names)
    }

    fn start(&self) -> u16 {
        0
    }

    fn turn(&self, s: &u16) -> Turn {
        let state = self.at(*s);
        if state.over.is_some() { Turn::Over } else { Turn::Agent(Agent(state.turn)) }
    }

    fn moves(&self, s: &u16, agent: Agent, out: &mut Vec<u8>) {
        out.extend(0..self.at(*s).next[usize::from(agent.0)].len() as u8);
    }

    fn play(&self, s: &mut u16, agent: Agent, m: u8) {
        *s = self.at(*s).next[usize::from(agent.0)][usize::from(m)];
        self.played.lock().unwrap().push(*s);
    }

    fn outcome(&self, s: &u16) -> Outcome {
        Outcome(match self.at(*s).over.flatten() {
            Some(0) => u16::from(self.agents),
            Some(a) => u16::from(a) - 1,
            None => u16::from(self.agents) - 1,
        })
    }

    fn agents(&self) -> u8 {
        self.agents
    }

    fn off_turn(&self) -> OffTurn {
        OffTurn::Moves
    }

    fn won(&self, outcome: Outcome, agent: Agent) -> bool {
        let of = if agent.0 == 0 { self.agents } else { agent.0 - 1 };
        outcome.0 == u16::from(of)
    }

    fn holds(&self, s: &u16, atom: Atom) -> bool {
        self.at(*s).labels >> atom.0 & 1 == 1
    }

    fn endless(&self) -> Endless {
        Endless::Impossible
    }
}

impl Guide for Automaton {
    type Packed = u16;
    const PACKS_TURN: bool = true;

    fn pack(&self, s: &u16) -> u16 {
        *s
    }
}

impl Notation for Automaton {
    fn name(&self) -> String {
        "automaton".to_owned()
    }

    fn players(&self) -> [&str; 2] {
        ["agent0", "others"]
    }

    fn agent_name(&self, agent: Agent) -> &str {
        ["agent0", "agent1", "agent2", "agent3"][usize::from(agent.0)]
    }

    fn atoms(&self) -> &[(&'static str, &'static str)] {
        &[("p", ""), ("q", "")]
    }

    fn read_atom(&self, text: &str) -> Option<Atom> {
        ["p", "q"].iter().position(|a| *a == text).map(|i| Atom(i as u32))
    }

    fn write_move(&self, _s: &u16, m: u8, out: &mut String) {
        out.push_str(&m.to_string());
    }

    fn parse_move(&self, _s: &u16, text: &str) -> Option<u8> {
        text.parse().ok()
    }

    fn write_position(&self, s: &u16, out: &mut String) {
        out.push_str(&s.to_string());
    }

    fn read_position(&self, text: &str) -> Result<u16, TextError> {
        text.parse()
            .ok()
            .filter(|&s: &u16| usize::from(s) < self.states.len())
            .ok_or_else(|| TextError::new("no state", 0..text.len()))
    }

    fn draw(&self, s: &u16) -> String {
        format!("{s}\n")
    }
}

fn formula<G: Notation>(game: &G, text: &str) -> Formula {
    let (protagonist, turn) = (Some(Agent(0)), Agent(0));
    Reading { text, definitions: classes::PAPER, protagonist, turn }
        .read(&Language::of(game))
        .unwrap_or_else(|e| panic!("{text}: {e:?}"))
}

/// The moves of an agent as section 4.5 has them; nothing is a pass.
fn moves<G: Game>(game: &G, s: &G::State, agent: Agent, a: Agent) -> Vec<Option<G::Move>> {
    if game.turn(s) == Turn::Over {
        let passes = agent != a && !game.won(game.outcome(s), a);
        return if passes { vec![None] } else { Vec::new() };
    }
    let mut list = Vec::new();
    game.moves(s, agent, &mut list);
    list.into_iter().map(Some).collect()
}

fn after<G: Game>(game: &G, s: &G::State, agent: Agent, m: Option<G::Move>) -> G::State {
    let mut next = s.clone();
    if let Some(m) = m {
        game.play(&mut next, agent, m);
    }
    next
}

fn literal<G: Game>(game: &G, s: &G::State, p: Proposition) -> bool {
    let over = game.turn(s) == Turn::Over;
    match p {
        Proposition::Game(atom) => game.holds(s, atom),
        Proposition::Won(a) => over && game.won(game.outcome(s), a),
        Proposition::Lost(a) => over && !game.won(game.outcome(s), a),
        Proposition::Over => over,
        _ => unreachable!(),
    }
}

/// Definition 23, with the moves of section 4.5.
fn satisfies<G: Game>(game: &G, f: &Formula, s: &G::State, id: Id) -> bool {
    let ahead = |agent: Agent| moves(game, s, agent, f.protagonist).into_iter();
    match f.node(id) {
        Node::Constant(value) | Node::Stuck(_, value) => value,
        Node::Literal(p, positive) => literal(game, s, p) == positive,
        Node::And(a, b) => satisfies(game, f, s, a) && satisfies(game, f, s, b),
        Node::Or(a, b) => satisfies(game, f, s, a) || satisfies(game, f, s, b),
        Node::Box(agent, g) => {
            ahead(agent).all(|m| satisfies(game, f, &after(game, s, agent, m), g))
        }
        Node::Diamond(agent, g) => {
            ahead(agent).any(|m| satisfies(game, f, &after(game, s, agent, m), g))
        }
    }
}

/// A random formula of so many levels.
fn random_formula(agents: u8, levels: u32, rng: &mut Rng) -> String {
    if levels == 0 || rng.below(8) == 0 {
        let atoms = ["p", "q", "w", "l", "over", "!p", "!w", "p & q"];
        return atoms[rng.below(atoms.len() as u32) as usize].to_owned();
    }
    let part = |rng: &mut Rng| random_formula(agents, levels - 1, rng);
    let agent = match rng.below(u32::from(agents) + 1) {
        0 => "A".to_owned(),
        i if i < u32::from(agents) => format!("B{i}"),
        _ => ["B*", "B?"][rng.below(2) as usize].to_owned(),
    };
    match rng.below(8) {
        0 => format!("!({})", part(rng)),
        1 => format!("({}) & ({})", part(rng), part(rng)),
        2 => format!("({}) | ({})", part(rng), part(rng)),
        3 => format!("({}) -> ({})", part(rng), part(rng)),
        4 | 5 => format!("<{agent}>({})", part(rng)),
        _ => format!("[{agent}]({})", part(rng)),
    }
}

/// All algorithms, by their names.
fn answers<G: Guide + Notation>(
    check: &Check<'_, G>,
    start: &Point<G::State>,
) -> Vec<(&'static str, Report<Step<G::Move>>)> {
    let goal = Goal::new(check, start.clone(), Outcome::WIN, Side::Min);
    let (limits, watch) = (Limits { nodes: u64::MAX, bytes: 1 << 22 }, &mut ());
    let leaves = |init| Leaves::new(init, 7);
    let order = |by, find| Order { by, walk: Walk::Null, seed: 0, find, threads: 1 };
    let f = check.formula();
    let part = |i| matches!(f.node(Id(i)), Node::And(..) | Node::Or(..));
    let lambda = LambdaPn { parts: (0..f.len() as u32).map(part).collect() };
    let mcts = Mcts::PLAIN;
    let stop_check = || None;
    let inner = Inner {
        scheme: Pn.into(),
        init: Init::Mobility,
        seed: 0,
        threads: 1,
        inner_nodes: None,
        stop_check: &stop_check,
    };
    vec![
        ("dfps", dfs(&goal, limits, watch)),
        ("alphabeta", alphabeta(&goal, order(OrderBy::Game, Find::One), limits, 1 << 30, watch)),
        ("keys", alphabeta(&goal, order(OrderBy::Rules, Find::Keys), limits, 1 << 30, watch)),
        ("pnps", tree(&goal, &Pn, &mut leaves(Init::One), limits, watch)),
        ("lambda", tree(&goal, &lambda, &mut leaves(Init::One), limits, watch)),
        ("ppps", tree(&goal, &Pp, &mut leaves(Init::Mobility), limits, watch)),
        ("mcps", tree(&goal, &mcts, &mut leaves(Init::Playout), limits, watch)),
        ("dfpn", df(&goal, &Pn, &mut leaves(Init::Mobility), limits, 1 << 30, watch)),
        ("pn2", squared(&goal, &Pn.into(), inner, limits, watch)),
    ]
}

/// Replays a solution as a certificate, and gives it back.
fn replay<G: Guide + Notation>(
    check: &Check<'_, G>,
    start: &Point<G::State>,
    report: &Report<Step<G::Move>>,
    name: &str,
) -> WeakSolution<Step<G::Move>> {
    let goal = Goal::new(check, start.clone(), Outcome::WIN, Side::Min);
    assert_eq!(report.solutions.len(), 1, "{name} has a proof");
    let solution = &report.solutions[0];
    let claim = goal.claim(solution.weak.prover, solution.at_least);
    let written = certificate::write(check, start, claim, &solution.weak);
    let mut reader = Reader::new(Cursor::new(written.text.as_bytes()));
    let header = reader.header().unwrap().unwrap();
    let checked =
        certificate::check_formula(check.game(), &header, &mut reader, &mut certificate::RulesOnly)
            .unwrap_or_else(|e| panic!("{name}: {e}\n{}", written.text));
    assert_eq!(checked.claim, claim);
    solution.weak.clone()
}

#[test]
fn every_algorithm_agrees_with_the_definition_of_satisfaction() {
    let mut rng = Rng::new(11);
    let mut held = [0; 2];
    for round in 0..400 {
        let agents = 2 + (round % 3) as u8;
        let game = Automaton::random(agents, 5, 4, &mut rng);
        let text = random_formula(agents, 4, &mut rng);
        let check = Check::new(&game, formula(&game, &text));
        let truth = satisfies(&game, check.formula(), &0, check.formula().root);
        held[usize::from(truth)] += 1;
        let start = check.ask(0);
        for (name, report) in answers(&check, &start) {
            let value = report.value().map(|o| o == Outcome::WIN);
            assert_eq!(value, Some(truth), "{name} on {text}, round {round}");
            replay(&check, &start, &report, name);
        }
    }
    assert!(held.iter().all(|&n| n > 100), "{held:?}");
}

/// The least cost of a proof or disproof by Table 4.1, by trying all of them.
fn least_cost(
    game: &Automaton,
    f: &Formula,
    cost: &Cost,
    s: u16,
    id: Id,
    proof: bool,
) -> Option<u64> {
    let all = |costs: Vec<Option<u64>>| -> Option<u64> {
        let costs: Option<Vec<u64>> = costs.into_iter().collect();
        costs.map(|c| if cost.sums { c.iter().sum() } else { c.into_iter().max().unwrap_or(0) })
    };
    let one = |costs: Vec<Option<u64>>| costs.into_iter().flatten().min();
    let of = |id| least_cost(game, f, cost, s, id, proof);
    match f.node(id) {
        Node::Constant(value) => (value == proof).then_some(u64::from(cost.atom)),
        Node::Stuck(..) => unreachable!(),
        Node::Literal(p, positive) => {
            ((literal(game, &s, p) == positive) == proof).then_some(u64::from(cost.atom))
        }
        Node::And(a, b) if proof => all(vec![of(a), of(b)]),
        Node::And(a, b) => one(vec![of(a), of(b)]),
        Node::Or(a, b) if proof => one(vec![of(a), of(b)]),
        Node::Or(a, b) => all(vec![of(a), of(b)]),
        Node::Box(agent, g) | Node::Diamond(agent, g) => {
            let costs: Vec<Option<u64>> = moves(game, &s, agent, f.protagonist)
                .into_iter()
                .map(|m| least_cost(game, f, cost, after(game, &s, agent, m), g, proof))
                .collect();
            let needs_all = matches!(f.node(id), Node::Box(..)) == proof;
            let inside = if needs_all { all(costs) } else { one(costs) };
            inside.map(|c| c + u64::from(cost.moves[usize::from(agent.0)]))
        }
    }
}

/// What a proof that was found costs, by Table 4.1.
fn cost_of(
    check: &Check<'_, Automaton>,
    cost: &Cost,
    proof: &WeakSolution<Step<u8>>,
    s: Point<u16>,
    at: &mut usize,
) -> u64 {
    let line = proof.lines[*at];
    *at += 1;
    let toll = match check.formula().node(s.asked) {
        Node::Constant(_) | Node::Literal(..) => return u64::from(cost.atom),
        Node::Stuck(agent, _) => return u64::from(cost.moves[usize::from(agent.0)]),
        Node::And(..) | Node::Or(..) => 0,
        Node::Box(agent, _) | Node::Diamond(agent, _) => {
            u64::from(cost.moves[usize::from(agent.0)])
        }
    };
    let Some(side) = check.turn(&s).mover() else { unreachable!() };
    let mut steps = Vec::new();
    match line {
        Line::Plays(step) => steps.push(step),
        Line::Replies(_) => check.moves(&s, side, &mut steps),
        // A proof that is referred to costs as much again.
        Line::Same(earlier) => {
            let mut there = earlier as usize;
            return cost_of(check, cost, proof, s, &mut there);
        }
        Line::Over | Line::Repeats => unreachable!(),
    }
    let mut total = 0;
    for step in steps {
        let mut next = s.clone();
        check.play(&mut next, side, step);
        let one = cost_of(check, cost, proof, next, at);
        total = if cost.sums { total + one } else { total.max(one) };
    }
    total + toll
}

#[test]
fn minimal_proofs_are_minimal() {
    let mut rng = Rng::new(5);
    for round in 0..400 {
        let agents = 2 + (round % 2) as u8;
        let game = Automaton::random(agents, 5, 4, &mut rng);
        let text = random_formula(agents, 4, &mut rng);
        let check = Check::new(&game, formula(&game, &text)).step_by_step();
        let f = check.formula();
        let truth = satisfies(&game, f, &0, f.root);
        let weights = (0..agents).map(|_| rng.below(5)).collect();
        let own = Cost { atom: rng.below(4), moves: weights, sums: rng.below(2) == 0 };
        for cost in [Cost::depth(agents), Cost::atoms(agents), Cost::queries(agents), own] {
            let expected = least_cost(&game, f, &cost, 0, f.root, truth);
            let start = check.ask(0);
            if check.turn(&start) == Turn::Over {
                continue;
            }
            let mps = Mps::new(f, &cost);
            let goal =
                Goal::new(&check, start.clone(), Outcome::WIN, Side::Min).with_knowledge(false);
            let limits = Limits { nodes: u64::MAX, bytes: 1 << 22 };
            let reports = [
                ("mps", tree(&goal, &mps, &mut Leaves::new(Init::One, 0), limits, &mut ())),
                (
                    "dfmps",
                    df(&goal, &mps, &mut Leaves::new(Init::One, 0), limits, 1 << 30, &mut ()),
                ),
            ];
            for (name, report) in reports {
                assert_eq!(report.value(), Some(if truth { Outcome::WIN } else { Outcome::LOSS }));
                assert_eq!(report.cost, expected, "{name} on {text}, {cost:?}, round {round}");
                let proof = replay(&check, &start, &report, name);
                let found = cost_of(&check, &cost, &proof, start.clone(), &mut 0);
                assert_eq!(Some(found), expected, "{name}: the proof of {text}, {cost:?}");
            }
            // I and J never overestimate (Proposition 23).
            let leaf = mps.least(f.root.0);
            let guess = if truth { leaf.proof } else { leaf.disproof };
            assert!(u64::from(guess) <= expected.unwrap(), "{text}");
        }
    }
}

#[test]
fn lambda_proof_numbers_take_the_harder_part_of_a_conjunction() {
    use foregone_search::Scheme;
    use foregone_search::scheme::Effort;
    let scheme = LambdaPn { parts: vec![true, false] };
    let children = [Effort { proof: 2, disproof: 7 }, Effort { proof: 5, disproof: 3 }].into_iter();
    let at = |shape, side| scheme.update_of(shape, side, children.clone());
    assert_eq!(at(0, Side::Min), Effort { proof: 5, disproof: 3 });
    assert_eq!(at(0, Side::Max), Effort { proof: 2, disproof: 7 });
    assert_eq!(at(1, Side::Min), Effort { proof: 7, disproof: 3 });
    assert_eq!(at(1, Side::Max), Effort { proof: 2, disproof: 10 });
}
