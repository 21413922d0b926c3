//! Tables with a game in each cell, and what random plays are worth there: Tables 4.1 to 4.7 of
//! the master thesis.

use foregone::games::semeai;
use foregone::text::grouped;
use foregone::{Budget, Error, Job};

use super::definition::{CellMeasure, Cells};
use super::measure::{Ended, Runner, command, wrong};
use super::{Outcome as Made, Table};
use crate::args::ReproduceArgs;

/// Makes a table. With `quick` only the cells at its upper left, and few runs of each.
pub(super) fn table(runner: &Runner<'_, '_>, cells: &Cells, args: &ReproduceArgs) -> Made {
    let most = if args.quick { cells.quick } else { usize::MAX };
    let usual = if args.quick { cells.quick_runs } else { cells.runs };
    let runs = args.sample.unwrap_or(usual);
    let mut table = Table { heads: vec![cells.label.clone()], labels: 1, rows: Vec::new() };
    for column in cells.columns.iter().take(most) {
        table.heads.extend([format!("{column} ours"), format!("{column} {}", cells.by)]);
    }
    let mut ended = None;
    let mut open = false;
    for (i, line) in cells.lines.iter().take(most).enumerate() {
        let mut row = vec![line[0].clone()];
        for (j, theirs) in line[1..].iter().enumerate().take(most) {
            let ours = match (&ended, cells.measure) {
                // What comes behind the end of a run is shown as not run.
                (Some(_), _) => Ok("-".to_owned()),
                (None, CellMeasure::Chance) => chance(cells, i, j, theirs),
                (None, CellMeasure::Value) => value(runner, cells, i, j, theirs),
                (None, CellMeasure::Playouts) => playouts(runner, cells, i, j, runs),
            };
            let ours = ours.unwrap_or_else(|e| {
                ended = Some(e);
                "-".to_owned()
            });
            open |= ours.starts_with("> ") || ours == "?";
            row.extend([ours, theirs.clone()]);
        }
        table.rows.push(row);
    }
    let mut notes = cells.notes.clone();
    if cells.measure == CellMeasure::Playouts {
        let limit = grouped(cells.playouts);
        notes.push(format!("means of {runs} runs of at most {limit} playouts; {}: 30", cells.by));
    }
    if open {
        notes.push("> N or ?: some runs did not solve it".to_owned());
    }
    if ended.is_some() {
        notes.push("-: not run, the run ended before".to_owned());
    }
    Made { table, notes, plot: None, ended }
}

/// The search of a cell.
fn job(cells: &Cells, row: usize, column: usize) -> Result<Job, Error> {
    let missing = || Error::input(format!("{} does not say what to search", cells.name));
    cells.job(row, column)?.ok_or_else(missing)
}

/// The chance to win a semeai. The source rounds to hundredths, halves either way.
fn chance(cells: &Cells, row: usize, column: usize, theirs: &str) -> Result<String, Ended> {
    let chance = semeai::chances(cells.columns.len(), cells.elsewhere)[row][column];
    if theirs.parse().is_ok_and(|theirs: f64| (theirs - chance).abs() > 0.005 + 1e-9) {
        let message = format!("{} against {}: {chance}, not {theirs}", row + 1, column + 1);
        return Err(wrong(message).into());
    }
    Ok(format!("{chance:.3}"))
}

/// The value of a game, which must be the source's.
fn value(
    runner: &Runner<'_, '_>,
    cells: &Cells,
    row: usize,
    column: usize,
    theirs: &str,
) -> Result<String, Ended> {
    let job = job(cells, row, column)?;
    match runner.solve(&runner.with_budget(job.clone()))?.value {
        Some(value) if value != theirs => {
            Err(wrong(format!("`{}` gave {value}, expected {theirs}", command(&job))).into())
        }
        value => Ok(value.unwrap_or_else(|| "?".to_owned())),
    }
}

/// The mean of the playouts that it takes to solve a game, with a seed for each run.
fn playouts(
    runner: &Runner<'_, '_>,
    cells: &Cells,
    row: usize,
    column: usize,
    runs: u32,
) -> Result<String, Ended> {
    let job = runner.with_budget(job(cells, row, column)?);
    let budget = Budget { playouts: Some(cells.playouts), ..job.budget };
    let (mut sum, mut open) = (0, false);
    let mut value = None;
    for run in 0..runs {
        let once = Job { budget, seed: job.seed + u64::from(run), ..job.clone() };
        let found = runner.solve(&once)?;
        // A search is only asked after some expansions whether it has made enough of them.
        sum += found.playouts.min(cells.playouts);
        open |= found.value.is_none();
        if let (Some(one), Some(other)) = (&value, &found.value)
            && one != other
        {
            return Err(wrong(format!("{}: {one}, then {other}", job.game)).into());
        }
        value = value.or(found.value);
    }
    let least = if open { "> " } else { "" };
    let mean = (sum as f64 / f64::from(runs)).round() as u64;
    Ok(format!("{least}{}", grouped(mean)))
}
