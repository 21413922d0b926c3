//! What a search sees: Max and Min choices over outcomes.

use foregone_proof::{Agent, Claim, Endless, Game, Outcome, Side, Turn};

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
    /// A state as tables keep it.
    type Packed: Clone + Eq + std::hash::Hash + Send + Sync;

    /// The best outcome for Max. The worst is 0.
    fn best(&self) -> Outcome;

    /// The question whether Max reaches at least this outcome of the space: it has two outcomes.
    fn threshold(&self, at_least: Outcome) -> Self
    where
        Self: Sized;

    /// The state that the question is about.
    fn root(&self) -> Self::State;

    /// Who chooses in `s`, or its outcome: the state is final, or known to be as good as final.
    fn look(&self, s: &Self::State) -> Look {
        self.look_within(s, Outcome(0), self.best())
    }

    /// The same where it only matters which values between these two Max reaches: one that is
    /// known to be no higher than the lower or no lower than the upper is as good as final, and
    /// the outcome told is a bound.
    fn look_within(&self, s: &Self::State, low: Outcome, high: Outcome) -> Look;

    /// The same as `look` for the state that was asked about, which is never taken as known: who asks wants
    /// to see a move.
    fn look_at_root(&self, s: &Self::State) -> Look;

    /// What is known of a state that is a choice: the outcomes between which its value lies.
    fn bounds(&self, s: &Self::State) -> (Outcome, Outcome);

    /// Appends the steps out of `s`, in a fixed order. `s` is a choice of `side`.
    fn steps(&self, s: &Self::State, side: Side, out: &mut Vec<Self::Step>);

    /// Takes one of the steps.
    fn take(&self, s: &mut Self::State, side: Side, step: Self::Step);

    /// What a state that came up before on the same path is worth; nothing when that cannot be.
    fn repetition(&self) -> Option<Outcome>;

    /// The state by which `s` is looked up: one for all its mirror images.
    fn key(&self, s: &Self::State) -> Self::State;

    /// A state in the form in which tables keep it.
    fn pack(&self, s: &Self::State) -> Self::Packed;

    /// Appends the steps of `side` that are worth trying, the most promising first. What is left
    /// out is known to lose at once; there may be nothing else.
    fn promising(&self, s: &Self::State, side: Side, out: &mut Vec<Self::Step>);

    /// Whether every step out of `s` leads to a final state.
    fn every_move_ends(&self, s: &Self::State) -> bool;

    /// What kind of choice or end a state is, as a small number.
    fn shape(&self, s: &Self::State) -> u32;

    /// The only step that is worth trying, where there is just one and that is quickly seen.
    fn forced(&self, s: &Self::State, side: Side) -> Option<Self::Step>;

    /// What a step does, as a small number, where the game tells: steps that do the same thing in
    /// different states share what is learned of them.
    fn move_class(&self, s: &Self::State, side: Side, step: Self::Step) -> Option<u16>;

    /// How many steps `side` has, or would have were it its turn.
    fn mobility(&self, s: &Self::State, side: Side) -> u32;

    /// An estimate of Max's chances, if the game has one.
    fn evaluate(&self, s: &Self::State) -> Option<f64>;

    /// The outcome of a random play from `s`, if it ended.
    fn playout(&self, s: Self::State, rng: &mut Rng) -> Option<Outcome>;
}

/// A game seen through a window of its scale: what is worse than `low` counts as `low`, what is
/// better than `high` as `high`, and `low` is outcome 0 of the space. The widest window is the
/// game as it is (chapter 3); the narrowest has two outcomes, [`Outcome::WIN`] and
/// [`Outcome::LOSS`], and asks whether Max reaches at least `high` (chapter 2).
///
/// In a game in which positions can come up again, the first repetition ends the play: a side
/// that can force its goal can do so without ever repeating a position. What the repetition is
/// worth follows from the rules where they give endless play an outcome; where they do not, the
/// view counts it for a side of the asker's choice, and it takes two views to know what either
/// side can force.
#[derive(Clone, Debug)]
pub struct Goal<'g, G: Game> {
    game: &'g G,
    start: G::State,
    low: Outcome,
    high: Outcome,
    open: Side,
    repetition: Option<Outcome>,
    knowledge: bool,
    symmetry: bool,
    /// More than two agents play: Max against all others.
    many: bool,
}

impl<'g, G: Game> Goal<'g, G> {
    /// The question whether Max reaches at least this outcome from `start`, which is not the
    /// worst one. Endless play that the rules leave open counts for the side `open`.
    pub fn new(game: &'g G, start: G::State, at_least: Outcome, open: Side) -> Goal<'g, G> {
        Goal::within(game, start, (Outcome(at_least.0 - 1), at_least), open)
    }

    /// The question which outcome between these two Max reaches.
    pub fn within(
        game: &'g G,
        start: G::State,
        (low, high): (Outcome, Outcome),
        open: Side,
    ) -> Goal<'g, G> {
        let mut goal = Goal {
            game,
            start,
            low,
            high,
            open,
            repetition: None,
            knowledge: true,
            symmetry: true,
            many: game.agents() > 2,
        };
        goal.repetition = match game.endless() {
            Endless::Impossible => None,
            Endless::Undetermined => Some(match open {
                Side::Max => goal.best(),
                Side::Min => Outcome(0),
            }),
            Endless::Scores(o) => Some(goal.clamp(o)),
        };
        goal
    }

    /// The same question, answered without what the game knows statically, or with it.
    pub fn with_knowledge(self, knowledge: bool) -> Goal<'g, G> {
        Goal { knowledge, ..self }
    }

    /// The same question, taking mirror images apart, or as one.
    pub fn with_symmetry(self, symmetry: bool) -> Goal<'g, G> {
        Goal { symmetry, ..self }
    }

    /// What is claimed of the game when `prover` is said to force an outcome of at least (Max) or
    /// below (Min) this one of the space.
    pub fn claim(&self, prover: Side, at_least: Outcome) -> Claim {
        let won_by_loops = prover == self.open;
        let or_endless = self.game.endless() == Endless::Undetermined && won_by_loops;
        Claim { prover, at_least: Outcome(self.low.0 + at_least.0), or_endless }
    }

    /// The agent that moves for a side: with more than two agents Min is whoever of the others is
    /// on turn.
    #[inline]
    fn agent(&self, s: &G::State, side: Side) -> Agent {
        match self.many.then(|| self.game.turn(s)) {
            Some(Turn::Agent(agent)) if Side::of(agent) == side => agent,
            _ => side.agent(),
        }
    }

    /// An outcome of the game as one of the space.
    #[inline]
    fn clamp(&self, o: Outcome) -> Outcome {
        Outcome(o.clamp(self.low, self.high).0 - self.low.0)
    }

    /// The best outcome of the space.
    #[inline]
    pub fn best(&self) -> Outcome {
        Outcome(self.high.0 - self.low.0)
    }
}

impl<G: Guide> Space for Goal<'_, G> {
    type State = G::State;
    type Step = G::Move;
    type Packed = G::Packed;

    #[inline]
    fn best(&self) -> Outcome {
        Goal::best(self)
    }

    fn threshold(&self, at_least: Outcome) -> Self {
        let at_least = Outcome(self.low.0 + at_least.0);
        Goal::new(self.game, self.start.clone(), at_least, self.open)
            .with_knowledge(self.knowledge)
            .with_symmetry(self.symmetry)
    }

    fn root(&self) -> G::State {
        self.start.clone()
    }

    #[inline]
    fn look_within(&self, s: &G::State, low: Outcome, high: Outcome) -> Look {
        match self.game.turn(s) {
            Turn::Over => Look::Over(self.clamp(self.game.outcome(s))),
            Turn::Agent(agent) => {
                if self.knowledge
                    && let Some(known) = self.game.known(s)
                {
                    let (least, most) = (self.clamp(known.at_least), self.clamp(known.at_most));
                    if least >= high || least == most {
                        return Look::Over(least);
                    }
                    if most <= low {
                        return Look::Over(most);
                    }
                }
                Look::Choice(Side::of(agent))
            }
        }
    }

    fn bounds(&self, s: &G::State) -> (Outcome, Outcome) {
        match self.game.known(s) {
            Some(known) if self.knowledge => {
                (self.clamp(known.at_least), self.clamp(known.at_most))
            }
            _ => (Outcome(0), Goal::best(self)),
        }
    }

    fn look_at_root(&self, s: &G::State) -> Look {
        match self.game.turn(s) {
            Turn::Over => Look::Over(self.clamp(self.game.outcome(s))),
            Turn::Agent(agent) => Look::Choice(Side::of(agent)),
        }
    }

    #[inline]
    fn key(&self, s: &G::State) -> G::State {
        // Whether a position came up before is a question about itself, not about its images.
        if self.symmetry && self.repetition.is_none() { self.game.canonical(s) } else { s.clone() }
    }

    #[inline]
    fn pack(&self, s: &G::State) -> G::Packed {
        self.game.pack(s)
    }

    #[inline]
    fn promising(&self, s: &G::State, side: Side, out: &mut Vec<G::Move>) {
        if self.knowledge {
            self.game.promising(s, self.agent(s, side), out);
        } else {
            self.game.in_order(s, self.agent(s, side), out);
        }
    }

    #[inline]
    fn every_move_ends(&self, s: &G::State) -> bool {
        self.game.every_move_ends(s)
    }

    #[inline]
    fn shape(&self, s: &G::State) -> u32 {
        self.game.shape(s)
    }

    #[inline]
    fn forced(&self, s: &G::State, side: Side) -> Option<G::Move> {
        if self.knowledge { self.game.forced(s, self.agent(s, side)) } else { None }
    }

    #[inline]
    fn steps(&self, s: &G::State, side: Side, out: &mut Vec<G::Move>) {
        self.game.moves(s, self.agent(s, side), out);
    }

    #[inline]
    fn take(&self, s: &mut G::State, side: Side, step: G::Move) {
        let agent = self.agent(s, side);
        self.game.play(s, agent, step);
    }

    #[inline]
    fn repetition(&self) -> Option<Outcome> {
        self.repetition
    }

    #[inline]
    fn move_class(&self, s: &G::State, side: Side, step: G::Move) -> Option<u16> {
        self.game.move_class(s, self.agent(s, side), step)
    }

    fn mobility(&self, s: &G::State, side: Side) -> u32 {
        self.game.mobility(s, self.agent(s, side))
    }

    fn evaluate(&self, s: &G::State) -> Option<f64> {
        self.game.evaluate(s)
    }

    fn playout(&self, s: G::State, rng: &mut Rng) -> Option<Outcome> {
        self.game.playout(s, rng).map(|o| self.clamp(o))
    }
}
