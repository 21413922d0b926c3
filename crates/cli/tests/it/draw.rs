//! Pictures of positions and of proofs, as a person asks for them.

use std::fs;

use crate::cli::{Scratch, foregone};

#[test]
fn a_picture_goes_to_a_file_or_to_the_output() {
    let scratch = Scratch::new();
    let file = scratch.path().join("board.svg").display().to_string();
    let printed = foregone(&["draw", "hex:3", "-p", "moves:b2"]);
    assert_eq!((printed.code, printed.err.as_str()), (0, ""));
    assert!(printed.out.starts_with("<svg ") && printed.out.ends_with("</svg>\n"));
    assert!(printed.out.contains("data-cell=\"b2\"") && printed.out.contains(">blue to move<"));
    let written = foregone(&["draw", "hex:3", "-p", "moves:b2", "--svg", &file]);
    assert_eq!((written.code, written.out.as_str()), (0, ""));
    assert_eq!(fs::read_to_string(&file).unwrap(), printed.out);
    assert_eq!(foregone(&["draw", "hex:3", "-p", "moves:b2", "--svg", "-"]).out, printed.out);
    // What is on it, for other programs.
    let scene = foregone(&["draw", "hex:3", "-p", "moves:b2", "--json"]);
    for part in ["\"name\":\"c3\"", "\"shape\":\"disc\"", "\"move\":\"a1\",\"cells\":[0]"] {
        assert!(scene.out.contains(part), "{part}: {}", scene.out);
    }
}

#[test]
fn mistakes_are_said_and_nothing_is_written() {
    let scratch = Scratch::new();
    let file = scratch.path().join("board.svg").display().to_string();
    for words in [
        &["draw", "hexx", "--svg", &file][..],
        &["draw", "hex:3", "-p", "moves:z9", "--svg", &file],
        // A proof of joint moves has no tree.
        &["solve", "goofspiel:3", "--proof", &file],
        &["solve", "goofspiel:3", "--tree"],
        &["solve", "nim", "--tree=0"],
    ] {
        let run = foregone(words);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{words:?}: {}", run.err);
        assert!(!fs::exists(&file).unwrap(), "{words:?}");
    }
    let run = foregone(&["draw", "hex:3", "--json", "--svg", &file]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(!fs::exists(&file).unwrap());
    let run = foregone(&["draw", "hex:3", "--svg", "/no/such/folder/board.svg"]);
    assert_eq!(run.code, 2, "{}", run.err);
}

#[test]
fn the_best_line_is_marked() {
    let words = ["draw", "tic-tac-toe", "-p", "xx./oo./... x", "--best"];
    let run = foregone(&words);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains(">value for x: win<") && run.out.contains(">1</text>"), "{}", run.out);
    // `solve --svg` makes the same picture.
    let scratch = Scratch::new();
    let file = scratch.path().join("board.svg").display().to_string();
    let solved = foregone(&["solve", "tic-tac-toe", "-p", "xx./oo./... x", "--svg", &file]);
    assert_eq!(solved.code, 0, "{}", solved.err);
    assert_eq!(fs::read_to_string(&file).unwrap(), run.out);
    // What each move is worth, of who is to move.
    let words = ["draw", "tic-tac-toe", "-p", "xx./oo./x.. o", "--values"];
    let run = foregone(&words);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!((run.out.matches(">win<").count(), run.out.matches(">loss<").count()), (1, 2));
    let solved =
        foregone(&["solve", "tic-tac-toe", "-p", "xx./oo./x.. o", "--moves", "--svg", &file]);
    assert_eq!(solved.code, 0, "{}", solved.err);
    assert_eq!(fs::read_to_string(&file).unwrap(), run.out);
    // Out of budget there is a picture, and nothing on it is called best.
    let run = foregone(&["draw", "connect-four:6x7", "--best", "--nodes", "1000"]);
    assert_eq!(run.code, 1);
    assert!(run.out.ends_with("</svg>\n") && !run.out.contains("value for"));
}

#[test]
fn proofs_are_printed_as_trees_and_drawn() {
    let scratch = Scratch::new();
    let file = |name: &str| scratch.path().join(name).display().to_string();
    // A draw has two halves: what x forces, and what o forces.
    let words = ["solve", "tic-tac-toe", "-p", "xox/.../... o", "--tree"];
    let run = foregone(&words);
    let plain = foregone(&words[..4]);
    assert_eq!(run.code, 0, "{}", run.err);
    let tree = run.out.split("\n\n").skip(plain.out.split("\n\n").count()).collect::<Vec<_>>();
    assert_eq!(tree.len(), 2, "{}", run.out);
    for half in &tree {
        let (heading, rest) = half.split_once('\n').unwrap();
        assert!(heading.ends_with(':') && rest.starts_with("  "), "{half}");
    }
    // Where the other side begins, its replies stand at the margin.
    let run = foregone(&["solve", "tic-tac-toe", "-p", "xox/oxx/o.. o", "--tree"]);
    let halves = ":\n  b1: c1 .\n  c1: b1 .\n\no keeps ";
    assert!(run.out.contains(halves), "{}", run.out);
    let run = foregone(&["solve", "nim:1,2,3", "--tree=1"]);
    assert!(run.out.trim_end().ends_with("claims are not shown"), "{}", run.out);
    let (svg, dot, text) = (file("proof.svg"), file("proof.dot"), file("proof.txt"));
    for (path, start) in [(&svg, "<svg "), (&dot, "digraph proof {"), (&text, "foregone ")] {
        let run = foregone(&["solve", "nim:1,2,3", "--proof", path]);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(fs::read_to_string(path).unwrap().starts_with(start), "{path}");
        let run = foregone(&["run", "nim:1,2,3", "--proof", path]);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(fs::read_to_string(path).unwrap().starts_with(start), "{path}");
    }
    let mate = ["check", "chess", "#2", "-p", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"];
    let run = foregone(&[&mate[..], &["--proof", &svg]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(fs::read_to_string(&svg).unwrap().contains(">a1a6<"));
    let run = foregone(&[&mate[..], &["--tree=1"]].concat());
    assert!(run.out.contains("\na1a6 …\n"), "{}", run.out);
}
