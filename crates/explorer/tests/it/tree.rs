//! Proofs in turn, claim by claim.

use foregone_explorer::NodeKind;

use crate::common::*;

fn kind_of(says: &str) -> NodeKind {
    match &says[..1] {
        "!" => NodeKind::Plays,
        "?" => NodeKind::Replies,
        "." => NodeKind::Over,
        "=" => NodeKind::Same,
        _ => NodeKind::Known,
    }
}

/// Everything that is shown of a file is what a simple reader finds in it.
fn same_as_read_simply(text: &str) -> usize {
    let book = indexed(text);
    let game = game_of(&book);
    let (mut seen, mut offsets) = (0, vec![0]);
    offsets.extend(text.lines().scan(0, |at, line| {
        *at += line.len() as u64 + 1;
        Some(*at)
    }));
    for (certificate, naive) in naive(text).iter().enumerate() {
        let labels = labels(naive);
        naive.each(&mut Vec::new(), &mut |path, claim| {
            seen += 1;
            let node = node(&book, &game, certificate, path);
            assert!(!node.pending);
            if let Some(k) = claim.says.strip_prefix("= ") {
                let k: u64 = k.parse().unwrap();
                let (line, size) = labels[&k];
                assert_eq!((node.same_as, node.label), (Some(k), Some(k)));
                assert_eq!((node.line, node.size), (Some(line), Some(size)));
                assert!(node.sentence.starts_with(&format!("the same position as line {line}: ")));
                return;
            }
            assert_eq!((node.line, &node.text), (Some(claim.line), &claim.text));
            assert_eq!((node.label, node.same_as), (claim.label, None));
            assert_eq!(node.size, Some(claim.size()), "line {}", claim.line);
            assert_eq!(node.kind, kind_of(&claim.says));
            assert_eq!(node.offset, offsets[claim.line as usize - 1]);
            assert_eq!(node.children_total, claim.below.len());
            for (number, (child, below)) in node.children.iter().zip(&claim.below).enumerate() {
                assert_eq!(child.played, claim.way(number));
                assert_eq!(
                    (child.kind, child.size),
                    (Some(kind_of(&below.says)), Some(below.size()))
                );
                assert_eq!(child.answer.as_deref(), below.says.strip_prefix("! "));
                let same = below.says.strip_prefix("= ").map(|k| k.parse().unwrap());
                assert_eq!(child.same_as, same);
            }
            assert_eq!(node.children.len(), claim.below.len());
        });
    }
    seen
}

#[test]
fn all_claims_of_all_files_are_shown_as_they_stand() {
    for (name, text) in TREES {
        let seen = same_as_read_simply(text);
        assert_eq!(seen as u64, believed(text).unwrap(), "{name}");
    }
}

#[test]
fn a_proof_of_many_chunks_is_shown_as_it_stands() {
    let text = made(LARGE);
    assert!(text.len() > 20_000, "{}", text.len());
    assert_eq!(same_as_read_simply(&text) as u64, believed(&text).unwrap());
}

#[test]
fn sentences_tell_who_does_what_and_why() {
    let find = |name| TREES.iter().find(|(n, _)| *n == name).unwrap().1;
    let told = |name, path: &[&str]| {
        let book = indexed(find(name));
        node(&book, &game_of(&book), 0, &words(path)).sentence
    };
    assert_eq!(told("tic-tac-toe", &[]), "x plays a1, and forces a win");
    assert_eq!(told("tic-tac-toe", &["a1"]), "o has 4 moves, each is answered");
    assert_eq!(told("tic-tac-toe", &["a1", "b1", "a2"]), "over: x wins");
    assert_eq!(told("domineering", &["b2b3"]), "known by safe-moves");
    assert_eq!(told("breakthrough", &[]), "white has 4 moves, each is answered");
    assert_eq!(told("mate", &[]), "white plays Rh8#, so it holds");
    assert_eq!(told("mate", &["h1h8"]), "answered here: it holds");
    assert_eq!(told("keys", &[]), "white has 19 moves, each is answered");
    assert_eq!(told("three", &[]), "first plays take.3.2, and forces at least 50/0/0");
    assert_eq!(told("for-second", &[]), "first plays take.1.1, and keeps second below 0/50/0");
}

#[test]
fn knowledge_shows_its_rule_and_its_reason() {
    let text = TREES[0].1;
    let book = indexed(text);
    let game = game_of(&book);
    let mut known = 0;
    for (certificate, naive) in naive(text).iter().enumerate() {
        naive.each(&mut Vec::new(), &mut |path, claim| {
            if let Some(words) = claim.says.strip_prefix("by ") {
                let node = node(&book, &game, certificate, path);
                let (rule, reason) = words.split_once(' ').unwrap();
                assert_eq!(
                    (node.rule.unwrap(), node.reason.unwrap()),
                    (rule.into(), reason.into())
                );
                assert_eq!(node.sentence, format!("known by {rule}, for the reason {reason}"));
                known += 1;
            }
        });
    }
    assert_eq!(known, 84);
}

#[test]
fn formulas_show_what_is_asked_and_moves_as_people_write_them() {
    let find = |name| TREES.iter().find(|(n, _)| *n == name).unwrap().1;
    let book = indexed(find("keys"));
    let game = game_of(&book);
    let root = node(&book, &game, 0, &[]);
    assert_eq!(root.subformula.as_deref(), Some("[A][B]omega(1)"));
    assert_eq!((root.to_move.as_deref(), root.children.len()), (Some("white"), 19));
    let key = root.children.iter().find(|child| child.played == "h1h8").unwrap();
    assert_eq!((key.san.as_deref(), key.kind), (Some("Rh8#"), Some(NodeKind::Over)));
    let other = root.children.iter().find(|child| child.played == "h1a1").unwrap();
    assert_eq!((other.answer.as_deref(), other.answer_san.as_deref()), (Some("f8e8"), Some("Ke8")));
    let below = node(&book, &game, 0, &words(&["h1a1"]));
    assert_eq!(below.subformula.as_deref(), Some("<B>!omega(1)"));
    assert_eq!(below.view.position, "5k2/8/5K2/8/8/8/8/R7 b - - 0 1");
    assert!(below.view.usual.contains(&Some("Ke8".to_owned())));
    assert!(!below.view.scene.cells.is_empty() && !below.view.scene.moves.is_empty());

    let book = indexed(find("steps"));
    let steps = node(&book, &game_of(&book), 0, &words(&["a1", "b1"]));
    assert_eq!((steps.kind, steps.to_move.as_deref()), (NodeKind::Plays, Some("x")));
}

#[test]
fn moves_that_the_proof_does_not_need_are_told_from_wrong_ones() {
    let find = |name| TREES.iter().find(|(n, _)| *n == name).unwrap().1;
    let book = indexed(find("tic-tac-toe"));
    let game = game_of(&book);
    let tried = node(&book, &game, 0, &words(&["a2"]));
    assert_eq!(tried.kind, NodeKind::NotCovered);
    assert_eq!(tried.sentence, "the proof does not need this: x plays a1 there");
    assert!(!tried.pending && tried.children.is_empty() && !tried.view.moves[0].is_empty());
    let further = node(&book, &game, 0, &words(&["a2", "a1"]));
    assert_eq!(further.kind, NodeKind::NotCovered);
    for (path, problem) in [
        (&["b2"][..], "`b2` is not a legal move here"),
        (&["a1", "b1", "a2", "c3"], "the game is over, `c3` can't be played"),
        (&["<b>"], "`<b>` is not a legal move here"),
    ] {
        let error = book.node(&game, 0, &words(path), 0, 10).unwrap_err();
        assert_eq!(error.to_string(), problem);
    }
}

#[test]
fn lists_come_a_page_at_a_time() {
    let text = TREES.iter().find(|(n, _)| *n == "keys").unwrap().1;
    let book = indexed(text);
    let game = game_of(&book);
    let all = node(&book, &game, 0, &[]).children;
    let mut pages = Vec::new();
    for from in (0..25).step_by(4) {
        let page = book.node(&game, 0, &[], from, 4).unwrap();
        assert_eq!((page.children_total, page.from, page.pending), (19, from, false));
        pages.extend(page.children);
    }
    assert_eq!(pages, all);
    assert!(book.node(&game, 0, &[], usize::MAX, usize::MAX).unwrap().children.is_empty());
}

#[test]
fn a_path_may_go_round_for_ever_and_the_proof_still_ends() {
    let game = in_turn("explicit:round.game");
    use foregone_model::Notation as _;
    let head = format!(
        "foregone certificate 2\ngame explicit:round.game\nrules {}\nposition a\n\
         claim max at-least win or-endless\n\n",
        game.rules()
    );
    let text = summed(&(head + "#1 ! b\n? 2\na: = 1\nw: .\n"), 4);
    assert_eq!(believed(&text), Ok(4));
    let book = indexed(&text);
    let opened = game_of(&book);
    let round: Vec<String> = ["b", "a"].repeat(500).into_iter().map(str::to_owned).collect();
    let again = node(&book, &opened, 0, &round);
    assert_eq!((again.same_as, again.line, again.size), (Some(1), Some(7), Some(4)));
    assert!(again.sentence.ends_with("max plays b, and forces a win, or the game never ends"));
    let found = book.find(&opened, 0, &[], "w", &mut |_| true).unwrap();
    assert_eq!(found.path, Some(words(&["b", "w"])));
}

#[test]
fn moves_that_one_line_covers_are_one_way_on() {
    let text = include_str!("../data/covered.txt");
    let book = indexed(text);
    let game = game_of(&book);
    let top = node(&book, &game, 0, &[]);
    let ways: Vec<&str> = top.children.iter().map(|child| child.played.as_str()).collect();
    assert_eq!((ways, top.children_total), (vec!["b1", "c1", "b3", "a3", "*"], 5));
    let others = &top.children[4];
    assert_eq!(others.san.as_deref(), Some("all other moves"));
    assert_eq!(
        (others.kind, others.same_as, others.size),
        (Some(NodeKind::Same), Some(3), Some(1))
    );
    assert_eq!((top.size, top.sentence.contains("8 moves")), (Some(26), true));
    // The blocks behind it end where they should.
    let sizes: Vec<Option<u64>> = top.children.iter().map(|child| child.size).collect();
    assert_eq!(sizes, [7, 5, 7, 5, 1].map(Some));
    // A page of the list that does not come so far.
    let page = book.node(&game, 0, &[], 1, 2).unwrap();
    assert_eq!(page.children.iter().map(|c| c.played.as_str()).collect::<Vec<_>>(), ["c1", "b3"]);
    // Moves that are covered have nothing of their own to show.
    for way in ["*", "a1", "c3"] {
        let node = node(&book, &game, 0, &words(&[way]));
        assert_eq!(node.kind, NodeKind::NotCovered, "{way}");
        assert_eq!(node.sentence, "all other moves: as claim #3, replayed here");
    }
    assert!(book.node(&game, 0, &words(&["b1", "*"]), 0, 9).is_err(), "Red has one move there");
    let inner = node(&book, &game, 0, &words(&["b1", "c1", "*"]));
    assert_eq!(inner.sentence, "all other moves: as claim #1, replayed here");
    // Labels behind such lines are found, and positions.
    let mut goes_on = |_: f64| true;
    let found = book.find(&game, 0, &[], "#3", &mut goes_on).unwrap();
    assert_eq!(found.path, Some(words(&["a3"])));
    let position = node(&book, &game, 0, &words(&["a3", "b3", "b1"])).view.position;
    let found = book.find(&game, 0, &[], &position, &mut goes_on).unwrap();
    assert!(found.path.is_some_and(|path| path.len() == 3), "{position}");
    let part = book.part(&game, 0, &[], 9, 1000).unwrap();
    assert_eq!(part.nodes.iter().filter(|node| node.text == "other moves").count(), 5);
    assert_eq!(part.nodes.len(), 26);
}
