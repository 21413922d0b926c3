use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::*;
use crate::search::Limits;
use crate::settings::Clock;
use crate::test_games::{MAZE, RPS, THREE, TICTACTOE};

/// A player that thinks for a quarter of a clock of one second.
fn quick() -> Player {
    let clock = Clock { margin: Duration::from_millis(750), percent: 0 };
    Player::new(Settings { clock, ponder: false, ..Settings::default() })
}

fn start(id: &str, role: &str, rules: &str) -> String {
    format!("(START {id} {role} ({rules}) 1 1)")
}

#[test]
fn a_match_goes_from_start_to_stop_in_either_case() {
    let player = quick();
    let say = |text: &str| player.answer(text).unwrap();
    assert_eq!(say("( INFO )"), "((name foregone) (status available))");
    assert_eq!(say(&format!("(preview ({MAZE}) 1)")), "ready");
    assert_eq!(say(&start("M1", "XPLAYER", TICTACTOE)), "ready");
    assert_eq!(say("(info)"), "((name foregone) (status busy))");
    assert!(say("(PLAY m1 NIL)").starts_with("(mark "));
    assert_eq!(say("( play M1 ((MARK 1 1) NOOP) )"), "noop", "a forced move");
    assert!(say("(play m1 (noop (mark 2 2)))").starts_with("(mark "));
    assert_eq!(say("(Stop m1 ((mark 1 2) noop))"), "done");
    assert_eq!(say("(ping)"), "((name foregone) (status available))");
    assert_eq!(say(&start("m2", "oplayer", TICTACTOE)), "ready");
    assert_eq!(say("(abort M2)"), "aborted");
    assert_eq!(say("(info)"), "((name foregone) (status available))");
}

#[test]
fn other_matches_are_answered_busy_and_do_no_harm() {
    let player = quick();
    let say = |text: &str| player.answer(text).unwrap();
    for unknown in ["(play m nil)", "(stop m (a b))", "(abort m)"] {
        assert_eq!(say(unknown), "busy");
    }
    assert_eq!(say(&start("m", "xplayer", TICTACTOE)), "ready");
    assert_eq!(say(&start("n", "robot", MAZE)), "busy");
    assert_eq!(say(&format!("(preview ({MAZE}) 1)")), "busy");
    assert_eq!(say("(play n nil)"), "busy");
    assert_eq!(say("(abort n)"), "busy");
    assert!(say("(play m nil)").starts_with("(mark "));
    // The same name begins anew, here with another game.
    assert_eq!(say(&start("m", "robot", MAZE)), "ready");
    assert!(say("(play m nil)").starts_with("(go "));
}

#[test]
fn bad_messages_change_nothing() {
    let player = quick();
    let why = |text: &str| player.answer(text).unwrap_err().reason;
    assert!(why(&start("m", "zplayer", TICTACTOE)).contains("there is no role `zplayer`"));
    assert!(why("(start m a ((role a) (<=)) 1 1)").contains("line 1, column 10"));
    assert!(why("(start m a ((role a)) 1 1)").contains("not those of a game"), "no moves");
    assert!(
        why("(start m a ((role a) (<= (legal a ?x) (not (p ?x)))) 1 1)")
            .contains("not those of a game")
    );
    assert!(why("(start m a ((role a) (role random)) 1 1)").contains("GDL-II"));
    assert!(why("(preview ((role a) (<=)) 1)").contains("line 1"));
    assert_eq!(player.answer("(info)").unwrap(), "((name foregone) (status available))");

    player.answer(&start("m", "xplayer", TICTACTOE)).unwrap();
    assert!(why("(play m (noop noop))").contains("`noop` is not legal for xplayer"));
    assert!(why("(play m ((mark 1 1)))").contains("1 moves for 2 roles"));
    assert!(why("(play m ((mark 1 1) noop noop))").contains("3 moves"));
    assert!(why("(play m ((mark ?x 1) noop))").contains("is not a move"));
    assert!(why("(play m ((dance 1) noop))").contains("is not a move"));
    assert!(why("(play m (() noop))").contains("is not a move"));
    assert!(player.answer("(play m ((mark 1 1) noop))").unwrap() == "noop");
}

#[test]
fn nothing_is_played_behind_the_end() {
    let player = quick();
    let rules = "(role a) (legal a go) (init (at 1)) (<= (next (at 2)) (does a go))
                 (<= terminal (true (at 2))) (goal a 100)";
    player.answer(&start("m", "a", rules)).unwrap();
    assert_eq!(player.answer("(play m nil)").unwrap(), "go");
    assert_eq!(player.answer("(play m (go))").unwrap_err().reason, "the game is over");
    assert_eq!(player.answer("(play m (go))").unwrap_err().reason, "`go` is not legal for a");
    assert_eq!(player.answer("(stop m (go))").unwrap(), "done");
}

#[test]
fn all_kinds_of_games_get_legal_moves() {
    for (rules, role, begins) in [
        (RPS, "right", ""),
        (THREE, "anna", "(take "),
        (THREE, "cleo", "noop"),
        (MAZE, "robot", "("),
    ] {
        let player = quick();
        player.answer(&start("m", role, rules)).unwrap();
        let action = player.answer("(play m nil)").unwrap();
        assert!(action.starts_with(begins) && action != "nil", "{role}: {action}");
    }
}

#[test]
fn clocks_are_kept() {
    // The default margin of half a second.
    let player = Player::new(Settings::default());
    let timed = |text: &str| {
        let begin = Instant::now();
        (player.answer(text).unwrap(), begin.elapsed())
    };
    // A game that is not solved while the clock runs: then there would be nothing to think about.
    let rules = include_str!("../../../../rulesheets/connect-four.kif");
    let (ready, time) = timed(&start("m", "red", rules));
    assert_eq!(ready, "ready");
    assert!((400..1000).contains(&time.as_millis()), "{time:?}");
    let (action, time) = timed("(play m nil)");
    assert!(action.starts_with("(drop "));
    assert!((400..1000).contains(&time.as_millis()), "{time:?}");
    let (_, time) = timed("(play m ((drop 4) noop))");
    assert!(time.as_millis() < 400, "a forced move takes {time:?}");
}

/// A game whose every state is looked at for a second or so: `never` holds for nothing, but that
/// takes millions of questions to find out.
fn slow() -> String {
    let digits: String = (0..12).map(|n| format!("(d {n}) ")).collect();
    format!(
        "(role a) (init (at 0)) {digits} (zero 0 1)
         (<= never (true (at ?n)) (d ?a) (d ?b) (d ?c) (d ?e) (d ?f) (d ?g) (d ?h) (zero ?h ?n))
         (<= (legal a (go ?x)) (d ?x) (not never))
         (<= (next (at ?x)) (does a (go ?x)) (true (at ?n)))
         (<= terminal (true (at 9)))
         (goal a 50)"
    )
}

#[test]
fn a_slow_game_is_answered_in_time() {
    let player = quick();
    let timed = |text: &str| {
        let begin = Instant::now();
        let answer = player.answer(text).unwrap();
        assert!(begin.elapsed() < Duration::from_secs(1), "{text:.20}: {:?}", begin.elapsed());
        answer
    };
    assert_eq!(timed(&start("m", "a", &slow())), "ready");
    // As long as the first state is still being looked at, there is no better answer than `nil`.
    let action = (0..60).map(|_| timed("(play m nil)")).find(|a| a != "nil");
    assert!(action.unwrap().starts_with("(go "));
    assert_eq!(timed("(stop m ((go 9)))"), "done");
}

#[test]
fn thinking_ends_when_the_match_does() {
    let player = Arc::new(Player::new(Settings::default()));
    let long = format!("(START m xplayer ({TICTACTOE}) 60 60)");
    let thinking = {
        let player = Arc::clone(&player);
        thread::spawn(move || player.answer(&long).unwrap())
    };
    while player.answer("(info)").unwrap().contains("available") {
        thread::sleep(Duration::from_millis(5));
    }
    let begin = Instant::now();
    assert_eq!(player.answer("(abort m)").unwrap(), "aborted");
    assert_eq!(thinking.join().unwrap(), "ready");
    assert!(begin.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_match_without_messages_is_given_up() {
    let (tell, told) = mpsc::channel();
    let player = quick().with_log(move |event| tell.send(event.to_string()).unwrap());
    player.answer(&start("m", "xplayer", TICTACTOE)).unwrap();
    assert_eq!(player.answer(&start("n", "robot", MAZE)).unwrap(), "busy");
    // Twenty seconds without a message, and no second to wait for them.
    player.with_match(|slot| slot.as_mut().unwrap().patience = Duration::ZERO);
    assert_eq!(player.answer(&start("n", "robot", MAZE)).unwrap(), "ready");
    assert!(player.answer("(play n nil)").unwrap().starts_with("(go "));
    player.answer("(stop n ((go north)))").unwrap();
    drop(player);
    let lines: Vec<String> = told.iter().collect();
    for line in ["start m as xplayer", "gave up m: no message for too long", "start n as robot"] {
        assert!(lines.iter().any(|l| l == line), "{line} in {lines:?}");
    }
    assert_eq!(lines.last().unwrap(), "stop n", "{lines:?}");
}

#[test]
fn the_end_of_a_match_is_told() {
    let (tell, told) = mpsc::channel();
    let player = quick().with_log(move |event| tell.send(event.to_string()).unwrap());
    let rules = "(role a) (legal a go) (init (at 1)) (<= (next (at 2)) (does a go))
                 (<= terminal (true (at 2))) (goal a 75)";
    player.answer(&start("m", "a", rules)).unwrap();
    player.answer("(play m nil)").unwrap();
    player.answer("(stop m (go))").unwrap();
    drop(player);
    let lines: Vec<String> = told.iter().collect();
    assert!(lines.iter().any(|l| l.starts_with("play: go, ")), "{lines:?}");
    assert_eq!(lines.last().unwrap(), "stop m: goal 75");
}

#[test]
fn workers_that_do_not_end_are_not_many() {
    let player = quick();
    let permit: Vec<_> =
        (0..WORKERS).map(|_| WorkerPermit::join(&player.workers, WORKERS)).collect();
    assert!(permit.iter().all(Option::is_some));
    assert_eq!(player.answer(&start("m", "robot", MAZE)).unwrap(), "busy");
    drop(permit);
    assert_eq!(player.answer(&start("m", "robot", MAZE)).unwrap(), "ready");
    assert_eq!(player.workers.load(Ordering::SeqCst), 1);
    player.answer("(abort m)").unwrap();
    while player.workers.load(Ordering::SeqCst) > 0 {
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn no_bytes_make_it_panic() {
    let player = quick();
    let seeds = [start("m", "robot", MAZE), "(play m ((go north)))".into(), "(stop m (x))".into()];
    let mut rng = foregone_model::Rng::new(3);
    for round in 0..3000 {
        let mut text: Vec<char> = seeds[round % 3].chars().collect();
        for _ in 0..=rng.below(3) {
            let at = rng.below(text.len() as u32) as usize;
            let junk = ['(', ')', ' ', '?', 'ß', ';', '1', '\u{0}', '\n'];
            match rng.below(3) {
                0 => text.truncate(at.max(1)),
                1 => text[at] = junk[rng.below(9) as usize],
                _ => text.insert(at, junk[rng.below(9) as usize]),
            }
        }
        let text: String = text.into_iter().collect();
        // Rules that are read by chance are a match, which would take its time.
        if Message::read(&text).is_ok_and(|m| matches!(m, Message::Start { .. })) && round % 60 != 0
        {
            continue;
        }
        let _ = player.answer(&text);
    }
    let limits = Limits { nodes: 0, bytes: 0, plays: 0, longest: 0, ..Limits::default() };
    let player = Player::new(Settings { limits, ..quick().settings.clone() });
    player.answer(&start("m", "xplayer", TICTACTOE)).unwrap();
    assert!(player.answer("(play m nil)").unwrap().starts_with("(mark "));
}
