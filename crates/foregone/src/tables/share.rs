//! What passes between who hands out classes and who builds them: jobs, and files in parts.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use foregone_games::erased::Erased;
use foregone_tables::{TableFile, Unfinished};
use serde::{Deserialize, Serialize};

use super::build::Step;
use super::{io_error, unreadable};
use crate::crew::Crew;
use crate::error::Error;

/// What a helper needs to begin: what is built, and the texts of the files that the game names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableSetup {
    /// The game: `name` or `name:options`.
    pub game: String,
    /// The classes, as a person means them.
    pub classes: String,
    /// The texts of files, by the paths that the game names. Nothing is read from a disk.
    pub files: BTreeMap<String, String>,
}

/// A crew that builds tables, and what lies between it and who hands them out: parts of files, by names
/// that this library makes.
pub trait TableCrew: Crew {
    /// Puts a part of a file where the whole crew finds it.
    fn offer(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), String>;

    /// Nobody needs this part any more.
    fn withdraw(&mut self, name: &str);

    /// A part that a worker put there, if it has no more bytes than this.
    fn collect(&mut self, worker: &str, name: &str, most: usize) -> Result<Vec<u8>, String>;

    /// Nobody needs this part of a worker any more.
    fn discard(&mut self, worker: &str, name: &str);
}

/// What a helper finds and leaves there.
pub trait TableStore {
    /// A part that was offered, if it has no more bytes than this.
    fn get(&mut self, name: &str, most: usize) -> Result<Vec<u8>, String>;

    /// Puts a part of a file there, for who hands out the classes.
    fn put(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), String>;
}

/// How many bytes a part has, all but the last one.
const PART: u64 = 32 << 20;

/// A job: a class, and the tables that it rests on.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Task {
    pub(super) class: String,
    pub(super) below: Vec<Piece>,
}

/// A table: which one, and its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Piece {
    pub(super) class: String,
    pub(super) bytes: u64,
    pub(super) digest: String,
}

impl Piece {
    pub(super) fn of(file: &TableFile) -> Piece {
        let (class, digest) = (file.header().class.clone(), file.digest().to_owned());
        Piece { class, bytes: file.bytes(), digest }
    }

    /// The names of the parts of its file, and how many bytes each has.
    pub(super) fn parts(&self) -> impl Iterator<Item = (String, u64)> + use<'_> {
        let name = |part: u64| format!("table/{}/{part}", self.class);
        let length = |part: u64| PART.min(self.bytes - part * PART);
        (0..self.bytes.div_ceil(PART)).map(move |part| (name(part), length(part)))
    }

    /// Reads the file, part by part.
    pub(super) fn send(
        &self,
        path: &Path,
        mut put: impl FnMut(&str, Vec<u8>) -> Result<(), String>,
    ) -> Result<(), String> {
        let unread = |e: &std::io::Error| io_error(path, "read", e).to_string();
        let mut file = File::open(path).map_err(|e| unread(&e))?;
        for (name, length) in self.parts() {
            let mut bytes = vec![0; length as usize];
            file.read_exact(&mut bytes).map_err(|e| unread(&e))?;
            put(&name, bytes)?;
        }
        Ok(())
    }

    /// Writes the file, part by part.
    pub(super) fn receive(
        &self,
        path: &Path,
        mut get: impl FnMut(&str, usize) -> Result<Vec<u8>, String>,
    ) -> Result<Unfinished, NotReceived> {
        let unwritten = |e| NotReceived::Here(unreadable(e));
        let mut file = Unfinished::create(path).map_err(unwritten)?;
        for (name, length) in self.parts() {
            let bytes = get(&name, length as usize).map_err(NotReceived::There)?;
            if bytes.len() as u64 != length {
                let message = format!("{name} has {} bytes instead of {length}", bytes.len());
                return Err(NotReceived::There(message));
            }
            file.put(&bytes).map_err(unwritten)?;
        }
        file.close().map_err(unwritten)?;
        Ok(file)
    }
}

/// Why a file could not be received.
pub(super) enum NotReceived {
    /// It could not be written here.
    Here(Error),
    /// A part of it is not there.
    There(String),
}

/// How many bytes the file of a class may have. Cells are compressed, which may fail, but not by much.
pub(super) fn most_bytes(game: &Erased, step: &Step, planes: usize, memory: u64) -> u64 {
    match game.tables() {
        Some(_) => cell_bytes(step, planes).saturating_mul(5) / 4 + (1 << 20),
        // Nobody knows how many positions there are. Who lists them holds them in memory.
        None => memory,
    }
}

/// How many bytes the cells of a class take while they are worked on, at most.
pub(super) fn cell_bytes(step: &Step, planes: usize) -> u64 {
    step.size.saturating_mul(2 * planes as u64)
}
