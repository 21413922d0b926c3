//! Jobs by threats: what answers say, and which games are refused.

use crate::common::{job, run, turn};
use foregone::{Cancel, Engine, Stop};

#[test]
fn a_win_is_proved_and_no_win_is_no_loss() {
    let finished = run(&job("hex:4 driver=lambda"));
    let answer = turn(&finished);
    assert_eq!((answer.value.as_deref(), answer.stop), (Some("win"), Stop::Solved));
    assert!(answer.proof.as_ref().is_some_and(|proof| proof.proved));
    // Black wins, but not by threats.
    let finished = run(&job("atari-go:4x4 driver=lambda(order=1)"));
    let answer = turn(&finished);
    assert_eq!((answer.stop, answer.threats, answer.solved()), (Stop::Orders, Some(1), false));
    assert_eq!((&answer.value, &answer.winner), (&None, &None));
    assert_eq!(answer.bounds, ["loss", "win"]);
    assert_eq!(serde_json::to_value(answer).unwrap()["stop"], "orders");
}

#[test]
fn games_without_threats_are_refused_by_name() {
    for (text, why) in [
        ("nim:3,4,5 driver=lambda", "can move out of turn, unlike nim:3,4,5"),
        ("same-game driver=lambda", "two players, unlike same-game"),
        ("chinese-checkers:1,3 driver=lambda", "two players, unlike chinese-checkers"),
    ] {
        let refused = Engine::default().run(&job(text), &mut (), &Cancel::new());
        let error = refused.err().unwrap_or_else(|| panic!("{text}")).to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
}
