//! Files that games and rules are read from.
//!
//! What comes from outside has a limit. Only regular files are opened: a pipe would never end, and
//! a device neither. What a file says is known by its digest, which certificates hold.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use foregone_model::rules_of_text;

use crate::registry::GameError;

/// The largest file that is read, in bytes.
pub const MOST_BYTES: u64 = 256 << 20;

/// Why a file is not read. The message names the limit or what was expected, and never shows what
/// the file holds.
fn refuse(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}

/// What a regular file of at most so many bytes holds.
pub fn read_bytes(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    // Opening a pipe waits for a writer, so it is looked at first.
    let kind = std::fs::metadata(path)?;
    if kind.is_dir() {
        return Err(refuse("it is a folder, not a file".to_owned()));
    }
    if !kind.is_file() {
        return Err(refuse("it is not a regular file".to_owned()));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(refuse(format!("it has more than {most} bytes")));
    }
    Ok(bytes)
}

/// The text of a regular file of at most so many bytes.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let bytes = read_bytes(path, most)?;
    String::from_utf8(bytes).map_err(|_| refuse("it is not UTF-8 text".to_owned()))
}

/// Where the text of rules files is looked for.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// This file, whatever a game names.
    pub instead: Option<PathBuf>,
    /// A folder in which a file of the same name may stand, too.
    pub beside: Option<PathBuf>,
    /// The digest of the text that is wanted, where that is known: of two files the one that has
    /// it is taken.
    pub wanted: Option<String>,
}

impl Files {
    /// The text of the file that a game names. One with another digest than is wanted is not even
    /// looked at: a message about it would show it.
    pub fn read(&self, path: &str) -> Result<String, GameError> {
        let text = self.find(path);
        let text = text.map_err(|error| GameError::Unreadable { path: path.to_owned(), error })?;
        match (rules_of_text(&text).digest, &self.wanted) {
            (Some(found), Some(wanted)) if found != *wanted => {
                Err(GameError::OtherRules { wanted: wanted.clone(), found })
            }
            _ => Ok(text),
        }
    }

    fn find(&self, path: &str) -> io::Result<String> {
        if let Some(instead) = &self.instead {
            return read_text(instead, MOST_BYTES);
        }
        let first = read_text(Path::new(path), MOST_BYTES);
        let fits =
            |text: &String| self.wanted.is_none() || rules_of_text(text).digest == self.wanted;
        if first.as_ref().is_ok_and(fits) {
            return first;
        }
        let name = Path::new(path).file_name();
        let other = self.beside.as_ref().zip(name).map(|(folder, name)| folder.join(name));
        match other.map(|other| read_text(&other, MOST_BYTES)) {
            Some(Ok(text)) if first.is_err() || fits(&text) => Ok(text),
            _ => first,
        }
    }
}
