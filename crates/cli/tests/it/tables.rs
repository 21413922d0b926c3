//! `foregone table` as a person meets it.

use std::fs;
use std::process::{Command, Stdio};

use crate::cli::{PROGRAM, Scratch, foregone};

#[test]
fn a_table_is_built_listed_probed_and_verified() {
    let scratch = Scratch::new();
    let dir = scratch.file("t");
    let dir = dir.as_str();
    let built = foregone(&["table", "build", "tic-tac-toe", "--dir", dir]);
    assert_eq!(built.code, 0, "{}", built.err);
    assert!(built.out.contains("reachable      5,478    5,478"), "{}", built.out);
    let list = foregone(&["table", "list", "--dir", dir]);
    assert!(list.out.contains("tic-tac-toe  reachable      5,478"), "{}", list.out);
    let probed = foregone(&["table", "probe", "tic-tac-toe", "-p", "moves:b2,b1", "--dir", dir]);
    for line in [
        "tic-tac-toe, x to move: x wins.",
        "  distance   5 plies to the end",
        "  best move  a1",
        "             draw: b3",
        "  by table   reachable, number ",
    ] {
        assert!(probed.out.contains(line), "{line}: {}", probed.out);
    }
    let best = foregone(&["table", "best", "tic-tac-toe", "-p", "moves:b2", "--dir", dir]);
    assert_eq!(best.out, "a1\nc1\na3\nc3\n");
    let json = foregone(&["table", "probe", "tic-tac-toe", "--dir", dir, "--json"]).json();
    assert_eq!(json.text("value"), "draw");
    assert_eq!(json.get("moves").as_array().unwrap().len(), 9);
    let svg = scratch.file("distances.svg");
    let info = foregone(&["table", "info", "tic-tac-toe", "--dir", dir, "--svg", &svg]);
    assert!(info.out.contains("  longest        5 plies"), "{}", info.out);
    assert!(fs::read_to_string(&svg).unwrap().starts_with("<svg"));
    let file = format!("{dir}/tic-tac-toe/reachable.table");
    for which in ["tic-tac-toe", &file] {
        let verified = foregone(&["table", "verify", which, "--dir", dir]);
        assert_eq!(verified.code, 0, "{}", verified.err);
        let proved = "proved: every entry of 1 table of tic-tac-toe follows from the rules (5,478";
        assert!(verified.out.contains(proved), "{}", verified.out);
    }
    // A damaged file is refused by name, with the code of a proof that was refused.
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&file, bytes).unwrap();
    let refused = foregone(&["table", "verify", "tic-tac-toe", "--dir", dir]);
    assert_eq!(refused.code, 3, "{}", refused.out);
    assert!(refused.err.contains("reachable.table"), "{}", refused.err);
}

#[test]
fn wrong_words_are_told() {
    let scratch = Scratch::new();
    let dir = scratch.file("t");
    for (words, message) in [
        (&["build", "chess"][..], "KQKR"),
        (&["build", "chess:KXK"][..], "KXK"),
        (&["build", "pig"][..], "chance moves"),
        (&["probe", "nim:1,2"][..], "there are no tables of nim:1,2"),
        (&["info", "nim:1,2"][..], "there are no tables of nim:1,2"),
        (&["verify", "nothing.table"][..], "nothing.table"),
        (&["verify", "chess:KQK"][..], "there is no table of KK"),
        (&["info", "chess:KQK"][..], "there is no table of KQK"),
        (&["list"][..], "can't be read"),
    ] {
        let mut all = vec!["table"];
        all.extend(words);
        all.extend(["--dir", &dir]);
        let run = foregone(&all);
        assert_eq!(run.code, 2, "{words:?} {}", run.out);
        assert!(run.err.contains(message), "{words:?}: {}", run.err);
    }
}

/// kill -9 at random moments, and the same command again: the same bytes as without.
#[cfg(unix)]
#[test]
fn a_build_that_is_killed_goes_on_where_it_stood() {
    let scratch = Scratch::new();
    let [broken, whole] = ["broken", "whole"].map(|name| scratch.file(name));
    let words = ["table", "build", "chess:KBBK", "--every", "0s", "--threads", "2"];
    let command = |dir: &str| {
        let mut command = Command::new(PROGRAM);
        command.args(words).args(["--dir", dir]).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let began = std::time::Instant::now();
    let done = command(&whole).output().unwrap();
    assert!(done.status.success());
    let time = began.elapsed();
    let files = |dir: &str| {
        let mut files: Vec<_> =
            fs::read_dir(format!("{dir}/chess")).unwrap().map(|f| f.unwrap().path()).collect();
        files.sort();
        let names: Vec<String> =
            files.iter().map(|f| f.file_name().unwrap().to_string_lossy().into_owned()).collect();
        (names, files.iter().map(|f| fs::read(f).unwrap()).collect::<Vec<_>>())
    };
    let (names, whole) = files(&whole);
    assert_eq!(names, ["KBBK.table", "KBK.table", "KK.table"]);
    let mut rng = ::foregone::model::Rng::new(9);
    // Moments are spread over what a whole run takes, so that every stage is met. A run that ends before
    // its moment comes is compared, and work begins anew.
    let (mut killed, mut taken_up, mut finished) = (0, 0, 0);
    while killed < 20 || taken_up == 0 {
        assert!(killed < 100, "no work was ever taken up");
        let mut child = command(&broken).spawn().unwrap();
        std::thread::sleep(time.mul_f64(f64::from(rng.below(100)) / 100.0));
        if child.try_wait().unwrap().is_none() {
            child.kill().unwrap();
            child.wait().unwrap();
            killed += 1;
            continue;
        }
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        taken_up += u32::from(String::from_utf8_lossy(&output.stdout).contains("taken up"));
        finished += 1;
        let same = files(&broken) == (names.clone(), whole.clone());
        assert!(same, "the bytes are others after {killed} kills");
        fs::remove_dir_all(&broken).unwrap();
    }
    // The last one may have been killed.
    assert!(command(&broken).output().unwrap().status.success());
    assert!(files(&broken) == (names, whole), "the bytes are others, {finished} times done");
}

#[test]
fn the_table_of_reduction_factors_is_printed_and_corrected() {
    let counted = foregone(&["table", "material", "dark-chess", "8"]);
    assert_eq!(counted.code, 0, "{}", counted.err);
    let line = |words: &[&str]| {
        let found = counted.out.lines().any(|line| {
            line.split("  ").filter(|w| !w.is_empty()).map(str::trim).eq(words.iter().copied())
        });
        assert!(found, "{words:?}: {}", counted.out);
    };
    line(&["2", "as printed", "4.961·10^4", "7.936·10^3", "6.13"]);
    line(&["by kind", "48,608", "8", "7,936", "6.13"]);
    line(&["4", "as printed", "1.140·10^9", "1.142·10^8", "9.92"]);
    line(&["by kind", "1,139,500,480", "186", "114,208,960", "9.98"]);
    line(&["by piece", "10,135,324,552,789,800", "10,672", "1,344,382,903,819,800", "7.54"]);
    let bones = foregone(&["table", "material", "dominoes", "6"]);
    for part in ["82,556,550", "82,555,200", "246 + 317", "252 + 329", "1494.75", "not sound"] {
        assert!(bones.out.contains(part), "{part}: {}", bones.out);
    }
    let json = foregone(&["table", "material", "dominoes", "3", "--json"]).json();
    assert_eq!(json.text("game"), "dominoes");
    assert_eq!(json.get("rows").as_array().unwrap().len(), 1);
    for (words, message) in [
        (["chess", "4"], "of dark-chess and of dominoes"),
        (["dominoes", "2"], "3 to 6 elements"),
        (["dark-chess", "9"], "9"),
    ] {
        let refused = foregone(&["table", "material", words[0], words[1]]);
        assert!(refused.code != 0 && refused.err.contains(message), "{}", refused.err);
    }
}
