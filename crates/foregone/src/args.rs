//! The command line as words. [`crate::job`] turns them into plain data.

use std::ffi::OsStr;
use std::marker::PhantomData;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{EnumValueParser, PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Args, Parser, Subcommand, ValueEnum};

use foregone_search::Limits;

use crate::failure::nearest;
use crate::job::Budget;

/// Who wins this game, and how do you know?
#[derive(Debug, Parser)]
#[command(name = "foregone", version, about, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the games with their options
    Games {
        /// Tell more about this one
        name: Option<String>,
    },
    /// Find out who wins, with a proof that was checked
    #[command(after_help = SOLVE_EXAMPLES)]
    Solve(SolveArgs),
    /// Ask a formula of a position: mates, ladders, threats, with a proof that was checked
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckArgs),
    /// List the classes of formulas that `check` knows
    Concepts {
        /// Show the definition of this one
        name: Option<String>,
    },
    /// Solve a payoff matrix: the Nash value, and strategies that reach it
    #[command(after_help = MATRIX_EXAMPLES)]
    Matrix {
        /// A file with a row of the matrix on each line, payoffs of the row player between commas
        file: PathBuf,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Rulesheets of the Game Description Language: check, compile, replay and play them
    #[command(after_help = GDL_EXAMPLES, subcommand)]
    Gdl(GdlCommand),
    /// Sit down at general game playing matches: the GGP protocol over HTTP
    #[command(after_help = PLAYER_EXAMPLES)]
    Player(PlayerArgs),
    /// Fight small battles in real time: scripts, and searches that answer within milliseconds
    #[command(after_help = COMBAT_EXAMPLES)]
    Combat(CombatArgs),
    /// Check a certificate
    #[command(after_help = VERIFY_EXAMPLES)]
    Verify(VerifyArgs),
    /// Draw a position
    #[command(after_help = SHOW_EXAMPLES)]
    Show {
        /// The game
        game: String,
        /// The position: the game's own text or `moves:a1,b2,…`
        #[arg(long, short, value_name = "P", default_value = "start")]
        position: String,
    },
    /// Count move sequences
    #[command(after_help = PERFT_EXAMPLES)]
    Perft {
        /// The game
        game: String,
        /// How many moves
        depth: u32,
        /// The position: the game's own text or `moves:a1,b2,…`
        #[arg(long, short, value_name = "P", default_value = "start")]
        position: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Measure this build: node counts, speeds, memory
    #[command(after_help = BENCH_EXAMPLES)]
    Bench {
        /// What to measure; everything when not given
        #[arg(value_parser = Words::<BenchPart>::NEW)]
        parts: Vec<BenchPart>,
    },
    /// Run a table or a figure of the seeds again, beside their figures
    #[command(after_help = REPRODUCE_EXAMPLES)]
    Reproduce(ReproduceArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// What `solve` is told.
#[derive(Clone, Debug, Args)]
pub struct SolveArgs {
    /// The game: `name` or `name:options`
    pub game: String,
    /// The position: the game's own text, `moves:a1,b2,…`, or `moves:6/1,5/4` of joint moves
    #[arg(long, short, value_name = "P", default_value = "start")]
    pub position: String,
    /// `win`, `value` or `'at-least OUTCOME'` [default: value]
    #[arg(long, short, value_name = "Q")]
    pub question: Option<String>,
    /// What a node knows; picked for the game when not given
    #[arg(long, short, value_parser = Words::<SchemeWord>::NEW)]
    pub scheme: Option<SchemeWord>,
    /// How the space is walked; picked for the game when not given
    #[arg(long, short, value_parser = Words::<DriverWord>::NEW)]
    pub driver: Option<DriverWord>,
    /// Where the value of a new leaf comes from; picked for the scheme when not given
    #[arg(long, value_parser = Words::<InitWord>::NEW)]
    pub init: Option<InitWord>,
    /// How a scheme for two outcomes is asked about many [default: dichotomic]
    #[arg(long, value_parser = Words::<OutcomesWord>::NEW)]
    pub outcomes: Option<OutcomesWord>,
    /// The exploration constant of mcts and sbmcts [default: the root of 2]
    #[arg(long, value_name = "C")]
    pub exploration: Option<f64>,
    /// sbmcts: the weight of the bound that a side is sure of [default: 0]
    #[arg(long, value_name = "G", allow_negative_numbers = true)]
    pub gamma: Option<f64>,
    /// sbmcts: the weight of the bound that a side may hope for [default: 0]
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub delta: Option<f64>,
    /// sbmcts: follow children that cannot matter, too: an MCTS Solver for many outcomes
    #[arg(long)]
    pub no_cuts: bool,
    /// sbmcts: how many playouts weigh as much as what is known of a move elsewhere [default: 0]
    #[arg(long, value_name = "K")]
    pub rave: Option<f64>,
    /// squared: the scheme of the inner searches [default: that of the outer one]
    #[arg(long, value_parser = Words::<SchemeWord>::NEW)]
    pub inner: Option<SchemeWord>,
    /// How alphabeta orders moves, behind the table's move [default: game]
    #[arg(long, value_parser = Words::<OrderWord>::NEW)]
    pub order: Option<OrderWord>,
    /// How alphabeta goes through the space [default: null]
    #[arg(long, value_parser = Words::<WalkWord>::NEW)]
    pub walk: Option<WalkWord>,
    /// smab: compute no bounds before so many rows and columns are filled [default: 4]
    #[arg(long, value_name = "S")]
    pub skip: Option<usize>,
    /// smab: the order in which pairs of moves are looked at [default: l-shaped]
    #[arg(long, value_parser = Words::<CellsWord>::NEW)]
    pub cells: Option<CellsWord>,
    /// Write the certificate to this file
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// What may be used.
    #[command(flatten)]
    pub budget: BudgetArgs,
    /// Do not use what the game knows statically: rules only
    #[arg(long)]
    pub no_knowledge: bool,
    /// Take mirror images of a position apart
    #[arg(long)]
    pub no_symmetry: bool,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub json: bool,
}

/// What `combat` is told.
#[derive(Clone, Debug, Args)]
pub struct CombatArgs {
    /// A script (random, closest, weakest, kiting, attack-value, nok-av, kiting-av) or `abcd`,
    /// with its settings behind a colon: `abcd:alt,playout,5ms`
    #[arg(default_value = "abcd")]
    pub player: String,
    /// The other player, or `all` for all scripts, one after the other
    #[arg(default_value = "nok-av")]
    pub foe: String,
    /// The units, at random places: '4 marine, 2 zergling' [default: 2 marine, 2 zergling]
    #[arg(long, value_name = "ARMY")]
    pub army: Option<String>,
    /// The other player's units [default: the same, at the mirror images of those places]
    #[arg(long, value_name = "ARMY")]
    pub foe_army: Option<String>,
    /// Fight so many battles of the thesis' armies, for a score [default with `all`: 365]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub battles: Option<u32>,
    /// Draw every so many frames of the battle; there are 24 in a second
    #[arg(long, value_name = "N")]
    pub frames: Option<u32>,
    /// Write the battle as a picture that moves to this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// The seed of places and of everything random
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Battles at the same time; more than there are cores take time from each other
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub threads: u32,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub json: bool,
}

/// What `check` is told.
#[derive(Clone, Debug, Args)]
pub struct CheckArgs {
    /// The game: `name` or `name:options`
    pub game: String,
    /// The formula, such as 'omega(3)', or a chess stipulation: #3, h#2, h#2.5, s#2
    pub formula: Option<String>,
    /// The position: the game's own text or `moves:a1,b2,…`
    #[arg(long, short, value_name = "P", default_value = "start")]
    pub position: String,
    /// A file with definitions of your own: def mine(n) = w | <A>[B] mine(n-1)
    #[arg(long, value_name = "FILE")]
    pub define: Option<PathBuf>,
    /// Who is A [default: the side to move; the other side in helpmate and selfmate]
    #[arg(long = "as", value_name = "ROLE")]
    pub protagonist: Option<String>,
    /// How the formula is searched [default: alphabeta]
    #[arg(long, short, value_parser = Words::<AlgorithmWord>::NEW)]
    pub algorithm: Option<AlgorithmWord>,
    /// mps: what a proof costs [default: queries]
    #[arg(long, value_parser = Words::<CostWord>::NEW)]
    pub cost: Option<CostWord>,
    /// mps: what an atom costs [default: by --cost]
    #[arg(long, value_name = "N")]
    pub atom_cost: Option<u32>,
    /// mps: what a list of moves costs, for A and then for the others, as N or N,N,…
    #[arg(long, value_name = "N,…", value_delimiter = ',')]
    pub move_cost: Vec<u32>,
    /// pnps: the effort for both parts of an `and` is that of the harder part, as in λ-search
    #[arg(long)]
    pub lambda: bool,
    /// Find all keys: all first moves after which the formula goes on to hold; all lines where
    /// only one's own or helping moves come up
    #[arg(long)]
    pub all: bool,
    /// Ask many: a file with a position, a tab and a formula on each line; one JSON object each
    #[arg(long, value_name = "FILE")]
    pub batch: Option<PathBuf>,
    /// Print the formula written out and in words, and search nothing
    #[arg(long)]
    pub explain: bool,
    /// Print the proof as a tree
    #[arg(long)]
    pub tree: bool,
    /// Write the certificate to this file; as a picture for Graphviz if it ends in .dot
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// What may be used.
    #[command(flatten)]
    pub budget: BudgetArgs,
    /// Do not use what the game knows statically: rules only
    #[arg(long)]
    pub no_knowledge: bool,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub json: bool,
}

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

/// What `reproduce` is told.
#[derive(Clone, Debug, Args)]
pub struct ReproduceArgs {
    /// The table or figure; a list of them when not given
    pub name: Option<String>,
    /// A small version: the smallest boards, few positions, low limits
    #[arg(long)]
    pub quick: bool,
    /// How many positions, or runs of each search, where there are many
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub sample: Option<u32>,
    /// How a table is written [default: text]
    #[arg(long, value_parser = Words::<FormatWord>::NEW)]
    pub format: Option<FormatWord>,
    /// Write the table, or the figure as SVG, to this file
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// What each search may use [default: 60s, or what the table says].
    #[command(flatten)]
    pub budget: BudgetArgs,
}

/// What a long command may use.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Budget")]
pub struct BudgetArgs {
    /// Stop after this time: 500ms, 60s, 10m, 2h
    #[arg(long, value_parser = duration)]
    pub time: Option<Duration>,
    /// Stop after this many nodes: 500k, 10M, 2G
    #[arg(long, value_parser = count)]
    pub nodes: Option<u64>,
    /// Hold at most this many bytes: 500M, 4G [default: three quarters of what is free]
    #[arg(long, value_parser = bytes)]
    pub memory: Option<u64>,
    /// Threads to use: squared expands several leaves at once, the other drivers use one
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub threads: u32,
    /// The seed of everything random
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
}

impl BudgetArgs {
    /// What may be used, as plain data.
    pub fn budget(&self) -> Budget {
        Budget {
            limits: Limits {
                nodes: self.nodes.unwrap_or(u64::MAX),
                bytes: self.memory.unwrap_or_else(crate::session::memory_to_use),
            },
            time: self.time,
            playouts: None,
            seed: self.seed,
            threads: self.threads,
        }
    }
}

/// What `verify` is told.
#[derive(Clone, Debug, Args)]
pub struct VerifyArgs {
    /// The file that `solve --proof` wrote
    pub file: PathBuf,
    /// Accept no claim by static knowledge, whatever its reason: rules only
    #[arg(long, conflicts_with_all = ["trust", "expand"])]
    pub strict: bool,
    /// Believe the knowledge of this name where its reason does not show the claim
    #[arg(long, value_name = "NAME")]
    pub trust: Vec<String>,
    /// Prove by a search what knowledge says where its reason does not show it
    #[arg(long)]
    pub expand: bool,
    /// The file with the rules, instead of the one that the certificate names
    #[arg(long, value_name = "FILE")]
    pub rules: Option<PathBuf>,
    /// Stop after this time: 500ms, 60s, 10m, 2h
    #[arg(long, value_parser = duration)]
    pub time: Option<Duration>,
    /// Hold at most this many bytes: 500M, 4G
    #[arg(long, value_parser = bytes)]
    pub memory: Option<u64>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// The schemes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchemeWord {
    /// best first minimax
    Minmax,
    /// proof numbers
    Pn,
    /// product propagation
    Pp,
    /// Monte Carlo tree search that proves
    Mcts,
    /// best first minimax, all outcomes in one search
    #[value(name = "mo(minmax)")]
    MoMinmax,
    /// proof numbers, all outcomes in one search: MOPNS
    #[value(name = "mo(pn)")]
    MoPn,
    /// product propagation, all outcomes in one search
    #[value(name = "mo(pp)")]
    MoPp,
    /// Monte Carlo tree search that proves, all outcomes in one search
    #[value(name = "mo(mcts)")]
    MoMcts,
    /// bounds of the value and nothing else
    Blind,
    /// score bounded Monte Carlo tree search
    Sbmcts,
    /// joint moves: backward induction
    Bi,
    /// joint moves: Simultaneous Move Alpha-Beta
    Smab,
    /// joint moves: double oracle with alpha-beta bounds
    #[value(name = "do")]
    DoubleOracle,
    /// joint moves: the sequence form, one linear program
    Sequence,
    /// joint moves, approximated: Max moves first (minmax: Min does)
    Maxmin,
    /// joint moves, approximated: both move first in turn
    Alt,
    /// joint moves, approximated: who moved last moves first
    AltLast,
    /// joint moves, approximated: lots are drawn, the mean of many searches
    Rab,
    /// joint moves, approximated: lots are drawn, one search
    RabOnce,
}

impl SchemeWord {
    /// Whether this is a way to search joint moves, and no other.
    pub fn joint(self) -> bool {
        use SchemeWord::{Alt, AltLast, Bi, DoubleOracle, Maxmin, Rab, RabOnce, Sequence, Smab};
        match self {
            Bi | Smab | DoubleOracle | Sequence | Maxmin | Alt | AltLast | Rab | RabOnce => true,
            SchemeWord::Minmax | SchemeWord::Pn | SchemeWord::Pp | SchemeWord::Mcts => false,
            SchemeWord::MoMinmax | SchemeWord::MoPn | SchemeWord::MoPp => false,
            SchemeWord::MoMcts | SchemeWord::Blind | SchemeWord::Sbmcts => false,
        }
    }
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

/// The drivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DriverWord {
    /// best first, the tree in memory
    Tree,
    /// best first, one node a position
    Dag,
    /// depth first, no scheme
    Dfs,
    /// depth first with a table and move ordering, no scheme
    Alphabeta,
    /// depth first with thresholds and a table, for pn (df-pn), pp, mo(pn), mo(pp)
    Df,
    /// best first, a search at each leaf: PN², PP²
    Squared,
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

/// Where the values of leaves come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InitWord {
    /// pn: one and one
    One,
    /// pp: one half
    Half,
    /// minmax: zero
    Zero,
    /// pn, pp, minmax: by the numbers of moves
    Mobility,
    /// pp, mcts, minmax: by the game's own evaluation
    Evaluation,
    /// mcts, pp, minmax: by a random play
    Playout,
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

/// What to do with a rulesheet.
#[derive(Debug, Subcommand)]
pub enum GdlCommand {
    /// List everything that GDL demands and a rulesheet breaks, and what random play shows
    Check {
        /// The rulesheet
        file: PathBuf,
        /// How many games are played at random
        #[arg(long, value_name = "N", default_value_t = 20)]
        playouts: u64,
        /// How the rules are run; the fastest that takes the rulesheet when not given
        #[arg(long, value_parser = Words::<BackendWord>::NEW)]
        backend: Option<BackendWord>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Show a rulesheet after a step of the compiler
    Show {
        /// The rulesheet
        file: PathBuf,
        /// Which step
        #[arg(long, value_parser = Words::<StepWord>::NEW, default_value = "mini")]
        step: StepWord,
    },
    /// Play given moves, and print what the rules say about every state
    Replay {
        /// The rulesheet
        file: PathBuf,
        /// One object a line: {"p":0,"move":["(mark 1 3)","noop"]}; a new `p` begins a new game
        moves: PathBuf,
        /// How the rules are run; the fastest that takes the rulesheet when not given
        #[arg(long, value_parser = Words::<BackendWord>::NEW)]
        backend: Option<BackendWord>,
    },
    /// Play at random, and print what the rules say about every state
    Random {
        /// The rulesheet
        file: PathBuf,
        /// Equal seeds give equal games
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
        /// How many games
        #[arg(long, value_name = "K", default_value_t = 1)]
        playouts: usize,
        /// Games of more moves are cut here
        #[arg(long, value_name = "N", default_value_t = 1000)]
        longest: usize,
        /// How the rules are run; the fastest that takes the rulesheet when not given
        #[arg(long, value_parser = Words::<BackendWord>::NEW)]
        backend: Option<BackendWord>,
    },
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

/// How a player sits down.
#[derive(Debug, Args)]
pub struct PlayerArgs {
    /// The port to listen on; 0 takes a free one
    #[arg(long, value_name = "N", default_value_t = 9147)]
    pub port: u16,
    /// The address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "0.0.0.0")]
    pub host: String,
    /// The name that the player gives
    #[arg(long, default_value = "foregone")]
    pub name: String,
    /// How long before the clock ends it answers
    #[arg(long, value_name = "TIME", default_value = "500ms", value_parser = duration)]
    pub margin: Duration,
    /// Equal seeds make equal random plays
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Do not think while others are awaited
    #[arg(long)]
    pub no_ponder: bool,
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
    /// how many states of a battle are searched a second
    Combat,
    /// random plays per second
    Playouts,
    /// rulesheets: set-up, random plays and solving, beside the figures of others
    Gdl,
    /// bytes of a node, and memory as the operating system sees it
    Memory,
}

const SOLVE_EXAMPLES: &str = "\
Examples:
  foregone solve domineering:5x5
  foregone solve connect-four:4x4 --question 'at-least draw'
  foregone solve connect-four:5x4 --position moves:1,2,3,4 --scheme pn
  foregone solve nim:3,5,6 --driver dfs --json
  foregone solve explicit:examples/figure-2-2.game --proof proof.txt
  foregone solve goofspiel:6 --position moves:6/1,5/4
  foregone solve goofspiel:7 --scheme smab --driver tree

Exit codes: 0 answered, 1 undecided within the budget, 2 bad input, 3 proof rejected,
130 interrupted.";

const CHECK_EXAMPLES: &str = "\
Examples:
  foregone check chess 'omega(2)' --position '5k2/8/5K2/8/8/8/8/7R w - - 0 1' --tree
  foregone check chess h#2 --all --position '4R3/8/8/8/1b2K3/8/8/6k1 b - - 0 1'
  foregone check hex:4 'ladder(5)' --position '.x../.x../o.o./.... red'
  foregone check tic-tac-toe '<x>[o]<x> w' --position 'xo./.x./..o x' --as x
  foregone check chess '<A>[B] captured(q)' --position FEN --algorithm mps --cost depth
  foregone check chess 'mine(3)' --define mine.txt --explain
  foregone check chess --batch problems.tsv --all

Formulas: propositions of the game (`foregone games NAME` lists them), ! & | ->, <A>f (A has
a move after which f), [A]f (after all moves of A, f); agents are A, B, B1, B2, … or players;
classes such as omega(3) (`foregone concepts` lists them). A final position that A has not won
lets all others pass, so that a stalemate proves nothing.

Exit codes: 0 answered, 1 undecided within the budget, 2 bad input, 3 proof rejected,
130 interrupted.";

const MATRIX_EXAMPLES: &str = "\
Examples:
  foregone matrix examples/rock-paper-scissors.csv
  foregone matrix examples/inspection.csv --json

Payoffs are whole numbers, decimals or fractions such as -3/2. A line that begins with # is a
comment. Up to 40 moves of either player the answer is exact; beyond, it says how far off it may be.

Exit codes: 0 answered, 2 bad input, 3 answer rejected by the check.";

const GDL_EXAMPLES: &str = "\
Examples:
  foregone gdl check rulesheets/tic-tac-toe.kif
  foregone gdl show rulesheets/tic-tac-toe.kif --step normal
  foregone gdl random rulesheets/nim.kif --seed 7 --playouts 2
  foregone gdl replay rulesheets/nim.kif moves.jsonl --backend plain
  foregone solve gdl:rulesheets/tic-tac-toe.kif

Exit codes: 0 done, 2 bad input or a rulesheet with problems.";

const PLAYER_EXAMPLES: &str = "\
Examples:
  foregone player
  foregone player --port 9148 --name second --margin 1s

A server reaches it by its address and port; Ctrl-C ends it.";

const COMBAT_EXAMPLES: &str = "\
Examples:
  foregone combat abcd nok-av --army '3 marine, 2 zergling' --svg battle.svg
  foregone combat kiting closest --army '2 dragoon' --foe-army '4 zealot' --frames 24
  foregone combat abcd all --battles 365
  foregone combat abcd:alt-last,playout,20ms abcd:rab-once,ltd2,500nodes --battles 100
  foregone combat abcd:known closest --battles 100

Settings of abcd: ltd, ltd2, playout (how leaves are judged); alt, alt-last, rab, rab-once, maxmin,
minmax (who chooses first); 5ms or 500nodes (for a decision); depth=N (moves ahead; 2 with playouts
when not given); known (it knows the other's script).
Units: marine (M), zergling (Z), dragoon (D), zealot (T); up to eight a side, capitals for the
first player's.

Exit codes: 0 fought, 2 bad input, 130 interrupted.";

const VERIFY_EXAMPLES: &str = "\
Examples:
  foregone solve domineering:4x4 --proof proof.txt
  foregone verify proof.txt
  foregone verify proof.txt --strict --json
  foregone verify proof.txt --expand --time 10m
  foregone verify proof.txt --rules renamed.game

Exit codes: 0 proved, 1 undecided within the budget, 2 bad input, 3 proof rejected, 130 interrupted.";

const SHOW_EXAMPLES: &str = "\
Examples:
  foregone show hex:5
  foregone show connect-four:6x7 --position 4444
  foregone show domineering:4x4 --position moves:a1a2,c1d1";

const PERFT_EXAMPLES: &str = "\
Examples:
  foregone perft connect-four:6x7 7
  foregone perft breakthrough:6x6 4 --position moves:a2-a3";

const BENCH_EXAMPLES: &str = "\
Examples:
  foregone bench signature
  foregone bench pns playouts";

const REPRODUCE_EXAMPLES: &str = "\
Examples:
  foregone reproduce
  foregone reproduce table-2.2 --time 10s
  foregone reproduce slides-atarigo --format markdown --out atarigo.md
  foregone reproduce figure-2.3 --out figure.svg
  foregone reproduce table-3.1 --sample 64

The budget is that of each search: 60s when nothing is said, 500ms for the positions of
table-2.1 and figure-2.3, nodes for chapter 3 and playouts for chapter 4.

Exit codes: 0 done, 2 bad input, 3 a wrong answer, 130 interrupted.";

/// Reads one of a list of words. It differs from clap's own reader in one thing: a wrong word is
/// answered with the nearest one, however short it is.
#[derive(Clone, Debug)]
struct Words<E>(PhantomData<E>);

impl<E> Words<E> {
    const NEW: Words<E> = Words(PhantomData);
}

impl<E: ValueEnum + Clone + Send + Sync + 'static> TypedValueParser for Words<E> {
    type Value = E;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<E, clap::Error> {
        let read = EnumValueParser::<E>::new().parse_ref(command, argument, value);
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

/// `60s` and the like.
pub fn duration(text: &str) -> Result<Duration, String> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let scale = match unit {
        "ms" => 0.001,
        "s" | "" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => {
            return Err(format!("`{unit}` is not a unit of time, expected ms, s, m or h"));
        }
    };
    match number.parse::<f64>() {
        Ok(n) if n >= 0.0 && n * scale < 1e9 => Ok(Duration::from_secs_f64(n * scale)),
        _ => Err(format!("`{number}` is not a number of seconds, minutes or hours")),
    }
}

/// `10M` and the like: thousands.
pub fn count(text: &str) -> Result<u64, String> {
    scaled(text, 1000)
}

/// `4G` and the like: in powers of 1024, as memory is counted.
pub fn bytes(text: &str) -> Result<u64, String> {
    let plain = text.strip_suffix("iB").or_else(|| text.strip_suffix('B')).unwrap_or(text);
    scaled(plain, 1024)
}

fn scaled(text: &str, base: u64) -> Result<u64, String> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let scale = match unit {
        "" => 1,
        "k" | "K" => base,
        "M" => base.pow(2),
        "G" => base.pow(3),
        "T" => base.pow(4),
        _ => return Err(format!("`{unit}` is not a unit, expected k, M, G or T")),
    };
    match number.parse::<f64>() {
        Ok(n) if n >= 0.0 && n * (scale as f64) < 9e18 => Ok((n * scale as f64) as u64),
        _ => Err(format!("`{number}` is not a number")),
    }
}
