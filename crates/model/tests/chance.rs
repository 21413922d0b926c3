//! Chance and many players: certificates and questions on random graphs, against the definition of
//! what an agent can force for sure.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::HashMap;
use std::io::Cursor;

use foregone_model::certificate::{self, CheckError, Proved, Reader, RulesOnly};
use foregone_model::formula::{Check, Language, read};
use foregone_model::guide::draw;
use foregone_model::{
    Agent, Claim, Endless, Game, Goal, Guide, Line, Look, Notation, Outcome, Rng, Scale,
    Sequential, Side, Space, TextError, Turn, Typed, Viewpoint, WeakSolution,
};

/// A graph of states, numbered. A move is the state that it leads to.
#[derive(Clone, Debug)]
struct Graph {
    agents: u8,
    endless: Endless,
    /// What the rules say about themselves, true or not.
    says_chance: bool,
    nodes: Vec<Node>,
    /// For each agent what each outcome is worth.
    scores: Vec<Vec<i64>>,
}

#[derive(Clone, Debug)]
struct Node {
    turn: Turn,
    outcome: Outcome,
    next: Vec<u16>,
    weights: Vec<u64>,
}

const OUTCOMES: u16 = 4;

impl Node {
    fn over(outcome: u16) -> Node {
        let outcome = Outcome(outcome);
        Node { turn: Turn::Over, outcome, next: Vec::new(), weights: Vec::new() }
    }

    fn choice(turn: Turn, next: Vec<u16>) -> Node {
        let weights = vec![1; next.len()];
        Node { turn, outcome: Outcome(0), next, weights }
    }
}

impl Graph {
    /// Moves go to later states, or anywhere if there may be cycles.
    fn random(agents: u8, chance: bool, cycles: bool, count: u16, rng: &mut Rng) -> Graph {
        let mut node = |at: u16| {
            let last = count - 3;
            if at >= last || (at > 0 && rng.below(6) == 0) {
                return Node::over(rng.below(u32::from(OUTCOMES)) as u16);
            }
            let mut next: Vec<u16> = Vec::new();
            for _ in 0..=rng.below(3) {
                let from = if cycles { 0 } else { at + 1 };
                let to = from + rng.below(u32::from(count - from)) as u16;
                if !next.contains(&to) {
                    next.push(to);
                }
            }
            let turn = match rng.below(u32::from(agents) + u32::from(chance)) as u8 {
                agent if agent < agents => Turn::Agent(Agent(agent)),
                _ => Turn::Chance,
            };
            Node::choice(turn, next)
        };
        let nodes = (0..count).map(&mut node).collect();
        let endless = match cycles {
            false => Endless::Impossible,
            true => [
                Endless::Undetermined,
                Endless::Scores(Outcome(rng.below(u32::from(OUTCOMES)) as u16)),
            ][rng.below(2) as usize],
        };
        // The first agent likes them as they stand in the scale; the others like what they like.
        let scores = (0..agents)
            .map(|a| {
                let place = |o| if a == 0 { o } else { i64::from(rng.below(3)) * 5 - 5 };
                (0..i64::from(OUTCOMES)).map(place).collect()
            })
            .collect();
        Graph { agents, endless, says_chance: chance, nodes, scores }
    }

    /// A game of two with these states, that ends.
    fn of(nodes: Vec<Node>) -> Graph {
        let scores = vec![vec![0, 1, 2, 3], vec![0, -1, -2, -3]];
        Graph { agents: 2, endless: Endless::Impossible, says_chance: true, nodes, scores }
    }

    fn node(&self, s: u16) -> &Node {
        &self.nodes[usize::from(s)]
    }
}

impl Game for Graph {
    type State = u16;
    type Move = u16;

    fn scale(&self) -> Scale {
        Scale::words(["bad", "poor", "fair", "good"].map(str::to_owned).to_vec())
    }

    fn endless(&self) -> Endless {
        self.endless
    }

    fn start(&self) -> u16 {
        0
    }

    fn turn(&self, s: &u16) -> Turn {
        self.node(*s).turn
    }

    fn moves(&self, s: &u16, agent: Agent, out: &mut Vec<u16>) {
        let Node { turn, next, .. } = self.node(*s);
        assert_eq!(turn.mover(), Some(agent), "only who is on turn is asked");
        out.extend(next);
    }

    fn play(&self, s: &mut u16, agent: Agent, m: u16) {
        assert_eq!(self.turn(s).mover(), Some(agent), "only who is on turn moves");
        *s = m;
    }

    fn outcome(&self, s: &u16) -> Outcome {
        assert_eq!(self.turn(s), Turn::Over);
        self.node(*s).outcome
    }

    fn has_chance(&self) -> bool {
        self.says_chance
    }

    fn weight(&self, s: &u16, m: u16) -> u64 {
        let Node { next, weights, .. } = self.node(*s);
        weights[next.iter().position(|&n| n == m).unwrap()]
    }

    fn agents(&self) -> u8 {
        self.agents
    }

    fn score(&self, outcome: Outcome, agent: Agent) -> i64 {
        self.scores[usize::from(agent.0)][usize::from(outcome.0)]
    }
}

impl Guide for Graph {
    type Packed = u16;

    const PACKS_TURN: bool = true;

    fn pack(&self, s: &u16) -> u16 {
        *s
    }
}

/// The last one is called like all that are not Max together.
const NAMES: [&str; 3] = ["one", "two", "others"];

impl Notation for Graph {
    fn name(&self) -> String {
        "graph".to_owned()
    }

    fn players(&self) -> [&str; 2] {
        if self.agents == 2 { ["one", "two"] } else { ["one", "rest"] }
    }

    fn agent_name(&self, agent: Agent) -> &str {
        NAMES.get(usize::from(agent.0)).unwrap_or(&"chance")
    }

    fn write_move(&self, _s: &u16, m: u16, out: &mut String) {
        out.push_str(&m.to_string());
    }

    fn parse_move(&self, _s: &u16, text: &str) -> Option<u16> {
        text.parse().ok()
    }

    fn write_position(&self, s: &u16, out: &mut String) {
        out.push_str(&s.to_string());
    }

    fn read_position(&self, text: &str) -> Result<u16, TextError> {
        let s = text.parse().ok().filter(|&s: &u16| usize::from(s) < self.nodes.len());
        s.ok_or_else(|| TextError::new("not a state", 0..text.len()))
    }

    fn draw(&self, s: &u16) -> String {
        format!("{s}\n")
    }
}

/// What chance does in a question.
#[derive(Clone, Copy, PartialEq)]
enum Chance {
    /// Anything may happen: what it is.
    Any,
    /// What helps the prover: what it must never be taken for.
    Helps,
}

/// When a state came to be known as one from which the prover forces its claim, if it does; all at
/// once where endless play meets the claim. By the definition: no code of the library but the rules.
fn forced(game: &Graph, claim: Claim, worth: i64, chance: Chance) -> Vec<Option<u32>> {
    let score = |o: Outcome| game.scores[usize::from(claim.max.0)][usize::from(o.0)];
    let meets = |o: Outcome| (score(o) >= worth) == (claim.prover == Side::Max);
    let endless_meets = match game.endless {
        Endless::Impossible => false,
        Endless::Undetermined => claim.or_endless,
        Endless::Scores(o) => claim.or_endless || meets(o),
    };
    let holds = |node: &Node, inside: &dyn Fn(u16) -> bool| match node.turn {
        Turn::Over => meets(node.outcome),
        Turn::Chance if chance == Chance::Any => node.next.iter().all(|&n| inside(n)),
        Turn::Chance => node.next.iter().any(|&n| inside(n)),
        Turn::Agent(agent) if (agent == claim.max) == (claim.prover == Side::Max) => {
            node.next.iter().any(|&n| inside(n))
        }
        Turn::Agent(_) => node.next.iter().all(|&n| inside(n)),
    };
    let mut since: Vec<Option<u32>> = vec![endless_meets.then_some(0); game.nodes.len()];
    for round in 1.. {
        let before = since.clone();
        let inside = |n: u16| before[usize::from(n)].is_some();
        for (node, since) in game.nodes.iter().zip(&mut since) {
            match (holds(node, &inside), endless_meets) {
                (false, true) => *since = None,
                (true, false) => *since = since.or(Some(round)),
                (true, true) | (false, false) => {}
            }
        }
        if since == before {
            return since;
        }
    }
    unreachable!()
}

/// The weak solution by which the prover forces the claim from `start`, where it does. At a state of
/// chance that helps the prover picks what happens.
fn solution(
    game: &Graph,
    claim: Claim,
    since: &[Option<u32>],
    chance: Chance,
    start: u16,
) -> WeakSolution<u16> {
    let mut lines = Vec::new();
    let mut proved_at: HashMap<u16, u32> = HashMap::new();
    let mut todo = vec![start];
    while let Some(s) = todo.pop() {
        let node = game.node(s);
        if node.turn == Turn::Over {
            lines.push(Line::Over);
            continue;
        }
        if let Some(&line) = proved_at.get(&s) {
            lines.push(Line::Same(line));
            continue;
        }
        proved_at.insert(s, lines.len() as u32);
        let own = match node.turn {
            Turn::Agent(agent) => (agent == claim.max) == (claim.prover == Side::Max),
            Turn::Chance | Turn::Over => chance == Chance::Helps,
        };
        if own {
            let known = |&&n: &&u16| since[usize::from(n)].is_some();
            let best = node.next.iter().filter(known).min_by_key(|&&n| since[usize::from(n)]);
            lines.push(Line::Plays(*best.unwrap()));
            todo.push(*best.unwrap());
        } else {
            lines.push(Line::Replies(node.next.len() as u32));
            todo.extend(node.next.iter().rev());
        }
    }
    WeakSolution { prover: claim.prover, lines }
}

fn replay(game: &Graph, text: &str) -> Result<Proved, CheckError> {
    let mut reader = Reader::new(Cursor::new(text.as_bytes()));
    let header = reader.header()?.unwrap();
    certificate::check(game, &header, &mut reader, &mut RulesOnly)
}

/// A certificate that was changed, with a fitting last line.
fn signed(text: &str) -> String {
    let body: String =
        text.lines().filter(|l| !l.starts_with("end ")).flat_map(|l| [l, "\n"]).collect();
    let mut sum = certificate::Checksum::EMPTY;
    sum.add(body.as_bytes());
    let claims = body.split_once("\n\n").unwrap().1.lines().count();
    format!("{body}end {claims} {:016x}\n", sum.0)
}

/// All claims about a game, each with the score of Max that it speaks of.
fn claims(game: &Graph, max: Agent) -> Vec<(Claim, i64)> {
    let mut scores = game.scores[usize::from(max.0)].clone();
    scores.sort_unstable();
    scores.dedup();
    let mut all = Vec::new();
    for (rank, &worth) in scores.iter().enumerate().skip(1) {
        for prover in [Side::Max, Side::Min] {
            for or_endless in [false, true] {
                let at_least = Outcome(rank as u16);
                all.push((Claim { max, prover, at_least, or_endless }, worth));
            }
        }
    }
    all
}

#[test]
fn what_is_forced_for_sure_has_a_certificate_and_nothing_else_has() {
    let mut rng = Rng::new(5);
    // How many claims were proved, could be proved if chance helped, and neither, by cycles.
    let mut seen = [[0; 3]; 2];
    for round in 0..600 {
        let cycles = round % 2 == 1;
        let game = Graph::random(2, true, cycles, 12, &mut rng);
        for (claim, worth) in claims(&game, Agent::FIRST) {
            let since = forced(&game, claim, worth, Chance::Any);
            let hoped = forced(&game, claim, worth, Chance::Helps);
            let which = match (since[0], hoped[0]) {
                (Some(_), _) => {
                    let weak = solution(&game, claim, &since, Chance::Any, 0);
                    let text = certificate::write(&game, &0, claim, &weak).text;
                    let proved = replay(&game, &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
                    assert_eq!((proved.claim, proved.max.as_str()), (claim, NAMES[0]));
                    play_is_legal(&game, &weak);
                    rules_may_not_deny_chance(&game, &text);
                    0
                }
                (None, Some(_)) => {
                    let weak = solution(&game, claim, &hoped, Chance::Helps, 0);
                    let text = certificate::write(&game, &0, claim, &weak).text;
                    let refused = replay(&game, &text).unwrap_err();
                    assert_eq!(refused.problem, "chance is to move here", "{text}");
                    1
                }
                (None, None) => 2,
            };
            seen[usize::from(cycles)][which] += 1;
        }
    }
    assert!(seen.iter().flatten().all(|&n| n > 100), "{seen:?}");
}

/// The play that is shown out of a solution can be played.
fn play_is_legal(game: &Graph, weak: &WeakSolution<u16>) {
    let mut s = 0;
    for m in weak.clone().line(game, &0) {
        assert!(game.node(s).next.contains(&m), "{weak:?}");
        s = m;
    }
}

/// The same certificate for rules that say there is no chance, where chance moves.
fn rules_may_not_deny_chance(game: &Graph, text: &str) {
    let liar = Graph { says_chance: false, ..game.clone() };
    let lines = text.split_once("\n\n").unwrap().1;
    let met = reached(game, lines).into_iter().any(|s| game.turn(&s) == Turn::Chance);
    match replay(&liar, text) {
        Ok(_) => assert!(!met, "{text}"),
        Err(e) => assert!(met && e.rules_broken, "{e}\n{text}"),
    }
}

/// The states that the lines of a certificate name, and the first one.
fn reached(game: &Graph, lines: &str) -> Vec<u16> {
    let words = lines.lines().filter(|l| !l.starts_with("end ")).flat_map(|l| {
        let named = l.split_once(": ").map(|(m, _)| m);
        let played = l.split_once("! ").map(|(_, m)| m);
        named.into_iter().chain(played)
    });
    let all = words.map(|w| w.parse().unwrap()).chain([0]);
    all.filter(|&s| usize::from(s) < game.nodes.len()).collect()
}

/// One throws a die of three sides, 1, 2 and 3; two of them are good for One at once, and the third
/// when One plays right.
fn die() -> Graph {
    let mut thrown = Node::choice(Turn::Chance, vec![1, 2, 3]);
    thrown.weights = vec![1, 2, 5];
    let chosen = Node::choice(Turn::Agent(Agent(0)), vec![4, 5]);
    let ends = [Node::over(3), Node::over(2), Node::over(0), Node::over(3)];
    let [good, fair, bad, also_good] = ends;
    Graph::of(vec![thrown, good, fair, chosen, bad, also_good])
}

#[test]
fn a_proof_must_answer_everything_that_may_happen() {
    let game = die();
    let claim =
        Claim { max: Agent::FIRST, prover: Side::Max, at_least: Outcome(2), or_endless: false };
    let since = forced(&game, claim, 2, Chance::Any);
    let weak = solution(&game, claim, &since, Chance::Any, 0);
    let text = certificate::write(&game, &0, claim, &weak).text;
    let (header, body) = text.split_once("\n\n").unwrap();
    assert_eq!(body.rsplit_once("end").unwrap().0, "? 3\n1: .\n2: .\n3: ! 5\n.\n");
    assert!(replay(&game, &text).is_ok());
    assert_eq!(weak.clone().line(&game, &0), [3, 5]);
    for (body, problem) in [
        // A block is missing, and the count says so, or does not.
        ("? 2\n1: .\n3: ! 5\n.\n", "expected `? 3`, as many as chance has moves"),
        ("? 3\n1: .\n3: ! 5\n.\n", "expected `MOVE: …`, an answer"),
        ("? 3\n1: .\n1: .\n3: ! 5\n.\n", "`1` is not a move of the opponent"),
        // The prover does not choose what happens, nor does it end here.
        ("! 1\n.\n", "chance is to move here"),
        (".\n", "the game is not over here"),
        ("? 3\n1: .\n2: .\n3: ! 4\n.\n", "the game ends in a bad here, against the claim"),
    ] {
        let refused = replay(&game, &signed(&format!("{header}\n\n{body}"))).unwrap_err();
        assert!(refused.problem.starts_with(problem), "{body}{refused}");
        assert!(!refused.rules_broken);
    }
    // Min cannot choose what happens, either.
    let below = header.replace("one at-least fair", "two below good");
    let refused = replay(&game, &signed(&format!("{below}\n\n! 2\n.\n"))).unwrap_err();
    assert_eq!(refused.problem, "chance is to move here");
    let liar = Graph { says_chance: false, ..game };
    let refused = replay(&liar, &text).unwrap_err();
    assert!(refused.rules_broken && refused.line == 7, "{refused}");
}

#[test]
fn what_happens_happens_by_its_weights() {
    let game = die();
    let mut rng = Rng::new(9);
    let (mut ends, mut throws) = ([0u32; 4], [0u32; 6]);
    for _ in 0..80_000 {
        ends[usize::from(game.playout(0, &mut rng).unwrap().0)] += 1;
        throws[usize::from(draw(&game, &0, &game.node(0).next, &mut rng))] += 1;
    }
    let near = |found: u32, wanted: u32| found.abs_diff(wanted) < 700;
    assert!(near(throws[1], 10_000) && near(throws[2], 20_000) && near(throws[3], 50_000));
    // One chooses evenly between bad and good.
    assert!(near(ends[3], 35_000) && near(ends[2], 20_000) && near(ends[0], 25_000), "{ends:?}");
}

#[test]
fn a_large_weight_leaves_room_for_small_ones() {
    let mut game = die();
    game.nodes[0].weights = vec![u64::MAX - 2, 1, 1];
    let mut rng = Rng::new(2);
    assert!((0..1000).all(|_| draw(&game, &0, &game.node(0).next, &mut rng) == 1));
    assert!(
        (0..1000).all(|_| (1 << 63..=u64::MAX).contains(&(rng.below_wide(1 << 63) + (1 << 63))))
    );
}

#[test]
fn what_happens_can_be_typed() {
    let game = die();
    assert_eq!(game.read_position_or_moves("moves:3,5"), Ok(5));
    assert_eq!(
        game.read_move(&0, "4").unwrap_err().message,
        "`4` is not a legal move for chance here"
    );
    assert!(game.read_move(&5, "1").unwrap_err().message.contains("over"));
}

#[test]
fn questions_without_room_for_chance_refuse_it() {
    let game = die();
    assert!(Sequential::new(game.clone()).is_none());
    let refused = read(&Language::of(&game), "w", Agent(0)).unwrap_err();
    assert_eq!(refused.message, "formulas are not asked of games with chance");
    let asked = || Goal::new(&game, 0, Outcome(1), Side::Min);
    assert!(std::panic::catch_unwind(asked).is_err());
    // Rules that lie are found out where chance moves.
    let liar = Graph { says_chance: false, ..game.clone() };
    let asked = || Goal::new(&liar, 0, Outcome(1), Side::Min).look(&0);
    assert!(std::panic::catch_unwind(asked).is_err());
    let formula = read(&Language::of(&liar), "<A>w", Agent(0)).unwrap();
    let asked = || Check::new(&game, formula.clone());
    assert!(std::panic::catch_unwind(asked).is_err());
    let check = Check::new(&liar, formula.clone());
    assert_eq!(check.rules_violation(), None);
    let _ = check.start();
    assert!(check.rules_violation().unwrap().contains("chance"));
}

#[test]
fn a_formula_about_rules_that_deny_chance_is_not_proved() {
    let liar = Graph { says_chance: false, ..die() };
    // The agent of the formula can only pass where chance moves, and has not won.
    let body = "formula <A>w\nas one\nposition 0\nclaim falsifier below win\n\n.\n";
    let text = signed(&format!("foregone certificate 2\ngame graph\nrules 1\n{body}"));
    let mut reader = Reader::new(Cursor::new(text.as_bytes()));
    let header = reader.header().unwrap().unwrap();
    let refused =
        certificate::check_formula(&liar, &header, &mut reader, &mut RulesOnly).unwrap_err();
    assert!(refused.rules_broken, "{refused}");
    let honest = die();
    let mut reader = Reader::new(Cursor::new(text.as_bytes()));
    let header = reader.header().unwrap().unwrap();
    let refused =
        certificate::check_formula(&honest, &header, &mut reader, &mut RulesOnly).unwrap_err();
    assert!(refused.problem.contains("games with chance") && !refused.rules_broken, "{refused}");
}

/// The value of a space, by trying everything; the first repetition ends a play.
fn value<S: Space>(space: &S, s: &S::State, path: &mut Vec<S::State>) -> Outcome {
    let side = match space.look(s) {
        Look::Over(outcome) => return outcome,
        Look::Choice(side) => side,
    };
    if path.contains(s) {
        return space.repetition(s);
    }
    path.push(s.clone());
    let mut steps = Vec::new();
    space.steps(s, side, &mut steps);
    let mut promising = Vec::new();
    space.promising(s, side, &mut promising);
    assert_eq!(steps, promising);
    let values = steps.into_iter().map(|step| {
        let mut next = s.clone();
        space.take(&mut next, side, step);
        value(space, &next, path)
    });
    let best = match side {
        Side::Max => values.max(),
        Side::Min => values.min(),
    };
    path.pop();
    best.unwrap()
}

#[test]
fn each_of_three_agents_is_max_when_the_question_says_so() {
    let mut rng = Rng::new(17);
    let (mut answers, mut merged) = ([[0; 2]; 3], 0);
    for round in 0..300 {
        let game = Graph::random(3, false, round % 2 == 1, 9, &mut rng);
        for max in (0..3).map(Agent) {
            let view = Viewpoint::new(&game, max);
            let best = (0..OUTCOMES).map(|o| view.rank(Outcome(o))).max().unwrap();
            merged += u32::from(best.0 < OUTCOMES - 1);
            for (claim, worth) in claims(&game, max) {
                // Either side proves what the other one cannot, if loops are counted for that one.
                let open = match (claim.prover, claim.or_endless) {
                    (side, true) => side,
                    (side, false) => side.other(),
                };
                let goal = Goal::new(&game, 0, claim.at_least, open).with_max(max);
                let undetermined = game.endless == Endless::Undetermined;
                let meant = Claim { or_endless: claim.or_endless && undetermined, ..claim };
                assert_eq!(goal.claim(claim.prover, Outcome::WIN), meant);
                let since = forced(&game, meant, worth, Chance::Any);
                let reached = value(&goal, &0, &mut Vec::new()) == Outcome::WIN;
                let proves = reached == (claim.prover == Side::Max);
                assert_eq!(proves, since[0].is_some(), "{claim:?} {game:?}");
                answers[usize::from(max.0)][usize::from(proves)] += 1;
                // The same as one threshold of the widest window.
                let whole = Goal::within(&game, 0, (Outcome(0), best), open).with_max(max);
                assert_eq!(whole.best(), best);
                let same = whole.threshold(claim.at_least);
                assert_eq!(value(&same, &0, &mut Vec::new()) == Outcome::WIN, reached);
                if proves {
                    is_certified(&game, meant, &since);
                }
            }
        }
    }
    assert!(answers.iter().flatten().all(|&n| n > 100), "{answers:?}");
    assert!(merged > 100, "outcomes of equal score are one: {merged}");
}

/// Writes and replays the proof of a claim, and proofs of other claims with the same lines.
fn is_certified(game: &Graph, claim: Claim, since: &[Option<u32>]) {
    let weak = solution(game, claim, since, Chance::Any, 0);
    let text = certificate::write(game, &0, claim, &weak).text;
    let proved = replay(game, &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(proved.claim, claim, "{text}");
    let name = NAMES[usize::from(claim.max.0)];
    if claim.max == Agent::FIRST {
        assert_eq!((proved.max.as_str(), text.contains("\nmax ")), (name, false));
        let text = signed(&text.replace("\nposition", "\nmax one\nposition"));
        let refused = replay(game, &text).unwrap_err();
        assert!(refused.problem.starts_with("expected no `max`"), "{refused}");
        return;
    }
    assert_eq!(proved.max, name);
    let without = signed(&text.replace(&format!("max {name}\n"), ""));
    let refused = replay(game, &without).unwrap_err();
    assert!(refused.problem.contains("is not a player of this game"), "{refused}");
    // For another Max the same lines prove at most what is true.
    let other = Agent(3 - claim.max.0);
    let swapped = text.replace(name, NAMES[usize::from(other.0)]);
    if let Ok(proved) = replay(game, &signed(&swapped)) {
        assert_eq!(proved.claim.max, other);
        let view = Viewpoint::new(game, other);
        let mut outcomes = (0..OUTCOMES).map(Outcome);
        let named = outcomes.find(|&o| view.rank(o) == proved.claim.at_least).unwrap();
        let truth = forced(game, proved.claim, game.score(named, other), Chance::Any);
        assert!(truth[0].is_some(), "{swapped}");
    }
}

#[test]
fn knowledge_says_nothing_about_another_max() {
    struct Sure;
    impl certificate::Beyond<Graph> for Sure {
        fn vouch(
            &mut self,
            _game: &Graph,
            _s: &u16,
            _claim: Claim,
            _rule: &str,
        ) -> Option<certificate::Standing> {
            Some(certificate::Standing::Proved)
        }
    }
    let game = Graph {
        says_chance: false,
        ..Graph::of(vec![Node::choice(Turn::Agent(Agent(0)), vec![1]), Node::over(0)])
    };
    for (header, proved) in [
        ("position 0\nclaim two below good", true),
        ("max two\nposition 0\nclaim two at-least bad", false),
    ] {
        let text = format!("foregone certificate 2\ngame graph\nrules 1\n{header}\n\nby magic\n");
        let text = signed(&text);
        let mut reader = Reader::new(Cursor::new(text.as_bytes()));
        let header = reader.header().unwrap().unwrap();
        let checked = certificate::check(&game, &header, &mut reader, &mut Sure);
        assert_eq!(checked.is_ok(), proved, "{checked:?}");
    }
}

#[test]
fn the_second_of_two_is_max_from_the_other_end_of_the_scale() {
    let game = Graph {
        says_chance: false,
        ..Graph::of(vec![
            Node::choice(Turn::Agent(Agent(0)), vec![1, 2]),
            Node::over(3),
            Node::choice(Turn::Agent(Agent(1)), vec![3, 1]),
            Node::over(1),
        ])
    };
    let view = Viewpoint::new(&game, Agent(1));
    assert_eq!((0..4).map(|o| view.rank(Outcome(o)).0).collect::<Vec<_>>(), [3, 2, 1, 0]);
    assert_eq!([Agent(0), Agent(1)].map(|a| view.side(a)), [Side::Min, Side::Max]);
    // From state 2 the second one reaches `poor`, which is the third best to it.
    for (start, rank, wins) in [(2, 2, true), (2, 3, false), (0, 1, false)] {
        let goal = Goal::new(&game, start, Outcome(rank), Side::Min).with_max(Agent(1));
        let outcome = value(&goal, &start, &mut Vec::new());
        assert_eq!(outcome == Outcome::WIN, wins, "{start} {rank}");
        assert_eq!(goal.playout(1, &mut Rng::new(1)), Some(Outcome::LOSS));
    }
    let claim = Claim { max: Agent(1), prover: Side::Min, at_least: Outcome(1), or_endless: false };
    let weak = WeakSolution { prover: Side::Min, lines: vec![Line::Plays(1), Line::Over] };
    let text = certificate::write(&game, &0, claim, &weak).text;
    assert!(text.contains("\nmax two\nposition 0\nclaim others below fair\n"), "{text}");
    let proved = replay(&game, &text).unwrap();
    assert_eq!(proved.to_string(), "0 in graph: the others keep two from outcome fair and better");
}

#[test]
fn a_scale_is_words_or_numbers_as_it_is_said() {
    let names = |scale: &Scale| scale.names().map(str::to_owned).collect::<Vec<_>>();
    let words = Scale::words(vec!["1".to_owned(), "2".to_owned()]);
    assert_eq!((words.scores(), words.score(Outcome(1)), words.best()), (None, None, Outcome(1)));
    let numbers = Scale::numbers(vec![-1, 0, 8]);
    assert_eq!(names(&numbers), ["-1", "0", "8"]);
    assert_eq!((numbers.score(Outcome(2)), numbers.find("8")), (Some(8), Some(Outcome(2))));
    let spelled = Scale::spelled(vec![(-1, "-1".to_owned()), (8, "+8".to_owned())]);
    assert_eq!(
        (names(&spelled), spelled.scores()),
        (vec!["-1".into(), "+8".into()], Some(&[-1, 8][..]))
    );
    for numbers in [vec![3], vec![1, 1], vec![2, 1], vec![i64::MIN, 0]] {
        assert!(
            std::panic::catch_unwind(|| Scale::numbers(numbers.clone())).is_err(),
            "{numbers:?}"
        );
    }
}
