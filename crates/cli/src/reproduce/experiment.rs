//! What `reproduce` can be asked for, made of the files of experiments.

use std::rc::Rc;
use std::time::Duration;

use foregone::{Error, Job};

use super::combat::Combat;
use super::definition::{
    Board, CellMeasure, Cells, Duel, File, Grid, GridTable, List, ListColumn, Matrix, Measure,
    Outcomes, Problem, Queries, Sample,
};
use super::joint::Joint;
use super::playing::Playing;

/// Something that `reproduce` can be asked for.
#[derive(Debug)]
pub(super) struct Experiment {
    /// Its name on the command line.
    pub(super) name: String,
    /// What it is.
    pub(super) title: String,
    /// Where the figures of others are from.
    pub(super) source: String,
    /// How it is made.
    pub(super) kind: Kind,
}

/// How an experiment is made.
#[derive(Debug)]
pub(super) enum Kind {
    /// Searches, one line after the other.
    Lines(Lines),
    /// A table of positions solved.
    SampleTable(Rc<Sample>),
    /// A plot of times.
    SampleFigure(Rc<Sample>),
    /// A table of positions with many outcomes.
    OutcomesTable(Rc<Outcomes>),
    /// A plot of nodes.
    OutcomesFigure(Rc<Outcomes>),
    /// A position with many outcomes, question by question.
    Questions(Rc<Problem>),
    /// A position with many outcomes, range by range.
    Ranges(Rc<Problem>),
    /// A game in each cell.
    Cells(Cells),
    /// A match.
    Duel(Duel),
    /// Formulas, and how often the game was asked.
    Queries(Queries),
    /// Classes of formulas by algorithms.
    Matrix(Matrix),
    /// Searches of joint moves.
    Joint(Joint),
    /// Battles.
    Combat(Combat),
    /// Games that Monte Carlo searches play.
    Playing(Playing),
}

impl Kind {
    /// Whether it is drawn.
    pub(super) fn is_figure(&self) -> bool {
        matches!(self, Kind::SampleFigure(_) | Kind::OutcomesFigure(_))
    }

    /// Whether `--sample` means something.
    pub(super) fn samples(&self) -> bool {
        match self {
            Kind::Lines(_)
            | Kind::Questions(_)
            | Kind::Ranges(_)
            | Kind::Queries(_)
            | Kind::Matrix(_)
            | Kind::Joint(_) => false,
            Kind::SampleTable(_)
            | Kind::SampleFigure(_)
            | Kind::OutcomesTable(_)
            | Kind::OutcomesFigure(_)
            | Kind::Combat(_)
            | Kind::Playing(_)
            | Kind::Duel(_) => true,
            Kind::Cells(cells) => cells.measure == CellMeasure::Playouts,
        }
    }

    /// Every job, whatever budget and position it is run with later. Battles and games that are
    /// played have none.
    pub(super) fn jobs(&self) -> Result<Vec<Job>, Error> {
        match self {
            Kind::Lines(lines) => {
                let cells = lines.lines.iter().flat_map(|line| &line.cells);
                Ok(cells.flat_map(|cell| cell.jobs.iter().cloned()).collect())
            }
            Kind::SampleTable(sample) | Kind::SampleFigure(sample) => sample.jobs(),
            Kind::OutcomesTable(outcomes) | Kind::OutcomesFigure(outcomes) => {
                let jobs = outcomes.set.iter().map(|set| outcomes.jobs(set));
                Ok(jobs.collect::<Result<Vec<_>, _>>()?.concat())
            }
            Kind::Questions(problem) | Kind::Ranges(problem) => Ok(problem.jobs()?.to_vec()),
            Kind::Cells(cells) => cells.jobs(),
            Kind::Duel(duel) => Ok(duel.jobs()?.to_vec()),
            Kind::Queries(queries) => queries.jobs(),
            Kind::Matrix(matrix) => matrix.jobs(),
            Kind::Joint(joint) => joint.jobs(),
            Kind::Combat(_) | Kind::Playing(_) => Ok(Vec::new()),
        }
    }

    /// What a search may use when nothing is said: time or nodes, and nodes with `--quick`.
    pub(super) fn usual(&self) -> (Usual, u64) {
        match self {
            Kind::Lines(lines) => (Usual::Time(Duration::from_secs(60)), lines.quick_nodes),
            Kind::SampleTable(s) | Kind::SampleFigure(s) => {
                (Usual::Time(Duration::from_millis(s.milliseconds)), s.quick_nodes)
            }
            Kind::OutcomesTable(o) | Kind::OutcomesFigure(o) => {
                (Usual::Nodes(o.nodes), o.quick_nodes)
            }
            Kind::Questions(p) | Kind::Ranges(p) => (Usual::Nodes(p.nodes), p.quick_nodes),
            // Playouts or milliseconds are what limits these.
            Kind::Cells(_) | Kind::Duel(_) | Kind::Combat(_) | Kind::Playing(_) => {
                (Usual::Nodes(u64::MAX), u64::MAX)
            }
            Kind::Queries(_) => (Usual::Time(Duration::from_secs(60)), 1_000_000),
            Kind::Joint(_) => (Usual::Time(Duration::from_secs(60)), u64::MAX),
            Kind::Matrix(m) => (Usual::Time(Duration::from_secs(60)), m.quick_nodes),
        }
    }
}

/// The budget of a search when nothing is said.
#[derive(Clone, Copy, Debug)]
pub(super) enum Usual {
    Time(Duration),
    Nodes(u64),
}

/// A table of searches.
#[derive(Debug)]
pub(super) struct Lines {
    /// A word for the source.
    pub(super) by: String,
    /// The heads of the label columns.
    pub(super) labels: Vec<String>,
    /// The heads of the figures.
    pub(super) columns: Vec<String>,
    /// The lines.
    pub(super) lines: Vec<Line>,
    /// What to know about it.
    pub(super) notes: Vec<String>,
    /// Nodes a search may create with `--quick`.
    pub(super) quick_nodes: u64,
}

/// A line of a table.
#[derive(Debug)]
pub(super) struct Line {
    /// What stands before the figures.
    pub(super) labels: Vec<String>,
    /// A cell for each column.
    pub(super) cells: Vec<Cell>,
}

/// A figure to measure.
#[derive(Debug)]
pub(super) struct Cell {
    /// One search or two.
    pub(super) jobs: Vec<Job>,
    /// What is measured.
    pub(super) measure: Measure,
    /// The value that must come out, where it is known.
    pub(super) value: Option<String>,
    /// The source's figure; empty where it has none.
    pub(super) theirs: String,
    /// Whether `--quick` runs it.
    pub(super) quick: bool,
}

const FILES: &[(&str, &str)] = &[
    ("y.toml", include_str!("../../experiments/y.toml")),
    ("domineering.toml", include_str!("../../experiments/domineering.toml")),
    ("nogo.toml", include_str!("../../experiments/nogo.toml")),
    ("connect-four.toml", include_str!("../../experiments/connect-four.toml")),
    ("woodpush.toml", include_str!("../../experiments/woodpush.toml")),
    ("formulas.toml", include_str!("../../experiments/formulas.toml")),
    ("joint.toml", include_str!("../../experiments/joint.toml")),
    ("combat.toml", include_str!("../../experiments/combat.toml")),
    ("sekis.toml", include_str!("../../experiments/sekis.toml")),
    ("ucd.toml", include_str!("../../experiments/ucd.toml")),
    ("slides-nogo.toml", include_str!("../../experiments/slides-nogo.toml")),
    ("slides-atarigo.toml", include_str!("../../experiments/slides-atarigo.toml")),
    ("slides-breakthrough.toml", include_str!("../../experiments/slides-breakthrough.toml")),
];

/// Every experiment, sorted by name: figures, then the slides' tables, then the thesis' tables.
pub(super) fn all() -> Result<Vec<Experiment>, Error> {
    let mut all = Vec::new();
    for (name, text) in FILES {
        all.extend(experiments(text).map_err(|e| e.before(&format!("experiments/{name}")))?);
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(all)
}

/// The experiments of one file.
fn experiments(text: &str) -> Result<Vec<Experiment>, Error> {
    let mut all = Vec::new();
    let file: File = toml::from_str(text).map_err(|e| Error::input(e.to_string()))?;
    if let Some(grid) = file.grid {
        for table in &grid.table {
            all.push(grid_table(&grid, table)?);
        }
    }
    if let Some(list) = file.list {
        all.push(list_table(list)?);
    }
    if let Some(sample) = file.sample {
        all.extend(sample_tables(sample));
    }
    if let Some(outcomes) = file.outcomes {
        all.extend(outcomes_tables(outcomes)?);
    }
    for cells in file.cells {
        all.push(cells_table(cells)?);
    }
    /// An experiment that is one table, under its own name.
    macro_rules! named {
        ($kind:ident, $of:expr) => {
            Experiment {
                name: $of.name.clone(),
                title: $of.title.clone(),
                source: $of.source.clone(),
                kind: Kind::$kind($of),
            }
        };
    }
    all.extend(file.duel.map(|duel| named!(Duel, duel)));
    all.extend(file.queries.map(|queries| named!(Queries, queries)));
    if let Some(matrix) = file.matrix {
        if matrix.class.iter().any(|c| c.named.len() != matrix.algorithms.len()) {
            return Err(Error::input("a class has a name for each algorithm"));
        }
        all.push(named!(Matrix, matrix));
    }
    all.extend(file.playing.into_iter().map(|playing| named!(Playing, playing)));
    all.extend(file.combat.into_iter().map(|combat| named!(Combat, combat)));
    all.extend(file.joint.into_iter().map(|joint| named!(Joint, joint)));
    Ok(all)
}

fn grid_table(grid: &Grid, table: &GridTable) -> Result<Experiment, Error> {
    let mut lines = Vec::new();
    for (algorithm, figures) in grid.algorithm.iter().zip(&table.figures) {
        if figures.len() != grid.board.len() + 1 || figures[0] != algorithm.name {
            let message = format!("the figures of {} in {}", algorithm.name, table.name);
            return Err(Error::input(message));
        }
        let cell = |(board, theirs): (&Board, &String)| {
            Ok::<_, Error>(Cell {
                jobs: vec![grid.job(board, algorithm)?],
                measure: table.measure,
                value: board.value.clone(),
                theirs: theirs.clone(),
                quick: board.quick,
            })
        };
        let cells = grid.board.iter().zip(&figures[1..]).map(cell).collect::<Result<_, _>>()?;
        lines.push(Line { labels: vec![algorithm.name.clone()], cells });
    }
    if table.figures.len() != lines.len() || grid.algorithm.len() != lines.len() {
        return Err(Error::input(format!("the algorithms of {}", table.name)));
    }
    Ok(Experiment {
        name: table.name.clone(),
        title: table.title.clone(),
        source: table.source.clone(),
        kind: Kind::Lines(Lines {
            by: table.by.clone(),
            labels: vec!["algorithm".to_owned()],
            columns: grid.board.iter().map(|b| b.size.clone()).collect(),
            lines,
            notes: table.notes.clone(),
            quick_nodes: grid.quick_nodes,
        }),
    })
}

fn list_table(list: List) -> Result<Experiment, Error> {
    let mut lines = Vec::new();
    let labels = list.labels.len();
    let winner = list.columns.iter().position(|c| c.measure == Measure::Winner);
    // A speed-up is that of one search over another.
    let needed = match list.columns.iter().any(|c| c.measure == Measure::SpeedUp) {
        true => 2,
        false => 1,
    };
    for group in &list.group {
        if group.words.len() != needed {
            return Err(Error::input(format!("a group of {} has {needed} searches", list.name)));
        }
        for line in &group.lines {
            if line.len() != labels + list.columns.len() {
                return Err(Error::input(format!("the line {line:?}")));
            }
            let figures = &line[labels..];
            // A table that names winners says what must come out.
            let value = match winner.map(|i| figures[i].as_str()) {
                Some("1") => Some("win".to_owned()),
                Some("2") => Some("loss".to_owned()),
                _ => group.value.clone(),
            };
            let jobs = list.jobs(&line[0], group)?;
            let cell = |(column, theirs): (&ListColumn, &String)| Cell {
                jobs: jobs.clone(),
                measure: column.measure,
                value: value.clone(),
                theirs: theirs.clone(),
                quick: group.quick,
            };
            let cells = list.columns.iter().zip(figures).map(cell).collect();
            lines.push(Line { labels: line[..labels].to_vec(), cells });
        }
    }
    Ok(Experiment {
        name: list.name,
        title: list.title,
        source: list.source,
        kind: Kind::Lines(Lines {
            by: list.by,
            labels: list.labels,
            columns: list.columns.into_iter().map(|c| c.name).collect(),
            lines,
            notes: list.notes,
            quick_nodes: list.quick_nodes,
        }),
    })
}

fn sample_tables(sample: Sample) -> [Experiment; 2] {
    let sample = Rc::new(sample);
    [
        Experiment {
            name: sample.table.name.clone(),
            title: sample.table.title.clone(),
            source: format!("{}, Table 2.1", sample.source),
            kind: Kind::SampleTable(sample.clone()),
        },
        Experiment {
            name: sample.figure.name.clone(),
            title: sample.figure.title.clone(),
            source: format!("{}, Figure 2.3", sample.source),
            kind: Kind::SampleFigure(sample),
        },
    ]
}

fn outcomes_tables(mut outcomes: Outcomes) -> Result<Vec<Experiment>, Error> {
    let known = |name: &String| outcomes.algorithm.iter().any(|a| a.name == *name);
    if outcomes.algorithm.len() < 2 || !outcomes.algorithm.iter().all(|a| known(&a.rival)) {
        return Err(Error::input("an algorithm has no rival"));
    }
    if outcomes.figure.set >= outcomes.set.len() {
        return Err(Error::input("the figure is of a set that is not there"));
    }
    let mut all = Vec::new();
    if let Some(problem) = outcomes.problem.take() {
        let problem = Rc::new(problem);
        let kinds = [Kind::Questions(problem.clone()), Kind::Ranges(problem.clone())];
        for (table, kind) in [&problem.questions, &problem.ranges].into_iter().zip(kinds) {
            all.push(Experiment {
                name: table.name.clone(),
                title: table.title.clone(),
                source: format!("{}, {}", problem.source, table.place),
                kind,
            });
        }
    }
    let outcomes = Rc::new(outcomes);
    let (table, figure) = (&outcomes.table, &outcomes.figure);
    all.push(Experiment {
        name: table.name.clone(),
        title: table.title.clone(),
        source: format!("{}, {}", outcomes.source, table.place),
        kind: Kind::OutcomesTable(outcomes.clone()),
    });
    all.push(Experiment {
        name: figure.name.clone(),
        title: figure.title.clone(),
        source: format!("{}, {}", outcomes.source, figure.place),
        kind: Kind::OutcomesFigure(outcomes.clone()),
    });
    Ok(all)
}

fn cells_table(cells: Cells) -> Result<Experiment, Error> {
    if let Some(line) = cells.lines.iter().find(|l| l.len() != cells.columns.len() + 1) {
        return Err(Error::input(format!("the line {line:?}")));
    }
    let needed = if cells.measure == CellMeasure::Chance { 0 } else { 1 };
    if ![needed, cells.lines.len()].contains(&cells.words.len()) {
        return Err(Error::input(format!("the words of {}", cells.name)));
    }
    Ok(Experiment {
        name: cells.name.clone(),
        title: cells.title.clone(),
        source: cells.source.clone(),
        kind: Kind::Cells(cells),
    })
}
