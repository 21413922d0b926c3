//! The plain interpreter: what a rulesheet says about a state, by resolution (`tables.rs`).
//!
//! It is the reference that other ways to run a rulesheet are compared with, and that later checks
//! what they prove: slow, and as near to the text of the rules as it can be. The semantics is that
//! of the GDL specification (Love et al. 2006, section 4; the thesis *Game Description Language
//! Compilation*, section 3.2): a state is the set of facts that `true` holds for.

use std::fmt;
use std::ops::Range;

use foregone_model::TextError;

use self::plan::{Compiled, Source};
use self::tables::Machine;
use self::terms::Terms;
use crate::kif::{Symbol, Symbols};
use crate::rules::{Program, Relation};
use crate::stop::{StopCheck, Stopped};

mod plan;
mod stored;
mod tables;
mod terms;

pub use self::terms::{Ground, Limit};

/// Why a rulesheet gave no answer. None of these happens to one without problems of
/// [`crate::check()`] unless it is very large.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A rule or a literal was left with a variable that nothing binds.
    Unsafe(Range<usize>),
    /// A negation depends on itself.
    Unstratified(Range<usize>),
    /// A question took more steps than this.
    TooLong(u64),
    /// Something is larger than any game needs.
    TooLarge(Limit),
    /// The stop check said so.
    Stopped,
}

impl Fault {
    /// Where in the rulesheet it happened, if at one place.
    pub fn span(&self) -> Option<Range<usize>> {
        match self {
            Fault::Unsafe(span) | Fault::Unstratified(span) => Some(span.clone()),
            Fault::TooLong(_) | Fault::TooLarge(_) | Fault::Stopped => None,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Unsafe(_) => f.write_str("nothing binds a variable here"),
            Fault::Unstratified(_) => f.write_str("this negation depends on itself"),
            Fault::TooLong(steps) => {
                write!(f, "the rules did not finish within {steps} steps")
            }
            Fault::TooLarge(limit) => write!(f, "the rules lead to {limit}"),
            Fault::Stopped => f.write_str("the interpreter was stopped"),
        }
    }
}

impl std::error::Error for Fault {}

impl From<Stopped> for Fault {
    fn from(_: Stopped) -> Fault {
        Fault::Stopped
    }
}

/// A state: its facts, each once. It belongs to the interpreter that made it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct State(Vec<Ground>);

impl State {
    /// The facts, by their numbers.
    pub fn facts(&self) -> &[Ground] {
        &self.0
    }
}

impl FromIterator<Ground> for State {
    fn from_iter<I: IntoIterator<Item = Ground>>(facts: I) -> State {
        let mut facts: Vec<Ground> = facts.into_iter().collect();
        facts.sort_unstable();
        facts.dedup();
        State(facts)
    }
}

/// A rulesheet that answers questions.
#[derive(Debug)]
pub struct Interpreter {
    symbols: Symbols,
    machine: Machine,
    roles: Vec<Ground>,
    /// The state and the moves that the machine's stored relations hold.
    state: State,
    moves: Vec<Ground>,
}

/// A question may take this many steps before it is given up.
pub(crate) const LIMIT: u64 = 50_000_000;

/// A state may have this many names in its facts.
pub(crate) const MAX_STATE: usize = 1_000_000;

impl Interpreter {
    /// An interpreter of this rulesheet, whatever its problems: they show as [`Fault`]s.
    pub fn new(program: &Program) -> Interpreter {
        let mut terms = Terms::default();
        let compiled = Compiled::new(program, &mut terms);
        let roles = program.roles();
        // A constant is never too large.
        let roles = roles.into_iter().filter_map(|r| terms.make(r, &[]).ok());
        let roles = roles.map(Ground).collect();
        let machine = Machine::new(terms, compiled, LIMIT);
        let (state, moves) = Default::default();
        Interpreter { symbols: program.symbols.clone(), machine, roles, state, moves }
    }

    /// The same interpreter with another limit on the steps that a question may take.
    pub fn with_limit(mut self, steps: u64) -> Interpreter {
        self.machine.limit = steps;
        self
    }

    /// Replaces the stop check.
    pub(crate) fn set_stop(&mut self, stop: StopCheck) {
        self.machine.stop = stop;
    }

    /// The steps of all questions so far.
    pub fn total_steps(&self) -> u64 {
        self.machine.total_steps
    }

    /// The roles in the order of the rulesheet.
    pub fn roles(&self) -> &[Ground] {
        &self.roles
    }

    /// The text of a term.
    pub fn show(&self, term: Ground) -> String {
        let mut out = String::new();
        self.machine.terms.write(term.0, &self.symbols, &mut out);
        out
    }

    /// The facts of a state as texts, in the order of the texts.
    pub fn show_state(&self, state: &State) -> Vec<String> {
        let mut facts: Vec<String> = state.0.iter().map(|&f| self.show(f)).collect();
        facts.sort_unstable();
        facts
    }

    /// The term of a text, such as a move or a fact.
    pub fn read(&mut self, text: &str) -> Result<Ground, TextError> {
        self.machine.terms.read(text, &mut self.symbols).map(Ground)
    }

    /// The state in which a game begins.
    pub fn initial(&mut self) -> Result<State, Fault> {
        self.load(&State::default(), &[]);
        let facts = self.ask(Symbol::INIT, &[None])?;
        self.measured(facts).map(State::from_iter)
    }

    /// The legal moves of a role, by its number, in the order of their texts.
    pub fn legal(&mut self, state: &State, role: usize) -> Result<Vec<Ground>, Fault> {
        self.load(state, &[]);
        let role = self.roles[role];
        let moves = self.ask(Symbol::LEGAL, &[Some(role), None])?;
        let moves = self.measured(moves)?;
        let mut named: Vec<(String, Ground)> =
            moves.into_iter().map(|m| (self.show(m), m)).collect();
        named.sort_unstable();
        Ok(named.into_iter().map(|(_, m)| m).collect())
    }

    /// The state after one move of every role, in the order of the roles.
    ///
    /// # Panics
    ///
    /// If there are not as many moves as roles.
    pub fn next(&mut self, state: &State, moves: &[Ground]) -> Result<State, Fault> {
        assert_eq!(moves.len(), self.roles.len(), "each role makes one move");
        self.load(state, moves);
        let facts = self.ask(Symbol::NEXT, &[None])?;
        self.measured(facts).map(State::from_iter)
    }

    /// The same terms, if they are not too large to be written.
    fn measured(&self, terms: Vec<Ground>) -> Result<Vec<Ground>, Fault> {
        let size: usize = terms.iter().map(|t| self.machine.terms.size(t.0)).sum();
        if size > MAX_STATE { Err(Fault::TooLarge(Limit::State)) } else { Ok(terms) }
    }

    /// Whether the game is over.
    pub fn terminal(&mut self, state: &State) -> Result<bool, Fault> {
        self.load(state, &[]);
        self.holds(Symbol::TERMINAL)
    }

    /// What a role gets in a state: none if the rules do not say, or say two things.
    pub fn goal(&mut self, state: &State, role: usize) -> Result<Option<i32>, Fault> {
        self.load(state, &[]);
        let role = self.roles[role];
        let values = self.ask(Symbol::GOAL, &[Some(role), None])?;
        Ok(match values.as_slice() {
            [value] => self.show(*value).parse().ok(),
            _ => None,
        })
    }

    fn holds(&mut self, name: Symbol) -> Result<bool, Fault> {
        let relation = Relation { name, arity: 0 };
        let compiled = &self.machine.compiled;
        if let Some(&number) = compiled.numbers.get(&relation) {
            return Ok(!self.machine.ask(number, &[])?.is_empty());
        }
        let id = compiled.sources.get(&Source::Facts(relation));
        Ok(id.is_some_and(|&id| self.machine.rows(id).next().is_some()))
    }

    /// The values of the last argument of a relation, the others given.
    fn ask(&mut self, name: Symbol, args: &[Option<Ground>]) -> Result<Vec<Ground>, Fault> {
        let relation = Relation { name, arity: args.len() };
        let args: Vec<Option<u32>> = args.iter().map(|a| a.map(|g| g.0)).collect();
        let compiled = &self.machine.compiled;
        if let Some(&number) = compiled.numbers.get(&relation) {
            let answers = self.machine.ask(number, &args)?;
            return Ok(answers.iter().filter_map(|a| a.last()).map(|&v| Ground(v)).collect());
        }
        let Some(&id) = compiled.sources.get(&Source::Facts(relation)) else {
            return Ok(Vec::new());
        };
        let rows = self.machine.rows(id);
        let rows = rows.filter(|row| row.iter().zip(&args).all(|(v, a)| a.is_none_or(|a| a == *v)));
        let mut out: Vec<Ground> = rows.filter_map(|row| row.last()).map(|&v| Ground(v)).collect();
        out.sort_unstable();
        out.dedup();
        Ok(out)
    }

    /// Makes the machine hold this state and these moves. Answers that depend on nothing that
    /// changes stay.
    fn load(&mut self, state: &State, moves: &[Ground]) {
        let new_state = *state != self.state;
        if !new_state && moves == self.moves {
            return;
        }
        let sources: Vec<(Source, usize)> =
            self.machine.compiled.sources.iter().map(|(&s, &id)| (s, id)).collect();
        for (source, id) in sources {
            match source {
                Source::True(..) | Source::TrueAny if new_state => self.machine.clear_stored(id),
                Source::Does(..) | Source::DoesAny => self.machine.clear_stored(id),
                _ => {}
            }
        }
        self.machine.forget(if new_state { 1 } else { 2 });
        // A fact that is stored takes as long as some steps.
        self.machine.total_steps += if new_state { 8 * state.0.len() as u64 } else { 0 };
        if new_state {
            for &Ground(fact) in &state.0 {
                self.store(fact, None);
            }
            self.state = state.clone();
        }
        for (n, &Ground(action)) in moves.iter().enumerate() {
            self.store(action, Some(self.roles[n].0));
        }
        self.moves = moves.to_vec();
    }

    /// Stores `(true term)`, or for a role `(does role term)`.
    fn store(&mut self, term: u32, role: Option<u32>) {
        let name = self.machine.terms.name(term);
        let args = self.machine.terms.args(term).to_vec();
        let (by_function, any) = match role {
            None => (Source::True(name, args.len()), Source::TrueAny),
            Some(_) => (Source::Does(name, args.len()), Source::DoesAny),
        };
        if let Some(&id) = self.machine.compiled.sources.get(&by_function) {
            self.machine.store(id, role.into_iter().chain(args));
        }
        if let Some(&id) = self.machine.compiled.sources.get(&any) {
            self.machine.store(id, role.into_iter().chain([term]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The facts of the initial state of a rulesheet.
    fn model(text: &str) -> Result<Vec<String>, Fault> {
        let program = Program::read(text).unwrap();
        let mut game = Interpreter::new(&program).with_limit(10_000_000);
        let state = game.initial()?;
        Ok(game.show_state(&state))
    }

    #[test]
    fn recursion_of_every_kind_finds_all_answers() {
        let edges = "(edge 1 2) (edge 2 3) (edge 3 1) (edge 3 4) (edge 5 6)";
        for rules in [
            "(<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (edge ?y ?z))",
            "(<= (path ?x ?z) (edge ?x ?y) (path ?y ?z)) (<= (path ?x ?y) (edge ?x ?y))",
            "(<= (path ?x ?z) (path ?x ?y) (path ?y ?z)) (<= (path ?x ?y) (edge ?x ?y))",
            "(<= (path ?x ?z) (or (edge ?x ?z) (and (edge ?x ?y) (htap ?z ?y))))
             (<= (htap ?y ?x) (path ?x ?y))",
        ] {
            let all = model(&format!("{edges} {rules} (<= (init (p ?x ?y)) (path ?x ?y))"));
            assert_eq!(all.unwrap().len(), 13, "{rules}");
            let some = model(&format!("{edges} {rules} (<= (init ?y) (path 2 ?y) (path ?y 4))"));
            assert_eq!(some.unwrap(), ["1", "2", "3"], "{rules}");
        }
    }

    #[test]
    fn negation_waits_for_its_variables_and_for_all_answers() {
        let text = "(n 1) (n 2) (n 3) (next 1 2) (next 2 3)
            (<= (less ?x ?z) (next ?x ?z)) (<= (less ?x ?z) (less ?x ?y) (next ?y ?z))
            (<= (init (least ?x)) (not (less ?any ?x)) (n ?x))
            (<= (init (pair ?x ?y)) (distinct ?x ?y) (not (or (less ?x ?y) (n 4))) (n ?x) (n ?y))
            (<= (init same) (n ?x) (not (distinct ?x 2)))
            (<= (init never) (or))";
        let wanted = ["(least 1)", "(pair 2 1)", "(pair 3 1)", "(pair 3 2)", "same"];
        assert_eq!(model(text).unwrap(), wanted);
    }

    #[test]
    fn functions_may_be_deep_and_recursion_long() {
        let text = "(<= (member ?x (cons ?x ?tail))) (<= (member ?x (cons ?y ?t)) (member ?x ?t))
            (<= (init found) (member c (cons a (cons b (cons c nil)))))
            (<= (init lost) (member d (cons a (cons b (cons c nil)))))";
        assert_eq!(model(text).unwrap(), ["found"]);
        let mut chain = String::from("(<= (up ?x) (succ ?x ?y) (up ?y)) (up 20000)");
        for n in 0..20_000 {
            chain.push_str(&format!("(succ {n} {})", n + 1));
        }
        chain.push_str("(<= (init ?x) (up 0) (succ ?x 2))");
        assert_eq!(model(&chain).unwrap(), ["1"]);
    }

    #[test]
    fn rulesheets_that_break_gdl_fault_and_do_not_hang() {
        let endless = "(<= (n (s ?x)) (n ?x)) (n 0) (<= (init ?x) (n ?x))";
        assert_eq!(model(endless), Err(Fault::TooLarge(Limit::Depth)));
        let paradox = "(<= p (not q)) (<= q (not p)) (<= (init x) p)";
        assert!(matches!(model(paradox), Err(Fault::Unstratified(_))));
        let loose = "(<= (init ?x) (role ?y)) (role a)";
        assert!(matches!(model(loose), Err(Fault::Unsafe(_))));
    }

    #[test]
    fn facts_and_rules_of_one_relation_and_overloaded_names() {
        let text = "(p 1) (p 2 2) (<= (p ?x) (p ?x ?x)) (<= (init (f ?x)) (p ?x))
            (init f) (init f) (INIT (F 9))";
        assert_eq!(model(text).unwrap(), ["(f 1)", "(f 2)", "(f 9)", "f"]);
    }

    #[test]
    fn moves_and_states_are_kept_apart() {
        let text = "(role a) (role b) (init (n 0)) (succ 0 1) (succ 1 2)
            (<= (legal ?r up) (role ?r)) (<= (legal ?r (stay ?x)) (role ?r) (true (n ?x)))
            (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y) (does a up))
            (<= (next (n ?x)) (true (n ?x)) (does a (stay ?x)))
            (<= (next (last ?m)) (does b ?m)) (<= terminal (true (n 2)))
            (<= (goal ?r 50) (role ?r)) (<= (goal a 100) (true (n 2)))";
        let mut game = Interpreter::new(&Program::read(text).unwrap());
        let start = game.initial().unwrap();
        let (up, stay) = (game.read("UP").unwrap(), game.read("(stay 0)").unwrap());
        assert_eq!(game.legal(&start, 1).unwrap(), [stay, up]);
        let one = game.next(&start, &[up, stay]).unwrap();
        assert_eq!(game.show_state(&one), ["(last (stay 0))", "(n 1)"]);
        let same = game.next(&start, &[stay, up]).unwrap();
        assert_eq!(game.show_state(&same), ["(last up)", "(n 0)"]);
        let two = game.next(&one, &[up, up]).unwrap();
        assert!(game.terminal(&two).unwrap() && !game.terminal(&one).unwrap());
        assert_eq!(game.goal(&two, 0).unwrap(), None, "two values are not a value");
        assert_eq!(game.goal(&two, 1).unwrap(), Some(50));
    }
}
