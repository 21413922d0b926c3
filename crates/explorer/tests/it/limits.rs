//! Texts at the limits of the format and beyond them.

use std::sync::Arc;

use foregone_explorer::{Book, BookError, NodeKind};
use foregone_games::files::Files;
use foregone_games::registry;
use foregone_model::Notation as _;

use crate::common::*;

const HEAD: &str = "foregone certificate 2\ngame nim:1,2\nrules 1\nposition 1,2 first\n\
                    claim first at-least win\n\n";

fn to_the_end(book: &Book) -> Result<bool, BookError> {
    loop {
        match book.index_more(1 << 16) {
            Ok(false) => {}
            other => return other,
        }
    }
}

/// The line and the problem of a file that can't be indexed to its end.
fn refused(body: impl Into<Vec<u8>>) -> (u64, String) {
    let text = [HEAD.as_bytes().to_vec(), body.into()].concat();
    let book = Book::new(Arc::new(text));
    match to_the_end(&book) {
        Err(BookError::Line { line: Some(line), problem, .. }) => {
            let outline = book.outline().unwrap();
            assert_eq!(outline.problem, Some(format!("line {line}: {problem}")));
            assert_eq!(outline.claims, None);
            (line, problem)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn damage_is_told_with_its_line() {
    let told = |body: &str, line, problem: &str| {
        assert_eq!(refused(body), (line, problem.to_owned()), "{body:?}");
    };
    told("", 7, "the file ends before the proof does");
    told("! 2-1\n? 2\n1-1: ! 2-1\n.\n", 11, "the file ends before the proof does");
    told("! 2-1\n? 2\n1-1: ! 2-1\n.\n2-1", 11, "the file ends before the proof does");
    told("! 2-1\n? 2\n1-1 ! 2-1\n", 9, "expected `MOVE: …`, an answer");
    told("! 2-1\n? 0\n", 8, "expected the number of moves behind `?`");
    told("#1 ! 2-1\n#1 .\n", 8, "this label was given before");
    told("#18446744073709551616 .\n", 7, "expected a number behind `#`");
    told(".\nend 2 0\n", 8, "the number of claims is not that of the lines before");
    told(".\n.\n", 8, "expected `end CLAIMS CHECKSUM`");
    told(".\nend 1 0\nmore\n", 9, "expected `foregone certificate 2`");
    told("\n", 7, "expected `.`, `! MOVE`, `? N`, `= K` or `by RULE REASON`");
    let long = "the line has more than 4194304 bytes".to_owned();
    assert_eq!(refused(vec![b'x'; 1 << 23]), (7, long.clone()));
    assert_eq!(
        refused([b"by ".to_vec(), vec![b'x'; (1 << 22) - 3], b"\n".to_vec()].concat()),
        (7, long)
    );
    let just = [b"by ".to_vec(), vec![b'x'; (1 << 22) - 4], b"\nend 2 0\n".to_vec()].concat();
    assert_eq!(refused(just).0, 8);
}

#[test]
fn lines_that_break_the_rules_are_named_when_one_comes_to_them() {
    let shown = |body: &str, path: &[&str]| {
        let book = Book::new(Arc::new(format!("{HEAD}{body}")));
        let _ = to_the_end(&book);
        book.node(&game_of(&book), 0, &words(path), 0, 10).map(|node| node.kind)
    };
    let told = |body: &str, path: &[&str], problem: &str| {
        assert_eq!(shown(body, path).unwrap_err().to_string(), problem, "{body:?}");
    };
    told(".\nend 1 0\n", &[], "line 7: the game is not over here");
    told("! 2-3\n.\nend 2 0\n", &[], "line 7: `2-3` is not a legal move here");
    told("? 3\n", &[], "line 7: the other side is to move here");
    told("! 2-1\n? 3\n", &["2-1"], "line 8: expected `? 2`, as many as there are moves");
    told("! 2-1\n! 2-1\n", &["2-1"], "line 8: the other side is to move here");
    told("= 7\nend 1 0\n", &[], "line 7: there is no claim #7 before this line");
    told("#7 = 7\nend 1 0\n", &[], "line 7: there is no claim #7 before this line");
    let twice = "! 2-1\n? 2\n1-1: ! 2-1\n.\n1-1: ! 2-1\n.\nend 6 0\n";
    assert_eq!(shown(twice, &["2-1", "1-1"]), Ok(NodeKind::Plays));
    told(twice, &["2-1", "2-1"], "line 8: no block below this line answers `2-1`");
}

#[test]
fn what_stands_before_the_damage_is_shown() {
    let text = made(LARGE);
    let (whole, half) = (indexed(&text), text.len() / 2);
    let book = Book::new(Arc::new(text[..half].to_owned()));
    let game = game_of(&book);
    assert!(to_the_end(&book).is_err());
    let (mut before, mut behind) = (0, 0);
    naive(&text)[0].each(&mut Vec::new(), &mut |path, _| {
        let (late, early) = (node(&whole, &game, 0, path), book.node(&game, 0, path, 0, 100));
        let Ok(early) = early else { return };
        assert!(!early.pending);
        if early.kind == NodeKind::NotCovered {
            assert!(early.sentence.starts_with("the file is damaged before this place: line "));
            behind += 1;
        } else {
            assert_eq!((early.kind, early.line, early.text), (late.kind, late.line, late.text));
            assert!(early.size.is_none() || early.size == late.size);
            before += 1;
        }
    });
    assert!(before > 1000 && behind > 1000, "{before} {behind}");
}

#[test]
fn bytes_that_are_no_text_are_named() {
    let book = Book::new(Arc::new([HEAD.as_bytes(), b"! \xff\n.\nend 2 0\n"].concat()));
    assert_eq!(to_the_end(&book), Ok(true));
    let error = book.node(&game_of(&book), 0, &[], 0, 10).unwrap_err();
    assert_eq!(error.to_string(), "line 7: the line is not UTF-8 text");
}

#[test]
fn other_games_are_not_taken_for_the_right_one() {
    let book = indexed(TREES.iter().find(|(n, _)| *n == "tic-tac-toe").unwrap().1);
    for other in ["nim:1,2", "goofspiel:3"] {
        let game = registry::open(&files(), other).unwrap();
        let error = book.node(&game, 0, &[], 0, 10).unwrap_err();
        assert!(matches!(error, BookError::OtherGame(_)), "{error:?}");
    }
    let game = game_of(&book);
    assert!(matches!(book.node(&game, 1, &[], 0, 10), Err(BookError::Input(_))));
    // A formula is not asked of a game with chance, whatever a header says.
    let text = "foregone certificate 2\ngame pig:2,2\nrules 1\nformula w\nas first\n\
                position 0,0,0 first-rolls\nclaim verifier at-least win\n\n.\nend 1 0\n";
    let book = indexed(text);
    assert!(matches!(book.node(&game_of(&book), 0, &[], 0, 10), Err(BookError::Input(_))));
}

#[test]
fn a_hundred_thousand_blocks_inside_each_other() {
    const DEEP: usize = 100_000;
    let mut body = "? 2\n".to_owned() + &"a: ? 2\n".repeat(DEEP - 1);
    body += &"a: .\n".repeat(DEEP + 1);
    let book = Book::new(Arc::new(format!("{HEAD}{body}end {} 0\n", 2 * DEEP + 1)));
    assert_eq!(to_the_end(&book), Ok(true));
    assert_eq!(book.outline().unwrap().claims, Some(2 * DEEP as u64 + 1));
    // It is no proof about this game, and says so.
    assert!(book.node(&game_of(&book), 0, &[], 0, 10).is_err());
}

#[test]
fn a_chain_of_a_hundred_thousand_moves() {
    const LONG: usize = 100_000;
    let mut rules = String::new();
    for i in 0..LONG {
        let side = ["max", "min"][i % 2];
        rules += &format!("{side} s{i} -> s{}\n", i + 1);
    }
    rules += &format!("end s{LONG} win\n");
    let files = Files::from_memory([("chain.game", rules)]);
    let game = registry::open(&files, "explicit:chain.game").unwrap();
    let digest = match &game {
        registry::Opened::InTurn(game) => game.rules(),
        registry::Opened::Joint(_) => unreachable!(),
    };
    let mut text = format!(
        "foregone certificate 2\ngame explicit:chain.game\nrules {digest}\nposition s0\n\
         claim max at-least win\n\n! s1\n"
    );
    for i in 1..LONG {
        text += &match i % 2 {
            1 => "? 1\n".to_owned(),
            _ => format!("s{i}: ! s{}\n", i + 1),
        };
    }
    text += &format!("s{LONG}: .\nend {} 0\n", LONG + 1);
    let book = Book::new(Arc::new(text));
    assert_eq!(to_the_end(&book), Ok(true));
    let path: Vec<String> = (1..=LONG).map(|i| format!("s{i}")).collect();
    let first = node(&book, &game, 0, &[]);
    assert_eq!(first.size, Some(LONG as u64 + 1));
    let last = node(&book, &game, 0, &path);
    assert_eq!((last.kind, last.size), (NodeKind::Over, Some(1)));
    let middle = node(&book, &game, 0, &path[..LONG / 2]);
    assert_eq!(middle.size, Some(LONG as u64 / 2 + 1));
    let found = book.find(&game, 0, &[], &format!("s{LONG}"), &mut |_| true).unwrap();
    assert_eq!(found.path, Some(path));
    let part = book.part(&game, 0, &[], u32::MAX, usize::MAX).unwrap();
    assert!(part.nodes.len() <= 402);
}

#[test]
fn wild_labels_of_many_certificates_take_little_memory() {
    let text: String = (0..10_000).map(|_| format!("{HEAD}#62499 .\nend 1 0\n")).collect();
    let book = Book::new(Arc::new(text.clone()));
    to_the_end(&book).unwrap();
    assert!(book.index_bytes() < 4 * text.len(), "{} of {}", book.index_bytes(), text.len());
    assert!(book.outline().unwrap().certificates.len() <= 500);
    let many: String = (0..20_001).map(|_| format!("{HEAD}.\nend 1 0\n")).collect();
    assert!(to_the_end(&Book::new(Arc::new(many))).is_err());
    // One certificate whose labels are as far apart as they can be.
    let wild: String = (0..200_000u64).map(|i| format!("#{} ! 2-1\n", i * 1_000_000)).collect();
    let text = format!("{HEAD}{wild}");
    let book = Book::new(Arc::new(text.clone()));
    assert!(to_the_end(&book).is_err());
    assert!(book.index_bytes() < 3 * text.len() + (16 << 20), "{}", book.index_bytes());
}

#[test]
fn a_walk_that_would_take_hours_is_given_up() {
    const REPLIES: usize = 2000;
    let names: Vec<String> = (0..REPLIES).map(|i| format!("e{i}")).collect();
    let ends: String = names.iter().map(|name| format!("end {name} win\n")).collect();
    let rules =
        format!("endless win\nstart s0\nmin s0 -> {} m0\nmin m0 -> s0\n{ends}", names.join(" "));
    let answers: String = names.iter().map(|name| format!("{name}: .\n")).collect();
    let text = format!(
        "foregone certificate 2\ngame explicit:a.game\nrules {}\nposition s0\nclaim max at-least win\n\n\
         #1 ? {}\n{answers}m0: ? 1\ns0: = 1\nend {} 0\n",
        foregone_model::rules_of_text(&rules),
        REPLIES + 1,
        REPLIES + 3
    );
    let book = Book::new(Arc::new(text));
    to_the_end(&book).unwrap();
    let files = Files::from_memory([("a.game", rules)]);
    let game = registry::open(&files, "explicit:a.game").unwrap();
    let path = |rounds: usize| words(&["m0", "s0"].repeat(rounds));
    assert_eq!(book.node(&game, 0, &path(10), 0, 5).unwrap().kind, NodeKind::Replies);
    let far = book.node(&game, 0, &path(2000), 0, 5);
    assert!(matches!(far, Err(BookError::Input(_))), "{far:?}");
}
