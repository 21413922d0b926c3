//! Retrograde analysis: what every position of a class is worth, worked out backwards from the ends.
//!
//! After K. Thompson (*Retrograde Analysis of Certain Endgames*, 1986), and J. Romein and H. Bal
//! (*Solving the Game of Awari using Parallel Retrograde Analysis*, 2003) for scores. A class is
//! numbered ([`ClassMoves`]); its cells stand in one array, and the classes that its moves lead to
//! are finished. Positions are decided in the order of their distances, so the first decision is the
//! shortest.
//!
//! What is in a cell is true at any moment, or a distance that may still get smaller before its turn
//! comes. So work that was stopped anywhere can be taken up again at any earlier stage, and threads
//! need no locks.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU64, Ordering::Relaxed};

use foregone_model::cell::Layout;
use foregone_model::table::Window;
use foregone_model::tabled::{ClassMoves, Step, Unmove};
use foregone_model::{Endless, Outcome, Scale};

mod reversed;
mod rows;
mod scores;
mod words;

pub use reversed::Reversed;

/// Cells that threads share.
#[derive(Clone, Copy, Debug)]
pub enum Cells<'a> {
    /// One byte each.
    One(&'a [AtomicU8]),
    /// Two bytes each.
    Two(&'a [AtomicU16]),
}

/// The cells of a class that is finished.
#[derive(Clone, Copy, Debug)]
pub enum Finished<'a> {
    /// One byte each.
    One(&'a [u8]),
    /// Two bytes each.
    Two(&'a [u16]),
    /// Of either size, in memory that is shared.
    Shared(Cells<'a>),
}

impl Finished<'_> {
    /// The cell of a number.
    #[inline]
    pub fn get(&self, index: u64) -> u16 {
        match self {
            Finished::One(cells) => cells[index as usize].into(),
            Finished::Two(cells) => cells[index as usize],
            Finished::Shared(Cells::One(cells)) => cells[index as usize].load(Relaxed).into(),
            Finished::Shared(Cells::Two(cells)) => cells[index as usize].load(Relaxed),
        }
    }
}

/// A class that moves lead to.
#[derive(Clone, Copy, Debug)]
pub struct Below<'a> {
    /// What its cells mean.
    pub layout: Layout,
    /// What is open there is worth, for positions of the table; nothing if it is worth nothing.
    pub open: Option<Outcome>,
    /// Its cells.
    pub cells: Finished<'a>,
}

/// What is to be worked out: one window of the outcomes of one class.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    /// The moves.
    pub moves: &'a dyn ClassMoves,
    /// What the cells mean.
    pub layout: Layout,
    /// What is open is worth, for positions of the table; nothing if it is worth nothing.
    pub open: Option<Outcome>,
    /// The best outcome of the scale.
    pub best: Outcome,
    /// The classes that moves lead to, in the order of their slots.
    pub below: &'a [Below<'a>],
    /// How many threads work.
    pub threads: usize,
}

/// How far a build is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Cells from this number on were not looked at.
    Looking(u64),
    /// Positions of this distance are next. Where outcomes are scores: those this far from what
    /// endless play is worth.
    Deciding {
        /// How far from the score of endless play; 1 where outcomes are words.
        gain: u16,
        /// The distance.
        distance: u32,
    },
    /// All that can be forced is decided; what is left is open.
    Closing,
    /// Nothing is left to do.
    Done,
}

/// Who hears of a build.
pub trait BuildWatch: Sync {
    /// So many cells were looked at since the last call. Whether to go on.
    fn goes_on(&self, cells: u64) -> bool;

    /// This stage was reached: work may be taken up there. All threads rest meanwhile. False ends the
    /// work.
    fn reached(&self, stage: Stage) -> bool;
}

/// How a build ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Built {
    /// All cells are final.
    Done,
    /// Somebody ended it.
    Stopped,
    /// A distance does not fit into the cells: take wider ones, with the same numbers in them, and go
    /// on at the stage reached last.
    TooNarrow,
}

/// Works out the cells of a class, from this stage on.
pub fn build(
    problem: &Problem<'_>,
    cells: Cells<'_>,
    from: Stage,
    watch: &dyn BuildWatch,
) -> Built {
    match (problem.layout, cells) {
        (Layout::Ends(_), Cells::One(cells)) => build_words(problem, cells, from, watch),
        (Layout::Ends(_), Cells::Two(cells)) => build_words(problem, cells, from, watch),
        (Layout::Scores(_), Cells::Two(cells)) => scores::build(problem, cells, from, watch),
        (Layout::Scores(_), Cells::One(_)) => Built::TooNarrow,
    }
}

/// The same where outcomes are words, in cells of any width.
fn build_words<C: Cell>(
    problem: &Problem<'_>,
    cells: &[C],
    from: Stage,
    watch: &dyn BuildWatch,
) -> Built {
    match problem.moves.by_rows() {
        Some(moves) => rows::Rows::new(problem, moves, cells, watch).build(from),
        None => words::Words::new(problem, cells, watch).build(from),
    }
}

/// The windows that the tables of a game need, each with cells of its own. One is enough, unless it takes
/// several questions to say what a position is worth: where endless play is worth nothing, or something
/// else than what lies in the middle of three words.
pub fn windows(scale: &Scale, endless: Endless) -> Vec<Window> {
    let best = scale.best();
    let one = match (best.0, endless) {
        (1, _) => true,
        (_, Endless::Undetermined) => false,
        _ if scale.scores().is_some() => true,
        (2, Endless::Impossible) => true,
        (2, Endless::Scores(o)) => o == Outcome(1),
        _ => false,
    };
    match one {
        true => vec![Window { low: Outcome(0), high: best }],
        false => (1..=best.0).map(|o| Window { low: Outcome(o - 1), high: Outcome(o) }).collect(),
    }
}

/// What the cells of a class mean that has outcomes from `least` on.
pub fn layout(scale: &Scale, window: Window, least: Outcome) -> Layout {
    match scale.scores().is_some() && !window.is_question() {
        true => Layout::Scores(least),
        false => Layout::Ends(window),
    }
}

/// A cell that threads share.
trait Cell: Sync {
    /// The largest number that fits.
    const LARGEST: u16;

    fn get(&self) -> u16;
    fn set(&self, cell: u16);
}

impl Cell for AtomicU8 {
    const LARGEST: u16 = 0xff;

    #[inline]
    fn get(&self) -> u16 {
        self.load(Relaxed).into()
    }

    #[inline]
    fn set(&self, cell: u16) {
        self.store(cell as u8, Relaxed);
    }
}

impl Cell for AtomicU16 {
    const LARGEST: u16 = 0xffff;

    #[inline]
    fn get(&self) -> u16 {
        self.load(Relaxed)
    }

    #[inline]
    fn set(&self, cell: u16) {
        self.store(cell, Relaxed);
    }
}

/// What a thread needs for its work.
#[derive(Default)]
struct Scratch {
    steps: Vec<Step>,
    unmoves: Vec<Unmove>,
}

/// How many cells make a slice: what a thread takes at a time.
const SLICE: u64 = 1 << 12;

/// How many cells are looked at between two stages that work can be taken up at.
const BAND: u64 = 1 << 22;

/// The slices of a class that hold cells to go on from, by distance.
struct Marks {
    /// For each slice a set of distances below 256; larger ones are there always.
    sets: Vec<[AtomicU64; 4]>,
    /// The largest distance.
    last: AtomicU64,
}

impl Marks {
    fn new(size: u64) -> Marks {
        let slices = size.div_ceil(SLICE) as usize;
        let sets = std::iter::repeat_with(Default::default).take(slices).collect();
        Marks { sets, last: AtomicU64::new(0) }
    }

    /// Notes a cell at this distance.
    #[inline]
    fn add(&self, index: u64, distance: u32) {
        let word = &self.sets[(index / SLICE) as usize][(distance / 64).min(3) as usize];
        let bit = if distance < 256 { 1 << (distance % 64) } else { 1 << 63 };
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
        }
        if self.last.load(Relaxed) < u64::from(distance) {
            self.last.fetch_max(distance.into(), Relaxed);
        }
    }

    /// Whether a slice may hold a cell at this distance.
    fn has(&self, slice: u64, distance: u32) -> bool {
        let (word, bit) = if distance < 255 { (distance / 64, distance % 64) } else { (3, 63) };
        self.sets[slice as usize][word as usize].load(Relaxed) >> bit & 1 == 1
    }

    fn last(&self) -> u32 {
        self.last.load(Relaxed) as u32
    }

    fn clear(&self) {
        for word in self.sets.iter().flatten() {
            word.store(0, Relaxed);
        }
        self.last.store(0, Relaxed);
    }
}

/// Lets threads work at the slices of a range that `wants` names. False if one of them, or the watch,
/// ended it.
fn in_slices(
    range: Range<u64>,
    threads: usize,
    watch: &dyn BuildWatch,
    wants: impl Fn(u64) -> bool + Sync,
    work: impl Fn(Range<u64>, &mut Scratch) -> bool + Sync,
) -> bool {
    let next = AtomicU64::new(range.start / SLICE);
    let end = range.end.div_ceil(SLICE);
    let stopped = AtomicBool::new(false);
    let run = || {
        let mut scratch = Scratch::default();
        while !stopped.load(Relaxed) {
            // Several at a time, as most of them may be passed over.
            let first = next.fetch_add(16, Relaxed);
            if first >= end {
                break;
            }
            for slice in (first..(first + 16).min(end)).filter(|&slice| wants(slice)) {
                let part = (slice * SLICE).max(range.start)..((slice + 1) * SLICE).min(range.end);
                let cells = part.end - part.start;
                if !work(part, &mut scratch) || !watch.goes_on(cells) {
                    stopped.store(true, Relaxed);
                    return;
                }
            }
        }
    };
    // Threads cost more than a few slices do.
    if threads <= 1 || end.saturating_sub(range.start / SLICE) < 32 {
        run();
    } else {
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(run);
            }
            run();
        });
    }
    !stopped.load(Relaxed)
}
