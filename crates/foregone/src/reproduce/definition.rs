//! Experiments as data: `experiments/*.toml` hold what to run and the seeds' own figures, each
//! with its source. No figure of ours is kept there.

use serde::Deserialize;

use crate::failure::Failure;

/// What is measured of a line's searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Measure {
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
pub(super) struct Cell {
    /// The words behind `solve`, one search or two.
    pub(super) words: Vec<String>,
    /// What is measured.
    pub(super) measure: Measure,
    /// The value that must come out, where it is known.
    pub(super) value: Option<String>,
    /// The seed's figure; empty where it has none.
    pub(super) seed: String,
    /// Whether `--quick` runs it.
    pub(super) quick: bool,
}

const FILES: &[(&str, &str)] = &[
    ("y.toml", include_str!("../../../../experiments/y.toml")),
    ("domineering.toml", include_str!("../../../../experiments/domineering.toml")),
    ("nogo.toml", include_str!("../../../../experiments/nogo.toml")),
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
