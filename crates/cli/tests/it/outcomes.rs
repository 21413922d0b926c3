//! Games with more than two outcomes, and games of one player: what is printed of them.

use crate::cli::Scratch;
use clap::Parser;
use foregone_cli::args::Cli;
use serde_json::Value;

/// What a command prints, and its exit code.
fn said(words: &[&str]) -> (String, u8) {
    let cli = Cli::try_parse_from([&["foregone"], words].concat()).unwrap();
    let mut out = Vec::new();
    let code = foregone_cli::execute(cli, &mut out).unwrap_or_else(|f| panic!("{words:?}: {f}"));
    (String::from_utf8(out).unwrap(), code)
}

/// The line of an answer that says what was found.
fn headline(words: &[&str]) -> String {
    let (text, _) = said(&[&["solve"], words].concat());
    let name = words[0].split(':').next().unwrap();
    text.lines().find(|l| l.starts_with(name)).unwrap_or_else(|| panic!("{text}")).to_owned()
}

#[test]
fn scores_are_told_as_scores() {
    let cases: &[(&[&str], &str)] = &[
        (&["kalah:2,2"], "kalah:2,2, south to move: -2 for south."),
        // The ends of the scale are scores, too.
        (&["kalah:1,3"], "kalah:1,3, south to move: +6 for south."),
        (&["woodpush:4,1"], "woodpush:4,1, left to move: -4 for left."),
        (&["othello:2x2"], "othello:2x2, game over: 0 for black."),
        (&["kalah:1,3", "-q", "win"], "kalah:1,3, south to move: +6 for south."),
        (&["kalah:2,2", "-q", "win"], "kalah:2,2, south to move: south reaches at most +6."),
        (
            &["kalah:2,2", "-q", "at-least -2"],
            "kalah:2,2, south to move: south reaches at least -2.",
        ),
        // Other outcomes than numbers have winners.
        (&["seki:2,1"], "seki:2,1, black to move: black wins."),
        (&["seki:1,1"], "seki:1,1, black to move: a draw."),
    ];
    for (words, line) in cases {
        assert_eq!(headline(words), *line);
    }
}

#[test]
fn numbers_of_a_typed_game_are_scores_too() {
    let scratch = Scratch::new();
    let solve = |outcomes: &str, end: &str| {
        let path = scratch.path().join("scores.game");
        let text = format!("outcomes {outcomes}\nmax s0 -> s1\nend s1 {end}\n");
        std::fs::write(&path, text).unwrap();
        let game = format!("explicit:{}", path.display());
        let line = headline(&[&game]);
        let json: Value = serde_json::from_str(&said(&["solve", &game, "--json"]).0).unwrap();
        let found = line.rsplit(": ").next().unwrap().to_owned();
        (found, json["winner"].as_str().unwrap_or("nobody").to_owned())
    };
    for (outcomes, end, found, winner) in [
        ("-1 0 1", "-1", "-1 for max.", "min"),
        ("-1 0 1", "0", "0 for max.", "nobody"),
        // Without a sign, the ends of the scale are all there is to go by.
        ("1 2 3", "1", "1 for max.", "min"),
        ("1 2 3", "3", "3 for max.", "max"),
        ("0 half 1", "1", "max wins.", "max"),
        ("0 half 1", "half", "half for max.", "nobody"),
    ] {
        assert_eq!(solve(outcomes, end), (found.to_owned(), winner.to_owned()), "{outcomes}");
    }
}

#[test]
fn one_player_is_told_of_points() {
    let cases: &[(&[&str], &str)] = &[
        (&["left-right:20"], "left-right:20: best score 20."),
        (&["same-game:4x4,3,1"], "same-game:4x4,3,1: best score 34."),
        (&["left-right:5", "-p", "3,2"], "left-right:5, game over: score 3."),
        (
            &["left-right:5", "-p", "1,1", "-q", "at-least 4"],
            "left-right:5: best score at least 4.",
        ),
        (&["left-right:5", "-p", "1,1", "-q", "win"], "left-right:5: best score at most 4."),
    ];
    for (words, line) in cases {
        assert_eq!(headline(words), *line);
    }
    let undecided = headline(&["same-game:8x8,5,1", "--nodes", "500"]);
    assert!(undecided.starts_with("same-game:8x8,5,1: undecided, between "), "{undecided}");
    assert!(undecided.ends_with(" points (stopped: nodes)."), "{undecided}");

    let (shown, _) = said(&["show", "left-right:5", "--position", "3,1"]);
    assert_eq!(shown, "3 left, 1 right, 1 to go\n\nposition: 3,1\nmoves: left right\n");
    let (shown, _) = said(&["show", "left-right:5", "--position", "3,2"]);
    assert_eq!(shown, "3 left, 2 right, 0 to go\n\nover: score 3\nposition: 3,2\n");
    let (games, _) = said(&["games", "left-right"]);
    assert!(games.contains("\nplayers: walker, alone\n"), "{games}");
    assert!(games.contains("\noutcomes for walker: 0 < 1 < 2 < … < 18 < 19 < 20\n"), "{games}");

    let scratch = Scratch::new();
    let file = scratch.path().join("proof.txt").display().to_string();
    said(&["solve", "left-right:5", "-p", "1,1", "--proof", &file]);
    let (proved, _) = said(&["verify", &file]);
    let lines: Vec<&str> = proved.lines().map(|l| l.split(" (").next().unwrap()).collect();
    // Bounds that were found on the way may stand before the last ones.
    assert_eq!(
        lines[lines.len() - 2..],
        [
            "proved: 1,1 in left-right:5: walker reaches at least 4",
            "proved: 1,1 in left-right:5: the score stays below 5",
        ]
    );
}

/// Who is Max is said by the question; outcomes keep their names, and what is said of them is true.
#[test]
fn another_player_can_be_max() {
    let cases: &[(&[&str], &str)] = &[
        (&["tic-tac-toe", "--for", "o"], "tic-tac-toe, x to move: a draw."),
        (
            &["tic-tac-toe", "--position", "xx./oo./... x", "--for", "o"],
            "tic-tac-toe, x to move: x wins.",
        ),
        (
            &["kalah:2,2", "--for", "north"],
            "kalah:2,2, south to move: the best that north can get is -2 for south.",
        ),
        (
            &["chinese-checkers:1,3", "--for", "green"],
            "chinese-checkers:1,3, red to move, green against all others: green can't prevent that \
             blue or red wins.",
        ),
        (
            &["othello:4x4", "--for", "white", "--nodes", "50"],
            "othello:4x4, black to move: undecided, white gets +16 for black at worst and -16 for \
             black at best (stopped: nodes).",
        ),
    ];
    for (words, line) in cases {
        assert_eq!(headline(words), *line);
    }
    let json = |words: &[&str]| -> Value {
        serde_json::from_str(&said(&[&["solve"], words, &["--json"]].concat()).0).unwrap()
    };
    let lost = json(&["tic-tac-toe", "--position", "xx./oo./... x", "--for", "o", "-q", "win"]);
    assert_eq!((&lost["player"], &lost["holds"]), (&"o".into(), &false.into()));
    let lost = json(&["tic-tac-toe", "--position", "xx./oo./... x", "--for", "o"]);
    assert_eq!((&lost["value"], &lost["winner"]), (&"win".into(), &"x".into()));
}

/// Fields and options that mean nothing to what is asked are refused, not dropped.
#[test]
fn what_does_not_apply_is_refused() {
    for (words, part) in [
        (&["solve", "left-right:6", "--for", "nobody"][..], "has one player"),
        (&["solve", "goofspiel:3", "--for", "Min"], "move in turn only"),
        (&["solve", "tic-tac-toe", "-s", "rab", "-q", "win"], "does not go with `--scheme rab`"),
        (&["solve", "kalah:3,2", "-d", "squared", "--inner", "mo(pn)"], "for two outcomes"),
        (&["run", "nim:3,5 algorithm=dfpn"], "`algorithm` does not go with a game in turn"),
        (&["run", "nim:3,5 scheme=pn solver=smab"], "`solver` does not go with"),
        (
            &["run", "chess question=\"formula #1\" driver=dag"],
            "`driver` does not go with a formula",
        ),
        (&["run", "goofspiel:3 scheme=pn"], "`scheme` does not go with joint moves"),
        (&["run", "kalah:2,2 scheme=pn window=-2..+2"], "a window is for"),
        (&["run", "nim:3 threads=100000"], "threads"),
    ] {
        let cli = Cli::try_parse_from([&["foregone"], words].concat()).unwrap();
        let error = foregone_cli::execute(cli, &mut Vec::new()).unwrap_err();
        assert!(error.message.contains(part), "{words:?}: {error}");
    }
    // A value with blanks in it is one argument.
    let (text, code) = said(&["run", "nim:1,2", "position=0,1 first"]);
    assert!(code == 0 && text.contains("first wins"), "{text}");
    // The options of a scheme are those of the inner one where only that has them.
    let words = ["solve", "nim:1,2", "-s", "minmax", "-d", "squared", "--inner", "mcts"];
    assert_eq!(said(&[&words[..], &["--exploration", "0.5"]].concat()).1, 0);
}
