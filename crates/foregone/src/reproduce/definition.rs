//! Experiments as data: `experiments/*.toml` hold what to run and the seeds' own figures, each
//! with its source. No figure of ours is kept there.

use std::time::Duration;

use serde::Deserialize;

use super::combat::Combat;
use super::joint::Joint;
use crate::failure::Failure;

/// What is measured of a line's searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Expansions of the first search.
    Expansions,
    /// Nodes of the first search.
    Nodes,
    /// Seconds of the first search.
    Seconds,
    /// Who wins: 1 moves first.
    Winner,
    /// How many times the nodes of the first search the second one takes.
    SpeedUp,
}

/// One file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    grid: Option<Grid>,
    list: Option<List>,
    sample: Option<Sample>,
    outcomes: Option<Outcomes>,
    #[serde(default)]
    cells: Vec<Cells>,
    duel: Option<Duel>,
    queries: Option<Queries>,
    matrix: Option<Matrix>,
    #[serde(default)]
    joint: Vec<Joint>,
    #[serde(default)]
    combat: Vec<Combat>,
}

/// Formulas on positions, and how often the game was asked.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Queries {
    name: String,
    title: String,
    source: String,
    /// A word for the source.
    pub(super) by: String,
    /// The game.
    pub(super) game: String,
    /// The algorithm's word.
    pub(super) algorithm: String,
    /// How many lines with `--quick`.
    pub(super) quick: usize,
    /// What is to be said below the table.
    pub(super) notes: Vec<String>,
    /// Formula and position, then the source's seconds and three counts.
    pub(super) lines: Vec<[String; 6]>,
}

/// Classes of formulas by algorithms, each on several positions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Matrix {
    name: String,
    title: String,
    source: String,
    /// How many positions with `--quick`.
    pub(super) quick_positions: usize,
    quick_nodes: u64,
    /// The algorithms' words.
    pub(super) algorithms: Vec<String>,
    /// What is to be said below the table.
    pub(super) notes: Vec<String>,
    /// The classes.
    pub(super) class: Vec<Class>,
    /// The positions of each game.
    pub(super) positions: Vec<Positions>,
}

/// A class of formulas, asked of the positions of a game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Class {
    /// The formula.
    pub(super) formula: String,
    /// The game.
    pub(super) game: String,
    /// For each algorithm the search that it simulates, if it has a name.
    pub(super) named: Vec<String>,
}

/// Positions of a game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Positions {
    /// The game.
    pub(super) game: String,
    /// The positions.
    pub(super) list: Vec<String>,
}

/// Algorithms by boards, with several tables of the same searches.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Grid {
    game: String,
    common: String,
    quick_nodes: u64,
    board: Vec<Board>,
    algorithm: Vec<Algorithm>,
    table: Vec<GridTable>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Board {
    size: String,
    value: Option<String>,
    #[serde(default)]
    quick: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Algorithm {
    name: String,
    words: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GridTable {
    name: String,
    title: String,
    source: String,
    by: String,
    measure: Measure,
    #[serde(default)]
    notes: Vec<String>,
    /// For each algorithm its name and a figure for each board.
    figures: Vec<Vec<String>>,
}

/// One line a board, with several measures.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    name: String,
    title: String,
    source: String,
    by: String,
    game: String,
    quick_nodes: u64,
    labels: Vec<String>,
    columns: Vec<ListColumn>,
    #[serde(default)]
    notes: Vec<String>,
    group: Vec<Group>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ListColumn {
    name: String,
    measure: Measure,
}

/// Lines that are searched in the same way.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    words: Vec<String>,
    value: Option<String>,
    #[serde(default)]
    quick: bool,
    /// Labels, the board's size first, then figures.
    lines: Vec<Vec<String>>,
}

/// Positions of one game, each solved by several algorithms.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sample {
    /// The game.
    pub(super) game: String,
    /// The least and the greatest number of random moves.
    pub(super) stones: [u32; 2],
    /// How many positions the table takes when nothing is said.
    pub(super) positions: u32,
    /// How many with `--quick`.
    pub(super) quick_positions: u32,
    /// Nodes a search may create with `--quick`.
    pub(super) quick_nodes: u64,
    /// The time for each search when nothing is said.
    pub(super) milliseconds: u64,
    /// Words of all searches.
    pub(super) common: String,
    /// Where the figures are from.
    pub(super) source: String,
    /// A word for the source.
    pub(super) by: String,
    /// The table.
    pub(super) table: SampleTable,
    /// The plot.
    pub(super) figure: SampleFigure,
    /// The algorithms; the plot compares the others with the first one.
    pub(super) algorithm: Vec<SampleAlgorithm>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SampleTable {
    pub(super) name: String,
    pub(super) title: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SampleFigure {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) positions: u32,
}

/// An algorithm with the seed's figures.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SampleAlgorithm {
    pub(super) name: String,
    pub(super) words: String,
    pub(super) solved: String,
    pub(super) fastest: String,
    pub(super) fewest: String,
}

/// Positions of games with more than two outcomes, each solved by searches for all outcomes at
/// once and by searches for two.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Outcomes {
    /// Where the figures are from.
    source: String,
    /// A word for the source.
    pub(super) by: String,
    /// Nodes a search may create when nothing is said.
    pub(super) nodes: u64,
    /// With `--quick`.
    pub(super) quick_nodes: u64,
    /// How many positions of a set with `--quick`.
    pub(super) quick_positions: u32,
    /// Words of all searches.
    pub(super) common: String,
    /// What to know about it.
    #[serde(default)]
    pub(super) notes: Vec<String>,
    /// The table.
    table: OutcomesTable,
    /// The plot.
    pub(super) figure: OutcomesFigure,
    /// The algorithms, those for all outcomes before those for two, which are told the value.
    pub(super) algorithm: Vec<OutcomesAlgorithm>,
    /// The positions.
    pub(super) set: Vec<PositionSet>,
    /// One of the positions in detail.
    problem: Option<Problem>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OutcomesTable {
    name: String,
    title: String,
    place: String,
}

/// A plot of the nodes of the first two algorithms on a set.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OutcomesFigure {
    name: String,
    pub(super) title: String,
    place: String,
    /// The number of the set, from 0.
    pub(super) set: usize,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OutcomesAlgorithm {
    pub(super) name: String,
    pub(super) words: String,
    /// With whom it is compared.
    pub(super) rival: String,
}

/// All positions after so many moves.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PositionSet {
    pub(super) game: String,
    /// The size as the seed writes it.
    pub(super) label: String,
    pub(super) moves: u32,
    /// How many there are.
    pub(super) positions: usize,
    /// How often each value comes, where the seed says so.
    pub(super) values: Option<String>,
    /// Whether `--quick` runs it.
    #[serde(default)]
    pub(super) quick: bool,
    /// The names of algorithms that would take too long.
    #[serde(default)]
    pub(super) skip: Vec<String>,
    /// For an algorithm the seed's time, nodes, lowest times and lowest nodes.
    pub(super) figures: std::collections::BTreeMap<String, [String; 4]>,
}

/// One position in detail.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Problem {
    pub(super) game: String,
    pub(super) moves: u32,
    /// Its number among the positions after so many moves, from 1.
    pub(super) number: usize,
    /// Words of the search for all outcomes and of the one for two.
    pub(super) many: String,
    pub(super) two: String,
    pub(super) by: String,
    nodes: u64,
    quick_nodes: u64,
    source: String,
    pub(super) notes: Vec<String>,
    /// The table of questions.
    pub(super) questions: ProblemTable,
    /// The table of ranges.
    pub(super) ranges: ProblemTable,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProblemTable {
    name: String,
    title: String,
    place: String,
    /// Labels, then the seed's seconds, nodes and result.
    pub(super) lines: Vec<Vec<String>>,
}

/// What stands in a table with a game in each cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum CellMeasure {
    /// The chance to win a semeai by random play.
    Chance,
    /// The value.
    Value,
    /// The mean of the playouts that a search makes until it has the value.
    Playouts,
}

/// A table with a game in each cell.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cells {
    name: String,
    title: String,
    source: String,
    /// A word for the source.
    pub(super) by: String,
    pub(super) measure: CellMeasure,
    /// The chance of a move outside of a semeai.
    #[serde(default)]
    pub(super) elsewhere: f64,
    /// The words behind `solve`, one text for all rows or one for each. `{row}` and `{column}` are
    /// replaced by the labels.
    #[serde(default)]
    pub(super) words: Vec<String>,
    /// The head of the rows' labels.
    pub(super) label: String,
    /// The columns' labels.
    pub(super) columns: Vec<String>,
    /// Playouts of a search at most.
    #[serde(default)]
    pub(super) playouts: u64,
    /// How often each search is made, with another seed each time.
    #[serde(default = "once")]
    pub(super) runs: u32,
    /// How many rows and columns `--quick` has.
    pub(super) quick: usize,
    /// How often each search is made with `--quick`.
    #[serde(default = "once")]
    pub(super) quick_runs: u32,
    #[serde(default)]
    pub(super) notes: Vec<String>,
    /// A label, then a figure of the seed for each column.
    pub(super) lines: Vec<Vec<String>>,
}

/// A match between two searches.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Duel {
    name: String,
    title: String,
    source: String,
    /// A word for the source.
    pub(super) by: String,
    pub(super) game: String,
    /// How many games, and with `--quick`.
    pub(super) games: u32,
    pub(super) quick_games: u32,
    /// Playouts before each move, and with `--quick`.
    pub(super) playouts: u64,
    pub(super) quick_playouts: u64,
    #[serde(default)]
    pub(super) notes: Vec<String>,
    pub(super) players: [Player; 2],
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Player {
    pub(super) name: String,
    pub(super) words: String,
    /// What it scored in the seed.
    pub(super) points: String,
}

fn once() -> u32 {
    1
}

/// Something that `reproduce` can be asked for.
#[derive(Debug)]
pub(super) struct Experiment {
    /// Its name on the command line.
    pub(super) name: String,
    /// What it is.
    pub(super) title: String,
    /// Where the seed's figures are from.
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
    SampleTable(std::rc::Rc<Sample>),
    /// A plot of times.
    SampleFigure(std::rc::Rc<Sample>),
    /// A table of positions with many outcomes.
    OutcomesTable(std::rc::Rc<Outcomes>),
    /// A plot of nodes.
    OutcomesFigure(std::rc::Rc<Outcomes>),
    /// A position with many outcomes, question by question.
    Questions(std::rc::Rc<Problem>),
    /// A position with many outcomes, range by range.
    Ranges(std::rc::Rc<Problem>),
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
}

impl Kind {
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
            | Kind::Duel(_) => true,
            Kind::Cells(cells) => cells.measure == CellMeasure::Playouts,
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
            Kind::Cells(_) | Kind::Duel(_) | Kind::Combat(_) => (Usual::Nodes(u64::MAX), u64::MAX),
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
    /// A word for the seed.
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
pub struct Cell {
    /// The words behind `solve`, one search or two.
    pub words: Vec<String>,
    /// What is measured.
    pub measure: Measure,
    /// The value that must come out, where it is known.
    pub value: Option<String>,
    /// The seed's figure; empty where it has none.
    pub seed: String,
    /// Whether `--quick` runs it.
    pub quick: bool,
}

const FILES: &[(&str, &str)] = &[
    ("y.toml", include_str!("../../../../experiments/y.toml")),
    ("domineering.toml", include_str!("../../../../experiments/domineering.toml")),
    ("nogo.toml", include_str!("../../../../experiments/nogo.toml")),
    ("connect-four.toml", include_str!("../../../../experiments/connect-four.toml")),
    ("woodpush.toml", include_str!("../../../../experiments/woodpush.toml")),
    ("formulas.toml", include_str!("../../../../experiments/formulas.toml")),
    ("joint.toml", include_str!("../../../../experiments/joint.toml")),
    ("combat.toml", include_str!("../../../../experiments/combat.toml")),
    ("sekis.toml", include_str!("../../../../experiments/sekis.toml")),
    ("slides-nogo.toml", include_str!("../../../../experiments/slides-nogo.toml")),
    ("slides-atarigo.toml", include_str!("../../../../experiments/slides-atarigo.toml")),
    ("slides-breakthrough.toml", include_str!("../../../../experiments/slides-breakthrough.toml")),
];

/// Every experiment, sorted by name: figures, then the slides' tables, then the thesis' tables.
pub(super) fn all() -> Result<Vec<Experiment>, Failure> {
    let mut all = Vec::new();
    for (name, text) in FILES {
        let file: File =
            toml::from_str(text).map_err(|e| Failure::input(format!("experiments/{name}: {e}")))?;
        let uneven = |what: &str| Failure::input(format!("experiments/{name}: {what}"));
        if let Some(grid) = file.grid {
            for table in &grid.table {
                all.push(grid_table(&grid, table).map_err(|e| uneven(&e))?);
            }
        }
        if let Some(list) = file.list {
            all.push(list_table(list).map_err(|e| uneven(&e))?);
        }
        if let Some(sample) = file.sample {
            all.extend(sample_tables(sample));
        }
        if let Some(outcomes) = file.outcomes {
            all.extend(outcomes_tables(outcomes).map_err(|e| uneven(&e))?);
        }
        for cells in file.cells {
            all.push(cells_table(cells).map_err(|e| uneven(&e))?);
        }
        if let Some(duel) = file.duel {
            let (name, title, source) =
                (duel.name.clone(), duel.title.clone(), duel.source.clone());
            all.push(Experiment { name, title, source, kind: Kind::Duel(duel) });
        }
        if let Some(queries) = file.queries {
            let (name, title, source) =
                (queries.name.clone(), queries.title.clone(), queries.source.clone());
            all.push(Experiment { name, title, source, kind: Kind::Queries(queries) });
        }
        if let Some(matrix) = file.matrix {
            if matrix.class.iter().any(|c| c.named.len() != matrix.algorithms.len()) {
                return Err(uneven("a class has a name for each algorithm"));
            }
            let (name, title, source) =
                (matrix.name.clone(), matrix.title.clone(), matrix.source.clone());
            all.push(Experiment { name, title, source, kind: Kind::Matrix(matrix) });
        }
        for combat in file.combat {
            let (name, title, source) =
                (combat.name.clone(), combat.title.clone(), combat.source.clone());
            all.push(Experiment { name, title, source, kind: Kind::Combat(combat) });
        }
        for joint in file.joint {
            let (name, title, source) =
                (joint.name.clone(), joint.title.clone(), joint.source.clone());
            all.push(Experiment { name, title, source, kind: Kind::Joint(joint) });
        }
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(all)
}

fn grid_table(grid: &Grid, table: &GridTable) -> Result<Experiment, String> {
    let mut lines = Vec::new();
    for (algorithm, figures) in grid.algorithm.iter().zip(&table.figures) {
        if figures.len() != grid.board.len() + 1 || figures[0] != algorithm.name {
            return Err(format!("the figures of {} in {}", algorithm.name, table.name));
        }
        let cell = |(board, seed): (&Board, &String)| Cell {
            words: vec![format!(
                "{}:{} {} {}",
                grid.game, board.size, algorithm.words, grid.common
            )],
            measure: table.measure,
            value: board.value.clone(),
            seed: seed.clone(),
            quick: board.quick,
        };
        let cells = grid.board.iter().zip(&figures[1..]).map(cell).collect();
        lines.push(Line { labels: vec![algorithm.name.clone()], cells });
    }
    if table.figures.len() != lines.len() || grid.algorithm.len() != lines.len() {
        return Err(format!("the algorithms of {}", table.name));
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

fn list_table(list: List) -> Result<Experiment, String> {
    let mut lines = Vec::new();
    let labels = list.labels.len();
    let winner = list.columns.iter().position(|c| c.measure == Measure::Winner);
    for group in &list.group {
        for line in &group.lines {
            if line.len() != labels + list.columns.len() {
                return Err(format!("the line {line:?}"));
            }
            let figures = &line[labels..];
            // A table that names winners says what must come out.
            let value = match winner.map(|i| figures[i].as_str()) {
                Some("1") => Some("win".to_owned()),
                Some("2") => Some("loss".to_owned()),
                _ => group.value.clone(),
            };
            let words = |w: &String| format!("{}:{} {w}", list.game, line[0]);
            let cell = |(column, seed): (&ListColumn, &String)| Cell {
                words: group.words.iter().map(words).collect(),
                measure: column.measure,
                value: value.clone(),
                seed: seed.clone(),
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
    let sample = std::rc::Rc::new(sample);
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

fn outcomes_tables(mut outcomes: Outcomes) -> Result<Vec<Experiment>, String> {
    let known = |name: &String| outcomes.algorithm.iter().any(|a| a.name == *name);
    if outcomes.algorithm.len() < 2 || !outcomes.algorithm.iter().all(|a| known(&a.rival)) {
        return Err("the rivals".to_owned());
    }
    if outcomes.figure.set >= outcomes.set.len() {
        return Err("the set of the figure".to_owned());
    }
    let mut all = Vec::new();
    if let Some(problem) = outcomes.problem.take() {
        let problem = std::rc::Rc::new(problem);
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
    let outcomes = std::rc::Rc::new(outcomes);
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

fn cells_table(cells: Cells) -> Result<Experiment, String> {
    if let Some(line) = cells.lines.iter().find(|l| l.len() != cells.columns.len() + 1) {
        return Err(format!("the line {line:?}"));
    }
    let needed = if cells.measure == CellMeasure::Chance { 0 } else { 1 };
    if ![needed, cells.lines.len()].contains(&cells.words.len()) {
        return Err(format!("the words of {}", cells.name));
    }
    Ok(Experiment {
        name: cells.name.clone(),
        title: cells.title.clone(),
        source: cells.source.clone(),
        kind: Kind::Cells(cells),
    })
}
