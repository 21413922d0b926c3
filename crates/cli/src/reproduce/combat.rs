//! Tables of battles: players against opponents, each entry a score of many battles.

use foregone::Error;
use foregone::text::{counted, short};
use serde::Deserialize;

use super::measure::Ended;
use super::{Outcome as Made, Table};
use crate::Program;
use crate::args::{BudgetArgs, ReproduceArgs};
use crate::combat::{USUAL_BATTLES, armies, fight};

/// Players against opponents.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Combat {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) source: String,
    /// A word for the source.
    by: String,
    /// What is to be said below the table.
    notes: Vec<String>,
    /// The players, and what each is called.
    players: Vec<[String; 2]>,
    /// An opponent on each line, what it is called, and the source's scores against it.
    lines: Vec<Vec<String>>,
}

/// How many battles an entry has with `--quick`, and the nodes of a decision: counts, not
/// milliseconds, so that it is the same on every machine.
const QUICK: (u32, &str) = (4, ",40nodes");

/// Fights all battles.
pub(super) fn table(
    program: &Program<'_>,
    combat: &Combat,
    args: &ReproduceArgs,
    budget: &BudgetArgs,
) -> Result<Made, Error> {
    let battles = match (args.sample, args.quick) {
        (Some(n), _) => n,
        (None, true) => QUICK.0,
        (None, false) => USUAL_BATTLES,
    };
    let searching = |player: &str| match args.quick && player.starts_with("abcd") {
        true => format!("{player}{}{}", if player.contains(':') { "" } else { ":alt" }, QUICK.1),
        false => player.to_owned(),
    };
    let mut table = Table { labels: 1, ..Table::default() };
    table.heads.push("opponent".to_owned());
    for [_, name] in &combat.players {
        table.heads.extend([format!("{name} ours"), format!("{name} {}", combat.by)]);
    }
    let mut sums = vec![(0.0, 0u32); combat.players.len()];
    let mut speeds = vec![(0u64, 0.0); combat.players.len()];
    let mut ended = None;
    'lines: for line in &combat.lines {
        let [foe, name, theirs @ ..] = &line[..] else { continue };
        let mut row = vec![name.clone()];
        for (at, [player, _]) in combat.players.iter().enumerate() {
            let theirs = theirs.get(at).cloned().unwrap_or_default();
            // A player is not set against itself.
            if player == foe {
                row.extend([String::new(), theirs]);
                continue;
            }
            let (player, foe) = (searching(player), searching(foe));
            let tally = fight(program, &player, &foe, battles, budget.seed, budget.threads)?;
            if program.cancel.is_cancelled() {
                ended = Some(Ended::Interrupted);
                break 'lines;
            }
            sums[at] = (sums[at].0 + tally.score(), sums[at].1 + 1);
            speeds[at].0 += tally.effort[0].nodes;
            speeds[at].1 += tally.time[0].as_secs_f64();
            row.extend([format!("{:.2}", tally.score()), theirs]);
        }
        table.rows.push(row);
    }
    if ended.is_none() && combat.lines.len() > 1 {
        let mut row = vec!["average".to_owned()];
        for (at, (sum, n)) in sums.iter().enumerate() {
            let theirs = combat.lines.iter().filter_map(|l| l.get(2 + at)?.parse::<f64>().ok());
            let (total, count) = theirs.fold((0.0, 0.0), |(t, c), s| (t + s, c + 1.0));
            row.push(format!("{:.2}", sum / f64::from((*n).max(1))));
            row.push(if count > 0.0 { format!("{:.2}", total / count) } else { String::new() });
        }
        table.rows.push(row);
    }
    let mut notes = combat.notes.clone();
    let battles = counted(battles.into(), "battle");
    notes.push(format!("{battles} an entry; armies: {}", armies()));
    let speeds: Vec<String> = combat
        .players
        .iter()
        .zip(&speeds)
        .map(|([_, name], (nodes, time))| {
            format!("{name} {}", short(*nodes as f64 / time.max(1e-9)))
        })
        .collect();
    notes.push(format!("nodes a second: {}", speeds.join(", ")));
    Ok(Made { table, notes, plot: None, ended })
}
