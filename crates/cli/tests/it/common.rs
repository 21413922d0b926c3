//! What several tests need.

use foregone::{AnyGame, Engine, Job};
use foregone_cli::args::{Cli, Command, SolveArgs};

/// The words behind `foregone solve`, as plain data.
pub(crate) fn solve_args(words: &str) -> SolveArgs {
    use clap::Parser;
    let line = format!("foregone solve {words}");
    match Cli::try_parse_from(line.split_whitespace()).unwrap().command {
        Command::Solve(args) => args,
        _ => unreachable!("{line}"),
    }
}

/// The job that the words behind `foregone solve` mean, and its game.
pub(crate) fn solve_job(words: &str) -> (AnyGame, Job) {
    let args = solve_args(words);
    let game = Engine::default().open(&args.game).unwrap();
    let job = foregone_cli::solve_job(&game, &args).unwrap();
    (game, job)
}

/// The directory that holds README and problems.
pub(crate) fn root() -> std::path::PathBuf {
    std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}
