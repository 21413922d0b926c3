//! Tests of files as a whole, and what they share.

mod codec;
mod damage;
mod files;
mod work;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, Ordering};

use foregone_model::Rng;

use crate::write::write_with;
use crate::{Cells, Header, Loaded, Width};

/// A folder that is gone when the test is.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Scratch {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("foregone-tables-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A table in memory.
#[derive(Clone)]
struct Table {
    header: Header,
    planes: Vec<Loaded>,
    texts: Option<Vec<String>>,
}

impl Table {
    /// A table without texts.
    fn new(planes: Vec<Loaded>) -> Table {
        let (size, width) = match &planes[0] {
            Loaded::One(cells) => (cells.len(), Width::One),
            Loaded::Two(cells) => (cells.len(), Width::Two),
        };
        let header = Header {
            game: "chess:Überzug".to_owned(),
            rules: "1 sha256:00ff".to_owned(),
            class: "KQ KR".to_owned(),
            size: size as u64,
            width,
            planes: (0..planes.len() as u16).map(|plane| (plane, plane + 1)).collect(),
            counts: vec![("win in 3".to_owned(), u64::MAX), (String::new(), 0)],
            least: 7,
            rests_on: vec![("K K".to_owned(), "abc".to_owned()), ("KQ".to_owned(), String::new())],
            texts: false,
        };
        Table { header, planes, texts: None }
    }

    fn with_texts(mut self, texts: Vec<String>) -> Table {
        self.header.texts = true;
        self.texts = Some(texts);
        self
    }

    /// Writes it with so many threads. Says the digest.
    fn write(&self, path: &Path, threads: usize) -> String {
        let mut texts = self.texts.iter().flatten().cloned();
        let texts = self.texts.is_some().then_some(&mut texts as &mut dyn Iterator<Item = String>);
        let ones: Vec<Vec<AtomicU8>> = self
            .planes
            .iter()
            .filter_map(|plane| match plane {
                Loaded::One(cells) => Some(cells.iter().map(|&cell| AtomicU8::new(cell)).collect()),
                Loaded::Two(_) => None,
            })
            .collect();
        let twos: Vec<Vec<AtomicU16>> = self
            .planes
            .iter()
            .filter_map(|plane| match plane {
                Loaded::Two(cells) => {
                    Some(cells.iter().map(|&cell| AtomicU16::new(cell)).collect())
                }
                Loaded::One(_) => None,
            })
            .collect();
        let planes: Vec<Cells<'_>> = ones
            .iter()
            .map(|cells| Cells::One(cells))
            .chain(twos.iter().map(|cells| Cells::Two(cells)))
            .collect();
        write_with(threads, path, &self.header, &planes, texts, &mut |_| true).unwrap().unwrap()
    }
}

/// Cells much as those of a real table: long runs, two kinds of distances in turn, and noise.
fn cells(rng: &mut Rng, size: usize, values: u32) -> Vec<u16> {
    let mut cells = Vec::with_capacity(size);
    while cells.len() < size {
        let length = 1 + rng.below(700) as usize;
        let base = rng.below(values);
        let kind = rng.below(4);
        for at in 0..length.min(size - cells.len()) {
            let value = match kind {
                0 => base,
                1 => base + at as u32 % 2,
                2 => base + rng.below(4),
                _ => rng.below(values),
            };
            cells.push(value.min(values - 1) as u16);
        }
    }
    cells
}

fn one(cells: &[u16]) -> Loaded {
    Loaded::One(cells.iter().map(|&cell| u8::try_from(cell).unwrap()).collect())
}
