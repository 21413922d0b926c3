//! The files that games are read from.
//!
//! A [`Loader`] brings the bytes: from the disk, from memory, or from wherever a caller keeps them.
//! [`Files`] decides which file is wanted and how much of it is read. What a file says is known by
//! its digest, which certificates hold.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use foregone_gdl::StopCheck;
use foregone_model::rules_of_text;

use crate::registry::GameError;

/// The largest rules file that is read, in bytes.
pub const MOST_BYTES: u64 = 256 << 20;

/// Where the bytes of files come from.
pub trait Loader: Debug + Send + Sync {
    /// The bytes of a file. A file of more than `most` bytes is an error, see [`too_large`].
    /// Messages name what is wrong and never show what the file holds.
    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>>;
}

/// The error for a file that has more bytes than may be read.
pub fn too_large(most: u64) -> io::Error {
    refuse(format!("it has more than {most} bytes"))
}

fn refuse(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message.into())
}

/// The text of a file of at most so many bytes.
pub fn read_text(loader: &dyn Loader, path: &Path, most: u64) -> io::Result<String> {
    let bytes = loader.read(path, most)?;
    String::from_utf8(bytes).map_err(|_| refuse("it is not UTF-8 text"))
}

/// The file system. Only regular files are opened: reading a pipe or a device might never end.
#[derive(Clone, Copy, Debug, Default)]
pub struct FromDisk;

impl Loader for FromDisk {
    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        // Opening a pipe waits for a writer, so its kind is checked first.
        let kind = std::fs::metadata(path)?;
        if kind.is_dir() {
            return Err(refuse("it is a folder, not a file"));
        }
        if !kind.is_file() {
            return Err(refuse("it is not a regular file"));
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            return Err(too_large(most));
        }
        Ok(bytes)
    }
}

/// Texts in memory, each with its path: for browsers and tests. An empty map is a loader that has
/// no files.
#[derive(Clone, Debug, Default)]
pub struct FromMemory(pub BTreeMap<String, String>);

impl Loader for FromMemory {
    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let text = path.to_str().and_then(|path| self.0.get(path));
        let text = text.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no such file"))?;
        if text.len() as u64 > most {
            return Err(too_large(most));
        }
        Ok(text.clone().into_bytes())
    }
}

/// How the file that a game names is found.
#[derive(Clone, Debug)]
pub struct Files {
    /// What reads it.
    pub loader: Arc<dyn Loader>,
    /// This file, whatever a game names.
    pub instead: Option<PathBuf>,
    /// A folder that may hold a file of the same name.
    pub beside: Option<PathBuf>,
    /// The digest of the text that is wanted, where that is known: of two files, the one that has
    /// it is taken.
    pub wanted: Option<String>,
    /// Whether to give up making a game of it: compiling rules takes time.
    pub stop: StopCheck,
}

impl Files {
    /// The files of a loader, by the paths that games name.
    pub fn new(loader: impl Loader + 'static) -> Files {
        let stop = StopCheck::NEVER;
        Files { loader: Arc::new(loader), instead: None, beside: None, wanted: None, stop }
    }

    /// The files on the disk.
    pub fn from_disk() -> Files {
        Files::new(FromDisk)
    }

    /// Texts in memory, each with its path.
    pub fn from_memory<P: Into<String>, T: Into<String>>(
        texts: impl IntoIterator<Item = (P, T)>,
    ) -> Files {
        let texts = texts.into_iter().map(|(path, text)| (path.into(), text.into()));
        Files::new(FromMemory(texts.collect()))
    }

    /// The text of the file that a game names. A file with another digest than the one wanted is
    /// not parsed: a message about it would show it.
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
        let read = |path: &Path| read_text(&*self.loader, path, MOST_BYTES);
        if let Some(instead) = &self.instead {
            return read(instead);
        }
        let first = read(Path::new(path));
        let fits =
            |text: &String| self.wanted.is_none() || rules_of_text(text).digest == self.wanted;
        if first.as_ref().is_ok_and(fits) {
            return first;
        }
        let name = Path::new(path).file_name();
        let other = self.beside.as_ref().zip(name).map(|(folder, name)| folder.join(name));
        match other.map(|other| read(&other)) {
            Some(Ok(text)) if first.is_err() || fits(&text) => Ok(text),
            _ => first,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> Files {
        Files::from_memory([("there/a", "one"), ("here/a", "two"), ("here/b", "three")])
    }

    fn digest(text: &str) -> Option<String> {
        rules_of_text(text).digest
    }

    #[test]
    fn a_file_is_looked_for_beside_and_known_by_its_digest() {
        let plain = files();
        assert_eq!(plain.read("there/a").unwrap(), "one");
        assert!(matches!(plain.read("there/b"), Err(GameError::Unreadable { .. })));
        let beside = Files { beside: Some("here".into()), ..files() };
        assert_eq!(beside.read("there/a").unwrap(), "one");
        assert_eq!(beside.read("there/b").unwrap(), "three");
        let wanted = Files { wanted: digest("two"), ..beside };
        assert_eq!(wanted.read("there/a").unwrap(), "two");
        assert!(matches!(wanted.read("there/b"), Err(GameError::OtherRules { .. })));
        let instead = Files { instead: Some("there/a".into()), ..files() };
        assert_eq!(instead.read("here/b").unwrap(), "one");
        let refused = Files { wanted: digest("two"), ..instead };
        assert!(matches!(refused.read("here/a"), Err(GameError::OtherRules { .. })));
    }

    #[test]
    fn no_loader_reads_beyond_the_limit() {
        let path = std::env::temp_dir().join(format!("foregone-limit-{}", std::process::id()));
        std::fs::write(&path, "four").unwrap();
        let name = path.to_str().unwrap().to_owned();
        let memory = FromMemory([(name, "four".to_owned())].into());
        for loader in [&FromDisk as &dyn Loader, &memory] {
            assert_eq!(read_text(loader, &path, 4).unwrap(), "four");
            let error = read_text(loader, &path, 3).unwrap_err();
            assert_eq!(error.to_string(), "it has more than 3 bytes");
        }
        std::fs::remove_file(&path).unwrap();
    }
}
