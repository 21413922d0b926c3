//! `foregone resume`: goes on with a job from its checkpoint.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use foregone::{AnyGame, Checkpoints, Error, Job, Question, plain};

use crate::args::{KeepArgs, ResumeArgs};
use crate::attended::{Attended, Log};
use crate::checkpoint::{self, FileKeeper, Header, USUAL};
use crate::commands::{has_folder, open_within};
use crate::program::Program;
use crate::screen::Screen;
use crate::to_job::proof_wanted;
use crate::{check, commands};

/// Who looks after a job that begins.
pub(crate) fn attend(
    program: &Program<'_>,
    screen: Screen,
    (game, job): (&AnyGame, &Job),
    proof: Option<&Path>,
    args: &KeepArgs,
    json: bool,
) -> Result<Attended, Error> {
    if args.every.is_some() && args.checkpoint.is_none() {
        return Err(Error::input(
            "`--every` says how far apart checkpoints are, and none are kept",
        )
        .help("--checkpoint FILE keeps them"));
    }
    let checkpoints = match &args.checkpoint {
        None => None,
        Some(path) => {
            has_folder(path)?;
            checkpoint::can_be_at(path, &[("the proof", proof), ("the log", args.log.as_deref())])?;
            let header = Header::new(game, job, proof, args.every.unwrap_or(USUAL));
            let keeper = FileKeeper::shared(path, &header, false);
            Some((Checkpoints::new(Box::new(keeper.clone())), keeper))
        }
    };
    let log = match &args.log {
        Some(path) => Some(Log::new(path, json, program.progress)?),
        None => None,
    };
    Ok(Attended { screen, log, checkpoints, view: None })
}

/// Runs the command and returns the exit code.
pub(crate) fn run(program: &mut Program<'_>, args: &ResumeArgs) -> Result<u8, Error> {
    program.catch_interrupts();
    let (mut header, from) = checkpoint::read(&args.file)?;
    // Step 1: the job, with what is new.
    let job = &mut header.job;
    job.budget.time = args.time;
    job.budget.nodes = args.nodes;
    job.budget.memory = args.memory.or(job.budget.memory);
    if args.proof.is_some() {
        header.proof.clone_from(&args.proof);
        job.proof = proof_wanted(args.proof.as_deref(), false);
    }
    if let Some(every) = args.every {
        header.every = every.as_secs_f64();
    }
    let game = open_within(program, &job.game, &mut job.budget.time)?;
    header.fits(&game)?;
    // Step 2: who looks after it.
    let path = args.checkpoint.as_deref().unwrap_or(&args.file);
    has_folder(path)?;
    let others = [("the proof", header.proof.as_deref()), ("the log", args.log.as_deref())];
    match path == args.file {
        true => checkpoint::is_apart(path, &others)?,
        false => checkpoint::can_be_at(path, &others)?,
    }
    let keeper = FileKeeper::shared(path, &header, path == args.file);
    let damaged = |e: &std::io::Error| {
        Error::input(format!("{} can't be read: {}", args.file.display(), plain(e)))
    };
    let checkpoints =
        Checkpoints::resumed(Box::new(keeper.clone()), from).map_err(|e| damaged(&e))?;
    let log = match &args.log {
        Some(path) => Some(Log::new(path, args.json, program.progress)?),
        None => None,
    };
    let job = header.job.clone();
    let screen = program.observer(args.json).within(job.budget);
    let mut attended =
        Attended { screen, log, checkpoints: Some((checkpoints, keeper)), view: None };
    // Step 3: the job. A checkpoint whose digest is right may still hold what no search wrote, and rules
    // that are asked about states that can't be may panic.
    let proof = header.proof.as_deref();
    let style = args.notation.style();
    let went_on = catch_unwind(AssertUnwindSafe(|| match job.question {
        Question::Formula(_) => {
            check::resumed(program, &game, &job, proof, style, args.json, &mut attended)
        }
        _ => commands::resumed(program, &game, &job, proof, style, args.json, &mut attended),
    }));
    went_on.unwrap_or_else(|_| {
        let message = format!("{} holds what no search of this job wrote", args.file.display());
        Err(Error::input(message))
    })
}
