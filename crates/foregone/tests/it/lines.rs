//! Lines that end in the value that they illustrate, where there is no proof to follow. Those with a
//! proof are replayed wherever the corpus and random games are solved.

use foregone::search::all_guidances;
use foregone::{LineEnd, Proof};

use crate::common::{guided, in_turn, job, line_is_true, run, run_on, shared, turn};
use foregone::model::Guide;

#[test]
fn lines_without_a_proof_are_true_by_every_driver_and_scheme() {
    let names =
        ["tic-tac-toe", "othello:4x4", "seki:3,3", "connect-four:4x4", "hex:3", "domineering:4x4"];
    let (mut whole, mut all) = (0, 0);
    for name in names {
        let game = in_turn(name);
        for guidance in all_guidances(game.evaluates()) {
            for question in ["value", "win"] {
                let mut asked = guided(job(&format!("{name} proof=never")), guidance);
                asked.question = question.parse().unwrap();
                asked.budget.nodes = Some(3_000_000);
                let finished = run_on(&shared(&game), &asked).unwrap();
                let answer = turn(&finished);
                assert!(answer.proof.is_none(), "{guidance} on {name}");
                if !answer.solved() {
                    continue;
                }
                assert!(!answer.line.is_empty(), "{guidance} on {name}: {answer:?}");
                whole += u32::from(line_is_true(&game, answer, |_| {}));
                all += 1;
            }
        }
    }
    assert!(all > 600 && whole * 100 >= all * 97, "{whole} of {all} lines reach the end");
}

/// What a table remembers, and what a short search finds behind it.
#[test]
fn forgetful_searches_show_what_they_remember() {
    for words in [
        "connect-four:5x5",
        "breakthrough:5x4",
        "domineering:6x6",
        "hex:4 knowledge=no",
        "atari-go:4x5 knowledge=no",
    ] {
        let mut asked = job(words);
        asked.proof = Proof::Never;
        let finished = run(&asked);
        let answer = turn(&finished);
        assert!(answer.solved(), "{words}");
        let whole = line_is_true(&in_turn(&asked.game), answer, |_| {});
        assert!(!answer.line.is_empty(), "{words}");
        println!("{words}: {} moves, whole: {whole}", answer.line.len());
    }
}

/// Static knowledge decides long before a game is over; the line goes on.
#[test]
fn lines_go_on_where_knowledge_ends_the_proof() {
    for words in ["domineering:5x5", "domineering:6x6", "hex:4", "woodpush:6,3", "y:4"] {
        let finished = run(&job(words));
        let answer = turn(&finished);
        assert_eq!(answer.line_end, LineEnd::Final, "{words}: {:?}", answer.line);
        assert!(line_is_true(&in_turn(words), answer, |_| {}), "{words}");
    }
}

/// Who has lost resists: in Nim with two equal heaps the second player answers until the end.
#[test]
fn losing_sides_resist_longest() {
    let finished = run(&job("nim:4,4"));
    let answer = turn(&finished);
    assert_eq!(answer.winner.as_deref(), Some("second"));
    // Against a proof that mirrors every move, one match at a time takes eight moves.
    assert_eq!(answer.line.len(), 8, "{:?}", answer.line);
}
