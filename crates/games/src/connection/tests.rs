//! Everything that is said of positions is true, and shown by words that the verifier accepts.

use std::collections::HashMap;

use foregone_model::{
    Claim, Game, Guide, Notation, Outcome, OwnFound, Rng, Side, Turn, connection,
};

use super::Board;
use super::current::Currents;
use super::links::Links;
use crate::hex::Hex;
use crate::placement::State;
use crate::testing;
use crate::y::Y;

/// The claim that this side wins.
fn wins(prover: Side) -> Claim {
    Claim { max: foregone_model::Agent::FIRST, prover, at_least: Outcome::WIN, or_endless: false }
}

/// Positions with all numbers of stones, both sides to move, not over.
fn positions<G>(game: &G, rng: &mut Rng, count: usize) -> Vec<State<u64>>
where
    G: Game<State = State<u64>, Move = u8>,
{
    let mut found = Vec::new();
    while found.len() < count {
        let mut s = game.start();
        let stones = rng.below(30);
        for _ in 0..stones {
            let Turn::Agent(_) = game.turn(&s) else { break };
            let mut moves = Vec::new();
            // Either side may be ahead by some stones.
            let agent = foregone_model::Agent(rng.below(2) as u8);
            game.moves(&s, agent, &mut moves);
            let m = moves[rng.below(moves.len() as u32) as usize];
            game.play(&mut s, agent, m);
        }
        if game.turn(&s) != Turn::Over {
            found.push(s);
        }
    }
    found
}

/// What is behind the moves that are left out. The words for all of them together are accepted behind each.
fn left_out_and_shown<G>(game: &G, s: &State<u64>) -> Vec<State<u64>>
where
    G: Guide<State = State<u64>, Move = u8> + Notation,
{
    let (text, opponent) = (game.position_text(s), s.turn.other());
    let (mut all, mut good) = (Vec::new(), Vec::new());
    game.moves(s, s.turn.agent(), &mut all);
    game.promising(s, s.turn.agent(), &mut good);
    all.retain(|m| !good.contains(m));
    let mut words = String::new();
    if !all.is_empty() {
        assert!(game.reason_for_others(s, wins(opponent), &mut words), "{text}");
    }
    let behind = all.into_iter().map(|m| {
        let mut next = *s;
        game.play(&mut next, s.turn.agent(), m);
        if game.turn(&next) != Turn::Over {
            let (net, words) = (game.net(&next, opponent).unwrap(), &words["connection ".len()..]);
            let name = game.move_text(s, m);
            assert!(connection::shows(&net, true, words), "{text}: {name}: {words}");
        }
        next
    });
    behind.collect()
}

/// What connections say of positions, moves and must-play regions is true, and their words are
/// accepted. How many positions they decided.
fn said_is_true<G>(game: &G, count: usize, seed: u64) -> usize
where
    G: Guide<State = State<u64>, Move = u8> + Notation,
{
    let mut memo = HashMap::new();
    let mut decided = 0;
    for s in positions(game, &mut Rng::new(seed), count) {
        let text = game.position_text(&s);
        let value = testing::solve(game, &s, &mut memo);
        let prover = if value == Outcome::WIN { Side::Max } else { Side::Min };
        if let Some(known) = game.known(&s) {
            decided += 1;
            assert_eq!((known.at_least, known.at_most), (value, value), "{text}");
            let mut words = String::new();
            game.reason(&s, wins(prover), &mut words);
            let net = game.net(&s, prover).unwrap();
            assert!(connection::shows(&net, s.turn == prover, &words), "{text}: {words}");
        }
        for next in left_out_and_shown(game, &s) {
            let outcome = testing::solve(game, &next, &mut memo);
            assert_eq!(
                outcome == Outcome::WIN,
                s.turn == Side::Min,
                "{text}: a move does not lose"
            );
        }
    }
    decided
}

#[test]
fn what_connections_say_is_true_and_shown() {
    for size in 1..=3 {
        assert!(said_is_true(&Hex::<u64>::new(size), 300, 7) > 100);
        assert!(said_is_true(&Y::<u64>::new(size + 1), 300, 9) > 100);
    }
    assert!(said_is_true(&Hex::<u64>::new(4), 400, 3) > 200);
}

/// Boards with room for pairs that were captured while nothing is decided yet.
#[test]
fn moves_that_are_left_out_of_large_boards_lose() {
    fn check<G>(game: &G, seed: u64)
    where
        G: Guide<State = State<u64>, Move = u8> + Notation,
    {
        let positions = positions(game, &mut Rng::new(seed), 400);
        let undecided = positions.iter().filter(|s| game.known(s).is_none());
        let left_out: usize = undecided.map(|s| left_out_and_shown(game, s).len()).sum();
        assert!(left_out > 100, "{}: {left_out}", game.name());
    }
    for size in 5..=7 {
        check(&Hex::<u64>::new(size), 11);
        check(&Y::<u64>::new(size), 12);
    }
}

/// Positions that take a search are decided rightly, and the whole search is shown in words.
fn decided_and_shown<G>(game: &G, count: usize, seed: u64)
where
    G: Guide<State = State<u64>, Move = u8> + Notation,
{
    let mut memo = HashMap::new();
    for s in positions(game, &mut Rng::new(seed), count) {
        let text = game.position_text(&s);
        let value = testing::solve(game, &s, &mut memo);
        let prover = if value == Outcome::WIN { Side::Max } else { Side::Min };
        let found = game.search_own(&s, &mut |_| true).unwrap();
        match found {
            OwnFound::Won(m) => {
                assert_eq!(prover, s.turn, "{text}");
                let mut next = s;
                game.play(&mut next, s.turn.agent(), m);
                assert_eq!(testing::solve(game, &next, &mut memo), value, "{text}");
            }
            OwnFound::Lost => assert_ne!(prover, s.turn, "{text}"),
            OwnFound::Open => panic!("{text}"),
        }
        let mut words = String::new();
        game.reason(&s, wins(prover), &mut words);
        let net = game.net(&s, prover).unwrap();
        assert!(connection::shows(&net, s.turn == prover, &words), "{text}: {words}");
    }
}

#[test]
fn positions_are_decided_rightly() {
    for size in 1..=4 {
        decided_and_shown(&Hex::<u64>::new(size), 200, 5);
        decided_and_shown(&Y::<u64>::new(size), 200, 6);
    }
}

/// Which openings of Hex win, rows from the top: those of the literature (R. Hayward and others, 2005).
/// The words for each are accepted, so these are facts.
#[test]
fn openings_of_hex_are_those_of_the_literature() {
    for (size, openings) in [
        (3, "..x/xxx/x.."),
        (4, "...x/..x./.x../x..."),
        (5, "....x/.xxxx/.xxx./xxxx./x...."),
        (6, ".....x/.xxxxx/xxxxxx/xxxxxx/xxxxx./x....."),
    ] {
        let game: Hex<u64> = Hex::new(size);
        let mut moves = Vec::new();
        game.moves(&game.start(), Side::Max.agent(), &mut moves);
        let won: String = moves
            .iter()
            .map(|&m| {
                let mut s = game.start();
                game.play(&mut s, Side::Max.agent(), m);
                let (winner, sign) = match game.search_own(&s, &mut |_| true).unwrap() {
                    OwnFound::Lost => (Side::Max, 'x'),
                    OwnFound::Won(_) => (Side::Min, '.'),
                    OwnFound::Open => panic!("{size} {m}"),
                };
                let mut words = String::new();
                game.reason(&s, wins(winner), &mut words);
                let net = game.net(&s, winner).unwrap();
                assert!(connection::shows(&net, s.turn == winner, &words), "{size} {m}");
                sign
            })
            .collect();
        assert_eq!(won, openings.replace('/', ""), "{size}");
    }
}

/// A block once needed other cells than the search had counted with, and a pair was captured anew with
/// another partner: then the words did not show what was found.
#[test]
fn blocks_need_no_more_cells_than_the_search_says() {
    let game: Hex<u64> = Hex::new(7);
    for text in [
        "......./......x/....ox./....o../......./xxo.x../o...... blue",
        "......./.x...x./....o../......./......./.....o./....... red",
    ] {
        let s = game.read_position(text).unwrap();
        let OwnFound::Won(m) = game.search_own(&s, &mut |_| true).unwrap() else {
            panic!("{text}");
        };
        let (mut next, winner) = (s, s.turn);
        game.play(&mut next, winner.agent(), m);
        let mut words = String::new();
        game.reason(&next, wins(winner), &mut words);
        let net = game.net(&next, winner).unwrap();
        assert!(connection::shows(&net, false, &words), "{text}: {words}");
    }
}

/// What flows through each cell of a small net from its first to its last cell, squared weights as they
/// are.
fn flows(touching: &[&[u32]], closed: u64) -> Vec<f64> {
    let set = |cells: &[u32]| cells.iter().fold(0, |w, c| w | 1 << c);
    let (size, full) = (touching.len() as u32, (1 << touching.len()) - 1);
    let borders = vec![1, 1 << (size - 1)];
    let board = Board {
        size,
        full,
        touching: touching.iter().map(|cells| set(cells)).collect(),
        borders: [borders.clone(), borders],
        order: (0..size as u8).collect(),
    };
    let mut links = Links::new(&board);
    links.find(&board, 0, closed, 0);
    let mut weights = vec![0.0; touching.len()];
    Currents::default().add(&board, &links, &mut weights);
    weights.iter().map(|weight| (weight * weight * 1000.0_f64).round() / 1000.0).collect()
}

#[test]
fn currents_follow_the_laws_of_networks() {
    let path: [&[u32]; 3] = [&[1], &[0, 2], &[1]];
    assert_eq!(flows(&path, 0), [1.0, 1.0, 1.0]);
    assert_eq!(flows(&path, 0b010), [0.0, 0.0, 0.0]);
    // The first and the last cell are linked by two ways, so half of the current flows between them.
    let diamond: [&[u32]; 4] = [&[1, 2], &[0, 3], &[0, 3], &[1, 2]];
    assert_eq!(flows(&diamond, 0), [1.0, 0.25, 0.25, 1.0]);
    assert_eq!(flows(&diamond, 0b0100), [1.0, 1.0, 0.0, 1.0]);
}
