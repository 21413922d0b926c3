//! Values of positions against brute force: who begins loses the sum with the negative of the value.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{HashMap, HashSet};

use foregone_games::erased::{AnyState, Erased};
use foregone_games::files::Files;
use foregone_games::registry;
use foregone_games::sum::worth::Appraiser;
use foregone_model::{Game, Notation, Side, Turn};

fn opened(spec: &str) -> Erased {
    let files = Files::from_memory::<&str, &str>([]);
    registry::open(&files, spec).unwrap().require_in_turn(spec).unwrap()
}

/// Whether who is to move wins, by trying everything.
fn wins(game: &Erased, s: &AnyState, seen: &mut HashMap<AnyState, bool>) -> bool {
    if let Some(&known) = seen.get(s) {
        return known;
    }
    let mut moves = Vec::new();
    let mut won = false;
    if let Turn::Agent(agent) = game.turn(s) {
        game.moves(s, agent, &mut moves);
        won = moves.into_iter().any(|m| {
            let mut next = s.clone();
            game.play(&mut next, agent, m);
            !wins(game, &next, seen)
        });
    }
    seen.insert(s.clone(), won);
    won
}

fn place(game: &Erased, s: &AnyState) -> String {
    let text = game.position_text(s);
    text.rsplit_once(' ').unwrap().0.to_owned()
}

/// All positions that either side can reach, moving as often as it likes.
fn positions(game: &Erased) -> Vec<AnyState> {
    let parts = game.parts().unwrap();
    let start = parts.with_turn(&game.start(), Side::Max);
    let mut found = vec![start.clone()];
    let mut known = HashSet::from([start]);
    let mut at = 0;
    while let Some(s) = found.get(at).cloned() {
        at += 1;
        for side in [Side::Max, Side::Min] {
            let s = parts.with_turn(&s, side);
            let mut moves = Vec::new();
            game.moves(&s, side.agent(), &mut moves);
            for m in moves {
                let mut next = s.clone();
                game.play(&mut next, side.agent(), m);
                let next = parts.with_turn(&next, Side::Max);
                if known.insert(next.clone()) {
                    found.push(next);
                }
            }
        }
    }
    found
}

/// Checks every so many positions; the value of the first one as text.
fn agrees(spec: &str, every: usize) -> String {
    let game = opened(spec);
    let mut appraiser = Appraiser::new(&game, 1 << 30).unwrap();
    let mut sums: HashMap<String, (Erased, HashMap<AnyState, bool>)> = HashMap::new();
    let mut first = None;
    for s in positions(&game).iter().step_by(every) {
        let worth = appraiser.worth(s, &mut |_| true).unwrap();
        let text = appraiser.values().text(worth.value).unwrap();
        let negative = appraiser.negative(worth.value).unwrap().to_string();
        let (sum, seen) = sums
            .entry(negative.clone())
            .or_insert_with(|| (opened(&format!("{spec} + {negative}")), HashMap::new()));
        for mover in ["left", "right"] {
            let whole = format!("{} + {negative} {mover}", place(&game, s));
            let there = sum.read_position(&whole).unwrap();
            assert!(!wins(sum, &there, seen), "{spec} {whole}: {text}");
        }
        first.get_or_insert(text);
    }
    first.unwrap()
}

#[test]
fn boards_of_domineering_are_worth_what_play_says() {
    // Left plays vertically.
    for (spec, every, value) in [
        ("domineering:1x1", 1, "0"),
        ("domineering:2x1", 1, "1"),
        ("domineering:1x2", 1, "-1"),
        ("domineering:1x3", 1, "-1"),
        ("domineering:1x4", 1, "-2"),
        ("domineering:2x2", 1, "±1"),
        ("domineering:3x3", 1, "±1"),
        ("domineering:2x4", 1, ""),
        ("domineering:2x3", 1, ""),
        ("domineering:3x4", 1, ""),
    ] {
        let found = agrees(spec, every);
        assert!(value.is_empty() || found == value, "{spec}: {found}");
    }
}

#[test]
fn heaps_of_nim_are_worth_their_sum_without_carry() {
    for (spec, value) in
        [("nim:1", "*"), ("nim:4", "*4"), ("nim:1,2,3", "0"), ("nim:5,3", "*6"), ("nim:2,2", "0")]
    {
        assert_eq!(agrees(spec, 1), value, "{spec}");
    }
}

#[test]
fn sums_are_worth_what_their_parts_are_together() {
    assert_eq!(agrees("domineering:2x2 + {1|-1}", 1), "0");
    assert_eq!(agrees("domineering:2x1 + nim:2 + 1/2", 1), "3/2*2");
}

#[test]
fn moves_are_judged() {
    let game = opened("domineering:2x2");
    let mut appraiser = Appraiser::new(&game, 1 << 30).unwrap();
    let worth = appraiser.worth(&game.start(), &mut |_| true).unwrap();
    assert_eq!(worth.moves.each_ref().map(Vec::len), [2, 2]);
    assert!(worth.moves.iter().flatten().all(|(_, judged)| judged.hot));
    assert!(Appraiser::new(&opened("tic-tac-toe"), 1 << 20).is_none());
}

#[test]
fn work_ends_when_somebody_says_so() {
    let game = opened("domineering:8x8");
    let mut appraiser = Appraiser::new(&game, 1 << 30).unwrap();
    let mut asked = 0;
    let mut goes_on = |_| {
        asked += 1;
        asked < 3
    };
    assert!(appraiser.worth(&game.start(), &mut goes_on).is_err());
    assert_eq!(asked, 3);
}
