//! A run of the program.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use foregone::{Cancel, Engine, Entry, Error, Stop};

use crate::args::Cli;
use crate::screen::Screen;
use crate::{commands, report};

/// What all commands need: the engine, what ends a job, and where answers go.
pub struct Program<'a> {
    /// The engine.
    pub engine: Engine,
    /// Ends the job that runs; Ctrl-C does.
    pub cancel: Cancel,
    /// Where answers go.
    pub out: &'a mut dyn Write,
}

impl<'a> Program<'a> {
    /// A program that writes its answers here.
    pub fn new(out: &'a mut dyn Write) -> Program<'a> {
        Program { engine: Engine::default(), cancel: Cancel::new(), out }
    }

    /// Writes to the output. Writing to a closed pipe is the reader's wish to stop, not a failure
    /// worth a message.
    pub fn say(&mut self, text: &str) {
        let _ = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
    }

    /// An observer that draws a live line on a terminal.
    pub fn observer(&self, show: bool) -> Screen {
        Screen::new(show)
    }

    /// Runs a command and returns the exit code.
    pub fn run(&mut self, cli: Cli) -> Result<u8, Error> {
        commands::run(self, cli)
    }

    /// Lets Ctrl-C end the job instead of the program. A second Ctrl-C ends the program.
    pub fn catch_interrupts(&self) {
        let cancel = self.cancel.clone();
        // Without a handler Ctrl-C still works, it only loses what was found.
        let _ = ctrlc::set_handler(move || {
            if cancel.cancel() {
                std::process::exit(STOPPED.into());
            }
        });
    }
}

/// Exit code for a question that the budget did not suffice for.
const UNDECIDED: u8 = 1;
/// Exit code after Ctrl-C.
pub(crate) const STOPPED: u8 = 130;

/// The exit code for why a job ended.
pub(crate) fn exit_code(stop: Stop) -> u8 {
    match stop {
        Stop::Solved => 0,
        Stop::Interrupted => STOPPED,
        Stop::Nodes | Stop::Memory | Stop::Time => UNDECIDED,
    }
}

/// Runs the words of the command line, with these games beside those of the library.
pub fn run(games: impl IntoIterator<Item = Entry>) -> ExitCode {
    let cli = Cli::parse();
    let mut out = std::io::stdout();
    let mut program = Program::new(&mut out);
    program.engine = program.engine.with_games(games);
    match program.run(cli) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            let code = report::exit_code_of(&error);
            let _ = writeln!(std::io::stderr(), "{:?}", report::report(error));
            ExitCode::from(code)
        }
    }
}

/// Runs a command and returns the exit code.
pub fn execute(cli: Cli, out: &mut dyn Write) -> Result<u8, Error> {
    Program::new(out).run(cli)
}
