//! Chess problems as a problemist meets them: layout, notation, twins, words, and proofs of all keys.

use crate::check::{check, json, run, strings};
use crate::cli::Scratch;

const MINIATURE: &str = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";

fn text(words: &[&str]) -> String {
    let (code, out, err) = check(words);
    assert_eq!(code, 0, "{words:?}: {err}");
    out
}

#[test]
fn the_layout_is_that_of_problemists() {
    let out = text(&["chess", "# 2", "-p", MINIATURE, "--tree", "--tries", "--set-play"]);
    let bishop = "1...Bh2, 1...Bg3, 1...Bf4, 1...Be5, 1...Bd6, 1...Bc7 2.Rxa7#";
    let expected = format!(
        "set play:\n  {bishop}\n\ntries:\n  1.Ra5? zugzwang\n    {bishop}\n    but 1...a6!\n  \
         1.Rxa7+? but 1...Bxa7!\n\nsolution:\n  1.Ra6! zugzwang\n    1...bxa6 2.b7#\n    {bishop}\n"
    );
    assert!(out.ends_with(&expected), "{out}");
    assert!(out.contains("chess, white to move: #2: white can force mate within 2 moves.\n"));
    assert!(out.contains("  key        Ra6\n"), "{out}");
    // Threats in brackets, duals, several keys with a tree each, and a try with more refutations.
    let queen = "8/8/8/8/8/1K6/3Q4/k7 w - - 0 1";
    let out = text(&["chess", "#2", "-p", queen, "--all", "--tree"]);
    for part in [
        "  1.Qh6! (2.Qc1# 2.Qh1#)\n    1...Kb1 2.Qh1#\n",
        "  1.Qc3+!\n    1...Kb1 2.Qe1# 2.Qb2#  (dual)\n",
        "  1.Kc2! (2.Qa5#)\n  1.Kc3! (2.Qb2#)\n",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let self_mate = "8/8/8/2p5/2R5/kp5P/p7/K7 w - - 0 1";
    let out = text(&["chess", "s#2", "-p", self_mate, "--tree", "--tries"]);
    for part in [
        "  1.h4!\n    1...b2#\n",
        "  1.Re4! threat:\n        2.Rc4\n          2...b2#\n",
        "  1.Rd4? threat:\n        2.Rc4\n          2...b2#\n    but 1...cxd4!\n",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
}

#[test]
fn lines_have_numbers_by_who_begins() {
    let out = |words: &[&str]| text(&[&["chess"], words, &["--all"]].concat());
    let corner = "7k/8/5K2/8/8/8/8/R7";
    let h2 = out(&["h#2", "-p", &format!("{corner} b - - 0 1"), "--set-play"]);
    assert!(h2.contains(" 1.Kg8 Kg6 2.Kh8 Ra8#\n"), "{h2}");
    let set = h2.split("set play:\n").nth(1).unwrap();
    assert!(set.contains("  1...Kf7 2.Kh7 Rh1#\n") && set.lines().count() == 2, "{h2}");
    let half = out(&["h#1.5", "-p", &format!("{corner} w - - 0 1")]);
    assert!(half.contains(" 1...Kf7 2.Kh7 Rh1#\n"), "{half}");
    let pawns = "8/8/8/2p5/2R5/kp5P/p7/K7 w - - 0 1";
    let hs = out(&["hs#2", "-p", pawns]);
    assert!(hs.contains(" 1.Rb4 c4 2.Rxc4 b2#\n") && hs.contains(" 1.h4 b2#\n"), "{hs}");
    let series = out(&["ser-r#2", "-p", pawns]);
    assert!(series.contains("chess:series, white to move: ser-r#2"), "{series}");
    assert!(series.contains(" 1.Rb4 2.Rc4 b2#\n") && !series.contains("1.h4 2."), "{series}");
    let direct = out(&["ser-#2", "-p", "k7/8/1K6/8/8/8/8/2Q5 w - - 0 1"]);
    assert!(direct.contains(" 1.Qc7 2.Qb7#\n"), "{direct}");
}

#[test]
fn moves_are_written_in_four_ways() {
    let line = |words: &[&str]| {
        let out = text(&[&["chess", "#2", "-p", MINIATURE], words].concat());
        out.lines().find_map(|l| l.strip_prefix("  line       ")).unwrap().to_owned()
    };
    assert_eq!(line(&[]), "Ra6 bxa6 b7#");
    assert_eq!(line(&["--figurine"]), "♖a6 bxa6 b7#");
    assert_eq!(line(&["--notation", "long"]), "Ra1-a6 b7xa6 b6-b7#");
    assert_eq!(line(&["--notation", "coordinates"]), "a1a6 b7a6 b6b7");
    let (code, _, err) = check(&["chess", "#2", "--notation", "lang"]);
    assert!(code == 2 && err.contains("long"), "{err}");
    // The lines of `solve`, too; JSON has coordinates, and both.
    let mate = ["chess", "-p", "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "--question", "win"];
    let (code, out, _) = run(&[&["solve"], &mate[..]].concat(), "");
    assert!(code == 0 && out.contains("best move  Ra8#\n"), "{out}");
    let answer = json(&["chess", "#2", "-p", MINIATURE]);
    assert_eq!(strings(&answer["line"]), ["a1a6", "b7a6", "b6b7"]);
    assert_eq!(strings(&answer["line_san"]), ["Ra6", "bxa6", "b7#"]);
    // And moves are read as people write them.
    let (code, out, _) = run(&["show", "chess", "-p", "moves:e4,e5,♘f3,Nb8-c6"], "");
    assert!(code == 0 && out.contains("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2"), "{out}");
}

#[test]
fn json_holds_all_that_is_told() {
    let answer = json(&["chess", "#2", "-p", MINIATURE, "--tries", "--set-play", "--tree"]);
    let problem = &answer["problem"];
    assert_eq!(strings(&answer["keys"]), ["a1a6"]);
    let key = &problem["keys"][0];
    assert_eq!((key["move"].as_str(), key["san"].as_str()), (Some("a1a6"), Some("Ra6")));
    assert_eq!(key["zugzwang"], true);
    assert!(key["variations"].as_array().unwrap().iter().any(|v| {
        v["move"] == "b7a6" && v["continuations"][0]["san"] == "b7#" && v["dual"].is_null()
    }));
    assert_eq!(problem["tries"][0]["refutations"][0]["san"], "a6");
    assert_eq!(problem["set_play"]["variations"][0]["continuations"][0]["move"], "a1a7");
    assert!(problem["incomplete"].is_null());
}

#[test]
fn twins_are_asked_one_after_the_other() {
    let words = ["chess", "#2", "-p", MINIATURE, "--all", "--twin", "Ra1-b1", "--twin", "#1"];
    let out = text(&words);
    let heads: Vec<&str> = out.lines().filter(|l| l.get(1..3) == Some(") ")).collect();
    assert_eq!(heads, ["a) diagram", "b) Ra1-b1", "c) #1"]);
    assert!(
        out.contains("key        Ra6") && out.contains("no #1: white cannot force mate"),
        "{out}"
    );
    let answer = json(&words);
    let twins = answer["twins"].as_array().unwrap();
    assert_eq!(twins.len(), 3);
    assert_eq!(twins[1]["answer"]["position"], "kbK5/pp6/1P6/8/8/8/8/1R6 w - - 0 1");
    assert_eq!((&twins[2]["twin"], &twins[2]["answer"]["formula"]), (&"c".into(), &"#1".into()));
    for (twin, message) in [("Qa1-b1", "another man stands on a1"), ("-b1", "nothing stands on b1")]
    {
        let (code, _, err) = check(&["chess", "#2", "-p", MINIATURE, "--twin", twin]);
        assert!(code == 2 && err.contains(message), "{err}");
    }
    let (code, _, err) = check(&["hex:3", "omega(2)", "--twin", "a1-b1"]);
    assert!(code == 2 && err.contains("twins are for chess"), "{err}");
}

#[test]
fn what_cannot_be_done_is_said_in_words() {
    for (stipulation, words) in [
        ("s#2", "no s#2: white cannot force black to mate within 2 moves."),
        ("r#1", "no r#1: white cannot bring black to mate within 1 move, where who can mate must."),
        ("=1", "no =1: white cannot force stalemate within 1 move."),
        ("ser-#1", "no ser-#1: white cannot mate by 1 move in a row."),
        ("#1", "no #1: white cannot force mate within 1 move."),
    ] {
        let out = text(&["chess", stipulation, "-p", MINIATURE]);
        assert!(out.contains(words), "{stipulation}: {out}");
    }
    let out = text(&["chess", "h#1.5", "-p", "7k/8/5K2/8/8/8/8/R7 b - - 0 1"]);
    let plain: String = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(plain.contains("no h#1.5: black begins"), "{out}");
    assert!(plain.contains("If white begins, there is a solution"), "{out}");
    for (fen, letter) in [("8/8/8/8/8/8/8/S7 w", "`S` is not a piece"), ("8/8 x", "8 ranks")] {
        let (code, _, err) = check(&["chess", "#1", "-p", fen]);
        assert!(code == 2 && err.contains(letter), "{err}");
    }
}

#[test]
fn a_proof_of_all_keys_is_verified() {
    let scratch = Scratch::new();
    let proof = scratch.path().join("keys.txt").display().to_string();
    let out = text(&["chess", "#2", "-p", MINIATURE, "--all", "--proof", &proof]);
    assert!(out.contains("proof      exactly these keys: proved, "), "{out}");
    let (code, out, _) = run(&["verify", &proof], "");
    assert_eq!(code, 0);
    assert!(out.contains("omega(2) holds for white, exactly these keys: a1a6 ("), "{out}");
    // Without the key, and with the words only.
    let sealed = std::fs::read_to_string(&proof).unwrap();
    for to in ["exactly these keys: a1a5", "exactly these keys: a1a5 a1a6"] {
        let forged = sealed.replace("exactly these keys: a1a6", to);
        let lines: Vec<String> = forged.lines().map(str::to_owned).collect();
        std::fs::write(&proof, crate::seal::seal(&lines[..lines.len() - 1])).unwrap();
        assert_eq!(run(&["verify", &proof], "").0, 3, "{to}");
    }
}
