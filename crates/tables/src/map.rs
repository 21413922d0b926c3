//! Files mapped into memory: the one place with unsafe code.

#![allow(unsafe_code)]

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU8, AtomicU16};

use memmap2::MmapRaw;

use crate::cells::{Cells, Width};

/// An array of cells in a file that is mapped into memory: what a build works on. What was stored
/// outlives the process however it ends, as the pages are the operating system's; to outlive the
/// machine it needs [`WorkFile::flush`].
///
/// The file is locked as long as this lives, so no second build can work on it. The operating
/// system gives the lock back when a process ends, even by `kill -9`.
#[derive(Debug)]
pub struct WorkFile {
    map: MmapRaw,
    width: Width,
    /// Holds the lock.
    _file: File,
}

impl WorkFile {
    /// Opens a file of so many cells, or makes one in which all are 0. It takes room on the disk
    /// only as cells are stored.
    pub fn open(path: &Path, cells: u64, width: Width) -> io::Result<WorkFile> {
        open(path, cells, width)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
    }

    /// The cells.
    pub fn cells(&self) -> Cells<'_> {
        let start = self.map.as_mut_ptr();
        let bytes = self.map.len();
        // SAFETY: `start` is the start of a mapping of `bytes` bytes that can be read and written
        // and lives as long as `self`, from which the slices are borrowed. A mapping starts at a
        // page, so it is aligned for both types. All bit patterns are numbers. The memory is only
        // ever reached through atomics: no other reference is made here, and the lock keeps other
        // processes of this program away.
        unsafe {
            match self.width {
                Width::One => {
                    Cells::One(std::slice::from_raw_parts(start.cast::<AtomicU8>(), bytes))
                }
                Width::Two => {
                    Cells::Two(std::slice::from_raw_parts(start.cast::<AtomicU16>(), bytes / 2))
                }
            }
        }
    }

    /// Waits until all that was stored is on the disk.
    pub fn flush(&self) -> io::Result<()> {
        self.map.flush()
    }
}

fn open(path: &Path, cells: u64, width: Width) -> io::Result<WorkFile> {
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let problem = "another process works on it";
            return Err(io::Error::new(io::ErrorKind::WouldBlock, problem));
        }
        Err(TryLockError::Error(error)) => return Err(error),
    }
    let bytes = cells.checked_mul(width.bytes()).filter(|&bytes| bytes <= isize::MAX as u64);
    let bytes = bytes.ok_or_else(|| io::Error::other("too many cells"))?;
    match file.metadata()?.len() {
        // A new file, or one of a process that ended before it came here.
        0 => file.set_len(bytes)?,
        there if there != bytes => {
            let problem = format!("the file has {there} bytes, and this build needs {bytes}");
            return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
        }
        _ => {}
    }
    let map = MmapRaw::map_raw(&file)?;
    Ok(WorkFile { map, width, _file: file })
}
