//! Tests of Awari and of its numbers.

use foregone_model::{Indexed as _, Rng, Tabled as _};

use super::*;
use crate::table_testing::{numbers_are_positions, places_are_equivalent};
use crate::testing;

const ALL: [GrandSlam; 3] = [GrandSlam::TakesNothing, GrandSlam::TakesAll, GrandSlam::Forbidden];

#[test]
fn the_last_seed_decides() {
    let game = |slam| Awari::new(3, 3, slam);
    for (text, name, after) in [
        // Twos and threes are captured backwards, up to the first other number.
        ("0,1,3+1/4,1,2+0 south", "3", ["0,1,0+6/5,0,0+0 north"; 3].as_slice()),
        // Not on the own side, and not where the last seed makes four.
        ("1,1,1+0/1,0,0+0 south", "1", &["0,2,1+0/1,0,0+0 north"; 3]),
        ("1,1,1+0/3,0,0+0 south", "3", &["1,1,0+0/4,0,0+0 north"; 3]),
        // Round the board: the pit of origin is left out.
        ("7,0,0+0/1,1,0+0 south", "1", &["0,2,2+0/2,2,1+0 north"; 3]),
        // Everything of the opponent.
        ("0,1,1+2/1,0,0+3 south", "3", &["0,1,0+2/2,0,0+3 north", "0,1,0+4/0,0,0+3 north", ""]),
        ("0,0,1+2/1,0,0+3 south", "3", &["0,0,0+2/2,0,0+3 north"]),
    ] {
        for (slam, &after) in ALL.into_iter().zip(after) {
            let game = game(slam);
            let mut s = game.read_position(text).unwrap();
            let mut moves = Vec::new();
            game.moves(&s, s.turn.agent(), &mut moves);
            let m = game.parse_move(&s, name).unwrap();
            assert_eq!(moves.contains(&m), !after.is_empty(), "{text} {name} {slam:?}");
            if moves.contains(&m) {
                let agent = s.turn.agent();
                game.play(&mut s, agent, m);
                assert_eq!(game.position_text(&s), after, "{text} {name} {slam:?}");
            }
        }
    }
}

#[test]
fn who_has_no_seeds_is_given_one_if_that_can_be() {
    for slam in ALL {
        let game = Awari::new(3, 3, slam);
        for (text, moves) in [
            ("1,1,1+0/0,0,0+2 south", vec!["3"]),
            ("3,0,0+0/0,0,0+2 south", vec!["1"]),
            ("1,1,0+0/0,0,0+2 south", vec!["1", "2"]),
            ("0,0,0+2/1,0,1+2 north", vec!["3"]),
        ] {
            let s = game.read_position(text).unwrap();
            let mut names = testing::ordered_names(&game, &s);
            names.sort();
            assert_eq!(names, moves, "{text} {slam:?}");
        }
    }
}

#[test]
fn who_cannot_move_ends_the_game() {
    let game = Awari::new(3, 3, GrandSlam::TakesNothing);
    for (text, score) in [
        ("0,0,0+3/1,0,4+5 south", "-7"),
        ("2,0,1+3/0,0,0+5 north", "+1"),
        ("0,0,0+0/0,0,0+0 north", "0"),
    ] {
        let s = game.read_position(text).unwrap();
        assert_eq!(game.turn(&s), Turn::Over, "{text}");
        assert_eq!(game.scale().name(game.outcome(&s)), score, "{text}");
    }
    let s = game.read_position("2,0,1+3/0,1,0+5 north").unwrap();
    assert_eq!(game.endless_from(&s), Endless::Scores(game.scale().find("-2").unwrap()));
}

/// The rules once more, on one list of pits, for who is to move.
struct Slow {
    pits: usize,
    slam: GrandSlam,
}

impl Slow {
    /// Boards after all moves, seen by the opponent, and what was captured.
    fn moves(&self, board: &[u32]) -> Vec<(Vec<u32>, u32)> {
        let half = self.pits;
        let mut found: Vec<(usize, Vec<u32>, u32)> = Vec::new();
        for from in (0..half).filter(|&from| board[from] > 0) {
            let mut next = board.to_vec();
            next[from] = 0;
            let others: Vec<usize> = (1..2 * half).map(|by| (from + by) % (2 * half)).collect();
            let mut last = from;
            for seed in 0..board[from] as usize {
                last = others[seed % others.len()];
                next[last] += 1;
            }
            let mut taken = next.clone();
            let mut at = last;
            while at >= half && (taken[at] == 2 || taken[at] == 3) {
                taken[at] = 0;
                at -= 1;
            }
            let left = taken[half..].iter().sum::<u32>();
            let captured = next.iter().sum::<u32>() - taken.iter().sum::<u32>();
            if captured > 0 && left == 0 && self.slam == GrandSlam::TakesNothing {
                found.push((from, next, 0));
            } else {
                found.push((from, taken, captured));
            }
        }
        let feeds = |from: usize| from + board[from] as usize >= half;
        let good = |(from, next, _): &(usize, Vec<u32>, u32)| match self.slam {
            GrandSlam::Forbidden => next[half..].iter().any(|&n| n > 0),
            _ => board[half..].iter().any(|&n| n > 0) || feeds(*from),
        };
        if found.iter().any(good) {
            found.retain(good);
        }
        let turned = |board: Vec<u32>| [&board[half..], &board[..half]].concat();
        found.into_iter().map(|(_, next, captured)| (turned(next), captured)).collect()
    }
}

#[test]
fn plays_agree_with_a_list() {
    let mut rng = Rng::new(1);
    let (mut slams, mut rounds) = (0, 0);
    for slam in ALL {
        for (pits, seeds) in [(1, 1), (1, 9), (1, 60), (2, 2), (2, 30), (3, 2), (4, 3), (6, 4)] {
            let game = Awari::new(pits, seeds, slam);
            let slow = Slow { pits: pits as usize, slam };
            for _ in 0..60 {
                let mut s = game.start();
                for _ in 0..100 {
                    let Some(agent) = game.turn(&s).mover() else { break };
                    let mut moves = Vec::new();
                    game.moves(&s, agent, &mut moves);
                    let ring = |s: &State| {
                        s.ring(game.pits)[..2 * game.pits].iter().map(|&n| u32::from(n)).collect()
                    };
                    let board: Vec<u32> = ring(&s);
                    let expected = slow.moves(&board);
                    assert_eq!(moves.len(), expected.len(), "{s:?} {slam:?}");
                    for (&m, (after, captured)) in moves.iter().zip(expected) {
                        let mut next = s;
                        game.play(&mut next, agent, m);
                        let side = Side::of(agent).index();
                        assert_eq!(ring(&next), after, "{s:?} {m}");
                        assert_eq!(u32::from(next.stores[side] - s.stores[side]), captured);
                        let all = next.on_board() + count(&next.stores);
                        assert_eq!(all, game.total(), "{s:?} {m}");
                        slams += u32::from(captured > 0 && next.filled(next.turn) == 0);
                        rounds += u32::from(board[usize::from(m)] as usize >= 2 * game.pits);
                    }
                    game.play(&mut s, agent, moves[rng.below(moves.len() as u32) as usize]);
                }
            }
        }
    }
    assert!(slams > 50 && rounds > 100, "{slams} {rounds}");
}

#[test]
fn numbers_are_positions_of_small_boards() {
    for slam in ALL {
        for (pits, seeds, most) in [(1, 20, 40), (2, 6, 16), (3, 3, 9), (4, 2, 6), (6, 1, 4)] {
            let game = Awari::new(pits, seeds, slam);
            for n in 0..=most {
                let class = foregone_model::Class(n);
                numbers_are_positions(&game, class, 0..game.size(class));
            }
        }
    }
}

#[test]
fn positions_with_captured_seeds_are_those_of_the_table() {
    let mut rng = Rng::new(2);
    for slam in ALL {
        for (pits, seeds) in [(2, 3), (3, 2), (4, 2), (6, 4)] {
            let game = Awari::new(pits, seeds, slam);
            let (mut flipped, mut shifted) = (0, 0);
            for _ in 0..50 {
                let mut s = game.start();
                for _ in 0..60 {
                    places_are_equivalent(&game, &s);
                    let place = game.place(&s).unwrap();
                    flipped += u32::from(place.flip);
                    shifted += u32::from(place.shift != 0);
                    let Some(agent) = game.turn(&s).mover() else { break };
                    let mut moves = Vec::new();
                    game.moves(&s, agent, &mut moves);
                    game.play(&mut s, agent, moves[rng.below(moves.len() as u32) as usize]);
                }
            }
            assert!(flipped > 20 && shifted > 5, "{} {flipped} {shifted}", game.name());
        }
    }
}

#[test]
fn tables_are_asked_for_by_seeds() {
    let game = Awari::new(6, 4, GrandSlam::TakesNothing);
    let wanted = |text| game.wanted(text).map(|classes| classes.len());
    assert_eq!(wanted("0"), Ok(1));
    assert_eq!(wanted("12"), Ok(13));
    assert_eq!(wanted("48"), Ok(49));
    for text in ["", "49", "-1", "012", "x", "1 "] {
        assert!(wanted(text).is_err(), "{text}");
    }
    let small = Awari::new(2, 2, GrandSlam::TakesNothing);
    assert_eq!(small.wanted("").unwrap().len(), 9);
}

#[test]
fn texts_round_trip() {
    for (pits, seeds) in [(1, 1), (3, 2), (6, 4), (2, 30)] {
        testing::texts_round_trip(&Awari::new(pits, seeds, GrandSlam::TakesNothing), 10);
    }
    let game = Awari::new(3, 2, GrandSlam::Forbidden);
    testing::nonsense_positions_are_refused(&game);
    for text in ["", "0", "4", "01", "+1", "a", "é", "1 "] {
        assert_eq!(game.parse_move(&game.start(), text), None, "{text}");
    }
    // Fewer seeds than the start has can be typed, more cannot.
    for (text, span) in [
        ("2,2,2+0/2,2,2+1 south", Some(0..15)),
        ("2,2,2+0/2,2,13+0 south", Some(12..14)),
        ("2,2,2+0 south", Some(0..7)),
        ("0,0,1+0/0,0,0+0 south", None),
        ("0,0,1+3/0,0,0+1 north", None),
    ] {
        assert_eq!(game.read_position(text).err().map(|e| e.span), span, "{text}");
    }
}

#[test]
fn names_say_what_is_not_usual() {
    for (spec, name) in [
        ("awari", "awari:6,4"),
        ("awari:3", "awari:3,4"),
        ("awari:2,2,takes-nothing", "awari:2,2"),
        ("awari:2,2,takes-all", "awari:2,2,takes-all"),
        ("awari:2,2,forbidden", "awari:2,2,forbidden"),
    ] {
        let files = crate::files::Files::from_disk();
        assert_eq!(crate::registry::open(&files, spec).unwrap().name(), name);
    }
    for spec in ["awari:7,1", "awari:6,11", "awari:2,2,none", "awari:0,1", "awari:2,2,forbidden,1"]
    {
        let files = crate::files::Files::from_disk();
        assert!(crate::registry::open(&files, spec).is_err(), "{spec}");
    }
}

#[test]
fn captures_come_first() {
    let game = Awari::new(3, 3, GrandSlam::TakesNothing);
    let s = game.read_position("3,1,1+0/1,2,1+0 south").unwrap();
    assert_eq!(testing::ordered_names(&game, &s), ["3", "1", "2"]);
    testing::images_are_alike(&game, 20, &[], 1, false);
}
