//! What is printed of lines and of the values of moves.

use crate::cli::Scratch;
use clap::Parser;
use foregone_cli::args::Cli;
use serde_json::Value;

/// What a command prints.
fn said(words: &[&str]) -> String {
    let cli = Cli::try_parse_from([&["foregone"], words].concat()).unwrap();
    let mut out = Vec::new();
    foregone_cli::execute(cli, &mut out).unwrap_or_else(|f| panic!("{words:?}: {f}"));
    String::from_utf8(out).unwrap()
}

/// The rows below this key.
fn rows(text: &str, key: &str) -> String {
    let key = format!("  {key} ");
    let below = text.lines().skip_while(|l| !l.starts_with(&key)).enumerate();
    let rows = below.take_while(|(i, l)| *i == 0 || l.starts_with("             "));
    rows.map(|(_, l)| l[13..].to_owned()).collect::<Vec<_>>().join("\n")
}

#[test]
fn values_of_moves_stand_in_rows_the_best_first() {
    let text = said(&["solve", "tic-tac-toe", "-p", "moves:a1", "--moves"]);
    let expected = "a draw: b2\n\
                    x wins: b1 (6), c1 (6), a2 (6), c2 (6), a3 (6), b3 (6), c3 (6)\n\
                    (in brackets: moves until the end, if one side hurries and the other resists)";
    assert_eq!(rows(&text, "moves"), expected);
    // Scores, for the first player, also where the second one moves.
    let text = said(&["solve", "othello:4x4", "-p", "moves:b1", "--moves"]);
    assert_eq!(rows(&text, "moves").lines().next(), Some("-8 for black: a1"), "{text}");
    // One player collects points.
    let text = said(&["solve", "same-game:3x3,2,1", "--moves"]);
    assert!(!rows(&text, "moves").contains(" for "), "{text}");
    // Nothing more is said of moves where nobody asked.
    assert!(!said(&["solve", "tic-tac-toe"]).contains("moves"));
}

#[test]
fn undecided_moves_are_told_as_such() {
    let text = said(&["solve", "connect-four:4x5", "--moves", "--nodes", "30000"]);
    let undecided = rows(&text, "moves");
    assert!(undecided.contains("undecided, between loss and draw for red: "), "{text}");
    let text = said(&["solve", "connect-four:4x4", "-p", "moves:2", "-q", "win", "--moves"]);
    assert!(rows(&text, "moves").contains("red reaches at most draw: "), "{text}");
}

#[test]
fn json_has_the_values_of_moves() {
    let text = said(&["solve", "nim:2,1", "--moves", "--json"]);
    let answer: Value = serde_json::from_str(&text).unwrap();
    let expected = serde_json::json!([
        {"move": "1-1", "value": "win", "winner": "first", "bounds": ["win", "win"], "holds": null,
         "best": true, "distance": 3, "proved": true},
        {"move": "1-2", "value": "loss", "winner": "second", "bounds": ["loss", "loss"], "holds": null,
         "best": false, "distance": 2, "proved": true},
        {"move": "2-1", "value": "loss", "winner": "second", "bounds": ["loss", "loss"], "holds": null,
         "best": false, "distance": 2, "proved": true},
    ]);
    assert_eq!(answer["moves"], expected);
}

#[test]
fn long_lines_are_wrapped_and_say_how_they_end() {
    let text = said(&["solve", "connect-four:4x5"]);
    let line = rows(&text, "line");
    assert_eq!(line.split_whitespace().count(), 20, "{text}");
    // How long the row of the search is depends on how busy the machine is.
    let long = |l: &str| l.starts_with("  proof") || l.starts_with("  search");
    assert!(text.lines().all(|l| long(l) || l.chars().count() <= 80), "{text}");
    let text = said(&["solve", "left-right:60"]);
    assert!(rows(&text, "line").lines().count() > 1, "{text}");
    let text = said(&["solve", "connect-four", "--nodes", "1000", "-s", "pn", "-d", "tree"]);
    assert!(rows(&text, "line").ends_with("(so far)"), "{text}");
    let scratch = Scratch::new();
    let path = scratch.path().join("circle.game");
    std::fs::write(
        &path,
        "outcomes loss draw win\nendless draw\nmax a -> b c\nmin b -> a c\nend c loss\n",
    )
    .unwrap();
    let text = said(&["solve", &format!("explicit:{}", path.display())]);
    // Min would rather go to c, so Max does not go round with it.
    assert!(text.contains("min wins"), "{text}");
    std::fs::write(
        &path,
        "outcomes loss draw win\nendless draw\nmax a -> b c\nmin b -> a d\nend c loss\nend d win\n",
    )
    .unwrap();
    let text = said(&["solve", &format!("explicit:{}", path.display())]);
    assert_eq!(rows(&text, "line"), "b a (and so on)", "{text}");
}
