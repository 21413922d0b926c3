//! Tests of the rules of Connect Four.

use foregone_model::{Notation as _, Rng, Typed as _};

use super::notation::SYMBOLS;
use super::*;
use crate::testing::{self, COLUMNS};

#[test]
fn lines_do_not_wrap_around_columns() {
    // Four stones that are neighbours as bits but not on the board.
    let game = ConnectFour::<u64>::new(6, 7);
    let text = "......./......./......./......./o......o/xxx.x.o"; // too long a row
    assert!(game.read_position(&format!("{text} yellow")).is_err());
    for game in [(4u32, 4u32), (5, 4), (1, 5), (4, 1), (6, 7)] {
        let wide = ConnectFour::<u128>::new(game.0, game.1);
        let small = ConnectFour::<u64>::new(game.0, game.1);
        let mut rng = Rng::new(1);
        for _ in 0..200 {
            let (mut a, mut b) = (small.start(), wide.start());
            while let Some(agent) = small.turn(&a).mover() {
                assert_eq!(wide.turn(&b), Turn::Agent(agent));
                let mut moves = Vec::new();
                small.moves(&a, agent, &mut moves);
                let m = moves[rng.below(moves.len() as u32) as usize];
                small.play(&mut a, agent, m);
                wide.play(&mut b, agent, m);
                assert_eq!(small.just_won(&a), slow_win(&small, &a), "{}", small.draw(&a));
            }
            assert_eq!(wide.turn(&b), Turn::Over);
            assert_eq!(small.outcome(&a), wide.outcome(&b));
        }
    }
}

#[test]
fn images_are_alike() {
    for (rows, cols) in [(1, 6), (3, 4), (4, 4), (6, 7), (5, 2), (4, 1)] {
        let most = if cols == 1 { 1 } else { 2 };
        let solved = rows * cols <= 12;
        let game = ConnectFour::<u64>::new(rows, cols);
        testing::images_are_alike(&game, 30, &[COLUMNS], most, solved);
        let game = ConnectFour::<u128>::new(rows, cols);
        testing::images_are_alike(&game, 30, &[COLUMNS], most, solved);
    }
    for (rows, cols) in [(8, 9), (1, 64), (61, 1)] {
        let most = if cols == 1 { 1 } else { 2 };
        let game = ConnectFour::<u128>::new(rows, cols);
        testing::images_are_alike(&game, 10, &[COLUMNS], most, false);
    }
}

#[test]
fn completing_cells_are_those_that_win() {
    let mut rng = Rng::new(2);
    for (rows, cols) in [(1, 7), (4, 4), (6, 7), (9, 3), (29, 2)] {
        let game = ConnectFour::<u64>::new(rows, cols);
        for _ in 0..200 {
            let stones = (rng.bits() & rng.bits()) & game.lines.full;
            for cell in (game.lines.full & !stones).cells() {
                let new = game.lines.four(stones | u64::bit(cell)) && !game.lines.four(stones);
                if !game.lines.four(stones) {
                    assert_eq!(game.lines.completing(stones).has(cell), new, "{rows}x{cols}");
                }
            }
        }
    }
}

#[test]
fn urgent_moves_come_first() {
    let game = ConnectFour::<u64>::new(6, 7);
    assert_eq!(testing::ordered_names(&game, &game.start()), ["4", "3", "5", "2", "6", "1", "7"]);
    let s = game.read_position("112233").unwrap();
    assert_eq!(testing::ordered_names(&game, &s)[0], "4");
    // Red must stop Yellow's three in column 1; nothing wins.
    let s = game.read_position("2171316").unwrap();
    assert_eq!(testing::ordered_names(&game, &s)[0], "1");
}

fn slow_win(game: &ConnectFour<u64>, s: &State<u64>) -> bool {
    let who = [SYMBOLS[1], SYMBOLS[2]][s.turn.other().index()];
    let at = |r: i64, c: i64| {
        (0..i64::from(game.rows)).contains(&r)
            && (0..i64::from(game.cols)).contains(&c)
            && game.symbol(s, r as u32, c as u32) == who
    };
    let lines = [(0, 1), (1, 0), (1, 1), (1, -1)];
    (0..i64::from(game.rows)).any(|r| {
        (0..i64::from(game.cols))
            .any(|c| lines.iter().any(|&(dr, dc)| (0..4).all(|k| at(r + k * dr, c + k * dc))))
    })
}

#[test]
fn columns_are_a_position() {
    let game = ConnectFour::<u64>::new(6, 7);
    let by_columns = game.read_position("4453").unwrap();
    let by_moves = game.read_position_or_moves("moves:4,4,5,3").unwrap();
    assert_eq!(by_columns, by_moves);
    let error = game.read_position("44489").unwrap_err();
    assert_eq!(error.span, 3..4);
}

#[test]
fn impossible_positions_are_refused() {
    let game = ConnectFour::<u64>::new(4, 4);
    for text in [
        "..../x.../..../.... yellow",
        "..../..../..../x... red",
        "..../..../.o../xxxx red",
        "..../..../..../..../ red",
        "..../..../..../.... green",
        "..../..../..../...",
    ] {
        assert!(game.read_position(text).is_err(), "{text}");
    }
}
