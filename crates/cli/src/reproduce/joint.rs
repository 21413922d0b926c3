//! Tables about joint moves: searches of games, one a line, beside the figures of the source.

use foregone::text::{bytes_text, grouped};
use foregone::{Answer, Error, Job, JointAnswer, Proof};
use serde::Deserialize;

use super::measure::{Ended, Runner, wrong};
use super::{Outcome as Made, Table, budget_text};
use crate::args::{BudgetArgs, ReproduceArgs};

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
    /// The job, and the source's figures.
    lines: Vec<Vec<String>>,
}

impl Joint {
    /// The job of a line, which makes no proof: searches alone are measured.
    fn job(line: &[String]) -> Result<Job, Error> {
        let text = line.first().ok_or_else(|| Error::input("a line without a job"))?;
        let job = text.parse::<Job>().map_err(|e| e.before(&format!("the job `{text}`")))?;
        Ok(Job { proof: Proof::Never, ..job })
    }

    /// A job for each line.
    pub(super) fn jobs(&self) -> Result<Vec<Job>, Error> {
        self.lines.iter().map(|line| Joint::job(line)).collect()
    }
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

    fn figure(self, found: &JointAnswer) -> String {
        match self {
            Column::Nodes => grouped(found.expansions),
            Column::Programs => grouped(found.lp_calls),
            Column::Seconds => format!("{:.4}", found.seconds),
            Column::Memory => bytes_text(found.peak_bytes),
        }
    }
}

/// How far values of two searches may lie apart: the sequence form is the least precise.
const NEAR: f64 = 1e-6;

/// All columns, in their order.
const COLUMNS: [Column; 4] = [Column::Nodes, Column::Programs, Column::Seconds, Column::Memory];

/// Runs the searches.
pub(super) fn table(
    runner: &Runner<'_, '_>,
    joint: &Joint,
    args: &ReproduceArgs,
    budget: &BudgetArgs,
) -> Result<Made, Error> {
    let mut table = Table { heads: heads(joint), labels: 1, rows: Vec::new() };
    let most = if args.quick { joint.quick } else { usize::MAX };
    let (mut ended, mut open) = (None, false);
    let mut values: Vec<([String; 2], f64)> = Vec::new();
    for line in joint.lines.iter().take(most) {
        let job = runner.with_budget(Joint::job(line)?);
        let (found, row) = match searched(runner, joint, line, &job) {
            Ok(found) => found,
            Err(e) => {
                ended = Some(e);
                break;
            }
        };
        table.rows.push(row);
        let Some(value) = found.value.and_then(|value| value.parse::<f64>().ok()) else {
            open = true;
            continue;
        };
        // All searches of a game and a position find the same value.
        let of = [found.game, found.position];
        let before = values.iter().find(|(other, _)| *other == of);
        if let Some((_, other)) = before.filter(|(_, other)| (other - value).abs() > NEAR) {
            ended = Some(wrong(format!("{}: {value}, not {other}", line[0])).into());
            break;
        }
        values.push((of, value));
    }
    let mut notes = joint.notes.clone();
    if open {
        notes.push(format!("> N: ours ran out of its budget ({})", budget_text(budget)));
    }
    Ok(Made { table, notes, plot: None, ended })
}

fn heads(joint: &Joint) -> Vec<String> {
    let mut heads = vec!["search".to_owned()];
    for column in COLUMNS {
        let head = column.head();
        if joint.columns.contains(&column) {
            heads.extend([format!("{head} ours"), format!("{head} {}", joint.by)]);
        } else {
            heads.push(head.to_owned());
        }
    }
    heads.push("without mixing".to_owned());
    heads
}

/// What a search found, and its row of the table.
fn searched(
    runner: &Runner<'_, '_>,
    joint: &Joint,
    line: &[String],
    job: &Job,
) -> Result<(JointAnswer, Vec<String>), Ended> {
    let Answer::Joint(found) = runner.run(job, false)?.answer else {
        return Err(Error::input(format!("`{job}` is not about joint moves")).into());
    };
    let text = &line[0];
    let mut row = vec![text.clone()];
    let mut theirs = line[1..].iter();
    for column in COLUMNS {
        let more = if found.value.is_some() { "" } else { "> " };
        row.push(format!("{more}{}", column.figure(&found)));
        if joint.columns.contains(&column) {
            let text = theirs.next().cloned().unwrap_or_default();
            row.push(text.parse().map_or(text, grouped));
        }
    }
    let all = found.expansions.max(1);
    row.push(format!("{:.0} %", 100.0 * found.pure as f64 / all as f64));
    let named = joint.same_nodes && !row[2].is_empty();
    if named && found.value.is_some() && row[1] != row[2] {
        return Err(wrong(format!("{text}: {} nodes, not {}", row[1], row[2])).into());
    }
    Ok((found, row))
}
