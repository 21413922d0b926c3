//! Games with more than two outcomes: searches for all of them at once against searches for two.
//! Tables 3.1 to 3.4 and Figures 3.3 and 3.5 of the thesis.
//!
//! A search for two outcomes is told the value and only asked what proves it: whether it is
//! reached, and whether the next better outcome is. That favours it, as in the thesis.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::time::Duration;

use foregone::games::erased::Erased;
use foregone::model::{Game, Notation, Outcome, Turn};
use foregone::text::{counted, grouped};
use foregone::{Error, Job, Question};

use super::definition::{Outcomes, OutcomesAlgorithm, PositionSet, Problem};
use super::measure::{Ended, Found, Runner, command, seconds, wrong};
use super::plays::positions_after;
use super::{Outcome as Made, Table, budget_text};
use crate::args::{BudgetArgs, ReproduceArgs};
use crate::plot::{Axis, Plot, Point, Series};

/// What an algorithm took for a position, all its searches together.
#[derive(Clone, Debug, Default)]
struct Trial {
    /// The value, if it was proved.
    value: Option<String>,
    time: Duration,
    nodes: u64,
}

/// A set of positions with the trials of the algorithms.
#[derive(Default)]
struct Trials {
    /// The moves that lead to the positions.
    moves: Vec<String>,
    /// For each position the algorithms in the order in which they were given.
    trials: Vec<Vec<Trial>>,
    ended: Option<Ended>,
}

impl Trials {
    /// How many positions an algorithm solved.
    fn solved(&self, i: usize) -> usize {
        self.trials.iter().filter(|t| t[i].value.is_some()).count()
    }

    /// On how many positions it took less than its rival, or solved what its rival did not.
    fn lowest(&self, i: usize, rival: usize, cost: fn(&Trial) -> u128) -> String {
        let lower = |t: &&Vec<Trial>| {
            let (own, other) = (&t[i], &t[rival]);
            own.value.is_some() && (other.value.is_none() || cost(own) < cost(other))
        };
        grouped(self.trials.iter().filter(lower).count() as u64)
    }

    /// What is measured of an algorithm, in the order of `MEASURES`.
    fn measures(&self, i: usize, rival: usize) -> [String; 5] {
        // What was spent in vain is in the sums.
        let least = if self.solved(i) < self.trials.len() { "> " } else { "" };
        let time = seconds(self.trials.iter().map(|t| t[i].time).sum());
        let nodes = grouped(self.trials.iter().map(|t| t[i].nodes).sum());
        [
            grouped(self.solved(i) as u64),
            format!("{least}{time}"),
            format!("{least}{nodes}"),
            self.lowest(i, rival, |t| t.time.as_nanos()),
            self.lowest(i, rival, |t| t.nodes.into()),
        ]
    }
}

/// The lines of a set of positions.
const MEASURES: [&str; 5] = [
    "positions solved",
    "total time (s)",
    "total node creations",
    "lowest time",
    "lowest node creations",
];

/// Whether the source has figures of an algorithm.
fn has_figures(outcomes: &Outcomes, algorithm: &OutcomesAlgorithm) -> bool {
    outcomes.set.iter().any(|s| s.figures.contains_key(&algorithm.name))
}

/// The rows of a set of positions.
fn rows(outcomes: &Outcomes, set: &PositionSet, trials: &Trials) -> Vec<Vec<String>> {
    let algorithms = &outcomes.algorithm;
    let measures = |(i, a): (usize, &OutcomesAlgorithm)| {
        if set.skip.contains(&a.name) {
            return [const { String::new() }; 5];
        }
        let rival = algorithms.iter().position(|other| other.name == a.rival);
        trials.measures(i, rival.unwrap_or_default())
    };
    let columns: Vec<[String; 5]> = algorithms.iter().enumerate().map(measures).collect();
    let mut rows = Vec::new();
    for (at, name) in MEASURES.iter().enumerate() {
        let mut row = vec![set.label.clone(), (*name).to_owned()];
        for (column, a) in columns.iter().zip(algorithms) {
            row.push(column[at].clone());
            if has_figures(outcomes, a) {
                let figures = set.figures.get(&a.name);
                let theirs = match at {
                    0 => figures.map(|_| grouped(set.positions as u64)),
                    _ => figures.map(|f| f[at - 1].clone()),
                };
                row.push(theirs.unwrap_or_default());
            }
        }
        rows.push(row);
    }
    rows
}

/// Tables 3.1 and 3.2.
pub(super) fn table(
    runner: &Runner<'_, '_>,
    outcomes: &Outcomes,
    args: &ReproduceArgs,
    budget: &BudgetArgs,
) -> Result<Made, Error> {
    let algorithms = &outcomes.algorithm;
    let mut heads = vec!["size".to_owned(), "measure".to_owned()];
    for a in algorithms {
        heads.push(format!("{} ours", a.name));
        if has_figures(outcomes, a) {
            heads.push(format!("{} {}", a.name, outcomes.by));
        }
    }
    let mut table = Table { heads, labels: 2, rows: Vec::new() };
    let mut notes = outcomes.notes.clone();
    let mut ended = None;
    let mut open = false;
    for set in outcomes.set.iter().filter(|s| s.quick || !args.quick) {
        let mut trials = run(runner, outcomes, set, algorithms.len(), args)?;
        table.rows.extend(rows(outcomes, set, &trials));
        let all = &trials.trials;
        open |= (0..algorithms.len())
            .any(|i| !set.skip.contains(&algorithms[i].name) && trials.solved(i) < all.len());
        let values = values(all);
        let whole = all.len() == set.positions && all.iter().all(|t| solved_by_some(t));
        if let Some(right) = set.values.as_ref().filter(|_| whole)
            && *right != values
        {
            let message = format!("the values on {} are {values}, not {right}", set.label);
            trials.ended = Some(wrong(message).into());
        }
        notes.push(format!(
            "{}: {} of {} after {}; values: {values}",
            set.label,
            grouped(all.len() as u64),
            counted(set.positions as u64, "position"),
            counted(set.moves.into(), "move"),
        ));
        ended = trials.ended;
        if ended.is_some() {
            break;
        }
    }
    notes.push(format!("limit of each search: {}", budget_text(budget)));
    if open {
        notes.push("> N: some positions were not solved within the limit".to_owned());
    }
    Ok(Made { table, notes, plot: None, ended })
}

/// Figures 3.3 and 3.5.
pub(super) fn figure(
    runner: &Runner<'_, '_>,
    outcomes: &Outcomes,
    args: &ReproduceArgs,
    budget: &BudgetArgs,
) -> Result<Made, Error> {
    let trials = run(runner, outcomes, &outcomes.set[outcomes.figure.set], 2, args)?;
    let name = |i: usize| outcomes.algorithm[i].name.as_str();
    let heads = ["position", "value"].map(str::to_owned).into_iter();
    let heads = heads.chain((0..2).map(|i| format!("{} nodes", name(i)))).collect();
    let mut table = Table { heads, labels: 2, rows: Vec::new() };
    let mut points = Vec::new();
    for (moves, trial) in trials.moves.iter().zip(&trials.trials) {
        let text = |t: &Trial| {
            let least = if t.value.is_some() { "" } else { "> " };
            format!("{least}{}", grouped(t.nodes))
        };
        let value = trial.iter().find_map(|t| t.value.clone()).unwrap_or("?".to_owned());
        table.rows.push(vec![moves.clone(), value, text(&trial[0]), text(&trial[1])]);
        points.push(Point {
            x: trial[0].nodes as f64,
            y: trial[1].nodes as f64,
            faint: trial.iter().any(|t| t.value.is_none()),
        });
    }
    let count =
        |order| trials.trials.iter().filter(|t| t[0].nodes.cmp(&t[1].nodes) == order).count();
    let notes = vec![
        format!(
            "{} needed fewer nodes on {} of {}, as many on {}",
            name(0),
            count(Ordering::Less),
            counted(trials.trials.len() as u64, "position"),
            count(Ordering::Equal)
        ),
        format!("> N: out of the budget ({}); faint in the plot", budget_text(budget)),
    ];
    let plot = Plot {
        title: outcomes.figure.title.clone(),
        x: Axis::decades(format!("{} node creations", name(0))),
        y: Axis::decades(format!("{} node creations", name(1))),
        series: vec![Series { name: "a position".to_owned(), points, joined: false }],
        square: true,
    };
    Ok(Made { table, notes, plot: Some(plot.svg()), ended: trials.ended })
}

fn solved_by_some(trials: &[Trial]) -> bool {
    trials.iter().any(|t| t.value.is_some())
}

/// How often each value comes, the worst first.
fn values(trials: &[Vec<Trial>]) -> String {
    let mut counts: BTreeMap<(i64, &str), u64> = BTreeMap::new();
    for trial in trials {
        if let Some(value) = trial.iter().find_map(|t| t.value.as_deref()) {
            let rank = match value {
                "loss" => -1,
                "win" => 1,
                score => score.parse().unwrap_or(0),
            };
            *counts.entry((rank, value)).or_default() += 1;
        }
    }
    let parts: Vec<String> = counts.iter().map(|((_, v), n)| format!("{n} {v}")).collect();
    parts.join(", ")
}

/// Runs the first algorithms on the positions of a set.
fn run(
    runner: &Runner<'_, '_>,
    outcomes: &Outcomes,
    set: &PositionSet,
    algorithms: usize,
    args: &ReproduceArgs,
) -> Result<Trials, Error> {
    let usual = if args.quick { outcomes.quick_positions } else { u32::MAX };
    let game = runner.open(&set.game)?;
    let positions = positions(&game, set.moves);
    if positions.len() != set.positions {
        let (name, found) = (game.name(), positions.len());
        return Err(wrong(format!("{name} has {found} positions, not {}", set.positions)));
    }
    let ways: Vec<(&OutcomesAlgorithm, Job)> =
        outcomes.algorithm[..algorithms].iter().zip(outcomes.jobs(set)?).collect();
    let asker = Asker { runner, game };
    let mut all = Trials::default();
    // Evenly over the list where only some are wanted.
    let number = (args.sample.unwrap_or(usual) as usize).min(positions.len());
    for i in 0..number {
        let (moves, _) = &positions[i * positions.len() / number];
        match asker.trials(moves, &ways, &set.skip) {
            Ok(trials) => {
                all.moves.push(moves.clone());
                all.trials.push(trials);
            }
            Err(ended) => {
                all.ended = Some(ended);
                break;
            }
        }
    }
    Ok(all)
}

/// All positions after so many moves in which the game goes on, with the moves as text.
fn positions<G: Notation>(game: &G, moves: u32) -> Vec<(String, G::State)> {
    let mut all = Vec::new();
    for (played, state) in positions_after(game, moves) {
        if game.turn(&state) == Turn::Over {
            continue;
        }
        let mut s = game.start();
        let mut words = Vec::new();
        for m in played {
            words.push(game.move_text(&s, m));
            if let Some(agent) = game.turn(&s).mover() {
                game.play(&mut s, agent, m);
            }
        }
        all.push((words.join(","), state));
    }
    all
}

/// Table 3.3.
pub(super) fn questions(
    runner: &Runner<'_, '_>,
    problem: &Problem,
    budget: &BudgetArgs,
) -> Result<Made, Error> {
    detail(runner, problem, budget, false)
}

/// Table 3.4.
pub(super) fn ranges(
    runner: &Runner<'_, '_>,
    problem: &Problem,
    budget: &BudgetArgs,
) -> Result<Made, Error> {
    detail(runner, problem, budget, true)
}

/// Ranges of outcomes, or questions.
fn detail(
    runner: &Runner<'_, '_>,
    problem: &Problem,
    budget: &BudgetArgs,
    by_range: bool,
) -> Result<Made, Error> {
    let game = runner.open(&problem.game)?;
    let positions = positions(&game, problem.moves);
    let Some((moves, start)) = positions.get(problem.number - 1) else {
        return Err(wrong(format!("{} has only {} positions", game.name(), positions.len())));
    };
    let [many, two] = problem.jobs()?.map(|job| runner.with_budget(job).at(of_moves(moves)));
    let mut notes = problem.notes.clone();
    notes.push(format!("position: {}", game.position_text(start)));
    notes.push(format!("limit of each search: {}", budget_text(budget)));
    let asker = Asker { runner, game };
    let table = if by_range { &problem.ranges } else { &problem.questions };
    let labels =
        if by_range { &["algorithm", "outcomes", "in the thesis"][..] } else { &["at least"] };
    let mut heads: Vec<String> = labels.iter().map(|&l| l.to_owned()).collect();
    for measure in ["seconds", "nodes", "result"] {
        heads.extend([format!("{measure} ours"), format!("{measure} {}", problem.by)]);
    }
    let mut rows = Vec::new();
    let mut ended = None;
    for line in &table.lines {
        let (label, theirs) = line.split_at(labels.len());
        if theirs.len() != 3 {
            return Err(Error::input(format!("the line {line:?}")));
        }
        // What comes behind the end of a run is shown as not run.
        let ours = match &ended {
            Some(_) => Ok(["-"; 3].map(str::to_owned)),
            None if by_range => asker.range(&many, &two, &label[0], &label[1]),
            None => asker.question(&two, &label[0]),
        };
        let ours = ours.unwrap_or_else(|e| {
            ended = Some(e);
            ["-"; 3].map(str::to_owned)
        });
        let mut row = label.to_vec();
        row.extend(ours.into_iter().zip(theirs).flat_map(|(o, t)| [o, t.clone()]));
        rows.push(row);
    }
    Ok(Made { table: Table { heads, labels: labels.len(), rows }, notes, plot: None, ended })
}

/// The position that these moves lead to, as a job says it.
fn of_moves(moves: &str) -> String {
    format!("moves:{moves}")
}

/// Asks positions of a game many things.
struct Asker<'r, 'p, 'o> {
    runner: &'r Runner<'p, 'o>,
    game: Erased,
}

impl Asker<'_, '_, '_> {
    /// The name of an outcome.
    fn name(&self, outcome: Outcome) -> String {
        self.game.scale().name(outcome).to_owned()
    }

    /// The outcome of this name.
    fn outcome(&self, name: &str) -> Result<Outcome, Error> {
        let none = || Error::input(format!("{} has no outcome `{name}`", self.game.name()));
        self.game.scale().find(name).ok_or_else(none)
    }

    /// Every algorithm on one position. They must agree.
    fn trials(
        &self,
        moves: &str,
        ways: &[(&OutcomesAlgorithm, Job)],
        skip: &[String],
    ) -> Result<Vec<Trial>, Ended> {
        let mut trials: Vec<Trial> = Vec::new();
        for (algorithm, job) in ways {
            if skip.contains(&algorithm.name) {
                trials.push(Trial::default());
                continue;
            }
            let job = self.runner.with_budget(job.clone()).at(of_moves(moves));
            let known = trials.iter().find_map(|t| t.value.clone());
            let trial = if foregone::pick(&self.game, &job)?.many_outcomes() {
                let found = self.runner.solve(&job)?;
                Trial { value: found.value, time: found.time, nodes: found.nodes }
            } else {
                match &known {
                    Some(value) => self.prove(&job, self.outcome(value)?)?,
                    // What to ask is not known.
                    None => Trial::default(),
                }
            };
            if let (Some(known), Some(value)) = (&known, &trial.value)
                && known != value
            {
                let message =
                    format!("{} gave {value} after {moves}, another one {known}", algorithm.name);
                return Err(wrong(message).into());
            }
            trials.push(trial);
        }
        Ok(trials)
    }

    /// Only the searches that prove a value: that it is reached, and that nothing better is.
    fn prove(&self, job: &Job, value: Outcome) -> Result<Trial, Ended> {
        let mut trial = Trial::default();
        let mut proved = true;
        let best = self.game.scale().best();
        let better = (value < best).then_some(Outcome(value.0 + 1));
        for asked in [Some(value).filter(|v| v.0 > 0), better].into_iter().flatten() {
            let job = self.at_least(job, asked);
            let found = self.runner.solve(&job)?;
            trial.time += found.time;
            trial.nodes += found.nodes;
            proved &= found.solved;
            if found.holds.is_some_and(|holds| holds != (asked == value)) {
                return Err(wrong(format!("the answer of `{}` is wrong", command(&job))).into());
            }
        }
        trial.value = proved.then(|| self.name(value));
        Ok(trial)
    }

    /// The same job with the question whether Max reaches an outcome.
    fn at_least(&self, job: &Job, asked: Outcome) -> Job {
        job.clone().ask(Question::AtLeast(self.name(asked)))
    }

    /// Seconds, nodes and the answer of one question.
    fn question(&self, two: &Job, name: &str) -> Result<[String; 3], Ended> {
        let asked = self.outcome(name)?;
        let Found { time, nodes, holds, .. } = self.runner.solve(&self.at_least(two, asked))?;
        Ok(cells(time, nodes, holds.map(|holds| holds.to_string())))
    }

    /// Seconds, nodes and the value by an algorithm that looks at all outcomes, or that is told
    /// the value and looks from the next worse to the next better one.
    fn range(
        &self,
        many: &Job,
        two: &Job,
        algorithm: &str,
        range: &str,
    ) -> Result<[String; 3], Ended> {
        let best = self.game.scale().best();
        let mut window = (Outcome(0), best);
        if range != "all" {
            let [low, high] = self.runner.solve(many)?.bounds;
            let (low, high) = (self.outcome(&low)?, self.outcome(&high)?);
            window = (Outcome(low.0.saturating_sub(1)), best.min(Outcome(high.0 + 1)));
        }
        let (mut low, mut high) = window;
        if algorithm == "MOPNS" {
            let window = Some([self.name(low), self.name(high)]);
            let found = self.runner.solve(&Job { window, ..many.clone() })?;
            return Ok(cells(found.time, found.nodes, found.value));
        }
        let (mut time, mut nodes) = (Duration::ZERO, 0);
        while low < high {
            let middle = Outcome((low.0 + high.0).div_ceil(2));
            let found = self.runner.solve(&self.at_least(two, middle))?;
            time += found.time;
            nodes += found.nodes;
            match found.holds {
                None => return Ok(cells(time, nodes, None)),
                Some(true) => low = middle,
                Some(false) => high = Outcome(middle.0 - 1),
            }
        }
        Ok(cells(time, nodes, Some(self.name(low))))
    }
}

fn cells(time: Duration, nodes: u64, answer: Option<String>) -> [String; 3] {
    let least = if answer.is_some() { "" } else { "> " };
    [
        format!("{least}{:.3}", time.as_secs_f64()),
        format!("{least}{}", grouped(nodes)),
        answer.unwrap_or_else(|| "?".to_owned()),
    ]
}
