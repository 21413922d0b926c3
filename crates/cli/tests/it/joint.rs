//! Games with joint moves: the program as a person meets it.

use clap::Parser;
use foregone::games::registry::{GAMES, Moves};
use foregone_cli::args::Cli;
use foregone_model::number::read_number;
use serde_json::Value;

use crate::cli::Scratch;
use crate::common::root;

/// What the program prints and its exit code, or its message.
fn foregone(words: &[&str]) -> (u8, String) {
    let cli = Cli::try_parse_from(std::iter::once(&"foregone").chain(words));
    let mut out = Vec::new();
    match foregone_cli::execute(cli.unwrap(), &mut out) {
        Ok(code) => (code, String::from_utf8(out).unwrap()),
        Err(error) => (foregone_cli::exit_code_of(&error), error.to_string()),
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
        assert!(out.contains("o keeps x from winning"), "{out}");
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
        ("goofspiel:6", "--scheme pn", "is not for players who move at the same time"),
        ("goofspiel:6", "--driver df", "does not go with"),
        ("goofspiel:6", "--scheme sequence --driver dag", "does not go with"),
        ("goofspiel:6", "--init half", "does not go with"),
        ("goofspiel:6", "--scheme bi --skip 2", "does not go with"),
        ("nim:1,2", "--skip 2", "goes with joint moves only"),
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
    for game in GAMES.iter().filter(|game| game.file.is_none() && game.moves == Moves::Joint) {
        let (code, told) = foregone(&["games", game.name]);
        assert_eq!(code, 0);
        assert!(told.contains("at the same time") && told.contains("first moves of"), "{told}");
        let (code, shown) = foregone(&["show", game.name]);
        assert_eq!(code, 0);
        let position = shown.lines().find_map(|line| line.strip_prefix("position: ")).unwrap();
        // The position that was printed is one that can be typed.
        let (code, again) = foregone(&["show", game.name, "--position", position]);
        assert_eq!((code, again), (0, shown.clone()));
        let (code, counts) = foregone(&["perft", game.name, "1"]);
        assert_eq!(code, 0, "{counts}");
    }
}
