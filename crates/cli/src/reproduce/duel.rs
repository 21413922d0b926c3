//! Matches between two searches that play: the match of section 4.5 of the master thesis.

use foregone::games::erased::Erased;
use foregone::model::{Game, Notation, Outcome, Side, Turn};
use foregone::{Answer, Budget, Error, Job};

use super::definition::Duel;
use super::measure::{Ended, Runner};
use super::{Outcome as Made, Table};
use crate::args::ReproduceArgs;
use crate::print::{counted, grouped};

/// Wins, draws and losses of the first player.
type Score = [u32; 3];

/// Plays a match; each player begins every other game.
pub(super) fn table(
    runner: &Runner<'_, '_>,
    duel: &Duel,
    args: &ReproduceArgs,
) -> Result<Made, Error> {
    let usual = if args.quick { duel.quick_games } else { duel.games };
    let games = args.sample.unwrap_or(usual);
    let playouts = if args.quick { duel.quick_playouts } else { duel.playouts };
    let players = duel.jobs()?.map(|job| {
        let job = runner.with_budget(job);
        Job { budget: Budget { playouts: Some(playouts), ..job.budget }, ..job }
    });
    let game = runner.open(&duel.game)?;
    let (score, ended) = Match { runner, game, players }.play(games);
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

struct Match<'r, 'p, 'o> {
    runner: &'r Runner<'p, 'o>,
    game: Erased,
    /// What each player asks before a move, about whatever position.
    players: [Job; 2],
}

impl Match<'_, '_, '_> {
    /// So many games, as far as they are played.
    fn play(&self, games: u32) -> (Score, Option<Ended>) {
        let mut score = [0; 3];
        for number in 0..games {
            let first_is_max = number % 2 == 0;
            match self.play_one(number, first_is_max) {
                Err(ended) => return (score, Some(ended)),
                Ok(outcome) => {
                    let twice = u32::from(outcome.0) * 2;
                    let middle = u32::from(self.game.scale().best().0);
                    let by_max = [twice < middle, twice == middle, twice > middle];
                    let result = by_max.iter().position(|&is| is).unwrap_or(1);
                    score[if first_is_max { 2 - result } else { result }] += 1;
                }
            }
        }
        (score, None)
    }

    /// One game and its outcome.
    fn play_one(&self, number: u32, first_is_max: bool) -> Result<Outcome, Ended> {
        let game = &self.game;
        let mut state = game.start();
        let mut seed = u64::from(number) << 32;
        loop {
            let agent = match game.turn(&state) {
                Turn::Over => return Ok(game.outcome(&state)),
                Turn::Agent(agent) => agent,
                Turn::Chance => {
                    let message = format!("{} has chance, and a match has not", game.name());
                    return Err(Error::input(message).into());
                }
            };
            let first = (Side::of(agent) == Side::Max) == first_is_max;
            let job = &self.players[usize::from(!first)];
            let position = game.position_text(&state);
            let job = Job { position, seed: job.seed ^ seed, ..job.clone() };
            seed += 1;
            let best = match self.runner.run(&job, false)?.answer {
                Answer::Turn(answer) => answer.best_move,
                Answer::Formula(_) | Answer::Joint(_) => None,
            };
            let mut moves = Vec::new();
            game.moves(&state, agent, &mut moves);
            let is_best = |&&m: &&_| best.as_ref().is_some_and(|b| game.move_text(&state, m) == *b);
            let chosen = moves.iter().find(is_best).unwrap_or(&moves[0]);
            game.play(&mut state, agent, *chosen);
        }
    }
}
