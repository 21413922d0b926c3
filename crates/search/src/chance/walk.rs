//! Depth first searches of games with chance: expectimax, Star1, Star2, and their sampling forms.

use std::collections::HashMap;
use std::hash::BuildHasher;

use foregone_model::{Agent, Guide, Rng, Side};

use super::{CLOSE, Decides, Effort, Expectation, ExpectedReport, Look};
use crate::report::{Limits, StopReason, Watch};
use crate::table::Quick;

/// What is cut at chance nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// Nothing: every position is looked at.
    Expectimax,
    /// What cannot bring the mean into the window any more.
    Star1,
    /// The same, after one move of each successor was looked at.
    Star2,
}

impl Walk {
    /// All of them.
    pub const ALL: [Walk; 3] = [Walk::Expectimax, Walk::Star1, Walk::Star2];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Walk::Expectimax => "expectimax",
            Walk::Star1 => "star1",
            Walk::Star2 => "star2",
        }
    }
}

/// A search of a sample of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampled {
    /// How the sample is walked.
    pub by: Walk,
    /// Outcomes that are drawn at a chance node, with replacement.
    pub samples: u32,
    /// How many moves it looks ahead, where it does not go to the end: leaves then have the game's
    /// estimate, or the result of a random play.
    pub plies: Option<u32>,
}

/// How a game is walked.
#[derive(Clone, Copy, Debug)]
pub struct WalkOptions {
    /// What is cut.
    pub by: Walk,
    /// Whether positions are remembered.
    pub table: bool,
    /// Draws so many outcomes at chance nodes, by this seed.
    pub samples: Option<(u32, u64)>,
    /// How many moves it looks ahead.
    pub plies: Option<u32>,
}

impl WalkOptions {
    /// To the end of the game, every outcome of chance.
    pub fn new(by: Walk, table: bool) -> WalkOptions {
        WalkOptions { by, table, samples: None, plies: None }
    }

    /// On samples by this seed. A position has one sample, wherever it comes up.
    pub fn sampled(of: Sampled, seed: u64) -> WalkOptions {
        let Sampled { by, samples, plies } = of;
        WalkOptions { by, table: plies.is_none(), samples: Some((samples, seed)), plies }
    }
}

/// The deepest that a search goes: it lives on the stack.
const DEEPEST: u32 = 1000;

/// The value of `start` by a walk through the game, whose positions do not come up again.
pub fn walk<G: Guide>(
    of: &Expectation<'_, G>,
    start: &G::State,
    options: WalkOptions,
    limits: Limits,
    watch: &mut dyn Watch<G::Move>,
) -> ExpectedReport<G::Move> {
    let (least, most) = of.range();
    let mut walker = Walker {
        of,
        options,
        least,
        most,
        effort: Effort::new(limits, watch),
        table: HashMap::default(),
        moves: Vec::new(),
        weights: Vec::new(),
        depth: 0,
    };
    walker.effort.counts.nodes = 1;
    let found = walker.root(start);
    let counts = walker.effort.counts;
    match found {
        Ok((value, best)) => {
            let bounds = if options.samples.is_some() || options.plies.is_some() {
                (least, most)
            } else {
                (value, value)
            };
            ExpectedReport { stop: StopReason::Solved, bounds, value: Some(value), best, counts }
        }
        Err(stop) => {
            ExpectedReport { stop, bounds: (least, most), value: None, best: None, counts }
        }
    }
}

struct Walker<'a, 'g, G: Guide> {
    of: &'a Expectation<'g, G>,
    options: WalkOptions,
    least: f64,
    most: f64,
    effort: Effort<'a, G::Move>,
    /// Bounds of the values of positions.
    table: HashMap<G::State, (f64, f64), Quick>,
    /// The moves and the weights of all open positions, one position above the other.
    moves: Vec<G::Move>,
    weights: Vec<u64>,
    depth: u32,
}

/// A window: values outside of it need not be told exactly.
#[derive(Clone, Copy)]
struct Window {
    alpha: f64,
    beta: f64,
}

/// The moves of a position as places in [`Walker::moves`]. Weights stand where chance decides.
#[derive(Clone, Copy)]
struct Opened {
    agent: Agent,
    first: usize,
    weights: usize,
    count: usize,
}

impl<G: Guide> Walker<'_, '_, G> {
    fn root(&mut self, s: &G::State) -> Result<(f64, Option<G::Move>), StopReason> {
        let all = Window { alpha: self.least, beta: self.most };
        let (side, agent) = match self.of.look(s) {
            Look::Over(value) => return Ok((value, None)),
            Look::Open(Decides::Chance, _) => return Ok((self.value(s, all)?, None)),
            Look::Open(Decides::Side(side), agent) => (side, agent),
        };
        let bytes = table_bytes(&self.table);
        self.effort.expand(|| bytes)?;
        let opened = self.open(s, agent, false);
        let mut best: Option<(f64, G::Move)> = None;
        for at in 0..opened.count {
            let m = self.moves[opened.first + at];
            let window = self.inside(all, side, best.map(|(value, _)| value));
            let value = self.after(s, opened, at, window)?;
            let better = |(old, _): (f64, G::Move)| match side {
                Side::Max => value > old,
                Side::Min => value < old,
            };
            if best.is_none_or(better) {
                best = Some((value, m));
            }
        }
        self.close(opened);
        best.map_or(Ok((self.least, None)), |(value, m)| Ok((value, Some(m))))
    }

    /// What is left of a window when a side has something that is worth this.
    fn inside(&self, window: Window, side: Side, have: Option<f64>) -> Window {
        match (self.options.by, have, side) {
            (Walk::Expectimax, _, _) | (_, None, _) => window,
            (_, Some(value), Side::Max) => Window { alpha: window.alpha.max(value), ..window },
            (_, Some(value), Side::Min) => Window { beta: window.beta.min(value), ..window },
        }
    }

    /// The value of a state if it is inside of the window; else a bound on that side of it.
    fn value(&mut self, s: &G::State, window: Window) -> Result<f64, StopReason> {
        self.value_from(s, window, None)
    }

    /// The same where the value of the first move is known.
    fn value_from(
        &mut self,
        s: &G::State,
        window: Window,
        first: Option<f64>,
    ) -> Result<f64, StopReason> {
        let (decides, agent) = match self.of.look(s) {
            Look::Over(value) => return Ok(value),
            Look::Open(decides, agent) => (decides, agent),
        };
        if self.options.plies.is_some_and(|plies| self.depth >= plies) {
            return Ok(self.estimate(s));
        }
        let mut within = window;
        let mut known = (self.least, self.most);
        if self.options.table
            && let Some(&bounds) = self.table.get(s)
        {
            known = bounds;
            if known.0 >= window.beta || known.1 - known.0 <= 0.0 {
                return Ok(known.0);
            }
            if known.1 <= window.alpha {
                return Ok(known.1);
            }
            within = Window { alpha: window.alpha.max(known.0), beta: window.beta.min(known.1) };
        }
        let bytes = table_bytes(&self.table);
        self.effort.expand(|| bytes)?;
        if self.depth > DEEPEST {
            return Err(StopReason::Memory);
        }
        let opened = self.open(s, agent, decides == Decides::Chance);
        let value = match decides {
            Decides::Side(side) => self.choice(s, opened, side, first, within)?,
            Decides::Chance => self.mean(s, opened, within)?,
        };
        self.close(opened);
        if self.options.table {
            if value > within.alpha {
                known.0 = known.0.max(value);
            }
            if value < within.beta {
                known.1 = known.1.min(value);
            }
            // Rounding may make them pass each other.
            self.table.insert(s.clone(), (known.0.min(known.1), known.1));
        }
        Ok(value)
    }

    /// What the moves of a side are worth to it; the value of the first one may be known.
    fn choice(
        &mut self,
        s: &G::State,
        opened: Opened,
        side: Side,
        first: Option<f64>,
        window: Window,
    ) -> Result<f64, StopReason> {
        let mut best = first;
        let cuts = |value: f64| match side {
            Side::Max => value >= window.beta,
            Side::Min => value <= window.alpha,
        };
        if let Some(value) = first.filter(|&value| cuts(value)) {
            return Ok(value);
        }
        for at in usize::from(first.is_some())..opened.count {
            let narrowed = self.inside(window, side, best);
            let value = self.after(s, opened, at, narrowed)?;
            let have = match (side, best) {
                (_, None) => value,
                (Side::Max, Some(best)) => best.max(value),
                (Side::Min, Some(best)) => best.min(value),
            };
            best = Some(have);
            if cuts(have) && self.options.by != Walk::Expectimax {
                break;
            }
        }
        Ok(best.unwrap_or(self.least))
    }

    /// The mean of what may happen.
    fn mean(&mut self, s: &G::State, opened: Opened, window: Window) -> Result<f64, StopReason> {
        let total: f64 = self.weights[opened.weights..][..opened.count].iter().sum::<u64>() as f64;
        let part = |walker: &Self, at: usize| walker.weights[opened.weights + at] as f64 / total;
        if self.options.by == Walk::Expectimax {
            let mut sum = 0.0;
            for at in 0..opened.count {
                let p = part(self, at);
                if p > 0.0 {
                    sum += p * self.after(s, opened, at, window)?;
                }
            }
            return Ok(sum);
        }
        // Bounds of each outcome before it is looked at, as far as probes show them.
        let mut bounds = vec![(self.least, self.most); opened.count];
        let mut probed = vec![None; opened.count];
        if self.options.by == Walk::Star2 {
            let parts: Vec<f64> = (0..opened.count).map(|at| part(self, at)).collect();
            if let Some(cut) = self.probe(s, opened, &parts, (&mut bounds, &mut probed), window)? {
                return Ok(cut);
            }
        }
        let (mut low, mut high) = (0.0, 0.0);
        for (at, bound) in bounds.iter().enumerate() {
            let p = part(self, at);
            low += p * bound.0;
            high += p * bound.1;
        }
        let slack = CLOSE * (self.most - self.least);
        for (at, bound) in bounds.iter().enumerate() {
            let p = part(self, at);
            if p == 0.0 || bound.0 == bound.1 {
                continue;
            }
            // What the others leave of the window for this one.
            let (others_low, others_high) = (low - p * bound.0, high - p * bound.1);
            let alpha = ((window.alpha - others_high) / p).max(self.least);
            let beta = ((window.beta - others_low) / p).min(self.most);
            let next = self.play(s, opened, at);
            self.effort.counts.nodes += u64::from(self.options.by != Walk::Star2);
            let value = self.value_from(&next, Window { alpha, beta }, probed[at])?;
            low = others_low + p * value;
            high = others_high + p * value;
            // A bound on the far side of its window is enough.
            if value >= beta && low >= window.beta - slack && beta < self.most {
                return Ok(low.max(window.beta));
            }
            if value <= alpha && high <= window.alpha + slack && alpha > self.least {
                return Ok(high.min(window.alpha));
            }
        }
        Ok(0.5 * (low + high))
    }

    /// Looks at the first move of each successor: what a side that decides there has for sure. The
    /// bound of the mean if that is outside of the window already.
    fn probe(
        &mut self,
        s: &G::State,
        opened: Opened,
        parts: &[f64],
        (bounds, probed): (&mut [(f64, f64)], &mut [Option<f64>]),
        window: Window,
    ) -> Result<Option<f64>, StopReason> {
        let (mut low, mut high) = (self.least, self.most);
        for (at, bound) in bounds.iter_mut().enumerate() {
            let p = parts[at];
            if p == 0.0 {
                continue;
            }
            let child = self.play(s, opened, at);
            self.effort.counts.nodes += 1;
            let before = *bound;
            match self.of.look(&child) {
                Look::Over(value) => *bound = (value, value),
                Look::Open(Decides::Chance, _) => {}
                Look::Open(Decides::Side(side), agent) => {
                    if self.options.table
                        && let Some(&known) = self.table.get(&child)
                    {
                        *bound = known;
                    } else if self.options.plies.is_none_or(|plies| self.depth < plies) {
                        let below = self.open(&child, agent, false);
                        let all = Window { alpha: self.least, beta: self.most };
                        let value = self.after(&child, below, 0, all)?;
                        self.close(below);
                        probed[at] = Some(value);
                        match side {
                            Side::Max => bound.0 = value,
                            Side::Min => bound.1 = value,
                        }
                    }
                }
            }
            low += p * (bound.0 - before.0);
            high += p * (bound.1 - before.1);
            if low >= window.beta {
                return Ok(Some(low));
            }
            if high <= window.alpha {
                return Ok(Some(high));
            }
        }
        Ok(None)
    }

    /// The value of the state after a move, in a window.
    fn after(
        &mut self,
        s: &G::State,
        opened: Opened,
        at: usize,
        window: Window,
    ) -> Result<f64, StopReason> {
        let next = self.play(s, opened, at);
        self.effort.counts.nodes += 1;
        self.value(&next, window)
    }

    fn play(&self, s: &G::State, opened: Opened, at: usize) -> G::State {
        let mut next = s.clone();
        self.of.game.play(&mut next, opened.agent, self.moves[opened.first + at]);
        next
    }

    /// Puts the moves of a position on the pile, the most promising first; where chance decides, what
    /// may happen, with weights.
    fn open(&mut self, s: &G::State, agent: Agent, chance: bool) -> Opened {
        self.depth += 1;
        let (first, weights) = (self.moves.len(), self.weights.len());
        if !chance {
            self.of.game.in_order(s, agent, &mut self.moves);
            return Opened { agent, first, weights, count: self.moves.len() - first };
        }
        self.of.game.moves(s, agent, &mut self.moves);
        self.of.weigh(s, agent, &self.moves[first..], &mut self.weights);
        if let Some((samples, seed)) = self.options.samples {
            self.draw(s, weights, samples, seed);
        }
        Opened { agent, first, weights, count: self.moves.len() - first }
    }

    /// Puts how often each outcome was drawn in the place of its weight.
    fn draw(&mut self, s: &G::State, weights: usize, samples: u32, seed: u64) {
        let weights = &mut self.weights[weights..];
        let total: u64 = weights.iter().sum();
        // A position has one sample, so that a probe and the search behind it see the same.
        let mut rng = Rng::new(Quick::default().hash_one(s) ^ seed);
        let mut drawn = vec![0; weights.len()];
        for _ in 0..samples {
            let mut left = rng.below_wide(total);
            for (count, &weight) in drawn.iter_mut().zip(weights.iter()) {
                match left.checked_sub(weight) {
                    Some(rest) => left = rest,
                    None => {
                        *count += 1;
                        break;
                    }
                }
            }
        }
        weights.copy_from_slice(&drawn);
    }

    fn close(&mut self, opened: Opened) {
        self.depth -= 1;
        self.moves.truncate(opened.first);
        self.weights.truncate(opened.weights);
    }

    /// What a state may be worth that is not looked behind.
    fn estimate(&mut self, s: &G::State) -> f64 {
        let game = self.of.game;
        if let (Some(part), Agent::FIRST) = (game.evaluate(s), self.of.view.max()) {
            return self.least + part * (self.most - self.least);
        }
        let seed = self.options.samples.map_or(0, |(_, seed)| seed);
        let mut rng = Rng::new(Quick::default().hash_one(s) ^ seed.wrapping_add(1));
        self.effort.counts.playouts += 1;
        match game.playout(s.clone(), &mut rng) {
            Some(outcome) => self.of.worth.payoff(outcome) as f64,
            None => 0.5 * (self.least + self.most),
        }
    }
}

/// The bytes of a table: entries, a byte of control each, and places that are free.
fn table_bytes<S, V>(table: &HashMap<S, V, Quick>) -> u64 {
    let entry = std::mem::size_of::<(S, V)>() + 1;
    (table.capacity() * 8 / 7 * entry) as u64
}
