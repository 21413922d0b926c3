//! Tests of the numbers of positions.

use std::collections::HashMap;

use foregone_model::{Game as _, Rng, Turn};

use super::*;
use crate::table_testing::{numbers_are_positions, places_are_equivalent};
use crate::testing;

type Board = Breakthrough<u64>;

#[test]
fn all_numbers_of_small_boards_are_positions() {
    for (rows, cols) in [(4, 1), (6, 1), (4, 2), (5, 2), (4, 3)] {
        let game = Board::new(rows, cols);
        let classes = game.wanted("").unwrap();
        assert_eq!(classes.len() as u32, 1 + cols * (2 * cols + 1), "{rows}x{cols}");
        for class in classes {
            numbers_are_positions(&game, class, 0..game.size(class));
        }
    }
}

#[test]
fn numbers_of_large_boards_are_positions() {
    let mut rng = Rng::new(1);
    for (rows, cols, class) in [(4, 4, "8-8"), (5, 4, "8-7"), (8, 8, "3-2"), (6, 3, "6-6")] {
        let game = Board::new(rows, cols);
        let class = *game.wanted(class).unwrap().last().unwrap();
        let size = game.size(class);
        numbers_are_positions(&game, class, (0..3000).map(|_| rng.below_wide(size)));
    }
}

/// Any pieces on the board, of either side to move.
fn random_position(game: &Board, rng: &mut Rng) -> State<u64> {
    let mut pieces = [0; 2];
    let density = 2 + rng.below(8);
    for cell in 0..game.cells() {
        if rng.below(10) < density {
            pieces[rng.below(2) as usize] |= u64::bit(cell);
        }
    }
    let [white, black] = [game.far[0], game.far[1]];
    // Some of them are over.
    if rng.below(4) > 0 {
        pieces = [pieces[0] & !white, pieces[1] & !black];
    }
    State { pieces, turn: [Side::Max, Side::Min][rng.below(2) as usize] }
}

#[test]
fn images_share_a_number() {
    let mut rng = Rng::new(2);
    for (rows, cols) in [(4, 2), (4, 3), (4, 4), (5, 4), (6, 3)] {
        let game = Board::new(rows, cols);
        let (mut over, mut seen) = (0, 0);
        for _ in 0..3000 {
            let s = random_position(&game, &mut rng);
            let twice = [0, 1].map(|i| s.pieces[i] & game.far[i] != 0) == [true, true];
            if twice || s.pieces.iter().all(|&set| set == 0) {
                continue;
            }
            let Some(place) = game.place(&s) else {
                assert!(s.pieces.iter().any(|set| set.count() > 2 * cols), "{s:?}");
                continue;
            };
            seen += 1;
            over += u32::from(place.class == OVER);
            places_are_equivalent(&game, &s);
            let mirrored = State { pieces: game.mirrored(s.pieces), ..s };
            assert_eq!(game.place(&mirrored), Some(place), "{s:?}");
            let turn = |set: u64| set.reversed() >> (64 - game.cells());
            let pieces = [turn(s.pieces[1]), turn(s.pieces[0])];
            let turned = game.place(&State { pieces, turn: s.turn.other() }).unwrap();
            // Where both have as many pieces, or the game is over, the players are exchanged.
            assert_eq!(turned, Place { flip: !place.flip, ..place }, "{s:?}");
        }
        assert!(over > 100 && seen > over + 100, "{rows}x{cols} {seen} {over}");
    }
}

/// What the rules alone make of a class, by trying everything, for a sample of its numbers.
#[test]
fn what_a_number_is_worth_is_what_its_position_is_worth() {
    let (game, mut rng) = (Board::new(4, 3), Rng::new(3));
    let mut memo = HashMap::new();
    for _ in 0..2000 {
        let s = random_position(&game, &mut rng);
        let Some(place) = game.place(&s).filter(|place| place.class != OVER) else { continue };
        let there = game.position(place.class, place.index).unwrap();
        let value = testing::solve(&game, &there, &mut memo);
        let here = place.outcome(value, Outcome::WIN).unwrap();
        assert_eq!(testing::solve(&game, &s, &mut memo), here, "{s:?}");
        assert_eq!(game.turn(&s) == Turn::Over, game.turn(&there) == Turn::Over);
    }
    assert!(memo.len() > 1000);
}

#[test]
fn classes_are_named_and_large_boards_refused() {
    let game = Board::new(4, 4);
    let names = |text| {
        let classes = game.wanted(text).unwrap();
        classes.into_iter().map(|class| game.class_name(class)).collect::<Vec<_>>()
    };
    assert_eq!(names("2-1"), ["over", "1-1", "2-1"]);
    assert_eq!(names("1-2"), names("2-1"));
    assert_eq!(names("").last().unwrap(), "8-8");
    assert_eq!(names("").len(), 37);
    for (text, message) in
        [("9-1", "1 to 8 pieces"), ("0-1", "1 to 8 pieces"), ("x", "`3-2`"), ("2-", "1 to 8")]
    {
        assert!(game.wanted(text).unwrap_err().message.contains(message), "{text}");
    }
    // As many arrangements as there are, and one for what is over.
    for (rows, cols, numbers) in [(4, 3, 43_886), (4, 4, 1_633_656), (5, 4, 109_605_520)] {
        let game = Board::new(rows, cols);
        let classes = game.wanted("").unwrap();
        let all: u64 = classes.iter().map(|&class| game.size(class)).sum();
        assert_eq!(all, numbers, "{rows}x{cols}");
    }
    for (rows, cols) in [(6, 6), (8, 8), (4, 16)] {
        let error = Board::new(rows, cols).wanted("").unwrap_err();
        assert!(error.message.contains(&format!("breakthrough:{rows}x{cols}")), "{error}");
        assert!(Board::new(rows, cols).wanted("2-2").is_ok());
    }
    assert_eq!((game.size(Class(1)), game.size(Class(u64::MAX))), (0, 0));
}
