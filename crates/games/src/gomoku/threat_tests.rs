//! Threats, wins by threats, and what confirms them, against slow definitions and brute force.

use std::collections::HashMap;

use foregone_model::{
    Agent, Claim, Game, Guide as _, Known, Notation as _, Outcome, Rng, Side, Turn,
};

use super::space::Search;
use super::{Gomoku, State};
use crate::board::Word;
use crate::testing;
use crate::wide::{Quad, Wide};

/// The cells that win at once, by the rules.
fn wins_slowly<W: Word>(game: &Gomoku<W>, own: W, other: W) -> Vec<u32> {
    let free = game.grid.full & !(own | other);
    free.cells().filter(|&m| game.lined(own | W::bit(m))).collect()
}

/// Whether fours alone win, by trying all.
fn fours_slowly<W: Word>(game: &Gomoku<W>, own: W, other: W, left: &mut u32) -> Option<bool> {
    *left = left.checked_sub(1)?;
    if !wins_slowly(game, own, other).is_empty() {
        return Some(true);
    }
    let free = game.grid.full & !(own | other);
    for m in free.cells() {
        let own = own | W::bit(m);
        let next = wins_slowly(game, own, other);
        if next.is_empty() || !wins_slowly(game, other, own).is_empty() {
            continue;
        }
        if next.len() > 1 || fours_slowly(game, own, other | W::bit(next[0]), left)? {
            return Some(true);
        }
    }
    Some(false)
}

/// Stones thrown at random, without a line; those of the two sides are about as many.
fn random_stones<W: Word>(game: &Gomoku<W>, rng: &mut Rng) -> [W; 2] {
    let cells = game.grid.rows * game.grid.cols;
    let share = 5 + rng.below(55);
    loop {
        let mut stones = [W::ZERO; 2];
        for cell in (0..cells).filter(|_| rng.below(100) < share).collect::<Vec<_>>() {
            let side = rng.below(2) as usize;
            stones[side] = stones[side] | W::bit(cell);
        }
        if stones.iter().all(|&x| !game.lined(x))
            && !(game.grid.full & !(stones[0] | stones[1])).is_empty()
        {
            return stones;
        }
    }
}

fn cells<W: Word>(set: W) -> Vec<u32> {
    set.cells().collect()
}

fn threats_are_those_of_the_rules<W: Word>(game: &Gomoku<W>, rounds: u32) {
    let mut rng = Rng::new(3);
    let (mut fours, mut threes) = (0, 0);
    for _ in 0..rounds {
        let [own, other] = random_stones(game, &mut rng);
        let free = game.grid.full & !(own | other);
        let [one, two, three] = game.needing(own, free);
        let wins = wins_slowly(game, own, other);
        assert_eq!(cells(one), wins);
        assert_eq!(game.completing(own, free), one);
        let s = State { stones: [other, own], turn: Side::Max };
        let (mut found, mut finishing) = (Vec::new(), Vec::new());
        game.finishing(&s, Agent(1), &mut finishing);
        assert_eq!(finishing.into_iter().map(u32::from).collect::<Vec<_>>(), wins);
        game.threatening(&s, Agent(1), 1, &mut found);
        if !wins.is_empty() {
            assert_eq!(found.len() as u32, free.count());
            continue;
        }
        let makes_four = |own: W, m: u32| !wins_slowly(game, own | W::bit(m), other).is_empty();
        let slow: Vec<u32> = free.cells().filter(|&m| makes_four(own, m)).collect();
        assert_eq!(found.into_iter().map(u32::from).collect::<Vec<_>>(), slow);
        assert_eq!(cells(two), slow);
        fours += slow.len();
        if slow.is_empty() && game.grid.cols < 9 {
            let makes_three = |&m: &u32| {
                let own = own | W::bit(m);
                (free & !W::bit(m)).cells().any(|n| makes_four(own, n))
            };
            let slow: Vec<u32> = free.cells().filter(makes_three).collect();
            assert_eq!(cells(three), slow);
            threes += slow.len();
        }
    }
    assert!(fours > 0 && (threes > 0 || game.grid.cols >= 9), "{}", game.name());
}

#[test]
fn threats_are_found() {
    for (size, length) in [(3, 3), (5, 3), (5, 4), (6, 4), (6, 5), (7, 5), (8, 5), (8, 6)] {
        threats_are_those_of_the_rules(&Gomoku::<u64>::new(size, length), 200);
        threats_are_those_of_the_rules(&Gomoku::<u64>::new(size, length).exactly(), 200);
    }
    threats_are_those_of_the_rules(&Gomoku::<u128>::new(11, 5), 50);
    threats_are_those_of_the_rules(&Gomoku::<u128>::new(11, 4).exactly(), 50);
    threats_are_those_of_the_rules(&Gomoku::<Quad>::new(15, 5), 30);
    threats_are_those_of_the_rules(&Gomoku::<Quad>::new(16, 5).exactly(), 30);
    threats_are_those_of_the_rules(&Gomoku::<Wide>::new(19, 5).exactly(), 20);
}

/// Every move after which fours win is listed, where they do not win without it, and fours win
/// where trying all says so.
fn threes_are_found<W: Word>(game: &Gomoku<W>, rounds: u32) {
    let mut rng = Rng::new(4);
    let (mut threats, mut left_out, mut won) = (0, 0, 0);
    for _ in 0..rounds {
        let [own, other] = random_stones(game, &mut rng);
        let free = game.grid.full & !(own | other);
        let Some(now) = fours_slowly(game, own, other, &mut 300) else { continue };
        assert_eq!(Search::new(game, 10_000).fours(own, other), Some(now), "{own:?} {other:?}");
        won += u32::from(now);
        let s = State { stones: [own, other], turn: Side::Min };
        let mut found = Vec::new();
        game.threatening(&s, Agent(0), 2, &mut found);
        let mut all = Vec::new();
        game.threatening(&s, Agent(0), 3, &mut all);
        assert_eq!(all.len() as u32, free.count());
        if now {
            assert_eq!(found, all);
            continue;
        }
        left_out += all.len() - found.len();
        for m in free.cells().filter(|&m| !found.contains(&(m as u16))) {
            let after = fours_slowly(game, own | W::bit(m), other, &mut 300);
            assert_ne!(after, Some(true), "{own:?} {other:?} {m}");
        }
        threats += found.len();
    }
    assert!(threats > 0 && left_out > 0 && won > 0, "{}", game.name());
}

#[test]
fn moves_after_which_fours_win_are_listed() {
    for (size, length) in [(4, 3), (5, 4), (6, 4), (7, 5), (8, 5)] {
        threes_are_found(&Gomoku::<u64>::new(size, length), 400);
        threes_are_found(&Gomoku::<u64>::new(size, length).exactly(), 400);
    }
    threes_are_found(&Gomoku::<u128>::new(10, 5), 60);
}

/// What is known of a position is true, is confirmed by its reason, and nothing else is.
fn knowledge_is_true<W: Word>(
    game: &Gomoku<W>,
    s: &State<W>,
    memo: &mut HashMap<State<W>, Outcome>,
    reasons: &mut Vec<String>,
) {
    if game.turn(s) == Turn::Over {
        assert!(
            reasons.iter().all(|reason| claims().all(|c| !game.confirms(s, c, "fours", reason)))
        );
        return;
    }
    testing::left_out_is_lost(game, s);
    let known = game.known(s);
    let value = known.map(|_| testing::solve(game, s, memo));
    assert_eq!(known.map(|k| k.at_least), value, "{}", game.position_text(s));
    let mut reason = String::new();
    game.reason(s, claims().next().unwrap(), &mut reason);
    if let Some(known) = known {
        for claim in claims() {
            let confirmed = game.confirms(s, claim, "fours", &reason);
            assert_eq!(confirmed, known.meets(claim), "{} {reason}", game.position_text(s));
            assert!(!game.confirms(s, claim, "threes", &reason));
        }
        if !reasons.contains(&reason) && reasons.len() < 400 {
            reasons.push(reason.clone());
        }
    }
    // Those of other positions, and damaged ones: what is confirmed is true.
    let stride = 1 + reasons.len() / 20;
    let other = reasons.iter().step_by(stride).cloned();
    let words: Vec<&str> = reason.split(' ').collect();
    let cut = (0..words.len()).map(|i| words[i..].join(" "));
    let short = (0..words.len()).map(|i| words[..i].join(" "));
    let swapped = words.iter().rev().copied().collect::<Vec<_>>().join(" ");
    for reason in other.chain(cut).chain(short).chain([swapped]) {
        for claim in claims().filter(|&c| game.confirms(s, c, "fours", &reason)) {
            let value = testing::solve(game, s, memo);
            assert!(claim.met_by(value), "{} {reason} {claim:?}", game.position_text(s));
        }
    }
}

fn claims() -> impl Iterator<Item = Claim> {
    [Side::Max, Side::Min].into_iter().flat_map(|prover| {
        (1..=2).map(move |at_least| Claim {
            max: Agent::FIRST,
            prover,
            at_least: Outcome(at_least),
            or_endless: false,
        })
    })
}

#[test]
fn what_is_known_is_true() {
    fn check(game: &Gomoku<u64>, rounds: u32, most: u32) {
        let (mut rng, mut memo, mut reasons) = (Rng::new(5), HashMap::new(), Vec::new());
        let mut known: [u32; 2] = [0; 2];
        for _ in 0..rounds {
            let stones = random_stones(game, &mut rng);
            if (game.grid.full & !(stones[0] | stones[1])).count() > most {
                continue;
            }
            for turn in [Side::Max, Side::Min] {
                let s = State { stones, turn };
                knowledge_is_true(game, &s, &mut memo, &mut reasons);
                known[usize::from(game.turn(&s) != Turn::Over && game.known(&s).is_some())] += 1;
            }
        }
        assert!(known.iter().all(|&n| n > 0), "{known:?}");
        let long = reasons.iter().filter(|r| r.split(' ').count() > 2).count();
        assert!(game.length < 4 || long > 0, "{} {reasons:?}", game.name());
    }
    check(&Gomoku::new(3, 3), 2_000, 9);
    check(&Gomoku::new(4, 3), 2_000, 11);
    check(&Gomoku::new(4, 3).exactly(), 2_000, 11);
    check(&Gomoku::new(5, 4), 3_000, 12);
    check(&Gomoku::new(5, 4).exactly(), 3_000, 12);
    check(&Gomoku::new(6, 4).exactly(), 1_500, 13);
}

/// A position that is over confirms nothing, nor do stones that cannot stand so.
#[test]
fn impossible_positions_confirm_nothing() {
    let game: Gomoku<u64> = Gomoku::new(5, 4);
    let at = |names: &[&str]| {
        names.iter().fold(0, |w, n| w | u64::bit(game.grid.parse_whole_cell(n).unwrap()))
    };
    let win = claims().find(|c| c.prover == Side::Max && c.at_least == Outcome(2)).unwrap();
    let own = at(&["a1", "b1", "c1"]);
    let confirms = |max: u64, min: u64, reason: &str| {
        game.confirms(&State { stones: [max, min], turn: Side::Max }, win, "fours", reason)
    };
    assert!(confirms(own, 0, "d1"));
    assert!(!confirms(own, u64::bit(0), "d1") && !confirms(own, 1 << 60, "d1"));
    assert!(!confirms(own, at(&["a5", "b5", "c5", "d5"]), "d1"));
    assert!(!confirms(own, at(&["d1"]), "d1") && !confirms(own, 0, "e1"));
    for text in ["", " ", "d1 ", " d1", "d1-", "-d1", "d1-e1", "d01", "D1", "z9", "d1 d1", "é"] {
        assert!(!confirms(own, 0, text), "{text}");
    }
    // The answer makes a four of its own: the next move must take it.
    let own = at(&["b1", "c1", "a2", "a3", "e4"]);
    let other = at(&["e1", "e2", "e3"]);
    assert!(!confirms(own, other, "a1-d1 a4") && !confirms(own, other, "d1-a1 a4"));
}

/// Fours and threes win only where trying everything says so, and the threes that they answer are
/// all that there is to answer.
#[test]
fn wins_by_threes_are_wins() {
    let mut won = 0;
    for (size, length, rounds, most) in [(4, 3, 3_000, 11), (5, 4, 16_000, 11), (6, 4, 6_000, 11)] {
        let plain: Gomoku<u64> = Gomoku::new(size, length);
        for game in [plain.clone(), plain.exactly()] {
            let (mut rng, mut memo) = (Rng::new(6), HashMap::new());
            for _ in 0..rounds {
                let stones @ [own, other] = random_stones(&game, &mut rng);
                if (game.grid.full & !(own | other)).count() > most {
                    continue;
                }
                let mut search = Search::new(&game, 1_000);
                let Some(Some(plies)) = search.threes(own, other, 4) else { continue };
                let s = State { stones, turn: Side::Max };
                let value = testing::solve(&game, &s, &mut memo);
                assert_eq!(value, Outcome(2), "{}", game.position_text(&s));
                assert_eq!(plies % 2, 1);
                won += u32::from(Search::new(&game, 1_000).fours(own, other) == Some(false));
            }
        }
    }
    assert!(won > 10, "{won}");
}

/// What is known of the open three and of the open four, as players name them.
#[test]
fn names_of_threats() {
    let game: Gomoku<Quad> = Gomoku::new(15, 5);
    let at = |names: &str| {
        names
            .split(' ')
            .fold(Quad::ZERO, |w, n| w | Quad::bit(game.grid.parse_whole_cell(n).unwrap()))
    };
    let three = at("g8 h8 i8");
    let far = at("a1 c3 o1");
    let s = State { stones: [three, far], turn: Side::Max };
    let known = game.known(&s);
    let won = Known { at_least: Outcome(2), at_most: Outcome(2), by: "fours" };
    assert_eq!(known, Some(won));
    let mut reason = String::new();
    game.reason(&s, claims().next().unwrap(), &mut reason);
    assert!(["f8", "j8"].contains(&reason.as_str()), "{reason}");
    // With the opponent to move, it is a threat and no more.
    assert_eq!(game.known(&State { turn: Side::Min, ..s }), None);
    let open_four = State { stones: [at("g8 h8 i8 j8"), far], turn: Side::Min };
    let known = game.known(&open_four);
    assert_eq!(known, Some(won));
    let mut reason = String::new();
    game.reason(&open_four, claims().next().unwrap(), &mut reason);
    assert_eq!(reason, "f8 k8");
    // Two open twos that cross: their common cell makes two threes.
    let twos = State { stones: [at("g8 h8 j9 j10"), at("a1 c3 o1 a15")], turn: Side::Max };
    assert_eq!(game.known(&twos), None);
    let mut search = Search::new(&game, 10_000);
    assert_eq!(search.threes(twos.stones[0], twos.stones[1], 1), Some(Some(7)));
}

/// The puzzles of the corpus are won as they say.
#[test]
fn puzzles_are_won_by_their_threats() {
    let game: Gomoku<Quad> = Gomoku::new(15, 5);
    let file = include_str!("../../../../problems/gomoku-puzzles.toml");
    let mut kinds = [0; 2];
    for puzzle in file.split("[[puzzle]]").skip(1) {
        let value = |key: &str| {
            let line = puzzle.lines().find(|l| l.split(" = ").next() == Some(key)).unwrap();
            line.split_once(" = ").unwrap().1.trim_matches('"')
        };
        assert_eq!(value("game"), game.name());
        let s = game.read_position(value("position")).unwrap();
        assert_eq!(game.players()[s.turn.index()], value("winner"));
        assert_eq!(["win", "loss"][s.turn.index()], value("value"));
        let moves: u32 = value("moves").parse().unwrap();
        assert!((10..=20).contains(&moves));
        let [own, other, _] = game.seen_by(&s, s.turn.agent());
        let mut search = Search::new(&game, 100_000);
        let fours = search.fours(own, other);
        assert_eq!(fours, Some(value("kind") == "fours"));
        kinds[usize::from(fours == Some(true))] += 1;
        if fours == Some(true) {
            let mut reason = String::new();
            game.write_line(search.line(), &mut reason);
            let meant = claims().find(|c| c.prover == s.turn && c.at_least == Outcome(1)).unwrap();
            assert!(game.confirms(&s, meant, "fours", &reason), "{reason}");
        } else {
            let mut found = (1..=7).filter_map(|most| search.threes(own, other, most).flatten());
            assert_eq!(found.next(), Some(moves));
        }
    }
    assert_eq!(kinds, [15, 15]);
}
