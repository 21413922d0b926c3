//! Solves by several machines, with a real NATS server: the same answers, whoever is killed.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::root;

const PROGRAM: &str = env!("CARGO_BIN_EXE_foregone");

/// A server, found on the path or where Python puts programs of its packages.
fn server_program() -> Option<PathBuf> {
    let named = std::env::var_os("FOREGONE_NATS_SERVER").map(PathBuf::from);
    let usual = ["nats-server", "/usr/sbin/nats-server"].map(PathBuf::from);
    let works = |path: &PathBuf| {
        Command::new(path).arg("--version").output().is_ok_and(|out| out.status.success())
    };
    named.into_iter().chain(usual).find(works)
}

/// A server and what works for it, all of which end with the test.
pub(crate) struct Machines {
    pub(crate) folder: PathBuf,
    port: u16,
    server: Child,
    pub(crate) workers: Vec<Child>,
}

impl Machines {
    pub(crate) fn start(test: &str, workers: usize) -> Option<Machines> {
        let Some(program) = server_program() else {
            let line = format!("SKIPPED: {test} needs nats-server\n");
            let _ = std::io::stderr().write_all(line.as_bytes());
            return None;
        };
        let folder = std::env::temp_dir().join(format!("foregone-{test}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let server = serve(&program, &folder, port);
        let mut machines = Machines { folder, port, server, workers: Vec::new() };
        for _ in 0..workers {
            machines.work();
        }
        Some(machines)
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub(crate) fn work(&mut self) {
        let words = ["worker", &self.url(), "--threads", "1", "--memory", "200M"];
        // What they leave behind when they are killed goes with the test.
        let worker = quiet(&words).env("TMPDIR", &self.folder).spawn();
        self.workers.push(worker.unwrap());
    }

    /// Ends the server as `kill -9` does, and starts it again with its store.
    fn restart(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
        self.server = serve(&server_program().unwrap(), &self.folder, self.port);
    }
}

impl Drop for Machines {
    fn drop(&mut self) {
        for child in self.workers.iter_mut().chain([&mut self.server]) {
            let _ = child.kill();
            let _ = child.wait();
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn serve(program: &Path, folder: &Path, port: u16) -> Child {
    let (port_text, store) = (port.to_string(), folder.join("store"));
    let child = Command::new(program)
        .args(["-js", "-a", "127.0.0.1", "-p", &port_text, "-sd"])
        .arg(store)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(began.elapsed() < Duration::from_secs(20), "the server does not listen");
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

pub(crate) fn quiet(words: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(words).current_dir(root()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Runs the program, but not for ever.
pub(crate) fn run(words: &[&str]) -> Output {
    let mut command = Command::new("timeout");
    command.arg("120").arg(PROGRAM).args(words).current_dir(root()).output().unwrap()
}

pub(crate) fn answer(words: &[&str]) -> serde_json::Value {
    let output = run(words);
    let text = String::from_utf8_lossy(&output.stdout);
    let words = words.join(" ");
    let said = String::from_utf8_lossy(&output.stderr);
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{words}: {e}: {text}{said}"))
}

#[test]
fn workers_give_the_same_answers() {
    let Some(machines) = Machines::start("same", 2) else { return };
    let (url, proof) = (machines.url(), machines.folder.join("proof.txt"));
    let proof = proof.display().to_string();
    for (words, nodes) in [
        (&["solve", "domineering:4x5", "--no-knowledge"][..], "300"),
        (&["solve", "breakthrough:4x4"], "2k"),
        (&["solve", "connect-four:4x4"], "3k"),
        (&["solve", "hex:3", "--driver", "tree", "--scheme", "pp"], "50"),
        (&["solve", "nim:1,3,5"], "50"),
        (&["solve", "kalah:2,3"], "1k"),
        (&["solve", "gdl:rulesheets/chomp.kif"], "100"),
        (&["check", "hex:3", "omega(4)"], "20"),
    ] {
        let alone = answer(&[words, &["--json"]].concat());
        let more = ["--json", "--cluster", &url, "--inner-nodes", nodes, "--proof", &proof];
        let together = answer(&[words, &more].concat());
        for key in ["value", "holds", "winner"] {
            assert_eq!(together[key], alone[key], "{words:?}");
        }
        assert_eq!(together["proof"]["proved"], true, "{words:?}: {together}");
        let verified = run(&["verify", &proof]);
        assert!(verified.status.success(), "{words:?}");
    }
    let listed = run(&["cluster", "list", &url]);
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    assert_eq!(listed.lines().filter(|line| line.contains("finished")).count(), 8, "{listed}");
}

#[test]
fn a_solve_outlives_workers_the_server_and_its_coordinator() {
    let Some(mut machines) = Machines::start("killed", 2) else { return };
    let url = machines.url();
    let words = [
        "solve",
        "breakthrough:5x4",
        "--cluster",
        &url,
        "--name",
        "long",
        "--inner-nodes",
        "5k",
        "--progress",
        "never",
    ];
    let mut first = quiet(&words).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    // A worker, the server, and who coordinates.
    let _ = machines.workers[0].kill();
    machines.work();
    machines.restart();
    std::thread::sleep(Duration::from_millis(500));
    let over = first.try_wait().unwrap().is_some();
    let _ = first.kill();
    let _ = first.wait();
    if over {
        return;
    }
    let alone = answer(&["solve", "breakthrough:5x4", "--json"]);
    let together = answer(&["cluster", "resume", &url, "long", "--wait", "60s", "--json"]);
    assert_eq!(together["value"], alone["value"]);
    assert_eq!(together["proof"]["proved"], true, "{together}");
}

/// What can't be begun leaves nothing on the server, what used its budget goes on with another one, and what
/// is cancelled is over.
#[test]
fn solves_are_begun_resumed_and_cancelled_as_they_say() {
    let Some(machines) = Machines::start("words", 1) else { return };
    let url = machines.url();
    let said = |words: &[&str]| {
        let output = run(words);
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&text).into_owned())
    };
    for (words, reason) in [
        (&["solve", "goofspiel:4"][..], "joint moves"),
        (&["solve", "pig:20"], "chance"),
        (&["solve", "tic-tac-toe", "--metrics", "nowhere"], "nowhere"),
        (
            &["check", "chess", "#2", "--all", "-p", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"],
            "first moves",
        ),
        (&["solve", "tic-tac-toe", "--checkpoint", "c.ckpt"], "--checkpoint"),
    ] {
        let (code, text) = said(&[words, &["--cluster", &url]].concat());
        assert!(code == Some(2) && text.contains(reason), "{words:?}: {text}");
        assert!(!text.contains("goes on"), "{words:?}: {text}");
    }
    assert!(!said(&["cluster", "list", &url]).1.contains("without a coordinator"));
    // Out of budget, and on.
    let words =
        ["solve", "atari-go:4x4", "--inner-nodes", "2k", "--cluster", &url, "--name", "short"];
    let (code, text) = said(&[&words[..], &["--nodes", "5k"]].concat());
    assert!(code == Some(1) && text.contains("goes on"), "{text}");
    let (code, text) = said(&["cluster", "resume", &url, "short", "--nodes", "9k"]);
    assert!(code == Some(1) && text.contains("goes on"), "{text}");
    assert_eq!(said(&["cluster", "resume", &url, "short"]).0, Some(0));
    // One without a coordinator is removed.
    let (code, _) = said(&[&words[..7], &["gone", "--nodes", "5k"]].concat());
    assert_eq!(code, Some(1));
    assert!(said(&["cluster", "cancel", &url, "gone"]).1.contains("is removed"));
    let (_, listed) = said(&["cluster", "list", &url]);
    assert!(listed.contains("short") && !listed.contains("gone"), "{listed}");
    // One that runs ends, and nobody goes on with it.
    let mut long = Command::new(PROGRAM);
    let words =
        ["solve", "breakthrough:5x5", "--cluster", &url, "--name", "long", "--progress", "never"];
    let long = long.args(words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let began = Instant::now();
    while !said(&["cluster", "list", &url]).1.contains("long") {
        assert!(began.elapsed() < Duration::from_secs(30));
    }
    assert!(said(&["cluster", "cancel", &url, "long"]).1.contains("is asked to end"));
    let ended = long.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(text.contains("asked for the end") && !text.contains("goes on"), "{text}");
    assert!(!said(&["cluster", "list", &url]).1.contains("without a coordinator"));
}

#[test]
fn nobody_answers_is_said_with_the_address() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("nats://user:secret@127.0.0.1:{port}");
    let mut child = Command::new(PROGRAM)
        .args(["cluster", "list", &url])
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(2));
    assert!(said.contains(&port.to_string()) && !said.contains("secret"), "{said}");
}

#[test]
fn a_simulated_cluster_tells_what_grows() {
    let words = ["simulate-cluster", "breakthrough:4x4", "inner_nodes=500", "--workers", "1,8"];
    let output = run(&[&words[..], &["--speed", "20k", "--json"]].concat());
    let rows: Vec<serde_json::Value> = serde_json::from_slice(&output.stdout).unwrap();
    let number = |at: usize, key: &str| rows[at][key].as_f64().unwrap();
    assert_eq!(rows.len(), 2);
    assert!((number(0, "speed_up") - 1.0).abs() < 1e-9, "{rows:?}");
    assert!(number(1, "speed_up") > 1.0 && number(1, "efficiency") < 1.0, "{rows:?}");
}
