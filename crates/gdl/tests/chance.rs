//! The role `random` is chance: rulesheets with it have the values that a program in Python found
//! by the same rules, with every back end and by the rules that check proofs.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(clippy::print_stdout, reason = "a test says what it skipped and how far it came")]

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use foregone_gdl::{Backend, JointSheet, Kind, Loaded, Program, Sheet};
use foregone_model::{Agent, Game, Guide, Notation, Rng, Side, Turn};

type Position = <Sheet as Game>::State;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn rulesheet(name: &str) -> String {
    std::fs::read_to_string(root().join("rulesheets").join(name).with_extension("kif")).unwrap()
}

fn sheet(text: &str, backend: Option<Backend>, hero: Option<&str>) -> Sheet {
    let loaded = Arc::new(Loaded::new(text, backend).unwrap());
    Sheet::new("gdl:test.kif", loaded, hero).unwrap()
}

fn play_word(game: &Sheet, s: &mut Position, agent: Agent, word: &str) {
    let m = game.parse_move(s, word).unwrap();
    game.play(s, agent, m);
}

/// Who chooses: Max and Min for the best, or everybody at random.
#[derive(Clone, Copy, PartialEq)]
enum Play {
    Best,
    Random,
}

/// The expected score, by the definition, of a game that ends. On the way every position and move is
/// held to what the game says of itself.
fn value(game: &Sheet, s: &Position, play: Play, known: &mut HashMap<Position, f64>) -> f64 {
    if let Some(&value) = known.get(s) {
        return value;
    }
    let text = game.position_text(s);
    assert_eq!(game.read_position(&text).as_ref(), Ok(s), "{text}");
    let turn = game.turn(s);
    let Some(agent) = turn.mover() else {
        let outcome = game.outcome(s);
        let score = game.scale().score(outcome).unwrap_or_else(|| match outcome {
            o if o == game.scale().best() => 100,
            _ => 0,
        });
        return score as f64;
    };
    assert_eq!(turn == Turn::Chance, agent == Agent::CHANCE);
    let mut moves = Vec::new();
    game.moves(s, agent, &mut moves);
    let mut values = Vec::new();
    for &m in &moves {
        let word = game.move_text(s, m);
        assert_eq!(game.parse_move(s, &word), Some(m), "{word}");
        if turn == Turn::Chance {
            assert_eq!(game.weight(s, m), 1);
        }
        let mut next = s.clone();
        game.play(&mut next, agent, m);
        values.push(value(game, &next, play, known));
    }
    let average = values.iter().sum::<f64>() / values.len() as f64;
    let value = match (turn, play) {
        (Turn::Chance, _) | (_, Play::Random) => average,
        _ if Side::of(agent) == Side::Max => values.iter().copied().fold(f64::MIN, f64::max),
        _ => values.iter().copied().fold(f64::MAX, f64::min),
    };
    known.insert(s.clone(), value);
    value
}

fn value_of(game: &Sheet, play: Play) -> f64 {
    let found = value(game, &game.start(), play, &mut HashMap::new());
    assert_eq!(game.rules_violation(), None);
    found
}

#[test]
fn values_are_those_of_another_program() {
    for (name, expected) in
        [("dice-race", 18_248_875.0 / 262_144.0), ("falling-balls", 7000.0 / 81.0)]
    {
        let text = rulesheet(name);
        for backend in Backend::ALL {
            let game = sheet(&text, Some(backend), None);
            assert!(game.has_chance() && game.agents() == 2, "{name}");
            let found = value_of(&game, Play::Best);
            assert!((found - expected).abs() < 1e-9, "{name}: {found}");
            let checker = game.independent_rules().unwrap();
            assert!(checker.has_chance(), "{name}");
            assert_eq!(value_of(&checker, Play::Best), found, "{name}");
        }
    }
}

/// Plays at random come to what they are worth on average, also from positions in which a player
/// has chosen and chance has not.
#[test]
fn playouts_follow_the_rules_of_chance() {
    for name in ["dice-race", "falling-balls"] {
        let text = rulesheet(name);
        for backend in [Backend::Gates, Backend::Plain] {
            let game = sheet(&text, Some(backend), None);
            let mut s = game.start();
            for step in 0..2 {
                let expected = value(&game, &s, Play::Random, &mut HashMap::new());
                let plays = if backend == Backend::Gates { 40_000 } else { 2_000 };
                let mut rng = Rng::new(5);
                let mut sum = 0.0;
                for _ in 0..plays {
                    let outcome = game.playout(s.clone(), &mut rng).unwrap();
                    let best = f64::from(u8::from(outcome == game.scale().best())) * 100.0;
                    sum += game.scale().score(outcome).map_or(best, |score| score as f64);
                }
                let mean = sum / f64::from(plays);
                // Scores lie between 0 and 100, so that the mean strays by 50 / sqrt(plays).
                let error = 4.0 * 50.0 / f64::from(plays).sqrt();
                assert!((mean - expected).abs() < error, "{name}, {step}: {mean}, {expected}");
                let agent = game.turn(&s).mover().unwrap();
                let mut moves = Vec::new();
                game.moves(&s, agent, &mut moves);
                game.play(&mut s, agent, moves[0]);
            }
        }
    }
}

/// A coin is thrown while each of the players chooses, one after the other. `random` stands first,
/// where the numbers of roles and players differ, and has no goal.
fn guesses(players: &[&str], goals: &str) -> String {
    let mut text = String::from(
        "(role random) (coin heads) (coin tails) (init begin) (init (turn 0))
         (<= (legal random ?c) (coin ?c)) (<= (legal ?p ?c) (on ?p) (coin ?c))
         (<= (legal ?p noop) (seat ?p ?n) (not (on ?p))) (<= (on ?p) (seat ?p ?n) (true (turn ?n)))
         (<= (next (right ?p)) (does random ?c) (does ?p ?c) (seat ?p ?n))
         (<= (next (right ?p)) (true (right ?p)))
         (<= (next (turn ?m)) (true (turn ?n)) (succ ?n ?m))",
    );
    for (n, player) in players.iter().enumerate() {
        text.push_str(&format!("(role {player}) (seat {player} {n}) (succ {n} {})", n + 1));
    }
    text.push_str(&format!("(<= terminal (true (turn {}))) {goals}", players.len()));
    text
}

const OWN: &str = "(<= (goal ?p 100) (seat ?p ?n) (true (right ?p)))
                   (<= (goal ?p 0) (seat ?p ?n) (not (true (right ?p))))";

#[test]
fn players_choose_before_chance_where_both_have_a_choice() {
    let game = sheet(&guesses(&["ann"], OWN), None, None);
    assert!(game.one_player());
    let mut s = game.start();
    assert_eq!(game.turn(&s), Turn::Agent(Agent::FIRST));
    play_word(&game, &mut s, Agent::FIRST, "heads");
    // Nothing has happened yet: the throw comes next, and it does not know the guess.
    assert_eq!(game.turn(&s), Turn::Chance);
    assert_eq!(game.position_text(&s), "(turn 0) begin (does ann heads)");
    assert_eq!(game.agent_name(Agent::CHANCE), "random");
    let mut other = game.start();
    play_word(&game, &mut other, Agent::FIRST, "tails");
    assert!(s != other && game.pack(&s) != game.pack(&other));
    assert_ne!(game.pack(&s), game.pack(&game.start()));
    assert_eq!(value_of(&game, Play::Best), 50.0);
    for (text, said) in [
        ("(turn 0) begin (does ann edge)", "`edge` is not a move that ann can choose here"),
        ("(turn 0) begin (does random heads)", "`heads` is not a move that random can choose here"),
        ("(turn 1) begin (does ann heads)", "do not choose at the same time here"),
    ] {
        assert!(game.read_position(text).unwrap_err().message.contains(said), "{text}");
    }
}

/// With more players, outcomes are who gets most, and chance is neither a player nor an outcome.
#[test]
fn chance_is_not_one_of_the_players() {
    let text = guesses(&["ann", "bob", "cid"], OWN);
    let game = sheet(&text, None, None);
    assert_eq!(game.agents(), 3);
    let names: Vec<&str> = (0..3).map(|n| game.agent_name(Agent(n))).collect();
    assert_eq!(names, ["ann", "bob", "cid"]);
    assert!(game.scale().names().all(|name| !name.contains("random")));
    let mut s = game.start();
    for (agent, guess, thrown) in
        [(0, "heads", "tails"), (1, "tails", "tails"), (2, "tails", "heads")]
    {
        assert_eq!(game.turn(&s), Turn::Agent(Agent(agent)));
        play_word(&game, &mut s, Agent(agent), guess);
        assert_eq!(game.turn(&s), Turn::Chance);
        play_word(&game, &mut s, Agent::CHANCE, thrown);
    }
    assert_eq!(game.turn(&s), Turn::Over);
    let end = game.outcome(&s);
    assert_eq!(game.scale().name(end), "0/100/0");
    assert_eq!([0, 1, 2].map(|n| game.won(end, Agent(n))), [false, true, false]);
    // One of them against the others: half of the plays are won.
    let bob = sheet(&text, None, Some("bob"));
    assert_eq!((bob.agents(), bob.players()), (2, ["bob", "others"]));
    assert_eq!(value_of(&bob, Play::Best), 50.0);
}

#[test]
fn goals_of_chance_do_not_count() {
    // What the two get adds up to 100 only without what chance gets.
    let sum = "(<= (goal ann 100) (true (right ann))) (<= (goal bob 0) (true (right ann)))
               (<= (goal ann 0) (not (true (right ann)))) (<= (goal bob 100) (not (true (right ann))))";
    for chance in
        ["", "(<= (goal random 100) (true (right bob)))", "(goal random 1) (goal random 2)"]
    {
        let text = guesses(&["ann", "bob"], &format!("{sum} {chance}"));
        let loaded = Loaded::new(&text, None).unwrap();
        assert_eq!((loaded.kind(), loaded.players().len()), (Kind::Turns, 2), "{chance}");
        for backend in Backend::ALL {
            let game = sheet(&text, Some(backend), None);
            assert_eq!(value_of(&game, Play::Best), 50.0);
            assert!(game.playout(game.start(), &mut Rng::new(1)).is_some(), "{chance}");
        }
    }
}

#[test]
fn what_chance_cannot_be_part_of_is_refused() {
    let why = |text: &str| Loaded::new(text, None).unwrap_err().message;
    assert!(why("(role random) (legal random x)").contains("nobody plays"));
    let seen = guesses(&["ann"], OWN) + "(<= (sees ann ?c) (does random ?c))";
    assert!(why(&seen).contains("`sees`"));
    let fact = guesses(&["ann"], OWN) + "(init (does ann heads))";
    assert!(why(&fact).contains("cannot be called `does`"));
    // Two players at the same time, in the very beginning or later on.
    let both = guesses(&["ann", "bob"], OWN)
        + "(<= (legal ?p x) (seat ?p ?n) (true (turn 1)))
                                               (<= (legal ?p y) (seat ?p ?n) (true (turn 1)))";
    let loaded = Arc::new(Loaded::new(&both, None).unwrap());
    for refused in [
        Sheet::new("gdl:x", loaded.clone(), None).unwrap_err(),
        Sheet::new("gdl:x", loaded.clone(), Some("ann")).unwrap_err(),
        JointSheet::new("gdl:x", loaded).unwrap_err(),
    ] {
        assert!(refused.contains("joint moves with chance are not supported"), "{refused}");
    }
    let loaded = Arc::new(Loaded::new(&guesses(&["ann"], OWN), None).unwrap());
    let refused = Sheet::new("gdl:x", loaded, Some("random")).unwrap_err();
    assert!(refused.contains("`random` is chance"), "{refused}");
}

/// Real rulesheets: with `sees` they are refused by that name, without they are games of one player
/// against chance.
#[test]
fn real_rulesheets_with_chance_are_games() {
    let folder = root().join("../shared/data/gdl/rulesheets/gdl2");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("skipped: {} is not there", folder.display());
        return;
    };
    let mut paths: Vec<PathBuf> = entries.map(|e| e.unwrap().path()).collect();
    paths.sort();
    let (mut solved, mut refused) = (0, 0);
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let program = Program::read(&text).unwrap();
        if program.hidden_information().is_some() {
            assert!(Loaded::new(&text, None).unwrap_err().message.contains("`sees`"), "{path:?}");
            refused += 1;
            continue;
        }
        assert!(program.chance().is_some(), "{path:?}");
        let game = sheet(&text, None, None);
        assert!(game.has_chance() && game.one_player(), "{path:?}");
        let mut s = game.start();
        // In both, chance and the player choose at the same time.
        for turn in [Turn::Agent(Agent::FIRST), Turn::Chance] {
            assert_eq!(game.turn(&s), turn, "{path:?}");
            let mut moves = Vec::new();
            game.moves(&s, turn.mover().unwrap(), &mut moves);
            assert_eq!(moves.len(), 3, "{path:?}");
            game.play(&mut s, turn.mover().unwrap(), moves[0]);
        }
        let mut rng = Rng::new(1);
        assert!(game.playout(game.start(), &mut rng).is_some(), "{path:?}");
        if path.file_stem().is_some_and(|name| name == "rock-paper-scissors") {
            assert_eq!(value_of(&game, Play::Best), 50.0);
        }
        solved += 1;
    }
    println!("{solved} rulesheets with chance are games, {refused} with `sees` are refused");
    assert_eq!((solved, refused), (2, 11));
}
