//! Parts of proofs, to be drawn.

use foregone_explorer::{BookError, PartKind};

use crate::common::*;

#[test]
fn a_part_that_is_deep_enough_is_all_of_it() {
    for (name, text) in TREES {
        let book = indexed(text);
        let game = game_of(&book);
        for (certificate, naive) in naive(text).iter().enumerate() {
            let part = book.part(&game, certificate, &[], 400, 10_000).unwrap();
            assert_eq!(
                (part.claims, part.nodes.len() as u64),
                (naive.size(), naive.size()),
                "{name}"
            );
            let mut nodes = part.nodes.iter();
            naive.each(&mut Vec::new(), &mut |path, claim| {
                let node = nodes.next().unwrap();
                assert_eq!(node.depth as usize, path.len());
                assert_eq!(node.text, path.last().cloned().unwrap_or_default());
                let kind = match &claim.says[..1] {
                    "!" => PartKind::Plays,
                    "?" => PartKind::Replies,
                    "." => PartKind::Over,
                    "=" => PartKind::AsBefore,
                    _ => PartKind::Known,
                };
                assert_eq!(node.kind, kind, "{name}, line {}", claim.line);
            });
            for (at, node) in part.nodes.iter().enumerate().skip(1) {
                let parent = node.parent.unwrap();
                assert!(parent < at && part.nodes[parent].depth + 1 == node.depth);
            }
        }
    }
}

#[test]
fn what_is_left_out_is_counted() {
    let text = made(LARGE);
    let book = indexed(&text);
    let game = game_of(&book);
    let path = words(&[&node(&book, &game, 0, &[]).children[0].played]);
    for (depth, most) in [(0, 100), (1, 100), (3, 100), (5, 10), (400, 37), (6, 100_000)] {
        let part = book.part(&game, 0, &path, depth, most).unwrap();
        let kept = part.nodes.iter().map(|node| match node.kind {
            PartKind::Cut(claims) => claims,
            _ => 1,
        });
        assert_eq!(kept.sum::<u64>(), part.claims, "{depth} {most}");
        assert_eq!(Some(part.claims), node(&book, &game, 0, &path).size);
        assert!(part.nodes.iter().all(|node| node.depth <= depth + 1));
    }
    let early = foregone_explorer::Book::new(std::sync::Arc::new(text));
    assert_eq!(early.part(&game, 0, &[], 2, 10), Err(BookError::NotYet));
}

#[test]
fn strategies_are_drawn_too() {
    for (name, text) in KEYED {
        let book = indexed(text);
        let part = book.part(&game_of(&book), 0, &[], 3, 200).unwrap();
        assert!(part.nodes.len() > 1 && part.nodes.len() <= 200 + 200, "{name}");
        assert!(!part.position.is_empty());
    }
}
