//! Tables about joint moves: searches of games, one a line, beside the figures of the seed.

use serde::Deserialize;

use super::measure::{Ended, read, wrong};
use super::{Outcome as Made, Table, budget_text};
use crate::args::{BudgetArgs, ReproduceArgs, SolveArgs};
use crate::failure::Failure;
use crate::joint::{Measured, measure};
use crate::print::grouped;
use crate::session::{bytes_text, interrupted};

/// Searches of games with joint moves.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Joint {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) source: String,
    /// A word for the source.
    by: String,
    /// Which figures the source has: `nodes`, `programs`, `seconds`, `memory`.
    columns: Vec<Column>,
    /// Whether the numbers of nodes must be those of the source.
    #[serde(default)]
    same_nodes: bool,
    /// How many lines with `--quick`.
    quick: usize,
    /// What is to be said below the table.
    notes: Vec<String>,
    /// The words behind `solve`, and the source's figures.
    lines: Vec<Vec<String>>,
}

/// A figure that the source has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Column {
    Nodes,
    Programs,
    Seconds,
    Memory,
}

impl Column {
    fn head(self) -> &'static str {
        match self {
            Column::Nodes => "nodes",
            Column::Programs => "programs",
            Column::Seconds => "seconds",
            Column::Memory => "memory",
        }
    }

    fn figure(self, found: &Measured) -> String {
        match self {
            Column::Nodes => grouped(found.counts.plain.expansions),
            Column::Programs => grouped(found.counts.lp_calls),
            Column::Seconds => format!("{:.4}", found.time.as_secs_f64()),
            Column::Memory => bytes_text(found.counts.plain.peak_bytes),
        }
    }
}

/// How far values of two searches may lie apart: the sequence form is the least precise.
const NEAR: f64 = 1e-6;

/// Runs the searches.
pub(super) fn table(
    joint: &Joint,
    args: &ReproduceArgs,
    budget: &BudgetArgs,
) -> Result<Made, Failure> {
    let by = &joint.by;
    let mut table = Table { labels: 1, ..Table::default() };
    table.heads.push("search".to_owned());
    for column in [Column::Nodes, Column::Programs, Column::Seconds, Column::Memory] {
        let head = column.head();
        table.heads.push(match joint.columns.contains(&column) {
            true => format!("{head} ours"),
            false => head.to_owned(),
        });
        if joint.columns.contains(&column) {
            table.heads.push(format!("{head} {by}"));
        }
    }
    table.heads.push("without mixing".to_owned());
    let most = if args.quick { joint.quick } else { usize::MAX };
    let (mut ended, mut open) = (None, false);
    let mut values: Vec<(String, f64)> = Vec::new();
    for line in joint.lines.iter().take(most) {
        let (words, seeds) = line.split_first().ok_or(Failure::input("a line without words"))?;
        let found = match one(words, budget) {
            Ok(found) => found,
            Err(e) => {
                ended = Some(e);
                break;
            }
        };
        let mut row = vec![words.clone()];
        let mut seeds = seeds.iter();
        for column in [Column::Nodes, Column::Programs, Column::Seconds, Column::Memory] {
            let more = if found.value.is_some() { "" } else { "> " };
            row.push(format!("{more}{}", column.figure(&found)));
            if joint.columns.contains(&column) {
                let text = seeds.next().cloned().unwrap_or_default();
                row.push(text.parse().map_or(text, grouped));
            }
        }
        let all = found.counts.plain.expansions.max(1);
        row.push(format!("{:.0} %", 100.0 * found.counts.pure as f64 / all as f64));
        let named = joint.same_nodes && !row[2].is_empty();
        if named && found.value.is_some() && row[1] != row[2] {
            ended = Some(wrong(format!("{words}: {} nodes, not {}", row[1], row[2])).into());
            break;
        }
        table.rows.push(row);
        let Some(value) = found.value else {
            open = true;
            continue;
        };
        // All searches of a game and a position find the same value.
        let before = values.iter().find(|(of, _)| *of == found.of);
        if let Some((_, other)) = before.filter(|(_, other)| (other - value).abs() > NEAR) {
            ended = Some(wrong(format!("{words}: {value}, not {other}")).into());
            break;
        }
        values.push((found.of, value));
    }
    let mut notes = joint.notes.clone();
    if open {
        notes.push(format!("> N: ours ran out of its budget ({})", budget_text(budget)));
    }
    Ok(Made { table, notes, plot: None, ended })
}

fn one(words: &str, budget: &BudgetArgs) -> Result<Measured, Ended> {
    let args = SolveArgs { budget: budget.clone(), ..read(words)? };
    let found = measure(&args)?;
    if interrupted() { Err(Ended::Interrupted) } else { Ok(found) }
}
