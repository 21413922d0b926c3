//! Reading a file from any place, by several threads at once.

use std::fs::File;
use std::path::Path;

use crate::error::Problem;

/// A file. On systems that can't read from a place in one step, one thread reads at a time.
#[derive(Debug)]
pub(crate) struct Source {
    #[cfg(unix)]
    file: File,
    #[cfg(not(unix))]
    file: std::sync::Mutex<File>,
    bytes: u64,
}

impl Source {
    /// Opens a file.
    pub(crate) fn open(path: &Path) -> Result<Source, Problem> {
        let file = File::open(path)?;
        let bytes = file.metadata()?.len();
        #[cfg(not(unix))]
        let file = std::sync::Mutex::new(file);
        Ok(Source { file, bytes })
    }

    /// How long the file was when it was opened.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Fills `into` with what stands at a place.
    pub(crate) fn read(&self, at: u64, into: &mut [u8]) -> Result<(), Problem> {
        self.fill(at, into).map_err(|error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => Problem::HalfWritten,
            _ => Problem::Io(error),
        })
    }

    #[cfg(unix)]
    fn fill(&self, at: u64, into: &mut [u8]) -> std::io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, into, at)
    }

    #[cfg(not(unix))]
    fn fill(&self, at: u64, into: &mut [u8]) -> std::io::Result<()> {
        use std::io::{Read as _, Seek as _};
        let file = self.file.lock();
        let mut file = file.unwrap_or_else(std::sync::PoisonError::into_inner);
        file.seek(std::io::SeekFrom::Start(at))?;
        file.read_exact(into)
    }
}
