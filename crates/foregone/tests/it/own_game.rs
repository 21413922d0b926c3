//! Games that a user brings, by value and by name.

use std::collections::HashMap;

use foregone::games::registry::GAMES;
use foregone::joint::JointSolver;
use foregone::model::{
    Agent, Game, Joint, JointNotation, Notation, Outcome, Side, TextError, Turn,
};
use foregone::search::all_guidances;
use foregone::{
    Answer, AnyGame, Cancel, Engine, Entry, ErrorKind, Job, Opened, Proof, Question, Refused, Trust,
};

use crate::common::{accepted, guided, job, joint, perft_counts, run_on, turn};
use crate::seal::seal;

#[path = "../../examples/own_game.rs"]
#[expect(dead_code, reason = "what it does runs with the tests of the documentation")]
mod example;

#[test]
fn the_example_of_the_documentation_is_short() {
    let text = include_str!("../../examples/own_game.rs");
    assert!(text.lines().count() <= 60, "{}", text.lines().count());
}

fn engine() -> Engine {
    let chomp = Entry::in_turn("chomp", "", "Who eats 00 loses", |options| {
        options.none()?;
        Ok(Opened::in_turn(example::Chomp))
    });
    Engine::default().with_games([chomp])
}

#[test]
fn a_game_of_ones_own_is_solved_and_verified_by_its_name() {
    let engine = engine();
    assert_eq!(engine.games().len(), GAMES.len() + 1);
    assert!(engine.games().is_sorted_by(|a, b| a.name < b.name));
    for by in all_guidances(false) {
        let job = guided(Job { proof: Proof::Always, ..Job::new("chomp") }, by);
        let finished = engine.run(&job, &mut (), &Cancel::new()).unwrap();
        assert_eq!(finished.answer.value(), Some("win"), "{by}");
        let strict = &mut Trust { rules_only: true, ..Trust::default() };
        let replayed = engine.verify(&mut finished.certificate.as_bytes(), strict).unwrap();
        assert_eq!(replayed.len(), 1, "{by}");
    }
    let shown = engine.open("chomp").unwrap().show("moves:23,11").unwrap();
    assert_eq!((shown.position.as_str(), shown.to_move.as_deref()), ("4110", Some("first")));
    // Eating 11 leaves an L: whoever keeps its arms equal wins.
    let finished = engine.run(&job("chomp position=3110"), &mut (), &Cancel::new()).unwrap();
    assert_eq!(finished.answer.value(), Some("loss"));
    // Others do not know the game.
    match Engine::default().verify(&mut finished.certificate.as_bytes(), &mut Trust::default()) {
        Err(Refused::Certificate(error)) => assert!(error.problem.contains("chomp"), "{error}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn forged_certificates_of_ones_own_game_are_refused() {
    let engine = engine();
    let finished = engine.run(&job("chomp proof=always"), &mut (), &Cancel::new()).unwrap();
    let lines: Vec<String> = finished.certificate.lines().map(str::to_owned).collect();
    let lines = &lines[..lines.len() - 1];
    assert!(accepted(&engine, &seal(lines)));
    // The only winning first move is 12; what follows answers no other.
    let first = lines.iter().position(|line| line.contains("! ")).unwrap();
    assert!(lines[first].ends_with("! 12"), "{}", lines[first]);
    let changed = |at: usize, line: String| {
        let mut changed = lines.to_vec();
        changed[at] = line;
        seal(&changed)
    };
    for other in ["00", "01", "02", "03", "10", "11", "13", "20", "23", "44", "x"] {
        let forged = changed(first, lines[first].replace("12", other));
        assert!(!accepted(&engine, &forged), "{other}");
    }
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with("claim ") {
            assert!(!accepted(&engine, &changed(at, "claim second below win".to_owned())));
        }
        if line.starts_with("position ") {
            assert!(!accepted(&engine, &changed(at, "position 4441".to_owned())));
        }
    }
    let damaged = finished.certificate.replacen("! 12", "! 13", 1);
    assert!(!accepted(&engine, &damaged));
}

/// Colonels share soldiers between two hills; the larger part takes the hill. With so many
/// soldiers each, and twice.
#[derive(Clone, Copy)]
struct Blotto {
    soldiers: i64,
}

impl Joint for Blotto {
    /// Points so far, and fights to go.
    type State = (i64, u8);
    type Move = i64;
    fn range(&self) -> (i64, i64) {
        (-4, 4)
    }
    fn start(&self) -> (i64, u8) {
        (0, 2)
    }
    fn payoff(&self, s: &(i64, u8)) -> Option<i64> {
        (s.1 == 0).then_some(s.0)
    }
    fn moves(&self, _: &(i64, u8), side: Side, out: &mut Vec<i64>) {
        // Max has one soldier more.
        out.extend(0..=self.soldiers + i64::from(side == Side::Max));
    }
    fn play(&self, s: &mut (i64, u8), max: i64, min: i64) {
        let others = (self.soldiers + 1 - max) - (self.soldiers - min);
        s.0 += (max - min).signum() + others.signum();
        s.1 -= 1;
    }
}

impl JointNotation for Blotto {
    fn name(&self) -> String {
        format!("blotto:{}", self.soldiers)
    }
    fn players(&self) -> [&str; 2] {
        ["red", "blue"]
    }
    fn write_move(&self, _: &(i64, u8), _: Side, m: i64, out: &mut String) {
        out.push_str(&m.to_string());
    }
    fn parse_move(&self, _: &(i64, u8), _: Side, text: &str) -> Option<i64> {
        text.parse().ok().filter(|m: &i64| m.to_string() == text)
    }
    fn write_position(&self, s: &(i64, u8), out: &mut String) {
        out.push_str(&format!("{};{}", s.0, s.1));
    }
    fn read_position(&self, text: &str) -> Result<(i64, u8), TextError> {
        let parts =
            text.split_once(';').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        let fits = |&(points, left): &(i64, u8)| left <= 2 && (-4..=4).contains(&points);
        parts.filter(fits).ok_or_else(|| TextError::new("expected POINTS;FIGHTS", 0..text.len()))
    }
    fn draw(&self, s: &(i64, u8)) -> String {
        format!("{} points, {} fights to go\n", s.0, s.1)
    }
}

#[test]
fn a_joint_game_of_ones_own_is_solved_and_verified_by_its_name() {
    let entry = Entry::joint("blotto", "SOLDIERS (3)", "Two hills, two fights", |options| {
        let [soldiers] = options.numbers([(3, 1, 9)])?;
        Ok(Opened::joint(Blotto { soldiers: soldiers.into() }))
    });
    let engine = Engine::bare().with_games([entry]);
    let mut values = Vec::new();
    for solver in JointSolver::all().into_iter().filter(|solver| solver.exact()) {
        let job = Job { solver: Some(foregone::Solver::Joint(solver)), ..Job::new("blotto") };
        let finished = engine.run(&job, &mut (), &Cancel::new()).unwrap();
        let answer = joint(&finished);
        assert_eq!(
            (answer.game.as_str(), answer.bounds[0] == answer.bounds[1]),
            ("blotto:3", true)
        );
        values.push(answer.value.clone().unwrap());
        let text = finished.certificate;
        let replayed = engine.verify(&mut text.as_bytes(), &mut Trust::default()).unwrap();
        assert_eq!(replayed.len(), 2);

        // Red promises more, by the same strategy.
        let certificates: Vec<&str> = text.split_inclusive("\nend ").collect();
        let first: Vec<String> = certificates[0].lines().map(str::to_owned).collect();
        let mut lines = first[..first.len() - 1].to_vec();
        assert!(accepted(&engine, &seal(&lines)));
        let at = lines.iter().position(|line| line.starts_with("claim ")).unwrap();
        assert!(lines[at].starts_with("claim red at-least "), "{}", lines[at]);
        lines[at] = "claim red at-least 4".to_owned();
        assert!(!accepted(&engine, &seal(&lines)));
    }
    // One fight alone by hand: red has four soldiers and blue three, and the two fights are alike.
    values.dedup();
    assert_eq!(values.len(), 1, "{values:?}");
    let once = engine.run(&job("blotto position=0;1"), &mut (), &Cancel::new()).unwrap();
    let once: f64 = fraction(joint(&once).value.as_deref().unwrap());
    assert!((fraction(&values[0]) - 2.0 * once).abs() < 1e-9, "{values:?} {once}");
    assert!(once > 0.0 && once < 2.0);
    // By value, without a name that an engine knows.
    let finished = run_on(&AnyGame::joint(Blotto { soldiers: 3 }), &Job::default()).unwrap();
    assert_eq!(joint(&finished).value.as_ref(), Some(&values[0]));
}

fn fraction(text: &str) -> f64 {
    let number = |text: &str| text.parse::<f64>().unwrap();
    text.split_once('/').map_or_else(|| number(text), |(a, b)| number(a) / number(b))
}

/// Ghost: players add letters in turn. Who completes a word loses, and what is spelled must begin
/// some word. Its types are anything but small: a text and a large table, and moves that are
/// references.
struct Ghost;

const WORDS: [&str; 12] = [
    "ant", "anvil", "anchor", "bee", "beach", "bench", "bone", "cat", "candle", "canyon", "cedar",
    "cello",
];
const LETTERS: [&str; 26] = [
    "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s",
    "t", "u", "v", "w", "x", "y", "z",
];

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Spelled {
    text: String,
    /// How often each letter was used, in a form that is larger than it need be.
    counts: Vec<[u64; 40]>,
}

foregone::unguided!(Ghost);

impl Game for Ghost {
    type State = Spelled;
    type Move = &'static str;
    fn start(&self) -> Spelled {
        Spelled { text: String::new(), counts: Vec::new() }
    }
    fn turn(&self, s: &Spelled) -> Turn {
        match WORDS.contains(&s.text.as_str()) {
            true => Turn::Over,
            false => Turn::Agent(Agent((s.text.len() % 2) as u8)),
        }
    }
    fn moves(&self, s: &Spelled, _: Agent, out: &mut Vec<&'static str>) {
        let goes_on = |l: &&str| WORDS.iter().any(|w| w.starts_with(&format!("{}{l}", s.text)));
        out.extend(LETTERS.iter().copied().filter(goes_on));
    }
    fn play(&self, s: &mut Spelled, _: Agent, m: &'static str) {
        s.text.push_str(m);
        let mut counts = [0; 40];
        counts[usize::from(m.as_bytes()[0] - b'a')] = s.text.matches(m).count() as u64;
        s.counts.push(counts);
    }
    fn outcome(&self, s: &Spelled) -> Outcome {
        // Who is next did not complete it.
        if s.text.len().is_multiple_of(2) { Outcome::WIN } else { Outcome::LOSS }
    }
}

impl Notation for Ghost {
    fn name(&self) -> String {
        "ghost".to_owned()
    }
    fn players(&self) -> [&str; 2] {
        ["first", "second"]
    }
    fn write_move(&self, _: &Spelled, m: &'static str, out: &mut String) {
        out.push_str(m);
    }
    fn parse_move(&self, _: &Spelled, text: &str) -> Option<&'static str> {
        LETTERS.iter().copied().find(|&letter| letter == text)
    }
    fn write_position(&self, s: &Spelled, out: &mut String) {
        out.push('"');
        out.push_str(&s.text);
        out.push('"');
    }
    fn read_position(&self, text: &str) -> Result<Spelled, TextError> {
        let wrong = || TextError::new("expected the beginning of a word in quotes", 0..text.len());
        let inside = text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).ok_or_else(wrong)?;
        let mut s = self.start();
        for letter in inside.chars() {
            let mut moves = Vec::new();
            self.moves(&s, Agent(0), &mut moves);
            let m = moves.into_iter().find(|m| m.starts_with(letter)).ok_or_else(wrong)?;
            self.play(&mut s, Agent(0), m);
        }
        Ok(s)
    }
}

/// Whether the first player wins, by trying everything.
fn first_wins<G: Game>(game: &G, s: &G::State, known: &mut HashMap<G::State, bool>) -> bool {
    if let Some(&wins) = known.get(s) {
        return wins;
    }
    let wins = match game.turn(s) {
        Turn::Over => game.outcome(s) == Outcome::WIN,
        Turn::Chance => panic!("there is no chance"),
        Turn::Agent(agent) => {
            let mut moves = Vec::new();
            game.moves(s, agent, &mut moves);
            let mut after = moves.into_iter().map(|m| {
                let mut next = s.clone();
                game.play(&mut next, agent, m);
                first_wins(game, &next, known)
            });
            if agent == Agent::FIRST { after.any(|w| w) } else { after.all(|w| w) }
        }
    };
    known.insert(s.clone(), wins);
    wins
}

#[test]
fn states_and_moves_may_be_of_any_type() {
    let entry = Entry::in_turn("ghost", "", "Who completes a word loses", |options| {
        options.none()?;
        Ok(Opened::in_turn(Ghost))
    });
    let engine = Engine::bare().with_games([entry]);
    let mut seen = [0; 2];
    for position in ["\"\"", "\"a\"", "\"b\"", "\"be\"", "\"c\"", "\"ca\"", "\"ce\"", "\"can\""] {
        let s = Ghost.read_position(position).unwrap();
        let wins = first_wins(&Ghost, &s, &mut HashMap::new());
        seen[usize::from(wins)] += 1;
        for by in all_guidances(false) {
            let job = guided(Job::new("ghost").at(position), by);
            let finished = engine.run(&job, &mut (), &Cancel::new()).unwrap();
            let answer = turn(&finished);
            let value = if wins { "win" } else { "loss" };
            assert_eq!(
                (answer.value.as_deref(), &*answer.position),
                (Some(value), position),
                "{by}"
            );
            assert!(accepted(&engine, &finished.certificate), "{by}");
        }
        let formula = "formula omega(2)".parse::<Question>().unwrap();
        let asked = Job::new("ghost").at(position).ask(formula);
        assert!(engine.run(&asked, &mut (), &Cancel::new()).unwrap().answer.solved());
        let nash = Job::new("ghost").at(position).ask(Question::Nash);
        let nash = engine.run(&nash, &mut (), &Cancel::new()).unwrap();
        assert_eq!(nash.answer.value(), Some(if wins { "1" } else { "-1" }));
    }
    assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
}

/// A coin is tossed, then the first player says which side it shows.
struct Coin;

foregone::unguided!(Coin);

impl Game for Coin {
    type State = u8;
    type Move = u8;
    fn start(&self) -> u8 {
        0
    }
    fn turn(&self, s: &u8) -> Turn {
        match s {
            0 => Turn::Chance,
            1 | 2 => Turn::Agent(Agent::FIRST),
            _ => Turn::Over,
        }
    }
    fn has_chance(&self) -> bool {
        true
    }
    fn moves(&self, _: &u8, _: Agent, out: &mut Vec<u8>) {
        out.extend([1, 2]);
    }
    fn play(&self, s: &mut u8, _: Agent, m: u8) {
        *s = if *s == 0 { m } else { 3 + u8::from(*s == m) };
    }
    fn outcome(&self, s: &u8) -> Outcome {
        if *s == 4 { Outcome::WIN } else { Outcome::LOSS }
    }
}

impl Notation for Coin {
    fn name(&self) -> String {
        "coin".to_owned()
    }
    fn players(&self) -> [&str; 2] {
        ["caller", "nobody"]
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
        let found = text.parse().ok().filter(|&s| s <= 4);
        found.ok_or_else(|| TextError::new("expected 0 to 4", 0..text.len()))
    }
}

#[test]
fn a_game_of_ones_own_with_chance_has_an_expected_value() {
    let game = AnyGame::in_turn(Coin);
    // The caller sees the coin.
    for (position, value, claims) in
        [("start", "1", 4), ("1", "1", 2), ("3", "0", 0), ("4", "1", 0)]
    {
        let finished = run_on(&game, &Job::new("coin").at(position)).unwrap();
        let Answer::Expected(answer) = &finished.answer else { panic!("{finished:?}") };
        assert_eq!(answer.value.as_deref(), Some(value), "{position}");
        assert!(answer.proof.as_ref().is_some_and(|proof| proof.claims >= claims), "{answer:?}");
    }
}

#[test]
fn chance_is_refused_by_those_who_cannot_do_it() {
    let game = AnyGame::in_turn(Coin);
    for by in all_guidances(false) {
        let error = run_on(&game, &guided(Job::new("coin"), by)).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Input);
        assert!(error.message.contains("does not go with chance"), "{by}: {error}");
    }
    for position in ["start", "1", "3"] {
        let asked = Job::new("coin").at(position);
        let formula = asked.clone().ask("formula <A> w".parse().unwrap());
        let error = run_on(&game, &formula).unwrap_err();
        assert!(error.message.contains("chance"), "{error}");
        let error = run_on(&game, &asked.ask(Question::Nash)).unwrap_err();
        assert!(error.message.contains("coin"), "{error}");
    }
    // What needs no search works.
    assert_eq!(game.show("start").unwrap().to_move, None);
    assert_eq!(game.show("start").unwrap().moves, [["1", "2"]]);
    assert_eq!(perft_counts(&game, 3), [2, 4, 0]);
}

/// A ring of four positions without an end, whose rules do not say that positions come up again.
struct Ring;
foregone::unguided!(Ring);

impl Game for Ring {
    type State = u8;
    type Move = u8;

    fn start(&self) -> u8 {
        0
    }

    fn turn(&self, s: &u8) -> Turn {
        Turn::Agent(Agent(s % 2))
    }

    fn moves(&self, _s: &u8, _agent: Agent, out: &mut Vec<u8>) {
        out.extend([1, 3]);
    }

    fn play(&self, s: &mut u8, _agent: Agent, m: u8) {
        *s = (*s + m) % 4;
    }

    fn outcome(&self, _s: &u8) -> Outcome {
        Outcome::LOSS
    }
}

impl Notation for Ring {
    fn name(&self) -> String {
        "ring".to_owned()
    }

    fn players(&self) -> [&str; 2] {
        ["one", "two"]
    }

    fn write_move(&self, _s: &u8, m: u8, out: &mut String) {
        out.push_str(&m.to_string());
    }

    fn parse_move(&self, _s: &u8, text: &str) -> Option<u8> {
        text.parse().ok()
    }

    fn write_position(&self, s: &u8, out: &mut String) {
        out.push_str(&s.to_string());
    }

    fn read_position(&self, text: &str) -> Result<u8, TextError> {
        text.parse().map_err(|_| TextError::new("not a number", 0..text.len()))
    }
}

/// Values would chase each other round the ring, whatever the budget.
#[test]
#[should_panic(expected = "a position came up again")]
fn a_cycle_that_the_rules_deny_does_not_hang() {
    let _ = run_on(&AnyGame::in_turn(Ring), &job("ring nodes=1000"));
}
