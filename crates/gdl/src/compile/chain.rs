//! A rulesheet run by forward chaining, state by state, without grounding: for terms of any depth,
//! and for games whose facts are too many to list.
//!
//! Relations that never change are computed once. Each of the four questions (over? goals? legal
//! moves? next state?) has its own clauses, made by demand where that ties no knot.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use foregone_model::number::counted;

use super::clause::{Clause, Literal};
use super::demand::demanded;
use super::engine::{Engine, NoRecord, Plan};
use super::inverted::Inverted;
use super::normal::decompose;
use super::strata::{Level, Strata};
use super::terms::Terms;
use super::{Limits, Refusal, Steps};
use crate::kif::{Symbol, Symbols};
use crate::rules::Relation;
use crate::stop::StopCheck;

/// The questions, each with its relation.
const QUESTIONS: [Relation; 4] = [
    Relation { name: Symbol::TERMINAL, arity: 0 },
    Relation { name: Symbol::GOAL, arity: 2 },
    Relation { name: Symbol::LEGAL, arity: 2 },
    Relation { name: Symbol::NEXT, arity: 1 },
];

/// States of more names than this are refused.
const MAX_STATE: usize = 1_000_000;

/// The numbers of the questions.
const OVER: usize = 0;
const GOALS: usize = 1;
const MOVES: usize = 2;
const NEXT: usize = 3;

/// A rulesheet that is run by forward chaining.
#[derive(Debug)]
pub(crate) struct Chain {
    symbols: Symbols,
    engine: Engine,
    plans: Vec<Plan>,
    /// The own tables of the four questions, of `true`, `does` and `init`.
    tables: [usize; 4],
    truth: usize,
    does: usize,
    init: usize,
    /// Tables that are filled again for every state.
    changes: Vec<bool>,
    roles: Vec<u32>,
    /// Joins and new facts of all questions so far.
    work: u64,
}

impl Chain {
    pub(crate) fn new(steps: &Steps, limits: Limits, stop: &StopCheck) -> Result<Chain, Refusal> {
        let mut symbols = steps.symbols.clone();
        let (fixed, asked) = clauses(steps, &mut symbols, stop)?;
        let mut all = fixed;
        // Where the clauses of each question end.
        let mut ends = vec![all.len()];
        for (_, clauses) in asked {
            all.extend(clauses);
            ends.push(all.len());
        }
        // The parts are decomposed one by one, so that it is known whose clauses are whose.
        let mut normal = Vec::new();
        let mut from = 0;
        for end in &mut ends {
            normal.extend(decompose(&all[from..*end], &mut symbols, stop)?);
            from = *end;
            *end = normal.len();
        }
        let strata = Strata::new(&normal, stop)?;
        if normal.iter().any(|c| strata.in_negative_cycle(c.head.relation())) {
            return Err(Refusal::Unstratified);
        }
        let mut terms = Terms::default();
        let mut program = Inverted::new(&normal, &strata, &mut terms)?;
        let mut table = |name, arity| program.own(Relation { name, arity });
        let (truth, does, init) =
            (table(Symbol::TRUE, 1), table(Symbol::DOES, 2), table(Symbol::INIT, 1));
        let tables = QUESTIONS.map(|r| table(r.name, r.arity));
        let mut changes: Vec<bool> =
            program.specs.iter().map(|k| strata.level(k.relation) != Level::Static).collect();
        if changes[init] {
            return Err(Refusal::Unsupported("`init` depends on the state"));
        }
        for table in tables.into_iter().chain([truth, does]) {
            changes[table] = true;
        }
        // Relations asked in one way only may have no changing literal; they belong to questions.
        for step in &program.steps[ends[0]..] {
            changes[step.table] = true;
        }
        let program = Arc::new(program);
        let mut engine = Engine::new(program.clone(), terms, limits, stop.clone());
        let fixed = |t: usize| !changes[t];
        engine.run_once(&Plan::new(&program, |c| c < ends[0], |_| false, false))?;
        let plans = (0..QUESTIONS.len())
            .map(|q| Plan::new(&program, |c| (ends[q]..ends[q + 1]).contains(&c), fixed, false))
            .collect();
        let mut roles = Vec::new();
        for &role in &steps.roles {
            roles.extend(engine.terms.make(role, &[]));
        }
        Ok(Chain { symbols, engine, plans, tables, truth, does, init, changes, roles, work: 0 })
    }

    /// Replaces the stop check.
    pub(crate) fn set_stop(&mut self, stop: StopCheck) {
        self.engine.set_stop(stop);
    }

    fn load(&mut self, state: &[u64], moves: &[u32]) -> Result<(), Refusal> {
        self.engine.clear(&self.changes);
        self.work += self.engine.reset_count();
        for &fact in state {
            self.engine.insert(self.truth, &[fact as u32])?;
        }
        for (n, &m) in moves.iter().enumerate() {
            self.engine.insert(self.does, &[self.roles[n], m])?;
        }
        Ok(())
    }

    fn ask(&mut self, question: usize) -> Result<(), Refusal> {
        self.engine.run(&self.plans[question], &mut NoRecord)
    }

    fn rows(&self, table: usize) -> impl Iterator<Item = &[u32]> {
        let table = &self.engine.tables[table];
        (0..table.count()).map(|n| table.row(n))
    }

    fn facts_of(&self, table: usize) -> Vec<u64> {
        let mut facts: Vec<u64> = self.rows(table).map(|r| u64::from(r[0])).collect();
        facts.sort_unstable();
        facts
    }

    pub(crate) fn initial(&self) -> Vec<u64> {
        self.facts_of(self.init)
    }

    /// Whether the game is over.
    pub(crate) fn begin(&mut self, state: &[u64]) -> Result<bool, Refusal> {
        self.load(state, &[])?;
        self.ask(OVER)?;
        Ok(self.engine.tables[self.tables[OVER]].count() > 0)
    }

    /// The goals of a role in the state that was begun with.
    pub(crate) fn goals(&mut self) -> Result<Vec<Option<i32>>, Refusal> {
        self.ask(GOALS)?;
        let goals = |&role: &u32| {
            let mut values = self.rows(self.tables[GOALS]).filter(|r| r[0] == role).map(|r| r[1]);
            match (values.next(), values.next()) {
                (Some(value), None) => self.show(value).parse().ok(),
                _ => None,
            }
        };
        Ok(self.roles.iter().map(goals).collect())
    }

    /// The moves of each role in the state that was begun with, in the order of their texts.
    pub(crate) fn legal(&mut self) -> Result<Vec<Vec<u32>>, Refusal> {
        self.ask(MOVES)?;
        let moves = |&role: &u32| {
            let rows = self.rows(self.tables[MOVES]).filter(|r| r[0] == role);
            let mut moves: Vec<u32> = rows.map(|r| r[1]).collect();
            moves.sort_by_cached_key(|&m| self.show(m));
            moves
        };
        Ok(self.roles.iter().map(moves).collect())
    }

    pub(crate) fn next(&mut self, state: &[u64], moves: &[u32]) -> Result<Vec<u64>, Refusal> {
        self.load(state, moves)?;
        self.ask(NEXT)?;
        let facts = self.facts_of(self.tables[NEXT]);
        let size: usize = facts.iter().map(|&f| self.engine.terms.size(f as u32)).sum();
        if size > MAX_STATE { Err(Refusal::Large("a state")) } else { Ok(facts) }
    }

    /// How much was done so far.
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    /// The text of a term.
    pub(crate) fn show(&self, term: u32) -> String {
        let mut out = String::new();
        self.engine.terms.write(term, &self.symbols, &mut out);
        out
    }

    /// The number of a term by its text.
    pub(crate) fn read(&mut self, text: &str) -> Result<u32, foregone_model::TextError> {
        self.engine.terms.read(text, &mut self.symbols)
    }

    pub(crate) fn size(&self) -> String {
        let clauses = self.engine.program.steps.len();
        let fixed = (0..self.changes.len()).filter(|&t| !self.changes[t]);
        let facts: usize = fixed.map(|t| self.engine.tables[t].count()).sum();
        let [clauses, facts] =
            [(clauses, "clause"), (facts, "fact")].map(|(n, word)| counted(n as u64, word));
        format!("{clauses}, {facts} fixed by the rules")
    }
}

/// The clauses that are run once, and those of each question.
type Divided = (Vec<Clause>, Vec<(Relation, Vec<Clause>)>);

/// Divides the clauses into those that are run once and those of each question.
pub(crate) fn clauses(
    steps: &Steps,
    symbols: &mut Symbols,
    stop: &StopCheck,
) -> Result<Divided, Refusal> {
    let levels = Strata::new(&steps.mini, stop)?;
    let is_fixed = |c: &&Clause| levels.level(c.head.relation()) == Level::Static;
    let fixed = steps.mini.iter().filter(is_fixed).cloned().collect();
    let mut asked = Vec::new();
    for root in QUESTIONS {
        let mut found = demanded(&steps.mini, &levels, root, symbols, stop)?;
        if let Some(clauses) = &found {
            let strata = Strata::new(clauses, stop)?;
            if clauses.iter().any(|c| strata.in_negative_cycle(c.head.relation())) {
                found = None;
            }
        }
        asked.push((root, found.unwrap_or_else(|| plain(&steps.mini, &levels, root))));
    }
    Ok((fixed, asked))
}

/// The clauses that a relation depends on and that are not fixed, without demand.
fn plain(clauses: &[Clause], levels: &Strata, root: Relation) -> Vec<Clause> {
    let mut by_head: HashMap<Relation, Vec<&Clause>> = HashMap::new();
    for clause in clauses {
        by_head.entry(clause.head.relation()).or_default().push(clause);
    }
    let mut needed = HashSet::from([root]);
    let mut todo = vec![root];
    while let Some(relation) = todo.pop() {
        for clause in by_head.get(&relation).into_iter().flatten() {
            for atom in clause.body.iter().filter_map(Literal::atom) {
                if needed.insert(atom.relation()) {
                    todo.push(atom.relation());
                }
            }
        }
    }
    let wanted = |c: &&Clause| {
        let relation = c.head.relation();
        needed.contains(&relation) && levels.level(relation) != Level::Static
    };
    clauses.iter().filter(wanted).cloned().collect()
}
