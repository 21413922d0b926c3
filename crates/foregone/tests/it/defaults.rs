//! What is used when a job says nothing.

use foregone::games::registry::{GAMES, Moves};
use foregone::search::scheme::Pn;
use foregone::search::{DriverSpec, Init, SchemeSpec};
use foregone::{Engine, Job, Opened, Stop, default_guidance, pick};

use crate::common::{in_turn, job, root, run, turn};

/// Every game of the list; those that need a file, with one.
fn games() -> Vec<String> {
    let file = |path: &str| root().join(path).display().to_string();
    let spec = |name: &str| match name {
        "explicit" => format!("explicit:{}", file("examples/figure-2-2.game")),
        "gdl" => format!("gdl:{}", file("rulesheets/tic-tac-toe.kif")),
        "joint" => format!("joint:{}", file("examples/example-11.joint")),
        "matrix" => format!("matrix:{}", file("examples/rock-paper-scissors.csv")),
        name => name.to_owned(),
    };
    GAMES.iter().map(|game| spec(game.name)).collect()
}

#[test]
fn every_game_opens_and_runs_by_default() {
    let mut in_turn = 0;
    for game in games() {
        let opened = Engine::default().open(&game).unwrap();
        let mut job = Job::new(&game);
        job.budget.nodes = Some(3000);
        if let Opened::InTurn(game) = opened.opened() {
            in_turn += 1;
            let usual = default_guidance(game);
            assert_eq!(pick(game, &job).unwrap(), usual, "{}", usual);
        }
        let finished = run(&job);
        let stops = [Stop::Solved, Stop::Nodes];
        assert!(stops.contains(&finished.answer.stop()), "{game}: {:?}", finished.answer);
        let checked = finished.answer.proof().is_none_or(|proof| proof.checked);
        assert!(checked, "{game}");
    }
    let all = GAMES.iter().filter(|game| game.moves != Moves::Joint).count();
    assert!(in_turn == all && all >= 20, "{in_turn} of {all}");
}

/// Alpha-beta is usual in Domineering and takes no scheme: who names one gets a driver and leaves
/// that go with it.
#[test]
fn a_scheme_alone_gets_a_driver_and_leaves() {
    let game = in_turn("domineering:4x4");
    assert_eq!(default_guidance(&game).driver(), DriverSpec::ALPHA_BETA);
    let asked = job("domineering:4x4 scheme=pn knowledge=no");
    let guidance = pick(&game, &asked).unwrap();
    assert_eq!(guidance.leaves(), Some(Init::Mobility));
    assert_eq!(guidance.scheme(), Some(SchemeSpec::new(Pn)));
    let finished = run(&asked);
    let answer = turn(&finished);
    assert_eq!((answer.driver.as_str(), answer.scheme.as_deref()), ("dag", Some("pn")));
    assert!(answer.nodes <= 176, "{} nodes", answer.nodes);
    // Leaves that are all the same take twice as many.
    let constant = run(&job("domineering:4x4 scheme=pn leaves=one knowledge=no"));
    assert!(turn(&constant).nodes > 2 * answer.nodes, "{} nodes", turn(&constant).nodes);
}

#[test]
fn what_does_not_go_together_is_refused() {
    for (text, part) in [
        ("nim driver=dfs scheme=pn", "does not take `pn`"),
        ("nim driver=df scheme=mcts", "does not take the scheme `mcts`"),
        ("nim scheme=pn leaves=playout", "leaves by `playout` do not go with"),
        ("nim scheme=pp leaves=evaluation", "has no evaluation"),
        ("goofspiel:3 scheme=pn", "`scheme` does not go with joint moves"),
        ("goofspiel:3 driver=df", "`driver` does not go with joint moves"),
        ("goofspiel:3 question=win", "is not a question about joint moves"),
        ("woodpush:6,2 question=nash", "can come up again"),
        ("goofspiel:3 question=\"formula w\"", "both players move at the same time"),
    ] {
        let job = job(text);
        let error = Engine::default().run(&job, &mut (), &foregone::Cancel::new());
        let error = error.expect_err(text);
        assert!(error.message.contains(part), "{text}: {error}");
    }
}
