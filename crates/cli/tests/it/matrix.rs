//! `foregone matrix` as a person meets it.

use std::process::Command;

use serde_json::Value;

use crate::cli::{PROGRAM, Scratch};
use crate::common::root;

fn matrix(words: &[&str]) -> (i32, String, String) {
    let output =
        Command::new(PROGRAM).arg("matrix").args(words).current_dir(root()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

#[test]
fn values_and_strategies_are_exact() {
    let (code, out, _) = matrix(&["examples/rock-paper-scissors.csv"]);
    assert_eq!(code, 0);
    assert!(out.contains("3 rows, 3 columns: value 0 for the row player"), "{out}");
    assert!(out.contains("rows     1: 1/3, 2: 1/3, 3: 1/3"), "{out}");
    let (_, out, _) = matrix(&["examples/inspection.csv", "--json"]);
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(answer["bounds"], serde_json::json!(["1/2", "1/2"]), "{out}");
    assert_eq!(answer["max"], serde_json::json!(["1/2", "1/2"]));
    assert_eq!(answer["min"], serde_json::json!(["2/3", "1/3"]));
    assert_eq!(answer["exact"], true);
}

#[test]
fn large_matrices_say_how_far_off_the_answer_may_be() {
    let scratch = Scratch::new();
    let file = scratch.path().join("large.csv");
    let row = |i: u32| (0..50).map(|j| ((i * 7 + j * j * 3) % 11).to_string()).collect::<Vec<_>>();
    let text: String = (0..50).map(|i| row(i).join(",") + "\n").collect();
    std::fs::write(&file, text).unwrap();
    let (code, out, err) = matrix(&[&file.display().to_string(), "--json"]);
    assert_eq!(code, 0, "{err}");
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(answer["exact"], false);
    let bound = |i: usize| answer["bounds"][i].as_str().unwrap().parse::<f64>().unwrap();
    assert!(bound(0) <= bound(1) && bound(1) - bound(0) < 1e-6, "{out}");
}

#[test]
fn mistakes_are_shown_with_their_cell() {
    let scratch = Scratch::new();
    let file = scratch.path().join("bad.csv");
    for text in ["1, 2\n3, x\n", "1, 2\n3\n", "", "1/0\n"] {
        std::fs::write(&file, text).unwrap();
        let (code, out, err) = matrix(&[&file.display().to_string()]);
        assert!(code == 2 && out.is_empty() && !err.is_empty(), "{text:?}: {err}");
    }
    assert_eq!(matrix(&["no-such-file.csv"]).0, 2);
}
