//! States of a rulesheet as plain data, and what runs them behind a `&self`: gates with buffers of
//! each thread, or any machine behind a lock.
//!
//! A search asks for all children of a state one after the other. The gates answer for 64 states at
//! once, so the first question computes all children, and the others find them in a small cache.

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use foregone_model::{Rng, TextError};

use super::Status;
use crate::compile::circuit::Circuit;
use crate::compile::lanes::{ByLane, Playouts, Values, evaluate};
use crate::compile::network::{Signal, Slice};
use crate::machine::{Machine, MachineError, Move, State, Tally, View};

/// The words of a state: few, without an allocation, or many.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Words {
    /// At most four words.
    Few([u64; 4]),
    /// More words, or a list of facts.
    Many(Box<[u64]>),
}

foregone_model::stored!(
    enum Words {
        Few(words),
        Many(words),
    }
);

impl Words {
    fn new(words: &[u64], fixed: bool) -> Words {
        if fixed && words.len() <= 4 {
            let mut few = [0; 4];
            few[..words.len()].copy_from_slice(words);
            return Words::Few(few);
        }
        Words::Many(words.into())
    }

    /// The same words and a move that a role has chosen, as no state has them: a state of gates
    /// always has as many words, and no fact has this number.
    pub(super) fn with_move(&self, role: u8, m: u32) -> Words {
        let mut words = self.get().to_vec();
        words.extend([u64::MAX, u64::from(role) << 32 | u64::from(m)]);
        Words::Many(words.into())
    }

    fn get(&self) -> &[u64] {
        match self {
            Words::Few(words) => words,
            Words::Many(words) => words,
        }
    }
}

/// What runs a rulesheet.
#[derive(Debug)]
pub(crate) enum Kernel {
    Gates { circuit: Arc<Circuit>, number: u64, facts: Vec<Signal> },
    Machine(Box<Mutex<CachedMachine>>),
}

/// A machine, and what it said about the last states: a checker asks about the same state
/// several times.
#[derive(Debug)]
pub(crate) struct CachedMachine {
    machine: Machine,
    views: HashMap<Words, View>,
}

/// How many states are remembered.
const MAX_VIEWS: usize = 20_000;

impl CachedMachine {
    fn view(&mut self, words: &Words) -> Result<&View, MachineError> {
        if self.views.len() >= MAX_VIEWS && !self.views.contains_key(words) {
            self.views.clear();
        }
        match self.views.entry(words.clone()) {
            Slot::Occupied(found) => Ok(found.into_mut()),
            Slot::Vacant(free) => Ok(free.insert(self.machine.view(&State(words.get().into()))?)),
        }
    }
}

/// What one must know about a state to tell whose turn it is.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    pub(crate) terminal: bool,
    /// If it is over.
    pub(crate) goals: Vec<Option<i32>>,
    /// If it is not: how many moves each role has, and the first of them.
    pub(crate) moves: Vec<(u32, u32)>,
}

/// The children of a state by the moves of one role.
struct Entry {
    parent: Words,
    role: usize,
    children: Vec<(u32, Words, Status)>,
}

/// What a state means for a game, by its summary.
pub(crate) type Judge<'a> = &'a dyn Fn(&Summary) -> Status;

/// How many states' children a thread remembers.
const CACHED_PARENTS: usize = 1024;

#[derive(Default)]
struct Work {
    /// The game whose values these are.
    number: u64,
    values: Values<1>,
    by_lane: ByLane,
    plays: Option<Playouts<1>>,
    cache: Vec<Option<Entry>>,
}

thread_local! {
    static WORK: RefCell<Work> = RefCell::default();
}

static NUMBERS: AtomicU64 = AtomicU64::new(1);

impl Kernel {
    /// Whether states and moves have the same numbers in every process: those of gates do, those of
    /// a machine are given as they come up.
    pub(crate) fn is_numbered(&self) -> bool {
        matches!(self, Kernel::Gates { .. })
    }

    pub(crate) fn new(machine: Machine) -> Kernel {
        match machine.circuit() {
            Some(circuit) => {
                let facts = (1..=circuit.network.facts.len()).map(Signal::of).collect();
                Kernel::Gates { circuit, number: NUMBERS.fetch_add(1, Ordering::Relaxed), facts }
            }
            None => Kernel::Machine(Box::new(Mutex::new(CachedMachine {
                machine,
                views: HashMap::new(),
            }))),
        }
    }

    fn lock(machine: &Mutex<CachedMachine>) -> std::sync::MutexGuard<'_, CachedMachine> {
        machine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with_work<T>(circuit: &Circuit, number: u64, f: impl FnOnce(&mut Work) -> T) -> T {
        WORK.with_borrow_mut(|work| {
            if work.number != number {
                *work = Work { number, ..Work::default() };
                work.values.resize(circuit.network.slots(), [0]);
                work.cache.resize_with(CACHED_PARENTS, || None);
            }
            f(work)
        })
    }

    pub(crate) fn start(&self) -> Result<Words, MachineError> {
        Ok(match self {
            Kernel::Gates { circuit, .. } => Words::new(&circuit.initial(), true),
            Kernel::Machine(machine) => {
                Words::new(&Kernel::lock(machine).machine.initial()?.0, false)
            }
        })
    }

    /// What a state is like.
    pub(crate) fn summary(&self, words: &Words) -> Result<Summary, MachineError> {
        let machine = match self {
            Kernel::Gates { circuit, number, .. } => {
                return Ok(Kernel::with_work(circuit, *number, |work| {
                    let slices = &circuit.slices;
                    load(&slices.view, work, words);
                    load(&slices.goals, work, words);
                    evaluate(&slices.view, &mut work.values);
                    evaluate(&slices.goals, &mut work.values);
                    let mut summary = Summary::default();
                    read_lane(circuit, &work.values, 0, &mut summary);
                    summary
                }));
            }
            Kernel::Machine(machine) => machine,
        };
        let mut cached = Kernel::lock(machine);
        let View { terminal, legal, goals } = cached.view(words)?;
        let moves = legal.iter().map(|l| (l.len() as u32, l.first().map_or(0, |m| m.0)));
        Ok(Summary { terminal: *terminal, goals: goals.clone(), moves: moves.collect() })
    }

    /// The legal moves of a role, in the order of their texts.
    pub(crate) fn legal(
        &self,
        words: &Words,
        role: usize,
        out: &mut Vec<u32>,
    ) -> Result<(), MachineError> {
        match self {
            Kernel::Gates { circuit, number, .. } => Kernel::with_work(circuit, *number, |work| {
                load(&circuit.slices.legal[role], work, words);
                evaluate(&circuit.slices.legal[role], &mut work.values);
                let legal = circuit.network.legal[role].iter().enumerate();
                let legal = legal.filter(|(_, s)| s.holds(&work.values, 0));
                out.extend(legal.map(|(place, _)| place as u32));
            }),
            Kernel::Machine(machine) => {
                let mut cached = Kernel::lock(machine);
                let view = cached.view(words)?;
                out.extend(view.legal.get(role).into_iter().flatten().map(|m| m.0));
            }
        }
        Ok(())
    }

    /// The state after a joint move, one of each role.
    pub(crate) fn play(&self, words: &Words, joint: &[u32]) -> Result<Words, MachineError> {
        match self {
            Kernel::Gates { circuit, number, .. } => Kernel::with_work(circuit, *number, |work| {
                load(&circuit.slices.only_next, work, words);
                let inputs = |(role, &place): (usize, &u32)| {
                    circuit.network.moves[role].get(place as usize).map(|m| m.1).ok_or(role)
                };
                let slots: Vec<usize> = (joint.iter().enumerate().map(inputs))
                    .collect::<Result<_, _>>()
                    .map_err(MachineError::NeverLegal)?;
                slots.iter().for_each(|&s| work.values[s] = [!0]);
                evaluate(&circuit.slices.only_next, &mut work.values);
                let mut bits = vec![0; circuit.words()];
                for (n, signal) in circuit.network.next.iter().enumerate() {
                    bits[n / 64] |= u64::from(signal.holds(&work.values, 0)) << (n % 64);
                }
                slots.iter().for_each(|&s| work.values[s] = [0]);
                Ok(Words::new(&bits, true))
            }),
            Kernel::Machine(machine) => {
                let moves: Vec<Move> = joint.iter().map(|&m| Move(m)).collect();
                let next =
                    Kernel::lock(machine).machine.next(&State(words.get().into()), &moves)?;
                Ok(Words::new(&next.0, false))
            }
        }
    }

    /// The state after a move of one role, all others having just one, and what it means.
    pub(crate) fn child(
        &self,
        words: &Words,
        role: usize,
        m: u32,
        judge: Judge<'_>,
    ) -> Result<(Words, Status), MachineError> {
        if let Kernel::Gates { circuit, number, facts } = self {
            let found = Kernel::with_work(circuit, *number, |work| {
                let at = place_of(words) % CACHED_PARENTS;
                let known = work.cache[at].as_ref();
                if !known.is_some_and(|e| e.role == role && e.parent == *words) {
                    let children = expand(circuit, work, facts, words, role, judge);
                    work.cache[at] = Some(Entry { parent: words.clone(), role, children });
                }
                let children = work.cache[at].as_ref().map(|e| e.children.as_slice());
                let children = children.unwrap_or_default();
                let n = children.binary_search_by_key(&m, |c| c.0);
                n.ok().map(|n| (children[n].1.clone(), children[n].2))
            });
            return found.ok_or(MachineError::NeverLegal(role));
        }
        let summary = self.summary(words)?;
        let mut joint: Vec<u32> = summary.moves.iter().map(|m| m.1).collect();
        if let Some(place) = joint.get_mut(role) {
            *place = m;
        }
        let next = self.play(words, &joint)?;
        let status = judge(&self.summary(&next)?);
        Ok((next, status))
    }

    /// Random plays.
    pub(crate) fn playouts(
        &self,
        words: &Words,
        count: u64,
        longest: u32,
        rng: &mut Rng,
    ) -> Result<Tally, MachineError> {
        match self {
            Kernel::Gates { circuit, number, .. } => {
                Ok(Kernel::with_work(circuit, *number, |work| {
                    let plays = work.plays.get_or_insert_with(|| Playouts::new(&circuit.network));
                    plays.run(&circuit.network, &circuit.slices, words.get(), count, longest, rng)
                }))
            }
            Kernel::Machine(machine) => Kernel::lock(machine).machine.playouts(
                &State(words.get().into()),
                count,
                longest,
                rng,
            ),
        }
    }

    /// The facts of a state as texts, in their order.
    pub(crate) fn facts(&self, words: &Words) -> Vec<String> {
        match self {
            Kernel::Gates { circuit, .. } => circuit.texts(words.get()),
            Kernel::Machine(machine) => {
                Kernel::lock(machine).machine.facts(&State(words.get().into()))
            }
        }
    }

    /// The state with these facts.
    pub(crate) fn state(&self, facts: &[(String, usize)]) -> Result<Words, TextError> {
        let mut words = match self {
            Kernel::Gates { circuit, .. } => vec![0; circuit.words()],
            Kernel::Machine(_) => Vec::new(),
        };
        for (fact, at) in facts {
            match self {
                Kernel::Gates { circuit, .. } => {
                    let number = circuit.read(fact).ok().and_then(|t| circuit.fact(t));
                    let Some(n) = number else {
                        let message = format!("`{fact}` is not a fact that can hold in this game");
                        return Err(TextError::new(message, *at..*at + fact.len()));
                    };
                    words[n / 64] |= 1 << (n % 64);
                }
                Kernel::Machine(machine) => {
                    let term =
                        Kernel::lock(machine).machine.read(fact).map_err(|e| e.shifted(*at))?;
                    words.push(u64::from(term.0));
                }
            }
        }
        if let Kernel::Machine(_) = self {
            words.sort_unstable();
            words.dedup();
            return Ok(Words::new(&words, false));
        }
        Ok(Words::new(&words, true))
    }

    /// The KIF of a move.
    pub(crate) fn show(&self, role: usize, m: u32) -> String {
        match self {
            Kernel::Gates { circuit, .. } => {
                let found = circuit.network.moves[role].get(m as usize);
                found.map(|&(term, _)| circuit.show(term)).unwrap_or_default()
            }
            Kernel::Machine(machine) => Kernel::lock(machine).machine.show(Move(m)),
        }
    }

    /// The move of a KIF text.
    pub(crate) fn read(&self, role: usize, text: &str) -> Option<u32> {
        match self {
            Kernel::Gates { circuit, .. } => {
                let term = circuit.read(text).ok()?;
                circuit.place(role, Move(term)).map(|place| place as u32)
            }
            Kernel::Machine(machine) => Kernel::lock(machine).machine.read(text).ok().map(|m| m.0),
        }
    }
}

fn place_of(words: &Words) -> usize {
    let hash = words
        .get()
        .iter()
        .fold(0u64, |h, &w| (h.rotate_left(23) ^ w).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    (hash >> 40) as usize
}

/// Loads the facts of a state that a slice looks at, into all lanes.
fn load(slice: &Slice, work: &mut Work, words: &Words) {
    let words = words.get();
    for &n in &slice.facts {
        let n = n as usize;
        let holds = words[n / 64] >> (n % 64) & 1;
        work.values[1 + n] = [0u64.wrapping_sub(holds)];
    }
}

/// What the state of a lane is like, after its view and its goals were evaluated.
fn read_lane(circuit: &Circuit, values: &Values<1>, lane: u32, summary: &mut Summary) {
    let network = &circuit.network;
    summary.terminal = network.terminal.holds(values, lane);
    summary.goals.clear();
    summary.moves.clear();
    if summary.terminal {
        summary.goals.extend((0..network.goals.len()).map(|role| network.goal(role, values, lane)));
    } else {
        for legal in &network.legal {
            let mut list = legal.iter().enumerate().filter(|(_, s)| s.holds(values, lane));
            let first = list.next();
            let count = first.iter().count() + list.count();
            summary.moves.push((count as u32, first.map_or(0, |(n, _)| n as u32)));
        }
    }
}

/// All children of a state by the moves of a role, 64 at a time.
fn expand(
    circuit: &Circuit,
    work: &mut Work,
    facts: &[Signal],
    words: &Words,
    role: usize,
    judge: Judge<'_>,
) -> Vec<(u32, Words, Status)> {
    let (network, slices) = (&circuit.network, &circuit.slices);
    let mut list = Vec::new();
    // The inputs of all other roles' only moves.
    let mut others = Vec::new();
    for (r, legal) in network.legal.iter().enumerate() {
        load(&slices.legal[r], work, words);
        evaluate(&slices.legal[r], &mut work.values);
        let holds = |n: &usize| legal[*n].holds(&work.values, 0);
        if r == role {
            list.extend((0..legal.len()).filter(holds));
        } else if let Some(first) = (0..legal.len()).find(holds) {
            others.push(network.moves[r][first].1);
        }
    }
    let mut out = Vec::with_capacity(list.len());
    let mut counts: Vec<[u64; 2]> = Vec::new();
    let mut summary = Summary::default();
    for chunk in list.chunks(64) {
        load(&slices.only_next, work, words);
        let values = &mut work.values;
        others.iter().for_each(|&slot| values[slot] = [!0]);
        for (lane, &m) in chunk.iter().enumerate() {
            values[network.moves[role][m].1] = [1 << lane];
        }
        evaluate(&slices.only_next, values);
        let next: Vec<[u64; 1]> = network.next.iter().map(|s| s.read(values)).collect();
        others.iter().for_each(|&slot| values[slot] = [0]);
        chunk.iter().for_each(|&m| values[network.moves[role][m].1] = [0]);
        values[1..=next.len()].copy_from_slice(&next);
        evaluate(&slices.view, values);
        let terminal = network.terminal.read(values)[0];
        let used = !0u64 >> (64 - chunk.len());
        if terminal & used != 0 {
            evaluate(&slices.goals, values);
        }
        // Lanes in which a role has some move, and in which it has two.
        counts.clear();
        for legal in &network.legal {
            let (mut once, mut twice) = (0, 0);
            for signal in legal {
                let [holds] = signal.read(values);
                twice |= once & holds;
                once |= holds;
            }
            counts.push([once, twice]);
        }
        work.by_lane.take(&work.values, facts);
        for (lane, &m) in chunk.iter().enumerate() {
            let lane = lane as u32;
            summary.terminal = terminal >> lane & 1 == 1;
            let count = |c: &[u64; 2]| ((c[0] >> lane & 1) + (c[1] >> lane & 1)) as u32;
            summary.moves.clear();
            summary.moves.extend(counts.iter().map(|c| (count(c), 0)));
            // Which one a single move is matters only where nobody has a choice.
            if summary.terminal || summary.moves.iter().all(|m| m.0 < 2) {
                read_lane(circuit, &work.values, lane, &mut summary);
            }
            let words = Words::new(&work.by_lane.lane(lane as usize)[..circuit.words()], true);
            out.push((m as u32, words, judge(&summary)));
        }
    }
    out
}
