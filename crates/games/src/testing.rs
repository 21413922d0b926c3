//! What the tests of several games share.

use std::collections::HashMap;

use foregone_model::guide::plain_playout;
use foregone_model::{Agent, Game, Guide, Notation, Outcome, Rng, Turn};

/// The value by trying everything.
pub(crate) fn solve<G: Game>(
    game: &G,
    s: &G::State,
    memo: &mut HashMap<G::State, Outcome>,
) -> Outcome {
    if let Some(&known) = memo.get(s) {
        return known;
    }
    let value = match game.turn(s) {
        Turn::Over => game.outcome(s),
        Turn::Agent(agent) => {
            let good = if agent == Agent(0) { Outcome::WIN } else { Outcome::LOSS };
            let mut moves = Vec::new();
            game.moves(s, agent, &mut moves);
            let found = moves.into_iter().any(|m| {
                let mut t = s.clone();
                game.play(&mut t, agent, m);
                solve(game, &t, memo) == good
            });
            if found { good } else { Outcome(1 - good.0) }
        }
    };
    memo.insert(s.clone(), value);
    value
}

/// The states of one random play, the last one over.
pub(crate) fn random_play<G: Game>(game: &G, rng: &mut Rng) -> Vec<G::State> {
    let mut states = vec![game.start()];
    loop {
        let mut s = states[states.len() - 1].clone();
        let Turn::Agent(agent) = game.turn(&s) else {
            return states;
        };
        let mut moves = Vec::new();
        game.moves(&s, agent, &mut moves);
        let m = moves[rng.below(moves.len() as u32) as usize];
        game.play(&mut s, agent, m);
        states.push(s);
    }
}

/// Checks the text of positions and moves along random plays, and the count of moves.
pub(crate) fn texts_round_trip<G: Guide + Notation>(game: &G, plays: u32) {
    let mut rng = Rng::new(3);
    for _ in 0..plays {
        for s in random_play(game, &mut rng) {
            let text = game.position_text(&s);
            assert_eq!(game.read_position(&text).as_ref(), Ok(&s), "{text}");
            let Turn::Agent(agent) = game.turn(&s) else {
                continue;
            };
            let mut moves = Vec::new();
            game.moves(&s, agent, &mut moves);
            assert!(!moves.is_empty(), "{text}");
            assert_eq!(game.mobility(&s, agent) as usize, moves.len(), "{text}");
            for m in moves {
                let name = game.move_text(&s, m);
                assert_eq!(game.parse_move(&s, &name), Some(m), "{text} {name}");
            }
        }
    }
}

/// Plays the same random moves in both games and compares what they say on the way.
pub(crate) fn same_game<G, H>(one: &G, two: &H, plays: u32)
where
    G: Notation,
    H: Notation<Move = G::Move>,
{
    let mut rng = Rng::new(4);
    for _ in 0..plays {
        let (mut s, mut t) = (one.start(), two.start());
        loop {
            assert_eq!(one.position_text(&s), two.position_text(&t));
            assert_eq!(one.turn(&s), two.turn(&t));
            let Turn::Agent(mover) = one.turn(&s) else {
                assert_eq!(one.outcome(&s), two.outcome(&t));
                break;
            };
            let mut pick = None;
            for agent in [Agent(0), Agent(1)] {
                let (mut moves, mut same) = (Vec::new(), Vec::new());
                one.moves(&s, agent, &mut moves);
                two.moves(&t, agent, &mut same);
                assert_eq!(moves, same);
                if agent == mover {
                    pick = Some(moves[rng.below(moves.len() as u32) as usize]);
                }
            }
            let m = pick.unwrap();
            one.play(&mut s, mover, m);
            two.play(&mut t, mover, m);
        }
    }
}

/// Compares how often Max wins the game's own playouts and plain ones, from all states of a
/// few random plays.
pub(crate) fn playouts_are_uniform<G: Guide>(game: &G, plays: u32) {
    let mut rng = Rng::new(5);
    let n = 4000;
    for _ in 0..plays {
        for s in random_play(game, &mut rng) {
            let (mut own, mut plain) = (0i32, 0i32);
            for _ in 0..n {
                own += i32::from(game.playout(s.clone(), &mut rng) == Some(Outcome::WIN));
                let outcome = plain_playout(game, s.clone(), &mut rng);
                plain += i32::from(outcome == Some(Outcome::WIN));
            }
            // Five standard deviations of a difference are at most 5 sqrt(n / 2) = 224.
            assert!((own - plain).abs() < 224, "{own} {plain} of {n}: {s:?}");
        }
    }
}

/// Reads texts that are none, and the starting position with one character changed, which
/// may still be a position.
pub(crate) fn nonsense_is_refused<G: Notation>(game: &G) {
    let s = game.start();
    let texts = "| |/|x|é|a|1|a0|a1 |a1é|é1|A1|a999|zz9|a1a1|a1-|a1x|-|0 |\u{0}|☃ black|\
        x black|///// white|. purple";
    for text in texts.split('|') {
        assert_eq!(game.parse_move(&s, text), None, "{text}");
        let error = game.read_position(text).unwrap_err();
        assert!(text.get(error.span).is_some(), "{text}");
    }
    let start = game.position_text(&s);
    for (at, c) in start.char_indices() {
        for change in ["", " ", "/", "é", "☃", "x", "o", "w", "b"] {
            let (head, tail) = (&start[..at], &start[at + c.len_utf8()..]);
            let text = format!("{head}{change}{tail}");
            match game.read_position(&text) {
                Ok(read) => assert_eq!(game.position_text(&read), text),
                Err(error) => assert!(text.get(error.span).is_some(), "{text}"),
            }
        }
    }
}
