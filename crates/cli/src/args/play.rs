//! The words of `play` and `match`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use foregone::play::{MoveBudget, Player};

use super::words::Words;
use super::{count, duration, seed, whole};

/// What `play` is told.
#[derive(Clone, Debug, Args)]
pub struct PlayArgs {
    /// The game: `name` or `name:options`
    pub game: String,
    /// Who you are: a player of the game, `both` (people on all sides) or `nobody` (the machine
    /// alone) [default: the first player]
    #[arg(long = "as", value_name = "PLAYER")]
    pub person: Option<String>,
    /// The machine's player: default, random, or a search such as 'dag pn'
    #[arg(long, value_name = "PLAYER", default_value = "default", value_parser = player)]
    pub against: Player,
    /// The position to begin with: the game's own text or `moves:a1,b2,…`
    #[arg(long, short, value_name = "P", default_value = "start")]
    pub position: String,
    /// What a move of the machine may take.
    #[command(flatten)]
    pub budget: MoveBudgetArgs,
    /// Who rolls the dice, where chance moves: the machine draws, or a person types
    #[arg(long, value_name = "HOW", default_value = "drawn", value_parser = Words::<DiceWord>::NEW)]
    pub dice: DiceWord,
    /// Write the game to this file when it ends: PGN for chess, SGF for stones, else its moves
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// The seed of everything random
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = seed)]
    #[arg(allow_negative_numbers = true)]
    pub seed: u64,
    /// Print an object a line: moves, hints, values, and the end
    #[arg(long)]
    pub json: bool,
}

/// Who rolls the dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DiceWord {
    /// they are drawn by the seed
    Drawn,
    /// a person types them
    Typed,
}

/// What `match` is told.
#[derive(Clone, Debug, Args)]
pub struct MatchArgs {
    /// A player: default, random, a search such as 'dag pn', or ggp:HOST:PORT
    #[arg(value_parser = player)]
    pub player: Player,
    /// The other player
    #[arg(value_parser = player)]
    pub foe: Player,
    /// The game: `name` or `name:options`
    #[arg(long, short)]
    pub game: String,
    /// How many games; an even number lets both play every opening from both sides
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole::<1, 1_000_000>)]
    #[arg(allow_negative_numbers = true)]
    pub games: u32,
    /// Begin each game with so many random moves, the same in two games with changed sides
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = whole::<0, 1000>)]
    #[arg(allow_negative_numbers = true)]
    pub openings: u32,
    /// The position to begin with: the game's own text or `moves:a1,b2,…`
    #[arg(long, short, value_name = "P", default_value = "start")]
    pub position: String,
    /// What a move may take.
    #[command(flatten)]
    pub budget: MoveBudgetArgs,
    /// Games at the same time; more than there are cores take time from each other
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<1, 1024>)]
    #[arg(allow_negative_numbers = true)]
    pub threads: u32,
    /// The seed of openings and of everything random
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = seed)]
    #[arg(allow_negative_numbers = true)]
    pub seed: u64,
    /// Write all games to this file: PGN for chess, SGF for stones, else their moves
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub json: bool,
}

/// What a move may take.
#[derive(Clone, Copy, Debug, Args)]
pub struct MoveBudgetArgs {
    /// Time for a move: 500ms, 10s [default: 1s, unless another budget is given]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,
    /// Random plays for a move, and nodes where nothing is played at random: 10k, 1M
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub playouts: Option<u64>,
    /// Nodes for a move
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub nodes: Option<u64>,
}

impl MoveBudgetArgs {
    /// The budget of a move.
    pub fn budget(self) -> MoveBudget {
        let counted = self.playouts.is_some() || self.nodes.is_some();
        MoveBudget {
            time: self.time.or((!counted).then_some(Duration::from_secs(1))),
            playouts: self.playouts,
            nodes: self.nodes,
            memory: Some(crate::memory::memory_to_use()),
        }
    }
}

/// A player. clap shows a message on a line, so the hint stands behind it.
fn player(text: &str) -> Result<Player, String> {
    text.parse().map_err(|error: foregone::Error| match error.help {
        Some(help) => format!("{}: {help}", error.message),
        None => error.message,
    })
}
