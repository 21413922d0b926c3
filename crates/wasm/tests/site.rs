//! What a worker does, without a browser: the desk behind it, and texts that are read by blocks.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use foregone::NoClock;
use foregone_desk::FailureKind;
use foregone_explorer::Text;
use foregone_wasm::{Blocks, Role, Site, Source};
use serde_json::Value;

/// A file that counts how often it is read.
struct File {
    bytes: Vec<u8>,
    reads: Arc<AtomicUsize>,
    /// How long it says that it is.
    says: u64,
}

impl File {
    fn new(bytes: Vec<u8>) -> (File, Arc<AtomicUsize>) {
        let reads = Arc::new(AtomicUsize::new(0));
        let says = bytes.len() as u64;
        (File { bytes, reads: Arc::clone(&reads), says }, reads)
    }
}

impl Source for File {
    fn len(&self) -> u64 {
        self.says
    }

    fn read(&self, from: u64, to: u64) -> io::Result<Vec<u8>> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        let end = self.bytes.len();
        Ok(self.bytes[(from as usize).min(end)..(to as usize).min(end)].to_vec())
    }
}

/// Bytes that tell where they stand.
fn numbered(count: usize) -> Vec<u8> {
    (0..count).map(|at| (at ^ (at >> 8) ^ (at >> 16)) as u8).collect()
}

#[test]
fn blocks_give_the_bytes_of_their_source_wherever_one_begins() {
    let bytes = numbered((3 << 20) + 17);
    let text = Blocks::new(File::new(bytes.clone()).0);
    assert_eq!(text.len(), bytes.len() as u64);
    let mut buffer = vec![0; 3000];
    for from in (0..bytes.len()).step_by(99_991).chain([(1 << 20) - 1, (2 << 20) - 1500]) {
        let mut read = Vec::new();
        while read.len() < buffer.len() {
            let at = (from + read.len()) as u64;
            let count = text.read_at(at, &mut buffer[read.len()..]).expect("it can be read");
            if count == 0 {
                break;
            }
            let from = read.len();
            read.extend_from_slice(&buffer[from..from + count]);
        }
        let end = (from + buffer.len()).min(bytes.len());
        assert!(read == bytes[from..end], "from {from}");
    }
    assert_eq!(text.read_at(bytes.len() as u64, &mut buffer).ok(), Some(0));
    assert_eq!(text.read_at(u64::MAX, &mut buffer).ok(), Some(0));
}

#[test]
fn small_reads_cost_one_read_of_the_source_for_each_block() {
    let (file, reads) = File::new(numbered(5 << 20));
    let text = Blocks::new(file);
    let mut buffer = [0; 4096];
    let mut at = 0;
    while at < text.len() {
        at += text.read_at(at, &mut buffer).expect("it can be read") as u64;
    }
    assert_eq!(reads.load(Ordering::Relaxed), 5);
    // Walks go back and forth between a few places.
    for at in (0..5).chain((0..5).rev()) {
        assert!(text.read_at(at << 20, &mut buffer).is_ok());
    }
    assert_eq!(reads.load(Ordering::Relaxed), 5);
}

#[test]
fn few_blocks_are_kept() {
    let (file, reads) = File::new(numbered(20 << 20));
    let text = Blocks::new(file);
    let mut buffer = [0; 16];
    for round in 1..=2 {
        for at in 0..20 {
            assert!(text.read_at(at << 20, &mut buffer).is_ok());
        }
        assert_eq!(reads.load(Ordering::Relaxed), round * 20);
    }
}

#[test]
fn a_file_that_has_changed_is_an_error() {
    let (mut file, _) = File::new(numbered(1000));
    file.says = 2000;
    let text = Blocks::new(file);
    assert!(text.read_at(0, &mut [0; 10]).is_err());
}

/// Work, and what it told.
fn work(site: &Site, work: &str) -> Vec<Value> {
    let mut told = Vec::new();
    site.work(work, &mut |event| told.push(event));
    told.iter().map(|event| serde_json::from_str(event).expect("events are JSON")).collect()
}

fn last(site: &Site, asked: &str) -> Value {
    work(site, asked).pop().expect("there is a last event")
}

/// A proof of a small game: its handle and its text.
fn proved(site: &Site) -> (Value, Vec<u8>) {
    let solved = last(site, r#"{"work":"solve","job":{"game":"nim:1,2,3"}}"#);
    assert_eq!(solved["event"], "solved", "{solved}");
    let proof = solved["proof"].clone();
    let name = proof["proof"].as_str().expect("it has a name");
    let text = site.part(name, 0).expect("it is kept");
    (proof, text)
}

#[test]
fn what_one_worker_proves_another_one_verifies_and_walks_through() {
    let (handle, text) = proved(&Site::new(NoClock, Role::Work));
    assert_eq!(handle["bytes"], text.len());
    let answers = Site::new(NoClock, Role::Answers);
    let open = |text: &[u8]| {
        let handle = answers.open(File::new(text.to_vec()).0).expect("it is taken");
        let handle: Value = serde_json::from_str(&handle).expect("it is JSON");
        handle["proof"].as_str().expect("it has a name").to_owned()
    };
    let proof = open(&text);
    let verify = |proof: &str| {
        last(&answers, &format!(r#"{{"work":"verify","proof":"{proof}"}}"#))["event"].clone()
    };
    assert_eq!(verify(&proof), "verified");
    let mut slices = 1;
    while !answers.index_more(&proof, 1).expect("it has an index") {
        slices += 1;
        assert!(slices < 10_000, "the index ends");
    }
    let body = format!(r#"{{"proof":"{proof}","certificate":0,"path":[]}}"#);
    let node: Value =
        serde_json::from_str(&answers.answer("node", &body).expect("there is a first node"))
            .expect("it is JSON");
    assert!(node["size"].as_u64().is_some_and(|size| size > 1), "{node}");
    let half = open(&text[..text.len() / 2]);
    assert_eq!(verify(&half), "refused");
}

#[test]
fn a_proof_is_handed_over_in_parts() {
    let site = Site::new(NoClock, Role::Answers);
    let bytes = numbered((9 << 20) + 5);
    let handle: Value =
        serde_json::from_str(&site.open(File::new(bytes.clone()).0).expect("it is taken"))
            .expect("it is JSON");
    let proof = handle["proof"].as_str().expect("it has a name");
    let mut read = Vec::new();
    loop {
        let part = site.part(proof, read.len() as u64).expect("it is kept");
        if part.is_empty() {
            break;
        }
        read.extend(part);
    }
    assert!(read == bytes);
    assert_eq!(site.part("none", 0).err().map(|f| f.kind), Some(FailureKind::Gone));
}

#[test]
fn a_file_larger_than_is_taken_is_refused_without_being_read() {
    struct Huge(AtomicU64);
    impl Source for Huge {
        fn len(&self) -> u64 {
            5 << 30
        }
        fn read(&self, from: u64, to: u64) -> io::Result<Vec<u8>> {
            self.0.fetch_add(to - from, Ordering::Relaxed);
            Err(io::Error::other("nobody reads it"))
        }
    }
    let site = Site::new(NoClock, Role::Answers);
    let refused = site.open(Huge(AtomicU64::new(0))).err();
    assert_eq!(refused.map(|failure| failure.kind), Some(FailureKind::Limit));
}

#[test]
fn a_worker_says_what_a_browser_allows() {
    let site = Site::new(NoClock, Role::Answers);
    let words: Value =
        serde_json::from_str(&site.answer("words", "{}").expect("there are words")).expect("JSON");
    assert_eq!(words["limits"]["bytes"], 1_500_000_000_u64);
    assert_eq!(words["limits"]["jobs"], 1);
    assert_eq!(words["limits"]["pauses"], false);
}

#[test]
fn work_that_can_t_be_read_is_a_last_event_and_no_panic() {
    let site = Site::new(NoClock, Role::Work);
    for asked in ["", "null", "{}", r#"{"work":"dance"}"#, r#"{"work":"solve"}"#] {
        let told = work(&site, asked);
        assert_eq!(told.len(), 1, "{asked}");
        assert_eq!(told[0]["event"], "failed");
        assert_eq!(told[0]["failure"]["kind"], "input");
    }
    let told = last(&site, r#"{"work":"verify","proof":"7"}"#);
    assert_eq!(told["failure"]["kind"], "gone");
}
