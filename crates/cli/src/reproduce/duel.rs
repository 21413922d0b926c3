//! Matches between two searches that play: the match of section 4.5 of the master thesis.

use foregone::Error;
use foregone::play::{Player, SearchPlayer};
use foregone::text::{counted, grouped};

use super::definition::Duel;
use super::measure::{Ended, Runner};
use super::{Outcome as Made, Table};
use crate::args::ReproduceArgs;

/// Plays a match; each player begins every other game.
pub(super) fn table(
    runner: &Runner<'_, '_>,
    duel: &Duel,
    args: &ReproduceArgs,
) -> Result<Made, Error> {
    let usual = if args.quick { duel.quick_games } else { duel.games };
    let games = args.sample.unwrap_or(usual);
    let playouts = if args.quick { duel.quick_playouts } else { duel.playouts };
    let players = duel.jobs()?.map(|job| Player::Search(SearchPlayer::of(&job)));
    let spec = runner.match_of(&duel.game, players, games, playouts);
    let answer = runner.play_match(&spec)?;
    let ended = answer.interrupted.then_some(Ended::Interrupted);
    let score = [answer.wins, answer.draws, answer.losses];
    let heads = ["player", "wins", "draws", "losses", "points ours"].map(str::to_owned);
    let heads = heads.into_iter().chain([format!("points {}", duel.by)]).collect();
    let mut table = Table { heads, labels: 1, rows: Vec::new() };
    let [wins, draws, losses] = score;
    for (player, [wins, draws, losses]) in
        duel.players.iter().zip([[wins, draws, losses], [losses, draws, wins]])
    {
        let points = f64::from(wins) + f64::from(draws) / 2.0;
        let mut row = vec![player.name.clone()];
        row.extend([wins, draws, losses].map(|n| grouped(n.into())));
        row.extend([format!("{points:.1}"), player.points.clone()]);
        table.rows.push(row);
    }
    let mut notes = duel.notes.clone();
    let games = counted(score.iter().sum::<u32>().into(), "game");
    notes.push(format!("{games}, {} before each move", counted(playouts, "playout")));
    Ok(Made { table, notes, plot: None, ended })
}
