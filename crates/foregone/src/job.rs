//! A job: what to solve and how, as plain data without defaults left to guess.

use std::path::PathBuf;
use std::time::Duration;

use foregone_model::{Guide, Notation, Outcome};
use foregone_search::drive::{Order, OrderBy};
use foregone_search::scheme::Mcts;
use foregone_search::{Init, Limits};

use crate::args::{DriverWord, InitWord, OrderWord, SchemeWord, SolveArgs};
use crate::failure::{Failure, suggest};

/// The question asked of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Does Max reach at least this outcome?
    AtLeast(Outcome),
    /// Which outcome does Max reach?
    Value,
}

/// What guides the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Guidance {
    /// Best first over a tree, by a scheme whose leaves are valued in this way.
    Tree(SchemeChoice, Init),
    /// Best first over a graph.
    Dag(SchemeChoice, Init),
    /// Depth first.
    Dfs,
    /// Depth first with a table, its moves in this order.
    AlphaBeta(Order),
}

/// A scheme with its options.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SchemeChoice {
    /// Best first minimax.
    MinMax,
    /// Proof numbers.
    Pn,
    /// Product propagation.
    Pp,
    /// MCTS Solver with this exploration constant.
    Mcts(f64),
}

impl Guidance {
    /// The driver's word.
    pub fn driver(self) -> &'static str {
        match self {
            Guidance::Tree(..) => "tree",
            Guidance::Dag(..) => "dag",
            Guidance::Dfs => "dfs",
            Guidance::AlphaBeta(_) => "alphabeta",
        }
    }

    /// The scheme's word, if there is a scheme.
    pub fn scheme(self) -> Option<&'static str> {
        match self {
            Guidance::Dfs | Guidance::AlphaBeta(_) => None,
            Guidance::Tree(scheme, _) | Guidance::Dag(scheme, _) => Some(scheme.word()),
        }
    }
}

impl SchemeChoice {
    /// The scheme's word.
    pub fn word(self) -> &'static str {
        match self {
            SchemeChoice::MinMax => "minmax",
            SchemeChoice::Pn => "pn",
            SchemeChoice::Pp => "pp",
            SchemeChoice::Mcts(_) => "mcts",
        }
    }
}

/// Every driver with every scheme and every value of leaves that it can have: what the corpus is
/// crossed with.
pub fn all_guidances(evaluates: bool) -> Vec<Guidance> {
    use SchemeChoice::{Mcts as M, MinMax, Pn, Pp};
    let mcts = M(Mcts::EXPLORATION);
    let mut all = vec![Guidance::Dfs];
    for by in [OrderBy::Rules, OrderBy::Game, OrderBy::History, OrderBy::MonteCarlo(100)] {
        for deepen in [false, true] {
            all.push(Guidance::AlphaBeta(Order { by, deepen, seed: 0 }));
        }
    }
    let inits = [Init::Constant, Init::Mobility, Init::Evaluation, Init::Playout];
    for init in inits.into_iter().filter(|&i| evaluates || i != Init::Evaluation) {
        let schemes: &[SchemeChoice] = match init {
            Init::Constant | Init::Mobility => &[MinMax, Pn, Pp],
            Init::Evaluation | Init::Playout => &[MinMax, Pp, mcts],
        };
        for &scheme in schemes {
            all.extend([Guidance::Tree(scheme, init), Guidance::Dag(scheme, init)]);
        }
    }
    all
}

/// What may be used.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Nodes and bytes.
    pub limits: Limits,
    /// Time.
    pub time: Option<Duration>,
    /// The seed of everything random.
    pub seed: u64,
}

impl Budget {
    /// Whatever it takes.
    pub const UNLIMITED: Budget = Budget { limits: Limits::NONE, time: None, seed: 0 };
}

/// What to solve and how.
#[derive(Clone, Debug)]
pub struct Job<S> {
    /// The position.
    pub start: S,
    /// The question.
    pub question: Question,
    /// Scheme and driver.
    pub guidance: Guidance,
    /// What may be used.
    pub budget: Budget,
    /// Whether what the game knows statically is used.
    pub knowledge: bool,
    /// Whether mirror images are taken as one.
    pub symmetry: bool,
    /// Where the certificate goes.
    pub proof: Option<PathBuf>,
}

impl<S> Job<S> {
    /// A job with everything that helps, and without limits.
    pub fn unlimited(start: S, question: Question, guidance: Guidance) -> Job<S> {
        Job {
            start,
            question,
            guidance,
            budget: Budget::UNLIMITED,
            knowledge: true,
            symmetry: true,
            proof: None,
        }
    }

    /// Makes a job for this game out of words.
    pub fn new<G: Guide + Notation<State = S>>(
        game: &G,
        args: &SolveArgs,
    ) -> Result<Job<S>, Failure> {
        let start = game
            .read_position_or_moves(&args.position)
            .map_err(|e| Failure::text("position", &args.position, e))?;
        Ok(Job {
            start,
            question: question(game, args.question.as_deref())?,
            guidance: guidance(game, args)?,
            budget: Budget {
                limits: Limits {
                    nodes: args.budget.nodes.unwrap_or(u64::MAX),
                    bytes: args.budget.memory.unwrap_or_else(crate::session::memory_to_use),
                },
                time: args.budget.time,
                seed: args.budget.seed,
            },
            knowledge: !args.no_knowledge,
            symmetry: !args.no_symmetry,
            proof: args.proof.clone(),
        })
    }
}

/// Reads a question.
fn question<G: Notation>(game: &G, text: Option<&str>) -> Result<Question, Failure> {
    let scale = game.scale();
    let Some(text) = text else {
        return Ok(Question::Value);
    };
    let claimable = || scale.names().skip(1).map(str::to_owned).collect::<Vec<_>>();
    match text.split_once(' ') {
        None if text == "value" => Ok(Question::Value),
        None if text == "win" => Ok(Question::AtLeast(scale.best())),
        Some(("at-least", word)) => match scale.find(word) {
            Some(Outcome(0)) => Err(Failure::input(format!("everybody reaches at least a {word}"))
                .at("question", text, 9..text.len())
                .help(suggest(word, &claimable()).unwrap_or_default())),
            Some(outcome) => Ok(Question::AtLeast(outcome)),
            None => Err(Failure::input(format!("{} has no outcome `{word}`", game.name()))
                .at("question", text, 9..text.len())
                .help(suggest(word, &claimable()).unwrap_or_default())),
        },
        _ => {
            let mut words = vec!["win".to_owned(), "value".to_owned()];
            words.extend(claimable().iter().map(|o| format!("at-least {o}")));
            Err(Failure::input(format!("`{text}` is not a question"))
                .at("question", text, 0..text.len())
                .help(suggest(text, &words).unwrap_or_default()))
        }
    }
}

/// Picks what was not said: product propagation where moves or an evaluation tell much, proof
/// numbers elsewhere.
fn guidance<G: Guide + Notation>(game: &G, args: &SolveArgs) -> Result<Guidance, Failure> {
    let conflict =
        |what: &str, why: &str| Err(Failure::input(format!("`{what}` does not go with {why}")));
    if args.driver != Some(DriverWord::Alphabeta) {
        if args.order.is_some() {
            return conflict("--order", "a driver other than alphabeta");
        }
        if args.deepen {
            return conflict("--deepen", "a driver other than alphabeta");
        }
    }
    if let Some(driver @ (DriverWord::Dfs | DriverWord::Alphabeta)) = args.driver {
        let word = if driver == DriverWord::Dfs { "--driver dfs" } else { "--driver alphabeta" };
        if args.scheme.is_some() {
            return conflict("--scheme", &format!("{word}, which needs no scheme"));
        }
        if args.init.is_some() {
            return conflict("--init", &format!("{word}, which values no leaves"));
        }
        if args.exploration.is_some() {
            return conflict("--exploration", word);
        }
        if driver == DriverWord::Dfs {
            return Ok(Guidance::Dfs);
        }
        let by = match args.order.unwrap_or(OrderWord::Game) {
            OrderWord::Rules => OrderBy::Rules,
            OrderWord::Game => OrderBy::Game,
            OrderWord::History => OrderBy::History,
            OrderWord::Montecarlo => OrderBy::MonteCarlo(100_000),
        };
        let seed = args.budget.seed;
        return Ok(Guidance::AlphaBeta(Order { by, deepen: args.deepen, seed }));
    }
    let (default_scheme, default_init) = default_guidance(game);
    let word = args.scheme.unwrap_or(default_scheme);
    if args.exploration.is_some() && word != SchemeWord::Mcts {
        return conflict("--exploration", "a scheme other than mcts");
    }
    let init_word = match args.init {
        Some(init) => init,
        None if word == default_scheme => default_init,
        None => match word {
            SchemeWord::Pn => InitWord::One,
            SchemeWord::Pp => InitWord::Half,
            SchemeWord::Minmax => InitWord::Zero,
            SchemeWord::Mcts => InitWord::Playout,
        },
    };
    if init_word == InitWord::Evaluation && !game.evaluates() {
        return conflict("--init evaluation", &format!("{}, which has none", game.name()));
    }
    let scheme = match word {
        SchemeWord::Pn => SchemeChoice::Pn,
        SchemeWord::Pp => SchemeChoice::Pp,
        SchemeWord::Minmax => SchemeChoice::MinMax,
        SchemeWord::Mcts => match args.exploration.unwrap_or(Mcts::EXPLORATION) {
            c if c.is_finite() && c >= 0.0 => SchemeChoice::Mcts(c),
            c => {
                return Err(Failure::input(format!("`{c}` is not an exploration constant"))
                    .help("a number from 0 up"));
            }
        },
    };
    let init = match (word, init_word) {
        (SchemeWord::Pn, InitWord::One)
        | (SchemeWord::Pp, InitWord::Half)
        | (SchemeWord::Minmax, InitWord::Zero) => Init::Constant,
        (SchemeWord::Pn | SchemeWord::Pp | SchemeWord::Minmax, InitWord::Mobility) => {
            Init::Mobility
        }
        (SchemeWord::Pp | SchemeWord::Mcts | SchemeWord::Minmax, InitWord::Evaluation) => {
            Init::Evaluation
        }
        (SchemeWord::Pp | SchemeWord::Mcts | SchemeWord::Minmax, InitWord::Playout) => {
            Init::Playout
        }
        _ => {
            let name = |v: &dyn Fn() -> Option<clap::builder::PossibleValue>| {
                v().map(|p| p.get_name().to_owned()).unwrap_or_default()
            };
            use clap::ValueEnum;
            let init = name(&|| init_word.to_possible_value());
            let scheme = name(&|| word.to_possible_value());
            let fits = match word {
                SchemeWord::Pn => "one or mobility",
                SchemeWord::Pp => "half, mobility, evaluation or playout",
                SchemeWord::Minmax => "zero, mobility, evaluation or playout",
                SchemeWord::Mcts => "playout or evaluation",
            };
            return Err(Failure::input(format!(
                "`--init {init}` does not go with `--scheme {scheme}`"
            ))
            .help(format!("{scheme} takes {fits}")));
        }
    };
    Ok(match args.driver {
        Some(DriverWord::Tree) => Guidance::Tree(scheme, init),
        _ => Guidance::Dag(scheme, init),
    })
}

/// What to use when nothing is said. Measured on the corpus: see `experiments/README.md`.
fn default_guidance<G: Guide + Notation>(game: &G) -> (SchemeWord, InitWord) {
    if game.evaluates() {
        return (SchemeWord::Pp, InitWord::Evaluation);
    }
    // Who cannot move loses: then moves are what the game is about.
    match game.name().split(':').next() {
        Some("domineering" | "nogo") => (SchemeWord::Pp, InitWord::Mobility),
        _ => (SchemeWord::Pn, InitWord::Mobility),
    }
}
