//! Tables with a game in each cell, and what random plays are worth there: Tables 4.1 to 4.7 of
//! the master thesis.

use foregone_games::registry::{Visitor, with_game};
use foregone_games::semeai;
use foregone_model::{Guide, Notation};

use super::definition::{CellMeasure, Cells};
use super::measure::{Ended, Found, Runner, found, read, wrong};
use super::{Outcome as Made, Table};
use crate::args::{BudgetArgs, ReproduceArgs, SolveArgs};
use crate::failure::Failure;
use crate::job::Job;
use crate::print::grouped;

/// Makes a table. With `quick` only the cells at its upper left, and few runs of each.
pub(super) fn table(cells: &Cells, args: &ReproduceArgs, budget: &BudgetArgs) -> Made {
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
        for (j, seed) in line[1..].iter().enumerate().take(most) {
            let ours = match (&ended, cells.measure) {
                // What comes behind the end of a run is shown as not run.
                (Some(_), _) => Ok("-".to_owned()),
                (None, CellMeasure::Chance) => chance(cells, i, j, seed),
                (None, CellMeasure::Value) => value(cells, i, j, seed, budget),
                (None, CellMeasure::Playouts) => playouts(cells, i, j, runs, budget),
            };
            let ours = ours.unwrap_or_else(|e| {
                ended = Some(e);
                "-".to_owned()
            });
            open |= ours.starts_with("> ") || ours == "?";
            row.extend([ours, seed.clone()]);
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

/// The words of a cell.
fn words(cells: &Cells, row: usize, column: usize) -> String {
    let words = &cells.words[row.min(cells.words.len() - 1)];
    words.replace("{row}", &cells.lines[row][0]).replace("{column}", &cells.columns[column])
}

/// The chance to win a semeai. The seed rounds to hundredths, halves either way.
fn chance(cells: &Cells, row: usize, column: usize, seed: &str) -> Result<String, Ended> {
    let chance = semeai::chances(cells.columns.len(), cells.elsewhere)[row][column];
    if seed.parse().is_ok_and(|seed: f64| (seed - chance).abs() > 0.005 + 1e-9) {
        let message = format!("{} against {}: {chance}, not {seed}", row + 1, column + 1);
        return Err(wrong(message).into());
    }
    Ok(format!("{chance:.3}"))
}

/// The value of a game, which must be the seed's.
fn value(
    cells: &Cells,
    row: usize,
    column: usize,
    seed: &str,
    budget: &BudgetArgs,
) -> Result<String, Ended> {
    let words = words(cells, row, column);
    match Runner::new(budget.clone()).solve(&words)?.value {
        Some(value) if value != seed => {
            Err(wrong(format!("`foregone solve {words}` gave {value}, expected {seed}")).into())
        }
        value => Ok(value.unwrap_or_else(|| "?".to_owned())),
    }
}

/// The mean of the playouts that it takes to solve a game, with a seed for each run.
fn playouts(
    cells: &Cells,
    row: usize,
    column: usize,
    runs: u32,
    budget: &BudgetArgs,
) -> Result<String, Ended> {
    let args = read(&words(cells, row, column))?;
    let (mut sum, mut open) = (0, false);
    let mut value = None;
    for run in 0..runs {
        let budget = BudgetArgs { seed: budget.seed + u64::from(run), ..budget.clone() };
        let game = args.game.clone();
        let once = Once { args: SolveArgs { budget, ..args.clone() }, playouts: cells.playouts };
        let found = with_game(&game, once).map_err(|e| Failure::game(&game, e))??;
        // A search is only asked after some expansions whether it has made enough of them.
        sum += found.counts.playouts.min(cells.playouts);
        open |= found.value.is_none();
        if let (Some(one), Some(other)) = (&value, &found.value)
            && one != other
        {
            return Err(wrong(format!("{game}: {one}, then {other}")).into());
        }
        value = value.or(found.value);
    }
    let least = if open { "> " } else { "" };
    let mean = (sum as f64 / f64::from(runs)).round() as u64;
    Ok(format!("{least}{}", grouped(mean)))
}

/// One search of at most so many playouts.
struct Once {
    args: SolveArgs,
    playouts: u64,
}

impl Visitor for Once {
    type Output = Result<Found, Ended>;

    fn visit<G: Guide + Notation>(self, game: G) -> Self::Output {
        let mut job = Job::new(&game, &self.args)?;
        job.budget.playouts = Some(self.playouts);
        found(&game, &job)
    }
}
