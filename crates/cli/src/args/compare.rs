//! What `compare` is told.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::values::{bytes, count, duration};
use super::words::Words;

/// What `compare` is told.
#[derive(Clone, Debug, Args)]
pub struct CompareArgs {
    /// The games: `name` or `name:options`
    pub games: Vec<String>,
    /// A position, for all games; several times for several [default: start]
    #[arg(long, short, value_name = "P")]
    pub position: Vec<String>,
    /// A file of positions, one on each line; GAME, a tab and the position for several games
    #[arg(long, value_name = "FILE")]
    pub positions: Option<PathBuf>,
    /// `win`, `value` or `'at-least OUTCOME'`
    #[arg(long, short, value_name = "Q", default_value = "value")]
    pub question: String,
    /// Who is Max: whose outcome is asked [default: the first player]
    #[arg(long = "for", value_name = "PLAYER")]
    pub player: Option<String>,
    /// Schemes with commas between them, as in `pn,pp,mo(pn)`; picked for the game when not given
    #[arg(long, short, value_name = "S,…", value_parser = list)]
    pub schemes: Option<List>,
    /// Drivers with commas between them, as in `tree,dag`; picked for the game when not given
    #[arg(long, short, value_name = "D,…", value_parser = list)]
    pub drivers: Option<List>,
    /// Seeds of everything random: 1..5, or 1,2,7
    #[arg(long, value_name = "N..M", default_value = "0", value_parser = seeds)]
    pub seeds: Seeds,
    /// How often each search is made: times differ, counts do not
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub repeat: u32,
    /// Stop each search after this time: 500ms, 60s, 10m, 2h [default: 10s, if no nodes are given]
    #[arg(long, value_parser = duration, help_heading = "Budget")]
    pub time: Option<Duration>,
    /// Stop each search after this many nodes: 500k, 10M, 2G
    #[arg(long, value_parser = count, help_heading = "Budget")]
    pub nodes: Option<u64>,
    /// Each search holds at most this many bytes: 500M, 4G [default: three quarters of what is
    /// free, shared by the threads]
    #[arg(long, value_parser = bytes, help_heading = "Budget")]
    pub memory: Option<u64>,
    /// Searches at the same time: counts stay the same, times suffer a little; at most as many as
    /// there are cores
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..), help_heading = "Budget")]
    pub threads: u32,
    /// Make and check the proof of every answer; times are without the check
    #[arg(long)]
    pub proofs: bool,
    /// Do not use what the games know statically: rules only
    #[arg(long)]
    pub no_knowledge: bool,
    /// Treat mirror images of a position as different positions
    #[arg(long)]
    pub no_symmetry: bool,
    /// Write every run to this file
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Write a plot to this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// What the plot shows: nodes or seconds of each game, or cactus, how many are solved within how long
    #[arg(hide_possible_values = true)]
    #[arg(long, value_name = "WHAT", default_value = "nodes", value_parser = Words::<Measured>::NEW, requires = "svg")]
    pub plot: Measured,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub json: bool,
}

/// What a plot of a comparison shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Measured {
    /// nodes, game by game
    Nodes,
    /// seconds, game by game
    Seconds,
    /// how many positions each search solves within how many seconds each
    Cactus,
}

/// Words with commas between them. A word may have brackets with commas of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List(pub Vec<String>);

fn list(text: &str) -> Result<List, String> {
    let mut words = vec![String::new()];
    let mut depth = 0;
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        match words.last_mut() {
            Some(word) if c != ',' || depth > 0 => word.push(c),
            _ => words.push(String::new()),
        }
    }
    let words: Vec<String> = words.iter().map(|word| word.trim().to_owned()).collect();
    match words.iter().any(String::is_empty) {
        true => Err("a word is missing beside a comma".to_owned()),
        false => Ok(List(words)),
    }
}

/// Seeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seeds(pub Vec<u64>);

/// More seeds are a mistake.
const MOST_SEEDS: u64 = 100_000;

fn seeds(text: &str) -> Result<Seeds, String> {
    let number = |word: &str| {
        let wrong = || format!("`{word}` is not a seed: expected a whole number, 1..5 or 1,2,7");
        word.trim().parse::<u64>().map_err(|_| wrong())
    };
    let mut seeds = Vec::new();
    for part in text.split(',') {
        let (first, last) = match part.split_once("..") {
            Some((first, last)) => (number(first)?, number(last.trim_start_matches('='))?),
            None => (number(part)?, number(part)?),
        };
        if last < first || last - first >= MOST_SEEDS {
            return Err(format!("`{part}` has no seeds in it, or too many"));
        }
        seeds.extend(first..=last);
    }
    Ok(Seeds(seeds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_brackets_separate_nothing() {
        let words = |text: &str| list(text).map(|list| list.0);
        let three = ["pn", "sbmcts(gamma=1,delta=2)", "mo(pp)"].map(str::to_owned);
        assert_eq!(words("pn,sbmcts(gamma=1,delta=2), mo(pp)"), Ok(three.to_vec()));
        assert!(words("pn,,pp").is_err());
        assert!(words("").is_err());
    }

    #[test]
    fn seeds_are_ranges_and_lists() {
        let of = |text: &str| seeds(text).map(|seeds| seeds.0);
        assert_eq!(of("1..3,7"), Ok(vec![1, 2, 3, 7]));
        assert_eq!(of("5"), Ok(vec![5]));
        assert!(of("5..1").is_err());
        assert!(of("x").is_err());
    }
}
