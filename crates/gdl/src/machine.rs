//! A rulesheet that runs: one interface to all back ends.
//!
//! A back end answers four questions of the game automaton (thesis *Game Description Language
//! Compilation*, section 2.1): where the game begins, what a state is like, and where joint moves
//! lead to. States and moves are numbers that mean something only to the machine that made them;
//! their texts mean the same to every machine of the rulesheet.

use std::fmt;
use std::sync::Arc;

use foregone_model::{Rng, TextError};

use crate::compile::chain::Chain;
use crate::compile::circuit::{Circuit, Scratch};
use crate::compile::{Limits, Refusal, Steps};
use crate::interpret::{Fault, Ground, Interpreter};
use crate::rules::Program;
use crate::stop::StopCheck;

/// A state of a machine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State(pub(crate) Box<[u64]>);

/// A move of a role, by its number in the machine that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub(crate) u32);

/// What the rules say about a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Whether the game is over.
    pub terminal: bool,
    /// The legal moves of each role, in the order of their texts; empty if the game is over.
    pub legal: Vec<Vec<Move>>,
    /// What each role gets (none: the rules do not say, or say two things); empty if the game is
    /// not over.
    pub goals: Vec<Option<i32>>,
}

impl View {
    /// Whether the game is not over and a role has no legal move.
    pub fn stuck(&self) -> bool {
        self.legal.iter().any(Vec::is_empty)
    }

    /// A legal move of each role, at random. The game must not be over or stuck.
    ///
    /// # Panics
    ///
    /// If a role has no legal move.
    pub fn random_moves(&self, rng: &mut Rng) -> Vec<Move> {
        self.legal.iter().map(|moves| moves[rng.below(moves.len() as u32) as usize]).collect()
    }
}

/// The results of many random plays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Plays that ended with a goal for every role but chance.
    pub plays: u64,
    /// The sum of each role's goals over these plays; 0 for chance.
    pub goals: Vec<f64>,
    /// Plays that were given up: too long, a role without a move, a goal not defined.
    pub lost: u64,
    /// States seen in all plays, the first and the last included.
    pub states: u64,
}

/// How a rulesheet is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// A network of gates, evaluated for many states at once.
    Gates,
    /// Forward chaining, state by state.
    Chain,
    /// The plain interpreter.
    Plain,
}

impl Backend {
    /// All back ends, in the order in which they are tried.
    pub const ALL: [Backend; 3] = [Backend::Gates, Backend::Chain, Backend::Plain];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Backend::Gates => "gates",
            Backend::Chain => "chain",
            Backend::Plain => "plain",
        }
    }
}

/// Why a machine cannot be built, or gives no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MachineError {
    /// The back end does not take the rulesheet.
    Refused(Refusal),
    /// The rules gave no answer.
    Fault(Fault),
    /// A move that is never legal for its role, by the role's number.
    NeverLegal(usize),
    /// The stop check said so.
    Stopped,
}

impl fmt::Display for MachineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MachineError::Refused(refusal) => refusal.fmt(f),
            MachineError::Fault(fault) => fault.fmt(f),
            MachineError::NeverLegal(_) => f.write_str("this move is never legal"),
            MachineError::Stopped => f.write_str("the machine was stopped"),
        }
    }
}

impl std::error::Error for MachineError {}

impl From<Fault> for MachineError {
    fn from(fault: Fault) -> MachineError {
        match fault {
            Fault::Stopped => MachineError::Stopped,
            fault => MachineError::Fault(fault),
        }
    }
}

impl From<Refusal> for MachineError {
    fn from(refusal: Refusal) -> MachineError {
        match refusal {
            Refusal::Stopped => MachineError::Stopped,
            refusal => MachineError::Refused(refusal),
        }
    }
}

/// A rulesheet that runs.
#[derive(Debug)]
pub struct Machine {
    roles: Vec<String>,
    inner: Inner,
    /// How often a network was evaluated.
    evaluated: u64,
}

#[derive(Debug)]
enum Inner {
    Gates(Arc<Circuit>, Box<Scratch>),
    Chain(Box<Chain>),
    Plain(Box<Interpreter>),
}

impl Machine {
    /// A machine for this rulesheet, by this back end or by the one that should be fastest.
    pub fn new(program: &Program, backend: Option<Backend>) -> Result<Machine, MachineError> {
        Machine::with_limits(program, backend, Limits::default(), &StopCheck::NEVER)
    }

    /// The same with other limits. `stop` is asked now and then whether to give up, here and in all
    /// that the machine does later; see [`Machine::set_stop`].
    pub fn with_limits(
        program: &Program,
        backend: Option<Backend>,
        limits: Limits,
        stop: &StopCheck,
    ) -> Result<Machine, MachineError> {
        match backend {
            Some(Backend::Plain) => Ok(Machine::plain(program, limits, stop)),
            Some(backend) => {
                let steps = Steps::stoppable(program, stop)?;
                Machine::compiled(program, &steps, backend, limits, stop)
            }
            None => Machine::fastest(program, limits, stop),
        }
    }

    fn compiled(
        program: &Program,
        steps: &Steps,
        backend: Backend,
        limits: Limits,
        stop: &StopCheck,
    ) -> Result<Machine, MachineError> {
        let inner = match backend {
            Backend::Gates => {
                Inner::Gates(Arc::new(Circuit::new(steps, limits, stop)?), Box::default())
            }
            Backend::Chain => Inner::Chain(Box::new(Chain::new(steps, limits, stop)?)),
            Backend::Plain => return Ok(Machine::plain(program, limits, stop)),
        };
        Ok(Machine { roles: names(program), inner, evaluated: 0 })
    }

    /// The fastest machine that makes one move. The plain interpreter takes every rulesheet.
    fn fastest(
        program: &Program,
        limits: Limits,
        stop: &StopCheck,
    ) -> Result<Machine, MachineError> {
        let steps = match Steps::stoppable(program, stop) {
            Ok(steps) => steps,
            Err(Refusal::Stopped) => return Err(MachineError::Stopped),
            Err(_) => return Ok(Machine::plain(program, limits, stop)),
        };
        for backend in [Backend::Gates, Backend::Chain] {
            let machine = Machine::compiled(program, &steps, backend, limits, stop);
            match machine.and_then(|mut m| m.try_out().map(|()| m)) {
                Ok(machine) => return Ok(machine),
                Err(MachineError::Stopped) => return Err(MachineError::Stopped),
                // What never changes is computed once and for all by either of them.
                Err(MachineError::Refused(Refusal::Fixed)) => break,
                Err(_) => {}
            }
        }
        Ok(Machine::plain(program, limits, stop))
    }

    fn plain(program: &Program, limits: Limits, stop: &StopCheck) -> Machine {
        let mut interpreter = Interpreter::new(program).with_limit(limits.steps);
        interpreter.set_stop(stop.clone());
        Machine::of_interpreter(program, interpreter)
    }

    /// Replaces the stop check of the machine. Gates never ask one: a state takes them less than a
    /// millisecond.
    pub fn set_stop(&mut self, stop: StopCheck) {
        match &mut self.inner {
            Inner::Gates(..) => {}
            Inner::Chain(chain) => chain.set_stop(stop),
            Inner::Plain(plain) => plain.set_stop(stop),
        }
    }

    /// Makes one move: a state may have more facts than a back end can hold.
    fn try_out(&mut self) -> Result<(), MachineError> {
        let start = self.initial()?;
        let view = self.view(&start)?;
        let moves: Vec<Move> = view.legal.iter().filter_map(|l| l.first()).copied().collect();
        if !view.terminal && moves.len() == self.roles.len() {
            self.next(&start, &moves)?;
        }
        Ok(())
    }

    /// A machine by the plain interpreter.
    pub(crate) fn of_interpreter(program: &Program, plain: Interpreter) -> Machine {
        Machine { roles: names(program), inner: Inner::Plain(Box::new(plain)), evaluated: 0 }
    }

    /// The back end.
    pub fn backend(&self) -> Backend {
        match self.inner {
            Inner::Gates(..) => Backend::Gates,
            Inner::Chain(_) => Backend::Chain,
            Inner::Plain(_) => Backend::Plain,
        }
    }

    /// The network of gates, if this is one.
    pub(crate) fn circuit(&self) -> Option<Arc<Circuit>> {
        match &self.inner {
            Inner::Gates(circuit, _) => Some(circuit.clone()),
            _ => None,
        }
    }

    /// How much this machine has done so far, in steps of the plain
    /// interpreter, joins of the chainer or as many gates as take about the same time.
    pub(crate) fn work(&self) -> u64 {
        match &self.inner {
            Inner::Gates(circuit, _) => self.evaluated * (circuit.steps() as u64 / 32 + 1),
            Inner::Chain(chain) => chain.work(),
            Inner::Plain(plain) => plain.total_steps(),
        }
    }

    /// How large the machine is, as text for people.
    pub fn size(&self) -> String {
        match &self.inner {
            Inner::Gates(circuit, _) => circuit.size(),
            Inner::Chain(chain) => chain.size(),
            Inner::Plain(_) => String::new(),
        }
    }

    /// The names of the roles in the order of the rulesheet.
    pub fn roles(&self) -> &[String] {
        &self.roles
    }

    /// The number of the role `random`: chance, which makes each of its legal moves equally often,
    /// and whose goals mean nothing.
    pub fn chance(&self) -> Option<usize> {
        self.roles.iter().position(|role| role == CHANCE)
    }

    /// The state in which a game begins.
    pub fn initial(&mut self) -> Result<State, MachineError> {
        Ok(match &mut self.inner {
            Inner::Gates(circuit, _) => State(circuit.initial().into()),
            Inner::Chain(chain) => State(chain.initial().into()),
            Inner::Plain(plain) => pack(&plain.initial()?),
        })
    }

    /// What the rules say about a state.
    pub fn view(&mut self, state: &State) -> Result<View, MachineError> {
        let plain = match &mut self.inner {
            Inner::Gates(circuit, scratch) => {
                self.evaluated += 1;
                return Ok(circuit.view(scratch, &state.0));
            }
            Inner::Chain(chain) => {
                let (mut legal, mut goals) = (Vec::new(), Vec::new());
                let terminal = chain.begin(&state.0)?;
                if terminal {
                    goals = chain.goals()?;
                } else {
                    let moves = chain.legal()?;
                    legal = moves.into_iter().map(|l| l.into_iter().map(Move).collect()).collect();
                }
                return Ok(View { terminal, legal, goals });
            }
            Inner::Plain(plain) => plain,
        };
        let state = unpack(state);
        let terminal = plain.terminal(&state)?;
        let (mut legal, mut goals) = (Vec::new(), Vec::new());
        for role in 0..self.roles.len() {
            if terminal {
                goals.push(plain.goal(&state, role)?);
            } else {
                let moves = plain.legal(&state, role)?;
                legal.push(moves.into_iter().map(|m| Move(m.0)).collect());
            }
        }
        Ok(View { terminal, legal, goals })
    }

    /// The state after one move of every role, in the order of the roles. The moves should be
    /// legal; what follows others is not the same with every back end.
    ///
    /// # Panics
    ///
    /// If there are not as many moves as roles.
    pub fn next(&mut self, state: &State, moves: &[Move]) -> Result<State, MachineError> {
        assert_eq!(moves.len(), self.roles.len(), "each role makes one move");
        Ok(match &mut self.inner {
            Inner::Gates(circuit, scratch) => {
                let next =
                    circuit.next(scratch, &state.0, moves).map_err(MachineError::NeverLegal)?;
                State(next.into())
            }
            Inner::Chain(chain) => {
                let moves: Vec<u32> = moves.iter().map(|m| m.0).collect();
                State(chain.next(&state.0, &moves)?.into())
            }
            Inner::Plain(plain) => {
                let moves: Vec<Ground> = moves.iter().map(|m| Ground(m.0)).collect();
                pack(&plain.next(&unpack(state), &moves)?)
            }
        })
    }

    /// The facts of a state as texts, in the order of the texts.
    pub fn facts(&self, state: &State) -> Vec<String> {
        match &self.inner {
            Inner::Gates(circuit, _) => circuit.texts(&state.0),
            Inner::Chain(chain) => {
                let mut facts: Vec<String> =
                    state.0.iter().map(|&f| chain.show(f as u32)).collect();
                facts.sort_unstable();
                facts
            }
            Inner::Plain(plain) => plain.show_state(&unpack(state)),
        }
    }

    /// The text of a move.
    pub fn show(&self, m: Move) -> String {
        match &self.inner {
            Inner::Gates(circuit, _) => circuit.show(m.0),
            Inner::Chain(chain) => chain.show(m.0),
            Inner::Plain(plain) => plain.show(Ground(m.0)),
        }
    }

    /// The move of a text, legal or not, in whatever case and with whatever blanks it is written;
    /// an error if it is not a term or can never be a move.
    pub fn read(&mut self, text: &str) -> Result<Move, TextError> {
        match &mut self.inner {
            Inner::Gates(circuit, _) => circuit.read(text).map(Move),
            Inner::Chain(chain) => chain.read(text).map(Move),
            Inner::Plain(plain) => plain.read(text).map(|g| Move(g.0)),
        }
    }

    /// `count` random plays from a state, each of at most `longest` moves.
    pub fn playouts(
        &mut self,
        state: &State,
        count: u64,
        longest: u32,
        rng: &mut Rng,
    ) -> Result<Tally, MachineError> {
        if let Inner::Gates(circuit, scratch) = &mut self.inner {
            return Ok(circuit.playouts(scratch, &state.0, count, longest, rng));
        }
        let mut tally = Tally { goals: vec![0.0; self.roles.len()], ..Tally::default() };
        let chance = self.chance();
        for _ in 0..count {
            let mut state = state.clone();
            for step in 0.. {
                let view = self.view(&state)?;
                tally.states += 1;
                let goals = view.goals.iter().enumerate();
                let goals = goals.filter(|(role, _)| chance != Some(*role));
                let defined = goals.clone().all(|(_, goal)| goal.is_some());
                if view.terminal && defined {
                    tally.plays += 1;
                    for (role, goal) in goals {
                        tally.goals[role] += f64::from(goal.unwrap_or(0));
                    }
                    break;
                }
                if view.terminal || view.stuck() || step == longest {
                    tally.lost += 1;
                    break;
                }
                let moves = view.random_moves(rng);
                state = self.next(&state, &moves)?;
            }
        }
        Ok(tally)
    }
}

/// The role that is chance.
pub(crate) const CHANCE: &str = "random";

/// The names of the roles.
fn names(program: &Program) -> Vec<String> {
    program.roles().iter().map(|&r| program.symbols.name(r).to_owned()).collect()
}

fn pack(state: &crate::interpret::State) -> State {
    State(state.facts().iter().map(|f| u64::from(f.0)).collect())
}

fn unpack(state: &State) -> crate::interpret::State {
    state.0.iter().map(|&f| Ground(f as u32)).collect()
}
