//! `foregone combat` as a person meets it, and its pictures.

use clap::Parser;
use foregone_cli::args::Cli;
use foregone_cli::combat::picture::{frames, svg};
use foregone_combat::{Action, Army, Battle, Player, Record, Scenario, Script};
use serde_json::Value;

use crate::cli::Scratch;

fn combat(words: &[&str]) -> (u8, String) {
    let cli = Cli::try_parse_from(["foregone", "combat"].iter().chain(words)).unwrap();
    let mut out = Vec::new();
    match foregone_cli::execute(cli, &mut out) {
        Ok(code) => (code, String::from_utf8(out).unwrap()),
        Err(error) => (foregone_cli::exit_code_of(&error), error.to_string()),
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

fn record() -> Record {
    let army = Army::parse("2 marine, 1 zergling, 1 dragoon, 1 zealot").unwrap();
    let scenario = Scenario::mirrored(&army, 8).unwrap();
    let players = [Player::Script(Script::NokAv), Player::Script(Script::Kiting)];
    Battle::new(players.each_ref()).fight(&scenario)
}

#[test]
fn text_shows_every_unit() {
    let record = record();
    let all = frames(&record, 400, 100, 24);
    assert!(all.len() > 3);
    let first: Vec<&str> = all[0].lines().collect();
    assert_eq!(first.len(), 1 + 102 + 2);
    assert!(first[1..103].iter().all(|l| l.chars().count() == 402), "{}", all[0]);
    let grid = first[2..102].concat();
    for letter in "MMZDTmmzdt".chars() {
        assert!(grid.contains(letter), "{letter} {}", all[0]);
    }
    assert_eq!(first[103], "MAX  M 40  M 40  Z 35  D 180  T 160");
    assert!(frames(&record, 0, 0, 0).len() > all.len());
}

/// Tags open and close in order and attributes are quoted: enough of XML for what we write.
fn well_formed(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    for part in text.split('<').skip(1) {
        let (tag, rest) = part.split_once('>').expect("a tag ends");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        assert!(!rest.contains('"') || !tag.is_empty());
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap_or(tag));
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn the_picture_is_well_formed_and_shows_everything() {
    let record = record();
    let picture = svg(&record, "a < b & c\u{1}");
    well_formed(&picture);
    assert!(picture.contains("<title>a &lt; b &amp; c </title>"));
    assert_eq!(picture.matches("<animateTransform").count(), 10);
    let shots: usize = record
        .moments
        .iter()
        .flat_map(|m| m.moves.iter().flatten().flatten())
        .filter(|a| matches!(a, Action::Attack(_)))
        .count();
    assert!(shots > 10);
    assert_eq!(picture.matches("<line").count(), shots);
    // Key times begin at 0 and never fall, or a viewer shows no animation.
    for list in picture.split("keyTimes=\"").skip(1) {
        let list = list.split('"').next().unwrap();
        let times: Vec<f64> = list.split(';').map(|t| t.parse().unwrap()).collect();
        assert_eq!(times[0], 0.0);
        assert!(times.is_sorted() && times.iter().all(|t| *t <= 1.0), "{list}");
    }
}
