//! Games with joint moves: the corpus crossed with every scheme and driver, proofs, and the program
//! as a person meets it.

use clap::Parser;
use foregone::args::Cli;
use foregone_games::joint_registry::{JOINT_GAMES, JointVisitor, with_joint};
use foregone_model::number::read_number;
use foregone_model::{Fraction, Joint, JointNotation, JointTyped, Rng, Side};
use foregone_search::Limits;
use foregone_search::joint::{Driver, induce};
use serde::Deserialize;
use serde_json::Value;

use crate::cli::Scratch;
use crate::common::root;

/// What the program prints and its exit code, or its message.
fn foregone(words: &[&str]) -> (u8, String) {
    let cli = Cli::try_parse_from(std::iter::once(&"foregone").chain(words));
    let mut out = Vec::new();
    match foregone::run::run(cli.unwrap(), &mut out) {
        Ok(code) => (code, String::from_utf8(out).unwrap()),
        Err(failure) => (failure.code, failure.to_string()),
    }
}

fn solve(game: &str, words: &str) -> (u8, String) {
    let game = at_root(game);
    let mut all = vec!["solve", &game];
    all.extend(words.split_whitespace());
    foregone(&all)
}

fn solve_json(game: &str, words: &str) -> Value {
    let (code, out) = solve(game, &format!("{words} --json"));
    assert!(code <= 1, "{game} {words}: {out}");
    serde_json::from_str(&out).unwrap()
}

/// Files of games are named from the root.
fn at_root(game: &str) -> String {
    match game.split_once(':') {
        Some((name @ ("joint" | "matrix"), file)) => {
            format!("{name}:{}", root().join(file).display())
        }
        _ => game.to_owned(),
    }
}

#[derive(Deserialize)]
struct Problems {
    joint_perft: Vec<PerftProblem>,
    nash: Vec<NashProblem>,
}

#[derive(Deserialize)]
struct PerftProblem {
    game: String,
    counts: Vec<u64>,
    source: String,
}

#[derive(Deserialize)]
struct NashProblem {
    game: String,
    position: Option<String>,
    value: String,
    source: String,
    size: String,
}

fn problems() -> Problems {
    let text = std::fs::read_to_string(root().join("problems/joint-moves.toml")).unwrap();
    toml::from_str(&text).unwrap()
}

#[test]
fn counts_of_pairs_of_moves_are_those_of_the_corpus() {
    let problems = problems();
    assert!(problems.joint_perft.len() >= 6);
    for problem in problems.joint_perft {
        assert!(!problem.source.is_empty());
        let depth = problem.counts.len().to_string();
        let (_, out) = foregone(&["perft", &at_root(&problem.game), &depth, "--json"]);
        let found: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(found["counts"], serde_json::json!(problem.counts), "{}", problem.game);
    }
}

const WAYS: [&str; 9] = [
    "--scheme bi --driver dag",
    "--scheme bi --driver tree",
    "--scheme smab --driver dag",
    "--scheme smab --driver tree --skip 0",
    "--scheme smab --driver tree --skip 1 --cells lexicographic --no-knowledge",
    "--scheme smab --driver tree --skip 2",
    "--scheme do --driver dag",
    "--scheme do --driver tree --no-knowledge",
    "--scheme sequence",
];

#[test]
fn every_scheme_and_driver_agrees_with_the_corpus_and_proves_it_exactly() {
    let problems = problems();
    assert!(problems.nash.len() >= 30);
    let mut asked = 0;
    for problem in &problems.nash {
        assert!(!problem.source.is_empty());
        let game = &problem.game;
        let place = match &problem.position {
            Some(position) => format!("--position {position}"),
            None => String::new(),
        };
        for way in WAYS {
            let large = way.contains("tree") || way.contains("sequence");
            if large && problem.size != "small" || way.contains("sequence") && asked % 3 != 0 {
                continue;
            }
            let found = solve_json(game, &format!("{place} {way}"));
            assert_eq!(found["status"], "solved", "{game} {place} {way}");
            assert_eq!(found["value"], problem.value.as_str(), "{game} {place} {way}");
            assert_eq!(found["error"], 0.0, "{game} {place} {way}");
            assert_eq!(found["proof"]["checked"], true, "{game} {place} {way}");
            asked += 1;
        }
        // What approximations may say (Propositions 35 and 36).
        let value = read_number(&problem.value).unwrap();
        let bound = |scheme: &str| {
            let found = solve_json(game, &format!("{place} --scheme {scheme}"));
            assert_eq!(found["status"], "undecided");
            found["approximation"].as_f64().unwrap()
        };
        if problem.size == "small" {
            let (low, high) = (bound("maxmin"), bound("minmax"));
            assert!(low <= value.as_f64() + 1e-9 && value.as_f64() <= high + 1e-9, "{game}");
            for scheme in ["alt", "alt-last", "rab", "rab-once"] {
                let found = bound(scheme);
                assert!(low <= found && found <= high, "{game} {scheme}");
            }
        }
    }
    assert!(asked > 150, "{asked}");
}

/// Plays at random and compares what a game sees at a glance with the value.
struct Glance(u64);

impl JointVisitor for Glance {
    type Output = u32;

    fn visit<J: JointNotation>(self, game: J) -> u32 {
        let mut rng = Rng::new(self.0);
        let mut close = 0;
        for _ in 0..40 {
            let mut s = game.start();
            while game.payoff(&s).is_none() {
                let report = induce(
                    &game,
                    &s,
                    Driver::Dag,
                    Limits { nodes: 300_000, ..Limits::NONE },
                    &mut (),
                );
                if let Some(value) = report.value {
                    let (low, high) = game.bounds(&s);
                    let fits = low as f64 <= value + 1e-9 && value <= high as f64 + 1e-9;
                    let text = game.position_text(&s);
                    assert!(fits, "{} {text}: {value}, not {low} to {high}", game.name());
                    close += u32::from((low, high) != game.range());
                }
                s = step(&game, &mut rng, &s);
            }
        }
        close
    }
}

#[test]
fn what_games_see_at_a_glance_is_true() {
    let mut close = 0;
    for (at, game) in [
        "goofspiel:5",
        "goofspiel:5,points",
        "goofspiel:5,1-5-2-4-3",
        "oshi-zumo:8,2,1",
        "oshi-zumo:9,2,2",
        "pursuit:4x4,4",
        "pursuit:3x4,4,steps",
        "tron:4x4",
        "bidding-tic-tac-toe:1",
        "random-joint:3,2,3,5,1",
    ]
    .into_iter()
    .enumerate()
    {
        close += with_joint(game, Glance(at as u64)).unwrap();
    }
    assert!(close > 200, "{close}");
}

#[test]
fn games_in_turn_are_games_with_joint_moves() {
    for (game, value) in [
        ("tic-tac-toe", "0"),
        ("nim:1,2", "1"),
        ("nim:1,2,3", "-1"),
        ("domineering:3x3", "1"),
        ("othello:2x2", "0"),
        ("connect-four:3x3", "0"),
    ] {
        for way in ["--scheme bi", "--scheme smab", "--scheme do"] {
            let found = solve_json(game, way);
            assert_eq!(found["value"], value, "{game} {way}");
            assert_eq!(found["lp_calls"], 0, "{game} {way}: nobody mixes");
            assert_eq!(found["proof"]["checked"], true);
        }
    }
    let won = solve_json("nim:1,2", "--scheme bi");
    assert_eq!(won["winner"], "first");
    assert_eq!(won["strategies"][0], serde_json::json!({"2-1": "1"}));
    assert_eq!(won["strategies"][1], serde_json::json!({"-": "1"}));
}

#[test]
fn answers_are_json_by_the_contract() {
    let found = solve_json("goofspiel:4", "--position moves:4/3 --scheme smab --seed 3");
    assert_eq!(found["game"], "goofspiel:4");
    assert_eq!(found["position"], "1,2,3/1,2,4/4");
    assert_eq!((&found["scheme"], &found["driver"]), (&"smab".into(), &"dag".into()));
    assert_eq!(found["bounds"][0], found["bounds"][1]);
    for key in ["expansions", "nodes", "lp_calls", "pure", "playouts", "seed"] {
        assert!(found[key].is_u64(), "{key}");
    }
    for key in ["best_move", "holds", "winner", "approximation", "stop", "line", "peak_bytes"] {
        assert!(found.get(key).is_some(), "{key}");
    }
    // The same job twice gives the same bytes, but for the time it takes.
    let text = |found: &Value| {
        let mut found = found.clone();
        found["seconds"] = 0.into();
        found["peak_bytes"] = 0.into();
        found.to_string()
    };
    let again = solve_json("goofspiel:4", "--position moves:4/3 --scheme smab --seed 3");
    assert_eq!(text(&found), text(&again));
}

/// Large fractions are rounded, and the error is told.
#[test]
fn large_games_are_proved_up_to_an_error() {
    let found = solve_json("goofspiel:7", "");
    let error = found["error"].as_f64().unwrap();
    assert!(error > 0.0 && error < 1e-12, "{error}");
    let number = |text: &Value| read_number(text.as_str().unwrap()).unwrap();
    assert!(number(&found["bounds"][0]) <= number(&found["bounds"][1]));
    assert_eq!(found["proof"]["checked"], true);
    let (_, text) = solve("goofspiel:7", "");
    assert!(text.contains(" for Max, up to "), "{text}");
}

#[test]
fn proofs_are_written_verified_and_refused_when_damaged() {
    let scratch = Scratch::new();
    let file = scratch.path().join("proof.txt");
    let path = file.display().to_string();
    // A game in turn has proofs of its own kind, whatever search found its value.
    for scheme in ["bi", "smab", "do", "sequence"] {
        let position = "--position moves:b2,a1,c1";
        let (code, _) =
            solve("tic-tac-toe", &format!("--scheme {scheme} {position} --proof {path}"));
        assert_eq!(code, 0);
        let (code, out) = foregone(&["verify", &path, "--strict"]);
        assert_eq!(code, 0, "{out}");
        assert!(out.contains("x reaches at least draw"), "{out}");
        assert!(out.contains("o keeps the other side below win"), "{out}");
    }
    for game in ["goofspiel:5", "goofspiel:7", "joint:examples/example-11.joint"] {
        let (code, _) = solve(game, &format!("--scheme bi --proof {path}"));
        assert_eq!(code, 0);
        let (code, out) = foregone(&["verify", &path]);
        assert_eq!(code, 0, "{out}");
        assert_eq!(out.matches("proved: ").count(), 2, "{out}");
        assert!(out.contains(" gets at least ") && out.contains(" pays at most "), "{out}");
        let (_, out) = foregone(&["verify", &path, "--json"]);
        let verified: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(verified["status"], "proved");

        // A weight more or less is another strategy.
        let text = std::fs::read_to_string(&file).unwrap();
        let damaged = text.replacen(" 1 @ ", " 2 1 1 @ ", 1);
        assert_ne!(damaged, text);
        std::fs::write(&file, damaged).unwrap();
        let (code, message) = foregone(&["verify", &path]);
        assert_eq!(code, 3, "{message}");
        assert!(message.contains("line "), "{message}");
    }
    // A certificate of mixed strategies says nothing about a game that it does not fit.
    let (_, out) = solve("goofspiel:3", &format!("--proof {path}"));
    assert!(out.contains("written to"), "{out}");
    let text = std::fs::read_to_string(&file).unwrap();
    for other in ["goofspiel:4", "woodpush:6,2", "nim:1,2", "no-such-game"] {
        let swapped = text.replace("game goofspiel:3", &format!("game {other}"));
        std::fs::write(&file, swapped).unwrap();
        assert_eq!(foregone(&["verify", &path]).0, 3, "{other}");
    }
}

#[test]
fn budgets_end_a_search_and_positions_that_are_over_need_none() {
    let found = solve_json("goofspiel:9", "--driver tree --nodes 10k");
    assert_eq!((&found["status"], &found["stop"]), (&"undecided".into(), &"nodes".into()));
    assert_eq!(found["bounds"], serde_json::json!(["-1", "1"]));
    assert_eq!(solve("goofspiel:9", "--driver tree --nodes 10k").0, 1);
    let found = solve_json("goofspiel:9", "--driver tree --time 50ms");
    assert_eq!(found["stop"], "time");
    let found = solve_json("goofspiel:9", "--driver dag --memory 1M");
    assert_eq!(found["stop"], "memory");
    let over = solve_json("goofspiel:2", "--position moves:2/1");
    assert_eq!((&over["value"], &over["winner"]), (&"1".into(), &"Max".into()));
    assert_eq!(over["proof"]["checked"], true);
}

#[test]
fn wrong_words_are_named_with_their_place() {
    for (game, words, part) in [
        ("goofspiel:6", "--position moves:6/1,5", "`5` is not a pair of moves"),
        ("goofspiel:6", "--position moves:6/1,6/4", "`6` is not a legal move for Max here"),
        ("goofspiel:6", "--position moves:6/1,5/x", "`x` is not a move of goofspiel:6"),
        ("goofspiel:6", "--question win", "is not a question about joint moves"),
        ("goofspiel:6", "--scheme pn", "is for players who move in turn"),
        ("goofspiel:6", "--driver df", "does not go with"),
        ("goofspiel:6", "--scheme sequence --driver dag", "does not go with"),
        ("goofspiel:6", "--init half", "does not go with"),
        ("goofspiel:6", "--scheme bi --skip 2", "does not go with"),
        ("nim:1,2", "--skip 2", "goes with joint moves only"),
        ("nim:1,2", "--driver squared --inner smab", "is a scheme for joint moves"),
        ("woodpush:6,2", "--scheme bi", "can come up again"),
        ("goofspil:6", "", "there is no game called `goofspil`"),
        ("matrix:examples/none.csv", "", "can't be read"),
    ] {
        let (code, message) = solve(game, words);
        assert_eq!(code, 2, "{game} {words}: {message}");
        assert!(message.contains(part), "{game} {words}: {message}");
    }
    let (code, message) = foregone(&["check", "goofspiel", "w"]);
    assert_eq!(code, 2);
    assert!(message.contains("both players move at the same time"), "{message}");
}

#[test]
fn every_game_is_described_shown_and_counted() {
    for game in JOINT_GAMES.iter().filter(|game| !game.needs_file) {
        let (code, told) = foregone(&["games", game.name]);
        assert_eq!(code, 0);
        assert!(told.contains("at the same time") && told.contains("first moves of"), "{told}");
        let (code, shown) = foregone(&["show", game.name]);
        assert_eq!(code, 0);
        let position = shown.lines().last().unwrap().strip_prefix("position: ").unwrap();
        // The position that was printed is one that can be typed.
        let (code, again) = foregone(&["show", game.name, "--position", position]);
        assert_eq!((code, again), (0, shown.clone()));
        let (code, counts) = foregone(&["perft", game.name, "1"]);
        assert_eq!(code, 0, "{counts}");
    }
}

/// Reads mangled texts: no panic, and what is read is a position that the rules can work with.
struct Mangle(u64);

impl JointVisitor for Mangle {
    type Output = u32;

    fn visit<J: JointNotation>(self, game: J) -> u32 {
        let mut rng = Rng::new(self.0);
        let mut read = 0;
        let mut s = game.start();
        for _ in 0..2000 {
            let text = mangled(&mut rng, &game.position_text(&s));
            if let Ok(found) = game.read_position(&text) {
                read += 1;
                let again = game.position_text(&found);
                assert_eq!(game.read_position(&again).as_ref(), Ok(&found), "{text}");
                let _ = game.draw(&found);
                let (low, high) = game.bounds(&found);
                assert!(low <= high, "{text}");
                match game.payoff(&found) {
                    Some(payoff) => {
                        let (low, high) = game.range();
                        assert!((low..=high).contains(&payoff), "{text}: {payoff}");
                    }
                    None => s = step(&game, &mut rng, &found),
                }
            }
            if game.payoff(&s).is_some() {
                s = game.start();
            }
            let mut moves = Vec::new();
            game.moves(&s, Side::Max, &mut moves);
            let text = mangled(&mut rng, &game.move_text(&s, Side::Max, moves[0]));
            let _ = game.parse_move(&s, Side::Max, &text);
            let _ = game.parse_move(&s, Side::Min, &text);
            let _ = game.read_position_or_moves(&format!("moves:{text}"));
        }
        read
    }
}

/// A random pair of moves; every pair can be played.
fn step<J: Joint>(game: &J, rng: &mut Rng, s: &J::State) -> J::State {
    let pick = |rng: &mut Rng, side| {
        let mut moves = Vec::new();
        game.moves(s, side, &mut moves);
        assert!(!moves.is_empty(), "{s:?}");
        moves[rng.below(moves.len() as u32) as usize]
    };
    let (max, min) = (pick(rng, Side::Max), pick(rng, Side::Min));
    let mut next = s.clone();
    game.play(&mut next, max, min);
    next
}

/// A text with some letters changed, added or taken away.
fn mangled(rng: &mut Rng, text: &str) -> String {
    const LETTERS: &[u8] = b"0123456789abcxo./,-@ :#";
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..rng.below(3) {
        let letter = LETTERS[rng.below(LETTERS.len() as u32) as usize];
        let at = rng.below(bytes.len() as u32 + 1) as usize;
        match rng.below(3) {
            0 if at < bytes.len() => bytes[at] = letter,
            1 if at < bytes.len() => {
                bytes.remove(at);
            }
            _ => bytes.insert(at, letter),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn mangled_texts_never_panic() {
    for (at, game) in JOINT_GAMES.iter().filter(|game| !game.needs_file).enumerate() {
        let read = with_joint(game.name, Mangle(at as u64)).unwrap();
        assert!(read > 100, "{}: {read}", game.name);
        // Options, too.
        let mut rng = Rng::new(at as u64);
        for _ in 0..300 {
            let spec = mangled(&mut rng, &format!("{}:3,3", game.name));
            let _ = with_joint(&spec, Nothing);
        }
    }
}

/// Only whether there is such a game.
struct Nothing;

impl JointVisitor for Nothing {
    type Output = ();

    fn visit<J: JointNotation>(self, game: J) {
        assert!(!game.name().is_empty());
    }
}
