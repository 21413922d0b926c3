//! What is shown while the index grows.

use std::sync::Arc;

use foregone_explorer::{Book, Node, NodeKind};

use crate::common::*;

/// Whether the first node says nothing that the second, of the whole index, does not say.
fn less_than(early: &Node, late: &Node) -> bool {
    let children = early.children.iter().zip(&late.children).all(|(a, b)| {
        a.played == b.played
            && (a.kind.is_none() || a.kind == b.kind && a.answer == b.answer)
            && (a.size.is_none() || a.size == b.size)
    });
    children
        && early.children.len() == late.children.len()
        && (early.line.is_none() || early.line == late.line)
        && (early.size.is_none() || early.size == late.size)
        && (&early.text, early.kind, &early.view) == (&late.text, late.kind, &late.view)
}

#[test]
fn an_index_that_is_not_complete_says_less_and_nothing_else() {
    // A reference far behind can't be followed before the index has come to its label.
    let text = made(LARGE);
    let (whole, length) = (indexed(&text), text.len() as u64);
    let game = game_of(&whole);
    assert!(length > 60_000, "{length}");
    let mut paths = Vec::new();
    naive(&text)[0].each(&mut Vec::new(), &mut |path, _| paths.push(path.to_vec()));
    let late: Vec<Node> =
        paths.iter().step_by(29).map(|path| node(&whole, &game, 0, path)).collect();
    let mut unknown = Vec::new();
    for share in [0, 1, 4, 16, 28, 32] {
        let book = Book::new(Arc::new(text.clone()));
        if share > 0 {
            assert_eq!(book.index_more(length * share / 32).unwrap(), share == 32);
        }
        let mut count = 0;
        for (path, late) in paths.iter().step_by(29).zip(&late) {
            let early = node(&book, &game, 0, path);
            if early.kind == NodeKind::NotCovered {
                assert!(early.pending);
                count += 1;
            } else {
                assert!(less_than(&early, late), "{share}: {early:?}\n{late:?}");
                count += usize::from(early.pending);
            }
            if share == 32 {
                assert_eq!(&early, late);
            }
        }
        unknown.push(count);
    }
    assert!(unknown.is_sorted_by(|a, b| a >= b) && unknown[0] > 0, "{unknown:?}");
    assert_eq!(unknown.last(), Some(&0));
}

#[test]
fn the_index_grows_while_others_look() {
    let text = made(LARGE);
    let book = Book::new(Arc::new(text.clone()));
    let game = game_of(&book);
    let late = node(&indexed(&text), &game, 0, &[]);
    std::thread::scope(|scope| {
        let growing = scope.spawn(|| while !book.index_more(997).unwrap() {});
        while !growing.is_finished() {
            let early = node(&book, &game, 0, &[]);
            assert!(less_than(&early, &late));
            let outline = book.outline().unwrap();
            assert!((0.0..=1.0).contains(&outline.indexed));
        }
    });
    assert_eq!(node(&book, &game, 0, &[]), late);
}

#[test]
fn the_index_is_small() {
    // Every claim but those that are over has a label here: far more than in proofs of the program.
    let text = made(LARGE);
    let book = indexed(&text);
    assert!(book.index_bytes() * 4 < text.len(), "{} of {}", book.index_bytes(), text.len());
}

#[test]
fn pages_read_the_names_that_they_expect() {
    let text = TREES.iter().find(|(n, _)| *n == "tic-tac-toe").unwrap().1;
    let book = indexed(text);
    let json = serde_json::to_value(node(&book, &game_of(&book), 0, &words(&["a1"]))).unwrap();
    let names = |value: &serde_json::Value| -> Vec<String> {
        value.as_object().unwrap().keys().cloned().collect()
    };
    let expected = "bound children children_total from kind label line offset pending reason rule \
                    same_as sentence size subformula text to_move view";
    assert_eq!(names(&json).join(" "), expected);
    let expected = "answer answer_san kind move same_as san size weight";
    assert_eq!(names(&json["children"][0]).join(" "), expected);
    assert_eq!(names(&json["view"]).join(" "), "moves over position scene to_move usual");
    assert_eq!((&json["kind"], &json["children"][0]["kind"]), (&"replies".into(), &"plays".into()));
    let json = serde_json::to_value(book.outline().unwrap()).unwrap();
    assert_eq!(names(&json).join(" "), "bytes certificates claims indexed problem");
    assert_eq!(json["certificates"][0]["kind"], "in-turn");
}
