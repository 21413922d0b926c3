//! The words of `table`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::help::{
    TABLE_BEST_EXAMPLES, TABLE_BUILD_EXAMPLES, TABLE_INFO_EXAMPLES, TABLE_LIST_EXAMPLES,
    TABLE_MATERIAL_EXAMPLES, TABLE_PROBE_EXAMPLES, TABLE_VERIFY_EXAMPLES,
};
use super::{ClusterArgs, bytes, duration, whole};

/// What can be done with tables.
#[derive(Clone, Debug, Subcommand)]
pub enum TableCommand {
    /// Work out what every position of a game, or of a class of its positions, is worth
    #[command(after_help = TABLE_BUILD_EXAMPLES)]
    Build(TableBuildArgs),
    /// List the tables of a folder
    #[command(after_help = TABLE_LIST_EXAMPLES)]
    List {
        /// Where they are.
        #[command(flatten)]
        dir: TableDir,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Tell what a table holds: outcomes by distance, and the longest win
    #[command(after_help = TABLE_INFO_EXAMPLES)]
    Info {
        /// Which table.
        #[command(flatten)]
        table: TableName,
        /// Draw the distribution of distances into this file
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Look up a position: its value, every move with its own, and the best line
    #[command(after_help = TABLE_PROBE_EXAMPLES)]
    Probe(TableProbeArgs),
    /// Print the best moves of a position, one a line
    #[command(after_help = TABLE_BEST_EXAMPLES)]
    Best(TableProbeArgs),
    /// Check that tables are right: every entry is what the rules make it
    #[command(after_help = TABLE_VERIFY_EXAMPLES)]
    Verify {
        /// Which table; a file works, too. All that it leads to are checked with it.
        #[command(flatten)]
        table: TableName,
        /// Threads to use [default: as many as there are cores]
        #[arg(long, value_parser = whole::<1, 1024>, allow_negative_numbers = true)]
        threads: Option<u32>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Count how many tables material symmetry saves, beside the figures of the source papers
    #[command(after_help = TABLE_MATERIAL_EXAMPLES)]
    Material {
        /// dark-chess or dominoes
        game: String,
        /// Up to so many elements
        #[arg(value_parser = whole::<2, 8>, allow_negative_numbers = true)]
        elements: u32,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

/// Where tables are.
#[derive(Clone, Debug, Args)]
pub struct TableDir {
    /// The folder for tables [default: $FOREGONE_TABLES, or `tables`]
    #[arg(long = "dir", value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl TableDir {
    /// The folder.
    pub fn path(&self) -> PathBuf {
        self.dir.clone().or_else(tables_of_environment).unwrap_or_else(|| "tables".into())
    }
}

/// The folder for tables that the environment names.
pub fn tables_of_environment() -> Option<PathBuf> {
    std::env::var_os("FOREGONE_TABLES").filter(|dir| !dir.is_empty()).map(PathBuf::from)
}

/// A table.
#[derive(Clone, Debug, Args)]
pub struct TableName {
    /// The game: `name` or `name:options`, or `chess:KQKR` with a class
    pub game: String,
    /// The class of positions: a material, a number of pieces or of seeds
    pub class: Option<String>,
    /// Where it is.
    #[command(flatten)]
    pub dir: TableDir,
}

/// What `table build` is told.
#[derive(Clone, Debug, Args)]
pub struct TableBuildArgs {
    /// What is to be built.
    #[command(flatten)]
    pub table: TableName,
    /// Threads to use [default: as many as there are cores]
    #[arg(long, value_parser = whole::<1, 1024>, allow_negative_numbers = true)]
    pub threads: Option<u32>,
    /// Bytes for other tables and lists of moves; the positions themselves stand in files that are
    /// mapped into memory: 500M, 4G [default: three quarters of what is free]
    #[arg(long, value_parser = bytes, allow_negative_numbers = true)]
    pub memory: Option<u64>,
    /// Note how far the work is, so that it can be taken up again, as often as this
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration)]
    pub every: Duration,
    /// Who builds.
    #[command(flatten)]
    pub cluster: ClusterArgs,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub json: bool,
}

/// What `table probe` and `table best` are told.
#[derive(Clone, Debug, Args)]
pub struct TableProbeArgs {
    /// The game: `name` or `name:options`
    pub game: String,
    /// The position: the game's own text or `moves:a1,b2,…`
    #[arg(long, short, value_name = "P", default_value = "start")]
    pub position: String,
    /// Where its tables are.
    #[command(flatten)]
    pub dir: TableDir,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}
