//! The program.

use std::process::ExitCode;

use clap::Parser;
use foregone::args::Cli;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match foregone::run::run(cli, &mut std::io::stdout()) {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            let code = failure.code;
            use std::io::Write;
            let _ = writeln!(std::io::stderr(), "{:?}", miette::Report::new(failure));
            ExitCode::from(code)
        }
    }
}
