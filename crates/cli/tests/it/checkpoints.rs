//! Checkpoints as files: a program that is killed again and again, and files that are damaged.

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use foregone::model::Rng;

use crate::cli::{Run, Scratch, foregone, program};

/// Jobs that take a second or so, one of each driver.
const JOBS: [&str; 7] = [
    "solve connect-four:5x4 --no-knowledge --driver tree --scheme pn",
    "solve connect-four:5x4 --no-knowledge --driver dag --scheme pn",
    "solve connect-four:5x4 --no-knowledge --driver squared --scheme pn",
    "solve domineering:5x5 --no-knowledge --driver dfs",
    "solve connect-four:6x5 --driver alphabeta",
    "solve connect-four:5x4 --no-knowledge --driver df --scheme mo(pn)",
    "check chess omega(3) --algorithm dfpn --position r7/2R1R3/8/8/3K1k2/8/8/8_w_-_-_0_1",
];

/// Starts a command with these words more, and kills it after a while unless it ends before. What it
/// left behind, if it ended.
fn killed_after(words: &[&str], while_: Duration) -> Option<Run> {
    let mut command = program(words);
    command.args(["--progress", "never"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let clock = Instant::now();
    while clock.elapsed() < while_ {
        if child.try_wait().unwrap().is_some() {
            return Some(child.wait_with_output().unwrap().into());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    None
}

/// With `FOREGONE_KILLS=20`, every job is killed so often: `cargo test --release`.
#[test]
fn a_program_that_is_killed_again_and_again_comes_to_the_same_answer() {
    let wanted: u32 = std::env::var("FOREGONE_KILLS").map_or(4, |n| n.parse().unwrap());
    let mut rng = Rng::new(u64::from(std::process::id()));
    for job in JOBS {
        let scratch = Scratch::new();
        let [checkpoint, whole, proof] =
            ["c.ckpt", "whole.txt", "proof.txt"].map(|f| scratch.file(f));
        let words: Vec<String> = job.split(' ').map(|word| word.replace('_', " ")).collect();
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        words.push("--json");
        let clock = Instant::now();
        let expected = foregone(&[&words[..], &["--proof", &whole]].concat());
        assert_eq!(expected.code, 0, "{job}: {}", expected.err);
        let took = clock.elapsed();
        let first =
            [&words[..], &["--proof", &proof, "--checkpoint", &checkpoint, "--every", "20ms"]]
                .concat();
        let mut kills = 0;
        let run = loop {
            // Long enough to get on, and so that it is killed so often.
            let share = if kills < wanted { f64::from(wanted) } else { 0.5 };
            let random = 0.3 + f64::from(rng.below(1000)) / 1000.0;
            let lasts = Duration::from_millis(60) + took.mul_f64(random / share);
            let run = match Path::new(&checkpoint).exists() {
                true => killed_after(&["resume", &checkpoint, "--json"], lasts),
                false => killed_after(&first, lasts),
            };
            match run {
                Some(run) => break run,
                None => kills += 1,
            }
            assert!(kills < 40 * wanted, "{job} gets nowhere");
        };
        eprintln!("{job}: {kills} kills");
        assert_eq!(run.code, 0, "{job} after {kills} kills: {}", run.err);
        let (mut ours, mut theirs) = (run.json().lasting(), expected.json().lasting());
        // The proof is in another file, and a process counts its own questions to the game.
        for key in ["proof", "queries"] {
            (ours, theirs) = (ours.without(key), theirs.without(key));
        }
        assert_eq!(ours, theirs, "{job} after {kills} kills");
        assert_eq!(fs::read(&whole).unwrap(), fs::read(&proof).unwrap(), "{job}");
        assert!(!Path::new(&checkpoint).exists(), "{job}: the answer is there");
        assert!(foregone(&["verify", &proof]).code == 0, "{job}");
    }
}

/// How many files there are beside this one that are still being written.
fn parts_beside(file: &str) -> usize {
    let folder = fs::read_dir(Path::new(file).parent().unwrap()).unwrap();
    let names = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".part")).count()
}

/// They wrote into the same file beside it, and what they left was not a checkpoint.
#[test]
fn two_processes_that_go_on_from_one_checkpoint_leave_a_whole_one() {
    let scratch = Scratch::new();
    let file = scratch.file("c.ckpt");
    let words = ["solve", "connect-four:6x6", "--driver", "df", "--nodes", "100k"];
    foregone(&[&words[..], &["--checkpoint", &file]].concat());
    assert!(Path::new(&file).exists());
    for round in 0..8u64 {
        let spawn = |every: &str| {
            let mut command = program(&["resume", &file, "--every", every, "--nodes", "100M"]);
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        };
        let mut both = [spawn("3ms"), spawn("4ms")];
        std::thread::sleep(Duration::from_millis(150 + 13 * round));
        for child in &mut both {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let run = foregone(&["resume", &file, "--nodes", "1"]);
        assert_eq!(run.code, 1, "{}", run.err);
    }
    // What was left by those that were killed is gone, too.
    assert_eq!(parts_beside(&file), 0);
}

/// It took the place of any file, and was removed at the end: a rulesheet, or the proof itself.
#[test]
fn a_checkpoint_takes_the_place_of_nothing_else() {
    let scratch = Scratch::new();
    let [file, proof, log] = ["c.ckpt", "p.txt", "log"].map(|name| scratch.file(name));
    fs::write(&proof, "precious").unwrap();
    let solve = ["solve", "tic-tac-toe", "--driver", "df", "--checkpoint"];
    for (more, said) in [
        (vec![&*proof], "there already"),
        (vec![&file, "--proof", &file], "the proof"),
        (vec![&log, "--log", &log], "the log"),
        (vec!["/dev/null"], "there already"),
    ] {
        let run = foregone(&[&solve[..], &more].concat());
        let words: Vec<&str> = run.err.split_whitespace().filter(|&w| w != "│").collect();
        assert!(run.code == 2 && words.join(" ").contains(said), "{more:?}: {}", run.err);
    }
    assert_eq!(fs::read_to_string(&proof).unwrap(), "precious");
    assert!(!Path::new(&file).exists() && !Path::new(&log).exists());
    // Nor of a checkpoint: somebody may have forgotten to go on with it.
    foregone(&[&solve[..], &[&file, "--nodes", "20"]].concat());
    let run = foregone(&[&solve[..], &[&file]].concat());
    assert!(run.code == 2 && run.err.contains("foregone resume"), "{}", run.err);
    let run = foregone(&["resume", &file, "--proof", &file]);
    assert!(run.code == 2 && run.err.contains("the proof"), "{}", run.err);
    assert_eq!(foregone(&["resume", &file]).code, 0);
}

/// A proof goes to its file piece by piece. Where that can't be, the answer is told all the same.
#[test]
fn a_proof_that_can_not_be_kept_leaves_the_answer() {
    let scratch = Scratch::new();
    let proof = scratch.file("proof.txt");
    for threads in ["1", "2"] {
        let words = ["solve", "connect-four:4x4", "--threads", threads, "--proof", &proof];
        let run = foregone(&words);
        assert_eq!((run.code, parts_beside(&proof)), (0, 0), "{}", run.err);
        assert_eq!(foregone(&["verify", &proof]).code, 0);
        // The name beside it would be too long for a file.
        let long = scratch.file(&"x".repeat(252));
        let run = foregone(&[&words[..4], &["--proof", &long, "--json"]].concat());
        assert!(run.code == 2 && run.err.contains("can't be written"), "{}", run.err);
        assert!(
            run.json().text("value") == "draw" && run.out.contains("\"proof\":null"),
            "{}",
            run.out
        );
    }
}

/// Waits for a file.
fn wait_for(path: &str) {
    let clock = Instant::now();
    while !Path::new(path).exists() {
        assert!(clock.elapsed() < Duration::from_secs(60), "{path} does not come");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_signal_writes_a_checkpoint_and_says_how_to_go_on() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let scratch = Scratch::new();
        let [file, log] = ["c.ckpt", "log"].map(|name| scratch.file(name));
        let words = [
            "solve",
            "hex:7",
            "--driver",
            "df",
            "--checkpoint",
            &file,
            "--every",
            "1h",
            "--log",
            &log,
        ];
        let mut command = program(&words);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        wait_for(&log);
        std::thread::sleep(Duration::from_millis(300));
        let id = child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        let run: Run = child.wait_with_output().unwrap().into();
        assert_eq!(run.code, code, "{}", run.err);
        assert!(run.err.contains(&format!("`foregone resume {file}` goes on")), "{}", run.err);
        assert_eq!(parts_beside(&file), 0);
        // It goes on, and a budget ends it.
        let resumed = foregone(&["resume", &file, "--time", "200ms", "--json", "--log", &log]);
        assert_eq!(resumed.code, 1, "{}", resumed.err);
        assert_eq!(resumed.json().text("stop"), "time");
        let text = fs::read_to_string(&log).unwrap();
        assert!(text.contains("done: interrupted"), "{text}");
        assert!(text.contains("a checkpoint of "), "{text}");
        let last = text.lines().last().unwrap();
        assert!(last.starts_with('{') && last.contains(r#""stop":"time""#), "{text}");
    }
}

/// Whatever is changed in a file, it is refused by name, and nothing panics.
#[test]
fn damaged_files_are_refused_by_what_is_wrong() {
    let scratch = Scratch::new();
    let [file, other] = ["c.ckpt", "other.ckpt"].map(|name| scratch.file(name));
    let words = ["solve", "connect-four:5x4", "--driver", "df", "--nodes", "5000", "--checkpoint"];
    let run = foregone(&[&words[..], &[&file]].concat());
    assert_eq!(run.code, 1, "{}", run.err);
    let whole = fs::read(&file).unwrap();
    let refused = |bytes: &[u8], said: &[&str]| {
        fs::write(&other, bytes).unwrap();
        let run = foregone(&["resume", &other]);
        assert_eq!(run.code, 2, "{said:?}: {}{}", run.out, run.err);
        let message = run.message();
        assert!(said.iter().any(|said| message.contains(said)), "{said:?}: {message}");
        assert!(!message.contains("panicked"), "{message}");
    };
    let mut rng = Rng::new(1);
    let any = ["is damaged", "is not a checkpoint", "is cut", "has the format"];
    for _ in 0..60 {
        let mut bytes = whole.clone();
        let at = rng.below(bytes.len() as u32) as usize;
        bytes[at] ^= 1 << rng.below(8);
        refused(&bytes, &any);
        refused(&whole[..at], &any);
    }
    refused(b"", &["is not a checkpoint"]);
    refused(b"foregone certificate 2\n", &["is not a checkpoint"]);
    refused(&[&whole[..], b"x"].concat(), &["is damaged"]);
    let mut format = whole.clone();
    format[20] = 9;
    refused(&format, &["has the format 9 of checkpoints, and this program reads 1"]);
    // Another version, with a digest that is right.
    let text = b"\"version\":\"";
    let at = whole.windows(text.len()).position(|w| w == text).unwrap() + text.len();
    let mut version = whole[..whole.len() - 32].to_vec();
    version[at] = b'9';
    let digest = <sha2::Sha256 as sha2::Digest>::digest(&version);
    version.extend_from_slice(&digest);
    refused(&version, &["was written by foregone 9."]);
    // What no search wrote, with a digest that is right.
    for _ in 0..40 {
        let mut bytes = whole[..whole.len() - 32].to_vec();
        let at = bytes.len() - 1 - rng.below(bytes.len() as u32 / 2) as usize;
        bytes[at..].iter_mut().take(6).for_each(|byte| *byte = byte.wrapping_add(97));
        let digest = <sha2::Sha256 as sha2::Digest>::digest(&bytes);
        bytes.extend_from_slice(&digest);
        fs::write(&other, &bytes).unwrap();
        let run = foregone(&["resume", &other, "--nodes", "1M"]);
        assert!([0, 1, 2, 3].contains(&run.code), "{}", run.err);
        assert!(run.code != 0 || run.out.contains("draw"), "{}", run.out);
    }
    assert_eq!(foregone(&["resume", &scratch.file("none")]).code, 2);
    // The file itself is still whole.
    assert_eq!(foregone(&["resume", &file]).code, 0);
    assert!(!Path::new(&file).exists());
}

#[test]
fn rules_that_changed_are_refused() {
    let scratch = Scratch::new();
    let [file, game] = ["c.ckpt", "g.game"].map(|name| scratch.file(name));
    fs::write(&game, "start a\nmax a -> b c\nmin b -> d e\nmin c -> e d\nend d loss\nend e win\n")
        .unwrap();
    let spec = format!("explicit:{game}");
    let run =
        foregone(&["solve", &spec, "--nodes", "1", "--driver", "tree", "--checkpoint", &file]);
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    fs::write(&game, "start a\nmax a -> b c\nmin b -> d e\nmin c -> d e\nend d loss\nend e win\n")
        .unwrap();
    let run = foregone(&["resume", &file]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(
        run.message().contains("are not those that the checkpoint was made with"),
        "{}",
        run.err
    );
}

#[test]
fn what_does_not_go_together_is_said_before_the_search() {
    for (words, said) in [
        ("solve goofspiel:4 --scheme smab --checkpoint c.ckpt", "can't be kept"),
        ("solve nim:1,2 --every 5s", "none are kept"),
        ("solve nim:1,2 --checkpoint no/such/folder", "there is no folder"),
        ("solve woodpush:7,2 --driver squared --threads 2 --checkpoint c.ckpt", "several threads"),
    ] {
        let run = foregone(&words.split(' ').collect::<Vec<_>>());
        assert_eq!(run.code, 2, "{words}: {}", run.err);
        assert!(run.message().contains(said), "{words}: {}", run.err);
        assert!(!Path::new("c.ckpt").exists());
    }
}
