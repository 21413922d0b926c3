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

/// The checksum of a certificate, written here a second time.
pub(crate) fn fnv(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// A certificate with these lines: its last line is made to fit, as a forger would.
pub(crate) fn seal(lines: &[String]) -> String {
    let mut text = String::new();
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
    let header = lines.iter().position(String::is_empty);
    let claims = header.map_or(0, |at| lines.len() - at - 1);
    let sum = fnv(text.as_bytes());
    text + &format!("end {claims} {sum:016x}\n")
}
