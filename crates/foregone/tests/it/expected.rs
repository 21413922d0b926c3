//! Games with chance, and opponents who are known: the corpus crossed with every solver, and proofs.

use foregone::expected::{ExpectedSolver, Opponents};
use foregone::model::certificate::{CheckError, ProvedExpected, Reader, check_expected};
use foregone::model::number::read_number;
use foregone::model::{Endless, Fraction, Game, Notation, Ratio, Rng, Side};
use foregone::{Answer, Cancel, Engine, ExpectedAnswer, Finished, Job, Status, Stop, ValueIs};
use serde::Deserialize;

use crate::common::{accepted, in_turn, job, root, run};
use crate::seal::seal;

#[derive(Deserialize)]
struct Problems {
    expected: Vec<Problem>,
}

#[derive(Deserialize)]
struct Problem {
    game: String,
    position: Option<String>,
    value: String,
    /// By how much the value may be off; an exact one may not.
    error: Option<f64>,
    source: String,
}

fn expected(finished: &Finished) -> &ExpectedAnswer {
    match &finished.answer {
        Answer::Expected(answer) => answer,
        other => panic!("{other:?}"),
    }
}

/// Files of games are named from the root.
fn at_root(game: &str) -> String {
    match game.split_once(':') {
        Some((name @ ("explicit" | "gdl"), file)) => {
            format!("{name}:{}", root().join(file).display())
        }
        _ => game.to_owned(),
    }
}

fn solve(game: &str, words: &str) -> Finished {
    run(&Job { game: at_root(game), ..job(&format!("x {words}")) })
}

fn value(answer: &ExpectedAnswer) -> Ratio {
    let text = answer.value.as_ref().unwrap_or_else(|| panic!("{answer:?}"));
    read_number(text).unwrap()
}

#[test]
fn every_solver_agrees_with_the_corpus_and_proves_it() {
    let text = std::fs::read_to_string(root().join("problems/chance.toml")).unwrap();
    let problems: Problems = toml::from_str(&text).unwrap();
    assert!(problems.expected.len() >= 12);
    for Problem { game, position, value: wanted, error, source } in problems.expected {
        assert!(!source.is_empty());
        let erased = in_turn(&at_root(&game));
        let wanted = read_number(&wanted).unwrap();
        for solver in ExpectedSolver::ALL {
            let loops = erased.endless() != Endless::Impossible;
            if loops && !solver.takes_loops() {
                continue;
            }
            let place = position.as_deref().unwrap_or("start");
            let base = job(&format!("x solver={solver}"));
            let asked = Job { game: at_root(&game), position: place.to_owned(), ..base };
            let finished = run(&asked);
            let answer = expected(&finished);
            if !solver.exact() {
                assert_eq!((answer.status, &answer.proof), (Status::Undecided, &None));
                assert!(answer.approximation.is_some() && finished.certificate.is_empty());
                continue;
            }
            assert_eq!(answer.status, Status::Solved, "{asked}");
            let found = value(answer);
            let off = (&found - &wanted).as_f64().abs();
            assert!(off <= error.unwrap_or(0.0), "{asked}: {found}, not {wanted}");
            assert_eq!(error.is_none(), answer.error == Some(0.0), "{asked}");
            assert!(answer.proof.as_ref().unwrap().proved);
            assert!(accepted(&Engine::default(), &finished.certificate));
        }
    }
}

#[test]
fn the_first_player_of_pig_wins_as_published() {
    // `foregone bench chance` makes the proof, too: a million claims.
    let finished = solve("pig:100", "proof=never");
    let answer = expected(&finished);
    // T. Neller and C. Presser, "Optimal Play of the Dice Game Pig" (2004).
    assert!((value(answer).as_f64() - 0.5306).abs() < 0.00005, "{answer:?}");
    assert_eq!((answer.value_is, &answer.proof), (ValueIs::ChanceToWin, &None));
    let finished = solve("pig:30", "");
    let answer = expected(&finished);
    assert!(answer.error.unwrap() < 1e-9);
    let [low, high] = answer.bounds.each_ref().map(|bound| read_number(bound).unwrap());
    assert!(low < high);
}

fn verify(game: &str, text: &str) -> Result<ProvedExpected, CheckError> {
    let erased = in_turn(&at_root(game));
    let mut reader = Reader::new(text.as_bytes());
    let header = reader.header()?.ok_or(CheckError::new(1, "nothing"))?;
    let proved = check_expected(&erased, &header, &mut reader)?;
    match reader.header()? {
        None => Ok(proved),
        Some(_) => Err(CheckError::new(0, "two certificates")),
    }
}

/// The certificates of a text.
fn parts(text: &str) -> Vec<Vec<String>> {
    let mut all = vec![Vec::new()];
    for line in text.lines() {
        if line.starts_with("end ") && line.split(' ').count() == 3 {
            all.push(Vec::new());
        } else if let Some(last) = all.last_mut() {
            last.push(line.to_owned());
        }
    }
    all.pop();
    all
}

#[test]
fn forged_certificates_prove_nothing_that_is_not_so() {
    let mut rng = Rng::new(11);
    let (mut refused, mut tried) = (0, 0);
    for (game, words) in [
        ("bear-off:1-1-1,4", ""),
        ("pig:6,4", ""),
        ("explicit:examples/doubling.game", ""),
        ("random-chance:2,3,3,10,5", ""),
        ("tic-tac-toe", "opponent=random position=moves:a1,b2,c3"),
    ] {
        let finished = solve(game, words);
        let truth = value(expected(&finished)).as_f64();
        for lines in parts(&finished.certificate) {
            let blank = lines.iter().position(String::is_empty).unwrap();
            for _ in 0..400 {
                let mut forged = lines.clone();
                let at = blank + 1 + rng.below((lines.len() - blank - 1) as u32) as usize;
                let other = blank + 1 + rng.below((lines.len() - blank - 1) as u32) as usize;
                match rng.below(6) {
                    0 => drop(forged.remove(at)),
                    1 => forged.swap(at, other),
                    2 => forged[at] = lines[other].clone(),
                    // The claim asks for more.
                    3 => {
                        let claim = &mut forged[blank - 1];
                        let more = if claim.contains("at-most") { "0" } else { "2" };
                        let cut = claim.rfind(' ').unwrap();
                        claim.replace_range(cut + 1.., more);
                    }
                    4 => {
                        let line = &mut forged[at];
                        let place = rng.below(line.len() as u32) as usize;
                        if line.is_char_boundary(place) && line.is_char_boundary(place + 1) {
                            line.replace_range(place..=place, &rng.below(10).to_string());
                        }
                    }
                    _ => {
                        let (head, tail) = forged[at].split_once(" @ ").unwrap();
                        let (_, place) = lines[other].split_once(" @ ").unwrap();
                        let _ = tail;
                        forged[at] = format!("{head} @ {place}");
                    }
                }
                if forged == lines {
                    continue;
                }
                tried += 1;
                match verify(game, &seal(&forged)) {
                    Err(_) => refused += 1,
                    Ok(proved) if proved.opponent_known => {
                        assert!((proved.bound.as_f64() - truth).abs() < 1.0);
                    }
                    Ok(proved) => {
                        let bound = proved.bound.as_f64();
                        let holds = match proved.prover {
                            Side::Max => bound <= truth + 1e-9,
                            Side::Min => bound >= truth - 1e-9,
                        };
                        assert!(holds, "{bound} {truth}\n{}", seal(&forged));
                    }
                }
            }
        }
    }
    assert!(refused * 2 > tried, "{refused} of {tried}");
}

#[test]
fn values_of_moves_are_those_of_the_positions_behind_them() {
    for game in ["einstein:3,3", "bear-off:1-1-1,4", "random-chance:2,3,3,10,1", "pig:6,4"] {
        let finished = solve(game, "moves=yes");
        let answer = expected(&finished);
        let moves = answer.moves.as_ref().unwrap();
        assert!(!moves.is_empty());
        for m in moves {
            assert!(m.proved);
            let behind = solve(game, &format!("position=moves:{}", m.text));
            let there = value(expected(&behind));
            let near = (&there - read_number(m.value.as_ref().unwrap()).unwrap()).as_f64().abs();
            assert!(near < 1e-9, "{game} {m:?} {there}");
        }
        match answer.best_move.as_ref() {
            None => {
                let parts = moves.iter().map(|m| read_number(m.chance.as_ref().unwrap()).unwrap());
                assert_eq!(parts.fold(Ratio::ZERO, |sum, part| sum + part), Ratio::from(1));
            }
            Some(best) => {
                let one = moves.iter().find(|m| m.text == *best).unwrap();
                assert_eq!(one.best, Some(true), "{game} {moves:?}");
            }
        }
        assert!(accepted(&Engine::default(), &finished.certificate));
    }
}

/// Runs a job about a typed graph.
fn typed(graph: &str, words: &str) -> Finished {
    let files = foregone::games::files::Files::from_memory([("g.game", graph)]);
    let engine = Engine::new(files, foregone::SystemClock::new());
    let asked = Job { game: "explicit:g.game".to_owned(), ..job(&format!("x {words}")) };
    engine.run(&asked, &mut (), &Cancel::new()).unwrap()
}

#[test]
fn bounds_that_do_not_meet_are_no_value() {
    // Min may go round for ever at b, which is worth anything.
    let graph = "outcomes 0 10 30\nstart a\nmax a -> b c\nmin b -> a d\nchance z -> a d\n\
                 end c 10\nend d 30\nend x 0\n";
    let finished = typed(graph, "moves=yes");
    let answer = expected(&finished);
    assert_eq!((answer.status, answer.value.as_ref()), (Status::Undecided, None), "{answer:?}");
    let [b, c] = &answer.moves.as_ref().unwrap()[..] else { panic!("{answer:?}") };
    assert_eq!((&b.value, b.best), (&None, None), "{b:?}");
    assert_eq!(c.value.as_deref(), Some("10"), "{c:?}");
}

#[test]
fn values_of_moves_are_told_where_a_player_is_to_move() {
    for game in ["dark-chess:2x2,K,4", "einstein:3,3"] {
        let erased = in_turn(game);
        let start = erased.start();
        let mut moves = Vec::new();
        let agent = erased.turn(&start).mover().unwrap();
        erased.moves(&start, agent, &mut moves);
        let place = match game.starts_with("einstein") {
            true => format!("position=moves:{}", erased.move_text(&start, moves[0])),
            false => String::new(),
        };
        let finished = solve(game, &format!("moves=yes {place}"));
        let answer = expected(&finished);
        assert!(answer.moves.as_ref().unwrap().iter().all(|m| m.chance.is_none() && m.proved));
    }
}

#[test]
fn both_halves_of_a_proof_are_opponents() {
    let proof = run(&job("bear-off:1-1-1,4 proof=always")).certificate;
    for player in ["first", "second"] {
        let asked = job(&format!("bear-off:1-1-1,4 opponent=proof player={player}"));
        let finished = run(&Job { opponent_proof: proof.clone(), ..asked });
        let alone = solve("bear-off:1-1-1,4", &format!("player={player}"));
        // The best response to best play gets the value.
        assert_eq!(value(expected(&finished)), value(expected(&alone)), "{player}");
    }
}

#[test]
fn goals_of_rulesheets_count_as_they_are() {
    let sheet = "(role a) (role b) (role random) (init (step 0)) (legal a wait) (legal b wait)\n\
                 (legal random x) (legal random y) (<= (next (got ?m)) (does random ?m))\n\
                 (<= terminal (true (got ?m))) (<= (goal a 80) (true (got x)))\n\
                 (<= (goal a 10) (true (got y))) (<= (goal b 30) (true (got x)))\n\
                 (<= (goal b 90) (true (got y)))\n";
    let files = foregone::games::files::Files::from_memory([("g.kif", sheet)]);
    let engine = Engine::new(files, foregone::SystemClock::new());
    for (player, mean) in [("a", "45"), ("b", "60")] {
        let asked = Job { player: Some(player.to_owned()), ..Job::new("gdl:g.kif") };
        let finished = engine.run(&asked, &mut (), &Cancel::new()).unwrap();
        assert_eq!(expected(&finished).value.as_deref(), Some(mean));
        assert_eq!(expected(&finished).value_is, ValueIs::Points);
    }
}

#[test]
fn both_players_share_one_point() {
    for game in ["einstein:3,3", "bear-off:1-1-1,4", "pig:6,4"] {
        let erased = in_turn(game);
        let sum = erased.players().map(|player| {
            let finished = solve(game, &format!("player={player}"));
            value(expected(&finished)).as_f64()
        });
        assert!((sum[0] + sum[1] - 1.0).abs() < 1e-9, "{game} {sum:?}");
    }
}

#[test]
fn a_best_response_is_never_worse_than_the_value() {
    // Tic-tac-toe is a draw: half a point against the best opponent.
    let half = Ratio::new(1, 2).unwrap();
    let against = |words: &str| {
        let finished = solve("tic-tac-toe", words);
        let answer = expected(&finished);
        assert_eq!(answer.error, Some(0.0));
        assert!(accepted(&Engine::default(), &finished.certificate));
        value(answer)
    };
    assert_eq!(against("opponent=ahead(9)"), half);
    let first = against("opponent=first");
    let random = against("opponent=random");
    assert_eq!(first, Ratio::from(1));
    assert!(random > half && random < Ratio::from(1), "{random}");
    let mixed = against("opponent=first:1,random:1");
    assert!(mixed > random && mixed <= first);
    // Contempt makes a draw worth less.
    assert_eq!(against("opponent=ahead(9) contempt=1/4"), Ratio::new(1, 4).unwrap());
    assert_eq!(against("contempt=-1/4"), Ratio::new(3, 4).unwrap());
}

#[test]
fn the_strategy_of_a_certificate_is_an_opponent() {
    // Min's proof that Max does not win tic-tac-toe: the best response to it is a draw at most.
    let proof = run(&job("tic-tac-toe question=win proof=always")).certificate;
    let base = job("tic-tac-toe opponent=proof");
    let finished = run(&Job { opponent_proof: proof.clone(), ..base.clone() });
    let answer = expected(&finished);
    assert_eq!(value(answer), Ratio::new(1, 2).unwrap());
    assert!(accepted(&Engine::default(), &finished.certificate));
    // It is nobody's opponent for the other player, and a damaged one is refused.
    let mine = Job { player: Some("o".to_owned()), opponent_proof: proof.clone(), ..base.clone() };
    let refused = Engine::default().run(&mine, &mut (), &Cancel::new()).unwrap_err();
    assert!(refused.to_string().contains("strategy"), "{refused}");
    let damaged = Job { opponent_proof: proof.replace('!', "?"), ..base };
    assert!(Engine::default().run(&damaged, &mut (), &Cancel::new()).is_err());
}

#[test]
fn texts_of_opponents_and_solvers_are_read_back() {
    for text in ["random", "ahead(2)", "first:1,ahead(3):4", "proof:2,random:1", "random:3"] {
        assert_eq!(text.parse::<Opponents>().unwrap().to_string(), text);
    }
    for text in ["", "randm", "ahead", "ahead(0)", "ahead(101)", "first:0", "first:x", "first,"] {
        assert!(text.parse::<Opponents>().is_err(), "{text}");
    }
    for text in ["star1(tree)", "mcms(samples=20,by=star2,plies=6)", "iterate", "bounds", "mcms"] {
        assert_eq!(text.parse::<ExpectedSolver>().unwrap().to_string(), text);
    }
    for text in ["star3", "iterate(tree)", "mcms(samples=0)", "mcms(by=pn)", "star1(samples=2)"] {
        assert!(text.parse::<ExpectedSolver>().is_err(), "{text}");
    }
}

#[test]
fn what_does_not_go_with_chance_is_refused() {
    for (text, why) in [
        ("pig:10 question=win", "is not a question about a game with chance"),
        ("pig:10 scheme=pn", "`scheme` does not go with chance"),
        ("pig:10 driver=dag", "`driver` does not go with chance"),
        ("pig:10 solver=star1", "positions of pig:10,6 can come up again"),
        ("pig:10 solver=bounds", "positions of pig:10,6 can come up again"),
        ("pig:10 solver=smab", "`smab` is for players who move at the same time"),
        ("goofspiel:3 solver=star1", "`star1` is for games with chance"),
        ("pig:10 contempt=1/4", "has no draws"),
        ("tic-tac-toe contempt=3", "is not a fraction from -1/2 to 1/2"),
        ("tic-tac-toe opponent=nobody", "`nobody` is not an opponent"),
        ("tic-tac-toe opponent=proof", "the certificate of the opponent"),
        ("pig:10 question='formula w'", "chance"),
    ] {
        let text = text.replace('\'', "\"");
        let error = Engine::default().run(&job(&text), &mut (), &Cancel::new()).unwrap_err();
        assert!(error.to_string().contains(why), "{text}: {error}");
    }
}

#[test]
fn budgets_end_a_search() {
    let finished = solve("einstein:4", "nodes=1000");
    let answer = expected(&finished);
    assert_eq!((answer.status, answer.stop), (Status::Undecided, Stop::Nodes));
    assert_eq!(answer.bounds, ["0", "1"]);
    assert!(answer.value.is_none() && answer.proof.is_none());
    let bounds = solve("einstein:3,3", "solver=bounds nodes=300");
    let [low, high] = expected(&bounds).bounds.each_ref().map(|b| read_number(b).unwrap().as_f64());
    assert!(0.0 <= low && low < high && high <= 1.0);
}

#[test]
fn answers_are_read_back_from_json() {
    let finished = solve("bear-off:1-1,4", "moves=yes");
    let json = serde_json::to_string(&finished.answer).unwrap();
    let back: Answer = serde_json::from_str(&json).unwrap();
    assert_eq!(back, finished.answer);
}

#[test]
fn the_same_job_twice_gives_the_same_bytes() {
    for game in ["pig:8,4", "einstein:3,3", "random-chance:3,3,3,10,2"] {
        let certificates = [solve(game, ""), solve(game, "")].map(|finished| finished.certificate);
        assert_eq!(certificates[0], certificates[1], "{game}");
    }
}
