//! Games with chance and opponents who are known: the program as a person meets it.

use crate::cli::{Scratch, foregone, solve};

#[test]
fn an_expected_value_is_a_sentence_and_an_object() {
    let run = solve("bear-off:1-1-1,4");
    assert_eq!(run.code, 0);
    assert!(run.out.contains("bear-off:1-1-1,4: first wins with chance 217/256."), "{}", run.out);
    assert!(run.out.contains("proof      checked, strategies of first for"), "{}", run.out);
    let json = solve("bear-off:1-1-1,4 --json --moves").json();
    assert_eq!(json.text("value"), "217/256");
    assert_eq!(json.text("value_is"), "chance-to-win");
    assert_eq!(json.text("player"), "first");
    assert!(json.get("moves").as_array().unwrap().iter().all(|m| m["proved"] == true));
    let points = solve("random-chance:2,2,2,10,0");
    assert!(points.out.contains("gets, on average,"), "{}", points.out);
    let about = solve("random-chance:2,2,6,10,0 --scheme mcms(samples=3)");
    assert_eq!(about.code, 1);
    assert!(about.out.contains("an approximation."), "{}", about.out);
    assert!(!about.out.contains("proof"), "{}", about.out);
    let stopped = solve("einstein:4 --nodes 1000");
    assert_eq!(stopped.code, 1);
    assert!(
        stopped.out.contains("undecided (nodes): red wins with chance 0 to 1."),
        "{}",
        stopped.out
    );
}

#[test]
fn proofs_of_expected_values_are_kept_and_verified() {
    let scratch = Scratch::new();
    let file = scratch.file("proof.txt");
    for game in ["bear-off:1-1-1,4", "pig:6,4", "einstein:3,3", "tic-tac-toe --opponent random"] {
        let run = solve(&format!("{game} --proof {file}"));
        assert_eq!(run.code, 0, "{}", run.out);
        let verified = foregone(&["verify", "--strict", &file]);
        assert_eq!(verified.code, 0, "{}", verified.message());
        assert!(verified.out.starts_with("proved: ") && verified.out.contains("on average"));
        let text = std::fs::read_to_string(&file).unwrap();
        let place = text.find("! ").unwrap();
        std::fs::write(&file, format!("{}? {}", &text[..place], &text[place + 2..])).unwrap();
        assert_eq!(foregone(&["verify", &file]).code, 3);
    }
}

#[test]
fn the_strategy_of_a_file_is_an_opponent() {
    let scratch = Scratch::new();
    let file = scratch.file("draw.txt");
    let draw = format!("tic-tac-toe --question win --no-knowledge --proof {file}");
    assert_eq!(solve(&draw).code, 0);
    let json = solve(&format!("tic-tac-toe --opponent proof:{file} --json")).json();
    assert_eq!((json.text("value"), json.text("opponent")), ("1/2", "proof"));
    let mixed = solve(&format!("tic-tac-toe --opponent proof:{file}:3,random:1 --json")).json();
    assert_eq!(mixed.text("opponent"), "proof:3,random:1");
    let missing = solve("tic-tac-toe --opponent proof:no-such-file");
    assert!(missing.code == 2 && missing.message().contains("no-such-file"));
}

#[test]
fn what_does_not_go_together_is_named() {
    for (words, why) in [
        ("pig:10 --scheme pn", "`--scheme pn` does not take chance, and pig:10 has it"),
        ("pig:10 --scheme smab", "`--scheme smab` does not take chance"),
        ("pig:10 --driver df", "the driver `df` does not take chance, and pig:10 has it"),
        ("pig:10 --scheme iterate --driver tree", "the driver `tree` does not take chance"),
        ("pig:10 --scheme star1", "positions of pig:10,6 can come up again"),
        ("pig:10 --exploration 2", "`--exploration` does not take chance"),
        ("pig:10 --question win", "`win` is not a question about a game with chance"),
        ("tic-tac-toe --opponent rondom", "`rondom` is not an opponent"),
        ("tic-tac-toe --opponent random --driver df", "does not take `--opponent random`"),
        ("tic-tac-toe --contempt 2", "`2` is not a fraction from -1/2 to 1/2"),
        ("pig:10 --contempt 1/4", "no draws that contempt could be for"),
        (
            "goofspiel:3 --scheme star1",
            "`--scheme star1` is not for players who move at the same time",
        ),
    ] {
        let run = solve(words);
        assert_eq!(run.code, 2, "{words}: {}", run.out);
        let message = run.message().split_whitespace().collect::<Vec<_>>().join(" ");
        let message = message.replace("│ ", "");
        assert!(message.contains(why), "{words}: {message}");
    }
}
