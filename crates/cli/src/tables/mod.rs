//! `foregone table`: building, looking up and checking tables.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use foregone::tables::{
    self, BuildAnswer, BuildSettings, CheckAnswer, InfoAnswer, ListedTable, Probed, ProbedMove,
};
use foregone::text::{bytes_text, counted, grouped, rows, wrapped};
use foregone::{AnyGame, Context, Error};
use serde::Serialize;
use serde_json::json;

use crate::args::{FormatWord, TableBuildArgs, TableCommand, TableName, TableProbeArgs};
use crate::commands::{has_folder, open};
use crate::plot::{Axis, Plot, Point, Scale, Series};
use crate::program::Program;
use crate::report::write_file;
use crate::table::Table;
use crate::{cluster, memory, signals};

mod material;

/// Runs a command.
pub(crate) fn run(program: &mut Program<'_>, command: TableCommand) -> Result<u8, Error> {
    program.catch_interrupts();
    match command {
        TableCommand::Build(args) => build(program, &args),
        TableCommand::List { dir, json } => list(program, &dir.path(), json),
        TableCommand::Info { table, svg, json } => info(program, &table, svg.as_deref(), json),
        TableCommand::Probe(args) => {
            let probed = probe(program, &args)?;
            say(program, args.json, &probed, |program, probed| probe_text(program, &args, probed))
        }
        TableCommand::Best(args) => {
            let probed = probe(program, &args)?;
            say(program, args.json, &probed, |_, probed| best_text(probed))
        }
        TableCommand::Verify { table, threads, json } => verify(program, &table, threads, json),
        TableCommand::Material { game, elements, json } => {
            let answer = tables::material(&game, elements)?;
            say(program, json, &answer, |_, answer| material::text(answer))
        }
    }
}

/// Prints an answer as JSON or as text.
fn say<T: Serialize>(
    program: &mut Program<'_>,
    as_json: bool,
    answer: &T,
    text: impl FnOnce(&Program<'_>, &T) -> String,
) -> Result<u8, Error> {
    let text = match as_json {
        true => json!(answer).to_string() + "\n",
        false => text(program, answer),
    };
    program.say(&text);
    Ok(0)
}

/// The texts of a game and of a class: `chess KQKR`, or `chess:KQKR` where that is not a game.
fn texts<'a>(program: &Program<'_>, table: &'a TableName) -> Result<(&'a str, &'a str), Error> {
    if let Some(class) = &table.class {
        return Ok((&table.game, class));
    }
    let split = table.game.rsplit_once(':');
    match (program.engine.open(&table.game), split) {
        (Ok(_), _) | (Err(_), None) => Ok((&table.game, "")),
        (Err(error), Some((game, class))) => match program.engine.open(game) {
            Ok(opened) if tables::is_class(&opened, class) => Ok((game, class)),
            _ => Err(error),
        },
    }
}

/// The game and the class that they name.
fn named(program: &Program<'_>, table: &TableName) -> Result<(AnyGame, String), Error> {
    let (game, class) = texts(program, table)?;
    Ok((open(program, game)?, class.to_owned()))
}

fn threads(wanted: Option<u32>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    wanted.map_or_else(cores, |threads| threads as usize)
}

fn build(program: &mut Program<'_>, args: &TableBuildArgs) -> Result<u8, Error> {
    let (text, class) = texts(program, &args.table)?;
    let game = open(program, text)?;
    let settings = BuildSettings {
        dir: args.table.dir.path(),
        threads: threads(args.threads),
        memory: args.memory.unwrap_or_else(memory::memory_to_use),
        every: args.every,
    };
    let answer = match args.cluster.cluster {
        Some(_) => {
            let game = (&game, text);
            cluster::build_tables(program, game, class, &settings, &args.cluster, args.json)?
        }
        None => {
            let (engine, cancel) = (program.engine.clone(), program.cancel.clone());
            let mut screen = program.observer(args.json);
            let mut context = Context::new(engine.clock(), &mut screen, &cancel);
            tables::build(&game, class, &settings, &mut context)?
        }
    };
    say(program, args.json, &answer, |_, answer| build_text(answer))?;
    Ok(if answer.complete { 0 } else { signals::exit_code() })
}

fn build_text(answer: &BuildAnswer) -> String {
    let heads = ["class", "positions", "numbers", "size", "bytes a position", "seconds"];
    let mut table = Table { heads: heads.map(str::to_owned).to_vec(), labels: 1, rows: Vec::new() };
    for built in &answer.tables {
        let per_position = built.bytes as f64 / built.positions.max(1) as f64;
        let seconds = match (built.seconds, built.resumed) {
            (None, _) => "was there".to_owned(),
            (Some(seconds), false) => format!("{seconds:.2}"),
            (Some(seconds), true) => format!("{seconds:.2}, taken up"),
        };
        table.rows.push(vec![
            built.class.clone(),
            grouped(built.positions),
            grouped(built.numbers),
            bytes_text(built.bytes),
            format!("{per_position:.3}"),
            seconds,
        ]);
    }
    let mut out = table.render(FormatWord::Text);
    let built: u64 =
        answer.tables.iter().filter(|t| t.seconds.is_some()).map(|t| t.positions).sum();
    if answer.complete {
        let rate = built as f64 / answer.seconds.max(1e-9);
        let _ = writeln!(
            out,
            "{}: {} of {} in {:.2} s, {} a second",
            answer.game,
            counted(answer.tables.len() as u64, "table"),
            counted(built, "new position"),
            answer.seconds,
            grouped(rate as u64),
        );
    } else {
        out.push_str("stopped: the same command goes on from here\n");
    }
    out
}

fn list(program: &mut Program<'_>, dir: &Path, as_json: bool) -> Result<u8, Error> {
    let found = tables::list(dir)?;
    say(program, as_json, &found, |_, found| list_text(dir, found))
}

fn list_text(dir: &Path, found: &[ListedTable]) -> String {
    if found.is_empty() {
        return format!("there are no tables in {}\n", dir.display());
    }
    let heads = ["game", "class", "positions", "size", "bytes a position"];
    let mut table = Table { heads: heads.map(str::to_owned).to_vec(), labels: 2, rows: Vec::new() };
    for one in found {
        let per_position = one.bytes as f64 / one.positions.max(1) as f64;
        table.rows.push(match &one.problem {
            None => vec![
                one.game.clone(),
                one.class.clone(),
                grouped(one.positions),
                bytes_text(one.bytes),
                format!("{per_position:.3}"),
            ],
            Some(problem) => {
                let unread = String::new;
                vec!["can't be read".to_owned(), problem.clone(), unread(), unread(), unread()]
            }
        });
    }
    table.render(FormatWord::Text)
}

fn info(
    program: &mut Program<'_>,
    table: &TableName,
    svg: Option<&Path>,
    as_json: bool,
) -> Result<u8, Error> {
    svg.map_or(Ok(()), has_folder)?;
    let (game, class) = named(program, table)?;
    let answer = tables::info(&game, &table.dir.path(), &class)?;
    if let Some(path) = svg {
        write_file(path, &plot(&answer).svg())?;
    }
    say(program, as_json, &answer, |_, answer| info_text(answer))
}

fn info_text(answer: &InfoAnswer) -> String {
    let mut out =
        format!("{}, {}: {}\n", answer.game, answer.class, counted(answer.positions, "position"));
    for share in &answer.shares {
        let who = share.to_move.as_ref().map_or("over".to_owned(), |who| format!("{who} to move"));
        let counts: Vec<String> = share
            .outcomes
            .iter()
            .map(|(name, count)| format!("{name} {}", grouped(*count)))
            .collect();
        let _ = writeln!(out, "  {who:<14} {}", counts.join(", "));
    }
    if let Some(longest) = &answer.longest {
        let _ = writeln!(out, "  longest        {}", plies(longest.distance));
        let _ = writeln!(out, "  from           {}", longest.position);
        out.push_str(&wrapped("  line          ", 16, &longest.line));
    }
    let rests_on = match answer.rests_on.is_empty() {
        true => "nothing else".to_owned(),
        false => answer.rests_on.join(" "),
    };
    let _ = writeln!(out, "  rests on       {rests_on}");
    let _ = writeln!(out, "  file           {}, {}", answer.file, bytes_text(answer.bytes));
    let _ = writeln!(out, "  sha256         {}", answer.digest);
    let mut table = Table {
        heads: ["distance", "wins", "losses"].map(str::to_owned).to_vec(),
        labels: 0,
        rows: Vec::new(),
    };
    for at in &answer.distances {
        table.rows.push(vec![at.distance.to_string(), grouped(at.wins), grouped(at.losses)]);
    }
    if !table.rows.is_empty() {
        out.push_str("\nby distance in plies, for who is to move:\n");
        out.push_str(&table.render(FormatWord::Text));
    }
    out
}

/// The distribution of distances.
fn plot(answer: &InfoAnswer) -> Plot {
    let series = |name: &str, count: fn(&tables::Distribution) -> u64| {
        let points = answer.distances.iter().filter(|at| count(at) > 0).map(|at| Point {
            x: at.distance.into(),
            y: count(at) as f64,
            faint: false,
        });
        Series { name: name.to_owned(), points: points.collect(), joined: true }
    };
    Plot {
        title: format!("{}, {}: positions by distance", answer.game, answer.class),
        x: Axis { name: "distance in plies".to_owned(), scale: Scale::Numbers },
        y: Axis::decades("positions"),
        series: vec![series("won by who moves", |at| at.wins), series("lost", |at| at.losses)],
        square: false,
    }
}

fn probe(program: &Program<'_>, args: &TableProbeArgs) -> Result<Probed, Error> {
    tables::probe(&open(program, &args.game)?, &args.dir.path(), &args.position)
}

fn probe_text(program: &Program<'_>, args: &TableProbeArgs, probed: &Probed) -> String {
    let shown = open(program, &args.game).and_then(|game| game.show(&args.position));
    let mut out = shown.map(|shown| shown.drawing + "\n").unwrap_or_default();
    let to_move = probed.to_move.as_ref().map(|who| format!(", {who} to move"));
    let value = worth_text(&probed.value, probed.winner.as_deref());
    let _ = writeln!(out, "{}{}: {value}.", probed.game, to_move.unwrap_or_default());
    if let Some(distance) = probed.distance {
        let to = if probed.distance_to == "end" { "the end" } else { "the next class" };
        let _ = writeln!(out, "  distance   {} to {to}", plies(distance));
    }
    if let Some(best) = &probed.best_move {
        let _ = writeln!(out, "  best move  {best}");
    }
    if !probed.line.is_empty() {
        let end = match &probed.line_end {
            Some(end) => format!("({end})"),
            None => "(goes round)".to_owned(),
        };
        let words = probed.line.iter().chain([&end]);
        rows(&mut out, "line", words);
    }
    for (at, (value, moves)) in grouped_moves(&probed.moves).iter().enumerate() {
        let head = if at == 0 { "moves" } else { "" };
        let words = std::iter::once(format!("{value}:")).chain(moves.iter().cloned());
        rows(&mut out, head, words);
    }
    let _ = writeln!(out, "  by table   {}, number {}", probed.class, grouped(probed.number));
    out
}

/// A number of moves of either side.
fn plies(count: u32) -> String {
    if count == 1 { "1 ply".to_owned() } else { format!("{} plies", grouped(count.into())) }
}

fn worth_text(value: &str, winner: Option<&str>) -> String {
    match (value, winner) {
        ("win" | "loss", Some(winner)) => format!("{winner} wins"),
        ("draw", _) => "a draw".to_owned(),
        _ => value.to_owned(),
    }
}

/// Moves of equal value together, the best first.
fn grouped_moves(moves: &[ProbedMove]) -> Vec<(String, Vec<String>)> {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for told in moves {
        let text = match told.distance {
            Some(distance) => format!("{} ({distance})", told.text),
            None => told.text.clone(),
        };
        match groups.last_mut() {
            Some((value, texts)) if *value == told.value => texts.push(text),
            _ => groups.push((told.value.clone(), vec![text])),
        }
    }
    groups
}

fn best_text(probed: &Probed) -> String {
    let best = probed.moves.iter().filter(|told| told.best);
    best.map(|told| told.text.clone() + "\n").collect()
}

fn verify(
    program: &mut Program<'_>,
    table: &TableName,
    wanted_threads: Option<u32>,
    as_json: bool,
) -> Result<u8, Error> {
    let path = PathBuf::from(&table.game);
    let (game, class, dir) = match path.extension().is_some_and(|end| end == tables::ENDING) {
        false => {
            let (game, class) = named(program, table)?;
            (game, class, table.dir.path())
        }
        true => {
            let (game, class) = tables::named_by(&path)?;
            (open(program, &game)?, class, tables::folder_of(&path))
        }
    };
    let (engine, cancel) = (program.engine.clone(), program.cancel.clone());
    let mut screen = program.observer(as_json);
    let mut context = Context::new(engine.clock(), &mut screen, &cancel);
    let answer = {
        let (threads, memory) = (threads(wanted_threads), memory::memory_to_use());
        tables::check(&game, &dir, &class, threads, memory, &mut context)?
    };
    drop(screen);
    say(program, as_json, &answer, |_, answer| verify_text(answer))?;
    Ok(if answer.complete { 0 } else { signals::exit_code() })
}

fn verify_text(answer: &CheckAnswer) -> String {
    let mut out = String::new();
    for table in &answer.tables {
        let positions = counted(table.positions, "position");
        let _ = writeln!(out, "{}: right, {positions}, sha256 {}", table.class, table.digest);
    }
    if answer.complete {
        let positions: u64 = answer.tables.iter().map(|table| table.positions).sum();
        let _ = writeln!(
            out,
            "proved: every entry of {} of {} follows from the rules ({}, {:.2} s)",
            counted(answer.tables.len() as u64, "table"),
            answer.game,
            counted(positions, "position"),
            answer.seconds
        );
    } else {
        out.push_str("stopped: the rest was not checked\n");
    }
    out
}
