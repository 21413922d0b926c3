//! What is known of a file beforehand, so that any place of it is found at once: made in one pass over
//! the bytes, as far as somebody wants.
//!
//! * Where the block of a line ends, for lines that begin many claims: for `? N` with two moves or
//!   more, and every so often in a chain of single moves. Shorter blocks are read through.
//! * In which chunk of the file the line with a label stands, and lines of which positions. A chunk is
//!   small enough to be read through, and there are few enough that two bytes name one.
//! * The number of the first line of each chunk.

use foregone_proof::certificate::{Header, Reader};

use crate::data::{BookError, Kind};
use crate::labels::{Labels, Places};
use crate::line::{self, Says};
use crate::packed::{self, Packed};
use crate::text::{Cursor, Stream, TRUNCATED, Text};

/// Blocks of fewer lines than this are read through instead of being looked up.
const SHORT: u64 = 128;
/// Chunks of the file have about so many bytes at least.
const CHUNK: u64 = 4 << 10;
/// So many chunks can be named in two bytes.
pub(crate) const CHUNKS: u64 = 60_000;
/// Certificates of one file.
const MOST_SECTIONS: usize = 20_000;
/// Bytes that an index may take in any case.
const SMALLEST_ROOM: u64 = 8 << 20;
/// A proof whose blocks are nested deeper than this is not looked at.
const DEEPEST: usize = 1 << 24;

/// A certificate of the file.
pub(crate) struct Section {
    pub(crate) header: Header,
    /// Where its first claim stands.
    pub(crate) body: u64,
    /// Where its last line stands, and how many claims it has, once that is known.
    pub(crate) end: Option<(u64, u64)>,
    labels: Labels,
    places: Places,
}

/// The beginning of a chunk.
struct Mark {
    offset: u64,
    line: u64,
    /// Whether its first line answers a move.
    answers: bool,
}

/// A block that is still open.
struct Open {
    /// How many blocks below it are still to come.
    left: u64,
    /// Its place in the list of blocks.
    entry: usize,
    /// Its first line.
    line: u64,
}

/// What is to be read next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Header,
    /// A claim of a proof in turn; whether it answers a move.
    Claim(bool),
    /// A line about a position.
    Place,
    End,
    Nothing,
}

pub(crate) struct Index {
    length: u64,
    chunk: u64,
    next: Next,
    /// Where the next line begins, and its number.
    pub(crate) offset: u64,
    line: u64,
    marks: Vec<Mark>,
    starts: Packed,
    /// The lengths of the blocks in bytes; 0 of those that are open.
    lengths: Packed,
    open: Vec<Open>,
    /// How many lines ago something was put into the list, in a chain of single moves.
    chain: u64,
    claims: u64,
    pub(crate) sections: Vec<Section>,
    pub(crate) problem: Option<BookError>,
}

impl Index {
    pub(crate) fn new(text: &dyn Text) -> Index {
        let length = text.len();
        let mut index = Index {
            length,
            chunk: CHUNK.max(length / CHUNKS),
            next: Next::Header,
            offset: 0,
            line: 1,
            marks: vec![Mark { offset: 0, line: 1, answers: false }],
            starts: Packed::default(),
            lengths: Packed::default(),
            open: Vec::new(),
            chain: 0,
            claims: 0,
            sections: Vec::new(),
            problem: None,
        };
        if length > packed::MOST {
            index.problem = Some(BookError::Input("the file is too large".to_owned()));
        }
        index
    }

    pub(crate) fn complete(&self) -> bool {
        self.next == Next::Nothing
    }

    /// Whether it can't become more than it is.
    pub(crate) fn ended(&self) -> bool {
        self.complete() || self.problem.is_some()
    }

    pub(crate) fn share(&self) -> f64 {
        if self.complete() { 1.0 } else { self.offset as f64 / self.length.max(1) as f64 }
    }

    /// The claims of the whole file.
    pub(crate) fn all_claims(&self) -> Option<u64> {
        let claims =
            self.sections.iter().map(|section| section.end.map_or(0, |(_, claims)| claims));
        self.complete().then(|| claims.sum())
    }

    /// Goes on for about so many bytes; whether it is complete.
    pub(crate) fn more(&mut self, text: &dyn Text, bytes: u64) -> Result<bool, BookError> {
        if self.problem.is_none() && !self.complete() {
            let until = self.offset.saturating_add(bytes.max(1));
            self.problem = self.scan(text, until).err().map(|e| self.with_line(e));
            // Honest files need a twentieth of this.
            if self.problem.is_none() && self.bytes() as u64 > self.length + SMALLEST_ROOM {
                let problem = "its labels are so wild that an index would be larger than the file";
                self.problem = Some(BookError::at(self.offset, problem));
            }
            if self.ended() {
                self.shrink();
            }
        }
        self.problem.clone().map_or(Ok(self.complete()), Err)
    }

    /// An error of the line that was to be read next.
    fn with_line(&self, error: BookError) -> BookError {
        match error {
            BookError::Line { line: None, offset, problem } if offset == self.offset => {
                BookError::Line { line: Some(self.line), offset, problem }
            }
            other => other,
        }
    }

    fn scan(&mut self, text: &dyn Text, until: u64) -> Result<(), BookError> {
        let mut cursor = Cursor::streaming(text, self.offset);
        // Behind the last byte one more look tells that all is there.
        while (self.offset < until || self.offset >= self.length) && !self.complete() {
            if self.next == Next::Header {
                self.header(text)?;
                cursor = Cursor::streaming(text, self.offset);
                continue;
            }
            let Some((offset, line)) = cursor.line()? else {
                return Err(BookError::at(self.offset, TRUNCATED));
            };
            if offset >= self.marks.last().map_or(0, |mark| mark.offset) + self.chunk {
                self.mark();
            }
            let end = offset + line.len() as u64 + 1;
            let next = match self.next {
                Next::Claim(answers) => self.claim(line, answers, end),
                Next::Place => self.place(line),
                _ => self.end(line),
            };
            self.next = next.map_err(|problem| BookError::at(offset, problem))?;
            self.offset = end;
            self.line += 1;
        }
        Ok(())
    }

    /// Begins a chunk at the next line.
    fn mark(&mut self) {
        let answers = self.next == Next::Claim(true);
        self.marks.push(Mark { offset: self.offset, line: self.line, answers });
    }

    fn header(&mut self, text: &dyn Text) -> Result<(), BookError> {
        let read = read_header(text, self.offset);
        let read = read.map_err(|(line, problem)| BookError::Line {
            line: Some(self.line - 1 + line.max(1)),
            offset: self.offset,
            problem,
        })?;
        let Some((header, body, lines)) = read else {
            if self.sections.is_empty() {
                return Err(BookError::at(self.offset, TRUNCATED));
            }
            self.next = Next::Nothing;
            return Ok(());
        };
        (self.offset, self.line) = (body, self.line + lines);
        let kind = kind_of(&header);
        let in_turn = matches!(kind, Kind::InTurn | Kind::Formula);
        self.next = if in_turn { Next::Claim(false) } else { Next::Place };
        (self.claims, self.chain) = (0, 0);
        // A chunk belongs to one certificate, and does not begin in a header.
        self.mark();
        let labels = Labels::default();
        if self.sections.len() >= MOST_SECTIONS {
            return Err(BookError::at(
                self.offset,
                "a file of so many certificates is not looked at",
            ));
        }
        self.sections.push(Section { header, body, end: None, labels, places: Places::default() });
        Ok(())
    }

    #[inline]
    fn claim(&mut self, line: &[u8], answers: bool, end: u64) -> Result<Next, &'static str> {
        let read = line::read(line, answers)?;
        self.claims += 1;
        if let Some(label) = read.label {
            let chunk = self.marks.len() as u64 - 1;
            let section = self.sections.last_mut().ok_or("expected a header")?;
            section.labels.put(label, chunk, self.offset)?;
        }
        match read.says {
            Says::Plays(_) | Says::Replies(1) => {
                self.chain += 1;
                if self.chain >= SHORT {
                    self.note(1)?;
                }
                Ok(Next::Claim(!matches!(read.says, Says::Plays(_))))
            }
            Says::Replies(count) => {
                self.note(count)?;
                Ok(Next::Claim(true))
            }
            Says::Over | Says::Same(_) | Says::Known(_) | Says::Others(_) => {
                // Behind a single move nothing was noted, and this is its only block.
                if matches!(read.says, Says::Others(_))
                    && self.chain == 0
                    && let Some(open) = self.open.last_mut()
                {
                    open.left = 1;
                }
                self.chain = 0;
                Ok(self.close(end))
            }
        }
    }

    /// Notes the block of this line, which is at its end after so many blocks.
    #[inline]
    fn note(&mut self, left: u64) -> Result<(), &'static str> {
        if self.open.len() >= DEEPEST {
            return Err("the proof is nested too deep to be looked at");
        }
        self.open.push(Open { left, entry: self.starts.len(), line: self.line });
        self.starts.push(self.offset);
        self.lengths.push(0);
        self.chain = 0;
        Ok(())
    }

    /// The block of a line without blocks below is at its end, and so may be others around it.
    #[inline]
    fn close(&mut self, end: u64) -> Next {
        while let Some(open) = self.open.last_mut() {
            open.left -= 1;
            if open.left > 0 {
                return Next::Claim(true);
            }
            let (entry, lines) = (open.entry, self.line + 1 - open.line);
            self.open.pop();
            if lines < SHORT && entry + 1 == self.starts.len() {
                // Blocks inside are shorter still, so this one is the last in the list.
                self.starts.pop();
                self.lengths.pop();
            } else if let Some(start) = self.starts.get(entry) {
                self.lengths.set(entry, end - start);
            }
        }
        Next::End
    }

    fn place(&mut self, line: &[u8]) -> Result<Next, &'static str> {
        let Some((_, position)) = line::keyed(line) else { return self.end(line) };
        self.claims += 1;
        let chunk = u32::try_from(self.marks.len() - 1).map_err(|_| "the file is too large")?;
        let section = self.sections.last_mut().ok_or("expected a header")?;
        section.places.put(position, chunk);
        Ok(Next::Place)
    }

    fn end(&mut self, line: &[u8]) -> Result<Next, &'static str> {
        let claims = line::end(line).ok_or("expected `end CLAIMS CHECKSUM`")?;
        if claims != self.claims {
            return Err("the number of claims is not that of the lines before");
        }
        let section = self.sections.last_mut().ok_or("expected a header")?;
        section.end = Some((self.offset, claims));
        section.labels.shrink();
        section.places.shrink();
        Ok(Next::Header)
    }

    fn shrink(&mut self) {
        self.marks.shrink_to_fit();
        self.starts.shrink();
        self.lengths.shrink();
        self.open.shrink_to_fit();
    }

    /// How many bytes all this takes.
    pub(crate) fn bytes(&self) -> usize {
        let sections = self.sections.iter();
        self.marks.capacity() * size_of::<Mark>()
            + self.starts.bytes()
            + self.lengths.bytes()
            + self.open.capacity() * size_of::<Open>()
            + sections.map(|s| s.labels.bytes() + s.places.bytes()).sum::<usize>()
    }

    /// Where the block of the line at this place ends, if that is noted.
    pub(crate) fn block_end(&self, offset: u64) -> Option<u64> {
        let length = self.starts.find(offset).and_then(|at| self.lengths.get(at));
        length.filter(|&length| length > 0).map(|length| offset + length)
    }

    /// The chunk of a place, if the index has come that far.
    fn chunk_of(&self, offset: u64) -> Option<&Mark> {
        let after = self.marks.partition_point(|mark| mark.offset <= offset);
        if offset > self.offset { None } else { self.marks.get(after.checked_sub(1)?) }
    }

    /// The number of the line that begins at this place, counted from 1, if the index has come that
    /// far.
    pub(crate) fn line_at(
        &self,
        offset: u64,
        cursor: &mut Cursor<'_>,
    ) -> Result<Option<u64>, BookError> {
        let Some(mark) = self.chunk_of(offset) else { return Ok(None) };
        cursor.seek(mark.offset);
        let mut line = mark.line;
        while cursor.offset() < offset && cursor.line()?.is_some() {
            line += 1;
        }
        Ok(Some(line))
    }

    /// The place of the line with a label, and whether it answers a move; nothing if there is none as
    /// far as the index has come.
    pub(crate) fn label(
        &self,
        section: usize,
        label: u64,
        cursor: &mut Cursor<'_>,
    ) -> Result<Option<(u64, bool)>, BookError> {
        let Some(found) = self.sections.get(section).and_then(|s| s.labels.get(label)) else {
            return Ok(None);
        };
        let mark = match found {
            Ok(chunk) => self.marks.get(chunk),
            Err(offset) => self.chunk_of(offset),
        };
        let Some(mark) = mark else { return Ok(None) };
        let mut answers = mark.answers;
        cursor.seek(mark.offset);
        while cursor.offset() < self.offset {
            let Some((offset, line)) = cursor.line()? else { break };
            let read = line::read(line, answers).map_err(|e| BookError::at(offset, e))?;
            if read.label == Some(label) {
                return Ok(Some((offset, answers)));
            }
            answers = !matches!(read.says, Says::Plays(_));
        }
        Ok(None)
    }

    /// The place of the line about a position, as far as the index has come.
    pub(crate) fn place_of(
        &self,
        section: usize,
        position: &str,
        cursor: &mut Cursor<'_>,
    ) -> Result<Option<u64>, BookError> {
        let Some(section) = self.sections.get(section) else { return Ok(None) };
        for chunk in section.places.chunks(position.as_bytes()) {
            let chunk = chunk as usize;
            let Some(mark) = self.marks.get(chunk) else { continue };
            let end = self.marks.get(chunk + 1).map_or(self.offset, |mark| mark.offset);
            cursor.seek(mark.offset);
            while cursor.offset() < end {
                let Some((offset, line)) = cursor.line()? else { break };
                if line::keyed(line).is_some_and(|(_, place)| place == position.as_bytes()) {
                    return Ok(Some(offset));
                }
            }
        }
        Ok(None)
    }
}

/// The header at this place, where its claims begin, and how many lines it has; nothing at the end of
/// the text.
pub(crate) type ReadHeader = Result<Option<(Header, u64, u64)>, (u64, String)>;

pub(crate) fn read_header(text: &dyn Text, offset: u64) -> ReadHeader {
    let mut stream = Stream::new(text, offset);
    let mut reader = Reader::new(&mut stream);
    let header = reader.header().map_err(|e| (e.line, e.problem))?;
    let lines = reader.error("").line;
    Ok(header.map(|header| (header, stream.offset(), lines)))
}

pub(crate) fn kind_of(header: &Header) -> Kind {
    match header {
        Header { mixed: Some(_), .. } => Kind::Mixed,
        Header { expected: Some(_), .. } => Kind::Expected,
        Header { scores: true, .. } => Kind::Scores,
        Header { formula: Some(_), .. } => Kind::Formula,
        _ => Kind::InTurn,
    }
}
