//! Experiments as data: `experiments/*.toml` hold what to run and the figures of the source papers,
//! each with its source. No figure of ours is kept there. What to run is said in words of a job's
//! text.

use foregone::formula::Algorithm;
use foregone::{Error, Job, Question};
use serde::Deserialize;

use super::combat::Combat;
use super::joint::Joint;
use super::playing::Playing;

/// The job whose text has these parts, the game first.
fn job(parts: &[&str]) -> Result<Job, Error> {
    let text = parts.join(" ");
    text.parse::<Job>().map_err(|e| e.before(&format!("the job `{text}`")))
}

/// Asks a formula, by the rules alone.
fn formula_job(game: &str, position: &str, formula: &str, algorithm: Algorithm) -> Job {
    Job {
        algorithm: Some(algorithm),
        knowledge: false,
        ..Job::new(game).at(position).ask(Question::Formula(formula.to_owned()))
    }
}

fn algorithm(word: &str) -> Result<Algorithm, Error> {
    word.parse().map_err(|e| Error::text("algorithm", word, e))
}

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
pub(super) struct File {
    pub(super) grid: Option<Grid>,
    pub(super) list: Option<List>,
    pub(super) sample: Option<Sample>,
    pub(super) outcomes: Option<Outcomes>,
    #[serde(default)]
    pub(super) cells: Vec<Cells>,
    pub(super) duel: Option<Duel>,
    pub(super) queries: Option<Queries>,
    pub(super) matrix: Option<Matrix>,
    #[serde(default)]
    pub(super) joint: Vec<Joint>,
    #[serde(default)]
    pub(super) combat: Vec<Combat>,
    #[serde(default)]
    pub(super) playing: Vec<Playing>,
}

/// Formulas on positions, and how often the game was asked.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Queries {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) source: String,
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

impl Queries {
    /// A job for each line.
    pub(super) fn jobs(&self) -> Result<Vec<Job>, Error> {
        let algorithm = algorithm(&self.algorithm)?;
        let job = |[formula, position, ..]: &[String; 6]| {
            formula_job(&self.game, position, formula, algorithm.clone())
        };
        Ok(self.lines.iter().map(job).collect())
    }
}

/// Classes of formulas by algorithms, each on several positions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Matrix {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) source: String,
    /// How many positions with `--quick`.
    pub(super) quick_positions: usize,
    pub(super) quick_nodes: u64,
    /// The algorithms' words.
    pub(super) algorithms: Vec<String>,
    /// What is to be said below the table.
    pub(super) notes: Vec<String>,
    /// The classes.
    pub(super) class: Vec<Class>,
    /// The positions of each game.
    pub(super) positions: Vec<Positions>,
}

impl Matrix {
    /// The positions that a class is asked of.
    pub(super) fn positions_of(&self, class: &Class) -> &[String] {
        let positions = self.positions.iter().find(|p| p.game == class.game);
        positions.map(|p| p.list.as_slice()).unwrap_or_default()
    }

    /// A class asked of a position by one of the algorithms.
    pub(super) fn job(&self, class: &Class, word: &str, position: &str) -> Result<Job, Error> {
        let algorithm = match algorithm(word)? {
            // As in λ search, which this class is about.
            Algorithm::Pnps { .. } if class.formula.starts_with("lambda") => {
                Algorithm::Pnps { lambda: true }
            }
            other => other,
        };
        Ok(formula_job(&class.game, position, &class.formula, algorithm))
    }

    /// All jobs.
    pub(super) fn jobs(&self) -> Result<Vec<Job>, Error> {
        let mut jobs = Vec::new();
        for class in &self.class {
            for position in self.positions_of(class) {
                for word in &self.algorithms {
                    jobs.push(self.job(class, word, position)?);
                }
            }
        }
        Ok(jobs)
    }
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
pub(super) struct Grid {
    pub(super) game: String,
    pub(super) common: String,
    pub(super) quick_nodes: u64,
    pub(super) board: Vec<Board>,
    pub(super) algorithm: Vec<GridAlgorithm>,
    pub(super) table: Vec<GridTable>,
}

impl Grid {
    /// The search of a board by an algorithm.
    pub(super) fn job(&self, board: &Board, algorithm: &GridAlgorithm) -> Result<Job, Error> {
        job(&[&format!("{}:{}", self.game, board.size), &algorithm.words, &self.common])
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Board {
    pub(super) size: String,
    pub(super) value: Option<String>,
    #[serde(default)]
    pub(super) quick: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GridAlgorithm {
    pub(super) name: String,
    pub(super) words: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GridTable {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) source: String,
    pub(super) by: String,
    pub(super) measure: Measure,
    #[serde(default)]
    pub(super) notes: Vec<String>,
    /// For each algorithm its name and a figure for each board.
    pub(super) figures: Vec<Vec<String>>,
}

/// One line a board, with several measures.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct List {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) source: String,
    pub(super) by: String,
    pub(super) game: String,
    pub(super) quick_nodes: u64,
    pub(super) labels: Vec<String>,
    pub(super) columns: Vec<ListColumn>,
    #[serde(default)]
    pub(super) notes: Vec<String>,
    pub(super) group: Vec<Group>,
}

impl List {
    /// The searches of a board, in the way of its group.
    pub(super) fn jobs(&self, board: &str, group: &Group) -> Result<Vec<Job>, Error> {
        let game = format!("{}:{board}", self.game);
        group.words.iter().map(|words| job(&[&game, words])).collect()
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ListColumn {
    pub(super) name: String,
    pub(super) measure: Measure,
}

/// Lines that are searched in the same way.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Group {
    pub(super) words: Vec<String>,
    pub(super) value: Option<String>,
    #[serde(default)]
    pub(super) quick: bool,
    /// Labels, the board's size first, then figures.
    pub(super) lines: Vec<Vec<String>>,
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
    /// Words of all jobs.
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

impl Sample {
    /// A job for each algorithm, about the start of the game.
    pub(super) fn jobs(&self) -> Result<Vec<Job>, Error> {
        let job = |a: &SampleAlgorithm| job(&[&self.game, &a.words, &self.common]);
        self.algorithm.iter().map(job).collect()
    }
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

/// An algorithm with the figures of the source.
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
    pub(super) source: String,
    /// A word for the source.
    pub(super) by: String,
    /// Nodes a search may create when nothing is said.
    pub(super) nodes: u64,
    /// With `--quick`.
    pub(super) quick_nodes: u64,
    /// How many positions of a set with `--quick`.
    pub(super) quick_positions: u32,
    /// Words of all jobs.
    pub(super) common: String,
    /// What to know about it.
    #[serde(default)]
    pub(super) notes: Vec<String>,
    /// The table.
    pub(super) table: OutcomesTable,
    /// The plot.
    pub(super) figure: OutcomesFigure,
    /// The algorithms, those for all outcomes before those for two, which are told the value.
    pub(super) algorithm: Vec<OutcomesAlgorithm>,
    /// The positions.
    pub(super) set: Vec<PositionSet>,
    /// One of the positions in detail.
    pub(super) problem: Option<Problem>,
}

impl Outcomes {
    /// A job for each algorithm, about the start of the game of a set.
    pub(super) fn jobs(&self, set: &PositionSet) -> Result<Vec<Job>, Error> {
        let job = |a: &OutcomesAlgorithm| job(&[&set.game, &a.words, &self.common]);
        self.algorithm.iter().map(job).collect()
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OutcomesTable {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) place: String,
}

/// A plot of the nodes of the first two algorithms on a set.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OutcomesFigure {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) place: String,
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
    /// The size as the source writes it.
    pub(super) label: String,
    pub(super) moves: u32,
    /// How many there are.
    pub(super) positions: usize,
    /// How often each value comes, where the source says so.
    pub(super) values: Option<String>,
    /// Whether `--quick` runs it.
    #[serde(default)]
    pub(super) quick: bool,
    /// The names of algorithms that would take too long.
    #[serde(default)]
    pub(super) skip: Vec<String>,
    /// For an algorithm the source's time, nodes, lowest times and lowest nodes.
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
    /// Words of the job for all outcomes and of the one for two.
    pub(super) many: String,
    pub(super) two: String,
    pub(super) by: String,
    pub(super) nodes: u64,
    pub(super) quick_nodes: u64,
    pub(super) source: String,
    pub(super) notes: Vec<String>,
    /// The table of questions.
    pub(super) questions: ProblemTable,
    /// The table of ranges.
    pub(super) ranges: ProblemTable,
}

impl Problem {
    /// The search for all outcomes and the one for two, about the start of the game.
    pub(super) fn jobs(&self) -> Result<[Job; 2], Error> {
        Ok([job(&[&self.game, &self.many])?, job(&[&self.game, &self.two])?])
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProblemTable {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) place: String,
    /// Labels, then the source's seconds, nodes and result.
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
    pub(super) name: String,
    pub(super) title: String,
    pub(super) source: String,
    /// A word for the source.
    pub(super) by: String,
    pub(super) measure: CellMeasure,
    /// The chance of a move outside of a semeai.
    #[serde(default)]
    pub(super) elsewhere: f64,
    /// The job of a cell, one text for all rows or one for each. `{row}` and `{column}` are replaced
    /// by the labels.
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
    /// A label, then a figure of the source for each column.
    pub(super) lines: Vec<Vec<String>>,
}

impl Cells {
    /// The search of a cell; nothing where none is made.
    pub(super) fn job(&self, row: usize, column: usize) -> Result<Option<Job>, Error> {
        let Some(words) = self.words.get(row).or(self.words.first()) else {
            return Ok(None);
        };
        let (row, column) = (&self.lines[row][0], &self.columns[column]);
        job(&[&words.replace("{row}", row).replace("{column}", column)]).map(Some)
    }

    /// All jobs.
    pub(super) fn jobs(&self) -> Result<Vec<Job>, Error> {
        let mut jobs = Vec::new();
        for row in 0..self.lines.len() {
            for column in 0..self.columns.len() {
                jobs.extend(self.job(row, column)?);
            }
        }
        Ok(jobs)
    }
}

/// A match between two searches.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Duel {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) source: String,
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

impl Duel {
    /// A job for each player, about the start of the game.
    pub(super) fn jobs(&self) -> Result<[Job; 2], Error> {
        let [first, second] = &self.players;
        Ok([job(&[&self.game, &first.words])?, job(&[&self.game, &second.words])?])
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Player {
    pub(super) name: String,
    pub(super) words: String,
    /// What it scored in the source.
    pub(super) points: String,
}

fn once() -> u32 {
    1
}
