//! Several threads of `alphabeta`: the same values as one thread, with certificates that replay.

use foregone::games::explicit::Explicit;
use foregone::model::Rng;
use foregone::{AnyGame, Engine, Job};

use crate::common::{accepted, job, line_is_true, run, run_on, turn};
use crate::random_games::{MANY, TWO, random_graph};

#[test]
fn random_games_have_the_same_values_by_any_number_of_threads() {
    let mut rng = Rng::new(11);
    let mut seen = std::collections::BTreeSet::new();
    for number in 0..400 {
        let cyclic = number % 4 == 0;
        let text = random_graph(&mut rng, cyclic, if number % 2 == 0 { TWO } else { MANY });
        let game = Explicit::read("explicit:random", &text).unwrap();
        let any = AnyGame::in_turn(game.clone());
        let walk = ["null", "full"][number % 2];
        let order = ["game", "rules", "history"][number % 3];
        let answers = [1, 2, 4].map(|threads| {
            let words = format!("driver=alphabeta(order={order},walk={walk}) threads={threads}");
            let job = Job { game: String::new(), ..job(&format!("nim {words} proof=always")) };
            let finished = run_on(&any, &job).unwrap_or_else(|e| panic!("{e} on\n{text}"));
            let answer = turn(&finished).clone();
            assert!(answer.proof.is_some(), "{threads} threads prove nothing on\n{text}");
            line_is_true(&game, &answer, |_| {});
            (answer.value.clone(), answer.bounds.clone())
        });
        assert!(answers.iter().all(|a| *a == answers[0]), "{answers:?} on\n{text}");
        seen.insert(answers[0].clone());
    }
    assert!(seen.len() >= 7, "{seen:?}");
}

#[test]
fn positions_have_the_same_values_by_any_number_of_threads() {
    let engine = Engine::default();
    for game in [
        "connect-four:5x5",
        "connect-four:4x6",
        "connect-four position=moves:1,3,3,3,3,1,1,1,4,4,4,4,4,2,2,7",
        "domineering:6x6",
        "domineering:5x6 knowledge=no",
        "hex:3 driver=alphabeta(walk=full)",
        "connect-four:4x5 driver=alphabeta(order=history,walk=full)",
    ] {
        let solve = |threads: u32| {
            let finished = run(&job(&format!("{game} threads={threads} proof=always")));
            let answer = turn(&finished);
            let place = format!("{game}, {threads} threads");
            assert!(answer.solved() && answer.proof.is_some(), "{place}");
            assert!(accepted(&engine, &finished.certificate), "{place}");
            answer.value.clone()
        };
        let one = solve(1);
        assert_eq!([solve(2), solve(4)], [one.clone(), one], "{game}");
    }
}
