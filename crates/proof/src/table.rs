//! The checker of tables: that a table is a strong solution, in one pass, by the rules and the
//! numbering alone.
//!
//! Every entry must be what the entries of its successors make it: the best of them for who moves.
//! That alone proves nothing where positions can come up again, so what a side forces has a
//! distance, which falls along the play: to the end of the game where outcomes are words, to the
//! next class where they are scores. An outcome that is as good as endless play needs none: who
//! wants no less never has to end the game. Why this is enough: of two positions with the same
//! outcome for the side that forces it, its own moves lead to a smaller distance, and the
//! opponent's to a smaller one or to a better outcome; outcomes get better only so often, and
//! classes are left only so often.

use std::ops::Range;

use crate::game::{Endless, Game, Outcome, Side, Turn};
use crate::indexed::{Class, Indexed, Place};

/// The outcomes that a table tells apart: what is worse than the first counts as that one, what is
/// better than the second as that one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The worst.
    pub low: Outcome,
    /// The best.
    pub high: Outcome,
}

impl Window {
    /// All outcomes of a game.
    pub fn whole<G: Game>(game: &G) -> Window {
        Window { low: Outcome(0), high: game.scale().best() }
    }

    /// An outcome as one of the window.
    pub fn clamp(self, o: Outcome) -> Outcome {
        o.clamp(self.low, self.high)
    }

    /// Whether it is the question if Max reaches `high`.
    pub fn is_question(self) -> bool {
        self.high.0 == self.low.0 + 1
    }
}

/// What a table says of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// No position has it.
    Hole,
    /// What endless play is worth, or [`middle`]. Nothing is determined if neither is there.
    Open,
    /// This outcome, by force, in so many moves.
    Forced(Outcome, u32),
}

/// What tables say.
pub trait Entries: Sync {
    /// The entry of a number of a class, by one window; why there is none if there is none.
    fn entry(&self, class: Class, index: u64) -> Result<Entry, String>;
}

/// What is wrong with a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableError {
    /// The class.
    pub class: Class,
    /// The number.
    pub index: u64,
    /// What is wrong with it.
    pub problem: String,
}

/// The outcome of [`Entry::Open`] in a class of a game without endless play: the one in the middle
/// needs no distance. Nothing where endless play has no worth, or where there are but two outcomes.
pub fn middle<G: Indexed>(game: &G, class: Class, window: Window) -> Option<Outcome> {
    let (least, most) = game.outcomes(class);
    let middle = window.clamp(Outcome(least.0.midpoint(most.0)));
    (game.endless() == Endless::Impossible && !window.is_question()).then_some(middle)
}

/// Checks the entries of a range of numbers of a class. Says how many positions there are.
pub fn verify<G: Indexed>(
    game: &G,
    class: Class,
    window: Window,
    entries: &dyn Entries,
    range: Range<u64>,
) -> Result<u64, TableError> {
    let scale = game.scale();
    // Two numbers are ends like a win and a loss.
    let (best, scores) = (scale.best(), scale.scores().is_some() && scale.best().0 > 1);
    let mut checker = Checker { game, class, window, entries, best, scores, moves: Vec::new() };
    let mut positions = 0;
    for index in range {
        match checker.check(index) {
            Ok(position) => positions += u64::from(position),
            Err(problem) => {
                return Err(TableError { class, index, problem });
            }
        }
    }
    Ok(positions)
}

/// How good an entry is for Max, twice the outcome, and in how many moves: so there is room for
/// what is not determined between two outcomes.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Worth {
    twice: u32,
    moves: u32,
}

struct Checker<'a, G: Indexed> {
    game: &'a G,
    class: Class,
    window: Window,
    entries: &'a dyn Entries,
    best: Outcome,
    scores: bool,
    moves: Vec<G::Move>,
}

impl<G: Indexed> Checker<'_, G> {
    /// Checks one number. Says whether it is a position.
    fn check(&mut self, index: u64) -> Result<bool, String> {
        let entry = self.entries.entry(self.class, index)?;
        // Step 1: the number is that of the position, and of no other.
        let Some(s) = self.game.position(self.class, index) else {
            return match entry {
                Entry::Hole => Ok(false),
                _ => Err("there is no such position, but an entry".to_owned()),
            };
        };
        if self.game.place(&s) != Some(Place::new(self.class, index)) {
            return Err("the position has another number".to_owned());
        }
        // Step 2: the entry is the outcome, or the best that the moves lead to.
        let open = match (self.game.endless_from(&s), self.middle(self.class)) {
            (Endless::Scores(o), _) | (_, Some(o)) => 2 * self.rank(o),
            (_, None) => 1,
        };
        let expected = match self.game.turn(&s) {
            Turn::Chance => return Err("chance is to move".to_owned()),
            Turn::Over => Worth { twice: 2 * self.rank(self.game.outcome(&s)), moves: 0 },
            Turn::Agent(agent) => {
                let side = Side::of(agent);
                let mut moves = std::mem::take(&mut self.moves);
                moves.clear();
                self.game.moves(&s, agent, &mut moves);
                let mut best = None;
                for &m in &moves {
                    let mut next = s.clone();
                    self.game.play(&mut next, agent, m);
                    let worth = self.after_move(&next)?;
                    best = Some(best.map_or(worth, |best| self.better(side, open, best, worth)));
                }
                self.moves = moves;
                best.ok_or("who is to move has no move")?
            }
        };
        // What is as good as endless play has no distance.
        let expected = match expected.twice == open {
            true => Entry::Open,
            false => {
                let outcome = Outcome((expected.twice / 2) as u16 + self.window.low.0);
                Entry::Forced(outcome, expected.moves)
            }
        };
        match entry == expected {
            true => Ok(true),
            false => Err(format!("the table says {entry:?}, the rules make it {expected:?}")),
        }
    }

    /// The rank of an outcome in the window.
    fn rank(&self, o: Outcome) -> u32 {
        u32::from(self.window.clamp(o).0 - self.window.low.0)
    }

    /// What needs no distance where no play is endless: the outcome in the middle, for a position of a
    /// table. Nothing where there are but two outcomes.
    fn middle(&self, class: Class) -> Option<Outcome> {
        middle(self.game, class, self.window)
    }

    /// What a position is worth to who can move to it, one move counted.
    fn after_move(&self, next: &G::State) -> Result<Worth, String> {
        let place = self.game.place(next).ok_or("a move leads to a position without a place")?;
        if self.scores && place.class > self.class {
            return Err("a move leads to a larger class".to_owned());
        }
        if (place.flip || place.shift != 0) && self.window.high != self.best {
            return Err("a move exchanges outcomes that the table does not tell apart".to_owned());
        }
        let in_place = |o| place.outcome(o, self.best).ok_or("a move leads beyond the scale");
        let (o, moves) = match self.entries.entry(place.class, place.index)? {
            Entry::Hole => return Err("a move leads to a hole".to_owned()),
            Entry::Forced(o, moves) => (in_place(o)?, moves),
            Entry::Open => match (self.game.endless_from(next), self.middle(place.class)) {
                (Endless::Scores(o), _) => (o, 0),
                (_, Some(o)) => (in_place(o)?, 0),
                (_, None) => return Ok(Worth { twice: 1, moves: 0 }),
            },
        };
        // Where outcomes are numbers, distances are those to other classes.
        let moves = if self.scores && place.class != self.class { 0 } else { moves };
        Ok(Worth { twice: 2 * self.rank(o), moves: moves + 1 })
    }

    /// The better of two for this side. Who is better off than by endless play hurries, the other one
    /// does not.
    fn better(&self, side: Side, open: u32, a: Worth, b: Worth) -> Worth {
        let hurries = |w: Worth| (w.twice > open) == (side == Side::Max);
        let b_is_better = match (a.twice == b.twice, side) {
            (true, _) if a.twice == open => false,
            (true, _) if hurries(a) => b.moves < a.moves,
            (true, _) => b.moves > a.moves,
            (false, Side::Max) => b.twice > a.twice,
            (false, Side::Min) => b.twice < a.twice,
        };
        if b_is_better { b } else { a }
    }
}
