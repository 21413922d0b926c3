//! Long runs: signals in every phase of a job, budgets of time, and what a log is told.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::cli::{PROGRAM, Run, Scratch, foregone, program};
use crate::common::root;

/// A program that runs, and what it says on standard error.
struct Running {
    child: Child,
    errors: BufReader<std::process::ChildStderr>,
    heard: String,
}

/// Whether these tests were started by somebody who ignores SIGHUP: then the program does, too.
fn hangup_is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|m| m & 1 == 1)
}

impl Running {
    fn start(words: &[&str]) -> Running {
        let mut command = program(words);
        command.current_dir(root()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let errors = BufReader::new(child.stderr.take().unwrap());
        Running { child, errors, heard: String::new() }
    }

    /// Waits until it says this.
    fn wait_for(&mut self, text: &str) {
        loop {
            let mut line = String::new();
            assert!(self.errors.read_line(&mut line).unwrap() > 0, "{text}: {}", self.heard);
            self.heard.push_str(&line);
            if line.contains(text) {
                return;
            }
        }
    }

    /// Sends a signal, and returns what it left behind and how long it took to end.
    fn end(mut self, signal: &str) -> (Run, Duration) {
        let clock = Instant::now();
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        self.errors.read_to_string(&mut self.heard).unwrap();
        let run: Run = self.child.wait_with_output().unwrap().into();
        (Run { err: self.heard, ..run }, clock.elapsed())
    }
}

/// A tenth of a second is what is promised; a busy machine gets more.
const SOON: Duration = Duration::from_secs(2);

#[test]
fn every_signal_ends_a_search_and_has_its_code() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        if signal == "-HUP" && hangup_is_ignored() {
            println!("SKIPPED: SIGHUP, which is ignored here, as by nohup");
            continue;
        }
        for driver in ["dfs", "alphabeta", "df", "tree", "dag", "squared"] {
            let words = [
                "solve",
                "hex:9",
                "--no-knowledge",
                "--driver",
                driver,
                "--json",
                "--progress",
                "20ms",
            ];
            let mut running = Running::start(&words);
            running.wait_for(" nodes");
            let (run, time) = running.end(signal);
            assert_eq!(run.code, code, "{driver}: {}", run.err);
            assert_eq!(run.json().text("stop"), "interrupted", "{driver}");
            assert!(time < SOON, "{driver}: {time:?}");
            // Once with every driver, and every signal once, is enough.
            if signal != "-TERM" {
                break;
            }
        }
    }
}

#[test]
fn signals_end_searches_of_joint_moves_and_formulas() {
    let goofspiel = ["solve", "goofspiel:13", "--json", "--progress", "20ms"];
    let formula = ["check", "chess", "omega(9)", "--json", "--progress", "20ms"];
    for words in [&goofspiel[..], &formula] {
        let mut running = Running::start(words);
        running.wait_for(" nodes");
        let (run, time) = running.end("-TERM");
        assert_eq!((run.code, run.json().text("stop")), (143, "interrupted"), "{}", run.err);
        assert!(time < SOON, "{words:?}: {time:?}");
    }
}

/// The answer stands, the proof is not made: it would take seconds.
#[test]
fn a_signal_ends_the_making_and_the_checking_of_a_proof() {
    let scratch = Scratch::new();
    let file = scratch.file("proof.txt");
    for phase in ["writing the proof", "checking the proof"] {
        let words = ["solve", "domineering:8x8", "--driver", "alphabeta", "--json"];
        let more = ["--proof", &file, "--progress", "10ms"];
        let mut running = Running::start(&[&words[..], &more].concat());
        running.wait_for(phase);
        let (run, time) = running.end("-TERM");
        assert_eq!(run.code, 143, "{phase}: {}", run.err);
        let json = run.json();
        assert_eq!((json.text("status"), json.text("value")), ("solved", "win"), "{phase}");
        assert!(json.get("proof").is_null(), "{phase}: it was made to its end");
        assert!(!std::path::Path::new(&file).exists());
        assert!(time < SOON, "{phase}: {time:?}");
    }
}

#[test]
fn a_signal_ends_a_count_of_sequences() {
    for (words, joint) in [(["perft", "chess", "6"], false), (["perft", "goofspiel:13", "5"], true)]
    {
        let mut running = Running::start(&[&words[..], &["--progress", "20ms"]].concat());
        running.wait_for(" sequences");
        let (run, time) = running.end("-TERM");
        assert_eq!(run.code, 143, "{}", run.err);
        let first = if joint { "  1  169\n" } else { "  1  20\n" };
        assert!(run.out.starts_with(first), "{}", run.out);
        assert!(run.out.ends_with("stopped: interrupted\n"), "{}", run.out);
        assert!(time < SOON, "{words:?}: {time:?}");
    }
}

#[test]
fn a_count_of_sequences_obeys_its_time() {
    let run = foregone(&["perft", "chess", "6", "--time", "200ms", "--json"]);
    assert_eq!(run.code, 1);
    let json = run.json();
    assert_eq!(json.text("stop"), "time");
    assert_eq!(json.get("counts")[0], 20);
    // Without a limit there is no such word.
    let whole = foregone(&["perft", "chess", "2", "--json"]).json();
    assert_eq!(whole.keys(), ["counts", "game", "position"]);
}

#[test]
fn a_signal_ends_the_replay_of_a_certificate() {
    let scratch = Scratch::new();
    let (one, many) = (scratch.file("one.txt"), scratch.file("many.txt"));
    // The interpreter that checks proofs of rulesheets is slow: a long file takes its time.
    let mut solve = program(&["solve", "gdl:rulesheets/tic-tac-toe.kif", "--proof", &one]);
    assert!(solve.current_dir(root()).output().unwrap().status.success());
    std::fs::write(&many, std::fs::read_to_string(&one).unwrap().repeat(300)).unwrap();
    let mut running = Running::start(&["verify", &many, "--json", "--progress", "20ms"]);
    running.wait_for("checking the proof");
    let (run, time) = running.end("-TERM");
    assert_eq!(run.code, 143, "{}", run.err);
    assert_eq!((run.json().text("status"), run.json().text("stop")), ("undecided", "interrupted"));
    assert!(time < SOON, "{time:?}");
    // How long the rest will take is estimated from what is done.
    let mut running = Running::start(&["verify", &many, "--progress", "100ms"]);
    running.wait_for(" left");
    assert!(running.heard.contains("checking the proof, "), "{}", running.heard);
    running.end("-TERM");
}

#[test]
fn the_reading_of_rules_obeys_signals_and_the_clock() {
    let scratch = Scratch::new();
    let file = scratch.file("wide.kif");
    // Five variables over twenty values: a relation of three million tuples, and half a minute.
    let values: String = (0..20).map(|i| format!("(v {i})\n")).collect();
    let text = format!(
        "(role r)\n{values}(init (at 0))\n(<= (legal r (go ?x)) (v ?x))\n\
         (<= (all ?a ?b ?c ?d ?e) (v ?a) (v ?b) (v ?c) (v ?d) (v ?e))\n\
         (<= (next (at ?a)) (does r (go ?a)) (all ?a ?b ?c ?d ?e))\n\
         (<= terminal (true (at 1)))\n(goal r 100)\n"
    );
    std::fs::write(&file, text).unwrap();
    let game = format!("gdl:{file}");
    let clock = Instant::now();
    let run = foregone(&["solve", &game, "--time", "300ms"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.message().ends_with("were not read to their end"), "{}", run.message());
    assert!(clock.elapsed() < Duration::from_millis(300) + SOON, "{:?}", clock.elapsed());
    // Nothing is said before the rules are read: a moment, and it reads them.
    let running = Running::start(&["solve", &game]);
    std::thread::sleep(Duration::from_millis(500));
    let (run, time) = running.end("-TERM");
    assert_eq!(run.code, 143, "{}", run.err);
    assert!(time < SOON, "{time:?}");
}

/// `nohup` ignores the signal of a closed terminal, and so do we then.
#[test]
fn a_run_may_outlive_its_terminal() {
    if !std::path::Path::new("/proc/self/status").exists() {
        println!("SKIPPED: this system does not tell which signals are ignored");
        return;
    }
    let script =
        format!("trap '' HUP; exec '{PROGRAM}' solve hex:9 --time 2s --json --progress 20ms");
    let mut command = Command::new("sh");
    command.args(["-c", &script]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let errors = BufReader::new(child.stderr.take().unwrap());
    let mut running = Running { child, errors, heard: String::new() };
    running.wait_for(" nodes");
    let (run, _) = running.end("-HUP");
    assert_eq!((run.code, run.json().text("stop")), (1, "time"));
}

#[test]
fn a_long_chain_costs_its_length_and_obeys_the_clock() {
    let scratch = Scratch::new();
    let file = scratch.file("chain.game");
    let length = 200_000;
    let mut text = "start s0\nend lost loss\nend won win\n".to_owned();
    for i in 0..length {
        // Either side could end it at once, to its cost.
        let (side, end) = if i % 2 == 0 { ("max", "lost") } else { ("min", "won") };
        text.push_str(&format!("{side} s{i} -> {end} s{}\n", i + 1));
    }
    text.push_str(&format!("end s{length} win\n"));
    std::fs::write(&file, text).unwrap();
    let game = format!("explicit:{file}");
    // Depth first, each state is met once or twice.
    for driver in ["dfs", "alphabeta", "df"] {
        let run = foregone(&["solve", &game, "--driver", driver, "--json"]).json();
        assert_eq!(run.text("value"), "win", "{driver}");
        assert!(run.get("nodes").as_u64().unwrap() < 5 * length, "{driver}");
    }
    // Best first, every expansion goes back to the root: the square of the length.
    for driver in ["tree", "dag"] {
        let clock = Instant::now();
        let run = foregone(&["solve", &game, "--driver", driver, "--time", "500ms", "--json"]);
        assert_eq!(run.json().text("stop"), "time", "{driver}");
        assert!(clock.elapsed() < Duration::from_secs(6), "{driver}: {:?}", clock.elapsed());
    }
}

#[test]
fn a_log_gets_lines_when_it_is_asked_for() {
    let words = ["solve", "hex:9", "--driver", "df", "--no-knowledge", "--time", "1s", "--json"];
    let told = |when: &str| {
        let run = foregone(&[&words[..], &["--progress", when]].concat());
        assert_eq!(run.code, 1, "{}", run.err);
        // Standard output has the object alone.
        run.json();
        run.err
    };
    let lines = told("200ms");
    assert!(lines.lines().count() >= 3, "{lines}");
    for line in lines.lines() {
        assert!(line.contains(" s of 1 s  ") && line.contains(" nodes  "), "{line}");
        assert!(!line.contains('\x1b') && !line.contains('\r'), "{line:?}");
    }
    // A minute has not passed.
    assert_eq!(told("auto"), "");
    assert_eq!(told("always"), "");
    assert_eq!(told("never"), "");
    let wrong = foregone(&[&words[..], &["--progress", "often"]].concat());
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("auto, always, never or a time"), "{}", wrong.err);
}

/// Who tries the standard board first hears within seconds that it takes long, and what to try.
#[test]
fn a_newcomer_is_told_what_takes_long() {
    let mut running = Running::start(&["solve", "connect-four", "--json", "--time", "75s"]);
    running.wait_for("note: no answer after ");
    let heard = running.heard.clone();
    let (run, _) = running.end("-INT");
    assert!(heard.contains("may take minutes, hours or longer"), "{heard}");
    assert!(heard.contains("`foregone solve connect-four:5x5` takes seconds"), "{heard}");
    assert_eq!(heard.matches("note:").count(), 1);
    // Standard output has the object alone, and the search went on until it was ended.
    assert_eq!((run.code, run.json().text("stop")), (130, "interrupted"));
    // Who set a limit, or wants no words, gets none.
    for words in [["--time", "6s"], ["--progress", "never"]] {
        let mut command = program(&["solve", "connect-four:6x6", "--no-symmetry"]);
        let mut child =
            command.args(words).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(6500));
        let _ = child.kill();
        let mut errors = String::new();
        child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        child.wait().unwrap();
        assert_eq!(errors, "", "{words:?}");
    }
}

/// A live line is cut where the terminal ends.
#[test]
fn a_narrow_terminal_sees_a_short_line() {
    let has_script = Command::new("script").arg("--version").output();
    if !has_script.is_ok_and(|o| String::from_utf8_lossy(&o.stdout).contains("util-linux")) {
        println!("SKIPPED: there is no `script` of util-linux to make a terminal with");
        return;
    }
    let seen = |columns: u32, words: &str| {
        let line = format!("stty rows 24 cols {columns}; '{PROGRAM}' {words}");
        let run = Command::new("script").args(["-qec", &line, "/dev/null"]).output().unwrap();
        String::from_utf8(run.stdout).unwrap()
    };
    for (words, word) in [
        ("solve hex:7 --no-knowledge --driver tree --time 900ms", " nodes"),
        ("perft chess 6 --time 900ms", " sequences"),
    ] {
        for columns in [24, 200] {
            let text = seen(columns, words);
            // What was drawn again and again, without what moves the cursor.
            let lives: Vec<&str> = text.split("\r\x1b[2K").filter(|l| l.contains(" s  ")).collect();
            assert!(lives.len() >= 2, "{text:?}");
            assert!(lives.iter().any(|live| live.contains(word)) || columns == 24, "{text:?}");
            for live in lives {
                let drawn = live.lines().next().unwrap().trim_end_matches('\r');
                assert!(drawn.chars().count() <= columns as usize, "{columns}: {drawn:?}");
            }
        }
    }
}
