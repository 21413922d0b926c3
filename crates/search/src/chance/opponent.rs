//! Opponents who are known: what they play, and searches that count on it.
//!
//! D. Carmel and S. Markovitch, *Incorporating opponent models into adversary search* (1996): Max
//! chooses by its own values, and Min is taken to choose by its own. H. Donkers, J. Uiterwijk and J.
//! van den Herik, *Probabilistic opponent-model search* (2001): which of several opponents it is, is a
//! matter of chance.
//!
//! An opponent that always plays the same in a position is one more kind of chance, so what the best
//! response to it gets is an expected value, exact and with a proof ([`Policy`]). A search that looks a
//! few moves ahead and takes evaluations for values is [`om`].

use foregone_model::{Agent, Game, Guide, Side};

use super::{Decides, Expectation, Look, Opponent};

/// One way to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Habit {
    /// Any move, each as often as the others.
    Random,
    /// The first move in the order of the rules.
    First,
    /// The move that looks best so many moves ahead, by the game's evaluation at the leaves; the first
    /// of several.
    Ahead(u32),
}

/// Several ways to play, one of which is drawn at each move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The ways to play, each with its weight.
    pub habits: Vec<(Habit, u32)>,
}

impl<G: Guide> Opponent<G> for Policy {
    fn weights(&self, game: &G, s: &G::State, agent: Agent, moves: &[G::Move]) -> Option<Vec<u64>> {
        // A random one of n moves is one of n parts.
        let parts = moves.len() as u64;
        let mut weights = vec![0u64; moves.len()];
        for &(habit, weight) in &self.habits {
            let weight = u64::from(weight);
            match habit {
                Habit::Random => weights.iter_mut().for_each(|w| *w += weight),
                Habit::First => *weights.first_mut()? += weight * parts,
                Habit::Ahead(plies) => {
                    let best = ahead(game, s, agent, moves, plies);
                    weights[best] += weight * parts;
                }
            }
        }
        Some(weights)
    }
}

/// An opponent looks at no more positions than this before a move; what is left then counts as leaves.
const MOST_POSITIONS: u64 = 200_000;

/// The place of the move that looks best to an agent so many moves ahead.
fn ahead<G: Guide>(game: &G, s: &G::State, agent: Agent, moves: &[G::Move], plies: u32) -> usize {
    let Some(of) = Expectation::new(game, agent) else { return 0 };
    let each = MOST_POSITIONS / moves.len().max(1) as u64;
    let value = |&m: &G::Move| {
        let mut next = s.clone();
        game.play(&mut next, agent, m);
        let mut left = each;
        look_within(&of, &next, plies.saturating_sub(1), &|s| estimate(&of, s), &mut left)
    };
    let mut best = (f64::MIN, 0);
    for (at, m) in moves.iter().enumerate() {
        let value = value(m);
        if value > best.0 {
            best = (value, at);
        }
    }
    best.1
}

/// What a state may be worth to Max by the game's evaluation, which speaks of the first agent: the middle
/// of the range where the game has none.
pub fn estimate<G: Guide>(of: &Expectation<'_, G>, s: &G::State) -> f64 {
    let (least, most) = of.range();
    let part = of.game.evaluate(s).unwrap_or(0.5);
    let part = if of.view.max() == Agent::FIRST { part } else { 1.0 - part };
    least + part * (most - least)
}

/// Minimax so many moves ahead, with these values at the leaves.
pub fn look_ahead<G: Game>(
    of: &Expectation<'_, G>,
    s: &G::State,
    plies: u32,
    leaf: &dyn Fn(&G::State) -> f64,
) -> f64 {
    let mut left = u64::MAX;
    look_within(of, s, plies, leaf, &mut left)
}

/// The same as long as there are positions left to look at.
fn look_within<G: Game>(
    of: &Expectation<'_, G>,
    s: &G::State,
    plies: u32,
    leaf: &dyn Fn(&G::State) -> f64,
    left: &mut u64,
) -> f64 {
    let (decides, agent) = match of.look(s) {
        Look::Over(value) => return value,
        Look::Open(decides, agent) => (decides, agent),
    };
    if plies == 0 || *left == 0 {
        return leaf(s);
    }
    *left -= 1;
    let children = children(of, s, decides, agent);
    let values =
        children.iter().map(|(part, next)| (*part, look_within(of, next, plies - 1, leaf, left)));
    match decides {
        Decides::Side(Side::Max) => values.fold(f64::MIN, |best, (_, value)| best.max(value)),
        Decides::Side(Side::Min) => values.fold(f64::MAX, |best, (_, value)| best.min(value)),
        Decides::Chance => values.map(|(part, value)| part * value).sum(),
    }
}

/// The states behind a state, and how often chance leads there.
fn children<G: Game>(
    of: &Expectation<'_, G>,
    s: &G::State,
    decides: Decides,
    agent: Agent,
) -> Vec<(f64, G::State)> {
    let (mut moves, mut weights) = (Vec::new(), Vec::new());
    of.game.moves(s, agent, &mut moves);
    match decides {
        Decides::Chance => of.weigh(s, agent, &moves, &mut weights),
        Decides::Side(_) => weights.resize(moves.len(), 1),
    }
    let total = weights.iter().sum::<u64>() as f64;
    let after = |(&m, &weight): (&G::Move, &u64)| {
        let mut next = s.clone();
        of.game.play(&mut next, agent, m);
        (weight as f64 / total, next)
    };
    moves.iter().zip(&weights).map(after).collect()
}

/// What an opponent takes a state to be worth to Max, and how likely the opponent is this one.
pub struct Model<'a, S> {
    /// The opponent's evaluation of leaves, in payoffs of Max.
    pub leaf: &'a dyn Fn(&S) -> f64,
    /// How likely it is this opponent, compared with the others.
    pub weight: f64,
}

/// Opponent-model search, so many moves ahead, with these values of Max at the leaves: what Max gets if
/// Min chooses by minimax of its own evaluation. With several opponents this is PrOM search. Of moves
/// that an opponent takes to be as good, it makes the one that is worst for Max.
pub fn om<G: Game>(
    of: &Expectation<'_, G>,
    s: &G::State,
    plies: u32,
    leaf: &dyn Fn(&G::State) -> f64,
    models: &[Model<'_, G::State>],
) -> f64 {
    let (decides, agent) = match of.look(s) {
        Look::Over(value) => return value,
        Look::Open(decides, agent) => (decides, agent),
    };
    if plies == 0 {
        return leaf(s);
    }
    let children = children(of, s, decides, agent);
    let own: Vec<f64> =
        children.iter().map(|(_, next)| om(of, next, plies - 1, leaf, models)).collect();
    match decides {
        Decides::Side(Side::Max) => own.iter().copied().fold(f64::MIN, f64::max),
        Decides::Chance => children.iter().zip(&own).map(|((part, _), value)| part * value).sum(),
        Decides::Side(Side::Min) => {
            let total: f64 = models.iter().map(|model| model.weight).sum();
            let chosen = |model: &Model<'_, G::State>| {
                let theirs =
                    children.iter().map(|(_, next)| look_ahead(of, next, plies - 1, model.leaf));
                let best = theirs.zip(&own).fold((f64::MAX, f64::MAX), |best, (their, &own)| {
                    if (their, own) < best { (their, own) } else { best }
                });
                model.weight * best.1
            };
            models.iter().map(chosen).sum::<f64>() / total
        }
    }
}
