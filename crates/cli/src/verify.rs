//! `foregone verify`: every certificate of a file, replayed by the trusted crate.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::time::Duration;

use foregone::games::files::Files;
use foregone::model::certificate::{CheckError, MAGIC};
use foregone::text::{bytes_text, proved_text};
use foregone::{
    Cancel, Clock, Error, Event, Expand, Observer, Refused, Stop, Trust, Watched, Work,
    verified_json,
};
use serde_json::json;

use crate::args::VerifyArgs;
use crate::commands::{is_standard, warn};
use crate::memory::{bytes_of_process, memory_to_use};
use crate::program::{Program, exit_code};
use crate::report::{PROOF_REJECTED, unreadable};

/// What a replay may take.
#[derive(Clone, Copy)]
struct Limits<'a> {
    clock: &'a dyn Clock,
    cancel: &'a Cancel,
    began: Duration,
    time: Option<Duration>,
    memory: Option<u64>,
}

impl Limits<'_> {
    /// Whether the replay is to end, of which so many bytes were read.
    fn stopped_at(&self, read: u64) -> Option<Stop> {
        let most = self.memory.filter(|_| read.is_multiple_of(WEIGHED));
        let full = most.is_some_and(|most| bytes_of_process().is_some_and(|b| b > most));
        if full { Some(Stop::Memory) } else { self.stopped() }
    }

    /// Whether it is to end by the clock, or because somebody says so.
    fn stopped(&self) -> Option<Stop> {
        if self.cancel.is_cancelled() {
            return Some(Stop::Interrupted);
        }
        let late = |limit| self.clock.now().saturating_sub(self.began) >= limit;
        self.time.is_some_and(late).then_some(Stop::Time)
    }
}

/// How often the memory of the process is looked at, in bytes of the text.
const WEIGHED: u64 = 1 << 12;

/// Checks every certificate in a file.
pub(crate) fn run(program: &mut Program<'_>, args: &VerifyArgs) -> Result<u8, Error> {
    program.catch_interrupts();
    let path = args.file.as_path();
    let (file, input, size) = opened(path)?;
    let (engine, cancel) = (program.engine.clone(), program.cancel.clone());
    let limits = Limits {
        clock: engine.clock(),
        cancel: &cancel,
        began: engine.clock().now(),
        time: args.time,
        memory: args.memory,
    };
    let mut screen = program.observer(args.json);
    let mut stop = None;
    let mut goes_on = |read: u64| {
        stop = limits.stopped_at(read);
        let elapsed = limits.clock.now().saturating_sub(limits.began);
        let share = size.map_or(0.0, |size| read as f64 / size.max(1) as f64);
        let seconds = elapsed.as_secs_f64();
        screen.event(&Event::Working { work: Work::Checking, seconds, done: read, share });
        stop.is_none()
    };
    let mut watched = Watched::new(BufReader::new(input), &mut goes_on);
    let late = || limits.stopped().is_some();
    let bytes = args.memory.unwrap_or_else(memory_to_use);
    let mut trust = Trust {
        rules_only: args.strict,
        names: args.trust.clone(),
        expand: args.expand.then_some(Expand { late: &late, bytes }),
        ..Trust::default()
    };
    trust.check_names(engine.games())?;
    let files = Files {
        stop: program.stop_check(limits.began, args.time),
        instead: args.rules.clone(),
        beside: path.parent().map(Path::to_owned),
        ..engine.files().clone()
    };
    let replayed = engine.verify_from(&files, &mut watched, &mut trust, &mut warn);
    drop(screen);
    if let Some(reason) = stop {
        return Ok(undecided(program, &file, reason, args.json));
    }
    match replayed {
        Ok(proved) => {
            let text = match args.json {
                true => verified_json(&file, args.strict, &proved).to_string() + "\n",
                false => {
                    let sentence = |one| proved_text(one, &trust.recomputed) + "\n";
                    proved.iter().map(sentence).collect()
                }
            };
            program.say(&text);
            Ok(0)
        }
        Err(_) if trust.ran_out => {
            let reason = limits.stopped().unwrap_or(Stop::Memory);
            Ok(undecided(program, &file, reason, args.json))
        }
        // Rules that are compiled, or play for themselves before they check, end with the job.
        Err(Refused::Certificate(CheckError { rules_broken: true, .. }) | Refused::Game(_))
            if limits.stopped().is_some() =>
        {
            let reason = limits.stopped().unwrap_or(Stop::Time);
            Ok(undecided(program, &file, reason, args.json))
        }
        Err(Refused::Certificate(e)) => rejected(program, &file, &e, args),
        Err(Refused::Game(error)) => {
            Err(error.help("--rules FILE names the file with the rules, wherever it is"))
        }
    }
}

/// The name of a certificate's file, what it holds, and how much that is, where it can be told.
type Opened = (String, Box<dyn Read>, Option<u64>);

/// Opens the file of a certificate.
fn opened(path: &Path) -> Result<Opened, Error> {
    if is_standard(path) {
        return Ok(("standard input".to_owned(), Box::new(io::stdin()), None));
    }
    let file = path.display().to_string();
    let kind = std::fs::metadata(path).map_err(|e| unreadable(path, &e))?;
    if !kind.is_file() {
        let error = io::Error::other("it is not a regular file");
        return Err(unreadable(path, &error).help("- reads standard input"));
    }
    let input = File::open(path).map_err(|e| unreadable(path, &e))?;
    Ok((file, Box::new(input), Some(kind.len())))
}

fn undecided(program: &mut Program<'_>, file: &str, reason: Stop, as_json: bool) -> u8 {
    let text = match as_json {
        true => json!({ "file": file, "status": "undecided", "stop": reason.word() }).to_string(),
        false => format!(
            "undecided: {file} was not replayed to its end (stopped: {}, {} held)",
            reason.word(),
            bytes_text(bytes_of_process().unwrap_or(0))
        ),
    };
    program.say(&(text + "\n"));
    exit_code(reason)
}

fn rejected(
    program: &mut Program<'_>,
    file: &str,
    error: &CheckError,
    args: &VerifyArgs,
) -> Result<u8, Error> {
    if args.json {
        let object = json!({
            "file": file, "status": "rejected", "line": error.line, "reason": error.problem,
        });
        program.say(&(object.to_string() + "\n"));
        return Ok(PROOF_REJECTED);
    }
    let failure = Error::proof(format!("{file}, {error}"));
    if error.line == 1 && error.problem.contains(MAGIC) {
        return Err(failure.help("certificates are what `solve --proof FILE` writes"));
    }
    Err(match error.problem.contains("static knowledge") && !args.strict {
        true => failure.help(
            "--expand proves what knowledge says by a search; --trust NAME believes the knowledge \
             of this name",
        ),
        false => failure,
    })
}
