//! The compiler of rulesheets (thesis *Game Description Language Compilation*, chapter 3): from GDL
//! to mini-GDL, to normal-GDL, to an inverted program, and beyond the thesis to a network of gates.

pub(crate) mod chain;
pub(crate) mod circuit;
pub(crate) mod clause;
pub(crate) mod demand;
pub(crate) mod engine;
pub(crate) mod ground;
pub(crate) mod inverted;
pub(crate) mod lanes;
pub(crate) mod mini;
pub(crate) mod network;
pub(crate) mod normal;
pub(crate) mod strata;
pub(crate) mod table;
pub(crate) mod terms;

use crate::kif::{Symbol, Symbols};
use crate::rules::{Program, Relation};
use crate::stop::{StopCheck, Stopped};
use clause::Clause;
use inverted::Inverted;
use strata::{Level, Strata};

/// How much a machine may take before it is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Facts that the compiler derives for all states together, or the chainer for one.
    pub facts: usize,
    /// Clauses without variables.
    pub instances: usize,
    /// Pairs of facts that the compiler looks at for all states together, or the chainer for one.
    pub joins: u64,
    /// Steps of the plain interpreter for one question.
    pub steps: u64,
    /// What random plays may take that show what kind of game it is: such steps, or joins and new
    /// facts, or gates that take as long.
    pub plays: u64,
}

impl Default for Limits {
    /// What takes a second or two.
    fn default() -> Limits {
        Limits {
            facts: 3_000_000,
            instances: 6_000_000,
            joins: 100_000_000,
            steps: crate::interpret::LIMIT,
            plays: 300_000_000,
        }
    }
}

/// The steps of the thesis, each with its result.
#[derive(Debug)]
pub struct Steps {
    pub(crate) symbols: Symbols,
    pub(crate) roles: Vec<Symbol>,
    pub(crate) mini: Vec<Clause>,
    pub(crate) normal: Vec<Clause>,
    pub(crate) strata: Strata,
}

impl Steps {
    /// Compiles a rulesheet as far as strata.
    pub fn new(program: &Program) -> Result<Steps, Refusal> {
        Steps::stoppable(program, &StopCheck::NEVER)
    }

    /// The same. `stop` is asked now and then whether to give up.
    pub(crate) fn stoppable(program: &Program, stop: &StopCheck) -> Result<Steps, Refusal> {
        let (mini, mut symbols) = mini::desugar(program, stop)?;
        let given =
            [Relation { name: Symbol::TRUE, arity: 1 }, Relation { name: Symbol::DOES, arity: 2 }];
        if mini.iter().any(|c| given.contains(&c.head.relation())) {
            return Err(Refusal::Unsupported("`true` and `does` cannot be heads"));
        }
        let normal = normal::decompose(&mini, &mut symbols, stop)?;
        let strata = Strata::new(&normal, stop)?;
        Ok(Steps { symbols, roles: program.roles(), mini, normal, strata })
    }
}

/// A step of the compiler that can be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Mini-GDL: no `or`, no equality.
    Mini,
    /// Normal-GDL: at most two literals in a body.
    Normal,
    /// The inverted program: what a new fact sets off.
    Inverted,
    /// The strata of the relations, and what they depend on.
    Strata,
    /// The clauses that answer each question when only what is asked for is derived.
    Demand,
}

impl Steps {
    /// A step as text. Mini-GDL, normal-GDL and demand are KIF.
    pub fn text(&self, step: Step) -> String {
        let lines = |clauses: &[Clause], symbols: &Symbols| {
            clauses.iter().map(|c| c.text(symbols) + "\n").collect::<String>()
        };
        match step {
            Step::Mini => lines(&self.mini, &self.symbols),
            Step::Normal => lines(&self.normal, &self.symbols),
            Step::Inverted => Inverted::text(&self.normal, &self.symbols),
            Step::Strata => self.strata_text(),
            Step::Demand => {
                let mut symbols = self.symbols.clone();
                let (fixed, asked) = match chain::clauses(self, &mut symbols, &StopCheck::NEVER) {
                    Ok(both) => both,
                    Err(refusal) => return format!("; {refusal}\n"),
                };
                let mut out = String::from("; computed once\n") + &lines(&fixed, &symbols);
                for (relation, clauses) in asked {
                    let name = symbols.name(relation.name);
                    out.push_str(&format!("\n; asked for {name}\n"));
                    out.push_str(&lines(&clauses, &symbols));
                }
                out
            }
        }
    }

    fn strata_text(&self) -> String {
        let mut out = String::new();
        let mut last = None;
        for (stratum, relation) in self.strata.relations() {
            if last != Some(stratum) {
                let word =
                    if self.strata.in_negative_cycle(relation) { "no stratum" } else { "stratum" };
                out.push_str(&format!("{word} {stratum}:\n"));
                last = Some(stratum);
            }
            let level = match self.strata.level(relation) {
                Level::Static => "never changes",
                Level::State => "depends on the state",
                Level::Moves => "depends on the moves",
            };
            let name = self.symbols.name(relation.name);
            out.push_str(&format!("  {name}/{}: {level}\n", relation.arity));
        }
        out
    }
}

/// Why a step of the compiler does not take a rulesheet. Others may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A variable is bound by no positive literal.
    Unsafe,
    /// A negation depends on itself.
    Unstratified,
    /// Something is too large.
    Large(&'static str),
    /// The facts that never change are too many, or take too long to find.
    Fixed,
    /// Rules that the compiler does not take.
    Unsupported(&'static str),
    /// The stop check said so.
    Stopped,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::Unsafe => f.write_str("a variable is not bound by any positive literal"),
            Refusal::Unstratified => f.write_str("a negation depends on itself"),
            Refusal::Large(what) => write!(f, "{what} grew too large"),
            Refusal::Fixed => f.write_str("there are too many facts that never change"),
            Refusal::Unsupported(why) => f.write_str(why),
            Refusal::Stopped => f.write_str("the compiler was stopped"),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<Stopped> for Refusal {
    fn from(_: Stopped) -> Refusal {
        Refusal::Stopped
    }
}
