//! Arrays mapped into memory.

use std::io::{BufRead as _, BufReader, ErrorKind};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;

use super::Scratch;
use crate::{Cells, Width, WorkFile};

/// Names the file of the child of a test.
const CHILD: &str = "FOREGONE_TABLES_CHILD";

fn one(file: &WorkFile) -> &[std::sync::atomic::AtomicU8] {
    match file.cells() {
        Cells::One(cells) => cells,
        Cells::Two(_) => panic!("two bytes"),
    }
}

fn two(file: &WorkFile) -> &[std::sync::atomic::AtomicU16] {
    match file.cells() {
        Cells::Two(cells) => cells,
        Cells::One(_) => panic!("one byte"),
    }
}

#[test]
fn cells_are_kept() {
    let scratch = Scratch::new();
    let path = scratch.file("a.work");
    let file = WorkFile::open(&path, 100_001, Width::One).unwrap();
    assert_eq!(file.cells().len(), 100_001);
    assert!(one(&file).iter().all(|cell| cell.load(Ordering::Relaxed) == 0));
    one(&file)[100_000].store(255, Ordering::Relaxed);
    one(&file)[1].fetch_add(7, Ordering::Relaxed);
    file.flush().unwrap();
    drop(file);
    let file = WorkFile::open(&path, 100_001, Width::One).unwrap();
    assert_eq!(one(&file)[100_000].load(Ordering::Relaxed), 255);
    assert_eq!(one(&file)[1].load(Ordering::Relaxed), 7);
    let path = scratch.file("b.work");
    let file = WorkFile::open(&path, 1000, Width::Two).unwrap();
    assert_eq!(file.cells().len(), 1000);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let cells = two(&file);
            scope.spawn(move || {
                for cell in &cells[thread * 250..][..250] {
                    cell.store(60_000 + thread as u16, Ordering::Relaxed);
                }
            });
        }
    });
    drop(file);
    let file = WorkFile::open(&path, 1000, Width::Two).unwrap();
    for (index, cell) in two(&file).iter().enumerate() {
        assert_eq!(cell.load(Ordering::Relaxed), 60_000 + (index / 250) as u16);
    }
    for width in [Width::One, Width::Two] {
        let file = WorkFile::open(&scratch.file("empty.work"), 0, width).unwrap();
        assert!(file.cells().is_empty());
        file.flush().unwrap();
    }
}

#[test]
fn files_of_another_size_are_refused_by_name() {
    let scratch = Scratch::new();
    let path = scratch.file("a.work");
    drop(WorkFile::open(&path, 1000, Width::One).unwrap());
    for (cells, width) in [(999, Width::One), (1000, Width::Two), (0, Width::One)] {
        let error = WorkFile::open(&path, cells, width).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidData);
        assert!(error.to_string().contains("a.work: the file has 1000 bytes"), "{error}");
    }
    assert!(WorkFile::open(&scratch.file("b.work"), u64::MAX, Width::Two).is_err());
    let missing = WorkFile::open(&scratch.file("no/c.work"), 1, Width::One).unwrap_err();
    assert!(missing.to_string().contains("c.work"), "{missing}");
}

#[test]
fn one_build_at_a_time() {
    let scratch = Scratch::new();
    let path = scratch.file("a.work");
    let file = WorkFile::open(&path, 1000, Width::One).unwrap();
    let error = WorkFile::open(&path, 1000, Width::One).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WouldBlock);
    assert!(error.to_string().contains("a.work: another process"), "{error}");
    drop(file);
    WorkFile::open(&path, 1000, Width::One).unwrap();
}

/// Not a test by itself: what [`killed_builds_leave_all_they_stored`] kills.
#[test]
fn child() {
    let Some(path) = std::env::var_os(CHILD) else { return };
    let file = WorkFile::open(Path::new(&path), 1 << 20, Width::Two).unwrap();
    for (index, cell) in two(&file).iter().enumerate() {
        cell.store(index as u16 ^ 0x5555, Ordering::Relaxed);
    }
    println!("\nstored");
    std::thread::park();
}

#[test]
fn killed_builds_leave_all_they_stored() {
    let scratch = Scratch::new();
    let path = scratch.file("a.work");
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["tests::work::child", "--exact", "--nocapture"])
        .env(CHILD, &path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.map(|line| line.unwrap()).any(|line| line == "stored"));
    let error = WorkFile::open(&path, 1 << 20, Width::Two).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WouldBlock, "{error}");
    // By SIGKILL, where there are signals.
    child.kill().unwrap();
    child.wait().unwrap();
    let file = WorkFile::open(&path, 1 << 20, Width::Two).unwrap();
    for (index, cell) in two(&file).iter().enumerate() {
        assert_eq!(cell.load(Ordering::Relaxed), index as u16 ^ 0x5555);
    }
}
