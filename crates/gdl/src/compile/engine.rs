//! Forward chaining over an inverted program: new facts set off clauses until nothing is new
//! (thesis *Game Description Language Compilation*, section 3.3; the semi-naive evaluation of
//! databases). Strata are run one after the other, as the thesis postpones what lies higher.
//!
//! Every pair of rows that a clause joins is met exactly once: when the later one of the two is
//! taken up.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::inverted::{FREE, Inverted, Lookup, Template, Trigger};
use super::table::Table;
use super::terms::Terms;
use super::{Limits, Refusal};
use crate::stop::StopCheck;

/// A row of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) table: u32,
    pub(crate) row: u32,
}

/// The literals with which a clause fired.
pub(crate) struct Fired<'a> {
    /// The head, in its relation's own table.
    pub(crate) head: Row,
    /// Positive literals, in their relations' own tables.
    pub(crate) holds: [Option<Row>; 2],
    /// Literals that were taken to fail: the own tables of their relations, and the rows.
    pub(crate) fails: &'a [(usize, Vec<u32>)],
}

/// Is told about every clause that fires.
pub(crate) trait Record {
    fn fired(&mut self, fired: Fired<'_>) -> Result<(), Refusal>;
}

/// Nothing is recorded.
pub(crate) struct NoRecord;

impl Record for NoRecord {
    fn fired(&mut self, _fired: Fired<'_>) -> Result<(), Refusal> {
        Ok(())
    }
}

/// The facts of an inverted program.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    pub(crate) program: Arc<Inverted>,
    pub(crate) terms: Terms,
    pub(crate) tables: Vec<Table>,
    /// For a table of a shape, the row of the relation's own table that each of its rows comes
    /// from.
    own_rows: Vec<Vec<u32>>,
    /// Facts of one relation that make the same facts of another: `next` makes `true` where all
    /// states are looked at together.
    pub(crate) feeds: Vec<Option<usize>>,
    /// Relations whose negations are taken to hold; by own table.
    pub(crate) assumed_false: Vec<bool>,
    /// How far the rows of each table were taken up.
    seen: Vec<usize>,
    /// Buffers, so that nothing is allocated for a row.
    values: Vec<u32>,
    key: Vec<u32>,
    row: Vec<u32>,
    columns: Vec<u32>,
    /// Facts that may be added, and rows that may be joined, before the run is refused.
    limit: usize,
    most_joins: u64,
    added: usize,
    joins: u64,
    stop: StopCheck,
}

impl Engine {
    pub(crate) fn new(
        program: Arc<Inverted>,
        terms: Terms,
        limits: Limits,
        stop: StopCheck,
    ) -> Engine {
        let count = program.tables.len();
        Engine {
            tables: program.tables.clone(),
            own_rows: vec![Vec::new(); count],
            feeds: vec![None; count],
            assumed_false: vec![false; count],
            seen: vec![0; count],
            terms,
            program,
            values: Vec::new(),
            key: Vec::new(),
            row: Vec::new(),
            columns: Vec::new(),
            limit: limits.facts,
            most_joins: limits.joins,
            added: 0,
            joins: 0,
            stop,
        }
    }

    /// Replaces the stop check.
    pub(crate) fn set_stop(&mut self, stop: StopCheck) {
        self.stop = stop;
    }

    /// Starts to count facts and joins from 0 again. How much there was to do: a new fact takes as
    /// long as several joins.
    pub(crate) fn reset_count(&mut self) -> u64 {
        let added = std::mem::take(&mut self.added) as u64;
        std::mem::take(&mut self.joins) + 8 * added
    }

    /// The row of the relation's own table that a row of any table comes from.
    pub(crate) fn own(&self, table: usize, row: u32) -> Row {
        let specs = &self.program.specs[table];
        match &specs.shape {
            None => Row { table: table as u32, row },
            Some(_) => {
                let own = self.program.own[&specs.relation];
                Row { table: own as u32, row: self.own_rows[table][row as usize] }
            }
        }
    }

    /// Adds a fact to a relation's own table and to the tables of its shapes.
    pub(crate) fn insert(&mut self, own: usize, row: &[u32]) -> Result<(u32, bool), Refusal> {
        let (number, new) = self.tables[own].insert(row);
        if !new {
            return Ok((number, false));
        }
        // Long rows and large terms take more memory.
        self.added += 1 + row.iter().map(|&t| self.terms.size(t)).sum::<usize>() / 8;
        if self.added > self.limit {
            return Err(Refusal::Large("the facts"));
        }
        let program = self.program.clone();
        for &table in &program.shapes[own] {
            let Some(shape) = &program.specs[table].shape else { continue };
            self.columns.clear();
            let (terms, columns) = (&self.terms, &mut self.columns);
            if shape.iter().zip(row).all(|(s, &t)| s.take(t, terms, columns)) {
                self.tables[table].insert(&self.columns);
                self.own_rows[table].push(number);
            }
        }
        if let Some(fed) = self.feeds[own] {
            self.insert(fed, row)?;
        }
        Ok((number, true))
    }

    /// Removes all rows of the relations for which `gone` is true, by own table.
    pub(crate) fn clear(&mut self, gone: &[bool]) {
        let program = self.program.clone();
        for (table, specs) in program.specs.iter().enumerate() {
            if gone[program.own[&specs.relation]] && self.tables[table].count() > 0 {
                self.tables[table].clear();
                self.own_rows[table].clear();
            }
        }
    }

    /// Runs the clauses of a plan, stratum by stratum.
    pub(crate) fn run(&mut self, plan: &Plan, record: &mut impl Record) -> Result<(), Refusal> {
        let program = self.program.clone();
        for stratum in &plan.strata {
            for &n in &stratum.first {
                let (clause, tests) = &program.first[n];
                self.values.clear();
                if tests.iter().all(|t| self.passes(t)) {
                    let mut fails = Vec::new();
                    for test in tests {
                        if let Lookup::Absent { table, row } = test
                            && self.assumed_false[*table]
                        {
                            fails.push((*table, self.ground(row)?));
                        }
                    }
                    self.add(*clause, [None, None], &fails, record)?;
                }
            }
            for (table, _) in &stratum.triggers {
                self.seen[*table] = 0;
            }
            self.run_stratum(stratum, record)?;
        }
        Ok(())
    }

    /// Runs the clauses of what never changes.
    pub(crate) fn run_once(&mut self, plan: &Plan) -> Result<(), Refusal> {
        self.run(plan, &mut NoRecord).map_err(|refusal| match refusal {
            Refusal::Large(_) => Refusal::Fixed,
            other => other,
        })
    }

    /// Goes on with a plan of one stratum after facts were added, without its first clauses.
    pub(crate) fn resume(&mut self, plan: &Plan, record: &mut impl Record) -> Result<(), Refusal> {
        plan.strata.iter().try_for_each(|stratum| self.run_stratum(stratum, record))
    }

    fn run_stratum(&mut self, stratum: &Stratum, record: &mut impl Record) -> Result<(), Refusal> {
        let program = self.program.clone();
        loop {
            let mut quiet = true;
            for (table, triggers) in &stratum.triggers {
                while self.seen[*table] < self.tables[*table].count() {
                    quiet = false;
                    let row = self.seen[*table];
                    for &(t, all) in triggers {
                        self.fire(&program.triggers[*table][t], *table, row, all, record)?;
                    }
                    self.seen[*table] += 1;
                }
            }
            if quiet {
                return Ok(());
            }
        }
    }

    fn ground(&mut self, row: &[Template]) -> Result<Vec<u32>, Refusal> {
        row.iter().map(|m| m.build(&mut self.terms, &self.values)).collect()
    }

    /// Two rows, or a row and a clause, are looked at together.
    fn joined(&mut self) -> Result<(), Refusal> {
        self.joins += 1;
        if self.joins > self.most_joins {
            return Err(Refusal::Large("the joins of facts"));
        }
        Ok(self.stop.check_at(self.joins)?)
    }

    /// A clause's literal was matched by a new row: looks for the other one.
    fn fire(
        &mut self,
        trigger: &Trigger,
        table: usize,
        row: usize,
        all: bool,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        self.joined()?;
        let variables = self.program.steps[trigger.clause].variables;
        self.values.clear();
        self.values.resize(variables, FREE);
        for (n, make) in trigger.columns.iter().enumerate() {
            let term = self.tables[table].row(row)[n];
            if !make.matches(term, &self.terms, &mut self.values) {
                return Ok(());
            }
        }
        let this = Some(self.own(table, row as u32));
        match &trigger.other {
            Lookup::Nothing => self.add(trigger.clause, [this, None], &[], record),
            Lookup::Differ(..) => {
                if self.passes(&trigger.other) {
                    self.add(trigger.clause, [this, None], &[], record)?;
                }
                Ok(())
            }
            Lookup::Absent { table, row } => {
                if self.assumed_false[*table] {
                    let row = self.ground(row)?;
                    self.add(trigger.clause, [this, None], &[(*table, row)], record)
                } else if self.passes(&trigger.other) {
                    self.add(trigger.clause, [this, None], &[], record)
                } else {
                    Ok(())
                }
            }
            Lookup::Rows { table: other, index, key, columns } => {
                let key: Vec<u32> = {
                    let mut buffer = std::mem::take(&mut self.key);
                    buffer.clear();
                    for make in key {
                        buffer.push(make.build(&mut self.terms, &self.values)?);
                    }
                    buffer
                };
                // Rows that were taken up before this one; the same row only as the second literal.
                let same = *other == table && trigger.place == 0;
                let limit = match all {
                    true => usize::MAX,
                    false => self.seen[*other] + usize::from(same),
                };
                let mut at = self.tables[*other].first(*index, &key);
                let bound = self.values.clone();
                while let Some(found) = at {
                    self.joined()?;
                    if found as usize >= limit {
                        break;
                    }
                    self.values.copy_from_slice(&bound);
                    let matches = columns.iter().enumerate().all(|(n, make)| {
                        let term = self.tables[*other].row(found as usize)[n];
                        make.matches(term, &self.terms, &mut self.values)
                    });
                    if matches {
                        let both = [this, Some(self.own(*other, found))];
                        self.add(trigger.clause, both, &[], record)?;
                    }
                    at = self.tables[*other].after(*index, &key, found);
                }
                self.key = key;
                Ok(())
            }
        }
    }

    /// Whether a literal without free variables holds.
    fn passes(&mut self, other: &Lookup) -> bool {
        match other {
            Lookup::Differ(a, b) => {
                let (terms, values) = (&mut self.terms, &self.values);
                a.build(terms, values).ok() != b.build(terms, values).ok()
            }
            Lookup::Absent { table, row } => {
                if self.assumed_false[*table] {
                    return true;
                }
                self.row.clear();
                for make in row {
                    // A term that is too deep is in no table.
                    let Ok(term) = make.build(&mut self.terms, &self.values) else { return true };
                    self.row.push(term);
                }
                self.tables[*table].find(&self.row).is_none()
            }
            Lookup::Nothing | Lookup::Rows { .. } => true,
        }
    }

    fn add(
        &mut self,
        clause: usize,
        holds: [Option<Row>; 2],
        fails: &[(usize, Vec<u32>)],
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        let program = self.program.clone();
        let step = &program.steps[clause];
        let mut row = std::mem::take(&mut self.row);
        row.clear();
        for make in &step.head {
            row.push(make.build(&mut self.terms, &self.values)?);
        }
        let (number, _) = self.insert(step.table, &row)?;
        self.row = row;
        let head = Row { table: step.table as u32, row: number };
        record.fired(Fired { head, holds, fails })
    }
}

/// Which clauses are run, by strata.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    strata: Vec<Stratum>,
}

#[derive(Clone, Debug, Default)]
struct Stratum {
    /// Places in `Inverted::first`.
    first: Vec<usize>,
    /// Tables, and which of their triggers are run; whether all rows of the other literal's table
    /// are there before, or only those that were taken up.
    triggers: Vec<(usize, Vec<(usize, bool)>)>,
}

impl Plan {
    /// The clauses that are wanted, each in its stratum, or all in one where negations are taken to
    /// hold. A literal whose relation is complete before the clause is run triggers it only if all
    /// its literals are, and then one does: one that is not `fixed`, if there is such a one.
    pub(crate) fn new(
        program: &Inverted,
        wanted: impl Fn(usize) -> bool,
        fixed: impl Fn(usize) -> bool,
        in_one: bool,
    ) -> Plan {
        let count = if in_one { 1 } else { program.strata };
        let mut strata = vec![Stratum::default(); count];
        let stratum = |clause: usize| if in_one { 0 } else { program.steps[clause].stratum };
        for (n, (clause, _)) in program.first.iter().enumerate() {
            if wanted(*clause) {
                strata[stratum(*clause)].first.push(n);
            }
        }
        // The highest stratum in which a relation gets facts.
        let mut made_in: Vec<Option<usize>> = vec![None; program.tables.len()];
        for (clause, step) in program.steps.iter().enumerate() {
            if wanted(clause) {
                made_in[step.table] = made_in[step.table].max(Some(stratum(clause)));
            }
        }
        let own = |table: usize| program.own[&program.specs[table].relation];
        let mut of_clause: Vec<Vec<(usize, usize)>> = vec![Vec::new(); program.steps.len()];
        for (table, triggers) in program.triggers.iter().enumerate() {
            for (n, trigger) in triggers.iter().enumerate() {
                of_clause[trigger.clause].push((table, n));
            }
        }
        let mut runs: Vec<BTreeMap<usize, Vec<(usize, bool)>>> = vec![BTreeMap::new(); count];
        for (clause, literals) in of_clause.iter().enumerate() {
            if !wanted(clause) {
                continue;
            }
            let at = stratum(clause);
            let complete = |table: usize| {
                let table = own(table);
                fixed(table) || (!in_one && made_in[table].is_none_or(|s| s < at))
            };
            let growing: Vec<_> = literals.iter().filter(|(t, _)| !complete(*t)).collect();
            let all = growing.len() < literals.len();
            if growing.is_empty() {
                let best = literals.iter().min_by_key(|(t, _)| fixed(own(*t)));
                if let Some(&(table, n)) = best {
                    runs[at].entry(table).or_default().push((n, true));
                }
            }
            for &&(table, n) in &growing {
                runs[at].entry(table).or_default().push((n, all));
            }
        }
        for (at, tables) in runs.into_iter().enumerate() {
            strata[at].triggers.extend(tables);
        }
        Plan { strata }
    }
}
