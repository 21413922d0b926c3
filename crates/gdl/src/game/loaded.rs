//! A rulesheet that was read, compiled and tried out.

use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use foregone_model::TextError;

use super::ends::Ends;
use super::kernel::Kernel;
use super::survey::{Plan, Survey, SurveyError};
use super::{Kind, text};
use crate::check::{Problem, check};
use crate::compile::Limits;
use crate::interpret::Interpreter;
use crate::kif::Symbol;
use crate::machine::{Backend, CHANCE, Machine, MachineError};
use crate::rules::{Program, Term};
use crate::stop::StopCheck;

/// A rulesheet that was read, compiled and tried out.
#[derive(Debug)]
pub struct Loaded {
    program: Program,
    text: String,
    pub(super) kernel: Kernel,
    pub(super) seats: Seats,
    /// The names of the players.
    pub(super) players: Vec<String>,
    pub(super) kind: Kind,
    /// The player that moves first.
    pub(super) first: usize,
    /// The sum of two players' goals.
    pub(super) sum: i32,
    /// The goals that each player can reach, as far as the text says.
    pub(super) goals: Vec<Vec<i32>>,
    /// What random plays showed, and by which plan.
    pub(super) survey: Survey,
    plan: Plan,
    /// The same as the plain interpreter sees it; made when first asked for.
    independent: OnceLock<Result<Survey, String>>,
    problems: Vec<Problem>,
}

/// Which roles are players, and which one is chance.
#[derive(Clone, Debug)]
pub(super) struct Seats {
    /// The number of each player among the roles.
    pub(super) players: Vec<usize>,
    /// The number of `random` among the roles.
    pub(super) chance: Option<usize>,
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
        if let Some(span) = program.hidden_information() {
            let message = "players see only what `sees` tells them here (GDL-II, hidden \
                           information): such a game can be replayed, but not solved";
            return Err(TextError::new(message, span).into());
        }
        players(&program)?;
        let taken = program.chance().and_then(|_| function_does(&program));
        if let Some(span) = taken {
            let message = "a fact cannot be called `does` where chance moves: positions write a \
                           move so that is chosen before a throw";
            return Err(TextError::new(message, span).into());
        }
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
        let (roles, chance) = (machine.roles(), machine.chance());
        let players = (0..roles.len()).filter(|&role| chance != Some(role)).collect();
        let seats = Seats { players, chance };
        let players: Vec<String> = seats.players.iter().map(|&p| roles[p].clone()).collect();
        let problems = check(&program);
        Ok(Loaded {
            kernel: Kernel::new(machine),
            kind: survey.kind(),
            first: survey.first(),
            sum: survey.sum().unwrap_or(100),
            goals: players.iter().map(|role| goals(&program, role)).collect(),
            text: text.to_owned(),
            independent: OnceLock::new(),
            program,
            seats,
            players,
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
            seats: self.seats.clone(),
            players: self.players.clone(),
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

    /// The names of the roles that play, in the order of the rulesheet. Chance is not one.
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// Whether a role is chance.
    pub fn has_chance(&self) -> bool {
        self.seats.chance.is_some()
    }

    /// The name of a role, by its number.
    pub(super) fn role_name(&self, role: usize) -> &str {
        let player = self.seats.players.iter().position(|&p| p == role);
        player.map_or(CHANCE, |player| &self.players[player])
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

    /// Whether an outcome says only who gets most, because there would be too many if it told the
    /// goals of all roles apart.
    pub fn tells_winners_only(&self) -> bool {
        self.kind == Kind::Many && !Ends::tell_goals_apart(&self.goals)
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
    if roles == [Symbol::RANDOM] {
        return Err(TextError::new("`random` is chance, so nobody plays", 0..0));
    }
    if roles.len() > MAX_PLAYERS {
        let message = format!("there are {} roles, more than {MAX_PLAYERS}", roles.len());
        return Err(TextError::new(message, 0..0));
    }
    Ok(())
}

/// Where `does` stands as the name of a term, if it does.
fn function_does(program: &Program) -> Option<Range<usize>> {
    fn find(term: &Term) -> Option<Range<usize>> {
        match term.name == Symbol::DOES && !term.args.is_empty() {
            true => Some(term.span.clone()),
            false => term.args.iter().find_map(find),
        }
    }
    program.rules.iter().find_map(|rule| {
        let mut found = rule.head.args.iter().find_map(find);
        rule.atoms(&mut |atom, _| {
            if found.is_none() {
                found = atom.args.iter().find_map(find);
            }
        });
        found
    })
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
