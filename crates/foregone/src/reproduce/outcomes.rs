//! Games with more than two outcomes: searches for all of them at once against searches for two.
//! Tables 3.1 to 3.4 and Figures 3.3 and 3.5 of the thesis.
//!
//! A search for two outcomes is told the value and only asked what proves it: whether it is
//! reached, and whether the next better outcome is. That favours it, as in the thesis.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::time::Duration;

use foregone_games::registry::{Visitor, with_game};
use foregone_model::{Guide, Notation, Outcome, Turn};

use super::definition::{Outcomes, OutcomesAlgorithm, PositionSet, Problem};
use super::measure::{Ended, Found, found, read, seconds, wrong};
use super::plot::{Mark, Plot, Point};
use super::{Outcome as Made, Table, budget_text};
use crate::args::{BudgetArgs, ReproduceArgs, SolveArgs};
use crate::failure::Failure;
use crate::job::{Job, Question, positions_after};
use crate::print::grouped;

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

/// Tables 3.1 and 3.2.
pub(super) fn table(
    outcomes: &Outcomes,
    args: &ReproduceArgs,
    budget: &BudgetArgs,
) -> Result<Made, Failure> {
    let algorithms = &outcomes.algorithm;
    let seeds = |name: &str| outcomes.set.iter().any(|s| s.figures.contains_key(name));
    let mut heads = vec!["size".to_owned(), "measure".to_owned()];
    for a in algorithms {
        heads.push(format!("{} ours", a.name));
        if seeds(&a.name) {
            heads.push(format!("{} {}", a.name, outcomes.by));
        }
    }
    let mut table = Table { heads, labels: 2, rows: Vec::new() };
    let mut notes = outcomes.notes.clone();
    let mut ended = None;
    let mut open = false;
    for set in outcomes.set.iter().filter(|s| s.quick || !args.quick) {
        let mut trials = run(outcomes, set, algorithms.len(), args, budget)?;
        let all = &trials.trials;
        let solved = |i: usize| all.iter().filter(|t| t[i].value.is_some()).count();
        let rival = |i: usize| {
            algorithms.iter().position(|a| a.name == algorithms[i].rival).unwrap_or_default()
        };
        let lowest = |i: usize, cost: fn(&Trial) -> u128| {
            let lower = |t: &&Vec<Trial>| {
                let (own, other) = (&t[i], &t[rival(i)]);
                own.value.is_some() && (other.value.is_none() || cost(own) < cost(other))
            };
            grouped(all.iter().filter(lower).count() as u64)
        };
        let skipped = |i: usize| set.skip.contains(&algorithms[i].name);
        let measures = |i: usize| {
            if skipped(i) {
                return [const { String::new() }; 5];
            }
            // What was spent in vain is in the sums.
            let least = if solved(i) < all.len() { "> " } else { "" };
            let time = seconds(all.iter().map(|t| t[i].time).sum());
            let nodes = grouped(all.iter().map(|t| t[i].nodes).sum());
            [
                grouped(solved(i) as u64),
                format!("{least}{time}"),
                format!("{least}{nodes}"),
                lowest(i, |t| t.time.as_nanos()),
                lowest(i, |t| t.nodes.into()),
            ]
        };
        let names = [
            "positions solved",
            "total time (s)",
            "total node creations",
            "lowest time",
            "lowest node creations",
        ];
        let columns: Vec<[String; 5]> = (0..algorithms.len()).map(measures).collect();
        for (at, name) in names.iter().enumerate() {
            let mut row = vec![set.label.clone(), (*name).to_owned()];
            for (column, a) in columns.iter().zip(algorithms) {
                row.push(column[at].clone());
                if seeds(&a.name) {
                    let figures = set.figures.get(&a.name);
                    row.push(
                        match at {
                            0 => figures.map(|_| grouped(set.positions as u64)),
                            _ => figures.map(|f| f[at - 1].clone()),
                        }
                        .unwrap_or_default(),
                    );
                }
            }
            table.rows.push(row);
        }
        open |= (0..algorithms.len()).any(|i| !skipped(i) && solved(i) < all.len());
        let values = values(all);
        let whole = all.len() == set.positions && all.iter().all(|t| solved_by_some(t));
        if let Some(right) = set.values.as_ref().filter(|_| whole)
            && *right != values
        {
            let message = format!("the values on {} are {values}, not {right}", set.label);
            trials.ended = Some(wrong(message).into());
        }
        notes.push(format!(
            "{}: {} of {} positions after {} moves; values: {values}",
            set.label,
            grouped(all.len() as u64),
            grouped(set.positions as u64),
            set.moves
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
    outcomes: &Outcomes,
    args: &ReproduceArgs,
    budget: &BudgetArgs,
) -> Result<Made, Failure> {
    let trials = run(outcomes, &outcomes.set[outcomes.figure.set], 2, args, budget)?;
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
            mark: Mark::Circle,
            faint: trial.iter().any(|t| t.value.is_none()),
        });
    }
    let count =
        |order| trials.trials.iter().filter(|t| t[0].nodes.cmp(&t[1].nodes) == order).count();
    let notes = vec![
        format!(
            "{} needed fewer nodes on {} of {} positions, as many on {}",
            name(0),
            count(Ordering::Less),
            trials.trials.len(),
            count(Ordering::Equal)
        ),
        format!("> N: out of the budget ({}); faint in the plot", budget_text(budget)),
    ];
    let plot = Plot {
        title: outcomes.figure.title.clone(),
        x_name: format!("{} node creations", name(0)),
        y_name: format!("{} node creations", name(1)),
        legend: vec![(Mark::Circle, "a position".to_owned())],
        points,
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
    outcomes: &Outcomes,
    set: &PositionSet,
    algorithms: usize,
    args: &ReproduceArgs,
    budget: &BudgetArgs,
) -> Result<Trials, Failure> {
    let usual = if args.quick { outcomes.quick_positions } else { u32::MAX };
    let number = args.sample.unwrap_or(usual) as usize;
    let algorithms = &outcomes.algorithm[..algorithms];
    let ways = algorithms.iter().map(|a| {
        let args = read(&format!("{} {} {}", set.game, a.words, outcomes.common))?;
        Ok((a, SolveArgs { budget: budget.clone(), ..args }))
    });
    let ways = ways.collect::<Result<Vec<_>, Failure>>()?;
    with_game(&set.game, Run { set, ways, number }).map_err(|e| Failure::game(&set.game, e))?
}

struct Run<'a> {
    set: &'a PositionSet,
    ways: Vec<(&'a OutcomesAlgorithm, SolveArgs)>,
    number: usize,
}

impl Visitor for Run<'_> {
    type Output = Result<Trials, Failure>;

    fn visit<G: Guide + Notation>(self, game: G) -> Self::Output {
        let mut all = Trials::default();
        let positions = positions(&game, self.set.moves);
        if positions.len() != self.set.positions {
            let (name, found) = (game.name(), positions.len());
            let message = format!("{name} has {found} positions, not {}", self.set.positions);
            return Err(wrong(message));
        }
        // Evenly over the list where only some are wanted.
        let number = self.number.min(positions.len());
        for i in 0..number {
            let (moves, start) = &positions[i * positions.len() / number];
            match trials(&game, start, &self.ways, &self.set.skip) {
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
            if let Turn::Agent(agent) = game.turn(&s) {
                game.play(&mut s, agent, m);
            }
        }
        all.push((words.join(","), state));
    }
    all
}

/// Every algorithm on one position. They must agree.
fn trials<G: Guide + Notation>(
    game: &G,
    start: &G::State,
    ways: &[(&OutcomesAlgorithm, SolveArgs)],
    skip: &[String],
) -> Result<Vec<Trial>, Ended> {
    let mut trials: Vec<Trial> = Vec::new();
    for (algorithm, args) in ways {
        if skip.contains(&algorithm.name) {
            trials.push(Trial::default());
            continue;
        }
        let job = Job { start: start.clone(), ..Job::new(game, args)? };
        let known = trials.iter().find_map(|t| t.value.clone());
        let trial = if job.guidance.many_outcomes() {
            let found = found(game, &job)?;
            Trial { value: found.value, time: found.time, nodes: found.counts.nodes }
        } else {
            match known.as_ref().and_then(|value| game.scale().find(value)) {
                Some(value) => prove(game, job, value)?,
                // What to ask is not known.
                None => Trial::default(),
            }
        };
        if let (Some(known), Some(value)) = (&known, &trial.value)
            && known != value
        {
            let position = game.position_text(start);
            let message =
                format!("{} gave {value} for {position}, another one {known}", algorithm.name);
            return Err(wrong(message).into());
        }
        trials.push(trial);
    }
    Ok(trials)
}

/// Only the searches that prove a value: that it is reached, and that nothing better is.
fn prove<G: Guide + Notation>(
    game: &G,
    mut job: Job<G::State>,
    value: Outcome,
) -> Result<Trial, Ended> {
    let mut trial = Trial::default();
    let mut proved = true;
    let best = game.scale().best();
    let better = (value < best).then_some(Outcome(value.0 + 1));
    for asked in [Some(value).filter(|v| v.0 > 0), better].into_iter().flatten() {
        job.question = Question::AtLeast(asked);
        let found = found(game, &job)?;
        trial.time += found.time;
        trial.nodes += found.counts.nodes;
        proved &= found.solved;
        if found.solved && (found.bounds.0 >= asked) != (asked == value) {
            let name = game.scale().name(asked).to_owned();
            let message = format!("{}: at-least {name} is wrong", game.position_text(&job.start));
            return Err(wrong(message).into());
        }
    }
    trial.value = proved.then(|| game.scale().name(value).to_owned());
    Ok(trial)
}

/// Table 3.3.
pub(super) fn questions(problem: &Problem, budget: &BudgetArgs) -> Result<Made, Failure> {
    detail(problem, budget, false)
}

/// Table 3.4.
pub(super) fn ranges(problem: &Problem, budget: &BudgetArgs) -> Result<Made, Failure> {
    detail(problem, budget, true)
}

fn detail(problem: &Problem, budget: &BudgetArgs, ranges: bool) -> Result<Made, Failure> {
    let words = |words: &str| {
        let args = read(&format!("{} {words}", problem.game))?;
        Ok::<_, Failure>(SolveArgs { budget: budget.clone(), ..args })
    };
    let (many, two) = (words(&problem.many)?, words(&problem.two)?);
    let visitor = Detail { problem, many, two, ranges };
    let (mut made, position) =
        with_game(&problem.game, visitor).map_err(|e| Failure::game(&problem.game, e))??;
    made.notes = problem.notes.clone();
    made.notes.push(format!("position: {position}"));
    made.notes.push(format!("limit of each search: {}", budget_text(budget)));
    Ok(made)
}

struct Detail<'a> {
    problem: &'a Problem,
    many: SolveArgs,
    two: SolveArgs,
    /// Ranges of outcomes, or questions.
    ranges: bool,
}

impl Visitor for Detail<'_> {
    type Output = Result<(Made, String), Failure>;

    fn visit<G: Guide + Notation>(self, game: G) -> Self::Output {
        let positions = positions(&game, self.problem.moves);
        let Some((_, start)) = positions.get(self.problem.number - 1) else {
            let message = format!("{} has only {} positions", game.name(), positions.len());
            return Err(wrong(message));
        };
        let of = |args: &SolveArgs| {
            Ok::<_, Failure>(Job { start: start.clone(), ..Job::new(&game, args)? })
        };
        let mut asker = Asker { game: &game, many: of(&self.many)?, two: of(&self.two)? };
        let table = if self.ranges { &self.problem.ranges } else { &self.problem.questions };
        let labels = if self.ranges {
            &["algorithm", "outcomes", "in the thesis"][..]
        } else {
            &["at least"]
        };
        let mut heads: Vec<String> = labels.iter().map(|&l| l.to_owned()).collect();
        for measure in ["seconds", "nodes", "result"] {
            heads.extend([format!("{measure} ours"), format!("{measure} {}", self.problem.by)]);
        }
        let mut made = Made {
            table: Table { heads, labels: labels.len(), rows: Vec::new() },
            notes: Vec::new(),
            plot: None,
            ended: None,
        };
        for line in &table.lines {
            let (label, seeds) = line.split_at(labels.len());
            if seeds.len() != 3 {
                return Err(Failure::input(format!("the line {line:?}")));
            }
            // What comes behind the end of a run is shown as not run.
            let ours = match &made.ended {
                Some(_) => Ok(["-"; 3].map(str::to_owned)),
                None if self.ranges => asker.range(&label[0], &label[1]),
                None => asker.question(&label[0]),
            };
            let ours = match ours {
                Ok(ours) => ours,
                Err(ended) => {
                    made.ended = Some(ended);
                    ["-"; 3].map(str::to_owned)
                }
            };
            let mut row = label.to_vec();
            row.extend(ours.into_iter().zip(seeds).flat_map(|(o, s)| [o, s.clone()]));
            made.table.rows.push(row);
        }
        Ok((made, game.position_text(start)))
    }
}

/// Asks one position many things.
struct Asker<'g, G: Notation> {
    game: &'g G,
    many: Job<G::State>,
    two: Job<G::State>,
}

impl<G: Guide + Notation> Asker<'_, G> {
    fn at_least(&mut self, asked: Outcome) -> Result<Found, Ended> {
        self.two.question = Question::AtLeast(asked);
        found(self.game, &self.two)
    }

    /// Seconds, nodes and the answer of one question.
    fn question(&mut self, name: &str) -> Result<[String; 3], Ended> {
        let none = || Failure::input(format!("{} has no outcome `{name}`", self.game.name()));
        let asked = self.game.scale().find(name).ok_or_else(none)?;
        let found = self.at_least(asked)?;
        let answer = found.solved.then(|| (found.bounds.0 >= asked).to_string());
        Ok(cells(found.time, found.counts.nodes, answer))
    }

    /// Seconds, nodes and the value by an algorithm that looks at all outcomes, or that is told
    /// the value and looks from the next worse to the next better one.
    fn range(&mut self, algorithm: &str, range: &str) -> Result<[String; 3], Ended> {
        let best = self.game.scale().best();
        let mut window = (Outcome(0), best);
        if range != "all" {
            self.many.window = None;
            let (low, high) = found(self.game, &self.many)?.bounds;
            window = (Outcome(low.0.saturating_sub(1)), best.min(Outcome(high.0 + 1)));
        }
        if algorithm == "MOPNS" {
            self.many.window = Some(window);
            let found = found(self.game, &self.many)?;
            return Ok(cells(found.time, found.counts.nodes, found.value));
        }
        let (mut low, mut high) = window;
        let (mut time, mut nodes) = (Duration::ZERO, 0);
        while low < high {
            let middle = Outcome((low.0 + high.0).div_ceil(2));
            let found = self.at_least(middle)?;
            time += found.time;
            nodes += found.counts.nodes;
            if !found.solved {
                return Ok(cells(time, nodes, None));
            }
            if found.bounds.0 >= middle {
                low = middle;
            } else {
                high = Outcome(middle.0 - 1);
            }
        }
        Ok(cells(time, nodes, Some(self.game.scale().name(low).to_owned())))
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
