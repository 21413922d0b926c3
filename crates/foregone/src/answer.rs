//! Answers, as plain data. Their serialisation is what `--json` prints, and a contract.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::draw::ProofTree;
use crate::observe::Stop;
use crate::problem::Problem;

/// What was found out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Answer {
    /// About a formula.
    Formula(FormulaAnswer),
    /// About a game with joint moves.
    Joint(JointAnswer),
    /// About a game with chance, or an opponent who is known.
    Expected(ExpectedAnswer),
    /// About every player's score.
    Many(ManyAnswer),
    /// About a game in turn.
    Turn(TurnAnswer),
}

/// An answer with all that came with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finished {
    /// The answer.
    pub answer: Answer,
    /// The text of its certificates, one behind the other, each of them replayed by the checker.
    /// Empty where there is no proof.
    pub certificate: String,
    /// The numbers of their texts, where they are kept in an archive ([`crate::Archive`]); the text is empty
    /// then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub archived: Vec<u32>,
    /// How long replaying them took. The answer's time has it in it.
    pub check_time: Duration,
    /// The proof to be drawn, where that was asked.
    pub drawings: Option<Drawings>,
}

impl Finished {
    /// How long the job took without the replay of its proof.
    pub fn search_time(&self) -> Duration {
        let seconds = match &self.answer {
            Answer::Turn(answer) => answer.seconds,
            Answer::Formula(answer) => answer.seconds,
            Answer::Joint(answer) => answer.seconds,
            Answer::Expected(answer) => answer.seconds,
            Answer::Many(answer) => answer.seconds,
        };
        Duration::from_secs_f64(seconds).saturating_sub(self.check_time)
    }
}

/// A proof to be drawn: as text ([`Drawings::tree`]), for Graphviz ([`Drawings::dot`]) or as a picture
/// ([`Drawings::svg`]).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drawings {
    /// What each side can force: one tree for a yes or a no, two for a value between the best and the
    /// worst.
    pub halves: Vec<ProofTree>,
}

/// Whether the question is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It is.
    Solved,
    /// The budget was not enough, or the method only approximates.
    Undecided,
}

impl Status {
    /// Solved or not.
    pub fn of(solved: bool) -> Status {
        if solved { Status::Solved } else { Status::Undecided }
    }
}

/// The answer about a game in turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurnAnswer {
    /// The game, in full.
    pub game: String,
    /// The position, in full.
    pub position: String,
    /// The question.
    pub question: String,
    /// The game of which this is an estimate, where another one was solved in its place: nothing here
    /// is proved about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate_of: Option<String>,
    /// Who is Max, where that is not the first player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// The scheme, where the driver takes one.
    pub scheme: Option<String>,
    /// The driver.
    pub driver: String,
    /// Whether the question is answered.
    pub status: Status,
    /// The value, if it is known.
    pub value: Option<String>,
    /// Who wins, if somebody does.
    pub winner: Option<String>,
    /// The outcomes between which the value lies, both included.
    pub bounds: [String; 2],
    /// Whether Max reaches the outcome that was asked about.
    pub holds: Option<bool>,
    /// The first move of the line.
    pub best_move: Option<String>,
    /// What both sides play: the principal variation. Of a question that is not answered, what the
    /// search would play.
    pub line: Vec<String>,
    /// How the line ends.
    pub line_end: LineEnd,
    /// What each legal move is worth, in the order of the rules, where that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<MoveAnswer>>,
    /// States whose successors were looked at.
    pub expansions: u64,
    /// States that were created.
    pub nodes: u64,
    /// Random plays.
    pub playouts: u64,
    /// How long it took, the replay of the certificates included.
    pub seconds: f64,
    /// The most bytes that the job held at a time.
    pub peak_bytes: u64,
    /// The seed of everything random.
    pub seed: u64,
    /// Why the search stopped.
    pub stop: Stop,
    /// The largest order of threats that was searched, where nothing but wins by threats was looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threats: Option<u32>,
    /// The proof, if there is one.
    pub proof: Option<ProofSummary>,
}

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineEnd {
    /// The game is over, with the value that is claimed.
    Final,
    /// A position came up again, and endless play has the value that is claimed.
    Repetition,
    /// Before the end of the game: how it goes on would take too long to find out.
    Open,
    /// The question is not answered, and the line is what the search would play.
    Undecided,
}

/// What a move is worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveAnswer {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// The value of the position behind it, if it is known.
    pub value: Option<String>,
    /// Who wins behind it, if somebody does.
    pub winner: Option<String>,
    /// The outcomes between which the value lies, both included.
    pub bounds: [String; 2],
    /// Whether Max reaches the outcome that was asked about.
    pub holds: Option<bool>,
    /// Whether no other move is better.
    pub best: Option<bool>,
    /// How many moves it takes from here, this one included, until the game is over, if the winner
    /// hurries and the loser resists. Known where one side wins and the game is small.
    pub distance: Option<u32>,
    /// Whether certificates of the value, those of the whole answer included, were replayed.
    pub proved: bool,
}

/// The word for a position whose value the rules do not determine.
pub const UNDETERMINED: &str = "undetermined";

impl TurnAnswer {
    /// Whether the question is answered.
    pub fn solved(&self) -> bool {
        self.status == Status::Solved
    }

    /// Whether neither side can force anything, and the rules give endless play no outcome.
    pub fn undetermined(&self) -> bool {
        self.value.as_deref() == Some(UNDETERMINED)
    }
}

/// The answer about a formula.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FormulaAnswer {
    /// The game, in full.
    pub game: String,
    /// The position, in full.
    pub position: String,
    /// The formula as it was asked.
    pub formula: String,
    /// Who is A.
    #[serde(rename = "as")]
    pub protagonist: String,
    /// The algorithm.
    pub algorithm: String,
    /// Whether the question is answered.
    pub status: Status,
    /// Whether the formula holds.
    pub holds: Option<bool>,
    /// All first moves or all lines, where that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keys: Option<Vec<String>>,
    /// Whether there may be more of them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more_keys: bool,
    /// What else was found out, where all first moves were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
    /// Whether the proof shows that these are all first moves, and that there are no others.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keys_proved: bool,
    /// Whether it would hold if the other side were to move, where that was looked at: the position of
    /// a helpmate may have been written down with the wrong side to move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holds_for_other_side: Option<bool>,
    /// What both sides would play.
    pub line: Vec<String>,
    /// The same as people who know the game write it, where that is something else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line_san: Vec<String>,
    /// States that were created.
    pub nodes: u64,
    /// How often the game was asked.
    pub queries: QueryCounts,
    /// What the cheapest proof costs, where the algorithm counts that.
    pub cost: Option<u64>,
    /// How long it took, the replay of the certificates included.
    pub seconds: f64,
    /// The most bytes that the job held at a time.
    #[serde(default)]
    pub peak_bytes: u64,
    /// Why the search stopped.
    pub stop: Stop,
    /// The proof, if there is one.
    pub proof: Option<ProofSummary>,
}

/// How often a game was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryCounts {
    /// Whether an atom holds.
    pub atomic: u64,
    /// Which moves there are.
    pub listmoves: u64,
    /// What a move leads to.
    pub play: u64,
}

/// The answer about a game with joint moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointAnswer {
    /// The game, in full.
    pub game: String,
    /// The position, in full.
    pub position: String,
    /// The question.
    pub question: String,
    /// The solver.
    pub scheme: String,
    /// How it walks through positions.
    pub driver: String,
    /// Whether the question is answered.
    pub status: Status,
    /// The Nash value in points, if it is known.
    pub value: Option<String>,
    /// Who is sure of the best payoff that there is.
    pub winner: Option<String>,
    /// The points between which the value lies, both included.
    pub bounds: [String; 2],
    /// Always nothing: the question is the value.
    pub holds: Option<bool>,
    /// What a method that approximates found.
    pub approximation: Option<f64>,
    /// By how much the value may be off, where strategies show it.
    pub error: Option<f64>,
    /// What both sides play in this position, and how often.
    pub strategies: [Strategy; 2],
    /// A move that is played for sure.
    pub best_move: Option<String>,
    /// Always empty: moves are mixed.
    pub line: Vec<String>,
    /// Positions whose successors were looked at.
    pub expansions: u64,
    /// Positions that were created.
    pub nodes: u64,
    /// Always 0.
    pub playouts: u64,
    /// Linear programs that were solved.
    pub lp_calls: u64,
    /// Matrices that a single move of either side answers.
    pub pure: u64,
    /// How long it took, the check of the strategies included.
    pub seconds: f64,
    /// The most bytes that the job held at a time.
    pub peak_bytes: u64,
    /// The seed of everything random.
    pub seed: u64,
    /// Why the search stopped.
    pub stop: Stop,
    /// The proof, if there is one.
    pub proof: Option<ProofSummary>,
}

/// The answer about a game of many players: what each of them gets if everybody goes for its own score
/// (max^n).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ManyAnswer {
    /// The game, in full.
    pub game: String,
    /// The position, in full.
    pub position: String,
    /// The question.
    pub question: String,
    /// The solver, with its options.
    pub scheme: String,
    /// How it walks through positions.
    pub driver: String,
    /// Whether the question is answered.
    pub status: Status,
    /// Who is to move.
    pub to_move: Option<String>,
    /// The scores of all players in their order, a slash between two, if they are known.
    pub value: Option<String>,
    /// The name of the outcome that play comes to.
    pub outcome: Option<String>,
    /// Every player's score, in the order of the rules; empty if they are not known.
    pub scores: Vec<PlayerScore>,
    /// How ties are broken, which the scores depend on: `first-best`, of equally good moves the first
    /// one in the order of the rules.
    pub ties: String,
    /// The first move of the line.
    pub best_move: Option<String>,
    /// What everybody plays until the game is over with these scores.
    pub line: Vec<String>,
    /// Positions whose successors were looked at.
    pub expansions: u64,
    /// Positions that were created.
    pub nodes: u64,
    /// Always 0.
    pub playouts: u64,
    /// How long it took, the replay of the certificate included.
    pub seconds: f64,
    /// The most bytes that the job held at a time.
    pub peak_bytes: u64,
    /// The seed of everything random.
    pub seed: u64,
    /// Why the search stopped.
    pub stop: Stop,
    /// Whether positions come up again where pruning did not look. The scores are those whatever
    /// endless play is worth, and no certificate can show it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repeats: bool,
    /// The proof, if there is one.
    pub proof: Option<ProofSummary>,
}

/// What a player gets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerScore {
    /// The player.
    pub player: String,
    /// Its score: more is better.
    pub score: i64,
}

/// The answer about a game with chance, or about an opponent who is known: what a player gets on
/// average.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExpectedAnswer {
    /// The game, in full.
    pub game: String,
    /// The position, in full.
    pub position: String,
    /// The question.
    pub question: String,
    /// Whose value it is.
    pub player: String,
    /// The opponents who are known, where that was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent: Option<String>,
    /// What a draw is worth, where that is not half a point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<String>,
    /// What the value counts.
    pub value_is: ValueIs,
    /// The solver, with its options.
    pub scheme: String,
    /// How it walks through positions.
    pub driver: String,
    /// Whether the question is answered.
    pub status: Status,
    /// The value: a fraction, or a decimal number with as many digits as are known.
    pub value: Option<String>,
    /// The numbers between which the value lies, both included.
    pub bounds: [String; 2],
    /// By how much the value may be off, where strategies show it.
    pub error: Option<f64>,
    /// What a method that approximates found.
    pub approximation: Option<f64>,
    /// The best move, where a player is to move.
    pub best_move: Option<String>,
    /// What each legal move is worth, in the order of the rules, where that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<ExpectedMove>>,
    /// Positions whose successors were looked at.
    pub expansions: u64,
    /// Positions that were created.
    pub nodes: u64,
    /// Random plays.
    pub playouts: u64,
    /// How long it took, the replay of the certificates included.
    pub seconds: f64,
    /// The most bytes that the job held at a time.
    pub peak_bytes: u64,
    /// The seed of everything random.
    pub seed: u64,
    /// Why the search stopped.
    pub stop: Stop,
    /// The proof, if there is one.
    pub proof: Option<ProofSummary>,
}

/// What an expected value counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValueIs {
    /// How likely it is that the player wins.
    ChanceToWin,
    /// The player's points: numbers as they are; of words, 0 for the worst and 1 for the best.
    Points,
}

/// What a move is worth on average.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExpectedMove {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// The value of the position behind it, if bounds meet.
    pub value: Option<String>,
    /// The numbers between which the value lies, both included.
    pub bounds: [String; 2],
    /// Whether no other move is better, where a player is to move and bounds tell it.
    pub best: Option<bool>,
    /// How likely it is, where chance is to move.
    pub chance: Option<String>,
    /// Whether certificates of the value were replayed.
    pub proved: bool,
}

/// A mixed strategy: moves in the order of the rules, and how often each is played. In JSON an
/// object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strategy(pub Vec<(String, String)>);

impl Serialize for Strategy {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(m, p)| (m, p)))
    }
}

impl<'de> Deserialize<'de> for Strategy {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Strategy, D::Error> {
        struct Pairs;

        impl<'de> serde::de::Visitor<'de> for Pairs {
            type Value = Strategy;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object of moves and how often each is played")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Strategy, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Strategy(pairs))
            }
        }

        deserializer.deserialize_map(Pairs)
    }
}

/// Whether there are none, and nothing need be said of them.
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The proof of an answer, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofSummary {
    /// Where it was written, if it was.
    pub file: Option<String>,
    /// How many claims it has.
    pub claims: u64,
    /// Those of Max and of Min, where both have a strategy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_side: Option<[u64; 2]>,
    /// Claims by a connection, which the checker itself found to be one.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub connections: u64,
    /// Claims by the parts of a sum, which the checker itself added.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub parts: u64,
    /// Claims by static knowledge.
    pub known: u64,
    /// Those whose reason was checked.
    pub by_reason: u64,
    /// Those that were only recomputed.
    pub recomputed: u64,
    /// The names of the knowledge behind those.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recomputed_names: Vec<String>,
    /// Whether every claim was checked, and none only recomputed.
    pub proved: bool,
    /// Whether the checker replayed it.
    pub checked: bool,
}

impl Answer {
    /// Whether the question is answered.
    pub fn solved(&self) -> bool {
        let status = match self {
            Answer::Turn(answer) => answer.status,
            Answer::Formula(answer) => answer.status,
            Answer::Joint(answer) => answer.status,
            Answer::Expected(answer) => answer.status,
            Answer::Many(answer) => answer.status,
        };
        status == Status::Solved
    }

    /// Why the search stopped.
    pub fn stop(&self) -> Stop {
        match self {
            Answer::Turn(answer) => answer.stop,
            Answer::Formula(answer) => answer.stop,
            Answer::Joint(answer) => answer.stop,
            Answer::Expected(answer) => answer.stop,
            Answer::Many(answer) => answer.stop,
        }
    }

    /// The value, or whether the formula holds, in a word.
    pub fn value(&self) -> Option<&str> {
        match self {
            Answer::Turn(answer) => answer.value.as_deref(),
            Answer::Joint(answer) => answer.value.as_deref(),
            Answer::Expected(answer) => answer.value.as_deref(),
            Answer::Many(answer) => answer.value.as_deref(),
            Answer::Formula(answer) => answer.holds.map(|h| if h { "true" } else { "false" }),
        }
    }

    /// States that were created.
    pub fn nodes(&self) -> u64 {
        match self {
            Answer::Turn(answer) => answer.nodes,
            Answer::Formula(answer) => answer.nodes,
            Answer::Joint(answer) => answer.nodes,
            Answer::Expected(answer) => answer.nodes,
            Answer::Many(answer) => answer.nodes,
        }
    }

    /// The proof, if there is one.
    pub fn proof(&self) -> Option<&ProofSummary> {
        match self {
            Answer::Turn(answer) => answer.proof.as_ref(),
            Answer::Formula(answer) => answer.proof.as_ref(),
            Answer::Joint(answer) => answer.proof.as_ref(),
            Answer::Expected(answer) => answer.proof.as_ref(),
            Answer::Many(answer) => answer.proof.as_ref(),
        }
    }

    /// The same, to be changed: who writes the proof to a file says so.
    pub fn proof_mut(&mut self) -> Option<&mut ProofSummary> {
        match self {
            Answer::Turn(answer) => answer.proof.as_mut(),
            Answer::Formula(answer) => answer.proof.as_mut(),
            Answer::Joint(answer) => answer.proof.as_mut(),
            Answer::Expected(answer) => answer.proof.as_mut(),
            Answer::Many(answer) => answer.proof.as_mut(),
        }
    }

    /// The most bytes that the job held, to be changed: who runs one job in a process may know
    /// better, from the operating system.
    pub fn peak_bytes_mut(&mut self) -> &mut u64 {
        match self {
            Answer::Turn(answer) => &mut answer.peak_bytes,
            Answer::Formula(answer) => &mut answer.peak_bytes,
            Answer::Joint(answer) => &mut answer.peak_bytes,
            Answer::Expected(answer) => &mut answer.peak_bytes,
            Answer::Many(answer) => &mut answer.peak_bytes,
        }
    }
}
