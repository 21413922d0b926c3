//! Random graphs, walked by the search and by slow and plain code beside it.

use std::collections::{HashMap, HashSet};

use foregone_model::{Agent, Endless, Game, Guide, Outcome, Rng, Scale, Turn};

use super::{Depth, EdgeReport, Graph, MonteCarlo, NONE, Options, ROOT};

/// A random graph as a game. A state is the way to it; where only its end counts, the graph is one,
/// else it is unfolded to a tree.
struct Dag {
    ends: Vec<Vec<u16>>,
    turns: Vec<Turn>,
    outcomes: Vec<Outcome>,
    unfolded: bool,
    agents: u8,
    endless: Endless,
}

const BEST: u16 = 3;

impl Dag {
    /// So many nodes, each with edges to up to `wide` later ones, which may be far away.
    fn random(size: u16, wide: u32, rng: &mut Rng) -> Dag {
        let (mut ends, mut turns, mut outcomes) = (Vec::new(), Vec::new(), Vec::new());
        for node in 0..size {
            let left = u32::from(size - node - 1);
            let mut targets: Vec<u16> = Vec::new();
            if left > 0 && (node == 0 || rng.below(6) > 0) {
                for _ in 0..=rng.below(wide) {
                    let near = left.min(1 + rng.below(left.min(8)));
                    targets.push(node + 1 + rng.below(near) as u16);
                }
            }
            targets.sort_unstable();
            targets.dedup();
            let agent = Turn::Agent(Agent(rng.below(2) as u8));
            turns.push(if targets.is_empty() { Turn::Over } else { agent });
            ends.push(targets);
            outcomes.push(Outcome(rng.below(u32::from(BEST) + 1) as u16));
        }
        let endless = Endless::Impossible;
        Dag { ends, turns, outcomes, unfolded: false, agents: 2, endless }
    }

    fn unfolded(self) -> Dag {
        Dag { unfolded: true, ..self }
    }

    fn at(s: &[u16]) -> usize {
        usize::from(s[s.len() - 1])
    }

    /// What the first agent reaches, by going through everything.
    fn value(&self, node: usize) -> Outcome {
        let ends = self.ends[node].iter().map(|&end| self.value(usize::from(end)));
        match self.turns[node] {
            Turn::Agent(Agent::FIRST) => ends.max(),
            _ => ends.min(),
        }
        .unwrap_or(self.outcomes[node])
    }
}

impl Game for Dag {
    type State = Vec<u16>;
    type Move = u16;

    fn scale(&self) -> Scale {
        Scale::numbers((0..=i64::from(BEST)).collect())
    }

    fn endless(&self) -> Endless {
        self.endless
    }

    fn start(&self) -> Vec<u16> {
        vec![0]
    }

    fn turn(&self, s: &Vec<u16>) -> Turn {
        self.turns[Dag::at(s)]
    }

    fn moves(&self, s: &Vec<u16>, _agent: Agent, out: &mut Vec<u16>) {
        out.extend(&self.ends[Dag::at(s)]);
    }

    fn play(&self, s: &mut Vec<u16>, _agent: Agent, m: u16) {
        if !self.unfolded {
            s.clear();
        }
        s.push(m);
    }

    fn outcome(&self, s: &Vec<u16>) -> Outcome {
        self.outcomes[Dag::at(s)]
    }

    fn agents(&self) -> u8 {
        self.agents
    }

    fn has_chance(&self) -> bool {
        self.turns.contains(&Turn::Chance)
    }

    fn weight(&self, _s: &Vec<u16>, m: u16) -> u64 {
        u64::from(m)
    }

    /// With three agents: each wants another outcome.
    fn score(&self, o: Outcome, agent: Agent) -> i64 {
        if self.agents == 2 {
            return self.scale().zero_sum(o, agent);
        }
        match agent.0 {
            0 => i64::from(o.0),
            n => 10 * i64::from(o.0 == u16::from(n)),
        }
    }
}

impl Guide for Dag {
    type Packed = Vec<u16>;

    fn pack(&self, s: &Vec<u16>) -> Vec<u16> {
        s.clone()
    }
}

fn search<'g>(game: &'g Dag, options: Options, seed: u64) -> MonteCarlo<'g, Dag> {
    match MonteCarlo::new(game, &game.start(), options, seed) {
        Ok(search) => search,
        Err(error) => panic!("{error}"),
    }
}

fn depths() -> Vec<Graph> {
    let all = [Depth::Levels(0), Depth::Levels(1), Depth::Levels(2), Depth::All];
    let mut graphs = Vec::new();
    for d1 in all {
        for d2 in all {
            for d3 in all {
                graphs.push(Graph::Ucd([d1, d2, d3]));
            }
        }
    }
    graphs.push(Graph::Ucd([Depth::Levels(4), Depth::Levels(3), Depth::Levels(5)]));
    graphs
}

/// The definitions of section 5.3, word for word: they look at everything below an edge each time.
struct Naive<'a, 'g> {
    search: &'a MonteCarlo<'g, Dag>,
    /// Numbers and sums of payoffs of before there were children.
    priors: &'a HashMap<u32, (f64, f64)>,
    at_nodes: bool,
}

impl Naive<'_, '_> {
    /// For the first agent.
    fn mean(&self, edge: u32) -> f64 {
        let e = &self.search.edges[edge as usize];
        let mean = e.sum / f64::from(e.playouts);
        if self.is_max(edge) { mean } else { f64::from(BEST) - mean }
    }

    fn origin(&self, edge: u32) -> u32 {
        let has = |node: &super::Node| (node.first..node.first + node.count).contains(&edge);
        self.search.nodes.iter().position(has).expect("every edge has an origin") as u32
    }

    fn is_max(&self, edge: u32) -> bool {
        self.search.nodes[self.origin(edge) as usize].turn == Turn::Agent(Agent::FIRST)
    }

    fn below(&self, edge: u32) -> Vec<u32> {
        let to = self.search.edges[edge as usize].to;
        let node = &self.search.nodes[to as usize];
        let edges = node.first..node.first + node.count;
        edges.filter(|&e| self.search.edges[e as usize].playouts > 0).collect()
    }

    /// Number and sum for the first agent.
    fn prior(&self, edge: u32) -> (f64, f64) {
        let to = self.search.edges[edge as usize].to;
        let mut sum = (0.0, 0.0);
        for (&other, prior) in self.priors {
            let counts =
                other == edge || (self.at_nodes && self.search.edges[other as usize].to == to);
            if counts {
                sum = (sum.0 + prior.0, sum.1 + prior.1);
            }
        }
        sum
    }

    fn count(&self, edge: u32) -> f64 {
        f64::from(self.search.edges[edge as usize].playouts)
    }

    fn adapted_mean(&self, edge: u32, depth: usize) -> f64 {
        if depth == 0 {
            return self.mean(edge);
        }
        let (mut number, mut sum) = self.prior(edge);
        for f in self.below(edge) {
            sum += self.adapted_mean(f, depth - 1) * self.count(f);
            number += self.count(f);
        }
        sum / number
    }

    fn adapted_count(&self, edge: u32, depth: usize) -> f64 {
        if depth == 0 {
            return self.count(edge);
        }
        let below = self.below(edge).into_iter();
        self.prior(edge).0 + below.map(|f| self.adapted_count(f, depth - 1)).sum::<f64>()
    }

    /// Every score of the search is what the definitions say.
    fn check(&self, [d1, d2, d3]: [Depth; 3]) {
        let levels = |depth| match depth {
            Depth::Levels(levels) => usize::from(levels),
            // Deeper than any of the graphs here.
            Depth::All => 64,
        };
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-5 * b.abs().max(1.0);
        for (at, node) in self.search.nodes.iter().enumerate() {
            let mut p = 0.0;
            for edge in node.first..node.first + node.count {
                if self.count(edge) == 0.0 {
                    continue;
                }
                p += self.adapted_count(edge, levels(d2));
                let score = self.search.scores[edge as usize];
                let mut mean = self.adapted_mean(edge, levels(d1));
                if !self.is_max(edge) {
                    mean = f64::from(BEST) - mean;
                }
                let spread = 1.0 / self.adapted_count(edge, levels(d3)).sqrt();
                assert!(close(f64::from(score.mean), mean), "{} and {mean}", score.mean);
                assert!(close(f64::from(score.spread), spread), "{} and {spread}", score.spread);
            }
            assert!(close(node.playouts, p), "node {at}: {} and {p}", node.playouts);
        }
    }
}

/// Incremental sums are those of the recursion after every playout.
#[test]
fn adapted_scores_are_those_of_the_definition() {
    let mut rng = Rng::new(1);
    for (i, graph) in depths().into_iter().enumerate() {
        let Graph::Ucd(d) = graph else { continue };
        let game = Dag::random(16, 3, &mut rng);
        for at_nodes in [false, true] {
            let options = Options { prior_at_nodes: at_nodes, ..Options::plain(graph) };
            let mut search = search(&game, options, i as u64);
            let mut priors: HashMap<u32, (f64, f64)> = HashMap::new();
            for _ in 0..40 {
                let before: Vec<f64> = search.edges.iter().map(|e| e.sum).collect();
                if search.run(1) == 0 {
                    break;
                }
                let (node, first) = search.path[0];
                let payoff = search.edges[first as usize].sum
                    - before.get(first as usize).copied().unwrap_or(0.0);
                let is_max = search.nodes[node as usize].turn == Turn::Agent(Agent::FIRST);
                let payoff = if is_max { payoff } else { f64::from(BEST) - payoff };
                let last = search.path[search.path.len() - 1].1;
                let prior = priors.entry(last).or_default();
                *prior = (prior.0 + 1.0, prior.1 + payoff);
                Naive { search: &search, priors: &priors, at_nodes }.check(d);
            }
        }
    }
}

/// What selection sees, all of it, to the last bit.
fn bits(search: &MonteCarlo<'_, Dag>) -> Vec<(u16, u32, u64, u32, u32)> {
    let edges = search.edges.iter().zip(&search.scores);
    let all = edges
        .map(|(e, s)| (e.step, e.playouts, e.sum.to_bits(), s.mean.to_bits(), s.spread.to_bits()));
    all.collect()
}

#[test]
fn without_transpositions_everything_is_plain_uct() {
    let mut rng = Rng::new(2);
    for round in 0..6 {
        let game = Dag::random(30, 4, &mut rng).unfolded();
        for solve in [false, true] {
            let options = Options { solve, ..Options::plain(Graph::Tree) };
            let mut plain = search(&game, options, round);
            plain.run(300);
            for graph in depths().into_iter().chain([Graph::UpdateAll]) {
                for prior_at_nodes in [false, true] {
                    let options = Options { graph, prior_at_nodes, ..options };
                    let mut other = search(&game, options, round);
                    other.run(300);
                    assert_eq!(plain.nodes.len(), other.nodes.len());
                    assert_eq!(bits(&plain), bits(&other), "{options}");
                }
            }
        }
    }
}

/// UCT with a hash table and statistics on nodes: the simple way.
struct Simple<'g> {
    game: &'g Dag,
    rng: Rng,
    /// Number and sum for the first agent; moves in the order in which they are tried; how many were.
    nodes: HashMap<Vec<u16>, (f64, f64, Vec<u16>, usize)>,
}

impl Simple<'_> {
    fn playout(&mut self, exploration: f64) {
        let mut state = self.game.start();
        let mut path = vec![state.clone()];
        let outcome = loop {
            let Turn::Agent(agent) = self.game.turn(&state) else {
                break self.game.outcome(&state);
            };
            let (_, _, moves, tried) = self.nodes.get_mut(&state).expect("it was made");
            if moves.is_empty() {
                self.game.moves(&state, agent, moves);
            }
            let step = if *tried < moves.len() {
                let chosen = *tried + self.rng.below((moves.len() - *tried) as u32) as usize;
                moves.swap(*tried, chosen);
                *tried += 1;
                moves[*tried - 1]
            } else {
                let moves = moves.clone();
                self.select(agent, &moves, exploration)
            };
            self.game.play(&mut state, agent, step);
            path.push(state.clone());
            if !self.nodes.contains_key(&state) {
                self.nodes.insert(state.clone(), (0.0, 0.0, Vec::new(), 0));
                if self.game.turn(&state) == Turn::Over {
                    break self.game.outcome(&state);
                }
                break self.game.playout(state, &mut self.rng).expect("plays end");
            }
        };
        for state in path {
            let node = self.nodes.get_mut(&state).expect("it was made");
            (node.0, node.1) = (node.0 + 1.0, node.1 + f64::from(outcome.0));
        }
    }

    fn select(&self, agent: Agent, moves: &[u16], exploration: f64) -> u16 {
        let all: f64 = moves.iter().map(|&m| self.nodes[&vec![m]].0).sum();
        let factor = (exploration * f64::from(BEST) * all.ln().sqrt()) as f32;
        let value = |m: u16| {
            let &(number, sum, ..) = &self.nodes[&vec![m]];
            let sum = if agent == Agent::FIRST { sum } else { number * f64::from(BEST) - sum };
            (sum / number) as f32 + factor * (1.0 / number.sqrt()) as f32
        };
        let mut best = moves[0];
        for &m in moves {
            if value(m) > value(best) {
                best = m;
            }
        }
        best
    }
}

/// Remark 3 of section 5.3: exact where the payoffs of before there were children are at nodes.
#[test]
fn one_one_one_is_the_simple_way() {
    let mut rng = Rng::new(3);
    let graph = Graph::Ucd([Depth::Levels(1); 3]);
    let mut differed = 0;
    for round in 0..20 {
        let game = Dag::random(40, 4, &mut rng);
        let mut simple = Simple { game: &game, rng: Rng::new(round), nodes: HashMap::new() };
        simple.nodes.insert(vec![0], (0.0, 0.0, Vec::new(), 0));
        for _ in 0..200 {
            simple.playout(0.3);
        }
        for prior_at_nodes in [true, false] {
            let options = Options { prior_at_nodes, ..Options::plain(graph) };
            let mut search = search(&game, options, round);
            search.run(200);
            let counts = |step| simple.nodes.get(&vec![step]).map_or(0.0, |node| node.0);
            let mut same = search.nodes() == simple.nodes.len();
            for edge in search.edges.iter().filter(|edge| edge.playouts > 0) {
                let links = search.links.as_ref().expect("a graph");
                let into = links.edges_into(edge.to);
                let all: u32 = into.map(|e| search.edges[e as usize].playouts).sum();
                same &= f64::from(all) == counts(edge.step);
            }
            if prior_at_nodes {
                assert!(same, "round {round}");
            } else {
                differed += u32::from(!same);
            }
        }
    }
    assert!(differed > 0, "at edges it is another search");
}

#[test]
fn update_all_counts_every_edge_above_once() {
    let mut rng = Rng::new(4);
    let mut beside_the_path = 0;
    for round in 0..20 {
        let game = Dag::random(25, 3, &mut rng);
        let mut search = search(&game, Options::plain(Graph::UpdateAll), round);
        for _ in 0..100 {
            let before: Vec<u32> = search.edges.iter().map(|e| e.playouts).collect();
            search.run(1);
            let end = search.edges[search.path[search.path.len() - 1].1 as usize].to;
            let mut above: HashSet<u32> = HashSet::from([end]);
            // A node has a lower number than those behind it only by accident: until nothing changes.
            loop {
                let size = above.len();
                for (at, node) in search.nodes.iter().enumerate() {
                    let edges = &search.edges[node.first as usize..][..node.count as usize];
                    if edges.iter().any(|e| e.to != NONE && above.contains(&e.to)) {
                        above.insert(at as u32);
                    }
                }
                if above.len() == size {
                    break;
                }
            }
            for (at, edge) in search.edges.iter().enumerate() {
                let expected = u32::from(edge.to != NONE && above.contains(&edge.to));
                let more = edge.playouts - before.get(at).copied().unwrap_or(0);
                assert_eq!(more, expected);
                let on_path = search.path.iter().any(|&(_, e)| e as usize == at);
                beside_the_path += u32::from(more > 0 && !on_path);
            }
            for node in &search.nodes {
                let edges = &search.edges[node.first as usize..][..node.count as usize];
                let sum: u32 = edges.iter().map(|e| e.playouts).sum();
                assert_eq!(node.playouts, f64::from(sum));
            }
        }
    }
    assert!(beside_the_path > 100, "graphs with transpositions");
}

fn kinds() -> Vec<Options> {
    let text = [
        "uct",
        "uct(exploration=1.5)",
        "uct(rave=50)",
        "update-all",
        "ucd(0,1,2)",
        "ucd(inf,0,1,prior=nodes)",
        "ucd(2,inf,inf,rave=20)",
    ];
    text.iter().map(|text| text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))).collect()
}

#[test]
fn what_is_called_solved_is_the_value() {
    let mut rng = Rng::new(5);
    for round in 0..40 {
        let game = Dag::random(24, 3, &mut rng);
        let value = game.value(0);
        for options in kinds() {
            let mut search = search(&game, options, round);
            let made = search.run(20_000);
            assert_eq!(search.solved(), Some(value), "{options}, round {round}");
            assert!(made < 20_000 && search.run(10) == 0, "{options} stops when it knows");
            let best = search.best().expect("there is a move");
            assert_eq!(game.value(usize::from(best)), value, "{options} plays well");
            for EdgeReport { step, solved, .. } in search.edges() {
                let value = game.value(usize::from(step));
                assert!(solved.is_none_or(|solved| solved == value), "{options}: move {step}");
            }
        }
    }
}

/// Along a play, a move each: what is kept is what was there, and stays right.
#[test]
fn a_search_moves_along_with_a_play() {
    let mut rng = Rng::new(6);
    for round in 0..30 {
        let game = Dag::random(40, 3, &mut rng);
        for options in kinds() {
            let options = Options { solve: false, ..options };
            let mut search = search(&game, options, round);
            while !search.is_decided() {
                search.run(60);
                let edges = search.edges();
                let most = edges.iter().max_by_key(|edge| edge.playouts).expect("moves");
                let below = search.edges_of(ROOT).iter().find(|e| e.step == most.step);
                let to = below.expect("it was tried").to as usize;
                let before: Vec<(u16, u32)> =
                    search.edges_of(to as u32).iter().map(|e| (e.step, e.playouts)).collect();
                let playouts = search.nodes[to].playouts;
                search.advance(most.step);
                let after: Vec<(u16, u32)> =
                    search.edges_of(ROOT).iter().map(|e| (e.step, e.playouts)).collect();
                assert_eq!(before, after);
                assert_eq!(search.nodes[0].playouts.to_bits(), playouts.to_bits());
                assert_eq!(search.position(), &vec![most.step]);
                if let Graph::Ucd(_) = options.graph {
                    sums_are_right(&search);
                }
            }
            assert_eq!(search.best(), None);
        }
    }
}

/// Sums of nodes are those of the parts of their edges.
fn sums_are_right(search: &MonteCarlo<'_, Dag>) {
    for (at, node) in search.nodes.iter().enumerate() {
        let edges: Vec<u32> = (node.first..node.first + node.count).collect();
        let (sums, parts) = search.adapted.as_ref().expect("adapted").rows_of(at as u32, &edges);
        for (slot, sum) in sums.iter().enumerate() {
            let made: f64 = parts.iter().map(|part| part[slot]).sum();
            assert!((sum - made).abs() <= 1e-6 * sum.abs().max(1.0), "{sum} and {made}");
        }
    }
}

#[test]
fn chance_is_drawn_by_its_weights() {
    // The first agent has a sure 1, or chance with 2 of 2 + 4 for a 3, else 0.
    let game = Dag {
        ends: vec![vec![1, 3], vec![2, 4], vec![], vec![], vec![]],
        turns: vec![Turn::Agent(Agent::FIRST), Turn::Chance, Turn::Over, Turn::Over, Turn::Over],
        outcomes: [0, 0, 3, 1, 0].map(Outcome).to_vec(),
        unfolded: false,
        agents: 2,
        endless: Endless::Impossible,
    };
    for options in kinds() {
        let options = Options { exploration: 1.0, ..options };
        let mut search = search(&game, options, 9);
        search.run(30_000);
        let gamble = search.edges()[0];
        assert_eq!((gamble.step, gamble.solved), (1, None));
        assert!((gamble.mean - 1.0 / 3.0).abs() < 0.03, "{options}: {}", gamble.mean);
        assert_eq!(search.solved(), None, "only what holds whatever happens is certain");
    }
}

/// Nodes as a list of edges, agents on turn and outcomes.
fn by_hand(ends: &[&[u16]], turns: &[u8], outcomes: &[u16], agents: u8) -> Dag {
    let turn = |(ends, &turn): (&&[u16], &u8)| match ends.is_empty() {
        true => Turn::Over,
        false => Turn::Agent(Agent(turn)),
    };
    Dag {
        ends: ends.iter().map(|ends| ends.to_vec()).collect(),
        turns: ends.iter().zip(turns).map(turn).collect(),
        outcomes: outcomes.iter().copied().map(Outcome).collect(),
        unfolded: false,
        agents,
        endless: Endless::Impossible,
    }
}

#[test]
fn every_player_wants_its_own_score() {
    // The third agent, then the second one, then the third: each takes what it likes.
    let ends: &[&[u16]] = &[&[1, 2], &[3, 4], &[], &[], &[5, 6], &[], &[]];
    let game = by_hand(ends, &[2, 1, 0, 0, 2, 0, 0], &[0, 0, 0, 2, 0, 1, 2], 3);
    for text in ["uct", "update-all", "ucd(0,1,2)", "uct(rave=10)"] {
        let options: Options = text.parse().expect("a text of a test");
        let mut search = search(&game, options, 3);
        search.run(5000);
        assert_eq!(search.best(), Some(1), "{text}");
        assert_eq!(search.solved(), None, "bounds are for two sides");
    }
    let options: Options = "ucd(1,0,0)".parse().expect("a text of a test");
    let error = MonteCarlo::new(&game, &game.start(), options, 1).err().expect("three scores");
    assert!(error.to_string().contains("takes one player, or two"), "{error}");
}

#[test]
fn graphs_take_no_cycles() {
    let mut game = by_hand(&[&[0, 1], &[1, 2], &[]], &[0, 1, 0], &[0, 0, 3], 2);
    game.endless = Endless::Undetermined;
    for text in ["ucd(0,0,0)", "update-all"] {
        let options: Options = text.parse().expect("a text of a test");
        let error = MonteCarlo::new(&game, &game.start(), options, 1).err().expect("a cycle");
        assert!(error.to_string().contains("positions can come up again"), "{error}");
    }
    // A tree takes them: the second player would go round for ever, and it does end.
    let mut search = search(&game, Options::default(), 1);
    assert_eq!(search.run(3000), 3000);
    assert_eq!(search.solved(), None);
}

/// Figure 4.1 of the thesis: c is worth a draw, so is f below d, and d need not be looked at.
#[test]
fn a_move_that_cannot_be_better_is_cut() {
    // a: 0, c: 1, d: 2, f: 3, g: 4, behind it 5 and 6.
    let ends: &[&[u16]] = &[&[1, 2], &[], &[3, 4], &[], &[5, 6], &[], &[]];
    let game = by_hand(ends, &[0, 0, 1, 0, 0, 0, 0], &[0, 1, 0, 1, 0, 0, 3], 2);
    for seed in 0..20 {
        let mut search = search(&game, Options::default(), seed);
        search.run(1000);
        assert_eq!(search.solved(), Some(Outcome(1)));
        let cut = search.edges_of(ROOT).iter().find(|edge| edge.step == 2).expect("d");
        assert!(cut.cut && search.nodes[cut.to as usize].low == 0, "d is cut, not solved");
    }
}

#[test]
fn playouts_go_on_where_there_is_no_room() {
    let game = Dag::random(300, 5, &mut Rng::new(7)).unfolded();
    for options in kinds() {
        let options = Options { most_bytes: 60_000, solve: false, ..options };
        let mut search = search(&game, options, 1);
        search.run(3000);
        let nodes = search.nodes();
        assert_eq!(search.run(2000), 2000, "{options}");
        // Where edges do not fit, a node without any may.
        assert!(search.nodes() <= nodes + nodes / 10, "{options}");
        assert!(nodes > 100 && search.bytes() <= 60_000, "{options}: {}", search.bytes());
        let playouts: u32 = search.edges().iter().map(|edge| edge.playouts).sum();
        assert_eq!(u64::from(playouts), search.playouts());
    }
}

#[test]
fn the_same_seed_gives_the_same_search() {
    let game = Dag::random(60, 4, &mut Rng::new(8));
    for options in kinds() {
        let run = |seed| {
            let mut search = search(&game, Options { solve: false, ..options }, seed);
            search.run(500);
            bits(&search)
        };
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2), "{options}");
        // One that begins anew does what a new one does.
        let mut again = search(&game, Options { solve: false, ..options }, 5);
        again.run(300);
        again.restart(&game.start(), 1);
        assert_eq!(again.run(500), again.playouts());
        assert_eq!(bits(&again), run(1), "{options}");
    }
}

#[test]
fn options_are_written_as_they_are_read() {
    let texts = [
        "uct",
        "uct(exploration=1.25)",
        "uct(rave=200,solve=no)",
        "update-all",
        "update-all(exploration=0)",
        "ucd(0,1,2)",
        "ucd(inf,0,1)",
        "ucd(inf,inf,16,exploration=0.5,rave=10,solve=no,prior=nodes)",
    ];
    for text in texts {
        let options: Options = text.parse().expect("a text of a test");
        assert_eq!(options.to_string(), text);
    }
    let same: Options = "uct(exploration=0.3,solve=yes)".parse().expect("a text of a test");
    assert_eq!(same, Options::default());
}

#[test]
fn errors_point_at_what_is_wrong() {
    let cases = [
        ("uctt", "`uctt` is not a Monte Carlo search", 0..4),
        ("ucd", "`ucd` takes three depths, as in `ucd(0,1,2)`", 0..3),
        ("ucd(0,1)", "`ucd` takes three depths, as in `ucd(0,1,2)`", 0..8),
        ("ucd(0,x,1)", "`x` is not a depth: 0 to 16, or inf", 6..7),
        ("ucd(0,17,1)", "`17` is not a depth: 0 to 16, or inf", 6..8),
        ("uct(prior=nodes)", "`prior` is not an option here", 4..9),
        ("uct(rave=-1)", "`-1` is less than 0", 9..11),
        ("uct(exploration=nan)", "`NaN` is not a finite number", 16..19),
        ("uct(solve=maybe)", "`maybe` is not yes or no", 10..15),
        ("ucd(0,0,0,prior=x)", "`x` is not edges or nodes", 16..17),
        ("uct(3)", "`3` is not an option with a value", 4..5),
    ];
    for (text, message, span) in cases {
        let error = text.parse::<Options>().expect_err(text);
        assert_eq!((error.message.as_str(), error.span), (message, span), "{text}");
    }
}
