//! All positions of a game that can be reached, as a graph of numbers.

use std::hash::BuildHasher;

use foregone_model::{Game, Side};

use super::components::{Components, Edges, components};
use super::{Decides, Effort, Expectation, ExpectedReport, Look};
use crate::report::{Counts, Limits, StopReason, Watch};
use crate::table::Quick;

/// The positions that can be reached from a start, each with its moves.
pub struct Graph<G: Game> {
    pub(super) states: Vec<G::State>,
    pub(super) kinds: Vec<Kind>,
    first: Vec<u32>,
    targets: Vec<u32>,
    pub(super) moves: Vec<G::Move>,
    /// A weight for each edge where chance decides, and 1 elsewhere.
    pub(super) weights: Vec<u64>,
    components: Components,
    range: (f64, f64),
    /// What building it took.
    pub counts: Counts,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Over(i64),
    Choice(Side),
    Chance,
}

/// What endless play is taken to be worth: the least fixpoint of the equations, or the largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum From {
    /// The worst for Max: what Max is sure of.
    Below,
    /// The worst for Min.
    Above,
}

/// The numbers of states, found by the states themselves.
struct Index {
    slots: Vec<u32>,
    used: usize,
}

const FREE: u32 = u32::MAX;

impl Index {
    /// The number of a state, which is the next one if it is new.
    fn number<S: std::hash::Hash + Eq>(&mut self, states: &[S], s: &S) -> u32 {
        if self.used * 4 >= self.slots.len() * 3 {
            let size = (self.slots.len() * 2).max(1 << 10);
            self.slots = vec![FREE; size];
            for (n, state) in states.iter().enumerate() {
                let place = self.place(states, state);
                self.slots[place] = n as u32;
            }
        }
        let place = self.place(states, s);
        if self.slots[place] == FREE {
            self.slots[place] = states.len() as u32;
            self.used += 1;
        }
        self.slots[place]
    }

    /// Where a state is, or would be.
    fn place<S: std::hash::Hash + Eq>(&self, states: &[S], s: &S) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = Quick::default().hash_one(s) as usize & mask;
        while self.slots[at] != FREE && states[self.slots[at] as usize] != *s {
            at = (at + 1) & mask;
        }
        at
    }
}

impl<G: Game> Graph<G> {
    /// All positions that can be reached from `start`, which has the number 0.
    pub fn build(
        of: &Expectation<'_, G>,
        start: &G::State,
        limits: Limits,
        watch: &mut dyn Watch<G::Move>,
    ) -> Result<Graph<G>, (StopReason, Counts)> {
        let mut effort = Effort::new(limits, watch);
        let mut graph = Graph {
            states: vec![start.clone()],
            kinds: Vec::new(),
            first: vec![0],
            targets: Vec::new(),
            moves: Vec::new(),
            weights: Vec::new(),
            components: Components { nodes: Vec::new(), ends: Vec::new() },
            range: of.range(),
            counts: Counts::default(),
        };
        let mut index = Index { slots: Vec::new(), used: 0 };
        index.number(&[], start);
        let grown = graph.grow(of, &mut index, &mut effort);
        graph.counts = effort.counts;
        graph.counts.peak_bytes = graph.bytes() + 4 * index.slots.len() as u64;
        if let Err(stop) = grown {
            return Err((stop, graph.counts));
        }
        graph.components = components(graph.edges());
        Ok(graph)
    }

    fn grow(
        &mut self,
        of: &Expectation<'_, G>,
        index: &mut Index,
        effort: &mut Effort<'_, G::Move>,
    ) -> Result<(), StopReason> {
        effort.counts.nodes = 1;
        let mut weights = Vec::new();
        let mut moves = Vec::new();
        let mut at = 0;
        while at < self.states.len() {
            let s = self.states[at].clone();
            at += 1;
            let (decides, agent) = match of.look(&s) {
                Look::Over(_) => {
                    self.kinds.push(Kind::Over(of.worth.payoff(of.game.outcome(&s))));
                    self.first.push(self.targets.len() as u32);
                    continue;
                }
                Look::Open(decides, agent) => (decides, agent),
            };
            effort.expand(|| self.bytes() + 4 * index.slots.len() as u64)?;
            moves.clear();
            weights.clear();
            of.game.moves(&s, agent, &mut moves);
            match decides {
                Decides::Side(side) => {
                    self.kinds.push(Kind::Choice(side));
                    weights.resize(moves.len(), 1);
                }
                Decides::Chance => {
                    self.kinds.push(Kind::Chance);
                    of.weigh(&s, agent, &moves, &mut weights);
                }
            }
            for (&m, &weight) in moves.iter().zip(&weights) {
                if weight == 0 {
                    continue;
                }
                let mut next = s.clone();
                of.game.play(&mut next, agent, m);
                let number = index.number(&self.states, &next);
                if number as usize == self.states.len() {
                    self.states.push(next);
                    effort.counts.nodes += 1;
                }
                self.targets.push(number);
                self.moves.push(m);
                self.weights.push(weight);
            }
            // Numbers of edges have 32 bits.
            if self.targets.len() > u32::MAX as usize - (1 << 20) {
                return Err(StopReason::Memory);
            }
            self.first.push(self.targets.len() as u32);
        }
        Ok(())
    }

    fn bytes(&self) -> u64 {
        let node = std::mem::size_of::<G::State>() + std::mem::size_of::<Kind>() + 4;
        let edge = std::mem::size_of::<G::Move>() + 4 + 8;
        (self.states.capacity() * node + self.targets.capacity() * edge) as u64
    }

    pub(super) fn edges(&self) -> Edges<'_> {
        Edges { first: &self.first, targets: &self.targets }
    }

    /// The edges of a node, by their places in the lists of moves and weights.
    pub(super) fn places(&self, node: u32) -> std::ops::Range<usize> {
        self.first[node as usize] as usize..self.first[node as usize + 1] as usize
    }

    pub(super) fn target(&self, place: usize) -> u32 {
        self.targets[place]
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there is none: never, as the start is one.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Whether positions can come up again.
    pub fn has_loops(&self) -> bool {
        self.components.iter().any(|part| self.loops(part))
    }

    /// Whether plays can stay in a component.
    fn loops(&self, part: &[u32]) -> bool {
        part.len() > 1 || self.edges().of(part[0]).contains(&part[0])
    }

    /// The components, those that lead nowhere else first.
    pub(super) fn parts(&self) -> impl Iterator<Item = &[u32]> {
        self.components.iter()
    }

    /// Nodes, each behind all that it leads to where that is possible.
    pub(super) fn order(&self) -> &[u32] {
        &self.components.nodes
    }

    /// The value of every node, and the edge that a side takes there. Within a component sweeps go on
    /// until nothing changes any more. `policy` fixes edges.
    pub(super) fn values(
        &self,
        from: From,
        policy: Option<(Side, &[u32])>,
        watch: &mut dyn FnMut() -> Result<(), StopReason>,
    ) -> Result<(Vec<f64>, Vec<u32>), StopReason> {
        let begin = if from == From::Below { self.range.0 } else { self.range.1 };
        let mut values = vec![begin; self.len()];
        let mut choices: Vec<u32> =
            (0..self.len() as u32).map(|n| self.first[n as usize]).collect();
        let spread = self.range.1 - self.range.0;
        for part in self.components.iter() {
            let loops = self.loops(part);
            let mut sweeps = 0u64;
            loop {
                let mut change: f64 = 0.0;
                for &node in part.iter() {
                    change = change.max(self.update(
                        node,
                        from,
                        policy,
                        &mut values,
                        &mut choices,
                        spread,
                    ));
                }
                sweeps += 1;
                if !loops || change <= SETTLED * spread || sweeps > MOST_SWEEPS {
                    break;
                }
                if sweeps.is_multiple_of(64) {
                    watch()?;
                }
            }
        }
        Ok((values, choices))
    }

    /// Computes the value of a node again: by how much it changed.
    fn update(
        &self,
        node: u32,
        from: From,
        policy: Option<(Side, &[u32])>,
        values: &mut [f64],
        choices: &mut [u32],
        spread: f64,
    ) -> f64 {
        let n = node as usize;
        let value = match self.kinds[n] {
            Kind::Over(payoff) => payoff as f64,
            Kind::Chance => {
                let (mut sum, mut total) = (0.0, 0.0);
                for place in self.places(node) {
                    let weight = self.weights[place] as f64;
                    sum += weight * values[self.targets[place] as usize];
                    total += weight;
                }
                sum / total
            }
            Kind::Choice(side) => match policy {
                Some((prover, fixed)) if prover == side => {
                    values[self.targets[fixed[n] as usize] as usize]
                }
                _ => {
                    // A move is changed for one that is really better, so that nobody walks in a circle
                    // among moves that are as good.
                    let current = values[self.targets[choices[n] as usize] as usize];
                    let mut best = current;
                    for place in self.places(node) {
                        let value = values[self.targets[place] as usize];
                        let better = match side {
                            Side::Max => value > best,
                            Side::Min => value < best,
                        };
                        if better {
                            best = value;
                            if (value - current).abs() > CHANGED * spread {
                                choices[n] = place as u32;
                            }
                        }
                    }
                    best
                }
            },
        };
        let old = std::mem::replace(&mut values[n], value);
        // From below values rise, and from above they fall: rounding is not to turn them back.
        match from {
            From::Below if value < old => values[n] = old,
            From::Above if value > old => values[n] = old,
            _ => {}
        }
        (values[n] - old).abs()
    }

    /// The report of the value of the start.
    pub fn report(&self, watch: &mut dyn Watch<G::Move>) -> ExpectedReport<G::Move> {
        let mut effort = Effort::new(Limits::NONE, watch);
        effort.counts = self.counts;
        let mut tick = || effort.look_up(0);
        let low = self.values(From::Below, None, &mut tick);
        let found = low.and_then(|(low, choices)| {
            let high = match self.has_loops() {
                true => self.values(From::Above, None, &mut tick)?.0[0],
                false => low[0],
            };
            Ok((low[0], high, choices[0]))
        });
        let counts = self.counts;
        match found {
            Err(stop) => {
                ExpectedReport { stop, bounds: self.range, value: None, best: None, counts }
            }
            Ok((low, high, choice)) => {
                let high = high.max(low);
                let best = match self.kinds[0] {
                    Kind::Choice(_) => Some(self.moves[choice as usize]),
                    Kind::Over(_) | Kind::Chance => None,
                };
                let met = high - low <= 1e-9 * (self.range.1 - self.range.0).max(f64::MIN_POSITIVE);
                let value = met.then_some(0.5 * (low + high));
                ExpectedReport {
                    stop: StopReason::Solved,
                    bounds: (low, high),
                    value,
                    best,
                    counts,
                }
            }
        }
    }
}

/// Sweeps end when no value changes by more than this part of the range of payoffs.
const SETTLED: f64 = 1e-16;

/// A choice is changed for one that is better by more than this part of the range.
const CHANGED: f64 = 1e-13;

/// Sweeps of a component at most: bounds that have not met by then are what is told.
const MOST_SWEEPS: u64 = 200_000;
