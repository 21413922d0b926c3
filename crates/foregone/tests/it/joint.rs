//! Games with joint moves: the corpus crossed with every solver, and proofs.

use foregone::games::erased_joint::ErasedJoint;
use foregone::games::registry::{GAMES, Moves, Opened};
use foregone::model::number::read_number;
use foregone::model::{Fraction, Joint, JointNotation, JointTyped, Rng, Side};
use foregone::search::Limits;
use foregone::search::joint::{Driver, induce};
use foregone::{Engine, Finished, Job, Stop, Trust};
use serde::Deserialize;

use crate::common::{accepted, job, joint, perft_counts, root, run};
use crate::seal::seal;

/// Files of games are named from the root.
fn at_root(game: &str) -> String {
    match game.split_once(':') {
        Some((name @ ("joint" | "matrix"), file)) => {
            format!("{name}:{}", root().join(file).display())
        }
        _ => game.to_owned(),
    }
}

/// Runs a job about a game, with these words.
fn solve(game: &str, words: &str) -> Finished {
    let words = job(&format!("x {words}"));
    run(&Job { game: at_root(game), ..words })
}

fn open(spec: &str) -> ErasedJoint {
    match Engine::default().open(spec).unwrap().opened() {
        Opened::Joint(game) => game.clone(),
        Opened::InTurn(_) => panic!("in {spec} players move in turn"),
    }
}

#[derive(Deserialize)]
struct Problems {
    joint_perft: Vec<PerftProblem>,
    nash: Vec<NashProblem>,
}

#[derive(Deserialize)]
struct PerftProblem {
    game: String,
    counts: Vec<u64>,
    source: String,
}

#[derive(Deserialize)]
struct NashProblem {
    game: String,
    position: Option<String>,
    value: String,
    source: String,
    size: String,
}

fn problems() -> Problems {
    let text = std::fs::read_to_string(root().join("problems/joint-moves.toml")).unwrap();
    toml::from_str(&text).unwrap()
}

#[test]
fn counts_of_pairs_of_moves_are_those_of_the_corpus() {
    let problems = problems();
    assert!(problems.joint_perft.len() >= 6);
    for problem in problems.joint_perft {
        assert!(!problem.source.is_empty());
        let game = Engine::default().open(&at_root(&problem.game)).unwrap();
        let counts = perft_counts(&game, problem.counts.len() as u32);
        assert_eq!(counts, problem.counts, "{}", problem.game);
    }
}

const WAYS: [&str; 9] = [
    "solver=bi",
    "solver=bi(tree)",
    "solver=smab",
    "solver=smab(tree,skip=0)",
    "solver=smab(tree,skip=1,cells=lexicographic) knowledge=no",
    "solver=smab(tree,skip=2)",
    "solver=do",
    "solver=do(tree) knowledge=no",
    "solver=sequence",
];

#[test]
fn every_solver_agrees_with_the_corpus_and_proves_it_exactly() {
    let problems = problems();
    assert!(problems.nash.len() >= 30);
    let mut asked = 0;
    for problem in &problems.nash {
        assert!(!problem.source.is_empty());
        let game = &problem.game;
        let place = match &problem.position {
            Some(position) => format!("position={position}"),
            None => String::new(),
        };
        for way in WAYS {
            let large = way.contains("tree") || way.contains("sequence");
            if large && problem.size != "small" || way.contains("sequence") && asked % 3 != 0 {
                continue;
            }
            let finished = solve(game, &format!("{place} {way}"));
            let found = joint(&finished);
            assert!(finished.answer.solved(), "{game} {place} {way}");
            assert_eq!(found.value.as_ref(), Some(&problem.value), "{game} {place} {way}");
            assert_eq!(found.error, Some(0.0), "{game} {place} {way}");
            let proof = found.proof.as_ref();
            assert!(proof.is_some_and(|proof| proof.checked), "{game} {place} {way}");
            asked += 1;
        }
        // What approximations may say (Propositions 35 and 36).
        let value = read_number(&problem.value).unwrap();
        let bound = |solver: &str| {
            let finished = solve(game, &format!("{place} solver={solver}"));
            assert!(!finished.answer.solved());
            joint(&finished).approximation.unwrap()
        };
        if problem.size == "small" {
            let (low, high) = (bound("maxmin"), bound("minmax"));
            assert!(low <= value.as_f64() + 1e-9 && value.as_f64() <= high + 1e-9, "{game}");
            for solver in ["alt", "alt-last", "rab", "rab-once"] {
                let found = bound(solver);
                assert!(low <= found && found <= high, "{game} {solver}");
            }
        }
    }
    assert!(asked > 150, "{asked}");
}

/// Plays at random and compares what a game sees at a glance with the value.
fn glance<J: JointNotation>(game: &J, seed: u64) -> u32 {
    let mut rng = Rng::new(seed);
    let mut close = 0;
    for _ in 0..40 {
        let mut s = game.start();
        while game.payoff(&s).is_none() {
            let report =
                induce(game, &s, Driver::Dag, Limits { nodes: 300_000, ..Limits::NONE }, &mut ());
            if let Some(value) = report.value {
                let (low, high) = game.bounds(&s);
                let fits = low as f64 <= value + 1e-9 && value <= high as f64 + 1e-9;
                let text = game.position_text(&s);
                assert!(fits, "{} {text}: {value}, not {low} to {high}", game.name());
                close += u32::from((low, high) != game.range());
            }
            s = step(game, &mut rng, &s);
        }
    }
    close
}

#[test]
fn what_games_see_at_a_glance_is_true() {
    let mut close = 0;
    for (at, game) in [
        "goofspiel:5",
        "goofspiel:5,points",
        "goofspiel:5,1-5-2-4-3",
        "oshi-zumo:8,2,1",
        "oshi-zumo:9,2,2",
        "pursuit:4x4,4",
        "pursuit:3x4,4,steps",
        "tron:4x4",
        "bidding-tic-tac-toe:1",
        "random-joint:3,2,3,5,1",
    ]
    .into_iter()
    .enumerate()
    {
        close += glance(&open(game), at as u64);
    }
    assert!(close > 200, "{close}");
}

#[test]
fn games_in_turn_are_games_with_joint_moves() {
    for (game, value) in [
        ("tic-tac-toe", "0"),
        ("nim:1,2", "1"),
        ("nim:1,2,3", "-1"),
        ("domineering:3x3", "1"),
        ("othello:2x2", "0"),
        ("connect-four:3x3", "0"),
    ] {
        for way in ["bi", "smab", "do"] {
            let finished = solve(game, &format!("question=nash solver={way}"));
            let found = joint(&finished);
            assert_eq!(found.value.as_deref(), Some(value), "{game} {way}");
            assert_eq!(found.lp_calls, 0, "{game} {way}: nobody mixes");
            assert!(found.proof.as_ref().is_some_and(|proof| proof.checked));
            if !finished.certificate.is_empty() {
                assert!(accepted(&Engine::default(), &finished.certificate), "{game} {way}");
            }
        }
    }
    let won = solve("nim:1,2", "question=nash");
    let won = joint(&won);
    assert_eq!(won.winner.as_deref(), Some("first"));
    let sure = |m: &str| vec![(m.to_owned(), "1".to_owned())];
    assert_eq!(won.strategies.clone().map(|s| s.0), [sure("2-1"), sure("-")]);
}

/// Large fractions are rounded, and the error is told.
#[test]
fn large_games_are_proved_up_to_an_error() {
    let finished = solve("goofspiel:7", "");
    let found = joint(&finished);
    let error = found.error.unwrap();
    assert!(error > 0.0 && error < 1e-12, "{error}");
    let number = |text: &str| read_number(text).unwrap();
    assert!(number(&found.bounds[0]) <= number(&found.bounds[1]));
    assert!(found.proof.as_ref().is_some_and(|proof| proof.checked));
}

#[test]
fn proofs_are_refused_when_damaged() {
    let engine = Engine::default();
    for game in ["goofspiel:5", "goofspiel:7", "joint:examples/example-11.joint"] {
        let text = solve(game, "solver=bi proof=always").certificate;
        let replayed = engine.verify(&mut text.as_bytes(), &mut Trust::default()).unwrap();
        assert_eq!(replayed.len(), 2, "{game}");
        // A weight more or less is another strategy.
        let damaged = text.replacen(" 1 @ ", " 2 1 1 @ ", 1);
        assert_ne!(damaged, text);
        assert!(!accepted(&engine, &damaged), "{game}");
    }
    // A certificate of mixed strategies says nothing about a game that it does not fit.
    let text = solve("goofspiel:3", "proof=always").certificate;
    let end = text.find("\nend ").unwrap();
    let first: Vec<String> = text[..end].lines().map(str::to_owned).collect();
    assert!(accepted(&engine, &seal(&first)));
    for other in ["goofspiel:2", "woodpush:6,2", "nim:1,2", "no-such-game"] {
        let swapped: Vec<String> = first
            .iter()
            .map(|line| line.replace("game goofspiel:3", &format!("game {other}")))
            .collect();
        assert!(!accepted(&engine, &seal(&swapped)), "{other}");
    }
}

#[test]
fn budgets_end_a_search_and_positions_that_are_over_need_none() {
    let finished = solve("goofspiel:9", "solver=bi(tree) nodes=10000");
    let found = joint(&finished);
    assert_eq!((finished.answer.solved(), found.stop), (false, Stop::Nodes));
    assert_eq!(found.bounds, ["-1", "1"]);
    assert_eq!(solve("goofspiel:9", "solver=bi(tree) time=0.05").answer.stop(), Stop::Time);
    assert_eq!(solve("goofspiel:9", "solver=bi memory=1000000").answer.stop(), Stop::Memory);
    let over = solve("goofspiel:2", "position=moves:2/1");
    let over = joint(&over);
    assert_eq!((over.value.as_deref(), over.winner.as_deref()), (Some("1"), Some("Max")));
    assert!(over.proof.as_ref().is_some_and(|proof| proof.checked));
}

/// Reads mangled texts: no panic, and what is read is a position that the rules can work with.
fn mangle<J: JointNotation>(game: &J, seed: u64) -> u32 {
    let mut rng = Rng::new(seed);
    let mut read = 0;
    let mut s = game.start();
    for _ in 0..2000 {
        let text = mangled(&mut rng, &game.position_text(&s));
        if let Ok(found) = game.read_position(&text) {
            read += 1;
            let again = game.position_text(&found);
            assert_eq!(game.read_position(&again).as_ref(), Ok(&found), "{text}");
            let _ = game.draw(&found);
            let (low, high) = game.bounds(&found);
            assert!(low <= high, "{text}");
            match game.payoff(&found) {
                Some(payoff) => {
                    let (low, high) = game.range();
                    assert!((low..=high).contains(&payoff), "{text}: {payoff}");
                }
                None => s = step(game, &mut rng, &found),
            }
        }
        if game.payoff(&s).is_some() {
            s = game.start();
        }
        let mut moves = Vec::new();
        game.moves(&s, Side::Max, &mut moves);
        let text = mangled(&mut rng, &game.move_text(&s, Side::Max, moves[0]));
        let _ = game.parse_move(&s, Side::Max, &text);
        let _ = game.parse_move(&s, Side::Min, &text);
        let _ = game.read_position_or_moves(&format!("moves:{text}"));
    }
    read
}

/// A random pair of moves; every pair can be played.
fn step<J: Joint>(game: &J, rng: &mut Rng, s: &J::State) -> J::State {
    let pick = |rng: &mut Rng, side| {
        let mut moves = Vec::new();
        game.moves(s, side, &mut moves);
        assert!(!moves.is_empty(), "{s:?}");
        moves[rng.below(moves.len() as u32) as usize]
    };
    let (max, min) = (pick(rng, Side::Max), pick(rng, Side::Min));
    let mut next = s.clone();
    game.play(&mut next, max, min);
    next
}

/// A text with some letters changed, added or taken away.
fn mangled(rng: &mut Rng, text: &str) -> String {
    const LETTERS: &[u8] = b"0123456789abcxo./,-@ :#";
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..rng.below(3) {
        let letter = LETTERS[rng.below(LETTERS.len() as u32) as usize];
        let at = rng.below(bytes.len() as u32 + 1) as usize;
        match rng.below(3) {
            0 if at < bytes.len() => bytes[at] = letter,
            1 if at < bytes.len() => {
                bytes.remove(at);
            }
            _ => bytes.insert(at, letter),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn mangled_texts_never_panic() {
    let games = GAMES.iter().filter(|game| game.file.is_none() && game.moves == Moves::Joint);
    for (at, game) in games.enumerate() {
        let read = mangle(&open(game.name), at as u64);
        assert!(read > 100, "{}: {read}", game.name);
        // Options, too.
        let mut rng = Rng::new(at as u64);
        for _ in 0..300 {
            let spec = mangled(&mut rng, &format!("{}:3,3", game.name));
            if let Ok(game) = Engine::bare().open(&spec) {
                assert!(!game.name().is_empty());
            }
        }
    }
}
