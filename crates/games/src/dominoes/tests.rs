//! Tests of dominoes: rules, which positions are alike, and numbers.

use std::collections::HashMap;

use foregone_model::{Class, Indexed as _, Notation as _, Tabled as _, Typed as _};

use super::*;
use crate::material::Material as _;
use crate::table_testing::{numbers_are_positions, places_are_equivalent};
use crate::testing;

fn listed(game: &Dominoes, text: &str) -> String {
    let s = game.read_position(text).unwrap();
    let mut moves = Vec::new();
    game.moves(&s, s.turn().agent(), &mut moves);
    moves.iter().map(|&m| game.move_text(&s, m)).collect::<Vec<_>>().join(" ")
}

fn value(game: &Dominoes, text: &str) -> Outcome {
    testing::solve(game, &game.read_position(text).unwrap(), &mut HashMap::new())
}

#[test]
fn texts_round_trip() {
    for (spots, hand, seed) in [(1, 1, 0), (3, 5, 1), (6, 7, 2), (9, 27, 3)] {
        testing::texts_round_trip(&Dominoes::new(spots, hand, seed, seed % 2 == 0), 20);
    }
    let game = Dominoes::new(6, 3, 1, false);
    testing::nonsense_is_refused(&game);
    for (text, at) in [
        ("0-1 0-2 0|1", 0..11),
        ("0-1 0-7 0|1 first", 6..7),
        ("0-1 x 0|1 first", 4..5),
        ("0-1 0-1 0|1 first", 4..7),
        ("0-1,0-1 0-2 0|1 first", 4..7),
        ("- - 0|1 first", 0..3),
        ("0-1 0-2 01 first", 8..10),
        ("0-1 0-2 0|1 third", 12..17),
        ("1-0 0-2 0|1 first", 0..17),
        ("0-1 0-2 1|0 first", 0..17),
    ] {
        assert_eq!(game.read_position(text).unwrap_err().span, at, "{text}");
    }
}

#[test]
fn bones_are_put_to_either_end() {
    let game = Dominoes::new(6, 3, 1, false);
    assert_eq!(listed(&game, "0-1,0-2,3-3 4-4 - first"), "0-1 0-2 3-3");
    assert_eq!(listed(&game, "0-1,0-2,3-3 4-4 0|1 first"), "0-1 1-0 0-2");
    assert_eq!(listed(&game, "0-1,0-2,3-3 4-4 3|3 first"), "3-3");
    assert_eq!(listed(&game, "0-1,0-2,3-3 4-4 2|2 first"), "2-0");
    assert_eq!(listed(&game, "0-1 4-4 4|4 first"), "pass");
    for (text, moves, after) in [
        ("0-1,0-2 4-4 0|1 first", "0-1", "0-2 4-4 1|1 second"),
        ("0-1,0-2 4-4 0|1 first", "1-0", "0-2 4-4 0|0 second"),
        ("0-1,0-2 4-4 0|1 first", "0-2", "0-1 4-4 1|2 second"),
        ("0-1,0-2 4-4 - first", "0-2", "0-1 4-4 0|2 second"),
        ("0-1 4-4,4-5 4|4 first", "pass", "0-1 4-4,4-5 4|4 second"),
    ] {
        let mut s = game.read_position(text).unwrap();
        let m = game.read_move(&s, moves).unwrap();
        let agent = s.turn().agent();
        game.play(&mut s, agent, m);
        assert_eq!(game.position_text(&s), after, "{text} {moves}");
    }
}

#[test]
fn who_is_out_wins_and_pips_decide_blocked_games() {
    let end = |draw: bool, text: &str| {
        let game = Dominoes::new(6, 3, 1, draw);
        let s = game.read_position(text).unwrap();
        (game.turn(&s) == Turn::Over).then(|| game.outcome(&s))
    };
    assert_eq!(end(false, "- 0-1 0|1 second"), Some(WIN));
    assert_eq!(end(false, "0-1 - 0|1 second"), Some(LOSS));
    assert_eq!(end(false, "0-1 1-2 3|3 first"), Some(WIN));
    assert_eq!(end(false, "0-3 1-2 4|5 first"), Some(DRAW));
    assert_eq!(end(false, "1-3 1-2 4|5 first"), Some(LOSS));
    assert_eq!(end(true, "1-3 1-2 4|5 first"), Some(DRAW));
    assert_eq!(end(false, "1-3 1-2 2|5 first"), None);
    assert_eq!(end(false, "1-3 1-2 - first"), None);
}

/// Bones as elements cannot tell three bones around a triangle of numbers from three with one number in
/// common, but a game may be lost in one case and blocked in the other.
#[test]
fn the_printed_relation_takes_different_values_for_the_same() {
    let game = Dominoes::new(6, 3, 1, true);
    let [triangle, star] = ["0-2,5-6 1-2 0|1 first", "0-2,5-6 0-3 0|1 first"];
    assert_eq!(value(&game, triangle), LOSS);
    assert_eq!(value(&game, star), DRAW);
    let [a, b] = [triangle, star].map(|text| game.read_position(text).unwrap());
    assert_eq!(ByBone::of(&a).canonical().form, ByBone::of(&b).canonical().form);
    assert_ne!(ByValue::of(&a, 6).canonical().form, ByValue::of(&b, 6).canonical().form);
    assert_ne!(game.place(&a), game.place(&b));
}

/// All positions with so many bones in the hands.
fn all_positions(game: &Dominoes, hands: [u32; 2]) -> Vec<State> {
    let bones = bones(game.spots);
    let of = |count: u32| (0u64..1 << bones).filter(move |hand| hand.count_ones() == count);
    let mut out = Vec::new();
    for first in of(hands[0]) {
        for second in of(hands[1]).filter(|second| first & second == 0) {
            let numbers = 0..=game.spots as u8;
            let pairs = numbers.clone().flat_map(|a| (a..=game.spots as u8).map(move |b| [a, b]));
            for ends in pairs.chain([[NONE; 2]]) {
                for turn in [false, true] {
                    out.push(State { hands: [first, second], ends, second: turn });
                }
            }
        }
    }
    out
}

/// Solving all positions directly, and through the positions that stand for them, is the same; and where
/// pips count it is not, so that there is no numbering then.
#[test]
fn values_are_those_of_the_positions_in_the_tables() {
    let [draw, pips] = [true, false].map(|draw| Dominoes::new(3, 2, 1, draw));
    let (mut memo, mut by_pips) = (HashMap::new(), HashMap::new());
    let (mut seen, mut differ) = (HashMap::<(Class, u64), u32>::new(), 0);
    for hands in [[1, 1], [2, 1], [1, 2], [2, 2]] {
        for s in all_positions(&draw, hands) {
            let place = draw.place(&s).unwrap();
            assert_eq!(pips.place(&s), None);
            let there = draw.position(place.class, place.index).unwrap();
            let found = testing::solve(&draw, &there, &mut memo);
            let expected = place.outcome(found, WIN);
            assert_eq!(Some(testing::solve(&draw, &s, &mut memo)), expected, "{s:?}");
            let found = testing::solve(&pips, &there, &mut by_pips);
            let other = testing::solve(&pips, &s, &mut by_pips);
            differ += u32::from(place.outcome(found, WIN) != Some(other));
            *seen.entry((place.class, place.index)).or_default() += 1;
        }
    }
    assert!(differ > 0);
    let classes = draw.wanted("2").unwrap();
    let sizes: u64 = classes.iter().map(|&class| draw.size(class)).sum();
    // All numbers came up, but that of finished positions.
    assert_eq!(seen.len() as u64 + 1, sizes);
    assert!(seen.values().sum::<u32>() as u64 > 20 * sizes);
}

#[test]
fn numbers_are_those_of_positions() {
    for (spots, hands) in [(1, "1"), (2, "2"), (3, "2"), (6, "2v1"), (9, "1")] {
        let game = Dominoes::new(spots, 1, 1, true);
        for class in game.wanted(hands).unwrap() {
            numbers_are_positions(&game, class, 0..game.size(class));
        }
    }
    let game = Dominoes::new(3, 2, 1, true);
    for s in all_positions(&game, [2, 1]).iter().step_by(7) {
        places_are_equivalent(&game, s);
    }
}

/// As many as the count of positions up to renaming has, with a line.
#[test]
fn classes_have_the_size_of_the_count() {
    let game = Dominoes::new(6, 3, 1, true);
    // Hands of one bone each, of one and two.
    for (elements, hands) in [(3, &[[1, 1]][..]), (4, &[[1, 2], [2, 1]])] {
        let begun = |class| {
            let positions = (0..game.size(class)).filter_map(|index| game.position(class, index));
            positions.filter(State::begun).count() as u64
        };
        let found: u64 = hands.iter().map(|&[a, b]| begun(numbering::class_of(a, b))).sum();
        // A table has both sides to move, or both players exchanged.
        let sides = hands.len() as u64;
        let count = crate::material::reduction::dominoes(elements).renamed;
        assert_eq!(found, count * sides, "{elements}");
    }
}

#[test]
fn classes_are_named() {
    let game = Dominoes::new(6, 3, 1, true);
    let names = |text: &str| {
        let classes = game.wanted(text).unwrap();
        classes.iter().map(|&class| game.class_name(class)).collect::<Vec<_>>()
    };
    assert_eq!(names("2v1"), ["out", "1v1", "2v1"]);
    assert_eq!(names("1v2"), names("2v1"));
    assert_eq!(names("2"), ["out", "1v1", "2v1", "2v2"]);
    assert_eq!(names(""), names("3"));
    assert_eq!(names("out"), ["out"]);
    for (text, at) in [("4", 0..1), ("0", 0..1), ("2v", 2..2), ("2v1v1", 0..5), ("x", 0..1)] {
        assert_eq!(game.wanted(text).unwrap_err().span, at, "{text}");
    }
    assert!(Dominoes::new(1, 1, 1, true).wanted("2").is_err());
}
