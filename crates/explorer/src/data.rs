//! What there is to see of a certificate, as plain data. Field names are those that a page reads.

use foregone_model::Scene;
use serde::{Deserialize, Serialize};

/// Why something of a certificate can't be shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BookError {
    /// A line that is wrong, by its number where that is known, else by the byte at which it begins.
    #[error("{}: {problem}", place(*line, *offset))]
    Line {
        /// The line, counted from 1.
        line: Option<u64>,
        /// The byte at which it begins.
        offset: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// What was asked for does not exist: a move, a position, a certificate.
    #[error("{0}")]
    Input(String),
    /// The game is not the one that the certificate speaks of.
    #[error("{0}")]
    OtherGame(String),
    /// The index has to come further first.
    #[error("this part of the proof has not been read yet")]
    NotYet,
    /// The bytes can't be read.
    #[error("the file can't be read: {0}")]
    Unreadable(String),
}

fn place(line: Option<u64>, offset: u64) -> String {
    line.map_or_else(|| format!("byte {offset}"), |line| format!("line {line}"))
}

impl BookError {
    pub(crate) fn at(offset: u64, problem: impl Into<String>) -> BookError {
        BookError::Line { line: None, offset, problem: problem.into() }
    }
}

/// What a file of certificates holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outline {
    /// The length of the file.
    pub bytes: u64,
    /// How far the index is, from 0 to 1.
    pub indexed: f64,
    /// All claims, once the index is complete.
    pub claims: Option<u64>,
    /// The first certificates that the index has come to, one of them in any case.
    pub certificates: Vec<Summary>,
    /// What is wrong with the file, where the index could not go on. What stands before can be seen.
    pub problem: Option<String>,
}

/// What a certificate says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// What it says it proves, in words.
    pub claims_that: String,
    /// The game.
    pub game: String,
    /// The position.
    pub position: String,
    /// Which kind of certificate it is.
    pub kind: Kind,
    /// The formula, where one is asked.
    pub formula: Option<String>,
    /// Who forces it; nobody in particular where it is about every player's score.
    pub prover: String,
    /// How many claims it has, once the index has come to its end.
    pub claims: Option<u64>,
}

/// The kinds of certificates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Players move in turn, and one side forces an outcome.
    InTurn,
    /// A formula holds, or does not.
    Formula,
    /// Both players move at the same time.
    Mixed,
    /// A payoff on average.
    Expected,
    /// Every player's score.
    Scores,
}

/// A place in a certificate: what stands there, and the ways on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// The line of the file, counted from 1, where the index knows it.
    pub line: Option<u64>,
    /// The byte at which the line begins.
    pub offset: u64,
    /// The line itself, as far as one wants to see it.
    pub text: String,
    /// What stands here.
    pub kind: NodeKind,
    /// Whose turn it is.
    pub to_move: Option<String>,
    /// What is claimed here and why it holds.
    pub sentence: String,
    /// Of formulas: the subformula that is asked here.
    pub subformula: Option<String>,
    /// Of knowledge: the rule.
    pub rule: Option<String>,
    /// Of knowledge: what shows that it holds.
    pub reason: Option<String>,
    /// The label of the line.
    pub label: Option<u64>,
    /// The label that the line on the way here refers to; the node shown is that one.
    pub same_as: Option<u64>,
    /// Claims of the block of this line, where the index knows them and claims have blocks.
    pub size: Option<u64>,
    /// What the strategy guarantees here, where the certificate says so.
    pub bound: Option<String>,
    /// The position.
    pub view: View,
    /// The ways on, a page of them.
    pub children: Vec<Child>,
    /// How many ways on there are.
    pub children_total: usize,
    /// The first of them that is listed.
    pub from: usize,
    /// Whether the index has to come further to see the rest.
    pub pending: bool,
}

/// What stands at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NodeKind {
    /// The prover has a move.
    Plays,
    /// The other side has moves, or chance where an outcome is forced.
    Replies,
    /// It is over.
    Over,
    /// It is known without a search.
    Known,
    /// It is the position of another line.
    Same,
    /// The prover mixes its moves.
    Mixes,
    /// Chance moves.
    Chance,
    /// An opponent moves who is known.
    Opponent,
    /// The proof does not need this position, or has not been read so far.
    NotCovered,
}

/// A position to look at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct View {
    /// The position, in the game's own text.
    pub position: String,
    /// Whose turn it is in the game.
    pub to_move: Option<String>,
    /// The outcome, where it is over.
    pub over: Option<String>,
    /// Legal moves; of joint moves those of both players.
    pub moves: Vec<Vec<String>>,
    /// The same as people write them, where that is something else: one for each of the first list.
    pub usual: Vec<Option<String>>,
    /// The picture.
    pub scene: Scene,
}

/// A way on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Child {
    /// The move, as paths have it.
    #[serde(rename = "move")]
    pub played: String,
    /// The move as people write it, where that is something else.
    pub san: Option<String>,
    /// What stands there, where that is known.
    pub kind: Option<NodeKind>,
    /// The prover's answer, where the line is the prover's move.
    pub answer: Option<String>,
    /// The answer as people write it, where that is something else.
    pub answer_san: Option<String>,
    /// Claims of its block.
    pub size: Option<u64>,
    /// How often it is played, as a fraction, where that is told.
    pub weight: Option<String>,
    /// The label that the line refers to.
    pub same_as: Option<u64>,
}

/// What became of a search for a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// The way to it from the start of the certificate.
    pub path: Option<Vec<String>>,
    /// How much was looked at, from 0 to 1.
    pub share: f64,
}

/// The upper part of a block, to be drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// What the certificate says it proves.
    pub proves: String,
    /// Whether it is about what Max can force.
    pub of_max: bool,
    /// The position at the top, drawn in text.
    pub position: String,
    /// How many claims the block has.
    pub claims: u64,
    /// The claims that are kept; each stands behind the one that it follows from.
    pub nodes: Vec<PartNode>,
}

/// A claim of a part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartNode {
    /// The claim above, by its place in the list; the first one has none.
    pub parent: Option<usize>,
    /// How many moves lead here from the top.
    pub depth: u32,
    /// The last of them.
    #[serde(rename = "move")]
    pub text: String,
    /// What is claimed.
    pub kind: PartKind,
}

/// What a claim of a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PartKind {
    /// The prover has a move, which follows.
    Plays,
    /// The other side moves, or chance: all that may happen follows.
    Replies,
    /// It is over.
    Over,
    /// It is known without a search.
    Known,
    /// It came up before on the way here.
    Again,
    /// It is the position of an earlier claim.
    AsBefore,
    /// So many claims are left out here.
    Cut(u64),
}
