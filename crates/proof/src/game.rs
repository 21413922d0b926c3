//! Rules of a game.
//!
//! After A. Saffidine, *Solving Games and All That* (2013): a game is a transition system whose
//! transitions are labelled by agents (Definition 1), with exclusive turns and, at its final
//! states, an outcome out of an ordered set (Definitions 2 and 9).

use std::borrow::Cow;
use std::fmt::Debug;
use std::hash::Hash;

use crate::connection::Net;

/// A player, numbered in the order of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Agent(pub u8);

impl Agent {
    /// The first agent of the rules: Max, unless a question says otherwise.
    pub const FIRST: Agent = Agent(0);
    /// Chance, where it makes the moves. It is not one of [`Game::agents`], and it is on no side.
    pub const CHANCE: Agent = Agent(u8::MAX);
}

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

/// The two sides of a question. Unless it says otherwise ([`Viewpoint`]), Max is the first agent,
/// who moves first in the starting position of a two-player game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// One agent, who wants high outcomes.
    Max,
    /// All others, who want low outcomes.
    Min,
}

impl Side {
    /// The side of an agent where the first one is Max.
    #[inline]
    pub fn of(agent: Agent) -> Side {
        if agent == Agent::FIRST { Side::Max } else { Side::Min }
    }

    /// The agent of a side in a two-player game whose first agent is Max.
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
    /// Chance moves, by weights ([`Game::weight`]), and has at least one move.
    Chance,
    /// The state is final and has an outcome.
    Over,
}

impl Turn {
    /// Whose moves lead on from here, for walks to which every move is the same: chance is
    /// [`Agent::CHANCE`]. Nobody's if the state is final.
    #[inline]
    pub fn mover(self) -> Option<Agent> {
        match self {
            Turn::Agent(agent) => Some(agent),
            Turn::Chance => Some(Agent::CHANCE),
            Turn::Over => None,
        }
    }
}

/// An outcome, as its place in the game's [`Scale`]: a higher one is better for the first agent.
/// Where a question makes another agent Max, its rank for that one ([`Viewpoint::rank`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Outcome(pub u16);

impl Outcome {
    /// The worse outcome of a two-outcome scale.
    pub const LOSS: Outcome = Outcome(0);
    /// The better outcome of a two-outcome scale.
    pub const WIN: Outcome = Outcome(1);
}

/// The outcomes of a game, the worst for the first agent first: words, or numbers that rise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scale {
    names: Vec<Cow<'static, str>>,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Words,
    /// As many as there are names.
    Numbers(Vec<i64>),
}

impl Scale {
    /// Loss and win.
    pub fn two() -> Scale {
        Scale { names: vec!["loss".into(), "win".into()], kind: Kind::Words }
    }

    /// Loss, draw and win.
    pub fn three() -> Scale {
        Scale { names: vec!["loss".into(), "draw".into(), "win".into()], kind: Kind::Words }
    }

    /// Words, at least two of them, the worst for the first agent first.
    pub fn words(names: Vec<String>) -> Scale {
        assert!(names.len() >= 2, "a scale has at least two outcomes");
        Scale { names: names.into_iter().map(Cow::from).collect(), kind: Kind::Words }
    }

    /// Numbers above -2^63, at least two of them, that rise. They are written without a plus sign.
    pub fn numbers(scores: Vec<i64>) -> Scale {
        Scale::spelled(scores.into_iter().map(|n| (n, n.to_string())).collect())
    }

    /// The same with the spelling of each.
    pub fn spelled(numbers: Vec<(i64, String)>) -> Scale {
        let (scores, names): (Vec<i64>, Vec<String>) = numbers.into_iter().unzip();
        let first = scores.first().is_none_or(|&first| first > i64::MIN);
        assert!(first && scores.is_sorted_by(|a, b| a < b), "numbers rise, and have a negative");
        Scale { kind: Kind::Numbers(scores), ..Scale::words(names) }
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

    /// The numbers that the outcomes are, the worst first, unless they are words.
    pub fn scores(&self) -> Option<&[i64]> {
        match &self.kind {
            Kind::Words => None,
            Kind::Numbers(scores) => Some(scores),
        }
    }

    /// The number that an outcome is, unless outcomes are words.
    pub fn score(&self, o: Outcome) -> Option<i64> {
        self.scores().map(|scores| scores[usize::from(o.0)])
    }

    /// What an outcome is worth to `agent` where the others lose what the first one wins: to that
    /// one its number or else its place, and to all others the negative.
    pub fn zero_sum(&self, o: Outcome, agent: Agent) -> i64 {
        let score = self.score(o).unwrap_or(i64::from(o.0));
        if agent == Agent::FIRST { score } else { -score }
    }

    /// The best outcome for the first agent.
    pub fn best(&self) -> Outcome {
        Outcome(self.names.len() as u16 - 1)
    }
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

    /// What endless play from `s` is worth, where that depends on the position: seeds that were
    /// captured before, say. It is of the kind of [`Game::endless`], and the same for all positions
    /// that can come up again from each other.
    fn endless_from(&self, _s: &Self::State) -> Endless {
        self.endless()
    }

    /// The starting position.
    fn start(&self) -> Self::State;

    /// Who chooses in `s`. An agent that is named here has a move.
    fn turn(&self, s: &Self::State) -> Turn;

    /// Appends the moves that `agent` has, or would have were it its turn, in a fixed order.
    /// `s` is not over. Those of [`Agent::CHANCE`] are what may happen; it is asked on its turn
    /// only.
    fn moves(&self, s: &Self::State, agent: Agent, out: &mut Vec<Self::Move>);

    /// Plays one of `moves(s, agent)`; for [`Agent::CHANCE`], lets it happen.
    fn play(&self, s: &mut Self::State, agent: Agent, m: Self::Move);

    /// The outcome of a state that is over.
    fn outcome(&self, s: &Self::State) -> Outcome;

    /// Whether chance ever moves. Rules that say no and then give chance the turn are broken.
    fn has_chance(&self) -> bool {
        false
    }

    /// How often chance makes this move in `s`, compared with its other moves there: a whole
    /// number of at least 1. Those of one state add up to less than 2^64.
    fn weight(&self, _s: &Self::State, _m: Self::Move) -> u64 {
        1
    }

    /// How many agents play, chance not counted.
    fn agents(&self) -> u8 {
        2
    }

    /// What an agent can do that is asked to move out of turn. With [`OffTurn::Moves`], `moves`
    /// and `play` work for every agent in every state that is not over.
    fn off_turn(&self) -> OffTurn {
        OffTurn::Passes
    }

    /// What an outcome is worth to `agent`: more is better. Along the scale the first agent's worth
    /// never falls.
    fn score(&self, outcome: Outcome, agent: Agent) -> i64 {
        self.scale().zero_sum(outcome, agent)
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
    /// knowledge, shows that a claim holds in `s`, which is not over. Only claims are asked about
    /// whose Max is the first agent. Nothing is believed but the
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

    /// The board of `s`, which is not over, as a net, if `side` of this game wants to connect: it wins
    /// exactly when one group of its stones touches all terminals; the two players in turn put one stone each on
    /// any empty cell; stones never move or leave; and one side always wins, never both. Then
    /// certificates may show by a connection that it wins ([`crate::connection`]).
    fn net(&self, _s: &Self::State, _side: Side) -> Option<Net> {
        None
    }
}

/// Who is Max in a question, and how the outcomes rank for that agent. All others are Min, whatever
/// they want: what Max can force it can force against all of them together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Viewpoint {
    max: Agent,
    /// The rank of each outcome; nothing where outcomes rank as in the scale.
    ranks: Option<Vec<Outcome>>,
}

impl Viewpoint {
    /// That of this agent. The rank of an outcome is the number of different scores below its own.
    pub fn new<G: Game + ?Sized>(game: &G, max: Agent) -> Viewpoint {
        let scale = game.scale();
        // Numbers rise along the scale.
        if max == Agent::FIRST && scale.scores().is_some() {
            return Viewpoint { max, ranks: None };
        }
        let outcomes = (0..=scale.best().0).map(Outcome);
        let scores: Vec<i64> = outcomes.map(|o| game.score(o, max)).collect();
        if scores.is_sorted_by(|a, b| a < b) {
            return Viewpoint { max, ranks: None };
        }
        let mut different = scores.clone();
        different.sort_unstable();
        different.dedup();
        let rank = |score: &i64| Outcome(different.partition_point(|d| d < score) as u16);
        Viewpoint { max, ranks: Some(scores.iter().map(rank).collect()) }
    }

    /// Who is Max.
    #[inline]
    pub fn max(&self) -> Agent {
        self.max
    }

    /// The side of an agent.
    #[inline]
    pub fn side(&self, agent: Agent) -> Side {
        if agent == self.max { Side::Max } else { Side::Min }
    }

    /// The rank of an outcome of the scale, 0 for the worst. Outcomes of equal score have one rank.
    #[inline]
    pub fn rank(&self, o: Outcome) -> Outcome {
        self.ranks.as_ref().map_or(o, |ranks| ranks[usize::from(o.0)])
    }

    /// What endless play is worth, by rank.
    pub fn endless(&self, endless: Endless) -> Endless {
        match endless {
            Endless::Scores(o) => Endless::Scores(self.rank(o)),
            Endless::Impossible | Endless::Undetermined => endless,
        }
    }
}

/// What one of the sides is said to be able to force: the two halves of the question "does Max
/// reach at least this outcome?". A proof of either is a weak solution (Definition 3). Outcomes are
/// ranks for Max.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Who is Max.
    pub max: Agent,
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
