//! `play` and `match` as a person meets them: scripts on standard input, results, saved games.

use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use crate::cli::{Run, Scratch, foregone, program};
use crate::common::root;

/// Runs `foregone play` with these lines typed.
fn play(words: &str, typed: &str) -> Run {
    let words: Vec<&str> = ["play"].into_iter().chain(words.split_whitespace()).collect();
    let mut child = program(&words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    child.wait_with_output().unwrap().into()
}

#[test]
fn a_game_is_played_with_hints_and_mistakes_and_taken_back() {
    let run = play(
        "tic-tac-toe --playouts 40000",
        "b9\nhint\nmoves\nb2\nundo\nundo\nvalues\na1\nhelp\nresign\n",
    );
    assert_eq!(run.code, 0, "{}", run.err);
    let out = &run.out;
    assert!(
        out.contains("x> b9\n`b9` is not a move of tic-tac-toe: did you mean `b1`?\n"),
        "{out}"
    );
    assert!(out.contains("\nhint: ") && out.contains(": with best play it is a draw\n"), "{out}");
    assert!(out.contains("x> moves\na1 b1 c1 a2 b2 c2 a3 b3 c3\n"), "{out}");
    assert!(out.contains("\no plays "), "{out}");
    assert!(out.contains("With best play it is a draw.\n"), "{out}");
    assert!(out.contains("x> undo\nthere is no move of yours to take back\n"), "{out}");
    let values = out.split("x> values\n").nth(1).unwrap();
    assert_eq!(values.lines().filter(|line| line.ends_with(" draw")).count(), 9, "{out}");
    assert!(out.contains("  undo       take your last move back\n"), "{out}");
    assert!(out.contains("The game is over: x resigns.\n  moves  a1 "), "{out}");
}

#[test]
fn a_win_is_claimed_when_it_is_proved() {
    // Red wins Hex, and says so at once; blue can only give up.
    let run = play("hex:3 --as blue --playouts 40000", "quit\n");
    assert!(run.out.contains("I can force a win.\n"), "{}", run.out);
    let run = play("hex:3 --as blue --against uct --playouts 40000", "quit\n");
    assert!(!run.out.contains("force a win"), "{}", run.out);
    // Whoever is played against, it wins.
    let typed = "b2\na1\na2\na3\nb1\nb3\nc1\nc2\nc3\n".repeat(3);
    let run = play("hex:3 --as blue --playouts 40000", &typed);
    assert!(run.out.contains("The game is over: red wins.\n"), "{}", run.out);
}

#[test]
fn the_end_of_input_ends_the_game() {
    for (words, typed) in [("nim:3,4", ""), ("nim:3,4", "1-1\n"), ("chess --as both", "e4\ne5")] {
        let run = play(&format!("{words} --playouts 100"), typed);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{words}");
        assert!(run.out.contains("The game is not finished.\n"), "{}", run.out);
    }
}

#[test]
fn people_play_each_other_and_machines_play_alone() {
    let run = play("tic-tac-toe --as both", "a1\nb1\na2\nb2\na3\n");
    assert!(
        run.out.ends_with("The game is over: x wins.\n  moves  a1 b1 a2 b2 a3\n"),
        "{}",
        run.out
    );
    let alone = || play("tic-tac-toe --as nobody --against random --seed 3", "");
    assert!(alone().out.contains("The game is over: "), "{}", alone().out);
    assert_eq!(alone().out, alone().out);
}

#[test]
fn a_play_as_objects_is_one_on_each_line() {
    let run = play("tic-tac-toe --playouts 40000 --json", "zz\nhint\nmoves\nb2\nundo\nquit\n");
    let events: Vec<Value> =
        run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["error", "hint", "moves", "move", "move", "undo", "left"]);
    assert_eq!(events[3]["by"], "person");
    assert_eq!(events[4]["by"], "machine");
    assert_eq!(events[4]["known"]["value"], "draw");
}

#[test]
fn a_game_is_saved_as_its_friends_write_it() {
    let scratch = Scratch::new();
    let (pgn, sgf, list) = (scratch.file("g.pgn"), scratch.file("g.sgf"), scratch.file("g.txt"));
    play(&format!("chess --as both --save {pgn}"), "f3\ne5\ng4\nQh4\n");
    let text = std::fs::read_to_string(&pgn).unwrap();
    assert!(
        text.ends_with("[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# {black wins} 0-1\n\n"),
        "{text}"
    );
    let run = play("nogo:9x9 --as both", &format!("b2\nc3\nd1\nsave {sgf}\nquit\n"));
    assert!(run.out.contains(&format!("written to {sgf}\n")), "{}", run.out);
    // A reader of records of Go finds the stones where they were put.
    let shown = foregone(&["show", "go-capture:9x9", "--position", &format!("sgf:{sgf}@C3")]);
    assert_eq!(shown.code, 0, "{}", shown.err);
    assert!(shown.out.contains("/..O....../.x......./...x..... white"), "{}", shown.out);
    play(&format!("domineering:4x4 --as both --save {list}"), "a1a2\nb1c1\n");
    let text = std::fs::read_to_string(&list).unwrap();
    assert!(text.contains("moves    a1a2,b1c1\nend      not finished\n"), "{text}");
    let run = play("chess --as both", "save\nsave /no/such/folder/x\nquit\n");
    assert!(run.out.contains("save needs the name of a file: save game.txt\n"), "{}", run.out);
    assert!(run.out.contains("/no/such/folder/x can't be written"), "{}", run.out);
}

#[test]
fn a_match_tells_score_and_elo() {
    let words = "match random random --game tic-tac-toe --games 10 --seed 4 --playouts 10";
    let words: Vec<&str> = words.split_whitespace().collect();
    let run = foregone(&words);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.starts_with("tic-tac-toe: random against random, 10 games\n  result   "));
    assert!(run.out.contains(" % of the points, standard error "), "{}", run.out);
    assert!(run.out.contains("\n  Elo      "), "{}", run.out);
    let object = |threads: &str| {
        let more = ["--json", "--threads", threads];
        let run = foregone(&[&words[..], &more[..]].concat());
        serde_json::from_str::<Value>(&run.out).unwrap()
    };
    let (one, three) = (object("1"), object("3"));
    assert_eq!(one, three);
    let count = |key: &str| one[key].as_u64().unwrap();
    assert_eq!(count("wins") + count("draws") + count("losses"), 10);
    assert_eq!(one["games"].as_array().unwrap().len(), 10);
    let points = count("wins") as f64 + count("draws") as f64 / 2.0;
    assert!((one["score"].as_f64().unwrap() - points / 10.0).abs() < 1e-12);
}

#[test]
fn the_games_of_a_match_are_kept() {
    let scratch = Scratch::new();
    let path = scratch.file("games.pgn");
    // Mate in one.
    let position = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";
    let run = foregone(&[
        "match",
        "dag pn",
        "random",
        "--game",
        "chess",
        "--games",
        "1",
        "--playouts",
        "2000",
        "--position",
        position,
        "--openings",
        "0",
        "--save",
        &path,
    ]);
    assert_eq!(run.code, 0, "{}", run.err);
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.matches("[Event \"foregone match\"]").count(), 1, "{text}");
    assert!(text.contains("[White \"dag pn\"]\n[Black \"random\"]\n[Result \"1-0\"]"), "{text}");
    assert!(text.ends_with("\n1. Ra8# {win} 1-0\n\n"), "{text}");
}

#[test]
fn what_is_wrong_is_said_with_what_is_right() {
    for (words, parts) in [
        (
            &["match", "randm", "random", "--game", "nim"][..],
            &["`randm` is not a player", "`random`"][..],
        ),
        (&["match", "random", "random", "--game", "nim", "--games", "0"], &["at least 1"]),
        (&["match", "random", "random", "--game", "goofspiel:4"], &["move at the same time"]),
        (&["match", "random", "random", "--game", "same-game"], &["has one player"]),
        (&["match", "random", "ggp:localhost:1", "--game", "nim"], &["plays rulesheets only"]),
        (&["match", "random", "random"], &["--game"]),
        (&["play", "hex:3", "--as", "green"], &["`green` does not play hex:3", "`red`"]),
        (&["play", "goofspiel:4"], &["move at the same time"]),
        (&["play", "hex:3", "--dice", "loaded"], &["drawn"]),
        (&["play", "hex:3", "--save", "/no/folder/x"], &["there is no folder /no/folder"]),
    ] {
        let run = foregone(words);
        assert_eq!(run.code, 2, "{words:?}");
        for part in parts {
            assert!(run.message().contains(part), "{words:?}: {}", run.err);
        }
    }
}

#[test]
fn a_player_on_a_network_takes_part() {
    // A player of our own, on a free port.
    let mut server = program(&["player", "--port", "0", "--margin", "800ms", "--no-ponder"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut out = std::io::BufReader::new(server.stdout.take().unwrap());
    std::io::BufRead::read_line(&mut out, &mut line).unwrap();
    let address = line.trim().rsplit(' ').next().unwrap().to_owned();
    // It goes on writing, and somebody has to read.
    std::thread::spawn(move || std::io::copy(&mut out, &mut std::io::sink()));
    let player = format!("ggp:{address}");
    let game = format!("gdl:{}", root().join("rulesheets/tic-tac-toe.kif").display());
    let run = foregone(&[
        "match", "random", &player, "--game", &game, "--games", "2", "--time", "1s", "--json",
    ]);
    let _ = server.kill();
    let _ = server.wait();
    assert_eq!(run.code, 0, "{}", run.err);
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    for game in answer["games"].as_array().unwrap() {
        assert!(!game["end"].as_str().unwrap().contains("forfeits"), "{game}");
        assert!(game["moves"].as_array().unwrap().len() >= 5, "{game}");
    }
    // Nobody listens there any more: that is a game lost, and said.
    let run =
        foregone(&["match", "random", &player, "--game", &game, "--games", "2", "--time", "1s"]);
    assert!(run.out.contains("2 wins, 0 draws, 0 losses"), "{}", run.out);
    assert!(run.out.contains("forfeits"), "{}", run.out);
}
