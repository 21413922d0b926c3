//! `foregone check`: the corpus of formulas crossed with every algorithm, chess problems, and the
//! command as a person meets it.

use std::io::Write as _;
use std::process::{Command, Stdio};

use clap::ValueEnum;
use foregone_cli::args::AlgorithmWord;
use serde::Deserialize;
use serde_json::Value;

use crate::cli::{PROGRAM, Scratch};
use crate::common::root;

#[derive(Deserialize)]
struct Problems {
    formula: Vec<Problem>,
}

#[derive(Deserialize)]
struct Problem {
    game: String,
    #[serde(default = "start")]
    position: String,
    formula: String,
    holds: Option<bool>,
    keys: Option<Vec<String>>,
    source: String,
}

fn start() -> String {
    "start".to_owned()
}

impl Problem {
    /// Whether the formula holds: said, or by whether there are keys.
    fn holds(&self) -> bool {
        self.holds.unwrap_or_else(|| self.keys.as_ref().is_some_and(|keys| !keys.is_empty()))
    }
}

fn problems() -> Vec<Problem> {
    let text = std::fs::read_to_string(root().join("problems/formulas.toml")).unwrap();
    toml::from_str::<Problems>(&text).unwrap().formula
}

/// Runs the program on these words, and a text on its standard input.
pub(crate) fn run(words: &[&str], input: &str) -> (i32, String, String) {
    let mut child = Command::new(PROGRAM)
        .args(words)
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

pub(crate) fn check(words: &[&str]) -> (i32, String, String) {
    run(&[&["check"], words].concat(), "")
}

pub(crate) fn json(words: &[&str]) -> Value {
    let (code, out, err) = check(&[words, &["--json"]].concat());
    assert_eq!(code, 0, "{words:?}: {err}");
    serde_json::from_str(&out).unwrap_or_else(|e| panic!("{words:?}: {e}: {out}"))
}

pub(crate) fn strings(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|v| v.as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_algorithm_is_right_on_the_corpus_of_formulas() {
    let words: Vec<String> = AlgorithmWord::value_variants()
        .iter()
        .map(|w| w.to_possible_value().unwrap().get_name().to_owned())
        .collect();
    assert_eq!(words.len(), 9);
    for problem in problems() {
        let Problem { game, position, formula, source, .. } = &problem;
        assert!(!source.is_empty());
        for word in &words {
            let mut all = vec![game.as_str(), formula, "-p", position, "--algorithm", word];
            all.extend(["--seed", "3", "--nodes", "3M"]);
            let (code, out, err) = check(&[&all[..], &["--json"]].concat());
            // The slower ones may run out of nodes, and say so; they are never wrong.
            let answer: Value =
                serde_json::from_str(&out).unwrap_or_else(|e| panic!("{all:?}: {e} {err}"));
            if code == 1 && !matches!(word.as_str(), "alphabeta" | "dfpn") {
                assert!(answer["holds"].is_null());
                continue;
            }
            assert_eq!(code, 0, "{all:?}: {err}");
            assert_eq!(answer["holds"], problem.holds(), "{all:?}");
            assert_eq!(answer["proof"]["checked"], true, "{all:?}");
        }
        if let Some(keys) = &problem.keys {
            let answer = json(&[game, formula, "-p", position, "--all"]);
            assert_eq!(&strings(&answer["keys"]), keys, "{formula} in {position}");
        }
    }
}

/// The set of chess problems that lies beside the project, where it does.
#[test]
fn chess_problems_have_the_keys_that_others_found() {
    let folder = root().join("../shared/data/chess");
    if !folder.exists() {
        eprintln!("skipped: there are no chess problems in ../shared/data/chess (3 files)");
        return;
    }
    let mut asked = 0;
    for file in ["direct_mates.tsv", "helpmates.tsv", "selfmates.tsv"] {
        let path = folder.join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        let wanted: Vec<&str> = text.lines().filter(|l| !l.starts_with("#fen")).collect();
        let (code, out, err) = check(&["chess", "--batch", &path.display().to_string(), "--all"]);
        assert_eq!(code, 0, "{err}");
        assert_eq!(out.lines().count(), wanted.len(), "{file}");
        for (line, want) in out.lines().zip(wanted) {
            let fields: Vec<&str> = want.split('\t').collect();
            let answer: Value = serde_json::from_str(line).unwrap();
            let mut keys: Vec<String> = fields[3].split(", ").map(str::to_owned).collect();
            keys.sort();
            assert_eq!(strings(&answer["keys"]), keys, "{want}");
            assert_eq!(answer["holds"], true, "{want}");
            assert_eq!(answer["proof"]["checked"], true, "{want}");
            asked += 1;
        }
    }
    assert!(asked > 700, "{asked}");
}

/// No shorter mate: the same problems with a move less, by the rules alone.
#[test]
fn chess_problems_have_no_shorter_mates() {
    let path = root().join("../shared/data/chess/direct_mates.tsv");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: there are no chess problems in ../shared/data/chess (1 file)");
        return;
    };
    let shorter = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let n: u32 = fields.get(1)?.strip_prefix('#')?.parse().ok()?;
        let double = fields.get(6).is_some_and(|by| by.contains("msolve"));
        (double && n < 4).then(|| format!("{}\t#{}\n", fields[0], n - 1))
    };
    let input: String = text.lines().filter_map(shorter).collect();
    let (code, out, err) = run(&["check", "chess", "--batch", "-", "--no-knowledge"], &input);
    assert_eq!(code, 0, "{err}");
    assert!(out.lines().count() > 150);
    for line in out.lines() {
        let answer: Value = serde_json::from_str(line).unwrap();
        assert_eq!(answer["holds"], false, "{line}");
        assert_eq!(answer["proof"]["known"], 0, "{line}");
    }
}

#[test]
fn answers_are_json_by_the_contract() {
    let (_, out, _) = check(&["chess", "#2", "-p", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "--json"]);
    let order = [
        "game",
        "position",
        "formula",
        "as",
        "algorithm",
        "status",
        "holds",
        "line",
        "nodes",
        "queries",
        "cost",
        "seconds",
        "stop",
        "proof",
    ];
    let mut at = 0;
    for key in order {
        let found =
            out[at..].find(&format!("\"{key}\":")).unwrap_or_else(|| panic!("{key}: {out}"));
        at += found;
    }
    let answer: Value = serde_json::from_str(&out).unwrap();
    for key in ["atomic", "listmoves", "play"] {
        assert!(answer["queries"][key].as_u64().unwrap() > 0, "{out}");
    }
    assert!(answer["cost"].is_null());
}

#[test]
fn a_is_the_side_to_move_unless_something_else_is_said() {
    let position = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    let a = |words: &[&str]| json(&[&["chess"], words, &["-p", position]].concat())["as"].clone();
    assert_eq!(a(&["omega(1)"]), "white");
    assert_eq!(a(&["omega(1)", "--as", "black"]), "black");
    assert_eq!(a(&["helpmate(1)"]), "black");
    assert_eq!(a(&["s#1"]), "black");
    assert_eq!(a(&["h#1.5"]), "white");
    assert_eq!(a(&["<white> w"]), "white");
}

#[test]
fn definitions_of_ones_own_are_part_of_the_certificate() {
    let scratch = Scratch::new();
    let file = scratch.path().join("mine.txt");
    std::fs::write(&file, "// a mate in n\ndef mine(0) = w\ndef mine(n) = w | <A>[B] mine(n-1)\n")
        .unwrap();
    let proof = scratch.path().join("proof.txt").display().to_string();
    let file = file.display().to_string();
    let position = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    let words = ["chess", "mine(2)", "--define", &file, "-p", position, "--proof", &proof];
    assert_eq!(json(&words)["holds"], true);
    let (code, out, err) = run(&["verify", &proof, "--strict"], "");
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("mine(2) holds for white"), "{out}");
    // Another formula, another agent, another position: no proof of those.
    let text = std::fs::read_to_string(&proof).unwrap();
    for (from, to) in [
        ("mine(2)\n", "mine(1)\n"),
        ("as white", "as black"),
        ("as white", "as nobody"),
        ("<A>[B]", "[A][B]"),
        ("/R7 w", "/1R6 w"),
        ("verifier at-least win", "falsifier below win"),
    ] {
        let damaged = text.replace(from, to);
        assert_ne!(damaged, text, "{from}");
        let lines: Vec<String> = damaged.lines().map(str::to_owned).collect();
        std::fs::write(&proof, crate::seal::seal(&lines[..lines.len() - 1])).unwrap();
        let (code, out, _) = run(&["verify", &proof], "");
        assert_eq!(code, 3, "{from} -> {to}: {out}");
    }
}

#[test]
fn minimal_proofs_say_what_they_cost() {
    let position = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    for algorithm in ["mps", "dfmps"] {
        let cost = |words: &[&str]| {
            let all = [&["chess", "#2", "-p", position, "--algorithm", algorithm], words].concat();
            json(&all)["cost"].as_u64().unwrap()
        };
        assert_eq!(cost(&["--cost", "depth"]), 3, "{algorithm}");
        let (atoms, queries) = (cost(&["--cost", "atoms"]), cost(&["--cost", "queries"]));
        assert!(0 < atoms && atoms < queries, "{atoms} {queries}");
        assert_eq!(cost(&["--cost", "queries", "--atom-cost", "1", "--move-cost", "0"]), atoms);
    }
}

#[test]
fn proofs_can_be_drawn() {
    let scratch = Scratch::new();
    let dot = scratch.path().join("proof.dot").display().to_string();
    let position = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    let (code, out, _) = check(&["chess", "#2", "-p", position, "--tree", "--proof", &dot]);
    assert_eq!(code, 0);
    // The key, then Black's moves with what mates, those with the same answer together.
    let tree = out.split("\n\n").last().unwrap();
    assert!(tree.starts_with("a1a6\n"), "{tree}");
    assert!(tree.contains("b7a6: b6b7 ."), "{tree}");
    assert!(tree.contains("b8d6, b8c7: a6a7 ."), "{tree}");
    let dot = std::fs::read_to_string(&dot).unwrap();
    assert!(dot.starts_with("digraph proof {") && dot.ends_with("}\n"), "{dot}");
    assert!(dot.contains("label=\"a1a6\""), "{dot}");
}

#[test]
fn formulas_are_explained() {
    let (code, out, _) = check(&["chess", "omega(2)", "--explain"]);
    assert_eq!(code, 0);
    for part in [
        "A is white, B is black",
        "w | <A>[B](w | <A>w)",
        "omega(2) = w | <A>[B]omega(1)",
        "white has won, or white has a move after which whatever black plays, omega(1)",
        "moves as if it were its turn",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let (_, out, _) = check(&["breakthrough", "omega(1)", "--explain"]);
    assert!(out.contains("asked to move out of turn passes"), "{out}");
    let (_, out, _) = run(&["concepts"], "");
    for name in ["reach", "path", "omega", "ladder", "helpmate", "selfmate", "PT", "lambda", "APS"]
    {
        assert!(out.contains(&format!("{name}(")), "{name}: {out}");
    }
    let (_, out, _) = run(&["concepts", "zugzwang"], "");
    assert!(out.contains("Definition 38") && out.contains("!f & [B?] f"), "{out}");
    let (_, out, _) = run(&["games", "chess"], "");
    assert!(out.contains("captured(PIECE)") && out.contains("turn(AGENT)"), "{out}");
}

#[test]
fn mistakes_in_formulas_are_shown_with_their_place() {
    for (formula, message, help) in [
        ("omga(2)", "no proposition or class called `omga`", "did you mean `omega`?"),
        ("<Whit> w", "`Whit` is not an agent of this game", "did you mean `white`?"),
        ("w |", "expected a formula, but the text ends here", ""),
        ("(w", "this bracket is never closed", ""),
        ("w w", "expected the end of the formula, found `w`", ""),
        ("captured(X)", "`captured(X)` is not of the form captured(PIECE)", ""),
        ("omega(-1)", "-1 is too small: it must be at least 0", ""),
        ("omega(1, 2)", "no clause of `omega` fits `omega(1,2)`; it is written omega(n)", ""),
        ("def f(n) = <A> f(n+1); f(0)", "`f` goes more than 500 calls deep: does it end?", ""),
        ("def f(n) = n; f(0)", "`n` is a number, not a formula", ""),
        ("<B3> w", "there is no opponent B3, only 1", ""),
        ("<A w", "`<` is never closed by `>`", ""),
        ("w $ w", "`$` has no meaning in a formula", ""),
        ("", "there is no formula here", ""),
        ("h#x", "`#` has no meaning in a formula", ""),
    ] {
        let (code, _, err) = check(&["chess", formula]);
        let plain: String = err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(code, 2, "{formula}: {err}");
        assert!(plain.contains(message) && plain.contains(help), "{formula}: {err}");
    }
    let (code, _, err) = check(&["chess", "omega(1)", "--as", "wite"]);
    assert!(code == 2 && err.contains("did you mean `white`?"), "{err}");
    let (code, _, err) = run(&["check", "chess", "--batch", "-"], "8/8 w\n");
    assert!(code == 2 && err.contains("line 1"), "{err}");
    let (code, _, err) = check(&["chess", "omega(1)", "--algorithm", "dfps", "--all"]);
    assert!(code == 2 && err.contains("--all"), "{err}");
    let (code, _, err) = check(&["chess", "[A] omega(1)", "--all"]);
    assert!(code == 2 && err.contains("all first moves were asked for"), "{err}");
}

#[test]
fn the_same_question_twice_gives_the_same_bytes() {
    let lasting = |out: &str| {
        let mut answer: Value = serde_json::from_str(out).unwrap();
        answer["seconds"] = Value::Null;
        answer["peak_bytes"] = Value::Null;
        answer.to_string()
    };
    for algorithm in ["alphabeta", "pnps", "mcps", "dfmps"] {
        let words = ["hex:4", "omega(3)", "--algorithm", algorithm, "--seed", "5", "--json"];
        let first = check(&words).1;
        assert_eq!(lasting(&first), lasting(&check(&words).1));
    }
}

#[test]
fn a_ladder_from_an_sgf_text_works() {
    // White's stone at c1 runs along the edge; Black at b1 and nothing in its way.
    let position = "(;FF[4]SZ[9]AB[bi]AW[ci]PL[B])@C1";
    let answer = json(&["go-capture:9x9", "omega(12)", "-p", position, "--as", "black"]);
    assert_eq!(answer["holds"], true, "{answer}");
    let answer = json(&["go-capture:9x9", "omega(1)", "-p", position, "--as", "black"]);
    assert_eq!(answer["holds"], false, "{answer}");
}

/// Ladders of the game of Go, from records that lie beside the project.
#[test]
fn ladders_of_others_work_or_not() {
    let folder = root().join("../shared/data/go/regression/sgf/ladder");
    if !folder.exists() {
        eprintln!("skipped: there are no Go records in ../shared/data/go (3 of them)");
        return;
    }
    for (record, point, works) in [
        ("long-ladder", "C4", true),
        ("ladder-breaker", "C4", false),
        ("ladder-no-breaker", "C17", true),
    ] {
        let position =
            format!("sgf:{}@{point}", folder.join(record).with_extension("sgf").display());
        let answer = json(&["go-capture:19x19", "omega(60)", "-p", &position, "--as", "black"]);
        assert_eq!(answer["holds"], works, "{record}");
        assert_eq!(answer["proof"]["checked"], true, "{record}");
    }
}
