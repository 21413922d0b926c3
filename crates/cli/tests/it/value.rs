//! `foregone value` as a person meets it: values with proofs, and the calculator.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::cli::{PROGRAM, Scratch};

fn value(words: &[&str]) -> (i32, String, String) {
    run(&[&["value"], words].concat(), "")
}

fn run(words: &[&str], input: &str) -> (i32, String, String) {
    let mut child = Command::new(PROGRAM)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Who reads no input may be gone.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

#[test]
fn values_are_told_with_moves_and_a_proof() {
    let (code, out, err) = value(&["domineering:2x2"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.starts_with("domineering:2x2: ±1, who begins wins.\n"), "{out}");
    for words in ["mean         0", "temperature  1", "to 1, hot", "to -1, hot", "proved, "] {
        assert!(out.contains(words), "{words}: {out}");
    }
    let (code, out, _) = value(&["domineering:3x3", "-p", "..#/.##/##. vertical", "--all-moves"]);
    assert_eq!(code, 0);
    assert!(out.starts_with("domineering:3x3, ..#/.##/##.: *, who begins wins.\n"), "{out}");
    let (code, out, _) = value(&["domineering:2x1 + nim:3 + {1|-1} + nim:1,2"]);
    assert_eq!(code, 0);
    assert!(out.contains(": {2|0}, who begins wins."), "{out}");
}

#[test]
fn what_is_over_is_worth_nothing_and_proved() {
    for words in
        [&["domineering:2x2", "-p", "##/## vertical"][..], &["nim:1,1"], &["domineering:1x1"]]
    {
        let (code, out, err) = value(words);
        assert_eq!(code, 0, "{out}{err}");
        assert!(out.contains(": 0, who begins loses.") && out.contains("proved, "), "{out}");
    }
}

#[test]
fn objects_say_the_same() {
    let (code, out, _) = value(&["nim:3,5", "--json"]);
    assert_eq!(code, 0);
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(answer["found"]["value"], "*6");
    assert_eq!(answer["found"]["outcome"], "next");
    assert_eq!(answer["stop"], "solved");
    assert!(answer["proof"]["claims"].as_u64().unwrap() > 0);
    assert_eq!(answer["found"]["left"].as_array().unwrap().len(), 8);
}

#[test]
fn proofs_are_written_and_damaged_ones_refused() {
    let scratch = Scratch::new();
    let [proof, svg] = ["value.txt", "value.svg"].map(|name| scratch.path().join(name));
    let [proof, svg] = [proof, svg].map(|path| path.display().to_string());
    let (code, out, err) = value(&["domineering:2x3", "--proof", &proof, "--svg", &svg]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains(&format!("(written to {proof})")), "{out}");
    assert!(std::fs::read_to_string(&svg).unwrap().starts_with("<svg"));
    let (code, out, err) = run(&["verify", "--strict", &proof], "");
    assert_eq!(code, 0, "{err}");
    assert_eq!(out.lines().count(), 2, "{out}");
    let text = std::fs::read_to_string(&proof).unwrap();
    assert!(text.matches("by parts").count() == 2, "{text}");
    // Another value is not proved by this.
    for (from, to) in [(" ; = ", " ; = 99 "), ("claim ", "claim x"), ("~ ", "~ =1 & ")] {
        let damaged = text.replacen(from, to, 1);
        assert_ne!(damaged, text, "{from}");
        std::fs::write(&proof, damaged).unwrap();
        assert_eq!(run(&["verify", "--strict", &proof], "").0, 3, "{from}");
    }
}

#[test]
fn games_without_values_are_refused_by_name() {
    for (words, told) in [
        (&["tic-tac-toe"][..], "tic-tac-toe can't have a value"),
        (&["rock-paper-scissors"], "can't have a value: both players move at the same time"),
        (&["domineering:2x2", "nim:3"], "stands behind a game"),
        (&["domineering:2x2", "-p", "nonsense"], "position"),
        (&["domineeering:2x2"], "there is no game called"),
        (&["*2", "--proof", "x.txt"], "goes with a game"),
        (&["--nonsense"], "--nonsense"),
    ] {
        let (code, out, err) = value(words);
        assert!(code == 2 && out.is_empty() && err.contains(told), "{words:?}: {code} {out}{err}");
    }
}

#[test]
fn budgets_end_the_work() {
    let (code, out, err) = value(&["domineering:9x9", "--time", "200ms"]);
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("undecided (stopped: time)"), "{out}");
    let (code, out, _) = value(&["domineering:9x9", "--time", "200ms", "--json"]);
    assert_eq!(code, 1);
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert!(answer["found"].is_null() && answer["stop"] == "time", "{out}");
}

#[test]
fn lines_are_worked_out() {
    let (code, out, _) = value(&["{3|1} + *2 + {1|-1}"]);
    assert_eq!(code, 0);
    assert!(!out.trim().is_empty());
    let (_, out, _) = value(&["-1/2 + 1"]);
    assert_eq!(out, "1/2\n");
    let (_, out, _) = value(&["G = {1|*}; mean(G)", "G - G"]);
    assert_eq!(out.lines().collect::<Vec<_>>()[1..], ["1/2", "0"], "{out}");
    let (_, out, _) = value(&["* + *2", "--json"]);
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(answer["answers"][0]["answer"], "*3");
    let (code, out, err) = value(&["1 + nonsense"]);
    assert!(code == 2 && out.is_empty() && err.contains("nonsense"), "{err}");
}

#[test]
fn standard_input_is_read_line_by_line() {
    let (code, out, _) = run(&["value"], "H = 1/2\n\n# a remark\nH + H\n");
    assert_eq!((code, out.as_str()), (0, "H = 1/2\n1\n"));
    let (code, out, err) = run(&["value"], "1 +\n* + *\n");
    assert_eq!((code, out.as_str()), (2, "0\n"));
    assert!(!err.is_empty());
}
