//! Minimal proofs: what a proof or a disproof of a formula will cost at least.
//!
//! After A. Saffidine, *Minimal Proof Search for Modal Logic K Model Checking* (2012), in the form
//! of *Solving Games and All That*, section 4.4: costs by Table 4.1, the heuristics I and J of
//! Table 4.8, values of leaves and inner nodes by Tables 4.9 and 4.10.
//!
//! Ours: a value also says whether the proof is found. A choice counts as proved only when the
//! cheapest of its children is, so that the proof has minimal cost whatever the order in which a
//! driver looks at nodes; the thesis gets that from its own order (Proposition 29).

use foregone_model::formula::{Formula, Id, Node};
use foregone_model::{Agent, Outcome, Side};

use super::{Scheme, Thresholds};
use crate::leaves::Leaf;

/// A cost of proofs in the form of Table 4.1: what atoms and lists of moves cost, and whether the
/// costs of parts are added up or the largest counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Asking for an atom: k(p).
    pub atom: u32,
    /// Asking an agent for its moves, one for each agent: what the aggregator of □ adds.
    pub moves: Vec<u32>,
    /// Costs are added up.
    pub sums: bool,
}

impl Cost {
    /// The depth of nested □ and ◇ (Example 8).
    pub fn depth(agents: u8) -> Cost {
        Cost { atom: 0, moves: vec![1; usize::from(agents)], sums: false }
    }

    /// The number of atoms (Example 9).
    pub fn atoms(agents: u8) -> Cost {
        Cost { atom: 1, moves: vec![0; usize::from(agents)], sums: true }
    }

    /// The number of atoms and of lists of moves (Example 10).
    pub fn queries(agents: u8) -> Cost {
        Cost { atom: 1, moves: vec![1; usize::from(agents)], sums: true }
    }
}

/// The scheme of minimal proof search, for one formula.
#[derive(Clone, Debug)]
pub struct Mps {
    sums: bool,
    /// What each subformula adds to the cost of its parts, or costs by itself.
    tolls: Vec<u32>,
    /// What its proof and its disproof cost at least: I and J.
    least: Vec<(u32, u32)>,
}

/// Minimal proof and disproof number, and whether the node is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// What a proof costs: at least, or exactly if it is found.
    pub proof: u32,
    /// What a disproof costs.
    pub disproof: u32,
    solved: Option<Outcome>,
}

foregone_model::stored!(Price { proof, disproof, solved });

const INFINITE: u32 = u32::MAX;

fn add(a: u32, b: u32) -> u32 {
    match a.max(b) {
        INFINITE => INFINITE,
        _ => a.saturating_add(b).min(INFINITE - 1),
    }
}

impl Mps {
    /// The scheme for a formula and a cost.
    pub fn new(formula: &Formula, cost: &Cost) -> Mps {
        let sums = cost.sums;
        let both = |a: u32, b: u32| if sums { add(a, b) } else { a.max(b) };
        let (mut tolls, mut least): (Vec<u32>, Vec<(u32, u32)>) = (Vec::new(), Vec::new());
        for i in 0..formula.len() {
            let node = formula.node(Id(i as u32));
            let of = |agent: Agent| cost.moves[usize::from(agent.0)];
            let part = |f: Id| least[f.0 as usize];
            let (toll, pair) = match node {
                Node::Constant(_) | Node::Literal(..) => (cost.atom, (cost.atom, cost.atom)),
                Node::Stuck(agent, _) => (of(agent), (of(agent), of(agent))),
                Node::And(a, b) => {
                    let ((ia, ja), (ib, jb)) = (part(a), part(b));
                    (0, (both(ia, ib), ja.min(jb)))
                }
                Node::Or(a, b) => {
                    let ((ia, ja), (ib, jb)) = (part(a), part(b));
                    (0, (ia.min(ib), both(ja, jb)))
                }
                Node::Box(agent, f) => (of(agent), (of(agent), add(of(agent), part(f).1))),
                Node::Diamond(agent, f) => (of(agent), (add(of(agent), part(f).0), of(agent))),
            };
            tolls.push(toll);
            least.push(pair);
        }
        Mps { sums, tolls, least }
    }

    /// The value of a state of this shape of which nothing else is known.
    pub fn least(&self, shape: u32) -> Price {
        let (proof, disproof) = self.least[shape as usize];
        Price { proof, disproof, solved: None }
    }

    /// What the proof or the disproof of a solved state costs.
    pub fn cost(&self, v: Price) -> Option<u32> {
        v.solved.map(|o| if o == Outcome::WIN { v.proof } else { v.disproof })
    }
}

impl Price {
    /// Seen from a side: what it needs, what the other needs.
    #[inline]
    fn seen_by(self, side: Side) -> (u32, u32) {
        match side {
            Side::Max => (self.proof, self.disproof),
            Side::Min => (self.disproof, self.proof),
        }
    }

    #[inline]
    fn from(side: Side, own: u32, other: u32, solved: Option<Outcome>) -> Price {
        match side {
            Side::Max => Price { proof: own, disproof: other, solved },
            Side::Min => Price { proof: other, disproof: own, solved },
        }
    }
}

impl Scheme for Mps {
    type Value = Price;
    /// Open children first, then the cheapest (Table 4.11).
    type Key = (bool, u32);

    const SHAPED: bool = true;
    const COMPILED_FOR_ONE: bool = true;

    /// What a proof costs at least, by the formula alone: the heuristics of minimal proof search.
    fn leaf<L: Leaf>(&self, leaf: &mut L) -> Price {
        self.least(leaf.shape())
    }

    /// Costs are not chances: the cheapest one.
    fn of_chance(&self, _chance: f64) -> Price {
        self.least(Id::TRUE.0)
    }

    fn chance(&self, _v: Price) -> f64 {
        0.5
    }

    /// Minimal proof number and minimal disproof number.
    fn text(&self, v: Price) -> String {
        let number = |n: u32| if n == INFINITE { "∞".to_owned() } else { n.to_string() };
        format!("{}/{}", number(v.proof), number(v.disproof))
    }

    fn solved(&self, outcome: Outcome) -> Price {
        self.end(outcome, Id::TRUE.0)
    }

    fn end(&self, outcome: Outcome, shape: u32) -> Price {
        let toll = self.tolls[shape as usize];
        let side = if outcome == Outcome::WIN { Side::Max } else { Side::Min };
        Price::from(side, toll, INFINITE, Some(outcome))
    }

    #[inline]
    fn outcome(&self, v: Price) -> Option<Outcome> {
        v.solved
    }

    fn price(&self, v: Price) -> u64 {
        u64::from(self.cost(v).unwrap_or(INFINITE))
    }

    #[inline]
    fn key(&self, side: Side, _context: Price, v: Price) -> (bool, u32) {
        (v.solved.is_none(), INFINITE - v.seen_by(side).0)
    }

    fn update(&self, side: Side, children: impl Iterator<Item = Price>) -> Price {
        self.update_of(Id::TRUE.0, side, children)
    }

    /// Table 4.10, for either side.
    fn update_of(&self, shape: u32, side: Side, children: impl Iterator<Item = Price>) -> Price {
        let good = if side == Side::Max { Outcome::WIN } else { Outcome::LOSS };
        let bad = if side == Side::Max { Outcome::LOSS } else { Outcome::WIN };
        let (mut least, mut found, mut rest, mut all_bad) = (INFINITE, INFINITE, 0, true);
        for v in children {
            let (own, other) = v.seen_by(side);
            least = least.min(own);
            if v.solved == Some(good) {
                found = found.min(own);
            }
            all_bad &= v.solved == Some(bad);
            rest = if self.sums { add(rest, other) } else { rest.max(other) };
        }
        let toll = self.tolls[shape as usize];
        if found != INFINITE && found == least {
            return Price::from(side, add(toll, found), INFINITE, Some(good));
        }
        if all_bad {
            return Price::from(side, INFINITE, add(toll, rest), Some(bad));
        }
        Price::from(side, add(toll, least), add(toll, rest), None)
    }
}

/// Depth first, as A. Nagai's transformation of proof number search has it. How long a driver
/// stays below a child does not matter for the cost of the proof.
impl Thresholds for Mps {
    /// Numbers that may be reached and not exceeded.
    type Bounds = (u32, u32);

    const UNBOUNDED: (u32, u32) = (INFINITE, INFINITE);

    #[inline]
    fn reached(&self, v: Price, bounds: (u32, u32)) -> bool {
        v.proof > bounds.0 || v.disproof > bounds.1
    }

    fn bounds_of_root(&self, _v: Price, _rival: f64) -> (u32, u32) {
        Self::UNBOUNDED
    }

    /// It is left when another one is cheaper. The other side's number is not bounded more than
    /// the choice's: it would take the toll of the choice, and does no harm.
    fn bounds_of_child(
        &self,
        side: Side,
        bounds: (u32, u32),
        children: impl Iterator<Item = Price>,
        best: usize,
    ) -> (u32, u32) {
        let (mut second, mut current) = (INFINITE, (0, 0));
        for (i, v) in children.enumerate() {
            if i == best {
                current = v.seen_by(side);
            } else {
                second = second.min(v.seen_by(side).0);
            }
        }
        let (own, other) = if side == Side::Max { bounds } else { (bounds.1, bounds.0) };
        // Never below what the child has now: then it would be left before it was looked at.
        let (own, other) = (own.min(second).max(current.0), other.max(current.1));
        if side == Side::Max { (own, other) } else { (other, own) }
    }
}
