//! Sentences that were untrue once, and output that got lost without a word.

use crate::cli::{Scratch, foregone};

/// What is printed behind the drawing.
fn said(words: &[&str]) -> String {
    let run = foregone(words);
    assert!(run.code <= 1, "{words:?}: {}", run.err);
    run.out
}

const CORNER: &str = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";
const TWO: &str = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";

#[test]
fn a_role_that_was_named_is_the_one_that_is_spoken_of() {
    let text = said(&["check", "chess", "#1", "-p", CORNER]);
    assert!(text.contains("white can force mate within 1 move"), "{text}");
    // White mates, and Black, who was asked about, does not.
    let text = said(&["check", "chess", "#1", "-p", CORNER, "--as", "black"]);
    assert!(text.contains("#1 does not hold for black") && !text.contains("cannot"), "{text}");
}

#[test]
fn scores_are_those_of_the_player_whose_name_stands_there() {
    let text = said(&["solve", "kalah:2,2", "--moves", "--for", "north"]);
    assert!(text.contains("-2 for south: 2") && !text.contains("for north:"), "{text}");
    let text = said(&["solve", "kalah:3,2", "--moves"]);
    let places = ["+4 for south: 2", "0 for south: 3", "-8 for south: 1"].map(|row| text.find(row));
    assert!(places.is_sorted() && places[0].is_some(), "{text}");
    let picture = said(&["draw", "othello:4x4", "--best"]);
    assert!(picture.contains("value for black: -8"), "{picture}");
}

#[test]
fn what_a_side_is_sure_of_is_said_where_the_rest_is_open() {
    let scratch = Scratch::new();
    let path = scratch.path().join("open.game");
    std::fs::write(&path, "outcomes loss draw win\nmax a -> a b\nend b draw\n").unwrap();
    let text = said(&["solve", &format!("explicit:{}", path.display()), "--moves"]);
    assert!(text.contains("between draw and win for max, and neither side"), "{text}");
    assert!(text.contains("not determined: a\n") && text.contains("a draw: b\n"), "{text}");
}

#[test]
fn a_hint_leads_to_a_position_that_can_be() {
    // Black is in check: it can't be White's turn.
    let text = said(&["check", "chess", "h#1.5", "-p", "7k/8/5K2/8/8/8/8/R6R b - - 0 1"]);
    assert!(text.contains("no h#1.5") && !text.contains("there is a solution"), "{text}");
}

#[test]
fn proofs_of_twins_are_where_the_answer_says() {
    let scratch = Scratch::new();
    let file = scratch.path().join("twins.txt").display().to_string();
    let twins = ["check", "chess", "#2", "-p", TWO, "--all", "--twin", "Ra1-b1", "--proof"];
    let text = said(&[&twins[..], &[&file]].concat());
    assert!(text.contains("(written to ") && !text.contains("not kept"), "{text}");
    assert_eq!(foregone(&["verify", &file]).code, 0);
    let picture = scratch.path().join("twins.svg").display().to_string();
    assert_eq!(foregone(&[&twins[..], &[&picture]].concat()).code, 2);
    let many: Vec<&str> = (0..30).flat_map(|_| ["--twin", "#1"]).collect();
    let run = foregone(&[&["check", "chess", "#2", "-p", TWO][..], &many].concat());
    assert!(run.code == 2 && run.err.contains("25 twins"), "{}", run.err);
    let batch = ["check", "chess", "--batch", "x.tsv", "--twin", "#1"];
    assert_eq!(foregone(&batch).code, 2);
}

#[test]
fn a_drawing_is_not_a_certificate() {
    let scratch = Scratch::new();
    let file = scratch.path().join("proof.dot").display().to_string();
    let text = said(&["solve", "nim:1,2", "--proof", &file]);
    assert!(text.contains("drawn in ") && !text.contains("written to"), "{text}");
}

#[test]
fn files_that_cannot_be_written_are_noticed_before_the_search() {
    for option in ["--proof", "--svg"] {
        // The standard board takes minutes.
        let run = foregone(&["solve", "connect-four", option, "/no/such/folder/file", "--json"]);
        assert!(run.code == 2 && run.err.contains("there is no folder"), "{}", run.err);
        assert_eq!(run.out.lines().count(), 1, "{}", run.out);
    }
    assert_eq!(foregone(&["check", "hex:2", "w", "--explain", "--json"]).code, 2);
}

#[test]
fn pictures_of_joint_moves_have_no_values() {
    let run = foregone(&["draw", "goofspiel:3", "--values"]);
    assert!(run.err.contains("`--values` goes with players who move in turn"), "{}", run.err);
    let run = foregone(&["draw", "chess", "--best", "--nodes", "100"]);
    assert!(run.code == 1 && run.err.contains("chess is undecided"), "{}", run.err);
}
