//! Rules of a game.
//!
//! After A. Saffidine, *Solving Games and All That* (2013): a game is a transition system whose
//! transitions are labelled by agents (Definition 1), with exclusive turns and, at its final
//! states, an outcome out of an ordered set (Definitions 2 and 9).

use std::borrow::Cow;
use std::fmt::Debug;
use std::hash::Hash;

/// A player, numbered in the order of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Agent(pub u8);

/// A proposition that a game can be asked about a state (Definition 21's labels), as a number
/// that means something to this game only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Atom(pub u32);

/// What an agent can do when a formula asks it to move while it is another one's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffTurn {
    /// It moves as if it were its turn: positions are not tied to a player.
    Moves,
    /// It has one move, a pass, which changes nothing.
    Passes,
}

/// The two sides of a zero-sum question. In a two-player game Max is the player who moves first
/// in the starting position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Agent 0, who wants high outcomes.
    Max,
    /// Agent 1, who wants low outcomes.
    Min,
}

impl Side {
    /// The side of an agent in a two-player game.
    #[inline]
    pub fn of(agent: Agent) -> Side {
        if agent.0 == 0 { Side::Max } else { Side::Min }
    }

    /// The agent of a side in a two-player game.
    #[inline]
    pub fn agent(self) -> Agent {
        Agent(self.index() as u8)
    }

    /// The other side.
    #[inline]
    pub fn other(self) -> Side {
        match self {
            Side::Max => Side::Min,
            Side::Min => Side::Max,
        }
    }

    /// 0 for Max, 1 for Min: an index into pairs such as `Notation::players`.
    #[inline]
    pub fn index(self) -> usize {
        match self {
            Side::Max => 0,
            Side::Min => 1,
        }
    }
}

/// Who chooses in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// This agent moves and has at least one move.
    Agent(Agent),
    /// The state is final and has an outcome.
    Over,
}

/// An outcome, as its place in the game's [`Scale`]: a higher one is better for Max.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Outcome(pub u16);

impl Outcome {
    /// The worse outcome of a two-outcome scale.
    pub const LOSS: Outcome = Outcome(0);
    /// The better outcome of a two-outcome scale.
    pub const WIN: Outcome = Outcome(1);
}

/// The outcomes of a game, named, the worst for Max first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scale {
    names: Vec<Cow<'static, str>>,
    /// What the names say, where all of them are whole numbers that rise.
    scores: Option<Vec<i64>>,
}

impl Scale {
    /// Loss and win.
    pub fn two() -> Scale {
        Scale { names: vec!["loss".into(), "win".into()], scores: None }
    }

    /// Loss, draw and win.
    pub fn three() -> Scale {
        Scale { names: vec!["loss".into(), "draw".into(), "win".into()], scores: None }
    }

    /// Any names, the worst for Max first. There must be at least two. Whole numbers that rise
    /// are scores; anything else is words.
    pub fn named(names: Vec<String>) -> Scale {
        assert!(names.len() >= 2, "a scale has at least two outcomes");
        let scores: Option<Vec<i64>> = names.iter().map(|name| score(name)).collect();
        let scores = scores.filter(|scores| scores.is_sorted_by(|a, b| a < b));
        Scale { names: names.into_iter().map(Cow::from).collect(), scores }
    }

    /// The name of an outcome.
    pub fn name(&self, o: Outcome) -> &str {
        &self.names[usize::from(o.0)]
    }

    /// The outcome with this name.
    pub fn find(&self, name: &str) -> Option<Outcome> {
        self.names.iter().position(|n| n == name).map(|i| Outcome(i as u16))
    }

    /// The names, the worst first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|n| n.as_ref())
    }

    /// The scores that the outcomes are, the worst first, if they are scores.
    pub fn scores(&self) -> Option<&[i64]> {
        self.scores.as_deref()
    }

    /// The score that an outcome is, if outcomes are scores.
    pub fn score(&self, o: Outcome) -> Option<i64> {
        self.scores().map(|scores| scores[usize::from(o.0)])
    }

    /// The best outcome for Max.
    pub fn best(&self) -> Outcome {
        Outcome(self.names.len() as u16 - 1)
    }
}

/// The whole number that a name is, written as numbers are; a plus sign may stand before it.
pub fn score(name: &str) -> Option<i64> {
    name.parse().ok().filter(|n: &i64| name == n.to_string() || name == format!("{n:+}"))
}

/// What the rules say of a play that never ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endless {
    /// No play is endless: no position can come up twice.
    Impossible,
    /// Positions can come up again, and the rules give endless play no outcome. What a side can
    /// force is then a least fixpoint of equations 2.7-2.9, for either side (Examples 1 to 3).
    Undetermined,
    /// Positions can come up again, and endless play has this outcome.
    Scores(Outcome),
}

/// Rules of a game: a transition system whose transitions are labelled by agents. A state is
/// plain data and holds everything that the rules look at, the player to move included.
pub trait Game: Sync {
    /// A position.
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;
    /// A move. Nodes of a search hold one, so it should be small.
    type Move: Copy + Eq + Hash + Debug + Send + Sync;

    /// The outcomes of the game.
    fn scale(&self) -> Scale {
        Scale::two()
    }

    /// Whether positions can come up again, and what endless play is worth.
    fn endless(&self) -> Endless {
        Endless::Impossible
    }

    /// The starting position.
    fn start(&self) -> Self::State;

    /// Who chooses in `s`. An agent that is named here has a move.
    fn turn(&self, s: &Self::State) -> Turn;

    /// Appends the moves that `agent` has, or would have were it its turn, in a fixed order.
    /// `s` is not over.
    fn moves(&self, s: &Self::State, agent: Agent, out: &mut Vec<Self::Move>);

    /// Plays one of `moves(s, agent)`.
    fn play(&self, s: &mut Self::State, agent: Agent, m: Self::Move);

    /// The outcome of a state that is over.
    fn outcome(&self, s: &Self::State) -> Outcome;

    /// How many agents play.
    fn agents(&self) -> u8 {
        2
    }

    /// What an agent can do that is asked to move out of turn. With [`OffTurn::Moves`], `moves`
    /// and `play` work for every agent in every state that is not over.
    fn off_turn(&self) -> OffTurn {
        OffTurn::Passes
    }

    /// Whether this outcome is a win for `agent`. In a game of two outcomes or of win, draw and
    /// loss that is the end of the scale on its side; of a score it is the sign.
    fn won(&self, outcome: Outcome, agent: Agent) -> bool {
        let scale = self.scale();
        match (scale.score(outcome), Side::of(agent)) {
            (Some(score), Side::Max) => score > 0,
            (Some(score), Side::Min) => score < 0,
            (None, Side::Max) => outcome == scale.best(),
            (None, Side::Min) => outcome == Outcome(0),
        }
    }

    /// Whether a proposition holds in a state, which may be over. Only atoms that the game's own
    /// notation read are asked.
    fn holds(&self, _s: &Self::State, _atom: Atom) -> bool {
        false
    }

    /// What was found wrong with the rules while states were looked at, if they can be wrong: rules
    /// that a person wrote may not be those of such a game. No answer counts then.
    fn rules_violation(&self) -> Option<String> {
        None
    }

    /// Whether a reason that somebody states, the words behind the name of a rule of static
    /// knowledge, shows that a claim holds in `s`, which is not over. Nothing is believed but the
    /// position: the code behind this does not search, and shares nothing with what found the
    /// reason. Must not panic, whatever the words.
    fn confirms(&self, _s: &Self::State, _claim: Claim, _rule: &str, _reason: &str) -> bool {
        false
    }

    /// The same for the claim that an end cannot be reached from `s`, which is not over.
    fn confirms_out_of_reach(
        &self,
        _s: &Self::State,
        _end: Reach,
        _rule: &str,
        _reason: &str,
    ) -> bool {
        false
    }
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

    /// Whether endless play is what the prover promised: then a loop may stand in its proof.
    pub fn met_by_endless(self, endless: Endless) -> bool {
        match endless {
            Endless::Impossible => false,
            Endless::Undetermined => self.or_endless,
            Endless::Scores(o) => self.or_endless || self.met_by(o),
        }
    }
}

/// An end that may be out of reach: whether `agent` can have won after at most so many moves of
/// its own and of others, even if everybody helps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Who is to win.
    pub agent: Agent,
    /// Its own moves, at most.
    pub own: u32,
    /// Moves of all others together, at most.
    pub others: u32,
    /// Whether they really help: no move is chosen against `agent`. Then hardly anything but
    /// knowledge cuts a search short, and it may take more time.
    pub helped: bool,
}
