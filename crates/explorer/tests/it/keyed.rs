//! Certificates whose lines speak of positions.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};

use crate::common::*;
use foregone_explorer::{Book, Kind, Node, NodeKind};

/// About what a fraction is, which is written as a decimal where it is too long to be read.
fn number(text: &str) -> f64 {
    let (a, b) = text.split_once('/').unwrap_or((text, "1"));
    a.parse::<f64>().unwrap() / b.parse::<f64>().unwrap()
}

/// All positions that a strategy comes to.
fn all(book: &Book, certificate: usize) -> HashMap<String, (Vec<String>, Node)> {
    let game = game_of(book);
    let (mut found, mut todo) = (HashMap::new(), VecDeque::from([Vec::new()]));
    while let Some(path) = todo.pop_front() {
        let node = node(book, &game, certificate, &path);
        let position = node.view.position.clone();
        if let Entry::Vacant(place) = found.entry(position) {
            for child in &node.children {
                todo.push_back([&path[..], std::slice::from_ref(&child.played)].concat());
            }
            place.insert((path, node));
        }
    }
    found
}

#[test]
fn every_line_is_reached_and_shown_as_it_stands() {
    for (name, text) in KEYED {
        let book = indexed(text);
        let lines: Vec<&str> = text.lines().collect();
        let mut reached = HashSet::new();
        for (certificate, summary) in book.outline().unwrap().certificates.iter().enumerate() {
            for (position, (_, node)) in all(&book, certificate) {
                assert!(!node.pending, "{name}");
                if node.kind == NodeKind::Over {
                    assert!(node.view.over.is_some() && node.children.is_empty());
                    continue;
                }
                assert_ne!(node.kind, NodeKind::NotCovered, "{name}: {position}");
                let line = node.line.unwrap() as usize;
                assert_eq!(lines[line - 1], node.text, "{name}");
                assert_eq!(node.text.split_once(" @ ").unwrap().1, position, "{name}");
                assert_eq!(node.children_total, node.children.len());
                assert!(node.children.iter().all(|child| child.kind.is_some()), "{name}");
                reached.insert((certificate, line));
            }
            assert!(summary.claims.unwrap() > 0);
        }
        // A strategy may be written for positions that it never comes to, but not here.
        let claims = book.outline().unwrap().claims.unwrap();
        assert_eq!(reached.len() as u64, claims, "{name}");
    }
}

#[test]
fn weights_are_parts_of_one() {
    let mut kinds = HashSet::new();
    for (name, text) in KEYED {
        let book = indexed(text);
        let kind = book.outline().unwrap().certificates[0].kind;
        for (position, (_, node)) in all(&book, 0) {
            let weighed =
                matches!(node.kind, NodeKind::Chance | NodeKind::Opponent | NodeKind::Mixes);
            if !weighed {
                assert!(node.children.iter().all(|child| child.weight.is_none()), "{name}");
                continue;
            }
            kinds.insert(format!("{:?}", node.kind));
            let mut parts: HashMap<&str, f64> = HashMap::new();
            for child in &node.children {
                let own = match kind {
                    Kind::Mixed => child.played.split_once('/').unwrap().0,
                    _ => &child.played,
                };
                let part = number(child.weight.as_ref().unwrap());
                assert!(parts.insert(own, part).is_none_or(|before| before == part));
            }
            let sum: f64 = parts.values().sum();
            assert!((sum - 1.0).abs() < 1e-5, "{name}: {position}: {sum}");
        }
    }
    assert_eq!(kinds.len(), 3);
}

#[test]
fn what_is_said_is_told_in_words() {
    let find = |name| KEYED.iter().find(|(n, _)| *n == name).unwrap().1;
    let told = |name, certificate, path: &[&str]| {
        let book = indexed(find(name));
        node(&book, &game_of(&book), certificate, &words(path))
    };
    let pig = told("pig", 0, &[]);
    assert_eq!(pig.sentence, "chance has 3 moves, their mean counts");
    assert_eq!(
        (pig.to_move.as_deref(), pig.children[0].weight.as_deref()),
        (Some("chance"), Some("1/3"))
    );
    assert_eq!(pig.bound.as_deref(), Some("0.600000"));
    let goofspiel = told("goofspiel", 0, &[]);
    assert_eq!(goofspiel.bound.as_deref(), Some("0"));
    assert_eq!(goofspiel.children_total, 4);
    let other = told("goofspiel", 0, &["1/1"]);
    assert_eq!(other.kind, NodeKind::NotCovered);
    assert!(other.sentence.starts_with("the proof does not need this: Max plays 4"));
    let of_min = told("goofspiel", 1, &[]);
    assert!(of_min.children.iter().all(|child| child.played.ends_with("/4")));
    let scores = told("scores", 0, &[]);
    assert!(scores.sentence.ends_with(", the first of its best moves"), "{}", scores.sentence);
    let opponent = told("opponent", 0, &["a1"]);
    assert_eq!(opponent.kind, NodeKind::Opponent);
    assert_eq!(opponent.children[0].weight.as_deref(), Some("1/4"));
    assert!(told("opponent", 0, &[]).sentence.ends_with("plays a1, its best response"));
}

#[test]
fn the_first_screen_does_not_wait_for_the_index() {
    for (name, text) in KEYED {
        let book = Book::new(std::sync::Arc::new((*text).to_owned()));
        let first = node(&book, &game_of(&book), 0, &[]);
        assert!(first.children_total > 0 && !first.sentence.is_empty(), "{name}");
        assert_eq!(book.outline().unwrap().indexed, 0.0);
    }
    // A large one waits, and says so: its first position stands on its last line.
    let text = KEYED.iter().find(|(n, _)| *n == "pig").unwrap().1;
    let (head, rest) = text.split_once("\n\n").unwrap();
    let many = "! hold = 0 @ 5,5,5 first-decides\n".repeat(4000);
    let book = Book::new(std::sync::Arc::new(format!("{head}\n\n{many}{rest}")));
    let first = node(&book, &game_of(&book), 0, &[]);
    assert!(first.pending && first.kind == NodeKind::NotCovered);
    assert_eq!(first.sentence, "this part of the file has not been read yet");
    while book.index_more(1 << 16) == Ok(false) {}
    assert_eq!(node(&book, &game_of(&book), 0, &[]).kind, NodeKind::Chance);
}

#[test]
fn positions_are_found_by_the_shortest_way() {
    for (name, text) in KEYED {
        let book = indexed(text);
        let game = game_of(&book);
        for (position, (path, _)) in all(&book, 0) {
            let found = book.find(&game, 0, &[], &position, &mut |_| true).unwrap();
            let way = found.path.unwrap_or_else(|| panic!("{name}: {position}"));
            assert_eq!(way.len(), path.len());
            assert_eq!(node(&book, &game, 0, &way).view.position, position);
        }
    }
}
