//! Where the values of new leaves come from. What a scheme makes of it stands in the scheme's file
//! (`Scheme::leaf`).

use std::io;

use foregone_model::{Outcome, Rng, Side, Space};

use crate::plays::{Labels, label};
use crate::report::Counts;
use crate::saved::{Reader, Writer};
use crate::scheme::Scheme;

/// Where the value of a leaf comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Init {
    /// The same for every leaf: one and one.
    One,
    /// The same for every leaf: one half.
    Half,
    /// The same for every leaf: zero.
    Zero,
    /// The numbers of moves.
    Mobility,
    /// The game's own evaluation; one half where it has none.
    Evaluation,
    /// A random play.
    Playout,
}

/// A leaf, as a scheme sees it.
pub trait Leaf {
    /// Where its value is to come from.
    fn init(&self) -> Init;

    /// Who chooses.
    fn side(&self) -> Side;

    /// The best outcome of the space.
    fn best(&self) -> Outcome;

    /// What kind of choice it is (`Space::shape`).
    fn shape(&self) -> u32;

    /// How many moves a side has, or would have.
    fn mobility(&self, side: Side) -> u32;

    /// The outcome of a random play, if it ended.
    fn play(&mut self) -> Option<Outcome>;

    /// An estimate of Max's chances to reach the outcome that the question is about.
    fn chance(&mut self) -> f64;
}

impl Leaf for &mut dyn Leaf {
    fn init(&self) -> Init {
        (**self).init()
    }

    fn side(&self) -> Side {
        (**self).side()
    }

    fn best(&self) -> Outcome {
        (**self).best()
    }

    fn shape(&self) -> u32 {
        (**self).shape()
    }

    fn mobility(&self, side: Side) -> u32 {
        (**self).mobility(side)
    }

    fn play(&mut self) -> Option<Outcome> {
        (**self).play()
    }

    fn chance(&mut self) -> f64 {
        (**self).chance()
    }
}

/// Values leaves as [`Init`] says.
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
    playouts: u64,
}

impl Leaves {
    /// Leaves by this way; the seed decides the random plays.
    pub fn new(init: Init, seed: u64) -> Leaves {
        let rng = Rng::new(seed);
        Leaves { init, rng, played: None, stale: false, labels: None, playouts: 0 }
    }

    /// The same, with an eye on which moves do well in random plays.
    pub fn with_labels(self, labels: bool) -> Leaves {
        Leaves { labels: labels.then(Labels::new), ..self }
    }

    /// The value of a state that is not final, in which `side` chooses, for the question with
    /// this number. Questions are asked in their order, from 0.
    #[inline]
    pub(crate) fn value<Sp: Space, S: Scheme>(
        &mut self,
        scheme: &S,
        space: &Sp,
        state: &Sp::State,
        side: Side,
        at: usize,
    ) -> S::Value {
        scheme.leaf(&mut LeafOf { leaves: self, space, state, side, at })
    }

    /// Says that the next question is about another state than the last one, though its number
    /// may not be 0.
    #[inline]
    pub(crate) fn another(&mut self) {
        self.stale = true;
    }

    /// Whether it values leaves by random plays. A play from a choice of one step is a play from
    /// behind it, so where plays may be long one is enough for both.
    pub(crate) fn plays(&self) -> bool {
        self.init == Init::Playout
    }

    /// Whether it may know something of the labels of steps ([`Leaves::label`]).
    #[inline]
    pub(crate) fn labels(&self) -> bool {
        self.labels.is_some()
    }

    /// What Max got on average in random plays in which `side` made a step with the label of this
    /// one, if that is to be looked at.
    pub(crate) fn label<Sp: Space>(
        &self,
        space: &Sp,
        state: &Sp::State,
        side: Side,
        step: Sp::Step,
    ) -> Option<f64> {
        let labels = self.labels.as_ref()?;
        labels.mean(side, label(space, state, side, step))
    }

    /// Says which step is the next on the way to the leaf that is valued next, behind so many others.
    /// Only where labels are looked at.
    #[inline]
    pub(crate) fn lead<Sp: Space>(
        &mut self,
        space: &Sp,
        behind: usize,
        state: &Sp::State,
        side: Side,
        step: Sp::Step,
    ) {
        if let Some(labels) = &mut self.labels {
            labels.lead(behind, side, label(space, state, side, step));
        }
    }

    /// What valuing leaves took so far.
    pub(crate) fn counts(&self) -> Counts {
        Counts { playouts: self.playouts, ..Counts::default() }
    }

    /// Writes down what the next values depend on.
    pub(crate) fn save(&self, out: &mut Writer<'_>) -> io::Result<()> {
        out.put(&(self.rng.seed(), self.played, self.stale, self.playouts))?;
        match &self.labels {
            Some(labels) => labels.save(out),
            None => Ok(()),
        }
    }

    /// Goes on from what was written down.
    pub(crate) fn restore(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let seed;
        (seed, self.played, self.stale, self.playouts) = from.get()?;
        self.rng = Rng::new(seed);
        match &mut self.labels {
            Some(labels) => labels.restore(from),
            None => Some(()),
        }
    }

    fn play<Sp: Space>(&mut self, space: &Sp, state: &Sp::State) -> Option<Outcome> {
        self.playouts += 1;
        self.stale = false;
        self.played = match &mut self.labels {
            Some(labels) => labels.play(space, state.clone(), &mut self.rng),
            None => space.playout(state.clone(), &mut self.rng),
        };
        self.played
    }
}

/// A state of a space as a leaf.
struct LeafOf<'a, Sp: Space> {
    leaves: &'a mut Leaves,
    space: &'a Sp,
    state: &'a Sp::State,
    side: Side,
    at: usize,
}

impl<Sp: Space> Leaf for LeafOf<'_, Sp> {
    #[inline]
    fn init(&self) -> Init {
        self.leaves.init
    }

    #[inline]
    fn side(&self) -> Side {
        self.side
    }

    fn best(&self) -> Outcome {
        self.space.best()
    }

    fn shape(&self) -> u32 {
        self.space.shape(self.state)
    }

    #[inline]
    fn mobility(&self, side: Side) -> u32 {
        self.space.mobility(self.state, side)
    }

    fn play(&mut self) -> Option<Outcome> {
        self.leaves.play(self.space, self.state)
    }

    #[inline]
    fn chance(&mut self) -> f64 {
        match self.leaves.init {
            Init::One | Init::Half | Init::Zero => 0.5,
            // The share of Max's moves in the moves of both (section 2.6.3).
            Init::Mobility => {
                let max = self.mobility(Side::Max);
                let min = self.mobility(Side::Min);
                f64::from(max) / f64::from((max + min).max(1))
            }
            Init::Evaluation => self.space.evaluate(self.state).unwrap_or(0.5),
            Init::Playout => {
                if self.at == 0 || self.leaves.stale {
                    self.play();
                }
                match self.leaves.played {
                    Some(o) if usize::from(o.0) > self.at => 1.0,
                    Some(_) => 0.0,
                    None => 0.5,
                }
            }
        }
    }
}
