//! `foregone reproduce`: the tables and figures of the seeds, run again beside their figures.
//!
//! What to run is data (see `definition`), how it is shown is `table` and `plot`. Every answer is
//! checked, by its certificate as always and against the known winner; a wrong one ends the run.

mod cells;
mod combat;
mod definition;
mod duel;
mod formulas;
mod joint;
mod measure;
mod outcomes;
mod plot;
mod positions;
mod table;

use std::fmt::Write as _;
use std::io::Write;

pub use definition::{Cell, Measure};
pub use measure::{Ended, Runner};
pub use plot::{Mark, Plot, Point};
pub use table::Table;

use crate::args::{BudgetArgs, FormatWord, ReproduceArgs};
use crate::failure::{Failure, suggest};
use crate::print::grouped;
use definition::{Experiment, Kind, Lines, Usual};

/// Exit code after Ctrl-C.
const STOPPED: u8 = 130;

/// What an experiment gave, perhaps not to its end.
struct Outcome {
    table: Table,
    notes: Vec<String>,
    /// A plot, where that is what was asked for.
    plot: Option<String>,
    ended: Option<Ended>,
}

/// The names of all experiments.
pub fn names() -> Result<Vec<String>, Failure> {
    Ok(definition::all()?.into_iter().map(|e| e.name).collect())
}

/// Runs an experiment, or lists them when none is named.
pub fn run(args: &ReproduceArgs, out: &mut dyn Write) -> Result<u8, Failure> {
    let all = definition::all()?;
    let Some(name) = &args.name else {
        say(out, &list(&all));
        return Ok(0);
    };
    let Some(experiment) = all.iter().find(|e| e.name == *name) else {
        let names: Vec<String> = all.iter().map(|e| e.name.clone()).collect();
        return Err(Failure::input(format!("there is no experiment called `{name}`"))
            .at("name", name, 0..name.len())
            .help(suggest(name, &names).unwrap_or_default()));
    };
    if args.sample.is_some() && !experiment.kind.samples() {
        let names: Vec<&str> =
            all.iter().filter(|e| e.kind.samples()).map(|e| e.name.as_str()).collect();
        return Err(Failure::input(format!("`--sample` does not go with `{name}`"))
            .help(format!("it is for {}", names.join(", "))));
    }
    // A file that cannot be written should fail before the hours, not behind them.
    if let Some(path) = &args.out {
        std::fs::write(path, "").map_err(|e| unwritable(path, &e))?;
    }
    let budget = budget(args, experiment);
    let outcome = match &experiment.kind {
        Kind::Lines(lines) => run_lines(lines, args.quick, &budget),
        Kind::SampleTable(sample) => positions::table(sample, args, &budget)?,
        Kind::SampleFigure(sample) => positions::figure(sample, args, &budget)?,
        Kind::OutcomesTable(outcomes) => outcomes::table(outcomes, args, &budget)?,
        Kind::OutcomesFigure(outcomes) => outcomes::figure(outcomes, args, &budget)?,
        Kind::Questions(problem) => outcomes::questions(problem, &budget)?,
        Kind::Ranges(problem) => outcomes::ranges(problem, &budget)?,
        Kind::Cells(cells) => cells::table(cells, args, &budget),
        Kind::Duel(duel) => duel::table(duel, args, &budget)?,
        Kind::Queries(queries) => formulas::queries(queries, args, &budget)?,
        Kind::Matrix(matrix) => formulas::matrix(matrix, args, &budget)?,
        Kind::Joint(joint) => joint::table(joint, args, &budget)?,
        Kind::Combat(combat) => combat::table(combat, args, &budget)?,
    };
    show(args, experiment, &budget, &outcome, out)?;
    match outcome.ended {
        None => Ok(0),
        Some(Ended::Interrupted) => Ok(STOPPED),
        Some(Ended::Failed(failure)) => Err(failure),
    }
}

fn say(out: &mut dyn Write, text: &str) {
    // A closed pipe is the reader's wish to stop.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

fn unwritable(path: &std::path::Path, error: &std::io::Error) -> Failure {
    Failure::input(format!("the file {} can't be written: {error}", path.display()))
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
        parts.push(format!("{} nodes", grouped(nodes)));
    }
    parts.join(", ")
}

/// Runs a table of searches. With `quick` only the cells that say so, and only their columns.
fn run_lines(lines: &Lines, quick: bool, budget: &BudgetArgs) -> Outcome {
    let wanted = |i: usize| lines.lines.iter().any(|l| !quick || l.cells[i].quick);
    let columns: Vec<usize> = (0..lines.columns.len()).filter(|&i| wanted(i)).collect();
    let mut table = Table { labels: lines.labels.len(), ..Table::default() };
    table.heads.clone_from(&lines.labels);
    for &i in &columns {
        let name = &lines.columns[i];
        table.heads.extend([format!("{name} ours"), format!("{name} {}", lines.by)]);
    }
    let mut runner = Runner::new(budget.clone());
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
            row.extend([ours, cell.seed.clone()]);
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
    args: &ReproduceArgs,
    experiment: &Experiment,
    budget: &BudgetArgs,
    outcome: &Outcome,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let format = args.format.unwrap_or(FormatWord::Text);
    let text = match format {
        FormatWord::Csv => outcome.table.render(format),
        FormatWord::Text => {
            let mut text = format!("{}: {}\n", experiment.name, experiment.title);
            let _ = writeln!(text, "seed: {}\n", experiment.source);
            text.push_str(&outcome.table.render(format));
            text.push('\n');
            for note in &outcome.notes {
                let _ = writeln!(text, "{note}");
            }
            let _ = writeln!(text, "command: {}", command(args, budget));
            text
        }
        FormatWord::Markdown => {
            let mut text = format!("### {}: {}\n\n", experiment.name, experiment.title);
            let _ = writeln!(text, "Seed: {}.", experiment.source);
            let _ = writeln!(text, "Command: `{}`\n", command(args, budget));
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
            say(out, &text);
        }
        (Some(plot), None) if args.format.is_none() => say(out, plot),
        (_, None) => say(out, &text),
        (None, Some(path)) => std::fs::write(path, &text).map_err(|e| unwritable(path, &e))?,
    }
    Ok(())
}

/// The command that makes the same table, its budget said.
fn command(args: &ReproduceArgs, budget: &BudgetArgs) -> String {
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
