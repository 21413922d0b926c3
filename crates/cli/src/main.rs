//! The program.

use std::process::ExitCode;

fn main() -> ExitCode {
    foregone_cli::run([])
}
