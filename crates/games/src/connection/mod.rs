//! Virtual connections: who connects, and why, in games in which stones are placed and never leave
//! the board, and one side always connects (Hex, Y).
//!
//! A connection is *strong* if its owner makes it even when the opponent moves first, *weak* if only
//! when it moves itself. Its *carrier* is the set of empty cells that it needs. `links.rs` finds
//! connections by the rules of H-search, `inferior.rs` the cells that nobody needs any more,
//! `current.rs` those that matter most, `solver.rs` decides positions with all this and a search, and
//! `derivation.rs` writes down why, in the words that `foregone_proof::connection` verifies. It shares no
//! code with what is here.

mod current;
mod derivation;
mod inferior;
mod links;
mod solver;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, PoisonError};

use foregone_model::{Claim, Effort, Known, OwnFound, Side};

use crate::board::Word;
use crate::placement::State;

pub use derivation::Name;
pub use solver::{Solver, Verdict};

/// A board as a graph: cells, which of them touch, and what the sides must connect.
#[derive(Clone, Debug)]
pub struct Board<W> {
    /// One more than the highest number of a cell.
    pub(crate) size: u32,
    /// All cells.
    pub(crate) full: W,
    /// The neighbours of each cell.
    pub(crate) touching: Vec<W>,
    /// For each player, the cells along each of the borders that it has to join.
    pub(crate) borders: [Vec<W>; 2],
    /// The order in which cells are tried.
    pub(crate) order: Vec<u8>,
}

impl<W: Word> Board<W> {
    /// Whether a border joins what touches it. With two borders to join, what is connected by way of
    /// one of them serves as well as what is connected elsewhere. With three it does not: one chain
    /// must touch them all.
    #[inline]
    fn borders_join(&self) -> bool {
        self.borders[0].len() == 2
    }

    /// The neighbours of all cells of a set.
    #[inline]
    fn around(&self, set: W) -> W {
        set.cells().fold(W::ZERO, |w, c| w | self.touching[c as usize])
    }

    /// The chain of stones that this set, part of it, belongs to.
    fn chain(&self, seed: W, stones: W) -> W {
        let (mut chain, mut new) = (seed, seed);
        while !new.is_empty() {
            new = self.around(new) & stones & !chain;
            chain = chain | new;
        }
        chain
    }
}

/// The stones of both sides, and the cells that are out of the game because no side needs them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Stones<W> {
    pub(crate) of: [W; 2],
    pub(crate) dead: W,
}

impl<W: Word> Stones<W> {
    #[inline]
    fn empty(&self, board: &Board<W>) -> W {
        board.full & !(self.of[0] | self.of[1] | self.dead)
    }

    /// What is closed to a side: the other one's stones, and dead cells.
    #[inline]
    fn closed_to(&self, side: usize) -> W {
        self.of[1 - side] | self.dead
    }
}

/// The name of the knowledge, as certificates have it.
const RULE: &str = "connection";

/// What a game of placing stones knows of the connections of its positions. All copies of a game share
/// what was found out.
#[derive(Clone, Debug)]
pub(crate) struct Connections<W>(Arc<Mutex<Solver<W>>>);

impl<W: Word> Connections<W> {
    pub(crate) fn new(board: Board<W>) -> Connections<W> {
        Connections(Arc::new(Mutex::new(Solver::new(board))))
    }

    fn with<T>(&self, f: impl FnOnce(&mut Solver<W>) -> T) -> T {
        // Who panicked left a table in which every entry is whole.
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// See [`Guide::known`](foregone_model::Guide::known).
    pub(crate) fn known(&self, s: &State<W>) -> Option<Known> {
        let winner = match self.verdict(s) {
            Verdict::Won => s.turn,
            Verdict::Lost => s.turn.other(),
            Verdict::Open(_) => return None,
        };
        Some(match winner {
            Side::Max => Known::won(RULE),
            Side::Min => Known::lost(RULE),
        })
    }

    fn verdict(&self, s: &State<W>) -> Verdict<W> {
        self.with(|solver| solver.verdict(s.stones, s.turn.index()))
    }

    /// The cells to which every move in `s` leads that is not known to lose.
    pub(crate) fn promising(&self, s: &State<W>, all: W) -> W {
        match self.verdict(s) {
            Verdict::Won => all,
            Verdict::Lost => W::ZERO,
            Verdict::Open(must) => must,
        }
    }

    /// See [`Guide::reason`](foregone_model::Guide::reason).
    pub(crate) fn reason(&self, s: &State<W>, claim: Claim, name: &Name<'_>, out: &mut String) {
        let (mover, prover) = (s.turn.index(), claim.prover.index());
        self.with(|solver| solver.show_win(s.stones, mover, prover, name, &mut |_| true, out));
    }

    /// See [`Guide::reason_for_others`](foregone_model::Guide::reason_for_others).
    pub(crate) fn reason_for_others(
        &self,
        s: &State<W>,
        claim: Claim,
        name: &Name<'_>,
        out: &mut String,
    ) -> bool {
        let (mover, prover) = (s.turn.index(), claim.prover.index());
        if mover == prover {
            return false;
        }
        out.push_str(RULE);
        out.push(' ');
        let lost = self.verdict(s) == Verdict::Lost;
        self.with(|solver| match lost {
            true => solver.show_win(s.stones, mover, prover, name, &mut |_| true, out),
            false => solver.show_must_play(s.stones, mover, name, out),
        })
    }

    /// See [`Guide::search_own`](foregone_model::Guide::search_own).
    pub(crate) fn decide(
        &self,
        s: &State<W>,
        name: &Name<'_>,
        goes_on: &mut dyn FnMut(Effort) -> bool,
    ) -> Option<OwnFound<u8>> {
        self.with(|solver| {
            let (mut stones, mut mover) = (s.stones, s.turn.index());
            let found = match solver.solve(stones, mover, goes_on)? {
                Some(cell) => {
                    stones[mover] = stones[mover] | W::bit(cell);
                    mover = 1 - mover;
                    OwnFound::Won(cell as u8)
                }
                None => OwnFound::Lost,
            };
            // What can't be shown in words is not an answer.
            let mut words = String::new();
            let shown = solver.show_win(stones, mover, 1 - mover, name, goes_on, &mut words);
            Some(if shown { found } else { OwnFound::Open })
        })
    }
}

/// What a game of placing stones tells a search by its connections, as methods of its
/// [`Guide`](foregone_model::Guide). It has a method `connections` and a board `full`.
macro_rules! guided_by_connections {
    () => {
        fn known(&self, s: &State<W>) -> Option<::foregone_model::Known> {
            self.connections().known(s)
        }

        fn reason(&self, s: &State<W>, claim: ::foregone_model::Claim, out: &mut String) {
            self.connections().reason(s, claim, &|cell| self.move_text(s, cell as u8), out);
        }

        fn reason_for_others(
            &self,
            s: &State<W>,
            claim: ::foregone_model::Claim,
            out: &mut String,
        ) -> bool {
            let name = |cell| self.move_text(s, cell as u8);
            self.connections().reason_for_others(s, claim, &name, out)
        }

        fn leaves_out(&self) -> bool {
            true
        }

        fn promising(&self, s: &State<W>, agent: Agent, out: &mut Vec<u8>) {
            if Turn::Agent(agent) != self.turn(s) {
                return self.in_order(s, agent, out);
            }
            let first = out.len();
            let cells = self.connections().promising(s, s.free(self.full));
            out.extend(cells.cells().map(|cell| cell as u8));
            self.order(s, agent, &mut out[first..]);
        }

        fn own_search(&self) -> Option<::foregone_model::OwnSearch> {
            Some(::foregone_model::OwnSearch::Connections)
        }

        fn search_own(
            &self,
            s: &State<W>,
            goes_on: &mut dyn FnMut(::foregone_model::Effort) -> bool,
        ) -> Option<::foregone_model::OwnFound<u8>> {
            self.connections().decide(s, &|cell| self.move_text(s, cell as u8), goes_on)
        }
    };
}
pub(crate) use guided_by_connections;
