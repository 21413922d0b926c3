//! Games of many players: the program as a person meets it. No sentence may give an outcome that is one
//! player's name to another, or make those who play together one player.

use crate::cli::{Run, Scratch, program};
use crate::common::root;

const NIM: &str = "gdl:rulesheets/three-player-nim.kif";

/// Runs words without spaces in them, in the folder that holds the README.
fn line(words: &str) -> Run {
    let words: Vec<&str> = words.split(' ').collect();
    program(&words).current_dir(root()).output().unwrap().into()
}

/// The sentence of an answer.
fn headline(words: &str) -> String {
    let run = line(words);
    assert!(run.code < 2, "{words}: {}", run.err);
    let game = words.split(' ').nth(1).unwrap();
    let said = run.out.lines().find(|l| l.contains(game) && l.ends_with('.'));
    said.unwrap_or_else(|| panic!("{words}: {}", run.out)).to_owned()
}

#[test]
fn an_answer_says_what_each_player_gets() {
    assert_eq!(
        headline(&format!("solve {NIM} --scheme maxn")),
        format!("{NIM}, first to move, by max^n: first 50, second 100, third 0.")
    );
    let out = line(&format!("solve {NIM} --scheme maxn")).out;
    for part in [
        "  ties       of equally good moves the first one",
        "  proof      proved, ",
        "  line       ",
    ] {
        assert!(out.contains(part), "{out}");
    }
    assert_eq!(
        headline(&format!("solve {NIM} --scheme maxn(prune=no) --nodes 5")),
        format!("{NIM}, first to move, by max^n: undecided (stopped: nodes).")
    );
    assert_eq!(
        headline(&format!("solve {NIM} --scheme maxn --position moves:take.3.3,take.2.2,take.1.1")),
        format!("{NIM}, game over, by max^n: first 0, second 50, third 100.")
    );
    assert_eq!(
        headline("solve nim:1,2 --scheme maxn"),
        "nim:1,2, first to move, by max^n: first wins."
    );
    let json = line(&format!("solve {NIM} --scheme maxn --json")).json();
    assert_eq!((json.text("value"), json.text("ties")), ("50/100/0", "first-best"));
    assert_eq!(json.text("to_move"), "first");
    let second = serde_json::json!({ "player": "second", "score": 100 });
    assert_eq!(json.get("scores")[1], second);
    assert_eq!(json.get("proof")["proved"], true);
}

#[test]
fn its_certificate_is_replayed() {
    let scratch = Scratch::new();
    let file = scratch.file("scores.txt");
    let run = line(&format!("solve {NIM} --scheme maxn --proof {file}"));
    assert!(run.out.contains(&format!("written to {file}")), "{}", run.out);
    let said = line(&format!("verify {file}")).out;
    let scores = "first 50, second 100, third 0 by max^n, the first of equally good moves";
    assert!(said.starts_with("proved: ") && said.contains(scores), "{said}");
    let json = line(&format!("verify {file} --json")).json();
    assert_eq!(
        json.get("proved")[0]["scores"][0],
        serde_json::json!({ "player": "first", "score": 50 })
    );
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("claim scores 50 100 0", "claim scores 100 50 0")).unwrap();
    let run = line(&format!("verify {file}"));
    assert_eq!(run.code, 3, "{}", run.out);
    // The second checker does not know rulesheets, and says so.
    let python = std::process::Command::new("python3")
        .arg(root().join("problems/verify.py"))
        .arg(&file)
        .output();
    if let Ok(output) = python {
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.code() == Some(2) && said.contains("not known here"), "{said}");
    }
}

#[test]
fn one_player_stands_against_all_others() {
    let cases = [
        (format!("solve {NIM}"), "first to move, first against all others: first gets 50."),
        (format!("solve {NIM} --scheme paranoid"), "first against all others: first gets 50."),
        (format!("solve {NIM} --for third"), "third against all others: third gets 0."),
        (format!("solve {NIM} -q win"), "first against all others: first gets at most 50."),
        (
            format!("solve {NIM} --nodes 20"),
            "undecided, at worst first gets 0 and at best first gets 100 (stopped: nodes).",
        ),
        (
            format!("solve {NIM},for=second"),
            "the others to move, second against all others: second gets 0.",
        ),
        (
            "solve chinese-checkers:1,3".to_owned(),
            "red against all others: red can't prevent that green or blue wins.",
        ),
        (
            "solve chinese-checkers:1,3 --for green -q win".to_owned(),
            "green against all others: green gets no better than this: nobody wins.",
        ),
    ];
    for (words, said) in &cases {
        assert!(headline(words).ends_with(said), "{words}: {}", headline(words));
    }
}

#[test]
fn no_sentence_takes_a_name_for_an_outcome() {
    let scratch = Scratch::new();
    let file = scratch.file("proof.txt");
    let games = [NIM.to_owned(), format!("{NIM},for=second"), "chinese-checkers:1,3".to_owned()];
    for game in &games {
        let over = match game.starts_with("gdl") {
            true => "moves:take.3.3,take.2.2,take.1.1",
            false => "moves:a1b2,d4c3,a4a3,b2c2,c3b3,a3b4,c2b2,b3a3,b4a4,b2a2,a3b4,a4a3,a2b2,b4a2",
        };
        let mut all = String::new();
        for words in [
            format!("solve {game} --moves"),
            format!("solve {game} --tree"),
            format!("solve {game} --json"),
            format!("solve {game} --proof {file}"),
            format!("verify {file}"),
            format!("solve {game} -q win"),
            format!("solve {game} --nodes 20"),
            format!("show {game}"),
            format!("show {game} --position {over}"),
            format!("games {game}"),
            format!("draw {game} --best"),
            format!("draw {game} --values"),
            format!("draw {game} --position {over}"),
            format!("check {game} PA(3)"),
        ] {
            let run = line(&words);
            assert!(run.code < 2, "{words}: {}", run.err);
            all.push_str(&format!("$ {words}\n{}", run.out));
        }
        for wrong in [
            "others wins",
            "others win",
            "for others",
            "\"winner\":\"others\"",
            "others keeps",
            "reaches at least green",
            "reaches at least blue",
            "reaches at least second",
            "green for red",
            "blue for red",
            "nobody for red",
            "second for first",
            "against others",
            "stays below",
            "value for red: green wins",
            "others (Min)",
            "moves first",
        ] {
            assert!(!all.contains(wrong), "`{wrong}` is said of {game}:\n{all}");
        }
    }
    // What is said instead.
    let ended = line(&format!("show {NIM} --position moves:take.3.3,take.2.2,take.1.1")).out;
    assert!(ended.contains("over: first 0, second 50, third 100\n"), "{ended}");
    let moves = line(&format!("solve {NIM} --moves")).out;
    assert!(moves.contains("first gets 50: take.3.2\n"), "{moves}");
    let tree = line(&format!("solve {NIM} --tree")).out;
    assert!(tree.contains("\nthe others keep first from outcome 100 and better:\n"), "{tree}");
    assert!(tree.contains("\nfirst gets outcome 50 or better:\n"), "{tree}");
    let about = line("games chinese-checkers").out;
    assert!(about.contains("outcomes for red: green or blue < nobody < red\n"), "{about}");
}

#[test]
fn the_best_reply_is_called_an_estimate() {
    let out = line("solve chinese-checkers:1,3 --scheme best-reply").out;
    assert!(out.contains("best-reply:chinese-checkers:1,3, "), "{out}");
    let estimate = "in best-reply:chinese-checkers:1,3 one of the others replies to each move; of \
                    chinese-checkers:1,3 nothing is proved";
    assert!(out.contains(estimate), "{out}");
    let json = line("solve chinese-checkers:1,3 --scheme best-reply --json").json();
    assert_eq!(json.text("estimate_of"), "chinese-checkers:1,3");
    let refused = line(&format!("solve {NIM} --scheme best-reply"));
    assert_eq!(refused.code, 2);
    assert!(refused.message().contains("only when it is their turn"), "{}", refused.err);
}

#[test]
fn what_does_not_go_with_it_is_refused() {
    for (words, said) in [
        ("solve chinese-checkers:1,3 --scheme maxn", "come up again"),
        ("solve nim:1,2 --scheme maxn --for second", "`--for` does not go with `--scheme maxn`"),
        ("solve nim:1,2 --scheme maxn --driver df", "`--driver` does not go with `--scheme maxn`"),
        ("solve nim:1,2 --scheme maxn --moves", "`--moves` does not go with"),
        ("solve nim:1,2 --scheme maxn(prune=x)", "prune=x"),
        ("solve goofspiel:3 --scheme maxn", "at the same time"),
        ("solve best-reply:nim:1,2", "only when it is their turn"),
    ] {
        let run = line(words);
        assert_eq!(run.code, 2, "{words}: {}", run.out);
        assert!(run.message().contains(said), "{words}: {}", run.err);
    }
    let list = line("schemes").out;
    assert!(list.contains("Schemes for many players (--scheme):\n  maxn "), "{list}");
}
