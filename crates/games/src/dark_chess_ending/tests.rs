//! Tests of endings: their rules, and the numbers of their positions.

use std::collections::{BTreeMap, HashMap, HashSet};

use foregone_model::{Class, Indexed as _, Notation as _, Place, Rng, Tabled as _};

use super::classes::{CLASSES, MOST};
use super::*;
use crate::material::Material as _;
use crate::table_testing::{numbers_are_positions, places_are_equivalent};
use crate::testing;

fn class(name: &str) -> Class {
    *DarkChessEnding::new(4, 8).wanted(name).unwrap().last().unwrap()
}

fn listed(game: &DarkChessEnding, text: &str) -> String {
    let s = game.read_position(text).unwrap();
    let mut moves = Vec::new();
    game.moves(&s, s.turn.agent(), &mut moves);
    moves.iter().map(|&m| game.move_text(&s, m)).collect::<Vec<_>>().join(" ")
}

/// All positions of a material.
fn positions(game: &DarkChessEnding, material: &Pieces) -> Vec<State> {
    let mut boards = HashSet::from([State::empty(Side::Max)]);
    for side in 0..2 {
        for kind in 0..KINDS {
            for _ in 0..material.0[side][kind] {
                let mut next = HashSet::new();
                for s in &boards {
                    for cell in (0..game.cells()).filter(|&cell| s.at(cell) == EMPTY) {
                        let mut more = *s;
                        more.put(cell, code(side, kind));
                        next.insert(more);
                    }
                }
                boards = next;
            }
        }
    }
    let with = |turn| boards.iter().map(move |s| State { turn, ..*s });
    with(Side::Max).chain(with(Side::Min)).collect()
}

/// The values of all positions with up to so many pieces, by the rules and by no number: what is not
/// decided after ever more moves is a draw.
fn solved(game: &DarkChessEnding, pieces: u32) -> HashMap<State, Outcome> {
    let materials: Vec<Pieces> = (2..=pieces).flat_map(Pieces::all).collect();
    let states: Vec<State> = materials.iter().flat_map(|m| positions(game, m)).collect();
    let numbers: HashMap<State, usize> = states.iter().copied().zip(0..).collect();
    let mut values = vec![DRAW; states.len()];
    let mut graph: Vec<(bool, Vec<Result<usize, Outcome>>)> = Vec::new();
    for (at, s) in states.iter().enumerate() {
        let mut next = Vec::new();
        match game.turn(s) {
            Turn::Agent(agent) => {
                for t in testing::next_states(game, s, agent) {
                    next.push(numbers.get(&t).copied().ok_or_else(|| game.outcome(&t)));
                }
            }
            _ => values[at] = game.outcome(s),
        }
        graph.push((s.turn == Side::Max, next));
    }
    loop {
        let mut settled = true;
        for (at, (max, next)) in graph.iter().enumerate() {
            let of = next.iter().map(|t| t.map_or_else(|o| o, |number| values[number]));
            let value = if *max { of.max() } else { of.min() };
            if let Some(value) = value.filter(|&value| value != values[at]) {
                values[at] = value;
                settled = false;
            }
        }
        if settled {
            return states.into_iter().zip(values).collect();
        }
    }
}

#[test]
fn texts_round_trip() {
    let mut rng = Rng::new(1);
    for (rows, cols) in [(1, 2), (2, 3), (4, 8), (8, 4), (1, 32)] {
        let game = DarkChessEnding::new(rows, cols);
        let mut s = game.start();
        for _ in 0..200 {
            let text = game.position_text(&s);
            assert_eq!(game.read_position(&text), Ok(s), "{text}");
            let Turn::Agent(agent) = game.turn(&s) else { break };
            let mut moves = Vec::new();
            game.moves(&s, agent, &mut moves);
            for &m in &moves {
                assert_eq!(game.parse_move(&s, &game.move_text(&s, m)), Some(m));
            }
            game.play(&mut s, agent, moves[rng.below(moves.len() as u32) as usize]);
        }
    }
    let game = DarkChessEnding::new(2, 3);
    testing::nonsense_is_refused(&game);
    for (text, at) in [
        ("... red", 0..3),
        ("K../.?p red", 5..6),
        ("K../..p first", 8..13),
        (".../... black", 0..7),
        ("K../..K red", 0..7),
        ("ppp/ppp red", 0..7),
    ] {
        assert_eq!(game.read_position(text).unwrap_err().span, at, "{text}");
    }
}

/// Who takes whom is what the game with pieces face down says; here it is where it can be seen.
#[test]
fn pieces_take_by_rank_and_cannons_jump() {
    let game = DarkChessEnding::new(3, 3);
    let order = "PCHREAK";
    for (i, own) in order.chars().enumerate() {
        for (j, other) in order.to_ascii_lowercase().chars().enumerate() {
            let expected = match (own, other) {
                ('C', _) | ('K', 'p') => false,
                ('P', 'k') => true,
                _ => i >= j,
            };
            let found = listed(&game, &format!("{own}{other}./.../... red"));
            assert_eq!(found.contains("a3-b3"), expected, "{own} {other}");
        }
    }
    assert_eq!(listed(&game, "CKk/A../p.. red"), "a2-b2 a2-a1 a3-c3 a3-a1 b3-c3 b3-b2");
    assert_eq!(listed(&game, "C.k/.../p.. red"), "a3-b3 a3-a2");
}

#[test]
fn games_end_without_pieces_or_moves() {
    let game = DarkChessEnding::new(2, 2);
    let end = |text: &str| {
        let s = game.read_position(text).unwrap();
        (game.turn(&s) == Turn::Over).then(|| game.outcome(&s))
    };
    assert_eq!(end("K./.. black"), Some(WIN));
    assert_eq!(end("K./.. red"), Some(WIN));
    assert_eq!(end("k./.. red"), Some(LOSS));
    assert_eq!(end("Kp/.. red"), None);
    // A general between soldiers that it cannot take.
    assert_eq!(end("Kp/p. red"), Some(LOSS));
    assert_eq!(end("Kp/p. black"), None);
    assert_eq!(end("Pc/c. red"), Some(LOSS));
    assert_eq!(end("pC/C. black"), Some(WIN));
}

/// There is a table for each class of the corrected count, up to colours, with as many numbers as there are
/// positions modulo automorphisms and four mirror images. Either side may be to move, but one of the two colours is
/// enough. With four pieces, a first group of two has images that are itself, so there are a few holes.
#[test]
fn classes_and_numbers_are_those_of_the_count() {
    let game = DarkChessEnding::new(4, 8);
    for (pieces, classes, positions) in [(2, 8, 7_936), (3, 40, 952_320), (4, 144, 81_269_600)] {
        let mut found = (0, 0);
        for shape in &CLASSES.shapes {
            if shape.material.counts().iter().sum::<u32>() == pieces {
                found.0 += if shape.dual { 1 } else { 2 };
                found.1 += 4 * game.size(shape.class);
            }
        }
        assert_eq!(found.0, classes, "{pieces}");
        let share = found.1 as f64 / positions as f64;
        assert!((1.0..1.01).contains(&share), "{pieces}: {share}");
        if pieces < 4 {
            assert_eq!(found.1, positions, "{pieces}");
        }
    }
}

#[test]
fn numbers_of_small_boards_are_positions() {
    for (rows, cols, pieces) in [(1, 4, 3), (2, 3, 3), (3, 3, 3), (2, 4, 4)] {
        let game = DarkChessEnding::new(rows, cols);
        let classes = game.wanted(&pieces.to_string()).unwrap();
        // All numbers of a few classes of four pieces.
        let step = if pieces == 4 { 7 } else { 1 };
        for &class in classes.iter().step_by(step) {
            numbers_are_positions(&game, class, 0..game.size(class));
        }
    }
}

#[test]
fn numbers_of_the_whole_board_are_positions() {
    let (game, mut rng) = (DarkChessEnding::new(4, 8), Rng::new(1));
    for class in game.wanted(&MOST.to_string()).unwrap() {
        let size = game.size(class);
        let numbers: Vec<u64> = (0..40).map(|_| rng.below_wide(size)).collect();
        numbers_are_positions(&game, class, numbers.into_iter());
    }
    for name in ["KvK", "CvC", "KvC"] {
        numbers_are_positions(&game, class(name), 0..game.size(class(name)));
    }
}

/// The board of an image of a position, colours exchanged or not.
fn image(game: &DarkChessEnding, s: &State, image: u32, flip: bool) -> State {
    let Grid { rows, cols, .. } = game.grid;
    let mut to = State::empty(if flip { s.turn.other() } else { s.turn });
    for (cell, code) in s.pieces() {
        let (row, col) = (cell / cols, cell % cols);
        let row = if image & 1 == 0 { row } else { rows - 1 - row };
        let col = if image & 2 == 0 { col } else { cols - 1 - col };
        let kinds = KINDS as u32;
        let code = match (flip, code < FIRST_PIECE + kinds) {
            (false, _) => code,
            (true, true) => code + kinds,
            (true, false) => code - kinds,
        };
        to.put(row * cols + col, code);
    }
    to
}

fn random_position(game: &DarkChessEnding, material: &Pieces, rng: &mut Rng) -> State {
    let turn = if rng.below(2) == 0 { Side::Max } else { Side::Min };
    let mut s = State::empty(turn);
    for side in 0..2 {
        for kind in 0..KINDS {
            for _ in 0..material.0[side][kind] {
                loop {
                    let cell = rng.below(game.cells());
                    if s.at(cell) == EMPTY {
                        s.put(cell, code(side, kind));
                        break;
                    }
                }
            }
        }
    }
    s
}

/// Any material is the same game as the one that stands for it.
#[test]
fn all_materials_are_those_of_their_class() {
    let mut rng = Rng::new(2);
    for (rows, cols) in [(4, 8), (3, 3), (1, 7)] {
        let game = DarkChessEnding::new(rows, cols);
        for material in (2..=MOST).flat_map(Pieces::all).step_by(if rows == 4 { 1 } else { 5 }) {
            for _ in 0..4 {
                let s = random_position(&game, &material, &mut rng);
                places_are_equivalent(&game, &s);
                let place = game.place(&s).unwrap();
                for (turned, flip) in [(1, false), (2, true), (3, true)] {
                    let other = game.place(&image(&game, &s, turned, flip)).unwrap();
                    assert_eq!(other, Place { flip: place.flip != flip, ..place }, "{s:?}");
                }
            }
        }
    }
}

/// Solving all positions of small boards directly, and through the positions that stand for them, is the
/// same. The values by material show that these are no trivial games.
#[test]
fn values_are_those_of_the_positions_in_the_tables() {
    for (rows, cols, pieces) in [(1, 5, 3), (2, 3, 3), (3, 3, 3)] {
        let game = DarkChessEnding::new(rows, cols);
        let values = solved(&game, pieces);
        let mut shared: BTreeMap<(Class, u64), [u32; 3]> = BTreeMap::new();
        for (s, &value) in &values {
            let place = game.place(s).unwrap();
            let there = game.position(place.class, place.index).unwrap();
            let expected = place.outcome(values[&there], WIN);
            assert_eq!(Some(value), expected, "{}", game.position_text(s));
            let value = place.outcome(value, WIN).unwrap();
            shared.entry((place.class, place.index)).or_default()[usize::from(value.0)] += 1;
        }
        let total: u64 = game.wanted("3").unwrap().iter().map(|&class| game.size(class)).sum();
        assert!(shared.len() as u64 <= total && shared.len() * 20 < values.len());
        for outcome in 0..3 {
            assert!(shared.values().any(|counts| counts[outcome] > 0), "{outcome}");
        }
    }
}

#[test]
fn endings_are_named() {
    let game = DarkChessEnding::new(4, 8);
    let names = |text: &str| {
        let classes = game.wanted(text).unwrap();
        classes.iter().map(|&class| game.class_name(class)).collect::<Vec<_>>()
    };
    assert_eq!(names("2"), ["Pv", "Kvk", "Kva", "Kvc", "Cvc", "Cvp"]);
    for other in ["KvA", "avk", "RvH", "PvK", "KvP", "Rvp"] {
        assert_eq!(names(other), ["Pv", "Kva"], "{other}");
    }
    assert_eq!(names("Pv"), ["Pv"]);
    for (pieces, count) in [("2", 5), ("3", 5 + 20), ("4", 5 + 20 + 75)] {
        let classes = game.wanted(pieces).unwrap();
        assert_eq!(classes.len(), count + 1, "{pieces}");
        for (at, &class) in classes.iter().enumerate() {
            assert!(game.leads_to(class).iter().all(|below| classes[..at].contains(below)));
        }
    }
    for (text, at, message) in [
        ("", 0..0, "KPvCP"),
        ("6", 0..1, "2 to 5 pieces"),
        ("1", 0..1, "2 to 5 pieces"),
        ("KKvP", 1..2, "a set has 1"),
        ("KxvP", 1..2, "`x` is not a piece"),
        ("KvPv", 3..4, "`v` is not a piece"),
        ("KP", 0..2, "each side has a piece"),
        ("vKP", 0..3, "each side has a piece"),
        ("KPPvPPP", 6..7, "up to 5 pieces"),
    ] {
        let error = game.wanted(text).unwrap_err();
        assert!(error.message.contains(message), "{text}: {error}");
        assert_eq!(error.span, at, "{text}");
    }
    assert!(DarkChessEnding::new(1, 2).wanted("KPvA").is_err());
    assert_eq!(DarkChessEnding::new(1, 2).wanted("5").unwrap().len(), 6);
    // What is no class has no positions.
    for class in [Class(0), Class(2), Class(u64::MAX)] {
        assert_eq!((game.size(class), game.position(class, 0)), (0, None));
        assert!(game.leads_to(class).is_empty());
    }
}

/// Pieces of different kinds that take and are taken alike are one group.
#[test]
fn kinds_with_equal_relations_change_places() {
    let pieces = |name: &str| CLASSES.shape(class(name)).unwrap().clone();
    assert_eq!(class("AEvP"), class("RRvP"));
    assert_eq!(pieces("AEvP").fields.len(), 2);
    assert_eq!(class("AEvR"), class("AEvP"));
    assert_ne!(class("AEvE"), class("AEvP"));
    assert_eq!(pieces("AEvE").fields.len(), 3);
    let one = Pieces([[0, 0, 0, 0, 1, 1, 0], [1, 0, 0, 0, 0, 0, 0]]);
    let other = Pieces([[0, 0, 0, 2, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0]]);
    assert_eq!(one.canonical().form, other.canonical().form);
    assert_ne!(ByKind(&one).canonical().form, ByKind(&other).canonical().form);
    assert_eq!(one.renaming(&other), Some(vec![0, 1, 2]));
}
