//! Tests of Toads and Frogs.

use foregone_model::Rng;

use super::*;
use crate::files::Files;
use crate::normal_play_testing as normal_play;
use crate::testing;

const KINDS: [[u32; 4]; 6] =
    [[1, 1, 1, 0], [1, 1, 0, 0], [1, 2, 1, 1], [1, 2, 3, 0], [1, 3, 2, 1], [2, 3, 2, 0]];

fn rules([least, most, jump, friendly]: [u32; 4], impartial: bool) -> Rules {
    Rules { slides: [least, most], jump, friendly: friendly == 1, impartial }
}

fn game(text: &str, rules: Rules) -> ToadsAndFrogs<u64> {
    ToadsAndFrogs::new(text, rules).unwrap()
}

#[test]
fn parts_add_up() {
    let mut rng = Rng::new(5);
    for kind in KINDS {
        for impartial in [false, true] {
            let rules = rules(kind, impartial);
            for text in ["x.", "xxx..ooo", "xx.o.x#oo/.xo..ox"] {
                let game = game(text, rules);
                normal_play::laws_hold(&game, 3);
                let empty: String = text.chars().map(|c| if c == '/' { c } else { '.' }).collect();
                let random = |rng: &mut Rng| {
                    // Mostly animals, close together.
                    let symbol = |c| match c {
                        '.' => SYMBOLS[[0, 0, 1, 1, 2, 2, 1, 2, 1, 2, 3][rng.below(11) as usize]],
                        _ => c,
                    };
                    let rows: String = empty.chars().map(symbol).collect();
                    game.read_position(&format!("{rows} left")).unwrap()
                };
                let positions: Vec<State<u64>> = (0..60).map(|_| random(&mut rng)).collect();
                normal_play::laws(&game, &positions);
            }
        }
    }
    let text = "xx.o".repeat(20);
    let long = ToadsAndFrogs::<u128>::new(&text, Rules::CLASSIC).unwrap();
    normal_play::laws_hold(&long, 1);
}

fn moves(text: &str, kind: [u32; 4], impartial: bool) -> String {
    let (row, _) = text.rsplit_once(' ').unwrap();
    let game = game(row, rules(kind, impartial));
    let mut names = testing::ordered_names(&game, &game.read_position(text).unwrap());
    names.sort();
    names.join(" ")
}

#[test]
fn animals_slide_and_jump() {
    assert_eq!(moves("xo.x left", [1, 1, 1, 0], false), "a1c1");
    assert_eq!(moves("xo.x left", [1, 1, 0, 0], false), "");
    assert_eq!(moves("xo.x right", [1, 1, 1, 0], false), "");
    assert_eq!(moves("x...o left", [1, 3, 1, 0], false), "a1b1 a1c1 a1d1");
    assert_eq!(moves("x...o left", [2, 4, 1, 0], false), "a1c1 a1d1");
    assert_eq!(moves("xox.o left", [1, 1, 2, 0], false), "c1d1");
    assert_eq!(moves("xox.o left", [1, 1, 2, 1], false), "a1d1 c1d1");
    assert_eq!(moves("xox.o left", [1, 1, 2, 1], true), "a1d1 c1d1 e1d1");
    assert_eq!(moves("x#.xoo. left", [1, 2, 1, 0], false), "");
    assert_eq!(moves("x#.xoo. left", [1, 2, 2, 0], false), "d1g1");
}

#[test]
fn rows_fall_into_stretches() {
    let parts = |text: &str, kind| {
        let game = game(text, rules(kind, false));
        let mut parts = Vec::new();
        game.split(&game.start(), &mut parts);
        let mut texts: Vec<String> = parts.iter().map(|part| game.position_text(part)).collect();
        texts.sort();
        texts.join(", ").replace(" left", "")
    };
    // Frogs to the left of toads, and nothing between them.
    assert_eq!(parts("..o.x..", [1, 1, 1, 0]), "..o####, x..####");
    // What no jump goes over is a wall.
    assert_eq!(parts("x.xxoo.o", [1, 1, 1, 0]), ".o######, x.######");
    assert_eq!(parts("x.xxoo.o", [1, 1, 2, 0]), "x.xxoo.o");
    assert_eq!(parts("oo.x..xx", [1, 1, 1, 0]), "x..#####");
}

#[test]
fn texts_round_trip() {
    for kind in KINDS {
        testing::texts_round_trip(&game("xxx..ooo", rules(kind, false)), 10);
        testing::texts_round_trip(&game("x.x#.oo/x.o", rules(kind, true)), 10);
    }
    testing::nonsense_is_refused(&game("xx.o/.o", Rules::CLASSIC));
}

#[test]
fn options_are_read_and_named() {
    let open = |spec: &str| crate::registry::open(&Files::from_memory::<&str, &str>([]), spec);
    for (spec, full) in [
        ("toads-and-frogs", "toads-and-frogs:xxx..ooo,1,1,1,0"),
        ("toads-and-frogs:x.o,1,1,1,0", "toads-and-frogs:x.o,1,1,1,0"),
        ("toads-and-frogs:x.o,impartial", "toads-and-frogs:x.o,1,1,1,0,impartial"),
        ("toads-and-frogs:x.o/x#,1,2,0,1,impartial", "toads-and-frogs:x.o/x#,1,2,0,1,impartial"),
    ] {
        assert_eq!(open(spec).unwrap().name(), full);
    }
    for (spec, at) in [
        ("toads-and-frogs:xa", 16..18),
        ("toads-and-frogs:x//o", 16..20),
        ("toads-and-frogs:x.o,2,1,0,0", 22..23),
        ("toads-and-frogs:x.o,1,1,0,2", 26..27),
        ("toads-and-frogs:x.o,1,1", 16..23),
        ("toads-and-frogs:impartial", 16..25),
    ] {
        match open(spec) {
            Err(GameError::Spec(error)) => assert_eq!(error.span, at, "{spec}"),
            other => panic!("{spec}: {other:?}"),
        }
    }
}
