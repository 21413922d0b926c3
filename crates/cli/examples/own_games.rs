//! A program with all commands of `foregone`, and one game more.
use std::process::ExitCode;

use foregone::Entry;
use foregone::games::nim::Nim;
use foregone::games::registry::Opened;

fn main() -> ExitCode {
    let rules = "Heaps of SIZE, SIZE and SIZE; who cannot move loses";
    let three_heaps = Entry::in_turn("three-heaps", "SIZE (2)", rules, |options| {
        let size = options.number(2, 1, 9)? as u8;
        Ok(Opened::in_turn(Nim::new(vec![size; 3])))
    });
    foregone_cli::run([three_heaps])
}
