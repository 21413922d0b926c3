//! Players as plain data: `random`, `dag pn`, `tree sbmcts playout knowledge=no`.

use std::fmt;
use std::str::FromStr;

use foregone_games::erased::Erased;
use foregone_model::{Agent, Game, Guide, Notation, TextError};
use foregone_search::monte_carlo::Options;
use foregone_search::{DriverSpec, Init, SchemeSpec};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::{Error, suggest};
use crate::job::Job;

/// Who chooses moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Player {
    /// Whatever plays best.
    #[default]
    Default,
    /// Any move, all of them equally often.
    Random,
    /// A search that proves, and plays by its proof, or by where the search stands when its
    /// budget is over.
    Search(SearchPlayer),
    /// A search that judges positions, and proves what it can.
    Thinker(Thinker),
    /// A player of the GGP protocol at this address, `HOST:PORT`.
    Ggp(String),
}

/// A search that plays. What is left open is picked for the game.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchPlayer {
    /// How the space is walked.
    pub driver: Option<DriverSpec>,
    /// What a node of a best first search knows.
    pub scheme: Option<SchemeSpec>,
    /// Where the value of a new leaf comes from.
    pub leaves: Option<Init>,
    /// Whether what the game knows statically is used.
    pub knowledge: bool,
    /// Whether mirror images are taken as one.
    pub symmetry: bool,
}

impl Default for SearchPlayer {
    fn default() -> SearchPlayer {
        SearchPlayer { driver: None, scheme: None, leaves: None, knowledge: true, symmetry: true }
    }
}

impl SearchPlayer {
    /// The search of a job.
    pub fn of(job: &Job) -> SearchPlayer {
        SearchPlayer {
            driver: job.driver,
            scheme: job.scheme,
            leaves: job.leaves,
            knowledge: job.knowledge,
            symmetry: job.symmetry,
        }
    }

    /// A job for it about a position.
    pub(super) fn job(&self, position: String) -> Job {
        Job {
            driver: self.driver,
            scheme: self.scheme,
            leaves: self.leaves,
            knowledge: self.knowledge,
            symmetry: self.symmetry,
            position,
            ..Job::default()
        }
    }
}

/// A search that judges positions. Before it does, a part of what it may use goes into proving.
#[derive(Clone, Debug, PartialEq)]
pub struct Thinker {
    /// How it judges.
    pub judge: Judge,
    /// Playouts for a move, whatever the budget says.
    pub playouts: Option<u64>,
    /// What part of the budget a proof may take first, from 0 to 1.
    pub prove: f64,
    /// How it is searched for a proof; the game's usual search when not given.
    pub driver: Option<DriverSpec>,
    /// Whether what was found out is kept for the next move.
    pub keep: bool,
}

/// How a position is judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Judge {
    /// By Monte Carlo search.
    MonteCarlo(Options),
    /// By looking ahead and the game's own estimate.
    Estimate {
        /// So many moves at most; as far as the budget allows when not given.
        depth: Option<u32>,
    },
}

impl Thinker {
    /// One that judges in this way and proves nothing.
    pub fn new(judge: Judge) -> Thinker {
        Thinker { judge, playouts: None, prove: 0.0, driver: None, keep: true }
    }

    /// What plays a game best. Measured: `experiments/play.md`.
    pub(super) fn strongest(game: &Erased) -> Thinker {
        let start = game.start();
        let mut moves = Vec::new();
        let mover = game.turn(&start).mover().filter(|&agent| agent != Agent::CHANCE);
        if let Some(agent) = mover {
            game.moves(&start, agent, &mut moves);
        }
        let two = game.agents() == 2 && !game.has_chance() && !game.one_player();
        // Moves that take a cell mean much the same whenever they are made.
        let same_later = mover.is_some_and(|agent| {
            moves.first().is_some_and(|&m| game.move_class(&start, agent, m).is_some())
        });
        let judge = match two && game.evaluates() && !game.prefers_evaluation() {
            true => Judge::Estimate { depth: None },
            false => {
                // Moves that do well later are tried without a bonus for what was not tried.
                Judge::MonteCarlo(match two && same_later {
                    true => Options { rave: Some(RAVE), exploration: 0.0, ..Options::default() },
                    false => Options::default(),
                })
            }
        };
        // Searches of many scores want moves in order, and those that look ahead have such games.
        let scores = game.scale().scores().is_some_and(|scores| scores.len() > 3);
        let driver = (scores && game.evaluates()).then_some(DriverSpec::ALPHA_BETA);
        Thinker { prove: PROVE, driver, ..Thinker::new(judge) }
    }
}

/// After so many playouts a move is judged by itself as much as by how it does later.
const RAVE: f64 = 300.0;
/// The part of the budget in which the default player tries to prove.
const PROVE: f64 = 0.25;

/// Words of players that are not searches for proofs.
const OWN: [&str; 7] =
    ["default", "random", "uct", "ucd(D1,D2,D3)", "update-all", "estimate", "ggp:HOST:PORT"];
/// Words that begin a player that judges.
const JUDGES: [&str; 4] = ["uct", "ucd", "update-all", ESTIMATE];
const ESTIMATE: &str = "estimate";

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Player::Default => f.write_str("default"),
            Player::Random => f.write_str("random"),
            Player::Ggp(address) => write!(f, "ggp:{address}"),
            Player::Search(search) => search.fmt(f),
            Player::Thinker(thinker) => thinker.fmt(f),
        }
    }
}

impl fmt::Display for SearchPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [
            self.driver.map(|driver| driver.to_string()),
            self.scheme.map(|scheme| scheme.to_string()),
            self.leaves.map(|leaves| leaves.to_string()),
            (!self.knowledge).then(|| "knowledge=no".to_owned()),
            (!self.symmetry).then(|| "symmetry=no".to_owned()),
        ];
        let words: Vec<String> = words.into_iter().flatten().collect();
        // A search of which nothing is said is the game's usual one.
        f.write_str(if words.is_empty() { "search" } else { "" })?;
        f.write_str(&words.join(" "))
    }
}

impl fmt::Display for Thinker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        let judge = match self.judge {
            Judge::MonteCarlo(options) => options.to_string(),
            Judge::Estimate { depth } => {
                words.extend(depth.map(|depth| format!("depth={depth}")));
                ESTIMATE.to_owned()
            }
        };
        words.extend(self.playouts.map(|n| format!("playouts={n}")));
        if self.prove > 0.0 {
            words.push(format!("prove={}", self.prove));
        }
        words.extend(self.driver.map(|driver| format!("by={driver}")));
        if !self.keep {
            words.push("keep=no".to_owned());
        }
        match (judge.strip_suffix(')'), words.is_empty()) {
            (_, true) => f.write_str(&judge),
            (Some(open), false) => write!(f, "{open},{})", words.join(",")),
            (None, false) => write!(f, "{judge}({})", words.join(",")),
        }
    }
}

/// Reads `uct(rave=300,playouts=10000)` and the like: some options belong to the player, and the rest
/// to the search.
fn read_thinker(text: &str) -> Result<Thinker, Error> {
    let fault = |message: String, part: &str| {
        let start = part.as_ptr() as usize - text.as_ptr() as usize;
        Error::input(message).at("player", text, start..start + part.len())
    };
    let trimmed = text.trim();
    let (word, inside) = match trimmed.split_once('(') {
        None => (trimmed, ""),
        Some((word, rest)) => match rest.strip_suffix(')') {
            Some(inside) => (word, inside),
            None => {
                return Err(fault(
                    format!("`{trimmed}` has a bracket that is not closed"),
                    trimmed,
                ));
            }
        },
    };
    let mut thinker = Thinker::new(Judge::Estimate { depth: None });
    let mut depth = None;
    let mut rest: Vec<&str> = Vec::new();
    for argument in arguments(inside) {
        let (key, value) = argument.split_once('=').unwrap_or((argument, ""));
        let wrong = |what: &str| fault(format!("`{value}` is not {what}"), argument);
        match key.trim() {
            "playouts" => {
                let playouts = value.parse().map_err(|_| wrong("a number of playouts"))?;
                thinker.playouts = Some(playouts);
            }
            "prove" => {
                let share: f64 = value.parse().map_err(|_| wrong("a number from 0 to 1"))?;
                if !(0.0..=1.0).contains(&share) {
                    return Err(wrong("a number from 0 to 1"));
                }
                thinker.prove = share;
            }
            "by" => {
                let driver = value.parse().map_err(|_| wrong("a driver"))?;
                thinker.driver = Some(driver);
            }
            "keep" => {
                thinker.keep = match value {
                    "yes" => true,
                    "no" => false,
                    _ => return Err(wrong("yes or no")),
                };
            }
            "depth" if word == ESTIMATE => {
                let moves = value.parse().ok().filter(|&depth| depth > 0);
                depth = Some(moves.ok_or_else(|| wrong("a number of moves"))?);
            }
            _ => rest.push(argument),
        }
    }
    if word == ESTIMATE {
        if let Some(other) = rest.first() {
            let message = format!("`{other}` is not an option of `{ESTIMATE}`");
            let options = ["depth=", "prove=", "by=", "playouts="].map(str::to_owned);
            return Err(fault(message, other).help(suggest(other, &options).unwrap_or_default()));
        }
        thinker.judge = Judge::Estimate { depth };
        return Ok(thinker);
    }
    let options = match rest.is_empty() {
        true => word.to_owned(),
        false => format!("{word}({})", rest.join(",")),
    };
    thinker.judge = Judge::MonteCarlo(options.parse().map_err(|e: TextError| {
        let help = suggest(options.get(e.span).unwrap_or_default(), &e.choices);
        fault(e.message, trimmed).help(help.unwrap_or_default())
    })?);
    Ok(thinker)
}

/// What stands between commas that are not in brackets.
fn arguments(inside: &str) -> Vec<&str> {
    let (mut depth, mut first, mut found) = (0u32, 0, Vec::new());
    for (at, c) in inside.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.push(&inside[first..at]);
                first = at + 1;
            }
            _ => {}
        }
    }
    if !inside.is_empty() {
        found.push(&inside[first..]);
    }
    found
}

impl FromStr for Player {
    type Err = Error;

    fn from_str(text: &str) -> Result<Player, Error> {
        let trimmed = text.trim();
        match trimmed {
            "default" => return Ok(Player::Default),
            "random" => return Ok(Player::Random),
            _ => {}
        }
        if let Some(address) = trimmed.strip_prefix("ggp:") {
            return read_address(text, address).map(|()| Player::Ggp(address.to_owned()));
        }
        let word = trimmed.split('(').next().unwrap_or_default();
        match JUDGES.contains(&word) {
            true => read_thinker(text).map(Player::Thinker),
            false => read_search(text).map(Player::Search),
        }
    }
}

/// Refuses what is not `HOST:PORT`.
fn read_address(text: &str, address: &str) -> Result<(), Error> {
    let port = address.rsplit_once(':').filter(|(host, _)| !host.is_empty());
    match port.and_then(|(_, port)| port.parse::<u16>().ok()) {
        Some(_) => Ok(()),
        None => Err(Error::input(format!("`{address}` is not the address of a player"))
            .at("player", text, text.len() - address.len()..text.len())
            .help("expected HOST:PORT, such as ggp:localhost:9147")),
    }
}

/// Reads driver, scheme and leaves in any order, and `knowledge=no`, `symmetry=no`.
fn read_search(text: &str) -> Result<SearchPlayer, Error> {
    let mut search = SearchPlayer::default();
    let mut found = false;
    for word in text.split_whitespace() {
        // The words are parts of the text, so this is where they begin.
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        let span = start..start + word.len();
        let fault = |message: String| Error::input(message).at("player", text, span.clone());
        let twice = |what: &str| fault(format!("`{word}` is a second {what}"));
        found = true;
        match word {
            "search" => {}
            "knowledge=no" | "symmetry=no" | "knowledge=yes" | "symmetry=yes" => {
                let yes = word.ends_with("=yes");
                match word.starts_with("knowledge") {
                    true => search.knowledge = yes,
                    false => search.symmetry = yes,
                }
            }
            _ => match (word.parse::<DriverSpec>(), word.parse(), word.parse()) {
                (Ok(_), ..) if search.driver.is_some() => return Err(twice("driver")),
                (Ok(driver), ..) => search.driver = Some(driver),
                (_, Ok(_), _) if search.scheme.is_some() => return Err(twice("scheme")),
                (_, Ok(scheme), _) => search.scheme = Some(scheme),
                (_, _, Ok(_)) if search.leaves.is_some() => return Err(twice("value of leaves")),
                (_, _, Ok(leaves)) => search.leaves = Some(leaves),
                (Err(driver), Err(scheme), Err(_)) => {
                    // The word before the brackets tells what was meant.
                    let name = word.split('(').next().unwrap_or_default();
                    let inside = match () {
                        () if name.parse::<DriverSpec>().is_ok() => Some(driver),
                        () if name.parse::<SchemeSpec>().is_ok() => Some(scheme),
                        () => None,
                    };
                    return Err(match inside {
                        Some(error) => Error::text("player", text, error.shifted(start)),
                        None => fault(format!("`{word}` is not a player"))
                            .help(suggest(word, &known_words()).unwrap_or_default()),
                    });
                }
            },
        }
    }
    match found {
        true => Ok(search),
        false => Err(Error::input("a player has a name")
            .at("player", text, 0..text.len())
            .help(suggest("", &known_words()).unwrap_or_default())),
    }
}

/// The words of players, for hints.
fn known_words() -> Vec<String> {
    let drivers = DriverSpec::ALL.iter().map(|driver| driver.word().to_owned());
    let schemes = SchemeSpec::all().into_iter().map(SchemeSpec::word);
    let own = OWN.iter().map(|&word| word.to_owned());
    own.chain(drivers).chain(schemes).collect()
}

impl Serialize for Player {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Player {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Player, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
