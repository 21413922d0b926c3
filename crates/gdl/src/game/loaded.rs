//! A rulesheet that was read, compiled and looked at.

use std::sync::OnceLock;

use foregone_model::TextError;

use super::kernel::Kernel;
use super::look::{Looked, Plan, Wrong};
use super::{Kind, text};
use crate::check::{Problem, check};
use crate::compile::Limits;
use crate::interpret::Interpreter;
use crate::kif::Symbol;
use crate::machine::{Backend, Machine, Trouble};
use crate::rules::Program;

/// A rulesheet that was read, compiled and looked at.
#[derive(Debug)]
pub struct Loaded {
    program: Program,
    text: String,
    pub(super) kernel: Kernel,
    pub(super) roles: Vec<String>,
    pub(super) kind: Kind,
    /// The role that moves first.
    pub(super) first: usize,
    /// The sum of two roles' goals.
    pub(super) sum: i32,
    /// The goals that each role can reach, as far as the text says.
    pub(super) goals: Vec<Vec<i32>>,
    /// What random plays showed, and by which plan.
    pub(super) looked: Looked,
    plan: Plan,
    /// The same as the plain interpreter sees it; made when first asked for.
    apart: OnceLock<Result<Looked, String>>,
    problems: Vec<Problem>,
}

/// A game of more roles is refused.
const MOST_PLAYERS: usize = 64;

/// The steps that the plain interpreter plays at random before it checks a proof: a second or two.
const MOST_WORK_APART: u64 = 20_000_000;

impl Loaded {
    /// Reads and compiles a rulesheet, and plays it at random to see what kind of game it is. The
    /// error says where in the text, if that can be said.
    pub fn new(text: &str, backend: Option<Backend>) -> Result<Loaded, TextError> {
        Loaded::limited(text, backend, Limits::default())
    }

    /// The same with other limits.
    pub fn limited(
        text: &str,
        backend: Option<Backend>,
        limits: Limits,
    ) -> Result<Loaded, TextError> {
        let program = Program::read(text)?;
        let whole = |message: String| TextError::new(message, 0..0);
        if program.is_gdl2() {
            let message = "players of this game do not see everything, or chance moves (GDL-II): \
                           it can be replayed, not solved";
            return Err(whole(message.to_owned()));
        }
        players(&program)?;
        let trouble = |t: Trouble| match &t {
            Trouble::Fault(fault) => {
                TextError::new(t.to_string(), fault.span().unwrap_or_default())
            }
            _ => whole(t.to_string()),
        };
        let mut machine = Machine::limited(&program, backend, limits).map_err(trouble)?;
        let plan = Plan::of(&machine);
        let looked =
            Looked::new(&mut machine, plan, limits.plays).map_err(|wrong| match wrong {
                Wrong::Trouble(t) => trouble(t),
                Wrong::Rules(message) => whole(message),
            })?;
        if !looked.whole {
            let message =
                format!("playing at random took more than the limit of {} steps", limits.plays);
            return Err(whole(message));
        }
        let roles = machine.roles().to_vec();
        let problems = check(&program);
        Ok(Loaded {
            kernel: Kernel::new(machine),
            kind: looked.kind(),
            first: looked.first(),
            sum: looked.sum().unwrap_or(100),
            goals: roles.iter().map(|role| goals(&program, role)).collect(),
            text: text.to_owned(),
            apart: OnceLock::new(),
            program,
            roles,
            looked,
            plan,
            problems,
        })
    }

    /// The same rulesheet, run by the plain interpreter, which shares nothing with the compiler and
    /// sees for itself what kind of game this is; and why nothing that is proved by it counts.
    pub(super) fn apart(&self) -> (Loaded, Option<String>) {
        let interpreter = || Interpreter::new(&self.program);
        let mut machine = Machine::of_interpreter(&self.program, interpreter());
        let own = self.apart.get_or_init(|| {
            let own = Looked::new(&mut machine, self.plan, MOST_WORK_APART);
            let own = own.map_err(|wrong| match wrong {
                Wrong::Trouble(trouble) => trouble.to_string(),
                Wrong::Rules(message) => message,
            })?;
            own.agreed(&self.looked).map_err(|what| {
                format!("two ways to run these rules disagree about {what}: one is wrong")
            })
        });
        let open = self.problems.iter().find(|p| p.open).map(|p| p.told(&self.text));
        let wrong = open.or_else(|| own.as_ref().err().cloned());
        let looked = own.as_ref().unwrap_or(&self.looked).clone();
        let loaded = Loaded {
            program: self.program.clone(),
            text: self.text.clone(),
            kernel: Kernel::new(machine),
            roles: self.roles.clone(),
            kind: looked.kind(),
            first: looked.first(),
            sum: looked.sum().unwrap_or(100),
            goals: self.goals.clone(),
            looked,
            plan: self.plan,
            apart: self.apart.clone(),
            problems: self.problems.clone(),
        };
        (loaded, wrong)
    }

    /// What kind of game this is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The names of the roles.
    pub fn roles(&self) -> &[String] {
        &self.roles
    }

    /// The text of the rulesheet.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The demands of GDL that the rulesheet breaks. Where one leaves open what the rules mean, the
    /// rules that check proofs are in trouble from the start, and nothing counts as proved.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// What is to be said about the rulesheet before an answer, a line each: broken demands, and
    /// that no random play ended.
    pub fn warnings(&self) -> Vec<String> {
        let mut out: Vec<String> = self.problems.iter().map(|p| p.told(&self.text)).collect();
        if let Some(states) = self.looked.without_end() {
            out.push(format!("no play ended in {states} states of random plays"));
        }
        out
    }

    pub(super) fn symbols(&self) -> crate::Symbols {
        self.program.symbols.clone()
    }
}

/// Refuses roles that cannot be told apart in a certificate or an outcome.
fn players(program: &Program) -> Result<(), TextError> {
    let roles = program.roles();
    let facts = program.rules.iter().filter(|r| r.head.name == Symbol::ROLE);
    for rule in facts {
        let named = match rule.head.args.as_slice() {
            [term] if rule.body.is_empty() && term.args.is_empty() => !term.is_variable,
            _ => false,
        };
        if !named {
            let message = "a role is a fact of one constant: `(role white)`";
            return Err(TextError::new(message, rule.head.span.clone()));
        }
        let name = program.symbols.name(rule.head.args[0].name);
        if let Some(why) = text::odd_role(name) {
            return Err(TextError::new(why, rule.head.args[0].span.clone()));
        }
    }
    if roles.is_empty() {
        return Err(TextError::new("there is no role: nobody plays", 0..0));
    }
    if roles.len() > MOST_PLAYERS {
        let message = format!("{} roles are more than {MOST_PLAYERS}", roles.len());
        return Err(TextError::new(message, 0..0));
    }
    Ok(())
}

/// The goals that the rules name for a role; all there can be if they name one by a variable.
fn goals(program: &Program, role: &str) -> Vec<i32> {
    let mut out = Vec::new();
    for rule in program.rules.iter().filter(|r| r.head.name == Symbol::GOAL) {
        let [who, value] = rule.head.args.as_slice() else { continue };
        if !who.is_variable && program.symbols.name(who.name) != role {
            continue;
        }
        match program.symbols.name(value.name).parse() {
            Ok(number) if !value.is_variable && value.args.is_empty() => out.push(number),
            _ => out.extend(0..=100),
        }
    }
    out.retain(|goal| (0..=100).contains(goal));
    out.sort_unstable();
    out.dedup();
    out
}
