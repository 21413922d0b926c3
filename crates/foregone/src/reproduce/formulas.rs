//! Tables about formulas: how often a game is asked (Table 4.12), and classes of formulas by
//! algorithms (Table 4.13).

use std::time::Duration;

use clap::ValueEnum;

use super::definition::{Class, Matrix, Queries};
use super::measure::{Ended, wrong};
use super::{Outcome as Made, Table, budget_text};
use crate::args::{AlgorithmWord, BudgetArgs, ReproduceArgs};
use crate::check::{Asking, Counted};
use crate::failure::Failure;
use crate::print::grouped;
use crate::session::{interrupted, short};

fn algorithm(word: &str) -> Result<AlgorithmWord, Failure> {
    AlgorithmWord::from_str(word, true)
        .map_err(|e| Failure::input(format!("the experiment names no algorithm: {e}")))
}

/// Asks one formula; Ctrl-C ends the experiment.
fn ask(asking: &Asking<'_>, budget: &BudgetArgs) -> Result<Counted, Ended> {
    let counted = asking.count(&budget.budget())?;
    if interrupted() { Err(Ended::Interrupted) } else { Ok(counted) }
}

/// Table 4.12.
pub(super) fn queries(
    queries: &Queries,
    args: &ReproduceArgs,
    budget: &BudgetArgs,
) -> Result<Made, Failure> {
    let word = algorithm(&queries.algorithm)?;
    let by = &queries.by;
    let mut table = Table { labels: 1, ..Table::default() };
    table.heads.push("formula".to_owned());
    for head in ["seconds", "atomic", "listmoves", "play"] {
        table.heads.extend([format!("{head} ours"), format!("{head} {by}")]);
    }
    table.heads.push("atoms/s".to_owned());
    let mut ended = None;
    let most = if args.quick { queries.quick } else { usize::MAX };
    for [formula, position, seconds, atomic, listmoves, play] in queries.lines.iter().take(most) {
        let (game, lambda) = (queries.game.as_str(), false);
        let asking = Asking { game, position, formula, word, lambda };
        let found = match ask(&asking, budget) {
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
        let time = found.time.as_secs_f64();
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
    matrix: &Matrix,
    args: &ReproduceArgs,
    budget: &BudgetArgs,
) -> Result<Made, Failure> {
    let words = matrix.algorithms.iter().map(|w| algorithm(w)).collect::<Result<Vec<_>, _>>()?;
    let mut table = Table { labels: 3, ..Table::default() };
    table.heads = ["formula", "game", "hold"].map(str::to_owned).to_vec();
    for name in &matrix.algorithms {
        table.heads.extend([format!("{name} nodes"), format!("{name} s")]);
    }
    let most = if args.quick { matrix.quick_positions } else { usize::MAX };
    let (mut ended, mut open) = (None, false);
    for class in &matrix.class {
        let positions = matrix.positions.iter().find(|p| p.game == class.game);
        let positions: Vec<&String> =
            positions.map(|p| p.list.iter().take(most).collect()).unwrap_or_default();
        let mut row = vec![class.formula.clone(), class.game.clone(), String::new()];
        let mut answers: Vec<Option<bool>> = vec![None; positions.len()];
        for (&word, named) in words.iter().zip(&class.named) {
            match cell(class, word, &positions, &mut answers, budget) {
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

/// One cell. All algorithms must give the same answers.
fn cell(
    class: &Class,
    word: AlgorithmWord,
    positions: &[&String],
    answers: &mut [Option<bool>],
    budget: &BudgetArgs,
) -> Result<Sum, Ended> {
    let mut sum = Sum::default();
    for (position, answer) in positions.iter().zip(answers) {
        let lambda = word == AlgorithmWord::Pnps && class.formula.starts_with("lambda");
        let (game, formula) = (class.game.as_str(), class.formula.as_str());
        let found = ask(&Asking { game, position, formula, word, lambda }, budget)?;
        sum.nodes += found.nodes;
        sum.time += found.time;
        match (found.holds, *answer) {
            (None, _) => sum.undecided += 1,
            (Some(holds), Some(before)) if holds != before => {
                let message = format!("{formula} in {position}: the algorithms disagree");
                return Err(wrong(message).into());
            }
            (holds, _) => *answer = holds,
        }
    }
    Ok(sum)
}
