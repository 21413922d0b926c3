//! The commands: what each one does, with the engine that it is given.

use std::path::Path;

use clap::CommandFactory;
use foregone::games::registry::Entry;
use foregone::model::certificate::shown;
use foregone::{AnyGame, Description, Error, Finished, Job, suggest};
use serde_json::json;

use crate::args::{Cli, Command, SolveArgs};
use crate::print::grouped;
use crate::program::{Program, exit_code};
use crate::report::write_file;
use crate::{bench, check, combat, gdl, matrix, memory, print, reproduce, to_job, verify};

/// Runs a command and returns the exit code.
pub(crate) fn run(program: &mut Program<'_>, cli: Cli) -> Result<u8, Error> {
    match cli.command {
        Command::Games { name } => games(program, name.as_deref()),
        Command::Solve(args) => solve(program, &args),
        Command::Run { job, proof, json } => {
            run_job(program, &job_text(&job), proof.as_deref(), json)
        }
        Command::Check(args) => check::run(program, args),
        Command::Concepts { name } => check::concepts(program, name.as_deref()),
        Command::Combat(args) => {
            program.catch_interrupts();
            combat::run(program, &args)
        }
        Command::Gdl(command) => gdl::run(program, command),
        Command::Player(args) => gdl::player(program, &args),
        Command::Matrix { file, json } => matrix::run(program, &file, json),
        Command::Verify(args) => verify::run(program, &args),
        Command::Show { game, position } => show(program, &game, &position),
        Command::Perft { game, depth, position, json } => {
            perft(program, &game, depth, &position, json)
        }
        Command::Bench { parts } => bench::run(program, &parts),
        Command::Reproduce(args) => {
            program.catch_interrupts();
            reproduce::run(program, &args)
        }
        Command::Completions { shell } => {
            // The script goes through memory: the generator panics where a pipe was closed.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "foregone", &mut script);
            program.say(&String::from_utf8_lossy(&script));
            Ok(0)
        }
    }
}

/// Opens a game, and says on standard error what is wrong with rules that can still be played.
pub(crate) fn open(program: &Program<'_>, spec: &str) -> Result<AnyGame, Error> {
    for warning in program.engine.warnings(spec) {
        warn(&shown(&warning));
    }
    program.engine.open(spec)
}

#[expect(clippy::print_stderr, reason = "warnings are not part of the answer")]
pub(crate) fn warn(warning: &str) {
    eprintln!("warning: {warning}");
}

fn solve(program: &mut Program<'_>, args: &SolveArgs) -> Result<u8, Error> {
    program.catch_interrupts();
    let game = open(program, &args.game)?;
    let job = to_job::solve_job(&game, args)?;
    answer(program, &game, &job, args.proof.as_deref(), args.json)
}

/// The text of a job whose words came as arguments: a value with blanks in it is quoted.
fn job_text(words: &[String]) -> String {
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
        job.proof = foregone::Proof::Always;
    }
    if job.budget.memory.is_none() {
        job.budget.memory = Some(memory::memory_to_use());
    }
    let game = open(program, &job.game)?;
    answer(program, &game, &job, proof, json)
}

/// Runs a job, keeps its proof, and says what was found.
fn answer(
    program: &mut Program<'_>,
    game: &AnyGame,
    job: &Job,
    proof: Option<&Path>,
    json: bool,
) -> Result<u8, Error> {
    let mut screen = program.observer(!json);
    let mut finished = program.engine.run_on(game, job, &mut screen, &program.cancel)?;
    keep(&mut finished, proof)?;
    say_answer(program, game, job, &finished, json)?;
    // Who pressed Ctrl-C while a proof was made has an answer, and not all that was asked for.
    let stop = match program.cancel.is_cancelled() {
        true => foregone::Stop::Interrupted,
        false => finished.answer.stop(),
    };
    Ok(match (exit_code(stop), finished.answer.solved()) {
        // An approximation came to its end, and answers nothing for sure.
        (0, false) => exit_code(foregone::Stop::Nodes),
        (code, _) => code,
    })
}

/// Writes the proof where it is wanted, and lets the answer say so.
pub(crate) fn keep(finished: &mut Finished, proof: Option<&Path>) -> Result<(), Error> {
    if let Some(peak) = memory::peak_bytes_of_process() {
        *finished.answer.peak_bytes_mut() = peak;
    }
    let Some(path) = proof else { return Ok(()) };
    let Some(summary) = finished.answer.proof_mut() else { return Ok(()) };
    summary.file = Some(path.display().to_string());
    match &finished.drawings {
        Some(drawings) if path.extension().is_some_and(|e| e == "dot") => {
            write_file(path, &drawings.dot)
        }
        _ => write_file(path, &finished.certificate),
    }
}

/// Says what was found.
pub(crate) fn say_answer(
    program: &mut Program<'_>,
    game: &AnyGame,
    job: &Job,
    finished: &Finished,
    json: bool,
) -> Result<(), Error> {
    let text = match json {
        true => serde_json::to_string(&finished.answer)
            .map_err(|e| Error::input(format!("the answer can't be written: {e}")))?,
        false => {
            let asked = matches!(job.proof, foregone::Proof::Always | foregone::Proof::Drawn);
            let text = print::text(&game.show(&job.position)?, &finished.answer, asked);
            text.trim_end_matches('\n').to_owned()
        }
    };
    program.say(&(text + "\n"));
    Ok(())
}

fn games(program: &mut Program<'_>, name: Option<&str>) -> Result<u8, Error> {
    let all: Vec<Entry> = program.engine.games().to_vec();
    let Some(name) = name else {
        let width = all.iter().map(|g| g.name.len()).max().unwrap_or(0);
        for game in all {
            program.say(&format!("{:<width$}  {}\n", game.name, game.rules));
            if !game.options.is_empty() {
                program.say(&format!("{:width$}    options: {}\n", "", game.options));
            }
        }
        return Ok(0);
    };
    let Some(entry) = all.iter().find(|g| g.name == name) else {
        let names: Vec<String> = all.iter().map(|g| g.name.to_owned()).collect();
        return Err(Error::input(format!("there is no game called `{name}`"))
            .at("game", name, 0..name.len())
            .help(suggest(name, &names).unwrap_or_default()));
    };
    let options = if entry.options.is_empty() { "none" } else { entry.options };
    program.say(&format!("{}: {}\noptions: {options}\n", entry.name, entry.rules));
    if !entry.needs_file {
        let description = program.engine.open(entry.name)?.describe();
        program.say(&match description.joint {
            true => describe_joint(&description),
            false => describe(&description),
        });
    }
    Ok(0)
}

/// A list of moves, of which the first are shown.
fn first_moves(moves: &[String]) -> String {
    let shown: Vec<&str> = moves.iter().take(8).map(String::as_str).collect();
    format!("{}{}", shown.join(" "), if moves.len() > shown.len() { " …" } else { "" })
}

/// Players, outcomes, the start and the propositions of a game in turn.
fn describe(game: &Description) -> String {
    let start = &game.start;
    let max = &start.players[0];
    let players = match (start.one_player, game.agents) {
        (true, _) => format!("{max}, alone"),
        (false, 2) => format!("{max} (Max, moves first), {} (Min)", start.players[1]),
        (false, _) => {
            let names = start.players.join(", ");
            format!("{names}; solve asks what {max} can do against all others")
        }
    };
    let mut outcomes: Vec<&str> = game.outcomes.iter().map(String::as_str).collect();
    if outcomes.len() > 8 {
        outcomes.splice(3..outcomes.len() - 3, ["…"]);
    }
    let moves = match &start.moves[0] {
        none if none.is_empty() => "none, it is over".to_owned(),
        moves => first_moves(moves),
    };
    let mut out = format!(
        "players: {players}\noutcomes for {max}: {}\nstart of {}: {}\nfirst moves: {moves}\n{}",
        outcomes.join(" < "),
        start.game,
        start.position,
        start.drawing,
    );
    out.push_str("\npropositions for formulas (foregone check):\n");
    let common = [
        ("w", "it is over, and A has won"),
        ("l", "it is over, and A has not won"),
        ("draw", "it is over, and nobody has won"),
        ("over", "it is over"),
        ("turn(AGENT)", "it is the agent's turn"),
        ("won(AGENT)", "it is over, and the agent has won"),
        ("atleast(OUTCOME)", "it is over with at least this outcome for the first player"),
    ];
    let own = game.atoms.iter().map(|(form, meaning)| (form.as_str(), meaning.as_str()));
    for (form, meaning) in common.into_iter().chain(own) {
        out.push_str(&format!("  {form:<18} {meaning}\n"));
    }
    out.push_str(match game.moves_off_turn {
        true => "an agent that a formula asks to move out of turn moves as usual\n",
        false => "an agent that a formula asks to move out of turn passes\n",
    });
    out
}

/// Players, payoffs and the start of a game with joint moves.
fn describe_joint(game: &Description) -> String {
    let start = &game.start;
    let [max, min] = [&start.players[0], &start.players[1]];
    let mut out = format!(
        "players: {max} (Max) and {min} (Min), at the same time\n\
         payoffs for {max}: {} to {}\nstart of {}: {}\n",
        game.outcomes[0], game.outcomes[1], start.game, start.position,
    );
    for (player, moves) in start.players.iter().zip(&start.moves) {
        out.push_str(&format!("first moves of {player}: {}\n", first_moves(moves)));
    }
    out + &start.drawing
}

fn show(program: &mut Program<'_>, game: &str, position: &str) -> Result<u8, Error> {
    let shown = open(program, game)?.show(position)?;
    let state = match (&shown.over, &shown.to_move) {
        (Some(score), _) if shown.one_player => format!("over: score {score}\n"),
        (Some(score), _) => format!("over: {score} for {}\n", shown.players[0]),
        (None, Some(mover)) => format!("{mover} to move\n"),
        (None, None) => String::new(),
    };
    program.say(&format!("{}\n{state}position: {}\n", shown.drawing, shown.position));
    Ok(0)
}

fn perft(
    program: &mut Program<'_>,
    spec: &str,
    depth: u32,
    position: &str,
    as_json: bool,
) -> Result<u8, Error> {
    let game = open(program, spec)?;
    let counts = game.perft(position, depth, |depth, count| {
        if !as_json {
            program.say(&format!("{depth:>3}  {}\n", grouped(count)));
        }
    })?;
    if as_json {
        let position = game.show(position)?.position;
        let object = json!({ "game": game.name(), "position": position, "counts": counts });
        program.say(&(object.to_string() + "\n"));
    }
    Ok(0)
}
