//! Certificates of games in turn: written, kept and replayed, piece by piece.
//!
//! The text of a certificate may be larger than the memory. It goes to an [`Archive`] where there is one,
//! and the checker reads it from there. With several threads one writes and another one checks what
//! the first has written.

use std::io::{self, BufRead, Read};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use foregone_model::certificate::{self, CheckError, Manner, Wrote};
use foregone_model::{Claim, Guide, Notation, WeakSolution};

use crate::observe::{Meter, Work, stopped};
use crate::verify::Watched;

/// Where texts of certificates are kept while they are made and checked: files, in most cases. Who can't
/// keep one remembers why; the answer is then one without a proof.
pub trait Archive: Send + Sync {
    /// Begins a text, and tells its number.
    fn begin(&self) -> io::Result<u32>;

    /// Adds to a text.
    fn append(&self, text: u32, piece: &str) -> io::Result<()>;

    /// Reads a text from its beginning.
    fn read(&self, text: u32) -> io::Result<Box<dyn BufRead>>;

    /// Nobody wants this text any more.
    fn discard(&self, text: u32);
}

/// The text of a certificate.
pub(crate) enum ProofText<'a> {
    Held(String),
    Archived(&'a dyn Archive, u32),
}

/// The texts of the certificates of an answer, in their order: one behind the other, or their numbers in an
/// archive.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProofTexts {
    pub(crate) held: String,
    pub(crate) archived: Vec<u32>,
}

impl ProofTexts {
    pub(crate) fn push(&mut self, text: ProofText<'_>) {
        match text {
            ProofText::Held(text) => self.held.push_str(&text),
            ProofText::Archived(_, number) => self.archived.push(number),
        }
    }

    pub(crate) fn append(&mut self, more: ProofTexts) {
        self.held.push_str(&more.held);
        self.archived.extend(more.archived);
    }
}

impl<'a> ProofText<'a> {
    fn begin(archive: Option<&'a dyn Archive>) -> io::Result<ProofText<'a>> {
        match archive {
            None => Ok(ProofText::Held(String::new())),
            Some(archive) => Ok(ProofText::Archived(archive, archive.begin()?)),
        }
    }

    fn append(&mut self, piece: &str) -> io::Result<()> {
        match self {
            ProofText::Held(text) => {
                text.push_str(piece);
                Ok(())
            }
            ProofText::Archived(archive, number) => archive.append(*number, piece),
        }
    }

    fn read(&self) -> io::Result<Box<dyn BufRead + '_>> {
        match self {
            ProofText::Held(text) => Ok(Box::new(text.as_bytes())),
            ProofText::Archived(archive, number) => {
                let text: Box<dyn BufRead> = archive.read(*number)?;
                Ok(text)
            }
        }
    }

    /// The bytes that it takes in memory.
    fn bytes(&self) -> u64 {
        match self {
            ProofText::Held(text) => text.capacity() as u64,
            ProofText::Archived(..) => 0,
        }
    }

    /// Throws it away.
    pub(crate) fn discard(self) {
        if let ProofText::Archived(archive, number) = self {
            archive.discard(number);
        }
    }
}

/// A certificate that was made and replayed.
pub(crate) struct Certified<'a, T> {
    pub(crate) text: ProofText<'a>,
    /// What the checker says.
    pub(crate) proved: T,
    /// How many bytes making it took at its peak.
    pub(crate) peak_bytes: u64,
}

/// What a certificate is made of.
pub(crate) struct Material<'s, G: Guide> {
    pub(crate) game: &'s G,
    pub(crate) start: &'s G::State,
    pub(crate) claim: Claim,
    pub(crate) solution: &'s WeakSolution<G::Move>,
    pub(crate) manner: Manner,
}

/// How far the checker may be behind the writer, in pieces.
const AHEAD: usize = 4;
/// How long it waits for a piece before it looks whether the job is to end.
const GLANCE: Duration = Duration::from_millis(20);

/// Writes a certificate and replays it: what is checked is the very text that is kept. Nothing if the job is
/// to end before, or if the text can't be kept.
pub(crate) fn certify<'a, G: Guide + Notation, T>(
    material: &Material<'_, G>,
    archive: Option<&'a dyn Archive>,
    threads: u32,
    meter: &mut Meter<'_>,
    replay: impl FnOnce(&mut dyn BufRead) -> Result<T, CheckError>,
) -> Result<Option<Certified<'a, T>>, CheckError> {
    let Ok(mut text) = ProofText::begin(archive) else { return Ok(None) };
    let made = match threads > 1 && !cfg!(target_family = "wasm") {
        true => together(material, &mut text, meter, replay),
        false => one_after_the_other(material, &mut text, meter, replay),
    };
    match made {
        Ok(Some((wrote, proved))) => {
            let peak_bytes = wrote.peak_bytes + text.bytes();
            Ok(Some(Certified { text, proved, peak_bytes }))
        }
        other => {
            text.discard();
            other.map(|_| None)
        }
    }
}

fn one_after_the_other<G: Guide + Notation, T>(
    material: &Material<'_, G>,
    text: &mut ProofText<'_>,
    meter: &mut Meter<'_>,
    replay: impl FnOnce(&mut dyn BufRead) -> Result<T, CheckError>,
) -> Result<Option<(Wrote, T)>, CheckError> {
    let &Material { game, start, claim, solution, manner } = material;
    let mut length = 0;
    let mut take = |piece: &str| {
        length += piece.len() as u64;
        text.append(piece).is_ok()
    };
    let mut writes = |done, all| meter.writes(done, all);
    let wrote = certificate::write_to(game, start, claim, solution, manner, &mut take, &mut writes);
    let (Some(wrote), Ok(input)) = (wrote, text.read()) else { return Ok(None) };
    let share = |read: u64| read as f64 / length.max(1) as f64;
    let proved = meter.replay_from(input, &share, replay)?;
    Ok(proved.map(|proved| (wrote, proved)))
}

fn together<G: Guide + Notation, T>(
    material: &Material<'_, G>,
    text: &mut ProofText<'_>,
    meter: &mut Meter<'_>,
    replay: impl FnOnce(&mut dyn BufRead) -> Result<T, CheckError>,
) -> Result<Option<(Wrote, T)>, CheckError> {
    let &Material { game, start, claim, solution, manner } = material;
    let (ends, share) = (AtomicBool::new(false), AtomicU64::new(0));
    let (send, pieces) = sync_channel::<String>(AHEAD);
    let write = || {
        let mut take = |piece: &str| send.send(piece.to_owned()).is_ok();
        let mut goes_on = |done: u64, all: u64| {
            share.store((done as f64 / all.max(1) as f64).to_bits(), Ordering::Relaxed);
            !ends.load(Ordering::Relaxed)
        };
        let wrote =
            certificate::write_to(game, start, claim, solution, manner, &mut take, &mut goes_on);
        // Who reads sees the end of the text when this is gone.
        drop(send);
        wrote
    };
    let (clock, cancel, began, time) = (meter.clock, meter.cancel, meter.began, meter.time);
    let ended = || stopped(clock, cancel, began, time).is_some();
    let (wrote, proved, failed) = std::thread::scope(|scope| {
        let writer = scope.spawn(write);
        let mut failed = false;
        let arriving = Arriving {
            pieces,
            now: String::new(),
            at: 0,
            text,
            failed: &mut failed,
            ended: &ended,
        };
        let share = |_: u64| f64::from_bits(share.load(Ordering::Relaxed));
        let proved = meter.replay_from(arriving, &share, replay);
        // The end that pieces arrive at is gone by now, so a writer that is not done ends, too.
        ends.store(true, Ordering::Relaxed);
        let wrote = writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (wrote, proved, failed)
    });
    match proved {
        _ if failed => Ok(None),
        Ok(Some(proved)) => Ok(wrote.map(|wrote| (wrote, proved))),
        Ok(None) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A text that another thread is writing. What was read is kept.
struct Arriving<'t, 'a> {
    pieces: Receiver<String>,
    now: String,
    at: usize,
    text: &'t mut ProofText<'a>,
    /// It can't be kept, or the job is to end.
    failed: &'t mut bool,
    ended: &'t dyn Fn() -> bool,
}

impl Arriving<'_, '_> {
    /// Waits for the next piece. The text is at its end when none comes any more.
    fn next(&mut self) -> io::Result<()> {
        let piece = loop {
            match self.pieces.recv_timeout(GLANCE) {
                Ok(piece) => break piece,
                Err(RecvTimeoutError::Disconnected) => break String::new(),
                Err(RecvTimeoutError::Timeout) if (self.ended)() => {
                    *self.failed = true;
                    return Err(io::Error::other("the job is to end"));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        let kept = self.text.append(&piece);
        *self.failed |= kept.is_err();
        (self.now, self.at) = (piece, 0);
        kept
    }
}

impl BufRead for Arriving<'_, '_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.now.len() {
            self.next()?;
        }
        Ok(&self.now.as_bytes()[self.at..])
    }

    fn consume(&mut self, amount: usize) {
        self.at += amount;
    }
}

impl Read for Arriving<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl Meter<'_> {
    /// Whether writing a certificate goes on, of which so many of all lines are done.
    pub(crate) fn writes(&mut self, done: u64, all: u64) -> bool {
        self.stopped(Work::Writing, done, done as f64 / all.max(1) as f64).is_none()
    }

    /// Replays a certificate that is in memory; nothing if the job is to end before.
    pub(crate) fn replay<T>(
        &mut self,
        text: &[u8],
        replay: impl FnOnce(&mut dyn BufRead) -> Result<T, CheckError>,
    ) -> Result<Option<T>, CheckError> {
        let share = |read: u64| read as f64 / text.len().max(1) as f64;
        self.replay_from(text, &share, replay)
    }

    /// The same of one that is read from anywhere; `share` tells how much is done when so many bytes were
    /// read.
    fn replay_from<T>(
        &mut self,
        text: impl BufRead,
        share: &dyn Fn(u64) -> f64,
        replay: impl FnOnce(&mut dyn BufRead) -> Result<T, CheckError>,
    ) -> Result<Option<T>, CheckError> {
        let mut last = 0;
        let mut goes_on = |done: u64| {
            last = done;
            self.stopped(Work::Checking, done, share(done)).is_none()
        };
        let mut watched = Watched::new(text, &mut goes_on);
        let proved = replay(&mut watched);
        let ended = watched.stopped();
        drop(watched);
        match proved {
            Err(_) if ended => Ok(None),
            // Rules that play for themselves before they check end with the job, too.
            Err(error)
                if error.rules_broken && self.stopped(Work::Checking, last, 1.0).is_some() =>
            {
                Ok(None)
            }
            proved => proved.map(Some),
        }
    }
}
