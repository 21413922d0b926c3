//! Rulesheets as a person meets them: `foregone gdl`, `gdl:FILE` as a game, and the player.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::cli::{PROGRAM, Scratch};
use crate::common::root;
use crate::seal::seal;

fn foregone(words: &[&str]) -> (i32, String, String) {
    let output = Command::new(PROGRAM).args(words).current_dir(root()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    // Long messages are broken into lines.
    let err = text(output.stderr).replace('│', " ");
    let err = err.split_whitespace().collect::<Vec<_>>().join(" ");
    (output.status.code().unwrap_or(-1), text(output.stdout), err)
}

fn solved(words: &[&str]) -> Value {
    let mut all = vec!["solve"];
    all.extend(words);
    all.push("--json");
    let (code, out, err) = foregone(&all);
    assert_eq!(code, 0, "{words:?}: {err}");
    serde_json::from_str(&out).unwrap()
}

#[test]
fn rulesheets_are_solved_like_the_games_they_are() {
    for (sheet, value) in [
        ("tic-tac-toe", "draw"),
        ("nim", "loss"),
        ("chomp", "win"),
        ("domineering-4x4", "win"),
        ("race-20-3", "loss"),
        ("race-10-3-terms", "win"),
        ("hanoi", "100"),
        ("eight-puzzle", "100"),
        ("left-right", "100"),
        ("shunting", "100"),
    ] {
        let answer = solved(&[&format!("gdl:rulesheets/{sheet}.kif")]);
        assert_eq!(answer["value"], value, "{sheet}: {answer}");
        assert!(answer["proof"].is_object(), "{sheet}: {answer}");
    }
}

#[test]
fn every_back_end_answers_the_same() {
    for backend in ["gates", "chain", "plain"] {
        let game = format!("gdl:rulesheets/tic-tac-toe.kif,backend={backend}");
        assert_eq!(solved(&[&game])["value"], "draw", "{backend}");
    }
    let (code, _, err) = foregone(&["solve", "gdl:rulesheets/nim.kif,backend=gate"]);
    assert!(code == 2 && err.contains("did you mean `gates`?"), "{err}");
}

#[test]
fn perft_is_that_of_the_built_in_games() {
    for (sheet, game, depth) in [
        ("tic-tac-toe", "tic-tac-toe", "9"),
        ("connect-four", "connect-four", "6"),
        ("breakthrough", "breakthrough", "5"),
        ("domineering", "domineering", "4"),
        ("hex", "hex", "4"),
    ] {
        let (_, ours, _) = foregone(&["perft", game, depth]);
        let (code, theirs, err) =
            foregone(&["perft", &format!("gdl:rulesheets/{sheet}.kif"), depth]);
        assert_eq!((code, ours.as_str()), (0, theirs.as_str()), "{sheet}: {err}");
    }
}

#[test]
fn moves_made_at_the_same_time_go_to_the_matrix_solvers() {
    let answer = solved(&["gdl:rulesheets/rock-paper-scissors.kif"]);
    assert_eq!(answer["bounds"], serde_json::json!(["50", "50"]), "{answer}");
    let answer = solved(&["gdl:rulesheets/goofspiel-4.kif"]);
    assert_eq!(answer["bounds"], serde_json::json!(["50", "50"]), "{answer}");
    // What two roles get does not add up to the same.
    let (code, _, err) = foregone(&["solve", "gdl:rulesheets/prisoners-dilemma.kif"]);
    assert!(code == 2 && err.contains("no solver takes such a game"), "{err}");
}

#[test]
fn more_roles_are_agents_or_one_against_all_others() {
    let game = "gdl:rulesheets/three-player-nim.kif";
    let (code, out, err) = foregone(&["check", game, "omega(5)", "--as", "first"]);
    assert!(code == 0 && out.contains("hold"), "{out}{err}");
    let (_, out, _) = foregone(&["show", game]);
    assert!(out.contains("to move"), "{out}");
    let roles: Vec<String> = {
        let (_, out, _) = foregone(&["gdl", "check", "rulesheets/three-player-nim.kif", "--json"]);
        let object: Value = serde_json::from_str(&out).unwrap();
        let roles = object["roles"].as_array().unwrap().iter();
        roles.map(|r| r.as_str().unwrap().to_owned()).collect()
    };
    let values: Vec<i64> = roles
        .iter()
        .map(|role| solved(&[&format!("{game},for={role}")])["value"].as_str().unwrap().parse())
        .collect::<Result<_, _>>()
        .unwrap();
    // Alone against two that help each other nobody gets more than in fair play: 50, 100, 0.
    assert!(values.iter().zip([50, 100, 0]).all(|(v, fair)| *v <= fair), "{values:?}");
    let (code, _, err) = foregone(&["solve", &format!("{game},for=nobody")]);
    assert!(code == 2 && err.contains("there is no role `nobody`"), "{err}");
}

#[test]
fn positions_that_come_up_again_are_left_open() {
    let answer = solved(&["gdl:rulesheets/cyclic-ring.kif"]);
    assert_eq!(answer["value"], "undetermined", "{answer}");
}

#[test]
fn certificates_are_replayed_by_the_plain_interpreter_and_forgeries_refused() {
    let scratch = Scratch::new();
    let proof = scratch.path().join("proof.txt");
    let file = proof.display().to_string();
    let game = "gdl:rulesheets/domineering-4x4.kif";
    let (code, _, err) = foregone(&["solve", game, "--proof", &file]);
    assert_eq!(code, 0, "{err}");
    let (code, out, err) = foregone(&["verify", &file]);
    assert!(code == 0 && out.starts_with("proved: "), "{out}{err}");
    let text = std::fs::read_to_string(&proof).unwrap();
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    // The rules of another game do not bear these moves out.
    let other = text.replace("domineering-4x4", "chomp");
    std::fs::write(&proof, &other).unwrap();
    assert_eq!(foregone(&["verify", &file]).0, 3);
    // A claim that is left out, with a checksum that fits.
    let mut shorter = lines[..lines.len() - 1].to_vec();
    let last = shorter.pop().unwrap();
    std::fs::write(&proof, seal(&shorter)).unwrap();
    assert_eq!(foregone(&["verify", &file]).0, 3, "without {last}");
    let sum: Vec<String> = lines.iter().map(|l| l.replace("at-least", "below")).collect();
    std::fs::write(&proof, seal(&sum[..sum.len() - 1])).unwrap();
    assert_eq!(foregone(&["verify", &file]).0, 3);
}

#[test]
fn replays_of_random_games_are_the_same_with_every_back_end() {
    let scratch = Scratch::new();
    let path = scratch.path().join("moves.jsonl");
    let file = path.display().to_string();
    let sheet = "rulesheets/connect-four-5x4.kif";
    let random = |seed: &str, backend: &str| {
        let words = ["gdl", "random", sheet, "--seed", seed, "--playouts", "3"];
        let (code, out, err) = foregone(&[&words[..], &["--backend", backend]].concat());
        assert_eq!(code, 0, "{err}");
        out
    };
    let trace = random("4", "gates");
    assert_eq!(trace, random("4", "gates"), "the same job twice gives the same bytes");
    assert_ne!(trace, random("5", "gates"));
    let (first, states) = trace.split_once('\n').unwrap();
    assert_eq!(
        first,
        "{\"game\":\"connect-four-5x4\",\"roles\":[\"red\",\"yellow\"],\"ref\":\"foregone gates\"}"
    );
    let rest = |text: &str| text.split_once('\n').unwrap().1.to_owned();
    assert_eq!(states, rest(&random("4", "plain")));
    std::fs::write(&path, &trace).unwrap();
    for backend in ["gates", "chain", "plain"] {
        let (code, out, err) = foregone(&["gdl", "replay", sheet, &file, "--backend", backend]);
        assert_eq!((code, out.as_str()), (0, states), "{backend}: {err}");
    }
    // Moves alone will do, in whatever case and with whatever blanks.
    std::fs::write(&path, "{\"p\":7,\"move\":[\"( DROP  2 )\",\"noop\"]}\n").unwrap();
    let (code, out, _) = foregone(&["gdl", "replay", sheet, &file]);
    let lines: Vec<Value> = out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!((code, lines.len()), (0, 2), "{out}");
    assert_eq!((&lines[1]["p"], &lines[1]["s"]), (&Value::from(7), &Value::from(1)));
    assert_eq!(lines[0]["move"][0], "(drop 2)");
    for (line, said) in [
        ("{\"p\":0,\"move\":[\"(drop 9)\",\"noop\"]}", "is not a legal move of red"),
        ("{\"p\":0,\"move\":[\"(drop 1)\"]}", "a list of 2 moves"),
        ("{\"p\":\"a\",\"move\":[]}", "`p` is the number of a game"),
        ("{\"p\":0,", "this is not JSON"),
        ("[1]", "expected an object"),
    ] {
        std::fs::write(&path, line).unwrap();
        let (code, _, err) = foregone(&["gdl", "replay", sheet, &file]);
        assert!(code == 2 && err.contains(said) && err.contains("line 1"), "{line}: {err}");
    }
}

#[test]
fn all_problems_are_listed_with_their_places() {
    let scratch = Scratch::new();
    let path = scratch.path().join("bad.kif");
    let file = path.display().to_string();
    let text = "(role a)\n(init (n 0))\n(succ 0 1)\n(<= (legal a go) (true (n ?x)) (not (succ ?y ?x)))\n\
                (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))\n(<= (true q) (does a go))\n\
                (<= terminal (true (n 5)))\n(goal a 500)\n";
    std::fs::write(&path, text).unwrap();
    let (code, out, err) = foregone(&["gdl", "check", &file]);
    assert_eq!(code, 2, "{out}{err}");
    for said in [
        ":4:43: safety: `?y` of `not` is not in any positive literal of the body",
        ":6:5: place: `true` may only be used in bodies",
        ":8:9: goal: a goal is a number from 0 to 100",
        "  (goal a 500)\n          ^^^\n",
        "random play: ",
        "problems\n",
    ] {
        assert!(out.contains(said), "{said}\n{out}");
    }
    let (_, out, _) = foregone(&["gdl", "check", &file, "--json"]);
    let object: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(object["problems"][0]["line"], 4, "{out}");
    std::fs::write(&path, "(role a\n").unwrap();
    let (code, _, err) = foregone(&["gdl", "check", &file]);
    assert!(code == 2 && err.contains("never closed"), "{err}");
    let (code, out, _) = foregone(&["gdl", "check", "rulesheets/tic-tac-toe.kif"]);
    assert!(code == 0 && out.ends_with("no problems\n"), "{out}");
    // Games in which not everything is seen are told apart, replayed and not solved.
    std::fs::write(&path, "(role random) (role a) (<= (legal ?r go) (role ?r)) (<= (sees a it) (does random go))\n(<= (goal ?r 50) (role ?r)) (init (n 0)) (<= (next (n 1)) (true (n 0))) (<= terminal (true (n 1)))").unwrap();
    let (code, out, _) = foregone(&["gdl", "check", &file]);
    assert!(code == 0 && out.contains("GDL-II"), "{out}");
    let (code, out, _) = foregone(&["gdl", "random", &file]);
    assert!(code == 0 && out.lines().count() == 3, "{out}");
    let (code, _, err) = foregone(&["solve", &format!("gdl:{file}")]);
    assert!(code == 2 && err.contains("GDL-II") && err.contains("`sees`"), "{err}");
}

#[test]
fn steps_of_the_compiler_are_shown() {
    let sheet = "rulesheets/tic-tac-toe.kif";
    let scratch = Scratch::new();
    let path = scratch.path().join("step.kif");
    let file = path.display().to_string();
    let show = |step: &str| {
        let (code, out, err) = foregone(&["gdl", "show", sheet, "--step", step]);
        assert_eq!(code, 0, "{step}: {err}");
        out
    };
    // Mini-GDL and normal-GDL are GDL: they play the same games.
    let (_, wanted, _) = foregone(&["gdl", "random", sheet, "--seed", "3", "--backend", "plain"]);
    for step in ["mini", "normal"] {
        let text = show(step);
        assert!(!text.contains("(or "), "{text}");
        std::fs::write(&path, &text).unwrap();
        let words = ["gdl", "random", &file, "--seed", "3", "--backend", "plain"];
        let (_, played, err) = foregone(&words);
        let states = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(states(&played), states(&wanted), "{step}: {err}");
    }
    assert!(show("inverted").contains("\nnew true/1:\n"));
    assert!(show("strata").contains("terminal/0: depends on the state"));
    assert!(show("demand").contains("; asked for legal"));
    assert!(show("gates").contains("gates"));
}

#[test]
fn the_player_listens_and_plays() {
    let mut child = Command::new(PROGRAM)
        .args(["player", "--port", "0", "--host", "127.0.0.1", "--name", "me", "--margin", "900ms"])
        .current_dir(root())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let line = lines.next().unwrap().unwrap();
    let address = line.strip_prefix("me listens on ").unwrap().to_owned();
    let send = |body: &str| {
        let mut stream = TcpStream::connect(&address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let head = "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: GAMESERVER\r\nReceiver: me\r\nContent-type: text/acl\r\n";
        write!(stream, "{head}Content-length: {}\r\n\r\n{body}", body.len()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split_once("\r\n\r\n").unwrap().1.trim().to_owned()
    };
    assert!(send("( INFO )").contains("available"));
    let rules = std::fs::read_to_string(root().join("rulesheets/tic-tac-toe.kif")).unwrap();
    let rules: Vec<&str> = rules.lines().filter(|l| !l.starts_with(';')).collect();
    assert_eq!(send(&format!("(START m x ({}) 1 1)", rules.join("\n"))), "ready");
    assert!(send("(PLAY m NIL)").starts_with("(mark "));
    assert_eq!(send("(ABORT m)"), "aborted");
    child.kill().unwrap();
    child.wait().unwrap();
}
