//! The commands: what each one does, with the engine that it is given.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use clap::CommandFactory;
use clap::builder::PossibleValuesParser;
use foregone::model::certificate::shown;
use foregone::model::formula::CONCEPTS;
use foregone::problem::written::Style;
use foregone::text::{Asked, grouped};
use foregone::{Answer, AnyGame, Context, Engine, Error, Finished, Job, Observer};
use foregone_search::DriverSpec;
use serde_json::json;

use crate::args::{Cli, Command, KeepArgs, SolveArgs};
use crate::attended::Attended;
use crate::program::{Program, exit_code};
use crate::proof_files::ProofFiles;
use crate::report::{STANDARD, harmless, write_file};
use crate::to_job::Drawing;
use crate::{
    bench, budget, check, cluster, combat, compare, draw, gdl, list, matches, matrix, memory, play,
    reproduce, resume, serve, tables, to_job, value, verify,
};

/// Runs a command and returns the exit code.
pub(crate) fn run(program: &mut Program<'_>, cli: Cli) -> Result<u8, Error> {
    match cli.command {
        Command::Games { name } => list::games(program, name.as_deref()),
        Command::Schemes { name } => list::schemes(program, name.as_deref()),
        Command::Solve(args) => solve(program, &args),
        Command::Run { job, proof, json } => {
            run_job(program, &job_text(&job), proof.as_deref(), json)
        }
        Command::Resume(args) => resume::run(program, &args),
        Command::Check(args) => check::run(program, args),
        Command::Concepts { name } => check::concepts(program, name.as_deref()),
        Command::Combat(args) => {
            program.catch_interrupts();
            combat::run(program, &args)
        }
        Command::Gdl(command) => gdl::run(program, command),
        Command::Serve(args) => serve::run(program, &args),
        Command::Worker(args) => cluster::worker(program, &args),
        Command::Cluster(command) => cluster::run(program, command),
        Command::SimulateCluster(args) => cluster::simulate(program, &args),
        Command::Play(args) => play::run(program, &args),
        Command::Match(args) => {
            program.catch_interrupts();
            matches::run(program, &args)
        }
        Command::Player(args) => gdl::player(program, &args),
        Command::Matrix { file, json } => matrix::run(program, &file, json),
        Command::Value(args) => value::run(program, &args),
        Command::Table(command) => tables::run(program, command),
        Command::Verify(args) => verify::run(program, &args),
        Command::Show { game, position, json } => show(program, &game, &position, json),
        Command::Draw(args) => draw::run(program, &args),
        Command::Perft { game, depth, position, time, json } => {
            perft(program, &game, depth, &position, time, json)
        }
        Command::Compare(args) => compare::run(program, &args),
        Command::Bench { parts } => bench::run(program, &parts),
        Command::Reproduce(args) => {
            program.catch_interrupts();
            reproduce::run(program, &args)
        }
        Command::Completions { shell } => completions(program, shell),
    }
}

/// Prints a completion script that knows the words that are not options.
fn completions(program: &mut Program<'_>, shell: clap_complete::Shell) -> Result<u8, Error> {
    let games: Vec<String> = program.engine.games().iter().map(|g| g.name.to_owned()).collect();
    let concepts: Vec<String> = CONCEPTS.iter().map(|c| c.name().to_owned()).collect();
    let experiments = reproduce::names()?;
    let known = |command: &str, argument: &str| match (command, argument) {
        (_, "game") | ("games", "name") | ("value", "first") => Some(games.clone()),
        ("concepts", "name") => Some(concepts.clone()),
        ("reproduce", "name") => Some(experiments.clone()),
        ("schemes", "name") => Some(list::scheme_words()),
        _ => None,
    };
    let mut command = Cli::command().mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        // What help leaves out for the sake of its length is no less an option.
        command.mut_args(|argument| match known(&name, argument.get_id().as_str()) {
            Some(words) => argument.value_parser(PossibleValuesParser::new(words)),
            None => argument.hide(false),
        })
    });
    // The script goes through memory: the generator panics where a pipe was closed.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "foregone", &mut script);
    program.say(&String::from_utf8_lossy(&script));
    if shell == clap_complete::Shell::Fish {
        program.say(&words_for_fish(&command));
    }
    Ok(0)
}

/// What the generator leaves out of its script for fish: the words that are not options.
fn words_for_fish(command: &clap::Command) -> String {
    let mut lines = String::new();
    for inner in command.get_subcommands() {
        let words = inner.get_positionals().flat_map(|a| a.get_possible_values());
        let words: Vec<String> = words.map(|word| word.get_name().to_owned()).collect();
        if !words.is_empty() {
            let condition = format!("__fish_foregone_using_subcommand {}", inner.get_name());
            let words = words.join(" ");
            lines.push_str(&format!("complete -c foregone -n \"{condition}\" -a \"{words}\"\n"));
        }
    }
    lines
}

/// Opens a game, and says on standard error what is wrong with rules that can still be played.
pub(crate) fn open(program: &Program<'_>, spec: &str) -> Result<AnyGame, Error> {
    open_by(&program.engine, spec)
}

fn open_by(engine: &Engine, spec: &str) -> Result<AnyGame, Error> {
    for warning in engine.warnings(spec) {
        warn(&shown(&warning));
    }
    engine.open(spec)
}

/// The same within the time of a job: what it takes is gone.
pub(crate) fn open_within(
    program: &Program<'_>,
    spec: &str,
    time: &mut Option<Duration>,
) -> Result<AnyGame, Error> {
    let began = program.engine.clock().now();
    let stop = program.stop_check(began, *time);
    let game = open_by(&program.engine.clone().with_stop(stop), spec)?;
    let took = program.engine.clock().now().saturating_sub(began);
    *time = time.map(|time| time.saturating_sub(took));
    Ok(game)
}

#[expect(clippy::print_stderr, reason = "warnings are not part of the answer")]
pub(crate) fn warn(warning: &str) {
    // Names of workers, say, are not ours.
    eprintln!("warning: {}", harmless(warning));
}

fn solve(program: &mut Program<'_>, args: &SolveArgs) -> Result<u8, Error> {
    program.catch_interrupts();
    let mut time = args.budget.time;
    let game = open_within(program, &args.game, &mut time)?;
    let mut job = to_job::solve_job(&game, args)?;
    job.budget.time = time;
    if matches!(job.driver, Some(DriverSpec::Dfs)) || job.solver.is_some() {
        budget::warn_of_threads(&args.budget, "the driver or solver uses one");
    } else if matches!(game.opened(), foregone::Opened::Joint(_)) {
        budget::warn_of_threads(&args.budget, "games with joint moves are solved by one");
    }
    budget::warn_of_scarcity(&args.budget);
    args.svg.as_deref().map_or(Ok(()), has_folder)?;
    let style = args.notation.style();
    let mut attended =
        attended(program, &game, &job, args.proof.as_deref(), &args.keep, args.json)?;
    if let Some(coordinated) = cluster::begin(program, &game, &job, &args.cluster)? {
        let (proof, mut attended) = (args.proof.as_deref(), attended.of_cluster(&coordinated));
        return cluster_answer(
            program,
            &game,
            &job,
            proof,
            style,
            args.json,
            &mut attended,
            coordinated,
        );
    }
    let code = answer(
        program,
        &game,
        &job,
        args.proof.as_deref(),
        style,
        args.json,
        &mut attended,
        |program, finished| {
            if let Some(path) = &args.svg {
                draw::answered(&game, &job, &finished.answer, path)?;
            }
            say_tree(program, finished, args.tree.filter(|_| !args.json));
            Ok(())
        },
    )?;
    budget::warn_of_memory(&args.budget);
    Ok(code)
}

/// Refuses a file in a folder that is not there, before a search is made for it.
pub(crate) fn has_folder(path: &Path) -> Result<(), Error> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) if !folder.is_dir() => {
            let (path, folder) = (path.display(), folder.display());
            Err(Error::input(format!("{path} can't be written: there is no folder {folder}")))
        }
        _ => Ok(()),
    }
}

/// Prints the tree of a proof, where one is wanted and there is a proof.
pub(crate) fn say_tree(
    program: &mut Program<'_>,
    finished: &Finished,
    wanted: Option<Option<u32>>,
) {
    if let (Some(depth), Some(drawings)) = (wanted, &finished.drawings) {
        program.say(&format!("\n{}", drawings.tree(depth)));
    }
}

/// The text of a job whose words came as arguments: a value with blanks in it is quoted.
pub(crate) fn job_text(words: &[String]) -> String {
    if let [text] = words {
        return text.clone();
    }
    let quoted = |value: &str| match value.contains(char::is_whitespace) && !value.starts_with('"')
    {
        true => json!(value).to_string(),
        false => value.to_owned(),
    };
    let word = |(at, word): (usize, &String)| match word.split_once('=') {
        Some((key, value)) if at > 0 => format!("{key}={}", quoted(value)),
        _ => quoted(word),
    };
    words.iter().enumerate().map(word).collect::<Vec<_>>().join(" ")
}

fn run_job(
    program: &mut Program<'_>,
    text: &str,
    proof: Option<&Path>,
    json: bool,
) -> Result<u8, Error> {
    program.catch_interrupts();
    let mut job: Job = match text.trim_start().starts_with('{') {
        true => serde_json::from_str(text)
            .map_err(|e| Error::input(format!("this is not a job: {e}")))?,
        false => text.parse()?,
    };
    if proof.is_some() && job.proof != foregone::Proof::Drawn {
        job.proof = to_job::proof_wanted(proof, false);
    }
    if job.budget.memory.is_none() {
        job.budget.memory = Some(memory::memory_to_use());
    }
    let game = open_within(program, &job.game, &mut job.budget.time)?;
    let mut attended = attended(program, &game, &job, proof, &KeepArgs::default(), json)?;
    answer(program, &game, &job, proof, Style::default(), json, &mut attended, |_, _| Ok(()))
}

/// Who looks after a job that begins.
pub(crate) fn attended(
    program: &Program<'_>,
    game: &AnyGame,
    job: &Job,
    proof: Option<&Path>,
    keep: &KeepArgs,
    json: bool,
) -> Result<Attended, Error> {
    let smaller = smaller_game(program, game, job);
    let screen = program.observer(json).within(job.budget).hinting(smaller);
    resume::attend(program, screen, (game, job), proof, keep, json)
}

/// Goes on with a job.
pub(crate) fn resumed(
    program: &mut Program<'_>,
    game: &AnyGame,
    job: &Job,
    proof: Option<&Path>,
    style: Style,
    json: bool,
    attended: &mut Attended,
) -> Result<u8, Error> {
    answer(program, game, job, proof, style, json, attended, |_, _| Ok(()))
}

/// A game like this one that takes seconds, in full, for who asks about the start of a large one.
fn smaller_game(program: &Program<'_>, game: &AnyGame, job: &Job) -> Option<String> {
    let quick = program.engine.quick_example(&job.game)?;
    let quick = program.engine.open(quick).ok()?.name();
    (job.position == Job::default().position && quick != game.name()).then_some(quick)
}

#[expect(clippy::too_many_arguments, reason = "words of one command, most of them passed on")]
/// Runs a job, keeps its proof, says what was found, and does what else is wanted.
fn answer(
    program: &mut Program<'_>,
    game: &AnyGame,
    job: &Job,
    proof: Option<&Path>,
    style: Style,
    json: bool,
    attended: &mut Attended,
    also: impl FnOnce(&mut Program<'_>, &Finished) -> Result<(), Error>,
) -> Result<u8, Error> {
    if matches!((job.proof, game.opened()), (foregone::Proof::Drawn, foregone::Opened::Joint(_))) {
        let message =
            "a proof of joint moves is a list of mixed strategies, and has no tree to draw";
        return Err(
            Error::input(message).help("write the certificate to a file: --proof proof.txt")
        );
    }
    one_output(proof, json)?;
    proof.map_or(Ok(()), has_folder)?;
    let files = ProofFiles::of(proof);
    let mut finished = run_into(program, game, job, files.as_ref(), attended)?;
    keep(program, &mut finished, proof, files.as_deref())?;
    say_answer(program, game, job, &finished, style, json)?;
    also(program, &finished)?;
    let whole = finished.answer.proof().is_some() || !program.cancel.is_cancelled();
    attended.end(finished.answer.stop() == foregone::Stop::Solved && whole);
    if let Some(code) = files.and_then(|files| files.failure()) {
        return Ok(code);
    }
    // Who pressed Ctrl-C while a proof was made has an answer, and not all that was asked for.
    let whole = finished.answer.solved() && finished.answer.proof().is_some();
    let stop = match program.cancel.is_cancelled() && !whole {
        true => foregone::Stop::Interrupted,
        false => finished.answer.stop(),
    };
    Ok(match (exit_code(stop), finished.answer.solved()) {
        // An approximation came to its end, and answers nothing for sure.
        (0, false) => exit_code(foregone::Stop::Nodes),
        (code, _) => code,
    })
}

#[expect(clippy::too_many_arguments, reason = "words of one command, most of them passed on")]
/// Runs a job by several machines, and tells them at the end that it is over.
pub(crate) fn cluster_answer(
    program: &mut Program<'_>,
    game: &AnyGame,
    job: &Job,
    proof: Option<&Path>,
    style: Style,
    json: bool,
    attended: &mut Attended,
    coordinated: cluster::Coordinated,
) -> Result<u8, Error> {
    let (mut stop, mut outcome) = (None, serde_json::Value::Null);
    let code = answer(program, game, job, proof, style, json, attended, |_, finished| {
        stop = Some(finished.answer.stop());
        outcome = json!({ "value": finished.answer.value(), "proof": finished.answer.proof() });
        Ok(())
    });
    coordinated.end(program, stop, outcome);
    code
}

/// Refuses to write a proof and an object to the same place.
pub(crate) fn one_output(proof: Option<&Path>, json: bool) -> Result<(), Error> {
    match proof.is_some_and(is_standard) && json {
        true => {
            Err(Error::input("`--proof -` does not go with JSON: both are for standard output")
                .help("--proof FILE keeps them apart"))
        }
        false => Ok(()),
    }
}

/// Whether a path stands for standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path == Path::new(STANDARD)
}

/// Runs a job, whose certificates go to these files if there are some.
pub(crate) fn run_into(
    program: &Program<'_>,
    game: &AnyGame,
    job: &Job,
    files: Option<&Arc<ProofFiles>>,
    observer: &mut dyn Observer,
) -> Result<Finished, Error> {
    let mut engine = program.engine.clone();
    if let Some(files) = files {
        engine = engine.with_archive(Arc::<ProofFiles>::clone(files));
    }
    engine.run_on(game, job, observer, &program.cancel)
}

/// Writes the proof where it is wanted, and lets the answer say so. Where the proof goes to the
/// output, the answer goes to standard error.
pub(crate) fn keep(
    program: &mut Program<'_>,
    finished: &mut Finished,
    proof: Option<&Path>,
    files: Option<&ProofFiles>,
) -> Result<(), Error> {
    let standard = proof.is_some_and(is_standard);
    if standard {
        program.say(&finished.certificate);
        program.aside = true;
    }
    if let Some(peak) = memory::peak_bytes_of_process() {
        *finished.answer.peak_bytes_mut() = peak;
    }
    let Some(path) = proof else { return Ok(()) };
    let Some(summary) = finished.answer.proof_mut() else { return Ok(()) };
    if standard {
        summary.file = Some("standard output".to_owned());
        return Ok(());
    }
    summary.file = Some(path.display().to_string());
    if let (Some(files), [_, ..]) = (files, &finished.archived[..]) {
        return files.put_together(&finished.archived);
    }
    match (to_job::drawing_of(path), &finished.drawings) {
        (Some(Drawing::Dot), Some(drawings)) => write_file(path, &drawings.dot()),
        (Some(Drawing::Svg), Some(drawings)) => write_file(path, &drawings.svg()),
        _ => write_file(path, &finished.certificate),
    }
}

fn unwritable(error: serde_json::Error) -> Error {
    Error::input(format!("the answer can't be written: {error}"))
}

/// Says what was found.
pub(crate) fn say_answer(
    program: &mut Program<'_>,
    game: &AnyGame,
    job: &Job,
    finished: &Finished,
    style: Style,
    json: bool,
) -> Result<(), Error> {
    let text = match json {
        true => serde_json::to_string(&finished.answer).map_err(unwritable)?,
        false => {
            let asked = Asked {
                proof: matches!(job.proof, foregone::Proof::Always | foregone::Proof::Drawn),
                protagonist: job.player.is_some(),
                makes_proof: "--proof FILE makes one, however long it takes",
                keeps_proof: "--proof FILE writes it",
                keeps_text: "--proof FILE.txt keeps the certificate",
            };
            let answer = styled(game, &finished.answer, style);
            let text = foregone::text::text(&game.show(&job.position)?, &answer, style, asked);
            text.trim_end_matches('\n').to_owned()
        }
    };
    program.say(&(text + "\n"));
    Ok(())
}

/// An answer with the moves of its line as people write them.
fn styled(game: &AnyGame, answer: &Answer, style: Style) -> Answer {
    let mut answer = answer.clone();
    if let Answer::Turn(turn) = &mut answer {
        let plies = game.plies(&turn.position, &turn.line);
        turn.line = plies.iter().map(|ply| ply.written(style)).collect();
        for told in turn.moves.iter_mut().flatten() {
            let ply = game.plies(&turn.position, std::slice::from_ref(&told.text));
            told.text =
                ply.first().map_or(std::mem::take(&mut told.text), |ply| ply.written(style));
        }
        turn.best_move = turn.best_move.take().and(turn.line.first().cloned());
    }
    answer
}

fn show(program: &mut Program<'_>, game: &str, position: &str, json: bool) -> Result<u8, Error> {
    let shown = open(program, game)?.show(position)?;
    let text = match json {
        true => serde_json::to_string(&shown).map(|text| text + "\n").map_err(unwritable)?,
        false => foregone::text::position(&shown),
    };
    program.say(&text);
    Ok(0)
}

fn perft(
    program: &mut Program<'_>,
    spec: &str,
    depth: u32,
    position: &str,
    time: Option<Duration>,
    as_json: bool,
) -> Result<u8, Error> {
    program.catch_interrupts();
    let mut time = time;
    let game = open_within(program, spec, &mut time)?;
    let (engine, cancel) = (program.engine.clone(), program.cancel.clone());
    let mut screen = program.observer(as_json);
    let line = screen.bar();
    let mut context = Context::new(engine.clock(), &mut screen, &cancel);
    let (counts, stop) = game.perft(position, depth, time, &mut context, |depth, count| {
        if !as_json {
            line.suspend(|| program.say(&format!("{depth:>3}  {}\n", grouped(count))));
        }
    })?;
    drop(screen);
    if as_json {
        let position = game.show(position)?.position;
        let mut object = json!({ "game": game.name(), "position": position, "counts": counts });
        if let Some(stop) = stop {
            object["stop"] = json!(stop);
        }
        program.say(&(object.to_string() + "\n"));
    } else if let Some(stop) = stop {
        program.say(&format!("stopped: {}\n", stop.word()));
    }
    Ok(exit_code(stop.unwrap_or(foregone::Stop::Solved)))
}
