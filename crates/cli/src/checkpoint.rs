//! Files of checkpoints.
//!
//! A file has a line that says what it is, the number of its format, a header in JSON with the whole job,
//! what the library wrote, and the SHA-256 digest of all that. It is written beside the file that it
//! replaces and renamed when it is on the disk, so there is a whole checkpoint at any moment. The digest
//! and the disk are the work of a thread: the search waits for its bytes to be copied, and for no more.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use foregone::model::{JointNotation as _, Notation as _, Rules};
use foregone::{AnyGame, Error, Job, Keeper, Opened, WriteOut, plain};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::commands::warn;

/// What the file begins with.
const MAGIC: &[u8] = b"foregone checkpoint\n";
/// The number of the format.
const FORMAT: u32 = 1;
/// Bytes of a digest.
const DIGEST: u64 = 32;
/// The most bytes of a header: a job may hold a certificate.
const MOST_HEADER: u64 = 1 << 30;
/// Bytes are handed on in pieces of this size, of which so many may wait for the disk: two gigabytes. A
/// search that had to wait for a slow disk would stop for many seconds.
const PIECE: usize = 1 << 20;
const WAITING: usize = 1 << 11;
/// How far apart checkpoints are where nobody says so.
pub(crate) const USUAL: Duration = Duration::from_secs(60);

/// What a checkpoint says of its job.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Header {
    /// The version of the program.
    version: String,
    /// The job.
    pub(crate) job: Job,
    /// Which rules the game has: their version and the digest of the file that they are read from.
    rules: (u32, Option<String>),
    /// Where the proof goes.
    pub(crate) proof: Option<PathBuf>,
    /// How far apart checkpoints are, in seconds.
    pub(crate) every: f64,
}

fn rules_of(game: &AnyGame) -> (u32, Option<String>) {
    let Rules { version, digest, .. } = match game.opened() {
        Opened::InTurn(game) => game.rules(),
        Opened::Joint(game) => game.rules(),
    };
    (version, digest)
}

/// This program, as checkpoints name it: one by another version may count otherwise.
fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

impl Header {
    /// That of a job.
    pub(crate) fn new(game: &AnyGame, job: &Job, proof: Option<&Path>, every: Duration) -> Header {
        Header {
            version: version(),
            job: job.clone(),
            rules: rules_of(game),
            proof: proof.map(Path::to_path_buf),
            every: every.as_secs_f64(),
        }
    }

    /// Refuses a game whose rules are not those of the checkpoint.
    pub(crate) fn fits(&self, game: &AnyGame) -> Result<(), Error> {
        match rules_of(game) == self.rules {
            true => Ok(()),
            false => Err(Error::input(format!(
                "the rules of {} are not those that the checkpoint was made with",
                game.name()
            ))
            .help("the file with the rules was changed since; put the old one back")),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        // Plain data: it always has a text.
        let json = serde_json::to_vec(self).unwrap_or_default();
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&FORMAT.to_le_bytes());
        bytes.extend_from_slice(&(json.len() as u64).to_le_bytes());
        bytes.extend(json);
        bytes
    }
}

/// Keeps checkpoints in a file.
pub(crate) struct FileKeeper {
    path: PathBuf,
    header: Vec<u8>,
    every: Duration,
    last: Duration,
    /// The one that is on its way to the disk.
    writing: Option<JoinHandle<io::Result<u64>>>,
    /// Whether there is a file by now.
    pub(crate) written: bool,
    /// Whether a failure was told.
    warned: bool,
    /// What was kept since somebody asked: how long the search waited, and the bytes.
    pub(crate) news: Vec<(Duration, u64)>,
}

/// The same, for who keeps and for who asks afterwards.
#[derive(Clone)]
pub(crate) struct SharedKeeper(pub(crate) Rc<RefCell<FileKeeper>>);

impl Keeper for SharedKeeper {
    fn due(&mut self, elapsed: Duration) -> bool {
        self.0.borrow_mut().due(elapsed)
    }

    fn keep(&mut self, write: &mut WriteOut<'_>) {
        self.0.borrow_mut().keep(write);
    }
}

impl FileKeeper {
    /// Keeps checkpoints of a job in this file. One that is there already is replaced.
    pub(crate) fn shared(path: &Path, header: &Header, written: bool) -> SharedKeeper {
        remove_remains(path);
        SharedKeeper(Rc::new(RefCell::new(FileKeeper {
            path: path.to_path_buf(),
            header: header.bytes(),
            every: Duration::try_from_secs_f64(header.every).unwrap_or(USUAL),
            last: Duration::ZERO,
            writing: None,
            written,
            warned: false,
            news: Vec::new(),
        })))
    }

    fn due(&mut self, elapsed: Duration) -> bool {
        if elapsed < self.last + self.every {
            return false;
        }
        // A disk that is slower than that has no time for another one.
        if self.writing.as_ref().is_some_and(|thread| !thread.is_finished()) {
            return false;
        }
        self.last = elapsed;
        true
    }

    fn keep(&mut self, write: &mut WriteOut<'_>) {
        self.finish();
        let began = Instant::now();
        let (path, part) = (self.path.clone(), beside(&self.path));
        let file = match begin(&part) {
            Ok(file) => file,
            Err(error) => return self.failed(&error),
        };
        let (send, receive) = sync_channel(WAITING);
        let thread = std::thread::spawn(move || to_disk(file, &part, &path, &receive));
        let mut pieces = Pieces { send, piece: Vec::with_capacity(PIECE), bytes: 0 };
        let kept = pieces.write_all(&self.header).and_then(|()| write(&mut pieces));
        let kept = match kept {
            Ok(true) => pieces.end().map(|()| true),
            other => other,
        };
        self.news.push((began.elapsed(), pieces.bytes));
        drop(pieces);
        self.writing = Some(thread);
        if !matches!(kept, Ok(true)) {
            // The thread knows why, or there was nothing to keep.
            self.news.pop();
            self.finish();
        }
    }

    /// Waits for the disk.
    pub(crate) fn finish(&mut self) {
        let Some(thread) = self.writing.take() else { return };
        match thread.join() {
            Ok(Ok(0)) => {}
            Ok(Ok(_)) => self.written = true,
            Ok(Err(error)) => self.failed(&error),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }

    fn failed(&mut self, error: &io::Error) {
        if !self.warned {
            self.warned = true;
            warn(&format!(
                "the checkpoint {} can't be written: {}",
                self.path.display(),
                plain(error)
            ));
        }
    }

    /// Says how to go on, or takes the file away where there is nothing to go on with.
    pub(crate) fn end(&mut self, answered: bool) -> Option<String> {
        self.finish();
        if !self.written {
            return None;
        }
        let path = self.path.display();
        if !answered {
            return Some(format!("the checkpoint is in {path}: `foregone resume {path}` goes on"));
        }
        if let Err(error) = std::fs::remove_file(&self.path) {
            warn(&format!("the checkpoint {path} can't be removed: {}", plain(&error)));
        }
        None
    }
}

/// Where a file is written before it takes its place. Each process has its own: two that go on from one
/// checkpoint would write into each other's.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    PathBuf::from(name)
}

/// Begins such a file. It is locked for as long as it is being written.
fn begin(part: &Path) -> io::Result<File> {
    let file = File::create(part)?;
    // Where files can't be locked, what a process that was killed has left stays.
    let _ = file.try_lock();
    Ok(file)
}

/// Removes what processes that were killed have left beside a checkpoint.
fn remove_remains(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return };
    let Ok(entries) = std::fs::read_dir(folder.unwrap_or(Path::new("."))) else { return };
    for entry in entries.flatten() {
        let other = entry.file_name();
        let middle = other
            .to_str()
            .and_then(|other| other.strip_prefix(name)?.strip_prefix('.')?.strip_suffix(".part"));
        let is_part =
            middle.is_some_and(|id| !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit()));
        // Who is writing holds its lock.
        if is_part && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Refuses to keep checkpoints where other files go.
pub(crate) fn is_apart(path: &Path, others: &[(&str, Option<&Path>)]) -> Result<(), Error> {
    let place = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    };
    for (what, other) in others {
        if let Some(other) = other
            && (*other == path || place(other).is_some_and(|other| place(path) == Some(other)))
        {
            let name = path.display();
            let message = format!("{name} can't be the checkpoint and {what} at once");
            return Err(Error::input(message).help("give the checkpoint a file of its own"));
        }
    }
    Ok(())
}

/// The same, and refuses a file that is there already.
pub(crate) fn can_be_at(path: &Path, others: &[(&str, Option<&Path>)]) -> Result<(), Error> {
    is_apart(path, others)?;
    let name = path.display();
    let Ok(kind) = std::fs::metadata(path) else { return Ok(()) };
    let mut magic = [0; MAGIC.len()];
    let is_checkpoint = kind.is_file()
        && File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok()
        && magic == MAGIC;
    Err(match is_checkpoint {
        true => Error::input(format!("{name} holds a checkpoint already"))
            .help(format!("`foregone resume {name}` goes on with it; remove it to begin anew")),
        false => Error::input(format!("{name} is there already, and is not a checkpoint"))
            .help("a checkpoint would take its place, and be removed at the end"),
    })
}

/// A piece of a checkpoint, or its end.
type Piece = Option<Vec<u8>>;

/// Takes bytes and hands them on in pieces.
struct Pieces {
    send: SyncSender<Piece>,
    piece: Vec<u8>,
    bytes: u64,
}

impl Pieces {
    fn hand_on(&mut self, next: usize) -> io::Result<()> {
        let piece = std::mem::replace(&mut self.piece, Vec::with_capacity(next));
        self.bytes += piece.len() as u64;
        self.sent(Some(piece))
    }

    fn sent(&self, piece: Piece) -> io::Result<()> {
        // Only a disk that failed ends the thread, which says why.
        self.send.send(piece).map_err(|_| io::Error::other("the disk failed"))
    }

    fn end(&mut self) -> io::Result<()> {
        self.hand_on(0)?;
        self.sent(None)
    }
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.piece.extend_from_slice(bytes);
        if self.piece.len() >= PIECE {
            self.hand_on(PIECE)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes the pieces and their digest, and lets the file take its place. How many bytes it has; none if
/// there was no end.
fn to_disk(file: File, part: &Path, path: &Path, pieces: &Receiver<Piece>) -> io::Result<u64> {
    let written = write_pieces(file, part, path, pieces);
    if !matches!(written, Ok(1..)) {
        let _ = std::fs::remove_file(part);
    }
    written
}

fn write_pieces(
    mut file: File,
    part: &Path,
    path: &Path,
    pieces: &Receiver<Piece>,
) -> io::Result<u64> {
    let mut digest = Sha256::new();
    let mut bytes = 0;
    loop {
        match pieces.recv() {
            Ok(Some(piece)) => {
                digest.update(&piece);
                file.write_all(&piece)?;
                bytes += piece.len() as u64;
            }
            Ok(None) => break,
            Err(_) => return Ok(0),
        }
    }
    file.write_all(&digest.finalize())?;
    file.sync_all()?;
    std::fs::rename(part, path)?;
    // The name is on the disk when the folder is.
    if let Some(folder) = path.parent()
        && let Ok(folder) =
            File::open(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })
    {
        let _ = folder.sync_all();
    }
    Ok(bytes + DIGEST)
}

/// A checkpoint that was read: what it says of its job, and what the library wrote.
pub(crate) fn read(path: &Path) -> Result<(Header, Box<dyn Read>), Error> {
    let name = path.display();
    let unreadable = |e: &io::Error| Error::input(format!("{name} can't be read: {}", plain(e)));
    let refused = |what: &str| Error::input(format!("{name} {what}"));
    let kind = std::fs::metadata(path).map_err(|e| unreadable(&e))?;
    if !kind.is_file() {
        return Err(refused("is not a file"));
    }
    let mut file = File::open(path).map_err(|e| unreadable(&e))?;
    // Step 1: what it is.
    let mut magic = [0; MAGIC.len()];
    if file.read_exact(&mut magic).is_err() || magic != MAGIC {
        return Err(refused("is not a checkpoint"));
    }
    let mut number = [0; 4];
    let cut = || refused("is cut: it ends before the checkpoint does");
    file.read_exact(&mut number).map_err(|_| cut())?;
    let format = u32::from_le_bytes(number);
    if format != FORMAT {
        return Err(refused(&format!(
            "has the format {format} of checkpoints, and this program reads {FORMAT}"
        )));
    }
    // Step 2: that it is whole.
    let length = kind.len().checked_sub(DIGEST).ok_or_else(cut)?;
    digest_fits(&mut file, length).map_err(|e| unreadable(&e))?.then_some(()).ok_or_else(|| {
        refused("is damaged: its digest is not that of what it holds")
            .help("it was cut or changed after it was written")
    })?;
    // Step 3: its job.
    let start = (MAGIC.len() + 4) as u64;
    file.seek(SeekFrom::Start(start)).map_err(|e| unreadable(&e))?;
    let mut number = [0; 8];
    file.read_exact(&mut number).map_err(|_| cut())?;
    let size = u64::from_le_bytes(number);
    let rest = length.checked_sub(start + 8 + size).filter(|_| size <= MOST_HEADER);
    let rest = rest.ok_or_else(|| refused("is damaged: its header does not fit"))?;
    let mut json = Vec::new();
    Read::take(&mut file, size).read_to_end(&mut json).map_err(|e| unreadable(&e))?;
    let version_of = |json: &[u8]| -> Option<String> {
        let value: serde_json::Value = serde_json::from_slice(json).ok()?;
        Some(value.get("version")?.as_str()?.to_owned())
    };
    match version_of(&json) {
        None => return Err(refused("is damaged: it does not name a job")),
        Some(other) if other != version() => {
            return Err(refused(&format!(
                "was written by foregone {other}, and this is foregone {}",
                version()
            ))
            .help("resume it with the program that wrote it"));
        }
        Some(_) => {}
    }
    let header: Header = serde_json::from_slice(&json)
        .map_err(|e| refused(&format!("is damaged: it does not name a job: {e}")))?;
    Ok((header, Box::new(BufReader::with_capacity(PIECE, file).take(rest))))
}

/// Whether the digest behind so many bytes is theirs.
fn digest_fits(file: &mut File, length: u64) -> io::Result<bool> {
    file.seek(SeekFrom::Start(0))?;
    let mut digest = Sha256::new();
    let mut piece = vec![0; PIECE];
    let mut left = length;
    while left > 0 {
        let most = piece.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let read = file.read(&mut piece[..most])?;
        if read == 0 {
            return Ok(false);
        }
        digest.update(&piece[..read]);
        left -= read as u64;
    }
    let mut told = [0; DIGEST as usize];
    file.read_exact(&mut told)?;
    Ok(digest.finalize().as_slice() == told)
}
