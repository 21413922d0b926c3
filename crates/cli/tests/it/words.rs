//! What people type, right, nearly right and wrong, and what they read: each line here once read
//! badly.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use clap::CommandFactory;
use foregone_games::registry::GAMES;
use serde_json::Value;

use crate::cli::{PROGRAM, Run, Scratch, foregone, program};
use crate::common::root;

/// Runs a line as a shell would split it, quotes and all, in the folder that holds the README.
fn line(words: &str) -> Run {
    let mut split = vec![String::new()];
    let mut quoted = false;
    for c in words.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => split.push(String::new()),
            c => split.last_mut().unwrap().push(c),
        }
    }
    let split: Vec<&str> = split.iter().map(String::as_str).collect();
    program(&split).current_dir(root()).output().unwrap().into()
}

/// Runs a script of the shell, `foregone` being the program.
fn script(text: &str) -> Run {
    let text = format!("foregone() {{ '{PROGRAM}' \"$@\"; }}; {text}");
    let mut command = Command::new("bash");
    command.args(["-c", &text]).env("NO_COLOR", "1").current_dir(root());
    command.output().unwrap().into()
}

#[test]
fn mistakes_are_met_with_what_would_be_right() {
    // What is typed, and parts of the message.
    let cases: &[(&str, &[&str])] = &[
        // Games.
        ("solve rulesheets/nim.kif", &["did you mean `gdl:rulesheets/nim.kif`?"]),
        ("solve x.game", &["did you mean `explicit:x.game`?"]),
        ("solve x.joint", &["did you mean `joint:x.joint`?"]),
        ("solve x.csv", &["did you mean `matrix:x.csv`?"]),
        ("solve hex 5", &["the options of a game stand behind a colon: 'hex:5'"]),
        ("solve hex:-3", &["-3 is too small: it must be at least 1", "game:1:5"]),
        ("solve hex:0", &["0 is too small: it must be at least 1"]),
        ("solve hex:99999999999", &["99999999999 is too large: it must be at most 11"]),
        ("solve hex:", &["a number is missing"]),
        ("solve hex:5x5", &["for a board of 5x5 type 5"]),
        ("solve hex:1,2", &["`1,2` is not a whole number from 1 to 11"]),
        ("solve connect-four:20x20", &["a board of 20x20 is too large: at most 10x10"]),
        ("solve connect-four:20x7", &["at most 10x10 or 20x6 or 17x7"]),
        ("solve tron:9x9", &["a board of 9x9 is too large: at most 8x8"]),
        ("solve tron:1x1", &["a board of 1x1 is too small"]),
        ("solve goofspiel:3,points,1-2-3,4", &["game:1:"]),
        ("solve woodpush:1,1,1", &["there are 3 values, this game has 2 options"]),
        ("solve gdl:", &["this game needs a file: gdl:FILE"]),
        ("solve explicit:", &["this game needs a file: explicit:FILE"]),
        ("solve explicit:Cargo.toml", &["Cargo.toml does not hold a game of `explicit`"]),
        ("solve explicit:Cargo.toml", &["`foregone games explicit` shows how"]),
        ("solve explicit:nowhere", &["the file nowhere can't be read: No such file or directory"]),
        ("games foo", &["there is no game called `foo`", "`atari-go`", "`y`"]),
        // Positions.
        ("solve hex:3 -p 'moves:a1 b1'", &["moves are written with commas between them"]),
        ("solve nim:1 -p '1,2 first'", &["expected 1 heap, found 2"]),
        ("show hex:1 -p 'xo red'", &["this row has 2 cells, expected 1"]),
        ("show hex:3 -p 'x/.../... red'", &["this row has 1 cell, expected 3"]),
        // Questions.
        ("solve hex:3 -q 'at-least draw'", &["it can only be `win`"]),
        // Schemes and drivers.
        ("solve hex:4 --scheme alphabeta", &["`alphabeta` is a driver, not a scheme"]),
        ("solve hex:4 --scheme alphabeta", &["`--driver alphabeta`"]),
        ("solve hex:4 --driver pn", &["`pn` is a scheme, not a driver: `--scheme pn`"]),
        ("solve hex:4 --driver smab", &["`smab` is a scheme, not a driver: `--scheme smab`"]),
        ("run hex:4 scheme=dag", &["`dag` is a driver, not a scheme"]),
        ("run hex:4 driver=MO(pn)", &["`MO` is a scheme, not a driver"]),
        ("solve hex:4 --scheme mcts(exploration=x)", &["`x` is not a number"]),
        ("solve hex:4 --driver alphabeta(order=x)", &["`x` is not an order of moves"]),
        (
            "solve hex:4 --inner pn",
            &["`--inner` does not go with `connections`, the driver that hex:4 gets"],
        ),
        ("solve hex:4 --inner pn", &["it goes with `--driver squared`"]),
        ("solve hex:4 --inner pn --driver df", &["`--inner` does not go with `--driver df`"]),
        (
            "solve nim:1,2 --gamma 1",
            &["`--gamma` does not go with `pn`, the scheme that nim:1,2 gets"],
        ),
        (
            "solve hex:4 --gamma 1",
            &["`--gamma` does not go with `connections`, the driver that hex:4 gets"],
        ),
        ("solve goofspiel:3 --rave 1", &["does not go with `bi`, the scheme that goofspiel:3"]),
        ("check hex:3 w --cost depth", &["does not go with `alphabeta`, the usual algorithm"]),
        ("check hex:3 w --all -a pnps", &["`--all` does not go with `pnps`"]),
        ("schemes pm", &["no driver called `pm`", "did you mean `pn`?"]),
        // Numbers.
        ("solve hex:3 --threads 0", &["it must be at least 1"]),
        ("solve hex:3 --threads -3", &["it must be at least 1"]),
        ("solve hex:3 --nodes -3", &["it must be at least 0"]),
        ("solve hex:3 --memory -3", &["it must be at least 0"]),
        ("solve hex:3 --time -3", &["a time must be at least 0"]),
        ("solve hex:3 --seed -3", &["it must be at least 0"]),
        ("solve hex:3 --nodes 1.5", &["`1.5` is not a whole number"]),
        ("perft hex:3 -1", &["it must be at least 0"]),
        ("combat --battles 0", &["it must be at least 1"]),
        ("reproduce table-2.1 --sample 0", &["it must be at least 1"]),
        ("gdl random rulesheets/nim.kif --playouts -1", &["it must be at least 0"]),
        ("player --port 70000", &["it must be at most 65535"]),
        // Formulas.
        ("check hex:3 omega(3", &["this bracket is never closed", "formula:1:6"]),
        ("check hex:3 '(w | (l & w)'", &["this bracket is never closed", "formula:1:1"]),
        ("check hex:3 omega(3))", &["this bracket closes nothing", "formula:1:9"]),
        ("check hex:3 omega()", &["expected a formula, found `)`"]),
        ("check hex:3 omega(-1)", &["-1 is too small: it must be at least 0"]),
        ("check hex:3 ladder(4)", &["n must be odd in ladder(n)", "3 or 5", "formula:1:8"]),
        ("check hex:3 'w | ladder( 2 )'", &["n must be odd in ladder(n)", "1 or 3"]),
        ("check hex:3 'w and l'", &["`and` is written `&`", "formula:1:3"]),
        ("check hex:3 'w or l'", &["`or` is written `|`"]),
        ("check hex:3 'not(w)'", &["`not` is written `!`"]),
        ("check hex:3 atleast(draw)", &["`atleast(draw)` is not of the form atleast(OUTCOME)"]),
        ("check hex:3", &["there is no formula"]),
        ("check hex:3 w --batch -", &["cannot be used with '--batch <FILE>'"]),
        // Other commands.
        ("run", &["<JOB>"]),
        ("verify README.md --trust safemoves", &["did you mean `safe-moves`?"]),
        ("verify /dev/null", &["not a regular file", "- reads standard input"]),
        ("solve hex:3 --proof - --json", &["`--proof -` does not go with JSON"]),
        ("check hex:3 --batch x --json --proof -", &["--proof"]),
        ("reproduce --time 3s", &["`--time` is for one table or figure"]),
        ("reproduce --quick --out x.svg", &["`--out` is for one table or figure"]),
        ("combat foo", &["there is no player called `foo`"]),
    ];
    for (words, parts) in cases {
        let run = line(words);
        assert_eq!(run.code, 2, "{words}: {}{}", run.out, run.err);
        for part in *parts {
            assert!(run.message().contains(part), "{words} does not say {part}:\n{}", run.err);
        }
    }
    let run = line("verify README.md");
    assert_eq!(run.code, 3);
    assert!(run.message().contains("certificates are what `solve --proof FILE` writes"));
}

#[test]
fn words_are_understood_in_any_letters() {
    let cases = [
        ("solve HEX:3 --scheme PN --driver DAG --init MOBILITY --json", "\"game\":\"hex:3\""),
        ("solve Tic-Tac-Toe --scheme MO(pn) --json", "\"scheme\":\"mo(pn)\""),
        ("solve Goofspiel:3 --scheme SMAB --cells Lexicographic --json", "\"scheme\":\"smab\""),
        ("solve domineering:3X3 --driver AlphaBeta --order HISTORY --json", "domineering:3x3"),
        ("check HEX:3 omega(1) --algorithm PNPS --json", "\"algorithm\":\"pnps\""),
        ("games Hex", "hex: Place stones"),
        ("concepts OMEGA", "omega(n)"),
        ("schemes PN", "pn, a scheme: proof numbers\ndrivers: tree, dag, squared, df\n"),
        ("solve hex:3 --nodes 1e6 --time 1h30m --memory 2gb --json", "\"status\":\"solved\""),
        ("combat Closest RANDOM --army '1 Marine'", "Closest against RANDOM"),
    ];
    for (words, part) in cases {
        let run = line(words);
        assert_eq!(run.code, 0, "{words}: {}", run.err);
        assert!(run.out.contains(part), "{words}: {}", run.out);
    }
    // Places are those of what was typed.
    let run = line("solve HEX:x");
    assert!(run.err.contains("HEX:x") || run.err.contains("hex:x"), "{}", run.err);
    assert!(run.err.contains("game:1:5"), "{}", run.err);
}

#[test]
fn answers_read_well() {
    let cases = [
        // One of a kind.
        ("solve nim:1", ["1 expansion, 2 nodes", "proved, 2 claims"]),
        ("solve nim:0", ["proved, 1 claim (", ""]),
        ("solve rock-paper-scissors", ["of Max for 1 position, of Min for 1 position", ""]),
        ("show random-joint:1,1,1", ["1 pair of moves left", ""]),
        ("solve tic-tac-toe -q win", ["x to move: x can't force a win.", ""]),
        // Ends.
        ("show tic-tac-toe -p 'xox/xxo/oxo o'", ["over: a draw\n", ""]),
        ("show connect-four:4x4 -p 1122334", ["over: red wins\n", ""]),
        ("show nim:0", ["over: second wins\n", ""]),
        ("show othello:2x2 -p moves:", ["", ""]),
        // Legal moves.
        ("show hex:3", ["red to move\n", "\nmoves: a1 b1 c1 a2 b2 c2 a3 b3 c3\n"]),
        ("show goofspiel:2", ["moves of Max: 2 1\n", "moves of Min: 2 1\n"]),
        ("show hex:11", ["\nmoves: a1 b1", "\n  "]),
        // Three players.
        (
            "solve gdl:rulesheets/three-player-nim.kif",
            ["first against all others: first gets 50.", ""],
        ),
        (
            "solve gdl:rulesheets/three-player-nim.kif --for second",
            ["second against all others: second gets 0.", ""],
        ),
        (
            "solve gdl:rulesheets/three-player-nim.kif,for=second",
            ["the others to move, second against all others", ""],
        ),
        ("solve chinese-checkers:1,3", ["red against all others: ", "green or blue wins."]),
        // Games that stand in files.
        ("games explicit", ["max STATE -> STATE", "  max s0 -> s1 s2\n"]),
        ("games joint", ["each line\n`max MOVE", "  max heads -> won lost\n"]),
        ("games matrix", ["between commas", "  0, -1, 1\n"]),
        ("games gdl", ["(role R)", "  (<= terminal (true done))\n"]),
        ("games hex:5", ["start of hex:5: ", "SIZE (4)"]),
        ("games gdl:rulesheets/nim.kif", ["start of gdl:rulesheets/nim.kif", "players: first"]),
        ("games domineering", ["static knowledge: safe-moves\n", ""]),
        ("perft hex:3 0", ["  0  1\n", ""]),
        ("perft hex:3 0 --json", ["\"counts\":[1]", ""]),
        ("perft goofspiel:3 0", ["  0  1\n", ""]),
        ("gdl check rulesheets/nim.kif --playouts 1", ["random play: 1 game, ", ""]),
    ];
    for (words, parts) in cases {
        let run = line(words);
        assert!(run.code < 2, "{words}: {}", run.err);
        for part in parts {
            assert!(run.out.contains(part), "{words} does not say {part}:\n{}", run.out);
        }
        assert!(!run.out.contains("others wins"), "{words}: {}", run.out);
    }
    let wide = line("show hex:11").out;
    assert!(wide.lines().filter(|l| !l.starts_with("position")).all(|l| l.len() <= 80), "{wide}");
    // The same for programs.
    let json = foregone(&["show", "hex:2", "--json"]).json();
    assert_eq!(json.get("moves"), &serde_json::json!([["a1", "b1", "a2", "b2"]]));
    assert_eq!(json.text("to_move"), "red");
}

#[test]
fn every_example_of_a_game_file_is_a_game() {
    let scratch = Scratch::new();
    for entry in GAMES {
        let Some(form) = entry.file else { continue };
        let file = scratch.file(&format!("my{}", form.ending));
        fs::write(&file, form.example).unwrap();
        let run = foregone(&["solve", &format!("{}:{file}", entry.name), "--json"]);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", entry.name);
        // Its ending is enough to find out what it is.
        let run = foregone(&["solve", &file]);
        let hint = format!("did you mean `{}:", entry.name);
        assert!(run.message().contains(&hint), "{}", run.err);
    }
}

#[test]
fn hidden_information_in_a_rulesheet_is_shown_where_it_stands() {
    let scratch = Scratch::new();
    let file = scratch.file("dice.kif");
    fs::write(&file, "(role x)\n(<= (sees x y) (true y))\n").unwrap();
    let run = foregone(&["solve", &format!("gdl:{file}")]);
    assert_eq!(run.code, 2);
    assert!(run.message().contains("hidden information"), "{}", run.err);
    assert!(run.err.contains("dice.kif:2:5"), "{}", run.err);
}

#[test]
fn a_row_with_a_comma_at_its_end_is_pointed_at() {
    let scratch = Scratch::new();
    let file = scratch.file("m.csv");
    fs::write(&file, "1,2\n3,4,\n5,6\n").unwrap();
    for words in [["matrix", &file], ["solve", &format!("matrix:{file}")]] {
        let run = foregone(&words);
        assert_eq!(run.code, 2);
        assert!(run.err.contains("m.csv:2:"), "{}", run.err);
        assert!(run.err.contains(" 2 │ 3,4,\n"), "{}", run.err);
    }
    fs::write(&file, "1,2\n3\n").unwrap();
    let run = foregone(&["matrix", &file]);
    assert!(run.message().contains("the row has 1 payoff, the first one has 2"), "{}", run.err);
}

#[test]
fn long_lines_are_cut_around_the_fault() {
    let formula = format!("{} wrong {}", "w | ".repeat(200), "| w".repeat(200));
    let run = foregone(&["check", "hex:3", &formula]);
    assert_eq!(run.code, 2);
    let widest = run.err.lines().map(|l| l.chars().count()).max().unwrap();
    assert!(widest < 110, "{}", run.err);
    assert!(run.err.contains("formula, line 1, column 802"), "{}", run.err);
    assert!(run.err.contains("│ …") && run.err.contains("| w…"), "{}", run.err);
    assert!(run.err.contains("──"), "the place is marked: {}", run.err);
}

#[test]
fn errors_are_json_on_standard_output_too() {
    for (words, message, help) in [
        ("solve hexx --json", "there is no game called `hexx`", "did you mean `hex`?"),
        ("solve hex --json --scheme pm", "invalid value 'pm'", "similar value exists: 'pn'"),
        ("solve hex --json --nods 3", "unexpected argument '--nods'", "--nodes"),
        ("check hex:3 omega(3 --json", "this bracket is never closed", ""),
        ("verify nowhere --json", "the file nowhere can't be read", ""),
        ("matrix nowhere --json", "the file nowhere can't be read", ""),
        ("perft hex:3 2 -p x --json", "a position ends with", ""),
        ("show hex:x --json", "`x` is not a whole number", ""),
        ("gdl check nowhere --json", "the file nowhere can't be read", ""),
    ] {
        let run = line(words);
        assert_eq!(run.code, 2, "{words}");
        let json = run.json();
        assert_eq!(json.keys(), ["error"], "{words}");
        let error = json.get("error");
        assert_eq!(error["kind"], "input", "{words}");
        assert!(error["message"].as_str().unwrap().contains(message), "{words}: {error}");
        assert!(error["help"].as_str().unwrap_or_default().contains(help), "{words}: {error}");
        assert!(!run.err.is_empty(), "{words}: people read it, too");
    }
    let error = line("check hex:3 'w & omga(3)' --json").json().get("error").clone();
    let place = serde_json::json!({"name": "formula", "line": 1, "column": 5, "word": "omga"});
    assert_eq!(error["place"], place);
    // What is no option is not one behind `--` either.
    assert_eq!(line("solve hexx -- --json").out, "");
}

#[test]
fn a_batch_goes_on_behind_a_bad_line() {
    let mut command = program(&["check", "hex:3", "--batch", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let questions =
        "start\tomega(1)\nno formula here\nnowhere\tw\nstart\tomga(2)\nstart\tomega(5)\n";
    child.stdin.take().unwrap().write_all(questions.as_bytes()).unwrap();
    let run: Run = child.wait_with_output().unwrap().into();
    assert_eq!(run.code, 2, "{}", run.err);
    let lines: Vec<Value> = run.out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(lines.len(), 5, "{}", run.out);
    assert_eq!((&lines[0]["holds"], &lines[4]["holds"]), (&false.into(), &true.into()));
    for (at, message) in [
        (1, "expected a position, a tab and a formula"),
        (2, "a position ends with"),
        (3, "no proposition or class called `omga`"),
    ] {
        assert_eq!(lines[at]["line"], at + 1);
        assert!(lines[at]["error"]["message"].as_str().unwrap().contains(message), "{}", run.out);
    }
    assert!(run.err.contains("3 of 5 lines could not be asked"), "{}", run.err);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    for words in ["games", "solve nim:1,2", "solve nim:1,2 --json", "completions bash", "schemes"] {
        let run = script(&format!("foregone {words} > /dev/full"));
        assert_eq!(run.code, 2, "{words}");
        assert!(run.message().contains("can't be written: No space left"), "{}", run.err);
    }
    let run = script("foregone solve nim:1,2 --proof /dev/full");
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.message().contains("the file /dev/full can't be written"), "{}", run.err);
    // Who has seen enough is no such case: `head` closes the pipe.
    let run = script("foregone gdl random rulesheets/nim.kif --playouts 100000 | head -1");
    assert_eq!((run.code, run.out.lines().count(), run.err.as_str()), (0, 1, ""));
}

#[test]
fn proofs_go_through_pipes() {
    let run = script("foregone solve tic-tac-toe --proof - 2> /dev/null | foregone verify -");
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.err);
    let said: Vec<&str> = run.out.lines().collect();
    assert_eq!(said.len(), 2, "{}", run.out);
    assert!(said[0].contains("in tic-tac-toe: x reaches at least draw ("), "{}", run.out);
    assert!(said[1].contains("in tic-tac-toe: o keeps x from winning ("), "{}", run.out);
    // The answer is not lost.
    let run = foregone(&["solve", "nim:1,2", "--proof", "-"]);
    assert!(run.out.starts_with("foregone certificate"), "{}", run.out);
    assert!(run.err.contains("first wins.") && run.err.contains("(written to standard output)"));
    let run =
        script("foregone check hex:3 'omega(5)' --tree --proof - 2>/dev/null | foregone verify -");
    assert!(run.out.starts_with("proved: "), "{}{}", run.out, run.err);
    let run = script("printf 'nonsense\\n' | foregone verify -");
    assert_eq!(run.code, 3);
    assert!(run.message().contains("standard input, line 1"), "{}", run.err);
    let run = script("printf '1,2\\n3,4\\n' | foregone matrix -");
    assert!(run.out.contains("2 rows, 2 columns: value 3"), "{}", run.out);
}

#[test]
fn budgets_that_mean_nothing_are_said_aloud() {
    for (words, warning) in [
        ("solve hex:3 --threads 3", ""),
        ("solve hex:3 --driver dfs --threads 3", "3 threads do no more than one here"),
        ("solve connect-four:4x4 --threads 2", ""),
        ("solve connect-four:4x4 --driver df --threads 2", ""),
        ("solve goofspiel:3 --threads 2", "2 threads do no more than one here"),
        ("check hex:3 omega(1) --threads 2", "but with `--algorithm pn2`"),
        ("solve hex:3 --driver squared --threads 2", ""),
        ("check hex:3 omega(1) --algorithm pn2 --threads 2", ""),
        ("solve hex:3 --memory 1M", "`--memory` was not kept"),
        ("solve hex:3 --memory 900T", "`--memory` allows more than the"),
        ("solve hex:3 --memory 500M", ""),
    ] {
        let run = line(&format!("{words} --json"));
        assert!(run.code < 2, "{words}: {}", run.err);
        run.json();
        match warning {
            "" => assert_eq!(run.err, "", "{words}"),
            _ => assert!(run.message().contains(warning), "{words}: {}", run.err),
        }
    }
}

#[test]
fn knowledge_is_listed_by_its_game() {
    // What certificates rest on is what an entry names, so that `--trust` can be checked.
    let scratch = Scratch::new();
    let file = scratch.file("proof.txt");
    for (game, name) in [
        ("domineering:5x5", "safe-moves"),
        ("breakthrough:5x3", "race-pattern"),
        ("connect-four:4x4", "threats"),
        ("kalah:2,2", "stores"),
        ("same-game:3x3", "colours"),
    ] {
        let run = foregone(&["solve", game, "--proof", &file]);
        assert_eq!(run.code, 0, "{game}: {}", run.err);
        let text = fs::read_to_string(&file).unwrap();
        let entry = GAMES.iter().find(|e| game.starts_with(e.name)).unwrap();
        let words = text.lines().flat_map(|l| l.split_once("by ")).map(|(_, rest)| rest);
        let rules: Vec<&str> = words.filter_map(|rest| rest.split(' ').next()).collect();
        assert!(rules.contains(&name), "{game}: {rules:?}");
        assert!(rules.iter().all(|rule| entry.knowledge.contains(rule)), "{game}: {rules:?}");
        let run = foregone(&["verify", &file, "--trust", name]);
        assert_eq!(run.code, 0, "{game}: {}", run.err);
    }
}

#[test]
fn figures_go_to_files_with_names() {
    let scratch = Scratch::new();
    let mut command = program(&["reproduce", "figure-2.3", "--quick", "--sample", "2"]);
    let run: Run =
        command.args(["--nodes", "1k"]).current_dir(scratch.path()).output().unwrap().into();
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.ends_with("figure: written to figure-2.3.svg\n"), "{}", run.out);
    assert!(!run.out.contains("<svg"), "{}", run.out);
    let picture = fs::read_to_string(scratch.file("figure-2.3.svg")).unwrap();
    assert!(picture.starts_with("<svg"), "{picture}");
}

/// The first experiment of the list is run, and so would be all behind it.
#[test]
fn quick_alone_runs_all() {
    let names = foregone_cli::reproduce::names().unwrap();
    let run = script("foregone reproduce --quick --nodes 50 | head -40");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.starts_with(&format!("{}: ", names[0])), "{}", run.out);
    assert!(run.out.contains("command: foregone reproduce "), "{}", run.out);
}

#[test]
fn a_player_is_for_this_machine_only() {
    let mut command = program(&["player", "--port", "0"]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut said = String::new();
    let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
    std::io::BufRead::read_line(&mut out, &mut said).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(said.starts_with("foregone listens on 127.0.0.1:"), "{said}");
}

#[test]
fn shells_know_games_schemes_and_drivers() {
    for shell in ["bash", "zsh", "fish"] {
        let out = foregone(&["completions", shell]).out;
        for word in ["chinese-checkers", "woodpush", "sbmcts", "squared", "smab", "figure-2.3"] {
            assert!(out.contains(word), "{shell} does not know {word}");
        }
        for option in ["exploration", "walk", "trust"] {
            assert!(out.contains(option), "{shell} does not know --{option}");
        }
    }
}

#[test]
fn help_is_short_and_has_examples() {
    fn every(command: &clap::Command, path: &[&str], seen: &mut Vec<Vec<String>>) {
        for inner in command.get_subcommands().filter(|c| c.get_name() != "help") {
            let path = [path, &[inner.get_name()]].concat();
            seen.push(path.iter().map(|&word| word.to_owned()).collect());
            every(inner, &path, seen);
        }
    }
    let mut commands = vec![Vec::new()];
    every(&foregone_cli::args::Cli::command(), &[], &mut commands);
    assert!(commands.len() > 18, "{commands:?}");
    for path in commands {
        let mut words: Vec<&str> = path.iter().map(String::as_str).collect();
        words.push("--help");
        let run = foregone(&words);
        assert_eq!(run.code, 0, "{words:?}");
        assert!(run.out.contains("Examples:\n  foregone "), "{words:?}: {}", run.out);
        // Two screens.
        let lines = run.out.lines().count();
        assert!(lines <= 70, "{words:?} has {lines} lines");
    }
    // What the help of `solve` leaves out is listed elsewhere.
    let list = foregone(&["schemes"]).out;
    for option in
        ["--init", "--outcomes", "--exploration", "--gamma", "--inner", "--walk", "--skip"]
    {
        assert!(list.contains(option), "{option}: {list}");
    }
    for word in ["pn ", "mo(pp)", "smab", "alphabeta", "montecarlo", "dfmps"] {
        assert!(list.contains(word), "{word}: {list}");
    }
}

/// The program named the driver that it would use with one thread, and several took `squared`: ten times slower.
#[test]
fn what_nobody_named_is_picked_for_several_threads() {
    for (words, driver, scheme) in [
        (&["nogo:3x3"][..], "dag", "pp"),
        (&["nogo:3x3", "--threads", "2"], "df", "pp"),
        (&["nogo:3x3", "--threads", "2", "--driver", "dag"], "squared", "pp"),
        (&["atari-go:2x2", "--threads", "2"], "df", "pn"),
        (&["hex:3", "--scheme", "pp"], "dag", "pp"),
        (&["domineering:4x4", "--scheme", "mcts", "--exploration", "0.5"], "dag", "mcts"),
    ] {
        let answer = foregone(&[&["solve"], words, &["--json"]].concat()).json();
        assert_eq!(answer.text("driver"), driver, "{words:?}");
        assert!(answer.text("scheme").starts_with(scheme), "{words:?}: {}", answer.text("scheme"));
    }
}
