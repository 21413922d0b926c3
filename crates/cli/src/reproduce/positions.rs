//! Many positions, each solved by several algorithms: Table 2.1 and Figure 2.3 of the thesis.

use std::collections::BTreeSet;
use std::time::Duration;

use foregone::model::{Notation, Rng, Turn};
use foregone::text::grouped;
use foregone::{Error, Job};

use super::definition::{Sample, SampleAlgorithm};
use super::measure::{Ended, Runner, command, wrong};
use super::{Outcome, Table, budget_text};
use crate::args::{BudgetArgs, ReproduceArgs};
use crate::plot::{Axis, Plot, Point, Series};

/// How many positions the thesis took for its table.
const THESIS: u64 = 77_012;

/// One algorithm on one position.
#[derive(Clone, Debug)]
struct Trial {
    value: Option<String>,
    time: Duration,
    expansions: u64,
}

/// Positions with the trials of all algorithms.
struct Trials {
    moves: Vec<String>,
    /// For each position the algorithms in the order of the definition.
    trials: Vec<Vec<Trial>>,
    ended: Option<Ended>,
}

/// Table 2.1.
pub(super) fn table(
    runner: &Runner<'_, '_>,
    sample: &Sample,
    args: &ReproduceArgs,
    budget: &BudgetArgs,
) -> Result<Outcome, Error> {
    let trials = run(runner, sample, sample.positions, args, budget)?;
    let all = trials.trials.len() as u64;
    let number = sample.algorithm.len();
    let solved = |i: usize| trials.trials.iter().filter(|t| t[i].value.is_some()).count() as u64;
    let mut table = Table { heads: vec!["count".to_owned()], labels: 1, rows: Vec::new() };
    for algorithm in &sample.algorithm {
        table.heads.push(format!("{} ours", algorithm.name));
        table.heads.push(format!("{} {}", algorithm.name, sample.by));
    }
    type Figure = fn(&SampleAlgorithm) -> &str;
    let rows: [(&str, Vec<u64>, Figure); 3] = [
        ("positions solved", (0..number).map(solved).collect(), |a| &a.solved),
        ("solved fastest", best(&trials, number, |t| t.time.as_nanos()), |a| &a.fastest),
        ("fewest iterations", best(&trials, number, |t| t.expansions.into()), |a| &a.fewest),
    ];
    let mut positions = vec!["positions".to_owned()];
    for _ in 0..number {
        positions.extend([grouped(all), grouped(THESIS)]);
    }
    table.rows.push(positions);
    let share = |n: u64, of: u64| format!("{:.1}", 100.0 * n as f64 / of.max(1) as f64);
    for (name, ours, figure) in &rows {
        let mut row = vec![(*name).to_owned()];
        let mut shares = vec![format!("{name} (%)")];
        for (algorithm, &n) in sample.algorithm.iter().zip(ours) {
            let theirs = figure(algorithm);
            row.extend([grouped(n), theirs.to_owned()]);
            let count = theirs.replace(',', "").parse().unwrap_or(0);
            shares.extend([share(n, all), share(count, THESIS)]);
        }
        table.rows.extend([row, shares]);
    }
    let notes = vec![
        format!(
            "positions: {} after {} to {} random moves, no two alike; the thesis does not say how \
             its own were made",
            sample.game, sample.stones[0], sample.stones[1]
        ),
        format!("limit of each search: {}; thesis: 60 s", budget_text(budget)),
        "an iteration of ours gives a leaf all its children, each with its own playout or \
         evaluation; ties count for nobody"
            .to_owned(),
    ];
    Ok(Outcome { table, notes, plot: None, ended: trials.ended })
}

/// Figure 2.3.
pub(super) fn figure(
    runner: &Runner<'_, '_>,
    sample: &Sample,
    args: &ReproduceArgs,
    budget: &BudgetArgs,
) -> Result<Outcome, Error> {
    let trials = run(runner, sample, sample.figure.positions, args, budget)?;
    let mut heads = vec!["position".to_owned()];
    heads.extend(sample.algorithm.iter().map(|a| format!("{} s", a.name)));
    let mut table = Table { heads, labels: 1, rows: Vec::new() };
    let name = |i: usize| sample.algorithm[i].name.as_str();
    let series = |i| Series { name: name(i).to_owned(), points: Vec::new(), joined: false };
    let mut series: Vec<Series> = (1..sample.algorithm.len()).map(series).collect();
    for (moves, trial) in trials.moves.iter().zip(&trials.trials) {
        let text = |t: &Trial| {
            let open = if t.value.is_some() { "" } else { "> " };
            format!("{open}{:.6}", t.time.as_secs_f64())
        };
        let mut row = vec![moves.clone()];
        row.extend(trial.iter().map(text));
        table.rows.push(row);
        for (series, other) in series.iter_mut().zip(&trial[1..]) {
            series.points.push(Point {
                x: trial[0].time.as_secs_f64(),
                y: other.time.as_secs_f64(),
                faint: trial[0].value.is_none() || other.value.is_none(),
            });
        }
    }
    let plot = Plot {
        title: sample.figure.title.clone(),
        x: Axis::decades(format!("{} time (s)", name(0))),
        y: Axis::decades("other algorithm's time (s)"),
        series,
        square: true,
    };
    let notes =
        vec![format!("> N: out of the budget ({}); faint in the plot", budget_text(budget))];
    Ok(Outcome { table, notes, plot: Some(plot.svg()), ended: trials.ended })
}

/// On how many positions each algorithm was strictly better than all others that solved it.
fn best(trials: &Trials, number: usize, cost: impl Fn(&Trial) -> u128) -> Vec<u64> {
    let mut counts = vec![0; number];
    for trial in &trials.trials {
        let solved = || (0..number).filter(|&i| trial[i].value.is_some());
        if let Some(winner) = solved().min_by_key(|&i| cost(&trial[i]))
            && solved().all(|i| i == winner || cost(&trial[i]) > cost(&trial[winner]))
        {
            counts[winner] += 1;
        }
    }
    counts
}

/// Makes the positions and runs every algorithm on each.
fn run(
    runner: &Runner<'_, '_>,
    sample: &Sample,
    usual: u32,
    args: &ReproduceArgs,
    budget: &BudgetArgs,
) -> Result<Trials, Error> {
    let usual = if args.quick { sample.quick_positions } else { usual };
    let number = args.sample.unwrap_or(usual) as usize;
    let jobs = sample.jobs()?;
    let moves = openings(&runner.open(&sample.game)?, number, sample.stones, budget.seed);
    let mut all = Trials { moves, trials: Vec::new(), ended: None };
    for opening in &all.moves {
        match one(runner, &jobs, opening) {
            Ok(trials) => all.trials.push(trials),
            Err(ended) => {
                all.ended = Some(ended);
                break;
            }
        }
    }
    Ok(all)
}

/// Every algorithm on one position. Nobody told who wins, but they must agree.
fn one(runner: &Runner<'_, '_>, jobs: &[Job], opening: &str) -> Result<Vec<Trial>, Ended> {
    let mut trials: Vec<Trial> = Vec::new();
    for job in jobs {
        let job = job.clone().at(format!("moves:{opening}"));
        let found = runner.solve(&runner.with_budget(job.clone()))?;
        if let Some(value) = &found.value
            && let Some(other) = trials.iter().find_map(|t| t.value.as_ref())
            && other != value
        {
            let message = format!("`{}` gave {value}, another one {other}", command(&job));
            return Err(wrong(message).into());
        }
        trials.push(Trial { value: found.value, time: found.time, expansions: found.expansions });
    }
    Ok(trials)
}

/// So many random openings of so many moves, as moves with commas between them.
fn openings<G: Notation>(game: &G, number: usize, stones: [u32; 2], seed: u64) -> Vec<String> {
    let mut rng = Rng::new(seed);
    let mut seen = BTreeSet::new();
    let mut openings = Vec::new();
    // There may be fewer positions than asked for.
    for _ in 0..number.saturating_mul(100) {
        if openings.len() == number {
            break;
        }
        let [least, most] = stones;
        let stones = least + rng.below(most - least + 1);
        if let Some((moves, position)) = opening(game, stones, &mut rng)
            && seen.insert(position)
        {
            openings.push(moves);
        }
    }
    openings
}

/// So many random moves from the start and the position behind them, unless the game ends.
fn opening<G: Notation>(game: &G, stones: u32, rng: &mut Rng) -> Option<(String, String)> {
    let mut s = game.start();
    let mut texts = Vec::new();
    let mut moves = Vec::new();
    for _ in 0..stones {
        let agent = match game.turn(&s) {
            Turn::Agent(agent) => agent,
            Turn::Chance | Turn::Over => return None,
        };
        moves.clear();
        game.moves(&s, agent, &mut moves);
        let m = moves[rng.below(moves.len() as u32) as usize];
        texts.push(game.move_text(&s, m));
        game.play(&mut s, agent, m);
    }
    matches!(game.turn(&s), Turn::Agent(_)).then(|| (texts.join(","), game.position_text(&s)))
}
