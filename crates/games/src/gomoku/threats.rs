//! Threats: which cells make a line, a four, a three.
//!
//! The words are those of five in a row, whatever the length: a *window* is as many cells in a line
//! as win, a *four* is a window that one more stone fills, a *three* one that needs two. The classes
//! of threats are those of V. Allis, H. J. van den Herik and M. Huntjens, *Go-Moku Solved by New Search
//! Techniques* (1994), and of T. Thomsen, *Lambda-Search in Game Trees* (2000): a move that makes a
//! four is a threat of order 1, a move after which fours alone would win is one of order 2. Ours is
//! how they are found: for all windows of a direction at once, each a bit at its highest cell, by
//! counting what is missing in them; and which moves can be left out as threats of order 2.

use foregone_model::{Agent, Side};

use super::space::Search;
use super::{Gomoku, State};
use crate::board::Word;

/// A direction in which lines run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Direction<W> {
    /// How far apart as bits two neighbours are.
    stride: u32,
    /// The highest cells of all windows.
    tops: W,
}

/// The directions on a board of this size, with windows of this length.
pub(super) fn directions<W: Word>(size: u32, length: u32) -> [Direction<W>; 4] {
    let tops = |keep: &dyn Fn(u32, u32) -> bool| {
        (0..size * size)
            .filter(|cell| keep(cell / size, cell % size))
            .fold(W::ZERO, |w, cell| w | W::bit(cell))
    };
    let room = length - 1;
    [
        Direction { stride: 1, tops: tops(&|_, c| c >= room) },
        Direction { stride: size, tops: tops(&|r, _| r >= room) },
        Direction { stride: size + 1, tops: tops(&|r, c| r >= room && c >= room) },
        Direction { stride: size - 1, tops: tops(&|r, c| r >= room && c + room < size) },
    ]
}

/// How many missing stones are told apart: none, one, two, three.
const COUNTED: usize = 4;

impl<W: Word> Gomoku<W> {
    /// The windows of a direction without a cell outside of `own` and `free`, by how many of their
    /// cells are not in `own`.
    #[inline]
    fn windows(&self, d: &Direction<W>, own: W, free: W) -> [W; COUNTED] {
        let (mut mine, mut theirs) = (own, self.grid.full & !(own | free));
        let mut blocked = W::ZERO;
        // At least one, two, three, four cells are missing.
        let mut missing = [W::ZERO; COUNTED];
        for _ in 0..self.length {
            let [one, two, three, four] = &mut missing;
            *four = *four | (*three & !mine);
            *three = *three | (*two & !mine);
            *two = *two | (*one & !mine);
            *one = *one | !mine;
            blocked = blocked | theirs;
            mine = mine << d.stride;
            theirs = theirs << d.stride;
        }
        let open = d.tops & !blocked;
        let [one, two, three, four] = missing;
        [open & !one, open & one & !two, open & two & !three, open & three & !four]
    }

    /// Those of some windows that filling wins: all, or those without a stone of `own` at an end.
    #[inline]
    fn that_win(&self, d: &Direction<W>, own: W, windows: W) -> W {
        if !self.exact {
            return windows;
        }
        // By steps: the whole length at once may be more than the word is wide.
        let below = (0..self.length).fold(own, |x, _| x << d.stride) & (d.tops << d.stride);
        let above = (own & d.tops) >> d.stride;
        windows & !below & !above
    }

    /// All cells of some windows.
    #[inline]
    fn cells_of(&self, d: &Direction<W>, windows: W) -> W {
        let mut cells = windows;
        let mut have = 1;
        while have < self.length {
            let more = have.min(self.length - have);
            cells = cells | (cells >> (d.stride * more));
            have += more;
        }
        cells
    }

    /// The empty cells of windows that need one, two and three more stones of `own`.
    #[inline]
    pub(crate) fn needing(&self, own: W, free: W) -> [W; 3] {
        let mut found = [W::ZERO; 3];
        for d in &self.directions {
            let [_, windows @ ..] = self.windows(d, own, free);
            for (cells, windows) in found.iter_mut().zip(windows) {
                if !windows.is_empty() {
                    *cells = *cells | self.cells_of(d, self.that_win(d, own, windows));
                }
            }
        }
        found.map(|cells| cells & free)
    }

    /// The empty cells that complete a line of `own`.
    #[inline]
    pub(crate) fn completing(&self, own: W, free: W) -> W {
        let mut found = W::ZERO;
        for d in &self.directions {
            let [_, four, ..] = self.windows(d, own, free);
            if !four.is_empty() {
                found = found | self.cells_of(d, self.that_win(d, own, four));
            }
        }
        found & free
    }

    /// The empty cells of windows of which at most so many cells are not in `own`, which may hold
    /// empty cells: those that could be taken. Whether longer lines win is left aside.
    pub(super) fn near(&self, own: W, free: W, most: usize) -> W {
        let mut found = W::ZERO;
        for d in &self.directions {
            let windows = self.windows(d, own, free);
            let few = windows[..=most].iter().fold(W::ZERO, |all, &w| all | w);
            if !few.is_empty() {
                found = found | self.cells_of(d, few);
            }
        }
        found & free
    }

    /// The stones of an agent, those of the other, and the empty cells.
    #[inline]
    pub(super) fn seen_by(&self, s: &State<W>, agent: Agent) -> [W; 3] {
        let side = Side::of(agent);
        [s.stones[side.index()], s.stones[side.other().index()], s.free(self.grid.full)]
    }

    /// Appends the moves of `agent`, who may not be on turn, that threaten a win of an order below
    /// `order`. Of order 1: the moves after which one more completes a line, and no others unless the
    /// agent can complete one now. Of order 2: all after which fours alone win, if the opponent
    /// passes, and maybe others. Above, all.
    pub fn threatening(&self, s: &State<W>, agent: Agent, order: u32, out: &mut Vec<u16>) {
        let [own, other, free] = self.seen_by(s, agent);
        let cells = match order {
            0 => W::ZERO,
            1 => self.making_fours(own, free),
            2 => self.making_threes(own, other, free),
            _ => free,
        };
        out.extend(cells.cells().map(|c| c as u16));
    }

    /// The moves after which one more completes a line. Where one does so already, all.
    fn making_fours(&self, own: W, free: W) -> W {
        let [one, two, _] = self.needing(own, free);
        if one.is_empty() { two } else { free }
    }

    /// All moves after which fours alone may win, if the opponent passes.
    ///
    /// Where they win without the move already, every move is one. Where they do not, look at how
    /// they win after a move `m`: by a list of fours, whose answers are forced. Played without `m`,
    /// the list fails, and up to that point its stones are cells that a four or its answer could
    /// take, called within reach here. It fails as a four is missing, whose window then holds `m`
    /// and all but three cells that are the player's or within reach; or as the opponent wins on `m`
    /// first, in a window whose other cells are the opponent's or within reach.
    pub(super) fn making_threes(&self, own: W, other: W, free: W) -> W {
        let [one, two, three] = self.needing(own, free);
        if !one.is_empty() {
            return free;
        }
        if two.is_empty() {
            return three;
        }
        if Search::new(self, EFFORT).fours(own, other) != Some(false) {
            return free;
        }
        let mut reach = two;
        loop {
            let more = reach | self.near(own | reach, free, 2);
            if more == reach {
                break;
            }
            reach = more;
        }
        reach | self.near(own | reach, free, 3) | self.near(other | reach, free, 1)
    }
}

/// How many positions are looked at to see that fours alone do not win.
const EFFORT: u32 = 2_000;
