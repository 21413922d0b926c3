//! max^n with and without pruning, and its certificates, against brute force on random games.

use foregone_model::certificate::{
    CheckError, ProvedScores, Reader, check, check_scores, scores_of, write_scores_while,
};
use foregone_model::{Agent, Game, Notation, Outcome, Rng, Scale, TextError, Turn};
use foregone_search::many::{Ended, ManyReport, maxn};
use foregone_search::{Limits, StopReason};

/// A game typed as a graph. A state is the place of a node, a move the place of a successor in the
/// list of its node.
#[derive(Clone, Debug)]
struct Graph {
    agents: u8,
    nodes: Vec<Node>,
    /// The scores of each outcome, those of the first agent rising.
    scores: Vec<Vec<i64>>,
}

#[derive(Clone, Debug)]
enum Node {
    End(u16),
    Choice(u8, Vec<usize>),
}

const NAMES: [&str; 4] = ["ann", "bob", "cat", "dan"];

impl Game for Graph {
    type State = usize;
    type Move = usize;

    fn scale(&self) -> Scale {
        Scale::words((0..self.scores.len()).map(|n| format!("o{n}")).collect())
    }

    fn start(&self) -> usize {
        0
    }

    fn turn(&self, s: &usize) -> Turn {
        match &self.nodes[*s] {
            Node::End(_) => Turn::Over,
            Node::Choice(agent, _) => Turn::Agent(Agent(*agent)),
        }
    }

    fn moves(&self, s: &usize, _agent: Agent, out: &mut Vec<usize>) {
        if let Node::Choice(_, next) = &self.nodes[*s] {
            out.extend(0..next.len());
        }
    }

    fn play(&self, s: &mut usize, _agent: Agent, m: usize) {
        if let Node::Choice(_, next) = &self.nodes[*s] {
            *s = next[m];
        }
    }

    fn outcome(&self, s: &usize) -> Outcome {
        match self.nodes[*s] {
            Node::End(outcome) => Outcome(outcome),
            Node::Choice(..) => panic!("not over"),
        }
    }

    fn agents(&self) -> u8 {
        self.agents
    }

    fn score(&self, outcome: Outcome, agent: Agent) -> i64 {
        self.scores[usize::from(outcome.0)][usize::from(agent.0)]
    }
}

impl Notation for Graph {
    fn name(&self) -> String {
        "graph".to_owned()
    }

    fn players(&self) -> [&str; 2] {
        [NAMES[0], "others"]
    }

    fn agent_name(&self, agent: Agent) -> &str {
        NAMES[usize::from(agent.0)]
    }

    fn write_move(&self, _s: &usize, m: usize, out: &mut String) {
        out.push_str(&m.to_string());
    }

    fn parse_move(&self, _s: &usize, text: &str) -> Option<usize> {
        text.parse().ok()
    }

    fn write_position(&self, s: &usize, out: &mut String) {
        out.push_str(&format!("s{s}"));
    }

    fn read_position(&self, text: &str) -> Result<usize, TextError> {
        let place = text.strip_prefix('s').and_then(|n| n.parse().ok());
        let there = place.filter(|&n| n < self.nodes.len());
        there.ok_or_else(|| TextError::new("no such state", 0..text.len()))
    }
}

impl Graph {
    /// max^n as its papers say it, by plain recursion: the vector, and what is played.
    fn brute(&self, s: usize) -> (Vec<i64>, Vec<usize>) {
        let (agent, next) = match &self.nodes[s] {
            Node::End(outcome) => return (self.scores[usize::from(*outcome)].clone(), Vec::new()),
            Node::Choice(agent, next) => (usize::from(*agent), next),
        };
        let mut best: Option<(Vec<i64>, Vec<usize>)> = None;
        for (m, &child) in next.iter().enumerate() {
            let (scores, mut line) = self.brute(child);
            if best.as_ref().is_none_or(|(most, _)| scores[agent] > most[agent]) {
                line.insert(0, m);
                best = Some((scores, line));
            }
        }
        let Some(best) = best else { panic!("no moves at {s}") };
        best
    }

    fn search(&self, prune: bool) -> ManyReport<Graph> {
        maxn(self, &0, prune, Limits::NONE, &mut ())
    }

    fn line_ends_in(&self, line: &[usize]) -> Vec<i64> {
        let mut s = 0;
        for &m in line {
            self.play(&mut s, Agent::FIRST, m);
        }
        scores_of(self, self.outcome(&s))
    }
}

fn value(game: &Graph, report: &ManyReport<Graph>) -> Vec<i64> {
    match report.ended {
        Ended::Solved(outcome) => scores_of(game, outcome),
        ref other => panic!("{other:?}"),
    }
}

/// Score vectors that add up to at most `sum`, with many ties.
fn vectors(rng: &mut Rng, agents: u8, sum: u32) -> Vec<Vec<i64>> {
    let mut scores: Vec<Vec<i64>> = (0..12)
        .map(|_| {
            let mut left = sum;
            let mut scores: Vec<i64> = (0..agents)
                .map(|_| {
                    let own = rng.below(left + 1);
                    left -= own;
                    i64::from(own)
                })
                .collect();
            scores.rotate_left(rng.below(u32::from(agents)) as usize);
            scores
        })
        .collect();
    scores.sort();
    scores
}

/// A random game. Of a tree every node has one predecessor; of a graph the nodes of a level share
/// those of the next one, and players need not move in turn.
fn random(rng: &mut Rng, tree: bool) -> Graph {
    let agents = 2 + rng.below(3) as u8;
    let sum = 3 + rng.below(6);
    let scores = vectors(rng, agents, sum);
    let depth = 2 + rng.below(5) as usize;
    let mut nodes = Vec::new();
    let mut level = vec![0];
    nodes.push(Node::End(0));
    for at in 0..depth {
        let mut below: Vec<usize> = Vec::new();
        if !tree {
            let width = 1 + rng.below(8) as usize;
            below = (0..width).map(|i| nodes.len() + i).collect();
            nodes.resize(nodes.len() + width, Node::End(0));
        }
        for &node in &level {
            if at > 0 && rng.below(5) == 0 {
                nodes[node] = Node::End(rng.below(scores.len() as u32) as u16);
                continue;
            }
            let count = 1 + rng.below(4) as usize;
            let next: Vec<usize> = if tree {
                let first = nodes.len();
                nodes.resize(first + count, Node::End(0));
                below.extend(first..first + count);
                (first..first + count).collect()
            } else {
                (0..count).map(|_| below[rng.below(below.len() as u32) as usize]).collect()
            };
            let in_turn = at as u32 % u32::from(agents);
            let agent = if tree || rng.below(3) > 0 { in_turn } else { rng.below(agents.into()) };
            nodes[node] = Node::Choice(agent as u8, next);
        }
        level = below;
    }
    for node in level {
        nodes[node] = Node::End(rng.below(scores.len() as u32) as u16);
    }
    Graph { agents, nodes, scores }
}

#[test]
fn pruning_changes_nothing_but_the_number_of_nodes() {
    let mut rng = Rng::new(18);
    let (mut plain_nodes, mut pruned_nodes, mut cut) = (0, 0, 0);
    for round in 0..4000 {
        let tree = round % 2 == 0;
        let game = random(&mut rng, tree);
        let (scores, line) = game.brute(0);
        let (plain, pruned) = (game.search(false), game.search(true));
        assert_eq!(value(&game, &plain), scores, "{game:?}");
        assert_eq!(value(&game, &pruned), scores, "{game:?}");
        assert_eq!((&plain.line, &pruned.line), (&line, &line), "{game:?}");
        assert_eq!(game.line_ends_in(&line), scores);
        if tree {
            assert!(pruned.counts.nodes <= plain.counts.nodes, "{game:?}");
        }
        cut += u32::from(pruned.counts.nodes < plain.counts.nodes);
        plain_nodes += plain.counts.nodes;
        pruned_nodes += pruned.counts.nodes;
    }
    println!("{plain_nodes} nodes, with pruning {pruned_nodes}; {cut} games were cut");
    assert!(cut > 1000 && pruned_nodes * 10 < plain_nodes * 8, "{plain_nodes} {pruned_nodes}");
}

#[test]
fn of_two_players_whose_scores_add_up_it_is_minimax() {
    fn minimax(game: &Graph, s: usize) -> i64 {
        match &game.nodes[s] {
            Node::End(outcome) => game.scores[usize::from(*outcome)][0],
            Node::Choice(agent, next) => {
                let values = next.iter().map(|&child| minimax(game, child));
                if *agent == 0 { values.max().unwrap() } else { values.min().unwrap() }
            }
        }
    }
    let mut rng = Rng::new(2);
    for round in 0..1000 {
        let mut game = random(&mut rng, round % 2 == 0);
        game.agents = 2;
        for node in &mut game.nodes {
            if let Node::Choice(agent, _) = node {
                *agent %= 2;
            }
        }
        game.scores = (0..12).map(|n| vec![n / 2, 9 - n / 2]).collect();
        let value = value(&game, &game.search(true));
        assert_eq!(value[0], minimax(&game, 0), "{game:?}");
        assert_eq!(value[0] + value[1], 9);
    }
}

/// A tree whose moves stand in the best order: behind the first move of a position, every other one
/// leads to a position that can be cut as soon as its own first move was looked at.
struct Ordered {
    nodes: Vec<Node>,
    scores: Vec<Vec<i64>>,
    agents: usize,
    branching: usize,
}

/// What all scores add up to: it can be halved often.
const SUM: i64 = 1 << 40;

impl Ordered {
    /// A tree of this depth in which `mover` is to move and whose value is `scores`.
    fn tree(&mut self, depth: usize, mover: usize, scores: Vec<i64>) -> usize {
        if depth == 0 {
            let place = self.scores.iter().position(|s| *s == scores);
            let outcome = place.unwrap_or_else(|| {
                self.scores.push(scores);
                self.scores.len() - 1
            });
            self.nodes.push(Node::End(outcome as u16));
            return self.nodes.len() - 1;
        }
        let next = (mover + 1) % self.agents;
        let first = self.tree(depth - 1, next, scores.clone());
        let own = scores[mover];
        let mut children = vec![first];
        for _ in 1..self.branching {
            // The others share what `mover` has already, so it gets no more than that.
            let mut cut = vec![own / self.agents as i64; self.agents];
            cut[next] = 0;
            cut[next] = SUM - cut.iter().sum::<i64>();
            let better = cut[mover] <= own && cut[next] >= SUM - own;
            assert!(better, "{cut:?} {own}");
            children.push(self.tree(depth - 1, next, cut));
        }
        self.nodes.push(Node::Choice(mover as u8, children));
        self.nodes.len() - 1
    }
}

#[test]
fn the_best_case_is_that_of_the_paper() {
    for (agents, branching) in [(2, 2), (2, 4), (3, 2), (3, 3), (3, 4), (4, 3)] {
        let mut counts = Vec::new();
        for depth in 1..=7 {
            let mut tree = Ordered { nodes: Vec::new(), scores: Vec::new(), agents, branching };
            // Everybody can have everything, or direct pruning would find out where not.
            for agent in 0..agents {
                let mut all = vec![0; agents];
                all[agent] = SUM;
                tree.scores.push(all);
            }
            let even = vec![SUM / agents as i64; agents];
            let root = tree.tree(depth, 0, even);
            let last = tree.nodes.len() - 1;
            assert_eq!(root, last);
            let game = turned_round(tree);
            let report = game.search(true);
            value(&game, &report);
            counts.push(report.counts.expansions as f64);
        }
        // F(d) = 1 + F(d-1) + (b-1) (1 + F(d-2)): a position, the first one behind it, and the others
        // by their first move each.
        for last in counts.windows(3) {
            let cut = (branching - 1) as f64 * (1.0 + last[0]);
            assert_eq!(last[2], 1.0 + last[1] + cut, "{counts:?}");
        }
        let factor = (1.0 + (4.0 * branching as f64 - 3.0).sqrt()) / 2.0;
        let grows = counts[6] / counts[5];
        println!("{agents} players, {branching} moves: {counts:?}, {grows:.3} of {factor:.3}");
        assert!((grows / factor - 1.0).abs() < 0.06, "{grows} {factor}");
    }
}

/// The same tree with its root as state 0, and outcomes that rise for the first agent.
fn turned_round(tree: Ordered) -> Graph {
    let Ordered { nodes, scores, agents, .. } = tree;
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[a].cmp(&scores[b]));
    let mut places = vec![0; order.len()];
    (0..).zip(&order).for_each(|(place, &o)| places[o] = place);
    let place = |o: u16| places[usize::from(o)];
    let last = nodes.len() - 1;
    let nodes = nodes.into_iter().rev().map(|node| match node {
        Node::End(o) => Node::End(place(o)),
        Node::Choice(agent, next) => {
            Node::Choice(agent, next.into_iter().map(|n| last - n).collect())
        }
    });
    let nodes = nodes.collect();
    let scores = order.iter().map(|&o| scores[o].clone()).collect();
    Graph { agents: agents as u8, nodes, scores }
}

#[test]
fn cycles_and_limits_end_the_search() {
    let scores = vec![vec![0, 2, 0], vec![1, 0, 1], vec![2, 1, 0]];
    let nodes = |back: usize| {
        vec![
            Node::Choice(0, vec![1, 4]),
            Node::Choice(1, vec![2, 3]),
            Node::Choice(2, vec![back]),
            Node::End(0),
            Node::End(2),
        ]
    };
    let cyclic = Graph { agents: 3, nodes: nodes(1), scores: scores.clone() };
    for prune in [false, true] {
        assert_eq!(cyclic.search(prune).ended, Ended::Repeats(1));
    }
    let game = Graph { agents: 3, nodes: nodes(3), scores };
    assert_eq!(value(&game, &game.search(true)), [2, 1, 0]);
    // A tree of 63 choices, so that the search looks at what it holds.
    let mut nodes: Vec<Node> =
        (0..63).map(|n| Node::Choice(0, vec![2 * n + 1, 2 * n + 2])).collect();
    nodes.resize(127, Node::End(0));
    let game = Graph { nodes, ..game };
    for (limits, why) in [
        (Limits { nodes: 20, ..Limits::NONE }, StopReason::Nodes),
        (Limits { bytes: 0, ..Limits::NONE }, StopReason::Memory),
    ] {
        let report = maxn(&game, &0, false, limits, &mut ());
        assert_eq!(report.ended, Ended::Early(why));
        assert!(report.line.is_empty() && report.lines.is_empty());
    }
}

fn replay(game: &Graph, text: &str) -> Result<ProvedScores, CheckError> {
    let mut reader = Reader::new(text.as_bytes());
    let header = reader.header()?.ok_or(CheckError::new(1, "nothing"))?;
    let proved = check_scores(game, &header, &mut reader)?;
    match reader.header()? {
        None => Ok(proved),
        Some(_) => Err(CheckError::new(0, "two certificates")),
    }
}

/// These lines with the last one made to fit, as a forger would.
fn seal(lines: &[String]) -> String {
    let mut text = String::new();
    lines.iter().for_each(|line| text.push_str(&format!("{line}\n")));
    let sum = text.bytes().fold(0xcbf2_9ce4_8422_2325, |h: u64, b| {
        (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let claims = lines.len() - 7;
    text + &format!("end {claims} {sum:016x}\n")
}

#[test]
fn certificates_are_replayed_and_forged_ones_are_refused() {
    let mut rng = Rng::new(5);
    let (mut forged, mut ties, mut damaged) = (0, 0, 0);
    for round in 0..300 {
        let game = random(&mut rng, round % 2 == 0);
        let report = game.search(false);
        let scores = value(&game, &report);
        let Ended::Solved(outcome) = report.ended else { panic!("{game:?}") };
        let written = write_scores_while(&game, &0, outcome, &report.lines, &mut |_, _| true);
        let text = written.unwrap().text;
        let proved = replay(&game, &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(proved.claims, report.lines.len() as u64);
        let names = (0..game.agents).map(|a| NAMES[usize::from(a)].to_owned());
        assert_eq!(proved.scores, names.zip(scores.clone()).collect::<Vec<_>>());

        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.pop();
        assert_eq!(seal(&lines), text, "the test seals as the writer does");
        let mut refuse = |changed: &[String], what: &str| {
            let text = seal(changed);
            assert!(replay(&game, &text).is_err(), "{what} was accepted:\n{game:?}\n{text}");
            forged += 1;
        };
        let with = |at: usize, line: String| {
            let mut changed = lines.clone();
            changed[at] = line;
            changed
        };
        // Another claim: other scores, players exchanged, one too few, one too many.
        let claim = |scores: &[i64]| {
            let words: Vec<String> = scores.iter().map(i64::to_string).collect();
            with(5, format!("claim scores {}", words.join(" ")))
        };
        for agent in 0..scores.len() {
            let mut other = scores.clone();
            other[agent] += 1;
            refuse(&claim(&other), "another score");
            for with in 0..agent {
                let mut other = scores.clone();
                other.swap(agent, with);
                if other != scores {
                    refuse(&claim(&other), "the scores of other players");
                }
            }
        }
        refuse(&claim(&scores[1..]), "a score too few");
        refuse(&claim(&[&scores[..], &[0]].concat()), "a score too many");
        refuse(&with(3, "scores any-best".to_owned()), "another rule for ties");
        refuse(&with(5, "claim ann at-least o1".to_owned()), "another kind of claim");
        refuse(&with(4, "max bob".to_owned()), "a header without a position");
        let last = lines.len() - 1;
        for at in 7..=last {
            let (m, place) = lines[at].split_once(" @ ").unwrap();
            let s = game.read_position(place).unwrap();
            let Node::Choice(agent, next) = &game.nodes[s] else { panic!("{place}") };
            // Any other move: a worse one, or one that is as good and comes later.
            for other in (0..=next.len()).filter(|o| o.to_string() != m) {
                refuse(&with(at, format!("{other} @ {place}")), "another move");
                if other < next.len() {
                    let own = |m: usize| game.brute(next[m]).0[usize::from(*agent)];
                    ties += u32::from(own(other) == own(m.parse().unwrap()));
                }
            }
            let mut without = lines.clone();
            without.remove(at);
            refuse(&without, "a position left out");
            let mut twice = lines.clone();
            twice.insert(at, lines[at].clone());
            refuse(&twice, "a position twice");
            if at < last {
                // In front of what it leads to, or the position of the claim not at the end.
                let mut later = lines.clone();
                let line = later.remove(at);
                later.push(line);
                refuse(&later, "a position at the end that is not that of the claim");
            }
        }
        for _ in 0..20 {
            let mut bytes = text.clone().into_bytes();
            let at = rng.below(bytes.len() as u32) as usize;
            bytes[at] ^= 1 << rng.below(7);
            if let Ok(changed) = String::from_utf8(bytes) {
                assert!(replay(&game, &changed).is_err(), "{changed}");
                damaged += 1;
            }
        }
        // The checkers of other kinds do not take it.
        let mut reader = Reader::new(text.as_bytes());
        let header = reader.header().unwrap().unwrap();
        let mut nothing = foregone_model::certificate::RulesOnly;
        assert!(check(&game, &header, &mut reader, &mut nothing).is_err());
    }
    println!("{forged} forged, {ties} of them by another choice among equals, {damaged} damaged");
    assert!(forged > 10_000 && ties > 500 && damaged > 5000);
}

#[test]
fn a_loop_or_a_position_that_is_over_proves_nothing() {
    let scores = vec![vec![0, 1, 0], vec![1, 0, 0]];
    let nodes = vec![Node::Choice(0, vec![1, 2]), Node::Choice(1, vec![0]), Node::End(1)];
    let game = Graph { agents: 3, nodes, scores };
    let text = |body: &[&str]| {
        let head = "foregone certificate 2\ngame graph\nrules 1\nscores first-best\nposition s0\n\
                    claim scores 1 0 0\n";
        let lines = head.split('\n').chain(body.iter().copied());
        seal(&lines.map(str::to_owned).collect::<Vec<_>>())
    };
    for (body, said) in [
        (&["1 @ s0", "0 @ s1"][..], "no line before this one speaks of s1"),
        (&["0 @ s1", "1 @ s0"], "no line before this one speaks of s0"),
        (&["0 @ s2"], "over here"),
        (&[], "not about the position"),
        (&["0 @ s9"], "can't be read"),
        (&["0 @ s01"], "is written"),
    ] {
        let error = replay(&game, &text(body)).unwrap_err();
        assert!(error.problem.contains(said), "{body:?}: {error}");
    }
    // A position that is over needs no line.
    let over = text(&[]).replace("position s0", "position s2");
    let lines: Vec<String> = over.lines().map(str::to_owned).collect();
    let proved = replay(&game, &seal(&lines[..lines.len() - 1])).unwrap();
    assert_eq!(
        proved.to_string(),
        "s2 in graph: ann 1, bob 0, cat 0 by max^n, the first of equally good moves"
    );
}
