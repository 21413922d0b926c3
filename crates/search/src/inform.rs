//! Information functions: the value of a new leaf (ζ of Definition 8).
//!
//! A leaf that is not final never gets a solved value here, so every one of these is consistent
//! and informative by construction.

use std::collections::HashSet;

use foregone_model::{Outcome, Rng, Side, Space, WeakSolution};

use crate::plays::{Labels, label};
use crate::report::Counts;
use crate::scheme::{
    Blind, Effort, LambdaPn, Mcts, MinMax, Mps, Pn, Pp, Price, Range, Sample, Sbmcts, Scheme, Tally,
};

/// A set of states.
pub type States<Sp> = HashSet<<Sp as Space>::State>;

/// Gives new leaves their values.
pub trait Inform<Sp: Space, S: Scheme> {
    /// Whether it is leaves that it looks into, not new nodes: it values the children of a leaf by
    /// a search of its own.
    const SEARCHES: bool = false;

    /// The value of a state that is not final, in which `side` chooses, for the question with
    /// this number. Questions are asked in their order, from 0.
    fn leaf(&mut self, space: &Sp, state: &Sp::State, side: Side, at: usize) -> S::Value;

    /// Says that the next question is about another state than the last one, though its number
    /// may not be 0.
    fn another(&mut self) {}

    /// How many leaves it can look into at once.
    fn at_once(&self) -> usize {
        1
    }

    /// For each of these leaves the values of its children, in the order of the steps, for a search
    /// that has this many nodes. Where only one of the children is open, those of its children may
    /// follow, and so on.
    fn children(
        &mut self,
        _space: &Sp,
        _leaves: &[(Sp::State, Side)],
        _nodes: u64,
    ) -> Vec<Vec<Vec<S::Value>>> {
        Vec::new()
    }

    /// Whether it remembers what was proved, and then makes the proof itself.
    const LEARNS: bool = false;

    /// What was proved of a state elsewhere: bounds of its value.
    fn known(&self, _space: &Sp, _state: &Sp::State) -> Option<(Outcome, Outcome)> {
        None
    }

    /// Remembers bounds of the value of a state, which took so much work.
    fn learn(&mut self, _space: &Sp, _state: &Sp::State, _bounds: (Outcome, Outcome), _work: u64) {}

    /// The proof of the answer to a question about an outcome, where the search itself proved
    /// these states and the rest was learned.
    fn proof(
        &mut self,
        _question: &Sp,
        _at_least: Outcome,
        _outcome: Outcome,
        _proved: States<Sp>,
        _bytes: u64,
    ) -> Option<WeakSolution<Sp::Step>> {
        None
    }

    /// Whether it values leaves by random plays. A play from a choice of one step is a play from
    /// behind it, so where plays may be long one is enough for both.
    fn plays(&self) -> bool {
        false
    }

    /// Whether it may know something of the labels of steps ([`Inform::label`]).
    const LABELS: bool = false;

    /// What Max got on average in random plays in which `side` made a step with the label of this
    /// one, if that is to be looked at.
    #[inline]
    fn label(&self, _space: &Sp, _state: &Sp::State, _side: Side, _step: Sp::Step) -> Option<f64> {
        None
    }

    /// What valuing leaves took so far.
    fn counts(&self) -> Counts;
}

/// Where the value of a leaf comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Init {
    /// The same for every leaf: one, one half or zero.
    Constant,
    /// The numbers of moves.
    Mobility,
    /// The game's own evaluation; one half where it has none.
    Evaluation,
    /// A random play.
    Playout,
}

/// The information functions of the schemes here, chosen by [`Init`].
#[derive(Clone, Debug)]
pub struct Leaves {
    init: Init,
    rng: Rng,
    /// The last random play: all questions about a leaf are asked of the same one.
    played: Option<Outcome>,
    /// It was a play from another leaf.
    stale: bool,
    /// What is known of moves wherever they are made, if that is wanted.
    labels: Option<Labels>,
    counts: Counts,
}

impl Leaves {
    /// Leaves by this way; the seed decides the random plays.
    pub fn new(init: Init, seed: u64) -> Leaves {
        Leaves {
            init,
            rng: Rng::new(seed),
            played: None,
            stale: false,
            labels: None,
            counts: Counts::default(),
        }
    }

    /// The same, with an eye on which moves do well in random plays.
    pub fn with_labels(self, labels: bool) -> Leaves {
        Leaves { labels: labels.then(Labels::new), ..self }
    }

    /// An estimate of Max's chances to reach more than the outcome with this number.
    #[inline]
    fn chance<Sp: Space>(&mut self, space: &Sp, state: &Sp::State, at: usize) -> f64 {
        match self.init {
            Init::Constant => 0.5,
            // The share of Max's moves in the moves of both (section 2.6.3).
            Init::Mobility => {
                let max = space.mobility(state, Side::Max);
                let min = space.mobility(state, Side::Min);
                f64::from(max) / f64::from((max + min).max(1))
            }
            Init::Evaluation => space.evaluate(state).unwrap_or(0.5),
            Init::Playout => {
                if at == 0 || self.stale {
                    self.play(space, state);
                }
                match self.played {
                    Some(o) if usize::from(o.0) > at => 1.0,
                    Some(_) => 0.0,
                    None => 0.5,
                }
            }
        }
    }
}

impl Leaves {
    fn play<Sp: Space>(&mut self, space: &Sp, state: &Sp::State) {
        self.counts.playouts += 1;
        self.stale = false;
        self.played = match &mut self.labels {
            Some(labels) => labels.play(space, state.clone(), &mut self.rng),
            None => space.playout(state.clone(), &mut self.rng),
        };
    }
}

/// What a proof costs at least, by the formula alone: the heuristics of minimal proof search.
#[derive(Clone, Copy, Debug)]
pub struct Least<'s>(pub &'s Mps);

impl<Sp: Space> Inform<Sp, Mps> for Least<'_> {
    fn leaf(&mut self, space: &Sp, state: &Sp::State, _side: Side, _at: usize) -> Price {
        self.0.leaf(space.shape(state))
    }

    fn counts(&self) -> Counts {
        Counts::default()
    }
}

impl<Sp: Space> Inform<Sp, LambdaPn> for Leaves {
    #[inline]
    fn leaf(&mut self, space: &Sp, state: &Sp::State, side: Side, at: usize) -> Effort {
        Inform::<Sp, Pn>::leaf(self, space, state, side, at)
    }

    fn counts(&self) -> Counts {
        self.counts
    }
}

impl<Sp: Space> Inform<Sp, Blind> for Leaves {
    /// Everything is possible (Proposition 15).
    #[inline]
    fn leaf(&mut self, space: &Sp, _state: &Sp::State, _side: Side, _at: usize) -> Range {
        Range { low: Outcome(0), high: space.best() }
    }

    fn counts(&self) -> Counts {
        self.counts
    }
}

impl<Sp: Space> Inform<Sp, Sbmcts> for Leaves {
    /// A playout (3.14), or an evaluation.
    #[inline]
    fn leaf(&mut self, space: &Sp, state: &Sp::State, _side: Side, at: usize) -> Sample {
        let best = space.best();
        let reward = match self.init {
            Init::Playout => {
                self.play(space, state);
                self.played.map_or(0.5, |o| f64::from(o.0) / f64::from(best.0))
            }
            _ => self.chance(space, state, at),
        };
        Sample { reward, playouts: 1, range: Range { low: Outcome(0), high: best } }
    }

    const LABELS: bool = true;

    #[inline]
    fn label(&self, space: &Sp, state: &Sp::State, side: Side, step: Sp::Step) -> Option<f64> {
        let labels = self.labels.as_ref()?;
        labels.mean(side, label(space, state, side, step))
    }

    fn plays(&self) -> bool {
        self.init == Init::Playout
    }

    fn counts(&self) -> Counts {
        self.counts
    }
}

impl<Sp: Space> Inform<Sp, Pn> for Leaves {
    /// One and one (2.18), or the moves that a disproof (at a Max choice) or a proof (at a Min
    /// choice) must answer at least.
    #[inline]
    fn leaf(&mut self, space: &Sp, state: &Sp::State, side: Side, _at: usize) -> Effort {
        let moves = match self.init {
            Init::Mobility => space.mobility(state, side).max(1),
            _ => 1,
        };
        match side {
            Side::Max => Effort { proof: 1, disproof: moves },
            Side::Min => Effort { proof: moves, disproof: 1 },
        }
    }

    fn counts(&self) -> Counts {
        self.counts
    }
}

impl<Sp: Space> Inform<Sp, Pp> for Leaves {
    /// One half (2.25), or a chance between 0 and 1.
    #[inline]
    fn leaf(&mut self, space: &Sp, state: &Sp::State, _side: Side, at: usize) -> f64 {
        Pp::open(self.chance(space, state, at))
    }

    fn another(&mut self) {
        self.stale = true;
    }

    fn plays(&self) -> bool {
        self.init == Init::Playout
    }

    fn counts(&self) -> Counts {
        self.counts
    }
}

impl<Sp: Space> Inform<Sp, Mcts> for Leaves {
    /// A playout (2.21), or an evaluation (MCTS-E).
    #[inline]
    fn leaf(&mut self, space: &Sp, state: &Sp::State, _side: Side, at: usize) -> Tally {
        Tally::leaf(self.chance(space, state, at))
    }

    fn plays(&self) -> bool {
        self.init == Init::Playout
    }

    fn counts(&self) -> Counts {
        self.counts
    }
}

impl<Sp: Space> Inform<Sp, MinMax> for Leaves {
    /// Zero where nothing is known; a good position is above it, a bad one below.
    #[inline]
    fn leaf(&mut self, space: &Sp, state: &Sp::State, _side: Side, at: usize) -> f64 {
        self.chance(space, state, at) - 0.5
    }

    fn plays(&self) -> bool {
        self.init == Init::Playout
    }

    fn counts(&self) -> Counts {
        self.counts
    }
}
