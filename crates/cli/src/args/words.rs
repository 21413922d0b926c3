//! Words that stand for one of a few choices.

use std::ffi::OsStr;
use std::fmt::Display;
use std::marker::PhantomData;
use std::str::FromStr;

use clap::ValueEnum;
use clap::builder::{EnumValueParser, PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use foregone::Solver;
use foregone::nearest;
use foregone_search::{DriverSpec, Init, SchemeSpec};

/// How a formula is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AlgorithmWord {
    /// depth first with a table and move ordering
    Alphabeta,
    /// depth first proof search: Algorithm 7
    Dfps,
    /// proof number proof search: Tables 4.2 to 4.4
    Pnps,
    /// Monte Carlo proof search: Algorithm 9, Tables 4.5 to 4.7
    Mcps,
    /// minimal proof search, best first: section 4.4
    Mps,
    /// minimal proof search, depth first with a table
    Dfmps,
    /// product propagation
    Ppps,
    /// proof numbers, depth first with thresholds and a table
    Dfpn,
    /// proof numbers, a search at each leaf
    Pn2,
}

/// What a proof costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CostWord {
    /// the depth of nested moves (Example 8)
    Depth,
    /// the number of atoms (Example 9)
    Atoms,
    /// the number of atoms and lists of moves (Example 10)
    Queries,
}

/// How moves of chess are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum NotationWord {
    /// Standard Algebraic Notation, with English letters
    San,
    /// the same with pictures of the pieces
    Figurine,
    /// where from and where to
    Long,
    /// as certificates and JSON have it
    Coordinates,
}

/// In which order smab looks at the cells of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CellsWord {
    /// a row, the rest of a column, the next row, …
    LShaped,
    /// row by row
    Lexicographic,
}

/// How a scheme for two outcomes is asked about many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OutcomesWord {
    /// the middle of what is left
    Dichotomic,
    /// one outcome after the other, from the worst
    Iterative,
    /// twice as far up each time, then the middle of what is left
    Doubling,
}

/// How alphabeta goes through the space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WalkWord {
    /// to the end, each time for two halves of the outcomes left
    Null,
    /// to the end, for all outcomes at once
    Full,
    /// a step deeper each time, one outcome after the other
    Deepen,
    /// every move: no cut-offs
    Minimax,
}

/// How alphabeta orders moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OrderWord {
    /// as the rules list them
    Rules,
    /// by the game's own ordering
    Game,
    /// by how often they cut off
    History,
    /// by how often they won in random plays
    Montecarlo,
}

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatWord {
    /// for people
    Text,
    /// for a page
    Markdown,
    /// for programs
    Csv,
}

/// How rules are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BackendWord {
    /// a network of gates, for many states at once
    Gates,
    /// forward chaining, state by state
    Chain,
    /// the plain interpreter that checks proofs
    Plain,
}

/// Steps of the compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StepWord {
    /// no `or`, no equality
    Mini,
    /// at most two literals in a body
    Normal,
    /// what a new fact sets off
    Inverted,
    /// in which order relations are complete, and what they depend on
    Strata,
    /// only what is asked for
    Demand,
    /// how large the network of gates is
    Gates,
}

/// What `bench` measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BenchPart {
    /// node counts of a fixed list of jobs: the signature of the search
    Signature,
    /// proof number search on 256 Connect Four positions, beside a bare loop
    Pns,
    /// Domineering 6x6 by product propagation, and its certificate
    Domineering,
    /// how fast formulas are asked of chess
    Formulas,
    /// how fast joint moves are searched, and matrices solved
    Joint,
    /// searches of expected values side by side, and how fast they walk
    Chance,
    /// how many states of a battle are searched a second
    Combat,
    /// random plays per second
    Playouts,
    /// simulations per second of the search for moves, beside OpenSpiel's
    Play,
    /// rulesheets: set-up, random plays and solving, beside the figures of others
    Gdl,
    /// how fast tables are built, verified and asked, and how large they are
    Tables,
    /// what the server costs a search, and how fast it answers
    Serve,
    /// bytes of a node, and memory as the operating system sees it
    Memory,
}

/// Reads one of a list of words. It differs from clap's own reader in one thing: a wrong word is
/// answered with the nearest one, however short it is.
#[derive(Clone, Debug)]
pub(super) struct Words<E>(PhantomData<E>);

impl<E> Words<E> {
    pub(super) const NEW: Words<E> = Words(PhantomData);
}

impl<E: ValueEnum + Clone + Send + Sync + 'static> TypedValueParser for Words<E> {
    type Value = E;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<E, clap::Error> {
        let small = value.to_ascii_lowercase();
        let read = EnumValueParser::<E>::new().parse_ref(command, argument, &small);
        read.map_err(|mut error| {
            let names = E::value_variants().iter().filter_map(E::to_possible_value);
            let words: Vec<String> = names.map(|v| v.get_name().to_owned()).collect();
            if let Some(word) = nearest(&value.to_string_lossy(), &words) {
                let word = ContextValue::String(word.clone());
                error.insert(ContextKind::SuggestedValue, word);
            }
            error
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(E::value_variants().iter().filter_map(E::to_possible_value)))
    }
}

/// A scheme for games in turn, a solver of other games, or both: some words mean one of each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SchemeArg {
    /// The scheme for games in turn.
    pub turn: Option<SchemeSpec>,
    /// The solver of joint moves or of chance.
    pub solver: Option<Solver>,
}

impl FromStr for SchemeArg {
    type Err = String;

    fn from_str(text: &str) -> Result<SchemeArg, String> {
        let turn: Result<SchemeSpec, _> = text.parse();
        let solver: Result<Solver, _> = text.parse();
        match (&turn, &solver) {
            // The options of a solver are wrong, and not its name.
            (Err(_), Err(e)) if e.span.start > 0 => Err(e.message.clone()),
            (Err(e), Err(_)) => Err(e.message.clone()),
            _ => Ok(SchemeArg { turn: turn.ok(), solver: solver.ok() }),
        }
    }
}

impl Display for SchemeArg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.turn, self.solver) {
            (Some(turn), _) => turn.fmt(f),
            (None, Some(solver)) => solver.fmt(f),
            (None, None) => Ok(()),
        }
    }
}

/// Something with a word, of which help lists the usual ones.
pub trait Listed: FromStr<Err: Display> + Clone + Send + Sync + 'static {
    /// The words, each with what it means.
    fn listed() -> Vec<(String, String)>;

    /// What else a wrong word is, and which option takes it.
    fn elsewhere(_text: &str) -> Option<String> {
        None
    }
}

/// The option that takes a word that was given to another one.
fn belongs_to(text: &str, what: &str, option: &str) -> String {
    format!("`{text}` is {what}: `{option} {text}`")
}

fn is_driver(text: &str) -> bool {
    text.parse::<DriverSpec>().is_ok()
}

impl Listed for SchemeArg {
    fn listed() -> Vec<(String, String)> {
        let turn = SchemeSpec::all().into_iter().map(|s| (s.word(), s.about()));
        let mut words: Vec<(String, String)> = turn.collect();
        for solver in Solver::all() {
            // `minmax` means one of each.
            if !words.iter().any(|(word, _)| word == solver.word()) {
                words.push((solver.word().to_owned(), solver.about().to_owned()));
            }
        }
        words
    }

    fn elsewhere(text: &str) -> Option<String> {
        is_driver(text).then(|| belongs_to(text, "a driver, not a scheme", "--driver"))
    }
}

impl Listed for SchemeSpec {
    fn listed() -> Vec<(String, String)> {
        SchemeSpec::all().into_iter().map(|s| (s.word(), s.about())).collect()
    }

    fn elsewhere(text: &str) -> Option<String> {
        SchemeArg::elsewhere(text)
    }
}

impl Listed for DriverSpec {
    fn listed() -> Vec<(String, String)> {
        DriverSpec::ALL.map(|d| (d.word().to_owned(), d.about().to_owned())).to_vec()
    }

    fn elsewhere(text: &str) -> Option<String> {
        let scheme = text.parse::<SchemeArg>().is_ok();
        scheme.then(|| belongs_to(text, "a scheme, not a driver", "--scheme"))
    }
}

impl Listed for Init {
    fn listed() -> Vec<(String, String)> {
        let about = |init: Init| match init {
            Init::One => "pn: one and one",
            Init::Half => "pp: one half",
            Init::Zero => "minmax: zero",
            Init::Mobility => "pn, pp, minmax: by the numbers of moves",
            Init::Evaluation => "pp, mcts, minmax: by the game's own evaluation",
            Init::Playout => "mcts, pp, minmax: by a random play",
        };
        Init::ALL.map(|init| (init.to_string(), about(init).to_owned())).to_vec()
    }
}

/// Reads something that is listed. A wrong word is answered with the nearest one.
#[derive(Clone, Debug)]
pub(super) struct Specs<T>(PhantomData<T>);

impl<T> Specs<T> {
    pub(super) const NEW: Specs<T> = Specs(PhantomData);
}

impl<T: Listed> TypedValueParser for Specs<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        let text = value.to_string_lossy();
        text.parse().map_err(|reason: T::Err| {
            let name = argument.map(ToString::to_string).unwrap_or_default();
            let wrong = |what: String| {
                let message = format!("invalid value '{text}' for '{name}': {what}");
                clap::Error::raw(ErrorKind::ValueValidation, message + "\n").with_cmd(command)
            };
            if let Some(elsewhere) = T::elsewhere(&text) {
                return wrong(elsewhere);
            }
            // The word is known, and what stands in its brackets is wrong.
            let word = text.split('(').next().unwrap_or_default();
            if text.contains('(') && word.parse::<T>().is_ok() {
                return wrong(reason.to_string());
            }
            let words: Vec<String> = T::listed().into_iter().map(|(word, _)| word).collect();
            let mut error = clap::Error::new(ErrorKind::InvalidValue).with_cmd(command);
            error.insert(ContextKind::InvalidArg, ContextValue::String(name));
            let given = ContextValue::String(text.clone().into_owned());
            error.insert(ContextKind::InvalidValue, given);
            if let Some(word) = nearest(&text, &words) {
                let word = ContextValue::String(word.clone());
                error.insert(ContextKind::SuggestedValue, word);
            }
            error.insert(ContextKind::ValidValue, ContextValue::Strings(words));
            error
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let value = |(word, about): (String, String)| PossibleValue::new(word).help(about);
        Some(Box::new(T::listed().into_iter().map(value)))
    }
}
