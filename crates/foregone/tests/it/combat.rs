//! `foregone combat` as a person meets it.

use clap::Parser;
use foregone::args::Cli;
use serde_json::Value;

use crate::cli::Scratch;

fn combat(words: &[&str]) -> (u8, String) {
    let cli = Cli::try_parse_from(["foregone", "combat"].iter().chain(words)).unwrap();
    let mut out = Vec::new();
    match foregone::run::run(cli, &mut out) {
        Ok(code) => (code, String::from_utf8(out).unwrap()),
        Err(failure) => (failure.code, failure.to_string()),
    }
}

#[test]
fn a_battle_is_told_and_drawn() {
    let scratch = Scratch::new();
    let file = scratch.path().join("battle.svg");
    let path = file.display().to_string();
    let words = ["abcd:alt,playout,100nodes", "closest", "--army", "2 marine, 1 zergling"];
    let (code, text) = combat(&[&words[..], &["--svg", &path]].concat());
    assert_eq!(code, 0);
    assert!(text.contains("MAX  M 40  M 40  Z 35"), "{text}");
    assert!(text.contains("abcd:alt,playout,100nodes wins"), "{text}");
    assert!(text.contains("decisions") && text.contains(&path), "{text}");
    let picture = std::fs::read_to_string(&file).unwrap();
    assert!(picture.starts_with("<svg ") && picture.trim_end().ends_with("</svg>"));

    let (_, out) = combat(&[&words[..], &["--json"]].concat());
    let found: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(found["winner"], words[0]);
    assert_eq!(found["left"][1], 0);
    // More frames are more pictures.
    let (_, frames) = combat(&[&words[..], &["--frames", "24"]].concat());
    assert!(frames.matches("MAX ").count() > text.matches("MAX ").count(), "{frames}");
}

#[test]
fn battles_make_a_score_and_repeat() {
    let words = ["abcd:alt-last,ltd2,50nodes", "random", "--battles", "12", "--json"];
    let (code, out) = combat(&words);
    assert_eq!(code, 0);
    let found: Value = serde_json::from_str(&out).unwrap();
    let against = &found["against"][0];
    let count = |key: &str| against[key].as_u64().unwrap();
    assert_eq!(count("wins") + count("draws") + count("losses"), 12);
    assert!(against["score"].as_f64().unwrap() > 0.7, "{out}");
    let again: Value = serde_json::from_str(&combat(&words).1).unwrap();
    assert_eq!(found["average"], again["average"]);
    assert_eq!(against["nodes"], again["against"][0]["nodes"]);
    let (_, text) = combat(&["nok-av", "all", "--battles", "8"]);
    assert_eq!(text.lines().count(), 8, "{text}");
    assert!(text.lines().last().unwrap().starts_with("average "), "{text}");
}

#[test]
fn mistakes_are_named() {
    for (words, part) in [
        (&["abdc"][..], "abdc"),
        (&["closest:alt"], "the script closest has no settings"),
        (&["abcd:alt,plaout"], "`plaout` is no setting"),
        (&["abcd:known", "abcd"], "knows what the other player does"),
        (&["abcd", "closest", "--army", "4 marnie, 2 zergling"], "marnie"),
        (&["abcd", "closest", "--army", "5 marine, 4 zealot"], "more than 8 units"),
        (&["abcd", "all", "--army", "2 marine"], "is for one battle"),
        (&["abcd", "closest", "--battles", "3", "--svg", "x.svg"], "is for one battle"),
    ] {
        let (code, message) = combat(words);
        assert_eq!(code, 2, "{words:?}: {message}");
        assert!(message.contains(part), "{words:?}: {message}");
    }
}
