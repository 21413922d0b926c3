//! `foregone compare`: a comparison of searches as a table, as CSV and as a plot. The comparison
//! itself is made by the library.

use std::fmt::Write;
use std::time::Duration;

use foregone::compare::{Comparison, Cross, Median, Row, compare};
use foregone::text::{bytes_text, grouped};
use foregone::{Budget, Error, Job, Proof, Status, Stop};

use crate::args::{CompareArgs, FormatWord, Measured};
use crate::memory::memory_to_use;
use crate::plot::{Axis, Plot, Point, Scale, Series};
use crate::program::Program;
use crate::report::{read_file, write_file};
use crate::signals;
use crate::table::Table;

/// What each search may take where nothing is said.
const USUAL_TIME: Duration = Duration::from_secs(10);

/// Runs the command and returns the exit code.
pub(crate) fn run(program: &mut Program<'_>, args: &CompareArgs) -> Result<u8, Error> {
    program.catch_interrupts();
    // A file that cannot be written should fail before the hours, not behind them.
    for path in args.csv.iter().chain(&args.svg) {
        write_file(path, "")?;
    }
    let (cross, threads) = cross(args)?;
    let stop = program.stop_check(Duration::ZERO, None);
    let engine = program.engine.clone().with_stop(stop);
    let mut screen = program.observer(args.json).within(cross.job.budget);
    let comparison = compare(&engine, &cross, threads, &mut screen, &program.cancel)?;
    drop(screen);
    some_search(&comparison)?;
    if let Some(path) = &args.csv {
        write_file(path, &csv(&comparison))?;
    }
    if let Some(path) = &args.svg {
        write_file(path, &plot_svg(&comparison, args.plot))?;
    }
    let text = match args.json {
        true => serde_json::to_string(&comparison)
            .map_err(|e| Error::input(format!("the comparison can't be written: {e}")))?,
        false => text(&comparison, args.seeds.0.len() * args.repeat as usize),
    };
    program.say(&(text.trim_end().to_owned() + "\n"));
    if !comparison.contradictions.is_empty() {
        return Err(Error::proof(comparison.contradictions.join("\n"))
            .help("this is a defect of foregone, or of rules of your own: one answer is wrong"));
    }
    Ok(if comparison.interrupted { signals::exit_code() } else { 0 })
}

/// What is to be compared, and how many searches run at the same time.
pub fn cross(args: &CompareArgs) -> Result<(Cross, usize), Error> {
    let threads = threads(args);
    let cross = Cross {
        subjects: subjects(args)?,
        schemes: args.schemes.as_ref().map(|list| list.0.clone()).unwrap_or_default(),
        drivers: args.drivers.as_ref().map(|list| list.0.clone()).unwrap_or_default(),
        seeds: args.seeds.0.clone(),
        repeat: args.repeat,
        job: common(args, threads)?,
    };
    Ok((cross, threads))
}

/// Refuses a comparison for which no search could be made, and says why.
pub fn some_search(comparison: &Comparison) -> Result<(), Error> {
    let made = !comparison.rows.is_empty() || comparison.interrupted;
    match made || !comparison.contradictions.is_empty() {
        true => Ok(()),
        false => {
            let misfits: Vec<String> = comparison.misfits.iter().map(misfit_text).collect();
            Err(Error::input("none of these searches can be made").help(misfits.join("\n")))
        }
    }
}

/// A plot of a comparison, as a picture.
pub fn plot_svg(comparison: &Comparison, measured: Measured) -> String {
    plot(comparison, measured).svg()
}

/// How many searches run at the same time. More than there are cores would take time from each
/// other.
fn threads(args: &CompareArgs) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let wanted = args.threads as usize;
    if wanted > cores {
        let text = format!("--threads {wanted}: there are {cores} cores, so {cores} are used");
        crate::commands::warn(&text);
    }
    wanted.min(cores)
}

/// What all searches have in common.
fn common(args: &CompareArgs, threads: usize) -> Result<Job, Error> {
    let time = args.time.or_else(|| args.nodes.is_none().then_some(USUAL_TIME));
    let memory = args.memory.unwrap_or_else(|| memory_to_use() / threads as u64);
    Ok(Job {
        question: args.question.parse()?,
        player: args.player.clone(),
        budget: Budget { nodes: args.nodes, memory: Some(memory), time, ..Budget::default() },
        knowledge: !args.no_knowledge,
        symmetry: !args.no_symmetry,
        proof: if args.proofs { Proof::Always } else { Proof::Never },
        ..Job::default()
    })
}

/// The games, each with a position.
fn subjects(args: &CompareArgs) -> Result<Vec<(String, String)>, Error> {
    let start = [Job::default().position];
    let positions = match (args.position.is_empty(), &args.positions) {
        (true, None) => &start[..],
        _ => &args.position,
    };
    let pair = |game: &String, position: &str| (game.clone(), position.to_owned());
    let mut subjects = Vec::new();
    for game in &args.games {
        subjects.extend(positions.iter().map(|position| pair(game, position)));
    }
    if let Some(path) = &args.positions {
        let file = path.display().to_string();
        for (number, line) in read_file(path)?.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            match (line.split_once('\t'), &args.games[..]) {
                (Some((game, position)), _) => subjects.push(pair(&game.to_owned(), position)),
                (None, [game]) => subjects.push(pair(game, line)),
                (None, games) => {
                    let place = format!("{file}, line {}", number + 1);
                    let message = match games {
                        [] => "expected a game, a tab and a position",
                        _ => "which of the games? expected a game, a tab and a position",
                    };
                    return Err(Error::input(format!("{place}: {message}")));
                }
            }
        }
    }
    match subjects.is_empty() {
        true => Err(Error::input("there is nothing to compare")
            .help("foregone compare GAME … --schemes S,… --drivers D,…")),
        false => Ok(subjects),
    }
}

fn misfit_text(misfit: &foregone::compare::Misfit) -> String {
    format!("left out: {}: {}", misfit.search, misfit.why)
}

/// A median of whole numbers, or of seconds.
fn median(median: Median, text: impl Fn(f64) -> String) -> String {
    format!("{}{}", if median.at_least { "> " } else { "" }, text(median.value))
}

fn count(n: f64) -> String {
    grouped(n.round() as u64)
}

/// Seconds with as many digits as mean something.
fn seconds(s: f64) -> String {
    match s {
        s if s < 0.1 => format!("{s:.4}"),
        s if s < 100.0 => format!("{s:.2}"),
        s => count(s),
    }
}

fn value(row: &Row) -> String {
    match &row.value {
        Some(value) => value.clone(),
        None => row.bounds.join(" to "),
    }
}

fn status(row: &Row) -> String {
    match (row.solved, row.stop) {
        (solved, _) if solved == row.runs => "solved".to_owned(),
        (0, Some(Stop::Solved)) => "approximated".to_owned(),
        (0, Some(stop)) => format!("out of {}", stop.word()),
        (solved, _) => format!("{solved} of {}", row.runs),
    }
}

/// The comparison for people.
fn text(comparison: &Comparison, runs: usize) -> String {
    let rows = &comparison.rows;
    let positions = rows
        .iter()
        .any(|row| rows.iter().any(|r| r.game == row.game && r.position != row.position));
    let playouts = rows.iter().any(|row| row.playouts.value > 0.0);
    let mut heads = vec!["game"];
    heads.extend(positions.then_some("position"));
    heads.extend(["search", "value", "status", "nodes", "expansions"]);
    heads.extend(playouts.then_some("playouts"));
    heads.extend(["seconds", "memory"]);
    let labels = if positions { 5 } else { 4 };
    let line = |row: &Row| {
        let mut cells = vec![row.game.clone()];
        cells.extend(positions.then(|| row.position.clone()));
        cells.extend([row.search(), value(row), status(row)]);
        cells.extend([median(row.nodes, count), median(row.expansions, count)]);
        cells.extend(playouts.then(|| median(row.playouts, count)));
        cells.push(median(row.seconds, seconds));
        // Memory is what was held, whether a search came to its end or not.
        cells.push(bytes_text(row.peak_bytes.value as u64));
        cells
    };
    let heads = heads.into_iter().map(str::to_owned).collect();
    let table = Table { heads, labels, rows: rows.iter().map(line).collect() };
    let mut text = table.render(FormatWord::Text);
    if runs > 1 {
        let _ = writeln!(text, "medians of {runs} runs each");
    }
    for misfit in &comparison.misfits {
        let _ = writeln!(text, "{}", misfit_text(misfit));
    }
    if comparison.interrupted {
        text.push_str("interrupted: not all searches were made\n");
    }
    text
}

/// Every run, for programs.
fn csv(comparison: &Comparison) -> String {
    let heads = [
        "game",
        "position",
        "question",
        "scheme",
        "driver",
        "seed",
        "repetition",
        "status",
        "stop",
        "value",
        "low",
        "high",
        "expansions",
        "nodes",
        "playouts",
        "seconds",
        "peak_bytes",
    ];
    let line = |run: &foregone::compare::Run| {
        let [low, high] = run.bounds.clone();
        let solved = run.status == Status::Solved;
        let mut cells = vec![run.game.clone(), run.position.clone(), run.question.clone()];
        cells.extend([run.scheme.clone().unwrap_or_default(), run.driver.clone()]);
        cells.extend([run.seed.to_string(), run.repetition.to_string()]);
        cells.push(if solved { "solved" } else { "undecided" }.to_owned());
        cells.push(run.stop.word().to_owned());
        cells.extend([run.value.clone().unwrap_or_default(), low, high]);
        cells.extend([run.expansions, run.nodes, run.playouts].map(|n| n.to_string()));
        cells.extend([format!("{:.6}", run.seconds), run.peak_bytes.to_string()]);
        cells
    };
    let heads = heads.map(str::to_owned).to_vec();
    Table { heads, labels: 0, rows: comparison.runs.iter().map(line).collect() }
        .render(FormatWord::Csv)
}

/// The searches, in the order of the rows.
fn searches(comparison: &Comparison) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for row in &comparison.rows {
        let name = row.search();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn plot(comparison: &Comparison, measured: Measured) -> Plot {
    match measured {
        Measured::Nodes => groups(comparison, "nodes", |row| row.nodes),
        Measured::Seconds => groups(comparison, "seconds", |row| row.seconds),
        Measured::Cactus => cactus(comparison),
    }
}

/// What each search took of each game: a group for each game, its searches from left to right.
fn groups(comparison: &Comparison, name: &str, of: impl Fn(&Row) -> Median) -> Plot {
    let mut games: Vec<String> = Vec::new();
    for row in &comparison.rows {
        if !games.contains(&row.game) {
            games.push(row.game.clone());
        }
    }
    let names = searches(comparison);
    let series = |(at, name): (usize, &String)| {
        let beside = (at + 1) as f64 / (names.len() + 1) as f64;
        let rows = comparison.rows.iter().filter(|row| row.search() == *name);
        let point = |row: &Row| {
            let game = games.iter().position(|game| *game == row.game).unwrap_or(0);
            let took = of(row);
            Point { x: game as f64 + beside, y: took.value, faint: took.at_least }
        };
        Series { name: name.clone(), points: rows.map(point).collect(), joined: false }
    };
    Plot {
        title: format!("{name} of each search, faint where it was stopped"),
        x: Axis { name: String::new(), scale: Scale::Groups(games.clone()) },
        y: Axis::decades(name),
        series: names.iter().enumerate().map(series).collect(),
        square: false,
    }
}

/// How many positions each search solves if each of them may take so long.
fn cactus(comparison: &Comparison) -> Plot {
    let series = |name: &String| {
        let rows = comparison.rows.iter().filter(|row| row.search() == *name);
        let mut times: Vec<f64> =
            rows.filter(|row| !row.seconds.at_least).map(|row| row.seconds.value).collect();
        times.sort_by(f64::total_cmp);
        let point = |(at, &y): (usize, &f64)| Point { x: (at + 1) as f64, y, faint: false };
        let points = times.iter().enumerate().map(point).collect();
        Series { name: name.clone(), points, joined: true }
    };
    Plot {
        title: "positions that each search solves".to_owned(),
        x: Axis { name: "positions solved".to_owned(), scale: Scale::Numbers },
        y: Axis::decades("seconds for each"),
        series: searches(comparison).iter().map(series).collect(),
        square: false,
    }
}
