//! The program as a process: pipes, signals, terminals and memory.

use std::fs;
use std::process::{Command, Stdio};

use crate::cli::{KEYS, PROGRAM, Run, Scratch, program};

/// A reader that has seen enough closes the pipe. That is no reason to panic.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_failure() {
    let commands = [
        "completions bash",
        "games",
        "games hex",
        "solve nim:1,2",
        "solve nim:1,2 --json",
        "perft tic-tac-toe 3",
        "show hex:4",
    ];
    for words in commands {
        // The reader is gone before the program begins to write.
        let script = format!("{{ sleep 0.1; '{PROGRAM}' {words}; echo code $? >&2; }} | true");
        let run: Run = Command::new("sh").args(["-c", &script]).output().unwrap().into();
        assert_eq!(run.err, "code 0\n", "{words}");
    }
}

/// What the `proc` file system says of a process behind a key, where there is one.
#[cfg(unix)]
fn status_of(process: u32, key: &str) -> Option<String> {
    let text = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix(key))?;
    Some(line.trim().to_owned())
}

#[cfg(unix)]
#[test]
fn an_interrupt_reports_what_was_found() {
    use std::time::{Duration, Instant};
    for json in [true, false] {
        let mut command = program(&["solve", "hex:11"]);
        command.args(json.then_some("--json"));
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Sent before the program listens, the signal would just end it.
        let clock = Instant::now();
        let listens = || match status_of(child.id(), "SigCgt:") {
            Some(mask) => u64::from_str_radix(&mask, 16).unwrap() & 2 != 0,
            None => clock.elapsed() > Duration::from_secs(2),
        };
        while !listens() {
            assert!(clock.elapsed() < Duration::from_secs(60), "it never listens");
            std::thread::sleep(Duration::from_millis(10));
        }
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let run: Run = child.wait_with_output().unwrap().into();
        assert_eq!(run.code, 130, "{}", run.err);
        if json {
            let json = run.json();
            assert_eq!(json.keys(), KEYS);
            assert_eq!((json.text("status"), json.text("stop")), ("undecided", "interrupted"));
            assert!(json.get("nodes").as_u64().unwrap() > 0);
        } else {
            assert!(run.out.contains("undecided, between loss and win"), "{}", run.out);
            assert!(run.out.contains("(stopped: interrupted)"), "{}", run.out);
        }
    }
}

/// A terminal sees a live line that goes away; with `--json` it sees the object alone.
#[cfg(unix)]
#[test]
fn a_terminal_sees_progress() {
    // The `script` of util-linux runs a command on a terminal of its own.
    let has_script = Command::new("script").arg("--version").output();
    if !has_script.is_ok_and(|o| String::from_utf8_lossy(&o.stdout).contains("util-linux")) {
        println!("SKIPPED: there is no `script` of util-linux to make a terminal with");
        return;
    }
    let on_terminal = |words: &str| {
        let line =
            format!("'{PROGRAM}' solve hex:7 --no-knowledge --driver tree --time 700ms {words}");
        let run = Command::new("script").args(["-qec", &line, "/dev/null"]).output().unwrap();
        (run.status.code(), String::from_utf8(run.stdout).unwrap())
    };
    let (code, seen) = on_terminal("");
    assert_eq!(code, Some(1));
    let lives: Vec<&str> = seen.split("\r\x1b[2K").collect();
    assert!(lives.len() >= 3, "{seen:?}");
    assert!(lives[1].contains(" nodes  ") && lives[1].contains("pn "), "{seen:?}");
    // What stays is the answer, on a line that was cleared before it.
    let last = lives.last().unwrap();
    assert!(last.contains("undecided, between loss and win"), "{seen:?}");
    let (code, seen) = on_terminal("--json");
    assert_eq!(code, Some(1));
    assert!(seen.starts_with('{') && !seen.contains('\x1b'), "{seen:?}");
}

/// The peak that is reported, beside the one that the operating system saw. The certificate goes
/// into a pipe with a name: the program has done its work once it opens the other end, and waits
/// there while it is looked at.
#[cfg(unix)]
#[test]
fn the_reported_memory_is_what_the_system_saw() {
    use std::io::Read;
    let scratch = Scratch::new();
    let pipe = scratch.file("pipe");
    if status_of(std::process::id(), "VmHWM:").is_none() {
        println!("SKIPPED: this system has no /proc that tells the memory of a process");
        return;
    }
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut command = program(&["solve", "domineering:5x6", "--scheme", "pp", "--driver", "tree"]);
    command.args(["--no-knowledge", "--no-symmetry", "--json", "--proof", &pipe]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let id = child.id();
    // Should the program end without opening the pipe, the test must not wait for ever.
    let (stdout, stuck) = (child.stdout.take(), pipe.clone());
    std::thread::spawn(move || {
        let _ = child.wait();
        let _ = fs::OpenOptions::new().write(true).open(stuck);
    });
    let mut certificate = fs::File::open(&pipe).unwrap();
    let seen = status_of(id, "VmHWM:").expect("it did not wait at the pipe");
    let seen: f64 = seen.trim_end_matches("kB").trim().parse::<f64>().unwrap() * 1024.0;
    let mut text = String::new();
    certificate.read_to_string(&mut text).unwrap();
    // Longer than what a pipe holds: else the program would not have waited.
    assert!(text.len() > 1 << 17, "{}", text.len());
    let mut out = String::new();
    stdout.unwrap().read_to_string(&mut out).unwrap();
    let json = Run { code: 0, out, err: String::new() }.json();
    let told = json.get("peak_bytes").as_f64().unwrap();
    assert!(told > 20e6, "a job too small to tell: {told}");
    assert!((told - seen).abs() < 0.1 * seen, "told {told}, seen {seen}");
}
