//! Certificates on their way to the file that `--proof` names: written beside it, and renamed when the
//! answer is there.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use foregone::{Archive, Error, plain};

use crate::commands::{is_standard, warn};
use crate::report::BAD_INPUT;
use crate::to_job::drawing_of;

/// The texts of certificates in files beside the one that is wanted.
pub(crate) struct ProofFiles {
    path: PathBuf,
    texts: Mutex<Texts>,
}

#[derive(Default)]
struct Texts {
    files: BTreeMap<u32, (PathBuf, File)>,
    begun: u32,
    /// Why one could not be kept.
    problem: Option<String>,
}

impl ProofFiles {
    /// For the proof that goes to this path, if it is one for a plain file with a certificate.
    pub(crate) fn of(path: Option<&Path>) -> Option<Arc<ProofFiles>> {
        let path = path.filter(|path| !is_standard(path) && drawing_of(path).is_none())?;
        let path = match path.metadata() {
            // A link stays one, and a device is written to as it is.
            Ok(there) if there.is_file() => path.canonicalize().ok()?,
            Ok(_) => return None,
            Err(_) => path.to_owned(),
        };
        Some(Arc::new(ProofFiles { path, texts: Mutex::default() }))
    }

    fn texts(&self) -> MutexGuard<'_, Texts> {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says why a certificate could not be kept, if that was so, beside the answer. The exit code then.
    pub(crate) fn failure(&self) -> Option<u8> {
        let problem = self.texts().problem.take()?;
        warn(&format!("the proof can't be written to {}: {problem}", self.path.display()));
        Some(BAD_INPUT)
    }

    /// Makes these texts, one behind the other, the file that is wanted.
    pub(crate) fn put_together(&self, numbers: &[u32]) -> Result<(), Error> {
        let joined = self.join(numbers);
        joined.map_err(|e| {
            Error::input(format!("{} can't be written: {}", self.path.display(), plain(&e)))
        })
    }

    fn join(&self, numbers: &[u32]) -> io::Result<()> {
        let mut texts = self.texts();
        let Some((first, others)) = numbers.split_first() else { return Ok(()) };
        let (first, mut file) = texts.files.remove(first).ok_or(io::ErrorKind::NotFound)?;
        let joined = (|| {
            for number in others {
                let (path, _) = texts.files.get(number).ok_or(io::ErrorKind::NotFound)?;
                io::copy(&mut File::open(path)?, &mut file)?;
            }
            file.sync_all()?;
            std::fs::rename(&first, &self.path)
        })();
        if joined.is_err() {
            let _ = std::fs::remove_file(&first);
        }
        joined
    }

    /// Remembers what went wrong.
    fn noted<T>(&self, result: io::Result<T>) -> io::Result<T> {
        if let Err(error) = &result {
            self.texts().problem.get_or_insert_with(|| plain(error));
        }
        result
    }
}

impl Archive for ProofFiles {
    fn begin(&self) -> io::Result<u32> {
        let mut texts = self.texts();
        texts.begun += 1;
        let number = texts.begun;
        let mut name = self.path.as_os_str().to_owned();
        name.push(format!(".{number}.part"));
        let path = PathBuf::from(name);
        let file = File::create(&path);
        if let Ok(file) = &file {
            texts.files.insert(number, (path, file.try_clone()?));
        }
        drop(texts);
        self.noted(file.map(|_| number))
    }

    fn append(&self, text: u32, piece: &str) -> io::Result<()> {
        let file = self.texts().files.get(&text).map(|(_, file)| file.try_clone());
        let file = file.ok_or(io::ErrorKind::NotFound)?;
        self.noted(file.and_then(|mut file| file.write_all(piece.as_bytes())))
    }

    fn read(&self, text: u32) -> io::Result<Box<dyn BufRead>> {
        let path = self.texts().files.get(&text).map(|(path, _)| path.clone());
        let file = self.noted(File::open(path.ok_or(io::ErrorKind::NotFound)?))?;
        Ok(Box::new(BufReader::with_capacity(1 << 16, file)))
    }

    fn discard(&self, text: u32) {
        if let Some((path, _)) = self.texts().files.remove(&text) {
            let _ = std::fs::remove_file(path);
        }
    }
}

impl Drop for ProofFiles {
    fn drop(&mut self) {
        for (path, _) in self.texts().files.values() {
            let _ = std::fs::remove_file(path);
        }
    }
}
