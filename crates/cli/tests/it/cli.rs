//! The program as a person or a script meets it: words in, text and exit codes out.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::common::root;
use foregone_games::registry::GAMES;
use foregone_search::{DriverSpec, SchemeSpec};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

/// The program that was built for these tests.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_foregone");

/// A folder of one test's own, gone when the test is over.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Scratch {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("scratch-{}-{number}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// The text of a file's path here.
    pub(crate) fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What a run of the program left behind.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let code = output.status.code().unwrap_or(-1);
        Run { code, out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Run {
    /// The message without its frame and its line breaks.
    pub(crate) fn message(&self) -> String {
        let words = self.err.split_whitespace().filter(|w| *w != "│");
        words.collect::<Vec<_>>().join(" ")
    }

    /// The one JSON object that was printed, its keys in the order in which they stand.
    pub(crate) fn json(&self) -> Object {
        assert!(self.out.ends_with("}\n"), "{}", self.out);
        assert_eq!(self.out.lines().count(), 1, "one line and nothing else: {}", self.out);
        serde_json::from_str(&self.out).unwrap()
    }
}

pub(crate) fn program(words: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(words).env("NO_COLOR", "1").env_remove("COLUMNS");
    command
}

pub(crate) fn foregone(words: &[&str]) -> Run {
    program(words).output().unwrap().into()
}

/// The words of `foregone solve`, where none of them holds a space.
pub(crate) fn solve(words: &str) -> Run {
    foregone(&format!("solve {words}").split_whitespace().collect::<Vec<_>>())
}

/// A JSON object that keeps the order of its keys.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Object(Vec<(String, Value)>);

impl Object {
    pub(crate) fn keys(&self) -> Vec<&str> {
        self.0.iter().map(|(k, _)| k.as_str()).collect()
    }

    pub(crate) fn get(&self, key: &str) -> &Value {
        &self.0.iter().find(|(k, _)| k == key).unwrap().1
    }

    pub(crate) fn text(&self, key: &str) -> &str {
        self.get(key).as_str().unwrap()
    }

    /// The same without one of its keys.
    pub(crate) fn without(&self, key: &str) -> Object {
        Object(self.0.iter().filter(|(k, _)| k != key).cloned().collect())
    }

    /// The same without what differs from run to run.
    pub(crate) fn lasting(&self) -> Object {
        let varies = |key: &str| key == "seconds" || key == "peak_bytes";
        Object(self.0.iter().filter(|(k, _)| !varies(k)).cloned().collect())
    }
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Object, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Object;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Object(pairs))
            }
        }
        input.deserialize_map(Pairs)
    }
}

/// The keys of `solve --json`: a contract.
pub(crate) const KEYS: [&str; 21] = [
    "game",
    "position",
    "question",
    "scheme",
    "driver",
    "status",
    "value",
    "winner",
    "bounds",
    "holds",
    "best_move",
    "line",
    "line_end",
    "expansions",
    "nodes",
    "playouts",
    "seconds",
    "peak_bytes",
    "seed",
    "stop",
    "proof",
];

/// Every choice of scheme and driver for players who move in turn, as words. A driver or a scheme
/// that is new is in here without a line changed.
fn ways() -> Vec<String> {
    let mut ways = Vec::new();
    // Nim has parts, most games have none.
    let drivers = DriverSpec::ALL.map(DriverSpec::word).into_iter().filter(|&word| word != "parts");
    for driver in drivers {
        ways.push(format!("--driver {driver}"));
        let names = SchemeSpec::all().into_iter().map(SchemeSpec::word);
        ways.extend(names.map(|scheme| format!("--driver {driver} --scheme {scheme}")));
    }
    ways.retain(|way| match solve(&format!("nim:1,2 {way}")) {
        Run { code: 0, .. } => true,
        run => {
            let message = run.message();
            let refused = message.contains("does not go with") || message.contains("unlike nim");
            assert!(run.code == 2 && refused, "{way}: {message}");
            false
        }
    });
    assert!(ways.len() >= 6, "{ways:?}");
    ways
}

#[test]
fn answers_are_json_by_the_contract() {
    let run = solve("domineering:4x4 --no-knowledge --json --seed 5");
    let json = run.json();
    assert_eq!(run.code, 0);
    assert_eq!(run.err, "");
    assert_eq!(json.keys(), KEYS);
    assert_eq!(json.text("game"), "domineering:4x4");
    assert_eq!(json.text("position"), "..../..../..../.... vertical");
    assert_eq!(json.text("question"), "value");
    assert_eq!(json.text("status"), "solved");
    assert_eq!(json.text("stop"), "solved");
    assert_eq!(json.get("seed"), 5);
    for key in ["expansions", "nodes", "peak_bytes"] {
        assert!(json.get(key).as_u64().unwrap() > 0, "{key}");
    }
    assert!(json.get("seconds").as_f64().unwrap() >= 0.0);
    let proof = json.get("proof");
    assert_eq!(proof["file"], Value::Null);
    assert!(proof["claims"].as_u64().unwrap() > 10);
    assert_eq!(proof["checked"], true);
    // The short form of the words, and the same for every way to solve.
    for way in ways() {
        let json = solve(&format!("domineering:3x3 --json {way}")).json();
        assert_eq!(json.keys(), KEYS, "{way}");
        assert_eq!(json.text("value"), "win", "{way}");
    }
    let short = foregone(&["solve", "nim:1,2", "-q", "win", "-s", "pn", "-d", "tree", "--json"]);
    assert_eq!(short.json().text("scheme"), "pn");
}

#[test]
fn values_winners_bounds_and_moves_are_right() {
    // Words behind `solve`, value, winner, bounds, and the moves that are right.
    let cases = [
        ("nim:1,2", "win", "first", "win win", "2-1"),
        ("nim:1,2,3", "loss", "second", "loss loss", ""),
        ("race:13,3", "win", "first", "win win", "1"),
        ("race:12,3,misere", "win", "first", "win win", "3"),
        ("domineering:2x2", "win", "vertical", "win win", "a1a2 b1b2"),
        ("domineering:3x4", "loss", "horizontal", "loss loss", ""),
        ("hex:3", "win", "red", "win win", "b1 a2 b2 c2 b3 c1 a3"),
        ("breakthrough:4x3", "loss", "black", "loss loss", ""),
        ("tic-tac-toe", "draw", "", "draw draw", ""),
        ("tic-tac-toe --position moves:a1,a2,b1,b2", "win", "x", "win win", "c1"),
        ("connect-four:4x4", "draw", "", "draw draw", ""),
        ("connect-four:6x7 --position 112233", "win", "red", "win win", "4"),
        // Nobody to move: the answer needs no search and has no move.
        ("nim:0", "loss", "second", "loss loss", "-"),
        ("connect-four:6x7 --position 1122334", "win", "red", "win win", "-"),
    ];
    for (words, value, winner, bounds, moves) in cases {
        let json = solve(&format!("{words} --json")).json();
        assert_eq!(json.text("value"), value, "{words}");
        assert_eq!(json.get("winner").as_str().unwrap_or_default(), winner, "{words}");
        let [low, high] = [0, 1].map(|i| json.get("bounds")[i].as_str().unwrap());
        assert_eq!(format!("{low} {high}"), bounds, "{words}");
        assert_eq!(json.get("holds"), &Value::Null, "{words}: no yes-or-no question was asked");
        let best = json.get("best_move");
        let line = json.get("line").as_array().unwrap();
        assert_eq!(line.first().unwrap_or(&Value::Null), best, "{words}");
        match moves {
            "-" => assert_eq!(best, &Value::Null, "{words}"),
            "" => assert!(best.is_string(), "{words}"),
            _ => assert!(moves.split(' ').any(|m| best == m), "{words}: {best}"),
        }
    }
    // A person reads the same.
    let said = solve("nim:1,2").out;
    assert!(said.contains("nim:1,2, first to move: first wins.\n"), "{said}");
    assert!(said.contains("\n  best move  2-1\n"), "{said}");
    assert!(said.contains("\n  proof      proved, 6 claims"), "{said}");
}

#[test]
fn questions_with_two_answers_say_which_holds() {
    let cases = [
        ("connect-four:4x4", "at-least draw", Some(true), "draw win", ""),
        ("connect-four:4x4", "win", Some(false), "loss draw", ""),
        ("connect-four:4x4", "at-least win", Some(false), "loss draw", ""),
        ("domineering:3x4", "win", Some(false), "loss loss", "horizontal"),
        ("nim:1,2", "at-least win", Some(true), "win win", "first"),
        ("tic-tac-toe", "value", None, "draw draw", ""),
    ];
    for (game, question, holds, bounds, winner) in cases {
        let json = foregone(&["solve", game, "--question", question, "--json"]).json();
        let asked = if question == "at-least win" { "win" } else { question };
        assert_eq!(json.text("question"), asked, "{game}");
        assert_eq!(json.get("holds").as_bool(), holds, "{game} {question}");
        let [low, high] = [0, 1].map(|i| json.get("bounds")[i].as_str().unwrap());
        assert_eq!(format!("{low} {high}"), bounds, "{game} {question}");
        let value = if low == high { Value::from(low) } else { Value::Null };
        assert_eq!(json.get("value"), &value, "{game} {question}");
        assert_eq!(json.get("winner").as_str().unwrap_or_default(), winner, "{game} {question}");
    }
}

#[test]
fn a_position_that_the_rules_leave_open_is_not_guessed() {
    let game = format!("explicit:{}", root().join("examples/figure-2-1a.game").display());
    let run = foregone(&["solve", &game, "--json"]);
    let json = run.json();
    assert_eq!((run.code, json.text("status")), (0, "solved"));
    assert_eq!(json.text("value"), "undetermined");
    assert_eq!(json.get("winner"), &Value::Null);
    assert_eq!(json.get("bounds"), &serde_json::json!(["loss", "win"]));
    assert_eq!(json.get("proof")["checked"], true);
    let said = foregone(&["solve", &game]).out;
    assert!(said.contains("not determined by the rules"), "{said}");
}

#[test]
fn out_of_budget_is_an_answer() {
    for (budget, stop) in [("--nodes 1000", "nodes"), ("--time 50ms", "time")] {
        for way in ways() {
            let run = solve(&format!("hex:7 --no-knowledge --json {budget} {way}"));
            let json = run.json();
            assert_eq!(run.code, 1, "{budget} {way}");
            assert_eq!(json.keys(), KEYS, "{budget} {way}");
            assert_eq!(json.text("status"), "undecided", "{budget} {way}");
            assert_eq!(json.text("stop"), stop, "{budget} {way}");
            assert_eq!(json.get("bounds"), &serde_json::json!(["loss", "win"]));
            for unknown in ["value", "winner", "holds", "proof"] {
                assert_eq!(json.get(unknown), &Value::Null, "{budget} {way}: {unknown}");
            }
            if stop == "nodes" {
                // It stops after the expansion that went over. With a search at each leaf that is
                // one expansion for each of 49 leaves.
                let most = if way.contains("squared") { 3000 } else { 1200 };
                let nodes = json.get("nodes").as_u64().unwrap();
                assert!((900..most).contains(&nodes), "{way}: {nodes}");
            } else {
                assert!(json.get("seconds").as_f64().unwrap() < 5.0, "{way}");
            }
        }
    }
    let run = solve("hex:7 --no-knowledge --json --memory 1M --driver dag");
    assert_eq!((run.code, run.json().text("stop")), (1, "memory"));
    // Half an answer is told: the lower bound of a draw, and no more.
    let halves = (0..40).map(|k| {
        solve(&format!("connect-four:4x4 --no-knowledge --driver df --json --nodes {}k", 5 * k))
    });
    let bounds: Vec<Value> = halves.map(|run| run.json().get("bounds").clone()).collect();
    assert_eq!(bounds[0], serde_json::json!(["loss", "win"]));
    assert_eq!(bounds[39], serde_json::json!(["draw", "draw"]));
    let halfway = [serde_json::json!(["loss", "draw"]), serde_json::json!(["draw", "win"])];
    assert!(bounds.iter().any(|b| halfway.contains(b)), "{bounds:?}");

    let said = solve("hex:9 --nodes 20");
    assert_eq!(said.code, 1);
    assert!(said.out.contains("undecided, between loss and win for red (stopped: nodes)."));
    assert!(!said.out.contains("proof"), "{}", said.out);
}

#[test]
fn nothing_is_written_as_a_proof_when_there_is_none() {
    let scratch = Scratch::new();
    let file = scratch.file("proof.txt");
    let run = foregone(&["solve", "hex:9", "--nodes", "20", "--proof", &file]);
    assert_eq!(run.code, 1);
    assert!(!Path::new(&file).exists());
    // A place where no file can be is said, not passed over.
    let nowhere = scratch.file("no/such/folder/proof.txt");
    let run = foregone(&["solve", "nim:1,2", "--proof", &nowhere]);
    assert_eq!(run.code, 2);
    assert!(run.message().contains("can't be written"), "{}", run.err);
}

#[test]
fn wrong_words_are_named_and_the_nearest_is_suggested() {
    // The words, and what the message must hold: the word at fault, the place, the suggestion.
    let cases: &[(&[&str], &[&str])] = &[
        (&["solve", "domineerin"], &["`domineerin`", "game:1:1", "did you mean `domineering`?"]),
        (&["solve", "conect-four:4x4"], &["`conect-four`", "did you mean `connect-four`?"]),
        (&["solve", "domineering:6y6"], &["`6y6`", "game:1:13", "ROWSxCOLUMNS such as 6x6"]),
        (&["solve", "domineering:6xb"], &["`b`", "game:1:15", "not a whole number"]),
        (&["solve", "domineering:20x20"], &["a board of 20x20 is too large: at most 11x11"]),
        (&["solve", "hex:99"], &["99 is too large", "game:1:5", "at most 11"]),
        (&["solve", "breakthrough:2x2"], &["at least four rows"]),
        (&["solve", "race:10,3,miser"], &["`miser`", "did you mean `misere`?"]),
        (&["solve", "tic-tac-toe:3"], &["no options"]),
        (&["solve", "explicit"], &["needs a file"]),
        (&["solve", "explicit:no-such-file"], &["no-such-file", "can't be read"]),
        (&["games", "hx"], &["`hx`", "did you mean `hex`?"]),
        // Positions and moves, with their places.
        (&["solve", "hex:3", "-p", ".../... red"], &["expected 3 rows", "found 2"]),
        (&["solve", "hex:3", "-p", ".../.z./... red"], &["`z`", "position:1:6"]),
        (&["solve", "hex:3", "-p", ".../.../... rod"], &["`rod`", "did you mean `red`?"]),
        (&["show", "connect-four:4x4", "-p", "129"], &["`9`", "position:1:3"]),
        (&["perft", "connect-four:4x4", "2", "-p", "moves:1,2,9"], &["`9`", "position:1:11"]),
        (&["solve", "tic-tac-toe", "-p", "moves:a1,a1"], &["`a1`", "position:1:10", "not a legal"]),
        (&["solve", "nim:1,2", "-p", "moves:2-3"], &["`2-3`", "position:1:7", "did you mean"]),
        (&["solve", "nim:1,2", "-p", "moves:1-1,2-2,1-1"], &["the game is over"]),
        // Questions, schemes, drivers, budgets.
        (&["solve", "hex:3", "-q", "winn"], &["`winn`", "did you mean `win`?"]),
        (&["solve", "hex:3", "-q", "at-least draw"], &["no outcome `draw`", "`win`"]),
        (&["solve", "tic-tac-toe", "-q", "at-least drw"], &["`drw`", "did you mean `draw`?"]),
        (&["solve", "tic-tac-toe", "-q", "at-least loss"], &["everybody reaches"]),
        (&["solve", "hex:3", "--scheme", "pm"], &["'pm'", "similar value exists: 'pn'"]),
        (&["solve", "hex:3", "--driver", "tre"], &["'tre'", "similar value exists: 'tree'"]),
        (&["solve", "hex:3", "--init", "mobilty"], &["'mobilty'", "'mobility'"]),
        (
            &["solve", "hex:3", "-s", "pn", "--init", "half"],
            &["--init half", "pn", "one of mobility, one"],
        ),
        (&["solve", "hex:3", "--driver", "dfs", "-s", "pn"], &["--scheme", "does not go with"]),
        (&["solve", "hex:3", "--exploration", "1"], &["--exploration", "does not go with"]),
        (&["solve", "hex:3", "--time", "5x"], &["`x` is not a unit of time: ms, s, m, h or d"]),
        (&["solve", "hex:3", "--nodes", "many"], &["`many` is not a number"]),
        (&["solve", "hex:3", "--nods", "5"], &["--nods", "--nodes"]),
        (&["slove", "hex:3"], &["'slove'", "'solve'"]),
        (&["bench", "playout"], &["'playout'", "'playouts'"]),
        (&["completions", "bsh"], &["'bsh'", "bash"]),
        (&["verify", "no-such-file"], &["no-such-file", "can't be read"]),
        (&[], &["Usage: foregone"]),
    ];
    for (words, parts) in cases {
        let run = foregone(words);
        assert_eq!(run.code, 2, "{words:?}: {}", run.err);
        assert_eq!(run.out, "", "{words:?}");
        let message = run.message();
        for part in *parts {
            assert!(message.contains(part), "{words:?} does not say {part}:\n{}", run.err);
        }
    }
}

#[test]
fn a_mistake_in_a_game_file_is_shown_with_its_line() {
    let scratch = Scratch::new();
    let file = scratch.file("broken.game");
    fs::write(&file, "# a game\nstart a\nmax a -> b\nend b wim\n").unwrap();
    let run = foregone(&["solve", &format!("explicit:{file}")]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("broken.game:4:7"), "{}", run.err);
    assert!(run.err.contains(" 4 │ end b wim\n"), "{}", run.err);
    assert!(run.err.contains("did you mean `win`?"), "{}", run.err);
    // A file that is no text.
    fs::write(&file, [0xff, 0xfe, 0]).unwrap();
    let run = foregone(&["solve", &format!("explicit:{file}")]);
    assert_eq!(run.code, 2);
    assert!(run.message().contains("can't be read"), "{}", run.err);
}

#[test]
fn the_same_job_twice_gives_the_same_bytes() {
    let scratch = Scratch::new();
    let file = scratch.file("proof.txt");
    for way in ways() {
        for game in ["tic-tac-toe", "hex:3", "domineering:4x4"] {
            let words = format!("{game} --json --seed 11 --proof {file} {way}");
            let one = solve(&words);
            let proof = fs::read(&file).unwrap();
            fs::remove_file(&file).unwrap();
            let two = solve(&words);
            assert_eq!((one.code, two.code), (0, 0), "{words}: {}", one.err);
            assert_eq!(one.json().lasting(), two.json().lasting(), "{words}");
            assert!(proof == fs::read(&file).unwrap(), "{words}: another certificate");
        }
    }
    // The seed is what random plays come from.
    let answer = |seed: u32| {
        let json =
            solve(&format!("hex:3 --no-knowledge --scheme mcts --json --seed {seed}")).json();
        [json.get("nodes").clone(), json.get("line").clone()]
    };
    assert_ne!(answer(1), answer(2));
}

/// The lines of a certificate with one of them changed, or nothing where there is no such line.
fn damaged(text: &str, line: usize, by: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    assert_ne!(lines[line - 1], by);
    lines[line - 1] = by;
    lines.join("\n") + "\n"
}

#[test]
fn verify_accepts_what_solve_wrote_and_nothing_else() {
    let scratch = Scratch::new();
    let file = scratch.file("proof.txt");
    for way in ways() {
        // Nothing but rules, so that strict checking accepts it too.
        let words = format!("domineering:4x4 --no-knowledge --proof {file} {way}");
        let said = solve(&words).out;
        assert!(said.contains(&format!("(written to {file})")), "{said}");
        for flags in [&[][..], &["--strict"], &["--json"], &["--strict", "--json"]] {
            let run = foregone(&[&["verify", &file], flags].concat());
            assert_eq!((run.code, run.err.as_str()), (0, ""), "{way} {flags:?}");
            if flags.contains(&"--json") {
                let json = run.json();
                assert_eq!(json.text("status"), "proved");
                assert_eq!(json.get("strict"), flags.contains(&"--strict"));
                assert_eq!(json.get("proved")[0]["prover"], "vertical");
                assert_eq!(json.get("proved")[0]["outcome"], "win");
            } else {
                let what = "in domineering:4x4: vertical wins (";
                assert!(run.out.starts_with("proved: "), "{}", run.out);
                assert!(run.out.contains(what), "{}", run.out);
            }
        }
    }

    let text = fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[6].starts_with("! "), "{text}");
    let last = lines.len();
    // The line at which the damage shows. A header is judged as a whole, at its last line; a
    // claim that could be true is judged by what follows it.
    let damages = [
        (1, damaged(&text, 1, "foregone certificate 9")),
        (1, damaged(&text, 1, "foregone certificate 1")),
        (6, damaged(&text, 2, "game dominering:4x4")),
        (6, damaged(&text, 2, "game domineering:4y4")),
        (6, damaged(&text, 2, "game domineering:04x4")),
        (6, damaged(&text, 3, "rules 2")),
        (3, damaged(&text, 3, "rules 1 sha256:00")),
        (6, damaged(&text, 4, "position nowhere vertical")),
        (6, damaged(&text, 5, "claim nobody at-least win")),
        (7, damaged(&text, 5, "claim horizontal below win")),
        (7, damaged(&text, 7, "! z9z9")),
        (8, damaged(&text, 8, "? 99")),
        (last, damaged(&text, last, &format!("{}0", lines[last - 1]))),
        (last, text[..text.len() - 1].to_owned()),
        (last, lines[..last - 1].join("\n") + "\n"),
        (last + 1, text.clone() + "more\n"),
        (1, String::new()),
    ];
    let copy = scratch.file("damaged.txt");
    for (line, damage) in damages {
        fs::write(&copy, &damage).unwrap();
        for strict in [&[][..], &["--strict"]] {
            let run = foregone(&[&["verify", &copy], strict].concat());
            assert_eq!((run.code, run.out.as_str()), (3, ""), "line {line}");
            // A message that is too long is broken into lines, a path not always at a space.
            let message = run.message().replace(' ', "");
            assert!(message.contains(&format!("line{line}:")), "line {line}: {}", run.err);

            let run = foregone(&[&["verify", &copy, "--json"], strict].concat());
            let json = run.json();
            assert_eq!((run.code, json.text("status")), (3, "rejected"), "line {line}");
            assert_eq!(json.get("line"), line, "{}", run.out);
            assert!(!json.text("reason").is_empty());
        }
    }
    fs::write(&copy, "").unwrap();
    assert_eq!(foregone(&["verify", &copy]).code, 3, "an empty file proves nothing");
}

#[test]
fn strict_checking_refuses_static_knowledge_and_says_which() {
    let scratch = Scratch::new();
    let file = scratch.file("proof.txt");
    let run = solve(&format!("domineering:5x5 --json --proof {file}"));
    assert!(run.json().get("proof")["known"].as_u64().unwrap() > 0, "{}", run.out);
    let plain = foregone(&["verify", &file]);
    assert_eq!(plain.code, 0);
    assert!(plain.out.starts_with("proved: "), "{}", plain.out);
    assert!(plain.out.contains(" by knowledge whose reason was checked)"), "{}", plain.out);
    let text = fs::read_to_string(&file).unwrap();
    let line = 1 + text.lines().position(|l| l.contains("by ")).unwrap();
    let run = foregone(&["verify", &file, "--strict", "--json"]);
    assert_eq!((run.code, run.json().get("line").as_u64()), (3, Some(line as u64)));
    assert!(run.json().text("reason").contains("static knowledge"), "{}", run.out);
    // The same without it is accepted as strictly as one likes.
    let run = solve(&format!("domineering:5x5 --no-knowledge --json --proof {file}"));
    assert_eq!(run.json().get("proof")["known"], 0);
    assert_eq!(foregone(&["verify", &file, "--strict"]).code, 0);
}

#[test]
fn a_value_between_others_takes_two_certificates_in_one_file() {
    let scratch = Scratch::new();
    let file = scratch.file("proof.txt");
    let run = solve(&format!("connect-four:4x4 --question value --json --proof {file}"));
    let claims = run.json().get("proof")["claims"].as_u64().unwrap();
    assert_eq!(run.json().get("proof")["file"].as_str(), Some(file.as_str()));
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(text.matches("foregone certificate").count(), 2);

    let run = foregone(&["verify", &file, "--json"]);
    let json = run.json();
    assert_eq!(run.code, 0);
    let proved = json.get("proved").as_array().unwrap();
    assert_eq!(proved.len(), 2);
    let counted: u64 = proved.iter().map(|p| p["claims"].as_u64().unwrap()).sum();
    assert_eq!(counted, claims);
    let said = foregone(&["verify", &file]).out;
    assert!(said.contains("red reaches at least draw"), "{said}");
    assert!(said.contains("yellow keeps red from winning"), "{said}");

    // The second one damaged: the first does not save the file, and the line is the file's.
    let line = text.lines().count();
    fs::write(&file, damaged(&text, line, "end 1 0123456789abcdef")).unwrap();
    let run = foregone(&["verify", &file, "--json"]);
    assert_eq!((run.code, run.json().get("line").as_u64()), (3, Some(line as u64)));
}

#[test]
fn games_are_listed_and_described() {
    let list = foregone(&["games"]);
    assert_eq!(list.code, 0);
    for game in GAMES.iter() {
        assert!(list.out.contains(game.name) && list.out.contains(game.rules), "{}", game.name);
        let told = foregone(&["games", game.name]);
        assert_eq!(told.code, 0, "{}", told.err);
        assert!(told.out.starts_with(&format!("{}: {}\n", game.name, game.rules)));
    }
    let hex = foregone(&["games", "hex"]).out;
    for part in ["options: SIZE (4)", "players: red (Max, moves first), blue (Min)", "a1 b1 c1"] {
        assert!(hex.contains(part), "{hex}");
    }
}

#[test]
fn show_and_perft_work() {
    let run = foregone(&["show", "domineering:4x4", "--position", "moves:a1a2,c1d1"]);
    assert_eq!(run.code, 0);
    assert!(run.out.contains("  1  # . # #\n"), "{}", run.out);
    let end = "vertical to move\nposition: ..../..../#.../#.## vertical\n\
               moves: b1b2 b2b3 c2c3 d2d3 a3a4 b3b4 c3c4 d3d4\n";
    assert!(run.out.ends_with(end), "{}", run.out);
    // The position that was printed is one that can be typed.
    let again = foregone(&["show", "domineering:4x4", "-p", "..../..../#.../#.## vertical"]);
    assert_eq!(again.out, run.out);
    let over = foregone(&["show", "connect-four:4x4", "-p", "1122334"]);
    assert!(over.out.contains("over: red wins"), "{}", over.out);

    let run = foregone(&["perft", "connect-four:6x7", "5"]);
    assert_eq!(run.out, "  1  7\n  2  49\n  3  343\n  4  2,401\n  5  16,807\n");
    let json = foregone(&["perft", "tic-tac-toe", "9", "--json"]).json();
    let counts = serde_json::json!([9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]);
    assert_eq!(json.get("counts"), &counts);
    let run = foregone(&["perft", "tic-tac-toe", "2", "-p", "moves:a1,b2", "--json"]);
    assert_eq!(run.json().get("counts"), &serde_json::json!([7, 42]));
}

#[test]
fn completions_are_scripts_for_shells() {
    for (shell, part) in [
        ("bash", "complete -F _foregone"),
        ("zsh", "#compdef foregone"),
        ("fish", "complete -c foregone"),
    ] {
        let run = foregone(&["completions", shell]);
        assert_eq!(run.code, 0);
        assert!(run.out.contains(part), "{shell}");
        for word in ["solve", "verify", "minmax", "mobility"] {
            assert!(run.out.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn help_and_version_are_there() {
    for command in ["solve", "verify", "show", "perft", "bench"] {
        let run = foregone(&[command, "--help"]);
        assert_eq!(run.code, 0);
        assert!(run.out.contains("Examples:\n  foregone "), "{command}");
    }
    let run = foregone(&["--version"]);
    assert_eq!(run.out, format!("foregone {}\n", env!("CARGO_PKG_VERSION")));
}
