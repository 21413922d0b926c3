//! Tables that a crew builds: the same bytes as here, whatever some of the crew send.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicU8;
use std::time::Duration;

use foregone::crew::{Crew, CrewNews};
use foregone::model::{Game, Notation, Turn};
use foregone::tables::{
    self, BuildAnswer, BuildSettings, TableCrew, TableHelper, TableSetup, TableStore,
};
use foregone::{Cancel, Context, Engine, NoClock, Stop};
use foregone_tables::{Cells, TableFile};
use serde_json::{Value, json};

use crate::tables::{
    Folder, build, erased, open, with_changed_cell, with_exchanged_cells, with_header,
};

type Parts = BTreeMap<String, Vec<u8>>;

/// What a worker does to the file of a class that it has made, and to what it says of it.
type Lie = fn(&Path, &mut Value);

struct Member {
    name: &'static str,
    helper: TableHelper,
    folder: Folder,
    lie: Option<Lie>,
}

/// A crew in this process: each job is done when it is waited for, by one after the other.
struct InTurn {
    members: Vec<Member>,
    turn: usize,
    jobs: VecDeque<(u64, Vec<u8>)>,
    offered: Parts,
    put: BTreeMap<String, Parts>,
    refused: Vec<(String, String)>,
    kept: BTreeSet<u64>,
    /// The class of each job that was handed out.
    handed: BTreeMap<u64, String>,
    /// It is to end after so many jobs.
    ends: Option<usize>,
}

struct Shelf<'a> {
    offered: &'a Parts,
    put: &'a mut Parts,
}

impl TableStore for Shelf<'_> {
    fn get(&mut self, name: &str, most: usize) -> Result<Vec<u8>, String> {
        let found = self.offered.get(name).filter(|bytes| bytes.len() <= most);
        found.cloned().ok_or_else(|| format!("{name} is not there"))
    }

    fn put(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), String> {
        self.put.insert(name.to_owned(), bytes);
        Ok(())
    }
}

impl InTurn {
    fn new(game: &str, classes: &str, lies: &[(&'static str, Option<Lie>)]) -> InTurn {
        let member = |&(name, lie): &(&'static str, Option<Lie>)| {
            let folder = Folder::new();
            let (game, classes) = (game.to_owned(), classes.to_owned());
            let setup = TableSetup { game, classes, files: BTreeMap::new() };
            let dir = folder.path().to_owned();
            let settings = BuildSettings { dir, ..BuildSettings::default() };
            let helper = TableHelper::new(setup, settings, 1 << 30, NoClock).unwrap();
            Member { name, helper, folder, lie }
        };
        InTurn {
            members: lies.iter().map(member).collect(),
            turn: 0,
            jobs: VecDeque::new(),
            offered: Parts::new(),
            put: BTreeMap::new(),
            refused: Vec::new(),
            kept: BTreeSet::new(),
            handed: BTreeMap::new(),
            ends: None,
        }
    }

    /// One job, by the next member.
    fn work(&mut self, number: u64, task: &[u8]) -> CrewNews {
        let good = |m: &&mut Member| self.refused.iter().all(|(name, _)| name != m.name);
        let count = self.members.len();
        self.turn += 1;
        let mut members: Vec<&mut Member> = self.members.iter_mut().collect();
        members.rotate_left(self.turn % count);
        let member = members.into_iter().find(good).unwrap();
        let (worker, lie) = (member.name.to_owned(), member.lie);
        let put = self.put.entry(worker.clone()).or_default();
        let mut shelf = Shelf { offered: &self.offered, put: &mut *put };
        let bytes = member.helper.work(task, &mut shelf, &mut || false).unwrap();
        let Some(lie) = lie else { return CrewNews::Done { number, worker, bytes } };
        let mut said: Value = serde_json::from_slice(&bytes).unwrap();
        let part = format!("table/{}/0", said["class"].as_str().unwrap());
        let path = member.folder.path().join("lie");
        fs::write(&path, &put[&part]).unwrap();
        lie(&path, &mut said);
        put.insert(part, fs::read(&path).unwrap());
        CrewNews::Done { number, worker, bytes: said.to_string().into_bytes() }
    }
}

impl Crew for InTurn {
    fn places(&mut self) -> usize {
        1
    }

    fn submit(&mut self, number: u64, task: Vec<u8>) {
        let read: Value = serde_json::from_slice(&task).unwrap();
        self.handed.insert(number, read["class"].as_str().unwrap().to_owned());
        // One that is open already is not handed out twice.
        if self.jobs.iter().all(|(open, _)| *open != number) {
            self.jobs.push_back((number, task));
        }
    }

    fn wait(&mut self, _: Duration) -> Vec<CrewNews> {
        if self.ends == Some(self.turn) {
            return vec![CrewNews::Stop(Stop::Interrupted)];
        }
        match self.jobs.pop_front() {
            // A result that nobody asked for, and the same one twice, change nothing.
            Some((number, task)) => {
                let news = self.work(number, &task);
                let stray = CrewNews::Done { number: 999, worker: "?".to_owned(), bytes: vec![] };
                vec![CrewNews::Lost { number: 998 }, stray, news.clone(), news]
            }
            None => Vec::new(),
        }
    }

    fn cancel(&mut self, _: u64) {}

    fn refuse(&mut self, worker: &str, why: &str) {
        if self.refused.iter().all(|(name, _)| name != worker) {
            self.refused.push((worker.to_owned(), why.to_owned()));
        }
    }

    fn keep(&mut self, number: u64, _: &[u8]) {
        assert!(self.kept.insert(number));
    }

    fn kept(&mut self, _: u32) -> Vec<(u64, Vec<u8>)> {
        Vec::new()
    }
}

impl TableCrew for InTurn {
    fn offer(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), String> {
        // Only what was verified may be rested on.
        let class = name.split('/').nth(1).unwrap();
        let number = self.handed.iter().find(|(_, handed)| *handed == class).map(|(n, _)| *n);
        assert!(number.is_none_or(|number| self.kept.contains(&number)), "{name}");
        self.offered.insert(name.to_owned(), bytes);
        Ok(())
    }

    fn withdraw(&mut self, name: &str) {
        assert!(self.offered.remove(name).is_some());
    }

    fn collect(&mut self, worker: &str, name: &str, most: usize) -> Result<Vec<u8>, String> {
        let found = self.put.get(worker).and_then(|parts| parts.get(name));
        let found = found.filter(|bytes| bytes.len() <= most);
        found.cloned().ok_or_else(|| format!("{name} of {worker} is not there"))
    }

    fn discard(&mut self, worker: &str, name: &str) {
        if let Some(parts) = self.put.get_mut(worker) {
            parts.remove(name);
        }
    }
}

fn build_by(game: &str, classes: &str, dir: &Path, crew: &mut InTurn) -> BuildAnswer {
    let settings = BuildSettings { dir: dir.to_owned(), ..BuildSettings::default() };
    let (engine, cancel, mut observer) = (Engine::default(), Cancel::new(), ());
    let mut context = Context::new(engine.clock(), &mut observer, &cancel);
    tables::build_by(&open(game), classes, &settings, Some(crew), &mut context).unwrap()
}

/// The files of a folder of tables.
fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let folders = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let files = folders.flat_map(|folder| fs::read_dir(folder).unwrap());
    let named = |path: std::path::PathBuf| (path.display().to_string(), fs::read(&path).unwrap());
    files
        .map(|entry| named(entry.unwrap().path()))
        .map(|(name, bytes)| (name.rsplit('/').next().unwrap().to_owned(), bytes))
        .collect()
}

/// Says of a file what is so.
fn say(path: &Path, said: &mut Value) {
    let file = TableFile::open(path).unwrap();
    (said["bytes"], said["digest"]) = (json!(file.bytes()), json!(file.digest()));
}

const LIES: [(&str, Lie); 8] = [
    // Only the rules tell that this is wrong.
    ("two values exchanged", |path, said| {
        if said["class"] == "KRK" {
            with_exchanged_cells(path);
            say(path, said);
        }
    }),
    ("another value", |path, said| {
        let size = TableFile::open(path).unwrap().header().size;
        with_changed_cell(path, size / 2, |cell| cell ^ 1);
        say(path, said);
    }),
    ("another count", |path, said| {
        with_header(path, |header| header.counts[0].1 += 1);
        say(path, said);
    }),
    ("another class", |path, said| {
        with_header(path, |header| header.class = "KQK".to_owned());
        say(path, said);
    }),
    ("a flipped bit", |path, _| {
        let mut bytes = fs::read(path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
        fs::write(path, bytes).unwrap();
    }),
    ("half a file", |path, said| {
        let bytes = fs::read(path).unwrap();
        fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
        said["bytes"] = json!(bytes.len() / 2);
    }),
    ("too much", |_, said| said["bytes"] = json!(u64::MAX)),
    ("nonsense", |_, said| *said = json!({"path": "/etc/passwd"})),
];

#[test]
fn tables_by_a_crew_are_the_same_and_lies_are_found() {
    let alone = Folder::new();
    assert!(build(&open("chess"), "KRK", alone.path()).unwrap().complete);
    for (what, lie) in LIES {
        let folder = Folder::new();
        // The liar's turn comes with the second class, KRK.
        let mut crew =
            InTurn::new("chess", "KRK", &[("honest", None), ("other", None), ("liar", Some(lie))]);
        let answer = build_by("chess", "KRK", folder.path(), &mut crew);
        assert!(answer.complete, "{what}");
        assert_eq!(answer.tables.len(), 2, "{what}");
        let refused: Vec<&str> = crew.refused.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(refused, ["liar"], "{what}: {:?}", crew.refused);
        assert_eq!(files(folder.path()), files(alone.path()), "{what}");
        // Nothing is left where the crew and we exchange files.
        assert!(crew.offered.is_empty(), "{what}");
        assert!(crew.put.iter().all(|(name, parts)| name == "liar" || parts.is_empty()), "{what}");
    }
}

#[test]
fn a_list_without_the_start_is_refused() {
    // One position that is over: all that is said of it is true.
    let lie: Lie = |path, said| {
        let (game, file) = (open("tic-tac-toe"), TableFile::open(path).unwrap());
        let game = erased(&game);
        let is_over = |index: &u64| {
            let s = game.read_position(&file.text(*index).unwrap()).unwrap();
            game.turn(&s) == Turn::Over
        };
        let index = (0..file.header().size).find(is_over).unwrap();
        let text = file.text(index).unwrap();
        let outcome = game.outcome(&game.read_position(&text).unwrap());
        let mut header = file.header().clone();
        header.size = 1;
        header.counts = vec![(game.scale().name(outcome).to_owned(), 1)];
        let cell = [AtomicU8::new(file.cell(0, index).unwrap() as u8)];
        let mut texts = [text].into_iter();
        let written = foregone_tables::write(
            path,
            &header,
            &[Cells::One(&cell)],
            Some(&mut texts),
            &mut |_| true,
        );
        written.unwrap().unwrap();
        say(path, said);
    };
    let (alone, folder) = (Folder::new(), Folder::new());
    build(&open("tic-tac-toe"), "", alone.path()).unwrap();
    let mut crew = InTurn::new("tic-tac-toe", "", &[("honest", None), ("liar", Some(lie))]);
    assert!(build_by("tic-tac-toe", "", folder.path(), &mut crew).complete);
    let without_start = "a list without the start of the game";
    assert_eq!(crew.refused, [("liar".to_owned(), without_start.to_owned())]);
    assert_eq!(files(folder.path()), files(alone.path()));
}

#[test]
fn a_build_by_a_crew_goes_on_where_it_was_ended() {
    for (game, classes) in [("dominoes:3,2,1,draw", ""), ("awari", "4"), ("tic-tac-toe", "")] {
        let (alone, folder) = (Folder::new(), Folder::new());
        build(&open(game), classes, alone.path()).unwrap();
        let members = [("one", None), ("two", None)];
        let mut there = 0;
        for ends in [Some(0), Some(2), None] {
            let mut crew = InTurn::new(game, classes, &members);
            crew.ends = ends;
            let answer = build_by(game, classes, folder.path(), &mut crew);
            let was_there = answer.tables.iter().filter(|table| table.seconds.is_none());
            assert_eq!(was_there.count(), there, "{game}");
            assert_eq!(crew.kept.len(), answer.tables.len() - there, "{game}");
            there = answer.tables.len();
            if ends.is_none() {
                assert!(answer.complete, "{game}");
            }
        }
        assert_eq!(files(folder.path()), files(alone.path()), "{game}");
    }
}

#[test]
fn a_task_names_nothing_but_a_class_and_takes_no_more_than_is_allowed() {
    let folder = Folder::new();
    let setup = |classes: &str| TableSetup {
        game: "chess".to_owned(),
        classes: classes.to_owned(),
        files: BTreeMap::new(),
    };
    let settings = BuildSettings { dir: folder.path().to_owned(), ..BuildSettings::default() };
    let mut helper = TableHelper::new(setup("KRK"), settings.clone(), 100_000, NoClock).unwrap();
    let (offered, mut put) = (Parts::new(), Parts::new());
    let mut shelf = Shelf { offered: &offered, put: &mut put };
    let below = json!([{"class": "KK", "bytes": 198, "digest": "00"}]);
    let other = json!([{"class": "../KK", "bytes": 198, "digest": "00"}]);
    for (task, why) in [
        (json!({"class": "../../KK", "below": []}), "no class"),
        (json!({"class": "KQK", "below": below}), "no class"),
        (json!({"class": "KRK", "below": []}), "other classes"),
        (json!({"class": "KRK", "below": other}), "other classes"),
        (json!({"class": "KRK", "below": below}), "on the disk"),
        (json!({"class": "KK", "below": [], "path": "/etc/passwd"}), "can't be read"),
    ] {
        let error = helper.work(task.to_string().as_bytes(), &mut shelf, &mut || false);
        let error = error.unwrap_err();
        assert!(error.contains(why), "{task}: {error}");
    }
    let mut helper = TableHelper::new(setup("KRK"), settings.clone(), 1 << 20, NoClock).unwrap();
    let task = json!({"class": "KRK", "below": below}).to_string();
    let error = helper.work(task.as_bytes(), &mut shelf, &mut || false).unwrap_err();
    assert!(error.contains("is not there"), "{error}");
    // A file is of no use as a game: nothing is read from a disk.
    let mut file = setup("");
    file.game = concat!("explicit:", env!("CARGO_MANIFEST_DIR"), "/../../examples/loop-wins.game")
        .to_owned();
    assert!(TableHelper::new(file, settings, 1 << 20, NoClock).is_err());
    assert!(!folder.path().join("KK.table").exists());
}
