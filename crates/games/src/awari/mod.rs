//! Awari (the game of the Computer Olympiads, a kind of Oware; V. Allis, M. van der Meulen and
//! J. van den Herik, *Databases in Awari*, 1991; a draw by J. Romein and H. Bal, *Solving the Game of
//! Awari using Parallel Retrograde Analysis*, 2003).
//!
//! South, who moves first, and North each have a row of pits. A move takes all seeds out of an own pit
//! and sows them one by one into the next pits, counter-clockwise; the pit they came from is left out
//! when the sowing goes round. If the last seed falls into a pit of the opponent that then holds two
//! or three seeds, these are captured, and so are those of the pit before it, if it is the opponent's
//! and holds two or three as well, and so on. If the opponent has no seeds, a move must give him one
//! if that can be. A player who cannot move ends the game, and the seeds left go to the side whose pits
//! hold them. The score is what South captured less what North did. In endless play the seeds left are
//! split, so it is worth the difference captured so far.
//!
//! What becomes of a move that would capture everything the opponent has, a *grand slam*, is an option,
//! and tables in the literature differ by it: such a move may capture nothing, as in tournaments of
//! Oware (`takes-nothing`), or everything (`takes-all`), or it may be forbidden, like any move that
//! leaves the opponent without seeds, unless there are no others (`forbidden`). The last is the rule of
//! Allis and others, and of the tables of Romein and Bal.

use foregone_model::scene::Scene;
use foregone_model::{
    Agent, Endless, Game, Guide, Notation, Outcome, Scale, Side, TextError, Turn,
};

use crate::board::{Word, sort_by_rank};
use crate::mancala::numbering::Numbering;
use crate::mancala::{MOST_PITS, MOST_SEEDS, PLAYERS, State, count};
use crate::options::Options;
use crate::registry::{Entry, GameError, Opened};
use crate::scores::Scores;

mod classes;

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry {
    quick: Some("awari:2,2"),
    ..Entry::in_turn(
        "awari",
        "PITS,SEEDS[,GRAND-SLAM] (6,4,takes-nothing)",
        "Sow seeds, capture twos and threes; the score is the difference of what was captured",
        open,
    )
};

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let values = options.values();
    if values.len() > 3 {
        let message = format!("there are {} values, this game has 3 options", values.len());
        return Err(GameError::Spec(options.error(message)));
    }
    let most = MOST_SEEDS / 2;
    let number = |at: usize, default, most| {
        values.get(at).map_or(Ok(default), |value| value.number(1, most))
    };
    let (pits, seeds) = (number(0, 6, MOST_PITS as u32)?, number(1, 4, most)?);
    if pits * seeds > most {
        let message = format!(
            "two rows of {pits} pits with {seeds} seeds each are more than {MOST_SEEDS} seeds"
        );
        return Err(GameError::Spec(options.error(message)));
    }
    let slam = match values.get(2) {
        None => GrandSlam::TakesNothing,
        Some(value) => match SLAMS.iter().find(|slam| slam.0 == value.text) {
            Some(&(_, slam)) => slam,
            None => {
                let message = format!("`{}` is not what a grand slam does", value.text);
                return Err(GameError::Spec(value.not_among(&SLAMS.map(|slam| slam.0), message)));
            }
        },
    };
    Ok(Opened::tabled(Awari::new(pits, seeds, slam), Awari::scene))
}

/// What becomes of a move that would capture everything the opponent has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrandSlam {
    /// It captures nothing.
    TakesNothing,
    /// It captures everything.
    TakesAll,
    /// It is forbidden, like any move that leaves the opponent without seeds, unless there are no
    /// others; then it captures everything.
    Forbidden,
}

const SLAMS: [(&str, GrandSlam); 3] = [
    ("takes-nothing", GrandSlam::TakesNothing),
    ("takes-all", GrandSlam::TakesAll),
    ("forbidden", GrandSlam::Forbidden),
];

/// Awari with so many pits a side.
#[derive(Clone, Debug)]
pub struct Awari {
    pits: usize,
    /// In each pit at the start.
    seeds: u8,
    slam: GrandSlam,
    numbering: Numbering,
}

impl Awari {
    /// So many pits a side and seeds in each, at least one; no more than [`MOST_PITS`] pits and
    /// [`MOST_SEEDS`] seeds in all.
    pub fn new(pits: u32, seeds: u32, slam: GrandSlam) -> Awari {
        assert!(
            pits > 0 && seeds > 0 && 2 * pits * seeds <= MOST_SEEDS,
            "the seeds can be counted"
        );
        let numbering = Numbering::new(pits as usize);
        Awari { pits: pits as usize, seeds: seeds as u8, slam, numbering }
    }

    /// All seeds of the start.
    fn total(&self) -> u32 {
        2 * self.pits as u32 * u32::from(self.seeds)
    }

    /// Seeds that are split may leave an odd difference.
    fn scores(&self) -> Scores {
        Scores { most: self.total() as i32, step: 1 }
    }

    /// Sows the seeds of a pit of this side. Where the last one fell: pits are counted from the first
    /// of this side on, and those of the opponent go on behind them.
    fn sow(&self, s: &mut State, side: Side, from: usize) -> usize {
        let (own, other) = (side.index(), side.other().index());
        let mut hand = std::mem::take(&mut s.rows[own][from]);
        let mut at = from;
        while hand > 0 {
            at = (at + 1) % (2 * self.pits);
            // The pit of origin is left out.
            if at == from {
                continue;
            }
            let pit = match at < self.pits {
                true => &mut s.rows[own][at],
                false => &mut s.rows[other][at - self.pits],
            };
            *pit += 1;
            hand -= 1;
        }
        at
    }

    /// Captures backwards from where the last seed of this side fell.
    fn capture(&self, s: &mut State, side: Side, last: usize) {
        let before = *s;
        let row = &mut s.rows[side.other().index()];
        let mut captured = 0;
        for pit in (self.pits..=last).rev().map(|at| at - self.pits) {
            if !matches!(row[pit], 2 | 3) {
                break;
            }
            captured += std::mem::take(&mut row[pit]);
        }
        s.stores[side.index()] += captured;
        let slam = captured > 0 && s.filled(side.other()) == 0;
        if slam && self.slam == GrandSlam::TakesNothing {
            *s = before;
        }
    }

    /// What is on the board after a move.
    fn after(&self, s: &State, side: Side, pit: usize) -> State {
        let mut s = *s;
        let last = self.sow(&mut s, side, pit);
        self.capture(&mut s, side, last);
        s
    }

    /// The pits that a side may play, as a set.
    fn playable(&self, s: &State, side: Side) -> u64 {
        let filled = s.filled(side);
        let only = |fits: &dyn Fn(usize) -> bool| {
            let fitting = filled.cells().filter(|&pit| fits(pit as usize));
            let set = fitting.fold(0, |set, pit| set | 1 << pit);
            if set == 0 { filled } else { set }
        };
        if self.slam == GrandSlam::Forbidden {
            return only(&|pit| self.after(s, side, pit).filled(side.other()) != 0);
        }
        if s.filled(side.other()) != 0 {
            return filled;
        }
        only(&|pit| usize::from(s.rows[side.index()][pit]) + pit >= self.pits)
    }
}

impl Game for Awari {
    type State = State;
    /// The pit, counted from 0 at its owner's left.
    type Move = u8;

    fn scale(&self) -> Scale {
        self.scores().scale()
    }

    fn endless(&self) -> Endless {
        Endless::Scores(self.scores().outcome(0))
    }

    /// What was captured is never given back, so it is the same wherever a play goes round.
    fn endless_from(&self, s: &State) -> Endless {
        Endless::Scores(self.scores().outcome(s.ahead()))
    }

    fn start(&self) -> State {
        State::start(self.pits, self.seeds)
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        if s.filled(s.turn) == 0 { Turn::Over } else { Turn::Agent(s.turn.agent()) }
    }

    fn moves(&self, s: &State, agent: Agent, out: &mut Vec<u8>) {
        out.extend(self.playable(s, Side::of(agent)).cells().map(|pit| pit as u8));
    }

    fn play(&self, s: &mut State, agent: Agent, m: u8) {
        let side = Side::of(agent);
        *s = State { turn: side.other(), ..self.after(s, side, usize::from(m)) };
    }

    fn outcome(&self, s: &State) -> Outcome {
        let [south, north] = [0, 1].map(|side| count(&s.rows[side]) as i32);
        self.scores().outcome(s.ahead() + south - north)
    }
}

impl Guide for Awari {
    type Packed = Self::State;

    foregone_model::stored_by_parts!();

    #[inline]
    fn pack(&self, s: &State) -> State {
        *s
    }

    /// Moves that capture the most; among equals the pits nearest to the opponent first.
    fn order(&self, s: &State, agent: Agent, moves: &mut [u8]) {
        let side = Side::of(agent);
        let own = side.index();
        sort_by_rank(moves, |m| {
            let after = self.after(s, side, usize::from(m));
            8 * i16::from(after.stores[own] - s.stores[own]) + i16::from(m)
        });
    }
}

impl Awari {
    /// A picture of a position.
    fn scene(&self, s: &State) -> Scene {
        s.scene(self.pits, self.playable(s, s.turn))
    }
}

impl Notation for Awari {
    fn name(&self) -> String {
        let slam = SLAMS.iter().find(|slam| slam.1 == self.slam && self.slam != SLAMS[0].1);
        let slam = slam.map_or(String::new(), |(word, _)| format!(",{word}"));
        format!("awari:{},{}{slam}", self.pits, self.seeds)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    /// The number of the pit, from 1 at its owner's left.
    fn write_move(&self, _s: &State, m: u8, out: &mut String) {
        out.push_str(&(m + 1).to_string());
    }

    fn parse_move(&self, _s: &State, text: &str) -> Option<u8> {
        (0..self.pits as u8).find(|m| (m + 1).to_string() == text)
    }

    /// South's pits and what it captured, North's, who is to move: `2,0,1+4/0,3,1+1 south`.
    fn write_position(&self, s: &State, out: &mut String) {
        s.write(self.pits, out);
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let (s, board) = State::read(self.pits, self.total(), text)?;
        let found = s.on_board() + count(&s.stores);
        if found > self.total() {
            let (name, total) = (self.name(), self.total());
            let message = format!("there are {found} seeds, and in {name} at most {total}");
            return Err(TextError::new(message, 0..board));
        }
        Ok(s)
    }

    fn draw(&self, s: &State) -> String {
        s.draw(self.pits)
    }
}

#[cfg(test)]
mod tests;
