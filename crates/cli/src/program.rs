//! A run of the program.

use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use foregone::games::files::StopCheck;
use foregone::{Cancel, Engine, Entry, Error, Stop, plain};

use crate::args::{Cli, ProgressWhen};
use crate::screen::Screen;
use crate::{commands, report, signals};

/// What all commands need: the engine, what ends a job, and where answers go.
pub struct Program<'a> {
    /// The engine.
    pub engine: Engine,
    /// Ends the job that runs; Ctrl-C does.
    pub cancel: Cancel,
    /// Where answers go.
    pub out: &'a mut dyn Write,
    /// Whether answers go to standard error, because a proof goes to the output.
    pub(crate) aside: bool,
    /// Why answers did not get there, if they did not.
    unheard: Option<std::io::Error>,
    /// When it is shown how far a job is.
    pub progress: ProgressWhen,
}

impl<'a> Program<'a> {
    /// A program that writes its answers here.
    pub fn new(out: &'a mut dyn Write) -> Program<'a> {
        Program {
            engine: Engine::default(),
            cancel: Cancel::new(),
            out,
            aside: false,
            unheard: None,
            progress: ProgressWhen::Auto,
        }
    }

    /// Writes to the output. What goes wrong there is said when the command has ended.
    pub fn say(&mut self, text: &str) {
        if self.aside {
            let _ = std::io::stderr().write_all(text.as_bytes());
        } else if self.unheard.is_none() {
            let said = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
            self.unheard = said.err();
        }
    }

    /// Whether nobody hears what is said any more, so that saying more is of no use.
    pub(crate) fn is_unheard(&self) -> bool {
        self.unheard.is_some()
    }

    /// An observer that tells on standard error how far a job is.
    pub fn observer(&self, json: bool) -> Screen {
        Screen::new(self.progress, json)
    }

    /// Whether a job is to end that began then and may take so long, for work that is done before
    /// its search.
    pub(crate) fn stop_check(&self, began: Duration, time: Option<Duration>) -> StopCheck {
        let (engine, cancel) = (self.engine.clone(), self.cancel.clone());
        StopCheck::new(move || {
            let late = |time| engine.clock().now().saturating_sub(began) >= time;
            cancel.is_cancelled() || time.is_some_and(late)
        })
    }

    /// Runs a command and returns the exit code.
    pub fn run(&mut self, cli: Cli) -> Result<u8, Error> {
        self.progress = cli.progress;
        let code = commands::run(self, cli)?;
        match self.unheard.take() {
            // Who closes a pipe has seen enough. That is a wish, not a failure.
            Some(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(Error::input(format!("the answer can't be written: {}", plain(&error))))
            }
            _ => Ok(code),
        }
    }

    /// Lets Ctrl-C and other requests to end end the job instead of the program. A second one ends
    /// the program.
    pub fn catch_interrupts(&self) {
        signals::catch(&self.cancel);
    }
}

/// Exit code for a question that the budget did not suffice for.
pub(crate) const UNDECIDED: u8 = 1;
/// The exit code for why a job ended.
pub(crate) fn exit_code(stop: Stop) -> u8 {
    match stop {
        Stop::Solved => 0,
        Stop::Interrupted => signals::exit_code(),
        Stop::Nodes | Stop::Memory | Stop::Time | Stop::Orders => UNDECIDED,
    }
}

/// Runs the words of the command line, with these games beside those of the library.
pub fn run(games: impl IntoIterator<Item = Entry>) -> ExitCode {
    ExitCode::from(run_words(std::env::args_os(), games))
}

/// Runs a command, whose words are these, that of the program first, and returns the exit code. Help, and
/// words that make no sense, end the process.
pub fn run_words(
    words: impl IntoIterator<Item = OsString>,
    games: impl IntoIterator<Item = Entry>,
) -> u8 {
    let words: Vec<OsString> = words.into_iter().collect();
    // Scripts that read an object from standard output find one there, whatever goes wrong.
    let json = words.iter().take_while(|word| *word != "--").any(|word| word == "--json");
    let mut out = std::io::stdout();
    let mut say = |error: &Error| {
        if json {
            let text = report::Reported { line: None, error }.text();
            let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        }
    };
    let cli = match Cli::try_parse_from(&words) {
        Ok(cli) => cli,
        Err(mut error) => {
            report::hint(&mut error, &words);
            if error.use_stderr() {
                say(&report::of_words(&error));
            }
            error.exit()
        }
    };
    let mut output = std::io::stdout();
    let mut program = Program::new(&mut output);
    program.engine = program.engine.with_games(games);
    match program.run(cli) {
        Ok(code) => code,
        Err(error) => {
            say(&error);
            let code = report::exit_code_of(&error);
            let _ = writeln!(std::io::stderr(), "{:?}", report::report(error));
            code
        }
    }
}

/// Runs a command and returns the exit code.
pub fn execute(cli: Cli, out: &mut dyn Write) -> Result<u8, Error> {
    Program::new(out).run(cli)
}
