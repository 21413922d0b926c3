//! A rulesheet that was read, compiled and tried out.

use std::fmt;
use std::sync::OnceLock;

use foregone_model::TextError;

use super::kernel::Kernel;
use super::survey::{Plan, Survey, SurveyError};
use super::{Kind, text};
use crate::check::{Problem, check};
use crate::compile::Limits;
use crate::interpret::Interpreter;
use crate::kif::Symbol;
use crate::machine::{Backend, Machine, MachineError};
use crate::rules::Program;
use crate::stop::StopCheck;

/// A rulesheet that was read, compiled and tried out.
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
    pub(super) survey: Survey,
    plan: Plan,
    /// The same as the plain interpreter sees it; made when first asked for.
    independent: OnceLock<Result<Survey, String>>,
    problems: Vec<Problem>,
}

/// Why there is no game of a rulesheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// The rulesheet cannot be read or compiled, or is not that of a game; where in the text, if
    /// that can be said.
    Rulesheet(TextError),
    /// The stop check said so.
    Stopped,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Rulesheet(error) => error.fmt(f),
            LoadError::Stopped => f.write_str("loading the rulesheet was stopped"),
        }
    }
}

impl std::error::Error for LoadError {}

impl From<TextError> for LoadError {
    fn from(error: TextError) -> LoadError {
        LoadError::Rulesheet(error)
    }
}

/// A game of more roles is refused.
const MAX_PLAYERS: usize = 64;

/// The steps that the plain interpreter plays at random before it checks a proof: a second or two.
const MAX_INDEPENDENT_WORK: u64 = 20_000_000;

impl Loaded {
    /// Reads and compiles a rulesheet, and plays it at random to see what kind of game it is. The
    /// error says where in the text, if that can be said.
    pub fn new(text: &str, backend: Option<Backend>) -> Result<Loaded, TextError> {
        let loaded = Loaded::with_limits(text, backend, Limits::default(), &StopCheck::NEVER);
        loaded.map_err(|error| match error {
            LoadError::Rulesheet(error) => error,
            LoadError::Stopped => TextError::new(error.to_string(), 0..0),
        })
    }

    /// The same with other limits. `stop` is asked now and then whether to give up.
    pub fn with_limits(
        text: &str,
        backend: Option<Backend>,
        limits: Limits,
        stop: &StopCheck,
    ) -> Result<Loaded, LoadError> {
        let program = Program::read(text)?;
        let whole = |message: String| LoadError::Rulesheet(TextError::new(message, 0..0));
        if let Some((what, span)) = program.beyond_gdl() {
            let message =
                format!("this game has {what} (GDL-II): it can be replayed, but not solved");
            return Err(TextError::new(message, span).into());
        }
        players(&program)?;
        let located = |e: MachineError| match &e {
            MachineError::Fault(fault) => {
                TextError::new(e.to_string(), fault.span().unwrap_or_default()).into()
            }
            MachineError::Stopped => LoadError::Stopped,
            MachineError::Refused(_) | MachineError::NeverLegal(_) => whole(e.to_string()),
        };
        let mut machine = Machine::with_limits(&program, backend, limits, stop).map_err(located)?;
        let plan = Plan::of(&machine);
        let survey =
            Survey::new(&mut machine, plan, limits.plays, stop).map_err(|error| match error {
                SurveyError::Machine(error) => located(error),
                SurveyError::Rules(message) => whole(message),
            })?;
        if !survey.is_complete {
            let message = format!("random plays took more than {} steps", limits.plays);
            return Err(whole(message));
        }
        // The game is kept, and asked by others who have stop checks of their own.
        machine.set_stop(StopCheck::NEVER);
        let roles = machine.roles().to_vec();
        let problems = check(&program);
        Ok(Loaded {
            kernel: Kernel::new(machine),
            kind: survey.kind(),
            first: survey.first(),
            sum: survey.sum().unwrap_or(100),
            goals: roles.iter().map(|role| goals(&program, role)).collect(),
            text: text.to_owned(),
            independent: OnceLock::new(),
            program,
            roles,
            survey,
            plan,
            problems,
        })
    }

    /// The same rulesheet, run by the plain interpreter, which shares nothing with the compiler and
    /// sees for itself what kind of game this is; and why nothing that is proved by it counts.
    pub(super) fn independent(&self, stop: &StopCheck) -> (Loaded, Option<String>) {
        let interpreter = || Interpreter::new(&self.program);
        let mut machine = Machine::of_interpreter(&self.program, interpreter());
        let own = self.independent.get().cloned().unwrap_or_else(|| {
            machine.set_stop(stop.clone());
            let own = Survey::new(&mut machine, self.plan, MAX_INDEPENDENT_WORK, stop);
            machine.set_stop(StopCheck::NEVER);
            let stopped = matches!(own, Err(SurveyError::Machine(MachineError::Stopped)));
            let own = own.map_err(|error| match error {
                SurveyError::Machine(error) => error.to_string(),
                SurveyError::Rules(message) => message,
            });
            let own = own.and_then(|own| {
                own.reconciled(&self.survey).map_err(|what| {
                    format!("two ways to run these rules disagree about {what}: one is wrong")
                })
            });
            // Who was in a hurry finds nothing out for others.
            match stopped {
                true => own,
                false => self.independent.get_or_init(|| own).clone(),
            }
        });
        let ambiguous =
            self.problems.iter().find(|p| p.is_ambiguous).map(|p| p.describe(&self.text));
        let wrong = ambiguous.or_else(|| own.as_ref().err().cloned());
        let survey = own.as_ref().unwrap_or(&self.survey).clone();
        let loaded = Loaded {
            program: self.program.clone(),
            text: self.text.clone(),
            kernel: Kernel::new(machine),
            roles: self.roles.clone(),
            kind: survey.kind(),
            first: survey.first(),
            sum: survey.sum().unwrap_or(100),
            goals: self.goals.clone(),
            survey,
            plan: self.plan,
            independent: self.independent.clone(),
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

    /// The requirements of GDL that the rulesheet breaks. Where one makes their meaning ambiguous,
    /// the rules that check proofs report it from the start, and nothing counts as proved.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// What is to be said about the rulesheet before an answer, a line each: broken demands, and
    /// that no random play ended.
    pub fn warnings(&self) -> Vec<String> {
        let mut out: Vec<String> = self.problems.iter().map(|p| p.describe(&self.text)).collect();
        if let Some(states) = self.survey.without_end() {
            out.push(format!("no random play ended within {states} states"));
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
        return Err(TextError::new("there is no role, so nobody plays", 0..0));
    }
    if roles.len() > MAX_PLAYERS {
        let message = format!("there are {} roles, more than {MAX_PLAYERS}", roles.len());
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
