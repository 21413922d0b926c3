//! `foregone draw`: a position as a picture.

use std::path::Path;

use foregone::{AnyGame, Error, Job, Opened};

use crate::args::DrawArgs;
use crate::commands::{has_folder, open, warn};
use crate::program::{Program, exit_code};
use crate::report::write_file;

/// Runs the command and returns the exit code.
pub(crate) fn run(program: &mut Program<'_>, args: &DrawArgs) -> Result<u8, Error> {
    let game = open(program, &args.game)?;
    args.svg.as_deref().map_or(Ok(()), has_folder)?;
    if let (true, Opened::Joint(_)) = (args.values, game.opened()) {
        return Err(Error::input("`--values` goes with players who move in turn only")
            .help("--best writes how often each move is played"));
    }
    let (scene, code) = match args.best || args.values {
        false => (game.scene(&args.position)?, 0),
        true => {
            program.catch_interrupts();
            let job = Job {
                game: args.game.clone(),
                position: args.position.clone(),
                budget: args.budget.budget(),
                seed: args.budget.seed,
                moves: args.values,
                ..Job::default()
            };
            let mut screen = program.observer(args.json);
            let finished = program.engine.run_on(&game, &job, &mut screen, &program.cancel)?;
            let scene = game.scene_with(&args.position, &finished.answer)?;
            if !finished.answer.solved() {
                let stop = finished.answer.stop().word();
                warn(&format!("{} is undecided (stopped: {stop})", game.name()));
            }
            (scene, exit_code(finished.answer.stop()))
        }
    };
    let text = match args.json {
        true => serde_json::to_string(&scene)
            .map_err(|e| Error::input(format!("the picture can't be written: {e}")))?,
        false => game.svg(&scene),
    };
    match args.svg.as_deref().filter(|path| *path != Path::new("-")) {
        Some(path) => write_file(path, &text)?,
        None => program.say(&(text.trim_end().to_owned() + "\n")),
    }
    Ok(code)
}

/// Writes the picture of an answer's position to a file, with what the answer says on it.
pub(crate) fn answered(
    game: &AnyGame,
    job: &Job,
    answer: &foregone::Answer,
    path: &Path,
) -> Result<(), Error> {
    write_file(path, &game.svg(&game.scene_with(&job.position, answer)?))
}
