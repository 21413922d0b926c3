//! The command line as words. `to_job.rs` turns them into plain data.

use std::path::PathBuf;
use std::time::Duration;

pub use clap::Args;
use clap::{Parser, Subcommand};
use foregone::problem::written::Style;
use foregone::{Budget, Error};
use foregone_search::drive::Threats;
use foregone_search::{DriverSpec, Init, SchemeSpec};

use self::help::{
    BENCH_EXAMPLES, CHECK_EXAMPLES, CLUSTER_EXAMPLES, COMBAT_EXAMPLES, COMPARE_EXAMPLES,
    COMPLETIONS_EXAMPLES, CONCEPTS_EXAMPLES, DRAW_EXAMPLES, EXAMPLES, GAMES_EXAMPLES,
    GDL_CHECK_EXAMPLES, GDL_EXAMPLES, GDL_RANDOM_EXAMPLES, GDL_REPLAY_EXAMPLES, GDL_SHOW_EXAMPLES,
    MATCH_EXAMPLES, MATRIX_EXAMPLES, PERFT_EXAMPLES, PLAY_EXAMPLES, PLAYER_EXAMPLES,
    REPRODUCE_EXAMPLES, RESUME_EXAMPLES, RUN_EXAMPLES, SCHEMES_EXAMPLES, SERVE_EXAMPLES,
    SHOW_EXAMPLES, SIMULATE_EXAMPLES, SOLVE_EXAMPLES, TABLE_EXAMPLES, VALUE_EXAMPLES,
    VERIFY_EXAMPLES, WORKER_EXAMPLES,
};
use self::words::{Specs, Words};

mod checkpoint;
mod cluster;
mod compare;
mod help;
mod play;
mod serve;
mod table;
mod value;
mod values;
mod words;

pub use checkpoint::{KeepArgs, ResumeArgs};
pub use cluster::{ClusterArgs, ClusterCommand, ClusterResumeArgs, SimulateArgs, WorkerArgs};
pub use compare::{CompareArgs, Measured};
pub use play::{DiceWord, MatchArgs, MoveBudgetArgs, PlayArgs};
pub use serve::ServeArgs;
pub use table::{
    TableBuildArgs, TableCommand, TableDir, TableName, TableProbeArgs, tables_of_environment,
};
pub use value::ValueArgs;
pub use values::{ProgressWhen, bytes, count, duration, port, progress, seed, whole};
pub use words::{
    AlgorithmWord, BackendWord, BenchPart, CellsWord, CostWord, FormatWord, Listed, NotationWord,
    OrderWord, OutcomesWord, SchemeArg, StepWord, WalkWord,
};

/// The words behind a command, read by those who have no command line: what a program in another language
/// says in arguments of its own.
pub fn read_words<A: Args>(words: impl IntoIterator<Item = String>) -> Result<A, Error> {
    let command = A::augment_args(clap::Command::new("foregone").no_binary_name(true));
    let wrong = |error: clap::Error| crate::report::of_named_words(&error);
    let matches = command.try_get_matches_from(words).map_err(wrong)?;
    A::from_arg_matches(&matches).map_err(wrong)
}

/// Who wins this game, and how do you know?
#[derive(Debug, Parser)]
#[command(name = "foregone", version, about, max_term_width = 100, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Show how far it is, on standard error: auto, always, never, or a line every 10s
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", value_parser = progress)]
    pub progress: ProgressWhen,
}

/// The commands.
#[derive(Debug, Subcommand)]
#[expect(clippy::large_enum_variant, reason = "there is one of them in a process")]
pub enum Command {
    /// List the games with their options
    #[command(after_help = GAMES_EXAMPLES)]
    Games {
        /// Tell more about this one: `name` or `name:options`
        #[arg(value_name = "GAME")]
        name: Option<String>,
    },
    /// List schemes and drivers with their options: the ways to search
    #[command(after_help = SCHEMES_EXAMPLES)]
    Schemes {
        /// Tell more about this one
        name: Option<String>,
    },
    /// Find out who wins, with a proof that was checked
    #[command(after_help = SOLVE_EXAMPLES)]
    Solve(SolveArgs),
    /// Ask a formula of a position: mates, ladders, threats, with a proof that was checked
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckArgs),
    /// Run a job from its text or from JSON, such as the lines that `bench` prints
    #[command(after_help = RUN_EXAMPLES)]
    Run {
        /// The job: `GAME KEY=VALUE …`, or a JSON object
        #[arg(required = true)]
        job: Vec<String>,
        /// Write the certificate to this file, as a drawing if it ends in .svg or .dot; `-` is
        /// standard output
        #[arg(long, value_name = "FILE")]
        proof: Option<PathBuf>,
        /// Print one JSON object and nothing else
        #[arg(long)]
        json: bool,
    },
    /// Go on with a job from the checkpoint that `solve` or `check` kept of it
    #[command(after_help = RESUME_EXAMPLES)]
    Resume(ResumeArgs),
    /// List the classes of formulas that `check` knows
    #[command(after_help = CONCEPTS_EXAMPLES)]
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
    /// What a position is worth in sums, with a proof that was checked; a calculator for such values
    #[command(after_help = VALUE_EXAMPLES)]
    Value(ValueArgs),
    /// Rulesheets of the Game Description Language: check, compile, replay and play them
    #[command(after_help = GDL_EXAMPLES, subcommand)]
    Gdl(GdlCommand),
    /// Look into leaves for whoever solves on a NATS server, until it is stopped
    #[command(after_help = WORKER_EXAMPLES)]
    Worker(WorkerArgs),
    /// Solves on a NATS server: list them, tell how far they are, end them, go on with them
    #[command(after_help = CLUSTER_EXAMPLES, subcommand)]
    Cluster(ClusterCommand),
    /// Show how a solve would grow with the number of workers, in virtual time
    #[command(after_help = SIMULATE_EXAMPLES)]
    SimulateCluster(SimulateArgs),
    /// Open the door for a browser: boards, searches and proofs to look at
    #[command(after_help = SERVE_EXAMPLES)]
    Serve(ServeArgs),
    /// Play against the machine, with hints and what is proved
    #[command(after_help = PLAY_EXAMPLES)]
    Play(PlayArgs),
    /// Let two players play many games, and tell how much stronger one is
    #[command(after_help = MATCH_EXAMPLES)]
    Match(MatchArgs),
    /// Play general game playing matches: the GGP protocol over HTTP
    #[command(after_help = PLAYER_EXAMPLES)]
    Player(PlayerArgs),
    /// Fight small battles in real time: scripts, and searches that answer within milliseconds
    #[command(after_help = COMBAT_EXAMPLES)]
    Combat(CombatArgs),
    /// Tables of all positions: build them, look positions up, check every entry
    #[command(after_help = TABLE_EXAMPLES, subcommand)]
    Table(TableCommand),
    /// Check a certificate
    #[command(after_help = VERIFY_EXAMPLES)]
    Verify(VerifyArgs),
    /// Draw a position and list its moves
    #[command(after_help = SHOW_EXAMPLES)]
    Show {
        /// The game
        game: String,
        /// The position: the game's own text or `moves:a1,b2,…`
        #[arg(long, short, value_name = "P", default_value = "start")]
        position: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Draw a position as a picture: SVG, for a browser or a page
    #[command(after_help = DRAW_EXAMPLES)]
    Draw(DrawArgs),
    /// Count move sequences
    #[command(after_help = PERFT_EXAMPLES)]
    Perft {
        /// The game
        game: String,
        /// How many moves
        #[arg(value_parser = whole::<0, 1000>, allow_negative_numbers = true)]
        depth: u32,
        /// The position: the game's own text or `moves:a1,b2,…`
        #[arg(long, short, value_name = "P", default_value = "start")]
        position: String,
        /// Stop after this time: 500ms, 60s, 10m, 2h
        #[arg(long, value_parser = duration)]
        time: Option<Duration>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Run many searches beside one another: games x schemes x drivers, as a table and a plot
    #[command(after_help = COMPARE_EXAMPLES)]
    Compare(CompareArgs),
    /// Measure this build: node counts, speeds, memory
    #[command(after_help = BENCH_EXAMPLES)]
    Bench {
        /// What to measure; everything when not given
        #[arg(value_parser = Words::<BenchPart>::NEW)]
        parts: Vec<BenchPart>,
    },
    /// Run a table or a figure of the source papers again, beside their figures
    #[command(after_help = REPRODUCE_EXAMPLES)]
    Reproduce(ReproduceArgs),
    /// Print a completion script for a shell
    #[command(after_help = COMPLETIONS_EXAMPLES)]
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
    /// Who is Max: whose outcome is asked [default: the first player]
    #[arg(long = "for", value_name = "PLAYER")]
    pub player: Option<String>,
    /// Tell the value of each legal move, too
    #[arg(long)]
    pub moves: bool,
    /// How the others play: random, first, ahead(N), proof:FILE, or several, `first:1,random:3`
    #[arg(long, value_name = "M")]
    pub opponent: Option<String>,
    /// By how much a draw is worth less than half a point [default: 0]
    #[arg(long, value_name = "K", allow_hyphen_values = true)]
    pub contempt: Option<String>,
    /// What a node knows: pn, pp, mcts, … (`foregone schemes` lists them) [default: the game's]
    #[arg(long, short, value_name = "S", value_parser = Specs::<SchemeArg>::NEW)]
    #[arg(hide_possible_values = true)]
    pub scheme: Option<SchemeArg>,
    /// How the space is walked: tree, dag, squared, dfs, alphabeta, df, connections, threats,
    /// parts, lambda [default: the game's]
    #[arg(long, short, value_name = "D", value_parser = Specs::<DriverSpec>::NEW)]
    #[arg(hide_possible_values = true)]
    pub driver: Option<DriverSpec>,
    /// Where the value of a new leaf comes from [default: the scheme's]
    #[arg(long, hide = true, value_name = "I", value_parser = Specs::<Init>::NEW)]
    pub init: Option<Init>,
    /// How a scheme for two outcomes is asked about many [default: dichotomic]
    #[arg(long, hide = true, value_name = "O", value_parser = Words::<OutcomesWord>::NEW)]
    pub outcomes: Option<OutcomesWord>,
    /// The exploration constant of mcts and sbmcts [default: the root of 2]
    #[arg(long, hide = true, value_name = "C")]
    pub exploration: Option<f64>,
    /// sbmcts: the weight of the bound that a side is sure of [default: 0]
    #[arg(long, hide = true, value_name = "G", allow_negative_numbers = true)]
    pub gamma: Option<f64>,
    /// sbmcts: the weight of the bound that a side may hope for [default: 0]
    #[arg(long, hide = true, value_name = "D", allow_negative_numbers = true)]
    pub delta: Option<f64>,
    /// sbmcts: follow children that cannot matter, too: an MCTS Solver for many outcomes
    #[arg(long, hide = true)]
    pub no_cuts: bool,
    /// mcts, sbmcts: how many playouts weigh as much as what is known of a move elsewhere [default: 0]
    #[arg(long, hide = true, value_name = "K")]
    pub rave: Option<f64>,
    /// squared: the scheme of the inner searches [default: that of the outer one]
    #[arg(long, hide = true, value_name = "S", value_parser = Specs::<SchemeSpec>::NEW)]
    pub inner: Option<SchemeSpec>,
    /// How alphabeta orders moves, behind the table's move [default: game]
    #[arg(long, hide = true, value_name = "O", value_parser = Words::<OrderWord>::NEW)]
    pub order: Option<OrderWord>,
    /// lambda: the largest order of threats [default: 3]
    #[arg(long, hide = true, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(..=i64::from(Threats::LARGEST)))]
    pub threats: Option<u32>,
    /// lambda: search all replies, also those outside of the zone of a threat
    #[arg(long, hide = true)]
    pub no_zones: bool,
    /// How alphabeta goes through the space [default: null]
    #[arg(long, hide = true, value_name = "W", value_parser = Words::<WalkWord>::NEW)]
    pub walk: Option<WalkWord>,
    /// smab: compute no bounds before so many rows and columns are filled [default: 4]
    #[arg(long, hide = true, value_name = "S")]
    pub skip: Option<usize>,
    /// smab: the order in which pairs of moves are looked at [default: l-shaped]
    #[arg(long, hide = true, value_name = "C", value_parser = Words::<CellsWord>::NEW)]
    pub cells: Option<CellsWord>,
    /// Write the certificate to this file, as a drawing if it ends in .svg or .dot; `-` is
    /// standard output
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// Print the proof as a tree, so many moves deep [default: as deep as fits a page or two]
    #[arg(long, value_name = "DEPTH", num_args = 0..=1, require_equals = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub tree: Option<Option<u32>>,
    /// Draw the position to this file, with the line on it, or with `--moves` the values of moves
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Ask the tables in this folder (`foregone table build`) [default: $FOREGONE_TABLES]
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,
    /// Do not use what the game knows statically, nor tables: rules only
    #[arg(long)]
    pub no_knowledge: bool,
    /// Treat mirror images of a position as different positions
    #[arg(long)]
    pub no_symmetry: bool,
    /// Answer every move of the opponent in the proof with lines of its own, also those that one line
    /// about all others covers
    #[arg(long)]
    pub no_cover: bool,
    /// How it is kept and told of.
    #[command(flatten)]
    pub keep: KeepArgs,
    /// Who searches.
    #[command(flatten)]
    pub cluster: ClusterArgs,
    /// How moves are written.
    #[command(flatten)]
    pub notation: NotationArgs,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub json: bool,
    /// What may be used.
    #[command(flatten)]
    pub budget: BudgetArgs,
}

/// What `draw` is told.
#[derive(Clone, Debug, Args)]
pub struct DrawArgs {
    /// The game: `name` or `name:options`
    pub game: String,
    /// The position: the game's own text or `moves:a1,b2,…`, whose last move is marked
    #[arg(long, short, value_name = "P", default_value = "start")]
    pub position: String,
    /// Write the picture to this file instead of standard output
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    pub svg: Option<PathBuf>,
    /// Solve the position within the budget, and mark the best line on it
    #[arg(long)]
    pub best: bool,
    /// Find out within the budget what each move is worth, and write it on the board
    #[arg(long, conflicts_with = "best")]
    pub values: bool,
    /// Print what is on the picture as one JSON object: cells, pieces, moves with their cells
    #[arg(long)]
    pub json: bool,
    /// What `--best` and `--values` may use.
    #[command(flatten)]
    pub budget: BudgetArgs,
}

/// How moves are written in answers.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct NotationArgs {
    /// How moves of chess are written: san, figurine, long or coordinates [default: san]
    #[arg(long, value_name = "HOW", value_parser = Words::<NotationWord>::NEW)]
    #[arg(hide_possible_values = true)]
    pub notation: Option<NotationWord>,
    /// The same as --notation figurine
    #[arg(long, conflicts_with = "notation")]
    pub figurine: bool,
}

impl NotationArgs {
    /// The style that they ask for.
    pub fn style(self) -> Style {
        match self.notation {
            _ if self.figurine => Style::Figurine,
            Some(NotationWord::Figurine) => Style::Figurine,
            Some(NotationWord::Long) => Style::Long,
            Some(NotationWord::Coordinates) => Style::Coordinates,
            Some(NotationWord::San) | None => Style::San,
        }
    }
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
    #[arg(long, value_name = "N", value_parser = whole::<1, 100_000>, allow_negative_numbers = true)]
    pub battles: Option<u32>,
    /// Draw every so many frames of the battle; there are 24 in a second
    #[arg(long, value_name = "N")]
    pub frames: Option<u32>,
    /// Write the battle as a picture that moves to this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// The seed of places and of everything random
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true)]
    pub seed: u64,
    /// Battles at the same time; more than there are cores take time from each other
    #[arg(long, default_value_t = 1, value_parser = whole::<1, 1024>)]
    #[arg(allow_negative_numbers = true)]
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
    /// The formula, such as 'omega(3)', or a chess stipulation: #3, h#2.5, s#2, r#2, hs#3, =2, ser-h#7
    pub formula: Option<String>,
    /// The position: the game's own text or `moves:a1,b2,…`
    #[arg(long, short, value_name = "P", default_value = "start")]
    pub position: String,
    /// A file with definitions: def f(0) = w; def f(n) = w | <A>[B] f(n-1)
    #[arg(long, value_name = "FILE")]
    pub define: Option<PathBuf>,
    /// Who is A [default: who is to move; in helpmate and selfmate the other]
    #[arg(long = "as", value_name = "ROLE")]
    pub protagonist: Option<String>,
    /// How the formula is searched: dfps, pnps, mcps, mps, … (`foregone schemes` lists them)
    /// [default: alphabeta]
    #[arg(long, short, value_name = "A", value_parser = Words::<AlgorithmWord>::NEW)]
    #[arg(hide_possible_values = true)]
    pub algorithm: Option<AlgorithmWord>,
    /// mps: what a proof costs: depth, atoms or queries [default: queries]
    #[arg(long, value_name = "C", value_parser = Words::<CostWord>::NEW)]
    #[arg(hide_possible_values = true)]
    pub cost: Option<CostWord>,
    /// mps: what an atom costs [default: by --cost]
    #[arg(long, value_name = "N")]
    pub atom_cost: Option<u32>,
    /// mps: what a list of moves costs, for A and the others: N or N,N,…
    #[arg(long, value_name = "N,…", value_delimiter = ',')]
    pub move_cost: Vec<u32>,
    /// pnps: both parts of an `and` cost what the harder one does (λ-search)
    #[arg(long)]
    pub lambda: bool,
    /// Find all keys: all first moves after which the formula goes on to hold; all lines where
    /// only one's own or helping moves come up
    #[arg(long)]
    pub all: bool,
    /// List first moves that fail to one defence, or to N, and how
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "1")]
    pub tries: Option<u32>,
    /// Tell what would happen if the other side began
    #[arg(long)]
    pub set_play: bool,
    /// Ask about a twin, too: the chess position with changes such as Kd4-e5, -a2, +wNb1, a1<->b2, or
    /// another stipulation; several times for several twins
    #[arg(long, value_name = "CHANGES", allow_hyphen_values = true)]
    #[arg(conflicts_with_all = ["checkpoint", "log"])]
    pub twin: Vec<String>,
    /// How moves are written.
    #[command(flatten)]
    pub notation: NotationArgs,
    /// Ask many: a file with a position, a tab and a formula on each line; one JSON object each
    #[arg(long, value_name = "FILE", conflicts_with_all = ["formula", "proof", "tree", "explain", "twin", "checkpoint", "log"])]
    pub batch: Option<PathBuf>,
    /// Print the formula written out and in words, and search nothing
    #[arg(long, conflicts_with_all = ["json", "twin"])]
    pub explain: bool,
    /// Print the proof as a tree, so many moves deep; with --all, the variations of all keys
    #[arg(long, value_name = "DEPTH", num_args = 0..=1, require_equals = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub tree: Option<Option<u32>>,
    /// Write the certificate to this file, as a drawing if it ends in .svg or .dot; `-` is
    /// standard output
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// Do not use what the game knows statically: rules only
    #[arg(long)]
    pub no_knowledge: bool,
    /// How it is kept and told of.
    #[command(flatten)]
    pub keep: KeepArgs,
    /// Who searches.
    #[command(flatten)]
    pub cluster: ClusterArgs,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub json: bool,
    /// What may be used.
    #[command(flatten)]
    pub budget: BudgetArgs,
}

/// What `reproduce` is told.
#[derive(Clone, Debug, Args)]
pub struct ReproduceArgs {
    /// The table or figure; a list of them when not given
    pub name: Option<String>,
    /// A small version: the smallest boards, few positions, low limits; of all when none is named
    #[arg(long)]
    pub quick: bool,
    /// How many positions, or runs of each search, where there are many
    #[arg(long, value_name = "N", value_parser = whole::<1, 100_000>, allow_negative_numbers = true)]
    pub sample: Option<u32>,
    /// How a table is written [default: text]
    #[arg(long, value_parser = Words::<FormatWord>::NEW)]
    pub format: Option<FormatWord>,
    /// Write the table, or the figure as SVG, to this file [default for figures: NAME.svg]
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
    /// Stop after this time: 500ms, 60s, 10m, 1h30m
    #[arg(long, value_parser = duration, allow_negative_numbers = true)]
    pub time: Option<Duration>,
    /// Stop after this many nodes: 500k, 10M, 1e9
    #[arg(long, value_parser = count, allow_negative_numbers = true)]
    pub nodes: Option<u64>,
    /// Hold at most this many bytes: 500M, 4G [default: three quarters of what is free]
    #[arg(long, value_parser = bytes, allow_negative_numbers = true)]
    pub memory: Option<u64>,
    /// Threads to use
    #[arg(long, default_value_t = 1, value_parser = whole::<1, 1024>)]
    #[arg(allow_negative_numbers = true)]
    pub threads: u32,
    /// Nodes of the search of a leaf, where leaves are searched: by squared, and by several threads or
    /// workers [default: by the driver]
    #[arg(long, hide = true, value_parser = count, allow_negative_numbers = true)]
    pub inner_nodes: Option<u64>,
    /// The seed of everything random
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true)]
    pub seed: u64,
}

impl BudgetArgs {
    /// What may be used, as plain data.
    pub fn budget(&self) -> Budget {
        Budget {
            nodes: self.nodes,
            memory: Some(self.memory.unwrap_or_else(crate::memory::memory_to_use)),
            time: self.time,
            playouts: None,
            threads: self.threads,
            inner_nodes: self.inner_nodes,
        }
    }
}

/// What `verify` is told.
#[derive(Clone, Debug, Args)]
pub struct VerifyArgs {
    /// The file that `solve --proof` wrote; `-` is standard input
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
    /// Stop after this time: 500ms, 60s, 10m, 1h30m
    #[arg(long, value_parser = duration, allow_negative_numbers = true)]
    pub time: Option<Duration>,
    /// Hold at most this many bytes: 500M, 4G
    #[arg(long, value_parser = bytes, allow_negative_numbers = true)]
    pub memory: Option<u64>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// What to do with a rulesheet.
#[derive(Debug, Subcommand)]
pub enum GdlCommand {
    /// List everything that GDL demands and a rulesheet breaks, and what random play shows
    #[command(after_help = GDL_CHECK_EXAMPLES)]
    Check {
        /// The rulesheet
        file: PathBuf,
        /// How many games are played at random
        #[arg(long, value_name = "N", default_value_t = 20, value_parser = seed)]
        #[arg(allow_negative_numbers = true)]
        playouts: u64,
        /// How the rules are run; the fastest that takes the rulesheet when not given
        #[arg(long, value_parser = Words::<BackendWord>::NEW)]
        backend: Option<BackendWord>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Show a rulesheet after a step of the compiler
    #[command(after_help = GDL_SHOW_EXAMPLES)]
    Show {
        /// The rulesheet
        file: PathBuf,
        /// Which step
        #[arg(long, value_parser = Words::<StepWord>::NEW, default_value = "mini")]
        step: StepWord,
    },
    /// Play given moves, and print what the rules say about every state
    #[command(after_help = GDL_REPLAY_EXAMPLES)]
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
    #[command(after_help = GDL_RANDOM_EXAMPLES)]
    Random {
        /// The rulesheet
        file: PathBuf,
        /// Equal seeds give equal games
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = seed)]
        #[arg(allow_negative_numbers = true)]
        seed: u64,
        /// How many games
        #[arg(long, value_name = "K", default_value_t = 1, value_parser = whole::<0, 1_000_000_000>)]
        #[arg(allow_negative_numbers = true)]
        playouts: u32,
        /// Games of more moves are cut here
        #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole::<0, 1_000_000_000>)]
        #[arg(allow_negative_numbers = true)]
        longest: u32,
        /// How the rules are run; the fastest that takes the rulesheet when not given
        #[arg(long, value_parser = Words::<BackendWord>::NEW)]
        backend: Option<BackendWord>,
    },
}

/// What `player` is told.
#[derive(Debug, Args)]
pub struct PlayerArgs {
    /// The port to listen on; 0 takes a free one
    #[arg(long, value_name = "N", default_value_t = 9147, value_parser = port)]
    #[arg(allow_negative_numbers = true)]
    pub port: u16,
    /// The address to listen on; 0.0.0.0 lets other machines in
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub host: String,
    /// The name that the player gives
    #[arg(long, default_value = "foregone")]
    pub name: String,
    /// How long before the clock ends it answers
    #[arg(long, value_name = "TIME", default_value = "500ms", value_parser = duration)]
    pub margin: Duration,
    /// Equal seeds make equal random plays
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = seed)]
    #[arg(allow_negative_numbers = true)]
    pub seed: u64,
    /// Do not think while others are awaited
    #[arg(long)]
    pub no_ponder: bool,
}
