//! What attacks on the checker found, each kept as a test: false proofs, words that mislead, and
//! input that would take all time or memory.

use std::fs;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::cli::{PROGRAM, Scratch};
use crate::seal::seal;
use serde_json::Value;

/// Everything that is refused is refused at once, on a busy machine, too.
const AT_ONCE: Duration = Duration::from_secs(20);

fn run(scratch: &Scratch, words: &[&str]) -> (i32, String, String) {
    let clock = Instant::now();
    let Output { status, stdout, stderr } = Command::new(PROGRAM)
        .args(words)
        .current_dir(scratch.path())
        .stdin(Stdio::null())
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    assert!(clock.elapsed() < AT_ONCE, "{words:?} took {:?}", clock.elapsed());
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    // Messages are broken into lines behind a frame.
    let message = text(&stderr).replace(['│', '×', '╰', '─', '▶'], " ");
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    (status.code().unwrap(), text(&stdout), message)
}

fn json(scratch: &Scratch, words: &[&str]) -> Value {
    let (_, out, message) = run(scratch, words);
    serde_json::from_str(&out).unwrap_or_else(|e| panic!("{words:?}: {e}: {out} {message}"))
}

/// Writes a certificate with an end that fits.
fn forge(scratch: &Scratch, lines: &str) -> String {
    let lines: Vec<String> = lines.split('\n').map(str::to_owned).collect();
    let file = scratch.path().join("forged.txt");
    fs::write(&file, seal(&lines)).unwrap();
    "forged.txt".to_owned()
}

#[test]
fn a_mate_in_one_is_no_ladder_that_knowledge_denies() {
    let scratch = Scratch::new();
    let position = "6rk/6pp/8/4N3/8/8/8/6K1 w - - 0 1";
    for formula in ["ladder(3)", "PT(2)", "APS(2)", "lambda(2, 2)", "omega(1)", "omega(2)"] {
        for knowledge in [&[][..], &["--no-knowledge"]] {
            let words = ["check", "chess", formula, "--as", "white", "-p", position, "--json"];
            let answer = json(&scratch, &[&words[..], knowledge].concat());
            assert_eq!(answer["holds"], true, "{formula} {knowledge:?}");
        }
    }
    // A hand-made certificate about the mated position itself.
    let forged = "foregone certificate 2\ngame chess\nrules 1\nformula w | <A>w\n\
                  as white, step by step\nposition 6rk/5Npp/8/8/8/8/8/6K1 b - - 0 1\n\
                  claim falsifier below win\n\nby mate-reach";
    let file = forge(&scratch, forged);
    let (code, out, message) = run(&scratch, &["verify", &file, "--trust", "mate-reach"]);
    assert_eq!((code, out.as_str()), (3, ""), "{message}");
}

#[test]
fn outcomes_that_are_numbers_have_one_meaning() {
    let scratch = Scratch::new();
    let rising = "outcomes 1 3 5\nmax a -> b c\nend b 1\nend c 5\n";
    fs::write(scratch.path().join("rising.game"), rising).unwrap();
    fs::write(scratch.path().join("falling.game"), rising.replace("1 3 5", "5 3 1")).unwrap();
    for scheme in ["pn", "bi", "smab", "do", "sequence"] {
        let words = ["solve", "explicit:rising.game", "--scheme", scheme, "--json"];
        assert_eq!(json(&scratch, &words)["value"], "5", "{scheme}");
        let words = ["solve", "explicit:falling.game", "--scheme", scheme];
        let (code, _, message) = run(&scratch, &words);
        assert_eq!(code, 2, "{scheme}");
        assert!(message.contains("rise from the worst to the best"), "{message}");
    }
}

#[test]
fn what_is_proved_is_said_in_the_words_of_the_game() {
    let scratch = Scratch::new();
    let nim = |game: &str, formula: &str, position: &str| {
        format!(
            "foregone certificate 2\ngame {game}\nrules 1\nformula {formula}\nas first\n\
             position {position}\nclaim verifier at-least win\n\n."
        )
    };
    let (code, out, _) =
        run(&scratch, &["verify", &forge(&scratch, &nim("nim:1,2", "true", "1,2 first"))]);
    assert_eq!(
        (code, out.as_str()),
        (0, "proved: 1,2 first in nim:1,2: true holds for first (1 claim)\n")
    );
    for (game, formula, position, why) in [
        ("nim:1,2", "true // #1", "1,2 first", "formula"),
        ("nim:1,2", "true\u{1b}[2K", "1,2 first", "no meaning"),
        ("nim:1,2", "true\r", "1,2 first", "written `true`"),
        ("nim:1,2", "true | w", "1,2 first ", "position"),
        ("nim:1,2", "def omega(n) = true; omega(1)", "1,2 first", "class of the library"),
        ("nim:1,2", "def w = true; w", "1,2 first", "proposition"),
        ("nim:+1,02", "true", "1,2 first", "game"),
        ("nim:1, 2", "true", "1,2 first", "game"),
        ("nim:1,2", "true", "01,2 first", "position"),
    ] {
        let file = forge(&scratch, &nim(game, formula, position));
        let (code, out, message) = run(&scratch, &["verify", &file]);
        assert_eq!((code, out.as_str()), (3, ""), "{game} {formula:?} {position}");
        assert!(message.contains(why), "{message}");
        assert!(!message.contains(['\u{1b}', '\r']), "{message:?}");
    }
}

#[test]
fn rules_are_named_by_what_they_say() {
    let scratch = Scratch::new();
    let game = |end: &str| format!("max a -> b c\nend b loss\nend c {end}\n");
    let write = |name: &str, end: &str| fs::write(scratch.path().join(name), game(end)).unwrap();
    write("x.game", "win");
    let (code, ..) = run(&scratch, &["solve", "explicit:x.game", "--proof", "proof.txt"]);
    assert_eq!(code, 0);
    assert_eq!(run(&scratch, &["verify", "proof.txt"]).0, 0);
    // The same name, other rules.
    write("x.game", "loss");
    let (code, _, message) = run(&scratch, &["verify", "proof.txt"]);
    assert_eq!(code, 3);
    assert_eq!(message.matches("sha256:").count(), 2, "{message}");
    // The right rules under another name, or beside the certificate.
    write("y.game", "win");
    assert_eq!(run(&scratch, &["verify", "proof.txt", "--rules", "y.game"]).0, 0);
    fs::create_dir(scratch.path().join("folder")).unwrap();
    fs::rename(scratch.path().join("y.game"), scratch.path().join("folder/x.game")).unwrap();
    fs::rename(scratch.path().join("proof.txt"), scratch.path().join("folder/proof.txt")).unwrap();
    assert_eq!(run(&scratch, &["verify", "folder/proof.txt"]).0, 0);
    fs::remove_file(scratch.path().join("folder/x.game")).unwrap();
    assert_eq!(run(&scratch, &["verify", "folder/proof.txt"]).0, 3);
    fs::remove_file(scratch.path().join("x.game")).unwrap();
    let (code, _, message) = run(&scratch, &["verify", "folder/proof.txt"]);
    assert_eq!(code, 2, "{message}");
    assert!(message.contains("--rules FILE"), "{message}");
}

#[test]
fn certificates_of_the_first_format_are_refused_in_one_line() {
    let scratch = Scratch::new();
    let old = "foregone certificate 1\ngame nim:1\nposition 1 first\nclaim first at-least win\n\n! 1-1\n.";
    let (code, _, message) = run(&scratch, &["verify", &forge(&scratch, old)]);
    assert_eq!(code, 3);
    assert!(message.contains("format 1") && message.contains("make it again"), "{message}");
}

#[test]
fn bombs_are_refused_at_once_and_the_limit_is_named() {
    let scratch = Scratch::new();
    let nim = |formula: &str| {
        format!(
            "foregone certificate 2\ngame nim:1,2\nrules 1\nformula {formula}\nas first\n\
             position 1,2 first\nclaim verifier at-least win\n\n."
        )
    };
    // Each call doubles the formula; `zugzwang` names its parameter twice.
    let doubling = "def d(0) = <A>w | [B]l; def d(n) = <A>d(n-1) & [B]d(n-1); d(400)";
    let nested = format!("{}w{}", "zugzwang(".repeat(60), ")".repeat(60));
    let growing = "def g(n) = <A>g(n+1); g(0)";
    for (formula, why) in [(doubling, ""), (nested.as_str(), ""), (growing, "calls deep")] {
        let file = forge(&scratch, &nim(formula));
        let (code, out, message) = run(&scratch, &["verify", &file]);
        assert_eq!((code, out.as_str()), (3, ""), "{message}");
        assert!(message.contains(why), "{message}");
    }
    // A mixed strategy with very long weights.
    let long = "9".repeat(300);
    let mixed = format!(
        "foregone certificate 2\ngame rock-paper-scissors\nrules 1\nmixed exact\nposition start\n\
         claim Max at-least 0\n\nrock {long} paper 1 scissors 1 @ start"
    );
    let (code, _, message) = run(&scratch, &["verify", &forge(&scratch, &mixed)]);
    assert_eq!(code, 3);
    assert!(message.contains("at most 200 digits"), "{message}");
}

#[cfg(unix)]
#[test]
fn only_regular_files_are_opened_and_what_they_hold_stays_inside() {
    let scratch = Scratch::new();
    let pipe = scratch.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    fs::write(scratch.path().join("secret"), "root:hunter2\nadmin:sesame\n").unwrap();
    for kind in ["explicit", "joint", "matrix", "gdl"] {
        for file in ["/dev/zero", "pipe", "."] {
            let (code, _, message) = run(&scratch, &["solve", &format!("{kind}:{file}")]);
            assert_eq!(code, 2, "{kind}:{file}");
            let said = ["not a regular file", "a folder"].iter().any(|w| message.contains(w));
            assert!(said, "{kind}:{file}: {message}");
        }
        let (code, out, message) = run(&scratch, &["solve", &format!("{kind}:secret")]);
        assert_eq!(code, 2, "{kind}");
        let leaks = ["hunter2", "sesame"].iter().any(|w| (out.clone() + &message).contains(w));
        assert!(!leaks, "{kind}: {message}");
    }
    for words in [&["verify", "pipe"][..], &["verify", "/dev/zero"], &["matrix", "pipe"]] {
        let (code, _, message) = run(&scratch, words);
        assert_eq!(code, 2, "{words:?}: {message}");
    }
    for words in [&["verify", "secret"][..], &["matrix", "secret"], &["gdl", "check", "secret"]] {
        let (code, out, message) = run(&scratch, words);
        assert_ne!(code, 0, "{words:?}");
        assert!(!(out + &message).contains("hunter2"), "{words:?}: {message}");
    }
}

#[test]
fn verify_takes_time_and_memory_as_solve_does() {
    let scratch = Scratch::new();
    let solve = ["solve", "domineering:5x6", "--no-knowledge", "--proof", "proof.txt"];
    assert_eq!(run(&scratch, &solve).0, 0);
    let (code, out, _) = run(&scratch, &["verify", "proof.txt", "--time", "1ms"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.starts_with("undecided") && out.contains("time"), "{out}");
    let (code, out, _) = run(&scratch, &["verify", "proof.txt", "--memory", "1k", "--json"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("undecided") && out.contains("memory"), "{out}");
    assert_eq!(run(&scratch, &["verify", "proof.txt", "--time", "10m", "--memory", "4G"]).0, 0);
}

#[test]
fn knowledge_without_a_reason_is_recomputed_or_expanded_but_not_proved() {
    let scratch = Scratch::new();
    let solve = ["solve", "connect-four:4x4", "-p", "123432", "--proof", "proof.txt", "--json"];
    let answer = json(&scratch, &solve);
    assert_eq!(answer["proof"]["recomputed"], 0);
    assert_eq!(answer["proof"]["proved"], true);
    assert!(answer["proof"]["by_reason"].as_u64().unwrap() > 0, "{answer}");
    assert_eq!(run(&scratch, &["verify", "proof.txt"]).0, 0);
    // The same proof with its reasons taken away.
    let text = fs::read_to_string(scratch.path().join("proof.txt")).unwrap();
    let mut bare = String::new();
    for certificate in text.split("foregone certificate 2\n").skip(1) {
        let body: Vec<String> = std::iter::once("foregone certificate 2".to_owned())
            .chain(certificate.lines().take_while(|l| !l.starts_with("end ")).map(|line| {
                match line.find("by follow-up ").or_else(|| line.find("by threats ")) {
                    Some(at) => {
                        let rule = line[at..].split(' ').take(2).collect::<Vec<_>>().join(" ");
                        format!("{}{rule} 9-9", &line[..at])
                    }
                    None => line.to_owned(),
                }
            }))
            .collect();
        bare += &seal(&body);
    }
    assert_ne!(bare, text);
    fs::write(scratch.path().join("bare.txt"), bare).unwrap();
    let (code, _, message) = run(&scratch, &["verify", "bare.txt"]);
    assert_eq!(code, 3);
    assert!(message.contains("static knowledge") && message.contains("--expand"), "{message}");
    let trust = ["verify", "bare.txt", "--trust", "follow-up", "--trust", "threats"];
    let (code, out, _) = run(&scratch, &trust);
    assert_eq!(code, 0);
    assert!(out.contains("recomputed, not proved") && !out.contains("proved: "), "{out}");
    let answer = json(&scratch, &[&trust[..], &["--json"]].concat());
    assert_eq!(answer["status"], "replayed");
    let answer = json(&scratch, &["verify", "bare.txt", "--expand", "--json"]);
    assert_eq!(answer["status"], "proved", "{answer}");
    assert!(answer["proved"][0]["expanded"].as_u64().unwrap() > 0, "{answer}");
}

#[test]
fn a_state_with_many_successors_and_a_long_play_are_no_trouble() {
    let scratch = Scratch::new();
    let names: String = (0..40_000).map(|i| format!(" s{i}")).collect();
    let ends: String = (0..40_000).map(|i| format!("end s{i} loss\n")).collect();
    let wide = format!("max a ->{names}\n{ends}");
    fs::write(scratch.path().join("wide.game"), wide).unwrap();
    let (code, _, message) = run(&scratch, &["solve", "explicit:wide.game", "--json"]);
    assert!(code == 0 || code == 2 && message.contains("at most 32767 successors"), "{message}");
    let last = 200_000;
    let chain: String =
        (0..last).map(|i| format!("{} c{i} -> c{}\n", ["max", "min"][i % 2], i + 1)).collect();
    fs::write(scratch.path().join("chain.game"), format!("{chain}end c{last} win\n")).unwrap();
    let answer = json(&scratch, &["solve", "explicit:chain.game", "--json", "--proof", "p.txt"]);
    assert_eq!(answer["value"], "win");
    assert_eq!(run(&scratch, &["verify", "p.txt"]).0, 0);
}

#[test]
fn two_roles_whose_goals_do_not_add_up_are_asked_for_one_at_a_time() {
    let scratch = Scratch::new();
    let sheet = "(role x) (role o) (init start) (legal x noop)\n\
                 (<= (legal o left) (true start)) (<= (legal o right) (true start))\n\
                 (<= (next l) (does o left)) (<= (next r) (does o right))\n\
                 (<= terminal (not (true start)))\n\
                 (<= (goal x 50) (true l)) (<= (goal o 50) (true l))\n\
                 (<= (goal x 90) (true r)) (<= (goal o 0) (true r))\n";
    fs::write(scratch.path().join("odd.kif"), sheet).unwrap();
    for (game, value) in
        [("gdl:odd.kif", "50"), ("gdl:odd.kif,for=x", "50"), ("gdl:odd.kif,for=o", "50")]
    {
        let answer = json(&scratch, &["solve", game, "--json"]);
        assert_eq!(answer["value"], value, "{answer}");
    }
    let answer = json(&scratch, &["solve", "gdl:odd.kif", "--scheme", "maxn", "--json"]);
    assert_eq!(answer["value"], "50/50", "{answer}");
}

#[test]
fn a_file_that_a_certificate_names_is_not_shown_when_it_is_another_one() {
    let scratch = Scratch::new();
    fs::write(
        scratch.path().join("secret"),
        "password = hunter2\nend\nstart\n1,hunter2\n(role a) hunter2 (\n",
    )
    .unwrap();
    for kind in ["explicit", "joint", "matrix", "gdl"] {
        let mixed = if ["joint", "matrix"].contains(&kind) { "mixed exact\n" } else { "" };
        let forged = format!(
            "foregone certificate 2\ngame {kind}:secret\nrules 1 sha256:{}\n{mixed}position a\n\
             claim max at-least win\n\n.",
            "0".repeat(64)
        );
        let file = forge(&scratch, &forged);
        for more in [&[][..], &["--rules", "secret"]] {
            let (code, out, message) = run(&scratch, &[&["verify", &file], more].concat());
            assert_eq!(code, 3, "{kind}: {message}");
            assert!(!(out + &message).contains("hunter2"), "{kind}: {message}");
        }
    }
}

#[test]
fn what_a_certificate_says_does_not_reach_the_terminal_as_it_is() {
    let scratch = Scratch::new();
    fs::write(scratch.path().join("x.game"), "max a\u{1b}[31m -> b\nend b win\n").unwrap();
    for (game, position) in
        [("nim:1,2", "\u{1b}[31m1,2 first"), ("explicit:\u{1b}[31m", "a"), ("gdl:\u{1b}[31m", "a")]
    {
        let forged = format!(
            "foregone certificate 2\ngame {game}\nrules 1\nposition {position}\nclaim first at-least win\n\n."
        );
        let (code, _, message) = run(&scratch, &["verify", &forge(&scratch, &forged)]);
        assert_ne!(code, 0);
        assert!(!message.contains('\u{1b}'), "{message:?}");
    }
    let (code, _, message) = run(&scratch, &["solve", "explicit:x.game"]);
    assert_eq!(code, 2);
    assert!(!message.contains('\u{1b}'), "{message:?}");
}

#[test]
fn a_joint_move_may_be_called_end() {
    let scratch = Scratch::new();
    let game = "state s\nmin a b\nmax end -> t u\nmax o -> u t\nend t 1\nend u 0\n";
    fs::write(scratch.path().join("end.joint"), game).unwrap();
    let answer = json(&scratch, &["solve", "joint:end.joint", "--json", "--proof", "p.txt"]);
    assert_eq!(answer["value"], "1/2", "{answer}");
    assert_eq!(run(&scratch, &["verify", "p.txt"]).0, 0);
}

#[test]
fn knowledge_that_cannot_be_expanded_in_time_is_undecided() {
    let scratch = Scratch::new();
    let forged = "foregone certificate 2\ngame hex:5\nrules 1\n\
                  position ...../...../...../...../..... red\nclaim red at-least win\n\nby magic";
    let file = forge(&scratch, forged);
    let (code, out, message) = run(&scratch, &["verify", &file, "--expand", "--time", "300ms"]);
    assert_eq!(code, 1, "{out} {message}");
    assert!(out.starts_with("undecided"), "{out}");
}
