//! Wins by fours, and by fours and threes.
//!
//! After V. Allis, H. J. van den Herik and M. Huntjens, *Go-Moku Solved by New Search Techniques*
//! (1994): the attacker makes threats only, so that the defender has few answers. A four has one
//! answer, so a win by fours is a list of moves, and finding it is a walk without a choice of the
//! defender's. What is ours: answers to a three are not the cells of a pattern, but all moves that
//! can spoil the win by fours that it threatens (its relevance zone, after T. Cazenave, *Abstract
//! Proof Search*, 2000), so that what is found is a win against every defence; and a win by fours is
//! known without a search to all who ask, its list being the reason that certificates have.

use std::collections::{HashMap, HashSet};

use foregone_model::{Known, Outcome, Side};

use super::{Gomoku, State};
use crate::board::Word;

/// The name of the rule.
pub const FOURS: &str = "fours";

/// How many positions are looked at for a win by fours that everybody may know.
const EFFORT: u32 = 40;

const LOSS: Outcome = Outcome(0);
const WIN: Outcome = Outcome(2);

/// How many positions a search for a win by threats looks at, and how many threats come before a win by
/// fours at most. More threats are tried when fewer do not win.
const THOROUGH: u32 = 20_000;
const MOST_THREATS: u32 = 7;

/// A four and its answer, or the last move.
type Step = (u16, Option<u16>);

/// A search for wins by threats.
#[derive(Debug)]
pub struct Search<'g, W> {
    game: &'g Gomoku<W>,
    /// How many positions may still be looked at.
    left: u32,
    /// The fours played, with their answers.
    line: Vec<Step>,
    /// Stones from which fours do not win.
    failed: HashSet<[W; 2]>,
    /// The same for fours and threes, with the most moves that were tried.
    failed_threes: HashMap<[W; 2], u32>,
}

impl<'g, W: Word> Search<'g, W> {
    /// A search that looks at no more positions than this.
    pub fn new(game: &'g Gomoku<W>, effort: u32) -> Search<'g, W> {
        Search {
            game,
            left: effort,
            line: Vec::new(),
            failed: HashSet::new(),
            failed_threes: HashMap::new(),
        }
    }

    /// A move by which who is to move wins by fours and threes, if one is found; nothing if `goes_on`,
    /// which hears how many positions were looked at, does not let it be found.
    pub fn win(
        game: &'g Gomoku<W>,
        s: &State<W>,
        goes_on: &mut dyn FnMut(u64) -> bool,
    ) -> Option<Option<u16>> {
        let [own, other, _] = game.seen_by(s, s.turn.agent());
        // Nobody has a three to come yet.
        if own.count() + 3 < game.length {
            return Some(None);
        }
        let mut search = Search::new(game, THOROUGH);
        for most in 0..=MOST_THREATS {
            let found = search.first_move(own, other, most);
            if !goes_on(u64::from(THOROUGH - search.left)) {
                return None;
            }
            match found {
                Some(None) => {}
                Some(Some(m)) => return Some(Some(m)),
                None => return Some(None),
            }
        }
        Some(None)
    }

    /// The first move of a win by fours, and at most so many threats before them: `Some(None)` if there
    /// is none, nothing if that took too long.
    fn first_move(&mut self, own: W, other: W, most: u32) -> Option<Option<u16>> {
        if self.fours(own, other)? {
            return Some(self.line.first().map(|step| step.0));
        }
        if most == 0 {
            return Some(None);
        }
        for m in self.threats(own, other).cells() {
            if self.after_threat(own | W::bit(m), other, most)?.is_some() {
                return Some(Some(m as u16));
            }
        }
        Some(None)
    }

    /// The moves that may threaten a win by fours.
    fn threats(&self, own: W, other: W) -> W {
        let free = self.free(own, other);
        let threats = self.game.completing(other, free);
        match threats.count() {
            0 => self.game.making_threes(own, other, free),
            1 => threats,
            _ => W::ZERO,
        }
    }

    fn free(&self, own: W, other: W) -> W {
        self.game.grid.full & !(own | other)
    }

    /// Whether who is to move wins by fours alone; nothing if that took too long. [`Search::line`]
    /// then holds the moves.
    pub fn fours(&mut self, own: W, other: W) -> Option<bool> {
        self.line.clear();
        self.fours_on(own, other, u32::MAX)
    }

    /// The same with at most so many fours.
    pub fn fours_within(&mut self, own: W, other: W, most: u32) -> Option<bool> {
        self.line.clear();
        self.failed.clear();
        self.fours_on(own, other, most)
    }

    /// The fours of the win that was found, each with its answer, but for the last move: it
    /// completes a line, or makes more fours than can be answered.
    pub fn line(&self) -> &[Step] {
        &self.line
    }

    fn fours_on(&mut self, own: W, other: W, most: u32) -> Option<bool> {
        let free = self.free(own, other);
        let [one, two, _] = self.game.needing(own, free);
        if !one.is_empty() {
            self.line.push((one.lowest() as u16, None));
            return Some(true);
        }
        if two.is_empty() || most == 0 || self.failed.contains(&[own, other]) {
            return Some(false);
        }
        self.left = self.left.checked_sub(1)?;
        // Who is threatened must answer by the four.
        let threats = self.game.completing(other, free);
        let fours = match threats.count() {
            0 => two,
            1 => two & threats,
            _ => W::ZERO,
        };
        for four in fours.cells() {
            let own = own | W::bit(four);
            let answers = self.game.completing(own, free & !W::bit(four));
            if answers.count() >= 2 {
                self.line.push((four as u16, None));
                return Some(true);
            }
            if !answers.is_empty() {
                self.line.push((four as u16, Some(answers.lowest() as u16)));
                if self.fours_on(own, other | answers, most - 1)? {
                    return Some(true);
                }
                self.line.pop();
            }
        }
        self.failed.insert([own, other]);
        Some(false)
    }

    /// The empty cells at which a stone of the opponent's can spoil the win by fours that was found.
    ///
    /// It wins as long as its cells are free, and the opponent never completes a line first: such a
    /// line would consist of that stone, of stones that are there, and of answers, but for one.
    pub fn zone(&self, own: W, other: W) -> W {
        let free = self.free(own, other);
        let (mut own, mut answers, mut zone) = (own, W::ZERO, W::ZERO);
        for &(four, answer) in &self.line {
            let four = W::bit(u32::from(four));
            own = own | four;
            zone = zone | four;
            match answer {
                Some(answer) => answers = answers | W::bit(u32::from(answer)),
                None => zone = zone | self.game.completing(own, free & !(own | answers)),
            }
        }
        zone | answers | self.game.near(other | answers, free, 2)
    }

    /// How many moves of both the win by fours takes that was found from these stones.
    pub fn plies(&self, own: W) -> u32 {
        let before = &self.line[..self.line.len().saturating_sub(1)];
        let fours = before.iter().fold(own, |w, &(m, _)| w | W::bit(u32::from(m)));
        let last = self.line.last().map_or(W::ZERO, |&(m, _)| W::bit(u32::from(m)));
        // A last move that makes two fours needs one more.
        let more = if self.game.lined(fours | last) { 1 } else { 3 };
        2 * before.len() as u32 + more
    }

    /// In how many moves of both who is to move completes a line by fours and threes, against the
    /// answers that hold out longest: `Some(None)` if not with at most so many threats before a win by
    /// fours, nothing if that took too long.
    pub fn threes(&mut self, own: W, other: W, most: u32) -> Option<Option<u32>> {
        if self.fours(own, other)? {
            return Some(Some(self.plies(own)));
        }
        if most == 0 || self.failed_threes.get(&[own, other]).is_some_and(|&tried| tried >= most) {
            return Some(None);
        }
        self.left = self.left.checked_sub(1)?;
        for m in self.threats(own, other).cells() {
            if let Some(plies) = self.after_threat(own | W::bit(m), other, most)? {
                return Some(Some(plies + 1));
            }
        }
        self.failed_threes.insert([own, other], most);
        Some(None)
    }

    /// The same with the opponent to move, after a move that is to be a threat.
    fn after_threat(&mut self, own: W, other: W, most: u32) -> Option<Option<u32>> {
        let free = self.free(own, other);
        let answers = match self.game.completing(own, free) {
            cells if cells.count() == 1 => cells,
            // More would be a win by fours.
            cells if !cells.is_empty() => return Some(None),
            _ if !self.fours(own, other)? => return Some(None),
            _ => self.zone(own, other),
        };
        let mut longest = 0;
        for answer in answers.cells() {
            match self.threes(own, other | W::bit(answer), most - 1)? {
                Some(plies) => longest = longest.max(plies),
                None => return Some(None),
            }
        }
        Some(Some(longest + 1))
    }
}

impl<W: Word> Gomoku<W> {
    /// What is known of a state that is not over: who is to move wins by fours, or loses as the
    /// opponent has two cells to complete a line and nothing comes first.
    pub(super) fn by_fours(&self, s: &State<W>) -> Option<Known> {
        let mover_wins = self.told_by_fours(s, None)?;
        let value = if mover_wins == (s.turn == Side::Max) { WIN } else { LOSS };
        Some(Known { at_least: value, at_most: value, by: FOURS })
    }

    /// The same: whether who is to move wins. The words that show it are appended to `out`.
    pub(super) fn told_by_fours(&self, s: &State<W>, out: Option<&mut String>) -> Option<bool> {
        let [own, other, free] = self.seen_by(s, s.turn.agent());
        // Nobody has a four to come yet: most positions of short games, and all beginnings.
        if own.count().max(other.count()) + 2 < self.length {
            return None;
        }
        let mut search = Search::new(self, EFFORT);
        if search.fours(own, other) == Some(true) {
            if let Some(out) = out {
                self.write_line(search.line(), out);
            }
            return Some(true);
        }
        let threats = self.completing(other, free);
        if threats.count() < 2 || !self.completing(own, free).is_empty() {
            return None;
        }
        if let Some(out) = out {
            self.grid.write_cell(threats.lowest(), out);
            out.push(' ');
            self.grid.write_cell(threats.without_lowest().lowest(), out);
        }
        Some(false)
    }

    /// `a1-a2 b1-b2 c1`: fours with their answers, and the last move.
    pub(super) fn write_line(&self, line: &[Step], out: &mut String) {
        for (i, &(four, answer)) in line.iter().enumerate() {
            if i > 0 {
                out.push(' ');
            }
            self.grid.write_cell(u32::from(four), out);
            if let Some(answer) = answer {
                out.push('-');
                self.grid.write_cell(u32::from(answer), out);
            }
        }
    }
}
