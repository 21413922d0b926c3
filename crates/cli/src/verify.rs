//! `foregone verify`: every certificate of a file, replayed by the trusted crate.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::time::Duration;

use foregone::games::files::Files;
use foregone::model::Side;
use foregone::model::certificate::CheckError;
use foregone::{Cancel, Clock, Error, Expand, Refused, Replayed, Stop, Trust};
use serde_json::json;

use crate::args::VerifyArgs;
use crate::commands::warn;
use crate::memory::{bytes_of_process, memory_to_use};
use crate::print::{bytes_text, counted, grouped};
use crate::program::{Program, exit_code};
use crate::report::PROOF_REJECTED;

/// A file that is given up when time or memory is over, or somebody pressed Ctrl-C.
struct Watched<'a> {
    input: BufReader<File>,
    limits: Limits<'a>,
    stop: &'a Cell<Option<Stop>>,
}

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
    /// Whether the replay is to end.
    fn stopped(&self) -> Option<Stop> {
        if self.cancel.is_cancelled() {
            return Some(Stop::Interrupted);
        }
        let late = |limit| self.clock.now().saturating_sub(self.began) >= limit;
        self.time.is_some_and(late).then_some(Stop::Time)
    }
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.input.read(buffer)
    }
}

impl BufRead for Watched<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.input.buffer().is_empty() {
            let most = self.limits.memory;
            let full = most.is_some_and(|most| bytes_of_process().is_some_and(|b| b > most));
            let stop = if full { Some(Stop::Memory) } else { self.limits.stopped() };
            if let Some(reason) = stop {
                self.stop.set(Some(reason));
                return Err(io::Error::other(format!("stopped: {}", reason.word())));
            }
        }
        self.input.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.input.consume(amount);
    }
}

/// Bytes that are read at once: as often it is looked at the clock.
const CHUNK: usize = 1 << 12;

/// Checks every certificate in a file.
pub(crate) fn run(program: &mut Program<'_>, args: &VerifyArgs) -> Result<u8, Error> {
    program.catch_interrupts();
    let path = args.file.as_path();
    let file = path.display().to_string();
    let unreadable = |e: String| Error::input(format!("the file {file} can't be read: {e}"));
    let kind = std::fs::metadata(path).map_err(|e| unreadable(e.to_string()))?;
    if !kind.is_file() {
        return Err(unreadable("it is not a regular file".to_owned()));
    }
    let input = File::open(path).map_err(|e| unreadable(e.to_string()))?;
    let (engine, cancel) = (program.engine.clone(), program.cancel.clone());
    let limits = Limits {
        clock: engine.clock(),
        cancel: &cancel,
        began: engine.clock().now(),
        time: args.time,
        memory: args.memory,
    };
    let stop = Cell::new(None);
    let input = BufReader::with_capacity(CHUNK, input);
    let mut watched = Watched { input, limits, stop: &stop };
    let late = || limits.stopped().is_some();
    let bytes = args.memory.unwrap_or_else(memory_to_use);
    let mut trust = Trust {
        rules_only: args.strict,
        names: args.trust.clone(),
        expand: args.expand.then_some(Expand { late: &late, bytes }),
        ..Trust::default()
    };
    let files = Files {
        instead: args.rules.clone(),
        beside: path.parent().map(Path::to_owned),
        ..engine.files().clone()
    };
    let replayed = engine.verify_from(&files, &mut watched, &mut trust, &mut warn);
    if let Some(reason) = stop.get() {
        return Ok(undecided(program, &file, reason, args.json));
    }
    match replayed {
        Ok(proved) => {
            let text = match args.json {
                true => json_of(&file, args, &proved).to_string() + "\n",
                false => proved.iter().map(|one| sentence(one, &trust)).collect(),
            };
            program.say(&text);
            Ok(0)
        }
        Err(_) if trust.ran_out => {
            let reason = limits.stopped().unwrap_or(Stop::Memory);
            Ok(undecided(program, &file, reason, args.json))
        }
        Err(Refused::Certificate(e)) => rejected(program, &file, &e, args),
        Err(Refused::Game(error)) => {
            Err(error.help("--rules FILE names the file with the rules, wherever it is"))
        }
    }
}

/// What a certificate was found to show, for people.
fn sentence(one: &Replayed, trust: &Trust<'_>) -> String {
    match one {
        Replayed::Mixed(proved) => {
            format!("proved: {proved} ({})\n", counted(proved.claims, "claim"))
        }
        Replayed::Turn(proved) => {
            let mut rests = counted(proved.claims, "claim");
            for (count, how) in [
                (proved.by_reason, "by knowledge whose reason was checked"),
                (proved.expanded, "by knowledge that a search proved"),
                (proved.recomputed, "by knowledge that was recomputed, not proved"),
            ] {
                if count > 0 {
                    rests.push_str(&format!(", {} {how}", grouped(count)));
                }
            }
            match proved.recomputed {
                0 => format!("proved: {proved} ({rests})\n"),
                _ => {
                    let names: Vec<&str> = trust.recomputed.iter().map(String::as_str).collect();
                    format!("replayed, trusting {}: {proved} ({rests})\n", names.join(", "))
                }
            }
        }
    }
}

fn json_of(file: &str, args: &VerifyArgs, proved: &[Replayed]) -> serde_json::Value {
    let trusted = |one: &Replayed| matches!(one, Replayed::Turn(p) if p.recomputed > 0);
    let status = if proved.iter().any(trusted) { "replayed" } else { "proved" };
    let claims: Vec<serde_json::Value> = proved
        .iter()
        .map(|one| match one {
            Replayed::Turn(p) => json!({
                "game": p.game, "formula": p.formula.as_ref().map(|f| &f.0),
                "position": p.position, "prover": p.prover,
                "relation": if p.claim.prover == Side::Max { "at-least" } else { "below" },
                "outcome": p.outcome, "or_endless": p.claim.or_endless, "claims": p.claims,
                "by_reason": p.by_reason, "expanded": p.expanded, "recomputed": p.recomputed,
            }),
            Replayed::Mixed(p) => json!({
                "game": p.game, "formula": null, "position": p.position, "prover": p.name,
                "relation": if p.prover == Side::Max { "at-least" } else { "at-most" },
                "outcome": p.bound.to_string(), "or_endless": false, "claims": p.claims,
                "by_reason": 0, "expanded": 0, "recomputed": 0,
            }),
        })
        .collect();
    json!({ "file": file, "status": status, "strict": args.strict, "proved": claims })
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
    Err(match error.problem.contains("static knowledge") && !args.strict {
        true => failure.help(
            "--expand proves what knowledge says by a search; --trust NAME believes the knowledge \
             of this name",
        ),
        false => failure,
    })
}
