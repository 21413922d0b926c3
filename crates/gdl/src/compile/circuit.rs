//! A rulesheet as a network of gates that answers questions about states.
//!
//! A state is a set of bits, one for each fact that can ever hold, in the order of their texts.

use foregone_model::number::counted;
use foregone_model::{Rng, TextError};
use rustc_hash::FxHashMap;

use super::ground::Grounded;
use super::lanes::{Playouts, Slices, Values, evaluate};
use super::network::Network;
use super::terms::Terms;
use super::{Limits, Refusal, Steps};
use crate::kif::{self, Symbols};
use crate::machine::{Move, Tally};
use crate::stop::StopCheck;

/// A compiled rulesheet. Nothing in it changes when it is run.
#[derive(Debug)]
pub(crate) struct Circuit {
    pub(crate) network: Network,
    pub(crate) slices: Slices,
    symbols: Symbols,
    terms: Terms,
    facts: FxHashMap<u32, usize>,
    /// For each role, the place of a move in its list.
    places: Vec<FxHashMap<u32, usize>>,
}

/// What evaluation writes to.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    values: Values<1>,
    narrow: Option<Playouts<1>>,
    wide: Option<Playouts<4>>,
}

impl Circuit {
    pub(crate) fn new(steps: &Steps, limits: Limits, stop: &StopCheck) -> Result<Circuit, Refusal> {
        let mut ground = Grounded::new(&steps.normal, &steps.roles, &steps.strata, limits, stop)?;
        let mut roles = Vec::new();
        for &role in &steps.roles {
            roles.extend(ground.engine.terms.make(role, &[]));
        }
        let text = |term: u32| {
            let mut out = String::new();
            ground.engine.terms.write(term, &steps.symbols, &mut out);
            out
        };
        let network = Network::new(&ground, &roles, text, stop)?;
        let slices = Slices::new(&network);
        let facts = network.facts.iter().enumerate().map(|(n, &f)| (f, n)).collect();
        let of_role = |moves: &Vec<(u32, usize)>| {
            moves.iter().enumerate().map(|(n, &(term, _))| (term, n)).collect()
        };
        let places = network.moves.iter().map(of_role).collect();
        let terms = std::mem::take(&mut ground.engine.terms);
        Ok(Circuit { network, slices, symbols: steps.symbols.clone(), terms, facts, places })
    }

    pub(crate) fn words(&self) -> usize {
        self.network.facts.len().div_ceil(64)
    }

    pub(crate) fn initial(&self) -> Vec<u64> {
        let mut bits = vec![0; self.words()];
        self.network.initial.iter().for_each(|&f| bits[f / 64] |= 1 << (f % 64));
        bits
    }

    /// The text of a term.
    pub(crate) fn show(&self, term: u32) -> String {
        let mut out = String::new();
        self.terms.write(term, &self.symbols, &mut out);
        out
    }

    /// The facts of a state as texts, in their order.
    pub(crate) fn texts(&self, state: &[u64]) -> Vec<String> {
        let holds = |n: &usize| state[n / 64] >> (n % 64) & 1 == 1;
        let facts = (0..self.network.facts.len()).filter(holds);
        facts.map(|n| self.show(self.network.facts[n])).collect()
    }

    /// The number of a fact by its term.
    pub(crate) fn fact(&self, term: u32) -> Option<usize> {
        self.facts.get(&term).copied()
    }

    /// The place of a move in the list of its role.
    pub(crate) fn place(&self, role: usize, m: Move) -> Option<usize> {
        self.places[role].get(&m.0).copied()
    }

    fn load(&self, scratch: &mut Scratch, state: &[u64]) {
        scratch.values.resize(self.network.slots(), [0]);
        for n in 0..self.network.facts.len() {
            let holds = state[n / 64] >> (n % 64) & 1;
            scratch.values[1 + n] = [0u64.wrapping_sub(holds)];
        }
    }

    /// Whether the game is over; then the goals, else the legal moves of each role.
    pub(crate) fn view(&self, scratch: &mut Scratch, state: &[u64]) -> crate::machine::View {
        self.load(scratch, state);
        evaluate(&self.slices.view, &mut scratch.values);
        let values = &mut scratch.values;
        let terminal = self.network.terminal.holds(values, 0);
        let (mut legal, mut goals) = (Vec::new(), Vec::new());
        if terminal {
            evaluate(&self.slices.goals, values);
            let roles = 0..self.network.goals.len();
            goals.extend(roles.map(|role| self.network.goal(role, values, 0)));
        } else {
            for (moves, signals) in self.network.moves.iter().zip(&self.network.legal) {
                let both = moves.iter().zip(signals).filter(|(_, s)| s.holds(values, 0));
                legal.push(both.map(|(m, _)| Move(m.0)).collect());
            }
        }
        crate::machine::View { terminal, legal, goals }
    }

    /// The state after these moves, one of each role; the role whose move can never be legal.
    pub(crate) fn next(
        &self,
        scratch: &mut Scratch,
        state: &[u64],
        moves: &[Move],
    ) -> Result<Vec<u64>, usize> {
        self.load(scratch, state);
        let mut slots = Vec::with_capacity(moves.len());
        for (role, &m) in moves.iter().enumerate() {
            let place = self.place(role, m).ok_or(role)?;
            slots.push(self.network.moves[role][place].1);
        }
        let values = &mut scratch.values;
        slots.iter().for_each(|&s| values[s] = [!0]);
        evaluate(&self.slices.only_next, values);
        let mut bits = vec![0; self.words()];
        for (n, &signal) in self.network.next.iter().enumerate() {
            bits[n / 64] |= u64::from(signal.holds(values, 0)) << (n % 64);
        }
        slots.iter().for_each(|&s| values[s] = [0]);
        Ok(bits)
    }

    pub(crate) fn playouts(
        &self,
        scratch: &mut Scratch,
        state: &[u64],
        count: u64,
        longest: u32,
        rng: &mut Rng,
    ) -> Tally {
        let (network, slices) = (&self.network, &self.slices);
        if count <= 64 {
            let plays = scratch.narrow.get_or_insert_with(|| Playouts::new(network));
            return plays.run(network, slices, state, count, longest, rng);
        }
        let plays = scratch.wide.get_or_insert_with(|| Playouts::new(network));
        plays.run(network, slices, state, count, longest, rng)
    }

    /// The number of a term by its text.
    pub(crate) fn read(&self, text: &str) -> Result<u32, TextError> {
        let mut symbols = self.symbols.clone();
        let trees = kif::read(text, &mut symbols)?;
        let unknown = || TextError::new("this is not a fact or a move of the game", 0..text.len());
        match trees.as_slice() {
            [tree] => self.terms.of_tree(tree).ok_or_else(unknown),
            _ => Err(TextError::new("expected one term", 0..text.len())),
        }
    }

    /// The steps of looking at a state and of going to the next one.
    pub(crate) fn steps(&self) -> usize {
        let Slices { view, goals, only_next, .. } = &self.slices;
        view.ops.len() + goals.ops.len() + only_next.ops.len() + self.network.facts.len()
    }

    /// How large the network is.
    pub(crate) fn size(&self) -> String {
        let Network { facts, moves, .. } = &self.network;
        let moves: usize = moves.iter().map(Vec::len).sum();
        let slices = &self.slices;
        let gates = [&slices.view, &slices.goals, &slices.next].map(|s| s.ops.len());
        let [view, goals, next] = gates;
        let [facts, moves] =
            [(facts.len(), "fact"), (moves, "move")].map(|(n, word)| counted(n as u64, word));
        format!("{facts}, {moves}, gates {view} + {goals} + {next}")
    }
}
