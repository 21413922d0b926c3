//! Games that Monte Carlo searches play, alone or against another one: chapter 5 of the master thesis.

use std::sync::atomic::{AtomicU32, Ordering};

use foregone::games::erased::Erased;
use foregone::model::{Agent, Game, Notation, Turn};
use foregone::search::monte_carlo::{MonteCarlo, Options};
use foregone::text::counted;
use foregone::{Cancel, Error};
use serde::Deserialize;

use super::measure::{Ended, Runner};
use super::{Outcome as Made, Table};
use crate::args::{BudgetArgs, ReproduceArgs};

/// Searches that play a game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Playing {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) source: String,
    /// A word for the source.
    by: String,
    game: String,
    /// Moves that every game begins with.
    #[serde(default)]
    opening: Vec<String>,
    /// The search that all others play against; nobody in a game of one player.
    against: Option<String>,
    /// How many games, and with `--quick`.
    games: u32,
    quick_games: u32,
    /// How many lines with `--quick`.
    quick_lines: usize,
    /// Playouts before each move.
    playouts: u64,
    #[serde(default)]
    notes: Vec<String>,
    /// A search, and what it scored in the source.
    lines: Vec<[String; 2]>,
}

/// A search as an experiment has it: nothing is proved.
fn options(text: &str) -> Result<Options, Error> {
    let options: Options = text.parse().map_err(|e| Error::text("search", text, e))?;
    Ok(Options { solve: false, ..options })
}

/// Plays all games.
pub(super) fn table(
    runner: &Runner<'_, '_>,
    playing: &Playing,
    args: &ReproduceArgs,
    budget: &BudgetArgs,
    cancel: &Cancel,
) -> Result<Made, Error> {
    let usual = if args.quick { playing.quick_games } else { playing.games };
    let games = args.sample.unwrap_or(usual);
    let game = runner.open(&playing.game)?;
    let start = opened(&game, &playing.opening)?;
    let against = playing.against.as_deref().map(options).transpose()?;
    let heads = ["search", "ours", "error"].map(str::to_owned);
    let heads = heads.into_iter().chain([playing.by.clone()]).collect();
    let mut table = Table { heads, labels: 1, rows: Vec::new() };
    let lines = if args.quick { playing.quick_lines } else { playing.lines.len() };
    let mut ended = None;
    for [text, theirs] in &playing.lines[..lines] {
        let table_of = Games {
            game: &game,
            start: &start,
            players: (options(text)?, against),
            playouts: playing.playouts,
            seed: budget.seed,
        };
        let Some(scores) = table_of.play(games, budget.threads, cancel) else {
            ended = Some(Ended::Interrupted);
            break;
        };
        let scores = scores.into_iter().collect::<Result<Vec<f64>, Error>>()?;
        let (mean, error) = mean_and_error(&scores);
        let row = [text.clone(), format!("{:.1}", mean * 100.0), format!("{:.1}", error * 100.0)];
        table.rows.push(row.into_iter().chain([theirs.clone()]).collect());
    }
    let mut notes = playing.notes.clone();
    notes.push(format!(
        "{} a line, {} before each move; error: the standard error of ours",
        counted(games.into(), "game"),
        counted(playing.playouts, "playout"),
    ));
    Ok(Made { table, notes, plot: None, ended })
}

/// The position after these moves.
fn opened(game: &Erased, opening: &[String]) -> Result<<Erased as Game>::State, Error> {
    let mut state = game.start();
    for text in opening {
        let mut moves = Vec::new();
        if let Turn::Agent(agent) = game.turn(&state) {
            game.moves(&state, agent, &mut moves);
            if let Some(&m) = moves.iter().find(|&&m| game.move_text(&state, m) == *text) {
                game.play(&mut state, agent, m);
                continue;
            }
        }
        return Err(Error::input(format!("`{text}` is not a move here")));
    }
    Ok(state)
}

/// Games of one search, or of two.
struct Games<'g> {
    game: &'g Erased,
    start: &'g <Erased as Game>::State,
    /// The one that is tested, and the other one.
    players: (Options, Option<Options>),
    playouts: u64,
    seed: u64,
}

impl Games<'_> {
    /// What the tested search scored in each game, from 0 to 1; nothing if that was interrupted. Each
    /// game has its seeds, so threads change nothing.
    fn play(&self, games: u32, threads: u32, cancel: &Cancel) -> Option<Vec<Result<f64, Error>>> {
        let next = AtomicU32::new(0);
        let work = || {
            let mut scores = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= games || cancel.is_cancelled() {
                    return scores;
                }
                scores.push((number, self.play_one(number, cancel)));
            }
        };
        let mut scores = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            let done = threads.into_iter().filter_map(|thread| thread.join().ok());
            done.flatten().collect::<Vec<_>>()
        });
        if cancel.is_cancelled() {
            return None;
        }
        scores.sort_by_key(|&(number, _)| number);
        Some(scores.into_iter().map(|(_, score)| score).collect())
    }

    /// One game. The tested search is the first player in the even ones; alone it is so always.
    fn play_one(&self, number: u32, cancel: &Cancel) -> Result<f64, Error> {
        let game = self.game;
        let tested = match self.players.1 {
            Some(_) => Agent(number as u8 % 2),
            None => Agent::FIRST,
        };
        let mut state = self.start.clone();
        let mut seed = self.seed ^ u64::from(number) << 32;
        let search = |options: Options| {
            let search = MonteCarlo::new(game, self.start, options, 0);
            search.map_err(|e| Error::input(e.to_string()))
        };
        let (first, second) = self.players;
        let mut searches = [search(first)?, search(second.unwrap_or(first))?];
        loop {
            let agent = match game.turn(&state) {
                Turn::Agent(agent) if !cancel.is_cancelled() => agent,
                Turn::Over => return Ok(part(game, &state, tested)),
                _ => return Ok(0.0),
            };
            let search = &mut searches[usize::from(agent != tested)];
            seed += 1;
            search.restart(&state, seed);
            search.run(self.playouts);
            let m = search.best().ok_or_else(|| Error::input("a search has no move"))?;
            game.play(&mut state, agent, m);
        }
    }
}

/// What a final position is worth to an agent, from 0 to 1.
fn part(game: &Erased, state: &<Erased as Game>::State, agent: Agent) -> f64 {
    let place = f64::from(game.outcome(state).0) / f64::from(game.scale().best().0);
    if agent == Agent::FIRST { place } else { 1.0 - place }
}

/// The mean, and its standard error.
fn mean_and_error(scores: &[f64]) -> (f64, f64) {
    let n = scores.len().max(1) as f64;
    let mean = scores.iter().sum::<f64>() / n;
    let squares: f64 = scores.iter().map(|score| (score - mean).powi(2)).sum();
    (mean, (squares / (n - 1.0).max(1.0) / n).sqrt())
}
