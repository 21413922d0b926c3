//! What every game must keep, whoever wrote it: run on the whole registry, on common boards and
//! on odd ones, before its author writes a test.

use std::collections::HashMap;

use crate::common::{boards, in_turn};
use foregone::games::atari_go::AtariGo;
use foregone::games::breakthrough::Breakthrough;
use foregone::games::chess::Chess;
use foregone::games::connect_four::ConnectFour;
use foregone::games::domineering::Domineering;
use foregone::games::hex::Hex;
use foregone::model::guide::plain_playout;
use foregone::model::{Agent, Endless, Game, Guide, Notation, OffTurn, Rng, Turn, Typed};

fn contract<G: Guide + Notation>(game: &G) {
    let name = game.name();
    let best = game.scale().best();
    let mut rng = Rng::new(42);
    let mut packed = HashMap::new();
    for play in 0..60 {
        let mut s = game.start();
        for ply in 0.. {
            // Positions read back as they were written, the final ones too.
            let text = game.position_text(&s);
            assert!(!text.contains('\n'), "{name}: {text}");
            assert_eq!(game.read_position(&text).as_ref(), Ok(&s), "{name}: {text}");
            assert!(game.draw(&s).ends_with('\n'), "{name}");
            // What checkpoints hold is read back, and nothing else is left.
            if game.stores() {
                let mut bytes = Vec::new();
                game.store_state(&s, &mut bytes);
                game.store_packed(&game.pack(&s), &mut bytes);
                let from = &mut &bytes[..];
                assert_eq!(game.restore_state(from).as_ref(), Some(&s), "{name}: {text}");
                assert!(game.restore_packed(from) == Some(game.pack(&s)), "{name}: {text}");
                assert!(from.is_empty(), "{name}: {text}");
                let cut = &mut &bytes[..rng.below(bytes.len() as u32) as usize];
                let whole = game.restore_state(cut).and_then(|_| game.restore_packed(cut));
                assert!(whole.is_none(), "{name}: {text}");
            }
            // Tables tell positions of one search apart.
            let same = packed.entry(game.pack(&s)).or_insert_with(|| s.clone());
            assert_eq!(*same, s, "{name}: {text}");
            let Some(agent) = game.turn(&s).mover() else {
                assert!(game.outcome(&s) <= best, "{name}");
                assert!(game.read_move(&s, "a1").is_err(), "{name}: a move after the end");
                break;
            };
            if agent == Agent::CHANCE {
                assert!(game.has_chance(), "{name}: {text}");
            }
            // Who is on turn has moves, each once, in the same order every time.
            let mut moves = Vec::new();
            game.moves(&s, agent, &mut moves);
            let mut again = Vec::new();
            game.moves(&s, agent, &mut again);
            assert!(!moves.is_empty() && moves == again, "{name}: {text}");
            for who in [Agent(0), Agent(1)] {
                let mut theirs = Vec::new();
                game.moves(&s, who, &mut theirs);
                let count = theirs.len() as u32;
                assert_eq!(game.mobility(&s, who), count, "{name}: {text}");
            }
            // Moves read back as they were written, and nothing else is read as them.
            for (i, &m) in moves.iter().enumerate() {
                let word = game.move_text(&s, m);
                assert!(!word.contains([':', ',', ' ']), "{name}: {word}");
                assert_eq!(game.read_move(&s, &word), Ok(m), "{name}: {word}");
                assert!(!moves[..i].contains(&m), "{name}: {word} twice");
                if game.stores() {
                    let mut bytes = Vec::new();
                    game.store_move(m, &mut bytes);
                    let from = &mut &bytes[..];
                    assert_eq!(game.restore_move(from), Some(m), "{name}: {word}");
                    assert!(from.is_empty(), "{name}: {word}");
                }
                let weight = if agent == Agent::CHANCE { game.weight(&s, m) } else { 1 };
                assert!((1..1 << 48).contains(&weight), "{name}: {word} weighs {weight}");
            }
            for bad in ["", "zz", "-1", "a0", "999999999999", "é", "a1a1"] {
                assert!(game.read_move(&s, bad).is_err(), "{name}: {bad:?} was read");
            }
            if let Some(chance) = game.evaluate(&s) {
                assert!(game.evaluates() && chance > 0.0 && chance < 1.0, "{name}: {chance}");
            }
            let m = moves[rng.below(moves.len() as u32) as usize];
            game.play(&mut s, agent, m);
            if game.endless() != Endless::Impossible && ply > 50 {
                break;
            }
        }
        let _ = play;
    }
}

#[test]
fn every_game_keeps_the_contract() {
    let mut apart = 0;
    for board in boards() {
        let game = in_turn(&board);
        // Without gates, the facts of a rulesheet are numbered as they come up.
        let numbered = !board.ends_with("-terms.kif");
        assert_eq!(game.stores(), numbered, "{board} can't be kept in checkpoints");
        contract(&game);
        // Searches of these are compiled apart, and tables keep what they pack.
        macro_rules! itself {
            ($($type:ty),+) => {
                $(if let Some(game) = game.get::<$type>() {
                    contract(game);
                    apart += 1;
                })+
            };
        }
        itself!(ConnectFour<u64>, ConnectFour<u128>, Domineering<u64>, Domineering<u128>);
        itself!(Hex<u64>, Breakthrough<u64>, AtariGo<u64>, Chess);
    }
    assert!(apart >= 12, "{apart}");
}

/// How many moves were made out of turn.
fn out_of_turn<G: Guide + Notation>(game: &G) -> u32 {
    let (name, agents) = (game.name(), u32::from(game.agents()));
    assert!((0..game.agents()).all(|a| !game.agent_name(Agent(a)).is_empty()), "{name}");
    if game.off_turn() == OffTurn::Passes {
        return 0;
    }
    let (mut moved, mut rng) = (0, Rng::new(6));
    for _ in 0..40 {
        let mut s = game.start();
        for _ in 0..60 {
            let Some(on_turn) = game.turn(&s).mover() else { break };
            let agent = Agent(rng.below(agents) as u8);
            let mut moves = Vec::new();
            game.moves(&s, agent, &mut moves);
            // In chess who is asked while the other king is in check has no move.
            let Some(i) = (!moves.is_empty()).then(|| rng.below(moves.len() as u32)) else {
                assert_ne!(agent, on_turn, "{name}");
                continue;
            };
            let m = moves[i as usize];
            let mut word = String::new();
            game.write_move_of(&s, agent, m, &mut word);
            assert_eq!(game.parse_move_of(&s, agent, &word), Some(m), "{name}: {word}");
            game.play(&mut s, agent, m);
            let next = Agent(((u32::from(agent.0) + 1) % agents) as u8);
            assert!([Turn::Over, Turn::Agent(next)].contains(&game.turn(&s)), "{name}: {s:?}");
            moved += u32::from(agent != on_turn);
        }
    }
    moved
}

/// Where agents may be asked out of turn, what they do is like any other move.
#[test]
fn agents_move_out_of_turn_where_the_game_says_so() {
    let mut games = 0;
    for board in boards() {
        games += u32::from(out_of_turn(&in_turn(&board)) > 50);
    }
    assert!(games >= 10, "{games}");
}

fn playouts<G: Guide + Notation>(game: &G) {
    const PLAYS: u32 = 4000;
    // From the start and from some positions on the way.
    let mut rng = Rng::new(5);
    let mut s = game.start();
    for _ in 0..4 {
        let Some(agent) = game.turn(&s).mover() else {
            break;
        };
        let outcomes = game.scale().names().count();
        let mut counts = [vec![0u32; outcomes], vec![0u32; outcomes]];
        for _ in 0..PLAYS {
            let fast = game.playout(s.clone(), &mut rng);
            let plain = plain_playout(game, s.clone(), &mut rng);
            for (count, outcome) in counts.iter_mut().zip([fast, plain]) {
                if let Some(o) = outcome {
                    count[usize::from(o.0)] += 1;
                }
            }
        }
        for (a, b) in counts[0].iter().zip(&counts[1]) {
            // Two binomial counts: five standard deviations of their difference.
            let p = f64::from(a + b) / f64::from(2 * PLAYS);
            let sigma = (2.0 * f64::from(PLAYS) * p * (1.0 - p)).sqrt();
            let apart = f64::from(a.abs_diff(*b));
            assert!(apart <= 5.0 * sigma + 1.0, "{}: {counts:?}", game.name());
        }
        let mut moves = Vec::new();
        game.moves(&s, agent, &mut moves);
        game.play(&mut s, agent, moves[rng.below(moves.len() as u32) as usize]);
    }
}

/// A fast playout has the outcomes of a plain one, as often.
#[test]
fn playouts_are_uniformly_random() {
    // Those that have no playout of their own, and random plays that take long to end.
    let plain =
        ["explicit", "chess", "chinese-checkers", "go-capture", "lines-of-action", "phutball"];
    let skipped = |board: &&String| plain.iter().any(|name| board.starts_with(name));
    for board in boards().iter().filter(|b| !skipped(b)) {
        let game = in_turn(board);
        // Games with chance have no playouts of their own either.
        if !game.has_chance() {
            playouts(&game);
        }
    }
}
