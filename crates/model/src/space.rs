//! What a search sees: Max and Min choices over outcomes.

use foregone_proof::{Agent, Claim, Endless, Game, OffTurn, Outcome, Side, Turn, Viewpoint};

use crate::guide::{Effort, Guide, OwnFound, Rng};
use crate::zone::Zone;

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
    #[inline(always)]
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

    /// Whether states can come up again on the same path.
    fn repeats(&self) -> bool;

    /// What a state that came up before on the same path is worth. It is the same for all states that
    /// can come up again from each other.
    fn repetition(&self, s: &Self::State) -> Outcome;

    /// The state by which `s` is looked up: one for all its mirror images.
    fn key(&self, s: &Self::State) -> Self::State;

    /// A state in the form in which tables keep it.
    fn pack(&self, s: &Self::State) -> Self::Packed;

    /// Appends the steps of `side` that are worth trying, the most promising first. What is left
    /// out is known to lose at once; there may be nothing else.
    fn promising(&self, s: &Self::State, side: Side, out: &mut Vec<Self::Step>);

    /// Whether proofs may take it as known that what `promising` leaves out loses, without a look.
    fn leaves_out(&self) -> bool;

    /// Who wins a state that is not final, by a search of the game's own
    /// ([`Guide::search_own`]).
    fn search_own(
        &self,
        s: &Self::State,
        goes_on: &mut dyn FnMut(Effort) -> bool,
    ) -> Option<OwnFound<Self::Step>>;

    /// Whether either side can take steps out of turn, in every state that is not final: `steps`, `take`
    /// and the methods below then work for both sides.
    fn moves_off_turn(&self) -> bool;

    /// Whether `side` gets what it wants by winning the game, and by nothing else. What games tell of
    /// threats and zones is about wins.
    fn plays_to_win(&self, side: Side) -> bool;

    /// Appends the steps of `side` after which it may have got what it wants, the most promising first.
    fn finishing(&self, s: &Self::State, side: Side, out: &mut Vec<Self::Step>);

    /// Appends the steps of `side` that may threaten to win by threats of an order below this one, the
    /// most promising first.
    fn threatening(&self, s: &Self::State, side: Side, order: u32, out: &mut Vec<Self::Step>);

    /// The cells that a step of `side` changes, where the game tells.
    fn touched(&self, s: &Self::State, side: Side, step: Self::Step) -> Option<Zone>;

    /// The cells where `side` can upset a proof without touching its zone, by so many moves of its own.
    fn counters(&self, s: &Self::State, side: Side, moves: u32) -> Zone;

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

    /// Whether searches of the space can be kept in checkpoints: states, steps and packed states can be
    /// written as bytes.
    fn stores(&self) -> bool;

    /// Appends a state as bytes.
    fn store_state(&self, s: &Self::State, out: &mut Vec<u8>);

    /// Takes a state from the front of bytes, if they are those of a state.
    fn restore_state(&self, from: &mut &[u8]) -> Option<Self::State>;

    /// The same for a step.
    fn store_step(&self, step: Self::Step, out: &mut Vec<u8>);

    /// Takes a step from the front of bytes.
    fn restore_step(&self, from: &mut &[u8]) -> Option<Self::Step>;

    /// The same for a packed state.
    fn store_packed(&self, p: &Self::Packed, out: &mut Vec<u8>);

    /// Takes a packed state from the front of bytes.
    fn restore_packed(&self, from: &mut &[u8]) -> Option<Self::Packed>;
}

/// A game seen through a window of its scale: what is worse than `low` counts as `low`, what is
/// better than `high` as `high`, and `low` is outcome 0 of the space. The widest window is the
/// game as it is (chapter 3); the narrowest has two outcomes, [`Outcome::WIN`] and
/// [`Outcome::LOSS`], and asks whether Max reaches at least `high` (chapter 2).
///
/// Max is the first agent, or another one ([`Goal::with_max`]). All others are Min together.
///
/// In a game in which positions can come up again, the first repetition ends the play: a side
/// that can force its goal can do so without ever repeating a position. What the repetition is
/// worth follows from the rules where they give endless play an outcome, which may depend on where
/// the play goes round ([`Game::endless_from`]); where they do not, the
/// view counts it for a side of the asker's choice, and it takes two views to know what either
/// side can force.
#[derive(Clone, Debug)]
pub struct Goal<'g, G: Game> {
    game: &'g G,
    start: G::State,
    low: Outcome,
    high: Outcome,
    open: Side,
    repeats: bool,
    knowledge: bool,
    symmetry: bool,
    /// Who is Max, and how outcomes rank for that agent. The window is one of ranks.
    view: Viewpoint,
    /// Which agent moves for a side depends on the state: more than two play, or the first is not
    /// Max.
    many: bool,
    /// For Max and Min: whether nothing but a win of the game is what it wants.
    for_a_win: [bool; 2],
}

/// What a [`Goal`] asks, as plain data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GoalTerms {
    /// The lower edge of the window.
    pub low: Outcome,
    /// The upper edge of the window.
    pub high: Outcome,
    /// For whom endless play counts that the rules leave open.
    pub open: Side,
    /// Who is Max.
    pub max: Agent,
    /// Whether what the game knows statically is used.
    pub knowledge: bool,
    /// Whether mirror images are taken as one.
    pub symmetry: bool,
}

impl<'g, G: Game> Goal<'g, G> {
    /// The question whether Max reaches at least this outcome from `start`, which is not the
    /// worst one. Endless play that the rules leave open counts for the side `open`.
    ///
    /// A space has no place for chance: a game that has it panics here, so ask
    /// [`Game::has_chance`] first.
    pub fn new(game: &'g G, start: G::State, at_least: Outcome, open: Side) -> Goal<'g, G> {
        Goal::within(game, start, (Outcome(at_least.0 - 1), at_least), open)
    }

    /// The question which outcome between these two Max reaches. Panics like [`Goal::new`].
    pub fn within(
        game: &'g G,
        start: G::State,
        (low, high): (Outcome, Outcome),
        open: Side,
    ) -> Goal<'g, G> {
        assert!(!game.has_chance(), "a game with chance is not a space of Max and Min choices");
        Goal {
            game,
            start,
            low,
            high,
            open,
            repeats: game.endless() != Endless::Impossible,
            knowledge: true,
            symmetry: true,
            view: Viewpoint::new(game, Agent::FIRST),
            many: game.agents() > 2,
            for_a_win: [high == game.scale().best(), low == Outcome(0)],
        }
    }

    /// The question of the same window with this agent as Max. The outcomes of the window are then
    /// ranks for that agent ([`Viewpoint::rank`]). Unless it is the first one, static knowledge and
    /// mirror images are not used: they speak of what the first agent reaches.
    pub fn with_max(self, max: Agent) -> Goal<'g, G> {
        let first = max == Agent::FIRST;
        Goal {
            view: Viewpoint::new(self.game, max),
            many: !first || self.game.agents() > 2,
            knowledge: first && self.knowledge,
            symmetry: first && self.symmetry,
            for_a_win: self.for_a_win.map(|win| first && win),
            ..self
        }
    }

    /// The same question, answered without what the game knows statically, or with it.
    pub fn with_knowledge(self, knowledge: bool) -> Goal<'g, G> {
        Goal { knowledge: knowledge && self.view.max() == Agent::FIRST, ..self }
    }

    /// The same question, taking mirror images apart, or as one.
    pub fn with_symmetry(self, symmetry: bool) -> Goal<'g, G> {
        Goal { symmetry: symmetry && self.view.max() == Agent::FIRST, ..self }
    }

    /// The game.
    pub fn game(&self) -> &'g G {
        self.game
    }

    /// What is asked, and how it is looked at, but for the game and the start.
    pub fn terms(&self) -> GoalTerms {
        GoalTerms {
            low: self.low,
            high: self.high,
            open: self.open,
            max: self.view.max(),
            knowledge: self.knowledge,
            symmetry: self.symmetry,
        }
    }

    /// What is claimed of the game when `prover` is said to force an outcome of at least (Max) or
    /// below (Min) this one of the space.
    pub fn claim(&self, prover: Side, at_least: Outcome) -> Claim {
        let won_by_loops = prover == self.open;
        let or_endless = self.game.endless() == Endless::Undetermined && won_by_loops;
        let at_least = Outcome(self.low.0 + at_least.0);
        Claim { max: self.view.max(), prover, at_least, or_endless }
    }

    /// The claims that bounds of the space make: an outcome that Max reaches, and one that it
    /// misses.
    pub fn claims(&self, (low, high): (Outcome, Outcome)) -> impl Iterator<Item = Claim> {
        let reached = (low > Outcome(0)).then(|| self.claim(Side::Max, low));
        let missed = (high < self.best()).then(|| self.claim(Side::Min, Outcome(high.0 + 1)));
        reached.into_iter().chain(missed)
    }

    /// The side of an agent.
    pub fn side(&self, agent: Agent) -> Side {
        self.view.side(agent)
    }

    /// The agent that moves for a side: with more than two agents Min is whoever of the others is
    /// on turn, or one of them if none is.
    #[inline]
    fn agent(&self, s: &G::State, side: Side) -> Agent {
        match side {
            _ if !self.many => side.agent(),
            Side::Max => self.view.max(),
            Side::Min => match self.game.turn(s) {
                Turn::Agent(agent) if agent != self.view.max() => agent,
                Turn::Agent(_) | Turn::Over if self.view.max() == Agent::FIRST => Agent(1),
                Turn::Agent(_) | Turn::Over => Agent::FIRST,
                Turn::Chance => untold_chance(),
            },
        }
    }

    /// An outcome of the game as one of the space.
    #[inline]
    fn clamp(&self, o: Outcome) -> Outcome {
        Outcome(self.view.rank(o).clamp(self.low, self.high).0 - self.low.0)
    }

    /// The best outcome of the space.
    #[inline]
    pub fn best(&self) -> Outcome {
        Outcome(self.high.0 - self.low.0)
    }

    /// A state that is over.
    fn over(&self, s: &G::State) -> Look {
        Look::Over(self.clamp(self.game.outcome(s)))
    }
}

impl<G: Guide> Goal<'_, G> {
    /// What is known of a state that is not over, if it is as good as final between these outcomes.
    #[inline(never)]
    fn known_within(&self, s: &G::State, low: Outcome, high: Outcome) -> Option<Outcome> {
        let known = self.game.known(s)?;
        let (least, most) = (self.clamp(known.at_least), self.clamp(known.at_most));
        if least >= high || least == most { Some(least) } else { (most <= low).then_some(most) }
    }
}

/// Rules that deny chance gave it the turn: a defect of theirs that no search can work around.
#[cold]
fn untold_chance() -> ! {
    panic!("chance is to move, in a game that says it has none")
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
            .with_max(self.view.max())
    }

    fn root(&self) -> G::State {
        self.start.clone()
    }

    /// Inlined, as it is asked of every state: what a game knows is left to calls.
    #[inline(always)]
    fn look_within(&self, s: &G::State, low: Outcome, high: Outcome) -> Look {
        match self.game.turn(s) {
            Turn::Over => self.over(s),
            Turn::Agent(agent) => {
                let known = if self.knowledge { self.known_within(s, low, high) } else { None };
                known.map_or(Look::Choice(self.view.side(agent)), Look::Over)
            }
            Turn::Chance => untold_chance(),
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
            Turn::Over => self.over(s),
            Turn::Agent(agent) => Look::Choice(self.view.side(agent)),
            Turn::Chance => untold_chance(),
        }
    }

    #[inline]
    fn key(&self, s: &G::State) -> G::State {
        // Whether a position came up before is a question about itself, not about its images.
        if self.symmetry && !self.repeats { self.game.canonical(s) } else { s.clone() }
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

    fn leaves_out(&self) -> bool {
        self.knowledge && self.game.leaves_out()
    }

    fn search_own(
        &self,
        s: &G::State,
        goes_on: &mut dyn FnMut(Effort) -> bool,
    ) -> Option<OwnFound<G::Move>> {
        // What it finds is knowledge. By the rules alone every move would have to be answered.
        match self.knowledge {
            true => self.game.search_own(s, goes_on),
            false => Some(OwnFound::Open),
        }
    }

    fn moves_off_turn(&self) -> bool {
        self.game.off_turn() == OffTurn::Moves && self.game.agents() == 2
    }

    fn plays_to_win(&self, side: Side) -> bool {
        self.for_a_win[side.index()]
    }

    #[inline]
    fn finishing(&self, s: &G::State, side: Side, out: &mut Vec<G::Move>) {
        match self.for_a_win[side.index()] {
            true => self.game.finishing(s, self.agent(s, side), out),
            false => self.game.in_order(s, self.agent(s, side), out),
        }
    }

    #[inline]
    fn threatening(&self, s: &G::State, side: Side, order: u32, out: &mut Vec<G::Move>) {
        match self.for_a_win[side.index()] {
            true => self.game.threatening(s, self.agent(s, side), order, out),
            false => self.game.in_order(s, self.agent(s, side), out),
        }
    }

    #[inline]
    fn touched(&self, s: &G::State, side: Side, step: G::Move) -> Option<Zone> {
        self.game.touched(s, self.agent(s, side), step)
    }

    #[inline]
    fn counters(&self, s: &G::State, side: Side, moves: u32) -> Zone {
        self.game.counters(s, self.agent(s, side), moves)
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
    fn repeats(&self) -> bool {
        self.repeats
    }

    fn repetition(&self, s: &G::State) -> Outcome {
        match (self.game.endless_from(s), self.open) {
            (Endless::Scores(o), _) => self.clamp(o),
            (Endless::Undetermined | Endless::Impossible, Side::Max) => Goal::best(self),
            (Endless::Undetermined | Endless::Impossible, Side::Min) => Outcome(0),
        }
    }

    #[inline]
    fn move_class(&self, s: &G::State, side: Side, step: G::Move) -> Option<u16> {
        self.game.move_class(s, self.agent(s, side), step)
    }

    fn mobility(&self, s: &G::State, side: Side) -> u32 {
        self.game.mobility(s, self.agent(s, side))
    }

    fn evaluate(&self, s: &G::State) -> Option<f64> {
        // What is good for the first agent says little of one of many others.
        match (self.view.max() == Agent::FIRST, self.game.agents()) {
            (true, _) => self.game.evaluate(s),
            (false, 2) => self.game.evaluate(s).map(|chances| 1.0 - chances),
            (false, _) => None,
        }
    }

    fn playout(&self, s: G::State, rng: &mut Rng) -> Option<Outcome> {
        self.game.playout(s, rng).map(|o| self.clamp(o))
    }

    fn stores(&self) -> bool {
        self.game.stores()
    }

    #[inline]
    fn store_state(&self, s: &G::State, out: &mut Vec<u8>) {
        self.game.store_state(s, out);
    }

    #[inline]
    fn restore_state(&self, from: &mut &[u8]) -> Option<G::State> {
        self.game.restore_state(from)
    }

    #[inline]
    fn store_step(&self, step: G::Move, out: &mut Vec<u8>) {
        self.game.store_move(step, out);
    }

    #[inline]
    fn restore_step(&self, from: &mut &[u8]) -> Option<G::Move> {
        self.game.restore_move(from)
    }

    #[inline]
    fn store_packed(&self, p: &G::Packed, out: &mut Vec<u8>) {
        self.game.store_packed(p, out);
    }

    #[inline]
    fn restore_packed(&self, from: &mut &[u8]) -> Option<G::Packed> {
        self.game.restore_packed(from)
    }
}
