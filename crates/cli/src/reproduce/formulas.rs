//! Tables about formulas: how often a game is asked (Table 4.12), and classes of formulas by
//! algorithms (Table 4.13).

use std::time::Duration;

use foregone::text::{grouped, short};
use foregone::{Answer, Error, FormulaAnswer, Job};

use super::definition::{Class, Matrix, Queries};
use super::measure::{Ended, Runner, wrong};
use super::{Outcome as Made, Table, budget_text};
use crate::args::{BudgetArgs, ReproduceArgs};

/// Asks one formula. The time is that of the search, without the replay of its proof.
fn ask(runner: &Runner<'_, '_>, job: Job) -> Result<(FormulaAnswer, Duration), Ended> {
    let finished = runner.run(&runner.with_budget(job), false)?;
    let time = finished.search_time();
    match finished.answer {
        Answer::Formula(answer) => Ok((answer, time)),
        Answer::Turn(_) | Answer::Joint(_) | Answer::Expected(_) | Answer::Many(_) => {
            Err(Error::input("the experiment does not ask a formula").into())
        }
    }
}

/// Table 4.12.
pub(super) fn queries(
    runner: &Runner<'_, '_>,
    queries: &Queries,
    args: &ReproduceArgs,
) -> Result<Made, Error> {
    let by = &queries.by;
    let mut table = Table { labels: 1, ..Table::default() };
    table.heads.push("formula".to_owned());
    for head in ["seconds", "atomic", "listmoves", "play"] {
        table.heads.extend([format!("{head} ours"), format!("{head} {by}")]);
    }
    table.heads.push("atoms/s".to_owned());
    let mut ended = None;
    let most = if args.quick { queries.quick } else { usize::MAX };
    for (line, job) in queries.lines.iter().zip(queries.jobs()?).take(most) {
        let [formula, position, seconds, atomic, listmoves, play] = line;
        let (found, time) = match ask(runner, job) {
            Ok(found) => found,
            Err(e) => {
                ended = Some(e);
                break;
            }
        };
        if found.holds == Some(false) {
            ended = Some(wrong(format!("{formula} does not hold in {position}")).into());
            break;
        }
        let time = time.as_secs_f64();
        let q = found.queries;
        let mut row = vec![formula.clone()];
        let rate = short(q.atomic as f64 / time.max(1e-9));
        let number = |text: &String| text.parse().map_or_else(|_| text.clone(), grouped);
        for (ours, theirs) in [
            (format!("{time:.4}"), seconds.clone()),
            (grouped(q.atomic), number(atomic)),
            (grouped(q.listmoves), number(listmoves)),
            (grouped(q.play), number(play)),
        ] {
            row.extend([ours, theirs]);
        }
        row.push(rate);
        table.rows.push(row);
    }
    Ok(Made { table, notes: queries.notes.clone(), plot: None, ended })
}

/// Table 4.13.
pub(super) fn matrix(
    runner: &Runner<'_, '_>,
    matrix: &Matrix,
    args: &ReproduceArgs,
    budget: &BudgetArgs,
) -> Result<Made, Error> {
    let mut table = Table { labels: 3, ..Table::default() };
    table.heads = ["formula", "game", "hold"].map(str::to_owned).to_vec();
    for name in &matrix.algorithms {
        table.heads.extend([format!("{name} nodes"), format!("{name} s")]);
    }
    let most = if args.quick { matrix.quick_positions } else { usize::MAX };
    let (mut ended, mut open) = (None, false);
    for class in &matrix.class {
        let positions = matrix.positions_of(class);
        let positions = &positions[..positions.len().min(most)];
        let mut row = vec![class.formula.clone(), class.game.clone(), String::new()];
        let mut answers: Vec<Option<bool>> = vec![None; positions.len()];
        for (word, named) in matrix.algorithms.iter().zip(&class.named) {
            match cell(runner, (matrix, class, word), positions, &mut answers) {
                Ok(Sum { nodes, time, undecided }) => {
                    open |= undecided > 0;
                    let more = if undecided > 0 { "> " } else { "" };
                    let star = if named.is_empty() { "*" } else { "" };
                    let count = positions.len().max(1) as u64;
                    row.push(format!("{more}{}{star}", grouped(nodes / count)));
                    row.push(format!("{:.4}", time.as_secs_f64() / count as f64));
                }
                Err(e) => {
                    ended = Some(e);
                    break;
                }
            }
        }
        row[2] = answers.iter().filter(|a| **a == Some(true)).count().to_string();
        row.resize(table.heads.len(), "-".to_owned());
        table.rows.push(row);
        if ended.is_some() {
            break;
        }
    }
    let mut notes = matrix.notes.clone();
    if open {
        notes.push(format!("> N: some ran out of the budget ({})", budget_text(budget)));
    }
    Ok(Made { table, notes, plot: None, ended })
}

/// What an algorithm took for all positions.
#[derive(Default)]
struct Sum {
    nodes: u64,
    time: Duration,
    undecided: u32,
}

/// One cell: a class by an algorithm. All algorithms must give the same answers.
fn cell(
    runner: &Runner<'_, '_>,
    (matrix, class, word): (&Matrix, &Class, &str),
    positions: &[String],
    answers: &mut [Option<bool>],
) -> Result<Sum, Ended> {
    let mut sum = Sum::default();
    for (position, answer) in positions.iter().zip(answers) {
        let (found, time) = ask(runner, matrix.job(class, word, position)?)?;
        sum.nodes += found.nodes;
        sum.time += time;
        match (found.holds, *answer) {
            (None, _) => sum.undecided += 1,
            (Some(holds), Some(before)) if holds != before => {
                let message = format!("{} in {position}: the algorithms disagree", class.formula);
                return Err(wrong(message).into());
            }
            (holds, _) => *answer = holds,
        }
    }
    Ok(sum)
}
