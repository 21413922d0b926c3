//! Where the bytes of a certificate are, and how they are read: a piece at a time.

use std::io::{self, BufRead, Read};

use crate::data::BookError;

/// A line longer than this is damage, not a claim: the checker's own limit, the newline included.
pub(crate) const LONGEST_LINE: usize = 1 << 22;

/// What is read at a place that was jumped to. Who goes on from there reads more at a time.
const FIRST_READ: usize = 4 << 10;
/// What is read at most at a time.
const LARGEST_READ: usize = 256 << 10;

/// Where the bytes of a certificate file are: memory, a file, a browser's file.
///
/// Reads are small and jump about, so a text whose reads are slow should keep what it read last.
pub trait Text: Send + Sync {
    /// How many bytes there are. It must stay the same.
    fn len(&self) -> u64;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads bytes from this place on into the buffer; how many, 0 only at the end.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;
}

fn read_bytes(bytes: &[u8], offset: u64, buffer: &mut [u8]) -> usize {
    let from = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
    let count = buffer.len().min(bytes.len() - from);
    buffer[..count].copy_from_slice(&bytes[from..from + count]);
    count
}

impl Text for Vec<u8> {
    fn len(&self) -> u64 {
        Vec::len(self) as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(read_bytes(self, offset, buffer))
    }
}

impl Text for String {
    fn len(&self) -> u64 {
        String::len(self) as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(read_bytes(self.as_bytes(), offset, buffer))
    }
}

/// Reads lines from any place on.
pub(crate) struct Cursor<'t> {
    text: &'t dyn Text,
    buffer: Vec<u8>,
    /// The place of the first byte of the buffer.
    start: u64,
    /// How far the buffer was gone through.
    at: usize,
    /// How many bytes are read next.
    want: usize,
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(text: &'t dyn Text, offset: u64) -> Cursor<'t> {
        Cursor { text, buffer: Vec::new(), start: offset, at: 0, want: FIRST_READ }
    }

    /// The same for who reads on and on.
    pub(crate) fn streaming(text: &'t dyn Text, offset: u64) -> Cursor<'t> {
        Cursor { want: LARGEST_READ, ..Cursor::new(text, offset) }
    }

    /// The place of the next line.
    pub(crate) fn offset(&self) -> u64 {
        self.start + self.at as u64
    }

    pub(crate) fn seek(&mut self, offset: u64) {
        match offset.checked_sub(self.start) {
            Some(at) if at <= self.buffer.len() as u64 => self.at = at as usize,
            _ => {
                self.buffer.clear();
                (self.start, self.at, self.want) = (offset, 0, FIRST_READ);
            }
        }
    }

    /// The next line without its newline, and its place; nothing at the end of the text.
    pub(crate) fn line(&mut self) -> Result<Option<(u64, &[u8])>, BookError> {
        let mut looked = self.at;
        loop {
            if let Some(found) = self.buffer[looked..].iter().position(|&b| b == b'\n') {
                let (from, end) = (self.at, looked + found);
                let offset = self.offset();
                if end + 1 - from > LONGEST_LINE {
                    return Err(too_long(offset));
                }
                self.at = end + 1;
                return Ok(Some((offset, &self.buffer[from..end])));
            }
            if self.buffer.len() - self.at >= LONGEST_LINE {
                return Err(too_long(self.offset()));
            }
            let left = self.buffer.len() - self.at;
            if !self.fill()? {
                return match left {
                    0 => Ok(None),
                    _ => Err(BookError::at(self.offset(), TRUNCATED)),
                };
            }
            looked = self.at + left;
        }
    }

    /// Reads on; whether there was anything.
    fn fill(&mut self) -> Result<bool, BookError> {
        self.buffer.drain(..self.at);
        self.start += self.at as u64;
        self.at = 0;
        let before = self.buffer.len();
        self.buffer.resize(before + self.want, 0);
        let read = loop {
            let offset = self.start + before as u64;
            match self.text.read_at(offset, &mut self.buffer[before..]) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        // A text that claims to have read more than it was asked for is not believed.
        let read = read.map_err(|e| BookError::Unreadable(e.to_string()))?.min(self.want);
        self.buffer.truncate(before + read);
        self.want = (2 * self.want).min(LARGEST_READ);
        Ok(read > 0)
    }
}

pub(crate) const TRUNCATED: &str = "the file ends before the proof does";

fn too_long(offset: u64) -> BookError {
    BookError::at(offset, format!("the line has more than {LONGEST_LINE} bytes"))
}

/// The text as the reader of headers wants it. It knows how far it was read.
pub(crate) struct Stream<'t> {
    text: &'t dyn Text,
    buffer: Vec<u8>,
    at: usize,
    start: u64,
}

impl<'t> Stream<'t> {
    pub(crate) fn new(text: &'t dyn Text, offset: u64) -> Stream<'t> {
        Stream { text, buffer: Vec::new(), at: 0, start: offset }
    }

    pub(crate) fn offset(&self) -> u64 {
        self.start + self.at as u64
    }
}

impl Read for Stream<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(out)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Stream<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.buffer.len() {
            self.start += self.at as u64;
            self.at = 0;
            self.buffer.resize(FIRST_READ, 0);
            let read = self.text.read_at(self.start, &mut self.buffer);
            self.buffer.truncate(read.as_ref().map_or(0, |&read| read.min(FIRST_READ)));
            read?;
        }
        Ok(&self.buffer[self.at..])
    }

    fn consume(&mut self, count: usize) {
        self.at = (self.at + count).min(self.buffer.len());
    }
}
