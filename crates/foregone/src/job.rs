//! A job: what to find out and how, as plain data.
//!
//! A job can be printed, stored, sent to another machine and asked again. Its text is the game and
//! then words `key=value`, of which those that say nothing new are left out:
//!
//! ```
//! use foregone::Job;
//!
//! let job: Job = "domineering:4x4 scheme=pn driver=dag nodes=10000".parse()?;
//! assert_eq!(job.to_string(), "domineering:4x4 scheme=pn driver=dag nodes=10000");
//! # Ok::<(), foregone::Error>(())
//! ```

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use foregone_search::{DriverSpec, Init, SchemeSpec};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::{Error, suggest};
use crate::formula::Algorithm;
use crate::solver::Solver;

/// What to find out and how. What is left open is picked for the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Job {
    /// The game: `name` or `name:options`.
    pub game: String,
    /// The position: the game's own text, `start`, or `moves:a1,b2,…`.
    pub position: String,
    /// The question.
    pub question: Question,
    /// Who is Max; the first player when not given. With a formula, who is A; whoever is to move
    /// when not given.
    pub player: Option<String>,
    /// Definitions that a formula may use, beside those of the library.
    pub definitions: String,
    /// With a formula: list all first moves or all lines.
    pub all: bool,
    /// Whether the value of each legal move is asked, too.
    pub moves: bool,
    /// With a formula: list the first moves that fail to at most so many defences, too.
    pub tries: u32,
    /// With a formula: tell what would happen if the other side began, too.
    pub set_play: bool,
    /// With a formula: tell what follows all first moves, by threats and defences.
    pub variations: bool,
    /// What a node of a best first search knows.
    #[serde(with = "as_text")]
    pub scheme: Option<SchemeSpec>,
    /// How the space is walked.
    #[serde(with = "as_text")]
    pub driver: Option<DriverSpec>,
    /// Where the value of a new leaf comes from.
    #[serde(with = "as_text")]
    pub leaves: Option<Init>,
    /// How a game is solved that schemes and drivers do not take: joint moves, chance.
    #[serde(with = "as_text")]
    pub solver: Option<Solver>,
    /// How the opponent plays, where that is known: `random`, `ahead(2)`, `first:1,ahead(3):4`.
    pub opponent: Option<String>,
    /// The text of a certificate, whose strategy is that of an opponent called `proof`.
    pub opponent_proof: String,
    /// The folder with tables that the search asks.
    pub tables: Option<String>,
    /// By how much a draw is worth less than half a point, as a fraction.
    pub contempt: Option<String>,
    /// How a formula is evaluated.
    #[serde(with = "as_text")]
    pub algorithm: Option<Algorithm>,
    /// How a scheme for two outcomes is asked about many.
    pub outcomes: Outcomes,
    /// The outcomes between which one search for all of them looks for the value. If it is not
    /// inside, only the side on which it lies is found out.
    pub window: Option<[String; 2]>,
    /// What may be used.
    pub budget: Budget,
    /// The seed of everything random.
    pub seed: u64,
    /// Whether what the game knows statically is used.
    pub knowledge: bool,
    /// Whether mirror images are taken as one.
    pub symmetry: bool,
    /// What to do about the proof.
    pub proof: Proof,
    /// Whether one line of a certificate may cover several moves.
    pub cover: bool,
}

impl Default for Job {
    /// A job without a game.
    fn default() -> Job {
        Job {
            game: String::new(),
            position: START.to_owned(),
            question: Question::Value,
            player: None,
            definitions: String::new(),
            all: false,
            moves: false,
            tries: 0,
            set_play: false,
            variations: false,
            scheme: None,
            driver: None,
            leaves: None,
            solver: None,
            opponent: None,
            opponent_proof: String::new(),
            tables: None,
            contempt: None,
            algorithm: None,
            outcomes: Outcomes::Dichotomic,
            window: None,
            budget: Budget::default(),
            seed: 0,
            knowledge: true,
            symmetry: true,
            proof: Proof::IfCheap,
            cover: true,
        }
    }
}

const START: &str = "start";

/// More threads than this would take more memory than they save time. A browser has none to start.
const MAX_THREADS: u32 = if cfg!(target_family = "wasm") { 1 } else { 1024 };

impl Job {
    /// The value of a game's starting position, without limits.
    pub fn new(game: impl Into<String>) -> Job {
        Job { game: game.into(), ..Job::default() }
    }

    /// The same about this position.
    pub fn at(self, position: impl Into<String>) -> Job {
        Job { position: position.into(), ..self }
    }

    /// Refuses fields that mean nothing to what is asked, but for these.
    pub(crate) fn only(&self, asked: &str, fields: &[&str]) -> Result<(), Error> {
        let usual = Job::default();
        let other = KEYS[OF_SOME]
            .iter()
            .find(|key| !fields.contains(key) && self.value(key) != usual.value(key));
        match other {
            None => Ok(()),
            Some(key) => Err(Error::input(format!("`{key}` does not go with {asked}"))
                .help(format!("these do: {}", fields.join(", ")))),
        }
    }

    /// Refuses what no machine can do, whoever wrote the job.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self.budget.threads {
            1..=MAX_THREADS => Ok(()),
            n => Err(Error::input(format!("a job has 1 to {MAX_THREADS} threads, not {n}"))),
        }
    }

    /// The same with this question.
    pub fn ask(self, question: Question) -> Job {
        Job { question, ..self }
    }
}

/// A question about a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Question {
    /// Which outcome does Max reach? Of joint moves: the Nash value.
    #[default]
    Value,
    /// Does Max reach the best outcome?
    Win,
    /// Does Max reach at least the outcome of this name?
    AtLeast(String),
    /// What is the Nash value? Games in turn are taken as games with joint moves.
    Nash,
    /// Does this formula hold?
    Formula(String),
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Question::Value => f.write_str("value"),
            Question::Win => f.write_str("win"),
            Question::AtLeast(outcome) => write!(f, "at-least {outcome}"),
            Question::Nash => f.write_str("nash"),
            Question::Formula(text) => write!(f, "formula {text}"),
        }
    }
}

impl FromStr for Question {
    type Err = Error;

    fn from_str(text: &str) -> Result<Question, Error> {
        match text.split_once(' ') {
            None if text == "value" => Ok(Question::Value),
            None if text == "win" => Ok(Question::Win),
            None if text == "nash" => Ok(Question::Nash),
            Some(("at-least", outcome)) => Ok(Question::AtLeast(outcome.to_owned())),
            Some(("formula", text)) => Ok(Question::Formula(text.to_owned())),
            _ => {
                let words = ["win", "value", "nash", "at-least OUTCOME", "formula TEXT"];
                Err(Error::input(format!("`{text}` is not a question"))
                    .at("question", text, 0..text.len())
                    .help(suggest(text, &words.map(str::to_owned)).unwrap_or_default()))
            }
        }
    }
}

/// How a search for two outcomes is asked about many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcomes {
    /// The middle of what is left.
    #[default]
    Dichotomic,
    /// One after the other, from the worst.
    Iterative,
    /// Twice as far up each time, then the middle of what is left.
    Doubling,
}

/// What to do about the proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Proof {
    /// Make one, and leave it where that would take long.
    #[default]
    IfCheap,
    /// Make none: measurements of searches alone.
    Never,
    /// Make one, however long it takes, and return its text.
    Always,
    /// The same, and drawings of it.
    Drawn,
}

/// What may be used.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Budget {
    /// Nodes that may be created.
    pub nodes: Option<u64>,
    /// Bytes that may be held.
    pub memory: Option<u64>,
    /// Time.
    #[serde(with = "seconds")]
    pub time: Option<Duration>,
    /// Random plays.
    pub playouts: Option<u64>,
    /// Threads that a driver may use.
    pub threads: u32,
    /// Nodes that the search of a leaf may create, where leaves of a search are searched.
    pub inner_nodes: Option<u64>,
}

impl Default for Budget {
    /// Whatever it takes, by one thread.
    fn default() -> Budget {
        Budget {
            nodes: None,
            memory: None,
            time: None,
            playouts: None,
            threads: 1,
            inner_nodes: None,
        }
    }
}

impl Budget {
    /// The limits of a search.
    pub(crate) fn limits(&self) -> foregone_search::Limits {
        foregone_search::Limits {
            nodes: self.nodes.unwrap_or(u64::MAX),
            bytes: self.memory.unwrap_or(u64::MAX),
        }
    }
}

/// Enums that are one word each.
macro_rules! words {
    ($type:ident, $what:literal: $($word:literal = $variant:ident),+) => {
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $($type::$variant => $word,)+
                })
            }
        }

        impl FromStr for $type {
            type Err = Error;

            fn from_str(text: &str) -> Result<$type, Error> {
                match text {
                    $($word => Ok($type::$variant),)+
                    _ => {
                        let words = [$($word.to_owned()),+];
                        Err(Error::input(format!(concat!("`{}` is not ", $what), text))
                            .at($what, text, 0..text.len())
                            .help(suggest(text, &words).unwrap_or_default()))
                    }
                }
            }
        }
    };
}

words!(Outcomes, "a way to ask about many outcomes":
    "dichotomic" = Dichotomic, "iterative" = Iterative, "doubling" = Doubling);
words!(Proof, "a choice for the proof": "if-cheap" = IfCheap, "never" = Never, "always" = Always, "drawn" = Drawn);

/// Types whose serialisation is their text.
macro_rules! serialised_as_text {
    ($($type:ty),+) => {
        $(
            impl Serialize for $type {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.collect_str(self)
                }
            }

            impl<'de> Deserialize<'de> for $type {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                    let text = String::deserialize(deserializer)?;
                    text.parse().map_err(serde::de::Error::custom)
                }
            }
        )+
    };
}

serialised_as_text!(Question, Outcomes, Proof);

/// Optional values of other crates as their texts.
mod as_text {
    use super::{Deserialize, Deserializer, FromStr, Serializer, fmt};

    pub(super) fn serialize<T: fmt::Display, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => serializer.collect_str(value),
            None => serializer.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, T: FromStr<Err: fmt::Display>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| text.parse().map_err(serde::de::Error::custom)).transpose()
    }
}

/// A time as a number of seconds.
pub(crate) mod seconds {
    use super::{Deserialize, Deserializer, Duration, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(
        time: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        time.map(|time| time.as_secs_f64()).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        let seconds = Option::<f64>::deserialize(deserializer)?;
        let time = seconds.map(Duration::try_from_secs_f64).transpose();
        time.map_err(serde::de::Error::custom)
    }
}

/// The keys that mean something to some questions only.
const OF_SOME: std::ops::Range<usize> = 2..20;

/// The keys of a job's text, in their order.
const KEYS: [&str; 31] = [
    "position",
    "question",
    "player",
    "definitions",
    "all",
    "moves",
    "tries",
    "set_play",
    "variations",
    "scheme",
    "driver",
    "leaves",
    "solver",
    "opponent",
    "opponent_proof",
    "tables",
    "contempt",
    "algorithm",
    "outcomes",
    "window",
    "nodes",
    "memory",
    "time",
    "playouts",
    "threads",
    "inner_nodes",
    "seed",
    "knowledge",
    "symmetry",
    "proof",
    "cover",
];

impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_word(f, &self.game)?;
        let usual = Job::default();
        for key in KEYS {
            let value = self.value(key);
            if value != usual.value(key)
                && let Some(value) = value
            {
                write!(f, " {key}=")?;
                write_word(f, &value)?;
            }
        }
        Ok(())
    }
}

impl Job {
    /// The text of a field, if it has one.
    fn value(&self, key: &str) -> Option<String> {
        fn text<T: ToString>(value: &Option<T>) -> Option<String> {
            value.as_ref().map(T::to_string)
        }
        fn yes(value: bool) -> Option<String> {
            Some(if value { "yes" } else { "no" }.to_owned())
        }
        match key {
            "position" => Some(self.position.clone()),
            "question" => Some(self.question.to_string()),
            "player" => self.player.clone(),
            "definitions" => Some(self.definitions.clone()),
            "all" => yes(self.all),
            "moves" => yes(self.moves),
            "tries" => Some(self.tries.to_string()),
            "set_play" => yes(self.set_play),
            "variations" => yes(self.variations),
            "scheme" => text(&self.scheme),
            "driver" => text(&self.driver),
            "leaves" => text(&self.leaves),
            "solver" => text(&self.solver),
            "opponent" => self.opponent.clone(),
            "opponent_proof" => Some(self.opponent_proof.clone()),
            "tables" => self.tables.clone(),
            "contempt" => self.contempt.clone(),
            "algorithm" => text(&self.algorithm),
            "outcomes" => Some(self.outcomes.to_string()),
            "window" => self.window.as_ref().map(window_text),
            "nodes" => text(&self.budget.nodes),
            "memory" => text(&self.budget.memory),
            "time" => self.budget.time.map(|time| time.as_secs_f64().to_string()),
            "playouts" => text(&self.budget.playouts),
            "threads" => Some(self.budget.threads.to_string()),
            "inner_nodes" => text(&self.budget.inner_nodes),
            "seed" => Some(self.seed.to_string()),
            "knowledge" => yes(self.knowledge),
            "symmetry" => yes(self.symmetry),
            "proof" => Some(self.proof.to_string()),
            "cover" => yes(self.cover),
            _ => None,
        }
    }

    /// Reads a field.
    fn set(&mut self, key: &str, value: &str) -> Result<(), Error> {
        let wrong = |what: &str| {
            Error::input(format!("`{value}` is not {what}")).at(key, value, 0..value.len())
        };
        let number = || value.parse::<u64>().map_err(|_| wrong("a whole number"));
        let spec = |e| Error::text(key, value, e);
        let word = |e: Error| e.at(key, value, 0..value.len());
        let yes = || match value {
            "yes" => Ok(true),
            "no" => Ok(false),
            _ => Err(wrong("yes or no")),
        };
        match key {
            "position" => self.position = value.to_owned(),
            "question" => self.question = value.parse().map_err(word)?,
            "player" => self.player = Some(value.to_owned()),
            "definitions" => self.definitions = value.to_owned(),
            "all" => self.all = yes()?,
            "moves" => self.moves = yes()?,
            "tries" => self.tries = value.parse().map_err(|_| wrong("a whole number"))?,
            "set_play" => self.set_play = yes()?,
            "variations" => self.variations = yes()?,
            "scheme" => self.scheme = Some(value.parse().map_err(spec)?),
            "driver" => self.driver = Some(value.parse().map_err(spec)?),
            "leaves" => self.leaves = Some(value.parse().map_err(spec)?),
            "solver" => self.solver = Some(value.parse().map_err(spec)?),
            "opponent" => self.opponent = Some(value.to_owned()),
            "opponent_proof" => self.opponent_proof = value.to_owned(),
            "tables" => self.tables = Some(value.to_owned()),
            "contempt" => self.contempt = Some(value.to_owned()),
            "algorithm" => self.algorithm = Some(value.parse().map_err(spec)?),
            "outcomes" => self.outcomes = value.parse().map_err(word)?,
            "window" => {
                self.window = Some(read_window(value).ok_or_else(|| wrong("a window LOW..HIGH"))?);
            }
            "nodes" => self.budget.nodes = Some(number()?),
            "memory" => self.budget.memory = Some(number()?),
            "time" => {
                let seconds = value.parse().ok().and_then(|s| Duration::try_from_secs_f64(s).ok());
                self.budget.time = Some(seconds.ok_or_else(|| wrong("a number of seconds"))?);
            }
            "playouts" => self.budget.playouts = Some(number()?),
            "inner_nodes" => self.budget.inner_nodes = Some(number()?),
            "threads" => {
                let threads = value.parse().ok().filter(|&n| n > 0);
                self.budget.threads = threads.ok_or_else(|| wrong("a number of threads"))?;
            }
            "seed" => self.seed = number()?,
            "knowledge" => self.knowledge = yes()?,
            "symmetry" => self.symmetry = yes()?,
            "proof" => self.proof = value.parse().map_err(word)?,
            "cover" => self.cover = yes()?,
            _ => {
                return Err(Error::input(format!("`{key}` is not a field of a job"))
                    .at("job", key, 0..key.len())
                    .help(suggest(key, &KEYS.map(str::to_owned)).unwrap_or_default()));
            }
        }
        Ok(())
    }
}

/// The text of a window; one that would be cut elsewhere is written as in JSON.
fn window_text(window: &[String; 2]) -> String {
    let [low, high] = window;
    let text = format!("{low}..{high}");
    match read_window(&text).as_ref() == Some(window) {
        true => text,
        false => serde_json::json!(window).to_string(),
    }
}

fn read_window(text: &str) -> Option<[String; 2]> {
    if let Ok(window) = serde_json::from_str(text) {
        return Some(window);
    }
    let (low, high) = text.split_once("..")?;
    Some([low.to_owned(), high.to_owned()])
}

/// Writes a word; one that would not be read back as one word is quoted as in JSON.
fn write_word(f: &mut fmt::Formatter<'_>, word: &str) -> fmt::Result {
    let plain = |c: char| !c.is_whitespace() && !c.is_control() && c != '"';
    if !word.is_empty() && word.chars().all(plain) {
        return f.write_str(word);
    }
    f.write_str(&serde_json::Value::from(word).to_string())
}

/// Reads a word and what stands behind it.
fn read_word(text: &str) -> Result<(String, &str), Error> {
    if !text.starts_with('"') {
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        return Ok((text[..end].to_owned(), &text[end..]));
    }
    let mut words = serde_json::Deserializer::from_str(text).into_iter::<String>();
    match words.next() {
        Some(Ok(word)) => Ok((word, &text[words.byte_offset()..])),
        _ => Err(Error::input("a quote is not closed, or what it quotes is not text").at(
            "job",
            text,
            0..text.len(),
        )),
    }
}

impl FromStr for Job {
    type Err = Error;

    fn from_str(text: &str) -> Result<Job, Error> {
        let (game, mut rest) = read_word(text.trim_start())?;
        let mut job = Job::new(game);
        loop {
            rest = rest.trim_start();
            if rest.is_empty() {
                return Ok(job);
            }
            let Some((key, behind)) = rest.split_once('=') else {
                return Err(Error::input(format!("`{rest}` is not a word KEY=VALUE")).at(
                    "job",
                    text,
                    text.len() - rest.len()..text.len(),
                ));
            };
            let (value, behind) = read_word(behind)?;
            job.set(key, &value)?;
            rest = behind;
        }
    }
}
