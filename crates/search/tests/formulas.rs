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
use foregone_search::drive::{Find, Inner, Nested, Order, OrderBy, Walk, alphabeta, df, dfs, tree};
use foregone_search::report::Counts;
use foregone_search::scheme::{Cost, LambdaPn, Mcts, Mps, Pn, Pp};
use foregone_search::{Init, Least, Leaves, Limits, Report};

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
        Scale::named(names)
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
    Reading { text, definitions: PAPER, protagonist, turn }
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
    let order = |by, find| Order { by, walk: Walk::Null, seed: 0, find };
    let f = check.formula();
    let part = |i| matches!(f.node(Id(i)), Node::And(..) | Node::Or(..));
    let lambda = LambdaPn { parts: (0..f.len() as u32).map(part).collect() };
    let mcts = Mcts { exploration: Mcts::EXPLORATION };
    let stop_check = || None;
    let nested = &mut Nested::new(Inner::Pn, Init::Mobility, 0, limits, &stop_check);
    vec![
        ("dfps", dfs(&goal, limits, watch)),
        ("alphabeta", alphabeta(&goal, order(OrderBy::Game, Find::One), limits, 1 << 30, watch)),
        ("keys", alphabeta(&goal, order(OrderBy::Rules, Find::Keys), limits, 1 << 30, watch)),
        ("pnps", tree(&goal, &Pn, &mut leaves(Init::Constant), limits, watch)),
        ("lambda", tree(&goal, &lambda, &mut leaves(Init::Constant), limits, watch)),
        ("ppps", tree(&goal, &Pp, &mut leaves(Init::Mobility), limits, watch)),
        ("mcps", tree(&goal, &mcts, &mut leaves(Init::Playout), limits, watch)),
        ("dfpn", df(&goal, &Pn, &mut leaves(Init::Mobility), limits, 1 << 30, watch)),
        ("pn2", tree(&goal, &Pn, nested, limits, watch)),
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
    let Turn::Agent(side) = check.turn(&s) else { unreachable!() };
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
                ("mps", tree(&goal, &mps, &mut Least(&mps), limits, &mut ())),
                ("dfmps", df(&goal, &mps, &mut Least(&mps), limits, 1 << 30, &mut ())),
            ];
            for (name, report) in reports {
                assert_eq!(report.value(), Some(if truth { Outcome::WIN } else { Outcome::LOSS }));
                assert_eq!(report.cost, expected, "{name} on {text}, {cost:?}, round {round}");
                let proof = replay(&check, &start, &report, name);
                let found = cost_of(&check, &cost, &proof, start.clone(), &mut 0);
                assert_eq!(Some(found), expected, "{name}: the proof of {text}, {cost:?}");
            }
            // I and J never overestimate (Proposition 23).
            let leaf = mps.leaf(f.root.0);
            let guess = if truth { leaf.proof } else { leaf.disproof };
            assert!(u64::from(guess) <= expected.unwrap(), "{text}");
        }
    }
}

/// The classes as the paper has them (its Definitions 4, 5 and 8 to 12), where `a` is A's turn
/// and `b` that of others.
const PAPER: &str = "
    def WSa(0) = w; def WSa(n) = w | (!l & <A> WSb(n-1));
    def WSb(0) = w; def WSb(n) = w | (!l & [B] WSa(n-1));
    def La(0) = w; def La(n) = w | (!l & <A>(w | (<A> w & Lb(n-1))));
    def Lb(0) = w; def Lb(n) = w | (!l & [B] La(n-1));
    def LSa(0, n) = w; def LSa(d, 0) = w;
    def LSa(d, n) = w | <A>(!l & LSa(d-1, n-1) & LSb(d, n-1));
    def LSb(0, n) = w; def LSb(d, 0) = w; def LSb(d, n) = w | [B](!l & LSa(d, n-1));
    def APSa(0) = w; def APSa(n) = w | <A>(!l & APSa(n-1) & APSb(n-1));
    def APSb(0) = w; def APSb(n) = w | [B](!l & APSa(n-1));
    def PTa(n) = w | <A>(!l & path(n) & PTb(n));
    def PTb(0) = w; def PTb(n) = w | (!l & [B] PTa(n-1));
    def BRSa(0) = w; def BRSa(n) = w | <A>(!l & BRSb(n-1));
    def BRSb(0) = w; def BRSb(n) = w | [B*](!l & BRSa(n-1));
    def PAa(0) = w; def PAa(n) = w | <A>(!l & PAb(n-1, 1));
    def PAb(0, i) = w; def PAb(n, i) when i < k = w | [B(i)](!l & PAb(n-1, i+1));
    def PAb(n, i) = w | [B(i)](!l & PAa(n-1));
";

thread_local! {
    /// Formulas that were read before: reading takes longer than asking.
    static READ: RefCell<HashMap<(u8, String), Formula>> = RefCell::default();
}

/// Whether a formula holds in a state, by the definition.
fn holds<G: Notation>(game: &G, s: &G::State, text: &str) -> bool {
    READ.with_borrow_mut(|read| {
        let f = read.entry((game.agents(), text.to_owned())).or_insert_with(|| formula(game, text));
        satisfies(game, f, s, f.root)
    })
}

#[test]
fn the_classes_of_the_thesis_agree_with_those_of_the_paper() {
    let mut rng = Rng::new(3);
    let mut seen = [0u32; 2];
    for round in 0..300 {
        let game = Automaton::random(2 + (round % 3) as u8, 7, 4, &mut rng);
        let mut agree = |thesis: String, paper: String| {
            let truth = holds(&game, &0, &thesis);
            seen[usize::from(truth)] += 1;
            assert_eq!(truth, holds(&game, &0, &paper), "{thesis} and {paper}, round {round}");
        };
        for n in 1..=3u32 {
            let depth = 2 * n - 1;
            agree(format!("omega({n})"), format!("WSa({depth})"));
            agree(format!("ladder({depth})"), format!("La({depth})"));
            agree(format!("PT({n})"), format!("PTa({})", n - 1));
            agree(format!("beta({n})"), format!("BRSa({depth})"));
            for d in 0..=3 {
                agree(format!("lambda({d}, {depth})"), format!("LSa({d}, {depth})"));
            }
            // A ladder is a λ-tree of order 2: that of order 1 asks for the win itself.
            agree(format!("ladder({depth})"), format!("lambda(2, {depth})"));
            agree(
                format!("gagnant({n})"),
                format!("<A> w | <A>(gagnant({}) & [B] gagnant({}))", n - 1, n - 1),
            );
        }
        for n in 1..=6 {
            agree(format!("PA({n})"), format!("PAa({n})"));
        }
    }
    assert!(seen.iter().all(|&n| n > 500), "{seen:?}");
}

/// A Maker-Breaker game: agents take points in turn; agent 0 wants all points of one of the sets.
/// A move is never bad for who makes it, so there is no zugzwang.
struct Maker {
    points: u32,
    agents: u8,
    sets: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Taken {
    own: u8,
    others: u8,
    turn: u8,
}

impl Maker {
    fn random(agents: u8, rng: &mut Rng) -> Maker {
        let points = 4 + rng.below(3);
        let sets = (0..2 + rng.below(4))
            .map(|_| {
                let size = 1 + rng.below(3);
                (0..size).fold(0, |set, _| set | 1 << rng.below(points))
            })
            .collect();
        Maker { points, agents, sets }
    }

    fn free(&self, s: &Taken) -> u8 {
        ((1u16 << self.points) - 1) as u8 & !(s.own | s.others)
    }
}

impl Game for Maker {
    type State = Taken;
    type Move = u8;

    fn start(&self) -> Taken {
        Taken { own: 0, others: 0, turn: 0 }
    }

    fn turn(&self, s: &Taken) -> Turn {
        let won = self.sets.iter().any(|set| set & !s.own == 0);
        if won || self.free(s) == 0 { Turn::Over } else { Turn::Agent(Agent(s.turn)) }
    }

    fn moves(&self, s: &Taken, _agent: Agent, out: &mut Vec<u8>) {
        let free = self.free(s);
        out.extend((0..8).filter(|p| free >> p & 1 == 1));
    }

    fn play(&self, s: &mut Taken, agent: Agent, m: u8) {
        if agent.0 == 0 {
            s.own |= 1 << m;
        } else {
            s.others |= 1 << m;
        }
        s.turn = (agent.0 + 1) % self.agents;
    }

    fn outcome(&self, s: &Taken) -> Outcome {
        if self.sets.iter().any(|set| set & !s.own == 0) { Outcome::WIN } else { Outcome::LOSS }
    }

    fn agents(&self) -> u8 {
        self.agents
    }

    fn off_turn(&self) -> OffTurn {
        OffTurn::Moves
    }
}

impl Guide for Maker {
    type Packed = Taken;
    const PACKS_TURN: bool = true;

    fn pack(&self, s: &Taken) -> Taken {
        *s
    }
}

impl Notation for Maker {
    fn name(&self) -> String {
        "maker".to_owned()
    }

    fn players(&self) -> [&str; 2] {
        ["maker", "breakers"]
    }

    fn agent_name(&self, agent: Agent) -> &str {
        ["maker", "breaker1", "breaker2"][usize::from(agent.0)]
    }

    fn write_move(&self, _s: &Taken, m: u8, out: &mut String) {
        out.push_str(&m.to_string());
    }

    fn parse_move(&self, _s: &Taken, text: &str) -> Option<u8> {
        text.parse().ok()
    }

    fn write_position(&self, s: &Taken, out: &mut String) {
        out.push_str(&format!("{}/{}/{}", s.own, s.others, s.turn));
    }

    fn read_position(&self, text: &str) -> Result<Taken, TextError> {
        Err(TextError::new("no position", 0..text.len()))
    }

    fn draw(&self, _s: &Taken) -> String {
        String::new()
    }
}

impl Maker {
    /// All states in which as many points are taken by either side as the formulas may ask for.
    fn states(&self) -> Vec<Taken> {
        let all = 1u16 << self.points;
        let mut states = Vec::new();
        for own in 0..all {
            for others in (0..all).filter(|o| o & own == 0) {
                states.push(Taken { own: own as u8, others: others as u8, turn: 0 });
            }
        }
        states
    }
}

/// Proposition 31 holds in every game: each of the three classes has ω as its consequence.
#[test]
fn proposition_31_threats_are_winning_strategies() {
    let mut rng = Rng::new(31);
    let mut premises = 0;
    for _ in 0..300 {
        let game = Automaton::random(2, 7, 4, &mut rng);
        for n in 1..=3 {
            let omega = holds(&game, &0, &format!("omega({n})"));
            let mut implies = |text: String| {
                let premise = holds(&game, &0, &text);
                premises += u32::from(premise);
                assert!(!premise || omega, "{text}");
            };
            implies(format!("APS({n})"));
            implies(format!("PT({n})"));
            for d in 0..=3 {
                implies(format!("lambda({d}, {})", 2 * n - 1));
            }
        }
    }
    assert!(premises > 300, "{premises}");
}

/// Proposition 32: without zugzwang, ω has the same consequences as APS and PT.
#[test]
fn proposition_32_without_zugzwang_strategies_are_threats() {
    let mut rng = Rng::new(32);
    let mut premises = 0;
    for _ in 0..20 {
        let game = Maker::random(2, &mut rng);
        for s in game.states() {
            for n in 1..=3 {
                assert!(!holds(&game, &s, &format!("zugzwang(omega({n}))")), "{s:?}");
                if holds(&game, &s, &format!("omega({n})")) {
                    premises += 1;
                    assert!(holds(&game, &s, &format!("APS({n})")), "{s:?}");
                    assert!(holds(&game, &s, &format!("PT({n})")), "{s:?}");
                    // In such games only A's own moves win, and the paper's APS counts them twice.
                    assert!(holds(&game, &s, &format!("APSa({})", 2 * n - 1)), "{s:?}");
                }
            }
        }
    }
    assert!(premises > 500, "{premises}");
}

/// There are games with zugzwang in which a strategy is no threat: the proposition needs its
/// condition.
#[test]
fn with_zugzwang_a_strategy_need_not_be_a_threat() {
    let mut rng = Rng::new(32);
    let (mut zugzwang, mut apart) = (0, 0);
    for _ in 0..500 {
        let game = Automaton::random(2, 5, 4, &mut rng);
        zugzwang += u32::from(holds(&game, &0, "zugzwang(omega(1))"));
        apart += u32::from(holds(&game, &0, "omega(2) & !APS(2)"));
    }
    assert!(zugzwang > 10 && apart > 10, "{zugzwang} {apart}");
}

/// Proposition 33: without zugzwang, a paranoid win is a best-reply win.
#[test]
fn proposition_33_paranoid_wins_are_best_reply_wins() {
    let mut rng = Rng::new(33);
    let mut premises = 0;
    for _ in 0..8 {
        let game = Maker::random(3, &mut rng);
        for s in game.states() {
            for n in 1..=2u32 {
                for i in 0..=3 * n {
                    for j in 0..3 {
                        let free = !holds(&game, &s, &format!("zugzwang(PA({i}, {j}))"));
                        assert!(free || j > 0, "{s:?} {i} {j}");
                    }
                }
                if holds(&game, &s, &format!("PA({})", 3 * n)) {
                    premises += 1;
                    assert!(holds(&game, &s, &format!("beta({n})")), "{s:?} {n}");
                }
            }
        }
    }
    assert!(premises > 100, "{premises}");
}

const A: Agent = Agent(0);

/// The searches that formulas simulate (Definition 32), written out: their answers, and through
/// the automaton's log the states in their order.
struct Direct<'a>(&'a Automaton);

impl Direct<'_> {
    fn won(&self, s: u16) -> bool {
        literal(self.0, &s, Proposition::Won(A))
    }

    /// Tries the moves of an agent until one leads to `found`.
    fn any(&self, s: u16, agent: Agent, found: &mut dyn FnMut(u16) -> bool) -> bool {
        moves(self.0, &s, agent, A)
            .into_iter()
            .any(|m| found(m.map_or(s, |m| self.0.go(s, agent, m))))
    }

    fn all(&self, s: u16, agent: Agent, holds: &mut dyn FnMut(u16) -> bool) -> bool {
        !self.any(s, agent, &mut |t| !holds(t))
    }

    fn depth_first(&self, s: u16, n: u32) -> bool {
        self.won(s) || (n > 0 && self.any(s, A, &mut |t| self.depth_first(t, n - 1)))
    }

    fn alpha_beta(&self, s: u16, n: u32) -> bool {
        self.won(s)
            || match n {
                0 => false,
                1 => self.any(s, A, &mut |t| self.won(t)),
                _ => self
                    .any(s, A, &mut |t| self.all(t, Agent(1), &mut |u| self.alpha_beta(u, n - 1))),
            }
    }

    fn abstract_proof(&self, s: u16, n: u32) -> bool {
        self.won(s)
            || match n {
                0 => false,
                1 => self.any(s, A, &mut |t| self.won(t)),
                _ => self.any(s, A, &mut |t| {
                    self.abstract_proof(t, n - 1)
                        && self.all(t, Agent(1), &mut |u| self.abstract_proof(u, n - 1))
                }),
            }
    }

    fn lambda(&self, s: u16, d: u32, n: u32) -> bool {
        self.won(s)
            || match (d, n) {
                (0, _) | (_, 0) => false,
                (_, 1) => self.any(s, A, &mut |t| self.won(t)),
                _ => self.any(s, A, &mut |t| {
                    self.lambda(t, d - 1, n - 1)
                        && self.all(t, Agent(1), &mut |u| self.lambda(u, d, n - 2))
                }),
            }
    }

    fn paranoid(&self, s: u16, n: u32, i: u8) -> bool {
        match (n, i) {
            (0, _) => self.won(s),
            (_, 0) => self.won(s) || self.any(s, A, &mut |t| self.paranoid(t, n - 1, 1)),
            _ => {
                let next = (i + 1) % self.0.agents;
                self.all(s, Agent(i), &mut |t| self.paranoid(t, n - 1, next))
            }
        }
    }

    fn best_reply(&self, s: u16, n: u32) -> bool {
        self.won(s)
            || match n {
                0 => false,
                1 => self.any(s, A, &mut |t| self.won(t)),
                _ => self.any(s, A, &mut |t| {
                    (1..self.0.agents)
                        .all(|i| self.all(t, Agent(i), &mut |u| self.best_reply(u, n - 1)))
                }),
            }
    }
}

#[test]
fn depth_first_proof_search_simulates_the_known_searches() {
    let mut rng = Rng::new(32);
    let mut seen = [0u32; 2];
    for round in 0..300 {
        let game = Automaton::random(2 + (round % 2) as u8, 7, 4, &mut rng);
        let mut same = |text: String, search: &dyn Fn(&Direct<'_>) -> bool| {
            let check = Check::new(&game, formula(&game, &text));
            game.log();
            let direct = search(&Direct(&game));
            let expected = game.log();
            let goal = Goal::new(&check, check.ask(0), Outcome::WIN, Side::Min);
            let report = dfs(&goal, Limits::NONE, &mut ());
            assert_eq!(report.value() == Some(Outcome::WIN), direct, "{text}");
            assert_eq!(game.log(), expected, "{text}: the same states in the same order");
            seen[usize::from(direct)] += 1;
        };
        for n in 1..=3 {
            same(format!("path({n})"), &|d| d.depth_first(0, n));
            same(format!("omega({n})"), &|d| d.alpha_beta(0, n));
            same(format!("APS({n})"), &|d| d.abstract_proof(0, n));
            same(format!("PA({})", 2 * n), &|d| d.paranoid(0, 2 * n, 0));
            same(format!("beta({n})"), &|d| d.best_reply(0, n));
            for order in 1..=3 {
                let depth = 2 * n - 1;
                same(format!("lambda({order}, {depth})"), &|d| d.lambda(0, order, depth));
            }
        }
    }
    assert!(seen.iter().all(|&n| n > 500), "{seen:?}");
}

#[test]
fn proof_number_proof_search_on_omega_is_proof_number_search() {
    let mut rng = Rng::new(9);
    for round in 0..300 {
        // Six moves at most, so that three of A's and three of B's are the whole game. Nobody wins
        // as well as B: A has won or not.
        let game = Automaton::random(2, 6, 5, &mut rng);
        let plain = Goal::new(&game, 0, game.scale().best(), Side::Min);
        game.log();
        let searched =
            tree(&plain, &Pn, &mut Leaves::new(Init::Constant, 0), Limits::NONE, &mut ());
        let expected = game.log();
        let check = Check::new(&game, formula(&game, "omega(4)"));
        let goal = Goal::new(&check, check.ask(0), Outcome::WIN, Side::Min);
        let report = tree(&goal, &Pn, &mut Leaves::new(Init::Constant, 0), Limits::NONE, &mut ());
        assert_eq!(report.value(), searched.value(), "round {round}");
        let counted = |r: &Counts| (r.expansions, r.nodes);
        assert_eq!(counted(&report.counts), counted(&searched.counts), "round {round}");
        assert_eq!(game.log(), expected, "round {round}: the same states in the same order");
    }
}

#[test]
fn a_stalemate_does_not_prove_what_follows_all_moves() {
    // B has no moves where A has won; where nobody has, it passes for ever.
    let known = |over, next: [&[u16]; 2]| Known {
        over,
        turn: 0,
        labels: 0,
        next: next.iter().map(|n| n.to_vec()).collect(),
    };
    let states = vec![
        known(None, [&[1, 2], &[]]),
        known(Some(None), [&[], &[]]),
        known(Some(Some(0)), [&[], &[]]),
    ];
    let game = Automaton { agents: 2, states, played: Mutex::new(Vec::new()) };
    for (state, expected) in [(1, false), (2, true)] {
        let f = formula(&game, "[B] omega(3)");
        let check = Check::new(&game, f);
        let goal = Goal::new(&check, check.ask(state), Outcome::WIN, Side::Min);
        let report = dfs(&goal, Limits::NONE, &mut ());
        assert_eq!(report.value() == Some(Outcome::WIN), expected, "state {state}");
    }
    // A itself has no moves at all in a final state.
    assert!(!holds(&game, &1, "<A> true"));
    assert!(holds(&game, &1, "[A] false"));
    assert!(holds(&game, &1, "<B> l"));
    assert!(!holds(&game, &2, "<B> true"));
}

#[test]
fn formulas_are_written_as_they_are_read() {
    let mut rng = Rng::new(77);
    let game = Automaton::random(3, 3, 3, &mut rng);
    for _ in 0..2000 {
        let text = random_formula(3, 5, &mut rng);
        let f = formula(&game, &text);
        let written = f.text(f.root, true, usize::MAX);
        let again = formula(&game, &written);
        assert_eq!(again.text(again.root, true, usize::MAX), written, "{text}");
        for s in 0..game.states.len() as u16 {
            let truth = satisfies(&game, &f, &s, f.root);
            assert_eq!(satisfies(&game, &again, &s, again.root), truth, "{text}: {written}");
        }
    }
}

#[test]
fn no_text_makes_the_reader_panic() {
    let mut rng = Rng::new(78);
    let game = Automaton::random(3, 3, 3, &mut rng);
    let language = Language::of(&game);
    let pieces = [
        "def",
        "from",
        "B",
        "when",
        "f",
        "g",
        "omega",
        "reach",
        "zugzwang",
        "PA",
        "lambda",
        "n",
        "k",
        "w",
        "p",
        "true",
        "(",
        ")",
        ",",
        ";",
        "<",
        ">",
        "[",
        "]",
        "<A>",
        "[B*]",
        "[B(1)]",
        "[B(n",
        "◇_A",
        "□",
        "◇_B(2)",
        "=",
        "-",
        "+",
        "*",
        "!",
        "&",
        "|",
        "->",
        "0",
        "1",
        "2",
        "99999999999999999999",
        "#",
        "h#2.5",
        "s#1",
        "//",
        "é",
        "\n",
        " ",
        "turn(",
        "turn(A)",
    ];
    let (mut read, mut refused) = (0, 0);
    let mut ask = |text: &str| {
        let (protagonist, turn) = (None, Agent(1));
        match (Reading { text, definitions: "", protagonist, turn }).read(&language) {
            Ok(f) => {
                read += 1;
                let _ = f.text(f.root, true, 1000);
            }
            Err(e) => {
                refused += 1;
                let span = e.error.span;
                assert!(span.start <= span.end, "{text}");
            }
        }
    };
    for _ in 0..20_000 {
        let count = 1 + rng.below(12);
        let text: String =
            (0..count).map(|_| pieces[rng.below(pieces.len() as u32) as usize]).collect();
        ask(&text);
        let mut text = random_formula(3, 3, &mut rng);
        let at = rng.below(text.len() as u32 + 1) as usize;
        text.insert_str(at, pieces[rng.below(pieces.len() as u32) as usize]);
        ask(&text);
    }
    // What would take all memory or all of the stack is refused.
    for text in [
        "(".repeat(100_000),
        "!".repeat(100_000),
        "<A>".repeat(100_000),
        vec!["w"; 100_000].join("&"),
        vec!["w"; 100_000].join("->"),
        format!("omega({})", vec!["1"; 100_000].join("+")),
        "omega(1000000)".to_owned(),
        "def f(n) = f(n) & f(n+1); f(0)".to_owned(),
        "def f(n) = <A> f(n+1) | [B] f(n+1); f(0)".to_owned(),
        "lambda(400, 400)".to_owned(),
    ] {
        ask(&text);
    }
    assert!(read > 1000 && refused > 1000, "{read} {refused}");
}

#[test]
fn every_and_some_opponent_are_what_they_say() {
    let mut rng = Rng::new(41);
    let mut seen = [0u32; 2];
    for _ in 0..300 {
        let game = Automaton::random(3, 4, 4, &mut rng);
        for (short, long) in [
            ("[B*] p", "[B1] p & [B2] p"),
            ("[B?] p", "[B1] p | [B2] p"),
            ("<B*> p", "<B1> p & <B2> p"),
            ("<B?> p", "<B1> p | <B2> p"),
            ("![B?] p", "<B1> !p & <B2> !p"),
            ("!<B*> p", "[B1] !p | [B2] !p"),
            ("[B(k)] p", "[B2] p"),
            ("◇_A □_B1 p", "<A>[B] p"),
            ("p -> q -> p", "true"),
            ("¬p ∨ q ∧ p", "!p | (q & p)"),
        ] {
            let truth = holds(&game, &0, long);
            assert_eq!(holds(&game, &0, short), truth, "{short} is {long}");
            seen[usize::from(truth)] += 1;
        }
    }
    assert!(seen.iter().all(|&n| n > 300), "{seen:?}");
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
