//! Who is Max is part of the question: values for every player against brute force by the rules.

use std::collections::HashMap;

use foregone::games::files::Files;
use foregone::games::options::Options;
use foregone::games::registry::GameError;
use foregone::model::{Agent, Endless, Game, Notation, Outcome, Rng, Scale, TextError, Turn};
use foregone::search::{Guidance, all_guidances};
use foregone::{Answer, Cancel, Engine, Entry, Job, NoClock, Opened, Question};

use crate::common::{accepted, guided, in_turn, job, turn};

/// All states below one, each with its turn and the states behind it.
struct Graph {
    turns: Vec<Option<Agent>>,
    next: Vec<Vec<usize>>,
    /// The outcomes of states that are over.
    ends: Vec<Option<Outcome>>,
}

impl Graph {
    fn below<G: Game>(game: &G, start: &G::State) -> Graph {
        let mut numbers = HashMap::from([(start.clone(), 0)]);
        let mut states = vec![start.clone()];
        let mut graph = Graph { turns: Vec::new(), next: Vec::new(), ends: Vec::new() };
        while let Some(s) = states.get(graph.next.len()).cloned() {
            let mut next = Vec::new();
            let turn = game.turn(&s).mover();
            let mut moves = Vec::new();
            if let Some(agent) = turn {
                game.moves(&s, agent, &mut moves);
                for m in moves {
                    let mut after = s.clone();
                    game.play(&mut after, agent, m);
                    let number = *numbers.entry(after.clone()).or_insert(states.len());
                    if number == states.len() {
                        states.push(after);
                    }
                    next.push(number);
                }
            }
            graph.ends.push(turn.is_none().then(|| game.outcome(&s)));
            graph.turns.push(turn);
            graph.next.push(next);
        }
        graph
    }

    /// Whether some agents together force an end of this kind from the first state.
    fn force(&self, ours: impl Fn(Agent) -> bool, good: impl Fn(Outcome) -> bool) -> bool {
        let mut forced: Vec<bool> = self.ends.iter().map(|end| end.is_some_and(&good)).collect();
        loop {
            let mut changed = false;
            for (i, turn) in self.turns.iter().enumerate() {
                let Some(agent) = *turn else { continue };
                let now = match ours(agent) {
                    true => self.next[i].iter().any(|&n| forced[n]),
                    false => self.next[i].iter().all(|&n| forced[n]),
                };
                changed |= now && !forced[i];
                forced[i] |= now;
            }
            if !changed {
                return forced[0];
            }
        }
    }
}

/// The names of the outcomes that `max` reaches against all others, as an answer has them; nothing
/// where the rules leave endless play open and neither side forces anything.
fn brute_force<G: Notation>(game: &G, start: &G::State, max: Agent) -> Option<String> {
    let graph = Graph::below(game, start);
    let outcomes: Vec<Outcome> = (0..=game.scale().best().0).map(Outcome).collect();
    let score = |o: Outcome| game.score(o, max);
    let mut steps: Vec<i64> = outcomes.iter().map(|&o| score(o)).collect();
    steps.sort_unstable();
    steps.dedup();
    let mut reached = steps[0];
    for &step in &steps[1..] {
        let won = graph.force(|agent| agent == max, |o| score(o) >= step);
        let lost = graph.force(|agent| agent != max, |o| score(o) < step);
        let holds = match game.endless() {
            Endless::Scores(o) if score(o) >= step => !lost,
            Endless::Impossible | Endless::Scores(_) => won,
            Endless::Undetermined if !won && !lost => return None,
            Endless::Undetermined => won,
        };
        if holds {
            reached = step;
        }
    }
    let names = outcomes.iter().filter(|&&o| score(o) == reached);
    let names: Vec<String> = names.map(|&o| game.scale().name(o).to_owned()).collect();
    Some(names.join(" or "))
}

/// So many guidances, one of each kind.
fn some(number: usize) -> Vec<Guidance> {
    let all = all_guidances(false);
    let apart = all.len().div_ceil(number);
    all.into_iter().step_by(apart).collect()
}

/// Asks for the value of every player in these ways and compares. How many answers there were.
fn all_players(engine: &Engine, spec: &str, position: &str, ways: &[Guidance]) -> u32 {
    let opened = engine.open(spec).unwrap();
    let Opened::InTurn(game) = opened.opened() else { panic!("{spec}") };
    let start = foregone::model::Typed::read_position_or_moves(game, position).unwrap();
    let mut answered = 0;
    for agent in (0..game.agents()).map(Agent) {
        let truth = brute_force(game, &start, agent);
        let player = game.agent_name(agent).to_owned();
        let asked = Job { player: Some(player.clone()), ..Job::new(spec).at(position) };
        for by in ways {
            let job = guided(asked.clone(), *by);
            let finished = engine.run(&job, &mut (), &Cancel::new());
            let finished = finished.unwrap_or_else(|e| panic!("{job}: {e}"));
            let answer = turn(&finished);
            match &truth {
                Some(truth) => assert_eq!(answer.value.as_ref(), Some(truth), "{job}"),
                None => assert!(answer.undetermined(), "{job}"),
            }
            let named = (agent != Agent::FIRST).then_some(&player);
            assert_eq!(answer.player.as_ref(), named, "{job}");
            // The end of a scale that has but one rank needs no proof.
            if !finished.certificate.is_empty() {
                assert!(accepted(engine, &finished.certificate), "{job}");
                answered += 1;
            }
        }
    }
    answered
}

#[test]
fn the_second_player_of_tic_tac_toe_reaches_what_the_first_leaves() {
    let engine = Engine::default();
    // What x and what o reaches, by name for x: o's value is x's.
    for (position, value) in [
        ("start", "draw"),
        ("moves:a1", "draw"),
        ("moves:a1,a2", "win"),
        ("moves:a1,b2,c3", "draw"),
        ("moves:a1,b1,b2", "win"),
        ("moves:a1,c1,b1,c2", "loss"),
        ("moves:a1,c1,b1,c3", "loss"),
    ] {
        let asked = |player: &str| {
            let asked = Job::new("tic-tac-toe").at(position);
            let asked = Job { player: Some(player.to_owned()), ..asked };
            let finished = engine.run(&asked, &mut (), &Cancel::new()).unwrap();
            assert!(accepted(&engine, &finished.certificate), "{asked}");
            turn(&finished).clone()
        };
        let (first, second) = (asked("x"), asked("o"));
        let game = in_turn("tic-tac-toe");
        let start = foregone::model::Typed::read_position_or_moves(&game, position).unwrap();
        for (agent, answer) in [(Agent(0), &first), (Agent(1), &second)] {
            let truth = brute_force(&game, &start, agent);
            assert_eq!(answer.value, truth, "{position} {agent:?}");
        }
        assert_eq!(first.value.as_deref(), Some(value), "{position}");
        assert_eq!(second.value, first.value, "{position}");
        assert_eq!((first.player, second.player.as_deref()), (None, Some("o")));
        let winner = match value {
            "win" => Some("x"),
            "loss" => Some("o"),
            _ => None,
        };
        assert_eq!(first.winner.as_deref(), winner, "{position}");
        // Whoever asks, it is the same player who wins.
        assert_eq!(second.winner.as_deref(), winner, "{position}");
    }
    // Questions are about the player, too: the best outcome for o is x's loss.
    let finished = |question: &str, player: &str| {
        let text = format!("tic-tac-toe position=moves:a1,c1,b1,c2 question={question}");
        let finished =
            engine.run(&job(&format!("{text} player={player}")), &mut (), &Cancel::new());
        turn(&finished.unwrap()).holds
    };
    assert_eq!((finished("win", "x"), finished("win", "o")), (Some(false), Some(true)));
    assert_eq!(finished("\"at-least draw\"", "x"), Some(false));
    assert_eq!(finished("\"at-least draw\"", "o"), Some(true));
}

#[test]
fn every_player_of_chinese_checkers_has_a_value() {
    let engine = Engine::default();
    // Plays of which nothing is known but the rules: some are won for a player, some for nobody.
    let game = in_turn("chinese-checkers:1,3");
    let mut rng = Rng::new(16);
    let usual = [foregone::default_guidance(&game)];
    let mut answered = all_players(&engine, "chinese-checkers:1,3", "start", &usual);
    for _ in 0..6 {
        let mut s = game.start();
        for _ in 0..2 + rng.below(8) {
            let Some(agent) = game.turn(&s).mover() else { break };
            let mut moves = Vec::new();
            game.moves(&s, agent, &mut moves);
            game.play(&mut s, agent, moves[rng.below(moves.len() as u32) as usize]);
        }
        answered += all_players(&engine, "chinese-checkers:1,3", &game.position_text(&s), &usual);
    }
    assert!(answered >= 20, "{answered}");
    let nobody = job("chinese-checkers:1,3 player=purple");
    let error = engine.run(&nobody, &mut (), &Cancel::new()).unwrap_err();
    assert!(error.message.contains("`purple` does not play"), "{error}");
    assert!(error.help.is_some_and(|help| help.contains("`green`")));
}

/// A random typed graph, with cycles or without.
fn typed_graph(rng: &mut Rng) -> String {
    let outcomes = ["awful", "bad", "even", "good"];
    let cyclic = rng.below(2) == 0;
    let mut text = format!("outcomes {}\n", outcomes.join(" "));
    let pick = |rng: &mut Rng| outcomes[rng.below(4) as usize];
    if cyclic && rng.below(3) > 0 {
        text += &format!("endless {}\n", pick(rng));
    }
    let (states, ends) = (2 + rng.below(5), 2 + rng.below(3));
    for s in 0..states {
        let lowest = if cyclic { 0 } else { s + 1 };
        let mut next: Vec<String> =
            (0..2).map(|_| format!("s{}", lowest + rng.below(states + ends - lowest))).collect();
        next.dedup();
        let side = ["max", "min"][rng.below(2) as usize];
        text += &format!("{side} s{s} -> {}\n", next.join(" "));
    }
    (states..states + ends).for_each(|s| text += &format!("end s{s} {}\n", pick(rng)));
    text
}

#[test]
fn both_players_of_typed_graphs_have_values() {
    let (mut rng, ways) = (Rng::new(5), some(6));
    let mut answered = 0;
    for _ in 0..150 {
        let files = Files::from_memory([("random.game", typed_graph(&mut rng))]);
        let engine = Engine::new(files, NoClock);
        answered += all_players(&engine, "explicit:random.game", "start", &ways);
    }
    assert!(answered > 1000, "{answered}");
}

/// A random graph of three players whose ends are worth something to each of them.
struct Three {
    seed: u32,
    /// Who moves, and the states behind; nobody at an end.
    states: Vec<(Option<Agent>, Vec<u8>, Outcome)>,
    scores: [Vec<i64>; 3],
    endless: Endless,
}

foregone::unguided!(Three);

impl Three {
    fn new(seed: u32) -> Three {
        let mut rng = Rng::new(u64::from(seed));
        let outcomes = 3 + rng.below(3);
        let mut any = || (0..outcomes).map(|_| i64::from(rng.below(4))).collect::<Vec<i64>>();
        let mut scores = [any(), any(), any()];
        scores[0].sort_unstable();
        let endless = match rng.below(3) {
            0 => Endless::Impossible,
            _ => Endless::Scores(Outcome(rng.below(outcomes) as u16)),
        };
        let (choices, ends) = (3 + rng.below(6), 2 + rng.below(4));
        let all = choices + ends;
        let state = |s: u32| {
            let outcome = Outcome(rng.below(outcomes) as u16);
            let lowest = if endless == Endless::Impossible { s + 1 } else { 0 };
            let mut next: Vec<u8> =
                (0..3).map(|_| (lowest + rng.below((all - lowest).max(1))) as u8).collect();
            next.sort_unstable();
            next.dedup();
            match s < choices {
                true => (Some(Agent(rng.below(3) as u8)), next, outcome),
                false => (None, Vec::new(), outcome),
            }
        };
        Three { seed, states: (0..all).map(state).collect(), scores, endless }
    }

    fn open(options: &Options<'_>) -> Result<Opened, GameError> {
        let [seed] = options.numbers([(0, 0, 9999)])?;
        Ok(Opened::in_turn(Three::new(seed)))
    }
}

impl Game for Three {
    type State = u8;
    type Move = u8;
    fn scale(&self) -> Scale {
        Scale::words((0..self.scores[0].len()).map(|o| format!("end{o}")).collect())
    }
    fn endless(&self) -> Endless {
        self.endless
    }
    fn agents(&self) -> u8 {
        3
    }
    fn start(&self) -> u8 {
        0
    }
    fn turn(&self, s: &u8) -> Turn {
        self.states[usize::from(*s)].0.map_or(Turn::Over, Turn::Agent)
    }
    fn moves(&self, s: &u8, _: Agent, out: &mut Vec<u8>) {
        out.extend(&self.states[usize::from(*s)].1);
    }
    fn play(&self, s: &mut u8, _: Agent, m: u8) {
        *s = m;
    }
    fn outcome(&self, s: &u8) -> Outcome {
        self.states[usize::from(*s)].2
    }
    fn score(&self, outcome: Outcome, agent: Agent) -> i64 {
        self.scores[usize::from(agent.0)][usize::from(outcome.0)]
    }
}

impl Notation for Three {
    fn name(&self) -> String {
        format!("three:{}", self.seed)
    }
    fn players(&self) -> [&str; 2] {
        ["ann", "others"]
    }
    fn agent_name(&self, agent: Agent) -> &str {
        ["ann", "bob", "cy"][usize::from(agent.0)]
    }
    fn write_move(&self, _: &u8, m: u8, out: &mut String) {
        out.push_str(&m.to_string());
    }
    fn parse_move(&self, _: &u8, text: &str) -> Option<u8> {
        text.parse().ok().filter(|m: &u8| m.to_string() == text)
    }
    fn write_position(&self, s: &u8, out: &mut String) {
        out.push_str(&s.to_string());
    }
    fn read_position(&self, text: &str) -> Result<u8, TextError> {
        let found = text.parse().ok().filter(|&s: &u8| usize::from(s) < self.states.len());
        found.ok_or_else(|| TextError::new("expected a number", 0..text.len()))
    }
}

#[test]
fn three_players_whose_wishes_differ_have_values() {
    let entry = Entry::in_turn("three", "SEED (0)", "A random graph of three players", Three::open);
    let engine = Engine::bare().with_games([entry]);
    let ways = some(5);
    let answer = |seed: u32| all_players(&engine, &format!("three:{seed}"), "start", &ways);
    let answered: u32 = (0..150).map(answer).sum();
    assert!(answered > 1000, "{answered}");
}

/// A certificate about one player says nothing about another one.
#[test]
fn a_proof_for_one_player_is_none_for_another() {
    let engine = Engine::default();
    let text = "tic-tac-toe position=moves:a1,c1,b1,c2 question=win player=o";
    let finished = engine.run(&job(text), &mut (), &Cancel::new()).unwrap();
    assert!(matches!(&finished.answer, Answer::Turn(answer) if answer.holds == Some(true)));
    let lines: Vec<String> = finished.certificate.lines().map(str::to_owned).collect();
    let lines = &lines[..lines.len() - 1];
    let at = lines.iter().position(|line| line.starts_with("claim ")).unwrap();
    assert!(accepted(&engine, &crate::seal::seal(lines)));
    let mut forged = 0;
    for max in lines.iter().filter(|line| line.contains("max")).cloned().collect::<Vec<_>>() {
        let mut changed = lines.to_vec();
        changed.retain(|line| *line != max);
        assert!(!accepted(&engine, &crate::seal::seal(&changed)), "without {max}");
        forged += 1;
    }
    for claim in ["x at-least win", "x at-least draw", "o at-least win", "x below loss"] {
        let mut changed = lines.to_vec();
        changed[at] = format!("claim {claim}");
        if changed[at] != lines[at] {
            assert!(!accepted(&engine, &crate::seal::seal(&changed)), "{claim}");
            forged += 1;
        }
    }
    assert!(forged >= 3, "{forged}: {}", finished.certificate);
    assert_eq!(job(text).question, Question::Win);
}
