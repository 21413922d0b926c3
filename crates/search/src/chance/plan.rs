//! Strategies of games with chance, with what they guarantee, as certificates need them.
//!
//! Where positions do not come up again, backward induction gives the value of every position: in
//! fractions, or rounded against the side whose strategy it is where fractions grow too long.
//!
//! Where they do, bounds of positions are written down and must follow from each other, with a small
//! loss at each step (`proof/src/certificate/expected.rs`). Let v be the value under a strategy, h the
//! longest expected number of steps to the end that the opponent can make of it, and c a small number.
//! Then v - c h follows from itself with a margin of c at each step, which covers both the loss and
//! the rounding of v. Positions that are worth no more than the worst payoff count as ends: there the
//! worst payoff is a bound that always follows, and elsewhere h is finite, since an opponent who could
//! go on for ever would make the position worth the worst payoff.

use foregone_model::certificate::{
    Arithmetic, Expected, FINEST, Numbers, Plan, PlanLine, PlanMove, Rounded,
};
use foregone_model::ratio::{Big, bits};
use foregone_model::{Game, Ratio, Side, Turn};

use super::graph::{From, Graph, Kind};
use super::{Effort, Expectation};
use crate::report::{Limits, StopReason, Watch};

/// Fractions whose two parts have more bits together are given up.
const LONGEST_FRACTION: usize = 512;

/// Positions whose values are computed in fractions at most: a few seconds.
const MOST_EXACT: usize = 1_000_000;

/// The part of the play that is lost at each step of a certificate with loops: 2^-50.
const LEAK: u32 = 50;

/// The margins at each step that are tried, as parts of the range of payoffs.
const MARGINS: [f64; 3] = [6e-14, 1e-12, 1e-10];

/// The values of all positions of a game, by which strategies are made.
pub struct Plans<'a, 'g, G: Game> {
    of: &'a Expectation<'g, G>,
    graph: &'a Graph<G>,
    worked: Worked,
}

enum Worked {
    /// Without loops, in fractions.
    Exact(Vec<Ratio>),
    /// Without loops, in multiples of 2^-bits, rounded against Max and against Min.
    Rounded(u32, [Vec<i128>; 2]),
    /// With loops: what each side takes.
    Loops([Vec<u32>; 2]),
}

type PlanOf<G> = Plan<<G as Game>::State, <G as Game>::Move>;

/// The values of all positions of a graph.
pub fn plans<'a, 'g, G: Game>(
    of: &'a Expectation<'g, G>,
    graph: &'a Graph<G>,
    watch: &mut dyn Watch<G::Move>,
) -> Result<Plans<'a, 'g, G>, StopReason> {
    let mut effort = Effort::new(Limits::NONE, watch);
    let worked = if graph.has_loops() {
        let mut tick = || effort.look_up(0);
        let (_, max) = graph.values(From::Below, None, &mut tick)?;
        let (_, min) = graph.values(From::Above, None, &mut tick)?;
        Worked::Loops([max, min])
    } else if let Some(values) = exact(graph, &mut effort)? {
        Worked::Exact(values)
    } else {
        let bits = rounding(of);
        Worked::Rounded(
            bits,
            [
                rounded(graph, Side::Max, bits, &mut effort)?,
                rounded(graph, Side::Min, bits, &mut effort)?,
            ],
        )
    };
    Ok(Plans { of, graph, worked })
}

/// How fine rounding may be for the payoffs of a game, so that sums still fit.
fn rounding<G: Game>(of: &Expectation<'_, G>) -> u32 {
    let (low, high) = of.worth.range();
    let size = low.unsigned_abs().max(high.unsigned_abs()).max(1);
    // Weights that add up to less than 2^64, a payoff, a sign.
    FINEST.min(126 - 64 - (64 - size.leading_zeros()).min(62))
}

fn exact<G: Game>(
    graph: &Graph<G>,
    effort: &mut Effort<'_, G::Move>,
) -> Result<Option<Vec<Ratio>>, StopReason> {
    if graph.len() > MOST_EXACT {
        return Ok(None);
    }
    let mut values = vec![Ratio::ZERO; graph.len()];
    for (done, &node) in graph.order().iter().enumerate() {
        if done.is_multiple_of(256) {
            effort.look_up(0)?;
        }
        let below = |place: usize| &values[graph.target(place) as usize];
        let value = match graph.kinds[node as usize] {
            Kind::Over(payoff) => Ratio::from(payoff),
            Kind::Choice(side) => below(best(graph, node, side, &below)).clone(),
            Kind::Chance => {
                let (mut sum, mut total) = (Ratio::ZERO, Big::ZERO);
                for place in graph.places(node) {
                    let weight = Big::from(graph.weights[place]);
                    sum += below(place) * Ratio::from(weight.clone());
                    total += weight;
                }
                sum / Ratio::from(total)
            }
        };
        if bits(&value) > LONGEST_FRACTION {
            return Ok(None);
        }
        values[node as usize] = value;
    }
    Ok(Some(values))
}

/// The first of the edges that are best for a side.
fn best<'v, G: Game, V: Ord + 'v>(
    graph: &Graph<G>,
    node: u32,
    side: Side,
    value: &dyn Fn(usize) -> &'v V,
) -> usize {
    let places = graph.places(node);
    places
        .clone()
        .reduce(|a, b| match side {
            Side::Max if value(b) > value(a) => b,
            Side::Min if value(b) < value(a) => b,
            _ => a,
        })
        .unwrap_or(places.start)
}

fn rounded<G: Game>(
    graph: &Graph<G>,
    prover: Side,
    bits: u32,
    effort: &mut Effort<'_, G::Move>,
) -> Result<Vec<i128>, StopReason> {
    let mut values = vec![0i128; graph.len()];
    for (done, &node) in graph.order().iter().enumerate() {
        if done.is_multiple_of(256) {
            effort.look_up(0)?;
        }
        values[node as usize] = step(graph, prover, bits, node, None, &values);
    }
    Ok(values)
}

/// What a node is worth by the values of those behind it, rounded against the prover, who takes the
/// edge that is fixed, if one is.
fn step<G: Game>(
    graph: &Graph<G>,
    prover: Side,
    bits: u32,
    node: u32,
    fixed: Option<&[u32]>,
    values: &[i128],
) -> i128 {
    let numbers = Rounded(bits);
    let below = |place: usize| &values[graph.target(place) as usize];
    match graph.kinds[node as usize] {
        Kind::Over(payoff) => numbers.payoff(payoff),
        Kind::Choice(side) => match fixed.filter(|_| side == prover) {
            Some(fixed) => *below(fixed[node as usize] as usize),
            None => *below(best(graph, node, side, &below)),
        },
        Kind::Chance => {
            let places = graph.places(node);
            let weights: Vec<i128> =
                graph.weights[places.clone()].iter().map(|&w| w.into()).collect();
            let terms: Vec<(&i128, i128)> =
                weights.iter().zip(places).map(|(w, place)| (w, *below(place))).collect();
            // Sums fit by the choice of the bits; if not, the worst is what is guaranteed.
            let worst = if prover == Side::Max { i128::MIN >> 4 } else { i128::MAX >> 4 };
            numbers.mean(prover, &terms).unwrap_or(worst)
        }
    }
}

impl<G: Game> Plans<'_, '_, G> {
    /// The places of the moves of the start, by the numbers of the positions behind them.
    pub fn root_moves(&self) -> Vec<(G::Move, u32)> {
        let places = self.graph.places(0);
        places.map(|place| (self.graph.moves[place], self.graph.target(place))).collect()
    }

    /// A position by its number.
    pub fn state(&self, node: u32) -> &G::State {
        &self.graph.states[node as usize]
    }

    /// The value of a position in points, where it is known exactly.
    pub fn exactly(&self, node: u32) -> Option<Ratio> {
        match &self.worked {
            Worked::Exact(values) => {
                let unit = Ratio::from(self.of.worth.unit());
                Some(&values[node as usize] / unit)
            }
            Worked::Rounded(..) | Worked::Loops(_) => None,
        }
    }

    /// The strategy of a side from a position, and what it guarantees. Nothing where no bounds were
    /// found that follow from each other.
    pub fn plan(
        &self,
        prover: Side,
        from: u32,
        watch: &mut dyn Watch<G::Move>,
    ) -> Result<Option<PlanOf<G>>, StopReason> {
        let mut effort = Effort::new(Limits::NONE, watch);
        let (unit, draw) = (self.of.worth.unit(), self.of.draw);
        let over = matches!(self.graph.kinds[from as usize], Kind::Over(_));
        // What a known opponent allows is told in fractions or not at all.
        if self.of.opponent.is_some() && !matches!(self.worked, Worked::Exact(_)) {
            return Ok(None);
        }
        let (expected, choices, bound, typed) = match &self.worked {
            Worked::Exact(values) => {
                let below = |place: usize| &values[self.graph.target(place) as usize];
                let choices = self.choices(prover, &|node| best(self.graph, node, prover, &below));
                let bound = &values[from as usize] / Ratio::from(unit);
                (Expected { arithmetic: Arithmetic::Exact, leak: None, draw }, choices, bound, None)
            }
            Worked::Rounded(bits, sides) => {
                let values = &sides[prover.index()];
                let below = |place: usize| &values[self.graph.target(place) as usize];
                let choices = self.choices(prover, &|node| best(self.graph, node, prover, &below));
                let bound = Rounded(*bits).points(&values[from as usize], unit);
                let arithmetic = Arithmetic::Rounded(*bits);
                (Expected { arithmetic, leak: None, draw }, choices, bound, None)
            }
            Worked::Loops(sides) => {
                let choices = sides[prover.index()].clone();
                let bits = rounding(self.of);
                let reached = self.reached(prover, from, &choices);
                let Some(values) = self.bounds(prover, bits, &choices, &reached, &mut effort)?
                else {
                    return Ok(None);
                };
                let bound = Rounded(bits).points(&values[from as usize], unit);
                let arithmetic = Arithmetic::Rounded(bits);
                let leak = (!over).then_some(LEAK);
                (Expected { arithmetic, leak, draw }, choices, bound, Some(values))
            }
        };
        let opponent_known = self.of.opponent.is_some();
        let reached = self.reached(prover, from, &choices);
        let order = self.graph.order().iter().filter(|&&node| reached[node as usize]);
        let open = order.filter(|&&n| !matches!(self.graph.kinds[n as usize], Kind::Over(_)));
        let line = |&node: &u32| PlanLine {
            state: self.graph.states[node as usize].clone(),
            says: self.says(prover, node, &choices),
            bound: typed.as_ref().map(|values: &Vec<i128>| values[node as usize]),
        };
        let lines = open.map(line).collect();
        Ok(Some(Plan { prover, expected, opponent_known, bound, lines }))
    }

    /// What a side takes in each of its positions.
    fn choices(&self, prover: Side, best: &dyn Fn(u32) -> usize) -> Vec<u32> {
        let choice = |node: u32| match self.graph.kinds[node as usize] {
            Kind::Choice(side) if side == prover => best(node) as u32,
            _ => 0,
        };
        (0..self.graph.len() as u32).map(choice).collect()
    }

    /// The positions that a certificate speaks of: those that a side's choices lead to, whatever the
    /// other one does. Against a known opponent all moves of Max are looked at.
    fn reached(&self, prover: Side, from: u32, choices: &[u32]) -> Vec<bool> {
        let mut reached = vec![false; self.graph.len()];
        let mut todo = vec![from];
        while let Some(node) = todo.pop() {
            if std::mem::replace(&mut reached[node as usize], true) {
                continue;
            }
            match self.graph.kinds[node as usize] {
                Kind::Choice(side) if side == prover && self.of.opponent.is_none() => {
                    todo.push(self.graph.target(choices[node as usize] as usize));
                }
                _ => todo.extend(self.graph.places(node).map(|place| self.graph.target(place))),
            }
        }
        reached
    }

    fn says(&self, prover: Side, node: u32, choices: &[u32]) -> PlanMove<G::Move> {
        let (graph, places) = (self.graph, self.graph.places(node));
        match graph.kinds[node as usize] {
            Kind::Choice(side) if side == prover => {
                PlanMove::Plays(graph.moves[choices[node as usize] as usize])
            }
            Kind::Chance if self.of.game.turn(&graph.states[node as usize]) != Turn::Chance => {
                let weigh = |place: usize| (graph.moves[place], graph.weights[place]);
                PlanMove::Weights(places.map(weigh).collect())
            }
            _ => PlanMove::All(places.len()),
        }
    }

    /// Bounds that follow from each other under a side's choices, with a loss at each step.
    fn bounds(
        &self,
        prover: Side,
        bits: u32,
        choices: &[u32],
        reached: &[bool],
        effort: &mut Effort<'_, G::Move>,
    ) -> Result<Option<Vec<i128>>, StopReason> {
        let graph = self.graph;
        let (low, high) = self.of.range();
        let from = if prover == Side::Max { From::Below } else { From::Above };
        let mut tick = || effort.look_up(0);
        let (values, _) = graph.values(from, Some((prover, choices)), &mut tick)?;
        // Positions that are worth nothing to the prover end the count of steps.
        let least = self.of.worth.worst(prover) as f64;
        let counts = |n: usize| reached[n] && (values[n] - least).abs() > NOTHING * (high - low);
        let counts: Vec<bool> = (0..graph.len()).map(counts).collect();
        let steps = self.steps(prover, choices, &counts, effort)?;
        let sign = if prover == Side::Max { -1.0 } else { 1.0 };
        let worst = Rounded(bits).payoff(self.of.worth.worst(prover));
        for margin in MARGINS {
            let bound = |node: usize| match graph.kinds[node] {
                Kind::Over(payoff) => Rounded(bits).payoff(payoff),
                _ if !counts[node] => worst,
                _ => {
                    let value = values[node] + sign * margin * (high - low) * steps[node];
                    let scaled = value.clamp(low, high) * (1u64 << bits) as f64;
                    (if prover == Side::Max { scaled.floor() } else { scaled.ceil() }) as i128
                }
            };
            let bounds: Vec<i128> = (0..graph.len()).map(bound).collect();
            let follows = |node: u32| {
                let n = node as usize;
                if !reached[n] || matches!(graph.kinds[n], Kind::Over(_)) {
                    return true;
                }
                let found = step(graph, prover, bits, node, Some(choices), &bounds);
                let lost = (found.abs_diff(worst) >> LEAK) as i128 + 1;
                match prover {
                    Side::Max => bounds[n] <= (found - lost).max(worst),
                    Side::Min => bounds[n] >= (found + lost).min(worst),
                }
            };
            if (0..graph.len() as u32).all(follows) {
                return Ok(Some(bounds));
            }
        }
        Ok(None)
    }

    /// The longest expected number of steps, among positions that count, that the other side can make
    /// of a side's choices.
    fn steps(
        &self,
        prover: Side,
        choices: &[u32],
        counts: &[bool],
        effort: &mut Effort<'_, G::Move>,
    ) -> Result<Vec<f64>, StopReason> {
        let graph = self.graph;
        let mut steps = vec![0.0f64; graph.len()];
        for part in graph.parts() {
            for sweep in 0..MOST_SWEEPS {
                let mut change: f64 = 0.0;
                for &node in part.iter().filter(|&&node| counts[node as usize]) {
                    let n = node as usize;
                    let below = |place: usize| steps[graph.target(place) as usize];
                    let new = match graph.kinds[n] {
                        Kind::Over(_) => continue,
                        Kind::Choice(side) if side == prover => 1.0 + below(choices[n] as usize),
                        Kind::Choice(_) => 1.0 + graph.places(node).map(below).fold(0.0, f64::max),
                        Kind::Chance => {
                            let (mut sum, mut total) = (0.0, 0.0);
                            for place in graph.places(node) {
                                let weight = graph.weights[place] as f64;
                                sum += weight * below(place);
                                total += weight;
                            }
                            1.0 + sum / total
                        }
                    };
                    let new = new.min(MOST_STEPS);
                    change = change.max((new - steps[n]) / new);
                    steps[n] = new;
                }
                if change <= 1e-9 {
                    break;
                }
                if sweep % 64 == 63 {
                    effort.look_up(0)?;
                }
            }
        }
        Ok(steps)
    }
}

/// Values that are no further from the worst payoff than this part of the range count as that.
const NOTHING: f64 = 1e-12;

/// A play that is expected to take longer is given up.
const MOST_STEPS: f64 = 1e12;

const MOST_SWEEPS: u32 = 100_000;
