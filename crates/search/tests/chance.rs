//! Expected values: every search against the definition, on thousands of random games, and every
//! certificate replayed, damaged ones refused.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::HashMap;

use foregone_model::certificate::{
    CheckError, ProvedExpected, Reader, Worth, check_expected, write_expected_while,
};
use foregone_model::{
    Agent, Endless, Fraction, Game, Guide, Notation, Outcome, Ratio, Rng, Scale, Side, TextError,
    Turn,
};
use foregone_search::chance::opponent::{Habit, Model, Policy, look_ahead, om};
use foregone_search::chance::{
    Expectation, Graph, Sampled, Walk, WalkOptions, best_first, plans, walk,
};
use foregone_search::{Limits, StopReason};

/// A graph of states, the first of which is the start. Moves are the numbers of successors.
#[derive(Clone, Debug)]
struct Net {
    nodes: Vec<Node>,
    scale: Scale,
    loops: bool,
}

#[derive(Clone, Debug)]
struct Node {
    turn: Turn,
    next: Vec<(u32, u64)>,
    outcome: u16,
}

impl Game for Net {
    type State = u32;
    type Move = u32;

    fn scale(&self) -> Scale {
        self.scale.clone()
    }

    fn endless(&self) -> Endless {
        if self.loops { Endless::Undetermined } else { Endless::Impossible }
    }

    fn start(&self) -> u32 {
        0
    }

    fn turn(&self, s: &u32) -> Turn {
        self.nodes[*s as usize].turn
    }

    fn moves(&self, s: &u32, _agent: Agent, out: &mut Vec<u32>) {
        out.extend(self.nodes[*s as usize].next.iter().map(|(n, _)| *n));
    }

    fn play(&self, s: &mut u32, _agent: Agent, m: u32) {
        *s = m;
    }

    fn outcome(&self, s: &u32) -> Outcome {
        Outcome(self.nodes[*s as usize].outcome)
    }

    fn has_chance(&self) -> bool {
        true
    }

    fn weight(&self, s: &u32, m: u32) -> u64 {
        self.nodes[*s as usize].next.iter().find(|(n, _)| *n == m).map_or(0, |(_, w)| *w)
    }
}

impl Guide for Net {
    type Packed = u32;

    fn pack(&self, s: &u32) -> u32 {
        *s
    }
}

impl Notation for Net {
    fn name(&self) -> String {
        "net".to_owned()
    }

    fn players(&self) -> [&str; 2] {
        ["max", "min"]
    }

    fn write_move(&self, _s: &u32, m: u32, out: &mut String) {
        out.push_str(&m.to_string());
    }

    fn parse_move(&self, _s: &u32, text: &str) -> Option<u32> {
        text.parse().ok()
    }

    fn write_position(&self, s: &u32, out: &mut String) {
        out.push_str(&format!("n{s}"));
    }

    fn read_position(&self, text: &str) -> Result<u32, TextError> {
        let number = text.strip_prefix('n').and_then(|n| n.parse().ok());
        let number = number.filter(|&n: &u32| (n as usize) < self.nodes.len());
        number.ok_or_else(|| TextError::new("not a state", 0..text.len()))
    }
}

/// A random net of so many inner states. Successors of a state have larger numbers, unless there are
/// loops; then chance leads to an end from everywhere.
fn random(rng: &mut Rng, inner: u32, loops: bool, words: bool) -> Net {
    let scale = if words { Scale::three() } else { Scale::numbers(vec![-3, 0, 1, 4]) };
    let outcomes = scale.best().0 + 1;
    let ends = 1 + rng.below(5);
    let all = inner + ends;
    let mut nodes = Vec::new();
    for n in 0..inner {
        let turn = match rng.below(3) {
            0 => Turn::Agent(Agent(0)),
            1 => Turn::Agent(Agent(1)),
            _ => Turn::Chance,
        };
        let mut next: Vec<(u32, u64)> = Vec::new();
        for _ in 0..1 + rng.below(4) {
            let to = if loops { rng.below(all) } else { n + 1 + rng.below(all - n - 1) };
            if next.iter().all(|(t, _)| *t != to) {
                next.push((to, 1 + u64::from(rng.below(5))));
            }
        }
        if loops && turn == Turn::Chance && next.iter().all(|(t, _)| *t < inner) {
            next.push((inner + rng.below(ends), 1));
        }
        nodes.push(Node { turn, next, outcome: 0 });
    }
    for _ in 0..ends {
        let outcome = rng.below(u32::from(outcomes)) as u16;
        nodes.push(Node { turn: Turn::Over, next: Vec::new(), outcome });
    }
    Net { nodes, scale, loops }
}

/// A tree: every path is a state of its own.
fn tree(rng: &mut Rng, depth: u32, breadth: u32, chance_breadth: u32) -> Net {
    let mut net =
        Net { nodes: Vec::new(), scale: Scale::numbers((0..=20).collect()), loops: false };
    grow(&mut net, rng, depth, breadth, chance_breadth);
    net
}

/// Max, chance, Min, chance, and so on.
fn grow(net: &mut Net, rng: &mut Rng, depth: u32, breadth: u32, chance_breadth: u32) -> u32 {
    let number = net.nodes.len() as u32;
    let (turn, count) = match depth % 4 {
        _ if depth == 0 => (Turn::Over, 0),
        0 => (Turn::Agent(Agent(0)), breadth),
        2 => (Turn::Agent(Agent(1)), breadth),
        _ => (Turn::Chance, chance_breadth),
    };
    net.nodes.push(Node { turn, next: Vec::new(), outcome: rng.below(21) as u16 });
    for _ in 0..count {
        let child = grow(net, rng, depth - 1, breadth, chance_breadth);
        net.nodes[number as usize].next.push((child, 1 + u64::from(rng.below(3))));
    }
    number
}

/// The value by the definition, in fractions.
fn brute(net: &Net, worth: &Worth, s: u32, known: &mut HashMap<u32, Ratio>) -> Ratio {
    if let Some(value) = known.get(&s) {
        return value.clone();
    }
    let node = &net.nodes[s as usize];
    let below: Vec<(Ratio, u64)> =
        node.next.iter().map(|&(n, w)| (brute(net, worth, n, known), w)).collect();
    let value = match node.turn {
        Turn::Over => Ratio::from(worth.payoff(Outcome(node.outcome))),
        Turn::Agent(Agent(0)) => below.into_iter().map(|(v, _)| v).max().unwrap(),
        Turn::Agent(_) => below.into_iter().map(|(v, _)| v).min().unwrap(),
        Turn::Chance => {
            let total: u64 = below.iter().map(|(_, w)| w).sum();
            let sum =
                below.into_iter().fold(Ratio::ZERO, |s, (v, w)| s + v * Ratio::from(w as i64));
            sum / Ratio::from(total as i64)
        }
    };
    known.insert(s, value.clone());
    value
}

fn replay(net: &Net, text: &str) -> Result<ProvedExpected, CheckError> {
    let mut reader = Reader::new(text.as_bytes());
    let header = reader.header()?.ok_or_else(|| CheckError::new(0, "empty"))?;
    let proved = check_expected(net, &header, &mut reader)?;
    match reader.header()? {
        None => Ok(proved),
        Some(_) => Err(CheckError::new(0, "more behind the end")),
    }
}

/// The certificates of both sides from the start, and what they claim.
fn certificates(net: &Net, of: &Expectation<'_, Net>) -> Vec<(String, Ratio)> {
    let graph = Graph::build(of, &0, Limits::NONE, &mut ()).unwrap();
    let plans = plans(of, &graph, &mut ()).unwrap();
    let sides = if of.opponent.is_some() { vec![Side::Max] } else { vec![Side::Max, Side::Min] };
    let one = |side| {
        let plan = plans.plan(side, 0, &mut ()).unwrap().expect("bounds that follow");
        let text = write_expected_while(net, of.view.max(), &0, &plan, &mut |_, _| true);
        (text.unwrap().text, plan.bound)
    };
    sides.into_iter().map(one).collect()
}

#[test]
fn every_search_finds_the_value_of_the_definition() {
    let mut rng = Rng::new(1);
    let mut nodes = [0u64; 4];
    for round in 0..2000 {
        let inner = 1 + rng.below(14);
        let net = random(&mut rng, inner, false, round % 2 == 0);
        for max in [Agent(0), Agent(1)] {
            let of = Expectation::new(&net, max).unwrap();
            let mut mirrored = net.clone();
            if max == Agent(1) {
                for node in &mut mirrored.nodes {
                    node.turn = match node.turn {
                        Turn::Agent(Agent(a)) => Turn::Agent(Agent(1 - a)),
                        other => other,
                    };
                }
            }
            let exact = brute(&mirrored, &of.worth, 0, &mut HashMap::new());
            let value = exact.as_f64();
            let near = |found: Option<f64>| (found.unwrap() - value).abs() < 1e-9;
            for table in [false, true] {
                for (at, by) in Walk::ALL.into_iter().enumerate() {
                    let found = walk(&of, &0, WalkOptions::new(by, table), Limits::NONE, &mut ());
                    assert!(near(found.value), "{by:?} {table} {found:?} {value} {net:?}");
                    if !table {
                        nodes[at] += found.counts.nodes;
                    }
                }
            }
            let found = best_first(&of, &0, Limits::NONE, &mut ());
            assert!(near(found.value), "{found:?} {value} {net:?}");
            nodes[3] += found.counts.nodes;
            let graph = Graph::build(&of, &0, Limits::NONE, &mut ()).unwrap();
            assert!(near(graph.report(&mut ()).value));
            let points = exact / Ratio::from(of.worth.unit());
            for (text, bound) in certificates(&net, &of) {
                assert_eq!(bound, points);
                assert_eq!(replay(&net, &text).unwrap().bound, points, "{text}");
            }
        }
    }
    let [expectimax, star1, star2, _] = nodes;
    assert!(star1 < expectimax && star2 < expectimax, "{nodes:?}");
}

#[test]
fn cuts_save_nodes_on_trees() {
    let mut rng = Rng::new(2);
    let mut nodes = [0u64; 3];
    for _ in 0..60 {
        let net = tree(&mut rng, 8, 4, 3);
        let of = Expectation::new(&net, Agent(0)).unwrap();
        let value = brute(&net, &of.worth, 0, &mut HashMap::new()).as_f64();
        for (at, by) in Walk::ALL.into_iter().enumerate() {
            let found = walk(&of, &0, WalkOptions::new(by, false), Limits::NONE, &mut ());
            assert!((found.value.unwrap() - value).abs() < 1e-9, "{by:?}");
            nodes[at] += found.counts.nodes;
        }
        let found = best_first(&of, &0, Limits::NONE, &mut ());
        assert!((found.value.unwrap() - value).abs() < 1e-9);
        assert!(found.counts.nodes <= net.nodes.len() as u64);
    }
    let [expectimax, star1, star2] = nodes;
    assert!(star1 * 10 < expectimax * 9, "{nodes:?}");
    assert!(star2 * 10 < expectimax * 9, "{nodes:?}");
}

/// Plain alpha-beta, which walks through chance nodes of one outcome as if they were not there.
fn alpha_beta(net: &Net, s: u32, mut alpha: i64, mut beta: i64, nodes: &mut u64) -> i64 {
    *nodes += 1;
    let node = &net.nodes[s as usize];
    match node.turn {
        Turn::Over => i64::from(node.outcome),
        Turn::Chance => alpha_beta(net, node.next[0].0, alpha, beta, nodes),
        Turn::Agent(Agent(0)) => {
            let mut best = i64::MIN;
            for &(next, _) in &node.next {
                best = best.max(alpha_beta(net, next, alpha, beta, nodes));
                alpha = alpha.max(best);
                if best >= beta {
                    break;
                }
            }
            best
        }
        Turn::Agent(_) => {
            let mut best = i64::MAX;
            for &(next, _) in &node.next {
                best = best.min(alpha_beta(net, next, alpha, beta, nodes));
                beta = beta.min(best);
                if best <= alpha {
                    break;
                }
            }
            best
        }
    }
}

#[test]
fn with_one_outcome_a_chance_node_star1_makes_the_counts_of_alpha_beta() {
    let mut rng = Rng::new(3);
    for _ in 0..200 {
        let net = tree(&mut rng, 8, 5, 1);
        let of = Expectation::new(&net, Agent(0)).unwrap();
        let found = walk(&of, &0, WalkOptions::new(Walk::Star1, false), Limits::NONE, &mut ());
        let mut nodes = 0;
        let value = alpha_beta(&net, 0, 0, 20, &mut nodes);
        assert_eq!(found.value, Some(value as f64));
        assert_eq!(found.counts.nodes, nodes);
    }
}

#[test]
fn the_error_of_samples_falls_like_the_root_of_their_number() {
    let mut rng = Rng::new(4);
    let nets: Vec<Net> = (0..40).map(|_| tree(&mut rng, 4, 2, 24)).collect();
    let mut errors = Vec::new();
    for samples in [4, 16, 64, 256] {
        let mut squares = 0.0;
        let mut count = 0;
        for net in &nets {
            let of = Expectation::new(net, Agent(0)).unwrap();
            let value = brute(net, &of.worth, 0, &mut HashMap::new()).as_f64();
            for seed in 0..10 {
                let sampled = Sampled { by: Walk::Star1, samples, plies: None };
                let options = WalkOptions::sampled(sampled, seed);
                let found = walk(&of, &0, options, Limits::NONE, &mut ()).value.unwrap();
                squares += (found - value).powi(2);
                count += 1;
            }
        }
        errors.push((squares / f64::from(count)).sqrt());
    }
    // Four times the samples halve the error.
    for pair in errors.windows(2) {
        assert!((0.35..0.7).contains(&(pair[1] / pair[0])), "{errors:?}");
    }
    // A walk by Star1, by Star2 or by expectimax on the same sample finds the same.
    for net in &nets {
        let of = Expectation::new(net, Agent(0)).unwrap();
        let value = |by| {
            let sampled = Sampled { by, samples: 5, plies: None };
            walk(&of, &0, WalkOptions::sampled(sampled, 7), Limits::NONE, &mut ()).value.unwrap()
        };
        let [a, b, c] = Walk::ALL.map(value);
        assert!((a - b).abs() < 1e-9 && (b - c).abs() < 1e-9, "{a} {b} {c}");
    }
}

/// The value of a net with loops by sweeps of the definition, from below and from above.
fn swept(net: &Net, worth: &Worth, from: i64) -> Vec<f64> {
    let mut values = vec![from as f64; net.nodes.len()];
    for _ in 0..20_000 {
        for s in 0..net.nodes.len() {
            let node = &net.nodes[s];
            let below = node.next.iter().map(|&(n, w)| (values[n as usize], w as f64));
            values[s] = match node.turn {
                Turn::Over => worth.payoff(Outcome(node.outcome)) as f64,
                Turn::Agent(Agent(0)) => below.map(|(v, _)| v).fold(f64::MIN, f64::max),
                Turn::Agent(_) => below.map(|(v, _)| v).fold(f64::MAX, f64::min),
                Turn::Chance => {
                    let (sum, total) = below.fold((0.0, 0.0), |(s, t), (v, w)| (s + v * w, t + w));
                    sum / total
                }
            };
        }
    }
    values
}

#[test]
fn loops_are_solved_and_proved_from_both_sides() {
    let mut rng = Rng::new(5);
    let (mut met, mut apart) = (0, 0);
    for round in 0..300 {
        let inner = 2 + rng.below(9);
        let net = random(&mut rng, inner, true, round % 2 == 0);
        let of = Expectation::new(&net, Agent(0)).unwrap();
        let (least, most) = of.worth.range();
        let low = swept(&net, &of.worth, least)[0];
        let high = swept(&net, &of.worth, most)[0];
        let graph = Graph::build(&of, &0, Limits::NONE, &mut ()).unwrap();
        let report = graph.report(&mut ());
        assert!((report.bounds.0 - low).abs() < 1e-7, "{report:?} {low} {net:?}");
        assert!((report.bounds.1 - high).abs() < 1e-7, "{report:?} {high} {net:?}");
        let unit = of.worth.unit() as f64;
        let found = certificates(&net, &of);
        for ((text, bound), (value, sign)) in found.iter().zip([(low, 1.0), (high, -1.0)]) {
            let proved = replay(&net, text).unwrap_or_else(|e| panic!("{e}\n{text}"));
            assert_eq!(proved.bound, *bound);
            // A bound is never better than the truth, and hardly worse.
            let short = sign * (value / unit - bound.as_f64());
            assert!((-1e-9..1e-6).contains(&short), "{short} {value} {text}");
        }
        if (high - low).abs() < 1e-9 { met += 1 } else { apart += 1 }
    }
    assert!(met > 50 && apart > 20, "{met} {apart}");
}

/// All texts that differ from a certificate in one place, the checksum made right again.
fn damaged(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let body = lines.len() - 1;
    let mut all = Vec::new();
    let mut push = |lines: Vec<String>| all.push(sealed(&lines));
    for at in 7..body {
        let mut without: Vec<String> = lines[..body].iter().map(|l| (*l).to_owned()).collect();
        let line = without.remove(at);
        push(without.clone());
        without.insert(body - 1, line.clone());
        if without != lines[..body] {
            push(without);
        }
        for (i, c) in line.char_indices().filter(|(_, c)| c.is_ascii_digit()) {
            let mut changed: Vec<String> = lines[..body].iter().map(|l| (*l).to_owned()).collect();
            let other = if c == '9' { '8' } else { char::from(c as u8 + 1) };
            changed[at].replace_range(i..=i, &other.to_string());
            push(changed);
        }
    }
    all
}

fn sealed(lines: &[String]) -> String {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let mut sum = foregone_model::certificate::Checksum::EMPTY;
    sum.add(text.as_bytes());
    let blank = lines.iter().position(String::is_empty).unwrap();
    format!("{text}end {} {:016x}\n", lines.len() - blank - 1, sum.0)
}

#[test]
fn what_a_damaged_certificate_still_proves_is_true() {
    let mut rng = Rng::new(6);
    let (mut refused, mut accepted) = (0u32, 0u32);
    for round in 0..150 {
        let loops = round % 3 == 0;
        let inner = 2 + rng.below(6);
        let net = random(&mut rng, inner, loops, false);
        let of = Expectation::new(&net, Agent(0)).unwrap();
        let unit = of.worth.unit() as f64;
        let (least, most) = of.worth.range();
        let low = swept(&net, &of.worth, least);
        let high = swept(&net, &of.worth, most);
        for (text, _) in certificates(&net, &of) {
            // A byte that is changed without a new checksum is always seen.
            for at in 0..text.len() {
                let mut bytes = text.clone().into_bytes();
                bytes[at] ^= 1;
                let changed = String::from_utf8(bytes).unwrap();
                assert!(replay(&net, &changed).is_err(), "{at} {changed}");
            }
            for forged in damaged(&text) {
                match replay(&net, &forged) {
                    Err(_) => refused += 1,
                    Ok(proved) => {
                        accepted += 1;
                        let start = net.read_position(&proved.position).unwrap() as usize;
                        let bound = proved.bound.as_f64();
                        match proved.prover {
                            Side::Max => assert!(bound <= low[start] / unit + 1e-9, "{forged}"),
                            Side::Min => assert!(bound >= high[start] / unit - 1e-9, "{forged}"),
                        }
                    }
                }
            }
        }
    }
    // Lines that were only moved to another place, and bounds that ask for less, still prove something.
    assert!(refused > 3 * accepted && refused > 5000, "{refused} {accepted}");
}

#[test]
fn loops_that_prove_themselves_are_refused() {
    // Max may stay for ever, or end with 0; endless play proves nothing.
    let ends = |outcome| Node { turn: Turn::Over, next: Vec::new(), outcome };
    let max = Node { turn: Turn::Agent(Agent(0)), next: vec![(0, 1), (1, 1)], outcome: 0 };
    let net = Net { nodes: vec![max, ends(0)], scale: Scale::two(), loops: true };
    let forged = |bound: &str, claim: &str, leak: &str| {
        let lines = format!(
            "foregone certificate 2\ngame net\nrules 1\nexpected 60{leak}\nposition n0\n\
             claim max at-least {claim}\n\n! 0{bound} @ n0"
        );
        sealed(&lines.lines().map(str::to_owned).collect::<Vec<_>>())
    };
    let one = (1u64 << 60).to_string();
    assert!(replay(&net, &forged(&format!(" = {one}"), "1", " leak 50")).is_err());
    assert!(replay(&net, &forged(" = 1", "1/1152921504606846976", " leak 60")).is_err());
    assert!(replay(&net, &forged("", "1", "")).is_err());
    // Nothing is what it gets for sure.
    assert!(replay(&net, &forged(" = 0", "0", " leak 50")).is_ok());
    assert!(replay(&net, &forged(" = 0", "0", " leak 0")).is_err());
    assert!(replay(&net, &forged(" = 0", "0", " leak 61")).is_err());
}

#[test]
fn a_known_opponent_is_answered_exactly() {
    let mut rng = Rng::new(7);
    for round in 0..500 {
        let inner = 1 + rng.below(12);
        let net = random(&mut rng, inner, false, round % 2 == 0);
        let policy = Policy { habits: vec![(Habit::Random, 1), (Habit::First, 2)] };
        let of = Expectation::new(&net, Agent(0)).unwrap().against(&policy);
        // The same as a game in which Min's moves are chance.
        let mut fixed = net.clone();
        for node in fixed.nodes.iter_mut().filter(|node| node.turn == Turn::Agent(Agent(1))) {
            node.turn = Turn::Chance;
            let count = node.next.len() as u64;
            for (at, (_, weight)) in node.next.iter_mut().enumerate() {
                *weight = 1 + if at == 0 { 2 * count } else { 0 };
            }
        }
        let value = brute(&fixed, &of.worth, 0, &mut HashMap::new()) / Ratio::from(of.worth.unit());
        for (text, bound) in certificates(&net, &of) {
            assert_eq!(bound, value);
            let proved = replay(&net, &text).unwrap();
            assert!(proved.opponent_known && proved.bound == value);
            for forged in damaged(&text) {
                if let Ok(proved) = replay(&net, &forged) {
                    // Other weights are another opponent, against whom the value is the same by chance.
                    assert_eq!(proved.bound, value, "{forged}");
                }
            }
        }
    }
}

#[test]
fn opponent_model_search_has_its_laws() {
    let mut rng = Rng::new(8);
    let mut gained = 0;
    for _ in 0..200 {
        let net = tree(&mut rng, 6, 3, 2);
        let of = Expectation::new(&net, Agent(0)).unwrap();
        let noise = |seed: u64| move |s: &u32| Rng::new(seed ^ u64::from(*s)).below(21) as f64;
        let (own, theirs, third) = (noise(1), noise(2), noise(3));
        for plies in [2, 4, 6] {
            let model = |leaf, weight| Model::<u32> { leaf, weight };
            let minimax = look_ahead(&of, &0, plies, &own);
            // An opponent who sees what we see is the opponent of minimax.
            let same = om(&of, &0, plies, &own, &[model(&own, 1.0)]);
            assert!((same - minimax).abs() < 1e-9);
            // Who errs gives us no less.
            let errs = om(&of, &0, plies, &own, &[model(&theirs, 1.0)]);
            assert!(errs >= minimax - 1e-9);
            gained += u32::from(errs > minimax + 1e-9);
            // One opponent out of one, whatever its weight.
            let one = om(&of, &0, plies, &own, &[model(&theirs, 0.3)]);
            assert!((one - errs).abs() < 1e-9);
            let twice = om(&of, &0, plies, &own, &[model(&theirs, 0.5), model(&theirs, 2.0)]);
            assert!((twice - errs).abs() < 1e-9);
            let mixed = om(&of, &0, plies, &own, &[model(&theirs, 1.0), model(&third, 1.0)]);
            assert!(mixed >= minimax - 1e-9);
        }
    }
    assert!(gained > 20, "{gained}");
}

#[test]
fn searches_end_when_they_are_told() {
    let mut rng = Rng::new(9);
    let net = tree(&mut rng, 12, 3, 3);
    let of = Expectation::new(&net, Agent(0)).unwrap();
    let few = Limits { nodes: 1000, ..Limits::NONE };
    let found = walk(&of, &0, WalkOptions::new(Walk::Star1, true), few, &mut ());
    assert_eq!((found.stop, found.value), (StopReason::Nodes, None));
    let found = best_first(&of, &0, few, &mut ());
    assert_eq!((found.stop, found.value), (StopReason::Nodes, None));
    let value = brute(&net, &of.worth, 0, &mut HashMap::new()).as_f64();
    assert!(found.bounds.0 <= value && value <= found.bounds.1, "{found:?} {value}");
    let (stop, counts) = Graph::build(&of, &0, few, &mut ()).err().unwrap();
    assert_eq!(stop, StopReason::Nodes);
    assert!(counts.nodes > 1000);
}

#[test]
fn words_and_numbers_have_their_worth() {
    let net = |scale| Net { nodes: vec![], scale, loops: false };
    let worth = |scale, agent| Worth::new(&net(scale), agent).unwrap();
    let two = worth(Scale::two(), Agent(0));
    assert_eq!((two.payoff(Outcome(0)), two.payoff(Outcome(1)), two.unit()), (0, 1, 1));
    let three = worth(Scale::three(), Agent(1));
    assert_eq!([0, 1, 2].map(|o| three.payoff(Outcome(o))), [2, 1, 0]);
    assert_eq!(three.unit(), 2);
    let numbers = worth(Scale::numbers(vec![-5, 2, 7]), Agent(1));
    assert_eq!([0, 1, 2].map(|o| numbers.payoff(Outcome(o))), [5, -2, -7]);
    assert_eq!((numbers.unit(), numbers.range()), (1, (-7, 5)));
    assert!(Worth::new(&net(Scale::numbers(vec![i64::MIN + 1, i64::MAX])), Agent(0)).is_none());
}
