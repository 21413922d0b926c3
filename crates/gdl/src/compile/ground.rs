//! Grounding: the clauses without variables, for every state that could come up.
//!
//! Forward chaining over all states at once: what is `true` in some state is what `init` or `next`
//! can say, what a role `does` is what may be legal, and a negation may hold unless its relation
//! never changes. That finds every fact that can hold in any state (and more), and every clause
//! that can fire, as general game players have done since *propositional networks* (Schkufza, Love
//! and Genesereth 2008).

use std::sync::Arc;

use super::clause::Clause;
use super::engine::{Engine, Fired, Plan, Record, Row};
use super::inverted::Inverted;
use super::strata::{Level, Strata};
use super::terms::Terms;
use super::{Limits, Refusal};
use crate::kif::Symbol;
use crate::rules::Relation;
use crate::stop::StopCheck;

/// A clause without variables. Literals of relations that never change are left out, because they
/// hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instance {
    pub(crate) head: Row,
    pub(crate) holds: [Option<Row>; 2],
    /// The tables of negated atoms, and where in `Grounded::fails` their rows begin.
    fails: [Option<(u32, u32)>; 2],
}

/// All clauses without variables.
#[derive(Debug)]
pub(crate) struct Grounded {
    pub(crate) engine: Engine,
    pub(crate) instances: Vec<Instance>,
    fails: Vec<u32>,
    /// Whether a relation changes; by own table.
    pub(crate) changes: Vec<bool>,
}

impl Grounded {
    pub(crate) fn new(
        clauses: &[Clause],
        roles: &[Symbol],
        strata: &Strata,
        limits: Limits,
        stop: &StopCheck,
    ) -> Result<Grounded, Refusal> {
        let mut terms = Terms::default();
        // Every game has these, whether its rules look at them or not.
        let mut program = Inverted::new(clauses, strata, &mut terms)?;
        let tables = Keywords::new(&mut program);
        let fixed: Vec<bool> =
            program.specs.iter().map(|k| strata.level(k.relation) == Level::Static).collect();
        if !fixed[tables.init] {
            return Err(Refusal::Unsupported("`init` depends on the state"));
        }
        if program
            .own
            .keys()
            .any(|&r| strata.level(r) == Level::Static && strata.in_negative_cycle(r))
        {
            return Err(Refusal::Unstratified);
        }
        let program = Arc::new(program);
        let mut engine = Engine::new(program.clone(), terms, limits, stop.clone());
        let is_fixed = |clause: usize| fixed[program.steps[clause].table];
        let once = Plan::new(&program, is_fixed, |_| false, false);
        engine.run_once(&once)?;
        // From here on all states at once.
        let changes: Vec<bool> =
            (0..fixed.len()).map(|t| !fixed[t] || t == tables.truth || t == tables.does).collect();
        engine.assumed_false.clone_from(&changes);
        engine.feeds[tables.next] = Some(tables.truth);
        let mut record = Recorder {
            changes: &changes,
            most: limits.instances,
            instances: Vec::new(),
            fails: Vec::new(),
        };
        let rest = Plan::new(&program, |c| !is_fixed(c), |t| !changes[t], true);
        for row in 0..engine.tables[tables.init].count() {
            let row = engine.tables[tables.init].row(row).to_vec();
            engine.insert(tables.truth, &row)?;
        }
        // Moves come from what is legal for a role; a role that is none has no moves.
        let mut role_terms = Vec::new();
        for &role in roles {
            role_terms.extend(engine.terms.make(role, &[]));
        }
        let mut legal = 0;
        engine.run(&rest, &mut record)?;
        loop {
            engine.resume(&rest, &mut record)?;
            if legal == engine.tables[tables.legal].count() {
                break;
            }
            while legal < engine.tables[tables.legal].count() {
                let row = engine.tables[tables.legal].row(legal).to_vec();
                if role_terms.contains(&row[0]) {
                    engine.insert(tables.does, &row)?;
                }
                legal += 1;
            }
        }
        let Recorder { instances, fails, .. } = record;
        Ok(Grounded { engine, instances, fails, changes })
    }

    /// The negated atoms of an instance, if it has some that can hold at all.
    pub(crate) fn fails(&self, instance: &Instance) -> [Option<Row>; 2] {
        instance.fails.map(|fails| {
            let (table, begin) = fails?;
            let width = self.engine.program.specs[table as usize].relation.arity;
            let row = &self.fails[begin as usize..begin as usize + width];
            self.engine.tables[table as usize].find(row).map(|row| Row { table, row })
        })
    }

    /// The own table of a relation.
    pub(crate) fn table(&self, name: Symbol, arity: usize) -> Option<usize> {
        self.engine.program.own.get(&Relation { name, arity }).copied()
    }
}

/// The own tables of the keywords.
pub(crate) struct Keywords {
    pub(crate) init: usize,
    pub(crate) truth: usize,
    pub(crate) next: usize,
    pub(crate) legal: usize,
    pub(crate) does: usize,
}

impl Keywords {
    /// Finds the tables, and adds those that no clause uses.
    pub(crate) fn new(program: &mut Inverted) -> Keywords {
        let mut table = |name: Symbol, arity: usize| program.own(Relation { name, arity });
        Keywords {
            init: table(Symbol::INIT, 1),
            truth: table(Symbol::TRUE, 1),
            next: table(Symbol::NEXT, 1),
            legal: table(Symbol::LEGAL, 2),
            does: table(Symbol::DOES, 2),
        }
    }
}

struct Recorder<'a> {
    changes: &'a [bool],
    /// More instances are refused.
    most: usize,
    instances: Vec<Instance>,
    fails: Vec<u32>,
}

impl Record for Recorder<'_> {
    fn fired(&mut self, fired: Fired<'_>) -> Result<(), Refusal> {
        if self.instances.len() >= self.most {
            return Err(Refusal::Large("the clauses without variables"));
        }
        let changing = |row: Row| self.changes[row.table as usize];
        let holds = fired.holds.map(|row| row.filter(|&r| changing(r)));
        let mut fails = [None; 2];
        for ((table, row), place) in fired.fails.iter().zip(&mut fails) {
            *place = Some((*table as u32, self.fails.len() as u32));
            self.fails.extend_from_slice(row);
        }
        self.instances.push(Instance { head: fired.head, holds, fails });
        Ok(())
    }
}
