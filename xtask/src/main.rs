//! `cargo xtask site --out DIR` writes the pages with solver and checker as WebAssembly: a folder of
//! plain files that any web host can serve.

mod page;
mod site;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};

const HELP: &str = "\
cargo xtask site --out DIR

Writes the pages to DIR with solver and checker compiled to WebAssembly, as plain files: no server of
its own is needed, any web host will do, below any path. The target wasm32-unknown-unknown is added to
the toolchain if it is not there.

To look at it: python3 -m http.server --directory DIR
";

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
enum Task {
    Help,
    Site { out: PathBuf },
}

fn main() -> ExitCode {
    match read(std::env::args().skip(1)).and_then(run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// Tells what is going on. Nobody reads it if it can't be written.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

fn read(words: impl Iterator<Item = String>) -> Result<Task> {
    let words: Vec<String> = words.collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["site", "--out", out] if !out.is_empty() => Ok(Task::Site { out: out.into() }),
        ["site", ref rest @ ..] if !rest.contains(&"--help") => match rest {
            [] | ["--out", ..] => bail!("where to? `cargo xtask site --out DIR`"),
            [word, ..] => bail!("`{word}` is not known: `cargo xtask site --out DIR`"),
        },
        [] | ["--help" | "-h" | "help"] | ["site", ..] => Ok(Task::Help),
        [word, ..] => bail!("`{word}` is not known: `cargo xtask --help`"),
    }
}

fn run(task: Task) -> Result<()> {
    match task {
        Task::Help => Ok(std::io::stdout().write_all(HELP.as_bytes())?),
        Task::Site { out } => site::write(&out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Task> {
        read(text.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn words_are_read_or_refused_by_name() {
        assert!(of("site --out x").is_ok_and(|task| task == Task::Site { out: "x".into() }));
        assert!(of("site --help").is_ok_and(|task| task == Task::Help));
        assert!(of("").is_ok_and(|task| task == Task::Help));
        for (text, named) in [("site", "--out DIR"), ("site --to x", "--to"), ("sight", "sight")] {
            assert!(of(text).is_err_and(|error| error.to_string().contains(named)), "{text}");
        }
    }
}
