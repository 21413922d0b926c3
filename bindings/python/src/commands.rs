//! What is neither a game nor a question about one: lists, certificates, matrices, comparisons, matches, tables,
//! rulesheets, and the program itself.

use std::ffi::OsString;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use foregone::compare::compare as compare_searches;
use foregone::games::files::{Files, StopCheck};
use foregone::games::registry::{GAMES, Moves};
use foregone::play::{Course, Match, Player, in_turn, sit};
use foregone::search::DriverSpec;
use foregone::search::matrix::ExactMatrix;
use foregone::tables::{self, BuildSettings};
use foregone::{
    Context, Engine, Error, Event, Expand, Observer, Refused, Trust, Watched, Work, verified_json,
};
use foregone_cli::args::{CompareArgs, Listed, MatchArgs, MoveBudgetArgs, SchemeArg, read_words};
use foregone_cli::{cross, gdl_check_json, memory_to_use, plot_svg, some_search};
use pyo3::prelude::*;
use serde::Serialize;
use serde_json::json;

use crate::attend::attend;
use crate::error::{raised, refused};
use crate::game::Game;
use crate::own::Own;
use crate::text;

/// The games that are built in, as JSON.
#[pyfunction]
pub(crate) fn games() -> PyResult<String> {
    let one = |entry: &foregone::Entry| {
        let moves = match entry.moves {
            Moves::InTurn => "in turn",
            Moves::Joint => "at the same time",
            Moves::Either => "either",
        };
        json!({
            "name": entry.name, "options": entry.options, "rules": entry.rules, "moves": moves,
            "file": entry.file.map(|file| file.ending),
        })
    };
    text(&GAMES.iter().map(one).collect::<Vec<_>>())
}

/// The words for schemes and drivers, each with its meaning, as JSON.
#[pyfunction]
pub(crate) fn schemes() -> PyResult<String> {
    text(&json!({ "schemes": SchemeArg::listed(), "drivers": DriverSpec::listed() }))
}

/// An engine that knows these games, too.
fn engine_with(games: &[PyRef<'_, Game>]) -> (Engine, Vec<Own>) {
    let mut engine = Engine::default();
    let mut own = Vec::new();
    for game in games {
        if let Some(written) = &game.game.own {
            engine = engine.with_open(game.game.any.clone());
            own.push(written.clone());
        }
    }
    (engine, own)
}

/// Replays the certificates of a text, and returns what they prove, as JSON.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the options of one command")]
pub(crate) fn verify(
    py: Python<'_>,
    file: &str,
    certificate: String,
    games: Vec<PyRef<'_, Game>>,
    strict: bool,
    trusted: Vec<String>,
    expand: bool,
    rules: Option<PathBuf>,
    listener: Option<Py<PyAny>>,
) -> PyResult<String> {
    let (engine, own) = engine_with(&games);
    let size = certificate.len().max(1) as f64;
    let (replayed, interrupted) = attend(py, listener.as_ref(), &own, |teller, cancel| {
        let began = engine.clock().now();
        let mut goes_on = |read: u64| {
            let seconds = engine.clock().now().saturating_sub(began).as_secs_f64();
            let (work, share) = (Work::Checking, read as f64 / size);
            teller.event(&Event::Working { work, seconds, done: read, share });
            !cancel.is_cancelled()
        };
        let mut watched = Watched::new(Cursor::new(certificate.as_bytes()), &mut goes_on);
        let late = || cancel.is_cancelled();
        let mut trust = Trust {
            rules_only: strict,
            names: trusted.clone(),
            expand: expand.then(|| Expand { late: &late, bytes: memory_to_use() }),
            ..Trust::default()
        };
        trust.check_names(engine.games()).map_err(|e| Refused::Game(Box::new(e)))?;
        let stop = cancel.clone();
        let files = Files {
            stop: StopCheck::new(move || stop.is_cancelled()),
            instead: rules.clone(),
            beside: Path::new(file).parent().map(Path::to_owned),
            ..engine.files().clone()
        };
        engine.verify_from(&files, &mut watched, &mut trust, &mut |_| {})
    })?;
    if interrupted {
        return text(&json!({ "file": file, "status": "undecided", "stop": "interrupted" }));
    }
    match replayed {
        Ok(proved) => text(&verified_json(file, strict, &proved)),
        Err(error) => Err(refused(py, &error)),
    }
}

/// The Nash value of a matrix, which is text with commas, as JSON.
#[pyfunction]
pub(crate) fn nash(py: Python<'_>, matrix: &str) -> PyResult<String> {
    let matrix = ExactMatrix::read(matrix)
        .map_err(|error| raised(py, &Error::text("matrix", matrix, error)))?;
    let (found, _) = attend(py, None, &[], |_, _| foregone::matrix::found(&matrix))?;
    let found = found.map_err(|error| raised(py, &error))?;
    text(&foregone::matrix::json(&matrix, &found))
}

/// Compares searches; the words are those of `foregone compare`. The comparison as JSON, and a plot of it.
#[pyfunction]
pub(crate) fn compare(
    py: Python<'_>,
    games: Vec<PyRef<'_, Game>>,
    mut words: Vec<String>,
    listener: Option<Py<PyAny>>,
) -> PyResult<(String, String)> {
    // The program plots into a file. Here no file is written.
    words.extend(["--svg=-".to_owned(), "--".to_owned()]);
    words.extend(games.iter().map(|game| game.game.spec.clone()));
    let args: CompareArgs = read_words(words).map_err(|error| raised(py, &error))?;
    let (engine, own) = engine_with(&games);
    let (compared, _) = attend(py, listener.as_ref(), &own, |teller, cancel| {
        let (cross, threads) = cross(&args)?;
        let stop = cancel.clone();
        let engine = engine.clone().with_stop(StopCheck::new(move || stop.is_cancelled()));
        let comparison = compare_searches(&engine, &cross, threads, teller, cancel)?;
        some_search(&comparison).map(|()| comparison)
    })?;
    let comparison = compared.map_err(|error| raised(py, &error))?;
    Ok((text(&comparison)?, plot_svg(&comparison, args.plot)))
}

/// Lets two players play games; the words are those of `foregone match`. How it ended as JSON, and the games as
/// text.
#[pyfunction]
pub(crate) fn play_match(
    py: Python<'_>,
    game: &Game,
    players: [String; 2],
    mut words: Vec<String>,
    listener: Option<Py<PyAny>>,
) -> PyResult<(String, String)> {
    words.extend([format!("--game={}", game.game.spec), "--".to_owned()]);
    words.extend(players);
    let args: MatchArgs = read_words(words).map_err(|error| raised(py, &error))?;
    let spec = Match {
        game: args.game,
        position: args.position,
        players: [args.player, args.foe],
        games: args.games,
        budget: args.budget.budget(),
        opening: args.openings,
        seed: args.seed,
        threads: args.threads,
    };
    let engine = game.game.engine();
    let (played, _) = attend(py, listener.as_ref(), game.game.own(), |teller, cancel| {
        let mut watch = |event: foregone::play::MatchEvent<'_>| {
            let points = f64::from(event.halves) / 2.0;
            let told = json!({
                "event": "played", "played": event.played, "of": spec.games, "points": points,
            });
            teller.tell(told.to_string());
        };
        engine.play_match_on(&game.game.any, &spec, &sit, &mut watch, cancel)
    })?;
    let answer = played.map_err(|error| raised(py, &error))?;
    let games: String = answer.games.iter().map(|game| game.text.as_str()).collect();
    Ok((text(&answer)?, games))
}

/// The move that a player chooses in a position, and what it knows, as JSON; the words are those of `foregone match`
/// for what a move may take.
#[pyfunction]
pub(crate) fn choose(
    py: Python<'_>,
    game: &Game,
    position: &str,
    player: &str,
    seed: u64,
    words: Vec<String>,
) -> PyResult<String> {
    let player: Player = player.parse().map_err(|error| raised(py, &error))?;
    let args: MoveBudgetArgs = read_words(words).map_err(|error| raised(py, &error))?;
    let engine = game.game.engine();
    let (chosen, _) = attend(py, None, game.game.own(), |teller, cancel| {
        let erased = in_turn(&game.game.any)?;
        let course = Course::new(erased.clone(), position)?;
        let moves = course.moves();
        if moves.is_empty() {
            return Err(Error::input("the game is over, and there is no move to choose"));
        }
        let mut seat = sit(&player, erased, course.state(), seed)?;
        let mut context = Context::new(engine.clock(), teller, cancel);
        let choice = seat.choose(&args.budget(), &mut context)?;
        Ok(json!({
            "move": moves.get(choice.number), "known": choice.known, "expects": choice.expects,
            "playouts": choice.playouts, "nodes": choice.nodes,
        }))
    })?;
    text(&chosen.map_err(|error| raised(py, &error))?)
}

/// Does something with tables that takes a while, and returns it as JSON.
fn tabled<T: Serialize + Send>(
    py: Python<'_>,
    game: &Game,
    listener: Option<&Py<PyAny>>,
    work: impl Fn(&mut Context<'_>) -> Result<T, Error> + Sync,
) -> PyResult<String> {
    let engine = game.game.engine();
    let (done, _) = attend(py, listener, game.game.own(), |teller, cancel| {
        work(&mut Context::new(engine.clock(), teller, cancel))
    })?;
    text(&done.map_err(|error| raised(py, &error))?)
}

fn cores(threads: Option<usize>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    threads.unwrap_or_else(cores).clamp(1, 1024)
}

/// Builds tables, as JSON.
#[pyfunction]
pub(crate) fn table_build(
    py: Python<'_>,
    game: &Game,
    class: &str,
    dir: PathBuf,
    threads: Option<usize>,
    memory: Option<String>,
    listener: Option<Py<PyAny>>,
) -> PyResult<String> {
    let memory = match memory {
        None => memory_to_use(),
        Some(words) => foregone_cli::args::bytes(&words)
            .map_err(|what| raised(py, &Error::input(format!("memory: {what}"))))?,
    };
    let settings =
        BuildSettings { dir, threads: cores(threads), memory, ..BuildSettings::default() };
    tabled(py, game, listener.as_ref(), |context| {
        tables::build(&game.game.any, class, &settings, context)
    })
}

/// Looks a position up, as JSON.
#[pyfunction]
pub(crate) fn table_probe(
    py: Python<'_>,
    game: &Game,
    dir: PathBuf,
    position: &str,
) -> PyResult<String> {
    tabled(py, game, None, |_| tables::probe(&game.game.any, &dir, position))
}

/// What a table holds, as JSON.
#[pyfunction]
pub(crate) fn table_info(
    py: Python<'_>,
    game: &Game,
    class: &str,
    dir: PathBuf,
) -> PyResult<String> {
    tabled(py, game, None, |_| tables::info(&game.game.any, &dir, class))
}

/// The tables in a folder, as JSON.
#[pyfunction]
pub(crate) fn table_list(py: Python<'_>, dir: PathBuf) -> PyResult<String> {
    text(&tables::list(&dir).map_err(|error| raised(py, &error))?)
}

/// Verifies tables entry by entry, as JSON.
#[pyfunction]
pub(crate) fn table_verify(
    py: Python<'_>,
    game: &Game,
    class: &str,
    dir: PathBuf,
    threads: Option<usize>,
    listener: Option<Py<PyAny>>,
) -> PyResult<String> {
    let (threads, memory) = (cores(threads), memory_to_use());
    tabled(py, game, listener.as_ref(), |context| {
        tables::check(&game.game.any, &dir, class, threads, memory, context)
    })
}

/// What is wrong with a rulesheet, and what random play shows, as JSON.
#[pyfunction]
pub(crate) fn gdl_check(py: Python<'_>, file: PathBuf, playouts: u64) -> PyResult<String> {
    let (checked, _) = attend(py, None, &[], |_, _| gdl_check_json(&file, playouts))?;
    text(&checked.map_err(|error| raised(py, &error))?)
}

/// The program `foregone`: runs a command and returns the exit code. Help, and words that make no sense, end the
/// process.
#[pyfunction]
pub(crate) fn run(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| foregone_cli::run_words(words, []))
}
