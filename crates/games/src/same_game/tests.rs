//! Tests of SameGame.

use std::collections::HashMap;

use foregone_model::{Notation as _, Typed as _};

use super::*;
use crate::testing::{self, Image};

/// The rules once more: columns as lists, from left to right and from below.
#[derive(Clone, Debug, PartialEq)]
struct Slow(Vec<Vec<char>>);

impl Slow {
    fn read(text: &str) -> Slow {
        let rows: Vec<Vec<char>> = text
            .split(' ')
            .next()
            .unwrap()
            .split('/')
            .rev()
            .map(|row| row.chars().collect())
            .collect();
        let column = |c: usize| rows.iter().map(|r| r[c]).filter(|&x| x != '.').collect();
        let mut columns: Vec<Vec<char>> = (0..rows[0].len()).map(column).collect();
        columns.retain(|c| !c.is_empty());
        Slow(columns)
    }

    fn group(&self, start: (usize, usize)) -> Vec<(usize, usize)> {
        let at = |(c, r): (usize, usize)| self.0.get(c).and_then(|col| col.get(r));
        let mut group = vec![start];
        let mut next = 0;
        while next < group.len() {
            let (c, r) = group[next];
            next += 1;
            for cell in [(c + 1, r), (c.wrapping_sub(1), r), (c, r + 1), (c, r.wrapping_sub(1))] {
                if at(cell).is_some() && at(cell) == at(start) && !group.contains(&cell) {
                    group.push(cell);
                }
            }
        }
        group.sort();
        group
    }

    fn without(&self, group: &[(usize, usize)]) -> Slow {
        let keep = |c: usize| {
            let column = self.0[c].iter().enumerate();
            column.filter(|&(r, _)| !group.contains(&(c, r))).map(|(_, &x)| x).collect()
        };
        let mut columns: Vec<Vec<char>> = (0..self.0.len()).map(keep).collect();
        columns.retain(|c| !c.is_empty());
        Slow(columns)
    }

    /// The lowest cells of the groups that can be taken, and the groups.
    fn moves(&self) -> Vec<(String, Vec<(usize, usize)>)> {
        let mut moves = Vec::new();
        for (c, column) in self.0.iter().enumerate() {
            for r in 0..column.len() {
                let group = self.group((c, r));
                if group[0] == (c, r) && group.len() >= 2 {
                    moves.push((format!("{}{}", (b'a' + c as u8) as char, r + 1), group));
                }
            }
        }
        moves
    }
}

#[test]
fn plays_agree_with_a_board_without_bits() {
    let mut rng = Rng::new(1);
    for (rows, cols, colours) in
        [(1, 1, 1), (1, 9, 2), (9, 1, 2), (4, 4, 3), (5, 7, 7), (8, 8, 2), (2, 26, 3)]
    {
        for seed in 0..10 {
            let game = SameGame::<u64>::new(rows, cols, colours, seed);
            let mut s = game.start();
            let mut slow = Slow::read(&game.position_text(&s));
            let mut score = 0;
            loop {
                let moves = slow.moves();
                assert_eq!(game.turn(&s) == Turn::Over, moves.is_empty(), "{s:?}");
                if moves.is_empty() {
                    break;
                }
                let mut found = Vec::new();
                game.moves(&s, Agent(0), &mut found);
                let names: Vec<String> = found.iter().map(|&m| game.move_text(&s, m)).collect();
                let expected: Vec<&String> = moves.iter().map(|(name, _)| name).collect();
                assert_eq!(names.iter().collect::<Vec<_>>(), expected);
                let pick = rng.below(moves.len() as u32) as usize;
                game.play(&mut s, Agent(0), found[pick]);
                slow = slow.without(&moves[pick].1);
                score += (moves[pick].1.len() - 2).pow(2);
                assert_eq!(Slow::read(&game.position_text(&s)), slow);
                assert_eq!(usize::from(s.score), score);
            }
        }
    }
}

#[test]
fn a_board_and_its_play() {
    let game = SameGame::<u64>::new(4, 4, 3, 1);
    assert_eq!(game.position_text(&game.start()), "2332/2332/1322/2221 0");
    // The lowest cells, two columns of which reach up to the right: seven in all.
    let s = game.read_position_or_moves("moves:a1").unwrap();
    assert_eq!(game.position_text(&s), "..../23../233./1331 25");
    assert_eq!(game.draw(&s).lines().last(), Some("score 25"));
    // The threes fall and the last column moves up.
    let s = game.read_position_or_moves("moves:a1,b1").unwrap();
    assert_eq!(game.position_text(&s), "..../2.../2.../11.. 34");
}

#[test]
fn small_boards_by_hand() {
    let game = SameGame::<u64>::new(3, 3, 2, 1);
    for (board, value) in [
        // The twos in the middle go first, and the ones close ranks: six of them.
        ("1.1/121/121 0", "16"),
        ("11./22./11. 0", "4"),
        ("1../2../1.. 0", "0"),
        ("1../1../1.. 3", "4"),
    ] {
        let s = game.read_position(board).unwrap();
        let found = testing::solve(&game, &s, &mut HashMap::new());
        assert_eq!(game.scale().name(found), value, "{board}");
    }
}

#[test]
fn texts_round_trip() {
    for (rows, cols, colours) in [(1, 1, 1), (4, 4, 3), (8, 8, 5), (3, 12, 7)] {
        testing::texts_round_trip(&SameGame::<u64>::new(rows, cols, colours, 7), 20);
    }
    testing::texts_round_trip(&SameGame::<u128>::new(10, 12, 5, 7), 5);
    testing::nonsense_is_refused(&SameGame::<u64>::new(3, 4, 3, 2));
}

#[test]
fn impossible_positions_are_refused() {
    let game = SameGame::<u64>::new(2, 3, 2, 1);
    for (text, span) in [
        ("1../... 0", 0..1),
        ("1.../.1. 0", 0..4),
        (".../.12 0", 5..6),
        (".../1.2 0", 6..7),
        (".../123 0", 6..7),
        (".../112 x", 8..9),
        (".../112 00", 8..10),
        (".../112 9", 8..9),
        ("111/111 0", 0..7),
        (".../112", 7..7),
    ] {
        assert_eq!(game.read_position(text).unwrap_err().span, span, "{text}");
    }
}

#[test]
fn both_words_play_the_same_game() {
    for (rows, cols) in [(4, 4), (8, 8), (1, 40)] {
        let one = SameGame::<u64>::new(rows, cols, 3, 5);
        testing::same_game(&one, &SameGame::<u128>::new(rows, cols, 3, 5), 20);
    }
}

#[test]
fn images_are_alike() {
    // Mirrored, and moved to the left where empty columns have come.
    const MIRRORED: Image = |rows| {
        let empty = rows[rows.len() - 1].iter().filter(|&&c| c == '.').count();
        let mirror = |row: &Vec<char>| {
            let mut row: Vec<char> = row.iter().rev().copied().collect();
            row.rotate_left(empty);
            row
        };
        rows.iter().map(mirror).collect()
    };
    fn renamed(rows: &[Vec<char>], to: &str) -> Vec<Vec<char>> {
        let name = |&c: &char| match c.to_digit(10) {
            Some(colour) => to.chars().nth(colour as usize - 1).unwrap(),
            None => c,
        };
        rows.iter().map(|row| row.iter().map(name).collect()).collect()
    }
    let two: [Image; 2] = [MIRRORED, |rows| renamed(rows, "21")];
    let three: [Image; 3] = [MIRRORED, |rows| renamed(rows, "213"), |rows| renamed(rows, "231")];
    for seed in 0..4 {
        let game = SameGame::<u64>::new(3, 4, 2, seed);
        testing::images_are_alike(&game, 20, &two, 4, true);
        let game = SameGame::<u64>::new(4, 4, 3, seed);
        testing::images_are_alike(&game, 20, &three, 12, true);
    }
    testing::images_are_alike(&SameGame::<u64>::new(8, 8, 3, 1), 5, &three, 12, false);
    testing::images_are_alike(&SameGame::<u128>::new(9, 14, 3, 1), 3, &three, 12, false);
}
