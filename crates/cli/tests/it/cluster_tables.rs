//! Tables by several machines, with a real NATS server: the same bytes, whoever is killed or lies.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use foregone::SystemClock;
use foregone::tables::{BuildSettings, TableHelper, TableSetup, TableStore};
use foregone_cluster::{Connect, Handler, SolveInfo, Store, Worker, WorkerInfo, WorkerOptions};
use serde_json::Value;

use crate::cluster::{Machines, answer, quiet, run};

/// All files below a folder, and what is in them.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            all.extend(files(&entry.path()).into_iter().map(|(at, b)| (format!("{name}/{at}"), b)));
        } else if let Ok(bytes) = fs::read(entry.path()) {
            all.insert(name, bytes);
        }
    }
    all
}

fn soon(what: &str, mut is: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is() {
        assert!(began.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn tables_by_workers_are_those_of_one_machine() {
    let Some(mut machines) = Machines::start("tables", 2) else { return };
    let url = machines.url();
    let (alone, together) = (machines.folder.join("alone"), machines.folder.join("together"));
    let dirs = [&alone, &together].map(|dir| dir.display().to_string());
    for (words, tables) in [
        (&["chess:3"][..], 6),
        (&["kalah:3,2"], 12),
        (&["dominoes:3,2,1,draw"], 4),
        (&["dobutsu-shogi:LC"], 3),
        // Their positions are listed: one class.
        (&["tic-tac-toe"], 1),
        (&["gdl:rulesheets/chomp.kif"], 1),
    ] {
        let words = [&["table", "build"], words, &["--json", "--dir"]].concat();
        let local = answer(&[&words[..], &[&dirs[0]]].concat());
        let built = answer(&[&words[..], &[&dirs[1], "--cluster", &url]].concat());
        assert_eq!(built["complete"], true, "{words:?}");
        assert_eq!(built["tables"].as_array().map(Vec::len), Some(tables), "{words:?}");
        for key in ["class", "positions", "numbers", "bytes"] {
            let of = |answer: &Value| -> Vec<Value> {
                answer["tables"].as_array().unwrap().iter().map(|t| t[key].clone()).collect()
            };
            assert_eq!(of(&built), of(&local), "{words:?}");
        }
        assert!(built["tables"][0]["seconds"].is_number(), "{built}");
        assert_eq!(files(&together), files(&alone), "{words:?}");
        // What is there is not built again.
        let again = answer(&[&words[..], &[&dirs[1], "--cluster", &url]].concat());
        assert!(again["tables"].as_array().unwrap().iter().all(|t| t["seconds"].is_null()));
    }
    let listed = run(&["cluster", "list", &url]);
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    assert_eq!(listed.lines().filter(|line| line.contains("finished")).count(), 6, "{listed}");
    // Workers leave nothing behind.
    let scratch = |folder: &Path| -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let names = names.map(|name| name.to_string_lossy().into_owned());
        names.filter(|name| name.starts_with("foregone-worker-")).collect()
    };
    assert!(!scratch(&machines.folder).is_empty());
    for worker in &mut machines.workers {
        let _ = Command::new("kill").arg(worker.id().to_string()).status();
        let _ = worker.wait();
    }
    assert_eq!(scratch(&machines.folder), Vec::<String>::new());
}

#[test]
fn a_build_outlives_its_workers_and_its_coordinator() {
    let Some(mut machines) = Machines::start("tables-killed", 1) else { return };
    let url = machines.url();
    let (alone, together) = (machines.folder.join("alone"), machines.folder.join("together"));
    let [alone_dir, dir] = [&alone, &together].map(|dir| dir.display().to_string());
    let words = ["table", "build", "awari", "9", "--dir", &dir, "--json", "--progress", "never"];
    let words = [&words[..], &["--cluster", &url, "--silence", "4s"]].concat();
    let mut first = quiet(&words).spawn().unwrap();
    soon("a first table", || files(&together).contains_key("awari_6,4/5.table"));
    // As kill -9 does: who works at a class, and who coordinates.
    let _ = machines.workers[0].kill();
    let _ = first.kill();
    let _ = first.wait();
    let there: Vec<String> =
        files(&together).into_keys().filter(|name| name.ends_with(".table")).collect();
    assert!(there.len() < 10, "{there:?}");
    machines.work();
    let mut second = quiet(&words).stdout(Stdio::piped()).spawn().unwrap();
    // This time the coordinator lives, and a worker is killed with a class that another one gets.
    soon("a later table", || files(&together).contains_key("awari_6,4/8.table"));
    let _ = machines.workers[1].kill();
    machines.work();
    let out = second.stdout.take().map(std::io::read_to_string).unwrap().unwrap();
    assert_eq!(second.wait().unwrap().code(), Some(0));
    let built: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(built["complete"], true, "{built}");
    for table in built["tables"].as_array().unwrap() {
        let name = format!("awari_6,4/{}.table", table["class"].as_str().unwrap());
        assert_eq!(table["seconds"].is_null(), there.contains(&name), "{table}");
    }
    answer(&["table", "build", "awari", "9", "--dir", &alone_dir, "--json"]);
    assert_eq!(files(&together), files(&alone));
}

/// A worker whose files are damaged.
struct Liar(BTreeMap<String, TableHelper>);

struct Damaging<'a>(&'a Store<'a>);

impl TableStore for Damaging<'_> {
    fn get(&mut self, name: &str, most: usize) -> Result<Vec<u8>, String> {
        self.0.get(name, most).unwrap().ok_or_else(|| name.to_owned())
    }

    fn put(&mut self, name: &str, mut bytes: Vec<u8>) -> Result<(), String> {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        self.0.put(name, bytes).map_err(|e| e.to_string())
    }
}

impl Handler for Liar {
    fn setup(&mut self, solve: &SolveInfo, setup: &[u8]) -> Result<(), String> {
        let mut setup: Value = serde_json::from_slice(setup).unwrap();
        let setup: TableSetup = serde_json::from_value(setup["tables"].take()).unwrap();
        let name = format!("foregone-liar-{}-{}", solve.id, std::process::id());
        let settings =
            BuildSettings { dir: std::env::temp_dir().join(name), ..BuildSettings::default() };
        let helper = TableHelper::new(setup, settings, 1 << 30, SystemClock::new()).unwrap();
        self.0.insert(solve.id.clone(), helper);
        Ok(())
    }

    fn work(
        &mut self,
        solve: &str,
        payload: &[u8],
        store: &Store<'_>,
        _: &mut dyn FnMut(Vec<u8>),
        _: &AtomicBool,
    ) -> Result<Vec<u8>, String> {
        let helper = self.0.get_mut(solve).unwrap();
        helper.work(payload, &mut Damaging(store), &mut || false)
    }

    fn forget(&mut self, solve: &str) {
        if let Some(helper) = self.0.remove(solve) {
            let _ = fs::remove_dir_all(helper.folder());
        }
    }
}

#[test]
fn a_worker_with_a_damaged_table_is_named_and_shut_out() {
    let Some(mut machines) = Machines::start("tables-liar", 0) else { return };
    let (url, connect) = (machines.url(), Connect::new(machines.url()));
    let (alone, together) = (machines.folder.join("alone"), machines.folder.join("together"));
    let [alone_dir, dir] = [&alone, &together].map(|dir| dir.display().to_string());
    let words = ["table", "build", "dobutsu-shogi:LC", "--dir", &dir, "--cluster", &url];
    let words = [&words[..], &["--progress", "never"]].concat();
    let child = quiet(&words).stderr(Stdio::piped()).spawn().unwrap();
    let mut solves = Vec::new();
    soon("the solve", || {
        solves = foregone_cluster::list(&connect).unwrap_or_default();
        !solves.is_empty()
    });
    let version = solves[0].info.version.clone();
    let options = WorkerOptions::new(WorkerInfo { version, name: "liar".to_owned(), cores: 1 });
    let stop = Arc::clone(&options.stop);
    let liar = std::thread::spawn(move || {
        Worker::run(&connect, options, vec![Liar(BTreeMap::new())]).unwrap();
    });
    soon("the liar is found", || {
        let status = run(&["cluster", "status", &url]);
        String::from_utf8_lossy(&status.stdout).contains("shut out   liar-")
    });
    assert!(files(&together).keys().all(|name| !name.ends_with(".table")));
    machines.work();
    let output = child.wait_with_output().unwrap();
    stop.store(true, Ordering::Relaxed);
    liar.join().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("the worker liar-") && said.contains("is shut out"), "{said}");
    answer(&["table", "build", "dobutsu-shogi:LC", "--dir", &alone_dir, "--json"]);
    assert_eq!(files(&together), files(&alone));
}
