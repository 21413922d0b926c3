//! Games of many players: every player's score, one against all others, the best reply.

use crate::common::{accepted, guided, job, run, turn};
use crate::seal::seal;
use foregone::games::files::Files;
use foregone::model::{Agent, Game, Notation, Rng, Turn, Typed};
use foregone::search::all_guidances;
use foregone::{
    Answer, Cancel, Engine, Finished, Job, ManyAnswer, NoClock, Proof, Status, Stop, SystemClock,
};

const NIM: &str = "gdl:../../rulesheets/three-player-nim.kif";

fn many(finished: &Finished) -> &ManyAnswer {
    match &finished.answer {
        Answer::Many(answer) => answer,
        other => panic!("{other:?}"),
    }
}

fn scores(answer: &ManyAnswer) -> Vec<(&str, i64)> {
    answer.scores.iter().map(|score| (score.player.as_str(), score.score)).collect()
}

/// Replays the line of an answer by the rules: it must end in the scores.
fn line_ends_in_the_scores(engine: &Engine, answer: &ManyAnswer) {
    let opened = engine.open(&answer.game).unwrap();
    let game = opened.opened().clone().require_in_turn(&answer.game).unwrap();
    let mut s = game.read_position(&answer.position).unwrap();
    for word in &answer.line {
        let Turn::Agent(agent) = game.turn(&s) else { panic!("{answer:?}") };
        let m = game.read_move(&s, word).unwrap();
        game.play(&mut s, agent, m);
    }
    assert_eq!(game.turn(&s), Turn::Over, "{answer:?}");
    let outcome = game.outcome(&s);
    for (agent, score) in (0..).zip(&answer.scores) {
        assert_eq!(game.score(outcome, Agent(agent)), score.score, "{answer:?}");
    }
}

#[test]
fn every_player_gets_what_backward_induction_says() {
    let engine = Engine::default();
    // The scores are those of an independent search in the tests of rulesheets.
    let pruned = run(&job(&format!("{NIM} solver=maxn")));
    let plain = run(&job(&format!("{NIM} solver=maxn(prune=no)")));
    for finished in [&pruned, &plain] {
        let answer = many(finished);
        assert_eq!(answer.value.as_deref(), Some("50/100/0"));
        assert_eq!(scores(answer), [("first", 50), ("second", 100), ("third", 0)]);
        assert_eq!(
            (answer.to_move.as_deref(), answer.ties.as_str()),
            (Some("first"), "first-best")
        );
        assert_eq!(answer.best_move.as_ref(), answer.line.first());
        line_ends_in_the_scores(&engine, answer);
        assert!(answer.proof.as_ref().is_some_and(|proof| proof.proved && proof.checked));
        assert!(accepted(&engine, &finished.certificate), "{}", finished.certificate);
    }
    assert_eq!(pruned.certificate, plain.certificate);
    assert_eq!(many(&pruned).line, many(&plain).line);
    assert!(many(&pruned).nodes < many(&plain).nodes);
    // Behind a move it is a position like any other.
    let after = run(&job(&format!("{NIM} solver=maxn position=moves:{}", many(&plain).line[0])));
    assert_eq!(many(&after).value, many(&plain).value);
    assert_eq!(many(&after).line[..], many(&plain).line[1..]);
    // An answer is its JSON.
    let text = serde_json::to_string(&plain.answer).unwrap();
    assert_eq!(serde_json::from_str::<Answer>(&text).unwrap(), plain.answer);
}

#[test]
fn of_two_players_it_is_the_value_of_the_game() {
    let engine = Engine::default();
    for game in ["nim:1,2,3", "nim:2,3", "domineering:3x4", "kalah:2,2", "tic-tac-toe", "hex:3"] {
        let value = run(&job(game));
        let found = run(&job(&format!("{game} solver=maxn")));
        let answer = many(&found);
        line_ends_in_the_scores(&engine, answer);
        assert_eq!(answer.outcome, turn(&value).value, "{game}");
        assert!(accepted(&engine, &found.certificate), "{game}");
        let both = scores(answer);
        assert_eq!(both[0].1, -both[1].1, "{game}");
    }
}

#[test]
fn one_against_all_others_is_the_usual_question() {
    for text in ["chinese-checkers:1,3", "chinese-checkers:1,3 player=green", NIM] {
        let (usual, named) = (run(&job(text)), run(&job(&format!("{text} solver=paranoid"))));
        assert_eq!(turn(&usual).value, turn(&named).value);
        assert_eq!(usual.certificate, named.certificate);
    }
    // Outcomes that are the same to a player are one.
    let found = run(&job("chinese-checkers:1,3"));
    let answer = turn(&found);
    assert_eq!((answer.value.as_deref(), &answer.winner), (Some("green or blue"), &None));
    // Every search ranks outcomes by what the player gets.
    let game = job(&format!("{NIM} player=second"));
    for by in all_guidances(false) {
        let found = run(&guided(game.clone(), by));
        assert_eq!(turn(&found).value.as_deref(), Some("0"), "{by}");
    }
}

#[test]
fn the_best_reply_is_another_game_with_a_name_of_its_own() {
    let engine = Engine::default();
    let found = run(&job("chinese-checkers:1,3 solver=best-reply"));
    let answer = turn(&found);
    assert_eq!(answer.game, "best-reply:chinese-checkers:1,3");
    assert_eq!(answer.estimate_of.as_deref(), Some("chinese-checkers:1,3"));
    assert!(found.certificate.contains("\ngame best-reply:chinese-checkers:1,3\n"));
    assert!(accepted(&engine, &found.certificate));
    let again = run(&job("best-reply:chinese-checkers:1,3"));
    assert_eq!(turn(&again).value, answer.value);
    let green = run(&job("chinese-checkers:1,3 solver=best-reply player=green"));
    assert_eq!(turn(&green).game, "best-reply:chinese-checkers:1,3,for=green");
    // Of two players one replies anyway.
    for game in ["tic-tac-toe", "hex:3", "connect-four:3x3", "chinese-checkers:1,2"] {
        let (value, reply) = (run(&job(game)), run(&job(&format!("{game} solver=best-reply"))));
        let (value, reply) = (turn(&value), turn(&reply));
        assert_eq!((&value.winner, value.status), (&reply.winner, reply.status), "{game}");
    }
    for (text, said) in [
        (format!("{NIM} solver=best-reply"), "only when it is their turn"),
        ("nim:1,2 solver=best-reply".to_owned(), "only when it is their turn"),
    ] {
        let error = engine.run(&job(&text), &mut (), &Cancel::new()).unwrap_err();
        assert!(error.message.contains(said), "{error}");
    }
}

#[test]
fn what_it_does_not_take_is_refused_by_name() {
    let engine = Engine::default();
    let error = |text: &str| engine.run(&job(text), &mut (), &Cancel::new()).unwrap_err().message;
    for (text, said) in [
        ("chinese-checkers:1,3 solver=maxn", "positions of chinese-checkers:1,3 come up again"),
        ("nim:1,2 solver=maxn question=win", "not a question about every player's score"),
        ("nim:1,2 solver=maxn player=second", "`player` does not go with max^n"),
        ("nim:1,2 solver=maxn driver=df", "`driver` does not go with max^n"),
        ("goofspiel:3 solver=maxn", "`maxn` is for players who move in turn"),
        ("pig:5 solver=maxn", "max^n does not take chance"),
    ] {
        assert!(error(text).contains(said), "{text}: {}", error(text));
    }
    for text in ["maxn(prune=maybe)", "paranoid(x)", "maxm"] {
        assert!(format!("nim:1 solver={text}").parse::<Job>().is_err(), "{text}");
    }
    let text = "nim:1,2 solver=maxn(prune=no)";
    assert_eq!(job(text).to_string(), text);
}

#[test]
fn a_budget_that_is_too_small_is_an_answer() {
    let found = run(&job(&format!("{NIM} solver=maxn nodes=10")));
    let answer = many(&found);
    assert_eq!((answer.status, answer.stop), (Status::Undecided, Stop::Nodes));
    assert!(answer.scores.is_empty() && answer.line.is_empty() && answer.value.is_none());
    assert!(found.certificate.is_empty() && answer.proof.is_none());
    let large = "connect-four:6x7 solver=maxn";
    let late = run(&job(&format!("{large} time=0.05")));
    assert_eq!(many(&late).stop, Stop::Time);
    let full = run(&job(&format!("{large} memory=1000000")));
    assert_eq!(many(&full).stop, Stop::Memory);
    let (engine, cancel) = (Engine::default(), Cancel::new());
    cancel.cancel();
    let ended = engine.run(&job(large), &mut (), &cancel).unwrap();
    assert_eq!(many(&ended).stop, Stop::Interrupted);
    // Without a proof it is an answer, too.
    let quick = run(&Job { proof: Proof::Never, ..job(&format!("{NIM} solver=maxn")) });
    assert_eq!(many(&quick).value.as_deref(), Some("50/100/0"));
    assert!(quick.certificate.is_empty() && many(&quick).proof.is_none());
}

/// Two roles walk along; who stops gets more than the other, and both get more by walking on.
const CENTIPEDE: &str = "(role a) (role b) (other a b) (other b a) (init (at 1)) (init (turn a))
    (succ 1 2) (succ 2 3) (succ 3 4)
    (<= (legal ?p stop) (true (turn ?p))) (<= (legal ?p walk) (true (turn ?p)) (not (true (at 4))))
    (<= (legal ?p noop) (role ?p) (not (true (turn ?p))))
    (<= (next (turn ?q)) (true (turn ?p)) (other ?p ?q))
    (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (does ?p walk))
    (<= (next (stopped ?x)) (true (at ?x)) (does ?p stop))
    (<= terminal (true (stopped ?x)))
    (gets 1 a 20) (gets 1 b 10) (gets 2 a 10) (gets 2 b 40) (gets 3 a 80) (gets 3 b 20)
    (gets 4 a 70) (gets 4 b 90)
    (<= (goal a 20) (true (stopped 1))) (<= (goal b 10) (true (stopped 1)))
    (<= (goal a 10) (true (stopped 2))) (<= (goal b 40) (true (stopped 2)))
    (<= (goal a 80) (true (stopped 3))) (<= (goal b 20) (true (stopped 3)))
    (<= (goal a 70) (true (stopped 4))) (<= (goal b 90) (true (stopped 4)))";

#[test]
fn two_roles_whose_goals_do_not_add_up_have_scores_of_their_own() {
    let engine = Engine::new(Files::from_memory([("c.kif", CENTIPEDE)]), SystemClock::new());
    let run = |text: &str| engine.run(&job(text), &mut (), &Cancel::new()).unwrap();
    let found = run("gdl:c.kif solver=maxn");
    // Who is to move stops at every step.
    assert_eq!(scores(many(&found)), [("a", 20), ("b", 10)]);
    assert_eq!(many(&found).line, ["stop"]);
    line_ends_in_the_scores(&engine, many(&found));
    assert!(accepted(&engine, &found.certificate));
    let behind = run("gdl:c.kif solver=maxn position=moves:walk,walk,walk");
    assert_eq!(scores(many(&behind)), [("a", 70), ("b", 90)]);
    // What one can force against the other is its own goal.
    let both = [run("gdl:c.kif"), run("gdl:c.kif player=b")];
    assert_eq!(turn(&both[0]).value.as_deref(), Some("20"));
    assert_eq!(turn(&both[1]).value.as_deref(), Some("10"));
    // With 20 a may have more than b or less; with 10 b never has more than a.
    assert_eq!(turn(&both[0]).winner, None);
    assert_eq!(turn(&both[1]).winner.as_deref(), Some("a"));
    assert!(both.iter().all(|found| accepted(&engine, &found.certificate)));
}

#[test]
fn changed_certificates_are_refused() {
    let engine = Engine::new(Files::from_disk(), NoClock);
    let mut rng = Rng::new(3);
    let (mut refused, mut same) = (0, 0);
    for text in [NIM, "nim:1,2,3", "domineering:3x3", "connect-four:3x3 position=moves:1,2,2"] {
        let found = run(&job(&format!("{text} solver=maxn")));
        let lines: Vec<String> = found.certificate.lines().map(str::to_owned).collect();
        let lines = &lines[..lines.len() - 1];
        assert_eq!(seal(lines), found.certificate);
        for _ in 0..150 {
            let mut changed = lines.to_vec();
            let pick = |rng: &mut Rng| rng.below(lines.len() as u32) as usize;
            let (at, other) = (pick(&mut rng), pick(&mut rng));
            match rng.below(5) {
                0 => {
                    changed.remove(at);
                }
                1 => changed.insert(at, lines[other].clone()),
                2 => changed[at] = lines[other].clone(),
                3 => {
                    let mut bytes = changed[at].clone().into_bytes();
                    if let Some(byte) = bytes.get_mut(rng.below(30) as usize) {
                        *byte = b"0123456789abcdefgh @.-"[rng.below(22) as usize];
                    }
                    changed[at] = String::from_utf8_lossy(&bytes).into_owned();
                }
                _ => {
                    // The move of another position at this place.
                    let place = changed[at].split_once(" @ ").map(|(_, place)| place.to_owned());
                    let m = lines[other].split_once(" @ ").map(|(m, _)| m);
                    if let (Some(place), Some(m)) = (place, m) {
                        changed[at] = format!("{m} @ {place}");
                    }
                }
            }
            match changed == lines {
                true => same += 1,
                false => {
                    let text = seal(&changed);
                    assert!(!accepted(&engine, &text), "{text}");
                    refused += 1;
                }
            }
        }
    }
    println!("{refused} refused, {same} were not changed");
    assert!(refused > 400);
}
