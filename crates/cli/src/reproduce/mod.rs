//! `foregone reproduce`: the tables and figures of the source papers, run again beside
//! their own figures.
//!
//! What to run is data (see `definition`): jobs, and what they are to find. How it is shown is
//! `crate::table` and `crate::plot`. Every answer is checked, by its certificate as always and against the known
//! winner; a wrong one ends the run.

mod cells;
mod combat;
mod definition;
mod duel;
mod experiment;
mod formulas;
mod joint;
mod measure;
mod outcomes;
mod playing;
mod plays;
mod positions;
#[cfg(test)]
mod tests;

use std::fmt::Write;
use std::path::PathBuf;

use foregone::text::counted;
use foregone::{Error, Job, suggest};

use crate::Program;
use crate::args::{BudgetArgs, FormatWord, ReproduceArgs};
use crate::report::unwritable;
use crate::table::Table;
use experiment::{Experiment, Kind, Lines, Usual};
use measure::{Ended, Runner};

pub(crate) use measure::command;
pub(crate) use plays::positions_after;

/// What an experiment gave, perhaps not to its end.
struct Outcome {
    table: Table,
    notes: Vec<String>,
    /// A plot, where that is what was asked for.
    plot: Option<String>,
    ended: Option<Ended>,
}

/// The names of all experiments.
pub fn names() -> Result<Vec<String>, Error> {
    Ok(experiment::all()?.into_iter().map(|e| e.name).collect())
}

/// The jobs of all experiments, each with the name of its experiment. Budgets, seeds and positions
/// that are made on the way are not in them.
pub fn jobs() -> Result<Vec<(String, Job)>, Error> {
    let mut all = Vec::new();
    for experiment in experiment::all()? {
        let jobs = experiment.kind.jobs().map_err(|e| e.before(&experiment.name))?;
        all.extend(jobs.into_iter().map(|job| (experiment.name.clone(), job)));
    }
    Ok(all)
}

/// Runs an experiment, or lists them when none is named.
pub fn run(program: &mut Program<'_>, args: &ReproduceArgs) -> Result<u8, Error> {
    let all = experiment::all()?;
    let Some(name) = &args.name else {
        return every(program, args, &all);
    };
    let Some(experiment) = all.iter().find(|e| e.name == *name) else {
        let names: Vec<String> = all.iter().map(|e| e.name.clone()).collect();
        return Err(Error::input(format!("there is no experiment called `{name}`"))
            .at("name", name, 0..name.len())
            .help(suggest(name, &names).unwrap_or_default()));
    };
    if args.sample.is_some() && !experiment.kind.samples() {
        let names: Vec<&str> =
            all.iter().filter(|e| e.kind.samples()).map(|e| e.name.as_str()).collect();
        return Err(Error::input(format!("`--sample` does not go with `{name}`"))
            .help(format!("it is for {}", names.join(", "))));
    }
    let args = &ReproduceArgs { out: out_file(args, experiment), ..args.clone() };
    // A file that cannot be written should fail before the hours, not behind them.
    if let Some(path) = &args.out {
        std::fs::write(path, "").map_err(|e| unwritable(path, &e))?;
    }
    let budget = budget(args, experiment);
    let outcome = make(program, experiment, args, &budget)?;
    show(program, args, experiment, &budget, &outcome)?;
    match outcome.ended {
        None => Ok(0),
        Some(Ended::Interrupted) => Ok(crate::signals::exit_code()),
        Some(Ended::Failed(error)) => Err(error),
    }
}

/// Lists all experiments or, if that is quick, runs them.
fn every(program: &mut Program<'_>, args: &ReproduceArgs, all: &[Experiment]) -> Result<u8, Error> {
    let given = [
        (args.out.is_some(), "--out"),
        (args.sample.is_some(), "--sample"),
        (args.format.is_some() && !args.quick, "--format"),
        (args.budget.time.is_some() && !args.quick, "--time"),
        (args.budget.nodes.is_some() && !args.quick, "--nodes"),
    ];
    if let Some((_, option)) = given.iter().find(|(given, _)| *given) {
        return Err(Error::input(format!("`{option}` is for one table or figure"))
            .help("name it; `foregone reproduce` lists them"));
    }
    if !args.quick {
        program.say(&list(all));
        return Ok(0);
    }
    for (number, experiment) in all.iter().enumerate() {
        let name = Some(experiment.name.clone());
        // A figure of its own for each would fill the folder: the points tell as much.
        let format = Some(args.format.unwrap_or(FormatWord::Text));
        if number > 0 {
            program.say("\n");
        }
        let code = run(program, &ReproduceArgs { name, format, ..args.clone() })?;
        if code != 0 || program.is_unheard() {
            return Ok(code);
        }
    }
    Ok(0)
}

/// The file that is written. A figure that is not asked for as text has one, whatever was said: a
/// terminal shows no pictures.
fn out_file(args: &ReproduceArgs, experiment: &Experiment) -> Option<PathBuf> {
    let figure = experiment.kind.is_figure() && args.format.is_none();
    let named = || figure.then(|| PathBuf::from(format!("{}.svg", experiment.name)));
    args.out.clone().or_else(named)
}

/// Makes an experiment in its own way.
fn make(
    program: &Program<'_>,
    experiment: &Experiment,
    args: &ReproduceArgs,
    budget: &BudgetArgs,
) -> Result<Outcome, Error> {
    let mut runner = Runner::new(program, budget);
    match &experiment.kind {
        Kind::Lines(lines) => Ok(run_lines(&mut runner, lines, args.quick, budget)),
        Kind::SampleTable(sample) => positions::table(&runner, sample, args, budget),
        Kind::SampleFigure(sample) => positions::figure(&runner, sample, args, budget),
        Kind::OutcomesTable(outcomes) => outcomes::table(&runner, outcomes, args, budget),
        Kind::OutcomesFigure(outcomes) => outcomes::figure(&runner, outcomes, args, budget),
        Kind::Questions(problem) => outcomes::questions(&runner, problem, budget),
        Kind::Ranges(problem) => outcomes::ranges(&runner, problem, budget),
        Kind::Cells(cells) => Ok(cells::table(&runner, cells, args)),
        Kind::Duel(duel) => duel::table(&runner, duel, args),
        Kind::Queries(queries) => formulas::queries(&runner, queries, args),
        Kind::Matrix(matrix) => formulas::matrix(&runner, matrix, args, budget),
        Kind::Joint(joint) => joint::table(&runner, joint, args, budget),
        Kind::Combat(combat) => combat::table(program, combat, args, budget),
        Kind::Playing(playing) => playing::table(&runner, playing, args, budget, &program.cancel),
    }
}

fn list(all: &[Experiment]) -> String {
    let width = all.iter().map(|e| e.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for e in all {
        let _ = writeln!(text, "{:<width$}  {}\n{:width$}    {}", e.name, e.title, "", e.source);
    }
    text
}

/// The budget of one search. `--quick` counts nodes, not seconds, so that it is the same on every
/// machine.
fn budget(args: &ReproduceArgs, experiment: &Experiment) -> BudgetArgs {
    let (usual, quick_nodes) = experiment.kind.usual();
    let mut budget = args.budget.clone();
    if budget.time.is_none() && budget.nodes.is_none() {
        match (args.quick, usual) {
            (true, _) => budget.nodes = Some(quick_nodes),
            (false, Usual::Time(time)) => budget.time = Some(time),
            (false, Usual::Nodes(nodes)) => budget.nodes = Some(nodes),
        }
    }
    budget
}

/// A budget in words.
fn budget_text(budget: &BudgetArgs) -> String {
    let mut parts = Vec::new();
    if let Some(time) = budget.time {
        parts.push(format!("{} s", time.as_secs_f64()));
    }
    if let Some(nodes) = budget.nodes {
        parts.push(counted(nodes, "node"));
    }
    parts.join(", ")
}

/// Runs a table of searches. With `quick` only the cells that say so, and only their columns.
fn run_lines(
    runner: &mut Runner<'_, '_>,
    lines: &Lines,
    quick: bool,
    budget: &BudgetArgs,
) -> Outcome {
    let wanted = |i: usize| lines.lines.iter().any(|l| !quick || l.cells[i].quick);
    let columns: Vec<usize> = (0..lines.columns.len()).filter(|&i| wanted(i)).collect();
    let mut table = Table { labels: lines.labels.len(), ..Table::default() };
    table.heads.clone_from(&lines.labels);
    for &i in &columns {
        let name = &lines.columns[i];
        table.heads.extend([format!("{name} ours"), format!("{name} {}", lines.by)]);
    }
    let mut ended = None;
    let mut open = false;
    for line in &lines.lines {
        if quick && !line.cells.iter().any(|c| c.quick) {
            continue;
        }
        let mut row = line.labels.clone();
        for &i in &columns {
            let cell = &line.cells[i];
            // What comes behind the end of a run is shown as not run.
            let ours = match &ended {
                Some(_) => "-".to_owned(),
                None => runner.cell(cell).unwrap_or_else(|e| {
                    ended = Some(e);
                    "-".to_owned()
                }),
            };
            open |= ours.starts_with("> ") || ours == "?";
            row.extend([ours, cell.theirs.clone()]);
        }
        table.rows.push(row);
    }
    let mut notes = lines.notes.clone();
    if open {
        let text = budget_text(budget);
        notes.push(format!("> N or ?: ours ran out of its budget ({text}, or memory)"));
    }
    if ended.is_some() {
        notes.push("-: not run, the run ended before".to_owned());
    }
    Outcome { table, notes, plot: None, ended }
}

/// Prints what was found, or writes it to a file.
fn show(
    program: &mut Program<'_>,
    args: &ReproduceArgs,
    experiment: &Experiment,
    budget: &BudgetArgs,
    outcome: &Outcome,
) -> Result<(), Error> {
    let format = args.format.unwrap_or(FormatWord::Text);
    let text = match format {
        FormatWord::Csv => outcome.table.render(format),
        FormatWord::Text => {
            let mut text = format!("{}: {}\n", experiment.name, experiment.title);
            let _ = writeln!(text, "source: {}\n", experiment.source);
            text.push_str(&outcome.table.render(format));
            text.push('\n');
            for note in &outcome.notes {
                let _ = writeln!(text, "{note}");
            }
            let _ = writeln!(text, "command: {}", command_line(args, budget));
            text
        }
        FormatWord::Markdown => {
            let mut text = format!("### {}: {}\n\n", experiment.name, experiment.title);
            let _ = writeln!(text, "Source: {}.", experiment.source);
            let _ = writeln!(text, "Command: `{}`\n", command_line(args, budget));
            text.push_str(&outcome.table.render(format));
            if !outcome.notes.is_empty() {
                text.push('\n');
            }
            for note in &outcome.notes {
                let _ = writeln!(text, "- {}", note.replace('>', "\\>"));
            }
            text
        }
    };
    match (&outcome.plot, &args.out) {
        // A plot is the thing itself; the points behind it are for who asks.
        (Some(plot), Some(path)) => {
            std::fs::write(path, plot).map_err(|e| unwritable(path, &e))?;
            program.say(&text);
            // A table for programs has nothing behind it.
            if format == FormatWord::Text {
                program.say(&format!("figure: written to {}\n", path.display()));
            }
        }
        (_, None) => program.say(&text),
        (None, Some(path)) => std::fs::write(path, &text).map_err(|e| unwritable(path, &e))?,
    }
    Ok(())
}

/// The command that makes the same table, its budget said.
fn command_line(args: &ReproduceArgs, budget: &BudgetArgs) -> String {
    let mut text = format!("foregone reproduce {}", args.name.as_deref().unwrap_or_default());
    if args.quick {
        text.push_str(" --quick");
    }
    if let Some(n) = args.sample {
        let _ = write!(text, " --sample {n}");
    }
    if let Some(time) = budget.time {
        let _ = write!(text, " --time {}s", time.as_secs_f64());
    }
    if let Some(nodes) = budget.nodes.filter(|_| args.budget.nodes.is_some()) {
        let _ = write!(text, " --nodes {nodes}");
    }
    if let Some(bytes) = budget.memory {
        let _ = write!(text, " --memory {bytes}");
    }
    if budget.threads != 1 {
        let _ = write!(text, " --threads {}", budget.threads);
    }
    if budget.seed != 0 {
        let _ = write!(text, " --seed {}", budget.seed);
    }
    text
}
