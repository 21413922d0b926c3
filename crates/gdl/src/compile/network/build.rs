//! From the clauses without variables to gates.

use rustc_hash::FxHashMap;

use super::gates::{Gates, MAX_WORK};
use super::{Network, Signal, Slot};
use crate::compile::Refusal;
use crate::compile::engine::Row;
use crate::compile::ground::Grounded;
use crate::graph::components;
use crate::kif::Symbol;
use crate::machine::CHANCE;
use crate::stop::StopCheck;

/// The steps that evaluating a loop may take if every round changes only one fact.
const MAX_ROUNDS: usize = 1_000_000_000;

/// No literal.
const NOTHING: u32 = u32::MAX;

impl Network {
    /// The network of these clauses. `text` is the text of a term: facts and moves are in the
    /// order of their texts.
    pub(crate) fn new(
        ground: &Grounded,
        roles: &[u32],
        text: impl Fn(u32) -> String,
        stop: &StopCheck,
    ) -> Result<Network, Refusal> {
        let mut builder = Builder::new(ground, roles.len());
        let facts = builder.add_facts(&text);
        let moves = builder.add_moves(roles, &text);
        builder.connect(stop)?;
        let next = facts.iter().map(|&f| builder.signal_of(Symbol::NEXT, &[f])).collect();
        let legal = (moves.iter().zip(roles))
            .map(|(moves, &role)| {
                let legal = |m: &(u32, usize)| builder.signal_of(Symbol::LEGAL, &[role, m.0]);
                moves.iter().map(legal).collect()
            })
            .collect();
        Ok(Network {
            initial: builder.initial(&facts),
            goals: builder.goals(roles, &text),
            chance: roles.iter().position(|&role| text(role) == CHANCE),
            terminal: builder.signal_of(Symbol::TERMINAL, &[]),
            slots: builder.gates.slots,
            loops: builder.loops,
            stored: builder.stored,
            facts,
            moves,
            legal,
            next,
        })
    }
}

/// Every fact of a relation that changes, numbered: the rows of one table after those of another.
struct Atoms<'a> {
    ground: &'a Grounded,
    /// The number of each table's first row.
    first: Vec<usize>,
}

impl Atoms<'_> {
    fn new(ground: &Grounded) -> Atoms<'_> {
        let mut first = vec![0];
        let mut count = 0;
        for (t, table) in ground.engine.tables.iter().enumerate() {
            let is_own = ground.engine.program.specs[t].shape.is_none();
            if is_own && ground.changes[t] {
                count += table.count();
            }
            first.push(count);
        }
        Atoms { ground, first }
    }

    fn count(&self) -> usize {
        self.first.last().copied().unwrap_or(0)
    }

    fn number(&self, row: Row) -> usize {
        self.first[row.table as usize] + row.row as usize
    }
}

/// The bodies of all clauses by the atoms of their heads. A literal is twice the number of its
/// atom, plus one if it is negated.
struct Bodies {
    /// Where the bodies of each atom begin.
    begin: Vec<u32>,
    bodies: Vec<[u32; 3]>,
}

impl Bodies {
    fn new(atoms: &Atoms<'_>) -> Bodies {
        let instances = &atoms.ground.instances;
        let mut begin = vec![0u32; atoms.count() + 1];
        for instance in instances {
            begin[atoms.number(instance.head) + 1] += 1;
        }
        for n in 0..atoms.count() {
            begin[n + 1] += begin[n];
        }
        let mut fill = begin.clone();
        let mut bodies = vec![[NOTHING; 3]; instances.len()];
        for instance in instances {
            let place = &mut fill[atoms.number(instance.head)];
            let literals = &mut bodies[*place as usize];
            for (n, row) in instance.holds.iter().enumerate() {
                if let Some(row) = row {
                    literals[n] = atoms.number(*row) as u32 * 2;
                }
            }
            // A body has at most two literals, so the two kinds do not meet.
            let fails = atoms.ground.fails(instance).into_iter().rev().flatten();
            for (n, row) in fails.enumerate() {
                literals[2 - n] = atoms.number(row) as u32 * 2 + 1;
            }
            *place += 1;
        }
        Bodies { begin, bodies }
    }

    fn of(&self, atom: usize) -> &[[u32; 3]] {
        &self.bodies[self.begin[atom] as usize..self.begin[atom + 1] as usize]
    }

    /// All literals in the bodies of an atom.
    fn literals(&self, atom: usize) -> impl Iterator<Item = u32> {
        self.of(atom).iter().flatten().copied().filter(|&l| l != NOTHING)
    }

    /// The `n`th atom that an atom depends on, for [`components`].
    fn edge(&self, atom: usize, n: usize) -> Option<usize> {
        let bodies = self.of(atom);
        (n < bodies.len() * 3).then(|| match bodies[n / 3][n % 3] {
            // An edge from an atom to itself changes nothing.
            NOTHING => atom,
            literal => (literal >> 1) as usize,
        })
    }
}

struct Builder<'a> {
    atoms: Atoms<'a>,
    gates: Gates,
    /// The signal of each atom, as far as they are known.
    signals: Vec<Signal>,
    is_input: Vec<bool>,
    loops: Vec<(usize, usize)>,
    stored: FxHashMap<usize, Signal>,
}

impl Builder<'_> {
    fn new(ground: &Grounded, roles: usize) -> Builder<'_> {
        let atoms = Atoms::new(ground);
        let count = atoms.count();
        Builder {
            atoms,
            gates: Gates::new(roles),
            signals: vec![Signal::FALSE; count],
            is_input: vec![false; count],
            loops: Vec::new(),
            stored: FxHashMap::default(),
        }
    }

    /// The slots of the rows of a table, each an input, in the order of the texts in a column.
    fn add_inputs(
        &mut self,
        table: usize,
        column: usize,
        text: impl Fn(u32) -> String,
    ) -> Vec<(usize, usize)> {
        let rows = &self.atoms.ground.engine.tables[table];
        let mut order: Vec<usize> = (0..rows.count()).collect();
        order.sort_by_cached_key(|&row| text(rows.row(row)[column]));
        let first = self.atoms.first[table];
        let mut inputs = Vec::with_capacity(order.len());
        for row in order {
            let slot = self.gates.input();
            self.signals[first + row] = Signal::of(slot);
            self.is_input[first + row] = true;
            inputs.push((row, slot));
        }
        inputs
    }

    /// Adds the facts of the state as inputs. Their terms.
    fn add_facts(&mut self, text: impl Fn(u32) -> String) -> Vec<u32> {
        let ground = self.atoms.ground;
        let Some(table) = ground.table(Symbol::TRUE, 1) else { return Vec::new() };
        let inputs = self.add_inputs(table, 0, text);
        inputs.into_iter().map(|(row, _)| ground.engine.tables[table].row(row)[0]).collect()
    }

    /// Adds the moves as inputs. The terms and slots of each role's moves.
    fn add_moves(&mut self, roles: &[u32], text: impl Fn(u32) -> String) -> Vec<Vec<(u32, usize)>> {
        let ground = self.atoms.ground;
        let mut moves = vec![Vec::new(); roles.len()];
        let Some(table) = ground.table(Symbol::DOES, 2) else { return moves };
        for (row, slot) in self.add_inputs(table, 1, text) {
            let [role, term] = ground.engine.tables[table].row(row) else { continue };
            if let Some(n) = roles.iter().position(|r| r == role) {
                moves[n].push((*term, slot));
                self.gates.moves[n].push(Signal::of(slot));
            }
        }
        moves
    }

    /// Gives every atom its signal: first those that others depend on.
    fn connect(&mut self, stop: &StopCheck) -> Result<(), Refusal> {
        let bodies = Bodies::new(&self.atoms);
        let component = components(self.atoms.count(), |atom, n| bodies.edge(atom, n));
        let mut order: Vec<u32> = (0..self.atoms.count() as u32).collect();
        order.sort_by_key(|&n| component[n as usize]);
        let same = |a: &u32, b: &u32| component[*a as usize] == component[*b as usize];
        for (number, members) in order.chunk_by(same).enumerate() {
            stop.check_at(number as u64)?;
            let first = members[0] as usize;
            let is_cyclic =
                members.len() > 1 || bodies.literals(first).any(|l| (l >> 1) as usize == first);
            if is_cyclic {
                let negates_member = |&m: &u32| {
                    let mut literals = bodies.literals(m as usize);
                    literals.any(|l| l & 1 == 1 && component[(l >> 1) as usize] == component[first])
                };
                if members.iter().any(negates_member) {
                    return Err(Refusal::Unstratified);
                }
                self.connect_loop(members, &bodies)?;
            } else if !self.is_input[first] {
                self.signals[first] = self.value(first, &bodies);
            }
            if self.gates.work > MAX_WORK {
                return Err(Refusal::Large("the network of gates"));
            }
        }
        Ok(())
    }

    /// Atoms that depend on each other: each has a slot that is stored to in rounds.
    fn connect_loop(&mut self, members: &[u32], bodies: &Bodies) -> Result<(), Refusal> {
        let mut fed = Vec::with_capacity(members.len());
        for &member in members {
            let slot = self.gates.input();
            fed.push(slot);
            self.signals[member as usize] = Signal::of(slot);
        }
        let from = self.gates.slots.len();
        for (&member, slot) in members.iter().zip(fed) {
            if self.is_input[member as usize] {
                continue;
            }
            let value = self.value(member as usize, bodies);
            self.gates.slots.push(Slot::Store(slot, value));
            self.stored.insert(slot, value);
        }
        let to = self.gates.slots.len();
        if (to - from).saturating_mul(members.len()) > MAX_ROUNDS {
            return Err(Refusal::Large("a loop of facts"));
        }
        self.loops.push((from, to));
        Ok(())
    }

    /// The *or* of an atom's bodies.
    fn value(&mut self, atom: usize, bodies: &Bodies) -> Signal {
        let mut products = Vec::new();
        for literals in bodies.of(atom) {
            let literals = literals.iter().filter(|&&l| l != NOTHING);
            let signals = literals.map(|l| Signal(self.signals[(l >> 1) as usize].0 ^ (l & 1)));
            products.extend(self.gates.product(signals));
        }
        self.gates.sum(products)
    }

    /// The signal of a fact; false if it can never hold.
    fn signal_of(&self, name: Symbol, row: &[u32]) -> Signal {
        let ground = self.atoms.ground;
        let found = ground.table(name, row.len()).and_then(|table| {
            let row = ground.engine.tables[table].find(row)?;
            Some(self.signals[self.atoms.first[table] + row as usize])
        });
        found.unwrap_or(Signal::FALSE)
    }

    /// The goals of each role: what it gets, and when.
    fn goals(
        &self,
        roles: &[u32],
        text: impl Fn(u32) -> String,
    ) -> Vec<Vec<(Option<i32>, Signal)>> {
        let ground = self.atoms.ground;
        let mut goals = vec![Vec::new(); roles.len()];
        let Some(table) = ground.table(Symbol::GOAL, 2) else { return goals };
        for row in 0..ground.engine.tables[table].count() {
            let [role, goal] = ground.engine.tables[table].row(row) else { continue };
            let signal = self.signals[self.atoms.first[table] + row];
            if let Some(n) = roles.iter().position(|r| r == role)
                && signal != Signal::FALSE
            {
                goals[n].push((text(*goal).parse().ok(), signal));
            }
        }
        goals
    }

    /// The facts of the initial state, by their places in `facts`.
    fn initial(&self, facts: &[u32]) -> Vec<usize> {
        let ground = self.atoms.ground;
        let Some(table) = ground.table(Symbol::INIT, 1) else { return Vec::new() };
        let places: FxHashMap<u32, usize> =
            facts.iter().enumerate().map(|(n, &f)| (f, n)).collect();
        let rows = &ground.engine.tables[table];
        (0..rows.count()).filter_map(|row| places.get(&rows.row(row)[0]).copied()).collect()
    }
}
