//! Looking for positions.

use std::collections::HashMap;

use crate::common::*;

#[test]
fn every_position_is_found_where_it_is_claimed_first() {
    for (name, text) in TREES {
        let book = indexed(text);
        let game = game_of(&book);
        for (certificate, naive) in naive(text).iter().enumerate() {
            let mut first: HashMap<String, Vec<String>> = HashMap::new();
            let mut order = Vec::new();
            naive.each(&mut Vec::new(), &mut |path, _| {
                let position = node(&book, &game, certificate, path).view.position;
                first.entry(position).or_insert_with_key(|position| {
                    order.push(position.clone());
                    path.to_vec()
                });
            });
            for position in order.iter().step_by(1 + order.len() / 60) {
                let found = book.find(&game, certificate, &[], position, &mut |_| true).unwrap();
                assert_eq!(found.path.as_ref(), Some(&first[position]), "{name}");
            }
        }
    }
}

#[test]
fn what_is_not_there_is_not_found_and_a_search_can_be_ended() {
    let text = made(LARGE);
    let book = indexed(&text);
    let game = game_of(&book);
    let mut shares = Vec::new();
    let found = book.find(&game, 0, &[], "6,7,9,10 second", &mut |share| {
        shares.push(share);
        true
    });
    let found = found.unwrap();
    assert_eq!((found.path, found.share), (None, 1.0));
    assert!(
        !shares.is_empty() && shares.is_sorted() && shares.iter().all(|s| (0.0..=1.0).contains(s))
    );
    let ended = book.find(&game, 0, &[], "6,7,9,10 second", &mut |_| false).unwrap();
    assert!(ended.path.is_none() && ended.share < 1.0);
    assert!(book.find(&game, 0, &[], "4,5,6", &mut |_| true).is_err());
}

#[test]
fn only_the_block_is_looked_at() {
    let text = TREES.iter().find(|(n, _)| *n == "tic-tac-toe").unwrap().1;
    let book = indexed(text);
    let game = game_of(&book);
    let under = words(&["a1", "b1"]);
    let there = node(&book, &game, 0, &words(&["a1", "b1", "a2"])).view.position;
    let elsewhere = node(&book, &game, 0, &words(&["a1", "c2"])).view.position;
    let find = |position: &str| book.find(&game, 0, &under, position, &mut |_| true).unwrap().path;
    assert_eq!(find(&there), Some(words(&["a1", "b1", "a2"])));
    assert_eq!(find(&elsewhere), None);
}

#[test]
fn a_label_leads_to_its_line() {
    let mut jumps = 0;
    for (name, text) in TREES {
        let book = indexed(text);
        let game = game_of(&book);
        for (certificate, naive) in naive(text).iter().enumerate() {
            naive.each(&mut Vec::new(), &mut |path, _| {
                let here = node(&book, &game, certificate, path);
                let Some(label) = here.same_as else { return };
                let wanted = format!("#{label}");
                let found = book.find(&game, certificate, &[], &wanted, &mut |_| true).unwrap();
                let there = node(&book, &game, certificate, &found.path.unwrap());
                assert_eq!((there.label, there.same_as), (Some(label), None), "{name}");
                assert_eq!(there.view.position, here.view.position, "{name}");
                assert_eq!(there.offset, here.offset, "{name}");
                jumps += 1;
            });
            let none = book.find(&game, certificate, &[], "#99999999", &mut |_| true);
            assert!(none.is_err(), "{name}");
        }
    }
    assert!(jumps > 20, "{jumps} references were followed");
}
