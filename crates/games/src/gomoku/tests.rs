//! Tests of the rules and of the texts.

use foregone_model::{Guide as _, Notation as _, Rng, Typed as _};
use std::collections::{HashMap, HashSet};

use super::*;
use crate::testing::{self, COLUMNS, DIAGONAL, ROWS};
use crate::tic_tac_toe::TicTacToe;

/// The rule in so many words, cell by cell: as many in a row, or more if that is enough.
fn lined_slowly(size: u32, length: u32, has: impl Fn(i32, i32) -> bool) -> bool {
    let cells = (0..size * size).map(|c| ((c / size) as i32, (c % size) as i32));
    let inside = |i: i32| (0..size as i32).contains(&i);
    let mut lines = cells.flat_map(|(r, c)| {
        [(0, 1), (1, 0), (1, 1), (1, -1)].map(|(up, right)| {
            (0..length as i32).map(move |i| (r + up * i, c + right * i)).collect::<Vec<_>>()
        })
    });
    lines.any(|line| line.into_iter().all(|(r, c)| inside(r) && inside(c) && has(r, c)))
}

/// The same for lines of no more, stone by stone.
fn exactly_lined_slowly(size: u32, length: u32, has: impl Fn(i32, i32) -> bool) -> bool {
    let inside = |i: i32| (0..size as i32).contains(&i);
    let stone = |r: i32, c: i32| inside(r) && inside(c) && has(r, c);
    (0..size as i32).any(|r| {
        (0..size as i32).any(|c| {
            [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(|(up, right)| {
                let at = |i: i32| stone(r + up * i, c + right * i);
                !at(-1) && (0..length as i32).all(at) && !at(length as i32)
            })
        })
    })
}

/// Sets of cells of all densities.
fn random_set<W: Word>(cells: u32, rng: &mut Rng) -> W {
    let density = 30 + rng.below(71);
    (0..cells).filter(|_| rng.below(100) < density).fold(W::ZERO, |w, c| w | W::bit(c))
}

#[test]
fn lines_are_found() {
    fn check<W: Word>(sizes: std::ops::RangeInclusive<u32>) {
        let (mut rng, mut longer) = (Rng::new(1), 0);
        for size in sizes {
            for length in (SHORTEST..=size).filter(|&n| size < 12 || n < 7 || n == size) {
                let game: Gomoku<W> = Gomoku::new(size, length);
                let exact = game.clone().exactly();
                let mut found = 0;
                for _ in 0..200 {
                    let stones: W = random_set(size * size, &mut rng);
                    let has = |r: i32, c| stones.has(r as u32 * size + c as u32);
                    let slow = lined_slowly(size, length, has);
                    assert_eq!(game.lined(stones), slow, "{size},{length} {stones:?}");
                    found += u32::from(slow);
                    let stood = exactly_lined_slowly(size, length, has);
                    assert_eq!(exact.lined(stones), stood, "{size},{length} {stones:?}");
                    longer += u32::from(slow && !stood);
                    let s = State { stones: [W::ZERO, stones], turn: Side::Max };
                    for n in 1..=size {
                        let atom = game.read_atom(&format!("line(white,{n})")).unwrap();
                        assert_eq!(game.holds(&s, atom), lined_slowly(size, n, has));
                        let atom = game.read_atom(&format!("line(black,{n})")).unwrap();
                        assert!(!game.holds(&s, atom));
                    }
                }
                assert!(found > 0, "{size},{length}");
                // Each line that there is, alone on the board, and without one of its stones.
                for cell in 0..size * size {
                    for (stride, fits) in [
                        (1, cell % size + length <= size),
                        (size, cell / size + length <= size),
                        (size + 1, (cell % size).max(cell / size) + length <= size),
                        (size - 1, cell % size + 1 >= length && cell / size + length <= size),
                    ] {
                        if !fits {
                            continue;
                        }
                        let at = |i| W::bit(cell + i * stride);
                        let line = (0..length).fold(W::ZERO, |w, i| w | at(i));
                        assert!(game.lined(line));
                        assert!((0..length).all(|i| !game.lined(line & !at(i))));
                        assert!(exact.lined(line));
                    }
                }
            }
        }
        assert!(longer > 0);
    }
    check::<u64>(3..=8);
    check::<u128>(9..=11);
    check::<Quad>(12..=16);
    check::<Wide>(18..=19);
}

#[test]
fn the_smallest_board_is_tic_tac_toe() {
    let (one, two) = (Gomoku::<u64>::new(3, 3), TicTacToe::new());
    for depth in 1..=9 {
        let counts =
            (testing::perft(&one, &one.start(), depth), testing::perft(&two, &two.start(), depth));
        assert_eq!(counts.0, counts.1);
    }
    let value = testing::solve(&one, &one.start(), &mut HashMap::new());
    assert_eq!(one.scale().name(value), "draw");
}

#[test]
fn small_boards_have_their_values() {
    for (size, length, value) in [(3, 3, "draw"), (4, 3, "win")] {
        let game: Gomoku<u64> = Gomoku::new(size, length);
        let found = testing::solve(&game, &game.start(), &mut HashMap::new());
        assert_eq!(game.scale().name(found), value, "{}", game.name());
    }
    // Two open ends: Black can stop one of them only.
    let game: Gomoku<u64> = Gomoku::new(4, 3);
    let s = game.read_position("..../.oo./..../x..x black").unwrap();
    assert_eq!(testing::solve(&game, &s, &mut HashMap::new()), Outcome::LOSS);
}

#[test]
fn plays_are_counted() {
    // The counts of problems/oracle.py.
    let game: Gomoku<u64> = Gomoku::new(4, 3);
    let s = game.read_position_or_moves("moves:b2,c3,c2,b3,a1").unwrap();
    for (depth, count) in (1..).zip([11, 90, 666, 4032, 20_776]) {
        assert_eq!(testing::perft(&game, &s, depth), count);
    }
}

#[test]
fn more_than_enough_wins_too() {
    let game: Gomoku<u64> = Gomoku::new(7, 5);
    let s = game
        .read_position("xxx.xxx/......./......./......./......./......./ooooo.. black")
        .unwrap();
    assert_eq!((game.turn(&s), game.outcome(&s)), (Turn::Over, Outcome::LOSS));
    let mut s = game
        .read_position("xxx.xxx/......./......./......./......./......./oooo... black")
        .unwrap();
    let m = game.read_move(&s, "d7").unwrap();
    game.play(&mut s, Agent(0), m);
    assert_eq!((game.turn(&s), game.outcome(&s)), (Turn::Over, WIN));
}

#[test]
fn more_than_enough_does_not_win_where_it_must_be_exact() {
    let game: Gomoku<u64> = Gomoku::new(7, 5).exactly();
    for (row, over) in [("xxx.xxx", false), ("xxx.x.x", true), ("xxx.xx.", false)] {
        let position = format!("{row}/......./......./......./......./......./oooo.oo black");
        let mut s = game.read_position(&position).unwrap();
        let m = game.read_move(&s, "d7").unwrap();
        game.play(&mut s, Agent(0), m);
        assert_eq!(game.turn(&s) == Turn::Over, over, "{row}");
    }
    // Crossing lines: one is too long, the other one is not.
    let s = "......./......./x....../x....../x....../x....../.xxxxxx black";
    assert!(game.read_position(s).is_ok());
    let error = game.read_position(&s.replace(".xxxxxx", ".xxxxx.")).unwrap_err();
    assert!(error.message.contains("a line"), "{error}");
    let mut s = game
        .read_position("......./......./x....../x....../x....../x....../.oxxxx. black")
        .unwrap();
    let m = game.read_move(&s, "a1").unwrap();
    game.play(&mut s, Agent(0), m);
    assert_eq!((game.turn(&s), game.outcome(&s)), (Turn::Over, WIN));
    assert_eq!(game.name(), "gomoku:7,5,exact");
}

#[test]
fn either_colour_can_be_asked() {
    let game: Gomoku<u64> = Gomoku::new(4, 3);
    let mut s = game.start();
    for name in ["b2", "c2", "d2"] {
        assert_ne!(game.turn(&s), Turn::Over);
        let m = game.parse_move(&s, name).unwrap();
        game.play(&mut s, Agent(1), m);
        assert_eq!(s.turn, Side::Max);
    }
    assert_eq!((game.turn(&s), game.outcome(&s)), (Turn::Over, Outcome::LOSS));
    let atom = |text| game.read_atom(text).unwrap();
    assert!(game.holds(&s, atom("line(white,3)")) && !game.holds(&s, atom("line(white,4)")));
    assert!(game.holds(&s, atom("line(white, 1)")) && !game.holds(&s, atom("line(black,1)")));
    for text in ["", "line", "line()", "line(red,3)", "line(black,0)", "line(black,5)", "é(,)"] {
        assert_eq!(game.read_atom(text), None, "{text}");
    }
}

#[test]
fn packed_positions_differ() {
    let game: Gomoku<u64> = Gomoku::new(8, 5);
    let (mut states, mut packed) = (HashSet::new(), HashSet::new());
    let mut rng = Rng::new(2);
    for _ in 0..50 {
        for s in testing::random_play(&game, &mut rng) {
            for turn in [Side::Max, Side::Min] {
                let s = State { turn, ..s };
                states.insert(s);
                packed.insert(game.pack(&s));
            }
        }
    }
    assert_eq!(states.len(), packed.len());
}

#[test]
fn texts_round_trip() {
    for (size, length) in [(3, 3), (5, 4), (8, 5), (11, 5)] {
        testing::texts_round_trip(&Gomoku::<u128>::new(size, length), 20);
    }
    testing::texts_round_trip(&Gomoku::<Quad>::new(15, 5).exactly(), 5);
    testing::texts_round_trip(&Gomoku::<Wide>::new(19, 5), 5);
    testing::nonsense_is_refused(&Gomoku::<u64>::new(5, 4));
    let game: Gomoku<u64> = Gomoku::new(3, 3);
    assert!(game.read_position("xxx/oo./... black").is_err());
    let s = game.read_position_or_moves("moves:a1,b3").unwrap();
    assert_eq!(game.position_text(&s), ".o./.../x.. black");
    assert_eq!(game.draw(&s), "  3  . o .\n  2  . . .\n  1  x . .\n     a b c\n");
}

#[test]
fn both_words_play_the_same_game() {
    for (size, length) in [(3, 3), (5, 4), (8, 6)] {
        let (one, two) = (Gomoku::<u64>::new(size, length), Gomoku::<u128>::new(size, length));
        testing::same_game(&one, &two, 50);
        testing::same_game(&one, &Gomoku::<Quad>::new(size, length), 20);
        testing::same_game(&one.exactly(), &Gomoku::<Wide>::new(size, length).exactly(), 20);
    }
}

#[test]
fn images_are_alike() {
    for (size, length) in [(3, 3), (4, 3), (8, 5)] {
        let images = [COLUMNS, ROWS, DIAGONAL];
        let game = Gomoku::<u64>::new(size, length);
        testing::images_are_alike(&game, 20, &images, 8, size == 3);
        let game = Gomoku::<u128>::new(size, length);
        testing::images_are_alike(&game, 20, &images, 8, false);
    }
    let game = Gomoku::<u128>::new(11, 5);
    testing::images_are_alike(&game, 3, &[COLUMNS, ROWS, DIAGONAL], 8, false);
    let game = Gomoku::<Quad>::new(15, 5);
    testing::images_are_alike(&game, 2, &[COLUMNS, ROWS, DIAGONAL], 8, false);
    let game = Gomoku::<Wide>::new(19, 5);
    testing::images_are_alike(&game, 1, &[COLUMNS, ROWS, DIAGONAL], 8, false);
}

#[test]
fn the_centre_comes_first() {
    let game: Gomoku<u64> = Gomoku::new(3, 3);
    let names = testing::ordered_names(&game, &game.start());
    assert_eq!(names, ["b2", "b1", "a2", "c2", "b3", "a1", "c1", "a3", "c3"]);
}

#[test]
fn playouts_are_uniform() {
    testing::playouts_are_uniform(&Gomoku::<u64>::new(3, 3), 4);
    testing::playouts_are_uniform(&Gomoku::<u64>::new(4, 3), 2);
}
