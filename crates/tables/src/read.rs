//! Reading a table.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use sha2::{Digest as _, Sha256};

use crate::cells::{Cells, Loaded, Width};
use crate::codec::{self, Model};
use crate::error::{FileError, Part, Problem};
use crate::header::{self, Header};
use crate::layout::Layout;
use crate::map::WorkFile;
use crate::source::Source;
use crate::write::{END, hex};
use crate::{parallel, texts};

/// The digest, the checksum of it and the index, and the last word.
const TRAILER: usize = 32 + 4 + END.len();

/// How many blocks are kept in memory.
const SLOTS: usize = 256;

/// A table on the disk.
#[derive(Debug)]
pub struct TableFile {
    path: PathBuf,
    source: Source,
    header: Header,
    layout: Layout,
    digest: String,
    /// Of each block where it starts and its checksum; where the index starts comes last.
    index: Vec<(u64, u32)>,
    /// The models of planes, as far as they were needed.
    models: Vec<OnceLock<Model>>,
    /// The first texts of blocks, if they were needed.
    heads: OnceLock<Vec<String>>,
    slots: Box<[Mutex<Slot>]>,
}

/// A block in memory.
#[derive(Debug, Default)]
struct Slot {
    /// Its number in the file.
    block: Option<usize>,
    /// Its cells, or the first of them.
    cells: Vec<u16>,
    /// Room for its compressed form.
    bytes: Vec<u8>,
}

impl TableFile {
    /// Opens a table and checks all of it but the blocks.
    pub fn open(path: &Path) -> Result<TableFile, FileError> {
        TableFile::read(path).map_err(|problem| FileError::new(path, problem))
    }

    fn read(path: &Path) -> Result<TableFile, Problem> {
        let source = Source::open(path)?;
        let (header, start) = read_header(&source)?;
        let layout = Layout::of(&header);
        let (digest, index) = read_index(&source, layout, start)?;
        Ok(TableFile {
            path: path.to_owned(),
            source,
            layout,
            digest,
            index,
            models: header.planes.iter().map(|_| OnceLock::new()).collect(),
            heads: OnceLock::new(),
            slots: (0..SLOTS).map(|_| Mutex::default()).collect(),
            header,
        })
    }

    /// What the table says of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The SHA-256 of header, blocks and index: what names this table.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// How long the file is.
    pub fn bytes(&self) -> u64 {
        self.source.bytes()
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A cell. Blocks that were read before are kept, a few.
    pub fn cell(&self, plane: usize, index: u64) -> Result<u16, FileError> {
        self.probe(plane, index).map_err(|problem| FileError::new(&self.path, problem))
    }

    fn probe(&self, plane: usize, index: u64) -> Result<u16, Problem> {
        if plane >= self.models.len() || index >= self.header.size {
            return Err(Problem::NoSuch(format!("cell {index} of plane {plane}")));
        }
        let block = index / codec::BLOCK as u64;
        let number = self.layout.cells(plane, block);
        let slot = &self.slots[number % SLOTS];
        // A thread that panics leaves no block behind that is not whole.
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = &mut *slot;
        let at = (index % codec::BLOCK as u64) as usize;
        let known = slot.block == Some(number);
        if !known || at >= slot.cells.len() {
            // Many blocks are asked for one cell and never again: what is behind it waits until
            // the block is asked a second time.
            let wanted = if known { self.layout.size(block) } else { at + 1 };
            slot.block = None;
            slot.cells.resize(wanted, 0);
            self.decode(plane, block, &mut slot.bytes, &mut slot.cells)?;
            slot.block = Some(number);
        }
        Ok(slot.cells[at])
    }

    /// All cells of a plane.
    pub fn load(&self, plane: usize) -> Result<Loaded, FileError> {
        self.load_with(parallel::threads(), plane)
            .map_err(|problem| FileError::new(&self.path, problem))
    }

    fn load_with(&self, threads: usize, plane: usize) -> Result<Loaded, Problem> {
        if plane >= self.models.len() {
            return Err(Problem::NoSuch(format!("plane {plane}")));
        }
        let size = self.header.size as usize;
        match self.header.width {
            Width::One => {
                let mut cells = vec![0; size];
                self.load_into(threads, plane, &mut cells, |cell| cell as u8)?;
                Ok(Loaded::One(cells))
            }
            Width::Two => {
                let mut cells = vec![0; size];
                self.load_into(threads, plane, &mut cells, |cell| cell)?;
                Ok(Loaded::Two(cells))
            }
        }
    }

    fn load_into<T: Send>(
        &self,
        threads: usize,
        plane: usize,
        cells: &mut [T],
        narrow: impl Fn(u16) -> T + Sync,
    ) -> Result<(), Problem> {
        let share = cells.len().div_ceil(codec::BLOCK).div_ceil(threads).max(1);
        let part = |part: usize, cells: &mut [T]| {
            let mut bytes = Vec::new();
            let mut block = [0; codec::BLOCK];
            for (number, cells) in cells.chunks_mut(codec::BLOCK).enumerate() {
                let block = &mut block[..cells.len()];
                self.decode(plane, (part * share + number) as u64, &mut bytes, block)?;
                for (to, &cell) in cells.iter_mut().zip(&*block) {
                    *to = narrow(cell);
                }
            }
            Ok(())
        };
        let parts: Vec<Mutex<&mut [T]>> =
            cells.chunks_mut(share * codec::BLOCK).map(Mutex::new).collect();
        let results = parallel::map(threads, 0..parts.len() as u64, |number| {
            let mut cells = parts[number as usize].lock().unwrap_or_else(PoisonError::into_inner);
            part(number as usize, &mut cells)
        });
        results.into_iter().collect()
    }

    /// Writes all cells of a plane into a new file and maps it into memory: for tables that are asked
    /// often and are too large for [`TableFile::load`]. A file that is there already must be as long as
    /// this one, and is written anew.
    pub fn unpack(&self, plane: usize, path: &Path) -> Result<WorkFile, FileError> {
        if plane >= self.models.len() {
            let problem = Problem::NoSuch(format!("plane {plane}"));
            return Err(FileError::new(&self.path, problem));
        }
        let file = WorkFile::open(path, self.header.size, self.header.width);
        // This error names the file.
        let file = file.map_err(|error| FileError::new(path, error))?;
        self.unpack_into(parallel::threads(), plane, file.cells())
            .map_err(|problem| FileError::new(&self.path, problem))?;
        Ok(file)
    }

    fn unpack_into(&self, threads: usize, plane: usize, to: Cells<'_>) -> Result<(), Problem> {
        let blocks = self.header.size.div_ceil(codec::BLOCK as u64);
        let share = blocks.div_ceil(threads as u64).max(1);
        let results = parallel::map(threads, 0..blocks.div_ceil(share), |part| {
            let mut bytes = Vec::new();
            let mut cells = [0; codec::BLOCK];
            for block in part * share..((part + 1) * share).min(blocks) {
                let cells = &mut cells[..self.layout.size(block)];
                self.decode(plane, block, &mut bytes, cells)?;
                to.store(block as usize * codec::BLOCK, cells);
            }
            Ok(())
        });
        results.into_iter().collect()
    }

    /// Reads all of the file, and checks each block and the digest.
    pub fn check(&self) -> Result<(), FileError> {
        self.check_all().map_err(|problem| FileError::new(&self.path, problem))
    }

    fn check_all(&self) -> Result<(), Problem> {
        let mut digest = Sha256::new();
        let mut bytes = Vec::new();
        let start = self.index[0].0;
        bytes.resize(start as usize, 0);
        self.source.read(0, &mut bytes)?;
        if Header::read(&bytes)?.is_none_or(|(header, _)| header != self.header) {
            return Err(Problem::Damaged(Part::Header));
        }
        digest.update(&bytes);
        for number in 0..self.index.len() - 1 {
            self.block(number, &mut bytes)?;
            digest.update(&bytes);
        }
        let end = self.index[self.index.len() - 1].0;
        bytes.resize((self.source.bytes() - TRAILER as u64 - end) as usize, 0);
        self.source.read(end, &mut bytes)?;
        digest.update(&bytes);
        match hex(&digest.finalize()) == self.digest {
            true => Ok(()),
            false => Err(Problem::Damaged(Part::Whole)),
        }
    }

    /// The text of a number.
    pub fn text(&self, index: u64) -> Result<String, FileError> {
        let text = match self.header.texts && index < self.header.size {
            true => self
                .texts(index / texts::BLOCK as u64)
                .map(|mut texts| texts.swap_remove((index % texts::BLOCK as u64) as usize)),
            false => Err(Problem::NoSuch(format!("text {index}"))),
        };
        text.map_err(|problem| FileError::new(&self.path, problem))
    }

    /// All texts, in their order, if they are in order and have no more bytes than this together.
    pub fn all_texts(&self, most: u64) -> Result<Vec<String>, FileError> {
        self.read_texts(most).map_err(|problem| FileError::new(&self.path, problem))
    }

    fn read_texts(&self, most: u64) -> Result<Vec<String>, Problem> {
        let blocks = match self.header.texts {
            true => self.header.size.div_ceil(texts::BLOCK as u64),
            false => 0,
        };
        let (mut all, mut left): (Vec<String>, u64) = (Vec::new(), most);
        for block in 0..blocks {
            let texts = self.texts(block)?;
            let bytes = texts.iter().map(|text| text.len() as u64).sum();
            left = left.checked_sub(bytes).ok_or(Problem::TooLong(most))?;
            all.extend(texts);
        }
        // What finds a text is right, too.
        if !all.is_sorted_by(|a, b| a < b) {
            return Err(Problem::Damaged(Part::Whole));
        }
        if blocks > 0 && !all.iter().step_by(texts::BLOCK).eq(self.heads()?) {
            return Err(Problem::Damaged(Part::Heads));
        }
        Ok(all)
    }

    /// The number of a text, if it has one.
    pub fn find(&self, text: &str) -> Result<Option<u64>, FileError> {
        self.search(text).map_err(|problem| FileError::new(&self.path, problem))
    }

    fn search(&self, text: &str) -> Result<Option<u64>, Problem> {
        let after = self.heads()?.partition_point(|head| head.as_str() <= text);
        let Some(block) = after.checked_sub(1) else { return Ok(None) };
        let texts = self.texts(block as u64)?;
        let found = texts.binary_search_by(|other| other.as_str().cmp(text)).ok();
        Ok(found.map(|found| block as u64 * texts::BLOCK as u64 + found as u64))
    }

    fn heads(&self) -> Result<&[String], Problem> {
        if let Some(heads) = self.heads.get() {
            return Ok(heads);
        }
        let none = || Problem::NoSuch("list of texts".to_owned());
        let (number, blocks) = self.layout.heads().ok_or_else(none)?;
        let mut bytes = Vec::new();
        self.block(number, &mut bytes)?;
        let heads = texts::decode(&bytes).filter(|heads| heads.len() == blocks);
        let heads = heads.ok_or(Problem::Damaged(Part::Heads))?;
        Ok(self.heads.get_or_init(|| heads))
    }

    /// The texts of a block.
    fn texts(&self, block: u64) -> Result<Vec<String>, Problem> {
        let mut bytes = Vec::new();
        self.block(self.layout.texts(block), &mut bytes)?;
        let wanted = self.layout.texts_size(block);
        let texts = texts::decode(&bytes).filter(|texts| texts.len() == wanted);
        texts.ok_or(Problem::Damaged(Part::Texts { block }))
    }

    fn model(&self, plane: usize) -> Result<&Model, Problem> {
        if let Some(model) = self.models[plane].get() {
            return Ok(model);
        }
        let mut bytes = Vec::new();
        self.block(self.layout.model(plane), &mut bytes)?;
        let model = Model::from_bytes(&bytes, self.header.width)
            .ok_or(Problem::Damaged(Part::Model { plane }))?;
        Ok(self.models[plane].get_or_init(|| model))
    }

    /// Reads the first cells of a block, as many as `cells` has.
    fn decode(
        &self,
        plane: usize,
        block: u64,
        bytes: &mut Vec<u8>,
        cells: &mut [u16],
    ) -> Result<(), Problem> {
        let model = self.model(plane)?;
        let number = self.layout.cells(plane, block);
        self.block(number, bytes)?;
        let decoded = model.decode(bytes, self.layout.size(block), cells);
        decoded.ok_or_else(|| Problem::Damaged(self.layout.part(number)))
    }

    /// Reads a block and checks it.
    fn block(&self, number: usize, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let (at, sum) = self.index[number];
        bytes.resize((self.index[number + 1].0 - at) as usize, 0);
        self.source.read(at, bytes)?;
        match crc32fast::hash(bytes) == sum {
            true => Ok(()),
            false => Err(Problem::Damaged(self.layout.part(number))),
        }
    }

    /// Where a block of cells stands in the file.
    #[cfg(test)]
    pub(crate) fn block_range(&self, plane: usize, block: u64) -> std::ops::Range<u64> {
        let number = self.layout.cells(plane, block);
        self.index[number].0..self.index[number + 1].0
    }
}

/// The header, and where it ends.
fn read_header(source: &Source) -> Result<(Header, u64), Problem> {
    let mut bytes = Vec::new();
    let mut length = 4096;
    loop {
        bytes.resize(source.bytes().min(length) as usize, 0);
        source.read(0, &mut bytes)?;
        match Header::read(&bytes)? {
            Some((header, end)) => return Ok((header, end as u64)),
            None if length >= header::LONGEST as u64 => {
                return Err(Problem::Damaged(Part::Header));
            }
            None if length >= source.bytes() => return Err(Problem::HalfWritten),
            None => length *= 8,
        }
    }
}

/// The digest, and of each block where it starts and its checksum. The first starts at `start`.
fn read_index(
    source: &Source,
    layout: Layout,
    start: u64,
) -> Result<(String, Vec<(u64, u32)>), Problem> {
    let rest = source.bytes() - start;
    let Some(room) = rest.checked_sub(TRAILER as u64) else { return Err(Problem::HalfWritten) };
    let mut trailer = [0; TRAILER];
    source.read(start + room, &mut trailer)?;
    let (digest, others) = trailer.split_at(32);
    let (sum, end) = others.split_at(4);
    if end != END {
        return Err(Problem::HalfWritten);
    }
    let damaged = || Problem::Damaged(Part::Index);
    let blocks = layout.count().filter(|&blocks| blocks <= room / 8).ok_or_else(damaged)?;
    let mut bytes = vec![0; blocks as usize * 8];
    let at = start + room - blocks * 8;
    source.read(at, &mut bytes)?;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes);
    hasher.update(digest);
    if hasher.finalize().to_le_bytes() != sum {
        return Err(damaged());
    }
    let (numbers, _) = bytes.as_chunks::<4>();
    let mut index = Vec::with_capacity(blocks as usize + 1);
    let mut next = start;
    for entry in numbers.chunks_exact(2) {
        index.push((next, u32::from_le_bytes(entry[1])));
        next += u64::from(u32::from_le_bytes(entry[0]));
    }
    index.push((next, 0));
    match next == at {
        true => Ok((hex(digest), index)),
        false => Err(damaged()),
    }
}
