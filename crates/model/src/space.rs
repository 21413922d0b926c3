//! What a search sees: Max and Min choices over outcomes.

use crate::game::{Endless, Game, Known, Outcome, Side, Turn};
use crate::guide::{Guide, Rng};

/// What a state is to a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// This side chooses among the steps.
    Choice(Side),
    /// The state is final.
    Over(Outcome),
}

/// A space of Max and Min choices: a game under a question.
pub trait Space: Sync {
    /// A state of the space.
    type State: Clone + Eq + std::hash::Hash + std::fmt::Debug + Send + Sync;
    /// A step from one state to another.
    type Step: Copy + Eq + std::hash::Hash + std::fmt::Debug + Send + Sync;

    /// The state that the question is about.
    fn root(&self) -> Self::State;

    /// Who chooses in `s`, or its outcome: the state is final, or known to be as good as final.
    fn look(&self, s: &Self::State) -> Look;

    /// The same for the state that was asked about, which is never taken as known: who asks wants
    /// to see a move.
    fn look_at_root(&self, s: &Self::State) -> Look;

    /// Appends the steps out of `s`, in a fixed order. `s` is a choice of `side`.
    fn steps(&self, s: &Self::State, side: Side, out: &mut Vec<Self::Step>);

    /// Takes one of the steps.
    fn take(&self, s: &mut Self::State, side: Side, step: Self::Step);

    /// What a state that came up before on the same path is worth; nothing when that cannot be.
    fn repetition(&self) -> Option<Outcome>;

    /// The state by which `s` is looked up: one for all its mirror images.
    fn key(&self, s: &Self::State) -> Self::State;

    /// Sorts steps, the most promising first.
    fn order(&self, s: &Self::State, side: Side, steps: &mut [Self::Step]);

    /// How many steps `side` has, or would have were it its turn.
    fn mobility(&self, s: &Self::State, side: Side) -> u32;

    /// An estimate of Max's chances, if the game has one.
    fn evaluate(&self, s: &Self::State) -> Option<f64>;

    /// The outcome of a random play from `s`, if it ended.
    fn playout(&self, s: Self::State, rng: &mut Rng) -> Option<Outcome>;
}

/// What one of the sides is said to be able to force: the two halves of the question "does Max
/// reach at least this outcome?". A proof of either is a weak solution (Definition 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Who forces it.
    pub prover: Side,
    /// Max reaches this outcome or a better one; or Min keeps Max below it.
    pub at_least: Outcome,
    /// The prover promises less: that, or an endless play. Where the rules give endless play no
    /// outcome, two such claims together say that neither side can force anything.
    pub or_endless: bool,
}

impl Claim {
    /// Whether a final outcome is what the prover promised.
    #[inline]
    pub fn met_by(self, o: Outcome) -> bool {
        (o >= self.at_least) == (self.prover == Side::Max)
    }

    /// Whether what static knowledge says is what the prover promised.
    #[inline]
    pub fn met_by_known(self, known: Known) -> bool {
        match self.prover {
            Side::Max => known.at_least >= self.at_least,
            Side::Min => known.at_most < self.at_least,
        }
    }

    /// Whether endless play is what the prover promised: then a loop may stand in its proof.
    pub fn met_by_endless(self, endless: Endless) -> bool {
        match endless {
            Endless::Impossible => false,
            Endless::Undetermined => self.or_endless,
            Endless::Scores(o) => self.or_endless || self.met_by(o),
        }
    }
}

/// The two-outcome view of a game: Max wins when it reaches at least a given outcome
/// (the games of chapter 2 inside those of chapter 3).
///
/// Its outcomes are [`Outcome::WIN`] and [`Outcome::LOSS`]. In a game in which positions can come
/// up again, the first repetition ends the play: a side that can force its goal can do so without
/// ever repeating a position. What the repetition is worth follows from the rules where they give
/// endless play an outcome; where they do not, the view counts it for a side of the asker's
/// choice, and it takes two views to know what either side can force.
#[derive(Clone, Debug)]
pub struct Goal<'g, G: Game> {
    game: &'g G,
    start: G::State,
    at_least: Outcome,
    repetition: Option<Outcome>,
    knowledge: bool,
    symmetry: bool,
}

impl<'g, G: Game> Goal<'g, G> {
    /// The question whether Max reaches at least this outcome from `start`. Endless play that the
    /// rules leave open counts for the side `open`.
    pub fn new(game: &'g G, start: G::State, at_least: Outcome, open: Side) -> Goal<'g, G> {
        let repetition = match game.endless() {
            Endless::Impossible => None,
            Endless::Undetermined => Some(match open {
                Side::Max => Outcome::WIN,
                Side::Min => Outcome::LOSS,
            }),
            Endless::Scores(o) => Some(Self::reached(o, at_least)),
        };
        Goal { game, start, at_least, repetition, knowledge: true, symmetry: true }
    }

    /// The same question, answered without what the game knows statically, or with it.
    pub fn with_knowledge(self, knowledge: bool) -> Goal<'g, G> {
        Goal { knowledge, ..self }
    }

    /// The same question, taking mirror images apart, or as one.
    pub fn with_symmetry(self, symmetry: bool) -> Goal<'g, G> {
        Goal { symmetry, ..self }
    }

    /// What an answer to the question claims of the game.
    pub fn claim(&self, answer: Outcome) -> Claim {
        let prover = if answer == Outcome::WIN { Side::Max } else { Side::Min };
        let or_endless =
            self.game.endless() == Endless::Undetermined && self.repetition == Some(answer);
        Claim { prover, at_least: self.at_least, or_endless }
    }

    #[inline]
    fn reached(o: Outcome, at_least: Outcome) -> Outcome {
        if o >= at_least { Outcome::WIN } else { Outcome::LOSS }
    }
}

impl<G: Guide> Space for Goal<'_, G> {
    type State = G::State;
    type Step = G::Move;

    fn root(&self) -> G::State {
        self.start.clone()
    }

    #[inline]
    fn look(&self, s: &G::State) -> Look {
        match self.game.turn(s) {
            Turn::Over => Look::Over(Self::reached(self.game.outcome(s), self.at_least)),
            Turn::Agent(agent) => {
                if self.knowledge
                    && let Some(known) = self.game.known(s)
                {
                    if known.at_least >= self.at_least {
                        return Look::Over(Outcome::WIN);
                    }
                    if known.at_most < self.at_least {
                        return Look::Over(Outcome::LOSS);
                    }
                }
                Look::Choice(Side::of(agent))
            }
        }
    }

    fn look_at_root(&self, s: &G::State) -> Look {
        match self.game.turn(s) {
            Turn::Over => Look::Over(Self::reached(self.game.outcome(s), self.at_least)),
            Turn::Agent(agent) => Look::Choice(Side::of(agent)),
        }
    }

    #[inline]
    fn key(&self, s: &G::State) -> G::State {
        // Whether a position came up before is a question about itself, not about its images.
        if self.symmetry && self.repetition.is_none() { self.game.canonical(s) } else { s.clone() }
    }

    #[inline]
    fn order(&self, s: &G::State, side: Side, steps: &mut [G::Move]) {
        self.game.order(s, side.agent(), steps);
    }

    #[inline]
    fn steps(&self, s: &G::State, side: Side, out: &mut Vec<G::Move>) {
        self.game.moves(s, side.agent(), out);
    }

    #[inline]
    fn take(&self, s: &mut G::State, side: Side, step: G::Move) {
        self.game.play(s, side.agent(), step);
    }

    #[inline]
    fn repetition(&self) -> Option<Outcome> {
        self.repetition
    }

    fn mobility(&self, s: &G::State, side: Side) -> u32 {
        self.game.mobility(s, side.agent())
    }

    fn evaluate(&self, s: &G::State) -> Option<f64> {
        self.game.evaluate(s)
    }

    fn playout(&self, s: G::State, rng: &mut Rng) -> Option<Outcome> {
        self.game.playout(s, rng).map(|o| Self::reached(o, self.at_least))
    }
}
