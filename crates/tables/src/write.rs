//! Writing a table.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::cells::Cells;
use crate::codec::{self, Model};
use crate::error::{FileError, Problem};
use crate::header::Header;
use crate::{parallel, texts};

/// The last bytes of every table.
pub(crate) const END: &[u8; 8] = b"the end\n";

/// How many blocks are compressed between two questions whether to go on.
const BATCH: u64 = 256;

/// Writes a table, in `planes` all cells and in `texts` the list of texts if there is one, in
/// ascending order. Says the digest of the file, or nothing if `goes_on`, which hears how many
/// cells are done, said no.
///
/// The file has a temporary name, its own with `.part` behind, until it is whole and on the disk.
/// The same table has the same bytes, however many threads the machine has.
pub fn write(
    path: &Path,
    header: &Header,
    planes: &[Cells<'_>],
    texts: Option<&mut dyn Iterator<Item = String>>,
    goes_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Option<String>, FileError> {
    write_with(parallel::threads(), path, header, planes, texts, goes_on)
}

/// The same with so many threads.
pub(crate) fn write_with(
    threads: usize,
    path: &Path,
    header: &Header,
    planes: &[Cells<'_>],
    texts: Option<&mut dyn Iterator<Item = String>>,
    goes_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Option<String>, FileError> {
    let mut file = Unfinished::create(path)?;
    let digest = fill(&mut file, threads, header, planes, texts, goes_on);
    match digest.map_err(|problem| FileError::new(path, problem))? {
        Some(digest) => file.keep().map(|()| Some(digest)),
        None => Ok(None),
    }
}

/// A file that has a temporary name, its own with `.part` behind, until it is whole and on the disk. It is removed if
/// it is not kept.
pub struct Unfinished {
    path: PathBuf,
    temporary: PathBuf,
    file: Option<BufWriter<File>>,
}

impl Unfinished {
    /// An empty file, which will have this name.
    pub fn create(path: &Path) -> Result<Unfinished, FileError> {
        let mut temporary = OsString::from(path);
        temporary.push(".part");
        let temporary = PathBuf::from(temporary);
        let file = File::create(&temporary).map_err(|error| FileError::new(path, error))?;
        Ok(Unfinished { path: path.to_owned(), temporary, file: Some(BufWriter::new(file)) })
    }

    /// Where it is until then.
    pub fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// Writes the next bytes.
    pub fn put(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        self.write(bytes).map_err(|error| FileError::new(&self.path, error))
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), |file| file.write_all(bytes))
    }

    /// All bytes are there: waits until they are on the disk. The name stays the temporary one.
    pub fn close(&mut self) -> Result<(), FileError> {
        let Some(file) = self.file.take() else { return Ok(()) };
        let file = file.into_inner().map_err(io::IntoInnerError::into_error);
        let synced = file.and_then(|file| file.sync_all());
        synced.map_err(|error| FileError::new(&self.path, error))
    }

    /// Gives it its name.
    pub fn keep(mut self) -> Result<(), FileError> {
        self.close()?;
        let renamed = std::fs::rename(&self.temporary, &self.path);
        let kept = renamed.and_then(|()| sync_folder(&self.path));
        kept.map_err(|error| FileError::new(&self.path, error))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        drop(self.file.take());
        // It is not there if it was kept.
        let _ = std::fs::remove_file(&self.temporary);
    }
}

/// Waits until the new name is on the disk too.
fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?;
    }
    Ok(())
}

/// A file in the making.
struct Output<'a> {
    file: &'a mut Unfinished,
    digest: Sha256,
    index: Vec<u8>,
}

impl Output<'_> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.digest.update(bytes);
        self.file.write(bytes)
    }

    fn block(&mut self, bytes: &[u8], sum: u32) -> Result<(), Problem> {
        let length = u32::try_from(bytes.len());
        let length = length.map_err(|_| Problem::Unfit("a block is too long".to_owned()))?;
        self.index.extend_from_slice(&length.to_le_bytes());
        self.index.extend_from_slice(&sum.to_le_bytes());
        Ok(self.put(bytes)?)
    }
}

fn fill(
    file: &mut Unfinished,
    threads: usize,
    header: &Header,
    planes: &[Cells<'_>],
    texts: Option<&mut dyn Iterator<Item = String>>,
    goes_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Option<String>, Problem> {
    let unfit = |problem: &str| Err(Problem::Unfit(problem.to_owned()));
    if planes.len() != header.planes.len() {
        return unfit("the header has another number of planes");
    }
    if planes.iter().any(|cells| cells.len() as u64 != header.size) {
        return unfit("the header has another number of cells");
    }
    if planes.iter().any(|cells| cells.width() != header.width) {
        return unfit("the header has another width of cells");
    }
    if texts.is_some() != header.texts {
        return unfit("the header and the texts do not agree whether there are texts");
    }
    let head = header.to_text()?;
    let mut output = Output { file, digest: Sha256::new(), index: Vec::new() };
    output.put(head.as_bytes())?;
    for (plane, &cells) in planes.iter().enumerate() {
        let mut goes_on = |done| goes_on(plane as u64 * header.size + done);
        if !put_plane(&mut output, threads, cells, &mut goes_on)? {
            return Ok(None);
        }
    }
    if let Some(texts) = texts {
        let cells = header.size * planes.len() as u64;
        if !put_texts(&mut output, header.size, texts, &mut || goes_on(cells))? {
            return Ok(None);
        }
    }
    let index = std::mem::take(&mut output.index);
    output.put(&index)?;
    let digest = std::mem::take(&mut output.digest).finalize();
    let mut sum = crc32fast::Hasher::new();
    sum.update(&index);
    sum.update(&digest);
    output.file.write(&digest)?;
    output.file.write(&sum.finalize().to_le_bytes())?;
    output.file.write(END)?;
    Ok(Some(hex(&digest)))
}

fn put_plane(
    output: &mut Output<'_>,
    threads: usize,
    cells: Cells<'_>,
    goes_on: &mut dyn FnMut(u64) -> bool,
) -> Result<bool, Problem> {
    let model = Model::of(cells, threads);
    let bytes = model.to_bytes();
    output.block(&bytes, crc32fast::hash(&bytes))?;
    let size = cells.len();
    let blocks = size.div_ceil(codec::BLOCK) as u64;
    for from in (0..blocks).step_by(BATCH as usize) {
        let batch = from..(from + BATCH).min(blocks);
        let encoded = parallel::map(threads, batch.clone(), |block| {
            let from = block as usize * codec::BLOCK;
            let mut block = [0; codec::BLOCK];
            let block = &mut block[..codec::BLOCK.min(size - from)];
            cells.copy(from, block);
            let bytes = model.encode(block);
            let sum = crc32fast::hash(&bytes);
            (bytes, sum)
        });
        for (bytes, sum) in encoded {
            output.block(&bytes, sum)?;
        }
        if !goes_on((batch.end * codec::BLOCK as u64).min(size as u64)) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn put_texts(
    output: &mut Output<'_>,
    size: u64,
    texts: &mut dyn Iterator<Item = String>,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<bool, Problem> {
    let mut put = |bytes: Vec<u8>| output.block(&bytes, crc32fast::hash(&bytes));
    let mut heads = texts::Coder::default();
    let mut block = texts::Coder::default();
    let mut last: Option<String> = None;
    let mut count = 0;
    for text in texts {
        if last.as_ref().is_some_and(|last| *last >= text) {
            return Err(Problem::Unfit(format!("the text {text:?} is not above the one before")));
        }
        if block.count() == texts::BLOCK {
            put(block.take())?;
            if !goes_on() {
                return Ok(false);
            }
        }
        if block.count() == 0 {
            heads.push(text.clone());
        }
        last = Some(text.clone());
        block.push(text);
        count += 1;
    }
    if count != size {
        return Err(Problem::Unfit(format!("there are {count} texts for {size} cells")));
    }
    if block.count() > 0 {
        put(block.take())?;
    }
    put(heads.take())?;
    Ok(true)
}

/// Bytes as text.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
