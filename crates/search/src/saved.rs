//! A search written down, and read back by another process.
//!
//! A driver writes what it holds at a point at which it can go on, and begins from there when its watch
//! has such a text ([`Watch::saved`]). With one thread it then does what it would
//! have done without a break. What is read may be damaged or forged: lengths are believed only as far
//! as there are bytes, and numbers of nodes are looked at before they are used. A forged value can
//! mislead a search, and then its proof is refused.

use std::io::{self, Read, Write};

use foregone_model::stored::{Stored, restore_line, store_line};
use foregone_model::{Line, Outcome, Side, Space, WeakSolution};

use crate::report::{Counts, Progress, Solution, StopReason, View, Watch};

/// So many bytes are handed on at a time.
const CHUNK: usize = 1 << 18;
/// No value takes more bytes than this.
const LARGEST: usize = 1 << 16;

/// Takes down a search. Bytes go on in large pieces.
pub struct Writer<'a> {
    out: &'a mut dyn Write,
    buffer: Vec<u8>,
}

impl<'a> Writer<'a> {
    /// A writer to this.
    pub fn new(out: &'a mut dyn Write) -> Writer<'a> {
        Writer { out, buffer: Vec::with_capacity(CHUNK + LARGEST) }
    }

    /// Where the bytes of the next value go.
    #[inline]
    pub fn room(&mut self) -> io::Result<&mut Vec<u8>> {
        if self.buffer.len() >= CHUNK {
            self.flush()?;
        }
        Ok(&mut self.buffer)
    }

    /// Writes a value.
    #[inline]
    pub fn put<T: Stored>(&mut self, value: &T) -> io::Result<()> {
        value.store(self.room()?);
        Ok(())
    }

    /// Hands on what is left.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}

/// Reads a search that was taken down.
pub struct Reader<'a> {
    from: &'a mut dyn Read,
    buffer: Vec<u8>,
    at: usize,
    ended: bool,
}

impl<'a> Reader<'a> {
    /// A reader of this.
    pub fn new(from: &'a mut dyn Read) -> Reader<'a> {
        Reader { from, buffer: Vec::new(), at: 0, ended: false }
    }

    /// The next value, as `restore` takes it from the front. Nothing if it is damaged.
    #[inline]
    pub fn next<T>(&mut self, restore: impl FnOnce(&mut &[u8]) -> Option<T>) -> Option<T> {
        if self.buffer.len() - self.at < LARGEST && !self.ended {
            self.fill()?;
        }
        let mut rest = &self.buffer[self.at..];
        let value = restore(&mut rest);
        self.at = self.buffer.len() - rest.len();
        value
    }

    /// The next value.
    #[inline]
    pub fn get<T: Stored>(&mut self) -> Option<T> {
        self.next(T::restore)
    }

    /// A number of things that come next, at most so many.
    pub(crate) fn count(&mut self, most: usize) -> Option<usize> {
        self.get::<usize>().filter(|&count| count <= most)
    }

    #[cold]
    fn fill(&mut self) -> Option<()> {
        self.buffer.drain(..self.at);
        self.at = 0;
        let wanted = (CHUNK + LARGEST - self.buffer.len()) as u64;
        let read = Read::take(&mut *self.from, wanted).read_to_end(&mut self.buffer).ok()?;
        self.ended = (read as u64) < wanted;
        Some(())
    }
}

foregone_model::stored!(Counts { expansions, nodes, playouts, peak_bytes });

impl Stored for StopReason {
    fn store(&self, out: &mut Vec<u8>) {
        out.push(*self as u8);
    }

    fn restore(from: &mut &[u8]) -> Option<StopReason> {
        use StopReason::{Interrupted, Memory, Nodes, Orders, Solved, Time};
        let all = [Solved, Nodes, Memory, Time, Interrupted, Orders];
        all.get(usize::from(u8::restore(from)?)).copied()
    }
}

/// How a search that could not be read back ends: the watch knows why.
pub(crate) fn refused<Sp: Space>(
    space: &Sp,
    watch: &mut dyn Watch<Sp::Step>,
) -> crate::Report<Sp::Step> {
    watch.unreadable();
    crate::Report {
        stop: StopReason::Interrupted,
        bounds: (Outcome(0), space.best()),
        solutions: Vec::new(),
        line: Vec::new(),
        found: Vec::new(),
        cost: None,
        counts: Counts::default(),
    }
}

/// Writes steps.
pub(crate) fn put_steps<Sp: Space>(
    out: &mut Writer<'_>,
    space: &Sp,
    steps: &[Sp::Step],
) -> io::Result<()> {
    out.put(&steps.len())?;
    for &step in steps {
        space.store_step(step, out.room()?);
    }
    Ok(())
}

/// Reads steps.
pub(crate) fn get_steps<Sp: Space>(from: &mut Reader<'_>, space: &Sp) -> Option<Vec<Sp::Step>> {
    let count = from.get::<usize>()?;
    let mut steps = Vec::new();
    for _ in 0..count {
        steps.push(from.next(|bytes| space.restore_step(bytes))?);
    }
    Some(steps)
}

/// Writes lines of a solution.
pub(crate) fn put_lines<Sp: Space>(
    out: &mut Writer<'_>,
    space: &Sp,
    lines: &[Line<Sp::Step>],
) -> io::Result<()> {
    out.put(&lines.len())?;
    for line in lines {
        store_line(line, |step, bytes| space.store_step(step, bytes), out.room()?);
    }
    Ok(())
}

/// Reads lines of a solution.
pub(crate) fn get_lines<Sp: Space>(
    from: &mut Reader<'_>,
    space: &Sp,
) -> Option<Vec<Line<Sp::Step>>> {
    let count = from.get::<usize>()?;
    let mut lines = Vec::new();
    for _ in 0..count {
        lines.push(from.next(|bytes| restore_line(bytes, |step| space.restore_step(step)))?);
    }
    Some(lines)
}

/// The proof of a finished search, as far as it is made.
#[derive(Clone)]
pub(crate) struct Proving<M> {
    /// How many claims were proved, or could not be.
    pub(crate) tried: usize,
    /// The solutions that were found.
    pub(crate) done: Vec<Solution<M>>,
    /// The lines of the one at hand.
    pub(crate) lines: Vec<Line<M>>,
}

impl<M> Proving<M> {
    /// Nothing is made yet.
    pub(crate) fn new() -> Proving<M> {
        Proving { tried: 0, done: Vec::new(), lines: Vec::new() }
    }
}

/// Writes a proof that is being made.
pub(crate) fn put_proving<Sp: Space>(
    out: &mut Writer<'_>,
    space: &Sp,
    (tried, done): (usize, &[Solution<Sp::Step>]),
    lines: &[Line<Sp::Step>],
) -> io::Result<()> {
    out.put(&(tried, done.len()))?;
    for solution in done {
        out.put(&(solution.at_least, solution.weak.prover))?;
        put_lines(out, space, &solution.weak.lines)?;
    }
    put_lines(out, space, lines)
}

/// Reads a proof that was being made.
pub(crate) fn get_proving<Sp: Space>(
    from: &mut Reader<'_>,
    space: &Sp,
) -> Option<Proving<Sp::Step>> {
    let (tried, count) = (from.get()?, from.count(usize::from(u16::MAX))?);
    let mut done = Vec::new();
    for _ in 0..count {
        let (at_least, prover) = from.get::<(Outcome, Side)>()?;
        let lines = get_lines(from, space)?;
        done.push(Solution { at_least, weak: WeakSolution { prover, lines } });
    }
    Some(Proving { tried, done, lines: get_lines(from, space)? })
}

/// A search that is seen while its proof is made: it writes itself down, and then the proof so far.
pub(crate) struct WithProof<'a, Sp: Space> {
    pub(crate) space: &'a Sp,
    pub(crate) search: &'a dyn View<Sp::Step>,
    pub(crate) bounds: (Outcome, Outcome),
    pub(crate) done: (usize, &'a [Solution<Sp::Step>]),
    pub(crate) lines: &'a [Line<Sp::Step>],
}

impl<Sp: Space> View<Sp::Step> for WithProof<'_, Sp> {
    fn bounds(&self) -> (Outcome, Outcome) {
        self.bounds
    }

    fn root_text(&self) -> String {
        "proof".to_owned()
    }

    fn save(&self, out: &mut Writer<'_>) -> io::Result<bool> {
        Ok(self.search.save(out)? && {
            put_proving(out, self.space, self.done, self.lines)?;
            true
        })
    }
}

/// Shows a watch a search that goes on while a proof is made.
pub(crate) struct ProofWatch<'a, Sp: Space> {
    pub(crate) space: &'a Sp,
    pub(crate) done: (usize, &'a [Solution<Sp::Step>]),
    pub(crate) lines: &'a [Line<Sp::Step>],
    pub(crate) watch: &'a mut dyn Watch<Sp::Step>,
}

impl<Sp: Space> Watch<Sp::Step> for ProofWatch<'_, Sp> {
    fn tick(&mut self, progress: &Progress<'_, Sp::Step>) -> std::ops::ControlFlow<StopReason> {
        let &mut ProofWatch { space, done, lines, .. } = self;
        let bounds = progress.bounds();
        let view = WithProof { space, search: progress.view(), bounds, done, lines };
        self.watch.tick(&Progress::new(progress.counts, &view))
    }
}
