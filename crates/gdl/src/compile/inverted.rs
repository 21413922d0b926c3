//! Inversion (thesis *Game Description Language Compilation*, section 3.3): from "this follows from
//! those" to "when this is new, look for those and add that". Each positive literal of a normal-GDL
//! clause triggers it; the other literal is looked up.
//!
//! Ours: facts are kept in tables. Where a literal has a function with variables in it, such as
//! `(true (cell ?x ?y b))`, there is a table for that shape with a column for each of its
//! arguments, filled along with the relation's own, so that facts are found by what is known of
//! them.

use std::collections::HashMap;

use super::Refusal;
use super::clause::{Atom, Clause, Literal, Pattern};
use super::strata::Strata;
use super::table::Table;
use super::terms::Terms;
use crate::kif::{Symbol, Symbols};
use crate::rules::Relation;

/// A term of a clause, with its ground parts already built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Template {
    Ground(u32),
    Variable(u32),
    Function(Symbol, Vec<Template>),
}

/// Where the columns of a shape are taken from in a row of its relation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    Column,
    Function(Symbol, Vec<Shape>),
}

/// A table of rows: those of a relation, or those of a relation that have a shape.
#[derive(Clone, Debug)]
pub(crate) struct TableSpec {
    pub(crate) relation: Relation,
    /// The shape of each argument; none for the relation's own table.
    pub(crate) shape: Option<Vec<Shape>>,
}

/// The literal that is looked up when a clause is triggered.
#[derive(Clone, Debug)]
pub(crate) enum Lookup {
    /// There is none.
    Nothing,
    /// Rows of a table by an index, the key's terms, and the terms of all columns.
    Rows { table: usize, index: usize, key: Vec<Template>, columns: Vec<Template> },
    /// No row of a relation's own table is this.
    Absent { table: usize, row: Vec<Template> },
    /// Two terms differ.
    Differ(Template, Template),
}

/// What happens when a row is new.
#[derive(Clone, Debug)]
pub(crate) struct Trigger {
    /// The clause, and which of its literals this is.
    pub(crate) clause: usize,
    pub(crate) place: usize,
    /// The terms of the new row's columns.
    pub(crate) columns: Vec<Template>,
    pub(crate) other: Lookup,
}

/// A clause of the inverted program.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The relation's own table.
    pub(crate) table: usize,
    pub(crate) head: Vec<Template>,
    pub(crate) variables: usize,
    pub(crate) stratum: usize,
}

/// An inverted program.
#[derive(Clone, Debug)]
pub(crate) struct Inverted {
    pub(crate) specs: Vec<TableSpec>,
    /// The shapes of a relation's own table.
    pub(crate) shapes: Vec<Vec<usize>>,
    pub(crate) own: HashMap<Relation, usize>,
    pub(crate) steps: Vec<Step>,
    /// What the rows of each table trigger.
    pub(crate) triggers: Vec<Vec<Trigger>>,
    /// Clauses without a positive literal: tried once at the beginning of their stratum.
    pub(crate) first: Vec<(usize, Vec<Lookup>)>,
    pub(crate) strata: usize,
    /// Empty tables with the indexes that the triggers use.
    pub(crate) tables: Vec<Table>,
}

impl Inverted {
    pub(crate) fn new(
        clauses: &[Clause],
        strata: &Strata,
        terms: &mut Terms,
    ) -> Result<Inverted, Refusal> {
        let out = Inverted {
            specs: Vec::new(),
            shapes: Vec::new(),
            own: HashMap::new(),
            steps: Vec::new(),
            triggers: Vec::new(),
            first: Vec::new(),
            strata: strata.count(),
            tables: Vec::new(),
        };
        let mut inverter = Inverter { out, terms, split: HashMap::new() };
        for clause in clauses {
            inverter.clause(clause, strata)?;
        }
        Ok(inverter.out)
    }

    /// The own table of a relation, added if there is none.
    pub(crate) fn own(&mut self, relation: Relation) -> usize {
        if let Some(&table) = self.own.get(&relation) {
            return table;
        }
        let table = self.table(TableSpec { relation, shape: None }, relation.arity);
        self.own.insert(relation, table);
        table
    }

    fn table(&mut self, specs: TableSpec, width: usize) -> usize {
        self.specs.push(specs);
        self.shapes.push(Vec::new());
        self.triggers.push(Vec::new());
        self.tables.push(Table::new(width));
        self.tables.len() - 1
    }

    /// The program as text: for each relation, what a new fact of it sets off.
    pub(crate) fn text(clauses: &[Clause], symbols: &Symbols) -> String {
        let mut order: Vec<Relation> = Vec::new();
        let mut by: HashMap<Relation, Vec<String>> = HashMap::new();
        let mut facts = String::new();
        for clause in clauses {
            let mut head = String::new();
            head.push_str(&Clause { head: clause.head.clone(), body: Vec::new() }.text(symbols));
            if !clause.body.iter().any(Literal::is_positive) {
                facts.push_str(&clause.text(symbols));
                facts.push('\n');
            }
            for (n, literal) in clause.body.iter().enumerate() {
                let Literal::Holds(atom) = literal else { continue };
                let mut line = String::from("  ");
                literal.write(symbols, &mut line);
                let others = clause.body.iter().enumerate().filter(|&(m, _)| m != n);
                for (k, (_, other)) in others.enumerate() {
                    line.push_str(if k == 0 { " when " } else { " and " });
                    other.write(symbols, &mut line);
                }
                line.push_str(&format!(" adds {head}\n"));
                let relation = atom.relation();
                if !by.contains_key(&relation) {
                    order.push(relation);
                }
                by.entry(relation).or_default().push(line);
            }
        }
        let mut out = String::from("at first:\n");
        facts.lines().for_each(|l| out.push_str(&format!("  {l}\n")));
        for relation in order {
            let lines = by.get(&relation).map(|l| l.concat()).unwrap_or_default();
            out.push_str(&format!(
                "new {}/{}:\n{lines}",
                symbols.name(relation.name),
                relation.arity
            ));
        }
        out
    }
}

struct Inverter<'a> {
    out: Inverted,
    terms: &'a mut Terms,
    split: HashMap<(Relation, Vec<Shape>), usize>,
}

impl Inverter<'_> {
    /// The table in which an atom's rows are looked up, and the terms of its columns.
    fn lookup(&mut self, atom: &Atom) -> Result<(usize, Vec<Template>), Refusal> {
        let own = self.out.own(atom.relation());
        let args: Vec<Template> =
            atom.args.iter().map(|a| self.make(a)).collect::<Result<_, _>>()?;
        let mut columns = Vec::new();
        let shape: Vec<Shape> = args.iter().map(|a| shape_of(a, &mut columns)).collect();
        if shape.iter().all(|s| *s == Shape::Column) {
            return Ok((own, args));
        }
        let key = (atom.relation(), shape);
        if let Some(&table) = self.split.get(&key) {
            return Ok((table, columns));
        }
        let specs = TableSpec { relation: key.0, shape: Some(key.1.clone()) };
        let table = self.out.table(specs, columns.len());
        self.out.shapes[own].push(table);
        self.split.insert(key, table);
        Ok((table, columns))
    }

    fn make(&mut self, pattern: &Pattern) -> Result<Template, Refusal> {
        Ok(match pattern {
            Pattern::Variable(v) => Template::Variable(*v),
            Pattern::Function(name, args) => {
                let args: Vec<Template> =
                    args.iter().map(|a| self.make(a)).collect::<Result<_, _>>()?;
                let ground: Option<Vec<u32>> = args
                    .iter()
                    .map(|a| if let Template::Ground(g) = a { Some(*g) } else { None })
                    .collect();
                match ground {
                    Some(ground) => {
                        let term = self.terms.make(*name, &ground);
                        Template::Ground(term.ok_or(Refusal::Large("a term"))?)
                    }
                    None => Template::Function(*name, args),
                }
            }
        })
    }

    fn clause(&mut self, clause: &Clause, strata: &Strata) -> Result<(), Refusal> {
        let table = self.out.own(clause.head.relation());
        let head = clause.head.args.iter().map(|a| self.make(a)).collect::<Result<_, _>>()?;
        let mut variables = 0;
        clause.body.iter().for_each(|l| l.variables(&mut |v| variables = variables.max(v + 1)));
        let stratum = strata.stratum(clause.head.relation());
        let number = self.out.steps.len();
        self.out.steps.push(Step { table, head, variables: variables as usize, stratum });
        if !clause.body.iter().any(Literal::is_positive) {
            let tests = clause.body.iter().map(|l| self.other(l, &[])).collect::<Result<_, _>>()?;
            self.out.first.push((number, tests));
            return Ok(());
        }
        for (place, literal) in clause.body.iter().enumerate() {
            let Literal::Holds(atom) = literal else { continue };
            let (table, columns) = self.lookup(atom)?;
            let bound = super::clause::variables_of([literal]);
            let other = match clause.body.get(1 - place) {
                Some(other) => self.other(other, &bound)?,
                None => Lookup::Nothing,
            };
            self.out.triggers[table].push(Trigger { clause: number, place, columns, other });
        }
        Ok(())
    }

    fn other(&mut self, literal: &Literal, bound: &[u32]) -> Result<Lookup, Refusal> {
        Ok(match literal {
            Literal::Differ(a, b) => Lookup::Differ(self.make(a)?, self.make(b)?),
            Literal::Fails(atom) => {
                let table = self.out.own(atom.relation());
                let row = atom.args.iter().map(|a| self.make(a)).collect::<Result<_, _>>()?;
                Lookup::Absent { table, row }
            }
            Literal::Holds(atom) => {
                let (table, columns) = self.lookup(atom)?;
                let known = |m: &Template| {
                    let mut all = true;
                    m.variables(&mut |v| all &= bound.contains(&v));
                    all
                };
                let which: Vec<usize> =
                    (0..columns.len()).filter(|&c| known(&columns[c])).collect();
                let index = self.out.tables[table].index(&which);
                let key = which.iter().map(|&c| columns[c].clone()).collect();
                Lookup::Rows { table, index, key, columns }
            }
        })
    }
}

/// The shape of a term, and what stands in its columns.
fn shape_of(make: &Template, columns: &mut Vec<Template>) -> Shape {
    match make {
        Template::Function(name, args) => {
            Shape::Function(*name, args.iter().map(|a| shape_of(a, columns)).collect())
        }
        _ => {
            columns.push(make.clone());
            Shape::Column
        }
    }
}

impl Shape {
    /// Takes the columns out of a term that has this shape; false if it has another.
    pub(crate) fn take(&self, term: u32, terms: &Terms, out: &mut Vec<u32>) -> bool {
        match self {
            Shape::Column => {
                out.push(term);
                true
            }
            Shape::Function(name, args) => {
                let inner = terms.args(term);
                terms.name(term) == *name
                    && inner.len() == args.len()
                    && args.iter().zip(inner).all(|(shape, &t)| shape.take(t, terms, out))
            }
        }
    }
}

/// A variable without a value.
pub(crate) const FREE: u32 = u32::MAX;

impl Template {
    fn variables(&self, f: &mut impl FnMut(u32)) {
        match self {
            Template::Ground(_) => {}
            Template::Variable(v) => f(*v),
            Template::Function(_, args) => args.iter().for_each(|a| a.variables(f)),
        }
    }

    /// Whether the term is this; variables without a value get one.
    pub(crate) fn matches(&self, term: u32, terms: &Terms, values: &mut [u32]) -> bool {
        match self {
            Template::Ground(g) => *g == term,
            Template::Variable(v) => {
                let value = &mut values[*v as usize];
                if *value == FREE {
                    *value = term;
                }
                *value == term
            }
            Template::Function(name, args) => {
                terms.name(term) == *name
                    && terms.args(term).len() == args.len()
                    && args
                        .iter()
                        .enumerate()
                        .all(|(n, a)| a.matches(terms.args(term)[n], terms, values))
            }
        }
    }

    /// The term for these values, built if it is not there.
    pub(crate) fn build(&self, terms: &mut Terms, values: &[u32]) -> Result<u32, Refusal> {
        Ok(match self {
            Template::Ground(g) => *g,
            Template::Variable(v) => values[*v as usize],
            Template::Function(name, args) => {
                let args: Vec<u32> =
                    args.iter().map(|a| a.build(terms, values)).collect::<Result<_, _>>()?;
                terms.make(*name, &args).ok_or(Refusal::Large("a term"))?
            }
        })
    }
}
