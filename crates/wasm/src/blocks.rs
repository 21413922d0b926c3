//! A text whose reads are slow: it is read in large blocks, and the last ones are kept.

use std::collections::VecDeque;
use std::io;
use std::sync::{Mutex, PoisonError};

use foregone_explorer::Text;

/// What can read a piece of something large.
pub trait Source: Send + Sync {
    /// How many bytes there are.
    fn len(&self) -> u64;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes from the first place up to the second, which is not behind the end.
    fn read(&self, from: u64, to: u64) -> io::Result<Vec<u8>>;
}

/// Bytes of a block.
const BLOCK: u64 = 1 << 20;
/// Blocks that are kept: walks through a proof jump between a few places.
const KEPT: usize = 8;

/// A source as a text, by blocks.
pub struct Blocks<S> {
    source: S,
    bytes: u64,
    /// Blocks by their number, the one read last at the end.
    kept: Mutex<VecDeque<(u64, Vec<u8>)>>,
}

impl<S: Source> Blocks<S> {
    /// The text of this source.
    pub fn new(source: S) -> Blocks<S> {
        let bytes = source.len();
        Blocks { source, bytes, kept: Mutex::default() }
    }

    fn read_block(&self, number: u64) -> io::Result<Vec<u8>> {
        let from = number * BLOCK;
        let to = (from + BLOCK).min(self.bytes);
        let block = self.source.read(from, to)?;
        if block.len() as u64 != to - from {
            return Err(io::Error::other("the file has changed since it was opened"));
        }
        Ok(block)
    }
}

impl<S: Source> Text for Blocks<S> {
    fn len(&self) -> u64 {
        self.bytes
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        if offset >= self.bytes || buffer.is_empty() {
            return Ok(0);
        }
        let (number, within) = (offset / BLOCK, (offset % BLOCK) as usize);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().position(|(other, _)| *other == number);
        let entry = match found.and_then(|at| kept.remove(at)) {
            Some(entry) => entry,
            None => {
                let block = self.read_block(number)?;
                if kept.len() >= KEPT {
                    kept.pop_front();
                }
                (number, block)
            }
        };
        let rest = &entry.1[within..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        kept.push_back(entry);
        Ok(count)
    }
}
